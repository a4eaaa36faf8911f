#include "mux/vt/params.h"

_Static_assert(VT_PARAM_SLOTS <= 32, "`sub` has one bit a slot");

void
vt_params_next(struct vt_params *p, bool sub)
{
	if (p->count == 0) {
		/* The separator came first: an empty parameter before it. */
		p->v[p->count++] = VT_PARAM_EMPTY;
	}
	if (p->count >= VT_PARAM_SLOTS) {
		p->dropped = true;
		return;
	}
	if (sub)
		p->sub |= UINT32_C(1) << p->count;
	p->v[p->count++] = VT_PARAM_EMPTY;
}

/* Appends a digit to the open slot. */
static inline void
params_digit(struct vt_params *p, unsigned d)
{
	int32_t *v;

	if (unlikely(p->dropped))
		return;
	if (p->count == 0)
		p->v[p->count++] = VT_PARAM_EMPTY;
	v = &p->v[p->count - 1];
	if (*v < 0)
		*v = (int32_t)d;
	else if ((*v = *v * 10 + (int32_t)d) > VT_PARAM_VALUE_MAX)
		*v = VT_PARAM_VALUE_MAX;
}

void
vt_params_byte(struct vt_params *p, uint8_t b)
{
	if (b >= '0' && b <= '9')
		params_digit(p, b - '0');
	else
		vt_params_next(p, b == ':');
}

size_t
vt_params_run(struct vt_params *p, const uint8_t *s, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		unsigned d = (unsigned)s[i] - '0';

		if (d <= 9)
			params_digit(p, d);
		else if (d <= 11)
			vt_params_next(p, s[i] == ':');
		else
			break;
	}
	return i;
}

int
vt_params_len(const struct vt_params *p)
{
	uint32_t s = p->sub;
	int n = p->count;

	for (; s != 0; s &= s - 1)
		n--;
	return n;
}

int
vt_params_slot(const struct vt_params *p, int i)
{
	int s;

	for (s = 0; s < p->count; s++) {
		if ((p->sub >> s & 1) != 0)
			continue;
		if (i-- == 0)
			return s;
	}
	return -1;
}

int
vt_params_width(const struct vt_params *p, int slot)
{
	int s = slot + 1;

	while (s < p->count && (p->sub >> s & 1) != 0)
		s++;
	return s - slot;
}

int
vt_param_sub(const struct vt_params *p, int slot, int j, int def)
{
	int s = slot + j;

	if (slot < 0 || j >= vt_params_width(p, slot) || p->v[s] < 0)
		return def;
	return p->v[s];
}
