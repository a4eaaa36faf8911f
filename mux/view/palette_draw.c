/*
 * The picture of the palette: a box with the query and the rows below it.
 */
#include <stdio.h>
#include <string.h>

#include "base/grapheme.h"
#include "base/mem.h"
#include "mux/client.h"
#include "mux/session.h"
#include "mux/view/box.h"
#include "mux/view/palette_int.h"
#include "mux/view/text.h"

#define EDGE 2       /* columns between the side of the box and text */
#define GAP 2        /* columns between two texts of a row */
#define DETAIL_MIN 8 /* columns of a detail that is worth showing */

static const char *const kind_words[VIEW_PALETTE_KINDS] = {
	[VIEW_PALETTE_KEY] = "key",
	[VIEW_PALETTE_WINDOW] = "window",
	[VIEW_PALETTE_SESSION] = "session",
	[VIEW_PALETTE_PANE] = "pane",
	[VIEW_PALETTE_COMMAND] = "command",
	[VIEW_PALETTE_OPTION] = "option",
};

static struct pen
pen_of(const struct view_context *cx, enum option_id id, const struct pen *base)
{
	return view_text_style(cx, &cx->client->session->options, id, base);
}

static unsigned
width_of(const struct palette_look *k, const char *s, size_t n)
{
	return (unsigned)grapheme_text_width(k->gt, s, n);
}

/*
 * Writes TEXT from X to END-1; an ellipsis shows that it is cut, within a word
 * only if that is its first one.
 */
static unsigned
put(const struct palette_look *k, unsigned x, unsigned y, unsigned end,
    const char *text, const struct pen *pen)
{
	size_t n = strlen(text);

	if (x >= end)
		return x;
	if (width_of(k, text, n) > end - x)
		n = view_text_fit(k->gt, text, end - x - 1);
	else
		return vt_frame_text(k->f, k->gt, x, y, end, text, n, pen);
	if (n == 0)
		n = strlen(text);
	x = vt_frame_text(k->f, k->gt, x, y, end - 1, text, n, pen);
	vt_frame_repeat(k->f, x, y, 1, 0x2026, pen);
	return x + 1;
}

/* Lays the style of a match over a cell. */
static void
over(struct pen *pen, void *arg)
{
	const struct pen *style = arg;

	if (style->fg != 0)
		pen->fg = style->fg;
	if (style->bg != 0)
		pen->bg = style->bg;
	pen->attrs |= style->attrs;
}

/* Marks the characters of TEXT, drawn from X to END-1, that WORD matches. */
static void
mark(const struct palette_look *k, const struct view_fuzzy *word,
    const char *text, unsigned x, unsigned y, unsigned end)
{
	uint16_t at[VIEW_FUZZY_WORD_MAX];
	struct pen style = k->match;
	unsigned i, col;

	if (view_fuzzy_match(word, text, at) == VIEW_FUZZY_NONE)
		return;
	for (i = 0; i < word->count; i++) {
		col = x + width_of(k, text, at[i]);
		if (col < end)
			vt_line_repen(NULL, vt_frame_own(k->f, y), col, col + 1,
			    over, &style);
	}
}

static bool
matches(const struct view_fuzzy *word, const char *text)
{
	return view_fuzzy_match(word, text, NULL) != VIEW_FUZZY_NONE;
}

/* The text at the right of an item: its key or its kind. */
static const char *
right_of(const struct view_palette_item *it)
{
	return it->key != NULL ? it->key : kind_words[it->kind];
}

/* The column where the text at the right begins, or the end of the row. */
static unsigned
right_column(const struct palette_look *k, const struct view_palette_item *it)
{
	const unsigned last = k->f->cols - EDGE;
	const unsigned wide = width_of(k, right_of(it), strlen(right_of(it)));

	return wide + GAP <= last / 3 ? last - wide : last;
}

static void
draw_row(const struct palette_look *k, const struct view_palette_item *it,
    unsigned y, bool chosen)
{
	const struct pen *pen = chosen ? &k->selected : &k->plain;
	const unsigned last = k->f->cols - EDGE, right = right_column(k, it);
	const unsigned end = right < last ? right - GAP : last;
	struct pen dim = *pen, bold = *pen;
	unsigned x, detail = 0;
	size_t i;

	dim.attrs |= PEN_DIM;
	bold.attrs |= PEN_BOLD;
	vt_frame_fill(
	    k->f, &(struct vt_rect){ 1, y, k->f->cols - 1u, y + 1 }, pen);
	if (right < last)
		(void)put(k, right, y, last, right_of(it),
		    it->key != NULL ? &bold : &dim);
	x = put(k, EDGE, y, end, it->label, pen);
	if (it->detail != NULL) {
		detail = MAX_OF(x + GAP, k->detail);
		if (detail + DETAIL_MIN <= end &&
		    view_text_fit(k->gt, it->detail, end - detail - 1) > 0)
			(void)put(k, detail, y, end, it->detail, &dim);
		else
			detail = 0;
	}
	for (i = 0; i < k->count; i++) {
		if (matches(&k->words[i], it->label))
			mark(k, &k->words[i], it->label, EDGE, y, x);
		else if (detail > 0)
			mark(k, &k->words[i], it->detail, detail, y, end);
	}
}

static const char *
kind_title(const struct view_palette *p)
{
	return p->kind < 0
		   ? "everything"
		   : view_palette_kind_name((enum view_palette_kind)p->kind);
}

void
palette_draw_number(const struct palette_look *k, const struct view_palette *p,
    const struct pen *pen)
{
	const unsigned w = (unsigned)p->w;
	char number[48];
	unsigned wide;

	if (p->row_count == 0)
		(void)snprintf(number, sizeof(number), " none ");
	else
		(void)snprintf(number, sizeof(number), " %zu/%zu ",
		    p->choice + 1, p->row_count);
	wide = width_of(k, number, strlen(number));
	/* The title has a blank on each side. */
	if (wide + strlen(kind_title(p)) + 7 <= w)
		(void)vt_frame_text(k->f, k->gt, w - 2 - wide, 0, w - 2, number,
		    strlen(number), pen);
}

/* The kind at the left of the border, numbers of rows at the right, keys below. */
static void
draw_border(const struct view_context *cx, const struct palette_look *k,
    const struct view_palette *p, enum view_box_lines lines,
    const struct pen *pen)
{
	static const char *const hints[] = {
		" Enter: do it   C-o: edit it first   Tab: kinds   Esc: close ",
		" Enter: do   C-o: edit   Tab: kinds ", " Tab: kinds "
	};
	const char *kind = kind_title(p);
	const unsigned w = (unsigned)p->w;
	unsigned wide;
	char title[32];
	size_t i;

	(void)snprintf(title, sizeof(title), " %s ", kind);
	view_box_draw(cx, k->f, lines, title, pen);
	palette_draw_number(k, p, pen);
	for (i = 0; i < ARRAY_LEN(hints); i++)
		if ((wide = width_of(k, hints[i], strlen(hints[i]))) + 4 <= w) {
			(void)vt_frame_text(k->f, k->gt, 2, k->f->rows - 1u,
			    w - 2, hints[i], strlen(hints[i]), pen);
			break;
		}
}

void
palette_draw_rows(struct palette_look *k, const struct view_palette *p)
{
	const size_t rows = (size_t)palette_list_rows(p);
	const unsigned most = k->f->cols * 3u / 5;
	const struct view_palette_item *it;
	struct pen dim = k->plain;
	size_t i, row;
	unsigned x;

	dim.attrs |= PEN_DIM;
	if (p->row_count == 0)
		(void)put(k, EDGE, PALETTE_LIST_Y, (unsigned)p->w - EDGE,
		    "nothing matches", &dim);
	for (i = 0; i < rows && (row = p->top + i) < p->row_count; i++) {
		it = &p->items[p->rows[row].item];
		x = EDGE + width_of(k, it->label, strlen(it->label)) + GAP;
		k->detail = MAX_OF(k->detail, MIN_OF(x, most));
	}
	for (i = 0; i < rows && (row = p->top + i) < p->row_count; i++)
		draw_row(k, &p->items[p->rows[row].item],
		    PALETTE_LIST_Y + (unsigned)i, row == p->choice);
}

struct vt_frame *
palette_query_frame(const struct grapheme_table *gt,
    const struct view_palette *p, const struct pen *pen)
{
	const unsigned w = (unsigned)p->w - 2;
	struct vt_frame *f = vt_frame_new(w, 1);
	struct pen bold = *pen;

	bold.attrs |= PEN_BOLD;
	vt_frame_fill(f, &(struct vt_rect){ 0, 0, w, 1 }, pen);
	(void)vt_frame_text(f, gt, 1, 0, w, ">", 1, &bold);
	prompt_edit_draw(&p->edit, gt, f, PALETTE_QUERY_X, pen);
	f->state.modes |= VT_FRAME_CURSOR_VISIBLE;
	return f;
}

/* The surface of the query, which the client may predict. */
static void
show_query(const struct view_context *cx, struct sync_view *v,
    const struct view_palette *p, const struct pen *pen)
{
	struct vt_frame *f =
	    palette_query_frame(cx->client->mux->setup.graphemes, p, pen);

	sync_view_add(v, VIEW_SURFACE_PALETTE_LINE, SYNC_SURFACE_OVERLAY,
	    p->x + 1, p->y + 1, f);
	vt_frame_unref(f);
	v->focus = VIEW_SURFACE_PALETTE_LINE;
}

void
palette_pens(const struct view_context *cx, struct palette_look *k)
{
	static const struct pen none;

	k->plain = pen_of(cx, OPTION_PALETTE_STYLE, &none);
	k->selected = pen_of(cx, OPTION_PALETTE_SELECTED_STYLE, &k->plain);
	k->match = pen_of(cx, OPTION_PALETTE_MATCH_STYLE, &none);
}

unsigned
view_palette_show(
    struct view_builder *b, struct sync_view *v, const struct view_palette *p)
{
	const struct view_context *cx = &b->cx;
	struct view_fuzzy words[VIEW_PALETTE_WORDS_MAX];
	const enum view_box_lines lines = (enum view_box_lines)options_number(
	    &cx->client->session->options, OPTION_PALETTE_BORDER_LINES);
	struct pen border;
	struct palette_look k = { .gt = cx->client->mux->setup.graphemes,
		.words = words };
	char *query;

	if (p->w == 0)
		return 0;
	query = p->edit.text.len == 0
		    ? mem_strdup("")
		    : mem_strndup(
			  (const char *)p->edit.text.data, p->edit.text.len);
	k.count = palette_words(query, words);
	mem_free(query);
	palette_pens(cx, &k);
	border = pen_of(cx, OPTION_PALETTE_BORDER_STYLE, &k.plain);
	k.f = vt_frame_new((unsigned)p->w, (unsigned)p->h);
	k.f->state.modes &= ~(uint32_t)VT_FRAME_CURSOR_VISIBLE;
	vt_frame_fill(k.f,
	    &(struct vt_rect){ 0, 0, (unsigned)p->w, (unsigned)p->h },
	    &k.plain);
	palette_draw_rows(&k, p);
	draw_border(cx, &k, p, lines, &border);
	sync_view_add(
	    v, VIEW_SURFACE_PALETTE, SYNC_SURFACE_OVERLAY, p->x, p->y, k.f);
	vt_frame_unref(k.f);
	show_query(cx, v, p, &k.plain);
	b->mouse_wanted = VT_MOUSE_ANY;
	return PALETTE_QUERY_X;
}
