/*
 * The laws of ssp/object.h, checked on the toys; run them on every new object.
 */
#include <string.h>

#include "base/compiler.h"
#include "regress/sim/sim.h"
#include "regress/sim/toy.h"
#include "regress/unit/unit.h"
#include "ssp/object.h"

#define ROUNDS 300

static void
change_log(void *obj, uint64_t *rng)
{
	uint8_t text[40];
	size_t i, n = sim_below(rng, sizeof text);

	for (i = 0; i < n; i++)
		text[i] = (uint8_t)sim_rand(rng);
	toy_log_add(obj, text, n);
}

static void
change_screen(void *obj, uint64_t *rng)
{
	struct toy_screen *s = obj;

	switch (sim_below(rng, 4)) {
	case 0:
		toy_screen_fill(s, rng);
		break;
	case 1:
		toy_screen_scroll(s, rng);
		break;
	case 2:
		s->echo++;
		break;
	default:
		s->cell[sim_below(rng, s->cols * s->rows)] ^= 1;
	}
}

static void *
new_log(void)
{
	return toy_log_new();
}

static void *
new_screen(void)
{
	return toy_screen_new(31, 7);
}

static const struct {
	const struct ssp_object_ops *ops;
	void *(*new)(void);
	void (*change)(void *obj, uint64_t *rng);
} objects[] = {
	{ &toy_log_ops, new_log, change_log },
	{ &toy_screen_ops, new_screen, change_screen },
	{ &toy_bare_ops, new_screen, change_screen },
};

static struct buf
diff(const struct ssp_object_ops *ops, const void *old, const void *new)
{
	struct buf b, again;

	buf_init(&b, 1 << 20);
	buf_init(&again, 1 << 20);
	ck_assert_int_eq(ops->diff(old, new, &b), 0);
	ck_assert_int_eq(ops->diff(old, new, &again), 0);
	ck_assert_uint_eq(b.len, again.len);
	ck_assert_msg(b.len == 0 || memcmp(b.data, again.data, b.len) == 0,
	    "%s: a diff is the same each time", ops->name);
	buf_fini(&again);
	return b;
}

/* A clone changes independently; a diff makes both equal again. */
START_TEST(diffs_lead_from_old_to_new)
{
	const struct ssp_object_ops *ops = objects[_i].ops;
	void *new = objects[_i].new(), *old, *copy;
	uint64_t rng = unit_seed(5);
	struct buf d;
	unsigned i, k;

	for (i = 0; i < ROUNDS; i++) {
		old = ops->clone(new);
		ck_assert(ops->equal(old, new) && ops->equal(new, old));
		d = diff(ops, old, new);
		ck_assert_uint_eq(d.len, 0);
		buf_fini(&d);
		for (k = (unsigned)sim_below(&rng, 4); k > 0; k--)
			objects[_i].change(new, &rng);
		d = diff(ops, old, new);
		ck_assert_int_eq(d.len == 0, ops->equal(old, new));
		copy = ops->clone(old);
		if (d.len > 0) /* an empty one is never sent */
			ck_assert_int_eq(ops->apply(old, d.data, d.len), 0);
		ck_assert(ops->equal(old, new));
		ck_assert_int_eq(d.len == 0, ops->equal(copy, new));
		buf_fini(&d);
		ops->free(copy);
		ops->free(old);
	}
	ops->free(new);
}
END_TEST

/* Any bytes are applied as a whole, or rejected without a change. */
START_TEST(bad_diffs_change_nothing)
{
	const struct ssp_object_ops *ops = objects[_i].ops;
	void *a = objects[_i].new(), *b, *before;
	uint64_t rng = unit_seed(6);
	struct buf d;
	unsigned i;
	int e;

	for (i = 0; i < ROUNDS; i++) {
		b = ops->clone(a);
		objects[_i].change(b, &rng);
		d = diff(ops, a, b);
		ops->free(b);
		if (d.len > 0)
			d.data[sim_below(&rng, d.len)] =
			    (uint8_t)sim_rand(&rng);
		b = ops->clone(a);
		before = ops->clone(a);
		e = ops->apply(b, d.data, sim_below(&rng, d.len + 1));
		ck_assert(e <= 0);
		ck_assert(e == 0 || ops->equal(b, before));
		buf_fini(&d);
		ops->free(b);
		ops->free(before);
	}
	ops->free(a);
}
END_TEST

START_TEST(saved_is_loaded_and_canonical)
{
	const struct ssp_object_ops *ops = objects[_i].ops;
	void *a = objects[_i].new(), *b;
	uint64_t rng = unit_seed(7);
	struct buf x, y;
	unsigned i;

	for (i = 0; ops->save != NULL && i < ROUNDS; i++) {
		objects[_i].change(a, &rng);
		b = objects[_i].new();
		buf_init(&x, ops->save_max);
		buf_init(&y, ops->save_max);
		ck_assert_int_eq(ops->save(a, &x), 0);
		ck_assert_int_eq(ops->load(b, x.data, x.len), 0);
		ck_assert(ops->equal(a, b));
		ck_assert_int_eq(ops->save(b, &y), 0);
		ck_assert_uint_eq(x.len, y.len);
		ck_assert_mem_eq(x.data, y.data, x.len);
		/* a truncated diff is rejected without a change */
		ck_assert_int_lt(
		    ops->load(b, x.data, sim_below(&rng, x.len)), 0);
		ck_assert(ops->equal(a, b));
		buf_fini(&x);
		buf_fini(&y);
		ops->free(b);
	}
	ops->free(a);
}
END_TEST

/* A prefix that the peer has may be dropped; later diffs are the same. */
START_TEST(subtract_changes_no_diff)
{
	const struct ssp_object_ops *ops = &toy_log_ops;
	struct toy_log *a = toy_log_new(), *b, *c;
	uint64_t rng = unit_seed(8);
	struct buf x, y;
	unsigned i;

	for (i = 0; i < ROUNDS; i++) {
		b = ops->clone(a); /* the peer has this */
		change_log(a, &rng);
		c = ops->clone(a);
		ops->subtract(c, b);
		ck_assert_uint_eq(c->bytes.len, a->end - b->end);
		ck_assert(ops->equal(a, c));
		x = diff(ops, b, a);
		y = diff(ops, b, c);
		ck_assert_uint_eq(x.len, y.len);
		if (x.len > 0)
			ck_assert_mem_eq(x.data, y.data, x.len);
		buf_fini(&x);
		buf_fini(&y);
		ops->free(b);
		ops->free(c);
	}
	ops->free(a);
}
END_TEST

UNIT_SUITE(ssp_object)
{
	Suite *s = suite_create("ssp/object");
	TCase *tc = tcase_create("object");
	int n = (int)ARRAY_LEN(objects);

	tcase_add_loop_test(tc, diffs_lead_from_old_to_new, 0, n);
	tcase_add_loop_test(tc, bad_diffs_change_nothing, 0, n);
	tcase_add_loop_test(tc, saved_is_loaded_and_canonical, 0, n);
	tcase_add_test(tc, subtract_changes_no_diff);
	suite_add_tcase(s, tc);
	return s;
}
