#include <errno.h>
#include <string.h>

#include "base/mem.h"
#include "server/io/conn_int.h"

#define CONN_FILE_MAX (256u << 20)
#define CONN_FILE_LOW (1u << 20) /* more of a file is sent below this */

/* A file of the caller that is being read or written. */
struct conn_file {
	struct list_node node;
	uint64_t id;
	bool writing;
	bool opened;     /* the caller writes what it gets */
	bool sent;       /* all data has been sent */
	size_t at;       /* bytes of DATA that have been sent */
	struct buf data; /* read so far, or to be written */
	sink_read_fn read_done;
	sink_write_fn write_done;
	void *arg;
};

static void
conn_file_end(struct conn *cn, struct conn_file *f, int error)
{
	size_t len;
	char *data;

	list_remove(&cn->files, &f->node);
	if (f->writing) {
		f->write_done(f->arg, error);
	} else {
		data = buf_steal(&f->data, &len);
		f->read_done(f->arg, error, data, len);
	}
	buf_fini(&f->data);
	mem_free(f);
}

static struct conn_file *
conn_file_new(struct conn *cn, const char *path, int how, void *arg)
{
	struct control_msg m = {
		.type = CONTROL_OPEN,
		.has = CONTROL_HAS_ID | CONTROL_HAS_CODE | CONTROL_HAS_TEXT,
		.id = ++cn->next_file,
		.code = how,
		.text = { path, strlen(path) },
	};
	struct conn_file *f;

	f = mem_zalloc(sizeof(*f));
	f->id = m.id;
	f->writing = how != 0;
	f->arg = arg;
	buf_init(&f->data, CONN_FILE_MAX);
	list_push_back(&cn->files, &f->node);
	(void)control_encode(&m, &cn->out);
	conn_flush_later(cn);
	return f;
}

void
conn_read_file(struct conn *cn, const char *path, sink_read_fn done, void *arg)
{
	conn_file_new(cn, path, 0, arg)->read_done = done;
}

void
conn_write_file(struct conn *cn, const struct sink_file *file,
    sink_write_fn done, void *arg)
{
	struct conn_file *f;

	f = conn_file_new(cn, file->path, file->append ? 2 : 1, arg);
	f->write_done = done;
	(void)buf_add(&f->data, file->data, file->len);
}

static struct conn_file *
conn_file_find(struct conn *cn, uint64_t id)
{
	struct list_node *n;
	struct conn_file *f;

	LIST_FOREACH(n, &cn->files) {
		f = container_of(n, struct conn_file, node);
		if (f->id == id)
			return f;
	}
	return NULL;
}

void
conn_opened(struct conn *cn, const struct control_msg *m)
{
	struct conn_file *f;

	if ((f = conn_file_find(cn, m->id)) == NULL)
		return;
	if (m->code != 0 || f->sent) {
		conn_file_end(cn, f, (int)m->code);
		return;
	}
	f->opened = f->writing;
	conn_flush_later(cn);
}

/* Sends the rest of a file, or what the caller can take now. */
static void
conn_file_send(struct conn *cn, struct conn_file *f)
{
	size_t n;

	while (f->at < f->data.len && cn->out.len < CONN_FILE_LOW) {
		n = MIN_OF(f->data.len - f->at, (size_t)CONTROL_DATA_MAX);
		conn_send_data(
		    cn, CONTROL_DATA, f->id, f->data.data + f->at, n);
		f->at += n;
	}
	if (f->at < f->data.len)
		return;
	(void)control_put_data(&cn->out, CONTROL_DATA, f->id, "", 0);
	f->sent = true;
	buf_fini(&f->data);
	/* A client of an earlier release does not report the result. */
	if ((cn->flags & CONTROL_FLAG_WRITTEN) == 0)
		conn_file_end(cn, f, 0);
}

void
conn_files_send(struct conn *cn)
{
	struct list_node *n, *next;
	struct conn_file *f;

	for (n = list_first(&cn->files); n != NULL; n = next) {
		next = list_next(&cn->files, n);
		f = container_of(n, struct conn_file, node);
		if (f->opened && !f->sent && cn->out.len < CONN_FILE_LOW)
			conn_file_send(cn, f);
	}
}

void
conn_data(struct conn *cn, const struct control_msg *m)
{
	struct conn_file *f;

	if ((f = conn_file_find(cn, m->id)) == NULL || f->writing)
		return;
	if (m->data_len == 0)
		conn_file_end(cn, f, f->data.overflow ? EFBIG : 0);
	else
		(void)buf_add(&f->data, m->data, m->data_len);
}

void
conn_files_end(struct conn *cn)
{
	while (!list_empty(&cn->files))
		conn_file_end(cn,
		    container_of(
			list_first(&cn->files), struct conn_file, node),
		    EPIPE);
}
