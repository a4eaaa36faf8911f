#include "mux/mode/copy_view.h"

#include <string.h>

#include "base/mem.h"
#include "mux/mode/copy_int.h"
#include "mux/mode/list.h"
#include "mux/mux.h"
#include "mux/pane.h"

/* --- keys --------------------------------------------------------------------------- */

/* A command of copy mode, or a command line for the client. */
static const struct {
	key_code key;
	const char *command;
	const char *line;
} view_keys[] = {
	{ '/', NULL,
	    "command-prompt -T search -p '(search down)' "
	    "{ send-keys -X search-forward -- '%%' }" },
	{ '?', NULL,
	    "command-prompt -T search -p '(search up)' "
	    "{ send-keys -X search-backward -- '%%' }" },
	{ 'G', "history-bottom", NULL },
	{ 'b', "page-up", NULL },
	{ 'j', "cursor-down", NULL },
	{ 'k', "cursor-up", NULL },
};

enum mode_did
copy_view_key(struct mode *m, const struct key_event *key)
{
	struct cause why = { NULL };
	struct mode_command cmd = { .count = 1 };
	size_t i;

	for (i = 0; i < ARRAY_LEN(view_keys); i++) {
		if (view_keys[i].key != (key->key & ~(key_code)KEY_LOCKS))
			continue;
		if (view_keys[i].line != NULL) {
			mode_request_run(
			    copy_of(m)->host->requests, view_keys[i].line);
			return MODE_TAKEN;
		}
		cmd.words = &view_keys[i].command;
		cmd.repeat = MAX_OF(m->repeat, 1U);
		m->repeat = 0;
		return copy_command(m, &cmd, &why);
	}
	return MODE_PASSED;
}

/* --- text --------------------------------------------------------------------------- */

static int
view_open(struct pane *p, const struct mode_host *host)
{
	const struct vt_term_options opt = {
		.pool = p->mux->setup.pool,
		.graphemes = p->mux->setup.graphemes,
		.cols = (unsigned)p->w,
		.rows = (unsigned)p->h,
		.history_rows = COPY_VIEW_ROWS_MAX,
		.history_bytes = COPY_VIEW_BYTES_MAX,
	};
	struct copy *c = mem_zalloc(sizeof(*c));
	int r;

	c->own = vt_term_new(&opt);
	/* The text has no second screen to get lost on. */
	vt_term_set_alternate(c->own, false);
	c->host = host;
	r = mode_push(p, &c->mode, &copy_view_ops);
	if (r != 0) {
		vt_term_free(c->own);
		mem_free(c);
	}
	return r == -ERR_EXISTS ? 0 : r;
}

static void
write_lines(struct copy *c, const char *text, size_t n)
{
	const char *end = text + n, *nl;

	for (; text < end; text = nl + 1) {
		nl = memchr(text, '\n', (size_t)(end - text));
		if (nl == NULL)
			nl = end;
		if (c->said)
			vt_term_write(c->own, "\r\n", 2);
		c->said = true;
		vt_term_write(c->own, text, (size_t)(nl - text));
	}
}

int
copy_view_say(
    struct pane *p, const struct mode_host *host, const char *text, size_t n)
{
	const struct mode *top = mode_top(p);
	struct vt_effect e;
	struct copy *c;
	int r;

	if ((top == NULL || top->ops != &copy_view_ops) &&
	    (r = view_open(p, host)) != 0)
		return r;
	c = copy_of(mode_top(p));
	write_lines(c, text, n);
	/* security: the output of a command sets no title and no clipboard. */
	while (vt_term_next_effect(c->own, &e))
		vt_effect_fini(&e);
	copy_search_stop(&c->mode, false);
	copy_retake(c);
	mode_dirty(&c->mode);
	return 0;
}
