/*
 * Prints the screen after byte streams, in our terminal or in the one this
 * program runs in: the cursor, a pending wrap, every cell and its rendition,
 * asked for with the sequences a terminal answers (DECRQPSR, DECRQCRA,
 * XTREPORTSGR).  xterm-compare.sh runs both and compares.
 *
 *	vt_probe vt|tty CASES OUT
 *
 * CASES has lines "name | bytes", bytes with C's escapes.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "base/utf8.h"
#include "mux/vt/term.h"

#define COLS 20
#define ROWS 6
#define WAIT_MS 5000

struct probe {
	FILE *out;
	int tty; /* -1: our own terminal */
	struct vt_pool *pool;
	struct grapheme_table *graphemes;
	struct vt_term *t;
};

static void
die(const char *what)
{
	fprintf(stderr, "vt_probe: %s: %s\n", what, strerror(errno));
	exit(1);
}

/* Decodes C's escapes in place; returns the length. */
static size_t
unescape(char *s)
{
	static const char from[] = "abefnrt\\\"", to[] = "\a\b\033\f\n\r\t\\\"";
	char *d = s, *start = s;
	const char *k;

	while (*s != '\0') {
		if (*s != '\\') {
			*d++ = *s++;
			continue;
		}
		s++;
		if (*s >= '0' && *s <= '7') {
			int v = 0, i;

			for (i = 0; i < 3 && *s >= '0' && *s <= '7'; i++)
				v = v * 8 + *s++ - '0';
			*d++ = (char)v;
		} else if (*s != '\0' && (k = strchr(from, *s)) != NULL) {
			*d++ = to[k - from];
			s++;
		} else if (*s != '\0')
			*d++ = *s++;
	}
	return (size_t)(d - start);
}

static void
say(struct probe *p, const char *s, size_t n)
{
	ssize_t k;

	if (p->tty < 0) {
		vt_term_write(p->t, s, n);
		return;
	}
	while (n > 0) {
		k = write(p->tty, s, n);
		if (k < 0)
			die("write");
		s += k;
		n -= (size_t)k;
	}
}

/* The bytes waiting at a tty, one at a time; exits when none come. */
static int
hear(struct probe *p)
{
	static unsigned char held[4096];
	static size_t at, have;
	struct pollfd pfd = { p->tty, POLLIN, 0 };
	ssize_t k;

	if (at == have) {
		if (poll(&pfd, 1, WAIT_MS) <= 0) {
			fprintf(p->out, "no answer\n");
			fclose(p->out);
			exit(1);
		}
		k = read(p->tty, held, sizeof held);
		if (k <= 0)
			die("read");
		at = 0;
		have = (size_t)k;
	}
	return held[at++];
}

/*
 * Reads one answer up to END (a final byte after CSI, or the backslash of ST)
 * into BUF, without its introducer.
 */
static void
answer(struct probe *p, char intro, char end, char *buf, size_t size)
{
	size_t n = 0;
	int c;

	do {
		while (hear(p) != 033)
			;
	} while (hear(p) != intro);
	while ((c = hear(p)) != end) {
		if (n + 1 < size)
			buf[n++] = (char)c;
	}
	buf[n] = '\0';
}

/* --- asking a terminal ------------------------------------------------------ */

static void
ask(struct probe *p, const char *query, char intro, char end, char *buf,
    size_t size)
{
	say(p, query, strlen(query));
	answer(p, intro, end, buf, size);
}

static void
show_tty(struct probe *p)
{
	char buf[256], query[64];
	char sgr[ROWS][COLS][64];
	unsigned cell[ROWS][COLS];
	char *f;
	int x, y, row = 0, col = 0, flags = 0;

	/* DECCIR: row;col;page;sgr;protection;flags;... */
	ask(p, "\033[1$w", 'P', '\\', buf, sizeof buf);
	f = strchr(buf, 'u');
	if (f == NULL || sscanf(f + 1, "%d;%d", &row, &col) != 2)
		die("cursor report");
	for (x = 0; x < 5 && f != NULL; x++)
		f = strchr(f + 1, ';');
	if (f != NULL)
		flags = f[1];
	say(p, "\033[?6l\033[?69l\033[r", 14);
	for (y = 0; y < ROWS; y++) {
		for (x = 0; x < COLS; x++) {
			snprintf(query, sizeof query, "\033[1;1;%d;%d;%d;%d*y",
			    y + 1, x + 1, y + 1, x + 1);
			ask(p, query, 'P', '\\', buf, sizeof buf);
			f = strchr(buf, '~');
			cell[y][x] =
			    f == NULL ? 0 : (unsigned)strtoul(f + 1, NULL, 16);
			snprintf(query, sizeof query, "\033[%d;%d;%d;%d#|",
			    y + 1, x + 1, y + 1, x + 1);
			ask(p, query, '[', 'm', sgr[y][x], 64);
		}
	}
	fprintf(p->out, "cursor %d,%d%s\n", row - 1, col - 1,
	    (flags & 8) != 0 ? " pending" : "");
	for (y = 0; y < ROWS; y++) {
		fprintf(p->out, "%d:", y);
		for (x = 0; x < COLS; x++) {
			const char *a = sgr[y][x];

			if (strncmp(a, "0;", 2) == 0)
				a += 2;
			else if (strcmp(a, "0") == 0)
				a += 1;
			if (cell[y][x] > 0x20 && cell[y][x] < 0x7f)
				fprintf(p->out, " %c", (int)cell[y][x]);
			else if (cell[y][x] == 0x20)
				fprintf(p->out, " _");
			else
				fprintf(p->out, " %x", cell[y][x]);
			if (*a != '\0')
				fprintf(p->out, "<%s>", a);
		}
		fprintf(p->out, "\n");
	}
}

/* --- looking at ours --------------------------------------------------------- */

/* The rendition as in the reply to XTREPORTSGR of rmux. */
static void
sgr_of(struct probe *p, int x, int y, char *out, size_t size)
{
	struct vt_effect e;
	char query[64];

	snprintf(query, sizeof query, "\033[%d;%d;%d;%d#|", y + 1, x + 1, y + 1,
	    x + 1);
	say(p, query, strlen(query));
	out[0] = '\0';
	while (vt_term_next_effect(p->t, &e)) {
		if (e.kind == VT_EFFECT_REPLY && e.len > 3)
			snprintf(
			    out, size, "%.*s", (int)(e.len - 3), e.data + 2);
		vt_effect_fini(&e);
	}
}

/* Sum of a cell's code points, as xterm's extended checksum gives it. */
static unsigned
cell_of(struct probe *p, int x, int y)
{
	const struct vt_line *line =
	    vt_grid_line(vt_term_grid(p->t), (unsigned)y);
	struct vt_cell c = vt_line_cell(line, (unsigned)x);
	char text[VT_CLUSTER_MAX + 1];
	unsigned sum = 0;
	uint32_t cp;
	size_t n, i = 0;

	if (c.width == VT_TAIL)
		return 0xffff;
	if (c.ch == 0)
		return 0x20;
	n = vt_line_text(line, (unsigned)x, text);
	while (i < n) {
		i += utf8_decode_final((const uint8_t *)text + i, n - i, &cp);
		sum += cp;
	}
	return sum & 0xffff;
}

static void
show_ours(struct probe *p)
{
	struct vt_term_cursor c = vt_term_cursor(p->t);
	char sgr[128];
	const char *a;
	unsigned v;
	int x, y;

	fprintf(
	    p->out, "cursor %u,%u%s\n", c.y, c.x, c.pending ? " pending" : "");
	say(p, "\033[?6l\033[?69l\033[r", 14);
	for (y = 0; y < ROWS; y++) {
		fprintf(p->out, "%d:", y);
		for (x = 0; x < COLS; x++) {
			v = cell_of(p, x, y);
			if (v > 0x20 && v < 0x7f)
				fprintf(p->out, " %c", (int)v);
			else if (v == 0x20)
				fprintf(p->out, " _");
			else
				fprintf(p->out, " %x", v);
			sgr_of(p, x, y, sgr, sizeof sgr);
			a = sgr;
			if (strncmp(a, "0;", 2) == 0)
				a += 2;
			else if (strcmp(a, "0") == 0)
				a += 1;
			if (*a != '\0')
				fprintf(p->out, "<%s>", a);
		}
		fprintf(p->out, "\n");
	}
}

/* --- cases -------------------------------------------------------------------- */

/* xterm's RIS leaves the alternate screen and its saved cursor alone. */
static const char start[] =
    "\033c\033[?1047h\033[H\033[m\0337\033[?1047l\033c\033[?2027l";

static void
run_case(struct probe *p, char *line)
{
	char *bytes = strstr(line, " | "), *nl;
	char copy[4096], buf[64];
	struct vt_effect e;
	size_t n;

	if (line[0] == '#' || bytes == NULL)
		return;
	*bytes = '\0';
	bytes += 3;
	nl = strchr(bytes, '\n');
	if (nl != NULL)
		*nl = '\0';
	snprintf(copy, sizeof copy, "%s", bytes);
	n = unescape(copy);
	fprintf(p->out, "== %s | %s\n", line, bytes);
	say(p, start, sizeof start - 1);
	say(p, copy, n);
	if (p->tty < 0) {
		/* Answers to the case's own questions are not compared. */
		while (vt_term_next_effect(p->t, &e))
			vt_effect_fini(&e);
		show_ours(p);
	} else {
		/* A string left open would swallow the questions. */
		say(p, "\030", 1);
		ask(p, "\033[5n", '[', 'n', buf, sizeof buf);
		show_tty(p);
	}
}

static void
tty_raw(struct probe *p, struct termios *old)
{
	struct termios raw;

	p->tty = open("/dev/tty", O_RDWR | O_NOCTTY);
	if (p->tty < 0 || tcgetattr(p->tty, old) != 0)
		die("/dev/tty");
	raw = *old;
	raw.c_iflag &= ~(tcflag_t)(BRKINT | ICRNL | INPCK | ISTRIP | IXON);
	raw.c_oflag &= ~(tcflag_t)OPOST;
	raw.c_lflag &= ~(tcflag_t)(ECHO | ICANON | IEXTEN | ISIG);
	raw.c_cc[VMIN] = 1;
	raw.c_cc[VTIME] = 0;
	if (tcsetattr(p->tty, TCSANOW, &raw) != 0)
		die("tcsetattr");
}

int
main(int argc, char **argv)
{
	struct vt_term_options opt = { 0 };
	struct probe p = { .tty = -1 };
	struct termios old;
	char line[4096];
	FILE *in;

	if (argc != 4) {
		fprintf(stderr, "usage: vt_probe vt|tty CASES OUT\n");
		return 2;
	}
	in = fopen(argv[2], "r");
	p.out = fopen(argv[3], "w");
	if (in == NULL || p.out == NULL)
		die("open");
	if (strcmp(argv[1], "tty") == 0)
		tty_raw(&p, &old);
	opt.pool = p.pool = vt_pool_new();
	opt.graphemes = p.graphemes = grapheme_table_new(NULL);
	opt.cols = COLS;
	opt.rows = ROWS;
	opt.history_rows = 100;
	opt.history_bytes = 1 << 20;
	p.t = vt_term_new(&opt);
	while (fgets(line, sizeof line, in) != NULL)
		run_case(&p, line);
	fclose(in);
	fprintf(p.out, "done\n");
	fclose(p.out);
	if (p.tty >= 0)
		(void)tcsetattr(p.tty, TCSANOW, &old);
	vt_term_free(p.t);
	vt_pool_free(p.pool);
	grapheme_table_free(p.graphemes);
	return 0;
}
