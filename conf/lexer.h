/*
 * conf/lexer.h - configuration text to tokens.
 *
 * Purpose:   quotes, escapes, variables, home directories, comments and line
 *            continuation; every token knows its line.
 * Ownership: the text is the caller's and must outlive the lexer; the word of
 *            a token is valid until the next lexer_next.
 * Units:     lines from 1; bytes.
 * Errors:    reported through the callback and remembered in lexer.bad, which
 *            the caller clears; reading goes on after every error.
 * Source:    tmux(1), PARSING SYNTAX; behaviour compared with tmux 3.3a.
 * Tests:     regress/unit/check_parser.c
 *
 * Differences from tmux: a quote that is never closed is an error (tmux takes
 * the end of the file for it); ";;" is a token of its own, so that what
 * list-keys prints reads back with the same groups; expansion does not happen
 * in a part that %if switches off.
 */
#ifndef CONF_LEXER_H
#define CONF_LEXER_H

#include <stdbool.h>

#include "base/buf.h"

/* Bytes of one line, and of one word after expansion. */
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
	LEXER_UNKNOWN, /* %word that is none of these */
};

/* What the lexer asks of its caller; each function may be NULL. */
struct lexer_hooks {
	void *arg;
	/* Value of a variable, or NULL; valid until the next call. */
	const char *(*variable)(void *arg, const char *name);
	/* Home of USER ("" is oneself), or NULL; valid until the next call. */
	const char *(*home)(void *arg, const char *user);
	/* An error in LINE. */
	void (*error)(void *arg, unsigned line, const char *text);
};

struct lexer {
	const char *p;
	const char *end;
	unsigned line;       /* where p is */
	unsigned token_line; /* where the last token began */
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

/* Takes the next token; blanks and comments are skipped. */
enum lexer_token lexer_next(struct lexer *l);

/* The last word, NUL-terminated; for a directive its name with the %. */
const char *lexer_word(struct lexer *l);

/* Stops: every following token is LEXER_END. */
void lexer_stop(struct lexer *l);

/* Whether S begins like NAME=; *len is the length of NAME. */
bool lexer_is_assignment(const char *s, size_t *len);

#endif
