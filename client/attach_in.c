#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/str.h"
#include "client/attach_int.h"
#include "client/notice.h"
#include "client/term/out.h"
#include "client/term/tty.h"
#include "mux/sync/input.h"

/* Shown after Ctrl-^: the keys that may follow. */
#define ATTACH_ESCAPES                                                 \
 ". quits, Ctrl-Z suspends, ? reports on the link, r signs in again, " \
 "h shows history, ^ sends Ctrl-^"
#define ATTACH_REPORT_MS 8000

/*
 * At this many unconfirmed events the client stops reading the terminal until
 * half of them are confirmed: a paste without brackets may have any length.
 * While the server confirms none, the client keeps reading, so that the escape
 * key works, and drops events that do not fit.
 */
#define ATTACH_INPUT_MAX (SYNC_INPUT_EVENTS_MAX / 2)
#define ATTACH_INPUT_POLL_MS 5
#define ATTACH_INPUT_STUCK_MS 2000
#define ATTACH_BACKGROUND_MS 500 /* until another try to read */

/* Takes answers about widths; the first other answer ends the wait. */
static bool
attach_width(struct attach *a, const struct term_event *ev)
{
	bool wrong;

	a->answered = true;
	if (ev->reply == TERM_REPLY_CURSOR)
		return ev->nparams >= 2 && term_probe_cursor(&a->probe,
					       ev->params[0], ev->params[1]);
	if (ev->reply != TERM_REPLY_DA1)
		return false;
	wrong = term_probe_end(&a->probe);
	term_out_set_widths(a->out, &a->probe.got);
	if (wrong) {
		term_out_forget(a->out);
		attach_paint(a);
	}
	return false;
}

/* Tells the server whether the terminal is light or dark. */
static void
attach_theme(struct attach *a, bool light)
{
	(void)sync_input_data(attach_log(a), SYNC_REPLY,
	    light ? SYNC_REPLY_LIGHT : SYNC_REPLY_DARK, "", 0);
}

static void
attach_reply(struct attach *a, const struct term_event *ev)
{
	bool light;
	struct sync_input *in = attach_log(a);
	term_caps caps = term_caps_from_reply(a->cfg.caps, ev);

	if (attach_width(a, ev))
		return;
	if (caps != a->cfg.caps) {
		a->cfg.caps = caps;
		if (attach_caps(a))
			attach_paint(a);
	}
	if ((a->cfg.allow & TRUST_COLOURS) &&
	    term_colours_take(&a->colours, ev)) {
		(void)sync_input_data(in, SYNC_REPLY, SYNC_REPLY_COLOURS,
		    a->colours.data, a->colours.n);
		a->colours.n = 0;
	}
	if (ev->reply == TERM_REPLY_SIZE && ev->nparams >= 3 &&
	    ev->params[0] == 6) {
		a->cell[0] = (int)MIN_OF(ev->params[2], 1000u);
		a->cell[1] = (int)MIN_OF(ev->params[1], 1000u);
		attach_resized(a);
	}
	if (ev->reply == TERM_REPLY_THEME) {
		attach_theme(a, ev->params[0] == 2);
		attach_ask_colours(a);
	} else if (ev->reply == TERM_REPLY_XTVERSION)
		(void)sync_input_data(in, SYNC_REPLY, SYNC_REPLY_VERSION,
		    ev->data, MIN_OF(ev->len, (size_t)64));
	else if (ev->reply == TERM_REPLY_OSC && ev->params[0] == 52)
		(void)sync_input_data(in, SYNC_REPLY, SYNC_REPLY_CLIPBOARD,
		    ev->data, MIN_OF(ev->len, (size_t)SYNC_EVENT_DATA_MAX));
	else if (ev->reply == TERM_REPLY_OSC && ev->params[0] == 99 &&
		 (a->cfg.allow & TRUST_NOTIFY) != 0 &&
		 notice_is_answer(ev->data, ev->len))
		(void)sync_input_data(
		    in, SYNC_REPLY, SYNC_REPLY_NOTICE, ev->data, ev->len);
	else if (ev->reply == TERM_REPLY_OSC && ev->params[0] == 11 &&
		 term_background_light(ev->data, ev->len, &light) == 0)
		attach_theme(a, light);
}

static int
attach_text(struct attach *a, uint32_t cp)
{
	struct sync_input *in = attach_log(a);
	int r = sync_input_text(in, cp);

	if (r == 0 && a->echo != NULL)
		local_echo_text(
		    a->echo, loop_now(a->cfg.loop), cp, sync_input_end(in) - 1);
	return r;
}

static int
attach_key(struct attach *a, const struct key_event *ev)
{
	struct sync_input *in = attach_log(a);
	int r = sync_input_key(in, ev);

	if (r == 0 && a->echo != NULL)
		local_echo_key(
		    a->echo, loop_now(a->cfg.loop), ev, sync_input_end(in) - 1);
	return r;
}

static int
attach_mouse(struct attach *a, const struct mouse_event *ev)
{
	struct sync_input *in = attach_log(a);
	int r = sync_input_mouse(in, ev);

	if (r == 0 && a->echo != NULL)
		local_echo_mouse(
		    a->echo, loop_now(a->cfg.loop), ev, sync_input_end(in) - 1);
	return r;
}

/* Passes on the escape key that was kept back until the next key. */
static int
attach_pass_escape(struct attach *a)
{
	struct key_event ev = { .key = a->escape.key };

	return attach_key(a, &ev);
}

static void
attach_report(struct attach *a)
{
	mono_ms now = loop_now(a->cfg.loop);

	a->reporting = true;
	a->report_until = mono_add(now, ATTACH_REPORT_MS);
	a->report_next = now;
	attach_banner(a);
}

/* The next key, also one for the client itself, ends the report. */
static void
attach_report_ends(struct attach *a, const struct term_event *ev)
{
	if (a->report_until == 0 || ev->kind == TERM_REPLY ||
	    ev->kind == TERM_FOCUS || ev->kind == TERM_MOUSE ||
	    (ev->kind == TERM_KEY &&
		(ev->key.type == KEY_RELEASE || key_is_modifier(ev->key.key))))
		return;
	a->report_until = 0;
	attach_unsay(a);
}

static void
attach_history_open(struct attach *a)
{
	const struct sync_view *v = ssp_transport_remote(a->cfg.tp, NULL);

	history_view_free(a->history);
	a->history =
	    a->cfg.far->history(a->cfg.arg, local_echo_window(a->echo, v));
	if (a->history == NULL) {
		a->reporting = true;
		attach_say(a, ATTACH_REPORT_MS,
		    "this client has no copy of this pane's history");
	}
}

static void
attach_history_does(struct attach *a, key_code key)
{
	struct buf copied;

	buf_init(&copied, SYNC_EFFECT_DATA_MAX);
	if (!history_view_key(
		a->history, a->graphemes, key, a->size[1], &copied)) {
		history_view_free(a->history);
		a->history = NULL;
	}
	if (copied.len > 0 && !copied.overflow)
		attach_copy(a, copied.data, copied.len);
	buf_fini(&copied);
}

/* Gives keys to the history view while one is shown. */
static bool
attach_history_key(struct attach *a, const struct term_event *ev)
{
	key_code key = ev->kind == TERM_TEXT ? ev->cp : ev->key.key;

	if (a->history == NULL || ev->kind == TERM_REPLY ||
	    ev->kind == TERM_FOCUS)
		return false;
	if (ev->kind == TERM_TEXT ||
	    (ev->kind == TERM_KEY && ev->key.type != KEY_RELEASE))
		attach_history_does(a, key);
	attach_banner(a);
	return true;
}

/* Returns whether the event was for the client itself. */
static bool
attach_escaped(struct attach *a, const struct term_event *ev)
{
	if (a->cfg.far == NULL || ev->kind == TERM_REPLY ||
	    ev->kind == TERM_FOCUS)
		return false;
	if (ev->kind != TERM_TEXT && ev->kind != TERM_KEY) {
		if (escape_flush(&a->escape))
			(void)attach_pass_escape(a);
		return false;
	}
	if (ev->kind == TERM_KEY && ev->key.type == KEY_RELEASE)
		return false;
	switch (escape_key(
	    &a->escape, ev->kind == TERM_TEXT ? ev->cp : ev->key.key)) {
	case ESCAPE_PASS:
		return false;
	case ESCAPE_PASS_BOTH:
		(void)attach_pass_escape(a);
		return false;
	case ESCAPE_HOLD:
		attach_say(a, MONO_NEVER,
		    a->question != NULL ? a->question : ATTACH_ESCAPES);
		return true;
	case ESCAPE_LITERAL:
		(void)attach_pass_escape(a);
		break;
	case ESCAPE_QUIT:
		a->cfg.far->quit(a->cfg.arg);
		break;
	case ESCAPE_SUSPEND:
		a->cfg.far->suspend(a->cfg.arg);
		break;
	case ESCAPE_REPORT:
		attach_report(a);
		break;
	case ESCAPE_HISTORY:
		attach_history_open(a);
		break;
	case ESCAPE_ANSWER:
		if (a->question == NULL) {
			(void)attach_pass_escape(a);
			return false;
		}
		a->cfg.far->answer(a->cfg.arg,
		    ev->kind == TERM_TEXT ? (char)ev->cp : (char)ev->key.key);
		break;
	case ESCAPE_AGAIN:
		a->reporting = true;
		a->cfg.far->again(a->cfg.arg);
		break;
	}
	return true;
}

void
attach_event(void *arg, const struct term_event *ev)
{
	struct attach *a = arg;
	bool held = a->escape.held, own;
	int r = 0;

	attach_report_ends(a, ev);
	own = attach_escaped(a, ev);
	if (held && !a->escape.held && !(own && a->reporting))
		attach_unsay(a);
	a->reporting = false;
	if (own || attach_history_key(a, ev) || attach_paste_holds(a, ev))
		return;
	switch (ev->kind) {
	case TERM_TEXT:
		r = attach_text(a, ev->cp);
		break;
	case TERM_KEY:
		r = attach_key(a, &ev->key);
		break;
	case TERM_MOUSE:
		r = attach_mouse(a, &ev->mouse);
		break;
	case TERM_PASTE:
		attach_paste_event(a, ev);
		break;
	case TERM_FOCUS:
		r = sync_input_focus(attach_log(a), ev->gained);
		break;
	case TERM_REPLY:
		attach_reply(a, ev);
		break;
	}
	if (r != 0)
		term_out_raw(a->out, "\a", 1);
}

static void
attach_arm(struct attach *a)
{
	loop_timer_set(a->in_timer, term_in_deadline(a->in));
}

/* Returns whether fewer than MAX events wait for the server. */
static bool
attach_room(struct attach *a, uint64_t max)
{
	const struct sync_input *in = attach_log(a);

	return sync_input_end(in) - sync_input_first(in) <= max;
}

void
attach_room_due(void *arg)
{
	struct attach *a = arg;
	uint64_t first = sync_input_first(attach_log(a));
	mono_ms now = loop_now(a->cfg.loop);

	if (a->paused)
		return;
	if (first != a->room_first) {
		a->room_first = first;
		a->room_since = now;
	}
	a->stuck = now - a->room_since >= ATTACH_INPUT_STUCK_MS;
	if (!attach_paste_full(a) &&
	    (a->stuck || attach_room(a, ATTACH_INPUT_MAX / 2)))
		loop_io_set(a->io_in, LOOP_READ);
	else
		loop_timer_set(
		    a->room_timer, mono_add(now, ATTACH_INPUT_POLL_MS));
}

/* Whether the terminal must wait with more input. */
static bool
attach_must_wait(struct attach *a)
{
	if (attach_paste_full(a))
		return true;
	/* While the server confirms nothing, the client keeps reading. */
	return !attach_room(a, ATTACH_INPUT_MAX) &&
	       !(a->stuck && a->room_first == sync_input_first(attach_log(a)));
}

/* After a read: stops reading if many events wait. */
static void
attach_make_room(struct attach *a)
{
	if (a->paused || !attach_must_wait(a))
		return;
	a->room_first = sync_input_first(attach_log(a));
	a->room_since = loop_now(a->cfg.loop);
	a->stuck = false;
	loop_io_set(a->io_in, 0);
	loop_timer_set(
	    a->room_timer, mono_add(a->room_since, ATTACH_INPUT_POLL_MS));
}

void
attach_readable(void *arg, int fd, UNUSED unsigned events)
{
	struct attach *a = arg;
	uint8_t bytes[16384];
	ssize_t n;

	n = read(fd, bytes, sizeof(bytes));
	if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) {
		loop_io_set(a->io_in, 0);
		a->cfg.gone(a->cfg.arg);
		return;
	}
	if (n < 0 && tty_in_background()) {
		loop_io_set(a->io_in, 0);
		loop_timer_set(a->room_timer,
		    mono_add(loop_now(a->cfg.loop), ATTACH_BACKGROUND_MS));
	}
	if (n < 0)
		return;
	term_in_push(a->in, loop_now(a->cfg.loop), bytes, (size_t)n);
	mem_wipe(bytes, (size_t)n);
	attach_arm(a);
	attach_changed(a);
	attach_typed(a);
	attach_flush(a);
	attach_make_room(a);
}

void
attach_in_timer(void *arg)
{
	struct attach *a = arg;

	term_in_timeout(a->in, loop_now(a->cfg.loop));
	attach_arm(a);
	attach_changed(a);
	attach_typed(a);
}
