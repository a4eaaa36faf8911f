#include "conf/keytable.h"

#include <string.h>

#include "base/err.h"
#include "base/map.h"
#include "base/mem.h"
#include "conf/key_name.h"

struct keytables {
	struct keytable_ops ops;
	struct map tables; /* struct keytable by name */
	uint64_t changes;
	size_t bindings; /* in all tables, without defaults */
	size_t bytes;    /* of these and of the tables */
	size_t bindings_max;
	size_t bytes_max;
};

/* Special keys in tmux's order; the others follow in the order of key.def. */
static const uint32_t keytable_order[] = { KEY_BSPACE, KEY_F1, KEY_F2, KEY_F3,
	KEY_F4, KEY_F5, KEY_F6, KEY_F7, KEY_F8, KEY_F9, KEY_F10, KEY_F11,
	KEY_F12, KEY_IC, KEY_DC, KEY_HOME, KEY_END, KEY_NPAGE, KEY_PPAGE,
	KEY_BTAB, KEY_UP, KEY_DOWN, KEY_LEFT, KEY_RIGHT, KEY_KP_SLASH,
	KEY_KP_STAR, KEY_KP_MINUS, KEY_KP_7, KEY_KP_8, KEY_KP_9, KEY_KP_PLUS,
	KEY_KP_4, KEY_KP_5, KEY_KP_6, KEY_KP_1, KEY_KP_2, KEY_KP_3,
	KEY_KP_ENTER, KEY_KP_0, KEY_KP_PERIOD };

/* Returns the rank of a key without its modifiers. */
static uint32_t
keytable_rank(uint32_t base)
{
	uint32_t i;

	if (base == KEY_TAB)
		return 0x09;
	if (base == KEY_ENTER)
		return 0x0d;
	if (base == KEY_ESCAPE)
		return 0x1b;
	/* The user's keys and Any stand before the other names. */
	if (base == KEY_ANY)
		return (uint32_t)KEY_SPECIAL - 1;
	if (base >= KEY_USER0 && base < KEY_USER0 + KEY_USER_COUNT)
		return (uint32_t)KEY_SPECIAL - 1 - KEY_USER_COUNT +
		       (base - KEY_USER0);
	if (base < KEY_SPECIAL || base >= KEY_USER0)
		return base;
	for (i = 0; i < ARRAY_LEN(keytable_order); i++)
		if (keytable_order[i] == base)
			return (uint32_t)KEY_SPECIAL + i;
	return base + 0x1000;
}

/* Returns the rank of the modifiers: none, M-, C-, C-M-, S-, ... */
static unsigned
keytable_mods(key_code key)
{
	return ((key & KEY_META) != 0 ? 1u : 0u) |
	       ((key & KEY_CTRL) != 0 ? 2u : 0u) |
	       ((key & KEY_SHIFT) != 0 ? 4u : 0u) |
	       ((key & KEY_SUPER) != 0 ? 8u : 0u) |
	       ((key & KEY_HYPER) != 0 ? 16u : 0u) |
	       ((key & KEY_META2) != 0 ? 32u : 0u);
}

int
keytable_compare(key_code a, key_code b)
{
	unsigned ma = keytable_mods(a), mb = keytable_mods(b);
	uint32_t ra, rb;

	if (ma != mb)
		return ma < mb ? -1 : 1;
	ra = keytable_rank((uint32_t)(a & KEY_MASK));
	rb = keytable_rank((uint32_t)(b & KEY_MASK));
	return ra < rb ? -1 : ra > rb;
}

struct keytables *
keytables_new(const struct keytable_ops *ops)
{
	struct keytables *set = mem_zalloc(sizeof(*set));

	set->ops = *ops;
	map_init_names(&set->tables);
	keytables_limit(set, SIZE_MAX, SIZE_MAX);
	return set;
}

void
keytables_limit(struct keytables *set, size_t bindings, size_t bytes)
{
	set->bindings_max = bindings;
	set->bytes_max = bytes;
}

/* Returns the bytes of a binding, or of a table without its bindings. */
static size_t
keybinding_size(
    const struct keytables *set, const char *note, const void *commands)
{
	return sizeof(struct keybinding) +
	       (note == NULL ? 0 : strlen(note) + 1) + set->ops.size(commands);
}

static size_t
keytable_size(const char *name)
{
	return sizeof(struct keytable) + strlen(name) + 1;
}

/* The binding KB is removed or replaced. */
static void
keybinding_gone(struct keytables *set, const struct keybinding *kb)
{
	set->bindings--;
	set->bytes -= keybinding_size(set, kb->note, kb->commands);
}

static void
keybinding_fini(const struct keytables *set, struct keybinding *kb)
{
	set->ops.unref(kb->commands);
	mem_free(kb->note);
}

static void
keytable_clear(const struct keytables *set, struct keybinding *kb, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		keybinding_fini(set, &kb[i]);
	mem_free(kb);
}

static void
keytable_free(const struct keytables *set, struct keytable *t)
{
	keytable_clear(set, t->bindings, t->count);
	keytable_clear(set, t->defaults, t->default_count);
	mem_free(t->name);
	mem_free(t);
}

void
keytables_free(struct keytables *set)
{
	struct map_entry *e;

	if (set == NULL)
		return;
	MAP_FOREACH(e, &set->tables)
		keytable_free(set, e->value);
	map_fini(&set->tables);
	mem_free(set);
}

bool
keytable_exists(const struct keytable *t)
{
	return t != NULL && (!t->gone || strcmp(t->name, "root") == 0);
}

struct keytable *
keytables_find(const struct keytables *set, const char *name)
{
	return map_get(&set->tables, name);
}

size_t
keytables_count(const struct keytables *set)
{
	return set->tables.count;
}

size_t
keytables_bindings(const struct keytables *set)
{
	return set->bindings;
}

uint64_t
keytables_changes(const struct keytables *set)
{
	return set->changes;
}

const struct keytable *
keytables_at(const struct keytables *set, size_t i)
{
	return i < set->tables.count ? set->tables.entries[i].value : NULL;
}

/* Returns the index of the first binding that is not before KEY. */
static size_t
keybinding_lower(const struct keybinding *kb, size_t n, key_code key)
{
	size_t lo = 0, mid;

	while (lo < n) {
		mid = lo + (n - lo) / 2;
		if (keytable_compare(kb[mid].key, key) < 0)
			lo = mid + 1;
		else
			n = mid;
	}
	return lo;
}

/* Returns the binding of KEY among N, or NULL. */
static struct keybinding *
keybinding_find(struct keybinding *kb, size_t n, key_code key)
{
	size_t i = keybinding_lower(kb, n, key);

	return i < n && keytable_compare(kb[i].key, key) == 0 ? &kb[i] : NULL;
}

const struct keybinding *
keytable_get(const struct keytable *table, key_code key)
{
	return keybinding_find(table->bindings, table->count, key & ~KEY_LOCKS);
}

const struct keybinding *
keytable_typed(const struct keytable *table, key_code key)
{
	static const struct {
		key_code typed;
		key_code twin;
	} twins[] = {
		{ KEY_ENTER, KEY_CTRL | 'm' },
		{ KEY_TAB, KEY_CTRL | 'i' },
		{ KEY_ESCAPE, KEY_CTRL | '[' },
		{ KEY_BSPACE, KEY_CTRL | '?' },
		{ KEY_CTRL | ' ', KEY_CTRL | '@' },
	};
	const struct keybinding *kb = keytable_get(table, key);
	key_code meta = key & KEY_META;
	size_t i;

	key &= ~(key_code)(KEY_META | KEY_LOCKS);
	for (i = 0; kb == NULL && i < ARRAY_LEN(twins); i++)
		if (key == twins[i].typed)
			kb = keytable_get(table, twins[i].twin | meta);
	return kb;
}

/* Returns the table NAME, new if needed; NULL when there are too many. */
static struct keytable *
keytables_make(struct keytables *set, const char *name)
{
	struct keytable *t = keytables_find(set, name);

	if (t == NULL && set->tables.count < KEYTABLE_MAX) {
		t = mem_zalloc(sizeof(*t));
		t->name = mem_strdup(name);
		(void)map_set(&set->tables, name, t);
		set->bytes += keytable_size(name);
	}
	if (t != NULL)
		t->gone = false;
	return t;
}

/* Inserts a new, empty binding of KEY in order. */
static struct keybinding *
keytable_insert(struct keytable *t, key_code key)
{
	size_t i = keybinding_lower(t->bindings, t->count, key);

	if (t->count == KEYTABLE_BINDINGS_MAX)
		return NULL;
	if (t->count == t->cap) {
		t->cap = t->cap == 0 ? 16 : t->cap * 2;
		t->bindings =
		    mem_resize(t->bindings, t->cap, sizeof(t->bindings[0]));
	}
	memmove(&t->bindings[i + 1], &t->bindings[i],
	    (t->count - i) * sizeof(t->bindings[0]));
	memset(&t->bindings[i], 0, sizeof(t->bindings[0]));
	t->bindings[i].key = key;
	t->count++;
	return &t->bindings[i];
}

/*
 * Whether a binding with NOTE and COMMANDS fits into SET, in place of KB, or as a
 * new one of the table T, or of a new table NAME.
 */
static bool
keytables_fits(const struct keytables *set, const char *name,
    const struct keytable *t, const struct keybinding *kb, const char *note,
    const void *commands)
{
	size_t bytes = set->bytes, n = set->bindings + 1;

	if (kb != NULL) {
		bytes -= keybinding_size(set, kb->note, kb->commands);
		n--;
	} else if (t == NULL)
		bytes += keytable_size(name);
	bytes += keybinding_size(set, note, commands);
	return n <= set->bindings_max && bytes <= set->bytes_max;
}

/* Sets note and repeat of KB, or adds them. */
static int
keybinding_note(
    struct keytables *set, struct keybinding *kb, bool repeat, const char *note)
{
	if (kb == NULL)
		return -ERR_NOTFOUND;
	if (note != NULL) {
		if (!keytables_fits(set, NULL, NULL, kb, note, kb->commands))
			return -ERR_LIMIT;
		keybinding_gone(set, kb);
		mem_free(kb->note);
		kb->note = mem_strdup(note);
		set->bindings++;
		set->bytes += keybinding_size(set, kb->note, kb->commands);
	}
	kb->repeat = repeat || kb->repeat;
	return 0;
}

int
keytables_bind(struct keytables *set, const char *name, key_code key,
    bool repeat, const char *note, void *commands)
{
	struct keytable *t = keytables_find(set, name);
	struct keybinding *kb = NULL;

	set->changes++;
	key &= ~KEY_LOCKS;
	if (t != NULL)
		kb = keybinding_find(t->bindings, t->count, key);
	if (commands == NULL) {
		/* As in tmux, the table is made, without a key. */
		if (t == NULL &&
		    (keytable_size(name) > set->bytes_max - set->bytes ||
			keytables_make(set, name) == NULL))
			return -ERR_LIMIT;
		if (t != NULL)
			t->gone = false;
		return keybinding_note(set, kb, repeat, note);
	}
	if (!keytables_fits(set, name, t, kb, note, commands))
		return -ERR_LIMIT;
	if (kb != NULL) {
		keybinding_gone(set, kb);
		keybinding_fini(set, kb);
	} else {
		t = keytables_make(set, name);
		if (t == NULL || (kb = keytable_insert(t, key)) == NULL)
			return -ERR_LIMIT;
	}
	kb->commands = commands;
	kb->repeat = repeat;
	kb->note = note == NULL ? NULL : mem_strdup(note);
	set->bindings++;
	set->bytes += keybinding_size(set, note, commands);
	return 0;
}

/* Deletes a table without bindings, or only says so if it has defaults. */
static void
keytables_drop_empty(struct keytables *set, struct keytable *t)
{
	t->gone = t->count == 0;
	if (t->count > 0 || t->default_count > 0)
		return;
	(void)map_remove(&set->tables, t->name);
	set->bytes -= keytable_size(t->name);
	keytable_free(set, t);
}

int
keytables_unbind(struct keytables *set, const char *name, key_code key)
{
	struct keytable *t = keytables_find(set, name);
	struct keybinding *kb;

	if (t == NULL)
		return -ERR_NOTFOUND;
	kb = keybinding_find(t->bindings, t->count, key & ~KEY_LOCKS);
	if (kb == NULL)
		return -ERR_NOTFOUND;
	set->changes++;
	keybinding_gone(set, kb);
	keybinding_fini(set, kb);
	memmove(kb, kb + 1,
	    (size_t)(t->bindings + t->count - (kb + 1)) * sizeof(*kb));
	t->count--;
	keytables_drop_empty(set, t);
	return 0;
}

int
keytables_unbind_all(struct keytables *set, const char *name)
{
	struct keytable *t = keytables_find(set, name);
	size_t i;

	if (t == NULL)
		return -ERR_NOTFOUND;
	set->changes++;
	for (i = 0; i < t->count; i++)
		keybinding_gone(set, &t->bindings[i]);
	keytable_clear(set, t->bindings, t->count);
	t->bindings = NULL;
	t->count = t->cap = 0;
	keytables_drop_empty(set, t);
	return 0;
}

/* Copies KB; both share the commands. */
static void
keybinding_copy(const struct keytables *set, struct keybinding *to,
    const struct keybinding *from)
{
	to->key = from->key;
	to->repeat = from->repeat;
	to->note = from->note == NULL ? NULL : mem_strdup(from->note);
	to->commands = set->ops.ref(from->commands);
}

void
keytables_set_defaults(struct keytables *set)
{
	struct map_entry *e;
	struct keytable *t;
	size_t i;

	MAP_FOREACH(e, &set->tables) {
		t = e->value;
		keytable_clear(set, t->defaults, t->default_count);
		t->defaults = mem_calloc(t->count, sizeof(t->defaults[0]));
		t->default_count = t->count;
		for (i = 0; i < t->count; i++)
			keybinding_copy(set, &t->defaults[i], &t->bindings[i]);
	}
}

int
keytables_reset(struct keytables *set, const char *name, key_code key)
{
	struct keytable *t = keytables_find(set, name);
	const struct keybinding *kb;

	if (t == NULL)
		return -ERR_NOTFOUND;
	kb = keybinding_find(t->defaults, t->default_count, key & ~KEY_LOCKS);
	if (kb == NULL)
		return keytables_unbind(set, name, key);
	return keytables_bind(
	    set, name, key, kb->repeat, kb->note, set->ops.ref(kb->commands));
}

void
keytable_quote_key(key_code key, struct buf *out)
{
	static const char special[] = " #';${}%\"";
	char name[KEY_NAME_MAX];

	(void)key_name_format(key, name, sizeof(name));
	if (name[1] == '\0' && (strchr(special, name[0]) != NULL ||
				   name[0] == '~' || name[0] == '\\'))
		(void)buf_addf(out, "\\%s", name);
	else if (strchr(name, '\\') != NULL)
		(void)buf_addf(out, "%.*s\\\\", (int)strlen(name) - 1, name);
	else if (strchr(name, '"') != NULL)
		(void)buf_addf(out, "'%s'", name);
	else if (strpbrk(name, special) != NULL)
		(void)buf_addf(out, "\"%s\"", name);
	else
		(void)buf_add_str(out, name);
}

void
keytables_print(const struct keytables *set, const struct keytable *table,
    const struct keybinding *kb, const struct keytable_widths *w,
    struct buf *out)
{
	struct buf key;

	buf_init(&key, KEY_NAME_MAX * 2);
	keytable_quote_key(kb->key, &key);
	(void)buf_addf(out, "bind-key %s-T %-*s %-*s ",
	    kb->repeat  ? "-r "
	    : w->repeat ? "   "
			: "",
	    (int)MIN_OF(w->table, 256u), table->name,
	    (int)MIN_OF(w->key, KEY_NAME_MAX), buf_cstr(&key));
	set->ops.print(kb->commands, out);
	buf_fini(&key);
}
