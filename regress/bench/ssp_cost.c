/*
 * ssp_cost - cost of sessions, connection and transport together, in virtual
 * time: a keystroke and its echo (both ends), one frame to 200
 * clients (the server's end), 1,000 idle sessions (the server's share of a
 * processor), memory a session.  Instructions:
 * valgrind --tool=callgrind --toggle-collect=cost_key ssp_cost key
 */
#include <stdlib.h> /* __GLIBC__ */
#ifdef __GLIBC__
# include <malloc.h>
#endif
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/compiler.h"
#include "base/mem.h"
#include "regress/sim/stack.h"

#define CLIENTS 200
#define SESSIONS 1000
#define KEYS 2000
#define FRAMES 50
#define IDLE 60 /* seconds */

static double server_ns; /* processor time of servers */

static double
now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static struct stack *
session(uint64_t seed)
{
	struct stack_cfg cfg = { .cols = 80, .rows = 24 };
	struct sim_link_cfg link = { .delay = 50 * SIM_MS };
	struct stack *s = mem_zalloc(sizeof *s);

	stack_init(s, &cfg, seed);
	sim_links(&s->sim, &link);
	stack_pump(&s->end[0]);
	toy_log_add(stack_log(s), "x", 1);
	stack_kick(s, 0);
	stack_run(s, s->sim.now + 5 * SIM_S);
	if (s->why != NULL || !stack_equal(s))
		printf("# session does not start\n");
	return s;
}

static void
session_free(struct stack *s)
{
	stack_fini(s);
	mem_free(s);
}

NOINLINE static void
cost_key(struct stack *s)
{
	toy_log_add(stack_log(s), "x", 1);
	stack_kick(s, 0);
	stack_run(s, s->sim.now + 400 * SIM_MS);
}

static void
bench_key(void)
{
	struct stack *s = session(1);
	uint64_t before = s->end[0].datagrams + s->end[1].datagrams;
	double start = now_ns();
	unsigned i;

	for (i = 0; i < KEYS; i++)
		cost_key(s);
	printf("keystroke, echo and acks, both ends  %9.0f ns  (%.2f "
	       "datagrams)\n",
	    (now_ns() - start) / KEYS,
	    (double)(s->end[0].datagrams + s->end[1].datagrams - before) /
		KEYS);
	session_free(s);
}

NOINLINE static void
cost_frame(struct stack *s, const struct toy_screen *scr)
{
	struct stack_end *e = &s->end[1];

	ssp_transport_set_current(
	    e->bind.tp, stack_now(e), toy_screen_ops.clone(scr));
	stack_pump(e);
}

static void
bench_frame(void)
{
	struct stack **s = mem_calloc(CLIENTS, sizeof(*s));
	struct toy_screen *scr = toy_screen_new(80, 24);
	uint64_t rng = 1;
	double start, sum = 0, most = 0;
	unsigned i, k;

	for (i = 0; i < CLIENTS; i++)
		s[i] = session(i + 1);
	for (k = 0; k < FRAMES; k++) {
		toy_screen_scroll(scr, &rng);
		scr->echo++;
		start = now_ns();
		for (i = 0; i < CLIENTS; i++)
			cost_frame(s[i], scr);
		start = now_ns() - start;
		sum += start;
		most = MAX_OF(most, start);
		for (i = 0; i < CLIENTS; i++)
			stack_run(s[i], s[i]->sim.now + 500 * SIM_MS);
	}
	printf("one frame (a line scrolled) to %d     %9.0f ns  (worst %.0f; "
	       "%.0f a client)\n",
	    CLIENTS, sum / FRAMES, most, sum / FRAMES / CLIENTS);
	for (i = 0; i < CLIENTS; i++)
		session_free(s[i]);
	toy_screen_ops.free(scr);
	mem_free(s);
}

/* Bytes allocated by malloc; 0 where the C library does not count them. */
static size_t
held_now(void)
{
#ifdef __GLIBC__
	return mallinfo2().uordblks;
#else
	return 0;
#endif
}

static void
bench_idle(void)
{
	struct stack **s = mem_calloc(SESSIONS, sizeof(*s));
	uint64_t dgrams = 0;
	size_t before = held_now(), held;
	double start;
	unsigned i;

	for (i = 0; i < SESSIONS; i++)
		s[i] = session(i + 1);
	held = held_now() - before;
	printf("memory a session, both ends          %9zu bytes\n",
	    held / SESSIONS);
	for (i = 0; i < SESSIONS; i++)
		dgrams -= s[i]->end[0].datagrams + s[i]->end[1].datagrams;
	start = now_ns();
	for (i = 0; i < SESSIONS; i++)
		stack_run(s[i], s[i]->sim.now + IDLE * SIM_S);
	server_ns = now_ns() - start;
	for (i = 0; i < SESSIONS; i++)
		dgrams += s[i]->end[0].datagrams + s[i]->end[1].datagrams;
	printf("%d idle sessions, both ends         %9.3f %% of a core  (%.0f "
	       "datagrams a second)\n",
	    SESSIONS, server_ns / (IDLE * 1e9) * 100, (double)dgrams / IDLE);
	for (i = 0; i < SESSIONS; i++)
		session_free(s[i]);
	mem_free(s);
}

static const struct {
	const char *name;
	void (*fn)(void);
} benches[] = {
	{ "key", bench_key },
	{ "frame", bench_frame },
	{ "idle", bench_idle },
};

int
main(int argc, char **argv)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(benches); i++)
		if (argc < 2 || strcmp(argv[1], benches[i].name) == 0)
			benches[i].fn();
	return 0;
}
