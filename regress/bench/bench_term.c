#include "regress/bench/bench_term.h"

#include <string.h>

#include "base/mem.h"
#include "mux/vt/term.h"
#include "regress/bench/payload.h"

#define PIECE 65536

struct ours {
	struct vt_pool *pool;
	struct grapheme_table *graphemes;
	struct vt_term *t;
};

static void *
ours_new(unsigned cols, unsigned rows, size_t history)
{
	struct ours *o = mem_zalloc(sizeof(*o));
	struct vt_term_options opt;

	o->pool = vt_pool_new();
	o->graphemes = grapheme_table_new(NULL);
	memset(&opt, 0, sizeof(opt));
	opt.pool = o->pool;
	opt.graphemes = o->graphemes;
	opt.cols = cols;
	opt.rows = rows;
	opt.history_rows = history;
	opt.history_bytes = SIZE_MAX; /* as in a pane */
	o->t = vt_term_new(&opt);
	return o;
}

static void
ours_write(void *t, const uint8_t *p, size_t n)
{
	struct ours *o = t;
	struct vt_effect e;

	vt_term_write(o->t, p, n);
	while (vt_term_next_effect(o->t, &e))
		vt_effect_fini(&e);
}

static void
ours_free(void *t)
{
	struct ours *o = t;

	vt_term_free(o->t);
	vt_pool_free(o->pool);
	grapheme_table_free(o->graphemes);
	mem_free(o);
}

const struct bench_term bench_rmux = {
	"rmux",
	ours_new,
	ours_write,
	ours_free,
};

double
bench_feed(
    const struct bench_term *bt, size_t history, const uint8_t *p, size_t n)
{
	void *t = bt->new (PAYLOAD_COLS, PAYLOAD_ROWS, history);
	double from = bench_cpu();
	size_t i, k;

	for (i = 0; i < n; i += k) {
		k = n - i < PIECE ? n - i : PIECE;
		bt->write(t, p + i, k);
	}
	from = bench_cpu() - from;
	bt->free(t);
	return from;
}
