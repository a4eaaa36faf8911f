#include "mux/vt/term.h"

#include "base/mem.h"
#include "mux/vt/block.h"
#include "mux/vt/burst.h"
#include "mux/vt/dispatch.h"
#include "mux/vt/print.h"

/* --- callbacks of the parser -------------------------------------------------- */

static void
on_ascii(void *arg, const uint8_t *p, size_t n, size_t room)
{
	vt_print_ascii(arg, p, n, room);
}

static void
on_text(void *arg, const uint32_t *cp, size_t n)
{
	vt_print_text(arg, cp, n);
}

static void
on_control(void *arg, uint32_t c)
{
	vt_dispatch_control(arg, c);
}

static void
on_esc(void *arg, const struct vt_seq *seq)
{
	vt_dispatch_esc(arg, seq);
}

static const struct vt_parser_ops term_ops = {
	.ascii = on_ascii,
	.text = on_text,
	.control = on_control,
	.esc = on_esc,
	.csi = vt_dispatch_csi,
	.quick = vt_burst,
	.string_begin = vt_dispatch_string_begin,
	.string_end = vt_dispatch_string_end,
};

/* --- life ------------------------------------------------------------------------ */

struct vt_term *
vt_term_new(const struct vt_term_options *opt)
{
	struct vt_term *t = mem_zalloc(sizeof *t);

	t->pool = opt->pool;
	t->graphemes = opt->graphemes;
	t->screens[0].grid = vt_grid_new(opt->pool, opt->cols, opt->rows,
	    opt->history_rows, opt->history_bytes);
	t->grid = t->screens[0].grid;
	t->cols = (int)t->grid->cols;
	t->rows = (int)t->grid->rows;
	t->string_max = opt->string_max == 0 ? VT_STRING_MAX : opt->string_max;
	t->term_name = mem_strdup(
	    opt->term_name == NULL ? "xterm-256color" : opt->term_name);
	t->theme = (struct vt_theme){ VT_PALETTE_UNSET, VT_PALETTE_UNSET,
		VT_PALETTE_UNSET, true };
	vt_parser_init(&t->parser, &term_ops, t);
	vt_tabs_init(&t->tabs, (unsigned)t->cols);
	vt_effects_init(&t->effects);
	vt_frame_state_init(&t->state);
	vt_reset_full(t);
	return t;
}

void
vt_term_free(struct vt_term *t)
{
	if (t == NULL)
		return;
	vt_rare_free(t);
	vt_parser_fini(&t->parser);
	vt_tabs_fini(&t->tabs);
	vt_effects_fini(&t->effects);
	vt_frame_state_fini(&t->state);
	vt_str_unref(t->host);
	vt_palette_unref(t->base);
	vt_link_unref(t->link);
	vt_grid_free(t->screens[0].grid);
	vt_grid_free(t->screens[1].grid);
	mem_free(t->term_name);
	mem_free(t);
}

void
vt_term_reset(struct vt_term *t)
{
	vt_parser_reset(&t->parser);
	vt_reset_full(t);
	t->version++;
}

/* --- input ---------------------------------------------------------------- */

void
vt_term_write(struct vt_term *t, const void *p, size_t n)
{
	vt_parser_write(&t->parser, p, n);
	t->version++;
}

const uint8_t *
vt_term_pending(const struct vt_term *t, size_t *n)
{
	return vt_parser_pending(&t->parser, n);
}

void
vt_term_resize(struct vt_term *t, unsigned cols, unsigned rows)
{
	struct vt_screen *main = &t->screens[0];
	struct vt_point here = { (unsigned)t->x, (unsigned)t->y, t->wrap };
	struct vt_point pts[2];
	int i;

	cols = CLAMP(cols, 1u, (unsigned)VT_COLS_MAX);
	rows = CLAMP(rows, 1u, (unsigned)VT_ROWS_MAX);
	if ((int)cols == t->cols && (int)rows == t->rows)
		return;
	for (i = 0; i < 2; i++) {
		struct vt_screen *s = &t->screens[i];

		if (s->grid == NULL)
			continue;
		/* The saved cursor of the hidden screen follows its text. */
		pts[1] = (struct vt_point){ (unsigned)s->saved.x,
			(unsigned)s->saved.y, s->saved.wrap };
		pts[0] = s->grid == t->grid ? here : pts[1];
		vt_grid_resize(s->grid, cols, rows, s == main, pts, 2);
		s->saved.x = (int)pts[1].x;
		s->saved.y = (int)pts[1].y;
		s->saved.wrap = pts[1].pending;
		if (s->grid == t->grid)
			here = pts[0];
		(void)vt_block_settle(
		    t->pool, s->grid->lines, rows, true, s == main);
	}
	t->cols = (int)cols;
	t->rows = (int)rows;
	vt_margins_reset(t);
	vt_tabs_resize(&t->tabs, cols);
	/* The history may have given rows back. */
	vt_odd_look(t);
	t->screens[!t->alternate].odd = true;
	vt_move(t, (int)here.x, (int)here.y);
	/* The wider row may have room for the character that would wrap. */
	if (here.pending && t->x < t->cols - 1)
		t->x++;
	else
		t->wrap = here.pending;
	t->pen_gen = 0;
	t->version++;
	if (vt_mode_on(t, VT_MODE_INBAND))
		vt_report_size(t);
}

void
vt_term_set_cell_pixels(struct vt_term *t, unsigned w, unsigned h)
{
	if (t->cell_w == w && t->cell_h == h)
		return;
	t->cell_w = MIN_OF(w, 1000u);
	t->cell_h = MIN_OF(h, 1000u);
	if (vt_mode_on(t, VT_MODE_INBAND))
		vt_report_size(t);
}

void
vt_term_set_theme(struct vt_term *t, const struct vt_theme *theme)
{
	bool dark = vt_is_dark(t);

	t->theme = *theme;
	if (vt_is_dark(t) != dark && vt_mode_on(t, VT_MODE_THEME))
		vt_report_theme(t);
}

void
vt_term_set_base(struct vt_term *t, struct vt_palette *base)
{
	bool dark = vt_is_dark(t);

	vt_palette_unref(t->base);
	t->base = base;
	if (vt_is_dark(t) != dark && vt_mode_on(t, VT_MODE_THEME))
		vt_report_theme(t);
}

struct vt_theme
vt_term_theme(const struct vt_term *t)
{
	return t->theme;
}

void
vt_term_set_title(struct vt_term *t, const char *title)
{
	if (strcmp(vt_str_text(t->state.title), title) == 0)
		return;
	vt_str_unref(t->state.title);
	t->state.title = vt_str_new(title, strlen(title));
}

void
vt_term_set_scroll_on_clear(struct vt_term *t, bool on)
{
	t->scroll_on_clear = on;
}

void
vt_term_set_alternate(struct vt_term *t, bool on)
{
	t->no_alternate = !on;
}

void
vt_term_set_title_report(struct vt_term *t, bool on)
{
	t->title_report = on;
}

void
vt_term_set_string_max(struct vt_term *t, size_t max)
{
	t->string_max = max == 0 ? VT_STRING_MAX : max;
}

bool
vt_term_next_effect(struct vt_term *t, struct vt_effect *out)
{
	return vt_effects_next(&t->effects, out);
}

/* --- output --------------------------------------------------------------- */

unsigned
vt_term_cols(const struct vt_term *t)
{
	return (unsigned)t->cols;
}

unsigned
vt_term_rows(const struct vt_term *t)
{
	return (unsigned)t->rows;
}

struct vt_grid *
vt_term_grid(const struct vt_term *t)
{
	return t->grid;
}

struct vt_grid *
vt_term_main_grid(const struct vt_term *t)
{
	return t->screens[0].grid;
}

bool
vt_term_saved(const struct vt_term *t, int *x, int *y)
{
	const struct vt_saved *saved = &t->screens[0].saved;

	if (!t->alternate || !saved->valid)
		return false;
	*x = saved->x;
	*y = saved->y;
	return true;
}

bool
vt_term_alternate(const struct vt_term *t)
{
	return t->alternate;
}

/* DECSCUSR 0..6: shape; the odd ones and 0 blink. */
static const uint8_t term_shapes[7] = {
	VT_CURSOR_DEFAULT,
	VT_CURSOR_BLOCK,
	VT_CURSOR_BLOCK,
	VT_CURSOR_UNDERLINE,
	VT_CURSOR_UNDERLINE,
	VT_CURSOR_BAR,
	VT_CURSOR_BAR,
};

struct vt_term_cursor
vt_term_cursor(const struct vt_term *t)
{
	return (struct vt_term_cursor){
		.x = (unsigned)t->x,
		.y = (unsigned)t->y,
		.pending = t->wrap,
		.visible = vt_mode_on(t, VT_MODE_DECTCEM),
		.blink = vt_mode_on(t, VT_MODE_BLINK),
		.shape = (enum vt_cursor_shape)term_shapes[t->cursor_style],
	};
}

bool
vt_term_mode(const struct vt_term *t, enum vt_mode m)
{
	return vt_mode_on(t, m);
}

struct vt_rect
vt_term_margins(const struct vt_term *t)
{
	return (struct vt_rect){ (unsigned)t->left, (unsigned)t->top,
		(unsigned)t->right + 1, (unsigned)t->bottom + 1 };
}

bool
vt_term_tab(const struct vt_term *t, unsigned x)
{
	return vt_tabs_has(&t->tabs, x);
}

struct term_bit {
	enum vt_mode mode;
	uint32_t bit;
};

static const struct term_bit term_bits[] = {
	{ VT_MODE_DECTCEM, VT_FRAME_CURSOR_VISIBLE },
	{ VT_MODE_BLINK, VT_FRAME_CURSOR_BLINK },
	{ VT_MODE_DECCKM, VT_FRAME_APP_CURSOR },
	{ VT_MODE_DECNKM, VT_FRAME_APP_KEYPAD },
	{ VT_MODE_PASTE, VT_FRAME_BRACKETED_PASTE },
	{ VT_MODE_FOCUS, VT_FRAME_FOCUS },
	{ VT_MODE_DECSCNM, VT_FRAME_REVERSE_VIDEO },
	{ VT_MODE_ALTSCROLL, VT_FRAME_ALTERNATE_SCROLL },
	{ VT_MODE_IRM, VT_FRAME_INSERT },
	{ VT_MODE_DECAWM, VT_FRAME_AUTOWRAP },
	{ VT_MODE_LNM, VT_FRAME_NEWLINE },
	{ VT_MODE_SYNC, VT_FRAME_SYNC },
	{ VT_MODE_THEME, VT_FRAME_THEME_NOTIFY },
	{ VT_MODE_INBAND, VT_FRAME_SIZE_NOTIFY },
	{ VT_MODE_CLUSTERS, VT_FRAME_CLUSTERS },
};

static const struct {
	enum vt_mode mode;
	uint8_t value;
} term_mouse_modes[] = {
	{ VT_MODE_MOUSE_X10, VT_MOUSE_X10 },
	{ VT_MODE_MOUSE_NORMAL, VT_MOUSE_NORMAL },
	{ VT_MODE_MOUSE_HILITE, VT_MOUSE_NORMAL },
	{ VT_MODE_MOUSE_BUTTON, VT_MOUSE_BUTTON },
	{ VT_MODE_MOUSE_ANY, VT_MOUSE_ANY },
}, term_mouse_encodings[] = {
	{ VT_MODE_MOUSE_UTF8, VT_MOUSE_UTF8 },
	{ VT_MODE_MOUSE_SGR, VT_MOUSE_SGR },
	{ VT_MODE_MOUSE_URXVT, VT_MOUSE_URXVT },
	{ VT_MODE_MOUSE_PIXEL, VT_MOUSE_SGR_PIXELS },
};

const struct vt_frame_state *
vt_term_state(struct vt_term *t)
{
	const struct vt_kitty *k = &t->screens[t->alternate].kitty;
	struct vt_frame_state *st = &t->state;
	size_t i;

	st->x = (uint16_t)t->x;
	st->y = (uint16_t)t->y;
	st->modes = 0;
	for (i = 0; i < ARRAY_LEN(term_bits); i++) {
		if (vt_mode_on(t, term_bits[i].mode))
			st->modes |= term_bits[i].bit;
	}
	if (t->wrap)
		st->modes |= VT_FRAME_WRAP_PENDING;
	if (t->alternate)
		st->modes |= VT_FRAME_ALTERNATE;
	if (!vt_mode_on(t, VT_MODE_DECBKM))
		st->modes |= VT_FRAME_BACKSPACE_DEL;
	st->cursor_shape = term_shapes[t->cursor_style];
	st->mouse_mode = VT_MOUSE_OFF;
	for (i = 0; i < ARRAY_LEN(term_mouse_modes); i++) {
		if (vt_mode_on(t, term_mouse_modes[i].mode))
			st->mouse_mode = term_mouse_modes[i].value;
	}
	st->mouse_encoding = VT_MOUSE_DEFAULT;
	for (i = 0; i < ARRAY_LEN(term_mouse_encodings); i++) {
		if (vt_mode_on(t, term_mouse_encodings[i].mode))
			st->mouse_encoding = term_mouse_encodings[i].value;
	}
	st->kitty_flags = k->flags[k->depth];
	st->pointer = vt_pointer_now(t);
	st->modify_other = (uint8_t)CLAMP(t->modkeys[4], 0, 2);
	return st;
}

const char *
vt_term_cwd(const struct vt_term *t)
{
	return vt_str_text(t->state.cwd);
}

uint64_t
vt_term_version(const struct vt_term *t)
{
	return t->version;
}

struct vt_frame *
vt_term_frame(struct vt_term *t, size_t scroll)
{
	return vt_frame_snapshot(t->grid, scroll, vt_term_state(t), t->version);
}

bool
vt_term_sync_pending(const struct vt_term *t)
{
	return vt_mode_on(t, VT_MODE_SYNC);
}

void
vt_term_sync_expire(struct vt_term *t)
{
	if (vt_mode_on(t, VT_MODE_SYNC))
		vt_mode_set(t, VT_MODE_SYNC, false);
}

size_t
vt_term_bytes(const struct vt_term *t)
{
	size_t n = sizeof *t + vt_grid_bytes(t->screens[0].grid);

	if (t->screens[1].grid != NULL)
		n += vt_grid_bytes(t->screens[1].grid);
	return n + t->parser.string.cap + t->parser.pending.cap +
	       t->effects.bytes;
}
