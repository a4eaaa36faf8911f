#include "mux/mode/buffers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "conf/args.h"
#include "conf/mode_format.h"
#include "mux/pane.h"
#include "mux/paste.h"

#define SAMPLE_COLS 200u

/* Bytes of a buffer that a search reads. */
#define SEARCH_BYTES ((size_t)1 << 20)

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
	memset(v, 0, sizeof(*v));
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
	struct paste_buffer **all;
	size_t i, n;

	all = paste_sorted_new(l->mode.pane->mux->paste,
	    (enum paste_order)l->order, l->reversed, &n);
	for (i = 0; i < n; i++)
		add(l, all[i]);
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
	    l->format != NULL ? l->format : MODE_FORMAT_BUFFER);
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
	static const struct mode_list_run keys[] = {
		{ 'd', 'D', "delete-buffer -b \"%%%\"" },
	};

	const struct mode_item *it = mode_list_current(l);
	const size_t n = paste_count(l->mode.pane->mux->paste);
	enum mode_did did;

	switch (key) {
	case 'e':
		if (it != NULL)
			mode_request_edit_buffer(
			    l->host->requests, &l->mode, it->name);
		return MODE_TAKEN;
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
	default:
		did = mode_list_run_key(l, key, keys, ARRAY_LEN(keys));
		/* The mode ends with the last buffer. */
		if ((key == 'd' && n == 1 && l->count > 0) ||
		    (key == 'D' && n > 0 && mode_list_tagged(l) == n))
			return mode_list_leave(l);
		return did;
	}
}

/* In the order of enum paste_order. */
static const char *const buffers_orders[] = { "creation", "name", "size",
	NULL };

static const struct mode_list_help buffers_help[] = {
	{ "Enter", "Paste selected %s" },
	{ "p", "Paste selected %s" },
	{ "P", "Paste tagged %ss" },
	{ "d", "Delete selected %s" },
	{ "D", "Delete tagged %ss" },
	{ "e", "Open %s in editor" },
	{ NULL, NULL },
};

static const struct mode_menu_row buffers_menu[] = {
	{ "Paste", 'p' },
	{ "Paste Tagged", 'P' },
	{ "", KEY_NONE },
	{ "Tag", 't' },
	{ "Tag All", 't' | KEY_CTRL },
	{ "Tag None", 'T' },
	{ "", KEY_NONE },
	{ "Delete", 'd' },
	{ "Delete Tagged", 'D' },
	{ "", KEY_NONE },
	{ "Cancel", 'q' },
};

static const struct mode_list_ops buffers_ops = {
	.mode = { .name = "buffer-mode", MODE_LIST_MODE },
	.noun = "buffer",
	.orders = buffers_orders,
	.help = buffers_help,
	.menu = buffers_menu,
	.menu_rows = ARRAY_LEN(buffers_menu),
	.ends = "dD",
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
