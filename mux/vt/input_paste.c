/*
 * Pasted text of input_encode.h.  The filter works on code points.
 */
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "mux/vt/input_encode.h"

static const char paste_start[] = "\033[200~";
static const char paste_stop[] = "\033[201~";

/* Writes one byte of a line end; CR LF without brackets becomes one CR. */
static int
paste_line_end(struct buf *out, struct vt_paste *p, uint32_t cp)
{
	bool after_cr = p->cr;

	p->cr = cp == '\r';
	if (cp == '\r' || p->bracketed || (p->flags & VT_PASTE_KEEP_LF))
		return buf_add_u8(out, (uint8_t)cp);
	return after_cr ? 0 : buf_add_u8(out, '\r');
}

static bool
paste_is_control(const struct vt_paste *p, uint32_t cp)
{
	if (cp == '\t' || (cp >= 0x20 && cp < 0x7f) || cp >= 0xa0)
		return false;
	/* security: raw or not, nothing may begin a sequence in brackets. */
	if (p->flags & VT_PASTE_RAW)
		return cp == 0x1b || cp >= 0x80;
	return true;
}

static int
paste_cp(struct buf *out, struct vt_paste *p, uint32_t cp)
{
	uint8_t b[UTF8_MAX];

	if (cp == '\r' || cp == '\n')
		return paste_line_end(out, p, cp);
	p->cr = false;
	if (paste_is_control(p, cp))
		cp = ' ';
	return buf_add(out, b, utf8_encode(cp, b));
}

/* Writes a raw paste without brackets: changes only line ends. */
static int
paste_raw(struct buf *out, struct vt_paste *p, const uint8_t *data, size_t n)
{
	size_t i;
	int r;

	for (i = 0; i < n; i++) {
		if (data[i] == '\r' || data[i] == '\n')
			r = paste_line_end(out, p, data[i]);
		else {
			p->cr = false;
			r = buf_add_u8(out, data[i]);
		}
		if (r != 0)
			return r;
	}
	return 0;
}

/* Completes the code point that the last piece cut; returns the bytes used. */
static size_t
paste_part(struct buf *out, struct vt_paste *p, const uint8_t *data, size_t n,
    int *err)
{
	uint32_t cp;
	size_t used, before = p->npart, take = MIN_OF(n, UTF8_MAX - before);

	memcpy(p->part + before, data, take);
	used = utf8_decode(p->part, before + take, &cp);
	if (used == UTF8_INCOMPLETE) {
		p->npart = (uint8_t)(before + take);
		return take;
	}
	p->npart = 0;
	*err = paste_cp(out, p, cp);
	/* An ill-formed beginning ends before the first byte of this piece. */
	return used > before ? used - before : 0;
}

/* Writes a piece of a paste, filtered. */
static int
paste_filtered(
    struct buf *out, struct vt_paste *p, const uint8_t *data, size_t n)
{
	size_t i = 0, run;
	uint32_t cp;
	int r = 0;

	if (p->npart > 0 && n > 0)
		i = paste_part(out, p, data, n, &r);
	while (i < n && r == 0) {
		if ((run = utf8_ascii_run(data + i, n - i)) > 0) {
			r = buf_add(out, data + i, run);
			p->cr = false;
			i += run;
			continue;
		}
		if ((run = utf8_decode(data + i, n - i, &cp)) ==
		    UTF8_INCOMPLETE) {
			p->npart = (uint8_t)(n - i);
			memcpy(p->part, data + i, n - i);
			break;
		}
		i += run;
		r = paste_cp(out, p, cp);
	}
	return r;
}

int
vt_paste_begin(struct vt_paste *p, struct buf *out,
    const struct vt_input_modes *m, unsigned flags)
{
	*p = (struct vt_paste){ .flags = flags,
		.bracketed = m->bracketed_paste };
	return p->bracketed ? buf_add(out, paste_start, sizeof(paste_start) - 1)
			    : 0;
}

int
vt_paste_add(struct vt_paste *p, struct buf *out, const void *data, size_t n)
{
	return !p->bracketed && (p->flags & VT_PASTE_RAW) != 0
		   ? paste_raw(out, p, data, n)
		   : paste_filtered(out, p, data, n);
}

int
vt_paste_end(struct vt_paste *p, struct buf *out)
{
	int r = 0;

	if (p->npart > 0)
		r = paste_cp(out, p, UTF8_REPLACEMENT);
	p->npart = 0;
	if (r == 0 && p->bracketed)
		r = buf_add(out, paste_stop, sizeof(paste_stop) - 1);
	return r;
}

int
vt_input_paste(struct buf *out, const struct vt_input_modes *m,
    const void *data, size_t n, unsigned flags)
{
	struct vt_paste p;
	size_t before = out->len;
	int r;

	if ((r = vt_paste_begin(&p, out, m, flags)) == 0 &&
	    (r = vt_paste_add(&p, out, data, n)) == 0)
		r = vt_paste_end(&p, out);
	if (r != 0)
		buf_truncate(out, before);
	return r;
}
