/*
 * regress/predict/key_word.h - keys by name, for scripts and recordings.
 *
 * Purpose:   parses the key names in the files of this folder: C-x, M-Left,
 *            S-F5, a.
 * Errors:    false for a word that names no key.
 * Source:    base/key.def
 * Tests:     regress/predict/predict_runner, every tape
 */
#ifndef REGRESS_PREDICT_KEY_WORD_H
#define REGRESS_PREDICT_KEY_WORD_H

#include <stdbool.h>

#include "base/key.h"

/* Sets *KEY to the key that W names. */
bool key_word(const char *w, key_code *key);

#endif
