/* Forwarded connections of a roaming client. */
#include <stdio.h>

#include "base/buf.h"
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
	const struct roam *r = arg;

	/* None: then no connection is this client's. */
	return r->reach;
}

static bool
forward_news(void *arg, uint64_t stream)
{
	return roam_exec_news(arg, stream);
}

static struct forwards *
forward_new(struct roam *r)
{
	static const struct forwards_ops ops = { forward_changed, forward_say,
		forward_reach, NULL, NULL, NULL, forward_news };

	return forwards_new(
	    r->loop, ssp_transport_streams(r->bind.tp), false, &ops, r);
}

/* --- the door -------------------------------------------------------------------- */

static void
door_added(void *arg, uint32_t number, unsigned entry,
    const struct forward_spec *spec, const int *fds, unsigned n)
{
	struct roam *r = arg;

	if (r->forwards == NULL)
		r->forwards = forward_new(r);
	if (r->forward_up)
		forwards_up(r->forwards);
	forwards_added(r->forwards, number, entry, spec, fds, n);
}

static void
door_cancelled(void *arg, uint32_t number, unsigned entry)
{
	const struct roam *r = arg;

	if (r->forwards != NULL)
		forwards_cancelled(r->forwards, entry);
	reach_tell(r->reach, number, false, "");
}

struct door_count {
	struct roam *r;
	uint32_t number;
};

static void
door_count_one(void *arg, const struct forward_info *i)
{
	const struct door_count *d = arg;

	if (!i->theirs)
		reach_count(d->r->reach, d->number, i->entry, &i->counts);
}

static void
door_count(void *arg, uint32_t number)
{
	struct door_count d = { arg, number };

	forwards_each(d.r->forwards, door_count_one, &d);
	reach_tell(d.r->reach, number, false, "");
}

/* The end of a helper that the launcher has started, or will. */
static void
forward_helper(struct roam *r)
{
	static const struct reach_news news = { door_added, door_cancelled,
		door_count };
	const int fd = launch_reach(r->launch);

	if (fd < 0)
		return;
	r->reach = reach_at(r->loop, fd);
	reach_set_news(r->reach, &news, r);
}

/* --- the report ------------------------------------------------------------------- */

static void
report_one(void *arg, const struct forward_info *i)
{
	char spec[FORWARD_SPEC_TEXT];
	struct buf *out = arg;

	if (i->theirs)
		return;
	(void)buf_addf(out, "\n%s: %llu open, %llu bytes in, %llu out",
	    forward_spec_text(i->spec, spec),
	    (unsigned long long)i->counts.connections,
	    (unsigned long long)i->counts.in,
	    (unsigned long long)i->counts.out);
}

void
roam_forward_report(const struct roam *r, struct buf *out)
{
	forwards_each(r->forwards, report_one, out);
}

/* --- life ------------------------------------------------------------------------- */

int
roam_forward_open(struct roam *r, struct cause *c)
{
	struct cause why = { NULL };
	size_t i;
	int e;

	forward_helper(r);
	roam_desk_open(r);
	if (r->desk != NULL) {
		r->forwards = forward_new(r);
		forwards_desk(r->forwards);
	}
	/* Nobody has asked for the helper: it starts when it is needed. */
	if (r->cfg->nforwards == 0 && !roam_has_exec(r))
		return 0;
	if (r->forwards == NULL)
		r->forwards = forward_new(r);
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
	r->forward_up = true;
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
	roam_desk_close(r);
	mem_free(r->forward_text);
	r->forward_text = NULL;
	forwards_free(r->forwards);
	r->forwards = NULL;
	reach_free(r->reach);
	r->reach = NULL;
}
