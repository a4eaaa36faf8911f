#include "server/core/programs.h"

#include <sys/wait.h>

#include <string.h>

#include "base/mem.h"
#include "base/pen.h"
#include "conf/format_draw.h"
#include "mux/mux.h"
#include "mux/session.h"
#include "mux/window.h"
#include "server/core/hook_run.h"
#include "server/core/pane_wait.h"
#include "server/core/server.h"
#include "server/io/pane_io.h"
#include "server/io/scope.h"
#include "server/run/run.h"

void
programs_output(void *arg, uint32_t id)
{
	struct server *sv = arg;
	struct pane *p = mux_pane(sv->run.mux, id);

	if (p == NULL)
		return;
	run_set_now(&sv->run);
	pane_output(p);
	window_bar_changed(p);
	run_drain(&sv->run);
}

/* Returns the name that automatic-rename gives: the foreground program's. */
void
programs_name(struct server *sv, struct window *w)
{
	struct pane_io *io = pane_io_find(&sv->panes, w->active->id);
	char *name;

	if (!options_flag(&w->options, OPTION_AUTOMATIC_RENAME))
		return;
	if ((w->active->flags & PANE_DEAD) == 0) {
		if (io == NULL || io->fd < 0 || io->looks == 0)
			return;
		io->looks--;
	}
	name = scope_expand_pane_new(sv->scope, NULL, w->active,
	    options_string(&w->options, OPTION_AUTOMATIC_RENAME_FORMAT), 0);
	if (*name != '\0' && strcmp(w->name, name) != 0)
		window_set_foreign_name(w, name);
	mem_free(name);
}

/* Scrolls by one line and writes remain-on-exit-format to the last one. */
static void
pane_say_dead(struct server *sv, struct pane *p)
{
	static const struct pen plain;
	struct format_drawn drawn;
	char sgr[PEN_SGR_MAX], *text;
	struct buf b;
	size_t i;

	text = scope_expand_pane_new(sv->scope, NULL, p,
	    options_string(&p->options, OPTION_REMAIN_ON_EXIT_FORMAT),
	    FORMAT_STRFTIME);
	buf_init(&b, 1 << 20);
	/*
	 * Reset the margins, go to the last line, feed a line in the default
	 * style.
	 */
	(void)buf_addf(&b, "\033[?6l\033[?69l\033[r\033[m\033[%d;1H\n", p->h);
	format_draw(
	    &drawn, sv->run.graphemes, &plain, text, strlen(text), p->w);
	for (i = 0; i < drawn.run_count; i++) {
		if (drawn.runs[i].len == 0)
			continue;
		(void)buf_addf(&b, "\033[%dG", drawn.runs[i].x + 1);
		(void)buf_add(
		    &b, sgr, pen_sgr(&plain, &drawn.runs[i].pen, sgr));
		(void)buf_add(&b, drawn.runs[i].text, drawn.runs[i].len);
		(void)buf_add_str(&b, "\033[m");
	}
	(void)buf_add_str(&b, "\r\033[?25l");
	if (*text != '\0')
		vt_term_write(p->term, b.data, b.len);
	format_drawn_fini(&drawn);
	buf_fini(&b);
	mem_free(text);
}

/* Renumbers windows (renumber-windows) after one has gone with its program. */
static void
renumber_all(struct server *sv)
{
	struct map_entry *e;
	struct session *s;

	MAP_FOREACH(e, &sv->run.mux->session_ids) {
		s = e->value;
		if (s->current != NULL &&
		    options_flag(&s->options, OPTION_RENUMBER_WINDOWS))
			session_renumber(s);
	}
}

void
programs_exited(void *arg, uint32_t id)
{
	struct server *sv = arg;
	struct pane_io *io = pane_io_find(&sv->panes, id);
	struct pane *p = mux_pane(sv->run.mux, id);
	int64_t remain;
	int status;

	if (io == NULL || p == NULL)
		return;
	run_set_now(&sv->run);
	status = io->status;
	pane_wait_status(sv, id, status);
	remain = options_number(&p->options, OPTION_REMAIN_ON_EXIT);
	if (remain == REMAIN_ON_EXIT_ON || remain == REMAIN_ON_EXIT_KEY ||
	    ((remain == REMAIN_ON_EXIT_FAILED ||
		 remain == REMAIN_ON_EXIT_FAILED_KEY) &&
		!(WIFEXITED(status) && WEXITSTATUS(status) == 0))) {
		pane_set_dead(p, WIFEXITED(status) ? WEXITSTATUS(status) : -1,
		    WIFSIGNALED(status) ? WTERMSIG(status) : 0);
		pane_say_dead(sv, p);
		programs_name(sv, p->window);
	} else {
		p->ended = true;
		hook_keep(sv, p);
		if (!window_close_pane(p))
			renumber_all(sv);
	}
	run_drain(&sv->run);
}
