#include "server/face/guest.h"

#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "mux/client.h"
#include "mux/mux.h"
#include "server/face/ask.h"
#include "server/face/people.h"
#include "server/face/viewer.h"
#include "server/run/audit.h"
#include "server/run/run.h"

#define GUEST_NAME_MAX 32 /* code points of a guest's name */

/* Letters of names.  Two alphabets of one name must not look alike. */
enum alphabet {
	ALPHABET_NONE, /* not part of a name */
	ALPHABET_ANY,  /* with each of the others: digits, CJK */
	ALPHABET_LATIN,
	ALPHABET_GREEK,
	ALPHABET_CYRILLIC
};

static enum alphabet
alphabet_of(uint32_t cp, bool first)
{
	static const struct {
		uint32_t from, to;
		enum alphabet alphabet;
	} rows[] = {
		{ '0', '9', ALPHABET_ANY },
		{ 'A', 'Z', ALPHABET_LATIN },
		{ '_', '_', ALPHABET_ANY },
		{ 'a', 'z', ALPHABET_LATIN },
		{ 0xc0, 0xd6, ALPHABET_LATIN },
		{ 0xd8, 0xf6, ALPHABET_LATIN },
		{ 0xf8, 0x17f, ALPHABET_LATIN },
		{ 0x386, 0x386, ALPHABET_GREEK },
		{ 0x388, 0x3ce, ALPHABET_GREEK },
		{ 0x400, 0x45f, ALPHABET_CYRILLIC },
		{ 0x490, 0x491, ALPHABET_CYRILLIC },
		{ 0x3041, 0x3096, ALPHABET_ANY },
		{ 0x30a1, 0x30fa, ALPHABET_ANY },
		{ 0x4e00, 0x9fff, ALPHABET_ANY },
		{ 0xac00, 0xd7a3, ALPHABET_ANY },
	};
	size_t i;

	if (cp == '-' || cp == '.')
		return first ? ALPHABET_NONE : ALPHABET_ANY;
	for (i = 0; i < ARRAY_LEN(rows); i++)
		if (cp >= rows[i].from && cp <= rows[i].to)
			return rows[i].alphabet;
	return ALPHABET_NONE;
}

/*
 * security: names appear in status lines, formats and shell commands that use
 * formats.  Keeps letters, digits and - . _ only.  Letters that are invisible,
 * written from right to left, or of a second alphabet are left out.
 */
static char *
clean_name_new(const char *p, size_t n)
{
	enum alphabet own = ALPHABET_ANY, a;
	struct buf b;
	uint32_t cp;
	size_t used;
	int count = 0;

	buf_init(&b, GUEST_NAME_MAX * 4 + 16);
	while (n > 0 && *p != '\0' && count < GUEST_NAME_MAX) {
		used = utf8_decode_final((const uint8_t *)p, n, &cp);
		a = alphabet_of(cp, b.len == 0);
		if (a != ALPHABET_NONE &&
		    (a == own || a == ALPHABET_ANY || own == ALPHABET_ANY)) {
			own = a == ALPHABET_ANY ? own : a;
			(void)buf_add(&b, p, used);
			count++;
		}
		p += used;
		n -= used;
	}
	if (b.len == 0)
		(void)buf_add_str(&b, "guest");
	return buf_steal(&b, NULL);
}

/* Keeps letters, digits and - , . + only. */
static char *
clean_word_new(const char *p, size_t n)
{
	struct buf b;
	size_t i;

	buf_init(&b, 256);
	for (i = 0; i < n && i < 255 && p[i] != '\0'; i++)
		if ((p[i] >= 'a' && p[i] <= 'z') ||
		    (p[i] >= 'A' && p[i] <= 'Z') ||
		    (p[i] >= '0' && p[i] <= '9') || p[i] == '-' ||
		    p[i] == ',' || p[i] == '.' || p[i] == '+')
			(void)buf_add(&b, p + i, 1);
	return buf_steal(&b, NULL);
}

/* Returns the letter that CP looks like: a Latin one where there is one. */
static uint32_t
look_of(uint32_t cp)
{
	/* Pairs: a Greek or Cyrillic letter or a digit, and its look. */
	static const uint32_t looks[][2] = { { '0', 'O' }, { '1', 'l' },
		{ 'I', 'l' }, { 0x391, 'A' }, { 0x392, 'B' }, { 0x395, 'E' },
		{ 0x396, 'Z' }, { 0x397, 'H' }, { 0x399, 'l' }, { 0x39a, 'K' },
		{ 0x39c, 'M' }, { 0x39d, 'N' }, { 0x39f, 'O' }, { 0x3a1, 'P' },
		{ 0x3a4, 'T' }, { 0x3a5, 'Y' }, { 0x3a7, 'X' }, { 0x3b9, 'i' },
		{ 0x3ba, 'k' }, { 0x3bd, 'v' }, { 0x3bf, 'o' }, { 0x3c1, 'p' },
		{ 0x3c5, 'u' }, { 0x405, 'S' }, { 0x406, 'l' }, { 0x408, 'J' },
		{ 0x410, 'A' }, { 0x412, 'B' }, { 0x415, 'E' }, { 0x41a, 'K' },
		{ 0x41c, 'M' }, { 0x41d, 'H' }, { 0x41e, 'O' }, { 0x420, 'P' },
		{ 0x421, 'C' }, { 0x422, 'T' }, { 0x423, 'Y' }, { 0x425, 'X' },
		{ 0x430, 'a' }, { 0x435, 'e' }, { 0x43a, 'k' }, { 0x43e, 'o' },
		{ 0x440, 'p' }, { 0x441, 'c' }, { 0x443, 'y' }, { 0x445, 'x' },
		{ 0x455, 's' }, { 0x456, 'i' }, { 0x458, 'j' } };
	size_t i;

	for (i = 0; i < ARRAY_LEN(looks); i++)
		if (looks[i][0] == cp)
			return looks[i][1];
	return cp;
}

/* security: a guest must not pass for somebody who is there. */
static bool
look_alike(const char *a, const char *b)
{
	size_t m = strlen(a), n = strlen(b), used;
	uint32_t x, y;

	while (m > 0 && n > 0) {
		used = utf8_decode_final((const uint8_t *)a, m, &x);
		a += used;
		m -= used;
		used = utf8_decode_final((const uint8_t *)b, n, &y);
		b += used;
		n -= used;
		if (look_of(x) != look_of(y))
			return false;
	}
	return m == n;
}

static bool
name_taken(const struct mux *m, const struct client *c, const char *name)
{
	const struct map_entry *e;

	MAP_FOREACH(e, &m->clients)
		if (e->value != c &&
		    look_alike(((const struct client *)e->value)->name, name))
			return true;
	return false;
}

/* Names the client NAME, or NAME-2 and so on: no two names look alike. */
static void
set_name(struct viewer *vw, const char *p, size_t n)
{
	const struct mux *m = vw->run->mux;
	char *name = clean_name_new(p, n), *numbered;
	unsigned i;

	numbered = mem_strdup(name);
	for (i = 2; name_taken(m, vw->client, numbered); i++) {
		mem_free(numbered);
		numbered = mem_printf("%s-%u", name, i);
	}
	client_set_text(vw->client, &vw->client->name, numbered);
	client_set_text(vw->client, &vw->client->user, numbered);
	mem_free(numbered);
	mem_free(name);
}

void
guest_hello(struct viewer *vw, const struct sync_event *ev)
{
	const char *given = vw->guest.name;
	struct session *s;
	size_t n = strnlen(ev->data, ev->len);
	char *word;

	if (!vw->client->guest || vw->guest.greeted)
		return;
	vw->guest.greeted = true;
	set_name(vw, given != NULL ? given : ev->data,
	    given != NULL ? strlen(given) : n);
	client_set_flags(vw->client, CLIENT_UTF8, (ev->flags & 1) != 0);
	if (n < ev->len) {
		word = clean_word_new(ev->data + n + 1, ev->len - n - 1);
		client_set_text(vw->client, &vw->client->term, word);
		mem_free(word);
	}
	if (vw->guest.waits) {
		people_asked(vw->all, vw->client);
		ask_show(vw->all);
		return;
	}
	s = mux_session(vw->run->mux, vw->guest.session);
	if (s == NULL) {
		viewer_detach(vw, 0, "the invitation has ended");
		return;
	}
	client_set_session(vw->client, s);
	people_joined(vw->all, vw->client);
	run_drain(vw->run);
}

void
guest_refused(struct viewer *vw)
{
	mono_ms now = loop_now(vw->run->loop);
	uint64_t n = budget_refuse(&vw->guest.budget, now);

	audit_add(
	    vw->run->audit, vw->client, AUDIT_REFUSED_BUDGET, MUX_NONE, 1);
	if (n > 0)
		run_message(vw->run,
		    "guest %s sends too much: %llu events or datagrams refused",
		    vw->client->name, (unsigned long long)n);
}

bool
guest_may(struct viewer *vw, mono_ms now, const struct sync_event *ev)
{
	struct budget *b = &vw->guest.budget;

	if (budget_take(b, now, budget_cost(ev))) {
		if (ev->kind == SYNC_RESIZE)
			b->resize = false;
		return true;
	}
	if (ev->kind == SYNC_RESIZE) {
		memcpy(b->size, ev->size, sizeof(b->size));
		b->resize = true;
		due_set(&vw->due, VIEWER_DUE_SIZE, budget_when(b, BUDGET_SIZE));
	}
	/* The rest of a paste is of no use. */
	if (ev->kind == SYNC_PASTE) {
		buf_clear(&vw->paste.whole);
		vw->paste.whole.overflow = true;
	}
	guest_refused(vw);
	return false;
}

void
guest_size_due(struct viewer *vw, UNUSED mono_ms now)
{
	struct budget *b = &vw->guest.budget;
	struct sync_event ev = { .kind = SYNC_RESIZE };

	if (!b->resize)
		return;
	memcpy(ev.size, b->size, sizeof(ev.size));
	vw->all->ops->input(vw, &ev);
}

char *
guest_word_new(const struct client *c, const char *p, size_t n)
{
	return c->guest ? clean_word_new(p, n) : mem_strndup(p, n);
}
