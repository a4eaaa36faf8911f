#include "server/face/pick.h"

#include <string.h>

#include "base/mem.h"
#include "conf/cmdlist.h"
#include "conf/keytable.h"
#include "mux/client.h"
#include "mux/mode/list_wire.h"
#include "mux/mode/switch_replay.h"
#include "mux/session.h"
#include "mux/sync/frame.h"
#include "mux/view/pick.h"
#include "mux/view/pick_ask.h"
#include "mux/view/status.h"
#include "mux/view/text.h"
#include "mux/window.h"
#include "server/face/asks.h"
#include "server/face/prompt.h"
#include "server/face/role.h"
#include "server/face/viewer.h"

/* So long after its first picture a long list goes whole. */
#define PICK_WHOLE_MS 250

/* --- lists ----------------------------------------------------------------------- */

/* Adds KEY to the N that are taken; more than fit are counted. */
static void
take(key_code *keys, size_t *n, key_code key)
{
	if (*n < LIST_WIRE_KEYS_MAX && key != KEY_NONE)
		keys[*n] = key;
	*n += key != KEY_NONE;
}

/*
 * Whether a binding leaves its key to the mode: those of the mouse do if they
 * send it there, as tmux's do in a mode.
 */
static bool
passes_on(const struct viewer *vw, const struct keybinding *kb)
{
	char *text;
	bool passes;

	if (!key_is_mouse(kb->key))
		return false;
	if (!options_flag(&vw->client->options, OPTION_MOUSE) ||
	    (kb->key != key_mouse(KEY_MOUSE_WHEEL_UP, 0, KEY_MOUSE_AT_PANE) &&
		kb->key !=
		    key_mouse(KEY_MOUSE_WHEEL_DOWN, 0, KEY_MOUSE_AT_PANE)))
		return true;
	text = cmdlist_print_new(kb->commands, 0);
	passes = strstr(text, "pane_in_mode") != NULL &&
		 strstr(text, "send-keys -M") != NULL;
	mem_free(text);
	return passes;
}

/* Finds the keys that the client's key table takes before the mode. */
static size_t
taken(const struct viewer *vw, key_code *keys)
{
	static const key_code typed[] = { KEY_ENTER, KEY_TAB, KEY_ESCAPE,
		KEY_BSPACE, KEY_CTRL | ' ' };
	const struct client *c = vw->client;
	const struct options *o = &c->options;
	const struct keytable *t =
	    client_find_table(vw->client, vw->run->keys, client_table(c));
	size_t i, n = 0;

	take(keys, &n, options_key(o, OPTION_PREFIX));
	take(keys, &n, options_key(o, OPTION_PREFIX2));
	for (i = 0; t != NULL && i < t->count; i++)
		if (!passes_on(vw, &t->bindings[i]))
			take(keys, &n, t->bindings[i].key);
	/* Keys that find the binding of another one. */
	for (i = 0; t != NULL && i < ARRAY_LEN(typed); i++)
		if (keytable_typed(t, typed[i]) != NULL)
			take(keys, &n, typed[i]);
	return n;
}

static void
theme_of(const struct view_context *cx, colour *theme)
{
	unsigned i;

	for (i = 0; i < STYLE_THEME_COUNT; i++)
		theme[i] = view_text_colour(
		    cx, (colour)COLOUR_KIND_THEME << 24 | (colour)i);
}

static struct list_look
look_of(const struct view_context *cx)
{
	static const struct pen plain;
	const struct options *o = &client_pane(cx->client)->options;
	struct list_look look;

	look.selection =
	    view_text_style(cx, o, OPTION_TREE_MODE_SELECTION_STYLE, &plain);
	look.border =
	    view_text_style(cx, o, OPTION_TREE_MODE_BORDER_STYLE, &plain);
	theme_of(cx, look.theme);
	return look;
}

/* Returns the list or switch-mode that takes the client's keys, or NULL. */
static struct mode *
list_of(const struct viewer *vw)
{
	const struct client *c = vw->client;
	const struct pane *p = client_pane(c);
	struct mode *m = p == NULL ? NULL : mode_top(p);

	if (m == NULL || !(mode_is_list(m) || mode_is_switch(m)) ||
	    c->table != NULL || vw->keys.repeat_until != 0 ||
	    p->window->modal != NULL)
		return NULL;
	return m;
}

/* Whether the list M, on SURFACE, goes whole though it is long. */
static bool
is_whole(struct viewer *vw, const struct mode *m, uint64_t surface)
{
	const mono_ms now = loop_now(vw->run->loop);

	if (vw->pick.surface != surface) {
		vw->pick.surface = surface;
		vw->pick.whole_at = now + PICK_WHOLE_MS;
	}
	if (now >= vw->pick.whole_at)
		return true;
	due_set(&vw->due, VIEWER_DUE_PICK,
	    list_wire_grows(m) ? vw->pick.whole_at : MONO_NEVER);
	return false;
}

/* --- its questions ----------------------------------------------------------------- */

/* Draws the line of a prompt over P with MESSAGE and no text. */
static struct vt_frame *
draw_line(const struct viewer *vw, const struct pane *p, const char *message,
    struct list_line *out)
{
	char *plain = view_text_plain_new(message);
	struct view_line line = { .message = plain, .pane = p };
	struct prompt_edit edit;
	struct cell_rect at;
	struct vt_frame *f;
	unsigned col;

	prompt_edit_init(&edit, " ");
	line.edit = &edit;
	f = view_status_line_new(&vw->builder, &line, &at, &col, &out->pen);
	prompt_edit_fini(&edit);
	mem_free(plain);
	out->x = at.x;
	out->y = at.y;
	return f;
}

/* Whether a client draws MESSAGE over the line BLANK as the server does. */
static bool
draws_same(const struct viewer *vw, const struct pane *p,
    const struct vt_frame *blank, const char *message)
{
	struct list_line line;
	struct vt_frame *f = draw_line(vw, p, message, &line), *g;
	struct prompt_edit edit;
	bool same;

	prompt_edit_init(&edit, " ");
	g = pick_ask_draw(blank, vw->run->graphemes, message, &edit, &line.pen);
	prompt_edit_fini(&edit);
	same = g != NULL && vt_frame_equal(f, g);
	vt_frame_unref(f);
	vt_frame_unref(g);
	return same;
}

/*
 * Describes the line of questions of the list M, which begins FRAME; false: a
 * client could not draw it.
 */
static bool
line_of(const struct viewer *vw, const struct mode *m, struct list_line *out,
    struct buf *frame)
{
	const struct options *o = &vw->client->options;
	struct vt_frame *f;
	bool ok;

	out->separators = options_string(o, OPTION_WORD_SEPARATORS);
	out->vi = options_number(o, OPTION_STATUS_KEYS) == STATUS_KEYS_VI;
	f = draw_line(vw, m->pane, "", out);
	ok = asks_steady(vw) && out->x >= 0 && out->y >= 0 &&
	     draws_same(vw, m->pane, f, "(search) ") &&
	     (!out->open || draws_same(vw, m->pane, f, out->message)) &&
	     sync_frame_diff(NULL, f, frame) == 0 && !frame->overflow;
	vt_frame_unref(f);
	out->frame = frame->data;
	out->frame_len = frame->len;
	return ok;
}

/* The list M; OPEN: its prompt takes the keys, or NULL. */
static bool
put_list(struct viewer *vw, struct mode *m, const struct prompt_state *open,
    struct overlay_pick *out)
{
	const struct list_look look = look_of(&vw->builder.cx);
	key_code keys[LIST_WIRE_KEYS_MAX];
	const struct list_taken list = { keys, taken(vw, keys) };
	struct list_line line = { .open = open != NULL };
	char *text = NULL;
	struct buf frame;
	bool asks, ok;

	if (open != NULL) {
		text = open->edit->text.len == 0
			   ? mem_strdup("")
			   : mem_strndup((const char *)open->edit->text.data,
				 open->edit->text.len);
		line.what = open->what;
		line.at = open->edit->at;
		line.text = text;
		line.message = open->message;
	}
	buf_init(&frame, LIST_WIRE_LINE_MAX);
	asks = line_of(vw, m, &line, &frame);
	out->kind = PICK_LIST;
	out->surface = VIEW_SURFACE_PANE(m->pane->id);
	ok = (asks || open == NULL) &&
	     list_wire_put(m, &look, &list, asks ? &line : NULL,
		 is_whole(vw, m, out->surface), &out->rows, &out->state);
	buf_fini(&frame);
	mem_free(text);
	return ok;
}

/* The switch-mode M. */
static bool
put_switch(struct viewer *vw, struct mode *m, struct overlay_pick *out)
{
	static const struct pen plain;
	const struct view_context *cx = &vw->builder.cx;
	const struct options *o = &m->pane->options;
	key_code keys[LIST_WIRE_KEYS_MAX];
	const struct list_taken list = { keys, taken(vw, keys) };
	struct switch_look look = {
		.selection = view_text_style(
		    cx, o, OPTION_TREE_MODE_SELECTION_STYLE, &plain),
		.match = view_text_style(
		    cx, o, OPTION_SWITCH_MODE_MATCH_STYLE, &plain),
		.message = view_text_style(cx, &vw->client->session->options,
		    OPTION_MESSAGE_STYLE, &plain),
	};

	theme_of(cx, look.theme);
	out->kind = PICK_SWITCH;
	out->surface = VIEW_SURFACE_PANE(m->pane->id);
	return switch_wire_put(m, &look, &list, &out->rows, &out->state);
}

/* --- the view ---------------------------------------------------------------------- */

/* Writes what takes the next key; false: nothing that can be replayed. */
static bool
put(struct viewer *vw, struct overlay_pick *out)
{
	struct list_node *n = list_first(&vw->overlays.list);
	struct prompt_state prompt;
	struct overlay *o;
	struct mode *m = list_of(vw);

	/* security: a guest gets no rows but those in its picture. */
	if (vw->client->guest || !role_prompts(vw->client))
		return false;
	if (n == NULL && m != NULL && mode_is_switch(m))
		return put_switch(vw, m, out);
	if (n == NULL)
		return m != NULL && put_list(vw, m, NULL, out);
	if (m != NULL && mode_is_list(m) && prompt_state(vw, &prompt) &&
	    prompt.in_pane && prompt.serial == m->serial)
		return put_list(vw, m, &prompt, out);
	o = container_of(n, struct overlay, node);
	return o->ops->pick != NULL && o->ops->pick(o, &vw->builder, out);
}

static struct vt_str *
text_of(const struct buf *b, struct vt_str *old)
{
	struct vt_str *s = vt_str_new((const char *)b->data, b->len);

	/* Most keys leave the rows as they are. */
	if (!vt_str_equal(s, old))
		return s;
	vt_str_unref(s);
	return vt_str_ref(old);
}

void
pick_add(struct viewer *vw, struct sync_view *v)
{
	struct overlay_pick out = { 0 };
	struct sync_pick *old = v->pick;

	buf_init(&out.rows, SYNC_PICK_ROWS_MAX);
	buf_init(&out.state, SYNC_PICK_STATE_MAX);
	v->pick = NULL;
	if (put(vw, &out) && sync_view_find(v, out.surface) != NULL)
		v->pick = sync_pick_new(&(struct sync_pick){
		    .kind = out.kind,
		    .surface = out.surface,
		    .seen = vw->input_done - 1,
		    .state =
			text_of(&out.state, old == NULL ? NULL : old->state),
		    .rows = text_of(&out.rows, old == NULL ? NULL : old->rows),
		});
	if (v->pick == NULL)
		vw->pick.surface = 0;
	sync_pick_unref(old);
	buf_fini(&out.rows);
	buf_fini(&out.state);
}

void
pick_due(struct viewer *vw, UNUSED mono_ms now)
{
	vw->pump.dirty = true;
}
