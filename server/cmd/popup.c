/* display-popup: a program in a box over the panes. */
#include "server/face/popup.h"

#include <string.h>

#include "base/mem.h"
#include "conf/environ.h"
#include "server/cmd/cmd.h"
#include "server/cmd/shared.h"
#include "server/face/menu.h"
#include "server/face/role.h"

#define POPUP_WORDS_MAX 255

static void
popup_done(void *arg, int status)
{
	struct cmd_late *l = arg;
	struct cmd_late late = *l;
	struct sink s = cmd_late_sink(&late);

	mem_free(l);
	sink_exit_code(&s, status);
	cmd_late_end(&late, false);
}

/* -E, -EE and -k. */
static unsigned
popup_flags(const struct cmd_context *c)
{
	unsigned flags = 0;

	if (args_has(c->args, 'E') > 1)
		flags |= POPUP_CLOSE_GOOD;
	else if (args_has(c->args, 'E'))
		flags |= POPUP_CLOSE_EXIT;
	if (args_has(c->args, 'k'))
		flags |= POPUP_CLOSE_KEY;
	return flags;
}

static enum cmd_result
change(struct cmd_context *c, struct view_box_look *look)
{
	struct popup_change ch = { .look = look, .flags = popup_flags(c) };
	const char *title = args_get(c->args, 'T');
	char *text;

	ch.set_flags = ch.flags != 0 || args_has(c->args, 'N');
	text = title == NULL ? mem_strdup("")
			     : cmd_format_new(c, &c->target, title);
	ch.title = text;
	popup_change(c->viewer, &ch);
	mem_free(text);
	return CMD_NORMAL;
}

/* -w or -h of a client with WHOLE cells; half of it without. */
static enum cmd_result
side(struct cmd_context *c, int flag, int whole, int *out)
{
	struct cause why = { NULL };
	int64_t n = MAX_OF(whole / 2, 1);
	int r;

	if (args_get(c->args, flag) != NULL &&
	    (r = args_percentage(
		 c->args, flag, 1, MAX_OF(whole, 1), whole, &n, &why)) != 0)
		return cmd_fault(c, flag == 'w' ? "width" : "height", r, &why);
	*out = (int)CLAMP(n, 1, MAX_OF(whole, 1));
	return CMD_NORMAL;
}

/* Starts the program in a box that has room; false after an error. */
static enum cmd_result
open_popup(struct cmd_context *c, struct popup_spec *spec)
{
	const char *cwd = args_get(c->args, 'd');
	struct cmd_late *late;
	struct pane_start st = { .argc = 0 };
	char *argv[POPUP_WORDS_MAX], *path;
	struct cause why = { NULL };
	struct environ extra;
	int r;

	path = cwd != NULL ? cmd_format_new(c, &c->target, cwd)
			   : cmd_start_path(c, &c->target, false);
	cmd_pane_start(c, &st, argv, ARRAY_LEN(argv));
	if (st.argc == 1 && *argv[0] == '\0')
		st.argc = 0;
	cmd_extra_environ(c, &extra);
	spec->program = (struct spawn_program){
		.session = c->target.s,
		.cwd = path,
		.argv = argv,
		.argc = st.argc,
		.extra = &extra,
	};
	late = mem_zalloc(sizeof(*late));
	cmd_late_init(late, c, false);
	spec->done = popup_done;
	spec->arg = late;
	r = popup_open(c->viewer, spec, &why);
	environ_fini(&extra);
	mem_free(path);
	if (r != 0) {
		mem_free(late);
		cause_prefix(&why, "create popup failed");
		return cmd_cause(c, &why);
	}
	late->token = cmdq_wait(c->item);
	return CMD_WAIT;
}

static enum cmd_result
place_popup(struct cmd_context *c, const struct view_box_look *look)
{
	const char *title = args_get(c->args, 'T');
	struct popup_spec spec = { .style = look->style,
		.border = look->border,
		.flags = popup_flags(c) };
	struct cell_rect *box = &spec.box;
	enum cmd_result r;
	char *text;

	spec.lines = (enum view_box_lines)(
	    look->lines >= 0 ? look->lines
			     : options_number(&c->target.w->options,
				   OPTION_POPUP_BORDER_LINES));
	if ((r = side(c, 'h', c->client->h, &box->h)) != CMD_NORMAL ||
	    (r = side(c, 'w', c->client->w, &box->w)) != CMD_NORMAL)
		return r;
	if (!cmd_place(c, CMD_PLACE_CLIENT, box->w, box->h, &box->x, &box->y) ||
	    !view_popup_sane(spec.lines, box->w, box->h))
		return CMD_NORMAL;
	text = title == NULL ? mem_strdup("")
			     : cmd_format_new(c, &c->target, title);
	spec.title = text;
	r = open_popup(c, &spec);
	mem_free(text);
	return r;
}

enum cmd_result
cmd_exec_display_popup(struct cmd_context *c)
{
	struct cause why = { NULL };
	struct view_box_look look;
	enum cmd_result r;

	/* As in tmux: a control client has no place for it. */
	if (controller_of(&c->sv->controllers, c->client) != NULL)
		return CMD_NORMAL;
	if (c->viewer == NULL)
		return cmd_error(c, "no current client");
	if (args_has(c->args, 'C')) {
		menu_close(c->viewer);
		popup_close(c->viewer);
		return CMD_NORMAL;
	}
	/* security: a guest gets no popup, whose program it would type to. */
	if (!role_prompts(c->client))
		return cmd_error(c, "client is read-only");
	if (!popup_shown(c->viewer) && menu_shown(c->viewer))
		return CMD_NORMAL;
	view_box_look_init(&look);
	if (cmd_box_look(c, OPTION_POPUP_BORDER_LINES, &look, &why) != 0)
		r = cmd_cause(c, &why);
	else {
		if (args_has(c->args, 'B'))
			look.lines = VIEW_BOX_NONE;
		r = popup_shown(c->viewer) ? change(c, &look)
					   : place_popup(c, &look);
	}
	view_box_look_fini(&look);
	return r;
}
