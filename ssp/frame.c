#include "ssp/frame.h"

#include "base/err.h"

int
ssp_frame_next(struct rd *r, struct ssp_frame *f)
{
	uint64_t len;

	if (rd_left(r) == 0)
		return 0;
	f->type = rd_varint(r);
	if (r->err == 0 && f->type == SSP_FRAME_PAD)
		return 0;
	len = rd_varint(r);
	peer_check(r->err == 0 && len <= rd_left(r));
	f->len = (size_t)len;
	f->body = rd_bytes(r, f->len);
	return 1;
}

void
ssp_frame_put(struct wr *w, uint64_t type, const void *body, size_t len)
{
	if (ssp_frame_size(type, len) > wr_left(w)) {
		w->err = -ERR_LIMIT;
		return;
	}
	wr_varint(w, type);
	wr_varint(w, len);
	wr_bytes(w, body, len);
}

size_t
ssp_frame_size(uint64_t type, size_t len)
{
	return wire_varint_len(type) + wire_varint_len(len) + len;
}
