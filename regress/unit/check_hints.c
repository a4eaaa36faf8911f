/* The hints mode: what it shows, and what its keys ask for. */
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "conf/args.h"
#include "conf/command.h"
#include "conf/parser.h"
#include "mux/mode/copy.h"
#include "mux/mode/hints.h"
#include "mux/mode/hints_collect.h"
#include "regress/chance.h"
#include "regress/unit/mux_util.h"
#include "regress/unit/unit.h"

static struct mux *m;
static struct pane *p;
static struct mode_requests requests;
static struct mode_host host;

static char *
expand(void *arg, const struct mode_where *at, const struct format_var *vars,
    size_t count, const char *format)
{
	(void)arg, (void)at, (void)vars, (void)count;
	ck_assert_str_eq(format, "#{pane_current_path}");
	return mem_strdup("/home/o'x #(id)");
}

/* A pane of that size with a history. */
static void
begin(int w, int h)
{
	struct vt_term_options opt = { .cols = (unsigned)w,
		.rows = (unsigned)h,
		.history_rows = 1000,
		.history_bytes = SIZE_MAX };

	m = mux_util_new();
	p = mux_util_session(m, "s")->current->window->active;
	vt_term_free(p->term);
	opt.pool = m->setup.pool;
	opt.graphemes = m->setup.graphemes;
	p->term = vt_term_new(&opt);
	pane_place(p, &(struct cell_rect){ .w = w, .h = h });
	mode_requests_init(&requests);
	host = (struct mode_host){ expand, NULL, &requests, NULL };
}

static void
end(void)
{
	mode_requests_fini(&requests);
	mux_util_free(m);
}

static void
feed(const char *s)
{
	vt_term_write(p->term, (const uint8_t *)s, strlen(s));
}

static void
set(const char *name, const char *value)
{
	struct cause why = { NULL };

	ck_assert_int_eq(
	    options_set_text(&m->window_options, name, value, &why), 0);
}

static int
open_mode(const char *kinds, struct cause *why)
{
	const struct mode_hints_start start = { &host, NULL, kinds };

	return mode_hints_open(p, &start, why);
}

static void
opens(void)
{
	struct cause why = { NULL };

	ck_assert_int_eq(open_mode(NULL, &why), 0);
	ck_assert_str_eq(cause_text(&why), "");
	ck_assert_str_eq(pane_mode(p)->name, "hints-mode");
}

static bool
key(key_code k)
{
	const struct key_event ev = { .key = k };

	(void)mode_key(p, &ev);
	return mode_top(p) != NULL;
}

/* The next request to run; it lasts until the next call. */
static const char *
request(void)
{
	static char text[70000];
	struct mode_request *r = mode_requests_take(&requests);

	if (r == NULL)
		return "";
	ck_assert_int_eq(r->kind, MODE_REQUEST_RUN);
	(void)snprintf(text, sizeof(text), "%s", r->text);
	mode_request_free(r);
	return text;
}

/* Drops the message about it. */
static void
copies(const char *want)
{
	ck_assert_str_eq(request(), want);
	ck_assert_int_eq(strncmp(request(), "display-message -l", 18), 0);
	ck_assert_str_eq(request(), "");
}

/* --- pictures -------------------------------------------------------------------- */

static colour
same(void *arg, colour c)
{
	(void)arg;
	return c;
}

/* Labels are red, matches green, the rest blue. */
static struct pen
style(void *arg, enum option_id id, const struct pen *base)
{
	struct pen pen = *base;

	(void)arg;
	pen.bg = colour_index(id == OPTION_HINTS_LABEL_STYLE   ? 1
			      : id == OPTION_HINTS_MATCH_STYLE ? 2
							       : 4);
	return pen;
}

/*
 * The rows of the picture; labels stand between [ and ], other parts of
 * matches between < and >.
 */
static const char *
picture(void)
{
	static char text[1 << 16];
	const struct mode_paint paint = { .now = 1000,
		.graphemes = m->setup.graphemes,
		.colour = same,
		.style = style };
	struct vt_frame *f = mode_frame(mode_top(p), &paint);
	size_t n = 0, used;
	unsigned x, y;
	char was, is;

	ck_assert_ptr_null(vt_frame_check(f));
	for (y = 0; y < f->rows; y++) {
		was = 0;
		used = n;
		for (x = 0; x < f->cols && n + 80 < sizeof(text); x++) {
			const colour bg = vt_line_pen(f->lines[y], x)->bg;

			is = bg == colour_index(1)   ? ']'
			     : bg == colour_index(2) ? '>'
						     : 0;
			if (is != was && was != 0) {
				text[n++] = was;
				used = n;
			}
			if (is != was && is != 0)
				text[n++] = is == ']' ? '[' : '<';
			n += vt_line_text(f->lines[y], x, text + n);
			if (n > used && (text[n - 1] != ' ' || is != 0))
				used = n;
			was = is;
		}
		if (was != 0) {
			text[n++] = was;
			used = n;
		}
		n = used;
		text[n++] = '\n';
	}
	while (n > 0 && text[n - 1] == '\n')
		n--;
	text[n] = '\0';
	vt_frame_unref(f);
	return text;
}

/* --- tests ------------------------------------------------------------------------- */

START_TEST(a_label_copies)
{
	begin(40, 6);
	feed("see http://a.b/c and /usr/bin\r\nid 12345 and /usr/bin\r\n$ ");
	opens();
	/* The nearest to the cursor gets the first letter. */
	ck_assert_str_eq(picture(), "see [d]<ttp://a.b/c> and [s]<usr/bin>\n"
				    "id [a]<2345> and [s]<usr/bin>\n$");
	ck_assert(!key('s'));
	copies("set-buffer -w -- \"/usr/bin\"");
	end();
}
END_TEST

START_TEST(capitals_paste_and_alt_opens)
{
	begin(40, 6);
	feed("http://a.b/c 12345\r\n");
	opens();
	ck_assert(!key('S'));
	ck_assert_str_eq(request(), "set-buffer -w -- \"12345\"");
	ck_assert_str_eq(request(), "paste-buffer -p -t %0");
	opens();
	ck_assert(!key('a' | KEY_META));
	ck_assert_ptr_nonnull(strstr(request(), "hints-open-command"));
	set("hints-open-command", "xdg-open");
	opens();
	ck_assert(!key('a' | KEY_META));
	ck_assert_str_eq(request(),
	    "run-shell -b \"cd '/home/o'\\\\''x '\\\"\\$(printf "
	    "'\\\\043')\\\"'(id)' 2>/dev/null\\; RMUX_HINT_KIND=url\\; export "
	    "RMUX_HINT_KIND\\; xdg-open 'http://a.b/c'\"");
	(void)request();
	/* Without a clipboard. */
	ck_assert_int_eq(options_set_text(&m->server_options, "set-clipboard",
			     "off", &(struct cause){ NULL }),
	    0);
	opens();
	ck_assert(!key('a'));
	copies("set-buffer -- \"http://a.b/c\"");
	end();
}
END_TEST

START_TEST(two_letters)
{
	begin(60, 4);
	set("hints-alphabet", "ab");
	feed("/aa/a /bb/b /cc/c");
	opens();
	ck_assert_str_eq(picture(), "[bb]<a/a> [ba]<b/b> [a]<cc/c>");
	ck_assert(key('b'));
	ck_assert_str_eq(picture(), "[b]<aa/a> [a]<bb/b> /cc/c");
	/* A letter that no label has is ignored. */
	ck_assert(key('x'));
	ck_assert(key(KEY_BSPACE));
	ck_assert_str_eq(picture(), "[bb]<a/a> [ba]<b/b> [a]<cc/c>");
	ck_assert(key('b'));
	ck_assert(!key('A'));
	ck_assert_str_eq(request(), "set-buffer -w -- \"/bb/b\"");
	end();
}
END_TEST

START_TEST(several)
{
	begin(60, 4);
	feed("/aa/a /bb/b /cc/c");
	opens();
	ck_assert(key(KEY_TAB));
	ck_assert(key('d'));
	ck_assert(key('a'));
	ck_assert(key('s'));
	ck_assert(key('s'));
	ck_assert(!key(KEY_ENTER));
	copies("set-buffer -w -- \"/aa/a /cc/c\"");
	end();
}
END_TEST

START_TEST(keys_that_leave)
{
	static const key_code keys[] = { KEY_ESCAPE, 'q', 'c' | KEY_CTRL,
		'g' | KEY_CTRL };
	size_t i;

	begin(60, 4);
	feed("/aa/a");
	for (i = 0; i < ARRAY_LEN(keys); i++) {
		opens();
		ck_assert(key(KEY_UP));
		ck_assert(!key(keys[i]));
	}
	ck_assert_str_eq(request(), "");
	end();
}
END_TEST

START_TEST(the_mouse)
{
	struct mouse_event ev = {
		.action = MOUSE_PRESS, .button = MOUSE_LEFT, .x = 2, .y = 0
	};

	begin(60, 4);
	feed("a /aa/a");
	opens();
	ev.x = 1;
	(void)mode_mouse(p, &ev);
	ck_assert_str_eq(request(), "");
	ev.x = 6;
	(void)mode_mouse(p, &ev);
	copies("set-buffer -w -- \"/aa/a\"");
	ck_assert_ptr_null(mode_top(p));
	end();
}
END_TEST

/* A line that wraps is one; the label stands at its begin. */
START_TEST(wrapped)
{
	begin(12, 6);
	feed("x http://a.b/cdef/ghi?klm yy");
	opens();
	ck_assert_str_eq(picture(), "x [a]<ttp://a.b>\n</cdef/ghi?kl>\n<m> yy");
	ck_assert(!key('a'));
	copies("set-buffer -w -- \"http://a.b/cdef/ghi?klm\"");
	end();
}
END_TEST

/* A wide character that does not fit the row leaves a gap that is no blank. */
START_TEST(wide)
{
	begin(12, 6);
	feed("\xe6\x96\x87 /ab/cdef\xe6\x96\x87\xe6\x96\x87.txt");
	opens();
	ck_assert_str_eq(picture(), "\xe6\x96\x87 [a]<ab/cdef>\n"
				    "<\xe6\x96\x87\xe6\x96\x87.txt>");
	ck_assert(!key('a'));
	copies("set-buffer -w -- \"/ab/cdef\xe6\x96\x87\xe6\x96\x87.txt\"");
	end();
}
END_TEST

/* The begin of the line is above the screen: its label is in the first row. */
START_TEST(begins_above)
{
	begin(12, 3);
	feed("http://a.b/cdef/ghi\r\n1\r\n2");
	opens();
	ck_assert_str_eq(picture(), "[a]<ef/ghi>\n1\n2");
	ck_assert(!key('a'));
	copies("set-buffer -w -- \"http://a.b/cdef/ghi\"");
	end();
}
END_TEST

START_TEST(hyperlinks)
{
	begin(60, 6);
	feed("\033]8;;https://x.y/z\033\\here\033]8;;\033\\ and "
	     "\033]8;;file://host/a%20b\033\\there\033]8;;\033\\ "
	     "\033]8;;nonsense\033\\/usr/bin\033]8;;\033\\");
	opens();
	ck_assert_str_eq(picture(), "[d]<ere> and [s]<here> [a]<usr/bin>");
	ck_assert(!key('d'));
	copies("set-buffer -w -- \"https://x.y/z\"");
	opens();
	ck_assert(!key('s'));
	copies("set-buffer -w -- \"/a b\"");
	end();
}
END_TEST

START_TEST(patterns)
{
	struct cause why = { NULL };

	begin(60, 6);
	feed("JIRA-123 /usr/bin PROJ-7 aab");
	set("hints-patterns[0]", "[A-Z]+-[0-9]+");
	set("hints-patterns[1]", "/usr");
	set("hints-patterns[2]", "(a");
	set("hints-patterns[3]", "(a*)*(b*)*(.*.*.*.*.*.*)*\\1");
	ck_assert_int_eq(open_mode(NULL, &why), 0);
	ck_assert_int_eq(
	    strncmp(cause_text(&why), "hints-patterns[2] is left out: ", 31),
	    0);
	cause_fini(&why);
	ck_assert_str_eq(
	    picture(), "[f]<IRA-123> [d]<usr>[s]<bin> [a]<ROJ-7> aab");
	ck_assert(!key('f'));
	copies("set-buffer -w -- \"JIRA-123\"");
	ck_assert_int_eq(open_mode("user", &why), 0);
	cause_fini(&why);
	ck_assert_str_eq(picture(), "[d]<IRA-123> [s]<usr>/bin [a]<ROJ-7> aab");
	end();
}
END_TEST

/* A pattern takes a part of a hyperlink; the rest stays one. */
START_TEST(a_pattern_within_a_hyperlink)
{
	begin(60, 6);
	feed("\033]8;;https://x.y/z\033\\see AB-12 here\033]8;;\033\\");
	set("hints-patterns[0]", "[A-Z]+-[0-9]+");
	opens();
	ck_assert_str_eq(picture(), "[a]<ee >[s]<B-12>[a]<here>");
	end();
}
END_TEST

START_TEST(over_copy_mode)
{
	char line[32];
	int i;

	begin(20, 5);
	for (i = 0; i < 50; i++) {
		(void)snprintf(line, sizeof(line), "/dir/n%d\r\n", i);
		feed(line);
	}
	ck_assert_int_eq(copy_mode_open(p, p, 0), 0);
	copy_mode_page_up(p);
	opens();
	/* Output below changes nothing. */
	feed("\r\n\r\n\r\n\r\n\r\n\r\n");
	ck_assert_ptr_nonnull(strstr(picture(), "dir/n4"));
	pane_place(p, &(struct cell_rect){ .w = 30, .h = 4 });
	mode_resize(p);
	ck_assert_ptr_nonnull(strstr(picture(), "dir/n4"));
	ck_assert(key('a'));
	ck_assert_str_eq(pane_mode(p)->name, "copy-mode");
	ck_assert_int_eq(
	    strncmp(request(), "set-buffer -w -- \"/dir/n4", 25), 0);
	end();
}
END_TEST

START_TEST(errors)
{
	struct cause why = { NULL };

	begin(20, 5);
	ck_assert_int_eq(open_mode(NULL, &why), -ERR_NOTFOUND);
	ck_assert_str_eq(cause_text(&why), "the pane shows nothing to label");
	cause_fini(&why);
	feed("/usr/bin");
	ck_assert_int_eq(open_mode("x", &why), -ERR_NOTFOUND);
	cause_fini(&why);
	ck_assert_int_eq(open_mode("url", &why), -ERR_NOTFOUND);
	cause_fini(&why);
	ck_assert_ptr_null(mode_top(p));
	opens();
	opens();
	end();
}
END_TEST

/* --- text of a screen never becomes a command ---------------------------------------- */

static const char *
injected(void *arg, const char *name)
{
	(void)arg;
	(void)name;
	return "injected";
}

/* TEXT is one set-buffer of WANT. */
static void
one_command(const char *text, const char *want)
{
	const struct parser_hooks hooks = { .variable = injected,
		.home = injected };
	struct cmdlist *list = NULL;
	const struct cmd *cmd;

	ck_assert_msg(
	    parser_parse(text, strlen(text), NULL, 1, &hooks, &list) == 0,
	    "refused: %s", text);
	ck_assert_uint_eq(list->count, 1);
	cmd = list->cmds[0];
	ck_assert_str_eq(cmd->row->name, "set-buffer");
	ck_assert_str_eq(args_string(cmd->args, 0), want);
	cmdlist_unref(list);
}

START_TEST(quoting)
{
	static const char marks[] = "\"'\\$;~#%{}()`|&<>! \t-abHOME";
	const unsigned long seed = unit_seed(7);
	uint64_t ch = seed;
	char text[32];
	unsigned round, i, n;

	begin(60, 4);
	set("hints-patterns[0]", "@.*@");
	for (round = 0; round < unit_rounds(2000); round++) {
		n = 2 + chance_below(&ch, 20);
		for (i = 0; i < n; i++)
			text[i] = marks[chance_below(&ch, sizeof(marks) - 1)];
		text[0] = text[n - 1] = '@';
		text[n] = '\0';
		for (i = 0; i < n; i++)
			if (text[i] == '\t')
				text[i] = ' ';
		feed("\033[H\033[2J");
		feed(text);
		opens();
		(void)key('a');
		one_command(request(), text);
		while (*request() != '\0')
			;
	}
	end();
}
END_TEST

/* --- random screens ---------------------------------------------------------------------- */

/* What the hints say of themselves is true. */
START_TEST(random_screens)
{
	static const char *const pieces[] = { "http://a.b/", "/usr/", "x", " ",
		"\r\n", "\xe6\x96\x87", "e\xcc\x81", "1234", "c0ffee1", ".c:1",
		"\033]8;;http://l/1\033\\", "\033]8;;\033\\", "\033[5C", "@",
		"\033[1K", "\xf0\x9f\x98\x80", "src/a.c", "10.1.2.3", "-" };
	const unsigned long seed = unit_seed(99);
	struct text_grid t;
	struct hints hs;
	uint64_t ch = seed;
	unsigned round, i;
	size_t k, j;

	for (round = 0; round < unit_rounds(300); round++) {
		begin(5 + (int)chance_below(&ch, 40),
		    2 + (int)chance_below(&ch, 8));
		for (i = 0; i < 60; i++)
			feed(pieces[chance_below(&ch, ARRAY_LEN(pieces))]);
		text_grid_init(&t, vt_term_grid(p->term));
		hints_collect(&hs, &t.text,
		    &(struct hints_ask){ .first = vt_grid_screen(t.grid),
			.last = vt_grid_end(t.grid),
			.kinds = (1U << HINT_KINDS) - 1,
			.alphabet = "asdf" });
		for (k = 0; k < hs.count; k++) {
			ck_assert(vt_pos_compare(hs.all[k].at.start,
				      hs.all[k].at.end) < 0);
			ck_assert_uint_lt(hs.all[k].label, hs.texts);
			if (k > 0)
				ck_assert_msg(
				    vt_pos_compare(hs.all[k - 1].at.end,
					hs.all[k].at.start) <= 0,
				    "seed %lu, round %u: hints overlap", seed,
				    round);
			for (j = 0; j < k; j++)
				ck_assert_int_eq(
				    strcmp(hs.all[j].text, hs.all[k].text) == 0,
				    hs.all[j].label == hs.all[k].label);
		}
		hints_fini(&hs);
		end();
	}
}
END_TEST

UNIT_SUITE(hints)
{
	Suite *s = suite_create("hints");
	TCase *tc = tcase_create("hints");

	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, a_label_copies);
	tcase_add_test(tc, capitals_paste_and_alt_opens);
	tcase_add_test(tc, two_letters);
	tcase_add_test(tc, several);
	tcase_add_test(tc, keys_that_leave);
	tcase_add_test(tc, the_mouse);
	tcase_add_test(tc, wrapped);
	tcase_add_test(tc, wide);
	tcase_add_test(tc, begins_above);
	tcase_add_test(tc, hyperlinks);
	tcase_add_test(tc, patterns);
	tcase_add_test(tc, a_pattern_within_a_hyperlink);
	tcase_add_test(tc, over_copy_mode);
	tcase_add_test(tc, errors);
	tcase_add_test(tc, quoting);
	tcase_add_test(tc, random_screens);
	suite_add_tcase(s, tc);
	return s;
}
