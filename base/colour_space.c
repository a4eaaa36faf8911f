/*
 * Colours in device-independent spaces, as XParseColor reads them: intensities
 * of RGB, the spaces of CIE, Tektronix' HVC.  The screen is the one that Xlib
 * takes where it has no profile, with a white of 9300 K.  Deviations:
 *  - A colour that the screen cannot show is cut in each component; Xlib
 *    reduces its chroma.
 *  - CIELab and CIELuv are as CIE defines them; Xlib's a* and b* count a
 *    hundredfold.
 */
#include <math.h>
#include <string.h>

#include "base/colour_int.h"
#include "base/err.h"
#include "base/str.h"
#include "base/types.h"

#define SPACE_FIELD_MAX 32 /* bytes of a number */
#define SPACE_VALUE_MAX 1e6
#define SPACE_NOTHING 1e-9
#define SPACE_DEGREE (3.14159265358979323846 / 180)

/* The screen's white, and its u' and v'. */
#define WHITE_X 0.9496644007
#define WHITE_Y 1.0
#define WHITE_Z 1.4060403037
#define WHITE_U 0.1883527389
#define WHITE_V 0.4462562379

/* HVC: the hue 0 is that of the best red, and a unit of chroma. */
#define HVC_HUE 5.1050968018
#define HVC_CHROMA 7.50725

/* clang-format off */
static const double space_rgb_of_xyz[3][3] = {
	{ 3.48340481253539, -1.521763749272852, -0.5592313335404978 },
	{ -1.071527513061936, 1.965937952043724, 0.03673691339553462 },
	{ 0.06351179790497788, -0.2002050100049648, 0.8107094182164822 },
};

static const uint32_t space_levels[255][3] = {
#define X(r, g, b) { r, g, b },
#include "base/colour_level.def"
#undef X
};
/* clang-format on */

/* --- numbers ------------------------------------------------------------------- */

/* Reads digits into *V, *EXP less one for each of them behind the point. */
static size_t
space_digits(const char *s, size_t n, double *v, int *exp, bool fraction)
{
	size_t i;

	for (i = 0; i < n && s[i] >= '0' && s[i] <= '9'; i++) {
		*v = *v * 10 + (s[i] - '0');
		*exp -= fraction;
	}
	return i;
}

/* "-1.5e-3", in any locale; false if it is no number or too large. */
static bool
space_number(const char *s, size_t n, double *out)
{
	bool minus = n > 0 && *s == '-', down;
	int exp = 0, unused = 0;
	size_t i, digits;
	double v = 0, e = 0;

	if (n == 0 || n > SPACE_FIELD_MAX)
		return false;
	i = *s == '-' || *s == '+';
	i += digits = space_digits(s + i, n - i, &v, &exp, false);
	if (i < n && s[i] == '.') {
		i++;
		digits += space_digits(s + i, n - i, &v, &exp, true);
		i += (size_t)-exp;
	}
	if (digits == 0)
		return false;
	if (i < n && (s[i] == 'e' || s[i] == 'E')) {
		i++;
		down = i < n && s[i] == '-';
		i += i < n && (s[i] == '-' || s[i] == '+');
		digits = space_digits(s + i, n - i, &e, &unused, false);
		if (digits == 0 || e > 99)
			return false;
		i += digits;
		exp += down ? -(int)e : (int)e;
	}
	v *= pow(10, exp);
	if (i != n || v > SPACE_VALUE_MAX)
		return false;
	*out = minus ? -v : v;
	return true;
}

/* --- spaces -------------------------------------------------------------------- */

/* The highest level that an intensity reaches. */
static uint32_t
space_level(unsigned component, double v)
{
	unsigned lo = 0, hi = 255, mid;

	/* Half a millionth of room: thresholds are rounded. */
	v = v * 1e6 + 0.5;
	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (v < space_levels[mid][component])
			hi = mid;
		else
			lo = mid + 1;
	}
	return lo;
}

static uint32_t
space_rgbi(const double v[3])
{
	return space_level(0, v[0]) << 16 | space_level(1, v[1]) << 8 |
	       space_level(2, v[2]);
}

static uint32_t
space_xyz(const double v[3])
{
	double rgb[3];
	unsigned i;

	for (i = 0; i < 3; i++)
		rgb[i] = space_rgb_of_xyz[i][0] * v[0] +
			 space_rgb_of_xyz[i][1] * v[1] +
			 space_rgb_of_xyz[i][2] * v[2];
	return space_rgbi(rgb);
}

static uint32_t
space_xyy(const double v[3])
{
	if (fabs(v[1]) < SPACE_NOTHING)
		return 0;
	return space_xyz((const double[3]){
	    v[0] * v[2] / v[1], v[2], (1 - v[0] - v[1]) * v[2] / v[1] });
}

static uint32_t
space_uvy(const double v[3])
{
	const double d = 6 * v[0] - 16 * v[1] + 12;

	if (fabs(d) < SPACE_NOTHING)
		return 0;
	return space_xyy((const double[3]){ 9 * v[0] / d, 4 * v[1] / d, v[2] });
}

/* Y of a lightness, which is 0 to 100. */
static double
space_luminance(double l)
{
	const double f = (l + 16) / 116;

	return l < 7.99953624 ? l / 903.29 : f * f * f;
}

static double
space_lab_part(double f)
{
	return f > 6.0 / 29 ? f * f * f : (f - 16.0 / 116) * 108 / 841;
}

static uint32_t
space_lab(const double v[3])
{
	const double f = (v[0] + 16) / 116;

	return space_xyz(
	    (const double[3]){ space_lab_part(f + v[1] / 500) * WHITE_X,
		space_luminance(v[0]) * WHITE_Y,
		space_lab_part(f - v[2] / 200) * WHITE_Z });
}

static uint32_t
space_luv(const double v[3])
{
	if (v[0] <= 0)
		return 0;
	return space_uvy((const double[3]){ v[1] / (13 * v[0]) + WHITE_U,
	    v[2] / (13 * v[0]) + WHITE_V, space_luminance(v[0]) });
}

static uint32_t
space_hvc(const double v[3])
{
	const double hue = (v[0] + HVC_HUE) * SPACE_DEGREE;

	if (v[1] <= 0)
		return 0;
	if (v[1] >= 100)
		return 0xffffff;
	return space_uvy(
	    (const double[3]){ v[2] * cos(hue) / (v[1] * HVC_CHROMA) + WHITE_U,
		v[2] * sin(hue) / (v[1] * HVC_CHROMA) + WHITE_V,
		space_luminance(v[1]) });
}

static const struct space_row {
	const char *name; /* in lower case */
	uint32_t (*fn)(const double v[3]);
} space_rows[] = {
	{ "rgbi:", space_rgbi },
	{ "ciexyz:", space_xyz },
	{ "ciexyy:", space_xyy },
	{ "cieuvy:", space_uvy },
	{ "cielab:", space_lab },
	{ "cieluv:", space_luv },
	{ "tekhvc:", space_hvc },
};

int
colour_space_parse(const char *s, size_t n, uint32_t *rgb)
{
	const char *end = s + n, *slash;
	double v[3];
	size_t i, k;

	for (k = 0; k < ARRAY_LEN(space_rows); k++)
		if (str_begins_nocase(s, n, space_rows[k].name))
			break;
	if (k == ARRAY_LEN(space_rows))
		return -ERR_NOTFOUND;
	s += strlen(space_rows[k].name);
	for (i = 0; i < 3; i++) {
		slash = i < 2 ? memchr(s, '/', (size_t)(end - s)) : end;
		if (slash == NULL ||
		    !space_number(s, (size_t)(slash - s), &v[i]))
			return -ERR_SYNTAX;
		s = slash + 1;
	}
	*rgb = space_rows[k].fn(v);
	return 0;
}
