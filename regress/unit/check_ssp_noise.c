#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "regress/unit/unit.h"
#include "ssp/noise.h"

/*
 * The public vector of the cacophony project for
 * Noise_NNpsk0_25519_ChaChaPoly_BLAKE2b, with some intermediate values.
 */
#define V_PROLOGUE "4a6f686e2047616c74"
#define V_PSK "54686973206973206d7920417573747269616e20706572737065637469766521"
#define V_E_I "893e28b9dc6ca8d611ab664754b8ceb7bac5117349a4439a6b0569da977c464a"
#define V_E_R "bbdb4cdbd309f1a1f2e1456967fe288cadd6f712d65dc7b7793d5e63da6b375b"
#define V_PAY1 "4c756477696720766f6e204d69736573"
#define V_PAY2 "4d757272617920526f746862617264"
#define V_MSG1                                                      \
 "ca35def5ae56cec33dc2036731ab14896bc4c75dbb07a61f879f8e3afa4c7944" \
 "ed63df2f5a12aee1185ee9c50305f2ecf12421dcb53c047a63b784cf7c54a105"
#define V_MSG2                                                      \
 "95ebc60d2b1fa672c1f46a8aa265ef51bfe38e7ccb39ec5be34069f144808843" \
 "0e0fe7d5c0c9b92f7478716c8852f1b4f389edb75e3ebe546fafafd5b6f0f7"
#define V_HASH                                                      \
 "ed5e9692d0ab507b6c2beec3f584fd5b127817a9d20b26cd50aa72c507260fa3" \
 "1aa7d88dd3723316338af37ce0b4cfb2923aeb848bbf2b934911306f01ffc963"
#define V_K1 "2b8ba2bc3c6ea08c976f069f3d00809a5122cab3a49d68a7269f7fdb019079cd"
#define V_K2 "4fcf860866e1d2f8770d59649790db890ede9e43011d9bfa54325f426727a956"
#define V_TO_R \
 "b80c12b1acc9dfdd51d01136237835397c88950ff5024328498afdc02cfbeae1"
#define V_TO_I \
 "87d3d0d28aa79d643847377b052f91538764b528d878b84d1e43ccadbdac2b31"

static const struct {
	const char *plain;
	const char *sealed;
} transport_rows[] = {
	{ "462e20412e20486179656b",
	    "0fe04b26dcfbb69f8a6a94c61f1a26ef88769218d32f5d17c068a6" },
	{ "4361726c204d656e676572",
	    "2239e0c540c01f09eb1f4cc5258fd5acfefff18a5a3773f21b7bfe" },
	{ "4a65616e2d426170746973746520536179",
	    "f216cb03d30fb8af1e561fe02a07552d09b416e27a75e62c77d193718b0bda"
	    "ae9f" },
	{ "457567656e2042f6686d20766f6e2042617765726b",
	    "6e8baf98b944184dd7dc5ef14d8108cbeca626de118a5460f3308e294d61e1"
	    "7238bce29bd9" },
};

static size_t
unhex(const char *s, uint8_t *out)
{
	size_t n;
	unsigned v;

	for (n = 0; s[2 * n] != '\0'; n++) {
		ck_assert_int_eq(sscanf(s + 2 * n, "%2x", &v), 1);
		out[n] = (uint8_t)v;
	}
	return n;
}

static void
expect_hex(const char *what, const uint8_t *p, size_t n, const char *hex)
{
	uint8_t want[256];

	ck_assert_msg(unhex(hex, want) == n && memcmp(p, want, n) == 0,
	    "%s differs from the vector", what);
}

struct pair {
	struct ssp_noise i;
	struct ssp_noise r;
	uint8_t e_i[32];
	uint8_t e_r[32];
};

static void
pair_init(struct pair *p)
{
	uint8_t psk[32], prologue[32];
	size_t n;

	unhex(V_PSK, psk);
	n = unhex(V_PROLOGUE, prologue);
	ssp_noise_init(&p->i, prologue, n, psk);
	ssp_noise_init(&p->r, prologue, n, psk);
	unhex(V_E_I, p->e_i);
	unhex(V_E_R, p->e_r);
}

START_TEST(public_vector_comes_out)
{
	uint8_t msg[256], key[2][32], again[2][32], chain[2][32];
	struct pair p;
	size_t i, n;

	pair_init(&p);
	n = unhex(V_PAY1, msg + 32);
	ssp_noise_write1(&p.i, p.e_i, msg, n);
	expect_hex("key 1", p.i.k, 32, V_K1);
	expect_hex("message 1", msg, n + 48, V_MSG1);
	ck_assert_int_eq(ssp_noise_read1(&p.r, msg, n + 48), 0);
	expect_hex("payload 1", msg + 32, n, V_PAY1);

	n = unhex(V_PAY2, msg + 32);
	ck_assert_int_eq(ssp_noise_write2(&p.r, p.e_r, msg, n), 0);
	expect_hex("key 2", p.r.k, 32, V_K2);
	expect_hex("message 2", msg, n + 48, V_MSG2);
	ck_assert_int_eq(ssp_noise_read2(&p.i, msg, n + 48), 0);
	expect_hex("payload 2", msg + 32, n, V_PAY2);

	expect_hex("hash", p.i.h, 64, V_HASH);
	expect_hex("hash", p.r.h, 64, V_HASH);
	ssp_noise_split(&p.i, key[0], key[1], chain[0]);
	ssp_noise_split(&p.r, again[0], again[1], chain[1]);
	ck_assert_mem_eq(key, again, sizeof(key));
	ck_assert_mem_eq(chain[0], chain[1], 32);
	expect_hex("to responder", key[0], 32, V_TO_R);
	expect_hex("to initiator", key[1], 32, V_TO_I);

	for (i = 0; i < ARRAY_LEN(transport_rows); i++) {
		n = unhex(transport_rows[i].plain, msg);
		ssp_seal(key[i % 2], i / 2, NULL, 0, msg, n);
		expect_hex("transport", msg, n + 16, transport_rows[i].sealed);
	}
	ssp_noise_fini(&p.i);
	ck_assert_uint_eq(p.i.ck[0] | p.i.e[0] | p.i.psk[0], 0);
}
END_TEST

START_TEST(every_flipped_bit_of_either_message_is_refused)
{
	uint8_t good[2][64], bad[64];
	struct pair p, q;
	size_t n1, n2, i;

	pair_init(&p);
	memset(good, 0, sizeof(good));
	ssp_noise_write1(&p.i, p.e_i, good[0], 8);
	n1 = 8 + SSP_NOISE_OVERHEAD;
	q = p;
	for (i = 0; i < n1 * 8; i++) {
		p.r = q.r;
		memcpy(bad, good[0], n1);
		bad[i / 8] ^= (uint8_t)(1u << (i % 8));
		ck_assert_int_ne(ssp_noise_read1(&p.r, bad, n1), 0);
	}
	p.r = q.r;
	memcpy(bad, good[0], n1);
	ck_assert_int_eq(ssp_noise_read1(&p.r, bad, n1), 0);
	n2 = 4 + SSP_NOISE_OVERHEAD;
	ck_assert_int_eq(ssp_noise_write2(&p.r, p.e_r, good[1], 4), 0);
	q = p;
	for (i = 0; i < n2 * 8; i++) {
		p.i = q.i;
		memcpy(bad, good[1], n2);
		bad[i / 8] ^= (uint8_t)(1u << (i % 8));
		ck_assert_int_ne(ssp_noise_read2(&p.i, bad, n2), 0);
	}
	for (i = 0; i < SSP_NOISE_OVERHEAD; i++) {
		p = q;
		ck_assert_int_ne(ssp_noise_read2(&p.i, bad, i), 0);
		ck_assert_int_ne(ssp_noise_read1(&p.r, bad, i), 0);
	}
}
END_TEST

START_TEST(wrong_psk_prologue_and_weak_points_are_refused)
{
	static const uint8_t low[] = { 0 }; /* the point of order 1 */
	uint8_t msg[64], psk[32] = { 1 }, other[32] = { 2 };
	struct pair p;

	pair_init(&p);
	ssp_noise_init(&p.i, "a", 1, psk);
	ssp_noise_write1(&p.i, p.e_i, msg, 0);
	ssp_noise_init(&p.r, "a", 1, other);
	ck_assert_int_eq(ssp_noise_read1(&p.r, msg, 48), -ERR_AUTH);
	ssp_noise_init(&p.i, "a", 1, psk);
	ssp_noise_write1(&p.i, p.e_i, msg, 0);
	ssp_noise_init(&p.r, "b", 1, psk);
	ck_assert_int_eq(ssp_noise_read1(&p.r, msg, 48), -ERR_AUTH);
	/* A peer with the psk that sends a point of low order. */
	ssp_noise_init(&p.r, "a", 1, psk);
	memset(p.r.re, 0, sizeof(p.r.re));
	p.r.re[0] = low[0];
	ck_assert_int_eq(ssp_noise_write2(&p.r, p.e_r, msg, 0), -ERR_AUTH);
}
END_TEST

UNIT_SUITE(ssp_noise)
{
	Suite *s = suite_create("ssp/noise");
	TCase *tc = tcase_create("noise");

	ssp_crypto_init();
	tcase_add_test(tc, public_vector_comes_out);
	tcase_add_test(tc, every_flipped_bit_of_either_message_is_refused);
	tcase_add_test(tc, wrong_psk_prologue_and_weak_points_are_refused);
	suite_add_tcase(s, tc);
	return s;
}
