#include "conf/keylayer.h"

#include "base/map.h"
#include "base/mem.h"

struct keylayer {
	struct keytables *own;
	struct map tables; /* struct layered by name */
};

/*
 * A table of both sets.  It borrows notes and commands, so nothing reads it after
 * a change of a set: then it is made again.
 */
struct layered {
	struct keytable table;
	const struct keytables *base;
	uint64_t own_changes;
	uint64_t base_changes;
};

struct keylayer *
keylayer_new(const struct keytable_ops *ops)
{
	struct keylayer *l = mem_zalloc(sizeof(*l));

	l->own = keytables_new(ops);
	keytables_limit(l->own, KEYLAYER_BINDINGS_MAX, KEYLAYER_BYTES_MAX);
	map_init_names(&l->tables);
	return l;
}

static void
layered_free(struct layered *t)
{
	mem_free(t->table.name);
	mem_free(t->table.bindings);
	mem_free(t);
}

void
keylayer_free(struct keylayer *l)
{
	struct map_entry *e;

	if (l == NULL)
		return;
	MAP_FOREACH(e, &l->tables)
		layered_free(e->value);
	map_fini(&l->tables);
	keytables_free(l->own);
	mem_free(l);
}

struct keytables *
keylayer_own(struct keylayer *l)
{
	return l->own;
}

/* Puts the bindings of both tables into T, in their order. */
static void
layered_fill(
    struct keytable *t, const struct keytable *own, const struct keytable *base)
{
	const struct keybinding *a = own->bindings, *b = base->bindings;
	const struct keybinding *a_end = a + own->count;
	const struct keybinding *b_end = b + base->count;

	t->count = 0;
	t->cap = own->count + base->count;
	t->bindings = mem_resize(t->bindings, t->cap, sizeof(*t->bindings));
	while (a < a_end || b < b_end) {
		if (b < b_end && keytable_typed(own, b->key) != NULL)
			b++;
		else if (b == b_end ||
			 (a < a_end && keytable_compare(a->key, b->key) < 0))
			t->bindings[t->count++] = *a++;
		else
			t->bindings[t->count++] = *b++;
	}
}

/* Returns the copy of the table NAME of L, new if needed. */
static struct layered *
layered_of(struct keylayer *l, const char *name)
{
	struct layered *t = map_get(&l->tables, name);

	if (t == NULL) {
		t = mem_zalloc(sizeof(*t));
		t->table.name = mem_strdup(name);
		(void)map_set(&l->tables, name, t);
	}
	return t;
}

const struct keytable *
keylayer_find(
    struct keylayer *l, const struct keytables *base, const char *name)
{
	const struct keytable *under = keytables_find(base, name), *own;
	struct layered *t;

	own = l == NULL ? NULL : keytables_find(l->own, name);
	if (own == NULL || own->count == 0)
		return under;
	if (under == NULL)
		return own;
	t = layered_of(l, name);
	if (t->base != base || t->own_changes != keytables_changes(l->own) ||
	    t->base_changes != keytables_changes(base)) {
		layered_fill(&t->table, own, under);
		t->base = base;
		t->own_changes = keytables_changes(l->own);
		t->base_changes = keytables_changes(base);
	}
	return &t->table;
}

uint64_t
keylayer_changes(const struct keylayer *l)
{
	return l == NULL ? 0 : keytables_changes(l->own);
}
