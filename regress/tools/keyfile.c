#include "regress/tools/keyfile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* clang-format off */
static const struct {
	char c, byte;
} escapes[] = {
	{ 'e', '\033' }, { 'r', '\r' }, { 'n', '\n' }, { 't', '\t' },
	{ 'b', '\b' }, { '\\', '\\' }, { '"', '"' },
};
/* clang-format on */

static int
hex(char c)
{
	const char *digits = "0123456789abcdef", *p = strchr(digits, c);

	return c == '\0' || p == NULL ? -1 : (int)(p - digits);
}

/* Decodes the quoted string at S into OUT; returns its length, or -1. */
static int
string_parse(const char *s, char *out, size_t max)
{
	size_t n = 0, i;

	if (*s++ != '"')
		return -1;
	for (; *s != '"'; s++) {
		if (*s == '\0' || *s == '\n' || n == max)
			return -1;
		if (*s != '\\') {
			out[n++] = *s;
			continue;
		}
		s++;
		if (*s == 'x') {
			if (hex(s[1]) < 0 || hex(s[2]) < 0)
				return -1;
			out[n++] = (char)(hex(s[1]) * 16 + hex(s[2]));
			s += 2;
			continue;
		}
		for (i = 0; i < sizeof escapes / sizeof escapes[0]; i++)
			if (escapes[i].c == *s)
				break;
		if (i == sizeof escapes / sizeof escapes[0])
			return -1;
		out[n++] = escapes[i].byte;
	}
	return (int)n;
}

static bool
key_parse(struct keyfile *f, const char *s, double *since)
{
	struct keyfile_key *k;
	char *end;
	double ms = strtod(s, &end);
	int n;

	if (end == s || *end != ' ' || !(ms >= 0) || f->n == KEYFILE_KEYS_MAX)
		return false;
	f->key = mem_resize(f->key, f->n + 1, sizeof *f->key);
	k = &f->key[f->n];
	n = string_parse(end + 1, k->bytes, sizeof k->bytes);
	if (n <= 0)
		return false;
	k->len = (unsigned)n;
	k->gap = ms + *since;
	*since = 0;
	f->n++;
	return true;
}

static bool
line_parse(struct keyfile *f, const char *s, double *since)
{
	int n;

	if (*s == '#' || *s == '\n' || strncmp(s, "name ", 5) == 0 ||
	    strcmp(s, "keys 1\n") == 0)
		return true;
	if (strncmp(s, "size ", 5) == 0)
		return sscanf(s + 5, "%u %u", &f->cols, &f->rows) == 2 &&
		       f->cols > 0 && f->cols <= 500 && f->rows > 0 &&
		       f->rows <= 200;
	if (strncmp(s, "ready ", 6) == 0) {
		n = string_parse(s + 6, f->ready, sizeof f->ready - 1);
		if (n >= 0)
			f->ready[n] = '\0';
		return n >= 0;
	}
	if (strncmp(s, "o ", 2) == 0) {
		*since += strtod(s + 2, NULL);
		return true;
	}
	return strncmp(s, "k ", 2) == 0 && key_parse(f, s + 2, since);
}

bool
keyfile_read(const char *path, struct keyfile *f)
{
	FILE *in = fopen(path, "r");
	double since = 0;
	char *line = NULL;
	size_t size = 0;
	unsigned no = 0;
	bool ok = true;

	memset(f, 0, sizeof *f);
	f->cols = 80;
	f->rows = 24;
	if (in == NULL) {
		fprintf(stderr, "%s: %s\n", path, strerror(errno));
		return false;
	}
	while (ok && getline(&line, &size, in) > 0) {
		ok = ++no > 1 || strcmp(line, "keys 1\n") == 0;
		ok = ok && line_parse(f, line, &since);
		if (!ok)
			fprintf(stderr, "%s:%u: not understood\n", path, no);
	}
	free(line); /* getline's own */
	fclose(in);
	if (!ok)
		keyfile_fini(f);
	return ok;
}

void
keyfile_fini(struct keyfile *f)
{
	mem_free(f->key);
	memset(f, 0, sizeof *f);
}

void
keyfile_string(FILE *out, const char *p, size_t n)
{
	size_t i, k;

	putc('"', out);
	for (i = 0; i < n; i++) {
		for (k = 0; k < sizeof escapes / sizeof escapes[0]; k++)
			if (escapes[k].byte == p[i])
				break;
		if (k < sizeof escapes / sizeof escapes[0])
			fprintf(out, "\\%c", escapes[k].c);
		else if ((unsigned char)p[i] < 0x20 || p[i] == 0x7f)
			fprintf(out, "\\x%02x", (unsigned char)p[i]);
		else
			putc(p[i], out);
	}
	putc('"', out);
}

void
keyfile_line(FILE *out, char kind, double ms, const char *p, size_t n)
{
	fprintf(out, "%c %.1f ", kind, ms);
	keyfile_string(out, p, n);
	putc('\n', out);
}
