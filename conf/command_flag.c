#include "config.h"

#include "base/mem.h"
#include "conf/command_flag.h"

/* The rows of one command stand together. */
static const struct command_flag_row rows[] = {
#define F(i, f, a, t) \
 { .id = COMMAND_##i, .flag = (f), .argument = (a), .text = (t) },
#include "conf/command_flag.def"
#undef F
};

const struct command_flag_row *
command_flag_rows(enum command_id id, size_t *count)
{
	size_t first = 0, n = 0;

	while (first < ARRAY_LEN(rows) && rows[first].id != id)
		first++;
	while (first + n < ARRAY_LEN(rows) && rows[first + n].id == id)
		n++;
	*count = n;
	return n == 0 ? NULL : &rows[first];
}
