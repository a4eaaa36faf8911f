#include "mux/vt/input_encode.h"
#include "mux/vt/term.h"

void
vt_input_modes_of(struct vt_input_modes *m, struct vt_term *t)
{
	const struct vt_frame_state *st = vt_term_state(t);

	*m = (struct vt_input_modes){
		.kitty = st->kitty_flags,
		.modify_other = st->modify_other,
		.app_cursor = vt_term_mode(t, VT_MODE_DECCKM),
		.app_keypad = vt_term_mode(t, VT_MODE_DECNKM),
		.newline = vt_term_mode(t, VT_MODE_LNM),
		.backspace_bs = vt_term_mode(t, VT_MODE_DECBKM),
		.meta_escape = vt_term_mode(t, VT_MODE_META_ESC),
		.alt_escape = vt_term_mode(t, VT_MODE_ALT_ESC),
		.meta_eight_bit = vt_term_mode(t, VT_MODE_META8),
		.numlock = vt_term_mode(t, VT_MODE_NUMLOCK),
		.bracketed_paste = vt_term_mode(t, VT_MODE_PASTE),
		.focus = vt_term_mode(t, VT_MODE_FOCUS),
		.alternate_scroll = vt_term_mode(t, VT_MODE_ALTSCROLL),
		.alternate_screen = vt_term_alternate(t),
		.mouse = st->mouse_mode,
		.mouse_encoding = st->mouse_encoding,
	};
}
