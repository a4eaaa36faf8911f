/*
 * Rows that left the screen.
 */
#include "mux/vt/history.h"

#include <string.h>

#include "base/mem.h"

struct vt_history {
	struct vt_pool *pool;
	unsigned cols;
	size_t max_rows;
	size_t max_bytes;
	struct vt_line **rows;
	size_t start;
	size_t n;
	size_t cap;
	uint64_t dropped;
};

struct vt_history *
vt_history_new(
    struct vt_pool *pool, unsigned cols, size_t max_rows, size_t max_bytes)
{
	struct vt_history *h = mem_zalloc(sizeof(*h));

	h->pool = pool;
	h->cols = cols;
	h->max_rows = max_rows;
	h->max_bytes = max_bytes;
	return h;
}

void
vt_history_free(struct vt_history *h)
{
	if (h == NULL)
		return;
	vt_history_clear(h);
	mem_free(h);
}

static void
history_trim(struct vt_history *h)
{
	while (h->n > h->max_rows) {
		vt_line_unref(h->pool, h->rows[h->start++]);
		h->n--;
		h->dropped++;
	}
}

void
vt_history_set_limits(struct vt_history *h, size_t max_rows, size_t max_bytes)
{
	h->max_rows = max_rows;
	h->max_bytes = max_bytes;
	history_trim(h);
}

void
vt_history_push(struct vt_history *h, struct vt_line *line)
{
	if (h->start + h->n == h->cap) {
		if (h->start > 0) {
			memmove(h->rows, h->rows + h->start,
			    h->n * sizeof(*h->rows));
			h->start = 0;
		}
		if (h->n + h->n / 2 >= h->cap) {
			h->cap = h->cap * 2 + 64;
			h->rows = mem_resize(h->rows, h->cap, sizeof(*h->rows));
		}
	}
	h->rows[h->start + h->n++] = line;
	history_trim(h);
}

struct vt_line *
vt_history_pop(struct vt_history *h)
{
	return h->n == 0 ? NULL : h->rows[h->start + --h->n];
}

size_t
vt_history_rows(const struct vt_history *h)
{
	return h->n;
}

uint64_t
vt_history_dropped(const struct vt_history *h)
{
	return h->dropped;
}

size_t
vt_history_bytes(const struct vt_history *h)
{
	return sizeof(*h) + h->cap * sizeof(*h->rows);
}

const struct vt_line *
vt_history_row(struct vt_history *h, size_t row)
{
	bug_assert(row < h->n);
	return h->rows[h->start + row];
}

void
vt_history_clear(struct vt_history *h)
{
	while (h->n > 0) {
		vt_line_unref(h->pool, h->rows[h->start++]);
		h->n--;
		h->dropped++;
	}
	mem_free(h->rows);
	h->rows = NULL;
	h->start = h->cap = 0;
}

const char *
vt_history_check(struct vt_history *h)
{
	const char *bad;
	size_t i;

	for (i = 0; i < h->n; i++)
		if ((bad = vt_line_check(h->rows[h->start + i])) != NULL)
			return bad;
	return NULL;
}
