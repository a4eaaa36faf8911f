/* display-menu: rows to choose a command from. */
#include "server/face/menu.h"

#include <string.h>

#include "base/mem.h"
#include "conf/key_name.h"
#include "server/cmd/cmd.h"
#include "server/face/popup.h"
#include "server/face/role.h"

/* The commands of the rows, in the order of their numbers. */
struct menu_wait {
	struct cmd_late late;
	char **commands;
	size_t count;
};

static void
menu_wait_free(struct menu_wait *w)
{
	size_t i;

	for (i = 0; i < w->count; i++)
		mem_free(w->commands[i]);
	mem_free(w->commands);
	mem_free(w);
}

static void
menu_done(void *arg, size_t item)
{
	struct menu_wait *w = arg;
	struct run *run = &w->late.sv->run;
	struct cmdq *q = NULL;

	if (item < w->count && w->late.state.pane != MUX_NONE &&
	    mux_pane(run->mux, w->late.state.pane) == NULL) {
		/* The commands must not hit another pane instead. */
		cmd_late_error(&w->late, "the menu's pane is gone");
	} else if (item < w->count) {
		q = cmd_late_append(&w->late, w->commands[item]);
	}
	if (q != NULL)
		cmdq_turn(q);
	menu_wait_free(w);
}

/* The text of command I, which is a format. */
static char *
command_new(struct cmd_context *c, size_t i)
{
	struct cmdlist *list = args_block(c->args, i);
	const char *text = args_string(c->args, i);
	char *plain, *out;

	plain = list != NULL ? cmdlist_print_new(list, 0)
			     : mem_strdup(text == NULL ? "" : text);
	out = cmd_format_new(c, &c->target, plain);
	mem_free(plain);
	return out;
}

static int
add_item(
    struct cmd_context *c, struct menu_wait *w, struct view_menu *m, size_t i)
{
	const char *key_text = args_string(c->args, i + 1);
	key_code key = KEY_NONE;
	char *name;
	int r;

	if (key_text == NULL || key_name_parse(key_text, &key) != 0)
		key = KEY_NONE;
	name = cmd_format_new(c, &c->target, args_string(c->args, i));
	r = view_menu_add(
	    m, c->sv->run.graphemes, name, key, w->count, c->client->w);
	mem_free(name);
	w->commands =
	    mem_resize(w->commands, w->count + 1, sizeof(*w->commands));
	w->commands[w->count++] = command_new(c, i + 2);
	return r;
}

/* Rows are "name key command", or "" for a line. */
static enum cmd_result
add_items(struct cmd_context *c, struct menu_wait *w, struct view_menu *m)
{
	const char *name;
	size_t i = 0;
	int r = 0;

	while (r == 0 && i < c->args->count) {
		name = args_string(c->args, i);
		if (name == NULL)
			return cmd_error(c, "menu item %zu has no name", i);
		if (*name == '\0') {
			r = view_menu_add_line(m);
			i++;
			continue;
		}
		if (c->args->count - i < 3)
			return cmd_error(c, "not enough arguments");
		r = add_item(c, w, m, i);
		i += 3;
	}
	if (r != 0)
		return cmd_error(
		    c, "menu has more than %d rows", VIEW_MENU_ROWS_MAX);
	return CMD_NORMAL;
}

static enum cmd_result
start_choice(struct cmd_context *c, int64_t *row)
{
	const char *text = args_get(c->args, 'C');
	struct cause why = { NULL };
	int r;

	*row = 0;
	if (text == NULL)
		return CMD_NORMAL;
	if (strcmp(text, "-") == 0)
		*row = -1;
	else if ((r = args_number(c->args, 'C', 0, UINT32_MAX, row, &why)) != 0)
		return cmd_fault(c, "starting choice", r, &why);
	return CMD_NORMAL;
}

/* Title, rows and looks. */
static enum cmd_result
build_menu(struct cmd_context *c, struct menu_wait *w, struct view_menu *m)
{
	const char *selected = args_get(c->args, 'H');
	struct cause why = { NULL };
	enum cmd_result r;
	int64_t row;

	if ((r = start_choice(c, &row)) != CMD_NORMAL ||
	    (r = add_items(c, w, m)) != CMD_NORMAL)
		return r;
	if (cmd_box_look(c, OPTION_MENU_BORDER_LINES, &m->look, &why) != 0)
		return cmd_cause(c, &why);
	if (selected != NULL)
		m->look.selected = mem_strdup(selected);
	if (args_has(c->args, 'O'))
		m->flags |= VIEW_MENU_STAYS;
	if ((c->state->flags & CMD_STATE_MOUSE) == 0 &&
	    !args_has(c->args, 'M')) {
		m->flags |= VIEW_MENU_NO_MOUSE;
		view_menu_start(m, row);
	}
	return CMD_NORMAL;
}

enum cmd_result
cmd_exec_display_menu(struct cmd_context *c)
{
	const char *title = args_get(c->args, 'T');
	struct menu_wait *w;
	struct view_menu *m;
	enum cmd_result r;
	char *text;

	/* As in tmux: a control client has no place for it. */
	if (controller_of(&c->sv->controllers, c->client) != NULL)
		return CMD_NORMAL;
	if (c->viewer == NULL)
		return cmd_error(c, "no current client");
	/* security: a guest gets no menu, which would run commands for it. */
	if (!role_prompts(c->client))
		return cmd_error(c, "client is read-only");
	if (menu_shown(c->viewer) || popup_shown(c->viewer))
		return CMD_NORMAL;
	text = title == NULL ? mem_strdup("")
			     : cmd_format_new(c, &c->target, title);
	m = view_menu_new(c->sv->run.graphemes, text);
	mem_free(text);
	w = mem_zalloc(sizeof(*w));
	r = build_menu(c, w, m);
	if (r == CMD_NORMAL && m->count > 0 &&
	    !view_menu_fit(m, c->client->w, c->client->h))
		r = cmd_error(c,
		    "no room for a menu: the terminal has %dx%d cells, a menu "
		    "needs %dx%d",
		    c->client->w, c->client->h, VIEW_MENU_FRAME_W + 1,
		    VIEW_MENU_FRAME_H + 1);
	if (r != CMD_NORMAL || m->count == 0 ||
	    !cmd_place(c, CMD_PLACE_WINDOW, m->width + VIEW_MENU_FRAME_W,
		view_menu_height(m), &m->x, &m->y)) {
		view_menu_free(m);
		menu_wait_free(w);
		return r;
	}
	/* As in tmux 3.8 the caller does not wait, and may be gone by then. */
	cmd_late_init(&w->late, c, false);
	if (conn_reads(c->conn))
		w->late.ids.conn = w->late.state.conn = 0;
	cmd_state_target(&w->late.state, &c->target);
	menu_open_window(c->viewer, m, menu_done, w);
	return CMD_NORMAL;
}
