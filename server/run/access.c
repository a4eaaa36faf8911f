#include "server/run/access.h"

#include <string.h>

#include "base/err.h"
#include "base/mem.h"

void
access_fini(struct access_list *l)
{
	mem_free(l->entries);
	memset(l, 0, sizeof(*l));
}

/* Returns the place of an entry: the first one that is not before it. */
static size_t
place_of(const struct access_list *l, bool group, id_t id)
{
	const struct access_entry *e;
	size_t i;

	for (i = 0; i < l->count; i++) {
		e = &l->entries[i];
		if (e->group > group || (e->group == group && e->id >= id))
			break;
	}
	return i;
}

static struct access_entry *
find(const struct access_list *l, bool group, id_t id)
{
	size_t i = place_of(l, group, id);

	if (i == l->count || l->entries[i].group != group ||
	    l->entries[i].id != id)
		return NULL;
	return &l->entries[i];
}

const struct access_entry *
access_find(const struct access_list *l, bool group, id_t id)
{
	return find(l, group, id);
}

int
access_set(struct access_list *l, bool group, id_t id, bool write)
{
	struct access_entry *e = find(l, group, id);
	size_t i;

	if (e != NULL) {
		e->write = write;
		return 0;
	}
	if (l->count >= ACCESS_MAX)
		return -ERR_LIMIT;
	l->entries = mem_resize(l->entries, l->count + 1, sizeof(*l->entries));
	i = place_of(l, group, id);
	memmove(l->entries + i + 1, l->entries + i,
	    (l->count - i) * sizeof(*l->entries));
	l->entries[i] = (struct access_entry){ group, write, id };
	l->count++;
	return 0;
}

bool
access_remove(struct access_list *l, bool group, id_t id)
{
	struct access_entry *e = find(l, group, id);

	if (e == NULL)
		return false;
	l->count--;
	memmove(e, e + 1,
	    (l->count - (size_t)(e - l->entries)) * sizeof(*l->entries));
	return true;
}

static enum access
access_of_entry(const struct access_entry *e)
{
	if (e == NULL)
		return ACCESS_NONE;
	return e->write ? ACCESS_WRITE : ACCESS_READ;
}

enum access
access_of(const struct access_list *l, uid_t owner, const struct access_peer *p)
{
	enum access best = ACCESS_NONE, a;
	size_t i;

	if (p->uid == owner || p->uid == 0)
		return ACCESS_WRITE;
	if ((best = access_of_entry(find(l, false, p->uid))) != ACCESS_NONE)
		return best;
	for (i = 0; l->count > 0 && i < p->gid_count; i++)
		if ((a = access_of_entry(find(l, true, p->gids[i]))) > best)
			best = a;
	return best;
}
