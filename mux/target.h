/*
 * mux/target.h - resolves targets, the arguments of -t and -s.
 *
 * Purpose:   resolves the text of a target to a session, a winlink, a window
 *            and a pane, or to a client.
 * Ownership: results point into the model and are valid as long as their
 *            objects exist.
 * Units:     window indexes; ids as $1 @1 %1.
 * Errors:    -ERR_NOTFOUND with tmux's text in the cause: "can't find session:
 *            x", "can't find window: x", "can't find pane: x", "can't find
 *            client: x", "no current target", "no mouse target", "no marked
 *            target", "no current client".
 * Source:    tmux(1), COMMANDS; checked against tmux 3.3a in
 *            regress/ref/target.sh.
 * Tests:     regress/unit/check_target.c, regress/fuzz/fuzz_target.c
 *
 *     session   $1  =name  name  the name or tty of a client, a unique
 *               beginning, a unique glob
 *     window    @1  =name  index  name, unique beginning, unique glob;
 *               {start} ^, {end} $, {last} !, {next} +, {previous} -, +2, -2,
 *               {current} @
 *     pane      %1  index; {last} !, {next} +, {previous} -, +2, -2, {active} @,
 *               {top} {bottom} {left} {right} {top-left} ...; {up-of} {down-of}
 *               {left-of} {right-of}
 *     whole     {mouse} =, {marked} ~, {active} @, "" (the current target)
 *     together  session:window.pane, session:window, session:, :window,
 *               window.pane, .pane, session:.pane
 */
#ifndef MUX_TARGET_H
#define MUX_TARGET_H

#include "conf/command.h"
#include "mux/mux.h"

#define TARGET_TEXT_MAX 4096 /* bytes; a longer one is not found */

struct target {
	struct session *session; /* NULL: no target */
	struct winlink *link;
	struct window *window;
	struct pane *pane;
	int index; /* with TGT_INDEX: the index for a new window, or -1 */
};

/* The context of a command that resolves a target. */
struct target_context {
	struct target current;       /* session NULL: use the best one */
	const struct client *client; /* client that runs it, or NULL */
	bool has_mouse;              /* a mouse event runs the command ... */
	uint32_t mouse_session;      /* ... at these ids; MUX_NONE for none */
	uint32_t mouse_window;
	uint32_t mouse_pane;
};

/*
 * Resolves TEXT (NULL: no target was given).
 * In:      what enum command_target: a kind and conditions
 * Returns: 0, or -ERR_NOTFOUND; with TGT_CANFAIL 0 and an empty target.
 */
int target_find(struct mux *m, const struct target_context *ctx,
    const char *text, unsigned what, struct target *out, struct cause *cause);

/*
 * Resolves a client; TEXT NULL gives the client of the context, or the one used
 * last.
 */
int target_find_client(struct mux *m, const struct target_context *ctx,
    const char *text, struct client **out, struct cause *cause);

/* Tells whether everything in T still exists and is linked as before. */
bool target_valid(const struct mux *m, const struct target *t);

/* Makes targets from objects. */
void target_from_session(struct target *t, struct session *s);
void target_from_link(struct target *t, struct winlink *wl);
void target_from_link_pane(
    struct target *t, struct winlink *wl, struct pane *p);

/*
 * Makes a target from a window or pane, in the session used last that has it.
 * Returns false if no session has it.
 */
bool target_from_window(
    struct target *t, struct window *w, const struct session *prefer);
bool target_from_pane(
    struct target *t, struct pane *p, const struct session *prefer);

/*
 * Makes the current target of a command that is typed in a pane (RMUX_PANE) by
 * a client that is not attached. As in tmux, it has the pane's session, and
 * that session's current window and pane.
 */
bool target_from_inside(struct target *t, struct pane *p);

/* Makes a target from a client's session; returns false if it has none. */
bool target_from_client(struct target *t, const struct client *c);

/* Returns the session used last; UNATTACHED prefers one without clients. */
struct session *target_best_session(const struct mux *m, bool unattached);

/* --- for target.c ----------------------------------------------------------- */

/* Returns the best session that links W (NULL: of all), or NULL. */
struct session *target_session_with(
    const struct mux *m, const struct window *w, bool unattached);

/* Returns the link of S to W, preferably the current one. */
struct winlink *target_link_to(const struct session *s, const struct window *w);

#endif
