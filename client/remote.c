#include "client/remote.h"

#include <sys/wait.h>

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/io/netwatch.h"
#include "base/io/sys.h"
#include "base/mem.h"
#include "client/remote_int.h"
#include "mux/sync/input.h"
#include "mux/sync/view.h"
#include "ssp/io/udp_link.h"

/* What is known of the session that the user has left. */
static void
remote_quit_told(struct remote *r)
{
	enum ssp_close_state st = ssp_transport_closing(r->bind.tp);
	struct ssp_conn_stats cs;

	ssp_conn_stats(r->conn, &cs);
	if (st == SSP_CLOSE_PEER || st == SSP_CLOSE_DONE)
		r->exit_text = mem_strdup("left; the session goes on");
	else
		r->exit_text = mem_printf("left; no answer (last heard %llu s "
					  "ago): the session goes on if the "
					  "server runs",
		    (unsigned long long)mono_until(
			cs.heard_at == 0 ? r->born : cs.heard_at,
			loop_now(r->loop)) /
			1000);
}

static void
remote_random(UNUSED void *arg, void *out, size_t n)
{
	sys_random(out, n);
}

void
remote_end(struct remote *r, int code)
{
	if (loop_stop(r->loop))
		r->exit_code = code;
}

/* After the turn, since the attach may be up the stack. */
static void
remote_let_go(void *arg)
{
	struct remote *r = arg;

	remote_again_fini(r);
	attach_free(r->attach);
	r->attach = NULL;
	ssp_transport_shutdown(r->bind.tp, loop_now(r->loop));
	loop_timer_set(
	    r->bye_timer, mono_add(loop_now(r->loop), REMOTE_BYE_MS));
	remote_pump(r);
}

void
remote_leave(struct remote *r, int code, const char *text)
{
	if (r->leaving)
		return;
	r->leaving = true;
	r->exit_code = code;
	mem_free(r->exit_text);
	r->exit_text = text == NULL ? NULL : mem_strdup(text);
	loop_defer(r->loop, remote_let_go, r);
}

/* --- the connection --------------------------------------------------------------------- */

void
remote_news(struct remote *r)
{
	uint64_t num;

	(void)ssp_transport_remote(r->bind.tp, &num);
	if (num != r->shown && r->attach != NULL) {
		r->shown = num;
		attach_update(r->attach);
	}
	remote_pump(r);
}

static void
on_active(struct remote *r, const struct ssp_path_addr *a)
{
	struct ssp_conn_stats st;

	ssp_conn_stats(r->conn, &st);
	if (a->remote.kind != SSP_ADDR_UDP || st.heard_at == 0)
		return;
	r->udp_up = true;
	/* What was said then is not so any more. */
	if (r->tunnel_told && r->attach != NULL)
		attach_say(r->attach, REMOTE_SAY_UDP_MS, "UDP answers");
	r->tunnel_told = false;
}

static void
remote_event(struct remote *r, const struct ssp_conn_event *ev)
{
	struct remote_socket *s;
	char text[160];

	switch (ev->type) {
	case SSP_CONN_EV_UP:
		remote_again_heard(r);
		break;
	case SSP_CONN_EV_SILENT:
	case SSP_CONN_EV_HEARD:
		if (ev->type == SSP_CONN_EV_SILENT)
			remote_again_silent(r);
		else
			remote_again_heard(r);
		if (r->attach != NULL)
			attach_link(r->attach);
		break;
	case SSP_CONN_EV_NEW_SOCKET:
		(void)remote_path_open(r, &ev->addr.remote);
		break;
	case SSP_CONN_EV_ACTIVE:
		on_active(r, &ev->addr);
		break;
	case SSP_CONN_EV_DROPPED:
		if ((s = remote_socket_named(r, &ev->addr.local)) != NULL)
			remote_socket_close(s);
		break;
	case SSP_CONN_EV_CLOSED:
		remote_leave(r, 1, "connection closed by the server");
		remote_end(r, r->exit_code);
		break;
	case SSP_CONN_EV_FAILED:
		snprintf(text, sizeof(text),
		    "no common protocol version (there: %llu, here: %d)",
		    (unsigned long long)ev->code, SSP_CONN_VERSION);
		remote_leave(r, 1, text);
		remote_end(r, 1);
		break;
	}
}

/* UDP carries the session: ssh has done its service. */
static void
remote_settle(struct remote *r)
{
	struct ssp_conn_stats st;

	if (r->boot.in < 0)
		return;
	ssp_conn_stats(r->conn, &st);
	if (st.state == SSP_CONN_UP && st.active.remote.kind == SSP_ADDR_UDP &&
	    !st.silent)
		remote_tunnel_close(r);
}

void
remote_pump(struct remote *r)
{
	mono_ms now = loop_now(r->loop);
	struct ssp_conn_event ev;
	enum ssp_close_state st;
	unsigned n;

	if (loop_stopped(r->loop))
		return;
	do {
		n = udp_link_output(r->conn, now, remote_put, r);
		while (ssp_conn_event(r->conn, &ev))
			remote_event(r, &ev);
	} while (ssp_conn_deadline(r->conn, now) <= now && n > 0);
	remote_settle(r);
	st = ssp_transport_closing(r->bind.tp);
	if (st == SSP_CLOSE_PEER && !r->leaving)
		remote_leave(r, 0, "detached");
	if (r->leaving && (st == SSP_CLOSE_PEER || st == SSP_CLOSE_DONE ||
			      st == SSP_CLOSE_GAVE_UP))
		remote_end(r, r->exit_code);
	loop_timer_set(r->timer, ssp_conn_deadline(r->conn, now));
}

void
remote_pump_cb(void *arg)
{
	remote_pump(arg);
}

static void
remote_bye(void *arg)
{
	struct remote *r = arg;

	remote_end(r, r->exit_code);
}

static void
remote_suspend(struct remote *r)
{
	if (r->attach != NULL)
		attach_pause(r->attach);
	(void)kill(getpid(), SIGSTOP);
	if (r->attach != NULL)
		attach_resume(r->attach);
	loop_timer_set(r->wake_timer, 0);
}

static void
remote_woke(void *arg)
{
	struct remote *r = arg;

	ssp_conn_network_changed(r->conn, loop_now(r->loop));
	remote_pump(r);
}

/* An address of this machine has come or gone: no need to wait for silence. */
static void
remote_moved(void *arg, int fd, UNUSED unsigned events)
{
	struct remote *r = arg;

	if (netwatch_changed(fd))
		loop_timer_set(r->wake_timer,
		    mono_add(loop_now(r->loop), REMOTE_NETWATCH_MS));
}

static void
remote_signal(void *arg, int signo)
{
	struct remote *r = arg;
	pid_t pid;
	int status;

	switch (signo) {
	case SIGWINCH:
		if (r->attach != NULL)
			attach_resized(r->attach);
		break;
	case SIGCONT:
		if (r->attach != NULL)
			attach_again(r->attach);
		loop_timer_set(r->wake_timer, 0);
		break;
	case SIGTSTP:
		remote_suspend(r);
		break;
	case SIGCHLD:
		while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
			bootstrap_reaped(&r->boot, pid, status);
			bootstrap_reaped(&r->again.boot, pid, status);
		}
		break;
	default:
		remote_leave(r, 1, signo == SIGTERM ? "terminated" : NULL);
		remote_pump(r);
	}
}

/* --- from beginning to end ------------------------------------------------------------------ */

void
remote_take_ticket(struct remote *r)
{
	struct ssp_ticket *t = r->cfg->ticket;
	uint32_t random;

	memset(&r->boot, 0, sizeof(r->boot));
	r->boot.in = r->boot.out = r->boot.err = -1;
	buf_init(&r->boot.rest, 1);
	buf_init(&r->boot.got, 1);
	buf_init(&r->boot.tail, 1);
	sys_random(&random, sizeof(random));
	r->boot.cid = ssp_ticket_cid(t->tag, random);
	ssp_ticket_psk(r->boot.key, t->key, r->boot.cid);
}

int
remote_session_open(struct remote *r, struct cause *c)
{
	mono_ms now = loop_now(r->loop);
	struct ssp_transport_cfg tc;
	struct ssp_conn_cfg cc;
	int e;

	r->born = now;
	r->shown = 0;
	r->udp_up = false;
	ssp_transport_cfg_init(&tc, SSP_LINK_DATAGRAM);
	tc.local_ops = &sync_input_ops;
	tc.local = sync_input_new();
	tc.remote_ops = &sync_view_ops;
	tc.remote = sync_view_new(0, 0);
	tc.zip = r->zip;
	tc.flow_rx = SSP_FLOW_SCREEN;
	tc.asks = true;
	ssp_bind_transport(&r->bind, &tc, now);
	if (r->cfg->ticket != NULL)
		remote_say_hello(r, ssp_transport_current(r->bind.tp));
	ssp_conn_cfg_init(&cc);
	cc.cid = r->boot.cid;
	cc.psk = r->boot.key;
	cc.keyring = r->keyring;
	cc.random = remote_random;
	cc.payload = ssp_bind_payload(&r->bind);
	e = ssp_conn_client_new(&cc, now, &r->conn);
	mem_wipe(r->boot.key, sizeof(r->boot.key));
	if (e != 0)
		return cause_set(c, e, "rmux: no memory for keys");
	ssp_bind_conn(&r->bind, r->conn);
	r->want_due = r->cfg->ticket == NULL;
	remote_side(r);
	remote_tunnel_start(r);
	/* Without any address there is no use in waiting. */
	loop_timer_set(r->tunnel_timer,
	    remote_paths_first(r) == 0
		? now
		: mono_add(now, r->cfg->ticket != NULL ? REMOTE_JOIN_MS
						       : REMOTE_TUNNEL_MS));
	return 0;
}

void
remote_session_close(struct remote *r)
{
	int i;

	remote_tunnel_close(r);
	loop_timer_set(r->tunnel_timer, MONO_NEVER);
	for (i = 0; i < REMOTE_SOCKETS; i++)
		if (r->sockets[i].udp != NULL)
			remote_socket_close(&r->sockets[i]);
	ssp_conn_free(r->conn);
	ssp_transport_free(r->bind.tp);
	r->conn = NULL;
	r->bind.tp = NULL;
}

static int
remote_open(struct remote *r, struct cause *c)
{
	r->keyring = ssp_keyring_new(SSP_SECRETS_LEN, 1, 2);
	if (r->keyring == NULL)
		return cause_set(c, -ERR_SYS, "rmux: no memory for keys");
	r->zip = ssp_zip_new();
	r->held = held_new(r->zip);
	r->timer = loop_timer_new(r->loop, remote_pump_cb, r);
	r->tunnel_timer = loop_timer_new(r->loop, remote_tunnel_use, r);
	r->bye_timer = loop_timer_new(r->loop, remote_bye, r);
	r->wake_timer = loop_timer_new(r->loop, remote_woke, r);
	r->netwatch = netwatch_open();
	if (r->netwatch >= 0)
		r->io_netwatch = loop_io_add(
		    r->loop, r->netwatch, LOOP_READ, remote_moved, r);
	remote_again_init(r);
	return remote_session_open(r, c);
}

/* How far ahead the clock that counts sleep is of the one that does not. */
static mono_ms
slept(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return sys_now() -
	       ((mono_ms)t.tv_sec * 1000 + (mono_ms)t.tv_nsec / 1000000);
}

static void
remote_loop(struct remote *r)
{
	static const int signos[] = { SIGWINCH, SIGCONT, SIGTSTP, SIGCHLD,
		SIGTERM, SIGHUP, SIGINT, SIGQUIT };
	mono_ms before = slept(), after;
	size_t i;

	for (i = 0; i < ARRAY_LEN(signos); i++)
		r->signals[i] =
		    loop_signal_add(r->loop, signos[i], remote_signal, r);
	remote_pump(r);
	while (!loop_stopped(r->loop)) {
		loop_turn(r->loop, true);
		after = slept();
		if (after > before + REMOTE_SLEPT_MS)
			loop_timer_set(r->wake_timer, 0);
		before = after;
	}
	for (i = 0; i < ARRAY_LEN(signos); i++)
		loop_signal_del(r->signals[i]);
}

static void
remote_fini(struct remote *r)
{
	attach_free(r->attach);
	r->attach = NULL;
	if (r->quit && r->exit_text == NULL)
		remote_quit_told(r);
	remote_again_fini(r);
	loop_io_del(r->io_netwatch);
	if (r->netwatch >= 0)
		close(r->netwatch);
	remote_session_close(r);
	loop_timer_free(r->timer);
	loop_timer_free(r->tunnel_timer);
	loop_timer_free(r->bye_timer);
	loop_timer_free(r->wake_timer);
	held_free(r->held);
	ssp_zip_free(r->zip);
	ssp_keyring_free(r->keyring);
	ssp_stream_link_fini(&r->tunnel);
	bootstrap_fini(&r->boot);
	loop_free(r->loop);
	/* ssh ends with its pipes; one that hangs is not waited for. */
	if (r->boot.pid > 0 && waitpid(r->boot.pid, NULL, WNOHANG) == 0)
		(void)kill(r->boot.pid, SIGHUP);
}

int
remote_run(const struct remote_cfg *cfg)
{
	struct remote r = { .cfg = cfg, .netwatch = -1 };
	struct cause c = { NULL };
	int e = 0;

	(void)signal(SIGPIPE, SIG_IGN);
	if (ssp_crypto_init() != 0) {
		fprintf(stderr, "rmux: libsodium does not start\n");
		return 1;
	}
	if (cfg->ticket != NULL)
		remote_take_ticket(&r);
	if (cfg->ticket != NULL ||
	    (e = bootstrap_run(&cfg->ssh, &r.boot, &c)) == 0) {
		ssp_stream_link_init(&r.tunnel);
		sys_interactive();
		r.loop = loop_new();
		if ((e = remote_open(&r, &c)) == 0 &&
		    (e = remote_attach(&r, &c)) == 0)
			remote_loop(&r);
		remote_fini(&r);
	}
	if (e != 0) {
		if (*cause_text(&c) != '\0')
			fprintf(stderr, "%s\n", cause_text(&c));
		cause_fini(&c);
		mem_free(r.exit_text);
		return 1;
	}
	if (r.exit_text != NULL && *r.exit_text != '\0')
		printf("[%s]\n", r.exit_text);
	fflush(stdout);
	mem_free(r.exit_text);
	return r.exit_code;
}
