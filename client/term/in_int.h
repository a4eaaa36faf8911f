/*
 * client/term/in_int.h - inside the input decoder.
 *
 * Purpose:   what in.c (gathering, strings, pastes), in_csi.c (control
 *            sequences, mouse, answers) and in_keys.c (keys) share.
 * Ownership: see in.h.
 * Units:     see in.h.
 * Errors:    a function that takes bytes returns how many, 0 for "not all is
 *            here yet"; one that reads a sequence returns false if it means
 *            nothing.
 * Source:    see in.h.
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
	mono_ms escape_time;
	mono_ms deadline;
	bool pasting;
	bool paste_begun;
	struct term_user *user; /* user-keys */
	size_t nuser;
};

/* A sequence that is a key of the user's own. */
struct term_user {
	key_code key;
	size_t len;
	uint8_t bytes[TERM_IN_USER_MAX];
};

/* How many bytes at P are a user's key, which is emitted; 0: none, -1: perhaps. */
int in_user_take(struct term_in *in, const uint8_t *p, size_t n);

/* A control sequence taken apart. */
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

/* CSI or SS3 at P, its ESC included; FINAL: no more will come (in_csi.c). */
size_t in_csi_take(
    struct term_in *in, const uint8_t *p, size_t n, bool final, key_code meta);
size_t in_csi_take_ss3(
    struct term_in *in, const uint8_t *p, size_t n, bool final, key_code meta);

/* Adds a decimal digit to *V, which stays small. */
void in_csi_number(uint32_t *v, uint8_t digit);

/* Keys by the final byte, by number, in rxvt's and kitty's way (in_keys.c). */
bool in_keys_letter(struct term_in *in, const struct term_csi *c);
bool in_keys_tilde(struct term_in *in, const struct term_csi *c);
bool in_keys_rxvt(struct term_in *in, const struct term_csi *c);
bool in_keys_u(struct term_in *in, const struct term_csi *c);

/* Modifiers as xterm and kitty code them: 1 + bits. */
key_code in_keys_mods(uint32_t param);

/* The key of an SS3 final byte, or KEY_NONE. */
key_code in_keys_ss3(uint8_t final);

#endif
