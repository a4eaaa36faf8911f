#include "regress/vt/vt_script.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "mux/vt/input_encode.h"
#include "regress/vt/vt_feed.h"
#include "regress/vt/vt_look.h"

#define REPLY_MAX (4u << 20)

static void
do_in(struct vt_run *r)
{
	int i;

	vt_feed_frame(r);
	for (i = 1; i < r->l->argc; i++)
		vt_feed(r, r->l->argv[i].p, r->l->argv[i].n);
}

static void
do_resize(struct vt_run *r)
{
	unsigned rows, cols;

	if (sscanf(vt_run_arg(r, 1)->p, "%ux%u", &rows, &cols) != 2)
		script_die(r->s, r->l, "resize ROWSxCOLS");
	vt_feed_frame(r);
	vt_term_resize(r->t, cols, rows);
	vt_feed_settle(r);
}

static void
do_reply(struct vt_run *r)
{
	vt_run_text(
	    r, (const char *)r->reply.data, r->reply.len, vt_run_arg(r, 1));
	buf_clear(&r->reply);
}

static const char *const effect_names[] = {
#define X(kind, name, merge) name,
#include "mux/vt/effects.def"
#undef X
};

/* effect KIND [number]... ["data" ["data2"]]: skips effects before it */
static void
do_effect(struct vt_run *r)
{
	const struct vt_effect *e;
	const struct script_arg *want;
	int i, numbers = 0, texts = 0;
	const char *s;

	while (r->next_effect < r->neffects &&
	       strcmp(effect_names[r->effects[r->next_effect].kind],
		   vt_run_arg(r, 1)->p) != 0)
		r->next_effect++;
	if (r->next_effect >= r->neffects) {
		vt_run_fail(r, "nothing more", vt_run_arg(r, 1)->p);
		return;
	}
	e = &r->effects[r->next_effect++];
	for (i = 2; i < r->l->argc; i++) {
		want = &r->l->argv[i];
		if (!want->quoted) {
			vt_run_number(r, numbers++ == 0 ? e->a : e->b,
			    want->n == 1 && str_hex_digit(want->p[0]) < 0
				? want->p[0]
				: script_num(r->s, r->l, i));
			continue;
		}
		if (texts++ == 0)
			vt_run_text(r, e->data, e->len, want);
		else {
			s = e->data2 == NULL ? "" : e->data2;
			vt_run_text(r, s, strlen(s), want);
		}
	}
}

/* Expects that no effect is left (of the given kind, if there is one). */
static void
do_noeffect(struct vt_run *r)
{
	const struct vt_effect *e;
	char text[256];

	for (; r->next_effect < r->neffects; r->next_effect++) {
		e = &r->effects[r->next_effect];
		if (r->l->argc > 1 &&
		    strcmp(r->l->argv[1].p, effect_names[e->kind]) != 0)
			continue;
		snprintf(text, sizeof(text), "%s %d %d %.200s",
		    effect_names[e->kind], e->a, e->b,
		    script_quote(e->data, e->data == NULL ? 0 : e->len));
		vt_run_fail(r, text, "nothing");
	}
}

/* Drops the waiting effects. */
static void
do_skip_effects(struct vt_run *r)
{
	r->next_effect = r->neffects;
}

static void
do_title(struct vt_run *r)
{
	const char *s = vt_str_text(vt_term_state(r->t)->title);

	vt_run_text(r, s, strlen(s), vt_run_arg(r, 1));
}

static void
do_icon(struct vt_run *r)
{
	const char *s = vt_str_text(vt_term_state(r->t)->icon);

	vt_run_text(r, s, strlen(s), vt_run_arg(r, 1));
}

static void
do_cwd(struct vt_run *r)
{
	const char *s = vt_term_cwd(r->t);

	vt_run_text(r, s, strlen(s), vt_run_arg(r, 1));
}

static void
do_host(struct vt_run *r)
{
	const char *s = vt_term_host(r->t);

	vt_run_text(r, s, strlen(s), vt_run_arg(r, 1));
}

/* base FG BG: the colours that options give, rrggbb. */
static void
do_base(struct vt_run *r)
{
	struct vt_palette *base = NULL;

	vt_palette_own(&base)->rgb[VT_DYN_FG] =
	    (uint32_t)strtoul(vt_run_arg(r, 1)->p, NULL, 16);
	base->rgb[VT_DYN_BG] = (uint32_t)strtoul(vt_run_arg(r, 2)->p, NULL, 16);
	vt_term_set_base(r->t, base);
	vt_feed_settle(r);
}

/* theme FG BG dark|light: the outer terminal's colours, rrggbb. */
static void
do_theme(struct vt_run *r)
{
	struct vt_theme theme;

	theme.fg = (uint32_t)strtoul(vt_run_arg(r, 1)->p, NULL, 16);
	theme.bg = (uint32_t)strtoul(vt_run_arg(r, 2)->p, NULL, 16);
	theme.cursor = theme.fg;
	theme.dark = script_has(r->l, "dark");
	vt_term_set_theme(r->t, &theme);
	vt_feed_settle(r);
}

static void
do_pixels(struct vt_run *r)
{
	vt_term_set_cell_pixels(r->t, (unsigned)script_num(r->s, r->l, 1),
	    (unsigned)script_num(r->s, r->l, 2));
	vt_feed_settle(r);
}

static void
do_reset(struct vt_run *r)
{
	vt_term_reset(r->t);
	vt_feed_settle(r);
}

static void
do_scroll_on_clear(struct vt_run *r)
{
	vt_term_set_scroll_on_clear(r->t, script_has(r->l, "on"));
}

static void
do_title_report(struct vt_run *r)
{
	vt_term_set_title_report(r->t, script_has(r->l, "on"));
}

/* sends up|home|kp1|enter|wheel|focus|paste "bytes": in the current modes */
static void
do_sends(struct vt_run *r)
{
	static const struct {
		const char *word;
		key_code key;
	} keys[] = {
		{ "up", KEY_UP },
		{ "ctrl-a", KEY_CTRL | 'a' },
		{ "meta-a", KEY_META | 'a' },
		{ "kp1", KEY_KP_1 },
		{ "enter", KEY_ENTER },
		{ "bspace", KEY_BSPACE },
		{ "focus", KEY_FOCUS_IN },
	};
	struct mouse_event wheel = { MOUSE_PRESS, MOUSE_WHEEL_UP, 0, 2, 1, -1,
		-1 };
	struct vt_input_modes m;
	struct key_event ev;
	struct buf b;
	size_t i;

	vt_input_modes_of(&m, r->t);
	buf_init(&b, REPLY_MAX);
	memset(&ev, 0, sizeof(ev));
	for (i = 0; i < ARRAY_LEN(keys); i++)
		if (strcmp(vt_run_arg(r, 1)->p, keys[i].word) == 0) {
			ev.key = keys[i].key;
			(void)vt_input_key(&b, &m, &ev);
		}
	if (strcmp(r->l->argv[1].p, "wheel") == 0)
		(void)vt_input_mouse(&b, &m, &wheel);
	if (strcmp(r->l->argv[1].p, "paste") == 0)
		(void)vt_input_paste(&b, &m, "x", 1, 0);
	vt_run_text(r, (const char *)b.data, b.len, vt_run_arg(r, 2));
	buf_fini(&b);
}

/* Ignores a note for readers or for the comparison with other terminals. */
static void
do_nothing(struct vt_run *r UNUSED)
{
}

static const struct {
	const char *word;
	void (*run)(struct vt_run *r);
} statements[] = {
	{ "in", do_in },
	{ "reply", do_reply },
	{ "effect", do_effect },
	{ "noeffect", do_noeffect },
	{ "skip-effects", do_skip_effects },
	{ "title", do_title },
	{ "icon", do_icon },
	{ "cwd", do_cwd },
	{ "host", do_host },
	{ "theme", do_theme },
	{ "base", do_base },
	{ "pixels", do_pixels },
	{ "reset", do_reset },
	{ "scroll-on-clear", do_scroll_on_clear },
	{ "title-report", do_title_report },
	{ "resize", do_resize },
	{ "sends", do_sends },
	{ "ref", do_nothing },
	{ "covers", do_nothing },
	{ "whole", do_nothing },
	{ "todo", do_nothing },
};

bool
vt_run_setting(
    struct vt_run *r, const struct script *s, const struct script_line *l)
{
	if (strcmp(l->argv[0].p, "size") == 0) {
		if (l->argc != 2 ||
		    sscanf(l->argv[1].p, "%ux%u", &r->rows, &r->cols) != 2)
			script_die(s, l, "size ROWSxCOLS");
		return true;
	}
	if (strcmp(l->argv[0].p, "history") == 0) {
		r->history = (size_t)script_num(s, l, 1);
		return true;
	}
	return false;
}

static void
run_statement(struct vt_run *r)
{
	vt_look_fn look = vt_look_find(r->l->argv[0].p);
	size_t k;

	if (vt_run_setting(r, r->s, r->l))
		return;
	if (look != NULL) {
		look(r);
		return;
	}
	for (k = 0; strcmp(r->l->argv[0].p, statements[k].word) != 0;)
		if (++k == ARRAY_LEN(statements))
			script_die(
			    r->s, r->l, "no statement '%s'", r->l->argv[0].p);
	statements[k].run(r);
}

static void
begin(struct vt_run *r)
{
	struct vt_term_options opt;

	memset(&opt, 0, sizeof(opt));
	opt.pool = r->pool;
	opt.graphemes = r->graphemes;
	opt.cols = r->cols;
	opt.rows = r->rows;
	opt.history_rows = r->history;
	opt.history_bytes = 64u << 20;
	r->t = vt_term_new(&opt);
	vt_feed_begin(r);
	buf_init(&r->reply, REPLY_MAX);
}

static void
end(struct vt_run *r)
{
	size_t i;

	vt_feed_drop_frames(r);
	for (i = 0; i < r->neffects; i++)
		vt_effect_fini(&r->effects[i]);
	mem_free(r->effects);
	r->effects = NULL;
	r->neffects = r->next_effect = 0;
	buf_fini(&r->reply);
	vt_parser_fini(&r->shadow);
	vt_term_free(r->t);
	r->t = NULL;
}

void
vt_run_test(struct vt_run *r, const struct script *s, size_t from, size_t to,
    const struct vt_cut *cut)
{
	unsigned rows = r->rows, cols = r->cols;
	size_t history = r->history, i;

	r->s = s;
	r->cut = *cut;
	if (cut->each)
		snprintf(r->how, sizeof(r->how), "(byte by byte) ");
	else if (cut->padded)
		snprintf(r->how, sizeof(r->how), "(padded) ");
	else if (cut->seed != 0)
		snprintf(r->how, sizeof(r->how), "(random pieces, seed %llu) ",
		    (unsigned long long)cut->seed);
	else if (cut->at != 0)
		snprintf(r->how, sizeof(r->how), "(cut after %zu) ", cut->at);
	else
		r->how[0] = '\0';
	/* Settings at the beginning of a test apply to its own terminal. */
	for (i = from; i < to && vt_run_setting(r, s, &s->lines[i]); i++)
		;
	begin(r);
	for (; i < to; i++) {
		r->l = &s->lines[i];
		run_statement(r);
	}
	end(r);
	r->rows = rows;
	r->cols = cols;
	r->history = history;
}

void
vt_run_init(struct vt_run *r)
{
	memset(r, 0, sizeof(*r));
	r->rows = 24;
	r->cols = 80;
	r->history = 1000;
	r->pool = vt_pool_new();
	r->graphemes = grapheme_table_new(NULL);
}

void
vt_run_fini(struct vt_run *r)
{
	vt_pool_free(r->pool);
	grapheme_table_free(r->graphemes);
}
