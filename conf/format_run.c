/* Shared by all files of the format engine: limits, trace, splitting. */
#include <string.h>

#include "base/mem.h"
#include "conf/format_mod.h"

bool
fmt_true(const void *p, size_t n)
{
	return n > 1 || (n == 1 && *(const char *)p != '0');
}

bool
format_true(const char *value)
{
	return fmt_true(value, strlen(value));
}

const char *
format_skip(const char *p, const char *end, const char *ends)
{
	int depth = 0;

	for (; p < end; p++) {
		if (*p == '#' && p + 1 < end) {
			if (p[1] == '{')
				depth++;
			if (p[1] != '\0' && strchr(",#{}:", p[1]) != NULL) {
				p++;
				continue;
			}
		}
		if (*p == '}')
			depth--;
		if (depth == 0 && *p != '\0' && strchr(ends, *p) != NULL)
			return p;
	}
	return NULL;
}

void
fmt_limit(const struct fmt *f, bool stop)
{
	f->run->limited = true;
	if (stop)
		f->run->stop = true;
}

bool
fmt_work(const struct fmt *f, size_t n)
{
	if (f->run->stop)
		return false;
	if (n >= f->run->work) {
		f->run->work = 0;
		fmt_limit(f, true);
		return false;
	}
	f->run->work -= n;
	return true;
}

void
fmt_trace(const struct fmt *f, const char *format, ...)
{
	const struct format_args *a = f->run->args;
	va_list ap;
	char *text;

	if (a->trace == NULL || f->run->stop)
		return;
	va_start(ap, format);
	text = mem_vprintf(format, ap);
	va_end(ap);
	a->trace(a->trace_arg, f->depth > 0 ? f->depth - 1 : 0, text);
	mem_free(text);
}

bool
fmt_split(struct fmt_text t, struct fmt_text *left, struct fmt_text *right)
{
	const char *comma = format_skip(t.p, t.p + t.n, ",");

	if (comma == NULL)
		return false;
	left->p = t.p;
	left->n = (size_t)(comma - t.p);
	right->p = comma + 1;
	right->n = (size_t)(t.p + t.n - right->p);
	return true;
}

const char *
fmt_arg(const struct fmt_call *c, size_t i)
{
	if (i >= c->use->argc)
		return "";
	return (const char *)c->mods->text.data + c->use->arg[i];
}
