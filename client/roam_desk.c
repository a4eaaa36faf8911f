/*
 * Questions of the desk: the client asks them at the user's terminal. security:
 * the server cannot ask or answer; the keys of an answer follow the escape key,
 * so that nobody says yes by typing to a program.
 */
#include <sys/socket.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/io/fdpass.h"
#include "base/io/sys.h"
#include "base/mem.h"
#include "client/desk/desk.h"
#include "client/roam_int.h"

#define DESK_ASKS 8       /* questions that wait */
#define DESK_SHOW_MS 2000 /* another message may have hidden the question */

#ifndef MSG_NOSIGNAL
# define MSG_NOSIGNAL 0
#endif

struct desk_wait {
	struct roam_desk *desk;
	int fd;
	unsigned what;
	char text[DESK_ASK_TEXT];
	struct loop_io *io; /* the asker may give up */
	mono_ms until;
};

struct roam_desk {
	struct roam *r;
	int fd;
	struct loop_io *io;
	struct loop_timer *timer;
	struct desk_wait *asks[DESK_ASKS]; /* the first is shown */
	unsigned n;
	unsigned always; /* kinds that need no question any more */
};

static void
desk_say(int fd, char said)
{
	(void)send(fd, &said, 1, MSG_NOSIGNAL | MSG_DONTWAIT);
}

/* Shows the first question, or nothing. */
static void
desk_show(struct roam_desk *k)
{
	char text[DESK_ASK_TEXT + 128];
	mono_ms now = loop_now(k->r->loop);

	if (k->r->attach == NULL)
		return;
	if (k->n == 0) {
		attach_question(k->r->attach, NULL);
		loop_timer_set(k->timer, MONO_NEVER);
		return;
	}
	/* The keys come first: a narrow terminal cuts the end. */
	(void)snprintf(text, sizeof(text),
	    "Ctrl-^ y yes, a always, n no: %.64s %s",
	    k->r->cfg->ssh.target.login, k->asks[0]->text);
	attach_question(k->r->attach, text);
	loop_timer_set(
	    k->timer, MIN_OF(mono_add(now, DESK_SHOW_MS), k->asks[0]->until));
}

static void
desk_drop(struct roam_desk *k, unsigned i)
{
	struct desk_wait *w = k->asks[i];

	loop_io_del(w->io);
	(void)close(w->fd);
	mem_free(w);
	k->n--;
	memmove(&k->asks[i], &k->asks[i + 1], (k->n - i) * sizeof(k->asks[0]));
}

/* The asker never writes: it has ended. */
static void
desk_gone(void *arg, UNUSED int fd, UNUSED unsigned events)
{
	struct desk_wait *w = arg;
	struct roam_desk *k = w->desk;
	unsigned i;

	for (i = 0; i < k->n; i++)
		if (k->asks[i] == w) {
			desk_drop(k, i);
			break;
		}
	desk_show(k);
}

static void
desk_due(void *arg)
{
	struct roam_desk *k = arg;
	const mono_ms now = loop_now(k->r->loop);
	unsigned i = 0;

	while (i < k->n) {
		if (now < k->asks[i]->until) {
			i++;
			continue;
		}
		desk_say(k->asks[i]->fd, DESK_SAID_LATE);
		desk_drop(k, i);
	}
	desk_show(k);
}

/* A question, whose asker waits at FD, which becomes ours. */
static void
desk_asked(struct roam_desk *k, const struct desk_ask *q, int fd)
{
	struct desk_wait *w;
	char said = 0;
	size_t i;

	if (q->what > DESK_PASTE || k->n == DESK_ASKS)
		said = DESK_SAID_NO;
	else if (k->always & (1u << q->what))
		said = DESK_SAID_YES;
	else if (k->r->attach == NULL)
		said = DESK_SAID_NOBODY;
	if (said != 0) {
		desk_say(fd, said);
		(void)close(fd);
		return;
	}
	w = mem_zalloc(sizeof(*w));
	w->desk = k;
	w->fd = fd;
	w->what = q->what;
	w->until = mono_add(loop_now(k->r->loop), DESK_ASK_MS);
	for (i = 0; i < sizeof(w->text) - 1 && q->text[i] != '\0'; i++)
		w->text[i] = q->text[i];
	w->io = loop_io_add(k->r->loop, fd, LOOP_READ, desk_gone, w);
	k->asks[k->n++] = w;
	desk_show(k);
}

static void
desk_readable(void *arg, int from, UNUSED unsigned events)
{
	struct roam_desk *k = arg;
	struct desk_ask q;
	size_t nfds;
	ssize_t n;
	int fd;

	n = fdpass_recv(from, &q, sizeof(q), &fd, 1, &nfds, MSG_DONTWAIT);
	if (n < 0 && errno == EAGAIN)
		return;
	if (n == 0 || n < 0) {
		loop_io_del(k->io);
		k->io = NULL;
		return;
	}
	if (nfds == 0)
		return;
	if (n == (ssize_t)sizeof(q))
		desk_asked(k, &q, fd);
	else
		(void)close(fd);
}

void
roam_desk_answer(struct roam *r, char key)
{
	struct roam_desk *k = r->desk;
	unsigned what, i = 0;

	if (k == NULL || k->n == 0)
		return;
	what = k->asks[0]->what;
	if (key == 'a')
		k->always |= 1u << what;
	desk_say(k->asks[0]->fd, key == 'n' ? DESK_SAID_NO : DESK_SAID_YES);
	desk_drop(k, 0);
	while (key == 'a' && i < k->n) {
		if (k->asks[i]->what != what) {
			i++;
			continue;
		}
		desk_say(k->asks[i]->fd, DESK_SAID_YES);
		desk_drop(k, i);
	}
	desk_show(k);
}

void
roam_desk_open(struct roam *r)
{
	const int fd = launch_desk(r->launch);
	struct roam_desk *k;

	if (fd < 0)
		return;
	k = r->desk = mem_zalloc(sizeof(*k));
	k->r = r;
	k->fd = fd;
	k->timer = loop_timer_new(r->loop, desk_due, k);
	k->io = loop_io_add(r->loop, fd, LOOP_READ, desk_readable, k);
}

void
roam_desk_close(struct roam *r)
{
	struct roam_desk *k = r->desk;

	if (k == NULL)
		return;
	while (k->n > 0) {
		desk_say(k->asks[0]->fd, DESK_SAID_NOBODY);
		desk_drop(k, 0);
	}
	loop_io_del(k->io);
	loop_timer_free(k->timer);
	(void)close(k->fd);
	mem_free(k);
	r->desk = NULL;
}
