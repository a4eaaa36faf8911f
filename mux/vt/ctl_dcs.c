/*
 * Device control strings.
 */
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "mux/vt/screen.h"

/* --- DECRQSS ------------------------------------------------------------------- */

/* Writes the parameters of a setting, without its final bytes. */
typedef void (*qss_fn)(const struct vt_term *t, char *out, size_t size);

static void
qss_sgr(const struct vt_term *t, char *out, size_t size)
{
	vt_sgr_format(&t->pen, out, size);
}

static void
qss_decstbm(const struct vt_term *t, char *out, size_t size)
{
	snprintf(out, size, "%d;%d", t->top + 1, t->bottom + 1);
}

static void
qss_decslrm(const struct vt_term *t, char *out, size_t size)
{
	snprintf(out, size, "%d;%d", t->left + 1, t->right + 1);
}

static void
qss_decscl(const struct vt_term *t UNUSED, char *out, size_t size)
{
	snprintf(out, size, "64;1");
}

static void
qss_decsca(const struct vt_term *t, char *out, size_t size)
{
	snprintf(out, size, "%d",
	    t->protect == VT_PROTECT_DEC && (t->pen.attrs & PEN_PROTECTED) != 0
		? 1
		: 0);
}

/*
 * Style 0 is the user's own choice of cursor; it is reported as a blinking
 * block.
 */
static void
qss_decscusr(const struct vt_term *t, char *out, size_t size)
{
	int style = MAX_OF((int)t->cursor_style, 1);

	style = (style + 1) / 2 * 2 - (vt_mode_on(t, VT_MODE_BLINK) ? 1 : 0);
	snprintf(out, size, "%d", style);
}

static void
qss_decsace(const struct vt_term *t, char *out, size_t size)
{
	snprintf(out, size, "%d", t->sace);
}

static void
qss_rows(const struct vt_term *t, char *out, size_t size)
{
	snprintf(out, size, "%d", t->rows);
}

static void
qss_cols(const struct vt_term *t, char *out, size_t size)
{
	snprintf(out, size, "%d", t->cols);
}

static void
qss_none(const struct vt_term *t UNUSED, char *out, size_t size)
{
	snprintf(out, size, "0");
}

struct qss_row {
	const char *what;
	qss_fn fn;
};

static const struct qss_row qss_rows_table[] = {
	{ "m", qss_sgr }, { "r", qss_decstbm }, { "s", qss_decslrm },
	{ "\"p", qss_decscl }, { "\"q", qss_decsca }, { " q", qss_decscusr },
	{ "*x", qss_decsace }, { "t", qss_rows }, /* DECSLPP */
	{ "*|", qss_rows },                       /* DECSNLS */
	{ "$|", qss_cols },                       /* DECSCPP */
	{ "$}", qss_none }, { "$~", qss_none },   /* DECSASD, DECSSDT */
};

void
vt_dcs_decrqss(struct vt_term *t, const struct vt_params *p UNUSED,
    const char *s, size_t n)
{
	char value[PEN_SGR_MAX];
	size_t i;

	for (i = 0; i < ARRAY_LEN(qss_rows_table); i++) {
		const struct qss_row *q = &qss_rows_table[i];

		if (strlen(q->what) != n || memcmp(q->what, s, n) != 0)
			continue;
		q->fn(t, value, sizeof value);
		vt_reply(t, "\033P1$r%s%s\033\\", value, q->what);
		return;
	}
	vt_reply(t, "\033P0$r\033\\");
}

/* --- XTGETTCAP ------------------------------------------------------------------ */

struct cap_row {
	const char *name;
	const char *value; /* NULL: the terminal's name */
};

/*
 * Capabilities that programs query instead of reading terminfo; by terminfo or
 * termcap name.
 */
static const struct cap_row cap_rows[] = {
	{ "TN", NULL },
	{ "name", NULL },
	{ "Co", "256" },
	{ "colors", "256" },
	{ "RGB", "8/8/8" },
	{ "Tc", "" },
	{ "Su", "" },
	{ "Smulx", "\033[4:%p1%dm" },
	{ "Setulc", "\033[58:2::%p1%{65536}%/%d:%p1%{256}%/%{255}%&%d:"
		    "%p1%{255}%&%dm" },
	{ "ol", "\033[59m" },
	{ "Smol", "\033[53m" },
	{ "Rmol", "\033[55m" },
	{ "smxx", "\033[9m" },
	{ "rmxx", "\033[29m" },
	{ "Ss", "\033[%p1%d q" },
	{ "Se", "\033[2 q" },
	{ "Ms", "\033]52;%p1%s;%p2%s\033\\" },
	{ "Sync", "\033[?2026%?%p1%{1}%-%tl%eh%;" },
	{ "XT", "" },
	{ "fullkbd", "" },
	{ "bce", "" },
	{ "setrgbf", "\033[38:2:%p1%d:%p2%d:%p3%dm" },
	{ "setrgbb", "\033[48:2:%p1%d:%p2%d:%p3%dm" },
	{ "indn", "\033[%p1%dS" },
	{ "rin", "\033[%p1%dT" },
	{ "query-os-name", "" },
	{ "kbs", "\177" },
	{ "kcuu1", "\033OA" },
	{ "kcud1", "\033OB" },
	{ "kcuf1", "\033OC" },
	{ "kcub1", "\033OD" },
	{ "khome", "\033OH" },
	{ "kend", "\033OF" },
	{ "kich1", "\033[2~" },
	{ "kdch1", "\033[3~" },
	{ "kpp", "\033[5~" },
	{ "knp", "\033[6~" },
	{ "kf1", "\033OP" },
	{ "kf2", "\033OQ" },
	{ "kf3", "\033OR" },
	{ "kf4", "\033OS" },
	{ "kf5", "\033[15~" },
	{ "kf6", "\033[17~" },
	{ "kf7", "\033[18~" },
	{ "kf8", "\033[19~" },
	{ "kf9", "\033[20~" },
	{ "kf10", "\033[21~" },
	{ "kf11", "\033[23~" },
	{ "kf12", "\033[24~" },
	{ "kcbt", "\033[Z" },
	{ "kmous", "\033[<" },
};

#define CAP_NAME_MAX 32

static void
cap_hex(struct buf *b, const char *s)
{
	for (; *s != '\0'; s++)
		(void)buf_addf(b, "%02X", (unsigned char)*s);
}

/* Decodes a name; false if it is not hexadecimal. */
static bool
cap_name(const char *s, size_t n, char out[CAP_NAME_MAX])
{
	size_t i;
	int hi, lo;

	if (n == 0 || n % 2 != 0 || n / 2 >= CAP_NAME_MAX)
		return false;
	for (i = 0; i < n; i += 2) {
		hi = str_hex_digit(s[i]);
		lo = str_hex_digit(s[i + 1]);
		if (hi < 0 || lo < 0 || hi * 16 + lo == 0)
			return false;
		out[i / 2] = (char)(hi * 16 + lo);
	}
	out[n / 2] = '\0';
	return true;
}

/*
 * Sends one reply for each name, so that an unknown name does not invalidate
 * the others.
 */
static void
cap_answer(struct vt_term *t, const char *s, size_t n)
{
	char name[CAP_NAME_MAX];
	const char *value;
	struct buf b;
	size_t i;

	buf_init(&b, 1024);
	if (!cap_name(s, n, name))
		name[0] = '\0';
	for (i = 0; i < ARRAY_LEN(cap_rows); i++) {
		if (strcmp(cap_rows[i].name, name) == 0)
			break;
	}
	(void)buf_addf(&b, "\033P%d+r", i < ARRAY_LEN(cap_rows));
	cap_hex(&b, name);
	if (i < ARRAY_LEN(cap_rows)) {
		value = cap_rows[i].value == NULL ? t->term_name
						  : cap_rows[i].value;
		if (*value != '\0') {
			(void)buf_add_u8(&b, '=');
			cap_hex(&b, value);
		}
	}
	(void)buf_add_str(&b, "\033\\");
	vt_reply_bytes(t, b.data, b.len);
	buf_fini(&b);
}

void
vt_dcs_xtgettcap(struct vt_term *t, const struct vt_params *p UNUSED,
    const char *s, size_t n)
{
	const char *semi;

	while (n > 0) {
		semi = memchr(s, ';', n);
		if (semi == NULL) {
			cap_answer(t, s, n);
			return;
		}
		cap_answer(t, s, (size_t)(semi - s));
		n -= (size_t)(semi - s) + 1;
		s = semi + 1;
	}
}

/* --- the others ------------------------------------------------------------------ */

/* tmux's passthrough: "tmux;" (its t is the final byte), then the bytes. */
void
vt_dcs_tmux(struct vt_term *t, const struct vt_params *p UNUSED, const char *s,
    size_t n)
{
	if (n < 4 || memcmp(s, "mux;", 4) != 0) {
		vt_unknown(t, "DCS", 0, 0, 0, 't', -1);
		return;
	}
	vt_effects_add(
	    &t->effects, VT_EFFECT_PASSTHROUGH, 0, 0, s + 4, n - 4, NULL);
}

void
vt_dcs_sixel(struct vt_term *t UNUSED, const struct vt_params *p UNUSED,
    const char *s UNUSED, size_t n UNUSED)
{
}

/* The parser state of a cursor report. */
struct rsps {
	const char *s;
	const char *end;
	bool bad;
};

/* Reads the next field, "NUM;"; returns at most VT_COLS_MAX. */
static int
rsps_number(struct rsps *r)
{
	int v = 0;

	if (r->s == r->end || *r->s < '0' || *r->s > '9')
		r->bad = true;
	for (; r->s < r->end && *r->s >= '0' && *r->s <= '9'; r->s++)
		v = MIN_OF(v * 10 + (*r->s - '0'), VT_COLS_MAX);
	if (r->s < r->end && *r->s == ';')
		r->s++;
	else
		r->bad = true;
	return v;
}

/* Reads the next field, "C;": C minus '@' is a set of bits. */
static unsigned
rsps_bits(struct rsps *r)
{
	unsigned v = 0;

	if (r->end - r->s < 2 || r->s[0] < 0x40 || r->s[0] > 0x7e ||
	    r->s[1] != ';')
		r->bad = true;
	else
		v = (unsigned)r->s[0] & 0x3f;
	if (!r->bad)
		r->s += 2;
	return v;
}

/* Restores rendition and protection from DECCIR. */
static void
rsps_pen(struct vt_term *t, unsigned sgr, unsigned att)
{
	uint32_t attrs = t->pen.attrs;

	attrs &= ~(uint32_t)(PEN_BOLD | PEN_UL_MASK | PEN_BLINK | PEN_REVERSE |
			     PEN_PROTECTED);
	attrs |= (sgr & 1) != 0 ? (uint32_t)PEN_BOLD : 0;
	attrs |= (sgr & 2) != 0 ? (uint32_t)PEN_UL_SINGLE << PEN_UL_SHIFT : 0;
	attrs |= (sgr & 4) != 0 ? (uint32_t)PEN_BLINK : 0;
	attrs |= (sgr & 8) != 0 ? (uint32_t)PEN_REVERSE : 0;
	attrs |= (att & 1) != 0 ? (uint32_t)PEN_PROTECTED : 0;
	if ((att & 1) != 0)
		t->protect = VT_PROTECT_DEC;
	t->pen.attrs = attrs;
	vt_pen_changed(t);
}

/*
 * DECRSPS 1 - restores the cursor from a DECCIR report, completely or not at
 * all; colours stay.  Columns and rows are absolute, also in origin mode, as in
 * the report.
 */
static void
rsps_cursor(struct vt_term *t, const char *s, size_t n)
{
	struct rsps r = { s, s + n, false };
	int y = rsps_number(&r), x = rsps_number(&r), i, gl, gr, set;
	unsigned sgr, att, flags;
	struct vt_charsets c;

	(void)rsps_number(&r); /* the page */
	sgr = rsps_bits(&r);
	att = rsps_bits(&r);
	flags = rsps_bits(&r);
	gl = rsps_number(&r);
	gr = rsps_number(&r);
	(void)rsps_bits(&r); /* sizes of the sets: all have 94 */
	if (r.bad || r.end - r.s != 4 || x < 1 || y < 1 || gl > 3 || gr > 3)
		return;
	vt_charsets_init(&c);
	for (i = 0; i < 4; i++) {
		if ((set = vt_charset_of_final((uint8_t)r.s[i])) < 0)
			return;
		c.g[i] = (uint8_t)set;
	}
	c.gl = (uint8_t)gl;
	c.gr = (uint8_t)gr;
	c.single = (flags & 2) != 0 ? 2 : (flags & 4) != 0 ? 3 : 0;
	t->charsets = c;
	rsps_pen(t, sgr, att);
	vt_mode_put(t, VT_MODE_DECOM, (flags & 1) != 0);
	vt_move(t, x - 1, y - 1);
	t->wrap = (flags & 8) != 0 && t->x == vt_right_edge(t);
}

/* DECRSPS 2 - restores tab stops from a DECTABSR report: 9/17/25. */
void
vt_dcs_decrsps(
    struct vt_term *t, const struct vt_params *p, const char *s, size_t n)
{
	size_t i;
	unsigned col = 0;

	if (vt_param(p, 0, 0) == 1)
		rsps_cursor(t, s, n);
	if (vt_param(p, 0, 0) != 2)
		return;
	vt_tabs_clear_all(&t->tabs);
	for (i = 0; i <= n; i++) {
		if (i < n && s[i] >= '0' && s[i] <= '9') {
			col = MIN_OF(col * 10 + (unsigned)(s[i] - '0'),
			    (unsigned)VT_COLS_MAX + 1);
			continue;
		}
		if (col > 0)
			vt_tabs_set(&t->tabs, col - 1, true);
		col = 0;
	}
}
