#include "mux/view/border.h"

#include "base/mem.h"

/* The lines that start at a border cell. */
enum border_arm {
	ARM_UP = 1,
	ARM_DOWN = 2,
	ARM_LEFT = 4,
	ARM_RIGHT = 8,
	ARM_LINE = 16, /* the cell is a border cell */
};

/* Characters indexed by arms, for each kind of line. */
static const uint16_t border_chars[][16] = {
	[BORDER_SINGLE] = { 0x2500, 0x2502, 0x2502, 0x2502, 0x2500, 0x2518,
	    0x2510, 0x2524, 0x2500, 0x2514, 0x250c, 0x251c, 0x2500, 0x2534,
	    0x252c, 0x253c },
	[BORDER_DOUBLE] = { 0x2550, 0x2551, 0x2551, 0x2551, 0x2550, 0x255d,
	    0x2557, 0x2563, 0x2550, 0x255a, 0x2554, 0x2560, 0x2550, 0x2569,
	    0x2566, 0x256c },
	[BORDER_HEAVY] = { 0x2501, 0x2503, 0x2503, 0x2503, 0x2501, 0x251b,
	    0x2513, 0x252b, 0x2501, 0x2517, 0x250f, 0x2523, 0x2501, 0x253b,
	    0x2533, 0x254b },
	[BORDER_SIMPLE] = { '-', '|', '|', '|', '-', '+', '+', '+', '-', '+',
	    '+', '+', '-', '+', '+', '+' },
	[BORDER_NUMBER] = { 0x2500, 0x2502, 0x2502, 0x2502, 0x2500, 0x2518,
	    0x2510, 0x2524, 0x2500, 0x2514, 0x250c, 0x251c, 0x2500, 0x2534,
	    0x252c, 0x253c },
	[BORDER_SPACES] = { ' ', ' ', ' ', ' ', ' ', ' ', ' ', ' ', ' ', ' ',
	    ' ', ' ', ' ', ' ', ' ', ' ' },
};

struct border_draw {
	struct vt_frame *f;
	int x; /* of the layout's origin in the frame */
	int y;
	const struct layout *l;
	const struct border_style *st;
	int w; /* of the layout, and of the lines around it */
	int h;
	int lw; /* of the layout */
	int lh;
	uint8_t *arms; /* w * h */
	enum border_lines lines;
	size_t panes;
	struct cell_rect marked;
};

static bool
is_line(const struct border_draw *d, int x, int y)
{
	return x >= 0 && y >= 0 && x < d->w && y < d->h &&
	       (d->arms[y * d->w + x] & ARM_LINE) != 0;
}

/* The place of a pane with its scrollbar, which no border crosses. */
static struct cell_rect
leaf_rect(const struct layout *l, const struct layout_cell *leaf)
{
	struct cell_rect r = layout_pane_rect(l, leaf);

	r.x = leaf->x;
	r.w = leaf->w;
	return r;
}

static struct cell_rect
alone_rect(const struct border_draw *d)
{
	return (struct cell_rect){ 0, d->st->alone_y, d->lw, d->st->alone_h };
}

/* Marks cells that no pane covers; a pane may be smaller than its leaf. */
static void
mark_lines(struct border_draw *d)
{
	struct layout_cell *leaf = NULL;
	struct cell_rect r;
	int x, y;

	for (x = 0; x < d->w * d->h; x++)
		d->arms[x] = ARM_LINE;
	while (d->st->alone || (leaf = layout_next_leaf(d->l, leaf)) != NULL) {
		if (leaf != NULL && leaf->floating)
			continue;
		r = d->st->alone ? alone_rect(d) : leaf_rect(d->l, leaf);
		for (y = MAX_OF(r.y, 0); y < MIN_OF(r.y + r.h, d->h); y++)
			for (x = MAX_OF(r.x, 0); x < MIN_OF(r.x + r.w, d->w);
			     x++)
				d->arms[y * d->w + x] = 0;
		d->panes++;
		if (d->st->alone)
			break;
	}
	for (y = 0; y < d->h; y++)
		for (x = 0; x < d->w; x++) {
			uint8_t *a = &d->arms[y * d->w + x];

			if ((*a & ARM_LINE) == 0)
				continue;
			if (is_line(d, x, y - 1))
				*a |= ARM_UP;
			if (is_line(d, x, y + 1))
				*a |= ARM_DOWN;
			if (is_line(d, x - 1, y))
				*a |= ARM_LEFT;
			if (is_line(d, x + 1, y))
				*a |= ARM_RIGHT;
		}
}

/* Of a tiled pane, else empty. */
static struct cell_rect
tiled_rect(const struct layout *l, uint32_t pane)
{
	static const struct cell_rect none;
	const struct layout_cell *leaf =
	    pane == LAYOUT_NO_PANE ? NULL : layout_find(l, pane);

	return leaf == NULL || leaf->floating ? none : leaf_rect(l, leaf);
}

static bool
touches(const struct cell_rect *r, int x, int y)
{
	return x >= r->x - 1 && x <= r->x + r->w && y >= r->y - 1 &&
	       y <= r->y + r->h;
}

/* Whether (x, y) lies in the title above or below a pane other than R. */
static bool
in_others_title(
    const struct border_draw *d, const struct cell_rect *r, int x, int y)
{
	const struct layout_cell *leaf = NULL;
	struct cell_rect q;

	while ((leaf = layout_next_leaf(d->l, leaf)) != NULL) {
		q = leaf_rect(d->l, leaf);
		if (leaf->floating || (q.x == r->x && q.y == r->y))
			continue;
		if (x >= q.x && x < q.x + q.w &&
		    y == (d->l->edge == LAYOUT_EDGE_TOP ? q.y - 1 : q.y + q.h))
			return true;
	}
	return false;
}

/*
 * Whether the border at (x, y) is drawn as the active pane's.  With only two
 * panes, half of the border between them belongs to each.
 */
static bool
is_active(const struct border_draw *d, const struct cell_rect *r, int x, int y)
{
	if (r->w == 0 || !touches(r, x, y))
		return false;
	/* Where four panes meet, it is the left one's. */
	if (x == r->x - 1 && (d->arms[y * d->w + x] & 15) == 15 &&
	    y == (d->l->edge == LAYOUT_EDGE_TOP ? r->y - 1 : r->y + r->h))
		return false;
	/* A row of titles is that of the panes below or above it alone. */
	if (d->l->edge != LAYOUT_EDGE_NONE && y < d->lh) {
		if (!d->st->alone && in_others_title(d, r, x, y))
			return false;
		if (d->l->edge == LAYOUT_EDGE_TOP ? y == r->y - 1
						  : y == r->y + r->h) {
			if (d->panes != 2 || (x >= r->x && x < r->x + r->w))
				return true;
		} else if (x != r->x - 1 && x != r->x + r->w)
			return false;
		else if (y < r->y)
			return x == r->x - 1 &&
			       (d->arms[y * d->w + x] & 15) == 15;
		if (x >= d->lw)
			return true;
	}
	if (d->panes != 2 || d->st->indicators == BORDER_IND_OFF ||
	    d->st->indicators == BORDER_IND_ARROWS)
		return true;
	if (x == r->x + r->w && r->x == 0 && r->h >= d->lh - 1)
		return y <= d->lh / 2;
	if (x == r->x - 1 && r->h >= d->lh - 1)
		return y > d->lh / 2;
	if (y == r->y + r->h && r->y <= 1 && r->w == d->lw)
		return x <= d->lw / 2;
	if (y == r->y - 1 && r->w == d->lw)
		return x > d->lw / 2;
	return true;
}

/* Whether a border row with titles belongs to the pane on its other side. */
static bool
is_others_title(const struct layout *l, const struct cell_rect *r, int y)
{
	return (l->edge == LAYOUT_EDGE_TOP && y == r->y + r->h) ||
	       (l->edge == LAYOUT_EDGE_BOTTOM && y == r->y - 1);
}

/* The arrow at (x, y) that points at the active pane, or 0. */
static uint32_t
arrow_at(const struct border_draw *d, const struct cell_rect *r, int x, int y)
{
	if (d->st->indicators != BORDER_IND_ARROWS &&
	    d->st->indicators != BORDER_IND_BOTH)
		return 0;
	if (r->w == 0 || is_others_title(d->l, r, y))
		return 0;
	if (y == r->y + 1 && x == r->x - 1)
		return 0x2192;
	if (y == r->y + 1 && x == r->x + r->w)
		return 0x2190;
	if (x == r->x + 1 && y == r->y - 1)
		return 0x2193;
	if (x == r->x + 1 && y == r->y + r->h)
		return 0x2191;
	return 0;
}

/* The last digit of the index of a pane next to the border at (x, y). */
static uint32_t
number_at(
    const struct border_draw *d, const struct cell_rect *active, int x, int y)
{
	struct layout_cell *leaf, *first;
	struct cell_rect r;

	if (d->st->number == NULL)
		return '*';
	/* Like tmux, try the active pane first, then the panes after it. */
	first = d->st->active_pane == LAYOUT_NO_PANE
		    ? NULL
		    : layout_find(d->l, d->st->active_pane);
	if (first == NULL || first->floating)
		first = layout_next_leaf(d->l, NULL);
	leaf = first;
	/* Of two panes, each has half of the border. */
	r = active->w != 0 ? *active : leaf_rect(d->l, leaf);
	if (d->panes == 2 && !is_active(d, &r, x, y) &&
	    (leaf = layout_next_leaf(d->l, leaf)) == NULL)
		leaf = layout_next_leaf(d->l, NULL);
	first = leaf;
	do {
		r = leaf_rect(d->l, leaf);
		if (!leaf->floating && touches(&r, x, y) &&
		    !is_others_title(d->l, &r, y))
			return '0' + d->st->number(d->st->arg, leaf->pane) % 10;
		if ((leaf = layout_next_leaf(d->l, leaf)) == NULL)
			leaf = layout_next_leaf(d->l, NULL);
	} while (leaf != first);
	return '*';
}

static void
draw_cell(struct border_draw *d, const struct cell_rect *active, int x, int y)
{
	uint8_t arms = d->arms[y * d->w + x];
	struct pen pen = d->st->normal;
	uint32_t ch;
	int fx = d->x + x, fy = d->y + y;

	if ((arms & ARM_LINE) == 0 || fx < 0 || fy < 0 || fx >= d->f->cols ||
	    fy >= d->f->rows)
		return;
	if (is_active(d, active, x, y))
		pen = d->st->active;
	if (d->marked.w != 0 && touches(&d->marked, x, y))
		pen.attrs ^= PEN_REVERSE;
	ch = arrow_at(d, active, x, y);
	if (ch == 0 && d->st->lines == BORDER_NUMBER)
		ch = number_at(d, active, x, y);
	if (ch == 0)
		ch = border_chars[d->lines][arms & 15];
	vt_frame_repeat(d->f, (unsigned)fx, (unsigned)fy, 1, ch, &pen);
}

uint32_t
view_border_across(enum border_lines lines)
{
	return border_chars[MIN_OF(lines, BORDER_SPACES)][ARM_LEFT | ARM_RIGHT];
}

void
view_borders(struct vt_frame *f, int x, int y, const struct layout *l,
    const struct border_style *st)
{
	struct border_draw d = { .f = f, .x = x, .y = y, .l = l, .st = st };
	struct cell_rect active;
	int cx, cy;

	if (l->root == NULL || layout_count_tiled(l) < 2) {
		if (l->root == NULL || layout_count_tiled(l) == 0 ||
		    (l->edge == LAYOUT_EDGE_NONE && !st->right && !st->below))
			return;
	}
	d.lw = l->root->w;
	d.lh = l->root->h;
	d.w = d.lw + st->right;
	d.h = d.lh + st->below;
	d.lines = MIN_OF(st->lines, BORDER_SPACES);
	d.arms = mem_zalloc((size_t)d.w * (size_t)d.h);
	mark_lines(&d);
	active = tiled_rect(l, st->active_pane);
	if (st->alone && active.w != 0)
		active = alone_rect(&d);
	d.marked = tiled_rect(l, st->marked_pane);
	for (cy = 0; cy < d.h; cy++)
		for (cx = 0; cx < d.w; cx++)
			draw_cell(&d, &active, cx, cy);
	mem_free(d.arms);
}

/* The arrow into a box at (x, y) of its edge, or 0. */
static uint32_t
box_arrow(const struct border_box *box, unsigned x, unsigned y, unsigned right,
    unsigned bottom)
{
	if (!box->active || (box->indicators != BORDER_IND_ARROWS &&
				box->indicators != BORDER_IND_BOTH))
		return 0;
	if (y == 2 && y < bottom)
		return x == 0 ? 0x2192 : x == right ? 0x2190 : 0;
	if (x == 2 && x < right)
		return y == 0 ? 0x2193 : y == bottom ? 0x2191 : 0;
	return 0;
}

void
view_border_box(struct vt_frame *f, const struct border_box *box)
{
	enum border_lines lines = MIN_OF(box->lines, BORDER_SPACES);
	unsigned right = f->cols - 1u, bottom = f->rows - 1u, x, y, arms;
	uint32_t ch;

	for (y = 0; y <= bottom; y++)
		for (x = 0; x <= right; x++) {
			if (x > 0 && x < right && y > 0 && y < bottom)
				continue;
			arms = 0;
			if (x == 0 || x == right)
				arms |= (y > 0 ? ARM_UP : 0u) |
					(y < bottom ? ARM_DOWN : 0u);
			if (y == 0 || y == bottom)
				arms |= (x > 0 ? ARM_LEFT : 0u) |
					(x < right ? ARM_RIGHT : 0u);
			ch = box_arrow(box, x, y, right, bottom);
			if (ch == 0 && lines == BORDER_NUMBER)
				ch = '0' + box->number % 10;
			if (ch == 0)
				ch = border_chars[lines][arms];
			vt_frame_repeat(f, x, y, 1, ch, box->pen);
		}
}
