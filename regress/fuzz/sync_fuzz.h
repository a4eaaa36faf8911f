/*
 * Any bytes against a synchronised object: what apply or load accepts is a
 * sound object that travels on unchanged.
 */
#ifndef REGRESS_FUZZ_SYNC_FUZZ_H
#define REGRESS_FUZZ_SYNC_FUZZ_H

#include "base/err.h"
#include "base/mem.h"
#include "ssp/object.h"

/*
 * A diff from OBJ to what came out brings the same; so do save and load.
 * Saving may meet its limit: then nothing more is asked.
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
 * The first byte chooses apply or load, the others are the peer's.  CHECK looks
 * at the object and says whether it is one that is ever sent.
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
		/* Whatever came, the object can still be looked at. */
		if (check(obj) && r == 0) {
			/* What was loaded need not be a successor of BASE. */
			sync_fuzz_same(
			    ops, load ? obj : base, obj, (size_t)64 << 20);
		}
	}
	ops->free(obj);
	return 0;
}

#endif
