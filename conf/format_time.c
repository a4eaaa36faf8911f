/* Modifier t: and strftime(3): times as text. */
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "conf/format_mod.h"

#define FMT_TIME_MAX 8192u /* bytes that one strftime(3) may write */

/* The last time that is shown; strftime is safe up to it. */
#define FMT_TIME_LAST INT64_C(253402300799) /* 9999-12-31 23:59:59 UTC */

/* Converts days since 1970-01-01 to a date of the Gregorian calendar. */
static void
fmt_time_civil(int64_t days, struct tm *tm)
{
	static const int before[12] = { 0, 31, 59, 90, 120, 151, 181, 212, 243,
		273, 304, 334 };
	int64_t z = days + 719468, era, doe, yoe, doy, mp, year;
	bool leap;

	era = (z >= 0 ? z : z - 146096) / 146097;
	doe = z - era * 146097;
	yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
	doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
	mp = (5 * doy + 2) / 153;
	tm->tm_mday = (int)(doy - (153 * mp + 2) / 5 + 1);
	tm->tm_mon = (int)(mp < 10 ? mp + 2 : mp - 10);
	year = yoe + era * 400 + (tm->tm_mon <= 1);
	tm->tm_year = (int)(year - 1900);
	leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
	tm->tm_yday =
	    before[tm->tm_mon] + tm->tm_mday - 1 + (leap && tm->tm_mon > 1);
	tm->tm_wday = (int)(((days + 4) % 7 + 7) % 7);
}

void
fmt_local_time(const struct fmt *f, int64_t t, struct tm *tm)
{
	const struct format_ops *ops = f->scope.ops;
	int64_t days, rest;

	memset(tm, 0, sizeof(*tm));
	t = CLAMP(t, -FMT_TIME_LAST, FMT_TIME_LAST);
	if (ops->local_time != NULL) {
		ops->local_time(f->scope.ctx, t, tm);
		return;
	}
	days = t / 86400 - (t % 86400 < 0);
	rest = t - days * 86400;
	fmt_time_civil(days, tm);
	tm->tm_hour = (int)(rest / 3600);
	tm->tm_min = (int)(rest / 60 % 60);
	tm->tm_sec = (int)(rest % 60);
}

void
fmt_strftime(const struct tm *tm, const char *p, size_t n, struct buf *out)
{
	uint8_t *dst;
	char *format;

	if (n >= FMT_TIME_MAX || buf_reserve(out, FMT_TIME_MAX, &dst) != 0)
		return;
	format = mem_strndup(p, n);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	/*
	 * The format comes from the user: strftime accepts any and is bounded.
	 */
	buf_commit(out, strftime((char *)dst, FMT_TIME_MAX, format, tm));
#pragma GCC diagnostic pop
	mem_free(format);
}

static void
fmt_time_add(struct buf *out, const struct tm *tm, const char *format)
{
	fmt_strftime(tm, format, strlen(format), out);
}

/* Prints a time: the longer ago, the shorter. */
static void
fmt_time_pretty(const struct fmt *f, int64_t t, struct buf *out)
{
	int64_t now = f->run->args->now_ms / 1000, age;
	struct tm tm, now_tm;

	t = MIN_OF(t, now);
	age = now - t;
	fmt_local_time(f, t, &tm);
	fmt_local_time(f, now, &now_tm);
	if (age < 24 * 3600)
		fmt_time_add(out, &tm, "%H:%M");
	else if ((tm.tm_year == now_tm.tm_year && tm.tm_mon == now_tm.tm_mon) ||
		 age < 28 * 24 * 3600)
		fmt_time_add(out, &tm, "%a%d");
	else if ((tm.tm_year == now_tm.tm_year && tm.tm_mon < now_tm.tm_mon) ||
		 (tm.tm_year == now_tm.tm_year - 1 &&
		     tm.tm_mon > now_tm.tm_mon))
		fmt_time_add(out, &tm, "%d%b");
	else
		fmt_time_add(out, &tm, "%h%y");
}

/* Prints the two largest units of an elapsed time: 3d4h, 4h5m, 12s. */
static void
fmt_time_relative(const struct fmt *f, int64_t t, struct buf *out)
{
	static const struct {
		int64_t seconds;
		char unit;
	} units[] = { { 86400, 'd' }, { 3600, 'h' }, { 60, 'm' }, { 1, 's' } };
	int64_t age = f->run->args->now_ms / 1000 - t, n;
	size_t i;

	age = MAX_OF(age, 0);
	for (i = 0; i < ARRAY_LEN(units) - 1; i++)
		if (age >= units[i].seconds)
			break;
	(void)buf_addf(
	    out, "%lld%c", (long long)(age / units[i].seconds), units[i].unit);
	if (i + 1 >= ARRAY_LEN(units))
		return;
	n = age % units[i].seconds / units[i + 1].seconds;
	if (n > 0)
		(void)buf_addf(out, "%lld%c", (long long)n, units[i + 1].unit);
}

/* Removes the # that escape a character of an argument. */
static void
fmt_time_strip(const char *s, struct buf *out)
{
	for (; *s != '\0'; s++) {
		if (*s == '#' && s[1] != '\0' && strchr(",#{}:", s[1]) != NULL)
			s++;
		(void)buf_add_u8(out, (uint8_t)*s);
	}
}

/* %% counts as % where no outer strftime(3) has run. */
static void
fmt_time_format(const struct fmt_call *c, const struct tm *tm, struct buf *out)
{
	const char *s = fmt_arg(c, 1);
	struct buf b;

	buf_init(&b, FMT_TIME_MAX);
	fmt_time_strip(s, &b);
	fmt_strftime(tm, buf_cstr(&b), b.len, out);
	buf_fini(&b);
}

bool
fmt_mod_time(const struct fmt_call *c, struct buf *value)
{
	const char *flags = fmt_arg(c, 0);
	struct tm tm;
	int64_t t;

	if (str_to_int(buf_cstr(value), 0, INT64_MAX, &t) != 0)
		t = 0;
	buf_clear(value);
	if (t == 0)
		return true;
	fmt_local_time(c->f, t, &tm);
	if (strchr(flags, 'p') != NULL)
		fmt_time_pretty(c->f, t, value);
	else if (strchr(flags, 'r') != NULL)
		fmt_time_relative(c->f, t, value);
	else if (strchr(flags, 'd') != NULL)
		(void)buf_addf(value, "%lld",
		    (long long)(c->f->run->args->now_ms / 1000 - t));
	else if (strchr(flags, 'f') != NULL && c->use->argc > 1)
		fmt_time_format(c, &tm, value);
	else
		fmt_time_add(value, &tm, "%a %b %e %H:%M:%S %Y");
	return true;
}
