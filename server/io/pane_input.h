/*
 * server/io/pane_input.h - keys, pastes and mouse events for a pane's program.
 *
 * Purpose:   encodes events by the modes of the pane's terminal and writes the
 *            bytes to the program.
 * Errors:    -ERR_CLOSED: the program is gone or input is off; -ERR_LIMIT: the
 *            program does not read.
 * Source:    mux/vt/input_encode.h; tmux(1): backspace, extended-keys-format.
 * Tests:     regress/unit/check_pane_io.c, regress/e2e/keys.sh, paste.sh
 */
#ifndef SERVER_IO_PANE_INPUT_H
#define SERVER_IO_PANE_INPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/key.h"

struct pane;
struct pane_io;
struct pane_ios;
struct vt_input_modes;

/* The size of a cell in pixels, 0 unknown. */
struct pane_input_cell {
	uint16_t w;
	uint16_t h;
};

/* Input for a program, in a pane or elsewhere, as its terminal's modes ask. */
int pane_input_io_key(struct pane_io *io, const struct pane_input_cell *cell,
    const struct key_event *key);
int pane_input_io_paste(struct pane_io *io, const struct pane_input_cell *cell,
    const void *bytes, size_t n, bool bracketed);
void pane_input_io_mouse(struct pane_io *io, const struct pane_input_cell *cell,
    const struct mouse_event *ev);

/* The program of P if it takes input, or NULL. */
struct pane_io *pane_input_open(struct pane_ios *ps, const struct pane *p);

/* How input for P, which has a program, is encoded. */
void pane_input_modes(
    struct pane_ios *ps, const struct pane *p, struct vt_input_modes *m);

int pane_input_bytes(
    struct pane_ios *ps, struct pane *p, const void *bytes, size_t n);

/* The same for a text of any size, if the program has read what came before. */
int pane_input_whole(
    struct pane_ios *ps, struct pane *p, const void *bytes, size_t n);

/* BRACKETED: adds bracketed-paste marks if the program has asked for them. */
int pane_input_paste(struct pane_ios *ps, struct pane *p, const void *bytes,
    size_t n, bool bracketed);

/* Writes nothing unless the program has asked for mouse events. */
void pane_input_mouse(
    struct pane_ios *ps, struct pane *p, const struct mouse_event *ev);

/* Writes a key to P and, if panes are synchronised, to the others. */
void pane_input_keys(
    struct pane_ios *ps, struct pane *p, const struct key_event *key);

/*
 * The same for a key that a command names: as tmux sends it.  NAME is its text,
 * which the program gets if the key has no bytes; NULL: as pane_input_keys.
 */
void pane_input_named(struct pane_ios *ps, struct pane *p,
    const struct key_event *key, const char *name);

#endif
