#include "server/face/me_conf.h"

#include <string.h>

#include "base/mem.h"
#include "conf/me.h"
#include "mux/client.h"
#include "mux/sync/input.h"
#include "server/face/message.h"
#include "server/face/viewer.h"

#define ME_SHOW_MS 10000
#define ME_ERRORS_BYTES (32u << 10)

_Static_assert(ME_BYTES_MAX == SYNC_EVENT_DATA_MAX, "a file is one event");

/* A guest that waits to be let in has no line for messages. */
static void
say(struct viewer *vw, const char *text)
{
	if (vw->client->session != NULL)
		message_show(vw, ME_SHOW_MS, text);
}

/*
 * Shows the first one of N errors; the others are for show-messages.
 * security: a guest fills no log of the server.
 */
static void
show_errors(struct viewer *vw, const char *lines, unsigned n)
{
	const bool guest = vw->client->guest;
	const size_t first = strcspn(lines, "\n");
	const char *p;
	char *text;

	if (n == 1)
		text = mem_strndup(lines, first);
	else
		text = mem_printf("%.*s (and %u more%s)", (int)first, lines,
		    n - 1, guest ? "" : ": show-messages");
	say(vw, text);
	mem_free(text);
	for (p = lines + first; !guest && *p == '\n' && p[1] != '\0';) {
		p++;
		run_message(vw->run, "%s: %.*s", vw->client->name,
		    (int)strcspn(p, "\n"), p);
		p += strcspn(p, "\n");
	}
}

static const char *
alias_of(void *arg, const char *name)
{
	const struct viewer *vw = arg;

	return options_alias(&vw->run->mux->server_options, name);
}

void
me_conf_apply(struct viewer *vw)
{
	struct client *c = vw->client;
	struct me_target to = {
		.options = &c->options,
		.alias = alias_of,
		.arg = vw,
		.guest = c->guest,
	};
	struct buf errors;
	unsigned n;

	/* security: who may only look changes nothing here, keys included. */
	if (vw->me.text == NULL || c->session == NULL ||
	    (c->guest && c->role == CLIENT_VIEW))
		return;
	to.keys = client_own_keys(c);
	buf_init(&errors, ME_ERRORS_BYTES);
	n = me_load(vw->me.text, vw->me.len, &to, &errors);
	mem_free(vw->me.text);
	vw->me.text = NULL;
	if (n > 0)
		show_errors(vw, buf_cstr(&errors), n);
	buf_fini(&errors);
	vw->builder.status_dirty = vw->builder.chrome_dirty = true;
	viewer_dirty(vw);
}

void
me_conf_event(struct viewer *vw, const struct sync_event *ev)
{
	const struct options *so = &vw->run->mux->server_options;
	const struct control_str why = { ev->data, ev->len };
	char *text;

	/* A client has one file. */
	if (vw->me.got)
		return;
	vw->me.got = true;
	if (ev->flags != 0) {
		text = control_plain_new(why);
		say(vw, text);
		mem_free(text);
		return;
	}
	if (!options_flag(so, OPTION_ACCEPT_ME_CONF)) {
		say(vw, "me.conf is not used: the server's accept-me-conf is "
			"off (attach --me=no leaves it out)");
		return;
	}
	vw->me.text = mem_alloc(ev->len + 1);
	memcpy(vw->me.text, ev->data, ev->len);
	vw->me.text[ev->len] = '\0';
	vw->me.len = ev->len;
	me_conf_apply(vw);
	if (vw->me.text != NULL)
		say(vw, "me.conf is not used while this client may only view");
}

void
me_conf_fini(struct viewer *vw)
{
	mem_free(vw->me.text);
	vw->me.text = NULL;
}
