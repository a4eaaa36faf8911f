/*
 * mux/vt/input_int.h - shared by the files that encode keys.
 *
 * Purpose:   the common form of a key event, and the bytes of its encoding.
 * Ownership: plain values.
 * Units:     bytes.
 * Errors:    bytes over INPUT_MAX are dropped; no event is that long.
 * Tests:     regress/keys/, regress/fuzz/fuzz_input_encode.c
 */
#ifndef MUX_VT_INPUT_INT_H
#define MUX_VT_INPUT_INT_H

#include <string.h>

#include "base/utf8.h"
#include "mux/vt/input_encode.h"

#define INPUT_MAX 512 /* longest event in bytes, with a margin */

/* The bytes of one event, collected so that they can be added as a whole. */
struct input_out {
	size_t n;
	char b[INPUT_MAX];
};

struct input_row;

/* The common form of a key event. */
struct input_key {
	uint32_t base;        /* unshifted code point or enum key_special */
	uint32_t shifted;     /* with Shift, 0 unknown */
	uint32_t base_layout; /* 0 unknown */
	key_code mods;        /* KEY_MODS and KEY_LOCKS */
	bool implied;         /* an upper-case letter alone implies Shift */
	enum key_event_type type;
	const struct input_row *row; /* NULL: the key is a code point */
	size_t ntext;
	uint8_t text[sizeof(((struct key_event *)0)->text) + UTF8_MAX];
};

/* Writes a special key in the legacy encoding. */
typedef void (*input_legacy_fn)(struct input_out *o,
    const struct vt_input_modes *m, const struct input_key *k);

/* A row of input_key.def. */
struct input_row {
	uint32_t key;
	input_legacy_fn legacy;
	uint16_t num;
	char final;
	char text; /* of a keypad key, 0 none */
	uint16_t kitty;
	char kitty_final;
};

/* Appends N bytes. */
static inline void
put(struct input_out *o, const void *p, size_t n)
{
	if (n > sizeof(o->b) - o->n)
		n = sizeof(o->b) - o->n;
	memcpy(o->b + o->n, p, n);
	o->n += n;
}

static inline void
put_char(struct input_out *o, int c)
{
	char b = (char)c;

	put(o, &b, 1);
}

static inline void
put_str(struct input_out *o, const char *s)
{
	put(o, s, strlen(s));
}

/* Appends a decimal number. */
static inline void
put_num(struct input_out *o, uint32_t v)
{
	char b[10];
	size_t i = sizeof(b);

	do
		b[--i] = (char)('0' + v % 10);
	while ((v /= 10) != 0 && i > 0);
	put(o, b + i, sizeof(b) - i);
}

/* Appends a code point as UTF-8. */
static inline void
put_cp(struct input_out *o, uint32_t cp)
{
	uint8_t b[UTF8_MAX];

	put(o, b, utf8_encode(cp, b));
}

/* Returns the row of a special key, or NULL (input_legacy.c). */
const struct input_row *vt_input_row(uint32_t key);

/* True if the row is that of a modifier key (input_legacy.c). */
bool vt_input_is_modifier(const struct input_row *row);

/*
 * Writes modifyOtherKeys' report of the character CODE with modifiers
 * (input_legacy.c).
 */
void vt_input_other(struct input_out *o, const struct vt_input_modes *m,
    key_code key_mods, uint32_t code);

/* Writes a key in the legacy encoding (input_legacy.c). */
void vt_input_legacy(struct input_out *o, const struct vt_input_modes *m,
    const struct input_key *k);

/* Writes a key in kitty's encoding (input_kitty.c). */
void vt_input_kitty(struct input_out *o, const struct vt_input_modes *m,
    const struct input_key *k);

#endif
