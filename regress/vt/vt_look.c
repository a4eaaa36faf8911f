#include "regress/vt/vt_look.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "mux/vt/dump.h"

#define DUMP_MAX (64u << 20)

void
vt_run_fail(struct vt_run *r, const char *got, const char *want)
{
	tap_fail(r->s->path, r->l->no, "%s%s: got %s, want %s", r->how,
	    r->l->argv[0].p, got, want);
}

void
vt_run_pos(struct vt_run *r, int i, unsigned *row, unsigned *col)
{
	if (i >= r->l->argc || sscanf(r->l->argv[i].p, "%u,%u", row, col) != 2)
		script_die(r->s, r->l, "argument %d is not ROW,COL", i);
}

const struct script_arg *
vt_run_arg(struct vt_run *r, int i)
{
	if (i >= r->l->argc)
		script_die(r->s, r->l, "argument %d is missing", i);
	return &r->l->argv[i];
}

void
vt_run_number(struct vt_run *r, long got, long want)
{
	char a[32], b[32];

	if (got == want)
		return;
	snprintf(a, sizeof(a), "%ld", got);
	snprintf(b, sizeof(b), "%ld", want);
	vt_run_fail(r, a, b);
}

void
vt_run_text(
    struct vt_run *r, const char *got, size_t n, const struct script_arg *want)
{
	if (n == want->n && (n == 0 || memcmp(got, want->p, n) == 0))
		return;
	tap_fail(r->s->path, r->l->no, "%s%s: got  %s", r->how, r->l->argv[0].p,
	    script_quote(got, n));
	tap_fail(r->s->path, r->l->no, "%s%s: want %s", r->how, r->l->argv[0].p,
	    script_quote(want->p, want->n));
}

static void
do_cur(struct vt_run *r)
{
	struct vt_term_cursor c = vt_term_cursor(r->t);
	char got[64], want[64];
	unsigned row, col;

	vt_run_pos(r, 1, &row, &col);
	snprintf(
	    got, sizeof(got), "%u,%u%s", c.y, c.x, c.pending ? " pending" : "");
	snprintf(want, sizeof(want), "%u,%u%s", row, col,
	    script_has(r->l, "pending") ? " pending" : "");
	if (strcmp(got, want) != 0)
		vt_run_fail(r, got, want);
}

/* click ROW,COL nothing | report | left N | right N */
static void
do_click(struct vt_run *r)
{
	struct vt_click_keys k;
	char got[64], want[64];
	unsigned row, col;

	vt_run_pos(r, 1, &row, &col);
	if (!vt_term_click(r->t, (int)col, (int)row, &k))
		snprintf(got, sizeof(got), "nothing");
	else if (k.report)
		snprintf(got, sizeof(got), "report");
	else
		snprintf(got, sizeof(got), "%s %u", k.back ? "left" : "right",
		    k.steps);
	snprintf(want, sizeof(want), "%s%s%s", vt_run_arg(r, 2)->p,
	    r->l->argc > 3 ? " " : "",
	    r->l->argc > 3 ? vt_run_arg(r, 3)->p : "");
	if (strcmp(got, want) != 0)
		vt_run_fail(r, got, want);
}

/* Writes the text of LINE as in scripts: without blanks at the end. */
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
	{ "mark", VT_LINE_MARK },
	{ "double", VT_LINE_DOUBLE_WIDTH },
	{ "top", VT_LINE_DOUBLE_TOP },
	{ "bottom", VT_LINE_DOUBLE_BOTTOM },
};

/* Compares LINE with the argument WANT, and its flags with the other words. */
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
		vt_run_fail(r, got[0] == '\0' ? " no flags" : got, exp);
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
	    vt_run_arg(r, 2), true);
}

/* screen: compares the whole screen from the top; rows not given are blank. */
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
		vt_run_fail(r, "fewer rows", "more rows");
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
		vt_run_fail(r, "no such row", vt_run_arg(r, 2)->p);
	else
		check_line(r, line, vt_run_arg(r, 2), true);
}

static void
do_histrows(struct vt_run *r)
{
	struct vt_grid *g = vt_term_main_grid(r->t);

	vt_run_number(r, (long)(vt_grid_screen(g) - vt_grid_first(g)),
	    script_num(r->s, r->l, 1));
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
		vt_run_fail(r,
		    p->attrs & PEN_PROTECTED ? "protected" : "not so",
		    "the other");
	shown.attrs &= ~(uint32_t)PEN_PROTECTED;
	n = pen_sgr(&none, &shown, sgr);
	if (n >= 3) { /* without CSI and m */
		text += 2;
		n -= 3;
	}
	vt_run_text(r, text, n, vt_run_arg(r, i));
}

static void
do_pen(struct vt_run *r)
{
	unsigned row, col;

	vt_run_pos(r, 1, &row, &col);
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
	static const char *const names[] = { "narrow", "wide", "tail", "pad",
		"tab", "", "rest" };
	const struct vt_line *line;
	struct vt_cell c;
	unsigned row, col;
	char text[VT_CLUSTER_MAX + 1];
	const char *width;
	size_t n;

	vt_run_pos(r, 1, &row, &col);
	line = screen_line(r, row);
	c = vt_line_cell(line, col);
	width = c.width == VT_NARROW && c.ch == 0 ? "blank" : names[c.width];
	if (!script_has(r->l, width))
		vt_run_fail(r, width, vt_run_arg(r, 2)->p);
	if (r->l->argc <= 3)
		return;
	n = vt_line_text(line, col, text);
	vt_run_text(r, text, n, vt_run_arg(r, 3));
}

/*
 * block: the block of a cell, as "none" or scale, width, the cell's column and
 * row in it, and its fraction and alignment if it has any.
 */
static void
do_block(struct vt_run *r)
{
	const struct vt_line *line;
	const struct vt_link *k;
	unsigned row, col;
	char got[64] = "none";

	vt_run_pos(r, 1, &row, &col);
	line = screen_line(r, row);
	k = vt_line_block(line, col);
	if (k != NULL)
		snprintf(got, sizeof(got), "%ux%u+%u,%u", k->block.scale,
		    k->block.width, vt_line_cell(line, col).flags - 1u,
		    k->block.row);
	if (k != NULL && k->block.den > 0)
		snprintf(got + strlen(got), sizeof(got) - strlen(got),
		    " %u/%u,%u,%u", k->block.num, k->block.den, k->block.valign,
		    k->block.halign);
	if (strcmp(got, vt_run_arg(r, 2)->p) != 0)
		vt_run_fail(r, got, vt_run_arg(r, 2)->p);
	if (r->l->argc > 3 &&
	    (k == NULL || strcmp(vt_link_uri(k), vt_run_arg(r, 3)->p) != 0))
		vt_run_fail(r, k == NULL ? "none" : vt_link_uri(k),
		    vt_run_arg(r, 3)->p);
}

static void
do_link(struct vt_run *r)
{
	struct vt_link *k;
	unsigned row, col;
	const char *s;

	vt_run_pos(r, 1, &row, &col);
	k = vt_line_link(screen_line(r, row), col);
	s = k == NULL ? "" : vt_link_uri(k);
	vt_run_text(r, s, strlen(s), vt_run_arg(r, 2));
	if (r->l->argc > 3) {
		s = k == NULL ? "" : vt_link_id(k);
		vt_run_text(r, s, strlen(s), vt_run_arg(r, 3));
	}
}

/* The mode of a mnemonic as "DECAWM", VT_MODE_COUNT if there is none. */
static enum vt_mode
mode_find(const char *name)
{
	static const char *const names[] = {
#define X(mn, private, number, def, setter, group, help) [VT_MODE_##mn] = #mn,
#define F(mn, private, number, answer)
#include "mux/vt/mode.def"
#undef X
#undef F
	};
	unsigned i;

	for (i = 0; i < VT_MODE_COUNT; i++) {
		if (names[i] != NULL && strcmp(names[i], name) == 0)
			break;
	}
	return (enum vt_mode)i;
}

static void
do_mode(struct vt_run *r)
{
	enum vt_mode m = mode_find(vt_run_arg(r, 1)->p);
	bool on;

	if (m == VT_MODE_COUNT)
		script_die(r->s, r->l, "no mode '%s'", r->l->argv[1].p);
	on = vt_term_mode(r->t, m);
	if (!script_has(r->l, on ? "on" : "off"))
		vt_run_fail(r, on ? "on" : "off", on ? "off" : "on");
}

/* margins TOP,LEFT BOTTOM,RIGHT: inclusive */
static void
do_margins(struct vt_run *r)
{
	struct vt_rect m = vt_term_margins(r->t);
	unsigned top, left, bottom, right;
	char got[64];

	vt_run_pos(r, 1, &top, &left);
	vt_run_pos(r, 2, &bottom, &right);
	snprintf(got, sizeof(got), "%u,%u %u,%u", m.top, m.left, m.bottom - 1,
	    m.right - 1);
	if (m.top != top || m.left != left || m.bottom != bottom + 1 ||
	    m.right != right + 1)
		vt_run_fail(r, got, "what the script says");
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
			vt_run_number(r, (long)x, -1);
			return;
		}
		vt_run_number(r, (long)x, script_num(r->s, r->l, i++));
	}
	if (i < r->l->argc)
		vt_run_number(r, -1, script_num(r->s, r->l, i));
}

static void
do_alt(struct vt_run *r)
{
	bool on = vt_term_alternate(r->t);

	if (!script_has(r->l, on ? "on" : "off"))
		vt_run_fail(r, on ? "on" : "off", on ? "off" : "on");
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
	F("exit", exit_status), F("pointer", pointer), F("bells", bells), F("modes", modes),
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
		vt_run_number(r, got, v);
	}
}

/* colour INDEX rrggbb|unset: the palette, 256 and up as enum vt_dynamic. */
static void
do_colour(struct vt_run *r)
{
	const struct vt_frame_state *st = vt_term_state(r->t);
	uint32_t want = VT_PALETTE_UNSET;

	if (strcmp(vt_run_arg(r, 2)->p, "unset") != 0)
		want = (uint32_t)strtoul(r->l->argv[2].p, NULL, 16);
	vt_run_number(r,
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
		vt_run_number(r, (long)st.unknown, strtol(a->p, NULL, 10));
	if ((a = script_opt(r->l, "malformed")) != NULL)
		vt_run_number(r, (long)st.malformed, strtol(a->p, NULL, 10));
	if ((a = script_opt(r->l, "aborted")) != NULL)
		vt_run_number(r, (long)st.aborted, strtol(a->p, NULL, 10));
	if ((a = script_opt(r->l, "ill_formed")) != NULL)
		vt_run_number(r, (long)st.ill_formed, strtol(a->p, NULL, 10));
}

static void
do_bytes_below(struct vt_run *r)
{
	size_t got = vt_term_bytes(r->t);

	if (got >= (size_t)script_num(r->s, r->l, 1))
		vt_run_number(r, (long)got, script_num(r->s, r->l, 1));
}

static const struct {
	const char *word;
	vt_look_fn run;
} looks[] = {
	{ "cur", do_cur },
	{ "click", do_click },
	{ "row", do_row },
	{ "screen", do_screen },
	{ "hist", do_hist },
	{ "histrows", do_histrows },
	{ "pen", do_pen },
	{ "curpen", do_curpen },
	{ "cell", do_cell },
	{ "link", do_link },
	{ "block", do_block },
	{ "mode", do_mode },
	{ "margins", do_margins },
	{ "tabs", do_tabs },
	{ "alt", do_alt },
	{ "state", do_state },
	{ "colour", do_colour },
	{ "stats", do_stats },
	{ "bytes-below", do_bytes_below },
};

vt_look_fn
vt_look_find(const char *word)
{
	size_t k;

	for (k = 0; k < ARRAY_LEN(looks); k++)
		if (strcmp(word, looks[k].word) == 0)
			return looks[k].run;
	return NULL;
}
