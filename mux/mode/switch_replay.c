#include "mux/mode/switch_replay.h"

#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/pack.h"
#include "mux/mode/switch_int.h"
#include "mux/mode/wire_pen.h"
#include "mux/pane.h"

#define SWITCH_VERSION 1

enum switch_rows_item {
	SWITCH_ROWS_VERSION = 0,
	SWITCH_ROWS_STYLES =
	    1, /* selection, match, message: four numbers each */
	SWITCH_ROWS_THEME = 2, /* colours of the theme */
	SWITCH_ROWS_TAKEN = 3, /* keys that a key table takes */
	SWITCH_ROWS_TEXTS = 4, /* of all items, in the order of their names */
	SWITCH_ROWS_ITEMS = 5,
};

enum switch_list_item {
	SWITCH_LIST_VERSION = 0,
	SWITCH_LIST_ROWS = 1,  /* of the picture */
	SWITCH_LIST_TYPED = 2, /* letters */
	SWITCH_LIST_CURRENT = 3,
	SWITCH_LIST_OFFSET = 4,
	SWITCH_LIST_ITEMS = 5,
};

struct switch_replay {
	struct switcher sw;
	struct switch_look look;
	key_code *taken;
	size_t taken_count;
	uint16_t cols;
	uint16_t rows;
};

bool
mode_is_switch(const struct mode *m)
{
	/* The operations are not changed. */
	return mode_switch_of((struct mode *)(uintptr_t)m) != NULL;
}

/* --- writing ------------------------------------------------------------------- */

static void
put_state(const struct switcher *sw, struct buf *out)
{
	pack_put_array(out, SWITCH_LIST_ITEMS);
	pack_put_uint(out, SWITCH_VERSION);
	pack_put_uint(out, (uint64_t)sw->height);
	pack_put_cstr(out, sw->typed);
	pack_put_uint(out, sw->current);
	pack_put_uint(out, sw->offset);
}

bool
switch_wire_put(struct mode *m, const struct switch_look *look,
    const struct list_taken *taken, struct buf *rows, struct buf *state)
{
	struct switcher *sw = mode_switch_of(m);
	size_t i;

	if (sw->count > SWITCH_WIRE_ITEMS || taken->count > LIST_WIRE_KEYS_MAX)
		return false;
	sw->height = m->pane->h;
	pack_put_array(rows, SWITCH_ROWS_ITEMS);
	pack_put_uint(rows, SWITCH_VERSION);
	pack_put_array(rows, 3 * WIRE_PEN);
	wire_pen_put(rows, &look->selection);
	wire_pen_put(rows, &look->match);
	wire_pen_put(rows, &look->message);
	pack_put_array(rows, STYLE_THEME_COUNT);
	for (i = 0; i < STYLE_THEME_COUNT; i++)
		pack_put_uint(rows, look->theme[i]);
	pack_put_array(rows, (uint32_t)taken->count);
	for (i = 0; i < taken->count; i++)
		pack_put_uint(rows, taken->keys[i]);
	pack_put_array(rows, (uint32_t)sw->count);
	for (i = 0; i < sw->count; i++) {
		if (strlen(sw->items[i].text) > LIST_WIRE_TEXT_MAX)
			return false;
		pack_put_cstr(rows, sw->items[i].text);
	}
	put_state(sw, state);
	return !rows->overflow && rows->len <= SWITCH_WIRE_ROWS_MAX &&
	       !state->overflow;
}

/* --- reading ------------------------------------------------------------------- */

void
switch_replay_free(struct switch_replay *r)
{
	size_t i;

	if (r == NULL)
		return;
	for (i = 0; i < r->sw.count; i++)
		mem_free(r->sw.items[i].text);
	mem_free(r->sw.items);
	mem_free(r->sw.rows);
	mem_free(r->taken);
	mem_free(r);
}

static void
get_texts(struct rd *in, struct switcher *sw)
{
	const uint32_t n = pack_get_array(in, SWITCH_WIRE_ITEMS);
	uint32_t i;

	sw->items = mem_calloc(n + 1, sizeof(*sw->items));
	for (i = 0; i < n && in->err == 0; i++) {
		sw->items[i].text = wire_text_get(in, LIST_WIRE_TEXT_MAX);
		sw->items[i].place = i;
		sw->count = i + 1;
	}
}

static int
get_rows(struct rd *in, struct switch_replay *r)
{
	const uint32_t items = pack_get_array(in, 64);
	uint32_t i;

	if (pack_get_uint(in, UINT32_MAX) != SWITCH_VERSION ||
	    items < SWITCH_ROWS_ITEMS ||
	    pack_get_array(in, 3 * WIRE_PEN) != 3 * WIRE_PEN)
		rd_fail(in, -ERR_PEER);
	r->look.selection = wire_pen_get(in);
	r->look.match = wire_pen_get(in);
	r->look.message = wire_pen_get(in);
	if (pack_get_array(in, STYLE_THEME_COUNT) != STYLE_THEME_COUNT)
		rd_fail(in, -ERR_PEER);
	for (i = 0; i < STYLE_THEME_COUNT; i++)
		r->look.theme[i] = wire_colour_get(in);
	r->taken_count = pack_get_array(in, LIST_WIRE_KEYS_MAX);
	r->taken = mem_calloc(r->taken_count + 1, sizeof(*r->taken));
	for (i = 0; i < r->taken_count; i++)
		r->taken[i] = pack_get_uint(in, UINT64_MAX);
	get_texts(in, &r->sw);
	for (i = SWITCH_ROWS_ITEMS; i < items; i++)
		pack_skip(in);
	return rd_done(in);
}

static int
get_state(struct rd *in, struct switch_replay *r)
{
	const uint32_t items = pack_get_array(in, 64);
	const uint64_t version = pack_get_uint(in, UINT32_MAX);
	const uint64_t rows = pack_get_uint(in, VT_ROWS_MAX);
	char *typed = wire_text_get(in, MODE_SWITCH_TYPED);
	const uint64_t current = pack_get_uint(in, SWITCH_WIRE_ITEMS);
	const uint64_t offset = pack_get_uint(in, SWITCH_WIRE_ITEMS);
	struct switcher *sw = &r->sw;
	uint32_t i;

	for (i = SWITCH_LIST_ITEMS; i < items; i++)
		pack_skip(in);
	if (in->err == 0 && (items < SWITCH_LIST_ITEMS ||
				version != SWITCH_VERSION || rows != r->rows))
		rd_fail(in, -ERR_PEER);
	if (in->err == 0) {
		memcpy(sw->typed, typed, strlen(typed) + 1);
		switch_narrow(sw);
		if (offset > current ||
		    current >= MAX_OF(sw->row_count, (size_t)1))
			rd_fail(in, -ERR_PEER);
		sw->current = (size_t)current;
		sw->offset = (size_t)offset;
	}
	mem_free(typed);
	return rd_done(in);
}

int
switch_replay_new(struct switch_replay **out, const struct pick_cfg *cfg)
{
	struct switch_replay *r = mem_zalloc(sizeof(*r));
	struct rd rows, state;
	int e;

	r->cols = cfg->picture->cols;
	r->rows = cfg->picture->rows;
	r->sw.graphemes = cfg->graphemes;
	r->sw.height = r->rows;
	r->sw.click_row = SIZE_MAX;
	rd_init(&rows, cfg->rows, cfg->rows_len);
	rd_init(&state, cfg->state, cfg->state_len);
	if ((e = get_rows(&rows, r)) != 0 || (e = get_state(&state, r)) != 0) {
		switch_replay_free(r);
		r = NULL;
	}
	*out = r;
	return e;
}

/* --- input and picture ----------------------------------------------------------- */

static bool
is_taken(const struct switch_replay *r, key_code key)
{
	size_t i;

	for (i = 0; i < r->taken_count; i++)
		if (r->taken[i] == key || r->taken[i] == KEY_ANY)
			return true;
	return false;
}

enum pick_did
switch_replay_key(struct switch_replay *r, key_code key)
{
	const key_code k = key & ~(key_code)KEY_LOCKS;

	if (is_taken(r, k) || switch_typed(&r->sw, k) != SWITCH_STAYS)
		return PICK_SENT;
	return PICK_DONE;
}

enum pick_did
switch_replay_mouse(struct switch_replay *r, const struct mouse_event *ev)
{
	const bool up = ev->button == MOUSE_WHEEL_UP;

	if (ev->x < 0 || ev->x >= r->cols || ev->y < 0 || ev->y >= r->rows)
		return PICK_UNKNOWN;
	if (ev->action != MOUSE_PRESS)
		return PICK_DONE;
	if (ev->mods != 0 || (!up && ev->button != MOUSE_WHEEL_DOWN) ||
	    is_taken(
		r, key_mouse(up ? KEY_MOUSE_WHEEL_UP : KEY_MOUSE_WHEEL_DOWN, 0,
		       KEY_MOUSE_AT_PANE)))
		return PICK_UNKNOWN;
	switch_move(&r->sw, up ? -1 : 1, false);
	return PICK_DONE;
}

static colour
replay_colour(void *arg, colour c)
{
	const struct switch_replay *r = arg;
	const unsigned n = c & 0xffffff;

	if (colour_kind(c) != COLOUR_KIND_THEME)
		return c;
	return n < STYLE_THEME_COUNT ? r->look.theme[n] : COLOUR_DEFAULT;
}

static struct pen
replay_style(void *arg, enum option_id id, const struct pen *base)
{
	const struct switch_replay *r = arg;

	switch (id) {
	case OPTION_TREE_MODE_SELECTION_STYLE:
		return r->look.selection;
	case OPTION_SWITCH_MODE_MATCH_STYLE:
		return r->look.match;
	case OPTION_MESSAGE_STYLE:
		return r->look.message;
	default:
		return *base;
	}
}

struct vt_frame *
switch_replay_draw(struct switch_replay *r)
{
	const struct mode_paint paint = {
		.graphemes = r->sw.graphemes,
		.colour = replay_colour,
		.style = replay_style,
		.arg = r,
	};
	struct vt_frame *f = vt_frame_new(r->cols, r->rows);

	f->state.modes &= ~(uint32_t)VT_FRAME_CURSOR_VISIBLE;
	switch_picture(&r->sw, f, &paint);
	return f;
}

void
switch_replay_state(const struct switch_replay *r, struct buf *out)
{
	put_state(&r->sw, out);
}
