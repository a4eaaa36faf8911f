#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "conf/format_draw.h"
#include "conf/match.h"
#include "mux/mode/switch_int.h"

/* Columns of an item's text that are compared. */
#define TEXT_COLS 1000

#define PROMPT "(search) "

/* --- matching ---------------------------------------------------------------- */

static int
by_score(const void *a, const void *b)
{
	const struct switch_item *const *x = a, *const *y = b;

	if ((*x)->score != (*y)->score)
		return (*x)->score > (*y)->score ? -1 : 1;
	return *x < *y ? -1 : *x > *y;
}

/* The text without styles (mem_free). */
static char *
plain_text(const struct switcher *sw, const char *text)
{
	static const struct pen plain;
	struct format_drawn d;
	struct buf b;
	char *out;
	size_t i;

	buf_init(&b, FORMAT_OUTPUT_MAX);
	format_draw(&d, sw->graphemes, &plain, text, strlen(text), TEXT_COLS);
	for (i = 0; i < d.run_count; i++)
		if (!d.runs[i].blank)
			(void)buf_add(&b, d.runs[i].text, d.runs[i].len);
	format_drawn_fini(&d);
	out = mem_strdup(buf_cstr(&b));
	buf_fini(&b);
	return out;
}

/* Finds the items that match and orders them. */
void
switch_narrow(struct switcher *sw)
{
	const struct switch_item **found;
	struct match_fuzzy m;
	size_t i;
	char *text;

	mem_free(sw->rows);
	sw->rows = mem_calloc(sw->count + 1, sizeof(*sw->rows));
	sw->row_count = 0;
	sw->current = sw->offset = 0;
	found = mem_calloc(sw->count + 1, sizeof(*found));
	for (i = 0; i < sw->count; i++) {
		text = plain_text(sw, sw->items[i].text);
		if (match_fuzzy(sw->typed, text, &m)) {
			sw->items[i].score = m.score;
			found[sw->row_count++] = &sw->items[i];
		}
		mem_free(text);
	}
	if (sw->typed[0] != '\0')
		qsort(found, sw->row_count, sizeof(*found), by_score);
	for (i = 0; i < sw->row_count; i++)
		sw->rows[i] = (size_t)(found[i] - sw->items);
	mem_free(found);
}

/* --- drawing ----------------------------------------------------------------- */

/* One row being drawn. */
struct switch_row {
	struct vt_frame *frame;
	const struct mode_paint *paint;
	unsigned y;
	const struct match_fuzzy *match;
	size_t at;   /* bytes of the text drawn so far */
	size_t next; /* of match->pos */
	struct pen marked;
};

/* Draws N bytes in PEN from column X on, with the matched ones marked. */
static void
draw_run(struct switch_row *r, unsigned x, const char *text, size_t n,
    const struct pen *pen)
{
	size_t i = 0, len;
	const struct pen *how;
	uint32_t cp;

	while (i < n) {
		len = utf8_decode_final((const uint8_t *)text + i, n - i, &cp);
		how = pen;
		while (r->next < r->match->count &&
		       r->match->pos[r->next] < r->at + i + len) {
			if (r->match->pos[r->next] >= r->at + i)
				how = &r->marked;
			r->next++;
		}
		x = vt_frame_text(r->frame, r->paint->graphemes, x, r->y,
		    r->frame->cols, text + i, len, how);
		i += len;
	}
	r->at += n;
}

static void
draw_row(const struct switcher *sw, const struct switch_item *it,
    struct vt_frame *f, unsigned y, bool current,
    const struct mode_paint *paint)
{
	static const struct pen plain;
	struct match_fuzzy found = { .score = 0 };
	struct switch_row r = { f, paint, y, &found, 0, 0, plain };
	struct pen base = plain, pen;
	struct format_drawn d;
	char *text = plain_text(sw, it->text);
	size_t i;

	if (sw->typed[0] != '\0')
		(void)match_fuzzy(sw->typed, text, &found);
	mem_free(text);
	r.marked =
	    paint->style(paint->arg, OPTION_SWITCH_MODE_MATCH_STYLE, &plain);
	if (current) {
		base = paint->style(
		    paint->arg, OPTION_TREE_MODE_SELECTION_STYLE, &plain);
		vt_frame_fill(
		    f, &(struct vt_rect){ 0, y, f->cols, y + 1 }, &base);
	}
	format_draw(&d, paint->graphemes, &base, it->text, strlen(it->text),
	    (int)f->cols);
	for (i = 0; i < d.run_count; i++) {
		if (d.runs[i].blank)
			continue;
		pen = current ? base : d.runs[i].pen;
		pen.attrs |= d.runs[i].pen.attrs;
		pen.fg = paint->colour(paint->arg, pen.fg);
		pen.bg = paint->colour(paint->arg, pen.bg);
		draw_run(&r, (unsigned)d.runs[i].x, d.runs[i].text,
		    d.runs[i].len, &pen);
	}
	format_drawn_fini(&d);
}

unsigned
switch_rows(const struct switcher *sw)
{
	return (unsigned)MAX_OF(sw->height - 1, 1);
}

/* The typed text on the last row, with the cursor behind it. */
static void
draw_typed(const struct switcher *sw, struct vt_frame *f,
    const struct mode_paint *paint)
{
	static const struct pen plain;
	const struct pen pen =
	    paint->style(paint->arg, OPTION_MESSAGE_STYLE, &plain);
	const unsigned y = f->rows - 1u;
	unsigned x;

	vt_frame_fill(f, &(struct vt_rect){ 0, y, f->cols, y + 1u }, &pen);
	x = vt_frame_text(
	    f, paint->graphemes, 0, y, f->cols, PROMPT, strlen(PROMPT), &pen);
	x = vt_frame_text(f, paint->graphemes, x, y, f->cols, sw->typed,
	    strlen(sw->typed), &pen);
	f->state.x = (uint16_t)MIN_OF(x, f->cols - 1u);
	f->state.y = (uint16_t)y;
	f->state.modes |= VT_FRAME_CURSOR_VISIBLE;
}

static void
sight(struct switcher *sw)
{
	const size_t h = switch_rows(sw);

	if (sw->current < sw->offset)
		sw->offset = sw->current;
	if (sw->current >= sw->offset + h)
		sw->offset = sw->current - h + 1;
}

void
switch_picture(
    struct switcher *sw, struct vt_frame *f, const struct mode_paint *paint)
{
	const unsigned h = switch_rows(sw);
	unsigned y;

	sight(sw);
	for (y = 0; y < h && y < f->rows && sw->offset + y < sw->row_count; y++)
		draw_row(sw, &sw->items[sw->rows[sw->offset + y]], f, y,
		    sw->offset + y == sw->current, paint);
	draw_typed(sw, f, paint);
}

/* --- keys --------------------------------------------------------------------- */

static void
type(struct switcher *sw, key_code key)
{
	const size_t n = strlen(sw->typed);
	uint8_t text[UTF8_MAX];
	size_t len = utf8_encode((uint32_t)key, text);

	if (n + len > MODE_SWITCH_TYPED)
		return;
	memcpy(sw->typed + n, text, len);
	sw->typed[n + len] = '\0';
	switch_narrow(sw);
}

/* Removes the last character, or all back to a blank. */
static void
rub_out(struct switcher *sw, bool word)
{
	size_t n = strlen(sw->typed);

	if (n == 0)
		return;
	while (word && n > 0 && sw->typed[n - 1] == ' ')
		n--;
	do {
		while (n > 0 && ((unsigned char)sw->typed[--n] & 0xc0) == 0x80)
			;
	} while (word && n > 0 && sw->typed[n - 1] != ' ');
	sw->typed[n] = '\0';
	switch_narrow(sw);
}

void
switch_move(struct switcher *sw, long by, bool wrap)
{
	const long n = (long)sw->row_count;
	long to = (long)sw->current + by;

	if (n == 0)
		return;
	if (wrap)
		to = (to + n) % n;
	sw->current = (size_t)CLAMP(to, 0, n - 1);
}

static bool
key_move(struct switcher *sw, key_code key)
{
	const long page = (long)switch_rows(sw);

	switch (key) {
	case KEY_UP:
	case 'p' | KEY_CTRL:
		switch_move(sw, -1, true);
		return true;
	case KEY_DOWN:
	case 'n' | KEY_CTRL:
		switch_move(sw, 1, true);
		return true;
	case KEY_PPAGE:
		switch_move(sw, -page, false);
		return true;
	case KEY_NPAGE:
		switch_move(sw, page, false);
		return true;
	default:
		return false;
	}
}

enum switch_did
switch_typed(struct switcher *sw, key_code key)
{
	if (key_move(sw, key))
		return SWITCH_STAYS;
	switch (key) {
	case KEY_ENTER:
	case 'm' | KEY_CTRL:
		return SWITCH_CHOOSES;
	case KEY_ESCAPE:
	case '[' | KEY_CTRL:
	case 'c' | KEY_CTRL:
	case 'g' | KEY_CTRL:
		return SWITCH_LEAVES;
	case KEY_BSPACE:
	case 'h' | KEY_CTRL:
		rub_out(sw, false);
		return SWITCH_STAYS;
	case 'w' | KEY_CTRL:
		rub_out(sw, true);
		return SWITCH_STAYS;
	case 'u' | KEY_CTRL:
		sw->typed[0] = '\0';
		switch_narrow(sw);
		return SWITCH_STAYS;
	default:
		if (key >= ' ' && key < KEY_SPECIAL && key != 0x7f)
			type(sw, key);
		return SWITCH_STAYS;
	}
}
