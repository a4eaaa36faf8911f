/*
 * Helpers that the handlers share: replies, titles, the count of unknown
 * sequences.
 */
#include "mux/vt/ctl.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"

/* --- rarely used state ------------------------------------------------------- */

struct vt_rare *
vt_rare(struct vt_term *t)
{
	if (t->rare == NULL)
		t->rare = mem_zalloc(sizeof *t->rare);
	return t->rare;
}

void
vt_rare_free(struct vt_term *t)
{
	struct vt_rare *r = t->rare;
	unsigned i;

	if (r == NULL)
		return;
	for (i = 0; i < r->ntitles; i++) {
		vt_str_unref(r->titles[i].title);
		vt_str_unref(r->titles[i].icon);
	}
	for (i = 0; i < VT_SGR_STACK_MAX; i++)
		vt_palette_unref(r->palettes[i]);
	mem_free(r);
	t->rare = NULL;
}

/* --- unknown sequences ------------------------------------------------------- */

COLD void
vt_unknown(struct vt_term *t, const char *family, uint8_t prefix, uint8_t inter,
    uint8_t inter2, uint8_t final, int num)
{
	char number[16] = "";

	t->stats.unknown++;
	if (num >= 0)
		snprintf(number, sizeof number, " %d", num);
	snprintf(t->stats.last_unknown, sizeof t->stats.last_unknown,
	    "%s%s%c%s %s%s%c", family, prefix != 0 ? " " : "",
	    prefix != 0 ? prefix : ' ', number,
	    inter != 0 ? (const char[2]){ (char)inter, '\0' } : "",
	    inter2 != 0 ? (const char[2]){ (char)inter2, '\0' } : "", final);
}

/* --- replies ----------------------------------------------------------------- */

#define REPLY_MAX 512 /* bytes of one formatted reply */

void
vt_reply_bytes(struct vt_term *t, const void *p, size_t n)
{
	vt_effects_add(&t->effects, VT_EFFECT_REPLY, 0, 0, p, n, NULL);
}

void
vt_reply(struct vt_term *t, const char *fmt, ...)
{
	char text[REPLY_MAX];
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	if (n > 0 && (size_t)n < sizeof text)
		vt_reply_bytes(t, text, (size_t)n);
}

void
vt_report_size(struct vt_term *t)
{
	vt_reply(t, "\033[48;%d;%d;%u;%ut", t->rows, t->cols,
	    (unsigned)t->rows * t->cell_h, (unsigned)t->cols * t->cell_w);
}

bool
vt_is_dark(const struct vt_term *t)
{
	uint32_t bg = vt_palette_get(t->state.palette, VT_DYN_BG);

	if (bg == VT_PALETTE_UNSET)
		bg = vt_palette_get(t->base, VT_DYN_BG);
	if (bg == VT_PALETTE_UNSET)
		return t->theme.dark;
	/* As tmux 3.8 has it. */
	return (bg >> 16 & 255) + (bg >> 8 & 255) + (bg & 255) <= 382;
}

void
vt_report_theme(struct vt_term *t)
{
	vt_reply(t, "\033[?997;%dn", vt_is_dark(t) ? 1 : 2);
}

/* --- titles ------------------------------------------------------------------ */

/* The length of S cut at MAX bytes, not inside a code point. */
static size_t
osc_cut(const char *s, size_t n, size_t max)
{
	if (n <= max)
		return n;
	n = max;
	while (n > 0 && ((unsigned char)s[n] & 0xc0) == 0x80)
		n--;
	return n;
}

void
vt_plain_text(struct buf *out, const char *s, size_t n, size_t max)
{
	uint8_t u[UTF8_MAX];
	uint32_t cp;
	size_t i = 0;

	n = osc_cut(s, n, max);
	while (i < n) {
		i += utf8_decode_final((const uint8_t *)s + i, n - i, &cp);
		if (cp >= 0x20 && (cp < 0x7f || cp >= 0xa0))
			(void)buf_add(out, u, utf8_encode(cp, u));
	}
}

void
vt_set_title(struct vt_term *t, struct vt_str **slot, const char *s, size_t n)
{
	enum vt_effect_kind kind = slot == NULL             ? VT_EFFECT_NAME
				   : slot == &t->state.icon ? VT_EFFECT_ICON
							    : VT_EFFECT_TITLE;
	struct vt_str *text;
	struct buf b;

	buf_init(&b, (size_t)VT_TITLE_MAX * 3);
	vt_plain_text(&b, s, n, VT_TITLE_MAX);
	text = vt_str_new((const char *)b.data, b.len);
	vt_effects_add(&t->effects, kind, 0, 0, vt_str_text(text),
	    strlen(vt_str_text(text)), NULL);
	if (slot != NULL) {
		vt_str_unref(*slot);
		*slot = text;
	} else
		vt_str_unref(text);
	buf_fini(&b);
}
