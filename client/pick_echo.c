#include "client/pick_echo.h"

#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "mux/sync/tail.h"
#include "mux/view/ask_replay.h"
#include "mux/view/pick.h"

#define ECHO_SHOWN_MAX 64 /* pictures that wait for the server's */

struct pick_echo {
	const struct grapheme_table *gt;
	struct sync_pick *of; /* the confirmed state of the replay; or NULL */
	struct pick *pick;    /* NULL: the state does not decode */
	uint64_t stamp;       /* of its rows */
	bool stopped;         /* no further input is replayed */
	bool sent;            /* the last one waits for the server */
	bool missed;          /* it needs a row that is not here */
	bool moved;           /* the picture is not the server's */
	bool line;            /* the server's has a prompt over it */
	uint64_t done;        /* newest input in the picture */
	struct copy_echo_stats stats;
	size_t next;
	struct {
		uint64_t index; /* 0: unused */
		uint64_t stamp;
		uint64_t hash;
		bool part; /* something in the picture was not known */
		struct vt_rect unknown;
	} shown[ECHO_SHOWN_MAX];
};

struct pick_echo *
pick_echo_new(const struct grapheme_table *gt)
{
	struct pick_echo *e = mem_zalloc(sizeof(*e));

	e->gt = gt;
	return e;
}

void
pick_echo_clear(struct pick_echo *e)
{
	pick_free(e->pick);
	sync_pick_unref(e->of);
	e->pick = NULL;
	e->of = NULL;
	e->stopped = e->sent = e->missed = e->moved = e->line = false;
}

void
pick_echo_free(struct pick_echo *e)
{
	if (e == NULL)
		return;
	pick_echo_clear(e);
	mem_free(e);
}

void
pick_echo_stats(const struct pick_echo *e, struct copy_echo_stats *out)
{
	*out = e->stats;
}

/* --- comparing with the server ------------------------------------------------ */

/* The hash of F without the part R. */
static uint64_t
picture_hash(const struct vt_frame *f, const struct vt_rect *r)
{
	struct vt_frame *g = vt_frame_clone(f);
	struct vt_rect in = *r;
	uint64_t h = 0;
	struct buf b;
	unsigned y;

	in.right = MIN_OF(in.right, (unsigned)g->cols);
	in.bottom = MIN_OF(in.bottom, (unsigned)g->rows);
	if (in.left < in.right && in.top < in.bottom)
		vt_frame_fill(g, &in, NULL);
	buf_init(&b, BUF_MAX);
	for (y = 0; y < g->rows; y++) {
		buf_clear(&b);
		sync_tail_encode(g->lines[y], &b);
		h = str_hash(b.data, b.len, h);
	}
	buf_fini(&b);
	vt_frame_unref(g);
	return h;
}

/* Adds the hash of LINE, the prompt over a picture, to H; NULL: none. */
static uint64_t
line_hash(struct vt_frame *line, uint64_t h)
{
	static const struct vt_rect nothing;
	uint64_t n[2];

	if (line == NULL)
		return h;
	n[0] = picture_hash(line, &nothing);
	n[1] = line->state.x;
	return str_hash(n, sizeof(n), h);
}

static void
note_shown(struct pick_echo *e)
{
	const size_t i = e->next++ % ECHO_SHOWN_MAX;
	struct vt_frame *f = pick_draw(e->pick, e->of->surface), *line;
	int x, y;

	e->stats.shown++;
	e->shown[i].index = e->done;
	e->shown[i].stamp = e->stamp;
	e->shown[i].unknown = (struct vt_rect){ 0, 0, 0, 0 };
	e->shown[i].part =
	    pick_unknown(e->pick, e->of->surface, &e->shown[i].unknown);
	if (!e->shown[i].part)
		e->shown[i].unknown = (struct vt_rect){ 0, 0, 0, 0 };
	line = pick_line(e->pick, &x, &y);
	e->shown[i].hash =
	    line_hash(line, picture_hash(f, &e->shown[i].unknown));
	vt_frame_unref(line);
	vt_frame_unref(f);
}

/* V is the server's after the inputs in e->of, with F as its picture. */
static void
check_shown(
    struct pick_echo *e, const struct sync_view *v, const struct vt_frame *f)
{
	const struct sync_surface *s =
	    e->line ? sync_view_find(v, ask_surface) : NULL;
	struct vt_frame *line = s == NULL ? NULL : s->frame;
	size_t i;

	for (i = 0; i < ECHO_SHOWN_MAX; i++) {
		if (e->shown[i].index == 0 || e->shown[i].index > e->of->seen)
			continue;
		if (e->shown[i].index == e->of->seen &&
		    e->shown[i].stamp == e->stamp &&
		    e->shown[i].hash !=
			line_hash(line, picture_hash(f, &e->shown[i].unknown)))
			e->stats.wrong++;
		e->shown[i].index = 0;
	}
}

/* --- replaying ------------------------------------------------------------------ */

static uint64_t
stamp_of(const struct sync_pick *p)
{
	const uint64_t h = str_hash(&p->kind, sizeof(p->kind), 0);

	return str_hash(
	    vt_str_text(p->rows), p->rows == NULL ? 0 : p->rows->len, h);
}

/* Begins again from the state that the server has confirmed. */
static void
start(struct pick_echo *e, const struct sync_view *v)
{
	const struct sync_surface *s;
	struct vt_frame *line;
	int x, y;

	pick_echo_clear(e);
	e->of = sync_pick_ref(v->pick);
	e->done = v->pick->seen;
	e->stamp = stamp_of(v->pick);
	if (pick_new(&e->pick, v, e->gt) != 0)
		return;
	line = pick_line(e->pick, &x, &y);
	e->line = line != NULL;
	vt_frame_unref(line);
	s = sync_view_find(v, v->pick->surface);
	if (s != NULL)
		check_shown(e, v, s->frame);
}

static enum pick_did
input(struct pick_echo *e, const struct echo_typed *typed)
{
	if (typed->is_mouse)
		return pick_mouse(e->pick, &typed->mouse);
	return typed->key == 0 ? PICK_UNKNOWN : pick_key(e->pick, typed->key);
}

static void
step(struct pick_echo *e, const struct echo_typed *typed)
{
	const enum pick_did did = input(e, typed);

	e->stopped = did != PICK_DONE;
	e->sent = did == PICK_SENT;
	e->missed = did == PICK_MISSED;
	if (did != PICK_DONE && did != PICK_SENT)
		return;
	e->moved = true;
	e->done = typed->index;
	if (did == PICK_DONE)
		note_shown(e);
}

void
pick_echo_replay(struct pick_echo *e, const struct sync_view *v,
    const struct echo_typed *typed, size_t n)
{
	size_t i;

	if (!sync_pick_equal(e->of, v->pick))
		start(e, v);
	for (i = 0; i < n && e->pick != NULL && !e->stopped; i++)
		if (typed[i].index > e->done)
			step(e, &typed[i]);
}

/* Marks a picture that waits for the effect of a key. */
static void
draw_mark(const struct pick_echo *e, struct vt_frame *f)
{
	const char *text = e->missed ? " fetching " : " sent ";
	const struct pen pen = { COLOUR_DEFAULT, COLOUR_DEFAULT, COLOUR_DEFAULT,
		PEN_REVERSE };
	const unsigned n = (unsigned)strlen(text);

	if (f->cols > n)
		(void)vt_frame_text(f, e->gt, f->cols - n, f->rows - 1U,
		    f->cols, text, n, &pen);
}

struct vt_frame *
pick_echo_draw(struct pick_echo *e, const struct sync_surface *s)
{
	struct vt_frame *f;
	uint16_t x, y;

	if (e->pick == NULL || !(e->moved || e->missed) ||
	    !pick_shows(e->pick, s->id))
		return NULL;
	f = pick_draw(e->pick, s->id);
	if (f->cols != s->frame->cols || f->rows != s->frame->rows) {
		vt_frame_unref(f);
		return NULL;
	}
	x = f->state.x;
	y = f->state.y;
	vt_frame_state_copy(&f->state, &s->frame->state);
	f->state.x = x;
	f->state.y = y;
	if ((e->sent || e->missed) && s->id == e->of->surface)
		draw_mark(e, f);
	return f;
}

void
pick_echo_prompt(const struct pick_echo *e, struct sync_view *v)
{
	struct vt_frame *line;
	int x = 0, y = 0;

	if (e->pick == NULL || !e->moved)
		return;
	line = pick_line(e->pick, &x, &y);
	if (line != NULL || e->line)
		echo_show_line(v, line, x, y, e->of->surface);
	vt_frame_unref(line);
}
