/*
 * The legacy encoding of keys, with xterm's modifyOtherKeys.  Each special key
 * is a row of input_key.def with a function.
 */
#include "mux/vt/input_int.h"

static const struct {
	key_code mod;
	unsigned legacy;
} input_mods[] = {
	{ KEY_SHIFT, 1 },
	{ KEY_META, 2 },
	{ KEY_CTRL, 4 },
	{ KEY_META2, 8 },
};

static unsigned
legacy_mods(key_code mods)
{
	unsigned v = 0;
	size_t i;

	for (i = 0; i < ARRAY_LEN(input_mods); i++)
		if (mods & input_mods[i].mod)
			v |= input_mods[i].legacy;
	return v;
}

static bool
meta_escapes(const struct vt_input_modes *m)
{
	return m->meta_escape || m->alt_escape;
}

/* Writes an ESC before the key if Meta is pressed and encoded so. */
static void
put_meta(struct input_out *o, const struct vt_input_modes *m,
    const struct input_key *k)
{
	if ((k->mods & KEY_META) && meta_escapes(m))
		put_char(o, '\033');
}

/*
 * Writes a key that is a single byte.  Meta is ESC, or the eighth bit, or
 * nothing.
 */
static void
put_byte(struct input_out *o, const struct vt_input_modes *m,
    const struct input_key *k, int c)
{
	put_meta(o, m, k);
	if ((k->mods & KEY_META) && !meta_escapes(m) && m->meta_eight_bit)
		put_cp(o, (uint32_t)c | 0x80);
	else
		put_char(o, c);
}

void
vt_input_other(struct input_out *o, const struct vt_input_modes *m,
    key_code key_mods, uint32_t code)
{
	unsigned mods = 1 + legacy_mods(key_mods);

	put_str(o, m->format_csi_u ? "\033[" : "\033[27;");
	put_num(o, m->format_csi_u ? code : mods);
	put_char(o, ';');
	put_num(o, m->format_csi_u ? mods : code);
	put_char(o, m->format_csi_u ? 'u' : '~');
}

/* CSI num final, or CSI num ; mods final. */
static void
put_csi(struct input_out *o, unsigned num, unsigned mods, int final)
{
	put_str(o, "\033[");
	if (final == '~' || mods != 0)
		put_num(o, num);
	if (mods != 0) {
		put_char(o, ';');
		put_num(o, 1 + mods);
	}
	put_char(o, final);
}

/*
 * Returns the modifiers among Ctrl, Shift, and Meta if it is not just an ESC.
 */
static key_code
other_mods(const struct vt_input_modes *m, const struct input_key *k)
{
	key_code mods = k->mods & (KEY_SHIFT | KEY_CTRL | KEY_META);

	if (m->modify_other < 2 && meta_escapes(m))
		mods &= ~KEY_META;
	return mods;
}

static void
legacy_cursor(struct input_out *o, const struct vt_input_modes *m,
    const struct input_key *k)
{
	unsigned mods = legacy_mods(k->mods);

	if (mods == 0 && m->app_cursor) {
		put_str(o, "\033O");
		put_char(o, k->row->final);
	} else
		put_csi(o, 1, mods, k->row->final);
}

static void
legacy_home(struct input_out *o, const struct vt_input_modes *m,
    const struct input_key *k)
{
	if (m->home_tilde && legacy_mods(k->mods) == 0)
		put_csi(o, k->row->num, 0, '~');
	else
		legacy_cursor(o, m, k);
}

static void
legacy_pf(struct input_out *o, const struct vt_input_modes *m UNUSED,
    const struct input_key *k)
{
	unsigned mods = legacy_mods(k->mods);

	if (mods == 0) {
		put_str(o, "\033O");
		put_char(o, k->row->final);
	} else
		put_csi(o, 1, mods, k->row->final);
}

static void
legacy_tilde(struct input_out *o, const struct vt_input_modes *m UNUSED,
    const struct input_key *k)
{
	put_csi(o, k->row->num, legacy_mods(k->mods), k->row->final);
}

static void
legacy_backspace(struct input_out *o, const struct vt_input_modes *m,
    const struct input_key *k)
{
	bool bs = m->backspace_bs != ((k->mods & KEY_CTRL) != 0);
	key_code mods = other_mods(m, k);

	if (m->modify_other == 2 && mods != 0 && mods != KEY_CTRL)
		vt_input_other(o, m, k->mods, bs ? 0x08 : 0x7f);
	else
		put_byte(o, m, k, bs ? 0x08 : 0x7f);
}

static void
legacy_tab(struct input_out *o, const struct vt_input_modes *m,
    const struct input_key *k)
{
	key_code mods = other_mods(m, k);

	if (m->modify_other == 2 && mods != 0 && mods != KEY_SHIFT)
		vt_input_other(o, m, k->mods, '\t');
	else if (mods & KEY_SHIFT) {
		put_meta(o, m, k);
		put_str(o, "\033[Z");
	} else if (m->modify_other == 1 && mods != 0)
		vt_input_other(o, m, k->mods, '\t');
	else
		put_byte(o, m, k, '\t');
}

static void
put_return(struct input_out *o, const struct vt_input_modes *m,
    const struct input_key *k)
{
	put_byte(o, m, k, '\r');
	if (m->newline)
		put_char(o, '\n');
}

static void
legacy_enter(struct input_out *o, const struct vt_input_modes *m,
    const struct input_key *k)
{
	if (m->modify_other != 0 && other_mods(m, k) != 0)
		vt_input_other(o, m, k->mods, '\r');
	else
		put_return(o, m, k);
}

static void
legacy_escape(struct input_out *o, const struct vt_input_modes *m,
    const struct input_key *k)
{
	if (m->modify_other == 2 && other_mods(m, k) != 0)
		vt_input_other(o, m, k->mods, '\033');
	else
		put_byte(o, m, k, '\033');
}

/* Writes a keypad key, whose application mode NumLock can override. */
static void
legacy_keypad(struct input_out *o, const struct vt_input_modes *m,
    const struct input_key *k)
{
	bool locked = k->row->num != 0 && m->numlock && (k->mods & KEY_NUM);

	if (!m->app_keypad || locked) {
		put_byte(o, m, k, k->row->text);
		return;
	}
	put_meta(o, m, k);
	put_str(o, "\033O");
	put_char(o, k->row->final);
}

static void
legacy_kp_enter(struct input_out *o, const struct vt_input_modes *m,
    const struct input_key *k)
{
	if (!m->app_keypad) {
		put_return(o, m, k);
		return;
	}
	put_meta(o, m, k);
	put_str(o, "\033O");
	put_char(o, k->row->final);
}

static void
legacy_nothing(struct input_out *o UNUSED,
    const struct vt_input_modes *m UNUSED, const struct input_key *k UNUSED)
{
}

/* Writes nothing for a modifier key: only kitty's protocol reports those. */
static void
legacy_modifier(struct input_out *o UNUSED,
    const struct vt_input_modes *m UNUSED, const struct input_key *k UNUSED)
{
}

/* clang-format off */
static const struct input_row input_rows[] = {
#define X(key, fn, num, final, text, kitty, kfinal) \
	{ KEY_##key, legacy_##fn, num, final, text, kitty, kfinal },
#include "mux/vt/input_key.def"
#undef X
};
/* clang-format on */

/*
 * BTAB is Shift-TAB; FOCUS_IN and the keys after it are no keys of a keyboard.
 */
_Static_assert(ARRAY_LEN(input_rows) == KEY_FOCUS_IN - KEY_SPECIAL - 1,
    "each named key has a row in input_key.def");

const struct input_row *
vt_input_row(uint32_t key)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(input_rows); i++)
		if (input_rows[i].key == key)
			return &input_rows[i];
	return NULL;
}

bool
vt_input_is_modifier(const struct input_row *row)
{
	return row != NULL && row->legacy == legacy_modifier;
}

/*
 * Returns the control byte of Ctrl with the character C, or -1.  As Xlib, plus
 * '?'.
 */
static int
ctrl_byte(uint32_t c)
{
	if (c == ' ' || (c >= '@' && c <= '~'))
		return (int)(c & 0x1f);
	if (c >= '3' && c <= '7')
		return (int)(c - '3' + 0x1b);
	if (c == '2')
		return 0;
	if (c == '/')
		return 0x1f;
	if (c == '8' || c == '?')
		return 0x7f;
	return -1;
}

/* True if modifyOtherKeys reports the text key K, whose character is C. */
static bool
text_is_other(
    const struct vt_input_modes *m, const struct input_key *k, uint32_t c)
{
	key_code mods = other_mods(m, k);

	if (k->implied && (mods & ~KEY_SHIFT) == 0)
		return false;
	if (m->modify_other == 0 || mods == 0)
		return false;
	if (mods == KEY_SHIFT)
		return m->modify_other == 2 &&
		       (c == ' ' || (c >= '@' && c < 0x7f));
	if (m->modify_other == 2)
		return true;
	return !(mods & KEY_CTRL) || ctrl_byte(c) < 0 || c == '?';
}

/* Writes a key that is a code point, in the legacy encoding. */
static void
legacy_text(struct input_out *o, const struct vt_input_modes *m,
    const struct input_key *k)
{
	uint32_t c = k->base;
	int ctrl;

	if ((k->mods & KEY_SHIFT) && k->shifted != 0)
		c = k->shifted;
	if (text_is_other(m, k, c)) {
		vt_input_other(o, m, k->mods, c);
		return;
	}
	if ((k->mods & KEY_CTRL) && (ctrl = ctrl_byte(c)) >= 0) {
		put_byte(o, m, k, ctrl);
		return;
	}
	if (k->ntext > 1 || c >= 0x80) {
		put_meta(o, m, k);
		if (k->ntext > 0)
			put(o, k->text, k->ntext);
		else
			put_cp(o, c);
		return;
	}
	put_byte(o, m, k, k->ntext == 1 ? k->text[0] : (int)c);
}

void
vt_input_legacy(struct input_out *o, const struct vt_input_modes *m,
    const struct input_key *k)
{
	if (k->type == KEY_RELEASE)
		return;
	if (k->base == 0)
		put(o, k->text, k->ntext);
	else if (k->row != NULL)
		k->row->legacy(o, m, k);
	else
		legacy_text(o, m, k);
}
