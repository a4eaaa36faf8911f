/*
 * mux/vt/effects.h - requests of a program's output to the outside.
 *
 * Purpose:   replies, bell, titles, clipboard, notifications and the like wait
 *            here, in order, until the terminal's owner takes them.  There are
 *            no callbacks while bytes are being written.
 * Ownership: vt_effects_next gives an effect to the caller; vt_effect_fini
 *            frees it.
 * Units:     bytes.
 * Errors:    at most VT_EFFECTS_MAX effects and VT_EFFECT_BYTES_MAX bytes wait;
 *            further ones are dropped and counted.
 * Source:    the idea is ghostty's.
 * Tests:     regress/unit/check_vt_term.c
 */
#ifndef MUX_VT_EFFECTS_H
#define MUX_VT_EFFECTS_H

#include <stdbool.h>

#include "base/compiler.h"

#define VT_EFFECTS_MAX 256
#define VT_EFFECT_BYTES_MAX (4u << 20)
/* The last ones are reserved for replies, since a program waits for them. */
#define VT_EFFECTS_REPLIES 16
#define VT_EFFECT_BYTES_REPLIES (1u << 20)
#define VT_REPLY_MAX (64u << 10) /* bytes of reply in one effect */

/*
 * kind            a              b          data              data2
 * REPLY           -              -          bytes for the pty
 * BELL            how often
 * TITLE, ICON     -              -          text
 * CWD             -              -          the URL as sent
 * USER_VAR        -              -          value             name
 * CLIPBOARD_SET   -              -          contents, decoded selections
 * CLIPBOARD_GET   -              ended by BEL  -              selections
 * NOTIFY          777, or 0       -          body              title
 * NOTIFY_KITTY    -              -          payload           metadata
 * PROGRESS        vt_progress    percent
 * PASSTHROUGH     -              -          bytes for the outer terminal
 * PALETTE         -              -
 * MODE            enum vt_mode   0, 1
 * PROMPT          A P B I C D    exit status or -1 the command line of C
 * COLUMNS         80 or 132 (DECCOLM asked for it)
 * SYNC            1 begun, 0 ended
 * NESTED          1 a multiplexer has begun, 0 ended
 */
enum vt_effect_kind {
#define X(name, text, merge) VT_EFFECT_##name,
#include "mux/vt/effects.def"
#undef X
	VT_EFFECT_COUNT
};

struct vt_effect {
	enum vt_effect_kind kind;
	int a;
	int b;
	size_t len;  /* bytes of data, its NUL not counted */
	char *data;  /* NULL if the kind has none */
	char *data2; /* a second string, NUL-terminated, or NULL */
};

struct vt_effects {
	struct vt_effect *ring; /* [VT_EFFECTS_MAX] once one was queued */
	unsigned first;
	unsigned count;
	size_t bytes;
	uint64_t dropped;
};

void vt_effects_init(struct vt_effects *q);
void vt_effects_fini(struct vt_effects *q);

/* Queues an effect.  Copies DATA (N bytes) and DATA2; NULL for none. */
void vt_effects_add(struct vt_effects *q, enum vt_effect_kind kind, int a,
    int b, const void *data, size_t n, const char *data2);

/* Gives the oldest effect to the caller; false if none waits. */
bool vt_effects_next(struct vt_effects *q, struct vt_effect *out);

void vt_effect_fini(struct vt_effect *e);

#endif
