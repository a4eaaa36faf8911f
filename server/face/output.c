#include "server/face/output.h"

#include "base/mem.h"
#include "mux/client.h"
#include "mux/mode/copy_view.h"
#include "mux/pane.h"
#include "server/face/pager.h"
#include "server/face/requests.h"
#include "server/face/role.h"
#include "server/face/viewer.h"

bool
output_pane(struct viewers *vs, struct pane *p, const char *text, size_t n)
{
	if (copy_view_say(p, &vs->modes, text, n) != 0)
		return false;
	viewers_redraw_window(vs, p->window);
	return true;
}

void
output_client(struct viewer *vw, const char *text, size_t n)
{
	struct pane *p = client_pane(vw->client);
	char *lines;

	/* security: a guest's output must not cover a pane for others. */
	if (p != NULL && role_prompts(vw->client) &&
	    output_pane(vw->all, p, text, n))
		return;
	lines = mem_strndup(text, n > 0 && text[n - 1] == '\n' ? n - 1 : n);
	pager_say(vw, lines);
	mem_free(lines);
}
