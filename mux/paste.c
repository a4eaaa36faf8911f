#include "mux/paste.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"

struct paste {
	struct mux *mux;
	struct map names;
	struct list buffers; /* newest first */
	size_t automatic;
	uint64_t next_order;
	uint64_t next_name;
	struct list gone;  /* struct gone, oldest first */
	size_t gone_bytes; /* of their sizes */
};

/* The bytes of a large buffer that is gone. */
struct gone {
	struct list_node node;
	uint8_t *data;
	size_t size;  /* of data */
	size_t wiped; /* of these, from the first on */
};

static struct paste_buffer *
newest(const struct paste *ps)
{
	return list_entry(list_first(&ps->buffers), struct paste_buffer, node);
}

static struct paste_buffer *
next_older(const struct paste *ps, const struct paste_buffer *b)
{
	return list_entry(
	    list_next(&ps->buffers, &b->node), struct paste_buffer, node);
}

struct paste *
paste_new(struct mux *m)
{
	struct paste *ps = mem_zalloc(sizeof(*ps));

	ps->mux = m;
	map_init_names(&ps->names);
	list_init(&ps->buffers);
	list_init(&ps->gone);
	return ps;
}

/* --- bytes that are gone ------------------------------------------------------ */

/*
 * First wipes piece by piece, then shrinks the allocation: the system takes back
 * 100 MB at once in 10 ms.
 */
bool
paste_wipe(struct paste *ps)
{
	struct list_node *n = list_first(&ps->gone);
	struct gone *g;
	size_t piece;

	if (n == NULL)
		return false;
	g = container_of(n, struct gone, node);
	if (g->wiped < g->size) {
		piece = MIN_OF(g->size - g->wiped, PASTE_PIECE);
		mem_wipe(g->data + g->wiped, piece);
		g->wiped += piece;
		return true;
	}
	piece = MIN_OF(g->size, PASTE_PIECE);
	ps->gone_bytes -= piece;
	if (g->size > piece) {
		g->size = g->wiped = g->size - piece;
		g->data = mem_resize(g->data, g->size, 1);
		return true;
	}
	list_remove(&ps->gone, n);
	mem_free(g->data);
	mem_free(g);
	return !list_empty(&ps->gone);
}

/* Wipes and frees the N bytes of a buffer, large ones in paste_wipe. */
static void
free_bytes(struct paste *ps, uint8_t *data, size_t n)
{
	struct gone *g;

	if (n <= PASTE_PIECE) {
		mem_free_wiped(data, n);
		return;
	}
	g = mem_zalloc(sizeof(*g));
	g->data = data;
	g->size = n;
	list_push_back(&ps->gone, &g->node);
	ps->gone_bytes += n;
	while (ps->gone_bytes > PASTE_SIZE_MAX)
		(void)paste_wipe(ps);
}

static void
free_buffer(struct paste *ps, struct paste_buffer *b)
{
	(void)map_remove(&ps->names, b->name);
	list_remove(&ps->buffers, &b->node);
	if (b->automatic)
		ps->automatic--;
	mem_free(b->name);
	free_bytes(ps, b->data, b->size);
	mem_free(b);
}

void
paste_free(struct paste *ps)
{
	struct paste_buffer *b;

	if (ps == NULL)
		return;
	while ((b = newest(ps)) != NULL)
		free_buffer(ps, b);
	while (paste_wipe(ps))
		;
	map_fini(&ps->names);
	mem_free(ps);
}

size_t
paste_count(const struct paste *ps)
{
	return ps->buffers.count;
}

struct paste_buffer *
paste_top(const struct paste *ps)
{
	struct paste_buffer *b = newest(ps);

	while (b != NULL && !b->automatic)
		b = next_older(ps, b);
	return b;
}

struct paste_buffer *
paste_find(const struct paste *ps, const char *name)
{
	return name == NULL || *name == '\0' ? NULL : map_get(&ps->names, name);
}

/* --- order ------------------------------------------------------------------- */

static int
by_age(const void *a, const void *b)
{
	const struct paste_buffer *const *x = a, *const *y = b;

	return ((*x)->order < (*y)->order) - ((*x)->order > (*y)->order);
}

static int
by_name(const void *a, const void *b)
{
	const struct paste_buffer *const *x = a, *const *y = b;

	return strcmp((*x)->name, (*y)->name);
}

static int
by_size(const void *a, const void *b)
{
	const struct paste_buffer *const *x = a, *const *y = b;

	if ((*x)->size != (*y)->size)
		return (*x)->size < (*y)->size ? -1 : 1;
	return by_name(a, b);
}

struct paste_buffer **
paste_sorted_new(const struct paste *ps, enum paste_order order, bool reversed,
    size_t *count)
{
	static int (*const compare[])(
	    const void *, const void *) = { [PASTE_NEWEST] = by_age,
		[PASTE_NAME] = by_name,
		[PASTE_SIZE] = by_size };
	const size_t n = paste_count(ps);
	struct paste_buffer **all = mem_calloc(n + 1, sizeof(*all)), *b;
	size_t i = 0;

	for (b = newest(ps); b != NULL && i < n; b = next_older(ps, b))
		all[i++] = b;
	if (n > 1)
		qsort(all, n, sizeof(struct paste_buffer *), compare[order]);
	for (i = 0; reversed && i < n / 2; i++) {
		b = all[i];
		all[i] = all[n - 1 - i];
		all[n - 1 - i] = b;
	}
	*count = n;
	return all;
}

/* --- changes ----------------------------------------------------------------- */

void
paste_remove(struct paste *ps, struct paste_buffer *b)
{
	mux_say(ps->mux, MUX_EVENT_PASTE_DELETED, NULL, NULL, NULL, b->name);
	free_buffer(ps, b);
}

/* Drops the oldest automatic buffers until one more fits. */
static void
make_room(struct paste *ps)
{
	size_t limit = (size_t)options_number(
	    &ps->mux->server_options, OPTION_BUFFER_LIMIT);
	struct paste_buffer *b, *older;

	limit = MAX_OF(limit, 1);
	b = list_entry(list_last(&ps->buffers), struct paste_buffer, node);
	while (b != NULL && ps->automatic >= limit) {
		older = b;
		b = list_entry(list_prev(&ps->buffers, &b->node),
		    struct paste_buffer, node);
		if (older->automatic)
			paste_remove(ps, older);
	}
}

/* Puts a new buffer on top; takes NAME and DATA over. */
static void
put_buffer(
    struct paste *ps, char *name, uint8_t *data, size_t n, bool automatic)
{
	struct paste_buffer *b = mem_zalloc(sizeof(*b));

	b->name = name;
	b->data = data;
	b->size = n;
	b->automatic = automatic;
	b->order = ps->next_order++;
	b->created = ps->mux->wall;
	if (automatic)
		ps->automatic++;
	list_push_front(&ps->buffers, &b->node);
	(void)map_set(&ps->names, name, b);
	mux_say(ps->mux, MUX_EVENT_PASTE_CHANGED, NULL, NULL, NULL, name);
}

static uint8_t *
copy_bytes(const void *a, size_t na, const void *b, size_t nb)
{
	uint8_t *data = mem_alloc(na + nb + 1);

	if (na > 0)
		memcpy(data, a, na);
	if (nb > 0)
		memcpy(data + na, b, nb);
	data[na + nb] = '\0';
	return data;
}

int
paste_add(struct paste *ps, const char *prefix, const void *p, size_t n)
{
	if (n == 0)
		return 0;
	if (n > PASTE_SIZE_MAX)
		return -ERR_LIMIT;
	paste_give(ps, prefix, (char *)copy_bytes(p, n, NULL, 0), n);
	return 0;
}

void
paste_give(struct paste *ps, const char *prefix, char *text, size_t n)
{
	char *name = NULL;

	bug_assert(n > 0 && n <= PASTE_SIZE_MAX);
	make_room(ps);
	do {
		mem_free(name);
		name = mem_printf("%s%llu", prefix == NULL ? "buffer" : prefix,
		    (unsigned long long)ps->next_name++);
	} while (paste_find(ps, name) != NULL);
	put_buffer(ps, name, (uint8_t *)text, n, true);
}

static int
check_name(const struct paste *ps, const char *name, struct cause *cause)
{
	if (*name == '\0')
		return cause_set(cause, -ERR_SYNTAX, "empty buffer name");
	if (!utf8_is_name(name))
		return cause_set(
		    cause, -ERR_SYNTAX, "invalid buffer name: %s", name);
	if (strlen(name) > PASTE_NAME_MAX ||
	    (paste_find(ps, name) == NULL &&
		ps->buffers.count - ps->automatic >= PASTE_NAMED_MAX))
		return cause_set(cause, -ERR_LIMIT, "too many buffers");
	return 0;
}

int
paste_set(struct paste *ps, const char *name, const void *p, size_t n,
    struct cause *cause)
{
	struct paste_buffer *old;
	uint8_t *data;
	char *copy;
	int r;

	if (n > PASTE_SIZE_MAX)
		return cause_set(cause, -ERR_LIMIT, "buffer is too large");
	if (name == NULL)
		return paste_add(ps, NULL, p, n);
	if ((r = check_name(ps, name, cause)) != 0)
		return r;
	if (n == 0)
		return 0;
	/* Copy first: both may point into the buffer that is replaced. */
	data = copy_bytes(p, n, NULL, 0);
	copy = mem_strdup(name);
	/* As in tmux, the old one is deleted. */
	if ((old = paste_find(ps, copy)) != NULL)
		paste_remove(ps, old);
	put_buffer(ps, copy, data, n, false);
	return 0;
}

int
paste_replace(struct paste *ps, struct paste_buffer *b, const void *p, size_t n)
{
	uint8_t *data;

	if (n > PASTE_SIZE_MAX)
		return -ERR_LIMIT;
	if (n == 0)
		return 0;
	data = copy_bytes(p, n, NULL, 0);
	free_bytes(ps, b->data, b->size);
	b->data = data;
	b->size = n;
	mux_say(ps->mux, MUX_EVENT_PASTE_CHANGED, NULL, NULL, NULL, b->name);
	return 0;
}

int
paste_append(struct paste *ps, const char *name, const void *p, size_t n,
    struct cause *cause)
{
	struct paste_buffer *b = paste_find(ps, name);
	uint8_t *data;

	if (b == NULL)
		return paste_set(ps, name, p, n, cause);
	if (n > PASTE_SIZE_MAX - MIN_OF(b->size, PASTE_SIZE_MAX))
		return cause_set(cause, -ERR_LIMIT, "buffer is too large");
	if (n == 0)
		return 0;
	data = copy_bytes(b->data, b->size, p, n);
	free_bytes(ps, b->data, b->size);
	b->data = data;
	b->size += n;
	b->order = ps->next_order++; /* the newest, as in tmux */
	mux_say(ps->mux, MUX_EVENT_PASTE_DELETED, NULL, NULL, NULL, b->name);
	mux_say(ps->mux, MUX_EVENT_PASTE_CHANGED, NULL, NULL, NULL, b->name);
	return 0;
}

int
paste_rename(
    struct paste *ps, const char *name, const char *to, struct cause *cause)
{
	struct paste_buffer *b, *other;
	char *copy;
	int r;

	if (name == NULL || *name == '\0')
		return cause_set(cause, -ERR_SYNTAX, "no buffer");
	if (to == NULL || *to == '\0')
		return cause_set(cause, -ERR_SYNTAX, "new name is empty");
	if ((b = paste_find(ps, name)) == NULL)
		return cause_set(cause, -ERR_NOTFOUND, "no buffer %s", name);
	if ((r = check_name(ps, to, cause)) != 0)
		return r;
	other = paste_find(ps, to);
	if (other == b)
		return 0;
	copy = mem_strdup(to);
	if (other != NULL)
		free_buffer(ps, other);
	mux_say(ps->mux, MUX_EVENT_PASTE_DELETED, NULL, NULL, NULL, b->name);
	(void)map_remove(&ps->names, b->name);
	mem_free(b->name);
	b->name = copy;
	if (b->automatic) {
		b->automatic = false;
		ps->automatic--;
	}
	(void)map_set(&ps->names, copy, b);
	mux_say(ps->mux, MUX_EVENT_PASTE_CHANGED, NULL, NULL, NULL, copy);
	return 0;
}

char *
paste_sample(const struct paste_buffer *b, size_t width)
{
	size_t n = MIN_OF(b->size, width);
	char *text = str_printable_new(b->data, n, n);
	char *cut;

	if (b->size <= width && strlen(text) <= width)
		return text;
	cut = mem_printf("%.*s...", (int)MIN_OF(strlen(text), width), text);
	mem_free(text);
	return cut;
}
