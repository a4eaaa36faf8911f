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
#include "mux/view/text.h"
#include "mux/window.h"
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
		str_to_int(args_get(a, 'N'), 1, UINT16_MAX, repeat) != 0))
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

static void
add_key(const struct client *c, struct copy_setup *s, key_code key,
    const struct keybinding *kb)
{
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
		copy_setup_bind(s, key, 1, NULL, 0);
		return;
	}
	for (i = 0; i < a->count; i++)
		words[i] = a->values[i].text;
	copy_setup_bind(s, key, (unsigned)repeat, words, a->count);
}

/* Adds the keys that find the binding of another one (keytable_typed). */
static void
add_twins(
    const struct client *c, struct copy_setup *s, const struct keytable *table)
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
			add_key(c, s, key, kb);
	}
}

/* The first row of a key counts: the order is that of keys_lookup. */
static void
add_keys(const struct viewer *vw, struct copy_setup *s, const char *name)
{
	const struct client *c = vw->client;
	const struct keytable *table = keytables_find(vw->run->keys, name);
	const struct keybinding *any = NULL, *kb;
	size_t i;

	copy_setup_bind(
	    s, options_key(&c->session->options, OPTION_PREFIX), 1, NULL, 0);
	copy_setup_bind(
	    s, options_key(&c->session->options, OPTION_PREFIX2), 1, NULL, 0);
	if (table == NULL)
		return;
	for (i = 0; i < table->count; i++) {
		kb = &table->bindings[i];
		if (kb->key == KEY_ANY)
			any = kb;
		else if (!key_is_mouse(kb->key) || is_wheel(kb->key))
			add_key(c, s, kb->key, kb);
	}
	add_twins(c, s, table);
	if (any != NULL)
		copy_setup_bind(s, KEY_ANY, 1, NULL, 0);
}

/* --- the view ------------------------------------------------------------------ */

/* Returns the setup, or NULL if it is too large; a new reference. */
static struct vt_str *
setup_new(const struct viewer *vw, struct mode *m)
{
	static const struct pen plain;
	const struct view_context *cx = &vw->builder.cx;
	const struct options *o = &m->pane->options;
	struct copy_setup s = { .env = copy_of(m)->env };
	struct vt_str *text = NULL;
	struct buf b;
	size_t i;

	s.separators = mem_strdup(options_string(
	    &vw->client->session->options, OPTION_WORD_SEPARATORS));
	s.position =
	    mem_strdup(options_string(o, OPTION_COPY_MODE_POSITION_FORMAT));
	for (i = 0; i < COPY_STYLES; i++)
		s.styles[i] =
		    view_text_style(cx, o, copy_style_options[i], &plain);
	add_keys(vw, &s, mode_table(m->pane));
	buf_init(&b, SYNC_COPY_SETUP_MAX);
	if (copy_setup_put(&s, &b))
		text = vt_str_new((const char *)b.data, b.len);
	buf_fini(&b);
	copy_setup_fini(&s);
	return text;
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

/* Returns the mode whose keys the client may replay, or NULL. */
static struct mode *
mode_of(struct viewer *vw)
{
	const struct client *c = vw->client;
	const struct pane *p = client_pane(c);

	/* A guest has no history, and must not see what others searched. */
	if (vw->mirror == NULL || p == NULL || c->table != NULL ||
	    vw->keys.repeat_until != 0 || !overlays_none(&vw->overlays) ||
	    !cmdq_empty(cmdq_for(vw->run, vw->conn_id)))
		return NULL;
	/* A modal pane takes keys before the table of the mode. */
	if (p->window->modal != NULL)
		return NULL;
	return copy_mode_top(p);
}

static struct sync_copy *
copy_new(struct viewer *vw, const struct sync_view *v, struct mode *m)
{
	const struct vt_frame *screen;
	struct sync_copy *n = NULL;
	struct buf b;

	buf_init(&b, SYNC_COPY_STATE_MAX);
	if (copy_state_put(m, &b) && !b.overflow) {
		mirror_shows(vw->mirror, m->pane->id, copy_of(m)->top);
		screen = copy_state_screen(m);
		if ((v->copy != NULL && v->copy->screen == screen) ||
		    is_small(screen))
			n = sync_copy_new(&(struct sync_copy){
			    .surface = v->focus,
			    .seen = vw->input_done - 1,
			    .state = vt_str_new((const char *)b.data, b.len),
			    .screen = vt_frame_ref(screen),
			});
	}
	buf_fini(&b);
	return n;
}

void
replay_add(struct viewer *vw, struct sync_view *v)
{
	struct mode *m = mode_of(vw);
	struct sync_copy *copy = NULL;
	struct vt_str *setup;

	if (m == NULL && vw->mirror != NULL)
		mirror_shows(vw->mirror, 0, MIRROR_NONE);
	if (m != NULL && v->focus == VIEW_SURFACE_PANE(m->pane->id) &&
	    (setup = setup_new(vw, m)) != NULL) {
		vt_str_unref(v->setup);
		v->setup = setup;
		copy = copy_new(vw, v, m);
	}
	sync_copy_unref(v->copy);
	v->copy = copy;
}
