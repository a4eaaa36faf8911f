/*
 * shared_text - several people edit one text, with libssp.
 *
 *	shared_text secret                       prints a secret
 *	shared_text serve ADDRESS PORT EDITORS   keeps the text until so many have ended
 *	shared_text edit ADDRESS PORT            edits on standard input, one a line:
 *	                                         +N TEXT  a new line after line N
 *	                                         =N TEXT  another text for line N
 *	                                         -N       no line N any more
 *
 * The environment variable SSP_SECRET has the secret. Port 0 is any; the server
 * prints which. All print the text when they end, and it is the same text.
 *
 * An editor's value is a list of numbered edits; the editor only appends to it. The
 * server's value is the text. Both arrive whole, whatever is lost. A line has a name
 * (its editor's connection and the number of the edit that made it), and an edit names
 * a line, not its place: so edits of people who see different states mean what they
 * meant. The rule for conflicts: the server applies edits in the order in which they
 * reach it. Of two texts for one line the later stays; of two lines after the same one
 * the later stands first; an edit of a line that has gone does nothing.
 *
 *	cc shared_text.c $(pkg-config --cflags --libs ssp)
 */
#include <fcntl.h>
#include <poll.h>
#include <ssp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NAME "shared text 1" /* of the protocol between both programs */
#define TEXT_MAX 120         /* bytes of a line */
#define LINES_MAX 2000
#define EDITS_MAX 2000 /* of an editor that the server has not taken */
#define TYPING 15      /* ms between edits: nobody types faster */
#define PATIENCE 60000 /* ms without a word, then an editor is lost */

/* A line of the text, or an edit: KIND of the line BY, N. */
struct item {
	uint64_t by; /* connection of the editor; 0: the start of the text */
	uint32_t n;
	char kind; /* '+', '=', '-', or '.' for an editor's last edit */
	uint8_t size;
	char text[TEXT_MAX];
};

/*
 * A value of either kind. Text: SEEN edits of the editor whose connection this is
 * are in it. Edits: the first of ITEM has number SEEN.
 */
struct list {
	uint32_t seen;
	uint32_t count;
	struct item *item;
};

static void *
allocated(void *p)
{
	if (p == NULL)
		abort();
	return p;
}

static void *
list_clone(const void *value)
{
	const struct list *a = value;
	struct list *b = allocated(malloc(sizeof *b));

	*b = *a;
	b->item = allocated(malloc((a->count + 1) * sizeof *b->item));
	if (a->count > 0)
		memcpy(b->item, a->item, a->count * sizeof *b->item);
	return b;
}

static void
list_free(void *value)
{
	free(((struct list *)value)->item);
	free(value);
}

/* Makes place for an item before the one at AT. */
static struct item *
list_insert(struct list *l, uint32_t at)
{
	l->item = allocated(realloc(l->item, (l->count + 1) * sizeof *l->item));
	memmove(
	    l->item + at + 1, l->item + at, (l->count - at) * sizeof *l->item);
	l->count++;
	memset(&l->item[at], 0, sizeof l->item[at]);
	return &l->item[at];
}

static void
list_remove(struct list *l, uint32_t at, uint32_t n)
{
	memmove(l->item + at, l->item + at + n,
	    (l->count - at - n) * sizeof *l->item);
	l->count -= n;
}

static bool
item_equal(const struct item *x, const struct item *y)
{
	return x->by == y->by && x->n == y->n && x->kind == y->kind &&
	       x->size == y->size && memcmp(x->text, y->text, x->size) == 0;
}

static bool
text_equal(const void *a, const void *b)
{
	const struct list *x = a, *y = b;
	uint32_t i;

	if (x->count != y->count || x->seen != y->seen)
		return false;
	for (i = 0; i < x->count; i++)
		if (!item_equal(&x->item[i], &y->item[i]))
			return false;
	return true;
}

/* --- on the wire ------------------------------------------------------------------ */

static int
put_number(struct ssp_out *out, uint64_t v, int bytes)
{
	uint8_t b[8];
	int i;

	for (i = 0; i < bytes; i++)
		b[i] = (uint8_t)(v >> (8 * (bytes - 1 - i)));
	return ssp_put(out, b, (size_t)bytes);
}

static int
put_item(struct ssp_out *out, const struct item *i)
{
	int e = put_number(out, i->by, 8);

	e = e != 0 ? e : put_number(out, i->n, 4);
	e = e != 0 ? e : ssp_put(out, &i->kind, 1);
	e = e != 0 ? e : put_number(out, i->size, 1);
	return e != 0 ? e : ssp_put(out, i->text, i->size);
}

/* What is left to read; BAD when it ended too early. */
struct reader {
	const uint8_t *p;
	size_t n;
	bool bad;
};

static uint64_t
get_number(struct reader *r, size_t bytes)
{
	uint64_t v = 0;

	if (r->n < bytes) {
		r->bad = true;
		return 0;
	}
	for (r->n -= bytes; bytes > 0; bytes--)
		v = v << 8 | *r->p++;
	return v;
}

static bool
get_item(struct reader *r, struct item *i)
{
	int k;

	memset(i, 0, sizeof *i);
	i->by = get_number(r, 8);
	i->n = (uint32_t)get_number(r, 4);
	i->kind = (char)get_number(r, 1);
	i->size = (uint8_t)get_number(r, 1);
	if (r->bad || i->size > TEXT_MAX || r->n < i->size)
		return false;
	memcpy(i->text, r->p, i->size);
	/* Nothing that a terminal would obey. */
	for (k = 0; k < i->size; k++)
		if ((uint8_t)i->text[k] < ' ' || i->text[k] == 127)
			return false;
	r->p += i->size;
	r->n -= i->size;
	return true;
}

/* Reads items to the end of R and puts them into L before the one at AT. */
static int
get_items(struct reader *r, struct list *l, uint32_t at, uint32_t max)
{
	struct item i;

	while (r->n > 0) {
		if (l->count >= max || !get_item(r, &i))
			return SSP_E_PEER;
		*list_insert(l, at++) = i;
	}
	return 0;
}

/* Writes how many lines stay at the start and the end, and the lines between. */
static int
text_diff(const void *from, const void *to, struct ssp_out *out)
{
	const struct list *x = from, *y = to;
	uint32_t head = 0, tail = 0, i;
	uint32_t n = x->count < y->count ? x->count : y->count;
	int e;

	if (text_equal(x, y))
		return 0;
	while (head < n && item_equal(&x->item[head], &y->item[head]))
		head++;
	while (tail < n - head && item_equal(&x->item[x->count - 1 - tail],
				      &y->item[y->count - 1 - tail]))
		tail++;
	e = put_number(out, y->seen, 4);
	e = e != 0 ? e : put_number(out, head, 4);
	e = e != 0 ? e : put_number(out, tail, 4);
	for (i = head; i < y->count - tail && e == 0; i++)
		e = put_item(out, &y->item[i]);
	return e;
}

static int
text_apply(void *value, const uint8_t *diff, size_t n)
{
	struct reader r = { diff, n, false };
	struct list *l = value, *new;
	uint32_t seen, head, tail;

	if (n == 0)
		return 0;
	seen = (uint32_t)get_number(&r, 4);
	head = (uint32_t)get_number(&r, 4);
	tail = (uint32_t)get_number(&r, 4);
	if (r.bad || head > l->count || tail > l->count - head)
		return SSP_E_PEER;
	new = list_clone(l);
	list_remove(new, head, l->count - head - tail);
	if (get_items(&r, new, head, LINES_MAX) != 0) {
		list_free(new);
		return SSP_E_PEER;
	}
	free(l->item);
	*l = *new;
	l->seen = seen;
	free(new);
	return 0;
}

static const struct ssp_object text_object = {
	.size = sizeof(struct ssp_object),
	.clone = list_clone,
	.free = list_free,
	.equal = text_equal,
	.diff = text_diff,
	.apply = text_apply,
};

/* Of edits: they are only appended, so the number of the next tells all. */
static bool
edits_equal(const void *a, const void *b)
{
	const struct list *x = a, *y = b;

	return x->seen + x->count == y->seen + y->count;
}

static int
edits_diff(const void *from, const void *to, struct ssp_out *out)
{
	const struct list *x = from, *y = to;
	uint32_t i = x->seen + x->count - y->seen;
	int e = 0;

	for (; i < y->count && e == 0; i++)
		e = put_item(out, &y->item[i]);
	return e;
}

static int
edits_apply(void *value, const uint8_t *diff, size_t n)
{
	struct reader r = { diff, n, false };
	struct list *l = value;
	uint32_t had = l->count;

	if (get_items(&r, l, l->count, EDITS_MAX) == 0)
		return 0;
	l->count = had;
	return SSP_E_PEER;
}

/* Forgets the edits that an earlier list has: the peer has taken them. */
static void
edits_subtract(void *value, const void *prefix)
{
	const struct list *p = prefix;
	struct list *l = value;
	uint32_t n = p->seen + p->count - l->seen;

	if ((int32_t)n <= 0 || n > l->count)
		return;
	list_remove(l, 0, n);
	l->seen += n;
}

static const struct ssp_object edits_object = {
	.size = sizeof(struct ssp_object),
	.clone = list_clone,
	.free = list_free,
	.equal = edits_equal,
	.diff = edits_diff,
	.apply = edits_apply,
	.subtract = edits_subtract,
};

/* --- both programs ----------------------------------------------------------------- */

static void
die(const char *what, int error)
{
	fprintf(stderr, "shared_text: %s: %s\n", what, ssp_strerror(error));
	exit(1);
}

static void
read_secret(uint8_t secret[SSP_SECRET_SIZE])
{
	const char *text = getenv("SSP_SECRET");
	int e = ssp_secret_parse(text == NULL ? "" : text, secret);

	if (e != 0)
		die("SSP_SECRET", e);
}

static struct ssp *
open_end(bool server, uint64_t id)
{
	static const struct list nothing;
	uint8_t secret[SSP_SECRET_SIZE];
	struct ssp_config c;
	struct ssp *s;
	int e;

	read_secret(secret);
	ssp_config_init(&c, sizeof c);
	c.server = server;
	c.secret = secret;
	c.id = id;
	c.name = NAME;
	c.name_size = sizeof NAME - 1;
	c.local_object = server ? &text_object : &edits_object;
	c.remote_object = server ? &edits_object : &text_object;
	/* Both ends start from the same values: nothing. */
	c.local = list_clone(&nothing);
	c.remote = list_clone(&nothing);
	e = ssp_new(&s, &c, ssp_udp_now());
	if (e != 0)
		die("no connection", e);
	return s;
}

static void
print_text(const struct list *l)
{
	uint32_t i;

	for (i = 0; i < l->count; i++)
		printf("%.*s\n", l->item[i].size, l->item[i].text);
}

/* --- the server -------------------------------------------------------------------- */

#define EDITORS 32

struct editor {
	struct ssp *end;
	uint32_t taken; /* edits of it that are in the text */
	bool done;
};

struct server {
	struct list text;
	struct editor editor[EDITORS];
	int n, left;
};

static struct ssp *
server_accept(void *arg, uint64_t id)
{
	struct server *sv = arg;

	if (sv->n == EDITORS)
		return NULL;
	memset(&sv->editor[sv->n], 0, sizeof sv->editor[sv->n]);
	return sv->editor[sv->n++].end = open_end(true, id);
}

/* Returns the place of the line that an edit names, or -1. */
static int64_t
text_find(const struct list *l, const struct item *edit)
{
	uint32_t i;

	for (i = 0; i < l->count; i++)
		if (l->item[i].by == edit->by && l->item[i].n == edit->n)
			return i;
	return -1;
}

static void
text_edit(struct list *l, const struct item *edit, uint64_t by, uint32_t n)
{
	int64_t at = text_find(l, edit);
	struct item *line;

	if (edit->kind == '+' && (at >= 0 || edit->by == 0)) {
		if (l->count == LINES_MAX)
			return;
		line = list_insert(l, (uint32_t)(at + 1));
		*line = *edit;
		line->by = by;
		line->n = n;
	} else if (edit->kind == '=' && at >= 0) {
		line = &l->item[at];
		line->size = edit->size;
		memcpy(line->text, edit->text, sizeof line->text);
	} else if (edit->kind == '-' && at >= 0) {
		list_remove(l, (uint32_t)at, 1);
	}
}

/* Takes the edits of E that are new; true if the text may differ. */
static bool
editor_take(struct server *sv, struct editor *e)
{
	const struct list *l = ssp_remote(e->end, NULL);
	uint32_t end = l->seen + l->count;
	const struct item *i;

	if (e->taken == end)
		return false;
	for (; e->taken < end; e->taken++) {
		i = &l->item[e->taken - l->seen];
		if (i->kind == '.' && !e->done) {
			e->done = true;
			sv->left--;
		}
		text_edit(&sv->text, i, ssp_id(e->end), e->taken);
	}
	ssp_remote_used(e->end);
	return true;
}

/* Tells everybody the text. */
static void
server_tell(struct server *sv, uint64_t now)
{
	struct list *old, *new;
	int i;

	for (i = 0; i < sv->n; i++) {
		old = ssp_local(sv->editor[i].end);
		new = list_clone(&sv->text);
		free(old->item);
		*old = *new;
		old->seen = sv->editor[i].taken;
		free(new);
		ssp_changed(sv->editor[i].end, now);
		if (sv->left == 0)
			ssp_close(sv->editor[i].end, now);
	}
}

/* Takes the events of all; drops those that have gone. */
static void
server_turn(struct server *sv, uint64_t now)
{
	struct ssp_event ev;
	struct ssp_stats st;
	bool news = false;
	struct editor *e;
	int i;

	for (i = 0; i < sv->n; i++) {
		e = &sv->editor[i];
		while (ssp_event(e->end, &ev))
			news |= ev.type == SSP_EVENT_UP;
		news |= editor_take(sv, e);
		ssp_stats(e->end, now, &st, sizeof st);
		if (ssp_state(e->end) != SSP_STATE_ENDED &&
		    now - st.heard < PATIENCE)
			continue;
		sv->left -= !e->done && st.values_acked > 0;
		ssp_free(e->end);
		*e = sv->editor[--sv->n];
		i--;
	}
	if (news)
		server_tell(sv, now);
}

static int
serve(const char *address, int port, int editors)
{
	struct server sv = { .left = editors };
	uint8_t secret[SSP_SECRET_SIZE];
	struct ssp_udp *u;
	int e;

	read_secret(secret);
	e = ssp_udp_serve(&u, address, (uint16_t)port);
	if (e != 0)
		die(address, e);
	ssp_udp_accept(u, secret, NAME, sizeof NAME - 1, server_accept, &sv);
	printf("port %u\n", ssp_udp_port(u));
	fflush(stdout);
	while (sv.left > 0 || sv.n > 0) {
		ssp_udp_step(u, 1000);
		server_turn(&sv, ssp_udp_now());
	}
	print_text(&sv.text);
	free(sv.text.item);
	ssp_udp_free(u);
	return 0;
}

/* --- an editor --------------------------------------------------------------------- */

/* Appends an edit of line N of the text that the server has told. */
static void
edit(struct ssp *s, char kind, unsigned n, const char *text, uint64_t now)
{
	const struct list *shown = ssp_remote(s, NULL);
	struct list *l = ssp_local(s);
	struct item *i;
	int k;

	if (n > shown->count || (n == 0 && kind != '+' && kind != '.')) {
		fprintf(stderr, "no line %u\n", n);
		return;
	}
	i = list_insert(l, l->count);
	i->kind = kind;
	if (n > 0) {
		i->by = shown->item[n - 1].by;
		i->n = shown->item[n - 1].n;
	}
	i->size = (uint8_t)(strlen(text) < TEXT_MAX ? strlen(text) : TEXT_MAX);
	for (k = 0; k < i->size; k++)
		i->text[k] =
		    (uint8_t)text[k] < ' ' || text[k] == 127 ? ' ' : text[k];
	ssp_changed(s, now);
}

static void
command(struct ssp *s, const char *line, uint64_t now)
{
	char kind = line[0];
	int used = 0;
	unsigned n;

	if ((kind != '+' && kind != '=' && kind != '-') ||
	    sscanf(line + 1, "%u%n", &n, &used) != 1) {
		fprintf(
		    stderr, "neither +N TEXT nor =N TEXT nor -N: %s\n", line);
		return;
	}
	line += 1 + used;
	edit(s, kind, n, *line == ' ' ? line + 1 : line, now);
}

/* What was typed and is not a whole line yet. */
struct keyboard {
	char text[1000];
	size_t n;
	bool ended;
};

/* Takes at most one line of the keyboard. */
static void
keyboard_take(struct keyboard *k, struct ssp *s, uint64_t now)
{
	char *end = memchr(k->text, '\n', k->n);
	size_t n;
	ssize_t got;

	if (end == NULL && k->n < sizeof k->text) {
		got = read(0, k->text + k->n, sizeof k->text - k->n);
		if (got > 0)
			k->n += (size_t)got;
		k->ended = got == 0;
		end = memchr(k->text, '\n', k->n);
	}
	if (end == NULL && k->n == sizeof k->text)
		k->n = 0;
	if (k->ended)
		edit(s, '.', 0, "", now);
	if (end == NULL)
		return;
	*end = '\0';
	command(s, k->text, now);
	n = (size_t)(end + 1 - k->text);
	memmove(k->text, end + 1, k->n - n);
	k->n -= n;
}

/* Waits for the keyboard and the network; this is how a loop of one's own does it. */
static void
editor_wait(struct ssp *s, struct ssp_udp *u, uint64_t typed, bool keys)
{
	uint64_t now = ssp_udp_now(), until = ssp_deadline(s, now);
	struct pollfd p[8];
	nfds_t n = 0;
	int fd;

	while (n < 7 && (fd = ssp_udp_fd(u, (unsigned)n)) >= 0)
		p[n++] = (struct pollfd){ .fd = fd, .events = POLLIN };
	if (keys && now >= typed)
		p[n++] = (struct pollfd){ .fd = 0, .events = POLLIN };
	else if (keys && typed < until)
		until = typed;
	if (until > now + 1000)
		until = now + 1000;
	poll(p, n, until > now ? (int)(until - now) : 0);
	ssp_udp_step(u, 0);
}

static int
edit_text(const char *address, int port)
{
	struct keyboard k = { .n = 0 };
	uint64_t id, typed = 0, now;
	struct ssp_udp *u;
	struct ssp_event ev;
	struct ssp *s;
	int e;

	ssp_id_new(&id);
	s = open_end(false, id);
	e = ssp_udp_connect(&u, s, address, (uint16_t)port);
	if (e != 0)
		die(address, e);
	fcntl(0, F_SETFL, fcntl(0, F_GETFL) | O_NONBLOCK);
	while (ssp_state(s) != SSP_STATE_ENDED) {
		editor_wait(
		    s, u, typed, ssp_state(s) == SSP_STATE_UP && !k.ended);
		now = ssp_udp_now();
		while (ssp_event(s, &ev)) {
			if (ev.type == SSP_EVENT_CLOSED)
				print_text(ssp_remote(s, NULL));
			if (ev.type == SSP_EVENT_SILENT)
				fprintf(stderr, "no answer\n");
		}
		if (ssp_state(s) == SSP_STATE_UP && !k.ended && now >= typed) {
			keyboard_take(&k, s, now);
			typed = now + TYPING;
		}
	}
	ssp_udp_free(u);
	ssp_free(s);
	return 0;
}

int
main(int argc, char **argv)
{
	uint8_t secret[SSP_SECRET_SIZE];
	char text[SSP_SECRET_TEXT_SIZE];

	if (argc == 2 && strcmp(argv[1], "secret") == 0) {
		if (ssp_secret_new(secret) != 0)
			return 1;
		ssp_secret_format(secret, text);
		printf("%s\n", text);
		return 0;
	}
	if (argc == 5 && strcmp(argv[1], "serve") == 0)
		return serve(argv[2], atoi(argv[3]), atoi(argv[4]));
	if (argc == 4 && strcmp(argv[1], "edit") == 0)
		return edit_text(argv[2], atoi(argv[3]));
	fprintf(stderr,
	    "usage: shared_text secret | serve ADDRESS PORT EDITORS |"
	    " edit ADDRESS PORT\n");
	return 2;
}
