#include "config.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "base/str.h"

static const char *const log_levels[] = { "error", "warn", "info", "debug" };
static const char *const log_areas[] = { "base", "ssp", "conf", "vt", "mux",
	"sync", "predict", "server", "client" };

_Static_assert(ARRAY_LEN(log_areas) == LOG_AREA_COUNT, "a name for each area");

const char *
log_level_name(enum log_level level)
{
	return (size_t)level < ARRAY_LEN(log_levels) ? log_levels[level] : "?";
}

const char *
log_area_name(enum log_area area)
{
	return (size_t)area < ARRAY_LEN(log_areas) ? log_areas[area] : "?";
}

void
log_write(const struct log *l, enum log_level level, enum log_area area,
    const char *fmt, ...)
{
	/* Longer than `text`: str_printable then marks what vsnprintf cut. */
	char raw[LOG_LINE_MAX + 8], text[LOG_LINE_MAX];
	va_list ap;
	int n;

	if (l == NULL || l->sink == NULL || level > l->level)
		return;
	va_start(ap, fmt);
	n = vsnprintf(raw, sizeof(raw), fmt, ap);
	va_end(ap);
	if (n < 0)
		return;
	str_printable(text, sizeof(text), raw, strlen(raw), sizeof(raw));
	l->sink(l->arg, level, area, text);
}
