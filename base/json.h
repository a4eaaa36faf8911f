/*
 * base/json.h - JSON objects in a normal form.
 *
 * Purpose:   checks an object and prints it without blanks, with its keys in
 *            the order of their bytes.
 * Ownership: nothing.
 * Units:     objects may stand JSON_DEPTH_MAX deep in each other.
 * Errors:    -ERR_SYNTAX with a cause, which shows the text where reading
 *            ended; -ERR_LIMIT when the buffer is full.
 * Source:    tmux 3.8, display-message -j: values are objects, arrays of
 *            objects, strings with at least one byte, 64-bit integers, true and
 *            false. Strings stay as they are written.
 * Tests:     regress/unit/check_json.c, regress/fuzz/fuzz_json.c
 */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include "base/buf.h"
#include "base/err.h"

#define JSON_DEPTH_MAX 64

/* Appends the normal form of the object TEXT to OUT. */
int json_print(struct buf *out, const char *text, struct cause *why);

#endif
