/*
 * client/spool.h - a queue of bytes that may be longer than memory should hold.
 *
 * Purpose:   keeps the first bytes in memory and the others in a file without a
 *            name, which nobody else can open and which ends with the process.
 * Ownership: the spool owns its memory and its descriptor. spool_new opens the
 *            file, so that a confined process has it (base/io/confine.h).
 * Units:     bytes.
 * Errors:    none: where no file can be made or the disk is full, bytes stay in
 *            memory, and spool_full asks the caller to add no more.
 * Tests:     regress/unit/check_client_spool.c
 */
#ifndef CLIENT_SPOOL_H
#define CLIENT_SPOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"

#define SPOOL_MEMORY (1u << 20)            /* bytes at either end of the file */
#define SPOOL_FILE_MAX ((uint64_t)2 << 30) /* bytes in the file */

struct spool;

/* DIR: a folder for the file; NULL: TMPDIR, /var/tmp or /tmp. */
struct spool *spool_new(const char *dir);
void spool_free(struct spool *s);

/* Appends N bytes. */
void spool_add(struct spool *s, const void *p, size_t n);

/* Takes at most MAX of the first bytes; returns their number. */
size_t spool_take(struct spool *s, void *out, size_t max);

/* Drops all bytes. */
void spool_clear(struct spool *s);

uint64_t spool_len(const struct spool *s);

/* Whether the caller must wait until bytes have been taken. */
bool spool_full(const struct spool *s);

#endif
