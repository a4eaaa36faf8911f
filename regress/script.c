#include "regress/script.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"

#define SCRIPT_FILE_MAX (16 << 20)
#define SCRIPT_ARG_MAX (8 << 20)
#define TAP_REASONS 8 /* reasons printed for one test */

static int tap_count;
static int tap_bad;
static int tap_failed;
static char *tap_name;
static char *tap_why; /* reason of an expected failure, or NULL */

void
script_die(
    const struct script *s, const struct script_line *l, const char *fmt, ...)
{
	va_list ap;

	printf("Bail out! %s:%d: ", s->path, l == NULL ? 0 : l->no);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	printf("\n");
	exit(99);
}

static char *
script_read(const struct script *s, size_t *len)
{
	FILE *f;
	char *data;

	if ((f = fopen(s->path, "rb")) == NULL)
		script_die(s, NULL, "%s", strerror(errno));
	data = mem_alloc(SCRIPT_FILE_MAX);
	*len = fread(data, 1, SCRIPT_FILE_MAX - 1, f);
	if (!feof(f))
		script_die(s, NULL, "longer than %d bytes", SCRIPT_FILE_MAX);
	fclose(f);
	data[*len] = '\0';
	return data;
}

/* Decodes the escape after the backslash at P; returns its end. */
static const char *
script_escape(const struct script *s, const struct script_line *l,
    const char *p, struct buf *out)
{
	static const char from[] = "eabtnvfr\\\"";
	static const char to[] = "\033\a\b\t\n\v\f\r\\\"";
	uint8_t utf8[UTF8_MAX];
	const char *at;
	uint32_t cp = 0;
	int hi, lo;

	if (*p != '\0' && (at = strchr(from, *p)) != NULL) {
		buf_add_u8(out, (uint8_t)to[at - from]);
		return p + 1;
	}
	if (*p == 'x' && (hi = str_hex_digit(p[1])) >= 0 &&
	    (lo = str_hex_digit(p[2])) >= 0) {
		buf_add_u8(out, (uint8_t)(hi << 4 | lo));
		return p + 3;
	}
	if (p[0] != 'u' || p[1] != '{')
		script_die(s, l, "unknown escape \\%c", *p);
	for (p += 2; (hi = str_hex_digit(*p)) >= 0; p++)
		cp = cp << 4 | (uint32_t)hi;
	if (*p != '}')
		script_die(s, l, "\\u{...} is not closed");
	buf_add(out, utf8, utf8_encode(cp, utf8));
	return p + 1;
}

/* A quoted piece at P (after the quote), with its *N. */
static const char *
script_quoted(const struct script *s, const struct script_line *l,
    const char *p, struct buf *out)
{
	size_t from = out->len, n;
	char *end, *copy;
	long times;

	while (*p != '"') {
		if (*p == '\0')
			script_die(s, l, "quote is not closed");
		if (*p == '\\')
			p = script_escape(s, l, p + 1, out);
		else
			buf_add_u8(out, (uint8_t)*p++);
	}
	p++;
	if (*p != '*')
		return p;
	times = strtol(p + 1, &end, 10);
	n = out->len - from;
	copy = mem_dup(out->data + from, n);
	buf_truncate(out, from);
	while (times-- > 0)
		buf_add(out, copy, n);
	mem_free(copy);
	return end;
}

static void
script_split(const struct script *s, struct script_line *l, const char *p)
{
	struct script_arg *a;
	struct buf b;

	for (;;) {
		p += strspn(p, " \t");
		if (*p == '\0' || *p == '#')
			return;
		if (l->argc == SCRIPT_ARGS)
			script_die(s, l, "more than %d words", SCRIPT_ARGS);
		a = &l->argv[l->argc++];
		a->quoted = *p == '"';
		buf_init(&b, SCRIPT_ARG_MAX);
		while (*p != '\0' && *p != ' ' && *p != '\t')
			if (*p == '"')
				p = script_quoted(s, l, p + 1, &b);
			else
				buf_add_u8(&b, (uint8_t)*p++);
		if (b.overflow)
			script_die(s, l, "argument is too long");
		a->p = buf_steal(&b, &a->n);
		buf_fini(&b);
	}
}

void
script_load(struct script *s, const char *path)
{
	size_t len, cap = 0;
	char *data, *p, *next;
	struct script_line *l;
	int no = 0;

	memset(s, 0, sizeof(*s));
	s->path = path;
	data = script_read(s, &len);
	for (p = data; p != NULL && *p != '\0'; p = next) {
		if ((next = strchr(p, '\n')) != NULL)
			*next++ = '\0';
		no++;
		if (s->count == cap) {
			cap = cap == 0 ? 64 : cap * 2;
			s->lines = mem_resize(s->lines, cap, sizeof(*s->lines));
		}
		l = &s->lines[s->count];
		memset(l, 0, sizeof(*l));
		l->no = no;
		script_split(s, l, p);
		if (l->argc > 0)
			s->count++;
	}
	mem_free(data);
}

void
script_free(struct script *s)
{
	size_t i;
	int j;

	for (i = 0; i < s->count; i++)
		for (j = 0; j < s->lines[i].argc; j++)
			mem_free(s->lines[i].argv[j].p);
	mem_free(s->lines);
}

const struct script_arg *
script_opt(const struct script_line *l, const char *key)
{
	static struct script_arg value;
	size_t n = strlen(key);
	int i;

	for (i = 1; i < l->argc; i++)
		if (!l->argv[i].quoted && l->argv[i].n > n &&
		    memcmp(l->argv[i].p, key, n) == 0 &&
		    l->argv[i].p[n] == '=') {
			value.p = l->argv[i].p + n + 1;
			value.n = l->argv[i].n - n - 1;
			return &value;
		}
	return NULL;
}

bool
script_has(const struct script_line *l, const char *word)
{
	int i;

	for (i = 1; i < l->argc; i++)
		if (!l->argv[i].quoted && strcmp(l->argv[i].p, word) == 0)
			return true;
	return false;
}

long
script_num(const struct script *s, const struct script_line *l, int i)
{
	int64_t v;

	if (i >= l->argc)
		script_die(s, l, "argument %d is missing", i);
	if (str_to_int(l->argv[i].p, INT32_MIN, INT32_MAX, &v) != 0)
		script_die(s, l, "'%s' is not a number", l->argv[i].p);
	return (long)v;
}

const char *
script_quote(const void *p, size_t n)
{
	static const char from[] = "\033\a\b\t\n\v\f\r\\\"";
	static const char to[] = "eabtnvfr\\\"";
	static char text[4096];
	const uint8_t *b = p;
	const char *at;
	size_t i, k = 0;

	text[k++] = '"';
	for (i = 0; i < n && k < sizeof(text) - 16; i++) {
		if (b[i] != 0 && (at = strchr(from, b[i])) != NULL) {
			text[k++] = '\\';
			text[k++] = to[at - from];
		} else if (b[i] < 0x20 || b[i] == 0x7f)
			k += (size_t)snprintf(text + k, 5, "\\x%02x", b[i]);
		else
			text[k++] = (char)b[i];
	}
	text[k++] = '"';
	if (i < n) {
		memcpy(text + k, "...", 3);
		k += 3;
	}
	text[k] = '\0';
	return text;
}

static int
script_order(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

char **
script_list(const char *dir, const char *suffix)
{
	struct dirent *e;
	char **list = NULL, *path;
	size_t n = 0, len;
	DIR *d;

	if ((d = opendir(dir)) == NULL) {
		printf("Bail out! %s: %s\n", dir, strerror(errno));
		exit(99);
	}
	while ((e = readdir(d)) != NULL) {
		if (e->d_name[0] == '.' || !str_ends(e->d_name, suffix))
			continue;
		len = strlen(dir) + strlen(e->d_name) + 2;
		path = mem_alloc(len);
		snprintf(path, len, "%s/%s", dir, e->d_name);
		list = mem_resize(list, n + 2, sizeof(*list));
		list[n++] = path;
	}
	closedir(d);
	if (list == NULL)
		return mem_zalloc(sizeof(*list));
	qsort(list, n, sizeof(*list), script_order);
	list[n] = NULL;
	return list;
}

void
script_list_free(char **list)
{
	size_t i;

	for (i = 0; list[i] != NULL; i++)
		mem_free(list[i]);
	mem_free(list);
}

const char *
script_srcdir(const char *rest)
{
	static char path[4096];
	const char *top = getenv("top_srcdir");

	snprintf(path, sizeof(path), "%s/%s", top == NULL ? "." : top, rest);
	return path;
}

static void
tap_close(void)
{
	if (tap_name == NULL)
		return;
	tap_count++;
	if (tap_failed > TAP_REASONS)
		printf("# and %d more\n", tap_failed - TAP_REASONS);
	printf("%sok %d - %s%s%s\n", tap_failed == 0 ? "" : "not ", tap_count,
	    tap_name, tap_why == NULL ? "" : " # TODO ",
	    tap_why == NULL ? "" : tap_why);
	if (tap_failed != 0 && tap_why == NULL)
		tap_bad++;
	mem_free(tap_why);
	tap_why = NULL;
	mem_free(tap_name);
	tap_name = NULL;
	tap_failed = 0;
	fflush(stdout);
}

void
tap_test(const char *path, const char *name)
{
	const char *base = strrchr(path, '/');
	size_t n;

	tap_close();
	base = base == NULL ? path : base + 1;
	n = strlen(base) + strlen(name) + 3;
	tap_name = mem_alloc(n);
	snprintf(tap_name, n, "%s: %s", base, name);
}

void
tap_todo(const char *why)
{
	mem_free(tap_why);
	tap_why = mem_strdup(why);
}

void
tap_fail(const char *path, int line, const char *fmt, ...)
{
	va_list ap;

	if (tap_failed++ >= TAP_REASONS)
		return;
	printf("# %s:%d: ", path, line);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	printf("\n");
}

int
tap_failures(void)
{
	return tap_failed;
}

int
tap_end(void)
{
	tap_close();
	printf("1..%d\n", tap_count);
	return tap_bad == 0 ? 0 : 1;
}
