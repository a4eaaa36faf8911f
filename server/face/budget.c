#include "server/face/budget.h"

#include <string.h>

#define TELL_MS 60000 /* between two reports */

void
budget_init(struct budget *b, mono_ms now)
{
	memset(b, 0, sizeof(*b));
	b->at = now;
	b->tokens = BUDGET_BURST;
}

unsigned
budget_cost(const struct sync_event *ev)
{
	if (ev->kind == SYNC_RESIZE)
		return BUDGET_SIZE;
	return (unsigned)MIN_OF(1 + ev->len / BUDGET_BYTES, BUDGET_BURST);
}

bool
budget_take(struct budget *b, mono_ms now, unsigned cost)
{
	if (now > b->at) {
		b->tokens = MIN_OF(b->tokens + (now - b->at), BUDGET_BURST);
		b->at = now;
	}
	if (b->tokens < cost)
		return false;
	b->tokens -= cost;
	return true;
}

bool
budget_join(struct budget *b, mono_ms now)
{
	return budget_take(b, now / 10, BUDGET_JOIN);
}

size_t
budget_yields(const mono_ms *heard, size_t n)
{
	size_t i, last = n;

	for (i = 0; i < n; i++)
		if (heard[i] != MONO_NEVER && heard[i] >= BUDGET_SILENT_MS &&
		    (last == n || heard[i] > heard[last]))
			last = i;
	return last;
}

mono_ms
budget_when(const struct budget *b, unsigned cost)
{
	return b->tokens >= cost ? b->at : b->at + (cost - b->tokens);
}

uint64_t
budget_refuse(struct budget *b, mono_ms now)
{
	uint64_t n;

	b->refused++;
	if (b->told > 0 && now < b->told_at + TELL_MS)
		return 0;
	n = b->refused - b->told;
	b->told = b->refused;
	b->told_at = now;
	return n;
}

void
budget_limit_size(uint16_t size[4])
{
	/* Keep the size of a cell: the pixels shrink in proportion. */
	if (size[0] > BUDGET_COLS_MAX) {
		size[2] = (uint16_t)(size[2] * BUDGET_COLS_MAX / size[0]);
		size[0] = BUDGET_COLS_MAX;
	}
	if (size[1] > BUDGET_ROWS_MAX) {
		size[3] = (uint16_t)(size[3] * BUDGET_ROWS_MAX / size[1]);
		size[1] = BUDGET_ROWS_MAX;
	}
}
