#include "mux/mode/clients.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "conf/mode_format.h"
#include "mux/client.h"
#include "mux/mode/preview.h"
#include "mux/session.h"
#include "mux/window.h"

/* Features stand in columns of this width. */
#define FEATURE_COLS 16u

enum order {
	ORDER_NAME,
	ORDER_SIZE,
	ORDER_CREATION,
	ORDER_ACTIVITY
};

static struct client *
find(const struct mode_list *l, const struct mode_item *it)
{
	struct client *c = mux_client(l->mode.pane->mux, it->part[0]);

	return c == NULL || c->session == NULL ? NULL : c;
}

static struct mode_where
where_of(struct client *c)
{
	const struct winlink *wl = client_link(c);
	struct mode_where at = { .client = c, .session = c->session };

	at.link = c->session->current;
	at.pane = wl == NULL ? NULL : client_pane(c);
	return at;
}

static int
by_name(const void *a, const void *b)
{
	const struct client *const *x = a, *const *y = b;

	return strcmp((*x)->name, (*y)->name);
}

static int
by_size(const void *a, const void *b)
{
	const struct client *const *x = a, *const *y = b;

	if ((*x)->w != (*y)->w)
		return (*x)->w < (*y)->w ? -1 : 1;
	if ((*x)->h != (*y)->h)
		return (*x)->h < (*y)->h ? -1 : 1;
	return by_name(a, b);
}

static int
by_creation(const void *a, const void *b)
{
	const struct client *const *x = a, *const *y = b;

	return (*x)->id < (*y)->id ? -1 : (*x)->id > (*y)->id;
}

static int
by_activity(const void *a, const void *b)
{
	const struct client *const *x = a, *const *y = b;

	if ((*x)->activity != (*y)->activity)
		return (*x)->activity > (*y)->activity ? -1 : 1;
	return by_name(a, b);
}

static void
add(struct mode_list *l, struct client *c)
{
	const struct mode_where at = where_of(c);

	if (mode_list_pass(l, &at, NULL, 0))
		mode_list_add(l, 0, c->id, c->name, false)->part[0] = c->id;
}

static void
clients_build(struct mode_list *l)
{
	static int (*const orders[])(
	    const void *, const void *) = { [ORDER_NAME] = by_name,
		[ORDER_SIZE] = by_size,
		[ORDER_CREATION] = by_creation,
		[ORDER_ACTIVITY] = by_activity };
	const struct mux *m = l->mode.pane->mux;
	struct client **all = NULL, *c;
	struct map_entry *e;
	size_t n = 0, i;

	MAP_FOREACH(e, &m->clients) {
		c = e->value;
		if (c->session == NULL || c->session->current == NULL)
			continue;
		all = mem_resize(all, n + 1, sizeof(struct client *));
		all[n++] = c;
	}
	if (n > 0)
		qsort(all, n, sizeof(*all), orders[l->order]);
	for (i = 0; i < n; i++)
		add(l, all[l->reversed ? n - 1 - i : i]);
	mem_free(all);
}

static char *
clients_text(struct mode_list *l, const struct mode_item *it)
{
	struct client *c = find(l, it);
	struct mode_where at;

	if (c == NULL)
		return NULL;
	at = where_of(c);
	return mode_list_expand(l, &at, NULL, 0,
	    l->format != NULL ? l->format : MODE_FORMAT_CLIENT);
}

/* Terminal features in columns over as many rows as they take. */
static void
draw_features(const struct preview *pv, const struct client *c, unsigned *row)
{
	const char *s = c->term_features;
	const unsigned cols = pv->rect.right - pv->rect.left;
	unsigned n = 0, max = cols < 32 ? 1 : (cols - 16) / FEATURE_COLS;
	const char *label = "Features";
	size_t len;
	struct buf b;

	buf_init(&b, 8192);
	while (s != NULL && *s != '\0') {
		len = strcspn(s, ",");
		(void)buf_addf(&b, "#[fg=themegreen]%-16.*s", (int)len, s);
		s += len + (s[len] == ',');
		if (++n < max && *s != '\0')
			continue;
		mode_list_info(pv->list, pv->frame, &pv->rect, row, label,
		    buf_cstr(&b), pv->paint);
		label = "";
		n = 0;
		buf_clear(&b);
	}
	buf_fini(&b);
}

#define GREY(text) "#[fg=themelightgrey]" text "#[default]"

static void
draw_info(const struct preview *pv, struct client *c)
{
	static const char *const rows[][2] = {
		{ "Client Name",
		    "#{client_name} " GREY("(PID #{client_pid})") },
		{ "Session", "#{session_name}" },
		{ "Attach Time",
		    "#{t:client_created} " GREY("(#{t/r:client_created})") },
		{ "Activity Time",
		    "#{t:client_activity} " GREY("(#{t/r:client_activity})") },
		{ "Terminal Type", "#{client_termtype}" },
		{ "TERM", "#{client_termname}" },
		{ "Size", "#{client_width}x#{client_height} " GREY(
			      "(cell #{client_cell_width}x"
			      "#{client_cell_height})") },
		{ "Bytes Written", "#{client_written} " GREY(
				       "(#{client_discarded} discarded)") },
	};
	const struct mode_where at = where_of(c);
	unsigned row = 0;
	size_t i;

	for (i = 0; i < ARRAY_LEN(rows); i++)
		preview_row(pv, &at, &row, rows[i][0], rows[i][1]);
	draw_features(pv, c, &row);
}

/* The client's pane, a line, and its status line if it has one. */
static void
draw_screen(const struct preview *pv, struct client *c)
{
	static const struct pen plain;
	const struct mode_where at = where_of(c);
	const bool status =
	    options_number(&c->session->options, OPTION_STATUS) != 0;
	const struct pen border = mode_list_border(pv->paint);
	struct preview part = *pv;
	struct pen pen;
	unsigned rows = pv->rect.bottom - pv->rect.top, foot = status ? 2 : 1;
	char *text;

	if (at.pane == NULL || rows <= foot)
		return;
	part.rect.bottom -= foot;
	preview_pane(&part, at.pane);
	vt_frame_repeat(pv->frame, pv->rect.left, part.rect.bottom,
	    pv->rect.right - pv->rect.left, 0x2500, &border);
	if (!status)
		return;
	pen = pv->paint->style(pv->paint->arg, OPTION_STATUS_STYLE, &plain);
	vt_frame_fill(pv->frame,
	    &(struct vt_rect){ pv->rect.left, pv->rect.bottom - 1,
		pv->rect.right, pv->rect.bottom },
	    &pen);
	text =
	    mode_list_expand(pv->list, &at, NULL, 0, "#{T:status-format[0]}");
	mode_list_text(pv->list, pv->frame, pv->rect.left, pv->rect.bottom - 1,
	    pv->rect.right - pv->rect.left, text, &pen, false, pv->paint);
	mem_free(text);
}

static void
clients_preview(struct mode_list *l, const struct mode_item *it,
    struct vt_frame *f, const struct vt_rect *r, const struct mode_paint *paint)
{
	const struct preview pv = { l, f, *r, paint };
	struct client *c = find(l, it);

	if (c == NULL)
		return;
	if (l->show_info)
		draw_info(&pv, c);
	else
		draw_screen(&pv, c);
}

static char *
clients_target(UNUSED struct mode_list *l, const struct mode_item *it)
{
	return mem_strdup(it->name);
}

static enum mode_did
clients_key(struct mode_list *l, key_code key)
{
	static const struct mode_list_run keys[] = {
		{ 'd', 'D', "detach-client -t \"%%%\"" },
		{ 'x', 'X', "detach-client -P -t \"%%%\"" },
		{ 'z', 'Z', "suspend-client -t \"%%%\"" },
	};

	return mode_list_run_key(l, key, keys, ARRAY_LEN(keys));
}

static const char *const clients_orders[] = { "name", "size", "creation",
	"activity", NULL };

static const struct mode_list_help clients_help[] = {
	{ "i", "Toggle info view" },
	{ "Enter", "Choose selected %s" },
	{ "d", "Detach selected %s" },
	{ "D", "Detach tagged %ss" },
	{ "x", "Detach and HUP selected %s" },
	{ "X", "Detach and HUP tagged %ss" },
	{ "z", "Suspend selected %s" },
	{ "Z", "Suspend tagged %ss" },
	{ NULL, NULL },
};

static const struct mode_menu_row clients_menu[] = {
	{ "Detach", 'd' },
	{ "Detach Tagged", 'D' },
	{ "", KEY_NONE },
	{ "Tag", 't' },
	{ "Tag All", 't' | KEY_CTRL },
	{ "Tag None", 'T' },
	{ "", KEY_NONE },
	{ "Cancel", 'q' },
};

static const struct mode_list_ops clients_ops = {
	.mode = { .name = "client-mode", MODE_LIST_MODE },
	.noun = "client",
	.orders = clients_orders,
	.info = true,
	.help = clients_help,
	.menu = clients_menu,
	.menu_rows = ARRAY_LEN(clients_menu),
	/* Enter detaches, too, unless a template says other things. */
	.ends = "dDxXzZ\r",
	.build = clients_build,
	.text = clients_text,
	.preview = clients_preview,
	.target = clients_target,
	.key = clients_key,
};

int
mode_clients_open(struct pane *p, const struct mode_list_start *start)
{
	return mode_list_open(
	    p, mem_zalloc(sizeof(struct mode_list)), &clients_ops, start);
}
