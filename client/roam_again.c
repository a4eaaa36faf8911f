/*
 * Signing in again. A restarted server, or one that dropped this client, does
 * not know its key and must not answer; only ssh can tell. After a silence the
 * client therefore runs ssh as at the start, with the old connection id in the
 * request. If the server still has the connection, the network is at fault: the
 * new ssh carries the same connection, and nothing is lost. Otherwise the
 * answer has a new key, and the terminal continues on a new connection.  A client
 * in control mode ends: its reader knows one session with the server.
 *
 * Without the user, ssh must not ask anything (BatchMode, no terminal); Ctrl-^
 * r gives ssh the terminal.
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/io/sys.h"
#include "base/mem.h"
#include "client/roam_int.h"

#define AGAIN_FIRST_MS 10000 /* silence before the first try */
/* Wait after the ssh that carried the session ends. */
#define AGAIN_LOST_MS 2000
#define AGAIN_LAST_MS 300000 /* longest interval between tries */
/* After ssh's answer, the time until the server is heard over it. */
#define AGAIN_TRUST_MS 3000
#define AGAIN_PATIENCE 30000 /* time for ssh to bring an answer */
#define AGAIN_SAY_MS 20000

#define AGAIN_KEYS "Ctrl-^ .; to sign in again: Ctrl-^ r"
#define AGAIN_JOIN_KEYS "Ctrl-^ .; to join again: Ctrl-^ r"

static void again_step(void *arg, int fd, unsigned events);

void
roam_again_fini(struct roam *r)
{
	loop_io_del(r->again.io_out);
	loop_io_del(r->again.io_err);
	r->again.io_out = r->again.io_err = NULL;
	loop_timer_free(r->again.timer);
	r->again.timer = NULL;
	if (r->again.running)
		bootstrap_kill(&r->again.boot);
	r->again.running = false;
}

/* Ends the current try. */
static void
again_stop(struct roam *r)
{
	struct roam_again *g = &r->again;

	loop_io_del(g->io_out);
	loop_io_del(g->io_err);
	g->io_out = g->io_err = NULL;
	if (g->running)
		bootstrap_kill(&g->boot);
	g->running = false;
	loop_timer_set(g->timer, MONO_NEVER);
}

static bool
again_silent(const struct roam *r)
{
	struct ssp_conn_stats st;

	ssp_conn_stats(r->conn, &st);
	return st.silent || st.heard_at == 0;
}

/*
 * Schedules the next try, after LEAST at least; the interval doubles each time.
 */
static void
again_later(struct roam *r, mono_ms least)
{
	mono_ms wait = r->cfg->again == 0 ? AGAIN_FIRST_MS : r->cfg->again;

	if (wait == MONO_NEVER)
		return;
	wait = MAX_OF(wait << MIN_OF(r->again.tries, 5u), least);
	loop_timer_set(
	    r->again.timer, mono_add(loop_now(r->loop),
				mono_min(wait, (mono_ms)AGAIN_LAST_MS)));
}

static void
again_failed(struct roam *r, struct cause *c)
{
	const char *why = cause_text(c);
	char text[BANNER_TEXT_MAX];

	if (strncmp(why, "rmux: ", 6) == 0)
		why += 6;
	snprintf(text, sizeof(text), "signing in again failed: %.*s",
	    (int)strcspn(why, "\n"), *why == '\0' ? "ssh" : why);
	cause_fini(c);
	again_stop(r);
	r->again.tries++;
	again_later(r, 0);
	if (r->attach != NULL)
		attach_say(r->attach, AGAIN_SAY_MS, text);
}

/* The server has the connection: ssh becomes one more path. */
static void
again_resume(struct roam *r)
{
	r->udp_up = false;
	roam_tunnel_start(r);
	roam_tunnel_use(r);
	roam_paths_again(r);
}

/* The server has lost the connection: open a new one for the same terminal. */
static int
again_renew(struct roam *r, struct cause *c)
{
	if (roam_session_open(r, c) != 0)
		return -ERR_SYS;
	if (r->attach != NULL) {
		attach_move(r->attach, r->bind.tp);
		attach_say(r->attach, ROAM_SAY_MS,
		    "signed in again: the server had dropped this client");
	}
	return 0;
}

/* The server has lost the connection, and there is nothing to renew. */
static void
again_gone(struct roam *r)
{
	if (roam_has_exec(r))
		roam_exec_gone(r);
	else
		roam_lines_gone(r);
}

/* Uses the answer that ssh has brought. */
static void
again_take(struct roam *r)
{
	struct roam_again *g = &r->again;
	struct cause c = { NULL };
	bool resumed = g->boot.resumed;

	if (!resumed && (r->lines != NULL || roam_has_exec(r))) {
		again_stop(r);
		again_gone(r);
		return;
	}
	loop_io_del(g->io_out);
	loop_io_del(g->io_err);
	g->io_out = g->io_err = NULL;
	loop_timer_set(g->timer, MONO_NEVER);
	g->running = false;
	/* Close the old connection's ssh before the new one replaces it. */
	if (resumed)
		roam_tunnel_close(r);
	else
		roam_session_close(r);
	bootstrap_fini(&r->boot);
	r->boot = g->boot;
	mem_wipe(g->boot.key, sizeof(g->boot.key));
	if (resumed)
		again_resume(r);
	else if (again_renew(r, &c) != 0) {
		roam_leave(r, 1, cause_text(&c));
		roam_end(r, 1);
	}
	cause_fini(&c);
	g->taken_at = sys_now();
	/* Until the server is heard: the new path may not work either. */
	again_later(r, AGAIN_FIRST_MS);
	r->upcalls->pump(r);
}

static void
again_step(void *arg, UNUSED int fd, UNUSED unsigned events)
{
	struct roam *r = arg;
	struct roam_again *g = &r->again;
	struct cause c = { NULL };
	int e;

	if (!g->running)
		return;
	e = bootstrap_step(&r->cfg->ssh, &g->boot, 0, &c);
	if (g->boot.err < 0) {
		loop_io_del(g->io_err);
		g->io_err = NULL;
	}
	if (e == 0)
		return;
	if (e == -ERR_STATE && (r->lines != NULL || roam_has_exec(r))) {
		cause_fini(&c);
		again_stop(r);
		again_gone(r);
	} else if (e < 0)
		again_failed(r, &c);
	else
		again_take(r);
}

static void
again_begin(struct roam *r)
{
	struct roam_again *g = &r->again;
	struct cause c = { NULL };

	if (bootstrap_start(
		r->launch, &g->boot, BOOTSTRAP_BATCH, r->boot.cid, &c) != 0) {
		again_failed(r, &c);
		return;
	}
	g->running = true;
	g->io_out = loop_io_add(r->loop, g->boot.out, LOOP_READ, again_step, r);
	g->io_err = loop_io_add(r->loop, g->boot.err, LOOP_READ, again_step, r);
	loop_timer_set(g->timer, mono_add(loop_now(r->loop), AGAIN_PATIENCE));
}

static void
again_due(void *arg)
{
	struct roam *r = arg;
	struct cause c = { NULL };

	if (r->leaving || !again_silent(r))
		return;
	if (r->again.running) {
		cause_set(&c, -ERR_CLOSED, "no answer from ssh");
		again_failed(r, &c);
		return;
	}
	again_begin(r);
}

void
roam_again_init(struct roam *r)
{
	r->again.timer = loop_timer_new(r->loop, again_due, r);
}

void
roam_again_silent(struct roam *r)
{
	if (r->again.running || r->leaving)
		return;
	if (r->cfg->ticket == NULL)
		again_later(r, 0);
	if (r->attach != NULL)
		attach_hint(r->attach,
		    r->cfg->ticket == NULL ? AGAIN_KEYS : AGAIN_JOIN_KEYS);
}

void
roam_again_lost(struct roam *r)
{
	if (r->cfg->again == MONO_NEVER || r->again.running || r->leaving ||
	    !again_silent(r))
		return;
	loop_timer_set(
	    r->again.timer, mono_add(loop_now(r->loop), AGAIN_LOST_MS));
	if (r->attach != NULL)
		attach_say(r->attach, ROAM_SAY_MS,
		    "ssh has ended, UDP does not answer: signing in again");
}

void
roam_again_heard(struct roam *r)
{
	if (r->again.timer == NULL)
		return;
	again_stop(r);
	r->again.tries = 0;
	r->again.taken_at = 0;
	if (r->attach != NULL)
		attach_hint(r->attach, NULL);
}

/* Deferred to the end of the loop's turn: the caller is inside the attach. */
static void
again_asked(void *arg)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN }, before[2];
	struct roam *r = arg;
	struct cause c = { NULL };
	int e;

	if (r->attach == NULL || r->leaving)
		return;
	again_stop(r);
	attach_pause(r->attach);
	printf("[rmux: signing in to %s again; Ctrl-C gives up]\n",
	    r->cfg->ssh.target.login);
	fflush(stdout);
	/* ssh gets these signals; the loop's handlers are restored below. */
	(void)sigaction(SIGINT, &ignore, &before[0]);
	(void)sigaction(SIGQUIT, &ignore, &before[1]);
	e = bootstrap_start(
	    r->launch, &r->again.boot, BOOTSTRAP_ASK, r->boot.cid, &c);
	if (e == 0) {
		r->again.running = true;
		while ((e = bootstrap_step(
			    &r->cfg->ssh, &r->again.boot, -1, &c)) == 0)
			;
	}
	(void)sigaction(SIGINT, &before[0], NULL);
	(void)sigaction(SIGQUIT, &before[1], NULL);
	attach_resume(r->attach);
	if (e == 1)
		again_take(r);
	else
		again_failed(r, &c);
}

/*
 * A guest uses the invitation again, with a new key. The server admits it while
 * the invitation is valid; without an answer in ROAM_JOIN_MS the client exits.
 * An invitation for one use is not tried again.
 */
static void
again_join(void *arg)
{
	struct roam *r = arg;
	struct cause c = { NULL };

	if (r->attach == NULL || r->leaving || !again_silent(r))
		return;
	if (roam_spent(r)) {
		attach_say(r->attach, AGAIN_SAY_MS,
		    "the invitation was for one use and is spent; still "
		    "waiting for the server");
		return;
	}
	roam_session_close(r);
	bootstrap_fini(&r->boot);
	roam_take_ticket(r);
	if (roam_session_open(r, &c) != 0) {
		roam_leave(r, 1, cause_text(&c));
		roam_end(r, 1);
	} else {
		attach_move(r->attach, r->bind.tp);
		attach_say(r->attach, ROAM_SAY_MS, "joining again");
		r->upcalls->pump(r);
	}
	cause_fini(&c);
}

void
roam_again_ask(struct roam *r)
{
	const mono_ms taken = r->again.taken_at;

	if (!again_silent(r))
		attach_say(r->attach, ROAM_SAY_MS,
		    "the server answers: no need to sign in again");
	/* Another key pressed meanwhile must not end the new ssh. */
	else if (taken != 0 && sys_now() - taken < AGAIN_TRUST_MS)
		attach_say(r->attach, ROAM_SAY_MS,
		    "signed in again: the server has not answered yet");
	else if (r->cfg->ticket != NULL)
		loop_defer(r->loop, again_join, r);
	else
		loop_defer(r->loop, again_asked, r);
}
