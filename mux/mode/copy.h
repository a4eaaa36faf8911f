/*
 * mux/mode/copy.h - copy mode.
 *
 * Purpose:   shows screen and history of a pane as they were when the mode
 *            began; moves a cursor there, searches, selects and copies.
 * Ownership: the mode belongs to its pane.  Effects belong to the caller, who
 *            frees them with copy_effects_fini.
 * Errors:    copy_mode_open returns -ERR_LIMIT if the pane has too many modes.
 * Source:    tmux(1), WINDOWS AND PANES; copy.def has one row per command.
 * Tests:     regress/unit/check_mode_copy.c, regress/e2e/copy.sh
 *
 * A command changes the mode alone.  What leaves the mode (text for a buffer,
 * for the clipboard, for a program) is added to the effects of the command.
 */
#ifndef MUX_MODE_COPY_H
#define MUX_MODE_COPY_H

#include "mux/mode/mode.h"
#include "mux/vt/text.h"

enum copy_open_flag {
	COPY_OPEN_SCROLL_EXIT = 1 << 0,   /* -e */
	COPY_OPEN_HIDE_POSITION = 1 << 1, /* -H */
	COPY_OPEN_KILL = 1 << 2,          /* -k */
	COPY_OPEN_NO_NUMBERS = 1 << 3     /* entered by the mouse */
};

/* What the mouse drags in copy mode until it is released. */
enum copy_dragging {
	COPY_DRAGS_NOTHING,
	COPY_DRAGS_SELECTION,
	COPY_DRAGS_SLIDER
};

/* Puts copy mode with the text of FROM over P; 0 if P is in copy mode. */
int copy_mode_open(
    struct pane *p, struct pane *from, unsigned flags) WARN_UNUSED;

/*
 * Returns copy mode as it would open over P, which stays as it is; free it with
 * copy_mode_drop.
 */
struct mode *copy_mode_try(struct pane *p);
void copy_mode_drop(struct mode *m);

/* The top mode of P if it is copy mode, else NULL. */
struct mode *copy_mode_top(const struct pane *p);

/* Whether a copy mode of P kills the pane when it ends (-k). */
bool copy_mode_kills(const struct pane *p);

/* Run a page up (-u) or a page down (-d); the latter may end the mode. */
void copy_mode_page_up(struct pane *p);
void copy_mode_page_down(struct pane *p, bool scroll_exit);

/*
 * Returns the text of copy mode or view mode, borrowed until the mode changes,
 * or NULL: M is another mode.
 */
struct vt_grid *copy_mode_grid(struct mode *m);

/* When a row of that grid entered the history, in seconds since 1970, or 0. */
int64_t copy_mode_time(const struct mode *m, vt_row row);

/*
 * Returns the text that M shows, its first row in sight and its cursor; NULL if
 * M is not copy mode.
 */
struct text *copy_mode_text(struct mode *m, vt_row *top, struct vt_pos *cursor);

/*
 * Selects from START up to END, with the cursor at the end; P must be in copy
 * mode.  With PATTERN also shows its matches, as a search would.
 */
void copy_mode_select(struct pane *p, struct vt_pos start, struct vt_pos end,
    const char *pattern, bool regex);

/* Selects by mouse from the cell of FROM to that of TO, or continues to TO. */
void copy_mode_drag(struct pane *p, const struct mouse_event *from,
    const struct mouse_event *to);

/*
 * A drag at an edge beyond which there is more text scrolls a line at once, and
 * as tmux another one each 50 ms.  Call it after each step of a drag, and when
 * it is due.  Returns when it is due next, or MONO_NEVER.
 */
mono_ms copy_mode_drag_next(struct pane *p, mono_ms now);

/*
 * Begins a drag of the slider from row GRAB of it to row Y of the pane, or
 * continues it.  EXIT: the end of the text leaves the mode.
 */
void copy_mode_slide_begin(struct pane *p, int y, int grab, bool exit);
void copy_mode_slide(struct pane *p, int y);

enum copy_dragging copy_mode_dragging(const struct pane *p);
void copy_mode_drag_end(struct pane *p);

#endif
