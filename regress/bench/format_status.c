/*
 * format_status.c - print the time to expand and to draw the default status
 * line for many windows; never fails.
 */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "conf/format.h"
#include "conf/format_draw.h"

#define WINDOWS 100
#define ROUNDS 200

#define WINDOW_STYLES                                            \
 "#{?#{&&:#{window_last_flag},"                                  \
 "#{!=:#{E:window-status-last-style},default}},"                 \
 " #{E:window-status-last-style},}"                              \
 "#{?#{&&:#{window_bell_flag},"                                  \
 "#{!=:#{E:window-status-bell-style},default}},"                 \
 " #{E:window-status-bell-style},"                               \
 "#{?#{&&:#{||:#{window_activity_flag},#{window_silence_flag}}," \
 "#{!=:#{E:window-status-activity-style},default}},"             \
 " #{E:window-status-activity-style},}}]"

/* The first row of status-format. */
static const char status[] =
    "#[align=left range=left #{E:status-left-style}]#[push-default]"
    "#{T;=/#{status-left-length}:status-left}#[pop-default]#[norange default]"
    "#[list=on align=#{status-justify}]#[list=left-marker]<"
    "#[list=right-marker]>#[list=on]"
    "#{W:#[range=window|#{window_index} #{E:window-status-style}" WINDOW_STYLES
    "#[push-default]#{T:window-status-format}#[pop-default]#[norange default]"
    "#{?window_end_flag,,#{window-status-separator}},"
    "#[range=window|#{window_index} list=focus "
    "#{?#{!=:#{E:window-status-current-style},default},"
    "#{E:window-status-current-style},#{E:window-status-style}}" WINDOW_STYLES
    "#[push-default]#{T:window-status-current-format}#[pop-default]"
    "#[norange list=on default]"
    "#{?window_end_flag,,#{window-status-separator}}}"
    "#[nolist align=right range=right #{E:status-right-style}]#[push-default]"
    "#{T;=/#{status-right-length}:status-right}#[pop-default]#[norange "
    "default]";

static const struct {
	const char *name;
	const char *value;
} options[] = {
	{ "status-justify", "left" },
	{ "status-left", "[#{session_name}] " },
	{ "status-left-length", "10" },
	{ "status-left-style", "default" },
	{ "status-right",
	    "#{?window_bigger,[#{window_offset_x}#,#{window_offset_y}] ,}"
	    "\"#{=21:pane_title}\" %H:%M %d-%b-%y" },
	{ "status-right-length", "40" },
	{ "status-right-style", "default" },
	{ "window-status-activity-style", "reverse" },
	{ "window-status-bell-style", "reverse" },
	{ "window-status-current-format",
	    "#I:#W#{?window_flags,#{window_flags}, }" },
	{ "window-status-current-style", "default" },
	{ "window-status-format", "#I:#W#{?window_flags,#{window_flags}, }" },
	{ "window-status-last-style", "default" },
	{ "window-status-separator", " " },
	{ "window-status-style", "default" },
};

static bool
get_option(void *ctx, const char *name, struct buf *out)
{
	size_t lo = 0, hi = sizeof(options) / sizeof(options[0]), mid;
	int r;

	(void)ctx;
	while (lo < hi) {
		mid = (lo + hi) / 2;
		r = strcmp(options[mid].name, name);
		if (r == 0)
			return buf_add_str(out, options[mid].value) == 0;
		if (r < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return false;
}

static bool
get_variable(void *ctx, const char *name, struct buf *out)
{
	const int *w = ctx;

	if (strcmp(name, "window_index") == 0)
		return buf_addf(out, "%d", *w) == 0;
	if (strcmp(name, "window_name") == 0 ||
	    strcmp(name, "session_name") == 0)
		return buf_add_str(out, "bash") == 0;
	if (strcmp(name, "window_flags") == 0)
		return buf_add_str(out, *w == 50 ? "*" : "") == 0;
	if (strcmp(name, "window_end_flag") == 0)
		return buf_add_str(out, *w == WINDOWS - 1 ? "1" : "0") == 0;
	if (strcmp(name, "pane_title") == 0)
		return buf_add_str(out, "a title of a pane") == 0;
	if (strncmp(name, "window_", 7) == 0)
		return buf_add_str(out, "0") == 0;
	return false;
}

static const struct format_ops ops;

static void
loop(void *ctx, const struct format_loop *l, format_item_fn each, void *arg)
{
	int w;
	struct format_item item = { .scope = { &ops, &w } };

	(void)ctx;
	(void)l;
	for (w = 0; w < WINDOWS; w++) {
		item.current = w == 50;
		item.last = w == WINDOWS - 1;
		if (!each(arg, &item))
			return;
	}
}

static const struct format_ops ops = {
	.option = get_option, .variable = get_variable, .loop = loop
};

static double
now_us(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec * 1e6 + (double)ts.tv_nsec / 1e3;
}

int
main(void)
{
	static const struct pen base = { 0, 0, 0, 0 };
	struct grapheme_table *widths = grapheme_table_new(NULL);
	int window = 50, i;
	struct format_args a = { .scope = { &ops, &window },
		.widths = widths,
		.now_ms = INT64_C(1445765102000),
		.flags = FORMAT_STRFTIME };
	struct format_drawn d;
	struct buf out;
	double t0, t1, t2, expand = 1e9, draw = 1e9;

	buf_init(&out, FORMAT_OUTPUT_MAX);
	for (i = 0; i < ROUNDS; i++) {
		buf_clear(&out);
		t0 = now_us();
		(void)format_expand(&a, status, &out);
		t1 = now_us();
		format_draw(
		    &d, widths, &base, (const char *)out.data, out.len, 200);
		t2 = now_us();
		format_drawn_fini(&d);
		expand = t1 - t0 < expand ? t1 - t0 : expand;
		draw = t2 - t1 < draw ? t2 - t1 : draw;
	}
	printf("status line of %d windows, %zu bytes: expand %.0f us, "
	       "draw in 200 columns %.0f us (best of %d)\n",
	    WINDOWS, out.len, expand, draw, ROUNDS);
	buf_fini(&out);
	grapheme_table_free(widths);
	return 0;
}
