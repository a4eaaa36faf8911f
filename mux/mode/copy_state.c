/*
 * The state of copy mode: its text, and places that follow the text.
 */
#include "mux/mode/copy_int.h"
#include "mux/mux.h"
#include "mux/pane.h"
#include "mux/window.h"

/* The terminal whose text is shown, or NULL: its pane has gone. */
static const struct vt_term *
source(const struct copy *c)
{
	const struct pane *p;

	if (c->own != NULL)
		return c->own;
	p = mux_pane(c->mode.pane->mux, c->from);
	return p == NULL ? NULL : p->term;
}

int64_t
copy_time(const struct copy *c, vt_row row)
{
	const struct pane *p = c->own != NULL || c->mode.pane == NULL
				   ? NULL
				   : mux_pane(c->mode.pane->mux, c->from);

	/* The rows of the copy have the numbers of a terminal of this width. */
	return p == NULL || row >= copy_base(c) || p->times.cols != c->cols
		   ? 0
		   : row_times_get(&p->times, row);
}

static void
take_text(struct copy *c, const struct vt_term *term)
{
	c->cols = (unsigned)c->mode.pane->w;
	c->rows = (unsigned)c->mode.pane->h;
	copy_text_take(&c->text, term, c->cols, c->rows);
	c->remade = term == c->mode.pane->term
			? vt_grid_remade(vt_term_main_grid(term))
			: COPY_REWRAPPED;
	vt_frame_unref(c->screen);
	c->screen = NULL;
}

/* Keeps places within the rows that are left. */
static void
clamp_places(struct copy *c)
{
	size_t i;

	for (i = 0; i < COPY_PLACES; i++) {
		if (c->at[i].row < copy_first(c))
			c->at[i] = (struct vt_pos){ copy_first(c), 0 };
		c->at[i].row = MIN_OF(c->at[i].row, copy_last(c));
		c->at[i].col = MIN_OF(c->at[i].col, c->cols);
	}
}

static void
read_options(struct copy *c)
{
	const struct options *o = &c->mode.pane->window->options;

	c->env = (struct copy_env){
		.vi = options_number(o, OPTION_MODE_KEYS) == MODE_KEYS_VI,
		.wrap_search = options_flag(o, OPTION_WRAP_SEARCH),
		.line_numbers =
		    (unsigned)options_number(o, OPTION_COPY_MODE_LINE_NUMBERS),
	};
}

void
copy_sync(struct copy *c)
{
	if (c->mode.pane != NULL)
		read_options(c);
	if (c->stale)
		copy_refresh(c);
	if (c->top < copy_first(c))
		c->top = copy_first(c);
	copy_clamp(c);
	clamp_places(c);
}

void
copy_refresh(struct copy *c)
{
	const bool bottom = copy_row_here(c) == copy_last(c);
	const struct vt_term *term;

	c->stale = false;
	if (c->mode.pane == NULL) {
		c->missed = true;
		return;
	}
	if ((term = source(c)) == NULL)
		return;
	take_text(c, term);
	copy_uncount(c);
	copy_sync(c);
	if (bottom)
		(void)copy_do_history_bottom(c, NULL);
	copy_clear_selection(c);
	copy_search_renew(c);
}

void
copy_retake(struct copy *c)
{
	take_text(c, source(c));
	copy_uncount(c);
	copy_sync(c);
	if (c->search_marks)
		copy_search_renew(c);
}

void
copy_resized(struct copy *c)
{
	struct vt_pos at;

	copy_sync(c);
	c->at[COPY_AT_CURSOR] = copy_here(c);
	/* A lower screen of view mode keeps the empty rows below the text. */
	if (c->own != NULL)
		c->text.point = (struct vt_point){ 0, c->rows - 1, false };
	c->cols = (unsigned)c->mode.pane->w;
	c->rows = (unsigned)c->mode.pane->h;
	copy_text_resize(&c->text, c->cols, c->rows, c->at, COPY_PLACES);
	c->remade = COPY_REWRAPPED;
	vt_frame_unref(c->screen);
	c->screen = NULL;
	clamp_places(c);
	at = c->at[COPY_AT_CURSOR];
	c->top = MIN_OF(at.row, copy_base(c));
	c->cy = (unsigned)MIN_OF(at.row - c->top, c->rows - 1);
	c->cx = at.col;
	if (!c->selecting)
		copy_clear_selection(c);
}

void
copy_begin(struct copy *c)
{
	const struct vt_point *at = &c->text.point;

	read_options(c);
	take_text(c, source(c));
	c->top = copy_base(c);
	c->cx = MIN_OF(at->x + (at->pending ? 1U : 0U), c->cols);
	c->cy = MIN_OF(at->y, c->rows - 1);
	c->at[COPY_AT_MARK] = copy_here(c);
}
