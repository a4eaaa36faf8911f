#include "ssp/parity.h"

#include <string.h>

#include "base/compiler.h"

#define PARITY_POLY 0x1d   /* x^8 = x^4 + x^3 + x^2 + 1 */
#define PARITY_LOSS_MAX .5 /* more is an outage, not loss */

static uint8_t
parity_double(uint8_t a)
{
	return (uint8_t)(a << 1 ^ (a & 0x80 ? PARITY_POLY : 0));
}

static uint8_t
parity_mul(uint8_t a, uint8_t b)
{
	uint8_t r = 0;

	for (; b != 0; b >>= 1, a = parity_double(a))
		if (b & 1)
			r ^= a;
	return r;
}

/* The inverse is b^254, because b^255 is 1. */
static uint8_t
parity_inv(uint8_t b)
{
	uint8_t r = 1, power = b;
	unsigned i;

	for (i = 0; i < 7; i++) {
		power = parity_mul(power, power);
		r = parity_mul(r, power);
	}
	return r;
}

static uint8_t
parity_factor(unsigned j, unsigned i)
{
	return parity_inv((uint8_t)((SSP_PARITY_DATA + j) ^ i));
}

/* Computes all products with FACTOR. */
static void
parity_products(uint8_t factor, uint8_t product[256])
{
	unsigned bit, i;

	product[0] = 0;
	for (bit = 1; bit < 256; bit <<= 1, factor = parity_double(factor))
		for (i = 0; i < bit; i++)
			product[bit + i] = product[i] ^ factor;
}

/* to += factor * from, for N bytes. */
static void
parity_add(uint8_t *to, const uint8_t *from, size_t n, uint8_t factor)
{
	uint8_t product[256];
	size_t i;

	parity_products(factor, product);
	for (i = 0; i < n; i++)
		to[i] ^= product[from[i]];
}

static void
parity_scale(uint8_t *p, size_t n, uint8_t factor)
{
	uint8_t product[256];
	size_t i;

	parity_products(factor, product);
	for (i = 0; i < n; i++)
		p[i] = product[p[i]];
}

static size_t
parity_size(size_t len, size_t size, unsigned i)
{
	return MIN_OF(size, len - i * size);
}

void
ssp_parity_make(
    const uint8_t *data, size_t len, size_t size, unsigned j, uint8_t *out)
{
	unsigned i, k = (unsigned)((len + size - 1) / size);

	bug_assert(k <= SSP_PARITY_DATA && j < SSP_PARITY_SPARE);
	memset(out, 0, size);
	for (i = 0; i < k; i++)
		parity_add(out, data + i * size, parity_size(len, size, i),
		    parity_factor(j, i));
}

/* Subtracts the known data symbols from the M parity symbols. */
static void
parity_reduce(const uint8_t *data, size_t len, size_t size, const uint8_t *lost,
    unsigned m, const uint8_t *index, uint8_t *spare)
{
	unsigned i, l, row, k = (unsigned)((len + size - 1) / size);

	for (i = 0; i < k; i++) {
		for (l = 0; l < m && lost[l] != i; l++)
			;
		if (l < m)
			continue;
		for (row = 0; row < m; row++)
			parity_add(spare + row * size, data + i * size,
			    parity_size(len, size, i),
			    parity_factor(index[row], i));
	}
}

void
ssp_parity_solve(uint8_t *data, size_t len, size_t size, const uint8_t *lost,
    unsigned m, const uint8_t *index, uint8_t *spare)
{
	uint8_t a[SSP_PARITY_DATA][SSP_PARITY_DATA], f;
	unsigned i, row, col;

	bug_assert(m <= SSP_PARITY_DATA);
	parity_reduce(data, len, size, lost, m, index, spare);
	for (row = 0; row < m; row++)
		for (col = 0; col < m; col++)
			a[row][col] = parity_factor(index[row], lost[col]);
	/*
	 * Every square submatrix of a Cauchy matrix is regular: no pivot is 0.
	 */
	for (i = 0; i < m; i++) {
		f = parity_inv(a[i][i]);
		parity_scale(a[i], m, f);
		parity_scale(spare + i * size, size, f);
		for (row = 0; row < m; row++) {
			f = a[row][i];
			if (row == i || f == 0)
				continue;
			parity_add(a[row], a[i], m, f);
			parity_add(
			    spare + row * size, spare + i * size, size, f);
		}
	}
	for (i = 0; i < m; i++)
		memcpy(data + lost[i] * size, spare + i * size,
		    parity_size(len, size, lost[i]));
}

/*
 * The losses before the NEEDth arrival have a negative binomial distribution:
 * sum its terms.
 */
unsigned
ssp_parity_total(unsigned need, double loss, double sure)
{
	double p = CLAMP(loss, 0.0, PARITY_LOSS_MAX), term = 1, sum;
	unsigned i;

	for (i = 0; i < need; i++)
		term *= 1 - p;
	sum = term;
	for (i = 0; sum < sure && i < 4 * need + 16; i++) {
		term *= p * (need + i) / (i + 1);
		sum += term;
	}
	return need + i;
}
