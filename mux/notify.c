#include "mux/notify.h"

#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "mux/client.h"
#include "mux/pane.h"
#include "mux/session.h"
#include "mux/window.h"

#define OUTER_ID "rmux-%llx-%llu"

static const char *const kind_names[] = {
	[NOTIFY_OSC9] = "osc9",
	[NOTIFY_OSC777] = "osc777",
	[NOTIFY_OSC99] = "osc99",
	[NOTIFY_BELL] = "bell",
	[NOTIFY_PROGRESS] = "progress",
};

/* VT_PROGRESS_ERROR, and others that are no running progress. */
static bool
progress_runs(int state)
{
	return state != VT_PROGRESS_NONE && state != VT_PROGRESS_ERROR;
}

const char *
notify_kind_name(enum notify_kind kind)
{
	return kind_names[kind];
}

struct notify *
notify_new(void)
{
	return mem_zalloc(sizeof(struct notify));
}

static void
entry_free(struct notify_entry *e)
{
	notify99_note_fini(&e->note);
	mem_free(e->window);
	mem_free(e->title);
	mem_free(e->body);
	mem_free(e);
}

void
notify_free(struct notify *n)
{
	size_t i;

	if (n == NULL)
		return;
	for (i = 0; i < n->count; i++)
		entry_free(n->all[i]);
	mem_free(n);
}

struct notify_pane *
notify_pane(struct pane *p)
{
	if (p->notify == NULL) {
		p->notify = mem_zalloc(sizeof(*p->notify));
		notify99_init(&p->notify->parts);
	}
	return p->notify;
}

/* --- limits ------------------------------------------------------------------ */

bool
notify_bucket_take(
    struct notify_bucket *b, mono_ms now, unsigned burst, mono_ms each)
{
	if (b->full_at < now)
		b->full_at = now;
	if (b->full_at - now > (burst - 1) * each)
		return false;
	b->full_at = mono_add(b->full_at, each);
	return true;
}

bool
notify_admit(struct pane *p)
{
	struct notify_pane *np = notify_pane(p);
	struct notify *n = p->mux->notify;
	mono_ms now = p->mux->now;

	if (notify_bucket_take(
		&np->bucket, now, NOTIFY_PANE_BURST, NOTIFY_PANE_MS) &&
	    notify_bucket_take(
		&n->bucket, now, NOTIFY_ALL_BURST, NOTIFY_ALL_MS))
		return true;
	np->dropped++;
	n->dropped++;
	return false;
}

/* --- the list ---------------------------------------------------------------- */

static char *
plain_new(const char *s, size_t max)
{
	return notify99_plain_new(s, strlen(s), max);
}

void
notify_remove(struct notify *n, struct notify_entry *e)
{
	size_t i;

	for (i = 0; i < n->count && n->all[i] != e; i++)
		;
	bug_assert(i < n->count);
	notify_see(n, e);
	memmove(&n->all[i], &n->all[i + 1],
	    (n->count - i - 1) * sizeof(struct notify_entry *));
	n->count--;
	entry_free(e);
}

void
notify_clear(struct mux *m)
{
	struct map_entry *e;
	struct pane *p;

	while (m->notify->count > 0)
		notify_remove(m->notify, m->notify->all[0]);
	m->notify->dropped = 0;
	MAP_FOREACH(e, &m->panes) {
		p = e->value;
		if (p->notify != NULL)
			p->notify->dropped = 0;
	}
}

/* Adds an empty entry at the end. */
static struct notify_entry *
entry_new(struct notify *n, const struct pane *p)
{
	struct notify_entry *e = mem_zalloc(sizeof(*e));

	if (n->count == NOTIFY_MAX)
		notify_remove(n, n->all[0]);
	if (n->born == 0)
		n->born = p->mux->wall;
	e->number = ++n->next;
	e->pane = p->id;
	n->unseen++;
	notify99_note_init(&e->note);
	n->all[n->count++] = e;
	return e;
}

/* Moves an entry to the end of the list, as unseen. */
static void
entry_renew(struct notify *n, struct notify_entry *e)
{
	size_t i;

	for (i = 0; n->all[i] != e; i++)
		;
	memmove(&n->all[i], &n->all[i + 1],
	    (n->count - i - 1) * sizeof(struct notify_entry *));
	n->all[n->count - 1] = e;
	n->unseen += e->seen;
	e->seen = false;
}

static void
entry_note(struct notify_entry *e, const struct notify99_note *note)
{
	notify99_note_fini(&e->note);
	if (note == NULL)
		return;
	e->note = *note;
	e->note.title = e->note.body = NULL;
	e->note.buttons =
	    note->buttons == NULL ? NULL : mem_strdup(note->buttons);
}

static void
entry_set(struct notify_entry *e, struct pane *p, const struct notify_text *t)
{
	struct notify_pane *np = notify_pane(p);
	char number[24];
	struct buf b;

	mem_free(e->window);
	mem_free(e->title);
	mem_free(e->body);
	e->kind = t->kind;
	e->time = p->mux->wall;
	e->window = plain_new(p->window->name, NOTIFY_NAME_MAX);
	e->title = plain_new(t->title, NOTIFY_TITLE_MAX);
	e->body = plain_new(t->body, NOTIFY_BODY_MAX);
	mem_free(np->last);
	np->last = notify_text_new(e);
	buf_init(&b, sizeof(number));
	(void)buf_add_uint(&b, e->number);
	mux_say(p->mux, MUX_EVENT_PANE_NOTIFICATION, NULL, p->window, p,
	    buf_cstr(&b));
	buf_fini(&b);
}

/* Returns the entry that TEXT writes over, or NULL. */
static struct notify_entry *
entry_same(const struct pane *p, const struct notify_text *text)
{
	const struct notify *n = p->mux->notify;
	size_t i;

	if (text->note != NULL && *text->note->id != '\0')
		return notify_find_id(p, text->note->id);
	for (i = 0; text->kind == NOTIFY_BELL && i < n->count; i++)
		if (n->all[i]->pane == p->id && !n->all[i]->seen &&
		    n->all[i]->kind == NOTIFY_BELL)
			return n->all[i];
	return NULL;
}

struct notify_entry *
notify_oldest(const struct pane *p, const struct notify_text *text)
{
	const struct notify *n = p->mux->notify;

	return n->count < NOTIFY_MAX || entry_same(p, text) != NULL ? NULL
								    : n->all[0];
}

struct notify_entry *
notify_add(struct pane *p, const struct notify_text *text, bool seen)
{
	struct notify *n = p->mux->notify;
	struct notify_entry *e = entry_same(p, text);

	if (e == NULL)
		e = entry_new(n, p);
	else
		entry_renew(n, e);
	entry_note(e, text->note);
	entry_set(e, p, text);
	if (seen)
		notify_see(n, e);
	return e;
}

bool
notify_progressed(struct pane *p, int state)
{
	struct notify_pane *np;
	bool runs = progress_runs(state);

	if (!runs && p->notify == NULL)
		return false;
	np = notify_pane(p);
	if (np->progress == runs)
		return false;
	np->progress = runs;
	if (runs) {
		np->progress_at = p->mux->now;
		return false;
	}
	return p->mux->now - np->progress_at > NOTIFY_PROGRESS_MS;
}

/* --- looking for entries ------------------------------------------------------- */

struct notify_entry *
notify_find(const struct notify *n, uint64_t number)
{
	size_t i;

	for (i = 0; i < n->count; i++)
		if (n->all[i]->number == number)
			return n->all[i];
	return NULL;
}

struct notify_entry *
notify_find_id(const struct pane *p, const char *id)
{
	const struct notify *n = p->mux->notify;
	struct notify_entry *e;
	size_t i;

	for (i = n->count; i > 0; i--) {
		e = n->all[i - 1];
		if (e->pane == p->id && e->kind == NOTIFY_OSC99 && !e->closed &&
		    strcmp(e->note.id, id) == 0)
			return e;
	}
	return NULL;
}

struct notify_entry *
notify_newest(const struct mux *m)
{
	const struct notify *n = m->notify;
	size_t i;

	for (i = n->count; i > 0; i--)
		if (!n->all[i - 1]->seen &&
		    mux_pane(m, n->all[i - 1]->pane) != NULL)
			return n->all[i - 1];
	return NULL;
}

size_t
notify_unseen(const struct mux *m, const struct session *s,
    const struct window *w, const struct pane *p)
{
	const struct notify *n = m->notify;
	const struct pane *of;
	size_t i, count = 0;

	for (i = 0; n->unseen > 0 && i < n->count; i++) {
		if (n->all[i]->seen || n->all[i]->kind == NOTIFY_BELL)
			continue;
		if (s == NULL && w == NULL && p == NULL) {
			count++;
			continue;
		}
		of = mux_pane(m, n->all[i]->pane);
		count += of != NULL && (p == NULL || of == p) &&
			 (w == NULL || of->window == w) &&
			 (s == NULL || session_link_to(s, of->window) != NULL);
	}
	return count;
}

/* --- what persons have seen ---------------------------------------------------- */

void
notify_see(struct notify *n, struct notify_entry *e)
{
	n->unseen -= !e->seen;
	e->seen = true;
}

bool
notify_see_pane(struct pane *p)
{
	struct notify *n = p->mux->notify;
	size_t i, before = n->unseen;

	for (i = 0; i < n->count; i++)
		if (n->all[i]->pane == p->id)
			notify_see(n, n->all[i]);
	return n->unseen != before;
}

bool
notify_see_gone(struct mux *m)
{
	struct notify *n = m->notify;
	size_t i, before = n->unseen;

	for (i = 0; i < n->count; i++)
		if (mux_pane(m, n->all[i]->pane) == NULL)
			notify_see(n, n->all[i]);
	return n->unseen != before;
}

struct winlink *
notify_link(const struct session *s, const struct pane *p)
{
	struct winlink *wl = s == NULL ? NULL : session_link_to(s, p->window);
	const struct list_node *n = list_first(&p->window->links);

	if (wl == NULL && n != NULL)
		wl = container_of(n, struct winlink, window_node);
	return wl;
}

bool
notify_shows(const struct client *c, const struct pane *p)
{
	const struct winlink *wl = client_link(c);
	const struct pane *zoomed = client_zoomed(c);

	return wl != NULL && wl->window == p->window &&
	       (zoomed != NULL ? zoomed == p : pane_visible(p));
}

bool
notify_looked_at(const struct pane *p, bool active)
{
	const struct map_entry *e;
	const struct client *c;

	MAP_FOREACH(e, &p->mux->clients) {
		c = e->value;
		if (!c->guest && (c->flags & CLIENT_FOCUSED) != 0 &&
		    (c->flags & CLIENT_SUSPENDED) == 0 && notify_shows(c, p) &&
		    (!active || client_pane(c) == p))
			return true;
	}
	return false;
}

bool
notify_look(struct mux *m)
{
	struct notify *n = m->notify;
	size_t i, before = n->unseen;
	const struct pane *p;

	for (i = 0; n->unseen > 0 && i < n->count; i++)
		if (!n->all[i]->seen &&
		    (p = mux_pane(m, n->all[i]->pane)) != NULL &&
		    notify_looked_at(p, false))
			notify_see(n, n->all[i]);
	return n->unseen != before;
}

/* --- texts --------------------------------------------------------------------- */

char *
notify_text_new(const struct notify_entry *e)
{
	if (*e->title == '\0' || *e->body == '\0')
		return mem_strdup(*e->title == '\0' ? e->body : e->title);
	return mem_printf("%s: %s", e->title, e->body);
}

char *
notify_outer_id_new(const struct notify *n, const struct notify_entry *e)
{
	return mem_printf(OUTER_ID, (unsigned long long)n->born,
	    (unsigned long long)e->number);
}

struct notify_entry *
notify_outer_find(const struct notify *n, const char *id)
{
	const char *dash = strrchr(id, '-');
	struct notify_entry *e;
	int64_t number;
	char *whole;
	bool same;

	if (dash == NULL || str_to_int(dash + 1, 1, INT64_MAX, &number) != 0)
		return NULL;
	e = notify_find(n, (uint64_t)number);
	if (e == NULL)
		return NULL;
	whole = notify_outer_id_new(n, e);
	same = strcmp(whole, id) == 0;
	mem_free(whole);
	return same ? e : NULL;
}
