/*
 * mux/pane_vars.h - variables that a pane's program sets (OSC 1337 SetUserVar).
 *
 * Purpose:   named texts of a pane, which formats read as pane_uservar_NAME.
 *            They are apart from @options, which belong to the user.
 * Ownership: the pane owns them; a respawn and a reset leave them.
 * Units:     bytes.
 * Errors:    a variable beyond the limits is not set.
 * Source:    iTerm2 and wezterm, user variables.
 * Tests:     regress/unit/check_pane_vars.c
 */
#ifndef MUX_PANE_VARS_H
#define MUX_PANE_VARS_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/map.h"

#define PANE_VARS_MAX 64          /* of one pane */
#define PANE_VARS_BYTES_MAX 16384 /* of their names and values */

struct pane_vars {
	struct map map; /* char * */
	size_t bytes;
};

void pane_vars_init(struct pane_vars *v);
void pane_vars_fini(struct pane_vars *v);

/*
 * Sets a variable; an empty value removes it. Returns whether anything changed.
 */
bool pane_vars_set(struct pane_vars *v, const char *name, const char *value);

/* Returns the value of a variable, or NULL. */
const char *pane_vars_get(const struct pane_vars *v, const char *name);

/* Appends the names, with spaces between them. */
void pane_vars_names(const struct pane_vars *v, struct buf *out);

#endif
