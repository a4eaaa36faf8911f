/*
 * Hints: classes of characters.
 */
#include "base/utf8.h"
#include "mux/mode/hints_find.h"

#define OF_LETTER                                                           \
 (HINT_ALPHA | HINT_WORD | HINT_MAIL | HINT_HOST | HINT_PATHS | HINT_URLS | \
     HINT_SCHEME)
#define OF_HEX (OF_LETTER | HINT_HEX)
#define OF_DIGIT ((OF_HEX & ~(unsigned)HINT_ALPHA) | HINT_DIGIT)

static const uint16_t classes[128] = {
	['!'] = HINT_URLS,
	['#'] = HINT_URLS,
	['$'] = HINT_URLS,
	['%'] = HINT_URLS | HINT_MAIL | HINT_PATHS,
	['&'] = HINT_URLS,
	['\''] = HINT_URLS,
	['('] = HINT_URLS,
	[')'] = HINT_URLS,
	['*'] = HINT_URLS,
	['+'] = HINT_URLS | HINT_MAIL | HINT_PATHS | HINT_SCHEME,
	[','] = HINT_URLS,
	['-'] = HINT_URLS | HINT_MAIL | HINT_HOST | HINT_PATHS | HINT_SCHEME,
	['.'] = HINT_URLS | HINT_MAIL | HINT_HOST | HINT_PATHS | HINT_SCHEME,
	['/'] = HINT_URLS | HINT_PATHS,
	['0'] = OF_DIGIT,
	['1'] = OF_DIGIT,
	['2'] = OF_DIGIT,
	['3'] = OF_DIGIT,
	['4'] = OF_DIGIT,
	['5'] = OF_DIGIT,
	['6'] = OF_DIGIT,
	['7'] = OF_DIGIT,
	['8'] = OF_DIGIT,
	['9'] = OF_DIGIT,
	[':'] = HINT_URLS,
	[';'] = HINT_URLS,
	['='] = HINT_URLS,
	['?'] = HINT_URLS,
	['@'] = HINT_URLS | HINT_PATHS,
	['A'] = OF_HEX,
	['B'] = OF_HEX,
	['C'] = OF_HEX,
	['D'] = OF_HEX,
	['E'] = OF_HEX,
	['F'] = OF_HEX,
	['G'] = OF_LETTER,
	['H'] = OF_LETTER,
	['I'] = OF_LETTER,
	['J'] = OF_LETTER,
	['K'] = OF_LETTER,
	['L'] = OF_LETTER,
	['M'] = OF_LETTER,
	['N'] = OF_LETTER,
	['O'] = OF_LETTER,
	['P'] = OF_LETTER,
	['Q'] = OF_LETTER,
	['R'] = OF_LETTER,
	['S'] = OF_LETTER,
	['T'] = OF_LETTER,
	['U'] = OF_LETTER,
	['V'] = OF_LETTER,
	['W'] = OF_LETTER,
	['X'] = OF_LETTER,
	['Y'] = OF_LETTER,
	['Z'] = OF_LETTER,
	['['] = HINT_URLS | HINT_PATHS,
	[']'] = HINT_URLS | HINT_PATHS,
	['_'] = HINT_URLS | HINT_MAIL | HINT_HOST | HINT_PATHS | HINT_WORD,
	['a'] = OF_HEX,
	['b'] = OF_HEX,
	['c'] = OF_HEX,
	['d'] = OF_HEX,
	['e'] = OF_HEX,
	['f'] = OF_HEX,
	['g'] = OF_LETTER,
	['h'] = OF_LETTER,
	['i'] = OF_LETTER,
	['j'] = OF_LETTER,
	['k'] = OF_LETTER,
	['l'] = OF_LETTER,
	['m'] = OF_LETTER,
	['n'] = OF_LETTER,
	['o'] = OF_LETTER,
	['p'] = OF_LETTER,
	['q'] = OF_LETTER,
	['r'] = OF_LETTER,
	['s'] = OF_LETTER,
	['t'] = OF_LETTER,
	['u'] = OF_LETTER,
	['v'] = OF_LETTER,
	['w'] = OF_LETTER,
	['x'] = OF_LETTER,
	['y'] = OF_LETTER,
	['z'] = OF_LETTER,
	['~'] = HINT_URLS | HINT_PATHS,
};

bool
hint_is(const struct hint_line *l, size_t at, unsigned set)
{
	const unsigned char c = hint_at(l, at);

	return c < 128 && (classes[c] & set) != 0;
}

size_t
hint_run(const struct hint_line *l, size_t at, unsigned set)
{
	while (hint_is(l, at, set))
		at++;
	return at;
}

size_t
hint_letter(const struct hint_line *l, size_t at)
{
	uint32_t cp;
	size_t n;

	if (at >= l->n || (unsigned char)l->s[at] < 0x80)
		return 0;
	n = utf8_decode((const uint8_t *)l->s + at, l->n - at, &cp);
	if (n == UTF8_INCOMPLETE || cp == UTF8_REPLACEMENT || cp < 0xc0 ||
	    cp == 0xd7 || cp == 0xf7 || (cp >= 0x2000 && cp < 0x2c00) ||
	    (cp >= 0x3000 && cp < 0x3005) || (cp >= 0x3008 && cp < 0x3021) ||
	    (cp >= 0xe000 && cp < 0xf900) || (cp >= 0xfe10 && cp < 0xfe70) ||
	    (cp >= 0xff00 && cp < 0xff10) || (cp >= 0xff1a && cp < 0xff21) ||
	    (cp >= 0xfff0 && cp < 0x10000) || (cp >= 0x1f000 && cp < 0x20000) ||
	    cp >= 0xf0000)
		return 0;
	return n;
}
