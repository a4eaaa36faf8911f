#include "config.h"

#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"
#include "conf/lexer.h"

/* Longest name of a variable or user, in bytes. */
#define LEXER_NAME_MAX 256

/*
 * The lexer reads byte by byte. A backslash and a newline after it vanish,
 * unless the backslash is itself escaped. Where escapes have a meaning they are
 * read in pairs, so an escaped backslash never gets here. In single quotes and
 * comments a run of backslashes is counted (lexer_raw_backslashes).
 */

static void
lexer_error(struct lexer *l, unsigned line, const char *text)
{
	l->bad = true;
	if (l->hooks->error != NULL)
		l->hooks->error(l->hooks->arg, line, text);
}

/* Refuses lines that are too long; called at the first byte of each line. */
static void
lexer_line_start(struct lexer *l)
{
	size_t left = (size_t)(l->end - l->p);
	const char *newline;

	if (left <= LEXER_LINE_MAX ||
	    memchr(l->p, '\n', LEXER_LINE_MAX + 1) != NULL)
		return;
	newline = memchr(l->p, '\n', left);
	l->p = newline == NULL ? l->end : newline;
	lexer_error(l, l->line, "line over 1048576 bytes");
}

static void
lexer_newline(struct lexer *l)
{
	l->line++;
	lexer_line_start(l);
}

void
lexer_init(struct lexer *l, const char *text, size_t n, unsigned line,
    const struct lexer_hooks *hooks)
{
	memset(l, 0, sizeof *l);
	l->p = text;
	l->end = text + n;
	l->line = l->token_line = line;
	l->hooks = hooks;
	l->active = true;
	buf_init(&l->word, LEXER_WORD_MAX);
	lexer_line_start(l);
}

void
lexer_fini(struct lexer *l)
{
	buf_fini(&l->word);
}

void
lexer_stop(struct lexer *l)
{
	l->p = l->end;
}

const char *
lexer_word(struct lexer *l)
{
	return buf_cstr(&l->word);
}

/* Returns the bytes of a newline at P (\n or \r\n), or 0. */
static size_t
lexer_newline_at(const struct lexer *l, const char *p)
{
	if (p < l->end && *p == '\n')
		return 1;
	if (l->end - p >= 2 && p[0] == '\r' && p[1] == '\n')
		return 2;
	return 0;
}

/* Skips backslash-newline pairs. */
static void
lexer_join(struct lexer *l)
{
	size_t n;

	while (l->p < l->end && *l->p == '\\' &&
	       (n = lexer_newline_at(l, l->p + 1)) != 0) {
		l->p += 1 + n;
		lexer_newline(l);
	}
}

/* Returns the next byte after joining lines, or -1 at the end. */
static int
lexer_peek(struct lexer *l)
{
	if (l->p < l->end && *l->p == '\\')
		lexer_join(l);
	return l->p < l->end ? (unsigned char)*l->p : -1;
}

/*
 * Takes the byte that lexer_peek returned. After lexer_stop there is no byte to
 * take.
 */
static void
lexer_take(struct lexer *l)
{
	if (l->p == l->end)
		return;
	if (*l->p++ == '\n')
		lexer_newline(l);
}

static void
lexer_add(struct lexer *l, const void *p, size_t n)
{
	(void)buf_add(&l->word, p, n);
}

static void
lexer_add_byte(struct lexer *l, int c)
{
	(void)buf_add_u8(&l->word, (uint8_t)c);
}

/*
 * Copies (with ADD) or skips a run of backslashes where they have no meaning.
 * An odd run before a newline joins the lines.
 */
static void
lexer_raw_backslashes(struct lexer *l, bool add)
{
	const char *start = l->p;
	size_t n, newline;

	while (l->p < l->end && *l->p == '\\')
		l->p++;
	n = (size_t)(l->p - start);
	newline = lexer_newline_at(l, l->p);
	if (newline != 0 && n % 2 == 1) {
		n--;
		l->p += newline;
		lexer_newline(l);
	}
	if (add)
		lexer_add(l, start, n);
}

/* Skips a comment up to its newline. */
static void
lexer_comment(struct lexer *l)
{
	while (l->p < l->end && *l->p != '\n') {
		if (*l->p == '\\')
			lexer_raw_backslashes(l, false);
		else
			l->p++;
	}
}

/* Reads \ooo: three octal digits up to \377, at the first digit. */
static void
lexer_octal(struct lexer *l)
{
	int i, c, value = 0;

	for (i = 0; i < 3; i++) {
		c = lexer_peek(l);
		if (c < '0' || c > '7') {
			lexer_error(l, l->line, "invalid octal escape");
			return;
		}
		value = value * 8 + (c - '0');
		lexer_take(l);
	}
	if (value > 0377 || value == 0)
		lexer_error(l, l->line, "invalid octal escape");
	else
		lexer_add_byte(l, value);
}

/* Reads \u and four hex digits, or \U and eight, after the letter. */
static void
lexer_unicode(struct lexer *l, int letter)
{
	int i, c, digits = letter == 'u' ? 4 : 8;
	uint8_t out[UTF8_MAX];
	uint32_t cp = 0;

	for (i = 0; i < digits; i++) {
		c = lexer_peek(l);
		if (c < 0 || str_hex_digit(c) < 0)
			break;
		cp = cp << 4 | (uint32_t)str_hex_digit(c);
		lexer_take(l);
	}
	if (i < digits || cp == 0 || cp > 0x10ffff ||
	    (cp >= 0xd800 && cp <= 0xdfff)) {
		lexer_error(l, l->line,
		    letter == 'u' ? "invalid \\u argument"
				  : "invalid \\U argument");
		return;
	}
	lexer_add(l, out, utf8_encode(cp, out));
}

/* Reads an escape, at its backslash. */
static void
lexer_escape(struct lexer *l)
{
	int c;

	lexer_take(l);
	c = l->p < l->end ? (unsigned char)*l->p : -1;
	if (c == -1) {
		lexer_add_byte(l, '\\');
		return;
	}
	if (c >= '0' && c <= '7') {
		lexer_octal(l);
		return;
	}
	lexer_take(l);
	switch (c) {
	case 'e':
		lexer_add_byte(l, '\033');
		break;
	case 'n':
		lexer_add_byte(l, '\n');
		break;
	case 'r':
		lexer_add_byte(l, '\r');
		break;
	case 't':
		lexer_add_byte(l, '\t');
		break;
	case 'u':
	case 'U':
		lexer_unicode(l, c);
		break;
	default:
		lexer_add_byte(l, c);
		break;
	}
}

static bool
lexer_is_name(int c, bool first)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
	       (!first && c >= '0' && c <= '9');
}

bool
lexer_is_assignment(const char *s, size_t *len)
{
	size_t n;

	if (!lexer_is_name((unsigned char)*s, true))
		return false;
	for (n = 1; lexer_is_name((unsigned char)s[n], false); n++)
		;
	*len = n;
	return s[n] == '=';
}

/* Reads $NAME or ${NAME}, at the dollar. */
static void
lexer_variable(struct lexer *l)
{
	char name[LEXER_NAME_MAX];
	const char *value;
	bool brace = false;
	size_t n = 0;
	int c;

	lexer_take(l);
	if ((c = lexer_peek(l)) == '{') {
		brace = true;
		lexer_take(l);
		c = lexer_peek(l);
	} else if (!lexer_is_name(c, true)) {
		lexer_add_byte(l, '$');
		return;
	}
	for (; lexer_is_name(c, n == 0); c = lexer_peek(l)) {
		if (n + 1 == sizeof name) {
			lexer_error(
			    l, l->line, "environment variable is too long");
			return;
		}
		name[n++] = (char)c;
		lexer_take(l);
	}
	name[n] = '\0';
	if (brace) {
		if (c != '}' || n == 0) {
			lexer_error(l, l->line, "invalid environment variable");
			if (c == '}')
				lexer_take(l);
			return;
		}
		lexer_take(l);
	}
	if (!l->active || l->hooks->variable == NULL)
		return;
	value = l->hooks->variable(l->hooks->arg, name);
	if (value != NULL)
		lexer_add(l, value, strlen(value));
}

/* Reads ~ or ~user at the beginning of a word, at the tilde. */
static void
lexer_home(struct lexer *l)
{
	char name[LEXER_NAME_MAX], text[LEXER_NAME_MAX + 64];
	const char *home;
	size_t n = 0;
	int c;

	lexer_take(l);
	while ((c = lexer_peek(l)) != -1 &&
	       strchr("/ \t\n\r\"';{}", c) == NULL && c != '\0') {
		if (n + 1 == sizeof name) {
			lexer_error(l, l->line, "user name is too long");
			return;
		}
		name[n++] = (char)c;
		lexer_take(l);
	}
	name[n] = '\0';
	if (!l->active || l->hooks->home == NULL) {
		lexer_add_byte(l, '~');
		lexer_add(l, name, n);
		return;
	}
	home = l->hooks->home(l->hooks->arg, name);
	if (home == NULL) {
		(void)str_copy(text,
		    n == 0 ? "no home directory" : "no such user: ",
		    sizeof text);
		(void)str_append(text, name, sizeof text);
		lexer_error(l, l->line, text);
		return;
	}
	lexer_add(l, home, strlen(home));
}

/*
 * Continues a quoted word after a newline: skips leading blanks of the next
 * line, and the whole line if it is a comment (but not #, #{ and other
 * formats).
 */
static void
lexer_quoted_line(struct lexer *l)
{
	int c;

	lexer_add_byte(l, '\n');
	while ((c = lexer_peek(l)) == ' ' || c == '\t')
		lexer_take(l);
	if (c != '#' || l->p + 1 >= l->end || strchr(",#{}:", l->p[1]) != NULL)
		return;
	lexer_comment(l);
}

/* Tells whether C has a special meaning anywhere in a word. */
static bool
lexer_is_special(char c)
{
	switch (c) {
	case '\0':
	case ' ':
	case '\t':
	case '\r':
	case '\n':
	case ';':
	case '}':
	case '\\':
	case '~':
	case '$':
	case '\'':
	case '"':
		return true;
	default:
		return false;
	}
}

/* Copies bytes without a special meaning. */
static bool
lexer_plain_run(struct lexer *l)
{
	const char *start = l->p;

	while (l->p < l->end && !lexer_is_special(*l->p))
		l->p++;
	lexer_add(l, start, (size_t)(l->p - start));
	return l->p > start;
}

/*
 * Reads at least one byte of a word in QUOTE (0 for none); returns false at its
 * end.
 */
static bool
lexer_word_part(struct lexer *l, int *quote, unsigned *opened)
{
	int c;

	if (lexer_plain_run(l))
		return true;
	if (*quote == '\'' && l->p < l->end && *l->p == '\\') {
		lexer_raw_backslashes(l, true);
		return true;
	}
	c = lexer_peek(l);
	if (c == -1)
		return false;
	if (c == '\0') {
		lexer_error(l, l->line, "NUL byte");
		lexer_take(l);
		return true;
	}
	if (*quote == 0 &&
	    (strchr(" \t\n;}", c) != NULL || lexer_newline_at(l, l->p) != 0))
		return false;
	if (c == '\n') {
		lexer_take(l);
		lexer_quoted_line(l);
	} else if (c == '\\')
		lexer_escape(l);
	else if (c == '$' && *quote != '\'')
		lexer_variable(l);
	else if (c == '~' && *quote != '\'' && l->word.len == 0)
		lexer_home(l);
	else if ((c == '\'' || c == '"') && (*quote == 0 || *quote == c)) {
		*opened = l->line;
		*quote = *quote == 0 ? c : 0;
		lexer_take(l);
	} else {
		lexer_add_byte(l, c);
		lexer_take(l);
	}
	return true;
}

static enum lexer_token
lexer_read_word(struct lexer *l)
{
	unsigned opened = l->line;
	char text[64];
	size_t n;
	int quote = 0;

	while (lexer_word_part(l, &quote, &opened))
		;
	if (quote != 0) {
		(void)str_copy(text, "quote ? is not closed", sizeof text);
		text[6] = (char)quote;
		lexer_error(l, opened, text);
	}
	if (l->word.overflow)
		lexer_error(l, l->token_line, "word over 1048576 bytes");
	return lexer_is_assignment(lexer_word(l), &n) ? LEXER_ASSIGN
						      : LEXER_WORD;
}

/* Reads #{ ... } after %if, at the #. */
static enum lexer_token
lexer_format(struct lexer *l)
{
	unsigned depth = 0, start = l->line;
	int c;

	while ((c = lexer_peek(l)) != -1 && c != '\n') {
		if (c == '#' && l->p + 1 < l->end && l->p[1] == '{') {
			lexer_add(l, "#{", 2);
			l->p += 2;
			depth++;
			continue;
		}
		lexer_add_byte(l, c);
		lexer_take(l);
		if (c == '}' && --depth == 0)
			return LEXER_WORD;
	}
	lexer_error(l, start, "format is not closed");
	return LEXER_WORD;
}

static const struct lexer_directive {
	const char *name;
	enum lexer_token token;
} lexer_directives[] = {
	{ "%if", LEXER_IF },
	{ "%elif", LEXER_ELIF },
	{ "%else", LEXER_ELSE },
	{ "%endif", LEXER_ENDIF },
	{ "%hidden", LEXER_HIDDEN },
};

/*
 * Reads a word that begins with %: a directive, unless it has only % and
 * digits.
 */
static enum lexer_token
lexer_read_percent(struct lexer *l)
{
	const char *start = l->p, *p;
	size_t i;

	while (l->p < l->end &&
	       (*l->p == '\0' || strchr(" \t\r\n;{}", *l->p) == NULL))
		l->p++;
	for (p = start; p < l->p; p++) {
		if (*p != '%' && (*p < '0' || *p > '9'))
			break;
	}
	if (p == l->p) {
		lexer_add(l, start, (size_t)(l->p - start));
		return LEXER_WORD;
	}
	lexer_add(l, start, MIN_OF((size_t)(l->p - start), (size_t)256));
	for (i = 0; i < ARRAY_LEN(lexer_directives); i++) {
		if (strcmp(lexer_word(l), lexer_directives[i].name) == 0) {
			l->condition = lexer_directives[i].token == LEXER_IF ||
				       lexer_directives[i].token == LEXER_ELIF;
			return lexer_directives[i].token;
		}
	}
	return LEXER_UNKNOWN;
}

/* Skips blanks and comments; returns the next byte, or -1. */
static int
lexer_skip(struct lexer *l)
{
	int c;

	for (;;) {
		c = lexer_peek(l);
		if (c == ' ' || c == '\t')
			lexer_take(l);
		else if (c == '\r' && lexer_newline_at(l, l->p) == 2)
			l->p++;
		else if (c == '#' &&
			 !(l->condition && l->p + 1 < l->end && l->p[1] == '{'))
			lexer_comment(l);
		else
			return c;
	}
}

enum lexer_token
lexer_next(struct lexer *l)
{
	bool condition;
	int c;

	buf_clear(&l->word);
	c = lexer_skip(l);
	condition = l->condition;
	l->condition = false;
	l->token_line = l->line;
	switch (c) {
	case -1:
		return LEXER_END;
	case '\n':
		lexer_take(l);
		return LEXER_NEWLINE;
	case ';':
		lexer_take(l);
		if (l->p < l->end && *l->p == ';') {
			lexer_take(l);
			return LEXER_GROUP;
		}
		return LEXER_SEMICOLON;
	case '{':
		lexer_take(l);
		return LEXER_OPEN;
	case '}':
		lexer_take(l);
		return LEXER_CLOSE;
	case '#':
		return lexer_format(l);
	case '%':
		return condition ? lexer_read_word(l) : lexer_read_percent(l);
	default:
		return lexer_read_word(l);
	}
}
