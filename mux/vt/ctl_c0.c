/*
 * Controls, escape sequences and charset designation.
 */
#include <string.h>

#include "mux/vt/screen.h"

/* ENQ - the answerback message is empty, as xterm's is by default. */
void
vt_ctl_enq(struct vt_term *t UNUSED)
{
}

void
vt_ctl_bel(struct vt_term *t)
{
	t->state.bells++;
	vt_effects_add(&t->effects, VT_EFFECT_BELL, 1, 0, NULL, 0, NULL);
}

void
vt_ctl_bs(struct vt_term *t)
{
	vt_back(t, 1);
}

#define TAB_MAX 32 /* columns of a tab that is kept, as in tmux */

/* Whether columns from..to-1 are blank and of one style. */
static bool
is_free(const struct vt_line *line, unsigned from, unsigned to)
{
	const unsigned style = vt_line_cell(line, from).style;
	struct vt_cell c;

	for (; from < to; from++) {
		c = vt_line_cell(line, from);
		if ((c.ch != 0 && c.ch != ' ') || c.width != VT_NARROW ||
		    c.style != style || c.flags != 0)
			return false;
	}
	return true;
}

void
vt_tab(struct vt_term *t)
{
	int next = (int)vt_tabs_next(&t->tabs, (unsigned)t->x);

	t->x = MIN_OF(next, t->right);
	if (unlikely(vt_odd(t)))
		t->x = MIN_OF(t->x, vt_row_cols(t, t->y) - 1);
	vt_unjoin(t);
}

/*
 * HT - leaves a pending wrap pending, as xterm and most others do.  Stops at
 * the right margin; from beyond the margin it moves back to it, as in xterm.
 * Over blanks the tab is kept, so that it can be copied, as in tmux.
 */
void
vt_ctl_ht(struct vt_term *t)
{
	const unsigned from = (unsigned)t->x;
	struct vt_line *line;
	unsigned to;

	vt_tab(t);
	to = (unsigned)t->x;
	if (to <= from || to - from > TAB_MAX ||
	    !is_free(vt_grid_line(t->grid, (unsigned)t->y), from, to))
		return;
	line = vt_row_own(t, t->y);
	vt_line_put_tab(line, from, to - from, vt_line_cell(line, from).style);
}

void
vt_ctl_lf(struct vt_term *t)
{
	_Static_assert(VT_MODE_LNM < 64, "in the first word");

	vt_index(t);
	if (likely((t->modes[0] &
		       (UINT64_C(1) << VT_MODE_LNM | VT_MODES_ODD)) == 0))
		return;
	if (vt_odd(t))
		vt_odd_clamp(t);
	if (vt_mode_on(t, VT_MODE_LNM))
		vt_carriage_return(t);
}

void
vt_ctl_cr(struct vt_term *t)
{
	vt_carriage_return(t);
}

void
vt_ctl_so(struct vt_term *t)
{
	t->charsets.gl = 1;
}

void
vt_ctl_si(struct vt_term *t)
{
	t->charsets.gl = 0;
}

/*
 * SUB - the parser has cancelled the sequence; no further effect, as in xterm.
 */
void
vt_ctl_sub(struct vt_term *t UNUSED)
{
}

/* --- ESC ------------------------------------------------------------------- */

void
vt_ctl_decsc(struct vt_term *t, const struct vt_seq *seq UNUSED)
{
	vt_cursor_save(t);
}

void
vt_ctl_decrc(struct vt_term *t, const struct vt_seq *seq UNUSED)
{
	vt_cursor_restore(t);
}

/*
 * DECBI - moves back one column; at the left margin it scrolls the area right.
 */
void
vt_ctl_decbi(struct vt_term *t, const struct vt_seq *seq UNUSED)
{
	if (t->x == t->left && vt_y_inside(t))
		vt_insert_columns(t, t->left, 1);
	else if (t->x > 0 && t->x != t->left)
		vt_move(t, t->x - 1, t->y);
}

/*
 * DECFI - moves forward one column; at the right margin it scrolls the area
 * left.
 */
void
vt_ctl_decfi(struct vt_term *t, const struct vt_seq *seq UNUSED)
{
	if (t->x == t->right && vt_y_inside(t))
		vt_delete_columns(t, t->left, 1);
	else if (t->x < t->cols - 1 && t->x != t->right)
		vt_move(t, t->x + 1, t->y);
}

void
vt_ctl_deckpam(struct vt_term *t, const struct vt_seq *seq UNUSED)
{
	vt_mode_set(t, VT_MODE_DECNKM, true);
}

void
vt_ctl_deckpnm(struct vt_term *t, const struct vt_seq *seq UNUSED)
{
	vt_mode_set(t, VT_MODE_DECNKM, false);
}

void
vt_ctl_ind(struct vt_term *t, const struct vt_seq *seq UNUSED)
{
	vt_index(t);
	if (unlikely(vt_odd(t)))
		vt_odd_clamp(t);
}

void
vt_ctl_nel(struct vt_term *t, const struct vt_seq *seq UNUSED)
{
	vt_index(t);
	vt_carriage_return(t);
}

void
vt_ctl_hts(struct vt_term *t, const struct vt_seq *seq UNUSED)
{
	vt_tabs_set(&t->tabs, (unsigned)t->x, true);
}

void
vt_ctl_ri(struct vt_term *t, const struct vt_seq *seq UNUSED)
{
	vt_reverse_index(t);
	if (unlikely(vt_odd(t)))
		vt_odd_clamp(t);
}

void
vt_ctl_ss2(struct vt_term *t, const struct vt_seq *seq UNUSED)
{
	t->charsets.single = 2;
}

void
vt_ctl_ss3(struct vt_term *t, const struct vt_seq *seq UNUSED)
{
	t->charsets.single = 3;
}

/* SPA - protects the characters that follow, also from ED, EL and ECH. */
void
vt_ctl_spa(struct vt_term *t, const struct vt_seq *seq UNUSED)
{
	t->protect = VT_PROTECT_ISO;
	t->pen.attrs |= PEN_PROTECTED;
	vt_pen_changed(t);
}

void
vt_ctl_epa(struct vt_term *t, const struct vt_seq *seq UNUSED)
{
	t->pen.attrs &= ~(uint32_t)PEN_PROTECTED;
	vt_pen_changed(t);
}

void
vt_ctl_decid(struct vt_term *t, const struct vt_seq *seq UNUSED)
{
	struct vt_params none = { 0 };

	vt_ctl_da1(t, &none);
}

void
vt_ctl_st(struct vt_term *t UNUSED, const struct vt_seq *seq UNUSED)
{
}

void
vt_ctl_ris(struct vt_term *t, const struct vt_seq *seq UNUSED)
{
	vt_reset_full(t);
}

void
vt_ctl_ls2(struct vt_term *t, const struct vt_seq *seq UNUSED)
{
	t->charsets.gl = 2;
}

void
vt_ctl_ls3(struct vt_term *t, const struct vt_seq *seq UNUSED)
{
	t->charsets.gl = 3;
}

void
vt_ctl_ls1r(struct vt_term *t, const struct vt_seq *seq UNUSED)
{
	t->charsets.gr = 1;
}

void
vt_ctl_ls2r(struct vt_term *t, const struct vt_seq *seq UNUSED)
{
	t->charsets.gr = 2;
}

void
vt_ctl_ls3r(struct vt_term *t, const struct vt_seq *seq UNUSED)
{
	t->charsets.gr = 3;
}

/* DECALN - resets the margins, homes the cursor and fills the screen with E. */
void
vt_ctl_decaln(struct vt_term *t, const struct vt_seq *seq UNUSED)
{
	struct vt_line *line;
	int y;

	vt_margins_reset(t);
	vt_mode_put(t, VT_MODE_DECOM, false);
	vt_move(t, 0, 0);
	/* As in xterm: resets the rendition, keeps colours and protection. */
	t->pen.attrs &= PEN_PROTECTED;
	vt_pen_changed(t);
	/* All rows share one line until one of them is written. */
	line = vt_line_new(t->pool);
	vt_line_fill(line, 0, (unsigned)t->cols, 'E', 0);
	for (y = 0; y < t->rows; y++)
		vt_grid_set(t->grid, (unsigned)y, vt_line_ref(line));
	vt_line_unref(t->pool, line);
	vt_odd_look(t);
}

void
vt_ctl_s7c1t(struct vt_term *t UNUSED, const struct vt_seq *seq UNUSED)
{
}

void
vt_ctl_utf8(struct vt_term *t UNUSED, const struct vt_seq *seq UNUSED)
{
}

/* SCS - the intermediates ( ) * + designate G0 to G3. */
void
vt_ctl_scs(struct vt_term *t, const struct vt_seq *seq)
{
	int set = vt_charset_of_final(seq->final);

	if (set >= 0)
		t->charsets.g[(seq->inter - '(') & 3] = (uint8_t)set;
}
