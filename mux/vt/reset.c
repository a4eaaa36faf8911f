/*
 * Soft and full reset: DECSTR and RIS.
 */
#include <string.h>

#include "mux/vt/screen.h"

/* Resets what DECSTR and RIS have in common. */
static void
reset_common(struct vt_term *t)
{
	vt_margins_reset(t);
	memset(&t->pen, 0, sizeof t->pen);
	vt_link_unref(t->link);
	t->link = NULL;
	vt_pen_changed(t);
	vt_charsets_init(&t->charsets);
	t->protect = VT_PROTECT_OFF;
	t->sace = 0;
	memset(t->modkeys, -1, sizeof t->modkeys);
	memset(&t->screens[t->alternate].kitty, 0, sizeof(struct vt_kitty));
	t->screens[t->alternate].saved.valid = false;
	vt_unjoin(t);
}

/* DECSTR - keeps the screen, the cursor's place and a pending wrap. */
void
vt_reset_soft(struct vt_term *t)
{
	static const struct {
		enum vt_mode mode;
		bool on;
	} modes[] = {
		{ VT_MODE_DECTCEM, true },
		{ VT_MODE_IRM, false },
		{ VT_MODE_DECOM, false },
		{ VT_MODE_DECAWM, true },
		{ VT_MODE_REVWRAP, false },
		{ VT_MODE_REVWRAP2, false },
		{ VT_MODE_DECCKM, false },
		{ VT_MODE_DECNKM, false },
		{ VT_MODE_KAM, false },
		{ VT_MODE_DECLRMM, false },
		{ VT_MODE_CLUSTERS, true },
	};
	size_t i;

	reset_common(t);
	for (i = 0; i < ARRAY_LEN(modes); i++)
		vt_mode_put(t, modes[i].mode, modes[i].on);
	t->cursor_style = 0;
}

/* RIS - resets everything but history, counters, titles and working directory. */
void
vt_reset_full(struct vt_term *t)
{
	const bool alternate = t->alternate;

	if (vt_mode_on(t, VT_MODE_SYNC))
		vt_mode_set(t, VT_MODE_SYNC, false);
	vt_show_alternate(t, false);
	reset_common(t);
	t->wrap = false;
	vt_mode_reset_all(t);
	memcpy(t->saved_modes, t->modes, sizeof t->saved_modes);
	memset(&t->screens[0].kitty, 0, sizeof(struct vt_kitty));
	memset(&t->screens[1].kitty, 0, sizeof(struct vt_kitty));
	t->screens[0].saved.valid = t->screens[1].saved.valid = false;
	memset(&t->last, 0, sizeof t->last);
	vt_tabs_reset(&t->tabs);
	t->title_modes = 0;
	t->checksum = 0;
	t->cursor_style = 0;
	vt_rare_free(t);
	if (t->state.palette != NULL) {
		vt_palette_unref(t->state.palette);
		t->state.palette = NULL;
		vt_effects_add(
		    &t->effects, VT_EFFECT_PALETTE, 0, 0, NULL, 0, NULL);
	}
	t->state.progress = VT_PROGRESS_NONE;
	t->state.progress_percent = 0;
	t->state.prompt = VT_PROMPT_NONE;
	t->click = VT_CLICK_NONE;
	if (t->scroll_on_clear && !alternate)
		vt_grid_keep_screen(t->screens[0].grid, &t->pen);
	vt_erase_rows(t, 0, t->rows, false);
	vt_grid_free(t->screens[1].grid);
	t->screens[1].grid = NULL;
	t->screens[1].odd = false;
	t->modes[0] &= ~VT_MODES_ODD;
	vt_move(t, 0, 0);
}
