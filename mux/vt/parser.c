/*
 * The state machine is Paul Williams' (https://vt100.net/emu/dec_ansi_parser).
 * Deviations, and why:
 *
 *  - Text is UTF-8.  C1 controls are recognised as U+0080..U+009F, two bytes;
 *    a raw byte 0x80..0x9f is ill-formed UTF-8 and shown as U+FFFD.
 *  - A byte of 0x80 or more inside an escape or control sequence cancels it and
 *    is read as text: no multi-byte character belongs there, so the byte most
 *    probably is text.
 *  - ':' separates sub-parameters instead of invalidating the sequence.
 *  - OSC, DCS and the other strings are collected up to a maximum and handled
 *    whole at ST (or BEL, for OSC), as in xterm; a string that ends in anything
 *    else (CAN, SUB, ESC without backslash) is dropped.
 *  - Within a string, U+009C is the only C1 control that counts.
 *  - SUB is executed and cancels; in a string it only cancels.
 *  - In a DCS that begins like tmux's passthrough, a second ESC is content.
 *  - DCS strings with misplaced parameters, and SOS, PM, APC, are skipped up to
 *    their ST.
 */
#include "mux/vt/parser.h"

#include <string.h>

#include "base/utf8.h"
#include "mux/vt/run.h"

/* Actions of transitions, as named in the rows of parser.def. */
enum parser_action {
	ACT_NONE, /* no row has this byte */
	ACT_IGNORE,
	ACT_TEXT,
	ACT_EXECUTE,
	ACT_BEGIN,
	ACT_COLLECT,
	ACT_PREFIX,
	ACT_PARAMS,
	ACT_PARAM,
	ACT_ESC,
	ACT_CSI,
	ACT_MALFORMED,
	ACT_HOOK,
	ACT_STRING,
	ACT_PUT,
	ACT_BELL_END,
	ACT_STRING_END,
	ACT_STRING_ABORT,
	ACT_CANCEL,
	ACT_RETRY,
	ACT_COUNT
};

struct parser_step {
	uint8_t action;
	uint8_t next;
};

/* Ranges as designators are an extension that gcc and clang share. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
static const struct parser_step parser_table[VT_STATE_COUNT][256] = {
/* clang-format off */
#define X(state, first, last, action, next) \
	[VT_STATE_##state][(first)...(last)] = \
	    { ACT_##action, VT_STATE_##next },
#include "mux/vt/parser.def"
#undef X
	/* clang-format on */
};
#pragma GCC diagnostic pop

void
vt_parser_init(struct vt_parser *p, const struct vt_parser_ops *ops, void *arg)
{
	memset(p, 0, sizeof *p);
	p->ops = ops;
	p->arg = arg;
	buf_init(&p->string, 0);
	buf_init(&p->pending, VT_PARSER_PENDING_MAX);
}

void
vt_parser_fini(struct vt_parser *p)
{
	buf_fini(&p->string);
	buf_fini(&p->pending);
}

/* Empties B; frees a large allocation. */
static void
parser_clear(struct buf *b)
{
	if (b->cap > VT_PARSER_STRING_KEEP)
		buf_fini(b);
	else
		buf_clear(b);
}

static void
parser_string_clear(struct vt_parser *p)
{
	parser_clear(&p->string);
	p->c2 = p->doubled = p->too_long = false;
}

void
vt_parser_reset(struct vt_parser *p)
{
	p->state = VT_STATE_GROUND;
	p->npartial = 0;
	parser_string_clear(p);
	parser_clear(&p->pending);
}

/* --- text -------------------------------------------------------------- */

/* Handles a C1 control like ESC and its 7-bit form. */
static void
parser_c1(struct vt_parser *p, uint32_t cp)
{
	uint8_t b = (uint8_t)(cp - 0x40);
	struct parser_step st = parser_table[VT_STATE_ESCAPE][b];

	memset(&p->seq, 0, sizeof p->seq);
	if (st.action == ACT_ESC) {
		/* IND NEL HTS RI SS2 SS3 SPA EPA DECID ST and the unassigned */
		p->ops->control(p->arg, cp);
		return;
	}
	vt_params_clear(&p->params);
	p->state = st.next;
	if (st.action == ACT_STRING) {
		p->kind = b;
		parser_string_clear(p);
		p->string.max =
		    p->ops->string_begin(p->arg, (enum vt_string)b, &p->seq);
	}
}

/*
 * Decodes one code point at S.  Returns its length, 0 if the input ends within
 * it.
 */
static size_t
parser_decode(struct vt_parser *p, const uint8_t *s, size_t n, uint32_t *cp)
{
	size_t k = utf8_decode(s, n, cp);

	/* A well-formed U+FFFD is three bytes beginning with 0xef. */
	if (k != UTF8_INCOMPLETE && *cp == UTF8_REPLACEMENT &&
	    !(k == 3 && s[0] == 0xef && s[1] == 0xbf && s[2] == 0xbd))
		p->ill_formed++;
	return k;
}

/*
 * Passes on a few characters of text that is not all ASCII, where no fast path
 * applies.
 *
 * Returns: bytes used.
 */
static NOINLINE size_t
parser_text(struct vt_parser *p, const uint8_t *s, size_t n)
{
	const uint8_t *at = s, *end = s + n;
	uint32_t batch[VT_PARSER_BATCH], cp = 0;
	size_t count = 0, k;

	while (
	    at < end && count < VT_PARSER_BATCH && *at >= 0x20 && *at != 0x7f) {
		k = parser_decode(p, at, (size_t)(end - at), &cp);
		if (k == UTF8_INCOMPLETE) {
			p->npartial = (uint8_t)(end - at);
			memcpy(p->partial, at, p->npartial);
			at = end;
			break;
		}
		if (cp >= 0x80 && cp < 0xa0)
			break;
		at += k;
		batch[count++] = cp;
	}
	if (count > 0)
		p->ops->text(p->arg, batch, count);
	else if (cp >= 0x80 && cp < 0xa0) {
		at += 2;
		parser_c1(p, cp);
	}
	return (size_t)(at - s);
}

/*
 * Continues the UTF-8 sequence that the last call ended in.
 *
 * Returns: bytes of S used (0 if the stored bytes turn out ill-formed).
 */
static size_t
parser_resume(struct vt_parser *p, const uint8_t *s, size_t n)
{
	uint8_t whole[UTF8_MAX];
	size_t held = p->npartial, take = MIN_OF(n, UTF8_MAX - held), k;
	uint32_t cp;

	memcpy(whole, p->partial, held);
	memcpy(whole + held, s, take);
	p->npartial = 0;
	k = parser_decode(p, whole, held + take, &cp);
	if (k == UTF8_INCOMPLETE) {
		memcpy(p->partial, whole, held + take);
		p->npartial = (uint8_t)(held + take);
		return take;
	}
	/* The stored bytes are a valid beginning, so K covers all of them. */
	bug_assert(k >= held);
	if (cp >= 0x80 && cp < 0xa0)
		parser_c1(p, cp);
	else
		p->ops->text(p->arg, &cp, 1);
	return k - held;
}

/* --- strings ------------------------------------------------------------ */

static void
parser_put(struct vt_parser *p, const uint8_t *s, size_t n)
{
	size_t room = p->string.max - p->string.len;

	if (n > room) {
		p->string_excess += n - room;
		p->too_long = true;
		n = room;
	}
	if (n > 0)
		(void)buf_add(&p->string, s, n);
}

/* Ends the current string; passes it to its handler if it is complete. */
static void
parser_string_end(struct vt_parser *p, bool bel)
{
	p->c2 = false;
	p->state = VT_STATE_GROUND;
	if (p->kind == VT_STRING_OSC || p->kind == VT_STRING_DCS ||
	    p->kind == VT_STRING_NAME) {
		if (!p->too_long) {
			uint8_t *z;
			size_t n = p->string.len;

			p->string.max = n + 1;
			(void)buf_reserve(&p->string, 1, &z);
			*z = '\0';
			p->ops->string_end(p->arg, (enum vt_string)p->kind,
			    &p->seq, &p->params, (const char *)p->string.data,
			    n, bel);
		} else
			p->aborted++;
	}
	parser_string_clear(p);
}

/*
 * Takes a run of string bytes that need no table lookup.
 *
 * Returns: bytes used; 0 if S begins with another byte.
 */
static size_t
parser_string_run(struct vt_parser *p, const uint8_t *s, size_t n)
{
	const struct parser_step *row = parser_table[p->state];
	size_t i = 0;

	if (p->c2) {
		p->c2 = false;
		if (s[0] == 0x9c) {
			parser_string_end(p, false);
			return 1;
		}
		parser_put(p, (const uint8_t *)"\xc2", 1);
	}
	while (i < n && row[s[i]].action == ACT_PUT && s[i] != 0xc2)
		i++;
	parser_put(p, s, i);
	if (i < n && s[i] == 0xc2) {
		p->c2 = true;
		i++;
	}
	return i;
}

/* --- the machine --------------------------------------------------------- */

/*
 * The action for one byte.  Returns false if the byte must be read again in the
 * new state.
 */
typedef bool (*parser_fn)(struct vt_parser *p, uint8_t b);

static bool
act_ignore(struct vt_parser *p UNUSED, uint8_t b UNUSED)
{
	return true;
}

static bool
act_execute(struct vt_parser *p, uint8_t b)
{
	p->ops->control(p->arg, b);
	return true;
}

static bool
act_begin(struct vt_parser *p, uint8_t b UNUSED)
{
	memset(&p->seq, 0, sizeof p->seq);
	return true;
}

static bool
act_collect(struct vt_parser *p, uint8_t b)
{
	if (p->seq.inter == 0)
		p->seq.inter = b;
	else if (p->seq.inter2 == 0)
		p->seq.inter2 = b;
	else
		p->seq.malformed = true;
	return true;
}

static bool
act_prefix(struct vt_parser *p, uint8_t b)
{
	p->seq.prefix = b;
	return true;
}

static bool
act_params(struct vt_parser *p, uint8_t b UNUSED)
{
	vt_params_clear(&p->params);
	return true;
}

static bool
act_param(struct vt_parser *p, uint8_t b)
{
	vt_params_byte(&p->params, b);
	return true;
}

static bool
act_malformed(struct vt_parser *p, uint8_t b UNUSED)
{
	p->malformed++;
	return true;
}

static bool
act_esc(struct vt_parser *p, uint8_t b)
{
	if (p->seq.malformed)
		return act_malformed(p, b);
	p->seq.final = b;
	p->ops->esc(p->arg, &p->seq);
	return true;
}

static bool
act_csi(struct vt_parser *p, uint8_t b)
{
	if (p->seq.malformed)
		return act_malformed(p, b);
	p->seq.final = b;
	p->ops->csi(p->arg, &p->seq, &p->params);
	return true;
}

static bool
act_string(struct vt_parser *p, uint8_t b)
{
	/* A DCS with misplaced bytes is skipped like an APC. */
	p->kind = p->state == VT_STATE_OSC || b == VT_STRING_SOS ||
			  b == VT_STRING_PM || b == VT_STRING_NAME
		      ? b
		      : VT_STRING_APC;
	parser_string_clear(p);
	p->string.max =
	    p->ops->string_begin(p->arg, (enum vt_string)p->kind, &p->seq);
	return true;
}

static bool
act_hook(struct vt_parser *p, uint8_t b)
{
	p->seq.final = b;
	p->kind = p->seq.malformed ? VT_STRING_APC : VT_STRING_DCS;
	parser_string_clear(p);
	p->doubled = b == 't' && p->seq.prefix == 0 && p->seq.inter == 0 &&
		     p->params.count == 0;
	p->string.max =
	    p->ops->string_begin(p->arg, (enum vt_string)p->kind, &p->seq);
	return true;
}

static bool
act_bell_end(struct vt_parser *p, uint8_t b UNUSED)
{
	parser_string_end(p, true);
	return true;
}

static bool
act_string_end(struct vt_parser *p, uint8_t b UNUSED)
{
	parser_string_end(p, false);
	return true;
}

static bool
act_cancel(struct vt_parser *p, uint8_t b UNUSED)
{
	p->aborted++;
	parser_string_clear(p);
	return true;
}

static bool
act_string_abort(struct vt_parser *p, uint8_t b)
{
	if (b == 0x1b && p->doubled) {
		parser_put(p, &b, 1);
		p->state = VT_STATE_DCS;
		return true;
	}
	act_cancel(p, b);
	act_begin(p, b);
	return false;
}

static bool
act_retry(struct vt_parser *p, uint8_t b UNUSED)
{
	p->malformed++;
	return false;
}

/* TEXT and PUT have no entry: vt_parser_write takes whole runs of them. */
static const parser_fn parser_actions[ACT_COUNT] = {
	[ACT_NONE] = act_ignore,
	[ACT_IGNORE] = act_ignore,
	[ACT_TEXT] = act_ignore,
	[ACT_EXECUTE] = act_execute,
	[ACT_BEGIN] = act_begin,
	[ACT_COLLECT] = act_collect,
	[ACT_PREFIX] = act_prefix,
	[ACT_PARAMS] = act_params,
	[ACT_PARAM] = act_param,
	[ACT_ESC] = act_esc,
	[ACT_CSI] = act_csi,
	[ACT_MALFORMED] = act_malformed,
	[ACT_HOOK] = act_hook,
	[ACT_STRING] = act_string,
	[ACT_PUT] = act_ignore,
	[ACT_BELL_END] = act_bell_end,
	[ACT_STRING_END] = act_string_end,
	[ACT_STRING_ABORT] = act_string_abort,
	[ACT_CANCEL] = act_cancel,
	[ACT_RETRY] = act_retry,
};

/*
 * The fast path for "ESC [ parameters final", most of the output of full-screen
 * programs.  Takes the part that is present; the table handles the rest.
 *
 * Returns: bytes used of S, which begins with ESC.
 */
static inline size_t
parser_csi_run(struct vt_parser *p, const uint8_t *s, size_t n)
{
	size_t i;

	if (n < 3 || s[1] != '[')
		return 0;
	i = 2;
	memset(&p->seq, 0, sizeof p->seq);
	vt_params_clear(&p->params);
	if (s[2] >= 0x3c && s[2] <= 0x3f)
		p->seq.prefix = s[i++];
	if (i < n && s[i] < 0x40)
		i += vt_params_run(&p->params, s + i, n - i);
	if (i < n && s[i] >= 0x40 && s[i] <= 0x7e) {
		p->state = VT_STATE_GROUND;
		p->seq.final = s[i];
		p->ops->csi(p->arg, &p->seq, &p->params);
		return i + 1;
	}
	p->state = i == 2 ? VT_STATE_CSI_ENTRY : VT_STATE_CSI_PARAM;
	return i;
}

/*
 * Handles the ground state without the table: text, and complete CSI sequences.
 *
 * Returns: bytes used of S; 0 if the table must decide.
 */
static inline size_t
parser_ground(struct vt_parser *p, const uint8_t *s, size_t n)
{
	size_t k;

	if (*s >= 0x80)
		return parser_text(p, s, n);
	if (*s == 0x1b)
		return parser_csi_run(p, s, n);
	k = vt_run_ascii(s, n);
	if (k > 0)
		p->ops->ascii(p->arg, s, k, n);
	return k;
}

/* Appends to the stored bytes of the unfinished sequence, up to the limit. */
static void
parser_keep(struct vt_parser *p, const uint8_t *s, size_t n)
{
	n = MIN_OF(n, p->pending.max - p->pending.len);
	if (n > 0)
		(void)buf_add(&p->pending, s, n);
}

const uint8_t *
vt_parser_pending(const struct vt_parser *p, size_t *n)
{
	*n = p->pending.len;
	return p->pending.data;
}

/*
 * Stores the unfinished sequence at the end of a call.  S are the last N bytes:
 * those after the last one in the ground state (SEEN), or all of the call.
 */
static void
parser_pending(struct vt_parser *p, const uint8_t *s, size_t n, bool seen)
{
	if (p->pending.len > 0 && (seen || p->state == VT_STATE_GROUND))
		parser_clear(&p->pending);
	if (p->state != VT_STATE_GROUND)
		parser_keep(p, s, n);
}

void
vt_parser_write(struct vt_parser *p, const uint8_t *s, size_t n)
{
	const uint8_t *end = s + n, *from = s;
	bool seen = false;

	if (p->npartial > 0 && n > 0) {
		s += parser_resume(p, s, n);
		/* A C1 control whose first byte came with the previous call. */
		if (p->state != VT_STATE_GROUND)
			parser_keep(p, (const uint8_t *)"\xc2", 1);
	}
	while (s < end) {
		struct parser_step st;
		size_t left, k;

		if (p->c2) {
			s += parser_string_run(p, s, (size_t)(end - s));
			continue;
		}
		if (likely(p->state == VT_STATE_GROUND)) {
			if (p->ops->quick != NULL) {
				s = p->ops->quick(p->arg, s, end);
				if (s == end)
					break;
			}
			from = s;
			seen = true;
			k = parser_ground(p, s, (size_t)(end - s));
			if (k > 0) {
				s += k;
				continue;
			}
		}
		left = (size_t)(end - s);
		st = parser_table[p->state][*s];
		if (st.action == ACT_PUT) {
			s += parser_string_run(p, s, left);
			continue;
		}
		if (st.action == ACT_BEGIN &&
		    (k = parser_csi_run(p, s, left)) > 0) {
			s += k;
			continue;
		}
		p->state = st.next;
		if (parser_actions[st.action](p, *s))
			s++;
	}
	parser_pending(p, from, (size_t)(end - from), seen);
}
