/*
 * mux/vt/parser.h - splits a terminal's output into text and sequences.
 *
 * Purpose:   DEC's state machine with UTF-8: runs of text, controls, escape and
 *            control sequences, device control and operating system strings.
 * Ownership: the caller embeds struct vt_parser; vt_parser_fini frees the
 *            current string.  Arguments of callbacks are borrowed for the call.
 * Units:     bytes; the string_begin callback bounds each string.
 * Errors:    none; ill-formed input is replaced, dropped and counted.
 * Source:    Paul Williams' parser for DEC compatible terminals (vt100.net);
 *            deviations are listed at the top of parser.c.
 * Tests:     regress/unit/check_vt_parser.c, regress/vt/, fuzz_vt
 *
 * The same bytes have the same effect however they are split into calls; only
 * runs of text arrive in other pieces.  Callbacks must not call the parser.
 */
#ifndef MUX_VT_PARSER_H
#define MUX_VT_PARSER_H

#include "base/buf.h"
#include "mux/vt/params.h"

#define VT_PARSER_BATCH 8 /* code points in one text callback, at most */
#define VT_PARSER_STRING_KEEP 4096  /* bytes of string memory kept while idle */
#define VT_PARSER_PENDING_MAX 65536 /* bytes stored of an unfinished sequence */

/* clang-format off */
enum vt_parser_state {
#define X(name) VT_STATE_##name,
#define VT_PARSER_STATES(X)                                           \
 X(GROUND)                                                            \
 X(ESCAPE)                                                            \
 X(ESCAPE_INTER) X(CSI_ENTRY) X(CSI_PARAM) X(CSI_INTER) X(CSI_IGNORE) \
     X(DCS_ENTRY) X(DCS_PARAM) X(DCS_INTER) X(DCS) X(OSC) X(SKIP)     \
	 X(STRING_ESC)
	VT_PARSER_STATES(X)
#undef X
	VT_STATE_COUNT
};
/* clang-format on */

/* The private prefix, intermediates and final byte of a sequence. */
struct vt_seq {
	uint8_t prefix; /* one of < = > ?, or 0 */
	uint8_t inter;  /* the first intermediate, or 0 */
	uint8_t inter2; /* the second one, or 0 */
	bool malformed; /* more intermediates than that, or misplaced */
	uint8_t final;
};

/* The kind of a string. */
enum vt_string {
	VT_STRING_OSC = ']',
	VT_STRING_DCS = 'P',
	VT_STRING_SOS = 'X',
	VT_STRING_PM = '^',
	VT_STRING_APC = '_',
	VT_STRING_NAME = 'k', /* screen's window name */
};

struct vt_parser;

struct vt_parser_ops {
	/* A run of N bytes 0x20..0x7e; P[0..ROOM) is readable, ROOM >= N. */
	void (*ascii)(void *arg, const uint8_t *p, size_t n, size_t room);
	/* Up to VT_PARSER_BATCH code points, none of them a control. */
	void (*text)(void *arg, const uint32_t *cp, size_t n);
	/* C0 controls, and C1 controls that do not introduce a sequence. */
	void (*control)(void *arg, uint32_t c);
	void (*esc)(void *arg, const struct vt_seq *seq);
	void (*csi)(void *arg, const struct vt_seq *seq,
	    const struct vt_params *params);
	/*
	 * A string begins; SEQ is set for VT_STRING_DCS.  Returns the number of
	 * bytes to keep; the parser counts the others.
	 */
	size_t (*string_begin)(
	    void *arg, enum vt_string kind, const struct vt_seq *seq);
	/*
	 * A complete OSC (BEL: ended by BEL) or DCS; a NUL follows the N bytes.
	 */
	void (*string_end)(void *arg, enum vt_string kind,
	    const struct vt_seq *seq, const struct vt_params *params,
	    const char *s, size_t n, bool bel);
	/*
	 * A fast path, or NULL: consumes bytes of S up to END in the ground
	 * state, with the effects of the other callbacks.  Returns where it
	 * stopped, which may be S.
	 */
	const uint8_t *(*quick)(
	    void *arg, const uint8_t *s, const uint8_t *end);
};

struct vt_parser {
	const struct vt_parser_ops *ops;
	void *arg;
	uint8_t state;    /* enum vt_parser_state */
	uint8_t npartial; /* bytes of an unfinished UTF-8 sequence */
	uint8_t partial[4];
	bool c2; /* in a string: 0xc2 is pending, since 0x9c would end it */
	bool doubled;  /* in a string: ESC ESC is one ESC of content */
	bool too_long; /* in a string: bytes were dropped */
	uint8_t kind;  /* enum vt_string while in a string */
	struct vt_seq seq;
	struct vt_params params;
	struct buf string;
	struct buf pending; /* see vt_parser_pending */
	/* Counters for diagnosis. */
	uint64_t malformed;     /* sequences with bytes out of place */
	uint64_t aborted;       /* strings dropped before their end */
	uint64_t string_excess; /* bytes over a string's maximum */
	uint64_t ill_formed;    /* U+FFFD put for ill-formed UTF-8 */
};

void vt_parser_init(
    struct vt_parser *p, const struct vt_parser_ops *ops, void *arg);
void vt_parser_fini(struct vt_parser *p);

/* Returns to the ground state and drops an unfinished sequence. */
void vt_parser_reset(struct vt_parser *p);

void vt_parser_write(struct vt_parser *p, const uint8_t *s, size_t n);

/*
 * Returns the bytes of an unfinished sequence, at most the first
 * VT_PARSER_PENDING_MAX.  Borrowed until the next call.
 */
const uint8_t *vt_parser_pending(const struct vt_parser *p, size_t *n);

#endif
