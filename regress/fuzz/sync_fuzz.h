/*
 * Any bytes against a synchronised object: apply or load accepts only a valid
 * object, which can be sent on unchanged.
 */
#ifndef REGRESS_FUZZ_SYNC_FUZZ_H
#define REGRESS_FUZZ_SYNC_FUZZ_H

#include "base/err.h"
#include "base/mem.h"
#include "ssp/object.h"

/*
 * A diff from OBJ to the result gives the same object; so do save and load.
 * Saving may exceed its limit: then the check ends.
 */
static void
sync_fuzz_same(const struct ssp_object_ops *ops, const void *base,
    const void *obj, size_t max)
{
	void *again = ops->clone(base);
	struct buf b;

	buf_init(&b, max);
	if (ops->diff(base, obj, &b) == 0) {
		bug_assert((b.len == 0) == ops->equal(base, obj));
		bug_assert(b.len == 0 || ops->apply(again, b.data, b.len) == 0);
		bug_assert(ops->equal(again, obj));
	}
	buf_clear(&b);
	b.overflow = false;
	if (ops->save != NULL && ops->save(obj, &b) == 0) {
		bug_assert(ops->load(again, b.data, b.len) == 0);
		bug_assert(ops->equal(again, obj));
	}
	buf_fini(&b);
	ops->free(again);
}

/*
 * The first byte selects apply or load, the others are the peer's.  CHECK
 * checks the object and returns whether a peer could send it.
 */
static int
sync_fuzz_object(const struct ssp_object_ops *ops, const void *base,
    const uint8_t *data, size_t size, bool (*check)(const void *obj))
{
	void *obj = ops->clone(base);
	bool load = size > 0 && (data[0] & 1) != 0 && ops->load != NULL;
	int r;

	if (size > 0) {
		r = load ? ops->load(obj, data + 1, size - 1)
			 : ops->apply(obj, data + 1, size - 1);
		/* After any bytes the object can be read. */
		if (check(obj) && r == 0) {
			/* A loaded object need not be a successor of BASE. */
			sync_fuzz_same(
			    ops, load ? obj : base, obj, (size_t)64 << 20);
		}
	}
	ops->free(obj);
	return 0;
}

#endif
