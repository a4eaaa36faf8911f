/*
 * Recorded programs: regress/programs/recordings/NAME.rec is the output of a
 * program to an 80 by 24 terminal, NAME.screen the expected screen at the end.
 * Each is replayed whole, byte by byte and in pieces of odd sizes.
 *
 * With -w the screens are written instead of compared.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "mux/vt/dump.h"
#include "mux/vt/term.h"
#include "regress/script.h"

#define COLS 80
#define ROWS 24
#define FILE_MAX (1u << 20)

static struct vt_pool *pool;
static struct grapheme_table *graphemes;

static char *
read_file(const char *path, size_t *len)
{
	FILE *f = fopen(path, "rb");
	char *data;

	if (f == NULL)
		return NULL;
	data = mem_alloc(FILE_MAX + 1);
	*len = fread(data, 1, FILE_MAX, f);
	data[*len] = '\0';
	fclose(f);
	return data;
}

/* NAME.rec to NAME.screen */
static void
screen_path(char *out, size_t size, const char *rec)
{
	str_copy(out, rec, size);
	out[strlen(out) - strlen(".rec")] = '\0';
	str_append(out, ".screen", size);
}

/* The rows without the blanks at their ends, then the cursor. */
static void
picture(struct vt_term *t, struct buf *out)
{
	struct vt_term_cursor c = vt_term_cursor(t);
	struct vt_frame *f = vt_term_frame(t, 0);
	unsigned y;

	for (y = 0; y < f->rows; y++) {
		(void)vt_dump_line(out, f->lines[y], 0, f->cols, VT_DUMP_TRIM);
		buf_add_u8(out, '\n');
	}
	buf_addf(out, "cursor %u,%u %s%s\n", c.y, c.x,
	    c.visible ? "visible" : "hidden",
	    vt_term_alternate(t) ? " alternate" : "");
	vt_frame_unref(f);
}

/* Replays REC in pieces of STEP bytes (0: whole); the picture to OUT. */
static void
replay(
    const char *path, const char *rec, size_t n, size_t step, struct buf *out)
{
	struct vt_term_options opt;
	struct vt_effect e;
	struct vt_stats stats;
	struct vt_term *t;
	size_t i, k;

	memset(&opt, 0, sizeof(opt));
	opt.pool = pool;
	opt.graphemes = graphemes;
	opt.cols = COLS;
	opt.rows = ROWS;
	opt.history_rows = 100;
	opt.history_bytes = 1 << 20;
	t = vt_term_new(&opt);
	for (i = 0; i < n; i += k) {
		k = step == 0 ? n : MIN_OF(step, n - i);
		vt_term_write(t, rec + i, k);
		while (vt_term_next_effect(t, &e))
			vt_effect_fini(&e);
		if (step != 1 && vt_term_check(t) != NULL)
			tap_fail(
			    path, 0, "at byte %zu: %s", i, vt_term_check(t));
	}
	vt_term_stats(t, &stats);
	if (stats.malformed != 0 || stats.ill_formed != 0)
		tap_fail(path, 0, "%llu malformed, %llu ill-formed",
		    (unsigned long long)stats.malformed,
		    (unsigned long long)stats.ill_formed);
	picture(t, out);
	vt_term_free(t);
}

static void
compare(const char *path, size_t step, const char *got, const char *want)
{
	size_t gn, wn;
	int row = 0;

	for (;;
	     got += gn + (got[gn] != '\0'), want += wn + (want[wn] != '\0')) {
		gn = strcspn(got, "\n");
		wn = strcspn(want, "\n");
		if (gn != wn || memcmp(got, want, gn) != 0) {
			tap_fail(
			    path, row, "pieces of %zu, row %d:", step, row);
			tap_fail(path, row, "got  %.*s", (int)gn, got);
			tap_fail(path, row, "want %.*s", (int)wn, want);
		}
		if (got[gn] == '\0' || want[wn] == '\0')
			return;
		row++;
	}
}

static void
run_file(const char *path, bool write)
{
	static const size_t steps[] = { 0, 1, 2, 3, 7, 61, 997 };
	char screen[4096], *rec, *want;
	size_t n, wn, i;
	struct buf out;
	FILE *f;

	tap_test(path, "replayed whole and in pieces");
	screen_path(screen, sizeof(screen), path);
	rec = read_file(path, &n);
	want = read_file(screen, &wn);
	buf_init(&out, FILE_MAX);
	for (i = 0; rec != NULL && i < ARRAY_LEN(steps); i++) {
		buf_clear(&out);
		replay(path, rec, n, steps[i], &out);
		if (write && i == 0 && (f = fopen(screen, "wb")) != NULL) {
			fwrite(out.data, 1, out.len, f);
			fclose(f);
		} else if (!write && want == NULL)
			tap_fail(screen, 0, "cannot be read");
		else if (!write)
			compare(screen, steps[i], buf_cstr(&out), want);
	}
	buf_fini(&out);
	mem_free(rec);
	mem_free(want);
}

int
main(int argc, char **argv)
{
	bool write = argc > 1 && strcmp(argv[1], "-w") == 0;
	char **list;
	size_t i;

	pool = vt_pool_new();
	graphemes = grapheme_table_new(NULL);
	list =
	    script_list(script_srcdir("regress/programs/recordings"), ".rec");
	for (i = 0; list[i] != NULL; i++)
		run_file(list[i], write);
	script_list_free(list);
	if (i == 0) {
		printf("Bail out! no recordings\n");
		return 99;
	}
	grapheme_table_free(graphemes);
	vt_pool_free(pool);
	return tap_end();
}
