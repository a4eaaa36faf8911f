#include "base/json.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "base/str.h"

#define SHOWN_MAX 8 /* bytes of the text in a message */

enum json_kind {
	JSON_END,
	JSON_MARK, /* one of {}[],: */
	JSON_STRING,
	JSON_WORD /* a number, true or false: only after a colon */
};

struct json_token {
	enum json_kind kind;
	const char *at;
	size_t len; /* with the quotes of a string */
};

struct json_walk {
	struct json_token now;
	struct json_token last; /* the one before, for an end too early */
	struct buf *out;
	struct cause *why;
};

/* A member of an object in the output. */
struct json_member {
	size_t at; /* its key, from the first byte of the output */
	size_t key_len;
	size_t len;
};

static int
fail(struct cause *why, const char *what, const char *at)
{
	const size_t n = strnlen(at, SHOWN_MAX + 1);

	return cause_set(why, -ERR_SYNTAX, "%s: %.*s%s", what,
	    (int)MIN_OF(n, (size_t)SHOWN_MAX), at, n > SHOWN_MAX ? "..." : "");
}

static int
fail_here(const struct json_walk *r, const char *what)
{
	return fail(
	    r->why, what, r->now.kind == JSON_END ? r->last.at : r->now.at);
}

/* --- tokens -------------------------------------------------------------- */

static bool
is_space(char ch)
{
	return ch == ' ' || ch == '\t' || ch == '\n' || ch == '\r';
}

/* The length of the escape at S, after the backslash; 0: there is none. */
static size_t
escape_len(const char *s)
{
	if (*s == 'u')
		return strspn(s + 1, "0123456789abcdefABCDEF") >= 4 ? 5 : 0;
	return *s != '\0' && strchr("\"\\/bfnrt", *s) != NULL ? 1 : 0;
}

/* The length of the string at S with its quotes; 0: it does not end. */
static size_t
string_len(const char *s)
{
	size_t n = 1, skip;

	while (s[n] != '"') {
		if ((unsigned char)s[n] < ' ')
			return 0;
		skip = s[n] == '\\' ? escape_len(s + n + 1) : 0;
		if (s[n] == '\\' && skip == 0)
			return 0;
		n += 1 + skip;
	}
	return n + 1;
}

/* Reads the token after T; T is the start of the text at first. */
static int
read_token(
    const struct json_token *t, struct json_token *out, struct cause *why)
{
	const bool value = t->kind == JSON_MARK && *t->at == ':';
	const char *s = t->at + t->len;

	while (is_space(*s))
		s++;
	*out = (struct json_token){ JSON_END, s, 0 };
	if (*s == '\0')
		return 0;
	if (strchr("{}[],:", *s) != NULL) {
		*out = (struct json_token){ JSON_MARK, s, 1 };
		return 0;
	}
	if (*s == '"') {
		*out = (struct json_token){ JSON_STRING, s, string_len(s) };
		return out->len == 0 ? fail(why, "tokenization error", s + 1)
				     : 0;
	}
	*out = (struct json_token){ JSON_WORD, s, strcspn(s, " \t\r\n{}[],:") };
	if (!value || s[out->len] == '\0')
		return fail(why, "tokenization error", s);
	return 0;
}

/* All tokens are read before the first one is used, so such errors are first. */
static int
check_tokens(const char *text, struct cause *why)
{
	struct json_token t = { JSON_END, text, 0 }, next;
	int r;

	do {
		r = read_token(&t, &next, why);
		t = next;
	} while (r == 0 && t.kind != JSON_END);
	return r;
}

static void
next(struct json_walk *r)
{
	struct json_token t;

	(void)read_token(&r->now, &t, NULL);
	r->last = r->now;
	r->now = t;
}

static bool
is_mark(const struct json_walk *r, char ch)
{
	return r->now.kind == JSON_MARK && *r->now.at == ch;
}

/* Adds the token to the output and goes on to the next one. */
static int
print_token(struct json_walk *r)
{
	const int n = buf_add(r->out, r->now.at, r->now.len);

	next(r);
	return n;
}

/* --- values -------------------------------------------------------------- */

static int read_object(struct json_walk *r, unsigned depth);

static int
read_word(struct json_walk *r)
{
	const char *s = r->now.at;
	const size_t n = r->now.len, sign = *s == '-' ? 1 : 0;
	char *text;
	int64_t value;
	int bad;

	if (n > sign && s[sign] >= '0' && s[sign] <= '9') {
		text = mem_printf("%.*s", (int)MIN_OF(n, (size_t)32), s);
		bad = (s[sign] == '0' && n > sign + 1) ||
		      str_to_int(text, INT64_MIN, INT64_MAX, &value) != 0;
		mem_free(text);
		return bad ? fail_here(r, "invalid number") : print_token(r);
	}
	if ((n == 4 && strncmp(s, "true", n) == 0) ||
	    (n == 5 && strncmp(s, "false", n) == 0))
		return print_token(r);
	return fail_here(r, "invalid boolean");
}

static int
read_array(struct json_walk *r, unsigned depth)
{
	int n = print_token(r);

	if (is_mark(r, ']'))
		return print_token(r);
	for (;;) {
		if (n != 0)
			return n;
		if (!is_mark(r, '{'))
			return fail_here(r, "invalid array member");
		n = read_object(r, depth + 1);
		if (n != 0 || is_mark(r, ']'))
			return n != 0 ? n : print_token(r);
		if (!is_mark(r, ',') ||
		    r->now.at[strspn(r->now.at, ", \t\r\n")] == ']')
			return fail_here(r, "invalid array");
		n = print_token(r);
	}
}

static int
read_value(struct json_walk *r, unsigned depth)
{
	if (is_mark(r, '{'))
		return read_object(r, depth + 1);
	if (is_mark(r, '['))
		return read_array(r, depth);
	if (r->now.kind == JSON_WORD)
		return read_word(r);
	if (r->now.kind != JSON_STRING)
		return fail_here(r, "unexpected value when parsing object");
	return r->now.len == 2 ? fail_here(r, "invalid string")
			       : print_token(r);
}

/* --- objects ------------------------------------------------------------- */

/* Reads a member; its key must not be in KEYS. */
static int
read_member(struct json_walk *r, struct map *keys, struct json_member *m,
    unsigned depth)
{
	char *key;
	bool known;
	int n;

	if (r->now.kind != JSON_STRING || r->now.len == 2)
		return fail_here(r, "invalid key");
	*m = (struct json_member){ r->out->len, r->now.len - 2, 0 };
	key = mem_printf("%.*s", (int)m->key_len, r->now.at + 1);
	n = print_token(r);
	known = map_set(keys, key, keys) != NULL;
	mem_free(key);
	if (known)
		return fail_here(r, "duplicate key");
	if (!is_mark(r, ':'))
		return fail_here(r, "missing colon");
	if (n == 0)
		n = print_token(r);
	if (n == 0)
		n = read_value(r, depth);
	m->len = r->out->len - m->at;
	return n;
}

/* The text of the members, which json_member names. */
struct json_sort {
	struct json_member m;
	const uint8_t *text;
};

static int
compare_members(const void *a, const void *b)
{
	const struct json_sort *x = a, *y = b;
	const size_t n = MIN_OF(x->m.key_len, y->m.key_len);
	const int r = memcmp(x->text + 1, y->text + 1, n);

	if (r != 0)
		return r;
	return x->m.key_len < y->m.key_len ? -1 : x->m.key_len > y->m.key_len;
}

/* Writes the members, which are all of the output from AT on, in order. */
static int
sort_members(
    struct buf *out, size_t at, const struct json_member *all, size_t count)
{
	struct json_sort *s = mem_calloc(MAX_OF(count, (size_t)1), sizeof(*s));
	const size_t len = out->len - at;
	uint8_t *copy = mem_calloc(MAX_OF(len, (size_t)1), 1);
	size_t i;
	int r = 0;

	if (len > 0)
		memcpy(copy, out->data + at, len);
	for (i = 0; i < count; i++)
		s[i] = (struct json_sort){ all[i], copy + (all[i].at - at) };
	qsort(s, count, sizeof(*s), compare_members);
	buf_truncate(out, at);
	for (i = 0; r == 0 && i < count; i++) {
		if (i > 0)
			r = buf_add_u8(out, ',');
		if (r == 0)
			r = buf_add(out, s[i].text, s[i].m.len);
	}
	mem_free(copy);
	mem_free(s);
	return r;
}

/* Reads the members of an object up to its end, which it leaves. */
static int
read_members(struct json_walk *r, struct map *keys, struct json_member **all,
    size_t *count, unsigned depth)
{
	size_t room = 0;
	int n = 0;

	while (n == 0 && !is_mark(r, '}')) {
		if (*count == room) {
			room = MAX_OF(room * 2, (size_t)8);
			*all = mem_resize(*all, room, sizeof(**all));
		}
		n = read_member(r, keys, &(*all)[*count], depth);
		if (n != 0 || is_mark(r, '}')) {
			++*count;
			continue;
		}
		++*count;
		if (!is_mark(r, ',') ||
		    r->now.at[strspn(r->now.at, ", \t\r\n")] == '}')
			return fail_here(r, "invalid object");
		next(r);
	}
	return n;
}

static int
read_object(struct json_walk *r, unsigned depth)
{
	struct json_member *all = NULL;
	struct map keys;
	size_t count = 0, at;
	int n;

	if (depth >= JSON_DEPTH_MAX)
		return fail_here(r, "too many objects in each other");
	map_init_names(&keys);
	n = print_token(r);
	at = r->out->len;
	if (n == 0)
		n = read_members(r, &keys, &all, &count, depth);
	if (n == 0)
		n = sort_members(r->out, at, all, count);
	if (n == 0)
		n = print_token(r);
	mem_free(all);
	map_fini(&keys);
	return n;
}

int
json_print(struct buf *out, const char *text, struct cause *why)
{
	struct json_walk r = { .out = out, .why = why };
	int n = check_tokens(text, why);

	if (n != 0)
		return n;
	r.now = (struct json_token){ JSON_END, text, 0 };
	next(&r);
	if (r.now.kind == JSON_END)
		return cause_set(why, -ERR_SYNTAX, "empty input");
	if (!is_mark(&r, '{'))
		return fail_here(&r, "expected object");
	n = read_object(&r, 0);
	if (n == 0 && r.now.kind != JSON_END)
		return fail_here(&r, "unexpected trailing data");
	return n;
}
