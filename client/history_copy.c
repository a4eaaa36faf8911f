#include "client/history_copy.h"

#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "ssp/compress.h"

#define OPENINGS 8 /* panes */

struct history_copy_pane {
	uint32_t pane;
	uint64_t remade; /* epoch of the lines, or SYNC_TAIL_UNSURE */
	struct sync_tail tail;
};

struct history_copy {
	struct ssp_zip *zip;
	uint64_t changes;
	unsigned n;
	struct history_copy_pane panes[SYNC_TAIL_PANES_MAX];
	/* The latest, each with the newest setup before it or of its own. */
	size_t next;
	struct sync_opening openings[OPENINGS];
};

struct history_copy *
history_copy_new(struct ssp_zip *zip)
{
	struct history_copy *h = mem_zalloc(sizeof(*h));

	h->zip = zip;
	return h;
}

static void
history_copy_drop(struct history_copy *h, unsigned i)
{
	sync_tail_fini(&h->panes[i].tail);
	h->panes[i] = h->panes[--h->n];
}

void
history_copy_free(struct history_copy *h)
{
	size_t i;

	if (h == NULL)
		return;
	while (h->n > 0)
		history_copy_drop(h, 0);
	for (i = 0; i < OPENINGS; i++)
		sync_opening_fini(&h->openings[i]);
	mem_free(h);
}

static struct history_copy_pane *
history_copy_find(struct history_copy *h, uint32_t pane)
{
	unsigned i;

	for (i = 0; i < h->n; i++)
		if (h->panes[i].pane == pane)
			return &h->panes[i];
	return NULL;
}

const struct sync_tail *
history_copy_tail(const struct history_copy *h, uint32_t pane)
{
	unsigned i;

	for (i = 0; i < h->n; i++)
		if (h->panes[i].pane == pane)
			return &h->panes[i].tail;
	return NULL;
}

size_t
history_copy_lines(const struct history_copy *h, unsigned *panes)
{
	size_t lines = 0;
	unsigned i;

	for (i = *panes = 0; i < h->n; i++) {
		lines += h->panes[i].tail.count;
		*panes += h->panes[i].tail.count > 0;
	}
	return lines;
}

/* Unpacks the lines of a message and adds them to the tail. */
static int
history_copy_add(struct history_copy *h, struct sync_tail *t,
    const struct sync_tail_lines *m)
{
	struct buf prefix;
	uint8_t *raw;
	int e;

	if (m->form == 0)
		return sync_tail_add(t, m, m->body);
	buf_init(&prefix, SYNC_TAIL_PREFIX + SYNC_TAIL_LINE_MAX);
	raw = mem_alloc(m->raw);
	e = sync_tail_prefix(t, m, &prefix);
	if (e == 0)
		e = ssp_zip_unpack(h->zip, prefix.data, prefix.len, m->body,
		    m->len, m->form == 2, raw, m->raw);
	if (e == 0)
		e = sync_tail_add(t, m, raw);
	buf_fini(&prefix);
	mem_free(raw);
	return e == 0 ? 0 : -ERR_PEER;
}

static int
history_copy_take_lines(struct history_copy *h, struct rd *r)
{
	struct sync_tail_lines m;
	struct history_copy_pane *hp;

	if (sync_tail_get_lines(r, &m) != 0)
		return -ERR_PEER;
	hp = history_copy_find(h, m.pane);
	if (hp == NULL) {
		peer_check(h->n < SYNC_TAIL_PANES_MAX);
		hp = &h->panes[h->n++];
		hp->pane = m.pane;
		hp->remade = SYNC_TAIL_UNSURE;
		sync_tail_init(&hp->tail);
	}
	sync_tail_trim(&hp->tail, &m);
	return m.count == 0 ? 0 : history_copy_add(h, &hp->tail, &m);
}

static int
history_copy_forget(struct history_copy *h, struct rd *r)
{
	uint32_t panes[SYNC_TAIL_PANES_MAX];
	struct history_copy_pane *hp;
	unsigned i, n;

	if (sync_tail_get_forget(r, panes, &n) != 0)
		return -ERR_PEER;
	for (i = 0; i < n; i++)
		if ((hp = history_copy_find(h, panes[i])) != NULL)
			history_copy_drop(h, (unsigned)(hp - h->panes));
	return 0;
}

static int
history_copy_epoch(struct history_copy *h, struct rd *r)
{
	struct history_copy_pane *hp;
	uint64_t remade;
	uint32_t pane;

	if (sync_tail_get_epoch(r, &pane, &remade) != 0)
		return -ERR_PEER;
	if ((hp = history_copy_find(h, pane)) != NULL)
		hp->remade = remade;
	return 0;
}

/* --- openings ------------------------------------------------------------------ */

/* Returns the place of a pane's opening: its last one, or the oldest of all. */
static struct sync_opening *
opening_slot(struct history_copy *h, uint32_t pane)
{
	size_t i;

	for (i = 0; i < OPENINGS; i++)
		if (h->openings[i].state != NULL && h->openings[i].pane == pane)
			return &h->openings[i];
	return &h->openings[h->next++ % OPENINGS];
}

/* Gives an opening that came without a setup the newest one, which all share. */
static void
opening_complete(struct history_copy *h, struct sync_opening *o)
{
	size_t i;

	for (i = 0; i < OPENINGS && o->setup == NULL; i++)
		if (h->openings[i].state != NULL) {
			o->setup = vt_str_ref(h->openings[i].setup);
			o->asks = vt_str_ref(h->openings[i].asks);
		}
}

static int
history_copy_open(struct history_copy *h, struct rd *r)
{
	struct sync_opening_message m;
	struct sync_opening o = { 0 }, *slot;
	uint8_t *raw;
	size_t i;
	int e = 0;

	if (sync_opening_get_message(r, &m) != 0)
		return -ERR_PEER;
	raw = mem_alloc(m.raw + 1U);
	if (m.form == 0)
		memcpy(raw, m.body, m.len);
	else
		e = ssp_zip_unpack(
		    h->zip, NULL, 0, m.body, m.len, m.form == 2, raw, m.raw);
	if (e == 0)
		e = sync_opening_get(raw, m.raw, &o);
	mem_free(raw);
	if (e != 0)
		return -ERR_PEER;
	/* A new setup makes those of other panes wrong. */
	for (i = 0; o.setup != NULL && i < OPENINGS; i++)
		sync_opening_fini(&h->openings[i]);
	opening_complete(h, &o);
	slot = opening_slot(h, o.pane);
	sync_opening_fini(slot);
	*slot = o;
	return 0;
}

const struct sync_opening *
history_copy_opening(
    const struct history_copy *h, uint32_t pane, const struct vt_frame *screen)
{
	const struct sync_opening *o;
	size_t i;

	for (i = 0; i < OPENINGS; i++) {
		o = &h->openings[i];
		if (o->state != NULL && o->setup != NULL && o->pane == pane &&
		    o->screen == sync_opening_screen(screen))
			return o;
	}
	return NULL;
}

uint64_t
history_copy_remade(const struct history_copy *h, uint32_t pane)
{
	unsigned i;

	for (i = 0; i < h->n; i++)
		if (h->panes[i].pane == pane)
			return h->panes[i].remade;
	return SYNC_TAIL_UNSURE;
}

uint64_t
history_copy_changes(const struct history_copy *h)
{
	return h->changes;
}

int
history_copy_message(struct history_copy *h, const uint8_t *p, size_t n)
{
	struct rd r;

	h->changes++;
	rd_init(&r, p, n);
	if (n == 0)
		return -ERR_PEER;
	if (p[0] == SYNC_TAIL_LINES)
		return history_copy_take_lines(h, &r);
	if (p[0] == SYNC_TAIL_FORGET)
		return history_copy_forget(h, &r);
	if (p[0] == SYNC_TAIL_EPOCH)
		return history_copy_epoch(h, &r);
	if (p[0] == SYNC_OPENING_KIND)
		return history_copy_open(h, &r);
	return 0; /* a message of a later release */
}

void
history_copy_want(struct history_copy *h, uint32_t lines, struct buf *out)
{
	struct sync_tail_want w = { .lines = lines };
	struct sync_tail_have *have;
	unsigned i;

	/* The server compares the lines and then says which are right. */
	for (i = 0; i < h->n; i++)
		h->panes[i].remade = SYNC_TAIL_UNSURE;
	h->changes++;
	for (i = 0; i < h->n && lines > 0; i++) {
		have = &w.have[w.nhave++];
		have->pane = h->panes[i].pane;
		have->first = h->panes[i].tail.first;
		have->count = (uint32_t)h->panes[i].tail.count;
		have->hash = sync_tail_hash_all(&h->panes[i].tail);
	}
	sync_tail_put_want(out, &w);
}
