#include "mux/mode/panes.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "conf/args.h"
#include "mux/glyphs.h"
#include "mux/mode/mode.h"
#include "mux/mode/preview.h"
#include "mux/window.h"

/* Panes 10 to 35 are chosen by letters. */
#define LETTER_FIRST 10
#define LETTER_END 36

struct panes_mode {
	struct mode mode;
	const struct mode_host *host;
	uint32_t window; /* the one shown */
	char *template;
	bool keys;
	bool zoom; /* to be unzoomed */
	bool kills;
};

/* The picture of a window in a frame that may be smaller. */
struct panes_picture {
	struct vt_frame *frame;
	const struct mode_paint *paint;
	const struct window *window;
	int w; /* cells of the frame that the window fills */
	int h;
	struct pen border;
};

static struct panes_mode *
panes_of(struct mode *m)
{
	return container_of(m, struct panes_mode, mode);
}

static struct window *
shown_window(const struct panes_mode *pm)
{
	return mux_window(pm->mode.pane->mux, pm->window);
}

/* --- places ------------------------------------------------------------------ */

/* The cell of TO for cell AT of FROM, which may lie outside. */
static int
scale(int at, int to, int from)
{
	const int n = at * to;

	return n >= 0 ? n / from : -((from - 1 - n) / from);
}

static int
scale_x(const struct panes_picture *pp, int x)
{
	return scale(x, pp->w, pp->window->w);
}

static int
scale_y(const struct panes_picture *pp, int y)
{
	return scale(y, pp->h, pp->window->h);
}

static struct cell_rect
scale_rect(const struct panes_picture *pp, const struct cell_rect *r)
{
	struct cell_rect out;

	out.x = scale_x(pp, r->x);
	out.y = scale_y(pp, r->y);
	out.w = scale_x(pp, r->x + r->w) - out.x;
	/* A row of titles at the top keeps its row. */
	if (r->y > 0 && out.y == 0)
		out.y = 1;
	out.h = scale_y(pp, r->y + r->h) - out.y;
	return out;
}

/* The cells of a pane in its window as it is without a zoom. */
static bool
pane_rect(const struct pane *p, struct cell_rect *r)
{
	const struct layout *l = &p->window->layout;
	const struct layout_cell *leaf = layout_find(l, p->id);

	if (leaf == NULL)
		return false;
	*r = p->floating ? p->float_at : layout_pane_rect(l, leaf);
	return true;
}

static void
set_size(struct panes_picture *pp, const struct window *w, int cols, int rows)
{
	pp->window = w;
	pp->w = MIN_OF(cols, w->w);
	pp->h = MIN_OF(rows, w->h);
}

/* The pane of P in FRONT-to-back order: floats, then the tiled ones. */
static struct pane *
next_pane(const struct window *w, const struct pane *p)
{
	struct list_node *n = p == NULL ? list_first(&w->stack)
					: list_next(&w->stack, &p->z_node);

	return n == NULL ? NULL : container_of(n, struct pane, z_node);
}

/* --- panes ------------------------------------------------------------------- */

/*
 * Draws INDEX in the middle of F: big digits and, from 10 to 35, the letter
 * that chooses the pane; small digits where there is no room.  Returns whether
 * there is room for a text in the first row.
 */
static bool
draw_index(struct vt_frame *f, const struct grapheme_table *gt, unsigned index,
    colour shade)
{
	const struct pen block = { .bg = shade }, plain = { .fg = shade };
	const unsigned cols = f->cols, rows = f->rows;
	char text[24], letter = '\0';
	unsigned x, y;
	size_t n;

	if (index >= LETTER_FIRST && index < LETTER_END)
		letter = (char)('a' + (index - LETTER_FIRST));
	n = (size_t)snprintf(text, sizeof(text), "%u", index);
	if (cols + 1 < n * GLYPH_STEP || rows <= GLYPH_H + 1) {
		if (letter != '\0' && n + 2 <= cols)
			n = (size_t)snprintf(
			    text, sizeof(text), "%u %c", index, letter);
		if (n <= cols)
			(void)vt_frame_text(f, gt, (cols - (unsigned)n) / 2,
			    rows / 2, cols, text, n, &plain);
		return rows > 1;
	}
	x = (cols - ((unsigned)n * GLYPH_STEP - 1)) / 2;
	y = (rows - GLYPH_H) / 2;
	glyphs_draw(f, x, y, text, ' ', &block);
	if (letter != '\0' && y + GLYPH_H < rows)
		(void)vt_frame_text(f, gt, x + (unsigned)n * GLYPH_STEP - 2,
		    y + GLYPH_H, cols, &letter, 1, &plain);
	return true;
}

/* Copies F to (X, Y) of the picture as far as it is inside. */
static void
put_frame(
    const struct panes_picture *pp, const struct vt_frame *f, int x, int y)
{
	struct vt_rect part = { 0, 0, f->cols, f->rows };

	part.left = (unsigned)MAX_OF(-x, 0);
	part.top = (unsigned)MAX_OF(-y, 0);
	part.right = MIN_OF(part.right, (unsigned)MAX_OF(pp->w - x, 0));
	part.bottom = MIN_OF(part.bottom, (unsigned)MAX_OF(pp->h - y, 0));
	if (part.right > part.left && part.bottom > part.top)
		vt_frame_blit(pp->frame, (unsigned)MAX_OF(x, 0),
		    (unsigned)MAX_OF(y, 0), f, &part);
}

static colour
shade_of(const struct panes_picture *pp, struct pane *p)
{
	return pp->paint->window_colour(pp->paint->arg, p,
	    p == p->window->active ? OPTION_DISPLAY_PANES_ACTIVE_COLOUR
				   : OPTION_DISPLAY_PANES_COLOUR);
}

static void
draw_pane(const struct panes_picture *pp, struct pane *p)
{
	const struct mode_paint *paint = pp->paint;
	const colour shade = shade_of(pp, p);
	const struct pen plain = { .fg = shade };
	/* Like tmux, also leave a float the row of a title at the top. */
	const unsigned y =
	    p->floating && p->window->layout.edge == LAYOUT_EDGE_TOP;
	struct vt_frame *f;
	struct cell_rect r;

	if (!pane_rect(p, &r))
		return;
	r = scale_rect(pp, &r);
	if (r.w <= 0 || r.h <= 0)
		return;
	f = vt_frame_new((unsigned)r.w, (unsigned)r.h);
	preview_screen(f,
	    &(struct vt_rect){ 0, 0, (unsigned)r.w, (unsigned)r.h }, p,
	    pp->w < pp->window->w || pp->h < pp->window->h);
	if (draw_index(f, paint->graphemes, (unsigned)pane_index(p), shade))
		paint->row(paint->arg, f, 0, y, p, OPTION_DISPLAY_PANES_FORMAT,
		    &plain);
	put_frame(pp, f, r.x, r.y);
	vt_frame_unref(f);
}

/* --- borders ----------------------------------------------------------------- */

enum border_arm {
	ARM_UP = 1,
	ARM_DOWN = 2,
	ARM_LEFT = 4,
	ARM_RIGHT = 8,
};

/* By the lines that start at a cell. */
static const uint16_t line_chars[16] = { 0x2500, 0x2502, 0x2502, 0x2502, 0x2500,
	0x2518, 0x2510, 0x2524, 0x2500, 0x2514, 0x250c, 0x251c, 0x2500, 0x2534,
	0x252c, 0x253c };

/* Which cells of a window no tiled pane covers. */
struct lines {
	const struct panes_picture *pp;
	int w;
	int h;
	uint8_t *line; /* [w * h] */
	uint8_t *done; /* [pp->w * pp->h]: a line was drawn there */
};

static bool
is_line(const struct lines *ls, int x, int y)
{
	return x >= 0 && y >= 0 && x < ls->w && y < ls->h &&
	       ls->line[y * ls->w + x] != 0;
}

static void
put_line(const struct panes_picture *pp, int x, int y, unsigned arms)
{
	if (x >= 0 && y >= 0 && x < pp->w && y < pp->h)
		vt_frame_repeat(pp->frame, (unsigned)x, (unsigned)y, 1,
		    line_chars[arms], &pp->border);
}

/* Of several cells of the window that become one, the first one counts. */
static void
draw_line(const struct lines *ls, int x, int y)
{
	const int to_x = scale_x(ls->pp, x), to_y = scale_y(ls->pp, y);
	uint8_t *done = &ls->done[to_y * ls->pp->w + to_x];

	if (*done)
		return;
	*done = 1;
	put_line(ls->pp, to_x, to_y,
	    (is_line(ls, x, y - 1) ? ARM_UP : 0u) |
		(is_line(ls, x, y + 1) ? ARM_DOWN : 0u) |
		(is_line(ls, x - 1, y) ? ARM_LEFT : 0u) |
		(is_line(ls, x + 1, y) ? ARM_RIGHT : 0u));
}

static void
draw_lines(const struct panes_picture *pp)
{
	const struct layout *l = &pp->window->layout;
	struct lines ls = { .pp = pp, .w = pp->window->w, .h = pp->window->h };
	struct layout_cell *leaf = NULL;
	struct cell_rect r;
	int x, y;

	if (layout_count_tiled(l) == 0)
		return;
	ls.line = mem_zalloc((size_t)ls.w * (size_t)ls.h);
	ls.done = mem_zalloc((size_t)pp->w * (size_t)pp->h);
	memset(ls.line, 1, (size_t)ls.w * (size_t)ls.h);
	while ((leaf = layout_next_leaf(l, leaf)) != NULL) {
		if (leaf->floating)
			continue;
		r = layout_pane_rect(l, leaf);
		/* A scrollbar belongs to the pane. */
		for (y = MAX_OF(r.y, 0); y < MIN_OF(r.y + r.h, ls.h); y++)
			for (x = leaf->x; x < MIN_OF(leaf->x + leaf->w, ls.w);
			     x++)
				ls.line[y * ls.w + x] = 0;
	}
	for (y = 0; y < ls.h; y++)
		for (x = 0; x < ls.w; x++)
			if (is_line(&ls, x, y))
				draw_line(&ls, x, y);
	mem_free(ls.line);
	mem_free(ls.done);
}

static void
draw_box(const struct panes_picture *pp, const struct pane *p)
{
	const struct cell_rect *r = &p->float_at;
	const int left = scale_x(pp, r->x - 1), top = scale_y(pp, r->y - 1),
		  right = scale_x(pp, r->x + r->w),
		  bottom = scale_y(pp, r->y + r->h);
	int i;

	if (pane_border(p) == 0)
		return;
	for (i = MAX_OF(left, 0); i <= MIN_OF(right, pp->w); i++) {
		put_line(pp, i, top, ARM_LEFT | ARM_RIGHT);
		put_line(pp, i, bottom, ARM_LEFT | ARM_RIGHT);
	}
	for (i = MAX_OF(top, 0); i <= MIN_OF(bottom, pp->h); i++) {
		put_line(pp, left, i, ARM_UP | ARM_DOWN);
		put_line(pp, right, i, ARM_UP | ARM_DOWN);
	}
	put_line(pp, left, top, ARM_DOWN | ARM_RIGHT);
	put_line(pp, right, top, ARM_DOWN | ARM_LEFT);
	put_line(pp, left, bottom, ARM_UP | ARM_RIGHT);
	put_line(pp, right, bottom, ARM_UP | ARM_LEFT);
}

static void
panes_draw(struct mode *m, struct vt_frame *f, const struct mode_paint *paint)
{
	static const struct pen plain;
	const struct window *w = shown_window(panes_of(m));
	struct panes_picture pp = { .frame = f, .paint = paint };
	struct list_node *n;
	struct pane *p;

	if (w == NULL)
		return;
	set_size(&pp, w, f->cols, f->rows);
	pp.border =
	    paint->style(paint->arg, OPTION_DISPLAY_PANES_BORDER_STYLE, &plain);
	WINDOW_FOREACH_PANE(p, n, w)
	{
		if (!p->floating)
			draw_pane(&pp, p);
	}
	draw_lines(&pp);
	for (n = list_last(&w->stack); n != NULL; n = list_prev(&w->stack, n)) {
		p = container_of(n, struct pane, z_node);
		if (!p->floating)
			continue;
		draw_pane(&pp, p);
		draw_box(&pp, p);
	}
}

/* --- input ------------------------------------------------------------------- */

static void
end_zoom(const struct panes_mode *pm)
{
	const struct pane *p = pm->mode.pane;

	if (pm->zoom && p->window->zoomed && p->window->zoom == p)
		(void)window_unzoom(p->window);
}

/* As in tmux, display-panes does not come back behind another mode. */
static void
panes_covered(struct mode *m)
{
	end_zoom(panes_of(m));
	(void)pane_pop_mode(m->pane);
}

static enum mode_did
leave(struct panes_mode *pm)
{
	struct pane *p = pm->mode.pane;
	char text[48];

	end_zoom(pm);
	if (pm->kills) {
		(void)snprintf(text, sizeof(text), "kill-pane -t %%%u", p->id);
		mode_request_run(pm->host->requests, text);
	}
	return MODE_LEFT;
}

static enum mode_did
choose(struct panes_mode *pm, const struct pane *p)
{
	const char *values[1];
	char id[16], *text;

	(void)snprintf(id, sizeof(id), "%%%u", p->id);
	values[0] = id;
	text = args_template_words_new(pm->template, values, 1);
	mode_request_run(pm->host->requests, text);
	mem_free(text);
	return leave(pm);
}

static enum mode_did
panes_key(struct mode *m, const struct key_event *ev)
{
	struct panes_mode *pm = panes_of(m);
	const struct window *w = shown_window(pm);
	const key_code k = ev->key & ~(key_code)KEY_LOCKS;
	const struct pane *p = NULL;
	int index = -1;

	if (!pm->keys)
		return k == 'q' || k == KEY_ESCAPE ? leave(pm) : MODE_TAKEN;
	if (k >= '0' && k <= '9')
		index = (int)(k - '0');
	else if (k >= 'a' && k <= 'z')
		index = LETTER_FIRST + (int)(k - 'a');
	if (w != NULL && index >= 0)
		p = window_pane_at_index(w, index);
	return p == NULL ? leave(pm) : choose(pm, p);
}

static enum mode_did
panes_mouse(struct mode *m, const struct mouse_event *ev)
{
	struct panes_mode *pm = panes_of(m);
	const struct window *w = shown_window(pm);
	struct panes_picture pp = { .frame = NULL };
	const struct pane *p = NULL;
	struct cell_rect r;

	if (!pm->keys || w == NULL || ev->action != MOUSE_PRESS ||
	    ev->button != MOUSE_LEFT)
		return MODE_TAKEN;
	set_size(&pp, w, m->pane->w, m->pane->h);
	while ((p = next_pane(w, p)) != NULL) {
		if (!pane_rect(p, &r))
			continue;
		r = scale_rect(&pp, &r);
		if (ev->x >= r.x && ev->x < r.x + r.w && ev->y >= r.y &&
		    ev->y < r.y + r.h)
			return choose(pm, p);
	}
	return MODE_TAKEN;
}

static void
panes_event(struct mode *m, UNUSED enum mode_event event)
{
	mode_dirty(m);
}

static enum mode_did
panes_expire(struct mode *m, UNUSED mono_ms now)
{
	return leave(panes_of(m));
}

static void
panes_free(struct mode *m)
{
	struct panes_mode *pm = panes_of(m);

	/* The row of titles comes back. */
	window_mode_changed(m->pane);
	mem_free(pm->template);
	mem_free(pm);
}

static const struct mode_ops panes_ops = {
	.name = "panes-mode",
	.covered = panes_covered,
	.draw = panes_draw,
	.key = panes_key,
	.mouse = panes_mouse,
	.event = panes_event,
	.expire = panes_expire,
	.free = panes_free,
};

int
mode_panes_open(struct pane *p, const struct mode_panes_start *start)
{
	struct panes_mode *pm = mem_zalloc(sizeof(*pm));
	int r;

	pm->host = start->host;
	pm->window = start->window->id;
	pm->template = mem_strdup(start->template);
	pm->keys = start->keys;
	pm->kills = start->kills;
	if ((r = mode_push(p, &pm->mode, &panes_ops)) != 0) {
		panes_free(&pm->mode);
		return r;
	}
	if (start->ms != 0)
		pm->mode.due = mono_add(p->mux->now, start->ms);
	if (start->zoom && window_zoom(p) == 0)
		pm->zoom = true;
	pane_mode(p)->whole = true;
	window_mode_changed(p);
	return 0;
}
