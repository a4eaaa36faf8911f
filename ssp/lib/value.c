/*
 * The values of the caller: a wrapper knows the caller's table, because the
 * operations of a transport get nothing but the value.
 */
#include "base/err.h"
#include "base/mem.h"
#include "ssp/lib/lib_int.h"

struct ssp_out {
	struct buf *buf;
};

struct lib_value {
	const struct ssp_object *object;
	void *value;
};

_Static_assert(SSP_VALUE_PART_MAX == SSP_PART_MAX, "the public number");

int
ssp_put(struct ssp_out *out, const void *bytes, size_t n)
{
	return buf_add(out->buf, bytes, n) == 0 ? 0 : SSP_E_LIMIT;
}

void *
lib_wrap(const struct ssp_object *object, void *value)
{
	struct lib_value *v = mem_alloc(sizeof *v);

	v->object = object;
	v->value = value;
	return v;
}

void *
lib_value(const void *wrapped)
{
	return ((const struct lib_value *)wrapped)->value;
}

static void *
value_clone(const void *obj)
{
	const struct lib_value *v = obj;

	return lib_wrap(v->object, v->object->clone(v->value));
}

static void
value_free(void *obj)
{
	struct lib_value *v = obj;

	v->object->free(v->value);
	mem_free(v);
}

static bool
value_equal(const void *a, const void *b)
{
	const struct lib_value *v = a;

	return v->object->equal(v->value, lib_value(b));
}

static int
value_diff(const void *old, const void *new, struct buf *out)
{
	const struct lib_value *v = new;
	struct ssp_out o = { out };

	if (v->object->diff(lib_value(old), v->value, &o) != 0 || out->overflow)
		return -ERR_LIMIT;
	return 0;
}

static int
value_apply(void *obj, const uint8_t *diff, size_t len)
{
	struct lib_value *v = obj;

	return v->object->apply(v->value, diff, len) == 0 ? 0 : -ERR_PEER;
}

static void *
value_part(const void *old, const void *new, uint64_t turn)
{
	const struct lib_value *v = new;

	return lib_wrap(
	    v->object, v->object->part(old == NULL ? NULL : lib_value(old),
			   v->value, turn));
}

static void
value_subtract(void *obj, const void *prefix)
{
	struct lib_value *v = obj;

	v->object->subtract(v->value, lib_value(prefix));
}

static int
value_save(const void *obj, struct buf *out)
{
	const struct lib_value *v = obj;
	struct ssp_out o = { out };

	if (v->object->save(v->value, &o) != 0 || out->overflow)
		return -ERR_LIMIT;
	return 0;
}

static int
value_load(void *obj, const uint8_t *data, size_t len)
{
	struct lib_value *v = obj;

	return v->object->load(v->value, data, len) == 0 ? 0 : -ERR_PEER;
}

static size_t
value_own(const void *obj, const void *base)
{
	const struct lib_value *v = obj;

	return v->object->own(v->value, lib_value(base));
}

void
lib_ops(struct ssp_object_ops *ops, const struct ssp_object *object)
{
	static const struct ssp_object_ops all = { .name = "value",
		.clone = value_clone,
		.free = value_free,
		.equal = value_equal,
		.diff = value_diff,
		.apply = value_apply,
		.part = value_part,
		.subtract = value_subtract,
		.save = value_save,
		.load = value_load,
		.own = value_own };

	*ops = all;
	if (object->part == NULL)
		ops->part = NULL;
	if (object->subtract == NULL)
		ops->subtract = NULL;
	if (object->save == NULL) {
		ops->save = NULL;
		ops->load = NULL;
	}
	if (object->own == NULL)
		ops->own = NULL;
	ops->save_max = object->save_max;
	ops->diff_max = object->diff_max;
}
