#include "mux/mode/copy.h"

#include "base/mem.h"
#include "mux/mode/copy_int.h"
#include "mux/mux.h"
#include "mux/session.h"
#include "mux/window.h"

static const struct mode_ops copy_ops;

static void
copy_event(struct mode *m, enum mode_event event)
{
	struct copy *c = copy_of(m);

	if (event != MODE_EVENT_OUTPUT)
		return;
	if (c->refresh && !c->stale && c->find == 0 && !c->selecting) {
		c->stale = true;
		mode_dirty(m);
	}
}

/* --- input --------------------------------------------------------------------------- */

static const char *
copy_table(const struct mode *m)
{
	const struct options *o = &m->pane->window->options;

	return options_number(o, OPTION_MODE_KEYS) == MODE_KEYS_VI
		   ? "copy-mode-vi"
		   : "copy-mode";
}

static enum mode_did
copy_mouse(struct mode *m, const struct mouse_event *ev)
{
	struct copy *c = copy_of(m);

	if (c->drag_mouse && ev->action == MOUSE_MOTION)
		copy_drag(c, NULL, ev);
	else
		c->drag_mouse = false;
	return MODE_TAKEN;
}

static void
copy_scrolled(const struct mode *m, uint64_t *above, uint64_t *history)
{
	const struct copy *c = container_of(m, const struct copy, mode);
	const vt_row first = copy_first(c);

	*history = copy_base(c) - first;
	*above = c->top > first ? c->top - first : 0;
}

/* --- life ------------------------------------------------------------------------------ */

static const char *
separators(const struct pane *p)
{
	const struct list_node *n = list_first(&p->window->links);
	const struct winlink *wl;

	if (n == NULL)
		return " ";
	wl = container_of(n, struct winlink, window_node);
	return options_string(&wl->session->options, OPTION_WORD_SEPARATORS);
}

static void
copy_resize(struct mode *m)
{
	const struct copy *c = copy_of(m);
	struct vt_term *own = c->own;

	/* The event may be older than the mode. */
	if ((int)c->cols == m->pane->w && (int)c->rows == m->pane->h)
		return;
	copy_search_stop(m, false);
	if (own != NULL)
		vt_term_resize(own, (unsigned)m->pane->w, (unsigned)m->pane->h);
	copy_resized(copy_of(m));
	copy_search_renew(copy_of(m));
}

/* Line numbers by the option, but not for the mouse nor in view mode. */
static void
set_numbers(struct copy *c, unsigned flags)
{
	const bool off = c->own != NULL || (flags & COPY_OPEN_NO_NUMBERS) != 0;

	c->numbers = off ? 0 : -1;
}

static void
copy_init(struct mode *m)
{
	struct copy *c = copy_of(m);

	copy_begin(c);
	c->separators = mem_strdup(separators(m->pane));
	/* The last search of the pane can be repeated. */
	if (m->pane->search != NULL) {
		c->search_text = mem_strdup(m->pane->search);
		c->search = COPY_SEARCH_UP;
		c->search_regex = m->pane->search_regex;
	}
	set_numbers(c, c->flags);
}

static void
copy_free(struct mode *m)
{
	struct copy *c = copy_of(m);

	copy_search_fini(c);
	copy_text_fini(&c->text);
	vt_term_free(c->own);
	vt_frame_unref(c->screen);
	mem_free(c->separators);
	mem_free(c->search_text);
	mem_free(c);
}

/* clang-format off */
#define COPY_MODE        \
	.init = copy_init,       \
	.draw = copy_draw,       \
	.mouse = copy_mouse,     \
	.command = copy_command, \
	.resize = copy_resize,   \
	.event = copy_event,     \
	.work = copy_search_work, \
	.stop = copy_search_stop, \
	.scrolled = copy_scrolled, \
	.format = copy_format,   \
	.table = copy_table,     \
	.free = copy_free
/* clang-format on */

static const struct mode_ops copy_ops = { .name = "copy-mode", COPY_MODE };
const struct mode_ops copy_view_ops = {
	.name = "view-mode", .key = copy_view_key, COPY_MODE
};

int
copy_mode_open(struct pane *p, struct pane *from, unsigned flags)
{
	struct copy *c = mem_zalloc(sizeof(*c));
	struct mode *m;
	int r;

	c->from = from->id;
	c->flags = flags;
	r = mode_push(p, &c->mode, &copy_ops);
	if (r != 0)
		mem_free(c);
	if (r != -ERR_EXISTS)
		return r;
	if ((m = copy_mode_top(p)) != NULL) {
		set_numbers(copy_of(m), flags);
		mode_dirty(m);
	}
	return 0;
}

struct mode *
copy_mode_try(struct pane *p)
{
	struct copy *c = mem_zalloc(sizeof(*c));

	c->from = p->id;
	c->mode.ops = &copy_ops;
	c->mode.pane = p;
	copy_init(&c->mode);
	return &c->mode;
}

void
copy_mode_drop(struct mode *m)
{
	copy_free(m);
}

struct mode *
copy_mode_top(const struct pane *p)
{
	struct mode *m = mode_top(p);

	return m != NULL && m->ops == &copy_ops ? m : NULL;
}

bool
copy_mode_kills(const struct pane *p)
{
	const struct list_node *n;
	struct mode *m;

	LIST_FOREACH(n, &p->modes) {
		m = container_of(n, const struct pane_mode, node)->data;
		if (m->ops == &copy_ops &&
		    (copy_of(m)->flags & COPY_OPEN_KILL) != 0)
			return true;
	}
	return false;
}

void
copy_mode_page_up(struct pane *p)
{
	struct mode *m = copy_mode_top(p);

	if (m == NULL)
		return;
	copy_sync(copy_of(m));
	copy_page_up(copy_of(m), false);
	mode_dirty(m);
}

void
copy_mode_page_down(struct pane *p, bool scroll_exit)
{
	struct mode *m = copy_mode_top(p);

	if (m == NULL)
		return;
	copy_sync(copy_of(m));
	mode_dirty(m);
	if (copy_page_down(copy_of(m), false, scroll_exit))
		(void)pane_pop_mode(p);
}

struct vt_grid *
copy_mode_grid(struct mode *m)
{
	struct copy *c = copy_of(m);

	if (m->ops != &copy_ops && m->ops != &copy_view_ops)
		return NULL;
	copy_sync(c);
	return c->text.rows.grid;
}

int64_t
copy_mode_time(const struct mode *m, vt_row row)
{
	return copy_time(container_of(m, const struct copy, mode), row);
}

struct text *
copy_mode_text(struct mode *m, vt_row *top, struct vt_pos *cursor)
{
	struct copy *c = copy_of(m);

	if (m->ops != &copy_ops)
		return NULL;
	copy_sync(c);
	*top = c->top;
	*cursor = copy_here(c);
	return &c->text.text;
}

/* --- drags ----------------------------------------------------------------------------- */

/* The state of copy mode on top of P, or NULL. */
static struct copy *
find_copy(const struct pane *p)
{
	struct mode *m = copy_mode_top(p);

	return m == NULL ? NULL : copy_of(m);
}

void
copy_mode_drag(struct pane *p, const struct mouse_event *from,
    const struct mouse_event *to)
{
	struct copy *c = find_copy(p);

	if (c == NULL)
		return;
	copy_sync(c);
	copy_drag(c, from, to);
}

mono_ms
copy_mode_drag_next(struct pane *p, mono_ms now)
{
	struct copy *c = find_copy(p);

	if (c == NULL)
		return MONO_NEVER;
	copy_sync(c);
	return copy_drag_next(c, now);
}

void
copy_mode_slide_begin(struct pane *p, int y, int grab, bool exit)
{
	struct copy *c = find_copy(p);

	if (c == NULL)
		return;
	c->slide = true;
	c->slide_exit = exit;
	c->slide_grab = grab;
	copy_mode_slide(p, y);
}

void
copy_mode_slide(struct pane *p, int y)
{
	struct copy *c = find_copy(p);

	if (c == NULL || !c->slide)
		return;
	copy_sync(c);
	mode_dirty(&c->mode);
	if (copy_slide(c, y))
		(void)pane_pop_mode(p);
}

enum copy_dragging
copy_mode_dragging(const struct pane *p)
{
	const struct copy *c = find_copy(p);

	return c == NULL       ? COPY_DRAGS_NOTHING
	       : c->slide      ? COPY_DRAGS_SLIDER
	       : c->drag_mouse ? COPY_DRAGS_SELECTION
			       : COPY_DRAGS_NOTHING;
}

void
copy_mode_drag_end(struct pane *p)
{
	struct copy *c = find_copy(p);

	if (c != NULL)
		c->drag_mouse = c->slide = false;
}

void
copy_mode_select(struct pane *p, struct vt_pos start, struct vt_pos end,
    const char *pattern, bool regex)
{
	struct mode *m = copy_mode_top(p);

	if (m != NULL)
		copy_show(copy_of(m), start, end, pattern, regex);
}
