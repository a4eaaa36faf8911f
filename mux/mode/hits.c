#include "mux/mode/hits.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "mux/client.h"
#include "mux/mode/copy.h"
#include "mux/mode/hits_int.h"
#include "mux/session.h"
#include "mux/window.h"

/* The next slice comes after this time: until then others have their turn. */
#define SLICE_MS 1

/* Ids of items: the heading, panes, matches by number. */
enum {
	ITEM_HEAD = 1,
	ITEM_PANE,
	ITEM_HIT
};

static uint64_t
item_id(unsigned kind, size_t n)
{
	return (uint64_t)kind << 32 | n;
}

static unsigned
item_kind(const struct mode_item *it)
{
	return (unsigned)(it->id >> 32);
}

static size_t
item_number(const struct mode_item *it)
{
	return (size_t)(uint32_t)it->id;
}

static struct hits *
of(struct mode *m)
{
	return container_of(
	    container_of(m, struct mode_list, mode), struct hits, list);
}

static struct hits *
of_list(struct mode_list *l)
{
	return container_of(l, struct hits, list);
}

/* Where a pane of the search is; false if it has gone. */
static bool
where_of(const struct hits *h, size_t i, struct mode_where *at)
{
	const struct mux *m = h->list.mode.pane->mux;
	const struct hits_pane *hp = &h->panes[i];

	memset(at, 0, sizeof(*at));
	at->pane = mux_pane(m, hp->id);
	at->session = mux_session(m, hp->session);
	if (at->pane == NULL || at->session == NULL)
		return false;
	at->link = session_link_to(at->session, at->pane->window);
	return at->link != NULL;
}

/* --- items ---------------------------------------------------------------------------- */

/* The number of a row as copy mode counts: 1 is the oldest one. */
static void
add_hit(struct mode_list *l, const struct hits *h, size_t i, vt_row first)
{
	struct mode_item *it;
	char name[24];

	(void)snprintf(name, sizeof(name), "%llu",
	    (unsigned long long)(h->all[i].at.start.row - first + 1));
	it = mode_list_add(l, 1, item_id(ITEM_HIT, i), name, false);
	it->right = true;
	it->part[0] = (uint32_t)h->all[i].pane;
}

static void
hits_build(struct mode_list *l)
{
	struct hits *h = of_list(l);
	struct mode_where at;
	struct mode_item *it;
	vt_row first = 0;
	size_t i, pane = SIZE_MAX;
	bool shown = false;
	char *name;

	hits_check(h);
	it = mode_list_add(l, 0, item_id(ITEM_HEAD, 0), h->pattern, false);
	it->no_tag = true;
	for (i = 0; i < h->count; i++) {
		if (h->all[i].pane != pane) {
			pane = h->all[i].pane;
			shown = where_of(h, pane, &at) &&
				mode_list_pass(l, &at, NULL, 0);
			if (!shown)
				continue;
			first = vt_grid_first(vt_term_main_grid(at.pane->term));
			name = mem_printf("%s:%d.%d", at.session->name,
			    at.link->index, pane_index(at.pane));
			it = mode_list_add(
			    l, 0, item_id(ITEM_PANE, pane), name, true);
			it->no_tag = true;
			it->part[0] = (uint32_t)pane;
			mem_free(name);
		}
		/* Rows that a full history has dropped are gone. */
		if (shown && h->all[i].at.start.row >= first)
			add_hit(l, h, i, first);
	}
}

/* Adds text that formats must show as it is. */
static void
add_plain(struct buf *b, const char *s, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (s[i] == '#')
			(void)buf_add_u8(b, '#');
		(void)buf_add_u8(b, (uint8_t)s[i]);
	}
}

static const char *
plural(size_t n)
{
	return n == 1 ? "" : "es";
}

static char *
head_text(const struct hits *h)
{
	const char *more = h->limited ? "+" : "";
	size_t panes = 0, i;

	for (i = 0; i < h->pane_count; i++)
		panes += h->panes[i].hits > 0;
	if (!hits_done(h))
		return mem_printf("%zu%s match%s, searching pane %zu of %zu "
				  "(C-c stops)",
		    h->count, more, plural(h->count), h->now + 1,
		    h->pane_count);
	return mem_printf("%zu%s match%s in %zu of %zu pane%s%s", h->count,
	    more, plural(h->count), panes, h->pane_count,
	    h->pane_count == 1 ? "" : "s", h->stopped ? ", stopped" : "");
}

static char *
hits_text(struct mode_list *l, const struct mode_item *it)
{
	struct hits *h = of_list(l);
	const struct hit *hit;
	struct mode_where at;
	struct buf b;
	char *text;

	switch (item_kind(it)) {
	case ITEM_HEAD:
		return head_text(h);
	case ITEM_PANE:
		if (!where_of(h, item_number(it), &at))
			return NULL;
		text = mode_list_expand(
		    l, &at, NULL, 0, "#{window_name} #{pane_current_command}");
		buf_init(&b, 65536);
		(void)buf_addf(&b, "%s, %zu match%s", text,
		    h->panes[item_number(it)].hits,
		    plural(h->panes[item_number(it)].hits));
		mem_free(text);
		return buf_steal(&b, NULL);
	default:
		break;
	}
	hit = &h->all[item_number(it)];
	if (!where_of(h, hit->pane, &at))
		return NULL;
	text = mode_list_expand(l, &at, NULL, 0, "#{E:copy-mode-match-style}");
	buf_init(&b, 65536);
	add_plain(&b, hit->line, hit->from);
	(void)buf_addf(&b, "#[%s]", text);
	add_plain(&b, hit->line + hit->from, hit->to - hit->from);
	(void)buf_add_str(&b, "#[default]");
	add_plain(&b, hit->line + hit->to, strlen(hit->line + hit->to));
	mem_free(text);
	return buf_steal(&b, NULL);
}

static char *
hits_search_text(struct mode_list *l, const struct mode_item *it)
{
	struct hits *h = of_list(l);

	return mem_strdup(item_kind(it) == ITEM_HIT
			      ? h->all[item_number(it)].line
			      : it->name);
}

/* --- preview ---------------------------------------------------------------------------- */

/* Lays a style over the cells of a match. */
static void
over(struct pen *pen, void *arg)
{
	const struct pen *style = arg;

	if (style->fg != 0)
		pen->fg = style->fg;
	if (style->bg != 0)
		pen->bg = style->bg;
	pen->attrs = (pen->attrs & (uint32_t)PEN_PROTECTED) | style->attrs;
}

static void
mark(const struct hit *hit, struct vt_frame *f, unsigned y, vt_row row,
    const struct vt_rect *r, unsigned shift, struct pen *style)
{
	unsigned from = row == hit->at.start.row ? hit->at.start.col : 0;
	unsigned to = row == hit->at.end.row ? hit->at.end.col : VT_COLS_MAX;

	if (row < hit->at.start.row || row > hit->at.end.row)
		return;
	from = r->left + (from > shift ? from - shift : 0);
	to = MIN_OF(r->right, r->left + (to > shift ? to - shift : 0));
	if (from < to)
		vt_line_repen(NULL, vt_frame_own(f, y), from, to, over, style);
}

/* The lines around a match. */
static void
draw_hit(const struct hit *hit, struct text *t, struct vt_frame *f,
    const struct vt_rect *r, struct pen *style)
{
	const unsigned w = r->right - r->left, h = r->bottom - r->top;
	const unsigned col = hit->at.start.col;
	const unsigned shift = col + w / 4 < w ? 0 : col - w / 4;
	vt_row row = hit->at.start.row, first = text_first(t);
	const struct vt_line *line;
	unsigned y;

	row = row - MIN_OF(row, first) > h / 3 ? row - h / 3 : first;
	if (text_end(t) - row < h)
		row = text_end(t) - first > h ? text_end(t) - h : first;
	for (y = r->top; y < r->bottom; y++, row++) {
		if ((line = text_row(t, row)) == NULL)
			break;
		if (line->len > shift)
			vt_line_copy(NULL, vt_frame_own(f, y), r->left, line,
			    shift, MIN_OF(w, line->len - shift));
		mark(hit, f, y, row, r, shift, style);
	}
}

static void
hits_preview(struct mode_list *l, const struct mode_item *it,
    struct vt_frame *f, const struct vt_rect *r, const struct mode_paint *paint)
{
	static const struct pen plain;
	struct hits *h = of_list(l);
	struct pen style = paint->style(
	    paint->arg, OPTION_COPY_MODE_CURRENT_MATCH_STYLE, &plain);
	struct mode_where at;
	struct hits_text text;
	size_t i;

	if (item_kind(it) == ITEM_HEAD)
		return;
	i = item_number(it);
	/* A pane is shown at its newest match. */
	if (item_kind(it) == ITEM_PANE)
		for (i = 0; i < h->count; i++)
			if (h->all[i].pane == item_number(it))
				break;
	if (i >= h->count || !where_of(h, h->all[i].pane, &at))
		return;
	draw_hit(&h->all[i], hits_text_init(&text, at.pane), f, r, &style);
	hits_text_fini(&text);
}

/* --- going there --------------------------------------------------------------------------- */

/* The match that Enter stands for, or NULL. */
static const struct hit *
current_hit(struct hits *h)
{
	const struct mode_item *it = mode_list_current(&h->list);
	size_t i;

	if (it == NULL || item_kind(it) == ITEM_HEAD)
		return NULL;
	if (item_kind(it) == ITEM_HIT)
		return &h->all[item_number(it)];
	for (i = 0; i < h->count; i++)
		if (h->all[i].pane == item_number(it))
			return &h->all[i];
	return NULL;
}

/* Leaves the list and shows its current match in copy mode. */
static enum mode_did
go(struct hits *h)
{
	struct pane *here = h->list.mode.pane;
	struct mode_requests *q = h->list.host->requests;
	const struct hit *hit = current_hit(h);
	const struct vt_match m = hit->at;
	const bool regex = h->regex;
	struct mode_where at;
	char *text, *pattern;

	if (!where_of(h, hit->pane, &at)) {
		mode_request_run(q, "display-message \"the pane has gone\"");
		return MODE_TAKEN;
	}
	pattern = mem_strdup(h->pattern);
	(void)mode_list_leave(&h->list);
	/* The list must go first: copy mode may be over the same pane. */
	(void)pane_pop_mode(here);
	text = mem_printf("switch-client -Zt '$%u:@%u.%%%u'", at.session->id,
	    at.link->window->id, at.pane->id);
	mode_request_run(q, text);
	mem_free(text);
	/* A copy mode that is there shows older rows. */
	if (copy_mode_top(at.pane) != NULL)
		(void)pane_pop_mode(at.pane);
	if (copy_mode_open(at.pane, at.pane, 0) == 0)
		copy_mode_select(at.pane, m.start, m.end, pattern, regex);
	mem_free(pattern);
	return MODE_TAKEN;
}

/* --- input ----------------------------------------------------------------------------------- */

static enum mode_did
hits_list_key(struct mode_list *l, key_code key)
{
	struct hits *h = of_list(l);

	h->moved = true;
	switch (key) {
	case KEY_ENTER:
	case 'm' | KEY_CTRL:
		h->go = current_hit(h) != NULL;
		return MODE_TAKEN;
	case 'c' | KEY_CTRL:
		h->stopped = true;
		return MODE_TAKEN;
	default:
		return MODE_PASSED;
	}
}

static enum mode_did
hits_key(struct mode *m, const struct key_event *key)
{
	struct hits *h = of(m);
	const enum mode_did did = mode_list_key(m, key);

	return h->go ? go(h) : did;
}

static enum mode_did
hits_mouse(struct mode *m, const struct mouse_event *ev)
{
	struct hits *h = of(m);
	const enum mode_did did = mode_list_mouse(m, ev);

	h->moved = true;
	return h->go ? go(h) : did;
}

/* --- time -------------------------------------------------------------------------------------- */

static enum mode_did
hits_expire(struct mode *m, UNUSED mono_ms now)
{
	struct hits *h = of(m);
	const bool none = h->count == 0;

	if (hits_done(h))
		return MODE_TAKEN;
	hits_slice(h);
	mode_list_stale(&h->list);
	mode_list_fresh(&h->list);
	/* The first match becomes the current row. */
	if (none && h->count > 0 && !h->moved)
		(void)mode_list_select(&h->list, item_id(ITEM_HIT, 0));
	return MODE_TAKEN;
}

static void
hits_draw(struct mode *m, struct vt_frame *f, const struct mode_paint *paint)
{
	mode_list_draw(m, f, paint);
	if (!hits_done(of(m)))
		m->due = mono_add(paint->now, SLICE_MS);
}

/* --- life -------------------------------------------------------------------------------------- */

static void
hits_free(struct mode *m)
{
	struct hits *h = of(m);

	hits_clear(h);
	vt_search_free(h->search);
	mem_free(h->pattern);
	mem_free(h->panes);
	mem_free(h->all);
	mode_list_free(m);
}

static const struct mode_list_help hits_help[] = {
	{ "C-c", "Stop searching" },
	{ NULL, NULL },
};

static const struct mode_list_ops hits_ops = {
	.mode = { .name = "search-mode",
	    .draw = hits_draw,
	    .key = hits_key,
	    .mouse = hits_mouse,
	    .answer = mode_list_answer,
	    .command = mode_list_command,
	    .event = mode_list_event,
	    .expire = hits_expire,
	    .free = hits_free },
	.noun = "match",
	.help = hits_help,
	.build = hits_build,
	.text = hits_text,
	.search = hits_search_text,
	.preview = hits_preview,
	.key = hits_list_key,
};

int
mode_hits_open(struct pane *p, struct winlink *wl,
    const struct mode_hits_start *start, struct cause *cause)
{
	struct hits *h = mem_zalloc(sizeof(*h)), own;
	const unsigned flags =
	    VT_SEARCH_BACKWARD | (start->regex ? VT_SEARCH_REGEX : 0U) |
	    (start->nocase ? VT_SEARCH_ICASE : VT_SEARCH_SMART);
	int r;

	r = vt_search_new(
	    &h->search, start->pattern, strlen(start->pattern), flags, cause);
	if (r != 0) {
		mem_free(h);
		return r;
	}
	h->pattern = mem_strdup(start->pattern);
	h->regex = start->regex;
	hits_scope(h, p, wl, start->scope);
	own = *h;
	r = mode_list_open(p, &h->list, &hits_ops, &start->list);
	if (r != 0) {
		/* mode_list_open has freed the list, but not what it holds. */
		vt_search_free(own.search);
		mem_free(own.pattern);
		mem_free(own.panes);
	}
	return r == -ERR_EXISTS ? 0 : r;
}

bool
mode_hits_done(const struct mode *m)
{
	return m->ops == &hits_ops.mode &&
	       hits_done(
		   container_of(container_of(m, const struct mode_list, mode),
		       const struct hits, list));
}
