#include "client/notice.h"

#include <string.h>

#include "base/str.h"
#include "mux/sync/notice.h"

/* Bytes of one sequence: the longest text as base64, and its metadata. */
#define NOTICE_MAX (SYNC_NOTICE_TEXT_MAX * 2)

/* The beginning of the ids that the server makes. */
#define NOTICE_ID "i=rmux-"

/* Adds a part of an OSC 99: METADATA and TEXT. */
static void
kitty_part(struct term_out *o, const struct sync_notice *nt,
    const char *metadata, const struct sync_notice_str *text)
{
	struct buf b;

	buf_init(&b, NOTICE_MAX);
	(void)buf_addf(&b, "99;i=%.*s%s;", (int)nt->id.n, nt->id.p, metadata);
	if (text != NULL)
		(void)str_base64_encode(&b, text->p, text->n);
	if (!b.overflow)
		term_out_osc(o, "", b.data, b.len, "");
	buf_fini(&b);
}

static void
kitty(struct term_out *o, const struct sync_notice *nt)
{
	struct buf b;

	if (nt->flags & SYNC_NOTICE_CLOSE) {
		kitty_part(o, nt, ":p=close", NULL);
		return;
	}
	buf_init(&b, NOTICE_MAX);
	(void)buf_addf(&b, ":d=0:e=1:p=title:u=%u:a=report,%sfocus",
	    (unsigned)nt->urgency, nt->flags & SYNC_NOTICE_FOCUS ? "" : "-");
	if (nt->flags & SYNC_NOTICE_CLOSES)
		(void)buf_add_str(&b, ":c=1");
	if (nt->expires >= 0)
		(void)buf_addf(&b, ":w=%lld", (long long)nt->expires);
	kitty_part(o, nt, buf_cstr(&b), &nt->title);
	buf_fini(&b);
	if (nt->buttons.n > 0)
		kitty_part(o, nt, ":d=0:e=1:p=buttons", &nt->buttons);
	kitty_part(o, nt, ":e=1:p=body", &nt->body);
}

/* Adds TEXT; a semicolon in it would end the field. */
static void
add_field(struct buf *b, const struct sync_notice_str *text)
{
	size_t i;

	for (i = 0; i < text->n; i++)
		(void)buf_add_u8(
		    b, (uint8_t)(text->p[i] == ';' ? ',' : text->p[i]));
}

void
notice_write(struct term_out *o, term_caps caps, const void *p, size_t n)
{
	struct sync_notice nt;
	struct buf b;

	if (sync_notice_decode(&nt, p, n) != 0)
		return;
	if (caps & TERM_CAP(NOTIFY_KITTY)) {
		kitty(o, &nt);
		return;
	}
	if ((nt.flags & SYNC_NOTICE_CLOSE) != 0 ||
	    (caps & (TERM_CAP(NOTIFY_TITLE) | TERM_CAP(NOTIFY))) == 0)
		return;
	buf_init(&b, 2 * NOTICE_MAX);
	if (caps & TERM_CAP(NOTIFY_TITLE)) {
		(void)buf_add_str(&b, "777;notify;");
		add_field(&b, &nt.title);
		(void)buf_add_str(&b, ";");
		add_field(&b, &nt.body);
	} else {
		(void)buf_add_str(&b, "9;");
		add_field(&b, &nt.title);
		(void)buf_add_str(&b, ": ");
		(void)buf_add(&b, nt.body.p, nt.body.n);
	}
	if (!b.overflow)
		term_out_osc(o, "", b.data, b.len, "");
	buf_fini(&b);
}

bool
notice_is_answer(const void *p, size_t n)
{
	const size_t len = sizeof(NOTICE_ID) - 1;

	return n > len && n <= NOTICE_ANSWER_MAX &&
	       memmem(p, n, NOTICE_ID, len) != NULL;
}
