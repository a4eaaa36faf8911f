/*
 * mux/sync/prompt.h - the state of the server's prompt, for clients that
 * predict it.
 *
 * Purpose:   with the text, its place and the newest input in it, a client can
 *            show exactly what keys in flight will do.
 * Ownership: reference counts; a shared prompt does not change.
 * Units:     bytes, cells, input indices.
 * Errors:    -ERR_PEER for bytes that do not decode.
 * Source:    doc/PROTOCOL.md.
 * Tests:     regress/unit/check_sync_frame.c, check_client_local_echo.c
 */
#ifndef MUX_SYNC_PROMPT_H
#define MUX_SYNC_PROMPT_H

#include "base/buf.h"
#include "base/wire.h"
#include "mux/vt/frame.h"

#define SYNC_PROMPT_MAX 65536 /* bytes of text */

struct sync_prompt {
	uint32_t refs;
	uint64_t surface;          /* the surface that shows it */
	uint64_t seen;             /* newest input in TEXT */
	uint32_t at;               /* the cursor, in bytes */
	uint16_t x;                /* first column of the text */
	struct vt_str *text;       /* UTF-8 */
	struct vt_str *separators; /* word-separators */
};

/* Returns a copy of P that takes over P's strings. */
struct sync_prompt *sync_prompt_new(const struct sync_prompt *p);
struct sync_prompt *sync_prompt_ref(struct sync_prompt *p); /* NULL is fine */
void sync_prompt_unref(struct sync_prompt *p);              /* NULL is fine */
bool sync_prompt_equal(
    const struct sync_prompt *a, const struct sync_prompt *b);

/* Appends P as an array; P may be NULL: none. */
void sync_prompt_put(struct buf *b, const struct sync_prompt *p);
int sync_prompt_get(struct rd *r, struct sync_prompt **slot);

#endif
