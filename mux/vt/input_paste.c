/*
 * Pasted text of input_encode.h.  The filter works on code points: it keeps the
 * beginning of a code point that the end of a piece cuts, so that two pieces
 * cannot combine to a C1 control or the end marker.
 */
#include <string.h>

#include "base/err.h"
#include "base/utf8.h"
#include "mux/vt/input_encode.h"

static const char paste_start[] = "\033[200~";
static const char paste_stop[] = "\033[201~";

int
vt_input_paste_begin(struct buf *out, const struct vt_input_modes *m,
    struct vt_paste *p, unsigned flags)
{
	memset(p, 0, sizeof(*p));
	p->flags = flags;
	p->bracketed = m->bracketed_paste;
	if (!p->bracketed)
		return 0;
	return buf_add(out, paste_start, sizeof(paste_start) - 1);
}

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

/* Completes a code point that the last piece cut.  Out: bytes of DATA used. */
static int
paste_held(struct buf *out, struct vt_paste *p, const uint8_t *data, size_t n,
    size_t *used)
{
	uint8_t b[2 * UTF8_MAX];
	size_t take = MIN_OF(n, UTF8_MAX), len, k;
	uint32_t cp;
	int r;

	*used = 0;
	while (p->nheld > 0) {
		memcpy(b, p->held, p->nheld);
		memcpy(b + p->nheld, data, take);
		len = p->nheld + take;
		k = utf8_decode(b, len, &cp);
		if (k == UTF8_INCOMPLETE) {
			memcpy(p->held, b, len);
			p->nheld = (uint8_t)len;
			*used = take;
			return 0;
		}
		if ((r = paste_cp(out, p, cp)) != 0)
			return r;
		if (k >= p->nheld) {
			*used = k - p->nheld;
			p->nheld = 0;
		} else {
			p->nheld = (uint8_t)(p->nheld - k);
			memmove(p->held, p->held + k, p->nheld);
		}
	}
	return 0;
}

int
vt_input_paste_data(
    struct buf *out, struct vt_paste *p, const void *data, size_t n)
{
	const uint8_t *b = data;
	size_t i = 0, run, k;
	uint32_t cp;
	int r;

	if (n == 0)
		return 0;
	if (!p->bracketed && (p->flags & VT_PASTE_RAW))
		return paste_raw(out, p, b, n);
	if (p->nheld > 0 && (r = paste_held(out, p, b, n, &i)) != 0)
		return r;
	while (i < n) {
		if ((run = utf8_ascii_run(b + i, n - i)) > 0) {
			if ((r = buf_add(out, b + i, run)) != 0)
				return r;
			p->cr = false;
			i += run;
			continue;
		}
		k = utf8_decode(b + i, n - i, &cp);
		if (k == UTF8_INCOMPLETE) {
			p->nheld = (uint8_t)MIN_OF(n - i, sizeof(p->held));
			memcpy(p->held, b + i, p->nheld);
			return 0;
		}
		if ((r = paste_cp(out, p, cp)) != 0)
			return r;
		i += k;
	}
	return 0;
}

int
vt_input_paste_end(struct buf *out, struct vt_paste *p)
{
	size_t i = 0;
	uint32_t cp;
	int r;

	while (i < p->nheld) {
		i += utf8_decode_final(p->held + i, p->nheld - i, &cp);
		if ((r = paste_cp(out, p, cp)) != 0)
			return r;
	}
	p->nheld = 0;
	if (!p->bracketed)
		return 0;
	return buf_add(out, paste_stop, sizeof(paste_stop) - 1);
}

int
vt_input_paste(struct buf *out, const struct vt_input_modes *m,
    const void *data, size_t n, unsigned flags)
{
	size_t before = out->len;
	struct vt_paste p;
	int r;

	if ((r = vt_input_paste_begin(out, m, &p, flags)) != 0)
		return r;
	if ((r = vt_input_paste_data(out, &p, data, n)) != 0 ||
	    (r = vt_input_paste_end(out, &p)) != 0)
		buf_truncate(out, before);
	return r;
}
