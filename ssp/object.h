/*
 * ssp/object.h - the interface of a synchronised object.
 *
 * Purpose:   operations on a value with numbered versions: differences can be
 *            made and applied.  SSP knows nothing else of its contents.
 * Ownership: objects are opaque; clone makes an independent value (cheap:
 *            implementations share by reference count), free releases one.
 * Units:     bytes.
 * Errors:    apply returns 0 or -ERR_* for bytes that do not fit: the object
 *            passed in is then unchanged and the instruction is dropped.
 * Source:    the State interface of mosh (subtract, diff_from, apply_string,
 *            operator==); the serialisation is ours (see doc/PROTOCOL.md).
 * Tests:     regress/unit/check_ssp_object.c, and every user of it
 */
#ifndef SSP_OBJECT_H
#define SSP_OBJECT_H

#include <stdbool.h>

#include "base/buf.h"

#define SSP_PART_MAX (512u << 10) /* bytes of contents of a part; see part() */

struct ssp_object_ops {
	const char *name;

	/* Makes an equal value that changes independently of OBJ. */
	void *(*clone)(const void *obj);
	void (*free)(void *obj);
	bool (*equal)(const void *a, const void *b);

	/*
	 * Appends the difference from OLD to NEW.  Equal values give an empty
	 * diff.  Deterministic.  Returns 0 or -ERR_LIMIT.
	 */
	int (*diff)(const void *old, const void *new, struct buf *out);

	/*
	 * Applies a diff in place: OBJ then equals NEW of diff().
	 * security: DIFF comes from the peer.
	 */
	int (*apply)(void *obj, const uint8_t *diff, size_t len);

	/*
	 * Makes a value between OLD (NULL: nothing) and NEW, for a NEW too far
	 * from OLD for one instruction.  It differs from OLD, and its diff
	 * (with NULL: its serialisation) fits into one instruction even
	 * unpacked: SSP_PART_MAX bytes of contents leave space for the rest.
	 * Repeated calls reach NEW.  TURN differs from call to call and selects
	 * where to begin.  NULL if all values of the object are small.
	 */
	void *(*part)(const void *old, const void *new, uint64_t turn);

	/*
	 * Drops from OBJ the prefix in PREFIX, an earlier value that the peer
	 * has.  NULL if the object has no such prefix.  For an object that
	 * exposes only as much as fits one instruction, more of it becomes
	 * visible.
	 */
	void (*subtract)(void *obj, const void *prefix);

	/*
	 * save appends the canonical serialisation, byte-identical at both ends
	 * for equal objects; load replaces OBJ by one.  Both are NULL if the
	 * object has none; then diff and apply are its only form.
	 */
	int (*save)(const void *obj, struct buf *out);
	int (*load)(void *obj, const uint8_t *data, size_t len);

	/*
	 * Returns the bytes of memory that OBJ, made by apply from a clone of
	 * BASE, does not share with BASE.  NULL: nobody limits them.
	 */
	size_t (*own)(const void *obj, const void *base);

	/* Maximum bytes of a serialisation, and of a diff (0: any that SSP takes). */
	size_t save_max;
	size_t diff_max;
};

#endif
