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

static bool
name_taken(const struct mux *m, const struct client *c, const char *name)
{
	const struct map_entry *e;

	MAP_FOREACH(e, &m->clients)
		if (e->value != c &&
		    strcmp(((const struct client *)e->value)->name, name) == 0)
			return true;
	return false;
}

/* Names the client NAME, or NAME-2 and so on: client names are unique. */
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
		buf_clear(&vw->paste);
		vw->paste.overflow = true;
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
