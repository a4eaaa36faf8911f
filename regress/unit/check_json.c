/* JSON objects in a normal form. */
#include <string.h>

#include "base/json.h"
#include "regress/unit/unit.h"

/* What tmux 3.8's display-message -pjl says to each text. */
static const struct {
	const char *text;
	const char *answer;
} rows[] = {
	{ "{\"a\":[1,2,3]}", "tokenization error: 1,2,3]}" },
	{ "{\"a\":[1,{\"b\":2},\"x\",true,false]}",
	    "tokenization error: 1,{\"b\":2..." },
	{ "{\"a\":[]}", "{\"a\":[]}" },
	{ "{\"a\":[[1],[2]]}", "tokenization error: 1],[2]]}" },
	{ "{\"a\":-1}", "{\"a\":-1}" },
	{ "{\"a\":1.5}", "invalid number: 1.5}" },
	{ "{\"a\":1e3}", "invalid number: 1e3}" },
	{ "{\"a\":null}", "invalid boolean: null}" },
	{ "{\"a\":true,\"b\":false}", "{\"a\":true,\"b\":false}" },
	{ "{\"a\":\"x\\ny\\t\\\"q\\\"\\\\ \\/\"}",
	    "{\"a\":\"x\\ny\\t\\\"q\\\"\\\\ \\/\"}" },
	{ "{\"a\":\"\\u00e9\\u65e5\"}", "{\"a\":\"\\u00e9\\u65e5\"}" },
	{ "{\"a\":\"\\ud83d\\ude00\"}", "{\"a\":\"\\ud83d\\ude00\"}" },
	{ "{\"a\":\"\303\251\346\227\245\"}",
	    "{\"a\":\"\303\251\346\227\245\"}" },
	{ "{\"a\":\"\\q\"}", "tokenization error: \\q\"}" },
	{ "{\"a\":\"tab\tx\"}", "tokenization error: tab\tx\"}" },
	{ "{\"a\":\"\"}", "invalid string: \"\"}" },
	{ "{\"\":1}", "invalid key: \"\":1}" },
	{ "{ \"b\" : 2 , \"a\" : 1 }", "{\"a\":1,\"b\":2}" },
	{ "{\"a\":1}x", "tokenization error: x" },
	{ "{\"a\":1} {\"b\":2}", "unexpected trailing data: {\"b\":2}" },
	{ "{\"a\":1,}", "invalid object: ,}" },
	{ "{\"a\"}", "missing colon: }" },
	{ "{\"a\":}", "unexpected value when parsing object: }" },
	{ "{\"a\" 1}", "tokenization error: 1}" },
	{ "{a:1}", "tokenization error: a:1}" },
	{ "{\"a\":[1,]}", "tokenization error: 1,]}" },
	{ "{\"a\":[1 2]}", "tokenization error: 1 2]}" },
	{ "{\"a\":[1", "tokenization error: 1" },
	{ "{\"a\":{\"b\":{\"c\":{\"d\":{\"e\":{\"f\":{\"g\":{\"h\":{\"i\":{"
	  "\"j\":1}}}}}}}}}}}",
	    "unexpected trailing data: }" },
	{ "{\"a\":9223372036854775807}", "{\"a\":9223372036854775807}" },
	{ "{\"a\":9223372036854775808}", "invalid number: 92233720..." },
	{ "{\"a\":18446744073709551615}", "invalid number: 18446744..." },
	{ "{\"a\":18446744073709551616}", "invalid number: 18446744..." },
	{ "{\"a\":-9223372036854775808}", "{\"a\":-9223372036854775808}" },
	{ "{\"a\":007}", "invalid number: 007}" },
	{ "{\"a\":0}", "{\"a\":0}" },
	{ "{\"a\":+1}", "invalid boolean: +1}" },
	{ "{\"a\":4294967296}", "{\"a\":4294967296}" },
	{ "{\"a\":2147483648}", "{\"a\":2147483648}" },
	{ "{\"a\":-2147483649}", "{\"a\":-2147483649}" },
	{ "{\"a\":\"x", "tokenization error: x" },
	{ "\"a\"", "expected object: \"a\"" },
	{ "[1]", "tokenization error: 1]" },
	{ "{\"z\":1,\"B\":2,\"aa\":3,\"a\":4,\"_\":5,\"1\":6}",
	    "{\"1\":6,\"B\":2,\"_\":5,\"a\":4,\"aa\":3,\"z\":1}" },
	{ "{\"a\":truex}", "invalid boolean: truex}" },
	{ "{\"a\":True}", "invalid boolean: True}" },
	{ "{\"a\":\"a very long string that goes on\",\"b\":1,]",
	    "invalid key: ]" },
	{ "xyzxyzxyzxyzxyzxyz", "tokenization error: xyzxyzxy..." },
	{ "{{}}", "invalid key: {}}" },
	{ "{\"a\":{},\"b\":[]}", "{\"a\":{},\"b\":[]}" },
	{ "}", "expected object: }" },
	{ "{\"a\":1,\"a\":2}", "duplicate key: :2}" },
	{ "{\"a\":\"\\b\\f\\r\\v\\u0001\"}",
	    "tokenization error: \\b\\f\\r\\v..." },
	{ "{\"a\":\" \"}", "{\"a\":\" \"}" },
	{ " \t{\"a\":1}\t ", "{\"a\":1}" },
	{ "{,}", "invalid key: ,}" },
	{ "{\"a\":[,]}", "invalid array member: ,]}" },
	{ "{\"a\":--1}", "invalid boolean: --1}" },
	{ "{\"a\":-}", "invalid boolean: -}" },
	{ "{\"a\":\"&<>'#{x}#[fg=red]\"}", "{\"a\":\"&<>'#{x}#[fg=red]\"}" },
	{ "{\"a\":[\"x\"]}", "invalid array member: \"x\"]}" },
	{ "{\"a\":[\"x\",\"y\"]}", "invalid array member: \"x\",\"y\"]..." },
	{ "{\"a\":[{}]}", "{\"a\":[{}]}" },
	{ "{\"a\":[{\"z\":1,\"a\":[{}]},{\"b\":2}]}",
	    "{\"a\":[{\"a\":[{}],\"z\":1},{\"b\":2}]}" },
	{ "{\"a\":[true]}", "tokenization error: true]}" },
	{ "{\"a\":[[]]}", "invalid array member: []]}" },
	{ "{\"a\":[[{}]]}", "invalid array member: [{}]]}" },
	{ "{\"a\":[{\"b\":1},\"x\"]}", "invalid array member: \"x\"]}" },
	{ "{\"a\":[ { } , { } ] }", "{\"a\":[{},{}]}" },
	{ "{\"a\":[{},]}", "invalid array: ,]}" },
	{ "{\"a\":[{}", "invalid array: }" },
	{ "{\"a\":[\"x\" \"y\"]}", "invalid array member: \"x\" \"y\"]..." },
	{ "{\"a\":\"x\" \"b\":1}", "invalid object: \"b\":1}" },
	{ "{\"a\":1 \"b\":1}", "invalid object: \"b\":1}" },
	{ "{\"a\":\"\\u12\"}", "tokenization error: \\u12\"}" },
	{ "{\"a\":\"\\uZZZZ\"}", "tokenization error: \\uZZZZ\"}" },
	{ "{\"a\":\"\"x}", "tokenization error: x}" },
	{ "{\"a\":[\"\"]}", "invalid array member: \"\"]}" },
	{ "{\"a\":12 3}", "tokenization error: 3}" },
	{ "{\"a\": 5 }", "{\"a\":5}" },
	{ "{\"a\":truefalse}", "invalid boolean: truefals..." },
	{ "{\"a\":\"unterminated\\\"}", "tokenization error: untermin..." },
	{ "{\"key with space\":1}", "{\"key with space\":1}" },
	{ "{\"k\\\"q\":1}", "{\"k\\\"q\":1}" },
	{ "{\"k\\u0041\":1,\"kA\":2}", "{\"kA\":2,\"k\\u0041\":1}" },
	{ "", "empty input" },
};

static const char *
answer(const char *text, struct buf *out)
{
	struct cause why = { NULL };

	if (json_print(out, text, &why) != 0) {
		buf_truncate(out, 0);
		(void)buf_add_str(out, cause_text(&why));
	}
	cause_fini(&why);
	return buf_cstr(out);
}

START_TEST(answers_are_those_of_tmux)
{
	struct buf out;
	size_t i;

	for (i = 0; i < ARRAY_LEN(rows); i++) {
		buf_init(&out, 4096);
		ck_assert_str_eq(answer(rows[i].text, &out), rows[i].answer);
		buf_fini(&out);
	}
}
END_TEST

START_TEST(depth_and_size_are_bounded)
{
	char text[8192] = "";
	struct cause why = { NULL };
	struct buf out;
	size_t i;

	for (i = 0; i < JSON_DEPTH_MAX; i++)
		strcpy(text + i * 5, "{\"a\":");
	buf_init(&out, 1 << 16);
	strcpy(text + JSON_DEPTH_MAX * 5, "1");
	memset(text + strlen(text), '}', JSON_DEPTH_MAX);
	ck_assert_str_eq(answer(text, &out), text);
	memmove(text + 5, text, strlen(text) + 1);
	memcpy(text, "{\"a\":", 5);
	strcat(text, "}");
	buf_truncate(&out, 0);
	ck_assert_str_eq(answer(text, &out),
	    "too many objects in each other: {\"a\":1}}...");
	buf_fini(&out);
	buf_init(&out, 8);
	ck_assert_int_eq(
	    json_print(&out, "{\"abc\":\"defghi\"}", &why), -ERR_LIMIT);
	cause_fini(&why);
	buf_fini(&out);
}
END_TEST

UNIT_SUITE(json)
{
	Suite *s = suite_create("json");
	TCase *tc = tcase_create("json");

	tcase_add_test(tc, answers_are_those_of_tmux);
	tcase_add_test(tc, depth_and_size_are_bounded);
	suite_add_tcase(s, tc);
	return s;
}
