#include "server/io/pane_feed.h"

#include "base/mem.h"
#include "mux/vt/input_encode.h"
#include "mux/window.h"
#include "server/io/pane_input.h"
#include "server/io/pane_io.h"

/* Bytes in the pane's own queue while more wait here. */
#define FEED_QUEUE (64u << 10)

struct pane_feed {
	struct pane_tap tap; /* tells when the program has read */
	struct pane_io *io;  /* NULL: the program is gone */
	struct vt_paste paste;
	struct buf waits;
	bool pushing;
	void (*room)(void *arg);
	void *arg;
};

static void
feed_bytes(UNUSED struct pane_tap *t, UNUSED const void *bytes, UNUSED size_t n)
{
}

static bool
feed_full(UNUSED const struct pane_tap *t)
{
	return false;
}

/* Hands on what fits into the pane's queue; ALL: everything. */
static int
feed_push(struct pane_feed *f, bool all)
{
	size_t n;
	int r = 0;

	if (f->io == NULL || f->io->fd < 0)
		return -ERR_CLOSED;
	if (f->pushing)
		return 0;
	f->pushing = true;
	while (r == 0 && f->waits.len > 0 &&
	       (all || f->io->input.len < FEED_QUEUE)) {
		n = all ? f->waits.len
			: MIN_OF(f->waits.len, (size_t)PANE_WRITE);
		r = pane_io_write(f->io, f->waits.data, n);
		buf_consume(&f->waits, n);
	}
	f->pushing = false;
	return r;
}

static void
feed_room(struct pane_tap *t)
{
	struct pane_feed *f = container_of(t, struct pane_feed, tap);
	bool full = !pane_feed_room(f);

	if (feed_push(f, false) == -ERR_CLOSED)
		buf_clear(&f->waits);
	if (full && pane_feed_room(f))
		f->room(f->arg);
}

static void
feed_closed(struct pane_tap *t)
{
	struct pane_feed *f = container_of(t, struct pane_feed, tap);

	pane_io_untap(f->io, t);
	f->io = NULL;
	buf_clear(&f->waits);
	f->room(f->arg);
}

struct pane_feed *
pane_feed_new(
    struct pane_ios *ps, struct pane *p, void (*room)(void *arg), void *arg)
{
	struct pane_io *io = pane_input_open(ps, p);
	struct vt_input_modes m;
	struct pane_feed *f;

	if (io == NULL)
		return NULL;
	f = mem_zalloc(sizeof(*f));
	f->io = io;
	f->room = room;
	f->arg = arg;
	buf_init(&f->waits, PANE_FEED_MAX);
	buf_secret(&f->waits, true);
	pane_input_modes(ps, p, &m);
	(void)vt_paste_begin(&f->paste, &f->waits, &m, 0);
	f->tap = (struct pane_tap){ .bytes = feed_bytes,
		.full = feed_full,
		.room = feed_room,
		.closed = feed_closed };
	pane_io_tap(io, &f->tap);
	return f;
}

void
pane_feed_free(struct pane_feed *f)
{
	if (f == NULL)
		return;
	if (f->io != NULL)
		pane_io_untap(f->io, &f->tap);
	buf_fini(&f->waits);
	mem_free(f);
}

bool
pane_feed_room(const struct pane_feed *f)
{
	return f->waits.len < PANE_FEED_ROOM;
}

int
pane_feed_add(struct pane_feed *f, const void *bytes, size_t n)
{
	int r;

	if (f->io == NULL)
		return -ERR_CLOSED;
	r = vt_paste_add(&f->paste, &f->waits, bytes, n);
	return r != 0 ? r : feed_push(f, false);
}

int
pane_feed_end(struct pane_feed *f, bool stopped)
{
	if (f->io == NULL)
		return -ERR_CLOSED;
	if (stopped) {
		buf_clear(&f->waits);
		f->paste.npart = 0;
	}
	(void)vt_paste_end(&f->paste, &f->waits);
	return feed_push(f, true);
}

void
pane_feed_stop(struct pane_feed *f)
{
	if (f != NULL)
		(void)pane_feed_end(f, true);
	pane_feed_free(f);
}
