#include "server/io/nested.h"

#include <string.h>

#include "base/io/pty.h"
#include "mux/vt/effects.h"
#include "server/io/pane_io.h"

void
nested_said(struct pane_io *p, const struct vt_effect *e)
{
	p->nested = e->a != 0 && p->fd >= 0 ? pty_foreground(p->fd) : 0;
}

/* The name of a program, without the folder and the "-" of a login shell. */
static bool
is_multiplexer(const char *name)
{
	const char *base = strrchr(name, '/');

	base = base == NULL ? name : base + 1;
	return strcmp(base, "rmux") == 0 || strcmp(base, "tmux") == 0 ||
	       strcmp(base, "tmux: client") == 0;
}

bool
nested_now(const struct pane_io *p)
{
	char name[4096];

	if (p == NULL || p->fd < 0)
		return false;
	/* A reset of the terminal drops the mode without an effect. */
	if (p->nested != 0 && vt_term_mode(p->term, VT_MODE_NESTED) &&
	    p->nested == pty_foreground(p->fd))
		return true;
	pty_foreground_comm(p->fd, name, sizeof(name));
	if (is_multiplexer(name))
		return true;
	/* A script or an interpreter may have given it its name. */
	pty_foreground_name(p->fd, name, sizeof(name));
	return is_multiplexer(name);
}
