#include "server/face/clipboard.h"

#include <string.h>

#include "base/buf.h"
#include "base/str.h"
#include "conf/option_table.h"
#include "mux/client.h"
#include "mux/mux.h"
#include "mux/paste.h"
#include "mux/session.h"
#include "mux/sync/input.h"
#include "mux/vt/effects.h"
#include "mux/window.h"
#include "server/face/message.h"
#include "server/face/viewer.h"
#include "server/io/pane_input.h"
#include "server/io/pane_io.h"
#include "server/run/run.h"

/* Makes "SELECTION;base64"; -ERR_LIMIT if that is too long for an effect. */
static int
clipboard_text(struct buf *b, const char *selection, const void *p, size_t n)
{
	buf_init(b, SYNC_EFFECT_DATA_MAX);
	(void)buf_addf(b, "%s;", selection == NULL ? "" : selection);
	(void)str_base64_encode(b, p, n);
	return b->overflow ? -ERR_LIMIT : 0;
}

static void
clipboard_give(struct viewer *vw, int r, const struct buf *text)
{
	/* security: a guest's clipboard is never read or written. */
	if (vw->client->guest)
		return;
	if (r == 0)
		viewer_effect(vw, SYNC_EFFECT_CLIPBOARD, text->data, text->len);
	else
		message_show(vw, 0,
		    /* SYNC_EFFECT_DATA_MAX, as base64. */
		    "the text is too large for the terminal's clipboard: "
		    "671 KiB at most");
}

void
clipboard_set(struct viewer *vw, const char *selection, const void *p, size_t n)
{
	struct buf b;
	int r = clipboard_text(&b, selection, p, n);

	clipboard_give(vw, r, &b);
	buf_fini(&b);
}

/* By the option notify, a hidden window's program counts, too. */
static bool
clipboard_of(const struct client *c, const struct window *w)
{
	const struct winlink *wl = client_link(c);

	if (wl == NULL)
		return false;
	return wl->window == w ||
	       (options_number(&w->options, OPTION_NOTIFY) == NOTIFY_ANY &&
		   session_link_to(c->session, w) != NULL);
}

void
clipboard_set_window(struct viewers *vs, const struct window *w,
    const char *selection, const void *p, size_t n)
{
	struct list_node *node;
	struct viewer *vw;
	struct buf b;
	int r = clipboard_text(&b, selection, p, n);

	LIST_FOREACH(node, &vs->list) {
		vw = container_of(node, struct viewer, node);
		if (clipboard_of(vw->client, w))
			clipboard_give(vw, r, &b);
	}
	buf_fini(&b);
}

/* Writes "ESC ] 52 ; TEXT" and its terminator to the program in P. */
static void
clipboard_tell(
    struct viewers *vs, struct pane *p, const char *text, size_t n, bool bell)
{
	struct buf b;

	buf_init(&b, PANE_INPUT_MAX);
	(void)buf_add_str(&b, "\033]52;");
	(void)buf_add(&b, text, n);
	(void)buf_add_str(&b, bell ? "\a" : "\033\\");
	if (!b.overflow)
		(void)pane_input_bytes(vs->panes, p, b.data, b.len);
	buf_fini(&b);
}

static void
clipboard_tell_buffer(
    struct viewers *vs, struct pane *p, const char *selection, bool bell)
{
	const struct paste_buffer *top = paste_top(vs->run->mux->paste);
	struct buf b;

	buf_init(&b, PANE_INPUT_MAX);
	(void)buf_addf(&b, "%s;", selection);
	if (top != NULL)
		(void)str_base64_encode(&b, top->data, top->size);
	if (!b.overflow)
		clipboard_tell(vs, p, (const char *)b.data, b.len, bell);
	buf_fini(&b);
}

/*
 * The client whose terminal is queried for a program in P: of the clients that
 * show P's window and support the clipboard, the last active one.
 */
static struct viewer *
clipboard_viewer(struct viewers *vs, const struct pane *p)
{
	struct viewer *vw, *best = NULL;
	struct list_node *n;

	LIST_FOREACH(n, &vs->list) {
		vw = container_of(n, struct viewer, node);
		/* security: never read a guest's clipboard. */
		if (vw->client->role != CLIENT_ADMIN ||
		    client_link(vw->client) == NULL ||
		    client_link(vw->client)->window != p->window ||
		    vw->client->term_features == NULL ||
		    strstr(vw->client->term_features, "clipboard") == NULL)
			continue;
		if (best == NULL ||
		    vw->client->activity > best->client->activity)
			best = vw;
	}
	return best;
}

/* Drops the queries that have timed out. */
static void
clipboard_expire(struct clipboard_asks *a, mono_ms now)
{
	size_t i, kept = 0;

	for (i = 0; i < a->count; i++)
		if (now < a->panes[i].until)
			a->panes[kept++] = a->panes[i];
	a->count = kept;
	if (now >= a->buffer_until)
		a->buffer_until = 0;
}

static void
clipboard_query(struct viewer *vw, const char *selection)
{
	viewer_effect(
	    vw, SYNC_EFFECT_CLIPBOARD_QUERY, selection, strlen(selection));
}

void
clipboard_asked(struct viewers *vs, struct pane *p, const struct vt_effect *e)
{
	int64_t from =
	    options_number(&vs->run->mux->server_options, OPTION_GET_CLIPBOARD);
	const char *selection = e->data2 == NULL ? "" : e->data2;
	struct viewer *vw = clipboard_viewer(vs, p);
	mono_ms now = loop_now(vs->run->loop);
	struct clipboard_asks *a;

	if (from == GET_CLIPBOARD_BUFFER ||
	    (from == GET_CLIPBOARD_BOTH && vw == NULL))
		clipboard_tell_buffer(vs, p, selection, e->b != 0);
	if (from < GET_CLIPBOARD_REQUEST || vw == NULL)
		return;
	a = &vw->clipboard;
	clipboard_expire(a, now);
	if (a->count == CLIPBOARD_ASKS)
		return;
	a->panes[a->count].pane = p->id;
	a->panes[a->count].bell = e->b != 0;
	a->panes[a->count].until = mono_add(now, CLIPBOARD_MS);
	a->count++;
	clipboard_query(vw, *selection == '\0' ? "c" : selection);
}

void
clipboard_fetch(struct viewer *vw)
{
	vw->clipboard.buffer_until =
	    mono_add(loop_now(vw->run->loop), CLIPBOARD_MS);
	clipboard_query(vw, "c");
}

/* Stores the base64 text behind the selection's name in a paste buffer. */
static void
clipboard_keep(struct viewer *vw, const char *text, size_t n)
{
	const char *data = memchr(text, ';', n);
	struct buf b;

	if (data == NULL)
		return;
	data++;
	buf_init(&b, SYNC_EVENT_DATA_MAX);
	if (str_base64_decode(&b, data, (size_t)(text + n - data)) == 0 &&
	    b.len > 0)
		(void)paste_add(vw->run->mux->paste, NULL, b.data, b.len);
	buf_fini(&b);
	run_drain(vw->run);
}

void
clipboard_answered(struct viewer *vw, const void *data, size_t n)
{
	struct clipboard_asks *a = &vw->clipboard;
	struct pane *p;
	size_t i;

	clipboard_expire(a, loop_now(vw->run->loop));
	if (a->count == 0 && a->buffer_until == 0)
		return;
	/* The client cuts longer answers to this size. */
	if (n >= SYNC_EVENT_DATA_MAX) {
		message_show(vw, 0,
		    "the terminal's clipboard is too large: 48 KiB at most");
		n = 0;
	}
	for (i = 0; n > 0 && i < a->count; i++) {
		p = mux_pane(vw->run->mux, a->panes[i].pane);
		if (p != NULL)
			clipboard_tell(vw->all, p, data, n, a->panes[i].bell);
	}
	if (n > 0 && a->buffer_until != 0)
		clipboard_keep(vw, data, n);
	a->count = 0;
	a->buffer_until = 0;
}
