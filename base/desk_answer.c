#include "base/desk_answer.h"

#include "base/compiler.h"
#include "base/wire.h"

#define HEAD_MAX 32 /* bytes before the text */

void
desk_answer_put(struct buf *b, const struct desk_answer *a)
{
	uint8_t fixed[HEAD_MAX];
	struct wr w;

	wr_init(&w, fixed, sizeof(fixed));
	wr_varint(&w, DESK_VERSION);
	wr_u8(&w, a->ok);
	wr_varint(&w, a->ntext);
	(void)buf_add(b, fixed, wr_len(&w));
	if (a->ntext > 0)
		(void)buf_add(b, a->text, a->ntext);
}

void
desk_answer_frame(struct buf *b, const struct desk_answer *a)
{
	uint8_t head[4];
	struct buf body;
	struct wr w;

	buf_init(&body, DESK_FRAME_MAX);
	desk_answer_put(&body, a);
	wr_init(&w, head, sizeof(head));
	wr_u32(&w, (uint32_t)body.len);
	(void)buf_add(b, head, sizeof(head));
	(void)buf_add(b, body.data, body.len);
	buf_fini(&body);
}

int
desk_answer_get(struct desk_answer *a, const uint8_t *p, size_t n)
{
	uint64_t version, len;
	struct rd r;

	rd_init(&r, p, n);
	version = rd_varint(&r);
	if (r.err == 0 && version != DESK_VERSION)
		return -ERR_UNSUPPORTED;
	a->ok = rd_u8(&r) != 0;
	len = rd_varint(&r);
	peer_check(r.err == 0 && len <= rd_left(&r));
	a->ntext = (size_t)len;
	a->text = (const char *)rd_bytes(&r, a->ntext);
	return rd_done(&r) == 0 ? 0 : -ERR_PEER;
}
