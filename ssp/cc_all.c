/*
 * All congestion personalities by name.  A program that uses only one names
 * that one, and links none of the others.
 */
#include <string.h>

#include "ssp/cc.h"

static const struct ssp_cc_ops *const cc_all[] = {
	&ssp_cc_window,
	&ssp_cc_plain,
	&ssp_cc_mosh,
	&ssp_cc_sprout,
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
