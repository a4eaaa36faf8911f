#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "base/io/sys.h"
#include "base/mem.h"
#include "client/attach_int.h"
#include "client/me_file.h"
#include "client/notice.h"
#include "client/term/out.h"
#include "client/term/tty.h"
#include "mux/sync/input.h"

/* Asks the terminal what it is. Answers may come at any time. */
#define ATTACH_QUESTIONS                                    \
 "\033[c\033[>c\033[>q\033[?2026$p\033[?2031$p\033[?2079$p" \
 "\033[?1016$p\033[?u"

/* Asks for its background.  Simple terminals would print a part of it. */
#define ATTACH_BACKGROUND "\033]11;?\033\\"

/* Asks for the pixels of a cell. */
#define ATTACH_CELL "\033[16t"

/* The key that quits; the banner may name more keys beside it. */
#define ATTACH_QUIT_KEYS "Ctrl-^ ."

/* The wait for answers: in all, for the first, and after each. */
#define ATTACH_ASKED_MS 500
#define ATTACH_ANSWER_MS 300
#define ATTACH_QUIET_MS 50

void
attach_ask_colours(struct attach *a)
{
	struct buf b;

	if ((a->caps & TERM_CAP(TITLE)) == 0)
		return;
	buf_init(&b, 4096);
	if (a->size[2] == 0)
		(void)buf_add_str(&b, ATTACH_CELL);
	/* security: a host learns no more of them than light or dark. */
	if (a->cfg.allow & TRUST_COLOURS)
		term_colours_ask(&a->colours, &b);
	else
		(void)buf_add_str(&b, ATTACH_BACKGROUND);
	term_out_raw(a->out, b.data, b.len);
	buf_fini(&b);
}

/* Asks for kitty's notifications. */
static void
attach_ask_notices(struct attach *a)
{
	if ((a->caps & TERM_CAP(TITLE)) != 0 &&
	    (a->cfg.allow & TRUST_NOTIFY) != 0)
		term_out_raw(a->out, NOTICE_ASK, sizeof(NOTICE_ASK) - 1);
}

/*
 * Asks a terminal that shows nothing yet what it is and how wide it draws. The
 * answer to the first general question ends the answers about widths.
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
	(void)buf_add_str(&b, ATTACH_QUESTIONS);
	term_out_raw(a->out, b.data, b.len);
	buf_fini(&b);
	attach_ask_notices(a);
	attach_ask_colours(a);
	a->asked_at = loop_now(a->cfg.loop);
	a->answered = false;
}

/*
 * Reads answers that the terminal still sends, so that the next program does
 * not get them: a shell, or a lock that would take them for a password.
 */
static void
attach_drain(struct attach *a)
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

/* Gets the size; pixels that the tty does not know, from the terminal. */
static void
attach_size(const struct attach *a, uint16_t size[4])
{
	tty_size(a->tty, size);
	if (size[2] != 0 || size[3] != 0)
		return;
	size[2] = (uint16_t)MIN_OF(size[0] * a->cell[0], UINT16_MAX);
	size[3] = (uint16_t)MIN_OF(size[1] * a->cell[1], UINT16_MAX);
}

void
attach_resized(struct attach *a)
{
	uint16_t size[4];

	attach_size(a, size);
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

/* Restores the terminal. */
static void
attach_stop(struct attach *a)
{
	a->paused = true;
	attach_progress(a, false);
	term_out_stop(a->out);
	(void)sys_write_all(a->cfg.out, term_out_pending(a->out)->data,
	    term_out_pending(a->out)->len);
	buf_clear(term_out_pending(a->out));
	tty_last_words(a->tty, NULL);
	tty_restore(a->tty);
	(void)fcntl(a->cfg.in, F_SETFL, a->flags_in);
	(void)fcntl(a->cfg.out, F_SETFL, a->flags_out);
	loop_io_set(a->io_in, 0);
	loop_io_set(a->io_out, 0);
}

void
attach_pause(struct attach *a)
{
	if (a->paused)
		return;
	/*
	 * Discard answers first: once the old screen is back, the user types to
	 * its program.
	 */
	attach_drain(a);
	attach_stop(a);
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
	attach_progress(a, true);
	if (a->caps & TERM_CAP(ALTSCREEN))
		attach_ask(a);
	loop_io_set(a->io_in, LOOP_READ);
	attach_resized(a);
	attach_paint(a);
	attach_flush(a);
}

void
attach_again(struct attach *a)
{
	if (!a->paused)
		attach_stop(a);
	attach_resume(a);
}

void
attach_hint(struct attach *a, const char *keys)
{
	if (a->banner == NULL)
		return;
	banner_set_quit(a->banner, keys == NULL ? ATTACH_QUIT_KEYS : keys);
	attach_banner(a);
}

static void
attach_echo_new(struct attach *a)
{
	a->echo = local_echo_new(a->graphemes, a->cfg.predict);
	local_echo_history(a->echo, a->cfg.far->copies(a->cfg.arg));
	local_echo_windows(a->echo, a->cfg.far->windows(a->cfg.arg));
}

/* Tells a new server of the terminal and of the person. */
static void
attach_tell(struct attach *a)
{
	(void)sync_input_resize(attach_log(a), a->size);
	attach_tell_caps(a);
	if (a->cfg.me != NULL)
		me_file_send(a->cfg.me, attach_log(a));
}

void
attach_move(struct attach *a, struct ssp_transport *tp)
{
	a->cfg.tp = tp;
	a->effects_done = a->controls_done = 0;
	a->shown = false;
	a->told_typed = a->told_predicted = 0;
	a->told_percent = -1;
	attach_paste_lost(a);
	if (a->echo != NULL) {
		local_echo_free(a->echo);
		attach_echo_new(a);
		loop_timer_set(a->echo_timer, MONO_NEVER);
	}
	attach_tell(a);
	/* Ask again for light or dark and the like, as at the start. */
	if (!a->paused && (a->caps & TERM_CAP(ALTSCREEN))) {
		term_out_raw(
		    a->out, ATTACH_QUESTIONS, sizeof(ATTACH_QUESTIONS) - 1);
		attach_ask_notices(a);
		attach_ask_colours(a);
	}
	attach_changed(a);
	attach_flush(a);
}

void
attach_update(struct attach *a)
{
	const struct sync_view *v = ssp_transport_remote(a->cfg.tp, NULL);

	attach_controls(a, v);
	if (a->echo != NULL) {
		local_echo_link(a->echo, a->cfg.far->rtt(a->cfg.arg));
		local_echo_view(a->echo, loop_now(a->cfg.loop), v,
		    sync_input_end(attach_log(a)) - 1);
	}
	attach_paint(a);
	attach_paste_pump(a);
	(void)ssp_transport_remote_seen(a->cfg.tp);
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
	a->told_percent = -1;
	tty_size(tty, a->size);
	attach_paste_init(a);
	a->in = term_in_new(attach_event, a);
	a->out = term_out_new(cfg->caps, a->size[0], a->size[1]);
	a->io_in = loop_io_add(cfg->loop, cfg->in, 0, attach_readable, a);
	a->io_out = loop_io_add(cfg->loop, cfg->out, 0, attach_writable, a);
	a->in_timer = loop_timer_new(cfg->loop, attach_in_timer, a);
	a->room_timer = loop_timer_new(cfg->loop, attach_room_due, a);
	if (cfg->far != NULL) {
		attach_banner_open(a);
		banner_set_quit(a->banner, ATTACH_QUIT_KEYS);
		attach_echo_new(a);
		a->echo_timer = loop_timer_new(cfg->loop, attach_echo_due, a);
		escape_init(&a->escape, ESCAPE_DEFAULT);
	}
	attach_tell(a);
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
	history_view_free(a->history);
	grapheme_table_free(a->graphemes);
	loop_io_del(a->io_in);
	loop_io_del(a->io_out);
	term_in_free(a->in);
	term_out_free(a->out);
	vt_frame_unref(a->screen);
	mem_free(a->question);
	tty_close(a->tty);
	attach_paste_fini(a);
	vt_str_unref(a->caps_by);
	vt_str_unref(a->keys_by);
	mem_free(a);
}
