/*
 * Any bytes from a terminal, in any pieces, with time passing in between: the
 * events are valid, and pending input is bounded and has a deadline.
 *
 * The input: a byte N is followed by N bytes of the terminal; N >= 0xe0 are
 * instructions: time passes, a CPR is expected, pixels are switched.
 */
#include "base/err.h"
#include "base/types.h"
#include "client/term/in.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint64_t sum;

static void
take(UNUSED void *arg, const struct term_event *ev)
{
	size_t i;

	bug_assert(ev->nparams <= TERM_IN_PARAMS);
	bug_assert(ev->kind != TERM_TEXT ||
		   (ev->cp < 0x110000 && (ev->cp < 0xd800 || ev->cp > 0xdfff)));
	/* Every byte that an event points at can be read. */
	for (i = 0; i < ev->len; i++)
		sum += ev->data[i];
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct term_in *in = term_in_new(take, NULL);
	mono_ms now = 1000;
	size_t i = 0, n;

	while (i < size) {
		n = data[i++];
		switch (n) {
		default:
			if (n >= 0xe0) {
				now += (mono_ms)(n - 0xe0);
				if (term_in_deadline(in) <= now)
					term_in_timeout(in, now);
				break;
			}
			n = MIN_OF(n, size - i);
			term_in_push(in, now, data + i, n);
			i += n;
		}
	}
	now += 1000000;
	for (n = 0; n < 64 && term_in_deadline(in) <= now; n++)
		term_in_timeout(in, now);
	bug_assert(n < 64);
	term_in_free(in);
	return 0;
}
