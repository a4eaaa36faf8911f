/* A list's keys, mouse, questions and end. */
#include "mux/mode/list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "base/str.h"
#include "conf/args.h"
#include "conf/match.h"
#include "mux/client.h"
#include "mux/mode/list_int.h"
#include "mux/session.h"
#include "mux/window.h"

/* Two presses on one line within this time choose it. */
#define DOUBLE_CLICK_MS 300

/* Lists with programs' screens are drawn for output at most this often. */
#define OUTPUT_MS 100

static enum mode_did list_key(struct mode_list *l, key_code key);

/* --- begin and end ------------------------------------------------------------- */

static char *
copy_text(const char *s)
{
	return s == NULL ? NULL : mem_strdup(s);
}

static int
find_order(struct mode_list *l, const char *name)
{
	unsigned i;

	if (name == NULL)
		return 0;
	for (i = 0; l->ops->orders != NULL && l->ops->orders[i] != NULL; i++)
		if (strcmp(l->ops->orders[i], name) == 0) {
			l->order = i;
			return 0;
		}
	return -ERR_NOTFOUND;
}

int
mode_list_open(struct pane *p, struct mode_list *l,
    const struct mode_list_ops *ops, const struct mode_list_start *start)
{
	int r;

	l->ops = ops;
	l->host = start->host;
	l->client = start->client == NULL ? MUX_NONE : start->client->id;
	l->template = copy_text(start->template);
	l->format = copy_text(start->format);
	l->filter = copy_text(start->filter);
	l->key_format = copy_text(start->key_format);
	l->reversed = start->reversed;
	l->view = start->no_preview == 0   ? MODE_LIST_NORMAL
		  : start->no_preview == 1 ? MODE_LIST_OFF
					   : MODE_LIST_BIG;
	l->show_info = start->info;
	l->yes = start->yes;
	l->kills = start->kills;
	l->hides = start->hides;
	l->stale = true;
	l->click_line = MODE_LIST_NONE;
	r = find_order(l, start->order);
	if (r == 0)
		r = mode_push(p, &l->mode, &ops->mode);
	if (r != 0) {
		mode_list_free(&l->mode);
		return r;
	}
	if (start->zoom && !p->window->zoomed && window_zoom(p) == 0)
		l->zoom = true;
	mode_list_fresh(l);
	return 0;
}

void
mode_list_free(struct mode *m)
{
	struct mode_list *l = container_of(m, struct mode_list, mode);

	mode_list_free_items(l);
	mem_free(l->template);
	mem_free(l->format);
	mem_free(l->filter);
	mem_free(l->key_format);
	mem_free(l->search);
	mem_free(l->fuzzy);
	mem_free(l);
}

enum mode_did
mode_list_leave(struct mode_list *l)
{
	struct pane *p = l->mode.pane;
	char text[48];

	if (l->zoom && p->window->zoomed && p->window->active == p)
		(void)window_unzoom(p->window);
	if (l->kills) {
		(void)snprintf(text, sizeof(text), "kill-pane -t %%%u", p->id);
		mode_request_run(l->host->requests, text);
	}
	return MODE_LEFT;
}

char *
mode_list_expand(struct mode_list *l, const struct mode_where *where,
    const struct format_var *vars, size_t count, const char *format)
{
	static const struct mode_where nowhere;
	struct mode_where w = where == NULL ? nowhere : *where;

	if (w.client == NULL)
		w.client = mux_client(l->mode.pane->mux, l->client);
	/* cppcheck-suppress returnDanglingLifetime; it returns a new string */
	return l->host->expand(l->host->arg, &w, vars, count, format);
}

bool
mode_list_pass(struct mode_list *l, const struct mode_where *where,
    const struct format_var *vars, size_t count)
{
	char *text;
	bool pass;

	if (!l->filtering)
		return true;
	text = mode_list_expand(l, where, vars, count, l->filter);
	pass = format_true(text);
	mem_free(text);
	return pass;
}

/* --- templates ------------------------------------------------------------------- */

static void
run_one(struct mode_list *l, const struct mode_item *it, const char *template)
{
	char *target = l->ops->target == NULL ? NULL : l->ops->target(l, it);
	const char *values[1] = { target };
	char *text;

	if (target == NULL)
		return;
	text = args_template_words_new(template, values, 1);
	mode_request_run(l->host->requests, text);
	mem_free(text);
	mem_free(target);
}

void
mode_list_run(struct mode_list *l, const char *text, bool tagged)
{
	const struct mode_item *it = mode_list_current(l);
	uint32_t i;

	if (tagged && mode_list_tagged(l) > 0) {
		for (i = 0; i < l->count; i++)
			if (l->items[i].tagged)
				run_one(l, &l->items[i], text);
	} else if (it != NULL)
		run_one(l, it, text);
}

/* The current item ends, or the TAGGED ones. */
static void
set_ended(struct mode_list *l, bool tagged)
{
	const struct mode_item *it = mode_list_current(l);
	uint32_t i;

	if (!tagged && it != NULL)
		mode_list_ended(l, (uint32_t)(it - l->items));
	for (i = 0; tagged && i < l->count; i++)
		if (l->items[i].tagged)
			mode_list_ended(l, i);
}

enum mode_did
mode_list_run_key(struct mode_list *l, key_code key,
    const struct mode_list_run *keys, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		if (key != keys[i].one && key != keys[i].tagged)
			continue;
		if (key == keys[i].one || mode_list_tagged(l) > 0) {
			mode_list_run(l, keys[i].command, key != keys[i].one);
			set_ended(l, key != keys[i].one);
		}
		return MODE_TAKEN;
	}
	return MODE_PASSED;
}

static enum mode_did
choose(struct mode_list *l)
{
	if (l->template == NULL || mode_list_current(l) == NULL)
		return MODE_TAKEN;
	mode_list_run(l, l->template, false);
	return mode_list_leave(l);
}

enum mode_did
mode_list_confirm(struct mode_list *l, unsigned what, const char *text)
{
	l->confirm = what;
	if (l->yes)
		return mode_list_answer(&l->mode, what, "y");
	mode_request_confirm(l->host->requests, &l->mode, what, text);
	return MODE_TAKEN;
}

enum mode_did
mode_list_ask(struct mode_list *l, const struct mode_list_ask *a)
{
	struct mode_requests *q = l->host->requests;
	const char *input = mode_list_ask_input(l, a);
	char *text =
	    mode_list_ask_text(a, mode_list_current(l), mode_list_tagged(l));
	enum mode_did did = MODE_TAKEN;

	if (text == NULL)
		return MODE_TAKEN;
	if ((a->flags & MODE_LIST_ASK_KEY) != 0)
		did = mode_list_confirm(l, a->what, text);
	else if (!mode_list_asks_it(l, a))
		;
	else if ((a->flags & MODE_LIST_ASK_NARROWS) != 0)
		mode_request_narrow(q, &l->mode, a->what, text, input);
	else if (a->what == ASK_COMMAND)
		mode_request_prompt(q, &l->mode, a->what, text, input);
	else
		mode_request_find(q, &l->mode, a->what, text, input);
	mem_free(text);
	return did;
}

/* --- search ---------------------------------------------------------------------- */

static bool
contains(const char *text, const char *word, bool nocase)
{
	const size_t n = strlen(word);

	if (!nocase)
		return strstr(text, word) != NULL;
	for (; *text != '\0'; text++)
		if (strncasecmp(text, word, n) == 0)
			return true;
	return false;
}

static bool
matches(struct mode_list *l, const struct mode_item *it, bool nocase)
{
	char *text;
	bool found;

	if (l->ops->search == NULL)
		return contains(it->name, l->search, nocase);
	if ((text = l->ops->search(l, it)) == NULL)
		return false;
	found = contains(text, l->search, nocase);
	mem_free(text);
	return found;
}

/* The next item with the text, around the ends; all items, also hidden ones. */
static void
search(struct mode_list *l, bool backward)
{
	const struct mode_item *it = mode_list_current(l);
	const uint32_t n = l->count;
	uint32_t at, i;
	bool nocase;

	if (l->search == NULL || it == NULL)
		return;
	nocase = !match_has_upper(l->search);
	at = (uint32_t)(it - l->items);
	for (i = 0; i < n; i++) {
		at = backward ? (at + n - 1) % n : (at + 1) % n;
		if (matches(l, &l->items[at], nocase)) {
			mode_list_show(l, at);
			return;
		}
	}
}

/* --- tags ------------------------------------------------------------------------- */

static void
tag_toggle(struct mode_list *l)
{
	const struct mode_item *cur = mode_list_current(l);
	struct mode_item *it;
	uint32_t i;

	if (cur == NULL || cur->no_tag)
		return;
	it = &l->items[cur - l->items];
	if (it->tagged)
		it->tagged = false;
	else {
		/* A tag stands for all below: none else on its branch. */
		for (i = it->parent; i != MODE_LIST_NONE;
		     i = l->items[i].parent)
			l->items[i].tagged = false;
		for (i = (uint32_t)(it - l->items); i < it->end; i++)
			l->items[i].tagged = false;
		it->tagged = true;
	}
}

static void
tag_all(struct mode_list *l, bool on)
{
	struct mode_item *it;
	uint32_t i;

	for (i = 0; i < l->count; i++) {
		it = &l->items[i];
		it->tagged = on && !it->no_tag &&
			     (it->parent == MODE_LIST_NONE ||
				 l->items[it->parent].no_tag);
	}
	mode_dirty(&l->mode);
}

/* --- menus ----------------------------------------------------------------------- */

/* What a menu outside of the rows has. */
static const struct mode_menu_row outer_menu[] = {
	{ "Scroll Left", '<' },
	{ "Scroll Right", '>' },
	{ "", KEY_NONE },
	{ "Cancel", 'q' },
};

/* The menu of the item at ITEM, or of what is outside of the rows. */
static void
open_menu(struct mode_list *l, uint32_t item, bool outside, int x, int y)
{
	char *title;

	l->menu = outside ? outer_menu : l->ops->menu;
	l->menu_rows = outside ? ARRAY_LEN(outer_menu) : l->ops->menu_rows;
	l->menu_item = l->items[item].id;
	title = outside ? mem_strdup("")
			: mem_printf("#[align=centre]%s", l->items[item].name);
	mode_request_menu(l->host->requests, &l->mode, ASK_MENU, title, l->menu,
	    l->menu_rows, x, y);
	mem_free(title);
}

/* The row's key, with its item as the current one. */
static enum mode_did
menu_chosen(struct mode_list *l, const char *text)
{
	const size_t row = strtoul(text, NULL, 10);

	if (l->menu == NULL || row >= l->menu_rows ||
	    !mode_list_select(l, l->menu_item))
		return MODE_TAKEN;
	mode_list_seen(l);
	if (l->menu[row].key == 't') {
		/* Stays on the item, unlike the key. */
		tag_toggle(l);
		mode_dirty(&l->mode);
		return MODE_TAKEN;
	}
	return list_key(l, l->menu[row].key);
}

static void
set_text(char **slot, const char *text)
{
	mem_free(*slot);
	*slot = *text == '\0' ? NULL : mem_strdup(text);
}

enum mode_did
mode_list_answer(struct mode *m, unsigned what, const char *text)
{
	struct mode_list *l = container_of(m, struct mode_list, mode);

	mode_list_fresh(l);
	switch (what) {
	case ASK_SEARCH:
		set_text(&l->search, text);
		search(l, false);
		mode_list_seen(l);
		break;
	case ASK_FILTER:
		set_text(&l->filter, text);
		mode_list_stale(l);
		mode_list_fresh_own(l);
		break;
	case ASK_COMMAND:
		if (*text != '\0')
			mode_list_run(l, text, true);
		break;
	case ASK_FUZZY:
		set_text(&l->fuzzy, text);
		l->best = true;
		mode_list_stale(l);
		mode_list_fresh_own(l);
		break;
	case ASK_MENU:
		return menu_chosen(l, text);
	default:
		if (l->ops->answer != NULL)
			return l->ops->answer(l, what, text);
	}
	mode_dirty(m);
	return MODE_TAKEN;
}

/* --- keys -------------------------------------------------------------------------- */

static void
key_page(struct mode_list *l, bool down)
{
	const uint32_t h = MAX_OF(mode_list_height(l, mode_list_rows(l)), 1u);

	if (down)
		l->current = MIN_OF(
		    l->current + h, l->line_count == 0 ? 0 : l->line_count - 1);
	else
		l->current = l->current < h ? 0 : l->current - h;
}

static void
key_left(struct mode_list *l)
{
	const struct mode_item *it = mode_list_current(l);
	uint32_t item;

	if (it == NULL)
		return;
	item = (uint32_t)(it - l->items);
	if (it->flat || !it->expanded)
		item = it->parent;
	if (item == MODE_LIST_NONE)
		mode_list_up(l, false);
	else
		mode_list_expand_item(l, item, false);
}

static void
key_right(struct mode_list *l)
{
	const struct mode_item *it = mode_list_current(l);

	if (it == NULL)
		return;
	if (it->flat || it->expanded)
		mode_list_down(l, false);
	else
		mode_list_expand_item(l, (uint32_t)(it - l->items), true);
}

static void
next_order(struct mode_list *l)
{
	if (l->ops->orders == NULL)
		return;
	if (l->ops->orders[++l->order] == NULL)
		l->order = 0;
	mode_list_stale(l);
}

static bool
key_move(struct mode_list *l, key_code key)
{
	switch (key) {
	case KEY_UP:
	case 'k':
	case 'p' | KEY_CTRL:
		mode_list_up(l, true);
		return true;
	case KEY_DOWN:
	case 'j':
	case 'n' | KEY_CTRL:
		mode_list_down(l, true);
		return true;
	case KEY_PPAGE:
	case 'b' | KEY_CTRL:
		key_page(l, false);
		return true;
	case KEY_NPAGE:
	case 'f' | KEY_CTRL:
		key_page(l, true);
		return true;
	case 'g':
	case KEY_HOME:
		l->current = 0;
		return true;
	case 'G':
	case KEY_END:
		l->current = l->line_count == 0 ? 0 : l->line_count - 1;
		return true;
	case KEY_LEFT:
	case 'h':
	case '-':
		key_left(l);
		return true;
	case KEY_RIGHT:
	case 'l':
	case '+':
		key_right(l);
		return true;
	case '-' | KEY_META:
		mode_list_expand_all(l, false);
		return true;
	case '+' | KEY_META:
		mode_list_expand_all(l, true);
		return true;
	default:
		return false;
	}
}

static bool
key_ask(struct mode_list *l, key_code key)
{
	size_t i;

	for (i = 0; i < mode_list_ask_count; i++)
		if (mode_list_ask_has(&mode_list_asks[i], key)) {
			(void)mode_list_ask(l, &mode_list_asks[i]);
			return true;
		}
	switch (key) {
	case 'n':
		search(l, false);
		return true;
	case 'N':
		search(l, true);
		return true;
	case 'c':
		set_text(&l->filter, "");
		set_text(&l->fuzzy, "");
		mode_list_stale(l);
		return true;
	default:
		return false;
	}
}

static bool
key_look(struct mode_list *l, key_code key)
{
	const struct mode_item *it;

	switch (key) {
	case 't':
		if ((it = mode_list_current(l)) == NULL || it->no_tag)
			return true;
		tag_toggle(l);
		mode_list_down(l, false);
		return true;
	case 'T':
		tag_all(l, false);
		return true;
	case 't' | KEY_CTRL:
		tag_all(l, true);
		return true;
	case 'O':
		next_order(l);
		return true;
	case 'r':
		if (l->ops->orders == NULL)
			return false;
		l->reversed = !l->reversed;
		mode_list_stale(l);
		return true;
	case 'v':
		l->view = l->view == MODE_LIST_NORMAL ? MODE_LIST_OFF
			  : l->view == MODE_LIST_OFF  ? MODE_LIST_BIG
						      : MODE_LIST_NORMAL;
		return true;
	case 'i':
		if (!l->ops->info)
			return false;
		l->show_info = !l->show_info;
		return true;
	case KEY_F1:
	case 'h' | KEY_CTRL:
		l->help = true;
		l->help_top = 0;
		return true;
	default:
		return false;
	}
}

/* The key before a line chooses it. */
static bool
key_line(struct mode_list *l, key_code key)
{
	uint32_t i;
	const uint32_t n =
	    l->key_format == NULL ? MIN_OF(l->line_count, 36u) : l->line_count;

	for (i = 0; i < n; i++)
		if (l->lines[i].key == key && key != KEY_NONE) {
			l->current = i;
			return true;
		}
	return false;
}

/* Scrolls the help; every other key ends it. */
static void
help_key(struct mode_list *l, key_code key)
{
	const unsigned rows = l->help_rows;
	unsigned up = 0, down = 0;

	if (key == KEY_UP || key == 'k' || key == ('p' | KEY_CTRL))
		up = 1;
	else if (key == KEY_DOWN || key == 'j' || key == ('n' | KEY_CTRL))
		down = 1;
	else if (key == KEY_PPAGE || key == ('b' | KEY_CTRL))
		up = rows;
	else if (key == KEY_NPAGE || key == ('f' | KEY_CTRL))
		down = rows;
	if (rows == 0 || up + down == 0) {
		l->help = false;
		return;
	}
	/* Drawing limits it. */
	l->help_top += down;
	l->help_top -= MIN_OF(up, l->help_top);
}

static enum mode_did
list_key(struct mode_list *l, key_code key)
{
	enum mode_did did;
	bool moves;

	mode_dirty(&l->mode);
	if (l->help) {
		help_key(l, key);
		return MODE_TAKEN;
	}
	if (key == 'q' || key == KEY_ESCAPE || key == ('g' | KEY_CTRL) ||
	    key == ('[' | KEY_CTRL))
		return mode_list_leave(l);
	if (mode_list_refuses(l, key))
		return MODE_TAKEN;
	if (key_line(l, key)) {
		key = KEY_ENTER;
		if (mode_list_refuses(l, key))
			return MODE_TAKEN;
	}
	if (l->ops->key != NULL && (did = l->ops->key(l, key)) != MODE_PASSED)
		return did;
	if (key == KEY_ENTER || key == ('m' | KEY_CTRL))
		return choose(l);
	if ((moves = key_move(l, key)) || key_ask(l, key) || key_look(l, key))
		mode_list_fresh_own(l);
	if (moves || key == 'n' || key == 'N')
		mode_list_seen(l);
	return MODE_TAKEN;
}

enum mode_did
mode_list_key(struct mode *m, const struct key_event *key)
{
	struct mode_list *l = container_of(m, struct mode_list, mode);
	enum mode_did did;
	uint32_t current;

	mode_list_fresh(l);
	/* It is still there, and so not ended; no question is open. */
	if (mode_list_current(l) != NULL)
		l->items[l->lines[l->current].item].ended = false;
	l->confirm = 0;
	current = l->current;
	did = list_key(l, key->key & ~(key_code)KEY_LOCKS);
	if (l->current != current)
		l->shift = 0;
	return did;
}

/* send-keys -X: the keys by name, and cancel. */
enum mode_did
mode_list_command(
    struct mode *m, const struct mode_command *cmd, UNUSED struct cause *why)
{
	struct mode_list *l = container_of(m, struct mode_list, mode);

	return strcmp(cmd->words[0], "cancel") == 0 ? mode_list_leave(l)
						    : MODE_TAKEN;
}

/* --- mouse ----------------------------------------------------------------------- */

static enum mode_did
click(struct mode_list *l, uint32_t line)
{
	const mono_ms now = l->mode.pane->mux->now;
	const bool twice =
	    l->click_line == line && now - l->click_at <= DOUBLE_CLICK_MS;

	l->current = line;
	l->click_line = twice ? MODE_LIST_NONE : line;
	l->click_at = now;
	return twice ? list_key(l, KEY_ENTER) : MODE_TAKEN;
}

static enum mode_did
press_right(struct mode_list *l, const struct mouse_event *ev, uint32_t h)
{
	const bool outside = ev->y < 0 || (uint32_t)ev->y > h;
	const uint32_t line = l->offset + (uint32_t)MAX_OF(ev->y, 0);

	if (l->line_count == 0)
		return MODE_TAKEN;
	if (ev->y >= 0 && (uint32_t)ev->y < h && line < l->line_count)
		l->current = line;
	open_menu(l, l->lines[l->current].item, outside, ev->x, ev->y);
	return MODE_TAKEN;
}

/* A click chooses the part of a preview under it. */
static enum mode_did
press_preview(struct mode_list *l, const struct mouse_event *ev)
{
	const struct mode_item *it = mode_list_current(l);

	if (ev->button != MOUSE_LEFT || it == NULL || l->ops->click == NULL ||
	    !l->ops->click(l, it, ev->x))
		return MODE_TAKEN;
	return list_key(l, KEY_ENTER);
}

enum mode_did
mode_list_mouse(struct mode *m, const struct mouse_event *ev)
{
	struct mode_list *l = container_of(m, struct mode_list, mode);
	const unsigned h = mode_list_height(l, mode_list_rows(l));
	uint32_t line;

	mode_list_fresh(l);
	mode_dirty(m);
	if (ev->action != MOUSE_PRESS)
		return MODE_TAKEN;
	mode_list_seen(l);
	l->refused = false;
	if (l->help) {
		help_key(l, ev->button == MOUSE_WHEEL_UP     ? KEY_UP
			    : ev->button == MOUSE_WHEEL_DOWN ? KEY_DOWN
							     : KEY_NONE);
		return MODE_TAKEN;
	}
	if (ev->button == MOUSE_RIGHT)
		return press_right(l, ev, h);
	if (ev->y < 0 || (unsigned)ev->y > h)
		return press_preview(l, ev);
	if (ev->button == MOUSE_WHEEL_UP)
		mode_list_up(l, false);
	else if (ev->button == MOUSE_WHEEL_DOWN)
		mode_list_down(l, false);
	if (ev->button != MOUSE_LEFT)
		return MODE_TAKEN;
	line = l->offset + (uint32_t)ev->y;
	return line < l->line_count ? click(l, line) : MODE_TAKEN;
}

void
mode_list_event(struct mode *m, enum mode_event event)
{
	struct mode_list *l = container_of(m, struct mode_list, mode);

	if (event == MODE_EVENT_MODEL)
		mode_list_stale(l);
	else if (l->view != MODE_LIST_OFF && !l->show_info)
		m->due = mono_min(m->due, mono_add(l->drawn, OUTPUT_MS));
}
