#include "client/cp/tell.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/io/sys.h"

#define TELL_CLEAR "\r\033[K"

void
cp_user_init(struct cp_user *u, bool quiet)
{
	memset(u, 0, sizeof(*u));
	u->shown = !quiet && isatty(STDERR_FILENO);
	cp_progress_init(&u->progress, sys_now());
}

void
cp_tell_bytes(struct cp_user *u, const char *name, uint64_t n, bool moved)
{
	char line[CP_LINE_MAX];
	unsigned width;

	if (u == NULL || !cp_progress_add(&u->progress, sys_now(), n, moved) ||
	    !u->shown)
		return;
	width = sys_columns(STDERR_FILENO);
	cp_progress_line(&u->progress, name, width > 1 ? width - 1 : 79, line);
	fprintf(stderr, TELL_CLEAR "%s", line);
	(void)fflush(stderr);
}

void
cp_tell_error(struct cp_user *u, const char *text)
{
	fprintf(stderr, "%srmux: ", u->shown ? TELL_CLEAR : "");
	sys_complain(text);
}

void
cp_tell_end(struct cp_user *u, bool all)
{
	char line[CP_LINE_MAX];

	if (!u->shown)
		return;
	cp_progress_sum(&u->progress, sys_now(), line);
	fprintf(stderr, TELL_CLEAR "%s%s", all ? line : "", all ? "\n" : "");
}
