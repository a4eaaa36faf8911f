/*
 * OSC 7 and OSC 1337 - what a program says of itself: its directory and machine,
 * variables, a mark.
 */
#include <string.h>

#include "base/str.h"
#include "base/url.h"
#include "mux/vt/screen.h"

#define ITERM_HOST_MAX 255 /* bytes of a name of a machine */

/* --- directory and machine ------------------------------------------------------ */

const char *
vt_term_host(const struct vt_term *t)
{
	return vt_str_text(t->host);
}

/* Keeps the name of a machine, without control characters; "" is none. */
static void
iterm_host(struct vt_term *t, const char *s, size_t n)
{
	struct buf b;

	if (n > ITERM_HOST_MAX)
		return;
	buf_init(&b, ITERM_HOST_MAX * 3);
	vt_plain_text(&b, s, n, n);
	vt_str_unref(t->host);
	t->host = vt_str_new((const char *)b.data, b.len);
	buf_fini(&b);
}

/* Keeps a directory as sent; the owner decodes it. */
static void
iterm_directory(struct vt_term *t, const char *s, size_t n)
{
	vt_str_unref(t->state.cwd);
	t->state.cwd = vt_str_new(s, n);
	vt_effects_add(&t->effects, VT_EFFECT_CWD, 0, 0, s, n, NULL);
}

/* OSC 7 - a URL; another one than that of a file names no machine. */
void
vt_osc_cwd(struct vt_term *t, int num UNUSED, const char *s, size_t n)
{
	struct url_file u;

	if (n > VT_TITLE_MAX)
		return;
	iterm_directory(t, s, n);
	if (url_file(s, n, &u))
		iterm_host(t, u.host, u.hostlen);
	else
		iterm_host(t, "", 0);
}

static void
iterm_current_dir(struct vt_term *t, const char *s, size_t n)
{
	if (n <= VT_TITLE_MAX)
		iterm_directory(t, s, n);
}

/* user@machine */
static void
iterm_remote_host(struct vt_term *t, const char *s, size_t n)
{
	const char *at = memchr(s, '@', n);

	if (at != NULL) {
		n -= (size_t)(at - s) + 1;
		s = at + 1;
	}
	iterm_host(t, s, n);
}

/* --- the others ------------------------------------------------------------------ */

/* Whether a program may name a variable so: letters, digits, _ - and the dot. */
static bool
iterm_name_good(const char *s, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if ((s[i] < 'a' || s[i] > 'z') && (s[i] < 'A' || s[i] > 'Z') &&
		    (s[i] < '0' || s[i] > '9') && s[i] != '_' && s[i] != '-' &&
		    s[i] != '.')
			return false;
	}
	return n > 0 && n <= VT_USER_VAR_NAME_MAX;
}

/* name=base64 */
static void
iterm_user_var(struct vt_term *t, const char *s, size_t n)
{
	const char *eq = memchr(s, '=', n);
	char name[VT_USER_VAR_NAME_MAX + 1];
	struct buf raw, text;
	size_t len;

	len = eq == NULL ? 0 : (size_t)(eq - s);
	if (!iterm_name_good(s, len))
		return;
	memcpy(name, s, len);
	name[len] = '\0';
	buf_init(&raw, VT_USER_VAR_MAX);
	buf_init(&text, (size_t)VT_USER_VAR_MAX * 3);
	/* What is too long or no base64 changes nothing: half a value lies. */
	if (str_base64_decode(&raw, eq + 1, n - len - 1) == 0) {
		vt_plain_text(&text, (const char *)raw.data, raw.len, raw.len);
		if (text.len <= VT_USER_VAR_MAX)
			vt_effects_add(&t->effects, VT_EFFECT_USER_VAR, 0, 0,
			    text.len > 0 ? (const char *)text.data : "",
			    text.len, name);
	}
	buf_fini(&text);
	buf_fini(&raw);
}

static void
iterm_mark(struct vt_term *t, const char *s UNUSED, size_t n UNUSED)
{
	vt_row_own(t, t->y)->flags |= VT_LINE_MARK;
}

static void
iterm_clear_scrollback(struct vt_term *t, const char *s UNUSED, size_t n UNUSED)
{
	vt_grid_clear_history(t->screens[0].grid);
}

/* In points, one for a pixel, and with a scale of 1. */
static void
iterm_cell_size(struct vt_term *t, const char *s UNUSED, size_t n UNUSED)
{
	vt_reply(t, "\033]1337;ReportCellSize=%u.0;%u.0;1.0%s", t->cell_h,
	    t->cell_w, t->bel ? "\007" : "\033\\");
}

static const struct iterm_row {
	const char *key;
	void (*fn)(struct vt_term *t, const char *s, size_t n);
} iterm_rows[] = {
	{ "SetUserVar", iterm_user_var },
	{ "CurrentDir", iterm_current_dir },
	{ "RemoteHost", iterm_remote_host },
	{ "SetMark", iterm_mark },
	{ "ClearScrollback", iterm_clear_scrollback },
	{ "ReportCellSize", iterm_cell_size },
};

/* OSC 1337 ; key [= value] */
void
vt_osc_iterm(struct vt_term *t, int num UNUSED, const char *s, size_t n)
{
	const char *eq = memchr(s, '=', n);
	const size_t len = eq == NULL ? n : (size_t)(eq - s);
	const char *value = eq == NULL ? "" : eq + 1;
	size_t i;

	for (i = 0; i < ARRAY_LEN(iterm_rows); i++) {
		if (strlen(iterm_rows[i].key) != len ||
		    memcmp(iterm_rows[i].key, s, len) != 0)
			continue;
		iterm_rows[i].fn(t, value, eq == NULL ? 0 : n - len - 1);
		return;
	}
}
