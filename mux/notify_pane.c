#include "base/mem.h"
#include "mux/notify.h"

void
notify_pane_free(struct notify_pane *np)
{
	if (np == NULL)
		return;
	notify99_fini(&np->parts);
	mem_free(np->last);
	mem_free(np);
}
