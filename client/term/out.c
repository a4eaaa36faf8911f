#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "client/term/out_int.h"

static const struct pen pen_plain;

/* --- the driver that libtickit calls -------------------------------------- */

static struct term_out *
drv_out(TickitTermDriver *d)
{
	return container_of(d, struct term_out, drv);
}

static void
drv_destroy(UNUSED TickitTermDriver *d)
{
	/* The driver is part of struct term_out. */
}

static bool
drv_print(TickitTermDriver *d, const char *s, size_t n)
{
	if (n > 0)
		tickit_termdrv_write_str(d, s, n);
	return true;
}

/* Writes N in decimal before END; returns where it begins. */
static char *
digits(char *end, int n)
{
	unsigned v = n < 0 ? 0 : (unsigned)n;

	do
		*--end = (char)('0' + v % 10);
	while ((v /= 10) > 0);
	return end;
}

/* Writes a control sequence with one number. */
static void
out_csi(struct term_out *o, int a, char final)
{
	char text[16], *end = text + sizeof(text), *p = end;

	*--p = final;
	p = digits(p, a);
	*--p = '[';
	*--p = '\033';
	tickit_termdrv_write_str(&o->drv, p, (size_t)(end - p));
}

/* Writes a control sequence with two numbers. */
static void
out_csi2(struct term_out *o, int a, int b, char final)
{
	char text[32], *end = text + sizeof(text), *p = end;

	*--p = final;
	p = digits(p, b);
	*--p = ';';
	p = digits(p, a);
	*--p = '[';
	*--p = '\033';
	tickit_termdrv_write_str(&o->drv, p, (size_t)(end - p));
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
			out_csi(o, x - o->x, 'C');
		else
			out_csi(o, o->x - x, 'D');
	} else if (y == o->y + 1 && x == 0 && o->y >= 0)
		tickit_termdrv_write_str(d, "\r\n", 2);
	else if (x == 0 && y == 0)
		tickit_termdrv_write_str(d, "\033[H", 3);
	else if (x == 0)
		out_csi(o, y + 1, 'H');
	else
		out_csi2(o, y + 1, x + 1, 'H');
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
		/*
		 * Scroll by line feeds at the bottom, which every terminal
		 * supports.
		 */
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
	return true; /* out_pen writes pens */
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

/* Takes libtickit's bytes when it flushes. */
static void
out_write(UNUSED TickitTerm *tt, const char *bytes, size_t n, void *arg)
{
	struct term_out *o = arg;

	if (bytes == NULL)
		return;
	if (buf_add(&o->out, bytes, n) != 0) {
		/* The tty takes no bytes: the next paint is a full one. */
		buf_clear(&o->out);
		term_out_forget(o);
	}
}

/* --- life ----------------------------------------------------------------- */

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

/* Without an alternate screen: keeps what the terminal shows in its history. */
static void
scroll_away(struct term_out *o)
{
	unsigned y;

	out_puts(o, "\033[m");
	o->pen = pen_plain;
	tickit_term_goto(o->tt, (int)o->rows - 1, 0);
	for (y = 0; y < o->rows; y++)
		out_puts(o, "\n");
}

#define CAPS_OF_CELLS                                                        \
 (TERM_CAP(8COLOURS) | TERM_CAP(16COLOURS) | TERM_CAP(256) | TERM_CAP(RGB) | \
     TERM_CAP(HYPERLINKS) | TERM_CAP(OVERLINE) | TERM_CAP(STRIKETHROUGH) |   \
     TERM_CAP(USSTYLE) | TERM_CAP(BCE) | TERM_CAP(ITALICS) | TERM_CAP(DIM) | \
     TERM_CAP(UTF8) | TERM_CAP(ALTSCREEN) | TERM_CAP(DOUBLESIZE))

void
term_out_set_caps(struct term_out *o, term_caps caps)
{
	term_caps was = o->caps;

	if (caps == was)
		return;
	o->caps = caps;
	if (o->started && ((was ^ caps) & TERM_CAP(ALTSCREEN))) {
		if (caps & TERM_CAP(ALTSCREEN))
			out_puts(o, "\033[?1049h");
		else {
			out_puts(o, "\033[?1049l");
			scroll_away(o);
		}
	}
	/* Others change no cell that is painted. */
	if ((was ^ caps) & CAPS_OF_CELLS)
		term_out_forget(o);
}

void
term_out_set_widths(struct term_out *o, const struct term_widths *w)
{
	o->widths = *w;
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
	out_cell_link(o, NULL);
	out_double_stop(o);
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
