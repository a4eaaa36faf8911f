#include "mux/vt/turn.h"

#include "base/bidi.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "mux/vt/line_int.h"

/* Returns the code point that stands for the cell C. */
static uint32_t
cell_first(const struct vt_line *line, struct vt_cell c)
{
	const char *p;
	uint32_t cp;
	size_t n;

	if ((c.ch & VT_CELL_CLUSTER) == 0)
		return c.ch == 0 ? ' ' : c.ch;
	p = vt_line_cluster(line, c, &n);
	return utf8_decode_final((const uint8_t *)p, n, &cp) > 0 ? cp : ' ';
}

bool
vt_turn_needed(const struct vt_line *line)
{
	unsigned i;

	for (i = 0; i < line->len; i++)
		if (line->cells[i].ch >= 0x590 &&
		    bidi_is_rtl(cell_first(line, line->cells[i])))
			return true;
	return false;
}

/* A paragraph while it is resolved. */
struct turn {
	struct bidi *bidi;
	unsigned cols;
	uint32_t *text; /* [count] code points of all rows */
	uint16_t *at;   /* [count] column of each in its row */
	size_t *start;  /* [rows + 1] first character of each row */
	int *order;     /* [cols] */
};

static void
turn_read(struct turn *t, struct vt_line *const *rows, size_t n)
{
	size_t i, count = 0;
	struct vt_cell c;
	unsigned x;

	for (i = 0; i < n; i++) {
		t->start[i] = count;
		for (x = 0; x < t->cols; x++) {
			c = vt_line_cell(rows[i], x);
			if (c.width == VT_TAIL)
				continue;
			t->text[count] = cell_first(rows[i], c);
			t->at[count++] = (uint16_t)x;
		}
	}
	t->start[n] = count;
}

/* Shows the mirror image of a cell that is written from right to left. */
static void
cell_mirror(struct vt_cell *c)
{
	if ((c->ch & VT_CELL_CLUSTER) == 0 && c->ch > ' ')
		c->ch = bidi_mirror(c->ch);
}

/* Whether the row of N characters from START on stays as it is. */
static bool
turn_is_same(const struct turn *t, size_t start, size_t n)
{
	size_t k;

	for (k = 0; k < n; k++)
		if (t->order[k] != (int)k ||
		    (bidi_level_odd(t->bidi, start + k) &&
			bidi_mirror(t->text[start + k]) != t->text[start + k]))
			return false;
	return true;
}

/*
 * Returns LINE, row I, with its cells in the order of T; NULL if that is the same.
 */
static struct vt_line *
turn_row(
    const struct turn *t, size_t i, const struct vt_line *line, uint16_t *map)
{
	const size_t start = t->start[i], n = t->start[i + 1] - start;
	struct vt_line *out;
	unsigned x = 0, from;
	struct vt_cell c;
	size_t k, at;

	if (turn_is_same(t, start, n))
		return NULL;
	out = vt_line_clone(NULL, line);
	vt_line_grow(out, t->cols);
	for (k = 0; k < n; k++) {
		at = start + (size_t)t->order[k];
		from = t->at[at];
		c = vt_line_cell(line, from);
		if (c.width != VT_WIDE)
			c.width = VT_NARROW;
		if (bidi_level_odd(t->bidi, at))
			cell_mirror(&c);
		map[x] = (uint16_t)from;
		out->cells[x++] = c;
		if (c.width == VT_WIDE) {
			map[x] = (uint16_t)(from + 1);
			out->cells[x++] = vt_line_cell(line, from + 1);
		}
	}
	out->len = (uint16_t)x;
	out->flags |= VT_LINE_TURNED;
	out->hash = 0;
	return out;
}

static void
turn_rows(struct turn *t, struct vt_line **rows, size_t n, size_t skip,
    uint16_t **maps)
{
	struct vt_line *line;
	uint16_t *map;
	size_t i;

	for (i = skip; i < n; i++) {
		if (bidi_order(t->bidi, t->start[i],
			t->start[i + 1] - t->start[i], t->order) != 0)
			continue;
		map = mem_calloc(t->cols, sizeof(*map));
		line = turn_row(t, i, rows[i], map);
		if (line == NULL) {
			mem_free(map);
			continue;
		}
		vt_line_unref(NULL, rows[i]);
		rows[i] = line;
		maps[i] = map;
	}
}

void
vt_turn(struct vt_line **rows, size_t n, size_t skip, unsigned cols,
    uint16_t **maps)
{
	struct turn t = { .cols = cols };
	bool needed = false;
	size_t i;

	for (i = 0; i < n; i++) {
		maps[i] = NULL;
		needed = needed || vt_turn_needed(rows[i]);
	}
	if (!needed || cols == 0 || n > VT_TURN_CELLS / cols)
		return;
	t.text = mem_calloc(n * cols, sizeof(*t.text));
	t.at = mem_calloc(n * cols, sizeof(*t.at));
	t.start = mem_calloc(n + 1, sizeof(*t.start));
	t.order = mem_calloc(cols, sizeof(*t.order));
	turn_read(&t, rows, n);
	if (bidi_new(t.text, t.start[n], &t.bidi) == 0)
		turn_rows(&t, rows, n, skip, maps);
	bidi_free(t.bidi);
	mem_free(t.text);
	mem_free(t.at);
	mem_free(t.start);
	mem_free(t.order);
}
