#include "ssp/instruction.h"

#include <sodium.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/wire.h"

static_assert(SSP_INS_KINDS <= 8, "the kind has three bits");

/* Minimum bytes of a difference longer than the new state might be, packed. */
#define INS_NEW_FROM 256

/* Low half of SipHash-2-4 with a zero key: the hash of the protocol. */
static uint32_t
ins_hash(const uint8_t *data, size_t len)
{
	static const uint8_t key[crypto_shorthash_KEYBYTES];
	uint8_t h[crypto_shorthash_BYTES];

	crypto_shorthash(h, len > 0 ? data : key, len, key);
	return h[0] | (uint32_t)h[1] << 8 | (uint32_t)h[2] << 16 |
	       (uint32_t)h[3] << 24;
}

bool
ssp_ins_has_save(const struct ssp_object_ops *ops)
{
	return ops->save != NULL && ops->load != NULL &&
	       ops->subtract == NULL && ops->save_max > 0;
}

static bool
ins_needs_old(enum ssp_ins_kind kind)
{
	return kind != SSP_INS_FULL && kind != SSP_INS_ZFULL;
}

static bool
ins_is_packed(enum ssp_ins_kind kind)
{
	return kind != SSP_INS_DIFF && kind != SSP_INS_FULL;
}

/* Returns whether an instruction of this kind says its diff to both ends. */
static bool
ins_has_diff(enum ssp_ins_kind kind)
{
	return kind == SSP_INS_DIFF || kind == SSP_INS_ZDIFF ||
	       kind == SSP_INS_ZTRAIL;
}

/* Appends header and body. */
static int
ins_put(const struct ssp_ins *ins, struct buf *out)
{
	uint8_t head[SSP_INS_HEAD_MAX];
	struct wr w;
	int r;

	wr_init(&w, head, sizeof head);
	wr_u8(&w,
	    (uint8_t)((unsigned)ins->kind | (ins->whole ? SSP_INS_WHOLE : 0) |
		      (ins->has_hash ? SSP_INS_HASH : 0) |
		      (ins->past ? SSP_INS_PAST : 0)));
	wr_varint(&w, ins->new_num);
	wr_varint(&w, ins->new_num - ins->old_num);
	wr_varint(&w, ins->old_num - ins->throwaway);
	if (ins_is_packed(ins->kind))
		wr_varint(&w, ins->raw_len);
	if (ins->has_hash)
		wr_u32(&w, ins->hash);
	bug_assert(w.err == 0);
	if ((r = buf_add(out, head, wr_len(&w))) != 0)
		return r;
	return buf_add(out, ins->body, ins->len);
}

int
ssp_ins_get(struct ssp_ins *ins, const uint8_t *data, size_t len)
{
	struct rd r;
	uint64_t d, t, raw = 0;
	uint8_t b;

	rd_init(&r, data, len);
	b = rd_u8(&r);
	peer_check((b & 7) < SSP_INS_KINDS);
	ins->kind = (enum ssp_ins_kind)(b & 7);
	ins->whole = (b & SSP_INS_WHOLE) != 0;
	ins->has_hash = (b & SSP_INS_HASH) != 0;
	ins->past = (b & SSP_INS_PAST) != 0;
	ins->new_num = rd_varint(&r);
	d = rd_varint(&r);
	t = rd_varint(&r);
	if (ins_is_packed(ins->kind))
		raw = rd_varint(&r);
	ins->hash = ins->has_hash ? rd_u32(&r) : 0;
	peer_check(r.err == 0);
	peer_check(ins->new_num > 0 && d <= ins->new_num);
	peer_check((d > 0) == ins_needs_old(ins->kind));
	peer_check(ins_is_packed(ins->kind) || !ins->whole);
	peer_check(!ins_is_packed(ins->kind) || ins->has_hash);
	peer_check(!ins->past ||
		   (ins_is_packed(ins->kind) && ins_needs_old(ins->kind) &&
		       ins->kind != SSP_INS_ZPAGES));
	ins->old_num = ins->new_num - d;
	peer_check(t <= ins->old_num);
	ins->throwaway = ins->old_num - t;
	ins->len = rd_left(&r);
	ins->body = rd_bytes(&r, ins->len);
	if (!ins_is_packed(ins->kind))
		raw = ins->len;
	/* The caller checks the maximum of the object. */
	peer_check(raw <= SSP_INS_DIFF_MAX);
	ins->raw_len = (size_t)raw;
	return 0;
}

/* Computes the serialisation of V once; -ERR_LIMIT if it is too long. */
static int
coded_save(const struct ssp_coder *c, struct ssp_coded *v)
{
	if (v->ser->len > 0)
		return 0;
	if (c->ops->save(v->obj, v->ser) != 0 ||
	    v->ser->len > c->ops->save_max || v->ser->len > SSP_INS_DIFF_MAX) {
		buf_clear(v->ser);
		return -ERR_LIMIT;
	}
	return 0;
}

/* The smallest form so far. */
struct ins_best {
	struct buf packed[2]; /* the best form is in packed[which] */
	int which;
	bool have;
	size_t len;
};

static void
ins_try(const struct ssp_coder *c, struct ins_best *b, struct ssp_ins *ins,
    enum ssp_ins_kind kind, bool past, const struct buf *prefix,
    const struct buf *src)
{
	struct buf *out = &b->packed[!b->which];
	bool whole = false;

	buf_clear(out);
	if (c->zip == NULL ||
	    ssp_zip_pack(c->zip, prefix != NULL ? prefix->data : NULL,
		prefix != NULL ? prefix->len : 0, src->data, src->len, out,
		&whole) != 0)
		return;
	/* raw length and hash take about six bytes more than a plain diff */
	if (b->have && out->len + 6 >= b->len)
		return;
	b->which = !b->which;
	b->have = true;
	b->len = out->len + 6;
	ins->kind = kind;
	ins->whole = whole;
	ins->past = past;
	ins->raw_len = src->len;
	ins->has_hash = true;
	ins->hash = ins_hash(src->data, src->len);
	ins->body = out->data;
	ins->len = out->len;
}

/* Tries the packed diff; with the trail if there is one, and PAST if asked. */
static void
ins_try_diff(const struct ssp_coder *c, struct ins_best *b, struct ssp_ins *ins,
    const struct ssp_coded *old, enum ssp_past_use past, const struct buf *diff)
{
	bool trail = c->trail && old->past != NULL && old->past->trail != NULL;
	struct buf prefix;

	if (past == SSP_PAST_NONE && !trail) {
		ins_try(c, b, ins, SSP_INS_ZDIFF, false, old->ser, diff);
		return;
	}
	buf_init(&prefix, SSP_PAST_BYTES + SSP_INS_DIFF_MAX + SSP_TRAIL_BYTES);
	if (ssp_past_prefix(old->past, past, trail, old->ser, &prefix) == 0)
		ins_try(c, b, ins, trail ? SSP_INS_ZTRAIL : SSP_INS_ZDIFF,
		    past != SSP_PAST_NONE, &prefix, diff);
	buf_fini(&prefix);
}

/* Tries the new serialisation, packed with as much of the past as USE says. */
static void
ins_try_new(const struct ssp_coder *c, struct ins_best *b, struct ssp_ins *ins,
    const struct ssp_coded *old, const struct ssp_coded *new,
    enum ssp_past_use use)
{
	const bool pages = use == SSP_PAST_LONG;
	struct buf prefix;

	if (use == SSP_PAST_NONE) {
		ins_try(c, b, ins, SSP_INS_ZNEW, false, old->ser, new->ser);
		return;
	}
	buf_init(&prefix, SSP_PAST_BYTES + SSP_INS_DIFF_MAX);
	if (ssp_past_prefix(old->past, use, false, old->ser, &prefix) == 0)
		ins_try(c, b, ins, pages ? SSP_INS_ZPAGES : SSP_INS_ZNEW,
		    !pages, &prefix, new->ser);
	buf_fini(&prefix);
}

/* Returns how much of the past may help, as the peer reads it. */
static enum ssp_past_use
ins_past_use(const struct ssp_coder *c, const struct ssp_coded *old,
    const struct ssp_coded *new)
{
	enum ssp_past_use use = c->pages ? SSP_PAST_LONG : SSP_PAST_SHORT;

	return old->past != NULL &&
		       ssp_past_shows(old->past, use, old->ser, new->ser)
		   ? use
		   : SSP_PAST_NONE;
}

/*
 * Tries the packed forms of states with a serialisation.  DIFF is NULL if it is
 * too long.
 */
static void
ins_try_forms(const struct ssp_coder *c, struct ins_best *b,
    struct ssp_ins *ins, const struct ssp_coded *old,
    const struct ssp_coded *new, const struct buf *diff)
{
	enum ssp_past_use use = SSP_PAST_NONE;

	if (diff != NULL)
		ins_try_diff(c, b, ins, old, SSP_PAST_NONE, diff);
	if (diff != NULL && diff->len < INS_NEW_FROM)
		return;
	if (!b->have || b->len >= SSP_PAST_FROM)
		use = ins_past_use(c, old, new);
	ins_try_new(c, b, ins, old, new, use);
	if (use != SSP_PAST_NONE && diff != NULL &&
	    diff->len < new->ser->len / 2)
		ins_try_diff(c, b, ins, old, SSP_PAST_SHORT, diff);
}

static int
ins_encode_full(const struct ssp_coder *c, struct ssp_coded *new,
    struct ssp_ins *ins, struct ins_best *b, struct buf *out, size_t *raw)
{
	int r;

	if ((r = coded_save(c, new)) != 0)
		return r;
	*raw = new->ser->len;
	ins->old_num = ins->new_num;
	ins->throwaway = MIN_OF(ins->throwaway, ins->old_num);
	ins->kind = SSP_INS_FULL;
	ins->has_hash = true;
	ins->hash = ins_hash(new->ser->data, new->ser->len);
	ins->body = new->ser->data;
	ins->len = new->ser->len;
	b->have = true;
	b->len = ins->len;
	ins_try(c, b, ins, SSP_INS_ZFULL, false, NULL, new->ser);
	return ins_put(ins, out);
}

/*
 * Chooses among the forms that need the old state.  An empty diff means equal
 * states.
 */
static int
ins_encode_diff(const struct ssp_coder *c, enum ssp_code_how how,
    struct ssp_coded *old, struct ssp_coded *new, struct ssp_ins *ins,
    struct ins_best *b, struct buf *diff, struct buf *out)
{
	bool save = ssp_ins_has_save(c->ops), fits;

	fits = c->ops->diff(old->obj, new->obj, diff) == 0 && !diff->overflow;
	if (!fits && !(save && c->zip != NULL))
		return -ERR_LIMIT;
	b->have = fits;
	b->len = diff->len;
	ins->kind = SSP_INS_DIFF;
	ins->body = diff->data;
	ins->len = ins->raw_len = diff->len;
	if (how == SSP_CODE_BEST && c->zip != NULL &&
	    (!fits || diff->len >= SSP_ZIP_MIN)) {
		save =
		    save && coded_save(c, old) == 0 && coded_save(c, new) == 0;
		if (save)
			ins_try_forms(c, b, ins, old, new, fits ? diff : NULL);
		else if (fits)
			ins_try(c, b, ins, SSP_INS_ZDIFF, false, NULL, diff);
	}
	if (!b->have)
		return -ERR_LIMIT;
	if (c->verify && ins->kind == SSP_INS_DIFF &&
	    ssp_ins_has_save(c->ops) && coded_save(c, new) == 0) {
		ins->has_hash = true;
		ins->hash = ins_hash(new->ser->data, new->ser->len);
	}
	return ins_put(ins, out);
}

int
ssp_ins_encode(const struct ssp_coder *c, enum ssp_code_how how,
    struct ssp_coded *old, struct ssp_coded *new, struct ssp_ins *ins,
    struct buf *out, size_t *raw)
{
	struct ins_best b = { .have = false };
	struct buf diff;
	int r;

	ins->whole = ins->has_hash = ins->past = false;
	ins->hash = 0;
	buf_init(&diff, SSP_INS_DIFF_MAX);
	buf_init(&b.packed[0], SSP_INS_MAX);
	buf_init(&b.packed[1], SSP_INS_MAX);
	if (how == SSP_CODE_FULL && ssp_ins_has_save(c->ops)) {
		r = ins_encode_full(c, new, ins, &b, out, raw);
	} else {
		r = ins_encode_diff(c, how, old, new, ins, &b, &diff, out);
		*raw = diff.len > 0 ? diff.len : ins->raw_len;
	}
	if (new->diff != NULL) {
		buf_clear(new->diff);
		if (r == 0 && diff.len <= SSP_TRAIL_BYTES)
			r = buf_add(new->diff, diff.data, diff.len);
	}
	buf_fini(&diff);
	buf_fini(&b.packed[0]);
	buf_fini(&b.packed[1]);
	return r;
}

void
ssp_ins_past(const struct ssp_coder *c, const uint8_t *data, size_t len,
    const struct buf *diff, struct ssp_coded *old, struct ssp_past *p)
{
	memset(p, 0, sizeof *p);
	if (c->zip == NULL || !ssp_ins_has_save(c->ops) || len == 0 ||
	    !ins_needs_old((enum ssp_ins_kind)(data[0] & 7)))
		return;
	if (len >= SSP_PAST_FROM && coded_save(c, old) == 0)
		ssp_past_after(p, old->past, old->ser);
	else
		ssp_past_same(p, old->past);
	if (ins_has_diff((enum ssp_ins_kind)(data[0] & 7)))
		ssp_past_trail(p, diff->data, diff->len);
}

/* Unpacks the body into *DST (mem_free) and checks its hash. */
static int
ins_unpack(const struct ssp_coder *c, const struct ssp_ins *ins,
    const void *base, const struct ssp_past *past, uint8_t **dst)
{
	const bool trail = ins->kind == SSP_INS_ZTRAIL;
	enum ssp_past_use much = ins->past ? SSP_PAST_SHORT : SSP_PAST_NONE;
	struct buf prefix, ser;
	const struct buf *use = &ser;
	int r = 0;

	*dst = NULL;
	peer_check(c->zip != NULL);
	buf_init(
	    &ser, CLAMP(c->ops->save_max, (size_t)1, (size_t)SSP_INS_DIFF_MAX));
	buf_init(&prefix, SSP_PAST_BYTES + SSP_INS_DIFF_MAX + SSP_TRAIL_BYTES);
	if (ins->kind != SSP_INS_ZFULL && ssp_ins_has_save(c->ops)) {
		/* The sender uses no prefix either if it is too long. */
		if (c->ops->save(base, &ser) != 0)
			buf_clear(&ser);
		if (ins->kind == SSP_INS_ZPAGES)
			much = SSP_PAST_LONG;
		if (much != SSP_PAST_NONE || trail) {
			use = &prefix;
			r = ssp_past_prefix(past, much, trail, &ser, &prefix);
		}
	}
	if (r == 0) {
		*dst = mem_alloc(ins->raw_len);
		r = ssp_zip_unpack(c->zip, use->data, use->len, ins->body,
		    ins->len, ins->whole, *dst, ins->raw_len);
	}
	/* With a wrong old state the body unpacks to rubbish, or not at all. */
	if (r != 0 || ins_hash(*dst, ins->raw_len) != ins->hash)
		r = -ERR_STATE;
	buf_fini(&prefix);
	buf_fini(&ser);
	if (r != 0) {
		mem_free(*dst);
		*dst = NULL;
	}
	return r;
}

/* Checks the new value against the hash that came with a plain diff. */
static int
ins_verify(
    const struct ssp_coder *c, const struct ssp_ins *ins, const void *obj)
{
	struct buf ser;
	int r = 0;

	if (!ssp_ins_has_save(c->ops))
		return 0;
	buf_init(&ser, c->ops->save_max);
	if (c->ops->save(obj, &ser) != 0 ||
	    ins_hash(ser.data, ser.len) != ins->hash)
		r = -ERR_STATE;
	buf_fini(&ser);
	return r;
}

int
ssp_ins_apply(const struct ssp_coder *c, const struct ssp_ins *ins,
    const void *base, const struct ssp_past *past, struct buf *diff,
    void **result)
{
	bool load = !ins_has_diff(ins->kind);
	const uint8_t *data = ins->body;
	uint8_t *unpacked = NULL;
	void *obj;
	int r = 0;

	*result = NULL;
	peer_check(!load || ssp_ins_has_save(c->ops));
	peer_check(!load || ins->raw_len <= c->ops->save_max);
	/* security: a short instruction can unpack to a long diff. */
	peer_check(
	    load || c->ops->diff_max == 0 || ins->raw_len <= c->ops->diff_max);
	if (ins_is_packed(ins->kind)) {
		if ((r = ins_unpack(c, ins, base, past, &unpacked)) != 0)
			return r;
		data = unpacked;
	}
	obj = c->ops->clone(base);
	if (load)
		r = c->ops->load(obj, data, ins->raw_len);
	else if (ins->raw_len > 0)
		r = c->ops->apply(obj, data, ins->raw_len);
	if (r != 0)
		r = -ERR_PEER;
	else if (ins->has_hash && !ins_is_packed(ins->kind))
		r = ins_verify(c, ins, obj);
	if (r == 0 && diff != NULL && ins_has_diff(ins->kind) &&
	    ins->raw_len <= SSP_TRAIL_BYTES)
		r = buf_add(diff, data, ins->raw_len);
	mem_free(unpacked);
	if (r != 0)
		c->ops->free(obj);
	else
		*result = obj;
	return r;
}
