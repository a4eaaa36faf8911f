/*
 * client/pick_echo.h - shows choosers, menus and the palette before the server
 * answers.
 *
 * Purpose:   replays unanswered keys and mouse events over the confirmed state
 *            of a chooser, menu or palette (mux/view/pick.h).
 * Ownership: owns its replay; views and inputs are borrowed.
 * Units:     input indices as in mux/sync/input.h.
 * Errors:    none; what cannot be known is shown as the server has sent it.
 * Source:    doc/PREDICTION.md.
 * Tests:     regress/unit/check_pick_link.c, regress/e2e/pick.sh
 */
#ifndef CLIENT_PICK_ECHO_H
#define CLIENT_PICK_ECHO_H

#include "client/copy_echo.h"

struct pick_echo;

struct pick_echo *pick_echo_new(const struct grapheme_table *gt);
void pick_echo_free(struct pick_echo *e); /* NULL is fine */

/* Replays the N inputs TYPED over V's pick. */
void pick_echo_replay(struct pick_echo *e, const struct sync_view *v,
    const struct echo_typed *typed, size_t n);

/* The view has nothing to pick from. */
void pick_echo_clear(struct pick_echo *e);

/*
 * Returns the picture of surface S after the inputs; a reference.  NULL: it is
 * no part of the pick.
 */
struct vt_frame *pick_echo_draw(
    struct pick_echo *e, const struct sync_surface *s);

/*
 * Gives V, which shows that picture, the prompt that the keys have opened or
 * edited, or takes away the one that they have ended.
 */
void pick_echo_prompt(const struct pick_echo *e, struct sync_view *v);

void pick_echo_stats(const struct pick_echo *e, struct copy_echo_stats *out);

#endif
