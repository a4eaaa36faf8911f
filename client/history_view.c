#include "client/history_view.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"

struct history_view {
	size_t above; /* lines of history; the rest is the screen */
	size_t n;
	size_t up; /* rows below the last one shown */
	struct vt_line **lines;
};

enum history_view_move {
	HISTORY_VIEW_LINE_UP,
	HISTORY_VIEW_LINE_DOWN,
	HISTORY_VIEW_PAGE_UP,
	HISTORY_VIEW_PAGE_DOWN,
	HISTORY_VIEW_TOP,
	HISTORY_VIEW_BOTTOM,
	HISTORY_VIEW_END,
};

static const struct {
	key_code key;
	enum history_view_move move;
} history_view_keys[] = {
	{ KEY_UP, HISTORY_VIEW_LINE_UP },
	{ 'k', HISTORY_VIEW_LINE_UP },
	{ KEY_DOWN, HISTORY_VIEW_LINE_DOWN },
	{ 'j', HISTORY_VIEW_LINE_DOWN },
	{ KEY_ENTER, HISTORY_VIEW_LINE_DOWN },
	{ '\r', HISTORY_VIEW_LINE_DOWN },
	{ KEY_PPAGE, HISTORY_VIEW_PAGE_UP },
	{ 'b', HISTORY_VIEW_PAGE_UP },
	{ KEY_CTRL | 'b', HISTORY_VIEW_PAGE_UP },
	{ KEY_NPAGE, HISTORY_VIEW_PAGE_DOWN },
	{ ' ', HISTORY_VIEW_PAGE_DOWN },
	{ 'f', HISTORY_VIEW_PAGE_DOWN },
	{ KEY_CTRL | 'f', HISTORY_VIEW_PAGE_DOWN },
	{ KEY_HOME, HISTORY_VIEW_TOP },
	{ 'g', HISTORY_VIEW_TOP },
	{ KEY_END, HISTORY_VIEW_BOTTOM },
	{ 'G', HISTORY_VIEW_BOTTOM },
	{ KEY_SHIFT | 'G', HISTORY_VIEW_BOTTOM },
	{ 'q', HISTORY_VIEW_END },
	{ 0x1b, HISTORY_VIEW_END },
	{ KEY_CTRL | 'c', HISTORY_VIEW_END },
};

/* Returns the number of rows up to the last one with text. */
static unsigned
screen_rows(const struct vt_frame *f)
{
	unsigned n;

	if (f == NULL || (f->state.modes & VT_FRAME_ALTERNATE) != 0)
		return 0;
	for (n = f->rows; n > 0; n--)
		if (vt_line_used(f->lines[n - 1]) > 0)
			break;
	return n;
}

struct history_view *
history_view_new(const struct sync_tail *tail, const struct vt_frame *screen)
{
	unsigned rows = screen_rows(screen), y;
	struct vt_line *line;
	struct history_view *p;
	uint64_t num;

	if (tail == NULL || tail->count == 0)
		return NULL;
	p = mem_zalloc(sizeof(*p));
	p->lines = mem_calloc(tail->count + rows, sizeof(struct vt_line *));
	for (num = tail->first; num < sync_tail_end(tail); num++) {
		line = sync_tail_line(tail, num);
		p->lines[p->n++] = line == NULL ? vt_line_new(NULL) : line;
	}
	p->above = p->n;
	for (y = 0; y < rows; y++)
		p->lines[p->n++] = vt_line_ref(screen->lines[y]);
	return p;
}

void
history_view_free(struct history_view *p)
{
	if (p == NULL)
		return;
	while (p->n > 0)
		vt_line_unref(NULL, p->lines[--p->n]);
	mem_free(p->lines);
	mem_free(p);
}

/* Scrolls N rows up. */
static void
history_view_up(struct history_view *p, size_t n, size_t page)
{
	size_t most = p->n > page ? p->n - page : 0;

	p->up = MIN_OF(p->up + n, most);
}

static void
history_view_down(struct history_view *p, size_t n)
{
	p->up -= MIN_OF(n, p->up);
}

bool
history_view_key(struct history_view *p, key_code key, unsigned rows)
{
	size_t page = rows > 2 ? rows - 1 : 1, i;

	for (i = 0; i < ARRAY_LEN(history_view_keys); i++)
		if (history_view_keys[i].key == key)
			break;
	if (i == ARRAY_LEN(history_view_keys))
		return true;
	switch (history_view_keys[i].move) {
	case HISTORY_VIEW_LINE_UP:
		history_view_up(p, 1, page);
		break;
	case HISTORY_VIEW_LINE_DOWN:
		history_view_down(p, 1);
		break;
	case HISTORY_VIEW_PAGE_UP:
		history_view_up(p, page, page);
		break;
	case HISTORY_VIEW_PAGE_DOWN:
		history_view_down(p, page);
		break;
	case HISTORY_VIEW_TOP:
		history_view_up(p, p->n, page);
		break;
	case HISTORY_VIEW_BOTTOM:
		p->up = 0;
		break;
	case HISTORY_VIEW_END:
		return false;
	}
	return true;
}

static void
history_view_foot(const struct history_view *p, const struct grapheme_table *gt,
    struct vt_frame *f, size_t first, size_t last)
{
	const struct pen pen = { colour_index(7), colour_index(4),
		COLOUR_DEFAULT, PEN_BOLD };
	struct vt_rect row = { 0, f->rows - 1u, f->cols, f->rows };
	char text[160];

	snprintf(text, sizeof(text),
	    "rmux: local history, %zu-%zu of %zu lines%s; q ends, "
	    "g G b f move",
	    first + 1, last, p->n, last > p->above ? " (and the screen)" : "");
	vt_frame_fill(f, &row, &pen);
	vt_frame_text(f, gt, 0, row.top, f->cols, text, strlen(text), &pen);
}

struct vt_frame *
history_view_draw(const struct history_view *p, const struct grapheme_table *gt,
    unsigned cols, unsigned rows)
{
	struct vt_frame *f = vt_frame_new(cols, rows);
	size_t page = rows > 1 ? rows - 1 : 1, last, first;
	struct vt_line *line;
	unsigned y;

	/* A larger terminal shows older rows above. */
	last = p->n - MIN_OF(p->up, p->n > page ? p->n - page : 0);
	first = last > page ? last - page : 0;
	for (y = 0; y < page && first + y < last; y++) {
		line = vt_line_ref(p->lines[first + y]);
		if (vt_line_used(line) > cols) {
			vt_line_truncate(vt_line_own(NULL, &line), cols);
		}
		vt_line_unref(NULL, f->lines[y]);
		f->lines[y] = line;
	}
	f->state.modes &= ~(uint32_t)VT_FRAME_CURSOR_VISIBLE;
	if (rows > 1)
		history_view_foot(p, gt, f, first, last);
	return f;
}
