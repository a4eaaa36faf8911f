/*
 * Drawing into a frame: the primitives for status lines, borders and overlays.
 */
#include <string.h>

#include "base/grapheme.h"
#include "mux/vt/frame.h"

struct vt_line *
vt_frame_own(struct vt_frame *f, unsigned y)
{
	bug_assert(f->refs == 1 && y < f->rows);
	return vt_line_own(NULL, &f->lines[y]);
}

static unsigned
frame_style(struct vt_line *line, const struct pen *pen)
{
	return pen == NULL ? 0 : vt_line_style(NULL, line, pen, NULL);
}

void
vt_frame_fill(
    struct vt_frame *f, const struct vt_rect *r, const struct pen *pen)
{
	unsigned y, right = MIN_OF(r->right, (unsigned)f->cols);
	struct vt_line *line;

	if (r->left >= right)
		return;
	for (y = r->top; y < r->bottom && y < f->rows; y++) {
		line = vt_frame_own(f, y);
		if (pen == NULL)
			vt_line_erase(line, r->left, right, 0);
		else
			vt_line_fill(
			    line, r->left, right, ' ', frame_style(line, pen));
	}
}

unsigned
vt_frame_text(struct vt_frame *f, const struct grapheme_table *gt, unsigned x,
    unsigned y, unsigned end, const char *s, size_t n, const struct pen *pen)
{
	return vt_frame_link(f, gt, x, y, end, s, n, pen, "");
}

static bool
is_printable(const char *uri)
{
	for (; *uri != '\0'; uri++)
		if ((unsigned char)*uri < ' ' || *uri == 0x7f)
			return false;
	return true;
}

unsigned
vt_frame_link(struct vt_frame *f, const struct grapheme_table *gt, unsigned x,
    unsigned y, unsigned end, const char *s, size_t n, const struct pen *pen,
    const char *uri)
{
	static const struct pen plain;
	struct vt_link *link = NULL;
	struct vt_line *line;
	unsigned style;
	size_t used;
	int width;

	end = MIN_OF(end, (unsigned)f->cols);
	if (y >= f->rows || x >= end)
		return x;
	line = vt_frame_own(f, y);
	/* security: the client writes the URI to the user's terminal. */
	if (*uri != '\0' && is_printable(uri))
		link = vt_link_new(uri, strlen(uri), "", 0);
	style = link == NULL ? frame_style(line, pen)
			     : vt_line_style(NULL, line,
				   pen != NULL ? pen : &plain, link);
	vt_link_unref(link);
	for (; n > 0; s += used, n -= used) {
		if ((unsigned char)*s < ' ' || *s == 0x7f) {
			used = 1;
			continue;
		}
		used = grapheme_next(gt, (const uint8_t *)s, n, &width);
		if (width <= 0)
			continue;
		if (x + (unsigned)width > end)
			break;
		vt_line_put_cluster(
		    line, x, s, used, width == 2 ? VT_WIDE : VT_NARROW, style);
		x += (unsigned)width;
	}
	return x;
}

void
vt_frame_repeat(struct vt_frame *f, unsigned x, unsigned y, unsigned n,
    uint32_t cp, const struct pen *pen)
{
	struct vt_line *line;

	if (y >= f->rows || x >= f->cols || n == 0)
		return;
	line = vt_frame_own(f, y);
	vt_line_fill(
	    line, x, x + MIN_OF(n, f->cols - x), cp, frame_style(line, pen));
}

void
vt_frame_same_rows(struct vt_frame *f, unsigned y)
{
	unsigned i;

	for (i = y + 1; i < f->rows; i++) {
		vt_line_unref(NULL, f->lines[i]);
		f->lines[i] = vt_line_ref(f->lines[y]);
	}
}

void
vt_frame_blit(struct vt_frame *f, unsigned x, unsigned y,
    const struct vt_frame *src, const struct vt_rect *r)
{
	unsigned i, w, right = MIN_OF(r->right, (unsigned)src->cols);
	unsigned bottom = MIN_OF(r->bottom, (unsigned)src->rows);

	if (r->left >= right || x >= f->cols)
		return;
	w = MIN_OF(right - r->left, f->cols - x);
	for (i = r->top; i < bottom && y + (i - r->top) < f->rows; i++)
		vt_line_copy(NULL, vt_frame_own(f, y + (i - r->top)), x,
		    src->lines[i], r->left, w);
}
