/*
 * vars_ref LIST: expands the formats of LIST in the model that vars.sh also
 * makes in tmux.  A line is "TARGET FORMAT".
 */
#include <stdio.h>
#include <string.h>

#include "base/grapheme.h"
#include "base/mem.h"
#include "mux/fmt/vars.h"
#include "mux/vt/pool.h"
#include "regress/ref/model.h"

static struct mux *m;

static char cat[] = "cat";
static char *const cat_argv[] = { cat };
static const struct pane_start start = {
	.argv = cat_argv, .argc = 1, .history = 2000, .title = "box"
};

static struct winlink *
add_window(struct session *s, int index, const char *name)
{
	return model_window(m, s, index, name, &start);
}

static void
add_pane(uint32_t at, enum layout_kind kind)
{
	model_split(m, at, kind, &start);
}

/* The commands of vars.sh, in their order. */
static void
build(void)
{
	struct session *alpha = NULL, *beta = NULL;
	struct winlink *one, *two, *three;

	(void)session_new(m, "alpha", NULL, &alpha, NULL);
	one = add_window(alpha, 0, "one");
	add_pane(0, LAYOUT_ROW);
	add_pane(1, LAYOUT_COLUMN);
	two = add_window(alpha, 1, "two");
	three = add_window(alpha, 5, "three");
	add_pane(4, LAYOUT_COLUMN);
	(void)session_new(m, "beta", NULL, &beta, NULL);
	(void)add_window(beta, 0, "only");
	(void)session_link_window(two, beta, 9, false, false, NULL, NULL);
	(void)session_select(three);
	(void)session_select(one);
	(void)window_set_active(one->window, mux_pane(m, 1));
	(void)window_set_active(one->window, mux_pane(m, 2));
	mux_set_mark(m, three, mux_pane(m, 4));
	(void)window_zoom(mux_pane(m, 5));
	pane_set_title(mux_pane(m, 1), "a title");
	(void)options_set_text(&one->window->options, "@mine", "w", NULL);
	(void)options_set_text(&alpha->options, "@other", "s", NULL);
	(void)options_set_text(&m->window_options, "@all", "g", NULL);
	pane_set_flags(mux_pane(m, 0), PANE_INPUT_OFF, true);
	(void)options_set_text(
	    &two->window->options, "synchronize-panes", "on", NULL);
	(void)paste_add(m->paste, NULL, "text of it", 10);
}

static bool
server(void *arg, const char *name, struct buf *out)
{
	(void)arg;
	return strcmp(name, "host_short") == 0 && buf_add_str(out, "box") == 0;
}

static void
expand(const char *target, const char *format)
{
	static const struct vars_host host = { .server = server };
	struct target_context ctx = { 0 };
	struct format_args args = { 0 };
	struct target t;
	struct vars v;
	char *text;

	(void)target_find(m, &ctx, target, TGT_PANE, &t, NULL);
	vars_init(&v, m, &host, NULL, &t);
	args.scope = vars_scope(&v);
	text = format_expand_new(&args, format);
	printf("%s %s => %s\n", target, format, text);
	mem_free(text);
}

int
main(int argc, char **argv)
{
	struct mux_setup setup;
	char line[1024], *format;
	FILE *f;

	if (argc < 2 || (f = fopen(argv[1], "r")) == NULL)
		return 2;
	setup.pool = vt_pool_new();
	setup.graphemes = grapheme_table_new(NULL);
	m = mux_new(&setup);
	build();
	while (fgets(line, sizeof(line), f) != NULL) {
		line[strcspn(line, "\n")] = '\0';
		if ((format = strchr(line, ' ')) == NULL)
			continue;
		*format++ = '\0';
		expand(line, format);
	}
	fclose(f);
	mux_free(m);
	vt_pool_free(setup.pool);
	grapheme_table_free(
	    (struct grapheme_table *)(uintptr_t)setup.graphemes);
	return 0;
}
