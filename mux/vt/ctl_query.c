/*
 * Queries about what a pane's terminal does not have, or leaves to its owner:
 * locators, status lines, resources, permissions.  A program that asks waits, so
 * each has an answer.
 */
#include <string.h>

#include "base/str.h"
#include "mux/vt/screen.h"

/* DECRQLP - no locator: the modes of the mouse are all there is. */
void
vt_ctl_decrqlp(struct vt_term *t, const struct vt_params *p UNUSED)
{
	vt_reply(t, "\033[0&w");
}

/* DECRQDE - the displayed extent: all rows and columns of page 1. */
void
vt_ctl_decrqde(struct vt_term *t, const struct vt_params *p UNUSED)
{
	vt_reply(t, "\033[%d;%d;1;1;1\"w", t->rows, t->cols);
}

/* DECRQUPSS - the preferred supplemental set: DEC's own, 94 characters. */
void
vt_ctl_decrqupss(struct vt_term *t, const struct vt_params *p UNUSED)
{
	vt_reply(t, "\033P0!u%%5\033\\");
}

/* XTCHECKSUM - what DECRQCRA sums up (VT_CHECKSUM_...). */
void
vt_ctl_xtchecksum(struct vt_term *t, const struct vt_params *p)
{
	t->checksum = (uint8_t)(vt_param(p, 0, 0) & 63);
}

/* XTGETXRES - a pane has no resources. */
void
vt_dcs_xtgetxres(struct vt_term *t, const struct vt_params *p UNUSED,
    const char *s, size_t n)
{
	struct buf b;
	size_t i;

	/* The names come back, if they are in hexadecimal. */
	for (i = 0; i < n; i++)
		if (str_hex_digit(s[i]) < 0 && s[i] != ';')
			n = 0;
	buf_init(&b, n + 16);
	(void)buf_add_str(&b, "\033P0+R");
	(void)buf_add(&b, s, n);
	(void)buf_add_str(&b, "\033\\");
	vt_reply_bytes(t, b.data, b.len);
	buf_fini(&b);
}

/* OSC 60 - what programs may do; OSC 61 - what is off beside a feature. */
void
vt_osc_allowed(
    struct vt_term *t, int num, const char *s UNUSED, size_t n UNUSED)
{
	vt_reply(t, "\033]%d;%s%s", num,
	    num == 60 ? "allowColorOps,allowMouseOps,allowTitleOps" : "",
	    t->bel ? "\007" : "\033\\");
}
