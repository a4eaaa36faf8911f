#include "base/mem.h"
#include "base/utf8.h"
#include "client/term/in_int.h"

key_code
in_keys_mods(uint32_t param)
{
	static const key_code bits[] = { KEY_SHIFT, KEY_META, KEY_CTRL,
		KEY_SUPER, KEY_HYPER, KEY_META2, KEY_CAPS, KEY_NUM };
	key_code mods = 0;
	size_t i;

	if (param < 2 || param > 256)
		return 0;
	for (i = 0; i < ARRAY_LEN(bits); i++)
		if ((param - 1) >> i & 1)
			mods |= bits[i];
	return mods;
}

/* --- keys in control sequences -------------------------------------------- */

struct term_key_row {
	uint32_t code;
	key_code key;
};

/* Final bytes of CSI and SS3. */
static const struct term_key_row final_keys[] = {
	{ 'A', KEY_UP },
	{ 'B', KEY_DOWN },
	{ 'C', KEY_RIGHT },
	{ 'D', KEY_LEFT },
	{ 'E', KEY_KP_BEGIN },
	{ 'F', KEY_END },
	{ 'H', KEY_HOME },
	{ 'P', KEY_F1 },
	{ 'Q', KEY_F2 },
	{ 'R', KEY_F3 },
	{ 'S', KEY_F4 },
	{ 'Z', KEY_BTAB },
	/* rxvt */
	{ 'a', KEY_UP | KEY_SHIFT },
	{ 'b', KEY_DOWN | KEY_SHIFT },
	{ 'c', KEY_RIGHT | KEY_SHIFT },
	{ 'd', KEY_LEFT | KEY_SHIFT },
};

/* SS3 only: the keypad in application mode; rxvt's control arrows. */
static const struct term_key_row ss3_keys[] = {
	{ 'I', KEY_TAB },
	{ 'M', KEY_KP_ENTER },
	{ 'X', KEY_KP_EQUAL },
	{ 'j', KEY_KP_STAR },
	{ 'k', KEY_KP_PLUS },
	{ 'l', KEY_KP_COMMA },
	{ 'm', KEY_KP_MINUS },
	{ 'n', KEY_KP_PERIOD },
	{ 'o', KEY_KP_SLASH },
	{ 'p', KEY_KP_0 },
	{ 'q', KEY_KP_1 },
	{ 'r', KEY_KP_2 },
	{ 's', KEY_KP_3 },
	{ 't', KEY_KP_4 },
	{ 'u', KEY_KP_5 },
	{ 'v', KEY_KP_6 },
	{ 'w', KEY_KP_7 },
	{ 'x', KEY_KP_8 },
	{ 'y', KEY_KP_9 },
	{ 'a', KEY_UP | KEY_CTRL },
	{ 'b', KEY_DOWN | KEY_CTRL },
	{ 'c', KEY_RIGHT | KEY_CTRL },
	{ 'd', KEY_LEFT | KEY_CTRL },
};

/* CSI number ~ (also ^ $ @ of rxvt). */
static const struct term_key_row tilde_keys[] = {
	{ 1, KEY_HOME },
	{ 2, KEY_IC },
	{ 3, KEY_DC },
	{ 4, KEY_END },
	{ 5, KEY_PPAGE },
	{ 6, KEY_NPAGE },
	{ 7, KEY_HOME },
	{ 8, KEY_END },
	{ 11, KEY_F1 },
	{ 12, KEY_F2 },
	{ 13, KEY_F3 },
	{ 14, KEY_F4 },
	{ 15, KEY_F5 },
	{ 17, KEY_F6 },
	{ 18, KEY_F7 },
	{ 19, KEY_F8 },
	{ 20, KEY_F9 },
	{ 21, KEY_F10 },
	{ 23, KEY_F11 },
	{ 24, KEY_F12 },
	{ 25, KEY_F13 },
	{ 26, KEY_F14 },
	{ 28, KEY_F15 },
	{ 29, KEY_F16 },
	{ 31, KEY_F17 },
	{ 32, KEY_F18 },
	{ 33, KEY_F19 },
	{ 34, KEY_F20 },
	{ 57427, KEY_KP_BEGIN },
};

/* kitty's functional keys in the private use area. */
static const struct term_key_row kitty_keys[] = {
	{ 9, KEY_TAB },
	{ 13, KEY_ENTER },
	{ 27, KEY_ESCAPE },
	{ 127, KEY_BSPACE },
	{ 57344, KEY_ESCAPE },
	{ 57345, KEY_ENTER },
	{ 57346, KEY_TAB },
	{ 57347, KEY_BSPACE },
	{ 57348, KEY_IC },
	{ 57349, KEY_DC },
	{ 57350, KEY_LEFT },
	{ 57351, KEY_RIGHT },
	{ 57352, KEY_UP },
	{ 57353, KEY_DOWN },
	{ 57354, KEY_PPAGE },
	{ 57355, KEY_NPAGE },
	{ 57356, KEY_HOME },
	{ 57357, KEY_END },
	{ 57358, KEY_CAPS_LOCK },
	{ 57359, KEY_SCROLL_LOCK },
	{ 57360, KEY_NUM_LOCK },
	{ 57361, KEY_PRINT_SCREEN },
	{ 57362, KEY_PAUSE },
	{ 57363, KEY_MENU },
	{ 57409, KEY_KP_PERIOD },
	{ 57410, KEY_KP_SLASH },
	{ 57411, KEY_KP_STAR },
	{ 57412, KEY_KP_MINUS },
	{ 57413, KEY_KP_PLUS },
	{ 57414, KEY_KP_ENTER },
	{ 57415, KEY_KP_EQUAL },
	{ 57416, KEY_KP_COMMA },
	{ 57417, KEY_LEFT },
	{ 57418, KEY_RIGHT },
	{ 57419, KEY_UP },
	{ 57420, KEY_DOWN },
	{ 57421, KEY_PPAGE },
	{ 57422, KEY_NPAGE },
	{ 57423, KEY_HOME },
	{ 57424, KEY_END },
	{ 57425, KEY_IC },
	{ 57426, KEY_DC },
	{ 57427, KEY_KP_BEGIN },
	{ 57428, KEY_MEDIA_PLAY },
	{ 57429, KEY_MEDIA_PAUSE },
	{ 57430, KEY_MEDIA_PLAY_PAUSE },
	{ 57431, KEY_MEDIA_REVERSE },
	{ 57432, KEY_MEDIA_STOP },
	{ 57433, KEY_MEDIA_FAST_FORWARD },
	{ 57434, KEY_MEDIA_REWIND },
	{ 57435, KEY_MEDIA_NEXT },
	{ 57436, KEY_MEDIA_PREVIOUS },
	{ 57437, KEY_MEDIA_RECORD },
	{ 57438, KEY_VOLUME_DOWN },
	{ 57439, KEY_VOLUME_UP },
	{ 57440, KEY_VOLUME_MUTE },
	{ 57441, KEY_LEFT_SHIFT },
	{ 57442, KEY_LEFT_CONTROL },
	{ 57443, KEY_LEFT_ALT },
	{ 57444, KEY_LEFT_SUPER },
	{ 57445, KEY_LEFT_HYPER },
	{ 57446, KEY_LEFT_META },
	{ 57447, KEY_RIGHT_SHIFT },
	{ 57448, KEY_RIGHT_CONTROL },
	{ 57449, KEY_RIGHT_ALT },
	{ 57450, KEY_RIGHT_SUPER },
	{ 57451, KEY_RIGHT_HYPER },
	{ 57452, KEY_RIGHT_META },
	{ 57453, KEY_ISO_LEVEL3_SHIFT },
	{ 57454, KEY_ISO_LEVEL5_SHIFT },
};

static key_code
key_find(const struct term_key_row *rows, size_t n, uint32_t code)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (rows[i].code == code)
			return rows[i].key;
	return KEY_NONE;
}

key_code
in_keys_ss3(uint8_t final)
{
	key_code key = key_find(ss3_keys, ARRAY_LEN(ss3_keys), final);

	if (key == KEY_NONE)
		key = key_find(final_keys, ARRAY_LEN(final_keys), final);
	return key;
}

static key_code
kitty_key(uint32_t code)
{
	key_code key;

	if (code >= 57399 && code <= 57408)
		return KEY_KP_0 + (code - 57399);
	if (code >= 57364 && code <= 57398)
		return KEY_F1 + (code - 57364);
	key = key_find(kitty_keys, ARRAY_LEN(kitty_keys), code);
	if (key != KEY_NONE)
		return key;
	/* A code that is no character is no key. */
	if (code == 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
		return KEY_NONE;
	return code;
}

/* Emits KEY with the event type and alternates of kitty's fields. */
static void
in_keys_emit(struct term_in *in, const struct term_csi *c, key_code key)
{
	struct term_event ev = { .kind = TERM_KEY };
	size_t len = 0, i;
	uint32_t v;

	ev.key.key = key | (c->n > 1 ? in_keys_mods(c->p[1]) : 0);
	if (c->n > 1 && c->sub[1][0] >= 1 && c->sub[1][0] <= 3)
		ev.key.type = (enum key_event_type)(c->sub[1][0] - 1);
	if (c->final == 'u') {
		ev.key.shifted = c->sub[0][0];
		ev.key.base_layout = c->sub[0][1];
		for (i = 0; i < 4 && c->n > 2; i++) {
			v = i == 0 ? c->p[2] : c->sub[2][i - 1];
			if (v < 0x20 || v == 0x7f || v > 0x10ffff)
				break;
			len += utf8_encode(v, (uint8_t *)ev.key.text + len);
		}
	}
	in->fn(in->arg, &ev);
}

bool
in_keys_letter(struct term_in *in, const struct term_csi *c)
{
	key_code key;

	key = key_find(final_keys, ARRAY_LEN(final_keys), c->final);
	if (key == KEY_NONE)
		return false;
	in_keys_emit(in, c, key);
	return true;
}

bool
in_keys_tilde(struct term_in *in, const struct term_csi *c)
{
	key_code key;

	if (c->n == 0)
		return false;
	if (c->p[0] == 200) {
		in->pasting = true;
		in->paste_begun = false;
		return true;
	}
	if (c->p[0] == 201)
		return true;
	if (c->p[0] == 27 && c->n >= 3) {
		/* modifyOtherKeys: CSI 27 ; mods ; code ~ */
		struct term_csi k = *c;

		if ((key = kitty_key(c->p[2])) == KEY_NONE)
			return false;
		k.final = 0;
		in_keys_emit(in, &k, key);
		return true;
	}
	key = key_find(tilde_keys, ARRAY_LEN(tilde_keys), c->p[0]);
	if (key == KEY_NONE)
		return false;
	in_keys_emit(in, c, key);
	return true;
}

/* rxvt: CSI n $ shift, ^ control, @ both. */
bool
in_keys_rxvt(struct term_in *in, const struct term_csi *c)
{
	key_code key;

	if (c->n == 0)
		return false;
	key = key_find(tilde_keys, ARRAY_LEN(tilde_keys), c->p[0]);
	if (key == KEY_NONE)
		return false;
	if (c->final != '^')
		key |= KEY_SHIFT;
	if (c->final != '$')
		key |= KEY_CTRL;
	term_in_emit_key(in, key);
	return true;
}

bool
in_keys_u(struct term_in *in, const struct term_csi *c)
{
	key_code key, mods;

	if (c->n == 0 || (key = kitty_key(c->p[0])) == KEY_NONE)
		return false;
	mods = c->n > 1 ? in_keys_mods(c->p[1]) : 0;
	/* A press of a plain character is text. */
	if (key < KEY_SPECIAL && key >= 0x20 && (mods & KEY_MODS) == 0 &&
	    c->sub[1][0] <= 1 && c->n < 3)
		term_in_emit_text(in, (uint32_t)key);
	else
		in_keys_emit(in, c, key);
	return true;
}
