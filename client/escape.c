#include "client/escape.h"

#include "base/compiler.h"

struct escape_row {
	key_code key;
	enum escape_what what;
};

/* Keys that may follow the escape key; typed modifiers are included. */
static const struct escape_row escape_rows[] = {
	{ '.', ESCAPE_QUIT },
	{ KEY_CTRL | '.', ESCAPE_QUIT },
	{ KEY_CTRL | 'z', ESCAPE_SUSPEND },
	{ 0x1a, ESCAPE_SUSPEND },
	{ '^', ESCAPE_LITERAL },
	{ '?', ESCAPE_REPORT },
	{ 'r', ESCAPE_AGAIN },
	{ 'h', ESCAPE_HISTORY },
	{ 'y', ESCAPE_ANSWER },
	{ 'a', ESCAPE_ANSWER },
	{ 'n', ESCAPE_ANSWER },
};

/*
 * Gives a key that has several names one of them. Control characters come as
 * bytes or as Ctrl with a character. Ctrl-^ also comes as Ctrl-6, the same key
 * without Shift on a US keyboard. Shift is part of a character that needs it.
 */
static key_code
escape_normal(key_code key)
{
	key_code base = key & KEY_MASK;
	key_code mods = key & KEY_MODS;

	if (base < 0x20 && mods == 0 && base != '\r' && base != '\t' &&
	    base != 0x1b && base != '\b')
		return KEY_CTRL | (base < 0x1b ? base + 'a' - 1 : base + '@');
	if (base < KEY_SPECIAL)
		mods &= ~KEY_SHIFT;
	if (mods == KEY_CTRL && base >= 'A' && base <= 'Z')
		base += 'a' - 'A';
	if (mods == KEY_CTRL && base == '6')
		base = '^';
	return mods | base;
}

void
escape_init(struct escape *e, key_code key)
{
	e->key = key == KEY_NONE ? KEY_NONE : escape_normal(key);
	e->held = false;
}

enum escape_what
escape_key(struct escape *e, key_code key)
{
	size_t i;

	if (e->key == KEY_NONE)
		return ESCAPE_PASS;
	if (key_is_modifier(key))
		return ESCAPE_PASS;
	key = escape_normal(key);
	if (!e->held) {
		if (key != e->key)
			return ESCAPE_PASS;
		e->held = true;
		return ESCAPE_HOLD;
	}
	e->held = false;
	if (key == e->key)
		return ESCAPE_LITERAL;
	for (i = 0; i < ARRAY_LEN(escape_rows); i++)
		if (escape_normal(escape_rows[i].key) == key)
			return escape_rows[i].what;
	return ESCAPE_PASS_BOTH;
}

bool
escape_flush(struct escape *e)
{
	bool held = e->held;

	e->held = false;
	return held;
}
