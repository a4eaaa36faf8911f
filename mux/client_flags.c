/*
 * Flags of a client as text: #{client_flags}, attach-session -f.
 */
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/str.h"
#include "mux/client.h"

#define CLIENT_FLAGS_TEXT_MAX 1024

/* Flags in the order and with the names of #{client_flags}. */
static const struct {
	unsigned flag;
	const char *name;
	bool settable;
} flag_rows[] = {
	{ CLIENT_FOCUSED, "focused", false },
	{ CLIENT_CONTROL, "control-mode", false },
	{ CLIENT_IGNORE_SIZE, "ignore-size", true },
	{ CLIENT_NO_DETACH, "no-detach-on-destroy", true },
	{ CLIENT_NO_OUTPUT, "no-output", true },
	{ CLIENT_WAIT_EXIT, "wait-exit", true },
	{ CLIENT_NEW_LAYOUTS, "new-layouts", true },
	{ CLIENT_PAUSE_AFTER, "pause-after", true },
	{ CLIENT_READONLY, "read-only", true },
	{ CLIENT_ACTIVE_PANE, "active-pane", true },
	{ CLIENT_SUSPENDED, "suspended", false },
	{ CLIENT_UTF8, "UTF-8", false },
};

char *
client_flags_text(const struct client *c)
{
	struct buf b;
	size_t i;

	buf_init(&b, CLIENT_FLAGS_TEXT_MAX);
	if (c->session != NULL)
		(void)buf_add_str(&b, "attached,");
	for (i = 0; i < ARRAY_LEN(flag_rows); i++) {
		if (!(c->flags & flag_rows[i].flag))
			continue;
		(void)buf_add_str(&b, flag_rows[i].name);
		if (flag_rows[i].flag == CLIENT_PAUSE_AFTER)
			(void)buf_addf(&b, "=%u", c->pause_after);
		(void)buf_add_u8(&b, ',');
	}
	if (b.len > 0)
		buf_truncate(&b, b.len - 1);
	return buf_steal(&b, NULL);
}

/* Applies one name of client_parse_flags. */
static int
parse_flag(struct client *c, const char *name)
{
	bool on = *name != '!';
	int64_t seconds;
	size_t i;

	if (!on)
		name++;
	if (str_starts(name, "pause-after=")) {
		if (str_to_int(name + 12, 0, 86400, &seconds) != 0)
			return -ERR_NOTFOUND;
		c->pause_after = (unsigned)seconds;
		client_set_flags(c, CLIENT_PAUSE_AFTER, on);
		return 0;
	}
	if (strcmp(name, "pause-after") == 0)
		c->pause_after = 0;
	for (i = 0; i < ARRAY_LEN(flag_rows); i++)
		if (flag_rows[i].settable &&
		    strcmp(name, flag_rows[i].name) == 0) {
			/* Only switch-client -r ends read-only, as in tmux. */
			if (!on && flag_rows[i].flag == CLIENT_READONLY)
				return 0;
			client_set_flags(c, flag_rows[i].flag, on);
			return 0;
		}
	return -ERR_NOTFOUND;
}

int
client_parse_flags(struct client *c, const char *text, struct cause *cause)
{
	char *copy = mem_strdup(text), *p = copy, *end;
	int r = 0;

	while (p != NULL && *p != '\0') {
		end = strchr(p, ',');
		if (end != NULL)
			*end++ = '\0';
		if (*p != '\0' && parse_flag(c, p) != 0)
			r = cause_set(
			    cause, -ERR_NOTFOUND, "unknown client flag: %s", p);
		p = end;
	}
	mem_free(copy);
	return r;
}
