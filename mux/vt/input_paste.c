/*
 * Pasted text of input_encode.h.  The filter works on code points.
 */
#include "base/err.h"
#include "base/utf8.h"
#include "mux/vt/input_encode.h"

static const char paste_start[] = "\033[200~";
static const char paste_stop[] = "\033[201~";

struct paste_filter {
	unsigned flags; /* enum vt_paste_flag */
	bool bracketed;
	bool cr; /* the last byte was CR */
};

/* Writes one byte of a line end; CR LF without brackets becomes one CR. */
static int
paste_line_end(struct buf *out, struct paste_filter *p, uint32_t cp)
{
	bool after_cr = p->cr;

	p->cr = cp == '\r';
	if (cp == '\r' || p->bracketed || (p->flags & VT_PASTE_KEEP_LF))
		return buf_add_u8(out, (uint8_t)cp);
	return after_cr ? 0 : buf_add_u8(out, '\r');
}

static bool
paste_is_control(const struct paste_filter *p, uint32_t cp)
{
	if (cp == '\t' || (cp >= 0x20 && cp < 0x7f) || cp >= 0xa0)
		return false;
	/* security: raw or not, nothing may begin a sequence in brackets. */
	if (p->flags & VT_PASTE_RAW)
		return cp == 0x1b || cp >= 0x80;
	return true;
}

static int
paste_cp(struct buf *out, struct paste_filter *p, uint32_t cp)
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
paste_raw(
    struct buf *out, struct paste_filter *p, const uint8_t *data, size_t n)
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

/* Writes a paste, filtered. */
static int
paste_filtered(
    struct buf *out, struct paste_filter *p, const uint8_t *data, size_t n)
{
	size_t i = 0, run;
	uint32_t cp;
	int r;

	while (i < n) {
		if ((run = utf8_ascii_run(data + i, n - i)) > 0) {
			if ((r = buf_add(out, data + i, run)) != 0)
				return r;
			p->cr = false;
			i += run;
			continue;
		}
		i += utf8_decode_final(data + i, n - i, &cp);
		if ((r = paste_cp(out, p, cp)) != 0)
			return r;
	}
	return 0;
}

int
vt_input_paste(struct buf *out, const struct vt_input_modes *m,
    const void *data, size_t n, unsigned flags)
{
	struct paste_filter p = { flags, m->bracketed_paste, false };
	size_t before = out->len;
	int r = 0;

	if (p.bracketed)
		r = buf_add(out, paste_start, sizeof(paste_start) - 1);
	if (r == 0 && !p.bracketed && (flags & VT_PASTE_RAW) != 0)
		r = paste_raw(out, &p, data, n);
	else if (r == 0)
		r = paste_filtered(out, &p, data, n);
	if (r == 0 && p.bracketed)
		r = buf_add(out, paste_stop, sizeof(paste_stop) - 1);
	if (r != 0)
		buf_truncate(out, before);
	return r;
}
