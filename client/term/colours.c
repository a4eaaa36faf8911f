#include "client/term/colours.h"

#include <string.h>

#include "base/colour.h"
#include "mux/vt/frame.h"

void
term_colours_ask(struct term_colours *c, struct buf *b)
{
	unsigned i;

	c->asked = true;
	c->n = 0;
	/* Some terminals answer only the first question of a list. */
	for (i = 0; i < TERM_COLOURS_ANSI; i++)
		(void)buf_addf(b, "\033]4;%u;?\033\\", i);
	for (i = 10; i <= 12; i++)
		(void)buf_addf(b, "\033]%u;?\033\\", i);
	(void)buf_add_str(b, "\033[5n");
}

/* Adds colour I, or writes it over the older answer. */
static void
colours_put(struct term_colours *c, unsigned i, uint32_t rgb)
{
	uint8_t *p = c->data;

	while (p < c->data + c->n && (p[0] << 8 | p[1]) != (int)i)
		p += TERM_COLOURS_BYTES;
	if (p == c->data + sizeof(c->data))
		return;
	if (p == c->data + c->n)
		c->n += TERM_COLOURS_BYTES;
	p[0] = (uint8_t)(i >> 8);
	p[1] = (uint8_t)i;
	p[2] = (uint8_t)(rgb >> 16);
	p[3] = (uint8_t)(rgb >> 8);
	p[4] = (uint8_t)rgb;
}

/* Takes "index;colour;index;colour..." of OSC 4. */
static void
colours_list(struct term_colours *c, const char *s, size_t n)
{
	const char *end = s + n, *semi;
	unsigned i;
	uint32_t rgb;

	while (s < end) {
		for (i = 0; s < end && *s >= '0' && *s <= '9' && i < 256; s++)
			i = i * 10 + (unsigned)(*s - '0');
		if (s == end || *s++ != ';')
			return;
		semi = memchr(s, ';', (size_t)(end - s));
		if (semi == NULL)
			semi = end;
		if (i < TERM_COLOURS_ANSI &&
		    colour_parse_x11(s, (size_t)(semi - s), &rgb) == 0)
			colours_put(c, i, rgb);
		s = semi == end ? end : semi + 1;
	}
}

bool
term_colours_take(struct term_colours *c, const struct term_event *ev)
{
	uint32_t rgb;

	if (ev->reply == TERM_REPLY_STATUS)
		c->asked = false;
	else if (ev->reply != TERM_REPLY_OSC)
		return false;
	else if (ev->params[0] == 4)
		colours_list(c, (const char *)ev->data, ev->len);
	else if (ev->params[0] >= 10 && ev->params[0] <= 12 &&
		 colour_parse_x11((const char *)ev->data, ev->len, &rgb) == 0)
		colours_put(c, VT_DYN_FG + ev->params[0] - 10, rgb);
	return !c->asked && c->n > 0;
}
