/*
 * Any bytes as the me.conf of a client: only its own options and keys change, and
 * what comes of them is bounded.
 */
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "conf/bind.h"
#include "conf/keylayer.h"
#include "conf/me.h"
#include "conf/option.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The text has no control characters but the ends of lines. */
static void
check_errors(const struct buf *out)
{
	size_t i;

	bug_assert(!out->overflow);
	for (i = 0; i < out->len; i++)
		bug_assert(out->data[i] == '\n' || out->data[i] >= 0x20);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct options session, options;
	struct keylayer *keys = keylayer_new(&bind_ops);
	struct me_target to = { .options = &options };
	struct buf out;
	unsigned errors;

	options_init(&session, NULL);
	options_set_defaults(&session, OPT_SESSION);
	options_init(&options, &session);
	to.keys = keylayer_own(keys);
	buf_init(&out, 1 << 20);
	to.guest = size > 0 && data[0] == '#';
	errors = me_load((const char *)data, size, &to, &out);
	bug_assert(errors > 0 || out.len == 0);
	bug_assert(keytables_bindings(to.keys) <= KEYLAYER_BINDINGS_MAX);
	check_errors(&out);
	buf_fini(&out);
	options_fini(&options);
	options_fini(&session);
	keylayer_free(keys);
	return 0;
}
