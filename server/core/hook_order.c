#include "server/core/hook_order.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* Places of events in the order; others are 17, as they happened. */
static const struct {
	enum mux_event_type type;
	unsigned rank;
} ranks[] = {
	{ MUX_EVENT_PANE_CLOSED, 0 },
	{ MUX_EVENT_SESSION_CLOSED, 1 },
	{ MUX_EVENT_SESSION_GROUP_REMOVED, 1 },
	{ MUX_EVENT_SESSION_WINDOW, 2 },
	{ MUX_EVENT_WINDOW_UNLINKED, 3 },
	{ MUX_EVENT_WINDOW_CLOSED, 3 },
	{ MUX_EVENT_PANE_MODE_ENTERED, 4 },
	{ MUX_EVENT_PANE_MODE_EXITED, 4 },
	{ MUX_EVENT_PANE_MODE, 5 },
	{ MUX_EVENT_PANE_RESIZED, 6 },
	{ MUX_EVENT_PANE_CREATED, 7 },
	{ MUX_EVENT_WINDOW_CREATED, 9 },
	{ MUX_EVENT_WINDOW_LINKED, 10 },
	{ MUX_EVENT_SESSION_CREATED, 11 },
	{ MUX_EVENT_WINDOW_PANE, 13 },
	{ MUX_EVENT_WINDOW_ZOOMED, 14 },
	{ MUX_EVENT_WINDOW_UNZOOMED, 14 },
	{ MUX_EVENT_WINDOW_LAYOUT, 15 },
	{ MUX_EVENT_WINDOW_RESIZED, 16 },
	/* Behind all that the output of a pane has caused. */
	{ MUX_EVENT_ALERT_BELL, 18 },
	{ MUX_EVENT_ALERT_ACTIVITY, 18 },
	{ MUX_EVENT_ALERT_SILENCE, 18 },
};

/* A session that changes to a window which is new tells so behind its pane. */
#define RANK_WINDOW_OF_NEW 8
#define RANK_LINK_ALONE 1 /* of a window that is there already */
#define RANK_OTHERS 17

void
hook_batch_init(struct hook_batch *b)
{
	*b = (struct hook_batch){ NULL, 0, 0 };
}

void
hook_batch_fini(struct hook_batch *b)
{
	size_t i;

	for (i = 0; i < b->count; i++) {
		vars_event_fini(b->entries[i].vars);
		mem_free(b->entries[i].vars);
	}
	mem_free(b->entries);
	hook_batch_init(b);
}

static unsigned
rank_of(enum mux_event_type type)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(ranks); i++)
		if (ranks[i].type == type)
			return ranks[i].rank;
	return RANK_OTHERS;
}

void
hook_batch_add(
    struct hook_batch *b, const struct mux *m, const struct mux_event *e)
{
	struct hook_entry *he;

	if (mux_event_row(e->type)->hook == NULL)
		return;
	/* Panes that have changed places in turn leave the layout as it was. */
	if (e->type == MUX_EVENT_WINDOW_LAYOUT && e->text != NULL)
		return;
	if (b->count == b->room) {
		b->room = b->room == 0 ? 16 : b->room * 2;
		b->entries =
		    mem_resize(b->entries, b->room, sizeof(*b->entries));
	}
	he = &b->entries[b->count];
	*he = (struct hook_entry){ .event = *e, .rank = rank_of(e->type) };
	he->seq = b->count++;
	he->event.text = he->event.owner = he->event.titled = NULL;
	/* A pane that is killed has not exited: its event has no text. */
	he->dropped = e->type == MUX_EVENT_PANE_CLOSED && e->text == NULL;
	/* tmux has the client before it runs its first command. */
	if (e->type == MUX_EVENT_CLIENT_CREATED)
		he->event.step = 0;
	he->vars = mem_zalloc(sizeof(*he->vars));
	vars_event_init(he->vars, m, e);
}

static int
by_rank(const void *a, const void *b)
{
	const struct hook_entry *x = a, *y = b;

	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return x->seq < y->seq ? -1 : x->seq > y->seq;
}

/* Whether one of the N entries E is of TYPE, for WINDOW and PANE. */
static bool
has(const struct hook_entry *e, size_t n, enum mux_event_type type,
    uint32_t window, uint32_t pane)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (e[i].event.type == type &&
		    (window == MUX_NONE || e[i].event.window == window) &&
		    (pane == MUX_NONE || e[i].event.pane == pane))
			return true;
	return false;
}

/* Whether the panes of the window are others than before. */
static bool
has_changed(const struct hook_entry *e, size_t n, uint32_t w)
{
	return has(e, n, MUX_EVENT_PANE_CREATED, w, MUX_NONE) ||
	       has(e, n, MUX_EVENT_PANE_CLOSED, w, MUX_NONE) ||
	       has(e, n, MUX_EVENT_WINDOW_PANE, w, MUX_NONE) ||
	       has(e, n, MUX_EVENT_WINDOW_ZOOMED, w, MUX_NONE) ||
	       has(e, n, MUX_EVENT_WINDOW_UNZOOMED, w, MUX_NONE) ||
	       has(e, n, MUX_EVENT_WINDOW_RESIZED, w, MUX_NONE);
}

/* Whether E[AT] says nothing that another entry of the N does not. */
static bool
is_idle(const struct hook_entry *e, size_t n, size_t at)
{
	const struct mux_event *ev = &e[at].event;

	switch (ev->type) {
	case MUX_EVENT_PANE_TITLE:
		return has(e, n, MUX_EVENT_PANE_CREATED, MUX_NONE, ev->pane);
	case MUX_EVENT_WINDOW_RENAMED:
		return has(
		    e, n, MUX_EVENT_WINDOW_CREATED, ev->window, MUX_NONE);
	case MUX_EVENT_WINDOW_LAYOUT:
		return has(e, n, MUX_EVENT_WINDOW_CREATED, ev->window,
			   MUX_NONE) ||
		       (has_changed(e, n, ev->window) &&
			   has(e + at + 1, n - at - 1, MUX_EVENT_WINDOW_LAYOUT,
			       ev->window, MUX_NONE));
	default:
		return false;
	}
}

/* A window has no name yet when its first pane is made. */
static void
unname(struct vars_event *ve)
{
	size_t i;

	for (i = 0; i < ve->count; i++)
		if (strcmp(ve->vars[i].name, "hook_window_name") == 0)
			ve->vars[i].value = "";
}

/* Places of events of a command that moves a pane to another window. */
static const struct {
	enum mux_event_type type;
	unsigned from;   /* rank for the window that the pane leaves */
	unsigned to;     /* for the one that it enters */
	unsigned broken; /* for the old window, if the other one is new */
} moves[] = {
	{ MUX_EVENT_PANE_RESIZED, 0, 4, 1 },
	{ MUX_EVENT_WINDOW_PANE, 3, 5, 0 },
	{ MUX_EVENT_WINDOW_LINKED, 3, 3, 3 },
	{ MUX_EVENT_WINDOW_CREATED, 5, 5, 5 },
	{ MUX_EVENT_PANE_MOVED, 6, 6, 6 },
	{ MUX_EVENT_WINDOW_UNLINKED, 7, 7, 7 },
	{ MUX_EVENT_WINDOW_CLOSED, 7, 7, 7 },
	{ MUX_EVENT_WINDOW_LAYOUT, 8, 9, 2 },
};

#define RANK_EARLY_LAYOUT 2 /* of the window that a pane leaves */

/*
 * Ranks the N entries E of a command that has moved a pane from one window to
 * another, TO. A swap moves two panes: their windows change at the same time.
 */
static void
rank_moves(struct hook_entry *e, size_t n, uint32_t to)
{
	const bool made = has(e, n, MUX_EVENT_WINDOW_CREATED, to, MUX_NONE);
	bool swapped = false, early = false, enters, last;
	size_t i, k;

	for (i = 0; i < n; i++)
		swapped |= e[i].event.type == MUX_EVENT_PANE_MOVED &&
			   e[i].event.window != to;
	for (i = 0; i < n; i++) {
		enters = e[i].event.window == to;
		e[i].rank = RANK_OTHERS;
		for (k = 0; k < ARRAY_LEN(moves); k++)
			if (moves[k].type == e[i].event.type)
				e[i].rank = enters || swapped ? moves[k].to
					    : made            ? moves[k].broken
							      : moves[k].from;
		e[i].dropped |= made && enters &&
				e[i].event.type == MUX_EVENT_WINDOW_RENAMED;
		if (e[i].event.type != MUX_EVENT_WINDOW_LAYOUT)
			continue;
		if (swapped && !enters)
			e[i].rank--;
		last = !has(e + i + 1, n - i - 1, MUX_EVENT_WINDOW_LAYOUT,
		    e[i].event.window, MUX_NONE);
		if (!enters && !made && !swapped && !last && !early) {
			e[i].rank = RANK_EARLY_LAYOUT;
			early = true;
		} else if (!last || (made && enters))
			e[i].dropped = true;
	}
}

/* Returns the first entry of TYPE, or NULL. */
static const struct hook_entry *
first_of(const struct hook_entry *e, size_t n, enum mux_event_type type)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (e[i].event.type == type)
			return &e[i];
	return NULL;
}

/*
 * The focus moves before the pane or window that has caused it. A new window in
 * the place of the current one has it before it has a name.
 */
static void
rank_focus(struct hook_entry *e, size_t n)
{
	const bool replaced =
	    has(e, n, MUX_EVENT_WINDOW_CREATED, MUX_NONE, MUX_NONE) &&
	    has(e, n, MUX_EVENT_WINDOW_UNLINKED, MUX_NONE, MUX_NONE) &&
	    !has(e, n, MUX_EVENT_SESSION_WINDOW, MUX_NONE, MUX_NONE);
	unsigned next = RANK_OTHERS;
	size_t i;

	for (i = n; i-- > 0;) {
		if (e[i].event.type != MUX_EVENT_PANE_FOCUS_IN &&
		    e[i].event.type != MUX_EVENT_PANE_FOCUS_OUT) {
			if (!e[i].dropped)
				next = e[i].rank;
			continue;
		}
		e[i].rank = replaced ? RANK_WINDOW_OF_NEW : next;
		if (replaced && has(e, n, MUX_EVENT_PANE_CREATED, MUX_NONE,
				    e[i].event.pane))
			unname(e[i].vars);
	}
}

/* Sorts the N entries E of one step of a command. */
static void
sort(struct hook_entry *e, size_t n)
{
	const bool creates =
	    has(e, n, MUX_EVENT_PANE_CREATED, MUX_NONE, MUX_NONE);
	const struct hook_entry *moved = first_of(e, n, MUX_EVENT_PANE_MOVED);
	size_t i;

	if (moved != NULL) {
		rank_moves(e, n, moved->event.window);
		rank_focus(e, n);
		qsort(e, n, sizeof(*e), by_rank);
		return;
	}
	for (i = 0; i < n; i++) {
		e[i].dropped |= is_idle(e, n, i);
		if (e[i].event.type == MUX_EVENT_PANE_CREATED &&
		    has(e, n, MUX_EVENT_WINDOW_CREATED, e[i].event.window,
			MUX_NONE))
			unname(e[i].vars);
		if (creates && e[i].event.type == MUX_EVENT_SESSION_WINDOW)
			e[i].rank = RANK_WINDOW_OF_NEW;
		if (!creates && e[i].event.type == MUX_EVENT_WINDOW_LINKED)
			e[i].rank = RANK_LINK_ALONE;
	}
	rank_focus(e, n);
	/* A group: several steps, each in its order. */
	if (!has(e, n, MUX_EVENT_SESSION_GROUP_ADDED, MUX_NONE, MUX_NONE))
		qsort(e, n, sizeof(*e), by_rank);
}

/* Entries that are looked at together: comparing all is quadratic. */
#define SORT_MAX 64

/* Drops the entries of TYPE about the window W and (unless MUX_NONE) the pane P. */
static void
drop(struct hook_entry *e, size_t n, enum mux_event_type type, uint32_t w,
    uint32_t p)
{
	size_t i;

	for (i = 0; i < n; i++)
		e[i].dropped |= e[i].event.type == type &&
				e[i].event.window == w &&
				(p == MUX_NONE || e[i].event.pane == p);
}

/* Drops what the N entries behind that of a new pane say of it. */
static void
drop_of_pane(struct hook_entry *e, size_t n, size_t at)
{
	const uint32_t w = e[at].event.window, p = e[at].event.pane;

	drop(e, n, MUX_EVENT_PANE_TITLE, w, p);
	/* One whose window is zoomed at once has no size before. */
	if (has(e + at, n - at, MUX_EVENT_WINDOW_ZOOMED, w, MUX_NONE))
		drop(e, n, MUX_EVENT_PANE_RESIZED, w, p);
	/* One in the place of others is active in the same layout. */
	if (!has(e, at, MUX_EVENT_PANE_CLOSED, w, MUX_NONE))
		return;
	drop(e, n, MUX_EVENT_WINDOW_LAYOUT, w, MUX_NONE);
	drop(e, n, MUX_EVENT_WINDOW_PANE, w, p);
}

/* Drops what tells how a new pane, window or session begins. */
static void
drop_idle(struct hook_entry *e, size_t n)
{
	size_t i, k;

	for (i = 0; i < n; i++) {
		if (e[i].event.type == MUX_EVENT_PANE_CREATED)
			drop_of_pane(e, n, i);
		else if (e[i].event.type == MUX_EVENT_WINDOW_CREATED)
			drop(e, n, MUX_EVENT_WINDOW_RENAMED, e[i].event.window,
			    MUX_NONE);
		else if (e[i].event.type == MUX_EVENT_SESSION_CREATED)
			/* As in tmux, new-session attaches without this hook. */
			for (k = i; k < n; k++)
				e[k].dropped |=
				    e[k].event.type ==
					MUX_EVENT_CLIENT_ATTACHED &&
				    e[k].event.session == e[i].event.session;
	}
}

static int
by_step(const void *a, const void *b)
{
	const struct hook_entry *x = a, *y = b;

	if (x->event.step != y->event.step)
		return x->event.step < y->event.step ? -1 : 1;
	return x->seq < y->seq ? -1 : x->seq > y->seq;
}

/* Sorts the N entries E of one command, step by step. */
static void
sort_command(struct hook_entry *e, size_t n)
{
	size_t from = 0, to;

	qsort(e, n, sizeof(*e), by_step);
	for (; from < n; from = to) {
		for (to = from + 1;
		     to < n && e[to].event.step == e[from].event.step; to++)
			;
		if (to - from > 1 && to - from <= SORT_MAX)
			sort(e + from, to - from);
	}
}

void
hook_batch_sort(struct hook_batch *b)
{
	size_t from = 0, to;

	for (; from < b->count; from = to) {
		for (to = from + 1;
		     to < b->count && b->entries[to].event.command ==
					  b->entries[from].event.command;
		     to++)
			;
		if (to - from <= SORT_MAX)
			drop_idle(b->entries + from, to - from);
		sort_command(b->entries + from, to - from);
	}
}
