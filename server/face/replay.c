#include "server/face/replay.h"

#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "conf/args.h"
#include "conf/cmdlist.h"
#include "conf/keytable.h"
#include "mux/client.h"
#include "mux/mode/copy.h"
#include "mux/mode/copy_wire.h"
#include "mux/session.h"
#include "mux/sync/frame.h"
#include "mux/sync/prompt_edit.h"
#include "mux/view/show.h"
#include "mux/view/text.h"
#include "mux/window.h"
#include "server/face/asks.h"
#include "server/face/prompt.h"
#include "server/face/role.h"
#include "server/face/viewer.h"
#include "server/io/mirror.h"
#include "server/run/cmdq.h"

/* --- keys --------------------------------------------------------------------- */

/*
 * Returns the arguments if LIST is one send-keys -X without further flags.  For
 * the wheel a select-pane may stand before it: over the active pane, which is
 * the only one that a client asks about, it does nothing.
 */
static const struct args *
only_command(const struct cmdlist *list, bool wheel, int64_t *repeat)
{
	const struct args *a;
	size_t i = 0;

	*repeat = 1;
	if (wheel && list->count == 2 &&
	    list->cmds[0]->row->id == COMMAND_select_pane &&
	    list->cmds[0]->args->flag_count == 0 &&
	    list->cmds[0]->args->count == 0)
		i = 1;
	if (list->count != i + 1 || list->cmds[i]->row->id != COMMAND_send_keys)
		return NULL;
	a = list->cmds[i]->args;
	if (!args_has(a, 'X') || a->count == 0)
		return NULL;
	for (i = 0; i < a->flag_count; i++)
		if (a->flags[i].flag != 'X' && a->flags[i].flag != 'N')
			return NULL;
	if (args_has(a, 'N') &&
	    (args_get(a, 'N') == NULL ||
		str_to_int(args_get(a, 'N'), 2, UINT16_MAX, repeat) != 0))
		return NULL;
	for (i = 0; i < a->count; i++)
		if (a->values[i].text == NULL)
			return NULL;
	return a;
}

/* Whether KEY is the wheel over a pane. */
static bool
is_wheel(key_code key)
{
	return key == key_mouse(KEY_MOUSE_WHEEL_UP, 0, KEY_MOUSE_AT_PANE) ||
	       key == key_mouse(KEY_MOUSE_WHEEL_DOWN, 0, KEY_MOUSE_AT_PANE);
}

/* The keys of copy mode and what they open. */
struct replay_keys {
	const struct viewer *vw;
	struct copy_setup *setup;
	struct asks *asks;
};

static bool
is_bound(const struct copy_setup *s, key_code key)
{
	size_t i;

	for (i = 0; i < s->count; i++)
		if (s->binds[i].key == key)
			return true;
	return false;
}

static void
add_key(const struct replay_keys *ks, key_code key, const struct keybinding *kb)
{
	const struct client *c = ks->vw->client;
	struct copy_setup *s = ks->setup;
	const char *words[COPY_WIRE_WORDS_MAX];
	const struct args *a;
	int64_t repeat;
	size_t i;

	a = only_command(kb->commands, is_wheel(key), &repeat);
	/* Other commands of the mouse depend on where it is. */
	if (a != NULL && is_wheel(key) &&
	    strncmp(a->values[0].text, "scroll-", 7) != 0)
		a = NULL;
	if (a == NULL || a->count > COPY_WIRE_WORDS_MAX ||
	    !role_list(c, kb->commands)) {
		if (!is_bound(s, key) && !key_is_mouse(key))
			(void)asks_add(ks->vw, ks->asks, key, kb->commands);
		copy_setup_bind(s, key, 1, NULL, 0);
		return;
	}
	for (i = 0; i < a->count; i++)
		words[i] = a->values[i].text;
	copy_setup_bind(s, key, (unsigned)repeat, words, a->count);
}

/* Adds the keys that find the binding of another one (keytable_typed). */
static void
add_twins(const struct replay_keys *ks, const struct keytable *table)
{
	static const key_code typed[] = { KEY_ENTER, KEY_TAB, KEY_ESCAPE,
		KEY_BSPACE, KEY_CTRL | ' ' };
	const struct keybinding *kb;
	key_code key;
	size_t i;

	for (i = 0; i < ARRAY_LEN(typed) * 2; i++) {
		key = typed[i / 2] | (i % 2 != 0 ? KEY_META : 0);
		kb = keytable_typed(table, key);
		if (kb != NULL && kb->key != key)
			add_key(ks, key, kb);
	}
}

/* The first row of a key counts: the order is that of keys_lookup. */
static void
add_keys(const struct replay_keys *ks, const char *name)
{
	const struct client *c = ks->vw->client;
	struct copy_setup *s = ks->setup;
	const struct keytable *table =
	    client_find_table(ks->vw->client, ks->vw->run->keys, name);
	const struct keybinding *any = NULL, *kb;
	size_t i;

	copy_setup_bind(s, options_key(&c->options, OPTION_PREFIX), 1, NULL, 0);
	copy_setup_bind(
	    s, options_key(&c->options, OPTION_PREFIX2), 1, NULL, 0);
	if (table == NULL)
		return;
	for (i = 0; i < table->count; i++) {
		kb = &table->bindings[i];
		if (kb->key == KEY_ANY)
			any = kb;
		else if (!key_is_mouse(kb->key) || is_wheel(kb->key))
			add_key(ks, kb->key, kb);
	}
	add_twins(ks, table);
	if (any != NULL)
		copy_setup_bind(s, KEY_ANY, 1, NULL, 0);
}

/* --- the view ------------------------------------------------------------------ */

static struct vt_str *
str_of(const struct buf *b)
{
	return b->len == 0 ? NULL : vt_str_new((const char *)b->data, b->len);
}

/* Adds the setup of M to OUT, and its prompts to AS; false: it is too large. */
static bool
setup_put(const struct viewer *vw, struct mode *m, const char *table,
    struct asks *as, struct buf *out)
{
	const struct view_context *cx = &vw->builder.cx;
	const struct options *o = &m->pane->options;
	struct copy_setup s = { .env = copy_of(m)->env };
	const struct replay_keys ks = { vw, &s, as };
	size_t i;
	bool ok;

	s.separators = mem_strdup(options_string(
	    &vw->client->session->options, OPTION_WORD_SEPARATORS));
	s.position =
	    mem_strdup(options_string(o, OPTION_COPY_MODE_POSITION_FORMAT));
	for (i = 0; i < COPY_STYLES; i++)
		s.styles[i] = view_text_style(
		    cx, o, copy_style_options[i], &copy_style_base);
	add_keys(&ks, table);
	ok = copy_setup_put(&s, out);
	copy_setup_fini(&s);
	return ok;
}

/* Makes the strings, with the prompts in AS. */
static bool
setup_make(const struct viewer *vw, struct mode *m, const char *table,
    struct asks *as, struct vt_str **setup, struct vt_str **prompts)
{
	struct buf b;
	bool ok;

	buf_init(&b, SYNC_COPY_SETUP_MAX);
	ok = setup_put(vw, m, table, as, &b);
	if (ok) {
		*setup = str_of(&b);
		buf_clear(&b);
		if (!asks_put(as, &b)) {
			asks_fini(as);
			buf_clear(&b);
		}
		*prompts = str_of(&b);
	}
	buf_fini(&b);
	return ok;
}

bool
replay_setup(const struct viewer *vw, struct mode *m, const char *table,
    struct vt_str **setup, struct vt_str **prompts)
{
	struct asks as = { 0 };
	const bool ok = setup_make(vw, m, table, &as, setup, prompts);

	asks_fini(&as);
	return ok;
}

/* Sets the setup of V, with its prompts in AS; false: it is too large. */
static bool
setup_set(const struct viewer *vw, struct mode *m, struct asks *as,
    struct sync_view *v)
{
	struct vt_str *setup, *prompts;

	if (!setup_make(vw, m, mode_table(m->pane), as, &setup, &prompts))
		return false;
	vt_str_unref(v->setup);
	vt_str_unref(v->asks);
	v->setup = setup;
	v->asks = prompts;
	return true;
}

static bool
is_small(const struct vt_frame *f)
{
	struct buf b;
	bool ok;

	buf_init(&b, SYNC_COPY_SCREEN_MAX);
	ok = sync_frame_diff(NULL, f, &b) == 0 && !b.overflow;
	buf_fini(&b);
	return ok;
}

/*
 * Returns the mode whose keys the client may replay, or NULL.  *ASKS: the prompt
 * P is open.
 */
static struct mode *
mode_of(struct viewer *vw, struct prompt_state *p, bool *asks)
{
	const struct client *c = vw->client;
	const struct pane *pane = client_pane(c);
	const struct cmdq *q = cmdq_for(vw->run, vw->conn_id);

	*asks = prompt_state(vw, p);
	/* A guest has no history, and must not see what others searched. */
	if (vw->mirror == NULL || pane == NULL || c->table != NULL ||
	    vw->keys.repeat_until != 0 ||
	    !(*asks || overlays_none(&vw->overlays)) ||
	    !(cmdq_empty(q) || (*asks && cmdq_only_waits(q))))
		return NULL;
	/* A modal pane takes keys before the table of the mode. */
	if (pane->window->modal != NULL)
		return NULL;
	return copy_mode_top(pane);
}

static struct vt_str *
text_of(const char *s)
{
	return s == NULL || *s == '\0' ? NULL : vt_str_new(s, strlen(s));
}

/* Adds the open prompt P; false: the text is too long. */
static bool
add_prompt(struct sync_copy *n, const struct prompt_state *p)
{
	const struct buf *text = &p->edit->text;

	if (text->len > SYNC_COPY_TYPED_MAX ||
	    (p->last != NULL && strlen(p->last) > SYNC_COPY_TYPED_MAX))
		return false;
	n->sign = (uint32_t)p->sign;
	n->at = (uint32_t)p->edit->at;
	n->typed = text->len == 0
		       ? NULL
		       : vt_str_new((const char *)text->data, text->len);
	n->last = text_of(p->last);
	return true;
}

/* ASK is the open prompt P, or 0. */
static struct sync_copy *
copy_new(struct viewer *vw, const struct sync_view *v, struct mode *m,
    unsigned ask, const struct prompt_state *p)
{
	const struct vt_frame *screen;
	struct sync_copy *n = NULL, c = { .ask = ask };
	struct buf b;

	if (ask > 0 && !add_prompt(&c, p))
		return NULL;
	buf_init(&b, SYNC_COPY_STATE_MAX);
	if (copy_state_put(m, &b) && !b.overflow) {
		mirror_shows(vw->mirror, m->pane->id, copy_of(m)->top);
		screen = copy_state_screen(m);
		if ((v->copy != NULL && v->copy->screen == screen) ||
		    is_small(screen)) {
			c.surface = VIEW_SURFACE_PANE(m->pane->id);
			c.seen = vw->input_done - 1;
			c.state = vt_str_new((const char *)b.data, b.len);
			c.screen = vt_frame_ref(screen);
			n = sync_copy_new(&c);
		}
	}
	if (n == NULL) {
		vt_str_unref(c.typed);
		vt_str_unref(c.last);
	}
	buf_fini(&b);
	return n;
}

/* Whether the client would draw rows of M's pane in other columns. */
static bool
shows_other_columns(const struct sync_view *v, const struct mode *m)
{
	const struct sync_surface *sf =
	    sync_view_find(v, VIEW_SURFACE_PANE(m->pane->id));

	return sf != NULL && view_show_changed(sf->frame);
}

void
replay_add(struct viewer *vw, struct sync_view *v)
{
	struct prompt_state p;
	bool asks;
	struct mode *m = mode_of(vw, &p, &asks);
	struct sync_copy *copy = NULL;
	struct asks as = { 0 };
	unsigned ask = 0;

	if (m == NULL && vw->mirror != NULL)
		mirror_shows(vw->mirror, 0, MIRROR_NONE);
	if (m != NULL &&
	    v->focus ==
		(asks ? VIEW_SURFACE_LINE : VIEW_SURFACE_PANE(m->pane->id)) &&
	    !shows_other_columns(v, m) && setup_set(vw, m, &as, v)) {
		if (asks)
			ask = asks_find(vw, &as, &p);
		if (!asks || ask > 0)
			copy = copy_new(vw, v, m, ask, &p);
	}
	asks_fini(&as);
	sync_copy_unref(v->copy);
	v->copy = copy;
}
