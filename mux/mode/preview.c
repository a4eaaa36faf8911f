#include "mux/mode/preview.h"

#include <limits.h>
#include <string.h>

#include "base/mem.h"
#include "conf/style.h"
#include "mux/session.h"
#include "mux/vt/term.h"
#include "mux/window.h"

/* One of several previews side by side needs this much. */
#define PART_COLS 24u

/* A part that has more beside it: "< |" and "| >". */
#define ARROW_COLS 3u

/* --- panes ------------------------------------------------------------------------- */

/* The first of SIZE cells to show in ROOM, so that AT is in sight. */
static unsigned
around(unsigned at, unsigned size, unsigned room)
{
	if (at < room / 3 || room >= size)
		return 0;
	at -= room / 3;
	return at + room > size ? size - room : at;
}

static void
reverse(struct pen *pen, UNUSED void *arg)
{
	pen->attrs ^= PEN_REVERSE;
}

static void
draw_cursor(struct vt_frame *f, const struct vt_rect *r,
    const struct vt_frame *src, const struct vt_rect *part)
{
	const struct vt_frame_state *st = &src->state;
	unsigned x, y;

	if ((st->modes & VT_FRAME_CURSOR_VISIBLE) == 0 || st->x < part->left ||
	    st->x >= part->right || st->y < part->top || st->y >= part->bottom)
		return;
	x = r->left + st->x - part->left;
	y = r->top + st->y - part->top;
	vt_line_repen(NULL, vt_frame_own(f, y), x, x + 1, reverse, NULL);
}

void
preview_screen(
    struct vt_frame *f, const struct vt_rect *r, struct pane *p, bool cursor)
{
	const unsigned w = r->right - r->left, h = r->bottom - r->top;
	struct vt_frame *src = vt_term_frame(p->term, 0);
	struct vt_rect part = { 0, 0, 0, 0 };

	if ((src->state.modes & VT_FRAME_CURSOR_VISIBLE) != 0) {
		part.left = around(src->state.x, src->cols, w);
		part.top = around(src->state.y, src->rows, h);
	}
	part.right = MIN_OF(part.left + w, (unsigned)src->cols);
	part.bottom = MIN_OF(part.top + h, (unsigned)src->rows);
	if (part.right > part.left && part.bottom > part.top) {
		vt_frame_blit(f, r->left, r->top, src, &part);
		if (cursor)
			draw_cursor(f, r, src, &part);
	}
	vt_frame_unref(src);
}

void
preview_pane(const struct preview *pv, struct pane *p)
{
	preview_screen(pv->frame, &pv->rect, p, true);
}

/* --- labels ------------------------------------------------------------------------ */

static char *
expand(const struct preview *pv, const struct mode_where *where,
    const char *kind, const char *format)
{
	const struct format_var vars[] = {
		{ "session_format", strcmp(kind, "session") == 0 ? "1" : "0" },
		{ "window_format", strcmp(kind, "window") == 0 ? "1" : "0" },
		{ "pane_format", strcmp(kind, "pane") == 0 ? "1" : "0" },
	};

	return mode_list_expand(pv->list, where, vars, ARRAY_LEN(vars), format);
}

static struct pen
label_pen(const struct preview *pv, const struct mode_where *where,
    const char *kind, const struct pen *base)
{
	const struct options *o = &where->pane->options;
	char *text = expand(
	    pv, where, kind, options_string(o, OPTION_TREE_MODE_PREVIEW_STYLE));
	struct pen pen = *base;
	struct style sy;

	style_init(&sy);
	if (style_parse(&sy, base, text, strlen(text)) == 0)
		style_apply(&sy, &pen);
	mem_free(text);
	pen.fg = pv->paint->colour(pv->paint->arg, pen.fg);
	pen.bg = pv->paint->colour(pv->paint->arg, pen.bg);
	return pen;
}

/* Columns of TEXT, at most MAX. */
static unsigned
columns(const struct preview *pv, const char *text, unsigned max)
{
	static const struct pen plain;
	struct vt_frame *f = vt_frame_new(max, 1);
	unsigned n = vt_frame_text(
	    f, pv->paint->graphemes, 0, 0, max, text, strlen(text), &plain);

	vt_frame_unref(f);
	return n;
}

/* The name of what is shown in PV, in a box if there is room. */
static void
draw_label(
    const struct preview *pv, const struct mode_where *where, const char *kind)
{
	const struct vt_rect *r = &pv->rect;
	const unsigned w = r->right - r->left, h = r->bottom - r->top;
	const struct pen border = mode_list_border(pv->paint);
	const struct pen space = { .bg = border.bg };
	struct pen pen;
	struct vt_rect box;
	unsigned n, x, y;
	char *name, *text;

	if (w == 0 || h < 2)
		return;
	name = expand(pv, where, kind,
	    options_string(
		&where->pane->options, OPTION_TREE_MODE_PREVIEW_FORMAT));
	text = mem_printf(" %s ", name);
	n = columns(pv, text, w + 1);
	if (n <= w) {
		pen = label_pen(pv, where, kind, &space);
		x = (w - n + 1) / 2;
		y = (h + 1) / 2;
		y = MIN_OF(y, h - 1);
		if (x > 1 && x + n < w - 1 && h >= 3 && y + 1 < h) {
			box.left = r->left + x - 1;
			box.right = box.left + n + 2;
			box.top = r->top + y - 1;
			box.bottom = box.top + 3;
			mode_list_box(pv->frame, &box, &border);
		}
		vt_frame_repeat(
		    pv->frame, r->left + x, r->top + y, n, ' ', &space);
		(void)vt_frame_text(pv->frame, pv->paint->graphemes,
		    r->left + x + 1, r->top + y, r->left + x + n, name,
		    strlen(name), &pen);
	}
	mem_free(text);
	mem_free(name);
}

/* --- several side by side ------------------------------------------------------------ */

/* Which of TOTAL parts are shown, and where. */
struct preview_parts {
	unsigned start;
	unsigned end;
	unsigned each;
	unsigned rest; /* columns more for the last one */
	bool left;     /* there are more */
	bool right;
};

static void
place_parts(const struct preview *pv, unsigned total, unsigned current,
    struct preview_parts *ps)
{
	const unsigned w = pv->rect.right - pv->rect.left;
	unsigned n = total, room = w;
	int start;

	if (total * PART_COLS > w)
		n = MAX_OF(w / PART_COLS, 1u);
	if (current < n)
		start = 0;
	else if (current >= total - n)
		start = (int)(total - n);
	else
		start = (int)(current - n / 2);
	/* Shifting ends at either side. */
	pv->list->shift =
	    CLAMP(pv->list->shift, -start, (int)(total - n) - start);
	start += pv->list->shift;
	ps->start = (unsigned)start;
	ps->end = ps->start + n;
	ps->left = ps->start > 0;
	ps->right = ps->end < total;
	if (w <= ARROW_COLS * 2)
		ps->left = ps->right = false;
	room -= ps->left ? ARROW_COLS : 0;
	room -= ps->right ? ARROW_COLS : 0;
	ps->each = room / n;
	ps->rest = room - ps->each * n;
	pv->list->parts = (struct mode_list_parts){
		.start = ps->start,
		.end = ps->end,
		.each = ps->each,
		.left = ps->left ? (int)(pv->rect.left + 2) : -1,
		.right = ps->right ? (int)pv->rect.right - 3 : -1,
	};
}

static void
bar(const struct preview *pv, unsigned x, const struct pen *pen)
{
	unsigned y;

	for (y = pv->rect.top; y < pv->rect.bottom; y++)
		vt_frame_repeat(pv->frame, x, y, 1, 0x2502, pen);
}

static void
draw_arrows(const struct preview *pv, const struct preview_parts *ps)
{
	const struct vt_rect *r = &pv->rect;
	const unsigned y = r->top + (r->bottom - r->top) / 2;
	const struct pen pen = mode_list_border(pv->paint);

	if (ps->left) {
		bar(pv, r->left + 2, &pen);
		vt_frame_repeat(pv->frame, r->left, y, 1, '<', &pen);
	}
	if (ps->right) {
		bar(pv, r->right - 3, &pen);
		vt_frame_repeat(pv->frame, r->right - 1, y, 1, '>', &pen);
	}
}

/* Makes OUT the part I of PV, with a bar behind all but the last. */
static void
part_of(const struct preview *pv, const struct preview_parts *ps, unsigned i,
    struct preview *out)
{
	const struct pen pen = mode_list_border(pv->paint);
	const bool last = i + 1 == ps->end;

	*out = *pv;
	out->rect.left = pv->rect.left + (ps->left ? ARROW_COLS : 0) +
			 (i - ps->start) * ps->each;
	out->rect.right = out->rect.left + ps->each;
	if (last)
		out->rect.right += ps->rest;
	else if (ps->each > 0) {
		out->rect.right--;
		bar(pv, out->rect.right, &pen);
	}
}

/* -h: the pane of the mode is left out. */
static bool
hidden(const struct preview *pv, const struct pane *p)
{
	return pv->list->hides && p == pv->list->mode.pane;
}

void
preview_window(const struct preview *pv, struct session *s, struct winlink *wl)
{
	struct window *w = wl->window;
	struct mode_where where = { .session = s, .link = wl };
	struct preview part;
	struct preview_parts ps;
	struct list_node *n;
	struct pane *p;
	unsigned i = 0, total = 0, current = UINT_MAX;

	WINDOW_FOREACH_PANE(p, n, w)
	{
		if (hidden(pv, p))
			continue;
		if (p == w->active)
			current = total;
		total++;
	}
	if (total == 0)
		return;
	place_parts(pv, total, MIN_OF(current, total), &ps);
	draw_arrows(pv, &ps);
	WINDOW_FOREACH_PANE(p, n, w)
	{
		if (hidden(pv, p))
			continue;
		if (i >= ps.start && i < ps.end) {
			part_of(pv, &ps, i, &part);
			preview_pane(&part, p);
			where.pane = p;
			draw_label(&part, &where, "pane");
		}
		i++;
	}
}

void
preview_session(const struct preview *pv, struct session *s)
{
	struct mode_where where = { .session = s };
	struct preview part;
	struct preview_parts ps;
	struct list_node *n;
	struct winlink *wl;
	unsigned i = 0, current = 0;

	SESSION_FOREACH_LINK(wl, n, s)
	{
		if (wl == s->current)
			current = i;
		i++;
	}
	if (i == 0)
		return;
	place_parts(pv, i, current, &ps);
	draw_arrows(pv, &ps);
	i = 0;
	SESSION_FOREACH_LINK(wl, n, s)
	{
		if (i >= ps.start && i < ps.end) {
			part_of(pv, &ps, i, &part);
			preview_pane(&part, wl->window->active);
			where.link = wl;
			where.pane = wl->window->active;
			draw_label(&part, &where, "window");
		}
		i++;
	}
}

/* --- texts --------------------------------------------------------------------------- */

void
preview_row(const struct preview *pv, const struct mode_where *where,
    unsigned *row, const char *label, const char *format)
{
	char *value = mode_list_expand(pv->list, where, NULL, 0, format);

	mode_list_info(
	    pv->list, pv->frame, &pv->rect, row, label, value, pv->paint);
	mem_free(value);
}

static void
rule(const struct preview *pv, unsigned *row)
{
	mode_list_info(
	    pv->list, pv->frame, &pv->rect, row, NULL, "", pv->paint);
}

/* "#[fg=...]NAME " on if VARIABLE is true, dim if not. */
#define FLAG(variable, name) \
 "#{?" variable ",#[fg=themegreen],#[fg=themelightgrey]}" name "#[default] "

#define TIME(variable) "#{t:" variable "} (#{t/r:" variable "})"

void
preview_session_info(const struct preview *pv, struct session *s, unsigned *row)
{
	const struct mode_where at = { .session = s };

	preview_row(pv, &at, row, "Session", "#{session_name} (#{session_id})");
	preview_row(pv, &at, row, "Created Time", TIME("session_created"));
	preview_row(pv, &at, row, "Activity Time", TIME("session_activity"));
	preview_row(pv, &at, row, "Attached Time",
	    "#{?session_last_attached," TIME("session_last_attached") ",none}");
	preview_row(pv, &at, row, "Clients",
	    "#{?session_attached,#{session_attached_list},none}");
	preview_row(pv, &at, row, "Windows", "#{session_windows}");
	preview_row(pv, &at, row, "Path", "#{session_path}");
	preview_row(pv, &at, row, "Group",
	    "#{?session_grouped,#{session_group} "
	    "(#{session_group_list}),none}");
	preview_row(pv, &at, row, "Flags",
	    FLAG("session_attached", "attached") FLAG(
		"session_grouped", "grouped") FLAG("session_marked", "marked")
		FLAG("session_bell_flag", "bell") FLAG("session_activity_flag",
		    "activity") FLAG("session_silence_flag", "silence"));
	preview_row(pv, &at, row, "", "");
}

void
preview_window_info(const struct preview *pv, struct session *s,
    struct winlink *wl, unsigned *row)
{
	const struct mode_where at = { .session = s, .link = wl };

	preview_row(pv, &at, row, "Window",
	    "#{window_index}: #{window_name} (#{window_id})");
	preview_row(pv, &at, row, "Size", "#{window_width}x#{window_height}");
	preview_row(pv, &at, row, "Panes", "#{window_panes}");
	preview_row(pv, &at, row, "Activity Time", TIME("window_activity"));
	preview_row(pv, &at, row, "Sessions", "#{window_linked_sessions_list}");
	preview_row(pv, &at, row, "Flags",
	    FLAG("window_active", "active") FLAG("window_last_flag", "last")
		FLAG("window_bell_flag", "bell") FLAG("window_activity_flag",
		    "activity") FLAG("window_silence_flag", "silence")
		    FLAG("window_zoomed_flag", "zoomed")
			FLAG("window_marked_flag", "marked"));
	rule(pv, row);
	preview_session_info(pv, s, row);
}

void
preview_pane_info(const struct preview *pv, struct session *s,
    struct winlink *wl, struct pane *p, unsigned *row)
{
	const struct mode_where at = { .session = s, .link = wl, .pane = p };

	preview_row(pv, &at, row, "Pane", "#{pane_index} (#{pane_id})");
	preview_row(pv, &at, row, "Title", "#{pane_title}");
	preview_row(pv, &at, row, "Command",
	    "#{pane_current_command} (PID #{pane_pid})");
	preview_row(pv, &at, row, "Path", "#{pane_current_path}");
	preview_row(pv, &at, row, "TTY", "#{pane_tty}");
	preview_row(pv, &at, row, "Position",
	    "#{pane_left},#{pane_top} #{pane_width}x#{pane_height}");
	preview_row(pv, &at, row, "Mode", "#{?pane_mode,#{pane_mode},none}");
	preview_row(pv, &at, row, "Flags",
	    FLAG("pane_active", "active") FLAG(
		"#{&&:#{pane_active},#{window_zoomed_flag}}", "zoomed")
		FLAG("pane_marked", "marked") FLAG("pane_synchronized", "sync")
		    FLAG("pane_dead", "dead") FLAG("pane_pipe", "piped"));
	rule(pv, row);
	preview_window_info(pv, s, wl, row);
}
