/*
 * source-file: files, patterns, standard input, pipes.
 */
#include <sys/stat.h>

#include <errno.h>
#include <glob.h>
#include <string.h>

#include "base/io/sys.h"
#include "base/mem.h"
#include "server/cmd/cmd.h"
#include "server/core/watch.h"
#include "server/run/load.h"
#include "server/run/notes.h"

/* A read of the caller's standard input, or of a pipe by the caller. */
struct source_input {
	struct cmd_late late;
	char *path;
	bool check;
	bool verbose;
};

/* -v: prints each command with its file and line. */
static void
source_print(const struct sink *s, const struct cmdlist *list)
{
	const struct cmd *cmd;
	struct buf out;
	size_t i;

	buf_init(&out, (size_t)8 << 20);
	for (i = 0; i < list->count; i++) {
		cmd = list->cmds[i];
		if (i > 0 && list->cmds[i - 1]->group == cmd->group)
			(void)buf_add_str(&out, " ; ");
		else
			(void)buf_addf(&out, "%s%s:%u: ", i > 0 ? "\n" : "",
			    cmd_file_name(cmd) == NULL ? ""
						       : cmd_file_name(cmd),
			    cmd->line);
		cmd_print(cmd, &out);
	}
	if (out.len > 0)
		(void)buf_add_str(&out, "\n");
	sink_lines(s, buf_cstr(&out), out.len);
	buf_fini(&out);
}

/* What source-file reports: tmux prints errors of the language as output. */
struct source_errors {
	struct buf files;    /* of opening files */
	struct buf language; /* of parsing them */
	char *input;         /* the caller reads it behind the files, or NULL */
};

/*
 * Sets the place of ST, where conditions and commands of the files begin, to the
 * target of -t, or to the current one.
 */
static void
source_target(struct cmd_context *c, struct cmd_state *st)
{
	const struct cmd_target *t =
	    c->target.s != NULL ? &c->target : &c->current;

	if (t->s == NULL || t->wl == NULL)
		return;
	st->session = t->s->id;
	st->window = t->w->id;
	st->index = t->wl->index;
	st->pane = t->p == NULL ? MUX_NONE : t->p->id;
}

/* Parses the text and inserts its commands behind ITEM. */
static int
source_text(struct cmd_context *c, const char *name, const char *text,
    size_t len, struct source_errors *errors)
{
	struct cmd_state st = *c->state;
	struct parse sp;
	struct cmdlist *list;
	int r;

	source_target(c, &st);
	parse_init(&sp, &c->sv->run, &st);
	sp.hooks.one_group = false;
	if (args_has(c->args, 'n'))
		sp.hooks.assign = NULL;
	r = parser_parse(text, len, name, 1, &sp.hooks, &list);
	(void)buf_add(&errors->language, sp.errors.data, sp.errors.len);
	parse_fini(&sp);
	if (r == 0 && args_has(c->args, 'v'))
		source_print(&c->sink, list);
	if (r == 0 && !args_has(c->args, 'n') &&
	    (r = cmdq_insert(c->item, list, &st, NULL, NULL)) != 0)
		(void)buf_addf(
		    &errors->language, "%s: too many nested files\n", name);
	cmdlist_unref(list);
	return r;
}

static int
source_path(
    struct cmd_context *c, const char *path, struct source_errors *errors)
{
	struct stat st;
	struct cause why = { NULL };
	char *text = NULL;
	size_t len = 0;
	int r;

	/* The server waits for nobody's pipe; the caller's process may. */
	if (errors->input == NULL && conn_reads(c->conn) && sys_is_pipe(path)) {
		errors->input = mem_strdup(path);
		return 0;
	}
	if ((c->state->flags & CMD_STATE_CONFIG) != 0 &&
	    cmd_file_name(c->cmd) != NULL)
		notes_read(c->sv->run.notes, path, cmd_file_name(c->cmd));
	/* security: config-watch reads no file that a neighbour may write. */
	if ((c->state->flags & CMD_STATE_CONFIG) != 0 &&
	    watch_refuses(c->sv->watch, path))
		return 0;
	r = load_read(path, &text, &len, &why);
	if (r == 0)
		r = source_text(c, path, text, len, errors);
	else if (r == -ERR_NOTFOUND && args_has(c->args, 'q'))
		r = 0;
	else if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		(void)buf_addf(&errors->files, "%s: %s\n", strerror(EIO), path);
	else
		(void)buf_addf(&errors->files, "%s\n", cause_text(&why));
	cause_fini(&why);
	mem_free(text);
	return r;
}

/* Reads all files that match a pattern. */
static int
source_pattern(
    struct cmd_context *c, const char *word, struct source_errors *errors)
{
	char *full = cmd_path_new(c, word);
	glob_t g;
	size_t i;
	int r = 0, found;

	found = glob(full, 0, NULL, &g);
	if (found == 0) {
		for (i = 0; i < g.gl_pathc; i++)
			r |= source_path(c, g.gl_pathv[i], errors);
		globfree(&g);
	} else if (found != GLOB_NOMATCH) {
		(void)buf_addf(
		    &errors->files, "%s: %s\n", strerror(ENOMEM), word);
		r = -ERR_SYS;
	} else if (!args_has(c->args, 'q')) {
		(void)buf_addf(
		    &errors->files, "%s: %s\n", strerror(ENOENT), word);
		r = -ERR_NOTFOUND;
	}
	mem_free(full);
	return r;
}

static void
source_input_done(void *arg, int error, char *data, size_t len)
{
	struct source_input *in = arg;
	struct server *sv = in->late.sv;
	struct conn *cn = conn_find(&sv->conns, in->late.ids.conn);
	struct sink s = cmd_late_sink(&in->late);
	struct parse sp;
	struct cmdlist *list = NULL;
	int r = -1;

	if (error != 0) {
		cmd_late_error(&in->late, "%s: %s", in->path, strerror(error));
	} else {
		parse_init(&sp, &sv->run, &in->late.state);
		sp.hooks.one_group = false;
		if (in->check)
			sp.hooks.assign = NULL;
		r = parser_parse(data, len, in->path, 1, &sp.hooks, &list);
		if (r != 0)
			cmd_late_error(&in->late, "%s", parse_errors(&sp));
		parse_fini(&sp);
		if (r == 0 && in->verbose)
			source_print(&s, list);
		if (r == 0 && !in->check && cn != NULL)
			cmdq_insert_first(cmdq_for(&sv->run, in->late.ids.conn),
			    list, &in->late.state);
		cmdlist_unref(list);
	}
	mem_free(data);
	cmd_late_end(&in->late, r != 0);
	mem_free(in->path);
	mem_free(in);
}

/* Takes PATH over. */
static enum cmd_result
source_input(struct cmd_context *c, char *path)
{
	struct source_input *in = mem_zalloc(sizeof(*in));

	cmd_late_init(&in->late, c, true);
	source_target(c, &in->late.state);
	in->check = args_has(c->args, 'n') != 0;
	in->verbose = args_has(c->args, 'v') != 0;
	in->path = path;
	sink_read(&c->sink, path, source_input_done, in);
	return CMD_WAIT;
}

enum cmd_result
cmd_exec_source_file(struct cmd_context *c)
{
	struct controller *ct = controller_of_conn(c->conn);
	struct source_errors errors;
	const char *word;
	char *path;
	size_t i;
	int r = 0;

	errors.input = NULL;
	buf_init(&errors.files, 1 << 20);
	buf_init(&errors.language, 1 << 20);
	for (i = 0; i < c->args->count; i++) {
		if ((word = args_string(c->args, i)) == NULL)
			continue;
		path = args_has(c->args, 'F')
			   ? cmd_format_new(c, &c->target, word)
			   : mem_strdup(word);
		if (strcmp(path, "-") != 0)
			r |= source_pattern(c, path, &errors);
		else if (errors.input == NULL)
			errors.input = mem_strdup(path);
		mem_free(path);
	}
	/* An attached client reads all of them, in view mode. */
	if (ct != NULL) {
		(void)buf_add(
		    &errors.files, errors.language.data, errors.language.len);
		if (errors.files.len > 0)
			buf_truncate(&errors.files, errors.files.len - 1);
		if (r != 0 && r != -ERR_NOTFOUND) {
			controller_config_error(ct, buf_cstr(&errors.files));
			r = 0;
		} else if (r != 0) {
			(void)cmd_error(c, "%s", buf_cstr(&errors.files));
		}
	} else if (cmd_on_screen(c)) {
		(void)buf_add(
		    &errors.files, errors.language.data, errors.language.len);
		cmd_say_lines(c, &errors.files);
	} else {
		cmd_say_lines(c, &errors.language);
		if (errors.files.len > 0) {
			buf_truncate(&errors.files, errors.files.len - 1);
			(void)cmd_error(c, "%s", buf_cstr(&errors.files));
		}
	}
	buf_fini(&errors.language);
	buf_fini(&errors.files);
	if (errors.input != NULL && r == 0)
		return source_input(c, errors.input);
	mem_free(errors.input);
	return r == 0 ? CMD_NORMAL : CMD_ERROR;
}
