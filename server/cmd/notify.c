/* show-notifications. */
#include "mux/notify.h"

#include <stdio.h>

#include "base/mem.h"
#include "mux/fmt/vars.h"
#include "server/cmd/cmd.h"
#include "server/cmd/resolve.h"
#include "server/face/notices.h"

#define NOTIFY_LINE                                             \
 "#{t/p:notification_time}: #{?notification_seen, ,+} "         \
 "#{?pane_id,#{session_name}:#{window_index}.#{pane_index},-} " \
 "#{notification_window}: #{notification_text}"

/* The panes with dropped notifications that are listed. */
#define NOTIFY_DROPPERS 10

/* Returns the place of an entry's pane; an empty one if the pane is gone. */
static struct cmd_target
place_of(const struct cmd_context *c, const struct notify_entry *e)
{
	struct pane *p = mux_pane(c->sv->run.mux, e->pane);
	struct cmd_target t = { .index = -1 };
	struct winlink *wl = p == NULL ? NULL : notify_link(c->current.s, p);

	return wl == NULL ? t : resolve_pane(wl, p);
}

static void
show_entry(struct cmd_context *c, const struct notify_entry *e,
    const char *format, struct buf *out)
{
	const struct cmd_target t = place_of(c, e);
	char number[24], when[24], pane[16];
	char *text = notify_text_new(e), *line;
	const struct format_var vars[] = {
		{ "notification_body", e->body },
		{ "notification_kind", notify_kind_name(e->kind) },
		{ "notification_number", number },
		{ "notification_pane", pane },
		{ "notification_seen", e->seen ? "1" : "0" },
		{ "notification_text", text },
		{ "notification_time", when },
		{ "notification_title", e->title },
		{ "notification_urgency", e->note.urgency == 0   ? "low"
					  : e->note.urgency == 1 ? "normal"
								 : "critical" },
		{ "notification_window", e->window },
	};

	snprintf(number, sizeof(number), "%llu", (unsigned long long)e->number);
	snprintf(when, sizeof(when), "%lld", (long long)(e->time / 1000));
	snprintf(pane, sizeof(pane), "%%%u", e->pane);
	line = cmd_format_vars_new(c, &t, format, vars, ARRAY_LEN(vars));
	(void)buf_addf(out, "%s\n", line);
	mem_free(line);
	mem_free(text);
}

/* Tells how many were dropped, and of which panes. */
static void
show_dropped(const struct cmd_context *c, struct buf *out)
{
	const struct mux *m = c->sv->run.mux;
	struct map_entry *me;
	const struct pane *p;
	unsigned n = 0;

	if (m->notify->dropped == 0)
		return;
	(void)buf_addf(out, "too many at once: %llu dropped",
	    (unsigned long long)m->notify->dropped);
	MAP_FOREACH(me, &m->panes) {
		p = me->value;
		if (p->notify == NULL || p->notify->dropped == 0 ||
		    n++ >= NOTIFY_DROPPERS)
			continue;
		(void)buf_addf(out, "%s%%%u %llu", n == 1 ? " (" : ", ", p->id,
		    (unsigned long long)p->notify->dropped);
	}
	if (n > NOTIFY_DROPPERS)
		(void)buf_add_str(out, ", ...");
	(void)buf_add_str(out, n > 0 ? ")\n" : "\n");
}

/* -j: the pane of the newest unseen one. */
static enum cmd_result
jump(struct cmd_context *c)
{
	struct notify_entry *e = notify_newest(c->sv->run.mux);

	if (c->client == NULL || c->client->session == NULL)
		return cmd_error(c, "no current client");
	if (e == NULL)
		return cmd_error(c, "no new notifications");
	if (!notices_jump(&c->sv->viewers, c->client, e))
		return cmd_error(c, "can't show %%%u", e->pane);
	return CMD_NORMAL;
}

enum cmd_result
cmd_exec_show_notifications(struct cmd_context *c)
{
	const char *format = args_get(c->args, 'F');
	const struct notify *n = c->sv->run.mux->notify;
	struct buf out;
	size_t i;

	if (args_has(c->args, 'j'))
		return jump(c);
	if (args_has(c->args, 'c')) {
		notices_clear(&c->sv->viewers);
		return CMD_NORMAL;
	}
	buf_init(&out, (size_t)4 << 20);
	for (i = n->count; i > 0; i--)
		show_entry(c, n->all[i - 1],
		    format == NULL ? NOTIFY_LINE : format, &out);
	if (format == NULL)
		show_dropped(c, &out);
	cmd_say_lines(c, &out);
	buf_fini(&out);
	/* There is nothing else to see of panes that are gone. */
	if (notify_see_gone(c->sv->run.mux))
		viewers_redraw_status(&c->sv->viewers, NULL);
	return CMD_NORMAL;
}
