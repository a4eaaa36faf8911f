#include "mux/notify99.h"

#include <string.h>

#include "base/mem.h"
#include "base/str.h"

#define CHUNK_MAX 8192 /* bytes of one payload, decoded */

enum part {
	PART_TITLE,
	PART_BODY,
	PART_BUTTONS,
	PART_CLOSE,
	PART_QUERY,
	PART_ALIVE,
	PART_OTHER, /* icons, and what kitty may add */
};

static const struct {
	const char *name;
	enum part part;
	size_t max; /* bytes that are kept, of those with a text */
} parts[] = {
	{ "title", PART_TITLE, NOTIFY_TITLE_MAX },
	{ "body", PART_BODY, NOTIFY_BODY_MAX },
	{ "buttons", PART_BUTTONS, NOTIFY99_BUTTONS_MAX },
	{ "close", PART_CLOSE, 0 },
	{ "?", PART_QUERY, 0 },
	{ "alive", PART_ALIVE, 0 },
};

/* One escape sequence. */
struct chunk {
	struct notify99_note note; /* what its metadata change */
	bool more;                 /* d=0 */
	bool base64;
	enum part part;
};

void
notify99_note_init(struct notify99_note *note)
{
	*note = (struct notify99_note){
		.urgency = 1, .focus = true, .expires = -1
	};
}

void
notify99_note_fini(struct notify99_note *note)
{
	mem_free(note->title);
	mem_free(note->body);
	mem_free(note->buttons);
	notify99_note_init(note);
}

void
notify99_init(struct notify99 *n)
{
	memset(n, 0, sizeof(*n));
}

static void
open_free(struct notify99_open *o)
{
	size_t i;

	if (o == NULL)
		return;
	for (i = 0; i < ARRAY_LEN(o->text); i++)
		buf_fini(&o->text[i]);
	notify99_note_fini(&o->note);
	mem_free(o);
}

void
notify99_fini(struct notify99 *n)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(n->open); i++)
		open_free(n->open[i]);
	notify99_init(n);
}

/* --- metadata ---------------------------------------------------------------- */

static bool
is(const char *p, size_t n, const char *word)
{
	return strlen(word) == n && memcmp(p, word, n) == 0;
}

/*
 * security: an id goes back to the program as input, so it may not have other
 * characters than those of kitty's document.
 */
static void
set_id(char *id, const char *p, size_t n)
{
	static const char safe[] = "abcdefghijklmnopqrstuvwxyz"
				   "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				   "0123456789-_+.";
	size_t i;

	*id = '\0';
	if (n > NOTIFY99_ID_MAX)
		return;
	for (i = 0; i < n; i++)
		if (p[i] == '\0' || strchr(safe, p[i]) == NULL)
			return;
	memcpy(id, p, n);
	id[n] = '\0';
}

/* "report,-focus" */
static void
set_actions(struct notify99_note *note, const char *p, size_t n)
{
	const char *end = p + n, *comma;
	size_t len;
	bool on;

	for (; p < end; p = comma + 1) {
		comma = memchr(p, ',', (size_t)(end - p));
		if (comma == NULL)
			comma = end;
		on = *p != '-';
		p += !on;
		len = (size_t)(comma - p);
		if (is(p, len, "focus"))
			note->focus = on;
		else if (is(p, len, "report"))
			note->report = on;
	}
}

static enum part
part_of(const char *p, size_t n)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(parts); i++)
		if (is(p, n, parts[i].name))
			return parts[i].part;
	return PART_OTHER;
}

/* Reads one key=value; others than these change nothing. */
static void
take_key(struct chunk *c, char key, const char *p, size_t n)
{
	int64_t v;

	switch (key) {
	case 'a':
		set_actions(&c->note, p, n);
		break;
	case 'c':
		c->note.closes = is(p, n, "1");
		break;
	case 'd':
		c->more = is(p, n, "0");
		break;
	case 'e':
		c->base64 = is(p, n, "1");
		break;
	case 'i':
		set_id(c->note.id, p, n);
		break;
	case 'o':
		c->note.occasion = is(p, n, "unfocused")   ? NOTIFY99_UNFOCUSED
				   : is(p, n, "invisible") ? NOTIFY99_INVISIBLE
							   : NOTIFY99_ALWAYS;
		break;
	case 'p':
		c->part = part_of(p, n);
		break;
	case 'u':
		if (str_to_intn(p, n, 0, 2, &v) == 0)
			c->note.urgency = (uint8_t)v;
		break;
	case 'w':
		if (str_to_intn(p, n, -1, INT32_MAX, &v) == 0)
			c->note.expires = v;
		break;
	}
}

static void
take_meta(struct chunk *c, const char *p, size_t n)
{
	const char *end = p + n, *colon;

	for (; p < end; p = colon + 1) {
		colon = memchr(p, ':', (size_t)(end - p));
		if (colon == NULL)
			colon = end;
		if (colon - p >= 2 && p[1] == '=')
			take_key(c, *p, p + 2, (size_t)(colon - p) - 2);
	}
}

/* --- parts ----------------------------------------------------------------------- */

/* Finds or makes the unfinished notification with that id. */
static struct notify99_open *
open_get(struct notify99 *n, const char *id)
{
	struct notify99_open **oldest = &n->open[0], *o;
	size_t i;

	for (i = 0; i < ARRAY_LEN(n->open); i++) {
		o = n->open[i];
		if (o != NULL && strcmp(o->note.id, id) == 0)
			return o;
		if (*oldest != NULL && (o == NULL || o->used < (*oldest)->used))
			oldest = &n->open[i];
	}
	open_free(*oldest);
	o = *oldest = mem_zalloc(sizeof(*o));
	notify99_note_init(&o->note);
	memcpy(o->note.id, id, strlen(id) + 1);
	for (i = 0; i < ARRAY_LEN(o->text); i++)
		buf_init(&o->text[i], parts[i].max);
	o->used = ++n->used;
	return o;
}

static void
open_drop(struct notify99 *n, struct notify99_open *o)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(n->open); i++)
		if (n->open[i] == o)
			n->open[i] = NULL;
	open_free(o);
}

/* Adds as much of a payload as is kept. */
static void
add_text(struct buf *to, const struct chunk *c, const char *p, size_t n)
{
	struct buf b;

	buf_init(&b, CHUNK_MAX);
	if (c->base64 && str_base64_decode(&b, p, n) == 0) {
		p = (const char *)b.data;
		n = b.len;
	} else if (c->base64)
		n = 0;
	if (n > 0)
		(void)buf_add(to, p, MIN_OF(n, to->max - to->len));
	buf_fini(&b);
}

char *
notify99_plain_new(const void *p, size_t n, size_t max)
{
	char *copy = mem_alloc(n + 1), *text;
	const char *s = p;
	size_t i;

	for (i = 0; i < n; i++)
		copy[i] = (char)(s[i] == '\n' || s[i] == '\t' ? ' ' : s[i]);
	text = str_plain_new(copy, n, max);
	mem_free(copy);
	return text;
}

static char *
plain_new(const struct buf *b)
{
	return notify99_plain_new(b->data, b->len, b->len);
}

enum notify99_did
notify99_take(struct notify99 *n, const char *meta, const char *payload,
    size_t len, struct notify99_note *out)
{
	struct notify99_open *o;
	struct chunk c = { .part = PART_TITLE };

	/* The id first: the metadata of later parts may add to the first's. */
	notify99_note_init(&c.note);
	take_meta(&c, meta, strlen(meta));
	if (c.part == PART_CLOSE || c.part == PART_QUERY ||
	    c.part == PART_ALIVE) {
		*out = c.note;
		return c.part == PART_CLOSE   ? NOTIFY99_CLOSE
		       : c.part == PART_QUERY ? NOTIFY99_QUERY
					      : NOTIFY99_ALIVE;
	}
	o = open_get(n, c.note.id);
	c.note = o->note;
	take_meta(&c, meta, strlen(meta));
	o->note = c.note;
	if (c.part < ARRAY_LEN(o->text))
		add_text(&o->text[c.part], &c, payload, len);
	if (c.more)
		return NOTIFY99_NOTHING;
	*out = o->note;
	out->title = plain_new(&o->text[PART_TITLE]);
	out->body = plain_new(&o->text[PART_BODY]);
	out->buttons = plain_new(&o->text[PART_BUTTONS]);
	open_drop(n, o);
	if (*out->title == '\0' && *out->body == '\0') {
		notify99_note_fini(out);
		return NOTIFY99_NOTHING;
	}
	return NOTIFY99_SHOW;
}

/* --- answers --------------------------------------------------------------------- */

enum notify99_said
notify99_answer(const char *p, size_t n, char *id, unsigned *button)
{
	const char *semi = memchr(p, ';', n);
	struct chunk c = { .part = PART_TITLE };
	int64_t v = 0;
	size_t len;

	*id = '\0';
	*button = 0;
	if (semi == NULL)
		return NOTIFY99_SAID_NOTHING;
	notify99_note_init(&c.note);
	take_meta(&c, p, (size_t)(semi - p));
	memcpy(id, c.note.id, sizeof(c.note.id));
	len = n - (size_t)(semi - p) - 1;
	if (c.part == PART_QUERY)
		return NOTIFY99_SAID_SUPPORTED;
	/* Where the system does not tell of the end, nothing has ended. */
	if (c.part == PART_CLOSE)
		return is(semi + 1, len, "untracked") ? NOTIFY99_SAID_NOTHING
						      : NOTIFY99_SAID_CLOSED;
	if (c.part != PART_TITLE ||
	    (len > 0 && str_to_intn(semi + 1, len, 1, 99, &v) != 0))
		return NOTIFY99_SAID_NOTHING;
	*button = (unsigned)v;
	return NOTIFY99_SAID_ACTIVE;
}

/* "ESC ] 99 ; i=ID" and REST */
static void
put(struct buf *out, const char *id, const char *rest)
{
	(void)buf_add_str(out, "\033]99;i=");
	(void)buf_add_str(out, *id == '\0' ? "0" : id);
	(void)buf_add_str(out, rest);
}

void
notify99_put_support(struct buf *out, const char *id)
{
	put(out, id,
	    ":p=?;a=focus,report:c=1:o=always,unfocused,invisible:"
	    "p=title,body,?,close,alive,buttons:u=0,1,2\033\\");
}

void
notify99_put_active(struct buf *out, const char *id, unsigned button)
{
	put(out, id, ";");
	if (button > 0)
		(void)buf_addf(out, "%u", button);
	(void)buf_add_str(out, "\033\\");
}

void
notify99_put_closed(struct buf *out, const char *id)
{
	put(out, id, ":p=close;\033\\");
}

void
notify99_put_alive(struct buf *out, const char *id, const char *ids)
{
	put(out, id, ":p=alive;");
	(void)buf_add_str(out, ids);
	(void)buf_add_str(out, "\033\\");
}
