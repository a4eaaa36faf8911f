#include "client/local_echo.h"

#include <string.h>

#include "base/mem.h"
#include "client/pick_echo.h"
#include "client/window_echo.h"
#include "mux/sync/prompt_edit.h"
#include "predict/params.h"

#define ECHO_TYPED_MAX 256

/* Within this time two presses may be a double click at the server. */
#define ECHO_AGAIN_MS 600

struct local_echo {
	const struct grapheme_table *gt;
	struct predict *p;
	struct copy_echo *copy;
	struct pick_echo *pick;
	struct window_echo *windows;
	mono_ms pressed_at; /* the last press of a button; 0: none */
	int mode;           /* enum predict_mode or LOCAL_ECHO_SERVER */
	uint64_t focus;     /* surface that has the cursor; 0: none */
	/* The pane in copy mode, if nothing lies over it; else empty. */
	struct vt_rect wheel;
	uint64_t ack; /* newest input in the last view */
	bool off;     /* the view forbids predictions */
	bool stale;
	bool text;  /* the last input is text */
	bool picks; /* the view has a pick */
	bool never; /* the view forbids predictions, or the user's options do */
	size_t ntyped;
	/* Inputs after the last view's ack. */
	struct echo_typed typed[ECHO_TYPED_MAX];
	uint64_t typed_lost; /* newest input that did not fit in TYPED */
	size_t nids;         /* number of surfaces that the predictor knows */
	uint64_t ids[PREDICT_SURFACES_MAX];
	/* The last frame of each surface. */
	struct vt_frame *frames[PREDICT_SURFACES_MAX];
};

int
local_echo_mode(const char *name)
{
	static const char *const names[] = {
		[PREDICT_ADAPTIVE] = "adaptive",
		[PREDICT_ALWAYS] = "always",
		[PREDICT_NEVER] = "never",
		[PREDICT_EXPERIMENTAL] = "experimental",
	};
	size_t i;

	for (i = 0; i < ARRAY_LEN(names); i++)
		if (strcmp(names[i], name) == 0)
			return (int)i;
	return -1;
}

struct local_echo *
local_echo_new(const struct grapheme_table *gt, int mode)
{
	struct local_echo *e = mem_zalloc(sizeof(*e));

	e->gt = gt;
	e->mode = mode;
	e->copy = copy_echo_new(gt);
	e->windows = window_echo_new();
	e->pick = pick_echo_new(gt);
	e->p = predict_new(gt, mode == LOCAL_ECHO_SERVER
				   ? PREDICT_ADAPTIVE
				   : (enum predict_mode)mode);
	return e;
}

static void
echo_forget(struct local_echo *e, size_t i)
{
	predict_forget(e->p, e->ids[i]);
	vt_frame_unref(e->frames[i]);
	e->nids--;
	e->ids[i] = e->ids[e->nids];
	e->frames[i] = e->frames[e->nids];
}

void
local_echo_free(struct local_echo *e)
{
	if (e == NULL)
		return;
	while (e->nids > 0)
		echo_forget(e, e->nids - 1);
	copy_echo_free(e->copy);
	window_echo_free(e->windows);
	pick_echo_free(e->pick);
	predict_free(e->p);
	mem_free_wiped(e, sizeof(*e));
}

void
local_echo_history(struct local_echo *e, const struct history_copy *h)
{
	copy_echo_history(e->copy, h);
	window_echo_history(e->windows, h);
}

void
local_echo_windows(struct local_echo *e, struct window_copy *w)
{
	window_echo_copies(e->windows, w);
}

void
local_echo_link(struct local_echo *e, mono_ms rtt)
{
	if (rtt != MONO_NEVER)
		predict_set_link(e->p, rtt);
}

/* --- the server's prompt -------------------------------------------------- */

static void
echo_typed_drop(struct local_echo *e, uint64_t upto)
{
	size_t n = 0;

	while (n < e->ntyped && e->typed[n].index <= upto)
		n++;
	e->ntyped -= n;
	memmove(e->typed, e->typed + n, e->ntyped * sizeof(e->typed[0]));
	mem_wipe(e->typed + e->ntyped, n * sizeof(e->typed[0]));
}

/* Returns whether EV moves the pointer without a button. */
static bool
echo_hovers(const struct mouse_event *ev)
{
	return ev->action == MOUSE_MOTION && ev->button == MOUSE_NONE;
}

static void
echo_typed_put(struct local_echo *e, const struct echo_typed *t)
{
	/* Of such moves only the last one counts. */
	if (e->ntyped > 0 && t->is_mouse && echo_hovers(&t->mouse) &&
	    e->typed[e->ntyped - 1].is_mouse &&
	    echo_hovers(&e->typed[e->ntyped - 1].mouse))
		e->ntyped--;
	if (e->ntyped == ECHO_TYPED_MAX) {
		echo_typed_drop(e, t->index);
		e->typed_lost = t->index;
		return;
	}
	e->typed[e->ntyped++] = *t;
}

static void
echo_typed_add(struct local_echo *e, key_code key, uint64_t index)
{
	echo_typed_put(e, &(struct echo_typed){ .index = index, .key = key });
}

/*
 * Applies to ED the inputs that P does not contain; returns whether there were
 * any.
 */
static bool
echo_edit(const struct local_echo *e, const struct sync_prompt *p,
    struct prompt_edit *ed)
{
	bool any = false;
	size_t i;

	if (p->seen < e->typed_lost)
		return false;
	for (i = 0; i < e->ntyped; i++) {
		if (e->typed[i].index <= p->seen)
			continue;
		if (e->typed[i].key == 0 ||
		    !prompt_edit_key(ed, e->typed[i].key))
			break;
		any = true;
	}
	return any;
}

/* Returns the prompt's frame F with typed text drawn; a reference. */
static struct vt_frame *
echo_prompt(
    const struct local_echo *e, const struct sync_prompt *p, struct vt_frame *f)
{
	struct prompt_edit ed;
	struct pen text, blank;
	struct vt_line *l;

	if (e->never || p->x + 1u >= f->cols)
		return vt_frame_ref(f);
	prompt_edit_init(&ed, vt_str_text(p->separators));
	prompt_edit_set(&ed, vt_str_text(p->text));
	ed.at = MIN_OF((size_t)p->at, ed.text.len);
	if (!echo_edit(e, p, &ed)) {
		prompt_edit_fini(&ed);
		return vt_frame_ref(f);
	}
	f = vt_frame_clone(f);
	text = *vt_line_pen(f->lines[0], p->x);
	blank = *vt_line_pen(f->lines[0], f->cols - 1u);
	l = vt_frame_own(f, 0);
	vt_line_erase(l, p->x, f->cols, vt_line_style(NULL, l, &blank, NULL));
	prompt_edit_draw(&ed, e->gt, f, p->x, &text);
	prompt_edit_fini(&ed);
	return f;
}

/* --- views ---------------------------------------------------------------- */

static void
echo_mode(struct local_echo *e, const struct sync_view *v)
{
	const uint32_t off =
	    SYNC_TTY_READONLY | SYNC_TTY_PREDICT_OFF | SYNC_TTY_LOCKED;
	int mode = e->mode;

	if (mode == LOCAL_ECHO_SERVER)
		mode = MIN_OF(v->tty.predict, PREDICT_EXPERIMENTAL);
	e->off = (v->tty.flags & off) != 0;
	e->never = e->off || mode == PREDICT_NEVER;
	predict_set_mode(
	    e->p, e->off ? PREDICT_NEVER : (enum predict_mode)mode);
	predict_set_keys(e->p, v->keys, v->nkeys);
}

/*
 * Returns whether S is a prompt of the server and the client knows all its
 * state.
 */
static bool
echo_is_prompt(const struct sync_view *v, const struct sync_surface *s)
{
	return v->prompt != NULL && v->prompt->surface == s->id;
}

/* Returns whether S takes typed text: a pane, or the server's prompt. */
static bool
echo_typed_at(const struct sync_view *v, const struct sync_surface *s)
{
	return !echo_is_prompt(v, s) &&
	       (s->kind == SYNC_SURFACE_PANE || s->id == v->focus);
}

static void
echo_frame(struct local_echo *e, mono_ms now, const struct sync_view *v,
    const struct sync_surface *s)
{
	bool fresh;
	size_t i;

	for (i = 0; i < e->nids; i++)
		if (e->ids[i] == s->id)
			break;
	if (i == PREDICT_SURFACES_MAX)
		return;
	fresh = i == e->nids;
	if (fresh) {
		e->ids[e->nids] = s->id;
		e->frames[e->nids++] = NULL;
	} else if (e->frames[i] == s->frame && e->ack == v->echo_ack)
		return;
	vt_frame_unref(e->frames[i]);
	e->frames[i] = vt_frame_ref(s->frame);
	predict_frame(e->p, now, s->id, s->frame, v->echo_ack);
	/* A prompt of the server. */
	if (fresh && s->kind == SYNC_SURFACE_OVERLAY)
		predict_set_exact(e->p, s->id);
}

/*
 * Returns the part of the client's terminal whose wheel opens or scrolls copy
 * mode.
 */
static struct vt_rect
echo_wheel(const struct sync_view *v)
{
	const struct sync_surface *s, *pane;
	struct vt_rect r = { 0, 0, 0, 0 };

	pane = sync_view_find(v, v->copy == NULL ? v->focus : v->copy->surface);
	if (pane == NULL || pane->kind != SYNC_SURFACE_PANE || pane->x < 0 ||
	    pane->y < 0)
		return r;
	for (s = pane + 1; s < v->surfaces + v->nsurfaces; s++)
		if (s->x < pane->x + pane->frame->cols &&
		    s->x + s->frame->cols > pane->x &&
		    s->y < pane->y + pane->frame->rows &&
		    s->y + s->frame->rows > pane->y)
			return r;
	r.left = (unsigned)pane->x;
	r.top = (unsigned)pane->y;
	r.right = r.left + pane->frame->cols;
	r.bottom = r.top + pane->frame->rows;
	return r;
}

/* Returns the key of a mouse event that copy mode can replay, or 0. */
static key_code
echo_wheel_key(const struct local_echo *e, const struct mouse_event *ev)
{
	if ((ev->button != MOUSE_WHEEL_UP && ev->button != MOUSE_WHEEL_DOWN) ||
	    ev->x < (int)e->wheel.left || ev->x >= (int)e->wheel.right ||
	    ev->y < (int)e->wheel.top || ev->y >= (int)e->wheel.bottom)
		return 0;
	return key_mouse(ev->button == MOUSE_WHEEL_UP ? KEY_MOUSE_WHEEL_UP
						      : KEY_MOUSE_WHEEL_DOWN,
		   0, KEY_MOUSE_AT_PANE) |
	       ev->mods;
}

/* Takes the view that is shown from now on. */
static void
echo_take(
    struct local_echo *e, mono_ms now, const struct sync_view *v, uint64_t last)
{
	const struct sync_surface *s;
	size_t i;

	for (i = e->nids; i-- > 0;) {
		s = sync_view_find(v, e->ids[i]);
		if (s == NULL || !echo_typed_at(v, s))
			echo_forget(e, i);
	}
	for (i = 0; i < v->nsurfaces; i++)
		if (echo_typed_at(v, &v->surfaces[i]))
			echo_frame(e, now, v, &v->surfaces[i]);
	/* The client cannot know which surface gets the inputs in flight. */
	if (v->focus != e->focus)
		predict_other(
		    e->p, now, v->focus, PREDICT_MOUSE, NULL, 0, last);
	e->focus = v->focus;
	e->wheel = echo_wheel(v);
	e->picks = v->pick != NULL;
	e->ack = v->echo_ack;
}

/* Returns whether the client knows all inputs after the state of V's keys. */
static bool
echo_switches(const struct local_echo *e, const struct sync_view *v)
{
	return v->switches != NULL && !e->never &&
	       v->switches->seen >= e->typed_lost;
}

void
local_echo_view(
    struct local_echo *e, mono_ms now, const struct sync_view *v, uint64_t last)
{
	echo_mode(e, v);
	echo_typed_drop(e, v->echo_ack);
	v = window_echo_view(
	    e->windows, now, v, e->typed, e->ntyped, echo_switches(e, v));
	echo_take(e, now, v, last);
}

/* After input INDEX another window may be shown. */
static void
echo_follow(struct local_echo *e, mono_ms now, uint64_t index)
{
	const struct sync_view *v =
	    window_echo_typed(e->windows, now, e->typed, e->ntyped);

	if (v != NULL)
		echo_take(e, now, v, index);
}

/* --- input ---------------------------------------------------------------- */

void
local_echo_text(struct local_echo *e, mono_ms now, uint32_t cp, uint64_t index)
{
	echo_typed_add(e, cp, index);
	predict_text(e->p, now, e->focus, cp, index);
	e->stale = e->text = true;
	echo_follow(e, now, index);
}

void
local_echo_key(struct local_echo *e, mono_ms now, const struct key_event *ev,
    uint64_t index)
{
	if (ev->type != KEY_RELEASE)
		echo_typed_add(e, ev->key & ~(key_code)KEY_LOCKS, index);
	predict_key(e->p, now, e->focus, ev, index);
	e->stale = true;
	e->text = false;
	echo_follow(e, now, index);
}

/* Returns whether EV may be the second press of a double click. */
static bool
echo_again(struct local_echo *e, mono_ms now, const struct mouse_event *ev)
{
	bool again;

	if (ev->action != MOUSE_PRESS || ev->button == MOUSE_WHEEL_UP ||
	    ev->button == MOUSE_WHEEL_DOWN)
		return false;
	again = e->pressed_at != 0 &&
		mono_until(e->pressed_at, now) < ECHO_AGAIN_MS;
	e->pressed_at = now;
	return again;
}

void
local_echo_mouse(struct local_echo *e, mono_ms now,
    const struct mouse_event *ev, uint64_t index)
{
	const bool hovers = echo_hovers(ev);

	/* Moving the pointer without a button moves no cursor. */
	if (hovers && !e->picks)
		return;
	echo_typed_put(e, &(struct echo_typed){ .index = index,
			      .key = echo_wheel_key(e, ev),
			      .is_mouse = true,
			      .again = echo_again(e, now, ev),
			      .mouse = *ev });
	e->stale = true;
	if (hovers)
		return;
	predict_other(e->p, now, e->focus, PREDICT_MOUSE, NULL, 0, index);
	e->text = false;
	echo_follow(e, now, index);
}

void
local_echo_paste(
    struct local_echo *e, mono_ms now, const void *p, size_t n, uint64_t index)
{
	echo_typed_add(e, 0, index);
	predict_other(e->p, now, e->focus, PREDICT_PASTE, p, n, index);
	e->stale = true;
	e->text = false;
}

void
local_echo_resize(struct local_echo *e, mono_ms now, uint64_t index)
{
	echo_typed_add(e, 0, index);
	predict_other(e->p, now, e->focus, PREDICT_RESIZE, NULL, 0, index);
	e->stale = true;
	e->text = false;
}

enum local_echo_shown
local_echo_shown(const struct local_echo *e, mono_ms now)
{
	if (!e->text)
		return LOCAL_ECHO_OTHER;
	return predict_shown(e->p, now, e->focus) ? LOCAL_ECHO_SHOWN
						  : LOCAL_ECHO_HIDDEN;
}

bool
local_echo_stale(const struct local_echo *e)
{
	return e->stale;
}

bool
local_echo_waits(const struct local_echo *e)
{
	return copy_echo_waits(e->copy) || window_echo_waits(e->windows);
}

/* --- drawing -------------------------------------------------------------- */

/* Returns whether the client can replay the keys of copy mode. */
static bool
echo_replays(const struct local_echo *e, const struct sync_view *v)
{
	return v->copy != NULL && !e->never && v->copy->seen >= e->typed_lost;
}

/* Returns the view to show; pictures may have come since the last time. */
static const struct sync_view *
echo_shown_view(struct local_echo *e, mono_ms now, const struct sync_view *v)
{
	if (window_echo_waits(e->windows))
		echo_follow(
		    e, now, e->ntyped == 0 ? 0 : e->typed[e->ntyped - 1].index);
	return window_echo_shown(e->windows, v);
}

/* Returns whether the client can replay what the user picks from. */
static bool
echo_picks(const struct local_echo *e, const struct sync_view *v)
{
	return v->pick != NULL && !e->never && v->pick->seen >= e->typed_lost;
}

/* Returns the picture of surface S of V, or NULL: it is the server's. */
static struct vt_frame *
echo_surface(struct local_echo *e, mono_ms now, const struct sync_view *v,
    const struct sync_surface *s)
{
	struct vt_frame *f;

	if (echo_picks(e, v) && (f = pick_echo_draw(e->pick, s)) != NULL)
		return f;
	if (echo_is_prompt(v, s))
		return echo_prompt(e, v->prompt, s->frame);
	if (echo_replays(e, v) && v->copy->surface == s->id)
		return copy_echo_draw(
		    e->copy, v, s->frame, e->typed, e->ntyped);
	return echo_typed_at(v, s) ? predict_overlay(e->p, now, s->id, s->frame)
				   : NULL;
}

struct sync_view *
local_echo_lend(struct local_echo *e, mono_ms now, const struct sync_view *v)
{
	struct sync_view *out;
	struct vt_frame *f;
	size_t i;

	v = echo_shown_view(e, now, v);
	out = sync_view_clone(v);
	e->stale = false;
	if (!echo_replays(e, v))
		copy_echo_clear(e->copy);
	if (echo_picks(e, v))
		pick_echo_replay(e->pick, v, e->typed, e->ntyped);
	else
		pick_echo_clear(e->pick);
	for (i = 0; i < out->nsurfaces; i++) {
		if ((f = echo_surface(e, now, v, &out->surfaces[i])) == NULL)
			continue;
		vt_frame_unref(out->surfaces[i].frame);
		out->surfaces[i].frame = f;
	}
	if (echo_replays(e, v))
		copy_echo_prompt(e->copy, out);
	if (echo_picks(e, v))
		pick_echo_prompt(e->pick, out);
	return out;
}

const struct sync_view *
local_echo_window(const struct local_echo *e, const struct sync_view *v)
{
	return window_echo_shown(e->windows, v);
}

mono_ms
local_echo_deadline(const struct local_echo *e, mono_ms now)
{
	return e->off ? MONO_NEVER : predict_deadline(e->p, now);
}

void
local_echo_stats(const struct local_echo *e, struct predict_stats *out)
{
	struct copy_echo_stats copy, pick;
	struct window_echo_stats windows;

	predict_get_stats(e->p, out);
	copy_echo_stats(e->copy, &copy);
	pick_echo_stats(e->pick, &pick);
	window_echo_stats(e->windows, &windows);
	out->predicted += copy.shown + pick.shown + windows.shown;
	out->wrong += copy.wrong + pick.wrong + windows.wrong;
	/* Turns of the wheel are predicted, too, and are no keys. */
	out->typed = MAX_OF(out->typed, out->predicted);
}

size_t
local_echo_unanswered(const struct local_echo *e)
{
	return e->ntyped;
}
