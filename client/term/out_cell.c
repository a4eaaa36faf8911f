#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "client/term/out_int.h"

/* Equal columns inside a run that are cheaper to write than to skip. */
#define RUN_GAP 6

/* Blank columns that are cheaper to erase than to write. */
#define ERASE_MIN 8

static const struct pen pen_plain;

void
out_puts(struct term_out *o, const char *s)
{
	tickit_termdrv_write_str(&o->drv, s, strlen(s));
}

/* --- pens ----------------------------------------------------------------- */

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

/* Does without the colours that the terminal lacks. */
static void
pen_fit_few(term_caps caps, struct pen *p)
{
	const bool fg = colour_kind(p->fg) == COLOUR_KIND_INDEX;
	const bool bg = colour_kind(p->bg) == COLOUR_KIND_INDEX;

	if (caps & (TERM_CAP(16COLOURS) | TERM_CAP(256) | TERM_CAP(RGB)))
		return;
	if (caps & TERM_CAP(8COLOURS)) {
		if (fg && (p->fg & 0xff) >= 8) {
			p->fg = colour_index((p->fg & 0xff) - 8);
			p->attrs |= PEN_BOLD;
		}
		if (bg && (p->bg & 0xff) >= 8)
			p->bg = colour_index((p->bg & 0xff) - 8);
		return;
	}
	/* As in tmux: a background of another colour than black stands out. */
	if (bg && (p->bg & 0xff) != 0)
		p->attrs |= PEN_REVERSE;
	p->fg = p->bg = p->ul = COLOUR_DEFAULT;
}

/* Reduces a pen to what the terminal supports. */
static struct pen
pen_fit(term_caps caps, const struct pen *pen)
{
	struct pen p = *pen;

	p.attrs &= ~(uint32_t)(PEN_ACS | PEN_PROTECTED);
	p.fg = colour_fit(caps, p.fg);
	p.bg = colour_fit(caps, p.bg);
	p.ul =
	    caps & TERM_CAP(USSTYLE) ? colour_fit(caps, p.ul) : COLOUR_DEFAULT;
	pen_fit_few(caps, &p);
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

void
out_cell_link(struct term_out *o, struct vt_link *link)
{
	if ((o->caps & TERM_CAP(HYPERLINKS)) == 0 || link == o->link ||
	    (link != NULL && o->link != NULL && vt_link_equal(link, o->link)))
		return;
	if (link == NULL)
		out_puts(o, "\033]8;;\033\\");
	else {
		out_puts(o, *vt_link_id(link) ? "\033]8;id=" : "\033]8;");
		out_text(o, vt_link_id(link), link->id_len);
		out_puts(o, ";");
		out_text(o, vt_link_uri(link), link->uri_len);
		out_puts(o, "\033\\");
		vt_link_ref(link);
	}
	vt_link_unref(o->link);
	o->link = link;
}

void
out_cell_pen(struct term_out *o, const struct pen *pen, struct vt_link *link)
{
	struct pen want = pen_fit(o->caps, pen);
	char sgr[PEN_SGR_MAX];
	size_t n;

	out_cell_link(o, link);
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

/* --- cells ---------------------------------------------------------------- */

/* Returns whether an erase with pen P gives column COL its look. */
static bool
cell_erasable(const struct vt_line *line, unsigned col)
{
	struct vt_cell c = vt_line_cell(line, col);
	const struct pen *p;

	if ((c.ch != 0 && c.ch != ' ') ||
	    (c.width != VT_NARROW && c.width < VT_TAB))
		return false;
	if (vt_line_link(line, col) != NULL)
		return false;
	p = vt_line_pen(line, col);
	return (p->attrs & (PEN_REVERSE | PEN_UL_MASK | PEN_STRIKE |
			       PEN_OVERLINE)) == 0;
}

/* Returns the number of erasable columns of one background from COL on. */
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

/* DEC special graphics, which nearly every terminal without UTF-8 supports. */
static const struct {
	uint16_t cp;
	char graphic;
	char ascii;
} graphics[] = {
	/* clang-format off */
	{ 0x2500, 'q', '-' }, { 0x2501, 'q', '-' }, { 0x2550, 'q', '-' },
	{ 0x2502, 'x', '|' }, { 0x2503, 'x', '|' }, { 0x2551, 'x', '|' },
	{ 0x250c, 'l', '+' }, { 0x250f, 'l', '+' }, { 0x2554, 'l', '+' },
	{ 0x256d, 'l', '+' },
	{ 0x2510, 'k', '+' }, { 0x2513, 'k', '+' }, { 0x2557, 'k', '+' },
	{ 0x256e, 'k', '+' },
	{ 0x2514, 'm', '+' }, { 0x2517, 'm', '+' }, { 0x255a, 'm', '+' },
	{ 0x2570, 'm', '+' },
	{ 0x2518, 'j', '+' }, { 0x251b, 'j', '+' }, { 0x255d, 'j', '+' },
	{ 0x256f, 'j', '+' },
	{ 0x251c, 't', '+' }, { 0x2523, 't', '+' }, { 0x2560, 't', '+' },
	{ 0x2524, 'u', '+' }, { 0x252b, 'u', '+' }, { 0x2563, 'u', '+' },
	{ 0x252c, 'w', '+' }, { 0x2533, 'w', '+' }, { 0x2566, 'w', '+' },
	{ 0x2534, 'v', '+' }, { 0x253b, 'v', '+' }, { 0x2569, 'v', '+' },
	{ 0x253c, 'n', '+' }, { 0x254b, 'n', '+' }, { 0x256c, 'n', '+' },
	{ 0x00b0, 'f', '\'' }, { 0x00b1, 'g', '#' }, { 0x00b7, '~', '.' },
	{ 0x00a3, '}', '?' }, { 0x03c0, '{', '*' }, { 0x2022, '~', 'o' },
	{ 0x2190, 0, '<' }, { 0x2191, 0, '^' }, { 0x2192, 0, '>' },
	{ 0x2193, 0, 'v' }, { 0x2260, '|', '!' }, { 0x2264, 'y', '<' },
	{ 0x2265, 'z', '>' }, { 0x2592, 'a', ':' }, { 0x25c6, '`', '+' },
	{ 0x2018, 0, '\'' }, { 0x2019, 0, '\'' }, { 0x201c, 0, '"' },
	{ 0x201d, 0, '"' }, { 0x2010, 0, '-' }, { 0x2011, 0, '-' },
	{ 0x2013, 0, '-' }, { 0x2014, 0, '-' }, { 0x00a0, 0, ' ' },
	/* clang-format on */
};

void
out_cell_graphics(struct term_out *o, bool on)
{
	if (o->graphics == on)
		return;
	out_puts(o, on ? "\033(0" : "\033(B");
	o->graphics = on;
}

/* Writes a replacement for CP on a terminal without UTF-8. */
static void
out_stand_in(struct term_out *o, uint32_t cp)
{
	bool dumb = (o->caps & ~TERM_CAP(UTF8)) == 0, graphic = false;
	char c = cp < 0x7f ? (char)cp : '?';
	size_t i;

	for (i = 0; cp >= 0x7f && i < ARRAY_LEN(graphics); i++)
		if (graphics[i].cp == cp) {
			graphic = !dumb && graphics[i].graphic != 0;
			c = graphic ? graphics[i].graphic : graphics[i].ascii;
			break;
		}
	out_cell_graphics(o, graphic);
	tickit_term_printn(o->tt, &c, 1);
}

/*
 * security: takes U+202A to U+202E and U+2066 to U+2069 out of a cluster of N
 * bytes. On a terminal that knows them, one pane could turn round what stands
 * beside it. Returns the rest's length.
 */
static size_t
out_drop_turns(char *text, size_t n)
{
	size_t i, used, len = 0;
	uint32_t cp;

	if (n < 4)
		return n;
	for (i = 0; i < n; i += used) {
		used = utf8_decode_final((const uint8_t *)text + i, n - i, &cp);
		if (out_is_turn(cp))
			continue;
		memmove(text + len, text + i, used);
		len += used;
	}
	text[len] = '\0';
	return len;
}

/* Writes the cell at COL; returns its width in columns. */
static unsigned
out_cell(struct term_out *o, const struct vt_line *line, unsigned col)
{
	char text[VT_CLUSTER_MAX + 1];
	struct vt_cell c = vt_line_cell(line, col);
	unsigned w = c.width == VT_WIDE ? 2 : 1, i;
	bool sure = true;
	size_t n;
	uint32_t cp;

	out_cell_pen(o, vt_line_pen(line, col), vt_line_link(line, col));
	if (c.width == VT_PAD || c.width == VT_TAIL || c.ch == 0) {
		out_cell_graphics(o, false);
		tickit_term_printn(o->tt, " ", 1);
	} else if ((o->caps & TERM_CAP(UTF8)) == 0) {
		n = vt_line_text(line, col, text);
		if (n == 0 ||
		    utf8_decode_final((const uint8_t *)text, n, &cp) == 0)
			cp = ' ';
		for (i = 0; i < w; i++)
			out_stand_in(o, cp);
	} else {
		out_cell_graphics(o, false);
		n = out_drop_turns(text, vt_line_text(line, col, text));
		tickit_term_printn(o->tt, n > 0 ? text : " ", n > 0 ? n : 1);
		sure = n < 2 || term_widths_trust(&o->widths, text, n, w);
	}
	o->x += (int)w;
	/*
	 * Terminals disagree on the width of clusters and on the cursor after
	 * the last column: the painter addresses the cursor before it goes on.
	 */
	if (!sure || o->x >= (int)o->cols)
		o->x = -1;
	return w;
}

/* Moves on by N columns that each took one byte. */
static void
out_moved(struct term_out *o, unsigned n)
{
	o->x += (int)n;
	if (o->x >= (int)o->cols)
		o->x = -1;
}

/* Writes those of the N blanks from COL on that have one style; returns how many. */
static unsigned
out_blanks(
    struct term_out *o, const struct vt_line *line, unsigned col, unsigned n)
{
	static const char blanks[] = "                                ";
	const unsigned style = vt_line_cell(line, col).style;
	unsigned k = 1;

	n = MIN_OF(n, (unsigned)sizeof(blanks) - 1);
	while (k < n && vt_line_cell(line, col + k).style == style)
		k++;
	out_cell_pen(o, vt_line_pen(line, col), NULL);
	out_cell_graphics(o, false);
	tickit_term_printn(o->tt, blanks, k);
	out_moved(o, k);
	return k;
}

/*
 * Writes the printable ASCII characters from COL on that have one style, up to
 * TO, if there are any; returns how many.
 */
static unsigned
out_ascii(
    struct term_out *o, const struct vt_line *line, unsigned col, unsigned to)
{
	const struct vt_cell first = vt_line_cell(line, col);
	struct vt_cell c = first;
	char text[128];
	unsigned n = 0;

	to = MIN_OF(to, col + (unsigned)sizeof(text));
	while (c.ch > ' ' && c.ch < 0x7f && c.width == VT_NARROW &&
	       c.style == first.style && c.flags == 0) {
		text[n++] = (char)c.ch;
		if (col + n >= to)
			break;
		c = vt_line_cell(line, col + n);
	}
	if (n == 0)
		return 0;
	out_cell_pen(o, vt_line_pen(line, col), vt_line_link(line, col));
	out_cell_graphics(o, false);
	tickit_term_printn(o->tt, text, n);
	out_moved(o, n);
	return n;
}

/* Writes the columns FROM..TO-1 of row Y. */
static void
out_run(struct term_out *o, const struct vt_line *line, unsigned y,
    unsigned from, unsigned to)
{
	const bool bce = (o->caps & TERM_CAP(BCE)) != 0;
	unsigned col = from, n, blank = 0;
	struct pen pen;

	while (col < to) {
		tickit_term_goto(o->tt, (int)y, (int)col);
		n = out_ascii(o, line, col, to);
		if (n > 0) {
			col += n;
			blank = 0;
			continue;
		}
		if (blank == 0)
			blank = erasable_run(line, col, o->cols);
		pen = pen_plain;
		pen.bg = vt_line_pen(line, col)->bg;
		n = bce || pen.bg == COLOUR_DEFAULT ? blank : 0;
		if (n >= 2 && col + n == o->cols && to == o->cols) {
			/* EL is safe here: no wrap is pending. */
			out_cell_pen(o, &pen, NULL);
			out_puts(o, "\033[K");
			return;
		}
		n = MIN_OF(n, to - col);
		if (n >= ERASE_MIN && bce) {
			out_cell_pen(o, &pen, NULL);
			tickit_term_erasech(o->tt, (int)n, TICKIT_NO);
		} else if (blank > 0) {
			n = out_blanks(o, line, col, MIN_OF(blank, to - col));
		} else {
			n = out_cell(o, line, col);
		}
		col += n;
		blank -= MIN_OF(n, blank);
	}
}

static bool
half(const struct vt_line *a, const struct vt_line *b, unsigned col)
{
	return vt_line_cell(a, col).width == VT_TAIL ||
	       vt_line_cell(b, col).width == VT_TAIL;
}

void
out_cell_span(struct term_out *o, unsigned y, const struct vt_line *old,
    const struct vt_line *new, const uint64_t *bits, unsigned first,
    unsigned end)
{
	unsigned col = first, from, to;

	while ((col = vt_line_next(bits, col, end, true)) < end) {
		from = col;
		while (from > first && half(old, new, from))
			from--;
		do {
			to = col + 1;
			col = vt_line_next(bits, to, end, true);
		} while (col < end && col - to < RUN_GAP);
		while (to < end && half(old, new, to))
			to++;
		out_run(o, new, y, from, to);
		col = to;
	}
}

void
out_cell_row(struct term_out *o, unsigned y, const struct vt_line *old,
    const struct vt_line *new)
{
	uint64_t bits[VT_LINE_WORDS(VT_COLS_MAX)];

	vt_line_differ(old, new, o->cols, bits);
	if (unlikely((new->flags &VT_LINE_BLOCKS) != 0))
		out_block_row(o, y, old, new, bits);
	else
		out_cell_span(o, y, old, new, bits, 0, o->cols);
}
