#include "config.h"

#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "conf/option_table.h"

/* Each choice has a comma before it; CHOICES_CHOICE skips the first one. */
#define C(constant, text) "," text
#define CHOICES_STRING(ch) (ch)
#define CHOICES_STYLE(ch) (ch)
#define CHOICES_NUMBER(ch) (ch)
#define CHOICES_FLAG(ch) (ch)
#define CHOICES_CHOICE(ch) &(ch)[1]
#define CHOICES_KEY(ch) (ch)
#define CHOICES_COLOUR(ch) (ch)
#define CHOICES_COMMAND(ch) (ch)

static const struct option_row option_rows[] = {
#define X(i, n, t, sc, mn, mx, txt, ch, sep, fl, ef, un, h) \
 [OPTION_##i] = { .id = OPTION_##i,                         \
	 .name = (n),                                       \
	 .type = OPTION_##t,                                \
	 .scope = (sc),                                     \
	 .min = (mn),                                       \
	 .max = (mx),                                       \
	 .text = (txt),                                     \
	 .choices = CHOICES_##t(ch),                        \
	 .separator = (sep),                                \
	 .flags = (fl),                                     \
	 .effects = (ef),                                   \
	 .unit = (un),                                      \
	 .help = (h) },
#include "conf/option.def"
#undef X
};

#undef C

_Static_assert(ARRAY_LEN(option_rows) == OPTION_COUNT, "a row for each id");

static const char *const option_types[] = {
	[OPTION_STRING] = "string",
	[OPTION_STYLE] = "style",
	[OPTION_NUMBER] = "number",
	[OPTION_FLAG] = "flag",
	[OPTION_CHOICE] = "choice",
	[OPTION_KEY] = "key",
	[OPTION_COLOUR] = "colour",
	[OPTION_COMMAND] = "command",
};

_Static_assert(ARRAY_LEN(option_types) == OPTION_TYPE_COUNT, "all types");

const struct option_row *
option_row(enum option_id id)
{
	bug_assert((unsigned)id < OPTION_COUNT);
	return &option_rows[id];
}

/* Options that are not listed in order of the name. */
static const struct {
	enum option_id id;
	enum option_id behind;
} option_moves[] = {
#define X(id, behind) { OPTION_##id, OPTION_##behind },
#include "conf/option_order.def"
#undef X
};

static bool
option_moved(enum option_id id)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(option_moves); i++)
		if (option_moves[i].id == id)
			return true;
	return false;
}

void
option_order(enum option_id *out)
{
	size_t n = 0, next = 0, i;
	unsigned id;

	for (id = 0; id < OPTION_COUNT; id++) {
		if (option_moved((enum option_id)id))
			continue;
		out[n++] = (enum option_id)id;
		/* Options behind this one, and options behind those. */
		for (; next < n; next++)
			for (i = 0; i < ARRAY_LEN(option_moves); i++)
				if (option_moves[i].behind == out[next])
					out[n++] = option_moves[i].id;
	}
}

unsigned
option_effects(const struct option_row *row)
{
	if (row == NULL)
		return OPT_ON_USER;
	if (row->flags & OPT_HOOK)
		return row->effects;
	return row->effects | OPT_ON_FORMATS;
}

/* First rows of the parts of option.def, each in order of the name. */
static const enum option_id option_parts[] = {
	OPTION_ACCEPT_ME_CONF,
	OPTION_ACTIVITY_ACTION,
	OPTION_AGGRESSIVE_RESIZE,
	OPTION_AFTER_BIND_KEY,
	OPTION_COUNT,
};

const struct option_row *
option_row_find(const char *name)
{
	size_t part, lo, hi, mid;
	int c;

	/* No option has it in its name, and most variables do. */
	if (strchr(name, '_') != NULL)
		return NULL;
	for (part = 0; part + 1 < ARRAY_LEN(option_parts); part++) {
		lo = option_parts[part];
		hi = option_parts[part + 1];
		while (lo < hi) {
			mid = (lo + hi) / 2;
			c = strcmp(name, option_rows[mid].name);
			if (c == 0)
				return &option_rows[mid];
			if (c < 0)
				hi = mid;
			else
				lo = mid + 1;
		}
	}
	return NULL;
}

const char *
option_type_name(enum option_type type)
{
	return option_types[type];
}

/*
 * Finds the row with the name TEXT, or the only row that begins with TEXT.
 * Options of tmux come before our own: a configuration of tmux means the same.
 */
static int
option_row_match(const char *text, const struct option_row **out)
{
	size_t i, n = strlen(text), found = 0, own = 0;
	const struct option_row *row;

	if ((*out = option_row_find(text)) != NULL)
		return 0;
	for (i = 0; i < OPTION_COUNT; i++) {
		row = &option_rows[i];
		if (strncmp(row->name, text, n) != 0)
			continue;
		if ((row->flags & OPT_OWN) == 0)
			found++;
		else if (found > 0 || own++ > 0)
			continue;
		*out = row;
	}
	if (found == 0)
		found = own;
	if (found == 0 || n == 0)
		return -ERR_NOTFOUND;
	return found == 1 ? 0 : -ERR_AMBIGUOUS;
}

const char *
option_key_text(uint32_t index, const char *word, char *buf, size_t size)
{
	if (word != NULL && *word != '\0')
		return word;
	(void)snprintf(buf, size, "%u", index);
	return buf;
}

/* Splits "name[3]" or "name[word]" into OUT's text, index and word. */
static int
option_split(const char *name, struct option_name *out)
{
	size_t n = strcspn(name, "["), end = strlen(name);
	int64_t index;

	out->index = OPTION_NO_INDEX;
	out->word[0] = '\0';
	if (end >= sizeof out->text || n == 0)
		return -ERR_SYNTAX;
	memcpy(out->text, name, n);
	out->text[n] = '\0';
	if (name[n] == '\0')
		return 0;
	if (name[end - 1] != ']' || end - n <= 2 ||
	    strcspn(name + n + 1, "]") != end - n - 2)
		return -ERR_SYNTAX;
	if (str_to_intn(name + n + 1, end - n - 2, 0, INT32_MAX, &index) == 0) {
		out->index = (uint32_t)index;
		return 0;
	}
	/* Too large a number is no word. */
	if (strspn(name + n + 1, "0123456789") == end - n - 2)
		return -ERR_SYNTAX;
	memcpy(out->word, name + n + 1, end - n - 2);
	out->word[end - n - 2] = '\0';
	out->index = OPTION_WORD;
	return 0;
}

int
option_match(const char *name, struct option_name *out, struct cause *cause)
{
	int e;

	out->row = NULL;
	if (option_split(name, out) != 0)
		return cause_set(cause, -ERR_NOTFOUND,
		    strchr(name, '[') == NULL ? "invalid option: %.256s"
					      : "ambiguous option: %.256s",
		    name);
	if (out->text[0] == '@')
		return 0;
	e = option_row_match(out->text, &out->row);
	if (e == 0 && out->row != NULL) {
		(void)str_copy(out->text, out->row->name, sizeof out->text);
		return 0;
	}
	out->row = NULL;
	return cause_set(cause, e,
	    e == -ERR_AMBIGUOUS ? "ambiguous option: %.256s"
				: "invalid option: %.256s",
	    name);
}

bool
option_exact(const char *name, struct option_name *out)
{
	out->row = NULL;
	if (option_split(name, out) != 0)
		return false;
	if (out->text[0] == '@')
		return true;
	out->row = option_row_find(out->text);
	return out->row != NULL;
}

/* Moves *P to the next choice; returns its length, 0 at the end. */
static size_t
option_choice_next(const char **p)
{
	if (**p == ',')
		(*p)++;
	return strcspn(*p, ",");
}

int
option_choice_find(const struct option_row *row, const char *text)
{
	const char *p = row->choices;
	size_t len, n = strlen(text);
	int i;

	for (i = 0; (len = option_choice_next(&p)) != 0; i++, p += len) {
		if (len == n && strncmp(p, text, n) == 0)
			return i;
	}
	return -1;
}

const char *
option_choice_text(
    const struct option_row *row, int64_t n, char *buf, size_t size)
{
	const char *p = row->choices;
	size_t len;

	while ((len = option_choice_next(&p)) != 0 && n-- > 0)
		p += len;
	len = MIN_OF(len, size - 1);
	memcpy(buf, p, len);
	buf[len] = '\0';
	return buf;
}
