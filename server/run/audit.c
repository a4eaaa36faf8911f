#include "server/run/audit.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "base/io/loop.h"
#include "base/io/sys.h"
#include "base/list.h"
#include "base/mem.h"
#include "mux/client.h"
#include "mux/mux.h"
#include "server/run/audit_file.h"
#include "server/run/audit_text.h"
#include "server/run/run.h"

#define LINE_MAX 4096
#define FLUSH_MS 10000

/* What one client has done since its last records. */
struct audit_row {
	struct list_node node;
	uint32_t client;
	char *name;
	int64_t first; /* wall clock */
	int64_t last;
	uint32_t pane; /* of the first three counts */
	uint64_t counts[AUDIT_COUNTS];
	uint64_t sizes;
	int w;
	int h;
	uint64_t commands;
	char *command; /* the last refused one, or NULL */
};

struct audit {
	struct run *run;
	struct audit_file *file; /* NULL: off */
	struct list rows;
	struct loop_timer *timer;
	uint64_t lost; /* records */
	bool told;
};

/* --- lines ----------------------------------------------------------------------- */

static void
put_field(struct buf *out, const char *name, const char *value)
{
	if (value == NULL)
		return;
	(void)buf_addf(out, " %s=", name);
	audit_put_value(out, value);
}

static int64_t
audit_now(void)
{
	return sys_wall_ms();
}

static void
line_begin(struct buf *b, const char *kind, uint32_t client, const char *name)
{
	buf_init(b, LINE_MAX);
	audit_put_time(b, audit_now());
	(void)buf_addf(b, " %s", kind);
	if (name == NULL)
		return;
	put_field(b, "client", name);
	(void)buf_addf(b, " id=%u", client);
}

/* Tells once that the disk takes no records. */
static void
audit_check(struct audit *a)
{
	int e = audit_file_error(a->file);

	if (e == 0)
		return;
	a->lost++;
	if (!a->told)
		run_message(a->run,
		    "cannot write the audit log: %s; records are lost until "
		    "there is room",
		    strerror(e));
	a->told = true;
}

static void
line_end(struct audit *a, struct buf *b)
{
	struct buf lost;

	audit_check(a);
	if (b->len >= LINE_MAX)
		b->len = LINE_MAX - 1;
	(void)buf_add(b, "\n", 1);
	if (a->lost > 0) {
		line_begin(&lost, "lost", 0, NULL);
		(void)buf_addf(&lost, " writes=%" PRIu64 "\n", a->lost);
		if (audit_file_put(a->file, (const char *)lost.data, lost.len))
			a->lost = 0;
		buf_fini(&lost);
	}
	if (!audit_file_put(a->file, (const char *)b->data, b->len))
		a->lost++;
	buf_fini(b);
}

/* --- counts ---------------------------------------------------------------------- */

static void
row_times(struct buf *b, const struct audit_row *r)
{
	(void)buf_add_str(b, " from=");
	audit_put_time(b, r->first);
	(void)buf_add_str(b, " to=");
	audit_put_time(b, r->last);
}

static void
row_typed(struct audit *a, const struct audit_row *r)
{
	struct buf b;

	line_begin(&b, "type", r->client, r->name);
	(void)buf_addf(&b,
	    " pane=%%%u keys=%" PRIu64 " pasted=%" PRIu64 " mouse=%" PRIu64,
	    r->pane, r->counts[AUDIT_KEYS], r->counts[AUDIT_PASTED],
	    r->counts[AUDIT_MOUSE]);
	row_times(&b, r);
	line_end(a, &b);
}

static void
row_refused(struct audit *a, const struct audit_row *r)
{
	struct buf b;

	line_begin(&b, "refuse", r->client, r->name);
	(void)buf_addf(&b,
	    " role=%" PRIu64 " budget=%" PRIu64 " commands=%" PRIu64,
	    r->counts[AUDIT_REFUSED_ROLE], r->counts[AUDIT_REFUSED_BUDGET],
	    r->commands);
	put_field(&b, "command", r->command);
	row_times(&b, r);
	line_end(a, &b);
}

/* Writes the row's records and frees it. */
static void
row_flush(struct audit *a, struct audit_row *r)
{
	struct buf b;

	list_remove(&a->rows, &r->node);
	if (a->file != NULL) {
		if (r->counts[AUDIT_KEYS] + r->counts[AUDIT_PASTED] +
			r->counts[AUDIT_MOUSE] >
		    0)
			row_typed(a, r);
		if (r->counts[AUDIT_REFUSED_ROLE] +
			r->counts[AUDIT_REFUSED_BUDGET] + r->commands >
		    0)
			row_refused(a, r);
		if (r->sizes > 0) {
			line_begin(&b, "size", r->client, r->name);
			(void)buf_addf(&b, " cols=%d rows=%d changes=%" PRIu64,
			    r->w, r->h, r->sizes);
			line_end(a, &b);
		}
	}
	mem_free(r->command);
	mem_free(r->name);
	mem_free(r);
}

static struct audit_row *
row_find(struct audit *a, const struct client *c)
{
	struct list_node *n;
	struct audit_row *r;

	LIST_FOREACH(n, &a->rows) {
		r = container_of(n, struct audit_row, node);
		if (r->client == c->id)
			return r;
	}
	return NULL;
}

/* The row of a client, made if there is none; NULL: nothing is recorded. */
static struct audit_row *
row_get(struct audit *a, const struct client *c)
{
	struct audit_row *r;

	if (a == NULL || a->file == NULL || c == NULL)
		return NULL;
	if ((r = row_find(a, c)) == NULL) {
		r = mem_zalloc(sizeof(*r));
		r->client = c->id;
		r->name = mem_strdup(c->name);
		r->pane = MUX_NONE;
		r->first = audit_now();
		list_push_back(&a->rows, &r->node);
		if (a->rows.count == 1)
			loop_timer_set(a->timer,
			    mono_add(loop_now(a->run->loop), FLUSH_MS));
	}
	r->last = audit_now();
	return r;
}

static void
audit_timer(void *arg)
{
	struct audit *a = arg;

	while (!list_empty(&a->rows))
		row_flush(a,
		    container_of(list_first(&a->rows), struct audit_row, node));
	if (a->file != NULL)
		audit_check(a);
}

/* Writes the client's counts. */
static void
client_flush(struct audit *a, const struct client *c)
{
	struct audit_row *r = row_find(a, c);

	if (r != NULL)
		row_flush(a, r);
}

void
audit_say(struct audit *a, const char *kind, const struct client *c, ...)
{
	const char *name;
	struct buf b;
	va_list ap;

	if (a == NULL || a->file == NULL)
		return;
	/* In the order in which things happened. */
	if (c != NULL)
		client_flush(a, c);
	line_begin(&b, kind, c == NULL ? 0 : c->id, c == NULL ? NULL : c->name);
	va_start(ap, c);
	while ((name = va_arg(ap, const char *)) != NULL)
		put_field(&b, name, va_arg(ap, const char *));
	va_end(ap);
	line_end(a, &b);
}

void
audit_add(struct audit *a, const struct client *c, enum audit_count what,
    uint32_t pane, uint64_t n)
{
	struct audit_row *r = row_get(a, c);

	if (r != NULL && pane != MUX_NONE && r->pane != MUX_NONE &&
	    r->pane != pane) {
		row_flush(a, r);
		r = row_get(a, c);
	}
	if (r == NULL)
		return;
	if (pane != MUX_NONE)
		r->pane = pane;
	r->counts[what] += n;
}

void
audit_size(struct audit *a, const struct client *c)
{
	struct audit_row *r = row_get(a, c);

	if (r == NULL)
		return;
	r->sizes++;
	r->w = c->w;
	r->h = c->h;
}

void
audit_refused(struct audit *a, const struct client *c, const char *command)
{
	struct audit_row *r = row_get(a, c);

	if (r == NULL)
		return;
	r->commands++;
	mem_free(r->command);
	r->command = mem_strdup(command);
}

/* --- options --------------------------------------------------------------------- */

int
audit_apply(struct audit *a, struct cause *c)
{
	const struct options *o = &a->run->mux->server_options;
	const char *path = options_string(o, OPTION_AUDIT_LOG);
	int64_t max = options_number(o, OPTION_AUDIT_LOG_SIZE);

	if (a->file != NULL) {
		audit_timer(a);
		audit_say(a, "close", NULL, NULL);
		audit_file_close(a->file);
	}
	a->file = NULL;
	if (*path == '\0')
		return 0;
	a->told = false;
	a->file = audit_file_open(path, (uint64_t)max * 1024, c);
	if (a->file == NULL)
		return -ERR_DENIED;
	audit_say(a, "open", NULL, "socket", a->run->socket_path, NULL);
	return 0;
}

void
audit_reopen(struct audit *a)
{
	if (a->file != NULL)
		audit_file_reopen(a->file);
}

struct audit *
audit_new(struct run *run)
{
	struct audit *a = mem_zalloc(sizeof(*a));

	a->run = run;
	list_init(&a->rows);
	a->timer = loop_timer_new(run->loop, audit_timer, a);
	return a;
}

void
audit_free(struct audit *a)
{
	if (a == NULL)
		return;
	audit_timer(a);
	if (a->file != NULL) {
		audit_say(a, "close", NULL, NULL);
		audit_file_close(a->file);
	}
	loop_timer_free(a->timer);
	mem_free(a);
}
