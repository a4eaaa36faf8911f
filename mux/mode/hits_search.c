/*
 * Searching many panes, slice by slice.
 */
#include <string.h>

#include "base/mem.h"
#include "mux/mode/hits_int.h"
#include "mux/session.h"
#include "mux/vt/logical.h"
#include "mux/window.h"

#define STEP 256 /* lines of one call */

/* A line without pages is unpacked: that takes four times as long. */
#define COPIED_STEPS (HITS_SLICE / STEP / 4)

/* Bytes of a line before the match. */
#define LEAD 60

/* --- which panes --------------------------------------------------------------------- */

static void
add_pane(struct hits *h, struct winlink *wl, const struct pane *p)
{
	size_t i;

	for (i = 0; i < h->pane_count; i++)
		if (h->panes[i].id == p->id)
			return;
	h->panes = mem_resize(h->panes, h->pane_count + 1, sizeof(*h->panes));
	h->panes[h->pane_count++] = (struct hits_pane){ .id = p->id,
		.session = wl->session->id,
		.window = wl->window->id };
}

static void
add_window(struct hits *h, struct winlink *wl)
{
	struct list_node *n;
	struct pane *p;

	WINDOW_FOREACH_PANE(p, n, wl->window)
	add_pane(h, wl, p);
}

static void
add_session(struct hits *h, const struct session *s)
{
	struct list_node *n;

	LIST_FOREACH(n, &s->links)
		add_window(h, container_of(n, struct winlink, node));
}

void
hits_scope(struct hits *h, struct pane *p, struct winlink *wl,
    enum mode_hits_scope scope)
{
	const struct map_entry *e;

	add_pane(h, wl, p);
	add_window(h, wl);
	if (scope != MODE_HITS_WINDOW)
		add_session(h, wl->session);
	if (scope == MODE_HITS_SERVER)
		MAP_FOREACH(e, &p->mux->sessions)
			add_session(h, e->value);
}

/* --- texts ---------------------------------------------------------------------------- */

struct text *
hits_text_init(struct hits_text *t, const struct pane *p)
{
	memset(t, 0, sizeof(*t));
	t->copied = vt_term_alternate(p->term);
	if (t->copied) {
		/* The rows of copy mode: history, then the screen shown. */
		copy_text_take(
		    &t->copy, p->term, (unsigned)p->w, (unsigned)p->h);
		return &t->copy.text;
	}
	text_grid_init(&t->grid, vt_term_main_grid(p->term));
	return &t->grid.text;
}

void
hits_text_fini(struct hits_text *t)
{
	if (t->copied)
		copy_text_fini(&t->copy);
	t->copied = false;
}

static struct pane *
pane_at(const struct hits *h, size_t i)
{
	return mux_pane(h->list.mode.pane->mux, h->panes[i].id);
}

static bool
changed(const struct hits *h, size_t i)
{
	const struct hits_pane *hp = &h->panes[i];
	const struct pane *p = pane_at(h, i);
	const struct vt_grid *g;

	if (p == NULL || hp->grid == NULL)
		return false;
	g = vt_term_main_grid(p->term);
	return g != hp->grid || vt_grid_remade(g) != hp->remade;
}

void
hits_clear(struct hits *h)
{
	size_t i;

	if (h->begun)
		hits_text_fini(&h->text);
	h->begun = false;
	for (i = 0; i < h->count; i++)
		mem_free(h->all[i].line);
	for (i = 0; i < h->pane_count; i++) {
		h->panes[i].hits = 0;
		h->panes[i].grid = NULL;
	}
	h->count = 0;
	h->now = 0;
	h->limited = false;
}

void
hits_check(struct hits *h)
{
	size_t i;

	for (i = 0; i < h->pane_count && i <= h->now; i++)
		if (changed(h, i)) {
			hits_clear(h);
			return;
		}
}

/* --- matches ---------------------------------------------------------------------------- */

/* Keeps the part of the line S around bytes FROM..TO-1. */
static void
keep_line(struct hit *hit, const char *s, size_t n, size_t from, size_t to)
{
	size_t begin = from > LEAD ? from - LEAD : 0, end;

	while (begin < from && ((uint8_t)s[begin] & 0xc0) == 0x80)
		begin++;
	while (begin < from && s[begin] == ' ')
		begin++;
	end = MIN_OF(n, begin + HIT_TEXT_MAX);
	while (end < n && end > begin && ((uint8_t)s[end] & 0xc0) == 0x80)
		end--;
	hit->line = mem_strndup(s + begin, end - begin);
	hit->from = from - begin;
	hit->to = MIN_OF(to, end) - begin;
}

/* The first byte of a cell of a joined line. */
static size_t
byte_of(const struct vt_logical *lg, unsigned cell)
{
	char text[VT_CLUSTER_MAX + 1];
	size_t n = 0;
	unsigned i;

	for (i = 0; i < cell && i < lg->line->len; i++)
		n += lg->line->cells[i].width == VT_PAD
			 ? 1
			 : vt_line_text(lg->line, i, text);
	return n;
}

static void
add(struct hits *h, struct text *t, const struct vt_match *m)
{
	const struct vt_pos last = { m->end.row,
		m->end.col > 0 ? m->end.col - 1 : 0 };
	struct vt_logical lg = { 0 };
	struct hit hit = { .pane = h->now, .at = *m };
	size_t n, from, to;
	const char *s;

	vt_logical_get(t, m->start.row, &lg);
	s = vt_logical_text(&lg, &n);
	from = MIN_OF(byte_of(&lg, vt_logical_cell(&lg, m->start)), n);
	to = MIN_OF(byte_of(&lg, vt_logical_cell(&lg, last) + 1), n);
	keep_line(&hit, s, n, from, MAX_OF(from, to));
	vt_logical_fini(t, &lg);
	if (h->count == h->room) {
		h->room = h->room == 0 ? 64 : h->room * 2;
		h->all = mem_resize(h->all, h->room, sizeof(*h->all));
	}
	h->all[h->count++] = hit;
	h->panes[h->now].hits++;
}

/* --- slices ------------------------------------------------------------------------------ */

/* Ends the search of a pane. */
static void
next_pane(struct hits *h)
{
	if (h->begun)
		hits_text_fini(&h->text);
	h->begun = false;
	h->now++;
}

/* Searches at most STEP lines of the present pane. */
static void
step(struct hits *h)
{
	struct hits_pane *hp = &h->panes[h->now];
	struct pane *p = pane_at(h, h->now);
	struct vt_match m;
	struct text *t;

	if (p == NULL) {
		next_pane(h);
		return;
	}
	if (!h->begun) {
		h->begun = true;
		t = hits_text_init(&h->text, p);
		hp->grid = vt_term_main_grid(p->term);
		hp->remade = vt_grid_remade(hp->grid);
		vt_search_start(
		    h->search, t, (struct vt_pos){ text_end(t), 0 });
	}
	t = h->text.copied ? &h->text.copy.text : &h->text.grid.text;
	switch (vt_search_step(h->search, t, STEP, &m)) {
	case VT_SEARCH_MORE:
		return;
	case VT_SEARCH_END:
		next_pane(h);
		return;
	case VT_SEARCH_FOUND:
		break;
	}
	if (hp->hits == HITS_PANE_MAX || h->count == HITS_MAX) {
		h->limited = true;
		next_pane(h);
		if (h->count == HITS_MAX)
			h->now = h->pane_count;
		return;
	}
	add(h, t, &m);
}

void
hits_slice(struct hits *h)
{
	unsigned i;

	hits_check(h);
	for (i = 0; i < HITS_SLICE / STEP && !hits_done(h); i++) {
		if (h->begun && h->text.copied && i >= COPIED_STEPS)
			break;
		step(h);
	}
}
