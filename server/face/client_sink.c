#include "server/face/client_sink.h"

#include <string.h>

#include "base/mem.h"
#include "mux/client.h"
#include "mux/session.h"
#include "server/face/message.h"
#include "server/face/pager.h"
#include "server/face/viewer.h"

/* The pager collects lines until the command ends, to tell one from several. */
static void
show_lines(const struct sink *s, const char *p, size_t n)
{
	char *text = mem_strndup(p, p[n - 1] == '\n' ? n - 1 : n);

	pager_say(s->arg, text);
	mem_free(text);
}

static void
show_bytes(const struct sink *s, const void *p, size_t n)
{
	const char *b = p;
	char *text = mem_strndup(b, b[n - 1] == '\n' ? n - 1 : n);

	if (strchr(text, '\n') == NULL)
		message_show(s->arg, 0, text);
	else
		pager_say(s->arg, text);
	mem_free(text);
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
