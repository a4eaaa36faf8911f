/*
 * Control mode: the input decides about lines, output of panes and states of the
 * queue.  Lines that come out are whole, and nothing of the output of a pane
 * that is not paused is lost.  The same bytes are cut into lines of input.
 */
#include <string.h>

#include "base/mem.h"
#include "mux/control/control_in.h"
#include "mux/control/control_out.h"

#define FUZZ_PANES 4

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
try_in(const uint8_t *data, size_t size)
{
	struct control_in in;
	const char *line;
	size_t i, n, lines = 0, want = 0;
	enum control_in_got got;

	control_in_init(&in);
	for (i = 0; i < size; i += n) {
		n = 1 + data[i] % 16;
		n = n < size - i ? n : size - i;
		bug_assert(control_in_add(&in, data + i, n) == 0);
		while ((got = control_in_next(&in, &line)) != CONTROL_IN_NONE) {
			lines++;
			bug_assert(got != CONTROL_IN_TOO_LONG);
			bug_assert((got == CONTROL_IN_EMPTY) == (line == NULL));
			bug_assert(line == NULL || strchr(line, '\n') == NULL);
		}
	}
	for (i = 0; i < size; i++)
		want += data[i] == '\n';
	bug_assert(lines == want);
	control_in_fini(&in);
}

/* Counts the bytes of panes in lines of output; every line is one of ours. */
static void
count(const struct buf *b, size_t *got)
{
	const char *p = (const char *)b->data, *end;
	const char *all = p + b->len;

	for (; p < all; p = end + 1) {
		end = memchr(p, '\n', (size_t)(all - p));
		bug_assert(end != NULL && *p == '%');
		if (p[1] == 'e')
			p = memchr(p, ':', (size_t)(end - p));
		else if (p[1] == 'o')
			p += strlen("%output %");
		else
			continue;
		bug_assert(p != NULL && p + 1 < end);
		for (p += 2; p < end; p++, (*got)++)
			if (*p == '\\')
				p += 3;
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct control_out *o = control_out_new();
	size_t i, n, want = 0, got = 0;
	struct control_chunk *c;
	bool exact = true;
	uint32_t pane;
	struct buf b;

	try_in(data, size);
	buf_init(&b, BUF_MAX);
	for (i = 0; i + 1 < size; i += 2) {
		pane = data[i + 1] % FUZZ_PANES;
		switch (data[i] % 8) {
		case 0:
			control_out_lines(o, "%line\n", 6);
			break;
		case 1:
			(void)control_out_state(o, pane, data[i + 1] / 4 % 4);
			exact = exact && data[i + 1] / 4 % 4 == CONTROL_PANE_ON;
			break;
		case 2:
			(void)control_out_take(o, i, &b, data[i + 1]);
			break;
		case 3:
			control_out_set_pause(
			    o, data[i + 1] & 1, data[i + 1] / 2);
			exact = false;
			break;
		case 4:
			control_out_tick(o, i);
			break;
		default:
			n = (size_t)data[i + 1] + 1;
			n = n < size - i ? n : size - i;
			c = control_chunk_new(data + i, n);
			control_out_pane(o, pane, i, c);
			control_chunk_unref(c);
			want += n;
			break;
		}
	}
	bug_assert(control_out_deadline(o) == MONO_NEVER ||
		   control_out_waiting(o) > 0);
	while (control_out_take(o, size, &b, 1000) > 0)
		;
	bug_assert(control_out_empty(o));
	count(&b, &got);
	bug_assert(exact ? got == want : got <= want);
	buf_fini(&b);
	control_out_free(o);
	return 0;
}
