#include "server/face/prefix.h"

#include "mux/client.h"
#include "mux/mode/mode.h"
#include "mux/window.h"
#include "server/face/role.h"
#include "server/face/viewer.h"
#include "server/io/nested.h"
#include "server/io/pane_io.h"

bool
prefix_is_inner(const struct viewer *vw)
{
	const struct client *c = vw->client;
	const struct pane *p = client_pane(c);

	if (p == NULL || pane_mode(p) != NULL || !role_types(c, p))
		return false;
	switch (options_number(&p->options, OPTION_NESTED_PREFIX)) {
	case NESTED_PREFIX_ON:
		return nested_now(pane_io_find(vw->all->panes, p->id));
	case NESTED_PREFIX_ALWAYS:
		return true;
	default:
		return false;
	}
}
