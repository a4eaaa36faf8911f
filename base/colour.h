/*
 * base/colour.h - colours as values.
 *
 * Purpose:   one 32-bit encoding of default, 8/16/256 palette and RGB colours,
 *            names and conversions.
 * Ownership: plain values.
 * Units:     RGB components 0..255.
 * Errors:    -ERR_SYNTAX for a name that is none.
 * Source:    xterm's 256-colour cube; X11 names as tmux accepts them.
 * Tests:     regress/unit/check_colour.c
 */
#ifndef BASE_COLOUR_H
#define BASE_COLOUR_H

#include <stdbool.h>

#include "base/compiler.h"

/* kind << 24 | value; 0 is the default colour. */
typedef uint32_t colour;

enum colour_kind {
	COLOUR_KIND_DEFAULT = 0, /* the pane's or terminal's default */
	COLOUR_KIND_INDEX = 1,   /* palette 0..255 (0..7 ANSI, 8..15 bright) */
	COLOUR_KIND_RGB = 2,     /* 0xRRGGBB */
	COLOUR_KIND_TERMINAL =
	    3,                 /* tmux "terminal": the outer terminal's own */
	COLOUR_KIND_NONE = 4,  /* "no colour given" in styles and options */
	COLOUR_KIND_THEME = 5, /* a theme's named colour, value = row number */
};

#define COLOUR_DEFAULT ((colour)0)
#define COLOUR_TERMINAL ((colour)COLOUR_KIND_TERMINAL << 24)
#define COLOUR_NONE ((colour)COLOUR_KIND_NONE << 24)

static inline colour
colour_index(unsigned n)
{
	return (colour)COLOUR_KIND_INDEX << 24 | (n & 0xff);
}

static inline colour
colour_rgb(unsigned r, unsigned g, unsigned b)
{
	return (colour)COLOUR_KIND_RGB << 24 | (r & 0xff) << 16 |
	       (g & 0xff) << 8 | (b & 0xff);
}

static inline enum colour_kind
colour_kind(colour c)
{
	return (enum colour_kind)(c >> 24);
}

/*
 * Parses a colour as users write it: default, terminal, none; black red green
 * yellow blue magenta cyan white and their bright forms (brightred); 0..7 and
 * 90..97 for the same; colour0..colour255 or color...; #rrggbb or #rgb (each
 * digit doubled); theme0..theme255; X11 names.  Case does not count, nor do
 * spaces inside names.  Returns 0 or -ERR_SYNTAX (OUT is then unchanged).
 */
int colour_parse(const char *s, colour *out);

/* BUF, filled with text that colour_parse reads back; at least 32 bytes. */
const char *colour_format(colour c, char *buf, size_t size);

/* RGB (0xRRGGBB) of a palette index in xterm's default palette. */
uint32_t colour_palette_rgb(unsigned index);

/* Nearest of the 6x6x6 cube and the grey ramp: 16..255. */
unsigned colour_rgb_to_256(unsigned r, unsigned g, unsigned b);

/*
 * One of the 16 ANSI colours for a palette index (0..15 stay).  Hue is kept
 * before brightness: a dark green becomes green, not black.  Without bright
 * colours (8) the caller takes the result & 7.
 */
unsigned colour_256_to_16(unsigned index);

/*
 * Parses an X colour specification as in OSC 4/10/11: rgb:h/h/h (1 to 4
 * digits each, scaled to 8 bits), #rgb, #rrggbb, #rrrgggbbb, #rrrrggggbbbb
 * (here, as in Xlib, digits left out are zeros: #fff is 0xf0f0f0), or a name.
 * Returns 0 and 0xRRGGBB, or -ERR_SYNTAX.
 */
int colour_parse_x11(const char *s, size_t n, uint32_t *rgb);

#endif
