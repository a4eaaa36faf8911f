/*
 * mux/mode/copy_int.h - what the files of copy mode share.
 *
 * Purpose:   the state of the mode and the functions between its files.
 * Ownership: struct copy owns everything it points to, except the pane.
 * Units:     absolute rows (vt_row) and columns of the text; cx, cy are cells
 *            of the pane.
 * Tests:     regress/unit/check_mode_copy.c
 */
#ifndef MUX_MODE_COPY_INT_H
#define MUX_MODE_COPY_INT_H

#include "mux/mode/copy.h"
#include "mux/mode/copy_text.h"
#include "mux/vt/search.h"

#define COPY_MATCHES_MAX 999999 /* more are not counted */

/* Which end of the selection follows the cursor. */
enum copy_drag {
	COPY_DRAG_NONE,
	COPY_DRAG_END,
	COPY_DRAG_START
};

/* How select-line and select-word were extended. */
enum copy_line {
	COPY_LINE_NONE,
	COPY_LINE_LEFT_RIGHT,
	COPY_LINE_RIGHT_LEFT
};

enum copy_unit {
	COPY_CHAR,
	COPY_WORD,
	COPY_LINE
};

enum copy_jump {
	COPY_JUMP_NONE,
	COPY_JUMP_FORWARD,
	COPY_JUMP_BACKWARD,
	COPY_JUMP_TO_FORWARD,
	COPY_JUMP_TO_BACKWARD
};

enum copy_search {
	COPY_SEARCH_NONE,
	COPY_SEARCH_UP,
	COPY_SEARCH_DOWN
};

/* Places that a change of width moves with their text. */
enum copy_place {
	COPY_AT_CURSOR,
	COPY_AT_SEL,
	COPY_AT_END,
	COPY_AT_MARK,
	COPY_AT_DRAG,
	COPY_AT_SEL_RESET,
	COPY_AT_END_RESET,
	COPY_PLACES
};

/* The options that the mode reads, as its owner has set them. */
struct copy_env {
	bool vi;               /* mode-keys */
	bool wrap_search;      /* wrap-search */
	unsigned line_numbers; /* copy-mode-line-numbers, its choice */
};

/* The version of a rewrapped text, whose row numbers no other text has. */
#define COPY_REWRAPPED UINT64_MAX

/*
 * A mode without a pane (mode.pane is NULL) is a copy of one elsewhere
 * (copy_replay.h): its owner sets environment and text.
 */
struct copy {
	struct mode mode;
	struct copy_env env;
	struct copy_text text;
	bool missed; /* a copy lacks what the last call needed */
	/* The last screen of the text as a frame, made on demand. */
	struct vt_frame *screen;
	/* text_remade of the pane when the text was taken; COPY_REWRAPPED. */
	uint64_t remade;
	/* View mode (copy_view.h); else NULL. */
	struct vt_term *own; /* its text */
	const struct mode_host *host;
	bool said;      /* own has a line */
	uint32_t from;  /* id of the pane whose text it is */
	unsigned flags; /* enum copy_open_flag */
	vt_row top;     /* first row shown */
	unsigned cols;  /* of the pane */
	unsigned rows;
	unsigned cx;
	unsigned cy;
	unsigned lastcx; /* column to return to on longer lines */
	unsigned lastsx; /* length of the line that lastcx was in */
	/* Where a move up or down met half a character, and its column. */
	struct vt_pos pulled;
	unsigned pulled_from;

	bool selecting; /* a selection is shown */
	enum copy_drag drag;
	enum copy_line line;
	enum copy_unit unit;
	bool rect;
	struct vt_pos at[COPY_PLACES]; /* COPY_AT_CURSOR: while resizing */
	bool mark_shown;
	char *separators; /* word-separators */

	enum copy_jump jump;
	char jump_char[VT_CLUSTER_MAX + 1];

	enum copy_search search; /* of the last one */
	bool search_regex;
	bool searched;             /* in this mode */
	char *search_text;         /* or NULL */
	struct vt_search *pattern; /* of the two above; NULL: not made yet */
	unsigned find;             /* matches still to find; 0: none */
	bool find_down;
	bool search_marks;         /* matches are shown */
	struct vt_pos search_from; /* of an incremental search */
	vt_row search_top;
	bool search_from_set;
	bool search_late; /* it took too long */
	/* The matches of the whole text, while `counted` as far as known. */
	struct vt_search_count count;
	bool counted;
	bool counting;         /* some text is left */
	bool search_uncounted; /* the marks have gone */
	bool find_fresh;       /* the search is for another text */
	bool find_typed;       /* incremental */
	bool search_other;     /* without a pane: copy_search_is_new */

	int numbers; /* line numbers: -1 by the option, 0 off, 1 on */
	unsigned recentre;
	vt_row recentre_row;
	bool refresh;
	bool stale; /* the text is to be taken anew */
	bool drag_mouse;
	bool drag_along; /* the last step stayed in its row: scrolls nothing */
	struct mouse_event drag_at; /* the last event of the drag */
	mono_ms drag_due; /* when it scrolls by itself, or MONO_NEVER */
	bool slide;       /* the mouse drags the slider */
	bool slide_exit;  /* its end leaves the mode */
	int slide_grab;   /* the row of the slider under the mouse */
};

struct copy_args {
	const struct mode_command *cmd;
	struct mode_effects *out; /* or NULL */
	const char *word[3];      /* arguments, NULL after the last one */
	unsigned count;
	unsigned repeat;
	struct cause *why; /* receives an error */
	bool no_clipboard; /* -C */
	bool no_buffer;    /* -P */
	bool output;       /* -o */
	bool exit;         /* -e */
	const struct copy_row *row;
};

enum copy_did {
	COPY_NOTHING,
	COPY_REDRAW,
	COPY_CANCEL
};

/* When a command removes the marks of a search. */
enum copy_clear {
	COPY_CLEAR_ALWAYS,
	COPY_CLEAR_NEVER,
	COPY_CLEAR_EMACS
};

struct copy_row {
	const char *name;
	unsigned min;
	unsigned max;
	const char *options;
	enum copy_clear clear;
	enum copy_did (*fn)(struct copy *c, const struct copy_args *a);
};

extern const struct copy_row copy_rows[];
extern const size_t copy_row_count;

static inline struct copy *
copy_of(struct mode *m)
{
	return container_of(m, struct copy, mode);
}

/* --- copy_state.c ----------------------------------------------------------------- */

static inline vt_row
copy_row_here(const struct copy *c)
{
	return c->top + c->cy;
}

static inline struct vt_pos
copy_here(const struct copy *c)
{
	return (struct vt_pos){ c->top + c->cy, c->cx };
}

static inline vt_row
copy_first(const struct copy *c)
{
	return text_first(&c->text.text);
}

/* The first row of the last screen: the top when not scrolled. */
static inline vt_row
copy_base(const struct copy *c)
{
	return c->text.base;
}

/* The last row. */
static inline vt_row
copy_last(const struct copy *c)
{
	return c->text.base + c->rows - 1;
}

/* The text has changed: its matches must be counted again. */
static inline void
copy_uncount(struct copy *c)
{
	c->counted = false;
	c->counting = c->search_marks;
}

/*
 * Whether a walk over rows in direction DIR ends at ROW: at the end of the text,
 * or where a copy lacks text.
 */
static inline bool
copy_ends(const struct copy *c, vt_row row, int dir)
{
	return c->missed ||
	       (dir > 0 ? row >= copy_last(c) : row <= copy_first(c));
}

static inline bool
copy_is_vi(const struct copy *c)
{
	return c->env.vi;
}

/* Takes the text anew if it is stale; keeps all places within it. */
void copy_sync(struct copy *c);

/* When a row entered the history, in seconds since 1970; 0: it has not. */
int64_t copy_time(const struct copy *c, vt_row row);

/* Takes the text of the pane anew. */
void copy_refresh(struct copy *c);
/* Takes the text of the pane anew and goes on showing the same rows. */
void copy_retake(struct copy *c);

/* Sets the text and the cursor when the mode begins. */
void copy_begin(struct copy *c);

/* The pane has another size: moves all places with their text. */
void copy_resized(struct copy *c);

/* --- copy_line.c: cells and words ---------------------------------------------- */

/* Keeps the cursor within the pane. */
void copy_clamp(struct copy *c);

unsigned copy_len(struct copy *c, vt_row row);
bool copy_wrapped(struct copy *c, vt_row row);
/* Whether P is no first column: of a character or tab, or of a character. */
bool copy_is_tail(struct copy *c, struct vt_pos p);
bool copy_is_half(struct copy *c, struct vt_pos p);
/* The text of a cell; returns its length. */
size_t copy_cell(struct copy *c, struct vt_pos p, char *out);
/* The width of the blank at P, or 0. */
unsigned copy_blank(struct copy *c, struct vt_pos p);
bool copy_separator(struct copy *c, struct vt_pos p, const char *set);

/* Moves of a position; all stay within the text. */
struct vt_pos copy_left(struct copy *c, struct vt_pos p, bool wrap);
struct vt_pos copy_right(struct copy *c, struct vt_pos p, bool wrap, bool all);
struct vt_pos copy_line_start(struct copy *c, struct vt_pos p, bool wrap);
struct vt_pos copy_line_end(
    struct copy *c, struct vt_pos p, bool wrap, bool all);
struct vt_pos copy_indentation(struct copy *c, struct vt_pos p);
struct vt_pos copy_next_word(
    struct copy *c, struct vt_pos p, const char *separators);
struct vt_pos copy_word_end_move(
    struct copy *c, struct vt_pos p, const char *separators);
struct vt_pos copy_word_end_select(
    struct copy *c, struct vt_pos p, const char *separators);
struct vt_pos copy_previous_word(struct copy *c, struct vt_pos p,
    const char *separators, bool already, bool stop_at_end);
bool copy_find_char(struct copy *c, struct vt_pos *p, const char *text);
bool copy_find_char_back(struct copy *c, struct vt_pos *p, const char *text);

/* --- copy_move.c ------------------------------------------------------------------ */

/* Moves the cursor to P, scrolling as little as needed. */
void copy_go(struct copy *c, struct vt_pos p);
void copy_go_keep(struct copy *c, struct vt_pos p);
/* Moves the cursor to P; a place out of sight is shown with lines below it. */
void copy_scroll_to(struct copy *c, struct vt_pos p);
void copy_cursor_up(struct copy *c, bool scroll_only);
void copy_cursor_down(struct copy *c, bool scroll_only);
void copy_page_up(struct copy *c, bool half);
bool copy_page_down(struct copy *c, bool half, bool scroll_exit);
/* Moves the cursor off the second half of a character. */
void copy_off_tail(struct copy *c);
/* Keeps the cursor within its line. */
void copy_limit(struct copy *c);

/* --- copy_select.c ------------------------------------------------------------------ */

void copy_start_selection(struct copy *c);
void copy_clear_selection(struct copy *c);
/* The selection follows the cursor, unless there is none. */
void copy_update_selection(struct copy *c, bool no_reset);
void copy_other_end(struct copy *c);
/* See copy_mode_drag_next. */
mono_ms copy_drag_next(struct copy *c, mono_ms now);
/* Scrolls as if the slider were dragged to row Y; whether the mode ends. */
bool copy_slide(struct copy *c, int y);
/* Selects by mouse; see copy_mode_drag. */
void copy_drag(struct copy *c, const struct mouse_event *from,
    const struct mouse_event *to);
/* The columns of each row: the first one's start, the last one's end, others. */
struct copy_span {
	struct vt_pos a;
	struct vt_pos b;
	unsigned first_start;
	unsigned last_end;
	unsigned rest_start;
	unsigned rest_end;
};

/* Returns the selected range. */
struct copy_span copy_span(struct copy *c);
/* Adds at most COUNT rows from *ROW on to OUT; *ROW is then the next one. */
int copy_span_rows(struct copy *c, const struct copy_span *s, vt_row *row,
    size_t count, struct buf *out);
/* Drops the last newline if the selection ends before it. */
void copy_span_end(struct copy *c, const struct copy_span *s, struct buf *out);
/* The columns *FROM..*TO-1 of ROW that are shown as selected. */
bool copy_selected_columns(
    struct copy *c, vt_row row, unsigned *from, unsigned *to);
int copy_range(
    struct copy *c, struct vt_pos from, struct vt_pos to, struct buf *out);

/* --- copy_search.c ------------------------------------------------------------------ */

void copy_search_clear(struct copy *c);
/* Frees the pattern. */
void copy_search_fini(struct copy *c);
void copy_search_work(struct mode *m);
void copy_search_stop(struct mode *m, bool late);
void copy_search_renew(struct copy *c);
/* The matches in rows FROM..TO-1; returns their number. */
size_t copy_search_rows(
    struct copy *c, vt_row from, vt_row to, struct vt_match *out, size_t max);

/* --- copy_found.c ------------------------------------------------------------------- */

/* Adds the text of the match at the cursor or right before it. */
int copy_search_text(struct copy *c, struct buf *out);
/* Whether the pane's last search was for another text. */
bool copy_search_is_new(struct copy *c);
/* The first place (upwards: the place after the last) where a match counts. */
struct vt_pos copy_search_start(struct copy *c, bool down);
/* Moves the cursor to a match. */
void copy_search_went(struct copy *c, const struct vt_match *m, bool down);

/* --- copy_show.c -------------------------------------------------------------------- */

/* copy_mode_select (copy.h) */
void copy_show(struct copy *c, struct vt_pos start, struct vt_pos end,
    const char *pattern, bool regex);

/* --- copy.c, copy_view.c -------------------------------------------------------------- */

extern const struct mode_ops copy_view_ops;
/* Keys that the tables of copy mode leave free. */
enum mode_did copy_view_key(struct mode *m, const struct key_event *key);

/* --- copy_number.c ------------------------------------------------------------------ */

/* Whether line numbers are shown, and the columns that they take. */
bool copy_numbers(const struct copy *c);
unsigned copy_gutter(const struct copy *c);
/* The number of the first row in the indicator, and the greatest one. */
uint64_t copy_position(const struct copy *c, uint64_t *limit);
/* Scrolls to the row with that number in the indicator. */
void copy_go_number(struct copy *c, uint64_t line);
/* Moves the drawn text to the right and draws the numbers before it. */
void copy_draw_numbers(
    struct copy *c, struct vt_frame *f, const struct mode_paint *paint);

/*
 * The base on which the styles of the mode are set: PEN_PROTECTED, which no
 * style has, is gone where a style has noattr.
 */
extern const struct pen copy_style_base;

/* --- copy_draw.c, copy_format.c ------------------------------------------------------ */

void copy_draw(
    struct mode *m, struct vt_frame *f, const struct mode_paint *paint);
bool copy_format(const struct mode *m, const char *name, struct buf *out);

/* --- copy_rows.c ----------------------------------------------------------------------- */

enum mode_did copy_command(
    struct mode *m, const struct mode_command *cmd, struct cause *why);

/* The head of the function that a row of copy.def names. */
#define DO(id)               \
 enum copy_did copy_do_##id( \
     UNUSED struct copy *c, UNUSED const struct copy_args *a)

#define X(id, ...) \
 enum copy_did copy_do_##id(struct copy *c, const struct copy_args *a);
#include "mux/mode/copy.def"
#undef X

#endif
