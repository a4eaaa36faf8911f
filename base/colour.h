/*
 * base/colour.h - colours as values.
 *
 * Purpose:   encodes default, palette (8, 16, 256) and RGB colours in 32 bits;
 *            parses, formats and converts them.
 * Units:     RGB components 0..255.
 * Errors:    -ERR_SYNTAX for an unknown name.
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
	COLOUR_KIND_NONE = 4,  /* no colour set (styles, options) */
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
 * Parses a colour of the configuration: default, terminal, none; black red
 * green yellow blue magenta cyan white and their bright forms (brightred); 0..7
 * and 90..97 for the same; colour0..colour255 or color...; #rrggbb or #rgb
 * (each digit doubled); theme0..theme255; X11 names.  Ignores case, and spaces
 * inside names.  Returns 0 or -ERR_SYNTAX (OUT is then unchanged).
 */
int colour_parse(const char *s, colour *out);

/*
 * Writes text that colour_parse reads back to BUF (at least 32 bytes); returns
 * BUF.
 */
const char *colour_format(colour c, char *buf, size_t size);

/* Returns the RGB value (0xRRGGBB) of an index in xterm's default palette. */
uint32_t colour_palette_rgb(unsigned index);

/* Returns the nearest entry (16..255) of the 6x6x6 cube and the grey ramp. */
unsigned colour_rgb_to_256(unsigned r, unsigned g, unsigned b);

/*
 * Returns the ANSI colour (0..15) that is most like a palette index; 0..15 map
 * to themselves.  Keeps the hue rather than the brightness: dark green becomes
 * green, not black.  For a terminal of eight colours the caller takes the
 * result & 7.
 */
unsigned colour_256_to_16(unsigned index);

/*
 * Parses an X colour specification as in OSC 4/10/11: rgb:h/h/h (1 to 4 digits
 * each, scaled to 8 bits), #rgb, #rrggbb, #rrrgggbbb, #rrrrggggbbbb (as in
 * Xlib, missing digits are zeros: #fff is 0xf0f0f0), three numbers behind rgbi:,
 * CIEXYZ:, CIExyY:, CIEuvY:, CIELab:, CIELuv: or TekHVC: (colour_space.c), or a
 * name.  Returns 0 and 0xRRGGBB, or -ERR_SYNTAX.
 */
int colour_parse_x11(const char *s, size_t n, uint32_t *rgb);

#endif
