#include "config.h"

#include "base/compiler.h"
#include "base/types.h"

struct cell_rect
cell_rect_clip(const struct cell_rect *a, const struct cell_rect *b)
{
	struct cell_rect r = { 0, 0, 0, 0 };
	int x2, y2;

	r.x = MAX_OF(a->x, b->x);
	r.y = MAX_OF(a->y, b->y);
	x2 = MIN_OF(a->x + a->w, b->x + b->w);
	y2 = MIN_OF(a->y + a->h, b->y + b->h);
	if (x2 > r.x && y2 > r.y) {
		r.w = x2 - r.x;
		r.h = y2 - r.y;
	}
	return r;
}
