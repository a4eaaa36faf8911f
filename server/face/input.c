#include "server/face/input.h"

#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "mux/client.h"
#include "mux/mux.h"
#include "mux/session.h"
#include "mux/view/text.h"
#include "mux/window.h"
#include "server/face/guest.h"
#include "server/face/me_conf.h"
#include "server/face/notices.h"
#include "server/face/pasting.h"
#include "server/face/people.h"
#include "server/face/role.h"
#include "server/face/viewer.h"
#include "server/io/pane_input.h"

static void
event_text(struct viewer *vw, const struct sync_event *ev)
{
	struct key_event key = { .key = ev->cp };

	key.text[utf8_encode(ev->cp, (uint8_t *)key.text)] = '\0';
	keys_typed(vw, &key);
}

static void
event_key(struct viewer *vw, const struct sync_event *ev)
{
	keys_typed(vw, &ev->key);
}

static void
event_mouse(struct viewer *vw, const struct sync_event *ev)
{
	mouse_moved(vw, &ev->mouse);
}

static void
event_focus(struct viewer *vw, const struct sync_event *ev)
{
	client_set_flags(vw->client, CLIENT_FOCUSED, ev->flags != 0);
}

static void
event_resize(struct viewer *vw, const struct sync_event *ev)
{
	uint16_t size[4];
	int cw = 0, ch = 0;

	memcpy(size, ev->size, sizeof(size));
	if (vw->client->guest)
		budget_limit_size(size);
	if (size[2] > 0 && size[3] > 0) {
		cw = size[2] / size[0];
		ch = size[3] / size[1];
	}
	client_set_size(vw->client, size[0], size[1], cw, ch);
	if (people_watched(vw->client))
		audit_size(vw->run->audit, vw->client);
	vw->builder.status_dirty = vw->builder.chrome_dirty = true;
	overlays_resize(&vw->overlays);
	viewer_dirty(vw);
}

/* Redraws all after a change of the terminal's theme, colours or features. */
static void
redraw_all(struct viewer *vw)
{
	vw->builder.status_dirty = vw->builder.chrome_dirty = true;
	vw->builder.panes_dirty = true;
	viewer_dirty(vw);
}

/* Lends the colours of the client's terminal to programs, and redraws ours. */
static void
tell_colours(struct viewer *vw)
{
	/* security: a guest's colours are not those of the owner's terminal. */
	if (vw->client->session == NULL || vw->client->guest)
		return;
	client_outer_changed(vw->client);
	redraw_all(vw);
}

static void
event_reply(struct viewer *vw, const struct sync_event *ev)
{
	char *text;

	if (ev->flags == SYNC_REPLY_UNLOCKED) {
		viewer_unlocked(vw);
		return;
	}
	if (ev->flags == SYNC_REPLY_CLIPBOARD) {
		clipboard_answered(vw, ev->data, ev->len);
		return;
	}
	if (ev->flags == SYNC_REPLY_NOTICE) {
		notices_answered(vw, ev->data, ev->len);
		return;
	}
	if (ev->flags == SYNC_REPLY_VERSION) {
		text = guest_word_new(vw->client, ev->data, ev->len);
		client_set_text(vw->client, &vw->client->term_type, text);
		mem_free(text);
		return;
	}
	if (ev->flags == SYNC_REPLY_DARK)
		client_set_theme(vw->client, CLIENT_THEME_DARK);
	else if (ev->flags == SYNC_REPLY_LIGHT)
		client_set_theme(vw->client, CLIENT_THEME_LIGHT);
	else if (ev->flags == SYNC_REPLY_COLOURS)
		(void)outer_read(&vw->client->outer, ev->data, ev->len);
	tell_colours(vw);
}

static void
event_caps(struct viewer *vw, const struct sync_event *ev)
{
	char *text = guest_word_new(vw->client, ev->data, ev->len);

	client_set_features(vw->client, text);
	mem_free(text);
	redraw_all(vw);
}

static void
event_hello(struct viewer *vw, const struct sync_event *ev)
{
	guest_hello(vw, ev);
	viewer_dirty(vw);
}

static void
event_shown(struct viewer *vw, const struct sync_event *ev)
{
	vw->shown = ev->flags != 0;
}

static void
event_predicted(struct viewer *vw, const struct sync_event *ev)
{
	vw->client->predicted = (int)ev->flags;
}

static const struct input_row {
	enum sync_event_kind kind;
	void (*fn)(struct viewer *vw, const struct sync_event *ev);
} input_rows[] = {
	{ SYNC_TEXT, event_text },
	{ SYNC_KEY, event_key },
	{ SYNC_PASTE, pasting_event },
	{ SYNC_MOUSE, event_mouse },
	{ SYNC_FOCUS, event_focus },
	{ SYNC_RESIZE, event_resize },
	{ SYNC_REPLY, event_reply },
	{ SYNC_CAPS, event_caps },
	{ SYNC_HELLO, event_hello },
	{ SYNC_SHOWN, event_shown },
	{ SYNC_ME, me_conf_event },
	{ SYNC_PREDICTED, event_predicted },
};

/* Records the typing; other clients may show this user's cursor. */
static void
event_typed(struct viewer *vw)
{
	client_typed(vw->client, loop_now(vw->run->loop));
	if (vw->all->list.count > 1)
		people_typed(vw);
}

void
input_event(struct viewer *vw, const struct sync_event *ev)
{
	size_t i;

	/* An admin may do everything (role.h). */
	if (!role_prompts(vw->client) && !role_event(vw->client, ev)) {
		audit_add(vw->run->audit, vw->client, AUDIT_REFUSED_ROLE,
		    MUX_NONE, 1);
		return;
	}
	if (vw->client->guest && !guest_may(vw, loop_now(vw->run->loop), ev))
		return;
	if (ev->kind == SYNC_TEXT || ev->kind == SYNC_KEY)
		event_typed(vw);
	for (i = 0; i < ARRAY_LEN(input_rows); i++)
		if (input_rows[i].kind == ev->kind) {
			input_rows[i].fn(vw, ev);
			return;
		}
}
