#include "server/prompt_edit.h"

#include <string.h>

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

/* --- places ------------------------------------------------------------------ */

/* Start of the code point before AT. */
static size_t
left_of(const struct prompt_edit *e, size_t at)
{
	while (at > 0 && (e->text.data[--at] & 0xc0) == 0x80)
		;
	return at;
}

/* Start of the code point behind the one at AT. */
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

/* Whether the characters at A and B can stand in one word. */
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

/* --- edits --------------------------------------------------------------------- */

/* Remembers FROM..TO for prompt_edit_yank and takes it away. */
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

void
prompt_edit_cut_word(struct prompt_edit *e)
{
	cut(e, word_back(e, e->at, false), e->at);
}

void
prompt_edit_yank(struct prompt_edit *e)
{
	if (e->cut != NULL)
		prompt_edit_insert(e, e->cut, strlen(e->cut));
}

void
prompt_edit_transpose(struct prompt_edit *e)
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
