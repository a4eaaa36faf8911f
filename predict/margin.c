#include "predict/margin.h"

#include <stddef.h>
#include <stdint.h>

bool
margin_breaks(const struct margin *m, enum margin_class class, unsigned extent)
{
	return m->breaks[class] > 0 && extent >= m->breaks[class];
}

/*
 * Returns the chance that text before the column where its class breaks, but
 * beyond all that stayed, stays.
 */
static double
margin_before(const struct margin *m, enum margin_class class, unsigned extent)
{
	const enum margin_class other =
	    class == MARGIN_TEXT ? MARGIN_BLANK : MARGIN_TEXT;
	unsigned left;

	if (extent >= m->breaks[class])
		return 0;
	left = m->breaks[class] - extent;
	/* Each column up to the break is as likely. */
	if (left <= m->vague[class])
		return (double)left / (left + 1.0);
	/* The class that has not broken may do so a column before. */
	if (m->carry[class] != MARGIN_WORD || m->breaks[other] > 0)
		return PREDICT_MARGIN_KNOWN;
	return class == MARGIN_TEXT ? PREDICT_MARGIN_BEFORE
				    : PREDICT_MARGIN_OTHER;
}

/* ... and where only the other class is known to break, at AT. */
static double
margin_other(enum margin_class class, unsigned extent, unsigned at)
{
	if (extent < at)
		return 1;
	if (class == MARGIN_TEXT && extent > at)
		return PREDICT_MARGIN_KNOWN;
	return PREDICT_MARGIN_OTHER;
}

double
margin_stays(const struct margin *m, enum margin_class class, unsigned extent,
    unsigned full, bool screen)
{
	enum margin_class other =
	    class == MARGIN_TEXT ? MARGIN_BLANK : MARGIN_TEXT;
	unsigned stays = m->stays[class], breaks = m->breaks[class];

	/*
	 * The classes break at nearly the same place, but a blank may hang
	 * behind it, and some programs break at a blank behind long text.
	 */
	if (class == MARGIN_TEXT && m->stays[MARGIN_BLANK] > 0)
		stays = MAX_OF(stays, m->stays[MARGIN_BLANK] - 1);
	else if (class == MARGIN_BLANK && breaks == 0 &&
		 (m->breaks[MARGIN_TEXT] > 0 ||
		     m->stays[MARGIN_TEXT] < stays + PREDICT_MARGIN_LONG))
		stays = MAX_OF(stays, m->stays[MARGIN_TEXT]);
	if (extent <= stays)
		return 1;
	if (breaks > 0)
		return margin_before(m, class, extent);
	if (m->breaks[other] > 0)
		return margin_other(class, extent, m->breaks[other]);
	if (!screen || extent < PREDICT_MARGIN_LEAST)
		return 1;
	if (extent + 1 >= full)
		return 1 - PREDICT_MARGIN_EDGE;
	/* Other text tells how long the rows are. */
	if (m->seen >= PREDICT_MARGIN_LEAST)
		return 1 - (extent > m->seen ? PREDICT_MARGIN_LONGER
					     : PREDICT_MARGIN_HAZARD);
	return 1 - PREDICT_MARGIN_HAZARD;
}

/* Returns whether a break of row Y moves the rows above up. */
static bool
margin_up(const struct margin *m, unsigned y)
{
	return m->up_rows > 0 && y == m->up_y;
}

double
margin_chance(const struct margin *m, unsigned y, unsigned rows)
{
	bool up = margin_up(m, y);
	/* A wrong scroll shows a whole screen in the wrong place. */
	double right = up ? 1 : PREDICT_MARGIN_RIGHT;
	double chance = (right + m->hit[up]) / (right + PREDICT_MARGIN_WRONG +
						   m->hit[up] + m->miss[up]);

	/* The text may end above a status line, or scroll before. */
	return !up && y + 1 > m->deep && y + PREDICT_MARGIN_NEAR >= rows
		   ? chance * PREDICT_MARGIN_DEEPER
		   : chance;
}

const struct margin_start *
margin_start(const struct margin *m, unsigned indent, unsigned mark)
{
	const struct margin_start *s = m->start;
	size_t i;

	for (i = 0; i < ARRAY_LEN(m->start); i++, s++)
		if (s->known && s->indent == indent && s->mark == mark)
			return s;
	return NULL;
}

void
margin_stayed(struct margin *m, enum margin_class class, unsigned extent)
{
	m->stays[class] = MAX_OF(m->stays[class], extent);
	if (m->breaks[class] <= m->stays[class])
		m->breaks[class] = 0;
}

void
margin_broke(struct margin *m, enum margin_class class, unsigned extent,
    unsigned vague, enum margin_carry carry)
{
	enum margin_class other =
	    class == MARGIN_TEXT ? MARGIN_BLANK : MARGIN_TEXT;

	/* A break that is known is not forgotten for one that is not. */
	if (carry == MARGIN_LOST && m->breaks[class] > 0 &&
	    extent >= m->breaks[class])
		return;
	/* Behind a longer word it may move that. */
	if (class == MARGIN_BLANK &&
	    (carry == MARGIN_AFTER || carry == MARGIN_WORD)) {
		if (carry == MARGIN_AFTER)
			m->fits =
			    m->fits == 0 ? extent : MAX_OF(m->fits, extent);
		else if (m->carry[class] == MARGIN_AFTER && m->fits >= extent)
			m->fits = 0;
		if (m->breaks[class] > 0 && m->carry[class] == MARGIN_WORD)
			carry = MARGIN_WORD;
	}
	if (m->breaks[class] == 0 || extent < m->breaks[class]) {
		m->breaks[class] = extent;
		m->vague[class] = vague;
	} else if (extent == m->breaks[class]) {
		m->vague[class] = MIN_OF(m->vague[class], vague);
	}
	if (m->stays[class] >= m->breaks[class])
		m->stays[class] = m->breaks[class] - 1;
	m->carry[class] = carry;
	if (carry == MARGIN_AFTER && m->breaks[other] == 0 &&
	    m->stays[other] < extent) {
		m->breaks[other] = m->breaks[class];
		m->vague[other] = m->vague[class];
		m->carry[other] = carry;
	}
}

void
margin_began(struct margin *m, unsigned indent, unsigned mark, unsigned left,
    bool copies)
{
	struct margin_start *s = m->start;
	size_t i;

	for (i = 0; i < ARRAY_LEN(m->start); i++, s++)
		if (s->known && s->indent == indent && s->mark == mark)
			break;
	if (i == ARRAY_LEN(m->start))
		s = &m->start[m->nstarts++ % ARRAY_LEN(m->start)];
	*s = (struct margin_start){ true, indent, mark, left, copies };
}

void
margin_score(struct margin *m, unsigned y, bool right)
{
	bool up = margin_up(m, y);

	m->hit[up] = m->hit[up] * PREDICT_DECAY + right;
	m->miss[up] = m->miss[up] * PREDICT_DECAY + !right;
}
