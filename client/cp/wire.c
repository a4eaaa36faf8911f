#include "client/cp/wire.h"

#include <string.h>

#include "base/mem.h"
#include "base/wire.h"
#include "ssp/crypto.h"

#define CP_HEADER 16
#define CP_FIXED 64 /* bytes of the numbers of a message, at most */
#define CP_MESSAGE_MAX (CP_FIXED + CP_PATH_MAX + CP_DATA_MAX)

/* Which fields a kind has, in this order. */
enum cp_field {
	HAS_ID = 1 << 0,
	HAS_NUMBER = 1 << 1,
	HAS_SIZE = 1 << 2,
	HAS_META = 1 << 3, /* mode and time */
	HAS_PATH = 1 << 4,
	HAS_TEXT = 1 << 5 /* the rest of the message */
};

static const unsigned fields[] = {
	[CP_HELLO] = HAS_NUMBER,
	[CP_SAY] = HAS_TEXT,
	[CP_DONE] = HAS_NUMBER,
	[CP_TOTAL] = HAS_ID | HAS_NUMBER | HAS_SIZE,
	[CP_DIR] = HAS_META | HAS_PATH,
	[CP_FILE] = HAS_ID | HAS_SIZE | HAS_META | HAS_PATH,
	[CP_LINK] = HAS_PATH | HAS_TEXT,
	[CP_START] = HAS_ID | HAS_NUMBER,
	[CP_DATA] = HAS_TEXT,
	[CP_END] = HAS_ID | HAS_NUMBER,
	[CP_GO] = HAS_ID | HAS_NUMBER | HAS_TEXT,
	[CP_SKIP] = HAS_ID,
};

void
cp_put(struct buf *b, const struct cp_msg *m)
{
	uint8_t head[CP_HEADER], fixed[CP_FIXED];
	const unsigned has = fields[m->kind];
	struct wr f, h;
	size_t n;

	wr_init(&f, fixed, sizeof(fixed));
	wr_varint(&f, m->kind);
	if (has & HAS_ID)
		wr_varint(&f, m->id);
	if (has & HAS_NUMBER)
		wr_varint(&f, m->number);
	if (has & HAS_SIZE)
		wr_varint(&f, m->size);
	if (has & HAS_META) {
		wr_varint(&f, m->mode);
		wr_u64(&f, m->time);
	}
	if (has & HAS_PATH)
		wr_varint(&f, m->npath);
	n = wr_len(&f) + (has & HAS_PATH ? m->npath : 0) +
	    (has & HAS_TEXT ? m->ntext : 0);
	wr_init(&h, head, sizeof(head));
	wr_varint(&h, n);
	(void)buf_add(b, head, wr_len(&h));
	(void)buf_add(b, fixed, wr_len(&f));
	if (has & HAS_PATH)
		(void)buf_add(b, m->path, m->npath);
	if ((has & HAS_TEXT) && m->ntext > 0)
		(void)buf_add(b, m->text, m->ntext);
}

static int
body_get(struct cp_msg *m, struct rd *r)
{
	uint64_t kind = rd_varint(r), n;
	unsigned has;

	peer_check(r->err == 0 && kind > 0 && kind < ARRAY_LEN(fields));
	m->kind = (enum cp_kind)kind;
	has = fields[kind];
	if (has & HAS_ID)
		m->id = rd_varint(r);
	if (has & HAS_NUMBER)
		m->number = rd_varint(r);
	if (has & HAS_SIZE)
		m->size = rd_varint(r);
	if (has & HAS_META) {
		m->mode = (uint32_t)(rd_varint(r) & 07777);
		m->time = rd_u64(r);
	}
	if (has & HAS_PATH) {
		n = rd_varint(r);
		peer_check(r->err == 0 && n <= rd_left(r));
		m->npath = (size_t)n;
		m->path = (const char *)rd_bytes(r, (size_t)n);
		peer_check(cp_path_ok(m->path, m->npath));
	}
	if (has & HAS_TEXT) {
		m->ntext = rd_left(r);
		m->text = rd_bytes(r, m->ntext);
		peer_check(m->ntext <= CP_DATA_MAX);
	}
	peer_check(r->err == 0);
	return 0;
}

int
cp_get(const uint8_t *p, size_t n, struct cp_msg *m, size_t *used)
{
	struct rd r, body;
	uint64_t len;

	memset(m, 0, sizeof(*m));
	*used = 0;
	rd_init(&r, p, n);
	len = rd_varint(&r);
	if (r.err != 0)
		return n < 8 ? -ERR_AGAIN : -ERR_PEER;
	peer_check(len <= CP_MESSAGE_MAX);
	if (len > rd_left(&r))
		return -ERR_AGAIN;
	*used = n - rd_left(&r) + (size_t)len;
	rd_init(&body, rd_bytes(&r, (size_t)len), (size_t)len);
	return body_get(m, &body);
}

bool
cp_path_ok(const char *path, size_t n)
{
	size_t i = 0, len;

	if (n == 0 || n >= CP_PATH_MAX || memchr(path, '\0', n) != NULL)
		return false;
	for (;;) {
		for (len = 0; i + len < n && path[i + len] != '/'; len++)
			;
		if (len == 0 || (len == 1 && path[i] == '.') ||
		    (len == 2 && path[i] == '.' && path[i + 1] == '.'))
			return false;
		i += len;
		if (i == n)
			return true;
		i++;
	}
}

void
cp_hash(uint8_t h[CP_HASH], const void *p, size_t n)
{
	uint8_t out[SSP_HASH_LEN];

	ssp_hash(out, h, CP_HASH, p, n);
	memcpy(h, out, CP_HASH);
}

char *
cp_base_new(const char *path)
{
	size_t n = strlen(path), i;

	while (n > 1 && path[n - 1] == '/')
		n--;
	for (i = n; i > 0 && path[i - 1] != '/'; i--)
		;
	return mem_strndup(path + i, n - i);
}
