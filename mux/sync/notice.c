#include "mux/sync/notice.h"

#include <string.h>

#include "base/pack.h"
#include "base/utf8.h"

enum notice_item {
	NOTICE_FLAGS = 0,
	NOTICE_URGENCY = 1,
	NOTICE_EXPIRES = 2,
	NOTICE_ID = 3,
	NOTICE_TITLE = 4,
	NOTICE_BODY = 5,
	NOTICE_BUTTONS = 6,
	NOTICE_ITEMS = 7, /* items in all; a reader skips further ones */
};

#define NOTICE_ITEMS_MAX 64

void
sync_notice_encode(struct buf *b, const struct sync_notice *nt)
{
	const struct sync_notice_str *const texts[] = { &nt->id, &nt->title,
		&nt->body, &nt->buttons };
	size_t i;

	pack_put_array(b, NOTICE_ITEMS);
	pack_put_uint(b, nt->flags);
	pack_put_uint(b, nt->urgency);
	pack_put_int(b, nt->expires);
	for (i = 0; i < ARRAY_LEN(texts); i++)
		pack_put_str(b, texts[i]->p == NULL ? "" : texts[i]->p,
		    MIN_OF(texts[i]->n, (size_t)SYNC_NOTICE_TEXT_MAX));
}

static void
get_text(struct rd *r, struct sync_notice_str *s, bool *good)
{
	s->p = pack_get_str(r, SYNC_NOTICE_TEXT_MAX, &s->n);
	if (s->p == NULL) {
		s->n = 0;
		return;
	}
	*good &= utf8_valid(s->p, s->n) && !utf8_has_control(s->p, s->n);
}

/* security: an id is written to the terminal as it is. */
static bool
id_good(const struct sync_notice_str *id)
{
	static const char safe[] = "abcdefghijklmnopqrstuvwxyz"
				   "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				   "0123456789-_+.";
	size_t i;

	for (i = 0; i < id->n; i++)
		if (id->p[i] == '\0' || strchr(safe, id->p[i]) == NULL)
			return false;
	return id->n > 0 && id->n <= 64;
}

int
sync_notice_decode(struct sync_notice *nt, const void *p, size_t n)
{
	struct rd r;
	uint32_t count, i;
	bool good = true;

	memset(nt, 0, sizeof(*nt));
	rd_init(&r, p, n);
	count = pack_get_array(&r, NOTICE_ITEMS_MAX);
	if (count < NOTICE_ITEMS)
		return -ERR_PEER;
	nt->flags = (uint32_t)pack_get_uint(&r, UINT32_MAX);
	nt->urgency = (uint32_t)pack_get_uint(&r, 2);
	nt->expires = pack_get_int(&r);
	get_text(&r, &nt->id, &good);
	get_text(&r, &nt->title, &good);
	get_text(&r, &nt->body, &good);
	get_text(&r, &nt->buttons, &good);
	for (i = NOTICE_ITEMS; i < count && r.err == 0; i++)
		pack_skip(&r);
	if (r.err != 0 || !good || !id_good(&nt->id) || nt->expires < -1 ||
	    nt->expires > INT32_MAX)
		return -ERR_PEER;
	return 0;
}
