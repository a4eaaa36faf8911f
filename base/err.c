#include "base/err.h"

#include <stdarg.h>
#include <stdlib.h>

#include "base/mem.h"

static const char *const err_texts[] = {
	"no error",
#define X(name, text) text,
#include "base/err.def"
#undef X
};

_Static_assert(ARRAY_LEN(err_texts) == ERR_COUNT, "one text for each code");

const char *
err_text(int code)
{
	if (code < 0 && code > -ERR_COUNT)
		code = -code;
	if (code < 0 || code >= ERR_COUNT)
		return "unknown error";
	return err_texts[code];
}

int
cause_set(struct cause *c, int code, const char *fmt, ...)
{
	va_list ap;

	if (c != NULL && c->text == NULL) {
		va_start(ap, fmt);
		c->text = mem_vprintf(fmt, ap);
		va_end(ap);
	}
	return code;
}

void
cause_prefix(struct cause *c, const char *fmt, ...)
{
	va_list ap;
	char *prefix, *old;

	if (c == NULL || c->text == NULL)
		return;
	va_start(ap, fmt);
	prefix = mem_vprintf(fmt, ap);
	va_end(ap);
	old = c->text;
	c->text = mem_printf("%s: %s", prefix, old);
	mem_free(prefix);
	mem_free(old);
}

const char *
cause_text(const struct cause *c)
{
	return c == NULL || c->text == NULL ? "" : c->text;
}

void
cause_fini(struct cause *c)
{
	if (c == NULL)
		return;
	mem_free(c->text);
	c->text = NULL;
}
