#include "client/roam.h"

#include <sys/wait.h>

#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/io/netwatch.h"
#include "base/io/sys.h"
#include "base/mem.h"
#include "client/deploy.h"
#include "client/door.h"
#include "client/exec.h"
#include "client/roam_int.h"
#include "ssp/io/forward.h"
#include "ssp/io/udp_link.h"
#include "ssp/kem.h"
#include "ssp/sprout.h"

/* Sets the exit text after the user has quit. */
static void
roam_quit_text(struct roam *r)
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
on_active(struct roam *r, const struct ssp_path_addr *a)
{
	struct ssp_conn_stats st;

	ssp_conn_stats(r->conn, &st);
	if (a->remote.kind != SSP_ADDR_UDP || st.heard_at == 0)
		return;
	r->udp_up = true;
	/* The message that ssh carries the session no longer holds. */
	if (r->tunnel_told && r->attach != NULL)
		attach_say(r->attach, ROAM_SAY_UDP_MS, "UDP answers");
	r->tunnel_told = false;
}

/* join --verify: the words that the host's screen must show as well. */
static void
say_words(struct roam *r)
{
	char words[SSP_WORDS_TEXT], text[160];
	struct ssp_conn_stats st;

	if (!r->cfg->verify || r->attach == NULL)
		return;
	ssp_conn_stats(r->conn, &st);
	ssp_words_format(words, st.words);
	snprintf(
	    text, sizeof(text), "the host must see the same words: %s", words);
	attach_say(r->attach, ROAM_WORDS_MS, text);
}

/* Control mode needs a server that reads streams. */
static void
need_streams(struct roam *r)
{
	struct ssp_conn_stats st;

	ssp_conn_stats(r->conn, &st);
	if (r->lines != NULL && (st.peer_caps & SSP_CAP_STREAM) == 0)
		roam_leave(r, 1,
		    "the rmux there has no control mode for other machines: "
		    "update it");
}

static void
roam_event(struct roam *r, const struct ssp_conn_event *ev)
{
	struct roam_socket *s;
	char text[160];

	switch (ev->type) {
	case SSP_CONN_EV_UP:
		need_streams(r);
		roam_second_check(r);
		roam_forward_up(r);
		roam_exec_up(r);
		if (r->cfg->exec != NULL)
			launch_mind(r->launch, r->boot.cid);
		say_words(r);
		roam_again_heard(r);
		break;
	case SSP_CONN_EV_SILENT:
	case SSP_CONN_EV_HEARD:
		if (ev->type == SSP_CONN_EV_SILENT)
			roam_again_silent(r);
		else
			roam_again_heard(r);
		if (r->attach != NULL)
			attach_link(r->attach);
		break;
	case SSP_CONN_EV_NEW_SOCKET:
		(void)roam_path_open(r, &ev->addr.remote, NULL);
		break;
	case SSP_CONN_EV_ACTIVE:
		on_active(r, &ev->addr);
		roam_second_check(r);
		break;
	case SSP_CONN_EV_DROPPED:
		if ((s = roam_socket_named(r, &ev->addr.local)) != NULL)
			roam_socket_close(s);
		break;
	case SSP_CONN_EV_CLOSED:
		r->told = true;
		roam_leave(r, 1, "connection closed by the server");
		roam_end(r, r->exit_code);
		break;
	case SSP_CONN_EV_FAILED:
		if (ev->code != 0)
			snprintf(text, sizeof(text),
			    "no common protocol version (there: %llu, here: "
			    "%d)",
			    (unsigned long long)ev->code, SSP_CONN_VERSION);
		else
			snprintf(text, sizeof(text), "%s",
			    r->cfg->post_quantum
				? "the rmux there has no post-quantum key "
				  "exchange (--post-quantum=require)"
				: "the server requires a post-quantum key "
				  "exchange, which the rmux here lacks");
		roam_leave(r, 1, text);
		roam_end(r, 1);
		break;
	}
}

/* Closes ssh once UDP carries the session. */
static void
roam_tunnel_retire(struct roam *r)
{
	struct ssp_conn_stats st;

	if (r->boot.in < 0)
		return;
	ssp_conn_stats(r->conn, &st);
	if (st.state == SSP_CONN_UP && st.active.remote.kind == SSP_ADDR_UDP &&
	    !st.silent)
		roam_tunnel_close(r);
}

static void
roam_pump(struct roam *r)
{
	mono_ms now = loop_now(r->loop);
	struct ssp_conn_event ev;
	enum ssp_close_state st;
	unsigned n;

	if (loop_stopped(r->loop))
		return;
	roam_second_news(r);
	roam_lines_turn(r);
	forwards_turn(r->forwards);
	roam_exec_turn(r);
	do {
		n = udp_link_output(r->conn, now, roam_put, r);
		while (ssp_conn_event(r->conn, &ev))
			roam_event(r, &ev);
	} while (ssp_conn_deadline(r->conn, now) <= now && n > 0);
	roam_tunnel_retire(r);
	st = ssp_transport_closing(r->bind.tp);
	if (st == SSP_CLOSE_PEER && !r->leaving && roam_has_exec(r))
		roam_leave(r, EXEC_FAILED, "the server has ended");
	else if (st == SSP_CLOSE_PEER && !r->leaving)
		roam_leave(r, 0, "detached");
	if (r->leaving && (st == SSP_CLOSE_PEER || st == SSP_CLOSE_DONE ||
			      st == SSP_CLOSE_GAVE_UP))
		roam_end(r, r->exit_code);
	loop_timer_set(r->timer, ssp_conn_deadline(r->conn, now));
}

/*
 * Deferred to the end of the loop's turn: the caller may be inside the attach.
 */
static void
roam_farewell(void *arg)
{
	struct roam *r = arg;

	roam_again_fini(r);
	attach_free(r->attach);
	r->attach = NULL;
	roam_lines_leave(r);
	roam_exec_leave(r);
	ssp_transport_shutdown(r->bind.tp, loop_now(r->loop));
	loop_timer_set(r->bye_timer, mono_add(loop_now(r->loop), ROAM_BYE_MS));
	roam_pump(r);
}

/* --- callbacks of the loop ------------------------------------------------ */

static void
roam_bye(void *arg)
{
	struct roam *r = arg;

	roam_end(r, r->exit_code);
}

static void
roam_suspend(struct roam *r)
{
	if (r->attach != NULL)
		attach_pause(r->attach);
	(void)kill(getpid(), SIGSTOP);
	if (r->attach != NULL)
		attach_resume(r->attach);
	loop_timer_set(r->wake_timer, 0);
}

static void
roam_woke(void *arg)
{
	struct roam *r = arg;

	roam_second_check(r);
	ssp_conn_network_changed(r->conn, loop_now(r->loop));
	roam_pump(r);
}

/*
 * This machine's addresses have changed: probe all paths without waiting for
 * silence.
 */
static void
roam_address_changed(void *arg, int fd, UNUSED unsigned events)
{
	struct roam *r = arg;

	if (netwatch_changed(fd))
		loop_timer_set(r->wake_timer,
		    mono_add(loop_now(r->loop), ROAM_NETWATCH_MS));
}

static void
roam_signal(void *arg, int signo)
{
	struct roam *r = arg;

	if (roam_exec_signal(r, signo)) {
		roam_pump(r);
		return;
	}
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
		if (r->lines == NULL)
			roam_suspend(r);
		break;
	case SIGCHLD:
		/* The launcher: it says so itself when it is needed. */
		while (waitpid(-1, NULL, WNOHANG) > 0)
			;
		break;
	case SIGINT:
	case SIGQUIT:
		/* As in tmux, keys end no control client. */
		if (r->lines != NULL)
			break;
		roam_leave(r, 1, NULL);
		roam_pump(r);
		break;
	default:
		roam_leave(r, roam_has_exec(r) ? EXEC_FAILED : r->lines == NULL,
		    r->lines == NULL && signo == SIGTERM ? "terminated" : NULL);
		roam_pump(r);
	}
}

/* --- life ----------------------------------------------------------------- */

static const struct roam_upcalls roam_upcalls = {
	roam_pump,
	roam_farewell,
	roam_again_lost,
};

static int
roam_open(struct roam *r, struct cause *c)
{
	int e;

	r->keyring = ssp_keyring_new(SSP_SECRETS_LEN, 1, 2);
	if (r->keyring == NULL)
		return cause_set(c, -ERR_SYS, "rmux: no memory for keys");
	r->zip = ssp_zip_new();
	r->history = history_copy_new(r->zip);
	r->windows = window_copy_new(r->zip);
	r->timer = loop_timer_new(r->loop, roam_changed, r);
	r->tunnel_timer = loop_timer_new(r->loop, roam_tunnel_use, r);
	r->bye_timer = loop_timer_new(r->loop, roam_bye, r);
	r->wake_timer = loop_timer_new(r->loop, roam_woke, r);
	roam_second_open(r);
	r->netwatch = netwatch_open();
	if (r->netwatch >= 0)
		r->io_netwatch = loop_io_add(
		    r->loop, r->netwatch, LOOP_READ, roam_address_changed, r);
	roam_again_init(r);
	e = roam_session_open(r, c);
	return e != 0 ? e : roam_forward_open(r, c);
}

/*
 * Returns how far the clock that counts sleep is ahead of the one that does
 * not.
 */
static mono_ms
slept(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return sys_now() -
	       ((mono_ms)t.tv_sec * 1000 + (mono_ms)t.tv_nsec / 1000000);
}

static void
roam_loop(struct roam *r)
{
	static const int signos[] = { SIGWINCH, SIGCONT, SIGTSTP, SIGCHLD,
		SIGTERM, SIGHUP, SIGINT, SIGQUIT };
	mono_ms before = slept(), after;
	size_t i;

	for (i = 0; i < ARRAY_LEN(signos); i++)
		r->signals[i] =
		    loop_signal_add(r->loop, signos[i], roam_signal, r);
	roam_pump(r);
	while (!loop_stopped(r->loop)) {
		loop_turn(r->loop, true);
		after = slept();
		if (after > before + ROAM_SLEPT_MS)
			loop_timer_set(r->wake_timer, 0);
		before = after;
	}
	for (i = 0; i < ARRAY_LEN(signos); i++)
		loop_signal_del(r->signals[i]);
}

/* Whether the server knows that this client has ended, or ended it. */
static bool
roam_told(const struct roam *r)
{
	const enum ssp_close_state st = ssp_transport_closing(r->bind.tp);

	return r->told || st == SSP_CLOSE_PEER || st == SSP_CLOSE_DONE;
}

static void
roam_fini(struct roam *r)
{
	if (r->cfg->exec != NULL && r->bind.tp != NULL && roam_told(r))
		launch_mind(r->launch, 0);
	attach_free(r->attach);
	r->attach = NULL;
	roam_lines_free(r);
	roam_exec_free(r);
	if (r->quit && r->exit_text == NULL)
		roam_quit_text(r);
	roam_again_fini(r);
	roam_forward_close(r);
	loop_io_del(r->io_netwatch);
	if (r->netwatch >= 0)
		close(r->netwatch);
	roam_session_close(r);
	roam_second_close(r);
	loop_timer_free(r->timer);
	loop_timer_free(r->tunnel_timer);
	loop_timer_free(r->bye_timer);
	loop_timer_free(r->wake_timer);
	history_copy_free(r->history);
	window_copy_free(r->windows);
	ssp_zip_free(r->zip);
	ssp_sprout_tab_free(r->sprout);
	ssp_keyring_free(r->keyring);
	ssp_stream_link_fini(&r->tunnel);
	bootstrap_fini(&r->boot);
	loop_free(r->loop);
}

/* Starts the process that runs ssh and looks up names. */
static int
roam_launch(struct roam *r, struct cause *c)
{
	const struct roam_cfg *cfg = r->cfg;
	const bool lasts =
	    cfg->exec == NULL ? !roam_has_lines(r) : cfg->exec->none;
	struct launch_cfg lc = {
		.ssh = cfg->ticket == NULL ? &cfg->ssh : NULL,
		.family = cfg->family,
		.sandbox = cfg->sandbox,
		.reach = cfg->nforwards > 0,
	};

	/* Guests forward nothing; a command does not last. */
	if (cfg->ticket == NULL && lasts)
		lc.door = r->door = door_path_new(cfg->ssh.target.login);
	/* security: nobody but the user's own sessions. */
	if (cfg->ticket == NULL && cfg->exec == NULL &&
	    cfg->desk.policy != DESK_OFF)
		lc.desk = &cfg->desk;
	if (cfg->ticket != NULL) {
		lc.secret = cfg->ticket->key;
		lc.nsecret = sizeof(cfg->ticket->key);
	}
	roam_paths_names(cfg, &lc);
	return launch_new(&lc, &r->launch, c);
}

/*
 * security: from here on the process decodes what the server sends; it keeps
 * the terminal, UDP and the launcher.
 */
static int
roam_confine(struct roam *r, struct cause *c)
{
	/* The first datagram goes out meanwhile; nothing is read yet. */
	roam_pump(r);
	return confine(
	    CONFINE_TERMINAL | CONFINE_DATAGRAMS | CONFINE_SOCKETS |
		CONFINE_CHILDREN |
		(r->forwards != NULL || r->reach != NULL ? CONFINE_FORWARD : 0),
	    CONFINE_ALL, r->cfg->sandbox, &r->confined, c);
}

/* Takes the terminal, or the standard streams. */
static int
roam_face(struct roam *r, struct cause *c)
{
	if (roam_has_exec(r))
		return roam_exec(r, c);
	return roam_has_lines(r) ? roam_lines(r, c) : roam_attach(r, c);
}

/* Tells why the client has ended. */
static void
roam_last_words(const struct roam *r)
{
	if (r->exit_text == NULL || *r->exit_text == '\0')
		return;
	if (roam_has_exec(r)) {
		fprintf(stderr, "rmux: ");
		sys_complain(r->exit_text);
	} else
		printf("[%s]\n", r->exit_text);
	(void)fflush(stdout);
}

int
roam_run(const struct roam_cfg *cfg)
{
	struct roam r = { .cfg = cfg,
		.upcalls = &roam_upcalls,
		.netwatch = -1,
		.netif = -1 };
	struct cause c = { NULL };
	int e = 0;

	(void)signal(SIGPIPE, SIG_IGN);
	sys_secrets_hide();
	if (ssp_crypto_init() != 0) {
		fprintf(stderr, "rmux: cannot initialise libsodium\n");
		return 1;
	}
	if (cfg->post_quantum && ssp_kem_system() == NULL) {
		fprintf(stderr, "rmux: --post-quantum=require: this rmux has "
				"no ML-KEM, which needs OpenSSL 3.5 or "
				"newer\n");
		return 1;
	}
	me_file_read(&r.me, cfg->me, cfg->ticket == NULL);
	if ((e = roam_launch(&r, &c)) == 0 && cfg->ticket != NULL)
		roam_take_ticket(&r);
	else if (e == 0)
		e = cfg->deploy == NULL
			? bootstrap_run(&cfg->ssh, r.launch, &r.boot, &c)
			: deploy_bootstrap(cfg->deploy, r.launch, &r.boot, &c);
	if (e == 0) {
		ssp_stream_link_init(&r.tunnel);
		sys_interactive();
		r.loop = loop_new();
		if ((e = roam_open(&r, &c)) == 0 &&
		    (e = roam_face(&r, &c)) == 0 &&
		    (e = roam_confine(&r, &c)) == 0)
			roam_loop(&r);
		roam_fini(&r);
	}
	launch_free(r.launch);
	mem_free(r.door);
	me_file_fini(&r.me);
	if (e != 0) {
		if (*cause_text(&c) != '\0')
			sys_complain(cause_text(&c));
		cause_fini(&c);
		mem_free(r.exit_text);
		return roam_has_exec(&r) ? EXEC_FAILED : 1;
	}
	roam_last_words(&r);
	mem_free(r.exit_text);
	return r.exit_code;
}
