/* select-layout, next-layout, previous-layout. */
#include "base/mem.h"
#include "mux/layout_preset.h"
#include "server/cmd/cmd.h"

/*
 * Applies the layout that the arguments ask for; OLD is the previous layout.
 * IS_PRESET: whether this is one of the presets.
 */
static int
choose_layout(struct cmd_context *c, struct window *w, const char *old,
    bool *is_preset, struct cause *why)
{
	const char *name = args_string(c->args, 0);
	int preset, r;
	char *line;

	if (name == NULL && args_has(c->args, 'o'))
		name = old;
	if (!args_has(c->args, 'o')) {
		preset = name == NULL ? w->preset : layout_preset_find(name);
		if (preset >= 0) {
			*is_preset = true;
			(void)window_apply_preset(w, preset);
			return 0;
		}
	}
	if (name == NULL)
		return -ERR_NOTFOUND;
	if ((r = window_apply_text(w, name, why)) != 0) {
		line = mem_printf("%s: %s", cause_text(why), name);
		cause_fini(why);
		(void)cause_set(why, r, "%s", line);
		mem_free(line);
	}
	return r;
}

static enum cmd_result
select_layout(struct cmd_context *c, bool next, bool previous)
{
	struct window *w = c->target.w;
	struct cause why = { NULL };
	bool tell = false;
	char *old;
	int r = 0;

	(void)window_unzoom(w);
	old = window_remember_layout(w);
	if (next || previous) {
		(void)window_cycle_preset(w, next);
		tell = true;
	} else if (args_has(c->args, 'E'))
		tell = !window_spread(c->target.p);
	else
		r = choose_layout(c, w, old, &tell, &why);
	if (r != 0 && cause_text(&why) != NULL && *cause_text(&why) != '\0') {
		mem_free(w->old_layout);
		w->old_layout = old;
		return cmd_cause(c, &why);
	}
	cause_fini(&why);
	mem_free(old);
	/* As in tmux, also if nothing has changed its place. */
	if (tell)
		window_say_layout(w);
	return CMD_NORMAL;
}

enum cmd_result
cmd_exec_select_layout(struct cmd_context *c)
{
	return select_layout(
	    c, args_has(c->args, 'n') != 0, args_has(c->args, 'p') != 0);
}

enum cmd_result
cmd_exec_next_layout(struct cmd_context *c)
{
	return select_layout(c, true, false);
}

enum cmd_result
cmd_exec_previous_layout(struct cmd_context *c)
{
	return select_layout(c, false, true);
}
