/*
 * Any bytes as what a client picks from, and as keys: a byte with the kind, two
 * with the size of the picture, two with the length of the state, the state,
 * two with the length of the rows, the rows, and a byte for each key; keys from
 * 128 on are special keys and the wheel.
 */
#include "base/err.h"
#include "base/grapheme.h"
#include "base/wire.h"
#include "mux/view/build.h"
#include "mux/view/pick.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
input(struct pick *k, uint8_t byte)
{
	struct mouse_event ev = { .action = MOUSE_PRESS, .px = -1 };

	if (byte < 128) {
		(void)pick_key(k, byte);
	} else if (byte < 224) {
		(void)pick_key(k, KEY_UP + (key_code)(byte - 128));
	} else {
		ev.button = byte % 2 == 0 ? MOUSE_WHEEL_UP : MOUSE_WHEEL_DOWN;
		ev.action = byte % 4 < 2 ? MOUSE_PRESS : MOUSE_MOTION;
		ev.x = byte - 224;
		ev.y = ev.x / 2;
		(void)pick_mouse(k, &ev);
	}
}

static void
inputs(struct pick *k, uint64_t surface, struct rd *in)
{
	struct vt_frame *f;
	unsigned n;
	int x, y;

	for (n = 0; rd_left(in) > 0 && n < 64; n++) {
		input(k, rd_u8(in));
		f = pick_draw(k, surface);
		bug_assert(vt_frame_check(f) == NULL);
		vt_frame_unref(f);
		f = pick_line(k, &x, &y);
		bug_assert(f == NULL || vt_frame_check(f) == NULL);
		vt_frame_unref(f);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct grapheme_table *gt;
	struct sync_pick pick = { .surface = VIEW_SURFACE_PALETTE };
	const uint8_t *state, *rows;
	size_t state_len, rows_len;
	struct sync_view *v;
	struct vt_frame *f;
	unsigned cols, lines;
	struct pick *k;
	struct rd in;

	if (gt == NULL)
		gt = grapheme_table_new(NULL);
	rd_init(&in, data, size);
	pick.kind = rd_u8(&in) % 6;
	cols = rd_u8(&in) + 1u;
	lines = rd_u8(&in) + 1u;
	state_len = rd_u16(&in);
	state = rd_bytes(&in, state_len);
	rows_len = rd_u16(&in);
	rows = rd_bytes(&in, rows_len);
	if (in.err != 0)
		return 0;
	v = sync_view_new(cols, lines);
	f = vt_frame_new(cols, lines);
	sync_view_add(v, pick.surface, SYNC_SURFACE_OVERLAY, 0, 0, f);
	vt_frame_unref(f);
	pick.state = vt_str_new((const char *)state, state_len);
	pick.rows = vt_str_new((const char *)rows, rows_len);
	v->pick = sync_pick_new(&pick);
	if (pick_new(&k, v, gt) == 0) {
		inputs(k, pick.surface, &in);
		pick_free(k);
	}
	sync_view_free(v);
	return 0;
}
