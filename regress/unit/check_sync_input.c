#include <string.h>

#include "base/mem.h"
#include "base/pack.h"
#include "mux/sync/input.h"
#include "regress/chance.h"
#include "regress/unit/unit.h"

static uint64_t rng;

static unsigned
roll(unsigned n)
{
	return chance_below(&rng, n);
}

static void
add_random(struct sync_input *in)
{
	struct key_event key = { .key = KEY_UP | KEY_CTRL, .text = "\xc3\xa9" };
	struct mouse_event mouse = { MOUSE_PRESS, MOUSE_LEFT, KEY_SHIFT, 3, 4,
		-1, -1 };
	uint16_t size[4] = { 80, 24, 0, 0 };
	char data[300];

	memset(data, 'p', sizeof(data));
	switch (roll(10)) {
	case 9:
		ck_assert_int_eq(sync_input_predicted(in, roll(200)), 0);
		break;
	case 8:
		ck_assert_int_eq(sync_input_shown(in, roll(2)), 0);
		break;
	case 0:
		ck_assert_int_eq(sync_input_key(in, &key), 0);
		break;
	case 1:
		mouse.x = (int)roll(500);
		ck_assert_int_eq(sync_input_mouse(in, &mouse), 0);
		break;
	case 2:
		size[0] = (uint16_t)(1 + roll(300));
		ck_assert_int_eq(sync_input_resize(in, size), 0);
		break;
	case 3:
		ck_assert_int_eq(sync_input_focus(in, roll(2)), 0);
		break;
	case 4:
		ck_assert_int_eq(sync_input_paste(in, data, roll(300)), 0);
		break;
	default:
		ck_assert_int_eq(
		    sync_input_text(in, roll(2) ? 'a' + roll(26) : 0x4e00), 0);
	}
}

static void
assert_same(const struct sync_input *a, const struct sync_input *b)
{
	const struct sync_event *x, *y;
	uint64_t i;

	ck_assert_uint_eq(sync_input_end(a), sync_input_end(b));
	i = MAX_OF(sync_input_first(a), sync_input_first(b));
	for (; i < sync_input_end(a); i++) {
		x = sync_input_get(a, i);
		y = sync_input_get(b, i);
		ck_assert_int_eq(x->kind, y->kind);
		ck_assert_uint_eq(x->cp, y->cp);
		ck_assert_uint_eq(x->flags, y->flags);
		ck_assert_uint_eq(x->len, y->len);
		ck_assert_mem_eq(x->data, y->data, x->len + 1);
		ck_assert_mem_eq(&x->key, &y->key, sizeof(x->key));
		ck_assert_int_eq(x->mouse.x, y->mouse.x);
		ck_assert_int_eq(x->mouse.px, y->mouse.px);
		ck_assert_mem_eq(x->size, y->size, sizeof(x->size));
	}
}

START_TEST(differences_carry_any_log_and_confirmed_prefixes_go)
{
	const struct ssp_object_ops *ops = &sync_input_ops;
	struct sync_input *live = sync_input_new(), *acked, *peer;
	struct buf b;
	int i, n;

	rng = unit_seed(1);
	acked = ops->clone(live);
	peer = ops->clone(live);
	buf_init(&b, 1 << 20);
	for (i = 0; i < 5000; i++) {
		for (n = (int)roll(4); n > 0; n--)
			add_random(live);
		buf_clear(&b);
		ck_assert_int_eq(ops->diff(acked, live, &b), 0);
		ck_assert(ops->equal(acked, live) == (b.len == 0));
		ck_assert_int_eq(ops->apply(peer, b.data, b.len), 0);
		assert_same(peer, live);
		if (roll(3) == 0) {
			/* Acknowledged events are dropped. */
			ops->free(acked);
			acked = ops->clone(live);
			ops->subtract(live, acked);
			ops->subtract(acked, acked);
			ck_assert_uint_eq(
			    sync_input_first(live), sync_input_end(live));
		} else {
			ops->free(peer);
			peer = ops->clone(acked);
		}
	}
	ops->free(live);
	ops->free(acked);
	ops->free(peer);
	buf_fini(&b);
}
END_TEST

START_TEST(a_typed_letter_costs_few_bytes)
{
	const struct ssp_object_ops *ops = &sync_input_ops;
	struct sync_input *a = sync_input_new(), *b = ops->clone(a);
	struct buf out;

	buf_init(&out, 1024);
	ck_assert_int_eq(sync_input_text(b, 'x'), 0);
	ck_assert_int_eq(ops->diff(a, b, &out), 0);
	ck_assert_uint_eq(out.len, 4);
	ops->free(a);
	ops->free(b);
	buf_fini(&out);
}
END_TEST

START_TEST(bad_differences_change_nothing)
{
	const struct ssp_object_ops *ops = &sync_input_ops;
	struct sync_input *a = sync_input_new(), *b = ops->clone(a);
	struct buf out;
	uint64_t end;
	size_t i;
	int bit;

	rng = unit_seed(2);
	buf_init(&out, 1 << 20);
	for (i = 0; i < 20; i++)
		add_random(b);
	ck_assert_int_eq(ops->diff(a, b, &out), 0);
	for (i = 0; i < out.len; i++) {
		ck_assert_int_ne(ops->apply(a, out.data, i == 0 ? 1 : i), 0);
		ck_assert_uint_eq(sync_input_end(a), 1);
	}
	for (i = 0; i < out.len; i++)
		for (bit = 0; bit < 8; bit++) {
			struct sync_input *c = ops->clone(a);

			out.data[i] ^= (uint8_t)(1 << bit);
			end = sync_input_end(c);
			if (ops->apply(c, out.data, out.len) != 0)
				ck_assert_uint_eq(sync_input_end(c), end);
			out.data[i] ^= (uint8_t)(1 << bit);
			ops->free(c);
		}
	ops->free(a);
	ops->free(b);
	buf_fini(&out);
}
END_TEST

START_TEST(events_move_to_another_log)
{
	struct sync_input *a = sync_input_new(), *b = sync_input_new();
	const struct key_event key = { .key = 'x' | KEY_CTRL, .text = "x" };
	const struct sync_event *ev;
	uint64_t i;

	ck_assert_int_eq(sync_input_key(a, &key), 0);
	ck_assert_int_eq(sync_input_paste(a, "pasted", 6), 0);
	ck_assert_int_eq(sync_input_text(b, 'y'), 0);
	for (i = 1; (ev = sync_input_get(a, i)) != NULL; i++)
		ck_assert_int_eq(sync_input_append(b, ev), 0);
	sync_input_free(a);
	ck_assert_uint_eq(sync_input_end(b), 4);
	ev = sync_input_get(b, 2);
	ck_assert_int_eq(ev->kind, SYNC_KEY);
	ck_assert_uint_eq(ev->key.key, 'x' | KEY_CTRL);
	ev = sync_input_get(b, 3);
	ck_assert_uint_eq(ev->flags, SYNC_PASTE_BEGIN | SYNC_PASTE_END);
	ck_assert_str_eq(ev->data, "pasted");
	sync_input_free(b);
}
END_TEST

START_TEST(a_log_for_a_dead_link_is_bounded)
{
	struct sync_input *in = sync_input_new();
	char *big = mem_zalloc(SYNC_INPUT_BYTES_MAX + 1);
	size_t n = 0;

	while (sync_input_text(in, 'x') == 0)
		n++;
	ck_assert_uint_eq(n, SYNC_INPUT_EVENTS_MAX);
	sync_input_ops.free(in);
	in = sync_input_new();
	ck_assert_int_eq(
	    sync_input_paste(in, big, SYNC_INPUT_BYTES_MAX + 1), -ERR_LIMIT);
	ck_assert_uint_eq(sync_input_end(in), 1);
	sync_input_ops.free(in);
	mem_free(big);
}
END_TEST

/* Every difference fits into an instruction, and the whole log arrives. */
START_TEST(a_long_paste_goes_in_parts)
{
	const struct ssp_object_ops *ops = &sync_input_ops;
	struct sync_input *live = sync_input_new(), *acked, *peer;
	size_t total = 3u << 20, got = 0, parts = 0;
	char *big = mem_zalloc(total);
	const struct sync_event *ev;
	struct buf out;
	uint64_t i;

	peer = ops->clone(live);
	acked = ops->clone(live);
	memset(big, 'x', total);
	ck_assert_int_eq(sync_input_paste(live, big, total), 0);
	ck_assert_int_eq(sync_input_text(live, 'y'), 0);
	buf_init(&out, 1u << 20);
	while (!ops->equal(live, acked)) {
		parts++;
		buf_clear(&out);
		ck_assert_int_eq(ops->diff(acked, live, &out), 0);
		ck_assert_int_eq(ops->apply(peer, out.data, out.len), 0);
		for (i = sync_input_first(peer); i < sync_input_end(peer);
		     i++) {
			ev = sync_input_get(peer, i);
			got += ev->kind == SYNC_PASTE ? ev->len : 0;
		}
		ops->free(acked);
		acked = ops->clone(peer);
		ops->subtract(peer, acked);
		ops->subtract(live, acked);
	}
	ck_assert_uint_eq(got, total);
	ck_assert_uint_gt(parts, 5);
	ck_assert_uint_eq(sync_input_end(live), sync_input_end(acked));
	buf_fini(&out);
	ops->free(live);
	ops->free(acked);
	ops->free(peer);
	mem_free(big);
}
END_TEST

/* Appends a difference of N strings of LEN letters that follow START - 1. */
static void
put_letters(struct buf *out, uint64_t start, uint32_t n, size_t len)
{
	char *text = mem_alloc(len);

	memset(text, 'a', len);
	pack_put_array(out, n + 1);
	pack_put_uint(out, start);
	while (n-- > 0)
		pack_put_str(out, text, len);
	mem_free(text);
}

/* A peer cannot make few bytes fill the memory, nor take long to read. */
START_TEST(a_peers_log_is_bounded)
{
	const struct ssp_object_ops *ops = &sync_input_ops;
	struct sync_input *base = sync_input_new(), *in = ops->clone(base);
	uint64_t end = 1;
	struct buf out;

	buf_init(&out, 1u << 20);
	put_letters(&out, 1, 1, SYNC_EVENT_DATA_MAX);
	ck_assert_int_ne(ops->apply(in, out.data, out.len), 0);
	ck_assert_uint_eq(sync_input_end(in), 1);
	for (;;) {
		buf_clear(&out);
		put_letters(&out, end, 1, 1000);
		if (ops->apply(in, out.data, out.len) != 0)
			break;
		end += 1000;
	}
	/* Two windows of 512 KiB are more than a keyboard fills. */
	ck_assert_uint_ge(end, 2 * (512u << 10) / sizeof(struct sync_event));
	ck_assert_uint_le(ops->own(in, base), 3u << 20);
	buf_fini(&out);
	ops->free(in);
	ops->free(base);
}
END_TEST

UNIT_SUITE(sync_input)
{
	Suite *s = suite_create("sync_input");
	TCase *tc = tcase_create("input");

	tcase_add_test(tc, differences_carry_any_log_and_confirmed_prefixes_go);
	tcase_add_test(tc, a_typed_letter_costs_few_bytes);
	tcase_add_test(tc, bad_differences_change_nothing);
	tcase_add_test(tc, a_log_for_a_dead_link_is_bounded);
	tcase_add_test(tc, a_long_paste_goes_in_parts);
	tcase_add_test(tc, events_move_to_another_log);
	tcase_add_test(tc, a_peers_log_is_bounded);
	suite_add_tcase(s, tc);
	return s;
}
