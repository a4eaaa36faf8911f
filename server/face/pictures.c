#include "server/face/pictures.h"

#include "base/mem.h"
#include "base/str.h"
#include "mux/client.h"
#include "mux/mode/mode.h"
#include "mux/pretend.h"
#include "mux/sync/window.h"
#include "mux/window.h"
#include "server/face/role.h"
#include "server/face/viewer.h"
#include "server/face/window_keys.h"
#include "server/io/mirror.h"
#include "ssp/compress.h"
#include "ssp/transport.h"

/* A message takes further pictures up to this many bytes, uncompressed. */
#define PICTURES_GATHER 8192

/* A window that did not change for so long is likely to stay so. */
#define PICTURES_STILL_MS 2000

struct picture {
	uint32_t session;
	uint32_t window;
	struct sync_view *sent; /* NULL: nothing */
	size_t bytes;           /* of SENT, serialised */
	uint64_t sent_stamp;
	uint64_t seen_stamp; /* when it was last looked at */
	mono_ms seen_at;     /* since when it has SEEN_STAMP */
	mono_ms pause;       /* before the next change is sent */
	mono_ms next;        /* end of the pause */
	bool used;           /* among the windows that are wanted now */
};

struct pictures {
	struct viewer *vw;
	uint32_t wanted;             /* bytes of all pictures; 0: none */
	mono_ms began;               /* when it asked */
	const struct winlink *shown; /* at the last look; only compared */
	mono_ms look_at;
	mono_ms credit_at;
	int64_t credit; /* bytes that changes may cost */
	size_t changed; /* bytes of changes in the next message, uncompressed */
	unsigned n;
	struct picture all[SYNC_WINDOWS_MAX];
};

struct pictures *
pictures_new(struct viewer *vw)
{
	struct pictures *ps = mem_zalloc(sizeof(*ps));

	ps->vw = vw;
	ps->credit = PICTURES_BURST;
	return ps;
}

static void
drop(struct pictures *ps, unsigned i)
{
	sync_view_free(ps->all[i].sent);
	ps->all[i] = ps->all[--ps->n];
}

void
pictures_free(struct pictures *ps)
{
	if (ps == NULL)
		return;
	while (ps->n > 0)
		drop(ps, 0);
	mem_free(ps);
}

bool
pictures_message(struct pictures *ps, const uint8_t *p, size_t n)
{
	uint32_t bytes;
	struct rd r;

	if (n == 0 || p[0] != SYNC_WINDOW_WANT)
		return false;
	rd_init(&r, p, n);
	if (sync_window_get_want(&r, &bytes) != 0)
		return true;
	while (ps->n > 0)
		drop(ps, 0);
	ps->wanted = bytes;
	ps->look_at = 0;
	ps->began = loop_now(ps->vw->run->loop);
	return true;
}

bool
pictures_wanted(const struct pictures *ps)
{
	const struct client *c;

	if (ps == NULL || ps->wanted == 0)
		return false;
	c = ps->vw->client;
	/* security: who cannot change the window gets no other one. */
	return c->session != NULL && role_prompts(c) && !c->guest &&
	       (c->flags & CLIENT_READONLY) == 0 && c->follow == MUX_NONE &&
	       options_number(&c->mux->server_options, OPTION_MIRROR_WINDOWS) >
		   0;
}

/* --- which windows ------------------------------------------------------------- */

struct choice {
	unsigned n;
	unsigned max;
	struct winlink *links[SYNC_WINDOWS_MAX];
};

static void
choose(const struct client *c, struct choice *ch, struct winlink *wl)
{
	unsigned i;

	if (wl == NULL || ch->n == ch->max || wl == client_link(c))
		return;
	for (i = 0; i < ch->n; i++)
		if (ch->links[i] == wl)
			return;
	ch->links[ch->n++] = wl;
}

/* Those that one key shows come first, then those used last. */
static void
choose_all(const struct client *c, struct choice *ch)
{
	struct session *s = c->session, *o;
	const struct map_entry *e;
	struct list_node *n;
	struct winlink *wl;

	ch->n = 0;
	ch->max = (unsigned)MIN_OF(
	    options_number(&c->mux->server_options, OPTION_MIRROR_WINDOWS),
	    (int64_t)SYNC_WINDOWS_MAX);
	choose(c, ch, session_last_link(s));
	choose(c, ch, winlink_step(s->current, 1));
	choose(c, ch, winlink_step(s->current, -1));
	if ((o = mux_session(c->mux, c->last_session)) != NULL)
		choose(c, ch, o->current);
	LIST_FOREACH(n, &s->last_links)
		choose(c, ch, container_of(n, struct winlink, last_node));
	SESSION_FOREACH_LINK(wl, n, s)
	choose(c, ch, wl);
	MAP_FOREACH(e, &c->mux->sessions) {
		o = e->value;
		choose(c, ch, o->current);
	}
}

static struct picture *
find(struct pictures *ps, uint32_t session, uint32_t window)
{
	unsigned i;

	for (i = 0; i < ps->n; i++)
		if (ps->all[i].session == session &&
		    ps->all[i].window == window)
			return &ps->all[i];
	return NULL;
}

/*
 * Returns whether WL, which the client seems to show, keeps its size when it is
 * shown: the client's, or that of the window W that is shown.
 */
static bool
keeps_size(
    const struct client *c, const struct winlink *wl, const struct window *w)
{
	const struct window *o = wl->window;
	struct cell_rect status, area;

	(void)client_status(c, &status, &area);
	return (o->w == area.w && o->h == area.h) ||
	       (o->w == w->w && o->h == w->h);
}

/* --- pictures ------------------------------------------------------------------- */

/* Returns a number that changes with the picture of a window. */
static uint64_t
stamp_of(const struct viewer *vw, const struct window *w)
{
	const struct vt_frame *status = vw->builder.status;
	uint64_t n[8], h = str_hash(w->name, strlen(w->name), w->id);
	const struct list_node *i;
	const struct pane *p;
	const struct mode *m;
	unsigned y;

	for (y = 0; status != NULL && y < status->rows; y++) {
		n[0] = vt_line_hash(status->lines[y]);
		h = str_hash(n, sizeof(n[0]), h);
	}
	WINDOW_FOREACH_PANE(p, i, w)
	{
		m = mode_top(p);
		n[0] = p->id;
		n[1] = vt_term_version(p->term);
		n[2] = m == NULL ? 0 : m->version;
		n[3] = (uint64_t)p->x << 32 | (uint32_t)p->y;
		n[4] = (uint64_t)p->w << 32 | (uint32_t)p->h;
		n[5] = p == w->active;
		n[6] = (uint64_t)vw->client->w << 32 | (uint32_t)vw->client->h;
		n[7] = w->zoomed;
		h = str_hash(n, sizeof(n), h);
	}
	return h;
}

/* Returns what of V another window's picture has. */
static struct sync_view *
reduce(const struct view_builder *b, const struct sync_view *v)
{
	struct sync_view *out = sync_view_new(v->cols, v->rows);
	const struct sync_surface *s;
	size_t i;

	for (i = 0; i < v->nsurfaces; i++) {
		s = &v->surfaces[i];
		if (s->kind == SYNC_SURFACE_PANE ||
		    s->kind == SYNC_SURFACE_CHROME)
			sync_view_add(
			    out, s->id, s->kind, s->x, s->y, s->frame);
	}
	out->focus = v->focus;
	out->moves = v->moves;
	out->bar = window_keys_bar(b);
	return out;
}

/* Returns the picture of WL, or NULL if there can be none. */
static struct sync_view *
picture_new(struct pictures *ps, struct winlink *wl, mono_ms now)
{
	struct viewer *vw = ps->vw;
	const struct window *w = client_link(vw->client)->window;
	struct view_host host = *vw->all->ops->host;
	struct sync_view *out = NULL;
	struct mux_pretence pretence;
	struct view_builder b;
	bool fits;

	host.overlays = NULL;
	view_builder_init(&b, vw->client, &host, vw);
	mux_pretend(&pretence, vw->client, wl);
	vw->pretends = true;
	fits = keeps_size(vw->client, wl, w);
	if (fits && view_build(&b, now) != NULL)
		out = reduce(&b, b.view);
	vw->pretends = false;
	mux_pretend_end(&pretence);
	view_builder_fini(&b);
	if (out != NULL && !sync_window_fits(out)) {
		sync_view_free(out);
		out = NULL;
	}
	return out;
}

/* --- messages --------------------------------------------------------------------- */

static size_t
bytes_held(const struct pictures *ps)
{
	size_t n = 0;
	unsigned i;

	for (i = 0; i < ps->n; i++)
		n += ps->all[i].bytes;
	return n;
}

/* The client drops its picture; P stays. */
static void
forget(struct picture *p, struct buf *raw)
{
	const struct sync_window_item it = { .session = p->session,
		.window = p->window,
		.flags = SYNC_WINDOW_FORGET };

	if (p->sent == NULL)
		return;
	sync_window_put_item(raw, &it);
	sync_view_free(p->sent);
	p->sent = NULL;
	p->bytes = 0;
}

/* Makes the item that changes P to V; false if V is too large. */
static bool
make_change(const struct pictures *ps, const struct picture *p,
    const struct sync_view *v, struct sync_window_item *it, struct buf *whole,
    struct buf *diff)
{
	struct sync_view *empty = sync_view_new(0, 0);
	int r;

	*it = (struct sync_window_item){ .session = p->session,
		.window = p->window,
		.flags = p->sent == NULL ? SYNC_WINDOW_NEW : 0 };
	r = sync_view_ops.diff(p->sent == NULL ? empty : p->sent, v, diff);
	sync_view_free(empty);
	if (r != 0 || diff->overflow || sync_view_ops.save(v, whole) != 0 ||
	    whole->overflow)
		return false;
	it->hash = sync_window_hash(whole);
	it->diff = diff->data;
	it->len = diff->len;
	return bytes_held(ps) - p->bytes + whole->len <= ps->wanted;
}

/* Puts the change of P to V, which is taken over. */
static void
put_change(struct pictures *ps, struct picture *p, struct sync_view *v,
    struct buf *raw)
{
	struct sync_window_item it;
	struct buf whole, diff;

	buf_init(&whole, SYNC_WINDOW_BYTES_MAX);
	buf_init(&diff, SYNC_WINDOW_BYTES_MAX);
	if (make_change(ps, p, v, &it, &whole, &diff)) {
		sync_window_put_item(raw, &it);
		ps->changed += p->sent == NULL ? 0 : it.len;
		sync_view_free(p->sent);
		p->sent = v;
		p->bytes = whole.len;
	} else {
		forget(p, raw);
		sync_view_free(v);
	}
	buf_fini(&whole);
	buf_fini(&diff);
}

/* Sets the pause before the next change of P. */
static void
pause_begin(struct picture *p, mono_ms now)
{
	/* A window that was quiet for long begins anew. */
	if (p->pause == 0 || now >= mono_add(p->next, PICTURES_PAUSE_MAX_MS))
		p->pause = PICTURES_PAUSE_MS;
	else
		p->pause = mono_min(p->pause * 2, PICTURES_PAUSE_MAX_MS);
	p->next = mono_add(now, p->pause);
}

/*
 * Notes that P has STAMP.  Returns whether it has had it for a while: the last
 * picture of a change is worth most.
 */
static bool
is_still(struct picture *p, uint64_t stamp, mono_ms now)
{
	if (p->seen_stamp != stamp) {
		p->seen_stamp = stamp;
		p->seen_at = now;
	}
	return now >= mono_add(p->seen_at, PICTURES_STILL_MS);
}

/* Looks at one window, and puts its change if it is time. */
static void
look(struct pictures *ps, struct picture *p, struct winlink *wl, mono_ms now,
    struct buf *raw)
{
	const uint64_t stamp = stamp_of(ps->vw, wl->window);
	const bool still = is_still(p, stamp, now);
	struct sync_view *v;

	if (stamp == p->sent_stamp ||
	    (p->sent != NULL && (ps->credit <= 0 || (!still && now < p->next))))
		return;
	p->sent_stamp = stamp;
	v = picture_new(ps, wl, now);
	if (v == NULL || (p->sent != NULL && sync_view_equal(p->sent, v))) {
		if (v == NULL)
			forget(p, raw);
		sync_view_free(v);
		return;
	}
	if (p->sent != NULL)
		pause_begin(p, now);
	put_change(ps, p, v, raw);
}

static void
drop_unused(struct pictures *ps, const struct choice *ch, struct buf *raw)
{
	const struct winlink *wl = client_link(ps->vw->client);
	struct picture *p;
	unsigned i;

	for (i = 0; i < ps->n; i++)
		ps->all[i].used = false;
	/* What is shown will be another window. */
	if (ch->n > 0 &&
	    (p = find(ps, wl->session->id, wl->window->id)) != NULL)
		p->used = true;
	for (i = 0; i < ch->n; i++) {
		p = find(
		    ps, ch->links[i]->session->id, ch->links[i]->window->id);
		if (p != NULL)
			p->used = true;
	}
	for (i = ps->n; i > 0; i--)
		if (!ps->all[i - 1].used) {
			forget(&ps->all[i - 1], raw);
			drop(ps, i - 1);
		}
}

static void
look_at_all(
    struct pictures *ps, const struct choice *ch, mono_ms now, struct buf *raw)
{
	struct picture *p;
	uint32_t session, window;
	unsigned i;

	for (i = 0; i < ch->n && raw->len < PICTURES_GATHER; i++) {
		session = ch->links[i]->session->id;
		window = ch->links[i]->window->id;
		p = find(ps, session, window);
		if (p == NULL && ps->n < SYNC_WINDOWS_MAX) {
			p = &ps->all[ps->n++];
			*p = (struct picture){ .session = session,
				.window = window };
		}
		if (p != NULL)
			look(ps, p, ch->links[i], now, raw);
	}
}

/* Sends the items in RAW, compressed; returns the bytes. */
static size_t
send(struct pictures *ps, const struct buf *raw, mono_ms now)
{
	struct buf out, packed;
	size_t n = 0;
	bool whole;

	buf_init(&out, SYNC_WINDOW_RAW_MAX + 16);
	buf_init(&packed, SYNC_WINDOW_RAW_MAX);
	if (ssp_zip_pack(ps->vw->run->zip, NULL, 0, raw->data, raw->len,
		&packed, &whole) == 0) {
		sync_window_put_head(&out, whole ? 2 : 1, (uint32_t)raw->len);
		(void)buf_add(&out, packed.data, packed.len);
	} else {
		sync_window_put_head(&out, 0, (uint32_t)raw->len);
		(void)buf_add(&out, raw->data, raw->len);
	}
	if (ssp_transport_side_put(ps->vw->link->tp, now, out.data, out.len))
		n = out.len;
	buf_fini(&out);
	buf_fini(&packed);
	return n;
}

/* --- the pump ----------------------------------------------------------------------- */

static void
earn(struct pictures *ps, mono_ms now)
{
	const mono_ms ms = mono_min(
	    now - ps->credit_at, PICTURES_BURST * 1000 / PICTURES_RATE);

	ps->credit = MIN_OF(ps->credit + (int64_t)(ms * PICTURES_RATE / 1000),
	    (int64_t)PICTURES_BURST);
	ps->credit_at = now;
}

/* Returns when to look at the windows again. */
static mono_ms
next_look(const struct pictures *ps, mono_ms now)
{
	const mono_ms typed = MAX_OF(ps->vw->client->typed_at, ps->began);

	return mono_add(now, now - MIN_OF(typed, now) > PICTURES_AWAY_MS
				 ? PICTURES_PAUSE_MAX_MS
				 : PICTURES_PAUSE_MS);
}

/* Puts what is to be sent into RAW. */
static void
collect(struct pictures *ps, mono_ms now, struct buf *raw)
{
	struct choice ch = { .n = 0 };

	ps->changed = 0;
	if (pictures_wanted(ps))
		choose_all(ps->vw->client, &ch);
	drop_unused(ps, &ch, raw);
	look_at_all(ps, &ch, now, raw);
}

/* Whether the keys pending at the server may change the windows. */
static bool
is_busy(const struct viewer *vw)
{
	return vw->client->table != NULL ||
	       (vw->mirror != NULL && mirror_waited(vw->mirror));
}

mono_ms
pictures_pump(struct pictures *ps, mono_ms now)
{
	struct ssp_transport *tp = ps->vw->link->tp;
	const struct client *c = ps->vw->client;
	mono_ms at;
	struct buf raw;

	if (ps->wanted == 0 && ps->n == 0)
		return MONO_NEVER;
	at = ssp_transport_side_ready(tp, now);
	if (at == MONO_NEVER)
		return MONO_NEVER;
	/* A switch changes the status lines of all pictures. */
	if (client_link(c) != ps->shown)
		ps->look_at = now;
	at = MAX_OF(at, ps->look_at);
	if (at > now)
		return at;
	if (c->session == NULL || client_link(c) == NULL || is_busy(ps->vw)) {
		ps->look_at = mono_add(now, PICTURES_PAUSE_MS);
		return ps->look_at;
	}
	ps->shown = client_link(c);
	earn(ps, now);
	buf_init(&raw, SYNC_WINDOW_RAW_MAX);
	collect(ps, now, &raw);
	ps->look_at = next_look(ps, now);
	bug_assert(!raw.overflow);
	if (raw.len > 0) {
		ps->credit -=
		    (int64_t)(send(ps, &raw, now) * ps->changed / raw.len);
		ps->look_at = now;
	}
	buf_fini(&raw);
	return raw.len == 0 ? ps->look_at : ssp_transport_side_ready(tp, now);
}
