#include "mux/sync/part.h"

#include "base/err.h"
#include "base/mem.h"
#include "mux/sync/cells.h"
#include "mux/sync/frame.h"

#define PART_STATE (16u << 10) /* bytes of a frame's fields, at most */
#define PART_ROW 16            /* bytes before a row's cells */
#define PART_LEAST (PART_STATE + (8u << 10)) /* least room to begin a frame */

/* Returns one of 0..n-1; results of successive turns are far apart. */
static size_t
part_start(uint64_t turn, size_t n)
{
	return (size_t)((turn * UINT64_C(0x9e3779b97f4a7c15) >> 32) * n >> 32);
}

/* --- effects -------------------------------------------------------------- */

static void
effects_drop_oldest(struct sync_view *v)
{
	size_t i;

	sync_effect_unref(v->effects[0]);
	v->neffects--;
	for (i = 0; i < v->neffects; i++)
		v->effects[i] = v->effects[i + 1];
}

static void
effects_take(struct sync_view *v, struct sync_effect *e)
{
	if (v->neffects == SYNC_EFFECTS_MAX)
		effects_drop_oldest(v);
	e->refs++;
	v->effects[v->neffects++] = e;
}

/*
 * Gives V the effects of OLD and then as many of NEW's as fit, at least one.
 * Returns their bytes; *ALL: all fit.
 */
static size_t
part_effects(struct sync_view *v, const struct sync_view *old,
    const struct sync_view *new, bool *all)
{
	uint64_t last = sync_view_last_effect(old);
	size_t i, bytes, used = 0;

	while (v->neffects > 0)
		effects_drop_oldest(v);
	for (i = 0; i < old->neffects; i++)
		effects_take(v, old->effects[i]);
	for (i = 0; i < new->neffects; i++) {
		if (new->effects[i]->num <= last)
			continue;
		bytes = new->effects[i]->len + PART_ROW;
		if (used > 0 && used + bytes > SSP_PART_MAX) {
			*all = false;
			break;
		}
		effects_take(v, new->effects[i]);
		used += bytes;
	}
	return used;
}

/* --- frames --------------------------------------------------------------- */

/* Returns the bytes of the columns FROM..TO-1, at most MAX + 1. */
static size_t
cells_cost(const struct vt_line *line, unsigned from, unsigned to, size_t max)
{
	struct buf b;
	size_t n;

	buf_init(&b, max);
	sync_cells_put(&b, line, from, to, true);
	n = b.overflow ? max + 1 : b.len;
	buf_fini(&b);
	return n;
}

static bool
diff_fits(const struct vt_frame *old, const struct vt_frame *new, size_t max,
    size_t *bytes)
{
	struct buf b;
	bool fits;

	buf_init(&b, max);
	fits = sync_frame_diff(old, new, &b) == 0 && !b.overflow;
	*bytes = b.len;
	buf_fini(&b);
	return fits;
}

/*
 * Copies to row Y of F the first differing columns, as many as MAX bytes allow.
 */
static void
row_part(struct vt_frame *f, const struct vt_frame *old,
    const struct vt_frame *new, unsigned y, size_t max)
{
	const struct vt_line *to = new->lines[y];
	struct vt_line *was = vt_line_ref(f->lines[y]);
	unsigned used = vt_line_used(to), from = 0, n, end;
	size_t bytes;

	used = MAX_OF(used, vt_line_used(was));
	while (from < used && vt_line_cell_equal(was, from, to, from))
		from++;
	while (from > 0 && vt_cell_continues(vt_line_cell(to, from)))
		from--;
	for (n = used - from; n > 0; n = n > 1 ? (n + 1) / 2 : 0) {
		end = from + n;
		while (end < used && vt_cell_continues(vt_line_cell(to, end)))
			end++;
		if (n > 1 && cells_cost(to, from, end, max) > max)
			continue;
		vt_line_copy(
		    NULL, vt_frame_own(f, y), from, to, from, end - from);
		/* Other columns may have to be sent as well. */
		if (diff_fits(old, f, max, &bytes))
			break;
		vt_line_unref(NULL, f->lines[y]);
		f->lines[y] = vt_line_ref(was);
	}
	vt_line_unref(NULL, was);
}

/*
 * Returns a frame with the first changed rows of NEW, from START on, that fit
 * in MAX bytes.
 */
static struct vt_frame *
rows_part(const struct vt_frame *old, const struct vt_frame *new, size_t max,
    unsigned start)
{
	bool same =
	    old != NULL && old->cols == new->cols && old->rows == new->rows;
	size_t left = max - PART_STATE, bytes;
	struct vt_frame *f;
	unsigned i, y = start, taken = 0;

	f = same ? vt_frame_clone(old) : vt_frame_new(new->cols, new->rows);
	vt_frame_state_copy(&f->state, &new->state);
	for (i = 0; i < new->rows; i++) {
		y = (start + i) % new->rows;
		if (vt_line_equal(f->lines[y], new->lines[y]))
			continue;
		bytes = PART_ROW;
		bytes += cells_cost(
		    new->lines[y], 0, vt_line_used(new->lines[y]), left);
		if (bytes > left)
			break;
		vt_line_unref(NULL, f->lines[y]);
		f->lines[y] = vt_line_ref(new->lines[y]);
		left -= bytes;
		taken++;
	}
	/* A row that exceeds MAX alone is sent in pieces. */
	if (i < new->rows && taken == 0)
		row_part(f, old, new, y, max);
	return f;
}

/*
 * Returns the frame for a surface that showed OLD (NULL: it is new): NEW, or as
 * much of it as fits in *LEFT bytes. Subtracts the bytes from *LEFT.
 */
static struct vt_frame *
frame_part(const struct vt_frame *old, const struct vt_frame *new, size_t *left,
    uint64_t turn)
{
	size_t bytes;

	if (old == new || (old != NULL && vt_frame_equal(old, new)))
		return vt_frame_ref(new);
	if (diff_fits(old, new, *left, &bytes)) {
		*left -= bytes;
		return vt_frame_ref(new);
	}
	bytes = *left;
	*left = 0;
	if (bytes >= PART_LEAST)
		return rows_part(
		    old, new, bytes, (unsigned)part_start(turn, new->rows));
	return old != NULL ? vt_frame_ref(old) : vt_frame_new(1, 1);
}

/* The most that copy mode adds to a difference, and a chooser. */
#define PART_COPY                                                    \
 (SYNC_COPY_SCREEN_MAX + SYNC_COPY_SETUP_MAX + SYNC_COPY_STATE_MAX + \
     SYNC_COPY_ASKS_MAX + 2 * SYNC_COPY_TYPED_MAX + PART_ROW)
#define PART_PICK (SYNC_PICK_STATE_MAX + SYNC_PICK_ROWS_MAX + PART_ROW)

_Static_assert(PART_COPY <= SSP_PART_MAX && PART_PICK <= SSP_PART_MAX,
    "each goes at last, alone");

/*
 * Gives V the copy mode of OLD, unless that of NEW fits in LEFT bytes, which it
 * then takes.  Returns whether V has NEW's.
 */
static bool
part_copy(struct sync_view *v, const struct sync_view *old,
    const struct sync_view *new, size_t *left)
{
	if (sync_copy_equal(old->copy, new->copy) &&
	    vt_str_equal(old->setup, new->setup) &&
	    vt_str_equal(old->asks, new->asks))
		return true;
	if (*left >= PART_COPY) {
		*left -= PART_COPY;
		return true;
	}
	sync_copy_unref(v->copy);
	vt_str_unref(v->setup);
	vt_str_unref(v->asks);
	v->copy = sync_copy_ref(old->copy);
	v->setup = vt_str_ref(old->setup);
	v->asks = vt_str_ref(old->asks);
	return false;
}

/* The same for the chooser. */
static bool
part_pick(struct sync_view *v, const struct sync_view *old,
    const struct sync_view *new, size_t left)
{
	if (sync_pick_equal(old->pick, new->pick) || left >= PART_PICK)
		return true;
	sync_pick_unref(v->pick);
	v->pick = sync_pick_ref(old->pick);
	return false;
}

/* The keys of a window that is not wholly there are still to be replayed. */
static void
part_switches(struct sync_view *v, const struct sync_view *old)
{
	sync_switch_unref(v->switches);
	vt_str_unref(v->switch_setup);
	v->switches = sync_switch_ref(old->switches);
	v->switch_setup = vt_str_ref(old->switch_setup);
}

struct sync_view *
sync_view_part(
    const struct sync_view *old, const struct sync_view *new, uint64_t turn)
{
	struct sync_view *v = sync_view_clone(new), *empty = NULL;
	const struct sync_surface *s;
	struct vt_frame *f;
	size_t i, k, start, used, left;
	bool all = true;

	if (old == NULL)
		old = empty = sync_view_new(0, 0);
	used = part_effects(v, old, new, &all);
	left = SSP_PART_MAX - MIN_OF(used, (size_t)SSP_PART_MAX);
	start = part_start(turn, v->nsurfaces);
	for (k = 0; k < v->nsurfaces; k++) {
		i = (start + k) % v->nsurfaces;
		s = sync_view_find(old, v->surfaces[i].id);
		f = frame_part(s == NULL ? NULL : s->frame,
		    v->surfaces[i].frame, &left, turn);
		all = all && (f == v->surfaces[i].frame ||
				 vt_frame_equal(f, v->surfaces[i].frame));
		vt_frame_unref(v->surfaces[i].frame);
		v->surfaces[i].frame = f;
	}
	/* After everything else, and only when that is done. */
	if (!all)
		left = 0;
	all = part_copy(v, old, new, &left) && all;
	all = part_pick(v, old, new, left) && all;
	if (!all) {
		v->echo_ack = old->echo_ack;
		part_switches(v, old);
	}
	sync_view_free(empty);
	if (!all)
		return v;
	sync_view_free(v);
	return sync_view_clone(new);
}
