/*
 * Time of searching a long history.  Prints numbers, never fails.
 *
 *	vt_search [lines]
 */
#include "config.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "mux/vt/search.h"

static double
now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec * 1e3 + (double)ts.tv_nsec / 1e6;
}

/* Fills screen and history with log lines; words mark the first and last. */
static void
fill(struct vt_grid *g, unsigned n)
{
	const struct vt_rect all = { 0, 0, g->cols, g->rows };
	struct vt_line *line;
	unsigned i;
	char text[128];

	for (i = 0; i < n; i++) {
		snprintf(text, sizeof(text),
		    "%08u host daemon[%u]: %s request %u took %u ms", i,
		    i * 7919 % 32768, i % 3 == 0 ? "info" : "debug",
		    i * 31 % 1000, i * 17 % 977);
		if (i == 0)
			strcpy(text, "a line with the word Oldest in it");
		if (i + 1 == n)
			strcpy(text, "a line with the word newest in it");
		line = vt_grid_own(g, g->rows - 1);
		vt_line_put_ascii(
		    line, 0, (const uint8_t *)text, (unsigned)strlen(text), 0);
		vt_grid_scroll_up(g, &all, 1, NULL, true);
	}
	while (vt_grid_settle(g))
		;
}

static void
search(struct text *t, const char *name, const char *pattern, unsigned flags)
{
	struct vt_search_count count = { .max = 0 };
	struct vt_pos from = { text_first(t), 0 };
	enum vt_search_result r;
	struct vt_search *s;
	struct vt_match m;
	struct cause cause = { NULL };
	double t0, slice, worst = 0;

	if (vt_search_new(&s, pattern, strlen(pattern), flags, &cause) != 0) {
		printf("%-28s %s\n", name, cause_text(&cause));
		cause_fini(&cause);
		return;
	}
	if ((flags & VT_SEARCH_BACKWARD) != 0)
		from.row = text_end(t);
	t0 = now_ms();
	vt_search_start(s, t, from);
	do {
		slice = now_ms();
		r = vt_search_step(s, t, 1000, &m);
		slice = now_ms() - slice;
		worst = slice > worst ? slice : worst;
	} while (r == VT_SEARCH_MORE);
	printf("%-28s %-5s %8.1f ms, slice %5.2f ms", name,
	    r == VT_SEARCH_FOUND ? "found" : "none", now_ms() - t0, worst);
	t0 = now_ms();
	while (vt_search_count(s, t, &count, 1000))
		;
	printf("; count %zu %8.1f ms\n", count.all, now_ms() - t0);
	vt_search_free(s);
}

int
main(int argc, char **argv)
{
	unsigned n = argc > 1 ? (unsigned)atoi(argv[1]) : 1000000;
	struct vt_pool *pool = vt_pool_new();
	struct vt_grid *g = vt_grid_new(pool, 80, 24, (size_t)n, 0);
	const unsigned back = VT_SEARCH_BACKWARD | VT_SEARCH_SMART;
	const unsigned regex = VT_SEARCH_REGEX | VT_SEARCH_SMART;
	struct text_grid t;

	setlocale(LC_CTYPE, "C.UTF-8");
	fill(g, n);
	text_grid_init(&t, g);
	printf("%u lines\n", n);
	search(&t.text, "newest, backward", "newest", back);
	search(&t.text, "Oldest, backward", "Oldest", back);
	search(&t.text, "oldest, any case, backward", "oldest", back);
	search(&t.text, "newest, forward", "newest", VT_SEARCH_SMART);
	search(&t.text, "absent", "nowhere", VT_SEARCH_SMART);
	search(&t.text, "absent, Cyrillic", "слово", VT_SEARCH_SMART);
	search(&t.text, "common", "request", VT_SEARCH_SMART);
	search(&t.text, "regex, literal in it", "word [nN]ewest", regex);
	search(&t.text, "regex, classes", "[xyz][0-9]+[xyz]", regex);
	search(&t.text, "regex, any character", "q.{3}z$", regex);
	search(&t.text, "regex, alternatives", "(fatal|panic)|trap", regex);
	search(&t.text, "regex, many states", "(h|o|s| )*s(.|t){20}!", regex);
	search(&t.text, "regex, backward", "[O][l]dest", regex | back);
	vt_grid_free(g);
	vt_pool_free(pool);
	return 0;
}
