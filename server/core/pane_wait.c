#include "server/core/pane_wait.h"

#include <sys/wait.h>

#include "server/core/server.h"

static struct pane_wait *
find(struct server *sv, uint32_t pane)
{
	struct list_node *n;
	struct pane_wait *w;

	LIST_FOREACH(n, &sv->pane_waits) {
		w = container_of(n, struct pane_wait, node);
		if (w->pane == pane)
			return w;
	}
	return NULL;
}

void
pane_wait_add(struct server *sv, struct pane_wait *w)
{
	w->code = PANE_WAIT_KILLED;
	list_push_back(&sv->pane_waits, &w->node);
}

void
pane_wait_status(struct server *sv, uint32_t pane, int status)
{
	struct pane_wait *w = find(sv, pane);

	if (w == NULL)
		return;
	if (WIFSIGNALED(status))
		w->code = 128 + WTERMSIG(status);
	else
		w->code = WEXITSTATUS(status);
}

void
pane_wait_end(struct server *sv, uint32_t pane)
{
	struct pane_wait *w = find(sv, pane);

	if (w == NULL)
		return;
	list_remove(&sv->pane_waits, &w->node);
	w->done(w);
}
