#include "regress/unit/mux_util.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/grapheme.h"
#include "base/mem.h"
#include "base/str.h"
#include "mux/vt/pool.h"

/* Made once: it takes longer than most tests. */
static const struct grapheme_table *
graphemes(void)
{
	static const struct grapheme_table *table;

	if (table == NULL)
		table = grapheme_table_new(NULL);
	return table;
}

struct mux *
mux_util_new(void)
{
	struct mux_setup setup;
	struct mux *m;

	setup.pool = vt_pool_new();
	setup.graphemes = graphemes();
	m = mux_new(&setup);
	mux_set_now(m, 1000, INT64_C(1700000000000));
	return m;
}

void
mux_util_free(struct mux *m)
{
	struct mux_setup setup = m->setup;

	mux_free(m);
	vt_pool_free(setup.pool);
}

struct winlink *
mux_util_window(struct session *s, int index, const char *name)
{
	struct pane_start start = { 0 };
	struct window *w = window_new(s->mux, 80, 24, &start);
	struct winlink *wl = NULL;

	if (name != NULL)
		window_set_name(w, name);
	ck_assert_int_eq(session_link(s, w, index, &wl, NULL), 0);
	return wl;
}

void
mux_util_history(struct pane *p, size_t rows)
{
	struct vt_term_options opt = { .cols = (unsigned)p->w,
		.rows = (unsigned)p->h,
		.history_rows = rows,
		.history_bytes = SIZE_MAX,
		.pool = p->mux->setup.pool,
		.graphemes = p->mux->setup.graphemes };

	pane_set_term(p, vt_term_new(&opt));
}

struct session *
mux_util_session(struct mux *m, const char *name)
{
	struct session *s = NULL;

	ck_assert_int_eq(session_new(m, name, NULL, &s, NULL), 0);
	(void)mux_util_window(s, -1, "first");
	return s;
}

struct pane *
mux_util_split(struct pane *p, enum layout_kind kind)
{
	struct layout_split how = { .kind = kind, .size = -1 };
	struct pane_start start = { 0 };
	struct pane *fresh = NULL;

	ck_assert_int_eq(
	    window_split(p->window, p, &how, &start, &fresh, NULL), 0);
	(void)window_set_active(p->window, fresh);
	return fresh;
}

struct client *
mux_util_client(struct session *s, const char *name, int w, int h)
{
	struct client *c = client_new(s->mux, name);

	client_set_size(c, w, h, 0, 0);
	client_set_session(c, s);
	return c;
}

char *
mux_util_events(struct mux *m, const char *name)
{
	struct mux_event e;
	struct buf b;
	const char *row;

	buf_init(&b, 1 << 20);
	while (mux_next_event(m, &e)) {
		row = mux_event_row(e.type)->name;
		if (name == NULL || str_starts(row, name)) {
			ck_assert_int_eq(buf_addf(&b, "%s", row), 0);
			if (e.session != MUX_NONE)
				(void)buf_addf(&b, " $%u", e.session);
			if (e.window != MUX_NONE)
				(void)buf_addf(&b, " @%u", e.window);
			if (e.pane != MUX_NONE)
				(void)buf_addf(&b, " %%%u", e.pane);
			if (e.client != MUX_NONE)
				(void)buf_addf(&b, " c%u", e.client);
			if (e.index >= 0)
				(void)buf_addf(&b, " %d", e.index);
			if (e.text != NULL)
				(void)buf_addf(&b, " '%s'", e.text);
			(void)buf_add_u8(&b, '|');
		}
		mux_event_fini(&e);
	}
	return buf_steal(&b, NULL);
}

char *
mux_util_links(const struct session *s)
{
	struct list_node *n;
	struct winlink *wl;
	struct buf b;

	buf_init(&b, 1 << 20);
	SESSION_FOREACH_LINK(wl, n, s)
	{
		(void)buf_addf(&b, "%s%d%s", b.len > 0 ? " " : "", wl->index,
		    wl == s->current             ? "*"
		    : wl == session_last_link(s) ? "-"
						 : "");
	}
	return buf_steal(&b, NULL);
}

static const char *
check_window(struct mux *m, struct window *w)
{
	struct list_node *n;
	struct layout_cell *c = NULL;
	struct cell_rect r;
	struct pane *p;
	const char *wrong;
	size_t leaves = 0;
	bool active = false;

	if ((wrong = layout_check(&w->layout)) != NULL)
		return wrong;
	if (layout_cols(&w->layout) != w->w || layout_rows(&w->layout) != w->h)
		return "the window has not the size of its layout";
	while ((c = layout_next_leaf(&w->layout, c)) != NULL) {
		leaves++;
		p = mux_pane(m, c->pane);
		if (p == NULL || p->window != w)
			return "a cell without a pane";
		if (p->floating != c->floating)
			return "a pane does not know that it floats";
		r = layout_pane_rect(&w->layout, c);
		if (!w->zoomed &&
		    (p->x != r.x || p->y != r.y || p->w != r.w || p->h != r.h))
			return "a pane is not in its place";
		if (vt_term_cols(p->term) != (unsigned)p->w ||
		    vt_term_rows(p->term) != (unsigned)p->h)
			return "a terminal has not its pane's size";
	}
	if (w->zoomed != (w->zoom != NULL))
		return "a zoom without a pane";
	if (w->modal != NULL && w->modal != w->active)
		return "another pane than the modal one is active";
	if (w->stack.count != w->panes.count)
		return "a pane is not in the stack";
	if (!pane_visible(w->active))
		return "the active pane is hidden";
	if (leaves != w->panes.count)
		return "cells and panes differ in number";
	WINDOW_FOREACH_PANE(p, n, w)
	{
		active |= p == w->active;
		if (p->options.parent != &w->options)
			return "a pane's options hang elsewhere";
	}
	if (!active)
		return "the active pane is of another window";
	LIST_FOREACH(n, &w->last_panes) {
		p = container_of(n, struct pane, last_node);
		if (p->window != w || p == w->active)
			return "wrong pane in the stack";
	}
	return NULL;
}

static const char *
check_session(struct session *s)
{
	struct list_node *n;
	struct winlink *wl;
	int last = -1;

	if (s->current == NULL || s->current->session != s)
		return "no current window";
	SESSION_FOREACH_LINK(wl, n, s)
	{
		if (wl->index <= last)
			return "windows are out of order";
		last = wl->index;
		if (wl->session != s)
			return "a link of another session";
	}
	LIST_FOREACH(n, &s->last_links) {
		wl = container_of(n, struct winlink, last_node);
		if (wl == s->current || wl->session != s)
			return "wrong link in the stack";
	}
	return NULL;
}

const char *
mux_util_check(struct mux *m)
{
	const char *wrong;
	struct map_entry *e;

	MAP_FOREACH(e, &m->windows) {
		if ((wrong = check_window(m, e->value)) != NULL)
			return wrong;
	}
	MAP_FOREACH(e, &m->session_ids) {
		if ((wrong = check_session(e->value)) != NULL)
			return wrong;
	}
	return NULL;
}
