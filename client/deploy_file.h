/*
 * client/deploy_file.h - a program file that can be copied to another machine.
 *
 * Purpose:   reads a build of rmux and says what it is: version, architecture,
 *            whether it needs shared libraries, checksum.
 * Ownership: the caller's struct; no memory behind it.
 * Units:     bytes.
 * Errors:    -ERR_* with a cause that names the file.
 * Source:    System V ABI, ELF header; names of architectures as uname(1) -m.
 * Tests:     regress/unit/check_deploy.c
 */
#ifndef CLIENT_DEPLOY_FILE_H
#define CLIENT_DEPLOY_FILE_H

#include "base/err.h"
#include "base/types.h"

#define DEPLOY_FILE_MAX ((size_t)64 << 20)
#define DEPLOY_PATH_MAX 1024

struct deploy_file {
	char path[DEPLOY_PATH_MAX];
	const char *machine; /* "x86_64" */
	bool needs_libs; /* the loader of the far side must find libraries */
	size_t size;
	char sum[65]; /* SHA-256, hexadecimal digits */
};

/*
 * Describes N bytes, which are the file f->path.  Returns -ERR_TYPE if they are
 * no program for Linux, and -ERR_VERSION if it is no rmux of this version.
 */
int deploy_file_look(struct deploy_file *f, const void *p, size_t n,
    struct cause *c) WARN_UNUSED;

/* Reads PATH and describes it. Out: *data (mem_free), unless NULL. */
int deploy_file_read(const char *path, struct deploy_file *f, char **data,
    struct cause *c) WARN_UNUSED;

/* Returns whether a program for F's architecture runs on MACHINE. */
bool deploy_file_fits(const struct deploy_file *f, const char *machine);

/* Returns the name of the architecture NUMBER, from 0; NULL at the end. */
const char *deploy_machine(size_t number);

#endif
