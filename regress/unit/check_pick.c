/*
 * Replays of choosers, menus and the palette do what these do: random contents,
 * sizes and inputs.
 */
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "mux/mode/tree.h"
#include "mux/session.h"
#include "regress/chance.h"
#include "regress/unit/pick_util.h"
#include "regress/unit/unit.h"

static uint64_t seed;

/* Counts of what the sequences did, so that none of it goes untested. */
static struct {
	unsigned long done, sent, unknown, missed, part, none, lines;
} seen[PICK_WHATS];

static const char *const names[PICK_WHATS] = { "tree", "buffers", "options",
	"hits", "names", "menu", "palette" };

static bool
chance(unsigned percent)
{
	return chance_below(&seed, 100) < percent;
}

/* Sends V to a client whose view is OLD. */
static struct sync_view *
travel(const struct sync_view *old, const struct sync_view *v)
{
	struct sync_view *far = sync_view_clone(old);
	struct buf b;

	buf_init(&b, SYNC_VIEW_BYTES_MAX);
	ck_assert_int_eq(sync_view_ops.diff(old, v, &b), 0);
	ck_assert_int_eq(sync_view_ops.apply(far, b.data, b.len), 0);
	ck_assert(sync_view_equal(far, v));
	ck_assert(sync_pick_equal(far->pick, v->pick));
	buf_fini(&b);
	return far;
}

static void
print_row(const char *who, const struct vt_line *l, unsigned y)
{
	char text[VT_CLUSTER_MAX + 1];
	unsigned x;

	fprintf(stderr, "# %s %2u |", who, y);
	for (x = 0; x < l->len; x++) {
		text[vt_line_text(l, x, text)] = '\0';
		fprintf(stderr, "%s", text);
	}
	fprintf(stderr, "|\n");
}

/* The prompts over them are equal. */
static void
same_line(const struct pick *k, const struct sync_view *v, unsigned long s,
    const struct pick_input *in)
{
	const struct sync_surface *a = sync_view_find(v, VIEW_SURFACE_LINE);
	struct vt_frame *b;
	int x = 0, y = 0;

	b = pick_line(k, &x, &y);
	ck_assert_msg((a != NULL) == (b != NULL),
	    "sequence %lu: a prompt is open at %s only after key %llx", s,
	    a != NULL ? "the server" : "the client",
	    (unsigned long long)in->key);
	if (b == NULL)
		return;
	seen[s % PICK_WHATS].lines++;
	ck_assert_int_eq(a->x, x);
	ck_assert_int_eq(a->y, y);
	if (!vt_frame_equal(a->frame, b)) {
		print_row("server", a->frame->lines[0], 0);
		print_row("replay", b->lines[0], 0);
	}
	ck_assert_msg(vt_frame_equal(a->frame, b),
	    "sequence %lu: another prompt after key %llx", s,
	    (unsigned long long)in->key);
	vt_frame_unref(b);
}

/* The pictures are equal but for what is not known. */
static void
same_picture(struct pick *k, const struct sync_view *v, unsigned long s,
    const struct pick_input *in)
{
	const struct sync_surface *surface;
	struct vt_frame *a, *b;
	struct vt_rect r;
	size_t i;
	unsigned y;

	same_line(k, v, s, in);
	for (i = 0; i < v->nsurfaces; i++) {
		surface = &v->surfaces[i];
		if (!pick_shows(k, surface->id))
			continue;
		a = vt_frame_clone(surface->frame);
		b = pick_draw(k, surface->id);
		ck_assert_ptr_null(vt_frame_check(b));
		vt_frame_state_copy(&b->state, &a->state);
		if (pick_unknown(k, surface->id, &r)) {
			seen[s % PICK_WHATS].part++;
			r.right = MIN_OF(r.right, (unsigned)a->cols);
			r.bottom = MIN_OF(r.bottom, (unsigned)a->rows);
			vt_frame_fill(a, &r, NULL);
			vt_frame_fill(b, &r, NULL);
		}
		for (y = 0; y < a->rows; y++)
			if (!vt_line_equal(a->lines[y], b->lines[y])) {
				print_row("server", a->lines[y], y);
				print_row("replay", b->lines[y], y);
			}
		ck_assert_msg(vt_frame_equal(a, b),
		    "sequence %lu (%s): another picture after key %llx", s,
		    names[s % PICK_WHATS], (unsigned long long)in->key);
		vt_frame_unref(a);
		vt_frame_unref(b);
	}
}

/* Whether the list of K shows other items by now. */
static bool
is_narrowed(const struct pick *k, const struct sync_view *v)
{
	struct vt_rect r;

	return v->pick->kind == PICK_LIST &&
	       pick_unknown(k, v->pick->surface, &r) && r.left == 0;
}

/* The states are equal, if all items are on the wire. */
static void
same_state(struct pick *k, const struct sync_view *v, unsigned long s)
{
	struct buf b;

	struct vt_rect r = { 0, 0, 0, 0 };

	/* A new query has other rows. */
	if (v->pick->kind == PICK_PALETTE &&
	    pick_unknown(k, VIEW_SURFACE_PALETTE, &r))
		return;
	if (is_narrowed(k, v))
		return;
	buf_init(&b, SYNC_PICK_STATE_MAX);
	pick_state(k, &b);
	ck_assert_msg(
	    b.len == v->pick->state->len &&
		memcmp(b.data, vt_str_text(v->pick->state), b.len) == 0,
	    "sequence %lu (%s): another state", s, names[s % PICK_WHATS]);
	buf_fini(&b);
}

/* Replays inputs on the view FAR; returns false when the thing has ended. */
static bool
replay(struct pick_util *p, const struct sync_view *far, unsigned long s,
    bool large, uint64_t *index)
{
	unsigned n = 1 + chance_below(&seed, 12);
	struct pick_input in = { 0 };
	struct sync_view *v;
	struct pick *k;
	enum pick_did did;
	bool open = true;

	ck_assert_int_eq(pick_new(&k, far, p->u.m->setup.graphemes), 0);
	same_picture(k, far, s, &in);
	do {
		in = pick_util_random(p, &seed, chance(80));
		did = pick_util_replay(k, &in);
		seen[s % PICK_WHATS].done += did == PICK_DONE;
		seen[s % PICK_WHATS].sent += did == PICK_SENT;
		seen[s % PICK_WHATS].unknown += did == PICK_UNKNOWN;
		seen[s % PICK_WHATS].missed += did == PICK_MISSED;
		open = pick_util_input(p, &in);
		++*index;
		ck_assert_msg(open || did == PICK_SENT || did == PICK_MISSED,
		    "sequence %lu (%s): it has ended by key %llx", s,
		    names[s % PICK_WHATS], (unsigned long long)in.key);
		if (did != PICK_DONE)
			break;
		v = pick_util_view(p, *index, far);
		if (v->pick == NULL && is_narrowed(k, far)) {
			sync_view_free(v);
			break;
		}
		ck_assert_ptr_nonnull(v->pick);
		same_picture(k, v, s, &in);
		if (!large)
			same_state(k, v, s);
		sync_view_free(v);
	} while (n-- > 0);
	pick_free(k);
	return open;
}

static void
sequence(unsigned long s)
{
	const bool large = chance(25);
	struct pick_util p;
	struct sync_view *old, *v, *far;
	unsigned rounds = 1 + chance_below(&seed, 4);
	uint64_t index = 0;
	bool open = true;

	pick_util_init(&p, (enum pick_what)(s % PICK_WHATS), seed, large);
	p.asks = chance(50);
	old = sync_view_new(0, 0);
	for (; open && rounds > 0; rounds--) {
		p.grown = chance(50);
		v = pick_util_view(&p, index, old);
		far = travel(old, v);
		sync_view_free(old);
		old = v;
		if (far->pick == NULL) {
			/* Help, say, which a replay does not know. */
			struct pick_input in =
			    pick_util_random(&p, &seed, true);

			seen[s % PICK_WHATS].none++;
			open = pick_util_input(&p, &in);
		} else
			open = replay(&p, far, s,
			    large || p.what == PICK_OPTIONS, &index);
		sync_view_free(far);
		if (open && chance(20))
			pick_util_change(&p, &seed);
	}
	sync_view_free(old);
	pick_util_fini(&p);
}

START_TEST(a_replay_equals_the_server)
{
	const unsigned long n = unit_rounds(300);
	const unsigned long first = unit_seed(1);
	unsigned long s;
	unsigned i;

	memset(seen, 0, sizeof(seen));
	for (s = first; s < first + n; s++) {
		seed = s * 2654435761u + 1;
		sequence(s);
	}
	for (i = 0; i < PICK_WHATS; i++) {
		fprintf(stderr,
		    "# %s: %lu inputs replayed, %lu sent, %lu unknown, %lu "
		    "missed; %lu pictures in part, %lu views without, %lu "
		    "with a prompt\n",
		    names[i], seen[i].done, seen[i].sent, seen[i].unknown,
		    seen[i].missed, seen[i].part, seen[i].none, seen[i].lines);
		if (i < PICK_NAMES)
			/* A short run may meet none. */
			ck_assert_uint_ge(seen[i].lines, n / 40);
		ck_assert_uint_gt(seen[i].done, n / 4);
	}
}
END_TEST

START_TEST(broken_bytes_are_refused)
{
	const unsigned rounds = unit_rounds(800);
	struct sync_view *v = NULL, *far;
	struct sync_pick *k;
	struct pick_util p;
	struct pick_input in;
	struct vt_str **slot;
	struct vt_frame *f;
	struct pick *copy;
	unsigned i, n;
	size_t at;
	char *bytes;
	int x, y;

	seed = unit_seed(1);
	for (i = 0; i < rounds; i++) {
		if (i % 40 == 0) {
			pick_util_init(&p,
			    (enum pick_what)(i / 40 % PICK_WHATS), i,
			    i % 80 == 0);
			p.asks = true;
			/* In every third the prompt of a search is open. */
			if (i / 40 % 3 == 0 && p.what < PICK_NAMES)
				(void)pick_util_input(
				    &p, &(struct pick_input){ .key = '/' });
			v = pick_util_view(&p, 0, NULL);
		}
		far = sync_view_clone(v);
		k = sync_pick_new(far->pick);
		sync_pick_unref(far->pick);
		vt_str_ref(k->state);
		vt_str_ref(k->rows);
		far->pick = k;
		slot = chance(50) ? &k->state : &k->rows;
		n = (*slot)->len;
		bytes = mem_dup(vt_str_text(*slot), n);
		at = chance_below(&seed, n);
		if (chance(30))
			n = (unsigned)at;
		else
			bytes[at] ^= (char)(1u << chance_below(&seed, 8));
		vt_str_unref(*slot);
		*slot = vt_str_new(bytes, n);
		mem_free(bytes);
		if (pick_new(&copy, far, p.u.m->setup.graphemes) == 0) {
			for (n = 0; n < 6; n++) {
				in = pick_util_random(&p, &seed, chance(80));
				(void)pick_util_replay(copy, &in);
				f = pick_draw(copy, k->surface);
				ck_assert_ptr_null(vt_frame_check(f));
				vt_frame_unref(f);
				vt_frame_unref(pick_line(copy, &x, &y));
			}
			pick_free(copy);
		}
		sync_view_free(far);
		if (i % 40 == 39 || i + 1 == rounds) {
			sync_view_free(v);
			pick_util_fini(&p);
		}
	}
}
END_TEST

/* What the key K does at a client with the server's view. */
static enum pick_did
far_key(struct pick_util *p, key_code k, bool *asks)
{
	struct sync_view *v = pick_util_view(p, 0, NULL);
	struct vt_frame *line;
	enum pick_did did;
	struct pick *far;
	int x, y;

	ck_assert_int_eq(pick_new(&far, v, p->u.m->setup.graphemes), 0);
	did = pick_key(far, k);
	line = pick_line(far, &x, &y);
	*asks = line != NULL;
	vt_frame_unref(line);
	if (*asks)
		ck_assert_int_eq(pick_key(far, 'y'), PICK_SENT);
	pick_free(far);
	sync_view_free(v);
	return did;
}

/* A tree of four sessions with the third one current. */
static void
begin_race(struct pick_util *p)
{
	const struct mode_tree_start start = { .list = { .host = &p->host },
		.depth = MODE_TREE_SESSIONS };
	static const key_code keys[] = { 'G', KEY_UP };
	unsigned i;

	pick_util_init(p, PICK_BUFFERS, 1, false);
	ck_assert(!pick_util_input(p, &(struct pick_input){ .key = 'q' }));
	p->what = PICK_TREE;
	p->cols = 60;
	p->rows = 20;
	pane_place(p->u.p, &(struct cell_rect){ 0, 0, p->cols, p->rows });
	(void)mux_util_session(p->u.m, "t");
	(void)mux_util_session(p->u.m, "u");
	(void)mux_util_session(p->u.m, "v");
	ck_assert_int_eq(mode_tree_open(p->u.p, p->u.s, &start), 0);
	for (i = 0; i < ARRAY_LEN(keys); i++)
		ck_assert(
		    pick_util_input(p, &(struct pick_input){ .key = keys[i] }));
}

/* The current session ends. */
static void
lose(struct pick_util *p)
{
	struct mode_list *l =
	    container_of(mode_top(p->u.p), struct mode_list, mode);
	struct session *s =
	    mux_session_named(p->u.m, mode_list_current(l)->name);

	ck_assert_ptr_nonnull(s);
	ck_assert_ptr_ne(s, p->u.s);
	session_destroy(s);
	mode_event(p->u.p, MODE_EVENT_MODEL);
}

/* A session ends while the user's keys that kill it are on their way. */
START_TEST(a_yes_for_what_has_gone_hits_no_other)
{
	static const struct pick_input x = { .key = 'x' }, y = { .key = 'y' },
				       enter = { .key = KEY_ENTER },
				       up = { .key = KEY_UP };
	struct pick_util p;
	bool asks;

	begin_race(&p);
	ck_assert_int_eq(far_key(&p, 'x', &asks), PICK_DONE);
	ck_assert(asks);
	lose(&p);
	/* A client that has the new view does not ask, either. */
	if (_i > 0) {
		ck_assert_int_eq(far_key(&p, 'x', &asks), PICK_SENT);
		ck_assert(!asks);
	}
	ck_assert(pick_util_input(&p, &x));
	ck_assert_ptr_null(p.prompt.request);
	ck_assert(pick_util_input(&p, _i == 2 ? &enter : &y));
	ck_assert_uint_eq(p.kills, 0);
	/* Told so, the user may kill the neighbour. */
	if (_i == 1)
		ck_assert(pick_util_input(&p, &up));
	ck_assert_int_eq(far_key(&p, 'x', &asks), PICK_DONE);
	ck_assert(asks);
	ck_assert(pick_util_input(&p, &x));
	ck_assert(pick_util_input(&p, &y));
	ck_assert_uint_eq(p.kills, 1);
	/* What the user has ended is no surprise. */
	lose(&p);
	ck_assert(pick_util_input(&p, &x));
	ck_assert_ptr_nonnull(p.prompt.request);
	pick_util_fini(&p);
}
END_TEST

UNIT_SUITE(pick)
{
	Suite *s = suite_create("pick");
	TCase *tc = tcase_create("pick");

	tcase_set_timeout(tc, 300);
	tcase_add_test(tc, a_replay_equals_the_server);
	tcase_add_test(tc, broken_bytes_are_refused);
	tcase_add_loop_test(tc, a_yes_for_what_has_gone_hits_no_other, 0, 3);
	suite_add_tcase(s, tc);
	return s;
}
