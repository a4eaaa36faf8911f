#include "server/face/pager.h"

#include <string.h>

#include "base/mem.h"
#include "mux/client.h"
#include "mux/session.h"
#include "mux/view/pager.h"
#include "mux/vt/grid.h"
#include "mux/vt/term.h"
#include "server/face/viewer.h"

#define PAGER_SAID_MAX ((size_t)16 << 20)
#define PAGER_WHEEL_ROWS 5

/* A terminal of its own wraps the lines and keeps what is above. */
struct pager {
	struct buf said;      /* not shown yet, each line with its end */
	struct vt_term *term; /* NULL: nothing is shown */
	size_t scroll;        /* rows above the end */
	bool fresh;           /* the top is shown at first */
};

void
pager_say(struct viewer *vw, const char *text)
{
	if (vw->pager == NULL) {
		vw->pager = mem_zalloc(sizeof(*vw->pager));
		buf_init(&vw->pager->said, PAGER_SAID_MAX);
	}
	(void)buf_add_str(&vw->pager->said, text);
	(void)buf_add_u8(&vw->pager->said, '\n');
	viewer_dirty(vw);
}

bool
pager_is_open(const struct viewer *vw)
{
	return vw->pager != NULL && vw->pager->term != NULL;
}

void
pager_free(struct viewer *vw)
{
	if (vw->pager == NULL)
		return;
	buf_fini(&vw->pager->said);
	vt_term_free(vw->pager->term);
	mem_free(vw->pager);
	vw->pager = NULL;
}

static size_t
rows_above(const struct pager *pg)
{
	struct vt_grid *g = vt_term_grid(pg->term);

	return (size_t)(vt_grid_screen(g) - vt_grid_first(g));
}

static void
pager_open(struct viewer *vw)
{
	struct vt_term_options opt = {
		.pool = vw->run->pool,
		.graphemes = vw->run->graphemes,
		.cols = (unsigned)vw->client->w,
		.rows = (unsigned)vw->client->h,
		.history_rows = PAGER_ROWS_MAX,
		.history_bytes = PAGER_SAID_MAX * 4,
	};

	vw->pager->term = vt_term_new(&opt);
	vw->pager->fresh = true;
}

void
pager_flush(struct viewer *vw)
{
	struct pager *pg = vw->pager;
	const char *s, *end;
	char *line;

	if (pg == NULL || pg->said.len == 0)
		return;
	s = buf_cstr(&pg->said);
	end = strchr(s, '\n');
	if (pg->term == NULL && end != NULL && end[1] == '\0') {
		line = mem_strndup(s, (size_t)(end - s));
		pager_free(vw);
		if (vw->client->session != NULL)
			viewer_message(vw,
			    (mono_ms)options_number(
				&vw->client->session->options,
				OPTION_DISPLAY_TIME),
			    line);
		mem_free(line);
		return;
	}
	if (pg->term == NULL)
		pager_open(vw);
	else
		vt_term_write(pg->term, "\r\n", 2);
	for (; (end = strchr(s, '\n')) != NULL; s = end + 1) {
		vt_term_write(pg->term, s, (size_t)(end - s));
		if (end[1] != '\0')
			vt_term_write(pg->term, "\r\n", 2);
	}
	buf_clear(&pg->said);
}

/* ROWS up, or down if negative. */
static void
pager_move(struct viewer *vw, int64_t rows)
{
	struct pager *pg = vw->pager;
	int64_t to = (int64_t)pg->scroll + rows;

	pg->scroll = (size_t)CLAMP(to, (int64_t)0, (int64_t)rows_above(pg));
	viewer_dirty(vw);
}

static void
pager_end(struct viewer *vw, UNUSED int64_t rows)
{
	pager_free(vw);
	viewer_dirty(vw);
}

/* Keys of both of tmux's tables; ROWS: a page is PAGE. */
#define PAGE 1000000
#define ALL INT32_MAX

static const struct {
	key_code key;
	void (*fn)(struct viewer *vw, int64_t rows);
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

bool
pager_key(struct viewer *vw, const struct key_event *key)
{
	key_code k = key->key & ~(key_code)KEY_LOCKS;
	int64_t rows;
	size_t i;

	if (!pager_is_open(vw))
		return false;
	for (i = 0; i < ARRAY_LEN(pager_keys); i++) {
		if (pager_keys[i].key != k)
			continue;
		rows = pager_keys[i].rows;
		if (rows == PAGE || rows == -PAGE)
			rows = rows / PAGE *
			       MAX_OF(1,
				   (int64_t)vt_term_rows(vw->pager->term) - 2);
		pager_keys[i].fn(vw, rows);
		return true;
	}
	return false;
}

bool
pager_wheel(struct viewer *vw, const struct mouse_event *ev)
{
	if (!pager_is_open(vw))
		return false;
	if (ev->button == MOUSE_WHEEL_UP)
		pager_move(vw, PAGER_WHEEL_ROWS);
	else if (ev->button == MOUSE_WHEEL_DOWN)
		pager_move(vw, -PAGER_WHEEL_ROWS);
	return true;
}

void
pager_draw(struct viewer *vw, struct sync_view *v)
{
	unsigned cols = (unsigned)vw->client->w;
	int rows = view_area_rows(&vw->builder);
	struct pager *pg = vw->pager;
	struct vt_frame *f;
	size_t above;

	if (!pager_is_open(vw) || rows < 1)
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
	view_pager_add(&vw->builder, v, f, pg->scroll, above);
	vt_frame_unref(f);
}
