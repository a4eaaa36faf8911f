#include "client/term/in.h"

#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/utf8.h"

/*
 * Bytes are gathered in a buffer and taken from its front one sequence at a
 * time.  A sequence that is not complete stays; when its time is up it is
 * read as what it is without more (ESC is the Escape key, ESC [ is M-[).
 */

/* A string (OSC, DCS, ...) that never ends is given up after this long. */
#define TERM_IN_STRING_MS 2000

struct term_in {
	term_in_fn fn;
	void *arg;
	struct buf buf;
	mono_ms escape_time;
	mono_ms deadline;
	bool pixels;
	bool expect_cursor;
	bool pasting;
	bool paste_begun;
	uint64_t dropped;
};

/* A control sequence taken apart. */
struct term_csi {
	uint8_t private; /* '<' '=' '>' '?' or 0 */
	uint8_t inter;   /* last intermediate, or 0 */
	uint8_t final;
	unsigned n;
	uint32_t p[TERM_IN_PARAMS];
	uint32_t sub[TERM_IN_PARAMS][3]; /* after ':' */
	bool given[TERM_IN_PARAMS];
};

struct term_in *
term_in_new(term_in_fn fn, void *arg)
{
	struct term_in *in;

	in = mem_zalloc(sizeof(*in));
	in->fn = fn;
	in->arg = arg;
	in->escape_time = 10;
	in->deadline = MONO_NEVER;
	buf_init(&in->buf, TERM_IN_MAX);
	return in;
}

void
term_in_free(struct term_in *in)
{
	if (in == NULL)
		return;
	if (in->buf.len > 0)
		mem_wipe(in->buf.data, in->buf.len);
	buf_fini(&in->buf);
	mem_free(in);
}

void
term_in_set_escape_time(struct term_in *in, mono_ms ms)
{
	in->escape_time = ms;
}

void
term_in_set_pixels(struct term_in *in, bool pixels)
{
	in->pixels = pixels;
}

void
term_in_expect_cursor(struct term_in *in)
{
	in->expect_cursor = true;
}

mono_ms
term_in_deadline(const struct term_in *in)
{
	return in->deadline;
}

uint64_t
term_in_dropped(const struct term_in *in)
{
	return in->dropped;
}

/* --- events --------------------------------------------------------------- */

static void
emit_key(struct term_in *in, key_code key)
{
	struct term_event ev = { .kind = TERM_KEY };

	ev.key.key = key;
	in->fn(in->arg, &ev);
}

static void
emit_text(struct term_in *in, uint32_t cp)
{
	struct term_event ev = { .kind = TERM_TEXT, .cp = cp };

	in->fn(in->arg, &ev);
}

static void
emit_reply(struct term_in *in, enum term_reply reply, const struct term_csi *c,
    const uint8_t *data, size_t len)
{
	struct term_event ev = {
		.kind = TERM_REPLY,
		.reply = reply,
		.data = data,
		.len = len,
	};

	if (c != NULL) {
		ev.nparams = c->n;
		memcpy(ev.params, c->p, sizeof(ev.params));
	}
	in->fn(in->arg, &ev);
}

/* Modifiers as xterm and kitty code them: 1 + bits. */
static key_code
mods_of(uint32_t param)
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

/* --- single bytes --------------------------------------------------------- */

/* The key behind a C0 byte, DEL, or any other code point. */
static key_code
key_of_cp(uint32_t cp)
{
	switch (cp) {
	case 0x00:
		return ' ' | KEY_CTRL;
	case 0x09:
		return KEY_TAB;
	case 0x0d:
		return KEY_ENTER;
	case 0x1b:
		return KEY_ESCAPE;
	case 0x7f:
		return KEY_BSPACE;
	default:
		break;
	}
	if (cp < 0x1b)
		return (cp + 'a' - 1) | KEY_CTRL;
	if (cp < 0x20)
		return (cp + '@') | KEY_CTRL;
	return cp;
}

/* A byte or a UTF-8 sequence; META if an ESC stood before it. */
static size_t
take_char(
    struct term_in *in, const uint8_t *p, size_t n, bool final, key_code meta)
{
	uint32_t cp;
	size_t used;

	if (*p < 0x80) {
		cp = *p;
		used = 1;
	} else {
		used = final ? utf8_decode_final(p, n, &cp)
			     : utf8_decode(p, n, &cp);
		if (used == UTF8_INCOMPLETE)
			return 0;
	}
	if (cp >= 0x20 && cp != 0x7f && meta == 0)
		emit_text(in, cp);
	else
		emit_key(in, key_of_cp(cp) | meta);
	return used;
}

/* --- keys in control sequences -------------------------------------------- */

struct term_key_row {
	uint32_t code;
	key_code key;
};

/* CSI final and SS3 final. */
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
	return code > 0 && code <= 0x10ffff ? code : KEY_NONE;
}

/* Emits KEY with the event type and alternates of kitty's fields. */
static void
emit_csi_key(struct term_in *in, const struct term_csi *c, key_code key)
{
	struct term_event ev = { .kind = TERM_KEY };
	size_t len = 0, i;
	uint32_t v;

	ev.key.key = key | (c->n > 1 ? mods_of(c->p[1]) : 0);
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

static bool
csi_letter(struct term_in *in, const struct term_csi *c)
{
	key_code key;

	key = key_find(final_keys, ARRAY_LEN(final_keys), c->final);
	if (key == KEY_NONE)
		return false;
	emit_csi_key(in, c, key);
	return true;
}

static bool
csi_cursor(struct term_in *in, const struct term_csi *c)
{
	/* CSI 1 ; mods R is also F3; an answer comes only when asked for. */
	if (!in->expect_cursor)
		return c->n == 0 || c->p[0] <= 1 ? csi_letter(in, c) : false;
	in->expect_cursor = false;
	emit_reply(in, TERM_REPLY_CURSOR, c, NULL, 0);
	return true;
}

static bool
csi_tilde(struct term_in *in, const struct term_csi *c)
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
		emit_csi_key(in, &k, key);
		return true;
	}
	key = key_find(tilde_keys, ARRAY_LEN(tilde_keys), c->p[0]);
	if (key == KEY_NONE)
		return false;
	emit_csi_key(in, c, key);
	return true;
}

/* rxvt: CSI n $ shift, ^ control, @ both. */
static bool
csi_rxvt(struct term_in *in, const struct term_csi *c)
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
	emit_key(in, key);
	return true;
}

static bool
csi_u(struct term_in *in, const struct term_csi *c)
{
	key_code key, mods;

	if (c->n == 0 || (key = kitty_key(c->p[0])) == KEY_NONE)
		return false;
	mods = c->n > 1 ? mods_of(c->p[1]) : 0;
	/* A press of a plain character is text like any other. */
	if (key < KEY_SPECIAL && key >= 0x20 && (mods & KEY_MODS) == 0 &&
	    c->sub[1][0] <= 1 && c->n < 3)
		emit_text(in, (uint32_t)key);
	else
		emit_csi_key(in, c, key);
	return true;
}

/* --- mouse ----------------------------------------------------------------- */

/* Button bits as every encoding has them. */
static void
emit_mouse(struct term_in *in, uint32_t code, int x, int y, bool release)
{
	static const enum mouse_button low[] = { MOUSE_LEFT, MOUSE_MIDDLE,
		MOUSE_RIGHT, MOUSE_NONE };
	struct term_event ev = { .kind = TERM_MOUSE };
	struct mouse_event *m = &ev.mouse;

	m->px = m->py = -1;
	if (in->pixels) {
		m->px = x;
		m->py = y;
	} else {
		m->x = x;
		m->y = y;
	}
	if (code & 4)
		m->mods |= KEY_SHIFT;
	if (code & 8)
		m->mods |= KEY_META;
	if (code & 16)
		m->mods |= KEY_CTRL;
	if (code & 128)
		m->button = (enum mouse_button)(MOUSE_8 + (code & 3));
	else if (code & 64)
		m->button = (enum mouse_button)(MOUSE_WHEEL_UP + (code & 3));
	else
		m->button = low[code & 3];
	if (code & 32)
		m->action = MOUSE_MOTION;
	else if (release || m->button == MOUSE_NONE)
		m->action = MOUSE_RELEASE;
	else
		m->action = MOUSE_PRESS;
	in->fn(in->arg, &ev);
}

static bool
csi_mouse_sgr(struct term_in *in, const struct term_csi *c)
{
	if (c->n < 3 || c->p[1] < 1 || c->p[2] < 1 || c->p[1] > 65536 ||
	    c->p[2] > 65536)
		return false;
	emit_mouse(
	    in, c->p[0], (int)c->p[1] - 1, (int)c->p[2] - 1, c->final == 'm');
	return true;
}

static bool
csi_mouse_urxvt(struct term_in *in, const struct term_csi *c)
{
	if (c->n < 3 || c->p[0] < 32 || c->p[1] < 1 || c->p[2] < 1 ||
	    c->p[1] > 65536 || c->p[2] > 65536)
		return false;
	emit_mouse(in, c->p[0] - 32, (int)c->p[1] - 1, (int)c->p[2] - 1, false);
	return true;
}

/* CSI M and three characters, each a byte or (1005) UTF-8. */
static size_t
take_mouse_x10(struct term_in *in, const uint8_t *p, size_t n, bool final)
{
	uint32_t v[3];
	size_t used = 0, k;
	unsigned i;

	for (i = 0; i < 3; i++) {
		if (used >= n)
			return final ? n : 0;
		if (p[used] < 0x80) {
			v[i] = p[used++];
			continue;
		}
		k = utf8_decode(p + used, n - used, &v[i]);
		if (k == UTF8_INCOMPLETE && !final)
			return 0;
		if (k == UTF8_INCOMPLETE || v[i] == UTF8_REPLACEMENT) {
			v[i] = p[used];
			k = 1;
		}
		used += k;
	}
	if (v[0] >= 32 && v[1] > 32 && v[2] > 32)
		emit_mouse(
		    in, v[0] - 32, (int)v[1] - 33, (int)v[2] - 33, false);
	else
		in->dropped++;
	return used;
}

/* --- answers --------------------------------------------------------------- */

static bool
csi_focus(struct term_in *in, const struct term_csi *c)
{
	struct term_event ev = { .kind = TERM_FOCUS };

	if (c->n != 0)
		return false;
	ev.gained = c->final == 'I';
	in->fn(in->arg, &ev);
	return true;
}

#define REPLY(name, reply)                                      \
 static bool name(struct term_in *in, const struct term_csi *c) \
 {                                                              \
  emit_reply(in, reply, c, NULL, 0);                            \
  return true;                                                  \
 }

REPLY(csi_da1, TERM_REPLY_DA1)
REPLY(csi_da2, TERM_REPLY_DA2)
REPLY(csi_mode, TERM_REPLY_MODE)
REPLY(csi_status, TERM_REPLY_STATUS)
REPLY(csi_kitty, TERM_REPLY_KITTY)
REPLY(csi_size, TERM_REPLY_SIZE)
REPLY(csi_xcursor, TERM_REPLY_CURSOR)

static bool
csi_private_status(struct term_in *in, const struct term_csi *c)
{
	struct term_csi k = *c;

	if (c->n < 2 || c->p[0] != 997)
		return csi_status(in, c);
	k.p[0] = c->p[1];
	k.n = 1;
	emit_reply(in, TERM_REPLY_THEME, &k, NULL, 0);
	return true;
}

/* One row a form: private marker, intermediate, final. */
static const struct term_csi_row {
	char private;
	char inter;
	char final;
	bool (*fn)(struct term_in *in, const struct term_csi *c);
} csi_rows[] = {
	{ 0, 0, '~', csi_tilde },
	{ 0, 0, 'u', csi_u },
	{ 0, 0, 'R', csi_cursor },
	{ 0, 0, '^', csi_rxvt },
	{ 0, 0, '@', csi_rxvt },
	{ '<', 0, 'M', csi_mouse_sgr },
	{ '<', 0, 'm', csi_mouse_sgr },
	{ 0, 0, 'M', csi_mouse_urxvt },
	{ 0, 0, 'I', csi_focus },
	{ 0, 0, 'O', csi_focus },
	{ '?', 0, 'c', csi_da1 },
	{ '>', 0, 'c', csi_da2 },
	{ '?', '$', 'y', csi_mode },
	{ 0, '$', 'y', csi_mode },
	{ 0, 0, 'n', csi_status },
	{ '?', 0, 'n', csi_private_status },
	{ '?', 0, 'u', csi_kitty },
	{ 0, 0, 't', csi_size },
	{ '?', 0, 'R', csi_xcursor },
};

/* --- control sequences ------------------------------------------------------ */

static void
csi_number(uint32_t *v, uint8_t digit)
{
	if (*v < 100000000)
		*v = *v * 10 + (digit - '0');
}

/* Reads parameters from the bytes between CSI and the final byte. */
static void
csi_params(struct term_csi *c, const uint8_t *p, size_t n)
{
	unsigned i = 0, sub = 0;
	size_t k;

	c->n = 0;
	for (k = 0; k < n && i < TERM_IN_PARAMS; k++) {
		if (p[k] >= '0' && p[k] <= '9') {
			c->n = i + 1;
			c->given[i] = true;
			if (sub == 0)
				csi_number(&c->p[i], p[k]);
			else if (sub <= 3)
				csi_number(&c->sub[i][sub - 1], p[k]);
		} else if (p[k] == ':') {
			c->n = i + 1;
			if (sub < 4)
				sub++;
		} else if (p[k] == ';') {
			i++;
			sub = 0;
			if (i < TERM_IN_PARAMS)
				c->n = i + 1;
		}
	}
}

static void
csi_dispatch(struct term_in *in, const struct term_csi *c, key_code meta)
{
	const struct term_csi_row *r;
	struct term_csi k = *c;
	size_t i;

	if (meta != 0) {
		/* ESC before a sequence: Alt, as rxvt and putty send it. */
		if (k.n < 2)
			k.n = 2;
		if (k.p[0] == 0)
			k.p[0] = 1;
		k.p[1] = ((k.p[1] == 0 ? 0 : k.p[1] - 1) | 2) + 1;
	}
	for (i = 0; i < ARRAY_LEN(csi_rows); i++) {
		r = &csi_rows[i];
		if (r->private == k.private && r->inter == k.inter &&
		    r->final == k.final) {
			if (!r->fn(in, &k))
				in->dropped++;
			return;
		}
	}
	if (k.private != 0 || k.inter != 0 || !csi_letter(in, &k))
		in->dropped++;
}

#define CSI_BYTES_MAX 256

static size_t
take_csi(
    struct term_in *in, const uint8_t *p, size_t n, bool final, key_code meta)
{
	struct term_csi c = { 0 };
	size_t i = 2, start;

	if (n > 2 && p[2] == 'M') {
		i = take_mouse_x10(in, p + 3, n - 3, final);
		if (i == 0)
			return final ? n : 0;
		return i + 3;
	}
	if (n > 3 && p[2] == '[') {
		/* The Linux console: CSI [ A..E for F1..F5. */
		if (p[3] >= 'A' && p[3] <= 'E')
			emit_key(in, (key_code)(KEY_F1 + p[3] - 'A') | meta);
		else
			in->dropped++;
		return 4;
	}
	if (n > 2 && p[2] == '[' && !final)
		return 0;
	if (i < n && p[i] >= '<' && p[i] <= '?')
		c.private = p[i++];
	start = i;
	while (i < n && p[i] >= 0x30 && p[i] <= 0x3f)
		i++;
	csi_params(&c, p + start, i - start);
	while (i < n && p[i] >= 0x20 && p[i] <= 0x2f)
		c.inter = p[i++];
	if (i < n && p[i] >= 0x40 && p[i] <= 0x7e && i < CSI_BYTES_MAX) {
		c.final = p[i];
		csi_dispatch(in, &c, meta);
		return i + 1;
	}
	if (i == n && i < CSI_BYTES_MAX && !final)
		return 0;
	if (n == 2) {
		emit_key(in, '[' | KEY_META | meta);
		return 2;
	}
	/* rxvt's shifted keys end in '$', which is no final byte. */
	c.final = c.inter;
	if (c.inter == '$' && c.private == 0 && csi_rxvt(in, &c))
		return i;
	in->dropped++;
	return i;
}

static size_t
take_ss3(
    struct term_in *in, const uint8_t *p, size_t n, bool final, key_code meta)
{
	struct term_csi c = { .final = 0 };
	size_t i = 2;
	key_code key;

	while (i < n && i < 8 && p[i] >= '0' && p[i] <= '9')
		csi_number(&c.p[1], p[i++]);
	if (i >= n) {
		if (!final)
			return 0;
		if (n == 2)
			emit_key(in, 'O' | KEY_META | meta);
		else
			in->dropped++;
		return n;
	}
	key = key_find(ss3_keys, ARRAY_LEN(ss3_keys), p[i]);
	if (key == KEY_NONE)
		key = key_find(final_keys, ARRAY_LEN(final_keys), p[i]);
	if (key == KEY_NONE) {
		if (i == 2 && p[i] >= 0x20) {
			/* Alt-O and then another key, typed fast. */
			emit_key(in, 'O' | KEY_META | meta);
			return 2;
		}
		in->dropped++;
		return i + 1;
	}
	emit_key(in, key | mods_of(c.p[1]) | meta);
	return i + 1;
}

/* --- strings ---------------------------------------------------------------- */

static void
string_osc(struct term_in *in, const uint8_t *p, size_t n)
{
	struct term_csi c = { .n = 1 };
	size_t i = 0;

	while (i < n && p[i] >= '0' && p[i] <= '9')
		csi_number(&c.p[0], p[i++]);
	if (i < n && p[i] == ';')
		i++;
	emit_reply(in, TERM_REPLY_OSC, &c, p + i, n - i);
}

static void
string_dcs(struct term_in *in, const uint8_t *p, size_t n)
{
	struct term_csi c = { .n = 1 };

	if (n >= 2 && p[0] == '>' && p[1] == '|')
		emit_reply(in, TERM_REPLY_XTVERSION, NULL, p + 2, n - 2);
	else if (n >= 2 && p[0] == '!' && p[1] == '|')
		emit_reply(in, TERM_REPLY_DA3, NULL, p + 2, n - 2);
	else if (n >= 3 && (p[0] == '0' || p[0] == '1') && p[1] == '$' &&
		 p[2] == 'r') {
		c.p[0] = p[0] - '0';
		emit_reply(in, TERM_REPLY_DECRQSS, &c, p + 3, n - 3);
	} else if (n >= 3 && (p[0] == '0' || p[0] == '1') && p[1] == '+' &&
		   p[2] == 'r') {
		c.p[0] = p[0] - '0';
		emit_reply(in, TERM_REPLY_TCAP, &c, p + 3, n - 3);
	} else
		in->dropped++;
}

static void
string_apc(struct term_in *in, const uint8_t *p, size_t n)
{
	if (n > 0 && p[0] == 'G')
		emit_reply(in, TERM_REPLY_GRAPHICS, NULL, p + 1, n - 1);
	else
		in->dropped++;
}

/* ESC ] P _ ^ X up to ST, or BEL, which terminals send after OSC. */
static size_t
take_string(
    struct term_in *in, const uint8_t *p, size_t n, bool final, key_code meta)
{
	const uint8_t *body = p + 2;
	size_t i, end = 0;

	for (i = 2; i < n; i++) {
		if (p[i] == 0x07 && p[1] == ']') {
			end = i + 1;
			break;
		}
		if (p[i] == 0x18 || p[i] == 0x1a) {
			in->dropped++;
			return i + 1;
		}
		if (p[i] != 0x1b)
			continue;
		if (i + 1 >= n)
			break;
		if (p[i + 1] == '\\') {
			end = i + 2;
			break;
		}
		/* Cut off by another sequence. */
		in->dropped++;
		return i;
	}
	if (end == 0) {
		if (!final)
			return 0;
		if (n == 2) {
			emit_key(in, p[1] | KEY_META | meta);
			return 2;
		}
		in->dropped++;
		return n;
	}
	if (p[1] == ']')
		string_osc(in, body, i - 2);
	else if (p[1] == 'P')
		string_dcs(in, body, i - 2);
	else if (p[1] == '_')
		string_apc(in, body, i - 2);
	else
		in->dropped++;
	return end;
}

/* --- the front of the buffer ----------------------------------------------- */

static size_t
take_escape(struct term_in *in, const uint8_t *p, size_t n, bool final)
{
	size_t used;

	if (n == 1) {
		if (final)
			emit_key(in, KEY_ESCAPE);
		return final;
	}
	switch (p[1]) {
	case '[':
		return take_csi(in, p, n, final, 0);
	case 'O':
		return take_ss3(in, p, n, final, 0);
	case ']':
	case 'P':
	case '_':
	case '^':
	case 'X':
		return take_string(in, p, n, final, 0);
	case 0x1b:
		if (n > 2 && p[2] == '[')
			used = take_csi(in, p + 1, n - 1, final, KEY_META);
		else if (n > 2 && p[2] == 'O')
			used = take_ss3(in, p + 1, n - 1, final, KEY_META);
		else if (n > 2) {
			emit_key(in, KEY_ESCAPE);
			return 1;
		} else {
			if (final)
				emit_key(in, KEY_ESCAPE | KEY_META);
			return final ? 2 : 0;
		}
		return used == 0 ? 0 : used + 1;
	default:
		used = take_char(in, p + 1, n - 1, final, KEY_META);
		return used == 0 ? 0 : used + 1;
	}
}

static void
emit_paste(struct term_in *in, const uint8_t *p, size_t n, bool end)
{
	struct term_event ev = {
		.kind = TERM_PASTE,
		.begin = !in->paste_begun,
		.end = end,
		.data = p,
		.len = n,
	};

	in->paste_begun = true;
	if (end)
		in->pasting = false;
	if (n > 0 || end || ev.begin)
		in->fn(in->arg, &ev);
}

/* Pasted bytes up to the end marker. */
static size_t
take_paste(struct term_in *in, const uint8_t *p, size_t n)
{
	static const uint8_t marker[] = "\033[201~";
	const size_t len = sizeof(marker) - 1;
	const uint8_t *e = p, *last = p + n;
	size_t keep;

	while ((e = memchr(e, 0x1b, (size_t)(last - e))) != NULL) {
		keep = MIN_OF((size_t)(last - e), len);
		if (memcmp(e, marker, keep) == 0)
			break;
		e++;
	}
	if (e == NULL) {
		emit_paste(in, p, n, false);
		return n;
	}
	if ((size_t)(last - e) < len) {
		/* Perhaps the marker: what stands before it can go. */
		if (e > p)
			emit_paste(in, p, (size_t)(e - p), false);
		return (size_t)(e - p);
	}
	emit_paste(in, p, (size_t)(e - p), true);
	return (size_t)(e - p) + len;
}

/* Takes what can be taken; FINAL: nothing more will come in time. */
static void
term_in_run(struct term_in *in, bool final)
{
	const uint8_t *p;
	size_t n, used;

	while (in->buf.len > 0) {
		p = in->buf.data;
		n = in->buf.len;
		if (in->pasting)
			used = take_paste(in, p, n);
		else if (*p == 0x1b)
			used = take_escape(in, p, n, final);
		else
			used = take_char(in, p, n, final, 0);
		if (used == 0)
			return;
		mem_wipe(in->buf.data, used);
		buf_consume(&in->buf, used);
	}
}

/* How long the unfinished sequence may still take. */
static mono_ms
term_in_patience(const struct term_in *in)
{
	const uint8_t *p = in->buf.data;

	if (in->pasting)
		return TERM_IN_STRING_MS;
	if (in->buf.len > 2 && p[0] == 0x1b && strchr("]P_^X[", p[1]) != NULL)
		return TERM_IN_STRING_MS;
	return in->escape_time;
}

void
term_in_push(struct term_in *in, mono_ms now, const uint8_t *p, size_t n)
{
	size_t k;

	while (n > 0) {
		k = MIN_OF(n, (size_t)TERM_IN_MAX - in->buf.len);
		if (k == 0) {
			/* Longer than any sequence: give it up. */
			in->dropped++;
			buf_clear(&in->buf);
			continue;
		}
		(void)buf_add(&in->buf, p, k);
		p += k;
		n -= k;
		term_in_run(in, false);
	}
	in->deadline =
	    in->buf.len == 0 ? MONO_NEVER : mono_add(now, term_in_patience(in));
}

void
term_in_timeout(struct term_in *in, mono_ms now)
{
	if (now < in->deadline)
		return;
	in->deadline = MONO_NEVER;
	if (in->pasting && in->buf.len > 0) {
		/* An end marker that never came whole is pasted text. */
		emit_paste(in, in->buf.data, in->buf.len, false);
		buf_clear(&in->buf);
		return;
	}
	term_in_run(in, true);
}
