/*
 * Any bytes on the control socket, decoded message by message; an accepted
 * message, encoded again, decodes to the same.
 */
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "mux/sync/control.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A decoded list as a NULL-terminated array, the form for encoding. */
static char **
strings_of(struct control_list l)
{
	size_t max = l.count;
	char **all = mem_calloc(max + 1, sizeof(*all));
	struct control_str s;
	size_t n = 0;

	while (control_list_next(&l, &s)) {
		bug_assert(n < max);
		all[n++] = control_str_new(s);
	}
	return all;
}

static void
strings_free(char **all)
{
	size_t i;

	for (i = 0; all[i] != NULL; i++)
		mem_free(all[i]);
	mem_free(all);
}

static bool
str_same(struct control_str a, struct control_str b)
{
	return a.len == b.len && (a.len == 0 || memcmp(a.p, b.p, a.len) == 0);
}

static void
again(const struct control_msg *m)
{
	struct control_msg copy = *m, back;
	union {
		char **in;
		const char *const *out;
	} argv = { .in = strings_of(m->list) },
	  env = { .in = strings_of(m->envlist) };
	struct buf b;
	size_t used;

	copy.argv = argv.out;
	copy.env = env.out;
	buf_init(&b, CONTROL_MESSAGE_MAX + 131072);
	if (control_encode(&copy, &b) == 0) {
		bug_assert(control_decode(b.data, b.len, &back, &used) == 0);
		bug_assert(used == b.len && back.type == m->type);
		bug_assert(back.id == m->id && back.code == m->code);
		bug_assert(str_same(back.text, m->text));
		bug_assert(str_same(back.cwd, m->cwd));
		bug_assert(back.data_len == m->data_len);
	}
	buf_fini(&b);
	strings_free(argv.in);
	strings_free(env.in);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct control_msg m;
	size_t used;
	int r;

	while ((r = control_decode(data, size, &m, &used)) == 0) {
		bug_assert(used > 0 && used <= size);
		if (m.type != CONTROL_NONE)
			again(&m);
		data += used;
		size -= used;
	}
	bug_assert(r == -ERR_AGAIN || r == -ERR_PEER || r == -ERR_LIMIT);
	return 0;
}
