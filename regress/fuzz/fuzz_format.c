/* Formats: expands any bytes and draws the result. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "conf/format.h"
#include "conf/format_draw.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct format_ops ops;

/* Options @a to @d: the input itself, and formats that make it grow. */
static bool
get_option(void *ctx, const char *name, struct buf *out)
{
	if (strcmp(name, "@a") == 0)
		return buf_add_str(out, ctx) == 0;
	if (strcmp(name, "@b") == 0)
		return buf_add_str(out, "#{E:@b}#{E:@a}") == 0;
	if (strcmp(name, "@c") == 0)
		return buf_add_str(out, "a \xe6\x97\xa5 #[bold]text/path") == 0;
	if (strcmp(name, "@d") == 0)
		return buf_add_str(out, "1445765102") == 0;
	return false;
}

static void
loop(void *ctx, const struct format_loop *l, format_item_fn each, void *arg)
{
	struct format_item item = { .scope = { &ops, ctx } };
	int i;

	(void)l;
	for (i = 0; i < 3; i++) {
		item.current = i == 1;
		item.last = i == 2;
		if (!each(arg, &item))
			return;
	}
}

static void
job(void *ctx, const char *command, struct buf *out)
{
	(void)ctx;
	(void)buf_add_str(out, command);
}

static const struct format_ops ops = {
	.option = get_option, .loop = loop, .job = job
};

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct pen base = { 0, 0, 0, 0 };
	static struct grapheme_table *widths;
	struct format_args a = { .now_ms = INT64_C(1445765102000) };
	struct format_drawn d;
	struct buf out;
	char *fmt;

	if (size < 2)
		return 0;
	if (widths == NULL)
		widths = grapheme_table_new(NULL);
	fmt = mem_strndup((const char *)data + 2, size - 2);
	a.scope = (struct format_scope){ &ops, fmt };
	a.widths = widths;
	a.flags = data[0] & 3;
	buf_init(&out, FORMAT_OUTPUT_MAX);
	(void)format_expand(&a, fmt, &out);
	if (out.len > FORMAT_OUTPUT_MAX)
		abort();
	format_draw(
	    &d, widths, &base, (const char *)out.data, out.len, data[1]);
	if (d.width > 0 &&
	    (d.run_count == 0 ||
		d.runs[d.run_count - 1].x + d.runs[d.run_count - 1].width !=
		    d.width))
		abort();
	format_drawn_fini(&d);
	buf_fini(&out);
	mem_free(fmt);
	return 0;
}
