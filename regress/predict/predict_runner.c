/*
 * Timelines of local echo: regress/predict/NN_topic.predict.
 *
 *   test "name"
 *   start COLSxROWS [mode=always|adaptive|never|experimental] [rtt=MS]
 *   taken KEY                  the key table takes it
 *   at MS                      the clock
 *   tty echo|canonical|...     bits of the pane's tty; none alone clears
 *   out "bytes"                the program writes
 *   frame ACK                  the client gets the pane's frame
 *   type "text"                keys, one input each
 *   key NAME                   Enter BSpace Left C-u M-b ...
 *   paste "text"
 *   shown Y "row"              a row of the screen, without trailing spaces
 *   under Y "  ^^"             which columns are underlined
 *   reverse Y "  ^^"           which columns are in reverse video
 *   cursor X,Y
 *   pending N
 *   deadline MS|never
 *   stats NAME=N...
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/utf8.h"
#include "mux/vt/dump.h"
#include "mux/vt/term.h"
#include "predict/predict.h"
#include "regress/predict/key_word.h"
#include "regress/script.h"

#define SURFACE 3

struct state {
	const struct script *s;
	const struct script_line *l;
	struct grapheme_table *gt;
	struct vt_pool *pool;
	struct vt_term *t;
	struct predict *p;
	struct vt_frame *frame;
	uint32_t tty;
	uint64_t index;
	mono_ms now;
};

#define FAIL(st, ...) tap_fail((st)->s->path, (st)->l->no, __VA_ARGS__)

static void
state_end(struct state *st)
{
	predict_free(st->p);
	vt_term_free(st->t);
	vt_frame_unref(st->frame);
	if (st->pool != NULL)
		vt_pool_free(st->pool);
	st->p = NULL;
	st->t = NULL;
	st->frame = NULL;
	st->pool = NULL;
	st->tty = 0;
	st->index = st->now = 0;
}

static const char *
state_word(struct state *st, int i)
{
	if (i >= st->l->argc)
		script_die(st->s, st->l, "too few words");
	return st->l->argv[i].p;
}

static void
do_test(struct state *st)
{
	state_end(st);
	tap_test(st->s->path, state_word(st, 1));
}

static void
do_start(struct state *st)
{
	static const char *const modes[] = { "adaptive", "always", "never",
		"experimental" };
	const struct script_arg *a = script_opt(st->l, "mode");
	struct vt_term_options opt = { .graphemes = st->gt };
	unsigned cols, rows, mode = 1, i;

	if (sscanf(state_word(st, 1), "%ux%u", &cols, &rows) != 2)
		script_die(st->s, st->l, "COLSxROWS");
	for (i = 0; a != NULL && i < 4; i++)
		if (strcmp(a->p, modes[i]) == 0)
			mode = i;
	state_end(st);
	st->pool = opt.pool = vt_pool_new();
	opt.cols = cols;
	opt.rows = rows;
	st->t = vt_term_new(&opt);
	st->p = predict_new(st->gt, (enum predict_mode)mode);
	if ((a = script_opt(st->l, "rtt")) != NULL)
		predict_set_link(st->p, strtoul(a->p, NULL, 10));
}

static void
do_at(struct state *st)
{
	st->now = (mono_ms)script_num(st->s, st->l, 1);
}

static void
do_tty(struct state *st)
{
	st->tty = 0;
	if (script_has(st->l, "echo"))
		st->tty |= VT_FRAME_ECHO;
	if (script_has(st->l, "canonical"))
		st->tty |= VT_FRAME_CANONICAL;
}

static void
do_out(struct state *st)
{
	(void)state_word(st, 1);
	vt_term_write(st->t, st->l->argv[1].p, st->l->argv[1].n);
}

static void
do_frame(struct state *st)
{
	vt_frame_unref(st->frame);
	st->frame = vt_term_frame(st->t, 0);
	st->frame->state.modes &=
	    ~(uint32_t)(VT_FRAME_ECHO | VT_FRAME_CANONICAL);
	st->frame->state.modes |= st->tty;
	predict_frame(st->p, st->now, SURFACE, st->frame,
	    (uint64_t)script_num(st->s, st->l, 1));
}

/* Each input is followed by an overlay, as in a client. */
static void
state_look(struct state *st)
{
	vt_frame_unref(predict_overlay(st->p, st->now, SURFACE, st->frame));
}

static void
do_type(struct state *st)
{
	const uint8_t *p = (const uint8_t *)state_word(st, 1);
	size_t i, used, n = st->l->argv[1].n;
	uint32_t cp;

	for (i = 0; i < n; i += used) {
		used = utf8_decode_final(p + i, n - i, &cp);
		predict_text(st->p, st->now, SURFACE, cp, ++st->index);
		state_look(st);
	}
}

static key_code
state_key(struct state *st)
{
	const char *w = state_word(st, 1);
	key_code key;

	if (!key_word(w, &key))
		script_die(st->s, st->l, "unknown key %s", w);
	return key;
}

static void
do_key(struct state *st)
{
	struct key_event ev = { .key = state_key(st) };

	predict_key(st->p, st->now, SURFACE, &ev, ++st->index);
	state_look(st);
}

static void
do_taken(struct state *st)
{
	key_code key = state_key(st);

	predict_set_keys(st->p, &key, 1);
}

static void
do_paste(struct state *st)
{
	predict_other(st->p, st->now, SURFACE, PREDICT_PASTE, state_word(st, 1),
	    st->l->argv[1].n, ++st->index);
	state_look(st);
}

static void
do_shown(struct state *st)
{
	struct vt_frame *f =
	    predict_overlay(st->p, st->now, SURFACE, st->frame);
	long y = script_num(st->s, st->l, 1);
	struct buf b;

	buf_init(&b, 65536);
	vt_dump_line(&b, f->lines[y], 0, f->cols, VT_DUMP_TRIM);
	if (strcmp(buf_cstr(&b), state_word(st, 2)) != 0)
		FAIL(st, "row %ld is \"%s\"", y, buf_cstr(&b));
	buf_fini(&b);
	vt_frame_unref(f);
}

/* Compares the columns of a row that are underlined, or reversed. */
static void
state_pens(struct state *st, bool reverse)
{
	struct vt_frame *f =
	    predict_overlay(st->p, st->now, SURFACE, st->frame);
	long y = script_num(st->s, st->l, 1);
	char got[512];
	unsigned x, n = 0;

	for (x = 0; x < f->cols && x < sizeof(got) - 1; x++) {
		got[x] = ' ';
		if (reverse ? (vt_line_pen(f->lines[y], x)->attrs &
				  PEN_REVERSE) != 0
			    : pen_underline(vt_line_pen(f->lines[y], x)) != 0) {
			got[x] = '^';
			n = x + 1;
		}
	}
	got[n] = '\0';
	if (strcmp(got, state_word(st, 2)) != 0)
		FAIL(st, "underlined: \"%s\"", got);
	vt_frame_unref(f);
}

static void
do_under(struct state *st)
{
	state_pens(st, false);
}

static void
do_reverse(struct state *st)
{
	state_pens(st, true);
}

static void
do_cursor(struct state *st)
{
	struct vt_frame *f =
	    predict_overlay(st->p, st->now, SURFACE, st->frame);
	unsigned x, y;

	if (sscanf(state_word(st, 1), "%u,%u", &x, &y) != 2)
		script_die(st->s, st->l, "X,Y");
	if (f->state.x != x || f->state.y != y)
		FAIL(st, "cursor at %u,%u", f->state.x, f->state.y);
	vt_frame_unref(f);
}

static void
do_pending(struct state *st)
{
	size_t n = predict_pending(st->p, SURFACE);

	if (n != (size_t)script_num(st->s, st->l, 1))
		FAIL(st, "%zu pending", n);
}

static void
do_deadline(struct state *st)
{
	mono_ms at = predict_deadline(st->p, st->now);
	mono_ms want = MONO_NEVER;

	if (strcmp(state_word(st, 1), "never") != 0)
		want = (mono_ms)script_num(st->s, st->l, 1);
	if (at != want)
		FAIL(st, "deadline at %llu", (unsigned long long)at);
}

static void
do_stats(struct state *st)
{
	struct predict_stats s;
	const struct script_arg *a;
	size_t i;

	predict_get_stats(st->p, &s);
	const struct {
		const char *name;
		uint64_t value;
	} all[] = { { "typed", s.typed }, { "predicted", s.predicted },
		{ "shown", s.shown }, { "confirmed", s.confirmed },
		{ "wrong", s.wrong }, { "wrong_ms", s.wrong_ms },
		{ "secret", s.secret }, { "unknown", s.unknown } };
	for (i = 0; i < ARRAY_LEN(all); i++) {
		a = script_opt(st->l, all[i].name);
		if (a != NULL && strtoull(a->p, NULL, 10) != all[i].value)
			FAIL(st, "%s is %llu", all[i].name,
			    (unsigned long long)all[i].value);
	}
}

static const struct {
	const char *name;
	void (*fn)(struct state *);
} statements[] = {
	{ "test", do_test },
	{ "start", do_start },
	{ "taken", do_taken },
	{ "at", do_at },
	{ "tty", do_tty },
	{ "out", do_out },
	{ "frame", do_frame },
	{ "type", do_type },
	{ "key", do_key },
	{ "paste", do_paste },
	{ "shown", do_shown },
	{ "under", do_under },
	{ "reverse", do_reverse },
	{ "cursor", do_cursor },
	{ "pending", do_pending },
	{ "deadline", do_deadline },
	{ "stats", do_stats },
};

static void
run_script(struct state *st, const char *path)
{
	struct script s;
	size_t i, j;

	script_load(&s, path);
	st->s = &s;
	for (i = 0; i < s.count; i++) {
		st->l = &s.lines[i];
		for (j = 0; j < ARRAY_LEN(statements); j++)
			if (strcmp(st->l->argv[0].p, statements[j].name) == 0)
				break;
		if (j == ARRAY_LEN(statements))
			script_die(&s, st->l, "unknown statement");
		if (j > 1 && st->p == NULL)
			script_die(&s, st->l, "start first");
		if (j > 6 && st->frame == NULL)
			script_die(&s, st->l, "frame first");
		statements[j].fn(st);
	}
	state_end(st);
	script_free(&s);
}

int
main(int argc, char **argv)
{
	struct state st = { .gt = grapheme_table_new(NULL) };
	char **list;
	int i;

	if (argc > 1) {
		for (i = 1; i < argc; i++)
			run_script(&st, argv[i]);
	} else {
		list =
		    script_list(script_srcdir("regress/predict"), ".predict");
		for (i = 0; list[i] != NULL; i++)
			run_script(&st, list[i]);
		script_list_free(list);
	}
	grapheme_table_free(st.gt);
	return tap_end();
}
