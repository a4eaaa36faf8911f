#include <string.h>

#include "base/mem.h"
#include "server/cmd/cmd.h"
#include "server/cmd/pane_float.h"
#include "server/cmd/resolve.h"
#include "server/cmd/shared.h"
#include "server/core/pane_wait.h"
#include "server/io/pane_io.h"
#include "server/io/spawn.h"

/* split-window -I: the pane that gets the caller's standard input. */
struct feed {
	struct server *sv;
	uint32_t pane;
	uint64_t token;
};

static void
feed_done(void *arg, UNUSED int error, char *data, size_t len)
{
	struct feed *f = arg;
	struct pane *p = mux_pane(f->sv->run.mux, f->pane);

	if (p != NULL && len > 0) {
		/* Lines end in LF: set LNM (new line mode). */
		vt_term_write(p->term, "\033[20h", 5);
		vt_term_write(p->term, data, len);
		pane_output(p);
		window_bar_changed(p);
	}
	mem_free(data);
	cmdq_continue(&f->sv->run, f->token, false);
	mem_free(f);
}

/* Shows the caller's standard input in P, which has no program. */
static enum cmd_result
feed_pane(struct cmd_context *c, struct pane *p)
{
	struct feed *f;

	if (!conn_reads(c->conn))
		return CMD_NORMAL;
	f = mem_zalloc(sizeof(*f));
	f->sv = c->sv;
	f->pane = p->id;
	f->token = cmdq_wait(c->item);
	conn_read_file(c->conn, "-", feed_done, f);
	return CMD_WAIT;
}

/* -W: the caller waits for the end of the pane's program. */
struct ending {
	struct pane_wait wait;
	struct cmd_late late;
};

static void
ending_done(struct pane_wait *w)
{
	struct ending *e = container_of(w, struct ending, wait);
	struct sink s = cmd_late_sink(&e->late);

	sink_exit_code(&s, w->code);
	cmd_late_end(&e->late, false);
	mem_free(e);
}

static enum cmd_result
wait_pane(struct cmd_context *c, const struct pane *p)
{
	struct ending *e = mem_zalloc(sizeof(*e));

	e->wait.pane = p->id;
	e->wait.done = ending_done;
	cmd_late_init(&e->late, c, true);
	pane_wait_add(c->sv, &e->wait);
	return CMD_WAIT;
}

void
cmd_pane_waits_free(struct server *sv)
{
	struct list_node *n;

	while ((n = list_first(&sv->pane_waits)) != NULL) {
		list_remove(&sv->pane_waits, n);
		mem_free(container_of(n, struct ending, wait.node));
	}
}

/* Returns whether the pane gets no program: -I, -E, or an empty command. */
static bool
wants_empty(const struct cmd_context *c)
{
	const char *word = args_string(c->args, 0);

	return args_has(c->args, 'I') != 0 || args_has(c->args, 'E') != 0 ||
	       (c->args->count == 1 && word != NULL && *word == '\0');
}

/* Sets the new pane's options from flags; 0, or an error with a cause. */
static int
split_options(struct cmd_context *c, struct pane *p, struct cause *why)
{
	static const struct {
		char flag;
		const char *option;
		const char *value; /* NULL: the flag's value */
	} rows[] = { { 'B', "pane-border-lines", NULL },
		{ 'k', "remain-on-exit", "key" },
		{ 'm', "remain-on-exit-format", NULL },
		{ 'R', "pane-border-style", NULL },
		{ 's', "window-style", NULL },
		{ 's', "window-active-style", NULL },
		{ 'S', "pane-active-border-style", NULL } };
	const char *value;
	size_t i;
	int r = 0;

	for (i = 0; i < ARRAY_LEN(rows) && r == 0; i++) {
		if (!args_has(c->args, rows[i].flag))
			continue;
		value = rows[i].value == NULL ? args_get(c->args, rows[i].flag)
					      : rows[i].value;
		r = options_set_text(&p->options, rows[i].option, value, why);
		if (r != 0 && strchr("RsS", rows[i].flag) != NULL) {
			cause_fini(why); /* as in tmux: no style */
			r = 0;
		}
	}
	pane_options_changed(p);
	return r;
}

/* Makes the pane of split-window: tiled, or floating beside a float. */
static int
make_split(struct cmd_context *c, const struct pane_start *st, struct pane **p,
    struct cause *why)
{
	struct layout_split how = { 0 };
	struct window *w = c->target.w;

	/* A size in percent is of the pane behind the zoom. */
	if (!c->target.p->floating)
		(void)window_unzoom(w);
	if (cmd_split_how(c, &how) != 0)
		return -ERR_SYNTAX;
	if (!c->target.p->floating)
		return window_split(w, c->target.p, &how, st, p, why);
	if (c->cmd->row->id == COMMAND_new_pane)
		return cause_set(
		    why, -ERR_STATE, "can't split a floating pane");
	return window_float_split(w, c->target.p, &how, st, p, why);
}

/* -M: the new pane begins at the mouse, which then spans it. */
static void
place_at_mouse(const struct cmd_context *c, const struct window *w, int border,
    struct window_given *given, struct cell_rect *at)
{
	if (!args_has(c->args, 'M') || c->viewer == NULL ||
	    (c->state->flags & CMD_STATE_MOUSE) == 0)
		return;
	mouse_window_place(c->viewer, &at->x, &at->y);
	at->x = CLAMP(at->x, 0, w->w - 1);
	at->y = CLAMP(at->y, 0, w->h - 1);
	at->w = at->h = LAYOUT_PANE_MIN + 2 * border;
	*given = (struct window_given){ true, true, true, true };
}

/* -B is checked before the pane takes a number; as tmux says it. */
static int
check_lines(struct cmd_context *c, struct cause *why)
{
	const char *lines = args_get(c->args, 'B');
	struct option_value v;
	struct cause bad = { NULL };
	int r;

	if (lines == NULL)
		return 0;
	r = option_value_parse(
	    option_row(OPTION_PANE_BORDER_LINES), lines, NULL, NULL, &v, &bad);
	if (r != 0)
		(void)cause_set(
		    why, r, "pane-border-lines %s", cause_text(&bad));
	else
		option_value_fini(&v);
	cause_fini(&bad);
	return r;
}

/* Makes the pane of new-pane. */
static int
make_float(struct cmd_context *c, const struct pane_start *st, struct pane **p,
    struct cause *why)
{
	static const struct {
		char flag;
		unsigned set;
	} rows[] = { { 'A', PANE_ABOVE_ZOOM }, { 'O', PANE_ABOVE_ZOOM },
		{ 'K', PANE_MODAL_KEYS }, { 'C', PANE_MODAL_CLICK },
		{ 'D', PANE_MODAL_ESCAPE } };
	const char *lines = args_get(c->args, 'B');
	struct window *w = c->target.w;
	struct window_given given = { 0 };
	struct cell_rect at = { 0 };
	struct pane *next = NULL;
	unsigned flags = 0;
	size_t i;
	int border, r;

	if (lines != NULL)
		border = strcmp(lines, "none") != 0;
	else
		border =
		    options_number(&w->options, OPTION_PANE_BORDER_LINES) !=
		    PANE_BORDER_LINES_NONE;
	for (i = 0; i < ARRAY_LEN(rows); i++)
		if (args_has(c->args, rows[i].flag))
			flags |= rows[i].set;
	if (args_has(c->args, 'O') && w->modal != NULL)
		return cause_set(
		    why, -ERR_STATE, "window already has a modal pane");
	if (!cmd_float_place(c, w, border, &at, &given))
		return -ERR_SYNTAX;
	place_at_mouse(c, w, border, &given, &at);
	if ((r = window_float_rect(w, &given, border, &at, why)) != 0)
		return r;
	if (args_has(c->args, 'b'))
		next =
		    args_has(c->args, 'f') ? window_first_pane(w) : c->target.p;
	return window_float_new(w, c->target.p, next, &at, flags,
	    args_has(c->args, 'O') != 0, st, p, why);
}

/* Gives the new pane its options, title and program. */
static int
start_pane(struct cmd_context *c, struct pane *p, struct cause *why)
{
	struct cmd_target t = resolve_pane(c->target.wl, p);
	char *title;
	int r;

	if ((r = split_options(c, p, why)) != 0)
		return r;
	if (p->flags & PANE_EMPTY)
		spawn_title(p);
	else if ((r = cmd_spawn(c, c->target.s, p, why)) != 0) {
		cause_prefix(why, "create pane failed");
		return r;
	}
	if (args_get(c->args, 'T') != NULL) {
		title = cmd_format_new(c, &t, args_get(c->args, 'T'));
		pane_set_title(p, title);
		mem_free(title);
	}
	return 0;
}

/* split-window, and new-pane with FLOATS. */
static enum cmd_result
make_pane(struct cmd_context *c, bool floats)
{
	struct pane_start st = { .empty = wants_empty(c) };
	struct cause why = { NULL };
	struct window *w = c->target.w;
	struct pane *zoomed =
	    w->zoomed && w->active != w->zoom ? w->zoom : NULL;
	char *argv[256], *path;
	struct cmd_target t;
	struct pane *p = NULL;
	int r;

	if (cmd_empty_conflict(c))
		return CMD_ERROR;
	st.history =
	    (size_t)options_number(&c->target.s->options, OPTION_HISTORY_LIMIT);
	path = cmd_start_path(c, &c->target, false);
	st.path = path;
	cmd_pane_start(c, &st, argv, ARRAY_LEN(argv));
	r = check_lines(c, &why);
	if (r == 0)
		r = floats ? make_float(c, &st, &p, &why)
			   : make_split(c, &st, &p, &why);
	mem_free(path);
	if (r != 0) /* without a cause it is reported already */
		return *cause_text(&why) == '\0' ? CMD_ERROR
						 : cmd_cause(c, &why);
	if (start_pane(c, p, &why) != 0) {
		window_close_pane(p);
		return cmd_cause(c, &why);
	}
	t = resolve_pane(c->target.wl, p);
	if ((!args_has(c->args, 'd') || p == w->modal) &&
	    (window_set_active(w, p) || w->active == p))
		cmd_set_current(c, &t);
	if (floats && args_has(c->args, 'M'))
		(void)cmd_drag_float(c, p, DRAG_SPAN);
	/* While a float above the zoom is active, a new pane ends no zoom. */
	if (zoomed != NULL && !w->zoomed)
		(void)window_zoom(w->active == p ? p : zoomed);
	if (args_has(c->args, 'Z') && (floats || !p->floating))
		(void)window_zoom(w->active);
	cmd_set_after(c, &t);
	cmd_say_target(c, &t, "#{session_name}:#{window_index}.#{pane_index}");
	if (args_has(c->args, 'I'))
		return feed_pane(c, p);
	return args_has(c->args, 'W') ? wait_pane(c, p) : CMD_NORMAL;
}

enum cmd_result
cmd_exec_split_window(struct cmd_context *c)
{
	return make_pane(c, false);
}

enum cmd_result
cmd_exec_new_pane(struct cmd_context *c)
{
	if (args_has(c->args, 'L') && args_has(c->args, 'O'))
		return cmd_error(c, "modal pane must be floating");
	if (args_has(c->args, 'M') && !args_has(c->args, 'L') &&
	    (c->state->flags & CMD_STATE_MOUSE) == 0)
		return CMD_NORMAL;
	c->hook = "split-window";
	return make_pane(c, !args_has(c->args, 'L'));
}

enum cmd_result
cmd_exec_kill_pane(struct cmd_context *c)
{
	struct list_node *n, *tmp;
	struct cmd_target t;
	struct pane *p;

	if (args_has(c->args, 'f') && !args_has(c->args, 'a'))
		return cmd_error(c, "-f only valid with -a");
	if (!args_has(c->args, 'a')) {
		(void)window_close_pane(c->target.p);
		cmd_renumber_all(c->sv->run.mux);
		return CMD_NORMAL;
	}
	(void)window_unzoom(c->target.w);
	LIST_FOREACH_SAFE(n, &c->target.w->panes, tmp) {
		p = container_of(n, struct pane, node);
		t = resolve_pane(c->target.wl, p);
		if (p != c->target.p && cmd_filter(c, &t))
			(void)window_close_pane(p);
	}
	return CMD_NORMAL;
}

/* Returns whether a key of a client with panes of its own runs the command. */
static bool
has_own(const struct cmd_context *c)
{
	return c->state->client != MUX_NONE && c->client != NULL &&
	       c->client->id == c->state->client &&
	       client_own_panes(c->client) && client_link(c->client) != NULL &&
	       client_link(c->client)->window == c->target.w;
}

/* Returns the pane active before; of two, the other one counts. NULL: none. */
static struct pane *
last_pane(struct cmd_context *c)
{
	struct window *w = c->target.w;
	struct pane *p =
	    has_own(c) ? client_last_pane(c->client) : window_last_pane(w);

	if (p == NULL && w->panes.count == 2)
		p = window_next_pane(w, w->active, 1);
	return p;
}

/*
 * Makes P active; unzooms unless -Z was given.  Returns whether another pane
 * was.
 */
static bool
activate(struct cmd_context *c, struct pane *p)
{
	struct window *w = c->target.w;
	struct cmd_target t = resolve_pane(c->target.wl, p);
	bool zoomed = w->zoomed;

	if (w->modal != NULL)
		return false;
	if (p->floating && p != w->active)
		window_restack(p, 0);
	if (has_own(c)) {
		/*
		 * A pane that a zoom hides cannot be a client's own active
		 * pane.
		 */
		if (pane_visible(p))
			client_set_pane(c->client, p);
		cmd_set_current(c, &t);
		return true;
	}
	if (p == w->active)
		return false;
	if (!pane_visible(p))
		(void)window_unzoom(w);
	(void)window_set_active(w, p);
	if (zoomed && !w->zoomed && args_has(c->args, 'Z'))
		(void)window_zoom(p);
	cmd_set_current(c, &t);
	return true;
}

static enum cmd_result
select_last(struct cmd_context *c)
{
	struct pane *p = last_pane(c);

	if (p == NULL)
		return cmd_error(c, "no last pane");
	if (args_has(c->args, 'd') || args_has(c->args, 'e')) {
		pane_set_flags(p, PANE_INPUT_OFF, !args_has(c->args, 'e'));
		return CMD_NORMAL;
	}
	(void)activate(c, p);
	return CMD_NORMAL;
}

/* Clears the mark; without one the hook tells of the target, as in tmux. */
static void
clear_mark(struct cmd_context *c)
{
	struct mux *m = c->sv->run.mux;
	struct winlink *wl;
	struct pane *p;

	if (!mux_get_mark(m, &wl, &p))
		mux_say(m, MUX_EVENT_MARKED_PANE, NULL, c->target.w,
		    c->target.p, NULL);
	mux_set_mark(m, NULL, NULL);
}

enum cmd_result
cmd_exec_select_pane(struct cmd_context *c)
{
	static const struct {
		char flag;
		enum window_side side;
	} sides[] = { { 'U', WINDOW_UP }, { 'D', WINDOW_DOWN },
		{ 'L', WINDOW_LEFT }, { 'R', WINDOW_RIGHT } };
	struct pane *p = c->target.p, *to;
	char *title;
	size_t i;

	/* As in tmux, the hook runs when a pane that is named becomes active. */
	c->hook = NULL;
	if (args_has(c->args, 'l'))
		return select_last(c);
	if (args_has(c->args, 'm') || args_has(c->args, 'M')) {
		struct winlink *mwl;
		struct pane *mp;

		if (args_has(c->args, 'M') ||
		    (mux_get_mark(c->sv->run.mux, &mwl, &mp) && mp == p))
			clear_mark(c);
		else
			mux_set_mark(c->sv->run.mux, c->target.wl, p);
		return CMD_NORMAL;
	}
	for (i = 0; i < ARRAY_LEN(sides); i++)
		if (args_has(c->args, sides[i].flag)) {
			to = window_neighbour(p, sides[i].side);
			if (to == NULL)
				return CMD_NORMAL;
			p = to;
		}
	if (args_has(c->args, 'e') || args_has(c->args, 'd')) {
		pane_set_flags(p, PANE_INPUT_OFF, !args_has(c->args, 'e'));
		return CMD_NORMAL;
	}
	if (args_get(c->args, 'T') != NULL) {
		title = cmd_format_new(c, &c->target, args_get(c->args, 'T'));
		pane_set_title(p, title);
		mem_free(title);
		return CMD_NORMAL;
	}
	if (activate(c, p))
		c->hook = "select-pane";
	return CMD_NORMAL;
}

enum cmd_result
cmd_exec_last_pane(struct cmd_context *c)
{
	return select_last(c);
}
