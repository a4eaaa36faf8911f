/*
 * Pastes.  A short one is sent as a whole when its end has come.  A long one is
 * sent in pieces, as the server takes them; meanwhile the client goes on
 * reading the terminal into a spool, so that it sees Escape, which stops the
 * paste, and keeps back all other input.
 */
#include <stdio.h>

#include "base/mem.h"
#include "client/attach_int.h"
#include "client/spool.h"
#include "client/term/out.h"
#include "mux/sync/input.h"
#include "mux/sync/view.h"

#define PASTE_WHOLE (1u << 20)  /* bytes of a short one */
#define PASTE_PIECE (16u << 10) /* bytes of a piece */
#define PASTE_FEWEST 4u         /* pieces on their way, at the beginning */
#define PASTE_QUICK_MS 400      /* a piece this quick: more on their way */
#define PASTE_SLOW_MS 1000      /* this slow: fewer, for Escape's sake */
#define PASTE_TELL_AFTER_MS 500 /* until progress is shown */
#define PASTE_TELL_EVERY_MS 250
#define PASTE_SAID_MS 3000

void
attach_paste_init(struct attach *a)
{
	buf_init(&a->paste.whole, SYNC_INPUT_BYTES_MAX);
	if (a->cfg.confined)
		a->paste.spool = spool_new(NULL);
}

void
attach_paste_fini(struct attach *a)
{
	spool_free(a->paste.spool);
	sync_input_free(a->paste.behind);
	buf_fini(&a->paste.whole);
}

/* --- progress --------------------------------------------------------------- */

/* Writes bytes for people: "12.3 MB". */
static void
megabytes(uint64_t n, char *out, size_t size)
{
	snprintf(out, size, "%llu.%llu MB", (unsigned long long)(n / 1000000),
	    (unsigned long long)(n / 100000 % 10));
}

static void
tell_progress(struct attach *a)
{
	struct attach_paste *ps = &a->paste;
	mono_ms now = loop_now(a->cfg.loop);
	char text[BANNER_TEXT_MAX], sent[32], all[32];

	if (now - ps->began < PASTE_TELL_AFTER_MS ||
	    now - ps->told < PASTE_TELL_EVERY_MS)
		return;
	ps->told = now;
	megabytes(ps->sent, sent, sizeof(sent));
	megabytes(ps->got, all, sizeof(all));
	snprintf(text, sizeof(text), "pasting: %s of %s%s, Escape stops", sent,
	    ps->ended ? "" : "more than ", all);
	attach_banner_open(a);
	attach_say(a, MONO_NEVER, text);
}

/* Ends the display of progress with TEXT, or at once. */
static void
tell_end(struct attach *a, const char *text)
{
	if (a->paste.told == 0 && text == NULL)
		return;
	attach_banner_open(a);
	if (text != NULL)
		attach_say(a, PASTE_SAID_MS, text);
	else {
		banner_clear(a->banner);
		attach_banner(a);
	}
	a->paste.told = 0;
}

/* --- in pieces --------------------------------------------------------------- */

static void
stream_begin(struct attach *a)
{
	struct attach_paste *ps = &a->paste;

	ps->streams = true;
	ps->begun = ps->ended = false;
	ps->npieces = 0;
	ps->window = PASTE_FEWEST;
	ps->got = ps->whole.len;
	ps->sent = 0;
	ps->began = loop_now(a->cfg.loop);
	ps->told = 0;
	if (ps->spool == NULL)
		ps->spool = spool_new(NULL);
	spool_add(ps->spool, ps->whole.data, ps->whole.len);
	buf_fini(&ps->whole);
	buf_init(&ps->whole, SYNC_INPUT_BYTES_MAX);
	ps->behind = sync_input_new();
}

/* The last piece is in the log: what was typed meanwhile follows. */
static void
stream_end(struct attach *a, const char *text)
{
	struct attach_paste *ps = &a->paste;
	const struct sync_event *ev;
	uint64_t i;

	ps->streams = false;
	spool_clear(ps->spool);
	for (i = sync_input_first(ps->behind);
	     (ev = sync_input_get(ps->behind, i)) != NULL; i++)
		if (sync_input_append(attach_log(a), ev) != 0)
			term_out_raw(a->out, "\a", 1);
	sync_input_free(ps->behind);
	ps->behind = NULL;
	tell_end(a, text);
}

static void
stream_stop(struct attach *a)
{
	struct attach_paste *ps = &a->paste;
	char text[64], sent[32];

	megabytes(ps->sent, sent, sizeof(sent));
	snprintf(text, sizeof(text), "the paste was stopped after %s", sent);
	if (ps->begun)
		(void)sync_input_data(attach_log(a), SYNC_PASTE,
		    SYNC_PASTE_END | SYNC_PASTE_STOP, "", 0);
	stream_end(a, text);
	/* The terminal may not have sent all of it. */
	ps->dropped = !ps->ended;
}

/* Takes note of the pieces that the server has handed on. */
static void
stream_taken(struct attach *a, uint64_t pasted)
{
	struct attach_paste *ps = &a->paste;
	mono_ms took;
	unsigned n = 0;

	while (n < ps->npieces && ps->pieces[n].index <= pasted) {
		took = loop_now(a->cfg.loop) - ps->pieces[n++].at;
		if (took < PASTE_QUICK_MS)
			ps->window =
			    MIN_OF(ps->window + 1, (unsigned)ATTACH_PIECES);
		else if (took > PASTE_SLOW_MS)
			ps->window = MAX_OF(ps->window - 1, PASTE_FEWEST);
	}
	ps->npieces -= n;
	memmove(
	    ps->pieces, ps->pieces + n, ps->npieces * sizeof(ps->pieces[0]));
}

/* Sends a piece; returns whether it was one. */
static bool
stream_piece(struct attach *a)
{
	struct attach_paste *ps = &a->paste;
	struct sync_input *in = attach_log(a);
	uint8_t bytes[PASTE_PIECE];
	uint32_t flags = 0;
	size_t n;

	if (ps->npieces >= ps->window ||
	    (spool_len(ps->spool) < (ps->ended ? 0 : PASTE_PIECE)))
		return false;
	n = spool_take(ps->spool, bytes, sizeof(bytes));
	if (!ps->begun)
		flags |= SYNC_PASTE_BEGIN | SYNC_PASTE_STREAM;
	if (ps->ended && spool_len(ps->spool) == 0)
		flags |= SYNC_PASTE_END;
	(void)sync_input_data(in, SYNC_PASTE, flags, bytes, n);
	mem_wipe(bytes, n);
	ps->begun = true;
	ps->sent += n;
	ps->pieces[ps->npieces].index = sync_input_end(in) - 1;
	ps->pieces[ps->npieces++].at = loop_now(a->cfg.loop);
	if (flags & SYNC_PASTE_END)
		stream_end(a, NULL);
	return true;
}

void
attach_paste_pump(struct attach *a)
{
	const struct sync_view *v = ssp_transport_remote(a->cfg.tp, NULL);
	struct attach_paste *ps = &a->paste;
	bool sent = false;

	if (!ps->streams)
		return;
	if (v->pasted == 0) {
		stream_stop(a);
		return;
	}
	stream_taken(a, v->pasted);
	while (ps->streams && stream_piece(a))
		sent = true;
	if (ps->streams)
		tell_progress(a);
	if (sent)
		attach_changed(a);
}

void
attach_paste_lost(struct attach *a)
{
	buf_clear(&a->paste.whole);
	if (!a->paste.streams)
		return;
	a->paste.begun = false;
	stream_stop(a);
}

bool
attach_paste_full(const struct attach *a)
{
	return a->paste.streams && spool_full(a->paste.spool);
}

bool
attach_paste_holds(struct attach *a, const struct term_event *ev)
{
	struct attach_paste *ps = &a->paste;
	int r = 0;

	if (!ps->streams)
		return false;
	switch (ev->kind) {
	case TERM_TEXT:
		r = sync_input_text(ps->behind, ev->cp);
		break;
	case TERM_KEY:
		if (ev->key.key == KEY_ESCAPE && ev->key.type == KEY_PRESS) {
			stream_stop(a);
			return true;
		}
		r = sync_input_key(ps->behind, &ev->key);
		break;
	case TERM_MOUSE:
		r = sync_input_mouse(ps->behind, &ev->mouse);
		break;
	default:
		return false;
	}
	if (r != 0)
		term_out_raw(a->out, "\a", 1);
	return true;
}

/* --- the terminal's events ---------------------------------------------------- */

/* The end of a paste that has waited in `whole`. */
static void
whole_end(struct attach *a)
{
	struct attach_paste *ps = &a->paste;
	struct sync_input *in = ps->streams ? ps->behind : attach_log(a);
	struct buf *b = &ps->whole;

	if (b->overflow || sync_input_paste(in, b->data, b->len) != 0) {
		term_out_raw(a->out, "\a", 1);
		tell_end(a,
		    ps->streams
			? "a paste is on its way: paste again when it is there"
			: "this paste is too long for the server");
	} else if (a->echo != NULL && !ps->streams)
		local_echo_paste(a->echo, loop_now(a->cfg.loop), b->data,
		    b->len, sync_input_end(in) - 1);
	buf_clear(b);
}

void
attach_paste_event(struct attach *a, const struct term_event *ev)
{
	const struct sync_view *v = ssp_transport_remote(a->cfg.tp, NULL);
	struct attach_paste *ps = &a->paste;

	if (ev->begin) {
		buf_clear(&ps->whole);
		ps->dropped = false;
		/* One that follows a stream waits in `behind`. */
		ps->second = ps->streams;
	}
	if (ps->dropped)
		return;
	if (ps->streams && !ps->second) {
		spool_add(ps->spool, ev->data, ev->len);
		ps->got += ev->len;
		ps->ended = ev->end;
		attach_paste_pump(a);
		return;
	}
	(void)buf_add(&ps->whole, ev->data, ev->len);
	if (ev->end)
		whole_end(a);
	else if (ps->whole.len > PASTE_WHOLE && !ps->streams && !ps->second &&
		 v->pasted != 0)
		stream_begin(a);
}
