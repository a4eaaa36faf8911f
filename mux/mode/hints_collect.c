#include "mux/mode/hints_collect.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "base/url.h"
#include "base/utf8.h"
#include "mux/vt/logical.h"

#define MATCHES_MAX 1024 /* of one pattern */

/* A wrapped line being looked through. */
struct joined {
	struct hints *hs;
	struct text *t;
	const struct hints_ask *ask;
	struct vt_logical lg;
	char *s; /* its text; taken bytes are HINT_TAKEN */
	size_t n;
	size_t *byte; /* [cells + 1]: where each cell's text begins */
	unsigned cells;
};

/* --- adding ------------------------------------------------------------------------ */

static size_t
distance(struct vt_pos a, struct vt_pos b)
{
	const size_t rows =
	    (size_t)(a.row > b.row ? a.row - b.row : b.row - a.row);

	return rows * VT_COLS_MAX +
	       (a.col > b.col ? a.col - b.col : b.col - a.col);
}

/* Adds cells FROM..TO-1 of the line with that text. */
static void
add(struct joined *j, unsigned from, unsigned to, enum hint_kind kind,
    char *text)
{
	struct hints *hs = j->hs;
	struct hint h = { .text = text, .kind = kind };

	h.at.start = vt_logical_pos(&j->lg, from);
	h.at.end = vt_logical_pos(&j->lg, to - 1);
	h.at.end.col++;
	if (hs->count == HINTS_MAX || h.at.end.row < j->ask->first ||
	    h.at.start.row >= j->ask->last) {
		mem_free(text);
		return;
	}
	h.near = distance(h.at.start, j->ask->cursor);
	if (hs->count == hs->room) {
		hs->room = hs->room == 0 ? 64 : hs->room * 2;
		hs->all = mem_resize(hs->all, hs->room, sizeof(*hs->all));
	}
	hs->all[hs->count++] = h;
}

static void
take(struct joined *j, unsigned from, unsigned to)
{
	memset(j->s + j->byte[from], HINT_TAKEN, j->byte[to] - j->byte[from]);
}

/* --- hyperlinks ----------------------------------------------------------------------- */

/* The path of "file://host/path", or NULL if it is another URI. */
static char *
path_of(const char *uri)
{
	struct url_file u;

	if (!url_file(uri, strlen(uri), &u) || !u.encoded)
		return NULL;
	return url_decode_new(u.path, u.pathlen);
}

/*
 * security: a program chose the URI, and nobody sees it: it must have a scheme
 * and no blank or control byte.
 */
static bool
uri_good(const char *uri)
{
	const char *p = uri;
	const size_t n = strlen(uri);

	if (n > HINT_TEXT_MAX || !utf8_valid(uri, n))
		return false;
	while ((*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') ||
	       (p > uri && (*p == '+' || *p == '-' || *p == '.' ||
			       (*p >= '0' && *p <= '9'))))
		p++;
	if (p == uri || *p != ':')
		return false;
	for (; *p != '\0'; p++)
		if ((unsigned char)*p <= ' ' || *p == 0x7f ||
		    ((unsigned char)*p == 0xc2 && (unsigned char)p[1] < 0xa0))
			return false;
	return true;
}

/* The link of a cell that no pattern of the user has taken, or NULL. */
static const struct vt_link *
link_at(const struct joined *j, unsigned cell)
{
	const bool tail = vt_line_cell(j->lg.line, cell).width == VT_TAIL;
	const size_t at = j->byte[cell] - (tail && j->byte[cell] > 0);

	if (at < j->n && j->s[at] == HINT_TAKEN)
		return NULL;
	return vt_line_link(j->lg.line, cell);
}

static void
find_links(struct joined *j)
{
	const struct vt_link *link, *next;
	enum hint_kind kind;
	unsigned from, to;
	char *text;

	for (from = 0; from < j->cells; from = to) {
		link = link_at(j, from);
		for (to = from + 1; to < j->cells; to++) {
			next = link_at(j, to);
			if (next != link && (next == NULL || link == NULL ||
						!vt_link_equal(link, next)))
				break;
		}
		if (link == NULL || !uri_good(vt_link_uri(link)))
			continue;
		kind = HINT_PATH;
		if ((text = path_of(vt_link_uri(link))) == NULL) {
			kind = HINT_URL;
			text = mem_strdup(vt_link_uri(link));
		}
		take(j, from, to);
		if ((j->ask->kinds & 1U << kind) != 0)
			add(j, from, to, kind, text);
		else
			mem_free(text);
	}
}

/* --- text --------------------------------------------------------------------------- */

/* Adds bytes FROM..TO-1 as their cells, from cell *CELL on. */
static void
add_bytes(struct joined *j, size_t from, size_t to, enum hint_kind kind,
    unsigned *cell)
{
	unsigned first, last;

	while (*cell < j->cells && j->byte[*cell + 1] <= from)
		(*cell)++;
	first = *cell;
	while (*cell < j->cells && j->byte[*cell] < to)
		(*cell)++;
	last = *cell;
	/* The second column of a wide cell has no text. */
	while (
	    last < j->cells && vt_line_cell(j->lg.line, last).width == VT_TAIL)
		last++;
	if (last > first && to - from <= HINT_TEXT_MAX)
		add(j, first, last, kind, mem_strndup(j->s + from, to - from));
}

static void
find_text(struct joined *j)
{
	struct hint_line line;
	struct hint_span span;
	unsigned cell = 0;

	hints_find_start(&line, j->s, j->n, j->ask->kinds);
	while (j->hs->count < HINTS_MAX && hints_find(&line, &span))
		add_bytes(j, span.start, span.end, span.kind, &cell);
}

/* The matches of one of the user's patterns, in order. */
struct user_matches {
	struct vt_match *m;
	size_t count;
	size_t next;
};

static void
add_user(struct joined *j, const struct vt_match *m)
{
	const struct vt_pos end = { m->end.row, m->end.col - 1 };
	const unsigned from = vt_logical_cell(&j->lg, m->start);
	const unsigned to = MIN_OF(vt_logical_cell(&j->lg, end) + 1, j->cells);
	const size_t n = from < to ? j->byte[to] - j->byte[from] : 0;
	char *text;

	/* What an earlier pattern has matched stays with it. */
	if (n == 0 || n > HINT_TEXT_MAX ||
	    memchr(j->s + j->byte[from], HINT_TAKEN, n) != NULL)
		return;
	text = mem_strndup(j->s + j->byte[from], n);
	take(j, from, to);
	add(j, from, to, HINT_USER, text);
}

/* Adds and takes the matches that begin in the line. */
static void
find_user(struct joined *j, struct user_matches *u)
{
	const vt_row end = j->lg.first + j->lg.rows;

	for (; u->next < u->count && u->m[u->next].start.row < end; u->next++)
		if (u->m[u->next].start.row >= j->lg.first &&
		    u->m[u->next].end.col > 0)
			add_user(j, &u->m[u->next]);
}

static struct user_matches *
user_search(struct text *t, const struct hints_ask *ask)
{
	struct user_matches *all = mem_calloc(ask->patterns + 1, sizeof(*all));
	size_t i;

	for (i = 0; i < ask->patterns; i++) {
		all[i].m = mem_calloc(MATCHES_MAX, sizeof(*all[i].m));
		all[i].count = vt_search_rows(ask->pattern[i], t, ask->first,
		    ask->last, all[i].m, MATCHES_MAX);
	}
	return all;
}

/* Loads the wrapped line of ROW. */
static void
load(struct joined *j, vt_row row)
{
	char text[VT_CLUSTER_MAX + 1];
	unsigned i;
	const char *s;

	vt_logical_get(j->t, row, &j->lg);
	s = vt_logical_text(&j->lg, &j->n);
	j->s = mem_resize(j->s, j->n + 1, 1);
	memcpy(j->s, s, j->n + 1);
	j->cells = vt_line_written(j->lg.line);
	j->byte = mem_resize(j->byte, j->cells + 1, sizeof(*j->byte));
	j->byte[0] = 0;
	for (i = 0; i < j->cells; i++)
		j->byte[i + 1] = MIN_OF(j->n,
		    j->byte[i] + (j->lg.line->cells[i].width == VT_PAD
					 ? 1
					 : vt_line_text(j->lg.line, i, text)));
}

/* --- labels ---------------------------------------------------------------------------- */

static int
by_text(const void *a, const void *b)
{
	const struct hint *const *x = a, *const *y = b;
	const int r = strcmp((*x)->text, (*y)->text);

	return r != 0                    ? r
	       : (*x)->near < (*y)->near ? -1
					 : (*x)->near > (*y)->near;
}

static int
by_distance(const void *a, const void *b)
{
	const struct hint *const *x = a, *const *y = b;

	if ((*x)->near != (*y)->near)
		return (*x)->near < (*y)->near ? -1 : 1;
	/* Of two, the lower one. */
	return vt_pos_compare((*y)->at.start, (*x)->at.start);
}

static int
by_place(const void *a, const void *b)
{
	const struct hint *x = a, *y = b;

	return vt_pos_compare(x->at.start, y->at.start);
}

static void
label_all(struct hints *hs, const char *alphabet)
{
	struct hint **order = mem_calloc(hs->count + 1, sizeof(*order));
	struct hint **nearest = mem_calloc(hs->count + 1, sizeof(*nearest));
	struct hint *group = NULL;
	size_t i;

	for (i = 0; i < hs->count; i++)
		order[i] = &hs->all[i];
	if (hs->count > 0)
		qsort(order, hs->count, sizeof(*order), by_text);
	for (i = 0; i < hs->count; i++)
		if (i == 0 || strcmp(order[i - 1]->text, order[i]->text) != 0)
			nearest[hs->texts++] = order[i];
	if (hs->texts > 0)
		qsort(nearest, hs->texts, sizeof(*nearest), by_distance);
	for (i = 0; i < hs->texts; i++)
		nearest[i]->label = i;
	for (i = 0; i < hs->count; i++) {
		if (i == 0 || strcmp(order[i - 1]->text, order[i]->text) != 0)
			group = order[i];
		order[i]->label = group->label;
	}
	hint_labels_init(&hs->labels, alphabet, hs->texts);
	mem_free(order);
	mem_free(nearest);
}

void
hints_collect(struct hints *hs, struct text *t, const struct hints_ask *ask)
{
	struct joined j = { .hs = hs, .t = t, .ask = ask };
	struct user_matches *user;
	vt_row row = ask->first;
	size_t i;

	memset(hs, 0, sizeof(*hs));
	user = user_search(t, ask);
	while (row < ask->last && hs->count < HINTS_MAX) {
		load(&j, row);
		if ((ask->kinds & 1U << HINT_USER) != 0)
			for (i = 0; i < ask->patterns; i++)
				find_user(&j, &user[i]);
		find_links(&j);
		find_text(&j);
		row = j.lg.first + j.lg.rows;
	}
	for (i = 0; i < ask->patterns; i++)
		mem_free(user[i].m);
	mem_free(user);
	vt_logical_fini(t, &j.lg);
	mem_free(j.s);
	mem_free(j.byte);
	if (hs->count > 0)
		qsort(hs->all, hs->count, sizeof(*hs->all), by_place);
	label_all(hs, ask->alphabet);
}

void
hints_fini(struct hints *hs)
{
	size_t i;

	for (i = 0; i < hs->count; i++)
		mem_free(hs->all[i].text);
	mem_free(hs->all);
	memset(hs, 0, sizeof(*hs));
}
