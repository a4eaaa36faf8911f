#include "regress/predict/play.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "client/compose.h"
#include "client/local_echo.h"
#include "mux/vt/dump.h"
#include "mux/vt/term.h"
#include "regress/chance.h"
#include "regress/predict/strange.h"
#include "server/face/echo.h"

#define PANE 1
#define NEIGHBOUR 2
#define NEIGHBOUR_COLS 5
#define PACKETS_MAX 32768
#define FRAME_MS 8

struct packet {
	mono_ms at;
	struct vt_frame *frame;
	uint64_t ack;
	size_t done; /* number of keys that it answers completely */
};

struct play {
	const struct tape *tape;
	const struct grapheme_table *gt;
	struct play_counts *c;
	const struct play_link *link;
	struct judge judge;
	struct picture picture;
	unsigned rtt;
	bool verbose, trace;
	uint64_t random;
	mono_ms now;
	const char *bad;
	struct vt_pool *pool;
	struct vt_term *term;
	struct local_echo *le;
	struct vt_frame *side; /* the neighbour's screen */
	/* far side */
	size_t typed, arrived, nout;
	mono_ms reach[TAPE_KEYS];
	mono_ms free_at; /* when the program finishes its earlier work */
	uint32_t tty;
	struct echo echo;
	bool dirty;
	mono_ms next_send;
	mono_ms last_at;
	struct packet packets[PACKETS_MAX];
	size_t npackets, received;
	struct vt_frame *truth[TAPE_KEYS + 1];
	struct vt_frame *first[TAPE_KEYS];
	bool drawn[TAPE_KEYS];
	double chance[TAPE_KEYS]; /* as drawn at once */
	unsigned known;           /* causes that the client has seen */
	bool ideal[TAPE_KEYS];
	/* Keys in the true frame when this one was typed. */
	size_t had[TAPE_KEYS];
	/* near side */
	struct sync_view *view;
	struct vt_frame *screen;
	size_t done;
	mono_ms done_at; /* when the last answer came */
	mono_ms next_key;
	mono_ms deadline;
};

/* Returns the time of one way; lost data is soon sent again. */
static mono_ms
play_way(struct play *w)
{
	mono_ms ms = w->rtt / 2;

	if (w->link->jitter > 0)
		ms += chance_below(&w->random, w->link->jitter + 1);
	else if (w->link->queue_high == 0)
		ms += chance_below(&w->random, w->rtt / 10 + 1);
	while (
	    w->link->loss > 0 && chance_below(&w->random, 100) < w->link->loss)
		ms += 30;
	return ms;
}

/* Every ten seconds the queue fills, stays full for a while, and empties. */
static mono_ms
play_queue(const struct play *w)
{
	const struct play_link *l = w->link;
	mono_ms at = w->now % 10000;

	return l->queue_low + (l->queue_high - l->queue_low) *
				  MIN_OF(at, (mono_ms)6000) / 6000;
}

/* Returns the time that frame F takes after the last one, about. */
static mono_ms
play_rate(const struct play *w, const struct vt_frame *f)
{
	const struct vt_frame *last;
	unsigned y, bytes = 60;

	if (w->link->rate == 0 || w->npackets == 0)
		return 0;
	last = w->packets[w->npackets - 1].frame;
	if (last == NULL || last->rows != f->rows)
		return 0;
	for (y = 0; y < f->rows; y++)
		bytes += f->lines[y] == last->lines[y] ? 0 : 30;
	return bytes * 1000 / w->link->rate;
}

/* --- comparing --------------------------------------------------------------------- */

/* Compares the cursors, and the text of its row before it. */
static bool
same_place(const struct vt_frame *a, const struct vt_frame *b)
{
	char s[VT_CLUSTER_MAX + 1], t[VT_CLUSTER_MAX + 1];
	unsigned x;

	if (a->state.x != b->state.x || a->state.y != b->state.y)
		return false;
	for (x = 0; x < a->state.x; x++) {
		(void)vt_line_text(a->lines[a->state.y], x, s);
		(void)vt_line_text(b->lines[b->state.y], x, t);
		if (strcmp(s, t) != 0)
			return false;
	}
	return true;
}

/* As same_place, but a blank of A is not wrong: it shows nothing. */
static bool
true_place(const struct vt_frame *a, const struct vt_frame *b)
{
	const struct vt_line *l = a->lines[a->state.y];
	const struct vt_line *m = b->lines[b->state.y];
	char s[VT_CLUSTER_MAX + 1], t[VT_CLUSTER_MAX + 1];
	unsigned x;

	if (a->state.x != b->state.x || a->state.y != b->state.y)
		return false;
	for (x = 0; x < a->state.x; x++) {
		(void)vt_line_text(l, x, s);
		(void)vt_line_text(m, x, t);
		if (vt_line_cell(l, x).ch > ' ' && strcmp(s, t) != 0)
			return false;
	}
	return true;
}

/* The secret is typed in characters that no other text here has. */
static bool
has_secret(const struct vt_frame *f)
{
	unsigned x, y;

	for (y = 0; y < f->rows; y++)
		for (x = 0; x < f->cols; x++)
			if (vt_line_cell(f->lines[y], x).ch == 0x2603)
				return true;
	return false;
}

/* --- far ---------------------------------------------------------------------------- */

static struct vt_frame *
far_frame(struct play *w)
{
	struct vt_frame *f = vt_term_frame(w->term, 0);

	f->state.modes &= ~(uint32_t)(VT_FRAME_ECHO | VT_FRAME_CANONICAL);
	f->state.modes |= w->tty;
	return f;
}

/* Sends all due output of key KEY; returns true if that was the last. */
static bool
far_answer(struct play *w, size_t key)
{
	const struct tape *t = w->tape;
	const struct tape_out *o;
	struct vt_effect e;

	for (; w->nout < t->nouts && t->out[w->nout].key == key; w->nout++) {
		o = &t->out[w->nout];
		if (w->now < w->free_at + o->wait)
			return false;
		w->free_at += o->wait;
		w->tty = o->tty;
		w->dirty = true;
		if (o->bytes != NULL)
			vt_term_write(w->term, o->bytes, o->n);
		while (vt_term_next_effect(w->term, &e))
			vt_effect_fini(&e);
	}
	return true;
}

static void
far_step(struct play *w)
{
	struct packet *k;
	key_code key;

	while (far_answer(w, w->arrived)) {
		if (w->truth[w->arrived] == NULL)
			w->truth[w->arrived] = far_frame(w);
		if (w->arrived == w->typed || w->reach[w->arrived] > w->now)
			break;
		w->free_at = MAX_OF(w->free_at, w->reach[w->arrived]);
		w->arrived++;
		key = w->tape->key[w->arrived - 1];
		echo_input(&w->echo, w->now, w->arrived,
		    key < KEY_SPECIAL ? (uint32_t)key : 0, !w->dirty);
	}
	if (echo_expire(&w->echo, w->now))
		w->dirty = true;
	if (!w->dirty || w->now < w->next_send ||
	    vt_term_sync_pending(w->term) || w->npackets == PACKETS_MAX)
		return;
	w->dirty = false;
	w->next_send = w->now + FRAME_MS;
	k = &w->packets[w->npackets];
	k->frame = far_frame(w);
	w->last_at = MAX_OF(w->last_at, w->now + play_way(w) + play_queue(w)) +
		     play_rate(w, k->frame);
	k->at = w->last_at;
	w->npackets++;
	(void)echo_look(&w->echo, w->now, PANE, k->frame);
	k->ack = w->echo.ack;
	k->done = w->truth[w->arrived] != NULL ? w->arrived : w->arrived - 1;
}

/* --- near --------------------------------------------------------------------------- */

/* Checks both panes' screens: rules that hold for any prediction. */
static struct vt_frame *
near_look(struct play *w)
{
	struct sync_view *lent = local_echo_lend(w->le, w->now, w->view);
	struct vt_frame *f, *pane = lent->surfaces[0].frame;
	unsigned x, y;

	if (vt_frame_check(pane) != NULL)
		w->bad = "the overlay is no sound frame";
	if (pane->cols != w->tape->cols || pane->rows != w->tape->rows)
		w->bad = "the overlay has another size";
	f = compose_view(
	    lent, w->tape->cols + NEIGHBOUR_COLS, w->tape->rows, w->screen);
	if (has_secret(f))
		w->bad = "a secret was shown";
	for (y = 0; y < f->rows; y++)
		for (x = 0; x < NEIGHBOUR_COLS; x++)
			if (vt_line_cell(f->lines[y], w->tape->cols + x).ch !=
			    'N')
				w->bad = "another pane was drawn on";
	vt_frame_unref(w->screen);
	w->screen = f;
	picture_take_frame(&w->picture, pane);
	judge_look(&w->judge, &w->picture, (double)w->now);
	pane = vt_frame_ref(pane);
	sync_view_free(lent);
	return pane;
}

static void
near_view(struct play *w, struct vt_frame *f, uint64_t ack)
{
	sync_view_free(w->view);
	w->view = sync_view_new(w->tape->cols + NEIGHBOUR_COLS, w->tape->rows);
	sync_view_add(w->view, PANE, SYNC_SURFACE_PANE, 0, 0, f);
	sync_view_add(w->view, NEIGHBOUR, SYNC_SURFACE_PANE, (int)w->tape->cols,
	    0, w->side);
	w->view->focus = PANE;
	w->view->echo_ack = ack;
	local_echo_view(w->le, w->now, w->view, w->typed);
}

/* People pause after a line, and read a question before they type a secret. */
static mono_ms
near_gap(struct play *w, key_code key)
{
	if (w->typed < w->tape->nkeys && w->tape->gap[w->typed] > 0)
		return w->tape->gap[w->typed];
	if (key == KEY_ENTER)
		return 350 + chance_below(&w->random, 900);
	if (key == ' ' || key == KEY_ESCAPE)
		return 100 + chance_below(&w->random, 250);
	return 50 + chance_below(&w->random, 90) + chance_below(&w->random, 90);
}

/*
 * Returns whether the line after Enter, key J, begins on the last row however
 * much was printed, where one has begun that the client has seen.
 */
static bool
play_bottom(const struct play *w, size_t j)
{
	const struct truth_key *t = w->tape->truth.key;
	size_t k;

	if (w->tape->key[j] != KEY_ENTER || t[j].after.y + 1 != t->after.rows ||
	    t[j + 1].after.y + 1 != t->after.rows)
		return false;
	for (k = 0; k < w->done; k++)
		if (w->tape->key[k] == KEY_ENTER &&
		    t[k + 1].after.x == t[j + 1].after.x)
			return true;
	return false;
}

/*
 * Returns whether a client that knows all that the frames so far could show
 * would answer key I at once.
 */
static bool
play_ideal(const struct play *w, size_t i)
{
	unsigned cause;
	size_t j;

	for (j = w->done; j <= i; j++) {
		cause = w->tape->cause[j] & ~w->known;
		if (cause != 0 &&
		    (j == i || cause != STRANGE_CHANCE || !play_bottom(w, j)))
			return false;
	}
	return true;
}

static void
near_type(struct play *w)
{
	const struct tape *t = w->tape;
	struct key_event ev = { .key = t->key[w->typed] };
	struct predict_stats a, b;
	size_t i = w->typed;

	if (t->secret[i] && t->gap[i] == 0 && (i == 0 || !t->secret[i - 1]) &&
	    (w->done < i || w->now < w->done_at + 250))
		return;
	w->reach[i] = w->now + play_way(w);
	if (i > 0)
		w->reach[i] = MAX_OF(w->reach[i], w->reach[i - 1]);
	w->typed++;
	judge_press(&w->judge, (double)w->now);
	local_echo_stats(w->le, &a);
	if (ev.key < KEY_SPECIAL)
		local_echo_text(w->le, w->now, (uint32_t)ev.key, w->typed);
	else
		local_echo_key(w->le, w->now, &ev, w->typed);
	w->first[i] = near_look(w);
	local_echo_stats(w->le, &b);
	w->drawn[i] = b.shown > a.shown;
	w->chance[i] = b.chance;
	w->had[i] = w->done;
	w->ideal[i] = play_ideal(w, i);
	w->next_key = w->now + near_gap(w, ev.key);
}

static void
near_step(struct play *w)
{
	const struct packet *k;

	if (w->deadline <= w->now)
		vt_frame_unref(near_look(w));
	for (; w->received < w->npackets; w->received++) {
		k = &w->packets[w->received];
		if (k->at > w->now)
			break;
		if (k->done > w->done || w->done_at == 0)
			w->done_at = w->now;
		for (; w->done < k->done; w->done++)
			w->known |=
			    w->tape->cause[w->done] & ~(unsigned)STRANGE_CHANCE;
		w->done = k->done;
		near_view(w, k->frame, k->ack);
		vt_frame_unref(near_look(w));
	}
	if (local_echo_deadline(w->le, w->now) <= w->now)
		w->bad = "a deadline that has passed";
	w->deadline = local_echo_deadline(w->le, w->now);
}

/* --- one run ------------------------------------------------------------------------ */

static void
play_tell(const struct play *w, size_t i)
{
	struct buf a, b;

	buf_init(&a, 65536);
	buf_init(&b, 65536);
	vt_dump_line(&a, w->first[i]->lines[w->first[i]->state.y], 0,
	    w->tape->cols, VT_DUMP_TRIM);
	vt_dump_line(&b, w->truth[i + 1]->lines[w->truth[i + 1]->state.y], 0,
	    w->tape->cols, VT_DUMP_TRIM);
	printf("# %s rtt %u key %zu 0x%llx chance %.3f\n#  drawn %u,%u %s\n#  "
	       "came  %u,%u "
	       "%s\n",
	    w->tape->name, w->rtt, i, (unsigned long long)w->tape->key[i],
	    w->chance[i], w->first[i]->state.x, w->first[i]->state.y,
	    buf_cstr(&a), w->truth[i + 1]->state.x, w->truth[i + 1]->state.y,
	    buf_cstr(&b));
	buf_fini(&a);
	buf_fini(&b);
}

/*
 * Returns whether the screen at key I was late but not wrong: an earlier truth.
 */
static bool
play_was(const struct play *w, size_t i)
{
	size_t j;

	for (j = w->had[i]; j <= i; j++)
		if (same_place(w->first[i], w->truth[j]))
			return true;
	return false;
}

/* Counts text that was drawn at once, by its chance. */
static void
play_trust(struct play *w, size_t i)
{
	unsigned k;

	if (!w->drawn[i] || w->tape->key[i] >= KEY_SPECIAL)
		return;
	k = MIN_OF(
	    (unsigned)(w->chance[i] * (PLAY_BUCKETS - 1)), PLAY_BUCKETS - 1u);
	w->c->drawn[k]++;
	w->c->chance[k] += w->chance[i];
	w->c->right[k] += true_place(w->first[i], w->truth[i + 1]);
}

static void
play_judge(struct play *w)
{
	struct predict_stats st;
	struct vt_frame *f;
	size_t i;

	f = near_look(w);
	if (!vt_frame_equal(f, w->truth[w->typed]))
		w->bad = "the display is not the program's in the end";
	vt_frame_unref(f);
	for (i = 0; i < w->typed; i++) {
		if (w->tape->secret[i]) {
			w->c->hidden++;
			continue;
		}
		w->c->keys++;
		play_trust(w, i);
		if (same_place(w->first[i], w->truth[i + 1]))
			w->c->at_once++;
		else if (w->drawn[i] && !play_was(w, i)) {
			w->c->wrong++;
			if (w->verbose)
				play_tell(w, i);
		}
	}
	local_echo_stats(w->le, &st);
	w->c->wrong_ms += st.wrong_ms;
	w->c->wrong_drawn += st.wrong;
}

/* Counts what a person sees: answers within 50 ms, and wrong characters. */
static void
play_count(struct play *w)
{
	const struct judge *j = &w->judge;
	const struct judge_wrong *x;
	struct play_counts *c = w->c;
	unsigned i, last = 0;
	mono_ms ms;

	for (i = 1; i <= j->pressed; i++) {
		if (j->key[i].state != JUDGE_ANSWERED)
			continue;
		c->answered++;
		c->fast += j->key[i].answered - j->key[i].pressed < 50;
		c->ideal += w->ideal[i - 1];
		if (w->trace &&
		    (i == 1 || j->key[i].answered - j->key[i].pressed >= 50))
			printf("# %s %s key %u 0x%llx after %.0f ms, chance "
			       "%.3f, %u,%u to %u,%u cause %x ideal %d\n",
			    w->tape->name, w->link->name, i - 1,
			    (unsigned long long)w->tape->key[i - 1],
			    j->key[i].answered - j->key[i].pressed,
			    w->chance[i - 1], j->truth->key[i - 1].after.x,
			    j->truth->key[i - 1].after.y,
			    j->truth->key[i].after.x, j->truth->key[i].after.y,
			    w->tape->cause[i - 1], w->ideal[i - 1]);
	}
	for (i = 0; i < j->nwrong; i++) {
		x = &j->wrong[i];
		ms = x->until < 0 ? 100000 : (mono_ms)(x->until - x->from);
		if (x->key != last) {
			c->bad_keys++;
			if (w->verbose)
				printf("# %s %s after key %u 0x%llx wrong "
				       "'%c' at %u,%u for %llu ms\n",
				    w->tape->name, w->link->name, x->key - 1,
				    x->key == 0 ? 0
						: (unsigned long long)
						      w->tape->key[x->key - 1],
				    x->ch < 127 ? (int)x->ch : '?',
				    x->cell % w->tape->cols,
				    x->cell / w->tape->cols,
				    (unsigned long long)ms);
		}
		last = x->key;
		c->bad_chars++;
		c->bad_long += ms > w->rtt + w->link->queue_high;
		c->bad_max = MAX_OF(c->bad_max, ms);
	}
}

static void
play_fini(struct play *w)
{
	size_t i;

	judge_fini(&w->judge);
	picture_fini(&w->picture);
	for (i = 0; i <= w->typed; i++)
		vt_frame_unref(w->truth[i]);
	for (i = 0; i < w->typed; i++)
		vt_frame_unref(w->first[i]);
	for (i = 0; i < w->npackets; i++)
		vt_frame_unref(w->packets[i].frame);
	vt_frame_unref(w->screen);
	vt_frame_unref(w->side);
	echo_fini(&w->echo);
	sync_view_free(w->view);
	local_echo_free(w->le);
	vt_term_free(w->term);
	vt_pool_free(w->pool);
	mem_free(w);
}

const char *
play_run(const struct grapheme_table *gt, const struct tape *t,
    const struct play_link *link, enum predict_mode mode, unsigned seed,
    unsigned verbose, struct play_counts *c)
{
	struct play *w = mem_zalloc(sizeof(*w));
	struct vt_term_options opt = { .cols = t->cols,
		.rows = t->rows,
		.graphemes = (struct grapheme_table *)(uintptr_t)gt };
	const char *bad;
	unsigned y;

	w->tape = t;
	w->c = c;
	w->link = link;
	w->rtt = link->rtt;
	w->verbose = verbose > 0;
	w->trace = verbose > 1;
	judge_init(&w->judge, &t->truth);
	w->judge.rtt = w->rtt + (double)link->queue_low;
	picture_init(&w->picture, t->cols, t->rows);
	w->random = seed * UINT64_C(7919) + 17;
	w->pool = opt.pool = vt_pool_new();
	w->term = vt_term_new(&opt);
	w->le = local_echo_new(gt, (int)mode);
	local_echo_link(w->le,
	    w->rtt + w->rtt / 10 + (link->queue_low + link->queue_high) / 2);
	w->side = vt_frame_new(NEIGHBOUR_COLS, t->rows);
	for (y = 0; y < t->rows; y++)
		vt_frame_repeat(
		    w->side, 0, y, NEIGHBOUR_COLS, 'N', &(struct pen){ 0 });
	echo_init(&w->echo);
	/* The program has started before the first look. */
	w->now = 60000;
	(void)far_answer(w, 0);
	w->truth[0] = far_frame(w);
	w->dirty = false;
	near_view(w, w->truth[0], 0);
	w->next_key = w->now + (t->gap[0] > 0 ? t->gap[0] : 500);
	w->deadline = MONO_NEVER;
	for (; w->now < 10000000; w->now++) {
		if (w->typed < t->nkeys && w->now >= w->next_key)
			near_type(w);
		far_step(w);
		near_step(w);
		if (w->typed == t->nkeys && w->truth[w->typed] != NULL &&
		    w->echo.ack == w->typed && !w->dirty &&
		    w->received == w->npackets)
			break;
	}
	if (w->truth[w->typed] == NULL)
		script_die(&t->s, &t->s.lines[0], "the run has no end");
	play_judge(w);
	play_count(w);
	bad = w->bad;
	play_fini(w);
	return bad;
}
