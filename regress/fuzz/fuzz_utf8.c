/*
 * Any bytes: the fast paths of base/utf8 against the plain one, clusters that
 * cover the text exactly, and printable text that is well-formed.
 */
#include <string.h>

#include "base/grapheme.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* utf8_decode_run must equal utf8_decode, and stop only where it may. */
static void
check_runs(const uint8_t *p, size_t n)
{
	uint32_t cps[7], cp = 0;
	size_t at = 0, used, count, i, one;

	while (at < n) {
		used = utf8_decode_run(p + at, n - at, cps, 7, &count);
		bug_assert(count <= 7 && used <= n - at);
		for (i = 0; i < count; i++) {
			one = utf8_decode(p + at, n - at, &cp);
			bug_assert(one > 0 && cp == cps[i]);
			bug_assert(cp >= 0x20 && (cp < 0x7f || cp >= 0xa0));
			at += one;
			used -= one;
		}
		bug_assert(used == 0);
		if (count == 7 || at == n)
			continue;
		one = utf8_decode(p + at, n - at, &cp);
		bug_assert(
		    one == UTF8_INCOMPLETE || cp < 0x20 ||
		    (cp >= 0x7f && cp < 0xa0) ||
		    (cp == UTF8_REPLACEMENT && !utf8_valid(p + at, one)));
		if (one == UTF8_INCOMPLETE)
			bug_assert(n - at < 4);
		one = utf8_decode_final(p + at, n - at, &cp);
		bug_assert(one >= 1 && one <= 4 && one <= n - at);
		at += one;
	}
}

static void
check_clusters(const struct grapheme_table *t, const uint8_t *p, size_t n)
{
	size_t at = 0, used, sum = 0;
	int width;

	while (at < n) {
		used = grapheme_next(t, p + at, n - at, &width);
		bug_assert(used >= 1 && used <= n - at);
		bug_assert(width >= 0 && width <= 2);
		sum += (size_t)width;
		at += used;
	}
	bug_assert(grapheme_text_width(t, (const char *)p, n) == sum);
}

static size_t
ascii_run(const uint8_t *p, size_t n)
{
	size_t i = 0;

	while (i < n && p[i] >= 0x20 && p[i] < 0x7f)
		i++;
	return i;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct grapheme_table *table;
	size_t at;
	char *s;

	if (table == NULL)
		table = grapheme_table_new(NULL);
	for (at = 0; at < size; at += 1 + at / 4)
		bug_assert(utf8_ascii_run(data + at, size - at) ==
			   ascii_run(data + at, size - at));
	check_runs(data, size);
	check_clusters(table, data, size);
	s = str_printable_new(data, size, SIZE_MAX);
	bug_assert(utf8_valid(s, strlen(s)));
	bug_assert(!utf8_valid(data, size) || size <= strlen(s));
	mem_free(s);
	return 0;
}
