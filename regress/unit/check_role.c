#include <string.h>

#include "base/mem.h"
#include "conf/args.h"
#include "mux/session.h"
#include "mux/window.h"
#include "regress/unit/mux_util.h"
#include "regress/unit/unit.h"
#include "server/face/role.h"

/* Whether C may run a command with at most one flag on itself. */
static bool
may(const struct client *c, const char *name, int flag,
    const struct client *about)
{
	struct args_flag f = { .flag = (unsigned char)flag, .times = 1 };
	struct args args = { .flags = &f, .flag_count = flag != 0 };
	struct role_ask ask = {
		.caller = c,
		.client = about,
		.window = c->session->current->window,
		.pane = c->session->current->window->active,
		.args = &args,
	};
	struct cause why = { NULL };
	int r;

	ck_assert_int_eq(command_find(name, &ask.row, NULL), 0);
	r = role_command(&ask, &why);
	ck_assert((r == 0) == (*cause_text(&why) == '\0'));
	cause_fini(&why);
	return r == 0;
}

static bool
listed(const char *const *names, const char *name)
{
	for (; *names != NULL; names++)
		if (strcmp(*names, name) == 0)
			return true;
	return false;
}

/* Of all commands in the table only those named here are allowed. */
START_TEST(a_guest_runs_nothing_but_this)
{
	static const char *const view[] = { "detach-client", "follow-client",
		"refresh-client", "suspend-client", NULL };
	static const char *const type[] = { "detach-client", "follow-client",
		"refresh-client", "send-prefix", "suspend-client", NULL };
	static const char *const own[] = { "detach-client", "follow-client",
		"last-pane", "refresh-client", "resize-pane", "select-pane",
		"suspend-client", NULL };
	static const struct {
		enum client_role role;
		unsigned flags;
		const char *const *names;
	} rows[] = {
		{ CLIENT_VIEW, 0, view },
		{ CLIENT_TYPE, 0, type },
		{ CLIENT_VIEW, CLIENT_ACTIVE_PANE, own },
	};
	struct mux *m = mux_util_new();
	struct session *s = mux_util_session(m, "s");
	struct client *c;
	const char *name;
	size_t i, k;

	c = client_new(m, "guest");
	c->guest = true;
	client_set_session(c, s);
	for (i = 0; i < ARRAY_LEN(rows); i++) {
		client_set_role(c, rows[i].role);
		client_set_flags(c, CLIENT_ACTIVE_PANE, false);
		client_set_flags(c, rows[i].flags, true);
		for (k = 0; k < COMMAND_COUNT; k++) {
			name = command_row((enum command_id)k)->name;
			ck_assert_msg(
			    may(c, name, 0, c) == listed(rows[i].names, name),
			    "%s as %s", name, client_role_name(rows[i].role));
		}
	}
	client_set_role(c, CLIENT_ADMIN);
	for (k = 0; k < COMMAND_COUNT; k++)
		ck_assert(
		    may(c, command_row((enum command_id)k)->name, 0, NULL));
	mux_util_free(m);
}
END_TEST

/* Flags that affect more than the client itself, and other clients. */
START_TEST(only_about_oneself)
{
	static const struct {
		const char *name;
		int flag;
	} refused[] = { { "detach-client", 'a' }, { "detach-client", 'E' },
		{ "detach-client", 's' }, { "detach-client", 'P' },
		{ "refresh-client", 'f' }, { "refresh-client", 'l' },
		{ "refresh-client", 'C' }, { "select-pane", 'T' },
		{ "select-pane", 'd' }, { "select-pane", 'e' },
		{ "select-pane", 'm' }, { "last-pane", 'd' },
		{ "resize-pane", 'L' }, { "resize-pane", 'x' },
		{ "resize-pane", 'M' } };
	struct client *c, *other;
	struct mux *m = mux_util_new();
	struct session *s = mux_util_session(m, "s");
	size_t i;

	c = client_new(m, "guest");
	other = client_new(m, "other");
	c->guest = true;
	client_set_session(c, s);
	client_set_role(c, CLIENT_TYPE);
	client_set_flags(c, CLIENT_ACTIVE_PANE, true);
	for (i = 0; i < ARRAY_LEN(refused); i++)
		ck_assert_msg(!may(c, refused[i].name, refused[i].flag, c),
		    "%s -%c", refused[i].name, refused[i].flag);
	ck_assert(may(c, "detach-client", 't', c));
	ck_assert(!may(c, "detach-client", 't', other));
	ck_assert(!may(c, "refresh-client", 't', other));
	ck_assert(!may(c, "suspend-client", 0, other));
	/* The user's own client with attach-session -r: tmux's read-only. */
	c->guest = false;
	client_set_role(c, CLIENT_VIEW);
	ck_assert(may(c, "switch-client", 0, c));
	ck_assert(may(c, "send-keys", 'X', c));
	ck_assert(!may(c, "send-keys", 0, c));
	ck_assert(!may(c, "split-window", 0, c));
	ck_assert(!may(c, "detach-client", 'a', c));
	mux_util_free(m);
}
END_TEST

START_TEST(events_by_role)
{
	static const struct {
		enum sync_event_kind kind;
		uint32_t flags;
		bool view;
		bool type;
	} rows[] = {
		{ SYNC_TEXT, 0, true, true },
		{ SYNC_KEY, 0, true, true },
		{ SYNC_PASTE, SYNC_PASTE_BEGIN, false, true },
		{ SYNC_FOCUS, 1, false, true },
		{ SYNC_RESIZE, 0, true, true },
		{ SYNC_CAPS, 0, true, true },
		{ SYNC_REPLY, SYNC_REPLY_CLIPBOARD, false, false },
		{ SYNC_REPLY, SYNC_REPLY_PALETTE, false, false },
		{ SYNC_REPLY, SYNC_REPLY_BACKGROUND, false, false },
		{ SYNC_REPLY, SYNC_REPLY_LIGHT, true, true },
		{ SYNC_UNKNOWN, 0, false, false },
	};
	struct sync_event ev = { .refs = 1 };
	struct mux *m = mux_util_new();
	const struct session *s = mux_util_session(m, "s");
	const struct pane *p = s->current->window->active;
	struct client *c;
	size_t i;

	c = client_new(m, "guest");
	for (i = 0; i < ARRAY_LEN(rows); i++) {
		ev.kind = rows[i].kind;
		ev.flags = rows[i].flags;
		client_set_role(c, CLIENT_VIEW);
		ck_assert(role_event(c, &ev) == rows[i].view);
		client_set_role(c, CLIENT_TYPE);
		ck_assert(role_event(c, &ev) == rows[i].type);
		client_set_role(c, CLIENT_ADMIN);
		ck_assert(role_event(c, &ev));
	}
	client_set_role(c, CLIENT_VIEW);
	ck_assert(!role_types(c, p) && !role_prompts(c));
	client_set_role(c, CLIENT_TYPE);
	ck_assert(role_types(c, p) && !role_prompts(c));
	mux_util_free(m);
}
END_TEST

/* A process of a user with read access. */
/* Who has an account here, may; readers, too. */
START_TEST(control_mode_is_not_for_tickets)
{
	static const struct {
		int64_t uid;
		bool guest, may;
	} rows[] = {
		{ 1000, false, true },
		{ 1000, true, true },
		{ -1, false, true },
		{ -1, true, false },
	};
	struct mux *m = mux_util_new();
	struct client *c = client_new(m, "c");
	struct cause why = { NULL };
	size_t i;

	for (i = 0; i < ARRAY_LEN(rows); i++) {
		c->uid = rows[i].uid;
		c->guest = rows[i].guest;
		ck_assert((role_control(c, &why) == 0) == rows[i].may);
		ck_assert((*cause_text(&why) == '\0') == rows[i].may);
		cause_fini(&why);
	}
	client_free(c);
	mux_util_free(m);
}
END_TEST

START_TEST(a_reader_without_a_client_runs_two_commands)
{
	static const char allowed[] = "Efrt", lists[] = "Ort";
	const struct command_row *row;
	struct args_flag f = { .times = 1 };
	struct args args = { .flags = &f };
	struct cause why;
	const char *flags;
	size_t k;
	int r;

	for (k = 0; k < COMMAND_COUNT; k++) {
		row = command_row((enum command_id)k);
		flags = row->id == COMMAND_attach_session ? allowed
			: row->id == COMMAND_list_clients ? lists
							  : NULL;
		for (f.flag = 0; f.flag < 128; f.flag++) {
			args.flag_count = f.flag != 0;
			why = (struct cause){ NULL };
			r = role_reader(row, &args, &why);
			ck_assert_msg(
			    (r == 0) == (flags != NULL &&
					    (f.flag == 0 ||
						strchr(flags, f.flag) != NULL)),
			    "%s -%c", row->name, f.flag);
			ck_assert_str_eq(cause_text(&why),
			    r == 0 ? "" : "client is read-only");
			cause_fini(&why);
		}
	}
}
END_TEST

UNIT_SUITE(role)
{
	Suite *s = suite_create("role");
	TCase *tc = tcase_create("role");

	tcase_add_test(tc, a_reader_without_a_client_runs_two_commands);
	tcase_add_test(tc, a_guest_runs_nothing_but_this);
	tcase_add_test(tc, only_about_oneself);
	tcase_add_test(tc, events_by_role);
	tcase_add_test(tc, control_mode_is_not_for_tickets);
	suite_add_tcase(s, tc);
	return s;
}
