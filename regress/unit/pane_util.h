/*
 * regress/unit/pane_util.h - a pane with a program, for tests of server/io.
 *
 * Purpose:   a run floor, a session with one pane, and the programs of panes
 *            with fakes above them.
 * Ownership: pane_util_fini frees all and kills the program.
 * Errors:    asserts.
 */
#ifndef REGRESS_PANE_UTIL_H
#define REGRESS_PANE_UTIL_H

#include "mux/pane.h"
#include "mux/session.h"
#include "mux/window.h"
#include "regress/unit/run_util.h"
#include "server/io/pane_io.h"

struct pane_util {
	struct run_util u;
	struct pane_ios ios;
	struct session *s;
	struct pane *p;
	struct buf effects; /* names of effects, each with a "|" */
	unsigned outputs;
	unsigned exits;
	bool free_on_exit;
	bool free_on_output;
};

void pane_util_init(struct pane_util *pu);
void pane_util_fini(struct pane_util *pu);

/* Starts "sh -c SCRIPT" in the pane. */
struct pane_io *pane_util_start(struct pane_util *pu, const char *script);

/* The screen holds TEXT. */
bool pane_util_shows(struct pane_util *pu, const char *text);

#endif
