/*
 * base/client_word.h - the commands of the client's own, and their options.
 *
 * Purpose:   tables from which help and the completions of shells are made,
 *            and from which the client takes its options with two dashes.
 * Ownership: all is static.
 * Source:    base/client_word.def, client_flag.def, client_long.def.
 * Tests:     regress/e2e/help.sh
 */
#ifndef BASE_CLIENT_WORD_H
#define BASE_CLIENT_WORD_H

#include <stdbool.h>
#include <stddef.h>

/* Completes a value. */
enum client_value {
	CLIENT_VALUE_NONE, /* there is none */
	CLIENT_VALUE_TEXT, /* not completed */
	CLIENT_VALUE_FILE,
	CLIENT_VALUE_HOST,
	CLIENT_VALUE_FILE_OR_HOST,
	CLIENT_VALUE_PANE,
};

enum client_word_id {
#define X(id, name, arguments, long_, head, usage, text) CLIENT_WORD_##id,
#include "base/client_word.def"
#undef X
	CLIENT_WORD_COUNT
};

/* One command; the columns are those of client_word.def. */
struct client_word {
	enum client_word_id id;
	const char *name;
	enum client_value arguments;
	bool long_options;
	const char *head;
	const char *usage;
	const char *text;
};

/* One flag of a command; the columns are those of client_flag.def. */
struct client_flag {
	enum client_word_id id;
	char flag;
	enum client_value value;
	const char *argument;
	const char *text;
};

/* One option with two dashes; the columns are those of client_long.def. */
struct client_long {
	const char *name;
	const char *argument; /* NULL: it has none */
	const char *text;
};

/* Returns row I of client_word.def, less than CLIENT_WORD_COUNT. */
const struct client_word *client_word_row(size_t i);

/* Returns the row of the command NAME, or NULL. */
const struct client_word *client_word_find(const char *name);

/* Returns the flags of WORD; *N is how many they are. */
const struct client_flag *client_word_flags(
    const struct client_word *word, size_t *n);

/* Returns the options with two dashes; *N is how many they are. */
const struct client_long *client_word_longs(size_t *n);

#endif
