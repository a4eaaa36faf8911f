/*
 * Copy mode shows a place that others have found: a match, a command's output.
 */
#include "base/mem.h"
#include "mux/mode/copy_int.h"
#include "mux/pane.h"
#include "mux/vt/output.h"

static void
select_up_to(struct copy *c, struct vt_pos start, struct vt_pos end)
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

void
copy_show(struct copy *c, struct vt_pos start, struct vt_pos end,
    const char *pattern, bool regex)
{
	struct pane *p = c->mode.pane;

	copy_sync(c);
	select_up_to(c, start, end);
	mode_dirty(&c->mode);
	if (pattern == NULL)
		return;
	copy_search_stop(&c->mode, false);
	copy_search_fini(c);
	mem_free(c->search_text);
	c->search_text = mem_strdup(pattern);
	mem_free(p->search);
	p->search = mem_strdup(pattern);
	c->search = COPY_SEARCH_UP;
	c->search_regex = p->search_regex = regex;
	c->searched = true;
	c->search_marks = true;
	copy_search_renew(c);
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
	select_up_to(c, o.start, o.end);
	return COPY_REDRAW;
}
