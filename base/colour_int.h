/*
 * base/colour_int.h - shared by colour.c and colour_space.c.
 *
 * Purpose:   specifications of colours that name a space.
 * Errors:    -ERR_NOTFOUND: S names no space; -ERR_SYNTAX: what follows is not
 *            three numbers.
 * Tests:     regress/unit/check_colour.c
 */
#ifndef BASE_COLOUR_INT_H
#define BASE_COLOUR_INT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Parses "SPACE:a/b/c" to 0xRRGGBB. */
int colour_space_parse(const char *s, size_t n, uint32_t *rgb);

#endif
