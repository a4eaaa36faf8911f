#include "server/settings.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/grapheme.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"
#include "mux/client.h"
#include "mux/window.h"
#include "server/server.h"

/* --- widths ------------------------------------------------------------------- */

/* "U+1F600", or a character as it is; bytes used, or 0. */
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

/* "U+2460=2", "U+E000-U+F8FF=2"; false if it is neither. */
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

/* Texts on the screen keep the widths that they were written with. */
static void
apply_widths(struct server *sv)
{
	const struct options *o = &sv->mux->server_options;
	const struct option_entry *e = options_get(o, OPTION_CODEPOINT_WIDTHS);
	struct grapheme_options opt = { .overrides = NULL };
	struct grapheme_override *rows;
	struct buf text;
	size_t i;

	opt.vs16_narrow =
	    !options_flag(o, OPTION_VARIATION_SELECTOR_ALWAYS_WIDE);
	buf_init(&text, 16 << 20);
	(void)buf_add_u8(&text, opt.vs16_narrow ? '1' : '0');
	for (i = 0; i < e->count; i++)
		(void)buf_addf(&text, "\n%s", e->items[i].value.string);
	/* The table takes some milliseconds: not with every option. */
	if (strcmp(buf_cstr(&text), sv->widths == NULL ? "0" : sv->widths) ==
	    0) {
		buf_fini(&text);
		return;
	}
	mem_free(sv->widths);
	sv->widths = buf_steal(&text, NULL);
	rows = mem_calloc(e->count + 1, sizeof(*rows));
	for (i = 0; i < e->count; i++)
		opt.override_count += width_parse(
		    e->items[i].value.string, &rows[opt.override_count]);
	opt.overrides = rows;
	grapheme_table_set(sv->graphemes, &opt);
	mem_free(rows);
}

void
settings_apply(struct server *sv)
{
	struct map_entry *e;

	apply_widths(sv);
	MAP_FOREACH(e, &sv->mux->panes)
		pane_options_changed(e->value);
}

/* --- the client ---------------------------------------------------------------- */

/* Capabilities of terminfo, and tmux's own, by the feature that they are of. */
static const struct {
	const char *capability;
	const char *feature;
} capabilities[] = {
	/* clang-format off */
	{ "Tc", "RGB" }, { "RGB", "RGB" }, { "setrgbf", "RGB" },
	{ "setrgbb", "RGB" }, { "Smulx", "usstyle" }, { "Setulc", "usstyle" },
	{ "Setulc1", "usstyle" }, { "Su", "usstyle" }, { "Smol", "overline" },
	{ "Ss", "cstyle" }, { "Se", "cstyle" }, { "Cs", "ccolour" },
	{ "Cr", "ccolour" }, { "Ms", "clipboard" }, { "tsl", "title" },
	{ "fsl", "title" }, { "sitm", "italics" }, { "dim", "dim" },
	{ "smxx", "strikethrough" }, { "Hls", "hyperlinks" },
	{ "Sync", "sync" }, { "Enbp", "bpaste" }, { "Enfcs", "focus" },
	{ "Eneks", "extkeys" }, { "Enmg", "margins" }, { "Cmg", "margins" },
	{ "Rect", "rectfill" }, { "Swd", "osc7" }, { "kmous", "mouse" },
	{ "bce", "bce" }, { "csr", "scroll" }, { "smcup", "altscreen" },
	{ "rmcup", "altscreen" }, { "Spb", "progressbar" },
	/* clang-format on */
};

/* One part of an override: "Tc", "Smulx=...", "smcup@", "colors=256". */
static void
override_put(struct buf *b, const char *s, size_t n)
{
	size_t name = 0, i;
	bool off = n > 0 && s[n - 1] == '@';

	while (name < n && s[name] != '=' && s[name] != '@')
		name++;
	if (name == 6 && memcmp(s, "colors", 6) == 0 && n > 7) {
		int64_t colours = strtoll(s + 7, NULL, 10);

		(void)buf_add_str(b, colours >= 256 ? "256," : "-256,-RGB,");
		return;
	}
	if (name == 2 && memcmp(s, "U8", 2) == 0 && n > 3) {
		(void)buf_add_str(b, s[3] == '0' ? "-utf8," : "utf8,");
		return;
	}
	for (i = 0; i < ARRAY_LEN(capabilities); i++)
		if (strlen(capabilities[i].capability) == name &&
		    memcmp(capabilities[i].capability, s, name) == 0)
			(void)buf_addf(b, "%s%s,", off ? "-" : "",
			    capabilities[i].feature);
}

static void
feature_put(struct buf *b, const char *s, size_t n)
{
	(void)buf_add(b, s, n);
	(void)buf_add_u8(b, ',');
}

/* "glob:part:part": the parts of entries whose glob the terminal's name fits. */
static void
entries_put(struct buf *b, const struct option_entry *e, const char *term,
    void (*put)(struct buf *b, const char *s, size_t n))
{
	const char *s, *end;
	char *glob;
	size_t i;
	bool fits;

	for (i = 0; i < e->count; i++) {
		s = e->items[i].value.string;
		end = strchr(s, ':');
		if (end == NULL)
			continue;
		glob = mem_strndup(s, (size_t)(end - s));
		fits = fnmatch(glob, term, 0) == 0;
		mem_free(glob);
		while (fits && end != NULL) {
			s = end + 1;
			end = strchr(s, ':');
			put(b, s, end == NULL ? strlen(s) : (size_t)(end - s));
		}
	}
}

static void
keys_put(struct buf *b, const struct option_entry *e)
{
	const char *s;
	size_t i;

	for (i = 0; i < e->count; i++) {
		s = e->items[i].value.string;
		if (e->items[i].index >= KEY_USER_COUNT || *s == '\0')
			continue;
		(void)buf_addf(b, "%u ", (unsigned)e->items[i].index);
		for (; *s != '\0'; s++)
			(void)buf_addf(b, "%02x", (unsigned)(uint8_t)*s);
		(void)buf_add_u8(b, '\n');
	}
}

void
settings_client(struct server *sv, const struct client *c, struct sync_tty *out)
{
	const struct options *o = &sv->mux->server_options;
	struct buf b;

	out->escape_ms = (uint32_t)MIN_OF(
	    options_number(o, OPTION_ESCAPE_TIME), (int64_t)INT32_MAX);
	buf_init(&b, 1 << 20);
	entries_put(
	    &b, options_get(o, OPTION_TERMINAL_FEATURES), c->term, feature_put);
	entries_put(&b, options_get(o, OPTION_TERMINAL_OVERRIDES), c->term,
	    override_put);
	vt_str_unref(out->caps);
	out->caps = vt_str_new((const char *)b.data, b.len);
	buf_clear(&b);
	/* security: what keys are bound here is no guest's business. */
	if (!c->guest)
		keys_put(&b, options_get(o, OPTION_USER_KEYS));
	vt_str_unref(out->keys);
	out->keys = vt_str_new((const char *)b.data, b.len);
	buf_fini(&b);
}
