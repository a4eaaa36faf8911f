#include "base/mem.h"
#include "base/utf8.h"
#include "client/term/in_int.h"

/* --- mouse ---------------------------------------------------------------- */

/* Emits a mouse event from the button bits, which all encodings share. */
static void
emit_mouse(struct term_in *in, uint32_t code, int x, int y, bool release)
{
	static const enum mouse_button low[] = { MOUSE_LEFT, MOUSE_MIDDLE,
		MOUSE_RIGHT, MOUSE_NONE };
	struct term_event ev = { .kind = TERM_MOUSE };
	struct mouse_event *m = &ev.mouse;

	/* Some terminals send a release of the wheel. */
	if (release && (code & 192) == 64)
		return;
	m->px = m->py = -1;
	m->x = x;
	m->y = y;
	if (in->size[2] > 0) {
		m->px = x;
		m->py = y;
		m->x = MIN_OF(x * in->size[0] / in->size[2], in->size[0] - 1);
		m->y = MIN_OF(y * in->size[1] / in->size[3], in->size[1] - 1);
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

/* Takes CSI M and three characters, each a byte or UTF-8 (1005). */
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
	return used;
}

/* --- answers -------------------------------------------------------------- */

static bool
csi_cursor(struct term_in *in, const struct term_csi *c)
{
	/*
	 * CSI 1 ; modifiers R is F3; the client asks for the cursor only below
	 * the first row.
	 */
	if (c->n < 2 || c->p[0] <= 1)
		return in_keys_letter(in, c);
	term_in_emit_reply(in, TERM_REPLY_CURSOR, c, NULL, 0);
	return true;
}

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
  term_in_emit_reply(in, reply, c, NULL, 0);                    \
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
	term_in_emit_reply(in, TERM_REPLY_THEME, &k, NULL, 0);
	return true;
}

/* One row per form: private marker, intermediate, final. */
static const struct term_csi_row {
	char private;
	char inter;
	char final;
	bool (*fn)(struct term_in *in, const struct term_csi *c);
} csi_rows[] = {
	{ 0, 0, '~', in_keys_tilde },
	{ 0, 0, 'u', in_keys_u },
	{ 0, 0, 'R', csi_cursor },
	{ 0, 0, '^', in_keys_rxvt },
	{ 0, 0, '@', in_keys_rxvt },
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

/* --- control sequences ---------------------------------------------------- */

void
in_csi_number(uint32_t *v, uint8_t digit)
{
	if (*v < 100000000)
		*v = *v * 10 + (digit - '0');
}

/* Parses the parameters between CSI and the final byte. */
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
				in_csi_number(&c->p[i], p[k]);
			else if (sub <= 3)
				in_csi_number(&c->sub[i][sub - 1], p[k]);
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
			(void)r->fn(in, &k);
			return;
		}
	}
	if (k.private == 0 && k.inter == 0)
		(void)in_keys_letter(in, &k);
}

#define CSI_BYTES_MAX 256

size_t
in_csi_take(
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
			term_in_emit_key(
			    in, (key_code)(KEY_F1 + p[3] - 'A') | meta);
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
	if (i >= CSI_BYTES_MAX) {
		in->drop = '[';
		return i;
	}
	if (n == 2) {
		term_in_emit_key(in, '[' | KEY_META | meta);
		return 2;
	}
	/* rxvt's shifted keys end in '$', which is not a final byte. */
	c.final = c.inter;
	if (c.inter == '$' && c.private == 0)
		(void)in_keys_rxvt(in, &c);
	return i;
}

size_t
in_csi_take_ss3(
    struct term_in *in, const uint8_t *p, size_t n, bool final, key_code meta)
{
	struct term_csi c = { .final = 0 };
	size_t i = 2;
	key_code key;

	while (i < n && i < 8 && p[i] >= '0' && p[i] <= '9')
		in_csi_number(&c.p[1], p[i++]);
	if (i >= n) {
		if (!final)
			return 0;
		if (n == 2)
			term_in_emit_key(in, 'O' | KEY_META | meta);
		return n;
	}
	key = in_keys_ss3(p[i]);
	if (key == KEY_NONE) {
		if (i == 2 && p[i] >= 0x20) {
			/* Alt-O and another key, typed fast. */
			term_in_emit_key(in, 'O' | KEY_META | meta);
			return 2;
		}
		return i + 1;
	}
	term_in_emit_key(in, key | in_keys_mods(c.p[1]) | meta);
	return i + 1;
}
