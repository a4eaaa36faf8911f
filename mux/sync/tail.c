#include "mux/sync/tail.h"

#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "mux/sync/cells.h"
#include "mux/vt/block.h"

struct sync_tail_line {
	uint32_t len;
	uint8_t bytes[];
};

void
sync_tail_init(struct sync_tail *t)
{
	memset(t, 0, sizeof(*t));
}

static struct sync_tail_line **
tail_slot(const struct sync_tail *t, size_t i)
{
	i += t->start;
	return &t->ring[i >= t->cap ? i - t->cap : i];
}

static void
tail_drop(struct sync_tail *t, size_t i)
{
	struct sync_tail_line *l = *tail_slot(t, i);

	t->bytes -= l->len;
	mem_free(l);
}

static void
tail_drop_first(struct sync_tail *t)
{
	tail_drop(t, 0);
	t->start = t->start + 1 == t->cap ? 0 : t->start + 1;
	t->first++;
	t->count--;
}

static void
tail_drop_last(struct sync_tail *t)
{
	tail_drop(t, t->count - 1);
	t->count--;
}

static void
tail_clear(struct sync_tail *t)
{
	while (t->count > 0)
		tail_drop_last(t);
}

void
sync_tail_fini(struct sync_tail *t)
{
	tail_clear(t);
	mem_free(t->ring);
	sync_tail_init(t);
}

static void
tail_grow(struct sync_tail *t)
{
	size_t cap = t->cap * 2 + 64, i;
	struct sync_tail_line **ring = mem_calloc(cap, sizeof(*ring));

	for (i = 0; i < t->count; i++)
		ring[i] = *tail_slot(t, i);
	mem_free(t->ring);
	t->ring = ring;
	t->cap = cap;
	t->start = 0;
}

/* Adds a line at the end, or before the first. */
static void
tail_put(struct sync_tail *t, const uint8_t *p, size_t n, bool front)
{
	struct sync_tail_line *l = mem_alloc(sizeof(*l) + n);

	l->len = (uint32_t)n;
	memcpy(l->bytes, p, n);
	if (t->count == t->cap)
		tail_grow(t);
	t->count++;
	t->bytes += n;
	if (front) {
		t->start = t->start == 0 ? t->cap - 1 : t->start - 1;
		t->first--;
	}
	*tail_slot(t, front ? 0 : t->count - 1) = l;
}

/* --- lines ---------------------------------------------------------------- */

static const uint8_t *
tail_get(const struct sync_tail *t, uint64_t num, size_t *len)
{
	const struct sync_tail_line *l;

	if (num < t->first || num - t->first >= t->count)
		return NULL;
	l = *tail_slot(t, (size_t)(num - t->first));
	*len = l->len;
	return l->bytes;
}

void
sync_tail_encode(const struct vt_line *line, struct buf *out)
{
	/* A tail has plain text. */
	unsigned flags =
	    line->flags &
	    ~(unsigned)(VT_LINE_MARKS | VT_LINE_BLOCKS | VT_LINE_SIZED);
	size_t before = out->len;

	sync_put_varint(out, flags);
	sync_cells_put(out, line, 0, vt_line_used(line), true);
	if (out->len - before <= SYNC_TAIL_LINE_MAX)
		return;
	buf_truncate(out, before);
	sync_put_varint(out, flags | SYNC_TAIL_CUT);
	sync_cells_put(out, line, 0, 0, true);
}

/* Decodes a line's bytes; returns NULL if they are invalid. */
static struct vt_line *
line_decode(const uint8_t *p, size_t n)
{
	struct vt_line *line = vt_line_new(NULL);
	struct rd r;
	uint64_t flags;

	rd_init(&r, p, n);
	flags = rd_varint(&r);
	if (r.err == 0 && flags <= UINT16_MAX &&
	    sync_cells_get(&r, line, 0, VT_COLS_MAX) == 0 && rd_left(&r) == 0) {
		line->flags |= (uint16_t)flags;
		if ((line->flags & VT_LINE_BLOCKS) != 0)
			vt_block_strip(NULL, line, 0, line->len);
		line->flags &= (uint16_t)~VT_LINE_SIZED;
		return line;
	}
	vt_line_unref(NULL, line);
	return NULL;
}

struct vt_line *
sync_tail_line(const struct sync_tail *t, uint64_t num)
{
	size_t n;
	const uint8_t *p = tail_get(t, num, &n);

	return p == NULL ? NULL : line_decode(p, n);
}

uint64_t
sync_tail_hash(uint64_t seed, const void *line, size_t len)
{
	return str_hash(line, len, seed);
}

uint64_t
sync_tail_hash_all(const struct sync_tail *t)
{
	const struct sync_tail_line *l;
	uint64_t h = 0;
	size_t i;

	for (i = 0; i < t->count; i++) {
		l = *tail_slot(t, i);
		h = sync_tail_hash(h, l->bytes, l->len);
	}
	return h;
}

uint32_t
sync_tail_raw_hash(const uint8_t *raw, size_t n)
{
	return (uint32_t)str_hash(raw, n, 0);
}

/* --- LINES ---------------------------------------------------------------- */

void
sync_tail_put_lines(struct buf *out, const struct sync_tail_lines *m)
{
	uint8_t hash[4];
	struct wr w;

	(void)buf_add_u8(out, SYNC_TAIL_LINES);
	sync_put_varint(out, m->pane);
	sync_put_varint(out, m->keep_first);
	sync_put_varint(out, m->keep_end - m->keep_first);
	sync_put_varint(out, m->at);
	sync_put_varint(out, m->count);
	if (m->count == 0)
		return;
	sync_put_varint(out, m->raw);
	sync_put_varint(out, m->known);
	(void)buf_add_u8(out, m->form);
	wr_init(&w, hash, sizeof(hash));
	wr_u32(&w, m->hash);
	(void)buf_add(out, hash, sizeof(hash));
	(void)buf_add(out, m->body, m->len);
}

int
sync_tail_get_lines(struct rd *r, struct sync_tail_lines *m)
{
	uint64_t pane, keep, count, raw = 0, known = 0;

	memset(m, 0, sizeof(*m));
	peer_check(rd_u8(r) == SYNC_TAIL_LINES);
	pane = rd_varint(r);
	m->keep_first = rd_varint(r);
	keep = rd_varint(r);
	m->keep_end = m->keep_first + keep;
	m->at = rd_varint(r);
	count = rd_varint(r);
	if (count > 0) {
		raw = rd_varint(r);
		known = rd_varint(r);
		m->form = rd_u8(r);
		m->hash = rd_u32(r);
	}
	m->len = rd_left(r);
	m->body = rd_bytes(r, m->len);
	/* A line takes at least two bytes, and one for its length. */
	peer_check(r->err == 0 && pane <= UINT32_MAX &&
		   count <= SYNC_TAIL_LINES_MAX && raw <= SYNC_TAIL_RAW_MAX &&
		   m->form <= 2 && (m->form != 0 || m->len == raw) &&
		   count * 3 <= raw && known <= SYNC_TAIL_LINES_MAX);
	m->pane = (uint32_t)pane;
	m->count = (uint32_t)count;
	m->raw = (uint32_t)raw;
	m->known = (uint32_t)known;
	return 0;
}

void
sync_tail_trim(struct sync_tail *t, const struct sync_tail_lines *m)
{
	while (t->count > 0 && sync_tail_end(t) > m->keep_end)
		tail_drop_last(t);
	while (t->count > 0 && t->first < m->keep_first)
		tail_drop_first(t);
}

/* Returns whether the new lines go before the existing ones. */
static bool
tail_before(const struct sync_tail *t, const struct sync_tail_lines *m)
{
	return t->count > 0 && m->at != sync_tail_end(t);
}

int
sync_tail_prefix(
    const struct sync_tail *t, const struct sync_tail_lines *m, struct buf *out)
{
	const struct sync_tail_line *l;
	size_t i, from;

	peer_check(m->known <= t->count);
	from = tail_before(t, m) ? 0 : t->count - m->known;
	for (i = from; i < from + m->known; i++) {
		l = *tail_slot(t, i);
		sync_put_varint(out, l->len);
		(void)buf_add(out, l->bytes, l->len);
	}
	return out->overflow ? -ERR_PEER : 0;
}

/* Checks that RAW holds the announced number of valid lines. */
static int
raw_check(const struct sync_tail_lines *m, const uint8_t *raw)
{
	struct vt_line *line;
	const uint8_t *p;
	uint32_t i;
	uint64_t n;
	struct rd r;

	rd_init(&r, raw, m->raw);
	for (i = 0; i < m->count; i++) {
		n = rd_varint(&r);
		peer_check(r.err == 0 && n <= SYNC_TAIL_LINE_MAX);
		p = rd_bytes(&r, (size_t)n);
		peer_check(p != NULL);
		line = line_decode(p, (size_t)n);
		peer_check(line != NULL);
		vt_line_unref(NULL, line);
	}
	return rd_done(&r);
}

/* Adds the lines of RAW at the front, last one first. */
static void
raw_prepend(
    struct sync_tail *t, const struct sync_tail_lines *m, const uint8_t *raw)
{
	uint32_t *at = mem_calloc(m->count, sizeof(*at)), i;
	struct rd r;
	size_t n;

	rd_init(&r, raw, m->raw);
	for (i = 0; i < m->count; i++) {
		at[i] = (uint32_t)(r.p - raw);
		(void)rd_bytes(&r, (size_t)rd_varint(&r));
	}
	for (i = m->count; i > 0; i--) {
		rd_init(&r, raw + at[i - 1], m->raw - at[i - 1]);
		n = (size_t)rd_varint(&r);
		tail_put(t, r.p, n, true);
	}
	mem_free(at);
}

int
sync_tail_add(
    struct sync_tail *t, const struct sync_tail_lines *m, const uint8_t *raw)
{
	bool before = tail_before(t, m);
	uint32_t i;
	struct rd r;
	size_t n;

	if (m->count == 0)
		return 0;
	peer_check(sync_tail_raw_hash(raw, m->raw) == m->hash);
	peer_check(!before || m->at + m->count == t->first);
	peer_check(t->count + m->count <= SYNC_TAIL_LINES_MAX &&
		   t->bytes + m->raw <= SYNC_TAIL_BYTES_MAX);
	if (raw_check(m, raw) != 0)
		return -ERR_PEER;
	if (before) {
		raw_prepend(t, m, raw);
		return 0;
	}
	if (t->count == 0)
		t->first = m->at;
	rd_init(&r, raw, m->raw);
	for (i = 0; i < m->count; i++) {
		n = (size_t)rd_varint(&r);
		tail_put(t, r.p, n, false);
		(void)rd_bytes(&r, n);
	}
	return 0;
}

/* --- WANT, FORGET --------------------------------------------------------- */

void
sync_tail_put_want(struct buf *out, const struct sync_tail_want *w)
{
	uint8_t hash[8];
	struct wr b;
	uint32_t i;

	(void)buf_add_u8(out, SYNC_TAIL_WANT);
	sync_put_varint(out, w->lines);
	sync_put_varint(out, w->nhave);
	for (i = 0; i < w->nhave; i++) {
		sync_put_varint(out, w->have[i].pane);
		sync_put_varint(out, w->have[i].first);
		sync_put_varint(out, w->have[i].count);
		wr_init(&b, hash, sizeof(hash));
		wr_u64(&b, w->have[i].hash);
		(void)buf_add(out, hash, sizeof(hash));
	}
}

int
sync_tail_get_want(struct rd *r, struct sync_tail_want *w)
{
	uint64_t lines, n, pane, count;
	struct sync_tail_have *h;

	memset(w, 0, sizeof(*w));
	peer_check(rd_u8(r) == SYNC_TAIL_WANT);
	lines = rd_varint(r);
	n = rd_varint(r);
	peer_check(r->err == 0 && n <= SYNC_TAIL_PANES_MAX);
	w->lines = (uint32_t)MIN_OF(lines, (uint64_t)SYNC_TAIL_LINES_MAX);
	for (; w->nhave < n; w->nhave++) {
		h = &w->have[w->nhave];
		pane = rd_varint(r);
		h->first = rd_varint(r);
		count = rd_varint(r);
		h->hash = rd_u64(r);
		peer_check(r->err == 0 && pane <= UINT32_MAX &&
			   count <= SYNC_TAIL_LINES_MAX);
		h->pane = (uint32_t)pane;
		h->count = (uint32_t)count;
	}
	return rd_done(r);
}

void
sync_tail_put_forget(struct buf *out, const uint32_t *panes, unsigned n)
{
	unsigned i;

	(void)buf_add_u8(out, SYNC_TAIL_FORGET);
	sync_put_varint(out, n);
	for (i = 0; i < n; i++)
		sync_put_varint(out, panes[i]);
}

int
sync_tail_get_forget(
    struct rd *r, uint32_t panes[SYNC_TAIL_PANES_MAX], unsigned *n)
{
	uint64_t count, pane;

	peer_check(rd_u8(r) == SYNC_TAIL_FORGET);
	count = rd_varint(r);
	peer_check(r->err == 0 && count <= SYNC_TAIL_PANES_MAX);
	for (*n = 0; *n < count; ++*n) {
		pane = rd_varint(r);
		peer_check(r->err == 0 && pane <= UINT32_MAX);
		panes[*n] = (uint32_t)pane;
	}
	return rd_done(r);
}

/* --- EPOCH ---------------------------------------------------------------- */

void
sync_tail_put_epoch(struct buf *out, uint32_t pane, uint64_t remade)
{
	(void)buf_add_u8(out, SYNC_TAIL_EPOCH);
	sync_put_varint(out, pane);
	sync_put_varint(out, remade + 1); /* 0: unsure */
}

int
sync_tail_get_epoch(struct rd *r, uint32_t *pane, uint64_t *remade)
{
	uint64_t n;

	peer_check(rd_u8(r) == SYNC_TAIL_EPOCH);
	n = rd_varint(r);
	*remade = rd_varint(r) - 1;
	peer_check(r->err == 0 && n <= UINT32_MAX);
	*pane = (uint32_t)n;
	return rd_done(r);
}
