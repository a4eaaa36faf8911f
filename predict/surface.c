#include "predict/surface.h"

#include <string.h>

#include "base/mem.h"

struct surface *
surface_find(const struct predict *p, uint64_t id)
{
	size_t i;

	for (i = 0; i < p->nsurfaces; i++)
		if (p->surfaces[i]->id == id)
			return p->surfaces[i];
	return NULL;
}

void
surface_free(struct surface *s)
{
	vt_frame_unref(s->frame);
	vt_frame_unref(s->base);
	recall_fini(&s->recalls);
	if (s->prompt != NULL)
		vt_line_unref(NULL, s->prompt);
	if (s->edge != NULL)
		vt_line_unref(NULL, s->edge);
	if (s->keys != NULL)
		mem_wipe(s->keys, s->cap * sizeof(*s->keys));
	mem_free(s->keys);
	mem_free(s);
}

struct surface *
surface_make(struct predict *p, uint64_t id)
{
	struct surface *s = surface_find(p, id);
	size_t i, old = 0;

	if (s == NULL) {
		s = mem_zalloc(sizeof(*s));
		s->id = id;
		s->fresh = true;
		if (p->nsurfaces < PREDICT_SURFACES_MAX) {
			p->surfaces[p->nsurfaces++] = s;
		} else {
			for (i = 1; i < p->nsurfaces; i++)
				if (p->surfaces[i]->used <
				    p->surfaces[old]->used)
					old = i;
			surface_free(p->surfaces[old]);
			p->surfaces[old] = s;
		}
	}
	s->used = ++p->clock;
	return s;
}

void
surface_rebase(struct surface *s)
{
	vt_frame_unref(s->base);
	s->base = NULL;
}

void
surface_drop(struct surface *s, size_t n)
{
	size_t left = s->nkeys - n;

	if (n == 0)
		return;
	memmove(s->keys, s->keys + n, left * sizeof(*s->keys));
	mem_wipe(s->keys + left, n * sizeof(*s->keys));
	s->nkeys = left;
	if (left == 0)
		surface_rebase(s);
}

void
surface_blind(struct surface *s, uint64_t index)
{
	s->blind = MAX_OF(s->blind, index);
	if (s->vi != GUESS_VI_NONE)
		s->vi = GUESS_VI_UNSURE;
}

bool
surface_pending(const struct predict *p)
{
	size_t i;

	for (i = 0; i < p->nsurfaces; i++)
		if (p->surfaces[i]->nkeys > 0)
			return true;
	return false;
}

bool
surface_fits(const struct surface *s)
{
	bool secret = surface_secret(s);
	bool signs = secret && mask_sign(&s->mask, s->frame) != 0;
	const struct surface_key *k;
	size_t i;

	for (i = 0; i < s->nkeys; i++) {
		k = &s->keys[i];
		if (secret && !signs && k->key.act != GUESS_ENTER)
			return false;
		if (secret ? !k->masked && k->key.cp != GUESS_NO_KEY
			   : k->masked)
			return false;
	}
	return true;
}

static bool
surface_digit(const struct vt_line *l, unsigned x)
{
	uint32_t ch = vt_line_cell(l, x).ch;

	return ch >= '0' && ch <= '9';
}

void
surface_prompt(struct surface *s, const struct vt_line *l, unsigned cols)
{
	struct guess_env env = { .prompt = s->prompt, .prompt_cols = cols };
	bool same = s->prompt != NULL && cols == s->prompt_cols &&
		    guess_at_prompt(&env, l);
	struct vt_line *old = s->prompt;
	uint64_t bit;
	unsigned x;

	if (!same)
		s->varies = s->unsteady = 0;
	for (x = 0, bit = 1; x < MIN_OF(cols, 64u); x++, bit <<= 1) {
		if (!same)
			s->unsteady |= surface_digit(l, x) ? bit : 0;
		else if (guess_same_text(l, old, x, x + 1))
			s->unsteady &= ~bit;
		else
			s->varies |= bit;
	}
	s->prompt = vt_line_ref(l);
	s->prompt_cols = cols;
	if (old != NULL)
		vt_line_unref(NULL, old);
}
