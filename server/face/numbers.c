#include "server/face/numbers.h"

#include "base/mem.h"
#include "mux/client.h"
#include "mux/session.h"
#include "mux/window.h"
#include "server/face/role.h"
#include "server/face/viewer.h"

struct numbers {
	mono_ms until;
	bool keys;
	numbers_done_fn done;
	void *arg;
};

static void
numbers_end(struct viewer *vw, uint32_t pane)
{
	struct numbers *n = vw->numbers;

	vw->numbers = NULL;
	vw->builder.numbered = false;
	vw->builder.chrome_dirty = true;
	viewer_dirty(vw);
	n->done(n->arg, pane);
	mem_free(n);
}

void
numbers_open(
    struct viewer *vw, mono_ms ms, bool keys, numbers_done_fn done, void *arg)
{
	numbers_close(vw);
	vw->numbers = mem_zalloc(sizeof(*vw->numbers));
	vw->numbers->until =
	    ms == 0 ? MONO_NEVER : mono_add(loop_now(vw->run->loop), ms);
	vw->numbers->keys = keys && role_prompts(vw->client);
	vw->numbers->done = done;
	vw->numbers->arg = arg;
	vw->builder.numbered = true;
	vw->builder.chrome_dirty = true;
	viewer_dirty(vw);
}

void
numbers_close(struct viewer *vw)
{
	if (vw->numbers != NULL)
		numbers_end(vw, MUX_NONE);
}

bool
numbers_key(struct viewer *vw, const struct key_event *key)
{
	const struct session *s = vw->client->session;
	key_code k = key->key & ~(key_code)KEY_LOCKS;
	struct pane *p = NULL;
	int index = -1;

	if (vw->numbers == NULL || !vw->numbers->keys)
		return false;
	if (k >= '0' && k <= '9')
		index = (int)(k - '0');
	else if (k >= 'a' && k <= 'z')
		index = 10 + (int)(k - 'a');
	if (index >= 0 && s != NULL && s->current != NULL)
		p = window_pane_at_index(s->current->window, index);
	numbers_end(vw, p == NULL ? MUX_NONE : p->id);
	/* Another key also does what it always does. */
	return index >= 0;
}

mono_ms
numbers_due(const struct viewer *vw)
{
	return vw->numbers == NULL ? MONO_NEVER : vw->numbers->until;
}
