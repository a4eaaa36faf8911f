#include "mux/mode/wire_pen.h"

#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/pack.h"
#include "base/utf8.h"

void
wire_pen_put(struct buf *out, const struct pen *p)
{
	pack_put_uint(out, p->fg);
	pack_put_uint(out, p->bg);
	pack_put_uint(out, p->ul);
	pack_put_uint(out, p->attrs);
}

static bool
colour_ok(colour c)
{
	switch (colour_kind(c)) {
	case COLOUR_KIND_DEFAULT:
	case COLOUR_KIND_TERMINAL:
	case COLOUR_KIND_NONE:
		return (c & 0xffffff) == 0;
	case COLOUR_KIND_INDEX:
		return (c & 0xffffff) < 256;
	case COLOUR_KIND_RGB:
		return true;
	case COLOUR_KIND_THEME:
	default:
		return false;
	}
}

colour
wire_colour_get(struct rd *r)
{
	const colour c = (colour)pack_get_uint(r, UINT32_MAX);

	if (r->err == 0 && !colour_ok(c))
		rd_fail(r, -ERR_PEER);
	return c;
}

struct pen
wire_pen_get(struct rd *r)
{
	const uint32_t all = PEN_PROTECTED * 2 - 1;
	struct pen p;

	p.fg = wire_colour_get(r);
	p.bg = wire_colour_get(r);
	p.ul = wire_colour_get(r);
	p.attrs = (uint32_t)pack_get_uint(r, UINT32_MAX);
	if (r->err == 0 &&
	    ((p.attrs & ~all) != 0 || pen_underline(&p) > PEN_UL_DASHED))
		rd_fail(r, -ERR_PEER);
	return p;
}

char *
wire_text_get(struct rd *r, size_t max)
{
	size_t len = 0;
	const char *s = pack_get_str(r, max, &len);

	if (r->err == 0 &&
	    (memchr(s, '\0', len) != NULL || !utf8_valid(s, len)))
		rd_fail(r, -ERR_PEER);
	return r->err != 0 ? NULL : mem_strndup(s, len);
}
