/*
 * The picture of the panel of keys: columns of equal width, each with its own
 * width of keys, filled from top to bottom, page after page.
 */
#include <string.h>

#include "base/grapheme.h"
#include "base/mem.h"
#include "mux/client.h"
#include "mux/view/key_panel.h"
#include "mux/view/status.h"
#include "mux/view/text.h"

#define GAP 2            /* columns between two columns of items */
#define COLUMN_MIN 36    /* of a column, if there is more than one */
#define COLUMN_MAX 60    /* wider ones only look empty */
#define COLS_MIN 12      /* of a client that gets a panel */
#define KEY_WIDTH_MAX 12 /* a longer name of a key pushes its text */
#define BYTES_MAX 16     /* of text in a column of the screen */

struct grid {
	unsigned wide; /* of a column, with the gap */
	unsigned cols;
	unsigned rows; /* of items */
	unsigned pages;
};

/* The place of an item. */
struct spot {
	unsigned page;
	unsigned col;
	unsigned row;
	unsigned rows;
	unsigned key; /* width of the keys in its column, with a blank */
};

static unsigned
text_width(const struct grapheme_table *gt, const char *s, size_t n)
{
	return (unsigned)grapheme_text_width(gt, s, n);
}

/* The bytes of TEXT that go into a row of WIDTH columns; at least one. */
static size_t
row_bytes(const struct grapheme_table *gt, const char *text, unsigned width)
{
	size_t n = view_text_fit(gt, text, width), end;

	/* A word that is wider than the column. */
	for (end = 1; n == 0 && text[0] != '\0'; end++)
		if ((text[end] & 0xc0) != 0x80 &&
		    (text[end] == '\0' || end >= BYTES_MAX * width ||
			text_width(gt, text, end + 1) > width))
			n = end;
	return n;
}

/* The rows that TEXT takes, at most MOST. */
static unsigned
text_rows(const struct grapheme_table *gt, const char *text, unsigned width,
    unsigned most)
{
	unsigned n = 1;

	for (; n < most; n++) {
		text += row_bytes(gt, text, width);
		text += strspn(text, " ");
		if (*text == '\0')
			break;
	}
	return n;
}

static unsigned
key_width(const struct grapheme_table *gt, const struct view_key_item *it)
{
	return it->key == NULL
		   ? 0
		   : MIN_OF(text_width(gt, it->key, strlen(it->key)),
			 (unsigned)KEY_WIDTH_MAX) +
			 1;
}

/* The rows of the items FROM..TO-1, whose keys take KEY columns. */
static unsigned
rows_of(const struct view_key_panel *p, const struct grapheme_table *gt,
    const struct grid *g, size_t from, size_t to, unsigned key)
{
	const unsigned wide = g->wide - GAP;
	unsigned n = 0;

	for (; from < to && n <= g->rows; from++)
		n += p->items[from].key == NULL
			 ? 1
			 : text_rows(gt, p->items[from].text,
			       wide > key + 1 ? wide - key : 1, g->rows + 1);
	return n;
}

/*
 * Returns the first item behind a column that begins with FROM, and the width of
 * its keys.  A heading does not stand at the end.
 */
static size_t
column_end(const struct view_key_panel *p, const struct grapheme_table *gt,
    const struct grid *g, size_t from, unsigned *key)
{
	unsigned k;
	size_t to;

	*key = key_width(gt, &p->items[from]);
	for (to = from + 1; to < p->count; to++) {
		k = MAX_OF(*key, key_width(gt, &p->items[to]));
		if (rows_of(p, gt, g, from, to + 1, k) > g->rows)
			break;
		*key = k;
	}
	if (to < p->count && to > from + 1 && p->items[to - 1].key == NULL)
		to--;
	return to;
}

/* Finds the places of all items, in SPOTS [count] unless NULL; sets the pages. */
static void
place(const struct view_key_panel *p, const struct grapheme_table *gt,
    struct grid *g, struct spot *spots)
{
	struct spot s = { 0, 0, 0, 0, 0 };
	size_t i = 0, end;

	for (;;) {
		end = column_end(p, gt, g, i, &s.key);
		for (s.row = 0; i < end; i++, s.row += s.rows) {
			s.rows = rows_of(p, gt, g, i, i + 1, s.key);
			s.rows = MIN_OF(s.rows, g->rows - s.row);
			if (spots != NULL)
				spots[i] = s;
		}
		if (i == p->count)
			break;
		if (++s.col == g->cols) {
			s.col = 0;
			s.page++;
		}
	}
	g->pages = s.page + 1;
}

static void
measure(const struct view_key_panel *p, const struct grapheme_table *gt,
    unsigned width, unsigned height, struct grid *g)
{
	const struct view_key_item *it;
	unsigned text = 0, key = 0, most;
	size_t i;

	for (i = 0; i < p->count; i++) {
		it = &p->items[i];
		key = MAX_OF(key, key_width(gt, it));
		text = MAX_OF(text, text_width(gt, it->text, strlen(it->text)));
	}
	text = MIN_OF(key + text, (unsigned)COLUMN_MAX) + GAP;
	most = MAX_OF(width / (COLUMN_MIN + GAP), 1u);
	*g = (struct grid){ .cols = MAX_OF(width / text, 1u), .pages = 2 };
	/* Narrow the columns while not all of them fit; as few rows as do. */
	for (;; g->cols++) {
		g->wide = MIN_OF(width / g->cols, text);
		g->rows = (unsigned)((p->count + g->cols - 1) / g->cols);
		for (; g->rows <= height && g->pages > 1; g->rows++)
			place(p, gt, g, NULL);
		if (g->pages == 1 || g->cols >= most)
			break;
	}
	if (g->pages == 1) {
		g->rows--;
		return;
	}
	/* The last row is then for the number of the page. */
	g->rows = MAX_OF(height - 1, 1u);
	place(p, gt, g, NULL);
}

static void
draw_item(const struct grapheme_table *gt, struct vt_frame *f,
    const struct spot *s, const struct grid *g, const struct view_key_item *it,
    const struct pen *pen)
{
	unsigned x = 1 + s->col * g->wide, y = s->row, i;
	const unsigned end = MIN_OF(x + g->wide - GAP, (unsigned)f->cols);
	const char *text = it->text;
	struct pen bold = *pen;
	size_t n;

	bold.attrs |= PEN_BOLD;
	if (it->key == NULL) {
		bold.attrs |= PEN_UL_SINGLE << PEN_UL_SHIFT;
		(void)vt_frame_text(
		    f, gt, x, y, end, text, strlen(text), &bold);
		return;
	}
	x = MAX_OF(x + s->key,
	    vt_frame_text(f, gt, x, y, end, it->key, strlen(it->key), &bold) +
		1);
	for (i = 0; i < s->rows && x < end && *text != '\0'; i++, y++) {
		n = row_bytes(gt, text, end - x);
		if (i + 1 == s->rows && text[n] != '\0') {
			n = row_bytes(gt, text, MAX_OF(end - x - 1, 1u));
			vt_frame_repeat(f,
			    vt_frame_text(f, gt, x, y, end, text, n, pen), y, 1,
			    0x2026, pen);
			return;
		}
		(void)vt_frame_text(f, gt, x, y, end, text, n, pen);
		text += n;
		text += strspn(text, " ");
	}
}

/* The number of the page, and as many hints as fit whole. */
static void
draw_footer(const struct grapheme_table *gt, struct vt_frame *f,
    const struct view_key_panel *p, const struct grid *g, unsigned page,
    const struct pen *pen)
{
	char *key = view_key_panel_name_new(p->next), *text;
	struct pen bold = *pen;
	size_t n;

	bold.attrs |= PEN_BOLD;
	if (p->next == KEY_NONE)
		text =
		    mem_printf("page %u of %u%s", page + 1, g->pages, p->hint);
	else
		text = mem_printf("page %u of %u   %s: next page%s", page + 1,
		    g->pages, key, p->hint);
	for (n = strlen(text); text_width(gt, text, n) + 1 > f->cols;)
		for (n--; n > 0 && strncmp(text + n, "   ", 3) != 0;)
			n--;
	(void)vt_frame_text(f, gt, 1, f->rows - 1u, f->cols, text, n, &bold);
	mem_free(text);
	mem_free(key);
}

void
view_key_panel_add(struct view_builder *b, struct sync_view *v,
    const struct view_key_panel *p, int *page)
{
	const struct client *c = b->cx.client;
	const struct grapheme_table *gt = c->mux->setup.graphemes;
	const struct pen pen = view_text_message_pen(&b->cx);
	const int below = b->side == CLIENT_TOP ? c->h : b->area.h;
	const int height = MIN_OF(c->h / 2, below - 1);
	struct spot *spots;
	struct vt_frame *f;
	struct grid g;
	size_t i;
	int count;

	if (p->count == 0 || height < 1 || c->w < COLS_MIN)
		return;
	measure(p, gt, (unsigned)c->w - 1, (unsigned)height, &g);
	spots = mem_calloc(p->count, sizeof(*spots));
	place(p, gt, &g, spots);
	count = (int)g.pages;
	*page = (*page % count + count) % count;
	f = vt_frame_new(
	    (unsigned)c->w, g.rows + (g.pages > 1 && height > 1 ? 1 : 0));
	f->state.modes &= ~(uint32_t)VT_FRAME_CURSOR_VISIBLE;
	vt_frame_fill(f, &(struct vt_rect){ 0, 0, f->cols, f->rows }, &pen);
	for (i = 0; i < p->count; i++)
		if (spots[i].page == (unsigned)*page)
			draw_item(gt, f, &spots[i], &g, &p->items[i], &pen);
	mem_free(spots);
	if (f->rows > g.rows)
		draw_footer(gt, f, p, &g, (unsigned)*page, &pen);
	sync_view_add(
	    v, VIEW_SURFACE_PANEL, SYNC_SURFACE_OVERLAY, 0, below - f->rows, f);
	vt_frame_unref(f);
}
