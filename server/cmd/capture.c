/*
 * The text of a pane: capture-pane, clear-history.
 */
#include <limits.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "mux/mode/copy.h"
#include "mux/paste.h"
#include "mux/vt/dump.h"
#include "server/cmd/cmd.h"
#include "server/face/redraw.h"

#define CAPTURE_MAX ((size_t)64 << 20)

/* The source: rows of GRID, then rows of BELOW (or NULL). */
struct capture {
	struct vt_grid *grid;
	vt_row first;
	vt_row screen;
	vt_row end;
	struct vt_grid *alternate;
	struct map *links;          /* -H: links seen so far, else NULL */
	bool timed;                 /* -I */
	struct vt_dump_times times; /* of the rows of GRID */
	unsigned flags;             /* enum vt_dump_flag */
};

/*
 * Parses a row of -S or -E, counted from the top of the screen. "-" is the
 * first or last row; text that is no number gives DEFAULT.
 */
static int64_t
capture_row(struct cmd_context *c, int flag, const struct capture *cap,
    int64_t edge, int64_t fallback)
{
	const char *text = args_get(c->args, flag);
	int64_t history = (int64_t)(cap->screen - cap->first);
	int64_t rows = (int64_t)(cap->end - cap->screen);
	int64_t n;

	if (text != NULL && strcmp(text, "-") == 0)
		return edge;
	if (args_number(c->args, flag, INT_MIN, INT_MAX, &n, NULL) != 0)
		return fallback;
	return MAX_OF(-history, MIN_OF(n, rows - 1));
}

static int64_t
never(UNUSED const void *arg, UNUSED vt_row row)
{
	return 0;
}

static int64_t
pane_time(const void *arg, vt_row row)
{
	const struct pane *p = arg;

	return p->times.cols == vt_term_main_grid(p->term)->cols
		   ? row_times_get(&p->times, row)
		   : 0;
}

static int64_t
mode_time(const void *arg, vt_row row)
{
	return copy_mode_time(arg, row);
}

static int
capture_part(struct buf *out, const struct capture *cap, struct vt_grid *g,
    vt_row first, vt_row last)
{
	static const struct vt_dump_times screen = { never, NULL };
	const struct vt_dump_times *times = NULL;

	if (cap->timed)
		times = g == cap->grid ? &cap->times : &screen;
	if (cap->links != NULL)
		return vt_dump_links(
		    out, cap->links, g, first, last, cap->flags, times);
	return vt_dump_rows(out, g, first, last, cap->flags, times);
}

static int
capture_rows(
    struct buf *out, const struct capture *cap, int64_t from, int64_t to)
{
	int r = 0;

	/* The history above an alternate screen is the main screen's. */
	if (cap->alternate == NULL)
		return capture_part(out, cap, cap->grid,
		    (vt_row)((int64_t)cap->screen + from),
		    (vt_row)((int64_t)cap->screen + to + 1));
	if (from < 0)
		r = capture_part(out, cap, cap->grid,
		    (vt_row)((int64_t)cap->screen + from),
		    (vt_row)((int64_t)cap->screen + MIN_OF(to + 1, 0)));
	if (r == 0 && to >= 0)
		r = capture_part(out, cap, cap->alternate,
		    vt_grid_screen(cap->alternate) +
			(vt_row)MAX_OF(from, (int64_t)0),
		    vt_grid_screen(cap->alternate) + (vt_row)to + 1);
	return r;
}

/*
 * -a: the screen that the alternate screen hides, without history.
 * -M: the text of copy mode or view mode; other modes have none.
 */
static bool
capture_source(struct cmd_context *c, struct capture *cap)
{
	struct vt_term *t = c->target.p->term;
	struct mode *m = mode_top(c->target.p);
	struct vt_grid *g = NULL;

	if (args_has(c->args, 'a') && !vt_term_alternate(t))
		return false;
	if (!args_has(c->args, 'a') && args_has(c->args, 'M') && m != NULL)
		g = copy_mode_grid(m);
	*cap = (struct capture){ .grid = g == NULL ? vt_term_main_grid(t) : g,
		.times = { pane_time, c->target.p } };
	if (g != NULL)
		cap->times = (struct vt_dump_times){ mode_time, m };
	cap->screen = vt_grid_screen(cap->grid);
	cap->end = vt_grid_end(cap->grid);
	cap->first = vt_grid_first(cap->grid);
	if (args_has(c->args, 'a'))
		cap->first = cap->screen;
	else if (g == NULL && vt_term_alternate(t))
		cap->alternate = vt_term_grid(t);
	return true;
}

static bool
capture_init(struct cmd_context *c, struct capture *cap)
{
	static const struct {
		char flag;
		unsigned dump;
	} rows[] = { { 'e', VT_DUMP_ANSI | VT_DUMP_CARRY },
		{ 'C', VT_DUMP_ESCAPE },
		{ 'J', VT_DUMP_JOIN | VT_DUMP_WRITTEN },
		{ 'T', VT_DUMP_WRITTEN }, { 'L', VT_DUMP_NUMBER },
		{ 'F', VT_DUMP_FLAGS } };
	size_t i;

	if (!capture_source(c, cap))
		return false;
	cap->flags = VT_DUMP_TABS;
	cap->timed = args_has(c->args, 'I') != 0;
	for (i = 0; i < ARRAY_LEN(rows); i++)
		if (args_has(c->args, rows[i].flag))
			cap->flags |= rows[i].dump;
	if (!args_has(c->args, 'J') && !args_has(c->args, 'N'))
		cap->flags |= VT_DUMP_TRIM;
	if (!args_has(c->args, 'J') && !args_has(c->args, 'T'))
		cap->flags |= VT_DUMP_ROOM;
	return true;
}

static int
capture_screen(
    struct cmd_context *c, struct buf *out, const struct capture *what)
{
	struct capture cap = *what;
	int64_t rows = (int64_t)(cap.end - cap.screen);
	int64_t history = (int64_t)(cap.screen - cap.first);
	int64_t from = capture_row(c, 'S', &cap, -history, 0);
	int64_t to = capture_row(c, 'E', &cap, rows - 1, rows - 1);
	struct map links;
	int r;

	map_init_names(&links);
	if (args_has(c->args, 'H'))
		cap.links = &links;
	r = capture_rows(out, &cap, MIN_OF(from, to), MAX_OF(from, to));
	map_fini(&links);
	return r;
}

static int
capture_raw_rows(struct buf *out, struct vt_grid *g, vt_row first, vt_row last)
{
	vt_row row, screen = vt_grid_screen(g);
	const struct vt_line *line;
	int r = 0;

	for (row = first; r == 0 && row < last; row++) {
		line = vt_grid_row(g, row);
		if (line == NULL)
			break;
		r = buf_addf(out, "%lld ", (long long)row - (long long)screen);
		if (r == 0)
			r = vt_dump_raw(out, line);
	}
	return r;
}

/*
 * -R: dumps everything for debugging: the size and the number of history lines,
 * then a line for each row, oldest first.
 */
static int
capture_raw(struct cmd_context *c, struct buf *out)
{
	struct vt_term *t = c->target.p->term;
	struct vt_grid *g = vt_term_main_grid(t);
	vt_row first = vt_grid_first(g), screen = vt_grid_screen(g);
	int r;

	r = buf_addf(out, "%ux%u history %llu%s\n", g->cols, g->rows,
	    (unsigned long long)(screen - first),
	    vt_term_alternate(t) ? " alternate" : "");
	if (r == 0)
		r = capture_raw_rows(out, g, first, screen);
	g = vt_term_grid(t);
	if (r == 0)
		r = capture_raw_rows(out, g, vt_grid_screen(g), vt_grid_end(g));
	return r;
}

/*
 * -P: the incomplete escape sequence that the program has written; with -C as
 * text (control bytes and backslash in octal).
 */
static int
capture_pending(struct cmd_context *c, struct buf *out)
{
	const uint8_t *p;
	size_t n, i;
	int r = 0;

	p = vt_term_pending(c->target.p->term, &n);
	if (!args_has(c->args, 'C'))
		return n == 0 ? 0 : buf_add(out, p, n);
	for (i = 0; i < n && r == 0; i++) {
		if (p[i] >= 0x20 && p[i] < 0x80 && p[i] != '\\')
			r = buf_add_u8(out, p[i]);
		else
			r = buf_addf(out, "\\%03o", (unsigned)p[i]);
	}
	return r;
}

enum cmd_result
cmd_exec_capture_pane(struct cmd_context *c)
{
	struct capture cap;
	struct cause why = { NULL };
	struct buf out;
	int r = 0;

	buf_init(&out, CAPTURE_MAX);
	if (args_has(c->args, 'R'))
		r = capture_raw(c, &out);
	else if (args_has(c->args, 'P') && !args_has(c->args, 'H'))
		r = capture_pending(c, &out);
	else if (!capture_init(c, &cap)) {
		if (!args_has(c->args, 'q')) {
			buf_fini(&out);
			return cmd_error(c, "no alternate screen");
		}
	} else
		r = capture_screen(c, &out, &cap);
	if (r != 0) {
		buf_fini(&out);
		return cmd_error(c, "too much text to capture");
	}
	if (args_has(c->args, 'p')) {
		if (out.len == 0 || out.data[out.len - 1] != '\n')
			(void)buf_add_u8(&out, '\n');
		cmd_say_lines(c, &out);
	} else {
		r = paste_set(c->sv->run.mux->paste, args_get(c->args, 'b'),
		    out.data, out.len, &why);
	}
	buf_fini(&out);
	return r == 0 ? CMD_NORMAL : cmd_cause(c, &why);
}

enum cmd_result
cmd_exec_clear_history(struct cmd_context *c)
{
	struct pane *p = c->target.p;
	const bool kills = copy_mode_kills(p);

	pane_pop_modes(p);
	if (kills) {
		window_close_pane(p);
		return CMD_NORMAL;
	}
	vt_grid_clear_history(vt_term_main_grid(p->term));
	viewers_redraw_window(&c->sv->viewers, c->target.w);
	return CMD_NORMAL;
}
