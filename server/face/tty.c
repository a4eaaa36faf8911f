#include "server/face/tty.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/key.h"
#include "base/mem.h"
#include "mux/client.h"
#include "mux/mux.h"

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
tty_settings(const struct mux *m, const struct client *c, struct sync_tty *out)
{
	const struct options *o = &m->server_options;
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
