#include "mux/view/palette_replay.h"

#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/pack.h"
#include "mux/mode/wire_pen.h"
#include "mux/view/palette_int.h"

#define PALETTE_VERSION 1
#define PALETTE_TEXT_MAX 1024  /* bytes of a text of an item */
#define PALETTE_ROWS_MAX 512   /* rows on the wire */
#define PALETTE_QUERY_MAX 1024 /* bytes of a query that is replayed */
#define PALETTE_NO_ITEM UINT32_MAX

enum palette_rows_item {
	PALETTE_ROWS_VERSION = 0,
	PALETTE_PENS = 1, /* plain, selected, match: four numbers each */
	PALETTE_W = 2,
	PALETTE_H = 3,
	PALETTE_KIND = 4, /* shown alone, plus one */
	PALETTE_SEPARATORS = 5,
	PALETTE_COUNT = 6, /* of all rows */
	PALETTE_FIRST = 7, /* the first row that follows */
	PALETTE_ROWS = 8,  /* [[kind, label, detail, key], ...]; "": none */
	PALETTE_ROWS_ITEMS = 9,
};

enum palette_state_item {
	PALETTE_STATE_VERSION = 0,
	PALETTE_X = 1,
	PALETTE_Y = 2,
	PALETTE_CHOICE = 3,
	PALETTE_TOP = 4,
	PALETTE_QUERY = 5,
	PALETTE_AT = 6, /* its cursor */
	PALETTE_STATE_ITEMS = 7,
};

struct palette_replay {
	struct view_palette *palette;
	struct palette_look look;
	char *separators;
	char *query;              /* that the rows are for */
	bool edited;              /* further rows are not known */
	struct vt_frame *picture; /* of the confirmed state */
};

/* --- writing ------------------------------------------------------------------- */

static void
put_text(struct buf *out, const char *text)
{
	pack_put_cstr(out, text == NULL ? "" : text);
}

/* The rows in sight with a page before and two behind. */
static void
put_rows(const struct view_palette *p, struct buf *out)
{
	const size_t h = (size_t)MAX_OF(palette_list_rows(p), 1);
	const size_t page = p->top / h;
	const size_t from = (page - MIN_OF(page, (size_t)1)) * h;
	const size_t to = MIN_OF((page + 3) * h, p->row_count);
	const struct view_palette_item *it;
	size_t i;

	pack_put_uint(out, from);
	pack_put_array(out, (uint32_t)(to - MIN_OF(from, to)));
	for (i = from; i < to; i++) {
		it = &p->items[p->rows[i].item];
		pack_put_array(out, 4);
		pack_put_uint(out, it->kind);
		put_text(out, it->label);
		put_text(out, it->detail);
		put_text(out, it->key);
	}
}

static void
put_state(
    const struct view_palette *p, const struct prompt_edit *e, struct buf *out)
{
	pack_put_array(out, PALETTE_STATE_ITEMS);
	pack_put_uint(out, PALETTE_VERSION);
	pack_put_uint(out, (uint64_t)MAX_OF(p->x, 0));
	pack_put_uint(out, (uint64_t)MAX_OF(p->y, 0));
	pack_put_uint(out, p->choice);
	pack_put_uint(out, p->top);
	pack_put_str(out, (const char *)e->text.data, e->text.len);
	pack_put_uint(out, e->at);
}

bool
palette_replay_put(const struct view_context *cx, const struct view_palette *p,
    struct buf *rows, struct buf *state)
{
	struct palette_look k = { 0 };

	if (p->w == 0 || p->edit.text.len > PALETTE_QUERY_MAX)
		return false;
	palette_pens(cx, &k);
	pack_put_array(rows, PALETTE_ROWS_ITEMS);
	pack_put_uint(rows, PALETTE_VERSION);
	pack_put_array(rows, 3 * WIRE_PEN);
	wire_pen_put(rows, &k.plain);
	wire_pen_put(rows, &k.selected);
	wire_pen_put(rows, &k.match);
	pack_put_uint(rows, (uint64_t)p->w);
	pack_put_uint(rows, (uint64_t)p->h);
	pack_put_uint(rows, (uint64_t)(p->kind + 1));
	pack_put_cstr(rows, p->edit.separators);
	pack_put_uint(rows, p->row_count);
	put_rows(p, rows);
	put_state(p, &p->edit, state);
	return !rows->overflow && !state->overflow;
}

/* --- reading ------------------------------------------------------------------- */

void
palette_replay_free(struct palette_replay *r)
{
	if (r == NULL)
		return;
	view_palette_free(r->palette);
	vt_frame_unref(r->picture);
	mem_free(r->separators);
	mem_free(r->query);
	mem_free(r);
}

static char *
get_text(struct rd *r)
{
	char *text = wire_text_get(r, PALETTE_TEXT_MAX);

	if (text != NULL && *text == '\0') {
		mem_free(text);
		text = NULL;
	}
	return text;
}

static void
get_row(struct rd *r, struct view_palette *p, size_t row)
{
	struct view_palette_text t = { .id = "" };
	char *label, *detail, *key;
	enum view_palette_kind kind;

	if (pack_get_array(r, 4) != 4)
		rd_fail(r, -ERR_PEER);
	kind = (enum view_palette_kind)pack_get_uint(r, VIEW_PALETTE_KINDS - 1);
	label = wire_text_get(r, PALETTE_TEXT_MAX);
	detail = get_text(r);
	key = get_text(r);
	t.label = label;
	t.detail = detail;
	t.key = key;
	if (r->err == 0) {
		p->rows[row].item = (uint32_t)p->count;
		if (view_palette_add(p, kind, &t) != 0)
			rd_fail(r, -ERR_PEER);
	}
	mem_free(label);
	mem_free(detail);
	mem_free(key);
}

static void
get_list(struct rd *r, struct view_palette *p)
{
	uint64_t first;
	uint32_t n, i;

	p->row_count = (size_t)pack_get_uint(r, VIEW_PALETTE_ITEMS_MAX);
	first = pack_get_uint(r, VIEW_PALETTE_ITEMS_MAX);
	n = pack_get_array(r, PALETTE_ROWS_MAX);
	if (r->err == 0 && (first > p->row_count || n > p->row_count - first))
		rd_fail(r, -ERR_PEER);
	if (r->err != 0)
		return;
	p->rows = mem_calloc(p->row_count + 1, sizeof(*p->rows));
	for (i = 0; i < p->row_count; i++)
		p->rows[i].item = PALETTE_NO_ITEM;
	for (i = 0; i < n && r->err == 0; i++)
		get_row(r, p, (size_t)first + i);
}

static int
get_rows(struct rd *r, struct palette_replay *pr)
{
	struct view_palette *p = pr->palette;
	const uint32_t items = pack_get_array(r, 64);
	uint32_t i;

	if (pack_get_uint(r, UINT32_MAX) != PALETTE_VERSION ||
	    items < PALETTE_ROWS_ITEMS || pack_get_array(r, 64) != 3 * WIRE_PEN)
		rd_fail(r, -ERR_PEER);
	pr->look.plain = wire_pen_get(r);
	pr->look.selected = wire_pen_get(r);
	pr->look.match = wire_pen_get(r);
	p->w = (int)pack_get_uint(r, PALETTE_W_MAX);
	p->h = (int)pack_get_uint(r, PALETTE_H_MAX);
	p->kind = (int)pack_get_uint(r, VIEW_PALETTE_KINDS) - 1;
	pr->separators = wire_text_get(r, PALETTE_TEXT_MAX);
	p->edit.separators = pr->separators;
	get_list(r, p);
	for (i = PALETTE_ROWS_ITEMS; i < items; i++)
		pack_skip(r);
	return rd_done(r);
}

static int
get_state(struct rd *r, struct palette_replay *pr)
{
	struct view_palette *p = pr->palette;
	const uint32_t items = pack_get_array(r, 64);
	const uint64_t version = pack_get_uint(r, UINT32_MAX);
	uint64_t at;
	uint32_t i;

	p->x = (int)pack_get_uint(r, VT_COLS_MAX);
	p->y = (int)pack_get_uint(r, VT_ROWS_MAX);
	p->choice = (size_t)pack_get_uint(r, VIEW_PALETTE_ITEMS_MAX);
	p->top = (size_t)pack_get_uint(r, VIEW_PALETTE_ITEMS_MAX);
	pr->query = wire_text_get(r, PALETTE_QUERY_MAX);
	at = pack_get_uint(r, PALETTE_QUERY_MAX);
	for (i = PALETTE_STATE_ITEMS; i < items; i++)
		pack_skip(r);
	peer_check(r->err == 0 && items >= PALETTE_STATE_ITEMS &&
		   version == PALETTE_VERSION && at <= strlen(pr->query) &&
		   p->choice < MAX_OF(p->row_count, (size_t)1) &&
		   p->top <= p->choice);
	prompt_edit_set(&p->edit, pr->query);
	p->edit.at = (size_t)at;
	return rd_done(r);
}

/* Whether all rows in sight are here. */
static bool
in_sight(const struct view_palette *p)
{
	const size_t h = (size_t)palette_list_rows(p);
	size_t i;

	for (i = p->top; i < p->row_count && i - p->top < h; i++)
		if (p->rows[i].item == PALETTE_NO_ITEM)
			return false;
	return true;
}

int
palette_replay_new(struct palette_replay **out, const struct pick_cfg *cfg)
{
	struct palette_replay *r = mem_zalloc(sizeof(*r));
	struct rd rows, state;
	int e;

	r->palette = view_palette_new("");
	r->look.gt = cfg->graphemes;
	r->picture = vt_frame_ref(cfg->picture);
	rd_init(&rows, cfg->rows, cfg->rows_len);
	rd_init(&state, cfg->state, cfg->state_len);
	if ((e = get_rows(&rows, r)) == 0 && (e = get_state(&state, r)) == 0 &&
	    (r->palette->w < PALETTE_W_MIN ||
		r->palette->h <= PALETTE_FRAME_H ||
		cfg->picture->cols != r->palette->w ||
		cfg->picture->rows != r->palette->h || !in_sight(r->palette)))
		e = -ERR_PEER;
	if (e != 0) {
		palette_replay_free(r);
		r = NULL;
	}
	*out = r;
	return e;
}

/* --- input ------------------------------------------------------------------------ */

/* Goes back if a row in sight is missing now. */
static enum pick_did
settle(struct palette_replay *r, size_t choice, size_t top)
{
	if (in_sight(r->palette))
		return PICK_DONE;
	r->palette->choice = choice;
	r->palette->top = top;
	return PICK_MISSED;
}

static enum pick_did
edit(struct palette_replay *r, key_code key)
{
	switch (palette_edit(r->palette, key)) {
	case PROMPT_EDIT_CHANGED:
		r->edited = true;
		break;
	case PROMPT_EDIT_MOVED:
	case PROMPT_EDIT_NONE:
		break;
	}
	return PICK_DONE;
}

enum pick_did
palette_replay_key(struct palette_replay *r, key_code key)
{
	struct view_palette *p = r->palette;
	const size_t choice = p->choice, top = p->top;
	int by;

	key &= ~(key_code)KEY_LOCKS;
	switch (palette_key_moves(p, key, &by)) {
	case PALETTE_MOVES:
		if (r->edited)
			return PICK_UNKNOWN;
		palette_move(p, by);
		return settle(r, choice, top);
	case PALETTE_ACTS:
		return PICK_SENT;
	case PALETTE_EDITS:
		break;
	}
	return edit(r, key);
}

enum pick_did
palette_replay_mouse(struct palette_replay *r, const struct mouse_event *ev)
{
	struct view_palette *p = r->palette;
	const size_t choice = p->choice, top = p->top;
	enum view_palette_did did;

	/* Motion over the rows, and the wheel, need the rows alone. */
	if (r->edited)
		return PICK_UNKNOWN;
	did = view_palette_mouse(p, ev);
	if (did == VIEW_PALETTE_CHOSEN || did == VIEW_PALETTE_CLOSED)
		return PICK_SENT;
	return settle(r, choice, top);
}

/* --- pictures ----------------------------------------------------------------------- */

/* Restores the upper border where the numbers of rows stand. */
static void
clear_number(const struct palette_replay *r, struct vt_frame *f)
{
	const unsigned w = f->cols, end = w - 2;
	const struct vt_rect edge = { end, 0, w - 1, 1 };
	unsigned x;

	for (x = w / 2; x < end; x++)
		vt_frame_blit(f, x, 0, r->picture, &edge);
}

struct vt_frame *
palette_replay_draw(struct palette_replay *r)
{
	const struct view_palette *p = r->palette;
	struct view_fuzzy words[VIEW_PALETTE_WORDS_MAX];
	struct palette_look k = r->look;
	struct vt_frame *f = vt_frame_clone(r->picture);
	const struct pen border = *vt_line_pen(f->lines[0], f->cols - 2u);

	k.f = f;
	k.words = words;
	k.count = palette_words(r->query, words);
	vt_frame_fill(f,
	    &(struct vt_rect){ 1, PALETTE_LIST_Y, f->cols - 1u, f->rows - 1u },
	    &k.plain);
	palette_draw_rows(&k, p);
	clear_number(r, f);
	palette_draw_number(&k, p, &border);
	return f;
}

struct vt_frame *
palette_replay_query(struct palette_replay *r)
{
	return palette_query_frame(r->look.gt, r->palette, &r->look.plain);
}

bool
palette_replay_edited(const struct palette_replay *r)
{
	return r->edited;
}

void
palette_replay_state(struct palette_replay *r, struct buf *out)
{
	put_state(r->palette, &r->palette->edit, out);
}
