#include "predict/mask.h"

#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "predict/guess_int.h"
#include "predict/surface.h"

/* Returns the hash of the question whose answer begins at column X of F. */
static uint64_t
mask_where(const struct vt_frame *f, unsigned x)
{
	const uint32_t kind = VT_FRAME_ALTERNATE | VT_FRAME_CANONICAL |
			      VT_FRAME_ECHO | VT_FRAME_BRACKETED_PASTE;
	uint32_t modes = f->state.modes & kind;
	uint64_t hash = str_hash(&modes, sizeof(modes), x);
	unsigned y = f->state.y;
	char text[512];
	size_t n;

	/* In a box the question may be the title of the field. */
	if ((modes & VT_FRAME_ALTERNATE) != 0 && y > 0) {
		n = replay_row_text(
		    f->lines[y - 1], 0, f->cols, text, sizeof(text));
		hash = str_hash(text, n, hash);
	}
	n = replay_row_text(f->lines[y], 0, x, text, sizeof(text));
	hash = str_hash(text, n, hash);
	mem_wipe(text, sizeof(text));
	return hash | 1;
}

/* Returns the first column of the signs before F's cursor. */
static unsigned
mask_start(const struct vt_frame *f, uint32_t sign)
{
	unsigned x = f->state.x;

	while (x > 0 && vt_line_cell(f->lines[f->state.y], x - 1).ch == sign)
		x--;
	return x;
}

static struct mask *
mask_find(struct mask_table *t, uint64_t where)
{
	size_t i;

	for (i = 0; i < MASK_QUESTIONS; i++)
		if (t->mask[i].where == where)
			return &t->mask[i];
	return NULL;
}

/* Returns what is known of the question at F's cursor; NULL: nothing. */
static const struct mask *
mask_at(const struct mask_table *t, const struct vt_frame *f)
{
	const struct mask *m;
	size_t i;

	for (i = 0; i < MASK_QUESTIONS; i++) {
		m = &t->mask[i];
		if (m->where != 0 && m->seen > 0 &&
		    m->where == mask_where(f, mask_start(f, m->sign)))
			return m;
	}
	return NULL;
}

uint32_t
mask_sign(const struct mask_table *t, const struct vt_frame *f)
{
	const struct mask *m;
	unsigned want;

	if ((f->state.modes & VT_FRAME_CANONICAL) != 0)
		return 0;
	m = mask_at(t, f);
	if (m == NULL)
		return 0;
	want = guess_is_letter(m->sign) && m->sign < 0x80 ? MASK_SEEN_LETTER
							  : MASK_SEEN;
	return m->seen >= want ? m->sign : 0;
}

void
mask_learn(struct mask_table *t, const struct vt_frame *b,
    const struct vt_frame *f, unsigned n)
{
	const struct vt_line *l = f->lines[f->state.y];
	const struct vt_line *old = b->lines[b->state.y];
	unsigned x = b->state.x, i;
	uint64_t where;
	struct mask *m;
	uint32_t sign;

	if ((f->state.modes & VT_FRAME_CANONICAL) != 0 ||
	    f->state.y != b->state.y || f->state.x <= x || f->state.x > x + n ||
	    !guess_same_text(l, old, 0, x))
		return;
	sign = vt_line_cell(l, x).ch;
	for (i = x; i < f->state.x; i++)
		if (vt_line_cell(l, i).ch != sign ||
		    vt_line_cell(l, i).width != VT_NARROW ||
		    guess_blank(l, i) || !guess_blank(old, i))
			return;
	where = mask_where(f, mask_start(f, sign));
	m = mask_find(t, where);
	if (m == NULL) {
		m = &t->mask[t->next++ % MASK_QUESTIONS];
		*m = (struct mask){ .where = where };
	}
	if (m->sign != sign)
		m->seen = 0;
	m->sign = sign;
	m->seen += f->state.x - x;
}

void
mask_forget(struct mask_table *t, const struct vt_frame *b)
{
	const struct mask *m = mask_at(t, b);

	if (m != NULL)
		t->mask[m - t->mask].seen = 0;
}
