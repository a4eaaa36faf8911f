/*
 * Narrowing a list by typed letters: an item stays if they occur in this order
 * in the texts on its path, or in those of an item below it.
 */
#include <string.h>

#include "base/mem.h"
#include "conf/match.h"
#include "mux/mode/list.h"
#include "mux/mode/list_int.h"

/* Bytes of one item, and of a path, that are compared. */
#define ITEM_BYTES 1024u
#define PATH_BYTES 4096u

/* The end of each ancestor's part in the path. */
#define PATH_DEPTH 8u

struct path {
	struct buf text;
	size_t end[PATH_DEPTH + 1];
};

static void
add_text(struct buf *b, const char *text)
{
	const size_t n = strnlen(text, ITEM_BYTES);

	(void)buf_add(
	    b, text, MIN_OF(n, PATH_BYTES - MIN_OF(b->len, PATH_BYTES)));
	if (b->len < PATH_BYTES)
		(void)buf_add_u8(b, ' ');
}

/* Puts the texts of IT behind those of its ancestors. */
static void
go_to(struct path *p, struct mode_list *l, const struct mode_item *it)
{
	const unsigned depth = MIN_OF(it->depth, PATH_DEPTH - 1);
	char *text = NULL;

	buf_truncate(&p->text, p->end[depth]);
	add_text(&p->text, it->name);
	if (l->ops->search != NULL)
		text = l->ops->search(l, it);
	if (text != NULL)
		add_text(&p->text, text);
	mem_free(text);
	p->end[depth + 1] = p->text.len;
}

/* The score of each item, INT_MIN for none; returns the best item. */
static uint32_t
score_all(struct mode_list *l, bool *keep)
{
	struct match_fuzzy found, best = { .score = 0 };
	struct path path = { .end = { 0 } };
	uint32_t i, up, at = MODE_LIST_NONE;

	buf_init(&path.text, PATH_BYTES + 1);
	for (i = 0; i < l->count; i++) {
		go_to(&path, l, &l->items[i]);
		if (!match_fuzzy(l->fuzzy, buf_cstr(&path.text), &found))
			continue;
		keep[i] = true;
		for (up = l->items[i].parent; up != MODE_LIST_NONE && !keep[up];
		     up = l->items[up].parent)
			keep[up] = true;
		if (at == MODE_LIST_NONE || found.score > best.score) {
			best = found;
			at = i;
		}
	}
	buf_fini(&path.text);
	return at;
}

uint32_t
mode_list_narrow(struct mode_list *l)
{
	bool *keep = mem_calloc(l->count + 1, sizeof(*keep));
	uint32_t i, n = 0, at = score_all(l, keep), best = MODE_LIST_NONE;

	l->aside = mem_calloc(l->count + 1, sizeof(*l->aside));
	l->aside_count = 0;
	for (i = 0; i < l->count; i++) {
		if (!keep[i]) {
			/* Its tag comes back with it. */
			l->aside[l->aside_count++] = l->items[i];
			continue;
		}
		if (i == at)
			best = n;
		l->items[n] = l->items[i];
		/* A path to a match is open. */
		l->items[n++].expanded = true;
	}
	l->count = n;
	mem_free(keep);
	return best;
}
