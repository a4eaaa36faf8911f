/*
 * Copy mode shows a place that others have found: a match, a command's output.
 */
#include "mux/mode/copy_int.h"
#include "mux/vt/output.h"

void
copy_select_up_to(struct copy *c, struct vt_pos start, struct vt_pos end)
{
	if (vt_pos_compare(start, end) >= 0)
		return;
	copy_clear_selection(c);
	c->rect = false;
	copy_scroll_to(c, start);
	copy_start_selection(c);
	if (end.col == 0 && end.row > start.row)
		end = (struct vt_pos){ end.row - 1, copy_len(c, end.row - 1) };
	/* With vi keys the cursor's cell is part of the selection. */
	if (copy_is_vi(c) && end.col > 0)
		end.col--;
	copy_go(c, end);
	copy_update_selection(c, false);
}

DO(select_output)
{
	struct vt_output o;
	unsigned i;

	if (vt_output_at(&c->text.text, copy_row_here(c), &o) != 0)
		return COPY_NOTHING;
	/* A count goes back so many commands, also over those without output. */
	for (i = 1; i < a->repeat; i++)
		if (vt_output_previous(&c->text.text, &o, &o) != 0)
			break;
	while (vt_output_empty(&o))
		if (vt_output_previous(&c->text.text, &o, &o) != 0)
			return COPY_NOTHING;
	copy_select_up_to(c, o.start, o.end);
	return COPY_REDRAW;
}
