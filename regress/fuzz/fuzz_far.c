/*
 * Output of ssh, in pieces of the size of the first byte: the answer of `rmux
 * __connect`, the reports of the shell that finds or takes a copy of rmux, and
 * the lines of `rmux __doctor`.  Nothing that may be shown has control
 * characters.
 */
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "client/bootstrap.h"
#include "client/doctor.h"
#include "client/far.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
check_plain(const char *text, size_t size)
{
	size_t i, used, n = strnlen(text, size);
	uint32_t cp;

	bug_assert(n < size);
	for (i = 0; i < n; i += used) {
		used = utf8_decode_final((const uint8_t *)text + i, n - i, &cp);
		bug_assert(cp >= 0x20 && (cp < 0x7f || cp >= 0xa0));
		bug_assert(used > 1 || cp < 0x7f);
	}
}

/* Gives the answer as it comes. */
static void
try_answer(const uint8_t *p, size_t n, size_t piece)
{
	struct cause why = { NULL };
	struct bootstrap b;
	size_t i, k;
	int r = 0;

	memset(&b, 0, sizeof(b));
	b.in = b.out = b.err = -1;
	b.cid = 0x0123456789abcdef;
	buf_init(&b.rest, 1 << 20);
	buf_init(&b.got, (size_t)1 << 18);
	buf_init(&b.tail, 1 << 10);
	for (; n > 0 && r == 0; p += k, n -= k) {
		k = n < piece ? n : piece;
		if (buf_add(&b.got, p, k) != 0)
			break;
		r = bootstrap_answer(&b, &why);
	}
	if (r > 0) {
		bug_assert(b.port != 0 && b.cid != 0);
		bug_assert(b.naddrs <= BOOTSTRAP_ADDRS_MAX);
		for (i = 0; i < b.naddrs; i++)
			bug_assert(
			    strnlen(b.addrs[i], sizeof(b.addrs[i])) < 64);
	} else if (r < 0)
		check_plain(cause_text(&why), 4096);
	cause_fini(&why);
	bootstrap_fini(&b);
}

/* The lines of doctor. */
static void
try_lines(char *text)
{
	struct doctor_finding f;
	char name[64], *line;

	while ((line = strsep(&text, "\n")) != NULL) {
		if (!doctor_line_parse(line, name, sizeof(name), &f))
			continue;
		check_plain(name, sizeof(name));
		check_plain(f.text, sizeof(f.text));
		check_plain(f.advice, sizeof(f.advice));
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct far_step *step;
	struct far_machine m;
	bool summed;
	char *text;

	if (size == 0)
		return 0;
	try_answer(data + 1, size - 1, (size_t)data[0] * 32 + 1);
	if (far_missing_parse(data + 1, size - 1, &m)) {
		check_plain(m.system, sizeof(m.system));
		check_plain(m.machine, sizeof(m.machine));
	}
	if (far_take_parse(data + 1, size - 1, &summed, &step))
		bug_assert(step == NULL);
	text = mem_strndup((const char *)data + 1, size - 1);
	try_lines(text);
	mem_free(text);
	return 0;
}
