#include "server/face/people.h"

#include <string.h>

#include "base/mem.h"
#include "mux/client.h"
#include "mux/session.h"
#include "mux/window.h"
#include "server/face/role.h"
#include "server/face/viewer.h"

/* How long a name stands after its owner typed. */
#define PEOPLE_NAME_MS 2500
#define PEOPLE_NAME_MAX 16u  /* columns */
#define PEOPLE_MARKS_MAX 32u /* of others, for one client */

/* --- coming and going ------------------------------------------------------------ */

static void
people_say(struct viewers *vs, const struct client *c, const char *what)
{
	const struct session *s = c->session;
	struct list_node *n;
	struct viewer *vw;
	int64_t when;
	char *text;

	if (s == NULL || vs->run->exiting)
		return;
	when = options_number(&s->options, OPTION_JOIN_MESSAGES);
	if (when == JOIN_MESSAGES_OFF ||
	    (when == JOIN_MESSAGES_GUESTS && !c->guest))
		return;
	text = mem_printf("%s %s", c->name, what);
	LIST_FOREACH(n, &vs->list) {
		vw = container_of(n, struct viewer, node);
		if (vw->client != c && vw->client->session == s &&
		    !vw->detaching)
			viewer_message(vw,
			    (mono_ms)options_number(
				&s->options, OPTION_DISPLAY_TIME),
			    text);
	}
	mem_free(text);
}

void
people_joined(struct viewers *vs, const struct client *c)
{
	char *what = c->role == CLIENT_ADMIN ? mem_strdup("joined")
					     : mem_printf("joined to %s",
						   client_role_name(c->role));

	people_say(vs, c, what);
	mem_free(what);
}

void
people_left(struct viewers *vs, const struct client *c)
{
	people_say(vs, c, "left");
}

struct client *
people_next(const struct client *c)
{
	struct client *best = NULL, *o;
	const struct map_entry *e;

	MAP_FOREACH(e, &c->mux->clients) {
		o = e->value;
		if (o != c && o->session == c->session &&
		    (best == NULL || o->used > best->used))
			best = o;
	}
	return best;
}

/* --- cursors ------------------------------------------------------------------------ */

static bool
people_shown(const struct client *c)
{
	return c->session != NULL &&
	       options_flag(&c->session->options, OPTION_OTHER_CURSORS);
}

void
people_typed(struct viewer *vw)
{
	struct list_node *n;
	struct viewer *o;

	vw->typed_at = loop_now(vw->run->loop);
	LIST_FOREACH(n, &vw->all->list) {
		o = container_of(n, struct viewer, node);
		if (o != vw && people_shown(o->client) &&
		    client_link(o->client) != NULL &&
		    client_pane(vw->client) != NULL &&
		    client_link(o->client)->window ==
			client_pane(vw->client)->window)
			viewer_dirty(o);
	}
}

/* One colour for a client as long as it lives. */
static struct pen
people_pen(const struct client *c)
{
	static const uint8_t colours[] = { 33, 208, 133, 71, 167, 37, 178, 98 };
	struct pen pen = { 0 };

	pen.fg = colour_index(231);
	pen.bg = colour_index(colours[c->id % ARRAY_LEN(colours)]);
	return pen;
}

static void
add_text(struct viewer *vw, struct sync_view *v, uint64_t id, int x, int y,
    const char *text, unsigned cols, const struct client *c)
{
	struct pen pen = people_pen(c);
	struct vt_frame *f = vt_frame_new(cols, 1);

	f->state.modes &= ~(uint32_t)VT_FRAME_CURSOR_VISIBLE;
	vt_frame_fill(f, &(struct vt_rect){ 0, 0, cols, 1 }, &pen);
	(void)vt_frame_text(
	    f, vw->run->graphemes, 0, 0, cols, text, strlen(text), &pen);
	sync_view_add(v, id, SYNC_SURFACE_CURSOR, x, y, f);
	vt_frame_unref(f);
}

/* The name above the cursor at (X, Y), or below it in the first row. */
static void
add_name(struct viewer *vw, struct sync_view *v, uint64_t id, int x, int y,
    const struct pane *p, const struct client *c)
{
	unsigned cols = (unsigned)grapheme_text_width(
	    vw->run->graphemes, c->name, strlen(c->name));
	int top = vw->window_y + p->y, left = vw->window_x + p->x;

	cols = MIN_OF(MIN_OF(cols, PEOPLE_NAME_MAX), (unsigned)p->w);
	if (cols == 0 || p->h < 2)
		return;
	x = MIN_OF(x, left + p->w - (int)cols);
	add_text(vw, v, id, x, y > top ? y - 1 : y + 1, c->name, cols, c);
}

void
people_draw(
    struct viewer *vw, struct sync_view *v, struct window *w, uint64_t id)
{
	mono_ms now = loop_now(vw->run->loop), until;
	const struct pane *mine = client_pane(vw->client), *p;
	const struct pane *only = client_zoomed(vw->client);
	struct vt_term_cursor cursor;
	struct list_node *n;
	struct viewer *o;
	unsigned marks = 0;
	int x, y;

	vw->people_at = MONO_NEVER;
	if (!people_shown(vw->client))
		return;
	LIST_FOREACH(n, &vw->all->list) {
		o = container_of(n, struct viewer, node);
		p = client_pane(o->client);
		if (o == vw || p == NULL || p->window != w ||
		    (only != NULL && p != only) || !role_types(o->client) ||
		    marks >= PEOPLE_MARKS_MAX)
			continue;
		cursor = vt_term_cursor(p->term);
		x = vw->window_x + p->x + (int)cursor.x;
		y = vw->window_y + p->y + (int)cursor.y;
		/* Its first letter, if that is one cell wide. */
		if (p != mine)
			add_text(vw, v, id + marks++, x, y, o->client->name, 1,
			    o->client);
		until = mono_add(o->typed_at, PEOPLE_NAME_MS);
		if (o->typed_at == 0 || now >= until)
			continue;
		add_name(vw, v, id + marks++, x, y, p, o->client);
		vw->people_at = mono_min(vw->people_at, until);
	}
}
