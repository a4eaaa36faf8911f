/*
 * target_ref LIST: resolves the targets of LIST in the model that target.sh
 * also makes in tmux.  A line is "PANE KIND TARGET": the current pane, one of
 * p w s, and the text; a line of the answer has what was found behind "=>".
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grapheme.h"
#include "mux/client.h"
#include "mux/mux.h"
#include "mux/session.h"
#include "mux/target.h"
#include "mux/vt/pool.h"
#include "regress/ref/model.h"

static struct mux *m;

static struct session *
add_session(const char *name)
{
	struct session *s = NULL;

	(void)session_new(m, name, NULL, &s, NULL);
	return s;
}

static const struct pane_start start = { 0 };

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

/* The commands of target.sh, in their order. */
static void
build(void)
{
	struct session *alpha, *beta, *beta2;
	struct winlink *one, *two, *three;

	alpha = add_session("alpha");
	one = add_window(alpha, 0, "one");
	add_pane(0, LAYOUT_ROW);
	add_pane(1, LAYOUT_COLUMN);
	add_pane(0, LAYOUT_COLUMN);
	two = add_window(alpha, 1, "two");
	three = add_window(alpha, 5, "three");
	(void)add_window(alpha, 6, "twofold");
	beta = add_session("beta");
	(void)add_window(beta, 0, "one");
	(void)add_window(beta, 1, "x");
	beta2 = add_session("beta2");
	(void)add_window(beta2, 0, "zed");
	(void)session_link_window(two, beta, 9, false, false, NULL, NULL);
	(void)session_select(three);
	(void)session_select(one);
	(void)window_set_active(one->window, mux_pane(m, 1));
	(void)window_set_active(one->window, mux_pane(m, 2));
	mux_set_mark(m, three, mux_pane(m, 5));
}

static void
resolve(uint32_t pane, char kind, const char *text)
{
	struct target_context ctx = { 0 };
	struct target t;
	struct cause cause = { NULL };
	unsigned what = kind == 'p'   ? TGT_PANE
			: kind == 'w' ? TGT_WINDOW
				      : TGT_SESSION;

	(void)target_from_inside(&ctx.current, mux_pane(m, pane));
	if (target_find(m, &ctx, text, what, &t, &cause) != 0)
		printf(
		    "%%%u %c %s => %s\n", pane, kind, text, cause_text(&cause));
	else if (kind == 's')
		printf("%%%u %c %s => %s\n", pane, kind, text, t.session->name);
	else
		printf("%%%u %c %s => %s:%d%s%u\n", pane, kind, text,
		    t.session->name, t.link->index, kind == 'p' ? ".%" : " @",
		    kind == 'p' ? t.pane->id : t.window->id);
	cause_fini(&cause);
}

int
main(int argc, char **argv)
{
	struct mux_setup setup;
	char line[512], *text;
	unsigned pane;
	char kind;
	int used;
	FILE *f;

	if (argc < 2 || (f = fopen(argv[1], "r")) == NULL)
		return 2;
	setup.pool = vt_pool_new();
	setup.graphemes = grapheme_table_new(NULL);
	m = mux_new(&setup);
	build();
	while (fgets(line, sizeof(line), f) != NULL) {
		line[strcspn(line, "\n")] = '\0';
		if (sscanf(line, "%%%u %c %n", &pane, &kind, &used) != 2)
			continue;
		text = line + used;
		resolve(pane, kind, text);
	}
	fclose(f);
	mux_free(m);
	vt_pool_free(setup.pool);
	grapheme_table_free(
	    (struct grapheme_table *)(uintptr_t)setup.graphemes);
	return 0;
}
