#include "config.h"

#include <string.h>

#include "base/mem.h"
#include "conf/match.h"
#include "regress/unit/unit.h"

static const struct {
	const char *pattern, *text;
	unsigned flags;
	bool want;
} globs[] = {
	{ "", "", 0, true },
	{ "", "a", 0, false },
	{ "*", "", 0, true },
	{ "*", "abc", 0, true },
	{ "a*c", "abbbc", 0, true },
	{ "a*c", "abbb", 0, false },
	{ "a?c", "abc", 0, true },
	{ "a?c", "ac", 0, false },
	{ "*a*b*c*", "xxaxxbxxcxx", 0, true },
	{ "*a*b*c*", "xxaxxcxxbxx", 0, false },
	{ "[abc]x", "bx", 0, true },
	{ "[a-c]x", "dx", 0, false },
	{ "[!a-c]x", "dx", 0, true },
	{ "[^a-c]x", "ax", 0, false },
	{ "[]]", "]", 0, true },
	{ "[!]]", "]", 0, false },
	{ "[a-]", "-", 0, true },
	{ "[[:digit:]]*", "7up", 0, true },
	{ "[[:alpha:]_]", "_", 0, true },
	{ "[[:nope:]]", "n]", 0, true },
	{ "[abc", "[abc", 0, true },
	{ "[", "[", 0, true },
	{ "\\*", "*", 0, true },
	{ "\\*", "a", 0, false },
	{ "[\\]]", "]", 0, true },
	{ "a\\", "a\\", 0, true },
	{ "XTERM*", "xterm-256color", 0, false },
	{ "XTERM*", "xterm-256color", MATCH_NOCASE, true },
	{ "[A-C]", "b", MATCH_NOCASE, true },
	{ "[0-9]*x[0-9]*", "80x24", 0, true },
	{ "[0-9]*x[0-9]*", "x", 0, false },
};

START_TEST(globs_match_as_fnmatch_does)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(globs); i++)
		ck_assert_msg(match_glob(globs[i].pattern, globs[i].text,
				  globs[i].flags) == globs[i].want,
		    "glob %s on %s", globs[i].pattern, globs[i].text);
	ck_assert(match_is_glob("a*") && match_is_glob("[x]"));
	ck_assert(!match_is_glob("abc\\"));
}
END_TEST

START_TEST(many_stars_take_no_exponential_time)
{
	char text[5001], pattern[3001];
	size_t i;

	memset(text, 'a', 5000);
	text[5000] = '\0';
	for (i = 0; i < 3000; i += 2)
		memcpy(pattern + i, "*a", 2);
	pattern[2999] = 'b';
	pattern[3000] = '\0';
	ck_assert(!match_glob(pattern, text, 0));
}
END_TEST

START_TEST(over_long_patterns_match_nothing)
{
	char *p = mem_zalloc(MATCH_PATTERN_MAX + 2);
	struct cause cause = { NULL };
	bool found;

	memset(p, '*', MATCH_PATTERN_MAX + 1);
	ck_assert(!match_glob(p, "x", 0));
	ck_assert_int_eq(match_regex(p, "x", 0, &found, &cause), -ERR_LIMIT);
	cause_fini(&cause);
	mem_free(p);
}
END_TEST

START_TEST(regular_expressions_search_and_explain)
{
	struct cause cause = { NULL };
	bool found;

	ck_assert_int_eq(
	    match_regex("((a{99}){99}){99}", "a", 0, &found, NULL), -ERR_LIMIT);
	ck_assert_int_eq(
	    match_regex("(a)\\1", "aa", 0, &found, NULL), -ERR_LIMIT);
	ck_assert_int_eq(match_regex("b+", "abbc", 0, &found, NULL), 0);
	ck_assert(found);
	ck_assert_int_eq(match_regex("^b", "abbc", 0, &found, NULL), 0);
	ck_assert(!found);
	ck_assert_int_eq(match_regex("B", "b", MATCH_NOCASE, &found, NULL), 0);
	ck_assert(found);
	ck_assert_int_eq(
	    match_regex("(a", "a", 0, &found, &cause), -ERR_SYNTAX);
	ck_assert(strncmp(cause_text(&cause), "bad regular", 11) == 0);
	cause_fini(&cause);
}
END_TEST

/* What tmux 3.8 says: score (or -1) and matched places, as bytes. */
static const struct {
	const char *pattern;
	const char *text;
	int score;
	const char *places;
} fuzzy_cases[] = {
	{ "abc", "a-b-c", 26, "a b c" },
	{ "abc", "abc", 24, "abc" },
	{ "abc", "x-abc", 18, "  abc" },
	{ "abc", "aab-abc", 16, "    abc" },
	{ "ab", "aab-abc", 5, " ab" },
	{ "abc", "xaxbxc", 0, " a b c" },
	{ "xa", "xxxxxabc", 2, "    xa" },
	{ "bc", "fooBar-bc", 7, "       bc" },
	{ "-b", "yyyyy-b", 1, "     -b" },
	{ "b", "xxb", 0, "  b" },
	{ "b a", "a b", 18, "a b" },
	{ "'ab", "zab-ab", 1014, "    ab" },
	{ "ab", "zab-ab", 5, " ab" },
	{ "ab$", "ab-ab", 1114, "   ab" },
	{ "'ab$", "ab-ab", 1114, "   ab" },
	{ "ab$", "abc", -1, "" },
	{ "^ab", "ab", 1218, "ab" },
	{ "^ab", "xab", -1, "" },
	{ "^ab$", "abab", -1, "" },
	{ "!ac", "abc", 0, "" },
	{ "!ab", "abc", -1, "" },
	{ "!ab$", "abc", 0, "" },
	{ "!^a", "ba", 0, "" },
	{ "a !b", "ac", 12, "a" },
	{ "!", "abc", -1, "" },
	{ "'", "abc", -1, "" },
	{ "^", "abc", -1, "" },
	{ "$", "abc", -1, "" },
	{ "", "abc", 0, "" },
	{ " | ", "abc", 0, "" },
	{ "c|", "ac", 0, " c" },
	{ "a | c", "c a b", 12, "c" },
	{ "c d|b", "ab", 0, " b" },
	{ "c|b", "xbc", 0, " b" },
	{ "b|!z", "xbc", 0, "" },
	{ "!c|!d", "c|d", -1, "" },
	{ "\xc3\xa9", "z\xc3\xa9", 0, " \xc3" },
	{ "f\\!", "f!", -1, "" },
};

START_TEST(fuzzy_matches_as_in_tmux)
{
	struct match_fuzzy m;
	char places[32];
	size_t k, i;
	int score;

	for (k = 0; k < ARRAY_LEN(fuzzy_cases); k++) {
		memset(places, 0, sizeof(places));
		score = -1;
		if (match_fuzzy(
			fuzzy_cases[k].pattern, fuzzy_cases[k].text, &m)) {
			score = m.score;
			for (i = 0; i < m.count; i++)
				places[m.pos[i]] =
				    fuzzy_cases[k].text[m.pos[i]];
			for (i = 0; m.count > 0 && i < m.pos[m.count - 1]; i++)
				if (places[i] == '\0')
					places[i] = ' ';
		}
		ck_assert_msg(score == fuzzy_cases[k].score &&
				  strcmp(places, fuzzy_cases[k].places) == 0,
		    "\"%s\" in \"%s\": %d \"%s\"", fuzzy_cases[k].pattern,
		    fuzzy_cases[k].text, score, places);
	}
	ck_assert(match_fuzzy("nw", "New-Window", NULL));
	ck_assert(!match_fuzzy("NW", "new-window", NULL));
}
END_TEST

UNIT_SUITE(match)
{
	Suite *s = suite_create("match");
	TCase *tc = tcase_create("match");

	tcase_add_test(tc, globs_match_as_fnmatch_does);
	tcase_add_test(tc, many_stars_take_no_exponential_time);
	tcase_add_test(tc, over_long_patterns_match_nothing);
	tcase_add_test(tc, regular_expressions_search_and_explain);
	tcase_add_test(tc, fuzzy_matches_as_in_tmux);
	suite_add_tcase(s, tc);
	return s;
}
