#include "config.h"

#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "conf/command.h"

/* Limit of the names listed for an ambiguous name, in bytes. */
#define COMMAND_LIST_MAX 4096

/* Longer words get no suggestion. */
#define COMMAND_NAME_MAX 40

static const struct command_row command_rows[] = {
#define X(i, n, a, sp, mn, mx, k, s, t, w, when_, u, h) \
 [COMMAND_##i] = { .id = COMMAND_##i,                   \
	 .name = (n),                                   \
	 .alias = (a),                                  \
	 .spec = (sp),                                  \
	 .min = (mn),                                   \
	 .max = (mx),                                   \
	 .kinds = (k),                                  \
	 .source = (s),                                 \
	 .target = (t),                                 \
	 .what = (w),                                   \
	 .when = COMMAND_##when_,                       \
	 .usage = (u),                                  \
	 .help = (h) },
#include "conf/command.def"
#undef X
};

_Static_assert(ARRAY_LEN(command_rows) == COMMAND_COUNT, "a row for each id");
_Static_assert(COMMAND_COUNT >= 92, "tmux's commands, and ours");

const struct command_row *
command_row(enum command_id id)
{
	bug_assert((unsigned)id < COMMAND_COUNT);
	return &command_rows[id];
}

enum command_id
command_shown(size_t i)
{
	if (i == COMMAND_display_panes)
		return COMMAND_display_popup;
	if (i == COMMAND_display_popup)
		return COMMAND_display_panes;
	return (enum command_id)i;
}

/* Returns the first row whose name is not before NAME. */
static size_t
command_lower(const char *name)
{
	size_t lo = 0, hi = COMMAND_COUNT, mid;

	while (lo < hi) {
		mid = (lo + hi) / 2;
		if (strcmp(command_rows[mid].name, name) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static int
command_ambiguous(const char *name, size_t first, size_t n, struct cause *cause)
{
	const struct command_row *row;
	struct buf list;
	size_t i;

	buf_init(&list, COMMAND_LIST_MAX);
	for (i = first;
	     i < COMMAND_COUNT && strncmp(command_rows[i].name, name, n) == 0;
	     i++) {
		row = &command_rows[command_shown(i)];
		if ((row->what & CMD_WHOLE) == 0 &&
		    strncmp(row->name, name, n) == 0)
			(void)buf_addf(&list, "%s%s", list.len == 0 ? "" : ", ",
			    row->name);
	}
	cause_set(cause, -ERR_AMBIGUOUS, "ambiguous command: %s, could be: %s",
	    name, buf_cstr(&list));
	buf_fini(&list);
	return -ERR_AMBIGUOUS;
}

/*
 * Returns the number of edits from A to B, or MAX + 1 if it exceeds MAX. For
 * short words only.
 */
static unsigned
command_distance(const char *a, const char *b, unsigned max)
{
	unsigned row[COMMAND_NAME_MAX + 1], diagonal, above;
	size_t i, j, n = strlen(a), m = strlen(b);

	if (n > COMMAND_NAME_MAX || m > COMMAND_NAME_MAX)
		return max + 1;
	for (j = 0; j <= m; j++)
		row[j] = (unsigned)j;
	for (i = 1; i <= n; i++) {
		diagonal = row[0];
		row[0] = (unsigned)i;
		for (j = 1; j <= m; j++) {
			above = row[j];
			row[j] = MIN_OF(diagonal + (a[i - 1] != b[j - 1]),
			    MIN_OF(above, row[j - 1]) + 1);
			diagonal = above;
		}
	}
	return MIN_OF(row[m], max + 1);
}

/* Suggests the commands whose names are close to NAME. */
static int
command_unknown(const char *name, struct cause *cause)
{
	unsigned best = strlen(name) < 4 ? 1 : 2, d;
	struct buf list;
	size_t i;

	buf_init(&list, COMMAND_LIST_MAX);
	for (i = 0; i < COMMAND_COUNT; i++) {
		d = command_distance(name, command_rows[i].name, best);
		if (command_rows[i].alias != NULL)
			d = MIN_OF(d, command_distance(
					  name, command_rows[i].alias, best));
		if (d < best)
			buf_clear(&list);
		if (d <= best)
			(void)buf_addf(&list, "%s%s", list.len == 0 ? "" : ", ",
			    command_rows[i].name);
		best = MIN_OF(best, d);
	}
	if (list.len == 0 || strlen(name) < 3)
		cause_set(
		    cause, -ERR_NOTFOUND, "unknown command: %.256s", name);
	else
		cause_set(cause, -ERR_NOTFOUND,
		    "unknown command: %.256s, did you mean: %s?", name,
		    buf_cstr(&list));
	buf_fini(&list);
	return -ERR_NOTFOUND;
}

int
command_find(
    const char *name, const struct command_row **row, struct cause *cause)
{
	size_t i, at, found = COMMAND_COUNT, n = strlen(name);

	for (i = 0; i < COMMAND_COUNT; i++) {
		if (command_rows[i].alias != NULL &&
		    command_rows[i].alias[0] == name[0] &&
		    strcmp(command_rows[i].alias, name) == 0) {
			*row = &command_rows[i];
			return 0;
		}
	}
	at = command_lower(name);
	for (i = at; n > 0 && i < COMMAND_COUNT &&
		     strncmp(command_rows[i].name, name, n) == 0;
	     i++) {
		if (command_rows[i].name[n] == '\0') {
			found = i;
			break;
		}
		if ((command_rows[i].what & CMD_WHOLE) != 0)
			continue;
		if (found != COMMAND_COUNT)
			return command_ambiguous(name, at, n, cause);
		found = i;
	}
	if (found == COMMAND_COUNT)
		return command_unknown(name, cause);
	*row = &command_rows[found];
	return 0;
}

bool
command_flag_value(const struct command_row *row, int f, int *value)
{
	const char *p;
	int n = 0;

	if (f == ':' || f == '\0' || (p = strchr(row->spec, f)) == NULL)
		return false;
	while (p[1 + n] == ':')
		n++;
	if (value != NULL)
		*value = n;
	return true;
}
