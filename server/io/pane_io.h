/*
 * server/io/pane_io.h - the program in a pane: its pty and its input queue.
 *
 * Purpose:   moves bytes between pty and terminal; replies, backpressure, the
 *            end of the program.
 * Ownership: the server owns them by pane id; the model's pane owns the
 *            terminal, which outlives its pane_io.
 * Units:     bytes.
 * Errors:    -ERR_SYS with a cause when the program cannot be started.
 * Tests:     regress/unit/check_pane_io.c
 */
#ifndef SERVER_IO_PANE_IO_H
#define SERVER_IO_PANE_IO_H

#include "base/buf.h"
#include "base/io/loop.h"
#include "base/io/pty.h"
#include "base/list.h"
#include "base/map.h"
#include "mux/vt/term.h"
#include "server/io/pace.h"

/* Input queued for a program that does not read; more is refused. */
#define PANE_INPUT_MAX (8u << 20)

/*
 * Microseconds a turn for reading programs' output, of all panes together; each
 * pane gets at least one read. Keys wait meanwhile.
 */
#define PANE_SLICE_US 200
#define PANE_WRITE 16384 /* bytes of one write to a program */

/* Bytes parsed at once; the kernel returns 4 KiB a read. */
#define PANE_PIECE (16u << 10)

/* Bytes read from the pty of a program that has ended. */
#define PANE_DRAIN_MAX (256u << 10)

/* Numbers of programs that run in no pane: a popup's. */
#define PANE_IO_OTHER UINT32_C(0x80000000)
#define PANE_IO_OTHERS UINT32_C(0x10000)

/* Ticks after output at which the program's name is looked up. */
#define PANE_LOOKS 2

struct pane_ios;
struct run;
struct vt_effect;

/* Calls of the floors above. */
struct pane_io_ops {
	/* The program has written: the terminal has changed. */
	void (*output)(void *arg, uint32_t pane);
	/* An effect of the terminal other than a reply. */
	void (*effect)(void *arg, uint32_t pane, const struct vt_effect *e);
	/* The program has ended and its pty is drained; the pane_io may be
	 * freed. */
	void (*exited)(void *arg, uint32_t pane);
};

/* The programs of all panes. */
struct pane_ios {
	struct run *run;
	const struct pane_io_ops *ops;
	void *arg; /* of ops */
	struct map by_pane;
	const struct pane_watch *watch; /* or NULL */
	uint64_t slice_end; /* of this turn's output (sys_now_us); 0: unset */
	struct pace_typing typing;
	uint32_t other; /* the last number of PANE_IO_OTHER */
	uint64_t born;  /* counts struct pane_io */
};

/*
 * A reader of a pane's output: pipe-pane, a control client, a recording. A pane
 * has any number of them; each has its own bounded buffer.
 */
struct pane_tap {
	struct list_node node;
	/* Output of the program, before the terminal takes it. */
	void (*bytes)(struct pane_tap *t, const void *p, size_t n);
	/* The reader's buffer is full: the program must wait. */
	bool (*full)(const struct pane_tap *t);
	/* The program has read input; may be NULL. */
	void (*room)(struct pane_tap *t);
	/* The pane_io is being freed: remove the tap. */
	void (*closed)(struct pane_tap *t);
};

/* A reader of the output of all panes: the control clients. */
struct pane_watch {
	/* As in struct pane_tap. */
	void (*bytes)(void *arg, uint32_t pane, const void *p, size_t n);
	bool (*full)(void *arg, uint32_t pane);
	void *arg;
};

struct pane_io {
	struct pane_ios *all;
	const struct pane_io_ops *ops; /* those of all, unless set */
	void *arg;
	uint32_t pane_id;
	uint64_t born; /* its number, of all */
	struct vt_term *term;
	int fd;     /* -1 once closed */
	pid_t pid;  /* 0 once reaped */
	int status; /* as waitpid gives it */
	struct loop_io *io;
	struct buf input;              /* for the program */
	struct loop_timer *sync_timer; /* ends mode 2026 */
	struct loop_timer *idle_timer; /* packs history in quiet times */
	bool packing;                  /* idle_timer is set */
	bool fed;                      /* output has come since it was set */
	struct loop_timer *rest_timer; /* ends RESTS */
	bool rests;                    /* its output is not read; see pace.h */
	struct pace pace;
	struct list taps;
	/*
	 * Frames of its screen for clients, without and with the tty's modes.
	 */
	struct vt_frame *frames[2];
	uint64_t written;       /* bytes of output, ever */
	mono_ms written_at;     /* when the last came */
	unsigned looks;         /* see PANE_LOOKS */
	pid_t nested;           /* the job that said so; see nested.h */
	struct pty_modes modes; /* of the tty, as they were at MODES_AT */
	mono_ms modes_at;       /* MONO_NEVER: output has come since */
	bool modes_good;
};

void pane_ios_init(struct pane_ios *ps, struct run *run,
    const struct pane_io_ops *ops, void *arg);
void pane_ios_fini(struct pane_ios *ps);

/* Starts SPEC for a pane; NULL with a cause if that fails. */
struct pane_io *pane_io_new(struct pane_ios *ps, uint32_t pane_id,
    struct vt_term *term, const struct pty_spec *spec, struct cause *c);

/* A number for a program in no pane. */
uint32_t pane_io_other_id(struct pane_ios *ps);

/* Makes P the program of pane PANE_ID, with the calls of all. */
void pane_io_move(struct pane_io *p, uint32_t pane_id);

/* Calls of this program alone go to OPS. */
void pane_io_set_ops(
    struct pane_io *p, const struct pane_io_ops *ops, void *arg);

/* Closes the pty (the program gets SIGHUP) and frees P; NULL is fine. */
void pane_io_free(struct pane_io *p);

static inline struct pane_io *
pane_io_find(const struct pane_ios *ps, uint32_t pane_id)
{
	return map_get_id(&ps->by_pane, pane_id);
}

/* Handles a child that stopped or ended (waitpid); false: no pane's. */
bool pane_io_reaped(struct pane_ios *ps, pid_t pid, int status);

/* Whether a program's name is to be looked up; counts all panes. */
bool pane_io_looking(const struct pane_ios *ps);

/* Looks up the program's name again soon, of one pane or of ALL. */
void pane_io_look(struct pane_ios *ps, uint32_t pane_id, bool all);

/* Adds and removes a reader of the output. */
void pane_io_tap(struct pane_io *p, struct pane_tap *t);
void pane_io_untap(struct pane_io *p, struct pane_tap *t);

/* Call it when a tap has become full or has room again. */
void pane_io_arm(struct pane_io *p);

/* Sets the reader of all panes (NULL: none); call it again as pane_io_arm. */
void pane_ios_watch(struct pane_ios *ps, const struct pane_watch *watch);

/* Writes bytes to the program; -ERR_LIMIT when its queue is full. */
int pane_io_write(struct pane_io *p, const void *bytes, size_t n);

/*
 * The same for a text of any size; what waits already and the text are more
 * than PANE_INPUT_MAX bytes only if nothing waits.
 */
int pane_io_write_whole(struct pane_io *p, const void *bytes, size_t n);

/*
 * Passes the terminal's waiting effects on: replies to the program, all others
 * to the floor above.  Output does so; call it after any other change of the
 * terminal that may make a report (size, theme).
 */
void pane_io_effects(struct pane_io *p);

void pane_io_resize(
    struct pane_io *p, struct cell_size size, unsigned xpixel, unsigned ypixel);

/* Gives the name of the foreground program, "" if unknown. */
void pane_io_command(struct pane_io *p, char *name, size_t size);

/*
 * Gives the tty's modes, read at most once a millisecond and again after
 * output; false if they cannot be read.
 */
bool pane_io_modes(struct pane_io *p, struct pty_modes *m);

#endif
