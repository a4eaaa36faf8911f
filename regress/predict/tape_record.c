/*
 * tape_record - types at a real program and records its answers.
 *
 *	tape_record [-r READY] OUT COLSxROWS KEYS COMMAND...
 *	tape_record -k OUT RECORDING COMMAND...
 *
 * -k: RECORDING is one of regress/bench/recordings; its gaps go to the tape.
 * KEYS is a file of characters to type. <Name> is a key (<Enter>, <Left>,
 * <C-w>, <M-b>, <lt>). <secret> and </secret> enclose keys that must never be
 * shown; they are typed once echo is off. Newlines, and lines that begin with
 * #, are skipped. After each key the recorder waits until the program is
 * quiet, so a tape shows which output answers which key. The replay
 * (tape_replay) invents the gaps between keys.
 *
 * A tape is a script (regress/script.h):
 *
 *	size COLSxROWS
 *	tty echo canonical    bits of the tty from here on
 *	out MS "bytes"        MS after the key or output before
 *	key HEX [GAP]         a key_code; output up to the next key answers it;
 *	                      GAP: ms since the key before it
 *	secret HEX            the same, and it must never be shown
 */
#include <sys/wait.h>

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/grapheme.h"
#include "base/io/pty.h"
#include "base/io/sys.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "mux/vt/input_encode.h"
#include "mux/vt/term.h"
#include "regress/predict/key_word.h"
#include "regress/script.h"
#include "regress/tools/keyfile.h"

#define QUIET_MS 45        /* of silence: the answer is complete */
#define ANSWER_MS 1500     /* without output: there is no answer */
#define FIRST_MS 100       /* wait for the answer of a key ... */
#define ENTER_MS 500       /* ... and Enter, which runs something */
#define ENTER_QUIET_MS 350 /* the shortest pause of a person after Enter */
#define READY_MS 10000

struct rec {
	FILE *out;
	int fd;
	struct vt_term *t;
	struct pty_modes modes;
	mono_ms last; /* time of the line before */
	bool secret;
	double gap; /* 0: the replay invents one */
};

static void
rec_modes(struct rec *r)
{
	struct pty_modes m;

	if (pty_get_modes(r->fd, &m) != 0 ||
	    (m.echo == r->modes.echo && m.canonical == r->modes.canonical))
		return;
	r->modes = m;
	fprintf(r->out, "tty%s%s\n", m.echo ? " echo" : "",
	    m.canonical ? " canonical" : "");
}

/* Answers the program's questions to its terminal. */
static void
rec_effects(struct rec *r)
{
	struct vt_effect e;

	while (vt_term_next_effect(r->t, &e)) {
		if (e.kind == VT_EFFECT_REPLY)
			(void)sys_write_all(r->fd, e.data, e.len);
		vt_effect_fini(&e);
	}
}

static void
rec_output(struct rec *r, const uint8_t *p, size_t n)
{
	mono_ms now = sys_now();

	rec_modes(r);
	fprintf(r->out, "out %llu %s\n", (unsigned long long)(now - r->last),
	    script_quote(p, n));
	r->last = now;
	vt_term_write(r->t, p, n);
	rec_effects(r);
}

/* Reads until the program is quiet; returns false at its end. */
static bool
rec_listen(struct rec *r, mono_ms first, mono_ms quiet)
{
	struct pollfd pfd = { r->fd, POLLIN, 0 };
	mono_ms start = sys_now(), wait = first;
	uint8_t bytes[1000]; /* the most that script_quote takes */
	ssize_t n;
	int e;

	while (sys_now() < start + ANSWER_MS) {
		e = poll(&pfd, 1, (int)wait);
		if (e < 0 && errno == EINTR)
			continue;
		rec_modes(r);
		if (e <= 0)
			return true;
		n = read(r->fd, bytes, sizeof(bytes));
		if (n <= 0)
			return n < 0 && (errno == EAGAIN || errno == EINTR);
		rec_output(r, bytes, (size_t)n);
		wait = quiet;
	}
	return true;
}

static bool
rec_shows(struct rec *r, const char *text)
{
	struct vt_frame *f = vt_term_frame(r->t, 0);
	char row[4096];
	bool found = false;
	unsigned x, y;
	size_t n;

	for (y = 0; y < f->rows && !found; y++) {
		for (x = 0, n = 0; x < f->cols; x++)
			n += vt_line_text(f->lines[y], x, row + n);
		row[n] = '\0';
		found = strstr(row, text) != NULL;
	}
	vt_frame_unref(f);
	return found;
}

/* --- keys ---------------------------------------------------------------------- */

static void
rec_key(struct rec *r, key_code key)
{
	const struct vt_frame_state *st = vt_term_state(r->t);
	struct key_event ev = { .key = key };
	struct vt_input_modes m;
	struct buf b;

	if (key < KEY_SPECIAL)
		ev.text[utf8_encode((uint32_t)key, (uint8_t *)ev.text)] = '\0';
	vt_input_modes_init(&m);
	m.kitty = st->kitty_flags;
	m.modify_other = st->modify_other;
	m.app_cursor = (st->modes & VT_FRAME_APP_CURSOR) != 0;
	m.app_keypad = (st->modes & VT_FRAME_APP_KEYPAD) != 0;
	m.bracketed_paste = (st->modes & VT_FRAME_BRACKETED_PASTE) != 0;
	buf_init(&b, 256);
	rec_modes(r);
	fprintf(r->out, "%s 0x%llx", r->secret ? "secret" : "key",
	    (unsigned long long)key);
	if (r->gap > 0)
		fprintf(r->out, " %.0f", r->gap);
	fputc('\n', r->out);
	r->last = sys_now();
	if (vt_input_key(&b, &m, &ev) == 0 && b.len > 0)
		(void)sys_write_all(r->fd, b.data, b.len);
	buf_fini(&b);
	if (key == KEY_ENTER)
		(void)rec_listen(r, ENTER_MS, ENTER_QUIET_MS);
	else
		(void)rec_listen(r, FIRST_MS, QUIET_MS);
}

/* Parses the name between < and >. */
static key_code
rec_named(const char *w)
{
	key_code key;

	if (strcmp(w, "lt") == 0)
		return '<';
	if (!key_word(w, &key)) {
		fprintf(stderr, "unknown key <%s>\n", w);
		exit(2);
	}
	return key;
}

/* Waits until the program asks for the password, as a person does. */
static void
rec_secret(struct rec *r)
{
	mono_ms end = sys_now() + READY_MS;

	r->secret = true;
	while (r->modes.echo && sys_now() < end)
		(void)rec_listen(r, FIRST_MS, QUIET_MS);
	(void)rec_listen(r, ENTER_MS, ENTER_QUIET_MS);
}

static void
rec_type(struct rec *r, const char *text)
{
	const char *end, *p = text;
	char name[32];
	uint32_t cp;

	while (*p != '\0') {
		if (*p == '#' && (p == text || p[-1] == '\n')) {
			p += strcspn(p, "\n");
		} else if (*p == '\n') {
			p++;
		} else if (*p == '<' && (end = strchr(p, '>')) != NULL &&
			   (size_t)(end - p) < sizeof(name)) {
			snprintf(name, sizeof(name), "%.*s", (int)(end - p - 1),
			    p + 1);
			if (strcmp(name, "secret") == 0)
				rec_secret(r);
			else if (strcmp(name, "/secret") == 0)
				r->secret = false;
			else
				rec_key(r, rec_named(name));
			p = end + 1;
		} else {
			p += utf8_decode_final(
			    (const uint8_t *)p, strlen(p), &cp);
			rec_key(r, cp);
		}
	}
}

/* Returns the key whose bytes are K's. */
static key_code
rec_bytes(const struct keyfile_key *k)
{
	static const key_code arrows[] = { KEY_UP, KEY_DOWN, KEY_RIGHT,
		KEY_LEFT };
	uint32_t cp = (uint8_t)k->bytes[0];

	if (k->len == 3 && cp == 033 && k->bytes[1] == '[' &&
	    k->bytes[2] >= 'A' && k->bytes[2] <= 'D')
		return arrows[k->bytes[2] - 'A'];
	if (cp >= 0x80)
		(void)utf8_decode_final((const uint8_t *)k->bytes, k->len, &cp);
	else if (k->len != 1) {
		fprintf(stderr, "a key of %u bytes\n", k->len);
		exit(2);
	}
	switch (cp) {
	case '\r':
		return KEY_ENTER;
	case '\t':
		return KEY_TAB;
	case 033:
		return KEY_ESCAPE;
	case 0x7f:
		return KEY_BSPACE;
	default:
		return cp < ' ' ? KEY_CTRL | (cp + '`') : cp;
	}
}

static void
rec_recording(struct rec *r, const struct keyfile *f)
{
	key_code key;
	unsigned i;

	for (i = 0; i < f->n; i++) {
		r->gap = f->key[i].gap;
		if (i > 0 && !r->modes.echo && r->modes.canonical)
			r->secret = true;
		key = rec_bytes(&f->key[i]);
		rec_key(r, key);
		if (key == KEY_ENTER)
			r->secret = false;
	}
}

static char *
rec_read(const char *path)
{
	char *text = mem_zalloc(65536);
	FILE *f = fopen(path, "r");

	if (f == NULL || fread(text, 1, 65535, f) == 0) {
		fprintf(stderr, "cannot read %s\n", path);
		exit(2);
	}
	fclose(f);
	return text;
}

static int
rec_usage(void)
{
	fputs("usage: see the head of the file\n", stderr);
	return 2;
}

/* The keys to type: KEYS as text, or a recording. */
struct work {
	const char *ready;
	char *keys;
	bool recorded;
	struct keyfile file;
};

static void
rec_run(struct rec *r, const struct work *w, const char *name)
{
	mono_ms end = sys_now() + READY_MS;

	do
		(void)rec_listen(r, ENTER_MS, ENTER_QUIET_MS);
	while (w->ready != NULL && !rec_shows(r, w->ready) && sys_now() < end);
	if (w->ready != NULL && !rec_shows(r, w->ready))
		fprintf(stderr, "%s: not ready: no \"%s\"\n", name, w->ready);
	if (w->recorded)
		rec_recording(r, &w->file);
	else
		rec_type(r, w->keys);
}

int
main(int argc, char **argv)
{
	struct pty_spec spec = { .cwd = "." };
	struct vt_term_options opt = { .cols = 80, .rows = 24 };
	struct rec r = { .last = sys_now(), .modes = { true, true } };
	struct work w = { .ready = NULL };
	struct cause c = { NULL };
	struct grapheme_table *gt = grapheme_table_new(NULL);
	char dir[4096];
	pid_t pid;
	int o;

	while ((o = getopt(argc, argv, "+r:k")) != -1)
		if (o == 'r')
			w.ready = optarg;
		else if (o == 'k')
			w.recorded = true;
		else
			return rec_usage();
	argc -= optind;
	argv += optind;
	if (argc < (w.recorded ? 3 : 4))
		return rec_usage();
	if (w.recorded) {
		if (!keyfile_read(argv[1], &w.file))
			return rec_usage();
		opt.cols = w.file.cols;
		opt.rows = w.file.rows;
		w.ready = w.file.ready;
	} else if (sscanf(argv[1], "%ux%u", &opt.cols, &opt.rows) != 2) {
		return rec_usage();
	} else {
		w.keys = rec_read(argv[2]);
	}
	opt.graphemes = gt;
	opt.pool = vt_pool_new();
	r.t = vt_term_new(&opt);
	spec.argv = (const char *const *)(argv + (w.recorded ? 2 : 3));
	spec.envp = (const char *const *)environ;
	spec.cwd = getcwd(dir, sizeof(dir));
	spec.size =
	    (struct cell_size){ (uint16_t)opt.cols, (uint16_t)opt.rows };
	if ((r.out = fopen(argv[0], "w")) == NULL ||
	    pty_spawn(&spec, &r.fd, &pid, &c) != 0) {
		fprintf(stderr, "%s\n", cause_text(&c));
		return 2;
	}
	fprintf(r.out, "size %ux%u\ntty echo canonical\n", opt.cols, opt.rows);
	rec_run(&r, &w, argv[0]);
	fclose(r.out);
	(void)kill(pid, SIGHUP);
	(void)kill(pid, SIGKILL);
	close(r.fd);
	(void)waitpid(pid, NULL, 0);
	vt_term_free(r.t);
	vt_pool_free(opt.pool);
	grapheme_table_free(gt);
	mem_free(w.keys);
	if (w.recorded)
		keyfile_fini(&w.file);
	return 0;
}
