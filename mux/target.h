/*
 * mux/target.h - what -t and -s mean.
 *
 * Purpose:   resolves the texts that commands take as targets to a session, a
 *            winlink, a window and a pane, or to a client.
 * Ownership: results point into the model and hold as long as their objects.
 * Units:     window indexes; ids as $1 @1 %1.
 * Errors:    -ERR_NOTFOUND with tmux's words in the cause: "can't find session:
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
	struct session *session; /* NULL: nothing */
	struct winlink *link;
	struct window *window;
	struct pane *pane;
	int index; /* with TGT_INDEX: where a window is to go, or -1 */
};

/* What a command knows when it asks. */
struct target_context {
	struct target current;       /* session NULL: the best one is taken */
	const struct client *client; /* that runs it, or NULL */
	bool has_mouse;              /* it runs from a mouse event ... */
	uint32_t mouse_session;      /* ... there: MUX_NONE where not */
	uint32_t mouse_window;
	uint32_t mouse_pane;
};

/*
 * Resolves TEXT (NULL: none given).
 * In:      what  enum command_target: a kind and conditions
 * Returns: 0, or -ERR_NOTFOUND; with TGT_CANFAIL 0 and an empty target.
 */
int target_find(struct mux *m, const struct target_context *ctx,
    const char *text, unsigned what, struct target *out, struct cause *cause);

/* Resolves a client; TEXT NULL: that of the context, or the one used last. */
int target_find_client(struct mux *m, const struct target_context *ctx,
    const char *text, struct client **out, struct cause *cause);

/* Whether everything in T still is what it was. */
bool target_valid(const struct mux *m, const struct target *t);

/* Targets from objects. */
void target_from_session(struct target *t, struct session *s);
void target_from_link(struct target *t, struct winlink *wl);
void target_from_link_pane(
    struct target *t, struct winlink *wl, struct pane *p);

/* From a window or pane: in the session used last that has it.  False if none
 * does. */
bool target_from_window(
    struct target *t, struct window *w, const struct session *prefer);
bool target_from_pane(
    struct target *t, struct pane *p, const struct session *prefer);

/*
 * The current target of a command that is typed in a pane (RMUX_PANE) by a
 * client that is not attached: as in tmux, the session is the pane's, but
 * window and pane are those current there.
 */
bool target_from_inside(struct target *t, struct pane *p);

/* From a client's session; false if it has none. */
bool target_from_client(struct target *t, const struct client *c);

/* The session used last (UNATTACHED: rather one that is not attached). */
struct session *target_best_session(const struct mux *m, bool unattached);

/* --- for target.c ----------------------------------------------------------- */

/* The best session that links W (NULL: of all), or NULL. */
struct session *target_session_with(
    const struct mux *m, const struct window *w, bool unattached);

/* The link of S to W: the current one if it is one. */
struct winlink *target_link_to(const struct session *s, const struct window *w);

#endif
