#include "server/face/prompt_complete.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "conf/command.h"
#include "conf/keylayer.h"
#include "conf/option_table.h"
#include "mux/client.h"
#include "mux/layout_preset.h"
#include "mux/session.h"
#include "mux/window.h"
#include "server/face/viewer.h"

static void
add(struct completion *c, const char *typed, const char *word)
{
	if (c->count == COMPLETION_MAX ||
	    strncmp(word, typed, strlen(typed)) != 0)
		return;
	c->words = mem_resize(c->words, c->count + 1, sizeof(*c->words));
	c->words[c->count++] = mem_strdup(word);
}

static void
add_owned(struct completion *c, const char *typed, char *word)
{
	add(c, typed, word);
	mem_free(word);
}

/* --- sources ------------------------------------------------------------------- */

static void
add_commands(struct completion *c, const struct viewer *vw, const char *typed)
{
	const struct option_entry *e;
	const struct command_row *row;
	const char *alias;
	char *name;
	size_t i;

	for (i = 0; i < COMMAND_COUNT; i++) {
		row = command_row((enum command_id)i);
		add(c, typed, row->name);
		if (row->alias != NULL)
			add(c, typed, row->alias);
	}
	e = options_get(&vw->run->mux->server_options, OPTION_COMMAND_ALIAS);
	for (i = 0; e != NULL && i < e->count; i++) {
		alias = e->items[i].value.string;
		if (alias == NULL || strchr(alias, '=') == NULL)
			continue;
		name = mem_strndup(alias, strcspn(alias, "="));
		add_owned(c, typed, name);
	}
}

static void
add_options(struct completion *c, const char *typed)
{
	size_t i;
	int n;

	for (i = 0; i < OPTION_COUNT; i++)
		add(c, typed, option_row((enum option_id)i)->name);
	for (n = 0; n < LAYOUT_PRESET_COUNT; n++)
		add(c, typed, layout_preset_name(n));
}

/* Sessions; windows after "session:"; panes after "session:window.". */
static void
add_targets(struct completion *c, const struct viewer *vw, const char *typed)
{
	const char *colon = strchr(typed, ':'), *dot;
	struct mux *m = vw->run->mux;
	struct session *s = vw->client->session;
	struct map_entry *e;
	struct list_node *n, *n2;
	struct winlink *wl;
	struct pane *p;
	char *name;

	if (colon == NULL) {
		MAP_FOREACH(e, &m->sessions) {
			s = e->value;
			add_owned(c, typed, mem_printf("%s:", s->name));
		}
		return;
	}
	name = mem_strndup(typed, (size_t)(colon - typed));
	if (*name != '\0')
		s = mux_session_named(m, *name == '=' ? name + 1 : name);
	dot = strchr(colon, '.');
	if (s != NULL)
		SESSION_FOREACH_LINK(wl, n, s)
		{
			if (dot == NULL)
				add_owned(c, typed,
				    mem_printf("%s:%d", name, wl->index));
			else
				WINDOW_FOREACH_PANE(p, n2, wl->window)
			add_owned(c, typed,
			    mem_printf(
				"%s:%d.%d", name, wl->index, pane_index(p)));
		}
	mem_free(name);
}

/* Windows of the session, for the prompt of select-window. */
static void
add_windows(struct completion *c, const struct viewer *vw, const char *typed)
{
	struct session *s = vw->client->session;
	struct list_node *n;
	struct winlink *wl;

	if (s == NULL)
		return;
	SESSION_FOREACH_LINK(wl, n, s)
	{
		add_owned(c, typed, mem_printf("%d", wl->index));
		if (*typed != '\0')
			add(c, typed, wl->window->name);
	}
}

static void
add_clients(struct completion *c, const struct viewer *vw, const char *typed)
{
	struct map_entry *e;
	struct client *cl;

	MAP_FOREACH(e, &vw->run->mux->clients) {
		cl = e->value;
		add(c, typed, cl->name);
	}
}

static void
add_tables(struct completion *c, const struct viewer *vw, const char *typed)
{
	const struct keytables *own;
	size_t i;

	for (i = 0; i < keytables_count(vw->run->keys); i++)
		add(c, typed, keytables_at(vw->run->keys, i)->name);
	if (vw->client->keys == NULL)
		return;
	own = keylayer_own(vw->client->keys);
	for (i = 0; i < keytables_count(own); i++)
		if (keytables_find(vw->run->keys, keytables_at(own, i)->name) ==
		    NULL)
			add(c, typed, keytables_at(own, i)->name);
}

/* --- the word at the cursor ------------------------------------------------------- */

/* The command that the word belongs to, and the word's role in it. */
struct complete_place {
	const struct command_row *row; /* NULL: the word is the command name */
	char flag; /* the word is this flag's value; '\0': none */
};

/* Start of the word before AT. */
static size_t
word_start(const char *text, size_t at)
{
	while (at > 0 && strchr(" {;", text[at - 1]) == NULL)
		at--;
	return at;
}

static void
find_place(const char *text, size_t from, struct complete_place *pl)
{
	char *name, *copy;
	size_t start = from, n;

	*pl = (struct complete_place){ .row = NULL };
	while (start > 0 && strchr(";{", text[start - 1]) == NULL)
		start--;
	start += strspn(text + start, " ");
	if (start >= from)
		return;
	n = strcspn(text + start, " ");
	name = mem_strndup(text + start, n);
	if (command_find(name, &pl->row, NULL) != 0)
		pl->row = NULL;
	mem_free(name);
	/* The word before this one may be a flag that takes a value. */
	copy = mem_strndup(text + start, from - start);
	for (n = strlen(copy); n > 0 && copy[n - 1] == ' '; n--)
		copy[n - 1] = '\0';
	if (n >= 2 && copy[n - 2] == '-' && (n == 2 || copy[n - 3] == ' '))
		pl->flag = copy[n - 1];
	mem_free(copy);
}

/* Adds the completions for the value of a flag. */
static void
add_value(struct completion *c, const struct viewer *vw,
    const struct command_row *row, char f, const char *typed)
{
	if ((f == 't' && (row->what & CMD_TFLAG) != 0) ||
	    (f == 'c' && (row->what & CMD_CFLAG) != 0))
		add_clients(c, vw, typed);
	else if (f == 't' || f == 's')
		add_targets(c, vw, typed);
	else if (f == 'T')
		add_tables(c, vw, typed);
}

static void
add_words(struct completion *c, const struct viewer *vw, const char *text,
    const char *typed)
{
	struct complete_place pl;
	char *flag;
	int value = 0;
	size_t i;

	find_place(text, c->from, &pl);
	if (pl.row == NULL) {
		if (*typed != '\0' && pl.flag == '\0')
			add_commands(c, vw, typed);
		return;
	}
	if (pl.flag != '\0' && command_flag_value(pl.row, pl.flag, &value) &&
	    value == 1) {
		add_value(c, vw, pl.row, pl.flag, typed);
		return;
	}
	if (typed[0] == '-' && typed[1] != '\0' && typed[2] != '\0' &&
	    command_flag_value(pl.row, typed[1], &value) && value == 1) {
		/* -tTARGET in one word */
		c->from += 2;
		add_value(c, vw, pl.row, typed[1], typed + 2);
		return;
	}
	if (typed[0] == '-') {
		for (i = 0; pl.row->spec[i] != '\0'; i++)
			if (pl.row->spec[i] != ':') {
				flag = mem_printf("-%c", pl.row->spec[i]);
				add_owned(c, typed, flag);
			}
		return;
	}
	if (*typed != '\0')
		add_options(c, typed);
}

static int
by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Sorts, removes duplicates and finds the common beginning. */
static void
finish(struct completion *c)
{
	size_t i, n = 0, same;

	if (c->count == 0)
		return;
	qsort(c->words, c->count, sizeof(*c->words), by_text);
	for (i = 0; i < c->count; i++) {
		if (n > 0 && strcmp(c->words[n - 1], c->words[i]) == 0)
			mem_free(c->words[i]);
		else
			c->words[n++] = c->words[i];
	}
	c->count = n;
	same = strlen(c->words[0]);
	for (i = 1; i < n; i++) {
		size_t k = 0;

		while (k < same && c->words[0][k] == c->words[i][k])
			k++;
		same = k;
	}
	c->common = mem_strndup(c->words[0], same);
}

void
completion_init(struct completion *c, const struct viewer *vw,
    enum prompt_type type, const char *text, size_t at)
{
	char *head = mem_strndup(text, at);
	char *typed;

	*c = (struct completion){ .from = 0 };
	if (type == PROMPT_TYPE_COMMAND)
		c->from = word_start(head, at);
	typed = mem_strdup(head + c->from);
	if (type == PROMPT_TYPE_COMMAND)
		add_words(c, vw, head, typed);
	else if (type == PROMPT_TYPE_TARGET)
		add_targets(c, vw, typed);
	else if (type == PROMPT_TYPE_WINDOW_TARGET)
		add_windows(c, vw, typed);
	mem_free(typed);
	mem_free(head);
	finish(c);
}

void
completion_fini(struct completion *c)
{
	size_t i;

	for (i = 0; i < c->count; i++)
		mem_free(c->words[i]);
	mem_free(c->words);
	mem_free(c->common);
}
