#include <string.h>

#include "base/mem.h"
#include "base/url.h"
#include "regress/unit/unit.h"

/* "host path" of a URL, or "no". */
static char *
split(const char *s)
{
	struct url_file u;

	if (!url_file(s, strlen(s), &u))
		return mem_strdup("no");
	return mem_printf("%.*s %.*s%s", (int)u.hostlen, u.host, (int)u.pathlen,
	    u.path, u.encoded ? "" : " plain");
}

START_TEST(urls_of_files_are_split)
{
	static const struct {
		const char *url;
		const char *parts;
	} rows[] = {
		{ "file:///etc", " /etc" },
		{ "file://h/etc/a%20b", "h /etc/a%20b" },
		{ "FILE://h.example/", "h.example /" },
		{ "kitty-shell-cwd://h/a%20b", "h /a%20b plain" },
		{ "file://h", "no" },
		{ "file:/etc", "no" },
		{ "http://h/etc", "no" },
		{ "file", "no" },
		{ "", "no" },
		{ "/etc", "no" },
	};
	char *got;
	size_t i;

	for (i = 0; i < ARRAY_LEN(rows); i++) {
		got = split(rows[i].url);
		ck_assert_str_eq(got, rows[i].parts);
		mem_free(got);
	}
}
END_TEST

START_TEST(only_paths_are_decoded)
{
	static const struct {
		const char *in;
		const char *out; /* NULL: refused */
	} rows[] = {
		{ "/a%20b", "/a b" },
		{ "/%C3%a4", "/\303\244" },
		{ "/100%25", "/100%" },
		{ "/\303\244", "/\303\244" },
		{ "", "" },
		{ "/%", NULL },
		{ "/%2", NULL },
		{ "/%2g", NULL },
		{ "/%00", NULL },
		{ "/%1b", NULL },
		{ "/%7f", NULL },
		{ "/%ff", NULL },
		{ "/%c2%9b", NULL },
		{ "/a\nb", NULL },
	};
	char *got;
	size_t i;

	for (i = 0; i < ARRAY_LEN(rows); i++) {
		got = url_decode_new(rows[i].in, strlen(rows[i].in));
		if (rows[i].out == NULL)
			ck_assert_ptr_null(got);
		else
			ck_assert_str_eq(got, rows[i].out);
		mem_free(got);
	}
	/* The length counts, not a NUL. */
	ck_assert_ptr_null(url_decode_new("/%41", 3));
}
END_TEST

UNIT_SUITE(url)
{
	Suite *s = suite_create("url");
	TCase *tc = tcase_create("url");

	tcase_add_test(tc, urls_of_files_are_split);
	tcase_add_test(tc, only_paths_are_decoded);
	suite_add_tcase(s, tc);
	return s;
}
