/*
 * Any bytes as a sequence of messages to one tail, each after two bytes of
 * length.
 */
#include "base/err.h"
#include "mux/sync/opening.h"
#include "mux/sync/tail.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
lines(struct sync_tail *t, const uint8_t *p, size_t n)
{
	struct sync_tail_lines m;
	struct buf prefix;
	struct rd r;

	rd_init(&r, p, n);
	if (sync_tail_get_lines(&r, &m) != 0)
		return;
	sync_tail_trim(t, &m);
	buf_init(&prefix, SYNC_TAIL_PREFIX);
	if (sync_tail_prefix(t, &m, &prefix) == 0)
		bug_assert(!prefix.overflow);
	buf_fini(&prefix);
	if (m.count == 0 || m.form != 0)
		return;
	/* Skip the check of the hash. */
	m.hash = sync_tail_raw_hash(m.body, m.raw);
	if (sync_tail_add(t, &m, m.body) != 0)
		return;
}

/* The length of a plain body is not checked: most inputs would end there. */
static void
opening(const uint8_t *p, size_t n)
{
	struct sync_opening_message m;
	struct sync_opening o = { 0 };
	struct buf again;
	struct rd r;

	rd_init(&r, p, n);
	if (sync_opening_get_message(&r, &m) == 0)
		bug_assert(m.raw <= SYNC_OPENING_MAX);
	if (n < 3 || sync_opening_get(p + 2, n - 2, &o) != 0)
		return;
	bug_assert(o.state != NULL && (o.setup != NULL || o.asks == NULL));
	buf_init(&again, BUF_MAX);
	bug_assert(sync_opening_put(&again, &o));
	bug_assert(again.len <= n - 2);
	buf_fini(&again);
	sync_opening_fini(&o);
}

static void
check(const struct sync_tail *t)
{
	struct vt_line *line;
	uint64_t num;

	bug_assert(t->count <= SYNC_TAIL_LINES_MAX);
	bug_assert(t->bytes <= SYNC_TAIL_BYTES_MAX);
	for (num = t->first; num < sync_tail_end(t); num++) {
		line = sync_tail_line(t, num);
		bug_assert(line != NULL && vt_line_check(line) == NULL);
		vt_line_unref(NULL, line);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint32_t panes[SYNC_TAIL_PANES_MAX];
	struct sync_tail_want w;
	struct sync_tail t;
	struct rd all, r;
	const uint8_t *p;
	unsigned count;
	size_t n;

	sync_tail_init(&t);
	rd_init(&all, data, size);
	while (rd_left(&all) > 2) {
		n = rd_u16(&all);
		n = MIN_OF(n, rd_left(&all));
		p = rd_bytes(&all, n);
		lines(&t, p, n);
		opening(p, n);
		rd_init(&r, p, n);
		if (sync_tail_get_want(&r, &w) == 0)
			bug_assert(w.nhave <= SYNC_TAIL_PANES_MAX);
		rd_init(&r, p, n);
		if (sync_tail_get_forget(&r, panes, &count) == 0)
			bug_assert(count <= SYNC_TAIL_PANES_MAX);
	}
	check(&t);
	(void)sync_tail_hash_all(&t);
	sync_tail_fini(&t);
	return 0;
}
