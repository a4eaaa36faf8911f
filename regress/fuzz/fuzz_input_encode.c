/*
 * Input events and pastes from arbitrary bytes.  Properties: an event comes
 * out whole or not at all and is short; within brackets a paste has no ESC, no
 * C1 and so no end marker, and is UTF-8 with no other control than TAB, LF and
 * CR.
 */
#include <string.h>

#include "base/err.h"
#include "base/utf8.h"
#include "mux/vt/input_encode.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define EVENT_MAX 512

struct reader {
	const uint8_t *p;
	size_t n;
};

static uint8_t
take(struct reader *r)
{
	if (r->n == 0)
		return 0;
	r->n--;
	return *r->p++;
}

static uint32_t
take32(struct reader *r)
{
	uint32_t v = take(r);

	v = v << 8 | take(r);
	v = v << 8 | take(r);
	return v << 8 | take(r);
}

static void
take_modes(struct reader *r, struct vt_input_modes *m)
{
	uint32_t v = take32(r);

	vt_input_modes_init(m);
	m->kitty = (uint8_t)(v & VT_KITTY_MASK);
	m->modify_other = (uint8_t)((v >> 5) % 3);
	m->format_csi_u = v >> 7 & 1;
	m->app_cursor = v >> 8 & 1;
	m->app_keypad = v >> 9 & 1;
	m->newline = v >> 10 & 1;
	m->backspace_bs = v >> 11 & 1;
	m->meta_escape = v >> 12 & 1;
	m->alt_escape = v >> 13 & 1;
	m->meta_eight_bit = v >> 14 & 1;
	m->numlock = v >> 15 & 1;
	m->home_tilde = v >> 16 & 1;
	m->bracketed_paste = v >> 17 & 1;
	m->focus = v >> 18 & 1;
	m->alternate_scroll = v >> 19 & 1;
	m->alternate_screen = v >> 20 & 1;
	m->mouse = (uint8_t)((v >> 21 & 15) % 6);
	m->mouse_encoding = (uint8_t)((v >> 25 & 15) % 6);
	m->cell_w = take(r);
	m->cell_h = take(r);
}

/* Checks that result R and the length of OUT agree. */
static void
check_event(struct buf *out, int r)
{
	bug_assert(r == 0 || (r == -ERR_LIMIT && out->len == 0));
	bug_assert(out->len <= EVENT_MAX);
	buf_clear(out);
}

static void
do_key(struct reader *r, struct buf *out, const struct vt_input_modes *m)
{
	struct key_event ev;
	uint8_t how = take(r);
	size_t i;

	memset(&ev, 0, sizeof(ev));
	if (how & 1)
		ev.key = KEY_SPECIAL + take(r);
	else if (how & 2)
		ev.key = take32(r);
	else
		ev.key = take(r);
	ev.key |= (key_code)take(r) << 32;
	ev.type = (enum key_event_type)((how >> 2) % 3);
	if (how & 16)
		ev.shifted = take32(r);
	if (how & 32)
		ev.base_layout = take32(r);
	if (how & 64)
		for (i = 0; i < sizeof(ev.text); i++)
			ev.text[i] = (char)take(r);
	check_event(out, vt_input_key(out, m, &ev));
}

static void
do_mouse(struct reader *r, struct buf *out, const struct vt_input_modes *m)
{
	struct mouse_event ev;

	ev.action = (enum mouse_action)(take(r) % 3);
	ev.button = (enum mouse_button)(take(r) % 16);
	ev.mods = (key_code)take(r) << 32;
	ev.x = (int)take32(r);
	ev.y = (int)take32(r) >> 20;
	ev.px = (int)take32(r);
	ev.py = (int)take32(r) >> 16;
	check_event(out, vt_input_mouse(out, m, &ev));
}

static void
check_inside(const uint8_t *p, size_t n, unsigned flags)
{
	size_t i = 0;
	uint32_t cp;

	bug_assert(n >= 12 && memcmp(p, "\033[200~", 6) == 0);
	bug_assert(memcmp(p + n - 6, "\033[201~", 6) == 0);
	p += 6;
	n -= 12;
	bug_assert(utf8_valid(p, n));
	while (i < n) {
		i += utf8_decode_final(p + i, n - i, &cp);
		bug_assert(cp != 0x1b && (cp < 0x80 || cp >= 0xa0));
		if ((flags & VT_PASTE_RAW) == 0)
			bug_assert((cp >= 0x20 && cp != 0x7f) || cp == '\t' ||
				   cp == '\n' || cp == '\r');
	}
}

static void
do_paste(struct reader *r, struct buf *out, const struct vt_input_modes *m)
{
	unsigned flags = take(r) & 3, step = 1 + (take(r) & 7);
	struct vt_paste p;
	struct buf parts;
	size_t i, n;

	bug_assert(vt_input_paste(out, m, r->p, r->n, flags) == 0);
	if (m->bracketed_paste)
		check_inside(out->data, out->len, flags);
	/* In pieces it is the same. */
	buf_init(&parts, out->max);
	bug_assert(vt_paste_begin(&p, &parts, m, flags) == 0);
	for (i = 0; i < r->n; i += n) {
		n = MIN_OF((size_t)step, r->n - i);
		bug_assert(vt_paste_add(&p, &parts, r->p + i, n) == 0);
	}
	bug_assert(vt_paste_end(&p, &parts) == 0);
	bug_assert(
	    parts.len == out->len &&
	    (out->len == 0 || memcmp(parts.data, out->data, out->len) == 0));
	buf_fini(&parts);
	r->n = 0;
	buf_clear(out);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct reader r = { data, size };
	struct vt_input_modes m;
	struct buf out, small;

	buf_init(&out, 3 * size + 4096);
	buf_init(&small, 3);
	take_modes(&r, &m);
	while (r.n > 0)
		switch (take(&r) % 8) {
		case 0:
			take_modes(&r, &m);
			break;
		case 1:
			do_mouse(&r, &out, &m);
			break;
		case 2:
			check_event(
			    &out, vt_input_focus(&out, &m, take(&r) & 1));
			break;
		case 3:
			do_paste(&r, &out, &m);
			break;
		case 4:
			do_key(&r, &small, &m);
			buf_clear(&small);
			break;
		default:
			do_key(&r, &out, &m);
		}
	buf_fini(&out);
	buf_fini(&small);
	return 0;
}
