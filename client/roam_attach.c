/*
 * Connects the attach to the connection: control messages of the server, and
 * the user's questions about the link.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/str.h"
#include "client/roam_int.h"
#include "mux/sync/control.h"
#include "mux/sync/input.h"
#include "mux/sync/view.h"
#include "ssp/io/udp_link.h"

/*
 * Ignores orders to run a command on this machine (detach-client -E,
 * lock-command): the server does not own it.
 */
static void
roam_control(void *arg, const void *p, size_t n)
{
	struct roam *r = arg;
	struct control_msg m;
	size_t used;
	char *text;

	if (control_decode(p, n, &m, &used) != 0)
		return;
	/* security: the terminal shows it when the client leaves. */
	text = m.has & CONTROL_HAS_TEXT ? control_plain_new(m.text) : NULL;
	switch (m.type) {
	case CONTROL_DETACH:
	case CONTROL_EXIT:
		roam_leave(r, m.type == CONTROL_EXIT ? (int)m.code : 0, text);
		break;
	case CONTROL_EXEC:
		roam_leave(r, 0, "detached");
		break;
	case CONTROL_LOCK:
		(void)sync_input_data(ssp_transport_current(r->bind.tp),
		    SYNC_REPLY, SYNC_REPLY_UNLOCKED, "", 0);
		ssp_transport_changed(r->bind.tp, loop_now(r->loop));
		break;
	case CONTROL_SUSPEND:
		(void)kill(getpid(), SIGTSTP);
		break;
	default:
		break;
	}
	mem_free(text);
}

static void
far_link(void *arg, struct banner_link *out)
{
	struct roam *r = arg;
	mono_ms now = loop_now(r->loop);
	struct ssp_transport_stats ts;
	struct ssp_conn_stats cs;

	ssp_conn_stats(r->conn, &cs);
	ssp_transport_stats(r->bind.tp, now, &ts);
	out->heard = cs.heard_at == 0 ? r->born : cs.heard_at;
	out->acked = MAX_OF(ts.last_proven, r->born);
	out->asked = ts.asked;
	out->waiting = ssp_transport_unacked(r->bind.tp, now);
	out->idle = ssp_transport_idle(r->bind.tp);
}

static mono_ms
far_rtt(void *arg)
{
	struct roam *r = arg;
	struct ssp_transport_stats ts;

	ssp_transport_stats(r->bind.tp, loop_now(r->loop), &ts);
	return ts.have_rtt ? ts.srtt : MONO_NEVER;
}

static void
far_report(void *arg, char *out, size_t size)
{
	struct roam *r = arg;
	mono_ms now = loop_now(r->loop);
	struct ssp_transport_stats ts;
	struct ssp_conn_stats cs;
	struct udp_addr a;
	char where[64] = "ssh", words[SSP_WORDS_TEXT], pace[96], second[224];
	unsigned panes, windows = window_copy_count(r->windows);
	struct buf forwards;
	size_t lines;

	ssp_conn_stats(r->conn, &cs);
	ssp_transport_stats(r->bind.tp, now, &ts);
	if (cs.active.remote.kind == SSP_ADDR_UDP) {
		a = udp_link_udp_addr(&cs.active.remote);
		udp_addr_format(&a, where, sizeof(where));
	}
	ssp_transport_pace_tell(r->bind.tp, pace, sizeof(pace));
	roam_second_tell(r, second, sizeof(second));
	lines = history_copy_lines(r->history, &panes);
	snprintf(out, size,
	    "%s via %s, keys %s%s%s\n"
	    "RTT %llu ms, loss %u.%u %%, heard %llu ms ago, pace %s%s\n"
	    "kept here: %zu lines of history, %u window%s",
	    r->cfg->ticket != NULL ? "guest" : r->cfg->ssh.target.login, where,
	    cs.hybrid ? "x25519+mlkem768" : "x25519",
	    r->confined.missing[0] == '\0' ? ", sandbox" : ", sandbox lacks: ",
	    r->confined.missing, (unsigned long long)ts.srtt, ts.loss / 100,
	    ts.loss / 10 % 10, (unsigned long long)mono_until(cs.heard_at, now),
	    pace, second, lines, windows, windows == 1 ? "" : "s");
	buf_init(&forwards, BANNER_TEXT_MAX);
	roam_forward_report(r, &forwards);
	str_append(out, buf_cstr(&forwards), size);
	buf_fini(&forwards);
	if (r->cfg->ticket == NULL)
		return;
	ssp_words_format(words, cs.words);
	str_append(out, "\nwords ", size);
	str_append(out, words, size);
}

static void
far_gone(void *arg)
{
	roam_leave(arg, 1, NULL);
}

static void
far_quit(void *arg)
{
	struct roam *r = arg;

	r->quit = true;
	roam_leave(r, 0, NULL);
}

static void
far_again(void *arg)
{
	roam_again_ask(arg);
}

static struct history_view *
far_history(void *arg, const struct sync_view *v)
{
	struct roam *r = arg;
	const struct sync_surface *s = sync_view_find(v, v->focus);

	if (s == NULL || s->kind != SYNC_SURFACE_PANE)
		return NULL;
	return history_view_new(
	    history_copy_tail(r->history, (uint32_t)s->id), s->frame, v->setup);
}

static const struct history_copy *
far_copies(void *arg)
{
	return ((struct roam *)arg)->history;
}

static struct window_copy *
far_windows(void *arg)
{
	return ((struct roam *)arg)->windows;
}

static void
far_suspend(UNUSED void *arg)
{
	(void)kill(getpid(), SIGTSTP);
}

static void
far_answer(void *arg, char key)
{
	roam_desk_answer(arg, key);
}

int
roam_attach(struct roam *r, struct cause *c)
{
	static const struct attach_far far = { far_link, far_rtt, far_report,
		far_quit, far_suspend, far_again, far_history, far_copies,
		far_windows, far_answer };
	struct attach_cfg ac = {
		.allow = r->cfg->allow,
		.confined = true,
		.loop = r->loop,
		.tp = r->bind.tp,
		.in = STDIN_FILENO,
		.out = STDOUT_FILENO,
		.changed = roam_changed,
		.gone = far_gone,
		.control = roam_control,
		.far = &far,
		.predict = r->cfg->predict,
		.me = &r->me,
		.arg = r,
	};
	size_t unknown;

	ac.caps = term_caps_from_name(getenv("TERM"), getenv("COLORTERM"));
	if (r->cfg->ssh.flags & CONTROL_FLAG_UTF8)
		ac.caps |= TERM_CAP(UTF8);
	if (r->cfg->features != NULL)
		ac.caps = term_caps_change(ac.caps, r->cfg->features,
		    strlen(r->cfg->features), &unknown);
	r->attach = attach_new(&ac, c);
	return r->attach == NULL ? -ERR_SYS : 0;
}
