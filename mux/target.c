#include "mux/target.h"

#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "conf/match.h"
#include "mux/client.h"
#include "mux/session.h"

/* State of one resolution. */
struct find {
	struct mux *m;
	struct target current;
	struct target *out;
	unsigned what;
	bool exact_session; /* the text was =name */
	bool exact_window;
};

/* --- names of sessions ----------------------------------------------------------- */

/* Parses "$1"; returns false if it is no id. */
static bool
parse_id(const char *text, char letter, uint32_t *id)
{
	int64_t n;

	if (text[0] != letter || text[1] < '0' || text[1] > '9' ||
	    str_to_int(text + 1, 0, UINT32_MAX - 1, &n) != 0)
		return false;
	*id = (uint32_t)n;
	return true;
}

static struct client *
find_client(const struct mux *m, const char *text)
{
	const struct map_entry *e;
	struct client *c;

	MAP_FOREACH(e, &m->clients) {
		c = e->value;
		if (c->session == NULL)
			continue;
		if (strcmp(text, c->name) == 0)
			return c;
		if (*c->tty != '\0' && (strcmp(text, c->tty) == 0 ||
					   (str_starts(c->tty, "/dev/") &&
					       strcmp(text, c->tty + 5) == 0)))
			return c;
	}
	return NULL;
}

/* Comparisons of names of sessions and windows, tried in turn. */
typedef bool (*name_fn)(const char *text, const char *name);

static bool
name_equal(const char *text, const char *name)
{
	return strcmp(text, name) == 0;
}

static bool
name_begins(const char *text, const char *name)
{
	return str_starts(name, text);
}

static bool
name_matches(const char *text, const char *name)
{
	return match_glob(text, name, 0);
}

/* Returns 1 found, 0 not found, -1 more than one. */
static int
match_session(struct find *f, const char *text, name_fn same)
{
	struct session *found = NULL;
	const struct map_entry *e;

	MAP_FOREACH(e, &f->m->sessions) {
		if (!same(text, e->name))
			continue;
		if (found != NULL)
			return -1;
		found = e->value;
	}
	if (found == NULL)
		return 0;
	f->out->session = found;
	return 1;
}

static bool
get_session(struct find *f, const char *text)
{
	static const name_fn ways[] = { name_begins, name_matches };
	struct client *c;
	uint32_t id;
	size_t i;
	int r;

	if (*text == '$') {
		f->out->session =
		    parse_id(text, '$', &id) ? mux_session(f->m, id) : NULL;
		return f->out->session != NULL;
	}
	f->out->session = mux_session_named(f->m, text);
	if (f->out->session != NULL)
		return true;
	if ((c = find_client(f->m, text)) != NULL) {
		f->out->session = c->session;
		return true;
	}
	if (f->exact_session)
		return false;
	for (i = 0; i < ARRAY_LEN(ways); i++)
		if ((r = match_session(f, text, ways[i])) != 0)
			return r > 0;
	return false;
}

/* --- windows --------------------------------------------------------------------- */

static bool
take_link(struct find *f, struct winlink *wl)
{
	if (wl == NULL)
		return false;
	target_from_link(f->out, wl);
	return true;
}

/* Finds a window by id, in session S or (NULL) in the best one. */
static bool
get_window_id(struct find *f, const char *text, struct session *s)
{
	struct window *w;
	uint32_t id;

	if (!parse_id(text, '@', &id) || (w = mux_window(f->m, id)) == NULL)
		return false;
	if (s == NULL)
		s = target_session_with(f->m, w, f->what & TGT_UNATTACHED);
	return s != NULL && take_link(f, target_link_to(s, w));
}

/* Resolves "+3" or "-" from the current window of S. */
static bool
get_window_step(struct find *f, const char *text, struct session *s)
{
	struct winlink *wl = s->current;
	int64_t n = 1;

	if (text[1] != '\0' && str_to_int(text + 1, 1, INT32_MAX, &n) != 0)
		return false;
	if (*text == '-')
		n = -n;
	if (!(f->what & TGT_INDEX))
		return take_link(
		    f, winlink_step(wl, (int)(n % (int64_t)s->links.count)));
	n += wl->index;
	if (n < 0 || n > INT32_MAX)
		return false;
	f->out->index = (int)n;
	f->out->link = session_link_at(s, (int)n);
	f->out->window = f->out->link == NULL ? NULL : f->out->link->window;
	f->out->pane = f->out->window == NULL ? NULL : f->out->window->active;
	return true;
}

/* Resolves one-character names; returns true if TEXT is one. */
static bool
special_window(struct session *s, const char *text, struct winlink **wl)
{
	if (text[0] == '\0' || text[1] != '\0')
		return false;
	switch (text[0]) {
	case '!':
		*wl = session_last_link(s);
		return true;
	case '^':
		*wl = session_first_link(s);
		return true;
	case '$':
		*wl = session_final_link(s);
		return true;
	}
	return false;
}

/* Returns 1 found, 0 not found, -1 more than one. */
static int
match_window(
    struct session *s, const char *text, name_fn same, struct winlink **found)
{
	const struct list_node *n;
	struct winlink *wl;

	*found = NULL;
	SESSION_FOREACH_LINK(wl, n, s)
	{
		if (!same(text, wl->window->name))
			continue;
		if (*found != NULL)
			return -1;
		*found = wl;
	}
	return *found == NULL ? 0 : 1;
}

/* As in tmux, blanks may stand before the index of a window or pane. */
static bool
parse_index(const char *text, int64_t *index)
{
	text += strspn(text, " \t\n\v\f\r");
	return str_to_int(text, 0, INT32_MAX, index) == 0;
}

/* Finds a window of F's session. */
static bool
get_window_in(struct find *f, const char *text)
{
	static const name_fn ways[] = { name_equal, name_begins, name_matches };
	struct session *s = f->out->session;
	struct winlink *wl;
	int64_t index;
	size_t i;
	int r;

	if (s->current == NULL)
		return false;
	if (*text == '@' && text[1] != '\0')
		return get_window_id(f, text, s);
	if (!f->exact_window && (*text == '+' || *text == '-'))
		return get_window_step(f, text, s);
	if (!f->exact_window && special_window(s, text, &wl))
		return take_link(f, wl);
	/* As in tmux, "=+9" is a name. */
	if (*text != '+' && parse_index(text, &index)) {
		wl = session_link_at(s, (int)index);
		if (wl != NULL)
			return take_link(f, wl);
		if (f->what & TGT_INDEX) {
			f->out->index = (int)index;
			f->out->link = NULL;
			f->out->window = NULL;
			f->out->pane = NULL;
			return true;
		}
	}
	for (i = 0; i < (f->exact_window ? 1 : ARRAY_LEN(ways)); i++)
		if ((r = match_window(s, text, ways[i], &wl)) != 0)
			return r > 0 && take_link(f, wl);
	return false;
}

/* Finds a window, or (unless ONLY) a session by the same text. */
static bool
get_window(struct find *f, const char *text, bool only)
{
	if (*text == '@' && text[1] != '\0')
		return get_window_id(f, text, NULL);
	f->out->session = f->current.session;
	if (get_window_in(f, text))
		return true;
	if (only || !get_session(f, text))
		return false;
	target_from_session(f->out, f->out->session);
	if (f->what & TGT_INDEX)
		f->out->index = -1;
	return f->out->link != NULL;
}

/* --- panes ----------------------------------------------------------------------- */

static const struct {
	const char *name;
	enum window_side side;
} side_rows[] = {
	{ "{up-of}", WINDOW_UP },
	{ "{down-of}", WINDOW_DOWN },
	{ "{left-of}", WINDOW_LEFT },
	{ "{right-of}", WINDOW_RIGHT },
};

/* Finds a pane of F's window. */
static bool
get_pane_in(struct find *f, const char *text)
{
	struct window *w = f->out->window;
	struct pane *p = NULL, *from = w->active;
	int64_t n = 1;
	uint32_t id;
	size_t i;

	if (f->current.window == w && f->current.pane != NULL)
		from = f->current.pane;
	if (*text == '%') {
		p = parse_id(text, '%', &id) ? mux_pane(f->m, id) : NULL;
		if (p != NULL && p->window != w)
			p = NULL;
	} else if (strcmp(text, "!") == 0)
		p = window_last_pane(w);
	else if (*text == '+' || *text == '-') {
		if (text[1] != '\0' &&
		    str_to_int(text + 1, 1, INT32_MAX, &n) != 0)
			return false;
		p = *text == '+' ? window_next_pane(w, from, (unsigned)n)
				 : window_prev_pane(w, from, (unsigned)n);
	} else {
		for (i = 0; i < ARRAY_LEN(side_rows); i++)
			if (strcmp(text, side_rows[i].name) == 0) {
				p = window_neighbour(from, side_rows[i].side);
				goto found;
			}
		if (parse_index(text, &n))
			p = window_pane_at_index(w, (int)n);
		if (p == NULL)
			p = window_pane_described(w, text);
	}
found:
	if (p == NULL)
		return false;
	f->out->pane = p;
	return true;
}

/* Finds a pane by id, in the best session that has it, or in S. */
static bool
get_pane_id(struct find *f, const char *text, struct session *s)
{
	struct pane *p;
	uint32_t id;

	if (!parse_id(text, '%', &id) || (p = mux_pane(f->m, id)) == NULL)
		return false;
	if (s == NULL)
		s = target_session_with(
		    f->m, p->window, f->what & TGT_UNATTACHED);
	if (s == NULL || !take_link(f, target_link_to(s, p->window)))
		return false;
	f->out->pane = p;
	return true;
}

/* Finds a pane, or (unless ONLY) a window or session by the same text. */
static bool
get_pane(struct find *f, const char *text, bool only)
{
	if (*text == '%')
		return get_pane_id(f, text, NULL);
	*f->out = f->current;
	if (get_pane_in(f, text))
		return true;
	return !only && get_window(f, text, false);
}

/* --- whole targets --------------------------------------------------------------- */

/* Words in braces and their meanings. */
struct word {
	const char *word;
	const char *means;
};

static const struct word window_words[] = {
	{ "{start}", "^" },
	{ "{end}", "$" },
	{ "{last}", "!" },
	{ "{next}", "+" },
	{ "{previous}", "-" },
	{ NULL, NULL },
};

static const struct word pane_words[] = {
	{ "{last}", "!" },
	{ "{next}", "+" },
	{ "{previous}", "-" },
	{ "{top}", "top" },
	{ "{bottom}", "bottom" },
	{ "{left}", "left" },
	{ "{right}", "right" },
	{ "{top-left}", "top-left" },
	{ "{top-right}", "top-right" },
	{ "{bottom-left}", "bottom-left" },
	{ "{bottom-right}", "bottom-right" },
	{ NULL, NULL },
};

static const char *
map_word(const struct word *w, const char *text)
{
	if (text == NULL || *text == '\0')
		return NULL;
	for (; w->word != NULL; w++)
		if (strcmp(w->word, text) == 0)
			return w->means;
	return text;
}

/* The three parts of a target; NULL for a missing part. */
struct parts {
	const char *session;
	const char *window;
	const char *pane;
	bool window_only; /* the colon shows that it is a window */
	bool pane_only;   /* the period shows that it is a pane */
};

/* Splits COPY at its colon and period. */
static void
cut_parts(char *copy, unsigned what, struct parts *p)
{
	char *colon = strchr(copy, ':'), *period;

	*p = (struct parts){ 0 };
	if (colon != NULL)
		*colon++ = '\0';
	period = strchr(colon == NULL ? copy : colon, '.');
	if (period != NULL)
		*period++ = '\0';
	p->window_only = colon != NULL;
	p->pane_only = period != NULL;
	p->pane = period;
	if (colon != NULL) {
		p->session = copy;
		p->window = colon;
	} else if (period != NULL)
		p->window = copy;
	else if (*copy == '$')
		p->session = copy;
	else if (*copy == '@')
		p->window = copy;
	else if (*copy == '%')
		p->pane = copy;
	else if ((what & TGT_KIND) == TGT_SESSION)
		p->session = copy;
	else if ((what & TGT_KIND) == TGT_WINDOW)
		p->window = copy;
	else
		p->pane = copy;
}

/* Keeps the session and window found so far, for TGT_CANFAIL. */
static void
keep_found(const struct find *f, const struct parts *p, const char *kind)
{
	struct target found = { .index = -1 };

	if (p->session != NULL)
		found.session = f->out->session;
	else if (p->window != NULL && p->window_only && *p->window != '@')
		found.session = f->current.session;
	if (strcmp(kind, "pane") == 0 &&
	    (p->window != NULL || (p->pane_only && *p->pane != '%')))
		found = *f->out;
	found.pane = NULL;
	*f->out = found;
}

static int
not_found(const struct find *f, const struct parts *p, struct cause *cause,
    const char *kind, const char *text)
{
	if ((f->what & TGT_CANFAIL) && p != NULL &&
	    strcmp(kind, "session") != 0)
		keep_found(f, p, kind);
	else
		*f->out = (struct target){ .index = -1 };
	if (f->what & TGT_CANFAIL)
		return 0;
	return cause_set(cause, -ERR_NOTFOUND, "can't find %s: %s", kind, text);
}

static int
find_parts(struct find *f, const struct parts *p, struct cause *cause)
{
	struct target *out = f->out;
	bool ok;

	if (p->session != NULL) {
		if (!get_session(f, p->session))
			return not_found(f, p, cause, "session", p->session);
		if (p->pane != NULL && *p->pane == '%' && p->window == NULL) {
			if (!get_pane_id(f, p->pane, out->session))
				return not_found(f, p, cause, "pane", p->pane);
			return 0;
		}
		target_from_session(out, out->session);
		if (p->window == NULL && p->pane == NULL) {
			out->index = -1;
			return 0;
		}
		if (p->window != NULL && !get_window_in(f, p->window))
			return not_found(f, p, cause, "window", p->window);
	} else if (p->window != NULL) {
		if (!get_window(f, p->window, p->window_only))
			return not_found(f, p, cause, "window", p->window);
	} else if (p->pane != NULL) {
		if (!get_pane(f, p->pane, p->pane_only))
			return not_found(f, p, cause, "pane", p->pane);
		return 0;
	} else {
		*out = f->current;
		if (f->what & TGT_INDEX)
			out->index = -1;
		return 0;
	}
	if (p->pane == NULL)
		return 0;
	ok = out->window != NULL && get_pane_in(f, p->pane);
	return ok ? 0 : not_found(f, p, cause, "pane", p->pane);
}

/* Gets the current target; returns false if there is no session. */
static bool
find_current(struct find *f, const struct target_context *ctx)
{
	struct winlink *wl;
	struct session *s;
	struct pane *p;

	if ((f->what & TGT_MARKED) && mux_get_mark(f->m, &wl, &p)) {
		target_from_link_pane(&f->current, wl, p);
		return true;
	}
	if (ctx->current.session != NULL && target_valid(f->m, &ctx->current)) {
		f->current = ctx->current;
		return true;
	}
	if (target_from_client(&f->current, ctx->client))
		return true;
	s = target_session_with(f->m, NULL, f->what & TGT_UNATTACHED);
	if (s == NULL)
		return false;
	target_from_session(&f->current, s);
	return true;
}

static bool
find_mouse(struct find *f, const struct target_context *ctx)
{
	struct session *s;
	struct window *w;
	struct pane *p;

	if (!ctx->has_mouse)
		return false;
	p = mux_pane(f->m, ctx->mouse_pane);
	w = p != NULL ? p->window : mux_window(f->m, ctx->mouse_window);
	s = mux_session(f->m, ctx->mouse_session);
	if (p != NULL)
		return target_from_pane(f->out, p, s);
	if (w != NULL)
		return target_from_window(f->out, w, s);
	if (s == NULL || s->current == NULL)
		return false;
	target_from_session(f->out, s);
	return true;
}

/* Resolves "=", "~", "@" and their words, which stand for a whole target. */
static int
find_whole(struct find *f, const struct target_context *ctx, const char *text,
    struct cause *cause, bool *done)
{
	struct winlink *wl;
	struct pane *p;
	const char *wrong = NULL;

	*done = true;
	if (strcmp(text, "=") == 0 || strcmp(text, "{mouse}") == 0) {
		if (!find_mouse(f, ctx))
			wrong = "no mouse target";
	} else if (strcmp(text, "~") == 0 || strcmp(text, "{marked}") == 0) {
		/* As in tmux, it names no place for a window. */
		if (mux_get_mark(f->m, &wl, &p)) {
			target_from_link_pane(f->out, wl, p);
			if (f->what & TGT_INDEX)
				f->out->index = -1;
		} else
			wrong = "no marked target";
	} else if (strcmp(text, "@") == 0 || strcmp(text, "{active}") == 0 ||
		   strcmp(text, "{current}") == 0) {
		if (!target_from_client(f->out,
			ctx->client != NULL && ctx->client->session != NULL
			    ? ctx->client
			    : client_best(f->m, NULL)))
			wrong = "no current client";
	} else
		*done = false;
	if (wrong == NULL)
		return 0;
	*f->out = (struct target){ .index = -1 };
	if (f->what & TGT_CANFAIL)
		return 0;
	return cause_set(cause, -ERR_NOTFOUND, "%s", wrong);
}

int
target_find(struct mux *m, const struct target_context *ctx, const char *text,
    unsigned what, struct target *out, struct cause *cause)
{
	struct find f = { .m = m, .out = out, .what = what };
	struct parts p;
	char *copy;
	bool done;
	int r;

	*out = (struct target){ .index = -1 };
	if (text != NULL && *text != '\0') {
		r = find_whole(&f, ctx, text, cause, &done);
		if (done)
			return r;
	}
	if (!find_current(&f, ctx)) {
		if (what & TGT_CANFAIL)
			return 0;
		return cause_set(cause, -ERR_NOTFOUND, "no current target");
	}
	if (text == NULL || *text == '\0') {
		*out = f.current;
		if (what & TGT_INDEX)
			out->index = -1;
		return 0;
	}
	if (strlen(text) > TARGET_TEXT_MAX)
		return not_found(&f, NULL, cause, "target", "(too long)");
	copy = mem_strdup(text);
	cut_parts(copy, what, &p);
	/* The place of a window: tmux says so before it looks at the rest. */
	if ((what & TGT_INDEX) != 0 && p.pane != NULL && *p.pane != '\0') {
		mem_free(copy);
		return cause_set(
		    cause, -ERR_NOTFOUND, "can't specify pane here");
	}
	if (p.session != NULL && *p.session == '=') {
		p.session++;
		f.exact_session = true;
	}
	if (p.window != NULL && *p.window == '=') {
		p.window++;
		f.exact_window = true;
	}
	if (p.session != NULL && *p.session == '\0')
		p.session = NULL;
	if (p.window != NULL && *p.window == '\0')
		p.window = NULL;
	p.window = map_word(window_words, p.window);
	p.pane = map_word(pane_words, p.pane);
	r = find_parts(&f, &p, cause);
	mem_free(copy);
	return r;
}

int
target_find_client(struct mux *m, const struct target_context *ctx,
    const char *text, struct client **out, struct cause *cause)
{
	struct client *c;
	char *copy;
	size_t n;

	*out = NULL;
	if (text == NULL) {
		if (ctx->client != NULL && ctx->client->session != NULL)
			c = mux_client(m, ctx->client->id);
		else if (ctx->current.session == NULL ||
			 (c = client_best(m, ctx->current.session)) == NULL)
			c = client_best(m, NULL);
		if (c == NULL)
			return cause_set(
			    cause, -ERR_NOTFOUND, "no current client");
		*out = c;
		return 0;
	}
	copy = mem_strndup(text, TARGET_TEXT_MAX);
	n = strlen(copy);
	if (n > 0 && copy[n - 1] == ':')
		copy[n - 1] = '\0';
	*out = find_client(m, copy);
	mem_free(copy);
	if (*out == NULL)
		return cause_set(
		    cause, -ERR_NOTFOUND, "can't find client: %s", text);
	return 0;
}
