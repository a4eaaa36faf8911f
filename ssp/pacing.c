#include "ssp/pacing.h"

#include <string.h>

#include "base/compiler.h"

static const char *const pacing_names[SSP_PACINGS] = {
	[SSP_PACING_AUTO] = "auto",
	[SSP_PACING_WINDOW] = "window",
	[SSP_PACING_FOLLOW] = "follow",
	[SSP_PACING_SPROUT] = "sprout",
	[SSP_PACING_REMY] = "remy",
	[SSP_PACING_MOSH] = "mosh",
};

enum ssp_pacing
ssp_pacing_find(const char *name)
{
	unsigned i;

	for (i = SSP_PACING_AUTO; i < SSP_PACINGS; i++)
		if (strcmp(pacing_names[i], name) == 0)
			return (enum ssp_pacing)i;
	return SSP_PACING_NONE;
}
