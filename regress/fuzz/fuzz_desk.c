/*
 * Requests to the desk from a hostile machine, and answers: each that decodes
 * encodes to the same again, and no name leads out of the folder.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "client/cp/wire.h"
#include "client/desk/wire.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
request(const uint8_t *data, size_t size)
{
	struct desk_request q, again;
	char text[DESK_ASK_TEXT];
	struct buf b;
	size_t i;

	if (desk_request_get(&q, data, size) != 0)
		return;
	buf_init(&b, DESK_FRAME_MAX * 2);
	desk_request_put(&b, &q);
	bug_assert(desk_request_get(&again, b.data, b.len) == 0);
	bug_assert(again.n == q.n && again.what == q.what &&
		   again.files == q.files && again.bytes == q.bytes);
	for (i = 0; i < q.n; i++) {
		bug_assert(strcmp(q.names[i], again.names[i]) == 0);
		bug_assert(q.what == DESK_OPEN
			       ? desk_url_ok(q.names[i])
			       : cp_path_ok(q.names[i], strlen(q.names[i])));
	}
	desk_question(&q, "~/Downloads", q.files, q.bytes, text);
	for (i = 0; text[i] != '\0'; i++)
		bug_assert(text[i] >= ' ' && text[i] < 127);
	desk_request_fini(&q);
	desk_request_fini(&again);
	buf_fini(&b);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct desk_answer a, again;
	struct buf b;

	request(data, size);
	if (desk_answer_get(&a, data, size) != 0)
		return 0;
	buf_init(&b, size + 64);
	desk_answer_put(&b, &a);
	bug_assert(desk_answer_get(&again, b.data, b.len) == 0);
	bug_assert(again.ok == a.ok && again.ntext == a.ntext);
	buf_fini(&b);
	return 0;
}
