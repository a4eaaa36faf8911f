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

/* Questions of the list itself, and its menu. */
enum list_question {
	ASK_SEARCH,
	ASK_FILTER,
	ASK_COMMAND,
	ASK_MENU,
	ASK_FUZZY
};

/* Those of every list. */
extern const struct mode_list_ask mode_list_asks[];
extern const size_t mode_list_ask_count;

/* Whether A can be asked in L at all. */
bool mode_list_asks_it(
    const struct mode_list *l, const struct mode_list_ask *a);

/* The first text of its answer; never NULL. */
const char *mode_list_ask_input(
    const struct mode_list *l, const struct mode_list_ask *a);

/*
 * Returns its text for the current item, which may be NULL, and a number of
 * tagged ones, a new string; NULL: it is not asked.
 */
char *mode_list_ask_text(
    const struct mode_list_ask *a, const struct mode_item *it, uint32_t tags);

/* Whether KEY is one of A's. */
bool mode_list_ask_has(const struct mode_list_ask *a, key_code key);

/*
 * Whether KEY is refused, as it was perhaps pressed for an item that has gone;
 * or is the answer to a question that was refused.
 */
bool mode_list_refuses(struct mode_list *l, key_code key);

/* The key before line LINE, or KEY_NONE. */
key_code mode_list_line_key(struct mode_list *l, uint32_t line);

/*
 * Removes the items that l->fuzzy leaves out, and expands the others.  Returns
 * the best one, or MODE_LIST_NONE.  The ties of items must then be made again.
 */
uint32_t mode_list_narrow(struct mode_list *l);

#endif
