/*
 * client/term/in_int.h - internals of the input decoder.
 *
 * Purpose:   shared by in.c (buffer, strings, pastes), in_csi.c (control
 *            sequences, mouse, answers), in_keys.c (keys), in_user.c
 *            (user-keys) and in_emit.c (events).
 * Errors:    a function that takes bytes returns how many, 0 if more bytes must
 *            come first; one that decodes a sequence returns false if it is
 *            unknown.
 * Tests:     regress/unit/check_term_in.c
 */
#ifndef CLIENT_TERM_IN_INT_H
#define CLIENT_TERM_IN_INT_H

#include "base/buf.h"
#include "client/term/in.h"

#define TERM_IN_USER_MAX 64

struct term_user;

struct term_in {
	term_in_fn fn;
	void *arg;
	struct buf buf;
	size_t scanned; /* bytes of buf without the end of its first string */
	uint8_t drop;   /* byte after the ESC of a sequence too long; 0: none */
	mono_ms escape_time;
	mono_ms deadline;
	uint16_t size[4]; /* cols, rows, xpixel, ypixel; 0: mouse in cells */
	bool pasting;
	bool paste_begun;
	struct term_user *user; /* user-keys */
	size_t nuser;
};

/* A sequence of user-keys. */
struct term_user {
	key_code key;
	size_t len;
	uint8_t bytes[TERM_IN_USER_MAX];
};

/*
 * Emits the user's key at P and returns its length in bytes; 0: none, -1: it
 * may be incomplete.
 */
int in_user_take(struct term_in *in, const uint8_t *p, size_t n);

/* A parsed control sequence. */
struct term_csi {
	uint8_t private; /* '<' '=' '>' '?' or 0 */
	uint8_t inter;   /* last intermediate, or 0 */
	uint8_t final;
	unsigned n;
	uint32_t p[TERM_IN_PARAMS];
	uint32_t sub[TERM_IN_PARAMS][3]; /* after ':' */
	bool given[TERM_IN_PARAMS];
};

/* Emit one event (in_emit.c). */
void term_in_emit_key(struct term_in *in, key_code key);
void term_in_emit_text(struct term_in *in, uint32_t cp);
void term_in_emit_reply(struct term_in *in, enum term_reply reply,
    const struct term_csi *c, const uint8_t *data, size_t len);

/*
 * Take the CSI or SS3 sequence at P, which includes ESC. FINAL: no more bytes
 * will come (in_csi.c).
 */
size_t in_csi_take(
    struct term_in *in, const uint8_t *p, size_t n, bool final, key_code meta);
size_t in_csi_take_ss3(
    struct term_in *in, const uint8_t *p, size_t n, bool final, key_code meta);

/* Appends a decimal digit to *V, with a limit. */
void in_csi_number(uint32_t *v, uint8_t digit);

/*
 * Decode keys by final byte, by number, in rxvt's and in kitty's form
 * (in_keys.c).
 */
bool in_keys_letter(struct term_in *in, const struct term_csi *c);
bool in_keys_tilde(struct term_in *in, const struct term_csi *c);
bool in_keys_rxvt(struct term_in *in, const struct term_csi *c);
bool in_keys_u(struct term_in *in, const struct term_csi *c);

/* Decodes modifiers of xterm and kitty: 1 + bits. */
key_code in_keys_mods(uint32_t param);

/* Returns the key of an SS3 final byte, or KEY_NONE. */
key_code in_keys_ss3(uint8_t final);

#endif
