/*
 * Messages of a copy of files from a hostile peer: each that decodes encodes to
 * the same again, and no path leads out of the folder.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "client/cp/wire.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct cp_msg m, again;
	struct buf b;
	size_t used, n;

	while (cp_get(data, size, &m, &used) == 0) {
		bug_assert(used > 0 && used <= size);
		bug_assert(m.npath == 0 || cp_path_ok(m.path, m.npath));
		bug_assert(
		    m.npath == 0 ||
		    (m.path[0] != '/' && memchr(m.path, 0, m.npath) == NULL));
		buf_init(&b, size + 64);
		cp_put(&b, &m);
		bug_assert(cp_get(b.data, b.len, &again, &n) == 0);
		bug_assert(n == b.len && again.kind == m.kind &&
			   again.id == m.id && again.number == m.number &&
			   again.size == m.size && again.mode == m.mode &&
			   again.time == m.time && again.npath == m.npath &&
			   again.ntext == m.ntext);
		buf_fini(&b);
		data += used;
		size -= used;
	}
	return 0;
}
