#include "config.h"

#include <string.h>

#include "base/mem.h"
#include "conf/option.h"

void
options_init(struct options *o, const struct options *parent)
{
	memset(o, 0, sizeof *o);
	o->parent = parent;
	map_init_names(&o->user);
}

static void
option_entry_clear(struct option_entry *e)
{
	size_t i;

	option_value_fini(&e->value);
	for (i = 0; i < e->count; i++) {
		option_value_fini(&e->items[i].value);
		mem_free(e->items[i].word);
	}
	mem_free(e->items);
	e->items = NULL;
	e->count = 0;
}

static void
option_entry_free(struct option_entry *e)
{
	if (e == NULL)
		return;
	option_entry_clear(e);
	mem_free(e->name);
	mem_free(e);
}

void
options_fini(struct options *o)
{
	struct map_entry *m;
	size_t i;

	for (i = 0; i < o->count; i++)
		option_entry_free(o->entries[i]);
	mem_free(o->entries);
	mem_free(o->ids);
	MAP_FOREACH(m, &o->user)
		option_entry_free(m->value);
	map_fini(&o->user);
	memset(o, 0, sizeof *o);
}

/* Returns the index of the first entry whose row is not before ID. */
static size_t
options_lower(const struct options *o, enum option_id id)
{
	size_t lo = 0, hi = o->count, mid;

	/* A global tree has all rows of its scope in sequence. */
	if (hi > 0 && id >= o->ids[0] && id - o->ids[0] < hi &&
	    o->ids[id - o->ids[0]] == id)
		return id - o->ids[0];
	while (lo < hi) {
		mid = (lo + hi) / 2;
		if (o->ids[mid] < id)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static struct option_entry *
options_own_id(const struct options *o, enum option_id id)
{
	size_t i = options_lower(o, id);

	if (i == o->count || o->ids[i] != id)
		return NULL;
	return o->entries[i];
}

struct option_entry *
options_own(const struct options *o, const struct option_name *name)
{
	if (name->row == NULL)
		return map_get(&o->user, name->text);
	return options_own_id(o, name->row->id);
}

const struct option_entry *
options_find(const struct options *o, const struct option_name *name)
{
	const struct option_entry *e = NULL;

	for (; o != NULL && e == NULL; o = o->parent)
		e = options_own(o, name);
	return e;
}

const struct option_entry *
options_get(const struct options *o, enum option_id id)
{
	const struct option_entry *e = NULL;

	for (; o != NULL && e == NULL; o = o->parent)
		e = options_own_id(o, id);
	return e;
}

const char *
options_string(const struct options *o, enum option_id id)
{
	const struct option_entry *e = options_get(o, id);

	return e == NULL || e->value.string == NULL ? "" : e->value.string;
}

int64_t
options_number(const struct options *o, enum option_id id)
{
	const struct option_entry *e = options_get(o, id);

	return e == NULL ? 0 : e->value.number;
}

bool
options_flag(const struct options *o, enum option_id id)
{
	return options_number(o, id) != 0;
}

key_code
options_key(const struct options *o, enum option_id id)
{
	const struct option_entry *e = options_get(o, id);

	return e == NULL ? KEY_NONE : e->value.key;
}

colour
options_colour(const struct options *o, enum option_id id)
{
	const struct option_entry *e = options_get(o, id);

	return e == NULL ? COLOUR_NONE : e->value.colour;
}

const char *
options_colour_format(const struct options *o, enum option_id id)
{
	const struct option_entry *e = options_get(o, id);

	if (e == NULL || e->value.colour != COLOUR_NONE ||
	    e->value.string == NULL || *e->value.string == '\0')
		return NULL;
	return e->value.string;
}

struct cmdlist *
options_commands(const struct options *o, enum option_id id)
{
	const struct option_entry *e = options_get(o, id);

	return e == NULL ? NULL : e->value.commands;
}

static int
option_item_compare(
    const struct option_item *it, uint32_t index, const char *word)
{
	if (it->index != index)
		return it->index < index ? -1 : 1;
	return index == OPTION_WORD ? strcmp(it->word, word) : 0;
}

/* Returns the position of the first item that is not before INDEX or WORD. */
static size_t
option_entry_lower(
    const struct option_entry *e, uint32_t index, const char *word)
{
	size_t lo = 0, hi = e->count, mid;

	while (lo < hi) {
		mid = (lo + hi) / 2;
		if (option_item_compare(&e->items[mid], index, word) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static const struct option_value *
option_entry_at(const struct option_entry *e, uint32_t index, const char *word)
{
	size_t i = option_entry_lower(e, index, word);

	if (i == e->count ||
	    option_item_compare(&e->items[i], index, word) != 0)
		return NULL;
	return &e->items[i].value;
}

const struct option_value *
option_entry_item(const struct option_entry *e, uint32_t index)
{
	return option_entry_at(e, index, "");
}

const struct option_value *
option_entry_named(const struct option_entry *e, const struct option_name *name)
{
	return option_entry_at(e, name->index, name->word);
}

/* Returns the lowest free index. */
static uint32_t
option_entry_free_index(const struct option_entry *e)
{
	uint32_t i;

	for (i = 0; i < e->count; i++) {
		if (e->items[i].index != i)
			break;
	}
	return i;
}

/* Puts VALUE (taken over) at INDEX, or at WORD for OPTION_WORD. */
static int
option_entry_put(struct option_entry *e, uint32_t index, const char *word,
    struct option_value *value, struct cause *cause)
{
	size_t i = option_entry_lower(e, index, word);

	if (i < e->count &&
	    option_item_compare(&e->items[i], index, word) == 0) {
		option_value_fini(&e->items[i].value);
		e->items[i].value = *value;
		return 0;
	}
	if (e->count == OPTION_ITEMS_MAX) {
		option_value_fini(value);
		return cause_set(cause, -ERR_LIMIT, "over %d items in %s",
		    OPTION_ITEMS_MAX, e->row->name);
	}
	e->items = mem_resize(e->items, e->count + 1, sizeof *e->items);
	memmove(
	    &e->items[i + 1], &e->items[i], (e->count - i) * sizeof *e->items);
	e->items[i].index = index;
	e->items[i].word = index == OPTION_WORD ? mem_strdup(word) : NULL;
	e->items[i].value = *value;
	e->count++;
	return 0;
}

static void
option_entry_drop(struct option_entry *e, const struct option_name *name)
{
	size_t i = option_entry_lower(e, name->index, name->word);

	if (i == e->count ||
	    option_item_compare(&e->items[i], name->index, name->word) != 0)
		return;
	option_value_fini(&e->items[i].value);
	mem_free(e->items[i].word);
	e->count--;
	memmove(
	    &e->items[i], &e->items[i + 1], (e->count - i) * sizeof *e->items);
}

/* Returns the entry of NAME in O itself; makes it if needed. */
static struct option_entry *
options_make(struct options *o, const struct option_name *name)
{
	struct option_entry *e = options_own(o, name);
	size_t i;

	o->changes++;
	if (e != NULL)
		return e;
	e = mem_zalloc(sizeof *e);
	e->row = name->row;
	if (name->row == NULL) {
		e->name = mem_strdup(name->text);
		(void)map_set(&o->user, name->text, e);
		return e;
	}
	i = options_lower(o, name->row->id);
	o->entries = mem_resize(o->entries, o->count + 1, sizeof(void *));
	o->ids = mem_resize(o->ids, o->count + 1, sizeof *o->ids);
	memmove(&o->entries[i + 1], &o->entries[i],
	    (o->count - i) * sizeof(void *));
	memmove(&o->ids[i + 1], &o->ids[i], (o->count - i) * sizeof *o->ids);
	o->entries[i] = e;
	o->ids[i] = (uint16_t)name->row->id;
	o->count++;
	return e;
}

void
options_mark_hook(struct options *o, const struct option_name *name)
{
	struct option_entry *e = options_own(o, name);

	if (e != NULL && e->row == NULL)
		e->hook = true;
}

/* Adds N bytes of TEXT as one item after all others. */
static int
option_entry_add(struct option_entry *e, const char *text, size_t n,
    const struct option_hooks *hooks, struct cause *cause)
{
	struct option_value value;
	char *item = mem_strndup(text, n);
	int r;

	r = option_value_parse(e->row, item, NULL, hooks, &value, cause);
	mem_free(item);
	if (r != 0)
		return r;
	return option_entry_put(
	    e, option_entry_free_index(e), NULL, &value, cause);
}

/* Adds TEXT to an array, split at the separators of its row. */
static int
option_entry_split(struct option_entry *e, const char *text,
    const struct option_hooks *hooks, struct cause *cause)
{
	const char *sep = e->row->separator;
	size_t n;
	int r = 0;

	if (*sep == '\0')
		return *text == '\0' ? 0
				     : option_entry_add(
					   e, text, strlen(text), hooks, cause);
	while (r == 0 && *text != '\0') {
		n = strcspn(text, sep);
		if (n > 0)
			r = option_entry_add(e, text, n, hooks, cause);
		text += n;
		if (*text != '\0')
			text++;
	}
	return r;
}

/* Sets the item of an array whose index is in NAME. */
static int
options_set_item(struct options *o, const struct option_name *name,
    const char *text, bool append, const struct option_hooks *hooks,
    struct cause *cause)
{
	const struct option_entry *own = options_own(o, name);
	const struct option_value *old = NULL;
	struct option_value value;
	char *joined = NULL;
	int r;

	if (own != NULL)
		old = option_entry_named(own, name);
	if (append && old != NULL && old->string != NULL) {
		joined = mem_printf("%s%s", old->string, text);
		text = joined;
	}
	r = option_value_parse(name->row, text, NULL, hooks, &value, cause);
	mem_free(joined);
	if (r != 0)
		return r;
	return option_entry_put(
	    options_make(o, name), name->index, name->word, &value, cause);
}

/* Sets or extends a whole array; an error leaves the array unchanged. */
static int
options_set_array(struct options *o, const struct option_name *name,
    const char *text, bool append, const struct option_hooks *hooks,
    struct cause *cause)
{
	struct option_entry fresh = { .row = name->row }, *e;
	struct option_value value;
	size_t i;
	int r;

	r = option_entry_split(&fresh, text, hooks, cause);
	if (r != 0) {
		option_entry_clear(&fresh);
		return r;
	}
	e = options_make(o, name);
	if (!append)
		option_entry_clear(e);
	for (i = 0; r == 0 && i < fresh.count; i++) {
		value = fresh.items[i].value;
		memset(&fresh.items[i].value, 0, sizeof value);
		r = option_entry_put(
		    e, option_entry_free_index(e), NULL, &value, cause);
	}
	option_entry_clear(&fresh);
	return r;
}

/* Returns the old string plus TEXT, or NULL if the option has no string. */
static char *
options_joined_new(const struct option_entry *own,
    const struct option_name *name, const char *text)
{
	const char *sep = "";

	if (own == NULL || own->value.string == NULL)
		return NULL;
	if (name->row != NULL && name->row->separator != NULL)
		sep = name->row->separator;
	return mem_printf("%s%s%s", own->value.string, sep, text);
}

/* Sets an option that is not an array. */
static int
options_set_single(struct options *o, const struct option_name *name,
    const char *text, bool append, const struct option_hooks *hooks,
    struct cause *cause)
{
	const struct option_entry *old = options_find(o, name);
	struct option_entry *own = options_own(o, name);
	struct option_value value;
	char *joined = NULL;
	int r;

	if (own == NULL && name->row == NULL &&
	    o->user.count >= OPTION_USER_MAX)
		return cause_set(
		    cause, -ERR_LIMIT, "over %d user options", OPTION_USER_MAX);
	if (append && text != NULL)
		joined = options_joined_new(own, name, text);
	r = option_value_parse(name->row, joined != NULL ? joined : text,
	    old == NULL ? NULL : &old->value, hooks, &value, cause);
	mem_free(joined);
	if (r != 0)
		return r;
	own = options_make(o, name);
	option_value_fini(&own->value);
	own->value = value;
	return 0;
}

/* Checks that NAME may have an index; "not an array" if not. */
static int
options_check_index(const struct option_name *name, struct cause *cause)
{
	char key[16];

	if (name->index == OPTION_NO_INDEX ||
	    (name->row != NULL && (name->row->flags & OPT_ARRAY)))
		return 0;
	return cause_set(cause, -ERR_TYPE, "not an array: %s[%s]", name->text,
	    option_key_text(name->index, name->word, key, sizeof key));
}

int
options_set(struct options *o, const struct option_name *name, const char *text,
    bool append, const struct option_hooks *hooks, struct cause *cause)
{
	int r;

	if ((r = options_check_index(name, cause)) != 0)
		return r;
	if (name->row == NULL || (name->row->flags & OPT_ARRAY) == 0)
		return options_set_single(o, name, text, append, hooks, cause);
	if (text == NULL)
		return cause_set(cause, -ERR_SYNTAX, "empty value");
	if (name->index != OPTION_NO_INDEX)
		return options_set_item(o, name, text, append, hooks, cause);
	return options_set_array(o, name, text, append, hooks, cause);
}

/* Fills an entry with the default of its row. */
static void
option_entry_default(struct option_entry *e)
{
	const char *text = e->row->text;
	struct cause cause = { NULL };
	size_t n;
	int r = 0;

	option_entry_clear(e);
	if ((e->row->flags & OPT_ARRAY) == 0)
		r = option_value_parse(
		    e->row, text, NULL, NULL, &e->value, &cause);
	else {
		while (r == 0 && *text != '\0') {
			n = strcspn(text, "\n");
			r = option_entry_add(e, text, n, NULL, &cause);
			text += n + (text[n] == '\n');
		}
	}
	/* An invalid default is a bug in option.def. */
	bug_assert(r == 0);
	/* As in tmux, the default is the character DEL, not ? with Ctrl. */
	if (e->row->id == OPTION_BACKSPACE)
		e->value.key = 0x7f;
}

void
options_set_defaults(struct options *o, unsigned scope)
{
	struct option_name name = { .index = OPTION_NO_INDEX };
	unsigned i;

	for (i = 0; i < OPTION_COUNT; i++) {
		name.row = option_row((enum option_id)i);
		if (name.row->scope & scope)
			option_entry_default(options_make(o, &name));
	}
}

void
options_unset(struct options *o, const struct option_name *name)
{
	struct option_entry *e = options_own(o, name);

	if (e == NULL)
		return;
	o->changes++;
	if (name->index != OPTION_NO_INDEX) {
		option_entry_drop(e, name);
		return;
	}
	if (name->row == NULL)
		(void)map_remove(&o->user, name->text);
	else if (o->parent == NULL) {
		option_entry_default(e);
		return;
	} else {
		size_t i = options_lower(o, name->row->id);

		o->count--;
		memmove(&o->entries[i], &o->entries[i + 1],
		    (o->count - i) * sizeof(void *));
		memmove(&o->ids[i], &o->ids[i + 1],
		    (o->count - i) * sizeof *o->ids);
	}
	option_entry_free(e);
}

int
options_set_text(
    struct options *o, const char *name, const char *text, struct cause *cause)
{
	struct option_name n;
	int r;

	if ((r = option_match(name, &n, cause)) != 0)
		return r;
	return options_set(o, &n, text, false, NULL, cause);
}

bool
options_print(
    const struct options *o, const struct option_name *name, struct buf *out)
{
	const struct option_entry *e = options_find(o, name);
	const struct option_value *v;
	size_t i;

	if (e == NULL || options_check_index(name, NULL) != 0)
		return false;
	if (e->row == NULL || (e->row->flags & OPT_ARRAY) == 0)
		option_value_print(e->row, &e->value, false, out);
	else if (name->index != OPTION_NO_INDEX) {
		if ((v = option_entry_named(e, name)) != NULL)
			option_value_print(e->row, v, false, out);
	} else {
		for (i = 0; i < e->count; i++) {
			if (i > 0)
				(void)buf_add_u8(out, ' ');
			option_value_print(
			    e->row, &e->items[i].value, false, out);
		}
	}
	return true;
}

char *
options_text_new(const struct options *o, const struct option_name *name)
{
	struct buf out;
	char *text = NULL;

	buf_init(&out, OPTION_VALUE_MAX);
	if (options_print(o, name, &out))
		text = buf_steal(&out, NULL);
	buf_fini(&out);
	return text;
}

const char *
options_alias(const struct options *server, const char *name)
{
	const struct option_entry *e =
	    options_get(server, OPTION_COMMAND_ALIAS);
	size_t i, n = strlen(name);
	const char *text;

	for (i = 0; e != NULL && i < e->count; i++) {
		text = e->items[i].value.string;
		if (text[0] == name[0] && strncmp(text, name, n) == 0 &&
		    text[n] == '=')
			return text + n + 1;
	}
	return NULL;
}
