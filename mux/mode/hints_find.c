#include "mux/mode/hints_find.h"

#include <string.h>

#include "base/err.h"

struct kind_row {
	const char *name;
	size_t (*find)(const struct hint_line *l, size_t at, size_t *skip);
};

static const struct kind_row kind_rows[] = {
#define X(id, name, find, help) { name, hints_find_##find },
#include "mux/mode/hints.def"
#undef X
};

const char *
hint_kind_name(enum hint_kind kind)
{
	return kind == HINT_USER ? "user" : kind_rows[kind].name;
}

int
hint_kinds_parse(const char *text, unsigned *kinds, struct cause *cause)
{
	size_t n, i;

	*kinds = 0;
	for (;; text += n + 1) {
		n = strcspn(text, ",");
		for (i = 0; i < HINT_KINDS; i++)
			if (strlen(hint_kind_name((enum hint_kind)i)) == n &&
			    strncmp(hint_kind_name((enum hint_kind)i), text,
				n) == 0)
				break;
		if (i == HINT_KINDS)
			return cause_set(cause, -ERR_NOTFOUND,
			    "unknown kind of hint: %.*s",
			    (int)MIN_OF(n, (size_t)64), text);
		*kinds |= 1U << i;
		if (text[n] == '\0')
			return 0;
	}
}

void
hints_find_start(struct hint_line *l, const char *s, size_t n, unsigned kinds)
{
	memset(l, 0, sizeof(*l));
	l->s = s;
	l->n = n;
	l->kinds = kinds;
}

bool
hints_find(struct hint_line *l, struct hint_span *out)
{
	size_t end, i;

	for (; l->at < l->n; l->at++) {
		if ((unsigned char)l->s[l->at] <= ' ')
			continue;
		for (i = 0; i < ARRAY_LEN(kind_rows); i++) {
			if ((l->kinds & 1U << i) == 0 || l->at < l->skip[i])
				continue;
			end = kind_rows[i].find(l, l->at, &l->skip[i]);
			if (end <= l->at)
				continue;
			*out =
			    (struct hint_span){ l->at, end, (enum hint_kind)i };
			l->at = end;
			return true;
		}
	}
	return false;
}
