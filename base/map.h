/*
 * base/map.h - ordered map from a string or a number to a pointer.
 *
 * Purpose:   registries by name and by id, iterated in order of the key.
 * Ownership: the map copies string keys and frees them; values are the
 *            caller's.
 * Units:     none.
 * Errors:    map_set returns the old value (NULL if the key is new);
 *            map_get returns NULL for "not there".  Values are never NULL.
 * Source:    a sorted array with binary search: at the sizes met here (tens to
 *            thousands) it beats a tree and is iterated by index.
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

/* An empty map by string, or by number. */
void map_init_names(struct map *m);
void map_init_ids(struct map *m);

/* Frees the keys and the table (not the values); M is then empty. */
void map_fini(struct map *m);

/* The value of a key, or NULL. */
void *map_get(const struct map *m, const char *name);
void *map_get_id(const struct map *m, uint64_t id);

/* Sets the value (not NULL) of a key and returns the value it had. */
void *map_set(struct map *m, const char *name, void *value);
void *map_set_id(struct map *m, uint64_t id, void *value);

/* Removes a key and returns the value it had, or NULL. */
void *map_remove(struct map *m, const char *name);
void *map_remove_id(struct map *m, uint64_t id);

/* Index of the first key >= NAME (m->count if none), for prefix searches. */
size_t map_lower(const struct map *m, const char *name);

/* clang-format off */
/* Runs the body with `struct map_entry *e` for each entry in order. */
#define MAP_FOREACH(e, m) \
	for ((e) = (m)->entries; \
	    (e) != NULL && (e) < (m)->entries + (m)->count; (e)++)
/* clang-format on */

#endif
