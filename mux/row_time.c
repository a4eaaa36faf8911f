#include "mux/row_time.h"

#include <string.h>

#include "base/mem.h"

#define ROW_TIMES_MIN 16

void
row_times_fini(struct row_times *t)
{
	mem_free(t->all);
	*t = (struct row_times){ 0 };
}

/* The first entry that ends after ROW. */
static size_t
find(const struct row_times *t, vt_row row)
{
	size_t lo = 0, hi = t->count, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (t->all[mid].end > row)
			hi = mid;
		else
			lo = mid + 1;
	}
	return lo;
}

int64_t
row_times_get(const struct row_times *t, vt_row row)
{
	size_t i = find(t, row);

	return row < t->from || i == t->count ? 0 : t->all[i].at;
}

/* Makes room for one more entry; drops those of rows before FIRST. */
static void
make_room(struct row_times *t, vt_row first)
{
	size_t old;

	if (t->count < t->room)
		return;
	old = find(t, first);
	if (old * 2 >= t->room && old > 0) {
		t->count -= old;
		memmove(t->all, t->all + old, t->count * sizeof(*t->all));
		t->from = MAX_OF(t->from, first);
		return;
	}
	t->room = MAX_OF(t->room * 2, (size_t)ROW_TIMES_MIN);
	t->all = mem_resize(t->all, t->room, sizeof(*t->all));
}

void
row_times_note(struct row_times *t, const struct vt_grid *g, int64_t now)
{
	const vt_row end = vt_grid_screen(g);
	vt_row last;
	size_t i;

	if (t->cols != 0 && t->cols != g->cols) {
		t->count = 0;
		t->from = end;
	}
	t->cols = g->cols;
	/* Rows that returned to the screen have no time any more. */
	t->from = MIN_OF(t->from, end);
	i = find(t, end);
	if (i < t->count) {
		/* Cut the entry of END itself; drop the ones after it. */
		t->all[i].end = end;
		t->count = i + 1;
	}
	last = t->count == 0 ? t->from : t->all[t->count - 1].end;
	if (end <= last)
		return;
	if (t->count > 0 && t->all[t->count - 1].at == now) {
		t->all[t->count - 1].end = end;
		return;
	}
	make_room(t, vt_grid_first(g));
	t->all[t->count++] = (struct row_time){ end, now };
}
