#include "server/face/guest.h"

#include <string.h>

#include "base/grapheme.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "mux/client.h"
#include "mux/mux.h"
#include "server/face/people.h"
#include "server/face/viewer.h"

#define GUEST_NAME_MAX 32 /* columns, and code points, of a guest's name */

/*
 * security: names appear in status lines, formats and shell commands that use
 * formats.  Keeps letters, digits and - . _ only, and other characters beyond
 * ASCII that have a width.
 */
static char *
clean_name_new(const struct grapheme_table *t, const char *p, size_t n)
{
	struct buf b;
	uint32_t cp;
	size_t used;
	int count = 0;

	buf_init(&b, GUEST_NAME_MAX * 4 + 16);
	while (n > 0 && *p != '\0' && count < GUEST_NAME_MAX) {
		used = utf8_decode_final((const uint8_t *)p, n, &cp);
		if ((cp >= 'a' && cp <= 'z') || (cp >= 'A' && cp <= 'Z') ||
		    (cp >= '0' && cp <= '9') || (cp == '-' && b.len > 0) ||
		    cp == '_' || (cp == '.' && b.len > 0) ||
		    (cp > 0xa0 && cp != UTF8_REPLACEMENT &&
			grapheme_cp_width(t, cp) > 0)) {
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
	char *name = clean_name_new(vw->run->graphemes, p, n), *numbered;
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
	people_joined(vw->all, vw->client);
}

char *
guest_word_new(const struct client *c, const char *p, size_t n)
{
	return c->guest ? clean_word_new(p, n) : mem_strndup(p, n);
}
