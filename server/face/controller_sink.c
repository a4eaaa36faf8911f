#include "server/face/controller_sink.h"

#include <string.h>

#include "server/face/controller.h"

static void
put_lines(const struct sink *s, const char *p, size_t n)
{
	controller_say(s->arg, p, n);
}

static void
put_bytes(const struct sink *s, const void *p, size_t n)
{
	controller_say(s->arg, p, n);
}

static void
put_error(const struct sink *s, const char *text)
{
	struct controller *ct = s->arg;

	controller_say(ct, text, strlen(text));
	ct->code = 1;
}

struct sink
controller_sink(struct controller *ct)
{
	static const struct sink_ops ops = {
		.lines = put_lines,
		.bytes = put_bytes,
		.error = put_error,
		.places = true,
	};

	return (struct sink){ &ops, ct->all->run, ct };
}
