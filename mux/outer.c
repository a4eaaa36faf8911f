#include "mux/outer.h"

#include "base/mem.h"

void
outer_init(struct outer *o)
{
	o->cell_w = o->cell_h = 0;
	o->theme = (struct vt_theme){ VT_PALETTE_UNSET, VT_PALETTE_UNSET,
		VT_PALETTE_UNSET, true };
	o->palette = NULL;
}

void
outer_fini(struct outer *o)
{
	vt_palette_unref(o->palette);
	outer_init(o);
}

void
outer_size(struct outer *o, const uint16_t size[4])
{
	if (size[0] == 0 || size[1] == 0 || size[2] / size[0] == 0 ||
	    size[3] / size[1] == 0)
		return;
	o->cell_w = MIN_OF(size[2] / size[0], 1000);
	o->cell_h = MIN_OF(size[3] / size[1], 1000);
}

void
outer_copy(struct outer *to, const struct outer *from)
{
	struct vt_palette *palette = vt_palette_ref(from->palette);

	vt_palette_unref(to->palette);
	to->palette = palette;
	to->theme = from->theme;
	to->cell_w = from->cell_w;
	to->cell_h = from->cell_h;
}

bool
outer_equal(const struct outer *a, const struct outer *b)
{
	return a->cell_w == b->cell_w && a->cell_h == b->cell_h &&
	       a->theme.fg == b->theme.fg && a->theme.bg == b->theme.bg &&
	       a->theme.cursor == b->theme.cursor &&
	       a->theme.dark == b->theme.dark &&
	       vt_palette_equal(a->palette, b->palette);
}

/* The place of colour I, or NULL. */
static uint32_t *
outer_slot(struct outer *o, unsigned i)
{
	switch (i) {
	case VT_DYN_FG:
		return &o->theme.fg;
	case VT_DYN_BG:
		return &o->theme.bg;
	case VT_DYN_CURSOR:
		return &o->theme.cursor;
	default:
		return i < 256 ? &vt_palette_own(&o->palette)->rgb[i] : NULL;
	}
}

unsigned
outer_read(struct outer *o, const void *p, size_t n)
{
	const uint8_t *b = p;
	unsigned count = 0;
	uint32_t *slot;

	for (; n >= OUTER_BYTES; b += OUTER_BYTES, n -= OUTER_BYTES) {
		slot = outer_slot(o, (unsigned)b[0] << 8 | b[1]);
		if (slot == NULL)
			continue;
		*slot = (uint32_t)b[2] << 16 | (uint32_t)b[3] << 8 | b[4];
		count++;
	}
	return count;
}

/* The pixel of a cell of FROM pixels as one of a cell of TO pixels. */
static int
pixel_into(int pixel, int cell, int x, int from, int to)
{
	int in_cell = pixel - cell * from;

	if (pixel < 0 || from <= 0 || to <= 0)
		return -1;
	return x * to + CLAMP(in_cell, 0, from - 1) * to / from;
}

void
outer_mouse(struct mouse_event *ev, int x, int y, const struct outer *client,
    const struct outer *target)
{
	const int col = ev->x, row = ev->y;

	ev->x -= x;
	ev->y -= y;
	ev->px = pixel_into(ev->px, col, ev->x, client->cell_w, target->cell_w);
	ev->py = pixel_into(ev->py, row, ev->y, client->cell_h, target->cell_h);
}
