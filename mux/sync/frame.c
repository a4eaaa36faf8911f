#include "mux/sync/frame.h"

#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/pack.h"
#include "mux/sync/cells.h"
#include "mux/sync/move.h"
#include "mux/vt/block.h"

/*
 * A difference: varint header, the fields of its bits in this order, then row
 * operations to the end of the bytes.
 */
enum frame_header {
	FRAME_SIZE = 1,   /* varint cols, rows; the old rows count as blank */
	FRAME_CURSOR = 2, /* varint x, y */
	FRAME_STATE = 4,  /* msgpack map of the changed fields */
};

/* Row operations; with bit 3 set, the row's flags follow as a varint. */
enum frame_op {
	FRAME_COPY = 0, /* varint to, from, count: rows of the old frame */
	FRAME_EDIT = 1, /* varint y, column, then cells */
	FRAME_ROW = 2,  /* varint y, then cells of a row that was blank */
	FRAME_KEEP = 3, /* varint y: only the flags change */
	/* varint to, from, count, column, columns: parts of rows of the old frame */
	FRAME_MOVE = 4,
	FRAME_FLAGS = 8,
};

/* Numbers of the state's fields; a number is never reused. */
enum frame_field {
	FIELD_MODES = 1,
	FIELD_SHAPE = 2,
	FIELD_MOUSE = 3,
	FIELD_MOUSE_ENC = 4,
	FIELD_KITTY = 5,
	FIELD_OTHER = 6,
	FIELD_PROMPT = 7,
	FIELD_PROGRESS = 8,
	FIELD_PERCENT = 9,
	FIELD_STATUS = 10,
	FIELD_BELLS = 11,
	FIELD_PALETTE = 12,
	FIELD_TITLE = 13,
	FIELD_ICON = 14,
	FIELD_CWD = 15,
	FIELD_POINTER = 16,
};

/* The numeric fields: offset, size and limits. */
static const struct frame_number {
	enum frame_field field;
	size_t offset;
	size_t size;
	uint32_t max;
} frame_numbers[] = {
#define NUMBER(field, member, max)                      \
 {                                                      \
  field, offsetof(struct vt_frame_state, member),       \
      sizeof(((struct vt_frame_state *)0)->member), max \
 }
	NUMBER(FIELD_MODES, modes, UINT32_MAX),
	NUMBER(FIELD_SHAPE, cursor_shape, VT_CURSOR_BAR),
	NUMBER(FIELD_MOUSE, mouse_mode, VT_MOUSE_ANY),
	NUMBER(FIELD_MOUSE_ENC, mouse_encoding, VT_MOUSE_SGR_PIXELS),
	NUMBER(FIELD_KITTY, kitty_flags, 31),
	NUMBER(FIELD_OTHER, modify_other, 2),
	NUMBER(FIELD_PROMPT, prompt, VT_PROMPT_DONE),
	NUMBER(FIELD_PROGRESS, progress, VT_PROGRESS_PAUSED),
	NUMBER(FIELD_PERCENT, progress_percent, 100),
	NUMBER(FIELD_STATUS, exit_status, UINT8_MAX),
	NUMBER(FIELD_BELLS, bells, UINT32_MAX),
	NUMBER(FIELD_POINTER, pointer, UINT8_MAX),
};

static const struct frame_string {
	enum frame_field field;
	size_t offset;
} frame_strings[] = {
	{ FIELD_TITLE, offsetof(struct vt_frame_state, title) },
	{ FIELD_ICON, offsetof(struct vt_frame_state, icon) },
	{ FIELD_CWD, offsetof(struct vt_frame_state, cwd) },
};

static uint32_t
number_get(const struct vt_frame_state *st, const struct frame_number *n)
{
	const uint8_t *p = (const uint8_t *)st + n->offset;
	uint32_t v;

	if (n->size == 1)
		return *p;
	memcpy(&v, p, sizeof(v));
	return v;
}

static void
number_set(struct vt_frame_state *st, const struct frame_number *n, uint32_t v)
{
	uint8_t *p = (uint8_t *)st + n->offset;

	if (n->size == 1)
		*p = (uint8_t)v;
	else
		memcpy(p, &v, sizeof(v));
}

static struct vt_str *const *
string_at(const struct vt_frame_state *st, const struct frame_string *s)
{
	return (struct vt_str *const *)(const void *)((const uint8_t *)st +
						      s->offset);
}

/* --- palette: [index, rgb, ...] of the set entries ----------------------- */

static void
palette_put(struct buf *b, const struct vt_palette *p)
{
	uint32_t i, n = 0;

	for (i = 0; i < VT_PALETTE_SIZE; i++)
		n += vt_palette_get(p, i) != VT_PALETTE_UNSET;
	pack_put_array(b, n * 2);
	for (i = 0; i < VT_PALETTE_SIZE; i++) {
		if (vt_palette_get(p, i) == VT_PALETTE_UNSET)
			continue;
		pack_put_uint(b, i);
		pack_put_uint(b, vt_palette_get(p, i));
	}
}

static void
palette_get_from(struct rd *r, struct vt_frame_state *st)
{
	uint32_t i, n, index, value;

	vt_palette_unref(st->palette);
	st->palette = NULL;
	n = pack_get_array(r, VT_PALETTE_SIZE * 2);
	for (i = 0; i + 1 < n && r->err == 0; i += 2) {
		index = (uint32_t)pack_get_uint(r, VT_PALETTE_SIZE - 1);
		value = (uint32_t)pack_get_uint(r, VT_PALETTE_INDEX | 0xff);
		vt_palette_own(&st->palette)->rgb[index] = value;
	}
	if (n % 2 != 0)
		rd_fail(r, -ERR_PEER);
}

/* --- state ---------------------------------------------------------------- */

/*
 * Appends the map of fields in which NEW differs from OLD; returns their
 * number.
 */
static uint32_t
state_put(struct buf *b, const struct vt_frame_state *old,
    const struct vt_frame_state *new, bool count_only)
{
	uint32_t n = 0;
	size_t i;

	for (i = 0; i < ARRAY_LEN(frame_numbers); i++) {
		if (number_get(old, &frame_numbers[i]) ==
		    number_get(new, &frame_numbers[i]))
			continue;
		n++;
		if (count_only)
			continue;
		pack_put_uint(b, (uint64_t)frame_numbers[i].field);
		pack_put_uint(b, number_get(new, &frame_numbers[i]));
	}
	if (!vt_palette_equal(old->palette, new->palette)) {
		n++;
		if (!count_only) {
			pack_put_uint(b, FIELD_PALETTE);
			palette_put(b, new->palette);
		}
	}
	for (i = 0; i < ARRAY_LEN(frame_strings); i++) {
		const struct vt_str *a = *string_at(old, &frame_strings[i]);
		const struct vt_str *c = *string_at(new, &frame_strings[i]);

		if (vt_str_equal(a, c))
			continue;
		n++;
		if (count_only)
			continue;
		pack_put_uint(b, (uint64_t)frame_strings[i].field);
		pack_put_str(b, vt_str_text(c),
		    c == NULL ? 0 : MIN_OF(c->len, (uint32_t)SYNC_STRING_MAX));
	}
	return n;
}

static int
state_get_field(struct rd *r, struct vt_frame_state *st, uint64_t field)
{
	struct vt_str **slot;
	const char *s;
	size_t i, len;

	if (field == FIELD_PALETTE) {
		palette_get_from(r, st);
		return r->err;
	}
	for (i = 0; i < ARRAY_LEN(frame_numbers); i++) {
		if ((uint64_t)frame_numbers[i].field != field)
			continue;
		number_set(st, &frame_numbers[i],
		    (uint32_t)pack_get_uint(r, frame_numbers[i].max));
		return r->err;
	}
	for (i = 0; i < ARRAY_LEN(frame_strings); i++) {
		if ((uint64_t)frame_strings[i].field != field)
			continue;
		s = pack_get_str(r, SYNC_STRING_MAX, &len);
		peer_check(r->err == 0);
		slot = (struct vt_str **)(void *)((uint8_t *)st +
						  frame_strings[i].offset);
		vt_str_unref(*slot);
		*slot = vt_str_new(s, len);
		return 0;
	}
	pack_skip(r);
	return r->err;
}

static int
state_get(struct rd *r, struct vt_frame_state *st)
{
	uint32_t i, n;
	uint64_t field;
	int err = 0;

	n = pack_get_map(r, 256);
	for (i = 0; i < n && err == 0; i++) {
		field = pack_get_uint(r, UINT32_MAX);
		err = r->err != 0 ? r->err : state_get_field(r, st, field);
	}
	return err != 0 ? err : r->err;
}

/* --- rows ----------------------------------------------------------------- */

static void
row_put(struct buf *b, unsigned y, const struct vt_line *line)
{
	unsigned flags = line->flags;

	(void)buf_add_u8(
	    b, (uint8_t)(FRAME_ROW | (flags != 0 ? FRAME_FLAGS : 0)));
	sync_put_varint(b, y);
	if (flags != 0)
		sync_put_varint(b, flags);
	sync_cells_put(b, line, 0, vt_line_used(line), true);
}

static bool
row_blank(const struct vt_line *line)
{
	return line->flags == 0 && vt_line_used(line) == 0;
}

/* Moves COL left to the first column of its cell in both lines. */
static unsigned
edge_left(const struct vt_line *a, const struct vt_line *b, unsigned col)
{
	while (col > 0 && (vt_cell_continues(vt_line_cell(a, col)) ||
			      vt_cell_continues(vt_line_cell(b, col))))
		col--;
	return col;
}

static unsigned
edge_right(const struct vt_line *a, const struct vt_line *b, unsigned col,
    unsigned cols)
{
	while (col < cols && (vt_cell_continues(vt_line_cell(a, col)) ||
				 vt_cell_continues(vt_line_cell(b, col))))
		col++;
	return col;
}

/* Equal columns inside one edit that are cheaper than a new edit. */
#define FRAME_GAP 5
/* Bytes of an edit and of a whole row besides the text. */
#define FRAME_EDIT_HEAD 4
#define FRAME_ROW_HEAD 3

/* The columns at which two lines differ, as a bit each. */
struct row_diff {
	unsigned cols;
	uint64_t bits[VT_LINE_WORDS(VT_COLS_MAX)];
};

/*
 * Finds the next run of differing columns from *TO on; returns false if there
 * is none.
 */
static bool
row_next_edit(const struct row_diff *d, const struct vt_line *a,
    const struct vt_line *b, unsigned *from, unsigned *to)
{
	unsigned col = vt_line_next(d->bits, *to, d->cols, true), end;

	if (col >= d->cols)
		return false;
	*from = edge_left(a, b, col);
	do {
		*to = vt_line_next(d->bits, col, d->cols, false);
		end = MIN_OF(*to + FRAME_GAP, d->cols);
		col = vt_line_next(d->bits, *to, end, true);
	} while (col < end);
	*to = edge_right(a, b, *to, d->cols);
	return true;
}

/*
 * Whether the edits of a line of the default style alone are longer than the
 * whole line, by their columns.
 */
static bool
row_is_shorter(const struct row_diff *d, const struct vt_line *a,
    const struct vt_line *b, unsigned used)
{
	unsigned from, to = 0, sum = 0, edits = 0;

	while (row_next_edit(d, a, b, &from, &to)) {
		sum +=
		    FRAME_EDIT_HEAD + (MIN_OF(to, MAX_OF(used, from)) - from);
		if (++edits > 1 && sum > used + FRAME_ROW_HEAD)
			return true;
	}
	return false;
}

/* Appends edits that turn row A into row B; returns their number. */
static unsigned
row_edits_put(struct buf *b, unsigned y, const struct row_diff *d,
    const struct vt_line *a, const struct vt_line *line)
{
	const unsigned used = vt_line_used(line);
	unsigned from, to = 0, edits = 0;
	unsigned op = a->flags != line->flags ? FRAME_FLAGS : 0;

	while (row_next_edit(d, a, line, &from, &to)) {
		(void)buf_add_u8(b, (uint8_t)(FRAME_EDIT | op));
		sync_put_varint(b, y);
		if (op != 0)
			sync_put_varint(b, line->flags);
		sync_put_varint(b, from);
		if (to >= d->cols)
			sync_cells_put(b, line, from, MAX_OF(used, from), true);
		else
			sync_cells_put(b, line, from, to, false);
		op = 0;
		edits++;
	}
	if (op != 0) {
		(void)buf_add_u8(b, FRAME_KEEP | FRAME_FLAGS);
		sync_put_varint(b, y);
		sync_put_varint(b, line->flags);
	}
	return edits;
}

/* Appends what turns row A into LINE: edits, or the whole row if shorter. */
static void
row_edit(struct buf *b, unsigned y, const struct vt_line *a,
    const struct vt_line *line)
{
	const unsigned used = vt_line_used(line);
	size_t start = b->len, whole;
	struct row_diff d;
	bool over;

	d.cols = MAX_OF(used, vt_line_used(a));
	vt_line_differ(a, line, d.cols, d.bits);
	if (line->nstyles <= 1 && row_is_shorter(&d, a, line, used)) {
		row_put(b, y, line);
		return;
	}
	if (row_edits_put(b, y, &d, a, line) <= 1 || line->nstyles <= 1)
		return;
	/* Many small edits may cost more than the whole row. */
	whole = b->len;
	over = b->overflow;
	row_put(b, y, line);
	if (!b->overflow && b->len - whole < whole - start) {
		memmove(b->data + start, b->data + whole, b->len - whole);
		buf_truncate(b, start + (b->len - whole));
	} else {
		buf_truncate(b, whole);
		b->overflow = over;
	}
}

/* Finds old rows by content: open addressing over the row numbers. */
struct row_index {
	const struct vt_frame *f;
	uint32_t mask;
	uint32_t *slots; /* 1 + row, 0 free */
};

static void
row_index_init(struct row_index *x, const struct vt_frame *f)
{
	uint32_t size = 16, i, h;

	while (size < f->rows * 2u)
		size *= 2;
	x->f = f;
	x->mask = size - 1;
	x->slots = mem_calloc(size, sizeof(*x->slots));
	for (i = 0; i < f->rows; i++) {
		if (row_blank(f->lines[i]))
			continue;
		h = (uint32_t)vt_line_hash(f->lines[i]) & x->mask;
		while (x->slots[h] != 0)
			h = (h + 1) & x->mask;
		x->slots[h] = i + 1;
	}
}

/*
 * Returns an old row that equals LINE, preferably row WANT; -1 if there is
 * none.
 */
static int
row_index_find(const struct row_index *x, const struct vt_line *line, int want)
{
	uint32_t h, row;
	int found = -1;

	if (want >= 0 && want < x->f->rows &&
	    vt_line_equal(x->f->lines[want], line))
		return want;
	h = (uint32_t)vt_line_hash(line) & x->mask;
	for (; x->slots[h] != 0; h = (h + 1) & x->mask) {
		row = x->slots[h] - 1;
		if (found < 0 && vt_line_equal(x->f->lines[row], line))
			found = (int)row;
	}
	return found;
}

/*
 * Sets src[y] to the old row from which new row Y starts: Y itself if they are
 * equal, an equal row elsewhere, or Y, to be edited. Appends the copies, and
 * returns the number of rows to be edited.
 */
static unsigned
rows_match(struct buf *b, const struct vt_frame *old,
    const struct vt_frame *new, uint16_t *src)
{
	struct row_index index = { .slots = NULL };
	unsigned y, n, wrong = 0;
	int row, want = -1;

	for (y = 0; y < new->rows; y++) {
		src[y] = (uint16_t)y;
		if (old->lines[y] == new->lines[y] ||
		    vt_line_equal(old->lines[y], new->lines[y])) {
			want = -1;
			continue;
		}
		if (row_blank(new->lines[y])) {
			want = -1;
			wrong++;
			continue;
		}
		if (index.slots == NULL)
			row_index_init(&index, old);
		row = row_index_find(&index, new->lines[y], want);
		if (row >= 0)
			src[y] = (uint16_t)row;
		wrong += row < 0;
		want = row >= 0 ? row + 1 : -1;
	}
	mem_free(index.slots);
	for (y = 0; y < new->rows; y += n) {
		n = 1;
		if (src[y] == y)
			continue;
		while (y + n < new->rows && src[y + n] == src[y] + n)
			n++;
		(void)buf_add_u8(b, FRAME_COPY);
		sync_put_varint(b, y);
		sync_put_varint(b, src[y]);
		sync_put_varint(b, n);
	}
	return wrong;
}

/* Moves of one difference: their bytes and time must be bounded. */
#define FRAME_MOVES 4

/* Appends moves of parts of rows, which make CUR more like NEW. */
static void
moves_put(struct buf *b, const struct vt_frame *old, struct vt_frame *cur,
    const struct vt_frame *new)
{
	struct sync_move m;
	unsigned i;

	for (i = 0; i < FRAME_MOVES && sync_move_find(old, cur, new, &m); i++) {
		(void)buf_add_u8(b, FRAME_MOVE);
		sync_put_varint(b, m.to);
		sync_put_varint(b, m.from);
		sync_put_varint(b, m.rows);
		sync_put_varint(b, m.left);
		sync_put_varint(b, m.right - m.left);
		sync_move_apply(cur, old, &m);
	}
}

/* Returns OLD with row Y of it replaced by row SRC[Y], for all rows. */
static struct vt_frame *
rows_copied(const struct vt_frame *old, const uint16_t *src)
{
	struct vt_frame *f = vt_frame_clone(old);
	unsigned y;

	for (y = 0; y < f->rows; y++) {
		if (src[y] == y)
			continue;
		vt_line_unref(NULL, f->lines[y]);
		f->lines[y] = vt_line_ref(old->lines[src[y]]);
	}
	return f;
}

static void
rows_put(struct buf *b, const struct vt_frame *old, const struct vt_frame *new,
    bool moves)
{
	struct vt_frame *cur = NULL;
	const struct vt_line *from;
	uint16_t *src;
	unsigned y;

	src = mem_calloc(new->rows, sizeof(*src));
	if (rows_match(b, old, new, src) >= SYNC_MOVE_ROWS && moves) {
		cur = rows_copied(old, src);
		moves_put(b, old, cur, new);
	}
	for (y = 0; y < new->rows; y++) {
		from = cur != NULL ? cur->lines[y] : old->lines[src[y]];
		if (from == new->lines[y] || vt_line_equal(from, new->lines[y]))
			continue;
		if (row_blank(new->lines[y]))
			row_put(b, y, new->lines[y]);
		else
			row_edit(b, y, from, new->lines[y]);
	}
	vt_frame_unref(cur);
	mem_free(src);
}

/* --- whole frames and differences ----------------------------------------- */

static void
frame_put(struct buf *b, const struct vt_frame *old, const struct vt_frame *new,
    bool whole, bool moves)
{
	const struct vt_frame_state *st = &new->state;
	uint64_t header = 0;
	uint32_t fields;

	if (whole || old->cols != new->cols || old->rows != new->rows)
		header |= FRAME_SIZE;
	if (old->state.x != st->x || old->state.y != st->y)
		header |= FRAME_CURSOR;
	fields = state_put(NULL, &old->state, st, true);
	if (fields > 0)
		header |= FRAME_STATE;
	sync_put_varint(b, header);
	if (header & FRAME_SIZE) {
		sync_put_varint(b, new->cols);
		sync_put_varint(b, new->rows);
	}
	if (header & FRAME_CURSOR) {
		sync_put_varint(b, st->x);
		sync_put_varint(b, st->y);
	}
	if (header & FRAME_STATE) {
		pack_put_map(b, fields);
		(void)state_put(b, &old->state, st, false);
	}
	if (header & FRAME_SIZE) {
		for (unsigned y = 0; y < new->rows; y++)
			if (!row_blank(new->lines[y]))
				row_put(b, y, new->lines[y]);
	} else
		rows_put(b, old, new, moves);
}

static int
frame_save(const struct vt_frame *f, struct buf *out)
{
	struct vt_frame_memo *m = f->memo;
	struct vt_frame *blank;
	size_t start = out->len;

	if (m != NULL && m->save.len > 0)
		return buf_add(out, m->save.data, m->save.len);
	blank = vt_frame_new(1, 1);
	frame_put(out, blank, f, true, false);
	vt_frame_unref(blank);
	if (out->overflow)
		return -ERR_LIMIT;
	if (m != NULL &&
	    buf_add(&m->save, out->data + start, out->len - start) != 0)
		buf_clear(&m->save);
	return 0;
}

int
sync_frame_diff(
    const struct vt_frame *old, const struct vt_frame *new, struct buf *out)
{
	return sync_frame_diff_for(old, new, false, out);
}

int
sync_frame_diff_for(const struct vt_frame *old, const struct vt_frame *new,
    bool moves, struct buf *out)
{
	const struct buf *kept;
	size_t start = out->len;

	if (old == NULL)
		return frame_save(new, out);
	if (old == new)
		return 0;
	if ((kept = vt_frame_kept_diff(new, old, moves)) != NULL)
		return buf_add(out, kept->data, kept->len);
	if (!vt_frame_equal(old, new))
		frame_put(out, old, new, false, moves);
	if (out->overflow)
		return -ERR_LIMIT;
	vt_frame_keep_diff(
	    new, old, moves, out->data + start, out->len - start);
	return 0;
}

static int
apply_copy(
    struct rd *r, const struct vt_frame *old, struct vt_frame *f, bool sized)
{
	uint64_t to, from, n, i;

	to = rd_varint(r);
	from = rd_varint(r);
	n = rd_varint(r);
	peer_check(r->err == 0 && !sized && to < f->rows && from < old->rows &&
		   n <= f->rows - to && n <= old->rows - from);
	for (i = 0; i < n; i++) {
		vt_line_unref(NULL, f->lines[to + i]);
		f->lines[to + i] = vt_line_ref(old->lines[from + i]);
	}
	return 0;
}

/*
 * security: *LEFT is how many cells the peer's moves may still copy, so that a
 * difference of many moves does not take long.
 */
static int
apply_move(struct rd *r, const struct vt_frame *old, struct vt_frame *f,
    uint64_t *left)
{
	uint64_t to, from, n, col, cols;
	struct sync_move m;

	to = rd_varint(r);
	from = rd_varint(r);
	n = rd_varint(r);
	col = rd_varint(r);
	cols = rd_varint(r);
	peer_check(r->err == 0 && old->cols == f->cols && to < f->rows &&
		   from < old->rows && n <= f->rows - to &&
		   n <= old->rows - from && col < f->cols &&
		   cols <= f->cols - col && n * cols <= *left);
	*left -= n * cols;
	m = (struct sync_move){ (unsigned)to, (unsigned)from, (unsigned)n,
		(unsigned)col, (unsigned)(col + cols) };
	sync_move_apply(f, old, &m);
	return 0;
}

/* Makes plain text of blocks in a line that does not say that it has any. */
static void
drop_unsaid_blocks(struct vt_line *line)
{
	const unsigned both = VT_LINE_BLOCKS | VT_LINE_SIZED;

	if (unlikely((line->flags & both) == VT_LINE_BLOCKS))
		vt_block_strip(NULL, line, 0, line->len);
}

static int
apply_row(struct rd *r, struct vt_frame *f, unsigned op)
{
	struct vt_line *line;
	uint64_t y, flags = 0, col = 0;
	int err = 0;

	y = rd_varint(r);
	if (op & FRAME_FLAGS)
		flags = rd_varint(r);
	if ((op & 7) == FRAME_EDIT)
		col = rd_varint(r);
	peer_check(
	    r->err == 0 && y < f->rows && col < f->cols && flags <= UINT16_MAX);
	line = vt_frame_own(f, (unsigned)y);
	if ((op & 7) == FRAME_ROW)
		vt_line_reset(NULL, line);
	if (op & FRAME_FLAGS) {
		if ((line->flags & ~flags & VT_LINE_BLOCKS) != 0)
			vt_block_strip(NULL, line, 0, line->len);
		line->flags = (uint16_t)flags;
	}
	if ((op & 7) != FRAME_KEEP)
		err = sync_cells_get(r, line, (unsigned)col, f->cols);
	drop_unsaid_blocks(line);
	return err;
}

static int
apply_rows(
    struct rd *r, const struct vt_frame *old, struct vt_frame *f, bool sized)
{
	uint64_t left = (uint64_t)f->cols * f->rows * FRAME_MOVES;
	unsigned op;
	int err = 0;

	while (err == 0 && rd_left(r) > 0) {
		op = rd_u8(r);
		if (op == FRAME_COPY)
			err = apply_copy(r, old, f, sized);
		else if (op == FRAME_MOVE)
			err = apply_move(r, old, f, &left);
		else if ((op & ~(unsigned)FRAME_FLAGS) <= FRAME_KEEP &&
			 op != FRAME_FLAGS)
			err = apply_row(r, f, op);
		else
			err = -ERR_PEER;
	}
	return err;
}

int
sync_frame_apply(
    const struct vt_frame *old, struct rd *r, struct vt_frame **out)
{
	struct vt_frame *f, *blank = NULL;
	uint64_t header, cols, rows;
	int err = 0;

	if (old == NULL)
		old = blank = vt_frame_new(1, 1);
	header = rd_varint(r);
	f = NULL;
	if (r->err != 0 || header > 7) {
		err = -ERR_PEER;
		goto out;
	}
	if (header & FRAME_SIZE) {
		cols = rd_varint(r);
		rows = rd_varint(r);
		if (r->err != 0 || cols < 1 || rows < 1 || cols > VT_COLS_MAX ||
		    rows > VT_ROWS_MAX || cols * rows > SYNC_FRAME_CELLS_MAX) {
			err = -ERR_PEER;
			goto out;
		}
		f = vt_frame_new((unsigned)cols, (unsigned)rows);
		vt_frame_state_copy(&f->state, &old->state);
	} else
		f = vt_frame_clone(old);
	f->version = old->version + 1;
	if (header & FRAME_CURSOR) {
		f->state.x = (uint16_t)rd_varint(r);
		f->state.y = (uint16_t)rd_varint(r);
	}
	if (header & FRAME_STATE)
		err = state_get(r, &f->state);
	if (f->state.x >= f->cols || f->state.y >= f->rows)
		err = -ERR_PEER;
	if (err == 0)
		err = apply_rows(r, old, f, (header & FRAME_SIZE) != 0);
	if (err == 0 && r->err != 0)
		err = -ERR_PEER;
out:
	vt_frame_unref(blank);
	if (err != 0) {
		vt_frame_unref(f);
		f = NULL;
	}
	*out = f;
	return err;
}
