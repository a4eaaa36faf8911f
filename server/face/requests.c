#include "server/face/requests.h"

#include <string.h>

#include "base/mem.h"
#include "mux/client.h"
#include "mux/mode/mode.h"
#include "mux/session.h"
#include "mux/window.h"
#include "server/face/message.h"
#include "server/face/prompt.h"
#include "server/face/role.h"
#include "server/face/viewer.h"
#include "server/io/scope.h"
#include "server/run/cmdq.h"
#include "server/run/parse.h"

static char *
expand(void *arg, const struct mode_where *at, const struct format_var *vars,
    size_t count, const char *format)
{
	const struct viewers *vs = arg;
	const struct scope_where where = {
		.client = at->client,
		.session = at->session,
		.link = at->link,
		.pane = at->pane,
		.vars = vars,
		.var_count = count,
	};

	return scope_new(vs->scope, &where, format, 0);
}

void
requests_init(struct viewers *vs)
{
	mode_requests_init(&vs->requests);
	vs->modes =
	    (struct mode_host){ expand, vs, &vs->requests, vs->run->keys };
}

void
requests_fini(struct viewers *vs)
{
	mode_requests_fini(&vs->requests);
}

/* The mode that waits for a prompt, by ids. */
struct asked {
	struct viewers *all;
	uint32_t client;
	uint32_t pane;
	uint64_t serial;
	unsigned what;
};

static struct viewer *
asked_viewer(const struct asked *a)
{
	const struct client *c = mux_client(a->all->run->mux, a->client);

	return c == NULL ? NULL : viewer_find(a->all, c);
}

static void
answered(void *arg, const char *text, bool done)
{
	struct asked *a = arg;
	struct viewers *vs = a->all;
	struct viewer *vw = asked_viewer(a);

	if (text != NULL && done &&
	    mode_answer(vs->run->mux, a->pane, a->serial, a->what, text))
		requests_run(vs, vw, mux_pane(vs->run->mux, a->pane));
	if (done || text == NULL)
		mem_free(a);
	run_drain(vs->run);
}

static void
ask(struct viewer *vw, const struct mode_request *r)
{
	struct asked *a = mem_zalloc(sizeof(*a));

	a->all = vw->all;
	a->client = vw->client->id;
	a->pane = r->pane;
	a->serial = r->serial;
	a->what = r->what;
	prompt_open(vw,
	    &(struct prompt_spec){
		.message = r->text,
		.input = r->input,
		.flags = r->kind == MODE_REQUEST_CONFIRM ? PROMPT_SINGLE : 0,
		.type = PROMPT_TYPE_COMMAND,
		.done = answered,
		.arg = a,
	    });
}

static void
run_text(struct viewer *vw, const char *text)
{
	struct cmdq *q = cmdq_for(vw->run, vw->conn_id);
	struct cmdlist *list = NULL;
	struct cmd_state st;
	struct parse sp;

	keys_state(vw, &st);
	parse_init(&sp, vw->run, &st);
	if (parser_parse(text, strlen(text), NULL, 1, &sp.hooks, &list) == 0) {
		cmdq_append(q, list, &st, NULL, NULL);
		cmdq_turn(q);
	} else
		message_show(vw,
		    (mono_ms)options_number(
			&vw->client->session->options, OPTION_DISPLAY_TIME),
		    parse_errors(&sp));
	cmdlist_unref(list);
	parse_fini(&sp);
}

void
requests_run(struct viewers *vs, struct viewer *vw, const struct pane *p)
{
	const struct client *c;
	struct mode_request *r;

	viewers_redraw_window(vs, p->window);
	slices_start(vs, p);
	if (vw == NULL && (c = client_best(vs->run->mux, NULL)) != NULL)
		vw = viewer_find(vs, c);
	while ((r = mode_requests_take(&vs->requests)) != NULL) {
		if (vw != NULL && vw->client->session != NULL) {
			if (r->kind == MODE_REQUEST_RUN)
				run_text(vw, r->text);
			else if (role_prompts(vw->client))
				ask(vw, r);
		}
		mode_request_free(r);
	}
}
