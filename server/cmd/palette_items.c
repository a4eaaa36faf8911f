#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "conf/bind.h"
#include "conf/cmdlist.h"
#include "conf/key_name.h"
#include "conf/keytable.h"
#include "mux/mux.h"
#include "mux/view/key_panel.h"
#include "server/cmd/cmd.h"
#include "server/cmd/palette.h"
#include "server/cmd/shared.h"

#define TEXT_MAX (1 << 16) /* bytes of commands that are shown */

/* Commands that destroy something: a prompt shows them before they run. */
static const char *const asked[] = { "clear-", "delete-", "kill-", "respawn-",
	"unlink-" };

void
palette_items_fini(struct palette_items *items)
{
	size_t i;

	for (i = 0; i < items->count; i++) {
		cmdlist_unref(items->all[i].list);
		mem_free(items->all[i].text);
		mem_free(items->all[i].option);
	}
	mem_free(items->all);
	items->all = NULL;
	items->count = 0;
}

/* Adds an item; takes the strings of ENTRY over. */
static void
add(struct palette_items *items, enum view_palette_kind kind,
    const struct view_palette_text *text, const struct palette_entry *entry)
{
	if (view_palette_add(items->view, kind, text) != 0) {
		mem_free(entry->text);
		mem_free(entry->option);
		return;
	}
	items->all =
	    mem_resize(items->all, items->count + 1, sizeof(*items->all));
	items->all[items->count] = *entry;
	if (entry->list != NULL)
		(void)cmdlist_ref(entry->list);
	items->count++;
}

static bool
wants(const struct palette_items *items, enum view_palette_kind kind)
{
	return (items->kinds & 1u << kind) != 0;
}

/* --- keys and commands ------------------------------------------------------------- */

struct ranked_key {
	const struct keybinding *kb;
	unsigned rank;
};

static int
by_rank(const void *a, const void *b)
{
	const struct ranked_key *x = a, *y = b;

	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	/* Bindings of a table stand in its order. */
	return x->kb < y->kb ? -1 : x->kb > y->kb;
}

static void
add_key(struct palette_items *items, const char *table,
    const struct keybinding *kb, const char *prefix)
{
	char key[KEY_NAME_MAX], *shown, *id;
	struct buf text;

	buf_init(&text, TEXT_MAX);
	bind_ops.print(kb->commands, &text);
	key_name_format(kb->key, key, sizeof(key));
	shown = mem_printf("%s%s", prefix, key);
	id = mem_printf("key %s %s", table, key);
	add(items, VIEW_PALETTE_KEY,
	    &(struct view_palette_text){ kb->note, buf_cstr(&text), shown, id },
	    &(struct palette_entry){
		.list = kb->commands, .text = mem_strdup(buf_cstr(&text)) });
	mem_free(shown);
	mem_free(id);
	buf_fini(&text);
}

/* The keys of a table that have a note, the most used ones first. */
static void
add_keys(struct cmd_context *c, struct palette_items *items, const char *name,
    const char *prefix)
{
	const struct keytable *t = cmd_find_table(c, name);
	struct ranked_key *keys;
	const struct keybinding *kb;
	size_t i, n = 0;

	if (t == NULL || t->count == 0)
		return;
	keys = mem_calloc(t->count, sizeof(*keys));
	for (i = 0; i < t->count; i++) {
		kb = &t->bindings[i];
		if (kb->note != NULL && *kb->note != '\0' &&
		    !key_is_mouse(kb->key))
			keys[n++] =
			    (struct ranked_key){ kb, view_key_panel_rank(kb) };
	}
	qsort(keys, n, sizeof(*keys), by_rank);
	for (i = 0; i < n; i++)
		add_key(items, name, keys[i].kb, prefix);
	mem_free(keys);
}

/* Whether a prompt shows the command before it runs. */
static bool
is_asked(const struct command_row *row)
{
	size_t i;

	if (row->min > 0)
		return true;
	for (i = 0; i < ARRAY_LEN(asked); i++)
		if (strncmp(row->name, asked[i], strlen(asked[i])) == 0)
			return true;
	return false;
}

static void
add_commands(struct palette_items *items)
{
	const struct command_row *row;
	char *id;
	unsigned i;

	for (i = 0; i < COMMAND_COUNT; i++) {
		row = command_row((enum command_id)i);
		if (row->when == COMMAND_LATER)
			continue;
		id = mem_printf("command %s", row->name);
		add(items, VIEW_PALETTE_COMMAND,
		    &(struct view_palette_text){
			row->name, row->help, NULL, id },
		    &(struct palette_entry){
			.text =
			    mem_printf(row->max == 0 ? "%s" : "%s ", row->name),
			.ask = is_asked(row) });
		mem_free(id);
	}
}

/* --- sessions, windows, panes ------------------------------------------------------- */

static void
add_place(struct palette_items *items, enum view_palette_kind kind, char *label,
    char *detail, char *id, char *text)
{
	add(items, kind, &(struct view_palette_text){ label, detail, NULL, id },
	    &(struct palette_entry){ .text = text });
	mem_free(label);
	mem_free(detail);
	mem_free(id);
}

static struct cmd_target
place(struct session *s, struct winlink *wl, struct pane *p)
{
	return (struct cmd_target){
		.s = s, .wl = wl, .w = wl->window, .p = p, .index = wl->index
	};
}

static void
add_window(struct cmd_context *c, struct palette_items *items,
    struct session *s, struct winlink *wl)
{
	struct cmd_target t = place(s, wl, wl->window->active);
	struct list_node *n;
	struct pane *p;

	if (wants(items, VIEW_PALETTE_WINDOW))
		add_place(items, VIEW_PALETTE_WINDOW,
		    cmd_format_new(c, &t,
			"#{session_name}:#{window_index} #{window_name}"
			"#{window_flags}"),
		    cmd_format_new(c, &t,
			"#{window_panes} pane#{?#{==:#{window_panes},1},,s}, "
			"#{pane_current_command} #{pane_current_path}"),
		    mem_printf("window $%u:%u", s->id, wl->window->id),
		    mem_printf("switch-client -t '$%u:%d'", s->id, wl->index));
	if (!wants(items, VIEW_PALETTE_PANE))
		return;
	LIST_FOREACH(n, &wl->window->panes) {
		p = container_of(n, struct pane, node);
		t.p = p;
		add_place(items, VIEW_PALETTE_PANE,
		    cmd_format_new(c, &t,
			"#{session_name}:#{window_index}.#{pane_index} "
			"#{pane_current_command}"),
		    cmd_format_new(c, &t, "#{pane_title} #{pane_current_path}"),
		    mem_printf("pane %%%u", p->id),
		    mem_printf("switch-client -Zt '$%u:%d.%%%u'", s->id,
			wl->index, p->id));
	}
}

static void
add_places(struct cmd_context *c, struct palette_items *items)
{
	const struct map_entry *e;
	struct session *s;
	struct winlink *wl;
	struct list_node *n;

	MAP_FOREACH(e, &c->sv->run.mux->sessions) {
		s = e->value;
		if (s->current == NULL)
			continue;
		if (wants(items, VIEW_PALETTE_SESSION)) {
			struct cmd_target t =
			    place(s, s->current, s->current->window->active);

			add_place(items, VIEW_PALETTE_SESSION,
			    cmd_format_new(c, &t, "#{session_name}"),
			    cmd_format_new(c, &t,
				"#{session_windows} "
				"window#{?#{==:#{session_windows},1},,s}"
				"#{?session_attached, (attached),}"),
			    mem_printf("session $%u", s->id),
			    mem_printf("switch-client -t '$%u'", s->id));
		}
		LIST_FOREACH(n, &s->links) {
			wl = container_of(n, struct winlink, node);
			add_window(c, items, s, wl);
		}
	}
}

/* --- options ------------------------------------------------------------------------ */

/* The tree that gives the option its value, and the flags of set-option. */
static const struct options *
tree_of(const struct cmd_context *c, const struct option_row *row,
    const char **flags)
{
	const struct mux *m = c->sv->run.mux;
	const struct cmd_target *t = &c->current;
	struct option_name name = { .row = row, .index = OPTION_NO_INDEX };

	if ((row->scope & OPT_SERVER) != 0) {
		*flags = "-s";
		return &m->server_options;
	}
	if ((row->scope & OPT_SESSION) != 0) {
		*flags = "-g";
		if (t->s == NULL || options_own(&t->s->options, &name) == NULL)
			return &m->session_options;
		*flags = NULL;
		return &t->s->options;
	}
	*flags = "-p";
	if (t->p != NULL && options_own(&t->p->options, &name) != NULL)
		return &t->p->options;
	*flags = "-w";
	if (t->w != NULL && options_own(&t->w->options, &name) != NULL)
		return &t->w->options;
	*flags = "-wg";
	return &m->window_options;
}

static void
add_option(const struct options *o, struct palette_items *items,
    const char *flags, const struct option_row *row,
    const struct option_item *it)
{
	struct option_name name = { .row = row, .index = OPTION_NO_INDEX };
	char *label, *detail, *value, key[16];

	if (it == NULL)
		label = mem_strdup(row->name);
	else {
		label = mem_printf("%s[%s]", row->name,
		    option_key_text(it->index, it->word, key, sizeof(key)));
		(void)option_exact(label, &name);
	}
	value = options_text_new(o, &name);
	if (value == NULL)
		value = mem_strdup("");
	detail = mem_printf("%s  (%s)", value, row->help);
	add(items, VIEW_PALETTE_OPTION,
	    &(struct view_palette_text){ label, detail, NULL, label },
	    &(struct palette_entry){
		.text = value, .row = row, .option = label, .flags = flags });
	mem_free(detail);
}

static void
add_options(struct cmd_context *c, struct palette_items *items)
{
	const struct option_row *row;
	const struct option_entry *e;
	const struct options *o;
	const char *flags;
	unsigned i;
	size_t k;

	for (i = 0; i < OPTION_COUNT; i++) {
		row = option_row((enum option_id)i);
		if ((row->flags & OPT_HOOK) != 0)
			continue;
		o = tree_of(c, row, &flags);
		if ((row->flags & OPT_ARRAY) == 0) {
			add_option(o, items, flags, row, NULL);
			continue;
		}
		e = options_get(o, row->id);
		for (k = 0; e != NULL && k < e->count; k++)
			add_option(o, items, flags, row, &e->items[k]);
	}
}

void
palette_items_add(struct cmd_context *c, struct palette_items *items)
{
	const struct options *o = c->client != NULL ? &c->client->options
				  : c->current.s == NULL
				      ? &c->sv->run.mux->session_options
				      : &c->current.s->options;
	const key_code key = options_key(o, OPTION_PREFIX);
	char name[KEY_NAME_MAX], *prefix;

	if (wants(items, VIEW_PALETTE_KEY)) {
		prefix = key == KEY_NONE
			     ? mem_strdup("")
			     : mem_printf("%s ",
				   key_name_format(key, name, sizeof(name)));
		add_keys(c, items, "prefix", prefix);
		add_keys(c, items, "root", "");
		mem_free(prefix);
	}
	if (wants(items, VIEW_PALETTE_SESSION) ||
	    wants(items, VIEW_PALETTE_WINDOW) ||
	    wants(items, VIEW_PALETTE_PANE))
		add_places(c, items);
	if (wants(items, VIEW_PALETTE_COMMAND))
		add_commands(items);
	if (wants(items, VIEW_PALETTE_OPTION))
		add_options(c, items);
}
