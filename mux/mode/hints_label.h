/*
 * mux/mode/hints_label.h - labels: short sequences of letters, none of which
 * begins another.
 *
 * Purpose:   gives the best hints the shortest labels, in the order of the
 *            alphabet, and uses no more long labels than it must.
 * Ownership: plain values.
 * Units:     letters of the alphabet; the first is the easiest to type.
 * Errors:    none; an alphabet of less than two letters is replaced.
 * Tests:     regress/unit/check_hints.c
 */
#ifndef MUX_MODE_HINTS_LABEL_H
#define MUX_MODE_HINTS_LABEL_H

#include "base/compiler.h"

#define HINT_LABEL_MAX 16
#define HINT_LETTERS_DEFAULT "asdfghjklwertyuiopzxcvbnm"

struct hint_labels {
	char letters[37]; /* a to z, 0 to 9, each once */
	unsigned base;    /* their number */
	unsigned depth;   /* letters of the longest labels */
	size_t brief;     /* so many labels have depth - 1 letters */
};

/* Prepares COUNT labels of the letters in ALPHABET; others are left out. */
void hint_labels_init(
    struct hint_labels *ls, const char *alphabet, size_t count);

/* Writes label I (below the count) to OUT (HINT_LABEL_MAX + 1 bytes). */
void hint_labels_get(const struct hint_labels *ls, size_t i, char *out);

#endif
