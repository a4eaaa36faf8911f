/* The state of a frame beside its lines: modes, palette, strings. */
#include <string.h>

#include "base/mem.h"
#include "mux/vt/frame.h"

struct vt_str *
vt_str_new(const char *s, size_t n)
{
	struct vt_str *v;

	if (n == 0)
		return NULL;
	bug_assert(n < UINT32_MAX);
	v = mem_alloc(sizeof(*v) + n + 1);
	v->refs = 1;
	v->len = (uint32_t)n;
	memcpy(v->text, s, n);
	v->text[n] = '\0';
	return v;
}

struct vt_str *
vt_str_ref(struct vt_str *s)
{
	if (s != NULL)
		s->refs++;
	return s;
}

void
vt_str_unref(struct vt_str *s)
{
	if (s != NULL && --s->refs == 0)
		mem_free(s);
}

bool
vt_str_equal(const struct vt_str *a, const struct vt_str *b)
{
	if (a == b)
		return true;
	if (a == NULL || b == NULL)
		return false;
	return a->len == b->len && memcmp(a->text, b->text, a->len) == 0;
}

const char *
vt_str_text(const struct vt_str *s)
{
	return s == NULL ? "" : s->text;
}

static struct vt_palette *
palette_new(void)
{
	struct vt_palette *p = mem_alloc(sizeof(*p));

	p->refs = 1;
	memset(p->rgb, 0xff, sizeof(p->rgb));
	return p;
}

struct vt_palette *
vt_palette_ref(struct vt_palette *p)
{
	if (p != NULL)
		p->refs++;
	return p;
}

void
vt_palette_unref(struct vt_palette *p)
{
	if (p != NULL && --p->refs == 0)
		mem_free(p);
}

struct vt_palette *
vt_palette_own(struct vt_palette **slot)
{
	struct vt_palette *old = *slot;

	if (old == NULL) {
		*slot = palette_new();
	} else if (old->refs > 1) {
		*slot = palette_new();
		memcpy((*slot)->rgb, old->rgb, sizeof(old->rgb));
		vt_palette_unref(old);
	}
	return *slot;
}

uint32_t
vt_palette_get(const struct vt_palette *p, unsigned index)
{
	return p == NULL || index >= VT_PALETTE_SIZE ? VT_PALETTE_UNSET
						     : p->rgb[index];
}

static bool
palette_is_unset(const struct vt_palette *p)
{
	unsigned i;

	for (i = 0; i < VT_PALETTE_SIZE; i++)
		if (p->rgb[i] != VT_PALETTE_UNSET)
			return false;
	return true;
}

bool
vt_palette_equal(const struct vt_palette *a, const struct vt_palette *b)
{
	if (a == b)
		return true;
	if (a == NULL)
		return palette_is_unset(b);
	if (b == NULL)
		return palette_is_unset(a);
	return memcmp(a->rgb, b->rgb, sizeof(a->rgb)) == 0;
}

void
vt_frame_state_init(struct vt_frame_state *st)
{
	memset(st, 0, sizeof(*st));
	st->modes = VT_FRAME_CURSOR_VISIBLE | VT_FRAME_AUTOWRAP;
}

void
vt_frame_state_fini(struct vt_frame_state *st)
{
	vt_palette_unref(st->palette);
	vt_str_unref(st->title);
	vt_str_unref(st->icon);
	vt_str_unref(st->cwd);
	memset(st, 0, sizeof(*st));
}

void
vt_frame_state_copy(
    struct vt_frame_state *dst, const struct vt_frame_state *src)
{
	struct vt_frame_state old = *dst;

	*dst = *src;
	vt_palette_ref(dst->palette);
	vt_str_ref(dst->title);
	vt_str_ref(dst->icon);
	vt_str_ref(dst->cwd);
	vt_frame_state_fini(&old);
}

bool
vt_frame_state_equal(
    const struct vt_frame_state *a, const struct vt_frame_state *b)
{
	return a->x == b->x && a->y == b->y && a->modes == b->modes &&
	       a->cursor_shape == b->cursor_shape &&
	       a->mouse_mode == b->mouse_mode &&
	       a->mouse_encoding == b->mouse_encoding &&
	       a->kitty_flags == b->kitty_flags &&
	       a->modify_other == b->modify_other && a->prompt == b->prompt &&
	       a->progress == b->progress &&
	       a->progress_percent == b->progress_percent &&
	       a->pointer == b->pointer && a->exit_status == b->exit_status &&
	       a->bells == b->bells &&
	       vt_palette_equal(a->palette, b->palette) &&
	       vt_str_equal(a->title, b->title) &&
	       vt_str_equal(a->icon, b->icon) && vt_str_equal(a->cwd, b->cwd);
}
