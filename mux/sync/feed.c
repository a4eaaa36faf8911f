#include "mux/sync/feed.h"

#include <string.h>

#include "base/mem.h"
#include "mux/sync/cells.h"

void
sync_feed_init(struct sync_feed *f, uint32_t pane)
{
	memset(f, 0, sizeof(*f));
	f->pane = pane;
	f->good = UINT64_MAX;
}

void
sync_feed_fini(struct sync_feed *f)
{
	mem_free(f->lines);
	sync_feed_init(f, f->pane);
}

/* --- the client's lines -------------------------------------------------- */

static uint64_t
line_mark(const uint8_t *p, size_t n)
{
	return sync_tail_hash(1, p, n) << 16 | n;
}

static size_t
mark_bytes(uint64_t mark)
{
	return (size_t)(mark & 0xffff);
}

/* Keeps the lines FIRST..END-1, which the feed must have. */
static void
feed_keep(struct sync_feed *f, uint64_t first, uint64_t end)
{
	size_t skip = (size_t)(first - f->first), n = (size_t)(end - first), i;

	for (i = 0; i < skip; i++)
		f->bytes -= mark_bytes(f->lines[i]);
	for (i = skip + n; i < f->count; i++)
		f->bytes -= mark_bytes(f->lines[i]);
	if (skip > 0)
		memmove(f->lines, f->lines + skip, n * sizeof(*f->lines));
	f->first = first;
	f->count = n;
}

/* Makes room for N more marks at one end; returns where they go. */
static uint64_t *
feed_more(struct sync_feed *f, size_t n, bool front)
{
	if (f->count + n > f->cap) {
		f->cap = (f->count + n) * 5 / 4 + 16;
		f->lines = mem_resize(f->lines, f->cap, sizeof(*f->lines));
	}
	f->count += n;
	if (!front)
		return f->lines + f->count - n;
	memmove(f->lines + n, f->lines, (f->count - n) * sizeof(*f->lines));
	f->first -= n;
	return f->lines;
}

/* --- lines of the grid ---------------------------------------------------- */

/* Appends row NUM to OUT in the message's form; returns its mark. */
static uint64_t
feed_row(struct vt_grid *g, vt_row num, struct buf *out)
{
	struct buf line;
	uint64_t mark;

	buf_init(&line, BUF_MAX);
	sync_tail_encode(vt_grid_row(g, num), &line);
	sync_put_varint(out, line.len);
	(void)buf_add(out, line.data, line.len);
	mark = line_mark(line.data, line.len);
	buf_fini(&line);
	return mark;
}

/*
 * Returns how many rows from FROM on (BACK: before FROM) have at most BYTES in
 * all.
 */
static size_t
feed_fit(struct vt_grid *g, vt_row from, size_t most, bool back, size_t bytes)
{
	struct buf b;
	size_t n;

	buf_init(&b, BUF_MAX);
	for (n = 0; n < most; n++) {
		(void)feed_row(g, back ? from - 1 - n : from + n, &b);
		if (b.len > bytes)
			break;
	}
	buf_fini(&b);
	return n;
}

/* Appends the rows from FROM on to RAW, and their marks to the feed. */
static void
feed_take(struct sync_feed *f, struct vt_grid *g, vt_row from, size_t n,
    bool front, struct buf *raw)
{
	uint64_t *marks;
	size_t i;

	if (f->count == 0)
		f->first = from + (front ? n : 0);
	marks = feed_more(f, n, front);
	for (i = 0; i < n; i++) {
		marks[i] = feed_row(g, from + i, raw);
		f->bytes += mark_bytes(marks[i]);
	}
}

/* Returns the end of the rows, from FROM on, that equal the client's. */
static uint64_t
feed_same(
    const struct sync_feed *f, struct vt_grid *g, uint64_t from, uint64_t end)
{
	struct buf b;
	uint64_t num;

	buf_init(&b, BUF_MAX);
	for (num = from; num < end; num++) {
		buf_clear(&b);
		sync_tail_encode(vt_grid_row(g, num), &b);
		if (line_mark(b.data, b.len) != f->lines[num - f->first])
			break;
	}
	buf_fini(&b);
	return num;
}

/* --- the next message ---------------------------------------------------- */

/* The lines to send, from the grid's side. */
struct feed_range {
	uint64_t want;                 /* first line wanted */
	uint64_t end;                  /* one past the newest */
	uint64_t keep_first, keep_end; /* of the client's lines; empty: none */
};

/* Finds which of the client's lines are still right. */
static void
feed_compare(
    struct sync_feed *f, struct vt_grid *g, size_t limit, struct feed_range *r)
{
	uint64_t first = vt_grid_first(g), same;

	r->end = vt_grid_screen(g);
	r->want = r->end - MIN_OF((uint64_t)limit, r->end - first);
	r->keep_first = MAX_OF(f->first, r->want);
	r->keep_end = MIN_OF(MIN_OF(f->first + f->count, r->end), f->good);
	if (f->remade != vt_grid_remade(g)) {
		/* Compare all lines: the next call may want more of them. */
		f->remade = vt_grid_remade(g);
		same = feed_same(f, g, MAX_OF(f->first, first), r->keep_end);
		r->keep_end = MIN_OF(r->keep_end, same);
		if (r->keep_end < f->first + f->count)
			f->good = r->keep_end;
	}
	if (r->keep_first >= r->keep_end ||
	    r->end - r->keep_end > (uint64_t)limit)
		r->keep_first = r->keep_end = r->want;
}

static enum sync_feed_work
feed_decide(const struct sync_feed *f, const struct feed_range *r)
{
	if (r->keep_first == r->keep_end && r->want < r->end)
		return SYNC_FEED_START;
	if (r->keep_end < r->end)
		return SYNC_FEED_APPEND;
	if (f->count > 0 &&
	    (r->keep_end < f->first + f->count || r->keep_first > f->first))
		return SYNC_FEED_TRIM;
	if (r->keep_first > r->want &&
	    f->bytes + SYNC_FEED_CHUNK <= SYNC_FEED_BYTES_MAX)
		return SYNC_FEED_PREPEND;
	return SYNC_FEED_NONE;
}

enum sync_feed_work
sync_feed_work(
    struct sync_feed *f, struct vt_grid *g, size_t limit, uint64_t *behind)
{
	struct feed_range r;

	feed_compare(f, g, limit, &r);
	*behind = r.end - r.keep_end;
	return feed_decide(f, &r);
}

bool
sync_feed_right(const struct sync_feed *f, const struct vt_grid *g)
{
	return f->count == 0 ||
	       (f->remade == vt_grid_remade(g) && f->good == UINT64_MAX &&
		   f->first + f->count <= vt_grid_screen(g));
}

/*
 * Finds the lines beside the new ones that equal the client's, to pack with;
 * packing the history may have changed a row slightly. Returns their number.
 */
static uint32_t
feed_prefix(
    const struct sync_feed *f, struct vt_grid *g, bool front, struct buf *out)
{
	uint64_t end = f->first + f->count, num = f->first;
	struct buf b;
	size_t n, at;

	n = feed_fit(
	    g, front ? f->first : end, f->count, !front, SYNC_TAIL_PREFIX);
	if (front)
		for (; num < f->first + n; num++) {
			at = out->len;
			if (feed_row(g, num, out) != f->lines[num - f->first]) {
				buf_truncate(out, at);
				break;
			}
		}
	if (front)
		return (uint32_t)(num - f->first);
	buf_init(&b, BUF_MAX);
	for (num = end; num > end - n; num--) {
		buf_clear(&b);
		if (feed_row(g, num - 1, &b) != f->lines[num - 1 - f->first])
			break;
	}
	buf_fini(&b);
	n = (size_t)(end - num);
	for (; num < end; num++)
		(void)feed_row(g, num, out);
	return (uint32_t)n;
}

/* Drops the oldest lines until N bytes fit. */
static void
feed_room(struct sync_feed *f, size_t n)
{
	uint64_t end = f->first + f->count;
	size_t bytes = f->bytes, i = 0;

	while (i < f->count && bytes + n > SYNC_FEED_BYTES_MAX)
		bytes -= mark_bytes(f->lines[i++]);
	if (i > 0)
		feed_keep(f, f->first + i, end);
}

bool
sync_feed_next(struct sync_feed *f, struct vt_grid *g, size_t limit,
    struct sync_tail_lines *m, struct buf *raw, struct buf *prefix)
{
	enum sync_feed_work work;
	struct feed_range r;
	vt_row from;
	size_t n = 0;
	bool front;

	feed_compare(f, g, limit, &r);
	work = feed_decide(f, &r);
	if (work == SYNC_FEED_NONE)
		return false;
	f->good = UINT64_MAX;
	if (r.keep_first == r.keep_end)
		f->count = f->bytes = 0;
	else
		feed_keep(f, r.keep_first, r.keep_end);
	/* The newest lines go first, then older ones before them. */
	front = work == SYNC_FEED_PREPEND;
	from = work == SYNC_FEED_APPEND ? r.keep_end : r.end;
	if (front)
		from = r.keep_first;
	if (work == SYNC_FEED_APPEND)
		n = feed_fit(
		    g, from, (size_t)(r.end - from), false, SYNC_FEED_CHUNK);
	else if (work != SYNC_FEED_TRIM)
		n = feed_fit(
		    g, from, (size_t)(from - r.want), true, SYNC_FEED_CHUNK);
	if (n == 0 && work != SYNC_FEED_TRIM)
		n = 1; /* one line that is longer than a message */
	if (work == SYNC_FEED_APPEND)
		feed_room(f, SYNC_TAIL_LINE_MAX + SYNC_FEED_CHUNK);
	else
		from -= n;
	memset(m, 0, sizeof(*m));
	m->pane = f->pane;
	m->keep_first = f->count > 0 ? f->first : from;
	m->keep_end = f->count > 0 ? f->first + f->count : from;
	m->at = from;
	m->count = (uint32_t)n;
	if (n == 0)
		return true;
	m->known = feed_prefix(f, g, front, prefix);
	feed_take(f, g, from, n, front, raw);
	m->raw = (uint32_t)raw->len;
	m->hash = sync_tail_raw_hash(raw->data, raw->len);
	return true;
}

bool
sync_feed_adopt(
    struct sync_feed *f, struct vt_grid *g, const struct sync_tail_have *have)
{
	struct buf b;
	uint64_t h = 0, mark;
	uint32_t i;

	if (have->first < vt_grid_first(g) ||
	    have->first + have->count > vt_grid_screen(g))
		return false;
	f->first = have->first;
	f->count = f->bytes = 0;
	(void)feed_more(f, have->count, false);
	buf_init(&b, BUF_MAX);
	for (i = 0; i < have->count; i++) {
		buf_clear(&b);
		sync_tail_encode(vt_grid_row(g, have->first + i), &b);
		h = sync_tail_hash(h, b.data, b.len);
		mark = line_mark(b.data, b.len);
		f->lines[i] = mark;
		f->bytes += mark_bytes(mark);
	}
	buf_fini(&b);
	f->remade = vt_grid_remade(g);
	f->good = UINT64_MAX;
	if (h == have->hash)
		return true;
	f->count = f->bytes = 0;
	return false;
}
