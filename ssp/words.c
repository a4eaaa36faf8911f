#include "ssp/words.h"

#include <string.h>

void
ssp_words_derive(
    uint8_t out[static SSP_WORDS_LEN], const uint8_t h[static SSP_HASH_LEN])
{
	uint8_t key[SSP_KEY_LEN];

	ssp_derive(key, h, SSP_HASH_LEN, "rmux words");
	memcpy(out, key, SSP_WORDS_LEN);
	ssp_wipe(key, sizeof(key));
}

/* 16 bits: consonant (4 bits), vowel (2), consonant, vowel, consonant. */
static void
put_word(char *out, unsigned bits)
{
	static const char consonants[] = "bdfghjklmnprstvz", vowels[] = "aiou";

	out[0] = consonants[bits >> 12 & 15];
	out[1] = vowels[bits >> 10 & 3];
	out[2] = consonants[bits >> 6 & 15];
	out[3] = vowels[bits >> 4 & 3];
	out[4] = consonants[bits & 15];
}

void
ssp_words_format(
    char out[static SSP_WORDS_TEXT], const uint8_t p[static SSP_WORDS_LEN])
{
	static const uint8_t none[SSP_WORDS_LEN];
	size_t i;

	memset(out, 0, SSP_WORDS_TEXT);
	if (memcmp(p, none, SSP_WORDS_LEN) == 0)
		return;
	for (i = 0; i < SSP_WORDS_LEN / 2; i++) {
		put_word(out + 6 * i, (unsigned)p[2 * i] << 8 | p[2 * i + 1]);
		out[6 * i + 5] = i + 1 < SSP_WORDS_LEN / 2 ? '-' : '\0';
	}
}
