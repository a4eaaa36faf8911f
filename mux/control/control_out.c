#include "mux/control/control_out.h"

#include <string.h>

#include "base/list.h"
#include "base/map.h"
#include "base/mem.h"

/* A piece of output in the queue. */
struct block {
	struct list_node node; /* of part.blocks */
	struct control_chunk *chunk;
	size_t done; /* bytes that are sent */
	mono_ms at;  /* when it came */
};

/* The output of one pane between two lines. */
struct part {
	struct list_node turn;    /* of segment.parts */
	struct list_node of_pane; /* of pane.parts */
	struct segment *seg;
	struct pane_queue *pane;
	struct list blocks; /* struct block, oldest first; never empty */
};

/* Output, and the lines behind it. The last segment has no lines yet. */
struct segment {
	struct list_node node;
	struct list parts; /* struct part, in turn */
	struct buf lines;
};

struct pane_queue {
	uint32_t id;
	bool off;
	bool paused;
	bool gone;         /* free it when nothing waits */
	struct list parts; /* struct part, oldest first */
	size_t waiting;
};

struct control_out {
	struct list segments; /* struct segment, oldest first; never empty */
	struct map panes;     /* struct pane_queue * */
	struct buf ready;     /* bytes that are next */
	size_t waiting;       /* of panes, with the blocks */
	size_t lines;         /* bytes of lines in segments and in ready */
	bool pause;
	mono_ms pause_after;
	bool quiet;
	bool failed;
};

/* Whether clients get the byte as \ooo. */
static bool
is_escaped(uint8_t byte)
{
	return byte < ' ' || byte == '\\';
}

struct control_chunk *
control_chunk_new(const void *p, size_t n)
{
	const uint8_t *in = p;
	struct control_chunk *c;
	size_t i, escapes = 0;
	uint8_t *out;

	for (i = 0; i < n; i++)
		escapes += is_escaped(in[i]);
	c = mem_alloc(sizeof(*c) + n + 3 * escapes);
	c->refs = 1;
	c->len = n + 3 * escapes;
	out = c->data;
	for (i = 0; i < n; i++) {
		if (!is_escaped(in[i])) {
			*out++ = in[i];
			continue;
		}
		*out++ = '\\';
		*out++ = (uint8_t)('0' + (in[i] >> 6));
		*out++ = (uint8_t)('0' + ((in[i] >> 3) & 7));
		*out++ = (uint8_t)('0' + (in[i] & 7));
	}
	return c;
}

void
control_chunk_unref(struct control_chunk *c)
{
	if (c != NULL && --c->refs == 0)
		mem_free(c);
}

/* --- segments, parts, blocks ------------------------------------------------ */

static struct segment *
segment_add(struct control_out *o)
{
	struct segment *seg = mem_zalloc(sizeof(*seg));

	list_init(&seg->parts);
	buf_init(&seg->lines, CONTROL_LINES_MAX);
	list_push_back(&o->segments, &seg->node);
	return seg;
}

static void
segment_free(struct control_out *o, struct segment *seg)
{
	bug_assert(list_empty(&seg->parts));
	list_remove(&o->segments, &seg->node);
	buf_fini(&seg->lines);
	mem_free(seg);
}

static struct segment *
segment_first(const struct control_out *o)
{
	return container_of(o->segments.head.next, struct segment, node);
}

static struct segment *
segment_last(const struct control_out *o)
{
	return container_of(o->segments.head.prev, struct segment, node);
}

static size_t
block_cost(const struct block *b)
{
	return b->chunk->len + sizeof(*b);
}

static struct block *
part_first(const struct part *pt)
{
	return container_of(pt->blocks.head.next, struct block, node);
}

static void
block_free(struct control_out *o, struct part *pt, struct block *b)
{
	o->waiting -= block_cost(b);
	pt->pane->waiting -= block_cost(b);
	list_remove(&pt->blocks, &b->node);
	control_chunk_unref(b->chunk);
	mem_free(b);
}

static void
part_free(struct control_out *o, struct part *pt)
{
	while (!list_empty(&pt->blocks))
		block_free(o, pt, part_first(pt));
	list_remove(&pt->seg->parts, &pt->turn);
	list_remove(&pt->pane->parts, &pt->of_pane);
	mem_free(pt);
}

/* --- panes ------------------------------------------------------------------ */

static struct pane_queue *
pane_get(struct control_out *o, uint32_t id)
{
	struct pane_queue *p = map_get_id(&o->panes, id);

	if (p == NULL) {
		p = mem_zalloc(sizeof(*p));
		p->id = id;
		list_init(&p->parts);
		(void)map_set_id(&o->panes, id, p);
	}
	return p;
}

static void
pane_drop(struct control_out *o, struct pane_queue *p)
{
	while (!list_empty(&p->parts))
		part_free(
		    o, container_of(p->parts.head.next, struct part, of_pane));
}

/* Frees a pane about which there is nothing to know. */
static void
pane_tidy(struct control_out *o, struct pane_queue *p)
{
	if (!list_empty(&p->parts) || (!p->gone && (p->off || p->paused)))
		return;
	(void)map_remove_id(&o->panes, p->id);
	mem_free(p);
}

static struct part *
pane_part(struct control_out *o, struct pane_queue *p)
{
	struct segment *seg = segment_last(o);
	struct part *pt =
	    list_entry(list_last(&p->parts), struct part, of_pane);

	if (pt != NULL && pt->seg == seg)
		return pt;
	pt = mem_zalloc(sizeof(*pt));
	pt->seg = seg;
	pt->pane = p;
	list_init(&pt->blocks);
	list_push_back(&seg->parts, &pt->turn);
	list_push_back(&p->parts, &pt->of_pane);
	return pt;
}

static void
pane_pause(struct control_out *o, struct pane_queue *p)
{
	p->paused = true;
	pane_drop(o, p);
}

/* Pauses a pane that nobody asked to pause. */
static void
pane_stop(struct control_out *o, struct pane_queue *p)
{
	struct buf line;

	pane_pause(o, p);
	buf_init(&line, 64);
	(void)buf_addf(&line, "%%pause %%%u\n", p->id);
	control_out_lines(o, line.data, line.len);
	buf_fini(&line);
}

/* --- limits ------------------------------------------------------------------- */

static void
out_fail(struct control_out *o)
{
	o->failed = true;
	control_out_discard(o);
	while (o->segments.count > 1)
		segment_free(o, segment_first(o));
	buf_clear(&segment_first(o)->lines);
	buf_clear(&o->ready);
	o->lines = 0;
}

/* Pauses the pane with most waiting output. */
static void
pause_largest(struct control_out *o)
{
	struct pane_queue *p, *most = NULL;
	const struct map_entry *e;

	MAP_FOREACH(e, &o->panes) {
		p = e->value;
		if (most == NULL || p->waiting > most->waiting)
			most = p;
	}
	if (most != NULL)
		pane_stop(o, most);
}

static void
out_bound(struct control_out *o)
{
	while (o->waiting > CONTROL_OUT_MAX && !o->failed) {
		if (o->pause)
			pause_largest(o);
		else
			out_fail(o);
	}
}

static mono_ms
out_age_max(const struct control_out *o)
{
	return o->pause && o->pause_after > 0
		   ? MIN_OF(o->pause_after, CONTROL_OUT_AGE_MS)
		   : CONTROL_OUT_AGE_MS;
}

/* Returns when the oldest output of P came; MONO_NEVER: there is none. */
static mono_ms
pane_oldest(const struct pane_queue *p)
{
	const struct part *pt =
	    list_entry(list_first(&p->parts), struct part, of_pane);

	return pt == NULL ? MONO_NEVER : part_first(pt)->at;
}

mono_ms
control_out_deadline(const struct control_out *o)
{
	const struct map_entry *e;
	mono_ms oldest = MONO_NEVER;

	if (o->waiting == 0)
		return MONO_NEVER;
	MAP_FOREACH(e, &o->panes)
		oldest = MIN_OF(oldest, pane_oldest(e->value));
	return mono_add(oldest, out_age_max(o));
}

void
control_out_tick(struct control_out *o, mono_ms now)
{
	const mono_ms max = out_age_max(o);
	struct pane_queue *p;
	mono_ms at;
	size_t i;

	for (i = 0; i < o->panes.count && !o->failed; i++) {
		p = o->panes.entries[i].value;
		at = pane_oldest(p);
		if (at == MONO_NEVER || now < mono_add(at, max))
			continue;
		if (o->pause)
			pane_stop(o, p);
		else
			out_fail(o);
	}
}

/* --- adding ------------------------------------------------------------------- */

void
control_out_lines(struct control_out *o, const void *p, size_t n)
{
	struct segment *last = segment_last(o), *before;
	struct list_node *node;
	struct buf *b;

	if (o->failed || n == 0)
		return;
	if (o->lines + n > CONTROL_LINES_MAX) {
		out_fail(o);
		return;
	}
	o->lines += n;
	node = list_prev(&o->segments, &last->node);
	before = list_entry(node, struct segment, node);
	if (!list_empty(&last->parts)) {
		b = &last->lines;
		(void)segment_add(o);
	} else
		b = before != NULL ? &before->lines : &o->ready;
	bug_assert(buf_add(b, p, n) == 0);
}

void
control_out_pane(
    struct control_out *o, uint32_t pane, mono_ms now, struct control_chunk *c)
{
	struct pane_queue *p;
	struct block *b;
	struct part *pt;

	if (o->failed || c->len == 0 || control_out_drops(o, pane))
		return;
	p = pane_get(o, pane);
	pt = pane_part(o, p);
	b = mem_zalloc(sizeof(*b));
	b->chunk = c;
	b->at = now;
	c->refs++;
	list_push_back(&pt->blocks, &b->node);
	o->waiting += block_cost(b);
	p->waiting += block_cost(b);
	out_bound(o);
}

bool
control_out_state(
    struct control_out *o, uint32_t pane, enum control_pane_state state)
{
	struct pane_queue *p;
	bool changed = false;

	if (o->failed)
		return false;
	p = pane_get(o, pane);
	switch (state) {
	case CONTROL_PANE_ON:
		p->off = false;
		break;
	case CONTROL_PANE_OFF:
		p->off = true;
		break;
	case CONTROL_PANE_PAUSE:
		changed = !p->paused;
		pane_pause(o, p);
		break;
	case CONTROL_PANE_CONTINUE:
		changed = p->paused;
		p->paused = false;
		break;
	}
	pane_tidy(o, p);
	return changed;
}

bool
control_out_is_off(const struct control_out *o, uint32_t pane)
{
	const struct pane_queue *p = map_get_id(&o->panes, pane);

	return p != NULL && p->off;
}

bool
control_out_drops(const struct control_out *o, uint32_t pane)
{
	const struct pane_queue *p = map_get_id(&o->panes, pane);

	return o->quiet || o->failed ||
	       (p != NULL && (p->off || p->paused) && !p->gone);
}

void
control_out_forget(struct control_out *o, uint32_t pane)
{
	struct pane_queue *p = map_get_id(&o->panes, pane);

	if (p == NULL)
		return;
	p->gone = true;
	pane_tidy(o, p);
}

void
control_out_set_pause(struct control_out *o, bool on, mono_ms after)
{
	o->pause = on;
	o->pause_after = after;
}

void
control_out_set_quiet(struct control_out *o, bool on)
{
	o->quiet = on;
}

void
control_out_discard(struct control_out *o)
{
	size_t i = 0;

	while (i < o->panes.count) {
		struct pane_queue *p = o->panes.entries[i].value;
		const size_t n = o->panes.count;

		pane_drop(o, p);
		pane_tidy(o, p);
		i += o->panes.count == n;
	}
}

/* --- giving out ----------------------------------------------------------------- */

/*
 * Returns how many of at most N bytes of B to send, so that no escape is cut;
 * 0 if the next one does not fit.
 */
static size_t
block_piece(const struct block *b, size_t n)
{
	const uint8_t *from = b->chunk->data + b->done;
	const size_t left = b->chunk->len - b->done;
	size_t k;

	if (n >= left)
		return left;
	for (k = 1; k <= MIN_OF(n, (size_t)3); k++)
		if (from[n - k] == '\\')
			return n - k;
	return n;
}

/* Appends one line with at most MOST bytes of the part's output. */
static void
put_part(struct control_out *o, struct part *pt, mono_ms now, struct buf *out,
    size_t most)
{
	struct pane_queue *p = pt->pane;
	struct block *b = part_first(pt);
	size_t n;

	if (o->pause)
		(void)buf_addf(out, "%%extended-output %%%u %llu : ", p->id,
		    (unsigned long long)(now > b->at ? now - b->at : 0));
	else
		(void)buf_addf(out, "%%output %%%u ", p->id);
	while (!list_empty(&pt->blocks)) {
		b = part_first(pt);
		if ((n = block_piece(b, most)) == 0)
			break;
		(void)buf_add(out, b->chunk->data + b->done, n);
		most -= n;
		if ((b->done += n) == b->chunk->len)
			block_free(o, pt, b);
	}
	(void)buf_add_u8(out, '\n');
	if (list_empty(&pt->blocks)) {
		part_free(o, pt);
		pane_tidy(o, p);
		return;
	}
	list_remove(&pt->seg->parts, &pt->turn);
	list_push_back(&pt->seg->parts, &pt->turn);
}

/* Appends the lines that are next, as many as BUDGET allows. */
static void
put_ready(struct control_out *o, struct buf *out, size_t budget)
{
	const size_t n = MIN_OF(budget, o->ready.len);

	(void)buf_add(out, o->ready.data, n);
	buf_consume(&o->ready, n);
	o->lines -= n;
}

size_t
control_out_take(
    struct control_out *o, mono_ms now, struct buf *out, size_t budget)
{
	const size_t start = out->len;
	struct segment *seg;
	size_t left;

	control_out_tick(o, now);
	while ((left = out->len - start) < budget) {
		left = budget - left;
		if (o->ready.len > 0) {
			put_ready(o, out, left);
			continue;
		}
		seg = segment_first(o);
		if (!list_empty(&seg->parts)) {
			put_part(o,
			    container_of(
				seg->parts.head.next, struct part, turn),
			    now, out,
			    CLAMP(left / seg->parts.count, CONTROL_LINE_MIN,
				CONTROL_LINE_MAX));
			continue;
		}
		if (seg == segment_last(o))
			break;
		/* All output before these lines is sent. */
		buf_fini(&o->ready);
		o->ready = seg->lines;
		buf_init(&seg->lines, CONTROL_LINES_MAX);
		segment_free(o, seg);
	}
	return out->len - start;
}

bool
control_out_failed(const struct control_out *o)
{
	return o->failed;
}

bool
control_out_empty(const struct control_out *o)
{
	return o->lines == 0 && o->waiting == 0;
}

size_t
control_out_waiting(const struct control_out *o)
{
	return o->waiting;
}

struct control_out *
control_out_new(void)
{
	struct control_out *o = mem_zalloc(sizeof(*o));

	list_init(&o->segments);
	map_init_ids(&o->panes);
	buf_init(&o->ready, CONTROL_LINES_MAX);
	(void)segment_add(o);
	return o;
}

void
control_out_free(struct control_out *o)
{
	struct map_entry *e;

	if (o == NULL)
		return;
	out_fail(o);
	MAP_FOREACH(e, &o->panes)
		mem_free(e->value);
	map_fini(&o->panes);
	segment_free(o, segment_first(o));
	buf_fini(&o->ready);
	mem_free(o);
}
