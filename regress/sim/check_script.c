/*
 * Runs every .sim file: one statement on a line, in order of virtual time.
 *
 *   seed N · screen COLSxROWS · cc NAME      before anything else
 *   up|down|link WHAT VALUE                  delay, jitter, rate (bytes/s),
 *                                            queue, hole: ms and bytes; loss,
 *                                            burst, duplicate: percent;
 *                                            burst-length: ms; reorder: 0 or 1
 *   run MS · cut MS                          time passes (cut: all is lost)
 *   type N · scroll N · fill                 the client types, the server draws
 *   mtu BYTES · poke client|server
 *   settle MS                                both ends must be equal by then
 *   expect client|server WHAT MAX            copies, timeouts, datagrams, loss,
 *                                            repairs, mismatches
 */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "base/mem.h"
#include "regress/sim/pair.h"
#include "regress/unit/unit.h"
#include "ssp/cc.h"
#include "ssp/compress.h"

struct script {
	struct pair p;
	struct pair_cfg cfg;
	uint64_t seed;
	uint64_t rng;
	bool begun;
};

typedef bool (*script_fn)(
    struct script *s, const char *a, const char *b, const char *c);

static double
number(const char *s)
{
	return s == NULL ? 0 : strtod(s, NULL);
}

static void
begin(struct script *s)
{
	if (s->begun)
		return;
	s->begun = true;
	s->rng = s->seed;
	pair_init(&s->p, &s->cfg, s->seed);
}

static bool
do_seed(struct script *s, const char *a, const char *b, const char *c)
{
	(void)b;
	(void)c;
	s->seed = (uint64_t)number(a);
	return !s->begun;
}

static bool
do_screen(struct script *s, const char *a, const char *b, const char *c)
{
	(void)b;
	(void)c;
	return !s->begun && sscanf(a, "%ux%u", &s->cfg.cols, &s->cfg.rows) == 2;
}

static bool
do_cc(struct script *s, const char *a, const char *b, const char *c)
{
	(void)b;
	(void)c;
	s->cfg.cc = ssp_cc_find(a);
	return !s->begun && s->cfg.cc != NULL && s->cfg.cc != &ssp_cc_sprout;
}

static bool
set_link(struct sim_link_cfg *l, const char *what, double v)
{
	sim_us ms = (sim_us)(v * SIM_MS);

	if (strcmp(what, "delay") == 0)
		l->delay = ms;
	else if (strcmp(what, "jitter") == 0)
		l->jitter = ms;
	else if (strcmp(what, "reorder") == 0)
		l->reorder = v > 0;
	else if (strcmp(what, "loss") == 0)
		l->loss = v / 100;
	else if (strcmp(what, "burst") == 0)
		l->burst = v / 100;
	else if (strcmp(what, "burst-length") == 0)
		l->burst_len = ms;
	else if (strcmp(what, "duplicate") == 0)
		l->duplicate = v / 100;
	else if (strcmp(what, "rate") == 0)
		l->rate = (uint64_t)v;
	else if (strcmp(what, "queue") == 0)
		l->queue = (size_t)v;
	else if (strcmp(what, "hole") == 0)
		l->hole = (size_t)v;
	else
		return false;
	return true;
}

static bool
do_up(struct script *s, const char *a, const char *b, const char *c)
{
	(void)c;
	begin(s);
	return set_link(&s->p.sim.link[0].cfg, a, number(b));
}

static bool
do_down(struct script *s, const char *a, const char *b, const char *c)
{
	(void)c;
	begin(s);
	return set_link(&s->p.sim.link[1].cfg, a, number(b));
}

static bool
do_link(struct script *s, const char *a, const char *b, const char *c)
{
	return do_up(s, a, b, c) && do_down(s, a, b, c);
}

static bool
do_run(struct script *s, const char *a, const char *b, const char *c)
{
	(void)b;
	(void)c;
	begin(s);
	sim_run(&s->p.sim, s->p.sim.now + (sim_us)(number(a) * SIM_MS));
	return s->p.broken == 0;
}

static bool
do_cut(struct script *s, const char *a, const char *b, const char *c)
{
	unsigned i;

	begin(s);
	for (i = 0; i < 2; i++) {
		s->p.sim.link[i].cfg.ncut = 1;
		s->p.sim.link[i].cfg.cut[0].from = s->p.sim.now;
		s->p.sim.link[i].cfg.cut[0].to =
		    s->p.sim.now + (sim_us)(number(a) * SIM_MS);
	}
	return do_run(s, a, b, c);
}

static bool
do_type(struct script *s, const char *a, const char *b, const char *c)
{
	unsigned n = (unsigned)number(a);

	(void)b;
	(void)c;
	begin(s);
	while (n-- > 0)
		toy_log_add(pair_log(&s->p), "x", 1);
	pair_kick(&s->p, 0);
	return true;
}

static bool
do_scroll(struct script *s, const char *a, const char *b, const char *c)
{
	unsigned n = (unsigned)number(a);

	(void)b;
	(void)c;
	begin(s);
	while (n-- > 0)
		toy_screen_scroll(pair_screen(&s->p), &s->rng);
	pair_kick(&s->p, 1);
	return true;
}

static bool
do_fill(struct script *s, const char *a, const char *b, const char *c)
{
	(void)a;
	(void)b;
	(void)c;
	begin(s);
	toy_screen_fill(pair_screen(&s->p), &s->rng);
	pair_kick(&s->p, 1);
	return true;
}

static bool
do_mtu(struct script *s, const char *a, const char *b, const char *c)
{
	unsigned i;

	(void)b;
	(void)c;
	begin(s);
	for (i = 0; i < 2; i++) {
		s->p.end[i].mtu = (size_t)number(a);
		ssp_transport_set_mtu(s->p.end[i].tp, s->p.end[i].mtu);
		pair_pump(&s->p.end[i]);
	}
	return true;
}

static unsigned
which_end(const char *a)
{
	return a != NULL && strcmp(a, "server") == 0;
}

static bool
do_poke(struct script *s, const char *a, const char *b, const char *c)
{
	struct pair_end *e = &s->p.end[which_end(a)];

	(void)b;
	(void)c;
	begin(s);
	ssp_transport_poke(e->tp, pair_now(e), false);
	pair_pump(e);
	return true;
}

static bool
do_settle(struct script *s, const char *a, const char *b, const char *c)
{
	sim_us end = s->p.sim.now + (sim_us)(number(a) * SIM_MS);

	(void)b;
	(void)c;
	while (!pair_equal(&s->p))
		if (!sim_step(&s->p.sim, end))
			return false;
	return s->p.broken == 0;
}

static bool
do_expect(struct script *s, const char *a, const char *b, const char *c)
{
	struct ssp_transport_stats st;
	const struct {
		const char *name;
		uint64_t value;
	} all[] = {
		{ "copies", 0 },
		{ "timeouts", 0 },
		{ "datagrams", 0 },
		{ "loss", 0 },
		{ "repairs", 0 },
		{ "mismatches", 0 },
	};
	uint64_t v[ARRAY_LEN(all)];
	size_t i;

	ssp_transport_stats(s->p.end[which_end(a)].tp, 0, &st);
	v[0] = st.copies_sent;
	v[1] = st.timeouts;
	v[2] = st.packets_sent;
	v[3] = st.loss / 100;
	v[4] = st.frags_repaired;
	v[5] = st.mismatches;
	for (i = 0; i < ARRAY_LEN(all); i++)
		if (b != NULL && strcmp(all[i].name, b) == 0)
			return (double)v[i] <= number(c);
	return false;
}

static const struct {
	const char *name;
	script_fn fn;
} statements[] = {
	{ "seed", do_seed },
	{ "screen", do_screen },
	{ "cc", do_cc },
	{ "up", do_up },
	{ "down", do_down },
	{ "link", do_link },
	{ "run", do_run },
	{ "cut", do_cut },
	{ "type", do_type },
	{ "scroll", do_scroll },
	{ "fill", do_fill },
	{ "mtu", do_mtu },
	{ "poke", do_poke },
	{ "settle", do_settle },
	{ "expect", do_expect },
};

static bool
script_line(struct script *s, char *line)
{
	char *save = NULL, *word[4] = { NULL };
	size_t i;

	line[strcspn(line, "#\n")] = '\0';
	for (i = 0; i < 4; i++)
		word[i] = strtok_r(i == 0 ? line : NULL, " \t", &save);
	if (word[0] == NULL)
		return true;
	for (i = 0; i < ARRAY_LEN(statements); i++)
		if (strcmp(statements[i].name, word[0]) == 0)
			return statements[i].fn(s, word[1], word[2], word[3]);
	return false;
}

static void
script_run(const char *path)
{
	struct script *s = mem_zalloc(sizeof *s);
	FILE *f = fopen(path, "r");
	char line[256], copy[256];
	unsigned n = 0;

	ck_assert_ptr_nonnull(f);
	s->seed = 1;
	s->cfg.cols = 80;
	s->cfg.rows = 24;
	s->cfg.zip = ssp_zip_new();
	while (fgets(line, sizeof line, f) != NULL) {
		n++;
		memcpy(copy, line, sizeof copy);
		ck_assert_msg(script_line(s, line), "%s:%u: %s (at %.1f ms)%s",
		    path, n, copy, (double)s->p.sim.now / SIM_MS,
		    s->p.why != NULL ? s->p.why : "");
	}
	fclose(f);
	begin(s);
	ck_assert_msg(s->p.broken == 0, "%s: %s", path, s->p.why);
	pair_fini(&s->p);
	ssp_zip_free(s->cfg.zip);
	mem_free(s);
}

START_TEST(every_sim_file_runs)
{
	const char *top = getenv("top_srcdir");
	char *pattern =
	    mem_printf("%s/regress/sim/*.sim", top != NULL ? top : "..");
	glob_t g;
	size_t i;

	ck_assert_int_eq(glob(pattern, 0, NULL, &g), 0);
	for (i = 0; i < g.gl_pathc; i++)
		script_run(g.gl_pathv[i]);
	printf("# %zu .sim files\n", g.gl_pathc);
	globfree(&g);
	mem_free(pattern);
}
END_TEST

UNIT_SUITE(script)
{
	Suite *s = suite_create("script");
	TCase *tc = tcase_create("files");

	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, every_sim_file_runs);
	suite_add_tcase(s, tc);
	return s;
}
