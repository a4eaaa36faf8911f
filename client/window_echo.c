#include "client/window_echo.h"

#include "base/mem.h"
#include "client/copy_echo.h"
#include "client/history_copy.h"
#include "client/window_copy.h"
#include "mux/sync/view.h"
#include "mux/view/ask_replay.h"

#define ECHO_GUESSES_MAX 64 /* windows that wait for the server's answer */

struct window_echo {
	struct window_copy *copies;
	const struct history_copy *history;
	struct sync_view *raw;        /* the server's last view, or NULL */
	struct sync_switch_kept kept; /* of RAW or of a view before */
	bool on;
	/* The window in RAW; WINDOW is SYNC_SWITCH_NONE: not known. */
	uint32_t session;
	uint32_t window;
	struct sync_view *lent; /* shown instead of RAW, or NULL */
	uint32_t lent_session;
	uint32_t lent_window;
	mono_ms lent_at;  /* time of its picture */
	bool missed;      /* a window has no picture */
	uint64_t changes; /* of the pictures, when they were last used */
	struct window_echo_stats stats;
	size_t next;
	struct {
		uint64_t index; /* 0: unused */
		uint32_t session;
		uint32_t window;
	} guesses[ECHO_GUESSES_MAX];
};

struct window_echo *
window_echo_new(void)
{
	struct window_echo *e = mem_zalloc(sizeof(*e));

	e->window = SYNC_SWITCH_NONE;
	return e;
}

void
window_echo_free(struct window_echo *e)
{
	if (e == NULL)
		return;
	sync_view_free(e->raw);
	sync_view_free(e->lent);
	sync_switch_kept_fini(&e->kept);
	mem_free(e);
}

void
window_echo_copies(struct window_echo *e, struct window_copy *w)
{
	e->copies = w;
}

void
window_echo_history(struct window_echo *e, const struct history_copy *h)
{
	e->history = h;
}

void
window_echo_stats(const struct window_echo *e, struct window_echo_stats *out)
{
	*out = e->stats;
}

/* --- the replay ------------------------------------------------------------------ */

/* What the inputs in flight lead to. */
struct outcome {
	uint32_t session;
	uint32_t window;
	int64_t index;  /* of the winlink; -1: not known */
	uint64_t input; /* the last one that showed another window; 0: none */
	uint64_t asked; /* the one that opened the prompt ASK; 0: none */
	unsigned ask;
	uint64_t copied; /* the one that opened copy mode; 0: none */
	unsigned copies; /* how: enum sync_switch_copies */
	bool passed;     /* the program got something, and may change */
	struct sync_switch_setup setup;
};

/* Gets the status lines of the window that the replay shows. */
static bool
bar_of(const struct window_echo *e, const struct outcome *o,
    struct sync_switch_bar *bar)
{
	struct sync_view *v = e->raw;
	mono_ms at;
	bool ok;

	if (o->input != 0)
		v = window_copy_view(e->copies, o->session, o->window, &at);
	ok = v != NULL && v->bar != NULL &&
	     sync_switch_get_bar(v->bar->text, v->bar->len, bar) == 0;
	if (v != e->raw)
		sync_view_free(v);
	return ok;
}

/* Replays the wheel over the active pane, with the default WheelUpPane. */
static enum sync_switch_did
wheel(const struct window_echo *e, struct sync_switch_replay *r,
    const struct outcome *o, const struct echo_typed *t)
{
	const struct sync_surface *s = sync_view_find(e->raw, e->raw->focus);
	const struct vt_frame_state *st = s == NULL ? NULL : &s->frame->state;
	const bool opens = st != NULL && s->kind == SYNC_SURFACE_PANE &&
			   st->mouse_mode == VT_MOUSE_OFF &&
			   (st->modes & VT_FRAME_ALTERNATE) == 0;

	/* Panes of a lent window may want the mouse. */
	if (o->input != 0 || (opens && o->passed))
		return SYNC_SWITCH_STOPPED;
	return sync_switch_wheel(r, opens ? t->key : KEY_NONE);
}

static enum sync_switch_did
step(const struct window_echo *e, struct sync_switch_replay *r,
    const struct outcome *o, const struct echo_typed *t)
{
	struct sync_switch_bar bar;

	if (t->is_mouse && t->key != 0)
		return wheel(e, r, o, t);
	if (!t->is_mouse)
		return t->key == 0 ? SYNC_SWITCH_PASSED
				   : sync_switch_key(r, t->key);
	if (!bar_of(e, o, &bar))
		bar = (struct sync_switch_bar){ .w = 0 };
	return sync_switch_mouse(r, &bar, &t->mouse, t->again);
}

/* Replays the inputs after the state of the view; false: there is none. */
static bool
replay(struct window_echo *e, const struct echo_typed *typed, size_t n,
    struct outcome *o)
{
	const struct sync_view *v = e->raw;
	struct sync_switch_replay r;
	enum sync_switch_did did;
	size_t i;

	if (!e->on || e->copies == NULL || v == NULL || v->switches == NULL ||
	    sync_switch_begin(
		&r, v->switches->state, v->switch_setup, &e->kept) != 0)
		return false;
	*o = (struct outcome){ .session = r.at.session,
		.window = r.window,
		.index = r.at.current,
		.setup = r.setup };
	for (i = 0; i < n; i++) {
		if (typed[i].index <= v->switches->seen)
			continue;
		did = step(e, &r, o, &typed[i]);
		if (did == SYNC_SWITCH_ASKED) {
			o->asked = typed[i].index;
			o->ask = r.ask;
		}
		if (did == SYNC_SWITCH_COPIED) {
			o->copied = typed[i].index;
			o->copies = r.copies;
		}
		if (did == SYNC_SWITCH_ASKED || did == SYNC_SWITCH_COPIED ||
		    did == SYNC_SWITCH_STOPPED)
			break;
		o->passed = o->passed || did == SYNC_SWITCH_PASSED;
		/* A press may have chosen another pane. */
		if (typed[i].is_mouse && typed[i].key == 0)
			r.acted = true;
		if (did != SYNC_SWITCH_SHOWS)
			continue;
		o->session = r.at.session;
		o->window = r.window;
		o->index = r.at.session == r.home ? (int64_t)r.at.current : -1;
		o->input = typed[i].index;
	}
	return true;
}

/* --- the view ---------------------------------------------------------------------- */

static void
underline(struct pen *pen, UNUSED void *arg)
{
	pen_set_underline(pen, PEN_UL_SINGLE);
}

/* Underlines the name of the window INDEX, or the first row for -1. */
static void
mark(struct sync_view *v, int64_t index)
{
	struct sync_switch_bar bar;
	struct sync_surface *s;
	struct vt_frame *f;
	size_t i;
	unsigned k;
	int row = 0, from = 0, to;

	if (v->bar == NULL ||
	    sync_switch_get_bar(v->bar->text, v->bar->len, &bar) != 0)
		return;
	to = bar.w;
	for (k = 0; k < bar.n; k++)
		if (index >= 0 && bar.ranges[k].index == (uint64_t)index) {
			row = bar.ranges[k].row;
			from = bar.ranges[k].from;
			to = bar.ranges[k].to;
		}
	for (i = 0; i < v->nsurfaces; i++) {
		s = &v->surfaces[i];
		if (s->kind != SYNC_SURFACE_CHROME || s->x != bar.x ||
		    s->y != bar.y || s->frame->cols != bar.w ||
		    s->frame->rows != bar.h || row >= s->frame->rows ||
		    from >= to || to > s->frame->cols)
			continue;
		f = vt_frame_clone(s->frame);
		vt_line_repen(NULL, vt_frame_own(f, (unsigned)row),
		    (unsigned)from, (unsigned)to, underline, NULL);
		vt_frame_unref(s->frame);
		s->frame = f;
	}
}

/* The keys that the tables take in the window that is shown. */
static void
set_keys(struct sync_view *v, const struct sync_switch_setup *s)
{
	unsigned i;

	v->nkeys = 0;
	for (i = 0; i < SYNC_SWITCH_PREFIXES; i++)
		if (s->prefixes[i] != KEY_NONE)
			v->keys[v->nkeys++] = s->prefixes[i];
	for (i = 0; i < s->nbinds && v->nkeys < SYNC_KEYS_MAX; i++)
		if (!s->binds[i].prefix)
			v->keys[v->nkeys++] = s->binds[i].key;
}

/* Returns RAW with the surfaces of the picture PIC. */
static struct sync_view *
lend(const struct sync_view *raw, const struct sync_view *pic)
{
	struct sync_view *v = sync_view_clone(raw);
	const struct sync_surface *s;
	size_t i;

	sync_view_clear(v);
	for (i = 0; i < pic->nsurfaces; i++) {
		s = &pic->surfaces[i];
		sync_view_add(v, s->id, s->kind, s->x, s->y, s->frame);
	}
	v->focus = pic->focus;
	sync_prompt_unref(v->prompt);
	sync_copy_unref(v->copy);
	vt_str_unref(v->bar);
	v->prompt = NULL;
	v->copy = NULL;
	v->bar = vt_str_ref(pic->bar);
	return v;
}

/* Returns RAW without the panel of keys: the key closes the panel. */
static struct sync_view *
without_panel(const struct sync_view *raw)
{
	struct sync_view *v = sync_view_clone(raw);
	const struct sync_surface *f;
	size_t i;

	sync_view_clear(v);
	for (i = 0; i < raw->nsurfaces; i++) {
		f = &raw->surfaces[i];
		if (f->kind != SYNC_SURFACE_OVERLAY)
			sync_view_add(v, f->id, f->kind, f->x, f->y, f->frame);
	}
	v->nkeys = 0;
	sync_prompt_unref(v->prompt);
	v->prompt = NULL;
	return v;
}

static unsigned
opened(unsigned copies)
{
	return SYNC_COPY_OPENED |
	       ((copies & SYNC_SWITCH_COPIES_UP) != 0 ? SYNC_COPY_OPENED_UP
						      : 0) |
	       ((copies & SYNC_SWITCH_COPIES_EXITS) != 0
		       ? SYNC_COPY_OPENED_EXITS
		       : 0);
}

/* Returns RAW with copy mode over its pane, or NULL if no opening fits. */
static struct sync_view *
lend_copy(const struct window_echo *e, const struct outcome *o)
{
	const struct sync_view *raw = e->raw;
	const struct sync_surface *s = sync_view_find(raw, raw->focus);
	const struct sync_opening *open;
	struct sync_view *v;

	if (e->history == NULL || raw->copy != NULL || s == NULL ||
	    s->kind != SYNC_SURFACE_PANE ||
	    (open = history_copy_opening(
		 e->history, (uint32_t)s->id, s->frame)) == NULL)
		return NULL;
	v = without_panel(raw);
	v->focus = s->id;
	v->copy = sync_copy_new(&(struct sync_copy){
	    .surface = s->id,
	    .seen = o->copied,
	    .state = vt_str_ref(open->state),
	    .screen = vt_frame_ref(s->frame),
	    .opened = opened(o->copies),
	});
	vt_str_unref(v->setup);
	vt_str_unref(v->asks);
	v->setup = vt_str_ref(open->setup);
	v->asks = vt_str_ref(open->asks);
	return v;
}

/* Returns RAW with the prompt that a key has opened; NULL without its line. */
static struct sync_view *
lend_prompt(const struct sync_view *raw, const struct outcome *o)
{
	const struct sync_switch_setup *s = &o->setup;
	const struct sync_switch_ask *a = &s->asks[o->ask];
	const char *bytes = (const char *)s->ask_bytes;
	struct vt_frame *line = sync_switch_ask_line(s, a);
	struct sync_view *v;

	if (line == NULL)
		return NULL;
	v = without_panel(raw);
	sync_view_add(v, ask_surface, SYNC_SURFACE_OVERLAY, a->x, a->y, line);
	vt_frame_unref(line);
	/* No surface takes the one key that ends it. */
	v->focus = a->col == 0 ? 0 : ask_surface;
	if (a->col > 0)
		v->prompt = sync_prompt_new(&(struct sync_prompt){
		    .surface = ask_surface,
		    .x = (uint16_t)a->col,
		    .at = a->text,
		    .seen = o->asked,
		    .text = vt_str_new(bytes + a->at, a->text),
		    .separators = vt_str_new(bytes, s->separators),
		});
	return v;
}

static void
note_guess(struct window_echo *e, const struct outcome *o)
{
	const size_t last = (e->next + ECHO_GUESSES_MAX - 1) % ECHO_GUESSES_MAX;

	if (e->guesses[last].index == o->input)
		return;
	e->guesses[e->next].index = o->input;
	e->guesses[e->next].session = o->session;
	e->guesses[e->next].window = o->window;
	e->next = (e->next + 1) % ECHO_GUESSES_MAX;
	e->stats.shown++;
}

/* Chooses the view to show; returns whether it is of another window. */
static bool
update(struct window_echo *e, mono_ms now, const struct echo_typed *typed,
    size_t n)
{
	const struct sync_view *was = e->lent;
	const uint32_t session = e->lent_session, window = e->lent_window;
	struct sync_view *pic = NULL;
	struct outcome o;

	e->missed = false;
	if (e->copies != NULL)
		e->changes = window_copy_changes(e->copies);
	sync_view_free(e->lent);
	e->lent = NULL;
	if (!replay(e, typed, n, &o))
		return was != NULL;
	if (o.asked != 0 || o.copied != 0) {
		e->lent =
		    o.asked != 0 ? lend_prompt(e->raw, &o) : lend_copy(e, &o);
		e->lent_session = o.session;
		e->lent_window = o.window;
		return (was == NULL) != (e->lent == NULL);
	}
	if (o.input == 0 || (o.session == e->session && o.window == e->window))
		return was != NULL;
	pic = window_copy_view(e->copies, o.session, o.window, &e->lent_at);
	if (pic == NULL || pic->cols != e->raw->cols ||
	    pic->rows != e->raw->rows) {
		e->missed = true;
		sync_view_free(pic);
		return was != NULL;
	}
	e->lent = lend(e->raw, pic);
	sync_view_free(pic);
	set_keys(e->lent, &o.setup);
	if (mono_until(e->lent_at, now) > WINDOW_ECHO_OLD_MS)
		mark(e->lent, o.index);
	e->lent_session = o.session;
	e->lent_window = o.window;
	note_guess(e, &o);
	return was == NULL || session != o.session || window != o.window;
}

/* --- the server's views ---------------------------------------------------------------- */

/* Compares what was shown with the window that the server shows. */
static void
check_guesses(struct window_echo *e, uint64_t seen)
{
	size_t i;

	for (i = 0; i < ECHO_GUESSES_MAX; i++) {
		if (e->guesses[i].index == 0 || e->guesses[i].index > seen)
			continue;
		if (e->guesses[i].index == seen &&
		    (e->guesses[i].session != e->session ||
			e->guesses[i].window != e->window))
			e->stats.wrong++;
		e->guesses[i].index = 0;
	}
}

/* Keeps the last view of a window that the server shows no longer. */
static void
follow(struct window_echo *e, mono_ms now, const struct sync_view *v)
{
	uint32_t session = 0, window = SYNC_SWITCH_NONE;
	struct sync_switch_replay r;

	if (v->switches != NULL && sync_switch_begin(&r, v->switches->state,
				       v->switch_setup, &e->kept) == 0) {
		session = r.at.session;
		window = r.window;
	}
	if (e->window != SYNC_SWITCH_NONE && window != SYNC_SWITCH_NONE &&
	    e->copies != NULL && (session != e->session || window != e->window))
		window_copy_keep(e->copies, now, e->session, e->window, e->raw);
	e->session = session;
	e->window = window;
	if (window != SYNC_SWITCH_NONE)
		check_guesses(e, v->switches->seen);
}

const struct sync_view *
window_echo_view(struct window_echo *e, mono_ms now, const struct sync_view *v,
    const struct echo_typed *typed, size_t n, bool on)
{
	follow(e, now, v);
	sync_view_free(e->raw);
	e->raw = sync_view_clone(v);
	e->on = on;
	(void)update(e, now, typed, n);
	return e->lent != NULL ? e->lent : v;
}

const struct sync_view *
window_echo_typed(struct window_echo *e, mono_ms now,
    const struct echo_typed *typed, size_t n)
{
	if (e->raw == NULL || !update(e, now, typed, n))
		return NULL;
	return e->lent != NULL ? e->lent : e->raw;
}

const struct sync_view *
window_echo_shown(const struct window_echo *e, const struct sync_view *v)
{
	return e->lent != NULL ? e->lent : v;
}

bool
window_echo_waits(const struct window_echo *e)
{
	return (e->missed || e->lent != NULL) && e->copies != NULL &&
	       e->changes != window_copy_changes(e->copies);
}
