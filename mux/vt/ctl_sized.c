/* OSC 66: text in blocks of cells (sized.h). */
#include <string.h>

#include "base/str.h"
#include "mux/vt/print.h"
#include "mux/vt/sized.h"

/*
 * Makes room for ROWS rows from the cursor's on, by scrolling.  Returns false
 * if there is none.
 */
static bool
make_rows(struct vt_term *t, int rows)
{
	const int bottom = t->y > t->bottom ? t->rows - 1 : t->bottom;
	const int over = t->y + rows - 1 - bottom;

	if (over <= 0)
		return true;
	if (bottom != t->bottom || t->y - over < t->top || !vt_x_inside(t))
		return false;
	vt_scroll_up(t, t->top, over);
	t->y -= over;
	return true;
}

static void
put_block(struct vt_term *t, const struct vt_sized *s)
{
	const int w = s->block.scale * s->block.width, h = s->block.scale;
	int edge, i, x;

	if (w > t->cols || h > t->bottom - t->top + 1)
		return;
	/* From here on the screen may have odd rows. */
	vt_odd_begin(t);
	if (!vt_print_block_room(t, w) || !make_rows(t, h))
		return;
	edge = vt_right_edge(t);
	x = t->x;
	for (i = 0; i < h; i++) {
		if (vt_mode_on(t, VT_MODE_IRM) && vt_x_inside(t))
			vt_row_shift(t, t->y + i, x, w, vt_line_insert);
		vt_sized_clear(t, t->y + i, x, x + w, true, false);
		vt_sized_put_row(
		    t, x, t->y + i, s, (unsigned)i, &t->pen, t->link);
		if (x + w >= t->cols)
			vt_row_own(t, t->y + i)->flags &=
			    (uint16_t)~VT_LINE_WRAPPED;
	}
	t->x += w;
	if (t->x > edge) {
		t->x = edge;
		t->wrap = true;
	}
}

/* --- OSC 66 -------------------------------------------------------------------- */

/* Reads "s=2:w=3" into B; returns false for what the protocol does not allow. */
static bool
read_sizes(struct vt_block *b, const char *s, size_t n)
{
	static const struct {
		char key;
		uint8_t min;
		uint8_t max;
		uint8_t at;
	} keys[] = {
		{ 's', 1, VT_BLOCK_SCALE_MAX,
		    offsetof(struct vt_block, scale) },
		{ 'w', 0, VT_BLOCK_WIDTH_MAX,
		    offsetof(struct vt_block, width) },
		{ 'n', 0, VT_BLOCK_FRACTION_MAX,
		    offsetof(struct vt_block, num) },
		{ 'd', 0, VT_BLOCK_FRACTION_MAX,
		    offsetof(struct vt_block, den) },
		{ 'v', 0, VT_BLOCK_ALIGN_MAX,
		    offsetof(struct vt_block, valign) },
		{ 'h', 0, VT_BLOCK_ALIGN_MAX,
		    offsetof(struct vt_block, halign) },
	};
	size_t end, i;
	int64_t v;

	for (; n > 0; s += end, n -= end) {
		if (*s == ':') {
			end = 1;
			continue;
		}
		for (end = 0; end < n && s[end] != ':'; end++)
			;
		for (i = 0; i < ARRAY_LEN(keys) && keys[i].key != *s; i++)
			;
		if (i == ARRAY_LEN(keys))
			continue; /* of a later version of the protocol */
		if (end < 3 || s[1] != '=' ||
		    str_to_intn(s + 2, end - 2, keys[i].min, keys[i].max, &v) !=
			0)
			return false;
		((uint8_t *)b)[keys[i].at] = (uint8_t)v;
	}
	/* Without a fraction the alignment changes nothing. */
	if (b->den == 0 || b->num == 0 || b->num >= b->den)
		b->num = b->den = b->valign = b->halign = 0;
	return true;
}

/* Takes out what no cell may hold; returns the length. */
static size_t
clean_text(const char *s, size_t n, char *out)
{
	size_t i, used, len = 0;
	uint32_t cp;

	for (i = 0; i < n; i += used) {
		used = utf8_decode_final((const uint8_t *)s + i, n - i, &cp);
		if (cp < 0x20 || (cp >= 0x7f && cp < 0xa0) ||
		    (cp & 0xfffe) == 0xfffe || (cp >= 0xfdd0 && cp <= 0xfdef) ||
		    cp == 0xfffd)
			continue;
		memcpy(out + len, s + i, used);
		len += used;
	}
	return len;
}

static void
print_plain(struct vt_term *t, const char *s, size_t n)
{
	uint32_t cp;
	size_t i;

	for (i = 0; i < n;) {
		i += utf8_decode_final((const uint8_t *)s + i, n - i, &cp);
		vt_print_text(t, &cp, 1);
	}
}

/* Puts each cluster of S into a block of its own width. */
static void
put_clusters(struct vt_term *t, const struct vt_sized *s)
{
	struct vt_sized one = *s;
	size_t at = 0;
	int w;

	for (; at < s->len; at += one.len) {
		one.text = s->text + at;
		one.len = grapheme_next(
		    t->graphemes, (const uint8_t *)one.text, s->len - at, &w);
		if (one.len == 0)
			return;
		one.block.width = (uint8_t)w;
		if (w > 0)
			put_block(t, &one);
	}
}

/*
 * OSC 66 ; sizes ; text.  Rows of double size have no blocks.  A letter of ASCII
 * needs none to have its width.
 */
void
vt_osc_sized(struct vt_term *t, int num, const char *s, size_t n)
{
	const char *semi = memchr(s, ';', n);
	struct vt_sized in = { .block = { .scale = 1 } };
	char text[VT_SIZED_TEXT_MAX];
	bool usual;

	if (semi == NULL || n - (size_t)(semi + 1 - s) > sizeof text ||
	    !read_sizes(&in.block, s, (size_t)(semi - s))) {
		vt_unknown(t, "OSC", 0, 0, 0, ' ', num);
		return;
	}
	in.text = text;
	in.len = clean_text(semi + 1, n - (size_t)(semi + 1 - s), text);
	usual = in.block.scale == 1 && in.block.den == 0;
	if (in.len == 0)
		return;
	if ((usual && (in.block.width == 0 ||
			  (in.block.width == 1 && in.len == 1))) ||
	    (vt_row_line(t, t->y)->flags & VT_LINE_DOUBLE_WIDTH) != 0) {
		print_plain(t, text, in.len);
		return;
	}
	if (in.block.width == 0)
		put_clusters(t, &in);
	else
		put_block(t, &in);
	vt_unjoin(t);
	t->last.repeatable = false;
}
