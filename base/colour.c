#include "config.h"

#include <stdio.h>
#include <string.h>

#include "base/colour.h"
#include "base/colour_int.h"
#include "base/err.h"
#include "base/str.h"

#define NAME_MAX_LEN 32 /* longer than any name of X11 */

struct colour_name {
	const char *name;
	uint32_t rgb;
};

#define X(name, rgb) { name, rgb },
static const struct colour_name x11_names[] = {
#include "base/colour.def"
};
#undef X

static const char *const ansi_names[] = { "black", "red", "green", "yellow",
	"blue", "magenta", "cyan", "white" };

/* xterm's default for colours 0..15. */
static const uint32_t ansi_rgb[16] = { 0x000000, 0xcd0000, 0x00cd00, 0xcdcd00,
	0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5, 0x7f7f7f, 0xff0000, 0x00ff00,
	0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff };

/* Component values of the 6x6x6 cube. */
static const uint8_t cube_steps[6] = { 0, 0x5f, 0x87, 0xaf, 0xd7, 0xff };

/* Folds N characters: lower case, no spaces.  False beyond NAME_MAX_LEN. */
static bool
name_fold(const char *s, size_t n, char *out)
{
	size_t i, len = 0;

	for (i = 0; i < n; i++) {
		if (s[i] == ' ')
			continue;
		if (len == NAME_MAX_LEN - 1)
			return false;
		out[len++] =
		    (char)(s[i] >= 'A' && s[i] <= 'Z' ? s[i] + ('a' - 'A')
						      : s[i]);
	}
	out[len] = '\0';
	return true;
}

/* Looks up a folded X11 name; sets *RGB to 0xRRGGBB. */
static int
x11_find(const char *name, uint32_t *rgb)
{
	size_t lo = 0, hi = ARRAY_LEN(x11_names), mid;
	int r;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		r = strcmp(x11_names[mid].name, name);
		if (r == 0) {
			*rgb = x11_names[mid].rgb;
			return 0;
		}
		if (r < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return -ERR_SYNTAX;
}

/* N hex digits (1..4) as a number, or -1. */
static int
hex_number(const char *s, size_t n)
{
	int v = 0, digit;
	size_t i;

	if (n < 1 || n > 4)
		return -1;
	for (i = 0; i < n; i++) {
		if ((digit = str_hex_digit(s[i])) < 0)
			return -1;
		v = v << 4 | digit;
	}
	return v;
}

/* Parses "#" and three equally long groups of hex digits, unscaled. */
static int
hash_groups(const char *s, size_t n, int rgb[3], size_t *each)
{
	size_t i;

	if (n < 4 || *s != '#' || (n - 1) % 3 != 0)
		return -ERR_SYNTAX;
	*each = (n - 1) / 3;
	for (i = 0; i < 3; i++)
		if ((rgb[i] = hex_number(s + 1 + i * *each, *each)) < 0)
			return -ERR_SYNTAX;
	return 0;
}

static int
parse_hash(const char *s, size_t n, colour *out)
{
	unsigned scale;
	size_t each;
	int rgb[3];

	if (hash_groups(s, n, rgb, &each) != 0 || each > 2)
		return -ERR_SYNTAX;
	scale = each == 1 ? 0x11 : 1;
	*out = colour_rgb((unsigned)rgb[0] * scale, (unsigned)rgb[1] * scale,
	    (unsigned)rgb[2] * scale);
	return 0;
}

/* black .. white, brightblack .. brightwhite, 0..7, 90..97. */
static int
parse_ansi(const char *name, colour *out)
{
	bool bright = str_starts(name, "bright");
	const char *plain = bright ? name + 6 : name;
	unsigned i;
	int64_t n;

	for (i = 0; i < ARRAY_LEN(ansi_names); i++) {
		if (strcmp(plain, ansi_names[i]) == 0) {
			*out = colour_index(bright ? i + 8 : i);
			return 0;
		}
	}
	if (*name < '0' || *name > '9' || str_to_int(name, 0, 97, &n) != 0 ||
	    (n > 7 && n < 90) || strlen(name) > 2 ||
	    (name[0] == '0' && name[1] != '\0'))
		return -ERR_SYNTAX;
	*out = colour_index((unsigned)(n < 8 ? n : n - 90 + 8));
	return 0;
}

/* Parses PREFIX and a number 0..255. */
static int
parse_numbered(const char *name, const char *prefix, unsigned *out)
{
	size_t n = strlen(prefix);
	int64_t v;

	if (!str_starts(name, prefix) || name[n] < '0' || name[n] > '9' ||
	    str_to_int(name + n, 0, 255, &v) != 0)
		return -ERR_SYNTAX;
	*out = (unsigned)v;
	return 0;
}

int
colour_parse(const char *s, colour *out)
{
	static const struct {
		const char *name;
		colour c;
	} words[] = { { "default", COLOUR_DEFAULT },
		{ "terminal", COLOUR_TERMINAL }, { "none", COLOUR_NONE } };
	char name[NAME_MAX_LEN];
	size_t n = strlen(s), i;
	uint32_t rgb;
	unsigned v;

	if (*s == '#')
		return parse_hash(s, n, out);
	if (!name_fold(s, n, name))
		return -ERR_SYNTAX;
	for (i = 0; i < ARRAY_LEN(words); i++) {
		if (strcmp(name, words[i].name) == 0) {
			*out = words[i].c;
			return 0;
		}
	}
	if (parse_ansi(name, out) == 0)
		return 0;
	if (parse_numbered(name, "colour", &v) == 0 ||
	    parse_numbered(name, "color", &v) == 0) {
		*out = colour_index(v);
		return 0;
	}
	if (parse_numbered(name, "theme", &v) == 0) {
		*out = (colour)COLOUR_KIND_THEME << 24 | v;
		return 0;
	}
	if (x11_find(name, &rgb) != 0)
		return -ERR_SYNTAX;
	*out = (colour)COLOUR_KIND_RGB << 24 | rgb;
	return 0;
}

const char *
colour_format(colour c, char *buf, size_t size)
{
	unsigned v = c & 0xffffff;

	switch (colour_kind(c)) {
	case COLOUR_KIND_INDEX:
		if (v < 16)
			snprintf(buf, size, "%s%s", v < 8 ? "" : "bright",
			    ansi_names[v % 8]);
		else
			snprintf(buf, size, "colour%u", v & 0xff);
		break;
	case COLOUR_KIND_RGB:
		snprintf(buf, size, "#%06x", v);
		break;
	case COLOUR_KIND_TERMINAL:
		snprintf(buf, size, "terminal");
		break;
	case COLOUR_KIND_NONE:
		snprintf(buf, size, "none");
		break;
	case COLOUR_KIND_THEME:
		snprintf(buf, size, "theme%u", v & 0xff);
		break;
	case COLOUR_KIND_DEFAULT:
	default:
		snprintf(buf, size, "default");
		break;
	}
	return buf;
}

uint32_t
colour_palette_rgb(unsigned index)
{
	unsigned i;

	index &= 0xff;
	if (index < 16)
		return ansi_rgb[index];
	if (index >= 232)
		return (8 + (index - 232) * 10) * 0x10101;
	i = index - 16;
	return (uint32_t)cube_steps[i / 36] << 16 |
	       (uint32_t)cube_steps[i / 6 % 6] << 8 | cube_steps[i % 6];
}

/* Squared distance of two colours in RGB space. */
static unsigned
distance(const unsigned a[3], uint32_t rgb)
{
	int d, sum = 0;
	unsigned i;

	for (i = 0; i < 3; i++) {
		d = (int)a[i] - (int)(rgb >> (16 - 8 * i) & 0xff);
		sum += d * d;
	}
	return (unsigned)sum;
}

/* Index of the cube value nearest to V. */
static unsigned
cube_nearest(unsigned v)
{
	if (v < 0x30)
		return 0;
	return v < 0x73 ? 1 : MIN_OF((v - 35) / 40, 5u);
}

unsigned
colour_rgb_to_256(unsigned r, unsigned g, unsigned b)
{
	unsigned a[3] = { r & 0xff, g & 0xff, b & 0xff };
	unsigned cube, grey, level = (a[0] + a[1] + a[2]) / 3;

	cube = 16 + 36 * cube_nearest(a[0]) + 6 * cube_nearest(a[1]) +
	       cube_nearest(a[2]);
	grey = 232 + (level < 13 ? 0 : MIN_OF((level - 3) / 10, 23u));
	return distance(a, colour_palette_rgb(grey)) <
		       distance(a, colour_palette_rgb(cube))
		   ? grey
		   : cube;
}

unsigned
colour_256_to_16(unsigned index)
{
	uint32_t rgb = colour_palette_rgb(index);
	unsigned r = rgb >> 16, g = rgb >> 8 & 0xff, b = rgb & 0xff;
	unsigned max = MAX_OF(r, MAX_OF(g, b)), min = MIN_OF(r, MIN_OF(g, b));
	unsigned bits;

	index &= 0xff;
	if (index < 16)
		return index;
	if (max - min <= max / 3) /* grey: nearest of 0, 8, 7, 15 */
		return max < 64 ? 0 : max < 179 ? 8 : max < 243 ? 7 : 15;
	/* A component counts from three quarters of the largest one. */
	bits = (r * 4 >= max * 3 ? 1u : 0) | (g * 4 >= max * 3 ? 2u : 0) |
	       (b * 4 >= max * 3 ? 4u : 0);
	return max >= 0xd7 ? bits + 8 : bits;
}

/* rgb:h/h/h after its prefix. */
static int
parse_device_rgb(const char *s, size_t n, uint32_t *rgb)
{
	const char *end = s + n, *slash;
	uint32_t out = 0;
	unsigned max, i;
	size_t len;
	int v;

	for (i = 0; i < 3; i++) {
		slash = i < 2 ? memchr(s, '/', (size_t)(end - s)) : end;
		if (slash == NULL)
			return -ERR_SYNTAX;
		len = (size_t)(slash - s);
		if ((v = hex_number(s, len)) < 0)
			return -ERR_SYNTAX;
		max = (1u << 4 * len) - 1;
		out = out << 8 | ((unsigned)v * 255 + max / 2) / max;
		s = slash + 1;
	}
	*rgb = out;
	return 0;
}

int
colour_parse_x11(const char *s, size_t n, uint32_t *rgb)
{
	char name[NAME_MAX_LEN];
	int v[3], r;
	size_t each, i;
	uint32_t out = 0;

	if (n == 0 || memchr(s, '\0', n) != NULL)
		return -ERR_SYNTAX;
	if (*s == '#') {
		if (hash_groups(s, n, v, &each) != 0)
			return -ERR_SYNTAX;
		for (i = 0; i < 3; i++)
			out =
			    out << 8 | ((uint32_t)v[i] << (16 - 4 * each)) >> 8;
		*rgb = out;
		return 0;
	}
	if (n > 4 && str_begins_nocase(s, n, "rgb:"))
		return parse_device_rgb(s + 4, n - 4, rgb);
	if ((r = colour_space_parse(s, n, rgb)) != -ERR_NOTFOUND)
		return r;
	if (!name_fold(s, n, name))
		return -ERR_SYNTAX;
	return x11_find(name, rgb);
}
