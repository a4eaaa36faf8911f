/*
 * mux/sync/prompt_edit.h - one line of text with a cursor.
 *
 * Purpose:   what the keys of a prompt do to its text, and how that is drawn:
 *            the server's prompt, and a client's that shows what was typed
 *            into it before the server has it.
 * Ownership: struct prompt_edit owns its text; all of it is valid UTF-8.
 * Units:     bytes; moves are by whole code points.
 * Errors:    text over PROMPT_MAX bytes is left out.
 * Source:    tmux(1), status-keys and word-separators.
 * Tests:     regress/unit/check_prompt_edit.c, check_client_local_echo.c,
 *            regress/e2e/prompt.sh
 */
#ifndef MUX_SYNC_PROMPT_EDIT_H
#define MUX_SYNC_PROMPT_EDIT_H

#include "base/buf.h"
#include "base/key.h"
#include "base/utf8.h"
#include "mux/vt/frame.h"

#define PROMPT_MAX 65536

struct prompt_edit {
	struct buf text;
	size_t at;              /* cursor */
	char *cut;              /* what C-w and C-k took last, or NULL */
	const char *separators; /* word-separators; borrowed */
};

void prompt_edit_init(struct prompt_edit *e, const char *separators);
void prompt_edit_fini(struct prompt_edit *e);

/* The text, NUL-terminated; until the next change. */
const char *prompt_edit_text(struct prompt_edit *e);

/* What a key did. */
enum prompt_edit_did {
	PROMPT_EDIT_NONE, /* it is bound to nothing here */
	PROMPT_EDIT_MOVED,
	PROMPT_EDIT_CHANGED,
};

/* Key K, if it is bound to an edit or a move (emacs' keys). */
enum prompt_edit_did prompt_edit_bound(struct prompt_edit *e, key_code k);

/* The character that a key types, in BYTES; 0 if it types none. */
size_t prompt_edit_typed(key_code k, uint8_t bytes[UTF8_MAX]);

/*
 * Key K, if it is one whose effect is nothing but what the text shows: bound
 * as above, or a character.  False: it may do anything.
 */
bool prompt_edit_key(struct prompt_edit *e, key_code k);

/*
 * Draws the text into row 0 of F from column X, and puts the cursor there; a
 * long one scrolls so that the cursor stays in sight.
 */
void prompt_edit_draw(const struct prompt_edit *e,
    const struct grapheme_table *gt, struct vt_frame *f, unsigned x,
    const struct pen *pen);

/* Replaces the whole text; the cursor goes to its end. */
void prompt_edit_set(struct prompt_edit *e, const char *text);

/* Puts N bytes in at the cursor; control bytes end nothing here. */
void prompt_edit_insert(struct prompt_edit *e, const char *s, size_t n);

/* Takes FROM..TO away; the cursor goes to FROM. */
void prompt_edit_remove(struct prompt_edit *e, size_t from, size_t to);

/* One edit or move each: what keys are bound to. */
void prompt_edit_left(struct prompt_edit *e);
void prompt_edit_right(struct prompt_edit *e);
void prompt_edit_home(struct prompt_edit *e);
void prompt_edit_end(struct prompt_edit *e);
void prompt_edit_backspace(struct prompt_edit *e);
void prompt_edit_delete(struct prompt_edit *e);
void prompt_edit_kill(struct prompt_edit *e);  /* to the end */
void prompt_edit_clear(struct prompt_edit *e); /* all of it */
void prompt_edit_yank(struct prompt_edit *e);  /* what was cut */

/* By words, whose ends are blanks and separators (BIG: blanks alone). */
void prompt_edit_word_back(struct prompt_edit *e, bool big);
void prompt_edit_word_next(struct prompt_edit *e, bool big, bool vi);
void prompt_edit_word_end(struct prompt_edit *e, bool big);

#endif
