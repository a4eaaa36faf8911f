/*
 * The output of commands, by the shell's marks: copy-output.
 */
#include "mux/vt/output.h"

#include "base/mem.h"
#include "mux/mode/copy.h"
#include "mux/paste.h"
#include "server/cmd/cmd.h"
#include "server/cmd/copy.h"

#define OUTPUT_MAX ((size_t)64 << 20)
#define OUTPUT_COUNT_MAX 10000

/* Outputs of commands that follow each other. */
struct outputs {
	struct text_grid text;
	struct vt_output *all; /* [count], the newest first */
	size_t count;
};

static enum cmd_result
no_output(struct cmd_context *c)
{
	if (vt_term_state(c->target.p->term)->prompt == VT_PROMPT_NONE)
		return cmd_error(c,
		    "the shell marks no commands (OSC 133): see the "
		    "tutorial, Hints and outputs");
	return cmd_error(c, "no command has ended here");
}

/* Finds the last COUNT outputs; those that are left if there are fewer. */
static bool
find(struct outputs *os, struct cmd_context *c, size_t count)
{
	struct vt_term *t = c->target.p->term;
	struct vt_output o;

	text_grid_init(&os->text, vt_term_main_grid(t));
	if (vt_term_state(t)->prompt == VT_PROMPT_NONE ||
	    vt_output_last(&os->text.text, &o) != 0)
		return false;
	do {
		os->all = mem_resize(os->all, os->count + 1, sizeof(*os->all));
		os->all[os->count++] = o;
	} while (os->count < count && vt_output_previous(&os->text.text,
					  &os->all[os->count - 1], &o) == 0);
	return true;
}

/* Where the text of output O begins: with -i at its prompt. */
static struct vt_pos
begin(const struct cmd_context *c, const struct vt_output *o)
{
	if (args_has(c->args, 'i'))
		return (struct vt_pos){ o->prompt, 0 };
	return o->start;
}

/* Adds the texts, the oldest first; a newline between two. */
static int
add_all(struct cmd_context *c, struct outputs *os, struct buf *out)
{
	size_t i;
	int r = 0;

	/* With the prompts it is all of the text in between. */
	if (args_has(c->args, 'i'))
		return vt_output_text(out, &os->text.text,
		    begin(c, &os->all[os->count - 1]), os->all[0].end);
	for (i = os->count; r == 0 && i-- > 0;) {
		if (vt_output_empty(&os->all[i]))
			continue;
		if (out->len > 0)
			r = buf_add_u8(out, '\n');
		if (r == 0)
			r = vt_output_text(out, &os->text.text,
			    os->all[i].start, os->all[i].end);
	}
	return r;
}

static enum cmd_result
to_buffer(struct cmd_context *c, struct buf *text)
{
	struct mode_effects effects;
	struct mode_effect *e;
	struct cause why = { NULL };

	if (args_get(c->args, 'b') != NULL &&
	    paste_set(c->sv->run.mux->paste, args_get(c->args, 'b'), text->data,
		text->len, &why) != 0)
		return cmd_cause(c, &why);
	mode_effects_init(&effects);
	e = mem_zalloc(sizeof(*e));
	e->buffer = args_get(c->args, 'b') == NULL;
	e->clipboard = true;
	e->text = buf_steal(text, &e->len);
	list_push_back(&effects.list, &e->node);
	(void)cmd_mode_effects(c, &effects);
	mode_effects_fini(&effects);
	return CMD_NORMAL;
}

static size_t
lines_of(const struct buf *b)
{
	size_t i, n = 1;

	for (i = 0; i < b->len; i++)
		n += b->data[i] == '\n';
	return n;
}

static enum cmd_result
give(struct cmd_context *c, struct outputs *os)
{
	struct buf text;
	enum cmd_result r = CMD_NORMAL;
	size_t n;

	buf_init(&text, OUTPUT_MAX);
	if (add_all(c, os, &text) != 0)
		r = cmd_error(c, "too much output to copy");
	else if (text.len == 0)
		r = cmd_error(c, "the last command printed nothing");
	else if (args_has(c->args, 'p')) {
		(void)buf_add_u8(&text, '\n');
		cmd_say_lines(c, &text);
	} else {
		n = lines_of(&text);
		r = to_buffer(c, &text);
		/* A key shows what it did; scripts see the buffer. */
		if (r == CMD_NORMAL && c->state->key != KEY_NONE)
			cmd_say(c, "copied: %zu line%s", n, n == 1 ? "" : "s");
	}
	buf_fini(&text);
	return r;
}

/* -s: selects from the oldest output to the end of the newest. */
static enum cmd_result
show(struct cmd_context *c, const struct outputs *os)
{
	const struct vt_pos start = begin(c, &os->all[os->count - 1]);
	const struct vt_pos end = os->all[0].end;

	if (vt_pos_compare(start, end) >= 0)
		return cmd_error(c, "the last command printed nothing");
	if (vt_term_alternate(c->target.p->term))
		return cmd_error(c,
		    "a full-screen program hides the output: copy it "
		    "without -s");
	if (copy_mode_open(c->target.p, c->target.p, 0) != 0)
		return cmd_error(c, "too many modes in the pane");
	copy_mode_select(c->target.p, start, end, NULL, false);
	return CMD_NORMAL;
}

enum cmd_result
cmd_exec_copy_output(struct cmd_context *c)
{
	struct outputs os = { .all = NULL };
	struct cause why = { NULL };
	enum cmd_result result;
	int64_t count = 1;
	int r;

	r = args_number(c->args, 'n', 1, OUTPUT_COUNT_MAX, &count, &why);
	if (r != 0 && r != -ERR_NOTFOUND)
		return cmd_fault(c, "count", r, &why);
	if (!find(&os, c, (size_t)count))
		result = no_output(c);
	else if (args_has(c->args, 's'))
		result = show(c, &os);
	else
		result = give(c, &os);
	mem_free(os.all);
	return result;
}
