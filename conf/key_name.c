#include "conf/key_name.h"

#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "base/utf8.h"

/* Keys by name; the first of several names of a key is printed. */
static const struct {
	const char *name;
	uint32_t code;
} key_names[] = {
/* clang-format off */
#define X(name, text) { text, KEY_##name },
#include "base/key.def"
#undef X
	{ "Space", ' ' },
	{ "Insert", KEY_IC },
	{ "Delete", KEY_DC },
	{ "PageUp", KEY_PPAGE },
	{ "PgUp", KEY_PPAGE },
	{ "PageDown", KEY_NPAGE },
	{ "PgDn", KEY_NPAGE },
	/* clang-format on */
};

static const struct {
	const char *name;
	bool button;
} key_mouse_kinds[] = {
#define KIND(name, text, button) { text, button },
#include "base/key_mouse.def"
};

static const char *const key_mouse_places[] = {
#define PLACE(name, text) text,
#include "base/key_mouse.def"
};

static_assert(KEY_MOUSE_PLACES <= 32, "five bits hold the place");
static_assert(KEY_MOUSE_KINDS <= 16, "mouse keys end at KEY_MOUSE_END");

static const struct {
	char letter;
	const char *word; /* is read, too; or NULL */
	key_code bit;
} key_modifiers[] = {
	/* clang-format off */
	{ 'C', NULL, KEY_CTRL },
	{ 'M', NULL, KEY_META },
	{ 'S', NULL, KEY_SHIFT },
	{ 'D', "Super-", KEY_SUPER },
	{ 'H', "Hyper-", KEY_HYPER },
	{ 'W', "Meta-", KEY_META2 },
	/* clang-format on */
};

/* Returns the bytes of the name of modifier I that S begins with, or 0. */
static size_t
modifier_at(const char *s, size_t i)
{
	const char *word = key_modifiers[i].word;
	size_t n = 0;

	if (s[1] == '-' && (s[0] & ~0x20) == key_modifiers[i].letter)
		n = 2;
	else if (word != NULL && strncasecmp(s, word, strlen(word)) == 0)
		n = strlen(word);
	return n > 0 && s[n] != '\0' ? n : 0;
}

/* Reads "C-", "m-", "Super-" ... in any order; moves *s after them. */
static key_code
key_name_modifiers(const char **s)
{
	key_code mods = 0;
	size_t i = 0, n;

	while (**s != '\0' && i < ARRAY_LEN(key_modifiers)) {
		n = modifier_at(*s, i);
		mods |= n > 0 ? key_modifiers[i].bit : 0;
		*s += n;
		i = n > 0 ? 0 : i + 1;
	}
	return mods;
}

/* Parses MouseDown1Pane and similar names. */
static int
key_name_mouse(const char *s, key_code *out)
{
	size_t kind, place, n;
	unsigned button;
	const char *p;

	for (kind = 0; kind < ARRAY_LEN(key_mouse_kinds); kind++) {
		n = strlen(key_mouse_kinds[kind].name);
		if (strncmp(s, key_mouse_kinds[kind].name, n) != 0)
			continue;
		p = s + n;
		button = 0;
		if (key_mouse_kinds[kind].button) {
			if (*p < '1' || *p > '9')
				continue;
			button = (unsigned)(*p++ - '0');
			if (button == 1 && (*p == '0' || *p == '1'))
				button = 10 + (unsigned)(*p++ - '0');
		}
		for (place = 0; place < ARRAY_LEN(key_mouse_places); place++) {
			if (strcmp(p, key_mouse_places[place]) != 0)
				continue;
			*out = key_mouse((enum key_mouse_kind)kind, button,
			    (enum key_mouse_place)place);
			return 0;
		}
	}
	return -ERR_SYNTAX;
}

/* Parses 0x41: a code point in hex. */
static int
key_name_hex(const char *s, key_code *out)
{
	uint32_t v = 0;
	int digit;

	if (*s == '\0')
		return -ERR_SYNTAX;
	for (; *s != '\0'; s++) {
		digit = str_hex_digit((unsigned char)*s);
		v = v << 4 | (uint32_t)digit;
		if (digit < 0 || v > 0x10ffff)
			return -ERR_SYNTAX;
	}
	if (v >= 0xd800 && v <= 0xdfff)
		return -ERR_SYNTAX;
	*out = key_is_control(v) ? key_from_control(v) : v;
	return 0;
}

/* Parses a key behind the modifiers MODS. */
static int
key_name_base(const char *s, key_code mods, key_code *out)
{
	size_t i, n = strlen(s);
	int64_t v;
	uint32_t cp;

	if (n == 0)
		return -ERR_SYNTAX;
	if (s[0] == '0' && s[1] == 'x')
		return mods != 0 ? -ERR_SYNTAX : key_name_hex(s + 2, out);
	if (utf8_decode_final((const uint8_t *)s, n, &cp) == n) {
		if (cp == UTF8_REPLACEMENT && strcmp(s, "\xef\xbf\xbd") != 0)
			return -ERR_SYNTAX;
		/* A C1 control with modifiers has no name. */
		if (cp < 0x20 || (mods != 0 && cp >= 0x80 && cp < 0xa0))
			return -ERR_SYNTAX;
		*out = key_is_control(cp) ? key_from_control(cp) : cp;
		return 0;
	}
	for (i = 0; i < ARRAY_LEN(key_names); i++) {
		if (str_eq_nocase(s, key_names[i].name)) {
			*out = key_names[i].code;
			return *out == KEY_ANY && mods != 0 ? -ERR_SYNTAX : 0;
		}
	}
	if (strncmp(s, "User", 4) == 0 &&
	    str_to_int(s + 4, 0, KEY_USER_COUNT - 1, &v) == 0) {
		*out = (key_code)(KEY_USER0 + v);
		return 0;
	}
	return key_name_mouse(s, out);
}

int
key_name_parse_case(const char *s, key_code *out)
{
	const bool caret = s[0] == '^' && s[1] != '\0';
	key_code mods, key;

	if (str_eq_nocase(s, "None")) {
		*out = KEY_NONE;
		return 0;
	}
	mods = 0;
	if (caret) {
		mods = KEY_CTRL;
		s++;
	}
	mods |= key_name_modifiers(&s);
	if (key_name_base(s, mods, &key) != 0)
		return -ERR_SYNTAX;
	if (caret && key >= 'A' && key <= 'Z')
		key += 'a' - 'A';
	*out = key | mods;
	return 0;
}

int
key_name_parse(const char *s, key_code *out)
{
	key_code key;

	if (key_name_parse_case(s, &key) != 0)
		return -ERR_SYNTAX;
	/* Ctrl ignores upper case: C-A is C-a; C-S-a has a Shift. */
	if ((key & KEY_CTRL) && (key & KEY_MASK) >= 'A' &&
	    (key & KEY_MASK) <= 'Z')
		key |= 0x20;
	*out = key;
	return 0;
}

/* Prints a key without its modifiers. */
static void
key_name_format_base(key_code key, char *buf, size_t size)
{
	uint32_t base = (uint32_t)(key & KEY_MASK);
	uint8_t utf8[UTF8_MAX + 1];
	unsigned kind, button, place;
	size_t i;

	for (i = 0; i < ARRAY_LEN(key_names); i++) {
		if (key_names[i].code == base) {
			(void)str_append(buf, key_names[i].name, size);
			return;
		}
	}
	i = strlen(buf);
	if (key_is_mouse(key)) {
		kind = (unsigned)key_mouse_kind(key);
		place = (unsigned)key_mouse_place(key);
		button = key_mouse_button(key);
		if (kind < KEY_MOUSE_KINDS && place < KEY_MOUSE_PLACES &&
		    button <= 11 &&
		    (button > 0) == key_mouse_kinds[kind].button) {
			(void)str_append(buf, key_mouse_kinds[kind].name, size);
			i = strlen(buf);
			if (button > 0)
				(void)snprintf(buf + i, size - i, "%u", button);
			(void)str_append(buf, key_mouse_places[place], size);
			return;
		}
	}
	if (base >= KEY_USER0 && base < KEY_USER0 + KEY_USER_COUNT) {
		(void)snprintf(buf + i, size - i, "User%u", base - KEY_USER0);
	} else if (base == 0x7f) {
		(void)str_append(buf, "C-?", size);
	} else if (base <= 0x20 || (base >= 0x7f && base < 0xa0) ||
		   base >= KEY_SPECIAL) {
		(void)snprintf(buf + i, size - i, "0x%x", base);
	} else {
		utf8[utf8_encode(base, utf8)] = '\0';
		(void)str_append(buf, (const char *)utf8, size);
	}
}

const char *
key_name_format(key_code key, char *buf, size_t size)
{
	size_t i;

	buf[0] = '\0';
	if ((key & KEY_MASK) == KEY_NONE) {
		(void)str_copy(buf, "None", size);
		return buf;
	}
	for (i = 0; i < ARRAY_LEN(key_modifiers); i++) {
		if (key & key_modifiers[i].bit) {
			char prefix[3] = { key_modifiers[i].letter, '-', '\0' };

			(void)str_append(buf, prefix, size);
		}
	}
	key_name_format_base(key, buf, size);
	return buf;
}
