#include "server/face/people.h"

#include <stdio.h>
#include <unistd.h>

#include "base/mem.h"
#include "mux/client.h"
#include "mux/session.h"
#include "mux/view/people.h"
#include "mux/window.h"
#include "server/face/message.h"
#include "server/face/viewer.h"
#include "server/io/remote.h"

/* --- joining and leaving --------------------------------------------------------- */

static void
people_say(struct viewers *vs, const struct client *c, const char *what)
{
	const struct session *s = c->session;
	struct list_node *n;
	struct viewer *vw;
	int64_t when;
	char *text;

	if (s == NULL || vs->run->exiting)
		return;
	when = options_number(&s->options, OPTION_JOIN_MESSAGES);
	if (when == JOIN_MESSAGES_OFF ||
	    (when == JOIN_MESSAGES_GUESTS && !c->guest))
		return;
	text = mem_printf("%s %s", c->name, what);
	LIST_FOREACH(n, &vs->list) {
		vw = container_of(n, struct viewer, node);
		if (vw->client != c && vw->client->session == s &&
		    !vw->detaching)
			message_show(vw,
			    (mono_ms)options_number(
				&s->options, OPTION_DISPLAY_TIME),
			    text);
	}
	mem_free(text);
}

static void
record(struct viewers *vs, const struct client *c, const char *kind)
{
	const struct viewer *vw = viewer_find(vs, c);
	struct remote_info info = { .address = "" };
	const char *user = NULL;
	char ticket[16] = "";
	struct buf role;

	if (vw != NULL && vw->link->ops->far)
		remote_info(remote_of_link(vw->link), &info);
	if (vw != NULL && vw->guest.invite != 0)
		(void)snprintf(ticket, sizeof(ticket), "%u", vw->guest.invite);
	buf_init(&role, 64);
	(void)client_role_put(c, &role);
	/* The Unix user, if server-access let it in. */
	if (c->uid > 0 && c->uid != (int64_t)getuid())
		user = c->user;
	audit_say(vs->run->audit, kind, c, "user", user, "kind",
	    c->guest ? "guest" : "user", "role", buf_cstr(&role), "session",
	    c->session == NULL ? NULL : c->session->name, "address",
	    *info.address == '\0' ? NULL : info.address, "ticket",
	    *ticket == '\0' ? NULL : ticket, "key",
	    vw == NULL || *vw->guest.print == '\0' ? NULL : vw->guest.print,
	    NULL);
	buf_fini(&role);
}

void
people_joined(struct viewers *vs, const struct client *c)
{
	char *what = c->role == CLIENT_ADMIN ? mem_strdup("joined")
					     : mem_printf("joined to %s",
						   client_role_name(c->role));

	record(vs, c, "join");
	people_say(vs, c, what);
	mem_free(what);
}

void
people_asked(struct viewers *vs, const struct client *c)
{
	record(vs, c, "ask");
	run_message(vs->run, "guest %s asks to join", c->name);
}

void
people_left(struct viewers *vs, const struct client *c)
{
	const struct viewer *vw = viewer_find(vs, c);

	audit_say(vs->run->audit, "leave", c, "why",
	    vw == NULL || vw->why == NULL ? "connection lost" : vw->why, NULL);
	people_say(vs, c, "left");
}

struct client *
people_next(const struct client *c)
{
	struct client *best = NULL, *o;
	const struct map_entry *e;

	MAP_FOREACH(e, &c->mux->clients) {
		o = e->value;
		if (o != c && o->session == c->session &&
		    (best == NULL || o->used > best->used))
			best = o;
	}
	return best;
}

/* --- cursors ------------------------------------------------------------------------ */

void
people_typed_into(
    struct viewer *vw, struct pane *p, enum audit_count what, uint64_t n)
{
	const struct client *c = vw->client;

	p->typed_by = MUX_NONE;
	if (!people_watched(c))
		return;
	p->typed_by = c->id;
	audit_add(vw->run->audit, c, what, p->id, n);
}

void
people_typed(struct viewer *vw)
{
	struct list_node *n;
	struct viewer *o;

	LIST_FOREACH(n, &vw->all->list) {
		o = container_of(n, struct viewer, node);
		if (o != vw && view_people_shown(o->client) &&
		    client_link(o->client) != NULL &&
		    client_pane(vw->client) != NULL &&
		    client_link(o->client)->window ==
			client_pane(vw->client)->window)
			viewer_dirty(o);
	}
}
