#include "mux/mode/buffers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "conf/args.h"
#include "mux/pane.h"
#include "mux/paste.h"

#define SAMPLE_COLS 200u

/* Bytes of a buffer that a search reads. */
#define SEARCH_BYTES ((size_t)1 << 20)

enum order {
	ORDER_CREATION,
	ORDER_NAME,
	ORDER_SIZE
};

/* The variables of one buffer. */
struct buffer_vars {
	struct format_var vars[4];
	char size[24];
	char created[24];
	char *sample;
};

static void
vars_of(struct buffer_vars *v, const struct paste_buffer *b)
{
	(void)snprintf(v->size, sizeof(v->size), "%zu", b->size);
	(void)snprintf(v->created, sizeof(v->created), "%lld",
	    (long long)(b->created / 1000));
	v->sample = paste_sample(b, SAMPLE_COLS);
	v->vars[0] = (struct format_var){ "buffer_name", b->name };
	v->vars[1] = (struct format_var){ "buffer_size", v->size };
	v->vars[2] = (struct format_var){ "buffer_created", v->created };
	v->vars[3] = (struct format_var){ "buffer_sample", v->sample };
}

static struct paste_buffer *
find(const struct mode_list *l, const struct mode_item *it)
{
	return paste_find(l->mode.pane->mux->paste, it->name);
}

static int
by_creation(const void *a, const void *b)
{
	const struct paste_buffer *const *x = a, *const *y = b;

	return (*x)->order > (*y)->order ? -1 : (*x)->order < (*y)->order;
}

static int
by_name(const void *a, const void *b)
{
	const struct paste_buffer *const *x = a, *const *y = b;

	return strcmp((*x)->name, (*y)->name);
}

static int
by_size(const void *a, const void *b)
{
	const struct paste_buffer *const *x = a, *const *y = b;

	if ((*x)->size != (*y)->size)
		return (*x)->size < (*y)->size ? -1 : 1;
	return by_name(a, b);
}

static void
add(struct mode_list *l, const struct paste_buffer *b)
{
	struct buffer_vars v;
	bool pass = true;

	if (l->filtering) {
		vars_of(&v, b);
		pass = mode_list_pass(l, NULL, v.vars, ARRAY_LEN(v.vars));
		mem_free(v.sample);
	}
	if (pass)
		(void)mode_list_add(l, 0, str_hash(b->name, strlen(b->name), 0),
		    b->name, false);
}

static void
buffers_build(struct mode_list *l)
{
	static int (*const orders[])(
	    const void *, const void *) = { [ORDER_CREATION] = by_creation,
		[ORDER_NAME] = by_name,
		[ORDER_SIZE] = by_size };
	const struct paste *ps = l->mode.pane->mux->paste;
	const size_t n = paste_count(ps);
	struct paste_buffer **all = mem_calloc(n + 1, sizeof(*all)), *b;
	size_t i = 0;

	for (b = paste_first(ps); b != NULL && i < n; b = paste_next(ps, b))
		all[i++] = b;
	if (n > 0)
		qsort(all, n, sizeof(*all), orders[l->order]);
	for (i = 0; i < n; i++)
		add(l, all[l->reversed ? n - 1 - i : i]);
	mem_free(all);
}

static char *
buffers_text(struct mode_list *l, const struct mode_item *it)
{
	const struct paste_buffer *b = find(l, it);
	struct buffer_vars v;
	char *text;

	if (b == NULL)
		return NULL;
	vars_of(&v, b);
	text = mode_list_expand(l, NULL, v.vars, ARRAY_LEN(v.vars),
	    l->format != NULL ? l->format
			      : "#[fg=themelightgrey]#{t/p:buffer_created}: "
				"#[fg=default]#{buffer_sample}");
	mem_free(v.sample);
	return text;
}

/* Name and content; NULs do not end it. */
static char *
buffers_search(struct mode_list *l, const struct mode_item *it)
{
	const struct paste_buffer *b = find(l, it);
	size_t n, i, at;
	char *text;

	if (b == NULL)
		return NULL;
	n = MIN_OF(b->size, SEARCH_BYTES);
	at = strlen(b->name) + 1;
	text = mem_alloc(at + n + 1);
	memcpy(text, b->name, at - 1);
	text[at - 1] = '\n';
	memcpy(text + at, b->data, n);
	for (i = at; i < at + n; i++)
		if (text[i] == '\0')
			text[i] = '\n';
	text[at + n] = '\0';
	return text;
}

static void
buffers_preview(struct mode_list *l, const struct mode_item *it,
    struct vt_frame *f, const struct vt_rect *r, const struct mode_paint *paint)
{
	static const struct pen plain;
	const struct paste_buffer *b = find(l, it);
	const char *p, *end, *nl;
	unsigned y;
	char *line;
	size_t n;

	if (b == NULL)
		return;
	p = (const char *)b->data;
	end = p + b->size;
	for (y = r->top; y < r->bottom && p < end; y++) {
		nl = memchr(p, '\n', (size_t)(end - p));
		n = (size_t)((nl == NULL ? end : nl) - p);
		/* No cluster that fits a column is longer than this. */
		line = str_printable_new(
		    p, MIN_OF(n, (size_t)f->cols * 32), (size_t)f->cols * 32);
		(void)vt_frame_text(f, paint->graphemes, r->left, y, r->right,
		    line, strlen(line), &plain);
		mem_free(line);
		p += n + 1;
	}
}

static char *
buffers_target(UNUSED struct mode_list *l, const struct mode_item *it)
{
	return mem_strdup(it->name);
}

static enum mode_did
buffers_key(struct mode_list *l, key_code key)
{
	switch (key) {
	case 'p':
		if (l->template == NULL || mode_list_current(l) == NULL)
			return MODE_TAKEN;
		mode_list_run(l, l->template, false);
		return mode_list_leave(l);
	case 'P':
		if (l->template == NULL)
			return MODE_TAKEN;
		mode_list_run(l, l->template, true);
		return mode_list_leave(l);
	case 'd':
		mode_list_run(l, "delete-buffer -b \"%%%\"", false);
		return MODE_TAKEN;
	case 'D':
		if (mode_list_tagged(l) > 0)
			mode_list_run(l, "delete-buffer -b \"%%%\"", true);
		return MODE_TAKEN;
	default:
		return MODE_PASSED;
	}
}

static void
buffers_free(struct mode *m)
{
	struct mode_list *l = container_of(m, struct mode_list, mode);

	mode_list_fini(l);
	mem_free(l);
}

static const char *const buffers_orders[] = { "creation", "name", "size",
	NULL };

static const struct mode_list_help buffers_help[] = {
	{ "p", "Paste selected %s" },
	{ "P", "Paste tagged %ss" },
	{ "d", "Delete selected %s" },
	{ "D", "Delete tagged %ss" },
	{ NULL, NULL },
};

static const struct mode_list_ops buffers_ops = {
	.mode = { .name = "buffer-mode", .free = buffers_free, MODE_LIST_MODE },
	.noun = "buffer",
	.orders = buffers_orders,
	.help = buffers_help,
	.build = buffers_build,
	.text = buffers_text,
	.search = buffers_search,
	.preview = buffers_preview,
	.target = buffers_target,
	.key = buffers_key,
};

int
mode_buffers_open(struct pane *p, const struct mode_list_start *start)
{
	return mode_list_open(
	    p, mem_zalloc(sizeof(struct mode_list)), &buffers_ops, start);
}
