/*
 * base/map.h - ordered map from a string or a number to a pointer.
 *
 * Purpose:   registries by name and by id, iterated in key order.
 * Ownership: the map copies string keys and frees them; the caller owns the
 *            values.
 * Errors:    map_get returns NULL for an unknown key; values are never NULL.
 * Source:    a sorted array with binary search: at tens to thousands of entries
 *            it beats a tree, and an index iterates it.
 * Tests:     regress/unit/check_map.c
 */
#ifndef BASE_MAP_H
#define BASE_MAP_H

#include <stdbool.h>

#include "base/compiler.h"

struct map_entry {
	char *name;  /* string maps; NULL in id maps */
	uint64_t id; /* id maps; 0 in string maps */
	void *value;
};

struct map {
	struct map_entry *entries; /* sorted by key (strcmp or number) */
	size_t count;
	size_t cap;
	bool by_id;
};

/* Makes an empty map with string keys, or with numbers. */
void map_init_names(struct map *m);
void map_init_ids(struct map *m);

/* Frees the keys and the table, not the values; M is then empty. */
void map_fini(struct map *m);

/* Returns the value of a key, or NULL. */
void *map_get(const struct map *m, const char *name);
void *map_get_id(const struct map *m, uint64_t id);

/* Sets the value (not NULL) of a key; returns the old value, or NULL. */
void *map_set(struct map *m, const char *name, void *value);
void *map_set_id(struct map *m, uint64_t id, void *value);

/* Removes a key; returns its value, or NULL. */
void *map_remove(struct map *m, const char *name);
void *map_remove_id(struct map *m, uint64_t id);

/* Returns the index of the first key >= NAME (m->count if none). */
size_t map_lower(const struct map *m, const char *name);

/* clang-format off */
/* Runs the body with `struct map_entry *e` for each entry in order. */
#define MAP_FOREACH(e, m) \
	for ((e) = (m)->entries; \
	    (e) != NULL && (e) < (m)->entries + (m)->count; (e)++)
/* clang-format on */

#endif
