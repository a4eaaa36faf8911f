/*
 * The same output whole and in pieces: the screen, the history, all modes and
 * every reply must be the same.  The history is packed, which turns padding
 * without its wide character into an erased column.  Bytes without a meaning
 * follow the input: burst.c takes only text with enough bytes after it.
 */
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "regress/fuzz/fuzz_vt.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define PICTURE_MAX (64u << 20)
#define PADDING 128

/* Shows the first line that differs, and aborts. */
static void
compare(const char *a, const char *b)
{
	size_t an, bn;

	for (;; a += an + 1, b += bn + 1) {
		an = strcspn(a, "\n");
		bn = strcspn(b, "\n");
		if (an != bn || memcmp(a, b, an) != 0)
			break;
		if (a[an] == '\0')
			return;
	}
	fprintf(stderr, "whole: %.*s\nparts: %.*s\n", (int)an, a, (int)bn, b);
	bug_assert(an == bn && memcmp(a, b, an) == 0);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct buf whole, parts;
	struct vt_stats stats;
	struct vt_term *a, *b;
	uint8_t *all;
	size_t step;

	if (size < 3)
		return 0;
	buf_init(&whole, PICTURE_MAX);
	buf_init(&parts, PICTURE_MAX);
	a = fuzz_term(data[0] % 40u + 1, data[1] % 12u + 1, 300);
	b = fuzz_term(data[0] % 40u + 1, data[1] % 12u + 1, 300);
	step = data[2] % 16u + 1;
	size -= 3;
	all = mem_alloc(size + PADDING);
	memcpy(all, data + 3, size);
	memset(all + size, 0x7f, PADDING);
	size += PADDING;
	vt_term_write(a, all, size);
	fuzz_effects(a, &whole);
	fuzz_write(b, all, size, step, size, &parts);
	mem_free(all);
	while (vt_grid_settle(vt_term_main_grid(a)))
		;
	while (vt_grid_settle(vt_term_main_grid(b)))
		;
	fuzz_check(a);
	fuzz_check(b);
	/* Replies over a limit are dropped at different places. */
	vt_term_stats(a, &stats);
	if (stats.effects_dropped > 0 || whole.len > 32768) {
		buf_clear(&whole);
		buf_clear(&parts);
	}
	fuzz_picture(a, &whole);
	fuzz_picture(b, &parts);
	compare(buf_cstr(&whole), buf_cstr(&parts));
	buf_fini(&whole);
	buf_fini(&parts);
	vt_term_free(a);
	vt_term_free(b);
	return 0;
}
