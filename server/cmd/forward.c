/* list-forwards, kill-forward. */
#include "ssp/io/forward.h"

#include <stdio.h>

#include "base/mem.h"
#include "conf/format.h"
#include "mux/fmt/vars.h"
#include "server/cmd/cmd.h"
#include "server/cmd/resolve.h"
#include "server/face/controller.h"
#include "server/face/controller_link.h"
#include "server/face/viewer.h"
#include "server/io/remote.h"

#define FORWARD_LINE                                   \
 "#{client_name}: #{forward_kind}#{?forward_place, ,}" \
 "#{forward_place}#{?#{&&:#{forward_listen},"          \
 "#{!=:#{forward_listen},#{forward_place}}}, from "    \
 "#{forward_listen},}: #{forward_connections} open, "  \
 "#{forward_bytes_in} bytes in, #{forward_bytes_out} bytes out"

/* Clients without a view, of rmux exec and rmux forward, have no name. */
#define FORWARD_NAMELESS "-"

struct forward_list {
	struct cmd_context *c;
	struct client *client; /* NULL: it has no view */
	const char *address;
	struct buf out;
};

static void
list_one(void *arg, const struct forward_info *i)
{
	struct forward_list *l = arg;
	struct cmd_context *c = l->c;
	const char *format = args_get(c->args, 'F'),
		   *filter = args_get(c->args, 'f');
	char place[SSP_PLACE_TEXT], listen[SSP_PLACE_TEXT] = "",
				    connect[SSP_PLACE_TEXT] = "";
	char open[24], in[24], out[24], *text;
	/* Those of the client come last: it has them itself, if there is one. */
	const struct format_var vars[] = {
		{ "forward_kind", forward_kind_text(i->spec->kind) },
		{ "forward_place", forward_info_place(i, place) },
		{ "forward_listen", listen },
		{ "forward_connect", connect },
		{ "forward_connections", open },
		{ "forward_bytes_in", in },
		{ "forward_bytes_out", out },
		{ "client_name", FORWARD_NAMELESS },
		{ "client_address", l->address },
	};
	const size_t n = ARRAY_LEN(vars) - (l->client != NULL ? 2 : 0);
	bool show = true;

	/* Where the client of an older rmux listens is not known. */
	if (*i->spec->listen.host != '\0')
		(void)ssp_place_text(&i->spec->listen, listen);
	if (i->spec->kind == FORWARD_LOCAL)
		(void)ssp_place_text(&i->spec->connect, connect);
	snprintf(open, sizeof(open), "%llu",
	    (unsigned long long)i->counts.connections);
	snprintf(in, sizeof(in), "%llu", (unsigned long long)i->counts.in);
	snprintf(out, sizeof(out), "%llu", (unsigned long long)i->counts.out);
	c->shown = l->client;
	c->kind = VARS_CLIENT;
	if (filter != NULL) {
		text = cmd_format_vars_new(c, NULL, filter, vars, n);
		show = format_true(text);
		mem_free(text);
	}
	if (!show)
		return;
	text = cmd_format_vars_new(
	    c, NULL, format == NULL ? FORWARD_LINE : format, vars, n);
	(void)buf_addf(&l->out, "%s\n", text);
	mem_free(text);
}

static void
list_remote(void *arg, const struct remote *r)
{
	struct forward_list *l = arg;
	struct remote_info info;

	remote_info(r, &info);
	l->address = info.address;
	remote_forwards_each(r, list_one, l);
}

/* Returns the link of a client of another machine, or NULL. */
static const struct remote *
remote_of(struct cmd_context *c, const struct client *cl)
{
	const struct viewer *vw = viewer_find(&c->sv->viewers, cl);
	const struct controller *ct = controller_of(&c->sv->controllers, cl);

	if (vw != NULL && vw->link->ops->far)
		return remote_of_link(vw->link);
	return ct == NULL ? NULL : controller_remote(ct);
}

static void
list_client(struct forward_list *l, struct client *cl)
{
	const struct remote *r = remote_of(l->c, cl);

	l->client = cl;
	if (r != NULL)
		list_remote(l, r);
}

enum cmd_result
cmd_exec_list_forwards(struct cmd_context *c)
{
	const char *target = args_get(c->args, 't');
	struct forward_list l = { .c = c };
	struct client *cl;
	struct map_entry *e;

	buf_init(&l.out, (size_t)4 << 20);
	if (target != NULL) {
		cl = resolve_client(c, target);
		if (cl == NULL) {
			buf_fini(&l.out);
			return cmd_error(c, "can't find client: %s", target);
		}
		list_client(&l, cl);
	} else {
		MAP_FOREACH(e, &c->sv->run.mux->clients)
			list_client(&l, e->value);
		l.client = NULL;
		carriers_each(&c->sv->carriers, list_remote, &l);
	}
	c->shown = c->client;
	cmd_say_lines(c, &l.out);
	buf_fini(&l.out);
	return CMD_NORMAL;
}

enum cmd_result
cmd_exec_kill_forward(struct cmd_context *c)
{
	const char *place = args_string(c->args, 0);
	const struct remote *r;

	if (c->client == NULL)
		return cmd_error(c, "no current client");
	if ((r = remote_of(c, c->client)) == NULL)
		return cmd_error(c, "%s is on this machine", c->client->name);
	if (remote_forwards_kill(r, place) == 0)
		return cmd_error(c, "no forward at or to %s", place);
	return CMD_NORMAL;
}
