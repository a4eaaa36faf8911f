#include "config.h"

#include <string.h>

#include "base/mem.h"
#include "conf/args.h"
#include "conf/lexer.h"
#include "conf/parser.h"

/* One open %if. */
struct parser_cond {
	unsigned line;
	bool outer; /* active outside of it */
	bool taken; /* one of its parts was chosen */
	bool last;  /* %else was read */
};

/* One text or { } block while it is read. */
struct parser_frame {
	struct cmdlist *list;
	size_t conds;  /* number of conditions outside */
	unsigned open; /* line of its {, 0 for a text */
	unsigned group;
	unsigned line; /* of the current command */
	struct args_value *words;
	size_t count;
	size_t cap;
	bool bad;    /* the current command is invalid */
	bool before; /* a command precedes on this line */
	bool failed; /* any of its commands was invalid */
};

struct parser {
	const struct parser_hooks *hooks;
	struct lexer_hooks lexer_hooks;
	struct lexer lexer;
	struct cmd_file *file;
	unsigned fixed_line; /* line of the alias being expanded, or 0 */
	unsigned depth;
	unsigned errors;
	size_t bytes;
	bool active;
	bool stopped;
	bool aliases;
	bool one_group; /* of the commands that follow */
	bool again;     /* return TOKEN once more */
	enum lexer_token token;
	struct parser_cond conds[PARSER_DEPTH_MAX];
	size_t cond_count;
};

/* Tells whether text is true in %if and formats: not empty and not "0". */
static bool
parser_true(const char *text)
{
	return *text != '\0' && strcmp(text, "0") != 0;
}

static void
parser_tell(struct parser *p, unsigned line, const char *text)
{
	if (p->hooks->error != NULL)
		p->hooks->error(p->hooks->arg,
		    p->file == NULL ? NULL : p->file->name,
		    p->fixed_line != 0 ? p->fixed_line : line, text);
}

static void
parser_stop(struct parser *p)
{
	p->stopped = true;
	lexer_stop(&p->lexer);
}

static void
parser_error(struct parser *p, unsigned line, const char *text)
{
	if (p->stopped)
		return;
	parser_tell(p, line, text);
	if (++p->errors < (p->hooks->errors_max != 0 ? p->hooks->errors_max
						     : PARSER_ERRORS_MAX))
		return;
	parser_tell(p, line, "too many errors");
	parser_stop(p);
}

/* Reports an error that makes the rest unreadable. */
static void
parser_fatal(struct parser *p, unsigned line, const char *text)
{
	parser_error(p, line, text);
	parser_stop(p);
}

static void
parser_lexer_error(void *arg, unsigned line, const char *text)
{
	parser_error(arg, line, text);
}

/* Reports what a plain text must not have; true: it is one. */
static bool
parser_plain(struct parser *p, unsigned line, const char *text)
{
	if (p->hooks->plain)
		parser_error(p, line, text);
	return p->hooks->plain;
}

static const char *
parser_lexer_variable(void *arg, const char *name)
{
	struct parser *p = arg;

	if (parser_plain(p, p->lexer.line,
		"variables are not read here: put $ in single quotes, or "
		"write the value")) {
		p->lexer.bad = true;
		return NULL;
	}
	if (p->hooks->variable == NULL)
		return NULL;
	return p->hooks->variable(p->hooks->arg, name);
}

static const char *
parser_lexer_home(void *arg, const char *user)
{
	const struct parser *p = arg;

	return p->hooks->home(p->hooks->arg, user);
}

static void
parser_activate(struct parser *p, bool active)
{
	p->active = active;
	p->lexer.active = active;
}

/* Returns the next token; after a stop always LEXER_END. */
static enum lexer_token
parser_next(struct parser *p)
{
	if (p->again)
		p->again = false;
	else
		p->token = lexer_next(&p->lexer);
	if (p->stopped)
		p->token = LEXER_END;
	return p->token;
}

static void
parser_account(struct parser *p, size_t n)
{
	p->bytes += n;
	if (p->bytes > PARSER_BYTES_MAX)
		parser_fatal(p, p->lexer.line, "over 64 megabytes of commands");
}

/* Adds a word to the current command. */
static struct args_value *
parser_word(struct parser *p, struct parser_frame *f)
{
	if (f->count == 0)
		f->line = p->lexer.token_line;
	if (f->count == f->cap) {
		f->cap = f->cap == 0 ? 8 : f->cap * 2;
		f->words = mem_resize(f->words, f->cap, sizeof *f->words);
	}
	memset(&f->words[f->count], 0, sizeof *f->words);
	return &f->words[f->count++];
}

static void
parser_add_text(struct parser *p, struct parser_frame *f)
{
	struct args_value *v;

	v = parser_word(p, f);
	v->text = mem_strdup(lexer_word(&p->lexer));
	parser_account(p, 2 * (p->lexer.word.len + sizeof *v) + 64);
	if (p->lexer.bad)
		f->bad = true;
	p->lexer.bad = false;
}

static void
parser_drop_words(struct parser_frame *f)
{
	size_t i;

	for (i = 0; i < f->count; i++)
		args_value_fini(&f->words[i]);
	f->count = 0;
}

static void parser_list(struct parser *p, struct parser_frame *f,
    const struct args_value *extra, size_t extra_count);

/* Parses the text of an alias in place of the current command's name. */
static void
parser_alias(struct parser *p, struct parser_frame *f, const char *text)
{
	struct parser_frame sub = {
		.list = f->list, .conds = p->cond_count, .group = f->group
	};
	struct lexer lexer = p->lexer;
	enum lexer_token token = p->token;
	unsigned fixed = p->fixed_line;
	const bool one_group = p->one_group;
	size_t n = strlen(text);

	while (n > 0 && strchr("; \t\n", text[n - 1]) != NULL)
		n--;
	lexer_init(&p->lexer, text, n, 1, &p->lexer_hooks);
	p->fixed_line = f->line;
	p->one_group = true;
	p->aliases = false;
	parser_list(p, &sub, f->words + 1, f->count - 1);
	p->aliases = true;
	p->one_group = one_group;
	p->fixed_line = fixed;
	lexer_fini(&p->lexer);
	p->lexer = lexer;
	/* The text's end is not that of the block around it. */
	p->token = token;
	if (p->stopped)
		lexer_stop(&p->lexer);
	if (sub.failed)
		f->failed = true;
}

/* Makes a command of the current words. */
static void
parser_build(struct parser *p, struct parser_frame *f)
{
	const struct command_row *row;
	struct cause cause = { NULL };
	const char *name = f->words[0].text, *text;
	struct args *args;
	unsigned line = p->fixed_line != 0 ? p->fixed_line : f->line;

	if (p->aliases && p->hooks->alias != NULL &&
	    (text = p->hooks->alias(p->hooks->arg, name)) != NULL) {
		parser_alias(p, f, text);
		return;
	}
	if (command_find(name, &row, &cause) != 0 ||
	    (p->depth == 0 && p->hooks->row != NULL &&
		p->hooks->row(p->hooks->arg, &row, &cause) != 0) ||
	    args_parse(row, f->words + 1, f->count - 1, &args, &cause) != 0) {
		parser_error(p, f->line, cause_text(&cause));
		f->failed = true;
	} else {
		parser_account(p, sizeof(struct cmd) + sizeof(struct args));
		cmdlist_append(
		    f->list, cmd_new(row, args, p->file, line, f->group));
	}
	cause_fini(&cause);
}

/* Ends the current command, if there is one. */
static void
parser_finish(struct parser *p, struct parser_frame *f)
{
	if (p->active && f->count > 0 && !f->bad)
		parser_build(p, f);
	if (f->count > 0 || f->bad)
		f->before = true;
	if (f->bad)
		f->failed = true;
	f->bad = false;
	parser_drop_words(f);
}

/* Handles NAME=value before a command. */
static void
parser_assign(struct parser *p, struct parser_frame *f, bool hidden)
{
	const char *word = lexer_word(&p->lexer);
	size_t n;
	char *name;

	f->before = true;
	if (p->lexer.bad ||
	    (p->active && parser_plain(p, p->lexer.token_line,
			      "no variable can be set here: remove the line")))
		f->failed = true;
	else if (p->active && p->hooks->assign != NULL &&
		 lexer_is_assignment(word, &n)) {
		name = mem_strndup(word, n);
		p->hooks->assign(p->hooks->arg, name, word + n + 1, hidden);
		mem_free(name);
	}
	p->lexer.bad = false;
}

static void
parser_hidden(struct parser *p, struct parser_frame *f)
{
	unsigned line = p->lexer.token_line;

	if (parser_next(p) == LEXER_ASSIGN) {
		parser_assign(p, f, true);
		return;
	}
	parser_error(p, line, "%hidden needs NAME=value");
	f->bad = true;
	p->again = true;
}

/*
 * Reads the condition of %if or %elif. Evaluates it only if WANTED; returns
 * false otherwise.
 */
static bool
parser_condition(struct parser *p, struct parser_frame *f, bool wanted)
{
	unsigned line = p->lexer.token_line;
	char *text;
	bool yes;

	p->lexer.active = wanted;
	(void)parser_next(p);
	if (p->token != LEXER_WORD && p->token != LEXER_ASSIGN) {
		parser_error(p, line, "condition is missing");
		f->failed = true;
		p->again = true;
		return false;
	}
	if (p->lexer.bad) {
		p->lexer.bad = false;
		f->failed = true;
		return false;
	}
	if (!wanted)
		return false;
	if (p->hooks->expand == NULL)
		return parser_true(lexer_word(&p->lexer));
	text = p->hooks->expand(p->hooks->arg, lexer_word(&p->lexer));
	yes = text != NULL && parser_true(text);
	mem_free(text);
	return yes;
}

static void
parser_if(struct parser *p, struct parser_frame *f)
{
	struct parser_cond *c;
	bool outer = p->active, yes;
	unsigned line = p->lexer.token_line;

	(void)parser_plain(
	    p, line, "%if is not possible here: remove the condition");
	if (p->cond_count == PARSER_DEPTH_MAX) {
		parser_fatal(p, line, "%if nested over 50 deep");
		return;
	}
	if (f->count > 0) {
		parser_error(p, line, "unexpected %if");
		f->bad = true;
	}
	parser_finish(p, f);
	yes = parser_condition(p, f, outer);
	c = &p->conds[p->cond_count++];
	c->line = line;
	c->outer = outer;
	c->taken = yes;
	c->last = false;
	f->before = false;
	parser_activate(p, outer && yes);
}

/* Handles %elif, %else and %endif. */
static void
parser_branch(struct parser *p, struct parser_frame *f)
{
	struct parser_cond *c;
	enum lexer_token token = p->token;
	unsigned line = p->lexer.token_line;
	bool yes = true, wanted;

	parser_finish(p, f);
	if (p->cond_count <= f->conds) {
		parser_error(p, line,
		    token == LEXER_ELIF   ? "%elif without %if"
		    : token == LEXER_ELSE ? "%else without %if"
					  : "%endif without %if");
		f->failed = true;
		if (token == LEXER_ELIF)
			(void)parser_condition(p, f, false);
		p->lexer.active = p->active;
		return;
	}
	c = &p->conds[p->cond_count - 1];
	if (token == LEXER_ENDIF) {
		p->cond_count--;
		f->before = true;
		parser_activate(p, c->outer);
		return;
	}
	if (c->last) {
		parser_error(p, line,
		    token == LEXER_ELIF ? "%elif after %else" : "second %else");
		f->failed = true;
	}
	wanted = c->outer && !c->taken;
	if (token == LEXER_ELIF)
		yes = parser_condition(p, f, wanted);
	else
		c->last = true;
	c->taken = c->taken || yes;
	f->before = false;
	parser_activate(p, wanted && yes);
}

/* Reads a { } block as an argument. */
static void
parser_block(struct parser *p, struct parser_frame *f)
{
	struct parser_frame sub = {
		.conds = p->cond_count, .open = p->lexer.token_line, .group = 1
	};
	struct args_value *v;

	if (p->depth == PARSER_DEPTH_MAX) {
		parser_fatal(p, sub.open, "blocks nested over 50 deep");
		return;
	}
	if (f->count == 0) {
		parser_error(p, sub.open, "unexpected {");
		f->bad = true;
	}
	sub.list = cmdlist_new();
	p->depth++;
	parser_account(p, 2 * sizeof *v + sizeof *sub.list + 64);
	parser_list(p, &sub, NULL, 0);
	p->depth--;
	if (sub.failed)
		f->bad = true;
	if (f->count == 0) {
		cmdlist_unref(sub.list);
		return;
	}
	v = parser_word(p, f);
	v->block = sub.list;
}

/* Handles the end of the text or block. */
static void
parser_end(struct parser *p, struct parser_frame *f,
    const struct args_value *extra, size_t extra_count)
{
	size_t i;

	if (f->count > 0) {
		for (i = 0; i < extra_count; i++)
			args_value_copy(parser_word(p, f), &extra[i]);
	}
	parser_finish(p, f);
	if (p->token == LEXER_END && f->open != 0) {
		parser_error(p, f->open, "{ is not closed");
		f->failed = true;
	}
	while (p->cond_count > f->conds) {
		parser_error(
		    p, p->conds[p->cond_count - 1].line, "%if is not closed");
		f->failed = true;
		parser_activate(p, p->conds[--p->cond_count].outer);
	}
	mem_free(f->words);
}

static void
parser_unexpected(struct parser *p, struct parser_frame *f, const char *text)
{
	parser_error(p, p->lexer.token_line, text);
	f->bad = true;
}

static void
parser_separator(struct parser *p, struct parser_frame *f)
{
	if (p->token == LEXER_NEWLINE) {
		parser_finish(p, f);
		f->before = false;
		p->lexer.bad = false;
		if (!p->one_group)
			f->group++;
		return;
	}
	parser_finish(p, f);
	if (!f->before) {
		parser_unexpected(p, f, "unexpected ;");
		parser_finish(p, f);
	}
	if (p->token == LEXER_GROUP && !p->one_group)
		f->group++;
}

/* Reports a %word that is no directive and drops its line. */
static void
parser_unknown(struct parser *p, struct parser_frame *f)
{
	char *text;

	text = mem_printf("unknown directive: %s", lexer_word(&p->lexer));
	parser_unexpected(p, f, text);
	mem_free(text);
	parser_add_text(p, f);
	f->bad = true;
}

/* Reads a text or a block to its end. */
static void
parser_list(struct parser *p, struct parser_frame *f,
    const struct args_value *extra, size_t extra_count)
{
	for (;;) {
		switch (parser_next(p)) {
		case LEXER_CLOSE:
			if (f->open != 0) {
				parser_end(p, f, extra, extra_count);
				return;
			}
			parser_unexpected(p, f, "unexpected }");
			break;
		case LEXER_END:
			parser_end(p, f, extra, extra_count);
			return;
		case LEXER_NEWLINE:
		case LEXER_SEMICOLON:
		case LEXER_GROUP:
			parser_separator(p, f);
			break;
		case LEXER_OPEN:
			parser_block(p, f);
			break;
		case LEXER_ASSIGN:
			if (f->count == 0)
				parser_assign(p, f, false);
			else
				parser_add_text(p, f);
			break;
		case LEXER_WORD:
			parser_add_text(p, f);
			break;
		case LEXER_IF:
			parser_if(p, f);
			break;
		case LEXER_ELIF:
		case LEXER_ELSE:
		case LEXER_ENDIF:
			parser_branch(p, f);
			break;
		case LEXER_HIDDEN:
			if (f->count > 0)
				parser_unexpected(p, f, "unexpected %hidden");
			else
				parser_hidden(p, f);
			break;
		case LEXER_UNKNOWN:
			parser_unknown(p, f);
			break;
		}
	}
}

static void
parser_init(struct parser *p, const struct parser_hooks *hooks)
{
	memset(p, 0, sizeof *p);
	p->hooks = hooks;
	p->active = true;
	p->aliases = true;
	p->one_group = hooks->one_group;
	p->lexer_hooks.arg = p;
	p->lexer_hooks.error = parser_lexer_error;
	p->lexer_hooks.variable = parser_lexer_variable;
	if (hooks->home != NULL)
		p->lexer_hooks.home = parser_lexer_home;
}

int
parser_parse(const char *text, size_t n, const char *file, unsigned line,
    const struct parser_hooks *hooks, struct cmdlist **out)
{
	struct parser_frame f = { .group = 1 };
	struct parser p;

	parser_init(&p, hooks);
	p.file = file == NULL ? NULL : cmd_file_new(file);
	f.list = *out = cmdlist_new();
	lexer_init(&p.lexer, text, n, line, &p.lexer_hooks);
	parser_list(&p, &f, NULL, 0);
	lexer_fini(&p.lexer);
	cmd_file_unref(p.file);
	return p.errors == 0 ? 0 : -ERR_SYNTAX;
}

/* Adds one word of a command line; a ; at its end ends the command. */
static void
parser_words_add(
    struct parser *p, struct parser_frame *f, const struct args_value *word)
{
	struct args_value *v;
	size_t n;
	bool end;

	if (word->text == NULL && f->count == 0) {
		parser_error(p, 0, "unexpected {");
		return;
	}
	if (word->text == NULL) {
		args_value_copy(parser_word(p, f), word);
		return;
	}
	n = strlen(word->text);
	end = n > 0 && word->text[n - 1] == ';';
	if (end && n > 1 && word->text[n - 2] == '\\') {
		v = parser_word(p, f);
		v->text = mem_strdup(word->text);
		v->text[n - 2] = ';';
		v->text[n - 1] = '\0';
		return;
	}
	if (n > 1 || !end) {
		v = parser_word(p, f);
		v->text = mem_strndup(word->text, end ? n - 1 : n);
	}
	if (end)
		parser_finish(p, f);
}

int
parser_words(const struct args_value *words, size_t count, const char *file,
    unsigned line, const struct parser_hooks *hooks, struct cmdlist **out)
{
	struct parser_frame f = { .group = 1 };
	struct parser p;
	size_t i;

	parser_init(&p, hooks);
	p.file = file == NULL ? NULL : cmd_file_new(file);
	p.fixed_line = line;
	f.list = *out = cmdlist_new();
	lexer_init(&p.lexer, "", 0, line, &p.lexer_hooks);
	/* As in tmux, a command line has one error, a file has all of them. */
	for (i = 0; i < count && p.errors == 0; i++)
		parser_words_add(&p, &f, &words[i]);
	parser_finish(&p, &f);
	mem_free(f.words);
	lexer_fini(&p.lexer);
	cmd_file_unref(p.file);
	return p.errors == 0 ? 0 : -ERR_SYNTAX;
}
