#include "server/face/echo.h"

#include <string.h>

#include "base/compiler.h"

#define ECHO_ROWS 2 /* rows, without the cursor's, that an answer must change */

void
echo_init(struct echo *e)
{
	*e = (struct echo){ .due_at = MONO_NEVER, .later_at = MONO_NEVER };
}

void
echo_fini(struct echo *e)
{
	vt_frame_unref(e->last);
	vt_frame_unref(e->base);
	e->last = e->base = NULL;
}

static bool
echo_alternate(const struct vt_frame *f)
{
	return (f->state.modes & VT_FRAME_ALTERNATE) != 0;
}

static bool
echo_pending(const struct echo *e)
{
	return e->newest > e->ack;
}

/* Gives up recognizing the answer to the pending inputs by its effect. */
static void
echo_blind(struct echo *e)
{
	vt_frame_unref(e->base);
	e->base = NULL;
	e->plain = e->still = e->stirred = e->exact = false;
	e->n = 0;
}

/* Begins a new set of pending inputs. */
static void
echo_begin(struct echo *e, mono_ms now, bool fresh)
{
	echo_blind(e);
	if (!fresh || e->last == NULL || now < e->slow_until)
		return;
	e->base = vt_frame_ref(e->last);
	e->plain = true;
	e->still = now - e->changed_at >= ECHO_QUIET && now >= e->noise_until;
}

void
echo_input(struct echo *e, mono_ms now, uint64_t index, uint32_t cp, bool fresh)
{
	(void)echo_expire(e, now);
	if (!echo_pending(e))
		echo_begin(e, now, fresh);
	else
		e->still = false; /* several inputs: cannot tell which */
	if (cp < 0x20 || cp == 0x7f || e->n == ECHO_TEXT)
		e->plain = false;
	else if (e->plain) {
		e->at[e->n] = index;
		e->cp[e->n++] = cp;
	}
	e->newest = index;
	e->newest_at = now;
	if (e->due_at == MONO_NEVER || e->due_at == mono_add(now, ECHO_MS)) {
		e->due = index;
		e->due_at = mono_add(now, ECHO_MS);
		return;
	}
	e->later = index;
	e->later_at = mono_add(now, ECHO_MS);
}

/* The frame shows the answer to the inputs up to INDEX: acknowledges them. */
static void
echo_seen(struct echo *e, uint64_t index)
{
	e->ack = index;
	if (e->later_at != MONO_NEVER && e->later <= index)
		e->later_at = MONO_NEVER;
	if (e->due_at != MONO_NEVER && e->due <= index) {
		e->due = e->later;
		e->due_at = e->later_at;
		e->later_at = MONO_NEVER;
	}
}

bool
echo_kept(const struct vt_line *old, const struct vt_line *new, unsigned x,
    unsigned n, unsigned cols)
{
	while (x < cols && vt_line_cell_equal(old, x - n, new, x))
		x++;
	while (x < cols && vt_line_cell_equal(old, x, new, x))
		x++;
	return x >= cols;
}

/* How many of the pending characters F shows from the old cursor on. */
static unsigned
echo_text(const struct echo *e, const struct vt_frame *f)
{
	unsigned x = e->base->state.x, n, i;
	uint32_t ch;

	if (!e->plain || f->state.y != e->base->state.y || f->state.x <= x ||
	    f->state.y >= f->rows)
		return 0;
	n = f->state.x - x;
	if (n > e->n)
		return 0;
	for (i = 0; i < n; i++) {
		ch = vt_line_cell(f->lines[f->state.y], x + i).ch;
		if (ch != e->cp[i] && (ch != 0 || e->cp[i] != ' '))
			return 0;
	}
	if (echo_alternate(f) &&
	    echo_kept(e->base->lines[f->state.y], f->lines[f->state.y],
		f->state.x, n, f->cols))
		return n;
	/* Text behind the cursor (a suggestion) may still change. */
	for (x = f->state.x; x < f->cols; x++)
		if (vt_line_cell(f->lines[f->state.y], x).ch > ' ')
			return 0;
	return n;
}

/* Whether F shows the effect of a key that is not text. */
static bool
echo_moved(const struct echo *e, const struct vt_frame *f)
{
	const struct vt_frame *b = e->base;
	unsigned y, n = 0, want = ECHO_ROWS;

	if (!e->still || !echo_alternate(f))
		return false;
	/*
	 * The cursor in another row may be only on its way, unless a page of
	 * rows has changed.
	 */
	if (f->state.y != b->state.y) {
		if ((f->state.modes & VT_FRAME_CURSOR_VISIBLE) == 0)
			return false;
		want = MAX_OF(ECHO_PAGE, f->rows / 4u);
	}
	for (y = 0; y < f->rows && n < want; y++)
		if (y != f->state.y && f->lines[y] != b->lines[y] &&
		    !vt_line_equal(f->lines[y], b->lines[y]))
			n++;
	return n >= want;
}

/* Frame F differs from the last one: acknowledges the inputs it answers. */
static void
echo_answer(struct echo *e, mono_ms now, const struct vt_frame *f)
{
	unsigned n;

	if (!e->stirred)
		e->stirred_at = now;
	e->stirred = true;
	if (now - e->stirred_at >= ECHO_PIECES)
		e->still = false;
	if (!echo_pending(e) || e->base == NULL || e->base->cols != f->cols ||
	    e->base->rows != f->rows)
		return;
	if ((n = echo_text(e, f)) > 0) {
		echo_seen(e, e->at[n - 1]);
		e->exact = true;
		e->n -= n;
		memmove(e->cp, e->cp + n, e->n * sizeof(e->cp[0]));
		memmove(e->at, e->at + n, e->n * sizeof(e->at[0]));
		vt_frame_unref(e->base);
		e->base = vt_frame_ref(e->last);
	} else if (echo_moved(e, f)) {
		echo_seen(e, e->newest);
	}
}

bool
echo_look(struct echo *e, mono_ms now, uint64_t pane, struct vt_frame *f)
{
	uint64_t before = e->ack;
	bool changed = false;

	if (f == e->last && pane == e->pane)
		return false;
	if (f == NULL || pane != e->pane) {
		echo_blind(e);
		e->noise_until = e->slow_until = 0;
		e->settled_at = now + ECHO_SETTLE;
	} else if (e->last != NULL && !vt_frame_equal(e->last, f)) {
		changed = true;
		e->changed_at = now;
		if (e->last->cols != f->cols || e->last->rows != f->rows)
			e->settled_at = now + ECHO_SETTLE;
		if (now < e->settled_at)
			; /* drawn for the new size: no noise */
		else if (!echo_pending(e) && now - e->newest_at >= ECHO_LATE)
			e->noise_until = now + ECHO_NOISE;
		else if (!echo_pending(e) && now < e->slow_until)
			e->slow_until = now + ECHO_SLOW;
	}
	e->pane = pane;
	vt_frame_unref(e->last);
	e->last = f == NULL ? NULL : vt_frame_ref(f);
	e->exact = e->exact && !changed;
	if (changed)
		echo_answer(e, now, f);
	return e->ack != before;
}

bool
echo_flooded(struct echo *e)
{
	if (!echo_pending(e) || !e->still || e->plain)
		return false;
	echo_seen(e, e->newest);
	return true;
}

/* Whether CP begins text input in an editor such as vi. */
static bool
echo_opens(uint32_t cp)
{
	return cp != 0 && cp < 0x80 &&
	       strchr("aAcCiIoOrRsS:/?!", (int)cp) != NULL;
}

/*
 * Whether a full-screen program has answered with a change that is neither
 * the pending text nor the start of text.
 */
static bool
echo_no_text(const struct echo *e)
{
	const struct vt_frame *b = e->base, *f = e->last;

	if (b == NULL || f == NULL || !e->stirred || !echo_alternate(b) ||
	    !echo_alternate(f) || b->state.y >= f->rows)
		return false;
	if (!e->plain)
		return e->newest == e->due;
	if (e->n != 1 || echo_opens(e->cp[0]))
		return false;
	if (f->state.y == b->state.y && f->state.x > b->state.x)
		return false;
	return e->cp[0] == ' ' ||
	       vt_line_cell(f->lines[b->state.y], b->state.x).ch != e->cp[0];
}

bool
echo_expire(struct echo *e, mono_ms now)
{
	uint64_t before = e->ack;

	if (now >= e->due_at)
		e->lazy = echo_no_text(e);
	while (now >= e->due_at) {
		e->ack = e->due;
		e->due = e->later;
		e->due_at = e->later_at;
		e->later_at = MONO_NEVER;
	}
	if (e->ack == before)
		return false;
	/* A late answer must not be taken for the answer to the next input. */
	if (e->base != NULL &&
	    (!e->stirred || (e->plain && !echo_alternate(e->base))))
		e->slow_until = now + ECHO_SLOW;
	echo_blind(e);
	return true;
}
