#include "predict/context.h"

#include <string.h>

/*
 * Prior outcomes of a new context. After Enter or an unknown key predictions
 * are hidden (mosh: tentative). In a line one confirmed prediction shows them;
 * on the alternate screen, where letters may be commands, it takes two; at the
 * prompt of a line editor none.
 */
/* clang-format off */
static const struct context_score context_prior[CONTEXT_KINDS][CONTEXT_RUNS] = {
	[CONTEXT_PLAIN] =
	    { { 1, 0.2 }, { 4, 0.2 }, { 8, 0.25 }, { 12, 0.25 } },
	[CONTEXT_SCREEN] =
	    { { 1, 1.5 }, { 3, 0.45 }, { 6, 0.3 }, { 12, 0.3 } },
	[CONTEXT_EDITOR] =
	    { { 8, 0.25 }, { 8, 0.25 }, { 8, 0.25 }, { 12, 0.25 } },
};
/* clang-format on */

struct context *
context_find(struct context_table *t, uint64_t key, enum context_kind kind)
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
	old->kind = kind;
	return old;
}

/* Doubt less if all letters so far were text. */
static double
context_doubt(const struct context *c, double miss)
{
	return MIN_OF(
	    miss, miss * (1 + 4 * c->text.miss) / (1 + c->text.hit / 2));
}

double
context_chance(
    const struct context *c, enum context_class class, unsigned run, bool line)
{
	const struct context_score *p, *s;
	double miss;

	run = MIN_OF(run, CONTEXT_RUNS - 1u);
	p = &context_prior[c->kind][run];
	s = &c->score[class][run];
	miss = line ? context_doubt(c, p->miss) : p->miss;
	return (p->hit + s->hit) / (p->hit + s->hit + miss + s->miss);
}

double
context_chance_new(enum context_kind kind, unsigned run)
{
	const struct context_score *p;

	p = &context_prior[kind][MIN_OF(run, CONTEXT_RUNS - 1u)];
	return p->hit / (p->hit + p->miss);
}

void
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
	struct context_score sum = { 0 };
	size_t i;

	context_score_add(
	    &c->score[class][MIN_OF(run, CONTEXT_RUNS - 1u)], right);
	if (class != CONTEXT_TEXT)
		return;
	for (i = 0; i < CONTEXT_RUNS; i++) {
		sum.hit += c->score[CONTEXT_TEXT][i].hit;
		sum.miss += c->score[CONTEXT_TEXT][i].miss;
	}
	c->text = sum;
}

static size_t
context_enter_slot(uint64_t key)
{
	return (size_t)(key % PREDICT_ENTERS_MAX);
}

static bool
context_enter_same(const struct context_enter *a, const struct context_enter *b)
{
	return a->rows == b->rows && a->place == b->place && a->open == b->open;
}

const struct context_enter *
context_enter_find(const struct context_table *t, uint64_t key)
{
	const struct context_enter *e = &t->enters[context_enter_slot(key)];

	return e->key == key && e->rows > 0 ? e : NULL;
}

bool
context_enter_lost(const struct context_table *t, uint64_t key)
{
	const struct context_enter *e = &t->enters[context_enter_slot(key)];

	return e->key == key && e->rows == 0;
}

double
context_enter_chance(const struct context_enter *e,
    enum context_enter_kind kind, const struct context_enter *others)
{
	/* The outcomes of other commands say little about this one ... */
	double right = kind >= CONTEXT_ENTER_ALL ? 0.5 : 1, wrong = 0.3;
	double usual, weight;

	if (kind == CONTEXT_ENTER_LINE)
		wrong = 0.25;
	if (kind == CONTEXT_ENTER_ALL)
		wrong = 1;
	/* An input box is empty after each line; an editor may indent. */
	if (kind == CONTEXT_ENTER_LINE && e->place == CONTEXT_SAME)
		wrong = PREDICT_ENTER_SAME;
	else if (kind == CONTEXT_ENTER_LINE && e->open > 0)
		wrong = e->place == CONTEXT_INDENT ? PREDICT_ENTER_INDENT
						   : PREDICT_ENTER_OPEN;
	/* ... except in a program that always does the same. */
	if (kind == CONTEXT_ENTER_ANY)
		wrong = e->score.miss > 0.1 ? 1 : 1 / (1 + e->score.hit);
	/* Commands that print nothing do so mostly again. */
	if (kind <= CONTEXT_ENTER_WORD && e->rows == 1 &&
	    e->place == CONTEXT_PROMPT)
		wrong *= PREDICT_SILENT_WRONG;
	if (others != NULL && context_enter_same(e, others)) {
		usual = context_enter_chance(others, CONTEXT_ENTER_WORD, NULL);
		right = 1.5 * usual;
		wrong = 1.5 * (1 - usual);
	}
	/* The same line does the same nearly always. */
	weight = kind == CONTEXT_ENTER_LINE ? PREDICT_ENTER_WEIGHT : 1;
	right += e->score.hit * weight;
	wrong += e->score.miss * weight;
	return right / (right + wrong);
}

void
context_enter_learn(
    struct context_table *t, uint64_t key, const struct context_enter *what)
{
	struct context_enter *e = &t->enters[context_enter_slot(key)];
	bool same;

	if (e->key != key) {
		memset(e, 0, sizeof(*e));
		e->key = key;
	}
	same = what->rows > 0 && context_enter_same(e, what);
	context_score_add(&e->score, same || (what->rows > 0 && e->rows == 0));
	if (same || what->rows == 0 ||
	    (e->rows > 0 && e->score.hit > e->score.miss))
		return;
	/* The last outcome replaces the remembered one. */
	e->rows = what->rows;
	e->place = what->place;
	e->open = what->open;
}
