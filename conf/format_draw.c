#include "conf/format_draw.h"

#include <string.h>

#include "base/mem.h"
#include "conf/format_text.h"

/*
 * Text is sorted into parts (left, centre, ..., the list, text after the list)
 * as rows of cells. Each part gets a share of the width and a position. Cells
 * of the shares are copied into one row of slots. Equal neighbours become runs.
 */

enum fd_part {
	FD_LEFT,
	FD_CENTRE,
	FD_RIGHT,
	FD_ABSOLUTE,
	FD_LIST,
	FD_LIST_LEFT,  /* marker shown when the list is cut on its left */
	FD_LIST_RIGHT, /* marker shown when the list is cut on its right */
	FD_AFTER,      /* text after the list on its side */
	FD_PARTS,
	FD_NONE = FD_PARTS
};

struct fd_cell {
	const char *text;
	uint32_t len;
	uint16_t pen; /* index */
	uint8_t width;
};

struct fd_pen {
	struct pen pen;
	char *link; /* NULL: none */
};

struct fd_row {
	struct fd_cell *cells;
	size_t count;
	size_t cap;
	int width;
};

struct fd_range {
	struct style_range range;
	enum fd_part part;
	int start;
	int end;
};

/* One column of the result. */
struct fd_slot {
	const struct fd_cell *cell; /* NULL: a blank */
	uint16_t pen;
	bool tail;      /* second column of a wide cell */
	uint32_t range; /* index plus 1; 0: none */
};

struct fd {
	const struct grapheme_table *widths;
	struct fd_row parts[FD_PARTS];
	size_t cell_count;
	struct fd_pen *pens;
	size_t pen_count;
	size_t pen_cap;
	struct fd_range *ranges;
	size_t range_count;
	size_t range_cap;
	struct fd_range open; /* kind NONE: no range is open */
	int focus_start;      /* column in the list, -1 none */
	int focus_end;
	enum style_align list_align; /* DEFAULT: there is no list */
	int list_state;              /* 0 before, 1 within, 2 after the list */
	enum fd_part where[STYLE_ALIGN_ABSOLUTE_CENTRE + 1];
	enum fd_part current;
	struct style style;
	struct pen base;     /* "default" after pop-default */
	struct pen base_now; /* "default" now */
	colour fill;
	struct fd_slot *slots;
	int width;
	struct format_drawn *out;
};

/* Returns the index of the current style among the pens. */
static uint16_t
fd_pen(struct fd *d)
{
	const struct style *sy = &d->style;
	struct fd_pen *last;

	if (d->pen_count > 1) {
		last = &d->pens[d->pen_count - 1];
		if (pen_equal(&last->pen, &sy->pen) &&
		    strcmp(last->link != NULL ? last->link : "", sy->link) == 0)
			return (uint16_t)(d->pen_count - 1);
	}
	if (d->pen_count == FORMAT_DRAW_PENS_MAX)
		return (uint16_t)(d->pen_count - 1);
	if (d->pen_count == d->pen_cap) {
		d->pen_cap = d->pen_cap == 0 ? 16 : d->pen_cap * 2;
		d->pens = mem_resize(d->pens, d->pen_cap, sizeof(d->pens[0]));
	}
	last = &d->pens[d->pen_count];
	last->pen = sy->pen;
	last->link = sy->link[0] == '\0' ? NULL : mem_strdup(sy->link);
	return (uint16_t)d->pen_count++;
}

static void
fd_add_cell(struct fd *d, const struct format_text_item *item)
{
	struct fd_row *row = &d->parts[d->current];
	struct fd_cell *c;

	if (item->width == 0 || d->cell_count == FORMAT_DRAW_CELLS_MAX)
		return;
	if (row->count == row->cap) {
		row->cap = row->cap == 0 ? 32 : row->cap * 2;
		row->cells =
		    mem_resize(row->cells, row->cap, sizeof(row->cells[0]));
	}
	c = &row->cells[row->count++];
	c->text = item->shown;
	c->len = (uint32_t)item->shown_len;
	c->width = (uint8_t)item->width;
	c->pen = fd_pen(d);
	row->width += item->width;
	d->cell_count++;
}

/* Ends the open range; drops it if it has no columns. */
static void
fd_range_end(struct fd *d, bool keep)
{
	struct fd_range *r = &d->open;

	if (r->range.kind == STYLE_RANGE_NONE)
		return;
	r->end = d->parts[r->part].width;
	if (keep && r->end > r->start) {
		if (d->range_count == d->range_cap) {
			d->range_cap =
			    d->range_cap == 0 ? 16 : d->range_cap * 2;
			d->ranges = mem_resize(
			    d->ranges, d->range_cap, sizeof(d->ranges[0]));
		}
		d->ranges[d->range_count++] = *r;
	}
	r->range.kind = STYLE_RANGE_NONE;
}

static bool
fd_range_same(const struct style_range *a, const struct style_range *b)
{
	return a->kind == b->kind && a->argument == b->argument &&
	       strcmp(a->name, b->name) == 0;
}

static void
fd_focus_end(struct fd *d)
{
	if (d->focus_start != -1 && d->focus_end == -1)
		d->focus_end = d->parts[FD_LIST].width;
}

/* list=on: begins the list, or continues it after a focus or a marker. */
static void
fd_list_on(struct fd *d)
{
	if (d->list_state != 1) {
		fd_range_end(d, false);
		d->list_state = 1;
		d->list_align = d->style.align;
	}
	fd_focus_end(d);
	d->current = FD_LIST;
}

static void
fd_list_focus(struct fd *d)
{
	if (d->list_state == 1 && d->focus_start == -1)
		d->focus_start = d->parts[FD_LIST].width;
}

/* nolist: the text that follows on the list's side comes after the list. */
static void
fd_list_off(struct fd *d)
{
	if (d->list_state == 1) {
		fd_range_end(d, false);
		fd_focus_end(d);
		d->where[d->list_align] = FD_AFTER;
		if (d->list_align == STYLE_ALIGN_LEFT)
			d->where[STYLE_ALIGN_DEFAULT] = FD_AFTER;
		d->list_state = 2;
	}
	d->current = d->where[d->style.align];
}

static void
fd_list_marker(struct fd *d, enum fd_part part)
{
	if (d->list_state != 1 || d->parts[part].width != 0)
		return;
	fd_range_end(d, false);
	if (d->focus_start != -1 && d->focus_end == -1)
		d->focus_start = -1;
	d->current = part;
}

static void
fd_list_left(struct fd *d)
{
	fd_list_marker(d, FD_LIST_LEFT);
}

static void
fd_list_right(struct fd *d)
{
	fd_list_marker(d, FD_LIST_RIGHT);
}

typedef void (*fd_fn)(struct fd *d);

static const fd_fn fd_lists[] = {
	[STYLE_LIST_OFF] = fd_list_off,
	[STYLE_LIST_ON] = fd_list_on,
	[STYLE_LIST_FOCUS] = fd_list_focus,
	[STYLE_LIST_LEFT_MARKER] = fd_list_left,
	[STYLE_LIST_RIGHT_MARKER] = fd_list_right,
};

/* Parses the text between #[ and ]. */
static void
fd_style(struct fd *d, const char *p, size_t n)
{
	struct pen before = d->style.pen;

	if (style_parse(&d->style, &d->base_now, p, n) != 0)
		return;
	if (d->style.fill != COLOUR_NONE)
		d->fill = d->style.fill;
	if (d->style.action == STYLE_DEFAULT_PUSH)
		d->base_now = before;
	else if (d->style.action == STYLE_DEFAULT_POP)
		d->base_now = d->base;
	else if (d->style.action == STYLE_DEFAULT_SET)
		d->base = d->base_now = before;
	d->style.action = STYLE_DEFAULT_BASE;
	fd_lists[d->style.list](d);
	if (d->open.range.kind != STYLE_RANGE_NONE &&
	    (d->open.part != d->current ||
		!fd_range_same(&d->open.range, &d->style.range)))
		fd_range_end(d, true);
	if (d->open.range.kind == STYLE_RANGE_NONE &&
	    d->style.range.kind != STYLE_RANGE_NONE) {
		d->open.range = d->style.range;
		d->open.part = d->current;
		d->open.start = d->parts[d->current].width;
	}
}

/* Sorts the text into parts. */
static void
fd_read(struct fd *d, const char *text, size_t n)
{
	struct format_text t;
	struct format_text_item item;

	format_text_init(&t, d->widths, text, n);
	while (format_text_next(&t, &item) != FORMAT_TEXT_END) {
		if (item.kind == FORMAT_TEXT_STYLE) {
			fd_style(d, item.shown, item.shown_len);
			/* All behind #[ignore] is text. */
			t.no_hashes = d->style.ignore;
		} else if (item.kind == FORMAT_TEXT_CLUSTER)
			fd_add_cell(d, &item);
	}
	fd_range_end(d, false);
	fd_focus_end(d);
}

/* Records the columns of a part's ranges while its cells are copied. */
static void
fd_put_ranges(struct fd *d, enum fd_part part, int at, int from, int width)
{
	const struct fd_range *r;
	size_t i;
	int x, end;

	for (i = 0; i < d->range_count; i++) {
		r = &d->ranges[i];
		if (r->part != part)
			continue;
		end = MIN_OF(r->end, from + width);
		for (x = MAX_OF(r->start, from); x < end; x++)
			if (x - from + at >= 0 && x - from + at < d->width)
				d->slots[x - from + at].range = (uint32_t)i + 1;
	}
}

/* Copies columns FROM..FROM+WIDTH of a part to column AT. */
static void
fd_put(struct fd *d, enum fd_part part, int at, int from, int width)
{
	const struct fd_row *row = &d->parts[part];
	const struct fd_cell *c;
	int x = 0, to, k;
	size_t i;

	if (width <= 0)
		return;
	for (i = 0; i < row->count && x < from + width; x += c->width, i++) {
		c = &row->cells[i];
		for (k = 0; k < c->width; k++) {
			to = at + x + k - from;
			if (x + k < from || x + k >= from + width || to < 0 ||
			    to >= d->width)
				continue;
			d->slots[to].pen = c->pen;
			d->slots[to].range = 0;
			/* Half a wide cell becomes a blank of the same pen. */
			d->slots[to].cell = NULL;
			d->slots[to].tail = false;
			if (x >= from && x + c->width <= from + width &&
			    to - k + c->width <= d->width && to - k >= 0) {
				d->slots[to].cell = c;
				d->slots[to].tail = k > 0;
			}
		}
	}
	fd_put_ranges(d, part, at, from, width);
}

/* Takes columns from SHARES in ORDER until they fit into WIDTH. */
static void
fd_fit(int *shares, const enum fd_part *order, size_t count, int width)
{
	int64_t over = -(int64_t)width;
	size_t i;
	int cut;

	for (i = 0; i < count; i++)
		over += shares[order[i]];
	for (i = 0; i < count && over > 0; i++) {
		cut = (int)MIN_OF(over, (int64_t)shares[order[i]]);
		shares[order[i]] -= cut;
		over -= cut;
	}
}

static void
fd_put_absolute(struct fd *d, int share)
{
	share = MIN_OF(share, d->width);
	fd_put(d, FD_ABSOLUTE, (d->width - share) / 2, 0, share);
}

/* Lays out a line without a list. */
static void
fd_layout_none(struct fd *d)
{
	static const enum fd_part order[] = { FD_CENTRE, FD_RIGHT, FD_LEFT };
	int w[FD_PARTS], i, between;

	for (i = 0; i < FD_PARTS; i++)
		w[i] = d->parts[i].width;
	fd_fit(w, order, ARRAY_LEN(order), d->width);
	fd_put(d, FD_LEFT, 0, 0, w[FD_LEFT]);
	fd_put(d, FD_RIGHT, d->width - w[FD_RIGHT],
	    d->parts[FD_RIGHT].width - w[FD_RIGHT], w[FD_RIGHT]);
	between = d->width - w[FD_RIGHT] - w[FD_LEFT];
	fd_put(d, FD_CENTRE, w[FD_LEFT] + between / 2 - w[FD_CENTRE] / 2,
	    d->parts[FD_CENTRE].width / 2 - w[FD_CENTRE] / 2, w[FD_CENTRE]);
	fd_put_absolute(d, w[FD_ABSOLUTE]);
}

/* Puts the list into WIDTH columns at AT, around its focus, with markers. */
static void
fd_put_list(struct fd *d, int at, int width, int focus)
{
	int all = d->parts[FD_LIST].width, start;
	int left = d->parts[FD_LIST_LEFT].width;
	int right = d->parts[FD_LIST_RIGHT].width;

	if (width >= all) {
		fd_put(d, FD_LIST, at, 0, all);
		return;
	}
	if (d->focus_start != -1 && d->focus_end != -1)
		focus = d->focus_start + (d->focus_end - d->focus_start) / 2;
	start = focus < width / 2 ? 0 : focus - width / 2;
	start = MIN_OF(start, all - width);
	if (start != 0 && width > left) {
		fd_put(d, FD_LIST_LEFT, at, 0, left);
		at += left;
		start += left;
		width -= left;
	}
	if (start + width < all && width > right) {
		fd_put(d, FD_LIST_RIGHT, at + width - right, 0, right);
		width -= right;
	}
	fd_put(d, FD_LIST, at, start, width);
}

/*
 * Computes the shares of all parts. Returns false when the list gets no column:
 * the line is then laid out without the list and the text after it, as in tmux.
 */
static bool
fd_shares(struct fd *d, int *w, const enum fd_part *order, size_t count)
{
	int i;

	for (i = 0; i < FD_PARTS; i++)
		w[i] = d->parts[i].width;
	fd_fit(w, order, count, d->width);
	if (w[FD_LIST] > 0)
		return true;
	fd_layout_none(d);
	return false;
}

/* Places: left, list, after ... centre ... right */
static void
fd_layout_left(struct fd *d)
{
	static const enum fd_part order[] = { FD_CENTRE, FD_LIST, FD_RIGHT,
		FD_AFTER, FD_LEFT };
	int w[FD_PARTS], used;

	if (!fd_shares(d, w, order, ARRAY_LEN(order)))
		return;
	used = w[FD_LEFT] + w[FD_LIST] + w[FD_AFTER];
	fd_put(d, FD_LEFT, 0, 0, w[FD_LEFT]);
	fd_put(d, FD_RIGHT, d->width - w[FD_RIGHT],
	    d->parts[FD_RIGHT].width - w[FD_RIGHT], w[FD_RIGHT]);
	fd_put(d, FD_AFTER, w[FD_LEFT] + w[FD_LIST], 0, w[FD_AFTER]);
	fd_put(d, FD_CENTRE,
	    used + (d->width - w[FD_RIGHT] - used) / 2 - w[FD_CENTRE] / 2,
	    d->parts[FD_CENTRE].width / 2 - w[FD_CENTRE] / 2, w[FD_CENTRE]);
	fd_put_list(d, w[FD_LEFT], w[FD_LIST], 0);
	fd_put_absolute(d, w[FD_ABSOLUTE]);
}

/* Places: left ... centre, list, after ... right */
static void
fd_layout_centre(struct fd *d)
{
	static const enum fd_part order[] = { FD_LIST, FD_AFTER, FD_CENTRE,
		FD_RIGHT, FD_LEFT };
	int w[FD_PARTS], middle;

	if (!fd_shares(d, w, order, ARRAY_LEN(order)))
		return;
	fd_put(d, FD_LEFT, 0, 0, w[FD_LEFT]);
	fd_put(d, FD_RIGHT, d->width - w[FD_RIGHT],
	    d->parts[FD_RIGHT].width - w[FD_RIGHT], w[FD_RIGHT]);
	middle = w[FD_LEFT] + (d->width - w[FD_RIGHT] - w[FD_LEFT]) / 2;
	fd_put(d, FD_CENTRE, middle - w[FD_LIST] / 2 - w[FD_CENTRE], 0,
	    w[FD_CENTRE]);
	fd_put(
	    d, FD_AFTER, middle - w[FD_LIST] / 2 + w[FD_LIST], 0, w[FD_AFTER]);
	fd_put_list(d, middle - w[FD_LIST] / 2, w[FD_LIST],
	    d->parts[FD_LIST].width / 2);
	fd_put_absolute(d, w[FD_ABSOLUTE]);
}

/* Places: left ... centre ... right, list, after */
static void
fd_layout_right(struct fd *d)
{
	static const enum fd_part order[] = { FD_CENTRE, FD_LIST, FD_RIGHT,
		FD_AFTER, FD_LEFT };
	int w[FD_PARTS], from;

	if (!fd_shares(d, w, order, ARRAY_LEN(order)))
		return;
	from = d->width - w[FD_AFTER] - w[FD_LIST] - w[FD_RIGHT];
	fd_put(d, FD_LEFT, 0, 0, w[FD_LEFT]);
	fd_put(d, FD_AFTER, d->width - w[FD_AFTER],
	    d->parts[FD_AFTER].width - w[FD_AFTER], w[FD_AFTER]);
	fd_put(d, FD_RIGHT, from, 0, w[FD_RIGHT]);
	fd_put(d, FD_CENTRE,
	    w[FD_LEFT] + (from - w[FD_LEFT]) / 2 - w[FD_CENTRE] / 2,
	    d->parts[FD_CENTRE].width / 2 - w[FD_CENTRE] / 2, w[FD_CENTRE]);
	fd_put_list(d, from + w[FD_RIGHT], w[FD_LIST], 0);
	fd_put_absolute(d, w[FD_ABSOLUTE]);
}

/*
 * Places: left ... right, and over them in the middle absolute centre, list,
 * after
 */
static void
fd_layout_absolute(struct fd *d)
{
	static const enum fd_part outer[] = { FD_CENTRE, FD_RIGHT, FD_LEFT };
	static const enum fd_part inner[] = { FD_LIST, FD_AFTER, FD_ABSOLUTE };
	int w[FD_PARTS], middle;

	if (!fd_shares(d, w, inner, ARRAY_LEN(inner)))
		return;
	fd_fit(w, outer, ARRAY_LEN(outer), d->width);
	fd_put(d, FD_LEFT, 0, 0, w[FD_LEFT]);
	fd_put(d, FD_RIGHT, d->width - w[FD_RIGHT],
	    d->parts[FD_RIGHT].width - w[FD_RIGHT], w[FD_RIGHT]);
	middle = w[FD_LEFT] + (d->width - w[FD_RIGHT] - w[FD_LEFT]) / 2;
	fd_put(d, FD_CENTRE, middle - w[FD_CENTRE], 0, w[FD_CENTRE]);
	middle = (d->width - w[FD_LIST] - w[FD_ABSOLUTE]) / 2;
	fd_put(d, FD_ABSOLUTE, middle, 0, w[FD_ABSOLUTE]);
	middle += w[FD_ABSOLUTE];
	fd_put_list(d, middle, w[FD_LIST], d->parts[FD_LIST].width / 2);
	fd_put(d, FD_AFTER, middle + w[FD_LIST], 0, w[FD_AFTER]);
}

static const fd_fn fd_layouts[] = {
	[STYLE_ALIGN_DEFAULT] = fd_layout_none,
	[STYLE_ALIGN_LEFT] = fd_layout_left,
	[STYLE_ALIGN_CENTRE] = fd_layout_centre,
	[STYLE_ALIGN_RIGHT] = fd_layout_right,
	[STYLE_ALIGN_ABSOLUTE_CENTRE] = fd_layout_absolute,
};

/* Tells whether no other part covers half of the cell at X. */
static bool
fd_whole(const struct fd *d, int x)
{
	const struct fd_slot *s = &d->slots[x];

	if (s->cell == NULL || s->cell->width == 1)
		return s->cell != NULL;
	if (s->tail)
		return x > 0 && s[-1].cell == s->cell && !s[-1].tail;
	return x + 1 < d->width && s[1].cell == s->cell && s[1].tail;
}

static bool
fd_blank(const struct fd_slot *s)
{
	return s->cell == NULL && !s->tail && s->pen == 0;
}

/* Returns the number of runs. */
static size_t
fd_count_runs(const struct fd *d)
{
	const struct fd_slot *s = d->slots;
	size_t n = d->width > 0;
	int x;

	for (x = 1; x < d->width; x++)
		n += s[x].pen != s[x - 1].pen ||
		     fd_blank(&s[x]) != fd_blank(&s[x - 1]);
	return n;
}

/* Makes runs of equal neighbouring slots. */
static void
fd_runs(struct fd *d)
{
	const size_t count = fd_count_runs(d);
	struct format_drawn *out = d->out;
	struct format_run *run = NULL;
	struct buf text;
	size_t *starts;
	size_t i;
	int x, pen = -1;

	buf_init(&text, BUF_MAX);
	out->runs = mem_calloc(count + 1, sizeof(out->runs[0]));
	starts = mem_calloc(count + 1, sizeof(starts[0]));
	for (x = 0; x < d->width; x++) {
		const struct fd_slot *s = &d->slots[x];
		bool blank = fd_blank(s);

		if (run == NULL || s->pen != pen || run->blank != blank) {
			pen = s->pen;
			starts[out->run_count] = text.len;
			run = &out->runs[out->run_count++];
			run->x = x;
			run->blank = blank;
			run->pen = d->pens[pen].pen;
			run->link =
			    d->pens[pen].link != NULL ? d->pens[pen].link : "";
		}
		run->width++;
		if (!fd_whole(d, x))
			(void)buf_add_u8(&text, ' ');
		else if (!s->tail)
			(void)buf_add(&text, s->cell->text, s->cell->len);
		run->len = text.len - starts[out->run_count - 1];
	}
	out->text = buf_steal(&text, NULL);
	for (i = 0; i < out->run_count; i++)
		out->runs[i].text = out->text + starts[i];
	mem_free(starts);
}

/* Makes ranges of the slots; the topmost range of a column counts. */
static void
fd_ranges(struct fd *d)
{
	struct format_drawn *out = d->out;
	struct format_range *r = NULL;
	uint32_t last = 0;
	int x;

	out->ranges = mem_calloc(
	    d->range_count == 0 ? 1 : (size_t)d->width + 1, sizeof(*r));
	for (x = 0; x < d->width; x++) {
		if (d->slots[x].range != last && d->slots[x].range != 0) {
			r = &out->ranges[out->range_count++];
			r->range = d->ranges[d->slots[x].range - 1].range;
			r->start = x;
		}
		last = d->slots[x].range;
		if (last != 0 && r != NULL)
			r->end = x + 1;
	}
}

/* Moves the links to the result and frees the rest. */
static void
fd_finish(struct fd *d)
{
	char **links = mem_calloc(d->pen_count + 1, sizeof(links[0]));
	size_t i, n = 0;

	for (i = 0; i < d->pen_count; i++)
		if (d->pens[i].link != NULL)
			links[n++] = d->pens[i].link;
	d->out->links = links;
	for (i = 0; i < FD_PARTS; i++)
		mem_free(d->parts[i].cells);
	mem_free(d->pens);
	mem_free(d->ranges);
	mem_free(d->slots);
}

void
format_draw(struct format_drawn *out, const struct grapheme_table *widths,
    const struct pen *base, const char *text, size_t n, int width)
{
	struct fd d = { .widths = widths,
		.focus_start = -1,
		.focus_end = -1,
		.where = { FD_LEFT, FD_LEFT, FD_CENTRE, FD_RIGHT, FD_ABSOLUTE },
		.current = FD_LEFT,
		.base = *base,
		.base_now = *base,
		.fill = COLOUR_NONE,
		.out = out };

	memset(out, 0, sizeof(*out));
	d.width = out->width = CLAMP(width, 0, FORMAT_DRAW_WIDTH_MAX);
	style_init(&d.style);
	d.style.pen = *base;
	(void)fd_pen(&d); /* pen 0 is the pen of blanks */
	fd_read(&d, text, n);
	if (d.fill != COLOUR_NONE)
		d.pens[0].pen.bg = d.fill;
	d.slots = mem_calloc((size_t)d.width + 1, sizeof(d.slots[0]));
	fd_layouts[d.list_align](&d);
	fd_runs(&d);
	fd_ranges(&d);
	fd_finish(&d);
}

void
format_drawn_fini(struct format_drawn *d)
{
	char **links = d->links;
	size_t i;

	for (i = 0; links != NULL && links[i] != NULL; i++)
		mem_free(links[i]);
	mem_free(links);
	mem_free(d->runs);
	mem_free(d->ranges);
	mem_free(d->text);
	memset(d, 0, sizeof(*d));
}

const struct format_range *
format_drawn_at(const struct format_drawn *d, int x)
{
	size_t i;

	for (i = 0; i < d->range_count; i++)
		if (x >= d->ranges[i].start && x < d->ranges[i].end)
			return &d->ranges[i];
	return NULL;
}
