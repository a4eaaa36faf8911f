#include "regress/unit/conf_equal.h"

#include <string.h>

static bool
args_values_equal(const struct args_value *a, size_t a_count,
    const struct args_value *b, size_t b_count)
{
	size_t i;

	if (a_count != b_count)
		return false;
	for (i = 0; i < a_count; i++) {
		if ((a[i].text == NULL) != (b[i].text == NULL))
			return false;
		if (a[i].text != NULL && strcmp(a[i].text, b[i].text) != 0)
			return false;
		if (a[i].text == NULL && !cmdlist_equal(a[i].block, b[i].block))
			return false;
	}
	return true;
}

static bool
args_equal(const struct args *a, const struct args *b)
{
	const struct args_flag *f, *g;
	size_t i;

	if (a->flag_count != b->flag_count)
		return false;
	for (i = 0; i < a->flag_count; i++) {
		f = &a->flags[i];
		g = &b->flags[i];
		if (f->flag != g->flag || f->times != g->times ||
		    !args_values_equal(
			f->values, f->count, g->values, g->count))
			return false;
	}
	return args_values_equal(a->values, a->count, b->values, b->count);
}

bool
cmdlist_equal(const struct cmdlist *a, const struct cmdlist *b)
{
	bool a_same, b_same;
	size_t i;

	if (a->count != b->count)
		return false;
	for (i = 0; i < a->count; i++) {
		if (a->cmds[i]->row != b->cmds[i]->row ||
		    !args_equal(a->cmds[i]->args, b->cmds[i]->args))
			return false;
		if (i == 0)
			continue;
		a_same = a->cmds[i]->group == a->cmds[i - 1]->group;
		b_same = b->cmds[i]->group == b->cmds[i - 1]->group;
		if (a_same != b_same)
			return false;
	}
	return true;
}
