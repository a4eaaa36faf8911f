#include "regress/unit/pick_util.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "conf/format.h"
#include "mux/fmt/vars.h"
#include "mux/mode/buffers.h"
#include "mux/mode/customize.h"
#include "mux/mode/hits.h"
#include "mux/mode/list_wire.h"
#include "mux/mode/switch.h"
#include "mux/mode/switch_replay.h"
#include "mux/mode/tree.h"
#include "mux/sync/frame.h"
#include "mux/view/menu_replay.h"
#include "mux/view/palette_replay.h"
#include "mux/view/text.h"
#include "regress/chance.h"

#define SURFACE_X 3
#define SURFACE_Y 1

static unsigned
below(struct pick_util *p, unsigned n)
{
	return chance_below(&p->random, n);
}

/* --- the model ------------------------------------------------------------------ */

static char *
expand(void *arg, const struct mode_where *at, const struct format_var *vars,
    size_t count, const char *format)
{
	const struct pick_util *p = arg;
	struct target t = {
		.session = at->session, .link = at->link, .pane = at->pane
	};
	struct format_args a = { .vars = vars, .var_count = count };
	struct vars v;

	if (t.session != NULL && t.link == NULL)
		t.link = t.session->current;
	if (t.link != NULL) {
		t.window = t.link->window;
		if (t.pane == NULL)
			t.pane = t.window->active;
	}
	vars_init(&v, p->u.m, NULL, at->client, &t);
	a.scope = vars_scope(&v);
	a.widths = p->u.m->setup.graphemes;
	return format_expand_new(&a, format);
}

static const char *const words[] = { "alpha", "beta", "x", "make", "logs",
	"server one", "\xe4\xbd\xa0\xe5\xa5\xbd", "e\xcc\x81t\xc3\xa9", "vi",
	"a very long name of something that nobody can read in one look" };

static const char *
word(struct pick_util *p)
{
	return words[below(p, ARRAY_LEN(words))];
}

static void
fill_sessions(struct pick_util *p, bool large)
{
	unsigned n = 1 + below(p, large ? 40 : 6), i, k;
	char name[32];
	struct session *s;
	struct winlink *wl;

	for (i = 0; i < n; i++) {
		(void)snprintf(name, sizeof(name), "s%u", i);
		s = mux_util_session(p->u.m, name);
		window_set_name(s->current->window, word(p));
		for (k = below(p, large ? 9 : 4); k > 0; k--) {
			wl = mux_util_window(s, (int)(k + 2), word(p));
			if (below(p, 3) == 0)
				(void)mux_util_split(
				    wl->window->active, LAYOUT_COLUMN);
		}
	}
}

static void
fill_buffers(struct pick_util *p, bool large)
{
	unsigned n = 1 + below(p, large ? 400 : 30), i;
	char name[32];

	for (i = 0; i < n; i++) {
		(void)snprintf(name, sizeof(name), "b%u", i);
		(void)paste_set(p->u.m->paste, name, "some text", 9, NULL);
	}
}

static void
fill_text(struct pick_util *p, bool large)
{
	unsigned n = 1 + below(p, large ? 3000 : 60), i;
	char line[160];

	for (i = 0; i < n; i++) {
		(void)snprintf(line, sizeof(line), "%u %s of %s#[x]\r\n", i,
		    word(p), word(p));
		vt_term_write(p->u.p->term, line, strlen(line));
	}
}

/* --- opening --------------------------------------------------------------------- */

/* Opens the list of matches, and ends the search. */
static void
open_hits(struct pick_util *p, const struct mode_list_start *list)
{
	const struct mode_hits_start start = {
		.list = *list, .pattern = "of", .scope = MODE_HITS_SESSION
	};
	struct mode *m;

	ck_assert_int_eq(
	    mode_hits_open(p->u.p, p->u.s->current, &start, NULL), 0);
	for (m = mode_top(p->u.p); !mode_hits_done(m);) {
		m->due = 0;
		ck_assert(mode_expire(p->u.p, 1));
	}
}

static void
open_list(struct pick_util *p, bool large)
{
	const bool keys = below(p, 6) == 0 && large;
	const struct mode_list_start start = {
		.host = &p->host,
		.client = p->u.c,
		.template = "select-pane -t '%%'",
		.key_format = keys ? "#{?#{e|<:#{line},3},#{line},}" : NULL,
		.no_preview = below(p, 3),
		.reversed = below(p, 4) == 0,
	};
	struct pane *at = p->u.p;

	if (p->what == PICK_TREE)
		ck_assert_int_eq(
		    mode_tree_open(at, p->u.s,
			&(struct mode_tree_start){ .list = start,
			    .depth = (enum mode_tree_depth)below(p, 3) }),
		    0);
	else if (p->what == PICK_HITS)
		open_hits(p, &start);
	else if (p->what == PICK_NAMES)
		ck_assert_int_eq(
		    mode_switch_open(at, below(p, 2) == 0, &start), 0);
	else if (p->what == PICK_BUFFERS)
		ck_assert_int_eq(mode_buffers_open(at, &start), 0);
	else
		ck_assert_int_eq(mode_customize_open(at, p->u.s, &start), 0);
}

static void
open_menu(struct pick_util *p)
{
	const struct grapheme_table *gt = p->u.m->setup.graphemes;
	unsigned n = 1 + below(p, 14), i;

	p->menu = view_menu_new(gt, "#[align=centre]title");
	for (i = 0; i < n; i++)
		if (below(p, 5) == 0)
			ck_assert_int_eq(view_menu_add_line(p->menu), 0);
		else
			ck_assert_int_eq(
			    view_menu_add(p->menu, gt,
				below(p, 5) == 0 ? "-#[fg=red]off" : word(p),
				below(p, 2) == 0 ? KEY_META | ('A' + i)
						 : KEY_NONE,
				i, 80),
			    0);
	if (p->menu->count == 0)
		ck_assert_int_eq(
		    view_menu_add(p->menu, gt, "one", 'A', 0, 80), 0);
	p->menu->flags = below(p, 4) == 0   ? VIEW_MENU_NO_MOUSE
			 : below(p, 2) == 0 ? VIEW_MENU_STAYS
					    : 0;
	p->menu->x = (int)below(p, 40);
	p->menu->y = (int)below(p, 10);
	ck_assert(view_menu_fit(p->menu, 90, 30));
	view_menu_start(p->menu, (int64_t)below(p, 6) - 1);
}

static void
open_palette(struct pick_util *p, bool large)
{
	unsigned n = 1 + below(p, large ? 900 : 60), i;
	char id[32];

	p->palette = view_palette_new(" -_");
	for (i = 0; i < n; i++) {
		(void)snprintf(id, sizeof(id), "item %u", i);
		ck_assert_int_eq(
		    view_palette_add(p->palette,
			(enum view_palette_kind)below(p, VIEW_PALETTE_KINDS),
			&(struct view_palette_text){ .label = word(p),
			    .detail = below(p, 2) == 0 ? id : NULL,
			    .key = below(p, 3) == 0 ? "C-b x" : NULL,
			    .id = id }),
		    0);
	}
	view_palette_filter(p->palette);
	view_palette_fit(p->palette, 90, 30);
}

void
pick_util_init(
    struct pick_util *p, enum pick_what what, uint64_t seed, bool large)
{
	memset(p, 0, sizeof(*p));
	p->what = what;
	p->random = seed;
	view_util_init(&p->u, 90, 30);
	mux_set_now(p->u.m, 1000, INT64_C(1700000000000));
	mode_requests_init(&p->requests);
	prompt_edit_init(&p->prompt.edit, " -_@");
	p->host = (struct mode_host){ expand, p, &p->requests, NULL };
	p->cols = 10 + (int)below(p, 90);
	p->rows = 1 + (int)below(p, 40);
	if (what == PICK_TREE || what == PICK_NAMES)
		fill_sessions(p, large);
	if (what == PICK_BUFFERS)
		fill_buffers(p, large);
	if (what == PICK_HITS)
		fill_text(p, large);
	pane_place(p->u.p, &(struct cell_rect){ 0, 0, p->cols, p->rows });
	if (what == PICK_A_MENU)
		open_menu(p);
	else if (what == PICK_A_PALETTE)
		open_palette(p, large);
	else
		open_list(p, large);
}

void
pick_util_fini(struct pick_util *p)
{
	if (p->prompt.request != NULL)
		mode_request_free(p->prompt.request);
	prompt_edit_fini(&p->prompt.edit);
	view_menu_free(p->menu);
	view_palette_free(p->palette);
	mode_requests_fini(&p->requests);
	view_util_fini(&p->u);
}

/* --- inputs ------------------------------------------------------------------------ */

static const key_code list_moves[] = { KEY_UP, KEY_DOWN, KEY_UP, KEY_DOWN, 'k',
	'j', KEY_PPAGE, KEY_NPAGE, 'g', 'G', KEY_HOME, KEY_END, KEY_LEFT,
	KEY_RIGHT, 'h', 'l', '-', '+', KEY_META | '-', KEY_META | '+', 't', 'T',
	KEY_CTRL | 't', 'v', KEY_CTRL | 'n', KEY_CTRL | 'p', KEY_CTRL | 'f',
	KEY_CTRL | 'b' };
static const key_code list_others[] = { 'O', 'r', 'n', 'N', 'i', '<', '>', 'H',
	'C', '/', 'f', KEY_F1, 'M', KEY_UP | KEY_SHIFT, '1', KEY_META | 'b',
	'c' };
static const key_code switch_moves[] = { KEY_UP, KEY_DOWN, KEY_UP, KEY_DOWN,
	KEY_CTRL | 'p', KEY_CTRL | 'n', KEY_PPAGE, KEY_NPAGE, 'a', 's', 'x',
	'w', ' ', '1', 0x4f60, KEY_BSPACE, KEY_CTRL | 'w', KEY_CTRL | 'h',
	KEY_CTRL | 'u', KEY_F2, KEY_LEFT };
static const key_code menu_moves[] = { KEY_UP, KEY_DOWN, 'k', 'j', KEY_PPAGE,
	KEY_NPAGE, KEY_HOME, KEY_END, 'g', 'G', KEY_BTAB, KEY_CTRL | 'b',
	KEY_CTRL | 'f', 'z', KEY_F2 };
static const key_code palette_moves[] = { KEY_UP, KEY_DOWN, KEY_DOWN, KEY_DOWN,
	KEY_PPAGE, KEY_NPAGE, KEY_CTRL | 'n', KEY_CTRL | 'p', KEY_CTRL | 'v',
	KEY_META | 'v', KEY_LEFT, KEY_RIGHT, KEY_HOME };
static const key_code palette_edits[] = { 'a', 'e', 's', 'x', ' ', KEY_BSPACE,
	KEY_CTRL | 'u', KEY_CTRL | 'w', KEY_F2, KEY_CTRL | 'y', 0x4f60 };

/* The last three are only those of choose-tree. */
static const key_code asks[] = { '/', '?', KEY_CTRL | 's', 'f', ':', 'x', 'X' };
static const key_code edits[] = { 'a', 'z', ' ', 'y', 0x4f60, KEY_BSPACE,
	KEY_LEFT, KEY_RIGHT, KEY_HOME, KEY_CTRL | 'a', KEY_CTRL | 'e',
	KEY_CTRL | 'w', KEY_CTRL | 'k', KEY_CTRL | 'u', KEY_META | 'b',
	KEY_CTRL | 'h', KEY_DC, KEY_F2, KEY_CTRL | 's', KEY_ESCAPE,
	KEY_CTRL | 'c' };
static const key_code edits_more[] = { KEY_ENTER, KEY_CTRL | 'm', KEY_TAB,
	KEY_UP, KEY_CTRL | 'y', KEY_CTRL | 'j', KEY_CTRL | 'g', KEY_ENTER };
static const key_code answers[] = { 'n', 'q', KEY_ESCAPE, KEY_META | 'x',
	KEY_F2, KEY_TAB, KEY_CTRL | 'c', 0x4f60 };

#define ONE_OF(a) (a)[chance_below(random, (unsigned)ARRAY_LEN(a))]

static struct mouse_event
random_mouse(const struct pick_util *p, uint64_t *random, bool moves)
{
	static const enum mouse_button wheel[] = { MOUSE_WHEEL_UP,
		MOUSE_WHEEL_DOWN };
	struct mouse_event ev = { .action = MOUSE_MOTION,
		.button = MOUSE_NONE,
		.x = (int)chance_below(random, 90),
		.y = (int)chance_below(random, 30),
		.px = -1,
		.py = -1 };
	const bool list = p->menu == NULL && p->palette == NULL;

	if (list || chance_below(random, 3) == 0) {
		ev.action = MOUSE_PRESS;
		ev.button = ONE_OF(wheel);
	}
	if (list && moves) {
		ev.x = SURFACE_X;
		ev.y = SURFACE_Y;
	}
	if (!moves && chance_below(random, 4) == 0)
		ev.action = MOUSE_RELEASE;
	return ev;
}

/* A key for the prompt that is open. */
static key_code
prompt_random(const struct pick_util *p, uint64_t *random, bool moves)
{
	if (p->prompt.request->kind == MODE_REQUEST_CONFIRM)
		return moves || chance_below(random, 2) == 0 ? ONE_OF(answers)
							     : 'y';
	return moves || chance_below(random, 3) > 0 ? ONE_OF(edits)
						    : ONE_OF(edits_more);
}

struct pick_input
pick_util_random(const struct pick_util *p, uint64_t *random, bool moves)
{
	struct pick_input in = { 0 };

	if (p->prompt.request != NULL) {
		in.key = prompt_random(p, random, moves);
		return in;
	}
	if (p->asks && p->what < PICK_NAMES && chance_below(random, 8) == 0) {
		in.key = asks[chance_below(
		    random, (unsigned)ARRAY_LEN(asks) -
				(p->what == PICK_TREE ? 0 : 3))];
		if (!moves && chance_below(random, 4) == 0)
			in.key = chance_below(random, 2) == 0 ? 'F' : 'X';
		return in;
	}
	/* A menu without a mouse closes at the wheel. */
	if (chance_below(random, 6) == 0 &&
	    !(moves && p->menu != NULL &&
		(p->menu->flags & VIEW_MENU_NO_MOUSE) != 0)) {
		in.mouse = random_mouse(p, random, moves);
		return in;
	}
	if (p->what == PICK_NAMES)
		in.key = moves ? ONE_OF(switch_moves) : ONE_OF(palette_edits);
	else if (p->menu != NULL)
		in.key = ONE_OF(menu_moves);
	else if (p->palette != NULL)
		in.key = moves || chance_below(random, 2) == 0
			     ? ONE_OF(palette_moves)
			     : ONE_OF(palette_edits);
	else
		in.key = moves || chance_below(random, 4) > 0
			     ? ONE_OF(list_moves)
			     : ONE_OF(list_others);
	return in;
}

/* Closes the prompt; TEXT is the answer, or NULL. */
static void
prompt_shut(struct pick_util *p, const char *text)
{
	struct mode_request *r = p->prompt.request;

	p->prompt.request = NULL;
	if (text == NULL && r->kind == MODE_REQUEST_NARROW)
		text = "";
	if (text != NULL)
		(void)mode_answer(p->u.m, r->pane, r->serial, r->what, text);
	mode_request_free(r);
}

/* The text has changed. */
static void
prompt_tell(struct pick_util *p)
{
	const struct mode_request *r = p->prompt.request;

	if (r->kind == MODE_REQUEST_NARROW)
		(void)mode_answer(p->u.m, r->pane, r->serial, r->what,
		    prompt_edit_text(&p->prompt.edit));
}

/* Takes what the list asks of the server. */
static void
take_requests(struct pick_util *p)
{
	struct mode_request *r;
	bool narrow;

	while ((r = mode_requests_take(&p->requests)) != NULL) {
		p->kills += r->kind == MODE_REQUEST_RUN &&
			    strncmp(r->text, "kill-", 5) == 0;
		if (r->kind == MODE_REQUEST_RUN ||
		    r->kind == MODE_REQUEST_MENU ||
		    r->kind == MODE_REQUEST_EDIT) {
			mode_request_free(r);
			continue;
		}
		if (p->prompt.request != NULL)
			prompt_shut(p, NULL);
		p->prompt.request = r;
		narrow = r->kind == MODE_REQUEST_NARROW;
		prompt_edit_set(&p->prompt.edit,
		    narrow || r->input == NULL ? "" : r->input);
		mem_free(p->prompt.edit.cut);
		p->prompt.edit.cut = NULL;
		prompt_tell(p);
	}
}

/* A key for a prompt of one key. */
static void
prompt_single(struct pick_util *p, key_code key)
{
	uint8_t text[UTF8_MAX + 1];
	size_t n = prompt_edit_typed(key, text);

	text[n] = '\0';
	if (n > 0 && text[0] != 0x1b && text[0] != 3 && text[0] != 7)
		prompt_shut(p, (const char *)text);
	else if (n > 0 || (key & KEY_META) != 0)
		prompt_shut(p, NULL);
}

/* What server/face/prompt.c does with a key of status-keys emacs. */
static void
prompt_input(struct pick_util *p, key_code key)
{
	struct prompt_edit *e = &p->prompt.edit;
	char *text;

	if (p->prompt.request->kind == MODE_REQUEST_CONFIRM) {
		prompt_single(p, key);
		return;
	}
	switch (key) {
	case KEY_ENTER:
	case KEY_CTRL | 'm':
	case KEY_CTRL | 'j':
		text = mem_strdup(prompt_edit_text(e));
		prompt_shut(p, text);
		mem_free(text);
		return;
	case KEY_ESCAPE:
	case KEY_CTRL | 'c':
	case KEY_CTRL | 'g':
		prompt_shut(p, NULL);
		return;
	case KEY_UP:
		prompt_edit_set(e, "an older text");
		break;
	case KEY_TAB:
		prompt_edit_insert(e, "completed", 9);
		break;
	case KEY_CTRL | 'y':
		prompt_edit_insert(e, "pasted", 6);
		break;
	case KEY_CTRL | 's':
		return;
	default:
		if (!prompt_edit_key(e, key))
			return;
		break;
	}
	prompt_tell(p);
}

static bool
list_input(struct pick_util *p, const struct pick_input *in)
{
	const struct key_event key = { .key = in->key };
	struct mouse_event at = in->mouse;

	at.x -= SURFACE_X;
	at.y -= SURFACE_Y;
	if (in->key != 0 && p->prompt.request != NULL) {
		prompt_input(p, in->key);
		take_requests(p);
		return mode_top(p->u.p) != NULL;
	}
	if (p->what != PICK_NAMES &&
	    (in->key == '1' || in->key == (KEY_META | 'b')))
		return false; /* may choose */
	if (in->key != 0)
		ck_assert(mode_key(p->u.p, &key));
	else
		ck_assert(mode_mouse(p->u.p, &at));
	take_requests(p);
	return mode_top(p->u.p) != NULL;
}

bool
pick_util_input(struct pick_util *p, const struct pick_input *in)
{
	struct mouse_event at = in->mouse;
	enum view_menu_did menu;
	enum view_palette_did palette;

	if (p->menu != NULL) {
		menu = in->key != 0 ? view_menu_key(p->menu, in->key)
				    : view_menu_mouse(p->menu, &at);
		return menu != VIEW_MENU_CHOSEN && menu != VIEW_MENU_CLOSED;
	}
	if (p->palette != NULL) {
		palette = in->key != 0 ? view_palette_key(p->palette, in->key)
				       : view_palette_mouse(p->palette, &at);
		return palette <= VIEW_PALETTE_CHANGED;
	}
	return list_input(p, in);
}

void
pick_util_change(struct pick_util *p, uint64_t *random)
{
	struct session *s;
	char name[32];

	(void)snprintf(
	    name, sizeof(name), "new%u", chance_below(random, 1000000));
	switch (chance_below(random, 3)) {
	case 0:
		(void)paste_set(p->u.m->paste, name, "text", 4, NULL);
		break;
	case 1:
		window_set_name(p->u.p->window, name);
		break;
	default:
		s = mux_util_session(p->u.m, name);
		window_set_name(s->current->window, "w");
		break;
	}
	if (mode_top(p->u.p) != NULL)
		mode_event(p->u.p, MODE_EVENT_MODEL);
}

/* --- views --------------------------------------------------------------------------- */

static colour
list_colour(void *arg, colour c)
{
	return view_text_colour(&((struct pick_util *)arg)->u.b.cx, c);
}

static struct pen
list_style(void *arg, enum option_id id, const struct pen *base)
{
	const struct pick_util *p = arg;
	const struct options *o = (option_row(id)->scope & OPT_SESSION) != 0
				      ? &p->u.s->options
				      : &p->u.p->options;

	return view_text_style(&p->u.b.cx, o, id, base);
}

static struct list_look
look_of(struct pick_util *p)
{
	static const struct pen plain;
	struct list_look k;
	unsigned i;

	k.selection = list_style(p, OPTION_TREE_MODE_SELECTION_STYLE, &plain);
	k.border = list_style(p, OPTION_TREE_MODE_BORDER_STYLE, &plain);
	for (i = 0; i < STYLE_THEME_COUNT; i++)
		k.theme[i] =
		    list_colour(p, (colour)COLOUR_KIND_THEME << 24 | i);
	return k;
}

/* The line of prompts, with MESSAGE and the text of EDIT unless it is NULL. */
static struct vt_frame *
line_frame(const struct pick_util *p, const struct pen *pen,
    const char *message, const struct prompt_edit *edit)
{
	const struct grapheme_table *gt = p->u.m->setup.graphemes;
	struct vt_frame *f = vt_frame_new((unsigned)p->cols, 1);
	unsigned x;

	vt_frame_fill(f, &(struct vt_rect){ 0, 0, (unsigned)p->cols, 1 }, pen);
	if (message == NULL)
		return f;
	x = vt_frame_text(
	    f, gt, 0, 0, (unsigned)p->cols, message, strlen(message), pen);
	prompt_edit_draw(edit, gt, f, x, pen);
	return f;
}

/* Puts the list M on the wire, with its prompt. */
static bool
put_wire(struct pick_util *p, struct sync_view *v, struct mode *m,
    struct buf *rows, struct buf *state)
{
	const key_code taken[] = { KEY_CTRL | 'b' | KEY_META };
	const struct list_taken list = { taken, 1 };
	const struct list_look look = look_of(p);
	const struct mode_request *r = p->prompt.request;
	struct list_line line = { .separators = " -_@",
		.x = SURFACE_X,
		.y = SURFACE_Y + p->rows - 1,
		.pen = { .attrs = PEN_BOLD },
		.open = r != NULL };
	struct vt_frame *f = line_frame(p, &line.pen, NULL, NULL);
	struct buf frame;
	bool ok;

	buf_init(&frame, LIST_WIRE_LINE_MAX);
	ck_assert_int_eq(sync_frame_diff(NULL, f, &frame), 0);
	vt_frame_unref(f);
	line.frame = frame.data;
	line.frame_len = frame.len;
	if (r != NULL) {
		line.what = r->what;
		line.at = p->prompt.edit.at;
		line.text = prompt_edit_text(&p->prompt.edit);
		line.message = r->text;
		f = line_frame(p, &line.pen, r->text, &p->prompt.edit);
		sync_view_add(v, VIEW_SURFACE_LINE, SYNC_SURFACE_OVERLAY,
		    line.x, line.y, f);
		vt_frame_unref(f);
	}
	ok = (r == NULL || grapheme_text_width(p->u.m->setup.graphemes, r->text,
			       strlen(r->text)) +
				   1 <
			       (size_t)p->cols) &&
	     list_wire_put(m, &look, &list, &line, p->grown, rows, state);
	buf_fini(&frame);
	return ok;
}

/* Puts the switch-mode M on the wire. */
static bool
put_names(
    struct pick_util *p, struct mode *m, struct buf *rows, struct buf *state)
{
	static const struct pen plain;
	const key_code taken[] = { KEY_CTRL | 'b' | KEY_META };
	const struct list_taken list = { taken, 1 };
	const struct list_look from = look_of(p);
	struct switch_look look = { .selection = from.selection };

	look.match = list_style(p, OPTION_SWITCH_MODE_MATCH_STYLE, &plain);
	look.message = list_style(p, OPTION_MESSAGE_STYLE, &plain);
	memcpy(look.theme, from.theme, sizeof(look.theme));
	return switch_wire_put(m, &look, &list, rows, state);
}

static bool
put_list(struct pick_util *p, struct sync_view *v, struct buf *rows,
    struct buf *state, struct sync_pick *k)
{
	const struct mode_paint paint = { .now = 1000,
		.wall = p->u.m->wall,
		.graphemes = p->u.m->setup.graphemes,
		.colour = list_colour,
		.style = list_style,
		.arg = p };
	struct mode *m = mode_top(p->u.p);
	struct vt_frame *f = mode_frame(m, &paint);

	k->kind = PICK_LIST;
	k->surface = VIEW_SURFACE_PANE(p->u.p->id);
	sync_view_add(
	    v, k->surface, SYNC_SURFACE_PANE, SURFACE_X, SURFACE_Y, f);
	vt_frame_unref(f);
	if (p->what == PICK_NAMES) {
		k->kind = PICK_SWITCH;
		return put_names(p, m, rows, state);
	}
	return put_wire(p, v, m, rows, state);
}

static bool
put(struct pick_util *p, struct sync_view *v, struct buf *rows,
    struct buf *state, struct sync_pick *k)
{
	if (p->menu != NULL) {
		view_menu_show(&p->u.b, v, p->menu);
		k->kind = PICK_MENU;
		k->surface = VIEW_SURFACE_MENU;
		return menu_replay_put(&p->u.b.cx, p->menu, rows, state);
	}
	if (p->palette != NULL) {
		(void)view_palette_show(&p->u.b, v, p->palette);
		k->kind = PICK_PALETTE;
		k->surface = VIEW_SURFACE_PALETTE;
		return palette_replay_put(&p->u.b.cx, p->palette, rows, state);
	}
	return put_list(p, v, rows, state, k);
}

struct sync_view *
pick_util_view(struct pick_util *p, uint64_t seen, const struct sync_view *old)
{
	struct sync_view *v =
	    old == NULL ? sync_view_new(120, 60) : sync_view_clone(old);
	struct sync_pick k = { .seen = seen };
	struct buf rows, state;

	buf_init(&rows, SYNC_PICK_ROWS_MAX);
	buf_init(&state, SYNC_PICK_STATE_MAX);
	sync_view_clear(v);
	sync_pick_unref(v->pick);
	v->pick = NULL;
	v->echo_ack = seen;
	if (put(p, v, &rows, &state, &k)) {
		k.rows = vt_str_new((const char *)rows.data, rows.len);
		k.state = vt_str_new((const char *)state.data, state.len);
		v->pick = sync_pick_new(&k);
	}
	v->focus = k.surface;
	buf_fini(&rows);
	buf_fini(&state);
	return v;
}

enum pick_did
pick_util_replay(struct pick *k, const struct pick_input *in)
{
	return in->key != 0 ? pick_key(k, in->key) : pick_mouse(k, &in->mouse);
}
