#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "mux/vt/line_int.h"
#include "mux/vt/pack.h"
#include "regress/unit/unit.h"
#include "regress/unit/vt_model.h"

static const struct pen pen_default;

static char *
shown(const struct vt_line *line)
{
	static char out[4096];
	char text[VT_CLUSTER_MAX + 1];
	unsigned i;

	out[0] = '\0';
	for (i = 0; i < line->len; i++) {
		vt_line_text(line, i, text);
		if (vt_line_cell(line, i).ch == 0 &&
		    vt_line_cell(line, i).width == VT_NARROW)
			strcpy(text, ".");
		strcat(out, text);
	}
	return out;
}

static void
put(struct vt_line *line, unsigned col, const char *s)
{
	vt_line_put_ascii(
	    line, col, (const uint8_t *)s, (unsigned)strlen(s), 0);
}

START_TEST(ascii_run_is_stored)
{
	struct vt_line *line = vt_line_new(NULL);

	put(line, 3, "hello, world");
	ck_assert_str_eq(shown(line), "...hello, world");
	put(line, 1, "0123456789abcdef0");
	ck_assert_str_eq(shown(line), ".0123456789abcdef0");
	ck_assert_ptr_null(vt_line_check(line));
	vt_line_unref(NULL, line);
}
END_TEST

START_TEST(half_of_a_wide_cell_becomes_a_space)
{
	struct vt_line *line = vt_line_new(NULL);

	put(line, 0, "abcdef");
	vt_line_put(line, 2, 0x4e2d, VT_WIDE, 0);
	ck_assert_str_eq(shown(line), "ab中ef");
	put(line, 3, "X");
	ck_assert_str_eq(shown(line), "ab Xef");
	vt_line_put(line, 2, 0x4e2d, VT_WIDE, 0);
	put(line, 2, "Y");
	ck_assert_str_eq(shown(line), "abY ef");
	vt_line_put(line, 2, 0x4e2d, VT_WIDE, 0);
	vt_line_erase(line, 3, 6, 0);
	ck_assert_str_eq(shown(line), "ab ");
	vt_line_put(line, 2, 0x4e2d, VT_WIDE, 0);
	vt_line_insert(line, 3, 1, 10, 0);
	ck_assert_str_eq(shown(line), "ab . ");
	ck_assert_ptr_null(vt_line_check(line));
	vt_line_unref(NULL, line);
}
END_TEST

START_TEST(clusters_grow_up_to_their_limit)
{
	struct vt_line *line = vt_line_new(NULL);
	char text[VT_CLUSTER_MAX + 1];
	unsigned i, added = 0;

	put(line, 0, "xyz");
	for (i = 0; i < 1000000; i++)
		added += vt_line_append(NULL, line, 1, 0x301);
	ck_assert_uint_eq(added, (VT_CLUSTER_MAX - 1) / 2);
	ck_assert_uint_eq(vt_line_text(line, 1, text), 63);
	vt_line_append(NULL, line, 5, 0x300);
	vt_line_text(line, 5, text);
	ck_assert_str_eq(text, " \xcc\x80");
	ck_assert_uint_lt(vt_line_bytes(line), 1024);
	ck_assert_ptr_null(vt_line_check(line));
	vt_line_unref(NULL, line);
}
END_TEST

START_TEST(a_shared_line_is_not_written)
{
	struct vt_pool *pool = vt_pool_new();
	struct vt_line *line = vt_line_new(pool), *old = line;
	struct vt_line *shared;

	put(line, 0, "one");
	shared = vt_line_ref(line);
	put(vt_line_own(pool, &line), 0, "two");
	ck_assert_ptr_ne(line, old);
	ck_assert_str_eq(shown(shared), "one");
	ck_assert_str_eq(shown(line), "two");
	ck_assert_uint_ne(line->gen, shared->gen);
	vt_line_unref(pool, line);
	vt_line_unref(pool, shared);
	vt_pool_free(pool);
}
END_TEST

START_TEST(new_colours_for_ever_stay_bounded)
{
	struct vt_pool *pool = vt_pool_new();
	struct vt_line *line = vt_line_new(pool);
	struct pen pen = pen_default;
	struct vt_link *link;
	unsigned i, style, col;
	char uri[32];

	for (i = 0; i < unit_rounds(200000); i++) {
		col = i % 80;
		pen.fg = colour_rgb(i, i >> 8, i >> 16);
		snprintf(uri, sizeof(uri), "http://x/%u", i);
		link = i % 3 == 0 ? vt_link_new(uri, strlen(uri), "", 0) : NULL;
		style = vt_line_style(pool, line, &pen, link);
		vt_line_put_ascii(line, col, (const uint8_t *)"x", 1, style);
		ck_assert(pen_equal(vt_line_pen(line, col), &pen));
		ck_assert(vt_link_equal(vt_line_link(line, col), link));
		vt_link_unref(link);
	}
	ck_assert_uint_le(line->nstyles, 2 * (80 + 16));
	ck_assert_uint_lt(vt_line_bytes(line), 8192);
	ck_assert_ptr_null(vt_line_check(line));
	vt_line_unref(pool, line);
	vt_pool_free(pool);
}
END_TEST

START_TEST(hash_and_equality_are_by_value)
{
	struct vt_line *a = vt_line_new(NULL), *b = vt_line_new(NULL);
	struct vt_link *k1 = vt_link_new("u", 1, "i", 1);
	struct vt_link *k2 = vt_link_new("u", 1, "i", 1);
	struct pen red = { colour_index(1), 0, 0, PEN_BOLD };
	struct pen green = { colour_index(2), 0, 0, 0 };
	unsigned s;

	/* The same content built through different tables. */
	s = vt_line_style(NULL, a, &green, NULL);
	vt_line_put_ascii(a, 0, (const uint8_t *)"zz", 2, s);
	s = vt_line_style(NULL, a, &red, k1);
	vt_line_put_ascii(a, 0, (const uint8_t *)"ab", 2, s);
	vt_line_append(NULL, a, 1, 0x301);
	vt_line_erase(a, 2, 50, 0);
	s = vt_line_style(NULL, b, &red, k2);
	vt_line_put_cluster(b, 1, "b\xcc\x81", 3, VT_NARROW, s);
	vt_line_put_ascii(b, 0, (const uint8_t *)"a", 1, s);
	vt_line_put_ascii(b, 20, (const uint8_t *)" ", 1, 0);
	ck_assert(!vt_line_equal(a, b));
	vt_line_erase(b, 20, 21, 0);
	vt_line_own(NULL, &b);
	ck_assert(vt_line_equal(a, b));
	ck_assert_uint_eq(vt_line_hash(a), vt_line_hash(b));
	vt_line_own(NULL, &b)->flags |= VT_LINE_WRAPPED;
	ck_assert(!vt_line_equal(a, b));
	ck_assert_uint_ne(vt_line_hash(a), vt_line_hash(b));
	vt_line_unref(NULL, a);
	vt_line_unref(NULL, b);
	vt_link_unref(k1);
	vt_link_unref(k2);
}
END_TEST

/* --- random steps against the model ------------------------------------------ */

struct rig {
	uint64_t seed;
	struct vt_pool *pool;
	struct vt_line *line[2];
	struct model_line m[2];
	struct vt_link *links[3];
};

static void
rig_pen(struct rig *r, struct pen *pen, struct vt_link **link)
{
	static const colour colours[] = { 0, 0, 0x01000001, 0x01000002,
		0x02123456, 0x03000000 };

	memset(pen, 0, sizeof(*pen));
	*link = NULL;
	if (model_rand(&r->seed) % 3 == 0)
		return;
	pen->fg = colours[model_rand(&r->seed) % ARRAY_LEN(colours)];
	pen->bg = colours[model_rand(&r->seed) % ARRAY_LEN(colours)];
	if (model_rand(&r->seed) % 4 == 0)
		pen->ul = colour_rgb(model_rand(&r->seed), 2, 3);
	if (model_rand(&r->seed) % 4 == 0)
		pen->attrs = PEN_PROTECTED;
	if (model_rand(&r->seed) % 4 == 0)
		*link = r->links[model_rand(&r->seed) % 3];
}

static void
reverse_pen(struct pen *pen, void *arg)
{
	(void)arg;
	pen->attrs ^= PEN_REVERSE;
	if (pen->fg == 0x01000002)
		pen->fg = 0;
}

/* Does one random write to line and model; describes it in WHAT. */
static void
rig_step(struct rig *r, char *what, size_t size)
{
	unsigned k = model_rand(&r->seed) % 2, col, n, to, i, op, style, right;
	struct vt_line *line = vt_line_own(r->pool, &r->line[k]);
	struct model_line *m = &r->m[k];
	char text[VT_CLUSTER_MAX + 8];
	struct vt_link *link;
	struct pen pen;

	rig_pen(r, &pen, &link);
	col = model_rand(&r->seed) % MODEL_COLS;
	n = 1 + model_rand(&r->seed) % 20;
	n = MIN_OF(n, MODEL_COLS - col);
	to = col + n;
	right = to + model_rand(&r->seed) % (MODEL_COLS - to + 1);
	op = model_rand(&r->seed) % 17;
	snprintf(what, size, "op %u line %u col %u n %u right %u", op, k, col,
	    n, right);
	style = vt_line_style(r->pool, line, &pen, link);
	switch (op) {
	case 0:
	case 1:
		for (i = 0; i < n; i++)
			text[i] = (char)('a' + (col + i) % 26);
		vt_line_put_ascii(line, col, (const uint8_t *)text, n, style);
		for (i = 0; i < n; i++) {
			char one[2] = { text[i], '\0' };

			model_put(m, col + i, one, false, &pen, link);
		}
		break;
	case 2:
	case 3:
	case 4:
		if (col + 2 > MODEL_COLS)
			break;
		for (i = 0; i < 1 + op % 2; i++, col += 2) {
			if (col + 2 > MODEL_COLS)
				break;
			vt_line_put(line, col, 0x4e2d, VT_WIDE, style);
			model_put(m, col, "中", true, &pen, link);
		}
		break;
	case 5: {
		bool wide = n > 10 && col + 2 <= MODEL_COLS;

		vt_line_put_cluster(line, col, "e\xcc\x81", 3,
		    wide ? VT_WIDE : VT_NARROW, style);
		model_put(m, col, "e\xcc\x81", wide, &pen, link);
		break;
	}
	case 6:
		model_untab(m, col);
		if (m->c[col].width == VT_TAIL)
			col--;
		if (col >= line->len) { /* a blank cell after the end */
			pen = pen_default;
			model_set(m, col, " ", &pen, NULL);
		} else if (m->c[col].text[0] == '\0') {
			strcpy(m->c[col].text, " ");
			m->c[col].width = VT_NARROW;
		}
		if (vt_line_append(r->pool, line, col, 0x302))
			strcat(m->c[col].text, "\xcc\x82");
		break;
	case 7:
	case 8:
		vt_line_erase(line, col, to, style);
		model_erase(m, col, to, &pen, link);
		break;
	case 9:
		vt_line_erase_unprotected(line, col, to, style);
		for (i = col; i < to; i++) {
			if ((m->c[i].pen.attrs & PEN_PROTECTED) != 0)
				continue;
			model_untab(m, i);
			if (m->c[i].width == VT_TAIL && i == col)
				model_cut(m, i);
			if (m->c[i].width == VT_WIDE && i + 1 == to)
				model_cut(m, to);
			model_set(m, i, "", &pen, link);
		}
		break;
	case 10:
		vt_line_insert(line, col, n, right, style);
		model_insert(m, col, n, right, &pen, link);
		break;
	case 11:
		vt_line_delete(line, col, n, right, style);
		model_delete(m, col, n, right, &pen, link);
		break;
	case 12: {
		unsigned from = model_rand(&r->seed) % (MODEL_COLS - n + 1);
		unsigned s = model_rand(&r->seed) % 2;

		vt_line_copy(r->pool, line, col, r->line[s], from, n);
		model_copy(m, col, &r->m[s], from, n);
		break;
	}
	case 13:
		vt_line_repen(r->pool, line, col, to, reverse_pen, NULL);
		for (i = col; i < to; i++)
			if (m->c[i].width != VT_TAIL)
				reverse_pen(&m->c[i].pen, NULL);
		for (i = MAX_OF(col, 1u); i < MODEL_COLS && i <= to; i++)
			if (m->c[i].width == VT_TAIL)
				m->c[i].pen = m->c[i - 1].pen;
		break;
	case 14:
		if (m->c[col].width == VT_TAIL)
			col--;
		if (m->c[col].width == VT_WIDE) {
			vt_line_set_width(line, col, VT_NARROW);
			m->c[col].width = VT_NARROW;
			model_set(
			    m, col + 1, "", &m->c[col].pen, m->c[col].link);
		} else if (col + 2 <= MODEL_COLS && m->c[col].text[0] != '\0') {
			vt_line_set_width(line, col, VT_WIDE);
			model_untab(m, col);
			model_cut(m, col + 2);
			m->c[col].width = VT_WIDE;
			model_set(
			    m, col + 1, "", &m->c[col].pen, m->c[col].link);
			m->c[col + 1].width = VT_TAIL;
		}
		break;
	case 15:
		vt_line_put_tab(line, col, n, style);
		model_tab(m, col, to, &pen, link);
		break;
	default:
		if (n % 4 == 0) {
			vt_line_put_pad(line, col, style);
			model_put(m, col, "", false, &pen, link);
			m->c[col].width = VT_PAD;
		} else {
			vt_line_fill(line, col, to, 'F', style);
			model_erase(m, col, to, &pen, link);
			for (i = col; i < to; i++)
				strcpy(m->c[i].text, "F");
		}
		break;
	}
}

/* Packing and unpacking gives an equal line with an equal hash. */
static void
check_pack(struct rig *r, const struct vt_line *line)
{
	struct vt_bytes b = { NULL, 0, 0 };
	struct vt_line *copy;

	vt_pack_framed(&b, line);
	ck_assert_uint_eq(vt_pack_framed_size(b.p, b.len), b.len);
	copy = vt_unpack_framed(r->pool, b.p, b.len);
	ck_assert_ptr_nonnull(copy);
	ck_assert_ptr_null(vt_line_check(copy));
	ck_assert(vt_line_equal(line, copy));
	ck_assert_uint_eq(vt_line_hash(line), vt_line_hash(copy));
	vt_line_unref(r->pool, copy);
	free(b.p);
}

START_TEST(random_writes_match_the_model)
{
	struct rig r;
	struct vt_line *kept;
	uint64_t hash;
	char what[128];
	const char *bad;
	unsigned i, k;
	int at;

	memset(&r, 0, sizeof(r));
	r.seed = unit_seed(20261120);
	r.pool = vt_pool_new();
	r.line[0] = vt_line_new(r.pool);
	r.line[1] = vt_line_new(r.pool);
	r.links[0] = vt_link_new("http://a", 8, "", 0);
	r.links[1] = vt_link_new("http://a", 8, "1", 1);
	r.links[2] = vt_link_new("http://a", 8, "", 0);
	for (i = 0; i < unit_rounds(200000); i++) {
		k = i % 2;
		kept = i % 7 == 0 ? vt_line_ref(r.line[k]) : NULL;
		hash = kept == NULL ? 0 : vt_line_hash(kept);
		rig_step(&r, what, sizeof(what));
		for (k = 0; k < 2; k++) {
			bad = vt_line_check(r.line[k]);
			ck_assert_msg(bad == NULL, "seed %lu step %u: %s: %s",
			    unit_seed(20261120), i, what, bad);
			at = model_compare(&r.m[k], r.line[k]);
			ck_assert_msg(at < 0,
			    "seed %lu step %u: %s: line %u differs at %d",
			    unit_seed(20261120), i, what, k, at);
		}
		if (kept != NULL) {
			kept->hash = 0;
			ck_assert_uint_eq(hash, vt_line_hash(kept));
			vt_line_unref(r.pool, kept);
		}
		if (i % 8 == 0)
			check_pack(&r, r.line[i / 8 % 2]);
	}
	for (k = 0; k < 2; k++)
		vt_line_unref(r.pool, r.line[k]);
	for (k = 0; k < 3; k++)
		vt_link_unref(r.links[k]);
	vt_pool_free(r.pool);
}
END_TEST

/* Writes something at random over columns FROM..TO-1. */
static void
scribble(struct vt_line *line, unsigned from, unsigned to, uint64_t *seed)
{
	static const char *const cluster[] = { "e\xcc\x81", "a\xcc\x88" };
	struct pen pen = { .fg = model_rand(seed) % 3 };
	unsigned col, style;

	for (col = from; col + 2 <= to; col += 2) {
		style = vt_line_style(NULL, line, &pen, NULL);
		switch (model_rand(seed) % 8) {
		case 0:
			vt_line_put(line, col, 0x4f60, VT_WIDE, style);
			break;
		case 1:
			vt_line_put_cluster(line, col,
			    cluster[model_rand(seed) % 2], 3, VT_NARROW, style);
			break;
		case 2:
			vt_line_erase(line, col, col + 2, style);
			break;
		case 3:
			pen.fg = model_rand(seed) % 3;
			break;
		default:
			vt_line_put(line, col, 'a' + model_rand(seed) % 2,
			    VT_NARROW, style);
		}
	}
}

START_TEST(differences_are_those_of_the_cells)
{
	uint64_t seed = unit_seed(20261123), bits[VT_LINE_WORDS(300)];
	unsigned i, k, col, cols, from, to;
	struct vt_line *line[2];

	for (i = 0; i < unit_rounds(2000); i++) {
		/* Plain letters, then the same with changes. */
		line[0] = vt_line_new(NULL);
		for (col = model_rand(&seed) % 260; col > 0; col--)
			vt_line_put(
			    line[0], col - 1, 'a' + col % 7, VT_NARROW, 0);
		line[1] = vt_line_clone(NULL, line[0]);
		for (k = model_rand(&seed) % 5; k > 0; k--) {
			from = model_rand(&seed) % 250;
			to = from + model_rand(&seed) % 40;
			scribble(line[k % 2], from, to, &seed);
		}
		cols = model_rand(&seed) % 300;
		memset(bits, 0x5a, sizeof(bits));
		vt_line_differ(line[0], line[1], cols, bits);
		for (col = 0; col < cols; col++)
			ck_assert_msg(
			    (bits[col / 64] >> (col % 64) & 1) ==
				!vt_line_cell_equal(line[0], col, line[1], col),
			    "seed %lu round %u: column %u of %u",
			    unit_seed(20261123), i, col, cols);
		for (; col % 64 != 0; col++)
			ck_assert((bits[col / 64] >> (col % 64) & 1) == 0);
		vt_line_unref(NULL, line[0]);
		vt_line_unref(NULL, line[1]);
	}
}
END_TEST

/* Lines with only RGB colours have a packed form of their own. */
START_TEST(true_colours_are_packed_and_come_back)
{
	struct pen pen = { 0, 0, 0, 0 };
	struct vt_line *line;
	unsigned i, col, odd;
	struct rig r;

	memset(&r, 0, sizeof(r));
	r.seed = unit_seed(20261121);
	r.pool = vt_pool_new();
	for (i = 0; i < 2000; i++) {
		line = vt_line_new(r.pool);
		odd = i % 3 > 0 ? UINT32_MAX : model_rand(&r.seed) % 80;
		for (col = 0; col < 1 + i % 80; col++) {
			pen.fg = COLOUR_KIND_RGB << 24 |
				 (model_rand(&r.seed) & 0xffffff);
			pen.bg = COLOUR_KIND_RGB << 24 |
				 (model_rand(&r.seed) & 0xffffff);
			if (col == odd)
				pen.bg = colour_index(i);
			pen.attrs = col == odd && i % 2 > 0 ? PEN_REVERSE : 0;
			vt_line_put_ascii(line, col, (const uint8_t *)"x", 1,
			    vt_line_style(r.pool, line, &pen, NULL));
		}
		check_pack(&r, line);
		vt_line_unref(r.pool, line);
	}
	vt_pool_free(r.pool);
}
END_TEST

/* The unpacker accepts or refuses any bytes, without harm. */
START_TEST(unpacking_noise_is_harmless)
{
	uint64_t seed = unit_seed(7);
	uint8_t p[96];
	unsigned i, j, n, taken = 0;

	for (i = 0; i < 200000; i++) {
		struct vt_line *line;
		size_t body;

		n = 2 + model_rand(&seed) % (sizeof(p) - 2);
		for (j = 2; j < n; j++)
			p[j] = (uint8_t)(model_rand(&seed) >> (i % 5));
		/*
		 * The length precedes the line, whose first byte is the kind.
		 */
		body = n - 2;
		p[0] = (uint8_t)(body >> 8);
		p[1] = (uint8_t)body;
		if (body > 0)
			p[2] &= 7;
		line = vt_unpack_framed(NULL, p, n);
		if (line != NULL) {
			taken++;
			vt_line_unref(NULL, line);
		}
	}
	ck_assert_uint_gt(taken, 0);
}
END_TEST

UNIT_SUITE(vt_line)
{
	Suite *s = suite_create("vt_line");
	TCase *tc = tcase_create("vt_line");

	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, ascii_run_is_stored);
	tcase_add_test(tc, half_of_a_wide_cell_becomes_a_space);
	tcase_add_test(tc, clusters_grow_up_to_their_limit);
	tcase_add_test(tc, a_shared_line_is_not_written);
	tcase_add_test(tc, new_colours_for_ever_stay_bounded);
	tcase_add_test(tc, hash_and_equality_are_by_value);
	tcase_add_test(tc, random_writes_match_the_model);
	tcase_add_test(tc, differences_are_those_of_the_cells);
	tcase_add_test(tc, true_colours_are_packed_and_come_back);
	tcase_add_test(tc, unpacking_noise_is_harmless);
	suite_add_tcase(s, tc);
	return s;
}
