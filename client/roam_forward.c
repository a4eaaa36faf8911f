/* Forwarded connections of a roaming client. */
#include <stdio.h>

#include "base/io/sys.h"
#include "base/mem.h"
#include "client/roam_int.h"
#include "ssp/io/forward.h"

/* Deferred: the pump may be up the stack. */
static void
forward_changed(void *arg)
{
	struct roam *r = arg;

	if (!r->leaving)
		loop_defer(r->loop, roam_changed, r);
}

static void
forward_say(void *arg, const char *text)
{
	struct roam *r = arg;

	if (r->attach != NULL) {
		attach_say(r->attach, ROAM_SAY_MS, text);
		return;
	}
	fprintf(stderr, "rmux: ");
	sys_complain(text);
	/* The screen will hide it. */
	if (r->forward_text == NULL)
		r->forward_text = mem_strdup(text);
}

static struct reach *
forward_reach(void *arg)
{
	struct roam *r = arg;
	struct cause c = { NULL };

	/* Then no connection is this client's. */
	if (r->cfg->nforwards == 0)
		return NULL;
	if (r->reach == NULL && reach_new(r->loop, &r->reach, &c) != 0)
		fprintf(stderr, "rmux: %s\n", cause_text(&c));
	cause_fini(&c);
	return r->reach;
}

static bool
forward_news(void *arg, uint64_t stream)
{
	return roam_exec_news(arg, stream);
}

int
roam_forward_open(struct roam *r, struct cause *c)
{
	static const struct forwards_ops ops = { forward_changed, forward_say,
		forward_reach, NULL, NULL, forward_news };
	struct cause why = { NULL };
	size_t i;
	int e;

	if (r->cfg->nforwards == 0 && !roam_has_exec(r))
		return 0;
	r->forwards = forwards_new(
	    r->loop, ssp_transport_streams(r->bind.tp), false, &ops, r);
	for (i = 0; i < r->cfg->nforwards; i++) {
		e = forwards_add(r->forwards, &r->cfg->forwards[i], &why);
		if (e != 0 && r->cfg->forward_or_exit)
			return cause_set(c, e, "rmux: %s", cause_text(&why));
		/* As ssh: the session is worth more than one forward. */
		if (e != 0)
			forward_say(r, cause_text(&why));
		cause_fini(&why);
	}
	/* security: from here on the server's words are read. */
	if (r->reach != NULL)
		reach_seal(r->reach);
	return 0;
}

void
roam_forward_up(struct roam *r)
{
	if (r->forwards == NULL)
		return;
	if (r->forward_text != NULL && r->attach != NULL)
		forward_say(r, r->forward_text);
	mem_free(r->forward_text);
	r->forward_text = NULL;
	forwards_up(r->forwards);
}

void
roam_forward_close(struct roam *r)
{
	mem_free(r->forward_text);
	r->forward_text = NULL;
	forwards_free(r->forwards);
	r->forwards = NULL;
	reach_free(r->reach);
	r->reach = NULL;
}
