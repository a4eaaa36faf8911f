#include "regress/tools/keyjudge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "mux/vt/term.h"

#define WRONG_MAX 1000000
#define SEEN_MAX (1u << 20)
#define JUDGE_AGAIN 64 /* keys */

/* Pictures. */

static size_t
cells(const struct picture *p)
{
	return (size_t)p->cols * p->rows;
}

void
picture_init(struct picture *p, unsigned cols, unsigned rows)
{
	memset(p, 0, sizeof *p);
	p->cols = cols;
	p->rows = rows;
	p->cell = mem_calloc(cells(p), sizeof *p->cell);
}

void
picture_fini(struct picture *p)
{
	mem_free(p->cell);
	p->cell = NULL;
}

void
picture_copy(struct picture *to, const struct picture *from)
{
	memcpy(to->cell, from->cell, cells(from) * sizeof *to->cell);
	to->x = from->x;
	to->y = from->y;
	to->visible = from->visible;
}

/* A cell as one number; clusters by FNV-1a. */
static uint32_t
cell_value(const struct vt_line *line, unsigned x)
{
	char text[VT_CLUSTER_MAX + 1];
	uint32_t h = UINT32_C(2166136261);
	size_t n, i;

	if (x >= line->len)
		return ' ';
	if (line->cells[x].width == VT_TAIL)
		return 1;
	if ((line->cells[x].ch & VT_CELL_CLUSTER) == 0)
		return line->cells[x].ch < ' ' ? ' ' : line->cells[x].ch;
	n = vt_line_text(line, x, text);
	for (i = 0; i < n; i++)
		h = (h ^ (unsigned char)text[i]) * UINT32_C(16777619);
	return h | VT_CELL_CLUSTER;
}

void
picture_take_frame(struct picture *p, const struct vt_frame *f)
{
	unsigned x, y;

	for (y = 0; y < p->rows && y < f->rows; y++)
		for (x = 0; x < p->cols && x < f->cols; x++)
			p->cell[y * p->cols + x] = cell_value(f->lines[y], x);
	p->x = f->state.x < p->cols ? f->state.x : p->cols - 1;
	p->y = f->state.y;
	p->visible = (f->state.modes & VT_FRAME_CURSOR_VISIBLE) != 0;
}

void
picture_take(struct picture *p, struct vt_term *t)
{
	struct vt_frame *f = vt_term_frame(t, 0);

	picture_take_frame(p, f);
	vt_frame_unref(f);
}

bool
picture_same(const struct picture *a, const struct picture *b)
{
	return memcmp(a->cell, b->cell, cells(a) * sizeof *a->cell) == 0;
}

void
picture_print(const struct picture *p, void *file)
{
	unsigned x, y, end;
	uint32_t c;

	for (y = 0; y < p->rows; y++) {
		for (end = p->cols; end > 0; end--)
			if (p->cell[y * p->cols + end - 1] != ' ')
				break;
		for (x = 0; x < end; x++) {
			c = p->cell[y * p->cols + x];
			putc(c < 127 ? (int)c : '?', file);
		}
		putc('\n', file);
	}
	fprintf(file, "cursor %u,%u\n", p->y, p->x);
}

/* Truth. */

void
truth_init(struct truth *t, unsigned cols, unsigned rows, unsigned n)
{
	unsigned k;

	t->cols = cols;
	t->rows = rows;
	t->n = n;
	t->key = mem_calloc(n + 1, sizeof *t->key);
	for (k = 0; k <= n; k++)
		picture_init(&t->key[k].after, cols, rows);
}

void
truth_fini(struct truth *t)
{
	unsigned k;

	for (k = 0; t->key != NULL && k <= t->n; k++) {
		picture_fini(&t->key[k].after);
		mem_free(t->key[k].seen);
	}
	mem_free(t->key);
	memset(t, 0, sizeof *t);
}

void
truth_see(struct truth *t, unsigned k, const struct picture *before,
    const struct picture *p)
{
	struct truth_key *key = &t->key[k];
	size_t i;

	for (i = 0; i < cells(p); i++) {
		if (p->cell[i] == before->cell[i] || p->cell[i] <= ' ' ||
		    key->nseen == SEEN_MAX)
			continue;
		if (key->nseen == key->cap) {
			key->cap = key->cap * 2 + 64;
			key->seen =
			    mem_resize(key->seen, key->cap, sizeof *key->seen);
		}
		key->seen[key->nseen++] = (uint64_t)i << 32 | p->cell[i];
	}
}

static int
compare_u64(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

void
truth_set(struct truth *t, unsigned k, const struct picture *p)
{
	struct truth_key *key = &t->key[k];
	size_t i, n = 0;

	picture_copy(&key->after, p);
	if (key->nseen == 0)
		return;
	qsort(key->seen, key->nseen, sizeof *key->seen, compare_u64);
	for (i = 0; i < key->nseen; i++)
		if (n == 0 || key->seen[i] != key->seen[n - 1])
			key->seen[n++] = key->seen[i];
	key->nseen = n;
}

bool
truth_write(const struct truth *t, const char *path)
{
	FILE *f = fopen(path, "wb");
	const struct truth_key *key;
	uint32_t head[4], rest[4];
	unsigned k;
	bool ok;

	if (f == NULL)
		return false;
	head[0] = 0x54525554; /* native byte order: read on the same machine */
	head[1] = t->cols;
	head[2] = t->rows;
	head[3] = t->n;
	fwrite(head, sizeof head, 1, f);
	for (k = 0; k <= t->n; k++) {
		key = &t->key[k];
		rest[0] = key->after.x;
		rest[1] = key->after.y;
		rest[2] = key->after.visible;
		rest[3] = (uint32_t)key->nseen;
		fwrite(rest, sizeof rest, 1, f);
		fwrite(
		    key->after.cell, sizeof(uint32_t), cells(&key->after), f);
		if (key->nseen > 0)
			fwrite(key->seen, sizeof(uint64_t), key->nseen, f);
	}
	ok = !ferror(f);
	return fclose(f) == 0 && ok;
}

static bool
truth_read_key(struct truth_key *key, FILE *f)
{
	uint32_t rest[4];

	if (fread(rest, sizeof rest, 1, f) != 1 || rest[3] > SEEN_MAX)
		return false;
	key->after.x = rest[0];
	key->after.y = rest[1];
	key->after.visible = rest[2] != 0;
	key->nseen = key->cap = rest[3];
	key->seen = mem_calloc(key->nseen + 1, sizeof *key->seen);
	return fread(key->after.cell, sizeof(uint32_t), cells(&key->after),
		   f) == cells(&key->after) &&
	       fread(key->seen, sizeof(uint64_t), key->nseen, f) == key->nseen;
}

bool
truth_read(struct truth *t, const char *path)
{
	FILE *f = fopen(path, "rb");
	uint32_t head[4];
	unsigned k;
	bool ok;

	memset(t, 0, sizeof *t);
	if (f == NULL)
		return false;
	ok = fread(head, sizeof head, 1, f) == 1 && head[0] == 0x54525554 &&
	     head[1] <= 500 && head[2] <= 200 && head[3] <= 100000;
	if (ok) {
		truth_init(t, head[1], head[2], head[3]);
		for (k = 0; ok && k <= t->n; k++)
			ok = truth_read_key(&t->key[k], f);
	}
	fclose(f);
	return ok;
}

static bool
truth_moved(const struct truth *t, unsigned k)
{
	const struct picture *a = &t->key[k - 1].after, *b = &t->key[k].after;

	return b->visible && (a->x != b->x || a->y != b->y || !a->visible);
}

bool
truth_visible(const struct truth *t, unsigned k)
{
	return truth_moved(t, k) ||
	       !picture_same(&t->key[k - 1].after, &t->key[k].after);
}

/* Returns whether P shows the effect of key K. */
static bool
truth_shown(const struct truth *t, unsigned k, const struct picture *p)
{
	const struct picture *a = &t->key[k - 1].after, *b = &t->key[k].after;
	unsigned x, row;
	size_t i;

	if (!truth_moved(t, k)) {
		for (i = 0; i < cells(b); i++)
			if (a->cell[i] != b->cell[i] &&
			    p->cell[i] != b->cell[i])
				return false;
		return true;
	}
	if (p->x != b->x || p->y != b->y)
		return false;
	row = b->y * b->cols;
	for (x = 0; x < b->x; x++)
		if (a->cell[row + x] != b->cell[row + x] &&
		    p->cell[row + x] != b->cell[row + x])
			return false;
	return b->cell[row + b->x] != ' ' || p->cell[row + b->x] == ' ';
}

/* Returns whether cell I had character C at any moment of key K. */
static bool
truth_held(const struct truth *t, unsigned k, size_t i, uint32_t c)
{
	const struct truth_key *key = &t->key[k];
	uint64_t want = (uint64_t)i << 32 | c;

	return key->after.cell[i] == c ||
	       (key->nseen > 0 && bsearch(&want, key->seen, key->nseen,
				      sizeof want, compare_u64) != NULL);
}

/* The judge. */

void
judge_init(struct judge *j, const struct truth *t)
{
	size_t i, n = (size_t)t->cols * t->rows;

	memset(j, 0, sizeof *j);
	j->truth = t;
	j->key = mem_calloc(t->n + 1, sizeof *j->key);
	j->open = mem_calloc(n, sizeof *j->open);
	for (i = 0; i < n; i++)
		j->open[i] = -1;
}

void
judge_fini(struct judge *j)
{
	mem_free(j->key);
	mem_free(j->open);
	mem_free(j->wrong);
}

void
judge_press(struct judge *j, double now)
{
	struct judge_key *k = &j->key[++j->pressed];

	k->pressed = now;
	k->state = truth_visible(j->truth, j->pressed) ? JUDGE_WAITING
						       : JUDGE_INVISIBLE;
}

/* Counts key K and all keys before it as answered. */
static void
judge_advance(struct judge *j, unsigned k, double now)
{
	const struct picture *old = &j->truth->key[j->shown].after;
	unsigned i, back = j->shown;

	/* The last key before K that led back to the shown screen. */
	for (i = j->shown + 1; i < k; i++)
		if (j->key[i].state == JUDGE_WAITING &&
		    truth_shown(j->truth, i, old))
			back = i;
	for (i = j->shown + 1; i <= k; i++) {
		if (j->key[i].state != JUDGE_WAITING)
			continue;
		j->key[i].state = i <= back ? JUDGE_UNSEEN : JUDGE_ANSWERED;
		j->key[i].answered = now;
	}
	j->shown = k;
}

static bool
judge_step(struct judge *j, const struct picture *p, double now)
{
	const struct picture *old = &j->truth->key[j->shown].after;
	bool first = true;
	unsigned k;

	/* The first key whose screen is this one, unless it is the old one. */
	for (k = j->shown + 1; k <= j->pressed && !picture_same(p, old); k++)
		if (picture_same(p, &j->truth->key[k].after)) {
			judge_advance(j, k, now);
			return true;
		}
	for (k = j->shown + 1; k <= j->pressed; k++) {
		if (j->key[k].state != JUDGE_WAITING)
			continue;
		if ((first || !truth_shown(j->truth, k, old)) &&
		    truth_shown(j->truth, k, p)) {
			judge_advance(j, k, now);
			return true;
		}
		first = false;
	}
	return false;
}

static bool
judge_right(const struct judge *j, size_t i, uint32_t c)
{
	unsigned k;

	if (c <= ' ' || j->truth->key[j->full].after.cell[i] == c)
		return true;
	for (k = j->pressed; k > j->full; k--)
		if (truth_held(j->truth, k, i, c))
			return true;
	return false;
}

static void
judge_cell(struct judge *j, size_t i, uint32_t c, double now)
{
	struct judge_wrong *w;
	bool right = judge_right(j, i, c);

	if (j->open[i] >= 0) {
		w = &j->wrong[j->open[i]];
		if (!right && w->ch == c)
			return;
		w->until = now;
		j->open[i] = -1;
	}
	if (right || j->nwrong == WRONG_MAX)
		return;
	if ((j->nwrong & (j->nwrong - 1)) == 0)
		j->wrong =
		    mem_resize(j->wrong, j->nwrong * 2 + 1, sizeof *j->wrong);
	w = &j->wrong[j->nwrong];
	w->from = now;
	w->until = -1;
	w->cell = (unsigned)i;
	w->key = j->pressed;
	w->ch = c;
	j->open[i] = (int32_t)j->nwrong++;
}

/*
 * Returns whether key K led back to an earlier screen: then the screen does not
 * prove the client's progress.
 */
static bool
judge_again(const struct truth *t, unsigned k)
{
	unsigned i, n = 0;

	for (i = k; i-- > 0 && n < JUDGE_AGAIN; n++)
		if (picture_same(&t->key[i].after, &t->key[k].after))
			return true;
	return false;
}

void
judge_look(struct judge *j, const struct picture *p, double now)
{
	unsigned k;
	size_t i;

	while (judge_step(j, p, now))
		;
	for (k = j->full; k <= j->pressed; k++)
		if (picture_same(p, &j->truth->key[k].after) &&
		    (k == 0 || now - j->key[k].pressed >= j->rtt) &&
		    !judge_again(j->truth, k)) {
			j->full = k;
			break;
		}
	for (i = 0; i < cells(p); i++)
		if (j->open[i] >= 0 ||
		    p->cell[i] != j->truth->key[j->full].after.cell[i])
			judge_cell(j, i, p->cell[i], now);
}
