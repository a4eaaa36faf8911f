/*
 * predict_cost - the time of a predicted key.
 *
 * Types at a screen of 200 by 60 while 100 keys are pending, and prints the
 * median and 99 % of the time that a key costs the predictor: taking it, and
 * drawing the screen with it. The rows are full of text; one run types at the
 * end of a shell's line, one in a full-screen editor.
 *
 *	predict_cost [LINES]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/grapheme.h"
#include "base/mem.h"
#include "mux/vt/term.h"
#include "predict/predict.h"

#define COLS 200
#define ROWS 60
#define PENDING 100

static double
now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static int
compare(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void
fill(struct vt_term *t, const char *begin)
{
	char row[COLS + 4];
	unsigned y, x;

	vt_term_write(t, begin, strlen(begin));
	for (y = 0; y + 1 < ROWS; y++) {
		for (x = 0; x + 40 < COLS; x++)
			row[x] = (char)('a' + (x * 7 + y) % 26);
		row[x++] = '\r';
		row[x++] = '\n';
		vt_term_write(t, row, x);
	}
	vt_term_write(t, "$ ", 2);
}

struct cost {
	struct predict *p;
	struct vt_term *t;
	struct vt_frame *f;
	uint64_t typed;
	mono_ms now;
};

static uint32_t
letter_of(const struct cost *c)
{
	return 'a' + (uint32_t)(c->typed % 26);
}

/* The program answers with BYTES. */
static void
answer(struct cost *c, const char *bytes)
{
	vt_term_write(c->t, bytes, strlen(bytes));
	vt_frame_unref(c->f);
	c->f = vt_term_frame(c->t, 0);
	c->f->state.modes &= ~(uint32_t)(VT_FRAME_CANONICAL | VT_FRAME_ECHO);
	predict_frame(c->p, c->now, 1, c->f, c->typed);
}

/* Types a letter; returns the time that it took, us. */
static double
type(struct cost *c)
{
	double from = now_us();
	struct vt_frame *g;

	predict_text(c->p, c->now, 1, letter_of(c), c->typed + 1);
	c->typed++;
	g = predict_overlay(c->p, c->now, 1, c->f);
	from = now_us() - from;
	c->now += 100;
	vt_frame_unref(g);
	return from;
}

/* Types a line whose first letters are answered at once; TIME: the last. */
static void
line(struct cost *c, double *time)
{
	struct key_event enter = { .key = KEY_ENTER };
	char text[PENDING + 2];
	unsigned i;

	for (i = 0; i < 5; i++) {
		text[0] = (char)letter_of(c);
		text[1] = '\0';
		(void)type(c);
		answer(c, text);
	}
	for (i = 0; i <= PENDING; i++) {
		text[i] = (char)letter_of(c);
		*time = type(c);
	}
	text[i] = '\0';
	answer(c, text);
	predict_key(c->p, c->now, 1, &enter, ++c->typed);
	answer(c, "\r\n$ ");
}

static void
run(const char *name, const char *begin, unsigned lines, double *time)
{
	struct grapheme_table *gt = grapheme_table_new(NULL);
	struct vt_term_options opt = {
		.graphemes = gt, .cols = COLS, .rows = ROWS
	};
	struct cost c = { .now = 1 };
	struct predict_stats st;
	unsigned i;

	opt.pool = vt_pool_new();
	c.p = predict_new(gt, PREDICT_ALWAYS);
	c.t = vt_term_new(&opt);
	fill(c.t, begin);
	answer(&c, "");
	for (i = 0; i < lines; i++)
		line(&c, &time[i]);
	qsort(time, lines, sizeof(*time), compare);
	predict_get_stats(c.p, &st);
	printf("%-8s %u lines, %.2f of the keys drawn: a key with %d pending "
	       "takes %.1f us, 99 %% at most %.1f\n",
	    name, lines, (double)st.shown / (double)st.typed, PENDING,
	    time[lines / 2], time[lines * 99 / 100]);
	predict_free(c.p);
	vt_frame_unref(c.f);
	vt_term_free(c.t);
	vt_pool_free(opt.pool);
	grapheme_table_free(gt);
}

int
main(int argc, char **argv)
{
	unsigned keys = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 0) : 500;
	double *time = mem_calloc(keys + 1, sizeof(*time));

	run("shell", "\033[?2004h", keys, time);
	run("editor", "\033[?1049h", keys, time);
	mem_free(time);
	return 0;
}
