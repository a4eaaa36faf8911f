#include "mux/mode/request.h"

#include "base/mem.h"
#include "mux/mode/mode.h"
#include "mux/pane.h"

void
mode_requests_init(struct mode_requests *q)
{
	list_init(&q->list);
}

void
mode_requests_fini(struct mode_requests *q)
{
	struct mode_request *r;

	while ((r = mode_requests_take(q)) != NULL)
		mode_request_free(r);
}

/* The new request, or NULL: too many wait. */
static struct mode_request *
add(struct mode_requests *q, enum mode_request_kind kind, const struct mode *m,
    unsigned what, const char *text, const char *input)
{
	struct mode_request *r;

	if (q->list.count >= MODE_REQUESTS_MAX)
		return NULL;
	r = mem_zalloc(sizeof(*r));
	r->kind = kind;
	r->text = mem_strdup(text);
	r->input = input == NULL ? NULL : mem_strdup(input);
	if (m != NULL) {
		r->pane = m->pane->id;
		r->serial = m->serial;
	}
	r->what = what;
	list_push_back(&q->list, &r->node);
	return r;
}

void
mode_request_run(struct mode_requests *q, const char *text)
{
	(void)add(q, MODE_REQUEST_RUN, NULL, 0, text, NULL);
}

void
mode_request_prompt(struct mode_requests *q, const struct mode *m,
    unsigned what, const char *text, const char *input)
{
	(void)add(q, MODE_REQUEST_PROMPT, m, what, text, input);
}

void
mode_request_find(struct mode_requests *q, const struct mode *m, unsigned what,
    const char *text, const char *input)
{
	(void)add(q, MODE_REQUEST_FIND, m, what, text, input);
}

void
mode_request_confirm(struct mode_requests *q, const struct mode *m,
    unsigned what, const char *text)
{
	(void)add(q, MODE_REQUEST_CONFIRM, m, what, text, NULL);
}

void
mode_request_narrow(struct mode_requests *q, const struct mode *m,
    unsigned what, const char *text, const char *input)
{
	(void)add(q, MODE_REQUEST_NARROW, m, what, text, input);
}

void
mode_request_menu(struct mode_requests *q, const struct mode *m, unsigned what,
    const char *title, const struct mode_menu_row *rows, size_t count, int x,
    int y)
{
	struct mode_request *r =
	    add(q, MODE_REQUEST_MENU, m, what, title, NULL);

	if (r == NULL)
		return;
	r->rows = rows;
	r->count = count;
	r->x = x;
	r->y = y;
}

void
mode_request_edit(struct mode_requests *q, const struct mode *m, unsigned what,
    const char *text)
{
	(void)add(q, MODE_REQUEST_EDIT, m, what, "", text);
}

void
mode_request_edit_buffer(
    struct mode_requests *q, const struct mode *m, const char *name)
{
	struct mode_request *r = add(q, MODE_REQUEST_EDIT, m, 0, "", NULL);

	if (r != NULL)
		r->buffer = mem_strdup(name);
}

struct mode_request *
mode_requests_take(struct mode_requests *q)
{
	struct list_node *n = list_first(&q->list);

	if (n == NULL)
		return NULL;
	list_remove(&q->list, n);
	return container_of(n, struct mode_request, node);
}

void
mode_request_free(struct mode_request *r)
{
	mem_free(r->text);
	mem_free(r->input);
	mem_free(r->buffer);
	mem_free(r);
}
