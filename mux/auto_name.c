#include "mux/auto_name.h"

#include "base/mem.h"
#include "mux/pane.h"
#include "mux/window.h"

mono_ms
auto_name_run(struct mux *m, auto_name_fn make, void *arg)
{
	mono_ms next = MONO_NEVER, due;
	struct map_entry *e;
	struct window *w;
	char *name;

	MAP_FOREACH(e, &m->windows) {
		w = e->value;
		if (w->active == NULL ||
		    !(w->active->flags & PANE_NAME_CHANGED) ||
		    !options_flag(&w->options, OPTION_AUTOMATIC_RENAME))
			continue;
		due = w->named_at == 0
			  ? 0
			  : mono_add(w->named_at, AUTO_NAME_INTERVAL);
		if (due > m->now) {
			next = mono_min(next, due);
			continue;
		}
		w->named_at = m->now;
		w->active->flags &= ~(unsigned)PANE_NAME_CHANGED;
		name = make(arg, w);
		if (name != NULL)
			window_set_name(w, name);
		mem_free(name);
	}
	return next;
}
