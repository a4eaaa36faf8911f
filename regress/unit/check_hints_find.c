/* The texts that hints find in a line, and their labels. */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "mux/mode/hints_find.h"
#include "mux/mode/hints_label.h"
#include "regress/chance.h"
#include "regress/unit/unit.h"

#define ALL ((1U << HINT_KINDS) - 1)

static const struct {
	const char *line;
	const char *hints;
} lines[] = {
#define L(line, hints) { line, hints },
#include "regress/unit/hints_lines.def"
#undef L
};

/* The hints of a line as in hints_lines.def. */
static char *
found(const char *s, size_t n, unsigned kinds)
{
	struct hint_line l;
	struct hint_span span;
	struct buf b;

	buf_init(&b, BUF_MAX);
	hints_find_start(&l, s, n, kinds);
	while (hints_find(&l, &span)) {
		ck_assert(span.start < span.end && span.end <= n);
		(void)buf_addf(&b, "%s%s %.*s", b.len == 0 ? "" : "\n",
		    hint_kind_name(span.kind), (int)(span.end - span.start),
		    s + span.start);
	}
	return buf_steal(&b, NULL);
}

START_TEST(lines_of_programs)
{
	const char *line;
	char *got;
	size_t i;

	for (i = 0; i < ARRAY_LEN(lines); i++) {
		line = lines[i].line;
		got = found(line, strlen(line), ALL);
		ck_assert_msg(strcmp(got, lines[i].hints) == 0,
		    "in \"%s\"\nwant %s\ngot  %s", line, lines[i].hints, got);
		mem_free(got);
	}
}
END_TEST

START_TEST(there_are_enough_lines)
{
	ck_assert_uint_ge(ARRAY_LEN(lines), 150);
}
END_TEST

/*
 * The simple way: asks every kind at every byte, without what an earlier call
 * has said to skip.  Only a path depends on it: it begins where its run does.
 */
static char *
found_simply(const char *s, size_t n)
{
	static size_t (*const find[])(
	    const struct hint_line *, size_t, size_t *) = {
#define X(id, name, find, help) hints_find_##find,
#include "mux/mode/hints.def"
#undef X
	};
	struct hint_line l;
	size_t at, end, run = 0, skip;
	unsigned kind;
	struct buf b;

	buf_init(&b, BUF_MAX);
	hints_find_start(&l, s, n, ALL);
	for (at = 0; at < n;) {
		end = 0;
		for (kind = 0; kind < HINT_USER; kind++) {
			if (kind == HINT_PATH && at < run)
				continue;
			end = find[kind](
			    &l, at, kind == HINT_PATH ? &run : &skip);
			if (end != 0)
				break;
		}
		if (end != 0)
			(void)buf_addf(&b, "%s%s %.*s", b.len == 0 ? "" : "\n",
			    hint_kind_name((enum hint_kind)kind),
			    (int)(end - at), s + at);
		at = end == 0 ? at + 1 : end;
	}
	return buf_steal(&b, NULL);
}

static const char *const pieces[] = { "http://", "https://a.b", "/", "//", ".",
	"..", ":", "::", "a", "b1", "f", "c0ffee1", "12", "1234", "255", "-",
	"_", "~", "@", "example.com", "x.c", ":12", "(", ")", "[", "]", " ",
	"\"", "'", ",", "\\ ", "git@", "0x", "/usr", "a/b", "%20", "#", "$HOME",
	"10.0.0.1", "fe80::1", "52:54:00:12:34:56", "\xc3\xa9", "\xe2\x94\x82",
	"\xff", "550e8400-e29b-41d4-a716-446655440000", "\x01", "<", ">", "+",
	"deadbee1", "--- a/x.c", "*", "?", "&b=1" };

START_TEST(skipping_changes_nothing)
{
	char line[512], *a, *b;
	unsigned round, n, i;
	const unsigned long seed = unit_seed(20261123);
	uint64_t ch = seed;

	for (round = 0; round < unit_rounds(20000); round++) {
		line[0] = '\0';
		n = chance_below(&ch, 12);
		for (i = 0; i < n; i++)
			(void)strcat(
			    line, pieces[chance_below(&ch, ARRAY_LEN(pieces))]);
		a = found(line, strlen(line), ALL);
		b = found_simply(line, strlen(line));
		ck_assert_msg(strcmp(a, b) == 0,
		    "seed %lu: in \"%s\"\nfound  %s\nsimply %s", seed, line, a,
		    b);
		mem_free(a);
		mem_free(b);
	}
}
END_TEST

/* Time grows with the line: 256 KiB of each take a moment. */
START_TEST(hostile_lines)
{
	static const char *const hostile[] = { "a", "a.", "a-", "a/", "/", "//",
		"..", ":", "a:", "1.", "1:", "f", "f:", "@", "a@", "a@b.", "[",
		"]", "(", "http://(", "http://[", "www.", "magnet:?", "~/",
		"$a", "\\ ", "\"/", "'/a ", "\xc3\xa9", "0x", "0xf", "1234-",
		"--- a/", "a/b/", "[a", "::", "::1.", "git@", "git@a:" };
	const size_t size = 1 << 18;
	char *s = mem_alloc(size), *got;
	size_t i, k, n;

	for (k = 0; k < ARRAY_LEN(hostile); k++) {
		n = strlen(hostile[k]);
		for (i = 0; i < size; i++)
			s[i] = hostile[k][i % n];
		got = found(s, size, ALL);
		mem_free(got);
	}
	mem_free(s);
}
END_TEST

START_TEST(kinds_by_name)
{
	struct cause why = { NULL };
	unsigned kinds;
	char *got;

	ck_assert_int_eq(hint_kinds_parse("url,hash", &kinds, &why), 0);
	ck_assert_uint_eq(kinds, 1U << HINT_URL | 1U << HINT_HASH);
	got = found("http://a.b 1a2b3c4 /usr/bin", 27, kinds);
	ck_assert_str_eq(got, "url http://a.b\nhash 1a2b3c4");
	mem_free(got);
	ck_assert_int_eq(hint_kinds_parse("url,", &kinds, &why), -ERR_NOTFOUND);
	cause_fini(&why);
	ck_assert_int_eq(hint_kinds_parse("urls", &kinds, &why), -ERR_NOTFOUND);
	ck_assert_str_eq(cause_text(&why), "unknown kind of hint: urls");
	cause_fini(&why);
}
END_TEST

/* --- labels ---------------------------------------------------------------------- */

static void
check_labels(const char *alphabet, size_t count)
{
	struct hint_labels ls;
	char(*all)[HINT_LABEL_MAX + 1] = mem_calloc(count + 1, sizeof(*all));
	size_t i, k, length = 0, best;
	bool prefix = false;

	hint_labels_init(&ls, alphabet, count);
	for (i = 0; i < count; i++) {
		hint_labels_get(&ls, i, all[i]);
		ck_assert_uint_ge(strlen(all[i]), 1);
		ck_assert_uint_eq(strspn(all[i], ls.letters), strlen(all[i]));
		/* The nearest hints have the shortest labels. */
		if (i > 0)
			ck_assert_uint_ge(strlen(all[i]), strlen(all[i - 1]));
		length += strlen(all[i]);
		for (k = 0; k < i; k++)
			prefix |= strncmp(all[i], all[k], strlen(all[k])) == 0;
	}
	ck_assert(!prefix);
	/* As few as possible have two letters. */
	if (count <= ls.base)
		ck_assert_uint_eq(length, count);
	else if (count <= (size_t)ls.base * ls.base) {
		best = (count - ls.base + ls.base - 2) / (ls.base - 1);
		ck_assert_uint_eq(
		    length, (ls.base - best) + 2 * (count - (ls.base - best)));
	}
	mem_free(all);
}

START_TEST(labels)
{
	static const size_t counts[] = { 0, 1, 2, 24, 25, 26, 49, 50, 100, 600,
		625, 626, 1500 };
	size_t i;

	for (i = 0; i < ARRAY_LEN(counts); i++) {
		check_labels(HINT_LETTERS_DEFAULT, counts[i]);
		check_labels("ab", counts[i]);
		check_labels("abc", counts[i]);
		check_labels("aabbccdd", counts[i]);
		check_labels("", counts[i]);
		check_labels("A!x", counts[i]);
	}
}
END_TEST

START_TEST(labels_are_stable)
{
	struct hint_labels ls;
	char label[HINT_LABEL_MAX + 1];

	hint_labels_init(&ls, "asdf", 5);
	hint_labels_get(&ls, 0, label);
	ck_assert_str_eq(label, "a");
	hint_labels_get(&ls, 2, label);
	ck_assert_str_eq(label, "d");
	hint_labels_get(&ls, 3, label);
	ck_assert_str_eq(label, "fa");
	hint_labels_get(&ls, 4, label);
	ck_assert_str_eq(label, "fs");
}
END_TEST

UNIT_SUITE(hints_find)
{
	Suite *s = suite_create("hints_find");
	TCase *tc = tcase_create("hints_find");

	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, lines_of_programs);
	tcase_add_test(tc, there_are_enough_lines);
	tcase_add_test(tc, skipping_changes_nothing);
	tcase_add_test(tc, hostile_lines);
	tcase_add_test(tc, kinds_by_name);
	tcase_add_test(tc, labels);
	tcase_add_test(tc, labels_are_stable);
	suite_add_tcase(s, tc);
	return s;
}
