#include "server/io/mirror.h"

#include "base/mem.h"
#include "mux/mux.h"
#include "mux/pane.h"
#include "mux/sync/feed.h"
#include "mux/sync/view.h"
#include "server/run/run.h"
#include "ssp/compress.h"
#include "ssp/transport.h"

/*
 * One or two lines are not worth a datagram: they wait this long, or until
 * there are this many.
 */
#define MIRROR_GATHER_MS 2000
#define MIRROR_GATHER_LINES 64

/* Lines above the shown part of a history that the client shall have. */
#define MIRROR_AROUND 1000u

struct mirror_pane {
	struct sync_feed feed;
	uint64_t used;  /* value of mirror.seen when a view last had the pane */
	mono_ms behind; /* since when lines are missing; MONO_NEVER: none */
	uint64_t told;  /* the epoch that the client has; SYNC_TAIL_UNSURE */
};

struct mirror {
	struct run *run;
	struct ssp_transport *tp;
	uint32_t wanted; /* lines of a pane; 0: nothing */
	uint64_t seen;
	/* The client shows this row of the pane's history; MIRROR_NONE. */
	uint32_t shown_pane;
	vt_row shown;
	unsigned n;
	struct mirror_pane panes[SYNC_TAIL_PANES_MAX];
};

struct mirror *
mirror_new(struct run *run, struct ssp_transport *tp)
{
	struct mirror *m = mem_zalloc(sizeof(*m));

	m->run = run;
	m->tp = tp;
	m->shown = MIRROR_NONE;
	return m;
}

static void
mirror_drop(struct mirror *m, unsigned i)
{
	sync_feed_fini(&m->panes[i].feed);
	m->panes[i] = m->panes[--m->n];
}

void
mirror_free(struct mirror *m)
{
	if (m == NULL)
		return;
	while (m->n > 0)
		mirror_drop(m, 0);
	mem_free(m);
}

size_t
mirror_lines(const struct mirror *m)
{
	size_t lines = 0;
	unsigned i;

	for (i = 0; i < m->n; i++)
		lines += m->panes[i].feed.count;
	return lines;
}

static struct vt_grid *
mirror_grid(const struct mirror *m, uint32_t pane)
{
	const struct pane *p = mux_pane(m->run->mux, pane);

	return p == NULL || p->term == NULL ? NULL : vt_term_main_grid(p->term);
}

void
mirror_shows(struct mirror *m, uint32_t pane, vt_row row)
{
	m->shown_pane = pane;
	m->shown = row;
	ssp_transport_side_wanted(m->tp, row != MIRROR_NONE);
}

bool
mirror_waited(const struct mirror *m)
{
	return m->shown != MIRROR_NONE;
}

/* Returns how many lines of a pane the client shall have. */
static size_t
pane_limit(const struct mirror *m, const struct sync_feed *f,
    const struct vt_grid *g, size_t limit)
{
	const vt_row end = vt_grid_screen(g);

	if (f->pane != m->shown_pane || m->shown >= end)
		return limit;
	return (size_t)CLAMP(end - m->shown + MIRROR_AROUND, (uint64_t)limit,
	    MAX_OF((uint64_t)limit, (uint64_t)SYNC_TAIL_LINES_MAX));
}

static size_t
mirror_limit(const struct mirror *m)
{
	const struct options *o = &m->run->mux->server_options;

	return (size_t)MIN_OF(
	    (int64_t)m->wanted, options_number(o, OPTION_MIRROR_HISTORY));
}

/* Returns the state of a pane, made on first use; NULL if there is no room. */
static struct mirror_pane *
mirror_find(struct mirror *m, uint32_t pane)
{
	unsigned i;

	for (i = 0; i < m->n; i++)
		if (m->panes[i].feed.pane == pane)
			return &m->panes[i];
	if (m->n == SYNC_TAIL_PANES_MAX)
		return NULL;
	sync_feed_init(&m->panes[m->n].feed, pane);
	m->panes[m->n].behind = MONO_NEVER;
	m->panes[m->n].told = SYNC_TAIL_UNSURE;
	return &m->panes[m->n++];
}

/* --- what the client says ------------------------------------------------------------ */

void
mirror_message(struct mirror *m, const uint8_t *p, size_t n)
{
	struct sync_tail_want w;
	struct mirror_pane *mp;
	struct vt_grid *g;
	struct rd r;
	uint32_t i;

	rd_init(&r, p, n);
	if (sync_tail_get_want(&r, &w) != 0)
		return;
	while (m->n > 0)
		mirror_drop(m, 0);
	m->wanted = w.lines;
	for (i = 0; i < w.nhave; i++) {
		mp = mirror_find(m, w.have[i].pane);
		g = mirror_grid(m, w.have[i].pane);
		/*
		 * Keep a pane that is gone until the client is told (FORGET).
		 */
		if (mp != NULL && g != NULL)
			(void)sync_feed_adopt(&mp->feed, g, &w.have[i]);
	}
}

/* --- what it is told ------------------------------------------------------------------- */

/*
 * Returns the epoch that the client must have before its next lines.  The lines
 * of one epoch are all right, or there are none of an older one.
 */
static uint64_t
mirror_epoch(const struct mirror_pane *mp, const struct vt_grid *g)
{
	if (!sync_feed_right(&mp->feed, g))
		return SYNC_TAIL_UNSURE;
	/* A client without lines cannot note an epoch. */
	if (mp->feed.count == 0 && mp->told != vt_grid_remade(g))
		return SYNC_TAIL_UNSURE;
	return vt_grid_remade(g);
}

/* Returns when the next message of a pane is due. */
static mono_ms
mirror_due(struct mirror_pane *mp, struct vt_grid *g, size_t limit, mono_ms now)
{
	enum sync_feed_work work;
	uint64_t behind;

	work = sync_feed_work(&mp->feed, g, limit, &behind);
	if (mp->told != mirror_epoch(mp, g))
		return now;
	switch (work) {
	case SYNC_FEED_NONE:
		mp->behind = MONO_NEVER;
		return MONO_NEVER;
	case SYNC_FEED_START:
		return now;
	case SYNC_FEED_PREPEND:
		mp->behind = MONO_NEVER;
		return now;
	case SYNC_FEED_TRIM:
	case SYNC_FEED_APPEND:
		break;
	}
	if (behind >= MIRROR_GATHER_LINES)
		return now;
	if (mp->behind == MONO_NEVER)
		mp->behind = now;
	return mp->behind + MIRROR_GATHER_MS;
}

/* Chooses the pane whose message is due first, or NULL; *DUE is its time. */
static struct mirror_pane *
mirror_choose(struct mirror *m, const struct sync_view *v, size_t limit,
    mono_ms now, mono_ms *due)
{
	struct mirror_pane *mp, *best = NULL;
	struct vt_grid *g;
	uint32_t pane;
	mono_ms t;
	size_t i;

	*due = MONO_NEVER;
	m->seen++;
	for (i = 0; v != NULL && limit > 0 && i < v->nsurfaces; i++) {
		pane = (uint32_t)v->surfaces[i].id;
		if (v->surfaces[i].kind != SYNC_SURFACE_PANE ||
		    (g = mirror_grid(m, pane)) == NULL ||
		    (mp = mirror_find(m, pane)) == NULL)
			continue;
		mp->used = m->seen;
		t = mirror_due(mp, g, pane_limit(m, &mp->feed, g, limit), now);
		if (t < *due ||
		    (t == *due && t <= now && v->surfaces[i].id == v->focus)) {
			best = mp;
			*due = t;
		}
	}
	return best;
}

/*
 * Drops panes that are gone and, when the table is full, the pane seen longest
 * ago. Appends FORGET to OUT if any was dropped.
 */
static bool
mirror_forget(struct mirror *m, size_t limit, struct buf *out)
{
	uint32_t gone[SYNC_TAIL_PANES_MAX];
	unsigned i, n = 0, oldest = 0;

	for (i = m->n; i > 0; i--)
		if (limit == 0 ||
		    mirror_grid(m, m->panes[i - 1].feed.pane) == NULL) {
			gone[n++] = m->panes[i - 1].feed.pane;
			mirror_drop(m, i - 1);
		}
	if (m->n == SYNC_TAIL_PANES_MAX) {
		for (i = 1; i < m->n; i++)
			if (m->panes[i].used < m->panes[oldest].used)
				oldest = i;
		gone[n++] = m->panes[oldest].feed.pane;
		mirror_drop(m, oldest);
	}
	if (n > 0)
		sync_tail_put_forget(out, gone, n);
	return n > 0;
}

static void
mirror_compose(
    struct mirror *m, struct mirror_pane *mp, size_t limit, struct buf *out)
{
	struct vt_grid *g = mirror_grid(m, mp->feed.pane);
	struct sync_tail_lines l;
	struct buf raw, prefix, packed;
	bool whole;

	if (mp->told != mirror_epoch(mp, g)) {
		mp->told = mirror_epoch(mp, g);
		sync_tail_put_epoch(out, mp->feed.pane, mp->told);
		return;
	}
	limit = pane_limit(m, &mp->feed, g, limit);

	buf_init(&raw, SYNC_TAIL_RAW_MAX);
	buf_init(&prefix, SYNC_TAIL_PREFIX + SYNC_TAIL_LINE_MAX);
	buf_init(&packed, SYNC_TAIL_RAW_MAX);
	if (sync_feed_next(&mp->feed, g, limit, &l, &raw, &prefix)) {
		l.body = raw.data;
		l.len = raw.len;
		if (ssp_zip_pack(m->run->zip, prefix.data, prefix.len, raw.data,
			raw.len, &packed, &whole) == 0) {
			l.form = whole ? 2 : 1;
			l.body = packed.data;
			l.len = packed.len;
		}
		sync_tail_put_lines(out, &l);
	}
	mp->behind = MONO_NEVER;
	buf_fini(&raw);
	buf_fini(&prefix);
	buf_fini(&packed);
}

mono_ms
mirror_pump(struct mirror *m, const struct sync_view *v, mono_ms now)
{
	struct ssp_transport *tp = m->tp;
	size_t limit = mirror_limit(m);
	struct mirror_pane *mp;
	mono_ms ready, due;
	struct buf out;

	if (m->n == 0 && limit == 0)
		return MONO_NEVER;
	ready = ssp_transport_side_ready(tp, now);
	if (ready == MONO_NEVER)
		return MONO_NEVER;
	mp = mirror_choose(m, v, limit, now, &due);
	if (ready > now || (due > now && due != MONO_NEVER))
		return due == MONO_NEVER ? MONO_NEVER : MAX_OF(ready, due);
	buf_init(&out, SYNC_TAIL_RAW_MAX + 64);
	if (!mirror_forget(m, limit, &out) && mp != NULL)
		mirror_compose(m, mp, limit, &out);
	if (out.len > 0 && ssp_transport_side_put(tp, now, out.data, out.len)) {
		/* The next message goes when this one is on its way. */
		ready = ssp_transport_side_ready(tp, now);
		(void)mirror_choose(m, v, limit, now, &due);
		due = due == MONO_NEVER ? due : MAX_OF(ready, due);
	} else
		due = MONO_NEVER;
	buf_fini(&out);
	return due;
}
