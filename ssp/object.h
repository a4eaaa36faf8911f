/*
 * ssp/object.h - all that SSP knows of what it carries.
 *
 * Purpose:   the vtable of a synchronised object: a value with numbered
 *            versions, of which differences can be made and applied.
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

#define SSP_PART_MAX (512u << 10) /* bytes of a part's contents; see part() */

struct ssp_object_ops {
	const char *name;

	/* A value equal to OBJ that changes independently of it. */
	void *(*clone)(const void *obj);
	void (*free)(void *obj);
	bool (*equal)(const void *a, const void *b);

	/*
	 * Appends to OUT what turns OLD into NEW.  An empty diff means that
	 * they are equal.  Deterministic.  Returns 0 or -ERR_LIMIT.
	 */
	int (*diff)(const void *old, const void *new, struct buf *out);

	/*
	 * Applies a diff in place: afterwards OBJ equals what diff() was given
	 * as NEW.  security: DIFF comes from the peer.
	 */
	int (*apply)(void *obj, const uint8_t *diff, size_t len);

	/*
	 * A value on the way from OLD (NULL: from nothing) to NEW, for where
	 * NEW itself is too far for one instruction.  It differs from OLD, and
	 * its difference (with NULL: its serialisation) fits into one however
	 * badly it packs; SSP_PART_MAX of contents leave room for the rest.
	 * Parts of parts come to NEW at last.  TURN differs from call to call:
	 * where to begin.  NULL where all values of the object are small.
	 */
	void *(*part)(const void *old, const void *new, uint64_t turn);

	/*
	 * Drops from OBJ the prefix that PREFIX (an earlier value) holds; what
	 * the peer is known to have.  NULL where that means nothing.  An object
	 * may show only so much at a time as fits into one instruction; here
	 * more of it comes into view.
	 */
	void (*subtract)(void *obj, const void *prefix);

	/*
	 * Appends the canonical serialisation, byte-identical at both ends
	 * for equal objects; load replaces OBJ by one.  Both NULL where the
	 * object has none; diff and apply are then the only form.
	 */
	int (*save)(const void *obj, struct buf *out);
	int (*load)(void *obj, const uint8_t *data, size_t len);

	/* Largest serialisation that load and save may meet, in bytes. */
	size_t save_max;
};

#endif
