/*
 * regress/unit/conf_equal.h - compares command lists.
 *
 * Purpose:   proves that a printed command list parses to the same list.
 */
#ifndef REGRESS_CONF_EQUAL_H
#define REGRESS_CONF_EQUAL_H

#include "conf/cmdlist.h"

/* Whether both have the same commands, arguments and groups. */
bool cmdlist_equal(const struct cmdlist *a, const struct cmdlist *b);

#endif
