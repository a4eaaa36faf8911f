#include "mux/layout_size.h"
#include "server/cmd/cmd.h"

enum cmd_result
cmd_exec_resize_pane(struct cmd_context *c)
{
	static const struct {
		char flag;
		enum layout_kind kind;
		int sign;
	} ways[] = { { 'L', LAYOUT_ROW, -1 }, { 'R', LAYOUT_ROW, 1 },
		{ 'U', LAYOUT_COLUMN, -1 }, { 'D', LAYOUT_COLUMN, 1 } };
	struct cause why = { NULL };
	struct window *w = c->target.w;
	struct pane *p = c->target.p;
	int64_t n;
	size_t i;

	if (args_has(c->args, 'Z')) {
		if (w->zoomed)
			(void)window_unzoom(w);
		else
			(void)window_zoom(p);
		return CMD_NORMAL;
	}
	if (args_has(c->args, 'M'))
		return cmd_error(c, "resizing by mouse is not built yet");
	(void)window_unzoom(w);
	if (args_get(c->args, 'x') != NULL) {
		if (args_percentage(
			c->args, 'x', 1, INT32_MAX, w->w, &n, &why) != 0) {
			cause_prefix(&why, "width");
			return cmd_cause(c, &why);
		}
		(void)layout_resize_pane_to(
		    &w->layout, p->id, LAYOUT_ROW, (int)n);
	}
	if (args_get(c->args, 'y') != NULL) {
		if (args_percentage(
			c->args, 'y', 1, INT32_MAX, w->h, &n, &why) != 0) {
			cause_prefix(&why, "height");
			return cmd_cause(c, &why);
		}
		(void)layout_resize_pane_to(
		    &w->layout, p->id, LAYOUT_COLUMN, (int)n);
	}
	n = 1;
	if (args_string(c->args, 0) != NULL &&
	    args_text_number(args_string(c->args, 0), 1, INT32_MAX, &n, &why) !=
		0) {
		cause_prefix(&why, "adjustment");
		return cmd_cause(c, &why);
	}
	for (i = 0; i < ARRAY_LEN(ways); i++)
		if (args_has(c->args, ways[i].flag))
			(void)layout_resize_pane(&w->layout, p->id,
			    ways[i].kind, ways[i].sign * (int)n);
	window_layout_changed(w);
	return CMD_NORMAL;
}
