#include "mux/vt/pointer.h"

#include <string.h>

#include "base/err.h"

/* clang-format off */
static const struct pointer_row {
	const char *css;
	const char *x11;
	const char *others;
} pointer_rows[VT_POINTER_COUNT] = {
#define X(name, css, x11, others) { css, x11, others },
#include "mux/vt/pointer.def"
#undef X
};
/* clang-format on */

const char *
vt_pointer_css(uint8_t shape)
{
	return pointer_rows[shape < VT_POINTER_COUNT ? shape : 0].css;
}

const char *
vt_pointer_x11(uint8_t shape)
{
	return pointer_rows[shape < VT_POINTER_COUNT ? shape : 0].x11;
}

/* Whether the list "a b c " has the name. */
static bool
pointer_lists(const char *list, const char *s, size_t n)
{
	const char *end;

	for (; (end = strchr(list, ' ')) != NULL; list = end + 1)
		if ((size_t)(end - list) == n && memcmp(list, s, n) == 0)
			return true;
	return false;
}

bool
vt_pointer_find(const char *s, size_t n, uint8_t *shape)
{
	const struct pointer_row *r;
	unsigned i;

	for (i = 0; i < VT_POINTER_COUNT; i++) {
		r = &pointer_rows[i];
		if ((strlen(r->css) != n || memcmp(r->css, s, n) != 0) &&
		    !pointer_lists(r->others, s, n))
			continue;
		*shape = (uint8_t)i;
		return true;
	}
	return false;
}
