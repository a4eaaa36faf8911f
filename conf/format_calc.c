/* Modifier e: arithmetic and numeric comparison. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "conf/format_mod.h"

#define FMT_CALC_DIGITS_MAX 100 /* decimal places */

typedef double (*fmt_calc_fn)(double a, double b);

static double
fmt_calc_add(double a, double b)
{
	return a + b;
}

static double
fmt_calc_subtract(double a, double b)
{
	return a - b;
}

static double
fmt_calc_multiply(double a, double b)
{
	return a * b;
}

/* Division by zero gives inf or nan, as in tmux. */
static double
fmt_calc_divide(double a, double b)
{
	if (!(b < 0) && !(b > 0))
		return a > 0   ? (double)INFINITY
		       : a < 0 ? -(double)INFINITY
			       : -(double)NAN;
	return a / b;
}

static double
fmt_calc_modulo(double a, double b)
{
	return fmod(a, b);
}

/* Numbers that differ by less than this are equal. */
#define FMT_CALC_EPSILON 1e-9

static double
fmt_calc_equal(double a, double b)
{
	return fabs(a - b) < FMT_CALC_EPSILON;
}

static double
fmt_calc_differ(double a, double b)
{
	return !(fabs(a - b) < FMT_CALC_EPSILON);
}

static double
fmt_calc_less(double a, double b)
{
	return a < b;
}

static double
fmt_calc_greater(double a, double b)
{
	return a > b;
}

static double
fmt_calc_less_equal(double a, double b)
{
	return a <= b;
}

static double
fmt_calc_greater_equal(double a, double b)
{
	return a >= b;
}

static const struct {
	const char *name;
	fmt_calc_fn fn;
} fmt_calcs[] = {
	{ "+", fmt_calc_add },
	{ "-", fmt_calc_subtract },
	{ "*", fmt_calc_multiply },
	{ "/", fmt_calc_divide },
	{ "%", fmt_calc_modulo },
	{ "%%", fmt_calc_modulo },
	{ "m", fmt_calc_modulo },
	{ "==", fmt_calc_equal },
	{ "!=", fmt_calc_differ },
	{ "<", fmt_calc_less },
	{ ">", fmt_calc_greater },
	{ "<=", fmt_calc_less_equal },
	{ ">=", fmt_calc_greater_equal },
};

/* Truncates X to an integer; out of range gives the minimum, as on x86. */
static double
fmt_calc_whole(double x)
{
	if (!(x > -9.3e18 && x < 9.2233720368547e18))
		return -0x1p63;
	return (double)(int64_t)x;
}

/* Parses S as a number; truncates it unless FLOATING. */
static bool
fmt_calc_number(const char *s, bool floating, double *out)
{
	char *end;

	*out = strtod(s, &end);
	if (*end != '\0')
		return false;
	if (!floating)
		*out = fmt_calc_whole(*out);
	return true;
}

/* The operation of one use of e:, without its numbers. */
struct fmt_calc {
	fmt_calc_fn fn;
	bool floating;
	int64_t digits;
};

/* Reads operator and precision; false after an error was traced. */
static bool
fmt_calc_parse(const struct fmt_call *c, struct fmt_calc *calc)
{
	const char *digits = fmt_arg(c, 2);
	size_t i;

	for (i = 0; i < ARRAY_LEN(fmt_calcs); i++)
		if (strcmp(fmt_calcs[i].name, fmt_arg(c, 0)) == 0)
			break;
	if (i == ARRAY_LEN(fmt_calcs)) {
		fmt_trace(c->f, "expression has no valid operator: '%s'",
		    fmt_arg(c, 0));
		return false;
	}
	calc->fn = fmt_calcs[i].fn;
	calc->floating = strchr(fmt_arg(c, 1), 'f') != NULL;
	calc->digits = calc->floating ? 2 : 0;
	if (c->use->argc >= 3 &&
	    str_to_int(digits, -1, FMT_CALC_DIGITS_MAX, &calc->digits) != 0) {
		fmt_trace(c->f, "expression precision %s: %s",
		    str_to_int(digits, INT32_MIN, INT32_MAX, &calc->digits) != 0
			? "invalid"
		    : calc->digits > 0 ? "too large"
				       : "too small",
		    digits);
		return false;
	}
	return true;
}

/* Parses the number of one SIDE; false after an error was traced. */
static bool
fmt_calc_side(const struct fmt_call *c, const struct fmt_calc *calc,
    const char *side, struct buf *text, double *out)
{
	if (fmt_calc_number(buf_cstr(text), calc->floating, out))
		return true;
	fmt_trace(
	    c->f, "expression %s side is invalid: %s", side, buf_cstr(text));
	return false;
}

bool
fmt_mod_calc(const struct fmt_call *c, struct buf *value)
{
	struct fmt_calc calc;
	struct fmt_text l, r;
	struct buf left, right;
	double a, b, result;

	if (!fmt_calc_parse(c, &calc))
		return true;
	if (!fmt_split(c->text, &l, &r)) {
		fmt_trace(c->f, "expression syntax error");
		return true;
	}
	buf_init(&left, FORMAT_OUTPUT_MAX);
	buf_init(&right, FORMAT_OUTPUT_MAX);
	fmt_expand(c->f, l.p, l.n, &left);
	fmt_expand(c->f, r.p, r.n, &right);
	if (fmt_calc_side(c, &calc, "left", &left, &a) &&
	    fmt_calc_side(c, &calc, "right", &right, &b)) {
		result = calc.fn(a, b);
		if (!calc.floating)
			result = fmt_calc_whole(result);
		if (calc.digits == 0 && !calc.floating && result >= 0 &&
		    result < 1e15)
			(void)buf_add_uint(value, (uint64_t)result);
		else
			(void)buf_addf(value, "%.*f", (int)calc.digits, result);
		fmt_trace(
		    c->f, "expression left side is: %.*f", (int)calc.digits, a);
		fmt_trace(c->f, "expression right side is: %.*f",
		    (int)calc.digits, b);
		if (fmt_traced(c->f))
			fmt_trace(
			    c->f, "expression result is %s", buf_cstr(value));
	}
	buf_fini(&left);
	buf_fini(&right);
	return true;
}
