#include "server/face/pager.h"

#include <string.h>

#include "base/mem.h"
#include "mux/client.h"
#include "mux/session.h"
#include "mux/view/pager.h"
#include "mux/vt/grid.h"
#include "mux/vt/term.h"
#include "server/face/message.h"
#include "server/face/viewer.h"

#define PAGER_SAID_MAX ((size_t)16 << 20)
#define PAGER_WHEEL_ROWS 5

/* The lines are written to a terminal, which wraps them and has a history. */
struct pager {
	struct overlay over;
	struct buf said;      /* lines not shown yet, each with its newline */
	struct vt_term *term; /* NULL: nothing is shown yet */
	size_t scroll;        /* rows above the end */
	bool fresh;           /* the next draw scrolls to the top */
};

static struct pager *
pager_of(struct overlay *o)
{
	return container_of(o, struct pager, over);
}

static size_t
rows_above(const struct pager *pg)
{
	struct vt_grid *g = vt_term_grid(pg->term);

	return (size_t)(vt_grid_screen(g) - vt_grid_first(g));
}

static void
pager_free(struct overlay *o)
{
	struct pager *pg = pager_of(o);

	buf_fini(&pg->said);
	vt_term_free(pg->term);
	mem_free(pg);
}

/* --- text ----------------------------------------------------------------------- */

static void
pager_open(struct pager *pg)
{
	const struct viewer *vw = pg->over.stack->viewer;
	struct vt_term_options opt = {
		.pool = vw->run->pool,
		.graphemes = vw->run->graphemes,
		.cols = (unsigned)vw->client->w,
		.rows = (unsigned)vw->client->h,
		.history_rows = PAGER_ROWS_MAX,
		.history_bytes = PAGER_SAID_MAX * 4,
	};

	pg->term = vt_term_new(&opt);
	pg->fresh = true;
	pg->over.grab = OVERLAY_GRAB_ALL;
	pg->over.flags |= OVERLAY_COVERS;
}

/* Shows a single line as a message. */
static void
show_line(struct pager *pg, const char *s, size_t n)
{
	struct viewer *vw = pg->over.stack->viewer;
	char *line = mem_strndup(s, n);

	overlay_close(&pg->over);
	if (vw->client->session != NULL)
		message_show(vw,
		    (mono_ms)options_number(
			&vw->client->session->options, OPTION_DISPLAY_TIME),
		    line);
	mem_free(line);
}

/* Shows the collected lines. */
static void
pager_expire(struct overlay *o, UNUSED mono_ms now)
{
	struct pager *pg = pager_of(o);
	const char *s, *end;

	s = buf_cstr(&pg->said);
	end = strchr(s, '\n');
	if (pg->term == NULL && end != NULL && end[1] == '\0') {
		show_line(pg, s, (size_t)(end - s));
		return;
	}
	if (pg->term == NULL)
		pager_open(pg);
	else
		vt_term_write(pg->term, "\r\n", 2);
	for (; (end = strchr(s, '\n')) != NULL; s = end + 1) {
		vt_term_write(pg->term, s, (size_t)(end - s));
		if (end[1] != '\0')
			vt_term_write(pg->term, "\r\n", 2);
	}
	buf_clear(&pg->said);
	overlay_dirty(o);
}

/* --- keys ----------------------------------------------------------------------- */

/* Scrolls ROWS up, or down if negative. */
static void
pager_move(struct pager *pg, int64_t rows)
{
	int64_t to = (int64_t)pg->scroll + rows;

	pg->scroll = (size_t)CLAMP(to, (int64_t)0, (int64_t)rows_above(pg));
	overlay_dirty(&pg->over);
}

static void
pager_end(struct pager *pg, UNUSED int64_t rows)
{
	overlay_close(&pg->over);
}

/* Keys of tmux's copy-mode and copy-mode-vi tables; PAGE: a page of rows. */
#define PAGE 1000000
#define ALL INT32_MAX

static const struct {
	key_code key;
	void (*fn)(struct pager *pg, int64_t rows);
	int64_t rows;
} pager_keys[] = {
	{ 'q', pager_end, 0 },
	{ 'Q', pager_end, 0 },
	{ 'c' | KEY_CTRL, pager_end, 0 },
	{ 'g' | KEY_CTRL, pager_end, 0 },
	{ KEY_ESCAPE, pager_end, 0 },
	{ KEY_ENTER, pager_end, 0 },
	{ KEY_UP, pager_move, 1 },
	{ 'k', pager_move, 1 },
	{ 'p' | KEY_CTRL, pager_move, 1 },
	{ KEY_DOWN, pager_move, -1 },
	{ 'j', pager_move, -1 },
	{ 'n' | KEY_CTRL, pager_move, -1 },
	{ KEY_PPAGE, pager_move, PAGE },
	{ 'v' | KEY_META, pager_move, PAGE },
	{ 'b', pager_move, PAGE },
	{ KEY_NPAGE, pager_move, -PAGE },
	{ 'v' | KEY_CTRL, pager_move, -PAGE },
	{ 'f', pager_move, -PAGE },
	{ ' ', pager_move, -PAGE },
	{ KEY_HOME, pager_move, ALL },
	{ 'g', pager_move, ALL },
	{ '<' | KEY_META, pager_move, ALL },
	{ KEY_END, pager_move, -ALL },
	{ 'G', pager_move, -ALL },
	{ '>' | KEY_META, pager_move, -ALL },
};

static enum overlay_did
pager_key(struct overlay *o, const struct key_event *key)
{
	struct pager *pg = pager_of(o);
	key_code k = key->key & ~(key_code)KEY_LOCKS;
	int64_t rows;
	size_t i;

	/* After a prefix the key belongs to the key table. */
	if (pg->term == NULL || o->stack->viewer->client->table != NULL)
		return OVERLAY_PASSED;
	for (i = 0; i < ARRAY_LEN(pager_keys); i++) {
		if (pager_keys[i].key != k)
			continue;
		rows = pager_keys[i].rows;
		if (rows == PAGE || rows == -PAGE)
			rows = rows / PAGE *
			       MAX_OF(1, (int64_t)vt_term_rows(pg->term) - 2);
		pager_keys[i].fn(pg, rows);
		return OVERLAY_TAKEN;
	}
	return OVERLAY_PASSED;
}

static enum overlay_did
pager_mouse(struct overlay *o, const struct mouse_event *ev)
{
	struct pager *pg = pager_of(o);

	if (pg->term == NULL)
		return OVERLAY_PASSED;
	if (ev->button == MOUSE_WHEEL_UP)
		pager_move(pg, PAGER_WHEEL_ROWS);
	else if (ev->button == MOUSE_WHEEL_DOWN)
		pager_move(pg, -PAGER_WHEEL_ROWS);
	return OVERLAY_TAKEN;
}

/* --- drawing -------------------------------------------------------------------- */

static void
pager_draw(struct overlay *o, struct view_builder *b, struct sync_view *v)
{
	struct pager *pg = pager_of(o);
	unsigned cols = (unsigned)MAX_OF(b->area.w, 1);
	int rows = b->area.h;
	struct vt_frame *f;
	size_t above;

	if (pg->term == NULL || rows < 1)
		return;
	if (vt_term_cols(pg->term) != cols ||
	    vt_term_rows(pg->term) != (unsigned)rows)
		vt_term_resize(pg->term, cols, (unsigned)rows);
	above = rows_above(pg);
	if (pg->fresh)
		pg->scroll = above;
	pg->fresh = false;
	pg->scroll = MIN_OF(pg->scroll, above);
	f = vt_term_frame(pg->term, pg->scroll);
	view_pager_add(b, v, f, pg->scroll, above);
	vt_frame_unref(f);
}

static const struct overlay_ops pager_ops = {
	.name = "pager",
	.z = OVERLAY_PAGER,
	.layer = VIEW_LAYER_TOP,
	.draw = pager_draw,
	.key = pager_key,
	.mouse = pager_mouse,
	.expire = pager_expire,
	.close = pager_free,
};

void
pager_say(struct viewer *vw, const char *text)
{
	struct overlay *o = overlays_find(&vw->overlays, &pager_ops);
	struct pager *pg;

	if (o == NULL) {
		pg = mem_zalloc(sizeof(*pg));
		buf_init(&pg->said, PAGER_SAID_MAX);
		o = &pg->over;
		overlay_open(&vw->overlays, o, &pager_ops);
	}
	pg = pager_of(o);
	(void)buf_add_str(&pg->said, text);
	(void)buf_add_u8(&pg->said, '\n');
	overlay_set_due(o, loop_now(vw->run->loop));
}
