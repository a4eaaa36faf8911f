/*
 * Switching windows over a link with delay and loss, in virtual time: what share
 * of the keys shows the right window at once, and whether a wrong one is shown.
 *
 * The server's side is a session of the model, whose views and pictures travel as
 * differences; the client's is window_echo with its pictures.  A second session
 * with the same windows is the truth: it gets each key at once.
 */
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "client/copy_echo.h"
#include "client/window_copy.h"
#include "client/window_echo.h"
#include "mux/session.h"
#include "mux/sync/window.h"
#include "regress/chance.h"
#include "regress/unit/mux_util.h"
#include "regress/unit/unit.h"

#define COLS 60
#define ROWS 6
#define NAME 4 /* columns of a window's name in the status line */
#define INPUTS_MAX 4096
#define PREFIX (KEY_CTRL | (key_code)'b')
#define SESSION 1

struct link {
	unsigned rtt;
	unsigned loss; /* per cent, each way */
	mono_ms cut;   /* the link is cut for so long, every 20 s */
	unsigned windows;
	unsigned held;   /* pictures that the server sends */
	unsigned output; /* a window changes so many times a minute */
	bool alone;      /* nobody else selects windows */
};

struct result {
	unsigned long switches, right, wrong, kept;
	/*
	 * Switches that were late: by a command only the server knows; typed
	 * before such a command was answered; for other reasons.
	 */
	unsigned long asked, behind, other;
};

/* Something that arrives at the client. */
struct packet {
	mono_ms at;
	struct sync_view *view; /* or NULL: a side message */
	uint8_t *side;
	size_t len;
};

struct input {
	key_code key; /* 0: a click at X */
	int x;
	mono_ms reach;
};

/* A session and the state of its key tables. */
struct place {
	struct session *s;
	bool prefix;
};

struct world {
	const struct link *link;
	uint64_t random;
	mono_ms now;
	struct mux *m;
	struct place there; /* the server's */
	struct place truth;
	unsigned version[SYNC_SWITCH_LINKS_MAX]; /* of a window's text */
	struct window_copy *copies;
	struct window_echo *echo;
	struct echo_typed log[INPUTS_MAX];
	struct sync_view *sent;
	struct sync_view *view;
	struct packet packets[INPUTS_MAX];
	size_t npackets, received;
	struct sync_view *pictures[SYNC_SWITCH_LINKS_MAX];
	struct input inputs[INPUTS_MAX];
	int shows[INPUTS_MAX + 1]; /* index in the truth after so many inputs */
	uint64_t unknown; /* newest input whose effect only the server knows */
	size_t typed, arrived;
	uint64_t looked; /* newest input of the server's tables */
	struct result *out;
};

/* --- the sessions ------------------------------------------------------------------ */

static void
place_init(struct world *w, struct place *p, const char *name)
{
	unsigned i;

	p->s = mux_util_session(w->m, name);
	for (i = 1; i < w->link->windows; i++)
		(void)mux_util_window(p->s, (int)i, "w");
	p->prefix = false;
}

/* What the key tables of this test do; returns whether they took the input. */
static bool
handle(struct place *p, const struct input *in)
{
	struct winlink *wl = NULL;
	int index = -1;

	if (in->key == 0)
		index = in->x / NAME;
	else if (in->key == PREFIX && !p->prefix) {
		p->prefix = true;
		return true;
	} else if (!p->prefix)
		return false;
	p->prefix = false;
	if (in->key == 'n')
		(void)session_next(p->s, false);
	else if (in->key == 'p')
		(void)session_previous(p->s, false);
	else if (in->key == 'l')
		(void)session_last(p->s);
	else if (in->key >= '0' && in->key <= '9')
		index = (int)(in->key - '0');
	else if (in->key == 'f') /* another command of the server */
		(void)session_select(session_first_link(p->s));
	if (index >= 0 && (wl = session_link_at(p->s, index)) != NULL)
		(void)session_select(wl);
	return true;
}

/* --- views ------------------------------------------------------------------------- */

static void
add_text(const struct world *w, struct sync_view *v, uint64_t id,
    enum sync_surface_kind kind, int y, unsigned rows, const char *text)
{
	static const struct pen plain;
	struct vt_frame *f = vt_frame_new(COLS, rows);

	(void)vt_frame_text(
	    f, w->m->setup.graphemes, 0, 0, COLS, text, strlen(text), &plain);
	sync_view_add(v, id, kind, 0, y, f);
	vt_frame_unref(f);
}

static struct vt_str *
bytes(const struct buf *b)
{
	ck_assert(!b->overflow);
	return vt_str_new((const char *)b->data, b->len);
}

/* The surfaces of a window, and the names in its status line. */
static void
draw(const struct world *w, struct sync_view *v, unsigned index)
{
	struct sync_switch_bar bar = { 0, ROWS - 1, COLS, 1, 0, { { 0 } } };
	char text[64];
	struct buf b;
	unsigned i;

	(void)snprintf(
	    text, sizeof(text), "window %u, %u", index, w->version[index]);
	add_text(w, v, 100 + index, SYNC_SURFACE_PANE, 0, ROWS - 1, text);
	(void)snprintf(text, sizeof(text), "status of %u", index);
	add_text(w, v, 1, SYNC_SURFACE_CHROME, ROWS - 1, 1, text);
	v->focus = 100 + index;
	for (i = 0; i < w->link->windows; i++)
		bar.ranges[bar.n++] = (struct sync_switch_range){ 0,
			(int)i * NAME, (int)(i + 1) * NAME, i };
	buf_init(&b, BUF_MAX);
	ck_assert(sync_switch_put_bar(&b, &bar));
	vt_str_unref(v->bar);
	v->bar = bytes(&b);
	buf_fini(&b);
}

static void
bind(struct sync_switch_setup *s, key_code key, enum sync_switch_act act,
    uint32_t arg)
{
	s->binds[s->nbinds++] = (struct sync_switch_bind){ !key_is_mouse(key),
		false, act, arg, key };
}

static struct vt_str *
setup_new(const struct world *w)
{
	struct sync_switch_setup s = { .prefixes = { PREFIX, KEY_NONE } };
	struct list_node *n;
	struct winlink *wl;
	struct vt_str *text;
	struct buf b;
	uint32_t i;

	bind(&s, 'n', SYNC_SWITCH_NEXT, 0);
	bind(&s, 'p', SYNC_SWITCH_PREVIOUS, 0);
	bind(&s, 'l', SYNC_SWITCH_LAST, 0);
	bind(&s, 'z', SYNC_SWITCH_STAYS, 0);
	for (i = 0; i < 10; i++)
		bind(&s, '0' + i, SYNC_SWITCH_SELECT, i);
	bind(&s, key_mouse(KEY_MOUSE_DOWN, 1, KEY_MOUSE_AT_STATUS),
	    SYNC_SWITCH_CLICKED, 0);
	SESSION_FOREACH_LINK(wl, n, w->there.s)
	s.links[s.nlinks++] = (struct sync_switch_link){ (uint32_t)wl->index,
		100 + (uint32_t)wl->index };
	buf_init(&b, BUF_MAX);
	ck_assert(sync_switch_put_setup(&b, &s));
	text = bytes(&b);
	buf_fini(&b);
	return text;
}

static struct sync_switch *
state_new(const struct world *w)
{
	struct sync_switch_state st = { .prefix = w->there.prefix,
		.session = SESSION,
		.last_session = SYNC_SWITCH_NONE,
		.current = (uint32_t)w->there.s->current->index };
	struct sync_switch *sw;
	struct list_node *n;
	struct buf b;

	LIST_FOREACH(n, &w->there.s->last_links)
		st.last[st.nlast++] =
		    (uint32_t)container_of(n, struct winlink, last_node)->index;
	buf_init(&b, BUF_MAX);
	ck_assert(sync_switch_put_state(&b, &st));
	sw = sync_switch_new(w->looked, bytes(&b));
	buf_fini(&b);
	return sw;
}

/* The server's view after all inputs that have arrived. */
static struct sync_view *
view_new(struct world *w)
{
	struct sync_view *v = sync_view_new(COLS, ROWS);

	draw(w, v, (unsigned)w->there.s->current->index);
	v->echo_ack = w->arrived;
	v->tty.predict = 1;
	v->keys[0] = w->there.prefix ? KEY_ANY : PREFIX;
	v->nkeys = 1;
	v->switch_setup = setup_new(w);
	v->switches = state_new(w);
	return v;
}

/* --- the link ---------------------------------------------------------------------- */

/* The time at which something sent now arrives. */
static mono_ms
arrival(struct world *w)
{
	mono_ms at = w->now + w->link->rtt / 2 + chance_below(&w->random, 20);

	while (chance_below(&w->random, 100) < w->link->loss)
		at += MAX_OF(w->link->rtt, 50u);
	if (w->link->cut > 0 && at % 20000 < w->link->cut)
		at += w->link->cut - at % 20000;
	return at;
}

static struct packet *
packet_new(struct world *w)
{
	struct packet *k = &w->packets[w->npackets++];

	ck_assert_uint_lt(w->npackets, INPUTS_MAX);
	memset(k, 0, sizeof(*k));
	k->at = arrival(w);
	if (w->npackets > 1)
		k->at = MAX_OF(k->at, k[-1].at);
	return k;
}

static void
send_view(struct world *w)
{
	struct sync_view *v = view_new(w), *far = sync_view_clone(w->sent);
	struct buf b;

	buf_init(&b, SYNC_VIEW_BYTES_MAX);
	ck_assert_int_eq(sync_view_ops.diff(w->sent, v, &b), 0);
	ck_assert_int_eq(sync_view_ops.apply(far, b.data, b.len), 0);
	ck_assert(sync_view_equal(far, v));
	buf_fini(&b);
	packet_new(w)->view = far;
	sync_view_free(w->sent);
	w->sent = v;
}

/* Sends the picture of a window if it has changed. */
static void
send_picture(struct world *w, unsigned index)
{
	struct sync_view *v = sync_view_new(COLS, ROWS), *empty;
	struct sync_window_item it = { .session = SESSION,
		.window = 100 + index };
	struct buf diff, whole, raw;
	struct packet *k;

	draw(w, v, index);
	if (w->pictures[index] != NULL &&
	    sync_view_equal(v, w->pictures[index])) {
		sync_view_free(v);
		return;
	}
	empty = sync_view_new(0, 0);
	if (w->pictures[index] == NULL)
		it.flags = SYNC_WINDOW_NEW;
	buf_init(&diff, BUF_MAX);
	buf_init(&whole, BUF_MAX);
	buf_init(&raw, BUF_MAX);
	ck_assert_int_eq(
	    sync_view_ops.diff(
		it.flags != 0 ? empty : w->pictures[index], v, &diff),
	    0);
	ck_assert_int_eq(sync_view_ops.save(v, &whole), 0);
	it.hash = sync_window_hash(&whole);
	it.diff = diff.data;
	it.len = diff.len;
	buf_clear(&whole);
	sync_window_put_item(&whole, &it);
	sync_window_put_head(&raw, 0, (uint32_t)whole.len);
	(void)buf_add(&raw, whole.data, whole.len);
	k = packet_new(w);
	k->side = mem_dup(raw.data, raw.len);
	k->len = raw.len;
	sync_view_free(empty);
	sync_view_free(w->pictures[index]);
	w->pictures[index] = v;
	buf_fini(&diff);
	buf_fini(&whole);
	buf_fini(&raw);
}

static void
receive(struct world *w)
{
	struct packet *k;

	while (
	    w->received < w->npackets && w->packets[w->received].at <= w->now) {
		k = &w->packets[w->received++];
		if (k->view != NULL) {
			sync_view_free(w->view);
			w->view = k->view;
			(void)window_echo_view(w->echo, w->now, w->view,
			    w->log + w->view->echo_ack,
			    w->typed - w->view->echo_ack, true);
			continue;
		}
		ck_assert(window_copy_wants(k->side, k->len));
		ck_assert_int_eq(
		    window_copy_message(w->copies, w->now, k->side, k->len), 0);
		mem_free(k->side);
	}
}

/* --- the client --------------------------------------------------------------------- */

/* Returns the index of the window on the client's screen. */
static int
shown(struct world *w)
{
	const struct sync_view *v;
	int index = -1;
	size_t i;

	/* As the client does when pictures come. */
	if (window_echo_waits(w->echo))
		(void)window_echo_typed(w->echo, w->now,
		    w->log + w->view->echo_ack, w->typed - w->view->echo_ack);
	v = window_echo_shown(w->echo, w->view);
	for (i = 0; i < v->nsurfaces; i++)
		if (v->surfaces[i].kind == SYNC_SURFACE_PANE) {
			ck_assert_int_eq(index, -1);
			ck_assert_uint_eq(v->focus, v->surfaces[i].id);
			index = (int)v->surfaces[i].id - 100;
		}
	return index;
}

/* Counts a window that no input so far has shown. */
static void
look(struct world *w)
{
	const int index = shown(w);
	size_t i;

	for (i = w->view->echo_ack; i <= w->typed; i++)
		if (w->shows[i] == index)
			return;
	w->out->wrong += w->link->alone;
}

static void
type(struct world *w, key_code key, int x)
{
	struct mouse_event mouse = { .button = MOUSE_LEFT,
		.action = MOUSE_PRESS,
		.x = x,
		.y = ROWS - 1,
		.px = -1,
		.py = -1 };
	struct input *in = &w->inputs[w->typed++];

	*in = (struct input){ key, x, arrival(w) };
	if (w->typed > 1)
		in->reach = MAX_OF(in->reach, in[-1].reach);
	(void)handle(&w->truth, in);
	w->shows[w->typed] = w->truth.s->current->index;
	w->log[w->typed - 1] = (struct echo_typed){ .index = w->typed,
		.key = key,
		.is_mouse = key == 0,
		.mouse = mouse };
	(void)window_echo_typed(w->echo, w->now, w->log + w->view->echo_ack,
	    w->typed - w->view->echo_ack);
	look(w);
}

/* A person selects a window, types, or does something else. */
static void
act(struct world *w)
{
	static const char words[] = "nnnppplllll00112233445566778";
	const unsigned what = chance_below(&w->random, 100);
	const int before = w->truth.s->current->index;

	if (what < 30) {
		type(w, 'a' + chance_below(&w->random, 26), 0);
		return;
	}
	if (what < 45)
		type(w, 0,
		    (int)chance_below(&w->random, w->link->windows * NAME));
	else {
		type(w, PREFIX, 0);
		if (what < 48)
			w->unknown = w->typed + 1;
		type(w,
		    what < 48   ? 'f'
		    : what < 52 ? 'z'
				: (key_code)words[chance_below(
				      &w->random, sizeof(words) - 1)],
		    0);
	}
	if (w->truth.s->current->index == before)
		return;
	w->out->switches++;
	if (shown(w) == w->truth.s->current->index)
		w->out->right++;
	else if (w->unknown == w->typed)
		w->out->asked++;
	else if (w->view->switches == NULL ||
		 w->view->switches->seen < w->unknown)
		w->out->behind++;
	else
		w->out->other++;
}

/* --- time ----------------------------------------------------------------------------- */

static void
serve(struct world *w)
{
	const size_t before = w->arrived;
	bool changed = false;
	unsigned i;

	while (w->arrived < w->typed && w->inputs[w->arrived].reach <= w->now)
		if (handle(&w->there, &w->inputs[w->arrived++]))
			w->looked = w->arrived;
	for (i = 0; i < w->link->windows; i++)
		if (chance_below(&w->random, 60000) < w->link->output) {
			w->version[i]++;
			changed |= (int)i == w->there.s->current->index;
		}
	if (!w->link->alone && chance_below(&w->random, 8000) == 0) {
		(void)session_next(w->there.s, false);
		(void)session_next(w->truth.s, false);
		w->shows[w->typed] = w->truth.s->current->index;
		changed = true;
	}
	if (w->arrived != before || changed)
		send_view(w);
	if (w->now % 3000 == 0)
		for (i = 0; i < w->link->held; i++)
			if ((int)i != w->there.s->current->index)
				send_picture(w, i);
}

static void
world_fini(struct world *w)
{
	unsigned i;

	for (; w->received < w->npackets; w->received++) {
		sync_view_free(w->packets[w->received].view);
		mem_free(w->packets[w->received].side);
	}
	for (i = 0; i < w->link->windows; i++)
		sync_view_free(w->pictures[i]);
	sync_view_free(w->view);
	sync_view_free(w->sent);
	window_echo_free(w->echo);
	window_copy_free(w->copies);
	mux_util_free(w->m);
	mem_free(w);
}

static void
world_run(
    const struct link *link, unsigned seed, unsigned n, struct result *out)
{
	struct world *w = mem_zalloc(sizeof(*w));
	mono_ms next = 8000;
	unsigned done = 0;

	w->link = link;
	w->random = seed;
	w->out = out;
	w->m = mux_util_new();
	place_init(w, &w->there, "there");
	place_init(w, &w->truth, "truth");
	w->copies = window_copy_new(NULL);
	window_copy_asked(w->copies, SYNC_WINDOWS_BYTES_MAX);
	w->echo = window_echo_new();
	window_echo_copies(w->echo, w->copies);
	w->sent = sync_view_new(COLS, ROWS);
	w->view = sync_view_new(COLS, ROWS);
	send_view(w);
	for (w->now = 1; done < n; w->now++) {
		receive(w);
		serve(w);
		if (w->now < next || w->view->nsurfaces == 0)
			continue;
		act(w);
		done++;
		next = w->now + 700 + chance_below(&w->random, 1500);
	}
	/* Once all is confirmed, the client shows what the server has. */
	next = w->now + 60000;
	for (; w->now < next; w->now++) {
		receive(w);
		if (w->arrived < w->typed)
			serve(w);
	}
	ck_assert_uint_eq(w->arrived, w->typed);
	out->kept += shown(w) != w->there.s->current->index;
	world_fini(w);
}

static const struct {
	struct link link;
	double least; /* share of switches that can be known, at once */
} cases[] = {
	{ { 100, 0, 0, 9, 9, 0, true }, 0.99 },
	{ { 500, 0, 0, 9, 9, 30, true }, 0.99 },
	{ { 500, 10, 0, 9, 9, 30, true }, 0.99 },
	{ { 500, 10, 8000, 9, 9, 30, true }, 0.99 },
	{ { 500, 10, 0, 9, 0, 30, true }, 0.40 },
	{ { 500, 10, 0, 9, 9, 30, false }, 0.90 },
	{ { 500, 10, 0, 1, 1, 30, true }, 0 },
};

START_TEST(windows_are_shown_at_once_and_right)
{
	const unsigned runs = unit_rounds(5);
	struct result r = { 0 };
	unsigned long known;
	double share;
	unsigned i;

	for (i = 0; i < runs; i++)
		world_run(&cases[_i].link, i + (unsigned)unit_seed(1), 300, &r);
	known = r.switches - r.asked - r.behind;
	share = known == 0 ? 1 : (double)r.right / (double)known;
	fprintf(stderr,
	    "# rtt %u ms, loss %u %%, cut %llu ms, %u of %u windows held: "
	    "%.3f of %lu switches at once, %lu wrong, %lu after "
	    "confirmation; besides %lu by a command that the server alone "
	    "knows, %lu behind one\n",
	    cases[_i].link.rtt, cases[_i].link.loss,
	    (unsigned long long)cases[_i].link.cut, cases[_i].link.held,
	    cases[_i].link.windows, share, known, r.wrong, r.kept, r.asked,
	    r.behind);
	ck_assert_uint_eq(r.wrong, 0);
	ck_assert_uint_eq(r.kept, 0);
	ck_assert(share >= cases[_i].least);
}
END_TEST

UNIT_SUITE(window_link)
{
	Suite *s = suite_create("window_link");
	TCase *tc = tcase_create("window_link");

	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(
	    tc, windows_are_shown_at_once_and_right, 0, (int)ARRAY_LEN(cases));
	suite_add_tcase(s, tc);
	return s;
}
