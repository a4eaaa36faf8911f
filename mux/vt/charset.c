#include "mux/vt/charset.h"

#include <string.h>

/* DEC special graphics, 0x5f..0x7e. */
static const uint16_t charset_dec[32] = {
	0x00a0, /* blank */
	0x25c6, /* diamond */
	0x2592, /* checkerboard */
	0x2409, /* HT */
	0x240c, /* FF */
	0x240d, /* CR */
	0x240a, /* LF */
	0x00b0, /* degree */
	0x00b1, /* plus or minus */
	0x2424, /* NL */
	0x240b, /* VT */
	0x2518, /* lower right corner */
	0x2510, /* upper right corner */
	0x250c, /* upper left corner */
	0x2514, /* lower left corner */
	0x253c, /* crossing lines */
	0x23ba, /* scan line 1 */
	0x23bb, /* scan line 3 */
	0x2500, /* scan line 5, horizontal line */
	0x23bc, /* scan line 7 */
	0x23bd, /* scan line 9 */
	0x251c, /* left T */
	0x2524, /* right T */
	0x2534, /* bottom T */
	0x252c, /* top T */
	0x2502, /* vertical line */
	0x2264, /* less or equal */
	0x2265, /* greater or equal */
	0x03c0, /* pi */
	0x2260, /* not equal */
	0x00a3, /* pound */
	0x00b7, /* centred dot */
};

struct charset_row {
	uint8_t final;
	uint8_t from; /* lower bytes map to themselves */
	const uint16_t *map;
};

static const uint16_t charset_uk[1] = { 0x00a3 };

static const struct charset_row charset_rows[] = {
	[VT_CHARSET_ASCII] = { 'B', 0x7f, NULL },
	[VT_CHARSET_UK] = { 'A', '#', charset_uk },
	[VT_CHARSET_DEC] = { '0', 0x5f, charset_dec },
};

void
vt_charsets_init(struct vt_charsets *c)
{
	memset(c, 0, sizeof *c);
	c->gr = 2;
}

int
vt_charset_of_final(uint8_t final)
{
	int i;

	for (i = 0; i < (int)ARRAY_LEN(charset_rows); i++) {
		if (charset_rows[i].final == final)
			return i;
	}
	return -1;
}

uint8_t
vt_charset_final(enum vt_charset set)
{
	return charset_rows[set].final;
}

uint32_t
vt_charset_map(enum vt_charset set, uint8_t b)
{
	const struct charset_row *r = &charset_rows[set];

	if (b < r->from || (set == VT_CHARSET_UK && b != '#') || r->map == NULL)
		return b;
	return r->map[b - r->from];
}
