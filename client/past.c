#include "client/past.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"

struct past {
	size_t held; /* lines that are not on the screen */
	size_t n;
	size_t up; /* rows below the last one shown */
	struct vt_line **lines;
};

enum past_move {
	PAST_LINE_UP,
	PAST_LINE_DOWN,
	PAST_PAGE_UP,
	PAST_PAGE_DOWN,
	PAST_TOP,
	PAST_BOTTOM,
	PAST_END,
};

static const struct {
	key_code key;
	enum past_move move;
} past_keys[] = {
	{ KEY_UP, PAST_LINE_UP },
	{ 'k', PAST_LINE_UP },
	{ KEY_DOWN, PAST_LINE_DOWN },
	{ 'j', PAST_LINE_DOWN },
	{ KEY_ENTER, PAST_LINE_DOWN },
	{ '\r', PAST_LINE_DOWN },
	{ KEY_PPAGE, PAST_PAGE_UP },
	{ 'b', PAST_PAGE_UP },
	{ KEY_CTRL | 'b', PAST_PAGE_UP },
	{ KEY_NPAGE, PAST_PAGE_DOWN },
	{ ' ', PAST_PAGE_DOWN },
	{ 'f', PAST_PAGE_DOWN },
	{ KEY_CTRL | 'f', PAST_PAGE_DOWN },
	{ KEY_HOME, PAST_TOP },
	{ 'g', PAST_TOP },
	{ KEY_END, PAST_BOTTOM },
	{ 'G', PAST_BOTTOM },
	{ KEY_SHIFT | 'G', PAST_BOTTOM },
	{ 'q', PAST_END },
	{ 0x1b, PAST_END },
	{ KEY_CTRL | 'c', PAST_END },
};

/* Rows of the screen that have something. */
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

struct past *
past_new(const struct sync_tail *tail, const struct vt_frame *screen)
{
	unsigned rows = screen_rows(screen), y;
	struct vt_line *line;
	struct past *p;
	uint64_t num;

	if (tail == NULL || tail->count == 0)
		return NULL;
	p = mem_zalloc(sizeof(*p));
	p->lines = mem_calloc(tail->count + rows, sizeof(struct vt_line *));
	for (num = tail->first; num < sync_tail_end(tail); num++) {
		line = sync_tail_line(tail, num);
		p->lines[p->n++] = line == NULL ? vt_line_new(NULL) : line;
	}
	p->held = p->n;
	for (y = 0; y < rows; y++)
		p->lines[p->n++] = vt_line_ref(screen->lines[y]);
	return p;
}

void
past_free(struct past *p)
{
	if (p == NULL)
		return;
	while (p->n > 0)
		vt_line_unref(NULL, p->lines[--p->n]);
	mem_free(p->lines);
	mem_free(p);
}

/* Moves N rows up. */
static void
past_up(struct past *p, size_t n, size_t page)
{
	size_t most = p->n > page ? p->n - page : 0;

	p->up = MIN_OF(p->up + n, most);
}

static void
past_down(struct past *p, size_t n)
{
	p->up -= MIN_OF(n, p->up);
}

bool
past_key(struct past *p, key_code key, unsigned rows)
{
	size_t page = rows > 2 ? rows - 1 : 1, i;

	for (i = 0; i < ARRAY_LEN(past_keys); i++)
		if (past_keys[i].key == key)
			break;
	if (i == ARRAY_LEN(past_keys))
		return true;
	switch (past_keys[i].move) {
	case PAST_LINE_UP:
		past_up(p, 1, page);
		break;
	case PAST_LINE_DOWN:
		past_down(p, 1);
		break;
	case PAST_PAGE_UP:
		past_up(p, page, page);
		break;
	case PAST_PAGE_DOWN:
		past_down(p, page);
		break;
	case PAST_TOP:
		past_up(p, p->n, page);
		break;
	case PAST_BOTTOM:
		p->up = 0;
		break;
	case PAST_END:
		return false;
	}
	return true;
}

static void
past_foot(const struct past *p, const struct grapheme_table *gt,
    struct vt_frame *f, size_t first, size_t last)
{
	const struct pen pen = { colour_index(7), colour_index(4),
		COLOUR_DEFAULT, PEN_BOLD };
	struct vt_rect row = { 0, f->rows - 1u, f->cols, f->rows };
	char text[160];

	snprintf(text, sizeof(text),
	    "rmux: held here, %zu-%zu of %zu lines%s; q ends, g G b f move",
	    first + 1, last, p->n, last > p->held ? " (and the screen)" : "");
	vt_frame_fill(f, &row, &pen);
	vt_frame_text(f, gt, 0, row.top, f->cols, text, strlen(text), &pen);
}

struct vt_frame *
past_draw(const struct past *p, const struct grapheme_table *gt, unsigned cols,
    unsigned rows)
{
	struct vt_frame *f = vt_frame_new(cols, rows);
	size_t page = rows > 1 ? rows - 1 : 1, last, first;
	struct vt_line *line;
	unsigned y;

	/* A larger terminal shows what is above. */
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
		past_foot(p, gt, f, first, last);
	return f;
}
