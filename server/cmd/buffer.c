/*
 * Paste buffers: set, show, load, save, delete, list, paste.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"
#include "mux/paste.h"
#include "server/cmd/cmd.h"
#include "server/cmd/shared.h"
#include "server/face/clipboard.h"
#include "server/face/input.h"
#include "server/io/pane_input.h"

#define BUFFER_SAMPLE 200 /* bytes of #{buffer_sample} */

/* The buffer of -b, or the newest automatic one; NULL after an error. */
static struct paste_buffer *
buffer_of(struct cmd_context *c, const char *none, const char *unknown)
{
	const char *name = args_get(c->args, 'b');
	struct paste_buffer *b;

	if (name == NULL) {
		if ((b = paste_top(c->sv->run.mux->paste)) == NULL)
			(void)cmd_error(c, "%s", none);
		return b;
	}
	if ((b = paste_find(c->sv->run.mux->paste, name)) == NULL)
		(void)cmd_error(c, "%s%s", unknown, name);
	return b;
}

enum cmd_result
cmd_exec_set_buffer(struct cmd_context *c)
{
	struct paste *ps = c->sv->run.mux->paste;
	struct paste_buffer *b = NULL;
	struct cause why = { NULL };
	const char *name = args_get(c->args, 'b');
	const char *data = args_string(c->args, 0);
	int r;

	if (args_get(c->args, 'n') != NULL) {
		if ((b = buffer_of(c, "no buffer", "unknown buffer: ")) == NULL)
			return CMD_ERROR;
		if (paste_rename(ps, b->name, args_get(c->args, 'n'), &why) !=
		    0)
			return cmd_cause(c, &why);
		return CMD_NORMAL;
	}
	if (data == NULL)
		return cmd_error(c, "no data specified");
	if (args_has(c->args, 'a') && name != NULL)
		r = paste_append(ps, name, data, strlen(data), &why);
	else
		r = paste_set(ps, name, data, strlen(data), &why);
	if (r != 0)
		return cmd_cause(c, &why);
	if (args_has(c->args, 'w') && c->viewer != NULL)
		clipboard_set(c->viewer, NULL, data, strlen(data));
	return CMD_NORMAL;
}

enum cmd_result
cmd_exec_delete_buffer(struct cmd_context *c)
{
	struct paste_buffer *b;

	if ((b = buffer_of(c, "no buffer", "unknown buffer: ")) == NULL)
		return CMD_ERROR;
	paste_remove(c->sv->run.mux->paste, b);
	return CMD_NORMAL;
}

enum cmd_result
cmd_exec_show_buffer(struct cmd_context *c)
{
	struct paste_buffer *b;

	if ((b = buffer_of(c, "no buffers", "no buffer ")) == NULL)
		return CMD_ERROR;
	sink_bytes(&c->sink, b->data, b->size);
	return CMD_NORMAL;
}

/* --- files ----------------------------------------------------------------------- */

/* A file that is being read into a buffer or written from one. */
struct buffer_file {
	struct cmd_late late;
	char *path;
	char *name;    /* of the buffer, or NULL */
	bool terminal; /* -w */
};

static struct buffer_file *
buffer_file_new(struct cmd_context *c)
{
	struct buffer_file *f = mem_zalloc(sizeof(*f));
	const char *name = args_get(c->args, 'b');
	char *path = cmd_format_new(c, &c->current, args_string(c->args, 0));

	cmd_late_init(&f->late, c, true);
	f->path = cmd_path_new(c, path);
	mem_free(path);
	f->name = name == NULL ? NULL : mem_strdup(name);
	f->terminal = args_has(c->args, 'w') != 0;
	return f;
}

static void
buffer_file_end(struct buffer_file *f, int error)
{
	/* tmux's word for a folder. */
	if (error == EISDIR)
		error = EIO;
	if (error != 0)
		cmd_late_error(&f->late, "%s: %s", strerror(error), f->path);
	cmd_late_end(&f->late, error != 0);
	mem_free(f->path);
	mem_free(f->name);
	mem_free(f);
}

static void
buffer_loaded(void *arg, int error, char *data, size_t len)
{
	struct buffer_file *f = arg;
	struct server *sv = f->late.sv;
	struct cause why = { NULL };
	struct viewer *vw;

	if (error == 0 && len > 0) {
		if (paste_set(sv->run.mux->paste, f->name, data, len, &why) !=
		    0)
			cmd_late_error(&f->late, "%s", cause_text(&why));
		else if (f->terminal &&
			 (vw = cmd_late_viewer(&f->late)) != NULL)
			clipboard_set(vw, NULL, data, len);
		cause_fini(&why);
	}
	mem_free(data);
	buffer_file_end(f, error);
}

enum cmd_result
cmd_exec_load_buffer(struct cmd_context *c)
{
	struct buffer_file *f = buffer_file_new(c);

	sink_read(&c->sink, f->path, buffer_loaded, f);
	return CMD_WAIT;
}

static void
buffer_saved(void *arg, int error)
{
	buffer_file_end(arg, error);
}

enum cmd_result
cmd_exec_save_buffer(struct cmd_context *c)
{
	struct paste_buffer *b;
	struct buffer_file *f;
	struct sink_file file;

	if ((b = buffer_of(c, "no buffers", "no buffer ")) == NULL)
		return CMD_ERROR;
	f = buffer_file_new(c);
	file = (struct sink_file){
		.path = f->path,
		.append = args_has(c->args, 'a') != 0,
		.data = b->data,
		.len = b->size,
	};
	sink_write(&c->sink, &file, buffer_saved, f);
	return CMD_WAIT;
}

/* --- list ------------------------------------------------------------------------ */

static const struct buffer_order {
	const char *name;
	enum paste_order order;
} buffer_orders[] = {
	{ "creation", PASTE_NEWEST },
	{ "order", PASTE_NEWEST },
	{ "size", PASTE_SIZE },
};

static void
buffer_line(struct cmd_context *c, const struct paste_buffer *b)
{
	const char *format = args_get(c->args, 'F');
	const char *filter = args_get(c->args, 'f');
	char size[32], created[32];
	char *sample = paste_sample(b, BUFFER_SAMPLE);
	char *full = mem_strndup(
	    (const char *)b->data, MIN_OF(b->size, FORMAT_OUTPUT_MAX / 4));
	const struct format_var vars[] = {
		{ "buffer_name", b->name },
		{ "buffer_size", size },
		{ "buffer_created", created },
		{ "buffer_sample", sample },
		{ "buffer_full", full },
	};
	char *text = NULL;

	snprintf(size, sizeof(size), "%zu", b->size);
	snprintf(
	    created, sizeof(created), "%lld", (long long)(b->created / 1000));
	if (format == NULL)
		format = "#{buffer_name}: #{buffer_size} bytes: "
			 "\"#{buffer_sample}\"";
	c->shown = c->client; /* lists know the caller alone */
	if (filter != NULL)
		text =
		    cmd_format_vars_new(c, NULL, filter, vars, ARRAY_LEN(vars));
	if (filter == NULL || format_true(text)) {
		mem_free(text);
		text =
		    cmd_format_vars_new(c, NULL, format, vars, ARRAY_LEN(vars));
		cmd_say(c, "%s", text);
	}
	mem_free(text);
	mem_free(sample);
	mem_free(full);
}

enum cmd_result
cmd_exec_list_buffers(struct cmd_context *c)
{
	const char *name = args_get(c->args, 'O');
	enum paste_order order = PASTE_NEWEST;
	bool down = false;
	struct paste_buffer **all;
	size_t i, n;

	if (name != NULL) {
		order = PASTE_NAME;
		down = args_has(c->args, 'r') != 0;
		for (i = 0; i < ARRAY_LEN(buffer_orders); i++)
			if (str_eq_nocase(buffer_orders[i].name, name))
				order = buffer_orders[i].order;
		if (!cmd_order_known(name))
			return cmd_error(c, "invalid sort order");
	}
	all = paste_sorted_new(c->sv->run.mux->paste, order, down, &n);
	for (i = 0; i < n; i++)
		buffer_line(c, all[i]);
	mem_free(all);
	return CMD_NORMAL;
}

/* --- paste ------------------------------------------------------------------------ */

/*
 * Writes control bytes as ^X and invalid UTF-8 as M-X, as tmux 3.7 does: a
 * buffer must not be able to press keys.
 */
static void
paste_safe(struct buf *out, const uint8_t *p, size_t n)
{
	uint32_t cp;
	size_t k;

	while (n > 0) {
		k = utf8_decode_final(p, n, &cp);
		if (*p < 0x80 && *p >= 0x20 && *p != 0x7f) {
			(void)buf_add_u8(out, *p);
		} else if (*p < 0x80 && strchr("\a\b\t\n\r", *p) != NULL &&
			   *p != '\0') {
			(void)buf_add_u8(out, *p);
		} else if (*p < 0x80) {
			(void)buf_addf(out, "^%c", *p ^ 0x40);
		} else if (cp == UTF8_REPLACEMENT && (k != 3 || *p != 0xef)) {
			(void)buf_addf(out, "M-%c",
			    (*p & 0x7f) < 0x20 || (*p & 0x7f) == 0x7f
				? '?'
				: *p & 0x7f);
			k = 1;
		} else if (cp >= 0xa0) {
			(void)buf_add(out, p, k);
		}
		p += k;
		n -= k;
	}
}

/*
 * Writes raw bytes, without sequences that would end the bracketed paste early.
 */
static void
paste_raw(struct buf *out, const uint8_t *p, size_t n, bool bracketed)
{
	static const char stop[] = "\033[201~";
	const size_t len = sizeof(stop) - 1;
	size_t i;

	for (i = 0; i < n; i++) {
		if (bracketed && n - i >= len && memcmp(p + i, stop, len) == 0)
			i += len - 1;
		else
			(void)buf_add_u8(out, p[i]);
	}
}

enum cmd_result
cmd_exec_paste_buffer(struct cmd_context *c)
{
	struct paste_buffer *b;
	struct pane *p = c->target.p;
	const char *sep = args_get(c->args, 's');
	const uint8_t *s, *end, *nl;
	bool raw = args_has(c->args, 'S') != 0, brackets;
	struct buf out;

	if (p->flags & PANE_DEAD)
		return cmd_error(c, "target pane has exited");
	b = paste_top(c->sv->run.mux->paste);
	if (args_get(c->args, 'b') != NULL &&
	    (b = buffer_of(c, "", "no buffer ")) == NULL)
		return CMD_ERROR;
	if (b == NULL)
		return CMD_NORMAL;
	if (sep == NULL)
		sep = args_has(c->args, 'r') ? "\n" : "\r";
	brackets = args_has(c->args, 'p') && (vt_term_state(p->term)->modes &
						 VT_FRAME_BRACKETED_PASTE) != 0;
	buf_init(&out, PASTE_SIZE_MAX * 2);
	if (brackets)
		(void)buf_add_str(&out, "\033[200~");
	for (s = b->data, end = s + b->size; s < end; s = nl + 1) {
		nl = memchr(s, '\n', (size_t)(end - s));
		if (raw)
			paste_raw(&out, s,
			    (size_t)((nl == NULL ? end : nl) - s), brackets);
		else
			paste_safe(
			    &out, s, (size_t)((nl == NULL ? end : nl) - s));
		if (nl == NULL)
			break;
		(void)buf_add_str(&out, sep);
	}
	if (brackets)
		(void)buf_add_str(&out, "\033[201~");
	if (args_has(c->args, 'd'))
		paste_remove(c->sv->run.mux->paste, b);
	if ((p->flags & PANE_INPUT_OFF) == 0 &&
	    pane_input_whole(&c->sv->panes, p, out.data, out.len) ==
		-ERR_LIMIT) {
		buf_fini(&out);
		return cmd_error(
		    c, "the program in the pane does not read its input");
	}
	buf_fini(&out);
	return CMD_NORMAL;
}
