/*
 * Option commands: runs each line of the input (set, show and the like) on
 * scratch trees, then prints every value and sets it from the print: the value
 * must be the same.
 */
#include "config.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/mem.h"
#include "regress/unit/conf_world.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

/* Sets the printed value of E in a fresh tree, and compares. */
static void
fuzz_again(const struct option_entry *e)
{
	struct option_name name = { .row = e->row, .index = OPTION_NO_INDEX };
	struct option_value v;
	struct buf text, again;

	if (e->row == NULL || (e->row->flags & OPT_ARRAY) ||
	    e->row->type == OPTION_COMMAND)
		return;
	buf_init(&text, (size_t)1 << 21);
	option_value_print(e->row, &e->value, false, &text);
	bug_assert(option_value_parse(
		       name.row, buf_cstr(&text), NULL, NULL, &v, NULL) == 0);
	buf_init(&again, (size_t)1 << 21);
	option_value_print(e->row, &v, false, &again);
	bug_assert(strcmp(buf_cstr(&text), buf_cstr(&again)) == 0);
	buf_fini(&again);
	option_value_fini(&v);
	buf_fini(&text);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	char *text = mem_strndup((const char *)data, n), *line, *rest = text;
	struct conf_world w;
	size_t i;

	conf_world_init(&w);
	while ((line = strsep(&rest, "\n")) != NULL) {
		buf_clear(&w.out);
		conf_world_run(&w, line);
	}
	for (i = 0; i < w.session.count; i++)
		fuzz_again(w.session.entries[i]);
	for (i = 0; i < w.server.count; i++)
		fuzz_again(w.server.entries[i]);
	for (i = 0; i < w.global_window.count; i++)
		fuzz_again(w.global_window.entries[i]);
	conf_world_fini(&w);
	mem_free(text);
	return 0;
}
