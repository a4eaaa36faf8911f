#include "mux/view/menu_replay.h"

#include "base/err.h"
#include "base/mem.h"
#include "base/pack.h"
#include "mux/sync/frame.h"

#define MENU_VERSION 1
#define MENU_FRAME_MAX (16u << 10) /* bytes of a picture */

enum menu_rows_item {
	MENU_ROWS_VERSION = 0,
	MENU_FLAGS = 1,  /* enum view_menu_flag */
	MENU_KEYS = 2,   /* [kind, key, ...]: 0 a line, 1 off, 2 on */
	MENU_PLAIN = 3,  /* frame diff to nothing: no row is chosen */
	MENU_CHOSEN = 4, /* frame diff to MENU_PLAIN: all rows are */
	MENU_ROWS_ITEMS = 5,
};

enum menu_state_item {
	MENU_STATE_VERSION = 0,
	MENU_CHOICE = 1, /* plus one */
	MENU_X = 2,
	MENU_Y = 3,
	MENU_STATE_ITEMS = 4,
};

enum menu_row_kind {
	MENU_LINE = 0,
	MENU_OFF = 1,
	MENU_ON = 2,
};

struct menu_replay {
	struct view_menu *menu;
	struct vt_frame *plain;
	struct vt_frame *chosen;
};

/* --- writing ------------------------------------------------------------------- */

static bool
put_frame(struct buf *out, const struct vt_frame *old, const struct vt_frame *f)
{
	struct buf b;
	bool ok;

	buf_init(&b, MENU_FRAME_MAX);
	ok = sync_frame_diff(old, f, &b) == 0 && !b.overflow;
	pack_put_bin(out, b.data, b.len);
	buf_fini(&b);
	return ok;
}

static void
put_state(const struct view_menu *m, struct buf *out)
{
	pack_put_array(out, MENU_STATE_ITEMS);
	pack_put_uint(out, MENU_VERSION);
	pack_put_uint(out, (uint64_t)(m->choice + 1));
	pack_put_int(out, m->x);
	pack_put_int(out, m->y);
}

bool
menu_replay_put(const struct view_context *cx, const struct view_menu *m,
    struct buf *rows, struct buf *state)
{
	struct view_menu at = *m;
	struct vt_frame *plain, *chosen;
	bool ok;
	int i;

	/* A copy would have to scroll. */
	if (m->shown < m->count)
		return false;
	at.choice = -1;
	plain = view_menu_frame(cx, &at);
	at.choice = VIEW_MENU_ALL;
	chosen = view_menu_frame(cx, &at);
	pack_put_array(rows, MENU_ROWS_ITEMS);
	pack_put_uint(rows, MENU_VERSION);
	pack_put_uint(rows, m->flags);
	pack_put_array(rows, (uint32_t)m->count * 2);
	for (i = 0; i < m->count; i++) {
		pack_put_uint(rows, m->rows[i].name == NULL ? MENU_LINE
				    : m->rows[i].off        ? MENU_OFF
							    : MENU_ON);
		pack_put_uint(rows, m->rows[i].key);
	}
	ok = put_frame(rows, NULL, plain) && put_frame(rows, plain, chosen) &&
	     !rows->overflow;
	put_state(m, state);
	vt_frame_unref(plain);
	vt_frame_unref(chosen);
	return ok && !state->overflow;
}

/* --- reading ------------------------------------------------------------------- */

void
menu_replay_free(struct menu_replay *r)
{
	if (r == NULL)
		return;
	view_menu_free(r->menu);
	vt_frame_unref(r->plain);
	vt_frame_unref(r->chosen);
	mem_free(r);
}

static struct vt_frame *
get_frame(struct rd *r, const struct vt_frame *old)
{
	struct vt_frame *f = NULL;
	const uint8_t *p;
	size_t len = 0;
	struct rd body;
	int e;

	p = pack_get_bin(r, MENU_FRAME_MAX, &len);
	if (r->err != 0)
		return NULL;
	/* Nothing has changed: a menu without rows that are on. */
	if (len == 0)
		return vt_frame_ref(old);
	rd_init(&body, p, len);
	if ((e = sync_frame_apply(old, &body, &f)) != 0)
		rd_fail(r, e);
	return r->err == 0 ? f : NULL;
}

static void
get_keys(struct rd *r, struct view_menu *m)
{
	const uint32_t n = pack_get_array(r, VIEW_MENU_ROWS_MAX * 2);
	struct view_menu_row *row;
	uint64_t kind;
	uint32_t i;

	if (r->err == 0 && (n == 0 || n % 2 != 0))
		rd_fail(r, -ERR_PEER);
	m->rows = mem_calloc(n / 2 + 1, sizeof(*m->rows));
	for (i = 0; i < n / 2 && r->err == 0; i++) {
		kind = pack_get_uint(r, MENU_ON);
		row = &m->rows[m->count++];
		row->key = pack_get_uint(r, UINT64_MAX);
		row->off = kind == MENU_OFF;
		row->name = kind == MENU_LINE ? NULL : mem_strdup("");
	}
	m->shown = m->count;
}

static int
get_rows(struct rd *r, struct menu_replay *mr)
{
	const uint32_t items = pack_get_array(r, 64);
	struct vt_frame *blank;
	uint32_t i;

	if (pack_get_uint(r, UINT32_MAX) != MENU_VERSION ||
	    items < MENU_ROWS_ITEMS)
		rd_fail(r, -ERR_PEER);
	mr->menu->flags = (unsigned)pack_get_uint(r, UINT32_MAX);
	get_keys(r, mr->menu);
	blank = vt_frame_new(1, 1);
	mr->plain = get_frame(r, blank);
	vt_frame_unref(blank);
	if (mr->plain != NULL)
		mr->chosen = get_frame(r, mr->plain);
	for (i = MENU_ROWS_ITEMS; i < items; i++)
		pack_skip(r);
	return rd_done(r);
}

static int
get_state(struct rd *r, struct view_menu *m)
{
	const uint32_t items = pack_get_array(r, 64);
	const uint64_t version = pack_get_uint(r, UINT32_MAX);
	const int choice = (int)pack_get_uint(r, VIEW_MENU_ROWS_MAX) - 1;
	const int64_t x = pack_get_int(r), y = pack_get_int(r);
	uint32_t i;

	for (i = MENU_STATE_ITEMS; i < items; i++)
		pack_skip(r);
	peer_check(r->err == 0 && items >= MENU_STATE_ITEMS &&
		   version == MENU_VERSION && choice < m->count && x >= 0 &&
		   x <= VT_COLS_MAX && y >= 0 && y <= VT_ROWS_MAX);
	m->choice = choice;
	m->x = (int)x;
	m->y = (int)y;
	return rd_done(r);
}

int
menu_replay_new(struct menu_replay **out, const struct pick_cfg *cfg)
{
	struct menu_replay *r = mem_zalloc(sizeof(*r));
	struct rd rows, state;
	int e;

	r->menu = view_menu_new(cfg->graphemes, "");
	rd_init(&rows, cfg->rows, cfg->rows_len);
	rd_init(&state, cfg->state, cfg->state_len);
	if ((e = get_rows(&rows, r)) == 0 &&
	    (e = get_state(&state, r->menu)) == 0 &&
	    (r->plain->rows != r->menu->count + VIEW_MENU_FRAME_H ||
		r->plain->cols <= VIEW_MENU_FRAME_W ||
		r->chosen->rows != r->plain->rows ||
		r->chosen->cols != r->plain->cols))
		e = -ERR_PEER;
	if (e != 0) {
		menu_replay_free(r);
		*out = NULL;
		return e;
	}
	r->menu->width = r->plain->cols - VIEW_MENU_FRAME_W;
	*out = r;
	return 0;
}

/* --- input and picture ----------------------------------------------------------- */

static enum pick_did
did(enum view_menu_did what)
{
	return what == VIEW_MENU_NOTHING || what == VIEW_MENU_MOVED ? PICK_DONE
								    : PICK_SENT;
}

enum pick_did
menu_replay_key(struct menu_replay *r, key_code key)
{
	return did(view_menu_key(r->menu, key));
}

enum pick_did
menu_replay_mouse(struct menu_replay *r, const struct mouse_event *ev)
{
	return did(view_menu_mouse(r->menu, ev));
}

struct vt_frame *
menu_replay_draw(const struct menu_replay *r)
{
	const int i = r->menu->choice;
	struct vt_frame *f = vt_frame_clone(r->plain);

	if (i >= 0) {
		vt_line_unref(NULL, f->lines[i + 1]);
		f->lines[i + 1] = vt_line_ref(r->chosen->lines[i + 1]);
	}
	return f;
}

void
menu_replay_state(const struct menu_replay *r, struct buf *out)
{
	put_state(r->menu, out);
}
