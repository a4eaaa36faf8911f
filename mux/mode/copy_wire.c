#include "mux/mode/copy_wire.h"

#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/pack.h"
#include "base/utf8.h"
#include "mux/mode/wire_pen.h"
#include "mux/mux.h"
#include "mux/pane.h"

const enum option_id copy_style_options[COPY_STYLES] = {
	[COPY_STYLE_POSITION] = OPTION_COPY_MODE_POSITION_STYLE,
	[COPY_STYLE_MATCH] = OPTION_COPY_MODE_MATCH_STYLE,
	[COPY_STYLE_CURRENT_MATCH] = OPTION_COPY_MODE_CURRENT_MATCH_STYLE,
	[COPY_STYLE_MARK] = OPTION_COPY_MODE_MARK_STYLE,
	[COPY_STYLE_SELECTION] = OPTION_COPY_MODE_SELECTION_STYLE,
	[COPY_STYLE_CURRENT_LINE] = OPTION_COPY_MODE_CURRENT_LINE_STYLE,
	[COPY_STYLE_NUMBER] = OPTION_COPY_MODE_LINE_NUMBER_STYLE,
	[COPY_STYLE_CURRENT_NUMBER] =
	    OPTION_COPY_MODE_CURRENT_LINE_NUMBER_STYLE,
};

/*
 * A state is an array: these numbers in this order, the character of the last
 * jump, and the text of the last search.  Rows count from the row after the
 * text back to its first one.
 */
enum state_item {
	STATE_VERSION = 0,
	STATE_PANE = 1,
	STATE_REMADE = 2,
	STATE_HISTORY_SIZE = 3,
	STATE_COLS = 4,
	STATE_ROWS = 5,
	STATE_END = 6,  /* number of the row after the text */
	STATE_SIZE = 7, /* its rows */
	STATE_OPEN = 8, /* enum copy_open_flag */
	STATE_BITS = 9, /* enum state_bit */
	STATE_TOP = 10,
	STATE_CX = 11,
	STATE_CY = 12,
	STATE_LASTCX = 13,
	STATE_LASTSX = 14,
	STATE_DRAG = 15,
	STATE_LINE = 16,
	STATE_UNIT = 17,
	STATE_JUMP = 18,
	STATE_SEARCH = 19,
	STATE_NUMBERS = 20, /* plus one */
	STATE_RECENTRE = 21,
	STATE_RECENTRE_ROW = 22,
	STATE_COUNT = 23,
	STATE_SEARCH_TOP = 24,
	STATE_SEARCH_ROW = 25,
	STATE_SEARCH_COL = 26,
	STATE_PLACES = 27,     /* row, column of each but the cursor */
	STATE_PULLED_ROW = 39, /* 0: none */
	STATE_PULLED_COL = 40,
	STATE_PULLED_FROM = 41,
	STATE_JUMP_CHAR = 42,
	STATE_SEARCH_TEXT = 43,
	STATE_REPEAT = 44,
	STATE_ITEMS = 45,
};

enum state_bit {
	STATE_SELECTING = 1,
	STATE_RECT = 2,
	STATE_MARK_SHOWN = 4,
	STATE_SEARCH_REGEX = 8,
	STATE_SEARCH_MARKS = 16,
	STATE_SEARCH_FROM = 32,
	STATE_SEARCH_LATE = 64,
	STATE_COUNTED = 128,
	STATE_COUNT_LIMITED = 256,
	STATE_SEARCHED = 1024,
	STATE_UNCOUNTED = 2048,
	STATE_SEARCH_OTHER = 4096, /* the pane's last search is another */
	STATE_FIND_DOWN = 8192,
};

#define STATE_NUMS STATE_JUMP_CHAR

_Static_assert(STATE_PLACES + 2 * (COPY_PLACES - 1) == STATE_PULLED_ROW,
    "the numbers of STATE_PLACES are part of the protocol");

/* The largest value of each number. */
static const uint64_t state_max[STATE_NUMS] = {
	[STATE_VERSION] = COPY_WIRE_VERSION,
	[STATE_PANE] = UINT32_MAX,
	[STATE_REMADE] = UINT64_MAX,
	[STATE_HISTORY_SIZE] = UINT64_MAX,
	[STATE_COLS] = VT_COLS_MAX,
	[STATE_ROWS] = VT_ROWS_MAX,
	[STATE_END] = UINT64_MAX / 4,
	[STATE_SIZE] = UINT64_MAX / 4,
	[STATE_OPEN] = COPY_OPEN_SCROLL_EXIT | COPY_OPEN_HIDE_POSITION |
		       COPY_OPEN_KILL | COPY_OPEN_NO_NUMBERS,
	[STATE_BITS] = UINT16_MAX,
	[STATE_TOP] = UINT64_MAX / 4,
	[STATE_CX] = VT_COLS_MAX,
	[STATE_CY] = VT_ROWS_MAX,
	[STATE_LASTCX] = UINT16_MAX,
	[STATE_LASTSX] = UINT16_MAX,
	[STATE_DRAG] = COPY_DRAG_START,
	[STATE_LINE] = COPY_LINE_RIGHT_LEFT,
	[STATE_UNIT] = COPY_LINE,
	[STATE_JUMP] = COPY_JUMP_TO_BACKWARD,
	[STATE_SEARCH] = COPY_SEARCH_DOWN,
	[STATE_NUMBERS] = 2,
	[STATE_RECENTRE] = UINT32_MAX,
	[STATE_RECENTRE_ROW] = UINT64_MAX,
	[STATE_COUNT] = UINT32_MAX,
	[STATE_SEARCH_TOP] = UINT64_MAX / 4,
	[STATE_SEARCH_ROW] = UINT64_MAX / 4,
	[STATE_SEARCH_COL] = VT_COLS_MAX,
};

/* --- the state ------------------------------------------------------------- */

static uint64_t
bit(bool on, enum state_bit b)
{
	return on ? (uint64_t)b : 0;
}

static uint64_t
state_bits(struct copy *c)
{
	return bit(c->selecting, STATE_SELECTING) | bit(c->rect, STATE_RECT) |
	       bit(c->mark_shown, STATE_MARK_SHOWN) |
	       bit(c->search_regex, STATE_SEARCH_REGEX) |
	       bit(c->search_marks, STATE_SEARCH_MARKS) |
	       bit(c->search_from_set, STATE_SEARCH_FROM) |
	       bit(c->search_late, STATE_SEARCH_LATE) |
	       bit(c->counted && !c->counting, STATE_COUNTED) |
	       bit(c->count.limited, STATE_COUNT_LIMITED) |
	       bit(c->searched, STATE_SEARCHED) |
	       bit(c->search_uncounted, STATE_UNCOUNTED) |
	       bit(c->find_down, STATE_FIND_DOWN) |
	       bit(c->search_text != NULL && copy_search_is_new(c),
		   STATE_SEARCH_OTHER);
}

/* The place of ROW on the wire; a row of no text is the first one. */
static uint64_t
row_put(const struct copy *c, vt_row row)
{
	const vt_row end = copy_last(c) + 1;

	return end - CLAMP(row, copy_first(c), end - 1);
}

static void
state_nums(struct copy *c, const struct copy_wire *w, uint64_t *n)
{
	size_t i;

	n[STATE_VERSION] = COPY_WIRE_VERSION;
	n[STATE_PANE] = w->pane;
	n[STATE_REMADE] = w->remade;
	n[STATE_HISTORY_SIZE] = w->history_size;
	n[STATE_COLS] = c->cols;
	n[STATE_ROWS] = c->rows;
	n[STATE_END] = copy_last(c) + 1;
	n[STATE_SIZE] = copy_last(c) + 1 - copy_first(c);
	n[STATE_OPEN] = c->flags;
	n[STATE_BITS] = state_bits(c);
	n[STATE_TOP] = row_put(c, c->top);
	n[STATE_CX] = c->cx;
	n[STATE_CY] = c->cy;
	n[STATE_LASTCX] = c->lastcx;
	n[STATE_LASTSX] = c->lastsx;
	n[STATE_DRAG] = c->drag;
	n[STATE_LINE] = c->line;
	n[STATE_UNIT] = c->unit;
	n[STATE_JUMP] = c->jump;
	n[STATE_SEARCH] = c->search;
	n[STATE_NUMBERS] = (uint64_t)(c->numbers + 1);
	n[STATE_RECENTRE] = c->recentre;
	/* May be a row that is gone: it is only compared. */
	n[STATE_RECENTRE_ROW] = c->recentre_row;
	n[STATE_COUNT] = c->count.all;
	n[STATE_SEARCH_TOP] = row_put(c, c->search_top);
	n[STATE_SEARCH_ROW] = row_put(c, c->search_from.row);
	n[STATE_SEARCH_COL] = MIN_OF(c->search_from.col, c->cols);
	for (i = 1; i < COPY_PLACES; i++) {
		n[STATE_PLACES + 2 * (i - 1)] = row_put(c, c->at[i].row);
		n[STATE_PLACES + 2 * (i - 1) + 1] =
		    MIN_OF(c->at[i].col, c->cols);
	}
	n[STATE_PULLED_ROW] =
	    c->pulled.row >= copy_first(c) && c->pulled.row <= copy_last(c)
		? row_put(c, c->pulled.row)
		: 0;
	n[STATE_PULLED_COL] = MIN_OF(c->pulled.col, c->cols);
	n[STATE_PULLED_FROM] = MIN_OF(c->pulled_from, c->cols);
}

void
copy_state_write(struct copy *c, const struct copy_wire *w, struct buf *out)
{
	uint64_t n[STATE_NUMS];
	size_t i;

	state_nums(c, w, n);
	pack_put_array(out, STATE_ITEMS);
	for (i = 0; i < STATE_NUMS; i++)
		pack_put_uint(out, n[i]);
	pack_put_cstr(out, c->jump_char);
	pack_put_cstr(out, c->search_text == NULL ? "" : c->search_text);
	pack_put_uint(out, c->mode.repeat);
}

bool
copy_state_put(struct mode *m, struct buf *out)
{
	struct copy *c = copy_of(m);
	const struct pane *p = mux_pane(m->pane->mux, c->from);
	const struct vt_grid *g = vt_term_main_grid(m->pane->term);
	struct copy_wire w;

	copy_sync(c);
	/* Text of another pane, or one that follows it, needs that pane. */
	if (p != m->pane || c->refresh || c->drag_mouse ||
	    m->work != MODE_IDLE || (c->counting && c->search_marks) ||
	    (c->search_text != NULL &&
		strlen(c->search_text) > VT_SEARCH_PATTERN_MAX))
		return false;
	w = (struct copy_wire){ .pane = p->id,
		.remade = c->remade,
		.history_size = vt_grid_screen(g) - vt_grid_first(g) };
	copy_state_write(c, &w, out);
	return true;
}

const struct vt_frame *
copy_state_screen(struct mode *m)
{
	struct copy *c = copy_of(m);
	const struct vt_line *l;
	unsigned y;

	if (c->screen != NULL)
		return c->screen;
	c->screen = vt_frame_new(c->cols, c->rows);
	for (y = 0; y < c->rows; y++) {
		l = text_row(&c->text.text, copy_base(c) + y);
		if (l == NULL)
			continue;
		vt_line_unref(NULL, c->screen->lines[y]);
		c->screen->lines[y] = vt_line_ref(l);
		if (l->len > c->cols)
			vt_line_truncate(vt_frame_own(c->screen, y), c->cols);
	}
	return c->screen;
}

/* Returns the row of a place, within the text. */
static vt_row
row_get(const uint64_t *n, enum state_item i)
{
	return n[STATE_END] - CLAMP(n[i], (uint64_t)1, n[STATE_SIZE]);
}

static void
state_set(struct copy *c, struct copy_wire *w, const uint64_t *n)
{
	const uint64_t bits = n[STATE_BITS];
	size_t i;

	*w = (struct copy_wire){ .pane = (uint32_t)n[STATE_PANE],
		.remade = n[STATE_REMADE],
		.history_size = n[STATE_HISTORY_SIZE],
		.first = n[STATE_END] - n[STATE_SIZE] };
	c->cols = (unsigned)n[STATE_COLS];
	c->rows = (unsigned)n[STATE_ROWS];
	c->text.base = n[STATE_END] - n[STATE_ROWS];
	c->from = w->pane;
	c->flags = (unsigned)n[STATE_OPEN];
	c->top = row_get(n, STATE_TOP);
	c->cx = (unsigned)n[STATE_CX];
	c->cy = (unsigned)n[STATE_CY];
	c->lastcx = (unsigned)n[STATE_LASTCX];
	c->lastsx = (unsigned)n[STATE_LASTSX];
	c->drag = (enum copy_drag)n[STATE_DRAG];
	c->line = (enum copy_line)n[STATE_LINE];
	c->unit = (enum copy_unit)n[STATE_UNIT];
	c->jump = (enum copy_jump)n[STATE_JUMP];
	c->search = (enum copy_search)n[STATE_SEARCH];
	c->numbers = (int)n[STATE_NUMBERS] - 1;
	c->recentre = (unsigned)n[STATE_RECENTRE];
	c->recentre_row = n[STATE_RECENTRE_ROW];
	c->count.all = (size_t)n[STATE_COUNT];
	c->search_top = row_get(n, STATE_SEARCH_TOP);
	c->search_from.row = row_get(n, STATE_SEARCH_ROW);
	c->search_from.col = (unsigned)n[STATE_SEARCH_COL];
	for (i = 1; i < COPY_PLACES; i++)
		c->at[i] =
		    (struct vt_pos){ row_get(n, (enum state_item)(STATE_PLACES +
								  2 * (i - 1))),
			    (unsigned)n[STATE_PLACES + 2 * (i - 1) + 1] };
	c->pulled.row = n[STATE_PULLED_ROW] == 0 ? UINT64_MAX
						 : row_get(n, STATE_PULLED_ROW);
	c->pulled.col = (unsigned)n[STATE_PULLED_COL];
	c->pulled_from = (unsigned)n[STATE_PULLED_FROM];
	c->searched = (bits & STATE_SEARCHED) != 0;
	c->search_uncounted = (bits & STATE_UNCOUNTED) != 0;
	c->find_down = (bits & STATE_FIND_DOWN) != 0;
	c->search_other = (bits & STATE_SEARCH_OTHER) != 0;
	c->selecting = (bits & STATE_SELECTING) != 0;
	c->rect = (bits & STATE_RECT) != 0;
	c->mark_shown = (bits & STATE_MARK_SHOWN) != 0;
	c->search_regex = (bits & STATE_SEARCH_REGEX) != 0;
	c->search_marks = (bits & STATE_SEARCH_MARKS) != 0;
	c->search_from_set = (bits & STATE_SEARCH_FROM) != 0;
	c->search_late = (bits & STATE_SEARCH_LATE) != 0;
	c->counted = (bits & STATE_COUNTED) != 0;
	c->count.limited = (bits & STATE_COUNT_LIMITED) != 0;
}

int
copy_state_get(struct rd *r, struct copy *c, struct copy_wire *w)
{
	uint64_t n[STATE_NUMS] = { 0 }, max;
	uint32_t items = pack_get_array(r, 256), i;
	char *jump;

	peer_check(r->err == 0 && items >= STATE_REPEAT);
	for (i = 0; i < STATE_NUMS; i++) {
		max = state_max[i];
		if (i >= STATE_PLACES)
			max = i == STATE_PULLED_FROM ||
				      (i - STATE_PLACES) % 2 != 0
				  ? VT_COLS_MAX
				  : UINT64_MAX / 4;
		n[i] = pack_get_uint(r, max);
	}
	peer_check(
	    r->err == 0 && n[STATE_VERSION] == COPY_WIRE_VERSION &&
	    n[STATE_COLS] > 0 && n[STATE_ROWS] > 0 &&
	    n[STATE_SIZE] >= n[STATE_ROWS] && n[STATE_SIZE] <= n[STATE_END] &&
	    n[STATE_TOP] >= n[STATE_ROWS] && n[STATE_TOP] <= n[STATE_SIZE] &&
	    n[STATE_CY] < n[STATE_ROWS] && n[STATE_CX] <= n[STATE_COLS]);
	state_set(c, w, n);
	jump = wire_text_get(r, UTF8_MAX);
	if (jump != NULL)
		memcpy(c->jump_char, jump, strlen(jump) + 1);
	mem_free(jump);
	c->search_text = wire_text_get(r, VT_SEARCH_PATTERN_MAX);
	if (c->search_text != NULL && *c->search_text == '\0') {
		mem_free(c->search_text);
		c->search_text = NULL;
	}
	if (items > STATE_REPEAT)
		c->mode.repeat = (unsigned)pack_get_uint(r, UINT32_MAX);
	for (i = STATE_ITEMS; i < items; i++)
		pack_skip(r);
	return r->err != 0 ? r->err : rd_done(r);
}

/* --- the setup -------------------------------------------------------------- */

/* A setup is an array; a bind is an array: key, repeat, words. */
enum setup_item {
	SETUP_VERSION = 0,
	SETUP_BITS = 1, /* 1 vi keys, 2 searches wrap, 4 line numbers */
	SETUP_SEPARATORS = 2,
	SETUP_POSITION = 3,
	SETUP_STYLES = 4, /* array: fg, bg, ul, attributes of each */
	SETUP_BINDS = 5,
	SETUP_ITEMS = 6,
};

#define SETUP_BIND 2 /* items before the words */

void
copy_setup_fini(struct copy_setup *s)
{
	size_t i;
	unsigned k;

	for (i = 0; i < s->count; i++)
		for (k = 0; k < s->binds[i].count; k++)
			mem_free(s->binds[i].words[k]);
	mem_free(s->binds);
	mem_free(s->separators);
	mem_free(s->position);
	memset(s, 0, sizeof(*s));
}

void
copy_setup_bind(struct copy_setup *s, key_code key, unsigned repeat,
    const char *const *words, size_t count)
{
	struct copy_bind *b;
	size_t i;

	if (s->count == s->cap) {
		s->cap = s->cap * 2 + 16;
		s->binds = mem_resize(s->binds, s->cap, sizeof(*s->binds));
	}
	b = &s->binds[s->count++];
	*b = (struct copy_bind){ .key = key, .repeat = repeat };
	if (count > COPY_WIRE_WORDS_MAX)
		return;
	for (i = 0; i < count; i++)
		b->words[b->count++] = mem_strdup(words[i]);
}

static void
bind_put(const struct copy_bind *k, struct buf *out)
{
	unsigned i;

	pack_put_array(out, k->count == 0 ? 1 : SETUP_BIND + k->count);
	pack_put_uint(out, k->key);
	if (k->count > 0)
		pack_put_uint(out, k->repeat);
	for (i = 0; i < k->count; i++)
		pack_put_cstr(out, k->words[i]);
}

bool
copy_setup_put(const struct copy_setup *s, struct buf *out)
{
	const size_t before = out->len;
	size_t i;

	if (s->count > COPY_WIRE_BINDS_MAX)
		return false;
	pack_put_array(out, SETUP_ITEMS);
	pack_put_uint(out, COPY_WIRE_VERSION);
	pack_put_uint(
	    out, (uint64_t)((s->env.vi ? 1 : 0) | (s->env.wrap_search ? 2 : 0) |
			    s->env.line_numbers << 2));
	pack_put_cstr(out, s->separators);
	pack_put_cstr(out, s->position);
	pack_put_array(out, COPY_STYLES * WIRE_PEN);
	for (i = 0; i < COPY_STYLES; i++)
		wire_pen_put(out, &s->styles[i]);
	pack_put_array(out, (uint32_t)s->count);
	for (i = 0; i < s->count; i++)
		bind_put(&s->binds[i], out);
	return !out->overflow && out->len - before <= COPY_WIRE_SETUP_MAX;
}

static void
styles_get(struct rd *r, struct copy_setup *s)
{
	uint32_t n = pack_get_array(r, 1024), i;
	struct pen p;

	if (r->err == 0 && (n < COPY_STYLES * WIRE_PEN || n % WIRE_PEN != 0))
		rd_fail(r, -ERR_PEER);
	for (i = 0; i < n / WIRE_PEN && r->err == 0; i++) {
		p = wire_pen_get(r);
		if (i < COPY_STYLES)
			s->styles[i] = p;
	}
}

static void
bind_get(struct rd *r, struct copy_setup *s)
{
	char *words[COPY_WIRE_WORDS_MAX] = { NULL };
	uint32_t n = pack_get_array(r, 64), count = 0, i;
	key_code key = pack_get_uint(r, UINT64_MAX);
	unsigned repeat =
	    n < SETUP_BIND ? 1 : (unsigned)pack_get_uint(r, UINT32_MAX);

	if (n == 0)
		rd_fail(r, -ERR_PEER);
	for (i = SETUP_BIND; i < n && r->err == 0; i++)
		if (count < COPY_WIRE_WORDS_MAX)
			words[count++] = wire_text_get(r, COPY_WIRE_TEXT_MAX);
		else
			rd_fail(r, -ERR_PEER);
	if (r->err == 0)
		copy_setup_bind(
		    s, key, repeat, (const char *const *)words, count);
	for (i = 0; i < count; i++)
		mem_free(words[i]);
}

int
copy_setup_get(struct rd *r, struct copy_setup *s)
{
	uint32_t items = pack_get_array(r, 256), n, i;
	uint64_t version, bits;

	version = pack_get_uint(r, UINT32_MAX);
	bits = pack_get_uint(r, UINT32_MAX);
	peer_check(r->err == 0 && items >= SETUP_ITEMS &&
		   version == COPY_WIRE_VERSION);
	s->env.vi = (bits & 1) != 0;
	s->env.wrap_search = (bits & 2) != 0;
	s->env.line_numbers = (unsigned)(bits >> 2) & 7;
	peer_check(s->env.line_numbers <= COPY_MODE_LINE_NUMBERS_HYBRID);
	s->separators = wire_text_get(r, COPY_WIRE_TEXT_MAX);
	s->position = wire_text_get(r, COPY_WIRE_TEXT_MAX);
	styles_get(r, s);
	n = pack_get_array(r, COPY_WIRE_BINDS_MAX);
	for (i = 0; i < n && r->err == 0; i++)
		bind_get(r, s);
	for (i = SETUP_ITEMS; i < items; i++)
		pack_skip(r);
	return r->err != 0 ? r->err : rd_done(r);
}
