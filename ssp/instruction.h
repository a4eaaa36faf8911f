/*
 * ssp/instruction.h - turns one numbered state into another.
 *
 * Purpose:   codes instructions and chooses the smallest form: the plain diff,
 *            the packed diff, or the new serialisation packed with the old one
 *            as prefix.
 * Ownership: a decoded struct ssp_ins points into the bytes it was parsed from.
 * Units:     bytes; state numbers.
 * Errors:    -ERR_PEER for bytes that do not parse or apply; -ERR_STATE if the
 *            result has another hash than the instruction names (the two ends
 *            differ).
 * Source:    mosh's Instruction (old_num, new_num, throwaway_num, diff).
 * Tests:     regress/unit/check_ssp_instruction.c,
 *            regress/fuzz/fuzz_ssp_instruction.c
 */
#ifndef SSP_INSTRUCTION_H
#define SSP_INSTRUCTION_H

#include "base/compiler.h"
#include "ssp/compress.h"
#include "ssp/object.h"
#include "ssp/past.h"

#define SSP_INS_MAX (1u << 20)      /* bytes of one instruction, coded */
#define SSP_INS_DIFF_MAX (4u << 20) /* bytes of one diff before coding */
#define SSP_INS_HEAD_MAX 40         /* bytes of an instruction's header */

enum ssp_ins_kind {
	SSP_INS_DIFF,  /* the object's diff */
	SSP_INS_ZDIFF, /* the same, packed; prefix: old serialisation */
	SSP_INS_ZNEW,  /* the new serialisation, packed; prefix: the old one */
	SSP_INS_FULL,  /* the new serialisation; needs no old state */
	SSP_INS_ZFULL, /* the same packed */
	/* the diff, packed; prefix: old serialisation, then the trail (past.h) */
	SSP_INS_ZTRAIL,
	/* the new serialisation, packed; prefix: the whole past, the old one */
	SSP_INS_ZPAGES,
	SSP_INS_KINDS
};

#define SSP_INS_WHOLE 0x08  /* flag: a complete zstd frame */
#define SSP_INS_HASH 0x10   /* flag: a hash follows */
#define SSP_INS_PAST 0x40   /* flag: the prefix begins with the short past */
#define SSP_INS_LAZY 0x20   /* flag: SSP_HASTE_LAZY */
#define SSP_INS_ANSWER 0x80 /* flag: SSP_HASTE_ANSWER */
#define SSP_INS_HASTE (SSP_INS_LAZY | SSP_INS_ANSWER)

struct ssp_ins {
	enum ssp_ins_kind kind;
	bool whole;
	bool has_hash;
	bool past; /* packed with the old state's short past */
	uint64_t new_num;
	uint64_t old_num;   /* new_num in FULL and ZFULL */
	uint64_t throwaway; /* the receiver may drop lower states */
	size_t raw_len;     /* length of the unpacked body */
	uint32_t hash;      /* of the unpacked body, or of the new state */
	const uint8_t *body;
	size_t len;
};

/* security: DATA comes from the peer. */
int ssp_ins_get(
    struct ssp_ins *ins, const uint8_t *data, size_t len) WARN_UNUSED;

/* Returns whether an object can be coded by its serialisation. */
bool ssp_ins_has_save(const struct ssp_object_ops *ops);

/* Settings for coding one object. */
struct ssp_coder {
	const struct ssp_object_ops *ops;
	struct ssp_zip *zip; /* NULL: packs nothing */
	bool verify;         /* plain diffs carry a hash too */
	bool trail;          /* the peer reads SSP_INS_ZTRAIL */
	bool pages;          /* the peer reads SSP_INS_ZPAGES */
};

/* A value to code, with its serialisation once computed. */
struct ssp_coded {
	const void *obj;
	struct buf *ser;             /* empty until computed */
	const struct ssp_past *past; /* of an old value; NULL: not used */
	struct buf *diff; /* of a new value: gets the diff, if not too long */
};

enum ssp_code_how {
	SSP_CODE_BEST,
	SSP_CODE_PLAIN, /* the plain diff only */
	SSP_CODE_FULL,  /* a form without old state, if the object has one */
};

/*
 * Makes the smallest instruction from OLD to NEW and appends it to OUT.
 * In:      ins  numbers and throwaway are read, the rest is set
 *               (equal values give an instruction without body)
 * Out:     *raw  bytes before coding
 * Returns: 0 or -ERR_LIMIT.
 */
int ssp_ins_encode(const struct ssp_coder *c, enum ssp_code_how how,
    struct ssp_coded *old, struct ssp_coded *new, struct ssp_ins *ins,
    struct buf *out, size_t *raw) WARN_UNUSED;

/*
 * Computes the past P of the state that an instruction of LEN bytes at DATA,
 * with the unpacked diff DIFF, makes from OLD; computes the serialisation of OLD
 * if needed.
 */
void ssp_ins_past(const struct ssp_coder *c, const uint8_t *data, size_t len,
    const struct buf *diff, struct ssp_coded *old, struct ssp_past *p);

/*
 * Applies INS to BASE (any value for FULL and ZFULL) with past PAST and makes a
 * new value.  DIFF (or NULL) gets the unpacked diff, if not too long, for
 * ssp_ins_past.
 * security: the bytes come from the peer.
 */
int ssp_ins_apply(const struct ssp_coder *c, const struct ssp_ins *ins,
    const void *base, const struct ssp_past *past, struct buf *diff,
    void **result) WARN_UNUSED;

#endif
