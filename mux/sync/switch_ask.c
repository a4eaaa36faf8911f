#include "mux/sync/switch_ask.h"

#include <string.h>

#include "base/err.h"
#include "base/pack.h"
#include "mux/sync/frame.h"

void
sync_switch_put_asks(struct buf *out, const struct sync_switch_setup *s)
{
	const struct sync_switch_ask *a;
	unsigned i;

	pack_put_array(out, s->nasks == 0 ? 0 : 1 + s->nasks * 5);
	if (s->nasks == 0)
		return;
	pack_put_bin(out, s->ask_bytes, s->separators);
	for (i = 0; i < s->nasks; i++) {
		a = &s->asks[i];
		pack_put_uint(out, (uint64_t)a->x);
		pack_put_uint(out, (uint64_t)a->y);
		pack_put_uint(out, a->col);
		pack_put_bin(out, s->ask_bytes + a->at, a->text);
		pack_put_bin(out, s->ask_bytes + a->at + a->text, a->line);
	}
}

/* Reads bytes behind those of S; returns how many. */
static unsigned
get_ask_bytes(struct rd *r, struct sync_switch_setup *s)
{
	size_t n = 0;
	const uint8_t *p =
	    pack_get_bin(r, SYNC_SWITCH_ASK_BYTES - s->ask_len, &n);

	if (r->err != 0)
		return 0;
	if (n > 0)
		memcpy(s->ask_bytes + s->ask_len, p, n);
	s->ask_len += n;
	return (unsigned)n;
}

void
sync_switch_get_asks(struct rd *r, struct sync_switch_setup *s)
{
	const uint32_t n = pack_get_array(r, 1 + SYNC_SWITCH_ASKS_MAX * 5);
	struct sync_switch_ask *a;
	uint32_t i;

	if (r->err == 0 && n == 0)
		return;
	if (n % 5 != 1)
		rd_fail(r, -ERR_PEER);
	s->separators = get_ask_bytes(r, s);
	for (i = 0; i < n / 5 && r->err == 0; i++) {
		a = &s->asks[s->nasks++];
		a->x = (int)pack_get_uint(r, VT_COLS_MAX);
		a->y = (int)pack_get_uint(r, VT_ROWS_MAX);
		a->col = (unsigned)pack_get_uint(r, VT_COLS_MAX);
		a->at = (unsigned)s->ask_len;
		a->text = get_ask_bytes(r, s);
		a->line = get_ask_bytes(r, s);
	}
}

void
sync_switch_add_ask(struct sync_switch_setup *s,
    const struct sync_switch_ask *ask, const char *text,
    const struct vt_frame *line)
{
	const size_t len = strlen(text);
	struct sync_switch_ask a = *ask;
	struct buf b;

	bug_assert(s->nasks < SYNC_SWITCH_ASKS_MAX);
	buf_init(&b, SYNC_SWITCH_ASK_BYTES - s->ask_len);
	a.at = (unsigned)s->ask_len;
	a.text = a.line = 0;
	if (buf_add(&b, text, len) == 0 && line != NULL &&
	    sync_frame_diff(NULL, line, &b) == 0 && !b.overflow) {
		memcpy(s->ask_bytes + s->ask_len, b.data, b.len);
		s->ask_len += b.len;
		a.text = (unsigned)len;
		a.line = (unsigned)(b.len - len);
	}
	s->asks[s->nasks++] = a;
	buf_fini(&b);
}

struct vt_frame *
sync_switch_ask_line(
    const struct sync_switch_setup *s, const struct sync_switch_ask *a)
{
	struct vt_frame *f = NULL;
	struct rd r;

	if (a->line == 0)
		return NULL;
	rd_init(&r, s->ask_bytes + a->at + a->text, a->line);
	if (sync_frame_apply(NULL, &r, &f) != 0)
		return NULL;
	if (f->rows == 1 && a->col < f->cols)
		return f;
	vt_frame_unref(f);
	return NULL;
}
