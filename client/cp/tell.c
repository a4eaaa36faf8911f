#include "client/cp/tell.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/io/sys.h"
#include "base/str.h"

#define TELL_CLEAR "\r\033[K"

#define TELL_STILL_MS 1000 /* between two lines without progress */

void
cp_user_init(struct cp_user *u, bool quiet)
{
	memset(u, 0, sizeof(*u));
	u->shown = !quiet && isatty(STDERR_FILENO);
	u->graphemes = u->shown ? grapheme_table_new(NULL) : NULL;
	cp_progress_init(&u->progress, sys_now());
}

void
cp_user_fini(struct cp_user *u)
{
	grapheme_table_free(u->graphemes);
}

static void
tell_line(const struct cp_user *u, mono_ms now)
{
	const unsigned width = sys_columns(STDERR_FILENO);
	char line[CP_LINE_MAX];

	cp_progress_line(&u->progress, u->graphemes, now, u->name,
	    width > 1 ? width - 1 : 79, line);
	fprintf(stderr, TELL_CLEAR "%s", line);
	(void)fflush(stderr);
}

void
cp_tell_bytes(struct cp_user *u, const char *name, uint64_t n, bool moved)
{
	const mono_ms now = u == NULL ? 0 : sys_now();

	if (u == NULL || !cp_progress_add(&u->progress, now, n, moved) ||
	    !u->shown)
		return;
	str_copy(u->name, name, sizeof(u->name));
	tell_line(u, now);
}

int
cp_tell_wait(const struct cp_user *u)
{
	return u != NULL && u->shown && u->name[0] != '\0' ? TELL_STILL_MS : -1;
}

void
cp_tell_still(const struct cp_user *u)
{
	const mono_ms now = sys_now();

	if (now >= u->progress.last + CP_STILL_MS)
		tell_line(u, now);
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
