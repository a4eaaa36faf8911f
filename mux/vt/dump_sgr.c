#include "mux/vt/dump_sgr.h"

#include <stdio.h>
#include <string.h>

#include "base/compiler.h"

/* Attributes in the order in which tmux writes them. */
static const struct {
	uint32_t attr;
	const char *code;
} plain[] = {
	{ PEN_BOLD, "1" },
	{ PEN_DIM, "2" },
	{ PEN_ITALIC, "3" },
	{ PEN_UL_SINGLE << PEN_UL_SHIFT, "4" },
	{ PEN_BLINK, "5" },
	{ PEN_REVERSE, "7" },
	{ PEN_CONCEAL, "8" },
	{ PEN_STRIKE, "9" },
	{ PEN_UL_DOUBLE << PEN_UL_SHIFT, "4:2" },
	{ PEN_UL_CURLY << PEN_UL_SHIFT, "4:3" },
	{ PEN_UL_DOTTED << PEN_UL_SHIFT, "4:4" },
	{ PEN_UL_DASHED << PEN_UL_SHIFT, "4:5" },
	{ PEN_OVERLINE, "53" },
};

/* Whether ATTRS have the attribute, or exactly the underline, of row I. */
static bool
has(uint32_t attrs, size_t i)
{
	const uint32_t attr = plain[i].attr;

	return (attr & PEN_UL_MASK) != 0 ? (attrs & PEN_UL_MASK) == attr
					 : (attrs & attr) != 0;
}

/* Writes the codes of colour C; BASE is 30, 40 or 50. */
static size_t
put_colour(char *out, size_t room, colour c, unsigned base)
{
	const unsigned n = c & 0xffffff;

	switch (colour_kind(c)) {
	case COLOUR_KIND_INDEX:
		if (n < 8 && base < 50)
			return (size_t)snprintf(
			    out, room, "\033[%um", base + n);
		if (n < 16 && base < 50)
			return (size_t)snprintf(
			    out, room, "\033[%um", base + 60 + n - 8);
		return (size_t)snprintf(
		    out, room, "\033[%u;5;%um", base + 8, n);
	case COLOUR_KIND_RGB:
		return (size_t)snprintf(out, room, "\033[%u;2;%u;%u;%um",
		    base + 8, n >> 16, n >> 8 & 255, n & 255);
	default:
		return base == 50
			   ? 0
			   : (size_t)snprintf(out, room, "\033[%um", base + 9);
	}
}

/* Writes the attributes; *RESET: they begin with 0. */
static size_t
put_attrs(const struct pen *old, const struct pen *new, char *out, bool *reset)
{
	uint32_t had = old->attrs;
	size_t i, n = 0;

	*reset = old->ul != COLOUR_DEFAULT && new->ul == COLOUR_DEFAULT;
	for (i = 0; i < ARRAY_LEN(plain); i++)
		*reset |= has(had, i) && !has(new->attrs, i);
	if (*reset) {
		had = 0;
		n += (size_t)snprintf(out, 8, "\033[0");
	}
	for (i = 0; i < ARRAY_LEN(plain); i++)
		if (has(new->attrs, i) && !has(had, i))
			n += (size_t)snprintf(out + n, 8, "%s%s",
			    n == 0 ? "\033[" : ";", plain[i].code);
	if (n > 0)
		out[n++] = 'm';
	return n;
}

size_t
vt_dump_sgr(
    const struct pen *old, const struct pen *new, char out[DUMP_SGR_MAX])
{
	bool reset;
	size_t n = put_attrs(old, new, out, &reset);

	if (reset ? new->fg != COLOUR_DEFAULT : new->fg != old->fg)
		n += put_colour(out + n, DUMP_SGR_MAX - n, new->fg, 30);
	if (reset ? new->bg != COLOUR_DEFAULT : new->bg != old->bg)
		n += put_colour(out + n, DUMP_SGR_MAX - n, new->bg, 40);
	if (reset || new->ul != old->ul)
		n += put_colour(out + n, DUMP_SGR_MAX - n, new->ul, 50);
	return n;
}
