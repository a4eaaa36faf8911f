/* The items of a list: building them again, lines, the current one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "conf/key_name.h"
#include "mux/client.h"
#include "mux/mode/list.h"
#include "mux/mode/list_int.h"
#include "mux/pane.h"

#define LINE_KEYS 36u /* 0 to 9, M-a to M-z */

static int
by_id(const void *a, const void *b)
{
	const struct mode_item *x = a, *y = b;

	return x->id < y->id ? -1 : x->id > y->id;
}

static const struct mode_item *
old_item(const struct mode_list *l, uint64_t id)
{
	const struct mode_item key = { .id = id };

	return l->old_count == 0
		   ? NULL
		   : bsearch(&key, l->old, l->old_count, sizeof(key), by_id);
}

struct mode_item *
mode_list_add(struct mode_list *l, unsigned depth, uint64_t id,
    const char *name, bool expanded)
{
	const struct mode_item *old = old_item(l, id);
	struct mode_item *it;

	if (l->count == l->room) {
		l->room = l->room == 0 ? 64 : l->room * 2;
		l->items = mem_resize(l->items, l->room, sizeof(*l->items));
	}
	it = &l->items[l->count++];
	memset(it, 0, sizeof(*it));
	it->id = id;
	it->name = mem_strdup(name);
	it->depth = (uint16_t)depth;
	it->expanded = old == NULL ? expanded : old->expanded;
	it->tagged = old != NULL && old->tagged;
	it->ended = old != NULL && old->ended;
	return it;
}

static void
free_items(struct mode_item *items, uint32_t count)
{
	uint32_t i;

	for (i = 0; i < count; i++)
		mem_free(items[i].name);
}

void
mode_list_drop(struct mode_list *l, uint32_t n)
{
	if (n >= l->count)
		return;
	free_items(l->items + n, l->count - n);
	l->count = n;
}

/* Knots items with their parents; finds which ones are last and flat. */
static void
tie(struct mode_list *l)
{
	uint32_t last[UINT8_MAX + 1]; /* latest item of each depth */
	uint32_t i, up, d, depth = 0;
	struct mode_item *it;

	for (i = 0; i < l->count; i++) {
		it = &l->items[i];
		d = MIN_OF(it->depth, i == 0 ? 0u : depth + 1);
		d = MIN_OF(d, (uint32_t)UINT8_MAX);
		it->depth = (uint16_t)d;
		depth = d;
		last[d] = i;
		it->parent = d == 0 ? MODE_LIST_NONE : last[d - 1];
		it->end = i + 1;
		it->flat = true;
	}
	for (i = l->count; i-- > 0;) {
		up = l->items[i].parent;
		if (up != MODE_LIST_NONE && l->items[up].end < l->items[i].end)
			l->items[up].end = l->items[i].end;
	}
}

/* What the items from A to END, siblings of one parent, have in common. */
static void
tie_siblings(struct mode_list *l, uint32_t a, uint32_t end)
{
	struct mode_item *it;
	unsigned width = 0, w;
	bool flat = true;
	uint32_t i, last = a;

	for (i = a; i < end; i = l->items[i].end) {
		it = &l->items[i];
		if (it->end > i + 1)
			flat = false;
		if (it->right) {
			w = (unsigned)strlen(it->name);
			width = MAX_OF(width, w);
		}
		last = i;
	}
	for (i = a; i < end; i = l->items[i].end) {
		it = &l->items[i];
		it->flat = flat;
		it->width = width;
		it->last = i == last;
	}
}

static void
tie_all(struct mode_list *l)
{
	uint32_t i;

	tie(l);
	if (l->count > 0)
		tie_siblings(l, 0, l->count);
	for (i = 0; i < l->count; i++)
		if (l->items[i].end > i + 1)
			tie_siblings(l, i + 1, l->items[i].end);
}

key_code
mode_list_line_key(struct mode_list *l, uint32_t line)
{
	struct format_var var;
	char text[16];
	key_code key;
	char *s;

	if (l->key_format == NULL) {
		if (line < 10)
			return (key_code)'0' + line;
		if (line < LINE_KEYS)
			return ((key_code)'a' + line - 10) | KEY_META;
		return KEY_NONE;
	}
	(void)snprintf(text, sizeof(text), "%u", line);
	var = (struct format_var){ "line", text };
	s = mode_list_expand(l, NULL, &var, 1, l->key_format);
	if (key_name_parse(s, &key) != 0)
		key = KEY_NONE;
	mem_free(s);
	return key;
}

void
mode_list_make_lines(struct mode_list *l)
{
	char name[KEY_NAME_MAX];
	uint32_t i, n = 0;
	unsigned w;

	mem_free(l->lines);
	l->lines = mem_calloc(l->count + 1, sizeof(*l->lines));
	l->key_width = 0;
	for (i = 0; i < l->count;) {
		l->lines[n].item = i;
		l->lines[n].key = mode_list_line_key(l, n);
		if (l->lines[n].key != KEY_NONE) {
			w = (unsigned)strlen(key_name_format(
			    l->lines[n].key, name, sizeof(name)));
			l->key_width = MAX_OF(l->key_width, w + 3);
		}
		n++;
		i = l->items[i].expanded ? i + 1 : l->items[i].end;
	}
	l->line_count = n;
}

unsigned
mode_list_rows(const struct mode_list *l)
{
	return l->mode.pane == NULL ? l->rows : (unsigned)l->mode.pane->h;
}

static void
sight(struct mode_list *l)
{
	const uint32_t h = mode_list_height(l, mode_list_rows(l));

	if (l->current >= l->line_count)
		l->current = l->line_count == 0 ? 0 : l->line_count - 1;
	if (l->current < l->offset)
		l->offset = l->current;
	if (h > 0 && l->current >= l->offset + h)
		l->offset = l->current - h + 1;
	if (l->offset + h > l->line_count)
		l->offset = l->line_count > h ? l->line_count - h : 0;
}

/* The line of item ITEM, or of its parent that is collapsed. */
static uint32_t
line_of(const struct mode_list *l, uint32_t item)
{
	uint32_t lo = 0, hi = l->line_count, mid;

	while (lo + 1 < hi) {
		mid = lo + (hi - lo) / 2;
		if (l->lines[mid].item <= item)
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

static uint32_t
find_id(const struct mode_list *l, uint64_t id)
{
	uint32_t i;

	for (i = 0; i < l->count; i++)
		if (l->items[i].id == id)
			return i;
	return MODE_LIST_NONE;
}

/* Returns the item to go to, or MODE_LIST_NONE. */
static uint32_t
build(struct mode_list *l)
{
	uint32_t best = MODE_LIST_NONE;

	mode_list_drop(l, 0);
	l->filtering = l->filter != NULL;
	l->ops->build(l);
	l->nothing = l->count == 0 && l->filtering;
	if (l->nothing) {
		/* A filter that lets nothing pass is ignored. */
		l->filtering = false;
		l->ops->build(l);
	}
	mode_list_drop(l, MODE_LIST_MAX);
	if (l->fuzzy != NULL) {
		tie(l);
		best = mode_list_narrow(l);
	}
	tie_all(l);
	if (!l->best)
		return MODE_LIST_NONE;
	l->best = false;
	return best;
}

/* The items, and those left out, become the old ones, by id. */
static void
take_old(struct mode_list *l)
{
	l->old = l->items;
	l->old_count = l->count;
	if (l->aside_count > 0) {
		l->old = mem_resize(
		    l->old, l->count + l->aside_count, sizeof(*l->old));
		memcpy(l->old + l->count, l->aside,
		    l->aside_count * sizeof(*l->aside));
		l->old_count += l->aside_count;
	}
	mem_free(l->aside);
	l->aside = NULL;
	l->aside_count = 0;
	if (l->old_count > 0)
		qsort(l->old, l->old_count, sizeof(*l->old), by_id);
	l->items = NULL;
	l->count = l->room = 0;
}

void
mode_list_fresh(struct mode_list *l)
{
	const struct mode_item *it;
	uint64_t id;
	uint32_t i, best;
	char *name = NULL;
	bool had;

	if (!l->stale) {
		sight(l);
		return;
	}
	it = l->current < l->line_count && l->lines != NULL
		 ? &l->items[l->lines[l->current].item]
		 : NULL;
	had = it != NULL;
	id = had ? it->id : 0;
	/* What the user ends is no surprise. */
	if (had && !it->ended)
		name = mem_strdup(it->name);
	l->stale = false;
	take_old(l);
	best = build(l);
	free_items(l->old, l->old_count);
	mem_free(l->old);
	l->old = NULL;
	l->old_count = 0;
	mode_list_make_lines(l);
	if (best != MODE_LIST_NONE)
		l->current = line_of(l, best);
	else if (had && (i = find_id(l, id)) != MODE_LIST_NONE)
		l->current = line_of(l, i);
	sight(l);
	it = mode_list_current(l);
	if (name == NULL || best != MODE_LIST_NONE ||
	    (it != NULL && it->id == id)) {
		mem_free(name);
		return;
	}
	mem_free(l->gone);
	l->gone = name;
}

void
mode_list_fresh_own(struct mode_list *l)
{
	char *gone = l->gone;

	l->gone = NULL;
	mode_list_fresh(l);
	mem_free(l->gone);
	l->gone = gone;
}

void
mode_list_seen(struct mode_list *l)
{
	mem_free(l->gone);
	l->gone = NULL;
}

void
mode_list_ended(struct mode_list *l, uint32_t item)
{
	uint32_t i;

	for (i = item; i < l->items[item].end; i++)
		l->items[i].ended = true;
}

void
mode_list_stale(struct mode_list *l)
{
	l->stale = true;
	mode_dirty(&l->mode);
}

const struct mode_item *
mode_list_current(const struct mode_list *l)
{
	return l->current < l->line_count ? &l->items[l->lines[l->current].item]
					  : NULL;
}

/* Expanded parts are other ones; the current item stays. */
static void
relines(struct mode_list *l, uint32_t item)
{
	mode_list_make_lines(l);
	l->current = l->line_count == 0 ? 0 : line_of(l, item);
	sight(l);
	mode_dirty(&l->mode);
}

void
mode_list_expand_item(struct mode_list *l, uint32_t item, bool on)
{
	l->items[item].expanded = on;
	relines(l, item);
}

void
mode_list_expand_all(struct mode_list *l, bool on)
{
	const struct mode_item *it = mode_list_current(l);
	const uint32_t item = it == NULL ? 0 : (uint32_t)(it - l->items);
	uint32_t i;

	for (i = 0; i < l->count; i = l->items[i].end)
		l->items[i].expanded = on;
	relines(l, item);
}

void
mode_list_show(struct mode_list *l, uint32_t item)
{
	uint32_t up;

	for (up = l->items[item].parent; up != MODE_LIST_NONE;
	     up = l->items[up].parent)
		l->items[up].expanded = true;
	relines(l, item);
}

bool
mode_list_select(struct mode_list *l, uint64_t id)
{
	const uint32_t item = find_id(l, id);

	if (item == MODE_LIST_NONE)
		return false;
	mode_list_show(l, item);
	return true;
}

void
mode_list_up(struct mode_list *l, bool wrap)
{
	if (l->current > 0)
		l->current--;
	else if (wrap && l->line_count > 0)
		l->current = l->line_count - 1;
	sight(l);
	mode_dirty(&l->mode);
}

void
mode_list_down(struct mode_list *l, bool wrap)
{
	if (l->current + 1 < l->line_count)
		l->current++;
	else if (wrap)
		l->current = 0;
	sight(l);
	mode_dirty(&l->mode);
}

uint32_t
mode_list_tagged(const struct mode_list *l)
{
	uint32_t i, n = 0;

	for (i = 0; i < l->count; i++)
		n += l->items[i].tagged;
	return n;
}

void
mode_list_free_items(struct mode_list *l)
{
	uint32_t i;

	mode_list_drop(l, 0);
	free_items(l->aside, l->aside_count);
	for (i = 0; i < l->told_count; i++)
		mem_free(l->told[i].text);
	mem_free(l->told);
	mem_free(l->aside);
	mem_free(l->items);
	mem_free(l->lines);
	mem_free(l->gone);
	l->gone = NULL;
	l->told = NULL;
	l->told_count = 0;
	l->items = NULL;
	l->lines = NULL;
}
