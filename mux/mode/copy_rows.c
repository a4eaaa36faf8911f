/*
 * The table of the commands of copy mode, and how one runs.
 */
#include <string.h>

#include "base/mem.h"
#include "mux/mode/copy_int.h"

const struct copy_row copy_rows[] = {
#define X(id, name, min, max, options, clear) \
 { name, min, max, options, clear, copy_do_##id },
#include "mux/mode/copy.def"
#undef X
};

const size_t copy_row_count = ARRAY_LEN(copy_rows);

static const struct copy_row *
find_row(const char *name)
{
	size_t lo = 0, hi = copy_row_count, mid;
	int c;

	while (lo < hi) {
		mid = (lo + hi) / 2;
		if ((c = strcmp(name, copy_rows[mid].name)) == 0)
			return &copy_rows[mid];
		if (c < 0)
			hi = mid;
		else
			lo = mid + 1;
	}
	return NULL;
}

static void
set_flag(struct copy_args *a, char flag)
{
	switch (flag) {
	case 'C':
		a->no_clipboard = true;
		break;
	case 'P':
		a->no_buffer = true;
		break;
	case 'o':
		a->output = true;
		break;
	default:
		a->exit = true;
		break;
	}
}

/* Parses options and arguments; false if the row does not allow them. */
static bool
parse(struct copy_args *a, const struct mode_command *cmd)
{
	size_t i, k;
	const char *w;

	for (i = 1; i < cmd->count; i++) {
		w = cmd->words[i];
		if (w[0] != '-' || w[1] == '\0')
			break;
		if (strcmp(w, "--") == 0) {
			i++;
			break;
		}
		for (k = 1; w[k] != '\0'; k++) {
			if (strchr(a->row->options, w[k]) == NULL)
				return false;
			set_flag(a, w[k]);
		}
	}
	for (; i < cmd->count; i++) {
		if (a->count == a->row->max)
			return false;
		a->word[a->count++] = cmd->words[i];
	}
	return a->count >= a->row->min;
}

enum mode_did
copy_command(struct mode *m, const struct mode_command *cmd, struct cause *why)
{
	struct copy *c = copy_of(m);
	const struct copy_row *row = find_row(cmd->words[0]);
	struct copy_args a = {
		.cmd = cmd,
		.out = cmd->effects,
		.repeat = MIN_OF(MAX_OF(cmd->repeat, 1U), 100000U),
		.row = row,
		.why = why,
	};
	enum copy_did did;

	/* What is asked next ends a search. */
	copy_search_stop(m, false);
	copy_sync(c);
	/* tmux says nothing of unknown commands. */
	if (row == NULL || !parse(&a, cmd))
		return MODE_TAKEN;
	if (cmd->separators != NULL &&
	    strcmp(cmd->separators, c->separators) != 0) {
		mem_free(c->separators);
		c->separators = mem_strdup(cmd->separators);
	}
	if (cmd->mouse == NULL)
		c->drag_mouse = c->slide = false;
	did = row->fn(c, &a);
	if (strncmp(row->name, "search-", 7) != 0 && c->search_marks &&
	    (row->clear == COPY_CLEAR_ALWAYS ||
		(row->clear == COPY_CLEAR_EMACS && !copy_is_vi(c))))
		copy_search_clear(c);
	mode_dirty(m);
	if (did != COPY_CANCEL)
		return MODE_TAKEN;
	if ((c->flags & COPY_OPEN_KILL) != 0 && a.out != NULL)
		a.out->kill = true;
	return MODE_LEFT;
}
