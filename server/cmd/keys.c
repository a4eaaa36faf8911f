/*
 * Key tables: bind-key, unbind-key, list-keys.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "conf/bind.h"
#include "conf/format_text.h"
#include "conf/key_name.h"
#include "conf/keylayer.h"
#include "server/cmd/shared.h"
#include "server/face/message.h"
#include "server/run/notes.h"

/*
 * Sets SET to the key tables of all, or with -C to those of *CL alone, which is
 * NULL without -C.
 */
static int
keys_of(struct cmd_context *c, struct keytables **set, struct client **cl,
    struct cause *why)
{
	const char *text = args_get(c->args, 'C');

	*set = c->sv->run.keys;
	*cl = NULL;
	if (text == NULL)
		return 0;
	if ((*cl = cmd_person(c, text, why)) == NULL)
		return -ERR_NOTFOUND;
	*set = client_own_keys(*cl);
	return 0;
}

/*
 * The keys of CL (NULL: of the server) have changed: the next view tells the
 * client, and asks its terminal for the keys.
 */
static void
keys_changed(struct cmd_context *c, const struct client *cl)
{
	struct viewer *vw;

	if (cl == NULL)
		viewers_rebuild(&c->sv->viewers);
	else if ((vw = viewer_find(&c->sv->viewers, cl)) != NULL)
		viewer_dirty(vw);
}

enum cmd_result
cmd_exec_bind_key(struct cmd_context *c)
{
	struct cause why = { NULL };
	struct keytables *set;
	struct client *cl;
	struct parse sp;
	int r;

	if (keys_of(c, &set, &cl, &why) != 0)
		return cmd_cause(c, &why);
	parse_init(&sp, &c->sv->run, c->state);
	r = bind_run(set, c->args, &sp.hooks, &why);
	/* The parser's error says more. */
	if (r != 0 && sp.errors.len > 1) {
		cause_fini(&why);
		(void)cause_set(&why, r, "%.*s", (int)sp.errors.len - 1,
		    (const char *)sp.errors.data);
	}
	parse_fini(&sp);
	if (r == -ERR_LIMIT && cl != NULL) {
		cause_fini(&why);
		return cmd_error(c,
		    "too many key bindings of %s (%zu; at most %u of 1 MiB): "
		    "remove some with unbind-key -C",
		    cl->name, keytables_bindings(set), KEYLAYER_BINDINGS_MAX);
	}
	if (r != 0)
		return cmd_cause(c, &why);
	keys_changed(c, cl);
	return CMD_NORMAL;
}

enum cmd_result
cmd_exec_unbind_key(struct cmd_context *c)
{
	struct cause why = { NULL };
	struct keytables *set;
	struct client *cl;

	if (keys_of(c, &set, &cl, &why) != 0)
		return cmd_cause(c, &why);
	if (cl != NULL && !args_has(c->args, 'q') &&
	    keytables_find(set, bind_table(c->args)) == NULL)
		return cmd_error(c, "%s has no keys of its own in table %s",
		    cl->name, bind_table(c->args));
	if (bind_unbind(set, c->args, &why) != 0)
		return cmd_cause(c, &why);
	keys_changed(c, cl);
	return CMD_NORMAL;
}

/* --- list-keys ------------------------------------------------------------------ */

/* The lines of list-keys, as tmux's. */
#define KEY_LINE_FORMAT                                  \
 "bind-key #{?key_has_repeat,#{?key_repeat,-r,  },} -T " \
 "#{p|#{key_table_width}:key_table} "                    \
 "#{p|#{key_string_width}:key_string} #{key_command}"
#define KEY_NOTE_FORMAT                               \
 "#{key_prefix} #{p|#{key_string_width}:key_string} " \
 "#{?key_note,#{key_note},#{key_command}}"

struct key_line {
	const struct keytable *table;
	const struct keybinding *kb;
};

struct key_lines {
	struct key_line *all;
	size_t count;
	struct keytable_widths w;
};

static void
key_lines_add(struct key_lines *kl, const struct keytable *table, key_code only,
    bool notes, bool all)
{
	const struct keybinding *kb;
	size_t i;

	for (i = 0; i < table->count; i++) {
		kb = &table->bindings[i];
		if (only != KEY_NONE && kb->key != only)
			continue;
		if (notes && !all && (kb->note == NULL || *kb->note == '\0'))
			continue;
		kl->all = mem_resize(kl->all, kl->count + 1, sizeof(*kl->all));
		kl->all[kl->count++] = (struct key_line){ table, kb };
	}
}

/* Measures the lines that are printed. */
static void
key_lines_measure(
    struct key_lines *kl, const struct grapheme_table *widths, bool quoted)
{
	const struct key_line *line;
	char text[KEY_NAME_MAX];
	struct buf name;
	size_t i, n;

	for (i = 0; i < kl->count; i++) {
		line = &kl->all[i];
		buf_init(&name, KEY_NAME_MAX * 2);
		keytable_quote_key(line->kb->key, &name);
		if (!quoted) {
			buf_clear(&name);
			(void)buf_add_str(&name,
			    key_name_format(line->kb->key, text, sizeof(text)));
		}
		n = format_text_width(
		    widths, (const char *)name.data, name.len);
		kl->w.key = MAX_OF(kl->w.key, n);
		kl->w.table = MAX_OF(kl->w.table, strlen(line->table->name));
		kl->w.repeat = kl->w.repeat || line->kb->repeat;
		buf_fini(&name);
	}
}

/* As without -O: by table, then by key. */
static int
by_table(const void *a, const void *b)
{
	const struct key_line *x = a, *y = b;
	int r = strcmp(x->table->name, y->table->name);

	return r != 0 ? r : keytable_compare(x->kb->key, y->kb->key);
}

static int
by_modifier(const void *a, const void *b)
{
	const struct key_line *x = a, *y = b;
	/* The same key with the modifiers of both. */
	int r = keytable_compare(
	    (x->kb->key & KEY_MODS) | 'a', (y->kb->key & KEY_MODS) | 'a');

	return r != 0 ? r : by_table(a, b);
}

static int
by_key(const void *a, const void *b)
{
	const struct key_line *x = a, *y = b;

	return keytable_compare(x->kb->key, y->kb->key);
}

static const struct key_order {
	const char *name;
	int (*compare)(const void *a, const void *b);
} key_orders[] = {
	{ "index", by_key },
	{ "key", by_key },
	{ "modifier", by_modifier },
	{ "name", by_table },
};

/* Returns a line by -F, else in the form of notes or the plain form. */
static char *
key_line_new(struct cmd_context *c, const struct key_lines *kl,
    const struct key_line *line, const char *prefix)
{
	const char *format = args_get(c->args, 'F');
	const struct keybinding *kb = line->kb;
	char name[KEY_NAME_MAX], width[24], table_width[24], *text;
	struct buf command, quoted;
	bool notes = args_has(c->args, 'N') != 0;

	buf_init(&command, 1 << 20);
	buf_init(&quoted, KEY_NAME_MAX * 2);
	if (notes || format != NULL)
		(void)buf_add_str(
		    &quoted, key_name_format(kb->key, name, sizeof(name)));
	else
		keytable_quote_key(kb->key, &quoted);
	if (format == NULL)
		format = notes ? KEY_NOTE_FORMAT : KEY_LINE_FORMAT;
	bind_ops.print(kb->commands, &command);
	snprintf(width, sizeof(width), "%zu", kl->w.key);
	snprintf(table_width, sizeof(table_width), "%zu", kl->w.table);
	const struct format_var vars[] = {
		{ "key_string", buf_cstr(&quoted) },
		{ "key_command", buf_cstr(&command) },
		{ "key_note", kb->note == NULL ? "" : kb->note },
		{ "key_prefix", prefix },
		{ "key_table", line->table->name },
		{ "key_repeat", kb->repeat ? "1" : "0" },
		{ "key_has_repeat", kl->w.repeat ? "1" : "0" },
		{ "key_string_width", width },
		{ "key_table_width", table_width },
		{ "notes_only", notes ? "1" : "0" },
	};

	text = cmd_format_vars_new(c, NULL, format, vars, ARRAY_LEN(vars));
	buf_fini(&command);
	buf_fini(&quoted);
	return text;
}

/* Returns #{key_prefix}: -P, else the prefix key. */
static char *
key_prefix_new(struct cmd_context *c)
{
	const struct options *o = c->client != NULL ? &c->client->options
				  : c->current.s == NULL
				      ? &c->sv->run.mux->session_options
				      : &c->current.s->options;
	char name[KEY_NAME_MAX];
	key_code key = options_key(o, OPTION_PREFIX);

	if (args_get(c->args, 'P') != NULL)
		return mem_strdup(args_get(c->args, 'P'));
	return mem_strdup(
	    key == KEY_NONE ? "" : key_name_format(key, name, sizeof(name)));
}

/*
 * The tables that are listed: those of all clients, with -C those of one client
 * alone, and for a key at a client both, as the client has them.
 */
struct key_source {
	const struct keytables *set;
	const struct client *person; /* or NULL */
};

static const struct keytable *
source_find(const struct key_source *from, const char *name)
{
	return from->person == NULL
		   ? keytables_find(from->set, name)
		   : client_find_table(from->person, from->set, name);
}

static int
source_of(struct cmd_context *c, struct key_source *from, struct cause *why)
{
	struct keytables *set;
	struct client *cl;

	if (keys_of(c, &set, &cl, why) != 0)
		return -ERR_NOTFOUND;
	from->set = set;
	from->person = cl == NULL && cmd_on_screen(c) ? c->client : NULL;
	return 0;
}

/* Adds the tables that only the person has. */
static void
key_lines_own(struct key_lines *kl, const struct key_source *from,
    key_code only, bool notes, bool all)
{
	const struct keytables *own;
	const struct keytable *table;
	size_t i;

	if (from->person == NULL || from->person->keys == NULL)
		return;
	own = keylayer_own(from->person->keys);
	for (i = 0; i < keytables_count(own); i++) {
		table = keytables_at(own, i);
		if (keytables_find(from->set, table->name) == NULL)
			key_lines_add(kl, table, only, notes, all);
	}
}

static int
key_lines_find(struct cmd_context *c, const struct key_source *from,
    struct key_lines *kl, key_code only)
{
	static const char *const noted[] = { "prefix", "root" };
	const char *name = args_get(c->args, 'T');
	bool notes = args_has(c->args, 'N') != 0;
	bool all = args_has(c->args, 'a') != 0;
	const struct keytable *table;
	size_t i;

	if (name != NULL) {
		table = source_find(from, name);
		if (!keytable_exists(table))
			return -ERR_NOTFOUND;
		key_lines_add(kl, table, only, notes, all);
		return 0;
	}
	if (notes) {
		for (i = 0; i < ARRAY_LEN(noted); i++)
			if ((table = source_find(from, noted[i])) != NULL)
				key_lines_add(kl, table, only, notes, all);
		return 0;
	}
	for (i = 0; i < keytables_count(from->set); i++) {
		table = source_find(from, keytables_at(from->set, i)->name);
		key_lines_add(kl, table, only, notes, all);
	}
	key_lines_own(kl, from, only, notes, all);
	return 0;
}

/*
 * The description of one key is a message, if there is a client. security: a
 * caller who only reads has none but its own.
 */
static struct viewer *
one_line_viewer(const struct cmd_context *c)
{
	struct viewer *vw = c->viewer;

	if (!args_has(c->args, '1'))
		return NULL;
	if (vw == NULL && conn_access(c->conn) == ACCESS_WRITE &&
	    c->shown != NULL)
		vw = viewer_find(&c->sv->viewers, c->shown);
	return vw == NULL || vw->client->session == NULL ? NULL : vw;
}

static void
key_lines_say(struct cmd_context *c, struct key_lines *kl)
{
	const struct key_line *line;
	char *prefix, *text;
	struct buf out;
	size_t i, n = kl->count;
	/* As in tmux, -r turns only the orders of -O. */
	const bool reversed =
	    args_has(c->args, 'r') != 0 && args_get(c->args, 'O') != NULL;
	struct viewer *vw = one_line_viewer(c);

	buf_init(&out, (size_t)8 << 20);
	for (i = 0; i < n; i++) {
		line = &kl->all[reversed ? n - 1 - i : i];
		prefix = key_prefix_new(c);
		text = key_line_new(c, kl, line, prefix);
		/* Lines that -F leaves empty are not shown. */
		if (*text == '\0') {
			mem_free(text);
			mem_free(prefix);
			continue;
		}
		if (vw != NULL)
			message_show(vw,
			    (mono_ms)options_number(
				&vw->client->session->options,
				OPTION_DISPLAY_TIME),
			    text);
		else
			(void)buf_addf(&out, "%s\n", text);
		mem_free(text);
		mem_free(prefix);
	}
	cmd_say_lines(c, &out);
	buf_fini(&out);
}

enum cmd_result
cmd_exec_list_keys(struct cmd_context *c)
{
	struct key_lines kl = { .all = NULL };
	const char *text = args_string(c->args, 0);
	const char *order = args_get(c->args, 'O');
	enum cmd_result r = CMD_NORMAL;
	struct cause why = { NULL };
	struct key_source from;
	key_code only = KEY_NONE;
	size_t i;

	if (source_of(c, &from, &why) != 0)
		return cmd_cause(c, &why);
	if (text != NULL &&
	    (key_name_parse(text, &only) != 0 ||
		(only == KEY_NONE && !str_eq_nocase(text, "None"))))
		return cmd_error(c, "invalid key: %s", text);
	for (i = 0; order != NULL && i < ARRAY_LEN(key_orders); i++)
		if (str_eq_nocase(key_orders[i].name, order))
			break;
	if (order != NULL && !cmd_order_known(order))
		return cmd_error(c, "invalid sort order");
	if (key_lines_find(c, &from, &kl, only) != 0)
		r = cmd_error(
		    c, "table %s doesn't exist", args_get(c->args, 'T'));
	else if (text != NULL && (kl.count == 0 || only == KEY_NONE))
		r = cmd_error(c, "unknown key: %s", text);
	if (order != NULL && i < ARRAY_LEN(key_orders) && r == CMD_NORMAL)
		qsort(kl.all, kl.count, sizeof(*kl.all), key_orders[i].compare);
	if (args_has(c->args, '1'))
		kl.count = MIN_OF(kl.count, (size_t)1);
	key_lines_measure(&kl, c->sv->run.graphemes,
	    !args_has(c->args, 'N') && args_get(c->args, 'F') == NULL);
	if (r == CMD_NORMAL)
		key_lines_say(c, &kl);
	mem_free(kl.all);
	return r;
}
