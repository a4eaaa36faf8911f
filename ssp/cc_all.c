/*
 * All congestion personalities by name, in a file of their own: a program that
 * refers to a single personality links no other.
 */
#include <string.h>

#include "ssp/cc.h"

static const struct ssp_cc_ops *const cc_all[] = {
	&ssp_cc_auto,
	&ssp_cc_window,
	&ssp_cc_follow,
	&ssp_cc_sprout,
	&ssp_cc_remy,
	&ssp_cc_remy_fast,
	&ssp_cc_remy_calm,
	&ssp_cc_remy_cell,
	&ssp_cc_mosh,
	&ssp_cc_plain,
};

const struct ssp_cc_ops *
ssp_cc_find(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(cc_all); i++)
		if (strcmp(cc_all[i]->name, name) == 0)
			return cc_all[i];
	return NULL;
}
