/* Windows and panes that end, with the links to them. */
#include <string.h>

#include "base/mem.h"
#include "mux/client.h"
#include "mux/session.h"
#include "mux/window.h"

/* Returns the link of W in the session whose name comes first. */
static struct winlink *
first_session(const struct window *w)
{
	struct winlink *wl, *first = NULL;
	struct list_node *n;

	LIST_FOREACH(n, &w->links) {
		wl = container_of(n, struct winlink, window_node);
		if (first == NULL ||
		    strcmp(wl->session->name, first->session->name) < 0)
			first = wl;
	}
	return first;
}

void
window_kill(struct window *w)
{
	struct mux *m = w->mux;
	uint32_t id = w->id;

	if (list_empty(&w->links)) {
		window_free(w);
		return;
	}
	/* The last call frees the window: look it up each time. */
	while ((w = mux_window(m, id)) != NULL)
		session_unlink(first_session(w));
}

/* Says that the program of P has ended. */
static void
say_ended(struct pane *p)
{
	struct window *w = p->window;

	mux_say(w->mux, MUX_EVENT_PANE_CLOSED, NULL, w, p, w->name);
	p->told = true;
	mux_step(w->mux);
	/* Hooks hear of the layout, also of that of a window that goes. */
	if (w->panes.count == 1)
		window_say_layout(w);
}

bool
window_close_pane(struct pane *p)
{
	if (p->ended)
		say_ended(p);
	if (p->window->panes.count == 1) {
		window_kill(p->window);
		return false;
	}
	window_remove_pane(p);
	return true;
}
