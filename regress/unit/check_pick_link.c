/*
 * Choosers, menus and the palette over a link with delay, loss and cuts, in
 * virtual time: what share of the inputs is shown right at once, and whether
 * anything shown is wrong.
 *
 * The server's side and the truth have the same contents; the truth gets each
 * input at once, the server when it arrives.  Views travel as differences; the
 * client's side is pick_echo.
 */
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "client/pick_echo.h"
#include "regress/chance.h"
#include "regress/unit/pick_util.h"
#include "regress/unit/unit.h"

#define INPUTS_MAX 512

struct link {
	unsigned rtt;
	unsigned loss; /* per cent, each way */
	mono_ms cut;   /* the link is cut for so long, every 20 s */
};

struct result {
	unsigned long inputs, right, wrong, marked, lines;
};

struct world {
	const struct link *link;
	uint64_t random;
	mono_ms now;
	struct pick_util there, truth;
	struct pick_echo *echo;
	struct sync_view *sent; /* the server's last view */
	struct sync_view *view; /* the client's */
	struct {
		mono_ms at;
		struct sync_view *view;
	} packets[INPUTS_MAX + 1];
	size_t npackets, received;
	struct pick_input in[INPUTS_MAX];
	struct echo_typed log[INPUTS_MAX];
	mono_ms reach[INPUTS_MAX];
	size_t typed, arrived;
	struct sync_view *pictures[INPUTS_MAX + 1]; /* of the truth */
	struct result *out;
};

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

static void
send_view(struct world *w)
{
	struct sync_view *v = pick_util_view(&w->there, w->arrived, w->sent);
	struct sync_view *far = sync_view_clone(w->sent);
	struct buf b;

	buf_init(&b, SYNC_VIEW_BYTES_MAX);
	ck_assert_int_eq(sync_view_ops.diff(w->sent, v, &b), 0);
	ck_assert_int_eq(sync_view_ops.apply(far, b.data, b.len), 0);
	ck_assert(sync_view_equal(far, v));
	buf_fini(&b);
	w->packets[w->npackets].at = arrival(w);
	if (w->npackets > 0)
		w->packets[w->npackets].at = MAX_OF(
		    w->packets[w->npackets].at, w->packets[w->npackets - 1].at);
	w->packets[w->npackets++].view = far;
	sync_view_free(w->sent);
	w->sent = v;
}

static void
receive(struct world *w)
{
	while (
	    w->received < w->npackets && w->packets[w->received].at <= w->now) {
		sync_view_free(w->view);
		w->view = w->packets[w->received++].view;
	}
}

static uint64_t
hash(const struct vt_frame *f, const struct vt_rect *unknown)
{
	struct vt_frame *g = vt_frame_clone(f);
	struct vt_rect r = *unknown;
	uint64_t h = 0, l;
	unsigned y;

	r.right = MIN_OF(r.right, (unsigned)g->cols);
	r.bottom = MIN_OF(r.bottom, (unsigned)g->rows);
	if (r.left < r.right && r.top < r.bottom)
		vt_frame_fill(g, &r, NULL);
	for (y = 0; y < g->rows; y++) {
		l = vt_line_hash(g->lines[y]);
		h = str_hash(&l, sizeof(l), h);
	}
	vt_frame_unref(g);
	return h;
}

/* The picture of what is picked from; a prompt may be its other surface. */
static struct vt_frame *
list_of(const struct sync_view *v)
{
	size_t i;

	for (i = 0; i + 1 < v->nsurfaces; i++)
		if (v->surfaces[i].id != VIEW_SURFACE_LINE)
			break;
	return v->surfaces[i].frame;
}

/* Whether both have the same prompt. */
static bool
same_line(const struct sync_view *a, const struct sync_view *b)
{
	const struct sync_surface *x = sync_view_find(a, VIEW_SURFACE_LINE);
	const struct sync_surface *y = sync_view_find(b, VIEW_SURFACE_LINE);

	return x == NULL || y == NULL ? x == y
				      : vt_frame_equal(x->frame, y->frame);
}

/* Whether F, and the prompt of SCREEN, are the truth after N inputs. */
static bool
is_truth(struct world *w, const struct sync_view *screen,
    const struct vt_frame *f, size_t n)
{
	const struct sync_view *v = w->pictures[n];
	const struct vt_frame *t = list_of(v);
	struct vt_rect r = { 0, 0, 0, 0 };
	struct pick *k;
	bool same;

	/* The preview of another item is no claim. */
	if (v->pick != NULL &&
	    pick_new(&k, v, w->truth.u.m->setup.graphemes) == 0) {
		if (!pick_unknown(k, v->pick->surface, &r))
			memset(&r, 0, sizeof(r));
		pick_free(k);
	}
	same = f->cols == t->cols && f->rows == t->rows &&
	       same_line(screen, v) && hash(f, &r) == hash(t, &r);
	return same;
}

/* Whether F has the mark of an input that waits; it is no claim. */
static bool
is_marked(const struct vt_frame *f)
{
	const struct vt_line *l = f->lines[f->rows - 1];
	char sent[VT_CLUSTER_MAX + 1], fetching[VT_CLUSTER_MAX + 1];

	if (f->cols < 11)
		return false;
	sent[vt_line_text(l, f->cols - 5u, sent)] = '\0';
	fetching[vt_line_text(l, f->cols - 9u, fetching)] = '\0';
	return (strcmp(sent, "s") == 0 || strcmp(fetching, "f") == 0) &&
	       vt_line_pen(l, f->cols - 2u)->attrs == PEN_REVERSE;
}

/* Judges what is on the client's screen; returns whether it is up to date. */
static bool
look(struct world *w)
{
	struct sync_view *screen = sync_view_clone(w->view);
	struct vt_frame *f = NULL;
	size_t i;
	bool right = false;

	if (w->view->pick != NULL) {
		pick_echo_replay(w->echo, w->view, w->log + w->view->echo_ack,
		    w->typed - w->view->echo_ack);
		f = pick_echo_draw(
		    w->echo, sync_view_find(w->view, w->view->pick->surface));
		pick_echo_prompt(w->echo, screen);
	}
	if (f == NULL)
		f = vt_frame_ref(list_of(w->view));
	if (is_marked(f)) {
		w->out->marked++;
	} else {
		right = is_truth(w, screen, f, w->typed);
		for (i = 0; !right && i <= w->typed; i++)
			if (is_truth(w, screen, f, i))
				break;
		w->out->wrong += i > w->typed;
		w->out->lines +=
		    sync_view_find(screen, VIEW_SURFACE_LINE) != NULL;
	}
	vt_frame_unref(f);
	sync_view_free(screen);
	return right;
}

static void
type(struct world *w)
{
	const size_t n = w->typed;

	do
		w->in[n] = pick_util_random(&w->truth, &w->random, true);
	while (w->in[n].key == 0 && w->in[n].mouse.button == MOUSE_LEFT);
	if (!pick_util_input(&w->truth, &w->in[n]))
		ck_abort_msg("a move has ended it");
	w->reach[n] = arrival(w);
	if (n > 0)
		w->reach[n] = MAX_OF(w->reach[n], w->reach[n - 1]);
	w->typed++;
	w->log[n] = (struct echo_typed){ .index = w->typed,
		.key = w->in[n].key,
		.is_mouse = w->in[n].key == 0,
		.mouse = w->in[n].mouse };
	w->pictures[w->typed] = pick_util_view(&w->truth, w->typed, NULL);
	w->out->inputs++;
	w->out->right += look(w);
}

static void
serve(struct world *w)
{
	const size_t before = w->arrived;

	while (w->arrived < w->typed && w->reach[w->arrived] <= w->now)
		(void)pick_util_input(&w->there, &w->in[w->arrived++]);
	/* Of a long list the first view has a part. */
	if (w->arrived != before || w->now == 250) {
		w->there.grown = w->now >= 250;
		send_view(w);
	}
}

static void
world_run(const struct link *link, enum pick_what what, bool asks,
    unsigned seed, unsigned n, struct result *out)
{
	struct world *w = mem_zalloc(sizeof(*w));
	mono_ms next = 2000;
	size_t i;

	w->link = link;
	w->random = seed;
	w->out = out;
	pick_util_init(&w->there, what, seed, false);
	pick_util_init(&w->truth, what, seed, false);
	w->truth.asks = asks;
	w->echo = pick_echo_new(w->truth.u.m->setup.graphemes);
	w->sent = sync_view_new(0, 0);
	w->view = sync_view_new(0, 0);
	w->pictures[0] = pick_util_view(&w->truth, 0, NULL);
	send_view(w);
	for (w->now = 1; w->typed < n; w->now++) {
		receive(w);
		serve(w);
		if (w->now >= next && w->view->nsurfaces > 0) {
			type(w);
			next = w->now + 60 + chance_below(&w->random, 300);
		}
	}
	while (w->received < w->npackets)
		sync_view_free(w->packets[w->received++].view);
	for (i = 0; i <= w->typed; i++)
		sync_view_free(w->pictures[i]);
	sync_view_free(w->view);
	sync_view_free(w->sent);
	pick_echo_free(w->echo);
	pick_util_fini(&w->there);
	pick_util_fini(&w->truth);
	mem_free(w);
}

static const struct link links[] = {
	{ 100, 0, 0 },
	{ 500, 0, 0 },
	{ 500, 10, 0 },
	{ 500, 10, 8000 },
};

static const char *const names[PICK_WHATS] = { "tree", "buffers", "options",
	"hits", "names", "menu", "palette" };

/* Runs worlds I: each link with each thing to pick from. */
static void
judge(unsigned i, bool asks)
{
	const struct link *l = &links[i / PICK_WHATS];
	const enum pick_what what = (enum pick_what)(i % PICK_WHATS);
	const unsigned runs = unit_rounds(asks ? 1 : 2);
	struct result r = { 0 };
	double share;
	unsigned k;

	if (asks && what >= PICK_NAMES)
		return;
	for (k = 0; k < runs; k++)
		world_run(l, what, asks, k + (unsigned)unit_seed(1), 150, &r);
	share = (double)r.right / (double)r.inputs;
	fprintf(stderr,
	    "# %s, rtt %u ms, loss %u %%, cut %llu ms: %.3f of %lu inputs at "
	    "once, %lu wrong, %lu with a prompt\n",
	    names[what], l->rtt, l->loss, (unsigned long long)l->cut, share,
	    r.inputs, r.wrong, r.lines);
	ck_assert_uint_eq(r.wrong, 0);
	ck_assert_msg(share >= 0.99, "%.3f of the inputs", share);
	ck_assert(!asks || r.lines > 0);
}

START_TEST(inputs_are_shown_at_once_and_right)
{
	judge((unsigned)_i, false);
}
END_TEST

START_TEST(prompts_are_shown_at_once_and_right)
{
	judge((unsigned)_i, true);
}
END_TEST

UNIT_SUITE(pick_link)
{
	Suite *s = suite_create("pick_link");
	TCase *tc = tcase_create("pick_link");

	tcase_set_timeout(tc, 300);
	tcase_add_loop_test(tc, inputs_are_shown_at_once_and_right, 0,
	    (int)ARRAY_LEN(links) * PICK_WHATS);
	tcase_add_loop_test(tc, prompts_are_shown_at_once_and_right, 0,
	    (int)ARRAY_LEN(links) * PICK_WHATS);
	suite_add_tcase(s, tc);
	return s;
}
