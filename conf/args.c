#include "config.h"

#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "conf/args.h"

/* Longest result of args_template_new, in bytes. */
#define ARGS_TEMPLATE_MAX ((size_t)1 << 20)

/* Returns the entry of FLAG, or NULL. */
static struct args_flag *
args_find(const struct args *args, int flag)
{
	size_t i;

	for (i = 0; i < args->flag_count; i++) {
		if (args->flags[i].flag == flag)
			return &args->flags[i];
	}
	return NULL;
}

/* Returns the entry of FLAG; adds it in order if it is new. */
static struct args_flag *
args_flag_add(struct args *args, int flag)
{
	struct args_flag *f = args_find(args, flag);
	size_t i;

	if (f != NULL) {
		f->times++;
		return f;
	}
	args->flags =
	    mem_resize(args->flags, args->flag_count + 1, sizeof *args->flags);
	for (i = args->flag_count; i > 0; i--) {
		if (args->flags[i - 1].flag < flag)
			break;
		args->flags[i] = args->flags[i - 1];
	}
	args->flag_count++;
	f = &args->flags[i];
	memset(f, 0, sizeof *f);
	f->flag = (unsigned char)flag;
	f->times = 1;
	return f;
}

/* Adds a value to the last use of a flag. */
static struct args_value *
args_flag_value(struct args_flag *f)
{
	f->values = mem_resize(f->values, f->count + 1, sizeof *f->values);
	memset(&f->values[f->count], 0, sizeof *f->values);
	return &f->values[f->count++];
}

/* Adds a use of FLAG; VALUE may be NULL. */
static void
args_set(struct args *args, int flag, const char *value)
{
	struct args_flag *f = args_flag_add(args, flag);

	if (value != NULL)
		args_flag_value(f)->text = mem_strdup(value);
}

/* Reader of the words of one command. */
struct args_reader {
	const struct command_row *row;
	const struct args_value *values;
	size_t count;
	size_t at;
	struct args *args;
	struct cause *cause;
};

/* Reads the value of FLAG: REST of its word, or the next word. */
static int
args_read_value(struct args_reader *r, int flag, const char *rest, int kind)
{
	const struct args_value *next;

	if (*rest != '\0') {
		args_set(r->args, flag, rest);
		return 0;
	}
	next = r->at < r->count ? &r->values[r->at] : NULL;
	/* A word with a dash is another flag, unless it is a number. */
	if (next == NULL ||
	    (kind == 2 && next->text != NULL && next->text[0] == '-' &&
		(next->text[1] < '0' || next->text[1] > '9'))) {
		if (kind == 2) {
			args_set(r->args, flag, NULL);
			return 0;
		}
		return cause_set(r->cause, -ERR_SYNTAX,
		    "command %s: -%c expects an argument", r->row->name, flag);
	}
	if (next->text == NULL)
		return cause_set(r->cause, -ERR_SYNTAX,
		    "command %s: -%c argument must be a string", r->row->name,
		    flag);
	args_set(r->args, flag, next->text);
	r->at++;
	return 0;
}

/* Long names of flags. tmux has no long names. */
static const struct args_long {
	enum command_id id;
	const char *name;
	char flag;
} args_longs[] = {
	{ COMMAND_invite, "address", 'a' },
	{ COMMAND_invite, "ask", 'A' },
	{ COMMAND_invite, "for", 'f' },
	{ COMMAND_invite, "list", 'l' },
	{ COMMAND_invite, "name", 'n' },
	{ COMMAND_invite, "once", 'o' },
	{ COMMAND_invite, "revoke", 'k' },
	{ COMMAND_invite, "type", 'y' },
	{ COMMAND_invite, "view", 'v' },
	{ COMMAND_invite, "words", 'w' },
};

/*
 * Reads "name" or "name=value" after two dashes; returns 1 for an unknown name.
 */
static int
args_read_long(struct args_reader *r, const char *p)
{
	size_t i, n = strcspn(p, "=");
	const struct args_long *l;
	int value;

	for (i = 0; i < ARRAY_LEN(args_longs); i++) {
		l = &args_longs[i];
		if (l->id != r->row->id || strlen(l->name) != n ||
		    strncmp(l->name, p, n) != 0)
			continue;
		(void)command_flag_value(r->row, l->flag, &value);
		if (value != 0)
			return args_read_value(
			    r, l->flag, p + n + (p[n] == '='), value);
		if (p[n] == '=')
			return cause_set(r->cause, -ERR_SYNTAX,
			    "command %s: --%s takes no value", r->row->name,
			    l->name);
		(void)args_flag_add(r->args, l->flag);
		return 0;
	}
	return 1;
}

/* Reads the flags of one word, after its dash. */
static int
args_read_flags(struct args_reader *r, const char *p)
{
	int flag, value;

	while ((flag = (unsigned char)*p++) != '\0') {
		if (flag == '?')
			return cause_set(r->cause, -ERR_SYNTAX, "usage: %s %s",
			    r->row->name, r->row->usage);
		if (!((flag >= 'a' && flag <= 'z') ||
			(flag >= 'A' && flag <= 'Z') ||
			(flag >= '0' && flag <= '9')))
			return cause_set(r->cause, -ERR_SYNTAX,
			    "command %s: invalid flag -%c", r->row->name,
			    flag > 0x20 && flag < 0x7f ? flag : '?');
		if (!command_flag_value(r->row, flag, &value))
			return cause_set(r->cause, -ERR_SYNTAX,
			    "command %s: unknown flag -%c", r->row->name, flag);
		if (value != 0)
			return args_read_value(r, flag, p, value);
		(void)args_flag_add(r->args, flag);
	}
	return 0;
}

/*
 * Returns the kind of the next argument of display-menu: name, key or commands.
 * An empty name is a separator line.
 */
static int
args_kind_menu(const struct args *args, unsigned *state)
{
	const struct args_value *last;

	switch (*state) {
	case 0:
		*state = 1;
		return 's';
	case 1:
		last = &args->values[args->count - 1];
		if (last->text != NULL && *last->text == '\0')
			return 's'; /* separator: the next argument is a name */
		*state = 2;
		return 's';
	default:
		*state = 0;
		return 'c';
	}
}

/* Returns the kind of the next argument: 's' string or 'c' commands. */
static int
args_kind(const struct args_reader *r, unsigned *state)
{
	const char *kinds = r->row->kinds;
	size_t n = strlen(kinds);
	int kind = (unsigned char)kinds[MIN_OF(r->args->count, n - 1)];

	if (kind == 'm')
		return args_kind_menu(r->args, state);
	if (kind == 'r')
		return args_has(r->args, 'C') ? 'c' : 's';
	return kind;
}

/* Reads all words that are left as arguments. */
static int
args_read_rest(struct args_reader *r)
{
	const struct args_value *v;
	unsigned state = 0;

	if (r->at < r->count)
		r->args->values =
		    mem_calloc(r->count - r->at, sizeof *r->args->values);
	for (; r->at < r->count; r->at++) {
		v = &r->values[r->at];
		if (args_kind(r, &state) == 's' && v->text == NULL)
			return cause_set(r->cause, -ERR_SYNTAX,
			    "command %s: argument %zu must be \"string\"",
			    r->row->name, r->args->count + 1);
		args_value_copy(&r->args->values[r->args->count++], v);
	}
	return 0;
}

/* Reads flags up to the first word that is not a flag, or up to "--". */
static int
args_read(struct args_reader *r)
{
	const char *word;
	int e;

	while (r->at < r->count) {
		word = r->values[r->at].text;
		if (word == NULL || word[0] != '-' || word[1] == '\0')
			break;
		r->at++;
		if (word[1] == '-' && word[2] == '\0')
			break;
		if (word[1] == '-' && (e = args_read_long(r, word + 2)) <= 0) {
			if (e != 0)
				return e;
			continue;
		}
		if ((e = args_read_flags(r, word + 1)) != 0)
			return e;
	}
	return args_read_rest(r);
}

int
args_parse(const struct command_row *row, const struct args_value *values,
    size_t count, struct args **out, struct cause *cause)
{
	struct args_reader r = {
		.row = row, .values = values, .count = count, .cause = cause
	};
	int e;

	if (count > ARGS_COUNT_MAX)
		return cause_set(cause, -ERR_SYNTAX,
		    "command %s: over %d arguments", row->name, ARGS_COUNT_MAX);
	r.args = args_new();
	e = args_read(&r);
	if (e == 0 && row->min > 0 && r.args->count < (size_t)row->min)
		e = cause_set(cause, -ERR_SYNTAX,
		    "command %s: too few arguments (need at least %d)",
		    row->name, row->min);
	if (e == 0 && row->max >= 0 && r.args->count > (size_t)row->max)
		e = cause_set(cause, -ERR_SYNTAX,
		    "command %s: too many arguments (need at most %d)",
		    row->name, row->max);
	if (e != 0) {
		args_free(r.args);
		return e;
	}
	*out = r.args;
	return 0;
}

unsigned
args_has(const struct args *args, int flag)
{
	const struct args_flag *f = args_find(args, flag);

	return f == NULL ? 0 : f->times;
}

const char *
args_get(const struct args *args, int flag)
{
	const struct args_flag *f = args_find(args, flag);

	return f == NULL || f->count == 0 ? NULL : f->values[f->count - 1].text;
}

const struct args_value *
args_values(const struct args *args, int flag, size_t *count)
{
	const struct args_flag *f = args_find(args, flag);

	*count = f == NULL ? 0 : f->count;
	return f == NULL ? NULL : f->values;
}

const char *
args_string(const struct args *args, size_t i)
{
	return i < args->count ? args->values[i].text : NULL;
}

struct cmdlist *
args_block(const struct args *args, size_t i)
{
	return i < args->count ? args->values[i].block : NULL;
}

int
args_text_number(const char *text, int64_t min, int64_t max, int64_t *out,
    struct cause *cause)
{
	int64_t n;
	int e;

	e = str_to_int(text, INT64_MIN, INT64_MAX, &n);
	if (e == 0 && n >= min && n <= max) {
		*out = n;
		return 0;
	}
	if (e == -ERR_SYNTAX)
		return cause_set(
		    cause, -ERR_SYNTAX, "value is invalid: %.256s", text);
	if (e == 0 ? n < min : text[0] == '-')
		return cause_set(
		    cause, -ERR_SMALL, "value is too small: %.256s", text);
	return cause_set(cause, -ERR_LARGE, "value is too large: %.256s", text);
}

int
args_number(const struct args *args, int flag, int64_t min, int64_t max,
    int64_t *out, struct cause *cause)
{
	const char *text = args_get(args, flag);

	if (text == NULL)
		return cause_set(cause, -ERR_NOTFOUND, "value is missing");
	return args_text_number(text, min, max, out, cause);
}

int
args_percentage(const struct args *args, int flag, int64_t min, int64_t max,
    int64_t whole, int64_t *out, struct cause *cause)
{
	const char *text = args_get(args, flag);
	int64_t percent, n;
	size_t len;

	if (text == NULL)
		return cause_set(cause, -ERR_NOTFOUND, "value is missing");
	len = strlen(text);
	if (len == 0 || text[len - 1] != '%')
		return args_text_number(text, min, max, out, cause);
	switch (str_to_intn(text, len - 1, 0, INT32_MAX, &percent)) {
	case 0:
		break;
	case -ERR_RANGE:
		if (*text == '-')
			return cause_set(cause, -ERR_SMALL,
			    "value is too small: %.256s", text);
		return cause_set(
		    cause, -ERR_LARGE, "value is too large: %.256s", text);
	default:
		return cause_set(
		    cause, -ERR_SYNTAX, "value is invalid: %.256s", text);
	}
	n = whole * percent / 100;
	if (n < min)
		return cause_set(
		    cause, -ERR_SMALL, "value is too small: %.256s", text);
	if (n > max)
		return cause_set(
		    cause, -ERR_LARGE, "value is too large: %.256s", text);
	*out = n;
	return 0;
}

/*
 * Writes S for use inside double quotes.  After a newline, the parser would drop
 * blanks and comments.
 */
static void
args_template_quoted(struct buf *out, const char *s)
{
	for (; *s != '\0'; s++) {
		if (strchr("\"\\$;~\n", *s) != NULL)
			(void)buf_add_u8(out, '\\');
		(void)buf_add_u8(out, *s == '\n' ? 'n' : (uint8_t)*s);
	}
}

/*
 * Reads the placeholder at P (after its first %).
 * Out:     *index which value, *quoted whether to escape it
 * Returns: bytes used, 0 if there is no placeholder.
 */
static size_t
args_template_place(const char *p, size_t *index, bool *quoted)
{
	size_t n;

	if (*p >= '1' && *p <= '9')
		*index = (size_t)(*p - '1');
	else if (*p == '%')
		*index = 0;
	else
		return 0;
	n = p[1] == '%' ? 2 : 1;
	*quoted = n == 2;
	return n;
}

/* Writes S as a word: outside quotes, or inside those of QUOTE. */
static void
args_template_word(struct buf *out, const char *s, char quote)
{
	if (quote == '"') {
		args_template_quoted(out, s);
		return;
	}
	if (quote == '\0')
		(void)buf_add_u8(out, '\'');
	for (; *s != '\0'; s++)
		if (*s == '\'')
			(void)buf_add_str(out, "'\\''");
		else if (*s == '\n')
			(void)buf_add_str(out, "'\"\\n\"'");
		else
			(void)buf_add_u8(out, (uint8_t)*s);
	if (quote == '\0')
		(void)buf_add_u8(out, '\'');
}

/* The quotes around what follows the byte at P; \0: none. */
static char
args_template_quote(const char *p, char quote)
{
	if (quote == '\0')
		return *p == '"' || *p == '\'' ? *p : '\0';
	return *p == quote ? '\0' : quote;
}

static char *
args_template_make(
    const char *template, const char *const *values, size_t count, bool words)
{
	struct buf out;
	bool first = true, quoted;
	size_t n, index;
	char quote = '\0', *text;
	const char *p;

	buf_init(&out, ARGS_TEMPLATE_MAX);
	for (p = template; *p != '\0' && !out.overflow; p++) {
		if (*p != '%' ||
		    (n = args_template_place(p + 1, &index, &quoted)) == 0 ||
		    (p[1] == '%' && !first) || index >= count) {
			(void)buf_add_u8(&out, (uint8_t)*p);
			if (*p == '\\' && quote != '\'' && p[1] != '\0')
				(void)buf_add_u8(&out, (uint8_t) * ++p);
			else
				quote = args_template_quote(p, quote);
			continue;
		}
		if (p[1] == '%')
			first = false;
		if (quoted && (!words || quote == '"'))
			args_template_quoted(&out, values[index]);
		else if (words)
			args_template_word(&out, values[index], quote);
		else
			(void)buf_add_str(&out, values[index]);
		p += n;
	}
	text = buf_steal(&out, NULL);
	buf_fini(&out);
	return text;
}

char *
args_template_new(const char *template, const char *const *values, size_t count)
{
	return args_template_make(template, values, count, false);
}

char *
args_template_words_new(
    const char *template, const char *const *values, size_t count)
{
	return args_template_make(template, values, count, true);
}

static void
args_fill(struct args_value *out, const struct args_value *v,
    const char *const *values, size_t count)
{
	out->text =
	    v->text == NULL ? NULL : args_template_new(v->text, values, count);
	out->block = v->block == NULL
			 ? NULL
			 : args_template_fill(v->block, values, count);
}

/* Fills N values at V. */
static struct args_value *
args_fill_all(const struct args_value *v, size_t n, const char *const *values,
    size_t count)
{
	struct args_value *out = mem_resize(NULL, n, sizeof *out);
	size_t i;

	for (i = 0; i < n; i++)
		args_fill(&out[i], &v[i], values, count);
	return out;
}

struct cmdlist *
args_template_fill(
    const struct cmdlist *list, const char *const *values, size_t count)
{
	struct cmdlist *out = cmdlist_new();
	const struct cmd *cmd;
	const struct args *a;
	struct args *b;
	size_t i, k;

	for (i = 0; i < list->count; i++) {
		cmd = list->cmds[i];
		a = cmd->args;
		b = args_new();
		b->count = a->count;
		b->values = args_fill_all(a->values, a->count, values, count);
		b->flag_count = a->flag_count;
		b->flags = mem_resize(NULL, a->flag_count, sizeof *b->flags);
		for (k = 0; k < a->flag_count; k++) {
			b->flags[k] = a->flags[k];
			b->flags[k].values = args_fill_all(a->flags[k].values,
			    a->flags[k].count, values, count);
		}
		cmdlist_append(out,
		    cmd_new(cmd->row, b, cmd->file, cmd->line, cmd->group));
	}
	out->groups = list->groups;
	return out;
}
