/*
 * mux/sync/prompt.h - the line that the server edits, for who types into it.
 *
 * Purpose:   with the text, where it stands and what of the input is in it, a
 *            client can show exactly what keys on their way will do.
 * Ownership: reference counts; a prompt is not changed once it is shared.
 * Units:     bytes, cells, input indices.
 * Errors:    -ERR_PEER for bytes that do not decode.
 * Source:    our own (doc/PROTOCOL.md).
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
	uint64_t surface;          /* where it is shown */
	uint64_t seen;             /* inputs up to this index are in it */
	uint32_t at;               /* the cursor, in bytes */
	uint16_t x;                /* the column in which the text begins */
	struct vt_str *text;       /* UTF-8 */
	struct vt_str *separators; /* word-separators */
};

/* One like P, whose strings are taken over. */
struct sync_prompt *sync_prompt_new(const struct sync_prompt *p);
struct sync_prompt *sync_prompt_ref(struct sync_prompt *p); /* NULL is fine */
void sync_prompt_unref(struct sync_prompt *p);              /* NULL is fine */
bool sync_prompt_equal(
    const struct sync_prompt *a, const struct sync_prompt *b);

/* An array; P may be NULL: none. */
void sync_prompt_put(struct buf *b, const struct sync_prompt *p);
int sync_prompt_get(struct rd *r, struct sync_prompt **slot);

#endif
