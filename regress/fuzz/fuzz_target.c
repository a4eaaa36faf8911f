/*
 * Targets: the first byte is the kind, the rest the text.  A found object is in
 * the model.
 */
#include <string.h>

#include "base/err.h"
#include "base/grapheme.h"
#include "base/mem.h"
#include "mux/client.h"
#include "mux/session.h"
#include "mux/target.h"
#include "mux/vt/pool.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct mux *model; /* built once: finding does not change it */

static struct session *
make_session(struct mux *m, const char *name, int windows)
{
	struct layout_split how = { LAYOUT_ROW, -1, false, false };
	struct pane_start start = { 0 };
	struct session *s = NULL;
	struct pane *p;
	struct window *w;
	int i;

	bug_assert(session_new(m, name, NULL, &s, NULL) == 0);
	for (i = 0; i < windows; i++) {
		w = window_new(m, 80, 24, &start);
		window_set_name(w, i == 0 ? "one" : "two");
		bug_assert(session_link(s, w, i * 3, NULL, NULL) == 0);
		(void)window_split(w, w->active, &how, &start, &p, NULL);
		(void)window_set_active(w, p);
	}
	return s;
}

static void
build(void)
{
	struct mux_setup setup;
	struct client *c;
	struct session *s;

	setup.pool = vt_pool_new();
	setup.graphemes = grapheme_table_new(NULL);
	model = mux_new(&setup);
	(void)make_session(model, "alpha", 3);
	s = make_session(model, "beta", 2);
	c = client_new(model, "client");
	client_set_session(c, s);
	mux_set_mark(model, s->current, s->current->window->active);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct target_context ctx = { 0 };
	struct cause cause = { NULL };
	struct client *found;
	struct target t;
	char *text;

	if (size == 0 || size > 1024)
		return 0;
	if (model == NULL)
		build();
	ctx.has_mouse = data[0] & 0x80;
	ctx.mouse_pane = data[0] & 0x0f;
	ctx.mouse_window = ctx.mouse_session = MUX_NONE;
	text = mem_strndup((const char *)data + 1, size - 1);
	if (target_find(model, &ctx, text, data[0] & 0x3f, &t, &cause) == 0) {
		if (t.pane != NULL)
			bug_assert(target_valid(model, &t));
		else
			bug_assert(t.session == NULL ||
				   data[0] & (TGT_INDEX | TGT_CANFAIL));
	} else
		bug_assert(*cause_text(&cause) != '\0');
	(void)target_find_client(model, &ctx, text, &found, NULL);
	cause_fini(&cause);
	mem_free(text);
	return 0;
}
