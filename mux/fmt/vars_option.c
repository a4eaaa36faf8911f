/* The variables of a round of O: (option_*) and of V: (environ_*). */
#include "mux/fmt/vars_int.h"

bool
var_environ_hidden(const struct vars *v, struct buf *out)
{
	return v->item != NULL && v->item->var != NULL &&
	       put_flag(out, v->item->var->hidden);
}

bool
var_environ_name(const struct vars *v, struct buf *out)
{
	return v->item != NULL && v->item->var != NULL &&
	       put_str(out, v->item->name);
}

bool
var_environ_removed(const struct vars *v, struct buf *out)
{
	return v->item != NULL && v->item->var != NULL &&
	       put_flag(out, v->item->var->value == NULL);
}

bool
var_environ_value(const struct vars *v, struct buf *out)
{
	return v->item != NULL && v->item->var != NULL &&
	       put_str(out, v->item->var->value);
}

/* The option of this round, or NULL. */
static const struct option_entry *
option_of(const struct vars *v)
{
	return v->item == NULL ? NULL : v->item->option;
}

static bool
has_flag(const struct vars *v, unsigned flag, struct buf *out)
{
	const struct option_entry *e = option_of(v);

	return e != NULL &&
	       put_flag(out, e->row != NULL && (e->row->flags & flag) != 0);
}

static bool
is_array(const struct option_entry *e)
{
	return e->row != NULL && (e->row->flags & OPT_ARRAY) != 0;
}

/* Items of the array; 0 for another option. */
static size_t
items_of(const struct option_entry *e)
{
	return is_array(e) ? e->count : 0;
}

bool
var_option_array_count(const struct vars *v, struct buf *out)
{
	const struct option_entry *e = option_of(v);

	return e != NULL && put_int(out, (int64_t)items_of(e));
}

bool
var_option_array_first(const struct vars *v, struct buf *out)
{
	const struct option_entry *e = option_of(v);

	return e != NULL && put_flag(out, is_array(e) && v->item->at == 0);
}

bool
var_option_array_index(const struct vars *v, struct buf *out)
{
	const struct option_entry *e = option_of(v);

	return e != NULL && items_of(e) > 0 &&
	       put_int(out, (int64_t)v->item->at);
}

bool
var_option_array_key(const struct vars *v, struct buf *out)
{
	const struct option_entry *e = option_of(v);
	const struct option_item *it;
	char key[16];

	if (e == NULL || items_of(e) == 0)
		return false;
	it = &e->items[v->item->at];
	return put_str(
	    out, option_key_text(it->index, it->word, key, sizeof(key)));
}

bool
var_option_array_last(const struct vars *v, struct buf *out)
{
	const struct option_entry *e = option_of(v);

	return e != NULL &&
	       put_flag(out, is_array(e) && v->item->at + 1 >= items_of(e));
}

bool
var_option_is_array(const struct vars *v, struct buf *out)
{
	return has_flag(v, OPT_ARRAY, out);
}

bool
var_option_is_hook(const struct vars *v, struct buf *out)
{
	return has_flag(v, OPT_HOOK, out);
}

bool
var_option_is_user(const struct vars *v, struct buf *out)
{
	const struct option_entry *e = option_of(v);

	return e != NULL && put_flag(out, e->row == NULL);
}

bool
var_option_name(const struct vars *v, struct buf *out)
{
	return option_of(v) != NULL && put_str(out, v->item->name);
}

bool
var_option_value(const struct vars *v, struct buf *out)
{
	const struct option_entry *e = option_of(v);

	if (e == NULL || v->item->value == NULL)
		return false;
	option_value_print(e->row, v->item->value, false, out);
	return true;
}
