/* Variables of a pane's terminal and of the cell under the mouse. */
#include <string.h>

#include "base/mem.h"
#include "mux/fmt/vars_int.h"
#include "mux/vt/dump.h"
#include "mux/vt/line.h"
#include "mux/vt/pointer.h"

#define VARS_LINE_MAX 65536u /* bytes of a row */

static int
lower_margin(const struct vt_term *t)
{
	struct vt_rect r = vt_term_margins(t);

	return (int)r.bottom - 1;
}

static enum vt_mouse_mode
mouse_mode(const struct vars *v)
{
	return (enum vt_mouse_mode)vt_term_state(v->pane->term)->mouse_mode;
}

static int64_t
history_rows(const struct vt_term *t)
{
	const struct vt_grid *g = vt_term_main_grid(t);

	return (int64_t)(vt_grid_screen(g) - vt_grid_first(g));
}

/* Prints the default colour set by a program (OSC 10, 11), or "default". */
static bool
put_colour(const struct pane *p, struct buf *out, bool bg)
{
	const struct vt_palette *pal = vt_term_state(p->term)->palette;
	uint32_t rgb = vt_palette_get(pal, bg ? VT_DYN_BG : VT_DYN_FG);

	if (rgb == VT_PALETTE_UNSET)
		return put_str(out, "default");
	return buf_addf(out, "#%06x", rgb) == 0;
}

bool
var_cursor_x(const struct vars *v, struct buf *out)
{
	struct vt_term_cursor c = vt_term_cursor(v->pane->term);

	/* As in tmux, the cursor stands behind the last column until the wrap. */
	if (c.pending && vt_term_mode(v->pane->term, VT_MODE_DECAWM))
		return put_int(out, c.x + 1);
	return put_int(out, c.x);
}

bool
var_cursor_y(const struct vars *v, struct buf *out)
{
	return put_int(out, vt_term_cursor(v->pane->term).y);
}

bool
var_cursor_flag(const struct vars *v, struct buf *out)
{
	return put_flag(out, vt_term_cursor(v->pane->term).visible);
}

bool
var_cursor_blinking(const struct vars *v, struct buf *out)
{
	return put_flag(out, vt_term_cursor(v->pane->term).blink);
}

bool
var_cursor_very_visible(const struct vars *v UNUSED, struct buf *out)
{
	return put_flag(out, false);
}

/* Prints a position that the alternate screen has saved, else tmux's -1. */
static bool
put_saved(const struct vars *v, bool row, struct buf *out)
{
	int x, y;

	if (!vt_term_saved(v->pane->term, &x, &y))
		return put_int(out, UINT32_MAX);
	return put_int(out, row ? y : x);
}

bool
var_alternate_saved_x(const struct vars *v, struct buf *out)
{
	return put_saved(v, false, out);
}

bool
var_alternate_saved_y(const struct vars *v, struct buf *out)
{
	return put_saved(v, true, out);
}

/* Lists the modes of tmux: those that are off at reset, autowrap, the cursor. */
bool
var_pane_private_modes(const struct vars *v, struct buf *out)
{
	static const struct {
		uint16_t number;
		bool shown;
		enum vt_mode mode;
	} rows[] = {
#define F(name, private, number, answer)
#define X(name, private, number, def, setter, group, help)         \
 { number, private && (!(def) || (number) == 7 || (number) == 25), \
	 VT_MODE_##name },
#include "mux/vt/mode.def"
#undef X
#undef F
	};
	size_t i, start = out->len;

	for (i = 0; i < ARRAY_LEN(rows); i++)
		if (rows[i].shown &&
		    vt_term_mode(v->pane->term, rows[i].mode)) {
			if (out->len > start)
				(void)buf_add_u8(out, ',');
			(void)put_int(out, rows[i].number);
		}
	return true;
}

bool
var_alternate_on(const struct vars *v, struct buf *out)
{
	return put_flag(out, vt_term_alternate(v->pane->term));
}

bool
var_scroll_region_upper(const struct vars *v, struct buf *out)
{
	return put_int(out, vt_term_margins(v->pane->term).top);
}

bool
var_scroll_region_lower(const struct vars *v, struct buf *out)
{
	return put_int(out, lower_margin(v->pane->term));
}

bool
var_insert_flag(const struct vars *v, struct buf *out)
{
	return put_flag(out, vt_term_mode(v->pane->term, VT_MODE_IRM));
}

bool
var_origin_flag(const struct vars *v, struct buf *out)
{
	return put_flag(out, vt_term_mode(v->pane->term, VT_MODE_DECOM));
}

bool
var_wrap_flag(const struct vars *v, struct buf *out)
{
	return put_flag(out, vt_term_mode(v->pane->term, VT_MODE_DECAWM));
}

bool
var_keypad_flag(const struct vars *v, struct buf *out)
{
	return put_flag(out, vt_term_mode(v->pane->term, VT_MODE_DECNKM));
}

bool
var_keypad_cursor_flag(const struct vars *v, struct buf *out)
{
	return put_flag(out, vt_term_mode(v->pane->term, VT_MODE_DECCKM));
}

bool
var_bracket_paste_flag(const struct vars *v, struct buf *out)
{
	return put_flag(out, vt_term_mode(v->pane->term, VT_MODE_PASTE));
}

bool
var_synchronized_output_flag(const struct vars *v, struct buf *out)
{
	return put_flag(out, vt_term_mode(v->pane->term, VT_MODE_SYNC));
}

bool
var_pane_fg(const struct vars *v, struct buf *out)
{
	return put_colour(v->pane, out, false);
}

bool
var_pane_bg(const struct vars *v, struct buf *out)
{
	return put_colour(v->pane, out, true);
}

bool
var_mouse_any_flag(const struct vars *v, struct buf *out)
{
	return put_flag(out, mouse_mode(v) != VT_MOUSE_OFF);
}

bool
var_mouse_all_flag(const struct vars *v, struct buf *out)
{
	return put_flag(out, mouse_mode(v) == VT_MOUSE_ANY);
}

bool
var_mouse_button_flag(const struct vars *v, struct buf *out)
{
	return put_flag(out, mouse_mode(v) == VT_MOUSE_BUTTON);
}

bool
var_mouse_standard_flag(const struct vars *v, struct buf *out)
{
	return put_flag(out, mouse_mode(v) == VT_MOUSE_NORMAL);
}

bool
var_mouse_sgr_flag(const struct vars *v, struct buf *out)
{
	return put_flag(
	    out, vt_term_state(v->pane->term)->mouse_encoding == VT_MOUSE_SGR);
}

bool
var_mouse_utf8_flag(const struct vars *v, struct buf *out)
{
	return put_flag(
	    out, vt_term_state(v->pane->term)->mouse_encoding == VT_MOUSE_UTF8);
}

bool
var_pane_pb_progress(const struct vars *v, struct buf *out)
{
	return put_int(out, vt_term_state(v->pane->term)->progress_percent);
}

bool
var_history_size(const struct vars *v, struct buf *out)
{
	return put_int(out, history_rows(v->pane->term));
}

bool
var_history_added(const struct vars *v, struct buf *out)
{
	return put_int(
	    out, (int64_t)vt_grid_screen(vt_term_main_grid(v->pane->term)));
}

bool
var_history_collected(const struct vars *v, struct buf *out)
{
	return put_int(
	    out, (int64_t)vt_grid_first(vt_term_main_grid(v->pane->term)));
}

bool
var_history_generation(const struct vars *v, struct buf *out)
{
	return put_int(
	    out, (int64_t)vt_grid_remade(vt_term_main_grid(v->pane->term)));
}

bool
var_history_limit(const struct vars *v, struct buf *out)
{
	return put_int(out, (int64_t)v->pane->history_limit);
}

bool
var_history_bytes(const struct vars *v, struct buf *out)
{
	return put_int(
	    out, (int64_t)vt_grid_bytes(vt_term_main_grid(v->pane->term)));
}

bool
var_history_all_bytes(const struct vars *v, struct buf *out)
{
	return put_int(out, (int64_t)vt_term_bytes(v->pane->term));
}

bool
var_mouse_x(const struct vars *v, struct buf *out)
{
	return v->mouse->x >= 0 && put_int(out, v->mouse->x);
}

bool
var_mouse_y(const struct vars *v, struct buf *out)
{
	return v->mouse->y >= 0 && put_int(out, v->mouse->y);
}

bool
var_mouse_pane(const struct vars *v, struct buf *out)
{
	return v->mouse->pane != MUX_NONE &&
	       buf_addf(out, "%%%u", v->mouse->pane) == 0;
}

bool
var_mouse_status_line(const struct vars *v, struct buf *out)
{
	return v->mouse->status_line >= 0 &&
	       put_int(out, v->mouse->status_line);
}

bool
var_mouse_status_range(const struct vars *v, struct buf *out)
{
	return put_str(out, v->mouse->range);
}

bool
var_cursor_character(const struct vars *v, struct buf *out)
{
	struct vt_term_cursor c = vt_term_cursor(v->pane->term);
	const struct vt_grid *g = vt_term_grid(v->pane->term);
	char text[VT_CLUSTER_MAX + 1];

	(void)vt_line_text(vt_grid_line(g, c.y), c.x, text);
	return put_str(out, text);
}

bool
var_cursor_colour(const struct vars *v, struct buf *out)
{
	uint32_t rgb = vt_palette_get(
	    vt_term_state(v->pane->term)->palette, VT_DYN_CURSOR);

	if (rgb == VT_PALETTE_UNSET)
		return put_str(out, "none");
	return buf_addf(out, "#%06x", rgb) == 0;
}

bool
var_cursor_shape(const struct vars *v, struct buf *out)
{
	static const char *const names[] = {
		[VT_CURSOR_DEFAULT] = "default",
		[VT_CURSOR_BLOCK] = "block",
		[VT_CURSOR_UNDERLINE] = "underline",
		[VT_CURSOR_BAR] = "bar",
	};
	unsigned shape = (unsigned)vt_term_cursor(v->pane->term).shape;

	return shape < ARRAY_LEN(names) && put_str(out, names[shape]);
}

bool
var_pane_tabs(const struct vars *v, struct buf *out)
{
	unsigned x, cols = vt_term_cols(v->pane->term);
	size_t start = out->len;

	for (x = 1; x < cols; x++) { /* a tab stop at 0 has no use */
		if (!vt_term_tab(v->pane->term, x))
			continue;
		if (out->len > start)
			(void)buf_add_u8(out, ',');
		(void)put_int(out, x);
	}
	return true;
}

bool
var_pane_key_mode(const struct vars *v, struct buf *out)
{
	const struct vt_frame_state *st = vt_term_state(v->pane->term);

	if (st->kitty_flags != 0)
		return put_str(out, "Kitty");
	return put_str(out, st->modify_other == 2   ? "Ext 2"
			    : st->modify_other == 1 ? "Ext 1"
						    : "VT10x");
}

bool
var_pane_pointer(const struct vars *v, struct buf *out)
{
	return put_str(
	    out, vt_pointer_css(vt_term_state(v->pane->term)->pointer));
}

bool
var_pane_pb_state(const struct vars *v, struct buf *out)
{
	static const char *const names[] = {
		[VT_PROGRESS_NONE] = "hidden",
		[VT_PROGRESS_NORMAL] = "normal",
		[VT_PROGRESS_ERROR] = "error",
		[VT_PROGRESS_BUSY] = "indeterminate",
		[VT_PROGRESS_PAUSED] = "paused",
	};
	unsigned state = vt_term_state(v->pane->term)->progress;

	return state < ARRAY_LEN(names) && put_str(out, names[state]);
}

/* --- the mouse -------------------------------------------------------------- */

/* Gets the row under the mouse and its pane; NULL if there is none. */
static const struct vt_line *
mouse_row(const struct vars *v, struct pane **p)
{
	struct vt_grid *g;

	*p = mux_pane(v->m, v->mouse->pane);
	if (*p == NULL || v->mouse->y < 0 || v->mouse->x < 0)
		return NULL;
	g = vt_term_grid((*p)->term);
	if ((unsigned)v->mouse->y >= g->rows ||
	    (unsigned)v->mouse->x >= g->cols)
		return NULL;
	return vt_grid_line(g, (unsigned)v->mouse->y);
}

bool
var_mouse_line(const struct vars *v, struct buf *out)
{
	struct pane *p;
	const struct vt_line *line = mouse_row(v, &p);

	return line != NULL && vt_dump_line(out, line, 0, vt_term_cols(p->term),
				   VT_DUMP_TRIM | VT_DUMP_TABS) == 0;
}

/* Tells whether the cell at X is part of a word. */
static bool
in_word(const struct vt_line *line, unsigned x, const char *separators)
{
	char text[VT_CLUSTER_MAX + 1];
	size_t n = vt_line_text(line, x, text);

	if (n == 0) /* the second half of a wide cell */
		return x > 0;
	return text[0] != ' ' && (n > 1 || strchr(separators, text[0]) == NULL);
}

bool
var_mouse_word(const struct vars *v, struct buf *out)
{
	struct pane *p;
	const struct vt_line *line = mouse_row(v, &p);
	const char *separators = options_string(
	    v->session == NULL ? &v->m->session_options : &v->session->options,
	    OPTION_WORD_SEPARATORS);
	unsigned from, to, cols;

	if (line == NULL)
		return false;
	cols = vt_term_cols(p->term);
	from = to = (unsigned)v->mouse->x;
	/* As in tmux, on a separator it is the word right behind. */
	if (!in_word(line, from, separators))
		from = ++to;
	else
		while (from > 0 && in_word(line, from - 1, separators))
			from--;
	while (to < cols && in_word(line, to, separators))
		to++;
	return from < to &&
	       vt_dump_line(out, line, from, to, VT_DUMP_TRIM) == 0;
}

bool
var_mouse_hyperlink(const struct vars *v, struct buf *out)
{
	struct pane *p;
	const struct vt_line *line = mouse_row(v, &p);
	const struct vt_link *link;

	if (line == NULL)
		return false;
	link = vt_line_link(line, (unsigned)v->mouse->x);
	return link != NULL && put_str(out, vt_link_uri(link));
}
