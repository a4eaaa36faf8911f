/*
 * Life, styles and text tables of a line; see line.h.  The functions that write
 * cells are in line_write.c, those that read in line_read.c.
 *
 * A search of the style table looks at the last few entries only.  That finds
 * the style of a run of cells at once.  A duplicate entry costs only its bytes,
 * since lines are compared by style values.  When the table is full and has
 * more entries than the cells can use, vt_line_styles_trim drops unused entries
 * and duplicates.  So a line that is repainted with ever new colours stays
 * bounded by its columns.
 */
#include "base/mem.h"
#include "mux/vt/line_int.h"

/*
 * Number of entries, from the end of the style table, that a search examines.
 */
#define STYLE_LOOKBACK 6

/* The same for links: one line of a program may have thousands of them. */
#define LINK_LOOKBACK 16u

/*
 * Number of styles beyond its number of cells that a line may have before it is
 * trimmed.
 */
#define STYLE_SLACK 16

static const struct vt_style style_default;

struct vt_link *
vt_link_new(const char *uri, size_t urilen, const char *id, size_t idlen)
{
	struct vt_link *k;

	urilen = MIN_OF(urilen, (size_t)VT_LINK_MAX);
	idlen = MIN_OF(idlen, (size_t)VT_LINK_ID_MAX);
	k = mem_alloc(sizeof(*k) + urilen + idlen + 2);
	memset(k, 0, sizeof(*k));
	k->refs = 1;
	k->uri_len = (uint16_t)urilen;
	k->id_len = (uint16_t)idlen;
	if (urilen > 0)
		memcpy(k->text, uri, urilen);
	k->text[urilen] = '\0';
	if (idlen > 0)
		memcpy(k->text + urilen + 1, id, idlen);
	k->text[urilen + 1 + idlen] = '\0';
	return k;
}

struct vt_link *
vt_link_ref(struct vt_link *k)
{
	k->refs++;
	return k;
}

void
vt_link_unref(struct vt_link *k)
{
	if (k == NULL || --k->refs > 0)
		return;
	vt_link_unref(k->over);
	mem_free(k);
}

const char *
vt_link_uri(const struct vt_link *k)
{
	return k->text;
}

const char *
vt_link_id(const struct vt_link *k)
{
	return k->text + k->uri_len + 1;
}

bool
vt_link_equal(const struct vt_link *a, const struct vt_link *b)
{
	if (a == b)
		return true;
	if (a == NULL || b == NULL)
		return false;
	return a->uri_len == b->uri_len && a->id_len == b->id_len &&
	       memcmp(&a->block, &b->block, sizeof(a->block)) == 0 &&
	       memcmp(a->text, b->text, (size_t)a->uri_len + a->id_len + 2) ==
		   0 &&
	       vt_link_equal(a->over, b->over);
}

/* Apart from line_clear, which then saves no registers for it. */
static NOINLINE void
line_links_drop(struct vt_line *line)
{
	while (line->nlinks > 0)
		vt_link_unref(line->links[--line->nlinks]);
}

static uint32_t
line_generation(struct vt_pool *pool, const struct vt_line *line)
{
	return pool != NULL ? vt_pool_generation(pool) : line->gen + 1;
}

struct vt_line *
vt_line_new(struct vt_pool *pool)
{
	struct vt_line *line = pool != NULL ? vt_pool_take(pool) : NULL;

	if (line == NULL)
		line = mem_zalloc(sizeof(*line));
	line->refs = 1;
	line->gen = line_generation(pool, line);
	return line;
}

struct vt_line *
vt_line_ref(const struct vt_line *line)
{
	struct vt_line *l = container_of(&line->refs, struct vt_line, refs);

	l->refs++;
	return l;
}

/* Empties the line but keeps its memory. */
static void
line_clear(struct vt_line *line)
{
	if (unlikely(line->nlinks > 0))
		line_links_drop(line);
	line->len = 0;
	line->flags = 0;
	line->nstyles = 0;
	line->ntext = 0;
	line->hash = 0;
}

void
vt_line_unref(struct vt_pool *pool, struct vt_line *line)
{
	if (line == NULL || --line->refs > 0)
		return;
	line_clear(line);
	if (pool != NULL && vt_pool_give(pool, line))
		return;
	mem_free(line->cells);
	mem_free(line->styles);
	mem_free(line->links);
	mem_free(line->text);
	mem_free(line);
}

void
vt_line_reset(struct vt_pool *pool, struct vt_line *line)
{
	line_clear(line);
	line->gen = line_generation(pool, line);
}

struct vt_line *
vt_line_clone(struct vt_pool *pool, const struct vt_line *src)
{
	struct vt_line *line = vt_line_new(pool);
	unsigned i;

	/* Copy the text first: vt_line_text_room reads the cells. */
	if (src->ntext > 0) {
		vt_line_text_room(line, src->ntext);
		memcpy(line->text, src->text, src->ntext);
		line->ntext = src->ntext;
	}
	if (src->len > 0) {
		vt_line_grow(line, src->len);
		memcpy(
		    line->cells, src->cells, src->len * sizeof(struct vt_cell));
		line->len = src->len;
	}
	line->flags = src->flags;
	line->ended = src->ended;
	line->hash = src->hash;
	if (src->nstyles > 0) {
		if (line->capstyles < src->nstyles) {
			line->styles = mem_resize(line->styles, src->nstyles,
			    sizeof(struct vt_style));
			line->capstyles = src->nstyles;
		}
		memcpy(line->styles, src->styles,
		    src->nstyles * sizeof(struct vt_style));
		line->nstyles = src->nstyles;
	}
	if (src->nlinks > 0) {
		if (line->caplinks < src->nlinks) {
			line->links = mem_resize(
			    line->links, src->nlinks, sizeof(struct vt_link *));
			line->caplinks = src->nlinks;
		}
		for (i = 0; i < src->nlinks; i++)
			line->links[i] = vt_link_ref(src->links[i]);
		line->nlinks = src->nlinks;
	}
	return line;
}

struct vt_line *
vt_line_unshare(struct vt_pool *pool, struct vt_line **slot)
{
	struct vt_line *old = *slot;

	*slot = vt_line_clone(pool, old);
	vt_line_unref(pool, old);
	return *slot;
}

size_t
vt_line_bytes(const struct vt_line *line)
{
	size_t slack = line->cap > 0 ? VT_LINE_SLACK : 0;

	return sizeof(*line) + (line->cap + slack) * sizeof(struct vt_cell) +
	       line->capstyles * sizeof(struct vt_style) +
	       line->caplinks * sizeof(struct vt_link *) + line->captext;
}

void
vt_line_grow(struct vt_line *line, unsigned cap)
{
	unsigned want;

	bug_assert(cap <= VT_LINE_CELLS_MAX);
	if (cap <= line->cap)
		return;
	/* Grow by half, in whole cache lines. */
	want = MAX_OF(cap, line->cap + line->cap / 2u);
	want = MIN_OF((want + 7u) & ~7u, (unsigned)VT_LINE_CELLS_MAX);
	line->cells = mem_resize(
	    line->cells, want + VT_LINE_SLACK, sizeof(struct vt_cell));
	line->cap = (uint16_t)want;
}

/* --- styles ------------------------------------------------------------- */

/*
 * Returns 1 + the index of a link in the line's table; adds the link if it is
 * not among the last ones.
 */
static unsigned
line_link_add(struct vt_line *line, struct vt_link *link)
{
	unsigned n = line->nlinks, i, cap;
	unsigned stop = n > LINK_LOOKBACK ? n - LINK_LOOKBACK : 0;

	for (i = n; i > stop; i--)
		if (line->links[i - 1] == link)
			return i;
	for (i = n; i > stop; i--)
		if (vt_link_equal(line->links[i - 1], link))
			return i;
	if (line->nlinks == UINT16_MAX - 1)
		return 0;
	if (line->nlinks == line->caplinks) {
		cap = MIN_OF(line->caplinks * 2u + 2u, UINT16_MAX - 1u);
		line->links =
		    mem_resize(line->links, cap, sizeof(struct vt_link *));
		line->caplinks = (uint16_t)cap;
	}
	line->links[line->nlinks++] = vt_link_ref(link);
	return line->nlinks;
}

static bool
style_equal(const struct vt_style *a, const struct vt_style *b)
{
	return pen_equal(&a->pen, &b->pen) && a->link == b->link;
}

static bool
style_is_default(const struct vt_style *s)
{
	return (s->pen.fg | s->pen.bg | s->pen.ul | s->pen.attrs | s->link) ==
	       0;
}

static unsigned
line_style_push(struct vt_line *line, const struct vt_style *s)
{
	unsigned cap;

	if (line->nstyles + 2u > line->capstyles) {
		if (line->nstyles >= UINT16_MAX - 1)
			return 0;
		cap = MIN_OF(line->capstyles * 2u + 4u, (unsigned)UINT16_MAX);
		line->styles =
		    mem_resize(line->styles, cap, sizeof(struct vt_style));
		line->capstyles = (uint16_t)cap;
	}
	if (line->nstyles == 0)
		line->styles[line->nstyles++] = style_default;
	line->styles[line->nstyles] = *s;
	return line->nstyles++;
}

_Static_assert(offsetof(struct pen, bg) == offsetof(struct pen, fg) + 4 &&
		   sizeof(colour) == 4,
    "both colours are one number");

static inline uint64_t
style_colours(const struct vt_style *s)
{
	uint64_t v;

	memcpy(&v, &s->pen.fg, sizeof v);
	return v;
}

/* Returns the index of a style among the last entries, 0 if it is not there. */
static inline unsigned
line_style_find(const struct vt_line *line, const struct vt_style *s)
{
	unsigned n = line->nstyles, i;
	unsigned stop = n > STYLE_LOOKBACK ? n - STYLE_LOOKBACK : 1;
	uint64_t colours = style_colours(s);

	for (i = n; i-- > stop;)
		if (style_colours(&line->styles[i]) == colours &&
		    style_equal(&line->styles[i], s))
			return i;
	return 0;
}

unsigned
vt_line_style_add(
    struct vt_line *line, const struct pen *pen, struct vt_link *link)
{
	struct vt_style s = { *pen, 0, 0 };
	unsigned i;

	if (link != NULL)
		s.link = (uint16_t)line_link_add(line, link);
	if (style_is_default(&s))
		return 0;
	i = line_style_find(line, &s);
	return i > 0 ? i : line_style_push(line, &s);
}

/* A hash table from style value to new index, for compaction. */
struct style_map {
	uint16_t *slot; /* 1 + new index, 0 is free */
	uint32_t mask;
};

static uint32_t
style_mix(const struct vt_style *s)
{
	uint64_t h = s->pen.fg;

	h = (h ^ s->pen.bg) * UINT64_C(0x9e3779b97f4a7c15);
	h = (h ^ h >> 29 ^ s->pen.ul) * UINT64_C(0x9e3779b97f4a7c15);
	h = (h ^ h >> 29 ^ s->pen.attrs) * UINT64_C(0x9e3779b97f4a7c15);
	h = (h ^ h >> 29 ^ s->link) * UINT64_C(0x9e3779b97f4a7c15);
	return (uint32_t)(h >> 32);
}

/* Returns the index of a style in NEW[0..*n); adds the style if it is new. */
static uint16_t
style_map_add(struct style_map *m, struct vt_style *new, unsigned *n,
    const struct vt_style *s)
{
	uint32_t i = style_mix(s) & m->mask;

	while (m->slot[i] != 0) {
		if (style_equal(&new[m->slot[i] - 1], s))
			return (uint16_t)(m->slot[i] - 1);
		i = (i + 1) & m->mask;
	}
	new[*n] = *s;
	m->slot[i] = (uint16_t)(*n + 1);
	return (uint16_t)(*n)++;
}

/* Keeps the links that styles use, and renumbers them. */
static void
line_links_trim(struct vt_line *line)
{
	uint16_t *map = mem_calloc(line->nlinks + 1u, sizeof(*map));
	unsigned i, n = 0;

	for (i = 0; i < line->nstyles; i++)
		map[line->styles[i].link] = 1;
	for (i = 1; i <= line->nlinks; i++) {
		if (map[i] == 0) {
			vt_link_unref(line->links[i - 1]);
			continue;
		}
		line->links[n++] = line->links[i - 1];
		map[i] = (uint16_t)n;
	}
	map[0] = 0;
	for (i = 0; i < line->nstyles; i++)
		line->styles[i].link = map[line->styles[i].link];
	line->nlinks = (uint16_t)n;
	mem_free(map);
}

/* Rebuilds the style table from the cells. */
static void
line_styles_compact(struct vt_line *line)
{
	struct style_map m;
	struct vt_style *new;
	uint16_t *map, style;
	unsigned i, n = 1, slots = 8;

	while (slots < line->nstyles * 2u)
		slots *= 2;
	m.slot = mem_calloc(slots, sizeof(*m.slot));
	m.mask = slots - 1;
	map = mem_calloc(line->nstyles, sizeof(*map));
	new = mem_alloc(line->capstyles * sizeof(*new));
	new[0] = style_default;
	for (i = 0; i < line->len; i++) {
		style = line->cells[i].style;
		if (style == 0)
			continue;
		if (map[style] == 0)
			map[style] =
			    style_map_add(&m, new, &n, &line->styles[style]);
		line->cells[i].style = map[style];
	}
	mem_free(line->styles);
	line->styles = new;
	line->nstyles = (uint16_t)n;
	mem_free(map);
	mem_free(m.slot);
	if (line->nlinks > 0)
		line_links_trim(line);
}

void
vt_line_styles_trim(struct vt_pool *pool, struct vt_line *line)
{
	unsigned most = line->len + STYLE_SLACK;

	if (line->nstyles < most && line->nlinks < most)
		return;
	if (line->nstyles + 2u > line->capstyles ||
	    (line->nlinks > 0 && line->nlinks == line->caplinks)) {
		if (line->nstyles == 0)
			line_style_push(line, &style_default);
		line_styles_compact(line);
		line->gen = line_generation(pool, line);
	}
}

unsigned
vt_line_style(struct vt_pool *pool, struct vt_line *line, const struct pen *pen,
    struct vt_link *link)
{
	unsigned n = line->nstyles, i;

	if (link == NULL) {
		struct vt_style s = { *pen, 0, 0 };

		if (style_is_default(&s))
			return 0;
		if (n > 0 && style_equal(&line->styles[n - 1], &s))
			return n - 1;
		/* A table with room needs no trimming. */
		if (likely(n > 0 && n + 2u <= line->capstyles &&
			   line->nlinks == 0)) {
			if ((i = line_style_find(line, &s)) > 0)
				return i;
			line->styles[n] = s;
			return line->nstyles++;
		}
	}
	vt_line_styles_trim(pool, line);
	return vt_line_style_add(line, pen, link);
}

/* --- text of clusters ---------------------------------------------------- */

/* Moves the clusters in use to a new buffer with room for N more bytes. */
static void
line_text_compact(struct vt_line *line, size_t live, size_t n)
{
	size_t cap = (live + n) * 2 + 16, used = 0, len;
	uint8_t *text = mem_alloc(cap);
	const uint8_t *p;
	unsigned i;

	for (i = 0; i < line->len; i++) {
		if ((line->cells[i].ch & VT_CELL_CLUSTER) == 0)
			continue;
		p = line->text + (line->cells[i].ch & ~VT_CELL_CLUSTER);
		len = 1u + p[0];
		memcpy(text + used, p, len);
		line->cells[i].ch = VT_CELL_CLUSTER | (uint32_t)used;
		used += len;
	}
	mem_free(line->text);
	line->text = text;
	line->ntext = (uint32_t)used;
	line->captext = (uint32_t)cap;
}

void
vt_line_text_room(struct vt_line *line, size_t n)
{
	size_t live = 0;
	unsigned i;

	if (line->ntext + n <= line->captext)
		return;
	for (i = 0; i < line->len; i++)
		if ((line->cells[i].ch & VT_CELL_CLUSTER) != 0)
			live +=
			    1u +
			    line->text[line->cells[i].ch & ~VT_CELL_CLUSTER];
	line_text_compact(line, live, n);
}

uint32_t
vt_line_text_add(struct vt_line *line, const void *p, size_t n)
{
	uint32_t at;

	bug_assert(n <= VT_CLUSTER_MAX);
	vt_line_text_room(line, n + 1);
	at = line->ntext;
	line->text[at] = (uint8_t)n;
	memcpy(line->text + at + 1, p, n);
	line->ntext += (uint32_t)n + 1;
	return VT_CELL_CLUSTER | at;
}
