#include "mux/mode/mode.h"

#include "base/mem.h"
#include "mux/pane.h"

/* Set in versions of modes; versions of terminals are smaller. */
#define MODE_VERSION (UINT64_C(1) << 63)

static void
free_mode(void *data)
{
	struct mode *m = data;

	m->ops->free(m);
}

static bool
format_mode(const void *data, const char *name, struct buf *out)
{
	const struct mode *m = data;

	return m->ops->format != NULL && m->ops->format(m, name, out);
}

int
mode_push(struct pane *p, struct mode *m, const struct mode_ops *ops)
{
	struct mode *top = mode_top(p);
	int r;

	if (top != NULL && top->ops != ops && top->ops->covered != NULL)
		top->ops->covered(top);
	m->ops = ops;
	m->pane = p;
	m->due = MONO_NEVER;
	mode_dirty(m);
	m->serial = m->version;
	if ((r = pane_push_mode(p, ops->name, m, free_mode)) != 0)
		return r;
	pane_mode(p)->format = format_mode;
	if (ops->init != NULL)
		ops->init(m);
	return 0;
}

struct mode *
mode_top(const struct pane *p)
{
	struct pane_mode *pm = pane_mode(p);

	return pm == NULL ? NULL : pm->data;
}

void
mode_dirty(struct mode *m)
{
	/* A copy of a mode elsewhere has no pane and no version. */
	if (m->pane != NULL)
		m->version = MODE_VERSION | ++m->pane->mux->ticks;
}

/* Removes M if its callback asked for it and has not removed it already. */
static void
act(struct pane *p, struct mode *m, enum mode_did did)
{
	if (did == MODE_LEFT && mode_top(p) == m)
		(void)pane_pop_mode(p);
}

bool
mode_key(struct pane *p, const struct key_event *key)
{
	struct mode *m = mode_top(p);

	if (m == NULL)
		return false;
	if (m->ops->key != NULL && key->type != KEY_RELEASE)
		act(p, m, m->ops->key(m, key));
	return true;
}

bool
mode_mouse(struct pane *p, const struct mouse_event *ev)
{
	struct mode *m = mode_top(p);

	if (m == NULL)
		return false;
	if (m->ops->mouse != NULL)
		act(p, m, m->ops->mouse(m, ev));
	return true;
}

int
mode_command(struct pane *p, const struct mode_command *cmd, struct cause *why)
{
	struct mode *m = mode_top(p);
	struct mode_command counted = *cmd;

	if (m == NULL || m->ops->command == NULL)
		return -ERR_NOTFOUND;
	if (counted.repeat == 0)
		counted.repeat = MAX_OF(m->repeat, 1U);
	m->repeat = 0;
	act(p, m, m->ops->command(m, &counted, why));
	return *cause_text(why) == '\0' ? 0 : -ERR_STATE;
}

enum mode_work
mode_work(struct pane *p)
{
	struct mode *m = mode_top(p);

	if (m == NULL || m->work == MODE_IDLE)
		return MODE_IDLE;
	m->ops->work(m);
	return m->work;
}

void
mode_stop(struct pane *p, bool late)
{
	struct mode *m = mode_top(p);

	if (m == NULL || m->work != MODE_BUSY)
		return;
	m->ops->stop(m, late);
	mode_dirty(m);
}

bool
mode_repeat(struct pane *p, unsigned n)
{
	struct mode *m = mode_top(p);

	if (m == NULL || m->ops->command == NULL)
		return false;
	m->repeat = n;
	return true;
}

bool
mode_answer(struct mux *mux, uint32_t pane, uint64_t serial, unsigned what,
    const char *text)
{
	struct pane *p = mux_pane(mux, pane);
	struct mode *m = p == NULL ? NULL : mode_top(p);

	if (m == NULL || m->serial != serial || m->ops->answer == NULL)
		return false;
	act(p, m, m->ops->answer(m, what, text));
	return true;
}

const char *
mode_table(const struct pane *p)
{
	const struct mode *m = mode_top(p);

	return m == NULL || m->ops->table == NULL ? NULL : m->ops->table(m);
}

bool
mode_scrolled(const struct pane *p, uint64_t *above, uint64_t *history)
{
	const struct mode *m = mode_top(p);

	if (m == NULL || m->ops->scrolled == NULL)
		return false;
	m->ops->scrolled(m, above, history);
	return true;
}

void
mode_resize(struct pane *p)
{
	struct list_node *n;
	struct mode *m;

	LIST_FOREACH(n, &p->modes) {
		m = container_of(n, struct pane_mode, node)->data;
		if (m->ops->resize != NULL)
			m->ops->resize(m);
		mode_dirty(m);
	}
}

void
mode_event(struct pane *p, enum mode_event event)
{
	struct list_node *n;
	struct mode *m;

	LIST_FOREACH(n, &p->modes) {
		m = container_of(n, struct pane_mode, node)->data;
		if (m->ops->event != NULL)
			m->ops->event(m, event);
	}
}

struct vt_frame *
mode_frame(struct mode *m, const struct mode_paint *paint)
{
	struct vt_frame *f =
	    vt_frame_new((unsigned)m->pane->w, (unsigned)m->pane->h);

	f->state.modes &= ~(uint32_t)VT_FRAME_CURSOR_VISIBLE;
	if (m->ops->draw != NULL)
		m->ops->draw(m, f, paint);
	f->version = m->version;
	return f;
}

bool
mode_expire(struct pane *p, mono_ms now)
{
	struct mode *m = mode_top(p);

	if (m == NULL || now < m->due)
		return false;
	m->due = MONO_NEVER;
	mode_dirty(m);
	if (m->ops->expire != NULL)
		act(p, m, m->ops->expire(m, now));
	return true;
}

void
mode_effects_init(struct mode_effects *e)
{
	list_init(&e->list);
	e->kill = false;
}

static void
end_text(struct mode_effect *ef)
{
	if (ef->rest == NULL)
		return;
	buf_fini(&ef->rest->text);
	ef->rest->free(ef->rest);
	ef->rest = NULL;
}

void
mode_effects_fini(struct mode_effects *e)
{
	struct list_node *n;
	struct mode_effect *ef;

	while ((n = list_first(&e->list)) != NULL) {
		list_remove(&e->list, n);
		ef = container_of(n, struct mode_effect, node);
		mem_free(ef->text);
		mem_free(ef->prefix);
		mem_free(ef->command);
		end_text(ef);
		mem_free(ef);
	}
}

bool
mode_effects_more(struct mode_effects *e)
{
	struct list_node *n;
	struct mode_effect *ef;
	int r;

	LIST_FOREACH(n, &e->list) {
		ef = container_of(n, struct mode_effect, node);
		if (ef->rest == NULL)
			continue;
		r = ef->rest->more(ef->rest);
		if (r == -ERR_AGAIN)
			return true;
		ef->failed = r != 0;
		if (r == 0)
			ef->text = buf_steal(&ef->rest->text, &ef->len);
		end_text(ef);
		return true;
	}
	return false;
}
