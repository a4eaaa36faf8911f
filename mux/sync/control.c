#include "mux/sync/control.h"

#include <string.h>

#include "base/mem.h"
#include "base/pack.h"
#include "base/str.h"
#include "base/wire.h"

struct control_type_row {
	const char *name;
	enum control_code code;
	uint32_t need;
};

static const struct control_type_row control_rows[] = {
#define X(name, code, who, need) { #name, CONTROL_##name, need },
#include "mux/sync/control.def"
#undef X
};

/* Numbers of the fields on the wire: bit positions of enum control_has. */
enum control_field {
	FIELD_TYPE = 0,
	FIELD_ID = 1,
	FIELD_CODE = 2,
	FIELD_TEXT = 3,
	FIELD_DATA = 4,
	FIELD_LIST = 5,
	FIELD_ENV = 6,
	FIELD_CWD = 7,
	FIELD_TERM = 8,
	FIELD_TTY = 9,
	FIELD_FLAGS = 10,
	FIELD_VERSION = 11,
	FIELD_SIZE = 12,
	FIELD_RELEASE = 13,
	FIELD_COUNT
};

static const struct control_type_row *
control_row_find(uint64_t code)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(control_rows); i++)
		if ((uint64_t)control_rows[i].code == code)
			return &control_rows[i];
	return NULL;
}

const char *
control_name(enum control_code code)
{
	const struct control_type_row *row = control_row_find((uint64_t)code);

	return row == NULL ? "?" : row->name;
}

typedef void (*control_put_fn)(const struct control_msg *, struct buf *);
typedef void (*control_get_fn)(struct control_msg *, struct rd *);

static void
put_list(const char *const *v, struct buf *b)
{
	uint32_t n = 0;

	while (n < CONTROL_LIST_MAX && v[n] != NULL)
		n++;
	pack_put_array(b, n);
	for (uint32_t i = 0; i < n; i++)
		pack_put_cstr(b, v[i]);
}

static void
get_list(struct control_list *l, struct rd *r)
{
	uint32_t i;

	l->count = pack_get_array(r, CONTROL_LIST_MAX);
	l->p = r->p;
	for (i = 0; i < l->count && r->err == 0; i++) {
		if (pack_peek(r) != PACK_STR)
			rd_fail(r, -ERR_TYPE);
		pack_skip(r);
	}
	l->end = r->p;
}

static void
get_str(struct control_str *s, struct rd *r)
{
	s->p = pack_get_str(r, CONTROL_DATA_MAX, &s->len);
	if (s->p == NULL)
		s->len = 0;
}

#define STR_FIELD(name)                                             \
 static void put_##name(const struct control_msg *m, struct buf *b) \
 {                                                                  \
  pack_put_str(b, m->name.p, m->name.len);                          \
 }                                                                  \
 static void get_##name(struct control_msg *m, struct rd *r)        \
 {                                                                  \
  get_str(&m->name, r);                                             \
 }

STR_FIELD(text)
STR_FIELD(cwd)
STR_FIELD(term)
STR_FIELD(tty)
STR_FIELD(release)

static void
put_id(const struct control_msg *m, struct buf *b)
{
	pack_put_uint(b, m->id);
}

static void
get_id(struct control_msg *m, struct rd *r)
{
	m->id = pack_get_uint(r, UINT64_MAX);
}

static void
put_code(const struct control_msg *m, struct buf *b)
{
	pack_put_int(b, m->code);
}

static void
get_code(struct control_msg *m, struct rd *r)
{
	m->code = pack_get_int(r);
}

static void
put_data(const struct control_msg *m, struct buf *b)
{
	pack_put_bin(b, m->data, m->data_len);
}

static void
get_data(struct control_msg *m, struct rd *r)
{
	m->data = pack_get_bin(r, CONTROL_DATA_MAX, &m->data_len);
	if (m->data == NULL)
		m->data_len = 0;
}

static void
put_argv(const struct control_msg *m, struct buf *b)
{
	put_list(m->argv, b);
}

static void
get_argv(struct control_msg *m, struct rd *r)
{
	get_list(&m->list, r);
}

static void
put_env(const struct control_msg *m, struct buf *b)
{
	put_list(m->env, b);
}

static void
get_env(struct control_msg *m, struct rd *r)
{
	get_list(&m->envlist, r);
}

static void
put_flags(const struct control_msg *m, struct buf *b)
{
	pack_put_uint(b, m->flags);
}

static void
get_flags(struct control_msg *m, struct rd *r)
{
	m->flags = pack_get_uint(r, UINT64_MAX);
}

static void
put_version(const struct control_msg *m, struct buf *b)
{
	pack_put_array(b, 2);
	pack_put_uint(b, m->version_min);
	pack_put_uint(b, m->version_max);
}

static void
get_version(struct control_msg *m, struct rd *r)
{
	if (pack_get_array(r, 2) != 2)
		rd_fail(r, -ERR_PEER);
	m->version_min = (uint32_t)pack_get_uint(r, UINT32_MAX);
	m->version_max = (uint32_t)pack_get_uint(r, UINT32_MAX);
}

static void
put_size(const struct control_msg *m, struct buf *b)
{
	pack_put_array(b, 4);
	for (size_t i = 0; i < 4; i++)
		pack_put_uint(b, m->size[i]);
}

static void
get_size(struct control_msg *m, struct rd *r)
{
	if (pack_get_array(r, 4) != 4)
		rd_fail(r, -ERR_PEER);
	for (size_t i = 0; i < 4; i++)
		m->size[i] = (uint16_t)pack_get_uint(r, UINT16_MAX);
}

static const struct control_codec {
	control_put_fn put;
	control_get_fn get;
} control_codecs[FIELD_COUNT] = {
	[FIELD_ID] = { put_id, get_id },
	[FIELD_CODE] = { put_code, get_code },
	[FIELD_TEXT] = { put_text, get_text },
	[FIELD_DATA] = { put_data, get_data },
	[FIELD_LIST] = { put_argv, get_argv },
	[FIELD_ENV] = { put_env, get_env },
	[FIELD_CWD] = { put_cwd, get_cwd },
	[FIELD_TERM] = { put_term, get_term },
	[FIELD_TTY] = { put_tty, get_tty },
	[FIELD_FLAGS] = { put_flags, get_flags },
	[FIELD_VERSION] = { put_version, get_version },
	[FIELD_SIZE] = { put_size, get_size },
	[FIELD_RELEASE] = { put_release, get_release },
};

int
control_encode(const struct control_msg *m, struct buf *out)
{
	size_t start = out->len, len;
	uint32_t count = 1, i;
	uint8_t *p;

	for (i = 1; i < FIELD_COUNT; i++)
		count += (m->has >> i) & 1;
	(void)buf_add(out, "\0\0\0\0", 4);
	pack_put_map(out, count);
	pack_put_uint(out, FIELD_TYPE);
	pack_put_uint(out, (uint64_t)m->type);
	for (i = 1; i < FIELD_COUNT; i++) {
		if (((m->has >> i) & 1) == 0)
			continue;
		pack_put_uint(out, i);
		control_codecs[i].put(m, out);
	}
	len = out->len - start - 4;
	if (out->overflow || len > CONTROL_MESSAGE_MAX) {
		buf_truncate(out, start);
		return -ERR_LIMIT;
	}
	p = out->data + start;
	p[0] = (uint8_t)(len >> 24);
	p[1] = (uint8_t)(len >> 16);
	p[2] = (uint8_t)(len >> 8);
	p[3] = (uint8_t)len;
	return 0;
}

int
control_put_data(struct buf *out, enum control_code type, uint64_t id,
    const void *p, size_t n)
{
	struct control_msg m = {
		.type = type,
		.has = CONTROL_HAS_ID | CONTROL_HAS_DATA,
		.id = id,
		.data = p,
		.data_len = n,
	};

	return control_encode(&m, out);
}

int
control_put_code(
    struct buf *out, enum control_code type, int64_t code, const char *text)
{
	struct control_msg m = {
		.type = type,
		.has = CONTROL_HAS_CODE,
		.code = code,
	};

	if (text != NULL) {
		m.has |= CONTROL_HAS_TEXT;
		m.text.p = text;
		m.text.len = strlen(text);
	}
	return control_encode(&m, out);
}

int
control_decode(const uint8_t *p, size_t n, struct control_msg *m, size_t *used)
{
	const struct control_type_row *row;
	uint64_t field, type = 0;
	uint32_t len, pairs, i;
	struct rd r;

	*used = 0;
	memset(m, 0, sizeof(*m));
	rd_init(&r, p, n);
	len = rd_u32(&r);
	if (r.err != 0)
		return -ERR_AGAIN;
	if (len > CONTROL_MESSAGE_MAX)
		return -ERR_LIMIT;
	if (rd_left(&r) < len)
		return -ERR_AGAIN;
	r.end = r.p + len;
	pairs = pack_get_map(&r, 64);
	for (i = 0; i < pairs && r.err == 0; i++) {
		field = pack_get_uint(&r, UINT32_MAX);
		if (field == FIELD_TYPE)
			type = pack_get_uint(&r, UINT32_MAX);
		else if (field < FIELD_COUNT) {
			control_codecs[field].get(m, &r);
			m->has |= UINT32_C(1) << field;
		} else
			pack_skip(&r);
	}
	if (rd_done(&r) != 0)
		return r.err == -ERR_LIMIT ? -ERR_LIMIT : -ERR_PEER;
	*used = 4 + (size_t)len;
	row = control_row_find(type);
	if (row == NULL)
		return 0;
	peer_check((m->has & row->need) == row->need);
	m->type = row->code;
	return 0;
}

bool
control_list_next(struct control_list *l, struct control_str *s)
{
	struct rd r;

	if (l->count == 0)
		return false;
	rd_init(&r, l->p, (size_t)(l->end - l->p));
	get_str(s, &r);
	l->p = r.p;
	l->count--;
	return r.err == 0;
}

char *
control_str_new(struct control_str s)
{
	return mem_strndup(s.len == 0 ? "" : s.p, s.len);
}

char *
control_plain_new(struct control_str s)
{
	return str_plain_new(s.p, s.len, 1024);
}
