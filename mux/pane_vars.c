#include "mux/pane_vars.h"

#include <string.h>

#include "base/mem.h"

void
pane_vars_init(struct pane_vars *v)
{
	map_init_names(&v->map);
	v->bytes = 0;
}

void
pane_vars_fini(struct pane_vars *v)
{
	struct map_entry *e;

	MAP_FOREACH(e, &v->map)
		mem_free(e->value);
	map_fini(&v->map);
	v->bytes = 0;
}

static bool
vars_remove(struct pane_vars *v, const char *name)
{
	char *old = map_remove(&v->map, name);

	if (old == NULL)
		return false;
	v->bytes -= strlen(name) + strlen(old);
	mem_free(old);
	return true;
}

bool
pane_vars_set(struct pane_vars *v, const char *name, const char *value)
{
	const char *old = map_get(&v->map, name);
	size_t bytes = strlen(name) + strlen(value);
	size_t gone = old == NULL ? 0 : strlen(name) + strlen(old);

	if (*value == '\0')
		return vars_remove(v, name);
	if (old != NULL && strcmp(old, value) == 0)
		return false;
	if ((old == NULL && v->map.count >= PANE_VARS_MAX) ||
	    v->bytes - gone + bytes > PANE_VARS_BYTES_MAX)
		return false;
	v->bytes = v->bytes - gone + bytes;
	mem_free(map_set(&v->map, name, mem_strdup(value)));
	return true;
}

const char *
pane_vars_get(const struct pane_vars *v, const char *name)
{
	return map_get(&v->map, name);
}

void
pane_vars_names(const struct pane_vars *v, struct buf *out)
{
	struct map_entry *e;

	MAP_FOREACH(e, &v->map)
		(void)buf_addf(
		    out, "%s%s", e == v->map.entries ? "" : " ", e->name);
}
