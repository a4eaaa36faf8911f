/*
 * mux/vt/params.h - numeric parameters of a control sequence.
 *
 * Purpose:   collects "1;2:3;;4" byte by byte for the handlers; distinguishes
 *            an empty parameter from a zero, and a sub-parameter (after a
 *            colon) from a parameter.
 * Ownership: plain value inside the parser.
 * Units:     values 0..VT_PARAM_VALUE_MAX; larger numbers saturate.
 * Errors:    parameters beyond VT_PARAM_SLOTS are dropped and `dropped` is set.
 * Source:    ECMA-48 5.4; xterm for the saturation at 65,535 and for ignoring
 *            surplus parameters.
 * Tests:     regress/unit/check_vt_params.c
 */
#ifndef MUX_VT_PARAMS_H
#define MUX_VT_PARAMS_H

#include <stdbool.h>

#include "base/compiler.h"

#define VT_PARAM_SLOTS 32 /* parameters and sub-parameters together */
#define VT_PARAM_VALUE_MAX 65535
#define VT_PARAM_EMPTY (-1)

struct vt_params {
	uint8_t count; /* slots in use; the last one may still grow */
	bool dropped;  /* there were more than VT_PARAM_SLOTS */
	uint32_t sub;  /* bit i: slot i is after a colon */
	int32_t v[VT_PARAM_SLOTS]; /* VT_PARAM_EMPTY: no digit */
};

static inline void
vt_params_clear(struct vt_params *p)
{
	p->count = 0;
	p->dropped = false;
	p->sub = 0;
}

/* Reads one byte of 0-9, ';' or ':'. */
void vt_params_byte(struct vt_params *p, uint8_t b);

/*
 * Reads the leading bytes of S that are 0-9 ; or :.
 *
 * Returns: the number of bytes read.
 */
size_t vt_params_run(struct vt_params *p, const uint8_t *s, size_t n);

/* Returns the slot of parameter I, or -1 if there is none. */
int vt_params_slot(const struct vt_params *p, int i);

/*
 * Returns the number of slots of the parameter at SLOT: 1 plus its
 * sub-parameters.
 */
int vt_params_width(const struct vt_params *p, int slot);

/* Returns parameter I; DEF if it is absent or empty. */
static inline int
vt_param(const struct vt_params *p, int i, int def)
{
	int s = p->sub == 0 ? i : vt_params_slot(p, i);

	return s < 0 || s >= p->count || p->v[s] < 0 ? def : p->v[s];
}

/* Returns parameter I; DEF if it is absent, empty or zero. */
static inline int
vt_param_nz(const struct vt_params *p, int i, int def)
{
	int v = vt_param(p, i, 0);

	return v == 0 ? def : v;
}

/*
 * Returns sub-parameter J (1..) of the parameter at SLOT; DEF if absent or
 * empty.
 */
int vt_param_sub(const struct vt_params *p, int slot, int j, int def);

#endif
