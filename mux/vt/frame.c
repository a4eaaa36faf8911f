/*
 * Frames: immutable pictures of a pane, and the surface on which chrome
 * (borders, status lines, overlays) is drawn.
 */
#include "mux/vt/frame.h"

#include "base/mem.h"

/* A larger diff or serialisation is not cached. */
#define MEMO_MAX (256u << 10)

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

static void
memo_forget(struct vt_frame_memo *m)
{
	struct vt_frame *old;
	unsigned i;

	for (i = 0; i < VT_FRAME_DIFFS; i++) {
		old = m->diffs[i].old;
		m->diffs[i].old = NULL;
		buf_clear(&m->diffs[i].bytes);
		vt_frame_unref(old);
	}
}

static void
memo_free(struct vt_frame_memo *m)
{
	unsigned i;

	if (m == NULL)
		return;
	memo_forget(m);
	for (i = 0; i < VT_FRAME_DIFFS; i++)
		buf_fini(&m->diffs[i].bytes);
	buf_fini(&m->save);
	mem_free(m);
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
	memo_free(f->memo);
	mem_free(f);
}

void
vt_frame_share(struct vt_frame *f)
{
	unsigned i;

	if (f->memo != NULL)
		return;
	f->memo = mem_zalloc(sizeof(*f->memo));
	for (i = 0; i < VT_FRAME_DIFFS; i++)
		buf_init(&f->memo->diffs[i].bytes, MEMO_MAX);
	buf_init(&f->memo->save, MEMO_MAX);
}

const struct buf *
vt_frame_kept_diff(
    const struct vt_frame *f, const struct vt_frame *old, bool moves)
{
	unsigned i;

	if (f->memo != NULL)
		for (i = 0; i < VT_FRAME_DIFFS; i++)
			if (f->memo->diffs[i].old == old &&
			    f->memo->diffs[i].moves == moves)
				return &f->memo->diffs[i].bytes;
	return NULL;
}

void
vt_frame_keep_diff(const struct vt_frame *f, const struct vt_frame *old,
    bool moves, const void *diff, size_t n)
{
	struct vt_frame_memo *m = f->memo;
	struct vt_frame *out;
	unsigned i;

	if (m == NULL || old->memo == NULL || f == old || n > MEMO_MAX)
		return;
	i = m->next++ % VT_FRAME_DIFFS;
	out = m->diffs[i].old;
	m->diffs[i].old = NULL;
	vt_frame_unref(out);
	buf_clear(&m->diffs[i].bytes);
	m->diffs[i].moves = moves;
	/*
	 * Drop the diffs of OLD itself: a client that is up to date does not
	 * need them.  So frames never refer to each other in a chain.
	 */
	memo_forget(old->memo);
	if (buf_add(&m->diffs[i].bytes, diff, n) == 0)
		m->diffs[i].old = vt_frame_ref(old);
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

void
vt_frame_resize(struct vt_frame *f, unsigned cols, unsigned rows)
{
	struct vt_line **lines, *blank = vt_line_new(NULL);
	unsigned y;

	bug_assert(f->refs == 1);
	cols = CLAMP(cols, 1u, (unsigned)VT_COLS_MAX);
	rows = CLAMP(rows, 1u, (unsigned)VT_ROWS_MAX);
	lines = mem_calloc(rows, sizeof(*lines));
	for (y = 0; y < rows; y++) {
		lines[y] = y < f->rows ? f->lines[y] : vt_line_ref(blank);
		if (lines[y]->len > cols)
			vt_line_truncate(vt_line_own(NULL, &lines[y]), cols);
	}
	for (; y < f->rows; y++)
		vt_line_unref(NULL, f->lines[y]);
	vt_line_unref(NULL, blank);
	mem_free(f->lines);
	f->lines = lines;
	f->cols = (uint16_t)cols;
	f->rows = (uint16_t)rows;
	f->state.x = (uint16_t)MIN_OF((unsigned)f->state.x, cols - 1);
	f->state.y = (uint16_t)MIN_OF((unsigned)f->state.y, rows - 1);
}
