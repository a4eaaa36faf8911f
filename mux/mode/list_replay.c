#include "mux/mode/list_replay.h"

#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "mux/mode/list_int.h"
#include "mux/mode/list_wire.h"

struct list_replay {
	struct mode_list list;
	struct mode_list_ops ops;
	struct mode_host host; /* nothing is asked of it */
	struct list_wire wire;
	const struct grapheme_table *graphemes;
	struct vt_frame *picture;
	uint32_t previewed; /* item that PICTURE previews */
	unsigned height;    /* of the list in PICTURE */
};

static struct list_replay *
replay_of(struct mode_list *l)
{
	return container_of(l, struct list_replay, list);
}

/* --- what the list asks of its chooser ----------------------------------------- */

static char *
replay_text(struct mode_list *l, const struct mode_item *it)
{
	const char *text = replay_of(l)->wire.texts[it - l->items];

	return text == NULL ? NULL : mem_strdup(text);
}

static void
dim(struct pen *pen, UNUSED void *arg)
{
	pen->attrs |= PEN_DIM;
}

/* The preview that the server has drawn, if the box is where it was. */
static void
replay_preview(struct mode_list *l, const struct mode_item *it,
    struct vt_frame *f, const struct vt_rect *r,
    UNUSED const struct mode_paint *paint)
{
	const struct list_replay *lr = replay_of(l);
	unsigned y;

	if (mode_list_height(l, l->rows) != lr->height)
		return;
	vt_frame_blit(f, r->left, r->top, lr->picture, r);
	if ((uint32_t)(it - l->items) == lr->previewed)
		return;
	for (y = r->top; y < r->bottom; y++)
		vt_line_repen(
		    NULL, vt_frame_own(f, y), r->left, r->right, dim, NULL);
}

/* --- life ------------------------------------------------------------------------ */

void
list_replay_free(struct list_replay *r)
{
	if (r == NULL)
		return;
	mode_list_free_items(&r->list);
	mem_free(r->list.filter);
	mem_free(r->list.fuzzy);
	list_wire_fini(&r->wire);
	vt_frame_unref(r->picture);
	mem_free(r);
}

/* Whether all lines in sight are here. */
static bool
in_sight(const struct mode_list *l)
{
	const uint32_t h = mode_list_height(l, l->rows);
	uint32_t i;

	for (i = l->offset; i < l->line_count && i - l->offset < h; i++)
		if (l->lines[i].item == MODE_LIST_NONE)
			return false;
	return l->lines[l->current].item != MODE_LIST_NONE;
}

int
list_replay_new(struct list_replay **out, const struct pick_cfg *cfg)
{
	struct list_replay *r = mem_zalloc(sizeof(*r));
	struct mode_list *l = &r->list;
	struct rd rows, state;
	int e;

	r->graphemes = cfg->graphemes;
	r->picture = vt_frame_ref(cfg->picture);
	rd_init(&rows, cfg->rows, cfg->rows_len);
	rd_init(&state, cfg->state, cfg->state_len);
	e = list_wire_get(&rows, &state, l, &r->wire, &r->ops);
	if (e == 0 && (l->rows != cfg->picture->rows || !in_sight(l)))
		e = -ERR_PEER;
	if (e != 0) {
		list_replay_free(r);
		*out = NULL;
		return e;
	}
	l->host = &r->host;
	r->ops.text = replay_text;
	r->ops.preview = replay_preview;
	r->previewed = l->lines[l->current].item;
	r->height = mode_list_height(l, l->rows);
	*out = r;
	return 0;
}

/* --- keys ------------------------------------------------------------------------ */

/* Parts of the list that a key needs. */
enum need {
	NEED_LINES,  /* those that it comes to show */
	NEED_LEAF,   /* and all below the current item */
	NEED_OPEN,   /* and none below it, unless they are in sight */
	NEED_BRANCH, /* all, and the keys of other lines */
};

static const struct {
	key_code key;
	enum need need;
} known[] = {
	{ KEY_UP, NEED_LINES },
	{ 'k', NEED_LINES },
	{ 'p' | KEY_CTRL, NEED_LINES },
	{ KEY_DOWN, NEED_LINES },
	{ 'j', NEED_LINES },
	{ 'n' | KEY_CTRL, NEED_LINES },
	{ KEY_PPAGE, NEED_LINES },
	{ 'b' | KEY_CTRL, NEED_LINES },
	{ KEY_NPAGE, NEED_LINES },
	{ 'f' | KEY_CTRL, NEED_LINES },
	{ 'g', NEED_LINES },
	{ KEY_HOME, NEED_LINES },
	{ 'G', NEED_LINES },
	{ KEY_END, NEED_LINES },
	{ 'v', NEED_LINES },
	{ KEY_LEFT, NEED_BRANCH },
	{ 'h', NEED_BRANCH },
	{ '-', NEED_BRANCH },
	{ KEY_RIGHT, NEED_OPEN },
	{ 'l', NEED_OPEN },
	{ '+', NEED_OPEN },
	{ '-' | KEY_META, NEED_BRANCH },
	{ '+' | KEY_META, NEED_BRANCH },
	{ 't', NEED_LEAF },
	{ 'T', NEED_LINES },
	{ 't' | KEY_CTRL, NEED_LINES },
};

/* Stores what KEY needs; false: it is not replayed. */
static bool
find_need(key_code key, enum need *need)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(known); i++)
		if (known[i].key == key) {
			*need = known[i].need;
			return true;
		}
	return false;
}

static bool
is_taken(const struct list_replay *r, key_code key)
{
	size_t i;

	for (i = 0; i < r->wire.taken_count; i++)
		if (r->wire.taken[i] == key || r->wire.taken[i] == KEY_ANY)
			return true;
	return false;
}

/* Goes back to what was shown if a line in sight is missing now. */
static enum pick_did
settle(struct list_replay *r, const struct mode_list *before, enum pick_did did)
{
	struct mode_list *l = &r->list;

	mode_list_fresh(l);
	if (in_sight(l))
		return did;
	l->current = before->current;
	l->offset = before->offset;
	l->view = before->view;
	return PICK_MISSED;
}

/* The line of which KEY is the key, or MODE_LIST_NONE. */
static uint32_t
line_of(const struct list_replay *r, key_code key)
{
	const struct mode_list *l = &r->list;
	uint32_t i;

	for (i = 0; i < l->line_count && key != KEY_NONE; i++)
		if (l->lines[i].key == key)
			return i;
	return MODE_LIST_NONE;
}

/* The key of a line chooses it: it is current until the server answers. */
static bool
line_key(struct list_replay *r, key_code key)
{
	const uint32_t line = line_of(r, key);

	if (line == MODE_LIST_NONE)
		return false;
	r->list.current = line;
	return true;
}

/* Whether what KEY needs is here. */
static bool
has(const struct list_replay *r, enum need need)
{
	const struct mode_list *l = &r->list;
	const uint32_t n = l->lines[l->current].item;
	const struct mode_item *it = &l->items[n];
	const bool branch = r->wire.whole && !r->wire.own_keys;

	switch (need) {
	case NEED_LEAF:
		return r->wire.whole || it->end == n + 1;
	case NEED_OPEN:
		return branch || it->flat || it->expanded;
	case NEED_BRANCH:
		/* A list that is narrowed opens its branches again. */
		return branch && l->fuzzy == NULL;
	default:
		return true;
	}
}

const struct list_wire *
list_replay_wire(const struct list_replay *r)
{
	return &r->wire;
}

char *
list_replay_ask(const struct list_replay *r, key_code key, unsigned *ask)
{
	const struct list_wire *w = &r->wire;
	const key_code k = key & ~(key_code)KEY_LOCKS;
	const struct mode_list_ask *a;
	unsigned i;

	*ask = 0;
	if (is_taken(r, k) || line_of(r, k) != MODE_LIST_NONE)
		return NULL;
	for (i = 0; i < w->ask_count; i++) {
		a = &w->asks[i].ask;
		if (!mode_list_ask_has(a, k))
			continue;
		/* Tags of a part are not all known. */
		if ((a->flags & MODE_LIST_ASK_TAGS) != 0 && !w->whole)
			return NULL;
		*ask = i + 1;
		return mode_list_ask_text(
		    a, mode_list_current(&r->list), mode_list_tagged(&r->list));
	}
	return NULL;
}

enum pick_did
list_replay_key(struct list_replay *r, key_code key)
{
	struct mode_list *l = &r->list;
	const struct mode_list before = *l;
	const struct key_event ev = { .key = key & ~(key_code)KEY_LOCKS };
	enum need need;

	if (is_taken(r, ev.key))
		return PICK_SENT;
	if (line_key(r, ev.key))
		return settle(r, &before, PICK_SENT);
	if (!find_need(ev.key, &need) || !has(r, need))
		return PICK_SENT;
	(void)mode_list_key(&l->mode, &ev);
	return settle(r, &before, PICK_DONE);
}

/* The key of the wheel over a pane, for which a table may have a binding. */
static key_code
wheel_key(enum mouse_button button)
{
	return key_mouse(button == MOUSE_WHEEL_UP ? KEY_MOUSE_WHEEL_UP
						  : KEY_MOUSE_WHEEL_DOWN,
	    0, KEY_MOUSE_AT_PANE);
}

enum pick_did
list_replay_mouse(struct list_replay *r, const struct mouse_event *ev)
{
	struct mode_list *l = &r->list;
	const struct mode_list before = *l;
	const unsigned h = mode_list_height(l, l->rows);

	if (ev->x < 0 || ev->x >= r->picture->cols || ev->y < 0 ||
	    ev->y >= r->picture->rows)
		return PICK_UNKNOWN;
	if (ev->action != MOUSE_PRESS)
		return PICK_DONE;
	if ((unsigned)ev->y > h || ev->mods != 0 ||
	    is_taken(r, wheel_key(ev->button)) ||
	    (ev->button != MOUSE_WHEEL_UP && ev->button != MOUSE_WHEEL_DOWN))
		return PICK_UNKNOWN;
	(void)mode_list_mouse(&l->mode, ev);
	return settle(r, &before, PICK_DONE);
}

/* --- drawing ---------------------------------------------------------------------- */

static colour
replay_colour(void *arg, colour c)
{
	const struct list_replay *r = arg;
	const unsigned n = c & 0xffffff;

	if (colour_kind(c) != COLOUR_KIND_THEME)
		return c;
	return n < STYLE_THEME_COUNT ? r->wire.look.theme[n] : COLOUR_DEFAULT;
}

static struct pen
replay_style(void *arg, enum option_id id, const struct pen *base)
{
	const struct list_replay *r = arg;

	switch (id) {
	case OPTION_TREE_MODE_SELECTION_STYLE:
		return r->wire.look.selection;
	case OPTION_TREE_MODE_BORDER_STYLE:
		return r->wire.look.border;
	default:
		return *base;
	}
}

struct vt_frame *
list_replay_draw(struct list_replay *r)
{
	const struct mode_paint paint = {
		.graphemes = r->graphemes,
		.colour = replay_colour,
		.style = replay_style,
		.arg = r,
	};
	struct vt_frame *f = vt_frame_new(r->picture->cols, r->picture->rows);

	f->state.modes &= ~(uint32_t)VT_FRAME_CURSOR_VISIBLE;
	mode_list_draw(&r->list.mode, f, &paint);
	return f;
}

bool
list_replay_unknown(const struct list_replay *r, struct vt_rect *out)
{
	const unsigned h = mode_list_height(&r->list, r->list.rows);

	if (h + 2 >= r->picture->rows || r->picture->cols <= 4)
		return false;
	*out = (struct vt_rect){ 2, h + 1, r->picture->cols - 2u,
		r->picture->rows - 1u };
	return true;
}

void
list_replay_state(
    const struct list_replay *r, const struct list_open *open, struct buf *out)
{
	list_state_put(&r->list, NULL, r->list.count, open, out);
}
