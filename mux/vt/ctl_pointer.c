/*
 * OSC 22 - the shape of the mouse pointer.  Each screen has a stack of shapes,
 * as in kitty; xterm's form, a name alone, sets the top of the stack.
 */
#include <string.h>

#include "mux/vt/ctl.h"

#define POINTER_NAMES_MAX 64 /* of one sequence; more are ignored */

uint8_t
vt_pointer_now(const struct vt_term *t)
{
	const struct vt_pointers *p;

	if (t->rare == NULL)
		return VT_POINTER_DEFAULT;
	p = &t->rare->pointers[t->alternate];
	return p->depth == 0 ? VT_POINTER_DEFAULT : p->shape[p->depth - 1];
}

/* Sets the top of the stack, or the only shape of an empty one. */
static void
pointer_set(struct vt_pointers *p, uint8_t shape)
{
	if (p->depth == 0)
		p->depth = 1;
	p->shape[p->depth - 1] = shape;
}

/* A push to a full stack drops the oldest entry. */
static void
pointer_push(struct vt_pointers *p, uint8_t shape)
{
	if (p->depth == VT_POINTER_STACK_MAX)
		memmove(p->shape, p->shape + 1, VT_POINTER_STACK_MAX - 1);
	else
		p->depth++;
	p->shape[p->depth - 1] = shape;
}

/* Adds the answer to one name of a query. */
static void
pointer_answer(struct vt_term *t, struct buf *b, const char *s, size_t n)
{
	const struct vt_pointers *p = &vt_rare(t)->pointers[t->alternate];
	uint8_t shape;

	if (n == 11 && memcmp(s, "__current__", n) == 0)
		(void)buf_add_str(
		    b, p->depth == 0 ? "0" : vt_pointer_css(vt_pointer_now(t)));
	else if ((n == 11 && memcmp(s, "__default__", n) == 0) ||
		 (n == 11 && memcmp(s, "__grabbed__", n) == 0))
		(void)buf_add_str(b, vt_pointer_css(VT_POINTER_DEFAULT));
	else
		(void)buf_add_u8(b, vt_pointer_find(s, n, &shape) ? '1' : '0');
}

/* Handles the names of a list in turn: OP is = > or ?. */
static void
pointer_names(struct vt_term *t, char op, const char *s, size_t n)
{
	struct vt_pointers *p = &vt_rare(t)->pointers[t->alternate];
	const char *end = s + n, *comma;
	unsigned names = 0;
	struct buf b;
	uint8_t shape;

	buf_init(&b, 4096);
	(void)buf_add_str(&b, "\033]22;");
	for (; s <= end && names < POINTER_NAMES_MAX; s = comma + 1, names++) {
		comma = memchr(s, ',', (size_t)(end - s));
		if (comma == NULL)
			comma = end;
		if (op == '?') {
			if (names > 0)
				(void)buf_add_u8(&b, ',');
			pointer_answer(t, &b, s, (size_t)(comma - s));
		} else if (comma == s)
			pointer_set(p, VT_POINTER_DEFAULT);
		else if (vt_pointer_find(s, (size_t)(comma - s), &shape))
			(op == '>' ? pointer_push : pointer_set)(p, shape);
	}
	(void)buf_add_str(&b, t->bel ? "\007" : "\033\\");
	if (op == '?')
		vt_reply_bytes(t, b.data, b.len);
	buf_fini(&b);
}

/* OSC 22 ; [= > < ?] names */
void
vt_osc_pointer(struct vt_term *t, int num UNUSED, const char *s, size_t n)
{
	struct vt_pointers *p = &vt_rare(t)->pointers[t->alternate];
	char op = '=';

	if (n > 0 && strchr("=><?", s[0]) != NULL) {
		op = s[0];
		s++;
		n--;
	}
	if (op != '<')
		pointer_names(t, op, s, n);
	else if (p->depth > 0)
		p->depth--;
}
