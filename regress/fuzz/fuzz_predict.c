/*
 * Any keys, frames, acknowledgements and clocks: the overlay stays a valid
 * frame of the same size, draws nothing at a password prompt, and equals the
 * frame once every key is acknowledged.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "mux/vt/term.h"
#include "predict/params.h"
#include "predict/predict.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct fuzz {
	struct predict *p;
	struct vt_term *t;
	struct vt_frame *f;
	uint32_t tty;
	uint64_t index;
	uint64_t ack;
	mono_ms now;
};

static void
fuzz_frame(struct fuzz *z)
{
	vt_frame_unref(z->f);
	z->f = vt_term_frame(z->t, 0);
	z->f->state.modes |= z->tty;
	predict_frame(z->p, z->now, 1, z->f, z->ack);
}

static void
fuzz_look(struct fuzz *z)
{
	struct vt_frame *g = predict_overlay(z->p, z->now, 1, z->f);

	bug_assert(vt_frame_check(g) == NULL);
	bug_assert(g->cols == z->f->cols && g->rows == z->f->rows);
	bug_assert(g->state.x < g->cols && g->state.y < g->rows);
	bug_assert(z->tty != VT_FRAME_CANONICAL || g == z->f);
	bug_assert(predict_pending(z->p, 1) <= PREDICT_PENDING_MAX);
	bug_assert(predict_deadline(z->p, z->now) > z->now);
	vt_frame_unref(g);
}

static void
fuzz_key(struct fuzz *z, uint8_t what, uint8_t arg)
{
	static const key_code keys[] = { KEY_ENTER, KEY_BSPACE, KEY_LEFT,
		KEY_RIGHT, KEY_HOME, KEY_END, KEY_DC, KEY_CTRL | 'w',
		KEY_CTRL | 'u', KEY_CTRL | 'k', KEY_META | 'b', KEY_META | 'f',
		KEY_META | KEY_BSPACE, KEY_TAB, KEY_UP, KEY_DOWN, 0x4e2d, 0x301,
		0x1f600, 0x200d, 0x1f1e6, 0x202e };
	struct key_event ev = { .key = what };

	if (arg < 0x80)
		ev.key = keys[arg % ARRAY_LEN(keys)];
	predict_key(z->p, z->now, 1, &ev, ++z->index);
}

static void
fuzz_step(struct fuzz *z, const uint8_t *d, size_t n)
{
	static const uint32_t ttys[] = { 0, VT_FRAME_ECHO, VT_FRAME_CANONICAL,
		VT_FRAME_CANONICAL | VT_FRAME_ECHO };

	switch (d[0] & 7) {
	case 0:
	case 1:
		fuzz_key(z, n > 1 ? d[1] : 'x', d[0]);
		break;
	case 2:
		vt_term_write(z->t, d, n);
		break;
	case 3:
		z->ack += MIN_OF(d[0] >> 3, z->index - z->ack);
		fuzz_frame(z);
		break;
	case 4:
		z->tty = ttys[d[0] >> 3 & 3];
		fuzz_frame(z);
		break;
	case 5:
		z->now += d[0];
		break;
	case 6:
		predict_set_link(z->p, (mono_ms)d[0] * 10);
		predict_other(z->p, z->now, 1,
		    n > 4 ? PREDICT_PASTE : PREDICT_MOUSE, d, n, ++z->index);
		break;
	case 7:
		vt_term_resize(z->t, 1u + (d[0] >> 3), 1u + (n & 7));
		fuzz_frame(z);
		break;
	}
	fuzz_look(z);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* Built once: it takes longer than a run. */
	static struct grapheme_table *gt;
	struct vt_pool *pool = vt_pool_new();
	struct vt_term_options opt = {
		.pool = pool, .graphemes = gt, .cols = 20, .rows = 4
	};
	struct fuzz z = { 0 };
	struct vt_frame *g;
	size_t n;

	if (gt == NULL)
		opt.graphemes = gt = grapheme_table_new(NULL);
	size = MIN_OF(size, (size_t)4096);
	z.t = vt_term_new(&opt);
	z.p = predict_new(
	    gt, size > 0 ? (enum predict_mode)(data[0] & 3) : PREDICT_ALWAYS);
	fuzz_frame(&z);
	/* A byte of length, then the bytes of a step. */
	while (size > 1) {
		n = MIN_OF((size_t)(data[0] & 15) + 1, size - 1);
		fuzz_step(&z, data + 1, n);
		data += n + 1;
		size -= n + 1;
	}
	z.ack = z.index;
	fuzz_frame(&z);
	g = predict_overlay(z.p, z.now, 1, z.f);
	bug_assert(g == z.f && predict_pending(z.p, 1) == 0);
	vt_frame_unref(g);
	vt_frame_unref(z.f);
	predict_free(z.p);
	vt_term_free(z.t);
	vt_pool_free(pool);
	return 0;
}
