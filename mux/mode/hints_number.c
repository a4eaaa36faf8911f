/*
 * Hints: numbers and hashes.
 */
#include <string.h>

#include "mux/mode/hints_find.h"

/* Digits of a hash and of a number. */
#define HASH_MIN 7
#define HASH_MAX 128
#define NUMBER_MIN 4
#define NUMBER_MAX 32

/* Whether a joining character before AT makes its text part of a larger one. */
static bool
joined_before(const struct hint_line *l, size_t at, unsigned set)
{
	return at >= 2 && hint_is(l, at - 2, set);
}

static bool
joined_after(const struct hint_line *l, size_t at, unsigned set)
{
	return hint_is(l, at + 1, set);
}

size_t
hints_find_hash(const struct hint_line *l, size_t at, size_t *skip)
{
	const size_t end = hint_run(l, at, HINT_HEX);
	bool digit = false, lower = false, upper = false;
	size_t i;

	*skip = MAX_OF(end, at + 1);
	if (end - at < HASH_MIN || end - at > HASH_MAX ||
	    hint_is(l, end, HINT_WORD) ||
	    (at > 0 && hint_is(l, at - 1, HINT_WORD)))
		return 0;
	if ((hint_before(l, at) == '-' && joined_before(l, at, HINT_WORD)) ||
	    (hint_at(l, end) == '-' && joined_after(l, end, HINT_WORD)))
		return 0;
	for (i = at; i < end; i++) {
		digit |= hint_is(l, i, HINT_DIGIT);
		lower |= l->s[i] >= 'a';
		upper |= l->s[i] >= 'A' && l->s[i] <= 'F';
	}
	/* Digits alone are a number, letters alone most often a word. */
	return digit && lower != upper ? end : 0;
}

/* "0x" and digits. */
static size_t
find_hex(const struct hint_line *l, size_t at)
{
	size_t end;

	if (hint_at(l, at) != '0' || (hint_at(l, at + 1) | 32) != 'x')
		return 0;
	end = hint_run(l, at + 2, HINT_HEX);
	return end - at >= 4 && end - at <= NUMBER_MAX * 4 &&
		       !hint_is(l, end, HINT_WORD)
		   ? end
		   : 0;
}

size_t
hints_find_number(const struct hint_line *l, size_t at, size_t *skip)
{
	const unsigned char before = hint_before(l, at);
	size_t end;

	if (at > 0 && hint_is(l, at - 1, HINT_WORD))
		return 0;
	if ((end = find_hex(l, at)) != 0)
		return end;
	end = hint_run(l, at, HINT_DIGIT);
	*skip = MAX_OF(end, at + 1);
	if (end - at < NUMBER_MIN || end - at > NUMBER_MAX ||
	    hint_is(l, end, HINT_WORD))
		return 0;
	/* Parts of dates, times, versions and decimals are no numbers. */
	if ((strchr(",:/", before) != NULL && before != 0 &&
		joined_before(l, at, HINT_DIGIT)) ||
	    ((before == '.' || before == '-') &&
		joined_before(l, at, HINT_WORD)))
		return 0;
	if (hint_at(l, end) != 0 && strchr(".,:-/", hint_at(l, end)) != NULL &&
	    joined_after(l, end, HINT_DIGIT))
		return 0;
	return end;
}
