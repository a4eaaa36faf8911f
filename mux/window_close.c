/* Closes panes and windows, with their links. */
#include "mux/session.h"
#include "mux/window.h"

void
window_kill(struct window *w)
{
	struct mux *m = w->mux;
	uint32_t id = w->id;
	struct winlink *wl;

	if (list_empty(&w->links)) {
		window_free(w);
		return;
	}
	/* The last call frees the window: look it up each time. */
	while ((w = mux_window(m, id)) != NULL) {
		wl = container_of(
		    list_first(&w->links), struct winlink, window_node);
		session_unlink(wl);
	}
}

bool
window_close_pane(struct pane *p)
{
	if (p->window->panes.count == 1) {
		window_kill(p->window);
		return false;
	}
	window_remove_pane(p);
	return true;
}
