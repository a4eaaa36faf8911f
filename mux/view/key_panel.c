#include "mux/view/key_panel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grapheme.h"
#include "base/mem.h"
#include "conf/args.h"
#include "conf/cmdlist.h"
#include "conf/key_name.h"
#include "conf/keytable.h"
#include "mux/client.h"
#include "mux/view/status.h"
#include "mux/view/text.h"

#define GAP 2              /* columns between two columns of items */
#define COLUMN_MIN 36      /* of a column, if there is more than one */
#define COLUMN_MAX 60      /* wider ones only look empty */
#define COLS_MIN 12        /* of a client that gets a panel */
#define TEXT_MAX (1 << 20) /* bytes of a command that has no note */
#define KEY_WIDTH_MAX 12   /* a longer name of a key pushes its text */
#define RANK_OTHER 50u     /* of a command that its topic does not name */
#define RANK_MODIFIED 100u /* added for a key with Ctrl or Meta */
#define RANKS 200u         /* of a topic */
#define PLACES 10000u      /* bindings of a table that keep their order */

/* --- topics ------------------------------------------------------------------------- */

enum topic {
	TOPIC_MOST_USED,
	TOPIC_WINDOWS,
	TOPIC_PANES,
	TOPIC_LAYOUT,
	TOPIC_SESSIONS,
	TOPIC_COPY,
	TOPIC_OTHER,
	TOPIC_COUNT
};

/*
 * The commands of a topic, in the order in which they are shown.  The most used
 * ones are named with their arguments.
 */
static const struct {
	const char *name;
	const char *commands[20];
} topics[TOPIC_COUNT] = {
	[TOPIC_MOST_USED] = { "Most used",
	    { "new-window", "next-window", "previous-window", "split-window",
		"split-window -h", "select-pane -t :.+", "resize-pane -Z",
		"kill-pane", "detach-client", "copy-mode", "paste-buffer -p",
		"choose-tree -Zw", "list-keys -N", "command-palette",
		"command-prompt" } },
	[TOPIC_WINDOWS] = { "Windows",
	    { "new-window", "next-window", "previous-window", "last-window",
		"select-window", "rename-window", "kill-window", "move-window",
		"swap-window", "find-window", "link-window", "unlink-window",
		"respawn-window", "choose-tree" } },
	[TOPIC_PANES] = { "Panes",
	    { "split-window", "new-pane", "select-pane", "last-pane",
		"kill-pane", "display-panes", "break-pane", "join-pane",
		"swap-pane", "move-pane", "pipe-pane", "respawn-pane" } },
	[TOPIC_LAYOUT] = { "Layout",
	    { "resize-pane", "next-layout", "previous-layout", "select-layout",
		"rotate-window", "resize-window" } },
	[TOPIC_SESSIONS] = { "Sessions and clients",
	    { "detach-client", "attach-session", "new-session", "switch-client",
		"rename-session", "kill-session", "choose-client",
		"suspend-client", "lock-client", "refresh-client" } },
	[TOPIC_COPY] = { "Copy and paste",
	    { "copy-mode", "paste-buffer", "copy-output", "hints",
		"search-panes", "choose-buffer", "list-buffers",
		"delete-buffer", "capture-pane", "send-prefix" } },
	[TOPIC_OTHER] = { "Help and other",
	    { "list-keys", "command-palette", "command-prompt",
		"customize-mode", "display-message", "show-messages",
		"clock-mode" } },
};

/* The text of a command, or of that behind a prompt or a condition. */
static char *
inner_new(const struct cmd *cmd)
{
	static const char *const outer[] = { "confirm-before", "command-prompt",
		"if-shell", "run-shell" };
	const struct args *a = cmd->args;
	const struct cmdlist *block = NULL;
	struct buf b;
	char *text;
	size_t i;

	for (i = 0; i < a->count && block == NULL; i++)
		block = a->values[i].block;
	for (i = 0; i < ARRAY_LEN(outer); i++)
		if (strcmp(cmd->row->name, outer[i]) == 0)
			break;
	if (i < ARRAY_LEN(outer) && block != NULL && block->count > 0)
		return inner_new(block->cmds[0]);
	if (i == 0 && args_string(a, 0) != NULL)
		return mem_strdup(args_string(a, 0));
	buf_init(&b, TEXT_MAX);
	cmd_print(cmd, &b);
	text = mem_strdup(buf_cstr(&b));
	buf_fini(&b);
	return text;
}

/*
 * The place of the command TEXT in TOPIC, or RANK_OTHER.  Only the most used ones
 * are compared with their arguments.
 */
static unsigned
rank_in(enum topic topic, const char *text)
{
	const char *const *c = topics[topic].commands;
	const size_t n =
	    topic == TOPIC_MOST_USED ? strlen(text) : strcspn(text, " ");
	unsigned i;

	for (i = 0; i < ARRAY_LEN(topics[0].commands) && c[i] != NULL; i++)
		if (strlen(c[i]) == n && strncmp(c[i], text, n) == 0)
			return i;
	return RANK_OTHER;
}

unsigned
view_key_panel_rank(const struct keybinding *kb)
{
	const struct cmdlist *list = kb->commands;
	unsigned t, rank = RANK_OTHER;
	char *text;

	if (list->count == 0)
		return TOPIC_OTHER * RANKS + RANK_OTHER;
	text = inner_new(list->cmds[0]);
	for (t = list->count == 1 ? 0 : 1; t < TOPIC_COUNT; t++)
		if ((rank = rank_in((enum topic)t, text)) != RANK_OTHER)
			break;
	mem_free(text);
	/* Keys without Ctrl or Meta are easier to type. */
	if ((kb->key & KEY_MODS) != 0)
		rank += RANK_MODIFIED;
	return MIN_OF(t, (unsigned)TOPIC_OTHER) * RANKS + rank;
}

/* --- the keys of a table ------------------------------------------------------------ */

/* Whether a command of LIST is not implemented yet. */
static bool
is_later(const struct cmdlist *list)
{
	const struct args *a;
	size_t i, k;

	for (i = 0; i < list->count; i++) {
		if (list->cmds[i]->row->when == COMMAND_LATER)
			return true;
		a = list->cmds[i]->args;
		for (k = 0; k < a->count; k++)
			if (a->values[k].block != NULL &&
			    is_later(a->values[k].block))
				return true;
	}
	return false;
}

static void
add(struct view_key_panel *p, const struct view_key_item *it)
{
	p->items = mem_resize(p->items, p->count + 1, sizeof(*p->items));
	p->items[p->count++] = *it;
}

/* Whether two texts differ in digits at most. */
static bool
same_but_digits(const char *a, const char *b)
{
	for (; *a != '\0' && *b != '\0'; a++, b++)
		if (*a != *b &&
		    !(*a >= '0' && *a <= '9' && *b >= '0' && *b <= '9'))
			return false;
	return *a == *b;
}

/*
 * Makes one item "0..9" of keys that are successive digits and do the same with
 * their digits.
 */
static bool
fold_digit(struct view_key_panel *p, const struct keybinding *kb,
    const struct keybinding *before)
{
	struct view_key_item *last =
	    p->count > 0 ? &p->items[p->count - 1] : NULL;
	const char *digit;
	char *text;

	if (last == NULL || before == NULL || kb->note == NULL ||
	    before->note == NULL || kb->key < '1' || kb->key > '9' ||
	    before->key != kb->key - 1 ||
	    !same_but_digits(kb->note, before->note))
		return false;
	digit = strpbrk(last->text, "0123456789");
	if (digit == NULL)
		return false;
	text = mem_printf("%.*s%c..%c%s", (int)(digit - last->text), last->text,
	    last->key[0], (char)kb->key, digit + strspn(digit, "0123456789."));
	mem_free(last->text);
	last->text = text;
	text = mem_printf("%c..%c", last->key[0], (char)kb->key);
	mem_free(last->key);
	last->key = text;
	return true;
}

static void
add_key(struct view_key_panel *p, const struct keybinding *kb)
{
	struct view_key_item it = { .key = NULL };
	char name[KEY_NAME_MAX];
	struct buf text;

	buf_init(&text, TEXT_MAX);
	if (kb->note != NULL && *kb->note != '\0')
		(void)buf_add_str(&text, kb->note);
	else
		cmdlist_print(kb->commands, 0, &text);
	it.key = mem_strdup(key_name_format(kb->key, name, sizeof(name)));
	it.text = mem_strdup(buf_cstr(&text));
	it.rank = view_key_panel_rank(kb);
	it.topic = it.rank / RANKS;
	add(p, &it);
	buf_fini(&text);
}

/* Adds the key of the command NAME to the hint. */
static void
add_hint(struct buf *hint, const struct keybinding *kb, const char *name,
    const char *what)
{
	const struct cmdlist *list = kb->commands;
	char key[KEY_NAME_MAX];

	if (list->count == 1 && strcmp(list->cmds[0]->row->name, name) == 0)
		(void)buf_addf(hint, "   %s: %s",
		    key_name_format(kb->key, key, sizeof(key)), what);
}

static int
compare(const void *a, const void *b)
{
	const struct view_key_item *x = a, *y = b;

	return x->rank < y->rank ? -1 : x->rank > y->rank;
}

/* Sorts the items and puts headings before the topics. */
static void
arrange(struct view_key_panel *p)
{
	struct view_key_item *old = p->items;
	const size_t n = p->count;
	size_t i;

	/* qsort is not stable: the rank ends with the order of the table. */
	for (i = 0; i < n; i++)
		old[i].rank = old[i].rank * PLACES +
			      (unsigned)MIN_OF(i, (size_t)PLACES - 1);
	if (n > 0)
		qsort(old, n, sizeof(*old), compare);
	p->items = NULL;
	p->count = 0;
	for (i = 0; i < n; i++) {
		/* One topic needs no name. */
		if (old[0].topic != old[n - 1].topic &&
		    (i == 0 || old[i].topic != old[i - 1].topic))
			add(p,
			    &(struct view_key_item){
				.text = mem_strdup(topics[old[i].topic].name),
				.topic = old[i].topic });
		add(p, &old[i]);
	}
	mem_free(old);
}

/* Keys that turn pages where a table leaves them free. */
static const struct {
	key_code key;
	bool back;
} turns[] = {
	{ KEY_NPAGE, false },
	{ 'v' | KEY_CTRL, false },
	{ KEY_PPAGE, true },
	{ 'v' | KEY_META, true },
};

bool
view_key_panel_turns(const struct keytable *table, key_code key, bool *back)
{
	size_t i;

	key &= ~(key_code)KEY_LOCKS;
	for (i = 0; i < ARRAY_LEN(turns); i++)
		if (turns[i].key == key) {
			*back = turns[i].back;
			return keytable_typed(table, key) == NULL;
		}
	return false;
}

struct view_key_panel *
view_key_panel_new(const struct keytable *table,
    bool (*allowed)(const void *arg, const struct keybinding *kb),
    const void *arg)
{
	struct view_key_panel *p = mem_zalloc(sizeof(*p));
	const struct keybinding *kb, *before = NULL;
	struct buf hint;
	bool back;
	size_t i;

	buf_init(&hint, 4096);
	for (i = 0; i < table->count; i++) {
		kb = &table->bindings[i];
		if (key_is_mouse(kb->key) || is_later(kb->commands) ||
		    (allowed != NULL && !allowed(arg, kb)))
			continue;
		if (!fold_digit(p, kb, before))
			add_key(p, kb);
		before = kb;
		add_hint(&hint, kb, "list-keys", "all keys");
		add_hint(&hint, kb, "command-palette", "find");
	}
	arrange(p);
	p->hint = mem_strdup(buf_cstr(&hint));
	buf_fini(&hint);
	p->next = KEY_NONE;
	for (i = 0; i < ARRAY_LEN(turns) && p->next == KEY_NONE; i++)
		if (!turns[i].back &&
		    view_key_panel_turns(table, turns[i].key, &back))
			p->next = turns[i].key;
	return p;
}

void
view_key_panel_free(struct view_key_panel *p)
{
	size_t i;

	if (p == NULL)
		return;
	for (i = 0; i < p->count; i++) {
		mem_free(p->items[i].key);
		mem_free(p->items[i].text);
	}
	mem_free(p->items);
	mem_free(p->hint);
	mem_free(p);
}

/* --- drawing ------------------------------------------------------------------------ */

/* Columns of equal width, filled from top to bottom, page after page. */
struct grid {
	unsigned key;  /* width of the keys */
	unsigned wide; /* of a column, with the gap */
	unsigned cols;
	unsigned rows; /* of items */
	unsigned pages;
};

static unsigned
text_width(const struct grapheme_table *gt, const char *s, size_t n)
{
	return (unsigned)grapheme_text_width(gt, s, n);
}

/* The place of an item on its page. */
struct spot {
	unsigned page;
	unsigned col;
	unsigned row;
};

/*
 * Moves S, the place of the item before I, to that of I.  A heading does not
 * stand alone at the end of a column.
 */
static void
place(const struct view_key_panel *p, const struct grid *g, size_t i,
    struct spot *s)
{
	const bool heading = p->items[i].key == NULL;

	if (i > 0)
		s->row++;
	if (s->row < g->rows &&
	    !(heading && s->row + 1 == g->rows && g->rows > 1))
		return;
	s->row = 0;
	if (++s->col < g->cols)
		return;
	s->col = 0;
	s->page++;
}

static unsigned
pages(const struct view_key_panel *p, const struct grid *g)
{
	struct spot s = { 0, 0, 0 };
	size_t i;

	for (i = 0; i < p->count; i++)
		place(p, g, i, &s);
	return s.page + 1;
}

static void
measure(const struct view_key_panel *p, const struct grapheme_table *gt,
    unsigned width, unsigned height, struct grid *g)
{
	const struct view_key_item *it;
	unsigned text = 0, w, most;
	size_t i;

	*g = (struct grid){ .key = 0 };
	for (i = 0; i < p->count; i++) {
		it = &p->items[i];
		if (it->key != NULL) {
			w = text_width(gt, it->key, strlen(it->key));
			g->key =
			    MAX_OF(g->key, MIN_OF(w, (unsigned)KEY_WIDTH_MAX));
		}
		text = MAX_OF(text, text_width(gt, it->text, strlen(it->text)));
	}
	g->key++;
	text = MIN_OF(g->key + text, (unsigned)COLUMN_MAX) + GAP;
	most = MAX_OF(width / (COLUMN_MIN + GAP), 1u);
	g->cols = MAX_OF(width / text, 1u);
	/* Narrow the columns while not all of them fit; as few rows as do. */
	for (;; g->cols++) {
		g->rows = (unsigned)((p->count + g->cols - 1) / g->cols);
		for (g->pages = 2; g->rows <= height; g->rows++)
			if ((g->pages = pages(p, g)) == 1)
				break;
		if (g->pages == 1 || g->cols >= most)
			break;
	}
	/* The last row is then for the number of the page. */
	if (g->pages > 1) {
		g->rows = MAX_OF(height - 1, 1u);
		g->pages = pages(p, g);
	}
	g->wide = MIN_OF(width / MAX_OF(g->cols, 1u), text);
}

/* The bytes of TEXT up to a word that ends within WIDTH columns. */
static size_t
fit_words(const struct grapheme_table *gt, const char *text, unsigned width)
{
	size_t n = strlen(text), end, best = 0;

	if (text_width(gt, text, n) <= width)
		return n;
	for (end = strcspn(text, " "); end < n;
	     end += 1 + strcspn(text + end + 1, " ")) {
		if (text_width(gt, text, end) + 1 > width)
			break;
		best = end;
	}
	return best;
}

static void
draw_item(const struct grapheme_table *gt, struct vt_frame *f, unsigned x,
    unsigned y, const struct grid *g, const struct view_key_item *it,
    const struct pen *pen)
{
	const unsigned end = MIN_OF(x + g->wide - GAP, (unsigned)f->cols);
	const size_t n = strlen(it->text);
	struct pen bold = *pen;
	size_t fits;

	bold.attrs |= PEN_BOLD;
	if (it->key == NULL) {
		bold.attrs |= PEN_UL_SINGLE << PEN_UL_SHIFT;
		(void)vt_frame_text(f, gt, x, y, end, it->text, n, &bold);
		return;
	}
	x = MAX_OF(x + g->key,
	    vt_frame_text(f, gt, x, y, end, it->key, strlen(it->key), &bold) +
		1);
	if (x >= end)
		return;
	fits = fit_words(gt, it->text, end - x);
	/* One word that is wider than the column. */
	if (fits == 0 && n > 0)
		x = vt_frame_text(f, gt, x, y, end - 1, it->text, n, pen);
	else
		x = vt_frame_text(f, gt, x, y, end, it->text, fits, pen);
	if (fits < n)
		vt_frame_repeat(f, x, y, 1, 0x2026, pen);
}

static void
draw_footer(const struct grapheme_table *gt, struct vt_frame *f,
    const struct view_key_panel *p, const struct grid *g, unsigned page,
    const struct pen *pen)
{
	char key[KEY_NAME_MAX], *text;
	struct pen bold = *pen;
	size_t n;

	bold.attrs |= PEN_BOLD;
	if (p->next == KEY_NONE)
		text =
		    mem_printf("page %u of %u%s", page + 1, g->pages, p->hint);
	else
		text = mem_printf("page %u of %u   %s: next page%s", page + 1,
		    g->pages, key_name_format(p->next, key, sizeof(key)),
		    p->hint);
	n = fit_words(gt, text, (unsigned)f->cols - 1);
	(void)vt_frame_text(f, gt, 1, f->rows - 1u, f->cols, text, n, &bold);
	mem_free(text);
}

void
view_key_panel_add(struct view_builder *b, struct sync_view *v,
    const struct view_key_panel *p, int *page)
{
	const struct client *c = b->cx.client;
	const struct grapheme_table *gt = c->mux->setup.graphemes;
	const struct pen pen = view_text_message_pen(&b->cx);
	const int below = b->side == CLIENT_TOP ? c->h : b->area.h;
	const int height = MIN_OF(c->h / 2, below - 1);
	struct spot s = { 0, 0, 0 };
	struct vt_frame *f;
	struct grid g;
	size_t i;
	int count;

	if (p->count == 0 || height < 1 || c->w < COLS_MIN)
		return;
	measure(p, gt, (unsigned)c->w - 1, (unsigned)height, &g);
	count = (int)g.pages;
	*page = (*page % count + count) % count;
	f = vt_frame_new(
	    (unsigned)c->w, g.rows + (g.pages > 1 && height > 1 ? 1 : 0));
	f->state.modes &= ~(uint32_t)VT_FRAME_CURSOR_VISIBLE;
	vt_frame_fill(f, &(struct vt_rect){ 0, 0, f->cols, f->rows }, &pen);
	for (i = 0; i < p->count; i++) {
		place(p, &g, i, &s);
		if (s.page == (unsigned)*page)
			draw_item(gt, f, 1 + s.col * g.wide, s.row, &g,
			    &p->items[i], &pen);
	}
	if (f->rows > g.rows)
		draw_footer(gt, f, p, &g, (unsigned)*page, &pen);
	sync_view_add(
	    v, VIEW_SURFACE_PANEL, SYNC_SURFACE_OVERLAY, 0, below - f->rows, f);
	vt_frame_unref(f);
}
