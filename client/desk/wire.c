#include "client/desk/wire.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/compiler.h"
#include "base/mem.h"
#include "base/wire.h"
#include "client/cp/wire.h"

#define WIRE_FIXED 64
#define NAME_MAX_BYTES 255
#define ASK_NAMES 4 /* names that a question shows */
#define ASK_NAME 48 /* bytes of a name in it */
#define ASK_URL 160 /* bytes of a URL in it */

static void
text_put(struct buf *b, const char *p, size_t n)
{
	uint8_t head[16];
	struct wr w;

	wr_init(&w, head, sizeof(head));
	wr_varint(&w, n);
	(void)buf_add(b, head, wr_len(&w));
	if (n > 0)
		(void)buf_add(b, p, n);
}

void
desk_request_put(struct buf *b, const struct desk_request *q)
{
	uint8_t fixed[WIRE_FIXED];
	struct wr w;
	size_t i;

	wr_init(&w, fixed, sizeof(fixed));
	wr_varint(&w, DESK_VERSION);
	wr_varint(&w, q->what);
	wr_u8(&w, q->recurse);
	wr_varint(&w, q->files);
	wr_varint(&w, q->bytes);
	wr_varint(&w, q->n);
	(void)buf_add(b, fixed, wr_len(&w));
	for (i = 0; i < q->n; i++)
		text_put(b, q->names[i], strlen(q->names[i]));
}

/* security: the sender may be anybody on the other machine. */
static bool
name_ok(const struct desk_request *q, const char *name)
{
	if (q->what == DESK_OPEN)
		return desk_url_ok(name);
	if (q->what != DESK_READ && strchr(name, '/') != NULL)
		return false;
	return desk_path_ok(name);
}

static int
names_get(struct desk_request *q, struct rd *r, uint64_t n)
{
	const uint8_t *p;
	uint64_t len;

	while (q->n < n) {
		len = rd_varint(r);
		peer_check(r->err == 0 && len > 0 && len < CP_PATH_MAX &&
			   len <= rd_left(r));
		p = rd_bytes(r, (size_t)len);
		peer_check(memchr(p, '\0', (size_t)len) == NULL);
		q->names[q->n++] = mem_strndup((const char *)p, (size_t)len);
		peer_check(name_ok(q, q->names[q->n - 1]));
	}
	return rd_done(r) == 0 ? 0 : -ERR_PEER;
}

static int
request_get(struct desk_request *q, struct rd *r)
{
	uint64_t version = rd_varint(r), what = rd_varint(r), n;

	if (r->err == 0 && version != DESK_VERSION)
		return -ERR_UNSUPPORTED;
	peer_check(r->err == 0 && what >= DESK_SAVE && what <= DESK_PASTE);
	q->what = (enum desk_what)what;
	q->recurse = rd_u8(r) != 0;
	q->files = rd_varint(r);
	q->bytes = rd_varint(r);
	n = rd_varint(r);
	peer_check(r->err == 0 && n >= 1 && n <= DESK_NAMES_MAX);
	peer_check(n == 1 || q->what == DESK_SAVE || q->what == DESK_READ);
	return names_get(q, r, n);
}

int
desk_request_get(struct desk_request *q, const uint8_t *p, size_t n)
{
	struct rd r;
	int e;

	memset(q, 0, sizeof(*q));
	rd_init(&r, p, n);
	if ((e = request_get(q, &r)) != 0)
		desk_request_fini(q);
	return e;
}

void
desk_request_fini(struct desk_request *q)
{
	while (q->n > 0) {
		mem_free(q->names[--q->n]);
		q->names[q->n] = NULL;
	}
}

/* --- names -------------------------------------------------------------------- */

bool
desk_path_ok(const char *path)
{
	const char *p;

	for (p = path; *p != '\0'; p++)
		if ((unsigned char)*p < ' ' || *p == 127)
			return false;
	return cp_path_ok(path, strlen(path));
}

bool
desk_url_ok(const char *url)
{
	static const char *const schemes[] = { "http://", "https://",
		"mailto:" };
	const char *p;
	size_t i, n;

	for (p = url; *p != '\0'; p++)
		if (*p <= ' ' || *p >= 127)
			return false;
	if (p - url > DESK_URL_MAX)
		return false;
	for (i = 0; i < ARRAY_LEN(schemes); i++) {
		n = strlen(schemes[i]);
		if (strncasecmp(url, schemes[i], n) == 0)
			return url[n] != '\0';
	}
	return false;
}

char *
desk_name_new(const char *name, unsigned n)
{
	const char *dot = strrchr(name, '.');
	char number[16];
	size_t base, ext, room;

	if (dot == NULL || dot == name)
		dot = name + strlen(name);
	if (n < 2)
		return mem_strdup(name);
	(void)snprintf(number, sizeof(number), " (%u)", n);
	ext = strlen(dot);
	room = NAME_MAX_BYTES - strlen(number);
	if (ext > room / 2)
		ext = 0;
	base = MIN_OF((size_t)(dot - name), room - ext);
	/* Not in the middle of a character. */
	while (base > 0 && base < (size_t)(dot - name) &&
	       ((unsigned char)name[base] & 0xc0) == 0x80)
		base--;
	return mem_printf(
	    "%.*s%s%s", (int)base, name, number, ext == 0 ? "" : dot);
}

static int
hex(char c)
{
	return c >= '0' && c <= '9'   ? c - '0'
	       : c >= 'a' && c <= 'f' ? c - 'a' + 10
	       : c >= 'A' && c <= 'F' ? c - 'A' + 10
				      : -1;
}

char *
desk_file_new(const char *line)
{
	static const char local[] = "localhost/";
	char *path, *to;
	const char *p;

	if (strncasecmp(line, "file://", 7) != 0)
		return NULL;
	p = line + 7;
	if (strncasecmp(p, local, sizeof(local) - 1) == 0)
		p += sizeof(local) - 2;
	if (*p != '/')
		return NULL;
	to = path = mem_strdup(p);
	for (; *p != '\0' && *p != '\r'; p++) {
		if (*p == '%' && hex(p[1]) >= 0 && hex(p[2]) >= 0) {
			*to++ = (char)(hex(p[1]) << 4 | hex(p[2]));
			p += 2;
		} else
			*to++ = *p;
	}
	*to = '\0';
	return path;
}

/* --- the question ---------------------------------------------------------------- */

/* Appends at most MAX bytes; security: a terminal shows it. */
static void
ask_add(struct buf *b, const char *text, size_t max)
{
	size_t i, n = strlen(text);
	const size_t cut = n > max ? max - 3 : n;
	char c;

	for (i = 0; i < cut; i++) {
		c = text[i] >= ' ' && text[i] < 127 ? text[i] : '?';
		(void)buf_add(b, &c, 1);
	}
	if (cut < n)
		(void)buf_add(b, "...", 3);
}

static void
ask_amount(struct buf *b, uint64_t n)
{
	if (n < 1000)
		(void)buf_addf(b, "%u B", (unsigned)n);
	else if (n < 1000000)
		(void)buf_addf(b, "%.1f kB", (double)n / 1e3);
	else if (n < 1000000000)
		(void)buf_addf(b, "%.1f MB", (double)n / 1e6);
	else
		(void)buf_addf(b, "%.1f GB", (double)n / 1e9);
}

static void
ask_names(struct buf *b, const struct desk_request *q)
{
	size_t i;

	for (i = 0; i < q->n && i < ASK_NAMES; i++) {
		(void)buf_addf(b, i == 0 ? "" : ", ");
		ask_add(b, q->names[i], ASK_NAME);
	}
	if (i < q->n)
		(void)buf_addf(b, ", ...");
}

void
desk_question(const struct desk_request *q, const char *folder, uint64_t files,
    uint64_t bytes, char out[DESK_ASK_TEXT])
{
	static const char *const verbs[] = { [DESK_SAVE] = "save",
		[DESK_READ] = "read",
		[DESK_OPEN] = "open",
		[DESK_SHOW] = "save and open",
		[DESK_PASTE] = "read" };
	struct buf b;

	buf_init(&b, 2 * DESK_ASK_TEXT);
	(void)buf_addf(&b, "wants to %s ", verbs[q->what]);
	if (q->what == DESK_PASTE) {
		(void)buf_addf(&b, "the files or the image in the clipboard");
	} else if (q->what == DESK_OPEN) {
		ask_add(&b, q->names[0], ASK_URL);
	} else {
		(void)buf_addf(&b, "%llu %s (", (unsigned long long)files,
		    files == 1 ? "file" : "files");
		ask_amount(&b, bytes);
		(void)buf_addf(&b, q->what == DESK_READ ? ") of " : ") in ");
		ask_add(&b, folder, ASK_NAME);
		(void)buf_addf(&b, ": ");
		ask_names(&b, q);
	}
	(void)snprintf(out, DESK_ASK_TEXT, "%s", buf_cstr(&b));
	buf_fini(&b);
}
