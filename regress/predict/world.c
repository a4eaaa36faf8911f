#include "regress/predict/world.h"

#include <string.h>

#include "base/mem.h"
#include "regress/chance.h"

#define WORLD_SURFACE 7
#define WORLD_KEYS 4096
#define WORLD_ECHO_MS 50 /* until an input counts as acknowledged */
#define WORLD_FRAME_MS 20
#define WORLD_SECRET 0x2603 /* a character that only passwords have */

/* A screen that was shown, judged once the truth is known. */
struct look {
	mono_ms from;
	struct vt_frame *shown;
	size_t typed; /* keys typed by then */
	size_t done;  /* keys in the true frame by then */
};

struct packet {
	mono_ms at;
	struct vt_frame *frame;
	uint64_t ack;
	size_t done;
};

struct world {
	const struct world_cfg *cfg;
	const struct grapheme_table *gt;
	struct world_result *out;
	uint64_t random;
	mono_ms now;
	struct far *far;
	struct predict *p;
	/* typed keys: when, when they reach the far side, what came of them */
	size_t typed;
	size_t arrived;
	key_code key[WORLD_KEYS];
	mono_ms reach[WORLD_KEYS];
	struct vt_frame *truth[WORLD_KEYS + 1]; /* after so many keys */
	struct vt_frame *first[WORLD_KEYS];     /* shown just after the key */
	uint64_t drawn[WORLD_KEYS];
	/* the server */
	mono_ms heard; /* when the last key came */
	mono_ms next_send;
	uint64_t ack_sent;
	size_t done_sent;
	struct packet packets[16384];
	size_t npackets;
	size_t received;
	/* the client */
	struct vt_frame *frame;
	size_t done;
	struct look looks[65536];
	size_t nlooks;
	/* the typist */
	mono_ms next_key;
	const char *script;
	bool password;
};

/*
 * Returns the time of one way: delay, jitter, and a retransmission for each
 * loss.
 */
static mono_ms
world_way(struct world *w)
{
	mono_ms d =
	    w->cfg->rtt / 2 + chance_below(&w->random, w->cfg->jitter + 1);

	while (chance_below(&w->random, 100) < w->cfg->loss)
		d += MAX_OF(w->cfg->rtt / 2, 25u);
	return d;
}

/* --- the typist ---------------------------------------------------------------- */

/* < left, > right, ^ home, $ end, ! word left, ~ backspace, \n Enter, \t Tab,
 * { kills a word, } the line. */
static const char *const world_shell[] = { "ls -l\n", "cd src\n",
	"echo hello world\n", "git stash\n", "make check<<<<x>>>>y\n",
	"grep foo bar~~~baz\n", "cd ..\n", "vi fil\tx\n", "true\n",
	"export A=1\n", "git log{diff\n", "wrong thing}cd\n",
	"git commit -m message^sud~~~$ done\n", "alpha beta!gamma \n" };
static const char *const world_cat[] = { "some text\n", "more of it\n",
	"a misteak~~~ake\n", "word other{again\n", "all of this}gone\n",
	"hello there, how are you\n" };
static const char *const world_vi[] = { "ihello world\033",
	"a, more\nlines\033", "hhlljk", "dd", "ifoo bar~~~baz\nqux\033",
	"kkaend of it\033", "ddithe quick brown fox\njumps over\nthe dog\033" };

static key_code
world_script_key(char c)
{
	switch (c) {
	case '<':
		return KEY_LEFT;
	case '>':
		return KEY_RIGHT;
	case '^':
		return KEY_HOME;
	case '$':
		return KEY_END;
	case '!':
		return KEY_META | 'b';
	case '~':
		return KEY_BSPACE;
	case '{':
		return KEY_CTRL | 'w';
	case '}':
		return KEY_CTRL | 'u';
	case '\n':
		return KEY_ENTER;
	case '\t':
		return KEY_TAB;
	case '\033':
		return KEY_ESCAPE;
	default:
		return (key_code)c;
	}
}

static key_code
world_wild_key(struct world *w)
{
	static const key_code keys[] = { KEY_LEFT, KEY_RIGHT, KEY_HOME, KEY_END,
		KEY_BSPACE, KEY_BSPACE, KEY_ENTER, KEY_CTRL | 'w',
		KEY_CTRL | 'u', KEY_CTRL | 'k', KEY_META | 'b', KEY_TAB,
		KEY_ESCAPE, 'i', 0x4e2d, 0x301, 0x1f600, ' ', 'x', 'y' };

	if (chance_below(&w->random, 3) == 0)
		return keys[chance_below(&w->random, ARRAY_LEN(keys))];
	return 'a' + chance_below(&w->random, 26);
}

static key_code
world_next(struct world *w)
{
	key_code key;

	if (w->cfg->wild)
		return world_wild_key(w);
	if (w->script == NULL || *w->script == '\0') {
		if (w->cfg->secrets && w->cfg->kind == FAR_BASH &&
		    !w->password && chance_below(&w->random, 3) == 0) {
			w->script = "sudo true\n";
			w->password = true;
		} else if (w->cfg->kind == FAR_CAT) {
			w->script = world_cat[chance_below(
			    &w->random, ARRAY_LEN(world_cat))];
		} else if (w->cfg->kind == FAR_VI) {
			w->script = world_vi[chance_below(
			    &w->random, ARRAY_LEN(world_vi))];
		} else {
			w->script = world_shell[chance_below(
			    &w->random, ARRAY_LEN(world_shell))];
		}
	}
	key = world_script_key(*w->script++);
	if (w->cfg->wide && key >= 'a' && key <= 'z' &&
	    chance_below(&w->random, 12) == 0)
		key = 0x4e00 + chance_below(&w->random, 100);
	return key;
}

/* People pause after a line, and wait for a password prompt. */
static mono_ms
world_gap(struct world *w, key_code key)
{
	if (key == KEY_ENTER)
		return 300 + chance_below(&w->random, 900);
	if (key == ' ' || key == KEY_ESCAPE)
		return 100 + chance_below(&w->random, 250);
	return 60 + chance_below(&w->random, 160);
}

/* --- watching ------------------------------------------------------------------ */

static bool
world_line_equal(const struct vt_line *a, const struct vt_line *b, unsigned to)
{
	char s[VT_CLUSTER_MAX + 1], t[VT_CLUSTER_MAX + 1];
	unsigned x;

	for (x = 0; x < to; x++) {
		(void)vt_line_text(a, x, s);
		(void)vt_line_text(b, x, t);
		if (strcmp(s, t) != 0)
			return false;
	}
	return true;
}

/* Compares the cursors, and the text of its row before it. */
static bool
world_same(const struct vt_frame *a, const struct vt_frame *b)
{
	return a->state.x == b->state.x && a->state.y == b->state.y &&
	       world_line_equal(
		   a->lines[a->state.y], b->lines[a->state.y], a->state.x);
}

static bool
world_has(const struct vt_frame *f, uint32_t cp)
{
	unsigned x, y;

	for (y = 0; y < f->rows; y++)
		for (x = 0; x < f->cols; x++)
			if (vt_line_cell(f->lines[y], x).ch == cp)
				return true;
	return false;
}

static struct vt_frame *
world_look(struct world *w)
{
	struct vt_frame *f =
	    predict_overlay(w->p, w->now, WORLD_SURFACE, w->frame);
	struct look *l;

	if (vt_frame_check(f) != NULL)
		w->out->bad = "the overlay is no sound frame";
	if (f->cols != w->frame->cols || f->rows != w->frame->rows)
		w->out->bad = "the overlay has another size";
	if (world_has(f, WORLD_SECRET))
		w->out->bad = "a password was shown";
	if (w->nlooks < ARRAY_LEN(w->looks)) {
		l = &w->looks[w->nlooks++];
		*l =
		    (struct look){ w->now, vt_frame_ref(f), w->typed, w->done };
	}
	return f;
}

/* Counts screens that were shown and never became true. */
static void
world_judge_looks(struct world *w)
{
	const struct look *l;
	mono_ms end;
	size_t i, j;
	bool came;

	for (i = 0; i < w->nlooks; i++) {
		l = &w->looks[i];
		end = i + 1 < w->nlooks ? w->looks[i + 1].from : w->now;
		came = false;
		for (j = l->done; j <= l->typed && !came; j++)
			came = world_same(l->shown, w->truth[j]);
		if (!came)
			w->out->odd_ms += (unsigned long)(end - l->from);
		vt_frame_unref(l->shown);
	}
	w->nlooks = 0;
}

static void
world_judge_keys(struct world *w)
{
	struct world_result *o = w->out;
	size_t i;

	for (i = 0; i < w->typed; i++) {
		if (w->key[i] == WORLD_SECRET)
			continue;
		o->keys++;
		/*
		 * An unchanged screen counts as seen (backspace at the start).
		 */
		if (world_same(w->first[i], w->truth[i + 1]))
			o->at_once++;
		else if (w->drawn[i])
			o->wrong++;
		o->drawn += w->drawn[i] != 0;
	}
}

/* --- the run -------------------------------------------------------------------- */

static void
world_type(struct world *w)
{
	struct key_event ev = { 0 };
	struct predict_stats a, b;
	key_code key;

	if (w->password && w->script != NULL && *w->script == '\0') {
		/* The password is typed only after its prompt has come. */
		if (!(w->frame->state.modes & VT_FRAME_CANONICAL)) {
			w->next_key = w->now + 100;
			return;
		}
		key =
		    chance_below(&w->random, 6) == 0 ? KEY_ENTER : WORLD_SECRET;
		w->password = key != KEY_ENTER;
	} else {
		key = world_next(w);
	}
	ev.key = key;
	w->key[w->typed] = key;
	w->reach[w->typed] = w->now + world_way(w);
	if (w->typed > 0)
		w->reach[w->typed] =
		    MAX_OF(w->reach[w->typed], w->reach[w->typed - 1]);
	w->typed++;
	predict_get_stats(w->p, &a);
	predict_key(w->p, w->now, WORLD_SURFACE, &ev, w->typed);
	w->first[w->typed - 1] = world_look(w);
	predict_get_stats(w->p, &b);
	w->drawn[w->typed - 1] = b.shown - a.shown;
	w->next_key = w->now + world_gap(w, key);
}

static void
world_server(struct world *w)
{
	struct packet *k;
	uint64_t ack;

	while (w->arrived < w->typed && w->reach[w->arrived] <= w->now) {
		far_key(w->far, w->key[w->arrived++]);
		w->truth[w->arrived] = far_frame(w->far);
		w->heard = w->now;
	}
	ack = w->now >= w->heard + WORLD_ECHO_MS ? w->arrived : w->ack_sent;
	if ((w->arrived == w->done_sent && ack == w->ack_sent) ||
	    w->now < w->next_send || w->npackets == ARRAY_LEN(w->packets))
		return;
	k = &w->packets[w->npackets++];
	k->at = w->now + world_way(w);
	k->frame = vt_frame_ref(w->truth[w->arrived]);
	k->ack = w->ack_sent = ack;
	k->done = w->done_sent = w->arrived;
	w->next_send = w->now + WORLD_FRAME_MS;
}

/* Frames may overtake each other; frames older than the newest are dropped. */
static void
world_client(struct world *w)
{
	size_t i;

	for (i = w->received; i < w->npackets; i++) {
		if (w->packets[i].at > w->now)
			continue;
		w->received = i + 1;
		vt_frame_unref(w->frame);
		w->frame = vt_frame_ref(w->packets[i].frame);
		w->done = w->packets[i].done;
		predict_frame(
		    w->p, w->now, WORLD_SURFACE, w->frame, w->packets[i].ack);
		vt_frame_unref(world_look(w));
	}
	if (predict_deadline(w->p, w->now) <= w->now)
		w->out->bad = "a deadline that has passed";
}

static void
world_end(struct world *w)
{
	struct vt_frame *f;
	size_t i;

	if (w->arrived < w->typed)
		bug_failed("the run is too long", __FILE__, __LINE__);
	if (predict_pending(w->p, WORLD_SURFACE) != 0)
		w->out->bad = "keys are held after everything was answered";
	f = predict_overlay(w->p, w->now, WORLD_SURFACE, w->frame);
	if (f != w->frame || !vt_frame_equal(f, w->truth[w->typed]))
		w->out->bad = "the display is not the server's in the end";
	vt_frame_unref(f);
	world_judge_looks(w);
	world_judge_keys(w);
	predict_get_stats(w->p, &w->out->stats);
	w->out->shown_ms = (unsigned long)w->now;
	for (i = 0; i <= w->typed; i++)
		vt_frame_unref(w->truth[i]);
	for (i = 0; i < w->typed; i++)
		vt_frame_unref(w->first[i]);
	for (i = 0; i < w->npackets; i++)
		vt_frame_unref(w->packets[i].frame);
	vt_frame_unref(w->frame);
}

void
world_run(const struct grapheme_table *gt, const struct world_cfg *cfg,
    struct world_result *out)
{
	struct world *w = mem_zalloc(sizeof(*w));

	memset(out, 0, sizeof(*out));
	w->cfg = cfg;
	w->gt = gt;
	w->out = out;
	w->random = cfg->seed * UINT64_C(7919) + 17;
	w->far = far_new(gt, cfg->kind, 80, 12);
	w->p = predict_new(gt, cfg->mode);
	predict_set_link(w->p, cfg->rtt + cfg->jitter);
	w->truth[0] = far_frame(w->far);
	w->frame = vt_frame_ref(w->truth[0]);
	predict_frame(w->p, 0, WORLD_SURFACE, w->frame, 0);
	w->next_key = 1;
	for (w->now = 1; w->npackets < ARRAY_LEN(w->packets); w->now++) {
		if (w->typed < MIN_OF(cfg->keys, WORLD_KEYS) &&
		    w->now >= w->next_key)
			world_type(w);
		world_server(w);
		world_client(w);
		if (w->typed >= cfg->keys && w->arrived == w->typed &&
		    w->ack_sent == w->typed && w->received == w->npackets)
			break;
	}
	world_end(w);
	predict_free(w->p);
	far_free(w->far);
	mem_free(w);
}
