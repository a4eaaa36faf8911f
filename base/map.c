#include "config.h"

#include <string.h>

#include "base/map.h"
#include "base/mem.h"

#define MAP_ALLOC_MIN 8 /* entries */

static void
map_init(struct map *m, bool by_id)
{
	memset(m, 0, sizeof(*m));
	m->by_id = by_id;
}

void
map_init_names(struct map *m)
{
	map_init(m, false);
}

void
map_init_ids(struct map *m)
{
	map_init(m, true);
}

void
map_fini(struct map *m)
{
	size_t i;

	for (i = 0; i < m->count; i++)
		mem_free(m->entries[i].name);
	mem_free(m->entries);
	map_init(m, m->by_id);
}

size_t
map_lower(const struct map *m, const char *name)
{
	size_t lo = 0, hi = m->count, mid;

	bug_assert(!m->by_id);
	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (strcmp(m->entries[mid].name, name) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static size_t
map_lower_id(const struct map *m, uint64_t id)
{
	size_t lo = 0, hi = m->count, mid;

	bug_assert(m->by_id);
	/* Ids are mostly inserted in ascending order. */
	if (hi > 0 && m->entries[hi - 1].id < id)
		return hi;
	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (m->entries[mid].id < id)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* Returns whether the entry at AT has that name, or id. */
static bool
map_name_at(const struct map *m, size_t at, const char *name)
{
	return at < m->count && strcmp(m->entries[at].name, name) == 0;
}

static bool
map_id_at(const struct map *m, size_t at, uint64_t id)
{
	return at < m->count && m->entries[at].id == id;
}

void *
map_get(const struct map *m, const char *name)
{
	size_t at = map_lower(m, name);

	return map_name_at(m, at, name) ? m->entries[at].value : NULL;
}

void *
map_get_id(const struct map *m, uint64_t id)
{
	size_t at = map_lower_id(m, id);

	return map_id_at(m, at, id) ? m->entries[at].value : NULL;
}

static void
map_insert(struct map *m, size_t at, const struct map_entry *e)
{
	if (m->count == m->cap) {
		m->cap = MAX_OF(m->cap * 2, MAP_ALLOC_MIN);
		m->entries =
		    mem_resize(m->entries, m->cap, sizeof(*m->entries));
	}
	memmove(m->entries + at + 1, m->entries + at,
	    (m->count - at) * sizeof(*m->entries));
	m->entries[at] = *e;
	m->count++;
}

static void *
map_replace(struct map *m, size_t at, void *value)
{
	void *old = m->entries[at].value;

	m->entries[at].value = value;
	return old;
}

void *
map_set(struct map *m, const char *name, void *value)
{
	size_t at = map_lower(m, name);
	struct map_entry e = { NULL, 0, value };

	bug_assert(value != NULL);
	if (map_name_at(m, at, name))
		return map_replace(m, at, value);
	e.name = mem_strdup(name);
	map_insert(m, at, &e);
	return NULL;
}

void *
map_set_id(struct map *m, uint64_t id, void *value)
{
	size_t at = map_lower_id(m, id);
	struct map_entry e = { NULL, id, value };

	bug_assert(value != NULL);
	if (map_id_at(m, at, id))
		return map_replace(m, at, value);
	map_insert(m, at, &e);
	return NULL;
}

static void *
map_remove_at(struct map *m, size_t at)
{
	void *old = m->entries[at].value;

	mem_free(m->entries[at].name);
	m->count--;
	memmove(m->entries + at, m->entries + at + 1,
	    (m->count - at) * sizeof(*m->entries));
	return old;
}

void *
map_remove(struct map *m, const char *name)
{
	size_t at = map_lower(m, name);

	return map_name_at(m, at, name) ? map_remove_at(m, at) : NULL;
}

void *
map_remove_id(struct map *m, uint64_t id)
{
	size_t at = map_lower_id(m, id);

	return map_id_at(m, at, id) ? map_remove_at(m, at) : NULL;
}
