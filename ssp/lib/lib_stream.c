/* The public functions of streams. */
#include <string.h>

#include "base/err.h"
#include "ssp/lib/lib_int.h"

_Static_assert(SSP_WHAT_MAX == SSP_STREAM_WHAT_MAX, "the public number");
_Static_assert(SSP_NO_STREAM == SSP_STREAM_NONE, "the same");

static struct ssp_streams *
streams(const struct ssp *s)
{
	return ssp_transport_streams(s->bind.tp);
}

uint64_t
ssp_stream_open(
    struct ssp *s, enum ssp_urgency urgency, const void *what, size_t n)
{
	static const enum ssp_prio prio[] = {
		[SSP_URGENCY_TALK] = SSP_PRIO_TALK,
		[SSP_URGENCY_FLOW] = SSP_PRIO_FLOW,
		[SSP_URGENCY_BULK] = SSP_PRIO_BULK,
	};

	if (s->state != SSP_STATE_UP || (unsigned)urgency >= ARRAY_LEN(prio))
		return SSP_NO_STREAM;
	return ssp_streams_open(streams(s), prio[urgency], what, n);
}

void
ssp_stream_accept(struct ssp *s, bool yes)
{
	ssp_streams_accept(streams(s), yes);
}

const void *
ssp_stream_what(const struct ssp *s, uint64_t stream, size_t *n)
{
	return ssp_streams_what(streams(s), stream, n);
}

size_t
ssp_stream_send(struct ssp *s, uint64_t stream, const void *bytes, size_t n)
{
	return ssp_streams_put(streams(s), stream, bytes, n);
}

int64_t
ssp_stream_receive(
    struct ssp *s, uint64_t now, uint64_t stream, void *out, size_t size)
{
	const uint8_t *p;
	size_t n;

	switch (ssp_streams_state(streams(s), stream)) {
	case SSP_STREAM_GONE:
		return SSP_E_NOTFOUND;
	case SSP_STREAM_RESET:
		return SSP_E_RESET;
	case SSP_STREAM_ENDED:
		return SSP_E_ENDED;
	case SSP_STREAM_OPEN:
		break;
	}
	p = ssp_streams_peek(streams(s), stream, &n);
	if (p == NULL || size == 0)
		return 0;
	n = MIN_OF(n, size);
	memcpy(out, p, n);
	ssp_streams_taken(streams(s), now, stream, n);
	return (int64_t)n;
}

uint64_t
ssp_stream_why(const struct ssp *s, uint64_t stream, const char **text)
{
	const char *words;
	uint64_t code = ssp_streams_reason(streams(s), stream, &words);

	if (text != NULL)
		*text = words;
	return code;
}

void
ssp_stream_end(struct ssp *s, uint64_t stream)
{
	ssp_streams_end(streams(s), stream);
}

void
ssp_stream_close(struct ssp *s, uint64_t stream)
{
	ssp_streams_release(streams(s), stream);
}

void
ssp_stream_reset(
    struct ssp *s, uint64_t stream, uint64_t code, const char *text)
{
	ssp_streams_reset(streams(s), stream, code, text);
}
