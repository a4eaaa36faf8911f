#include "mux/view/menu.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "conf/format_text.h"
#include "conf/key_name.h"
#include "mux/client.h"
#include "mux/session.h"
#include "mux/view/text.h"
#include "mux/window.h"

#define MENU_PAGE 5      /* rows of a page up or down */
#define MENU_KEY_EXTRA 3 /* a space and two brackets around a key */
#define MENU_TEXT_MAX (1 << 16)

struct view_menu *
view_menu_new(const struct grapheme_table *gt, const char *title)
{
	struct view_menu *m = mem_zalloc(sizeof(*m));

	m->title = mem_strdup(title);
	m->width = (int)format_text_width(gt, title, strlen(title));
	m->choice = -1;
	view_box_look_init(&m->look);
	return m;
}

void
view_menu_free(struct view_menu *m)
{
	int i;

	if (m == NULL)
		return;
	for (i = 0; i < m->count; i++)
		mem_free(m->rows[i].name);
	mem_free(m->rows);
	mem_free(m->title);
	view_box_look_fini(&m->look);
	mem_free(m);
}

/* --- rows ----------------------------------------------------------------------- */

static int
add_row(struct view_menu *m, const struct view_menu_row *row)
{
	if (m->count == VIEW_MENU_ROWS_MAX)
		return -ERR_LIMIT;
	m->rows = mem_resize(m->rows, (size_t)m->count + 1, sizeof(*m->rows));
	m->rows[m->count++] = *row;
	m->shown = m->count;
	return 0;
}

int
view_menu_add_line(struct view_menu *m)
{
	const struct view_menu_row row = { .key = KEY_NONE };

	if (m->count == 0 || m->rows[m->count - 1].name == NULL)
		return 0;
	return add_row(m, &row);
}

/*
 * NAME cut to COLS columns, and KEY in brackets at the right.  The key is shown
 * if it is short, or if all of the text fits beside it.
 */
static char *
row_text_new(const struct grapheme_table *gt, const char *name, const char *key,
    size_t cols)
{
	size_t width = format_text_width(gt, name, strlen(name));
	const char *cut = "";
	struct buf b;
	char *text;
	size_t n;

	if (key != NULL) {
		n = strlen(key) + MENU_KEY_EXTRA;
		if (n <= cols / 4)
			cols -= n;
		else if (n >= cols || width >= cols - n)
			key = NULL;
	}
	if (width > cols) {
		cols--;
		cut = ">";
	}
	buf_init(&b, MENU_TEXT_MAX);
	format_text_trim_right(gt, name, strlen(name), cols, &b);
	text = key == NULL ? mem_printf("%s%s", buf_cstr(&b), cut)
			   : mem_printf("%s%s#[default] #[align=right](%s)",
				 buf_cstr(&b), cut, key);
	buf_fini(&b);
	return text;
}

int
view_menu_add(struct view_menu *m, const struct grapheme_table *gt,
    const char *name, key_code key, size_t item, int cols)
{
	struct view_menu_row row = { .key = key, .item = item };
	char text[KEY_NAME_MAX];
	const char *shown = NULL;
	size_t width;

	if (*name == '\0')
		return 0;
	row.off = *name == '-';
	if (row.off)
		name++;
	else if (key != KEY_NONE)
		shown = key_name_format(key, text, sizeof(text));
	row.name = row_text_new(
	    gt, name, shown, (size_t)MAX_OF(cols - VIEW_MENU_FRAME_W, 1));
	if (add_row(m, &row) != 0) {
		mem_free(row.name);
		return -ERR_LIMIT;
	}
	width = format_text_width(gt, row.name, strlen(row.name));
	m->width = MAX_OF(m->width, (int)width);
	return 0;
}

/* Scrolls until ROW, if there is one, is in sight. */
static void
scroll_to(struct view_menu *m, int row)
{
	if (row >= 0 && row < m->offset)
		m->offset = row;
	if (row >= m->offset + m->shown)
		m->offset = row - m->shown + 1;
	m->offset = CLAMP(m->offset, 0, m->count - m->shown);
}

bool
view_menu_fit(struct view_menu *m, int cols, int rows)
{
	int w, h;

	if (cols <= VIEW_MENU_FRAME_W || rows <= VIEW_MENU_FRAME_H)
		return false;
	m->width = MIN_OF(m->width, cols - VIEW_MENU_FRAME_W);
	m->shown = MIN_OF(m->count, rows - VIEW_MENU_FRAME_H);
	w = m->width + VIEW_MENU_FRAME_W;
	h = view_menu_height(m);
	m->x = CLAMP(m->x, 0, cols - w);
	m->y = CLAMP(m->y, 0, rows - h);
	scroll_to(m, m->choice);
	return true;
}

/* --- the choice ------------------------------------------------------------------- */

static bool
is_on(const struct view_menu *m, int row)
{
	return m->rows[row].name != NULL && !m->rows[row].off;
}

/* The first row that is on from ROW in steps of BY, around the ends, or -1. */
static int
find_on(const struct view_menu *m, int row, int by)
{
	int i;

	for (i = 0; i < m->count; i++, row += by) {
		row = (row + m->count) % m->count;
		if (is_on(m, row))
			return row;
	}
	return -1;
}

void
view_menu_start(struct view_menu *m, int64_t row)
{
	m->choice = -1;
	if (m->count == 0 || row < 0)
		return;
	if (row >= m->count)
		m->choice = find_on(m, m->count - 1, -1);
	else
		m->choice = find_on(m, (int)row, 1);
}

static void
step_up(struct view_menu *m)
{
	m->choice =
	    find_on(m, m->choice <= 0 ? m->count - 1 : m->choice - 1, -1);
}

static void
step_down(struct view_menu *m)
{
	m->choice = find_on(m, m->choice + 1, 1);
}

/* MENU_PAGE rows that are on further, or as far as there are. */
static void
page(struct view_menu *m, int by)
{
	int row = MAX_OF(m->choice, 0), left = MENU_PAGE, found = -1;

	while (left > 0 && row + by >= 0 && row + by < m->count) {
		row += by;
		if (!is_on(m, row))
			continue;
		found = row;
		left--;
	}
	if (found >= 0)
		m->choice = found;
	else if (m->choice < 0)
		m->choice = find_on(m, 0, 1);
}

static void
page_up(struct view_menu *m)
{
	page(m, -1);
}

static void
page_down(struct view_menu *m)
{
	page(m, 1);
}

static void
go_first(struct view_menu *m)
{
	m->choice = find_on(m, 0, 1);
}

static void
go_last(struct view_menu *m)
{
	m->choice = find_on(m, m->count - 1, -1);
}

/* Rows without a function close the menu, or run the choice. */
static const struct {
	key_code key;
	void (*move)(struct view_menu *m);
	enum view_menu_did did;
} menu_keys[] = {
	{ KEY_UP, step_up, VIEW_MENU_MOVED },
	{ KEY_BTAB, step_up, VIEW_MENU_MOVED },
	{ 'k', step_up, VIEW_MENU_MOVED },
	{ KEY_DOWN, step_down, VIEW_MENU_MOVED },
	{ 'j', step_down, VIEW_MENU_MOVED },
	{ KEY_PPAGE, page_up, VIEW_MENU_MOVED },
	{ 'b' | KEY_CTRL, page_up, VIEW_MENU_MOVED },
	{ KEY_NPAGE, page_down, VIEW_MENU_MOVED },
	{ 'f' | KEY_CTRL, page_down, VIEW_MENU_MOVED },
	{ KEY_HOME, go_first, VIEW_MENU_MOVED },
	{ 'g', go_first, VIEW_MENU_MOVED },
	{ KEY_END, go_last, VIEW_MENU_MOVED },
	{ 'G', go_last, VIEW_MENU_MOVED },
	{ KEY_ENTER, NULL, VIEW_MENU_CHOSEN },
	{ KEY_ESCAPE, NULL, VIEW_MENU_CLOSED },
	{ 'c' | KEY_CTRL, NULL, VIEW_MENU_CLOSED },
	{ 'g' | KEY_CTRL, NULL, VIEW_MENU_CLOSED },
	{ 'q', NULL, VIEW_MENU_CLOSED },
};

/* The choice is to be run. */
static enum view_menu_did
choose(const struct view_menu *m)
{
	if (m->choice < 0)
		return VIEW_MENU_CLOSED;
	if (is_on(m, m->choice))
		return VIEW_MENU_CHOSEN;
	return m->flags & VIEW_MENU_STAYS ? VIEW_MENU_NOTHING
					  : VIEW_MENU_CLOSED;
}

enum view_menu_did
view_menu_key(struct view_menu *m, key_code key)
{
	size_t k;
	int i;

	key &= ~(key_code)KEY_LOCKS;
	for (i = 0; i < m->count; i++)
		if (is_on(m, i) && m->rows[i].key == key && key != KEY_NONE) {
			m->choice = i;
			return VIEW_MENU_CHOSEN;
		}
	for (k = 0; k < ARRAY_LEN(menu_keys); k++) {
		if (menu_keys[k].key != key)
			continue;
		if (menu_keys[k].move != NULL)
			menu_keys[k].move(m);
		return menu_keys[k].did == VIEW_MENU_CHOSEN ? choose(m)
							    : menu_keys[k].did;
	}
	return VIEW_MENU_NOTHING;
}

/* Scrolls by BY rows, or as far as there are; false: it is at its end. */
static bool
scroll(struct view_menu *m, int by)
{
	const int old = m->offset;

	m->offset = CLAMP(old + by, 0, m->count - m->shown);
	return m->offset != old;
}

/* Whether EV, not a click, is on the border above or below: it scrolls. */
static bool
scroll_border(struct view_menu *m, const struct mouse_event *ev)
{
	if (ev->x < m->x || ev->x >= m->x + m->width + VIEW_MENU_FRAME_W)
		return false;
	if (ev->y == m->y && scroll(m, -1))
		m->choice = m->offset;
	else if (ev->y == m->y + view_menu_height(m) - 1 && scroll(m, 1))
		m->choice = m->offset + m->shown - 1;
	else
		return false;
	return true;
}

static bool
is_wheel(const struct mouse_event *ev)
{
	return ev->button >= MOUSE_WHEEL_UP && ev->button <= MOUSE_WHEEL_RIGHT;
}

enum view_menu_did
view_menu_mouse(struct view_menu *m, const struct mouse_event *ev)
{
	const bool stays = (m->flags & VIEW_MENU_STAYS) != 0;
	const bool release = ev->action == MOUSE_RELEASE;
	/* With -O a click counts, by its press. */
	const bool click = ev->action == MOUSE_PRESS && !is_wheel(ev);
	const int row = ev->y - (m->y + 1), old = m->choice;
	bool moved = false;

	if (m->flags & VIEW_MENU_NO_MOUSE)
		return ev->button == MOUSE_LEFT && !release ? VIEW_MENU_NOTHING
							    : VIEW_MENU_CLOSED;
	if (is_wheel(ev) && ev->action == MOUSE_PRESS)
		moved = scroll(m, ev->button == MOUSE_WHEEL_UP     ? -1
				  : ev->button == MOUSE_WHEEL_DOWN ? 1
								   : 0);
	else if (!release && !click && scroll_border(m, ev))
		return VIEW_MENU_MOVED;
	if (ev->x < m->x || ev->x > m->x + m->width + VIEW_MENU_FRAME_W ||
	    row < 0 || row >= m->shown) {
		if (stays ? click : release)
			return VIEW_MENU_CLOSED;
		m->choice = -1;
	} else if (stays ? click : release) {
		return choose(m);
	} else
		m->choice = m->offset + row;
	return m->choice == old && !moved ? VIEW_MENU_NOTHING : VIEW_MENU_MOVED;
}

/* --- the picture -------------------------------------------------------------------- */

/* Draws row I, which is on, off or chosen, over row Y. */
static void
draw_row(const struct view_context *cx, struct vt_frame *f,
    const struct view_menu *m, int i, unsigned y, const struct pen *pen)
{
	const struct vt_rect inside = { 1, y, f->cols - 1u, y + 1 };
	struct pen dim = *pen;

	vt_frame_fill(f, &inside, pen);
	if (m->rows[i].off) {
		dim.attrs |= PEN_DIM;
		pen = &dim;
	}
	view_text_put(cx, f, 2, y, m->width, m->rows[i].name, pen);
}

/* Writes " 12 more " at the right of row Y of the border. */
static void
draw_more(const struct view_context *cx, struct vt_frame *f, unsigned y,
    int more, const struct pen *pen)
{
	char text[32];
	const int n = snprintf(text, sizeof(text), " %d more ", more);

	if (more > 0 && n + 2 <= f->cols)
		view_text_put(
		    cx, f, f->cols - (unsigned)n - 1, y, n, text, pen);
}

struct vt_frame *
view_menu_frame(const struct view_context *cx, const struct view_menu *m)
{
	const struct window *w = client_link(cx->client)->window;
	enum view_box_lines lines;
	struct pen pen, border, selected;
	struct vt_frame *f;
	unsigned y;
	int i;

	lines = (enum view_box_lines)(
	    m->look.lines >= 0
		? m->look.lines
		: options_number(&w->options, OPTION_MENU_BORDER_LINES));
	pen = view_box_pen(cx, &w->options, m->look.style, OPTION_MENU_STYLE);
	border = view_box_pen(
	    cx, &w->options, m->look.border, OPTION_MENU_BORDER_STYLE);
	selected = view_box_pen(
	    cx, &w->options, m->look.selected, OPTION_MENU_SELECTED_STYLE);
	f = vt_frame_new((unsigned)(m->width + VIEW_MENU_FRAME_W),
	    (unsigned)view_menu_height(m));
	f->state.modes &= ~(uint32_t)VT_FRAME_CURSOR_VISIBLE;
	vt_frame_fill(f, &(struct vt_rect){ 0, 0, f->cols, f->rows }, &pen);
	view_box_draw(cx, f, lines, m->title, &border);
	draw_more(cx, f, 0, m->offset, &border);
	draw_more(
	    cx, f, f->rows - 1u, m->count - m->offset - m->shown, &border);
	for (i = m->offset; i < m->offset + m->shown; i++) {
		y = (unsigned)(i - m->offset) + 1;
		if (m->rows[i].name == NULL)
			view_box_rule(f, y, lines, &border);
		else
			draw_row(cx, f, m, i, y,
			    (i == m->choice || m->choice == VIEW_MENU_ALL) &&
				    !m->rows[i].off
				? &selected
				: &pen);
	}
	return f;
}

void
view_menu_show(
    struct view_builder *b, struct sync_view *v, const struct view_menu *m)
{
	struct vt_frame *f = view_menu_frame(&b->cx, m);

	sync_view_add(
	    v, VIEW_SURFACE_MENU, SYNC_SURFACE_OVERLAY, m->x, m->y, f);
	vt_frame_unref(f);
	v->focus = VIEW_SURFACE_MENU;
	if ((m->flags & VIEW_MENU_NO_MOUSE) == 0)
		b->mouse_wanted = VT_MOUSE_ANY;
}
