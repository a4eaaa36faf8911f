#include "regress/unit/view_util.h"

#include <check.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "mux/fmt/vars.h"

#define NOW_MS INT64_C(1700000000000)

static char *
host_expand(void *arg, struct client *c, struct pane *p,
    const struct format_var *vars, size_t nvars, const char *format,
    unsigned flags)
{
	struct view_util *u = arg;
	struct format_args a = { .widths = u->m->setup.graphemes,
		.vars = vars,
		.var_count = nvars,
		.flags = flags,
		.now_ms = NOW_MS };
	struct target t = { .session = c->session, .index = -1 };
	struct vars v;

	u->expanded++;
	t.link = p == NULL ? t.session->current
			   : session_link_to(t.session, p->window);
	t.window = t.link->window;
	t.pane = p == NULL ? t.window->active : p;
	vars_init(&v, u->m, NULL, c, &t);
	a.scope = vars_scope(&v);
	return format_expand_new(&a, format);
}

static bool
host_tty(void *arg, const struct pane *p, uint32_t *bits)
{
	const struct view_util *u = arg;

	(void)p;
	*bits = u->tty_bits;
	return u->tty_known;
}

static struct vt_frame **
host_frames(void *arg, const struct pane *p)
{
	struct view_util *u = arg;

	return p->id < ARRAY_LEN(u->slots) ? u->slots[p->id] : NULL;
}

static void
host_overlays(void *arg, struct view_builder *b, struct sync_view *v,
    enum view_layer layer)
{
	struct view_util *u = arg;

	if (b == &u->b && u->overlay != NULL && u->layer == layer)
		u->overlay(u, v);
}

static const struct view_host host = {
	.expand = host_expand,
	.tty = host_tty,
	.frames = host_frames,
	.overlays = host_overlays,
};

void
view_util_init(struct view_util *u, int cols, int rows)
{
	memset(u, 0, sizeof(*u));
	u->m = mux_util_new();
	u->s = mux_util_session(u->m, "s");
	u->c = mux_util_client(u->s, "me", cols, rows);
	u->p = u->s->current->window->active;
	view_util_builder(u, &u->b, u->c);
	/* Short lines whose text depends only on the model. */
	view_util_set(
	    u, "status-format[0]", "[#{session_name}] #{window_name}");
	view_util_set(u, "pane-border-format", "#{pane_index}:#{pane_id}");
}

void
view_util_fini(struct view_util *u)
{
	size_t i;

	view_builder_fini(&u->b);
	for (i = 0; i < ARRAY_LEN(u->slots); i++) {
		vt_frame_unref(u->slots[i][0]);
		vt_frame_unref(u->slots[i][1]);
	}
	mux_util_free(u->m);
}

void
view_util_builder(struct view_util *u, struct view_builder *b, struct client *c)
{
	view_builder_init(b, c, &host, u);
}

void
view_util_set(struct view_util *u, const char *name, const char *text)
{
	struct options *o = &u->m->session_options;
	struct option_name on;

	ck_assert_int_eq(option_match(name, &on, NULL), 0);
	if (on.row->scope & OPT_SERVER)
		o = &u->m->server_options;
	else if (on.row->scope & OPT_WINDOW)
		o = &u->m->window_options;
	ck_assert_msg(
	    options_set_text(o, name, text, NULL) == 0, "%s %s", name, text);
	mux_option_changed(u->m, NULL, NULL, NULL, name);
	window_options_changed(u->s->current->window);
	client_fit_windows(u->m);
	u->b.chrome_dirty = u->b.panes_dirty = u->b.status_dirty = true;
}

void
view_util_write(struct pane *p, const char *text)
{
	vt_term_write(p->term, text, strlen(text));
}

struct sync_view *
view_util_build(struct view_util *u)
{
	struct sync_view *v = view_build(&u->b, VIEW_UTIL_NOW);

	ck_assert_ptr_nonnull(v);
	ck_assert_ptr_eq(v, u->b.view);
	return v;
}

struct vt_frame *
view_util_frame(const struct view_util *u, uint64_t id)
{
	const struct sync_surface *sf = sync_view_find(u->b.view, id);

	return sf == NULL ? NULL : sf->frame;
}

const char *
view_util_row(const struct vt_frame *f, unsigned y)
{
	static char row[4096];
	size_t n = 0;
	unsigned x;

	for (x = 0; x < f->cols && n + VT_CLUSTER_MAX < sizeof(row); x++)
		n += vt_line_text(f->lines[y], x, row + n);
	while (n > 0 && row[n - 1] == ' ')
		n--;
	row[n] = '\0';
	return row;
}

void
view_util_same(const struct vt_frame *f, const char *const *rows, size_t count)
{
	struct buf got, want;
	unsigned y;

	ck_assert_ptr_nonnull(f);
	ck_assert_ptr_null(vt_frame_check(f));
	buf_init(&got, 1 << 20);
	buf_init(&want, 1 << 20);
	for (y = 0; y < f->rows; y++)
		(void)buf_addf(&got, "%s|\n", view_util_row(f, y));
	for (y = 0; y < count; y++)
		(void)buf_addf(&want, "%s|\n", rows[y]);
	ck_assert_msg(strcmp(buf_cstr(&got), buf_cstr(&want)) == 0,
	    "got\n%swant\n%s", buf_cstr(&got), buf_cstr(&want));
	buf_fini(&got);
	buf_fini(&want);
}

/* Composes the surfaces as a client does. */
static struct vt_frame *
compose(const struct sync_view *v)
{
	struct vt_frame *f = vt_frame_new(v->cols, v->rows);
	const struct sync_surface *sf;
	struct vt_rect r;
	size_t i;

	for (i = 0; i < v->nsurfaces; i++) {
		sf = &v->surfaces[i];
		r = (struct vt_rect){ (unsigned)MAX_OF(-sf->x, 0),
			(unsigned)MAX_OF(-sf->y, 0), sf->frame->cols,
			sf->frame->rows };
		vt_frame_blit(f, (unsigned)MAX_OF(sf->x, 0),
		    (unsigned)MAX_OF(sf->y, 0), sf->frame, &r);
	}
	return f;
}

void
view_util_expect(struct view_util *u, const char *const *rows, size_t count)
{
	struct vt_frame *f = compose(view_util_build(u));

	ck_assert_uint_eq(f->rows, count);
	view_util_same(f, rows, count);
	vt_frame_unref(f);
}
