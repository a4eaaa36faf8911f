/*
 * Kitty's encoding of keys, which needs only numbers.
 */
#include "mux/vt/input_int.h"

static const struct {
	key_code mod;
	unsigned kitty;
} input_mods[] = {
	{ KEY_SHIFT, 1 },
	{ KEY_META, 2 },
	{ KEY_CTRL, 4 },
	{ KEY_SUPER, 8 },
	{ KEY_HYPER, 16 },
	{ KEY_META2, 32 },
	{ KEY_CAPS, 64 },
	{ KEY_NUM, 128 },
};

static unsigned
kitty_mods(key_code mods)
{
	unsigned v = 0;
	size_t i;

	for (i = 0; i < ARRAY_LEN(input_mods); i++)
		if (mods & input_mods[i].mod)
			v |= input_mods[i].kitty;
	return v;
}

/* Writes the key code field: the number and, if asked for, the alternates. */
static void
kitty_number(struct input_out *o, const struct vt_input_modes *m,
    const struct input_key *k)
{
	bool shifted, layout;

	put_num(o, k->row != NULL ? k->row->kitty : k->base);
	if (k->row != NULL || (m->kitty & VT_KITTY_ALTERNATES) == 0)
		return;
	shifted =
	    (k->mods & KEY_SHIFT) && k->shifted != 0 && k->shifted != k->base;
	layout = k->base_layout != 0 && k->base_layout != k->base;
	if (shifted || layout)
		put_char(o, ':');
	if (shifted)
		put_num(o, k->shifted);
	if (layout) {
		put_char(o, ':');
		put_num(o, k->base_layout);
	}
}

/* CSI number : alternates ; modifiers : type ; text final */
static void
kitty_csi(struct input_out *o, const struct vt_input_modes *m,
    const struct input_key *k)
{
	key_code held = k->mods;
	unsigned mods;
	bool event, text;
	size_t i, used;
	uint32_t cp;
	int final = k->row != NULL ? k->row->kitty_final : 'u';

	/*
	 * Do not report lock states with text keys: simple programs expect
	 * text.
	 */
	if (k->row == NULL && (m->kitty & VT_KITTY_ALL_KEYS) == 0)
		held &= ~KEY_LOCKS;
	mods = kitty_mods(held);
	event = (m->kitty & VT_KITTY_EVENTS) && k->type != KEY_PRESS;
	text = (m->kitty & VT_KITTY_TEXT) && (m->kitty & VT_KITTY_ALL_KEYS) &&
	       k->ntext > 0 && k->type != KEY_RELEASE;

	put_str(o, "\033[");
	if (k->row == NULL || k->row->kitty != 1 || mods != 0 || event)
		kitty_number(o, m, k);
	if (mods != 0 || event || text)
		put_char(o, ';');
	if (mods != 0 || event)
		put_num(o, 1 + mods);
	if (event) {
		put_char(o, ':');
		put_num(o, k->type == KEY_REPEAT ? 2 : 3);
	}
	for (i = 0; text && i < k->ntext; i += used) {
		used = utf8_decode_final(k->text + i, k->ntext - i, &cp);
		put_char(o, i == 0 ? ';' : ':');
		put_num(o, cp);
	}
	put_char(o, final);
}

/* True if K keeps its legacy bytes, so that a shell stays usable. */
static bool
kitty_is_plain(const struct vt_input_modes *m, const struct input_key *k)
{
	key_code mods = k->mods & KEY_MODS;
	bool named =
	    k->base == KEY_ENTER || k->base == KEY_TAB || k->base == KEY_BSPACE;

	if (m->kitty & VT_KITTY_ALL_KEYS)
		return false;
	if (named && (mods == 0 || k->type == KEY_RELEASE))
		return true;
	if (k->row != NULL && vt_input_is_modifier(k->row))
		return true;
	if (k->row == NULL || k->row->text != 0)
		if ((mods & ~KEY_SHIFT) == 0)
			return true;
	/* Event reports alone do not change ESC, or Ctrl and Alt with text. */
	if ((m->kitty & VT_KITTY_DISAMBIGUATE) || k->type != KEY_PRESS)
		return false;
	if (named || k->base == KEY_ESCAPE)
		return true;
	return k->row == NULL &&
	       (mods & ~(KEY_SHIFT | KEY_META | KEY_CTRL)) == 0;
}

void
vt_input_kitty(struct input_out *o, const struct vt_input_modes *m,
    const struct input_key *k)
{
	struct vt_input_modes plain;

	if (k->type == KEY_RELEASE && (m->kitty & VT_KITTY_EVENTS) == 0)
		return;
	if (k->base == 0) {
		if (k->type == KEY_RELEASE)
			return;
		if ((m->kitty & VT_KITTY_ALL_KEYS) &&
		    (m->kitty & VT_KITTY_TEXT))
			kitty_csi(o, m, k);
		else
			put(o, k->text, k->ntext);
		return;
	}
	if (!kitty_is_plain(m, k)) {
		kitty_csi(o, m, k);
		return;
	}
	plain = *m;
	plain.modify_other = 0;
	plain.app_keypad = false;
	vt_input_legacy(o, &plain, k);
}
