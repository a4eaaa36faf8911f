#include "mux/sync/opening.h"

#include "base/err.h"
#include "mux/sync/cells.h"
#include "mux/sync/copy.h"
#include "mux/sync/tail.h"

void
sync_opening_fini(struct sync_opening *o)
{
	vt_str_unref(o->state);
	vt_str_unref(o->setup);
	vt_str_unref(o->asks);
	*o = (struct sync_opening){ 0 };
}

/* Hashes the rows of F, after those of SEED. */
static uint64_t
hash_rows(const struct vt_frame *f, uint64_t seed)
{
	struct buf b;
	unsigned y;

	buf_init(&b, BUF_MAX);
	for (y = 0; y < f->rows; y++) {
		buf_clear(&b);
		/* The encoding leaves out marks of prompts. */
		sync_tail_encode(f->lines[y], &b);
		seed = sync_tail_hash(seed, b.data, b.len);
	}
	buf_fini(&b);
	return seed;
}

uint64_t
sync_opening_screen(const struct vt_frame *f)
{
	uint8_t at[16];
	struct wr w;

	wr_init(&w, at, sizeof(at));
	wr_varint(&w, f->state.x);
	wr_varint(&w, f->state.y);
	return hash_rows(f, sync_tail_hash(0, at, wr_len(&w)));
}

bool
sync_opening_same(const struct vt_frame *a, const struct vt_frame *b)
{
	return a->cols == b->cols && a->rows == b->rows &&
	       hash_rows(a, 0) == hash_rows(b, 0);
}

/* --- the body ------------------------------------------------------------------ */

static void
put_str(struct buf *out, const struct vt_str *s)
{
	const size_t n = s == NULL ? 0 : s->len;

	sync_put_varint(out, n);
	(void)buf_add(out, vt_str_text(s), n);
}

bool
sync_opening_put(struct buf *out, const struct sync_opening *o)
{
	const size_t before = out->len;
	uint8_t screen[8];
	struct wr w;

	sync_put_varint(out, o->pane);
	wr_init(&w, screen, sizeof(screen));
	wr_u64(&w, o->screen);
	(void)buf_add(out, screen, sizeof(screen));
	put_str(out, o->state);
	put_str(out, o->setup);
	if (o->setup != NULL)
		put_str(out, o->asks);
	return !out->overflow && out->len - before <= SYNC_OPENING_MAX;
}

/* Reads a string of at most MAX bytes. */
static struct vt_str *
get_str(struct rd *r, size_t max)
{
	const uint64_t n = rd_varint(r);
	const uint8_t *p;

	if (r->err == 0 && n > max)
		rd_fail(r, -ERR_PEER);
	p = r->err == 0 ? rd_bytes(r, (size_t)n) : NULL;
	return p == NULL ? NULL : vt_str_new((const char *)p, (size_t)n);
}

int
sync_opening_get(const void *p, size_t n, struct sync_opening *o)
{
	struct rd r;
	uint64_t pane;

	rd_init(&r, p, n);
	pane = rd_varint(&r);
	o->screen = rd_u64(&r);
	o->state = get_str(&r, SYNC_COPY_STATE_MAX);
	o->setup = get_str(&r, SYNC_COPY_SETUP_MAX);
	if (o->setup != NULL)
		o->asks = get_str(&r, SYNC_COPY_ASKS_MAX);
	o->pane = (uint32_t)pane;
	if (rd_done(&r) == 0 && pane <= UINT32_MAX && o->state != NULL)
		return 0;
	sync_opening_fini(o);
	return -ERR_PEER;
}

/* --- the message --------------------------------------------------------------- */

void
sync_opening_put_message(struct buf *out, const struct sync_opening_message *m)
{
	(void)buf_add_u8(out, SYNC_OPENING_KIND);
	(void)buf_add_u8(out, m->form);
	sync_put_varint(out, m->raw);
	(void)buf_add(out, m->body, m->len);
}

int
sync_opening_get_message(struct rd *r, struct sync_opening_message *m)
{
	uint64_t raw;

	peer_check(rd_u8(r) == SYNC_OPENING_KIND);
	m->form = rd_u8(r);
	raw = rd_varint(r);
	peer_check(r->err == 0 && m->form <= 2 && raw <= SYNC_OPENING_MAX);
	m->raw = (uint32_t)raw;
	m->len = rd_left(r);
	m->body = rd_bytes(r, m->len);
	peer_check(m->form != 0 || m->len == m->raw);
	return rd_done(r);
}
