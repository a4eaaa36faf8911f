/* Variables of panes: identity, state, place. */
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "base/url.h"
#include "mux/fmt/vars_int.h"

static bool
host_pane(const struct vars *v, const char *name, struct buf *out)
{
	return v->host != NULL && v->host->pane != NULL &&
	       v->host->pane(v->host->arg, v->pane, name, out);
}

/* Returns the pane's place when nothing is zoomed. */
static struct cell_rect
unzoomed(const struct pane *p)
{
	const struct layout *l = &p->window->layout;
	const struct layout_cell *c = layout_find(l, p->id);

	if (c == NULL)
		return (struct cell_rect){ p->x, p->y, p->w, p->h };
	return layout_pane_rect(l, c);
}

/*
 * A zoomed pane touches all edges; FLOAT tells whether a floating one touches
 * this edge.
 */
static bool
at_edge(
    const struct pane *p, bool (*at)(const struct layout_cell *c), bool floats)
{
	const struct layout_cell *c;

	if (p == p->window->zoom)
		return true;
	if (p->floating)
		return floats;
	c = layout_find(&p->window->layout, p->id);
	return c != NULL && at(c);
}

bool
var_pane_id(const struct vars *v, struct buf *out)
{
	return buf_addf(out, "%%%u", v->pane->id) == 0;
}

bool
var_pane_index(const struct vars *v, struct buf *out)
{
	return put_int(out, pane_index(v->pane));
}

bool
var_pane_pid(const struct vars *v, struct buf *out)
{
	return v->pane->pid >= 0 && put_int(out, v->pane->pid);
}

bool
var_pane_tty(const struct vars *v, struct buf *out)
{
	return put_str(out, v->pane->tty);
}

bool
var_pane_active(const struct vars *v, struct buf *out)
{
	return put_flag(out, v->pane == v->pane->window->active);
}

bool
var_pane_last(const struct vars *v, struct buf *out)
{
	return put_flag(out, v->pane == window_last_pane(v->pane->window));
}

bool
var_pane_marked(const struct vars *v, struct buf *out)
{
	return put_flag(
	    out, v->m->mark.pane == v->pane->id && mux_mark_holds(v->m));
}

bool
var_pane_marked_set(const struct vars *v, struct buf *out)
{
	return put_flag(out, v->m->mark.pane != MUX_NONE);
}

bool
var_pane_start_command(const struct vars *v, struct buf *out)
{
	return put_str(out, v->pane->start_command);
}

bool
var_pane_start_path(const struct vars *v, struct buf *out)
{
	return put_str(out, v->pane->start_path);
}

bool
var_pane_current_command(const struct vars *v, struct buf *out)
{
	return host_pane(v, "pane_current_command", out);
}

bool
var_pane_current_path(const struct vars *v, struct buf *out)
{
	return host_pane(v, "pane_current_path", out);
}

bool
var_pane_nested(const struct vars *v, struct buf *out)
{
	return host_pane(v, "pane_nested", out) || put_flag(out, false);
}

bool
var_pane_path(const struct vars *v, struct buf *out)
{
	return put_str(out, vt_term_cwd(v->pane->term));
}

/* The path of a URL, or what was sent if it is a path. */
bool
var_pane_directory(const struct vars *v, struct buf *out)
{
	const char *s = vt_term_cwd(v->pane->term);
	struct url_file u;
	char *path;
	bool ok;

	if (url_file(s, strlen(s), &u))
		path = u.encoded ? url_decode_new(u.path, u.pathlen)
				 : str_plain_new(u.path, u.pathlen, u.pathlen);
	else
		path =
		    *s == '/' ? str_plain_new(s, strlen(s), strlen(s)) : NULL;
	ok = put_str(out, path);
	mem_free(path);
	return ok;
}

bool
var_pane_host(const struct vars *v, struct buf *out)
{
	return put_str(out, vt_term_host(v->pane->term));
}

bool
var_pane_uservars(const struct vars *v, struct buf *out)
{
	pane_vars_names(&v->pane->vars, out);
	return true;
}

bool
var_pane_title(const struct vars *v, struct buf *out)
{
	return put_str(out, v->pane->title);
}

bool
var_pane_dead(const struct vars *v, struct buf *out)
{
	return put_flag(out, v->pane->flags & PANE_DEAD);
}

bool
var_pane_dead_status(const struct vars *v, struct buf *out)
{
	return (v->pane->flags & PANE_DEAD) && v->pane->dead_status >= 0 &&
	       put_int(out, v->pane->dead_status);
}

bool
var_pane_dead_signal(const struct vars *v, struct buf *out)
{
	return (v->pane->flags & PANE_DEAD) && v->pane->dead_signal > 0 &&
	       put_int(out, v->pane->dead_signal);
}

bool
var_pane_dead_time(const struct vars *v, struct buf *out)
{
	return (v->pane->flags & PANE_DEAD) &&
	       put_time(out, v->pane->dead_time);
}

bool
var_pane_input_off(const struct vars *v, struct buf *out)
{
	return put_flag(out, v->pane->flags & PANE_INPUT_OFF);
}

bool
var_pane_synchronized(const struct vars *v, struct buf *out)
{
	return put_flag(out, pane_synchronized(v->pane));
}

bool
var_pane_pipe(const struct vars *v, struct buf *out)
{
	return put_flag(out, v->pane->flags & (PANE_PIPE_IN | PANE_PIPE_OUT));
}

bool
var_pane_pipe_pid(const struct vars *v, struct buf *out)
{
	return v->pane->pipe_pid >= 0 && put_int(out, v->pane->pipe_pid);
}

bool
var_pane_guests(const struct vars *v, struct buf *out)
{
	const struct map_entry *e;
	const struct client *c;
	const struct winlink *wl;
	int64_t count = 0;

	MAP_FOREACH(e, &v->pane->mux->clients) {
		c = e->value;
		wl = c->guest ? client_link(c) : NULL;
		count += wl != NULL && wl->window == v->pane->window &&
			 client_may_type(c, v->pane);
	}
	return put_int(out, count);
}

bool
var_pane_in_mode(const struct vars *v, struct buf *out)
{
	return put_int(out, (int64_t)v->pane->modes.count);
}

bool
var_pane_mode(const struct vars *v, struct buf *out)
{
	return pane_mode(v->pane) != NULL &&
	       put_str(out, pane_mode(v->pane)->name);
}

bool
var_pane_unseen_changes(const struct vars *v, struct buf *out)
{
	return put_flag(out, v->pane->flags & PANE_UNSEEN);
}

bool
var_pane_output_generation(const struct vars *v, struct buf *out)
{
	return put_int(out, (int64_t)v->pane->outputs);
}

bool
var_pane_last_output_time(const struct vars *v, struct buf *out)
{
	return put_time(out, v->pane->last_output);
}

bool
var_pane_floating_flag(const struct vars *v, struct buf *out)
{
	return put_flag(out, pane_floats(v->pane));
}

bool
var_pane_zoomed_flag(const struct vars *v, struct buf *out)
{
	return put_flag(out, v->pane == v->pane->window->zoom);
}

bool
var_pane_modal_flag(const struct vars *v, struct buf *out)
{
	return put_flag(out, v->pane == v->pane->window->modal);
}

bool
var_pane_width(const struct vars *v, struct buf *out)
{
	return put_int(out, v->pane->w);
}

bool
var_pane_height(const struct vars *v, struct buf *out)
{
	return put_int(out, v->pane->h);
}

bool
var_pane_unzoomed_width(const struct vars *v, struct buf *out)
{
	return put_int(out, unzoomed(v->pane).w);
}

bool
var_pane_unzoomed_height(const struct vars *v, struct buf *out)
{
	return put_int(out, unzoomed(v->pane).h);
}

bool
var_pane_left(const struct vars *v, struct buf *out)
{
	return put_int(out, v->pane->x);
}

bool
var_pane_right(const struct vars *v, struct buf *out)
{
	return put_int(out, v->pane->x + v->pane->w - 1);
}

bool
var_pane_top(const struct vars *v, struct buf *out)
{
	return put_int(out, v->pane->y);
}

bool
var_pane_bottom(const struct vars *v, struct buf *out)
{
	return put_int(out, v->pane->y + v->pane->h - 1);
}

bool
var_pane_x(const struct vars *v, struct buf *out)
{
	return put_int(out, v->pane->x);
}

bool
var_pane_y(const struct vars *v, struct buf *out)
{
	return put_int(out, v->pane->y);
}

bool
var_pane_z(const struct vars *v, struct buf *out)
{
	return put_int(out, window_pane_z(v->pane));
}

bool
var_pane_at_left(const struct vars *v, struct buf *out)
{
	return put_flag(out, at_edge(v->pane, layout_at_left, v->pane->x == 0));
}

bool
var_pane_at_right(const struct vars *v, struct buf *out)
{
	return put_flag(
	    out, at_edge(v->pane, layout_at_right,
		     v->pane->x + v->pane->w == v->pane->window->w));
}

bool
var_pane_at_top(const struct vars *v, struct buf *out)
{
	const struct layout *l = &v->pane->window->layout;
	int first = l->edge == LAYOUT_EDGE_TOP ? 1 : 0;

	return put_flag(
	    out, at_edge(v->pane, layout_at_top, v->pane->y == first));
}

bool
var_pane_at_bottom(const struct vars *v, struct buf *out)
{
	const struct pane *p = v->pane;
	const struct layout *l = &p->window->layout;
	struct cell_rect r = unzoomed(p);
	int end = p->window->h - (l->edge == LAYOUT_EDGE_BOTTOM ? 1 : 0);
	bool at = at_edge(p, layout_at_bottom, p->y + p->h == end);

	/* A pane of one row has covered the title below it. */
	if (p != p->window->zoom && l->edge == LAYOUT_EDGE_BOTTOM && r.h == 1 &&
	    r.y + r.h > end)
		at = false;
	return put_flag(out, at);
}

bool
var_pane_search_string(const struct vars *v, struct buf *out)
{
	return put_str(out, v->pane->search);
}

bool
var_pane_command_running(const struct vars *v, struct buf *out)
{
	return put_flag(out, v->pane->flags & PANE_COMMAND_RUNNING);
}

bool
var_pane_command_start_time(const struct vars *v, struct buf *out)
{
	return put_time(out, v->pane->command_start_time);
}

bool
var_pane_command_end_time(const struct vars *v, struct buf *out)
{
	return put_time(out, v->pane->command_end_time);
}

bool
var_pane_command_line(const struct vars *v, struct buf *out)
{
	return put_str(out, v->pane->command_line);
}

bool
var_pane_command_status(const struct vars *v, struct buf *out)
{
	return v->pane->command_status >= 0 &&
	       put_int(out, v->pane->command_status);
}

bool
var_pane_last_prompt_time(const struct vars *v, struct buf *out)
{
	return put_time(out, v->pane->prompt_time);
}

bool
var_pane_flags(const struct vars *v, struct buf *out)
{
	const struct pane *p = v->pane;

	if (p == p->window->active)
		(void)buf_add_u8(out, '*');
	if (p == window_last_pane(p->window))
		(void)buf_add_u8(out, '-');
	if (p == p->window->zoom)
		(void)buf_add_u8(out, 'Z');
	if (pane_floats(p))
		(void)buf_add_u8(out, 'F');
	if ((p->flags & PANE_ABOVE_ZOOM) != 0)
		(void)buf_add_u8(out, 'A');
	if (p == p->window->modal)
		(void)buf_add_u8(out, 'O');
	return true;
}

bool
var_pane_start_command_list(const struct vars *v, struct buf *out)
{
	const char *p;
	size_t i;

	for (i = 0; i < v->pane->start_argc; i++) {
		(void)buf_add_str(out, i > 0 ? " '" : "'");
		for (p = v->pane->start_argv[i]; *p != '\0'; p++) {
			if (*p == '\'')
				(void)buf_add_str(out, "'\\''");
			else
				(void)buf_add_u8(out, (uint8_t)*p);
		}
		(void)buf_add_u8(out, '\'');
	}
	return true;
}

bool
var_pane_command_duration(const struct vars *v, struct buf *out)
{
	const struct pane *p = v->pane;
	int64_t end =
	    p->flags & PANE_COMMAND_RUNNING ? v->m->wall : p->command_end_time;

	return p->command_start_time != 0 && end >= p->command_start_time &&
	       put_int(out, (end - p->command_start_time) / 1000);
}
