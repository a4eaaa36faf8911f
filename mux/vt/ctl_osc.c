/*
 * Operating system commands: titles, colours, links, clipboard, notifications,
 * marks.
 */
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "mux/vt/screen.h"

/* Returns the terminator for a reply: the one of the request. */
static const char *
osc_st(const struct vt_term *t)
{
	return t->bel ? "\007" : "\033\\";
}

/* --- titles -------------------------------------------------------------------- */

/* OSC 0, 1, 2; in hexadecimal while title mode 0 is set. */
void
vt_osc_title(struct vt_term *t, int num, const char *s, size_t n)
{
	char *text = mem_strndup(s, n);
	size_t i, len = n;

	if ((t->title_modes & 1) != 0) {
		for (i = 0, len = 0; i + 1 < n; i += 2, len++) {
			int hi = str_hex_digit(s[i]);
			int lo = str_hex_digit(s[i + 1]);

			if (hi < 0 || lo < 0)
				break;
			text[len] = (char)(hi * 16 + lo);
		}
	}
	if (num != 1)
		vt_set_title(t, &t->state.title, text, len);
	if (num != 2)
		vt_set_title(t, &t->state.icon, text, len);
	mem_free(text);
}

/* --- hyperlinks ------------------------------------------------------------------ */

/* Returns the value of a key in "id=x:key=y". */
static const char *
osc_key(const char *s, size_t n, const char *key, size_t *len)
{
	size_t k = strlen(key), i = 0, end;

	while (i < n) {
		for (end = i; end < n && s[end] != ':'; end++)
			;
		if (end - i > k && memcmp(s + i, key, k) == 0 &&
		    s[i + k] == '=') {
			*len = end - i - k - 1;
			return s + i + k + 1;
		}
		i = end + 1;
	}
	*len = 0;
	return NULL;
}

/* OSC 8 ; params ; URI - an empty URI ends the link. */
void
vt_osc_link(struct vt_term *t, int num UNUSED, const char *s, size_t n)
{
	const char *semi = memchr(s, ';', n), *id, *uri;
	size_t idlen, urilen;

	if (semi == NULL)
		return;
	uri = semi + 1;
	urilen = n - (size_t)(uri - s);
	vt_link_unref(t->link);
	t->link = NULL;
	/* Ignore a link that is too long: half of a URI leads elsewhere. */
	if (urilen > 0 && urilen <= VT_LINK_MAX) {
		id = osc_key(s, (size_t)(semi - s), "id", &idlen);
		if (idlen > VT_LINK_ID_MAX)
			idlen = VT_LINK_ID_MAX;
		t->link = vt_link_new(uri, urilen, id, idlen);
	}
	vt_pen_changed(t);
}

/* --- colours --------------------------------------------------------------------- */

/* Returns colour I of the palette as 0xRRGGBB, set or built in. */
static uint32_t
osc_colour(const struct vt_term *t, unsigned i)
{
	const uint32_t ground = t->theme.dark ? 0 : 0xffffff;
	uint32_t rgb = vt_palette_get(t->state.palette, i);

	if (rgb == VT_PALETTE_UNSET)
		rgb = vt_palette_get(t->base, i);
	if (rgb != VT_PALETTE_UNSET)
		return rgb;
	if (i < 256)
		return colour_palette_rgb(i);
	if (i == VT_DYN_BG || i == VT_DYN_POINTER_BG || i == VT_DYN_TEK_BG ||
	    i == VT_DYN_HIGHLIGHT_FG)
		return t->theme.bg != VT_PALETTE_UNSET ? t->theme.bg : ground;
	if (i == VT_DYN_CURSOR && t->theme.cursor != VT_PALETTE_UNSET)
		return t->theme.cursor;
	return t->theme.fg != VT_PALETTE_UNSET ? t->theme.fg
					       : 0xffffff - ground;
}

static void
osc_colour_set(struct vt_term *t, unsigned i, uint32_t rgb)
{
	if (vt_palette_get(t->state.palette, i) == rgb)
		return;
	vt_palette_own(&t->state.palette)->rgb[i] = rgb;
	vt_effects_add(&t->effects, VT_EFFECT_PALETTE, 0, 0, NULL, 0, NULL);
}

/* Writes "rgb:1212/3434/5656" to OUT. */
static void
osc_rgb_text(uint32_t rgb, char out[32])
{
	unsigned r = rgb >> 16 & 255, g = rgb >> 8 & 255, b = rgb & 255;

	snprintf(out, 32, "rgb:%02x%02x/%02x%02x/%02x%02x", r, r, g, g, b, b);
}

/*
 * Returns the next field of "a;b;c" and its length; advances *S, to NULL at the
 * end.
 */
static const char *
osc_field(const char **s, size_t *n, size_t *len)
{
	const char *f = *s, *semi;

	if (f == NULL)
		return NULL;
	semi = memchr(f, ';', *n);
	*len = semi == NULL ? *n : (size_t)(semi - f);
	if (semi == NULL)
		*s = NULL;
	else {
		*n -= *len + 1;
		*s = semi + 1;
	}
	return f;
}

/* Returns the palette index of colour number V in OSC NUM, or -1. */
static int
osc_colour_index(int num, int64_t v)
{
	bool special = num == 5 || num == 105;

	/* OSC 4;256 and up are OSC 5;0 and up. */
	if (special)
		v += 256;
	if (v < 256)
		return (int)v;
	v = v - 256 + VT_DYN_BOLD;
	return v < VT_PALETTE_SIZE ? (int)v : -1;
}

static void
osc_colour_answer(struct vt_term *t, int num, int64_t v, int i)
{
	char rgb[32];

	osc_rgb_text(osc_colour(t, (unsigned)i), rgb);
	vt_reply(t, "\033]%d;%d;%s%s", num, (int)v, rgb, osc_st(t));
}

/* OSC 4 and 5 - pairs of number and colour, or "?". */
void
vt_osc_palette(struct vt_term *t, int num, const char *s, size_t n)
{
	const char *f, *c;
	size_t len, clen = 0;
	uint32_t rgb;
	int64_t v;
	int i, rounds;

	for (rounds = 0; rounds < VT_PALETTE_SIZE; rounds++) {
		f = osc_field(&s, &n, &len);
		c = f == NULL ? NULL : osc_field(&s, &n, &clen);
		if (c == NULL || str_to_intn(f, len, 0, 511, &v) != 0)
			return;
		i = osc_colour_index(num, v);
		if (i < 0)
			continue;
		if (clen == 1 && *c == '?')
			osc_colour_answer(t, num, v, i);
		else if (colour_parse_x11(c, clen, &rgb) == 0)
			osc_colour_set(t, (unsigned)i, rgb);
	}
}

/* OSC 104 and 105 - reset the given numbers, or all. */
void
vt_osc_palette_reset(struct vt_term *t, int num, const char *s, size_t n)
{
	int first = num == 104 ? 0 : VT_DYN_BOLD;
	int last = num == 104 ? 255 : VT_PALETTE_SIZE - 1;
	const char *f;
	size_t len;
	int64_t v;
	int i;

	if (n == 0) {
		for (i = first; i <= last; i++)
			osc_colour_set(t, (unsigned)i, VT_PALETTE_UNSET);
		return;
	}
	while ((f = osc_field(&s, &n, &len)) != NULL) {
		if (str_to_intn(f, len, 0, 511, &v) != 0)
			continue;
		i = osc_colour_index(num, v);
		if (i >= 0)
			osc_colour_set(t, (unsigned)i, VT_PALETTE_UNSET);
	}
}

/* OSC 10 to 19 - further fields set the following colours. */
void
vt_osc_dynamic(struct vt_term *t, int num, const char *s, size_t n)
{
	const char *f;
	char text[32];
	size_t len;
	uint32_t rgb;
	unsigned i;

	for (; num <= 19 && (f = osc_field(&s, &n, &len)) != NULL; num++) {
		i = (unsigned)(VT_DYN_FG + num - 10);
		if (len == 1 && *f == '?') {
			osc_rgb_text(osc_colour(t, i), text);
			vt_reply(t, "\033]%d;%s%s", num, text, osc_st(t));
		} else if (colour_parse_x11(f, len, &rgb) == 0)
			osc_colour_set(t, i, rgb);
	}
}

void
vt_osc_dynamic_reset(
    struct vt_term *t, int num, const char *s UNUSED, size_t n UNUSED)
{
	osc_colour_set(t, (unsigned)(VT_DYN_FG + num - 110), VT_PALETTE_UNSET);
}

/* --- stack of palettes ---------------------------------------------------------- */

/*
 * XTPUSHCOLORS - 0 pushes; 1 to 10 store into that place, which becomes the top.
 * What the report calls the last place grows with pushes alone, as in xterm.
 */
static void
palette_store(struct vt_term *t, int place)
{
	struct vt_rare *rare = vt_rare(t);
	int at = place == 0 ? (int)rare->npalettes + 1 : place;

	if (at > VT_SGR_STACK_MAX)
		return;
	vt_palette_unref(rare->palettes[at - 1]);
	rare->palettes[at - 1] = vt_palette_ref(t->state.palette);
	rare->palettes_set |= (uint16_t)(1u << at);
	rare->npalettes = (unsigned)at;
	if (place == 0)
		rare->palettes_last = MAX_OF(rare->palettes_last, (unsigned)at);
}

/* XTPOPCOLORS - the reverse; a place without a palette changes nothing. */
static void
palette_restore(struct vt_term *t, int place)
{
	struct vt_rare *rare = vt_rare(t);
	int at = place == 0 ? (int)rare->npalettes : place;

	if (at < 1 || at > VT_SGR_STACK_MAX ||
	    (rare->palettes_set >> at & 1) == 0)
		return;
	vt_palette_unref(t->state.palette);
	t->state.palette = vt_palette_ref(rare->palettes[at - 1]);
	rare->npalettes = (unsigned)at - 1;
	vt_effects_add(&t->effects, VT_EFFECT_PALETTE, 0, 0, NULL, 0, NULL);
}

void
vt_ctl_xtpushcolors(struct vt_term *t, const struct vt_params *p)
{
	int i;

	for (i = 0; i < MAX_OF(p->count, 1); i++)
		palette_store(t, vt_param(p, i, 0));
}

void
vt_ctl_xtpopcolors(struct vt_term *t, const struct vt_params *p)
{
	int i;

	for (i = 0; i < MAX_OF(p->count, 1); i++)
		palette_restore(t, vt_param(p, i, 0));
}

void
vt_ctl_xtreportcolors(struct vt_term *t, const struct vt_params *p UNUSED)
{
	const struct vt_rare *rare = vt_rare(t);

	vt_reply(t, "\033[?%u;%u#Q", rare->npalettes, rare->palettes_last);
}

/* --- clipboard, notices ------------------------------------------------------------ */

/*
 * OSC 52 ; selections ; base64 or "?".  The owner decides whether a program
 * may set or read it.
 */
void
vt_osc_clipboard(struct vt_term *t, int num UNUSED, const char *s, size_t n)
{
	const char *semi = memchr(s, ';', n);
	char sel[16];
	struct buf b;
	size_t len;

	if (semi == NULL)
		return;
	len = MIN_OF((size_t)(semi - s), sizeof sel - 1);
	memcpy(sel, s, len);
	sel[len] = '\0';
	if (strspn(sel, "cpqs01234567") != len)
		return;
	n -= (size_t)(semi - s) + 1;
	s = semi + 1;
	if (n == 1 && *s == '?') {
		vt_effects_add(&t->effects, VT_EFFECT_CLIPBOARD_GET, 0, t->bel,
		    NULL, 0, sel);
		return;
	}
	buf_init(&b, t->string_max);
	/* Invalid base64 empties the selection, as in xterm. */
	if (str_base64_decode(&b, s, n) != 0)
		buf_clear(&b);
	vt_effects_add(&t->effects, VT_EFFECT_CLIPBOARD_SET, 0, 0,
	    b.len > 0 ? (const char *)b.data : "", b.len, sel);
	buf_fini(&b);
}

/* OSC 9;4;state;percent */
static void
osc_progress(struct vt_term *t, const char *s, size_t n)
{
	int64_t state = 0, percent = 0;
	const char *f;
	size_t len;

	f = osc_field(&s, &n, &len);
	if (f == NULL || str_to_intn(f, len, 0, 4, &state) != 0)
		return;
	f = osc_field(&s, &n, &len);
	if (f != NULL && len > 0 &&
	    str_to_intn(f, len, 0, 1000000, &percent) != 0)
		percent = 0;
	percent = MIN_OF(percent, 100);
	t->state.progress = (uint8_t)state;
	t->state.progress_percent = (uint8_t)percent;
	vt_effects_add(&t->effects, VT_EFFECT_PROGRESS, (int)state,
	    (int)percent, NULL, 0, NULL);
}

/* OSC 9 ; text, or ConEmu's numbered commands, of which 4 is progress. */
void
vt_osc_notify(struct vt_term *t, int num UNUSED, const char *s, size_t n)
{
	if (n >= 2 && s[0] == '4' && s[1] == ';')
		osc_progress(t, s + 2, n - 2);
	else if (n > 0 && n <= VT_TITLE_MAX &&
		 !(n >= 2 && s[0] >= '0' && s[0] <= '9' && s[1] == ';'))
		vt_effects_add(&t->effects, VT_EFFECT_NOTIFY, 0, 0, s, n, "");
}

/* OSC 777 ; notify ; title ; body */
void
vt_osc_notify_urxvt(struct vt_term *t, int num UNUSED, const char *s, size_t n)
{
	const char *f, *title;
	size_t len, tlen;
	char *name;

	f = osc_field(&s, &n, &len);
	title = osc_field(&s, &n, &tlen);
	if (title == NULL || len != 6 || memcmp(f, "notify", 6) != 0 ||
	    tlen > VT_TITLE_MAX || n > VT_TITLE_MAX)
		return;
	name = mem_strndup(title, tlen);
	vt_effects_add(&t->effects, VT_EFFECT_NOTIFY, 777, 0,
	    s == NULL ? "" : s, s == NULL ? 0 : n, name);
	mem_free(name);
}

/*
 * OSC 99 ; metadata ; payload - the owner implements the rest of the protocol.
 */
void
vt_osc_notify_kitty(struct vt_term *t, int num UNUSED, const char *s, size_t n)
{
	const char *meta;
	size_t len;
	char *text;

	meta = osc_field(&s, &n, &len);
	if (s == NULL || len > VT_TITLE_MAX || n > VT_TITLE_MAX)
		return;
	text = mem_strndup(meta, len);
	vt_effects_add(&t->effects, VT_EFFECT_NOTIFY_KITTY, 0, 0, s, n, text);
	mem_free(text);
}
