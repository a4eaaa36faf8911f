#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "conf/format.h"
#include "conf/format_mod.h"
#include "conf/format_sub.h"
#include "conf/format_text.h"
#include "regress/unit/unit.h"

/* 2015-10-25 09:25:02 UTC, a Sunday. */
#define THEN INT64_C(1445765102)

/* A small scope: sessions s1 s2, windows w0 w1 w2, one pane. */
struct world {
	int window;
	int jobs;
	char job[128];
};

static const struct {
	const char *name;
	const char *value;
} values[] = {
	/* clang-format off */
	{ "@x", "hello" },
	{ "@n", "5" },
	{ "@zero", "0" },
	{ "@empty", "" },
	{ "@t", "1445765102" },
	{ "@path", "/usr/local/bin/foo" },
	{ "@sp", "it's a \"$x\"" },
	{ "@f", "#{@x}" },
	{ "@pc", "%Y" },
	{ "@u", "a\xc3\xa9" "b\xe6\x97\xa5\xe6\x9c\xacx" },
	{ "@st", "#[fg=red]abc#[bold]def" },
	{ "@rec", "#{E:@rec}x" },
	{ "@boom", "#{E:@boom}#{E:@boom}" },
	{ "status-left", "[#S]" },
	{ "session_name", "main" },
	{ "window_name", "vi" },
	{ "window_index", "3" },
	{ "window_flags", "*Z" },
	{ "pane_index", "1" },
	{ "pane_id", "%7" },
	{ "pane_title", "title" },
	{ "host", "box.example" },
	{ "host_short", "box" },
	/* clang-format on */
};

static bool
get_option(void *ctx, const char *name, struct buf *out)
{
	size_t i;

	(void)ctx;
	if (strcmp(name, "@big") == 0) {
		for (i = 0; i < 20000; i++)
			buf_add_str(out, "0123456789");
		return true;
	}
	if (name[0] != '@' && strcmp(name, "status-left") != 0)
		return false;
	for (i = 0; i < ARRAY_LEN(values); i++)
		if (strcmp(values[i].name, name) == 0)
			return buf_add_str(out, values[i].value) == 0;
	return false;
}

static bool
get_variable(void *ctx, const char *name, struct buf *out)
{
	const struct world *w = ctx;
	size_t i;

	if (w->window >= 0 && strcmp(name, "window_index") == 0)
		return buf_addf(out, "%d", w->window) == 0;
	for (i = 0; i < ARRAY_LEN(values); i++)
		if (strcmp(values[i].name, name) == 0)
			return buf_add_str(out, values[i].value) == 0;
	return false;
}

static bool
get_environ(void *ctx, const char *name, struct buf *out)
{
	(void)ctx;
	if (strcmp(name, "SHELL") != 0)
		return false;
	return buf_add_str(out, "/bin/sh") == 0;
}

static const struct format_ops ops;

static void
loop(void *ctx, const struct format_loop *l, format_item_fn each, void *arg)
{
	struct world w = *(struct world *)ctx;
	struct format_item item = { .scope = { &ops, &w } };
	int i, n = l->kind == FORMAT_LOOP_PANES ? 1 : 3;

	if (l->kind == FORMAT_LOOP_OPTIONS) {
		snprintf(w.job, sizeof(w.job), "%s", l->flags);
		each(arg, &item);
		return;
	}
	for (i = 0; i < n; i++) {
		w.window = l->reverse ? n - 1 - i : i;
		if (l->sort == FORMAT_SORT_NAME)
			w.window = (i + 1) % n;
		item.current = w.window == 1;
		item.last = i == n - 1;
		if (!each(arg, &item))
			return;
	}
}

static bool
exists(void *ctx, enum format_loop_kind kind, const char *name)
{
	(void)ctx;
	return strcmp(name, kind == FORMAT_LOOP_WINDOWS ? "vi" : "main") == 0;
}

static uint32_t
search(void *ctx, const char *pattern, bool regex, bool nocase)
{
	(void)ctx;
	if (strcmp(pattern, "none") == 0)
		return 0;
	return 10u + (regex ? 1u : 0u) + (nocase ? 2u : 0u);
}

static void
job(void *ctx, const char *command, struct buf *out)
{
	struct world *w = ctx;

	w->jobs++;
	snprintf(w->job, sizeof(w->job), "%s", command);
	buf_add_str(out, "<#[bold]#{@x}#(again)%Y>");
}

static bool
client_has(void *ctx, char what, const char *name, struct buf *out)
{
	(void)ctx;
	return buf_addf(out, "%c-%s", what, name) == 0;
}

static const struct format_ops ops = {
	.option = get_option,
	.variable = get_variable,
	.environ = get_environ,
	.loop = loop,
	.exists = exists,
	.search = search,
	.job = job,
	.client_has = client_has,
};

static struct world world;
static struct grapheme_table *widths;

static char *
expand(const char *fmt, unsigned flags)
{
	struct format_args a = { .scope = { &ops, &world },
		.widths = widths,
		.now_ms = THEN * 1000 + 250,
		.flags = flags };

	world.window = -1;
	return format_expand_new(&a, fmt);
}

struct row {
	const char *fmt;
	const char *want;
};

static void
check_rows(const struct row *rows, size_t n, unsigned flags)
{
	char *s;
	size_t i;

	for (i = 0; i < n; i++) {
		s = expand(rows[i].fmt, flags);
		ck_assert_msg(strcmp(s, rows[i].want) == 0,
		    "%s gives [%s], not [%s]", rows[i].fmt, s, rows[i].want);
		mem_free(s);
	}
}

START_TEST(names_are_looked_up)
{
	static const struct row rows[] = {
		/* clang-format off */
		{ "", "" },
		{ "plain", "plain" },
		{ "#{@x}", "hello" },
		{ "#S:#I:#W#F #P #D #T #H #h", "main:3:vi*Z 1 %7 title box.example box" },
		{ "#{session_name}", "main" },
		{ "#{SHELL}", "/bin/sh" },
		{ "#{nosuch}", "" },
		{ "#{status-left}", "[#S]" },
		{ "#{E:status-left}", "[main]" },
		{ "a##b", "a#b" },
		{ "##{@x}", "#{@x}" },
		{ "##[x]", "##[x]" },
		{ "#[fg=red]x", "#[fg=red]x" },
		{ "a#{@x", "a" },
		{ "a#(b", "a" },
		{ "#q#", "#q" },
		/* clang-format on */
	};
	char name[300], *s;

	check_rows(rows, ARRAY_LEN(rows), 0);
	snprintf(name, sizeof(name), "#{%0280d}", 0);
	s = expand(name, 0);
	ck_assert_str_eq(s, "");
	mem_free(s);
}
END_TEST

START_TEST(variables_of_the_call_come_after_options)
{
	static const struct format_var vars[] = { { "line", "7" },
		{ "@x", "hidden" }, { "window_name", "mine" } };
	struct format_args a = { .scope = { &ops, &world },
		.vars = vars,
		.var_count = ARRAY_LEN(vars) };
	struct format_args bare = { .now_ms = 0 };
	char *s = format_expand_new(&a, "#{line} #{@x} #W");

	ck_assert_str_eq(s, "7 hello mine");
	mem_free(s);
	/* Without a scope nothing is found. */
	s = format_expand_new(&bare, "a#{x}#W#(y)#{W:z}#{N:a}#{C:b}#{I/f:c}");
	ck_assert_str_eq(s, "a00");
	mem_free(s);
}
END_TEST

START_TEST(conditions)
{
	static const struct row rows[] = {
		/* clang-format off */
		{ "#{?@x,a,b}", "a" },
		{ "#{?@zero,a,b}", "b" },
		{ "#{?@empty,a,b}", "b" },
		{ "#{?nosuch,a,b}", "b" },
		{ "#{?1,a,b}", "b" },
		{ "#{?#{@x},a,b}", "a" },
		{ "#{?@x,a}", "a" },
		{ "#{?@zero,a}", "" },
		{ "#{?@zero,a,@x,b}", "b" },
		{ "#{?@zero,a,@zero,b}", "" },
		{ "#{?@zero,a,@zero,b,c}", "c" },
		{ "#{?@zero,a,@zero,b,@zero,c,@x,d,e}", "d" },
		{ "#{?@x,a#,b,c}", "a,b" },
		{ "#{?@x,#{?@zero,x,y},z}", "y" },
		{ "x#{?@x}y", "x@xy" },
		{ "[#{?abc}]", "[abc]" },
		{ "#{==:a,a}#{==:a,b}#{!=:a,b}#{!=:a,a}", "1010" },
		{ "#{<:a,b}#{<:b,a}#{>:b,a}#{>:a,b}", "1010" },
		{ "#{<=:a,a}#{<=:b,a}#{>=:a,a}#{>=:a,b}", "1010" },
		{ "#{||:0,0,1}#{||:0,0,0}#{||:1}#{||:0}", "1010" },
		{ "#{&&:1,1,1}#{&&:1,1,0}#{&&:1}#{&&:0}", "1010" },
		{ "#{!:0}#{!:1}#{!:}#{!:x}", "1010" },
		{ "#{!!:1}#{!!:0}#{!!:xyz}#{!!:}", "1010" },
		{ "#{N:vi}#{N:no}#{N/w:vi}#{N/s:main}#{N/s:vi}#{N/x:vi}", "10110" },
		{ "#{C:none}#{C:x} #{C/r:x} #{C/i:x} #{C/ri:x}", "010 11 12 13" },
		{ "#{I/f:RGB} #{I/c:smcup} #{I/e:TERM}#{I:x}#{I/z:x}", "f-RGB c-smcup e-TERM" },
		/* clang-format on */
	};

	check_rows(rows, ARRAY_LEN(rows), 0);
}
END_TEST

START_TEST(matches_and_substitutions)
{
	static const struct row rows[] = {
		/* clang-format off */
		{ "#{m:h*o,hello}#{m:x*,hello}#{m/i:H*,hello}", "101" },
		{ "#{m/r:l+o$,hello}#{m/r:^l,hello}#{m/ri:^H,hello}", "101" },
		{ "#{m/r:(,x}#{m/r:(a)\\1,aa}", "00" },
		{ "#{m/z:hlo,hello}#{m/z:olh,hello}#{m/zi:HLO,hello}", "100" },
		{ "#{m/p:ho,hello}", "0,4" },
		{ "#{m/p:zz,hello}", "" },
		{ "#{s/l/L/:@x}", "heLLo" },
		{ "#{s/L/_/i:@x}", "he__o" },
		{ "#{s/(h)(e)/\\2\\1/:@x}", "ehllo" },
		{ "#{s|/|-|:@path}", "-usr-local-bin-foo" },
		{ "#{s/l/L/;s/L/M/:@x}", "heMMo" },
		{ "#{s/^/>/:@x}#{s/$/</:@x}", ">hellohello<" },
		{ "#{s/x*/-/:@x}", "h-e-l-l-o-" },
		{ "#{s/^x*/-/:@x}", "-hello" },
		{ "#{s/l*/-/:@x}", "h-e-o-" },
		{ "#{s/(l)|e/[\\1]/:@x}", "h[][l][l]o" },
		{ "#{s/z*/./:#{l:\xc3\xa9}}", "\xc3\xa9." },
		{ "#{s/(/x/:@x}", "hello" },
		{ "#{s/(a{99#}){99#}/x/:@x}", "hello" },
		{ "#{s/l/#{@n}/:@x}", "he55o" },
		/* clang-format on */
	};
	char text[FORMAT_SUB_TEXT_MAX + 2], pattern[FORMAT_SUB_PATTERN_MAX + 2];
	struct buf out;
	bool found;

	check_rows(rows, ARRAY_LEN(rows), 0);
	buf_init(&out, FORMAT_OUTPUT_MAX);
	memset(text, 'a', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	memset(pattern, 'b', sizeof(pattern) - 1);
	pattern[sizeof(pattern) - 1] = '\0';
	ck_assert_int_eq(format_sub("a", "b", text, 0, &out), -ERR_LIMIT);
	ck_assert_str_eq(buf_cstr(&out), text);
	ck_assert_int_eq(format_sub(pattern, "b", "x", 0, &out), -ERR_LIMIT);
	ck_assert_int_eq(format_sub("[", "b", "x", 0, &out), -ERR_SYNTAX);
	ck_assert_int_eq(format_sub("", "b", "x", 0, &out), -ERR_SYNTAX);
	ck_assert_int_eq(format_sub_match("a", text, 0, &found), -ERR_LIMIT);
	ck_assert_int_eq(
	    format_sub_match("((a{50}){50}){50}", "a", 0, &found), -ERR_LIMIT);
	ck_assert_int_eq(
	    format_sub_match("(a|b)*[^]{9999}]x\\{2", "xx{2", 0, &found), 0);
	ck_assert_int_eq(format_sub_match("((((((((((((((((((((((((((((((((((x",
			     "x", 0, &found),
	    -ERR_LIMIT);
	/* The number of replacements is limited; the rest is copied. */
	buf_clear(&out);
	text[4000] = '\0';
	ck_assert_int_eq(format_sub("a", "b", text, 0, &out), 0);
	ck_assert_uint_eq(out.len, 4000);
	ck_assert_int_eq(out.data[FORMAT_SUB_COUNT_MAX - 1], 'b');
	ck_assert_int_eq(out.data[FORMAT_SUB_COUNT_MAX], 'a');
	buf_fini(&out);
}
END_TEST

START_TEST(numbers)
{
	static const struct row rows[] = {
		/* clang-format off */
		{ "#{e|+:1,2} #{e|-:1,2} #{e|*:3,4} #{e|/:7,2} #{e|m:7,2} #{e|%:7,2}", "3 -1 12 3 1 1" },
		{ "#{e|==:1,1}#{e|!=:1,1}#{e|<:1,2}#{e|>:1,2}#{e|<=:2,2}#{e|>=:1,2}", "101010" },
		{ "#{e|+|f:1.5,2} #{e|/|f|4:7,3} #{e|*|f|0:2.5,3}", "3.50 2.3333 8" },
		{ "#{e|/:7,0}", "-9223372036854775808" },
		{ "#{e|/|f:1,0} #{e|/|f:-1,0}", "inf -inf" },
		{ "#{e|+|f|101:1,1}#{e|+|f|-2:1,1}#{e|+:x,1}#{e|^:1,2}#{e|+:1}", "" },
		{ "#{a:65}#{a:126}#{a:31}#{a:127}#{a:x}", "A~" },
		{ "#{c:red} #{c:#102030} #{c:colour196} #{c:default}#{c:no}", "800000 102030 ff0000 " },
		{ "#{c/f:red}#{c/b:blue}", "\033[31m\033[44m" },
		{ "#{R:ab,3}#{R:ab,0}#{R:ab,-1}#{R:ab,x}#{R:,9}", "ababab" },
		{ "x#{R:ab}y", "x" },
		{ "#{n:@x}#{w:@x} #{n:@u} #{w:@u} #{w:@st}", "55 11 8 6" },
		/* clang-format on */
	};

	check_rows(rows, ARRAY_LEN(rows), 0);
}
END_TEST

START_TEST(texts)
{
	static const struct row rows[] = {
		/* clang-format off */
		{ "#{=3:@x} #{=-3:@x} #{=/3/../:@x} #{=/-3/../:@x}", "hel llo hel.. ..llo" },
		{ "#{=4:@u}|#{=-2:@u}|#{=5:@u}", "a\xc3\xa9" "b|x|a\xc3\xa9" "b\xe6\x97\xa5" },
		{ "#{=3:@st}|#{=4:@st}|#{=-3:@st}", "#[fg=red]abc|#[fg=red]abc#[bold]d|#[fg=red]#[bold]def" },
		{ "#{p7:@x}|#{p-7:@x}|#{p3:@x}|#{p0:@x}|", "hello  |  hello|hello|hello|" },
		{ "#{=2;p4:@x}|#{p4;=2:@x}|", "he  |he  |" },
		{ "#{p99999999:@x}", "hello" },
		{ "#{b:@path} #{d:@path} #{b:@empty} #{d:@x}", "foo /usr/local/bin . ." },
		{ "#{q:@sp}", "it\\'s\\ a\\ \\\"\\$x\\\"" },
		{ "#{q/s:@sp}", "'it'\\''s a \"$x\"'" },
		{ "#{q/a:@sp} #{q/a:@empty} #{q/a:@x} #{q/a:pane_id}", "\"it's a \\\"\\$x\\\"\" '' hello \"%7\"" },
		{ "#{q/h:@st} #{q/e:@st}", "##[fg=red]abc##[bold]def ##[fg=red]abc##[bold]def" },
		{ "#{l:#{@x}} #{l:a#,b#}} #{l:##}", "#{@x} a,b} #" },
		{ "#{E:@f}#{E:#{@f}}#{E;=2:@f}", "hellohellohe" },
		{ "#{T:@pc} #{E:@pc}", "2015 %Y" },
		{ "#{A:a,b,c}", "" },
		{ "#{N/x:@x}#{I/x:@x}#{e:@x}", "hellohellohello" },
		/* clang-format on */
	};

	check_rows(rows, ARRAY_LEN(rows), 0);
}
END_TEST

START_TEST(times)
{
	static const struct row rows[] = {
		/* clang-format off */
		{ "#{t:@t}", "Sun Oct 25 09:25:02 2015" },
		{ "#{t:@n}", "Thu Jan  1 00:00:05 1970" },
		{ "#{t:@x}#{t:@zero}#{t:nosuch}", "" },
		{ "#{t/f/%H#:%M:@t} #{t/f/%Y-%m-%d:@t}", "09:25 2015-10-25" },
		{ "#{t/p:@t} #{t/r:@t} #{t/d:@t}", "09:25 0s 0" },
		/* clang-format on */
	};
	static const struct row strf[] = {
		/* clang-format off */
		{ "%Y-%m-%d", "2015-10-25" },
		{ "#{?@x,%H,}%%", "09%" },
		{ "#{@pc} #{E:@pc}", "%Y 2015" },
		{ "#{t/f/%%H#:%%M:@t}", "09:25" },
		/* clang-format on */
	};
	static const struct {
		int64_t ago;
		const char *pretty;
		const char *relative;
	} ages[] = { { 30, "09:24", "30s" }, { 90, "09:23", "1m30s" },
		{ 3600, "08:25", "1h" }, { 3660, "08:24", "1h1m" },
		{ 100000, "Sat24", "1d3h" }, { 2000000, "Fri02", "23d3h" },
		{ 10000000, "01Jul", "115d17h" },
		{ 60000000, "Nov13", "694d10h" }, { -100, "09:25", "0s" } };
	struct format_args a = { .now_ms = THEN * 1000 };
	struct format_var var = { "v", NULL };
	struct fmt_run run = { .args = &a, .work = 100 };
	static const struct format_ops none = { .option = NULL };
	struct fmt f = { .run = &run, .scope = { &none, NULL } };
	char number[32], *s;
	struct tm ours, theirs;
	time_t t;
	size_t i;

	check_rows(rows, ARRAY_LEN(rows), 0);
	check_rows(strf, ARRAY_LEN(strf), FORMAT_STRFTIME);
	a.vars = &var;
	a.var_count = 1;
	for (i = 0; i < ARRAY_LEN(ages); i++) {
		snprintf(number, sizeof(number), "%lld",
		    (long long)(THEN - ages[i].ago));
		var.value = number;
		s = format_expand_new(&a, "#{t/p:v}");
		ck_assert_str_eq(s, ages[i].pretty);
		mem_free(s);
		s = format_expand_new(&a, "#{t/r:v}");
		ck_assert_str_eq(s, ages[i].relative);
		mem_free(s);
	}
	/* Compares the calendar with the C library's, 1700 to 2400. */
	for (t = -8520336000; t < 13569465600; t += 1000003 * 7) {
		fmt_local_time(&f, t, &ours);
		gmtime_r(&t, &theirs);
		ck_assert_int_eq(ours.tm_year, theirs.tm_year);
		ck_assert_int_eq(ours.tm_yday, theirs.tm_yday);
		ck_assert_int_eq(ours.tm_mon, theirs.tm_mon);
		ck_assert_int_eq(ours.tm_mday, theirs.tm_mday);
		ck_assert_int_eq(ours.tm_wday, theirs.tm_wday);
		ck_assert_int_eq(ours.tm_hour, theirs.tm_hour);
		ck_assert_int_eq(ours.tm_min, theirs.tm_min);
		ck_assert_int_eq(ours.tm_sec, theirs.tm_sec);
	}
}
END_TEST

START_TEST(frames_are_shown_in_turn)
{
	static const struct row rows[] = {
		{ "#{A:a,b,c}#{A/2:a,b,c}#{A/9:a,b}#{A:x}#{A/x:a}#{A/0:a}",
		    "bcbx" },
	};

	check_rows(rows, ARRAY_LEN(rows), FORMAT_ANIMATE);
}
END_TEST

START_TEST(loops_and_jobs)
{
	static const struct row rows[] = {
		/* clang-format off */
		{ "#{W:#I}", "012" },
		{ "#{W:#I,[#I]}", "0[1]2" },
		{ "#{W/r:#I}", "210" },
		{ "#{W/n:#I}", "120" },
		{ "#{W:#{loop_index}#{?loop_last_flag,.,-}}", "0-1-2." },
		{ "#{W:#{W:#I}#{loop_index} }", "0120 0121 0122 " },
		{ "#{loop_index}", "" },
		{ "#{S:s}#{P:p}#{L:l}", "ssspll" "l" },
		{ "#{O/sg:o}", "o" },
		{ "#{=4:#{W:#I#I}}", "0011" },
		{ "#(cmd #{@x})", "<#[bold]hello%Y>" },
		/* clang-format on */
	};
	char *s;

	check_rows(rows, ARRAY_LEN(rows), 0);
	ck_assert_str_eq(world.job, "cmd hello");
	ck_assert_int_eq(world.jobs, 1);
	s = expand("a#(x(y)z)b", FORMAT_NO_JOBS);
	ck_assert_str_eq(s, "ab");
	ck_assert_int_eq(world.jobs, 1);
	mem_free(s);
	s = expand("a#(x(y)z)b", FORMAT_STRFTIME);
	ck_assert_str_eq(world.job, "x(y)z");
	ck_assert_str_eq(s, "a<#[bold]hello%Y>b");
	mem_free(s);
}
END_TEST

static void
trace(void *arg, unsigned depth, const char *text)
{
	(void)buf_addf(arg, "#%*s %s\n", (int)depth, "", text);
}

/* The order of modifiers, and the arguments of one that is named twice. */
START_TEST(one_of_several_modifiers_decides)
{
	static const struct row rows[] = {
		/* clang-format off */
		{ "#{R;W:#I,2}", "022" },
		{ "#{W;I/f:RGB}", "f-RGB" },
		{ "#{a;I/f:97}", "f-97" },
		{ "#{R;C:x}", "10" },
		{ "#{!=;==:a,a}#{==;!=:a,a}#{==;m:a*,ab}", "101" },
		{ "#{||;&&:1,0}#{&&;||:1,0}", "01" },
		{ "#{S/r;W:#I}#{S;W/r:#I}", "012210" },
		{ "#{W/in:#I}#{W/z:#I}#{P/n:p}", "012012p" },
		{ "#{=3;=:@x}#{p7;p:@x}.", "helhello  ." },
		{ "#{c/f;c:red}", "\033[31m" },
		{ "#{=9:#{c/f:red}}#{=-9:#{c/f:red}}", "[31m\033[31m" },
		/* clang-format on */
	};

	check_rows(rows, ARRAY_LEN(rows), 0);
}
END_TEST

START_TEST(expansion_can_be_watched)
{
	struct buf out, log;
	struct format_args a = {
		.scope = { &ops, &world }, .trace = trace, .trace_arg = &log
	};

	world.window = -1;
	buf_init(&out, 1000);
	buf_init(&log, 4000);
	ck_assert_int_eq(format_expand(&a, "x#{?@x,a#{@x},b}", &out), 0);
	ck_assert_str_eq(buf_cstr(&log),
	    "# expanding format: x#{?@x,a#{@x},b}\n"
	    "# found #{}: ?@x,a#{@x},b\n"
	    "# condition is: @x\n"
	    "# condition '@x' found: hello\n"
	    "# condition '@x' is true\n"
	    "#  expanding format: a#{@x}\n"
	    "#  found #{}: @x\n"
	    "#  format '@x' found: hello\n"
	    "#  replaced '@x' with 'hello'\n"
	    "#  result is: ahello\n"
	    "# replaced '?@x,a#{@x},b' with 'ahello'\n"
	    "# result is: xahello\n");
	buf_clear(&log);
	ck_assert_int_eq(format_expand(&a, "#{=/3/.;n:#{==:1,@x}}#S", &out), 0);
	ck_assert_str_eq(buf_cstr(&log),
	    "# expanding format: #{=/3/.;n:#{==:1,@x}}#S\n"
	    "# found #{}: =/3/.;n:#{==:1,@x}\n"
	    "#  expanding format: 3\n"
	    "#  result is: 3\n"
	    "#  expanding format: .\n"
	    "#  result is: .\n"
	    "# modifier 0 is =\n"
	    "# modifier 0 argument 0: 3\n"
	    "# modifier 0 argument 1: .\n"
	    "# modifier 1 is n\n"
	    "# expanding inner format '#{==:1,@x}'\n"
	    "#  expanding format: #{==:1,@x}\n"
	    "#  found #{}: ==:1,@x\n"
	    "#  modifier 0 is ==\n"
	    "#   expanding format: 1\n"
	    "#   result is: 1\n"
	    "#   expanding format: @x\n"
	    "#   result is: @x\n"
	    "#  compare == left is: 1\n"
	    "#  compare == right is: @x\n"
	    "#  replaced '==:1,@x' with '0'\n"
	    "#  result is: 0\n"
	    "# applied length limit 3: 0\n"
	    "# replacing with length: 1\n"
	    "# replaced '=/3/.;n:#{==:1,@x}' with '1'\n"
	    "# found #S: session_name\n"
	    "# format 'session_name' found: main\n"
	    "# replaced 'session_name' with 'main'\n"
	    "# result is: 1main\n");
	buf_fini(&log);
	buf_fini(&out);
}
END_TEST

/* Makes a format of N bytes of A, then MIDDLE, then N of B. */
static char *
sandwich(const char *a, const char *middle, const char *b, size_t n)
{
	struct buf s;
	size_t i;

	buf_init(&s, 1 << 24);
	for (i = 0; i < n; i++)
		buf_add_str(&s, a);
	buf_add_str(&s, middle);
	for (i = 0; i < n; i++)
		buf_add_str(&s, b);
	return buf_steal(&s, NULL);
}

START_TEST(what_blows_up_is_bounded)
{
	static const struct {
		const char *a, *middle, *b;
		size_t n;
	} rows[] = {
		{ "#{?@x,", "a", ",b}", 10000 },
		{ "#{E:", "@x", "}", 10000 },
		{ "#{", "@x", "}", 100000 },
		{ "#{=9999999:", "@big", "}", 90 },
		{ "#{W:", "#{@big}", "}", 50 },
		{ "#{W:", "x", "}", 90 },
		{ "#{s/x*/#{@big}/:", "@big", "}", 90 },
		{ "#{R:", "#{@big}", ",10000}", 90 },
		{ "#{==:#{@big},", "#{@big}", "}", 90 },
		{ "#{m:*0*1*2*3*x*4*5,", "#{@big}", "}", 50 },
		{ "#{m/r:(0|1|2)*3$,", "#{@big}", "}", 50 },
		{ "#(", "x", ")", 10000 },
		{ "#[", "x", "]", 10000 },
		{ "#", "", "", 1000000 },
		{ "}", "", "{", 1000000 },
		{ "#{", "", "", 1000000 },
		{ ";=", "#{x", ":}", 100000 },
		{ "", "#{E:@rec}", "", 0 },
		{ "", "#{E:@boom}", "", 0 },
		{ "#{@big}", "", "", 1000 },
		{ "#{p1000000:@x}", "", "", 1000 },
		{ "#{t/f/%1000000Y:@t}", "", "", 1000 },
		{ "#{e|*:", "9e999", ",9e999}", 1000 },
		{ "", "#{p-2147483648:@x}#{=-2147483648:@x}", "", 0 },
	};
	struct format_args a = { .scope = { &ops, &world },
		.now_ms = THEN * 1000 };
	struct buf out;
	size_t i;
	char *fmt;

	for (i = 0; i < ARRAY_LEN(rows); i++) {
		fmt = sandwich(rows[i].a, rows[i].middle, rows[i].b, rows[i].n);
		buf_init(&out, FORMAT_OUTPUT_MAX);
		world.window = -1;
		a.flags = 0;
		(void)format_expand(&a, fmt, &out);
		ck_assert_uint_le(out.len, FORMAT_OUTPUT_MAX);
		buf_clear(&out);
		a.flags = FORMAT_STRFTIME;
		(void)format_expand(&a, fmt, &out);
		buf_fini(&out);
		mem_free(fmt);
	}
	buf_init(&out, FORMAT_OUTPUT_MAX);
	ck_assert_int_eq(format_expand(&a, "#{E:@boom}", &out), -ERR_LIMIT);
	ck_assert_int_eq(format_expand(&a, "#{E:@rec}", &out), -ERR_LIMIT);
	buf_clear(&out);
	ck_assert_int_eq(format_expand(&a, "#{@x}", &out), 0);
	buf_fini(&out);
	buf_init(&out, 3);
	ck_assert_int_eq(format_expand(&a, "abcd", &out), -ERR_LIMIT);
	buf_fini(&out);
}
END_TEST

START_TEST(every_modifier_has_help)
{
	const struct fmt_mod *rows;
	size_t i, k, n;

	rows = fmt_mod_rows(&n);
	for (i = 0; i < n; i++) {
		ck_assert_uint_gt(strlen(rows[i].help), 3);
		for (k = 0; k < i; k++)
			ck_assert_str_ne(rows[i].name, rows[k].name);
		ck_assert(i == 0 || MIN_OF(rows[i].stage, FMT_POST) >=
					MIN_OF(rows[i - 1].stage, FMT_POST));
	}
	ck_assert(format_true("a") && format_true("00"));
	ck_assert(!format_true("") && !format_true("0"));
}
END_TEST

START_TEST(text_with_styles_is_measured_and_cut)
{
	static const struct {
		const char *text;
		size_t width;
		const char *left3;
		const char *right3;
	} rows[] = {
		/* clang-format off */
		{ "", 0, "", "" },
		{ "abcd", 4, "abc", "bcd" },
		{ "##abc", 4, "##ab", "abc" },
		{ "#abc", 4, "#ab", "abc" },
		{ "##[a]", 4, "##[a", "[a]" },
		{ "#[a]bcde", 4, "#[a]bcd", "#[a]cde" },
		{ "###[a]bcd", 4, "###[a]bc", "#[a]bcd" },
		{ "####[x", 4, "####[", "##[x" },
		{ "a#[b#,c]d", 2, "a#[b#,c]d", "a#[b#,c]d" },
		{ "ab#[c", 2, "ab", "ab" },
		{ "a\tb\033c", 3, "abc", "abc" },
		{ "a\xff" "b\xe6\x97", 2, "ab", "ab" },
		{ "\xe6\x97\xa5\xe6\x9c\xac", 4, "\xe6\x97\xa5", "\xe6\x9c\xac" },
		{ "e\xcc\x81" "abc", 4, "e\xcc\x81" "ab", "abc" },
		/* clang-format on */
	};
	struct buf out;
	size_t i, n;

	buf_init(&out, 1000);
	for (i = 0; i < ARRAY_LEN(rows); i++) {
		n = strlen(rows[i].text);
		ck_assert_uint_eq(
		    format_text_width(widths, rows[i].text, n), rows[i].width);
		buf_clear(&out);
		format_text_trim_left(widths, rows[i].text, n, 3, &out);
		ck_assert_str_eq(buf_cstr(&out), rows[i].left3);
		buf_clear(&out);
		format_text_trim_right(widths, rows[i].text, n, 3, &out);
		ck_assert_str_eq(buf_cstr(&out), rows[i].right3);
	}
	ck_assert_uint_eq(format_text_plain_width(widths, "#[a]#", 5), 5);
	buf_fini(&out);
}
END_TEST

static void
setup(void)
{
	widths = grapheme_table_new(NULL);
	memset(&world, 0, sizeof(world));
}

static void
teardown(void)
{
	grapheme_table_free(widths);
}

UNIT_SUITE(format)
{
	Suite *s = suite_create("format");
	TCase *tc = tcase_create("format");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, names_are_looked_up);
	tcase_add_test(tc, variables_of_the_call_come_after_options);
	tcase_add_test(tc, conditions);
	tcase_add_test(tc, matches_and_substitutions);
	tcase_add_test(tc, numbers);
	tcase_add_test(tc, texts);
	tcase_add_test(tc, times);
	tcase_add_test(tc, frames_are_shown_in_turn);
	tcase_add_test(tc, loops_and_jobs);
	tcase_add_test(tc, one_of_several_modifiers_decides);
	tcase_add_test(tc, expansion_can_be_watched);
	tcase_add_test(tc, what_blows_up_is_bounded);
	tcase_add_test(tc, every_modifier_has_help);
	tcase_add_test(tc, text_with_styles_is_measured_and_cut);
	suite_add_tcase(s, tc);
	return s;
}
