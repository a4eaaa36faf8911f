#include "server/face/requests.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "mux/client.h"
#include "mux/mode/mode.h"
#include "mux/paste.h"
#include "mux/session.h"
#include "mux/window.h"
#include "server/face/client_sink.h"
#include "server/face/editor.h"
#include "server/face/menu.h"
#include "server/face/message.h"
#include "server/face/popup.h"
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

/* --- questions ----------------------------------------------------------------- */

/* The mode that waits for an answer, by ids. */
struct asked {
	struct viewers *all;
	uint32_t client;
	uint32_t pane;
	uint64_t serial;
	unsigned what;
	bool narrow;  /* each change of the prompt counts */
	char *buffer; /* the paste buffer that an editor changes, or NULL */
};

static struct asked *
asked_new(struct viewer *vw, const struct mode_request *r)
{
	struct asked *a = mem_zalloc(sizeof(*a));

	a->all = vw->all;
	a->client = vw->client->id;
	a->pane = r->pane;
	a->serial = r->serial;
	a->what = r->what;
	a->narrow = r->kind == MODE_REQUEST_NARROW;
	a->buffer = r->buffer == NULL ? NULL : mem_strdup(r->buffer);
	return a;
}

static void
asked_free(struct asked *a)
{
	mem_free(a->buffer);
	mem_free(a);
}

static void
answer(struct asked *a, const char *text)
{
	struct viewers *vs = a->all;
	const struct client *c = mux_client(vs->run->mux, a->client);

	if (mode_answer(vs->run->mux, a->pane, a->serial, a->what, text))
		requests_run(vs, c == NULL ? NULL : viewer_find(vs, c),
		    mux_pane(vs->run->mux, a->pane));
}

static void
answered(void *arg, const char *text, bool done)
{
	struct asked *a = arg;
	struct run *run = a->all->run;

	if (a->narrow)
		answer(a, text == NULL ? "" : done ? text : text + 1);
	else if (text != NULL && done)
		answer(a, text);
	if (done || text == NULL)
		asked_free(a);
	run_drain(run);
}

static unsigned
prompt_flags(enum mode_request_kind kind)
{
	if (kind == MODE_REQUEST_CONFIRM)
		return PROMPT_SINGLE;
	return kind == MODE_REQUEST_NARROW ? PROMPT_INCREMENTAL : 0;
}

/* Whose history the prompt has. */
static enum prompt_type
prompt_kind(enum mode_request_kind kind)
{
	return kind == MODE_REQUEST_FIND || kind == MODE_REQUEST_NARROW
		   ? PROMPT_TYPE_SEARCH
		   : PROMPT_TYPE_COMMAND;
}

static void
ask(struct viewer *vw, const struct mode_request *r)
{
	prompt_open(vw, &(struct prompt_spec){
			    .message = r->text,
			    .plain = true,
			    .input = r->input,
			    .flags = prompt_flags(r->kind),
			    .type = prompt_kind(r->kind),
			    .in_pane = true,
			    .pane = r->pane,
			    .serial = r->serial,
			    .what = r->what,
			    .done = answered,
			    .arg = asked_new(vw, r),
			});
}

static void
menu_chosen(void *arg, size_t item)
{
	struct asked *a = arg;
	struct run *run = a->all->run;
	char text[24];

	if (item != MENU_NOTHING) {
		(void)snprintf(text, sizeof(text), "%zu", item);
		answer(a, text);
	}
	asked_free(a);
	run_drain(run);
}

/* The menu's middle is under the mouse. */
static void
show_menu(struct viewer *vw, const struct mode_request *r)
{
	const struct grapheme_table *gt = vw->run->graphemes;
	const struct pane *p = mux_pane(vw->run->mux, r->pane);
	const struct client *c = vw->client;
	struct view_menu *m;
	size_t i;
	int e = 0;

	if (p == NULL || menu_shown(vw) || popup_shown(vw))
		return;
	m = view_menu_new(gt, r->text);
	for (i = 0; i < r->count && e == 0; i++)
		e = *r->rows[i].name == '\0'
			? view_menu_add_line(m)
			: view_menu_add(
			      m, gt, r->rows[i].name, r->rows[i].key, i, c->w);
	m->x = vw->builder.window_x + p->x + r->x -
	       (m->width + VIEW_MENU_FRAME_W) / 2;
	m->y = vw->builder.window_y + p->y + r->y;
	if (e != 0 || !view_menu_fit(m, c->w, c->h))
		view_menu_free(m);
	else
		menu_open_window(vw, m, menu_chosen, asked_new(vw, r));
}

static void
edited(void *arg, const void *p, size_t n)
{
	struct asked *a = arg;
	struct run *run = a->all->run;
	struct paste_buffer *b;
	char *text;

	if (p != NULL && a->buffer == NULL) {
		text = mem_strndup(p, n);
		answer(a, text);
		mem_free(text);
	} else if (p != NULL &&
		   (b = paste_find(run->mux->paste, a->buffer)) != NULL)
		(void)paste_replace(run->mux->paste, b, p, n);
	asked_free(a);
	run_drain(run);
}

static void
edit(struct viewer *vw, const struct mode_request *r)
{
	const struct paste_buffer *b;

	if (r->buffer == NULL)
		editor_open(
		    vw, r->input, strlen(r->input), edited, asked_new(vw, r));
	else if ((b = paste_find(vw->run->mux->paste, r->buffer)) != NULL)
		editor_open(vw, b->data, b->size, edited, asked_new(vw, r));
}

/* --- requests ------------------------------------------------------------------ */

static void
run_text(struct viewer *vw, const char *text)
{
	struct cmdq *q = cmdq_for(vw->run, vw->conn_id);
	struct cmdlist *list = NULL;
	struct cmd_state st;
	struct parse sp;
	struct sink s;

	keys_state(vw, &st);
	parse_init(&sp, vw->run, &st);
	if (parser_parse(text, strlen(text), NULL, 1, &sp.hooks, &list) == 0) {
		cmdq_append(q, list, &st, NULL, NULL);
		cmdq_turn(q);
	} else {
		s = client_sink(vw);
		sink_error(&s, parse_errors(&sp));
	}
	cmdlist_unref(list);
	parse_fini(&sp);
}

static void
open_request(struct viewer *vw, const struct mode_request *r)
{
	switch (r->kind) {
	case MODE_REQUEST_MENU:
		show_menu(vw, r);
		break;
	case MODE_REQUEST_EDIT:
		edit(vw, r);
		break;
	default:
		ask(vw, r);
		break;
	}
}

void
requests_queue(struct viewers *vs)
{
	struct cmdlist *list;
	struct mode_request *r;
	struct cmd_state st;
	struct parse sp;

	while ((r = mode_requests_take(&vs->requests)) != NULL) {
		list = NULL;
		cmd_state_init(&st);
		parse_init(&sp, vs->run, &st);
		if (r->kind == MODE_REQUEST_RUN &&
		    parser_parse(r->text, strlen(r->text), NULL, 1, &sp.hooks,
			&list) == 0)
			cmdq_append(vs->run->queue, list, &st, NULL, NULL);
		cmdlist_unref(list);
		parse_fini(&sp);
		mode_request_free(r);
	}
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
				open_request(vw, r);
		}
		mode_request_free(r);
	}
}
