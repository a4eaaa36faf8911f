#include <string.h>

#include "base/mem.h"
#include "mux/sync/prompt_edit.h"
#include "regress/unit/unit.h"

/* Keys typed into a text in which | marks the cursor. */
static const struct edit_key {
	char key;
	void (*fn)(struct prompt_edit *e);
} edit_keys[] = {
	{ '<', prompt_edit_left },
	{ '>', prompt_edit_right },
	{ '0', prompt_edit_home },
	{ '$', prompt_edit_end },
	{ 'h', prompt_edit_backspace },
	{ 'd', prompt_edit_delete },
	{ 'k', prompt_edit_kill },
	{ 'u', prompt_edit_clear },
	{ 'y', prompt_edit_yank },
};

static void
type_key(struct prompt_edit *e, char k)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(edit_keys); i++)
		if (edit_keys[i].key == k)
			edit_keys[i].fn(e);
	if (k == 'w' || k == 't')
		(void)prompt_edit_bound(e, (key_code)k | KEY_CTRL);
	if (k == 'b' || k == 'B')
		prompt_edit_word_back(e, k == 'B');
	if (k == 'f' || k == 'F')
		prompt_edit_word_next(e, k == 'F', false);
	if (k == 'v' || k == 'V')
		prompt_edit_word_next(e, k == 'V', true);
	if (k == 'e' || k == 'E')
		prompt_edit_word_end(e, k == 'E');
}

static const struct edit_row {
	const char *text;
	const char *keys;
	const char *result;
} edit_rows[] = {
	{ "abc|", "<<d", "a|c" },
	{ "abc|", "0h>d", "a|c" },
	{ "a\xc3\xa4z|", "<<d", "a|z" },
	{ "a\xc3\xa4|", "h", "a|" },
	{ "a\xc3\xa4|b", "t", "ab\xc3\xa4|" },
	{ "ab|", "t", "ba|" },
	{ "a|", "t", "a|" },
	{ "one two|", "w", "one |" },
	{ "one two  |", "w", "one |" },
	{ "one two|", "wy", "one two|" },
	{ "one two|", "w0y", "two|one " },
	{ "a-b|", "w", "a-|" },
	{ "one|two", "k", "one|" },
	{ "one|two", "u", "|" },
	{ "one two.three|", "b", "one two.|three" },
	{ "one two.three|", "bb", "one two|.three" },
	{ "one two.three|", "B", "one |two.three" },
	{ "|one two.three", "f", "one| two.three" },
	{ "|one two.three", "ff", "one two|.three" },
	{ "|one two.three", "F", "one| two.three" },
	{ "|one two.three", "v", "one |two.three" },
	{ "|one two.three", "vv", "one two|.three" },
	{ "|one two.three", "vV", "one two.three|" },
	{ "|one two.three", "e", "on|e two.three" },
	{ "|one two.three", "ee", "one tw|o.three" },
	{ "|one two.three", "eE", "one two.thre|e" },
	{ "|", "<>0$hdkuwytbBfFvVeE", "|" },
};

START_TEST(keys_edit_the_line)
{
	const struct edit_row *row = &edit_rows[_i];
	const char *bar = strchr(row->text, '|');
	struct prompt_edit e;
	const char *k;
	char *got;

	prompt_edit_init(&e, "!\"#$%&'()*+,-./:;<=>?@[\\]^`{|}~");
	prompt_edit_insert(&e, bar + 1, strlen(bar + 1));
	e.at = 0;
	prompt_edit_insert(&e, row->text, (size_t)(bar - row->text));
	for (k = row->keys; *k != '\0'; k++)
		type_key(&e, *k);
	got = mem_printf("%.*s|%s", (int)e.at, prompt_edit_text(&e),
	    prompt_edit_text(&e) + e.at);
	ck_assert_str_eq(got, row->result);
	mem_free(got);
	prompt_edit_fini(&e);
}
END_TEST

START_TEST(text_has_a_maximum)
{
	struct prompt_edit e;
	char *big = mem_zalloc(PROMPT_MAX + 10);

	memset(big, 'x', PROMPT_MAX + 9);
	prompt_edit_init(&e, "");
	prompt_edit_set(&e, big);
	ck_assert_uint_lt(e.text.len, PROMPT_MAX);
	prompt_edit_insert(&e, big, 100);
	ck_assert_uint_lt(e.text.len, PROMPT_MAX);
	prompt_edit_set(&e, "short");
	ck_assert_str_eq(prompt_edit_text(&e), "short");
	prompt_edit_fini(&e);
	mem_free(big);
}
END_TEST

UNIT_SUITE(prompt_edit)
{
	Suite *s = suite_create("prompt_edit");
	TCase *tc = tcase_create("prompt_edit");

	tcase_add_loop_test(
	    tc, keys_edit_the_line, 0, (int)ARRAY_LEN(edit_rows));
	tcase_add_test(tc, text_has_a_maximum);
	suite_add_tcase(s, tc);
	return s;
}
