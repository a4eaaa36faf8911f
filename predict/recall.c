#include "predict/recall.h"

#include <string.h>

#include "base/str.h"
#include "predict/guess_int.h"
#include "predict/params.h"

void
recall_fini(struct recall_table *t)
{
	size_t i;

	for (i = 0; i < RECALL_SCREENS; i++)
		vt_frame_unref(t->recall[i].to);
	memset(t, 0, sizeof(*t));
}

/*
 * Returns the hash of a key on a screen, but for the text of row Y, which the
 * key EMPTIES.
 */
static uint64_t
recall_key(uint64_t key, const struct vt_frame *f, unsigned y, bool empties)
{
	uint64_t row[2];
	unsigned i;

	key = str_hash(&y, sizeof(y), key + empties);
	for (i = 0; i < f->rows; i++) {
		if (i == y && empties)
			continue;
		row[0] = i;
		row[1] = vt_line_hash(f->lines[i]);
		key = str_hash(row, sizeof(row), key);
	}
	return key | 1;
}

const struct recall *
recall_find(const struct recall_table *t, uint64_t key,
    const struct vt_frame *f, unsigned y)
{
	const struct recall *r;
	uint64_t whole, rest;
	size_t i;

	if (t->clock == 0)
		return NULL;
	whole = recall_key(key, f, y, false);
	rest = recall_key(key, f, y, true);
	for (i = 0; i < RECALL_SCREENS; i++) {
		r = &t->recall[i];
		if ((r->key == whole || r->key == rest) &&
		    r->to->cols == f->cols && r->to->rows == f->rows)
			return r;
	}
	return NULL;
}

double
recall_chance(const struct recall_table *t, const struct recall *r)
{
	double hit = r->score.hit + t->score.hit * PREDICT_RECALL_OTHERS;
	double miss = r->score.miss + t->score.miss * PREDICT_RECALL_OTHERS;

	return hit / (hit + miss + PREDICT_RECALL_WRONG);
}

static bool
recall_same(const struct vt_frame *a, const struct vt_frame *b)
{
	unsigned y;

	if (a->cols != b->cols || a->rows != b->rows ||
	    a->state.x != b->state.x || a->state.y != b->state.y)
		return false;
	for (y = 0; y < a->rows; y++)
		if (a->lines[y] != b->lines[y] &&
		    !guess_same_text(a->lines[y], b->lines[y], 0, a->cols))
			return false;
	return true;
}

/* Returns whether the text of B's row Y is in no row of F. */
static bool
recall_empties(const struct vt_frame *b, const struct vt_frame *f, unsigned y)
{
	unsigned i;

	if (guess_blank_from(b->lines[y], 0, b->cols))
		return false;
	for (i = 0; i < f->rows; i++)
		if (guess_same_text(b->lines[y], f->lines[i], 0, b->cols))
			return false;
	return guess_blank_from(f->lines[y], f->state.x, f->cols);
}

void
recall_learn(struct recall_table *t, uint64_t key, const struct vt_frame *b,
    const struct vt_frame *f)
{
	struct recall *r = &t->recall[0];
	size_t i;
	bool same;

	key = recall_key(key, b, b->state.y, recall_empties(b, f, b->state.y));
	for (i = 0; i < RECALL_SCREENS; i++) {
		if (t->recall[i].key == key) {
			r = &t->recall[i];
			break;
		}
		if (t->recall[i].used < r->used)
			r = &t->recall[i];
	}
	if (r->key != key) {
		vt_frame_unref(r->to);
		*r = (struct recall){ .key = key };
	} else {
		same = recall_same(r->to, f);
		context_score_add(&r->score, same);
		context_score_add(&t->score, same);
		vt_frame_unref(r->to);
	}
	if (r->score.hit + r->score.miss <= 0)
		r->score.hit = 1;
	r->to = vt_frame_ref(f);
	r->used = ++t->clock;
}
