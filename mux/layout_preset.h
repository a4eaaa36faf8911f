/*
 * mux/layout_preset.h - the preset layouts of select-layout.
 *
 * Purpose:   builds the tree of a preset for a number of panes.
 * Ownership: as layout.h.
 * Units:     cells; option texts are "24" or "30%".
 * Errors:    -ERR_STATE when there is nothing to arrange (one pane).
 * Source:    tmux(1), select-layout; sizes as tmux 3.8 computes them
 *            (regress/ref/floats.py).
 * Tests:     regress/unit/check_layout.c
 */
#ifndef MUX_LAYOUT_PRESET_H
#define MUX_LAYOUT_PRESET_H

#include "mux/layout.h"

/* clang-format off */
enum layout_preset {
#define X(id, ...) LAYOUT_PRESET_##id,
#include "mux/layout_preset.def"
#undef X
	LAYOUT_PRESET_COUNT
};
/* clang-format on */

/* The options of presets; NULL means the default. */
struct layout_preset_options {
	const char *main_width;   /* main-pane-width */
	const char *main_height;  /* main-pane-height */
	const char *other_width;  /* other-pane-width */
	const char *other_height; /* other-pane-height */
	int max_columns;          /* tiled-layout-max-columns, 0: no limit */
};

/* Returns the name of a preset. */
const char *layout_preset_name(int preset);

/*
 * Returns the cell of L whose children a preset has spread: the root, or the
 * cell beside the main pane. NULL if there is none.
 */
struct layout_cell *layout_preset_spread(const struct layout *l, int preset);

/* Returns the preset with that name or unique beginning of a name, or -1. */
int layout_preset_find(const char *name);

/*
 * Arranges the panes of L, in the order of IDS, in a window of W by H. Where
 * they do not fit, the layout is larger than that.
 */
int layout_preset_apply(struct layout *l, int preset, const uint32_t *ids,
    size_t n, int w, int h, const struct layout_preset_options *opt);

#endif
