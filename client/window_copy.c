#include "client/window_copy.h"

#include "base/err.h"
#include "base/mem.h"
#include "mux/sync/view.h"
#include "mux/sync/window.h"
#include "ssp/compress.h"

/* A view that was shown. */
struct shown {
	uint32_t session;
	uint32_t window;
	mono_ms at;
	struct sync_view *view;
};

struct window_copy {
	struct ssp_zip *zip;
	uint64_t changes;
	uint32_t wanted;
	unsigned n;
	struct sync_window all[SYNC_WINDOWS_MAX];
	mono_ms at[SYNC_WINDOWS_MAX];
	unsigned nshown;
	struct shown shown[SYNC_WINDOWS_MAX];
};

struct window_copy *
window_copy_new(struct ssp_zip *zip)
{
	struct window_copy *w = mem_zalloc(sizeof(*w));

	w->zip = zip;
	return w;
}

static void
drop(struct window_copy *w, unsigned i)
{
	sync_window_fini(&w->all[i]);
	w->n--;
	w->all[i] = w->all[w->n];
	w->at[i] = w->at[w->n];
}

static void
drop_shown(struct window_copy *w, unsigned i)
{
	sync_view_free(w->shown[i].view);
	w->shown[i] = w->shown[--w->nshown];
}

void
window_copy_clear(struct window_copy *w)
{
	while (w->n > 0)
		drop(w, 0);
	while (w->nshown > 0)
		drop_shown(w, 0);
	w->changes++;
}

void
window_copy_free(struct window_copy *w)
{
	if (w == NULL)
		return;
	window_copy_clear(w);
	mem_free(w);
}

uint64_t
window_copy_changes(const struct window_copy *w)
{
	return w->changes;
}

/* --- the server's --------------------------------------------------------------- */

static int
find(const struct window_copy *w, uint32_t session, uint32_t window)
{
	unsigned i;

	for (i = 0; i < w->n; i++)
		if (w->all[i].session == session && w->all[i].window == window)
			return (int)i;
	return -1;
}

static size_t
bytes_held(const struct window_copy *w)
{
	size_t n = 0;
	unsigned i;

	for (i = 0; i < w->n; i++)
		n += w->all[i].bytes.len;
	return n;
}

static int
take_item(struct window_copy *w, mono_ms now, const struct sync_window_item *it)
{
	int i = find(w, it->session, it->window);

	if (it->flags & SYNC_WINDOW_FORGET) {
		if (i >= 0)
			drop(w, (unsigned)i);
		return 0;
	}
	if (i < 0) {
		/* security: the server decides about neither number nor size. */
		peer_check(w->n < SYNC_WINDOWS_MAX &&
			   (it->flags & SYNC_WINDOW_NEW) != 0);
		i = (int)w->n++;
		sync_window_init(&w->all[i], it->session, it->window);
	}
	w->at[i] = now;
	if (sync_window_apply(&w->all[i], it) != 0 ||
	    bytes_held(w) > w->wanted) {
		drop(w, (unsigned)i);
		return -ERR_PEER;
	}
	return 0;
}

static int
take_items(struct window_copy *w, mono_ms now, const uint8_t *p, size_t n)
{
	struct sync_window_item it;
	unsigned items = 0;
	struct rd r;

	rd_init(&r, p, n);
	while (rd_left(&r) > 0) {
		/* security: each item costs the work of a whole picture. */
		peer_check(items++ < SYNC_WINDOW_ITEMS_MAX);
		if (sync_window_get_item(&r, &it) != 0 ||
		    take_item(w, now, &it) != 0)
			return -ERR_PEER;
	}
	return 0;
}

bool
window_copy_wants(const uint8_t *p, size_t n)
{
	return n > 0 && p[0] == SYNC_WINDOW_PICTURES;
}

int
window_copy_message(
    struct window_copy *w, mono_ms now, const uint8_t *p, size_t n)
{
	uint8_t form, *raw;
	uint32_t len;
	struct rd r;
	int e;

	w->changes++;
	rd_init(&r, p, n);
	if (sync_window_get_head(&r, &form, &len) != 0)
		return -ERR_PEER;
	if (form == 0)
		return take_items(w, now, r.p, rd_left(&r));
	raw = mem_alloc(len);
	e = ssp_zip_unpack(
	    w->zip, NULL, 0, r.p, rd_left(&r), form == 2, raw, len);
	if (e == 0)
		e = take_items(w, now, raw, len);
	mem_free(raw);
	return e == 0 ? 0 : -ERR_PEER;
}

void
window_copy_asked(struct window_copy *w, uint32_t bytes)
{
	while (w->n > 0)
		drop(w, 0);
	w->wanted = MIN_OF(bytes, SYNC_WINDOWS_BYTES_MAX);
	w->changes++;
}

/* --- the client's own ------------------------------------------------------------- */

static struct shown *
find_shown(struct window_copy *w, uint32_t session, uint32_t window)
{
	unsigned i;

	for (i = 0; i < w->nshown; i++)
		if (w->shown[i].session == session &&
		    w->shown[i].window == window)
			return &w->shown[i];
	return NULL;
}

/* Returns V without overlays and marks of other users. */
static struct sync_view *
reduce(const struct sync_view *v)
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
	out->bar = vt_str_ref(v->bar);
	return out;
}

void
window_copy_keep(struct window_copy *w, mono_ms now, uint32_t session,
    uint32_t window, const struct sync_view *v)
{
	struct shown *s = find_shown(w, session, window);
	unsigned i, oldest = 0;

	if (s != NULL)
		drop_shown(w, (unsigned)(s - w->shown));
	if (w->nshown == SYNC_WINDOWS_MAX) {
		for (i = 1; i < w->nshown; i++)
			if (w->shown[i].at < w->shown[oldest].at)
				oldest = i;
		drop_shown(w, oldest);
	}
	w->shown[w->nshown++] =
	    (struct shown){ session, window, now, reduce(v) };
	w->changes++;
}

/* --- both ---------------------------------------------------------------------------- */

struct sync_view *
window_copy_view(
    const struct window_copy *w, uint32_t session, uint32_t window, mono_ms *at)
{
	const int i = find(w, session, window);
	unsigned k;

	for (k = 0; k < w->nshown; k++) {
		if (w->shown[k].session != session ||
		    w->shown[k].window != window ||
		    (i >= 0 && w->at[i] > w->shown[k].at))
			continue;
		*at = w->shown[k].at;
		return sync_view_clone(w->shown[k].view);
	}
	if (i < 0)
		return NULL;
	*at = w->at[i];
	return sync_window_view(&w->all[i]);
}

unsigned
window_copy_count(const struct window_copy *w)
{
	unsigned k, n = w->n;

	for (k = 0; k < w->nshown; k++)
		n += find(w, w->shown[k].session, w->shown[k].window) < 0;
	return n;
}
