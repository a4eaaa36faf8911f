#include "predict/habit.h"

#include <string.h>

#include "base/compiler.h"

static const char habit_open[] = "([{\"'", habit_shut[] = ")]}\"'";

static int
habit_find(const char *set, uint32_t cp)
{
	const char *c;

	if (cp == 0 || cp >= 0x7f)
		return -1;
	c = strchr(set, (int)cp);
	return c == NULL ? -1 : (int)(c - set);
}

int
habit_opens(uint32_t cp)
{
	return habit_find(habit_open, cp);
}

int
habit_closes(uint32_t cp)
{
	return habit_find(habit_shut, cp);
}

uint32_t
habit_closer(int pair)
{
	return (unsigned char)habit_shut[pair];
}

enum habit_state
habit_pairs(const struct habit *h, int pair)
{
	double hit = 0, miss = 0;
	int i;

	/* Before this one was typed the others tell. */
	if (h->pair[pair].hit + h->pair[pair].miss > 0) {
		hit = h->pair[pair].hit;
		miss = h->pair[pair].miss;
	} else {
		for (i = 0; i < HABIT_PAIRS; i++)
			miss += h->pair[i].miss;
	}
	if (hit > miss)
		return HABIT_YES;
	return miss > 0 ? HABIT_NO : HABIT_UNKNOWN;
}

/* Returns the number of the sign CP; -1: a letter, a digit or a blank. */
static int
habit_sign(uint32_t cp)
{
	static const char signs[] = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";

	return cp >= 0x80 ? HABIT_SIGNS - 1 : habit_find(signs, cp);
}

double
habit_chance(const struct habit *h, uint32_t cp)
{
	int sign = habit_sign(cp);
	const struct context_score *s;

	if (sign < 0)
		return 1;
	s = &h->sign[sign];
	/* Many programs take no letters beyond ASCII. */
	if (cp >= 0x80 && s->hit + s->miss <= 0)
		return PREDICT_SIGN_FOREIGN;
	return (1 + s->hit) / (1 + s->hit + s->miss);
}

void
habit_learn(struct habit *h, uint32_t cp, bool right)
{
	int sign = habit_sign(cp);

	if (sign >= 0)
		context_score_add(&h->sign[sign], right);
}

void
habit_learn_pair(struct habit *h, int pair, bool closed)
{
	context_score_add(&h->pair[pair], closed);
}

void
habit_learn_below(struct habit *h, unsigned rows, bool rose)
{
	if (rose)
		h->below = MAX_OF(h->below, rows);
	if (rose || rows < h->below)
		context_score_add(&h->rise, rose);
}

double
habit_below(const struct habit *h, unsigned rows)
{
	return rows >= h->below
		   ? 1
		   : (1 + h->rise.miss) / (1 + h->rise.miss + h->rise.hit);
}

int
habit_row(const struct habit *h, enum habit_arrow arrow, unsigned y)
{
	const struct habit_move *m = &h->move[arrow];

	if (y < HABIT_ROWS && m->to[y] > 0)
		return m->to[y] - 1;
	return m->by == 0 ? -1 : (int)y + m->by;
}

bool
habit_knows_row(const struct habit *h, enum habit_arrow arrow, unsigned y)
{
	return y < HABIT_ROWS && h->move[arrow].to[y] > 0;
}

double
habit_arrow_chance(const struct habit *h, enum habit_arrow arrow, bool *clip)
{
	const struct habit_move *m = &h->move[arrow];
	const struct context_score *s;

	*clip = m->clip.hit - m->clip.miss >= m->back.hit - m->back.miss;
	s = *clip ? &m->clip : &m->back;
	return s->hit / (s->hit + s->miss + PREDICT_ARROW_WRONG);
}

int
habit_col(const struct habit *h, unsigned y)
{
	if (y < HABIT_ROWS && h->col[y] > 0)
		return h->col[y] - 1;
	return (int)h->left - 1;
}

void
habit_learn_place(struct habit *h, unsigned x, unsigned y)
{
	if (y < HABIT_ROWS)
		h->col[y] = (uint16_t)(x + 1);
	if (h->left == 0 || x + 1 < h->left)
		h->left = x + 1;
}

void
habit_learn_arrow(struct habit *h, enum habit_arrow arrow, unsigned from,
    unsigned to, bool clip, bool back)
{
	struct habit_move *m = &h->move[arrow];

	m->by = (int)to - (int)from;
	if (from < HABIT_ROWS && to < HABIT_ROWS)
		m->to[from] = (uint8_t)(to + 1);
	context_score_add(&m->clip, clip);
	context_score_add(&m->back, back);
}

void
habit_learn_right(struct habit *h, bool stayed)
{
	h->right = stayed ? MIN_OF(h->right + 1, 2) : MAX_OF(h->right - 1, -2);
}
