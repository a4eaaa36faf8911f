#include "server/core/settings.h"

#include <stdlib.h>
#include <string.h>

#include "base/grapheme.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"
#include "mux/client.h"
#include "mux/mux.h"
#include "mux/window.h"
#include "server/run/run.h"

struct settings {
	struct run *run;
	char *widths; /* the options that the table was made from, or NULL */
};

/* --- widths ------------------------------------------------------------------- */

/* Parses "U+1F600" or a plain character; returns the bytes used, or 0. */
static size_t
width_point(const char *s, uint32_t *cp)
{
	unsigned long v;
	size_t used;
	char *end;

	if (s[0] == 'U' && s[1] == '+' && str_hex_digit(s[2]) >= 0) {
		v = strtoul(s + 2, &end, 16);
		*cp = (uint32_t)MIN_OF(v, 0x110000ul);
		return (size_t)(end - s);
	}
	if (*s == '\0')
		return 0;
	used = utf8_decode_final((const uint8_t *)s, strlen(s), cp);
	return used;
}

/* Parses "U+2460=2" or "U+E000-U+F8FF=2"; false if it is neither. */
static bool
width_parse(const char *s, struct grapheme_override *o)
{
	size_t n = width_point(s, &o->first);

	if (n == 0)
		return false;
	s += n;
	o->last = o->first;
	if (*s == '-') {
		n = width_point(++s, &o->last);
		if (n == 0)
			return false;
		s += n;
	}
	if (s[0] != '=' || s[1] < '0' || s[1] > '2' || s[2] != '\0')
		return false;
	o->width = (uint8_t)(s[1] - '0');
	return o->first <= o->last && o->last < 0x110000;
}

/* Rebuilds the table of widths. Text on screens keeps its old widths. */
static void
apply_widths(struct settings *st)
{
	const struct options *o = &st->run->mux->server_options;
	const struct option_entry *e = options_get(o, OPTION_CODEPOINT_WIDTHS);
	struct grapheme_options opt = { .overrides = NULL };
	struct grapheme_override *rows;
	struct buf text;
	size_t i;

	opt.vs16_narrow =
	    !options_flag(o, OPTION_VARIATION_SELECTOR_ALWAYS_WIDE);
	opt.ambiguous_wide =
	    options_number(o, OPTION_AMBIGUOUS_WIDTH) == AMBIGUOUS_WIDTH_WIDE;
	buf_init(&text, 16 << 20);
	(void)buf_addf(&text, "%d%d", opt.vs16_narrow, opt.ambiguous_wide);
	for (i = 0; i < e->count; i++)
		(void)buf_addf(&text, "\n%s", e->items[i].value.string);
	/*
	 * Making the table takes milliseconds: skip it if nothing has changed.
	 */
	if (strcmp(buf_cstr(&text), st->widths == NULL ? "00" : st->widths) ==
	    0) {
		buf_fini(&text);
		return;
	}
	mem_free(st->widths);
	st->widths = buf_steal(&text, NULL);
	rows = mem_calloc(e->count + 1, sizeof(*rows));
	for (i = 0; i < e->count; i++)
		opt.override_count += width_parse(
		    e->items[i].value.string, &rows[opt.override_count]);
	opt.overrides = rows;
	grapheme_table_set(st->run->graphemes, &opt);
	mem_free(rows);
}

void
settings_apply(struct settings *st, unsigned effects)
{
	struct map_entry *e;

	if (effects & OPT_ON_WIDTHS)
		apply_widths(st);
	if (effects & (OPT_ON_TERMINAL | OPT_ON_PANES))
		MAP_FOREACH(e, &st->run->mux->panes)
			pane_options_changed(e->value);
	if (effects & OPT_ON_TTY)
		MAP_FOREACH(e, &st->run->mux->clients)
			client_outer_changed(e->value);
}

struct settings *
settings_new(struct run *run)
{
	struct settings *st = mem_zalloc(sizeof(*st));

	st->run = run;
	return st;
}

void
settings_free(struct settings *st)
{
	if (st == NULL)
		return;
	mem_free(st->widths);
	mem_free(st);
}
