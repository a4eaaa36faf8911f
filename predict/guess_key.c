#include "base/str.h"
#include "base/utf8.h"
#include "predict/guess.h"

struct guess_row {
	key_code key;
	enum guess_act act;
};

/* Keys on which line editors agree (emacs bindings). */
static const struct guess_row guess_rows[] = {
	{ KEY_BSPACE, GUESS_BACKSPACE },
	{ KEY_CTRL | 'h', GUESS_BACKSPACE },
	{ 0x7f, GUESS_BACKSPACE },
	{ KEY_DC, GUESS_DELETE },
	{ KEY_LEFT, GUESS_LEFT },
	{ KEY_CTRL | 'b', GUESS_LEFT },
	{ KEY_RIGHT, GUESS_RIGHT },
	{ KEY_CTRL | 'f', GUESS_RIGHT },
	{ KEY_HOME, GUESS_HOME },
	{ KEY_CTRL | 'a', GUESS_HOME },
	{ KEY_END, GUESS_END },
	{ KEY_CTRL | 'e', GUESS_END },
	{ KEY_META | 'b', GUESS_WORD_LEFT },
	{ KEY_CTRL | KEY_LEFT, GUESS_WORD_LEFT },
	{ KEY_META | 'f', GUESS_WORD_RIGHT },
	{ KEY_CTRL | KEY_RIGHT, GUESS_WORD_RIGHT },
	{ KEY_CTRL | 'w', GUESS_KILL_WORD },
	{ KEY_META | KEY_BSPACE, GUESS_KILL_ALPHA },
	{ KEY_META | 0x7f, GUESS_KILL_ALPHA },
	{ KEY_CTRL | 'u', GUESS_KILL_LINE },
	{ KEY_CTRL | 'k', GUESS_KILL_END },
	{ KEY_CTRL | 'l', GUESS_CLEAR },
	{ KEY_ENTER, GUESS_ENTER },
	{ KEY_KP_ENTER, GUESS_ENTER },
	{ '\r', GUESS_ENTER },
	{ KEY_CTRL | 'm', GUESS_ENTER },
};

struct guess_key
guess_key_of(const struct key_event *ev)
{
	struct guess_key k = { GUESS_UNKNOWN, 0 };
	uint32_t other;
	key_code key = ev->key & ~KEY_LOCKS;
	size_t i, n;

	if (key > 0 && key < 0x20)
		key = key == '\r' ? '\r' : KEY_CTRL | (key + '`');
	for (i = 0; i < ARRAY_LEN(guess_rows); i++)
		if (guess_rows[i].key == key) {
			k.act = guess_rows[i].act;
			return k;
		}
	other = GUESS_OTHER |
		((uint32_t)str_hash(&key, sizeof(key), 0) & (GUESS_OTHER - 1));
	k.cp = other;
	if (key == KEY_ESCAPE || key == (KEY_CTRL | '['))
		k.cp = 033;
	if (key == KEY_TAB || key == (KEY_CTRL | 'i')) {
		k.cp = GUESS_ARROWS + HABIT_TAB;
		return k;
	}
	if (key & (KEY_MODS & ~KEY_SHIFT))
		return k;
	n = 0;
	if (k.cp == 033)
		return k;
	while (n < sizeof(ev->text) && ev->text[n] != '\0')
		n++;
	if (n > 0) {
		if (utf8_decode_final((const uint8_t *)ev->text, n, &k.cp) !=
		    n) {
			k.cp = other;
			return k;
		}
	} else if (key < KEY_SPECIAL) {
		k.cp = (uint32_t)key;
	} else {
		if (key == KEY_UP)
			k.cp = GUESS_ARROWS + HABIT_UP;
		else if (key == KEY_DOWN)
			k.cp = GUESS_ARROWS + HABIT_DOWN;
		return k;
	}
	if (k.cp >= 0x20 && k.cp != 0x7f && !(k.cp >= 0x80 && k.cp < 0xa0))
		k.act = GUESS_TEXT;
	else
		k.cp = other;
	return k;
}

int
guess_arrow_of(const struct guess_key *k)
{
	if (k->act != GUESS_UNKNOWN || k->cp < GUESS_ARROWS ||
	    k->cp >= GUESS_ARROWS + HABIT_ARROWS)
		return -1;
	return (int)(k->cp - GUESS_ARROWS);
}
