/*
 * server/face/menu.h - the menu over the panes of a client.
 *
 * Purpose:   shows a struct view_menu and takes keys and mouse events until a
 *            row is chosen or the menu is closed.
 * Ownership: menu_open takes the menu.
 * Tests:     regress/e2e/menu.sh
 */
#ifndef SERVER_FACE_MENU_H
#define SERVER_FACE_MENU_H

#include "mux/view/menu.h"

struct viewer;

#define MENU_NOTHING SIZE_MAX

/* The menu is closed.  ITEM is the number of the chosen row, or MENU_NOTHING. */
typedef void (*menu_done_fn)(void *arg, size_t item);

/* Shows M, which must fit (view_menu_fit). */
void menu_open(
    struct viewer *vw, struct view_menu *m, menu_done_fn done, void *arg);

/* Closes the menu of a client, if it has one. */
void menu_close(struct viewer *vw);

bool menu_shown(const struct viewer *vw);

#endif
