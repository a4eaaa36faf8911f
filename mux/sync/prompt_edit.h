/*
 * mux/sync/prompt_edit.h - a line of text with a cursor, and its editing keys.
 *
 * Purpose:   edits and draws the text of a prompt: the server's, and a client's
 *            prediction of it.
 * Ownership: struct prompt_edit owns its text; all of it is valid UTF-8.
 * Units:     bytes; moves are by whole code points.
 * Errors:    text beyond PROMPT_MAX bytes is dropped.
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
	size_t at; /* cursor */
	/* The last text that C-w or C-k removed, or NULL. */
	char *cut;
	const char *separators; /* word-separators; borrowed */
};

void prompt_edit_init(struct prompt_edit *e, const char *separators);
void prompt_edit_fini(struct prompt_edit *e);

/* Returns the text, NUL-terminated; valid until the next change. */
const char *prompt_edit_text(struct prompt_edit *e);

/* The effect of a key. */
enum prompt_edit_did {
	PROMPT_EDIT_NONE, /* the key is not bound */
	PROMPT_EDIT_MOVED,
	PROMPT_EDIT_CHANGED,
};

/* Applies key K if it is bound to an edit or a move (emacs' keys). */
enum prompt_edit_did prompt_edit_bound(struct prompt_edit *e, key_code k);

/*
 * Writes the character that a key types to BYTES; returns 0 if it types none.
 */
size_t prompt_edit_typed(key_code k, uint8_t bytes[UTF8_MAX]);

/*
 * Applies key K if its effect depends on the text alone: a bound key or a
 * character. Returns false if it may do anything.
 */
bool prompt_edit_key(struct prompt_edit *e, key_code k);

/*
 * Draws the text into row 0 of F from column X, and puts the cursor there; a
 * long text scrolls to keep the cursor visible.
 */
void prompt_edit_draw(const struct prompt_edit *e,
    const struct grapheme_table *gt, struct vt_frame *f, unsigned x,
    const struct pen *pen);

/* Replaces the whole text; the cursor goes to its end. */
void prompt_edit_set(struct prompt_edit *e, const char *text);

/* Inserts N bytes at the cursor; control bytes are text here. */
void prompt_edit_insert(struct prompt_edit *e, const char *s, size_t n);

/* Removes FROM..TO; the cursor goes to FROM. */
void prompt_edit_remove(struct prompt_edit *e, size_t from, size_t to);

/* One edit or move each, for key tables. */
void prompt_edit_left(struct prompt_edit *e);
void prompt_edit_right(struct prompt_edit *e);
void prompt_edit_home(struct prompt_edit *e);
void prompt_edit_end(struct prompt_edit *e);
void prompt_edit_backspace(struct prompt_edit *e);
void prompt_edit_delete(struct prompt_edit *e);
void prompt_edit_kill(struct prompt_edit *e);  /* up to the end */
void prompt_edit_clear(struct prompt_edit *e); /* all of it */
/* Inserts the text that was cut. */
void prompt_edit_yank(struct prompt_edit *e);

/* Move by words, which end at blanks and separators (BIG: at blanks only). */
void prompt_edit_word_back(struct prompt_edit *e, bool big);
void prompt_edit_word_next(struct prompt_edit *e, bool big, bool vi);
void prompt_edit_word_end(struct prompt_edit *e, bool big);

#endif
