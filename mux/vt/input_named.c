/*
 * Keys that send-keys names, as tmux sends them.  A keyboard never makes most
 * of them (C-!, S-a, C-KP5), so what xterm does is no guide.
 */
#include "mux/vt/input_int.h"

/*
 * Returns the byte of Ctrl with the character C in the legacy encoding, or -1.
 */
static int
named_ctrl(uint32_t c)
{
	static const char from[] = "1!9(0)=+;:'\",<.>/-8?";
	static const char to[] = "119900=+;;'',,..\037\037\177\177";
	const char *at;

	if (c == ' ' || c == '2' || (c >= '@' && c <= '~'))
		return c == '2' ? 0 : (int)(c & 0x1f);
	if (c >= '3' && c <= '7')
		return (int)(c - '3' + 0x1b);
	if (c == '\t' || c == '\r')
		return (int)c;
	at = c == 0 || c >= 0x80 ? NULL : strchr(from, (int)c);
	return at == NULL ? -1 : to[at - from];
}

/* True if the character C with MODS has no legacy form in the level of M. */
static bool
named_is_other(const struct vt_input_modes *m, uint32_t c, key_code mods)
{
	if (mods == 0 || m->modify_other == 0)
		return false;
	if (m->modify_other >= 2)
		return true;
	if (mods & KEY_CTRL)
		return c != ' ' && c != '/' && (c < '2' || c > '8') &&
		       (c < '@' || c > '~');
	return (mods & KEY_META) == 0;
}

/* Writes the character C with MODS; false if Ctrl with it has no bytes. */
static bool
put_named(struct input_out *o, const struct vt_input_modes *m, uint32_t c,
    key_code mods)
{
	int ctrl;

	if (named_is_other(m, c, mods)) {
		vt_input_other(o, m, mods, c);
		return true;
	}
	if (mods & KEY_META)
		put_char(o, '\033');
	if ((mods & KEY_CTRL) && c < 0x80) {
		if ((ctrl = named_ctrl(c)) < 0)
			return false;
		put_char(o, ctrl);
	} else
		put_cp(o, c);
	if (c == '\r' && m->newline)
		put_char(o, '\n');
	return true;
}

/* Returns the character of a key, or KEY_NONE. */
static uint32_t
named_character(const struct vt_input_modes *m, uint32_t base)
{
	switch (base) {
	case KEY_TAB:
		return '\t';
	case KEY_ENTER:
		return '\r';
	case KEY_ESCAPE:
		return '\033';
	case KEY_BSPACE:
		return m->backspace_bs ? '\b' : '\177';
	default:
		return base < KEY_SPECIAL ? base : (uint32_t)KEY_NONE;
	}
}

/* As a keyboard's key: what tmux and xterm send alike. */
static int
named_as_typed(struct buf *out, const struct vt_input_modes *m, key_code key)
{
	struct key_event ev = { .key = key };

	if (key < KEY_SPECIAL)
		ev.text[utf8_encode((uint32_t)key, (uint8_t *)ev.text)] = '\0';
	return vt_input_key(out, m, &ev);
}

/* A key without a character. */
static int
named_special(struct buf *out, const struct vt_input_modes *m, key_code key)
{
	uint32_t base = (uint32_t)(key & KEY_MASK);
	const struct input_row *row = vt_input_row(base);
	struct input_out o = { .n = 0 };

	if (base == KEY_BTAB) {
		if (m->modify_other >= 2)
			vt_input_other(&o, m, key | KEY_SHIFT, '\t');
		else
			put_str(&o, "\033[Z");
		return buf_add(out, o.b, o.n);
	}
	if (base != KEY_KP_ENTER && (row == NULL || row->text == 0))
		return named_as_typed(out, m, key);
	if (key & (KEY_CTRL | KEY_SHIFT))
		return 0;
	if (base == KEY_KP_ENTER && !m->app_keypad)
		return buf_add_str(out, key & KEY_META ? "\033\n" : "\n");
	return named_as_typed(out, m, key);
}

int
vt_input_named(struct buf *out, const struct vt_input_modes *m, key_code key,
    const char *name)
{
	struct input_out o = { .n = 0 };
	uint32_t c;

	if (m->kitty != 0 || (key & (KEY_SUPER | KEY_HYPER | KEY_META2)) ||
	    ((key & KEY_META) && !m->meta_escape && !m->alt_escape))
		return named_as_typed(out, m, key);
	c = named_character(m, (uint32_t)(key & KEY_MASK));
	if (c == KEY_NONE)
		return named_special(out, m, key);
	if (!put_named(&o, m, c, key & KEY_MODS))
		put_str(&o, name);
	return buf_add(out, o.b, o.n);
}
