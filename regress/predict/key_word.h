/*
 * regress/predict/key_word.h - keys by name, for scripts and recordings.
 *
 * Purpose:   C-x, M-Left, S-F5, a: what the files of this folder write.
 * Ownership: none.
 * Units:     none.
 * Errors:    false for a word that names no key.
 * Source:    base/key.def
 * Tests:     regress/predict/predict_runner, every tape
 */
#ifndef REGRESS_PREDICT_KEY_WORD_H
#define REGRESS_PREDICT_KEY_WORD_H

#include <stdbool.h>

#include "base/key.h"

/* The key that W names into *KEY. */
bool key_word(const char *w, key_code *key);

#endif
