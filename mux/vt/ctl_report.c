/*
 * Reports and identification, window operations, keyboard protocols, resets.
 */
#include <stdio.h>
#include <string.h>

#include "mux/vt/screen.h"

/* --- identification -------------------------------------------------------------- */

/*
 * DA1 - VT420 with selective erase (6), horizontal scrolling (21), colour (22),
 * rectangles (28) and clipboard (52); without technical characters (15) and
 * national sets (9).
 */
void
vt_ctl_da1(struct vt_term *t, const struct vt_params *p)
{
	if (vt_param(p, 0, 0) == 0)
		vt_reply(t, "\033[?64;6;21;22;28;52c");
}

/* DA2 - a VT220's number, a version of 100, no cartridge. */
void
vt_ctl_da2(struct vt_term *t, const struct vt_params *p)
{
	if (vt_param(p, 0, 0) == 0)
		vt_reply(t, "\033[>1;100;0c");
}

/* DA3 - a unit id of four bytes: "rmux". */
void
vt_ctl_da3(struct vt_term *t, const struct vt_params *p)
{
	if (vt_param(p, 0, 0) == 0)
		vt_reply(t, "\033P!|726D7578\033\\");
}

void
vt_ctl_xtversion(struct vt_term *t, const struct vt_params *p)
{
	if (vt_param(p, 0, 0) == 0)
		vt_reply(t, "\033P>|%s\033\\", VT_TERM_VERSION);
}

void
vt_ctl_decreqtparm(struct vt_term *t, const struct vt_params *p)
{
	int what = vt_param(p, 0, 0);

	if (what <= 1)
		vt_reply(t, "\033[%d;1;1;128;128;1;0x", what + 2);
}

/* --- status ---------------------------------------------------------------------- */

static void
report_ok(struct vt_term *t)
{
	vt_reply(t, "\033[0n");
}

static void
report_cursor(struct vt_term *t)
{
	vt_reply(t, "\033[%d;%dR", t->y - vt_origin_y(t) + 1,
	    t->x - vt_origin_x(t) + 1);
}

static void
report_cursor_page(struct vt_term *t)
{
	vt_reply(t, "\033[?%d;%d;1R", t->y - vt_origin_y(t) + 1,
	    t->x - vt_origin_x(t) + 1);
}

static void
report_no_printer(struct vt_term *t)
{
	vt_reply(t, "\033[?13n");
}

static void
report_keys_locked(struct vt_term *t)
{
	vt_reply(t, "\033[?21n");
}

static void
report_keyboard(struct vt_term *t)
{
	vt_reply(t, "\033[?27;1;0;0n");
}

static void
report_no_locator(struct vt_term *t)
{
	vt_reply(t, "\033[?50n");
}

static void
report_locator_type(struct vt_term *t)
{
	vt_reply(t, "\033[?57;0n");
}

static void
report_macro_space(struct vt_term *t)
{
	vt_reply(t, "\033[0*{");
}

static void
report_data_ok(struct vt_term *t)
{
	vt_reply(t, "\033[?70n");
}

static void
report_one_session(struct vt_term *t)
{
	vt_reply(t, "\033[?83n");
}

struct report_row {
	int number;
	vt_control_fn fn;
};

static const struct report_row report_private[] = {
	{ 6, report_cursor_page }, /* DECXCPR */
	{ 15, report_no_printer },
	{ 25, report_keys_locked }, /* user-defined keys */
	{ 26, report_keyboard },
	{ 53, report_no_locator },
	{ 55, report_no_locator },
	{ 56, report_locator_type },
	{ 62, report_macro_space },
	{ 75, report_data_ok },
	{ 85, report_one_session },
	{ 996, vt_report_theme },
};

void
vt_ctl_dsr(struct vt_term *t, const struct vt_params *p)
{
	int what = vt_param(p, 0, 0);

	if (what == 5)
		report_ok(t);
	else if (what == 6)
		report_cursor(t);
}

void
vt_ctl_decdsr(struct vt_term *t, const struct vt_params *p)
{
	int what = vt_param(p, 0, 0);
	size_t i;

	if (what == 63) {
		/* Memory checksum: there are no macros. */
		vt_reply(t, "\033P%d!~0000\033\\", vt_param(p, 1, 0));
		return;
	}
	for (i = 0; i < ARRAY_LEN(report_private); i++) {
		if (report_private[i].number == what) {
			report_private[i].fn(t);
			return;
		}
	}
	vt_unknown(t, "CSI", '?', 0, 0, 'n', what);
}

/*
 * DECCIR - cursor, rendition and charsets, as DECRSPS restores them.  Columns
 * and rows are absolute, as in xterm.
 */
static void
report_cursor_state(struct vt_term *t)
{
	const struct vt_charsets *c = &t->charsets;
	unsigned sgr = 0x40, flags = 0x40;

	if ((t->pen.attrs & PEN_BOLD) != 0)
		sgr |= 1;
	if ((t->pen.attrs & PEN_UL_MASK) != 0)
		sgr |= 2;
	if ((t->pen.attrs & PEN_BLINK) != 0)
		sgr |= 4;
	if ((t->pen.attrs & PEN_REVERSE) != 0)
		sgr |= 8;
	if (vt_mode_on(t, VT_MODE_DECOM))
		flags |= 1;
	if (c->single != 0)
		flags |= c->single == 2 ? 2 : 4;
	if (t->wrap)
		flags |= 8;
	vt_reply(t, "\033P1$u%d;%d;1;%c;%c;%c;%d;%d;@;%c%c%c%c\033\\", t->y + 1,
	    t->x + 1, (int)sgr, (t->pen.attrs & PEN_PROTECTED) != 0 ? 'A' : '@',
	    (int)flags, c->gl, c->gr,
	    vt_charset_final((enum vt_charset)c->g[0]),
	    vt_charset_final((enum vt_charset)c->g[1]),
	    vt_charset_final((enum vt_charset)c->g[2]),
	    vt_charset_final((enum vt_charset)c->g[3]));
}

/* DECTABSR - reports the tab stops. */
static void
report_tabs(struct vt_term *t)
{
	struct buf b;
	int x;

	buf_init(&b, 64 << 10);
	(void)buf_add_str(&b, "\033P2$u");
	for (x = 0; x < t->cols; x++) {
		if (vt_tabs_has(&t->tabs, (unsigned)x))
			(void)buf_addf(&b, "%s%d", b.len > 5 ? "/" : "", x + 1);
	}
	(void)buf_add_str(&b, "\033\\");
	vt_reply_bytes(t, b.data, b.len);
	buf_fini(&b);
}

void
vt_ctl_decrqpsr(struct vt_term *t, const struct vt_params *p)
{
	int what = vt_param(p, 0, 0);

	if (what == 1)
		report_cursor_state(t);
	else if (what == 2)
		report_tabs(t);
}

/* --- window operations -------------------------------------------------------------- */

static void
win_state(struct vt_term *t, const struct vt_params *p UNUSED)
{
	vt_reply(t, "\033[1t");
}

static void
win_place(struct vt_term *t, const struct vt_params *p UNUSED)
{
	vt_reply(t, "\033[3;0;0t");
}

static void
win_pixels(struct vt_term *t, const struct vt_params *p UNUSED)
{
	vt_reply(t, "\033[4;%u;%ut", (unsigned)t->rows * t->cell_h,
	    (unsigned)t->cols * t->cell_w);
}

static void
win_screen_pixels(struct vt_term *t, const struct vt_params *p UNUSED)
{
	vt_reply(t, "\033[5;%u;%ut", (unsigned)t->rows * t->cell_h,
	    (unsigned)t->cols * t->cell_w);
}

static void
win_cell_pixels(struct vt_term *t, const struct vt_params *p UNUSED)
{
	vt_reply(t, "\033[6;%u;%ut", t->cell_h, t->cell_w);
}

static void
win_size(struct vt_term *t, const struct vt_params *p UNUSED)
{
	vt_reply(t, "\033[8;%d;%dt", t->rows, t->cols);
}

static void
win_screen_size(struct vt_term *t, const struct vt_params *p UNUSED)
{
	vt_reply(t, "\033[9;%d;%dt", t->rows, t->cols);
}

/*
 * security: a title that comes back as input could run as a command.  So it is
 * empty unless title-report allows it; titles have no control characters.
 */
static void
win_report_title(struct vt_term *t, char kind, const struct vt_str *title)
{
	const char *s = t->title_report ? vt_str_text(title) : "";
	struct buf b;

	buf_init(&b, 16 + (size_t)VT_TITLE_MAX * 6);
	(void)buf_addf(&b, "\033]%c", kind);
	/* Title mode 1: in hexadecimal. */
	if ((t->title_modes & 2) == 0)
		(void)buf_add_str(&b, s);
	else
		for (; *s != '\0'; s++)
			(void)buf_addf(&b, "%02X", (unsigned char)*s);
	(void)buf_add_str(&b, "\033\\");
	vt_reply_bytes(t, b.data, b.len);
	buf_fini(&b);
}

static void
win_icon_title(struct vt_term *t, const struct vt_params *p UNUSED)
{
	win_report_title(t, 'L', t->state.icon);
}

static void
win_title(struct vt_term *t, const struct vt_params *p UNUSED)
{
	win_report_title(t, 'l', t->state.title);
}

/* 22 and 23: 0 both titles, 1 the icon's, 2 the window's. */
static void
win_push_title(struct vt_term *t, const struct vt_params *p UNUSED)
{
	struct vt_rare *rare = vt_rare(t);
	struct vt_title_pair *tp;

	if (rare->ntitles >= VT_TITLE_STACK_MAX) {
		vt_str_unref(rare->titles[0].title);
		vt_str_unref(rare->titles[0].icon);
		memmove(rare->titles, rare->titles + 1,
		    (VT_TITLE_STACK_MAX - 1) * sizeof rare->titles[0]);
		rare->ntitles--;
	}
	tp = &rare->titles[rare->ntitles++];
	tp->title = vt_str_ref(t->state.title);
	tp->icon = vt_str_ref(t->state.icon);
}

static void
win_pop_title(struct vt_term *t, const struct vt_params *p)
{
	struct vt_rare *rare = vt_rare(t);
	int what = vt_param(p, 1, 0);
	struct vt_title_pair tp;

	if (rare->ntitles == 0 || what > 2)
		return;
	tp = rare->titles[--rare->ntitles];
	if (what != 1)
		vt_set_title(t, &t->state.title, vt_str_text(tp.title),
		    strlen(vt_str_text(tp.title)));
	if (what != 2)
		vt_set_title(t, &t->state.icon, vt_str_text(tp.icon),
		    strlen(vt_str_text(tp.icon)));
	vt_str_unref(tp.title);
	vt_str_unref(tp.icon);
}

/*
 * Handlers by XTWINOPS number; operations that move or resize windows have
 * none.
 */
static const vt_csi_fn win_ops[] = {
	[11] = win_state,
	[13] = win_place,
	[14] = win_pixels,
	[15] = win_screen_pixels,
	[16] = win_cell_pixels,
	[18] = win_size,
	[19] = win_screen_size,
	[20] = win_icon_title,
	[21] = win_title,
	[22] = win_push_title,
	[23] = win_pop_title,
};

void
vt_ctl_xtwinops(struct vt_term *t, const struct vt_params *p)
{
	int what = vt_param(p, 0, 0);

	if (what < (int)ARRAY_LEN(win_ops) && win_ops[what] != NULL)
		win_ops[what](t, p);
}

/*
 * Title modes: 0, 1 set and query in hex; 2, 3 in UTF-8, the only encoding
 * here.
 */
void
vt_ctl_xtsmtitle(struct vt_term *t, const struct vt_params *p)
{
	int i;

	for (i = 0; i < p->count; i++) {
		if (p->v[i] >= 0 && p->v[i] <= 3)
			t->title_modes |= (uint8_t)(1u << p->v[i]);
	}
}

void
vt_ctl_xtrmtitle(struct vt_term *t, const struct vt_params *p)
{
	int i;

	if (p->count == 0)
		t->title_modes = 0;
	for (i = 0; i < p->count; i++) {
		if (p->v[i] >= 0 && p->v[i] <= 3)
			t->title_modes &= (uint8_t) ~(1u << p->v[i]);
	}
}

/* XTSMGRAPHICS - status 3, failure: there are no graphics. */
void
vt_ctl_xtsmgraphics(struct vt_term *t, const struct vt_params *p)
{
	vt_reply(t, "\033[?%d;3;0S", vt_param(p, 0, 0));
}

/* --- keyboard ------------------------------------------------------------------------ */

static struct vt_kitty *
kitty_of(struct vt_term *t)
{
	return &t->screens[t->alternate].kitty;
}

#define KITTY_FLAGS 31

void
vt_ctl_kitty_query(struct vt_term *t, const struct vt_params *p UNUSED)
{
	const struct vt_kitty *k = kitty_of(t);

	vt_reply(t, "\033[?%du", k->flags[k->depth]);
}

/* A push to a full stack drops the oldest entry. */
void
vt_ctl_kitty_push(struct vt_term *t, const struct vt_params *p)
{
	struct vt_kitty *k = kitty_of(t);

	if (k->depth == VT_KITTY_STACK_MAX)
		memmove(k->flags, k->flags + 1, VT_KITTY_STACK_MAX);
	else
		k->depth++;
	k->flags[k->depth] = (uint8_t)(vt_param(p, 0, 0) & KITTY_FLAGS);
}

void
vt_ctl_kitty_pop(struct vt_term *t, const struct vt_params *p)
{
	struct vt_kitty *k = kitty_of(t);
	int n = vt_param_nz(p, 0, 1);

	if (n > k->depth) {
		k->depth = 0;
		k->flags[0] = 0;
	} else
		k->depth = (uint8_t)(k->depth - n);
}

/*
 * The second parameter of KITTY_SET selects how to combine old and new flags.
 */
void
vt_ctl_kitty_set(struct vt_term *t, const struct vt_params *p)
{
	struct vt_kitty *k = kitty_of(t);
	unsigned old = k->flags[k->depth];
	unsigned now = (unsigned)vt_param(p, 0, 0) & KITTY_FLAGS;
	int how = vt_param_nz(p, 1, 1);

	if (how == 2)
		now |= old;
	else if (how == 3)
		now = old & ~now;
	else if (how != 1)
		return;
	k->flags[k->depth] = (uint8_t)now;
}

/* XTMODKEYS - resource 4 is modifyOtherKeys; the others are only stored. */
void
vt_ctl_xtmodkeys(struct vt_term *t, const struct vt_params *p)
{
	int what = vt_param(p, 0, 0), v = vt_param(p, 1, -1);

	if (p->count == 0) {
		memset(t->modkeys, -1, sizeof t->modkeys);
		return;
	}
	if (what < (int)ARRAY_LEN(t->modkeys) && v <= 4)
		t->modkeys[what] = (int8_t)v;
}

/* XTUNMODKEYS - off, which is 0 for modifyOtherKeys. */
void
vt_ctl_xtunmodkeys(struct vt_term *t, const struct vt_params *p)
{
	int what = vt_param(p, 0, 2);

	if (what < (int)ARRAY_LEN(t->modkeys))
		t->modkeys[what] = 0;
}

void
vt_ctl_xtqmodkeys(struct vt_term *t, const struct vt_params *p)
{
	int what = vt_param(p, 0, 0);

	if (what < (int)ARRAY_LEN(t->modkeys))
		vt_reply(t, "\033[>%d;%dm", what,
		    MAX_OF((int)t->modkeys[what], what == 4 ? 0 : 2));
}

/* --- cursor style, conformance, resets ------------------------------------------------- */

void
vt_ctl_decscusr(struct vt_term *t, const struct vt_params *p)
{
	int style = vt_param(p, 0, 0);

	if (style > 6)
		return;
	t->cursor_style = (uint8_t)style;
	vt_mode_put(t, VT_MODE_BLINK, style % 2 == 1);
}

/* DECSCL - implies a soft reset; the level makes no other difference. */
void
vt_ctl_decscl(struct vt_term *t, const struct vt_params *p)
{
	int level = vt_param(p, 0, 0);

	if (level >= 61 && level <= 65)
		vt_reset_soft(t);
}

void
vt_ctl_decstr(struct vt_term *t, const struct vt_params *p UNUSED)
{
	vt_reset_soft(t);
}
