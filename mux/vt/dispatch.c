/*
 * Leads from the parser's callbacks to the handlers.  Each family of sequences
 * has an array of rows, numbered by an enum, and an index from prefix,
 * intermediate and final byte to the row, so that no search is needed.  The
 * compiler builds all of them.
 */
#include "mux/vt/dispatch.h"

#define DISPATCH_PREFIXES 5 /* none < = > ? */
#define DISPATCH_INTERS 17  /* none, 0x20..0x2f */

#define PREFIX_AT(c) ((c) == 0 ? 0 : (c)-0x3b)
#define INTER_AT(c) ((c) == 0 ? 0 : (c)-0x1f)

/* ANY in dcs.def is the terminal's own maximum. */
#define ANY SIZE_MAX

/* --- rows ------------------------------------------------------------------------ */

struct control_row {
	vt_control_fn fn;
};

struct esc_row {
	vt_esc_fn fn;
};

struct csi_row {
	vt_csi_fn fn;
	uint8_t min;
	uint8_t max;
	bool sub; /* takes sub-parameters */
};

struct osc_row {
	vt_osc_fn fn;
};

struct dcs_row {
	vt_dcs_fn fn;
	size_t max;
};

enum {
	ESC_ROW_NONE,
#define X(mn, inter, final, fn, help) ESC_ROW_##mn,
#define Y X
#include "mux/vt/esc.def"
#undef X
#undef Y
	ESC_ROW_COUNT
};

enum {
	CSI_ROW_NONE,
#define X(mn, prefix, inter, final, min, max, fn, help) CSI_ROW_##mn,
#define S X
#include "mux/vt/csi.def"
#undef X
#undef S
	CSI_ROW_COUNT
};

enum {
	OSC_ROW_NONE,
#define X(mn, num, fn, help) OSC_ROW_##mn,
#define Y X
#include "mux/vt/osc.def"
#undef X
#undef Y
	OSC_ROW_COUNT
};

enum {
	DCS_ROW_NONE,
#define X(mn, prefix, inter, final, max, fn, help) DCS_ROW_##mn,
#include "mux/vt/dcs.def"
#undef X
	DCS_ROW_COUNT
};

_Static_assert(ESC_ROW_COUNT < 256 && CSI_ROW_COUNT < 256 &&
		   OSC_ROW_COUNT < 256 && DCS_ROW_COUNT < 256,
    "the indices hold bytes");

static const struct control_row control_rows[32] = {
#define X(mn, code, handler, help) [code] = { vt_ctl_##handler },
#define Y X
#include "mux/vt/c0.def"
#undef X
#undef Y
};

static const struct esc_row esc_rows[ESC_ROW_COUNT] = {
#define X(mn, inter, final, handler, help) \
 [ESC_ROW_##mn] = { vt_ctl_##handler },
#define Y X
#include "mux/vt/esc.def"
#undef X
#undef Y
};

static const uint8_t esc_index[DISPATCH_INTERS][128] = {
#define X(mn, inter, final, fn, help) [INTER_AT(inter)][final] = ESC_ROW_##mn,
#define Y X
#include "mux/vt/esc.def"
#undef X
#undef Y
};

static const struct csi_row csi_rows[CSI_ROW_COUNT] = {
#define X(mn, prefix, inter, final, least, most, handler, help) \
 [CSI_ROW_##mn] = { vt_ctl_##handler, least, most, false },
#define S(mn, prefix, inter, final, least, most, handler, help) \
 [CSI_ROW_##mn] = { vt_ctl_##handler, least, most, true },
#include "mux/vt/csi.def"
#undef X
#undef S
};

static const uint8_t csi_index[DISPATCH_PREFIXES][DISPATCH_INTERS][128] = {
#define X(mn, prefix, inter, final, min, max, fn, help) \
 [PREFIX_AT(prefix)][INTER_AT(inter)][final] = CSI_ROW_##mn,
#define S X
#include "mux/vt/csi.def"
#undef X
#undef S
};

static const struct osc_row osc_rows[OSC_ROW_COUNT] = {
#define X(mn, num, handler, help) [OSC_ROW_##mn] = { vt_osc_##handler },
#define Y X
#include "mux/vt/osc.def"
#undef X
#undef Y
};

static const uint8_t osc_index[2048] = {
#define X(mn, num, fn, help) [num] = OSC_ROW_##mn,
#define Y X
#include "mux/vt/osc.def"
#undef X
#undef Y
};

static const struct dcs_row dcs_rows[DCS_ROW_COUNT] = {
#define X(mn, prefix, inter, final, most, handler, help) \
 [DCS_ROW_##mn] = { vt_dcs_##handler, most },
#include "mux/vt/dcs.def"
#undef X
};

static const uint8_t dcs_index[DISPATCH_PREFIXES][DISPATCH_INTERS][128] = {
#define X(mn, prefix, inter, final, max, fn, help) \
 [PREFIX_AT(prefix)][INTER_AT(inter)][final] = DCS_ROW_##mn,
#include "mux/vt/dcs.def"
#undef X
};

/* --- from sequences to handlers ------------------------------------------- */

void
vt_dispatch_esc(struct vt_term *t, const struct vt_seq *seq)
{
	unsigned row = seq->inter2 != 0
			   ? ESC_ROW_NONE
			   : esc_index[INTER_AT(seq->inter)][seq->final & 127];

	if (row != ESC_ROW_NONE)
		esc_rows[row].fn(t, seq);
	else
		vt_unknown(
		    t, "ESC", 0, seq->inter, seq->inter2, seq->final, -1);
	t->last.repeatable = false;
}

bool
vt_dispatch_esc_short(struct vt_term *t, uint8_t b)
{
	struct vt_seq seq = { .final = b };
	unsigned row = b < 128 ? esc_index[0][b] : ESC_ROW_NONE;

	if (row == ESC_ROW_NONE)
		return false;
	esc_rows[row].fn(t, &seq);
	t->last.repeatable = false;
	return true;
}

/* A C1 control is the escape sequence of its 7-bit form. */
void
vt_dispatch_control(struct vt_term *t, uint32_t c)
{

	if (c < ARRAY_LEN(control_rows)) {
		if (control_rows[c].fn != NULL)
			control_rows[c].fn(t);
		t->last.repeatable = false;
		return;
	}
	vt_dispatch_esc(t, &(struct vt_seq){ .final = (uint8_t)(c - 0x40) });
}

void
vt_dispatch_csi(
    void *arg, const struct vt_seq *seq, const struct vt_params *params)
{
	struct vt_term *t = arg;
	const struct csi_row *r;
	unsigned row = csi_index[0][0][seq->final & 127];

	if (unlikely((seq->prefix | seq->inter) != 0))
		row = seq->inter2 != 0
			  ? CSI_ROW_NONE
			  : csi_index[PREFIX_AT(seq->prefix)]
				     [INTER_AT(seq->inter)][seq->final & 127];

	r = &csi_rows[row];
	if (row == CSI_ROW_NONE || params->count < r->min ||
	    params->count > r->max || (params->sub != 0 && !r->sub))
		vt_unknown(t, "CSI", seq->prefix, seq->inter, seq->inter2,
		    seq->final, -1);
	else
		r->fn(t, params);
	t->last.repeatable = false;
}

void
vt_dispatch_plain(
    struct vt_term *t, uint8_t final, const struct vt_params *params)
{
	unsigned row = csi_index[0][0][final & 127];
	const struct csi_row *r = &csi_rows[row];

	if (unlikely(row == CSI_ROW_NONE || params->count < r->min ||
		     params->count > r->max))
		vt_unknown(t, "CSI", 0, 0, 0, final, -1);
	else
		r->fn(t, params);
	t->last.repeatable = false;
}

static unsigned
dispatch_dcs(const struct vt_seq *seq)
{
	return seq->inter2 != 0
		   ? DCS_ROW_NONE
		   : dcs_index[PREFIX_AT(seq->prefix)][INTER_AT(seq->inter)]
			      [seq->final & 127];
}

size_t
vt_dispatch_string_begin(
    void *arg, enum vt_string kind, const struct vt_seq *seq)
{
	struct vt_term *t = arg;
	size_t max;

	t->last.repeatable = false;
	if (kind == VT_STRING_OSC)
		return t->string_max;
	if (kind == VT_STRING_NAME)
		return MIN_OF((size_t)VT_TITLE_MAX, t->string_max);
	if (kind != VT_STRING_DCS)
		return 0;
	max = dcs_rows[dispatch_dcs(seq)].max;
	return MIN_OF(max, t->string_max);
}

static void
dispatch_osc(struct vt_term *t, const char *s, size_t n)
{
	unsigned num = 0, row = OSC_ROW_NONE;
	size_t i;

	for (i = 0; i < n && s[i] >= '0' && s[i] <= '9'; i++) {
		if (num < ARRAY_LEN(osc_index))
			num = num * 10 + (unsigned)(s[i] - '0');
	}
	/* A number alone is complete: "104" resets all colours. */
	if (i > 0 && num < ARRAY_LEN(osc_index) && (i == n || s[i] == ';'))
		row = osc_index[num];
	if (row == OSC_ROW_NONE) {
		vt_unknown(t, "OSC", 0, 0, 0, ';', (int)MIN_OF(num, 9999u));
		return;
	}
	if (i < n)
		i++;
	osc_rows[row].fn(t, (int)num, s + i, n - i);
}

void
vt_dispatch_string_end(void *arg, enum vt_string kind, const struct vt_seq *seq,
    const struct vt_params *params, const char *s, size_t n, bool bel)
{
	struct vt_term *t = arg;
	unsigned row;

	t->bel = bel;
	if (kind == VT_STRING_OSC) {
		dispatch_osc(t, s, n);
		return;
	}
	if (kind == VT_STRING_NAME) {
		vt_set_title(t, NULL, s, n);
		return;
	}
	row = dispatch_dcs(seq);
	if (row != DCS_ROW_NONE)
		dcs_rows[row].fn(t, params, s, n);
	else
		vt_unknown(t, "DCS", seq->prefix, seq->inter, seq->inter2,
		    seq->final, -1);
}
