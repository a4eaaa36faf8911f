/*
 * What panes hold: bytes a line for logs and truecolour, an idle pane, time of
 * packing, of a change of width, and whether clearing gives the memory back.
 * Prints numbers, never fails.
 *
 *	vt_memory [lines]
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#ifdef __GLIBC__
# include <malloc.h>
#endif

#include "mux/vt/frame.h"

static double
now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec * 1e3 + (double)ts.tv_nsec / 1e6;
}

static size_t
heap(void)
{
#ifdef __GLIBC__
	struct mallinfo2 m = mallinfo2();

	return m.uordblks + m.hblkhd;
#else
	return 0; /* nobody counts it elsewhere: read our own and the RSS */
#endif
}

static size_t
rss(void)
{
	unsigned long size = 0, pages = 0;
	FILE *f = fopen("/proc/self/statm", "r");

	if (f == NULL)
		return 0;
	if (fscanf(f, "%lu %lu", &size, &pages) != 2)
		pages = 0;
	fclose(f);
	return pages * (size_t)sysconf(_SC_PAGESIZE);
}

static uint32_t
next_random(uint64_t *seed)
{
	*seed = *seed * UINT64_C(6364136223846793005) +
		UINT64_C(1442695040888963407);
	return (uint32_t)(*seed >> 33);
}

static void
scroll(struct vt_grid *g)
{
	struct vt_rect all = { 0, 0, g->cols, g->rows };

	vt_grid_scroll_up(g, &all, 1, NULL, true);
}

/* A line of a log, as programs write them; 80 columns. */
static void
log_line(struct vt_grid *g, unsigned i, uint64_t *seed)
{
	static const char *const words[] = { "connection", "accepted", "from",
		"worker", "timeout", "request", "completed", "GET", "/index",
		"status=200", "bytes", "user", "session", "opened", "closed",
		"cache", "miss" };
	char text[160];
	int n = snprintf(text, sizeof(text),
	    "2026-11-20T18:%02u:%02u.%03u host app[%u]: ", i / 6000 % 60,
	    i / 100 % 60, i * 10 % 1000, 1000 + next_random(seed) % 8);

	while (n < 80)
		n += snprintf(text + n, sizeof(text) - (size_t)n, "%s%u ",
		    words[next_random(seed) % 17], next_random(seed) % 100);
	vt_line_put_ascii(
	    vt_grid_own(g, g->rows - 1), 0, (const uint8_t *)text, 80, 0);
	scroll(g);
}

/* Every cell of another colour: a gradient that moves from line to line. */
static void
gradient_line(struct vt_grid *g, unsigned i, uint64_t *seed)
{
	struct vt_line *line = vt_grid_own(g, g->rows - 1);
	struct pen pen = { 0, 0, 0, 0 };
	unsigned x, style;
	uint8_t c;

	for (x = 0; x < 80; x++) {
		pen.fg = colour_rgb(i + x * 3, x * 2, 255 - i);
		style = vt_line_style(g->pool, line, &pen, NULL);
		c = (uint8_t)('!' + next_random(seed) % 90);
		vt_line_put_ascii(line, x, &c, 1, style);
	}
	scroll(g);
}

/*
 * Every cell of a random foreground, of one character (0: any): what no packing
 * can make small.  80 colours are 240 bytes of information; 80 characters out
 * of 90 would be 65 more.
 */
static void
noise_line(struct vt_grid *g, uint64_t *seed, uint8_t one)
{
	struct vt_line *line = vt_grid_own(g, g->rows - 1);
	struct pen pen = { 0, 0, 0, 0 };
	unsigned x, style;
	uint8_t c;

	for (x = 0; x < 80; x++) {
		pen.fg = colour_rgb(
		    next_random(seed), next_random(seed), next_random(seed));
		style = vt_line_style(g->pool, line, &pen, NULL);
		c = one != 0 ? one : (uint8_t)('!' + next_random(seed) % 90);
		vt_line_put_ascii(line, x, &c, 1, style);
	}
	scroll(g);
}

static void
noise_blocks(struct vt_grid *g, unsigned i, uint64_t *seed)
{
	(void)i;
	noise_line(g, seed, '#');
}

static void
noise_text(struct vt_grid *g, unsigned i, uint64_t *seed)
{
	(void)i;
	noise_line(g, seed, 0);
}

/* Chinese text: pairs of columns, so that widths do not simply divide. */
static void
wide_line(struct vt_grid *g, unsigned i, uint64_t *seed)
{
	struct vt_line *line = vt_grid_own(g, g->rows - 1);
	unsigned x;

	(void)i;
	for (x = 0; x < 79; x += 2)
		vt_line_put(
		    line, x, 0x4e00 + next_random(seed) % 3000, VT_WIDE, 0);
	scroll(g);
}

static void
reflow(struct vt_grid *g)
{
	struct vt_point pt = { 0, g->rows - 1, false };
	double t0 = now_ms(), t1, t2;

	vt_grid_resize(g, 70, g->rows, true, &pt, 1);
	t1 = now_ms();
	vt_grid_resize(g, 80, g->rows, true, &pt, 1);
	t2 = now_ms();
	printf("  width 80 to 70 %.1f ms, back %.1f ms\n", t1 - t0, t2 - t1);
}

static void
measure(const char *name, unsigned lines,
    void (*add)(struct vt_grid *, unsigned, uint64_t *))
{
	struct vt_pool *pool = vt_pool_new();
	struct vt_grid *g = vt_grid_new(pool, 80, 24, SIZE_MAX, 0);
	size_t heap0 = heap(), rss0 = rss();
	uint64_t seed = 1;
	double t0 = now_ms(), t1;
	unsigned i;

	for (i = 0; i < lines; i++)
		add(g, i, &seed);
	t1 = now_ms();
	while (vt_grid_settle(g))
		;
	printf("%s: %u lines, %.3f us a line\n", name, lines,
	    (t1 - t0) * 1e3 / lines);
	printf("  held %.1f B/line by our count, %.1f malloc, %.1f RSS "
	       "(pool %.0f KB)\n",
	    (double)vt_grid_bytes(g) / lines, (double)(heap() - heap0) / lines,
	    (double)(rss() - rss0) / lines, (double)vt_pool_bytes(pool) / 1024);
	reflow(g);
	vt_grid_clear_history(g);
#ifdef __GLIBC__
	malloc_trim(0);
#endif
	printf("  after clearing: %.0f KB malloc, %.0f KB RSS above start\n",
	    (double)(heap() - heap0) / 1024,
	    ((double)rss() - (double)rss0) / 1024);
	vt_grid_free(g);
	vt_pool_free(pool);
#ifdef __GLIBC__
	malloc_trim(0);
#endif
}

static void
idle_pane(void)
{
	struct vt_pool *pool = vt_pool_new();
	size_t heap0 = heap();
	struct vt_grid *g[100], *a[100];
	unsigned i;

	for (i = 0; i < 100; i++) {
		g[i] = vt_grid_new(pool, 80, 24, 2000, 0);
		a[i] = vt_grid_new(pool, 80, 24, 0, 0);
		vt_line_put_ascii(vt_grid_own(g[i], 0), 0,
		    (const uint8_t *)"user@host:~$ ", 13, 0);
	}
	printf("idle 80x24 screen with a prompt, main and alternate: "
	       "%.0f bytes\n",
	    (double)(heap() - heap0) / 100);
	for (i = 0; i < 100; i++) {
		vt_grid_free(g[i]);
		vt_grid_free(a[i]);
	}
	vt_pool_free(pool);
}

int
main(int argc, char **argv)
{
	unsigned lines =
	    argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 1000000;

	idle_pane();
	measure("log", lines, log_line);
	measure("wide", lines / 10, wide_line);
	measure("truecolour gradient", lines / 10, gradient_line);
	measure("truecolour noise", lines / 10, noise_blocks);
	measure("truecolour noise, random text", lines / 10, noise_text);
	return 0;
}
