#include "regress/sim/toy.h"

#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/wire.h"
#include "regress/sim/sim.h"

#define TOY_CELLS_MAX (1u << 20)
#define TOY_LOG_MAX (32u << 20)
#define TOY_GAP 3 /* equal cells sent inside a changed span */

struct toy_log *
toy_log_new(void)
{
	struct toy_log *l = mem_zalloc(sizeof *l);

	buf_init(&l->bytes, TOY_LOG_MAX);
	return l;
}

void
toy_log_add(struct toy_log *l, const void *data, size_t n)
{
	const uint8_t *p = data;
	size_t i;

	bug_assert(buf_add(&l->bytes, data, n) == 0);
	for (i = 0; i < n; i++)
		l->hash = (l->hash ^ p[i]) * UINT64_C(0x100000001b3) + 1;
	l->end += n;
}

static void *
log_clone(const void *obj)
{
	const struct toy_log *l = obj;
	struct toy_log *c = toy_log_new();

	c->start = l->start;
	c->end = l->end;
	c->hash = l->hash;
	bug_assert(buf_add(&c->bytes, l->bytes.data, l->bytes.len) == 0);
	return c;
}

static void
log_free(void *obj)
{
	struct toy_log *l = obj;

	buf_fini(&l->bytes);
	mem_free(l);
}

static bool
log_equal(const void *a, const void *b)
{
	const struct toy_log *x = a, *y = b;

	return x->end == y->end && x->hash == y->hash;
}

static int
log_diff(const void *old, const void *new, struct buf *out)
{
	const struct toy_log *x = old, *y = new;

	bug_assert(x->end <= y->end && y->start <= x->end);
	return buf_add(out, y->bytes.data + (x->end - y->start),
	    (size_t)(y->end - x->end));
}

static int
log_apply(void *obj, const uint8_t *diff, size_t len)
{
	struct toy_log *l = obj;

	peer_check(l->bytes.len + len <= TOY_LOG_MAX);
	toy_log_add(l, diff, len);
	return 0;
}

static void
log_subtract(void *obj, const void *prefix)
{
	const struct toy_log *p = prefix;
	struct toy_log *l = obj;
	uint64_t to = MIN_OF(p->end, l->end);

	if (to <= l->start)
		return;
	buf_consume(&l->bytes, (size_t)(to - l->start));
	l->start = to;
}

const struct ssp_object_ops toy_log_ops = {
	.name = "toy log",
	.clone = log_clone,
	.free = log_free,
	.equal = log_equal,
	.diff = log_diff,
	.apply = log_apply,
	.subtract = log_subtract,
};

struct toy_screen *
toy_screen_new(uint32_t cols, uint32_t rows)
{
	struct toy_screen *s = mem_zalloc(sizeof *s);

	s->cols = cols;
	s->rows = rows;
	s->cell = mem_alloc((size_t)cols * rows);
	memset(s->cell, ' ', (size_t)cols * rows);
	return s;
}

void
toy_screen_fill(struct toy_screen *s, uint64_t *rng)
{
	uint32_t i;

	for (i = 0; i < s->cols * s->rows; i++)
		s->cell[i] = (uint8_t)(' ' + sim_below(rng, 95));
}

void
toy_screen_scroll(struct toy_screen *s, uint64_t *rng)
{
	size_t keep = (size_t)s->cols * (s->rows - 1);
	uint32_t i, n = (uint32_t)sim_below(rng, s->cols);

	memmove(s->cell, s->cell + s->cols, keep);
	memset(s->cell + keep, ' ', s->cols);
	for (i = 0; i < n; i++)
		s->cell[keep + i] = (uint8_t)('a' + sim_below(rng, 26));
}

static void *
screen_clone(const void *obj)
{
	const struct toy_screen *s = obj;
	struct toy_screen *c = mem_dup(s, sizeof *s);

	c->cell = mem_dup(s->cell, (size_t)s->cols * s->rows);
	return c;
}

static void
screen_free(void *obj)
{
	struct toy_screen *s = obj;

	mem_free(s->cell);
	mem_free(s);
}

static bool
screen_equal(const void *a, const void *b)
{
	const struct toy_screen *x = a, *y = b;

	return x->cols == y->cols && x->rows == y->rows && x->echo == y->echo &&
	       memcmp(x->cell, y->cell, (size_t)x->cols * x->rows) == 0;
}

static int
put_varint(struct buf *out, uint64_t v)
{
	uint8_t b[8];
	struct wr w;

	wr_init(&w, b, sizeof b);
	wr_varint(&w, v);
	return buf_add(out, b, wr_len(&w));
}

/* echo, then (cells skipped, cells changed, cells)*; sizes never change. */
static int
screen_diff(const void *old, const void *new, struct buf *out)
{
	const struct toy_screen *x = old, *y = new;
	uint32_t n = y->cols * y->rows, i = 0, at = 0, end, same;

	bug_assert(x->cols == y->cols && x->rows == y->rows);
	if (screen_equal(x, y))
		return 0;
	put_varint(out, y->echo);
	while (i < n) {
		if (x->cell[i] == y->cell[i]) {
			i++;
			continue;
		}
		for (end = i + 1, same = 0; end < n && same <= TOY_GAP; end++)
			same = x->cell[end] == y->cell[end] ? same + 1 : 0;
		end -= same;
		put_varint(out, i - at);
		put_varint(out, end - i);
		buf_add(out, y->cell + i, end - i);
		at = i = end;
	}
	return out->overflow ? -ERR_LIMIT : 0;
}

static int
screen_apply(void *obj, const uint8_t *diff, size_t len)
{
	struct toy_screen *s = obj;
	uint64_t n = (uint64_t)s->cols * s->rows, at = 0, skip, count, echo;
	struct rd r, again;

	rd_init(&r, diff, len);
	echo = rd_varint(&r);
	again = r;
	while (rd_left(&r) > 0) {
		skip = rd_varint(&r);
		count = rd_varint(&r);
		peer_check(r.err == 0 && skip <= n - at);
		at += skip;
		peer_check(count <= n - at);
		rd_bytes(&r, (size_t)count);
		peer_check(r.err == 0);
		at += count;
	}
	peer_check(r.err == 0);
	s->echo = echo;
	for (r = again, at = 0; rd_left(&r) > 0; at += count) {
		at += rd_varint(&r);
		count = rd_varint(&r);
		rd_copy(&r, s->cell + at, (size_t)count);
	}
	return 0;
}

static int
screen_save(const void *obj, struct buf *out)
{
	const struct toy_screen *s = obj;

	put_varint(out, s->cols);
	put_varint(out, s->rows);
	put_varint(out, s->echo);
	return buf_add(out, s->cell, (size_t)s->cols * s->rows);
}

static int
screen_load(void *obj, const uint8_t *data, size_t len)
{
	struct toy_screen *s = obj;
	uint64_t cols, rows, echo;
	struct rd r;

	rd_init(&r, data, len);
	cols = rd_varint(&r);
	rows = rd_varint(&r);
	echo = rd_varint(&r);
	peer_check(r.err == 0 && cols == s->cols && rows == s->rows);
	peer_check(rd_left(&r) == cols * rows);
	s->echo = echo;
	rd_copy(&r, s->cell, (size_t)(cols * rows));
	return 0;
}

const struct ssp_object_ops toy_screen_ops = {
	.name = "toy screen",
	.clone = screen_clone,
	.free = screen_free,
	.equal = screen_equal,
	.diff = screen_diff,
	.apply = screen_apply,
	.save = screen_save,
	.load = screen_load,
	.save_max = TOY_CELLS_MAX,
};

const struct ssp_object_ops toy_bare_ops = {
	.name = "toy screen without serialisation",
	.clone = screen_clone,
	.free = screen_free,
	.equal = screen_equal,
	.diff = screen_diff,
	.apply = screen_apply,
};
