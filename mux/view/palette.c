#include "mux/view/palette.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "mux/view/fuzzy.h"
#include "mux/view/palette_int.h"

/* What is added to the score of a word. */
#define LABEL_BONUS 10 /* it matches the label */
#define KEY_BONUS 60   /* it is the key */
#define ALL_BONUS 20   /* it is all of the label */
#define RECENT_BONUS 4 /* of an item that was used lately */

/* Keys say what they do in words, places have names of the user's. */
static const int32_t kind_bonus[VIEW_PALETTE_KINDS] = {
	[VIEW_PALETTE_KEY] = 6,
	[VIEW_PALETTE_WINDOW] = 6,
	[VIEW_PALETTE_SESSION] = 6,
	[VIEW_PALETTE_PANE] = 4,
	[VIEW_PALETTE_COMMAND] = 2,
};

static const char *const kind_names[VIEW_PALETTE_KINDS] = {
	[VIEW_PALETTE_KEY] = "keys",
	[VIEW_PALETTE_WINDOW] = "windows",
	[VIEW_PALETTE_SESSION] = "sessions",
	[VIEW_PALETTE_PANE] = "panes",
	[VIEW_PALETTE_COMMAND] = "commands",
	[VIEW_PALETTE_OPTION] = "options",
};

const char *
view_palette_kind_name(enum view_palette_kind kind)
{
	return kind_names[kind];
}

struct view_palette *
view_palette_new(const char *separators)
{
	struct view_palette *p = mem_zalloc(sizeof(*p));

	prompt_edit_init(&p->edit, separators);
	p->kind = -1;
	return p;
}

void
view_palette_free(struct view_palette *p)
{
	size_t i;

	if (p == NULL)
		return;
	for (i = 0; i < p->count; i++) {
		mem_free(p->items[i].label);
		mem_free(p->items[i].detail);
		mem_free(p->items[i].key);
		mem_free(p->items[i].id);
	}
	mem_free(p->items);
	mem_free(p->rows);
	prompt_edit_fini(&p->edit);
	mem_free(p);
}

static char *
copy_text(const char *s)
{
	return s == NULL ? NULL : mem_strdup(s);
}

int
view_palette_add(struct view_palette *p, enum view_palette_kind kind,
    const struct view_palette_text *text)
{
	struct view_palette_item *it;

	if (p->count == VIEW_PALETTE_ITEMS_MAX)
		return -ERR_LIMIT;
	p->items = mem_resize(p->items, p->count + 1, sizeof(*p->items));
	it = &p->items[p->count++];
	*it = (struct view_palette_item){
		.kind = kind,
		.label = mem_strdup(text->label),
		.detail = copy_text(text->detail),
		.key = copy_text(text->key),
		.id = mem_strdup(text->id),
	};
	p->kinds |= 1u << kind;
	return 0;
}

/* --- the filter --------------------------------------------------------------------- */

size_t
palette_words(const char *query, struct view_fuzzy *words)
{
	size_t count = 0, n;

	for (;;) {
		query += strspn(query, " ");
		n = strcspn(query, " ");
		if (n == 0 || count == VIEW_PALETTE_WORDS_MAX)
			return count;
		view_fuzzy_init(&words[count++], query, n);
		query += n;
	}
}

/* Whether WORD is KEY, or its part behind the prefix. */
static bool
is_key(const struct view_fuzzy *word, const char *key)
{
	struct view_fuzzy q;
	const char *last;

	if (key == NULL)
		return false;
	last = strrchr(key, ' ');
	view_fuzzy_init(&q, last == NULL ? key : last + 1,
	    strlen(last == NULL ? key : last + 1));
	return q.count == word->count &&
	       memcmp(q.chars, word->chars, q.count * sizeof(*q.chars)) == 0;
}

/* The best score of one word in the texts of an item. */
static int32_t
word_score(const struct view_fuzzy *word, const struct view_palette_item *it)
{
	int32_t label = view_fuzzy_match(word, it->label, NULL), other;

	if (label != VIEW_FUZZY_NONE) {
		label += LABEL_BONUS;
		if (strlen(it->label) == word->count)
			label += ALL_BONUS;
	}
	if (is_key(word, it->key))
		label = MAX_OF(label, (int32_t)KEY_BONUS);
	if (it->detail != NULL) {
		other = view_fuzzy_match(word, it->detail, NULL);
		/* Scattered characters are found in any long text. */
		if (other >= (int32_t)(word->count - 1) * VIEW_FUZZY_NEXT)
			label = MAX_OF(label, other);
	}
	return label;
}

/* The score of an item, or VIEW_FUZZY_NONE: it does not match. */
static int32_t
item_score(const struct view_fuzzy *words, size_t count,
    const struct view_palette_item *it)
{
	int32_t sum = kind_bonus[it->kind], score;
	size_t i;

	if (count == 0)
		return 0;
	if (it->recent > 0)
		sum += RECENT_BONUS;
	for (i = 0; i < count; i++) {
		score = word_score(&words[i], it);
		if (score == VIEW_FUZZY_NONE)
			return VIEW_FUZZY_NONE;
		sum += score;
	}
	return sum;
}

/* What qsort compares: an item with its score. */
struct ranked {
	struct view_palette_row row;
	const struct view_palette_item *it;
	size_t length; /* of the label; 0 without a query */
};

static int
compare(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;
	const unsigned never = UINT32_MAX;
	const unsigned xr = x->it->recent > 0 ? x->it->recent : never;
	const unsigned yr = y->it->recent > 0 ? y->it->recent : never;

	if (x->row.score != y->row.score)
		return x->row.score > y->row.score ? -1 : 1;
	if (xr != yr)
		return xr < yr ? -1 : 1;
	if (x->length != y->length)
		return x->length < y->length ? -1 : 1;
	return x->row.item < y->row.item ? -1 : x->row.item > y->row.item;
}

void
view_palette_filter(struct view_palette *p)
{
	struct view_fuzzy words[VIEW_PALETTE_WORDS_MAX];
	size_t count = palette_words(prompt_edit_text(&p->edit), words);
	struct ranked *all =
	    mem_calloc(MAX_OF(p->count, (size_t)1), sizeof(*all));
	size_t i, n = 0;
	int32_t score;

	for (i = 0; i < p->count; i++) {
		const struct view_palette_item *it = &p->items[i];

		if (p->kind >= 0 && (int)it->kind != p->kind)
			continue;
		score = item_score(words, count, it);
		if (score == VIEW_FUZZY_NONE)
			continue;
		all[n++] = (struct ranked){ { (uint32_t)i, score }, it,
			count == 0 ? 0 : strlen(it->label) };
	}
	qsort(all, n, sizeof(*all), compare);
	mem_free(p->rows);
	p->rows = mem_calloc(MAX_OF(n, (size_t)1), sizeof(*p->rows));
	for (i = 0; i < n; i++)
		p->rows[i] = all[i].row;
	p->row_count = n;
	p->choice = p->top = 0;
	mem_free(all);
}

size_t
view_palette_chosen(const struct view_palette *p)
{
	return p->choice < p->row_count ? p->rows[p->choice].item : SIZE_MAX;
}

/* --- moves -------------------------------------------------------------------------- */

int
palette_list_rows(const struct view_palette *p)
{
	return MAX_OF(p->h - PALETTE_FRAME_H, 0);
}

/* Scrolls as little as needed to show the choice. */
static void
show_choice(struct view_palette *p)
{
	const size_t rows = (size_t)MAX_OF(palette_list_rows(p), 1);

	if (p->choice < p->top)
		p->top = p->choice;
	else if (p->choice >= p->top + rows)
		p->top = p->choice - rows + 1;
	if (p->top + rows > p->row_count)
		p->top = p->row_count > rows ? p->row_count - rows : 0;
}

void
view_palette_fit(struct view_palette *p, int cols, int rows)
{
	p->w = MIN_OF(cols - (cols >= 60 ? 4 : 0), PALETTE_W_MAX);
	p->h = MIN_OF(rows - (rows >= 16 ? 4 : 1), PALETTE_H_MAX);
	if (p->w < PALETTE_W_MIN || p->h < PALETTE_FRAME_H + 1) {
		p->w = p->h = 0;
		return;
	}
	p->x = (cols - p->w) / 2;
	p->y = rows >= 16 ? MAX_OF((rows - p->h) / 3, 1) : 0;
	show_choice(p);
}

void
palette_move(struct view_palette *p, int64_t by)
{
	int64_t to = (int64_t)p->choice + by, last = (int64_t)p->row_count - 1;

	if (last < 0)
		return;
	if (to < 0)
		to = by == -1 && p->choice == 0 ? last : 0;
	else if (to > last)
		to = by == 1 && (int64_t)p->choice == last ? 0 : last;
	p->choice = (size_t)to;
	show_choice(p);
}

/* Shows the next kind that has items, or all kinds. */
static void
next_kind(struct view_palette *p, int by)
{
	do {
		p->kind += by;
		if (p->kind >= VIEW_PALETTE_KINDS)
			p->kind = -1;
		else if (p->kind < -1)
			p->kind = VIEW_PALETTE_KINDS - 1;
	} while (p->kind >= 0 && (p->kinds & 1u << p->kind) == 0);
	view_palette_filter(p);
}

/* --- events ------------------------------------------------------------------------- */

enum act {
	ACT_MOVE,
	ACT_PAGE,
	ACT_KIND,
	ACT_CHOOSE,
	ACT_EDIT,
	ACT_CLOSE
};

static const struct {
	key_code key;
	enum act act;
	int by;
} palette_keys[] = {
	{ KEY_UP, ACT_MOVE, -1 },
	{ 'p' | KEY_CTRL, ACT_MOVE, -1 },
	{ KEY_DOWN, ACT_MOVE, 1 },
	{ 'n' | KEY_CTRL, ACT_MOVE, 1 },
	{ KEY_PPAGE, ACT_PAGE, -1 },
	{ 'v' | KEY_META, ACT_PAGE, -1 },
	{ KEY_NPAGE, ACT_PAGE, 1 },
	{ 'v' | KEY_CTRL, ACT_PAGE, 1 },
	{ KEY_TAB, ACT_KIND, 1 },
	{ 'i' | KEY_CTRL, ACT_KIND, 1 },
	{ KEY_BTAB, ACT_KIND, -1 },
	{ KEY_ENTER, ACT_CHOOSE, 0 },
	{ 'm' | KEY_CTRL, ACT_CHOOSE, 0 },
	{ 'j' | KEY_CTRL, ACT_CHOOSE, 0 },
	{ KEY_ENTER | KEY_META, ACT_EDIT, 0 },
	{ 'm' | KEY_CTRL | KEY_META, ACT_EDIT, 0 },
	{ 'o' | KEY_CTRL, ACT_EDIT, 0 },
	{ KEY_ESCAPE, ACT_CLOSE, 0 },
	{ '[' | KEY_CTRL, ACT_CLOSE, 0 },
	{ 'c' | KEY_CTRL, ACT_CLOSE, 0 },
	{ 'g' | KEY_CTRL, ACT_CLOSE, 0 },
};

static int
page_rows(const struct view_palette *p)
{
	return MAX_OF(palette_list_rows(p) - 1, 2);
}

enum palette_does
palette_key_moves(const struct view_palette *p, key_code key, int *by)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(palette_keys); i++) {
		if (palette_keys[i].key != key)
			continue;
		*by = palette_keys[i].by;
		if (palette_keys[i].act == ACT_PAGE)
			*by *= page_rows(p);
		return palette_keys[i].act <= ACT_PAGE ? PALETTE_MOVES
						       : PALETTE_ACTS;
	}
	return PALETTE_EDITS;
}

enum prompt_edit_did
palette_edit(struct view_palette *p, key_code key)
{
	uint8_t bytes[UTF8_MAX];
	enum prompt_edit_did did = prompt_edit_bound(&p->edit, key);
	size_t n;

	if (did != PROMPT_EDIT_NONE)
		return did;
	if ((key & (KEY_CTRL | KEY_META)) != 0 ||
	    (n = prompt_edit_typed(key, bytes)) == 0)
		return PROMPT_EDIT_NONE;
	prompt_edit_insert(&p->edit, (const char *)bytes, n);
	return PROMPT_EDIT_CHANGED;
}

static enum view_palette_did
act(struct view_palette *p, enum act what, int by)
{
	const bool any = view_palette_chosen(p) != SIZE_MAX;

	switch (what) {
	case ACT_MOVE:
		palette_move(p, by);
		break;
	case ACT_PAGE:
		palette_move(p, (int64_t)by * page_rows(p));
		break;
	case ACT_KIND:
		next_kind(p, by);
		break;
	case ACT_CHOOSE:
		return any ? VIEW_PALETTE_CHOSEN : VIEW_PALETTE_NOTHING;
	case ACT_EDIT:
		return any ? VIEW_PALETTE_EDIT : VIEW_PALETTE_NOTHING;
	case ACT_CLOSE:
		return VIEW_PALETTE_CLOSED;
	}
	return VIEW_PALETTE_CHANGED;
}

enum view_palette_did
view_palette_key(struct view_palette *p, key_code key)
{
	size_t i;

	key &= ~(key_code)KEY_LOCKS;
	for (i = 0; i < ARRAY_LEN(palette_keys); i++)
		if (palette_keys[i].key == key)
			return act(p, palette_keys[i].act, palette_keys[i].by);
	switch (palette_edit(p, key)) {
	case PROMPT_EDIT_NONE:
		return VIEW_PALETTE_NOTHING;
	case PROMPT_EDIT_CHANGED:
		view_palette_filter(p);
		break;
	case PROMPT_EDIT_MOVED:
		break;
	}
	return VIEW_PALETTE_CHANGED;
}

enum view_palette_did
view_palette_mouse(struct view_palette *p, const struct mouse_event *ev)
{
	const int y = ev->y - p->y - PALETTE_LIST_Y;
	const bool inside = ev->x >= p->x && ev->x < p->x + p->w &&
			    ev->y >= p->y && ev->y < p->y + p->h;
	size_t row;

	if (ev->action == MOUSE_PRESS && ev->button == MOUSE_WHEEL_UP)
		return act(p, ACT_MOVE, -1);
	if (ev->action == MOUSE_PRESS && ev->button == MOUSE_WHEEL_DOWN)
		return act(p, ACT_MOVE, 1);
	if (ev->action == MOUSE_PRESS && !inside)
		return VIEW_PALETTE_CLOSED;
	row = p->top + (size_t)MAX_OF(y, 0);
	if (!inside || y < 0 || y >= palette_list_rows(p) ||
	    row >= p->row_count)
		return VIEW_PALETTE_NOTHING;
	if (ev->action == MOUSE_PRESS && ev->button == MOUSE_LEFT) {
		p->choice = row;
		return VIEW_PALETTE_CHOSEN;
	}
	if (ev->action != MOUSE_MOTION || p->choice == row)
		return VIEW_PALETTE_NOTHING;
	p->choice = row;
	return VIEW_PALETTE_CHANGED;
}

void
view_palette_paste(struct view_palette *p, const char *text, size_t n)
{
	size_t i, start = 0;

	/* Drops control bytes, so that a paste chooses nothing. */
	for (i = 0; i <= n; i++)
		if (i == n || (unsigned char)text[i] < 0x20) {
			prompt_edit_insert(&p->edit, text + start, i - start);
			start = i + 1;
		}
	view_palette_filter(p);
}
