/* What a list shows: rows, the box with the preview, help. */
#include <stdio.h>
#include <string.h>

#include "base/grapheme.h"
#include "base/mem.h"
#include "conf/format_draw.h"
#include "conf/key_name.h"
#include "mux/mode/list.h"
#include "mux/mode/list_int.h"
#include "mux/pane.h"

#define LABEL_COLS 13u /* of info views */
#define INFO_MS 1000   /* info views show ages */

/* Fewer rows than this for the list: there is no preview. */
#define LIST_ROWS_MIN 10u

/* A preview with its box gets no fewer rows than this. */
#define BOX_ROWS_MIN 5u

unsigned
mode_list_height(const struct mode_list *l, unsigned rows)
{
	unsigned h;

	if (l->view == MODE_LIST_OFF)
		return rows;
	if (l->ops->box != 0) {
		h = rows > l->ops->box ? rows - l->ops->box : rows;
	} else if (l->view == MODE_LIST_BIG) {
		h = MIN_OF(rows / 4, l->line_count);
		h = MAX_OF(h, 2u);
	} else {
		h = rows / 3 * 2;
		if (h > l->line_count)
			h = rows / 2;
		if (h < LIST_ROWS_MIN)
			h = rows;
	}
	return h + BOX_ROWS_MIN > rows ? rows : h;
}

/* --- pieces ------------------------------------------------------------------------ */

static colour
theme(const struct mode_paint *paint, enum style_theme t)
{
	return paint->colour(
	    paint->arg, (colour)COLOUR_KIND_THEME << 24 | (colour)t);
}

static struct pen
style(const struct mode_paint *paint, enum option_id id)
{
	static const struct pen plain;

	return paint->style(paint->arg, id, &plain);
}

struct pen
mode_list_border(const struct mode_paint *paint)
{
	return style(paint, OPTION_TREE_MODE_BORDER_STYLE);
}

static unsigned
put(struct vt_frame *f, unsigned x, unsigned y, unsigned end, const char *s,
    const struct pen *pen, const struct mode_paint *paint)
{
	return vt_frame_text(f, paint->graphemes, x, y, end, s, strlen(s), pen);
}

void
mode_list_text(UNUSED struct mode_list *l, struct vt_frame *f, unsigned x,
    unsigned y, unsigned w, const char *text, const struct pen *base,
    bool plain, const struct mode_paint *paint)
{
	struct format_drawn d;
	const struct format_run *run;
	struct pen pen;
	size_t i;

	if (w == 0 || y >= f->rows)
		return;
	format_draw(&d, paint->graphemes, base, text, strlen(text), (int)w);
	for (i = 0; i < d.run_count; i++) {
		run = &d.runs[i];
		if (run->blank)
			continue;
		pen = plain ? *base : run->pen;
		pen.attrs |= run->pen.attrs;
		pen.fg = paint->colour(paint->arg, pen.fg);
		pen.bg = paint->colour(paint->arg, pen.bg);
		(void)vt_frame_link(f, paint->graphemes, x + (unsigned)run->x,
		    y, x + (unsigned)(run->x + run->width), run->text, run->len,
		    &pen, run->link);
	}
	format_drawn_fini(&d);
}

void
mode_list_box(
    struct vt_frame *f, const struct vt_rect *r, const struct pen *pen)
{
	const unsigned w = r->right - r->left, right = r->right - 1,
		       bottom = r->bottom - 1;
	unsigned y;

	if (w < 2 || r->bottom - r->top < 2)
		return;
	vt_frame_repeat(f, r->left + 1, r->top, w - 2, 0x2500, pen);
	vt_frame_repeat(f, r->left + 1, bottom, w - 2, 0x2500, pen);
	vt_frame_repeat(f, r->left, r->top, 1, 0x250c, pen);
	vt_frame_repeat(f, right, r->top, 1, 0x2510, pen);
	vt_frame_repeat(f, r->left, bottom, 1, 0x2514, pen);
	vt_frame_repeat(f, right, bottom, 1, 0x2518, pen);
	for (y = r->top + 1; y < bottom; y++) {
		vt_frame_repeat(f, r->left, y, 1, 0x2502, pen);
		vt_frame_repeat(f, right, y, 1, 0x2502, pen);
	}
}

void
mode_list_info(struct mode_list *l, struct vt_frame *f, const struct vt_rect *r,
    unsigned *row, const char *label, const char *value,
    const struct mode_paint *paint)
{
	static const struct pen plain;
	const unsigned y = r->top + *row, bar = r->left + LABEL_COLS + 1;
	const struct pen border = mode_list_border(paint);
	struct pen pen = plain;

	if (y >= r->bottom)
		return;
	(*row)++;
	if (label == NULL) {
		vt_frame_repeat(
		    f, r->left, y, r->right - r->left, 0x2500, &border);
		if (bar < r->right)
			vt_frame_repeat(f, bar, y, 1, 0x253c, &border);
		return;
	}
	pen.fg = theme(paint, STYLE_THEME_LIGHTGREY);
	(void)put(f, r->left, y, MIN_OF(r->right, r->left + LABEL_COLS), label,
	    &pen, paint);
	if (bar >= r->right)
		return;
	vt_frame_repeat(f, bar, y, 1, 0x2502, &border);
	if (bar + 2 < r->right)
		mode_list_text(l, f, bar + 2, y, r->right - bar - 2, value,
		    &plain, false, paint);
}

/* --- rows -------------------------------------------------------------------------- */

/* Pens of the parts of a row; all the same in the current one. */
struct row_pens {
	struct pen grey;
	struct pen name;
	struct pen more;
	struct pen less;
};

static unsigned
draw_key(struct mode_list *l, struct vt_frame *f, unsigned y, key_code key,
    const struct row_pens *pens, const struct mode_paint *paint)
{
	char name[KEY_NAME_MAX], text[KEY_NAME_MAX + 4];

	if (key != KEY_NONE) {
		(void)snprintf(text, sizeof(text), "(%s)",
		    key_name_format(key, name, sizeof(name)));
		(void)put(f, 0, y, f->cols, text, &pens->grey, paint);
	}
	return l->key_width;
}

/* The lines from the parents of IT to it. */
static unsigned
draw_branch(struct mode_list *l, const struct mode_item *it, struct vt_frame *f,
    unsigned x, unsigned y, const struct row_pens *pens,
    const struct mode_paint *paint)
{
	uint32_t up[UINT8_MAX + 1] = { 0 }, i;
	unsigned n = 0;
	const bool more = it->end > (uint32_t)(it - l->items) + 1;

	for (i = it->parent; i != MODE_LIST_NONE; i = l->items[i].parent)
		up[n++] = i;
	/* The outermost parent has no line of its own. */
	for (i = n; i-- > 0;)
		if (l->items[up[i]].depth > 0)
			x = put(f, x, y, f->cols,
			    l->items[up[i]].last ? "    " : "\342\224\202   ",
			    &pens->grey, paint);
	if (it->depth > 0)
		x = put(f, x, y, f->cols,
		    it->last ? "\342\224\224\342\224\200\342\206\222 "
			     : "\342\224\234\342\224\200\342\206\222 ",
		    &pens->grey, paint);
	if (more)
		x = put(f, x, y, f->cols, it->expanded ? "-" : "+",
		    it->expanded ? &pens->less : &pens->more, paint);
	if (more || !it->flat)
		x = put(
		    f, x, y, f->cols, more ? " " : "  ", &pens->grey, paint);
	return x;
}

static unsigned
draw_name(const struct mode_item *it, struct vt_frame *f, unsigned x,
    unsigned y, const struct row_pens *pens, const struct mode_paint *paint)
{
	const unsigned n = (unsigned)strlen(it->name);
	unsigned i;

	for (i = n; it->right && i < it->width; i++)
		x = put(f, x, y, f->cols, " ", &pens->name, paint);
	x = put(f, x, y, f->cols, it->name, &pens->name, paint);
	if (it->tagged)
		x = put(f, x, y, f->cols, "*", &pens->name, paint);
	return x;
}

static void
draw_row(struct mode_list *l, uint32_t line, struct vt_frame *f, unsigned y,
    const struct mode_paint *paint)
{
	const struct mode_item *it = &l->items[l->lines[line].item];
	const bool current = line == l->current;
	struct row_pens p;
	unsigned x;
	char *text;

	memset(&p, 0, sizeof(p));
	if (current) {
		p.grey = style(paint, OPTION_TREE_MODE_SELECTION_STYLE);
		if (it->tagged)
			p.grey.fg = theme(paint, STYLE_THEME_CYAN);
		p.name = p.more = p.less = p.grey;
		vt_frame_fill(
		    f, &(struct vt_rect){ 0, y, f->cols, y + 1 }, &p.grey);
	} else {
		p.grey.fg = theme(paint, STYLE_THEME_LIGHTGREY);
		p.more.fg = theme(paint, STYLE_THEME_GREEN);
		p.less.fg = theme(paint, STYLE_THEME_RED);
		if (it->tagged)
			p.name.fg = theme(paint, STYLE_THEME_CYAN);
	}
	x = draw_key(l, f, y, l->lines[line].key, &p, paint);
	x = draw_branch(l, it, f, x, y, &p, paint);
	x = draw_name(it, f, x, y, &p, paint);
	text = l->ops->text == NULL ? NULL : l->ops->text(l, it);
	if (text != NULL) {
		x = put(f, x, y, f->cols, ": ", &p.grey, paint);
		if (x < f->cols)
			mode_list_text(l, f, x, y, f->cols - x, text, &p.name,
			    current, paint);
	}
	mem_free(text);
}

/* --- box --------------------------------------------------------------------------- */

static void
draw_title(struct mode_list *l, const struct mode_item *it, struct vt_frame *f,
    unsigned y, const struct pen *pen, const struct mode_paint *paint)
{
	const unsigned room = f->cols - 2;
	struct buf b;
	size_t whole;

	buf_init(&b, 8192);
	(void)buf_addf(&b, " %s ", it->name);
	if (l->ops->orders != NULL)
		(void)buf_addf(&b, "(sort: %s%s) ", l->ops->orders[l->order],
		    l->reversed ? ", reversed" : "");
	if (l->ops->info)
		(void)buf_addf(
		    &b, "(view: %s) ", l->show_info ? "info" : "preview");
	whole = b.len;
	if (l->filter != NULL)
		(void)buf_addf(
		    &b, "(filter: %s) ", l->nothing ? "no matches" : "active");
	if (l->fuzzy != NULL)
		(void)buf_addf(&b, "(fuzzy: %s) ", l->fuzzy);
	if (b.len > room)
		buf_truncate(&b, whole);
	/* The blank at its end may stand in the corner. */
	if (b.len <= room + 1)
		(void)put(f, 1, y, f->cols, buf_cstr(&b), pen, paint);
	buf_fini(&b);
}

static void
draw_box(struct mode_list *l, struct vt_frame *f, unsigned h,
    const struct mode_paint *paint)
{
	const struct mode_item *it = mode_list_current(l);
	const struct pen pen = mode_list_border(paint);
	const struct vt_rect box = { 0, h, f->cols, f->rows };
	struct vt_rect in = { 2, h + 1, f->cols, f->rows - 1 };

	if (f->cols <= 4 || it == NULL)
		return;
	in.right = f->cols - 2;
	mode_list_box(f, &box, &pen);
	draw_title(l, it, f, h, &pen, paint);
	if (in.bottom > in.top && l->ops->preview != NULL)
		l->ops->preview(l, it, f, &in, paint);
}

/* --- help -------------------------------------------------------------------------- */

static const struct mode_list_help list_help[] = {
	{ "Up, k", "Move cursor up" },
	{ "Down, j", "Move cursor down" },
	{ "g", "Go to top" },
	{ "G", "Go to bottom" },
	{ "PPage, C-b", "Page up" },
	{ "NPage, C-f", "Page down" },
	{ "Left, h", "Collapse %s" },
	{ "Right, l", "Expand %s" },
	{ "M--", "Collapse all %ss" },
	{ "M-+", "Expand all %ss" },
	{ "t", "Toggle %s tag" },
	{ "T", "Untag all %ss" },
	{ "C-t", "Tag all %ss" },
	{ "C-s, /", "Search forward" },
	{ "n", "Repeat search forward" },
	{ "N", "Repeat search backward" },
	{ "f", "Filter %ss" },
	{ "F", "Narrow %ss by letters" },
	{ "c", "Clear filter and letters" },
	{ "O", "Change sort order" },
	{ "r", "Reverse sort order" },
	{ "v", "Toggle preview" },
	{ NULL, NULL },
};

static const struct mode_list_help exit_help[] = {
	{ "q, Escape", "Exit mode" },
	{ NULL, NULL },
};

#define HELP_COLS 53u
#define HELP_KEYS 11u /* columns of the names of keys, aligned to the right */

/* The rows of the help in its box. */
struct help_box {
	struct mode_list *l;
	struct vt_frame *f;
	struct vt_rect in;
	unsigned above; /* rows still to be left out */
	unsigned y;     /* of the next row */
	unsigned below; /* rows that do not fit */
	const struct mode_paint *paint;
};

/* Draws TEXT from column X on; if it does not fit, the words that do. */
static void
help_text(const struct help_box *b, unsigned x, char *text)
{
	static const struct pen plain;
	const struct grapheme_table *gt = b->paint->graphemes;
	const unsigned room = b->in.right - x;
	char *blank;
	bool cut = false;

	while (grapheme_text_width(gt, text, strlen(text)) + cut > room &&
	       (blank = strrchr(text, ' ')) != NULL) {
		*blank = '\0';
		cut = true;
	}
	x = put(b->f, x, b->y, b->in.right, text, &plain, b->paint);
	if (cut)
		(void)put(b->f, x, b->y, b->in.right, "…", &plain, b->paint);
}

/* Draws the rows of H that are in sight. */
static void
help_rows(struct help_box *b, const struct mode_list_help *h)
{
	static const struct pen plain;
	const struct pen border = mode_list_border(b->paint);
	struct pen grey = plain;
	const char *at;
	char *text;
	unsigned x;

	grey.fg = theme(b->paint, STYLE_THEME_LIGHTGREY);
	for (; h != NULL && h->keys != NULL; h++) {
		if (b->above > 0) {
			b->above--;
			continue;
		}
		if (b->y >= b->in.bottom) {
			b->below++;
			continue;
		}
		at = strstr(h->text, "%s");
		text = at == NULL ? mem_strdup(h->text)
				  : mem_printf("%.*s%s%s", (int)(at - h->text),
					h->text, b->l->ops->noun, at + 2);
		x = b->in.left + HELP_KEYS - (unsigned)strlen(h->keys);
		(void)put(b->f, x, b->y, b->in.right, h->keys, &grey, b->paint);
		x = b->in.left + HELP_KEYS + 1;
		if (x < b->in.right)
			vt_frame_repeat(b->f, x, b->y, 1, 0x2502, &border);
		if (x + 2 < b->in.right)
			help_text(b, x + 2, text);
		mem_free(text);
		b->y++;
	}
}

/* Writes " 12 more " at the right of row Y of the border. */
static void
help_more(const struct help_box *b, unsigned y, unsigned more)
{
	const struct pen border = mode_list_border(b->paint);
	char text[24];
	const unsigned n =
	    (unsigned)snprintf(text, sizeof(text), " %u more ", more);

	if (more > 0 && n + 1 < b->in.right - b->in.left)
		(void)put(b->f, b->in.right - n - 1, y, b->in.right, text,
		    &border, b->paint);
}

static void
draw_help(
    struct mode_list *l, struct vt_frame *f, const struct mode_paint *paint)
{
	static const struct pen plain;
	const struct mode_list_help *h;
	struct vt_rect box = { 0, 0, f->cols, f->rows };
	struct help_box b = { .l = l, .f = f, .paint = paint };
	const struct pen pen = mode_list_border(paint);
	unsigned rows = (unsigned)ARRAY_LEN(list_help) - 1 + 3;

	for (h = l->ops->help; h != NULL && h->keys != NULL; h++)
		rows++;
	if (f->cols > HELP_COLS) {
		box.left = (f->cols - HELP_COLS) / 2;
		box.right = box.left + HELP_COLS;
	}
	if (f->rows > rows) {
		box.top = (f->rows - rows) / 2;
		box.bottom = box.top + rows;
	}
	l->help_rows = 0;
	if (box.right - box.left < HELP_KEYS + 3 || box.bottom - box.top < 3)
		return;
	vt_frame_fill(f, &box, &plain);
	mode_list_box(f, &box, &pen);
	b.in = (struct vt_rect){ box.left + 1, box.top + 1, box.right - 1,
		box.bottom - 1 };
	b.y = b.in.top;
	if (rows - 2 > b.in.bottom - b.in.top)
		l->help_rows = b.in.bottom - b.in.top;
	l->help_top = MIN_OF(
	    l->help_top, l->help_rows == 0 ? 0 : rows - 2 - l->help_rows);
	b.above = l->help_top;
	/* In a small pane the chooser's own keys come first. */
	if (f->rows > rows)
		help_rows(&b, list_help);
	help_rows(&b, l->ops->help);
	help_rows(&b, exit_help);
	if (f->rows <= rows)
		help_rows(&b, list_help);
	help_more(&b, box.top, l->help_top);
	help_more(&b, box.bottom - 1, b.below);
}

void
mode_list_draw(
    struct mode *m, struct vt_frame *f, const struct mode_paint *paint)
{
	struct mode_list *l = container_of(m, struct mode_list, mode);
	unsigned h, y;

	/* A copy elsewhere has no model to build its items from. */
	l->stale = l->mode.pane != NULL;
	l->drawn = paint->now;
	mode_list_fresh(l);
	h = mode_list_height(l, f->rows);
	for (y = 0; y < h && l->offset + y < l->line_count; y++)
		draw_row(l, l->offset + y, f, y, paint);
	if (h < f->rows)
		draw_box(l, f, h, paint);
	if (l->help)
		draw_help(l, f, paint);
	m->due = h < f->rows && l->show_info ? mono_add(paint->now, INFO_MS)
					     : MONO_NEVER;
}
