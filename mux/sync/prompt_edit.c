#include "mux/sync/prompt_edit.h"

#include <string.h>

#include "base/grapheme.h"
#include "base/mem.h"

void
prompt_edit_init(struct prompt_edit *e, const char *separators)
{
	*e = (struct prompt_edit){ .separators = separators };
	buf_init(&e->text, PROMPT_MAX);
}

void
prompt_edit_fini(struct prompt_edit *e)
{
	buf_fini(&e->text);
	mem_free(e->cut);
}

const char *
prompt_edit_text(struct prompt_edit *e)
{
	return buf_cstr(&e->text);
}

void
prompt_edit_set(struct prompt_edit *e, const char *text)
{
	buf_clear(&e->text);
	(void)buf_add(&e->text, text, MIN_OF(strlen(text), PROMPT_MAX - 1u));
	e->at = e->text.len;
}

void
prompt_edit_insert(struct prompt_edit *e, const char *s, size_t n)
{
	uint8_t *room;

	if (n == 0)
		return;
	if (e->text.len + n >= PROMPT_MAX ||
	    buf_reserve(&e->text, n, &room) != 0) {
		e->text.overflow = false;
		return;
	}
	buf_commit(&e->text, n);
	memmove(e->text.data + e->at + n, e->text.data + e->at,
	    e->text.len - n - e->at);
	memcpy(e->text.data + e->at, s, n);
	e->at += n;
}

void
prompt_edit_remove(struct prompt_edit *e, size_t from, size_t to)
{
	to = MIN_OF(to, e->text.len);
	if (to > from) {
		memmove(
		    e->text.data + from, e->text.data + to, e->text.len - to);
		buf_truncate(&e->text, e->text.len - (to - from));
	}
	e->at = MIN_OF(from, e->text.len);
}

/* --- places --------------------------------------------------------------- */

/* Returns the start of the code point before AT. */
static size_t
left_of(const struct prompt_edit *e, size_t at)
{
	while (at > 0 && (e->text.data[--at] & 0xc0) == 0x80)
		;
	return at;
}

/* Returns the end of the code point at AT. */
static size_t
right_of(const struct prompt_edit *e, size_t at)
{
	if (at < e->text.len)
		at++;
	while (at < e->text.len && (e->text.data[at] & 0xc0) == 0x80)
		at++;
	return at;
}

static bool
is_space(const struct prompt_edit *e, size_t at)
{
	return e->text.data[at] == ' ';
}

static bool
is_separator(const struct prompt_edit *e, size_t at)
{
	uint8_t c = e->text.data[at];

	return c < 0x80 && c != '\0' && strchr(e->separators, c) != NULL;
}

/* Returns whether the characters at A and B can be in one word. */
static bool
same_word(const struct prompt_edit *e, size_t a, size_t b, bool big)
{
	if (is_space(e, a) || is_space(e, b))
		return false;
	return big || is_separator(e, a) == is_separator(e, b);
}

static size_t
word_back(const struct prompt_edit *e, size_t at, bool big)
{
	size_t before;

	while (at > 0 && is_space(e, left_of(e, at)))
		at = left_of(e, at);
	if (at > 0)
		at = left_of(e, at);
	while (at > 0) {
		before = left_of(e, at);
		if (!same_word(e, before, at, big))
			break;
		at = before;
	}
	return at;
}

/* --- edits ---------------------------------------------------------------- */

/* Removes FROM..TO and remembers it for prompt_edit_yank. */
static void
cut(struct prompt_edit *e, size_t from, size_t to)
{
	if (to > from) {
		mem_free(e->cut);
		e->cut =
		    mem_strndup((const char *)e->text.data + from, to - from);
	}
	prompt_edit_remove(e, from, to);
}

void
prompt_edit_left(struct prompt_edit *e)
{
	e->at = left_of(e, e->at);
}

void
prompt_edit_right(struct prompt_edit *e)
{
	e->at = right_of(e, e->at);
}

void
prompt_edit_home(struct prompt_edit *e)
{
	e->at = 0;
}

void
prompt_edit_end(struct prompt_edit *e)
{
	e->at = e->text.len;
}

void
prompt_edit_backspace(struct prompt_edit *e)
{
	prompt_edit_remove(e, left_of(e, e->at), e->at);
}

void
prompt_edit_delete(struct prompt_edit *e)
{
	prompt_edit_remove(e, e->at, right_of(e, e->at));
}

void
prompt_edit_kill(struct prompt_edit *e)
{
	prompt_edit_remove(e, e->at, e->text.len);
}

void
prompt_edit_clear(struct prompt_edit *e)
{
	prompt_edit_remove(e, 0, e->text.len);
}

static void
cut_word(struct prompt_edit *e)
{
	cut(e, word_back(e, e->at, false), e->at);
}

void
prompt_edit_yank(struct prompt_edit *e)
{
	if (e->cut != NULL)
		prompt_edit_insert(e, e->cut, strlen(e->cut));
}

static void
transpose(struct prompt_edit *e)
{
	size_t end = e->at < e->text.len ? right_of(e, e->at) : e->at;
	size_t mid = left_of(e, end), start = left_of(e, mid);
	char *first;

	if (mid == start || mid == end)
		return;
	first = mem_strndup((const char *)e->text.data + start, mid - start);
	prompt_edit_remove(e, start, mid);
	e->at = start + (end - mid);
	prompt_edit_insert(e, first, strlen(first));
	mem_free(first);
}

void
prompt_edit_word_back(struct prompt_edit *e, bool big)
{
	e->at = word_back(e, e->at, big);
}

void
prompt_edit_word_next(struct prompt_edit *e, bool big, bool vi)
{
	size_t at = e->at, end = e->text.len, next;

	if (!vi)
		while (at < end && is_space(e, at))
			at = right_of(e, at);
	while (at < end && !is_space(e, at)) {
		next = right_of(e, at);
		if (next < end && !same_word(e, at, next, big)) {
			at = next;
			break;
		}
		at = next;
	}
	if (vi)
		while (at < end && is_space(e, at))
			at = right_of(e, at);
	e->at = at;
}

void
prompt_edit_word_end(struct prompt_edit *e, bool big)
{
	size_t end = e->text.len, at = right_of(e, e->at), next;

	while (at < end && is_space(e, at))
		at = right_of(e, at);
	while (at < end) {
		next = right_of(e, at);
		if (next >= end || !same_word(e, at, next, big))
			break;
		at = next;
	}
	e->at = MIN_OF(at, end);
}

/* --- keys ----------------------------------------------------------------- */

static void
bound_back(struct prompt_edit *e)
{
	prompt_edit_word_back(e, false);
}

static void
bound_next(struct prompt_edit *e)
{
	prompt_edit_word_next(e, false, false);
}

static const struct bound_row {
	key_code key;
	enum prompt_edit_did did;
	void (*fn)(struct prompt_edit *e);
} bound_rows[] = {
	{ KEY_LEFT, PROMPT_EDIT_MOVED, prompt_edit_left },
	{ 'b' | KEY_CTRL, PROMPT_EDIT_MOVED, prompt_edit_left },
	{ KEY_RIGHT, PROMPT_EDIT_MOVED, prompt_edit_right },
	{ 'f' | KEY_CTRL, PROMPT_EDIT_MOVED, prompt_edit_right },
	{ KEY_HOME, PROMPT_EDIT_MOVED, prompt_edit_home },
	{ 'a' | KEY_CTRL, PROMPT_EDIT_MOVED, prompt_edit_home },
	{ KEY_END, PROMPT_EDIT_MOVED, prompt_edit_end },
	{ 'e' | KEY_CTRL, PROMPT_EDIT_MOVED, prompt_edit_end },
	{ KEY_LEFT | KEY_CTRL, PROMPT_EDIT_MOVED, bound_back },
	{ 'b' | KEY_META, PROMPT_EDIT_MOVED, bound_back },
	{ KEY_RIGHT | KEY_CTRL, PROMPT_EDIT_MOVED, bound_next },
	{ 'f' | KEY_META, PROMPT_EDIT_MOVED, bound_next },
	{ KEY_BSPACE, PROMPT_EDIT_CHANGED, prompt_edit_backspace },
	{ 'h' | KEY_CTRL, PROMPT_EDIT_CHANGED, prompt_edit_backspace },
	{ KEY_DC, PROMPT_EDIT_CHANGED, prompt_edit_delete },
	{ 'd' | KEY_CTRL, PROMPT_EDIT_CHANGED, prompt_edit_delete },
	{ 'k' | KEY_CTRL, PROMPT_EDIT_CHANGED, prompt_edit_kill },
	{ 'u' | KEY_CTRL, PROMPT_EDIT_CHANGED, prompt_edit_clear },
	{ 'w' | KEY_CTRL, PROMPT_EDIT_CHANGED, cut_word },
	{ 't' | KEY_CTRL, PROMPT_EDIT_CHANGED, transpose },
};

enum prompt_edit_did
prompt_edit_bound(struct prompt_edit *e, key_code k)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(bound_rows); i++)
		if (bound_rows[i].key == k) {
			bound_rows[i].fn(e);
			return bound_rows[i].did;
		}
	return PROMPT_EDIT_NONE;
}

size_t
prompt_edit_typed(key_code k, uint8_t bytes[UTF8_MAX])
{
	key_code base = k & KEY_MASK;

	if (k == KEY_TAB)
		base = '\t';
	else if (k == KEY_ENTER)
		base = '\r';
	else if (k == KEY_ESCAPE)
		base = 0x1b;
	else if (k == KEY_BSPACE)
		base = 0x7f;
	else if (k & KEY_CTRL && base >= '@' && base < 0x7f)
		base &= 0x1f;
	else if ((k & KEY_MODS & ~KEY_SHIFT) != 0 || base >= KEY_SPECIAL)
		return 0;
	return base == 0 ? 0 : utf8_encode((uint32_t)base, bytes);
}

bool
prompt_edit_key(struct prompt_edit *e, key_code k)
{
	uint8_t bytes[UTF8_MAX];
	size_t n;

	if (prompt_edit_bound(e, k) != PROMPT_EDIT_NONE)
		return true;
	/* Without text that was cut here, C-y may insert anything. */
	if (k == ('y' | KEY_CTRL) && e->cut != NULL) {
		prompt_edit_yank(e);
		return true;
	}
	if ((k & KEY_MODS & ~KEY_SHIFT) != 0 || (k & KEY_MASK) < 0x20 ||
	    (k & KEY_MASK) == 0x7f || (k & KEY_MASK) >= KEY_SPECIAL ||
	    (n = prompt_edit_typed(k, bytes)) == 0)
		return false;
	prompt_edit_insert(e, (const char *)bytes, n);
	return true;
}

/* --- drawing -------------------------------------------------------------- */

void
prompt_edit_draw(const struct prompt_edit *e, const struct grapheme_table *gt,
    struct vt_frame *f, unsigned x, const struct pen *pen)
{
	const char *text = (const char *)e->text.data;
	size_t len = e->text.len, from = 0;
	unsigned room, before, skip = 0;
	int w;

	if (x + 1 >= f->cols)
		x = 0;
	room = f->cols - x - 1;
	before = len == 0 ? 0 : (unsigned)grapheme_text_width(gt, text, e->at);
	while (before - skip > room && from < e->at) {
		from += grapheme_next(
		    gt, (const uint8_t *)text + from, e->at - from, &w);
		skip += (unsigned)w;
	}
	if (len > from)
		vt_frame_text(
		    f, gt, x, 0, f->cols, text + from, len - from, pen);
	f->state.x = (uint16_t)(x + before - skip);
	f->state.y = 0;
}
