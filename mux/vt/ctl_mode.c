/* Modes: set, reset, save, restore and report. */
#include <string.h>

#include "mux/vt/screen.h"

struct mode_row {
	uint16_t number;
	bool private;
	bool initial;
	uint8_t group;
	vt_mode_fn set;
};

/* --- setters named in mode.def ---------------------------------------------- */

static void
mode_flag(struct vt_term *t, enum vt_mode m, bool on)
{
	vt_mode_put(t, m, on);
}

/* DECANM - VT52 is not emulated: always ANSI. */
static void
mode_fixed(struct vt_term *t UNUSED, enum vt_mode m UNUSED, bool on UNUSED)
{
}

static void mode_group(struct vt_term *t, enum vt_mode m, bool on);

/*
 * DECCOLM - only while mode 40 allows it: clears (unless DECNCSM), homes and
 * resets the margins.  The owner decides about the size: an effect reports the
 * request.
 */
static void
mode_deccolm(struct vt_term *t, enum vt_mode m, bool on)
{
	if (!vt_mode_on(t, VT_MODE_DECNCOLM))
		return;
	vt_mode_put(t, m, on);
	vt_margins_reset(t);
	if (!vt_mode_on(t, VT_MODE_DECNCSM))
		vt_erase_rows(t, 0, t->rows, false);
	vt_move_origin(t, 0, 0);
	vt_effects_add(
	    &t->effects, VT_EFFECT_COLUMNS, on ? 132 : 80, 0, NULL, 0, NULL);
}

static void
mode_decom(struct vt_term *t, enum vt_mode m, bool on)
{
	vt_mode_put(t, m, on);
	vt_move_origin(t, 0, 0);
}

static void
mode_decawm(struct vt_term *t, enum vt_mode m, bool on)
{
	vt_mode_put(t, m, on);
}

/*
 * DECLRMM - when reset, the left and right margins are the screen's edges.  When
 * set, all rows become of single width.
 */
static void
mode_declrmm(struct vt_term *t, enum vt_mode m, bool on)
{
	vt_mode_put(t, m, on);
	if (!on) {
		t->left = 0;
		t->right = t->cols - 1;
		vt_margins_changed(t);
	} else if (vt_odd(t))
		vt_odd_reset(t);
}

/* Clears the screen like ED 2; cancels a pending wrap. */
static void
mode_clear(struct vt_term *t)
{
	vt_erase_rows(t, 0, t->rows, false);
	t->wrap = false;
}

/* 47, 1047 and 1049 are one state that each of them changes differently. */
static void
mode_alt(struct vt_term *t, enum vt_mode m, bool on)
{
	bool was = t->alternate;

	if (t->no_alternate && !was)
		return;
	if (on && m == VT_MODE_ALT_1049)
		vt_cursor_save(t);
	if (!on && m == VT_MODE_ALT_1047 && was)
		mode_clear(t);
	vt_show_alternate(t, on);
	if (on && m == VT_MODE_ALT_1049)
		mode_clear(t);
	if (!on && m == VT_MODE_ALT_1049)
		vt_cursor_restore(t);
	vt_mode_put(t, VT_MODE_ALT_47, on);
	vt_mode_put(t, VT_MODE_ALT_1047, on);
	vt_mode_put(t, VT_MODE_ALT_1049, on);
}

static void
mode_cursor(struct vt_term *t, enum vt_mode m, bool on)
{
	if (on)
		vt_cursor_save(t);
	else
		vt_cursor_restore(t);
	vt_mode_put(t, m, on);
}

static void
mode_sync(struct vt_term *t, enum vt_mode m, bool on)
{
	if (vt_mode_on(t, m) != on)
		vt_effects_add(
		    &t->effects, VT_EFFECT_SYNC, on, 0, NULL, 0, NULL);
	vt_mode_put(t, m, on);
}

/*
 * 2079 - says so each time: who began before may have died without a word.
 */
static void
mode_nested(struct vt_term *t, enum vt_mode m, bool on)
{
	vt_mode_put(t, m, on);
	vt_effects_add(&t->effects, VT_EFFECT_NESTED, on, 0, NULL, 0, NULL);
}

/* 2048 - reports the size at once, and after each change. */
static void
mode_inband(struct vt_term *t, enum vt_mode m, bool on)
{
	vt_mode_put(t, m, on);
	if (on)
		vt_report_size(t);
}

/* --- the table ---------------------------------------------------------------- */

static const struct mode_row mode_rows[VT_MODE_COUNT] = {
#define X(mn, priv, num, def, setter, grp, help) \
 [VT_MODE_##mn] = { .number = (num),             \
	 .private = (priv),                      \
	 .initial = (def),                       \
	 .group = (grp),                         \
	 .set = mode_##setter },
#define F(mn, priv, num, answer)
#include "mux/vt/mode.def"
#undef X
#undef F
};

/* 1 + the row by number; numbers from 1000 on have their own range. */
#define MODE_LOW 128
#define MODE_HIGH_FROM 1000
#define MODE_HIGH 1088
#define MODE_SLOT(num) \
 ((num) < MODE_LOW ? (num) : (num)-MODE_HIGH_FROM + MODE_LOW)

static const uint8_t mode_index[2][MODE_LOW + MODE_HIGH] = {
#define X(mn, priv, num, def, setter, grp, help) \
 [priv][MODE_SLOT(num)] = 1 + VT_MODE_##mn,
#define F(mn, priv, num, answer)
#include "mux/vt/mode.def"
#undef X
#undef F
};

static const uint8_t mode_fixed_answer[2][MODE_LOW] = {
#define X(mn, priv, num, def, setter, grp, help)
#define F(mn, priv, num, answer) [priv][num] = answer,
#include "mux/vt/mode.def"
#undef X
#undef F
};

static enum vt_mode
mode_of(bool private, int num)
{
	unsigned i;

	if (num < 0 || (num >= MODE_LOW && num < MODE_HIGH_FROM) ||
	    num >= MODE_HIGH_FROM + MODE_HIGH)
		return VT_MODE_COUNT;
	i = mode_index[private][MODE_SLOT(num)];
	return i == 0 ? VT_MODE_COUNT : (enum vt_mode)(i - 1);
}

/* Sets a mode of a group, which resets the others; resetting any resets all. */
static void
mode_group(struct vt_term *t, enum vt_mode m, bool on)
{
	unsigned i;

	for (i = 0; i < VT_MODE_COUNT; i++) {
		if (mode_rows[i].group == mode_rows[m].group)
			vt_mode_put(t, (enum vt_mode)i, false);
	}
	vt_mode_put(t, m, on);
}

void
vt_mode_set(struct vt_term *t, enum vt_mode m, bool on)
{
	uint64_t before[VT_MODE_WORDS];

	memcpy(before, t->modes, sizeof before);
	mode_rows[m].set(t, m, on);
	if (memcmp(before, t->modes, sizeof before) != 0)
		vt_effects_add(&t->effects, VT_EFFECT_MODE, (int)m,
		    vt_mode_on(t, m), NULL, 0, NULL);
}

void
vt_mode_reset_all(struct vt_term *t)
{
	unsigned i;

	for (i = 0; i < VT_MODE_COUNT; i++)
		vt_mode_put(t, (enum vt_mode)i, mode_rows[i].initial);
}

/* --- SM, RM, DECSET, DECRST ---------------------------------------------------- */

static void
mode_set_list(
    struct vt_term *t, const struct vt_params *p, bool private, bool on)
{
	enum vt_mode m;
	int i, num;

	for (i = 0; i < p->count; i++) {
		num = MAX_OF(p->v[i], 0);
		m = mode_of(private, num);
		if (m != VT_MODE_COUNT)
			vt_mode_set(t, m, on);
		else if (num >= MODE_LOW ||
			 mode_fixed_answer[private][num] == 0)
			vt_unknown(t, "CSI", private ? '?' : 0, 0, 0,
			    on ? 'h' : 'l', num);
	}
}

void
vt_ctl_sm(struct vt_term *t, const struct vt_params *p)
{
	mode_set_list(t, p, false, true);
}

void
vt_ctl_rm(struct vt_term *t, const struct vt_params *p)
{
	mode_set_list(t, p, false, false);
}

void
vt_ctl_decset(struct vt_term *t, const struct vt_params *p)
{
	mode_set_list(t, p, true, true);
}

void
vt_ctl_decrst(struct vt_term *t, const struct vt_params *p)
{
	mode_set_list(t, p, true, false);
}

/* XTSAVE and XTRESTORE save one value for each private mode. */
void
vt_ctl_xtsave(struct vt_term *t, const struct vt_params *p)
{
	enum vt_mode m;
	uint64_t bit;
	int i;

	for (i = 0; i < p->count; i++) {
		m = mode_of(true, p->v[i]);
		if (m == VT_MODE_COUNT)
			continue;
		bit = UINT64_C(1) << m % 64;
		t->saved_modes[m / 64] =
		    (t->saved_modes[m / 64] & ~bit) | (t->modes[m / 64] & bit);
		if (m == VT_MODE_SAVE_1048)
			vt_cursor_save(t);
	}
}

void
vt_ctl_xtrestore(struct vt_term *t, const struct vt_params *p)
{
	enum vt_mode m;
	int i;

	for (i = 0; i < p->count; i++) {
		m = mode_of(true, p->v[i]);
		if (m == VT_MODE_COUNT)
			continue;
		if (m == VT_MODE_SAVE_1048)
			vt_cursor_restore(t);
		else
			vt_mode_set(
			    t, m, (t->saved_modes[m / 64] >> m % 64 & 1) != 0);
	}
}

/* --- DECRQM -------------------------------------------------------------------- */

enum mode_answer {
	MODE_UNKNOWN,
	MODE_SET,
	MODE_RESET,
	MODE_ALWAYS_SET,
	MODE_ALWAYS_RESET
};

static int
mode_answer(const struct vt_term *t, bool private, int num)
{
	enum vt_mode m = mode_of(private, num);

	if (m == VT_MODE_COUNT)
		return num >= 0 && num < MODE_LOW
			   ? mode_fixed_answer[private][num]
			   : MODE_UNKNOWN;
	if (m == VT_MODE_DECANM)
		return MODE_ALWAYS_SET;
	return vt_mode_on(t, m) ? MODE_SET : MODE_RESET;
}

void
vt_ctl_decrqm_ansi(struct vt_term *t, const struct vt_params *p)
{
	int num = vt_param(p, 0, 0);

	vt_reply(t, "\033[%d;%d$y", num, mode_answer(t, false, num));
}

void
vt_ctl_decrqm(struct vt_term *t, const struct vt_params *p)
{
	int num = vt_param(p, 0, 0);

	vt_reply(t, "\033[?%d;%d$y", num, mode_answer(t, true, num));
}
