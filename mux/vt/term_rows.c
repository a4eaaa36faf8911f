/*
 * Lists the rows of all tables, for the manual and for coverage by tests.  The
 * program does not call it, so the help texts are not linked into it.
 */
#include <stdio.h>
#include <string.h>

#include "mux/vt/term.h"

/* Writes "ESC # 8", "CSI ? J": FIRST and the bytes that are not 0. */
static const char *
row_text(char out[32], const char *first, int a, int b, int c)
{
	const int bytes[3] = { a, b, c };
	size_t i, n;

	snprintf(out, 32, "%s", first);
	for (i = 0; i < 3; i++) {
		n = strlen(out);
		if (bytes[i] == ' ')
			snprintf(out + n, 32 - n, " SP");
		else if (bytes[i] != 0)
			snprintf(out + n, 32 - n, " %c", bytes[i]);
	}
	return out;
}

static const char *
row_number(char out[32], const char *first, int num, const char *last)
{
	snprintf(out, 32, "%s%d%s", first, num, last);
	return out;
}

void
vt_term_each_row(vt_row_fn fn, void *arg)
{
	char s[32];

#define X(mn, code, handler, help) \
 fn(arg, "c0", #mn, row_number(s, "", code, ""), help);
#define Y X
#include "mux/vt/c0.def"
#undef X
#undef Y
#define X(mn, inter, final, handler, help) \
 fn(arg, "esc", #mn, row_text(s, "ESC", inter, final, 0), help);
#define Y X
#include "mux/vt/esc.def"
#undef X
#undef Y
#define X(mn, prefix, inter, final, min, max, handler, help) \
 fn(arg, "csi", #mn, row_text(s, "CSI", prefix, inter, final), help);
#define S X
#include "mux/vt/csi.def"
#undef X
#undef S
#define X(mn, num, handler, help) \
 fn(arg, "osc", #mn, row_number(s, "OSC ", num, ""), help);
#define Y X
#include "mux/vt/osc.def"
#undef X
#undef Y
#define X(mn, prefix, inter, final, max, handler, help) \
 fn(arg, "dcs", #mn, row_text(s, "DCS", prefix, inter, final), help);
#include "mux/vt/dcs.def"
#undef X
#define X(mn, priv, num, def, setter, grp, help)                            \
 fn(arg, "mode", #mn, row_number(s, (priv) ? "CSI ? " : "CSI ", num, " h"), \
     help);
#define F(mn, priv, num, answer)
#include "mux/vt/mode.def"
#undef X
#undef F
#define X(code, name, handler, value, help) \
 fn(arg, "sgr", #name, row_number(s, "CSI ", code, " m"), help);
#include "mux/vt/sgr.def"
#undef X
}
