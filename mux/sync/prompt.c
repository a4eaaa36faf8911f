#include "mux/sync/prompt.h"

#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/pack.h"
#include "base/utf8.h"

#define PROMPT_ITEMS 6
#define PROMPT_SEPARATORS_MAX 1024

struct sync_prompt *
sync_prompt_new(const struct sync_prompt *p)
{
	struct sync_prompt *n = mem_dup(p, sizeof(*p));

	n->refs = 1;
	return n;
}

struct sync_prompt *
sync_prompt_ref(struct sync_prompt *p)
{
	if (p != NULL)
		p->refs++;
	return p;
}

void
sync_prompt_unref(struct sync_prompt *p)
{
	if (p == NULL || --p->refs > 0)
		return;
	vt_str_unref(p->text);
	vt_str_unref(p->separators);
	mem_free(p);
}

bool
sync_prompt_equal(const struct sync_prompt *a, const struct sync_prompt *b)
{
	if (a == b)
		return true;
	return a != NULL && b != NULL && a->surface == b->surface &&
	       a->seen == b->seen && a->at == b->at && a->x == b->x &&
	       vt_str_equal(a->text, b->text) &&
	       vt_str_equal(a->separators, b->separators);
}

static void
put_str(struct buf *b, const struct vt_str *s)
{
	pack_put_str(b, vt_str_text(s), s == NULL ? 0 : s->len);
}

void
sync_prompt_put(struct buf *b, const struct sync_prompt *p)
{
	pack_put_array(b, p == NULL ? 0 : PROMPT_ITEMS);
	if (p == NULL)
		return;
	pack_put_uint(b, p->surface);
	pack_put_uint(b, p->seen);
	pack_put_uint(b, p->x);
	pack_put_uint(b, p->at);
	put_str(b, p->text);
	put_str(b, p->separators);
}

static struct vt_str *
get_str(struct rd *r, size_t max)
{
	size_t len = 0;
	const char *s = pack_get_str(r, max, &len);

	return r->err != 0 ? NULL : vt_str_new(s, len);
}

int
sync_prompt_get(struct rd *r, struct sync_prompt **slot)
{
	struct sync_prompt p = { 0 };
	uint32_t n, i;

	sync_prompt_unref(*slot);
	*slot = NULL;
	n = pack_get_array(r, 64);
	if (r->err != 0 || n == 0)
		return r->err;
	peer_check(n >= PROMPT_ITEMS);
	p.surface = pack_get_uint(r, UINT64_MAX);
	p.seen = pack_get_uint(r, UINT64_MAX);
	p.x = (uint16_t)pack_get_uint(r, UINT16_MAX);
	p.at = (uint32_t)pack_get_uint(r, SYNC_PROMPT_MAX);
	p.text = get_str(r, SYNC_PROMPT_MAX);
	p.separators = get_str(r, PROMPT_SEPARATORS_MAX);
	for (i = PROMPT_ITEMS; i < n; i++)
		pack_skip(r);
	if (r->err == 0 && (p.at > (p.text == NULL ? 0 : p.text->len) ||
			       !utf8_valid(vt_str_text(p.text),
				   p.text == NULL ? 0 : p.text->len)))
		rd_fail(r, -ERR_PEER);
	*slot = sync_prompt_new(&p);
	return r->err;
}
