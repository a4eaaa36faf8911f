/*
 * server/face/menu.h - the menu over the panes of a client.
 *
 * Purpose:   shows a struct view_menu, on one client or on all that show its
 *            window, and takes keys and mouse events until a row is chosen or
 *            the menu is closed.
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

/* Shows M, which view_menu_fit has made fit, on one client. */
void menu_open(
    struct viewer *vw, struct view_menu *m, menu_done_fn done, void *arg);

/* Shows it on all clients that show the current window of VW's. */
void menu_open_window(
    struct viewer *vw, struct view_menu *m, menu_done_fn done, void *arg);

/* Closes the menu that a client shows, if any, on all clients. */
void menu_close(struct viewer *vw);

bool menu_shown(const struct viewer *vw);

#endif
