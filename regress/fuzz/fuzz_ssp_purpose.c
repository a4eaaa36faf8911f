/*
 * Purposes of streams, specifications of forwards, messages of a client's door
 * and SOCKS, from hostile peers, command lines and programs.  SOCKS must say the
 * same of pieces as of all at once.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/compiler.h"
#include "base/mem.h"
#include "ssp/door.h"
#include "ssp/forward_spec.h"
#include "ssp/purpose.h"
#include "ssp/socks.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int
fuzz_socks(const uint8_t *data, size_t size, size_t step, struct buf *out)
{
	struct socks s = { 0 };
	struct ssp_place place;
	size_t from = 0, n, used;
	int e = 0;

	for (n = MIN_OF(step, size); e == 0; n += MIN_OF(step, size - n)) {
		e = socks_read(&s, data + from, n - from, &used, &place, out);
		from += used;
		bug_assert(from <= n);
		if (n == size)
			break;
	}
	return e;
}

/* Messages of a door: what is read is written as it was. */
static void
fuzz_door(const uint8_t *data, size_t size)
{
	uint8_t out[DOOR_MESSAGE];
	struct door_request q, q2;
	struct door_answer a, a2;
	struct wr w;

	wr_init(&w, out, sizeof(out));
	if (door_request_get(&q, data, size) == 0) {
		door_request_put(&w, &q);
		bug_assert(w.err == 0 &&
			   door_request_get(&q2, out, wr_len(&w)) == 0 &&
			   memcmp(&q, &q2, sizeof(q)) == 0);
	}
	wr_init(&w, out, sizeof(out));
	if (door_answer_get(&a, data, size) == 0) {
		door_answer_put(&w, &a);
		bug_assert(
		    w.err == 0 && door_answer_get(&a2, out, wr_len(&w)) == 0 &&
		    a.connections == a2.connections && a.failed == a2.failed);
	}
}

static void
fuzz_door_name(const char *words)
{
	char name[DOOR_NAME];
	int64_t pid;
	size_t n;

	(void)door_name_read(words, &n, &pid);
	door_name(words, 7, name);
	bug_assert(strchr(name, '/') == NULL && *name != '\0');
	bug_assert(*words == '\0' || door_name_is(name, words));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char text[FORWARD_SPEC_TEXT],
	    *words = mem_strndup((const char *)data, size);
	struct cause c = { NULL };
	struct forward_spec spec;
	struct ssp_purpose p;
	struct buf whole, pieces;
	uint8_t out[SSP_PURPOSE_SIZE];
	struct wr w;
	unsigned k;

	if (ssp_purpose_get(&p, data, size) == 0) {
		wr_init(&w, out, sizeof(out));
		ssp_purpose_put(&w, &p);
		bug_assert(w.err == 0);
		(void)ssp_place_text(&p.place, text);
	}
	fuzz_door(data, size);
	fuzz_door_name(words);
	for (k = FORWARD_LOCAL; k <= FORWARD_DYNAMIC; k++) {
		if (forward_spec_parse(
			(enum forward_kind)k, words, &spec, &c) == 0)
			(void)forward_spec_text(&spec, text);
		cause_fini(&c);
	}
	if (forward_socket_parse(words, &spec, &c) == 0)
		(void)forward_spec_text(&spec, text);
	cause_fini(&c);
	buf_init(&whole, 1000);
	buf_init(&pieces, 1000);
	if (size > 0 && size < SOCKS_REQUEST_MAX) {
		bug_assert(fuzz_socks(data, size, size, &whole) ==
			   fuzz_socks(data, size, 1, &pieces));
		bug_assert(whole.len == pieces.len);
	}
	buf_fini(&whole);
	buf_fini(&pieces);
	mem_free(words);
	return 0;
}
