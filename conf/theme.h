/*
 * conf/theme.h - the named sets of theme colours.
 *
 * Purpose:   the option theme-name picks one; themeblack ... of styles stand
 *            for its colours, by the terminal's background.
 * Contrasts: all colours but dark grey have at least 4.5 to 1 against black,
 *            white against dark grey as well, light grey 3 to 1 against it;
 *            in 24 bits and in the 256 colours (WCAG 2.2, 1.4.3).
 * Tests:     regress/unit/check_theme.c
 */
#ifndef CONF_THEME_H
#define CONF_THEME_H

#include <stdbool.h>

#include "base/colour.h"
#include "conf/style.h"

/*
 * Returns the colour WHICH of the set NAME (enum option_theme_name) on a light
 * or dark background; COLOUR_NONE for THEME_NAME_DEFAULT.
 */
colour theme_colour(unsigned name, bool light, enum style_theme which);

/* The same of the 16 colours that a terminal has: option theme terminal. */
colour theme_terminal_colour(enum style_theme which);

#endif
