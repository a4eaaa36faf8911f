/*
 * Any bytes as a state, a setup, prompts and an open prompt of copy mode, and as
 * keys: after four bytes with the size of the screen come three times two bytes
 * with a length and so many bytes (state, setup, prompts), a byte with the number
 * of the open prompt, and a byte for each key.  Every second row of history is
 * held.
 */
#include "base/err.h"
#include "base/grapheme.h"
#include "base/wire.h"
#include "mux/view/ask_replay.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct vt_line *
row(UNUSED void *arg, vt_row num)
{
	return num % 256 < 128 ? vt_line_new(NULL) : NULL;
}

static key_code
key_of(uint8_t byte)
{
	static const key_code others[] = { KEY_ENTER, KEY_ESCAPE, KEY_BSPACE,
		KEY_LEFT, KEY_HOME, KEY_CTRL | 'r', KEY_CTRL | 's',
		KEY_CTRL | 'w', KEY_CTRL | 'u', KEY_CTRL | 'c', KEY_META | 'b',
		KEY_DC };

	if (byte < 0x80)
		return byte;
	return others[byte % ARRAY_LEN(others)];
}

static void
keys(struct ask_replay *r, const struct grapheme_table *gt, struct rd *in)
{
	struct vt_frame *f;
	unsigned n;
	int x, y;

	for (n = 0; rd_left(in) > 0 && n < 64; n++) {
		(void)ask_replay_key(r, key_of(rd_u8(in)));
		f = copy_replay_draw(ask_replay_mode(r));
		bug_assert(f == NULL || vt_frame_check(f) == NULL);
		vt_frame_unref(f);
		f = ask_replay_line(r, gt, &x, &y);
		bug_assert(f == NULL || vt_frame_check(f) == NULL);
		vt_frame_unref(f);
	}
}

static struct vt_str *
bytes(struct rd *in)
{
	const size_t n = rd_u16(in);
	const uint8_t *p = rd_bytes(in, n);

	return in->err != 0 ? NULL : vt_str_new((const char *)p, n);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct grapheme_table *gt;
	const struct copy_history history = { row, NULL, 0 };
	struct sync_copy copy = { .sign = '=' };
	struct sync_view *v;
	struct ask_replay *r;
	unsigned cols, rows;
	uint32_t pane;
	struct rd in;

	if (gt == NULL)
		gt = grapheme_table_new(NULL);
	rd_init(&in, data, size);
	cols = rd_u16(&in) % 512;
	rows = rd_u16(&in) % 128;
	if (cols == 0 || rows == 0)
		return 0;
	v = sync_view_new(cols, rows);
	copy.state = bytes(&in);
	v->setup = bytes(&in);
	v->asks = bytes(&in);
	copy.ask = rd_u8(&in) % 4;
	copy.typed = vt_str_new("text", 4);
	copy.at = 2;
	copy.screen = vt_frame_new(cols, rows);
	v->copy = sync_copy_new(&copy);
	if (in.err == 0 &&
	    copy_replay_pane(vt_str_text(copy.state),
		copy.state == NULL ? 0 : copy.state->len, &pane) == 0 &&
	    ask_replay_new(&r, v, gt, &history) == 0) {
		keys(r, gt, &in);
		ask_replay_free(r);
	}
	sync_view_free(v);
	return 0;
}
