#include "mux/mode/tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "conf/mode_format.h"
#include "mux/client.h"
#include "mux/mode/preview.h"
#include "mux/session.h"
#include "mux/window.h"

enum kind {
	KIND_SESSION = 1,
	KIND_WINDOW,
	KIND_PANE
};

enum order {
	ORDER_INDEX,
	ORDER_NAME,
	ORDER_ACTIVITY,
	ORDER_Z
};

enum {
	ASK_KILL = MODE_LIST_ASKS,
	ASK_KILL_TAGGED
};

/* Parts of an item: ids of session and pane (or MUX_NONE), index of the link. */
enum {
	PART_SESSION,
	PART_INDEX,
	PART_PANE
};

struct tree {
	struct mode_list list;
	enum mode_tree_depth depth;
	bool groups;
	uint32_t session; /* it began there */
	uint64_t start;   /* the item of its pane */
	uint64_t home;    /* the item of its window */
	uint64_t asked;   /* the item to be killed */
};

static uint64_t
item_id(enum kind kind, uint32_t session, uint32_t id)
{
	return (uint64_t)kind << 60 | (uint64_t)(session & 0xfffffff) << 32 |
	       id;
}

static enum kind
item_kind(const struct mode_item *it)
{
	return (enum kind)(it->id >> 60);
}

/* What an item stands for; false if it has gone. */
static bool
find(const struct mode_list *l, const struct mode_item *it,
    struct mode_where *at)
{
	const struct mux *m = l->mode.pane->mux;

	memset(at, 0, sizeof(*at));
	if ((at->session = mux_session(m, it->part[PART_SESSION])) == NULL)
		return false;
	if (item_kind(it) == KIND_SESSION)
		return at->session->current != NULL;
	at->link = session_link_at(at->session, (int)it->part[PART_INDEX]);
	if (at->link == NULL)
		return false;
	if (item_kind(it) == KIND_WINDOW)
		return at->link->window->id == (uint32_t)it->id;
	at->pane = mux_pane(m, it->part[PART_PANE]);
	return at->pane != NULL && at->pane->window == at->link->window;
}

/* --- order --------------------------------------------------------------------------- */

struct tree_row {
	int64_t number;
	const char *name;
	int sign;     /* -1: reversed */
	size_t place; /* equal ones keep their order, also reversed */
	void *object;
};

struct tree_rows {
	struct tree_row *all;
	size_t count;
	size_t room;
};

static int
by_number(const void *a, const void *b)
{
	const struct tree_row *x = a, *y = b;

	if (x->number != y->number)
		return x->number < y->number ? -x->sign : x->sign;
	return x->place < y->place ? -1 : x->place > y->place;
}

static int
by_name(const void *a, const void *b)
{
	const struct tree_row *x = a, *y = b;
	int r = strcmp(x->name, y->name);

	if (r != 0)
		return r * x->sign;
	return x->place < y->place ? -1 : x->place > y->place;
}

static void
add_row(struct tree_rows *rs, void *object, int64_t number, const char *name)
{
	if (rs->count == rs->room) {
		rs->room = rs->room == 0 ? 16 : rs->room * 2;
		rs->all = mem_resize(rs->all, rs->room, sizeof(*rs->all));
	}
	rs->all[rs->count] =
	    (struct tree_row){ number, name, 1, rs->count, object };
	rs->count++;
}

/* The order z is that of panes; all else is then in the order of its name. */
static void
sort_rows(const struct mode_list *l, struct tree_rows *rs, bool panes)
{
	const bool names =
	    l->order == ORDER_NAME || (l->order == ORDER_Z && !panes);

	size_t i;

	if (rs->count == 0)
		return;
	for (i = 0; i < rs->count; i++)
		rs->all[i].sign = l->reversed ? -1 : 1;
	qsort(
	    rs->all, rs->count, sizeof(*rs->all), names ? by_name : by_number);
}

/* --- items --------------------------------------------------------------------------- */

static const struct format_var kind_vars[][3] = {
	[KIND_SESSION] = { { "session_format", "1" }, { "window_format", "0" },
	    { "pane_format", "0" } },
	[KIND_WINDOW] = { { "session_format", "0" }, { "window_format", "1" },
	    { "pane_format", "0" } },
	[KIND_PANE] = { { "session_format", "0" }, { "window_format", "0" },
	    { "pane_format", "1" } },
};

/* Returns whether P passes the filter, but -h hides it. */
static bool
add_pane(struct mode_list *l, struct winlink *wl, struct pane *p)
{
	const struct mode_where at = { NULL, wl->session, wl, p };
	struct mode_item *it;
	char name[16];

	if (!mode_list_pass(l, &at, kind_vars[KIND_PANE], 3))
		return false;
	if (l->hides && p == l->mode.pane)
		return true;
	(void)snprintf(name, sizeof(name), "%d", pane_index(p));
	it = mode_list_add(
	    l, 2, item_id(KIND_PANE, wl->session->id, p->id), name, false);
	it->right = true;
	it->kind = KIND_PANE;
	it->part[PART_SESSION] = wl->session->id;
	it->part[PART_INDEX] = (uint32_t)wl->index;
	it->part[PART_PANE] = p->id;
	return false;
}

/* Returns whether one of them is only hidden. */
static bool
add_panes(struct mode_list *l, struct winlink *wl)
{
	struct tree_rows rs = { .all = NULL };
	struct list_node *n;
	struct pane *p;
	bool hid = false;
	size_t i;

	WINDOW_FOREACH_PANE(p, n, wl->window)
	{
		add_row(&rs, p,
		    l->order == ORDER_ACTIVITY ? -p->last_output
		    : l->order == ORDER_Z      ? window_pane_z(p)
					       : pane_position(p),
		    p->title);
	}
	sort_rows(l, &rs, true);
	for (i = 0; i < rs.count; i++)
		hid = add_pane(l, wl, rs.all[i].object) || hid;
	mem_free(rs.all);
	return hid;
}

static void
add_window(struct mode_list *l, const struct tree *t, struct winlink *wl)
{
	const uint32_t first = l->count;
	struct mode_item *it;
	char name[16];
	bool hid;

	(void)snprintf(name, sizeof(name), "%d", wl->index);
	it = mode_list_add(l, 1,
	    item_id(KIND_WINDOW, wl->session->id, wl->window->id), name,
	    t->depth == MODE_TREE_PANES);
	it->right = true;
	it->kind = KIND_WINDOW;
	it->part[PART_SESSION] = wl->session->id;
	it->part[PART_INDEX] = (uint32_t)wl->index;
	it->part[PART_PANE] = MUX_NONE;
	hid = add_panes(l, wl);
	/* A window of nothing but a pane that -h hides stays. */
	if (l->count == first + 1 && !(hid && wl->window->panes.count == 1))
		mode_list_drop(l, first);
}

static void
add_session(struct mode_list *l, const struct tree *t, struct session *s)
{
	const uint32_t first = l->count;
	struct tree_rows rs = { .all = NULL };
	struct mode_item *it;
	struct list_node *n;
	struct winlink *wl;
	size_t i;

	it = mode_list_add(l, 0, item_id(KIND_SESSION, s->id, 0), s->name,
	    t->depth != MODE_TREE_SESSIONS);
	it->kind = KIND_SESSION;
	it->part[PART_SESSION] = s->id;
	it->part[PART_INDEX] = it->part[PART_PANE] = MUX_NONE;
	SESSION_FOREACH_LINK(wl, n, s)
	{
		add_row(&rs, wl,
		    l->order == ORDER_ACTIVITY ? -wl->window->activity
					       : wl->index,
		    wl->window->name);
	}
	sort_rows(l, &rs, false);
	for (i = 0; i < rs.count; i++)
		add_window(l, t, rs.all[i].object);
	mem_free(rs.all);
	if (l->count == first + 1)
		mode_list_drop(l, first);
}

/* Of a group only one session is listed: that where the mode began, if any. */
static bool
stands_for_group(const struct tree *t, const struct session *s)
{
	struct session *began = mux_session(s->mux, t->session);
	struct list_node *n;

	if (t->groups || s->group == NULL)
		return true;
	if (began != NULL && began->group == s->group)
		return s == began;
	n = list_first(&s->group->sessions);
	return n == NULL || container_of(n, struct session, group_node) == s;
}

static void
tree_build(struct mode_list *l)
{
	const struct tree *t = container_of(l, struct tree, list);
	struct tree_rows rs = { .all = NULL };
	struct map_entry *e;
	struct session *s;
	size_t i;

	MAP_FOREACH(e, &l->mode.pane->mux->sessions) {
		s = e->value;
		if (stands_for_group(t, s))
			add_row(&rs, s,
			    l->order == ORDER_ACTIVITY ? -s->activity
						       : (int64_t)s->id,
			    s->name);
	}
	sort_rows(l, &rs, false);
	for (i = 0; i < rs.count; i++)
		add_session(l, t, rs.all[i].object);
	mem_free(rs.all);
}

static const char *const tree_formats[] = {
	[KIND_SESSION] = MODE_FORMAT_SESSION,
	[KIND_WINDOW] = MODE_FORMAT_WINDOW,
	[KIND_PANE] = MODE_FORMAT_PANE,
};

static char *
tree_text(struct mode_list *l, const struct mode_item *it)
{
	const enum kind kind = item_kind(it);
	struct mode_where at;

	if (!find(l, it, &at))
		return NULL;
	return mode_list_expand(l, &at, kind_vars[kind], 3,
	    l->format != NULL ? l->format : tree_formats[kind]);
}

static char *
tree_search(struct mode_list *l, const struct mode_item *it)
{
	struct mode_where at;

	if (!find(l, it, &at))
		return NULL;
	switch (item_kind(it)) {
	case KIND_SESSION:
		return mem_strdup(at.session->name);
	case KIND_WINDOW:
		return mem_strdup(at.link->window->name);
	default:
		return mode_list_expand(
		    l, &at, NULL, 0, "#{pane_current_command}");
	}
}

static char *
tree_target(struct mode_list *l, const struct mode_item *it)
{
	struct mode_where at;

	if (!find(l, it, &at))
		return NULL;
	if (item_kind(it) == KIND_SESSION)
		return mem_printf("=%s:", at.session->name);
	if (item_kind(it) == KIND_WINDOW)
		return mem_printf("=%s:%d.", at.session->name, at.link->index);
	return mem_printf(
	    "=%s:%d.%%%u", at.session->name, at.link->index, at.pane->id);
}

static void
tree_preview(struct mode_list *l, const struct mode_item *it,
    struct vt_frame *f, const struct vt_rect *r, const struct mode_paint *paint)
{
	const struct preview pv = { l, f, *r, paint };
	struct mode_where at;
	unsigned row = 0;

	if (!find(l, it, &at))
		return;
	switch (item_kind(it)) {
	case KIND_SESSION:
		if (l->show_info)
			preview_session_info(&pv, at.session, &row);
		else
			preview_session(&pv, at.session);
		break;
	case KIND_WINDOW:
		if (l->show_info)
			preview_window_info(&pv, at.session, at.link, &row);
		else
			preview_window(&pv, at.session, at.link);
		break;
	case KIND_PANE:
		if (l->show_info)
			preview_pane_info(
			    &pv, at.session, at.link, at.pane, &row);
		else
			preview_pane(&pv, at.pane);
		break;
	}
}

/* The number of the preview at column X, or -1; the arrows scroll. */
static int
part_at(struct mode_list *l, int x)
{
	const struct mode_list_parts *ps = &l->parts;
	unsigned n;

	if (ps->each == 0)
		return -1;
	if (ps->left != -1 && x <= ps->left) {
		l->shift--;
		return -1;
	}
	if (ps->right != -1 && x >= ps->right) {
		l->shift++;
		return -1;
	}
	x -= ps->left != -1 ? ps->left : x > 0 ? 1 : 0;
	n = ps->start + (unsigned)MAX_OF(x, 0) / ps->each;
	return (int)MIN_OF(n, ps->end - 1);
}

static bool
tree_click(struct mode_list *l, const struct mode_item *it, int x)
{
	const enum kind kind = item_kind(it);
	struct mode_where at;
	struct list_node *n;
	struct winlink *wl;
	struct pane *p;
	int part;

	if (l->show_info || kind == KIND_PANE || !find(l, it, &at) ||
	    (part = part_at(l, x)) < 0)
		return false;
	if (kind == KIND_SESSION) {
		SESSION_FOREACH_LINK(wl, n, at.session)
		if (part-- == 0)
			return mode_list_select(
			    l, item_id(KIND_WINDOW, at.session->id,
				   wl->window->id));
		return false;
	}
	WINDOW_FOREACH_PANE(p, n, at.link->window)
	if (part-- == 0)
		return mode_list_select(
		    l, item_id(KIND_PANE, at.session->id, p->id));
	return false;
}

/* --- keys ---------------------------------------------------------------------------- */

static void
kill_item(struct mode_list *l, const struct mode_item *it)
{
	struct mode_where at;
	char text[48];

	if (!find(l, it, &at))
		return;
	if (item_kind(it) == KIND_SESSION)
		(void)snprintf(text, sizeof(text), "kill-session -t '$%u'",
		    at.session->id);
	else if (item_kind(it) == KIND_WINDOW)
		(void)snprintf(text, sizeof(text), "kill-window -t @%u",
		    at.link->window->id);
	else
		(void)snprintf(
		    text, sizeof(text), "kill-pane -t %%%u", at.pane->id);
	mode_request_run(l->host->requests, text);
	mode_list_ended(l, (uint32_t)(it - l->items));
}

static const struct mode_list_ask tree_asks[] = {
	{ ASK_KILL, MODE_LIST_ASK_KEY | MODE_LIST_ASK_KIND, { 'x' },
	    { [KIND_SESSION] = "Kill session %? ",
		[KIND_WINDOW] = "Kill window %? ",
		[KIND_PANE] = "Kill pane %? " } },
	{ ASK_KILL_TAGGED, MODE_LIST_ASK_KEY | MODE_LIST_ASK_TAGS, { 'X' },
	    { NULL, "Kill % tagged? " } },
};

static enum mode_did
ask_kill(struct mode_list *l)
{
	struct tree *t = container_of(l, struct tree, list);
	const struct mode_item *it = mode_list_current(l);

	if (it != NULL)
		t->asked = it->id;
	return mode_list_ask(l, &tree_asks[0]);
}

static enum mode_did
tree_answer(struct mode_list *l, unsigned what, const char *text)
{
	const struct tree *t = container_of(l, struct tree, list);
	uint32_t i;

	if (!mode_list_confirmed(l, what, text))
		return MODE_TAKEN;
	for (i = 0; i < l->count; i++)
		if (what == ASK_KILL_TAGGED ? l->items[i].tagged
					    : l->items[i].id == t->asked)
			kill_item(l, &l->items[i]);
	return MODE_TAKEN;
}

/* Exchanges the current window with the next one, or the one before. */
static void
swap_window(struct mode_list *l, bool down)
{
	const struct mode_item *it = mode_list_current(l);
	struct mode_where at;
	struct winlink *to, *from;
	char text[96];

	if (it == NULL || item_kind(it) != KIND_WINDOW || !find(l, it, &at))
		return;
	to = down ? winlink_next(at.link) : winlink_prev(at.link);
	if (to == NULL || l->order != ORDER_INDEX)
		return;
	/* The session's current window stays the current one. */
	from = at.link;
	if (to == at.session->current) {
		to = from;
		from = at.session->current;
	}
	(void)snprintf(text, sizeof(text),
	    "swap-window %s-s '$%u:%d' -t '$%u:%d'",
	    from == at.session->current ? "" : "-d ", at.session->id,
	    from->index, at.session->id, to->index);
	mode_request_run(l->host->requests, text);
}

static void
mark(struct mode_list *l)
{
	const struct mode_item *it = mode_list_current(l);
	struct mode_where at;
	char text[64];

	if (it == NULL || !find(l, it, &at))
		return;
	if (at.link == NULL)
		at.link = at.session->current;
	if (at.pane == NULL)
		at.pane = at.link->window->active;
	(void)snprintf(text, sizeof(text), "select-pane -m -t '$%u:%d.%%%u'",
	    at.session->id, at.link->index, at.pane->id);
	mode_request_run(l->host->requests, text);
}

/* Goes to the starting pane, or with -h to its window, and expands that. */
static void
jump_to_start(struct mode_list *l)
{
	const struct tree *t = container_of(l, struct tree, list);
	uint32_t i, up;

	if (!mode_list_select(l, t->start)) {
		for (i = 0; i < l->count; i++) {
			up = l->items[i].parent;
			if (up == MODE_LIST_NONE || l->items[up].id != t->home)
				continue;
			(void)mode_list_select(l, l->items[i].id);
			break;
		}
		if (!mode_list_select(l, t->home))
			return;
	}
	mode_list_seen(l);
}

static enum mode_did
tree_key(struct mode_list *l, key_code key)
{
	switch (key) {
	case '<':
		l->shift--;
		return MODE_TAKEN;
	case '>':
		l->shift++;
		return MODE_TAKEN;
	case 'x':
		return ask_kill(l);
	case 'X':
		return mode_list_ask(l, &tree_asks[1]);
	case 'H':
		jump_to_start(l);
		return MODE_TAKEN;
	case KEY_UP | KEY_SHIFT:
	case KEY_DOWN | KEY_SHIFT:
		swap_window(l, key == (KEY_DOWN | KEY_SHIFT));
		return MODE_TAKEN;
	case 'm':
		mark(l);
		return MODE_TAKEN;
	case 'M':
		mode_request_run(l->host->requests, "select-pane -M");
		return MODE_TAKEN;
	default:
		return MODE_PASSED;
	}
}

static const char *const tree_orders[] = { "index", "name", "activity", "z",
	NULL };

static const struct mode_list_help tree_help[] = {
	{ "Enter", "Choose selected %s" },
	{ "S-Up", "Swap current and previous window" },
	{ "S-Down", "Swap current and next window" },
	{ "x", "Kill selected %s" },
	{ "X", "Kill tagged %ss" },
	{ "<", "Scroll previews left" },
	{ ">", "Scroll previews right" },
	{ "m", "Set the marked pane" },
	{ "M", "Clear the marked pane" },
	{ "i", "Toggle session, window and pane info" },
	{ ":", "Run a command for each tagged %s" },
	{ "H", "Jump to the starting pane" },
	{ NULL, NULL },
};

static const struct mode_menu_row tree_menu[] = {
	{ "Select", KEY_ENTER },
	{ "Expand", KEY_RIGHT },
	{ "Mark", 'm' },
	{ "", KEY_NONE },
	{ "Tag", 't' },
	{ "Tag All", 't' | KEY_CTRL },
	{ "Tag None", 'T' },
	{ "", KEY_NONE },
	{ "Kill", 'x' },
	{ "Kill Tagged", 'X' },
	{ "", KEY_NONE },
	{ "Cancel", 'q' },
};

static const struct mode_list_ops tree_ops = {
	.mode = { .name = "tree-mode", MODE_LIST_MODE },
	.noun = "item",
	.orders = tree_orders,
	.info = true,
	.help = tree_help,
	.menu = tree_menu,
	.menu_rows = ARRAY_LEN(tree_menu),
	.asks = tree_asks,
	.ask_count = ARRAY_LEN(tree_asks),
	.ends = "xX",
	.build = tree_build,
	.text = tree_text,
	.search = tree_search,
	.preview = tree_preview,
	.click = tree_click,
	.target = tree_target,
	.key = tree_key,
	.answer = tree_answer,
};

int
mode_tree_open(
    struct pane *p, struct session *s, const struct mode_tree_start *start)
{
	struct tree *t = mem_zalloc(sizeof(*t));
	struct winlink *wl = session_link_to(s, p->window);
	uint64_t id;
	int r;

	t->depth = start->depth;
	t->groups = start->groups;
	t->session = s->id;
	t->start = item_id(KIND_PANE, s->id, p->id);
	t->home = item_id(KIND_WINDOW, s->id, p->window->id);
	if (start->depth == MODE_TREE_SESSIONS || wl == NULL)
		id = item_id(KIND_SESSION, s->id, 0);
	else if (start->depth == MODE_TREE_WINDOWS ||
		 p->window->panes.count == 1)
		id = item_id(KIND_WINDOW, s->id, p->window->id);
	else
		id = t->start;
	if ((r = mode_list_open(p, &t->list, &tree_ops, &start->list)) != 0)
		return r;
	(void)mode_list_select(&t->list, id);
	return 0;
}
