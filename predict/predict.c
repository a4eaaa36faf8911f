#include "predict/predict.h"

#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "predict/guess_int.h"
#include "predict/surface.h"

/* --- life ----------------------------------------------------------------- */

struct predict *
predict_new(const struct grapheme_table *gt, enum predict_mode mode)
{
	struct predict *p = mem_zalloc(sizeof(*p));

	p->gt = gt;
	policy_init(&p->policy, mode);
	return p;
}

void
predict_free(struct predict *p)
{
	size_t i;

	if (p == NULL)
		return;
	for (i = 0; i < p->nsurfaces; i++)
		surface_free(p->surfaces[i]);
	mem_free_wiped(p, sizeof(*p));
}

void
predict_set_mode(struct predict *p, enum predict_mode mode)
{
	p->policy.mode = mode;
}

void
predict_set_link(struct predict *p, mono_ms rtt)
{
	policy_link(&p->policy, rtt, surface_pending(p));
}

void
predict_set_keys(struct predict *p, const key_code *keys, size_t n)
{
	p->ntaken = MIN_OF(n, ARRAY_LEN(p->taken));
	if (p->ntaken > 0)
		memcpy(p->taken, keys, p->ntaken * sizeof(*keys));
}

void
predict_forget(struct predict *p, uint64_t surface)
{
	size_t i;

	for (i = 0; i < p->nsurfaces; i++) {
		if (p->surfaces[i]->id != surface)
			continue;
		surface_free(p->surfaces[i]);
		p->surfaces[i] = p->surfaces[--p->nsurfaces];
		return;
	}
}

void
predict_set_exact(struct predict *p, uint64_t surface)
{
	struct surface *s = surface_find(p, surface);

	if (s == NULL)
		return;
	/* Text may already be there: the start of the line is unknown. */
	s->exact = s->strange = true;
}

size_t
predict_pending(const struct predict *p, uint64_t surface)
{
	const struct surface *s = surface_find(p, surface);

	return s == NULL ? 0 : s->nkeys;
}

void
predict_get_stats(const struct predict *p, struct predict_stats *out)
{
	*out = p->stats;
}

/* --- input ---------------------------------------------------------------- */

static bool
predict_taken(const struct predict *p, key_code key)
{
	size_t i;

	key &= ~KEY_LOCKS;
	for (i = 0; i < p->ntaken; i++)
		if (p->taken[i] == key || p->taken[i] == KEY_ANY)
			return true;
	return false;
}

/* Takes the text before the first typed character of a line as the prompt. */
static void
predict_prompt(struct surface *s)
{
	const struct vt_frame *f = s->frame;

	if (!s->fresh || s->nkeys > 0)
		return;
	s->fresh = false;
	/* After Up and the like, more than the prompt is there. */
	if (s->strange)
		return;
	if (s->edge != NULL)
		vt_line_unref(NULL, s->edge);
	s->edge = vt_line_ref(f->lines[f->state.y]);
	s->edge_cols = f->state.x;
	if (f->state.modes & (VT_FRAME_ALTERNATE | VT_FRAME_WRAP_PENDING))
		return;
	surface_prompt(s, f->lines[f->state.y], f->state.x);
}

/* Commands that ask for secrets: after their Enter nothing is predicted. */
static const char *const predict_askers[] = { "sudo", "su", "doas", "ssh",
	"scp", "sftp", "passwd", "login", "gpg", "pass", "mysql", "psql",
	"kinit", "openssl", "cryptsetup", "ssh-add", "ssh-keygen", "read",
	"getpass", "htpasswd", "docker", "pkexec", "rsync", "mosh", "telnet",
	"ftp" };

static bool
predict_asks(struct predict *p, struct surface *s)
{
	char text[1024], *word, *save;
	struct replay r;
	bool asks = false;
	size_t i;

	replay_init(p, s, &r);
	for (i = 0; i < s->nkeys && !r.g.lost; i++)
		replay_step(p, s, &r, i);
	(void)replay_row_text(r.g.f->lines[r.g.y],
	    guess_at_prompt(&r.env, r.g.f->lines[r.g.y]) ? r.env.prompt_cols
							 : 0,
	    r.g.f->cols, text, sizeof(text));
	replay_fini(&r);
	for (word = strtok_r(text, " ;|&(/$=", &save); word != NULL && !asks;
	     word = strtok_r(NULL, " ;|&(/$=", &save))
		for (i = 0; i < ARRAY_LEN(predict_askers) && !asks; i++)
			asks = strcmp(word, predict_askers[i]) == 0;
	mem_wipe(text, sizeof(text));
	return asks;
}

static void
surface_push(
    struct surface *s, mono_ms now, const struct guess_key *k, uint64_t index)
{
	struct surface_key *key;

	if (s->nkeys == s->cap) {
		/* Wipe: typed text must not stay in the freed memory. */
		size_t cap = s->cap == 0 ? 32 : s->cap * 2;
		struct surface_key *keys = mem_calloc(cap, sizeof(*keys));

		if (s->keys != NULL) {
			memcpy(keys, s->keys, s->nkeys * sizeof(*keys));
			mem_wipe(s->keys, s->cap * sizeof(*keys));
			mem_free(s->keys);
		}
		s->keys = keys;
		s->cap = cap;
	}
	key = &s->keys[s->nkeys++];
	*key = (struct surface_key){
		.key = *k,
		.index = index,
		.sent = now,
		.cooked = (s->frame->state.modes & VT_FRAME_CANONICAL) != 0,
	};
}

/*
 * Input INDEX may have any effect: later keys are kept, and predicted once a
 * frame contains it.
 */
static void
surface_hole(struct surface *s, mono_ms now, uint64_t index)
{
	const struct guess_key k = { GUESS_UNKNOWN, GUESS_NO_KEY };

	if (index <= s->ack)
		return;
	if (s->nkeys == PREDICT_PENDING_MAX) {
		surface_drop(s, s->nkeys);
		surface_blind(s, index);
		return;
	}
	surface_push(s, now, &k, index);
}

static void
predict_push(struct predict *p, struct surface *s, mono_ms now,
    const struct guess_key *k, uint64_t index)
{
	if (s->nkeys == PREDICT_PENDING_MAX) {
		p->stats.dropped += s->nkeys + 1;
		surface_drop(s, s->nkeys);
		surface_blind(s, index);
		return;
	}
	if (k->act == GUESS_ENTER && predict_asks(p, s))
		surface_blind(s, index);
	if (k->act == GUESS_UNKNOWN) {
		p->stats.unknown++;
		s->exact = false;
	} else
		p->stats.predicted++;
	surface_push(s, now, k, index);
}

/*
 * Takes a key at a question for a secret.
 * security: where the program answers with signs, the fact that a letter or a
 * backspace came is kept; elsewhere nothing.
 */
static void
predict_secret(struct predict *p, struct surface *s, mono_ms now,
    const struct guess_key *k, uint64_t index)
{
	struct guess_key sign = { k->act, mask_sign(&s->mask, s->frame) };
	bool full = s->nkeys == PREDICT_PENDING_MAX;

	p->stats.secret++;
	s->mask.typed += k->act == GUESS_TEXT;
	if (s->blind <= s->ack && !full && k->act == GUESS_ENTER &&
	    (s->frame->state.modes & VT_FRAME_CANONICAL) == 0) {
		surface_blind(s, index);
		sign.cp = 0;
		surface_push(s, now, &sign, index);
		s->keys[s->nkeys - 1].masked = true;
		return;
	}
	if (sign.cp == 0 || full) {
		if (s->blind <= s->ack || full)
			surface_drop(s, s->nkeys);
		surface_blind(s, index);
		return;
	}
	if (s->blind > s->ack ||
	    (k->act != GUESS_TEXT && k->act != GUESS_BACKSPACE)) {
		surface_blind(s, index);
		surface_hole(s, now, index);
		return;
	}
	surface_push(s, now, &sign, index);
	s->keys[s->nkeys - 1].masked = true;
}

/* Takes a key of a surface whose frame is known. */
static void
predict_one(struct predict *p, mono_ms now, uint64_t surface,
    const struct guess_key *k, bool taken, uint64_t index)
{
	const uint32_t kind =
	    VT_FRAME_ALTERNATE | VT_FRAME_CANONICAL | VT_FRAME_ECHO;
	struct surface *s = surface_find(p, surface);

	p->stats.typed++;
	if (s == NULL || s->frame == NULL)
		return;
	if (p->policy.mode == PREDICT_NEVER) {
		/*
		 * When prediction is turned on, the keys in flight are unknown.
		 */
		surface_drop(s, s->nkeys);
		surface_blind(s, index);
		return;
	}
	s->used = ++p->clock;
	if (taken || s->taken) {
		/* It may switch panes; so may the next key. */
		s->taken = taken;
		surface_blind(s, index);
		return;
	}
	if (surface_secret(s)) {
		predict_secret(p, s, now, k, index);
		return;
	}
	if (s->blind > s->ack) {
		/* Only the fact that a key came is kept. */
		surface_hole(s, now, index);
		return;
	}
	/* The tty's state is known only for the pane with the focus. */
	if ((s->frame->state.modes & kind) == 0) {
		s->edited = true;
		s->asked = false;
	}
	if (k->act == GUESS_TEXT)
		predict_prompt(s);
	predict_push(p, s, now, k, index);
}

void
predict_key(struct predict *p, mono_ms now, uint64_t surface,
    const struct key_event *ev, uint64_t index)
{
	struct guess_key k;

	if (ev->type == KEY_RELEASE)
		return;
	k = guess_key_of(ev);
	predict_one(p, now, surface, &k, predict_taken(p, ev->key), index);
}

void
predict_text(struct predict *p, mono_ms now, uint64_t surface, uint32_t cp,
    uint64_t index)
{
	struct key_event ev = { .key = cp };

	predict_key(p, now, surface, &ev, index);
}

/* Treats a short paste of plain text as typing. */
static bool
predict_paste(struct predict *p, mono_ms now, uint64_t surface,
    const uint8_t *t, size_t n, uint64_t index)
{
	struct guess_key k = { GUESS_TEXT, 0 };
	uint32_t cps[PREDICT_PASTE_MAX];
	size_t ncps, i;

	if (n > PREDICT_PASTE_MAX || n == 0 ||
	    utf8_decode_run(t, n, cps, ARRAY_LEN(cps), &ncps) != n)
		return false;
	for (i = 0; i < ncps; i++) {
		k.cp = cps[i];
		predict_one(p, now, surface, &k, false, index);
	}
	mem_wipe(cps, sizeof(cps));
	return true;
}

void
predict_other(struct predict *p, mono_ms now, uint64_t surface,
    enum predict_input what, const void *text, size_t n, uint64_t index)
{
	struct surface *s = surface_find(p, surface);
	size_t i;

	if (what == PREDICT_RESIZE) {
		for (i = 0; i < p->nsurfaces; i++) {
			surface_drop(p->surfaces[i], p->surfaces[i]->nkeys);
			surface_hole(p->surfaces[i], now, index);
		}
		return;
	}
	if (what == PREDICT_PASTE &&
	    predict_paste(p, now, surface, text, n, index))
		return;
	if (s == NULL)
		return;
	if (what == PREDICT_PASTE)
		surface_drop(s, s->nkeys);
	surface_hole(s, now, index);
}

/* --- frames --------------------------------------------------------------- */

/*
 * Returns where the longest row of text ends that begins in the window at FROM,
 * the cursor's apart, if another one ends near it; else 0.  The first and the
 * last row may be status lines.  Another window at the right makes all rows long.
 */
static unsigned
surface_seen(const struct vt_frame *f, unsigned from)
{
	unsigned y, x, longest = 0, next = 0;
	const struct vt_line *l;

	for (y = 1; y + 1u < f->rows; y++) {
		l = f->lines[y];
		x = vt_line_used(l);
		if (y == f->state.y ||
		    x <= longest - MIN_OF(longest, PREDICT_MARGIN_ROWS))
			continue;
		for (; x > from && guess_blank(l, x - 1); x--)
			;
		if (x > longest) {
			next = longest;
			longest = x;
		} else {
			next = MAX_OF(next, x);
		}
	}
	return next + PREDICT_MARGIN_ROWS > longest ? longest : 0;
}

/* Keeps the column at which text begins in a full-screen program. */
static void
surface_area(struct surface *s, const struct vt_frame *f)
{
	size_t i;

	habit_learn_place(&s->habit[1], f->state.x, f->state.y);
	if (((s->frame->state.modes ^ f->state.modes) & VT_FRAME_ALTERNATE) !=
	    0) {
		memset(s->margin, 0, sizeof(s->margin));
		memset(&s->habit[1], 0, sizeof(s->habit[1]));
		memset(&s->effects, 0, sizeof(s->effects));
		recall_fini(&s->recalls);
		s->lists = false;
		return;
	}
	for (i = 0; i < ARRAY_LEN(s->margin); i++)
		if (s->margin[i].used && f->state.x >= s->margin[i].window &&
		    f->state.y + 1u < f->rows) {
			s->margin[i].area =
			    MIN_OF(s->margin[i].area, (unsigned)f->state.x);
			s->margin[i].deep =
			    MAX_OF(s->margin[i].deep, (unsigned)f->state.y);
			if (s->margin[i].breaks[MARGIN_TEXT] == 0 &&
			    s->margin[i].breaks[MARGIN_BLANK] == 0)
				s->margin[i].seen =
				    surface_seen(f, s->margin[i].window);
		}
}

/* Learns how frame F, behind OLD or NULL, answers the letters of a secret. */
static void
surface_signs(
    struct surface *s, const struct vt_frame *old, const struct vt_frame *f)
{
	unsigned moved = 0;

	if (!surface_secret(s)) {
		s->mask.typed = 0;
		return;
	}
	if (old == NULL || s->mask.typed == 0)
		return;
	if (s->nkeys == 0)
		mask_learn(&s->mask, old, f, s->mask.typed);
	if (f->state.y == old->state.y && f->state.x > old->state.x)
		moved = f->state.x - (unsigned)old->state.x;
	s->mask.typed -= MIN_OF(s->mask.typed, moved);
}

void
predict_frame(struct predict *p, mono_ms now, uint64_t surface,
    const struct vt_frame *f, uint64_t echo_ack)
{
	struct surface *s = surface_make(p, surface);
	const uint32_t kind =
	    VT_FRAME_ALTERNATE | VT_FRAME_CANONICAL | VT_FRAME_ECHO;
	struct vt_frame *old = s->frame;
	bool same = old != NULL && old->cols == f->cols && old->rows == f->rows;
	size_t i;

	s->ack = MAX_OF(s->ack, echo_ack);
	if (!same) {
		uint64_t last = s->nkeys == 0 ? 0 : s->keys[s->nkeys - 1].index;

		surface_drop(s, s->nkeys);
		surface_rebase(s);
		surface_hole(s, now, last);
		memset(s->margin, 0, sizeof(s->margin));
		memset(&s->effects, 0, sizeof(s->effects));
		recall_fini(&s->recalls);
		s->fresh = true;
	} else if (f->state.x < f->cols && f->state.y < f->rows) {
		judge_frame(p, s, now, f, s->ack);
		surface_area(s, f);
		if ((old->state.modes ^ f->state.modes) & kind)
			s->fresh = true;
	}
	for (i = 0; s->fresh && i < s->nkeys; i++)
		s->fresh =
		    s->keys[i].masked || s->keys[i].key.act != GUESS_TEXT;
	s->frame = vt_frame_ref(f);
	if (f->state.x >= f->cols || f->state.y >= f->rows) {
		/* Without a cursor there is no place to type. */
		surface_drop(s, s->nkeys);
		vt_frame_unref(s->frame);
		vt_frame_unref(old);
		s->frame = NULL;
		return;
	}
	surface_signs(s, same ? old : NULL, f);
	if (!surface_fits(s)) {
		if (same) {
			s->frame = old;
			judge_left(p, s, f);
			s->frame = (struct vt_frame *)(uintptr_t)f;
		}
		surface_blind(s, s->keys[s->nkeys - 1].index);
		surface_drop(s, s->nkeys);
	}
	vt_frame_unref(old);
	if (s->nkeys > 0)
		policy_waiting(&p->policy, mono_until(s->keys[0].sent, now));
}

/* --- drawing -------------------------------------------------------------- */

static void
predict_underline(struct pen *pen, UNUSED void *arg)
{
	pen_set_underline(pen, PEN_UL_SINGLE);
}

/* Returns whether key K moves the cursor alone. */
static bool
predict_moves(const struct guess_key *k)
{
	switch (k->act) {
	case GUESS_LEFT:
	case GUESS_RIGHT:
	case GUESS_HOME:
	case GUESS_END:
	case GUESS_WORD_LEFT:
	case GUESS_WORD_RIGHT:
		return true;
	default:
		return guess_arrow_of(k) >= 0;
	}
}

/*
 * Replays the keys that may be drawn to R, and returns their number. R is of
 * use if that is not 0.
 */
static size_t
predict_cut(struct predict *p, struct surface *s, struct replay *r)
{
	double want = policy_chance(&p->policy), ask;
	size_t i, n;

	p->stats.chance = 0;
	replay_init(p, s, r);
	for (n = 0; n < s->nkeys; n++) {
		replay_step(p, s, r, n);
		p->stats.chance = r->g.lost ? 0 : r->chance;
		ask = want;
		/*
		 * security: the program may have asked for a secret since the
		 * last line. The user has seen it, and no text behind it.
		 */
		if (want > 0 && s->line && s->run == 0 &&
		    r->context->kind != CONTEXT_EDITOR)
			ask = MAX_OF(ask, PREDICT_CHANCE_SHORT);
		if (s->keys[n].shown && want > PREDICT_CHANCE_FLOOR)
			ask = MAX_OF(
			    want - PREDICT_CHANCE_SLACK, PREDICT_CHANCE_FLOOR);
		/* A cursor in a wrong place is no wrong character. */
		if (want > PREDICT_CHANCE_CURSOR &&
		    (r->quiet || predict_moves(&s->keys[n].key)))
			ask = PREDICT_CHANCE_CURSOR;
		/* Rows in a wrong place are hundreds of wrong characters. */
		if ((r->g.moved > 0 || r->g.recalled > PREDICT_RECALL_ROWS) &&
		    want > 0)
			ask = MAX_OF(ask, PREDICT_CHANCE_MOVES);
		if (r->g.recalled > PREDICT_RECALL_ROWS && r->g.unsure_recall &&
		    want > 0)
			break;
		if (s->vague > s->ack && r->env.alternate && !r->env.far &&
		    (r->quiet || guess_arrow_of(&s->keys[n].key) >= 0))
			break;
		if (r->g.lost || r->chance < ask)
			break;
	}
	if (n == s->nkeys)
		return n;
	/* The last key went too far. */
	replay_fini(r);
	if (n == 0)
		return 0;
	replay_init(p, s, r);
	for (i = 0; i < n; i++)
		replay_step(p, s, r, i);
	return n;
}

static void
predict_draw_marks(const struct guess *g)
{
	const struct guess_mark *m;
	struct vt_line *l;
	size_t i;

	for (i = 0; i < g->nmarks; i++) {
		m = &g->marks[i];
		if (!m->alive || m->row < 0 || m->row >= (int)g->f->rows)
			continue;
		l = vt_frame_own(g->f, (unsigned)m->row);
		vt_line_repen(NULL, l, m->col,
		    m->col + (vt_line_cell(l, m->col).width == VT_WIDE ? 2 : 1),
		    predict_underline, NULL);
	}
}

/*
 * Puts rows back that depend on how many rows a program prints: they were seen,
 * in this place. FRAME is the true one.
 */
static void
predict_unscroll(struct guess *g, const struct vt_frame *frame)
{
	struct vt_frame *f = g->f;
	unsigned sure = g->scrolled - g->unsure, y, n = g->unsure;
	const struct vt_line *l;
	struct vt_line *own;

	for (y = g->y; n > 0 && y-- > 0;) {
		if (y >= n)
			l = f->lines[y - n];
		else if (y + sure < frame->rows)
			l = frame->lines[y + sure];
		else
			continue;
		own = vt_line_ref(l);
		vt_line_unref(NULL, f->lines[y]);
		f->lines[y] = own;
	}
}

struct vt_frame *
predict_overlay(struct predict *p, mono_ms now, uint64_t surface,
    const struct vt_frame *frame)
{
	struct surface *s = surface_find(p, surface);
	struct vt_frame *f;
	struct replay r;
	size_t i, n;

	if (s == NULL || s->frame != frame || s->nkeys == 0)
		return vt_frame_ref(frame);
	policy_waiting(&p->policy, mono_until(s->keys[0].sent, now));
	if (!policy_shows(&p->policy) || now < s->hold || !surface_fits(s) ||
	    (n = predict_cut(p, s, &r)) == 0)
		return vt_frame_ref(frame);
	for (i = 0; i < n; i++) {
		if (s->keys[i].shown)
			continue;
		s->keys[i].shown = true;
		s->keys[i].shown_at = now;
		p->stats.shown++;
	}
	if (policy_flags(&p->policy))
		predict_draw_marks(&r.g);
	predict_unscroll(&r.g, s->frame);
	f = vt_frame_ref(r.g.f);
	f->state.x = (uint16_t)r.g.x;
	f->state.y = (uint16_t)r.g.y;
	f->state.modes &= ~(uint32_t)VT_FRAME_WRAP_PENDING;
	if (r.g.pending)
		f->state.modes |= VT_FRAME_WRAP_PENDING;
	replay_fini(&r);
	return f;
}

bool
predict_shown(const struct predict *p, mono_ms now, uint64_t surface)
{
	const struct surface *s = surface_find(p, surface);
	const struct surface_key *k;

	if (s == NULL || s->nkeys == 0 || now < s->hold ||
	    !policy_shows(&p->policy) || policy_flags(&p->policy))
		return false;
	k = &s->keys[s->nkeys - 1];
	return k->key.act == GUESS_TEXT && k->shown;
}

mono_ms
predict_deadline(const struct predict *p, mono_ms now)
{
	const struct surface *s;
	mono_ms at = MONO_NEVER, age;
	size_t i;

	for (i = 0; i < p->nsurfaces; i++) {
		s = p->surfaces[i];
		if (s->nkeys == 0)
			continue;
		if (now < s->hold)
			at = mono_min(at, s->hold);
		age = mono_until(s->keys[0].sent, now);
		at = mono_min(at, mono_add(s->keys[0].sent,
				      policy_next_age(&p->policy, age)));
	}
	return at;
}
