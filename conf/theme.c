#include "conf/theme.h"

#include "base/compiler.h"
#include "conf/option.h"

typedef uint32_t theme_set[STYLE_THEME_COUNT]; /* 0xRRGGBB */

struct theme {
	theme_set dark;
	theme_set light;
};

#define COLOURS(...) \
 {                   \
  __VA_ARGS__        \
 }
#define THEME(name, dark, light) [THEME_NAME_##name] = { dark, light },
static const struct theme themes[] = {
#include "conf/theme.def"
};
#undef THEME
#undef COLOURS

colour
theme_colour(unsigned name, bool light, enum style_theme which)
{
	const struct theme *t;

	if (name == THEME_NAME_DEFAULT || name >= ARRAY_LEN(themes) ||
	    which >= STYLE_THEME_COUNT)
		return COLOUR_NONE;
	t = &themes[name];
	return (colour)COLOUR_KIND_RGB << 24 |
	       (light ? t->light : t->dark)[which];
}

colour
theme_terminal_colour(enum style_theme which)
{
	static const uint8_t index[STYLE_THEME_COUNT] = {
		[STYLE_THEME_BLACK] = 0,
		[STYLE_THEME_WHITE] = 7,
		[STYLE_THEME_LIGHTGREY] = 7,
		[STYLE_THEME_DARKGREY] = 0,
		[STYLE_THEME_GREEN] = 2,
		[STYLE_THEME_YELLOW] = 3,
		[STYLE_THEME_RED] = 1,
		[STYLE_THEME_BLUE] = 4,
		[STYLE_THEME_CYAN] = 6,
		[STYLE_THEME_MAGENTA] = 5,
	};

	return which < STYLE_THEME_COUNT ? colour_index(index[which])
					 : COLOUR_DEFAULT;
}
