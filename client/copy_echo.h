/*
 * client/copy_echo.h - shows copy mode before the server answers.
 *
 * Purpose:   replays keys in flight on the mode's confirmed state, with the
 *            client's copy of the history (mux/mode/copy_replay.h).
 * Ownership: owns its replay; views, keys and histories are borrowed.
 * Units:     input indices as in mux/sync/input.h.
 * Errors:    none; what cannot be known is shown as the server has sent it.
 * Source:    doc/PREDICTION.md.
 * Tests:     regress/unit/check_client_local_echo.c, regress/e2e/replay.sh
 */
#ifndef CLIENT_COPY_ECHO_H
#define CLIENT_COPY_ECHO_H

#include "base/key.h"
#include "mux/sync/view.h"

struct copy_echo;
struct grapheme_table;
struct history_copy;

/* An input that the server may not have received. */
struct echo_typed {
	uint64_t index;
	key_code key; /* 0: another input, or a key with an unknown effect */
	bool is_mouse;
	bool again;               /* maybe the second press of a double click */
	struct mouse_event mouse; /* if it is one; KEY is then for copy mode */
};

struct copy_echo *copy_echo_new(const struct grapheme_table *gt);
void copy_echo_free(struct copy_echo *e); /* NULL is fine */

/* Sets the source of history; NULL: none. */
void copy_echo_history(struct copy_echo *e, const struct history_copy *h);

/*
 * Returns frame F of the surface that shows V's copy mode, after the N keys
 * TYPED; a reference.
 */
struct vt_frame *copy_echo_draw(struct copy_echo *e, const struct sync_view *v,
    struct vt_frame *f, const struct echo_typed *typed, size_t n);

/*
 * Gives V, which shows that frame, the prompt that the keys have opened or
 * edited, or takes away the one that they have ended.
 */
void copy_echo_prompt(const struct copy_echo *e, struct sync_view *v);

/*
 * Gives V the prompt LINE at (X, Y); NULL: takes the prompt away, and the focus
 * goes to the surface BELOW.
 */
void echo_show_line(
    struct sync_view *v, struct vt_frame *line, int x, int y, uint64_t below);

/* The view has no copy mode. */
void copy_echo_clear(struct copy_echo *e);

/* Whether more history would change the picture. */
bool copy_echo_waits(const struct copy_echo *e);

struct copy_echo_stats {
	uint64_t shown; /* keys shown before the server's answer */
	uint64_t wrong; /* of those that could be compared with it */
};

void copy_echo_stats(const struct copy_echo *e, struct copy_echo_stats *out);

#endif
