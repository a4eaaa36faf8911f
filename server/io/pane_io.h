/*
 * server/io/pane_io.h - the program in a pane: its pty, its input queue.
 *
 * Purpose:   pty to terminal and back; replies, backpressure, the end of the
 *            program.
 * Ownership: the server owns them by pane id; the terminal is the model's
 *            pane's and outlives its pane_io.
 * Units:     bytes.
 * Errors:    -ERR_SYS with a cause when the program cannot be started.
 * Source:    our own.
 * Tests:     regress/e2e
 */
#ifndef SERVER_IO_PANE_IO_H
#define SERVER_IO_PANE_IO_H

#include "base/buf.h"
#include "base/io/loop.h"
#include "base/io/pty.h"
#include "base/list.h"
#include "mux/vt/term.h"
#include "server/io/pace.h"

/* Input for a program that does not read; beyond it typing is refused. */
#define PANE_INPUT_MAX (8u << 20)

/*
 * Microseconds of a turn of the loop in which programs' output is taken, by all
 * panes together; one read of each is taken in any case.  A key waits for it.
 */
#define PANE_SLICE_US 200

/* Bytes parsed at once: the kernel gives 4 KiB a read. */
#define PANE_PIECE (16u << 10)

/* Bytes taken from the pty of a program that is gone. */
#define PANE_DRAIN_MAX (256u << 10)

/* Ticks after output at which the program's name is looked up. */
#define PANE_LOOKS 2

struct server;

struct pane_io {
	struct list_node node;
	struct server *sv;
	uint32_t pane_id;
	struct vt_term *term;
	int fd;     /* -1 once closed */
	pid_t pid;  /* 0 once reaped */
	int status; /* as waitpid gives it */
	struct loop_io *io;
	struct buf input;              /* for the program */
	struct loop_timer *sync_timer; /* gives up on mode 2026 */
	struct loop_timer *idle_timer; /* packs history in quiet times */
	bool settling;                 /* it is set */
	bool fed;                      /* output came since it was set */
	struct loop_timer *rest_timer; /* ends RESTS */
	bool rests;                    /* not read, see pace.h */
	struct pace pace;
	struct loop_io *pipe_io; /* pipe-pane */
	int pipe_fd;
	pid_t pipe_pid;
	struct buf pipe_out;
	/* Its screen as clients have it, without and with the tty's bits. */
	struct vt_frame *frames[2];
	uint64_t said;          /* bytes of output, ever */
	mono_ms said_at;        /* when the last came */
	unsigned looks;         /* see PANE_LOOKS */
	struct pty_modes modes; /* of the tty, as they were at MODES_AT */
	mono_ms modes_at;       /* MONO_NEVER: output has come since */
	bool modes_good;
	bool pipe_reads;  /* what the pipe says is typed into the pane */
	bool pipe_writes; /* it gets the output */
	struct loop_timer *pipe_timer; /* gives up on a command that stalls */
};

/* Starts SPEC for a pane; NULL with a cause if that fails. */
struct pane_io *pane_io_new(struct server *sv, uint32_t pane_id,
    struct vt_term *term, const struct pty_spec *spec, struct cause *c);

/* Closes the pty (the program gets SIGHUP) and forgets it. */
void pane_io_free(struct pane_io *p);

struct pane_io *pane_io_find(struct server *sv, uint32_t pane_id);
struct pane_io *pane_io_find_pid(struct server *sv, pid_t pid);

/* The program is gone: takes what its pty still holds. */
void pane_io_drain(struct pane_io *p);

/* Bytes for the program; -ERR_LIMIT when its queue is full. */
int pane_io_write(struct pane_io *p, const void *bytes, size_t n);

void pane_io_resize(
    struct pane_io *p, struct cell_size size, unsigned xpixel, unsigned ypixel);

/* Name of the program in the foreground, "" if unknown. */
void pane_io_command(struct pane_io *p, char *name, size_t size);

/*
 * The tty's modes, asked for once a millisecond and again after any output,
 * however many clients want them; false if they are not to be had.
 */
bool pane_io_modes(struct pane_io *p, struct pty_modes *m);

/* Output that the program did not write (display-message -I). */
void pane_io_feed(struct pane_io *p, const void *bytes, size_t n);

#endif
