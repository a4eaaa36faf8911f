/*
 * Encoding of keys.  An event is first brought into one form (struct input_key:
 * the key without Shift, its character with Shift, its text, the modifiers),
 * however much the user's terminal could tell about it.  Then one of two
 * encoders writes it: input_legacy.c or input_kitty.c.
 */
#include "mux/vt/input_int.h"

/*
 * Ranges of letters whose lower case is a constant away; enough for keyboards.
 */
static const struct {
	uint32_t first;
	uint32_t last;
	uint32_t add;
} input_upper[] = {
	{ 'A', 'Z', 32 },
	{ 0xc0, 0xd6, 32 },
	{ 0xd8, 0xde, 32 },
	{ 0x391, 0x3a1, 32 },
	{ 0x3a3, 0x3a9, 32 },
	{ 0x400, 0x40f, 80 },
	{ 0x410, 0x42f, 32 },
	{ 0x531, 0x556, 48 },
};

/* Returns the lower-case letter of CP, or CP. */
static uint32_t
cp_lower(uint32_t cp)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(input_upper); i++)
		if (cp >= input_upper[i].first && cp <= input_upper[i].last)
			return cp + input_upper[i].add;
	return cp;
}

static uint32_t
cp_upper(uint32_t cp)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(input_upper); i++)
		if (cp >= input_upper[i].first + input_upper[i].add &&
		    cp <= input_upper[i].last + input_upper[i].add)
			return cp - input_upper[i].add;
	return cp;
}

/* Turns a control character that arrived as a code point into its key. */
static void
key_of_control(struct input_key *k)
{
	static const struct {
		uint32_t from;
		uint32_t key;
	} named[] = {
		{ '\t', KEY_TAB },
		{ '\r', KEY_ENTER },
		{ 0x1b, KEY_ESCAPE },
		{ 0x7f, KEY_BSPACE },
	};
	size_t i;

	for (i = 0; i < ARRAY_LEN(named); i++)
		if (k->base == named[i].from) {
			k->base = named[i].key;
			return;
		}
	k->mods |= KEY_CTRL;
	if (k->base == 0)
		k->base = ' ';
	else if (k->base <= 26)
		k->base += 'a' - 1;
	else
		k->base += '@';
}

/* Takes the event's text if it is valid and has no control character. */
static void
key_take_text(struct input_key *k, const struct key_event *ev)
{
	const uint8_t *p = (const uint8_t *)ev->text;
	size_t n = 0, i, used;
	uint32_t cp;

	while (n < sizeof(ev->text) && p[n] != 0)
		n++;
	for (i = 0; i < n; i += used) {
		used = utf8_decode_final(p + i, n - i, &cp);
		if (cp < 0x20 || (cp >= 0x7f && cp < 0xa0))
			return;
		k->ntext += utf8_encode(cp, k->text + k->ntext);
		if (k->ntext > sizeof(k->text) - UTF8_MAX)
			return;
	}
}

/* A key with one of these makes no text. */
#define KEY_NOTEXT (KEY_MODS & ~KEY_SHIFT)

/* Brings EV into the common form; false if no bytes are ever sent for it. */
static bool
key_read(struct input_key *k, const struct key_event *ev)
{
	uint32_t cp;

	memset(k, 0, sizeof(*k));
	k->base = (uint32_t)(ev->key & KEY_MASK);
	k->mods = ev->key & (KEY_MODS | KEY_LOCKS);
	k->shifted = ev->shifted < KEY_SPECIAL ? ev->shifted : 0;
	k->base_layout = ev->base_layout < KEY_SPECIAL ? ev->base_layout : 0;
	k->type = ev->type;
	key_take_text(k, ev);

	if ((k->base == 0 || k->base == KEY_NONE) && k->ntext > 0) {
		k->base = 0; /* text without a key */
		return true;
	}
	if (k->base < 0x20 || k->base == 0x7f)
		key_of_control(k);
	if (k->base == KEY_BTAB) {
		k->base = KEY_TAB;
		k->mods |= KEY_SHIFT;
	}
	if (k->base >= KEY_SPECIAL) {
		k->row = vt_input_row(k->base);
		if (k->row != NULL && k->row->text != 0 && k->ntext == 0 &&
		    (k->mods & KEY_NOTEXT) == 0) {
			k->text[0] = (uint8_t)k->row->text;
			k->ntext = 1;
		}
		return k->row != NULL;
	}
	if (k->base > 0x10ffff || (k->base >= 0xd800 && k->base < 0xe000))
		return false;
	if (cp_lower(k->base) != k->base) {
		k->implied = (k->mods & KEY_SHIFT) == 0;
		k->mods |= KEY_SHIFT;
		k->shifted = k->base;
		k->base = cp_lower(k->base);
	} else if ((k->mods & KEY_SHIFT) && k->shifted == 0 &&
		   cp_upper(k->base) != k->base)
		k->shifted = cp_upper(k->base);
	if (k->ntext == 0 && (k->mods & KEY_NOTEXT) == 0) {
		cp = k->base;
		if ((k->mods & KEY_SHIFT) && k->shifted != 0)
			cp = k->shifted;
		k->ntext = utf8_encode(cp, k->text);
	}
	return true;
}

int
vt_input_key(
    struct buf *out, const struct vt_input_modes *m, const struct key_event *ev)
{
	const uint8_t full =
	    VT_KITTY_DISAMBIGUATE | VT_KITTY_EVENTS | VT_KITTY_ALL_KEYS;
	uint32_t base = (uint32_t)(ev->key & KEY_MASK);
	struct input_out o;
	struct input_key k;

	if (base == KEY_FOCUS_IN || base == KEY_FOCUS_OUT)
		return vt_input_focus(out, m, base == KEY_FOCUS_IN);
	if (!key_read(&k, ev))
		return 0;
	o.n = 0;
	if (m->kitty & full)
		vt_input_kitty(&o, m, &k);
	else
		vt_input_legacy(&o, m, &k);
	return buf_add(out, o.b, o.n);
}
