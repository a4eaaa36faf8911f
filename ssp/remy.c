#include "ssp/remy.h"

#include <math.h>
#include <string.h>

#include "base/compiler.h"

#define REMY_GAIN .125 /* of the newest datagram in the means */

void
ssp_remy_init(struct ssp_remy *m)
{
	memset(m, 0, sizeof(*m));
	m->window = SSP_REMY_START;
}

static bool
remy_inside(const struct ssp_remy_rule *r, const double at[SSP_REMY_AXES])
{
	unsigned i;

	for (i = 0; i < SSP_REMY_AXES; i++)
		if (!(at[i] >= r->low[i] && at[i] < r->high[i]))
			return false;
	return true;
}

/* Returns the index of the rule for what is remembered. */
static size_t
remy_find(const struct ssp_remy_table *table, const double at[SSP_REMY_AXES])
{
	size_t i;

	for (i = 0; i + 1 < table->n; i++)
		if (remy_inside(&table->rule[i], at))
			break;
	return i;
}

/* Adds N datagrams, each GAP apart, to a mean. */
static double
remy_mean(double mean, double gap, unsigned n)
{
	double keep = 1;

	for (; n > 0 && keep > 1e-6; n--)
		keep *= 1 - REMY_GAIN;
	return CLAMP(mean * keep + gap * (1 - keep), 0.0, SSP_REMY_TOP - 1);
}

size_t
ssp_remy_ack(struct ssp_remy *m, const struct ssp_remy_table *table, double now,
    double sent, unsigned n, double rtt, double least)
{
	const struct ssp_remy_rule *r;
	size_t i;

	if (m->any && n > 0) {
		m->at[SSP_REMY_ACK] = remy_mean(
		    m->at[SSP_REMY_ACK], MAX_OF(now - m->acked, 0.0) / n, n);
		m->at[SSP_REMY_SEND] = remy_mean(
		    m->at[SSP_REMY_SEND], MAX_OF(sent - m->sent, 0.0) / n, n);
	}
	m->any = true;
	m->acked = now;
	m->sent = MAX_OF(m->sent, sent);
	m->at[SSP_REMY_RATIO] =
	    CLAMP(rtt / MAX_OF(least, 1.0), 1.0, SSP_REMY_TOP - 1);
	i = remy_find(table, m->at);
	r = &table->rule[i];
	m->window = CLAMP(m->window * r->multiple + r->increment,
	    SSP_REMY_LEAST, SSP_REMY_MOST);
	m->gap = r->gap;
	return i;
}

#define R(a, b, c, d, e, f, m, i, g) { { a, c, e }, { b, d, f }, m, i, g },

static const struct ssp_remy_rule remy_1[] = {
#include "ssp/remy_1.def"
};

static const struct ssp_remy_rule remy_fast[] = {
#include "ssp/remy_0.1.def"
};

static const struct ssp_remy_rule remy_calm[] = {
#include "ssp/remy_10.def"
};

static const struct ssp_remy_rule remy_cell[] = {
#include "ssp/remy_cell.def"
};

#undef R

static const struct ssp_remy_table remy_tables[] = {
	{ "1", remy_1, ARRAY_LEN(remy_1) },
	{ "0.1", remy_fast, ARRAY_LEN(remy_fast) },
	{ "10", remy_calm, ARRAY_LEN(remy_calm) },
	{ "cell", remy_cell, ARRAY_LEN(remy_cell) },
};

const struct ssp_remy_table *
ssp_remy_table(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(remy_tables); i++)
		if (strcmp(remy_tables[i].name, name) == 0)
			return &remy_tables[i];
	return NULL;
}
