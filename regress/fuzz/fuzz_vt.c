#include "regress/fuzz/fuzz_vt.h"

#include <string.h>

/* Made at the first input: building the width table takes milliseconds. */
static struct vt_pool *fuzz_pool;
static struct grapheme_table *fuzz_graphemes;

struct vt_term *
fuzz_term(unsigned cols, unsigned rows, size_t history)
{
	struct vt_term_options opt;

	if (fuzz_pool == NULL) {
		fuzz_pool = vt_pool_new();
		fuzz_graphemes = grapheme_table_new(NULL);
	}
	memset(&opt, 0, sizeof(opt));
	opt.pool = fuzz_pool;
	opt.graphemes = fuzz_graphemes;
	opt.cols = cols;
	opt.rows = rows;
	opt.history_rows = history;
	opt.history_bytes = 16u << 20;
	opt.string_max = 4096;
	return vt_term_new(&opt);
}

void
fuzz_check(struct vt_term *t)
{
	const char *bad = vt_term_check(t);

	if (bad != NULL)
		bug_failed(bad, __FILE__, __LINE__);
}

void
fuzz_effects(struct vt_term *t, struct buf *out)
{
	struct vt_effect e;

	while (vt_term_next_effect(t, &e)) {
		if (out != NULL && e.kind == VT_EFFECT_REPLY)
			(void)buf_add(out, e.data, e.len);
		vt_effect_fini(&e);
	}
}

void
fuzz_picture(struct vt_term *t, struct buf *out)
{
	const struct vt_frame_state *st;
	struct vt_term_cursor c = vt_term_cursor(t);
	struct vt_rect m = vt_term_margins(t);
	struct vt_grid *g = vt_term_main_grid(t);
	struct vt_frame *f = vt_term_frame(t, 0);
	vt_row row;
	int i;

	buf_addf(out, "%ux%u cursor %u,%u %d%d%d %u margins %u %u %u %u\n",
	    vt_term_cols(t), vt_term_rows(t), c.x, c.y, c.pending, c.visible,
	    c.blink, (unsigned)c.shape, m.left, m.top, m.right, m.bottom);
	/* How the text was split decides when odd rows are looked for. */
	for (i = 0; i < VT_MODE_COUNT; i++)
		if (i != VT_MODE_ODD_ROWS)
			buf_addf(out, "%d", vt_term_mode(t, (enum vt_mode)i));
	st = vt_term_state(t);
	buf_addf(out, "\nstate %u %u %u %u %u %u %u %u %u %u %u\n", st->modes,
	    st->cursor_shape, st->mouse_mode, st->mouse_encoding,
	    st->kitty_flags, st->modify_other, st->prompt, st->progress,
	    st->progress_percent, st->pointer, st->bells);
	buf_addf(out, "title %s\nicon %s\ncwd %s\nhost %s\n",
	    vt_str_text(st->title), vt_str_text(st->icon), vt_term_cwd(t),
	    vt_term_host(t));
	(void)vt_dump_raw_frame(out, f);
	vt_frame_unref(f);
	for (row = vt_grid_first(g); row < vt_grid_end(g); row++) {
		(void)vt_dump_raw(out, vt_grid_row(g, row));
		buf_add_u8(out, '\n');
	}
}

void
fuzz_write(struct vt_term *t, const uint8_t *p, size_t n, size_t step,
    uint64_t seed, struct buf *effects)
{
	size_t i, k;

	for (i = 0; i < n; i += k) {
		seed = seed * UINT64_C(6364136223846793005) + 1;
		k = (size_t)(seed >> 40) % step + 1;
		k = MIN_OF(k, n - i);
		vt_term_write(t, p + i, k);
		fuzz_effects(t, effects);
	}
}
