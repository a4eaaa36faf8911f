/*
 * conf/key_name.h - names of keys: "C-M-Left", "^a", "MouseDown1Pane".
 *
 * Purpose:   converts the names in bind-key, send-keys and options to key codes
 *            and back.
 * Units:     key_code of base/key.h.
 * Errors:    -ERR_SYNTAX for an unknown name.
 * Source:    tmux(1), KEY BINDINGS and MOUSE SUPPORT. Names with Ctrl are
 *            folded to lower case; C0 codes written as hex are the keys that
 *            send them (0x0d is Enter, 0x01 is C-a), without modifiers.
 * Tests:     regress/unit/check_key_name.c, regress/fuzz/fuzz_key_name.c
 */
#ifndef CONF_KEY_NAME_H
#define CONF_KEY_NAME_H

#include "base/key.h"

#define KEY_NAME_MAX 64u /* limit of key_name_format in bytes */

/*
 * Parses the name of a key.
 * Out:     *out  the code; KEY_NONE for "None"
 */
int key_name_parse(const char *s, key_code *out);

/* The same, but C-A is not folded to C-a. */
int key_name_parse_case(const char *s, key_code *out);

/* Prints a name that key_name_parse reads back. Returns BUF. */
const char *key_name_format(key_code key, char *buf, size_t size);

#endif
