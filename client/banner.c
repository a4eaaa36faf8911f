#include "client/banner.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "ssp/idle.h"

#define BANNER_ROWS 3u       /* of a long message */
#define BANNER_LINE_MAX 200u /* bytes of a line */

struct banner {
	const struct grapheme_table *gt;
	struct banner_link link;
	char quit[64];
	char message[BANNER_TEXT_MAX];
	mono_ms until; /* end of the message; 0: none */
	bool report;   /* the message is a report */
};

struct banner *
banner_new(const struct grapheme_table *gt, mono_ms now)
{
	struct banner *b = mem_zalloc(sizeof(*b));

	b->gt = gt;
	b->link.heard = b->link.acked = now;
	b->link.idle = SSP_IDLE_FIRST;
	str_copy(b->quit, "Ctrl-^ .", sizeof(b->quit));
	return b;
}

void
banner_free(struct banner *b)
{
	mem_free(b);
}

void
banner_set_quit(struct banner *b, const char *keys)
{
	str_copy(b->quit, keys, sizeof(b->quit));
}

void
banner_link(struct banner *b, const struct banner_link *link)
{
	b->link = *link;
}

void
banner_message(struct banner *b, mono_ms now, mono_ms ms, const char *text)
{
	str_printable(b->message, sizeof(b->message), text, strlen(text),
	    BANNER_LINE_MAX);
	b->until = mono_add(now, ms);
	b->report = false;
}

void
banner_report(struct banner *b, mono_ms now, mono_ms ms, const char *lines)
{
	size_t n, used = 0, size = sizeof(b->message);

	/* str_printable needs 16 bytes. */
	for (; *lines != '\0' && size - used > 17; lines += n) {
		if (used > 0)
			b->message[used++] = '\n';
		n = strcspn(lines, "\n");
		used += str_printable(
		    b->message + used, size - used, lines, n, BANNER_LINE_MAX);
		n += lines[n] == '\n';
	}
	b->message[used] = '\0';
	b->until = mono_add(now, ms);
	b->report = true;
}

void
banner_clear(struct banner *b)
{
	b->until = 0;
	b->message[0] = '\0';
}

static bool
banner_has_message(const struct banner *b, mono_ms now)
{
	return now < b->until && b->message[0] != '\0';
}

/*
 * Returns the silence to allow. An idle link sends a heartbeat after the silence
 * that the server has announced; a peer with an open request answers at once.
 */
static mono_ms
banner_patience(const struct banner *b)
{
	mono_ms asked, idle = b->link.idle + BANNER_LATE_MS;

	if (!b->link.waiting)
		return idle;
	asked = mono_until(b->link.heard, b->link.asked) + BANNER_ANSWER_MS;
	return CLAMP(asked, (mono_ms)BANNER_ASKED_MS, idle);
}

static bool
banner_contact_late(const struct banner *b, mono_ms now)
{
	return mono_until(b->link.heard, now) > banner_patience(b);
}

/*
 * Returns since when an answer is due: not before the first unanswered request.
 */
static mono_ms
banner_due(const struct banner *b)
{
	return MAX_OF(b->link.acked, b->link.asked);
}

static bool
banner_reply_late(const struct banner *b, mono_ms now)
{
	return b->link.waiting &&
	       mono_until(banner_due(b), now) > BANNER_REPLY_MS;
}

/* "7 seconds" or, if BRIEF, "7 s"; "1:02", "2:00:00". */
static void
banner_duration(char *out, size_t size, mono_ms ms, bool brief)
{
	unsigned long long s = ms / 1000;

	if (s < 60 && brief)
		snprintf(out, size, "%llu s", s);
	else if (s < 60)
		snprintf(out, size, "%llu second%s", s, s == 1 ? "" : "s");
	else if (s < 3600)
		snprintf(out, size, "%llu:%02llu", s / 60, s % 60);
	else
		snprintf(out, size, "%llu:%02llu:%02llu", s / 3600, s / 60 % 60,
		    s % 60);
}

/* Words around the silence and the keys that quit, longest form first. */
static const struct banner_form {
	const char *before; /* "contact" or "reply" and how long */
	const char *after;
	const char *quit; /* before the keys */
	bool brief;       /* the time in its short form */
	bool one;         /* only the first of several keys */
} banner_forms[] = {
	{ "rmux: last ", " ago.", "[To quit: ", false, false },
	{ "rmux: last ", " ago.", "[To quit: ", true, false },
	{ "rmux: last ", " ago.", "[To quit: ", true, true },
	{ "last ", " ago.", "[quit: ", true, true },
	{ "last ", "", "[quit: ", true, true },
	{ "no ", "", "[", true, true },
};

struct banner_words {
	char text[BANNER_TEXT_MAX + 96];
	char quit[96];
};

/* Fills W in a form; false: there is nothing to show. */
static bool
banner_words(const struct banner *b, mono_ms now, const struct banner_form *f,
    struct banner_words *w)
{
	bool contact = banner_contact_late(b, now);
	bool reply = banner_reply_late(b, now);
	const char *what = contact ? "contact" : "reply";
	char time[32];

	if (!contact && !reply && !banner_has_message(b, now))
		return false;
	/* Contact without replies: the path to the server is dead. */
	banner_duration(time, sizeof(time),
	    mono_until(contact ? b->link.heard : banner_due(b), now), f->brief);
	if (!banner_has_message(b, now))
		snprintf(w->text, sizeof(w->text), "%s%s %s%s", f->before, what,
		    time, f->after);
	else if (contact || reply)
		snprintf(w->text, sizeof(w->text), "rmux: %s (%s without %s.)",
		    b->message, time, what);
	else
		snprintf(w->text, sizeof(w->text), "rmux: %s", b->message);
	w->quit[0] = '\0';
	if (b->quit[0] != '\0')
		snprintf(w->quit, sizeof(w->quit), "%s%.*s]", f->quit,
		    (int)strcspn(b->quit, f->one ? ";" : ""), b->quit);
	return true;
}

/*
 * Returns how many bytes of TEXT's first line fit in a row of COLS: whole
 * words, or the first one if it is longer than a row.
 */
static size_t
banner_row(const struct banner *b, const char *text, unsigned cols)
{
	size_t n, len = strcspn(text, "\n");
	size_t fits = 0;

	for (n = 1; n <= len; n++)
		if (n == len || text[n] == ' ') {
			if (grapheme_text_width(b->gt, text, n) > cols)
				break;
			fits = n;
		}
	return fits == 0 ? MIN_OF(n, len) : fits;
}

/* Returns the start of the next row if N bytes of TEXT are in this one. */
static const char *
banner_next(const char *text, size_t n)
{
	text += n;
	text += strspn(text, " ");
	return *text == '\n' ? text + 1 : text;
}

/* Returns how many rows of COLS both parts of W need. */
static unsigned
banner_needs(
    const struct banner *b, const struct banner_words *w, unsigned cols)
{
	char all[sizeof(*w)];
	const char *text = all;
	unsigned rows = 0;

	snprintf(all, sizeof(all), "%s %s", w->text, w->quit);
	all[strlen(all) - (w->quit[0] == '\0')] = '\0';
	for (; *text != '\0'; rows++)
		text = banner_next(text, banner_row(b, text, cols));
	return rows;
}

/* Joins the lines of a report if they fit in one row of COLS. */
static void
banner_join(const struct banner *b, unsigned cols, struct banner_words *w)
{
	struct banner_words one = *w;
	const char *p;
	size_t n = 0;

	for (p = w->text; *p != '\0'; p++) {
		if (n + 3 > sizeof(one.text))
			return;
		if (*p == '\n')
			one.text[n++] = ',';
		one.text[n++] = *p == '\n' ? ' ' : *p;
	}
	one.text[n] = '\0';
	if (banner_needs(b, &one, cols) == 1)
		*w = one;
}

/*
 * Chooses the longest form that fits: a silence in one row, a message in ROWS.
 * The shortest form may be too long.
 */
static bool
banner_choose(const struct banner *b, mono_ms now, unsigned cols, unsigned rows,
    struct banner_words *w)
{
	size_t i;

	if (!banner_has_message(b, now))
		rows = 1;
	for (i = 0; i < ARRAY_LEN(banner_forms); i++) {
		if (!banner_words(b, now, &banner_forms[i], w))
			return false;
		if (b->report)
			banner_join(b, cols, w);
		if (banner_needs(b, w, cols) <= rows)
			break;
	}
	return true;
}

/*
 * Takes as few rows as the text needs, up to BANNER_ROWS, a report up to half
 * of the screen if that is more. A longer text loses its end, and the keys that
 * quit end the last row.
 */
struct vt_frame *
banner_overlay(
    const struct banner *b, mono_ms now, const struct vt_frame *screen)
{
	const struct pen pen = { colour_index(7), colour_index(4),
		COLOUR_DEFAULT, PEN_BOLD };
	const unsigned rows = MIN_OF(
	    b->report ? MAX_OF(BANNER_ROWS, screen->rows / 2u) : BANNER_ROWS,
	    (unsigned)screen->rows);
	const unsigned cols = screen->cols;
	struct vt_rect row = { 0, 0, screen->cols, 1 };
	struct banner_words w;
	char space[sizeof(w)];
	const char *text = space;
	struct vt_frame *f;
	unsigned y, left, quit;
	bool cut;
	size_t n;

	if (!banner_choose(b, now, cols, rows, &w))
		return vt_frame_ref(screen);
	cut = banner_needs(b, &w, cols) > rows;
	snprintf(space, sizeof(space), "%s%s%s", w.text,
	    cut || w.quit[0] == '\0' ? "" : " ", cut ? "" : w.quit);
	quit = (unsigned)grapheme_text_width(b->gt, w.quit, strlen(w.quit));
	quit = MIN_OF(cols, quit);
	f = vt_frame_clone(screen);
	for (y = 0; y < rows && (*text != '\0' || cut); y++) {
		row.top = y;
		row.bottom = y + 1;
		vt_line_reset(NULL, vt_frame_own(f, y));
		vt_frame_fill(f, &row, &pen);
		left = cut && y + 1 == rows ? cols - quit : cols;
		n = left == 0 ? 0 : banner_row(b, text, left);
		vt_frame_text(f, b->gt, 0, y, left, text, n, &pen);
		if (cut && y + 1 == rows)
			vt_frame_text(f, b->gt, left, y, cols, w.quit,
			    strlen(w.quit), &pen);
		if (f->state.y == y)
			f->state.modes &= ~(uint32_t)VT_FRAME_CURSOR_VISIBLE;
		text = banner_next(text, n);
	}
	return f;
}

/*
 * Returns when the text changes for a span that began at FROM and is shown from
 * LATE on.
 */
static mono_ms
banner_tick(mono_ms now, mono_ms from, mono_ms late)
{
	mono_ms age = mono_until(from, now);
	mono_ms step =
	    age >= BANNER_SLOW_FROM_MS ? BANNER_SLOW_MS : BANNER_TICK_MS;

	if (age <= late)
		return mono_add(from, late + 1);
	return mono_add(from, (age / step + 1) * step);
}

mono_ms
banner_deadline(const struct banner *b, mono_ms now)
{
	mono_ms t = banner_tick(now, b->link.heard, banner_patience(b));

	if (b->link.waiting)
		t = mono_min(
		    t, banner_tick(now, banner_due(b), BANNER_REPLY_MS));
	if (banner_has_message(b, now))
		t = mono_min(t, b->until);
	return t;
}
