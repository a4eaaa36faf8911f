#include "client/attach.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/io/sys.h"
#include "base/mem.h"
#include "client/compose.h"
#include "client/escape.h"
#include "client/term/out.h"
#include "client/term/tty.h"
#include "mux/sync/input.h"
#include "mux/sync/view.h"

/* Asks the terminal what it is; answers come whenever they come. */
#define ATTACH_QUESTIONS \
 "\033[c\033[>c\033[>q\033[?2026$p\033[?2031$p\033[?1016$p\033[?u"

/* How to leave; more may be said beside it. */
#define ATTACH_QUIT_KEYS "Ctrl-^ ."

/* What puts a terminal back if we die: modes off, cursor on, main screen. */
#define ATTACH_LAST_WORDS                                       \
 "\033[?2026l\033[?1006l\033[?1003l\033[?1002l\033[?1000l"      \
 "\033[?2004l\033[?1004l\033[?2031l\033[<u\033[>4m\033[r\033[m" \
 "\033[?25h\033[?1049l\033[23;0;0t\r\n"

/* What may follow Ctrl-^. */
#define ATTACH_ESCAPES                                                 \
 ". quits, Ctrl-Z suspends, ? reports on the link, r signs in again, " \
 "h shows history, ^ sends Ctrl-^"
#define ATTACH_REPORT_MS 8000

/* Of answers: when none comes any more, and pauses before and between. */
#define ATTACH_ASKED_MS 500
#define ATTACH_ANSWER_MS 300
#define ATTACH_QUIET_MS 50

/* A tty that takes no bytes is asked again; until then frames are dropped. */
#define ATTACH_BACKLOG 65536

/*
 * So many events that the server has not confirmed, and nothing more is read
 * from the terminal until half of them are gone: a paste without brackets may
 * be of any length.  While none goes all is read, for the escape key's sake,
 * and what has no room is refused.
 */
#define ATTACH_INPUT_MAX (SYNC_INPUT_EVENTS_MAX / 2)
#define ATTACH_INPUT_POLL_MS 5
#define ATTACH_INPUT_STUCK_MS 2000

/* Bytes of a key or a few; more is no typing. */
#define ATTACH_KEYS 64

struct attach {
	struct attach_cfg cfg;
	struct tty *tty;
	struct term_in *in;
	struct term_out *out;
	struct loop_io *io_in;
	struct loop_io *io_out;
	struct loop_timer *in_timer;
	struct vt_frame *screen; /* last composed */
	struct banner *banner;   /* NULL: the server is here */
	struct grapheme_table *graphemes;
	struct loop_timer *banner_timer;
	struct local_echo *echo; /* likewise */
	bool shown;              /* what is typed is, and the server knows it */
	struct past *past;       /* what is shown instead, or NULL */
	struct loop_timer *echo_timer;
	struct escape escape;
	uint16_t size[4];
	int flags_in; /* of the descriptors, which others share */
	int flags_out;
	term_caps caps; /* cfg.caps as the server's options change them */
	struct vt_str *caps_by; /* what they were changed by */
	struct vt_str *keys_by; /* and the user's own keys */
	uint64_t effects_done;
	uint64_t controls_done;
	struct buf paste;
	struct term_probe probe;
	mono_ms asked_at; /* the terminal was asked; 0: not, or long ago */
	bool answered;    /* and has begun to answer */
	bool paused;
	bool progress;                 /* the terminal shows a bar */
	struct loop_timer *room_timer; /* nothing is read until there is room */
	uint64_t room_first;           /* oldest event held at room_since */
	mono_ms room_since;
	bool stuck;     /* none was confirmed for long */
	bool reporting; /* this key asked for the banner's message */
	bool stale;     /* a frame was not painted because the tty is slow */
};

static struct sync_input *
attach_log(struct attach *a)
{
	return ssp_transport_current(a->cfg.tp);
}

static void
attach_flush(struct attach *a)
{
	struct buf *b = term_out_pending(a->out);
	ssize_t n;

	while (b->len > 0) {
		n = write(a->cfg.out, b->data, b->len);
		if (n > 0) {
			buf_consume(b, (size_t)n);
			continue;
		}
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno != EAGAIN) {
			buf_clear(b);
			break;
		}
		break;
	}
	loop_io_set(a->io_out, b->len > 0 ? LOOP_WRITE : 0);
}

/* OSC 9;4: a bar at the terminal's window, which does not outlive us. */
static void
attach_progress(struct attach *a, const char *data, size_t n)
{
	if ((a->caps & TERM_CAP(PROGRESSBAR)) == 0)
		return;
	a->progress = n > 0 && data[0] != '0';
	term_out_raw(a->out, "\033]9;4;", 6);
	term_out_raw(a->out, data, n);
	term_out_raw(a->out, "\033\\", 2);
}

/* Effects that no frame shows: a bell, the clipboard, a notification. */
static void
attach_effect(struct attach *a, const struct sync_effect *e)
{
	switch (e->kind) {
	case SYNC_EFFECT_BELL:
		term_out_raw(a->out, "\a", 1);
		break;
	case SYNC_EFFECT_CLIPBOARD:
		if ((a->caps & TERM_CAP(CLIPBOARD)) == 0)
			break;
		term_out_raw(a->out, "\033]52;", 5);
		term_out_raw(a->out, e->data, e->len);
		term_out_raw(a->out, "\033\\", 2);
		break;
	case SYNC_EFFECT_CLIPBOARD_QUERY:
		if ((a->caps & TERM_CAP(CLIPBOARD)) == 0)
			break;
		term_out_raw(a->out, "\033]52;", 5);
		term_out_raw(a->out, e->data, e->len);
		term_out_raw(a->out, ";?\033\\", 4);
		break;
	case SYNC_EFFECT_NOTIFY:
		if ((a->caps & TERM_CAP(NOTIFY)) == 0)
			break;
		term_out_raw(a->out, "\033]9;", 4);
		term_out_raw(a->out, e->data, e->len);
		term_out_raw(a->out, "\033\\", 2);
		break;
	case SYNC_EFFECT_PASSTHROUGH:
		term_out_raw(a->out, e->data, e->len);
		break;
	case SYNC_EFFECT_PALETTE_QUERY:
		term_out_raw(a->out, "\033]", 2);
		term_out_raw(a->out, e->data, e->len);
		term_out_raw(a->out, ";?\033\\", 4);
		break;
	case SYNC_EFFECT_PROGRESS:
		attach_progress(a, e->data, e->len);
		break;
	case SYNC_EFFECT_CONTROL:
		break;
	}
}

/* Those that are not for the terminal wait for no frame. */
static void
attach_controls(struct attach *a, const struct sync_view *v)
{
	size_t i;

	for (i = 0; i < v->neffects; i++) {
		if (v->effects[i]->num <= a->controls_done)
			continue;
		a->controls_done = v->effects[i]->num;
		if (v->effects[i]->kind == SYNC_EFFECT_CONTROL &&
		    a->cfg.control != NULL)
			a->cfg.control(a->cfg.arg, v->effects[i]->data,
			    v->effects[i]->len);
	}
}

/* Tells the server what the terminal can do. */
static void
attach_tell_caps(struct attach *a)
{
	char *names = term_caps_names_new(a->caps);

	(void)sync_input_data(
	    attach_log(a), SYNC_CAPS, 0, names, strlen(names));
	mem_free(names);
}

/* What the terminal can do, by itself and by the server's options. */
static bool
attach_caps(struct attach *a)
{
	const char *list = vt_str_text(a->caps_by);
	term_caps caps;
	size_t unknown;

	caps = term_caps_change(a->cfg.caps, list, strlen(list), &unknown);
	if (caps == a->caps)
		return false;
	a->caps = caps;
	term_out_set_caps(a->out, caps);
	tty_last_words(
	    a->tty, caps & TERM_CAP(ALTSCREEN) ? ATTACH_LAST_WORDS : NULL);
	attach_tell_caps(a);
	return true;
}

/* The server's options for terminals. */
static void
attach_settings(struct attach *a, const struct sync_view *v)
{
	term_in_set_escape_time(a->in, (mono_ms)v->tty.escape_ms);
	if (!vt_str_equal(a->keys_by, v->tty.keys)) {
		vt_str_unref(a->keys_by);
		a->keys_by = vt_str_ref(v->tty.keys);
		term_in_set_user_keys(a->in, vt_str_text(a->keys_by));
	}
	if (vt_str_equal(a->caps_by, v->tty.caps))
		return;
	vt_str_unref(a->caps_by);
	a->caps_by = vt_str_ref(v->tty.caps);
	if (attach_caps(a)) {
		ssp_transport_changed(a->cfg.tp, loop_now(a->cfg.loop));
		a->cfg.changed(a->cfg.arg);
	}
}

static void
attach_modes(struct attach *a, const struct sync_view *v)
{
	struct term_out_modes m = {
		.mouse = v->tty.mouse,
		.kitty = v->tty.kitty,
		.modify_other = v->tty.modify_other,
		.focus = (v->tty.flags & SYNC_TTY_FOCUS) != 0,
		.paste = (v->tty.flags & SYNC_TTY_PASTE) != 0,
		.theme = true,
	};

	if (v->tty.flags & SYNC_TTY_TITLE)
		m.title = vt_str_text(v->tty.title);
	if (v->tty.path != NULL)
		m.path = vt_str_text(v->tty.path);
	term_out_set_modes(a->out, &m);
}

/* The screen as it is, with the banner over it if there is one. */
static void
attach_show(struct attach *a)
{
	mono_ms now = loop_now(a->cfg.loop);
	struct banner_link link = { 0 };
	struct vt_frame *f, *under;

	if (a->banner == NULL) {
		term_out_paint(a->out, a->screen);
		return;
	}
	a->cfg.far->link(a->cfg.arg, &link);
	banner_link(a->banner, &link);
	under = a->past != NULL
		    ? past_draw(a->past, a->graphemes, a->size[0], a->size[1])
		    : vt_frame_ref(a->screen);
	f = banner_overlay(a->banner, now, under);
	term_out_paint(a->out, f);
	vt_frame_unref(f);
	vt_frame_unref(under);
	loop_timer_set(a->banner_timer, banner_deadline(a->banner, now));
}

/* Only what lies over the screen has changed. */
static void
attach_banner(void *arg)
{
	struct attach *a = arg;

	if (a->paused || a->banner == NULL)
		return;
	if (term_out_pending(a->out)->len > ATTACH_BACKLOG) {
		a->stale = true;
		return;
	}
	if (a->screen != NULL &&
	    (a->screen->cols != a->size[0] || a->screen->rows != a->size[1])) {
		vt_frame_unref(a->screen);
		a->screen = NULL;
	}
	if (a->screen == NULL)
		a->screen = vt_frame_new(a->size[0], a->size[1]);
	attach_show(a);
	attach_flush(a);
}

void
attach_link(struct attach *a)
{
	attach_banner(a);
}

void
attach_say(struct attach *a, mono_ms ms, const char *text)
{
	if (a->banner == NULL)
		return;
	banner_message(a->banner, loop_now(a->cfg.loop), ms, text);
	attach_banner(a);
}

/* The view on a screen, with what was typed since if that is likely enough. */
static struct vt_frame *
attach_compose(struct attach *a, const struct sync_view *v)
{
	mono_ms now = loop_now(a->cfg.loop);
	struct sync_view *lent;
	struct vt_frame *f;

	if (a->echo == NULL)
		return compose_view(v, a->size[0], a->size[1], a->screen);
	lent = local_echo_lend(a->echo, now, v);
	f = compose_view(lent, a->size[0], a->size[1], a->screen);
	sync_view_free(lent);
	loop_timer_set(a->echo_timer, local_echo_deadline(a->echo, now));
	return f;
}

static void
attach_paint(struct attach *a)
{
	const struct sync_view *v = ssp_transport_remote(a->cfg.tp, NULL);
	struct vt_frame *f;
	size_t i;

	if (a->paused)
		return;
	if (v->nsurfaces == 0) {
		attach_banner(a);
		return;
	}
	if (term_out_pending(a->out)->len > ATTACH_BACKLOG) {
		a->stale = true;
		return;
	}
	a->stale = false;
	for (i = 0; i < v->neffects; i++)
		if (v->effects[i]->num > a->effects_done) {
			a->effects_done = v->effects[i]->num;
			attach_effect(a, v->effects[i]);
		}
	attach_settings(a, v);
	attach_modes(a, v);
	f = attach_compose(a, v);
	vt_frame_unref(a->screen);
	a->screen = f;
	attach_show(a);
	attach_flush(a);
}

void
attach_update(struct attach *a)
{
	uint64_t num;

	const struct sync_view *v = ssp_transport_remote(a->cfg.tp, &num);

	attach_controls(a, v);
	if (a->echo != NULL) {
		local_echo_link(a->echo, a->cfg.far->rtt(a->cfg.arg));
		local_echo_view(a->echo, loop_now(a->cfg.loop), v,
		    sync_input_end(attach_log(a)) - 1);
	}
	attach_paint(a);
	(void)ssp_transport_remote_seen(a->cfg.tp);
}

static void
attach_changed(struct attach *a)
{
	ssp_transport_changed(a->cfg.tp, loop_now(a->cfg.loop));
	a->cfg.changed(a->cfg.arg);
}

/*
 * Who sees already what was typed waits for nothing; the server is told when
 * that begins and ends.  It goes with the key, which has not gone yet.
 */
static void
attach_shown(struct attach *a)
{
	enum local_echo_shown is =
	    local_echo_shown(a->echo, loop_now(a->cfg.loop));
	bool shown = is == LOCAL_ECHO_SHOWN;

	ssp_transport_patient(a->cfg.tp, shown);
	if (is == LOCAL_ECHO_OTHER || shown == a->shown ||
	    sync_input_shown(attach_log(a), shown) != 0)
		return;
	a->shown = shown;
	attach_changed(a);
}

/* What was typed may be on the screen before its echo is. */
static void
attach_typed(struct attach *a)
{
	if (a->echo == NULL || !local_echo_stale(a->echo))
		return;
	attach_paint(a);
	attach_shown(a);
}

static void
attach_echo_due(void *arg)
{
	attach_paint(arg);
}

/* --- input ----------------------------------------------------------------- */

/* Answers about widths; the first question behind them ends the wait. */
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

static void
attach_reply(struct attach *a, const struct term_event *ev)
{
	struct sync_input *in = attach_log(a);
	term_caps caps = term_caps_from_reply(a->cfg.caps, ev);

	if (attach_width(a, ev))
		return;
	if (caps != a->cfg.caps) {
		a->cfg.caps = caps;
		if (attach_caps(a))
			attach_paint(a);
	}
	if (ev->reply == TERM_REPLY_THEME)
		(void)sync_input_data(in, SYNC_REPLY,
		    ev->params[0] == 2 ? SYNC_REPLY_LIGHT : SYNC_REPLY_DARK, "",
		    0);
	else if (ev->reply == TERM_REPLY_OSC && ev->params[0] == 52)
		(void)sync_input_data(in, SYNC_REPLY, SYNC_REPLY_CLIPBOARD,
		    ev->data, MIN_OF(ev->len, (size_t)SYNC_EVENT_DATA_MAX));
	else if (ev->reply == TERM_REPLY_OSC &&
		 (ev->params[0] == 10 || ev->params[0] == 11))
		(void)sync_input_data(in, SYNC_REPLY,
		    ev->params[0] == 10 ? SYNC_REPLY_FOREGROUND
					: SYNC_REPLY_BACKGROUND,
		    ev->data, MIN_OF(ev->len, (size_t)64));
}

static void
attach_paste(struct attach *a, const struct term_event *ev)
{
	if (ev->begin)
		buf_clear(&a->paste);
	(void)buf_add(&a->paste, ev->data, ev->len);
	if (!ev->end)
		return;
	if (a->paste.overflow ||
	    sync_input_paste(attach_log(a), a->paste.data, a->paste.len) != 0)
		term_out_raw(a->out, "\a", 1);
	else if (a->echo != NULL)
		local_echo_paste(a->echo, loop_now(a->cfg.loop), a->paste.data,
		    a->paste.len, sync_input_end(attach_log(a)) - 1);
	buf_clear(&a->paste);
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

/* The escape key itself, kept back until what follows was known. */
static int
attach_pass_escape(struct attach *a)
{
	struct key_event ev = { .key = a->escape.key };

	return attach_key(a, &ev);
}

static void
attach_report(struct attach *a)
{
	char text[BANNER_TEXT_MAX];

	a->cfg.far->report(a->cfg.arg, text, sizeof(text));
	a->reporting = true;
	attach_say(a, ATTACH_REPORT_MS, text);
}

static void
attach_look(struct attach *a)
{
	past_free(a->past);
	a->past = a->cfg.far->past(a->cfg.arg);
	if (a->past == NULL) {
		a->reporting = true;
		attach_say(a, ATTACH_REPORT_MS,
		    "no history of this pane is held here");
	}
}

/* While history is looked at, keys are its. */
static bool
attach_looking(struct attach *a, const struct term_event *ev)
{
	key_code key = ev->kind == TERM_TEXT ? ev->cp : ev->key.key;

	if (a->past == NULL || ev->kind == TERM_REPLY || ev->kind == TERM_FOCUS)
		return false;
	if ((ev->kind == TERM_TEXT ||
		(ev->kind == TERM_KEY && ev->key.type != KEY_RELEASE)) &&
	    !past_key(a->past, key, a->size[1])) {
		past_free(a->past);
		a->past = NULL;
	}
	attach_banner(a);
	return true;
}

/* Whether the event was for the client itself. */
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
		attach_say(a, MONO_NEVER, ATTACH_ESCAPES);
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
	case ESCAPE_PAST:
		attach_look(a);
		break;
	case ESCAPE_AGAIN:
		a->reporting = true;
		a->cfg.far->again(a->cfg.arg);
		break;
	}
	return true;
}

static void
attach_event(void *arg, const struct term_event *ev)
{
	struct attach *a = arg;
	bool held = a->escape.held, own = attach_escaped(a, ev);
	int r = 0;

	if (held && !a->escape.held && !(own && a->reporting)) {
		banner_clear(a->banner);
		attach_banner(a);
	}
	a->reporting = false;
	if (own || attach_looking(a, ev))
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
		attach_paste(a, ev);
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

/* Whether more can be taken in: at most MAX events wait. */
static bool
attach_room(struct attach *a, uint64_t max)
{
	const struct sync_input *in = attach_log(a);

	return sync_input_end(in) - sync_input_first(in) <= max;
}

static void
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
	if (a->stuck || attach_room(a, ATTACH_INPUT_MAX / 2))
		loop_io_set(a->io_in, LOOP_READ);
	else
		loop_timer_set(
		    a->room_timer, mono_add(now, ATTACH_INPUT_POLL_MS));
}

/* After a read: the next one waits if much is on its way. */
static void
attach_make_room(struct attach *a)
{
	if (a->paused || attach_room(a, ATTACH_INPUT_MAX) ||
	    (a->stuck && a->room_first == sync_input_first(attach_log(a))))
		return;
	a->room_first = sync_input_first(attach_log(a));
	a->room_since = loop_now(a->cfg.loop);
	a->stuck = false;
	loop_io_set(a->io_in, 0);
	loop_timer_set(
	    a->room_timer, mono_add(a->room_since, ATTACH_INPUT_POLL_MS));
}

static void
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
	if (n < 0)
		return;
	term_in_push(a->in, loop_now(a->cfg.loop), bytes, (size_t)n);
	mem_wipe(bytes, (size_t)n);
	attach_arm(a);
	attach_changed(a);
	attach_typed(a);
	attach_flush(a);
	attach_make_room(a);
	/* The server is here: what was typed is soon answered. */
	if (a->cfg.far == NULL && n <= ATTACH_KEYS)
		loop_expect(a->cfg.loop);
}

static void
attach_in_timer(void *arg)
{
	struct attach *a = arg;

	term_in_timeout(a->in, loop_now(a->cfg.loop));
	attach_arm(a);
	attach_changed(a);
	attach_typed(a);
}

static void
attach_writable(void *arg, UNUSED int fd, UNUSED unsigned events)
{
	struct attach *a = arg;

	attach_flush(a);
	if (a->stale)
		attach_paint(a);
}

/*
 * Asks a terminal that shows nothing yet what it is, and how wide: the answer
 * to the first of the questions says that those about widths have come.
 */
static void
attach_ask(struct attach *a)
{
	struct buf b;

	buf_init(&b, 4096);
	if ((a->caps & TERM_CAP(UTF8)) && a->size[0] >= TERM_PROBE_COLS &&
	    a->size[1] >= TERM_PROBE_ROW)
		term_probe_begin(&a->probe, &b);
	else
		a->probe = (struct term_probe){ .asked = false };
	term_out_set_widths(a->out, &a->probe.got);
	(void)buf_add(&b, ATTACH_QUESTIONS, sizeof(ATTACH_QUESTIONS) - 1);
	term_out_raw(a->out, b.data, b.len);
	buf_fini(&b);
	a->asked_at = loop_now(a->cfg.loop);
	a->answered = false;
}

/*
 * What the terminal still answers is for us, and not for the program that reads
 * it next: a shell, or a lock that would take it for a password.
 */
static void
attach_settle(struct attach *a)
{
	struct pollfd p = { .fd = a->cfg.in, .events = POLLIN };
	int ms = a->answered ? ATTACH_QUIET_MS : ATTACH_ANSWER_MS, i;
	char junk[4096];

	if (a->asked_at == 0 ||
	    sys_now() > mono_add(a->asked_at, ATTACH_ASKED_MS))
		return;
	for (i = 0; i < 64; i++) {
		if (poll(&p, 1, ms) != 1 || (p.revents & POLLIN) == 0 ||
		    read(a->cfg.in, junk, sizeof(junk)) <= 0)
			break;
		ms = ATTACH_QUIET_MS;
	}
	a->asked_at = 0;
}

/* --- life -------------------------------------------------------------------- */

void
attach_resized(struct attach *a)
{
	uint16_t size[4];

	tty_size(a->tty, size);
	if (memcmp(size, a->size, sizeof(size)) == 0)
		return;
	memcpy(a->size, size, sizeof(size));
	term_out_resize(a->out, size[0], size[1]);
	(void)sync_input_resize(attach_log(a), size);
	if (a->echo != NULL)
		local_echo_resize(a->echo, loop_now(a->cfg.loop),
		    sync_input_end(attach_log(a)) - 1);
	attach_paint(a);
	attach_changed(a);
}

void
attach_pause(struct attach *a)
{
	if (a->paused)
		return;
	a->paused = true;
	if (a->progress)
		attach_progress(a, "0;0", 3);
	term_out_stop(a->out);
	(void)sys_write_all(a->cfg.out, term_out_pending(a->out)->data,
	    term_out_pending(a->out)->len);
	buf_clear(term_out_pending(a->out));
	attach_settle(a);
	tty_last_words(a->tty, NULL);
	tty_restore(a->tty);
	(void)fcntl(a->cfg.in, F_SETFL, a->flags_in);
	(void)fcntl(a->cfg.out, F_SETFL, a->flags_out);
	loop_io_set(a->io_in, 0);
	loop_io_set(a->io_out, 0);
}

void
attach_blank(struct attach *a, bool on)
{
	const char *s = "";

	if (a->caps & TERM_CAP(ALTSCREEN))
		s = on ? "\033[?1049h\033[H\033[2J" : "\033[?1049l";
	else if (on && (a->caps & ~TERM_CAP(UTF8)) != 0)
		s = "\033[H\033[2J";
	(void)sys_write_all(a->cfg.out, s, strlen(s));
}

void
attach_resume(struct attach *a)
{
	if (!a->paused)
		return;
	a->paused = false;
	tty_raw(a->tty);
	a->flags_in = fcntl(a->cfg.in, F_GETFL);
	a->flags_out = fcntl(a->cfg.out, F_GETFL);
	(void)sys_set_nonblock(a->cfg.in);
	(void)sys_set_nonblock(a->cfg.out);
	tty_last_words(
	    a->tty, a->caps & TERM_CAP(ALTSCREEN) ? ATTACH_LAST_WORDS : NULL);
	term_out_start(a->out);
	if (a->caps & TERM_CAP(ALTSCREEN))
		attach_ask(a);
	loop_io_set(a->io_in, LOOP_READ);
	attach_resized(a);
	attach_paint(a);
	attach_flush(a);
}

void
attach_hint(struct attach *a, const char *keys)
{
	if (a->banner == NULL)
		return;
	banner_set_quit(a->banner, keys == NULL ? ATTACH_QUIT_KEYS : keys);
	attach_banner(a);
}

void
attach_move(struct attach *a, struct ssp_transport *tp)
{
	a->cfg.tp = tp;
	a->effects_done = a->controls_done = 0;
	a->shown = false;
	buf_clear(&a->paste);
	if (a->echo != NULL) {
		local_echo_free(a->echo);
		a->echo = local_echo_new(a->graphemes, a->cfg.predict);
		loop_timer_set(a->echo_timer, MONO_NEVER);
	}
	(void)sync_input_resize(attach_log(a), a->size);
	attach_tell_caps(a);
	/* Light or dark, and the like: as at the beginning. */
	if (!a->paused && (a->caps & TERM_CAP(ALTSCREEN)))
		term_out_raw(
		    a->out, ATTACH_QUESTIONS, sizeof(ATTACH_QUESTIONS) - 1);
	attach_changed(a);
	attach_flush(a);
}

struct attach *
attach_new(const struct attach_cfg *cfg, struct cause *c)
{
	struct attach *a;
	struct tty *tty;

	if ((tty = tty_open(cfg->in, c)) == NULL)
		return NULL;
	a = mem_zalloc(sizeof(*a));
	a->cfg = *cfg;
	a->caps = cfg->caps;
	a->tty = tty;
	a->paused = true;
	tty_size(tty, a->size);
	buf_init(&a->paste, SYNC_INPUT_BYTES_MAX);
	a->in = term_in_new(attach_event, a);
	a->out = term_out_new(cfg->caps, a->size[0], a->size[1]);
	a->io_in = loop_io_add(cfg->loop, cfg->in, 0, attach_readable, a);
	a->io_out = loop_io_add(cfg->loop, cfg->out, 0, attach_writable, a);
	a->in_timer = loop_timer_new(cfg->loop, attach_in_timer, a);
	a->room_timer = loop_timer_new(cfg->loop, attach_room_due, a);
	if (cfg->far != NULL) {
		a->graphemes = grapheme_table_new(NULL);
		a->banner = banner_new(a->graphemes, loop_now(cfg->loop));
		banner_set_quit(a->banner, ATTACH_QUIT_KEYS);
		a->banner_timer = loop_timer_new(cfg->loop, attach_banner, a);
		a->echo = local_echo_new(a->graphemes, cfg->predict);
		a->echo_timer = loop_timer_new(cfg->loop, attach_echo_due, a);
		escape_init(&a->escape, ESCAPE_DEFAULT);
	}
	(void)sync_input_resize(attach_log(a), a->size);
	attach_tell_caps(a);
	attach_resume(a);
	attach_changed(a);
	return a;
}

void
attach_free(struct attach *a)
{
	if (a == NULL)
		return;
	attach_pause(a);
	loop_timer_free(a->in_timer);
	loop_timer_free(a->room_timer);
	loop_timer_free(a->banner_timer);
	loop_timer_free(a->echo_timer);
	banner_free(a->banner);
	local_echo_free(a->echo);
	past_free(a->past);
	grapheme_table_free(a->graphemes);
	loop_io_del(a->io_in);
	loop_io_del(a->io_out);
	term_in_free(a->in);
	term_out_free(a->out);
	vt_frame_unref(a->screen);
	tty_close(a->tty);
	buf_fini(&a->paste);
	vt_str_unref(a->caps_by);
	vt_str_unref(a->keys_by);
	mem_free(a);
}
