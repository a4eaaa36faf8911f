/*
 * conf/lexer.h - configuration text to tokens.
 *
 * Purpose:   handles quotes, escapes, variables, home directories, comments and
 *            line continuation. Each token has its line.
 * Ownership: the text belongs to the caller and must outlive the lexer; the
 *            word of a token is valid until the next lexer_next.
 * Units:     lines count from 1.
 * Errors:    reported through the callback and stored in lexer.bad, which the
 *            caller clears; reading continues after each error.
 * Source:    tmux(1), PARSING SYNTAX; behaviour compared with tmux 3.3a.
 * Tests:     regress/unit/check_parser.c
 *
 * Differences from tmux: a quote that is never closed is an error (in tmux the
 * end of the file closes it); ";;" is a token of its own, so that printed
 * blocks parse to the same groups; a part that %if switches off is not
 * expanded.
 */
#ifndef CONF_LEXER_H
#define CONF_LEXER_H

#include <stdbool.h>

#include "base/buf.h"

/* Limits in bytes of one line, and of one word after expansion. */
#define LEXER_LINE_MAX ((size_t)1 << 20)
#define LEXER_WORD_MAX ((size_t)1 << 20)

enum lexer_token {
	LEXER_END, /* end of the text */
	LEXER_NEWLINE,
	LEXER_SEMICOLON,
	LEXER_GROUP, /* ;; */
	LEXER_OPEN,  /* { */
	LEXER_CLOSE, /* } */
	LEXER_WORD,
	LEXER_ASSIGN, /* a word of the form NAME=value */
	LEXER_IF,
	LEXER_ELIF,
	LEXER_ELSE,
	LEXER_ENDIF,
	LEXER_HIDDEN,
	LEXER_UNKNOWN, /* another word with a % */
};

/* Callbacks of the lexer; each function may be NULL. */
struct lexer_hooks {
	void *arg;
	/*
	 * Returns the value of a variable, or NULL; valid until the next call.
	 */
	const char *(*variable)(void *arg, const char *name);
	/*
	 * Returns the home of USER ("" for the own one), or NULL; valid until
	 * the next call.
	 */
	const char *(*home)(void *arg, const char *user);
	/* Reports an error in LINE. */
	void (*error)(void *arg, unsigned line, const char *text);
};

struct lexer {
	const char *p;
	const char *end;
	unsigned line;       /* line of p */
	unsigned token_line; /* first line of the last token */
	struct buf word;     /* the last word */
	bool condition;      /* the next #{ begins a format */
	bool active;         /* expand variables and homes */
	bool bad;            /* an error was reported; cleared by the caller */
	const struct lexer_hooks *hooks;
};

/* Reads the N bytes at TEXT, whose first line is LINE. */
void lexer_init(struct lexer *l, const char *text, size_t n, unsigned line,
    const struct lexer_hooks *hooks);
void lexer_fini(struct lexer *l);

/* Reads the next token; skips blanks and comments. */
enum lexer_token lexer_next(struct lexer *l);

/* Returns the last word, NUL-terminated; of a directive its name with the %. */
const char *lexer_word(struct lexer *l);

/* Stops the lexer: every further token is LEXER_END. */
void lexer_stop(struct lexer *l);

/* Tells whether S begins with NAME=; *len is the length of NAME. */
bool lexer_is_assignment(const char *s, size_t *len);

#endif
