#include "client/copy_echo.h"

#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "client/history_copy.h"
#include "mux/view/ask_replay.h"

#define ECHO_SHOWN_MAX 64 /* pictures that wait for the server's */

/* Why no further key is replayed. */
enum echo_stop {
	ECHO_GOES_ON,
	ECHO_UNKNOWN,
	ECHO_MISSED,
};

struct copy_echo {
	const struct grapheme_table *gt;
	const struct history_copy *history;
	struct sync_copy *of; /* the confirmed state of the replay; or NULL */
	struct vt_str *setup;
	struct vt_str *asks;
	struct ask_replay *replay; /* NULL: the state does not decode */
	uint32_t pane;
	uint64_t changes; /* of the history, when it was last used */
	enum echo_stop stop;
	uint64_t done;            /* newest input in the picture */
	struct vt_frame *picture; /* after it; NULL: the server's */
	/* The prompt after it, or NULL; of no use without PICTURE. */
	struct vt_frame *line;
	int line_x;
	int line_y;
	struct copy_echo_stats stats;
	size_t next;
	struct {
		uint64_t index; /* 0: unused */
		uint64_t stamp;
		uint64_t hash;
	} shown[ECHO_SHOWN_MAX];
};

struct copy_echo *
copy_echo_new(const struct grapheme_table *gt)
{
	struct copy_echo *e = mem_zalloc(sizeof(*e));

	e->gt = gt;
	return e;
}

void
copy_echo_clear(struct copy_echo *e)
{
	ask_replay_free(e->replay);
	vt_frame_unref(e->picture);
	vt_frame_unref(e->line);
	sync_copy_unref(e->of);
	vt_str_unref(e->setup);
	vt_str_unref(e->asks);
	e->replay = NULL;
	e->picture = NULL;
	e->line = NULL;
	e->asks = NULL;
	e->of = NULL;
	e->setup = NULL;
	e->stop = ECHO_GOES_ON;
}

void
copy_echo_free(struct copy_echo *e)
{
	if (e == NULL)
		return;
	copy_echo_clear(e);
	mem_free(e);
}

void
copy_echo_history(struct copy_echo *e, const struct history_copy *h)
{
	copy_echo_clear(e);
	e->history = h;
}

bool
copy_echo_waits(const struct copy_echo *e)
{
	return e->stop == ECHO_MISSED && e->history != NULL &&
	       e->changes != history_copy_changes(e->history);
}

void
copy_echo_stats(const struct copy_echo *e, struct copy_echo_stats *out)
{
	*out = e->stats;
}

/* --- comparing with the server ----------------------------------------------- */

static void
note_shown(struct copy_echo *e)
{
	const size_t i = e->next++ % ECHO_SHOWN_MAX;

	e->stats.shown++;
	e->shown[i].index = e->done;
	e->shown[i].stamp = copy_replay_stamp(ask_replay_mode(e->replay));
	e->shown[i].hash = sync_opening_screen(e->picture);
}

/* F is the server's picture after the inputs in e->of. */
static void
check_shown(struct copy_echo *e, const struct vt_frame *f)
{
	const uint64_t stamp = copy_replay_stamp(ask_replay_mode(e->replay));
	size_t i;

	for (i = 0; i < ECHO_SHOWN_MAX; i++) {
		if (e->shown[i].index == 0 || e->shown[i].index > e->of->seen)
			continue;
		if (e->shown[i].index == e->of->seen &&
		    e->shown[i].stamp == stamp &&
		    e->shown[i].hash != sync_opening_screen(f))
			e->stats.wrong++;
		e->shown[i].index = 0;
	}
}

/* --- replaying ------------------------------------------------------------------ */

static struct vt_line *
history_row(void *arg, vt_row row)
{
	const struct copy_echo *e = arg;
	const struct sync_tail *t;
	struct vt_line *l;

	t = e->history == NULL ? NULL : history_copy_tail(e->history, e->pane);
	l = t == NULL ? NULL : sync_tail_line(t, row);
	if (l != NULL && (l->flags & SYNC_TAIL_CUT) != 0) {
		vt_line_unref(NULL, l);
		return NULL;
	}
	return l;
}

static uint64_t
history_remade(const struct copy_echo *e)
{
	return e->history == NULL ? SYNC_TAIL_UNSURE
				  : history_copy_remade(e->history, e->pane);
}

/* The client itself has opened the mode: the server's picture is the pane's. */
static void
open_mode(struct copy_echo *e)
{
	static const char *const up = "page-up";
	static const char *const exits = "scroll-exit-on";
	struct copy_replay *mode = ask_replay_mode(e->replay);
	const unsigned opened = e->of->opened;

	if (((opened & SYNC_COPY_OPENED_EXITS) != 0 &&
		copy_replay_run(mode, &exits, 1, 1) != COPY_REPLAY_DONE) ||
	    ((opened & SYNC_COPY_OPENED_UP) != 0 &&
		copy_replay_run(mode, &up, 1, 1) != COPY_REPLAY_DONE))
		e->stop = ECHO_MISSED;
	else if ((e->picture = copy_replay_draw(mode)) == NULL)
		e->stop = ECHO_MISSED;
	else
		note_shown(e);
}

/* Begins again from the state that the server has confirmed. */
static void
start(struct copy_echo *e, const struct sync_view *v)
{
	struct copy_history history = { history_row, e, SYNC_TAIL_UNSURE };
	struct sync_copy *of = sync_copy_ref(v->copy);
	struct vt_str *setup = vt_str_ref(v->setup);
	struct vt_str *asks = vt_str_ref(v->asks);

	copy_echo_clear(e);
	e->of = of;
	e->setup = setup;
	e->asks = asks;
	e->done = of->seen;
	if (copy_replay_pane(vt_str_text(of->state),
		of->state == NULL ? 0 : of->state->len, &e->pane) != 0)
		return;
	history.remade = history_remade(e);
	if (e->history != NULL)
		e->changes = history_copy_changes(e->history);
	if (ask_replay_new(&e->replay, v, e->gt, &history) != 0)
		e->replay = NULL;
	else if (of->opened != 0)
		open_mode(e);
}

/* Uses history that has come, or gone, since the last call. */
static void
follow_history(struct copy_echo *e, const struct sync_view *v)
{
	if (e->history == NULL ||
	    e->changes == history_copy_changes(e->history))
		return;
	if (e->stop == ECHO_MISSED) {
		start(e, v);
		return;
	}
	e->changes = history_copy_changes(e->history);
	copy_replay_history(ask_replay_mode(e->replay), history_remade(e));
}

/* Whether T is a key, or happens over the surface of the mode. */
static bool
is_here(const struct sync_view *v, const struct echo_typed *t)
{
	const struct sync_surface *s = sync_view_find(v, v->copy->surface);

	return !t->is_mouse ||
	       (s != NULL && t->mouse.x >= s->x &&
		   t->mouse.x < s->x + s->frame->cols && t->mouse.y >= s->y &&
		   t->mouse.y < s->y + s->frame->rows);
}

/* Replays one key, and draws the picture after it. */
static void
step(struct copy_echo *e, const struct sync_view *v,
    const struct echo_typed *typed)
{
	struct vt_frame *f;

	if (typed->key == 0 || !is_here(v, typed)) {
		e->stop = ECHO_UNKNOWN;
		return;
	}
	switch (ask_replay_key(e->replay, typed->key)) {
	case COPY_REPLAY_UNKNOWN:
		e->stop = ECHO_UNKNOWN;
		return;
	case COPY_REPLAY_MISSED:
		e->stop = ECHO_MISSED;
		return;
	case COPY_REPLAY_DONE:
		break;
	}
	if ((f = copy_replay_draw(ask_replay_mode(e->replay))) == NULL) {
		e->stop = ECHO_MISSED;
		return;
	}
	vt_frame_unref(e->picture);
	vt_frame_unref(e->line);
	e->picture = f;
	e->line = ask_replay_line(e->replay, e->gt, &e->line_x, &e->line_y);
	e->done = typed->index;
	note_shown(e);
}

/* Marks a picture that waits for history. */
static void
draw_mark(const struct copy_echo *e, struct vt_frame *f)
{
	static const char text[] = " fetching ";
	const struct pen pen = { COLOUR_DEFAULT, COLOUR_DEFAULT, COLOUR_DEFAULT,
		PEN_REVERSE };
	const unsigned n = sizeof(text) - 1;

	if (f->cols > n)
		(void)vt_frame_text(f, e->gt, f->cols - n, f->rows - 1U,
		    f->cols, text, n, &pen);
}

struct vt_frame *
copy_echo_draw(struct copy_echo *e, const struct sync_view *v,
    struct vt_frame *f, const struct echo_typed *typed, size_t n)
{
	struct vt_frame *out;
	uint16_t x, y;
	size_t i;

	if (!sync_copy_equal(e->of, v->copy) ||
	    !vt_str_equal(e->setup, v->setup) ||
	    !vt_str_equal(e->asks, v->asks)) {
		start(e, v);
		if (e->replay != NULL && v->copy->opened == 0)
			check_shown(e, f);
	}
	if (e->replay == NULL)
		return vt_frame_ref(f);
	follow_history(e, v);
	for (i = 0; i < n && e->replay != NULL && e->stop == ECHO_GOES_ON; i++)
		if (typed[i].index > e->done)
			step(e, v, &typed[i]);
	if (e->picture == NULL && e->stop != ECHO_MISSED)
		return vt_frame_ref(f);
	out = vt_frame_clone(e->picture == NULL ? f : e->picture);
	if (out->cols != f->cols || out->rows != f->rows) {
		vt_frame_unref(out);
		return vt_frame_ref(f);
	}
	x = out->state.x;
	y = out->state.y;
	vt_frame_state_copy(&out->state, &f->state);
	out->state.x = x;
	out->state.y = y;
	if (e->stop == ECHO_MISSED)
		draw_mark(e, out);
	return out;
}

void
echo_show_line(
    struct sync_view *v, struct vt_frame *line, int x, int y, uint64_t below)
{
	struct sync_surface *s;
	size_t i;

	for (i = 0; i < v->nsurfaces; i++)
		if (v->surfaces[i].id == ask_surface)
			break;
	s = &v->surfaces[i];
	if (i == v->nsurfaces && line != NULL) {
		sync_view_add(v, ask_surface, SYNC_SURFACE_OVERLAY, x, y, line);
		v->focus = ask_surface;
	} else if (i < v->nsurfaces && line != NULL) {
		vt_frame_unref(s->frame);
		s->frame = vt_frame_ref(line);
	} else if (i < v->nsurfaces) {
		vt_frame_unref(s->frame);
		v->nsurfaces--;
		memmove(s, s + 1, (v->nsurfaces - i) * sizeof(*s));
		v->focus = below;
	}
}

void
copy_echo_prompt(const struct copy_echo *e, struct sync_view *v)
{
	if (e->picture != NULL && (e->line != NULL || e->of->ask > 0))
		echo_show_line(
		    v, e->line, e->line_x, e->line_y, e->of->surface);
}
