#include "server/core/effects.h"

#include "base/str.h"
#include "mux/alert.h"
#include "mux/client.h"
#include "mux/mux.h"
#include "mux/paste.h"
#include "mux/session.h"
#include "mux/window.h"
#include "server/core/server.h"
#include "server/face/clipboard.h"
#include "server/face/notices.h"
#include "server/io/pane_io.h"

static void
effect_clipboard(struct server *sv, struct pane *p, const struct vt_effect *e)
{
	/*
	 * Programs may set the clipboard only with on: external admits
	 * commands.
	 */
	if (options_number(&sv->run.mux->server_options,
		OPTION_SET_CLIPBOARD) != SET_CLIPBOARD_ON)
		return;
	if (e->len > 0)
		(void)paste_add(sv->run.mux->paste, NULL, e->data, e->len);
	mux_say(
	    sv->run.mux, MUX_EVENT_PANE_CLIPBOARD, NULL, p->window, p, NULL);
	clipboard_set_window(
	    &sv->viewers, p->window, e->data2, e->data, e->len);
}

static void
effect_to_viewers(struct server *sv, struct pane *p, enum sync_effect_kind kind,
    const void *data, size_t n)
{
	struct list_node *node;
	struct viewer *vw;

	LIST_FOREACH(node, &sv->viewers.list) {
		vw = container_of(node, struct viewer, node);
		if (!vw->client->guest && client_link(vw->client) != NULL &&
		    client_link(vw->client)->window == p->window)
			viewer_effect(vw, kind, data, n);
	}
}

static void
effect_bell(struct server *sv, struct pane *p, UNUSED const struct vt_effect *e)
{
	alert_bell(p);
	notices_bell(&sv->viewers, p);
	(void)alert_run(sv->run.mux);
}

static void
effect_title(
    UNUSED struct server *sv, struct pane *p, const struct vt_effect *e)
{
	if (options_flag(&p->options, OPTION_ALLOW_SET_TITLE))
		pane_set_title(p, e->data == NULL ? "" : e->data);
}

/* allow-rename: an empty name turns automatic-rename on again. */
static void
effect_name(struct server *sv, struct pane *p, const struct vt_effect *e)
{
	const char *name = e->data == NULL ? "" : e->data;
	struct option_name automatic;
	struct window *w = p->window;

	if (!options_flag(&p->options, OPTION_ALLOW_RENAME) ||
	    option_match("automatic-rename", &automatic, NULL) != 0)
		return;
	if (*name != '\0') {
		(void)options_set_text(
		    &w->options, "automatic-rename", "off", NULL);
		window_set_foreign_name(w, name);
		return;
	}
	options_unset(&w->options, &automatic);
	if (!options_flag(&w->options, OPTION_AUTOMATIC_RENAME))
		window_set_name(w, name);
	pane_io_look(&sv->panes, w->active->id, false);
}

static void
effect_user_var(
    UNUSED struct server *sv, struct pane *p, const struct vt_effect *e)
{
	pane_set_user_var(p, e->data2, e->data);
}

static void
effect_notify(struct server *sv, struct pane *p, const struct vt_effect *e)
{
	notices_said(&sv->viewers, p, e);
}

static void
effect_notify_kitty(
    struct server *sv, struct pane *p, const struct vt_effect *e)
{
	notices_kitty(&sv->viewers, p, e);
}

static void
effect_progress(struct server *sv, struct pane *p, const struct vt_effect *e)
{
	notices_progress(&sv->viewers, p, e);
}

static void
effect_passthrough(struct server *sv, struct pane *p, const struct vt_effect *e)
{
	if (options_number(&p->options, OPTION_ALLOW_PASSTHROUGH) !=
	    ALLOW_PASSTHROUGH_OFF)
		effect_to_viewers(
		    sv, p, SYNC_EFFECT_PASSTHROUGH, e->data, e->len);
}

static void
effect_prompt(
    UNUSED struct server *sv, struct pane *p, const struct vt_effect *e)
{
	if (e->a >= 'A' && e->a <= 'D')
		pane_shell_mark(p, (char)e->a, e->b, e->data);
}

/* Formats may name pane_nested. */
static void
effect_nested(
    struct server *sv, UNUSED struct pane *p, UNUSED const struct vt_effect *e)
{
	viewers_redraw_status(&sv->viewers, NULL);
}

static void
effect_clipboard_get(
    struct server *sv, struct pane *p, const struct vt_effect *e)
{
	clipboard_asked(&sv->viewers, p, e);
}

static const struct effect_row {
	enum vt_effect_kind kind;
	void (*fn)(
	    struct server *sv, struct pane *p, const struct vt_effect *e);
} effect_rows[] = {
	{ VT_EFFECT_BELL, effect_bell },
	{ VT_EFFECT_TITLE, effect_title },
	{ VT_EFFECT_NAME, effect_name },
	{ VT_EFFECT_USER_VAR, effect_user_var },
	{ VT_EFFECT_CLIPBOARD_SET, effect_clipboard },
	{ VT_EFFECT_CLIPBOARD_GET, effect_clipboard_get },
	{ VT_EFFECT_NOTIFY, effect_notify },
	{ VT_EFFECT_NOTIFY_KITTY, effect_notify_kitty },
	{ VT_EFFECT_PROGRESS, effect_progress },
	{ VT_EFFECT_PASSTHROUGH, effect_passthrough },
	{ VT_EFFECT_PROMPT, effect_prompt },
	{ VT_EFFECT_NESTED, effect_nested },
};

void
effects_pane(void *arg, uint32_t id, const struct vt_effect *e)
{
	struct server *sv = arg;
	struct pane *p = mux_pane(sv->run.mux, id);
	size_t i;

	if (p == NULL)
		return;
	for (i = 0; i < ARRAY_LEN(effect_rows); i++)
		if (effect_rows[i].kind == e->kind)
			effect_rows[i].fn(sv, p, e);
}
