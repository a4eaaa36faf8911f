#include "mux/pane.h"

#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "conf/cmdlist.h"
#include "conf/style.h"
#include "mux/alert.h"
#include "mux/notify.h"
#include "mux/window.h"

#define PANE_COMMAND_MAX 65536 /* bytes of start_command */

static void
free_start(struct pane *p)
{
	size_t i;

	for (i = 0; i < p->start_argc; i++)
		mem_free(p->start_argv[i]);
	mem_free(p->start_argv);
	mem_free(p->start_command);
	mem_free(p->start_path);
	mem_free(p->shell);
	p->start_argv = NULL;
	p->start_argc = 0;
	p->start_command = p->start_path = p->shell = NULL;
}

static char *
copy_or_null(const char *s)
{
	return s == NULL ? NULL : mem_strdup(s);
}

void
pane_set_start(struct pane *p, const struct pane_start *start)
{
	struct buf line;
	size_t i;

	free_start(p);
	buf_init(&line, PANE_COMMAND_MAX);
	p->start_argv = mem_calloc(start->argc + 1, sizeof(*p->start_argv));
	p->start_argc = start->argc;
	for (i = 0; i < start->argc; i++) {
		p->start_argv[i] = mem_strdup(start->argv[i]);
		if (i > 0)
			(void)buf_add_u8(&line, ' ');
		cmd_quote(&line, start->argv[i]);
	}
	p->start_command = buf_steal(&line, NULL);
	p->start_path = copy_or_null(start->path);
	p->shell = copy_or_null(start->shell);
	p->flags &= ~(unsigned)PANE_EMPTY;
	if (start->empty)
		p->flags |= PANE_EMPTY;
}

struct pane *
pane_new(struct window *w, const struct pane_start *start, int cols, int rows)
{
	struct pane *p = mem_zalloc(sizeof(*p));
	struct mux *m = w->mux;
	struct vt_term_options opt = { 0 };

	p->id = m->next_pane++;
	p->mux = m;
	p->typed_by = MUX_NONE;
	p->window = w;
	p->w = cols;
	p->h = rows;
	p->pid = p->pipe_pid = -1;
	p->dead_status = p->command_status = -1;
	p->created = m->wall;
	list_init(&p->modes);
	pane_vars_init(&p->vars);
	options_init(&p->options, &w->options);
	p->title = mem_strdup(start->title == NULL ? "" : start->title);
	p->history_limit = start->history;
	pane_set_start(p, start);
	opt.pool = m->setup.pool;
	opt.graphemes = m->setup.graphemes;
	opt.cols = (unsigned)cols;
	opt.rows = (unsigned)rows;
	opt.history_rows = start->history;
	opt.history_bytes = SIZE_MAX;
	p->term = vt_term_new(&opt);
	(void)map_set_id(&m->panes, p->id, p);
	pane_outer_changed(p);
	pane_options_changed(p);
	return p;
}

static void
base_colour(struct vt_palette **base, unsigned n, colour c)
{
	if (colour_kind(c) == COLOUR_KIND_INDEX)
		vt_palette_own(base)->rgb[n] = colour_palette_rgb(c & 255);
	else if (colour_kind(c) == COLOUR_KIND_RGB)
		vt_palette_own(base)->rgb[n] = c & 0xffffff;
}

/* Adds the colours of a style; one with formats gives none. */
static void
base_style(struct vt_palette **base, const struct pane *p, enum option_id id)
{
	const char *text = options_string(&p->options, id);
	struct style sy;

	style_init(&sy);
	if (style_parse(&sy, NULL, text, strlen(text)) != 0)
		return;
	base_colour(base, VT_DYN_FG, sy.pen.fg);
	base_colour(base, VT_DYN_BG, sy.pen.bg);
}

/*
 * Tells the terminal the colours that queries answer: those of options, and
 * those of the user's terminal below them.
 */
static void
set_base(struct pane *p)
{
	const struct option_entry *e =
	    options_get(&p->options, OPTION_PANE_COLOURS);
	struct vt_palette *base = vt_palette_ref(p->window->outer.palette);
	size_t i;

	for (i = 0; e != NULL && i < e->count; i++)
		if (e->items[i].index < 256)
			base_colour(&base, (unsigned)e->items[i].index,
			    e->items[i].value.colour);
	base_colour(&base, VT_DYN_CURSOR,
	    options_colour(&p->options, OPTION_CURSOR_COLOUR));
	base_style(&base, p, OPTION_WINDOW_STYLE);
	if (p->window->active == p)
		base_style(&base, p, OPTION_WINDOW_ACTIVE_STYLE);
	vt_term_set_base(p->term, base);
}

void
pane_outer_changed(struct pane *p)
{
	const struct outer *o = &p->window->outer;

	vt_term_set_cell_pixels(
	    p->term, (unsigned)o->cell_w, (unsigned)o->cell_h);
	set_base(p);
	vt_term_set_theme(p->term, &o->theme);
}

void
pane_options_changed(struct pane *p)
{
	set_base(p);
	vt_term_set_alternate(
	    p->term, options_flag(&p->options, OPTION_ALTERNATE_SCREEN));
	vt_term_set_scroll_on_clear(
	    p->term, options_flag(&p->options, OPTION_SCROLL_ON_CLEAR));
	vt_term_set_title_report(
	    p->term, options_flag(&p->options, OPTION_TITLE_REPORT));
	vt_term_set_string_max(
	    p->term, (size_t)options_number(
			 &p->mux->server_options, OPTION_INPUT_BUFFER_SIZE));
}

void
pane_set_term(struct pane *p, struct vt_term *term)
{
	vt_term_free(p->term);
	row_times_fini(&p->times);
	p->term = term;
	vt_term_resize(term, (unsigned)p->w, (unsigned)p->h);
	pane_outer_changed(p);
	pane_options_changed(p);
}

void
pane_free(struct pane *p)
{
	while (pane_pop_mode(p))
		continue;
	(void)map_remove_id(&p->mux->panes, p->id);
	free_start(p);
	vt_term_free(p->term);
	options_fini(&p->options);
	row_times_fini(&p->times);
	pane_vars_fini(&p->vars);
	notify_pane_free(p->notify);
	mem_free(p->title);
	mem_free(p->tty);
	mem_free(p->command_line);
	mem_free(p->search);
	mem_free(p);
}

void
pane_place(struct pane *p, const struct cell_rect *r)
{
	bool resized = p->w != r->w || p->h != r->h;

	p->x = r->x;
	p->y = r->y;
	p->w = r->w;
	p->h = r->h;
	if (!resized)
		return;
	vt_term_resize(p->term, (unsigned)r->w, (unsigned)r->h);
	mux_say(p->mux, MUX_EVENT_PANE_RESIZED, NULL, p->window, p, NULL);
}

void
pane_set_title(struct pane *p, const char *title)
{
	size_t n = strlen(title);

	if (n > PANE_TITLE_MAX) {
		n = PANE_TITLE_MAX;
		while (n > 0 && ((uint8_t)title[n] & 0xc0) == 0x80)
			n--;
	}
	if (strlen(p->title) == n && memcmp(p->title, title, n) == 0)
		return;
	mem_free(p->title);
	p->title = mem_strndup(title, n);
	vt_term_set_title(p->term, p->title);
	mux_say(p->mux, MUX_EVENT_PANE_TITLE, NULL, p->window, p, p->title);
}

void
pane_set_flags(struct pane *p, unsigned flags, bool on)
{
	unsigned old = p->flags;

	p->flags = on ? old | flags : old & ~flags;
	if (p->flags != old)
		mux_say(p->mux, MUX_EVENT_PANE_FLAGS, NULL, p->window, p, NULL);
}

void
pane_output(struct pane *p)
{
	struct mux *m = p->mux;

	p->last_output = m->wall;
	p->outputs++;
	row_times_note(&p->times, vt_term_main_grid(p->term), m->wall / 1000);
	if (pane_mode(p) != NULL)
		p->flags |= PANE_UNSEEN;
	alert_output(p);
	if (p->flags & PANE_OUTPUT_QUEUED)
		return;
	p->flags |= PANE_OUTPUT_QUEUED;
	mux_say(m, MUX_EVENT_PANE_OUTPUT, NULL, p->window, p, NULL);
}

void
pane_set_dead(struct pane *p, int status, int signal)
{
	if (p->flags & PANE_DEAD)
		return;
	p->flags |= PANE_DEAD;
	p->dead_status = status;
	p->dead_signal = signal;
	p->dead_time = p->mux->wall;
	p->pid = -1;
	mux_say(p->mux, MUX_EVENT_PANE_DIED, NULL, p->window, p, NULL);
}

static void
set_not_dead(struct pane *p, int64_t pid)
{
	p->flags &= ~(unsigned)(PANE_DEAD | PANE_EMPTY);
	p->dead_status = -1;
	p->dead_signal = 0;
	p->dead_time = 0;
	p->pid = pid;
}

void
pane_set_empty(struct pane *p)
{
	set_not_dead(p, -1);
	p->flags |= PANE_EMPTY;
	mux_say(p->mux, MUX_EVENT_PANE_FLAGS, NULL, p->window, p, NULL);
}

void
pane_set_alive(struct pane *p, int64_t pid, const char *tty)
{
	set_not_dead(p, pid);
	mem_free(p->tty);
	p->tty = copy_or_null(tty);
	mux_say(p->mux, MUX_EVENT_PANE_FLAGS, NULL, p->window, p, NULL);
}

void
pane_shell_mark(struct pane *p, char kind, int status, const char *command)
{
	enum mux_event_type type = MUX_EVENT_PANE_SHELL_PROMPT;

	switch (kind) {
	case 'A':
		p->prompt_time = p->mux->wall;
		break;
	case 'C':
		p->flags |= PANE_COMMAND_RUNNING;
		p->command_start_time = p->mux->wall;
		p->command_end_time = 0;
		p->command_status = -1;
		mem_free(p->command_line);
		p->command_line = copy_or_null(command);
		type = MUX_EVENT_PANE_COMMAND_STARTED;
		break;
	case 'D':
		p->flags &= ~(unsigned)PANE_COMMAND_RUNNING;
		p->command_end_time = p->mux->wall;
		p->command_status = status;
		type = MUX_EVENT_PANE_COMMAND_FINISHED;
		break;
	default:
		return;
	}
	mux_say(p->mux, type, NULL, p->window, p, NULL);
}

void
pane_set_user_var(struct pane *p, const char *name, const char *value)
{
	if (pane_vars_set(&p->vars, name, value))
		mux_say(
		    p->mux, MUX_EVENT_PANE_USER_VAR, NULL, p->window, p, name);
}

int
pane_push_mode(
    struct pane *p, const char *name, void *data, void (*free_data)(void *))
{
	struct pane_mode *mode = pane_mode(p);
	struct list_node *n;

	LIST_FOREACH(n, &p->modes) {
		if (strcmp(container_of(n, struct pane_mode, node)->name,
			name) != 0)
			continue;
		if (n != &mode->node) {
			list_remove(&p->modes, n);
			list_push_front(&p->modes, n);
			mux_say(p->mux, MUX_EVENT_PANE_MODE, NULL, p->window, p,
			    NULL);
		}
		return -ERR_EXISTS;
	}
	if (p->modes.count >= PANE_MODES_MAX)
		return -ERR_LIMIT;
	mode = mem_zalloc(sizeof(*mode));
	mode->name = name;
	mode->data = data;
	mode->free = free_data;
	list_push_front(&p->modes, &mode->node);
	mux_say(p->mux, MUX_EVENT_PANE_MODE, NULL, p->window, p, NULL);
	mux_say(p->mux, MUX_EVENT_PANE_MODE_ENTERED, NULL, p->window, p, name);
	return 0;
}

bool
pane_pop_mode(struct pane *p)
{
	struct pane_mode *mode = pane_mode(p);

	if (mode == NULL)
		return false;
	list_remove(&p->modes, &mode->node);
	if (p->modes.count == 0)
		p->flags &= ~(unsigned)PANE_UNSEEN;
	mux_say(p->mux, MUX_EVENT_PANE_MODE, NULL, p->window, p, NULL);
	mux_say(
	    p->mux, MUX_EVENT_PANE_MODE_EXITED, NULL, p->window, p, mode->name);
	if (mode->free != NULL)
		mode->free(mode->data);
	mem_free(mode);
	return true;
}

void
pane_pop_modes(struct pane *p)
{
	while (pane_pop_mode(p))
		continue;
}

struct pane_mode *
pane_mode(const struct pane *p)
{
	return list_entry(list_first(&p->modes), struct pane_mode, node);
}

bool
pane_whole(const struct pane *p)
{
	const struct pane_mode *mode = pane_mode(p);

	return mode != NULL && mode->whole && p->window->zoom == p;
}

bool
pane_mode_format(const struct pane *p, const char *name, struct buf *out)
{
	const struct pane_mode *mode = pane_mode(p);

	return mode != NULL && mode->format != NULL &&
	       mode->format(mode->data, name, out);
}

bool
pane_synchronized(const struct pane *p)
{
	return options_flag(&p->options, OPTION_SYNCHRONIZE_PANES);
}

bool
pane_visible(const struct pane *p)
{
	const struct window *w = p->window;

	return !w->zoomed || p == w->zoom ||
	       (p->floating && (p->flags & PANE_ABOVE_ZOOM) != 0);
}

bool
pane_floats(const struct pane *p)
{
	return p->floating && pane_visible(p) &&
	       !(p->window->zoomed && p == p->window->zoom);
}

int
pane_border(const struct pane *p)
{
	return options_number(&p->options, OPTION_PANE_BORDER_LINES) ==
		       PANE_BORDER_LINES_NONE
		   ? 0
		   : 1;
}

int
pane_position(const struct pane *p)
{
	const struct list_node *n;
	int i = 0;

	LIST_FOREACH(n, &p->window->panes) {
		if (n == &p->node)
			break;
		i++;
	}
	return i;
}

int
pane_index(const struct pane *p)
{
	return pane_position(p) +
	       (int)options_number(&p->window->options, OPTION_PANE_BASE_INDEX);
}
