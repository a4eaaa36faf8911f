/*
 * Encoding of keys.  An event is first brought into one form (struct input_key:
 * the key without Shift, its character with Shift, its text, the modifiers),
 * however much the user's terminal could tell about it.  Then one of two
 * encoders writes it: the legacy one, in which each special key is a row of
 * input_key.def with a function, or kitty's, which needs only numbers.
 */
#include "mux/vt/input_encode.h"

#include <string.h>

#include "base/err.h"
#include "base/utf8.h"

#define INPUT_MAX 512 /* longest event in bytes, with a margin */

/* The bytes of one event, collected so that they can be added as a whole. */
struct input_out {
	size_t n;
	char b[INPUT_MAX];
};

struct input_row;

struct input_key {
	uint32_t base;        /* unshifted code point or enum key_special */
	uint32_t shifted;     /* with Shift, 0 unknown */
	uint32_t base_layout; /* 0 unknown */
	key_code mods;        /* KEY_MODS and KEY_LOCKS */
	bool implied;         /* an upper-case letter alone implies Shift */
	enum key_event_type type;
	const struct input_row *row; /* NULL: the key is a code point */
	size_t ntext;
	uint8_t text[sizeof(((struct key_event *)0)->text) + UTF8_MAX];
};

typedef void (*input_legacy_fn)(struct input_out *o,
    const struct vt_input_modes *m, const struct input_key *k);

struct input_row {
	uint32_t key;
	input_legacy_fn legacy;
	uint16_t num;
	char final;
	char text; /* of a keypad key, 0 none */
	uint16_t kitty;
	char kitty_final;
};

/* Kitty's modifier bits; the lower ones are the legacy bits, too. */
static const struct {
	key_code mod;
	unsigned kitty;
	unsigned legacy;
} input_mods[] = {
	{ KEY_SHIFT, 1, 1 },
	{ KEY_META, 2, 2 },
	{ KEY_CTRL, 4, 4 },
	{ KEY_SUPER, 8, 0 },
	{ KEY_HYPER, 16, 0 },
	{ KEY_META2, 32, 8 },
	{ KEY_CAPS, 64, 0 },
	{ KEY_NUM, 128, 0 },
};

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

static void
put(struct input_out *o, const void *p, size_t n)
{
	if (n > sizeof(o->b) - o->n)
		n = sizeof(o->b) - o->n;
	memcpy(o->b + o->n, p, n);
	o->n += n;
}

static void
put_char(struct input_out *o, int c)
{
	char b = (char)c;

	put(o, &b, 1);
}

static void
put_str(struct input_out *o, const char *s)
{
	put(o, s, strlen(s));
}

static void
put_num(struct input_out *o, uint32_t v)
{
	char b[10];
	size_t i = sizeof(b);

	do
		b[--i] = (char)('0' + v % 10);
	while ((v /= 10) != 0 && i > 0);
	put(o, b + i, sizeof(b) - i);
}

static void
put_cp(struct input_out *o, uint32_t cp)
{
	uint8_t b[UTF8_MAX];

	put(o, b, utf8_encode(cp, b));
}

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

/* Writes modifyOtherKeys' report of a key that has no sequence of its own. */
static void
put_other(struct input_out *o, const struct vt_input_modes *m,
    const struct input_key *k, uint32_t code)
{
	unsigned mods = 1 + legacy_mods(k->mods);

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
		put_other(o, m, k, bs ? 0x08 : 0x7f);
	else
		put_byte(o, m, k, bs ? 0x08 : 0x7f);
}

static void
legacy_tab(struct input_out *o, const struct vt_input_modes *m,
    const struct input_key *k)
{
	key_code mods = other_mods(m, k);

	if (m->modify_other == 2 && mods != 0 && mods != KEY_SHIFT)
		put_other(o, m, k, '\t');
	else if (mods & KEY_SHIFT) {
		put_meta(o, m, k);
		put_str(o, "\033[Z");
	} else if (m->modify_other == 1 && mods != 0)
		put_other(o, m, k, '\t');
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
		put_other(o, m, k, '\r');
	else
		put_return(o, m, k);
}

static void
legacy_escape(struct input_out *o, const struct vt_input_modes *m,
    const struct input_key *k)
{
	if (m->modify_other == 2 && other_mods(m, k) != 0)
		put_other(o, m, k, '\033');
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

static const struct input_row *
row_find(uint32_t key)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(input_rows); i++)
		if (input_rows[i].key == key)
			return &input_rows[i];
	return NULL;
}

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
		k->row = row_find(k->base);
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
		put_other(o, m, k, c);
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

static void
encode_legacy(struct input_out *o, const struct vt_input_modes *m,
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
	if (k->row != NULL && k->row->legacy == legacy_modifier)
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

static void
encode_kitty(struct input_out *o, const struct vt_input_modes *m,
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
	encode_legacy(o, &plain, k);
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
		encode_kitty(&o, m, &k);
	else
		encode_legacy(&o, m, &k);
	return buf_add(out, o.b, o.n);
}
