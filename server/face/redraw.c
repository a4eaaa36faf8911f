#include "server/face/redraw.h"

#include "base/io/pty.h"
#include "mux/client.h"
#include "mux/pane.h"
#include "server/face/ask.h"
#include "server/face/pasting.h"
#include "server/face/pick.h"
#include "server/face/replay.h"
#include "server/face/viewer.h"
#include "server/face/window_keys.h"
#include "server/io/pane_io.h"
#include "server/io/scope.h"
#include "server/run/run.h"

/* --- calls of the builder ----------------------------------------------------- */

static char *
redraw_expand(void *arg, struct client *c, struct pane *p,
    const struct format_var *vars, size_t nvars, const char *format,
    unsigned flags)
{
	struct viewer *vw = arg;
	const struct scope_where where = {
		.user_option = &vw->builder.user_options,
		.idle = vw->pretends,
		.client = c,
		.pane = p,
		.vars = vars,
		.var_count = nvars,
	};

	return scope_new(vw->all->scope, &where, format, flags);
}

/* Only remote clients predict and need the modes of the pty. */
static bool
redraw_tty(void *arg, const struct pane *p, uint32_t *bits)
{
	const struct viewer *vw = arg;
	struct pane_io *io;
	struct pty_modes m;

	*bits = 0;
	if (!vw->link->ops->far)
		return false;
	io = pane_io_find(vw->all->panes, p->id);
	if (io == NULL || !pane_io_modes(io, &m))
		return false;
	*bits = (m.echo ? VT_FRAME_ECHO : 0) |
		(m.canonical ? VT_FRAME_CANONICAL : 0);
	return true;
}

static struct vt_frame **
redraw_frames(void *arg, const struct pane *p)
{
	const struct viewer *vw = arg;
	struct pane_io *io = pane_io_find(vw->all->panes, p->id);

	return io == NULL ? NULL : io->frames;
}

static void
redraw_overlays(void *arg, struct view_builder *b, struct sync_view *v,
    enum view_layer layer)
{
	struct viewer *vw = arg;

	if (!overlays_none(&vw->overlays))
		overlays_draw(&vw->overlays, b, v, layer);
}

const struct view_host redraw_host = {
	.expand = redraw_expand,
	.tty = redraw_tty,
	.frames = redraw_frames,
	.local_time = scope_local_time,
	.overlays = redraw_overlays,
};

/* --- the view ----------------------------------------------------------------- */

/* The focused program's frame, for echo acks; NULL if none has the focus. */
static struct vt_frame *
focus_frame(const struct viewer *vw, const struct sync_view *v)
{
	const struct sync_surface *sf = sync_view_find(v, v->focus);
	const struct pane *p = client_pane(vw->client);

	if (sf == NULL || sf->kind != SYNC_SURFACE_PANE || p == NULL ||
	    pane_mode(p) != NULL)
		return NULL;
	return sf->frame;
}

/* The echo ack to send with V. */
static uint64_t
view_echo(struct viewer *vw, const struct sync_view *v)
{
	if (vw->link->ops->far)
		(void)echo_look(&vw->echo, loop_now(vw->run->loop), v->focus,
		    focus_frame(vw, v));
	return vw->echo.ack;
}

void
redraw_view(struct viewer *vw)
{
	struct sync_view *v;

	run_set_now(vw->run);
	keys_ask(vw);
	v = view_build(&vw->builder, loop_now(vw->run->loop));
	if (v == NULL && vw->guest.waits)
		v = ask_view(vw);
	if (v == NULL)
		return;
	if (vw->guest.spent)
		v->tty.flags |= SYNC_TTY_SPENT;
	v->nkeys = 0;
	if (vw->link->ops->far && vw->client->session != NULL) {
		v->nkeys = keys_taken(vw, v->keys, ARRAY_LEN(v->keys));
		replay_add(vw, v);
		window_keys_add(vw, v);
		pick_add(vw, v);
	}
	v->echo_ack = view_echo(vw, v);
	v->pasted = pasting_done(vw);
}
