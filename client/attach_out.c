#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/str.h"
#include "client/attach_int.h"
#include "client/compose.h"
#include "client/notice.h"
#include "client/term/out.h"
#include "client/term/tty.h"
#include "mux/sync/input.h"
#include "mux/sync/view.h"
#include "ssp/idle.h"

/* Bytes that may wait for a slow tty; above this, frames are skipped. */
#define ATTACH_BACKLOG 65536

#define ATTACH_CAPS_MAX 4096 /* bytes of the features' names */

#define ATTACH_COPIED_MS 3000 /* for which a message about a copy is shown */

struct sync_input *
attach_log(struct attach *a)
{
	return ssp_transport_current(a->cfg.tp);
}

void
attach_changed(struct attach *a)
{
	ssp_transport_changed(a->cfg.tp, loop_now(a->cfg.loop));
	a->cfg.changed(a->cfg.arg);
}

void
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

void
attach_progress(struct attach *a, bool on)
{
	const char *s = on ? a->progress : "0;0";

	if (a->progress[0] != '\0' && (a->caps & TERM_CAP(PROGRESSBAR)) != 0)
		term_out_osc(a->out, "9;4;", s, strlen(s), "");
}

/* Takes the progress of the active pane, also for later (attach_progress). */
static void
take_progress(struct attach *a, const char *data, size_t n)
{
	if (n == 0 || data[0] == '0' || n >= sizeof(a->progress)) {
		attach_progress(a, false);
		a->progress[0] = '\0';
		return;
	}
	memcpy(a->progress, data, n);
	a->progress[n] = '\0';
	attach_progress(a, true);
}

/*
 * security: tells whether the user lets this server cause an effect on the
 * terminal.
 */
static bool
attach_allows(const struct attach *a, enum sync_effect_kind kind)
{
	static const unsigned needed[] = {
		[SYNC_EFFECT_CLIPBOARD] = TRUST_CLIPBOARD,
		[SYNC_EFFECT_CLIPBOARD_QUERY] = TRUST_CLIPBOARD,
		[SYNC_EFFECT_NOTIFY] = TRUST_NOTIFY,
		[SYNC_EFFECT_PASSTHROUGH] = TRUST_PASSTHROUGH,
		[SYNC_EFFECT_PALETTE_QUERY] = TRUST_COLOURS,
		[SYNC_EFFECT_PROGRESS] = TRUST_NOTIFY,
		[SYNC_EFFECT_NOTICE] = TRUST_NOTIFY,
	};

	return (size_t)kind >= ARRAY_LEN(needed) || needed[kind] == 0 ||
	       (a->cfg.allow & needed[kind]) != 0;
}

void
attach_copy(struct attach *a, const void *p, size_t n)
{
	char text[80] = "this terminal does not take a clipboard";
	struct buf b;

	buf_init(&b, BUF_MAX);
	if ((a->caps & TERM_CAP(CLIPBOARD)) != 0 &&
	    str_base64_encode(&b, p, n) == 0) {
		term_out_raw(a->out, "\033]52;;", 7);
		term_out_raw(a->out, b.data, b.len);
		term_out_raw(a->out, "\033\\", 2);
		(void)snprintf(text, sizeof(text),
		    "copied %zu bytes to the terminal's clipboard", n);
	}
	buf_fini(&b);
	attach_say(a, ATTACH_COPIED_MS, text);
}

/*
 * Performs an effect that no frame shows: a bell, the clipboard, a
 * notification.
 */
static void
attach_effect(struct attach *a, const struct sync_effect *e)
{
	if (!attach_allows(a, e->kind))
		return;
	switch (e->kind) {
	case SYNC_EFFECT_BELL:
		term_out_raw(a->out, "\a", 1);
		break;
	case SYNC_EFFECT_CLIPBOARD:
		if (a->caps & TERM_CAP(CLIPBOARD))
			term_out_osc(a->out, "52;", e->data, e->len, "");
		break;
	case SYNC_EFFECT_CLIPBOARD_QUERY:
		if (a->caps & TERM_CAP(CLIPBOARD))
			term_out_osc(a->out, "52;", e->data, e->len, ";?");
		break;
	case SYNC_EFFECT_NOTIFY:
		if (a->caps & TERM_CAP(NOTIFY))
			term_out_osc(a->out, "9;", e->data, e->len, "");
		break;
	case SYNC_EFFECT_PASSTHROUGH:
		term_out_raw(a->out, e->data, e->len);
		break;
	case SYNC_EFFECT_PALETTE_QUERY:
		term_out_osc(a->out, "", e->data, e->len, ";?");
		break;
	case SYNC_EFFECT_PROGRESS:
		take_progress(a, e->data, e->len);
		break;
	case SYNC_EFFECT_NOTICE:
		notice_write(a->out, a->caps, e->data, e->len);
		break;
	case SYNC_EFFECT_CONTROL:
		break;
	}
}

void
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

/* Tells the server what the terminal can do, and what this program reads. */
void
attach_tell_caps(struct attach *a)
{
	char *names = term_caps_names_new(a->caps);
	struct buf b;

	buf_init(&b, ATTACH_CAPS_MAX);
	(void)buf_addf(&b, "%s%smoves", names, *names != '\0' ? "," : "");
	(void)sync_input_data(attach_log(a), SYNC_CAPS, 0, b.data, b.len);
	buf_fini(&b);
	mem_free(names);
}

/*
 * Computes the terminal's capabilities from its own and the server's options.
 */
bool
attach_caps(struct attach *a)
{
	const char *list = vt_str_text(a->caps_by);
	term_caps caps, old = a->caps;
	size_t unknown;

	caps = term_caps_change(a->cfg.caps, list, strlen(list), &unknown);
	if (caps == a->caps)
		return false;
	if ((caps & TERM_CAP(PROGRESSBAR)) == 0)
		attach_progress(a, false);
	a->caps = caps;
	term_out_set_caps(a->out, caps);
	if ((old & TERM_CAP(PROGRESSBAR)) == 0)
		attach_progress(a, true);
	tty_last_words(
	    a->tty, caps & TERM_CAP(ALTSCREEN) ? ATTACH_LAST_WORDS : NULL);
	attach_tell_caps(a);
	return true;
}

/* Applies the server's options for terminals. */
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

/* Whether the mouse is to be reported in pixels, and can be. */
static bool
attach_pixels(const struct attach *a, const struct sync_view *v)
{
	return (v->tty.flags & SYNC_TTY_PIXELS) != 0 &&
	       (a->caps & TERM_CAP(PIXELS)) != 0 && a->size[2] >= a->size[0] &&
	       a->size[3] >= a->size[1];
}

/* The pointer of the pane that has the cursor. */
static uint8_t
attach_pointer(const struct attach *a, const struct sync_view *v)
{
	const struct sync_surface *s = sync_view_find(v, v->focus);

	return s != NULL && (a->cfg.allow & TRUST_MOUSE) != 0
		   ? s->frame->state.pointer
		   : 0;
}

static void
attach_modes(struct attach *a, const struct sync_view *v)
{
	const bool pixels = attach_pixels(a, v);
	struct term_out_modes m = {
		.mouse =
		    a->cfg.allow & TRUST_MOUSE ? v->tty.mouse : VT_MOUSE_OFF,
		.kitty = v->tty.kitty,
		.modify_other = v->tty.modify_other,
		.pixels = pixels,
		.pointer = attach_pointer(a, v),
		.focus = (v->tty.flags & SYNC_TTY_FOCUS) != 0,
		.paste = (v->tty.flags & SYNC_TTY_PASTE) != 0,
		.theme = true,
		.nested = true,
	};

	if ((a->cfg.allow & TRUST_TITLE) && (v->tty.flags & SYNC_TTY_TITLE))
		m.title = vt_str_text(v->tty.title);
	if ((a->cfg.allow & TRUST_TITLE) && v->tty.path != NULL)
		m.path = vt_str_text(v->tty.path);
	term_out_set_modes(a->out, &m);
	term_in_set_pixels(a->in, pixels ? a->size : NULL);
}

#define ATTACH_REPORT_TICK_MS 1000 /* between two versions of the report */

/* Writes the report on the link anew if it is shown and a second old. */
static mono_ms
attach_report_again(struct attach *a, mono_ms now)
{
	char text[BANNER_TEXT_MAX], keys[128];
	struct predict_stats st;

	if (now >= a->report_until)
		return MONO_NEVER;
	if (now < a->report_next)
		return a->report_next;
	a->report_next = mono_add(now, ATTACH_REPORT_TICK_MS);
	a->cfg.far->report(a->cfg.arg, text, sizeof(text));
	local_echo_stats(a->echo, &st);
	snprintf(keys, sizeof(keys),
	    "\n%llu of %llu keys predicted, %llu wrong, %zu unanswered",
	    (unsigned long long)st.predicted, (unsigned long long)st.typed,
	    (unsigned long long)st.wrong, local_echo_unanswered(a->echo));
	str_append(text, keys, sizeof(text));
	banner_report(a->banner, now, mono_until(now, a->report_until), text);
	return a->report_next;
}

/* Paints the screen, with the banner over it if there is one. */
static void
attach_show(struct attach *a)
{
	mono_ms now = loop_now(a->cfg.loop);
	struct banner_link link = { .idle = SSP_IDLE_FIRST };
	struct vt_frame *f, *under;
	mono_ms due;

	if (a->banner == NULL) {
		term_out_paint(a->out, a->screen);
		return;
	}
	if (a->cfg.far != NULL)
		a->cfg.far->link(a->cfg.arg, &link);
	else
		link.heard = link.acked = now;
	banner_link(a->banner, &link);
	due = attach_report_again(a, now);
	under = a->history != NULL ? history_view_draw(a->history, a->graphemes,
					 a->size[0], a->size[1])
				   : vt_frame_ref(a->screen);
	f = banner_overlay(a->banner, now, under);
	term_out_paint(a->out, f);
	vt_frame_unref(f);
	vt_frame_unref(under);
	loop_timer_set(
	    a->banner_timer, mono_min(due, banner_deadline(a->banner, now)));
}

void
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
attach_banner_open(struct attach *a)
{
	if (a->banner != NULL)
		return;
	a->graphemes = grapheme_table_new(NULL);
	a->banner = banner_new(a->graphemes, loop_now(a->cfg.loop));
	banner_set_quit(a->banner, "");
	a->banner_timer = loop_timer_new(a->cfg.loop, attach_banner, a);
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
	a->report_until = 0;
	banner_message(a->banner, loop_now(a->cfg.loop), ms, text);
	attach_banner(a);
}

void
attach_unsay(struct attach *a)
{
	banner_clear(a->banner);
	if (a->question != NULL)
		banner_message(
		    a->banner, loop_now(a->cfg.loop), MONO_NEVER, a->question);
	attach_banner(a);
}

void
attach_question(struct attach *a, const char *text)
{
	const bool was = a->question != NULL;

	mem_free(a->question);
	a->question = text == NULL ? NULL : mem_strdup(text);
	/* Keys for the client and the report are shown to their end. */
	if ((was || text != NULL) && !a->escape.held && a->report_until == 0)
		attach_unsay(a);
}

/* Composes the view with predictions. */
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

void
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
attach_history(struct attach *a)
{
	if (a->echo != NULL && local_echo_waits(a->echo))
		attach_paint(a);
}

/*
 * Tells the server when typed text starts or stops being on the screen before
 * its echo: the user does not wait for it then. The message goes with the key,
 * which is not sent yet.
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

#define PREDICTED_KEYS 100 /* after which the share is told again */
#define PREDICTED_STEP 5   /* percent by which it has changed then */

/* Tells the server what share of the newest keys was predicted. */
static void
attach_predicted(struct attach *a)
{
	struct predict_stats st;
	unsigned percent;
	uint64_t keys;

	if (a->cfg.far == NULL)
		return;
	local_echo_stats(a->echo, &st);
	keys = st.typed - a->told_typed;
	if (keys < PREDICTED_KEYS)
		return;
	percent = (unsigned)((st.predicted - a->told_predicted) * 100 / keys);
	percent = MIN_OF(percent, 100u);
	a->told_typed = st.typed;
	a->told_predicted = st.predicted;
	if (a->told_percent >= 0 &&
	    abs((int)percent - a->told_percent) < PREDICTED_STEP)
		return;
	if (sync_input_predicted(attach_log(a), percent) != 0)
		return;
	a->told_percent = (int)percent;
	attach_changed(a);
}

void
attach_typed(struct attach *a)
{
	if (a->echo == NULL || !local_echo_stale(a->echo))
		return;
	attach_paint(a);
	attach_shown(a);
	attach_predicted(a);
}

void
attach_echo_due(void *arg)
{
	attach_paint(arg);
}

void
attach_writable(void *arg, UNUSED int fd, UNUSED unsigned events)
{
	struct attach *a = arg;

	attach_flush(a);
	if (a->stale)
		attach_paint(a);
}
