#include "mux/mode/switch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "conf/args.h"
#include "conf/format_draw.h"
#include "conf/match.h"
#include "mux/client.h"
#include "mux/mode/list_int.h"
#include "mux/mode/mode.h"
#include "mux/session.h"
#include "mux/window.h"

/* Columns of an item's text that are compared. */
#define TEXT_COLS 1000

#define PROMPT "(search) "
#define DOUBLE_CLICK_MS 300

static const char *const formats[] = {
	"#{session_name} #[dim]#{session_windows} windows "
	"#{?session_attached,#[nodim]attached#[dim],detached} #{window_name}",
	"#{window_name} #[dim]#{session_name}:#{window_index}#{window_flags} "
	"#{pane_current_command}",
};

struct switch_item {
	char *text;   /* the expanded format */
	char *target; /* for the template */
	char *name;   /* the order without letters */
	size_t place;
	int score;
};

struct switcher {
	struct mode mode;
	const struct mode_host *host;
	uint32_t client;
	bool windows;
	bool kills;
	bool zoom;
	char *template;
	char *format; /* or NULL */
	struct switch_item *items;
	size_t count;
	size_t *rows; /* [row_count] items that match, the best first */
	size_t row_count;
	size_t current; /* row */
	size_t offset;
	char typed[MODE_SWITCH_TYPED + 1];
	mono_ms click_at;
	size_t click_row;
};

static struct switcher *
switcher_of(struct mode *m)
{
	return container_of(m, struct switcher, mode);
}

/* --- items ------------------------------------------------------------------- */

static void
free_items(struct switcher *sw)
{
	size_t i;

	for (i = 0; i < sw->count; i++) {
		mem_free(sw->items[i].text);
		mem_free(sw->items[i].target);
		mem_free(sw->items[i].name);
	}
	mem_free(sw->items);
	mem_free(sw->rows);
	sw->items = NULL;
	sw->rows = NULL;
	sw->count = sw->row_count = 0;
}

static void
add(struct switcher *sw, size_t *room, struct winlink *wl)
{
	struct mode_where at = { .client =
				     mux_client(sw->mode.pane->mux, sw->client),
		.session = wl->session,
		.link = wl };
	struct switch_item *it;

	if (sw->count == MODE_SWITCH_MAX)
		return;
	if (sw->count == *room) {
		*room = *room == 0 ? 64 : *room * 2;
		sw->items = mem_resize(sw->items, *room, sizeof(*sw->items));
	}
	it = &sw->items[sw->count];
	*it = (struct switch_item){ .place = sw->count };
	sw->count++;
	it->text = sw->host->expand(sw->host->arg, &at, NULL, 0,
	    sw->format != NULL ? sw->format : formats[sw->windows]);
	it->name =
	    mem_strdup(sw->windows ? wl->window->name : wl->session->name);
	it->target = sw->windows
			 ? mem_printf("=%s:%d.", wl->session->name, wl->index)
			 : mem_printf("=%s:", wl->session->name);
}

static int
by_name(const void *a, const void *b)
{
	const struct switch_item *x = a, *y = b;
	int r = strcmp(x->name, y->name);

	if (r != 0)
		return r;
	return x->place < y->place ? -1 : x->place > y->place;
}

static int
by_score(const void *a, const void *b)
{
	const struct switch_item *const *x = a, *const *y = b;

	if ((*x)->score != (*y)->score)
		return (*x)->score > (*y)->score ? -1 : 1;
	return *x < *y ? -1 : *x > *y;
}

/* The text without styles (mem_free). */
static char *
plain_text(const struct switcher *sw, const char *text)
{
	static const struct pen plain;
	struct format_drawn d;
	struct buf b;
	char *out;
	size_t i;

	buf_init(&b, FORMAT_OUTPUT_MAX);
	format_draw(&d, sw->mode.pane->mux->setup.graphemes, &plain, text,
	    strlen(text), TEXT_COLS);
	for (i = 0; i < d.run_count; i++)
		if (!d.runs[i].blank)
			(void)buf_add(&b, d.runs[i].text, d.runs[i].len);
	format_drawn_fini(&d);
	out = mem_strdup(buf_cstr(&b));
	buf_fini(&b);
	return out;
}

/* Finds the items that match and orders them. */
static void
narrow(struct switcher *sw)
{
	const struct switch_item **found;
	struct match_fuzzy m;
	size_t i;
	char *text;

	mem_free(sw->rows);
	sw->rows = mem_calloc(sw->count + 1, sizeof(*sw->rows));
	sw->row_count = 0;
	sw->current = sw->offset = 0;
	found = mem_calloc(sw->count + 1, sizeof(*found));
	for (i = 0; i < sw->count; i++) {
		text = plain_text(sw, sw->items[i].text);
		if (match_fuzzy(sw->typed, text, &m)) {
			sw->items[i].score = m.score;
			found[sw->row_count++] = &sw->items[i];
		}
		mem_free(text);
	}
	if (sw->typed[0] != '\0')
		qsort(found, sw->row_count, sizeof(*found), by_score);
	for (i = 0; i < sw->row_count; i++)
		sw->rows[i] = (size_t)(found[i] - sw->items);
	mem_free(found);
}

static void
build(struct switcher *sw)
{
	const struct mux *m = sw->mode.pane->mux;
	struct map_entry *e;
	struct session *s;
	struct list_node *n;
	struct winlink *wl;
	size_t room = 0;

	free_items(sw);
	MAP_FOREACH(e, &m->sessions) {
		s = e->value;
		if (s->current == NULL)
			continue;
		if (!sw->windows)
			add(sw, &room, s->current);
		else
			SESSION_FOREACH_LINK(wl, n, s)
		add(sw, &room, wl);
	}
	if (sw->count > 0)
		qsort(sw->items, sw->count, sizeof(*sw->items), by_name);
	narrow(sw);
}

/* --- drawing ----------------------------------------------------------------- */

/* One row being drawn. */
struct switch_row {
	struct vt_frame *frame;
	const struct mode_paint *paint;
	unsigned y;
	const struct match_fuzzy *match;
	size_t at;   /* bytes of the text drawn so far */
	size_t next; /* of match->pos */
	struct pen marked;
};

/* Draws N bytes in PEN from column X on, with the matched ones marked. */
static void
draw_run(struct switch_row *r, unsigned x, const char *text, size_t n,
    const struct pen *pen)
{
	size_t i = 0, len;
	const struct pen *how;
	uint32_t cp;

	while (i < n) {
		len = utf8_decode_final((const uint8_t *)text + i, n - i, &cp);
		how = pen;
		while (r->next < r->match->count &&
		       r->match->pos[r->next] < r->at + i + len) {
			if (r->match->pos[r->next] >= r->at + i)
				how = &r->marked;
			r->next++;
		}
		x = vt_frame_text(r->frame, r->paint->graphemes, x, r->y,
		    r->frame->cols, text + i, len, how);
		i += len;
	}
	r->at += n;
}

static void
draw_row(const struct switcher *sw, const struct switch_item *it,
    struct vt_frame *f, unsigned y, bool current,
    const struct mode_paint *paint)
{
	static const struct pen plain;
	struct match_fuzzy found = { .score = 0 };
	struct switch_row r = { f, paint, y, &found, 0, 0, plain };
	struct pen base = plain, pen;
	struct format_drawn d;
	char *text = plain_text(sw, it->text);
	size_t i;

	if (sw->typed[0] != '\0')
		(void)match_fuzzy(sw->typed, text, &found);
	mem_free(text);
	r.marked =
	    paint->style(paint->arg, OPTION_SWITCH_MODE_MATCH_STYLE, &plain);
	if (current) {
		base = paint->style(
		    paint->arg, OPTION_TREE_MODE_SELECTION_STYLE, &plain);
		vt_frame_fill(
		    f, &(struct vt_rect){ 0, y, f->cols, y + 1 }, &base);
	}
	format_draw(&d, paint->graphemes, &base, it->text, strlen(it->text),
	    (int)f->cols);
	for (i = 0; i < d.run_count; i++) {
		if (d.runs[i].blank)
			continue;
		pen = current ? base : d.runs[i].pen;
		pen.attrs |= d.runs[i].pen.attrs;
		pen.fg = paint->colour(paint->arg, pen.fg);
		pen.bg = paint->colour(paint->arg, pen.bg);
		draw_run(&r, (unsigned)d.runs[i].x, d.runs[i].text,
		    d.runs[i].len, &pen);
	}
	format_drawn_fini(&d);
}

static unsigned
list_rows(const struct switcher *sw)
{
	return (unsigned)MAX_OF(sw->mode.pane->h - 1, 1);
}

/* The typed text on the last row, with the cursor behind it. */
static void
draw_typed(const struct switcher *sw, struct vt_frame *f,
    const struct mode_paint *paint)
{
	static const struct pen plain;
	const struct pen pen =
	    paint->style(paint->arg, OPTION_MESSAGE_STYLE, &plain);
	const unsigned y = f->rows - 1u;
	unsigned x;

	vt_frame_fill(f, &(struct vt_rect){ 0, y, f->cols, y + 1u }, &pen);
	x = vt_frame_text(
	    f, paint->graphemes, 0, y, f->cols, PROMPT, strlen(PROMPT), &pen);
	x = vt_frame_text(f, paint->graphemes, x, y, f->cols, sw->typed,
	    strlen(sw->typed), &pen);
	f->state.x = (uint16_t)MIN_OF(x, f->cols - 1u);
	f->state.y = (uint16_t)y;
	f->state.modes |= VT_FRAME_CURSOR_VISIBLE;
}

static void
sight(struct switcher *sw)
{
	const size_t h = list_rows(sw);

	if (sw->current < sw->offset)
		sw->offset = sw->current;
	if (sw->current >= sw->offset + h)
		sw->offset = sw->current - h + 1;
}

static void
switch_draw(struct mode *m, struct vt_frame *f, const struct mode_paint *paint)
{
	struct switcher *sw = switcher_of(m);
	const unsigned h = list_rows(sw);
	unsigned y;

	sight(sw);
	for (y = 0; y < h && y < f->rows && sw->offset + y < sw->row_count; y++)
		draw_row(sw, &sw->items[sw->rows[sw->offset + y]], f, y,
		    sw->offset + y == sw->current, paint);
	draw_typed(sw, f, paint);
}

/* --- input ------------------------------------------------------------------- */

static enum mode_did
leave(struct switcher *sw)
{
	struct pane *p = sw->mode.pane;
	char text[48];

	if (sw->zoom && p->window->zoomed && p->window->active == p)
		(void)window_unzoom(p->window);
	if (sw->kills) {
		(void)snprintf(text, sizeof(text), "kill-pane -t %%%u", p->id);
		mode_request_run(sw->host->requests, text);
	}
	return MODE_LEFT;
}

static enum mode_did
choose(struct switcher *sw)
{
	const char *values[1];
	char *text;

	if (sw->row_count == 0)
		return MODE_TAKEN;
	values[0] = sw->items[sw->rows[sw->current]].target;
	text = args_template_words_new(sw->template, values, 1);
	mode_request_run(sw->host->requests, text);
	mem_free(text);
	return leave(sw);
}

static void
type(struct switcher *sw, key_code key)
{
	const size_t n = strlen(sw->typed);
	uint8_t text[UTF8_MAX];
	size_t len = utf8_encode((uint32_t)key, text);

	if (n + len > MODE_SWITCH_TYPED)
		return;
	memcpy(sw->typed + n, text, len);
	sw->typed[n + len] = '\0';
	narrow(sw);
}

/* Removes the last character, or all back to a blank. */
static void
rub_out(struct switcher *sw, bool word)
{
	size_t n = strlen(sw->typed);

	if (n == 0)
		return;
	while (word && n > 0 && sw->typed[n - 1] == ' ')
		n--;
	do {
		while (n > 0 && ((unsigned char)sw->typed[--n] & 0xc0) == 0x80)
			;
	} while (word && n > 0 && sw->typed[n - 1] != ' ');
	sw->typed[n] = '\0';
	narrow(sw);
}

static void
move(struct switcher *sw, long by, bool wrap)
{
	const long n = (long)sw->row_count;
	long to = (long)sw->current + by;

	if (n == 0)
		return;
	if (wrap)
		to = (to + n) % n;
	sw->current = (size_t)CLAMP(to, 0, n - 1);
}

static bool
key_move(struct switcher *sw, key_code key)
{
	const long page = (long)list_rows(sw);

	switch (key) {
	case KEY_UP:
	case 'p' | KEY_CTRL:
		move(sw, -1, true);
		return true;
	case KEY_DOWN:
	case 'n' | KEY_CTRL:
		move(sw, 1, true);
		return true;
	case KEY_PPAGE:
		move(sw, -page, false);
		return true;
	case KEY_NPAGE:
		move(sw, page, false);
		return true;
	default:
		return false;
	}
}

static enum mode_did
switch_key(struct mode *m, const struct key_event *ev)
{
	struct switcher *sw = switcher_of(m);
	const key_code key = ev->key & ~(key_code)KEY_LOCKS;

	mode_dirty(m);
	if (key_move(sw, key))
		return MODE_TAKEN;
	switch (key) {
	case KEY_ENTER:
	case 'm' | KEY_CTRL:
		return choose(sw);
	case KEY_ESCAPE:
	case '[' | KEY_CTRL:
	case 'c' | KEY_CTRL:
	case 'g' | KEY_CTRL:
		return leave(sw);
	case KEY_BSPACE:
	case 'h' | KEY_CTRL:
		rub_out(sw, false);
		return MODE_TAKEN;
	case 'w' | KEY_CTRL:
		rub_out(sw, true);
		return MODE_TAKEN;
	case 'u' | KEY_CTRL:
		sw->typed[0] = '\0';
		narrow(sw);
		return MODE_TAKEN;
	default:
		if (key >= ' ' && key < KEY_SPECIAL && key != 0x7f)
			type(sw, key);
		return MODE_TAKEN;
	}
}

static enum mode_did
switch_mouse(struct mode *m, const struct mouse_event *ev)
{
	struct switcher *sw = switcher_of(m);
	const mono_ms now = m->pane->mux->now;
	size_t row;
	bool twice;

	if (ev->action != MOUSE_PRESS)
		return MODE_TAKEN;
	mode_dirty(m);
	if (ev->button == MOUSE_WHEEL_UP)
		move(sw, -1, false);
	else if (ev->button == MOUSE_WHEEL_DOWN)
		move(sw, 1, false);
	if (ev->button != MOUSE_LEFT || ev->y < 0 ||
	    (unsigned)ev->y >= list_rows(sw))
		return MODE_TAKEN;
	row = sw->offset + (size_t)ev->y;
	if (row >= sw->row_count)
		return MODE_TAKEN;
	twice = sw->click_row == row && now - sw->click_at <= DOUBLE_CLICK_MS;
	sw->current = row;
	sw->click_row = row;
	sw->click_at = now;
	return twice ? choose(sw) : MODE_TAKEN;
}

static enum mode_did
switch_command(
    struct mode *m, const struct mode_command *cmd, UNUSED struct cause *why)
{
	return strcmp(cmd->words[0], "cancel") == 0 ? leave(switcher_of(m))
						    : MODE_TAKEN;
}

static void
switch_event(struct mode *m, enum mode_event event)
{
	struct switcher *sw = switcher_of(m);
	size_t current = sw->current;

	if (event != MODE_EVENT_MODEL)
		return;
	build(sw);
	if (sw->row_count > 0)
		sw->current = MIN_OF(current, sw->row_count - 1);
	mode_dirty(m);
}

static void
switch_free(struct mode *m)
{
	struct switcher *sw = switcher_of(m);

	free_items(sw);
	mem_free(sw->template);
	mem_free(sw->format);
	mem_free(sw);
}

static const struct mode_ops switch_ops = {
	.name = "switch-mode",
	.draw = switch_draw,
	.key = switch_key,
	.mouse = switch_mouse,
	.command = switch_command,
	.event = switch_event,
	.free = switch_free,
};

int
mode_switch_open(
    struct pane *p, bool windows, const struct mode_list_start *start)
{
	struct switcher *sw = mem_zalloc(sizeof(*sw));
	int r;

	sw->host = start->host;
	sw->client = start->client == NULL ? MUX_NONE : start->client->id;
	sw->windows = windows;
	sw->kills = start->kills;
	sw->template = mem_strdup(start->template);
	sw->format = start->format == NULL ? NULL : mem_strdup(start->format);
	sw->click_row = SIZE_MAX;
	if ((r = mode_push(p, &sw->mode, &switch_ops)) != 0) {
		switch_free(&sw->mode);
		return r;
	}
	if (start->zoom && !p->window->zoomed && window_zoom(p) == 0)
		sw->zoom = true;
	build(sw);
	return 0;
}
