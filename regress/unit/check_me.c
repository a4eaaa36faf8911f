#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "conf/bind.h"
#include "conf/keylayer.h"
#include "conf/me.h"
#include "conf/option.h"
#include "regress/unit/unit.h"

/* A client with the tree of its session. */
static struct options session, options;
static struct keylayer *keys;
static struct buf out;
static bool guest;

static const char *
alias(void *arg, const char *name)
{
	ck_assert_ptr_eq(arg, &session);
	return strcmp(name, "splitp") == 0 ? "split-window" : NULL;
}

static void
begin(void)
{
	options_init(&session, NULL);
	options_init(&options, &session);
	options_set_defaults(&session, OPT_SESSION);
	keys = keylayer_new(&bind_ops);
	buf_init(&out, 65536);
	guest = false;
}

static void
end(void)
{
	buf_fini(&out);
	keylayer_free(keys);
	options_fini(&options);
	options_fini(&session);
}

static unsigned
load_bytes(const char *text, size_t n)
{
	const struct me_target to = { &options, keylayer_own(keys), alias,
		&session, guest };

	buf_clear(&out);
	return me_load(text, n, &to, &out);
}

/* Loads TEXT, whose errors are ERRORS. */
static void
load(const char *text, const char *errors)
{
	unsigned n = 0;
	const char *p;

	for (p = errors; *p != '\0'; p++)
		n += *p == '\n';
	n -= load_bytes(text, strlen(text));
	ck_assert_str_eq(buf_cstr(&out), errors);
	ck_assert_uint_eq(n, 0);
}

static void
option_is(const char *name, const char *value)
{
	struct option_name found;
	char *text;

	ck_assert_int_eq(option_match(name, &found, NULL), 0);
	text = options_text_new(&options, &found);
	ck_assert_str_eq(text, value);
	mem_free(text);
}

/* Asserts that the own keys are LIST. */
static void
keys_are(const char *list)
{
	struct keytables *own = keylayer_own(keys);
	const struct keytable *t;
	struct keytable_widths w = { 0, 0, false };
	struct buf b;
	size_t i, k;

	buf_init(&b, 65536);
	for (i = 0; i < keytables_count(own); i++) {
		t = keytables_at(own, i);
		for (k = 0; k < t->count; k++) {
			keytables_print(own, t, &t->bindings[k], &w, &b);
			(void)buf_add_u8(&b, '\n');
		}
	}
	ck_assert_str_eq(buf_cstr(&b), list);
	buf_fini(&b);
}

START_TEST(options_and_keys_of_a_person)
{
	load("# mine\n"
	     "set prefix C-a\n"
	     "set-option -C mouse off ; set -q status-keys vi\n"
	     "\tset -C repeat-time '250'\n"
	     "bind -C x kill-pane\n"
	     "bind -C -n M-x { new-window ; splitp -h }\n"
	     "bind-key -r -N 'wide' -T mine Left 'resize-pane -L 5'\n"
	     "bind y send-keys '$HOME' \\; new-window\n"
	     "bind z display ~/x\n"
	     "bind w kill-window\n"
	     "unbind -C w\n",
	    "");
	option_is("prefix", "C-a");
	option_is("mouse", "off");
	option_is("status-keys", "vi");
	option_is("repeat-time", "250");
	keys_are("bind-key -r -T mine Left resize-pane -L 5\n"
		 "bind-key -T prefix x kill-pane\n"
		 "bind-key -T prefix y send-keys \"\\$HOME\" \\; new-window\n"
		 "bind-key -T prefix z display-message \\~/x\n"
		 "bind-key -T root M-x new-window \\; split-window -h\n");
	load("unbind -a -T prefix\nunbind -a\nunbind -q -a\nset mouse\n",
	    "me.conf:2: table prefix has no keys of your own: unbind-key "
	    "removes only these\n");
	option_is("mouse", "on");
}
END_TEST

START_TEST(other_commands_are_refused)
{
	load("set prefix C-a\n"
	     "run-shell 'touch /tmp/x'\n"
	     "if-shell true { set prefix C-t }\n"
	     "source-file ~/other.conf\n"
	     "set-environment -g A b\n"
	     "set-hook -g after-new-window kill-server\n"
	     "set-window-option mode-keys vi\n"
	     "no-such\n"
	     "set mouse off\n",
	    "me.conf:2: run-shell is not possible here: only set-option, "
	    "bind-key and unbind-key are\n"
	    "me.conf:3: if-shell is not possible here: only set-option, "
	    "bind-key and unbind-key are\n"
	    "me.conf:4: source-file is not possible here: only set-option, "
	    "bind-key and unbind-key are\n"
	    "me.conf:5: set-environment is not possible here: only "
	    "set-option, bind-key and unbind-key are\n"
	    "me.conf:6: set-hook is not possible here: only set-option, "
	    "bind-key and unbind-key are\n"
	    "me.conf:7: set-window-option is not possible here: only "
	    "set-option, bind-key and unbind-key are\n"
	    "me.conf:8: unknown command: no-such\n");
	option_is("prefix", "C-a");
	option_is("mouse", "off");
}
END_TEST

START_TEST(other_options_are_refused)
{
	load("set status off\n"
	     "set @x y\n"
	     "set default-command 'sh -c x'\n"
	     "set -g prefix C-a\n"
	     "set -F prefix '#(date)'\n"
	     "set -s escape-time 0\n"
	     "set -t other prefix C-a\n"
	     "set -u prefix\n"
	     "set no-such-option x\n"
	     "set prefix nokey\n"
	     "set prefix { new-window }\n"
	     "set key-table '#[fg=red]'\n",
	    "me.conf:1: status cannot be a client's own: set it in the "
	    "configuration of the server\n"
	    "me.conf:2: @x cannot be a client's own: set it in the "
	    "configuration of the server\n"
	    "me.conf:3: default-command cannot be a client's own: set it in "
	    "the configuration of the server\n"
	    "me.conf:4: set-option -g is not possible here: write set-option "
	    "name value\n"
	    "me.conf:5: set-option -F is not possible here: write set-option "
	    "name value\n"
	    "me.conf:6: set-option -s is not possible here: write set-option "
	    "name value\n"
	    "me.conf:7: set-option -t is not possible here: write set-option "
	    "name value\n"
	    "me.conf:8: set-option -u is not possible here: write set-option "
	    "name value\n"
	    "me.conf:9: invalid option: no-such-option\n"
	    "me.conf:10: bad key: nokey\n"
	    "me.conf:11: set-option takes no { } here\n"
	    "me.conf:12: a key table's name has letters, digits, - and _, at "
	    "most 64\n");
	option_is("prefix", "C-b");
}
END_TEST

/* security: nothing of the server's environment gets into the text. */
START_TEST(no_variables_and_conditions)
{
	load("set prefix $PREFIX\n"
	     "A=b\n"
	     "%hidden C=d\n"
	     "%if '#(touch /tmp/x)'\n"
	     "set prefix C-t\n"
	     "%endif\n"
	     "bind x { display \"${HOME}\" }\n"
	     "bind y 'display \"$HOME\"'\n"
	     "bind z { if-shell -F 1 { display $USER } }\n"
	     "set mouse off\n",
	    "me.conf:1: variables are not read here: put $ in single quotes, "
	    "or write the value\n"
	    "me.conf:2: no variable can be set here: remove the line\n"
	    "me.conf:3: no variable can be set here: remove the line\n"
	    "me.conf:4: %if is not possible here: remove the condition\n"
	    "me.conf:7: variables are not read here: put $ in single quotes, "
	    "or write the value\n"
	    "me.conf:9: variables are not read here: put $ in single quotes, "
	    "or write the value\n"
	    "me.conf:8: variables are not read here: put $ in single quotes, "
	    "or write the value\n");
	keys_are("");
	option_is("mouse", "off");
}
END_TEST

START_TEST(keys_with_errors_are_left_out)
{
	load("bind nokey new-window\n"
	     "bind x no-such-command\n"
	     "bind x 'new-window ; no-such-command'\n"
	     "bind -T 'a b' x new-window\n"
	     "bind -N \"a\\033[31m\" x new-window\n"
	     "bind\n"
	     "bind -Q x new-window\n"
	     "unbind -T \"\\033\" x\n"
	     "bind \"a\\033[31m\" new-window\n"
	     "bind y new-window\n",
	    "me.conf:6: command bind-key: too few arguments (need at least "
	    "1)\n"
	    "me.conf:7: command bind-key: unknown flag -Q\n"
	    "me.conf:1: unknown key: nokey\n"
	    "me.conf:2: unknown command: no-such-command\n"
	    "me.conf:3: unknown command: no-such-command\n"
	    "me.conf:4: a key table's name has letters, digits, - and _, at "
	    "most 64\n"
	    "me.conf:5: a note is one line of at most 256 bytes\n"
	    "me.conf:8: a key table's name has letters, digits, - and _, at "
	    "most 64\n"
	    "me.conf:9: unknown key: a?[31m\n");
	keys_are("bind-key -T prefix y new-window\n");
}
END_TEST

/* security: hooks of the server's owner put words into shell commands. */
START_TEST(words_of_a_guest_are_plain)
{
	static const char line[] =
	    ": a guest's commands have words of letters, "
	    "digits and -_.:%@+=!{}~^ only\n";
	char errors[1024];

	guest = true;
	(void)snprintf(errors, sizeof(errors),
	    "me.conf:1%sme.conf:2%sme.conf:3%sme.conf:4%sme.conf:6%s", line,
	    line, line, line, line);
	load("bind a select-pane -t '$(touch x)'\n"
	     "bind b refresh-client -S ';id'\n"
	     "bind c { detach-client ; send-prefix -t '#(id)' }\n"
	     "bind d if-shell true { detach-client }\n"
	     "bind e select-pane -t ':.{left-of}' \\; resize-pane -Z -t %1\n"
	     "bind e display 'a b'\n"
	     "bind f detach-client\n",
	    errors);
	keys_are("bind-key -T prefix f detach-client\n");
	guest = false;
	load("bind a select-pane -t '$(touch x)'\n", "");
}
END_TEST

START_TEST(what_is_no_text_is_not_read)
{
	char *big = mem_alloc(ME_BYTES_MAX + 1);
	unsigned i;

	load("set mouse off\n\033[31m\n",
	    "me.conf:2: not a line of UTF-8 text, "
	    "or with control characters: the "
	    "file is not read\n");
	load("set mouse off\n\n\303(\n",
	    "me.conf:3: not a line of UTF-8 text, or with control characters: "
	    "the file is not read\n");
	load("set mouse off # \302\233\n",
	    "me.conf:1: not a line of UTF-8 text, or with control characters: "
	    "the file is not read\n");
	ck_assert_uint_eq(load_bytes("set mouse off\0\n", 15), 1);
	memset(big, '\n', ME_BYTES_MAX + 1);
	ck_assert_uint_eq(load_bytes(big, ME_BYTES_MAX + 1), 1);
	ck_assert_str_eq(buf_cstr(&out), "me.conf:1: longer than 65536 bytes: "
					 "the file is not read\n");
	ck_assert_uint_eq(load_bytes(big, ME_LINES_MAX + 1), 1);
	ck_assert_str_eq(buf_cstr(&out), "me.conf:2001: more than 2000 lines: "
					 "the file is not read\n");
	ck_assert_uint_eq(load_bytes(big, ME_LINES_MAX), 0);
	option_is("mouse", "on");
	/* So many errors, and no more. */
	for (i = 0; i + 2 < ME_LINES_MAX; i += 2)
		memcpy(big + i, "x\n", 2);
	ck_assert_uint_ge(load_bytes(big, ME_LINES_MAX), ME_ERRORS_MAX);
	ck_assert_uint_lt(out.len, 2000);
	mem_free(big);
}
END_TEST

START_TEST(keys_of_a_file_are_bounded)
{
	struct buf b;
	unsigned i;

	buf_init(&b, ME_BYTES_MAX);
	for (i = 0; i < 1100; i++)
		(void)buf_addf(
		    &b, "bind -T t%u F%u new-window\n", i / 12, i % 12 + 1);
	ck_assert_uint_ge(
	    load_bytes((const char *)b.data, b.len), ME_ERRORS_MAX);
	ck_assert(strncmp(buf_cstr(&out),
		      "me.conf:1025: too many key bindings\n", 36) == 0);
	ck_assert_uint_eq(
	    keytables_bindings(keylayer_own(keys)), KEYLAYER_BINDINGS_MAX);
	buf_fini(&b);
}
END_TEST

UNIT_SUITE(me)
{
	Suite *s = suite_create("me");
	TCase *tc = tcase_create("me");

	tcase_add_checked_fixture(tc, begin, end);
	tcase_add_test(tc, options_and_keys_of_a_person);
	tcase_add_test(tc, other_commands_are_refused);
	tcase_add_test(tc, other_options_are_refused);
	tcase_add_test(tc, no_variables_and_conditions);
	tcase_add_test(tc, keys_with_errors_are_left_out);
	tcase_add_test(tc, words_of_a_guest_are_plain);
	tcase_add_test(tc, what_is_no_text_is_not_read);
	tcase_add_test(tc, keys_of_a_file_are_bounded);
	suite_add_tcase(s, tc);
	return s;
}
