#include "client/term/caps.h"

#include <stdlib.h>
#include <string.h>

#include "base/colour.h"
#include "base/mem.h"
#include "base/str.h"

static const char *const cap_names[] = {
#define X(name, text, what) [TERM_CAP_INDEX_##name] = text,
#include "client/term/caps.def"
#undef X
};

_Static_assert(ARRAY_LEN(cap_names) == TERM_CAP_COUNT, "one name each");
_Static_assert(TERM_CAP_COUNT <= 64, "bits of term_caps");

#define CAPS_BASIC TERM_CAP(SCROLL)
#define CAPS_ANSI (CAPS_BASIC | TERM_CAP(8COLOURS) | TERM_CAP(16COLOURS))
#define CAPS_COLOURS \
 (TERM_CAP(8COLOURS) | TERM_CAP(16COLOURS) | TERM_CAP(256) | TERM_CAP(RGB))
#define CAPS_XTERM                                                         \
 (CAPS_ANSI | TERM_CAP(256) | TERM_CAP(BPASTE) | TERM_CAP(CSTYLE) |        \
     TERM_CAP(CLIPBOARD) | TERM_CAP(FOCUS) | TERM_CAP(MOUSE) |             \
     TERM_CAP(TITLE) | TERM_CAP(BCE) | TERM_CAP(ITALICS) | TERM_CAP(DIM) | \
     TERM_CAP(ALTSCREEN) | TERM_CAP(STRIKETHROUGH))
#define XTERM_16 (CAPS_XTERM & ~TERM_CAP(256))
#define CAPS_MODERN                                                     \
 (CAPS_XTERM | TERM_CAP(RGB) | TERM_CAP(USSTYLE) | TERM_CAP(OVERLINE) | \
     TERM_CAP(HYPERLINKS) | TERM_CAP(CCOLOUR))

/* TERM names. The first match applies; a star at the end matches any rest. */
static const struct caps_row {
	const char *name;
	term_caps caps;
} caps_rows[] = {
	{ "dumb", 0 },
	{ "vt52", 0 },
	{ "vt1*", CAPS_BASIC },
	{ "vt2*", CAPS_BASIC },
	{ "vt3*", CAPS_BASIC },
	{ "vt4*", CAPS_BASIC },
	{ "vt5*", CAPS_BASIC },
	{ "eterm*", CAPS_BASIC | TERM_CAP(8COLOURS) },
	{ "linux*",
	    CAPS_ANSI | TERM_CAP(BPASTE) | TERM_CAP(BCE) | TERM_CAP(DIM) },
	{ "xterm-kitty", CAPS_MODERN | TERM_CAP(KITTY) | TERM_CAP(SYNC) |
			     TERM_CAP(POINTER) },
	{ "kitty*", CAPS_MODERN | TERM_CAP(KITTY) | TERM_CAP(SYNC) |
			TERM_CAP(POINTER) },
	{ "xterm-ghostty", CAPS_MODERN | TERM_CAP(KITTY) | TERM_CAP(EXTKEYS) |
			       TERM_CAP(SYNC) | TERM_CAP(POINTER) },
	{ "foot*", CAPS_MODERN | TERM_CAP(KITTY) | TERM_CAP(EXTKEYS) |
		       TERM_CAP(SYNC) | TERM_CAP(POINTER) },
	{ "alacritty*", CAPS_MODERN | TERM_CAP(SYNC) },
	{ "wezterm*", CAPS_MODERN | TERM_CAP(EXTKEYS) | TERM_CAP(SYNC) },
	{ "contour*", CAPS_MODERN | TERM_CAP(EXTKEYS) | TERM_CAP(SYNC) },
	{ "mintty*", CAPS_MODERN | TERM_CAP(EXTKEYS) },
	{ "iterm2*", CAPS_MODERN | TERM_CAP(EXTKEYS) | TERM_CAP(SYNC) },
	{ "konsole*", CAPS_XTERM | TERM_CAP(RGB) },
	{ "gnome*", CAPS_XTERM | TERM_CAP(RGB) },
	{ "vte*", CAPS_XTERM | TERM_CAP(RGB) },
	{ "st-*", CAPS_XTERM | TERM_CAP(RGB) },
	{ "tmux*", (CAPS_XTERM & ~TERM_CAP(BCE)) | TERM_CAP(OVERLINE) |
		       TERM_CAP(USSTYLE) | TERM_CAP(HYPERLINKS) },
	{ "screen*", CAPS_XTERM & ~(TERM_CAP(BCE) | TERM_CAP(STRIKETHROUGH) |
				      TERM_CAP(CSTYLE)) },
	{ "rxvt-unicode*", CAPS_XTERM & ~TERM_CAP(STRIKETHROUGH) },
	{ "rxvt*", CAPS_XTERM & ~(TERM_CAP(STRIKETHROUGH) | TERM_CAP(256) |
				    TERM_CAP(CSTYLE)) },
	{ "xterm-direct*", CAPS_XTERM | TERM_CAP(RGB) },
	{ "xterm-16color*", XTERM_16 },
	/* Many terminals say that they are xterm; XTVERSION and DA2 tell. */
	{ "xterm*", CAPS_XTERM },
	{ "*", CAPS_ANSI },
};

static bool
caps_match(const char *pattern, const char *name)
{
	size_t n = strlen(pattern);

	if (n > 0 && pattern[n - 1] == '*')
		return strncmp(pattern, name, n - 1) == 0;
	return strcmp(pattern, name) == 0;
}

term_caps
term_caps_from_name(const char *term, const char *colorterm)
{
	term_caps caps = 0;
	size_t i;

	if (term == NULL || *term == '\0')
		term = "dumb";
	for (i = 0; i < ARRAY_LEN(caps_rows); i++)
		if (caps_match(caps_rows[i].name, term)) {
			caps = caps_rows[i].caps;
			break;
		}
	if (caps == 0)
		return 0;
	if (str_ends(term, "-m") || str_ends(term, "-mono"))
		return caps & ~CAPS_COLOURS;
	if (strstr(term, "256color") != NULL)
		caps |= TERM_CAP(256);
	if (str_ends(term, "-direct") || str_ends(term, "-truecolor"))
		caps |= TERM_CAP(RGB) | TERM_CAP(256);
	if (colorterm != NULL && (strcmp(colorterm, "truecolor") == 0 ||
				     strcmp(colorterm, "24bit") == 0))
		caps |= TERM_CAP(RGB) | TERM_CAP(256);
	return caps;
}

/* Private modes that a terminal may recognise (DECRPM value not 0 or 4). */
static const struct caps_mode {
	uint32_t mode;
	term_caps caps;
} caps_modes[] = {
	{ 69, TERM_CAP(MARGINS) },
	{ 1004, TERM_CAP(FOCUS) },
	{ 1006, TERM_CAP(MOUSE) },
	{ 1016, TERM_CAP(PIXELS) },
	{ 2004, TERM_CAP(BPASTE) },
	{ 2026, TERM_CAP(SYNC) },
	{ 2031, TERM_CAP(THEME) },
	{ 2079, TERM_CAP(NESTED) },
};

/* Terminals by their XTVERSION answer. */
static const struct caps_row caps_versions[] = {
	{ "kitty*", CAPS_MODERN | TERM_CAP(KITTY) | TERM_CAP(NOTIFY) |
			TERM_CAP(POINTER) },
	/* foot answers about OSC 99 itself, as kitty does. */
	{ "foot*", CAPS_MODERN | TERM_CAP(KITTY) | TERM_CAP(EXTKEYS) |
		       TERM_CAP(NOTIFY) | TERM_CAP(NOTIFY_TITLE) |
		       TERM_CAP(POINTER) },
	{ "ghostty*", CAPS_MODERN | TERM_CAP(KITTY) | TERM_CAP(EXTKEYS) |
			  TERM_CAP(NOTIFY) | TERM_CAP(NOTIFY_TITLE) |
			  TERM_CAP(PROGRESSBAR) | TERM_CAP(POINTER) },
	{ "WezTerm*", CAPS_MODERN | TERM_CAP(EXTKEYS) | TERM_CAP(NOTIFY) |
			  TERM_CAP(NOTIFY_TITLE) | TERM_CAP(DOUBLESIZE) },
	{ "iTerm2*", CAPS_MODERN | TERM_CAP(EXTKEYS) | TERM_CAP(NOTIFY) },
	{ "contour*", CAPS_MODERN | TERM_CAP(EXTKEYS) },
	{ "mintty*", CAPS_MODERN | TERM_CAP(EXTKEYS) | TERM_CAP(DOUBLESIZE) },
	{ "VTE*", CAPS_MODERN },
	{ "Konsole*", CAPS_MODERN | TERM_CAP(DOUBLESIZE) },
	{ "rmux*", CAPS_MODERN | TERM_CAP(EXTKEYS) | TERM_CAP(POINTER) |
		       TERM_CAP(TEXTSIZE) | TERM_CAP(DOUBLESIZE) },
	{ "tmux*", CAPS_XTERM | TERM_CAP(RGB) | TERM_CAP(EXTKEYS) |
		       TERM_CAP(USSTYLE) | TERM_CAP(OVERLINE) |
		       TERM_CAP(HYPERLINKS) },
	/* Its colours: caps_since. */
	{ "XTerm*", (CAPS_XTERM & ~CAPS_COLOURS) | TERM_CAP(EXTKEYS) |
			TERM_CAP(RECTFILL) | TERM_CAP(POINTERX11) |
			TERM_CAP(DOUBLESIZE) },
};

/* What the versions of a terminal from one on have in addition. */
static const struct caps_since {
	const char *name; /* before its version in the XTVERSION answer */
	unsigned long version[3];
	term_caps needs; /* by its TERM */
	term_caps caps;
} caps_since[] = {
	{ "kitty(", { 0, 40, 0 }, 0, TERM_CAP(TEXTSIZE) },
	/* Some older ones show OSC 9;4 as the notification "4;1;50". */
	{ "kitty(", { 0, 39, 0 }, 0, TERM_CAP(PROGRESSBAR) },
	{ "VTE(", { 7900, 0, 0 }, 0, TERM_CAP(PROGRESSBAR) },
	{ "iTerm2 ", { 3, 6, 6 }, 0, TERM_CAP(PROGRESSBAR) },
	{ "WezTerm ", { 20250215, 0, 0 }, 0, TERM_CAP(PROGRESSBAR) },
	{ "Konsole ", { 26, 4, 0 }, 0, TERM_CAP(PROGRESSBAR) },
	{ "XTerm(", { 331, 0, 0 }, TERM_CAP(256), TERM_CAP(RGB) },
};

/* Whether the version that TEXT begins with is VERSION or a later one. */
static bool
is_since(const char *text, const unsigned long version[3])
{
	unsigned long n;
	char *end;
	size_t i;

	for (i = 0; i < 3; i++) {
		n = strtoul(text, &end, 10);
		if (n != version[i])
			return n > version[i];
		text = *end == '.' ? end + 1 : "";
	}
	return true;
}

/* Returns what the version in NAME adds to a terminal with CAPS. */
static term_caps
caps_by_version(const char *name, term_caps caps)
{
	const struct caps_since *row;
	term_caps more = 0;

	for (row = caps_since; row < caps_since + ARRAY_LEN(caps_since); row++)
		if (str_starts(name, row->name) &&
		    (caps & row->needs) == row->needs &&
		    is_since(name + strlen(row->name), row->version))
			more |= row->caps;
	return more;
}

/* Whether OSC 99 answers "i=rmux:p=?". */
static bool
caps_notices(const uint8_t *p, size_t n)
{
	static const char id[] = "i=rmux", what[] = "p=?";
	const uint8_t *end = n == 0 ? NULL : memchr(p, ';', n);

	if (end == NULL)
		return false;
	n = (size_t)(end - p);
	return memmem(p, n, id, sizeof(id) - 1) != NULL &&
	       memmem(p, n, what, sizeof(what) - 1) != NULL;
}

term_caps
term_caps_from_reply(term_caps caps, const struct term_event *ev)
{
	char name[32];
	unsigned k;
	size_t i, n;

	switch (ev->reply) {
	case TERM_REPLY_DA1:
		for (k = 1; k < ev->nparams; k++) {
			if (ev->params[k] == 4)
				caps |= TERM_CAP(SIXEL);
			if (ev->params[k] == 28)
				caps |= TERM_CAP(RECTFILL);
			if (ev->params[k] == 52)
				caps |= TERM_CAP(CLIPBOARD);
		}
		break;
	case TERM_REPLY_MODE:
		for (i = 0; i < ARRAY_LEN(caps_modes); i++)
			if (ev->nparams >= 2 &&
			    caps_modes[i].mode == ev->params[0] &&
			    ev->params[1] >= 1 && ev->params[1] <= 3)
				caps |= caps_modes[i].caps;
		break;
	case TERM_REPLY_DA2:
		/* xterm as a VT420, also before it had XTVERSION. */
		if (ev->nparams >= 2 && ev->params[0] == 41)
			caps |= TERM_CAP(EXTKEYS);
		/* Windows Terminal and the console, whose parser it has. */
		if (ev->nparams >= 3 && ev->params[0] == 0 &&
		    ev->params[1] == 10 && ev->params[2] == 1)
			caps |= TERM_CAP(PROGRESSBAR);
		break;
	case TERM_REPLY_OSC:
		if (ev->nparams >= 1 && ev->params[0] == 99 &&
		    caps_notices(ev->data, ev->len))
			caps |= TERM_CAP(NOTIFY_KITTY);
		break;
	case TERM_REPLY_KITTY:
		caps |= TERM_CAP(KITTY);
		break;
	case TERM_REPLY_XTVERSION:
		n = MIN_OF(ev->len, sizeof(name) - 1);
		memcpy(name, ev->data, n);
		name[n] = '\0';
		for (i = 0; i < ARRAY_LEN(caps_versions); i++)
			if (caps_match(caps_versions[i].name, name))
				caps |= caps_versions[i].caps;
		caps |= caps_by_version(name, caps);
		break;
	default:
		break;
	}
	return caps;
}

term_caps
term_caps_change(term_caps caps, const char *list, size_t n, size_t *unknown)
{
	const char *end = list + n, *comma;
	size_t len, i;
	bool off;

	*unknown = 0;
	while (list < end) {
		comma = memchr(list, ',', (size_t)(end - list));
		len = (size_t)((comma == NULL ? end : comma) - list);
		off = len > 0 && *list == '-';
		for (i = 0; i < TERM_CAP_COUNT; i++)
			if (strlen(cap_names[i]) == len - off &&
			    memcmp(cap_names[i], list + off, len - off) == 0)
				break;
		if (i == TERM_CAP_COUNT)
			*unknown += len > 0;
		else if (off)
			caps &= ~(UINT64_C(1) << i);
		else
			caps |= UINT64_C(1) << i;
		list += len + 1;
	}
	if (caps & (TERM_CAP(256) | TERM_CAP(RGB)))
		caps |= CAPS_COLOURS & ~(TERM_CAP(256) | TERM_CAP(RGB));
	return caps;
}

int
term_background_light(const uint8_t *answer, size_t n, bool *light)
{
	uint32_t rgb;
	int r = colour_parse_x11((const char *)answer, n, &rgb);

	if (r != 0)
		return r;
	/* Green counts most for the eye, blue least. */
	*light = (rgb >> 16 & 255) * 3 + (rgb >> 8 & 255) * 6 + (rgb & 255) >=
		 10 * 128;
	return 0;
}

char *
term_caps_names_new(term_caps caps)
{
	struct buf b;
	size_t i;

	buf_init(&b, 4096);
	for (i = 0; i < TERM_CAP_COUNT; i++)
		if (caps >> i & 1)
			(void)buf_addf(
			    &b, "%s%s", b.len > 0 ? "," : "", cap_names[i]);
	return buf_steal(&b, NULL);
}
