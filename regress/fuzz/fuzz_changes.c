/*
 * Reports of config-watch: option commands, then an empty line and other commands.
 * The words about the change are short, and there is none between equal options.
 */
#include "config.h"

#include <string.h>

#include "base/mem.h"
#include "conf/bind.h"
#include "conf/changes.h"
#include "regress/unit/conf_world.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	char *text = mem_strndup((const char *)data, n), *line, *rest = text;
	struct changes was, is;
	struct keytables *keys = keytables_new(&bind_ops);
	struct conf_world w;
	struct buf out;

	conf_world_init(&w);
	while ((line = strsep(&rest, "\n")) != NULL && *line != '\0')
		conf_world_run(&w, line);
	changes_init(&was, &w.trees, keys);
	buf_init(&out, (size_t)1 << 20);
	changes_text(&was, &was, &out);
	bug_assert(strcmp(buf_cstr(&out), "nothing") == 0);
	while ((line = strsep(&rest, "\n")) != NULL) {
		buf_clear(&w.out);
		conf_world_run(&w, line);
	}
	changes_init(&is, &w.trees, keys);
	buf_clear(&out);
	changes_text(&was, &is, &out);
	bug_assert(!out.overflow && out.len > 0);
	changes_fini(&is);
	changes_fini(&was);
	buf_fini(&out);
	conf_world_fini(&w);
	keytables_free(keys);
	mem_free(text);
	return 0;
}
