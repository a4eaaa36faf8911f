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
	COLOUR_KIND_TERMINAL = 3, /* tmux "terminal": the outer terminal's own */
	COLOUR_KIND_NONE = 4,    /* "no colour given" in styles and options */
	COLOUR_KIND_THEME = 5,   /* a theme's named colour, value = row number */
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
 * Parses a tmux colour: default, terminal, none, red, brightred, colour123,
 * color123, #rrggbb, #rgb, 123 and X11 names.
 */
int colour_parse(const char *s, colour *out);

/* Text that colour_parse gives back; BUF at least 32 bytes. */
const char *colour_format(colour c, char *buf, size_t size);

/* RGB (0xRRGGBB) of a palette index in xterm's default palette. */
uint32_t colour_palette_rgb(unsigned index);

/* Nearest of the 256 palette (16..255), and of the 16 and 8 ANSI colours. */
unsigned colour_rgb_to_256(unsigned r, unsigned g, unsigned b);
unsigned colour_256_to_16(unsigned index);

/*
 * Parses an X colour specification as in OSC 4/10/11: rgb:h/h/h (1 to 4
 * digits each), #rgb, #rrggbb, #rrrgggbbb, #rrrrggggbbbb, or a name.
 * Returns 0 and 0xRRGGBB, or -ERR_SYNTAX.
 */
int colour_parse_x11(const char *s, size_t n, uint32_t *rgb);

#endif
