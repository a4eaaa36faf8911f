#include "client/term/out.h"

#include <stdio.h>
#include <string.h>
#include <tickit-termdrv.h>
#include <tickit.h>

#include "base/mem.h"
#include "base/utf8.h"

/* Rows that must move together before a scroll is worth its bytes. */
#define SCROLL_MIN_ROWS 2

/* Equal columns inside a run: cheaper to write again than to jump over. */
#define RUN_GAP 6

/* Blank columns that are erased rather than written. */
#define ERASE_MIN 8

struct term_out {
	TickitTermDriver drv; /* first: TickitTerm hands it to the vtable */
	TickitTerm *tt;
	struct buf out;
	term_caps caps;
	unsigned cols;
	unsigned rows;
	struct vt_frame *shown; /* NULL: nothing is known */
	struct pen pen;         /* in force on the terminal, downsampled */
	struct vt_link *link;
	int x; /* cursor, -1 unknown */
	int y;
	bool visible;
	uint8_t shape;
	bool blink;
	uint32_t cursor_rgb;
	struct term_out_modes modes;
	char *title;
	char *path;
	bool started;
	bool kitty_pushed;
};

/* --- the driver that libtickit calls -------------------------------------- */

static struct term_out *
drv_out(TickitTermDriver *d)
{
	return container_of(d, struct term_out, drv);
}

static void
drv_destroy(UNUSED TickitTermDriver *d)
{
	/* It is a part of struct term_out. */
}

static bool
drv_print(TickitTermDriver *d, const char *s, size_t n)
{
	if (n > 0)
		tickit_termdrv_write_str(d, s, n);
	return true;
}

static bool
drv_goto(TickitTermDriver *d, int y, int x)
{
	struct term_out *o = drv_out(d);

	if (o->x == x && o->y == y)
		return true;
	if (o->y == y && o->x >= 0) {
		if (x == 0)
			tickit_termdrv_write_str(d, "\r", 1);
		else if (x == o->x - 1)
			tickit_termdrv_write_str(d, "\b", 1);
		else if (x == o->x + 1)
			tickit_termdrv_write_str(d, "\033[C", 3);
		else if (x > o->x)
			tickit_termdrv_write_strf(d, "\033[%dC", x - o->x);
		else
			tickit_termdrv_write_strf(d, "\033[%dD", o->x - x);
	} else if (y == o->y + 1 && x == 0 && o->y >= 0)
		tickit_termdrv_write_str(d, "\r\n", 2);
	else if (x == 0 && y == 0)
		tickit_termdrv_write_str(d, "\033[H", 3);
	else if (x == 0)
		tickit_termdrv_write_strf(d, "\033[%dH", y + 1);
	else
		tickit_termdrv_write_strf(d, "\033[%d;%dH", y + 1, x + 1);
	o->x = x;
	o->y = y;
	return true;
}

static bool
drv_move(TickitTermDriver *d, int down, int right)
{
	if (down != 0)
		tickit_termdrv_write_strf(d, "\033[%d%c",
		    down < 0 ? -down : down, down < 0 ? 'A' : 'B');
	if (right != 0)
		tickit_termdrv_write_strf(d, "\033[%d%c",
		    right < 0 ? -right : right, right < 0 ? 'D' : 'C');
	return true;
}

static bool
drv_scrollrect(TickitTermDriver *d, const TickitRect *r, int down, int right)
{
	struct term_out *o = drv_out(d);
	bool whole = r->top == 0 && r->lines == (int)o->rows;

	if (right != 0 || r->left != 0 || r->cols != (int)o->cols ||
	    (o->caps & TERM_CAP(SCROLL)) == 0)
		return false;
	if (!whole)
		tickit_termdrv_write_strf(
		    d, "\033[%d;%dr", r->top + 1, r->top + r->lines);
	if (down > 0) {
		/* Line feeds at the bottom: every terminal knows them. */
		o->x = o->y = -1;
		drv_goto(d, r->top + r->lines - 1, 0);
		while (down-- > 0)
			tickit_termdrv_write_str(d, "\n", 1);
	} else {
		o->x = o->y = -1;
		drv_goto(d, r->top, 0);
		tickit_termdrv_write_strf(d, "\033[%dL", -down);
	}
	if (!whole)
		tickit_termdrv_write_str(d, "\033[r", 3);
	o->x = o->y = -1;
	return true;
}

static bool
drv_erasech(TickitTermDriver *d, int n, TickitMaybeBool moveend)
{
	tickit_termdrv_write_strf(d, "\033[%dX", n);
	if (moveend == TICKIT_YES)
		drv_move(d, 0, n);
	return true;
}

static bool
drv_clear(TickitTermDriver *d)
{
	struct term_out *o = drv_out(d);

	tickit_termdrv_write_str(d, "\033[H\033[2J", 7);
	o->x = o->y = 0;
	return true;
}

static bool
drv_chpen(UNUSED TickitTermDriver *d, UNUSED const TickitPen *delta,
    UNUSED const TickitPen *final)
{
	return true; /* pens are ours: see out_pen */
}

static bool
drv_getctl(TickitTermDriver *d, TickitTermCtl ctl, int *value)
{
	if (ctl != TICKIT_TERMCTL_COLORS)
		return false;
	*value = drv_out(d)->caps & TERM_CAP(RGB) ? 1 << 24 : 256;
	return true;
}

static bool
drv_setctl_int(
    UNUSED TickitTermDriver *d, UNUSED TickitTermCtl ctl, UNUSED int value)
{
	return false;
}

static bool
drv_setctl_str(UNUSED TickitTermDriver *d, UNUSED TickitTermCtl ctl,
    UNUSED const char *value)
{
	return false;
}

static const TickitTermDriverVTable drv_table = {
	.destroy = drv_destroy,
	.print = drv_print,
	.goto_abs = drv_goto,
	.move_rel = drv_move,
	.scrollrect = drv_scrollrect,
	.erasech = drv_erasech,
	.clear = drv_clear,
	.chpen = drv_chpen,
	.getctl_int = drv_getctl,
	.setctl_int = drv_setctl_int,
	.setctl_str = drv_setctl_str,
};

/* What libtickit writes, once it flushes. */
static void
out_write(UNUSED TickitTerm *tt, const char *bytes, size_t n, void *arg)
{
	struct term_out *o = arg;

	if (bytes == NULL)
		return;
	if (buf_add(&o->out, bytes, n) != 0) {
		/* The tty takes nothing: begin anew when it does. */
		buf_clear(&o->out);
		term_out_forget(o);
	}
}

static void
out_puts(struct term_out *o, const char *s)
{
	tickit_termdrv_write_str(&o->drv, s, strlen(s));
}

/* --- pens ------------------------------------------------------------------ */

static colour
colour_fit(term_caps caps, colour c)
{
	unsigned r = (c >> 16) & 0xff, g = (c >> 8) & 0xff, b = c & 0xff;

	if (colour_kind(c) == COLOUR_KIND_RGB) {
		if (caps & TERM_CAP(RGB))
			return c;
		c = colour_index(colour_rgb_to_256(r, g, b));
	}
	if (colour_kind(c) != COLOUR_KIND_INDEX)
		return COLOUR_DEFAULT;
	if ((c & 0xff) >= 16 && (caps & TERM_CAP(256)) == 0)
		return colour_index(colour_256_to_16(c & 0xff));
	return c;
}

/* What of a pen this terminal can show. */
static struct pen
pen_fit(term_caps caps, const struct pen *pen)
{
	struct pen p = *pen;

	p.attrs &= ~(uint32_t)(PEN_ACS | PEN_PROTECTED);
	p.fg = colour_fit(caps, p.fg);
	p.bg = colour_fit(caps, p.bg);
	p.ul =
	    caps & TERM_CAP(USSTYLE) ? colour_fit(caps, p.ul) : COLOUR_DEFAULT;
	if (pen_underline(&p) > PEN_UL_SINGLE &&
	    (caps & TERM_CAP(USSTYLE)) == 0)
		pen_set_underline(&p, PEN_UL_SINGLE);
	if ((p.attrs & PEN_ITALIC) && (caps & TERM_CAP(ITALICS)) == 0)
		p.attrs = (p.attrs & ~(uint32_t)PEN_ITALIC) | PEN_REVERSE;
	if ((caps & TERM_CAP(DIM)) == 0)
		p.attrs &= ~(uint32_t)PEN_DIM;
	if ((caps & TERM_CAP(STRIKETHROUGH)) == 0)
		p.attrs &= ~(uint32_t)PEN_STRIKE;
	if ((caps & TERM_CAP(OVERLINE)) == 0)
		p.attrs &= ~(uint32_t)PEN_OVERLINE;
	return p;
}

static void
out_link(struct term_out *o, struct vt_link *link)
{
	if ((o->caps & TERM_CAP(HYPERLINKS)) == 0 || link == o->link ||
	    (link != NULL && o->link != NULL && vt_link_equal(link, o->link)))
		return;
	if (link == NULL)
		out_puts(o, "\033]8;;\033\\");
	else {
		out_puts(o, *vt_link_id(link) ? "\033]8;id=" : "\033]8;");
		out_puts(o, vt_link_id(link));
		out_puts(o, ";");
		out_puts(o, vt_link_uri(link));
		out_puts(o, "\033\\");
		vt_link_ref(link);
	}
	vt_link_unref(o->link);
	o->link = link;
}

static void
out_pen(struct term_out *o, const struct pen *pen, struct vt_link *link)
{
	struct pen want = pen_fit(o->caps, pen);
	char sgr[PEN_SGR_MAX];
	size_t n;

	out_link(o, link);
	if (pen_equal(&want, &o->pen))
		return;
	if ((o->caps & ~TERM_CAP(UTF8)) == 0) {
		/* A dumb terminal shows no attributes. */
		o->pen = want;
		return;
	}
	n = pen_sgr(&o->pen, &want, sgr);
	tickit_termdrv_write_str(&o->drv, sgr, n);
	o->pen = want;
}

static const struct pen pen_plain;

/* --- cells ------------------------------------------------------------------ */

/* A column that an erase with pen P leaves as it should be. */
static bool
cell_erasable(const struct vt_line *line, unsigned col)
{
	struct vt_cell c = vt_line_cell(line, col);
	const struct pen *p;

	if ((c.ch != 0 && c.ch != ' ') || c.width != VT_NARROW)
		return false;
	if (vt_line_link(line, col) != NULL)
		return false;
	p = vt_line_pen(line, col);
	return (p->attrs & (PEN_REVERSE | PEN_UL_MASK | PEN_STRIKE |
			       PEN_OVERLINE)) == 0;
}

/* Erasable columns of one background from COL on. */
static unsigned
erasable_run(const struct vt_line *line, unsigned col, unsigned end)
{
	colour bg = vt_line_pen(line, col)->bg;
	unsigned n = 0;

	while (col + n < end && cell_erasable(line, col + n) &&
	       vt_line_pen(line, col + n)->bg == bg)
		n++;
	return n;
}

/* ASCII stand-in for a code point on a terminal without UTF-8. */
static char
ascii_for(uint32_t cp)
{
	if (cp < 0x7f)
		return (char)cp;
	if (cp == 0x2500 || cp == 0x2501 || cp == 0x2550)
		return '-';
	if (cp == 0x2502 || cp == 0x2503 || cp == 0x2551)
		return '|';
	if (cp >= 0x2500 && cp < 0x2580)
		return '+';
	return cp == 0xa0 ? ' ' : '?';
}

/* Writes the cell at COL; returns its columns. */
static unsigned
out_cell(struct term_out *o, const struct vt_line *line, unsigned col)
{
	char text[VT_CLUSTER_MAX + 1];
	struct vt_cell c = vt_line_cell(line, col);
	unsigned w = c.width == VT_WIDE ? 2 : 1, i;
	size_t n;
	uint32_t cp;

	out_pen(o, vt_line_pen(line, col), vt_line_link(line, col));
	if (c.width == VT_PAD || c.width == VT_TAIL || c.ch == 0) {
		tickit_term_printn(o->tt, " ", 1);
	} else if ((o->caps & TERM_CAP(UTF8)) == 0) {
		n = vt_line_text(line, col, text);
		if (n == 0 ||
		    utf8_decode_final((const uint8_t *)text, n, &cp) == 0)
			cp = ' ';
		for (i = 0; i < w; i++) {
			text[0] = ascii_for(cp);
			tickit_term_printn(o->tt, text, 1);
		}
	} else {
		n = vt_line_text(line, col, text);
		tickit_term_printn(o->tt, n > 0 ? text : " ", n > 0 ? n : 1);
	}
	o->x += (int)w;
	/*
	 * Terminals disagree on the width of clusters and on where the cursor
	 * is after the last column: say where we are before going on.
	 */
	if ((c.ch & VT_CELL_CLUSTER) != 0 || o->x >= (int)o->cols ||
	    (c.width == VT_WIDE && c.ch >= 0x1f000))
		o->x = -1;
	return w;
}

/* Writes the columns from..to-1 of row Y. */
static void
out_run(struct term_out *o, const struct vt_line *line, unsigned y,
    unsigned from, unsigned to)
{
	unsigned col = from, n;
	struct pen pen;

	while (col < to) {
		n = erasable_run(line, col, o->cols);
		pen = pen_plain;
		pen.bg = vt_line_pen(line, col)->bg;
		if (n > 0 && (pen.bg != COLOUR_DEFAULT) &&
		    (o->caps & TERM_CAP(BCE)) == 0)
			n = 0;
		if (n >= 2 && col + n == o->cols && to == o->cols) {
			/* EL is safe here: the cursor is no pending wrap. */
			tickit_term_goto(o->tt, (int)y, (int)col);
			out_pen(o, &pen, NULL);
			out_puts(o, "\033[K");
			return;
		}
		n = MIN_OF(n, to - col);
		if (n >= ERASE_MIN && (o->caps & TERM_CAP(BCE)) != 0) {
			tickit_term_goto(o->tt, (int)y, (int)col);
			out_pen(o, &pen, NULL);
			tickit_term_erasech(o->tt, (int)n, TICKIT_NO);
			col += n;
			continue;
		}
		tickit_term_goto(o->tt, (int)y, (int)col);
		col += out_cell(o, line, col);
	}
}

/* Whether column COL of A and B looks the same. */
static bool
same_col(const struct vt_line *a, const struct vt_line *b, unsigned col)
{
	return vt_line_cell_equal(a, col, b, col);
}

static bool
half(const struct vt_line *a, const struct vt_line *b, unsigned col)
{
	return vt_line_cell(a, col).width == VT_TAIL ||
	       vt_line_cell(b, col).width == VT_TAIL;
}

/* Paints what differs between rows OLD and NEW. */
static void
out_row(struct term_out *o, unsigned y, const struct vt_line *old,
    const struct vt_line *new)
{
	unsigned col = 0, from, to, same;

	for (;;) {
		while (col < o->cols && same_col(old, new, col))
			col++;
		if (col >= o->cols)
			return;
		from = col;
		while (from > 0 && half(old, new, from))
			from--;
		to = col + 1;
		same = 0;
		for (col = to; col < o->cols && same < RUN_GAP; col++) {
			if (same_col(old, new, col))
				same++;
			else {
				same = 0;
				to = col + 1;
			}
		}
		while (to < o->cols && half(old, new, to))
			to++;
		out_run(o, new, y, from, to);
		col = to;
	}
}

/* --- frames ------------------------------------------------------------------ */

static bool
row_equal(const struct vt_line *a, const struct vt_line *b)
{
	return a == b || (vt_line_hash(a) == vt_line_hash(b));
}

/*
 * Finds the longest block of rows of NEW that stands elsewhere in the frame
 * shown.  Returns its length; *y its first row, *shift how far it has moved up.
 */
static unsigned
find_scroll(const struct vt_frame *shown, const struct vt_frame *new,
    unsigned *y, int *shift)
{
	unsigned best = 0, a, b, n;
	unsigned rows = new->rows;

	for (a = 0; a < rows; a++) {
		if (row_equal(shown->lines[a], new->lines[a]) ||
		    vt_line_used(new->lines[a]) == 0)
			continue;
		for (b = 0; b < rows; b++) {
			if (a == b ||
			    !row_equal(shown->lines[b], new->lines[a]))
				continue;
			for (n = 1;
			     a + n < rows && b + n < rows &&
			     row_equal(shown->lines[b + n], new->lines[a + n]);
			     n++)
				;
			if (n > best) {
				best = n;
				*y = a;
				*shift = (int)b - (int)a;
			}
		}
		if (best > 0)
			a = MAX_OF(a, *y + best - 1);
	}
	return best;
}

/* Moves the rows top..bottom-1 of the frame shown up by SHIFT. */
static void
shown_scroll(struct term_out *o, unsigned top, unsigned bottom, int shift)
{
	struct vt_frame *f, *blank;
	unsigned y;
	int from;

	blank = vt_frame_new(o->cols, o->rows);
	f = vt_frame_clone(o->shown);
	for (y = top; y < bottom; y++) {
		from = (int)y + shift;
		vt_line_unref(NULL, f->lines[y]);
		f->lines[y] = vt_line_ref(from >= (int)top && from < (int)bottom
					      ? o->shown->lines[from]
					      : blank->lines[y]);
	}
	vt_frame_unref(blank);
	vt_frame_unref(o->shown);
	o->shown = f;
}

static void
paint_scrolls(struct term_out *o, const struct vt_frame *f)
{
	TickitRect r = { .left = 0, .cols = (int)o->cols };
	unsigned y = 0, n, round, top, bottom;
	int shift = 0;

	for (round = 0; round < 4; round++) {
		n = find_scroll(o->shown, f, &y, &shift);
		if (n < SCROLL_MIN_ROWS)
			return;
		top = shift > 0 ? y : (unsigned)((int)y + shift);
		bottom = shift > 0 ? (unsigned)((int)(y + n) + shift) : y + n;
		out_pen(o, &pen_plain, NULL);
		r.top = (int)top;
		r.lines = (int)(bottom - top);
		if (!tickit_term_scrollrect(o->tt, r, shift, 0))
			return;
		shown_scroll(o, top, bottom, shift);
	}
}

static void
paint_cursor(struct term_out *o, const struct vt_frame *f)
{
	bool visible = (f->state.modes & VT_FRAME_CURSOR_VISIBLE) != 0;
	bool blink = (f->state.modes & VT_FRAME_CURSOR_BLINK) != 0;
	uint32_t rgb = vt_palette_get(f->state.palette, VT_DYN_CURSOR);
	int shape;

	tickit_term_goto(o->tt, f->state.y, f->state.x);
	if ((o->caps & TERM_CAP(CSTYLE)) &&
	    (f->state.cursor_shape != o->shape || blink != o->blink)) {
		/* DECSCUSR: 0 default, then blinking and steady in turn. */
		shape = f->state.cursor_shape == VT_CURSOR_DEFAULT
			    ? 0
			    : f->state.cursor_shape * 2 - blink;
		tickit_termdrv_write_strf(&o->drv, "\033[%d q", shape);
		o->shape = f->state.cursor_shape;
		o->blink = blink;
	}
	if ((o->caps & TERM_CAP(CCOLOUR)) && rgb != o->cursor_rgb) {
		if (rgb == VT_PALETTE_UNSET)
			out_puts(o, "\033]112\033\\");
		else
			tickit_termdrv_write_strf(
			    &o->drv, "\033]12;#%06x\033\\", rgb);
		o->cursor_rgb = rgb;
	}
	if (visible != o->visible)
		out_puts(o, visible ? "\033[?25h" : "\033[?25l");
	o->visible = visible;
}

/* Rows of F that are not as shown. */
static unsigned
rows_changed(const struct term_out *o, const struct vt_frame *f)
{
	unsigned y, n = 0;

	if (o->shown == NULL)
		return f->rows;
	for (y = 0; y < f->rows; y++)
		n += !row_equal(o->shown->lines[y], f->lines[y]);
	return n;
}

void
term_out_paint(struct term_out *o, const struct vt_frame *f)
{
	unsigned y, changed;
	bool sync;

	bug_assert(f->cols == o->cols && f->rows == o->rows);
	changed = rows_changed(o, f);
	sync = changed > 1 && (o->caps & TERM_CAP(SYNC)) != 0;
	if (sync)
		out_puts(o, "\033[?2026h");
	else if (changed > 1 && o->visible) {
		out_puts(o, "\033[?25l");
		o->visible = false;
	}
	if (o->shown == NULL) {
		out_puts(o, "\033[m");
		o->pen = pen_plain;
		tickit_term_clear(o->tt);
		o->shown = vt_frame_new(o->cols, o->rows);
		o->x = o->y = -1;
	} else if (changed > 0)
		paint_scrolls(o, f);
	for (y = 0; y < f->rows && changed > 0; y++)
		if (!row_equal(o->shown->lines[y], f->lines[y]))
			out_row(o, y, o->shown->lines[y], f->lines[y]);
	out_pen(o, &pen_plain, NULL);
	paint_cursor(o, f);
	if (sync)
		out_puts(o, "\033[?2026l");
	vt_frame_unref(o->shown);
	o->shown = vt_frame_ref(f);
	tickit_term_flush(o->tt);
}

/* --- modes -------------------------------------------------------------------- */

static void
set_mouse(struct term_out *o, uint8_t mouse)
{
	static const char *const on[] = {
		[VT_MOUSE_OFF] = "",
		[VT_MOUSE_X10] = "\033[?1000h\033[?1006h",
		[VT_MOUSE_NORMAL] = "\033[?1000h\033[?1006h",
		[VT_MOUSE_BUTTON] = "\033[?1002h\033[?1006h",
		[VT_MOUSE_ANY] = "\033[?1003h\033[?1006h",
	};

	if (mouse == o->modes.mouse || mouse >= ARRAY_LEN(on))
		return;
	if (o->modes.mouse != VT_MOUSE_OFF)
		out_puts(o, "\033[?1006l\033[?1003l\033[?1002l\033[?1000l");
	out_puts(o, on[mouse]);
	o->modes.mouse = mouse;
}

static void
set_switch(struct term_out *o, bool *now, bool want, const char *mode)
{
	if (*now == want)
		return;
	tickit_termdrv_write_strf(
	    &o->drv, "\033[?%s%c", mode, want ? 'h' : 'l');
	*now = want;
}

static void
set_keys(struct term_out *o, uint8_t kitty, uint8_t other)
{
	if ((o->caps & TERM_CAP(KITTY)) == 0)
		kitty = 0;
	if ((o->caps & TERM_CAP(EXTKEYS)) == 0 || kitty != 0)
		other = 0;
	if (kitty != o->modes.kitty) {
		/* Our own level on the terminal's stack: pushed once. */
		tickit_termdrv_write_strf(&o->drv,
		    o->kitty_pushed ? "\033[=%d;1u" : "\033[>%du", kitty);
		o->kitty_pushed = true;
		o->modes.kitty = kitty;
	}
	if (other != o->modes.modify_other) {
		if (other == 0)
			out_puts(o, "\033[>4m");
		else
			tickit_termdrv_write_strf(
			    &o->drv, "\033[>4;%dm", other);
		o->modes.modify_other = other;
	}
}

/* Text for an OSC: control bytes would end it. */
static void
out_osc(struct term_out *o, const char *number, const char *text)
{
	const char *s;

	out_puts(o, "\033]");
	out_puts(o, number);
	out_puts(o, ";");
	for (s = text; *s != '\0'; s++)
		if ((unsigned char)*s >= 0x20 && *s != 0x7f)
			tickit_termdrv_write_str(&o->drv, s, 1);
	out_puts(o, "\033\\");
}

static void
set_string(struct term_out *o, char **now, const char *want, const char *number)
{
	if (want == NULL || (*now != NULL && strcmp(*now, want) == 0))
		return;
	out_osc(o, number, want);
	mem_free(*now);
	*now = mem_strdup(want);
}

void
term_out_set_modes(struct term_out *o, const struct term_out_modes *m)
{
	if (o->caps & TERM_CAP(MOUSE))
		set_mouse(o, m->mouse);
	if (o->caps & TERM_CAP(FOCUS))
		set_switch(o, &o->modes.focus, m->focus, "1004");
	if (o->caps & TERM_CAP(BPASTE))
		set_switch(o, &o->modes.paste, m->paste, "2004");
	if (o->caps & TERM_CAP(THEME))
		set_switch(o, &o->modes.theme, m->theme, "2031");
	set_keys(o, m->kitty, m->modify_other);
	if (o->caps & TERM_CAP(TITLE))
		set_string(o, &o->title, m->title, "2");
	if (o->caps & TERM_CAP(OSC7))
		set_string(o, &o->path, m->path, "7");
	tickit_term_flush(o->tt);
}

/* --- life ---------------------------------------------------------------------- */

struct term_out *
term_out_new(term_caps caps, unsigned cols, unsigned rows)
{
	static TickitTermDriverVTable table;
	struct term_out *o;

	table = drv_table;
	o = mem_zalloc(sizeof(*o));
	o->drv.vtable = &table;
	o->drv.name = "rmux";
	o->caps = caps;
	o->cols = cols;
	o->rows = rows;
	o->x = o->y = -1;
	o->visible = true;
	o->cursor_rgb = VT_PALETTE_UNSET;
	buf_init(&o->out, TERM_OUT_MAX);
	o->tt = tickit_term_build(&(struct TickitTermBuilder){
	    .termtype = "rmux-outer",
	    .driver = &o->drv,
	    .output_func = out_write,
	    .output_func_user = o,
	    .output_buffersize = 65536,
	});
	bug_assert(o->tt != NULL);
	tickit_term_set_utf8(o->tt, true);
	tickit_term_set_size(o->tt, (int)rows, (int)cols);
	return o;
}

void
term_out_free(struct term_out *o)
{
	if (o == NULL)
		return;
	tickit_term_unref(o->tt);
	vt_frame_unref(o->shown);
	vt_link_unref(o->link);
	buf_fini(&o->out);
	mem_free(o->title);
	mem_free(o->path);
	mem_free(o);
}

void
term_out_set_caps(struct term_out *o, term_caps caps)
{
	if (caps == o->caps)
		return;
	o->caps = caps;
	term_out_forget(o);
}

void
term_out_forget(struct term_out *o)
{
	vt_frame_unref(o->shown);
	o->shown = NULL;
	o->x = o->y = -1;
}

void
term_out_resize(struct term_out *o, unsigned cols, unsigned rows)
{
	o->cols = cols;
	o->rows = rows;
	tickit_term_set_size(o->tt, (int)rows, (int)cols);
	term_out_forget(o);
}

void
term_out_start(struct term_out *o)
{
	if (o->started)
		return;
	o->started = true;
	if (o->caps & TERM_CAP(TITLE))
		out_puts(o, "\033[22;0;0t");
	if (o->caps & TERM_CAP(ALTSCREEN))
		out_puts(o, "\033[?1049h");
	term_out_forget(o);
	tickit_term_flush(o->tt);
}

void
term_out_stop(struct term_out *o)
{
	struct term_out_modes none = { 0 };

	if (!o->started)
		return;
	o->started = false;
	term_out_set_modes(o, &none);
	if (o->kitty_pushed)
		out_puts(o, "\033[<u");
	o->kitty_pushed = false;
	if (o->shape != VT_CURSOR_DEFAULT || o->blink)
		out_puts(o, "\033[0 q");
	o->shape = VT_CURSOR_DEFAULT;
	o->blink = false;
	if (o->cursor_rgb != VT_PALETTE_UNSET)
		out_puts(o, "\033]112\033\\");
	o->cursor_rgb = VT_PALETTE_UNSET;
	out_link(o, NULL);
	if ((o->caps & ~TERM_CAP(UTF8)) != 0)
		out_puts(o, "\033[m\033[?25h");
	o->pen = pen_plain;
	o->visible = true;
	if (o->caps & TERM_CAP(ALTSCREEN))
		out_puts(o, "\033[?1049l");
	else {
		tickit_term_goto(o->tt, (int)o->rows - 1, 0);
		out_puts(o, "\r\n");
	}
	if (o->caps & TERM_CAP(TITLE))
		out_puts(o, "\033[23;0;0t");
	mem_free(o->title);
	o->title = NULL;
	mem_free(o->path);
	o->path = NULL;
	term_out_forget(o);
	tickit_term_flush(o->tt);
}

void
term_out_raw(struct term_out *o, const void *p, size_t n)
{
	tickit_termdrv_write_str(&o->drv, p, n);
	tickit_term_flush(o->tt);
}

struct buf *
term_out_pending(struct term_out *o)
{
	return &o->out;
}
