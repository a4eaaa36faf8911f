#include "mux/mode/list_wire.h"

#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/pack.h"
#include "mux/mode/hits.h"
#include "mux/mode/list_ask.h"
#include "mux/mode/list_int.h"
#include "mux/mode/wire_pen.h"

enum list_rows_item {
	ROWS_VERSION = 0,
	ROWS_BITS = 1,   /* enum list_rows_bit */
	ROWS_STYLES = 2, /* selection and border, four numbers each */
	ROWS_THEME = 3,  /* colours of the theme */
	ROWS_BOX = 4,    /* mode_list_ops.box */
	ROWS_ORDER = 5,  /* name of the order */
	ROWS_FUZZY = 6,  /* letters that narrow the list */
	ROWS_TAKEN = 7,  /* keys that a key table takes */
	ROWS_WIDTH = 8,  /* columns of the keys */
	ROWS_LINES = 9,  /* number of lines */
	ROWS_FIRST = 10, /* line of the first item that is no parent */
	ROWS_ABOVE = 11, /* parents before it */
	ROWS_KEYS = 12,  /* keys of the lines, if by a format */
	ROWS_ITEMS = 13, /* [[bits, depth, width, name, text], ...] */
	ROWS_COUNT = 14,
	/* [flags, separators, x, y, pen, line, questions...], or none */
	ROWS_ASKS = 14,
};

enum list_rows_bit {
	ROWS_WHOLE = 1,
	ROWS_OWN_KEYS = 2,
	ROWS_ORDERED = 4,
	ROWS_REVERSED = 8,
	ROWS_INFO = 16, /* i shows text */
	ROWS_SHOWS_INFO = 32,
	ROWS_FILTERED = 64,
	ROWS_NOTHING = 128, /* the filter lets nothing pass */
};

enum list_item_bit {
	ITEM_LAST = 1,
	ITEM_FLAT = 2,
	ITEM_NO_TAG = 4,
	ITEM_RIGHT = 8,
	ITEM_MORE = 16, /* has children */
	ITEM_KIND = 32, /* times its kind, 0 to 3 */
};

enum list_state_item {
	STATE_VERSION = 0,
	STATE_ROWS = 1, /* of the picture */
	STATE_VIEW = 2, /* enum mode_list_view */
	STATE_CURRENT = 3,
	STATE_OFFSET = 4,
	STATE_EXPANDED = 5, /* bin: a bit of each item */
	STATE_TAGGED = 6,
	STATE_ITEMS = 7,
	/* With a question that is open, as version 2: */
	STATE_ASK = 7, /* from 1 */
	STATE_AT = 8,  /* its cursor, in bytes */
	STATE_TEXT = 9,
	STATE_MESSAGE = 10,
	STATE_ASKED_ITEMS = 11,
};

#define ITEM_FIELDS 5
#define STATE_VERSION_ASKED 2 /* of a state with an open question */

bool
mode_is_list(const struct mode *m)
{
	return m->ops->draw == mode_list_draw || mode_hits_done(m);
}

#define PART_LINES 32u /* of a part, at least: before and behind a page */
#define TOLD_AGAIN 32u /* texts out of sight that each view tells again */

/* --- writing ------------------------------------------------------------------- */

/* The items that go, by their number in the list. */
struct chosen {
	uint32_t *items;
	uint32_t count;
	uint32_t above;
	uint32_t first; /* line */
	uint32_t lines;
	uint8_t *fresh; /* [count]: the text is made anew; NULL: all are */
};

static void
choose_whole(const struct mode_list *l, struct chosen *c)
{
	uint32_t i;

	*c = (struct chosen){ .count = l->count };
	c->items = mem_calloc(l->count, sizeof(*c->items));
	for (i = 0; i < l->count; i++)
		c->items[i] = i;
	c->lines = l->line_count;
}

/* Finds the items of C, a whole list, whose texts are made anew. */
static void
choose_fresh(struct mode_list *l, struct chosen *c)
{
	const uint32_t h = MAX_OF(mode_list_height(l, mode_list_rows(l)), 1u);
	const uint32_t from = l->offset - MIN_OF(l->offset, h);
	const uint32_t to = MIN_OF(l->offset + 2 * h, l->line_count);
	uint32_t i;

	if (l->told_count < l->count) {
		l->told = mem_resize(l->told, l->count, sizeof(*l->told));
		memset(l->told + l->told_count, 0,
		    (l->count - l->told_count) * sizeof(*l->told));
		l->told_count = l->count;
	}
	c->fresh = mem_calloc(c->count, 1);
	for (i = from; i < to; i++)
		c->fresh[l->lines[i].item] = 1;
	for (i = 0; i < TOLD_AGAIN; i++)
		c->fresh[(l->told_next + i) % l->count] = 1;
	l->told_next = (l->told_next + TOLD_AGAIN) % l->count;
}

/*
 * The lines in sight with PAGES pages before and behind them; they begin at
 * multiples of a page, so that few moves change them.
 */
static void
choose_part(const struct mode_list *l, uint32_t pages, struct chosen *c)
{
	const uint32_t h =
	    MAX_OF(mode_list_height(l, mode_list_rows(l)), PART_LINES);
	const uint32_t page = l->offset / h, top = page - MIN_OF(page, pages);
	const uint32_t from = top * h;
	const uint32_t to = MIN_OF((page + 2 + pages) * h, l->line_count);
	uint32_t up, i, n = 0;

	*c = (struct chosen){ .first = from, .lines = to - from };
	for (up = l->items[l->lines[from].item].parent; up != MODE_LIST_NONE;
	     up = l->items[up].parent)
		c->above++;
	c->count = c->above + c->lines;
	c->items = mem_calloc(c->count, sizeof(*c->items));
	n = c->above;
	for (up = l->items[l->lines[from].item].parent; up != MODE_LIST_NONE;
	     up = l->items[up].parent)
		c->items[--n] = up;
	for (i = 0; i < c->lines; i++)
		c->items[c->above + i] = l->lines[from + i].item;
}

/* Returns the text of item N, a new string, or NULL. */
static char *
item_text(struct mode_list *l, uint32_t n, const struct chosen *c)
{
	const struct mode_item *it = &l->items[n];
	struct mode_list_told *t;

	if (l->ops->text == NULL)
		return NULL;
	if (c->fresh == NULL)
		return l->ops->text(l, it);
	t = &l->told[n];
	if (c->fresh[n] != 0 || t->text == NULL || t->id != it->id) {
		mem_free(t->text);
		t->text = l->ops->text(l, it);
		t->id = it->id;
	}
	return t->text == NULL ? NULL : mem_strdup(t->text);
}

static void
put_item(struct mode_list *l, uint32_t n, const struct chosen *c, bool shown,
    struct buf *out)
{
	const struct mode_item *it = &l->items[n];
	char *text = shown ? item_text(l, n, c) : NULL;

	pack_put_array(out, ITEM_FIELDS - (text == NULL ? 1u : 0u));
	pack_put_uint(out, (it->last ? ITEM_LAST : 0u) |
			       (it->flat ? ITEM_FLAT : 0u) |
			       (it->no_tag ? ITEM_NO_TAG : 0u) |
			       (it->right ? ITEM_RIGHT : 0u) |
			       (it->end > n + 1 ? ITEM_MORE : 0u) |
			       (it->kind & 3u) * ITEM_KIND);
	pack_put_uint(out, it->depth);
	pack_put_uint(out, it->width);
	pack_put_cstr(out, it->name);
	if (text != NULL)
		pack_put_cstr(out, text);
	mem_free(text);
}

static uint64_t
rows_bits(const struct mode_list *l, bool whole)
{
	return (whole ? ROWS_WHOLE : 0u) |
	       (l->key_format != NULL ? ROWS_OWN_KEYS : 0u) |
	       (l->ops->orders != NULL ? ROWS_ORDERED : 0u) |
	       (l->reversed ? ROWS_REVERSED : 0u) |
	       (l->ops->info ? ROWS_INFO : 0u) |
	       (l->show_info ? ROWS_SHOWS_INFO : 0u) |
	       (l->filter != NULL ? ROWS_FILTERED : 0u) |
	       (l->nothing ? ROWS_NOTHING : 0u);
}

static void
put_keys(const struct mode_list *l, const struct chosen *c, struct buf *out)
{
	uint32_t i;

	if (l->key_format == NULL) {
		pack_put_array(out, 0);
		return;
	}
	pack_put_array(out, c->lines);
	for (i = 0; i < c->lines; i++)
		pack_put_uint(out, l->lines[c->first + i].key);
}

static unsigned
put_rows(struct mode_list *l, const struct chosen *c, bool whole,
    const struct list_look *look, const struct list_taken *taken,
    const struct list_line *line, struct buf *out)
{
	size_t i;

	pack_put_array(out, ROWS_COUNT + (line != NULL));
	pack_put_uint(out, LIST_WIRE_VERSION);
	pack_put_uint(out, rows_bits(l, whole));
	pack_put_array(out, 2 * WIRE_PEN);
	wire_pen_put(out, &look->selection);
	wire_pen_put(out, &look->border);
	pack_put_array(out, STYLE_THEME_COUNT);
	for (i = 0; i < STYLE_THEME_COUNT; i++)
		pack_put_uint(out, look->theme[i]);
	pack_put_uint(out, l->ops->box);
	pack_put_cstr(
	    out, l->ops->orders == NULL ? "" : l->ops->orders[l->order]);
	pack_put_cstr(out, l->fuzzy == NULL ? "" : l->fuzzy);
	pack_put_array(out, (uint32_t)taken->count);
	for (i = 0; i < taken->count; i++)
		pack_put_uint(out, taken->keys[i]);
	pack_put_uint(out, l->key_width);
	pack_put_uint(out, l->line_count);
	pack_put_uint(out, c->first);
	pack_put_uint(out, c->above);
	put_keys(l, c, out);
	pack_put_array(out, c->count);
	for (i = 0; i < c->count && !out->overflow; i++)
		put_item(l, c->items[i], c, i >= c->above, out);
	return line == NULL ? 0 : list_asks_put(l, line, out);
}

static void
put_bits(const struct mode_list *l, const uint32_t *items, uint32_t count,
    bool tags, struct buf *out)
{
	uint8_t bytes[LIST_WIRE_ITEMS / 8] = { 0 };
	const struct mode_item *it;
	uint32_t i;

	for (i = 0; i < count; i++) {
		it = &l->items[items == NULL ? i : items[i]];
		if (tags ? it->tagged : it->expanded)
			bytes[i / 8] |= (uint8_t)(1u << i % 8);
	}
	pack_put_bin(out, bytes, (count + 7) / 8);
}

void
list_state_put(const struct mode_list *l, const uint32_t *items, uint32_t count,
    const struct list_open *open, struct buf *out)
{
	const bool asked = open != NULL && open->ask > 0;

	/* A reader of version 1 would give the keys to the list. */
	pack_put_array(out, asked ? STATE_ASKED_ITEMS : STATE_ITEMS);
	pack_put_uint(out, asked ? STATE_VERSION_ASKED : LIST_WIRE_VERSION);
	pack_put_uint(out, mode_list_rows(l));
	pack_put_uint(out, l->view);
	pack_put_uint(out, l->current);
	pack_put_uint(out, l->offset);
	put_bits(l, items, count, false, out);
	put_bits(l, items, count, true, out);
	if (!asked)
		return;
	list_open_put(open, out);
}

static bool
put_chosen(struct mode_list *l, struct chosen *c, bool whole,
    const struct list_look *look, const struct list_taken *taken,
    const struct list_line *line, struct buf *rows, struct buf *state)
{
	struct list_open open = { 0 };
	bool ok = c->count <= LIST_WIRE_ITEMS;

	buf_clear(rows);
	if (ok)
		open.ask = put_rows(l, c, whole, look, taken, line, rows);
	if (line != NULL && line->open) {
		ok = ok && open.ask > 0;
		open.at = line->at;
		open.text = line->text;
		open.message = line->message;
	}
	ok = ok && !rows->overflow &&
	     rows->len <=
		 (c->fresh != NULL ? LIST_WIRE_GROWN_MAX : LIST_WIRE_ROWS_MAX);
	if (ok)
		list_state_put(l, c->items, c->count, &open, state);
	mem_free(c->items);
	mem_free(c->fresh);
	return ok && !state->overflow;
}

bool
list_wire_grows(const struct mode *m)
{
	const struct mode_list *l = container_of(m, struct mode_list, mode);

	return l->count > LIST_WIRE_WHOLE && l->count <= LIST_WIRE_ITEMS;
}

bool
list_wire_put(struct mode *m, const struct list_look *look,
    const struct list_taken *taken, const struct list_line *line, bool grown,
    struct buf *rows, struct buf *state)
{
	struct mode_list *l = container_of(m, struct mode_list, mode);
	struct chosen c;
	uint32_t pages;

	if (l->stale || l->help || l->line_count == 0 ||
	    taken->count > LIST_WIRE_KEYS_MAX)
		return false;
	if (l->count <= LIST_WIRE_WHOLE) {
		choose_whole(l, &c);
		if (put_chosen(l, &c, true, look, taken, line, rows, state))
			return true;
	}
	if (grown && list_wire_grows(m)) {
		choose_whole(l, &c);
		choose_fresh(l, &c);
		if (put_chosen(l, &c, true, look, taken, line, rows, state))
			return true;
	}
	for (pages = 3; pages-- > 0;) {
		choose_part(l, pages, &c);
		if (put_chosen(l, &c, false, look, taken, line, rows, state))
			return true;
	}
	return false;
}

/* --- reading ------------------------------------------------------------------- */

void
list_wire_fini(struct list_wire *w)
{
	uint32_t i;

	for (i = 0; i < w->count; i++)
		mem_free(w->texts[i]);
	mem_free(w->texts);
	for (i = 0; i < w->ask_count; i++)
		list_ask_free(&w->asks[i]);
	mem_free(w->taken);
	mem_free(w->order);
	mem_free(w->separators);
	mem_free(w->frame);
	mem_free(w->text);
	mem_free(w->message);
}

static void
get_look(struct rd *r, struct list_look *look)
{
	uint32_t n = pack_get_array(r, 64), i;

	if (r->err == 0 && n != 2 * WIRE_PEN)
		rd_fail(r, -ERR_PEER);
	look->selection = wire_pen_get(r);
	look->border = wire_pen_get(r);
	n = pack_get_array(r, 64);
	if (r->err == 0 && n != STYLE_THEME_COUNT)
		rd_fail(r, -ERR_PEER);
	for (i = 0; i < n && r->err == 0; i++)
		look->theme[i] = wire_colour_get(r);
}

static void
get_taken(struct rd *r, struct list_wire *w)
{
	const uint32_t n = pack_get_array(r, LIST_WIRE_KEYS_MAX);
	uint32_t i;

	w->taken = mem_calloc(n + 1, sizeof(*w->taken));
	for (i = 0; i < n && r->err == 0; i++)
		w->taken[w->taken_count++] = pack_get_uint(r, UINT64_MAX);
}

/* Reads item N; its parent is the latest item that is less deep. */
static void
get_item(struct rd *r, struct mode_list *l, struct list_wire *w, uint32_t n,
    uint32_t last[UINT8_MAX + 1])
{
	struct mode_item *it = &l->items[n];
	const uint32_t fields = pack_get_array(r, ITEM_FIELDS);
	const uint32_t bits = (uint32_t)pack_get_uint(r, UINT8_MAX);
	const unsigned depth = (unsigned)pack_get_uint(r, UINT8_MAX);

	it->width = (unsigned)pack_get_uint(r, LIST_WIRE_TEXT_MAX);
	it->name = wire_text_get(r, LIST_WIRE_TEXT_MAX);
	l->count = w->count = n + 1;
	if (fields == ITEM_FIELDS)
		w->texts[n] = wire_text_get(r, LIST_WIRE_TEXT_MAX);
	else if (r->err == 0 && fields != ITEM_FIELDS - 1)
		rd_fail(r, -ERR_PEER);
	if (r->err == 0 && depth > (n == 0 ? 0 : l->items[n - 1].depth + 1u))
		rd_fail(r, -ERR_PEER);
	if (r->err != 0)
		return;
	it->id = n;
	it->depth = (uint16_t)depth;
	it->last = (bits & ITEM_LAST) != 0;
	it->flat = (bits & ITEM_FLAT) != 0;
	it->no_tag = (bits & ITEM_NO_TAG) != 0;
	it->right = (bits & ITEM_RIGHT) != 0;
	it->kind = (uint8_t)(bits / ITEM_KIND & 3u);
	it->parent = depth == 0 ? MODE_LIST_NONE : last[depth - 1];
	/* In a part the children may be missing. */
	it->end = n + 1 + (!w->whole && (bits & ITEM_MORE) != 0);
	last[depth] = n;
}

static void
get_items(struct rd *r, struct mode_list *l, struct list_wire *w)
{
	uint32_t last[UINT8_MAX + 1] = { 0 }, i, up;
	const uint32_t n = pack_get_array(r, LIST_WIRE_ITEMS);

	if (r->err == 0 && n == 0)
		rd_fail(r, -ERR_PEER);
	l->items = mem_calloc(n + 1, sizeof(*l->items));
	w->texts = mem_calloc(n + 1, sizeof(*w->texts));
	for (i = 0; i < n && r->err == 0; i++)
		get_item(r, l, w, i, last);
	for (i = l->count; w->whole && i-- > 0;) {
		up = l->items[i].parent;
		if (up != MODE_LIST_NONE && l->items[up].end < l->items[i].end)
			l->items[up].end = l->items[i].end;
	}
}

/* The lines of a part; of the others the items are missing. */
static void
part_lines(struct rd *r, struct mode_list *l, uint32_t first, uint32_t above)
{
	uint32_t i;

	if (above >= l->count || first > l->line_count ||
	    l->count - above > l->line_count - first) {
		rd_fail(r, -ERR_PEER);
		return;
	}
	l->lines = mem_calloc(l->line_count + 1, sizeof(*l->lines));
	for (i = 0; i < l->line_count; i++) {
		l->lines[i].item = MODE_LIST_NONE;
		l->lines[i].key = mode_list_line_key(l, i);
	}
	for (i = above; i < l->count; i++)
		l->lines[first + i - above].item = i;
}

/* What the rows say about lines. */
struct places {
	unsigned width;
	uint32_t lines;
	uint32_t first;
	uint32_t above;
	key_code keys[LIST_WIRE_ITEMS];
	uint32_t count; /* of KEYS */
};

static void
get_places(struct rd *r, struct places *p)
{
	uint32_t i;

	p->width = (unsigned)pack_get_uint(r, LIST_WIRE_TEXT_MAX);
	p->lines = (uint32_t)pack_get_uint(r, MODE_LIST_MAX);
	p->first = (uint32_t)pack_get_uint(r, MODE_LIST_MAX);
	p->above = (uint32_t)pack_get_uint(r, UINT8_MAX);
	p->count = pack_get_array(r, LIST_WIRE_ITEMS);
	for (i = 0; i < p->count && r->err == 0; i++)
		p->keys[i] = pack_get_uint(r, UINT64_MAX);
}

static void
set_lines(struct rd *r, struct mode_list *l, const struct list_wire *w,
    const struct places *p)
{
	uint32_t i;

	if (w->whole) {
		mode_list_make_lines(l);
	} else {
		l->line_count = p->lines;
		part_lines(r, l, p->first, p->above);
	}
	l->key_width = p->width;
	if (r->err != 0 || !w->own_keys)
		return;
	if (p->first > l->line_count || p->count > l->line_count - p->first) {
		rd_fail(r, -ERR_PEER);
		return;
	}
	for (i = 0; i < l->line_count; i++)
		l->lines[i].key = KEY_NONE;
	for (i = 0; i < p->count; i++)
		l->lines[p->first + i].key = p->keys[i];
}

static void
get_bits(struct mode_list *l, struct list_wire *w, struct mode_list_ops *ops,
    uint64_t bits)
{
	w->whole = (bits & ROWS_WHOLE) != 0;
	w->own_keys = (bits & ROWS_OWN_KEYS) != 0;
	l->reversed = (bits & ROWS_REVERSED) != 0;
	l->show_info = (bits & ROWS_SHOWS_INFO) != 0;
	l->nothing = (bits & ROWS_NOTHING) != 0;
	if ((bits & ROWS_FILTERED) != 0)
		l->filter = mem_strdup("1");
	ops->info = (bits & ROWS_INFO) != 0;
	if ((bits & ROWS_ORDERED) != 0)
		ops->orders = w->orders;
}

static int
get_rows(struct rd *r, struct mode_list *l, struct list_wire *w,
    struct mode_list_ops *ops, struct places *p)
{
	const uint32_t items = pack_get_array(r, 64);
	uint32_t i;

	if (pack_get_uint(r, UINT32_MAX) != LIST_WIRE_VERSION ||
	    items < ROWS_COUNT)
		rd_fail(r, -ERR_PEER);
	get_bits(l, w, ops, pack_get_uint(r, UINT32_MAX));
	get_look(r, &w->look);
	ops->box = (unsigned)pack_get_uint(r, VT_ROWS_MAX);
	w->orders[0] = w->order = wire_text_get(r, LIST_WIRE_TEXT_MAX);
	l->fuzzy = wire_text_get(r, LIST_WIRE_TEXT_MAX);
	if (l->fuzzy != NULL && *l->fuzzy == '\0') {
		mem_free(l->fuzzy);
		l->fuzzy = NULL;
	}
	get_taken(r, w);
	get_places(r, p);
	get_items(r, l, w);
	if (items > ROWS_ASKS && r->err == 0)
		list_asks_get(r, w);
	for (i = ROWS_ASKS + 1; i < items; i++)
		pack_skip(r);
	return rd_done(r);
}

/* Reads the state after the rows. */
static int
get_state(struct rd *r, struct mode_list *l, struct list_wire *w)
{
	const uint32_t items = pack_get_array(r, 64);
	const uint64_t version = pack_get_uint(r, UINT32_MAX);
	const uint8_t *open, *tags;
	size_t n = 0, m = 0;
	uint32_t i;

	l->rows = (unsigned)pack_get_uint(r, VT_ROWS_MAX);
	l->view = (enum mode_list_view)pack_get_uint(r, MODE_LIST_BIG);
	l->current = (uint32_t)pack_get_uint(r, MODE_LIST_MAX);
	l->offset = (uint32_t)pack_get_uint(r, MODE_LIST_MAX);
	open = pack_get_bin(r, LIST_WIRE_ITEMS / 8, &n);
	tags = pack_get_bin(r, LIST_WIRE_ITEMS / 8, &m);
	if (version == STATE_VERSION_ASKED && r->err == 0) {
		peer_check(items >= STATE_ASKED_ITEMS);
		list_open_get(r, w);
	}
	for (i = w->open > 0 ? STATE_ASKED_ITEMS : STATE_ITEMS; i < items; i++)
		pack_skip(r);
	peer_check(r->err == 0 && items >= STATE_ITEMS &&
		   (version == LIST_WIRE_VERSION || w->open > 0) &&
		   l->rows > 0 && n == m && n == (l->count + 7) / 8);
	for (i = 0; i < l->count; i++) {
		l->items[i].expanded = (open[i / 8] >> i % 8 & 1) != 0;
		l->items[i].tagged = (tags[i / 8] >> i % 8 & 1) != 0;
	}
	return rd_done(r);
}

int
list_wire_get(struct rd *rows, struct rd *state, struct mode_list *l,
    struct list_wire *w, struct mode_list_ops *ops)
{
	struct places *p = mem_zalloc(sizeof(*p));
	int e = get_rows(rows, l, w, ops, p);

	l->ops = ops;
	if (e == 0)
		e = get_state(state, l, w);
	if (e == 0) {
		set_lines(state, l, w, p);
		e = state->err;
	}
	mem_free(p);
	peer_check(e == 0);
	peer_check(l->current < l->line_count && l->offset <= l->current);
	return 0;
}
