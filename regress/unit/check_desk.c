/*
 * The desk: requests and answers, names, URLs and questions; a hostile sender of
 * files.
 */
#include <sys/stat.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "client/cp/take.h"
#include "client/cp/wire.h"
#include "client/desk/desk.h"
#include "regress/unit/unit.h"

/* Makes a request of one name; returns what decoding says. */
static int
decodes(enum desk_what what, const char *name, struct desk_request *out)
{
	struct desk_request q = { .what = what, .files = 3, .bytes = 4000 };
	struct buf b;
	int e;

	buf_init(&b, DESK_FRAME_MAX);
	q.names[q.n++] = mem_strdup(name);
	desk_request_put(&b, &q);
	e = desk_request_get(out, b.data, b.len);
	buf_fini(&b);
	desk_request_fini(&q);
	return e;
}

START_TEST(requests_come_back)
{
	struct desk_request q;

	ck_assert_int_eq(decodes(DESK_SAVE, "a b", &q), 0);
	ck_assert_uint_eq(q.what, DESK_SAVE);
	ck_assert_uint_eq(q.files, 3);
	ck_assert_uint_eq(q.bytes, 4000);
	ck_assert_uint_eq(q.n, 1);
	ck_assert_str_eq(q.names[0], "a b");
	ck_assert_ptr_null(q.names[1]);
	desk_request_fini(&q);
	ck_assert_int_eq(decodes(DESK_READ, "a/b", &q), 0);
	desk_request_fini(&q);
	ck_assert_int_eq(decodes(DESK_OPEN, "HTTPS://x", &q), 0);
	desk_request_fini(&q);
}
END_TEST

START_TEST(hostile_requests)
{
	static const struct {
		enum desk_what what;
		const char *name;
	} rows[] = {
		{ DESK_SAVE, ".." },
		{ DESK_SAVE, "." },
		{ DESK_SAVE, "a/b" },
		{ DESK_SAVE, "/etc/passwd" },
		{ DESK_SAVE, "a\nb" },
		{ DESK_SAVE, "a\x1b[2J" },
		{ DESK_SHOW, "../x" },
		{ DESK_READ, "../x" },
		{ DESK_READ, "a/../../x" },
		{ DESK_READ, "/x" },
		{ DESK_OPEN, "-x" },
		{ DESK_OPEN, "file:///x" },
		{ DESK_OPEN, "javascript:x" },
		{ DESK_OPEN, "http://" },
		{ DESK_OPEN, "http://a b" },
		{ DESK_OPEN, "http://a\x7f" },
		{ DESK_OPEN, "http://\xc3\xa4" },
		{ DESK_OPEN, "x http://a" },
		{ (enum desk_what)6, "x" },
		{ DESK_PASTE, "../x" },
		{ (enum desk_what)0, "x" },
	};
	struct desk_request q;
	uint8_t bytes[64] = { DESK_VERSION + 1, DESK_SAVE };
	size_t i;

	for (i = 0; i < ARRAY_LEN(rows); i++) {
		ck_assert_msg(
		    decodes(rows[i].what, rows[i].name, &q) == -ERR_PEER,
		    "row %zu", i);
		ck_assert_uint_eq(q.n, 0);
	}
	ck_assert_int_eq(
	    desk_request_get(&q, bytes, sizeof(bytes)), -ERR_UNSUPPORTED);
	ck_assert_int_eq(desk_request_get(&q, bytes, 0), -ERR_PEER);
}
END_TEST

START_TEST(answers_come_back)
{
	struct desk_answer a = { true, "two\nlines", 9 };
	struct buf b;
	size_t n;

	buf_init(&b, 100);
	desk_answer_put(&b, &a);
	memset(&a, 0, sizeof(a));
	ck_assert_int_eq(desk_answer_get(&a, b.data, b.len), 0);
	ck_assert(a.ok && a.ntext == 9 && memcmp(a.text, "two", 3) == 0);
	for (n = 0; n < b.len; n++)
		ck_assert_int_eq(desk_answer_get(&a, b.data, n), -ERR_PEER);
	buf_fini(&b);
}
END_TEST

static void
name_is(const char *name, unsigned n, const char *want)
{
	char *got = desk_name_new(name, n);

	ck_assert_str_eq(got, want);
	mem_free(got);
}

START_TEST(names_of_their_own)
{
	char longest[256], *got;

	name_is("a.txt", 1, "a.txt");
	name_is("a.txt", 2, "a (2).txt");
	name_is("a.tar.gz", 12, "a.tar (12).gz");
	name_is("a", 2, "a (2)");
	name_is(".profile", 2, ".profile (2)");
	memset(longest, 'x', sizeof(longest) - 1);
	longest[255] = '\0';
	memcpy(longest + 251, ".txt", 4);
	got = desk_name_new(longest, 2);
	ck_assert_uint_eq(strlen(got), 255);
	ck_assert_str_eq(got + 247, " (2).txt");
	mem_free(got);
	/* Whole characters. */
	memset(longest, 0xc3, sizeof(longest) - 1);
	for (size_t i = 1; i < 254; i += 2)
		longest[i] = (char)0xa4;
	longest[254] = '\0';
	got = desk_name_new(longest, 2);
	ck_assert_uint_eq(strlen(got), 250 + 4);
	mem_free(got);
	/* All of it is an extension. */
	longest[0] = 'a';
	longest[1] = '.';
	got = desk_name_new(longest, 2);
	ck_assert_uint_le(strlen(got), 255);
	mem_free(got);
}
END_TEST

START_TEST(questions)
{
	struct desk_request q = { .what = DESK_SAVE };
	char text[DESK_ASK_TEXT], url[2000];
	size_t i;

	q.names[q.n++] = mem_strdup("a\xc3\xa4.txt");
	q.names[q.n++] = mem_strdup("b");
	desk_question(&q, "~/Downloads", 2, 3100000, text);
	ck_assert_str_eq(
	    text, "wants to save 2 files (3.1 MB) in ~/Downloads: a??.txt, b");
	for (i = q.n; i < DESK_NAMES_MAX; i++)
		q.names[q.n++] = mem_printf("%0200zu", i);
	desk_question(&q, "/f", 1, 12, text);
	ck_assert_ptr_nonnull(strstr(text, "1 file (12 B) in /f"));
	ck_assert_ptr_nonnull(strstr(text, "..., ..."));
	ck_assert_uint_lt(strlen(text), 300);
	desk_request_fini(&q);
	q.what = DESK_OPEN;
	memset(url, 'u', sizeof(url));
	url[sizeof(url) - 1] = '\0';
	q.names[q.n++] = url;
	desk_question(&q, "/f", 0, 0, text);
	ck_assert_uint_lt(strlen(text), 200);
	for (i = 0; text[i] != '\0'; i++)
		ck_assert(text[i] >= ' ' && text[i] < 127);
}
END_TEST

static void
path_is(const char *line, const char *want)
{
	char *got = desk_file_new(line);

	if (want == NULL)
		ck_assert_ptr_null(got);
	else
		ck_assert_str_eq(got, want);
	mem_free(got);
}

START_TEST(lists_of_files)
{
	path_is("file:///a%20b%2fc\r", "/a b/c");
	path_is("FILE://localhost/x", "/x");
	path_is("file:///x%", "/x%");
	path_is("file:///x%4", "/x%4");
	path_is("file:///x%zz", "/x%zz");
	path_is("file://host/x", NULL);
	path_is("http://x", NULL);
	path_is("# file:///x", NULL);
	path_is("", NULL);
}
END_TEST

START_TEST(policies)
{
	enum desk_policy p = DESK_ON;

	ck_assert(desk_policy_parse("ask", &p) && p == DESK_ASK);
	ck_assert(desk_policy_parse("on", &p) && p == DESK_ON);
	ck_assert(desk_policy_parse("off", &p) && p == DESK_OFF);
	ck_assert(!desk_policy_parse("yes", &p) && !desk_policy_parse("", &p));
}
END_TEST

/* --- a hostile sender ------------------------------------------------------- */

static char top[64];

static void
setup(void)
{
	snprintf(top, sizeof(top), "/tmp/rmux-check-desk-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(top));
}

static void
teardown(void)
{
	char command[96];

	snprintf(command, sizeof(command), "rm -rf '%s'", top);
	ck_assert_int_eq(system(command), 0);
}

static bool
there(const char *name)
{
	char path[256];
	struct stat st;

	snprintf(path, sizeof(path), "%s/%s", top, name);
	return lstat(path, &st) == 0;
}

/* Puts a named message, and the bytes of a file. */
static void
put(struct buf *b, enum cp_kind kind, uint64_t id, const char *path,
    const char *text)
{
	struct cp_msg m = { .kind = kind,
		.id = id,
		.path = path,
		.npath = strlen(path),
		.mode = 0700 };

	m.text = (const uint8_t *)text;
	m.ntext = strlen(text);
	m.size = m.ntext;
	cp_put(b, &m);
	if (kind != CP_FILE)
		return;
	cp_put(b, &(const struct cp_msg){ .kind = CP_START, .id = id });
	m.kind = CP_DATA;
	cp_put(b, &m);
	cp_put(b, &(const struct cp_msg){ .kind = CP_END, .id = id });
}

static int
takes(struct buf *b, const char *const *names)
{
	const int null = open("/dev/null", O_RDWR);
	int pipes[2], r;

	ck_assert_int_eq(pipe(pipes), 0);
	ck_assert_int_eq(write(pipes[1], b->data, b->len), (ssize_t)b->len);
	close(pipes[1]);
	r = cp_take(&(const struct cp_take_cfg){ .in = pipes[0],
	    .out = null,
	    .to = top,
	    .recurse = true,
	    .names = names,
	    .plain = true,
	    .most_files = 2,
	    .most_bytes = 10 });
	close(pipes[0]);
	close(null);
	buf_clear(b);
	return r;
}

static void
put_total(struct buf *b)
{
	cp_put(b,
	    &(const struct cp_msg){ .kind = CP_TOTAL, .id = 2, .number = 1 });
}

START_TEST(a_hostile_sender)
{
	static const char *const names[] = { "*", "a", NULL };
	const struct cp_msg done = { .kind = CP_DONE };
	struct buf b;

	buf_init(&b, 60000);
	put_total(&b);
	put(&b, CP_DIR, 0, "a", "");
	put(&b, CP_FILE, 0, "a/f", "bytes");
	put(&b, CP_LINK, 0, "a/l", "/etc");
	put(&b, CP_DIR, 0, "a/x\x1b", "");
	cp_put(&b, &done);
	/* Two that it refuses are told, the rest is there. */
	ck_assert_int_eq(takes(&b, names), 1);
	ck_assert(there("a/f") && !there("a/l") && !there("a/x\x1b"));
	/* A pattern is a name. */
	put_total(&b);
	put(&b, CP_FILE, 0, "other", "bytes");
	cp_put(&b, &done);
	ck_assert_int_eq(takes(&b, names), 2);
	ck_assert(!there("other"));
	/* More bytes than the user has heard of. */
	put_total(&b);
	put(&b, CP_FILE, 0, "a/big", "eleven bytes");
	cp_put(&b, &done);
	ck_assert_int_eq(takes(&b, names), 2);
	ck_assert(!there("a/big"));
	buf_fini(&b);
}
END_TEST

UNIT_SUITE(desk)
{
	Suite *s = suite_create("desk");
	TCase *tc = tcase_create("desk");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, requests_come_back);
	tcase_add_test(tc, hostile_requests);
	tcase_add_test(tc, answers_come_back);
	tcase_add_test(tc, names_of_their_own);
	tcase_add_test(tc, questions);
	tcase_add_test(tc, lists_of_files);
	tcase_add_test(tc, policies);
	tcase_add_test(tc, a_hostile_sender);
	suite_add_tcase(s, tc);
	return s;
}
