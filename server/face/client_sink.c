#include "server/face/client_sink.h"

#include "base/mem.h"
#include "mux/client.h"
#include "mux/session.h"
#include "server/face/message.h"
#include "server/face/output.h"
#include "server/face/viewer.h"

static void
show_lines(const struct sink *s, const char *p, size_t n)
{
	output_client(s->arg, p, n);
}

static void
show_bytes(const struct sink *s, const void *p, size_t n)
{
	output_client(s->arg, p, n);
}

/* tmux shows an error with a capital first letter. */
static void
show_error(const struct sink *s, const char *text)
{
	struct viewer *vw = s->arg;
	const struct options *o = vw->client->session != NULL
				      ? &vw->client->session->options
				      : &vw->run->mux->session_options;
	char *t = mem_strdup(text);

	if (*t >= 'a' && *t <= 'z')
		*t = (char)(*t - 'a' + 'A');
	message_show(vw, (mono_ms)options_number(o, OPTION_DISPLAY_TIME), t);
	mem_free(t);
}

struct sink
client_sink(struct viewer *vw)
{
	static const struct sink_ops ops = {
		.lines = show_lines,
		.bytes = show_bytes,
		.error = show_error,
	};

	return (struct sink){ &ops, vw->run, vw };
}
