/*
 * Any bytes as notifications: pieces with a length byte in front are, by their
 * first byte, an OSC 99 of a program (metadata and payload), an answer of a
 * terminal, or a notice of a server.
 */
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "base/wire.h"
#include "mux/notify99.h"
#include "mux/sync/notice.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
check_text(const char *text, size_t max)
{
	const size_t n = strlen(text);

	bug_assert(
	    n <= max && utf8_valid(text, n) && !utf8_has_control(text, n));
}

static void
program(struct notify99 *n, const char *p, size_t len)
{
	const char *semi = memchr(p, ';', len);
	struct notify99_note note;
	enum notify99_did did;
	char *meta;

	if (semi == NULL)
		return;
	meta = mem_strndup(p, (size_t)(semi - p));
	did = notify99_take(
	    n, meta, semi + 1, len - (size_t)(semi - p) - 1, &note);
	if (did == NOTIFY99_SHOW) {
		check_text(note.title, NOTIFY_TITLE_MAX);
		check_text(note.body, NOTIFY_BODY_MAX);
		check_text(note.buttons, NOTIFY99_BUTTONS_MAX);
	}
	if (did != NOTIFY99_NOTHING) {
		bug_assert(note.urgency <= 2);
		check_text(note.id, NOTIFY99_ID_MAX);
		notify99_note_fini(&note);
	}
	mem_free(meta);
}

static void
terminal(const char *p, size_t len)
{
	char id[NOTIFY99_ID_MAX + 1];
	unsigned button;

	(void)notify99_answer(p, len, id, &button);
	check_text(id, NOTIFY99_ID_MAX);
	bug_assert(button < 100);
}

static void
server(const char *p, size_t len)
{
	struct sync_notice a, b;
	struct buf out;

	if (sync_notice_decode(&a, p, len) != 0)
		return;
	buf_init(&out, 65536);
	sync_notice_encode(&out, &a);
	bug_assert(sync_notice_decode(&b, out.data, out.len) == 0 &&
		   a.title.n == b.title.n && a.flags == b.flags);
	buf_fini(&out);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct notify99 n;
	const uint8_t *p;
	struct rd r;
	size_t len;

	notify99_init(&n);
	rd_init(&r, data, size);
	while (rd_left(&r) > 1) {
		len = rd_u8(&r);
		if (len == 0 || (p = rd_bytes(&r, len)) == NULL)
			break;
		switch (*p % 3) {
		case 0:
			program(&n, (const char *)p + 1, len - 1);
			break;
		case 1:
			terminal((const char *)p + 1, len - 1);
			break;
		case 2:
			server((const char *)p + 1, len - 1);
			break;
		}
	}
	notify99_fini(&n);
	return 0;
}
