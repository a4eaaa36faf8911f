/*
 * mux/vt/pack.h - packs one line into few bytes, and back, without loss.
 *
 * Purpose:   the format of packed history: UTF-8 text, then its exceptions.
 * Ownership: bytes are written to the caller's memory; unpacking returns a new
 *            line.
 * Units:     bytes.
 * Errors:    NULL for bytes that are not a packed line.
 * Tests:     regress/unit/check_vt_history.c
 *
 *	kind      u8: PACK_PLAIN | PACK_RUNS | PACK_FLAGS
 *	flags     varint, if PACK_FLAGS
 *	cells     varint: number of cells
 *	textlen   varint, unless PACK_PLAIN (then one byte is one cell)
 *	text      UTF-8, 0 for an erased cell
 *	specials  unless PACK_PLAIN: varint count, then for each: varint cells
 *	          since the previous one, varint code << 2 | enum pack_special
 *	runs      if PACK_RUNS: varint count, that many lengths as varints,
 *	          that many references as varints: 0 default, 1 new, else 2 +
 *	          index; a mask byte for each new style; the data of each.
 *	          The cells of a block are its columns in turn
 *	text      if there are blocks: as read, for searching
 */
#ifndef MUX_VT_PACK_H
#define MUX_VT_PACK_H

#include "mux/vt/line.h"

/* A byte array that grows at its end. */
struct vt_bytes {
	uint8_t *p;
	size_t len;
	size_t cap;
};

void vt_bytes_room(struct vt_bytes *b, size_t n);

/*
 * Appends the packed form of LINE after its length, so that lines can follow
 * each other.  Its blocks must be tidy (vt_block_tidy).
 * Returns: whether all its text is ASCII, without blocks.
 */
bool vt_pack_framed(struct vt_bytes *out, const struct vt_line *line);

/* Returns the line packed by vt_pack_framed at P (N bytes), or NULL. */
struct vt_line *vt_unpack_framed(
    struct vt_pool *pool, const uint8_t *p, size_t n);

/*
 * Returns how many rows of COLS columns the framed line at P needs, as
 * vt_wrap_rows counts them, without unpacking it.
 *
 * In: width  of the line's extent (wrap.h)
 */
size_t vt_pack_framed_rows(
    const uint8_t *p, size_t n, unsigned width, unsigned cols);

/*
 * Finds the text of the framed line at P without unpacking it: UTF-8, 0 for
 * each erased cell and each padding.  Returns false for other bytes, and for a
 * line with blocks.
 */
bool vt_pack_framed_text(
    const uint8_t *p, size_t n, const uint8_t **text, size_t *len);

/* Returns the flags of the framed line at P; 0 for other bytes. */
unsigned vt_pack_framed_flags(const uint8_t *p, size_t n);

/* Returns the bytes of the framed line at P, its length included; at most N. */
size_t vt_pack_framed_size(const uint8_t *p, size_t n);

#endif
