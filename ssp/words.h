/*
 * ssp/words.h - a handshake's short authentication string.
 *
 * Purpose:   64 bits of the handshake's transcript as four words that two people
 *            can read to each other: "lusab-babad-gutih-tugad".
 * Units:     bytes.
 * Source:    doc/SECURITY.md, "Words"; the words are proquints (D. S. Wilkerson,
 *            arXiv:0901.4016).
 * Tests:     regress/unit/check_ssp_words.c
 */
#ifndef SSP_WORDS_H
#define SSP_WORDS_H

#include "ssp/crypto.h"

#define SSP_WORD_LETTERS 5 /* of a word, which is 16 bits */
#define SSP_WORDS_LEN 8
#define SSP_WORDS_TEXT 24 /* with the NUL */

/* Writes the word of BITS, without a NUL. */
void ssp_word_put(char out[static SSP_WORD_LETTERS], unsigned bits);

/* Returns the bits of the word of 5 letters of any case at TEXT; -1: none. */
int ssp_word_get(const char text[static SSP_WORD_LETTERS]);

/* Derives them from the hash of a handshake's transcript. */
void ssp_words_derive(
    uint8_t out[static SSP_WORDS_LEN], const uint8_t h[static SSP_HASH_LEN]);

/* Writes the text; "" for bytes that are all 0 (no handshake yet). */
void ssp_words_format(
    char out[static SSP_WORDS_TEXT], const uint8_t p[static SSP_WORDS_LEN]);

#endif
