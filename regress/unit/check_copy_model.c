/*
 * Copy mode against a simple model: one string with all text of the pane when
 * the mode began.  Whatever happens below the mode, it shows that string, and
 * cursor, selection and mark stay at their bytes of it.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/str.h"
#include "mux/mode/copy.h"
#include "mux/mode/copy_int.h"
#include "regress/chance.h"
#include "regress/unit/mux_util.h"
#include "regress/unit/unit.h"

#define SEQUENCES 10000
#define STEPS 20

static struct mux *m;
static struct pane *p;
static struct copy *c;
static uint64_t chance;
static unsigned long sequence; /* named by every failure */
static bool begun;             /* the model is set */
static struct buf written;     /* to the terminal, lines end in \n */
static struct buf model;       /* the text of the mode */
static size_t *starts;         /* byte of `seen` at which each row starts */
static struct buf seen;
static size_t front; /* bytes of `seen` before the model */

#define CHECK(cond) ck_assert_msg(cond, "sequence %lu: %s", sequence, #cond)

static unsigned
below(unsigned n)
{
	return chance_below(&chance, n);
}

/* --- the pane -------------------------------------------------------------------- */

static void
new_term(void)
{
	const unsigned limits[] = { 0, 20, 200, 5000 };
	struct vt_term_options opt = { .cols = (unsigned)p->w,
		.rows = (unsigned)p->h,
		.history_rows = limits[below(4)],
		.history_bytes = SIZE_MAX,
		.pool = m->setup.pool,
		.graphemes = m->setup.graphemes };

	vt_term_free(p->term);
	p->term = vt_term_new(&opt);
}

static void
write_line(bool wide, bool keep)
{
	static const char *const words[] = { "ab", "foo", "x", "yz-12", "(q)",
		"longerword" };
	static const char cjk[] = "\xe6\x97\xa5\xe6\x9c\xac";
	char line[512] = "", number[16];
	unsigned i, n = below(4) == 0 ? below(24) : below(7);

	for (i = 0; i < n; i++) {
		if (i > 0)
			(void)str_append(line, " ", sizeof(line));
		if (wide && below(3) == 0)
			(void)str_append(line, cjk, sizeof(line));
		(void)str_append(
		    line, words[below(ARRAY_LEN(words))], sizeof(line));
		if (below(3) == 0) {
			(void)snprintf(
			    number, sizeof(number), "%u", below(1000));
			(void)str_append(line, number, sizeof(line));
		}
	}
	vt_term_write(p->term, line, strlen(line));
	vt_term_write(p->term, "\r\n", 2);
	if (keep) {
		(void)buf_add_str(&written, line);
		(void)buf_add_u8(&written, '\n');
	}
}

static void
resize(bool wide)
{
	const int least = wide ? 2 : 1;

	pane_place(p, &(struct cell_rect){ .w = least + (int)below(50),
			  .h = 1 + (int)below(12) });
	mode_resize(p);
}

static void
set_keys(bool vi)
{
	struct cause why = { NULL };

	ck_assert_int_eq(options_set_text(&p->window->options, "mode-keys",
			     vi ? "vi" : "emacs", &why),
	    0);
}

/* --- the text of the mode --------------------------------------------------------- */

/* The bytes of the cells before COL. */
static size_t
row_bytes(const struct vt_line *l, unsigned col, struct buf *out)
{
	char text[VT_CLUSTER_MAX + 1];
	size_t n, all = 0;
	unsigned x;

	for (x = 0; x < col; x++) {
		n = vt_line_text(l, x, text);
		all += n;
		if (out != NULL)
			(void)buf_add(out, text, n);
	}
	return all;
}

static unsigned
row_len(vt_row row, const struct vt_line *l)
{
	return copy_wrapped(c, row) ? l->len : copy_len(c, row);
}

/* Reads all text to SEEN, without empty lines at its end. */
static void
look(void)
{
	const vt_row first = copy_first(c), last = copy_last(c);
	const struct vt_line *l;
	vt_row row;

	buf_truncate(&seen, 0);
	starts =
	    mem_resize(starts, (size_t)(last - first) + 2, sizeof(*starts));
	for (row = first; row <= last; row++) {
		starts[row - first] = seen.len;
		l = vt_line_ref(text_row(&c->text.text, row));
		(void)row_bytes(l, row_len(row, l), &seen);
		if (!copy_wrapped(c, row))
			(void)buf_add_u8(&seen, '\n');
		vt_line_unref(NULL, (struct vt_line *)(uintptr_t)l);
	}
	while (seen.len > 0 && seen.data[seen.len - 1] == '\n')
		buf_truncate(&seen, seen.len - 1);
	/*
	 * A history that is full has dropped the first rows of a line.  At
	 * another width the first row left may begin earlier in that line.
	 */
	front = 0;
	if (begun && seen.len > model.len &&
	    memchr(seen.data, '\n', seen.len - model.len) == NULL)
		front = seen.len - model.len;
}

/* The byte of the text at a place; look() has read it. */
static size_t
byte_of(struct vt_pos at)
{
	const struct vt_line *l = text_row(&c->text.text, at.row);
	const unsigned n = row_len(at.row, l);

	const size_t byte = starts[at.row - copy_first(c)] +
			    row_bytes(l, MIN_OF(at.col, n), NULL);

	return byte < front ? 0 : MIN_OF(byte - front, model.len);
}

/* All places of the mode as bytes. */
struct places {
	size_t at[COPY_PLACES];
};

static struct places
places(void)
{
	struct places ps;
	size_t i;

	copy_sync(c);
	/*
	 * goto-line may leave the cursor in half a character or, with vi keys,
	 * after the last one, as in tmux.
	 */
	copy_off_tail(c);
	if (!c->selecting) {
		c->cx = MIN_OF(c->cx, copy_len(c, copy_row_here(c)));
		copy_limit(c);
	}
	look();
	ps.at[COPY_AT_CURSOR] = byte_of(copy_here(c));
	for (i = COPY_AT_CURSOR + 1; i < COPY_PLACES; i++)
		ps.at[i] = byte_of(c->at[i]);
	return ps;
}

/*
 * Whether the cursor had to leave blanks: they stand at the end of a wrapped row
 * now, where the cursor stands on the last character (vi) or after it (emacs).
 */
static bool
left_blanks(size_t now, size_t old)
{
	if (c->selecting || now > old)
		return false;
	if (copy_is_vi(c))
		do
			now++;
		while ((model.data[now] & 0xc0) == 0x80);
	while (now <= old && model.data[now] == ' ')
		now++;
	return now > old;
}

/* The text is that of the model, and all places are where they were. */
static void
same(const struct places *old)
{
	const struct places now = places();
	size_t i;

	for (i = 0; i < seen.len - front && i < model.len; i++)
		if (seen.data[front + i] != model.data[i])
			break;
	ck_assert_msg(i == seen.len - front && i == model.len,
	    "sequence %lu: at byte %zu of %zu, %zu, %dx%d: \"%.30s\" is no "
	    "\"%.30s\"",
	    sequence, i, seen.len - front, model.len, p->w, p->h,
	    (const char *)seen.data + front + i, (const char *)model.data + i);
	for (i = 0; i < COPY_PLACES; i++)
		ck_assert_msg(now.at[i] == old->at[i] ||
				  (i == COPY_AT_CURSOR &&
				      left_blanks(now.at[i], old->at[i])),
		    "sequence %lu: place %zu moved from byte %zu to %zu "
		    "(%dx%d)",
		    sequence, i, old->at[i], now.at[i], p->w, p->h);
}

/* --- what may happen below the mode ----------------------------------------------- */

static void
event(bool wide)
{
	static const char *const bytes[] = { "\033[2J\033[H", "\033[3J",
		"\033[?1049h", "\033[?1049l", "\033c", "\033[5L", "\033[9M",
		"\033[2;3r\n\n\n\033[r", "\033[Hover the top" };
	const char *s;
	unsigned n;

	switch (below(8)) {
	case 0:
		vt_grid_clear_history(vt_term_main_grid(p->term));
		break;
	case 1:
		new_term();
		break;
	case 2:
		while (vt_grid_settle(vt_term_main_grid(p->term)))
			;
		break;
	case 3:
		s = bytes[below(ARRAY_LEN(bytes))];
		vt_term_write(p->term, s, strlen(s));
		break;
	case 4:
		for (n = below(400); n > 0; n--)
			write_line(wide, false);
		break;
	default:
		resize(wide);
		break;
	}
	mode_event(p, MODE_EVENT_OUTPUT);
}

/* --- keys ---------------------------------------------------------------------------- */

/* Runs one command; the text that it copies goes to OUT. */
static void
run(const char *name, const char *word, unsigned repeat, struct buf *out)
{
	const char *words[2] = { name, word };
	struct mode_effects effects;
	struct mode_command cmd = { .words = words,
		.count = word == NULL ? 1 : 2,
		.repeat = repeat,
		.effects = &effects };
	struct cause why = { NULL };
	const struct list_node *n;
	const struct mode_effect *e;

	mode_effects_init(&effects);
	ck_assert_int_eq(mode_command(p, &cmd, &why), 0);
	while (mode_work(p) != MODE_IDLE)
		;
	while (mode_effects_more(&effects))
		;
	LIST_FOREACH(n, &effects.list) {
		e = container_of(n, const struct mode_effect, node);
		if (out != NULL)
			(void)buf_add(out, e->text, e->len);
	}
	mode_effects_fini(&effects);
	CHECK(copy_mode_top(p) == &c->mode);
}

static void
move(void)
{
	static const char *const names[] = { "back-to-indentation",
		"begin-selection", "bottom-line", "clear-selection",
		"cursor-down", "cursor-left", "cursor-right", "cursor-up",
		"end-of-line", "halfpage-down", "halfpage-up", "history-bottom",
		"history-top", "middle-line", "next-paragraph", "next-space",
		"next-word", "next-word-end", "other-end", "page-down",
		"page-up", "previous-paragraph", "previous-space",
		"previous-word", "scroll-down", "scroll-middle", "scroll-up",
		"select-line", "select-word", "set-mark", "start-of-line",
		"stop-selection", "top-line", "jump-to-mark" };

	run(names[below(ARRAY_LEN(names))], NULL, 1 + below(4), NULL);
}

/* The byte of the first place of WORD at or after byte AT, or SIZE_MAX. */
static size_t
model_find(const char *word, size_t at)
{
	const uint8_t *found =
	    at >= model.len
		? NULL
		: memmem(model.data + at, model.len - at, word, strlen(word));

	return found == NULL ? SIZE_MAX : (size_t)(found - model.data);
}

/* A search to the end of the text finds what a search in the model finds. */
static void
search(bool vi)
{
	static const char *const words[] = { "ab", "foo", "yz-1", "(q)", "7",
		"nothing", "\xe6\x97\xa5" };
	const char *word = words[below(ARRAY_LEN(words))];
	const struct places old = places();
	const size_t at = old.at[COPY_AT_CURSOR];
	size_t found = model_find(word, vi ? at + 1 : at), wrapped;

	/* After the last column and on blanks "at" is the next byte. */
	if (front > 0 || at >= model.len || model.data[at] == '\n' ||
	    c->cx >= copy_len(c, copy_row_here(c)))
		return;
	run("search-forward-text", word, 1, NULL);
	wrapped = model_find(word, 0);
	if (found == SIZE_MAX)
		found = wrapped;
	if (found == SIZE_MAX)
		found = at;
	else if (!vi)
		found += strlen(word);
	/*
	 * After a match in the last column of a line the cursor is at the start
	 * of the next line, behind the newline.
	 */
	if (!vi && c->cx == 0 && copy_row_here(c) > copy_first(c) &&
	    copy_len(c, copy_row_here(c) - 1) == c->cols &&
	    !copy_wrapped(c, copy_row_here(c) - 1) && model.data[found] == '\n')
		found++;
	ck_assert_msg(places().at[COPY_AT_CURSOR] == found,
	    "sequence %lu: search for \"%s\" from byte %zu: %zu, not %zu, "
	    "at %u,%u of %ux%u; there is \"%.30s\"",
	    sequence, word, at, places().at[COPY_AT_CURSOR], found, c->cx,
	    c->cy, c->cols, c->rows,
	    (const char *)model.data + (found < 15 ? 0 : found - 15));
}

static bool
is_blank(uint8_t b)
{
	return b == ' ' || b == '\n';
}

/* The selected text is that between the two places in the model. */
static void
copy(bool vi)
{
	const struct places ps = places();
	size_t a = MIN_OF(ps.at[COPY_AT_SEL], ps.at[COPY_AT_END]);
	size_t b = MAX_OF(ps.at[COPY_AT_SEL], ps.at[COPY_AT_END]);
	struct vt_pos last;
	struct buf got;
	size_t i;

	if (!c->selecting || front > 0)
		return;
	/* goto-line may leave the cursor in half a character, as in tmux. */
	if (copy_is_tail(c, c->at[COPY_AT_SEL]) ||
	    copy_is_tail(c, c->at[COPY_AT_END]))
		return;
	/* With vi keys the cell at the end is selected, too. */
	last = vt_pos_compare(c->at[COPY_AT_SEL], c->at[COPY_AT_END]) > 0
		   ? c->at[COPY_AT_SEL]
		   : c->at[COPY_AT_END];
	if (vi && last.col < copy_len(c, last.row))
		while (b < model.len &&
		       (++b == model.len || (model.data[b] & 0xc0) == 0x80))
			;
	buf_init(&got, BUF_MAX);
	run("copy-selection-no-clear", NULL, 1, &got);
	/* As in tmux, blanks at the end of the last row are left out. */
	while (got.len > 0 && is_blank(got.data[got.len - 1]))
		buf_truncate(&got, got.len - 1);
	while (b > a && is_blank(model.data[b - 1]))
		b--;
	for (i = 0; i < got.len && i < b - a; i++)
		if (got.data[i] != model.data[a + i])
			break;
	(void)buf_add_u8(&got, 0);
	ck_assert_msg(i == got.len - 1 && i == b - a,
	    "sequence %lu: copied byte %zu of %zu, %zu: \"%.30s\", not "
	    "\"%.30s\"",
	    sequence, i, got.len - 1, b - a, (const char *)got.data + i,
	    (const char *)model.data + a + i);
	buf_fini(&got);
}

/* --- sequences ---------------------------------------------------------------------- */

/* The mode begins: its text is the end of all that was written. */
static void
begin(void)
{
	size_t n = written.len;

	begun = false;
	ck_assert_int_eq(copy_mode_open(p, p, 0), 0);
	c = copy_of(copy_mode_top(p));
	look();
	while (n > 0 && written.data[n - 1] == '\n')
		n--;
	CHECK(seen.len <= n);
	CHECK(seen.len == 0 ||
	      memcmp(seen.data, written.data + n - seen.len, seen.len) == 0);
	buf_truncate(&model, 0);
	(void)buf_add(&model, seen.data, seen.len);
	(void)buf_add(&model, "\0", 1);
	buf_truncate(&model, seen.len);
	begun = true;
}

static void
one_sequence(void)
{
	const bool wide = below(2) == 0, vi = below(2) == 0;
	struct places old;
	unsigned i, n;

	buf_truncate(&written, 0);
	resize(wide);
	new_term();
	set_keys(vi);
	n = below(24) == 0 ? below(1200) : below(70);
	for (i = 0; i < n; i++) {
		write_line(wide, true);
		if (below(100) == 0)
			resize(wide);
	}
	begin();
	for (i = 0; i < STEPS; i++) {
		switch (below(6)) {
		case 0:
		case 1:
			old = places();
			event(wide);
			same(&old);
			break;
		case 2:
			search(vi);
			break;
		case 3:
			copy(vi);
			break;
		default:
			move();
			break;
		}
	}
	pane_pop_modes(p);
}

START_TEST(places_name_the_same_text)
{
	const unsigned long seed = unit_seed(20260801);
	const unsigned n = unit_rounds(SEQUENCES);
	struct mux_event e;

	buf_init(&written, BUF_MAX);
	buf_init(&model, BUF_MAX);
	buf_init(&seen, BUF_MAX);
	m = mux_util_new();
	p = mux_util_session(m, "s")->current->window->active;
	for (sequence = seed; sequence < seed + n; sequence++) {
		/* UNIT_SEED=sequence repeats it as the first one. */
		chance = sequence;
		one_sequence();
		while (mux_next_event(m, &e))
			mux_event_fini(&e);
	}
	mux_util_free(m);
	buf_fini(&written);
	buf_fini(&model);
	buf_fini(&seen);
	mem_free(starts);
	starts = NULL;
}
END_TEST

UNIT_SUITE(copy_model)
{
	Suite *s = suite_create("copy_model");
	TCase *tc = tcase_create("copy_model");

	tcase_set_timeout(tc, 900);
	tcase_add_test(tc, places_name_the_same_text);
	suite_add_tcase(s, tc);
	return s;
}
