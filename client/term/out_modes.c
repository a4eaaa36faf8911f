#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "client/term/out_int.h"
#include "mux/vt/input_encode.h"
#include "mux/vt/pointer.h"

/* --- modes ---------------------------------------------------------------- */

static void
set_mouse(struct term_out *o, uint8_t mouse, bool pixels)
{
	static const char *const on[] = {
		[VT_MOUSE_OFF] = "",
		[VT_MOUSE_X10] = "\033[?1000h\033[?1006h",
		[VT_MOUSE_NORMAL] = "\033[?1000h\033[?1006h",
		[VT_MOUSE_BUTTON] = "\033[?1002h\033[?1006h",
		[VT_MOUSE_ANY] = "\033[?1003h\033[?1006h",
	};

	if (mouse >= ARRAY_LEN(on) ||
	    (mouse == o->modes.mouse && pixels == o->modes.pixels))
		return;
	if (o->modes.pixels)
		out_puts(o, "\033[?1016l");
	if (o->modes.mouse != VT_MOUSE_OFF)
		out_puts(o, "\033[?1006l\033[?1003l\033[?1002l\033[?1000l");
	out_puts(o, on[mouse]);
	/* The last encoding that is set counts; without it 1006 stays. */
	if (pixels)
		out_puts(o, "\033[?1016h");
	o->modes.mouse = mouse;
	o->modes.pixels = pixels;
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
	/* Each protocol stands for the other where a terminal has only one. */
	if (o->caps & TERM_CAP(KITTY)) {
		if (other != 0)
			kitty |= VT_KITTY_DISAMBIGUATE;
		other = 0;
	} else {
		if (kitty != 0)
			other = TERM_OTHER_ALL;
		kitty = 0;
	}
	if ((o->caps & TERM_CAP(EXTKEYS)) == 0)
		other = 0;
	if (kitty != o->modes.kitty) {
		/* Keyboard flags on the terminal's stack: pushed once. */
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

/*
 * The terminal's own shape is that of an empty name; a terminal that ignores
 * such a name has the one of text there.
 */
static void
set_pointer(struct term_out *o, uint8_t shape)
{
	const bool x11 = (o->caps & TERM_CAP(POINTERX11)) != 0;

	if (shape >= VT_POINTER_COUNT)
		shape = VT_POINTER_DEFAULT;
	if (shape == o->modes.pointer)
		return;
	o->modes.pointer = shape;
	tickit_termdrv_write_strf(&o->drv, "\033]22;%s\033\\",
	    (x11 ? vt_pointer_x11 : vt_pointer_css)(
		shape == VT_POINTER_DEFAULT ? VT_POINTER_TEXT : shape));
	if (shape == VT_POINTER_DEFAULT)
		out_puts(o, "\033]22;\033\\");
}

static void
out_bytes(struct term_out *o, const char *s, size_t n)
{
	/* libtickit takes the length 0 for a string that ends with NUL. */
	if (n > 0)
		tickit_termdrv_write_str(&o->drv, s, n);
}

/*
 * security: the peer's text must not leave the control string in which it is
 * written, and a title must not turn round what the terminal shows beside it.
 */
void
out_text(struct term_out *o, const char *text, size_t n)
{
	size_t i, used, from = 0;
	uint32_t cp;

	for (i = 0; i < n; i += used) {
		used = utf8_decode_final((const uint8_t *)text + i, n - i, &cp);
		if (cp >= 0x20 && (cp < 0x7f || cp > 0x9f) &&
		    cp != UTF8_REPLACEMENT && !out_is_turn(cp))
			continue;
		out_bytes(o, text + from, i - from);
		from = i + used;
	}
	out_bytes(o, text + from, n - from);
}

void
term_out_osc(struct term_out *o, const char *head, const void *text, size_t n,
    const char *tail)
{
	out_puts(o, "\033]");
	out_puts(o, head);
	out_text(o, text, n);
	out_puts(o, tail);
	out_puts(o, "\033\\");
	tickit_term_flush(o->tt);
}

static void
set_string(struct term_out *o, char **now, const char *want, const char *head)
{
	if (want == NULL || (*now != NULL && strcmp(*now, want) == 0))
		return;
	term_out_osc(o, head, want, strlen(want), "");
	mem_free(*now);
	*now = mem_strdup(want);
}

void
term_out_set_modes(struct term_out *o, const struct term_out_modes *m)
{
	if (o->caps & TERM_CAP(MOUSE))
		set_mouse(o, m->mouse, m->pixels && m->mouse != VT_MOUSE_OFF);
	if (o->caps & TERM_CAP(FOCUS))
		set_switch(o, &o->modes.focus, m->focus, "1004");
	if (o->caps & TERM_CAP(BPASTE))
		set_switch(o, &o->modes.paste, m->paste, "2004");
	if (o->caps & TERM_CAP(THEME))
		set_switch(o, &o->modes.theme, m->theme, "2031");
	if (o->caps & TERM_CAP(NESTED))
		set_switch(o, &o->modes.nested, m->nested, "2079");
	if (o->caps & (TERM_CAP(POINTER) | TERM_CAP(POINTERX11)))
		set_pointer(o, m->pointer);
	set_keys(o, m->kitty, m->modify_other);
	if (o->caps & TERM_CAP(TITLE))
		set_string(o, &o->title, m->title, "2;");
	if (o->caps & TERM_CAP(OSC7))
		set_string(o, &o->path, m->path, "7;");
	tickit_term_flush(o->tt);
}
