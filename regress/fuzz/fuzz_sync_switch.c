/*
 * Any bytes as a state, a setup and status lines, each after two bytes of
 * length; the rest are keys and clicks of a replay over them.
 */
#include "base/err.h"
#include "mux/sync/switch.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct vt_str *
part(struct rd *r)
{
	size_t n = rd_u16(r);
	const uint8_t *p;

	n = MIN_OF(n, rd_left(r));
	p = rd_bytes(r, n);
	return p == NULL ? NULL : vt_str_new((const char *)p, n);
}

static void
check(const struct sync_switch_replay *r)
{
	unsigned i;
	bool found = false;

	bug_assert(r->at.nlast <= SYNC_SWITCH_LINKS_MAX &&
		   r->setup.nlinks <= SYNC_SWITCH_LINKS_MAX &&
		   r->setup.nsessions <= SYNC_SWITCH_SESSIONS_MAX);
	for (i = 0; i < r->setup.nlinks; i++)
		found |= r->setup.links[i].window == r->window;
	for (i = 0; i < r->setup.nsessions; i++)
		found |= r->setup.sessions[i].window == r->window;
	bug_assert(found);
	bug_assert(r->setup.ask_len <= SYNC_SWITCH_ASK_BYTES);
	for (i = 0; i < r->setup.nasks; i++)
		vt_frame_unref(
		    sync_switch_ask_line(&r->setup, &r->setup.asks[i]));
}

/* What decodes is written and decodes again. */
static void
again(const struct sync_switch_replay *r)
{
	struct sync_switch_state state;
	struct sync_switch_setup setup;
	struct buf b;

	buf_init(&b, BUF_MAX);
	bug_assert(sync_switch_put_state(&b, &r->at));
	bug_assert(sync_switch_get_state(b.data, b.len, &state) == 0);
	bug_assert(state.current == r->at.current);
	buf_clear(&b);
	bug_assert(sync_switch_put_setup(&b, &r->setup));
	bug_assert(sync_switch_get_setup(b.data, b.len, &setup) == 0);
	bug_assert(setup.nbinds == r->setup.nbinds);
	buf_fini(&b);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct mouse_event ev = { .button = MOUSE_LEFT };
	struct vt_str *state, *setup, *text;
	struct sync_switch_replay replay;
	struct sync_switch_bar bar;
	unsigned what;
	struct rd r;

	rd_init(&r, data, size);
	state = part(&r);
	setup = part(&r);
	text = part(&r);
	r.err = 0;
	if (text == NULL ||
	    sync_switch_get_bar(text->text, text->len, &bar) != 0)
		bar = (struct sync_switch_bar){ .w = 0 };
	if (sync_switch_begin(&replay, state, setup, NULL) == 0) {
		again(&replay);
		while (rd_left(&r) >= 3) {
			what = rd_u8(&r);
			if (what % 4 == 0) {
				ev.x = rd_u8(&r);
				ev.y = rd_u8(&r);
				ev.button = (enum mouse_button)(what / 4 % 6);
				ev.action = MOUSE_PRESS;
				(void)sync_switch_mouse(
				    &replay, &bar, &ev, what > 240);
			} else
				(void)sync_switch_key(&replay,
				    what % 4 == 1 && replay.setup.nbinds > 0
					? replay.setup
					      .binds[rd_u16(&r) %
						     replay.setup.nbinds]
					      .key
				    : what % 4 == 2 ? replay.setup.prefixes[0]
						    : rd_u16(&r));
			check(&replay);
		}
	}
	vt_str_unref(state);
	vt_str_unref(setup);
	vt_str_unref(text);
	return 0;
}
