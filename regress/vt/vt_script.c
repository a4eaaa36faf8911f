#include "regress/vt/vt_script.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "mux/vt/dump.h"
#include "mux/vt/input_encode.h"

#define REPLY_MAX (4u << 20)
#define DUMP_MAX (64u << 20)
#define EFFECTS_KEPT 4096

static void
fail_at(struct vt_run *r, const char *got, const char *want)
{
	tap_fail(r->s->path, r->l->no, "%s%s: got %s, want %s", r->how,
	    r->l->argv[0].p, got, want);
}

/* The RC'th argument as ROW,COL. */
static void
read_pos(struct vt_run *r, int i, unsigned *row, unsigned *col)
{
	if (i >= r->l->argc || sscanf(r->l->argv[i].p, "%u,%u", row, col) != 2)
		script_die(r->s, r->l, "argument %d is not ROW,COL", i);
}

static const struct script_arg *
need_arg(struct vt_run *r, int i)
{
	if (i >= r->l->argc)
		script_die(r->s, r->l, "argument %d is missing", i);
	return &r->l->argv[i];
}

/* Takes what the terminal says: replies together, the rest in order. */
static void
take_effects(struct vt_run *r)
{
	struct vt_effect e;

	while (vt_term_next_effect(r->t, &e)) {
		if (e.kind == VT_EFFECT_REPLY) {
			buf_add(&r->reply, e.data, e.len);
			vt_effect_fini(&e);
			continue;
		}
		if (r->neffects == EFFECTS_KEPT) {
			vt_effect_fini(&e);
			continue;
		}
		r->effects = mem_resize(
		    r->effects, r->neffects + 1, sizeof(*r->effects));
		r->effects[r->neffects++] = e;
	}
}

static void
check_invariants(struct vt_run *r)
{
	const char *bad = vt_term_check(r->t);

	if (bad != NULL)
		fail_at(r, bad, "sound invariants");
}

/* Keeps a frame and its dump, to see that it never changes. */
static void
keep_frame(struct vt_run *r)
{
	struct vt_frame *f;
	struct buf b;

	if (r->nframes == VT_RUN_FRAMES)
		return;
	f = vt_term_frame(r->t, 0);
	if (vt_frame_check(f) != NULL)
		fail_at(r, vt_frame_check(f), "a sound frame");
	buf_init(&b, DUMP_MAX);
	(void)vt_dump_raw_frame(&b, f);
	r->frames[r->nframes].frame = f;
	r->frames[r->nframes].dump = buf_steal(&b, &r->frames[r->nframes].len);
	r->nframes++;
	buf_fini(&b);
}

static void
drop_frames(struct vt_run *r)
{
	struct buf b;
	size_t i;

	for (i = 0; i < r->nframes; i++) {
		buf_init(&b, DUMP_MAX);
		(void)vt_dump_raw_frame(&b, r->frames[i].frame);
		if (b.len != r->frames[i].len ||
		    (b.len > 0 &&
			memcmp(b.data, r->frames[i].dump, b.len) != 0))
			fail_at(r, "a changed frame", "an immutable one");
		buf_fini(&b);
		mem_free(r->frames[i].dump);
		vt_frame_unref(r->frames[i].frame);
	}
	r->nframes = 0;
}

static uint64_t
next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static size_t
random_piece(struct vt_run *r, size_t left)
{
	size_t k = next_random(&r->rng) % 7 + 1;

	return MIN_OF(k, left);
}

static void
write_pieces(struct vt_run *r, const char *p, size_t n)
{
	size_t i, k, pieces = 0;

	for (i = 0; i < n; i += k) {
		k = n - i;
		if (r->cut.each)
			k = 1;
		else if (r->cut.seed != 0)
			k = random_piece(r, k);
		else if (r->cut.at > i)
			k = MIN_OF(k, r->cut.at - i);
		vt_term_write(r->t, p + i, k);
		/* Packed or not, the history must show the same. */
		while (
		    r->cut.seed != 0 && vt_grid_settle(vt_term_main_grid(r->t)))
			;
		/* Long inputs are not checked after every single byte. */
		if (pieces++ < 512 || pieces % 64 == 0)
			check_invariants(r);
		take_effects(r);
	}
}

/* --- padding ------------------------------------------------------------- */

static void
shadow_ascii(void *arg UNUSED, const uint8_t *p UNUSED, size_t n UNUSED,
    size_t room UNUSED)
{
}

static void
shadow_text(void *arg UNUSED, const uint32_t *cp UNUSED, size_t n UNUSED)
{
}

static void
shadow_control(void *arg UNUSED, uint32_t c UNUSED)
{
}

static void
shadow_esc(void *arg UNUSED, const struct vt_seq *seq UNUSED)
{
}

static void
shadow_csi(void *arg UNUSED, const struct vt_seq *seq UNUSED,
    const struct vt_params *params UNUSED)
{
}

static size_t
shadow_begin(void *arg UNUSED, enum vt_string kind UNUSED,
    const struct vt_seq *seq UNUSED)
{
	return 0;
}

static void
shadow_end(void *arg UNUSED, enum vt_string kind UNUSED,
    const struct vt_seq *seq UNUSED, const struct vt_params *params UNUSED,
    const char *s UNUSED, size_t n UNUSED, bool bel UNUSED)
{
}

static const struct vt_parser_ops shadow_ops = {
	.ascii = shadow_ascii,
	.text = shadow_text,
	.control = shadow_control,
	.esc = shadow_esc,
	.csi = shadow_csi,
	.string_begin = shadow_begin,
	.string_end = shadow_end,
};

/* More than what the terminal's quick way wants to see before it (burst.c). */
#define PADDING 256

/*
 * The terminal's quick way takes only what is followed by enough: here DEL,
 * which means nothing in the ground state.
 */
static void
write_padded(struct vt_run *r, const char *p, size_t n)
{
	char *all = mem_alloc(n + PADDING);

	vt_parser_write(&r->shadow, (const uint8_t *)p, n);
	memcpy(all, p, n);
	memset(all + n, 0x7f, PADDING);
	vt_term_write(r->t, all, vt_parser_idle(&r->shadow) ? n + PADDING : n);
	mem_free(all);
	check_invariants(r);
	take_effects(r);
}

static void
do_in(struct vt_run *r)
{
	int i;

	keep_frame(r);
	for (i = 1; i < r->l->argc; i++) {
		r->longest = MAX_OF(r->longest, r->l->argv[i].n);
		if (r->cut.padded)
			write_padded(r, r->l->argv[i].p, r->l->argv[i].n);
		else
			write_pieces(r, r->l->argv[i].p, r->l->argv[i].n);
	}
}

static void
do_resize(struct vt_run *r)
{
	unsigned rows, cols;

	if (sscanf(need_arg(r, 1)->p, "%ux%u", &rows, &cols) != 2)
		script_die(r->s, r->l, "resize ROWSxCOLS");
	keep_frame(r);
	vt_term_resize(r->t, cols, rows);
	check_invariants(r);
	take_effects(r);
}

static void
do_cur(struct vt_run *r)
{
	struct vt_term_cursor c = vt_term_cursor(r->t);
	char got[64], want[64];
	unsigned row, col;

	read_pos(r, 1, &row, &col);
	snprintf(
	    got, sizeof(got), "%u,%u%s", c.y, c.x, c.pending ? " pending" : "");
	snprintf(want, sizeof(want), "%u,%u%s", row, col,
	    script_has(r->l, "pending") ? " pending" : "");
	if (strcmp(got, want) != 0)
		fail_at(r, got, want);
}

/* The text of LINE as scripts write it: no blanks at the end. */
static void
line_text(struct buf *out, const struct vt_line *line, unsigned cols)
{
	buf_clear(out);
	(void)vt_dump_line(out, line, 0, cols, 0);
	while (out->len > 0 && out->data[out->len - 1] == ' ')
		buf_truncate(out, out->len - 1);
}

static const struct {
	const char *word;
	unsigned flag;
} line_flags[] = {
	{ "wrapped", VT_LINE_WRAPPED },
	{ "prompt", VT_LINE_PROMPT },
	{ "input", VT_LINE_INPUT },
	{ "output", VT_LINE_OUTPUT },
	{ "done", VT_LINE_DONE },
	{ "continuation", VT_LINE_CONTINUATION },
	{ "failed", VT_LINE_FAILED },
};

/* Compares LINE with the argument WANT and the flags among the words. */
static void
check_line(struct vt_run *r, const struct vt_line *line,
    const struct script_arg *want, bool flags)
{
	char got[128] = "", exp[128] = "";
	size_t i, n = want->n;
	struct buf b;

	while (n > 0 && want->p[n - 1] == ' ')
		n--;
	buf_init(&b, DUMP_MAX);
	line_text(&b, line, vt_term_cols(r->t));
	if (b.len != n || (n > 0 && memcmp(b.data, want->p, n) != 0)) {
		tap_fail(r->s->path, r->l->no, "%s%s: got  %s", r->how,
		    r->l->argv[0].p, script_quote(b.data, b.len));
		tap_fail(r->s->path, r->l->no, "%s%s: want %s", r->how,
		    r->l->argv[0].p, script_quote(want->p, n));
	}
	buf_fini(&b);
	for (i = 0; flags && i < ARRAY_LEN(line_flags); i++) {
		if (line->flags & line_flags[i].flag) {
			str_append(got, " ", sizeof(got));
			str_append(got, line_flags[i].word, sizeof(got));
		}
		if (script_has(r->l, line_flags[i].word)) {
			str_append(exp, " ", sizeof(exp));
			str_append(exp, line_flags[i].word, sizeof(exp));
		}
	}
	if (strcmp(got, exp) != 0)
		fail_at(r, got[0] == '\0' ? " no flags" : got, exp);
}

static const struct vt_line *
screen_line(struct vt_run *r, unsigned row)
{
	if (row >= vt_term_rows(r->t))
		script_die(r->s, r->l, "no row %u", row);
	return vt_grid_line(vt_term_grid(r->t), row);
}

static void
do_row(struct vt_run *r)
{
	check_line(r, screen_line(r, (unsigned)script_num(r->s, r->l, 1)),
	    need_arg(r, 2), true);
}

/* The whole screen from the top; rows not given are blank. */
static void
do_screen(struct vt_run *r)
{
	static char empty[1];
	static const struct script_arg blank = { empty, 0, true };
	unsigned y;

	for (y = 0; y < vt_term_rows(r->t); y++)
		check_line(r, screen_line(r, y),
		    (int)y + 1 < r->l->argc ? &r->l->argv[y + 1] : &blank,
		    false);
	if (r->l->argc > (int)vt_term_rows(r->t) + 1)
		fail_at(r, "fewer rows", "more rows");
}

/* hist N: the Nth row above the screen, 1 the newest. */
static void
do_hist(struct vt_run *r)
{
	struct vt_grid *g = vt_term_main_grid(r->t);
	vt_row back = (vt_row)script_num(r->s, r->l, 1);
	const struct vt_line *line;

	line = back > vt_grid_screen(g)
		   ? NULL
		   : vt_grid_row(g, vt_grid_screen(g) - back);
	if (line == NULL)
		fail_at(r, "no such row", need_arg(r, 2)->p);
	else
		check_line(r, line, need_arg(r, 2), true);
}

static void
check_number(struct vt_run *r, long got, long want)
{
	char a[32], b[32];

	if (got == want)
		return;
	snprintf(a, sizeof(a), "%ld", got);
	snprintf(b, sizeof(b), "%ld", want);
	fail_at(r, a, b);
}

static void
do_histrows(struct vt_run *r)
{
	struct vt_grid *g = vt_term_main_grid(r->t);

	check_number(r, (long)(vt_grid_screen(g) - vt_grid_first(g)),
	    script_num(r->s, r->l, 1));
}

static void
check_text(
    struct vt_run *r, const char *got, size_t n, const struct script_arg *want)
{
	if (n == want->n && (n == 0 || memcmp(got, want->p, n) == 0))
		return;
	tap_fail(r->s->path, r->l->no, "%s%s: got  %s", r->how, r->l->argv[0].p,
	    script_quote(got, n));
	tap_fail(r->s->path, r->l->no, "%s%s: want %s", r->how, r->l->argv[0].p,
	    script_quote(want->p, want->n));
}

/* The pen P as the parameters of SGR, "protected" for DECSCA. */
static void
check_pen(struct vt_run *r, const struct pen *p, int i)
{
	static const struct pen none;
	char sgr[PEN_SGR_MAX + 1];
	const char *text = sgr;
	struct pen shown = *p;
	size_t n;

	if (((p->attrs & PEN_PROTECTED) != 0) != script_has(r->l, "protected"))
		fail_at(r, p->attrs & PEN_PROTECTED ? "protected" : "not so",
		    "the other");
	shown.attrs &= ~(uint32_t)PEN_PROTECTED;
	n = pen_sgr(&none, &shown, sgr);
	if (n >= 3) { /* without CSI and m */
		text += 2;
		n -= 3;
	}
	check_text(r, text, n, need_arg(r, i));
}

static void
do_pen(struct vt_run *r)
{
	unsigned row, col;

	read_pos(r, 1, &row, &col);
	check_pen(r, vt_line_pen(screen_line(r, row), col), 2);
}

static void
do_curpen(struct vt_run *r)
{
	check_pen(r, vt_term_pen(r->t), 1);
}

static void
do_cell(struct vt_run *r)
{
	static const char *const names[] = { "narrow", "wide", "tail", "pad" };
	const struct vt_line *line;
	struct vt_cell c;
	unsigned row, col;
	char text[VT_CLUSTER_MAX + 1];
	const char *width;
	size_t n;

	read_pos(r, 1, &row, &col);
	line = screen_line(r, row);
	c = vt_line_cell(line, col);
	width = c.width == VT_NARROW && c.ch == 0 ? "blank" : names[c.width];
	if (!script_has(r->l, width))
		fail_at(r, width, need_arg(r, 2)->p);
	if (r->l->argc <= 3)
		return;
	n = vt_line_text(line, col, text);
	check_text(r, text, n, need_arg(r, 3));
}

static void
do_link(struct vt_run *r)
{
	struct vt_link *k;
	unsigned row, col;
	const char *s;

	read_pos(r, 1, &row, &col);
	k = vt_line_link(screen_line(r, row), col);
	s = k == NULL ? "" : vt_link_uri(k);
	check_text(r, s, strlen(s), need_arg(r, 2));
	if (r->l->argc > 3) {
		s = k == NULL ? "" : vt_link_id(k);
		check_text(r, s, strlen(s), need_arg(r, 3));
	}
}

static void
do_mode(struct vt_run *r)
{
	enum vt_mode m = vt_mode_find(need_arg(r, 1)->p);
	bool on;

	if (m == VT_MODE_COUNT)
		script_die(r->s, r->l, "no mode '%s'", r->l->argv[1].p);
	on = vt_term_mode(r->t, m);
	if (!script_has(r->l, on ? "on" : "off"))
		fail_at(r, on ? "on" : "off", on ? "off" : "on");
}

static void
do_reply(struct vt_run *r)
{
	check_text(
	    r, (const char *)r->reply.data, r->reply.len, need_arg(r, 1));
	buf_clear(&r->reply);
}

/* effect KIND [number]... ["data" ["data2"]]: others before are skipped */
static void
do_effect(struct vt_run *r)
{
	const struct vt_effect *e;
	const struct script_arg *want;
	int i, numbers = 0, texts = 0;
	const char *s;

	while (r->next_effect < r->neffects &&
	       strcmp(vt_effect_name(r->effects[r->next_effect].kind),
		   need_arg(r, 1)->p) != 0)
		r->next_effect++;
	if (r->next_effect >= r->neffects) {
		fail_at(r, "nothing more", need_arg(r, 1)->p);
		return;
	}
	e = &r->effects[r->next_effect++];
	for (i = 2; i < r->l->argc; i++) {
		want = &r->l->argv[i];
		if (!want->quoted) {
			check_number(r, numbers++ == 0 ? e->a : e->b,
			    want->n == 1 && str_hex_digit(want->p[0]) < 0
				? want->p[0]
				: script_num(r->s, r->l, i));
			continue;
		}
		if (texts++ == 0)
			check_text(r, e->data, e->len, want);
		else {
			s = e->data2 == NULL ? "" : e->data2;
			check_text(r, s, strlen(s), want);
		}
	}
}

/* No effect is left (of the kind named, if one is). */
static void
do_noeffect(struct vt_run *r)
{
	const struct vt_effect *e;
	char text[256];

	for (; r->next_effect < r->neffects; r->next_effect++) {
		e = &r->effects[r->next_effect];
		if (r->l->argc > 1 &&
		    strcmp(r->l->argv[1].p, vt_effect_name(e->kind)) != 0)
			continue;
		snprintf(text, sizeof(text), "%s %d %d %.200s",
		    vt_effect_name(e->kind), e->a, e->b,
		    script_quote(e->data, e->data == NULL ? 0 : e->len));
		fail_at(r, text, "nothing");
	}
}

/* Forgets effects that are of no interest. */
static void
do_skip_effects(struct vt_run *r)
{
	r->next_effect = r->neffects;
}

static void
do_title(struct vt_run *r)
{
	const char *s = vt_term_title(r->t);

	check_text(r, s, strlen(s), need_arg(r, 1));
}

static void
do_icon(struct vt_run *r)
{
	const char *s = vt_term_icon(r->t);

	check_text(r, s, strlen(s), need_arg(r, 1));
}

static void
do_cwd(struct vt_run *r)
{
	const char *s = vt_term_cwd(r->t);

	check_text(r, s, strlen(s), need_arg(r, 1));
}

/* margins TOP,LEFT BOTTOM,RIGHT: inclusive */
static void
do_margins(struct vt_run *r)
{
	struct vt_rect m = vt_term_margins(r->t);
	unsigned top, left, bottom, right;
	char got[64];

	read_pos(r, 1, &top, &left);
	read_pos(r, 2, &bottom, &right);
	snprintf(got, sizeof(got), "%u,%u %u,%u", m.top, m.left, m.bottom - 1,
	    m.right - 1);
	if (m.top != top || m.left != left || m.bottom != bottom + 1 ||
	    m.right != right + 1)
		fail_at(r, got, "what the script says");
}

/* tabs C...: exactly these columns are tab stops. */
static void
do_tabs(struct vt_run *r)
{
	unsigned x;
	int i = 1;

	for (x = 0; x < vt_term_cols(r->t); x++) {
		if (!vt_term_tab(r->t, x))
			continue;
		if (i >= r->l->argc) {
			check_number(r, (long)x, -1);
			return;
		}
		check_number(r, (long)x, script_num(r->s, r->l, i++));
	}
	if (i < r->l->argc)
		check_number(r, -1, script_num(r->s, r->l, i));
}

static void
do_alt(struct vt_run *r)
{
	bool on = vt_term_alternate(r->t);

	if (!script_has(r->l, on ? "on" : "off"))
		fail_at(r, on ? "on" : "off", on ? "off" : "on");
}

/* clang-format off */
static const struct {
	const char *name;
	size_t offset;
	size_t size;
} state_fields[] = {
#define F(name, f) \
	{ name, offsetof(struct vt_frame_state, f), \
		sizeof(((struct vt_frame_state *)0)->f) }
	F("shape", cursor_shape), F("mouse", mouse_mode),
	F("encoding", mouse_encoding), F("kitty", kitty_flags),
	F("modify", modify_other), F("prompt", prompt),
	F("progress", progress), F("percent", progress_percent),
	F("exit", exit_status), F("bells", bells), F("modes", modes),
#undef F
};
/* clang-format on */

/* state NAME=NUMBER...: fields of the frame's state; modes=+bit or -bit. */
static void
do_state(struct vt_run *r)
{
	const struct vt_frame_state *st = vt_term_state(r->t);
	const char *eq;
	uint32_t wide;
	long v, got;
	size_t k;
	int i;

	for (i = 1; i < r->l->argc; i++) {
		eq = strchr(r->l->argv[i].p, '=');
		for (k = 0; eq != NULL && k < ARRAY_LEN(state_fields); k++)
			if (strlen(state_fields[k].name) ==
				(size_t)(eq - r->l->argv[i].p) &&
			    str_starts(r->l->argv[i].p, state_fields[k].name))
				break;
		if (eq == NULL || k == ARRAY_LEN(state_fields))
			script_die(r->s, r->l, "no '%s'", r->l->argv[i].p);
		v = strtol(eq + 1, NULL, 0);
		if (state_fields[k].size == 4) {
			memcpy(&wide, (const char *)st + state_fields[k].offset,
			    4);
			got = (long)wide;
		} else
			got = ((const uint8_t *)st)[state_fields[k].offset];
		check_number(r, got, v);
	}
}

/* colour INDEX rrggbb|unset: the palette, 256 and up as enum vt_dynamic. */
static void
do_colour(struct vt_run *r)
{
	const struct vt_frame_state *st = vt_term_state(r->t);
	uint32_t want = VT_PALETTE_UNSET;

	if (strcmp(need_arg(r, 2)->p, "unset") != 0)
		want = (uint32_t)strtoul(r->l->argv[2].p, NULL, 16);
	check_number(r,
	    (long)vt_palette_get(
		st->palette, (unsigned)script_num(r->s, r->l, 1)),
	    (long)want);
}

static void
do_stats(struct vt_run *r)
{
	const struct script_arg *a;
	struct vt_stats st;

	vt_term_stats(r->t, &st);
	if ((a = script_opt(r->l, "unknown")) != NULL)
		check_number(r, (long)st.unknown, strtol(a->p, NULL, 10));
	if ((a = script_opt(r->l, "malformed")) != NULL)
		check_number(r, (long)st.malformed, strtol(a->p, NULL, 10));
	if ((a = script_opt(r->l, "aborted")) != NULL)
		check_number(r, (long)st.aborted, strtol(a->p, NULL, 10));
	if ((a = script_opt(r->l, "ill_formed")) != NULL)
		check_number(r, (long)st.ill_formed, strtol(a->p, NULL, 10));
}

static void
do_bytes_below(struct vt_run *r)
{
	size_t got = vt_term_bytes(r->t);

	if (got >= (size_t)script_num(r->s, r->l, 1))
		check_number(r, (long)got, script_num(r->s, r->l, 1));
}

/* theme FG BG dark|light: the outer terminal's colours, rrggbb. */
static void
do_theme(struct vt_run *r)
{
	struct vt_theme theme;

	theme.fg = (uint32_t)strtoul(need_arg(r, 1)->p, NULL, 16);
	theme.bg = (uint32_t)strtoul(need_arg(r, 2)->p, NULL, 16);
	theme.cursor = theme.fg;
	theme.dark = script_has(r->l, "dark");
	vt_term_set_theme(r->t, &theme);
	take_effects(r);
}

static void
do_pixels(struct vt_run *r)
{
	vt_term_set_cell_pixels(r->t, (unsigned)script_num(r->s, r->l, 1),
	    (unsigned)script_num(r->s, r->l, 2));
	take_effects(r);
}

static void
do_reset(struct vt_run *r)
{
	vt_term_reset(r->t);
	check_invariants(r);
	take_effects(r);
}

static void
do_scroll_on_clear(struct vt_run *r)
{
	vt_term_set_scroll_on_clear(r->t, script_has(r->l, "on"));
}

/* sends up|home|kp1|enter|wheel|focus|paste "bytes": in the modes in force */
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
		if (strcmp(need_arg(r, 1)->p, keys[i].word) == 0) {
			ev.key = keys[i].key;
			(void)vt_input_key(&b, &m, &ev);
		}
	if (strcmp(r->l->argv[1].p, "wheel") == 0)
		(void)vt_input_mouse(&b, &m, &wheel);
	if (strcmp(r->l->argv[1].p, "paste") == 0)
		(void)vt_input_paste(&b, &m, "x", 1, 0);
	check_text(r, (const char *)b.data, b.len, need_arg(r, 2));
	buf_fini(&b);
}

/* Notes for a reader and for the comparison with other terminals. */
static void
do_nothing(struct vt_run *r UNUSED)
{
}

static const struct {
	const char *word;
	void (*run)(struct vt_run *r);
} statements[] = {
	{ "in", do_in },
	{ "cur", do_cur },
	{ "row", do_row },
	{ "screen", do_screen },
	{ "hist", do_hist },
	{ "histrows", do_histrows },
	{ "pen", do_pen },
	{ "curpen", do_curpen },
	{ "cell", do_cell },
	{ "link", do_link },
	{ "mode", do_mode },
	{ "reply", do_reply },
	{ "effect", do_effect },
	{ "noeffect", do_noeffect },
	{ "skip-effects", do_skip_effects },
	{ "title", do_title },
	{ "icon", do_icon },
	{ "cwd", do_cwd },
	{ "margins", do_margins },
	{ "tabs", do_tabs },
	{ "alt", do_alt },
	{ "state", do_state },
	{ "colour", do_colour },
	{ "stats", do_stats },
	{ "bytes-below", do_bytes_below },
	{ "theme", do_theme },
	{ "pixels", do_pixels },
	{ "reset", do_reset },
	{ "scroll-on-clear", do_scroll_on_clear },
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
	size_t k;

	if (vt_run_setting(r, r->s, r->l))
		return;
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
	vt_parser_init(&r->shadow, &shadow_ops, NULL);
	buf_init(&r->reply, REPLY_MAX);
	r->rng = r->cut.seed;
}

static void
end(struct vt_run *r)
{
	size_t i;

	drop_frames(r);
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
	/* Settings at the beginning of a test are of its own terminal. */
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
