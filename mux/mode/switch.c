#include "mux/mode/switch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "conf/args.h"
#include "mux/client.h"
#include "mux/mode/switch_int.h"
#include "mux/session.h"
#include "mux/window.h"

#define DOUBLE_CLICK_MS 300

static const char *const formats[] = {
	"#{session_name} #[dim]#{session_windows} windows "
	"#{?session_attached,#[nodim]attached#[dim],detached} #{window_name}",
	"#{window_name} #[dim]#{session_name}:#{window_index}#{window_flags} "
	"#{pane_current_command}",
};

static struct switcher *
switcher_of(struct mode *m)
{
	return container_of(m, struct switcher, mode);
}

/* --- items ------------------------------------------------------------------- */

static void
free_items(struct switcher *sw)
{
	size_t i;

	for (i = 0; i < sw->count; i++) {
		mem_free(sw->items[i].text);
		mem_free(sw->items[i].target);
		mem_free(sw->items[i].name);
	}
	mem_free(sw->items);
	mem_free(sw->rows);
	sw->items = NULL;
	sw->rows = NULL;
	sw->count = sw->row_count = 0;
}

static void
add(struct switcher *sw, size_t *room, struct winlink *wl)
{
	struct mode_where at = { .client =
				     mux_client(sw->mode.pane->mux, sw->client),
		.session = wl->session,
		.link = wl };
	struct switch_item *it;

	if (sw->count == MODE_SWITCH_MAX)
		return;
	if (sw->count == *room) {
		*room = *room == 0 ? 64 : *room * 2;
		sw->items = mem_resize(sw->items, *room, sizeof(*sw->items));
	}
	it = &sw->items[sw->count];
	*it = (struct switch_item){ .place = sw->count };
	sw->count++;
	it->text = sw->host->expand(sw->host->arg, &at, NULL, 0,
	    sw->format != NULL ? sw->format : formats[sw->windows]);
	it->name =
	    mem_strdup(sw->windows ? wl->window->name : wl->session->name);
	it->target = sw->windows
			 ? mem_printf("=%s:%d.", wl->session->name, wl->index)
			 : mem_printf("=%s:", wl->session->name);
}

static int
by_name(const void *a, const void *b)
{
	const struct switch_item *x = a, *y = b;
	int r = strcmp(x->name, y->name);

	if (r != 0)
		return r;
	return x->place < y->place ? -1 : x->place > y->place;
}

static void
build(struct switcher *sw)
{
	const struct mux *m = sw->mode.pane->mux;
	struct map_entry *e;
	struct session *s;
	struct list_node *n;
	struct winlink *wl;
	size_t room = 0;

	free_items(sw);
	MAP_FOREACH(e, &m->sessions) {
		s = e->value;
		if (s->current == NULL)
			continue;
		if (!sw->windows)
			add(sw, &room, s->current);
		else
			SESSION_FOREACH_LINK(wl, n, s)
		add(sw, &room, wl);
	}
	if (sw->count > 0)
		qsort(sw->items, sw->count, sizeof(*sw->items), by_name);
	switch_narrow(sw);
}

static void
switch_draw(struct mode *m, struct vt_frame *f, const struct mode_paint *paint)
{
	struct switcher *sw = switcher_of(m);

	sw->height = m->pane->h;
	switch_picture(sw, f, paint);
}

/* --- input ------------------------------------------------------------------- */

static enum mode_did
leave(struct switcher *sw)
{
	struct pane *p = sw->mode.pane;
	char text[48];

	if (sw->zoom && p->window->zoomed && p->window->active == p)
		(void)window_unzoom(p->window);
	if (sw->kills) {
		(void)snprintf(text, sizeof(text), "kill-pane -t %%%u", p->id);
		mode_request_run(sw->host->requests, text);
	}
	return MODE_LEFT;
}

static enum mode_did
choose(struct switcher *sw)
{
	const char *values[1];
	char *text;

	if (sw->row_count == 0)
		return MODE_TAKEN;
	values[0] = sw->items[sw->rows[sw->current]].target;
	text = args_template_words_new(sw->template, values, 1);
	mode_request_run(sw->host->requests, text);
	mem_free(text);
	return leave(sw);
}

static enum mode_did
switch_key(struct mode *m, const struct key_event *ev)
{
	struct switcher *sw = switcher_of(m);

	mode_dirty(m);
	sw->height = m->pane->h;
	switch (switch_typed(sw, ev->key & ~(key_code)KEY_LOCKS)) {
	case SWITCH_CHOOSES:
		return choose(sw);
	case SWITCH_LEAVES:
		return leave(sw);
	default:
		return MODE_TAKEN;
	}
}

static enum mode_did
switch_mouse(struct mode *m, const struct mouse_event *ev)
{
	struct switcher *sw = switcher_of(m);
	const mono_ms now = m->pane->mux->now;
	size_t row;
	bool twice;

	if (ev->action != MOUSE_PRESS)
		return MODE_TAKEN;
	mode_dirty(m);
	sw->height = m->pane->h;
	if (ev->button == MOUSE_WHEEL_UP)
		switch_move(sw, -1, false);
	else if (ev->button == MOUSE_WHEEL_DOWN)
		switch_move(sw, 1, false);
	if (ev->button != MOUSE_LEFT || ev->y < 0 ||
	    (unsigned)ev->y >= switch_rows(sw))
		return MODE_TAKEN;
	row = sw->offset + (size_t)ev->y;
	if (row >= sw->row_count)
		return MODE_TAKEN;
	twice = sw->click_row == row && now - sw->click_at <= DOUBLE_CLICK_MS;
	sw->current = row;
	sw->click_row = row;
	sw->click_at = now;
	return twice ? choose(sw) : MODE_TAKEN;
}

static enum mode_did
switch_command(
    struct mode *m, const struct mode_command *cmd, UNUSED struct cause *why)
{
	return strcmp(cmd->words[0], "cancel") == 0 ? leave(switcher_of(m))
						    : MODE_TAKEN;
}

static void
switch_event(struct mode *m, enum mode_event event)
{
	struct switcher *sw = switcher_of(m);
	size_t current = sw->current;

	if (event != MODE_EVENT_MODEL)
		return;
	build(sw);
	if (sw->row_count > 0)
		sw->current = MIN_OF(current, sw->row_count - 1);
	mode_dirty(m);
}

static void
switch_free(struct mode *m)
{
	struct switcher *sw = switcher_of(m);

	free_items(sw);
	mem_free(sw->template);
	mem_free(sw->format);
	mem_free(sw);
}

static const struct mode_ops switch_ops = {
	.name = "switch-mode",
	.draw = switch_draw,
	.key = switch_key,
	.mouse = switch_mouse,
	.command = switch_command,
	.event = switch_event,
	.free = switch_free,
};

struct switcher *
mode_switch_of(struct mode *m)
{
	return m->ops == &switch_ops ? switcher_of(m) : NULL;
}

int
mode_switch_open(
    struct pane *p, bool windows, const struct mode_list_start *start)
{
	struct switcher *sw = mem_zalloc(sizeof(*sw));
	int r;

	sw->host = start->host;
	sw->graphemes = p->mux->setup.graphemes;
	sw->height = p->h;
	sw->client = start->client == NULL ? MUX_NONE : start->client->id;
	sw->windows = windows;
	sw->kills = start->kills;
	sw->template = mem_strdup(start->template);
	sw->format = start->format == NULL ? NULL : mem_strdup(start->format);
	sw->click_row = SIZE_MAX;
	if ((r = mode_push(p, &sw->mode, &switch_ops)) != 0) {
		switch_free(&sw->mode);
		return r;
	}
	if (start->zoom && !p->window->zoomed && window_zoom(p) == 0)
		sw->zoom = true;
	build(sw);
	return 0;
}
