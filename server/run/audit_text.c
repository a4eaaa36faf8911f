#include "server/run/audit_text.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#define VALUE_MAX 512 /* bytes of a value that are written */

static bool
plain(unsigned char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') ||
	       (c != '\0' && strchr("-._:@%+,/$#[]", c) != NULL);
}

void
audit_put_value(struct buf *out, const char *value)
{
	size_t n = strlen(value), i;
	unsigned char c;

	n = MIN_OF(n, VALUE_MAX);
	for (i = 0; i < n && plain((unsigned char)value[i]); i++)
		;
	if (i == n && n > 0) {
		(void)buf_add(out, value, n);
		return;
	}
	(void)buf_add(out, "\"", 1);
	for (i = 0; i < n; i++) {
		c = (unsigned char)value[i];
		if (c == '"' || c == '\\')
			(void)buf_addf(out, "\\%c", c);
		else if (c < 0x20 || c > 0x7e)
			(void)buf_addf(out, "\\x%02x", c);
		else
			(void)buf_add(out, &value[i], 1);
	}
	(void)buf_add(out, "\"", 1);
}

void
audit_put_time(struct buf *out, int64_t ms)
{
	time_t at = (time_t)(ms / 1000);
	char text[32];
	struct tm tm;

	if (gmtime_r(&at, &tm) == NULL ||
	    strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &tm) == 0)
		(void)snprintf(text, sizeof(text), "0000-00-00T00:00:00");
	(void)buf_addf(out, "%s.%03dZ", text, (int)(ms % 1000));
}
