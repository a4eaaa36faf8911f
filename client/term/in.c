#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "client/term/in_int.h"

/*
 * The decoder collects bytes in a buffer and takes one sequence at a time from
 * its front. An incomplete sequence stays until its time is up; then it is
 * decoded as it is (ESC is the Escape key, ESC [ is M-[).
 */

/* An unterminated string (OSC, DCS, ...) is dropped after this time. */
#define TERM_IN_STRING_MS 2000

struct term_in *
term_in_new(term_in_fn fn, void *arg)
{
	struct term_in *in;

	in = mem_zalloc(sizeof(*in));
	in->fn = fn;
	in->arg = arg;
	in->escape_time = 10;
	in->deadline = MONO_NEVER;
	buf_init(&in->buf, TERM_IN_MAX);
	return in;
}

void
term_in_free(struct term_in *in)
{
	if (in == NULL)
		return;
	if (in->buf.len > 0)
		mem_wipe(in->buf.data, in->buf.len);
	buf_fini(&in->buf);
	mem_free(in->user);
	mem_free(in);
}

void
term_in_set_pixels(struct term_in *in, const uint16_t size[4])
{
	if (size == NULL)
		memset(in->size, 0, sizeof(in->size));
	else
		memcpy(in->size, size, sizeof(in->size));
}

void
term_in_set_escape_time(struct term_in *in, mono_ms ms)
{
	in->escape_time = ms;
}

mono_ms
term_in_deadline(const struct term_in *in)
{
	return in->deadline;
}

/* --- single bytes --------------------------------------------------------- */

/* Takes a byte or a UTF-8 sequence; META if ESC came before it. */
static size_t
take_char(
    struct term_in *in, const uint8_t *p, size_t n, bool final, key_code meta)
{
	uint32_t cp;
	size_t used;

	if (*p < 0x80) {
		cp = *p;
		used = 1;
	} else {
		used = final ? utf8_decode_final(p, n, &cp)
			     : utf8_decode(p, n, &cp);
		if (used == UTF8_INCOMPLETE)
			return 0;
	}
	if (cp >= 0x20 && cp != 0x7f && meta == 0)
		term_in_emit_text(in, cp);
	else
		term_in_emit_key(in,
		    (key_is_control(cp) ? key_from_control(cp) : cp) | meta);
	return used;
}

/* --- strings -------------------------------------------------------------- */

static void
string_osc(struct term_in *in, const uint8_t *p, size_t n)
{
	struct term_csi c = { .n = 1 };
	size_t i = 0;

	while (i < n && p[i] >= '0' && p[i] <= '9')
		in_csi_number(&c.p[0], p[i++]);
	if (i < n && p[i] == ';')
		i++;
	term_in_emit_reply(in, TERM_REPLY_OSC, &c, p + i, n - i);
}

static void
string_dcs(struct term_in *in, const uint8_t *p, size_t n)
{
	struct term_csi c = { .n = 1 };

	if (n >= 2 && p[0] == '>' && p[1] == '|')
		term_in_emit_reply(
		    in, TERM_REPLY_XTVERSION, NULL, p + 2, n - 2);
	else if (n >= 2 && p[0] == '!' && p[1] == '|')
		term_in_emit_reply(in, TERM_REPLY_DA3, NULL, p + 2, n - 2);
	else if (n >= 3 && (p[0] == '0' || p[0] == '1') && p[1] == '$' &&
		 p[2] == 'r') {
		c.p[0] = p[0] - '0';
		term_in_emit_reply(in, TERM_REPLY_DECRQSS, &c, p + 3, n - 3);
	} else if (n >= 3 && (p[0] == '0' || p[0] == '1') && p[1] == '+' &&
		   p[2] == 'r') {
		c.p[0] = p[0] - '0';
		term_in_emit_reply(in, TERM_REPLY_TCAP, &c, p + 3, n - 3);
	}
}

static void
string_apc(struct term_in *in, const uint8_t *p, size_t n)
{
	if (n > 0 && p[0] == 'G')
		term_in_emit_reply(in, TERM_REPLY_GRAPHICS, NULL, p + 1, n - 1);
}

/*
 * Takes ESC ] P _ ^ X up to ST, or up to BEL, which terminals send after OSC.
 */
static size_t
take_string(
    struct term_in *in, const uint8_t *p, size_t n, bool final, key_code meta)
{
	const uint8_t *body = p + 2;
	size_t i, end = 0;

	for (i = MAX_OF(in->scanned, (size_t)2); i < n; i++) {
		if (p[i] == 0x07 && p[1] == ']') {
			end = i + 1;
			break;
		}
		if (p[i] == 0x18 || p[i] == 0x1a)
			return i + 1;
		if (p[i] != 0x1b)
			continue;
		if (i + 1 >= n)
			break;
		if (p[i + 1] == '\\') {
			end = i + 2;
			break;
		}
		/* Another sequence cuts it off. */
		return i;
	}
	if (end == 0) {
		in->scanned = i;
		if (!final)
			return 0;
		if (n == 2) {
			term_in_emit_key(in, p[1] | KEY_META | meta);
			return 2;
		}
		return n;
	}
	if (p[1] == ']')
		string_osc(in, body, i - 2);
	else if (p[1] == 'P')
		string_dcs(in, body, i - 2);
	else if (p[1] == '_')
		string_apc(in, body, i - 2);
	return end;
}

/* --- the front of the buffer ---------------------------------------------- */

static size_t
take_escape(struct term_in *in, const uint8_t *p, size_t n, bool final)
{
	size_t used;

	if (n == 1) {
		if (final)
			term_in_emit_key(in, KEY_ESCAPE);
		return final;
	}
	switch (p[1]) {
	case '[':
		return in_csi_take(in, p, n, final, 0);
	case 'O':
		return in_csi_take_ss3(in, p, n, final, 0);
	case ']':
	case 'P':
	case '_':
	case '^':
	case 'X':
		return take_string(in, p, n, final, 0);
	case 0x1b:
		if (n > 2 && p[2] == '[')
			used = in_csi_take(in, p + 1, n - 1, final, KEY_META);
		else if (n > 2 && p[2] == 'O')
			used =
			    in_csi_take_ss3(in, p + 1, n - 1, final, KEY_META);
		else if (n > 2) {
			term_in_emit_key(in, KEY_ESCAPE);
			return 1;
		} else {
			if (final)
				term_in_emit_key(in, KEY_ESCAPE | KEY_META);
			return final ? 2 : 0;
		}
		return used == 0 ? 0 : used + 1;
	default:
		used = take_char(in, p + 1, n - 1, final, KEY_META);
		return used == 0 ? 0 : used + 1;
	}
}

static void
emit_paste(struct term_in *in, const uint8_t *p, size_t n, bool end)
{
	struct term_event ev = {
		.kind = TERM_PASTE,
		.begin = !in->paste_begun,
		.end = end,
		.data = p,
		.len = n,
	};

	in->paste_begun = true;
	if (end)
		in->pasting = false;
	if (n > 0 || end || ev.begin)
		in->fn(in->arg, &ev);
}

/* Takes pasted bytes up to the end marker. */
static size_t
take_paste(struct term_in *in, const uint8_t *p, size_t n)
{
	static const uint8_t marker[] = "\033[201~";
	const size_t len = sizeof(marker) - 1;
	const uint8_t *e = p, *last = p + n;
	size_t keep;

	while ((e = memchr(e, 0x1b, (size_t)(last - e))) != NULL) {
		keep = MIN_OF((size_t)(last - e), len);
		if (memcmp(e, marker, keep) == 0)
			break;
		e++;
	}
	if (e == NULL) {
		emit_paste(in, p, n, false);
		return n;
	}
	if ((size_t)(last - e) < len) {
		/* This may be the marker: emit the bytes before it. */
		if (e > p)
			emit_paste(in, p, (size_t)(e - p), false);
		return (size_t)(e - p);
	}
	emit_paste(in, p, (size_t)(e - p), true);
	return (size_t)(e - p) + len;
}

/* Takes bytes of a sequence that is too long, up to its end. */
static size_t
take_drop(struct term_in *in, const uint8_t *p, size_t n, bool final)
{
	const bool csi = in->drop == '[';
	size_t i;

	for (i = 0; i < n; i++) {
		if (p[i] == 0x1b) {
			/* The end of a string, or another sequence. */
			if (i + 1 == n && !csi && !final)
				return i;
			in->drop = 0;
			return i +
			       (!csi && i + 1 < n && p[i + 1] == '\\' ? 2 : 0);
		}
		if (p[i] == 0x18 || p[i] == 0x1a ||
		    (csi ? p[i] >= 0x40 && p[i] <= 0x7e
			 : p[i] == 0x07 && in->drop == ']')) {
			in->drop = 0;
			return i + 1;
		}
	}
	if (final)
		in->drop = 0;
	return n;
}

/* Takes all complete sequences; FINAL: the time of the rest is up. */
static void
term_in_run(struct term_in *in, bool final)
{
	const uint8_t *p;
	size_t n, used;
	int user;

	while (in->buf.len > 0) {
		p = in->buf.data;
		n = in->buf.len;
		if (in->pasting)
			used = take_paste(in, p, n);
		else if (in->drop != 0) {
			if ((used = take_drop(in, p, n, final)) == 0 &&
			    in->drop == 0)
				continue;
		} else if ((user = in_user_take(in, p, n)) > 0)
			used = (size_t)user;
		else if (user < 0 && !final)
			used = 0;
		else if (*p == 0x1b)
			used = take_escape(in, p, n, final);
		else
			used = take_char(in, p, n, final, 0);
		if (used == 0)
			return;
		mem_wipe(in->buf.data, used);
		buf_consume(&in->buf, used);
		in->scanned = 0;
	}
}

/* Returns how long the unfinished sequence may take. */
static mono_ms
term_in_patience(const struct term_in *in)
{
	const uint8_t *p = in->buf.data;

	if (in->pasting || in->drop != 0)
		return TERM_IN_STRING_MS;
	if (in->buf.len > 2 && p[0] == 0x1b && strchr("]P_^X[", p[1]) != NULL)
		return TERM_IN_STRING_MS;
	return in->escape_time;
}

void
term_in_push(struct term_in *in, mono_ms now, const uint8_t *p, size_t n)
{
	size_t k;

	while (n > 0) {
		k = MIN_OF(n, (size_t)TERM_IN_MAX - in->buf.len);
		if (k == 0) {
			/* Longer than any sequence: drop it, to its end. */
			in->drop = in->buf.data[1];
			buf_clear(&in->buf);
			in->scanned = 0;
			continue;
		}
		(void)buf_add(&in->buf, p, k);
		p += k;
		n -= k;
		term_in_run(in, false);
	}
	in->deadline = in->buf.len == 0 && in->drop == 0
			   ? MONO_NEVER
			   : mono_add(now, term_in_patience(in));
}

void
term_in_timeout(struct term_in *in, mono_ms now)
{
	if (now < in->deadline)
		return;
	in->deadline = MONO_NEVER;
	if (in->pasting && in->buf.len > 0) {
		/* A cut off end marker is pasted text. */
		emit_paste(in, in->buf.data, in->buf.len, false);
		buf_clear(&in->buf);
		in->scanned = 0;
		return;
	}
	term_in_run(in, true);
	in->drop = 0;
}
