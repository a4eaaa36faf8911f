/*
 * keyplay - plays recorded keys at a program and measures its answers.
 *
 *	keyplay -T TRUTH RECORDING COMMAND...
 *	keyplay [-t TRUTH] [-o FILE] [options] RECORDING COMMAND...
 *
 * The first form runs COMMAND on a pty of the recording's size, types each key
 * when the program has fallen silent and writes the screens that the keys lead
 * to (see regress/tools/keyjudge.h, which also says what "answered" and
 * "wrong" mean).  The second runs COMMAND, usually a client at the end of a
 * bad network, waits until its screen is the one before the first key, types
 * the keys at their recorded gaps and measures.  The screen is that of the
 * terminal in mux/vt, which also answers the client's questions.
 *
 *	-d          prints the screen (stderr) where a key has no answer
 *	-e SECONDS  stays that long after the last answer (0)
 *	-g MS       the longest gap
 *	-o FILE     results: the lines below; default standard output
 *	-r MS       round trip: a correct screen before that is a prediction
 *	-s FACTOR   multiplies the gaps
 *	-w SECONDS  wait for answers after the last key (60)
 *	-b SECONDS  wait for the first screen (30)
 *	-q MS       -T: silence that ends a key (150)
 *	-W SECONDS  from the first screen to the first key (1.5)
 *
 * Lines of results, times in ms, clocks in ms of CLOCK_MONOTONIC:
 *
 *	begin CLOCK
 *	key NUMBER CLOCK STATE MS "bytes"    STATE: answered invisible unseen
 *	                                     waiting (never answered, MS -1)
 *	wrong CLOCK MS COLUMN ROW KEY "char" MS -1: to the end
 *	end CLOCK FULL                       FULL 1: the last screen is the truth
 *
 * "begin" is also printed at once, before the first key.
 */
#include <sys/wait.h>

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/compiler.h"
#include "base/grapheme.h"
#include "base/io/pty.h"
#include "base/mem.h"
#include "mux/vt/term.h"
#include "regress/tools/keyfile.h"
#include "regress/tools/keyjudge.h"

struct play {
	struct keyfile keys;
	struct truth truth;
	struct judge judge;
	struct vt_term *t;
	struct vt_pool *pool;
	struct grapheme_table *graphemes;
	struct picture now;
	int fd;
	pid_t pid;
	bool ended; /* the program */
	bool judged;
	/* -T */
	bool recording;
	unsigned key;
	double last; /* us: output came */
	/* options */
	double rtt, scale, gap_max, stay, wait, begin, quiet, warm;
	bool dump;
};

static double
now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static void
play_open(struct play *p, const char *const *argv)
{
	struct pty_spec spec = { .argv = argv,
		.envp = (const char *const *)(uintptr_t)environ };
	struct vt_term_options opt;
	char cwd[4096];
	struct cause why = { NULL };

	memset(&opt, 0, sizeof opt);
	opt.pool = p->pool = vt_pool_new();
	opt.graphemes = p->graphemes = grapheme_table_new(NULL);
	opt.cols = p->keys.cols;
	opt.rows = p->keys.rows;
	p->t = vt_term_new(&opt);
	picture_init(&p->now, p->keys.cols, p->keys.rows);
	picture_take(&p->now, p->t);
	spec.size.cols = (uint16_t)p->keys.cols;
	spec.size.rows = (uint16_t)p->keys.rows;
	spec.cwd = getcwd(cwd, sizeof cwd);
	if (pty_spawn(&spec, &p->fd, &p->pid, &why) != 0) {
		fprintf(stderr, "keyplay: %s\n", cause_text(&why));
		exit(2);
	}
}

/* Sends the terminal's replies to the program, like a real terminal. */
static void
play_effects(struct play *p)
{
	struct vt_effect e;

	while (vt_term_next_effect(p->t, &e)) {
		if (e.kind == VT_EFFECT_REPLY)
			(void)!write(p->fd, e.data, e.len);
		vt_effect_fini(&e);
	}
}

/* Feeds the program's output; -T records every screen on the way. */
static void
play_output(struct play *p, const char *buf, size_t n)
{
	struct picture before;
	size_t i;

	p->last = now_us();
	if (!p->recording) {
		vt_term_write(p->t, buf, n);
		play_effects(p);
		return;
	}
	picture_init(&before, p->now.cols, p->now.rows);
	for (i = 0; i < n; i++) {
		vt_term_write(p->t, buf + i, 1);
		picture_copy(&before, &p->now);
		picture_take(&p->now, p->t);
		truth_see(&p->truth, p->key, &before, &p->now);
	}
	picture_fini(&before);
	play_effects(p);
}

/* Runs until UNTIL (us); true if there was output. */
static bool
play_turn(struct play *p, double until)
{
	struct pollfd pfd = { p->fd, POLLIN, 0 };
	double left = MAX_OF(until - now_us(), 0);
	struct timespec t;
	char buf[16384];
	bool came = false;
	ssize_t n;

	t.tv_sec = (time_t)(left / 1e6);
	t.tv_nsec = (long)((left - (double)t.tv_sec * 1e6) * 1e3);
	if (ppoll(&pfd, p->ended ? 0 : 1, &t, NULL) <= 0)
		return false;
	while ((n = read(p->fd, buf, sizeof buf)) > 0) {
		play_output(p, buf, (size_t)n);
		came = true;
		if ((size_t)n < sizeof buf)
			break;
	}
	if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
		p->ended = true;
	if (came) {
		picture_take(&p->now, p->t);
		if (p->judged)
			judge_look(&p->judge, &p->now, p->last);
	}
	return came;
}

static void
play_key(struct play *p, unsigned k)
{
	const struct keyfile_key *key = &p->keys.key[k];
	ssize_t n;

	n = write(p->fd, key->bytes, key->len);
	if (n != (ssize_t)key->len)
		fprintf(stderr, "keyplay: key %u was not taken\n", k + 1);
}

/* Returns whether a row of the screen contains WORD. */
static bool
play_has(const struct play *p, const char *word)
{
	size_t n = strlen(word), x, i;
	unsigned y;

	for (y = 0; y < p->now.rows; y++)
		for (x = 0; x + n <= p->now.cols; x++) {
			for (i = 0; i < n; i++)
				if (p->now.cell[y * p->now.cols + x + i] !=
				    (unsigned char)word[i])
					break;
			if (i == n)
				return true;
		}
	return false;
}

/* Runs until QUIET us without output; at most LIMIT us. */
static void
play_settle(struct play *p, double quiet, double limit)
{
	double end = now_us() + limit, t;

	while (!p->ended && (t = MIN_OF(p->last + quiet, end)) > now_us())
		play_turn(p, t);
}

static int
make_truth(struct play *p, const char *path)
{
	double end = now_us() + p->begin;
	unsigned k;

	truth_init(&p->truth, p->keys.cols, p->keys.rows, p->keys.n);
	p->recording = true;
	while (!p->ended && now_us() < end && !play_has(p, p->keys.ready))
		play_turn(p, end);
	p->last = now_us();
	play_settle(p, 8 * p->quiet, p->begin);
	truth_set(&p->truth, 0, &p->now);
	if (!play_has(p, p->keys.ready)) {
		fprintf(stderr,
		    "keyplay: the screen never showed \"%s\" (line \"ready\" "
		    "of the recording), but this:\n",
		    p->keys.ready);
		picture_print(&p->now, stderr);
		return 1;
	}
	for (k = 1; k <= p->keys.n && !p->ended; k++) {
		p->key = k;
		play_key(p, k - 1);
		/* the effect of the key may begin late */
		p->last = now_us();
		play_turn(p, p->last + 2 * p->quiet);
		play_settle(p, p->quiet, 10e6);
		truth_set(&p->truth, k, &p->now);
	}
	if (k <= p->keys.n) {
		fprintf(stderr, "keyplay: the program ended at key %u\n", k);
		return 1;
	}
	if (!truth_write(&p->truth, path)) {
		fprintf(stderr, "keyplay: %s: %s\n", path, strerror(errno));
		return 1;
	}
	if (p->dump)
		picture_print(&p->now, stderr);
	return 0;
}

static bool
play_complete(const struct play *p)
{
	return picture_same(&p->now, &p->truth.key[p->keys.n].after);
}

/* Types all keys; false if the first screen did not appear. */
static bool
play_all(struct play *p)
{
	double end = now_us() + p->begin, at;
	unsigned k;

	while (!p->ended && now_us() < end &&
	       !(p->truth.key != NULL
		       ? picture_same(&p->now, &p->truth.key[0].after)
		       : play_has(p, p->keys.ready)))
		play_turn(p, end);
	if (p->ended || now_us() >= end)
		return false;
	for (end = now_us() + p->warm; now_us() < end;)
		play_turn(p, end);
	at = now_us();
	printf("begin %.3f\n", at / 1e3);
	fflush(stdout);
	for (k = 0; k < p->keys.n && !p->ended; k++) {
		at += MIN_OF(p->keys.key[k].gap * p->scale, p->gap_max) * 1e3;
		while (now_us() < at)
			play_turn(p, at);
		if (p->truth.key != NULL)
			judge_press(&p->judge, now_us());
		p->judged = p->truth.key != NULL;
		play_key(p, k);
		at = MAX_OF(at, now_us() - 50e3);
	}
	for (end = now_us() + p->wait; now_us() < end && !p->ended;) {
		if (p->truth.key == NULL || play_complete(p))
			break;
		play_turn(p, end);
	}
	for (end = now_us() + p->stay; now_us() < end && !p->ended;)
		play_turn(p, end);
	return true;
}

static void
print_char(FILE *out, uint32_t c)
{
	char utf8[4];
	size_t n = 0;

	if (c < 0x80) {
		utf8[n++] = (char)c;
	} else if (c < 0x800) {
		utf8[n++] = (char)(0xc0 | c >> 6);
		utf8[n++] = (char)(0x80 | (c & 63));
	} else if (c < 0x10000) {
		utf8[n++] = (char)(0xe0 | c >> 12);
		utf8[n++] = (char)(0x80 | (c >> 6 & 63));
		utf8[n++] = (char)(0x80 | (c & 63));
	} else {
		utf8[n++] = '?';
	}
	keyfile_string(out, utf8, n);
}

static void
print_results(const struct play *p, FILE *out)
{
	static const char *const state[] = { "waiting", "answered", "invisible",
		"unseen" };
	const struct judge *j = &p->judge;
	const struct judge_wrong *w;
	const struct judge_key *k;
	unsigned i;
	size_t n;

	for (i = 1; i <= j->pressed; i++) {
		k = &j->key[i];
		fprintf(out, "key %u %.3f %s %.3f ", i, k->pressed / 1e3,
		    state[k->state],
		    k->state == JUDGE_ANSWERED
			? (k->answered - k->pressed) / 1e3
			: -1.0);
		keyfile_string(
		    out, p->keys.key[i - 1].bytes, p->keys.key[i - 1].len);
		putc('\n', out);
	}
	for (n = 0; n < j->nwrong; n++) {
		w = &j->wrong[n];
		fprintf(out, "wrong %.3f %.3f %u %u %u ", w->from / 1e3,
		    w->until < 0 ? -1.0 : (w->until - w->from) / 1e3,
		    w->cell % p->now.cols, w->cell / p->now.cols, w->key);
		print_char(out, w->ch);
		putc('\n', out);
	}
	fprintf(out, "end %.3f %d\n", now_us() / 1e3,
	    p->truth.key == NULL || play_complete(p));
	if (p->dump && p->truth.key != NULL && !play_complete(p)) {
		fprintf(
		    stderr, "is (answered %u, whole %u):\n", j->shown, j->full);
		picture_print(&p->now, stderr);
		fprintf(stderr, "should be:\n");
		picture_print(&p->truth.key[p->keys.n].after, stderr);
	}
}

static void
play_close(struct play *p)
{
	double end;

	kill(p->pid, SIGHUP);
	kill(p->pid, SIGTERM);
	for (end = now_us() + 1e6; now_us() < end;) {
		if (waitpid(p->pid, NULL, WNOHANG) == p->pid)
			return;
		play_turn(p, now_us() + 20e3);
		if (p->ended)
			usleep(10000);
	}
	kill(p->pid, SIGKILL);
	waitpid(p->pid, NULL, 0);
}

static int
play_end(struct play *p, int r)
{
	play_close(p);
	close(p->fd);
	if (p->judge.key != NULL)
		judge_fini(&p->judge);
	if (p->truth.key != NULL)
		truth_fini(&p->truth);
	keyfile_fini(&p->keys);
	picture_fini(&p->now);
	vt_term_free(p->t);
	grapheme_table_free(p->graphemes);
	vt_pool_free(p->pool);
	return r;
}

static _Noreturn void
usage(void)
{
	fprintf(stderr,
	    "usage: keyplay [-d] [-b s] [-e s] [-g ms] [-o file] [-q ms] "
	    "[-s factor] [-T truth | -t truth] [-W s] [-w s] recording "
	    "command...\n");
	exit(2);
}

int
main(int argc, char **argv)
{
	struct play p;
	const char *make = NULL, *use = NULL, *path = NULL;
	FILE *out = stdout;
	int c, r = 0;

	memset(&p, 0, sizeof p);
	p.scale = 1;
	p.gap_max = 1e9;
	p.wait = 60e6;
	p.begin = 30e6;
	p.quiet = 150e3;
	p.warm = 1.5e6;
	while ((c = getopt(argc, argv, "+b:de:g:o:q:r:s:T:t:W:w:")) != -1)
		switch (c) {
		case 'b':
			p.begin = strtod(optarg, NULL) * 1e6;
			break;
		case 'd':
			p.dump = true;
			break;
		case 'e':
			p.stay = strtod(optarg, NULL) * 1e6;
			break;
		case 'g':
			p.gap_max = strtod(optarg, NULL);
			break;
		case 'o':
			path = optarg;
			break;
		case 'q':
			p.quiet = strtod(optarg, NULL) * 1e3;
			break;
		case 'r':
			p.rtt = strtod(optarg, NULL) * 1e3;
			break;
		case 's':
			p.scale = strtod(optarg, NULL);
			break;
		case 'T':
			make = optarg;
			break;
		case 't':
			use = optarg;
			break;
		case 'W':
			p.warm = strtod(optarg, NULL) * 1e6;
			break;
		case 'w':
			p.wait = strtod(optarg, NULL) * 1e6;
			break;
		default:
			usage();
		}
	if (argc - optind < 2 || !keyfile_read(argv[optind], &p.keys))
		usage();
	if (use != NULL &&
	    (!truth_read(&p.truth, use) || p.truth.n != p.keys.n)) {
		fprintf(stderr, "keyplay: %s: no truth for this\n", use);
		return 2;
	}
	signal(SIGPIPE, SIG_IGN);
	play_open(&p, (const char *const *)(uintptr_t)&argv[optind + 1]);
	if (make != NULL) {
		return play_end(&p, make_truth(&p, make));
	}
	if (p.truth.key != NULL)
		judge_init(&p.judge, &p.truth);
	p.judge.rtt = p.rtt;
	if (!play_all(&p)) {
		fprintf(stderr, "keyplay: the first screen never came\n");
		if (p.dump)
			picture_print(&p.now, stderr);
		r = 1;
	}
	if (path != NULL && (out = fopen(path, "w")) == NULL) {
		fprintf(stderr, "keyplay: %s: %s\n", path, strerror(errno));
		r = 2;
	} else {
		print_results(&p, out);
		fflush(out);
	}
	if (out != stdout && out != NULL)
		fclose(out);
	return play_end(&p, r);
}
