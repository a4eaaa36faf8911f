/*
 * Arbitrary output with changes of size, snapshots and calls of the owner in
 * between.  Properties: invariants hold after each piece; frames and their
 * hashes do not change; memory stays bounded.
 *
 * A byte 0xfe begins a command of this driver (it cannot be in UTF-8).
 */
#include <string.h>

#include "base/mem.h"
#include "regress/fuzz/fuzz_vt.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define FRAMES 4
#define PICTURE_MAX (32u << 20)

struct snapshot {
	struct vt_frame *frame;
	struct vt_frame *copy; /* shares no line with it */
};

static struct snapshot
snap(struct vt_term *t, size_t scroll)
{
	struct snapshot s;
	unsigned y;

	s.frame = vt_term_frame(t, scroll);
	s.copy = vt_frame_clone(s.frame);
	for (y = 0; y < s.copy->rows; y++)
		(void)vt_frame_own(s.copy, y);
	bug_assert(vt_frame_check(s.frame) == NULL);
	return s;
}

/* The frame has not changed, with and without its cached values. */
static void
drop(struct snapshot *s)
{
	if (s->frame == NULL)
		return;
	bug_assert(vt_frame_check(s->frame) == NULL);
	bug_assert(vt_frame_equal(s->copy, s->frame));
	vt_frame_unref(s->copy);
	vt_frame_unref(s->frame);
	s->frame = NULL;
}

/* Runs one command; returns the bytes that it used. */
static size_t
command(struct vt_term *t, struct snapshot *snaps, const uint8_t *p, size_t n)
{
	uint8_t b[3] = { 0, 0, 0 };
	struct vt_theme theme = { 0xffffff, 0, 0, true };
	struct vt_click_keys keys;
	struct snapshot *s;

	memcpy(b, p, MIN_OF(n, sizeof(b)));
	switch (b[0] % 9) {
	case 0:
	case 1:
		vt_term_resize(t, b[1], b[2]);
		break;
	case 2:
		vt_term_resize(t, (unsigned)b[1] << 6, b[2] % 8);
		break;
	case 3:
	case 4:
		s = &snaps[b[1] % FRAMES];
		drop(s);
		*s = snap(t, b[2]);
		break;
	case 5:
		theme.dark = b[1] & 1;
		vt_term_set_theme(t, &theme);
		vt_term_set_cell_pixels(t, b[1], b[2]);
		break;
	case 6:
		vt_term_sync_expire(t);
		vt_term_set_scroll_on_clear(t, b[1] & 1);
		vt_term_set_title_report(t, (b[1] & 2) != 0);
		break;
	case 7:
		bug_assert(
		    !vt_term_click(t, b[1], b[2], &keys) || keys.report ||
		    (keys.steps > 0 && keys.steps <= VT_CLICK_STEPS_MAX));
		break;
	default:
		if (b[1] == 0)
			vt_term_reset(t);
	}
	fuzz_check(t);
	return MIN_OF(n, sizeof(b));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct snapshot snaps[FRAMES];
	struct vt_term *t;
	size_t i = 2, k;

	if (size < 2)
		return 0;
	memset(snaps, 0, sizeof(snaps));
	t = fuzz_term(data[0] % 40u + 1, data[1] % 12u + 1, data[1] / 8u);
	while (i < size) {
		for (k = i; k < size && data[k] != 0xfe; k++)
			;
		if (k > i) {
			vt_term_write(t, data + i, k - i);
			fuzz_effects(t, NULL);
			fuzz_check(t);
		}
		i = k + 1;
		if (i < size)
			i += command(t, snaps, data + i, size - i);
	}
	bug_assert(vt_term_bytes(t) < 64u << 20);
	for (i = 0; i < FRAMES; i++)
		drop(&snaps[i]);
	vt_term_free(t);
	return 0;
}
