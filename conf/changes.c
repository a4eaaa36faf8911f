#include "conf/changes.h"

#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "conf/key_name.h"

#define CHANGES_LINE_MAX ((size_t)1 << 20)

/* Appends TEXT to what MAP has under NAME. */
static void
changes_add(struct map *map, const char *name, const char *text)
{
	char *was = map_get(map, name);

	(void)map_set(
	    map, name, mem_printf("%s%s", was == NULL ? "" : was, text));
	mem_free(was);
}

static void
changes_option(void *arg, const struct option_line *line)
{
	struct changes *c = arg;
	struct buf text;

	buf_init(&text, CHANGES_LINE_MAX);
	option_line_print(line, 0, &text);
	changes_add(&c->options,
	    line->e->row == NULL ? line->e->name : line->e->row->name,
	    buf_cstr(&text));
	buf_fini(&text);
}

static void
changes_key(struct changes *c, const struct keytables *keys,
    const struct keytable *table, const struct keybinding *kb)
{
	const struct keytable_widths widths = { .repeat = kb->repeat };
	struct buf name, text;

	buf_init(&name, CHANGES_LINE_MAX);
	buf_init(&text, CHANGES_LINE_MAX);
	(void)buf_addf(&name, "%s ", table->name);
	keytable_quote_key(kb->key, &name);
	keytables_print(keys, table, kb, &widths, &text);
	(void)buf_addf(&text, "\n%s", kb->note == NULL ? "" : kb->note);
	changes_add(&c->keys, buf_cstr(&name), buf_cstr(&text));
	buf_fini(&text);
	buf_fini(&name);
}

void
changes_init(struct changes *c, const struct option_trees *trees,
    const struct keytables *keys)
{
	static const unsigned scopes[] = { OPTION_REQ_SERVER, OPTION_REQ_GLOBAL,
		OPTION_REQ_GLOBAL | OPTION_REQ_WINDOW };
	const struct keytable *table;
	size_t i, k;

	map_init_names(&c->options);
	map_init_names(&c->keys);
	for (i = 0; i < ARRAY_LEN(scopes); i++)
		(void)option_request_each(trees,
		    scopes[i] | OPTION_REQ_HOOKS | OPTION_REQ_QUIET, NULL,
		    changes_option, c, NULL);
	for (i = 0; i < keytables_count(keys); i++) {
		table = keytables_at(keys, i);
		for (k = 0; k < table->count; k++)
			changes_key(c, keys, table, &table->bindings[k]);
	}
}

static void
changes_free(struct map *map)
{
	struct map_entry *e;

	MAP_FOREACH(e, map)
		mem_free(e->value);
	map_fini(map);
}

void
changes_fini(struct changes *c)
{
	changes_free(&c->options);
	changes_free(&c->keys);
}

/*
 * Counts the names whose texts differ, also those that only one has, and
 * appends the first of them to OUT, unless it is NULL.
 */
static size_t
changes_differ(const struct map *was, const struct map *is, struct buf *out)
{
	size_t i = 0, k = 0, n = 0;
	const char *name;
	int order;

	while (i < was->count || k < is->count) {
		if (i == was->count)
			order = 1;
		else if (k == is->count)
			order = -1;
		else
			order =
			    strcmp(was->entries[i].name, is->entries[k].name);
		name = order <= 0 ? was->entries[i].name : is->entries[k].name;
		if ((order != 0 || strcmp(was->entries[i].value,
				       is->entries[k].value) != 0) &&
		    n++ < CHANGES_NAMES_MAX && out != NULL)
			(void)buf_addf(
			    out, "%s%s", out->len > 0 ? ", " : "", name);
		i += order <= 0;
		k += order >= 0;
	}
	return n;
}

void
changes_text(
    const struct changes *was, const struct changes *is, struct buf *out)
{
	struct buf text;
	size_t options, keys;

	buf_init(&text, CHANGES_LINE_MAX);
	options = changes_differ(&was->options, &is->options, &text);
	if (options > CHANGES_NAMES_MAX)
		(void)buf_addf(&text, " and %zu more options",
		    options - CHANGES_NAMES_MAX);
	keys = changes_differ(&was->keys, &is->keys, NULL);
	if (keys > 0)
		(void)buf_addf(&text, "%s%zu key%s", text.len > 0 ? ", " : "",
		    keys, keys == 1 ? "" : "s");
	(void)buf_add_str(out, text.len == 0 ? "nothing" : buf_cstr(&text));
	buf_fini(&text);
}
