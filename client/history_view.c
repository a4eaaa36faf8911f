#include "client/history_view.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "mux/mode/copy_replay.h"
#include "mux/sync/prompt_edit.h"

#define FIRST 1 /* number of the first line */

struct history_view {
	size_t above; /* lines of history; the rest is the screen */
	size_t n;
	unsigned cols; /* of the pane */
	struct vt_line **lines;
	struct vt_str *setup;
	struct copy_replay *mode; /* NULL: not for this size */
	unsigned rows;            /* of the mode */
	vt_row top;               /* of the last mode; 0: the end */
	bool asks;                /* for the text of a search */
	bool down;                /* its direction */
	bool missing;             /* the last search has found nothing */
	struct prompt_edit edit;
};

/* Returns the number of rows up to the last one with text. */
static unsigned
screen_rows(const struct vt_frame *f)
{
	unsigned n;

	if ((f->state.modes & VT_FRAME_ALTERNATE) != 0)
		return 0;
	for (n = f->rows; n > 0; n--)
		if (vt_line_used(f->lines[n - 1]) > 0)
			break;
	return n;
}

struct history_view *
history_view_new(const struct sync_tail *tail, const struct vt_frame *screen,
    struct vt_str *setup)
{
	unsigned rows = screen_rows(screen), y;
	struct vt_line *line;
	struct history_view *p;
	uint64_t num;

	if (tail == NULL || tail->count == 0)
		return NULL;
	p = mem_zalloc(sizeof(*p));
	p->cols = screen->cols;
	p->setup = vt_str_ref(setup);
	p->lines = mem_calloc(tail->count + rows, sizeof(struct vt_line *));
	for (num = tail->first; num < sync_tail_end(tail); num++) {
		line = sync_tail_line(tail, num);
		p->lines[p->n++] = line == NULL ? vt_line_new(NULL) : line;
	}
	p->above = p->n;
	for (y = 0; y < rows; y++)
		p->lines[p->n++] = vt_line_ref(screen->lines[y]);
	prompt_edit_init(&p->edit, " ");
	return p;
}

void
history_view_free(struct history_view *p)
{
	if (p == NULL)
		return;
	copy_replay_free(p->mode);
	prompt_edit_fini(&p->edit);
	vt_str_unref(p->setup);
	while (p->n > 0)
		vt_line_unref(NULL, p->lines[--p->n]);
	mem_free(p->lines);
	mem_free(p);
}

/* --- the mode ---------------------------------------------------------------- */

static struct vt_line *
view_row(void *arg, vt_row row)
{
	const struct history_view *p = arg;

	return row - FIRST < p->n ? vt_line_ref(p->lines[row - FIRST])
				  : vt_line_new(NULL);
}

/* Makes the mode for a terminal with ROWS rows, the last one for the foot. */
static void
view_fit(struct history_view *p, const struct grapheme_table *gt, unsigned rows)
{
	const unsigned page = rows > 1 ? rows - 1 : 1;
	struct copy_local_cfg cfg = {
		.first = FIRST,
		.count = MAX_OF(p->n, (size_t)page),
		.cols = p->cols,
		.rows = page,
		.top = p->top != 0 ? p->top : FIRST + p->n,
		.setup = vt_str_text(p->setup),
		.setup_len = p->setup == NULL ? 0 : p->setup->len,
		.graphemes = gt,
		.history = { view_row, p, 0 },
	};

	if (p->mode != NULL && p->rows == page)
		return;
	copy_replay_free(p->mode);
	p->mode = copy_local_new(&cfg);
	p->rows = page;
}

/* --- keys ----------------------------------------------------------------------- */

static void
view_ask(struct history_view *p, bool down)
{
	p->asks = true;
	p->down = down;
	p->missing = false;
	prompt_edit_set(&p->edit, "");
}

/* A key while the text of a search is typed. */
static void
view_answer(struct history_view *p, key_code key)
{
	switch (key) {
	case KEY_ENTER:
	case '\r':
	case KEY_CTRL | 'm':
		p->asks = false;
		p->missing = p->edit.text.len > 0 &&
			     !copy_local_search(
				 p->mode, prompt_edit_text(&p->edit), p->down);
		break;
	case KEY_ESCAPE:
	case 0x1b:
	case KEY_CTRL | 'c':
	case KEY_CTRL | 'g':
		p->asks = false;
		break;
	default:
		(void)prompt_edit_key(&p->edit, key);
		break;
	}
}

/* Keys that the mode leaves to others. */
static bool
view_other(struct history_view *p, key_code key)
{
	switch (key) {
	case '/':
	case KEY_CTRL | 's':
		view_ask(p, true);
		return true;
	case '?':
	case KEY_CTRL | 'r':
		view_ask(p, false);
		return true;
	case 'q':
	case KEY_CTRL | 'c':
		return false;
	default:
		return true;
	}
}

bool
history_view_key(struct history_view *p, const struct grapheme_table *gt,
    key_code key, unsigned rows, struct buf *copied)
{
	view_fit(p, gt, rows);
	if (p->asks) {
		view_answer(p, key);
		p->top = copy_local_top(p->mode);
		return true;
	}
	p->missing = false;
	/* The decoder's names of keys; tables have those of tmux. */
	if (key == '\r')
		key = KEY_ENTER;
	else if (key == 0x1b)
		key = KEY_ESCAPE;
	switch (copy_local_key(p->mode, key, copied)) {
	case COPY_LOCAL_LEFT:
		return false;
	case COPY_LOCAL_UNKNOWN:
		return view_other(p, key);
	case COPY_LOCAL_DONE:
		break;
	}
	p->top = copy_local_top(p->mode);
	return true;
}

/* --- drawing ----------------------------------------------------------------------- */

static void
view_foot(const struct history_view *p, const struct grapheme_table *gt,
    struct vt_frame *f)
{
	const struct pen pen = { colour_index(7), colour_index(4),
		COLOUR_DEFAULT, PEN_BOLD };
	const struct vt_rect row = { 0, 0, f->cols, 1 };
	struct vt_frame *foot = vt_frame_new(f->cols, 1);
	const size_t first = (size_t)(copy_local_top(p->mode) - FIRST);
	const size_t last = MIN_OF(first + p->rows, p->n);
	unsigned x;
	char text[200];

	(void)snprintf(text, sizeof(text),
	    "%srmux: local history, %zu-%zu of %zu lines%s; / and ? search, "
	    "q ends",
	    p->missing ? "not found; " : "", first + 1, last, p->n,
	    last > p->above ? " (and the screen)" : "");
	vt_frame_fill(foot, &row, &pen);
	if (p->asks) {
		x = vt_frame_text(
		    foot, gt, 0, 0, f->cols, p->down ? "/" : "?", 1, &pen);
		prompt_edit_draw(&p->edit, gt, foot, x, &pen);
		f->state.x = foot->state.x;
		f->state.y = (uint16_t)(f->rows - 1);
	} else {
		vt_frame_text(
		    foot, gt, 0, 0, f->cols, text, strlen(text), &pen);
	}
	vt_frame_blit(f, 0, f->rows - 1U, foot, &row);
	vt_frame_unref(foot);
}

struct vt_frame *
history_view_draw(struct history_view *p, const struct grapheme_table *gt,
    unsigned cols, unsigned rows)
{
	struct vt_frame *f = vt_frame_new(cols, rows), *mode;
	struct vt_rect all = { 0, 0, MIN_OF(cols, p->cols), rows };

	view_fit(p, gt, rows);
	mode = copy_local_draw(p->mode);
	all.bottom = MIN_OF(rows, (unsigned)mode->rows);
	vt_frame_blit(f, 0, 0, mode, &all);
	f->state.x = (uint16_t)MIN_OF(mode->state.x, cols - 1);
	f->state.y = (uint16_t)MIN_OF(mode->state.y, rows - 1);
	vt_frame_unref(mode);
	if (rows > 1)
		view_foot(p, gt, f);
	return f;
}
