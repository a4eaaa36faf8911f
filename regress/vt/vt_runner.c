/*
 * Golden tests of the terminal: regress/vt/NN_topic.vt (see README there).
 *
 * Each test runs with its input whole; then padded, so that all of it takes the
 * fast path (burst.c); then cut once, at every byte in turn; then byte by byte;
 * then in random pieces.  After each piece the runner checks the terminal's
 * invariants; frames taken before each input must not change.  Without
 * arguments the runner executes all scripts, and names the rows of the tables
 * that no script `covers`.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "regress/vt/vt_script.h"

#define CUTS_MAX 400 /* longest input that is cut at every byte */
#define CUTS_SAMPLE 48
#define SEEDS 3

static char **covered;
static size_t ncovered;
static size_t capcovered;

/*
 * Runs every cut of inputs up to LONGEST bytes, or a sample if there are too
 * many.
 */
static void
run_cuts(struct vt_run *r, const struct script *s, size_t from, size_t to)
{
	struct vt_cut cut = { 0, false, 0, false };
	size_t longest = r->longest, at, i;

	if (longest <= CUTS_MAX) {
		for (at = 1; at < longest && tap_failures() == 0; at++) {
			cut.at = at;
			vt_run_test(r, s, from, to, &cut);
		}
		return;
	}
	for (i = 1; i <= CUTS_SAMPLE && tap_failures() == 0; i++) {
		/* Dense at both ends, spread between. */
		cut.at = i <= 16   ? i
			 : i <= 32 ? longest - (i - 16)
				   : longest / 17 * (i - 32);
		vt_run_test(r, s, from, to, &cut);
	}
}

static void
run_test(struct vt_run *r, const struct script *s, size_t from, size_t to,
    const char *name)
{
	struct vt_cut cut = { 0, false, 0, false };
	const struct script_line *l;
	bool whole = false;
	size_t i;

	for (i = from; i < to; i++) {
		l = &s->lines[i];
		if (strcmp(l->argv[0].p, "whole") == 0)
			whole = true;
	}
	tap_test(s->path, name);
	for (i = from; i < to; i++)
		if (strcmp(s->lines[i].argv[0].p, "todo") == 0)
			tap_todo(
			    s->lines[i].argc > 1 ? s->lines[i].argv[1].p : "");
	r->longest = 0;
	vt_run_test(r, s, from, to, &cut);
	if (whole || tap_failures() != 0)
		return;
	cut.padded = true;
	vt_run_test(r, s, from, to, &cut);
	cut.padded = false;
	if (tap_failures() != 0)
		return;
	run_cuts(r, s, from, to);
	if (tap_failures() == 0) {
		cut.at = 0;
		cut.each = true;
		vt_run_test(r, s, from, to, &cut);
	}
	cut.each = false;
	for (i = 1; i <= SEEDS && tap_failures() == 0; i++) {
		cut.seed = i * UINT64_C(0x9e3779b97f4a7c15);
		vt_run_test(r, s, from, to, &cut);
	}
}

static void
note_covers(const struct script_line *l)
{
	int i;

	if (strcmp(l->argv[0].p, "covers") != 0)
		return;
	for (i = 1; i < l->argc; i++) {
		if (ncovered == capcovered) {
			capcovered = capcovered * 2 + 64;
			covered =
			    mem_resize(covered, capcovered, sizeof(*covered));
		}
		covered[ncovered++] = mem_strdup(l->argv[i].p);
	}
}

static void
run_file(struct vt_run *r, const char *path)
{
	const struct script_line *l;
	struct script s;
	size_t i, end;

	script_load(&s, path);
	r->rows = 24;
	r->cols = 80;
	r->history = 1000;
	for (i = 0; i < s.count; i = end) {
		l = &s.lines[i];
		end = i + 1;
		note_covers(l);
		if (strcmp(l->argv[0].p, "test") != 0) {
			if (!vt_run_setting(r, &s, l) &&
			    strcmp(l->argv[0].p, "covers") != 0)
				script_die(&s, l, "before the first test");
			continue;
		}
		if (l->argc != 2)
			script_die(&s, l, "test \"name\"");
		/* `size` and `covers` alone may stand between two tests. */
		for (; end < s.count; end++) {
			if (strcmp(s.lines[end].argv[0].p, "test") == 0)
				break;
			note_covers(&s.lines[end]);
		}
		run_test(r, &s, i + 1, end, l->argv[1].p);
	}
	script_free(&s);
}

struct coverage {
	bool *known; /* of each covered word */
	size_t rows;
	size_t missing;
};

static void
check_row(void *arg, const char *family, const char *mnemonic,
    const char *sequence, const char *help)
{
	struct coverage *c = arg;
	char full[128];
	bool found = false;
	size_t i;

	snprintf(full, sizeof(full), "%s:%s", family, mnemonic);
	c->rows++;
	for (i = 0; i < ncovered; i++)
		if (strcmp(covered[i], mnemonic) == 0 ||
		    strcmp(covered[i], full) == 0)
			found = c->known[i] = true;
	if (found)
		return;
	c->missing++;
	printf("# no script covers %s (%s, %s)\n", full, sequence, help);
}

static void
check_coverage(void)
{
	struct coverage c = { NULL, 0, 0 };
	size_t i;

	tap_test("coverage", "every row of the tables has a script");
	c.known = mem_zalloc(ncovered + 1);
	vt_term_each_row(check_row, &c);
	printf("# %zu rows, %zu without a script\n", c.rows, c.missing);
	if (c.missing != 0)
		tap_fail("coverage", 0, "%zu rows are not covered", c.missing);
	for (i = 0; i < ncovered; i++)
		if (!c.known[i])
			tap_fail("coverage", 0, "no table has a row '%s'",
			    covered[i]);
	mem_free(c.known);
}

int
main(int argc, char **argv)
{
	struct vt_run r;
	char **list;
	size_t k;
	int i;

	vt_run_init(&r);
	for (i = 1; i < argc; i++)
		run_file(&r, argv[i]);
	if (argc == 1) {
		list = script_list(script_srcdir("regress/vt"), ".vt");
		for (i = 0; list[i] != NULL; i++)
			run_file(&r, list[i]);
		script_list_free(list);
		check_coverage();
	}
	for (k = 0; k < ncovered; k++)
		mem_free(covered[k]);
	mem_free(covered);
	vt_run_fini(&r);
	return tap_end();
}
