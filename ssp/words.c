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

/* A word: consonant (4 bits), vowel (2), consonant, vowel, consonant. */
static const char consonants[] = "bdfghjklmnprstvz", vowels[] = "aiou";

void
ssp_word_put(char out[static SSP_WORD_LETTERS], unsigned bits)
{
	out[0] = consonants[bits >> 12 & 15];
	out[1] = vowels[bits >> 10 & 3];
	out[2] = consonants[bits >> 6 & 15];
	out[3] = vowels[bits >> 4 & 3];
	out[4] = consonants[bits & 15];
}

int
ssp_word_get(const char text[static SSP_WORD_LETTERS])
{
	unsigned bits = 0, i;
	const char *set, *at;
	char c;

	for (i = 0; i < SSP_WORD_LETTERS; i++) {
		set = i % 2 == 0 ? consonants : vowels;
		c = text[i];
		if (c >= 'A' && c <= 'Z')
			c = (char)(c - 'A' + 'a');
		if (c == '\0' || (at = strchr(set, c)) == NULL)
			return -1;
		bits = bits << (i % 2 == 0 ? 4 : 2) | (unsigned)(at - set);
	}
	return (int)bits;
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
		ssp_word_put(
		    out + 6 * i, (unsigned)p[2 * i] << 8 | p[2 * i + 1]);
		out[6 * i + 5] = i + 1 < SSP_WORDS_LEN / 2 ? '-' : '\0';
	}
}
