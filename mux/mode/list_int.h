/*
 * mux/mode/list_int.h - between the files of the list.
 *
 * Purpose:   what list.c and list_draw.c use of list_items.c.
 */
#ifndef MUX_MODE_LIST_INT_H
#define MUX_MODE_LIST_INT_H

#include "mux/mode/list.h"

/*
 * Expands or collapses an item, or all without a parent; the current item, or
 * its parent, stays current.
 */
void mode_list_expand_item(struct mode_list *l, uint32_t item, bool on);
void mode_list_expand_all(struct mode_list *l, bool on);

/* Makes an item the current one and expands its parents. */
void mode_list_show(struct mode_list *l, uint32_t item);

void mode_list_free_items(struct mode_list *l);

/* Makes the lines of the items, with their keys. */
void mode_list_make_lines(struct mode_list *l);

/* The key before line LINE, or KEY_NONE. */
key_code mode_list_line_key(struct mode_list *l, uint32_t line);

/*
 * Removes the items that l->fuzzy leaves out, and expands the others.  Returns
 * the best one, or MODE_LIST_NONE.  The ties of items must then be made again.
 */
uint32_t mode_list_narrow(struct mode_list *l);

#endif
