#include "mux/sync/switch.h"

#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/pack.h"
#include "mux/sync/switch_ask.h"
#include "mux/vt/frame.h"

#define SWITCH_VERSION 1
#define SWITCH_ITEMS 2  /* of the view's field */
#define SWITCH_ARRAY 64 /* items that a reader accepts */

enum switch_state_item {
	SWITCH_STATE_VERSION = 0,
	SWITCH_STATE_PREFIX = 1,
	SWITCH_STATE_SESSION = 2,
	SWITCH_STATE_LAST_SESSION = 3, /* plus one */
	SWITCH_STATE_CURRENT = 4,
	SWITCH_STATE_LAST = 5, /* [index, ...] */
	SWITCH_STATE_ITEMS = 6,
};

enum switch_setup_item {
	SWITCH_SETUP_VERSION = 0,
	SWITCH_SETUP_PREFIXES = 1, /* [key, key] */
	SWITCH_SETUP_BINDS = 2,    /* [flags, act, arg, key, ...] */
	SWITCH_SETUP_LINKS = 3,    /* [index, window, ...] */
	SWITCH_SETUP_SESSIONS = 4, /* [session, window, ...] */
	SWITCH_SETUP_ASKS = 5, /* [separators, x, y, col, text, line, ...] */
	SWITCH_SETUP_ITEMS = 6,
};

#define SWITCH_SETUP_LEAST SWITCH_SETUP_ASKS /* of earlier releases */

/* Flags of a bind. */
enum switch_bind_flag {
	SWITCH_BIND_PREFIX = 1, /* in the table prefix */
	SWITCH_BIND_REPEAT = 2,
};

/* --- in the view ------------------------------------------------------------ */

struct sync_switch *
sync_switch_new(uint64_t seen, struct vt_str *state)
{
	struct sync_switch *s = mem_zalloc(sizeof(*s));

	s->refs = 1;
	s->seen = seen;
	s->state = state;
	return s;
}

struct sync_switch *
sync_switch_ref(struct sync_switch *s)
{
	if (s != NULL)
		s->refs++;
	return s;
}

void
sync_switch_unref(struct sync_switch *s)
{
	if (s == NULL || --s->refs > 0)
		return;
	vt_str_unref(s->state);
	mem_free(s);
}

bool
sync_switch_equal(const struct sync_switch *a, const struct sync_switch *b)
{
	if (a == b)
		return true;
	return a != NULL && b != NULL && a->seen == b->seen &&
	       vt_str_equal(a->state, b->state);
}

void
sync_switch_put(struct buf *out, const struct sync_switch *s)
{
	pack_put_array(out, s == NULL ? 0 : SWITCH_ITEMS);
	if (s == NULL)
		return;
	pack_put_uint(out, s->seen);
	pack_put_bin(
	    out, vt_str_text(s->state), s->state == NULL ? 0 : s->state->len);
}

int
sync_switch_get(struct rd *r, struct sync_switch **slot)
{
	const uint8_t *p;
	uint64_t seen;
	uint32_t n, i;
	size_t len = 0;

	sync_switch_unref(*slot);
	*slot = NULL;
	n = pack_get_array(r, SWITCH_ARRAY);
	if (r->err != 0 || n == 0)
		return r->err;
	peer_check(n >= SWITCH_ITEMS);
	seen = pack_get_uint(r, UINT64_MAX);
	p = pack_get_bin(r, SYNC_SWITCH_STATE_MAX, &len);
	for (i = SWITCH_ITEMS; i < n; i++)
		pack_skip(r);
	peer_check(r->err == 0);
	*slot = sync_switch_new(seen, vt_str_new((const char *)p, len));
	return 0;
}

/* --- state -------------------------------------------------------------------- */

bool
sync_switch_put_state(struct buf *out, const struct sync_switch_state *s)
{
	unsigned i;

	pack_put_array(out, SWITCH_STATE_ITEMS);
	pack_put_uint(out, SWITCH_VERSION);
	pack_put_uint(out, s->prefix);
	pack_put_uint(out, s->session);
	pack_put_uint(out, (uint32_t)(s->last_session + 1));
	pack_put_uint(out, s->current);
	pack_put_array(out, s->nlast);
	for (i = 0; i < s->nlast; i++)
		pack_put_uint(out, s->last[i]);
	return !out->overflow;
}

int
sync_switch_get_state(const void *p, size_t n, struct sync_switch_state *s)
{
	uint32_t items, i;
	struct rd r;

	memset(s, 0, sizeof(*s));
	rd_init(&r, p, n);
	items = pack_get_array(&r, SWITCH_ARRAY);
	peer_check(r.err == 0 && items >= SWITCH_STATE_ITEMS);
	peer_check(pack_get_uint(&r, UINT32_MAX) == SWITCH_VERSION);
	s->prefix = pack_get_uint(&r, 1) != 0;
	s->session = (uint32_t)pack_get_uint(&r, UINT32_MAX);
	s->last_session = (uint32_t)pack_get_uint(&r, UINT32_MAX) - 1;
	s->current = (uint32_t)pack_get_uint(&r, UINT32_MAX);
	s->nlast = pack_get_array(&r, SYNC_SWITCH_LINKS_MAX);
	for (i = 0; i < s->nlast; i++)
		s->last[i] = (uint32_t)pack_get_uint(&r, UINT32_MAX);
	for (i = SWITCH_STATE_ITEMS; i < items; i++)
		pack_skip(&r);
	return rd_done(&r) == 0 ? 0 : -ERR_PEER;
}

/* --- setup -------------------------------------------------------------------- */

bool
sync_switch_put_setup(struct buf *out, const struct sync_switch_setup *s)
{
	unsigned i;

	pack_put_array(out, SWITCH_SETUP_ITEMS);
	pack_put_uint(out, SWITCH_VERSION);
	pack_put_array(out, SYNC_SWITCH_PREFIXES);
	for (i = 0; i < SYNC_SWITCH_PREFIXES; i++)
		pack_put_uint(out, s->prefixes[i]);
	pack_put_array(out, s->nbinds * 4);
	for (i = 0; i < s->nbinds; i++) {
		pack_put_uint(
		    out, (s->binds[i].prefix ? SWITCH_BIND_PREFIX : 0u) |
			     (s->binds[i].repeat ? SWITCH_BIND_REPEAT : 0u));
		pack_put_uint(out, (uint64_t)s->binds[i].act);
		pack_put_uint(out, s->binds[i].arg);
		pack_put_uint(out, s->binds[i].key);
	}
	pack_put_array(out, s->nlinks * 2);
	for (i = 0; i < s->nlinks; i++) {
		pack_put_uint(out, s->links[i].index);
		pack_put_uint(out, s->links[i].window);
	}
	pack_put_array(out, s->nsessions * 2);
	for (i = 0; i < s->nsessions; i++) {
		pack_put_uint(out, s->sessions[i].session);
		pack_put_uint(out, s->sessions[i].window);
	}
	sync_switch_put_asks(out, s);
	return !out->overflow;
}

static void
get_binds(struct rd *r, struct sync_switch_setup *s)
{
	uint32_t n = pack_get_array(r, SYNC_SWITCH_BINDS_MAX * 4), i;
	struct sync_switch_bind *b;
	uint64_t flags, act;

	if (n % 4 != 0)
		rd_fail(r, -ERR_PEER);
	for (i = 0; i < n / 4 && r->err == 0; i++) {
		b = &s->binds[s->nbinds++];
		flags = pack_get_uint(r, UINT32_MAX);
		b->prefix = (flags & SWITCH_BIND_PREFIX) != 0;
		b->repeat = (flags & SWITCH_BIND_REPEAT) != 0;
		/* An act of a later release may do anything. */
		act = pack_get_uint(r, UINT32_MAX);
		b->act = act < SYNC_SWITCH_ACTS ? (enum sync_switch_act)act
						: SYNC_SWITCH_UNKNOWN;
		b->arg = (uint32_t)pack_get_uint(r, UINT32_MAX);
		b->key = pack_get_uint(r, UINT64_MAX);
	}
}

/* Reads pairs of numbers; returns how many. */
static unsigned
get_pairs(struct rd *r, uint32_t (*out)[2], unsigned max)
{
	uint32_t n = pack_get_array(r, max * 2), i;

	if (n % 2 != 0)
		rd_fail(r, -ERR_PEER);
	for (i = 0; i < n && r->err == 0; i++)
		out[i / 2][i % 2] = (uint32_t)pack_get_uint(r, UINT32_MAX);
	return r->err != 0 ? 0 : n / 2;
}

int
sync_switch_get_setup(const void *p, size_t n, struct sync_switch_setup *s)
{
	uint32_t pairs[SYNC_SWITCH_LINKS_MAX][2];
	uint32_t items, i;
	struct rd r;

	_Static_assert(SYNC_SWITCH_LINKS_MAX >= SYNC_SWITCH_SESSIONS_MAX,
	    "both fit in PAIRS");
	memset(s, 0, sizeof(*s));
	rd_init(&r, p, n);
	items = pack_get_array(&r, SWITCH_ARRAY);
	peer_check(r.err == 0 && items >= SWITCH_SETUP_LEAST);
	peer_check(pack_get_uint(&r, UINT32_MAX) == SWITCH_VERSION);
	peer_check(
	    pack_get_array(&r, SYNC_SWITCH_PREFIXES) == SYNC_SWITCH_PREFIXES);
	for (i = 0; i < SYNC_SWITCH_PREFIXES; i++)
		s->prefixes[i] = pack_get_uint(&r, UINT64_MAX);
	get_binds(&r, s);
	s->nlinks = get_pairs(&r, pairs, SYNC_SWITCH_LINKS_MAX);
	for (i = 0; i < s->nlinks; i++)
		s->links[i] =
		    (struct sync_switch_link){ pairs[i][0], pairs[i][1] };
	s->nsessions = get_pairs(&r, pairs, SYNC_SWITCH_SESSIONS_MAX);
	for (i = 0; i < s->nsessions; i++)
		s->sessions[i] =
		    (struct sync_switch_session){ pairs[i][0], pairs[i][1] };
	if (items > SWITCH_SETUP_ASKS)
		sync_switch_get_asks(&r, s);
	for (i = SWITCH_SETUP_ITEMS; i < items; i++)
		pack_skip(&r);
	return rd_done(&r) == 0 ? 0 : -ERR_PEER;
}

/* --- status lines ---------------------------------------------------------------- */

bool
sync_switch_put_bar(struct buf *out, const struct sync_switch_bar *b)
{
	unsigned i;

	pack_put_array(out, 4 + b->n * 4);
	pack_put_int(out, b->x);
	pack_put_int(out, b->y);
	pack_put_int(out, b->w);
	pack_put_int(out, b->h);
	for (i = 0; i < b->n; i++) {
		pack_put_int(out, b->ranges[i].row);
		pack_put_int(out, b->ranges[i].from);
		pack_put_int(out, b->ranges[i].to);
		pack_put_uint(out, b->ranges[i].index);
	}
	return !out->overflow;
}

static int
get_cell(struct rd *r)
{
	int64_t v = pack_get_int(r);

	if (v < 0 || v > VT_COLS_MAX)
		rd_fail(r, -ERR_PEER);
	return r->err != 0 ? 0 : (int)v;
}

int
sync_switch_get_bar(const void *p, size_t n, struct sync_switch_bar *b)
{
	struct sync_switch_range *g;
	uint32_t items, i;
	struct rd r;

	memset(b, 0, sizeof(*b));
	rd_init(&r, p, n);
	items = pack_get_array(&r, 4 + SYNC_SWITCH_RANGES_MAX * 4);
	peer_check(r.err == 0 && items >= 4 && items % 4 == 0);
	b->x = get_cell(&r);
	b->y = get_cell(&r);
	b->w = get_cell(&r);
	b->h = get_cell(&r);
	for (i = 4; i < items && r.err == 0; i += 4) {
		g = &b->ranges[b->n++];
		g->row = get_cell(&r);
		g->from = get_cell(&r);
		g->to = get_cell(&r);
		g->index = (uint32_t)pack_get_uint(&r, UINT32_MAX);
	}
	return rd_done(&r) == 0 ? 0 : -ERR_PEER;
}

/* --- the replay -------------------------------------------------------------------- */

/* Returns the place of a window in the links, or -1. */
static int
link_of(const struct sync_switch_replay *r, uint32_t index)
{
	unsigned i;

	for (i = 0; i < r->setup.nlinks; i++)
		if (r->setup.links[i].index == index)
			return (int)i;
	return -1;
}

void
sync_switch_kept_fini(struct sync_switch_kept *k)
{
	vt_str_unref(k->bytes);
	k->bytes = NULL;
}

static int
begin_setup(struct sync_switch_replay *r, struct vt_str *setup,
    struct sync_switch_kept *kept)
{
	if (setup == NULL)
		return -ERR_PEER;
	if (kept != NULL && vt_str_equal(kept->bytes, setup)) {
		r->setup = kept->setup;
		return 0;
	}
	if (sync_switch_get_setup(setup->text, setup->len, &r->setup) != 0)
		return -ERR_PEER;
	if (kept == NULL)
		return 0;
	vt_str_unref(kept->bytes);
	kept->bytes = vt_str_ref(setup);
	kept->setup = r->setup;
	return 0;
}

int
sync_switch_begin(struct sync_switch_replay *r, const struct vt_str *state,
    struct vt_str *setup, struct sync_switch_kept *kept)
{
	int at;

	memset(r, 0, sizeof(*r));
	if (sync_switch_get_state(vt_str_text(state),
		state == NULL ? 0 : state->len, &r->at) != 0 ||
	    begin_setup(r, setup, kept) != 0)
		return -ERR_PEER;
	peer_check((at = link_of(r, r->at.current)) >= 0);
	r->window = r->setup.links[at].window;
	r->home = r->at.session;
	return 0;
}

static int
session_of(const struct sync_switch_replay *r, uint32_t session)
{
	unsigned i;

	for (i = 0; i < r->setup.nsessions; i++)
		if (r->setup.sessions[i].session == session)
			return (int)i;
	return -1;
}

static bool
is_away(const struct sync_switch_replay *r)
{
	return r->at.session != r->home;
}

/* As session_select. */
static enum sync_switch_did
select_link(struct sync_switch_replay *r, int to)
{
	struct sync_switch_state *s = &r->at;
	const uint32_t index = to < 0 ? 0 : r->setup.links[to].index;
	unsigned i, n = 0;
	int at;

	if (is_away(r) || to < 0)
		return SYNC_SWITCH_STOPPED;
	if (index == s->current)
		return SYNC_SWITCH_TAKEN;
	for (i = 0; i < s->nlast; i++)
		if (s->last[i] != index)
			s->last[n++] = s->last[i];
	n = MIN_OF(n, SYNC_SWITCH_LINKS_MAX - 1);
	memmove(s->last + 1, s->last, n * sizeof(s->last[0]));
	s->last[0] = s->current;
	s->nlast = n + 1;
	s->current = index;
	r->window = r->setup.links[to].window;
	if ((at = session_of(r, r->home)) >= 0)
		r->setup.sessions[at].window = r->window;
	return SYNC_SWITCH_SHOWS;
}

/* next-window and previous-window; alone, a window has none. */
static enum sync_switch_did
step_link(struct sync_switch_replay *r, unsigned by)
{
	const unsigned n = r->setup.nlinks;

	if (n < 2 || is_away(r))
		return SYNC_SWITCH_STOPPED;
	return select_link(
	    r, (int)(((unsigned)link_of(r, r->at.current) + by) % n));
}

static enum sync_switch_did
show_session(struct sync_switch_replay *r, unsigned to)
{
	r->at.last_session = r->at.session;
	r->at.session = r->setup.sessions[to].session;
	r->window = r->setup.sessions[to].window;
	return SYNC_SWITCH_SHOWS;
}

static enum sync_switch_did
step_session(struct sync_switch_replay *r, unsigned by)
{
	const unsigned n = r->setup.nsessions;
	const int at = session_of(r, r->at.session);

	if (n < 2 || at < 0)
		return SYNC_SWITCH_STOPPED;
	return show_session(r, ((unsigned)at + by) % n);
}

static enum sync_switch_did
last_session(struct sync_switch_replay *r)
{
	const int to = session_of(r, r->at.last_session);

	if (to < 0 || r->at.last_session == r->at.session)
		return SYNC_SWITCH_STOPPED;
	return show_session(r, (unsigned)to);
}

static enum sync_switch_did
run_bind(
    struct sync_switch_replay *r, const struct sync_switch_bind *b, int clicked)
{
	switch (b->act) {
	case SYNC_SWITCH_NEXT:
		return step_link(r, 1);
	case SYNC_SWITCH_PREVIOUS:
		return step_link(r, r->setup.nlinks - 1);
	case SYNC_SWITCH_LAST:
		return r->at.nlast == 0
			   ? SYNC_SWITCH_STOPPED
			   : select_link(r, link_of(r, r->at.last[0]));
	case SYNC_SWITCH_SELECT:
		return select_link(r, link_of(r, b->arg));
	case SYNC_SWITCH_CLICKED:
		return select_link(r, clicked);
	case SYNC_SWITCH_NEXT_SESSION:
		return step_session(r, 1);
	case SYNC_SWITCH_PREVIOUS_SESSION:
		return step_session(r, r->setup.nsessions - 1);
	case SYNC_SWITCH_LAST_SESSION:
		return last_session(r);
	case SYNC_SWITCH_STAYS:
		r->acted = true;
		return SYNC_SWITCH_TAKEN;
	case SYNC_SWITCH_ASKS:
		/* Its texts may be those of another window or pane by now. */
		if (r->acted || b->arg >= r->setup.nasks)
			return SYNC_SWITCH_STOPPED;
		r->ask = b->arg;
		return SYNC_SWITCH_ASKED;
	case SYNC_SWITCH_COPIES:
		/* The pane may be another one, or of another size. */
		if (r->acted)
			return SYNC_SWITCH_STOPPED;
		r->copies = b->arg;
		return SYNC_SWITCH_COPIED;
	case SYNC_SWITCH_UNKNOWN:
	case SYNC_SWITCH_ACTS:
		break;
	}
	return SYNC_SWITCH_STOPPED;
}

static const struct sync_switch_bind *
find_bind(const struct sync_switch_replay *r, key_code key)
{
	unsigned i;

	for (i = 0; i < r->setup.nbinds; i++)
		if (r->setup.binds[i].prefix == r->at.prefix &&
		    r->setup.binds[i].key == key)
			return &r->setup.binds[i];
	return NULL;
}

enum sync_switch_did
sync_switch_key(struct sync_switch_replay *r, key_code key)
{
	const struct sync_switch_bind *b;
	enum sync_switch_did did;
	unsigned i;

	key &= ~(key_code)KEY_LOCKS;
	if (r->repeats)
		return SYNC_SWITCH_STOPPED;
	for (i = 0; !r->at.prefix && i < SYNC_SWITCH_PREFIXES; i++)
		if (key == r->setup.prefixes[i] && key != KEY_NONE) {
			r->at.prefix = true;
			return SYNC_SWITCH_TAKEN;
		}
	b = find_bind(r, key);
	if (b == NULL)
		return r->at.prefix ? SYNC_SWITCH_STOPPED : SYNC_SWITCH_PASSED;
	did = run_bind(r, b, -1);
	if (did == SYNC_SWITCH_STOPPED)
		return did;
	r->acted = r->acted || did == SYNC_SWITCH_SHOWS;
	r->at.prefix = false;
	r->repeats = b->repeat;
	return did;
}

/* Returns the key of an event over a window's name, or 0: it does nothing. */
static key_code
bar_key(const struct mouse_event *ev)
{
	key_code key;

	if (ev->button == MOUSE_WHEEL_UP)
		key = key_mouse(KEY_MOUSE_WHEEL_UP, 0, KEY_MOUSE_AT_STATUS);
	else if (ev->button == MOUSE_WHEEL_DOWN)
		key = key_mouse(KEY_MOUSE_WHEEL_DOWN, 0, KEY_MOUSE_AT_STATUS);
	else if (ev->action == MOUSE_PRESS)
		key = key_mouse(
		    KEY_MOUSE_DOWN, (unsigned)ev->button, KEY_MOUSE_AT_STATUS);
	else
		return 0;
	return key | ev->mods;
}

/* Returns the range at a cell of the status lines, or NULL. */
static const struct sync_switch_range *
bar_range(const struct sync_switch_bar *bar, int x, int y)
{
	const struct sync_switch_range *g;
	unsigned i;

	for (i = 0; i < bar->n; i++) {
		g = &bar->ranges[i];
		if (g->row == y && x >= g->from && x < g->to)
			return g;
	}
	return NULL;
}

enum sync_switch_did
sync_switch_mouse(struct sync_switch_replay *r,
    const struct sync_switch_bar *bar, const struct mouse_event *ev, bool again)
{
	const struct sync_switch_range *g;
	const struct sync_switch_bind *b;
	const key_code key = bar_key(ev);
	enum sync_switch_did did;

	/* The mouse ends the prefix. */
	if (r->at.prefix || r->repeats)
		return SYNC_SWITCH_STOPPED;
	if (key == 0 || ev->x < bar->x || ev->x >= bar->x + bar->w ||
	    ev->y < bar->y || ev->y >= bar->y + bar->h)
		return SYNC_SWITCH_PASSED;
	g = bar_range(bar, ev->x - bar->x, ev->y - bar->y);
	if (again || g == NULL || (b = find_bind(r, key)) == NULL)
		return SYNC_SWITCH_STOPPED;
	did = run_bind(r, b, link_of(r, g->index));
	r->acted = r->acted || did == SYNC_SWITCH_SHOWS;
	return did;
}

enum sync_switch_did
sync_switch_wheel(struct sync_switch_replay *r, key_code key)
{
	const struct sync_switch_bind *b;

	/* The mouse ends the prefix. */
	if (r->at.prefix || r->repeats)
		return SYNC_SWITCH_STOPPED;
	b = find_bind(r, key);
	return b == NULL ? SYNC_SWITCH_PASSED : run_bind(r, b, -1);
}
