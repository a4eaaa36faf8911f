/*
 * Walks through every event of the input log, and every command with each of
 * its flags, as each kind of caller, and compares with roles.golden: a new
 * event, command or flag fails until its line there is decided.  To record:
 * UNIT_RECORD=1 check_server.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "conf/args.h"
#include "mux/session.h"
#include "mux/window.h"
#include "regress/unit/mux_util.h"
#include "regress/unit/unit.h"
#include "server/face/role.h"

#define TABLE_MAX (1u << 20)

/*
 * The callers, and the letter of each. Admins may do everything; they have no
 * letter.
 */
static const struct caller {
	char letter;
	bool guest;
	enum client_role role;
	bool own;   /* has active panes of its own */
	bool scope; /* types into another pane only */
} callers[] = {
	{ 'v', false, CLIENT_VIEW, false, false },
	{ 't', false, CLIENT_TYPE, false, false },
	{ 'p', false, CLIENT_TYPE, false, true },
	{ 'V', true, CLIENT_VIEW, false, false },
	{ 'T', true, CLIENT_TYPE, false, false },
	{ 'P', true, CLIENT_TYPE, false, true },
	{ 'O', true, CLIENT_TYPE, true, false },
};

struct world {
	struct mux *m;
	struct client *clients[ARRAY_LEN(callers)];
	struct window *w;
	struct pane *p;
};

static void
world_init(struct world *wd)
{
	struct session *s;
	struct client *c;
	size_t i;

	wd->m = mux_util_new();
	s = mux_util_session(wd->m, "s");
	wd->w = s->current->window;
	wd->p = wd->w->active;
	(void)mux_util_split(wd->p, LAYOUT_ROW);
	for (i = 0; i < ARRAY_LEN(callers); i++) {
		c = wd->clients[i] = client_new(wd->m, "c");
		c->guest = callers[i].guest;
		client_set_session(c, s);
		client_set_role(c, callers[i].role);
		client_set_flags(c, CLIENT_ACTIVE_PANE, callers[i].own);
		if (callers[i].scope)
			client_set_role_in(c, MUX_NONE, wd->w->active->id);
	}
	(void)window_set_active(wd->w, wd->p);
}

/* --- events ---------------------------------------------------------------------- */

/* Without default: the compiler names a kind that is missing. */
static const char *
event_name(enum sync_event_kind kind)
{
	switch (kind) {
	case SYNC_UNKNOWN:
		return "unknown";
	case SYNC_TEXT:
		return "text";
	case SYNC_KEY:
		return "key";
	case SYNC_PASTE:
		return "paste";
	case SYNC_MOUSE:
		return "mouse";
	case SYNC_FOCUS:
		return "focus";
	case SYNC_RESIZE:
		return "resize";
	case SYNC_REPLY:
		return "reply";
	case SYNC_CAPS:
		return "caps";
	case SYNC_HELLO:
		return "hello";
	case SYNC_SHOWN:
		return "shown";
	case SYNC_ME:
		return "me";
	case SYNC_PREDICTED:
		return "predicted";
	}
	return NULL;
}

static const char *
reply_name(enum sync_reply reply)
{
	switch (reply) {
	case SYNC_REPLY_CLIPBOARD:
		return "clipboard";
	case SYNC_REPLY_FOREGROUND:
		return "foreground";
	case SYNC_REPLY_BACKGROUND:
		return "background";
	case SYNC_REPLY_PALETTE:
		return "palette";
	case SYNC_REPLY_DARK:
		return "dark";
	case SYNC_REPLY_LIGHT:
		return "light";
	case SYNC_REPLY_UNLOCKED:
		return "unlocked";
	case SYNC_REPLY_VERSION:
		return "version";
	case SYNC_REPLY_COLOURS:
		return "colours";
	case SYNC_REPLY_NOTICE:
		return "notice";
	}
	return NULL;
}

static void
put_event(struct world *wd, struct buf *out, const struct sync_event *ev,
    const char *reply)
{
	size_t i;

	(void)buf_addf(out, "event %s%s%s ", event_name(ev->kind),
	    *reply == '\0' ? "" : ":", reply);
	for (i = 0; i < ARRAY_LEN(callers); i++)
		if (role_event(wd->clients[i], ev))
			(void)buf_add(out, &callers[i].letter, 1);
	(void)buf_add(out, "\n", 1);
}

static void
put_events(struct world *wd, struct buf *out)
{
	struct sync_event ev = { .refs = 1 };
	unsigned kind, reply;

	for (kind = 0; kind < 256; kind++) {
		ev.kind = (enum sync_event_kind)kind;
		ev.flags = 0;
		/* Kinds without a name are refused. */
		if (event_name(ev.kind) == NULL) {
			ck_assert(!role_event(wd->clients[0], &ev));
			continue;
		}
		if (ev.kind != SYNC_REPLY) {
			put_event(wd, out, &ev, "");
			continue;
		}
		for (reply = 0; reply < 256; reply++) {
			ev.flags = reply;
			if (reply_name((enum sync_reply)reply) != NULL)
				put_event(wd, out, &ev,
				    reply_name((enum sync_reply)reply));
			else
				ck_assert(!role_event(wd->clients[0], &ev));
		}
	}
}

/* --- commands -------------------------------------------------------------------- */

/* Puts the letters of the callers that may run ROW with FLAG on themselves. */
static void
put_callers(
    struct world *wd, struct buf *out, const struct command_row *row, int flag)
{
	struct args_flag f = { .flag = (unsigned char)flag, .times = 1 };
	struct args args = { .flags = &f, .flag_count = flag != 0 };
	struct cause why = { NULL };
	struct role_ask ask;
	size_t i;

	for (i = 0; i < ARRAY_LEN(callers); i++) {
		ask = (struct role_ask){
			.caller = wd->clients[i],
			.client = wd->clients[i],
			.window = wd->w,
			.pane = wd->p,
			.row = row,
			.args = &args,
		};
		if (role_command(&ask, &why) == 0)
			(void)buf_add(out, &callers[i].letter, 1);
		cause_fini(&why);
	}
}

static void
put_commands(struct world *wd, struct buf *out)
{
	const struct command_row *row;
	const char *p;
	size_t k;

	for (k = 0; k < COMMAND_COUNT; k++) {
		row = command_row((enum command_id)k);
		(void)buf_addf(out, "%s ", row->name);
		put_callers(wd, out, row, 0);
		for (p = row->spec; *p != '\0'; p++) {
			if (*p == ':')
				continue;
			(void)buf_addf(out, " -%c", *p);
			put_callers(wd, out, row, *p);
		}
		(void)buf_add(out, "\n", 1);
	}
}

/* --- comparison ------------------------------------------------------------------ */

static FILE *
golden_open(const char *mode)
{
	const char *top = getenv("top_srcdir");
	char *path =
	    mem_printf("%s/regress/unit/roles.golden", top == NULL ? "." : top);
	FILE *f = fopen(path, mode);

	ck_assert_msg(f != NULL, "cannot open %s", path);
	mem_free(path);
	return f;
}

/* The next line that is no comment, without its newline. */
static const char *
golden_line(FILE *f, char *line, size_t size)
{
	do {
		if (fgets(line, (int)size, f) == NULL)
			return "";
		line[strcspn(line, "\n")] = '\0';
	} while (*line == '#');
	return line;
}

static void
golden_compare(struct buf *got)
{
	char line[1024], *save = NULL, *l;
	FILE *f = golden_open("r");

	for (l = strtok_r(
		 got->data == NULL ? NULL : (char *)got->data, "\n", &save);
	     l != NULL; l = strtok_r(NULL, "\n", &save))
		ck_assert_str_eq(l, golden_line(f, line, sizeof(line)));
	ck_assert_str_eq("", golden_line(f, line, sizeof(line)));
	fclose(f);
}

static void
golden_record(const struct buf *got)
{
	FILE *f = golden_open("w");

	fputs("# Callers that may send an event, or run a command without "
	      "and with each flag\n"
	      "# on themselves.  v t p: the user's own client with the role "
	      "view, type, type in\n"
	      "# another pane; V T P: a guest's; O: T with panes of its "
	      "own.  check_role_table.c\n",
	    f);
	fwrite(got->data, 1, got->len, f);
	fclose(f);
}

START_TEST(every_event_command_and_flag_is_decided)
{
	struct world wd;
	struct buf out;

	world_init(&wd);
	buf_init(&out, TABLE_MAX);
	put_events(&wd, &out);
	put_commands(&wd, &out);
	(void)buf_cstr(&out);
	if (getenv("UNIT_RECORD") != NULL)
		golden_record(&out);
	else
		golden_compare(&out);
	buf_fini(&out);
	mux_util_free(wd.m);
}
END_TEST

START_TEST(typing_is_for_the_pane)
{
	struct world wd;
	struct client *c;
	struct pane *other;
	struct buf b;

	world_init(&wd);
	c = wd.clients[0];
	other = mux_util_split(wd.p, LAYOUT_ROW);
	buf_init(&b, 64);
	client_set_role_in(c, MUX_NONE, other->id);
	ck_assert(role_types(c, other) && !role_types(c, wd.p));
	ck_assert_int_eq(client_role_put(c, &b), 0);
	ck_assert_int_eq(strncmp(buf_cstr(&b), "type:%", 6), 0);
	client_set_role_in(c, wd.w->id, MUX_NONE);
	ck_assert(role_types(c, other) && role_types(c, wd.p));
	client_role_gone(wd.m, wd.w->id + 1, MUX_NONE);
	ck_assert_int_eq(c->role, CLIENT_TYPE);
	client_role_gone(wd.m, wd.w->id, MUX_NONE);
	ck_assert(c->role == CLIENT_VIEW && !role_types(c, wd.p));
	client_set_role_in(c, MUX_NONE, other->id);
	client_role_gone(wd.m, MUX_NONE, other->id);
	ck_assert(c->role == CLIENT_VIEW && !role_types(c, other));
	buf_fini(&b);
	mux_util_free(wd.m);
}
END_TEST

UNIT_SUITE(role_table)
{
	Suite *s = suite_create("role_table");
	TCase *tc = tcase_create("role_table");

	tcase_add_test(tc, every_event_command_and_flag_is_decided);
	tcase_add_test(tc, typing_is_for_the_pane);
	suite_add_tcase(s, tc);
	return s;
}
