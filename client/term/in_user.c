/* Sequences of the option user-keys. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "client/term/in_int.h"

/* Parses "N hex" of LEN characters; returns false on an error. */
static bool
user_parse(const char *s, size_t len, struct term_user *u)
{
	unsigned long num;
	char *end;
	int hi, lo;

	num = strtoul(s, &end, 10);
	if (end == s || *end != ' ' || num >= KEY_USER_COUNT)
		return false;
	len -= MIN_OF(len, (size_t)(end + 1 - s));
	s = end + 1;
	if (len == 0 || len % 2 != 0 || len / 2 > sizeof(u->bytes))
		return false;
	u->key = KEY_USER0 + num;
	for (u->len = 0; u->len < len / 2; u->len++) {
		hi = str_hex_digit(s[u->len * 2]);
		lo = str_hex_digit(s[u->len * 2 + 1]);
		if (hi < 0 || lo < 0)
			return false;
		u->bytes[u->len] = (uint8_t)(hi * 16 + lo);
	}
	return true;
}

void
term_in_set_user_keys(struct term_in *in, const char *text)
{
	const char *end, *s;
	size_t max = 0;

	for (s = text; *s != '\0'; s++)
		max += *s == '\n';
	mem_free(in->user);
	in->nuser = 0;
	in->user = max == 0 ? NULL : mem_calloc(max, sizeof(*in->user));
	for (s = text; (end = strchr(s, '\n')) != NULL; s = end + 1)
		if (in->nuser < max &&
		    user_parse(s, (size_t)(end - s), &in->user[in->nuser]))
			in->nuser++;
}

int
in_user_take(struct term_in *in, const uint8_t *p, size_t n)
{
	const struct term_user *u;
	size_t i;
	int r = 0;

	for (i = 0; i < in->nuser; i++) {
		u = &in->user[i];
		if (memcmp(u->bytes, p, MIN_OF(n, u->len)) != 0)
			continue;
		if (n >= u->len) {
			term_in_emit_key(in, u->key);
			return (int)u->len;
		}
		r = -1;
	}
	return r;
}
