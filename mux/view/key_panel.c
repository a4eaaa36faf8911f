#include "mux/view/key_panel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "conf/args.h"
#include "conf/cmdlist.h"
#include "conf/key_name.h"
#include "conf/keytable.h"

#define TEXT_MAX (1 << 20) /* bytes of a command that has no note */
#define RANK_OTHER 50u     /* of a command that its topic does not name */
#define RANK_MODIFIED 100u /* added for a key with Ctrl or Meta */
#define RANKS 200u         /* of a topic */
#define PLACES 10000u      /* bindings of a table that keep their order */

/* --- topics ------------------------------------------------------------------------- */

enum topic {
	TOPIC_MOST_USED,
	TOPIC_WINDOWS,
	TOPIC_PANES,
	TOPIC_LAYOUT,
	TOPIC_SESSIONS,
	TOPIC_COPY,
	TOPIC_OTHER,
	TOPIC_COUNT
};

/*
 * The commands of a topic, in the order in which they are shown.  The most used
 * ones are named with their arguments.
 */
static const struct {
	const char *name;
	const char *commands[20];
} topics[TOPIC_COUNT] = {
	[TOPIC_MOST_USED] = { "Most used",
	    { "new-window", "next-window", "previous-window", "split-window",
		"split-window -h", "select-pane -t :.+", "resize-pane -Z",
		"kill-pane", "detach-client", "copy-mode", "paste-buffer -p",
		"choose-tree -Zw", "list-keys -N", "command-palette",
		"command-prompt" } },
	[TOPIC_WINDOWS] = { "Windows",
	    { "new-window", "next-window", "previous-window", "last-window",
		"select-window", "rename-window", "kill-window", "move-window",
		"swap-window", "find-window", "link-window", "unlink-window",
		"respawn-window", "choose-tree", "switch-mode -kw" } },
	[TOPIC_PANES] = { "Panes",
	    { "split-window", "new-pane", "select-pane", "last-pane",
		"kill-pane", "display-panes", "break-pane", "join-pane",
		"swap-pane", "move-pane", "switch-client -T move", "pipe-pane",
		"respawn-pane" } },
	[TOPIC_LAYOUT] = { "Layout",
	    { "resize-pane", "next-layout", "previous-layout", "select-layout",
		"rotate-window", "resize-window" } },
	[TOPIC_SESSIONS] = { "Sessions and clients",
	    { "detach-client", "attach-session", "new-session", "switch-client",
		"switch-mode", "rename-session", "kill-session",
		"choose-client", "suspend-client", "lock-client",
		"refresh-client", "guest", "invite" } },
	[TOPIC_COPY] = { "Copy and paste",
	    { "copy-mode", "paste-buffer", "copy-output", "hints",
		"search-panes", "choose-buffer", "list-buffers",
		"delete-buffer", "capture-pane", "send-prefix" } },
	[TOPIC_OTHER] = { "Help and other",
	    { "list-keys", "command-palette", "command-prompt",
		"customize-mode", "display-message", "show-messages",
		"clock-mode" } },
};

/* The text of a command, or of that behind a prompt or a condition. */
static char *
inner_new(const struct cmd *cmd)
{
	static const char *const outer[] = { "confirm-before", "command-prompt",
		"if-shell", "run-shell" };
	const struct args *a = cmd->args;
	const struct cmdlist *block = NULL;
	struct buf b;
	char *text;
	size_t i;

	for (i = 0; i < a->count && block == NULL; i++)
		block = a->values[i].block;
	for (i = 0; i < ARRAY_LEN(outer); i++)
		if (strcmp(cmd->row->name, outer[i]) == 0)
			break;
	if (i < ARRAY_LEN(outer) && block != NULL && block->count > 0)
		return inner_new(block->cmds[0]);
	if (i == 0 && args_string(a, 0) != NULL)
		return mem_strdup(args_string(a, 0));
	buf_init(&b, TEXT_MAX);
	cmd_print(cmd, &b);
	text = mem_strdup(buf_cstr(&b));
	buf_fini(&b);
	return text;
}

/*
 * The place of the command TEXT in TOPIC, or RANK_OTHER.  Arguments count for the
 * most used ones and where the topic names them.
 */
static unsigned
rank_in(enum topic topic, const char *text)
{
	const char *const *c = topics[topic].commands;
	const bool whole = topic == TOPIC_MOST_USED;
	unsigned i;
	size_t n;

	for (i = 0; i < ARRAY_LEN(topics[0].commands) && c[i] != NULL; i++) {
		n = strlen(c[i]);
		if (strncmp(c[i], text, n) == 0 &&
		    (text[n] == '\0' || (text[n] == ' ' && !whole)))
			return i;
	}
	return RANK_OTHER;
}

unsigned
view_key_panel_rank(const struct keybinding *kb)
{
	const struct cmdlist *list = kb->commands;
	const struct cmd *cmd;
	unsigned t, rank = RANK_OTHER;
	char *text;

	if (list->count == 0)
		return TOPIC_OTHER * RANKS + RANK_OTHER;
	/* The pane of a switch-mode is not what the key is for. */
	cmd = list->cmds[list->count - 1];
	if (cmd->row->id != COMMAND_switch_mode)
		cmd = list->cmds[0];
	text = inner_new(cmd);
	for (t = list->count == 1 ? 0 : 1; t < TOPIC_COUNT; t++)
		if ((rank = rank_in((enum topic)t, text)) != RANK_OTHER)
			break;
	mem_free(text);
	/* Keys without Ctrl or Meta are easier to type. */
	if ((kb->key & KEY_MODS) != 0)
		rank += RANK_MODIFIED;
	return MIN_OF(t, (unsigned)TOPIC_OTHER) * RANKS + rank;
}

/* --- the keys of a table ------------------------------------------------------------ */

/* Whether a command of LIST is not implemented yet. */
static bool
is_later(const struct cmdlist *list)
{
	const struct args *a;
	size_t i, k;

	for (i = 0; i < list->count; i++) {
		if (list->cmds[i]->row->when == COMMAND_LATER)
			return true;
		a = list->cmds[i]->args;
		for (k = 0; k < a->count; k++)
			if (a->values[k].block != NULL &&
			    is_later(a->values[k].block))
				return true;
	}
	return false;
}

static void
add(struct view_key_panel *p, const struct view_key_item *it)
{
	p->items = mem_resize(p->items, p->count + 1, sizeof(*p->items));
	p->items[p->count++] = *it;
}

/* Whether two texts differ in digits at most. */
static bool
same_but_digits(const char *a, const char *b)
{
	for (; *a != '\0' && *b != '\0'; a++, b++)
		if (*a != *b &&
		    !(*a >= '0' && *a <= '9' && *b >= '0' && *b <= '9'))
			return false;
	return *a == *b;
}

/*
 * Makes one item "0..9" of keys that are successive digits and do the same with
 * their digits.
 */
static bool
fold_digit(struct view_key_panel *p, const struct keybinding *kb,
    const struct keybinding *before)
{
	struct view_key_item *last =
	    p->count > 0 ? &p->items[p->count - 1] : NULL;
	const char *digit;
	char *text;

	if (last == NULL || before == NULL || kb->note == NULL ||
	    before->note == NULL || kb->key < '1' || kb->key > '9' ||
	    before->key != kb->key - 1 ||
	    !same_but_digits(kb->note, before->note))
		return false;
	digit = strpbrk(last->text, "0123456789");
	if (digit == NULL)
		return false;
	text = mem_printf("%.*s%c..%c%s", (int)(digit - last->text), last->text,
	    last->key[0], (char)kb->key, digit + strspn(digit, "0123456789."));
	mem_free(last->text);
	last->text = text;
	text = mem_printf("%c..%c", last->key[0], (char)kb->key);
	mem_free(last->key);
	last->key = text;
	return true;
}

char *
view_key_panel_name_new(key_code key)
{
	static const struct {
		key_code key;
		const char *name;
	} words[] = { { KEY_PPAGE, "PageUp" }, { KEY_NPAGE, "PageDown" },
		{ KEY_DC, "Delete" }, { KEY_IC, "Insert" } };
	const key_code base = key & ~(key_code)(KEY_MODS | KEY_LOCKS);
	char name[KEY_NAME_MAX], last[KEY_NAME_MAX];
	size_t i, n;

	n = strlen(key_name_format(key, name, sizeof(name))) -
	    strlen(key_name_format(base, last, sizeof(last)));
	for (i = 0; i < ARRAY_LEN(words); i++)
		if (words[i].key == base)
			return mem_printf(
			    "%.*s%s", (int)n, name, words[i].name);
	return mem_strdup(name);
}

static void
add_key(struct view_key_panel *p, const struct keybinding *kb)
{
	struct view_key_item it = { .key = NULL };
	struct buf text;

	buf_init(&text, TEXT_MAX);
	if (kb->note != NULL && *kb->note != '\0')
		(void)buf_add_str(&text, kb->note);
	else
		cmdlist_print(kb->commands, 0, &text);
	it.key = view_key_panel_name_new(kb->key);
	it.text = mem_strdup(buf_cstr(&text));
	it.rank = view_key_panel_rank(kb);
	it.topic = it.rank / RANKS;
	add(p, &it);
	buf_fini(&text);
}

/* Adds the key of the command NAME to the hint. */
static void
add_hint(struct buf *hint, const struct keybinding *kb, const char *name,
    const char *what)
{
	const struct cmdlist *list = kb->commands;
	char key[KEY_NAME_MAX];

	if (list->count == 1 && strcmp(list->cmds[0]->row->name, name) == 0)
		(void)buf_addf(hint, "   %s: %s",
		    key_name_format(kb->key, key, sizeof(key)), what);
}

static int
compare(const void *a, const void *b)
{
	const struct view_key_item *x = a, *y = b;

	return x->rank < y->rank ? -1 : x->rank > y->rank;
}

/* Sorts the items and puts headings before the topics. */
static void
arrange(struct view_key_panel *p)
{
	struct view_key_item *old = p->items;
	const size_t n = p->count;
	size_t i;

	/* qsort is not stable: the rank ends with the order of the table. */
	for (i = 0; i < n; i++)
		old[i].rank = old[i].rank * PLACES +
			      (unsigned)MIN_OF(i, (size_t)PLACES - 1);
	if (n > 0)
		qsort(old, n, sizeof(*old), compare);
	p->items = NULL;
	p->count = 0;
	for (i = 0; i < n; i++) {
		/* One topic needs no name. */
		if (old[0].topic != old[n - 1].topic &&
		    (i == 0 || old[i].topic != old[i - 1].topic))
			add(p,
			    &(struct view_key_item){
				.text = mem_strdup(topics[old[i].topic].name),
				.topic = old[i].topic });
		add(p, &old[i]);
	}
	mem_free(old);
}

/* Keys that turn pages where a table leaves them free. */
static const struct {
	key_code key;
	bool back;
} turns[] = {
	{ KEY_NPAGE, false },
	{ 'v' | KEY_CTRL, false },
	{ KEY_PPAGE, true },
	{ 'v' | KEY_META, true },
};

bool
view_key_panel_turns(const struct keytable *table, key_code key, bool *back)
{
	size_t i;

	key &= ~(key_code)KEY_LOCKS;
	for (i = 0; i < ARRAY_LEN(turns); i++)
		if (turns[i].key == key) {
			*back = turns[i].back;
			return keytable_typed(table, key) == NULL;
		}
	return false;
}

struct view_key_panel *
view_key_panel_new(const struct keytable *table,
    bool (*allowed)(const void *arg, const struct keybinding *kb),
    const void *arg)
{
	struct view_key_panel *p = mem_zalloc(sizeof(*p));
	const struct keybinding *kb, *before = NULL;
	struct buf hint;
	bool back;
	size_t i;

	buf_init(&hint, 4096);
	for (i = 0; i < table->count; i++) {
		kb = &table->bindings[i];
		if (key_is_mouse(kb->key) || is_later(kb->commands) ||
		    (allowed != NULL && !allowed(arg, kb)))
			continue;
		if (!fold_digit(p, kb, before))
			add_key(p, kb);
		before = kb;
		add_hint(&hint, kb, "list-keys", "all keys");
		add_hint(&hint, kb, "command-palette", "find");
	}
	arrange(p);
	p->hint = mem_strdup(buf_cstr(&hint));
	buf_fini(&hint);
	p->next = KEY_NONE;
	for (i = 0; i < ARRAY_LEN(turns) && p->next == KEY_NONE; i++)
		if (!turns[i].back &&
		    view_key_panel_turns(table, turns[i].key, &back))
			p->next = turns[i].key;
	return p;
}

void
view_key_panel_free(struct view_key_panel *p)
{
	size_t i;

	if (p == NULL)
		return;
	for (i = 0; i < p->count; i++) {
		mem_free(p->items[i].key);
		mem_free(p->items[i].text);
	}
	mem_free(p->items);
	mem_free(p->hint);
	mem_free(p);
}
