/*
 * The tail of a pane's history at the client equals the pane's after every
 * message, whatever the pane does; bytes that are no message change nothing.
 */
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/grapheme.h"
#include "base/mem.h"
#include "mux/sync/feed.h"
#include "mux/vt/term.h"
#include "regress/chance.h"
#include "regress/unit/unit.h"

static uint64_t rng;

static unsigned
roll(unsigned n)
{
	return chance_below(&rng, n);
}

/* A pane, the server's feed for a client, and the client. */
struct duet {
	struct vt_pool *pool;
	struct grapheme_table *gt;
	struct vt_term *term;
	struct sync_feed feed;
	struct sync_tail tail;
	size_t limit;
	size_t messages, bytes;
	bool odd; /* lines that packing may change slightly */
};

static void
duet_init(struct duet *d, size_t rows, size_t limit)
{
	struct vt_term_options o = { .cols = 40, .rows = 10 };

	memset(d, 0, sizeof(*d));
	o.pool = d->pool = vt_pool_new();
	o.graphemes = d->gt = grapheme_table_new(NULL);
	o.history_rows = rows;
	d->term = vt_term_new(&o);
	d->limit = limit;
	sync_feed_init(&d->feed, 7);
	sync_tail_init(&d->tail);
}

static void
duet_fini(struct duet *d)
{
	sync_feed_fini(&d->feed);
	sync_tail_fini(&d->tail);
	vt_term_free(d->term);
	grapheme_table_free(d->gt);
	vt_pool_free(d->pool);
}

static struct vt_grid *
duet_grid(const struct duet *d)
{
	return vt_term_main_grid(d->term);
}

/* Checks that the client's line equals the pane's. */
static void
same_line(const struct duet *d, uint64_t num)
{
	struct vt_line *line = sync_tail_line(&d->tail, num);
	struct vt_line *row;

	ck_assert_ptr_nonnull(line);
	ck_assert_ptr_nonnull(vt_grid_row(duet_grid(d), num));
	row = vt_line_clone(NULL, vt_grid_row(duet_grid(d), num));
	row->flags &= (uint16_t)~VT_LINE_MARKS;
	ck_assert_msg(
	    vt_line_equal(line, row), "line %llu", (unsigned long long)num);
	vt_line_unref(NULL, line);
	vt_line_unref(NULL, row);
}

/*
 * Makes a message and applies it as the client would; returns false if none is
 * due.
 */
static bool
duet_message(struct duet *d)
{
	struct buf raw, prefix, again, wire;
	struct sync_tail_lines m, got;
	struct rd r;
	bool made;

	buf_init(&raw, SYNC_TAIL_RAW_MAX);
	buf_init(&prefix, SYNC_TAIL_PREFIX);
	buf_init(&again, SYNC_TAIL_PREFIX);
	buf_init(&wire, SYNC_TAIL_RAW_MAX + 64);
	made =
	    sync_feed_next(&d->feed, duet_grid(d), d->limit, &m, &raw, &prefix);
	if (made) {
		m.body = raw.data;
		m.len = raw.len;
		sync_tail_put_lines(&wire, &m);
		ck_assert(!wire.overflow && !prefix.overflow);
		rd_init(&r, wire.data, wire.len);
		ck_assert_int_eq(sync_tail_get_lines(&r, &got), 0);
		ck_assert_uint_eq(got.pane, 7);
		sync_tail_trim(&d->tail, &got);
		ck_assert_int_eq(sync_tail_prefix(&d->tail, &got, &again), 0);
		ck_assert_uint_eq(again.len, prefix.len);
		if (again.len > 0)
			ck_assert_mem_eq(again.data, prefix.data, again.len);
		ck_assert_int_eq(sync_tail_add(&d->tail, &got, got.body), 0);
		d->messages++;
		d->bytes += wire.len;
	}
	buf_fini(&raw);
	buf_fini(&prefix);
	buf_fini(&again);
	buf_fini(&wire);
	return made;
}

/* Compares the feed, the tail and the pane. */
static void
duet_check(const struct duet *d, bool all)
{
	struct vt_grid *g = duet_grid(d);
	uint64_t num, first = vt_grid_first(g), end = vt_grid_screen(g);
	struct vt_line *line;
	struct buf bytes;

	buf_init(&bytes, SYNC_TAIL_LINE_MAX * 2);
	ck_assert_uint_eq(d->tail.count, d->feed.count);
	ck_assert_uint_eq(d->tail.bytes, d->feed.bytes);
	ck_assert_uint_le(d->tail.count, d->limit);
	if (d->tail.count > 0) {
		ck_assert_uint_eq(d->tail.first, d->feed.first);
		ck_assert_uint_ge(d->tail.first, first);
		ck_assert_uint_le(sync_tail_end(&d->tail), end);
	}
	if (all) {
		ck_assert_uint_eq(
		    d->tail.count, MIN_OF((uint64_t)d->limit, end - first));
		ck_assert(d->tail.count == 0 || sync_tail_end(&d->tail) == end);
	}
	for (num = d->tail.first; num < sync_tail_end(&d->tail); num++) {
		line = sync_tail_line(&d->tail, num);
		buf_clear(&bytes);
		sync_tail_encode(line, &bytes);
		vt_line_unref(NULL, line);
		ck_assert_uint_eq(
		    sync_tail_hash(1, bytes.data, bytes.len) << 16 | bytes.len,
		    d->feed.lines[num - d->feed.first]);
		if (!d->odd)
			same_line(d, num);
	}
	buf_fini(&bytes);
}

static void
duet_settle(struct duet *d)
{
	uint64_t behind;
	unsigned n = 0;

	while (duet_message(d)) {
		duet_check(d, false);
		ck_assert_uint_lt(n++, 2000);
	}
	ck_assert_int_eq(
	    sync_feed_work(&d->feed, duet_grid(d), d->limit, &behind),
	    SYNC_FEED_NONE);
	ck_assert_uint_eq(behind, 0);
	duet_check(d, true);
}

static void
say(struct duet *d, const char *s)
{
	vt_term_write(d->term, s, strlen(s));
}

/* Writes a random line: long, coloured, wide, linked, marked. */
static void
any_line(struct duet *d)
{
	/* Packing may change wide characters and erased ends. */
	static const char *const words[] = { "word ", "\033[1;31mred\033[m ",
		"e\314\201 ", "\033[48;5;17m  ", "\033[7m \033[m",
		"\033]8;;http://x.example/\033\\link\033]8;;\033\\ ",
		"\033]133;A\033\\$ ",
		"0123456789012345678901234567890123456789",
		"\344\270\200\344\270\211 ",
		"\360\237\221\251\342\200\215\360\237\224\254", "\t",
		"\033[44m\033[K\033[m", "\033[2K" };
	unsigned n = roll(8), kinds = ARRAY_LEN(words) - (d->odd ? 0 : 5);

	while (n-- > 0)
		say(d, words[roll(kinds)]);
	say(d, "\r\n");
}

static void
any_change(struct duet *d)
{
	unsigned n;

	switch (roll(24)) {
	case 0:
		say(d, "\033[3J");
		break;
	case 1:
		vt_term_resize(d->term, 20 + roll(60), 4 + roll(20));
		break;
	case 2:
		/* Only the height changes: rows come back and leave again. */
		vt_term_resize(d->term, vt_term_cols(d->term), 4 + roll(30));
		break;
	case 3:
		for (n = roll(1500); n > 0; n--)
			any_line(d);
		break;
	case 4:
		say(d, roll(2) ? "\033[?1049h" : "\033[?1049l");
		break;
	case 5:
		say(d, "\033[H\033[2J");
		break;
	case 6:
		say(d, "\033c");
		break;
	case 7:
		d->limit = roll(3) == 0 ? 0 : 1 + roll(600);
		break;
	case 8:
		(void)vt_grid_settle(duet_grid(d));
		break;
	default:
		for (n = roll(40); n > 0; n--)
			any_line(d);
	}
}

START_TEST(a_tail_equals_the_panes)
{
	struct duet d;
	uint64_t behind;
	unsigned step;

	rng = (unsigned long)_i * 77 + 1;
	duet_init(
	    &d, 100 + 300 * (size_t)(_i % 8), 50 + 100 * (size_t)(_i % 8));
	d.odd = _i % 2;
	for (step = 0; step < 30 + unit_rounds(220); step++) {
		any_change(&d);
		/* Asking changes no lines. */
		if (roll(2))
			(void)sync_feed_work(
			    &d.feed, duet_grid(&d), d.limit, &behind);
		if (roll(3) > 0 && duet_message(&d))
			duet_check(&d, false);
		if (roll(8) == 0)
			duet_settle(&d);
	}
	duet_settle(&d);
	duet_fini(&d);
}
END_TEST

/* The newest lines are sent first; one more line costs one line. */
START_TEST(the_newest_lines_come_first)
{
	struct duet d;
	unsigned i;
	char text[32];
	size_t bytes;

	duet_init(&d, 5000, 2000);
	for (i = 0; i < 3000; i++) {
		snprintf(text, sizeof(text), "line %u\r\n", i);
		say(&d, text);
	}
	ck_assert(duet_message(&d));
	ck_assert_uint_eq(
	    sync_tail_end(&d.tail), vt_grid_screen(duet_grid(&d)));
	ck_assert_uint_lt(d.tail.count, 2000);
	duet_settle(&d);
	ck_assert_uint_eq(d.tail.count, 2000);
	bytes = d.bytes;
	d.messages = 0;
	say(&d, "one more\r\n");
	duet_settle(&d);
	ck_assert_uint_eq(d.messages, 1);
	ck_assert_uint_lt(d.bytes - bytes, 40);
	/* Another width moves no text here: nothing is sent again. */
	bytes = d.bytes;
	vt_term_resize(d.term, 60, 10);
	duet_settle(&d);
	ck_assert_uint_lt(d.bytes - bytes, 40);
	duet_fini(&d);
}
END_TEST

/* After a new connection only the difference is sent. */
START_TEST(what_is_held_is_not_sent_again)
{
	struct sync_tail_want w = { .lines = 500, .nhave = 1 }, got;
	struct duet d;
	struct buf b;
	struct rd r;
	size_t bytes;
	unsigned i;

	rng = 5;
	duet_init(&d, 2000, 500);
	for (i = 0; i < 700; i++)
		any_line(&d);
	duet_settle(&d);
	w.have[0].pane = 7;
	w.have[0].first = d.tail.first;
	w.have[0].count = (uint32_t)d.tail.count;
	w.have[0].hash = sync_tail_hash_all(&d.tail);
	buf_init(&b, 4096);
	sync_tail_put_want(&b, &w);
	rd_init(&r, b.data, b.len);
	ck_assert_int_eq(sync_tail_get_want(&r, &got), 0);
	ck_assert_uint_eq(got.lines, 500);
	ck_assert_uint_eq(got.nhave, 1);
	ck_assert_mem_eq(&got.have[0], &w.have[0], sizeof(w.have[0]));
	any_line(&d);
	sync_feed_fini(&d.feed);
	ck_assert(sync_feed_adopt(&d.feed, duet_grid(&d), &got.have[0]));
	bytes = d.bytes;
	duet_settle(&d);
	ck_assert_uint_lt(d.bytes - bytes, 400);

	/* Another pane with that number, or none. */
	got.have[0].hash++;
	sync_feed_fini(&d.feed);
	ck_assert(!sync_feed_adopt(&d.feed, duet_grid(&d), &got.have[0]));
	duet_settle(&d);
	got.have[0].first = 1;
	got.have[0].count = SYNC_TAIL_LINES_MAX;
	ck_assert(!sync_feed_adopt(&d.feed, duet_grid(&d), &got.have[0]));
	buf_fini(&b);
	duet_fini(&d);
}
END_TEST

/* The vector of doc/PROTOCOL.md. */
START_TEST(bytes_of_a_message)
{
	static const uint8_t body[] = { 4, 0, 'l', 's', 9 };
	struct sync_tail_lines m = { .pane = 7,
		.keep_first = 40,
		.keep_end = 40,
		.at = 40,
		.count = 1,
		.raw = sizeof(body),
		.body = body,
		.len = sizeof(body) };
	struct vt_line *line = vt_line_new(NULL);
	struct buf b;
	char hex[128];
	size_t i;

	vt_line_put_ascii(line, 0, (const uint8_t *)"ls", 2, 0);
	buf_init(&b, 256);
	sync_tail_encode(line, &b);
	ck_assert_uint_eq(b.len, 4);
	ck_assert_mem_eq(b.data, body + 1, 4);
	vt_line_unref(NULL, line);
	buf_clear(&b);
	m.hash = sync_tail_raw_hash(body, sizeof(body));
	sync_tail_put_lines(&b, &m);
	for (i = 0; i < b.len; i++)
		snprintf(hex + 2 * i, 3, "%02x", b.data[i]);
	ck_assert_str_eq(hex, "0207280028010500005cc68ba604006c7309");
	buf_fini(&b);
}
END_TEST

START_TEST(forget_and_its_bounds)
{
	uint32_t panes[SYNC_TAIL_PANES_MAX] = { 1, 0, 4000000000u }, n;
	unsigned got;
	struct buf b;
	struct rd r;

	buf_init(&b, 4096);
	sync_tail_put_forget(&b, panes, 3);
	memset(panes, 0, sizeof(panes));
	rd_init(&r, b.data, b.len);
	ck_assert_int_eq(sync_tail_get_forget(&r, panes, &got), 0);
	ck_assert_uint_eq(got, 3);
	ck_assert_uint_eq(panes[0], 1);
	ck_assert_uint_eq(panes[2], 4000000000u);
	for (n = 0; n < b.len; n++) {
		rd_init(&r, b.data, n);
		ck_assert_int_ne(sync_tail_get_forget(&r, panes, &got), 0);
	}
	buf_fini(&b);
}
END_TEST

/* Changed bytes are detected and leave the tail intact. */
START_TEST(damage_is_refused)
{
	struct buf raw, prefix;
	struct sync_tail_lines m;
	struct sync_tail t;
	struct duet d;
	unsigned i;

	duet_init(&d, 500, 400);
	for (i = 0; i < 100; i++)
		any_line(&d);
	buf_init(&raw, SYNC_TAIL_RAW_MAX);
	buf_init(&prefix, SYNC_TAIL_PREFIX);
	ck_assert(
	    sync_feed_next(&d.feed, duet_grid(&d), d.limit, &m, &raw, &prefix));
	sync_tail_init(&t);
	for (i = 0; i < raw.len; i += 7) {
		raw.data[i] ^= 0x41;
		ck_assert_int_eq(sync_tail_add(&t, &m, raw.data), -ERR_PEER);
		m.hash = sync_tail_raw_hash(raw.data, raw.len);
		if (sync_tail_add(&t, &m, raw.data) != 0)
			ck_assert_uint_eq(t.count, 0);
		sync_tail_fini(&t);
		raw.data[i] ^= 0x41;
		m.hash = sync_tail_raw_hash(raw.data, raw.len);
	}
	ck_assert_int_eq(sync_tail_add(&t, &m, raw.data), 0);
	/* Lines that are not beside the existing ones. */
	ck_assert_int_eq(
	    (m.at += 1000, sync_tail_add(&t, &m, raw.data)), -ERR_PEER);
	sync_tail_fini(&t);
	buf_fini(&raw);
	buf_fini(&prefix);
	duet_fini(&d);
}
END_TEST

UNIT_SUITE(sync_tail)
{
	Suite *s = suite_create("sync_tail");
	TCase *tc = tcase_create("tail");

	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(tc, a_tail_equals_the_panes, 0, 16);
	tcase_add_test(tc, the_newest_lines_come_first);
	tcase_add_test(tc, what_is_held_is_not_sent_again);
	tcase_add_test(tc, bytes_of_a_message);
	tcase_add_test(tc, forget_and_its_bounds);
	tcase_add_test(tc, damage_is_refused);
	suite_add_tcase(s, tc);
	return s;
}
