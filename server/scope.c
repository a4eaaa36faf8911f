#include "server/scope.h"

#include <sys/utsname.h>

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/io/sys.h"
#include "base/mem.h"
#include "mux/client.h"
#include "mux/session.h"
#include "mux/window.h"
#include "server/pane_io.h"
#include "server/server.h"

/*
 * Until mux/fmt has every variable, the few that the default status line and
 * the common commands need are here, a row each.
 */
struct scope_ctx {
	struct server *sv;
	const struct scope_where *w;
};

typedef void (*scope_fn)(const struct scope_ctx *x, struct buf *out);

static void
var_session_name(const struct scope_ctx *x, struct buf *out)
{
	if (x->w->session != NULL)
		(void)buf_add_str(out, x->w->session->name);
}

static void
var_session_id(const struct scope_ctx *x, struct buf *out)
{
	if (x->w->session != NULL)
		(void)buf_addf(out, "$%u", x->w->session->id);
}

static void
var_session_windows(const struct scope_ctx *x, struct buf *out)
{
	if (x->w->session != NULL)
		(void)buf_addf(out, "%zu", x->w->session->links.count);
}

static void
var_session_attached(const struct scope_ctx *x, struct buf *out)
{
	if (x->w->session != NULL)
		(void)buf_addf(out, "%u", x->w->session->attached);
}

static void
var_session_created(const struct scope_ctx *x, struct buf *out)
{
	if (x->w->session != NULL)
		(void)buf_addf(
		    out, "%lld", (long long)(x->w->session->created / 1000));
}

static void
var_window_index(const struct scope_ctx *x, struct buf *out)
{
	if (x->w->link != NULL)
		(void)buf_addf(out, "%d", x->w->link->index);
}

static void
var_window_name(const struct scope_ctx *x, struct buf *out)
{
	if (x->w->link != NULL)
		(void)buf_add_str(out, x->w->link->window->name);
}

static void
var_window_id(const struct scope_ctx *x, struct buf *out)
{
	if (x->w->link != NULL)
		(void)buf_addf(out, "@%u", x->w->link->window->id);
}

static void
var_window_active(const struct scope_ctx *x, struct buf *out)
{
	if (x->w->link != NULL)
		(void)buf_addf(
		    out, "%d", x->w->link->session->current == x->w->link);
}

static void
var_window_panes(const struct scope_ctx *x, struct buf *out)
{
	if (x->w->link != NULL)
		(void)buf_addf(out, "%zu", x->w->link->window->panes.count);
}

static void
var_window_width(const struct scope_ctx *x, struct buf *out)
{
	if (x->w->link != NULL)
		(void)buf_addf(out, "%d", x->w->link->window->w);
}

static void
var_window_height(const struct scope_ctx *x, struct buf *out)
{
	if (x->w->link != NULL)
		(void)buf_addf(out, "%d", x->w->link->window->h);
}

static void
var_window_layout(const struct scope_ctx *x, struct buf *out)
{
	char *text;

	if (x->w->link == NULL)
		return;
	text = window_layout_text(x->w->link->window, false);
	(void)buf_add_str(out, text);
	mem_free(text);
}

static void
var_window_flags(const struct scope_ctx *x, struct buf *out)
{
	const struct winlink *wl = x->w->link;

	if (wl == NULL)
		return;
	if (wl->session->current == wl)
		(void)buf_add_u8(out, '*');
	if (session_last_link(wl->session) == wl)
		(void)buf_add_u8(out, '-');
	if (wl->window->zoomed)
		(void)buf_add_u8(out, 'Z');
}

static void
var_pane_index(const struct scope_ctx *x, struct buf *out)
{
	if (x->w->pane != NULL)
		(void)buf_addf(out, "%d", pane_index(x->w->pane));
}

static void
var_pane_id(const struct scope_ctx *x, struct buf *out)
{
	if (x->w->pane != NULL)
		(void)buf_addf(out, "%%%u", x->w->pane->id);
}

static void
var_pane_title(const struct scope_ctx *x, struct buf *out)
{
	if (x->w->pane != NULL)
		(void)buf_add_str(out, x->w->pane->title);
}

static void
var_pane_active(const struct scope_ctx *x, struct buf *out)
{
	if (x->w->pane != NULL)
		(void)buf_addf(
		    out, "%d", x->w->pane->window->active == x->w->pane);
}

static void
var_pane_width(const struct scope_ctx *x, struct buf *out)
{
	if (x->w->pane != NULL)
		(void)buf_addf(out, "%d", x->w->pane->w);
}

static void
var_pane_height(const struct scope_ctx *x, struct buf *out)
{
	if (x->w->pane != NULL)
		(void)buf_addf(out, "%d", x->w->pane->h);
}

static void
var_pane_pid(const struct scope_ctx *x, struct buf *out)
{
	if (x->w->pane != NULL)
		(void)buf_addf(out, "%lld", (long long)x->w->pane->pid);
}

static void
var_pane_tty(const struct scope_ctx *x, struct buf *out)
{
	if (x->w->pane != NULL && x->w->pane->tty != NULL)
		(void)buf_add_str(out, x->w->pane->tty);
}

static void
var_pane_current_command(const struct scope_ctx *x, struct buf *out)
{
	struct pane_io *io =
	    x->w->pane == NULL ? NULL : pane_io_find(x->sv, x->w->pane->id);
	char name[256];
	const char *base;

	if (io == NULL)
		return;
	pane_io_command(io, name, sizeof(name));
	base = strrchr(name, '/');
	base = base == NULL ? name : base + 1;
	(void)buf_add_str(out, *base == '-' ? base + 1 : base);
}

static void
var_pane_current_path(const struct scope_ctx *x, struct buf *out)
{
	struct pane_io *io =
	    x->w->pane == NULL ? NULL : pane_io_find(x->sv, x->w->pane->id);
	char path[4096];

	if (io == NULL || io->fd < 0)
		return;
	pty_foreground_cwd(io->fd, path, sizeof(path));
	(void)buf_add_str(out, path);
}

static void
var_client_name(const struct scope_ctx *x, struct buf *out)
{
	if (x->w->client != NULL)
		(void)buf_add_str(out, x->w->client->name);
}

static void
var_client_width(const struct scope_ctx *x, struct buf *out)
{
	if (x->w->client != NULL)
		(void)buf_addf(out, "%d", x->w->client->w);
}

static void
var_client_height(const struct scope_ctx *x, struct buf *out)
{
	if (x->w->client != NULL)
		(void)buf_addf(out, "%d", x->w->client->h);
}

static void
var_client_prefix(const struct scope_ctx *x, struct buf *out)
{
	if (x->w->client != NULL)
		(void)buf_addf(
		    out, "%d", (x->w->client->flags & CLIENT_PREFIX) != 0);
}

static void
var_host(UNUSED const struct scope_ctx *x, struct buf *out)
{
	struct utsname u;

	if (uname(&u) == 0)
		(void)buf_add_str(out, u.nodename);
}

static void
var_host_short(UNUSED const struct scope_ctx *x, struct buf *out)
{
	struct utsname u;

	if (uname(&u) == 0)
		(void)buf_add(out, u.nodename, strcspn(u.nodename, "."));
}

static void
var_pid(UNUSED const struct scope_ctx *x, struct buf *out)
{
	(void)buf_addf(out, "%ld", (long)getpid());
}

static void
var_version(UNUSED const struct scope_ctx *x, struct buf *out)
{
	(void)buf_add_str(out, SERVER_RELEASE);
}

static void
var_socket_path(const struct scope_ctx *x, struct buf *out)
{
	(void)buf_add_str(out, x->sv->socket_path);
}

static const struct scope_row {
	const char *name;
	scope_fn fn;
} scope_rows[] = {
#define ROW(name)   \
 {                  \
#  name, var_##name \
 }
	ROW(client_height),
	ROW(client_name),
	ROW(client_prefix),
	ROW(client_width),
	ROW(host),
	ROW(host_short),
	ROW(pane_active),
	ROW(pane_current_command),
	ROW(pane_current_path),
	ROW(pane_height),
	ROW(pane_id),
	ROW(pane_index),
	ROW(pane_pid),
	ROW(pane_title),
	ROW(pane_tty),
	ROW(pane_width),
	ROW(pid),
	ROW(session_attached),
	ROW(session_created),
	ROW(session_id),
	ROW(session_name),
	ROW(session_windows),
	ROW(socket_path),
	ROW(version),
	ROW(window_active),
	ROW(window_flags),
	{ "window_raw_flags", var_window_flags },
	ROW(window_height),
	ROW(window_id),
	ROW(window_index),
	ROW(window_layout),
	ROW(window_name),
	ROW(window_panes),
	ROW(window_width),
};

static bool
scope_variable(void *ctx, const char *name, struct buf *out)
{
	const struct scope_ctx *x = ctx;
	size_t i;

	for (i = 0; i < ARRAY_LEN(scope_rows); i++)
		if (strcmp(scope_rows[i].name, name) == 0) {
			scope_rows[i].fn(x, out);
			return true;
		}
	return false;
}

static bool
scope_option(void *ctx, const char *name, struct buf *out)
{
	const struct scope_ctx *x = ctx;
	struct option_name on;
	const struct options *o;
	char *text;

	if (option_match(name, &on, NULL) != 0)
		return false;
	if (on.row == NULL)
		o = x->w->pane != NULL ? &x->w->pane->options
				       : &x->sv->mux->session_options;
	else if (on.row->scope & OPT_SERVER)
		o = &x->sv->mux->server_options;
	else if (on.row->scope & OPT_SESSION)
		o = x->w->session != NULL ? &x->w->session->options
					  : &x->sv->mux->session_options;
	else
		o = x->w->pane != NULL ? &x->w->pane->options
				       : &x->sv->mux->window_options;
	text = options_text_new(o, &on);
	if (text == NULL && on.row == NULL && x->w->session != NULL)
		text = options_text_new(&x->w->session->options, &on);
	if (text == NULL && on.row == NULL)
		text = options_text_new(&x->sv->mux->server_options, &on);
	if (text == NULL)
		return false;
	(void)buf_add_str(out, text);
	mem_free(text);
	return true;
}

static const struct format_ops scope_ops;

static void
scope_loop(
    void *ctx, const struct format_loop *loop, format_item_fn each, void *arg)
{
	const struct scope_ctx *x = ctx;
	struct scope_where w = *x->w;
	struct scope_ctx inner = { x->sv, &w };
	struct format_item item = { .scope = { &scope_ops, &inner } };
	struct list_node *n;
	struct winlink *wl;
	struct pane *p;

	if (loop->kind == FORMAT_LOOP_WINDOWS && w.session != NULL) {
		SESSION_FOREACH_LINK(wl, n, w.session)
		{
			w.link = wl;
			w.pane = wl->window->active;
			item.current = wl == w.session->current;
			item.last = winlink_next(wl) == NULL;
			if (!each(arg, &item))
				return;
		}
	} else if (loop->kind == FORMAT_LOOP_PANES && w.link != NULL) {
		WINDOW_FOREACH_PANE(p, n, w.link->window)
		{
			w.pane = p;
			item.current = p == w.link->window->active;
			item.last =
			    list_next(&w.link->window->panes, n) == NULL;
			if (!each(arg, &item))
				return;
		}
	}
}

static void
scope_local_time(UNUSED void *ctx, int64_t t, struct tm *tm)
{
	time_t tt = (time_t)t;

	localtime_r(&tt, tm);
}

static bool
scope_environ(void *ctx, const char *name, struct buf *out)
{
	const struct scope_ctx *x = ctx;
	const char *v = NULL;

	if (x->w->session != NULL)
		v = environ_get(&x->w->session->environ, name);
	if (v == NULL)
		v = environ_get(&x->sv->mux->environ, name);
	if (v == NULL)
		return false;
	(void)buf_add_str(out, v);
	return true;
}

static const struct format_ops scope_ops = {
	.option = scope_option,
	.variable = scope_variable,
	.environ = scope_environ,
	.loop = scope_loop,
	.local_time = scope_local_time,
};

char *
scope_new(struct server *sv, const struct scope_where *where,
    const char *format, unsigned flags)
{
	struct scope_where w = *where;
	struct scope_ctx x = { sv, &w };
	struct timespec ts;
	struct format_args a = {
		.scope = { &scope_ops, &x },
		.widths = sv->graphemes,
		.vars = w.vars,
		.var_count = w.var_count,
		.flags = flags,
	};

	clock_gettime(CLOCK_REALTIME, &ts);
	a.now_ms = (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
	if (w.session == NULL && w.client != NULL)
		w.session = w.client->session;
	if (w.link == NULL && w.session != NULL)
		w.link = w.session->current;
	if (w.pane == NULL && w.link != NULL)
		w.pane = w.link->window->active;
	return format_expand_new(&a, format);
}

char *
scope_expand_new(struct server *sv, const struct cmd_state *st,
    struct client *c, const char *format, unsigned flags)
{
	struct scope_where w = { .client = c, .state = st };

	if (st != NULL) {
		w.session = mux_session(sv->mux, st->session);
		w.pane = mux_pane(sv->mux, st->pane);
	}
	return scope_new(sv, &w, format, flags);
}

char *
scope_expand_client_new(
    struct server *sv, struct client *c, const char *format, unsigned flags)
{
	struct scope_where w = { .client = c };

	return scope_new(sv, &w, format, flags);
}

char *
scope_expand_pane_new(struct server *sv, struct client *c, struct pane *p,
    const char *format, unsigned flags)
{
	struct scope_where w = { .client = c, .pane = p };

	return scope_new(sv, &w, format, flags);
}
