#include "base/url.h"

#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"

bool
url_file(const char *s, size_t n, struct url_file *out)
{
	static const char file[] = "file://", kitty[] = "kitty-shell-cwd://";
	const char *slash;
	size_t head;

	if (str_begins_nocase(s, n, file))
		head = sizeof file - 1;
	else if (str_begins_nocase(s, n, kitty))
		head = sizeof kitty - 1;
	else
		return false;
	slash = memchr(s + head, '/', n - head);
	if (slash == NULL)
		return false;
	out->host = s + head;
	out->hostlen = (size_t)(slash - out->host);
	out->path = slash;
	out->pathlen = n - (size_t)(slash - s);
	out->encoded = head == sizeof file - 1;
	return true;
}

char *
url_decode_new(const char *s, size_t n)
{
	char *out = mem_alloc(n + 1);
	size_t i, len = 0;
	int hi, lo;

	for (i = 0; i < n; i++) {
		hi = (unsigned char)s[i];
		if (s[i] == '%') {
			hi = i + 2 < n ? str_hex_digit(s[i + 1]) : -1;
			lo = hi < 0 ? -1 : str_hex_digit(s[i + 2]);
			if (lo < 0)
				break;
			hi = hi * 16 + lo;
			i += 2;
		}
		out[len++] = (char)hi;
	}
	out[len] = '\0';
	if (i == n && utf8_valid(out, len) && !utf8_has_control(out, len))
		return out;
	mem_free(out);
	return NULL;
}
