#include "client/door.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io/sock.h"
#include "base/io/sys.h"
#include "base/mem.h"
#include "client/args.h"
#include "ssp/door.h"

#define DOOR_FOLDER "forwards" /* in the folder of sockets */
#define DOOR_WAIT_MS 15000     /* for an answer; the helper gives up before */
#define DOOR_SHOWN 20          /* candidates that an error lists */

#ifndef MSG_NOSIGNAL
# define MSG_NOSIGNAL 0
#endif

static char *
folder_new(struct cause *c)
{
	char *dir, *folder = NULL;

	if (sys_socket_dir_new(&dir, c) == 0)
		folder = mem_printf("%s/" DOOR_FOLDER, dir);
	mem_free(dir);
	return folder;
}

char *
door_path_new(const char *host)
{
	struct cause c = { NULL };
	char *folder = folder_new(&c), *path = NULL, name[DOOR_NAME];

	cause_fini(&c);
	/* The folder around it is this user's alone. */
	if (folder != NULL &&
	    (mkdir(folder, S_IRWXU) == 0 || errno == EEXIST)) {
		door_name(host, getpid(), name);
		path = mem_printf("%s/%s", folder, name);
	}
	mem_free(folder);
	return path;
}

/* --- finding the client --------------------------------------------------------- */

/* The doors that TARGET may mean. */
struct doors {
	char *folder;
	const char *target; /* NULL: any */
	int fd;             /* of the first that is alive; -1: none */
	unsigned alive;
	unsigned ended;  /* those whose process is no more */
	struct buf list; /* of the living, for an error */
};

/*
 * Connects to the door NAME; -1: it is none, or its process has died, and then
 * it goes.
 */
static int
door_connect(struct doors *d, const char *name)
{
	char *path = mem_printf("%s/%s", d->folder, name);
	struct sockaddr_un sun;
	uid_t uid;
	pid_t pid;
	int fd = -1;

	memset(&sun, 0, sizeof(sun));
	sun.sun_family = AF_UNIX;
	if (strlen(path) < sizeof(sun.sun_path)) {
		memcpy(sun.sun_path, path, strlen(path));
		fd = socket(AF_UNIX, SOCK_SEQPACKET, 0);
	}
	if (fd >= 0 && connect(fd, (struct sockaddr *)&sun, sizeof(sun)) != 0) {
		if (errno == ECONNREFUSED) {
			(void)unlink(path);
			d->ended++;
		}
		close(fd);
		fd = -1;
	}
	/* security: a forward goes to nobody else's process. */
	if (fd >= 0 && (sock_peer(fd, &uid, &pid) != 0 ||
			   (uid != geteuid() && uid != 0))) {
		close(fd);
		fd = -1;
	}
	mem_free(path);
	return fd;
}

static bool
door_meant(const char *name, const char *target)
{
	struct bootstrap_target t;
	struct cause c = { NULL };
	bool is = target == NULL || door_name_is(name, target);

	/* As attach reads it: without the port. */
	if (!is && bootstrap_parse(target, &t, &c) == 0)
		is = door_name_is(name, t.login);
	cause_fini(&c);
	return is;
}

static void
doors_look(struct doors *d)
{
	DIR *dir = opendir(d->folder);
	struct dirent *e;
	int64_t pid;
	size_t n;
	int fd;

	while (dir != NULL && (e = readdir(dir)) != NULL) {
		if (!door_name_read(e->d_name, &n, &pid) ||
		    !door_meant(e->d_name, d->target) ||
		    (fd = door_connect(d, e->d_name)) < 0)
			continue;
		if (d->alive++ < DOOR_SHOWN)
			(void)buf_addf(&d->list, "\n  %.*s (process %lld)",
			    (int)n, e->d_name, (long long)pid);
		if (d->fd >= 0)
			close(fd);
		else
			d->fd = fd;
	}
	if (dir != NULL)
		(void)closedir(dir);
}

/* Returns a connection with the client that TARGET means, or -1. */
static int
door_find(const char *target, struct cause *c)
{
	struct doors d = { .target = target, .fd = -1 };

	if ((d.folder = folder_new(c)) == NULL)
		return -1;
	buf_init(&d.list, 4096);
	doors_look(&d);
	if (d.alive > 1) {
		(void)cause_set(c, -ERR_AMBIGUOUS,
		    "which client? Name its host, or its process, with "
		    "-t:%s%s",
		    buf_cstr(&d.list), d.alive > DOOR_SHOWN ? "\n  ..." : "");
		close(d.fd);
		d.fd = -1;
	} else if (d.alive == 0 && d.ended > 0) {
		(void)cause_set(c, -ERR_NOTFOUND,
		    "the client of %s has ended without taking its socket "
		    "away, which is gone now",
		    target == NULL ? "another machine" : target);
	} else if (d.alive == 0 && target == NULL) {
		(void)cause_set(c, -ERR_NOTFOUND,
		    "no client here is attached to another machine; give this "
		    "command where the client runs");
	} else if (d.alive == 0) {
		d.target = NULL;
		doors_look(&d);
		(void)cause_set(c, -ERR_NOTFOUND,
		    "no client is attached to %s%s%s", target,
		    d.alive > 0 ? "; there are:" : "", buf_cstr(&d.list));
		if (d.fd >= 0)
			close(d.fd);
		d.fd = -1;
	}
	mem_free(d.folder);
	buf_fini(&d.list);
	return d.fd;
}

/* --- requests ------------------------------------------------------------------- */

typedef void (*door_row_fn)(const char *format, const struct door_answer *a);

/* Reads answers until the last one; returns 0, or -ERR_* with a cause. */
static int
door_answers(int fd, door_row_fn row, const char *format, struct cause *c)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	uint8_t in[DOOR_MESSAGE];
	struct door_answer a;
	ssize_t n;

	for (;;) {
		if (poll(&p, 1, DOOR_WAIT_MS) == 0)
			return cause_set(
			    c, -ERR_TIMEOUT, "the client does not answer");
		n = recv(fd, in, sizeof(in), 0);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return cause_set(
			    c, -ERR_CLOSED, "the client has ended");
		if (door_answer_get(&a, in, (size_t)n) != 0)
			return cause_set(c, -ERR_PEER,
			    "the client is another version of rmux");
		if (a.what == DOOR_ROW) {
			if (row != NULL)
				row(format, &a);
			continue;
		}
		if (a.failed)
			return cause_set(c, -ERR_SYS, "%s", a.text);
		if (*a.text != '\0')
			sys_complain(a.text);
		return 0;
	}
}

static int
door_ask(const char *target, const struct door_request *q, door_row_fn row,
    const char *format, struct cause *c)
{
	uint8_t out[DOOR_MESSAGE];
	struct wr w;
	int fd, e;

	if ((fd = door_find(target, c)) < 0)
		return -ERR_NOTFOUND;
	wr_init(&w, out, sizeof(out));
	door_request_put(&w, q);
	if (send(fd, out, wr_len(&w), MSG_NOSIGNAL) < 0)
		e = cause_set(c, -ERR_CLOSED, "the client has ended");
	else
		e = door_answers(fd, row, format, c);
	close(fd);
	return e;
}

/* --- the list ------------------------------------------------------------------- */

/* Writes the variable NAME of a row; false: there is none of that name. */
static bool
row_value(const char *name, size_t n, const struct door_answer *a)
{
	char listen[SSP_PLACE_TEXT] = "", connect[SSP_PLACE_TEXT] = "";
	char text[FORWARD_SPEC_TEXT], in[24], out[24], open[24];
	const char *place = strchr(forward_spec_text(&a->spec, text), ' ');
	const struct {
		const char *name, *value;
	} all[] = {
		{ "forward_kind", forward_kind_text(a->spec.kind) },
		{ "forward_place", place == NULL ? "" : place + 1 },
		{ "forward_listen", listen },
		{ "forward_connect", connect },
		{ "forward_connections", open },
		{ "forward_bytes_in", in },
		{ "forward_bytes_out", out },
	};
	size_t i;

	if (a->spec.kind != FORWARD_AGENT)
		(void)ssp_place_text(&a->spec.listen, listen);
	if (a->spec.kind != FORWARD_DYNAMIC)
		(void)ssp_place_text(&a->spec.connect, connect);
	snprintf(
	    open, sizeof(open), "%llu", (unsigned long long)a->connections);
	snprintf(in, sizeof(in), "%llu", (unsigned long long)a->in);
	snprintf(out, sizeof(out), "%llu", (unsigned long long)a->out);
	for (i = 0; i < ARRAY_LEN(all); i++)
		if (strlen(all[i].name) == n &&
		    strncmp(all[i].name, name, n) == 0) {
			fputs(all[i].value, stdout);
			return true;
		}
	return false;
}

/* Variables in #{}; formats of a server can more. */
static void
row_formatted(const char *format, const struct door_answer *a)
{
	const char *p, *end;

	for (p = format; *p != '\0'; p++) {
		end = p[0] == '#' && p[1] == '{' ? strchr(p, '}') : NULL;
		if (end == NULL) {
			(void)putchar(*p);
			continue;
		}
		(void)row_value(p + 2, (size_t)(end - p - 2), a);
		p = end;
	}
	(void)putchar('\n');
}

static void
row_print(const char *format, const struct door_answer *a)
{
	char text[FORWARD_SPEC_TEXT];

	if (format != NULL) {
		row_formatted(format, a);
		return;
	}
	printf("%s: %llu open, %llu bytes in, %llu bytes out\n",
	    forward_spec_text(&a->spec, text),
	    (unsigned long long)a->connections, (unsigned long long)a->in,
	    (unsigned long long)a->out);
}

/* --- the command line ----------------------------------------------------------- */

#define DOOR_SPECS 64

struct door_words {
	enum door_what what;
	const char *target; /* -t */
	const char *format; /* -F */
	bool all;           /* -a */
	struct forward_spec specs[DOOR_SPECS];
	size_t n;
};

static int
door_usage(void)
{
	fprintf(stderr,
	    "usage: rmux forward-add [-t host | pid] -A | -L | -R | -D "
	    "FORWARD | --follow-socket NAME=PATH ...\n"
	    "       rmux forward-cancel [-t host | pid] -a | -A | -L | -R | -D "
	    "FORWARD | --follow-socket NAME ...\n"
	    "       rmux forward-list [-F format] [-t host | pid]\n");
	return 1;
}

/* To cancel, the place where it listens is enough. */
static int
spec_parse(enum door_what what, enum forward_kind kind, const char *text,
    struct forward_spec *out, struct cause *c)
{
	char name[FORWARD_NAME_MAX + 4];
	struct cause inner = { NULL };
	int e = -1;

	if (kind == FORWARD_SOCKET) {
		/* To cancel, the name is enough. */
		snprintf(name, sizeof(name), "%s=/", text);
		return forward_socket_parse(
		    what == DOOR_CANCEL && strchr(text, '=') == NULL ? name
								     : text,
		    out, c);
	}
	if (what == DOOR_CANCEL && *text == '/' && strchr(text, ':') == NULL)
		e = forward_place_parse(text, &out->listen, &inner);
	else if (what == DOOR_CANCEL)
		e = forward_spec_parse(FORWARD_DYNAMIC, text, out, &inner);
	cause_fini(&inner);
	out->kind = kind;
	if (e == 0) {
		memset(&out->connect, 0, sizeof(out->connect));
		return 0;
	}
	return forward_spec_parse(kind, text, out, c);
}

/* Takes a forward; 0, -1: wrong use, or 1: told. */
static int
door_spec(struct door_words *w, enum forward_kind kind, const char *value)
{
	struct cause c = { NULL };
	int e;

	if (w->what == DOOR_LIST || w->n == DOOR_SPECS)
		return -1;
	e = spec_parse(w->what, kind, value, &w->specs[w->n], &c);
	if (e == 0)
		w->n++;
	else
		sys_complain(cause_text(&c));
	cause_fini(&c);
	return e == 0 ? 0 : 1;
}

/* Takes -A; as door_spec. */
static int
door_agent(struct door_words *w)
{
	struct forward_spec *s = &w->specs[w->n];
	const char *path = getenv("SSH_AUTH_SOCK");

	if (w->what == DOOR_LIST || w->n == DOOR_SPECS)
		return -1;
	memset(s, 0, sizeof(*s));
	s->kind = FORWARD_AGENT;
	s->connect.kind = SSP_PLACE_UNIX;
	w->n++;
	if (w->what == DOOR_CANCEL)
		return 0;
	if (path == NULL || *path != '/' ||
	    strlen(path) >= sizeof(s->connect.host)) {
		sys_complain("rmux: -A: SSH_AUTH_SOCK names no agent");
		return 1;
	}
	memcpy(s->connect.host, path, strlen(path) + 1);
	return 0;
}

/* Takes a flag with its VALUE; as door_spec. */
static int
door_flag(struct door_words *w, char letter, const char *value)
{
	switch (letter) {
	case 't':
		w->target = value;
		return 0;
	case 'F':
		w->format = value;
		return w->what == DOOR_LIST ? 0 : -1;
	case 'L':
		return door_spec(w, FORWARD_LOCAL, value);
	case 'R':
		return door_spec(w, FORWARD_REMOTE, value);
	case 'D':
		return door_spec(w, FORWARD_DYNAMIC, value);
	default:
		return -1;
	}
}

/* Returns the value of --follow-socket at ARGV[*i], or NULL. */
static const char *
long_value(const char *const *argv, size_t *i)
{
	static const char word[] = "--follow-socket";
	const size_t n = sizeof(word) - 1;

	if (strncmp(argv[*i], word, n) != 0)
		return NULL;
	if (argv[*i][n] == '=')
		return argv[*i] + n + 1;
	return argv[*i][n] == '\0' && argv[*i + 1] != NULL ? argv[++*i] : NULL;
}

static int
door_parse(struct door_words *w, const char *const *argv)
{
	const char *value;
	size_t i;
	int e;

	for (i = 1; argv[i] != NULL; i++) {
		if (argv[i][0] != '-' || argv[i][1] == '\0')
			return -1;
		if (strcmp(argv[i], "-a") == 0 && w->what == DOOR_CANCEL) {
			w->all = true;
			continue;
		}
		if (strcmp(argv[i], "-A") == 0) {
			e = door_agent(w);
			if (e != 0)
				return e;
			continue;
		}
		if (argv[i][1] == '-') {
			value = long_value(argv, &i);
			e = value == NULL ? -1
					  : door_spec(w, FORWARD_SOCKET, value);
			if (e != 0)
				return e;
			continue;
		}
		value = argv[i][2] != '\0' ? argv[i] + 2 : argv[i + 1];
		if (value == NULL)
			return -1;
		e = door_flag(w, argv[i][1], value);
		if (e != 0)
			return e;
		i += argv[i][2] == '\0';
	}
	/* What to add or to cancel must be said, and only once. */
	return w->what == DOOR_LIST || (w->n > 0) != w->all ? 0 : -1;
}

/* Returns the command of WORD, or 0. */
static enum door_what
door_word(const char *word)
{
	if (word != NULL && strcmp(word, "forward-add") == 0)
		return DOOR_ADD;
	if (word != NULL && strcmp(word, "forward-cancel") == 0)
		return DOOR_CANCEL;
	return word != NULL && strcmp(word, "forward-list") == 0
		   ? DOOR_LIST
		   : (enum door_what)0;
}

bool
door_is(const char *word)
{
	return door_word(word) != 0;
}

static int
door_request(const struct door_words *w, size_t i, struct cause *c)
{
	struct door_request q = { .what = w->what };

	if (w->what == DOOR_LIST)
		return door_ask(w->target, &q, row_print, w->format, c);
	if (w->all)
		q.what = DOOR_CANCEL_ALL;
	else
		q.spec = w->specs[i];
	return door_ask(w->target, &q, NULL, NULL, c);
}

int
door_run(const struct client_args *a)
{
	static struct door_words w;
	struct cause c = { NULL };
	size_t i;
	int r = 0;

	w.what = door_word(a->argv[0]);
	if ((r = door_parse(&w, a->argv)) != 0)
		return r < 0 ? door_usage() : 1;
	for (i = 0; i < MAX_OF(w.n, (size_t)1); i++) {
		if (door_request(&w, i, &c) == 0)
			continue;
		sys_complain(cause_text(&c));
		cause_fini(&c);
		r = 1;
	}
	cause_fini(&c);
	return r;
}
