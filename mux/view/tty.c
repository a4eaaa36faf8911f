#include "mux/view/tty.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "mux/session.h"
#include "mux/view/text.h"
#include "mux/window.h"

#define SETTINGS_MAX (1 << 20) /* bytes of one string */

/* --- settings by TERM ------------------------------------------------------------ */

/* Features by capability: terminfo's and tmux's own. */
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

static void
colours_put(struct buf *b, int64_t colours)
{
	(void)buf_add_str(b, colours >= 256 ? "256," : "-256,-RGB,");
	(void)buf_add_str(b, colours >= 16 ? "16colours," : "-16colours,");
	(void)buf_add_str(b, colours >= 8 ? "8colours," : "-8colours,");
}

/* One part of an override: "Tc", "Smulx=...", "smcup@", "colors=256". */
static void
override_put(struct buf *b, const char *s, size_t n)
{
	size_t name = 0, i;
	bool off = n > 0 && s[n - 1] == '@';

	while (name < n && s[name] != '=' && s[name] != '@')
		name++;
	if (name == 6 && memcmp(s, "colors", 6) == 0 && n > 7) {
		colours_put(b, strtoll(s + 7, NULL, 10));
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

/* Puts the parts of entries "glob:part:part" whose glob matches TERM. */
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

/* Puts lines "N hex" for user-keys. */
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

/* Sets escape_ms, caps and keys of OUT for the terminal of C. */
static void
set_settings(const struct client *c, struct sync_tty *out)
{
	const struct options *o = &c->mux->server_options;
	struct buf b;

	out->escape_ms = (uint32_t)MIN_OF(
	    options_number(o, OPTION_ESCAPE_TIME), (int64_t)INT32_MAX);
	buf_init(&b, SETTINGS_MAX);
	entries_put(
	    &b, options_get(o, OPTION_TERMINAL_FEATURES), c->term, feature_put);
	entries_put(&b, options_get(o, OPTION_TERMINAL_OVERRIDES), c->term,
	    override_put);
	if (!options_flag(o, OPTION_CLEAR_ON_ATTACH))
		(void)buf_add_str(&b, "-altscreen,");
	vt_str_unref(out->caps);
	out->caps = vt_str_new((const char *)b.data, b.len);
	buf_clear(&b);
	/* security: a guest does not learn which keys are bound here. */
	if (!c->guest)
		keys_put(&b, options_get(o, OPTION_USER_KEYS));
	vt_str_unref(out->keys);
	out->keys = vt_str_new((const char *)b.data, b.len);
	buf_fini(&b);
}

/* --- modes and title -------------------------------------------------------------- */

static uint32_t
tty_flags(const struct client *c, const struct window *w, int64_t paths)
{
	uint32_t flags = SYNC_TTY_PASTE;

	if (c->flags & CLIENT_READONLY)
		flags |= SYNC_TTY_READONLY;
	if (w->active->flags & PANE_INPUT_OFF)
		flags |= SYNC_TTY_PREDICT_OFF;
	if (options_flag(&c->mux->server_options, OPTION_FOCUS_EVENTS))
		flags |= SYNC_TTY_FOCUS;
	if (paths == PATHS_SINGLE)
		flags |= SYNC_TTY_PATHS_SINGLE;
	else if (paths == PATHS_DUPLICATE)
		flags |= SYNC_TTY_PATHS_DUPLICATE;
	else if (paths == PATHS_AGGREGATE)
		flags |= SYNC_TTY_PATHS_AGGREGATE;
	return flags;
}

/* The mouse mode of the focused pane; the option mouse may ask for more. */
static uint8_t
tty_mouse(const struct options *o, uint8_t pane)
{
	uint8_t wanted = VT_MOUSE_BUTTON;

	if (!options_flag(o, OPTION_MOUSE))
		return pane;
	if (options_flag(o, OPTION_FOCUS_FOLLOWS_MOUSE))
		wanted = VT_MOUSE_ANY;
	return MAX_OF(pane, wanted);
}

static void
set_title(const struct view_context *cx, struct sync_tty *out)
{
	const struct options *o = &cx->client->session->options;
	char *title;

	vt_str_unref(out->title);
	out->title = NULL;
	if (!options_flag(o, OPTION_SET_TITLES))
		return;
	out->flags |= SYNC_TTY_TITLE;
	title = cx->host->expand(cx->arg, cx->client, NULL, NULL, 0,
	    options_string(o, OPTION_SET_TITLES_STRING), FORMAT_STRFTIME);
	out->title = vt_str_new(title, strlen(title));
	mem_free(title);
}

/*
 * The level of modifyOtherKeys that a binding or the option extended-keys needs,
 * or that the program asks for (PROGRAM), as far as the option lets it.
 */
static uint8_t
tty_other(const struct view_builder *b, uint8_t program)
{
	const int64_t extended = options_number(
	    &b->cx.client->mux->server_options, OPTION_EXTENDED_KEYS);

	if (b->keys_extended || extended == EXTENDED_KEYS_ALWAYS)
		return VIEW_MODIFY_OTHER_ALL;
	return extended == EXTENDED_KEYS_OFF ? 0
					     : MAX_OF(program, b->other_wanted);
}

void
view_tty_set(
    struct view_builder *b, struct sync_tty *out, const struct window *w)
{
	const struct client *c = b->cx.client;
	const struct options *o = &c->options;
	const struct options *so = &c->mux->server_options;
	const struct vt_frame_state *st = vt_term_state(client_pane(c)->term);

	out->flags = tty_flags(c, w, options_number(o, OPTION_PATHS));
	out->predict = (uint8_t)options_number(o, OPTION_PREDICT);
	out->mouse = MAX_OF(tty_mouse(o, st->mouse_mode), b->mouse_wanted);
	if (st->mouse_encoding == VT_MOUSE_SGR_PIXELS || b->pixels_wanted)
		out->flags |= SYNC_TTY_PIXELS;
	out->kitty = st->kitty_flags | b->kitty_wanted;
	out->modify_other = tty_other(b, st->modify_other);
	/* The strings of the last view are valid until an option changes. */
	if (b->tty_changes != so->changes + 1) {
		set_settings(c, out);
		b->tty_changes = so->changes + 1;
	}
	set_title(&b->cx, out);
}
