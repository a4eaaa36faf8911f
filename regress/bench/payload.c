#include "regress/bench/payload.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "regress/chance.h"

struct gen {
	struct buf b;
	uint64_t rng;
};

static unsigned
rnd(struct gen *g, unsigned n)
{
	return chance_below(&g->rng, n);
}

static const char *const words[] = {
	"connection",
	"from",
	"accepted",
	"GET",
	"/index.html",
	"200",
	"user",
	"session",
	"opened",
	"for",
	"kernel:",
	"usb",
	"device",
	"number",
	"timeout",
	"retry",
	"a",
	"of",
	"to",
	"in",
	"sshd[1234]:",
	"error",
	"warning",
	"INFO",
	"DEBUG",
	"0x7ffe01c0",
	"bytes",
	"sent",
	"received",
	"queue",
	"worker-7",
	"done",
	"failed",
	"cache",
	"miss",
	"hit",
	"ms",
};

#define WORDS (sizeof(words) / sizeof(words[0]))

/* Log lines of 30 to 110 columns, some of which wrap. */
static void
gen_ascii(struct gen *g)
{
	size_t want = 30 + rnd(g, 80), from = g->b.len;

	buf_addf(&g->b, "2026-11-%02u %02u:%02u:%02u.%03u ", rnd(g, 30) + 1,
	    rnd(g, 24), rnd(g, 60), rnd(g, 60), rnd(g, 1000));
	while (g->b.len - from < want) {
		buf_add_str(&g->b, words[rnd(g, WORDS)]);
		buf_add_u8(&g->b, ' ');
	}
	buf_add_str(&g->b, "\r\n");
}

/* A row of a picture: both colours change at nearly every cell. */
static void
gen_truecolour(struct gen *g)
{
	unsigned x, r = rnd(g, 256), k = rnd(g, 256), b = rnd(g, 256);

	for (x = 0; x < PAYLOAD_COLS; x += 1 + rnd(g, 2)) {
		buf_addf(&g->b, "\033[38;2;%u;%u;%um\033[48;2;%u;%u;%umX", r, k,
		    b, 255 - r, (k + x) & 255, b ^ 64);
		r = (r + 3) & 255;
		k = (k + 5) & 255;
		b = (b + 7) & 255;
	}
	buf_add_str(&g->b, "\033[0m\r\n");
}

/* Short texts all over the screen. */
static void
gen_cursor(struct gen *g)
{
	static const char *const moves[] = { "\033[A", "\033[B", "\033[C",
		"\033[D", "\033[3A", "\033[2B", "\033[10C", "\033[5D", "\r",
		"\b", "\033[K", "\033[1K", "\033[5G", "\033[10d", "\0337",
		"\0338", "\t" };

	switch (rnd(g, 3)) {
	case 0:
		buf_addf(&g->b, "\033[%u;%uH", rnd(g, PAYLOAD_ROWS) + 1,
		    rnd(g, PAYLOAD_COLS) + 1);
		break;
	default:
		buf_add_str(
		    &g->b, moves[rnd(g, sizeof(moves) / sizeof(moves[0]))]);
	}
	if (rnd(g, 2) == 0)
		buf_add_str(&g->b, words[rnd(g, WORDS)]);
}

/* An editor's scrolling: regions, line feeds, indices, IL and DL. */
static void
gen_scroll(struct gen *g)
{
	unsigned top = rnd(g, 10) + 1, bottom = top + 2 + rnd(g, 12), i;

	buf_addf(&g->b, "\033[%u;%ur\033[%u;1H", top, bottom, bottom);
	for (i = 0; i < 8; i++)
		switch (rnd(g, 6)) {
		case 0:
			buf_addf(&g->b, "\033[%u;1H\033M%s", top,
			    words[rnd(g, WORDS)]);
			break;
		case 1:
			buf_addf(&g->b, "\033[%u;1H\033[%uL", top + 1,
			    rnd(g, 3) + 1);
			break;
		case 2:
			buf_addf(&g->b, "\033[%u;1H\033[%uM", top + 1,
			    rnd(g, 3) + 1);
			break;
		case 3:
			buf_addf(&g->b, "\033[%uS", rnd(g, 3) + 1);
			break;
		default:
			buf_addf(&g->b, "\033[%u;1H\n%s %s %s", bottom,
			    words[rnd(g, WORDS)], words[rnd(g, WORDS)],
			    words[rnd(g, WORDS)]);
		}
	buf_add_str(&g->b, "\033[r");
}

/* A full-screen program that redraws everything, as htop and vim do. */
static void
gen_alternate(struct gen *g)
{
	unsigned x, y, n;

	buf_add_str(&g->b, "\033[?1049h\033[H\033[2J\033[?25l");
	for (y = 1; y <= PAYLOAD_ROWS; y++) {
		buf_addf(&g->b, "\033[%u;1H", y);
		for (x = 0; x < PAYLOAD_COLS - 12;) {
			const char *w = words[rnd(g, WORDS)];

			for (n = 0; w[n] != '\0'; n++)
				;
			if (rnd(g, 3) == 0)
				buf_addf(&g->b, "\033[%s%um",
				    rnd(g, 4) == 0 ? "1;" : "", 30 + rnd(g, 8));
			buf_add_str(&g->b, w);
			buf_add_u8(&g->b, ' ');
			x += n + 1;
		}
		buf_add_str(&g->b, "\033[m\033[K");
	}
	buf_addf(&g->b, "\033[%u;%uH\033[?25h", rnd(g, PAYLOAD_ROWS) + 1,
	    rnd(g, PAYLOAD_COLS) + 1);
	if (rnd(g, 4) == 0)
		buf_add_str(&g->b, "\033[?1049l");
}

/* Text of many scripts: wide, combining, emoji, boxes, accents. */
static void
gen_unicode(struct gen *g)
{
	static const char *const special[] = { "e\xcc\x81",
		"\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x9a\x80",
		"\xf0\x9f\x87\xa9\xf0\x9f\x87\xaa", "\xe2\x9d\xa4\xef\xb8\x8f",
		"\xe1\x84\x92\xe1\x85\xa1\xe1\x86\xab",
		"\xe0\xa4\x95\xe0\xa5\x8d\xe0\xa4\xb7",
		"\xf0\x9f\x91\x8d\xf0\x9f\x8f\xbd" };
	/* clang-format off */
	static const struct { uint32_t first, count; } ranges[] = {
		{ 0x4e00, 5000 }, { 0x4e00, 5000 }, { 0xac00, 10000 },
		{ 0x3041, 80 }, { 0x430, 32 }, { 0x430, 32 }, { 0x3b1, 24 },
		{ 0xe0, 31 }, { 0xe0, 31 }, { 0x2500, 100 }, { 0x1f600, 60 },
		{ 0x5d0, 26 }, { 0x628, 30 }, { 0x20, 94 }, { 0x61, 26 },
	};
	/* clang-format on */
	unsigned i, n, k, total = 0;
	uint8_t b[UTF8_MAX];

	while (total < 60) {
		if (rnd(g, 8) == 0) {
			buf_add_str(
			    &g->b, special[rnd(g,
				       sizeof(special) / sizeof(special[0]))]);
			total += 2;
			continue;
		}
		k = rnd(g, sizeof(ranges) / sizeof(ranges[0]));
		n = 2 + rnd(g, 10);
		for (i = 0; i < n; i++)
			buf_add(&g->b, b,
			    utf8_encode(
				ranges[k].first + rnd(g, ranges[k].count), b));
		buf_add_u8(&g->b, ' ');
		total += n + 1;
	}
	buf_add_str(&g->b, "\r\n");
}

static const struct {
	const char *name;
	void (*gen)(struct gen *g);
} payloads[] = {
	{ "ascii", gen_ascii },
	{ "truecolour", gen_truecolour },
	{ "cursor", gen_cursor },
	{ "scroll", gen_scroll },
	{ "alternate", gen_alternate },
	{ "unicode", gen_unicode },
};

size_t
payload_count(void)
{
	return ARRAY_LEN(payloads);
}

const char *
payload_name(size_t i)
{
	return payloads[i].name;
}

uint8_t *
payload_new(size_t i, size_t size, size_t *len)
{
	struct gen g;

	buf_init(&g.b, size + (1 << 20));
	g.rng = 20261120 + i;
	while (g.b.len < size)
		payloads[i].gen(&g);
	return (uint8_t *)buf_steal(&g.b, len);
}

double
bench_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

double
bench_cpu(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

bool
bench_args(struct bench_args *args, int argc, char **argv)
{
	int c;

	while ((c = getopt(argc, argv, "m:r:H:Rp:b:")) != -1) {
		switch (c) {
		case 'm':
			args->size = (size_t)atoi(optarg) << 20;
			break;
		case 'r':
			args->rounds = (size_t)atoi(optarg);
			break;
		case 'H':
			args->history = (size_t)atoi(optarg);
			break;
		case 'R':
			args->raw = true;
			break;
		case 'p':
			args->piece = (size_t)atoi(optarg);
			break;
		case 'b':
			args->busy = atof(optarg);
			break;
		default:
			return false;
		}
	}
	args->names = argv + optind;
	return args->rounds >= 1 && args->rounds <= BENCH_ROUNDS_MAX &&
	       args->size > 0;
}

void
bench_each(const struct bench_args *args, bench_fn fn)
{
	size_t i, n;
	uint8_t *p;
	char **s;

	for (i = 0; i < payload_count(); i++) {
		for (s = args->names; *s != NULL; s++)
			if (strcmp(*s, payload_name(i)) == 0)
				break;
		if (args->names[0] != NULL && *s == NULL)
			continue;
		p = payload_new(i, args->size, &n);
		fn(args, payload_name(i), p, n);
		mem_free(p);
		fflush(stdout);
	}
}

static int
order(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

double
bench_median(double *v, size_t n)
{
	qsort(v, n, sizeof(*v), order);
	return n % 2 == 1 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}
