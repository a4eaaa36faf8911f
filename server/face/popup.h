/*
 * server/face/popup.h - a program in a box over the panes of a client.
 *
 * Purpose:   the terminal and program of display-popup, its input, and the
 *            menu of its border.
 * Ownership: the client's stack of overlays owns the popup; the popup owns its
 *            terminal and its program.
 * Units:     cells of the client.
 * Errors:    popup_open: NULL with a cause if the program cannot be started.
 * Tests:     regress/e2e/popup.sh
 */
#ifndef SERVER_FACE_POPUP_H
#define SERVER_FACE_POPUP_H

#include "mux/view/popup.h"
#include "server/io/spawn.h"

struct viewer;

enum popup_flag {
	POPUP_CLOSE_EXIT = 1 << 0, /* -E: close when the program ends */
	POPUP_CLOSE_GOOD = 1 << 1, /* -EE: only if it succeeded */
	POPUP_CLOSE_KEY = 1 << 2   /* -k: any key closes an ended popup */
};

/* The popup is closed; STATUS is the exit code of its program. */
typedef void (*popup_done_fn)(void *arg, int status);

struct popup_spec {
	struct cell_rect box;
	enum view_box_lines lines;
	const char *title;            /* expanded */
	const char *style;            /* or NULL */
	const char *border;           /* or NULL */
	unsigned flags;               /* enum popup_flag */
	struct spawn_program program; /* its size is set here */
	popup_done_fn done;
	void *arg;
};

/* Opens a popup; there must be none. */
int popup_open(struct viewer *vw, const struct popup_spec *spec,
    struct cause *c) WARN_UNUSED;

bool popup_shown(const struct viewer *vw);

/* Closes the popup of a client, if it has one. */
void popup_close(struct viewer *vw);

/* Changes that display-popup makes to a popup that is shown. */
struct popup_change {
	const struct view_box_look *look; /* parts that are set count */
	const char *title;                /* or NULL */
	bool set_flags;
	unsigned flags;
};

void popup_change(struct viewer *vw, const struct popup_change *ch);

#endif
