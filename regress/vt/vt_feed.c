#include "regress/vt/vt_feed.h"

#include <string.h>

#include "base/mem.h"
#include "mux/vt/dump.h"
#include "regress/vt/vt_look.h"

#define DUMP_MAX (64u << 20)
#define EFFECTS_KEPT 4096

/* Collects the effects of the terminal: replies together, the rest in order. */
static void
feed_effects(struct vt_run *r)
{
	struct vt_effect e;

	while (vt_term_next_effect(r->t, &e)) {
		if (e.kind == VT_EFFECT_REPLY) {
			buf_add(&r->reply, e.data, e.len);
			vt_effect_fini(&e);
			continue;
		}
		if (r->neffects == EFFECTS_KEPT) {
			vt_effect_fini(&e);
			continue;
		}
		r->effects = mem_resize(
		    r->effects, r->neffects + 1, sizeof(*r->effects));
		r->effects[r->neffects++] = e;
	}
}

static void
feed_check(struct vt_run *r)
{
	const char *bad = vt_term_check(r->t);

	if (bad != NULL)
		vt_run_fail(r, bad, "sound invariants");
}

void
vt_feed_frame(struct vt_run *r)
{
	struct vt_frame *f;
	struct buf b;

	if (r->nframes == VT_RUN_FRAMES)
		return;
	f = vt_term_frame(r->t, 0);
	if (vt_frame_check(f) != NULL)
		vt_run_fail(r, vt_frame_check(f), "a sound frame");
	buf_init(&b, DUMP_MAX);
	(void)vt_dump_raw_frame(&b, f);
	r->frames[r->nframes].frame = f;
	r->frames[r->nframes].dump = buf_steal(&b, &r->frames[r->nframes].len);
	r->nframes++;
	buf_fini(&b);
}

void
vt_feed_drop_frames(struct vt_run *r)
{
	struct buf b;
	size_t i;

	for (i = 0; i < r->nframes; i++) {
		buf_init(&b, DUMP_MAX);
		(void)vt_dump_raw_frame(&b, r->frames[i].frame);
		if (b.len != r->frames[i].len ||
		    (b.len > 0 &&
			memcmp(b.data, r->frames[i].dump, b.len) != 0))
			vt_run_fail(r, "a changed frame", "an immutable one");
		buf_fini(&b);
		mem_free(r->frames[i].dump);
		vt_frame_unref(r->frames[i].frame);
	}
	r->nframes = 0;
}

static uint64_t
next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static size_t
random_piece(struct vt_run *r, size_t left)
{
	size_t k = next_random(&r->rng) % 7 + 1;

	return MIN_OF(k, left);
}

static void
feed_pieces(struct vt_run *r, const char *p, size_t n)
{
	size_t i, k, pieces = 0;

	for (i = 0; i < n; i += k) {
		k = n - i;
		if (r->cut.each)
			k = 1;
		else if (r->cut.seed != 0)
			k = random_piece(r, k);
		else if (r->cut.at > i)
			k = MIN_OF(k, r->cut.at - i);
		vt_term_write(r->t, p + i, k);
		/* The history must return the same rows, packed or not. */
		while (
		    r->cut.seed != 0 && vt_grid_settle(vt_term_main_grid(r->t)))
			;
		/*
		 * Checking a long input after every byte would take too long.
		 */
		if (pieces++ < 512 || pieces % 64 == 0)
			feed_check(r);
		feed_effects(r);
	}
}

/* --- padding ------------------------------------------------------------- */

static void
shadow_ascii(void *arg UNUSED, const uint8_t *p UNUSED, size_t n UNUSED,
    size_t room UNUSED)
{
}

static void
shadow_text(void *arg UNUSED, const uint32_t *cp UNUSED, size_t n UNUSED)
{
}

static void
shadow_control(void *arg UNUSED, uint32_t c UNUSED)
{
}

static void
shadow_esc(void *arg UNUSED, const struct vt_seq *seq UNUSED)
{
}

static void
shadow_csi(void *arg UNUSED, const struct vt_seq *seq UNUSED,
    const struct vt_params *params UNUSED)
{
}

static size_t
shadow_begin(void *arg UNUSED, enum vt_string kind UNUSED,
    const struct vt_seq *seq UNUSED)
{
	return 0;
}

static void
shadow_end(void *arg UNUSED, enum vt_string kind UNUSED,
    const struct vt_seq *seq UNUSED, const struct vt_params *params UNUSED,
    const char *s UNUSED, size_t n UNUSED, bool bel UNUSED)
{
}

static const struct vt_parser_ops shadow_ops = {
	.ascii = shadow_ascii,
	.text = shadow_text,
	.control = shadow_control,
	.esc = shadow_esc,
	.csi = shadow_csi,
	.string_begin = shadow_begin,
	.string_end = shadow_end,
};

/* More bytes than the fast path requires to be readable (burst.c). */
#define PADDING 256

/*
 * Feeds bytes with padding, so that all of them take the fast path, which
 * requires further bytes after an event.  The padding is DEL, which has no
 * effect in the ground state.
 */
static void
feed_padded(struct vt_run *r, const char *p, size_t n)
{
	char *all = mem_alloc(n + PADDING);
	bool idle;

	vt_parser_write(&r->shadow, (const uint8_t *)p, n);
	idle = r->shadow.state == VT_STATE_GROUND && r->shadow.npartial == 0;
	memcpy(all, p, n);
	memset(all + n, 0x7f, PADDING);
	vt_term_write(r->t, all, idle ? n + PADDING : n);
	mem_free(all);
	feed_check(r);
	feed_effects(r);
}

void
vt_feed_begin(struct vt_run *r)
{
	vt_parser_init(&r->shadow, &shadow_ops, NULL);
	r->rng = r->cut.seed;
}

void
vt_feed(struct vt_run *r, const char *p, size_t n)
{
	r->longest = MAX_OF(r->longest, n);
	if (r->cut.padded)
		feed_padded(r, p, n);
	else
		feed_pieces(r, p, n);
}

void
vt_feed_settle(struct vt_run *r)
{
	feed_check(r);
	feed_effects(r);
}
