#include <sys/resource.h>

#include <string.h>

#include "base/err.h"
#include "regress/unit/unit.h"
#include "ssp/crypto.h"

START_TEST(sealed_bytes_open_once_untouched)
{
	uint8_t key[32] = { 1 }, ad[13] = { 2 }, buf[100 + SSP_TAG_LEN],
		was[116];
	size_t i;

	memset(buf, 9, 100);
	ssp_seal(key, 77, ad, sizeof(ad), buf, 100);
	memcpy(was, buf, sizeof(buf));
	ck_assert_int_eq(ssp_open(key, 77, ad, sizeof(ad), buf, 116), 0);
	for (i = 0; i < 100; i++)
		ck_assert_uint_eq(buf[i], 9);
	for (i = 0; i < sizeof(buf) * 8; i++) {
		memcpy(buf, was, sizeof(buf));
		buf[i / 8] ^= (uint8_t)(1u << (i % 8));
		ck_assert_int_eq(
		    ssp_open(key, 77, ad, sizeof(ad), buf, 116), -ERR_AUTH);
	}
	memcpy(buf, was, sizeof(buf));
	ck_assert_int_eq(ssp_open(key, 78, ad, 13, buf, 116), -ERR_AUTH);
	memcpy(buf, was, sizeof(buf));
	ck_assert_int_eq(ssp_open(key, 77, ad, 12, buf, 116), -ERR_AUTH);
	memcpy(buf, was, sizeof(buf));
	ck_assert_int_eq(ssp_open(key, 77, ad, 13, buf, 115), -ERR_AUTH);
	ck_assert_int_eq(ssp_open(key, 77, ad, 13, buf, 15), -ERR_AUTH);
}
END_TEST

START_TEST(key_text_comes_back_and_errors_are_seen)
{
	uint8_t key[32], back[32];
	char text[SSP_KEY_TEXT_LEN + 1], bad[SSP_KEY_TEXT_LEN + 2];
	size_t i;
	int c;

	for (i = 0; i < 32; i++)
		key[i] = i < 8 ? 0xFF : (uint8_t)(i * 37 + 250);
	ssp_key_format(key, text);
	ck_assert_ptr_nonnull(strchr(text, '_'));
	ck_assert_uint_eq(strlen(text), SSP_KEY_TEXT_LEN);
	ck_assert_uint_eq(strcspn(text, "+/= "), SSP_KEY_TEXT_LEN);
	ck_assert_int_eq(ssp_key_parse(text, back), 0);
	ck_assert_mem_eq(key, back, 32);
	for (i = 0; i < SSP_KEY_TEXT_LEN; i++) {
		strcpy(bad, text);
		bad[i] = bad[i] == 'A' ? 'B' : 'A';
		ck_assert_int_eq(ssp_key_parse(bad, back), -ERR_SYNTAX);
	}
	/* Every other byte at every position; libsodium accepts 0xDF as _. */
	for (i = 0; i < SSP_KEY_TEXT_LEN; i++)
		for (c = 1; c < 256; c++) {
			strcpy(bad, text);
			bad[i] = (char)c;
			ck_assert_int_eq(ssp_key_parse(bad, back),
			    bad[i] == text[i] ? 0 : -ERR_SYNTAX);
		}
	strcpy(bad, text);
	bad[SSP_KEY_TEXT_LEN - 1] = '\0';
	ck_assert_int_eq(ssp_key_parse(bad, back), -ERR_SYNTAX);
	strcpy(bad, text);
	strcat(bad, "A");
	ck_assert_int_eq(ssp_key_parse(bad, back), -ERR_SYNTAX);
	ck_assert_int_eq(ssp_key_parse("", back), -ERR_SYNTAX);
	for (i = 0; i < 32; i++)
		ck_assert_uint_eq(back[i], 0);
}
END_TEST

static void
keyring_round(void)
{
	struct ssp_keyring *k;
	uint8_t *slots[10];
	size_t i, j;

	k = ssp_keyring_new(100, 4, 10);
	ck_assert_ptr_nonnull(k);
	for (i = 0; i < 10; i++) {
		slots[i] = ssp_keyring_take(k);
		ck_assert_ptr_nonnull(slots[i]);
		for (j = 0; j < 100; j++)
			ck_assert_uint_eq(slots[i][j], 0);
		memset(slots[i], (int)i + 1, 100);
	}
	ck_assert_ptr_null(ssp_keyring_take(k));
	for (i = 0; i < 10; i++)
		ck_assert_uint_eq(slots[i][99], i + 1);
	ssp_keyring_give(k, slots[3]);
	ck_assert_uint_eq(slots[3][5], 0); /* wiped */
	slots[3] = ssp_keyring_take(k);
	ck_assert_ptr_nonnull(slots[3]);
	for (i = 0; i < 10; i++)
		ssp_keyring_give(k, slots[i]);
	ssp_keyring_give(k, NULL);
	ssp_keyring_free(k);
	ssp_keyring_free(NULL);
}

START_TEST(keyring_slots_are_apart_wiped_and_bounded)
{
	keyring_round();
}
END_TEST

START_TEST(keyring_works_where_locking_is_refused)
{
	struct rlimit none = { 0, 0 };

	ck_assert_int_eq(setrlimit(RLIMIT_MEMLOCK, &none), 0);
	keyring_round();
}
END_TEST

/* RFC 7693 appendix A; HMAC of an empty message as a second check. */
START_TEST(hash_is_blake2b)
{
	static const uint8_t abc[] = { 0xba, 0x80, 0xa5, 0x3f, 0x98, 0x1c, 0x4d,
		0x0d, 0x6a, 0x27, 0x97, 0xb6, 0x9f, 0x12, 0xf6, 0xe9 };
	uint8_t out[SSP_HASH_LEN];

	ssp_hash(out, (const uint8_t *)"a", 1, (const uint8_t *)"bc", 2);
	ck_assert_mem_eq(out, abc, sizeof(abc));
	ck_assert(ssp_equal("ab", "ab", 2));
	ck_assert(!ssp_equal("ab", "ac", 2));
}
END_TEST

UNIT_SUITE(ssp_crypto)
{
	Suite *s = suite_create("ssp/crypto");
	TCase *tc = tcase_create("crypto");

	tcase_add_test(tc, sealed_bytes_open_once_untouched);
	tcase_add_test(tc, key_text_comes_back_and_errors_are_seen);
	tcase_add_test(tc, keyring_slots_are_apart_wiped_and_bounded);
	tcase_add_test(tc, keyring_works_where_locking_is_refused);
	tcase_add_test(tc, hash_is_blake2b);
	suite_add_tcase(s, tc);
	return s;
}
