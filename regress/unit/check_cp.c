/* Copies of files: the messages, the progress, and a hostile sender. */
#include <sys/stat.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/cp/progress.h"
#include "client/cp/take.h"
#include "client/cp/wire.h"
#include "regress/unit/unit.h"

static struct cp_msg
named(enum cp_kind kind, const char *path)
{
	return (struct cp_msg){ .kind = kind,
		.path = path,
		.npath = strlen(path),
		.mode = 0644,
		.time = UINT64_C(1700000000000000001) };
}

static struct cp_msg
with_text(enum cp_kind kind, const char *text)
{
	return (struct cp_msg){ .kind = kind,
		.text = (const uint8_t *)text,
		.ntext = strlen(text) };
}

START_TEST(messages_come_back)
{
	struct cp_msg all[12], m;
	struct buf b;
	size_t i, n, used;

	all[0] = (struct cp_msg){ .kind = CP_HELLO, .number = CP_VERSION };
	all[1] = with_text(CP_SAY, "a: no");
	all[2] = (struct cp_msg){ .kind = CP_DONE, .number = 3 };
	all[3] = (struct cp_msg){ .kind = CP_TOTAL,
		.id = 2,
		.number = 70000,
		.size = UINT64_C(1) << 40 };
	all[4] = named(CP_DIR, "a/b");
	all[5] = named(CP_FILE, "a/b/c d");
	all[5].id = 9;
	all[5].size = UINT64_C(1) << 40;
	all[6] = named(CP_LINK, "a/l");
	all[6].mode = 0;
	all[6].time = 0;
	all[6].text = (const uint8_t *)"../x";
	all[6].ntext = 4;
	all[7] = (struct cp_msg){ .kind = CP_START, .id = 9, .number = 65536 };
	all[8] = with_text(CP_DATA, "bytes");
	all[9] = (struct cp_msg){ .kind = CP_END, .id = 9, .number = 1 };
	all[10] = with_text(CP_GO, "hash");
	all[10].id = 9;
	all[10].number = 65536;
	all[11] = (struct cp_msg){ .kind = CP_SKIP, .id = 10 };
	for (i = 0; i < ARRAY_LEN(all); i++) {
		buf_init(&b, 1024);
		cp_put(&b, &all[i]);
		for (n = 0; n < b.len; n++)
			ck_assert_int_eq(
			    cp_get(b.data, n, &m, &used), -ERR_AGAIN);
		ck_assert_int_eq(cp_get(b.data, b.len, &m, &used), 0);
		ck_assert_uint_eq(used, b.len);
		ck_assert_int_eq(m.kind, all[i].kind);
		ck_assert_uint_eq(m.id, all[i].id);
		ck_assert_uint_eq(m.number, all[i].number);
		ck_assert_uint_eq(m.size, all[i].size);
		ck_assert_uint_eq(m.mode, all[i].mode);
		ck_assert_uint_eq(m.time, all[i].time);
		ck_assert_uint_eq(m.npath, all[i].npath);
		ck_assert_uint_eq(m.ntext, all[i].ntext);
		if (m.npath > 0)
			ck_assert_mem_eq(m.path, all[i].path, m.npath);
		if (m.ntext > 0)
			ck_assert_mem_eq(m.text, all[i].text, m.ntext);
		buf_fini(&b);
	}
}
END_TEST

/* The vectors of doc/PROTOCOL.md. */
START_TEST(bytes_of_messages)
{
	static const uint8_t file[] = { 0x11, 6, 1, 2, 0x41, 0xa4, 0x17, 0x97,
		0x9c, 0xfe, 0x36, 0x2a, 0x00, 0x01, 3, 'a', '/', 'b' };
	struct cp_msg m = named(CP_FILE, "a/b");
	struct buf b;

	m.id = 1;
	m.size = 2;
	buf_init(&b, 64);
	cp_put(&b, &m);
	ck_assert_uint_eq(b.len, sizeof(file));
	ck_assert_mem_eq(b.data, file, sizeof(file));
	buf_fini(&b);
}
END_TEST

START_TEST(malformed_messages)
{
	static const struct {
		const char *bytes;
		size_t n;
	} bad[] = {
		{ "\x00", 1 },                 /* no kind */
		{ "\x01\x00", 2 },             /* kind 0 */
		{ "\x01\x0d", 2 },             /* a kind of the future */
		{ "\x01\x04", 2 },             /* TOTAL without numbers */
		{ "\x04\x07\x05\x61\x62", 5 }, /* a path beyond the message */
		{ "\x03\x07\x01\x00", 4 },     /* a NUL in a path */
		{ "\x80\xff\xff\xff", 4 },     /* too long */
	};
	struct cp_msg m;
	size_t i, used;

	for (i = 0; i < ARRAY_LEN(bad); i++)
		ck_assert_msg(cp_get((const uint8_t *)bad[i].bytes, bad[i].n,
				  &m, &used) == -ERR_PEER,
		    "row %zu", i);
}
END_TEST

START_TEST(paths)
{
	static const char *const good[] = { "a", "a/b", "...", ".a", "a/..b",
		"-x", "a b/c" };
	static const char *const bad[] = { "", "/", "/a", "a/", "a//b", ".",
		"..", "a/..", "../a", "a/./b" };
	char deep[CP_PATH_MAX + 1];
	size_t i;

	for (i = 0; i < ARRAY_LEN(good); i++)
		ck_assert_msg(
		    cp_path_ok(good[i], strlen(good[i])), "%s", good[i]);
	for (i = 0; i < ARRAY_LEN(bad); i++)
		ck_assert_msg(
		    !cp_path_ok(bad[i], strlen(bad[i])), "%s", bad[i]);
	ck_assert(!cp_path_ok("a\0b", 3));
	memset(deep, 'a', sizeof(deep));
	ck_assert(cp_path_ok(deep, CP_PATH_MAX - 1));
	ck_assert(!cp_path_ok(deep, CP_PATH_MAX));
}
END_TEST

START_TEST(progress)
{
	struct cp_progress p;
	struct grapheme_table *gt = grapheme_table_new(NULL);
	char line[CP_LINE_MAX];

	cp_progress_init(&p, 1000);
	p.bytes = 10000000;
	ck_assert(!cp_progress_add(&p, 1100, 100000, false));
	ck_assert(p.rate < 1);
	ck_assert(cp_progress_add(&p, 2000, 1000000, true));
	ck_assert(p.rate > 999999 && p.rate < 1000001);
	cp_progress_line(&p, gt, 4999, "a\x1b[31m", 60, line);
	ck_assert_str_eq(
	    line, "a\\033[31m                 11%     1.0 MB/s      0:09 left");
	/* Nothing for three seconds and more. */
	cp_progress_line(&p, gt, 5000, "a", 60, line);
	ck_assert_str_eq(
	    line, "a                         11%  no progress for 0:03");
	/* Whole clusters, in the cells that they take. */
	cp_progress_line(
	    &p, gt, 72000, "\xe6\x97\xa5\xe6\x9c\xac.tar", 44, line);
	ck_assert_str_eq(
	    line, "\xe6\x97\xa5\xe6\x9c\xac.tar  11%  no progress for 1:10");
	cp_progress_line(&p, gt, 72000, "1234567\xe6\x97\xa5", 44, line);
	ck_assert_str_eq(line, "1234567   11%  no progress for 1:10");
	p.files_done = 1;
	cp_progress_sum(&p, 3000, line);
	ck_assert_str_eq(
	    line, "1 file, 1.1 MB (1.0 MB copied in 2.0 s, 500.0 kB/s)");
	p.bytes = 0;
	p.done = 0;
	cp_progress_line(&p, gt, 2000, "", 10, line);
	ck_assert_uint_lt(strlen(line), 60);
	grapheme_table_free(gt);
}
END_TEST

/* --- a hostile sender ------------------------------------------------------- */

struct place {
	char top[64]; /* holds "in", the folder to copy to, and "out" */
	char in[80];
	char out[80];
};

static void
place_make(struct place *p)
{
	snprintf(p->top, sizeof(p->top), "/tmp/rmux-check-cp-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(p->top));
	snprintf(p->in, sizeof(p->in), "%s/in", p->top);
	snprintf(p->out, sizeof(p->out), "%s/out", p->top);
	ck_assert_int_eq(mkdir(p->in, 0700), 0);
	ck_assert_int_eq(mkdir(p->out, 0700), 0);
}

static bool
there(const struct place *p, const char *name)
{
	char path[256];
	struct stat st;

	snprintf(path, sizeof(path), "%s/%s", p->top, name);
	return lstat(path, &st) == 0;
}

static void
place_remove(const struct place *p)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf '%s'", p->top);
	ck_assert_int_eq(system(command), 0);
}

/* Lets the taker have the messages in B; returns its exit code. */
static int
takes(const struct place *p, struct buf *b, bool recurse,
    const char *const *names)
{
	const int null = open("/dev/null", O_RDWR);
	int pipes[2], r;

	ck_assert_int_eq(pipe(pipes), 0);
	ck_assert_int_eq(write(pipes[1], b->data, b->len), (ssize_t)b->len);
	close(pipes[1]);
	r = cp_take(&(const struct cp_take_cfg){ .in = pipes[0],
	    .out = null,
	    .to = p->in,
	    .recurse = recurse,
	    .names = names });
	close(pipes[0]);
	close(null);
	buf_clear(b);
	return r;
}

static void
put_file(struct buf *b, uint64_t id, const char *path, const char *bytes)
{
	struct cp_msg m = named(CP_FILE, path);

	m.id = id;
	m.size = strlen(bytes);
	cp_put(b, &m);
	m = (struct cp_msg){ .kind = CP_START, .id = id };
	cp_put(b, &m);
	m = with_text(CP_DATA, bytes);
	cp_put(b, &m);
	m = (struct cp_msg){ .kind = CP_END, .id = id };
	cp_put(b, &m);
}

static void
put_begin(struct buf *b)
{
	const struct cp_msg m = { .kind = CP_TOTAL, .id = 2, .number = 1 };

	cp_put(b, &m);
}

static void
put_end(struct buf *b)
{
	const struct cp_msg m = { .kind = CP_DONE };

	cp_put(b, &m);
}

static void
put_link(struct buf *b, const char *path, const char *to)
{
	struct cp_msg m = named(CP_LINK, path);

	m.text = (const uint8_t *)to;
	m.ntext = strlen(to);
	cp_put(b, &m);
}

START_TEST(takes_what_was_asked_for)
{
	static const char *const names[] = { "a*", NULL };
	struct cp_msg m;
	struct place p;
	struct buf b;

	place_make(&p);
	buf_init(&b, 60000);
	put_begin(&b);
	m = named(CP_DIR, "ab");
	m.mode = 0755;
	cp_put(&b, &m);
	put_file(&b, 0, "ab/c", "bytes");
	put_link(&b, "ab/l", "../../out");
	put_end(&b);
	ck_assert_int_eq(takes(&p, &b, true, names), 0);
	ck_assert(there(&p, "in/ab/c") && there(&p, "in/ab/l"));
	/* Another name: a file of the user's own would be lost. */
	put_begin(&b);
	put_file(&b, 0, ".bashrc", "bytes");
	put_end(&b);
	ck_assert_int_eq(takes(&p, &b, true, names), 2);
	ck_assert(!there(&p, "in/.bashrc"));
	/* Neither folders nor links without -r. */
	put_begin(&b);
	cp_put(&b, &m);
	put_end(&b);
	ck_assert_int_eq(takes(&p, &b, false, names), 2);
	put_begin(&b);
	put_link(&b, "ax", "/tmp");
	put_end(&b);
	ck_assert_int_eq(takes(&p, &b, false, names), 2);
	ck_assert(!there(&p, "in/ax"));
	buf_fini(&b);
	place_remove(&p);
}
END_TEST

START_TEST(follows_no_link)
{
	struct cp_msg m;
	struct place p;
	struct buf b;

	place_make(&p);
	buf_init(&b, 60000);
	/* Through a link that it has made itself. */
	put_begin(&b);
	put_link(&b, "l", p.out);
	put_file(&b, 0, "l/x", "bytes");
	put_end(&b);
	ck_assert_int_ne(takes(&p, &b, true, NULL), 0);
	ck_assert(!there(&p, "out/x"));
	/* A folder in the place of the link. */
	put_begin(&b);
	m = named(CP_DIR, "l");
	cp_put(&b, &m);
	m = named(CP_DIR, "l/d");
	cp_put(&b, &m);
	put_end(&b);
	ck_assert_int_ne(takes(&p, &b, true, NULL), 0);
	ck_assert(!there(&p, "out/d"));
	/* A file of the link's name takes the link's place. */
	put_begin(&b);
	put_link(&b, "f", "../out/y");
	put_file(&b, 0, "f", "bytes");
	put_end(&b);
	ck_assert_int_eq(takes(&p, &b, true, NULL), 0);
	ck_assert(!there(&p, "out/y") && there(&p, "in/f"));
	buf_fini(&b);
	place_remove(&p);
}
END_TEST

START_TEST(out_of_turn)
{
	const struct cp_msg start = { .kind = CP_START };
	const struct cp_msg later = { .kind = CP_START, .id = 7 };
	const struct cp_msg far_on = { .kind = CP_START, .number = 1 << 20 };
	const struct cp_msg end = { .kind = CP_END };
	const struct cp_msg data = with_text(CP_DATA, "bytes");
	struct cp_msg file = named(CP_FILE, "f");
	const struct {
		const struct cp_msg *m[4];
	} rows[] = {
		{ { &data } },
		{ { &start } },
		{ { &end } },
		{ { &file, &data } },
		{ { &file, &end } },
		{ { &file, &later } },
		{ { &file, &far_on } },
		{ { &file, &start, &start } },
		{ { &file, &file } },
	};
	struct place p;
	struct buf b;
	size_t i, j;

	place_make(&p);
	buf_init(&b, 60000);
	file.size = 5;
	for (i = 0; i < ARRAY_LEN(rows); i++) {
		put_begin(&b);
		for (j = 0; j < 4 && rows[i].m[j] != NULL; j++)
			cp_put(&b, rows[i].m[j]);
		put_end(&b);
		ck_assert_msg(takes(&p, &b, true, NULL) == 2, "row %zu", i);
		ck_assert(!there(&p, "in/f"));
	}
	/* Before TOTAL there is no folder. */
	cp_put(&b, &file);
	ck_assert_int_eq(takes(&p, &b, true, NULL), 2);
	buf_fini(&b);
	place_remove(&p);
}
END_TEST

UNIT_SUITE(cp)
{
	Suite *s = suite_create("cp");
	TCase *tc = tcase_create("cp");

	tcase_add_test(tc, messages_come_back);
	tcase_add_test(tc, bytes_of_messages);
	tcase_add_test(tc, malformed_messages);
	tcase_add_test(tc, paths);
	tcase_add_test(tc, progress);
	tcase_add_test(tc, takes_what_was_asked_for);
	tcase_add_test(tc, follows_no_link);
	tcase_add_test(tc, out_of_turn);
	suite_add_tcase(s, tc);
	return s;
}
