#include "ssp/replay.h"

#include <string.h>

#include "base/err.h"

#define REPLAY_WORDS (SSP_REPLAY_BITS / 64)

void
ssp_replay_init(struct ssp_replay *w)
{
	memset(w, 0, sizeof(*w));
}

int
ssp_replay_check(const struct ssp_replay *w, uint64_t n)
{
	if (n == UINT64_MAX)
		return -ERR_REPLAY;
	if (n >= w->next)
		return 0;
	if (w->next - n > SSP_REPLAY_WINDOW)
		return -ERR_REPLAY;
	if (w->ring[n / 64 % REPLAY_WORDS] >> (n % 64) & 1)
		return -ERR_REPLAY;
	return 0;
}

int
ssp_replay_accept(struct ssp_replay *w, uint64_t n)
{
	uint64_t word, top, i;

	if (ssp_replay_check(w, n) != 0)
		return -ERR_REPLAY;
	word = n / 64;
	if (n >= w->next) {
		/* Clear the words that the window enters. */
		top = w->next == 0 ? UINT64_MAX : (w->next - 1) / 64;
		if (top == UINT64_MAX || word - top >= REPLAY_WORDS)
			memset(w->ring, 0, sizeof(w->ring));
		else
			for (i = top + 1; i <= word; i++)
				w->ring[i % REPLAY_WORDS] = 0;
		w->next = n + 1;
	}
	w->ring[word % REPLAY_WORDS] |= UINT64_C(1) << (n % 64);
	return 0;
}
