#include "predict/context.h"

#include <string.h>

/*
 * What is believed before anything was seen.  After Enter or an unknown key
 * nothing is shown (mosh: tentative); one hit suffices in a line, on the
 * alternate screen, where letters may be commands, it takes two.
 */
static const struct context_score context_prior[2][CONTEXT_RUNS] = {
	{ { 1, 0.2 }, { 4, 0.2 }, { 8, 0.25 }, { 12, 0.25 } },
	{ { 1, 1.5 }, { 3, 0.45 }, { 6, 0.3 }, { 12, 0.3 } },
};

struct context *
context_find(struct context_table *t, uint64_t key, bool alternate)
{
	struct context *old = &t->rows[0];
	size_t i;

	for (i = 0; i < ARRAY_LEN(t->rows); i++) {
		if (t->rows[i].key == key) {
			t->rows[i].used = ++t->clock;
			return &t->rows[i];
		}
		if (t->rows[i].used < old->used)
			old = &t->rows[i];
	}
	memset(old, 0, sizeof(*old));
	old->key = key;
	old->used = ++t->clock;
	old->alternate = alternate;
	return old;
}

double
context_chance(const struct context *c, enum context_class class, unsigned run)
{
	const struct context_score *p, *s;

	run = MIN_OF(run, CONTEXT_RUNS - 1u);
	p = &context_prior[c->alternate ? 1 : 0][run];
	s = &c->score[class][run];
	return (p->hit + s->hit) / (p->hit + s->hit + p->miss + s->miss);
}

double
context_chance_new(bool alternate, unsigned run)
{
	const struct context_score *p;

	p = &context_prior[alternate ? 1 : 0][MIN_OF(run, CONTEXT_RUNS - 1u)];
	return p->hit / (p->hit + p->miss);
}

static void
context_score_add(struct context_score *s, bool right)
{
	s->hit *= PREDICT_DECAY;
	s->miss *= PREDICT_DECAY;
	if (right)
		s->hit += 1;
	else
		s->miss += 1;
}

void
context_learn(
    struct context *c, enum context_class class, unsigned run, bool right)
{
	context_score_add(
	    &c->score[class][MIN_OF(run, CONTEXT_RUNS - 1u)], right);
}

static size_t
context_enter_slot(uint64_t key)
{
	return (size_t)(key % PREDICT_ENTERS_MAX);
}

const struct context_enter *
context_enter_find(const struct context_table *t, uint64_t key)
{
	const struct context_enter *e = &t->enters[context_enter_slot(key)];

	return e->key == key && e->rows > 0 ? e : NULL;
}

double
context_enter_chance(const struct context_enter *e, bool general,
    const struct context_enter *others)
{
	/* What other commands did says little of this one. */
	double right = general ? 0.5 : 1, wrong = general ? 1 : 0.3;
	double usual;

	if (others != NULL && others->rows == e->rows &&
	    others->place == e->place) {
		usual = context_enter_chance(others, false, NULL);
		right = 1.5 * usual;
		wrong = 1.5 * (1 - usual);
	}
	right += e->score.hit;
	wrong += e->score.miss;
	return right / (right + wrong);
}

void
context_enter_learn(struct context_table *t, uint64_t key, unsigned rows,
    enum context_place place)
{
	struct context_enter *e = &t->enters[context_enter_slot(key)];
	bool same;

	if (e->key != key) {
		memset(e, 0, sizeof(*e));
		e->key = key;
	}
	same = rows > 0 && e->rows == rows && e->place == place;
	context_score_add(&e->score, same || (rows > 0 && e->rows == 0));
	if (same || rows == 0 || (e->rows > 0 && e->score.hit > e->score.miss))
		return;
	/* Now it is that. */
	e->rows = (uint8_t)rows;
	e->place = (uint8_t)place;
}
