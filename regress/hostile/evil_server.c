/*
 * A server that a client must not obey: it answers every command with the
 * orders of its command line.
 *
 * usage: evil_server SOCKET USER-ID ORDER...
 *
 * It listens at SOCKET, changes to USER-ID, prints the names of the client's
 * environment variables, one a line after "env ", then sends the orders:
 * open:MODE:PATH (0 reads, 1 writes, 2 appends), exec:COMMAND, lock:COMMAND,
 * detach, exit.  For each answer of the client it prints a line: "opened CODE",
 * "data BYTES" or "signal".
 */
#include <sys/socket.h>

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/io/sock.h"
#include "base/mem.h"
#include "mux/sync/control.h"

static void
send_all(int fd, struct buf *b)
{
	ssize_t n;

	while (b->len > 0) {
		n = write(fd, b->data, b->len);
		if (n > 0)
			buf_consume(b, (size_t)n);
		else if (poll(&(struct pollfd){ fd, POLLOUT, 0 }, 1, 1000) <= 0)
			exit(1);
	}
}

static struct control_str
text_of(const char *s)
{
	return (struct control_str){ s, strlen(s) };
}

/* Appends one order of the command line. */
static void
order(const char *word, uint64_t id, struct buf *out)
{
	struct control_msg m = { .id = id };

	if (strncmp(word, "open:", 5) == 0) {
		m.type = CONTROL_OPEN;
		m.has = CONTROL_HAS_ID | CONTROL_HAS_CODE | CONTROL_HAS_TEXT;
		m.code = word[5] - '0';
		m.text = text_of(word + 7);
	} else if (strncmp(word, "exec:", 5) == 0) {
		m.type = CONTROL_EXEC;
		m.has = CONTROL_HAS_TEXT;
		m.text = text_of(word + 5);
	} else if (strncmp(word, "lock:", 5) == 0) {
		m.type = CONTROL_LOCK;
		m.has = CONTROL_HAS_TEXT;
		m.text = text_of(word + 5);
	} else {
		m.type =
		    strcmp(word, "detach") == 0 ? CONTROL_DETACH : CONTROL_EXIT;
		m.has = CONTROL_HAS_CODE;
		m.code = m.type == CONTROL_DETACH; /* 1: hang up the parent */
	}
	if (control_encode(&m, out) != 0)
		exit(1);
}

static void
print_answer(struct control_msg *m)
{
	struct control_str s;

	switch (m->type) {
	case CONTROL_HELLO:
		while (control_list_next(&m->envlist, &s))
			printf("env %.*s\n", (int)strcspn(s.p, "="), s.p);
		break;
	case CONTROL_OPENED:
		printf("opened %lld\n", (long long)m->code);
		break;
	case CONTROL_DATA:
		printf("data %zu\n", m->data_len);
		break;
	case CONTROL_SIGNAL:
		printf("signal\n");
		break;
	default:
		break;
	}
	fflush(stdout);
}

/* Serves one client until it hangs up. */
static void
serve(int fd, char **orders)
{
	struct control_msg m;
	struct buf in, out;
	size_t used;
	uint64_t id = 0;
	uint8_t *p;
	ssize_t n;

	buf_init(&in, CONTROL_MESSAGE_MAX + 131072);
	buf_init(&out, CONTROL_MESSAGE_MAX);
	while (poll(&(struct pollfd){ fd, POLLIN, 0 }, 1, 20000) > 0) {
		if (buf_reserve(&in, 65536, &p) != 0 ||
		    (n = read(fd, p, 65536)) <= 0)
			break;
		buf_commit(&in, (size_t)n);
		while (control_decode(in.data, in.len, &m, &used) == 0) {
			print_answer(&m);
			if (m.type == CONTROL_COMMAND)
				for (; *orders != NULL; orders++)
					order(*orders, ++id, &out);
			buf_consume(&in, used);
		}
		send_all(fd, &out);
	}
	buf_fini(&in);
	buf_fini(&out);
	close(fd);
}

int
main(int argc, char **argv)
{
	struct cause c = { NULL };
	int listener, lock, fd;

	if (argc < 4 || sock_listen(argv[1], &listener, &lock, &c) != 0 ||
	    (atoi(argv[2]) != (int)getuid() &&
		(chown(argv[1], (uid_t)atoi(argv[2]), (gid_t)-1) != 0 ||
		    setuid((uid_t)atoi(argv[2])) != 0))) {
		fprintf(stderr, "evil_server: %s\n",
		    c.text == NULL ? "no arguments" : cause_text(&c));
		return 1;
	}
	/* The credentials of the socket are those of its last listen. */
	if (listen(listener, 8) != 0)
		return 1;
	printf("listening\n");
	fflush(stdout);
	while (poll(&(struct pollfd){ listener, POLLIN, 0 }, 1, 60000) > 0)
		if (sock_accept(listener, &fd) == 0)
			serve(fd, argv + 3);
	return 0;
}
