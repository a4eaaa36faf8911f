#include "mux/view/box.h"

#include <string.h>

#include "base/mem.h"
#include "mux/view/text.h"

enum box_part {
	BOX_ACROSS,
	BOX_DOWN,
	BOX_TOP_LEFT,
	BOX_TOP_RIGHT,
	BOX_BOTTOM_LEFT,
	BOX_BOTTOM_RIGHT,
	BOX_JOIN_LEFT,
	BOX_JOIN_RIGHT,
	BOX_PARTS
};

static const uint16_t box_chars[][BOX_PARTS] = {
	[VIEW_BOX_SINGLE] = { 0x2500, 0x2502, 0x250c, 0x2510, 0x2514, 0x2518,
	    0x251c, 0x2524 },
	[VIEW_BOX_DOUBLE] = { 0x2550, 0x2551, 0x2554, 0x2557, 0x255a, 0x255d,
	    0x2560, 0x2563 },
	[VIEW_BOX_HEAVY] = { 0x2501, 0x2503, 0x250f, 0x2513, 0x2517, 0x251b,
	    0x2523, 0x252b },
	[VIEW_BOX_SIMPLE] = { '-', '|', '+', '+', '+', '+', '+', '+' },
	[VIEW_BOX_ROUNDED] = { 0x2500, 0x2502, 0x256d, 0x256e, 0x2570, 0x256f,
	    0x251c, 0x2524 },
	[VIEW_BOX_PADDED] = { ' ', ' ', ' ', ' ', ' ', ' ', ' ', ' ' },
	[VIEW_BOX_NONE] = { ' ', ' ', ' ', ' ', ' ', ' ', ' ', ' ' },
};

void
view_box_look_init(struct view_box_look *look)
{
	*look = (struct view_box_look){ .lines = -1 };
}

void
view_box_look_fini(struct view_box_look *look)
{
	mem_free(look->style);
	mem_free(look->border);
	mem_free(look->selected);
	view_box_look_init(look);
}

struct pen
view_box_pen(const struct view_context *cx, const struct options *o,
    const char *own, enum option_id id)
{
	static const struct pen plain;
	const struct pen option = view_text_style(cx, o, id, &plain);
	struct pen pen;

	if (own == NULL || strcmp(own, "default") == 0)
		return option;
	pen = view_text_pen(cx, NULL, own, &plain);
	pen.attrs = option.attrs;
	return pen;
}

/* Draws a row of the border: both ends and the line between. */
static void
draw_row(struct vt_frame *f, unsigned y, const uint16_t *chars,
    enum box_part left, enum box_part right, const struct pen *pen)
{
	unsigned last = f->cols - 1u;

	vt_frame_repeat(f, 0, y, f->cols, chars[BOX_ACROSS], pen);
	vt_frame_repeat(f, 0, y, 1, chars[left], pen);
	vt_frame_repeat(f, last, y, 1, chars[right], pen);
}

void
view_box_draw(const struct view_context *cx, struct vt_frame *f,
    enum view_box_lines lines, const char *title, const struct pen *pen)
{
	const uint16_t *chars = box_chars[lines];
	unsigned y;

	if (f->cols < 2 || f->rows < 2)
		return;
	draw_row(f, 0, chars, BOX_TOP_LEFT, BOX_TOP_RIGHT, pen);
	for (y = 1; y + 1 < f->rows; y++) {
		vt_frame_repeat(f, 0, y, 1, chars[BOX_DOWN], pen);
		vt_frame_repeat(f, f->cols - 1u, y, 1, chars[BOX_DOWN], pen);
	}
	draw_row(
	    f, f->rows - 1u, chars, BOX_BOTTOM_LEFT, BOX_BOTTOM_RIGHT, pen);
	if (*title != '\0' && f->cols > 4)
		view_text_put(cx, f, 2, 0, f->cols - 4, title, pen);
}

void
view_box_rule(struct vt_frame *f, unsigned y, enum view_box_lines lines,
    const struct pen *pen)
{
	if (f->cols >= 2)
		draw_row(
		    f, y, box_chars[lines], BOX_JOIN_LEFT, BOX_JOIN_RIGHT, pen);
}
