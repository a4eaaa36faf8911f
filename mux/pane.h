/*
 * mux/pane.h - one pane: a terminal and the state of its program.
 *
 * Purpose:   holds identity, terminal, geometry, flags, title, start command,
 *            state of the program, and the stack of modes over the pane.
 * Ownership: a pane belongs to its window; window.h makes and removes panes.
 *            The pane owns its terminal. The server keeps descriptors and
 *            processes by pane id.
 * Units:     cells of the window for positions; wall clock in milliseconds.
 * Source:    tmux(1), WINDOWS AND PANES.
 * Tests:     regress/unit/check_window.c
 */
#ifndef MUX_PANE_H
#define MUX_PANE_H

#include "mux/mux.h"
#include "mux/pane_vars.h"
#include "mux/row_time.h"
#include "mux/vt/term.h"

struct notify_pane;

#define PANE_TITLE_MAX 4096 /* bytes; more is cut */
#define PANE_MODES_MAX 16   /* modes over one pane */

enum pane_flag {
	PANE_INPUT_OFF = 1 << 0, /* select-pane -d */
	PANE_DEAD = 1 << 1,      /* its program has ended and the pane stays */
	PANE_EMPTY = 1 << 2,     /* it has no program, and stays */
	PANE_PIPE_OUT = 1 << 3,  /* pipe-pane -O is on */
	PANE_PIPE_IN = 1 << 4,   /* pipe-pane -I is on */
	PANE_UNSEEN = 1 << 5,    /* output came while a mode covered it */
	PANE_OUTPUT_QUEUED = 1 << 6, /* its PANE_OUTPUT event is in the queue */
	PANE_FOCUSED = 1 << 7, /* it is active in a client that has the focus */
	PANE_COMMAND_RUNNING =
	    1 << 8,                 /* known from the shell's marks (OSC 133) */
	PANE_ABOVE_ZOOM = 1 << 9,   /* as a float it lies above a zoomed pane */
	PANE_MODAL_KEYS = 1 << 10,  /* new-pane -K: it gets all keys */
	PANE_MODAL_CLICK = 1 << 11, /* -C: a click outside closes it */
	PANE_MODAL_ESCAPE = 1 << 12, /* -D: Escape and C-c close it */
};

/* A mode over a pane; mux/mode implements modes. */
struct pane_mode {
	struct list_node node; /* in pane->modes, the top one first */
	const char *name;      /* "copy-mode" ...: a constant */
	void *data;
	void (*free)(void *data); /* or NULL */
	/* Adds the value of a format variable of the mode; NULL: it has none. */
	bool (*format)(const void *data, const char *name, struct buf *out);
	bool whole; /* over a zoomed pane it covers the row of titles, too */
};

struct pane {
	uint32_t id;
	struct mux *mux;
	struct window *window;
	struct list_node node;      /* in window->panes */
	struct list_node last_node; /* in window->last_panes */
	struct list_node z_node;    /* in window->stack */
	struct vt_term *term;
	struct options options;
	unsigned flags;    /* enum pane_flag */
	bool told;         /* its end has had its event */
	bool ended;        /* it goes because its program has ended */
	uint32_t typed_by; /* guest that typed last, or MUX_NONE */
	int x;             /* position and size in the window */
	int y;
	int w;
	int h;
	bool floating;             /* its leaf in the layout floats */
	struct cell_rect float_at; /* its place, if it floats */
	int bar;                   /* columns beside it for its scrollbar */
	bool alternate;            /* they were given to its alternate screen */
	char *title;
	char *
	    start_command; /* as one line, its words quoted; "" for the shell */
	char **start_argv; /* [start_argc], as given */
	size_t start_argc;
	char *start_path; /* or NULL */
	char *shell;      /* or NULL */
	char *tty;        /* name of the pty, set by the server */
	int64_t pid;      /* or -1 */
	int64_t pipe_pid; /* or -1 */
	int dead_status;  /* exit status, or -1 */
	int dead_signal;  /* or 0 */
	int64_t dead_time;
	int64_t created;
	int64_t last_output; /* 0: none yet */
	uint64_t outputs;
	int64_t prompt_time;        /* last shell prompt, 0: never */
	int64_t command_start_time; /* of the shell's last command */
	int64_t command_end_time;
	int command_status; /* of it, or -1 */
	char *command_line; /* as the shell tells it, or NULL */
	uint64_t used;      /* grows when it becomes active */
	struct list modes;  /* struct pane_mode */
	char *search;       /* last search in copy mode, or NULL */
	bool search_regex;
	size_t history_limit;
	struct pane_vars vars;  /* that its program has set */
	struct row_times times; /* of the rows of its history */
	/* NULL: it has never notified. */
	struct notify_pane *notify;
};

/* How to start a pane; strings are copied, all may be NULL. */
struct pane_start {
	char *const *argv; /* [argc]: command of the program */
	size_t argc;
	const char *path; /* working directory */
	const char *shell;
	const char *title;
	size_t history; /* rows */
	bool empty;     /* has no program */
};

/* Replaces the start_* members (respawn-pane). */
void pane_set_start(struct pane *p, const struct pane_start *start);

/* Sets the title, cut to PANE_TITLE_MAX; appends PANE_TITLE if it changed. */
void pane_set_title(struct pane *p, const char *title);

/* Sets or clears flags; appends PANE_FLAGS if one changed. */
void pane_set_flags(struct pane *p, unsigned flags, bool on);

/* Records output to the terminal: PANE_OUTPUT, activity. */
void pane_output(struct pane *p);

/* Records that the program has ended but the pane stays (remain-on-exit). */
void pane_set_dead(struct pane *p, int status, int signal);

/* Records that the pane lives on without a program. */
void pane_set_empty(struct pane *p);

/* Records that a program was started again. */
void pane_set_alive(struct pane *p, int64_t pid, const char *tty);

/*
 * Records a mark of the shell, OSC 133: KIND is 'A' to 'D', STATUS or -1,
 * COMMAND the line that C tells, or NULL.
 */
void pane_shell_mark(
    struct pane *p, char kind, int status, const char *command);

/* Sets a variable of its program; appends PANE_USER_VAR if it changed. */
void pane_set_user_var(struct pane *p, const char *name, const char *value);

/* Puts a mode on top; -ERR_LIMIT, -ERR_EXISTS if it is on top already. */
int pane_push_mode(
    struct pane *p, const char *name, void *data, void (*free_data)(void *));

/* Removes the top mode (or all of them); returns false if there was none. */
bool pane_pop_mode(struct pane *p);
void pane_pop_modes(struct pane *p);

/* Returns the top mode, or NULL. */
struct pane_mode *pane_mode(const struct pane *p);

/* Adds the value of a format variable of the top mode; false: none such. */
bool pane_mode_format(const struct pane *p, const char *name, struct buf *out);

/* Tells whether P is zoomed and its top mode covers the row of titles. */
bool pane_whole(const struct pane *p);

/* Tells whether keys typed here go to all panes of the window. */
bool pane_synchronized(const struct pane *p);

/* Tells whether it is visible: not hidden by a zoomed pane. */
bool pane_visible(const struct pane *p);

/* Tells whether it is shown as a floating pane: it floats, is not zoomed. */
bool pane_floats(const struct pane *p);

/* Returns the cells of its border on each side, if it floats: 0 or 1. */
int pane_border(const struct pane *p);

/* Returns its number among its window's panes, without pane-base-index. */
int pane_position(const struct pane *p);

/* Returns #{pane_index}: pane-base-index plus that number. */
int pane_index(const struct pane *p);

/* --- for window.c ---------------------------------------------------------- */

/* Tells the terminal what it may answer of the user's (the window's outer). */
void pane_outer_changed(struct pane *p);

/* Applies the options that the terminal stores itself. */
void pane_options_changed(struct pane *p);

struct pane *pane_new(
    struct window *w, const struct pane_start *start, int cols, int rows);
void pane_free(struct pane *p);

/* Gives P another terminal, which it then owns, in its own size. */
void pane_set_term(struct pane *p, struct vt_term *term);

/* Sets its position and size; resizes its terminal and appends an event. */
void pane_place(struct pane *p, const struct cell_rect *r);

#endif
