/*
 * Frames: pictures of a pane, and the form of drawn chrome.
 */
#include "mux/vt/frame.h"

#include <string.h>

#include "base/mem.h"

struct vt_frame *
vt_frame_new(unsigned cols, unsigned rows)
{
	struct vt_frame *f = mem_zalloc(sizeof(*f));
	struct vt_line *blank;
	unsigned y;

	f->refs = 1;
	f->cols = (uint16_t)CLAMP(cols, 1u, (unsigned)VT_COLS_MAX);
	f->rows = (uint16_t)CLAMP(rows, 1u, (unsigned)VT_ROWS_MAX);
	f->lines = mem_calloc(f->rows, sizeof(struct vt_line *));
	blank = vt_line_new(NULL);
	for (y = 0; y < f->rows; y++)
		f->lines[y] = vt_line_ref(blank);
	vt_line_unref(NULL, blank);
	vt_frame_state_init(&f->state);
	return f;
}

struct vt_frame *
vt_frame_snapshot(struct vt_grid *g, size_t scroll,
    const struct vt_frame_state *st, uint64_t version)
{
	struct vt_frame *f = mem_zalloc(sizeof(*f));
	vt_row row = vt_grid_screen(g);
	unsigned y;

	f->refs = 1;
	f->cols = (uint16_t)g->cols;
	f->rows = (uint16_t)g->rows;
	f->version = version;
	f->lines = mem_calloc(f->rows, sizeof(struct vt_line *));
	row -= MIN_OF(scroll, row - vt_grid_first(g));
	for (y = 0; y < f->rows; y++)
		f->lines[y] = vt_line_ref(vt_grid_row(g, row + y));
	vt_frame_state_init(&f->state);
	if (st != NULL)
		vt_frame_state_copy(&f->state, st);
	return f;
}

struct vt_frame *
vt_frame_ref(const struct vt_frame *f)
{
	struct vt_frame *p = container_of(&f->refs, struct vt_frame, refs);

	p->refs++;
	return p;
}

void
vt_frame_unref(struct vt_frame *f)
{
	unsigned y;

	if (f == NULL || --f->refs > 0)
		return;
	for (y = 0; y < f->rows; y++)
		vt_line_unref(NULL, f->lines[y]);
	mem_free(f->lines);
	vt_frame_state_fini(&f->state);
	mem_free(f);
}

struct vt_frame *
vt_frame_clone(const struct vt_frame *src)
{
	struct vt_frame *f = mem_zalloc(sizeof(*f));
	unsigned y;

	f->refs = 1;
	f->cols = src->cols;
	f->rows = src->rows;
	f->version = src->version;
	f->lines = mem_calloc(f->rows, sizeof(struct vt_line *));
	for (y = 0; y < f->rows; y++)
		f->lines[y] = vt_line_ref(src->lines[y]);
	vt_frame_state_init(&f->state);
	vt_frame_state_copy(&f->state, &src->state);
	return f;
}

bool
vt_frame_equal(const struct vt_frame *a, const struct vt_frame *b)
{
	unsigned y;

	if (a == b)
		return true;
	if (a->cols != b->cols || a->rows != b->rows ||
	    !vt_frame_state_equal(&a->state, &b->state))
		return false;
	for (y = 0; y < a->rows; y++)
		if (!vt_line_equal(a->lines[y], b->lines[y]))
			return false;
	return true;
}

const char *
vt_frame_check(const struct vt_frame *f)
{
	const char *bad;
	unsigned y;

	if (f->refs == 0 || f->cols == 0 || f->rows == 0 ||
	    f->cols > VT_COLS_MAX || f->rows > VT_ROWS_MAX)
		return "size or references";
	if (f->state.x > f->cols || f->state.y >= f->rows)
		return "cursor outside";
	for (y = 0; y < f->rows; y++) {
		if ((bad = vt_line_check(f->lines[y])) != NULL)
			return bad;
		if (f->lines[y]->len > f->cols)
			return "line longer than the frame is wide";
	}
	return NULL;
}
