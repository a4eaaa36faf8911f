/* Which clients decide the size of a window, and what a client shows of it. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "mux/client.h"
#include "mux/session.h"

struct client *
client_best(const struct mux *m, const struct session *s)
{
	struct client *best = NULL, *c;
	const struct map_entry *e;

	MAP_FOREACH(e, &m->clients) {
		c = e->value;
		if (c->session == NULL || (s != NULL && c->session != s))
			continue;
		/* Guests come last. */
		if (best == NULL || best->guest > c->guest ||
		    (best->guest == c->guest && c->used > best->used))
			best = c;
	}
	return best;
}

/* Returns the number of status lines of a session (0 to 5). */
static int
status_lines(const struct options *o)
{
	/* The value of each choice is its number of rows. */
	return (int)CLAMP(
	    options_number(o, OPTION_STATUS), STATUS_OFF, STATUS_5);
}

/* Divides a terminal of W by H for N lines of status. */
static enum client_side
divide(const struct options *o, int n, int w, int h, struct cell_rect *status,
    struct cell_rect *window)
{
	static const enum client_side sides[] = {
		[STATUS_POSITION_TOP] = CLIENT_TOP,
		[STATUS_POSITION_BOTTOM] = CLIENT_BOTTOM,
		[STATUS_POSITION_LEFT] = CLIENT_LEFT,
		[STATUS_POSITION_RIGHT] = CLIENT_RIGHT,
	};
	enum client_side side =
	    sides[options_number(o, OPTION_STATUS_POSITION)];

	*status = *window = (struct cell_rect){ 0, 0, w, h };
	if (side == CLIENT_LEFT || side == CLIENT_RIGHT) {
		/* The window keeps half of a narrow client. */
		n = n == 0 ? 0
			   : (int)MIN_OF(
				 options_number(o, OPTION_STATUS_COLUMN_WIDTH),
				 w / 2);
		status->w = n;
		window->w -= n;
		*(side == CLIENT_LEFT ? &window->x : &status->x) +=
		    side == CLIENT_LEFT ? n : window->w;
	} else {
		n = MIN_OF(n, MAX_OF(h, 0));
		status->h = n;
		window->h -= n;
		*(side == CLIENT_TOP ? &window->y : &status->y) +=
		    side == CLIENT_TOP ? n : window->h;
	}
	return side;
}

enum client_side
client_status(
    const struct client *c, struct cell_rect *status, struct cell_rect *window)
{
	const struct options *o = &c->session->options;

	return divide(o, c->flags & CLIENT_CONTROL ? 0 : status_lines(o), c->w,
	    c->h, status, window);
}

void
client_new_session_size(const struct mux *m, int *w, int *h)
{
	const struct options *o = &m->session_options;
	struct cell_rect status, window;

	(void)divide(o, status_lines(o), *w, *h, &status, &window);
	*w = window.w;
	*h = MAX_OF(window.h, 1);
}

/* Gets the columns and rows of a client that a window may fill. */
static void
window_area(const struct client *c, int *w, int *h)
{
	struct cell_rect status, window;

	(void)client_status(c, &status, &window);
	*w = window.w;
	*h = MAX_OF(window.h, 1);
}

/* Tells whether a client's size counts at all. */
static bool
counts(const struct client *c)
{
	const struct map_entry *e;
	const struct client *o;

	if (c->session == NULL || c->guest || (c->flags & CLIENT_SUSPENDED))
		return false;
	/* Before its first size, a client must not fit windows to a default. */
	if (!(c->flags & CLIENT_SIZE_SET) && c->window_count == 0)
		return false;
	if (!(c->flags & CLIENT_IGNORE_SIZE))
		return true;
	/* Clients that ignore sizes count if there are no others. */
	MAP_FOREACH(e, &c->mux->clients) {
		o = e->value;
		if (o->session != NULL && !(o->flags & CLIENT_IGNORE_SIZE))
			return false;
	}
	return true;
}

/* Tells whether C decides about the size of W. */
static bool
shows(const struct client *c, const struct window *w, bool current)
{
	if (current)
		return c->session->current != NULL &&
		       c->session->current->window == w;
	return session_link_to(c->session, w) != NULL;
}

static const struct client_window *
own_size(const struct client *c, uint32_t window)
{
	size_t i;

	for (i = 0; i < c->window_count; i++)
		if (c->windows[i].window == window)
			return &c->windows[i];
	return NULL;
}

struct size_query {
	const struct window *w;  /* or NULL */
	const struct session *s; /* of a new window, or NULL */
	int64_t policy;          /* WINDOW_SIZE_... */
	bool current;
	uint32_t latest; /* client that decides under WINDOW_SIZE_LATEST */
	const struct client *also; /* decides wherever it is, or NULL */
	const struct client *who;  /* result: used last of those who decide */
};

static bool
decides(const struct size_query *q, const struct client *c)
{
	if (!counts(c))
		return false;
	if (c == q->also)
		return true;
	if (q->w != NULL)
		return shows(c, q->w, q->current);
	return q->s == NULL || c->session == q->s;
}

/* Combines one client's size with W and H. */
static void
take_size(
    struct size_query *q, const struct client *c, bool first, int *w, int *h)
{
	const struct client_window *own =
	    q->w == NULL ? NULL : own_size(c, q->w->id);
	int cw, ch;

	if (q->who == NULL || q->who->used < c->used)
		q->who = c;
	window_area(c, &cw, &ch);
	if (own != NULL) {
		cw = MIN_OF(cw, own->w);
		ch = MAX_OF(MIN_OF(ch, own->h), 1);
	}
	if (first) {
		*w = cw;
		*h = ch;
	} else if (q->policy == WINDOW_SIZE_LARGEST) {
		*w = MAX_OF(*w, cw);
		*h = MAX_OF(*h, ch);
	} else {
		*w = MIN_OF(*w, cw);
		*h = MIN_OF(*h, ch);
	}
}

/* Computes the size by the clients; returns false if none decides. */
static bool
size_of(const struct mux *m, struct size_query *q, int *w, int *h)
{
	const struct map_entry *e;
	const struct client *c;
	size_t count = 0;

	/* One client decides; do not look at the others. */
	if ((q->policy == WINDOW_SIZE_LATEST ||
		q->policy == WINDOW_SIZE_MANUAL) &&
	    (c = mux_client(m, q->latest)) != NULL && decides(q, c)) {
		take_size(q, c, true, w, h);
		return true;
	}
	MAP_FOREACH(e, &m->clients) {
		c = e->value;
		if (!decides(q, c))
			continue;
		take_size(q, c, count == 0, w, h);
		count++;
	}
	/* As in tmux, of several clients none decides before it is used there. */
	if (count > 1 && q->w != NULL && q->policy == WINDOW_SIZE_LATEST)
		return false;
	return count > 0;
}

void
client_fit_window(struct window *w)
{
	struct size_query q = { .w = w, .latest = w->latest };
	int cols = w->w, rows = w->h;
	bool found;

	q.policy = options_number(&w->options, OPTION_WINDOW_SIZE);
	q.current = options_flag(&w->options, OPTION_AGGRESSIVE_RESIZE);
	found = size_of(w->mux, &q, &cols, &rows);
	/* A window that no client shows keeps the cells and colours. */
	if (q.who != NULL)
		window_set_outer(w, &q.who->outer);
	if (q.policy == WINDOW_SIZE_MANUAL) {
		cols = w->manual_w;
		rows = w->manual_h;
	} else if (!found)
		return;
	if (cols != w->w || rows != w->h)
		window_resize(w, cols, rows);
}

void
client_fit_windows(struct mux *m)
{
	struct map_entry *e;

	MAP_FOREACH(e, &m->windows) {
		struct window *w = e->value;

		if (w->active != NULL)
			client_fit_window(w);
	}
}

bool
client_window_limit(
    const struct window *w, bool largest, int *width, int *height)
{
	struct size_query q = { .w = w,
		.policy =
		    largest ? WINDOW_SIZE_LARGEST : WINDOW_SIZE_SMALLEST };

	return size_of(w->mux, &q, width, height);
}

/* Parses "80x24". */
static bool
parse_size(const char *text, int *w, int *h)
{
	char *end;
	long a = strtol(text, &end, 10), b;

	if (end == text || *end != 'x')
		return false;
	text = end + 1;
	b = strtol(text, &end, 10);
	if (end == text || *end != '\0' || a < 1 || b < 1)
		return false;
	*w = (int)MIN_OF(a, LAYOUT_SIZE_MAX);
	*h = (int)MIN_OF(b, LAYOUT_SIZE_MAX);
	return true;
}

void
client_new_window_size(const struct mux *m, const struct session *s,
    const struct client *c, int *w, int *h)
{
	struct size_query q = { .s = s, .latest = MUX_NONE };
	const struct options *o = s == NULL ? &m->session_options : &s->options;

	q.policy = options_number(&m->window_options, OPTION_WINDOW_SIZE);
	if (q.policy == WINDOW_SIZE_LATEST && c != NULL && c->session != NULL &&
	    counts(c)) {
		window_area(c, w, h);
		return;
	}
	q.also = c;
	if (c != NULL)
		q.latest = c->id;
	if (q.policy != WINDOW_SIZE_MANUAL && s != NULL) {
		struct client *best = client_best(m, s);

		if (q.latest == MUX_NONE && best != NULL)
			q.latest = best->id;
		if (size_of(m, &q, w, h))
			return;
	}
	if (!parse_size(options_string(o, OPTION_DEFAULT_SIZE), w, h)) {
		*w = 80;
		*h = 24;
	}
}

int
client_set_window_size(struct client *c, uint32_t window, int w, int h)
{
	size_t i;

	for (i = 0; i < c->window_count; i++)
		if (c->windows[i].window == window)
			break;
	if (w <= 0) {
		if (i < c->window_count)
			c->windows[i] = c->windows[--c->window_count];
	} else {
		if (i == c->window_count) {
			if (i >= CLIENT_WINDOWS_MAX)
				return -ERR_LIMIT;
			c->windows =
			    mem_resize(c->windows, i + 1, sizeof(*c->windows));
			c->window_count++;
		}
		c->windows[i] = (struct client_window){ window,
			CLAMP(w, 1, LAYOUT_SIZE_MAX),
			CLAMP(h, 1, LAYOUT_SIZE_MAX) };
	}
	client_fit_windows(c->mux);
	return 0;
}

/* --- visible part of a window ------------------------------------------------- */

bool
client_view(const struct client *c, struct cell_rect *out)
{
	const struct winlink *wl = client_link(c);
	struct cell_rect all = { 0 };
	const struct pane *p = client_zoomed(c);
	int cols, rows, x, y;
	struct vt_term_cursor cursor;

	*out = all;
	if (wl == NULL)
		return false;
	all.w = wl->window->w;
	all.h = wl->window->h;
	if (p != NULL)
		all = (struct cell_rect){ p->x, p->y, p->w, p->h };
	window_area(c, &cols, &rows);
	*out = all;
	out->w = MIN_OF(cols, all.w);
	out->h = MIN_OF(rows, all.h);
	if (all.w <= cols && all.h <= rows)
		return false;
	if (c->pan_window == (int)wl->window->id) {
		x = c->pan_x - all.x;
		y = c->pan_y - all.y;
	} else {
		/*
		 * Show the window's start if the cursor fits there, else centre
		 * on the cursor.
		 */
		p = client_pane(c);
		cursor = vt_term_cursor(p->term);
		x = p->x - all.x + (int)cursor.x;
		y = p->y - all.y + (int)cursor.y;
		x = x < cols           ? 0
		    : x > all.w - cols ? all.w - cols
				       : x - cols / 2;
		y = y < rows           ? 0
		    : y > all.h - rows ? all.h - rows
				       : y - rows / 2;
	}
	out->x = all.x + CLAMP(x, 0, all.w - out->w);
	out->y = all.y + CLAMP(y, 0, all.h - out->h);
	return true;
}

void
client_pan(struct client *c, int dx, int dy)
{
	struct cell_rect r;

	if (!client_view(c, &r))
		return;
	c->pan_window = (int)client_link(c)->window->id;
	c->pan_x = r.x + CLAMP(dx, -LAYOUT_SIZE_MAX, LAYOUT_SIZE_MAX);
	c->pan_y = r.y + CLAMP(dy, -LAYOUT_SIZE_MAX, LAYOUT_SIZE_MAX);
	(void)client_view(c, &r);
	c->pan_x = r.x;
	c->pan_y = r.y;
}

void
client_pan_reset(struct client *c)
{
	c->pan_window = -1;
	c->pan_x = c->pan_y = 0;
}
