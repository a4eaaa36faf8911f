/*
 * Mouse and focus events of input_encode.h: a row for each mode says which
 * events it reports, a row for each encoding how to write them.
 */
#include "base/err.h"
#include "base/utf8.h"
#include "mux/vt/input_encode.h"

#define MOUSE_SHIFT 4
#define MOUSE_META 8
#define MOUSE_CTRL 16
#define MOUSE_MOVED 32
#define MOUSE_NO_BUTTON 3 /* also the code of a release without a button */

/* An event as the encodings need it; x and y are 1-based. */
struct mouse_report {
	unsigned code;          /* button and modifiers */
	unsigned released_code; /* the same for encodings without a release */
	bool released;
	unsigned x;
	unsigned y;
	unsigned px;
	unsigned py;
};

typedef int (*mouse_write_fn)(struct buf *out, const struct mouse_report *r);

static const struct {
	uint8_t mode;
	bool wheel;
	bool release;
	bool drag;
	bool motion;
	bool mods;
} mouse_modes[] = {
	{ VT_MOUSE_X10, false, false, false, false, false },
	{ VT_MOUSE_NORMAL, true, true, false, false, true },
	{ VT_MOUSE_BUTTON, true, true, true, false, true },
	{ VT_MOUSE_ANY, true, true, true, true, true },
};

/* Codes of enum mouse_button; the wheel starts at 64, buttons 8.. at 128. */
static const uint8_t mouse_codes[] = {
	[MOUSE_NONE] = MOUSE_NO_BUTTON,
	[MOUSE_LEFT] = 0,
	[MOUSE_MIDDLE] = 1,
	[MOUSE_RIGHT] = 2,
	[MOUSE_WHEEL_UP] = 64,
	[MOUSE_WHEEL_DOWN] = 65,
	[MOUSE_WHEEL_LEFT] = 66,
	[MOUSE_WHEEL_RIGHT] = 67,
	[MOUSE_8] = 128,
	[MOUSE_9] = 129,
	[MOUSE_10] = 130,
	[MOUSE_11] = 131,
};

/* Writes CSI M and three bytes; nothing if a value does not fit a byte. */
static int
write_default(struct buf *out, const struct mouse_report *r)
{
	char b[6] = { '\033', '[', 'M' };

	if (r->released_code + 32 > 255 || r->x + 32 > 255 || r->y + 32 > 255)
		return 0;
	b[3] = (char)(r->released_code + 32);
	b[4] = (char)(r->x + 32);
	b[5] = (char)(r->y + 32);
	return buf_add(out, b, sizeof(b));
}

/* Writes the same with each value as a code point of at most two bytes. */
static int
write_utf8(struct buf *out, const struct mouse_report *r)
{
	uint8_t b[3 + 3 * UTF8_MAX] = { '\033', '[', 'M' };
	size_t n = 3;

	if (r->x + 32 > 0x7ff || r->y + 32 > 0x7ff)
		return 0;
	n += utf8_encode(r->released_code + 32, b + n);
	n += utf8_encode(r->x + 32, b + n);
	n += utf8_encode(r->y + 32, b + n);
	return buf_add(out, b, n);
}

static int
write_urxvt(struct buf *out, const struct mouse_report *r)
{
	return buf_addf(
	    out, "\033[%u;%u;%uM", r->released_code + 32, r->x, r->y);
}

static int
write_sgr(struct buf *out, const struct mouse_report *r)
{
	return buf_addf(out, "\033[<%u;%u;%u%c", r->code, r->x, r->y,
	    r->released ? 'm' : 'M');
}

static int
write_pixel(struct buf *out, const struct mouse_report *r)
{
	return buf_addf(out, "\033[<%u;%u;%u%c", r->code, r->px, r->py,
	    r->released ? 'm' : 'M');
}

static const struct {
	uint8_t encoding;
	mouse_write_fn write;
} mouse_encodings[] = {
	{ VT_MOUSE_DEFAULT, write_default },
	{ VT_MOUSE_UTF8, write_utf8 },
	{ VT_MOUSE_URXVT, write_urxvt },
	{ VT_MOUSE_SGR, write_sgr },
	{ VT_MOUSE_SGR_PIXELS, write_pixel },
};

static bool
is_wheel(enum mouse_button b)
{
	return b >= MOUSE_WHEEL_UP && b <= MOUSE_WHEEL_RIGHT;
}

/* True if mode P (an index) reports the event. */
static bool
mouse_wanted(size_t p, const struct mouse_event *ev)
{
	if (ev->x < 0 || ev->y < 0 || ev->x > UINT16_MAX || ev->y > UINT16_MAX)
		return false;
	if ((unsigned)ev->button >= ARRAY_LEN(mouse_codes))
		return false;
	switch (ev->action) {
	case MOUSE_PRESS:
		if (ev->button == MOUSE_NONE)
			return false;
		return mouse_modes[p].wheel || ev->button <= MOUSE_RIGHT;
	case MOUSE_RELEASE:
		return mouse_modes[p].release && !is_wheel(ev->button);
	case MOUSE_MOTION:
		if (is_wheel(ev->button))
			return false;
		return ev->button == MOUSE_NONE ? mouse_modes[p].motion
						: mouse_modes[p].drag;
	}
	return false;
}

/*
 * Returns a pixel of the event, 1-based: the reported one, or the middle of the
 * cell.
 */
static unsigned
mouse_pixel(int pixel, int cell, unsigned size)
{
	if (pixel >= 0)
		return (unsigned)MIN_OF(pixel, INT32_MAX - 1) + 1;
	return (unsigned)cell * size + size / 2 + 1;
}

/*
 * Writes a wheel step as cursor keys, for a full-screen program without mouse
 * modes.
 */
static int
mouse_scroll(struct buf *out, const struct vt_input_modes *m,
    const struct mouse_event *ev)
{
	char b[3 * VT_INPUT_SCROLL_LINES];
	size_t i;

	if (!m->alternate_scroll || !m->alternate_screen ||
	    ev->action != MOUSE_PRESS ||
	    (ev->button != MOUSE_WHEEL_UP && ev->button != MOUSE_WHEEL_DOWN))
		return 0;
	for (i = 0; i < sizeof(b); i += 3) {
		b[i] = '\033';
		b[i + 1] = m->app_cursor ? 'O' : '[';
		b[i + 2] = ev->button == MOUSE_WHEEL_UP ? 'A' : 'B';
	}
	return buf_add(out, b, sizeof(b));
}

static void
mouse_fill(struct mouse_report *r, const struct vt_input_modes *m,
    const struct mouse_event *ev, bool mods)
{
	unsigned bits = 0;

	if (mods) {
		bits |= ev->mods & KEY_SHIFT ? MOUSE_SHIFT : 0;
		bits |= ev->mods & KEY_META ? MOUSE_META : 0;
		bits |= ev->mods & KEY_CTRL ? MOUSE_CTRL : 0;
	}
	if (ev->action == MOUSE_MOTION)
		bits |= MOUSE_MOVED;
	r->released = ev->action == MOUSE_RELEASE;
	r->code = mouse_codes[ev->button] | bits;
	r->released_code = r->released ? MOUSE_NO_BUTTON | bits : r->code;
	r->x = (unsigned)ev->x + 1;
	r->y = (unsigned)ev->y + 1;
	r->px = mouse_pixel(ev->px, ev->x, m->cell_w != 0 ? m->cell_w : 8);
	r->py = mouse_pixel(ev->py, ev->y, m->cell_h != 0 ? m->cell_h : 16);
}

int
vt_input_mouse(struct buf *out, const struct vt_input_modes *m,
    const struct mouse_event *ev)
{
	struct mouse_report r;
	size_t p, e;

	for (p = 0; p < ARRAY_LEN(mouse_modes); p++)
		if (mouse_modes[p].mode == m->mouse)
			break;
	if (p == ARRAY_LEN(mouse_modes))
		return mouse_scroll(out, m, ev);
	if (!mouse_wanted(p, ev))
		return 0;
	mouse_fill(&r, m, ev, mouse_modes[p].mods);
	for (e = 0; e < ARRAY_LEN(mouse_encodings); e++)
		if (mouse_encodings[e].encoding == m->mouse_encoding)
			return mouse_encodings[e].write(out, &r);
	return 0;
}

int
vt_input_focus(struct buf *out, const struct vt_input_modes *m, bool in)
{
	if (!m->focus)
		return 0;
	return buf_add(out, in ? "\033[I" : "\033[O", 3);
}
