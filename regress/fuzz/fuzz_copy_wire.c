/*
 * Any bytes as a state and a setup of copy mode, and as keys: after four bytes
 * with the size of the screen and two with the length of the state come the
 * state, two bytes with the length of the setup, the setup, and a byte for each
 * key.  Every second row of history is held.
 */
#include "base/err.h"
#include "base/grapheme.h"
#include "base/wire.h"
#include "mux/mode/copy_replay.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct vt_line *
row(UNUSED void *arg, vt_row num)
{
	return num % 256 < 128 ? vt_line_new(NULL) : NULL;
}

static void
keys(struct copy_replay *r, struct rd *in)
{
	struct vt_frame *f;
	unsigned n;

	for (n = 0; rd_left(in) > 0 && n < 64; n++) {
		(void)copy_replay_key(r, rd_u8(in));
		f = copy_replay_draw(r);
		bug_assert(f == NULL || vt_frame_check(f) == NULL);
		vt_frame_unref(f);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct grapheme_table *gt;
	struct copy_replay_cfg cfg = { .history = { row, NULL, 0 } };
	struct copy_replay *r;
	struct vt_frame *screen;
	unsigned cols, rows;
	uint32_t pane;
	struct rd in;

	if (gt == NULL)
		gt = grapheme_table_new(NULL);
	rd_init(&in, data, size);
	cols = rd_u16(&in) % 512;
	rows = rd_u16(&in) % 128;
	cfg.graphemes = gt;
	cfg.state_len = rd_u16(&in);
	cfg.state = rd_bytes(&in, cfg.state_len);
	cfg.setup_len = rd_u16(&in);
	cfg.setup = rd_bytes(&in, cfg.setup_len);
	if (in.err != 0 || cols == 0 || rows == 0)
		return 0;
	screen = vt_frame_new(cols, rows);
	cfg.screen = screen;
	if (copy_replay_pane(cfg.state, cfg.state_len, &pane) == 0 &&
	    copy_replay_new(&r, &cfg) == 0) {
		keys(r, &in);
		copy_replay_free(r);
	}
	vt_frame_unref(screen);
	return 0;
}
