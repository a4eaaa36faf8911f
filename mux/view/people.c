#include "mux/view/people.h"

#include <string.h>

#include "base/grapheme.h"
#include "mux/session.h"
#include "mux/window.h"

#define PEOPLE_NAME_MS 2500  /* time for which a name is shown after a key */
#define PEOPLE_NAME_MAX 16u  /* columns */
#define PEOPLE_MARKS_MAX 32u /* for one client */

/* The pen of a client's marks; its colour never changes. */
static struct pen
person_pen(const struct client *c)
{
	static const uint8_t colours[] = { 33, 208, 133, 71, 167, 37, 178, 98 };
	const unsigned bg = colours[c->id % ARRAY_LEN(colours)];
	const uint32_t rgb = colour_palette_rgb(bg);
	struct pen pen = { 0 };

	/* Black text where green, which counts most for the eye, is bright. */
	pen.fg = colour_index((rgb >> 8 & 255) > 140 ? 16 : 231);
	pen.bg = colour_index(bg);
	return pen;
}

/* The name of C, or the short one of its terminal: "pts/3". */
static const char *
person_name(const struct client *c)
{
	return strncmp(c->name, "/dev/", 5) == 0 ? c->name + 5 : c->name;
}

/* The text for a mark of one column: all names of terminals begin alike. */
static const char *
person_letter(const struct client *c)
{
	const char *name = person_name(c), *slash = strrchr(name, '/');

	return name != c->name && slash != NULL ? slash + 1 : name;
}

/* Adds a mark with the first COLS columns of TEXT, of C, at (X, Y). */
static void
add_mark(struct sync_view *v, uint64_t id, int x, int y, unsigned cols,
    const struct client *c, const char *text)
{
	struct pen pen = person_pen(c);
	struct vt_frame *f = vt_frame_new(cols, 1);

	f->state.modes &= ~(uint32_t)VT_FRAME_CURSOR_VISIBLE;
	vt_frame_fill(f, &(struct vt_rect){ 0, 0, cols, 1 }, &pen);
	(void)vt_frame_text(
	    f, c->mux->setup.graphemes, 0, 0, cols, text, strlen(text), &pen);
	sync_view_add(v, id, SYNC_SURFACE_CURSOR, x, y, f);
	vt_frame_unref(f);
}

/* Adds C's name above the cursor at (X, Y); below it in the first row. */
static void
add_name(const struct view_builder *b, struct sync_view *v, uint64_t id, int x,
    int y, const struct pane *p, const struct client *c)
{
	const char *name = person_name(c);
	unsigned cols = (unsigned)grapheme_text_width(
	    c->mux->setup.graphemes, name, strlen(name));
	int top = b->window_y + p->y, left = b->window_x + p->x;

	cols = MIN_OF(MIN_OF(cols, PEOPLE_NAME_MAX), (unsigned)p->w);
	if (cols == 0 || p->h < 2)
		return;
	x = MIN_OF(x, left + p->w - (int)cols);
	add_mark(v, id, x, y > top ? y - 1 : y + 1, cols, c, name);
}

bool
view_people_shown(const struct client *c)
{
	return c->session != NULL &&
	       options_flag(&c->session->options, OPTION_OTHER_CURSORS);
}

void
view_people_add(struct view_builder *b, struct sync_view *v,
    const struct window *w, mono_ms now)
{
	const struct client *c = b->cx.client, *o;
	const struct pane *mine = client_pane(c), *p;
	const struct pane *only = client_zoomed(c);
	struct vt_term_cursor cursor;
	const struct map_entry *e;
	unsigned marks = 0;
	mono_ms until;
	int x, y;

	b->people_at = MONO_NEVER;
	if (!view_people_shown(c))
		return;
	MAP_FOREACH(e, &c->mux->clients) {
		o = e->value;
		p = client_pane(o);
		if (o == c || p == NULL || p->window != w ||
		    (only != NULL && p != only) || !client_may_type(o, p) ||
		    marks >= PEOPLE_MARKS_MAX)
			continue;
		cursor = vt_term_cursor(p->term);
		x = b->window_x + p->x + (int)cursor.x;
		y = b->window_y + p->y + (int)cursor.y;
		if (p != mine)
			add_mark(v, VIEW_SURFACE_PEOPLE + marks++, x, y, 1, o,
			    person_letter(o));
		until = mono_add(o->typed_at, PEOPLE_NAME_MS);
		if (o->typed_at == 0 || now >= until)
			continue;
		add_name(b, v, VIEW_SURFACE_PEOPLE + marks++, x, y, p, o);
		b->people_at = mono_min(b->people_at, until);
	}
}
