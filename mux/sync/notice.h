/*
 * mux/sync/notice.h - a notification for the user's terminal.
 *
 * Purpose:   the bytes of SYNC_EFFECT_NOTICE.
 * Ownership: a decoded notice points into the bytes it was decoded from.
 * Units:     bytes of UTF-8, without NULs.
 * Errors:    -ERR_PEER for malformed bytes.
 * Source:    doc/PROTOCOL.md C.2 has the table.
 * Tests:     regress/unit/check_notice.c, regress/fuzz/fuzz_notify.c
 */
#ifndef MUX_SYNC_NOTICE_H
#define MUX_SYNC_NOTICE_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"

#define SYNC_NOTICE_TEXT_MAX 2048 /* bytes of one text */

enum sync_notice_flag {
	SYNC_NOTICE_CLOSE = 1,  /* closes the notification with the id */
	SYNC_NOTICE_FOCUS = 2,  /* activation focuses the terminal, too */
	SYNC_NOTICE_CLOSES = 4, /* its end is to be reported */
};

struct sync_notice_str {
	const char *p;
	size_t n;
};

struct sync_notice {
	uint32_t flags;            /* enum sync_notice_flag */
	uint32_t urgency;          /* 0 low, 1 normal, 2 critical */
	int64_t expires;           /* ms, 0 never, -1 as the terminal likes */
	struct sync_notice_str id; /* letters, digits, - _ + . */
	struct sync_notice_str title;
	struct sync_notice_str body;
	struct sync_notice_str buttons; /* labels, separated by U+2028 */
};

void sync_notice_encode(struct buf *b, const struct sync_notice *nt);
int sync_notice_decode(struct sync_notice *nt, const void *p, size_t n);

#endif
