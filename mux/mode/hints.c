#include "mux/mode/hints.h"

#include <string.h>

#include "base/mem.h"
#include "mux/client.h"
#include "mux/mode/copy.h"
#include "mux/mode/hints_int.h"
#include "mux/mux.h"
#include "mux/window.h"

static struct hints_mode *
of(struct mode *m)
{
	return container_of(m, struct hints_mode, mode);
}

/* --- the text ----------------------------------------------------------------------- */

/* Takes what P shows below the hints: copy mode BELOW, or its program. */
static void
take_text(struct hints_mode *hm, const struct pane *p, struct mode *below)
{
	struct vt_pos at = { 0, 0 };
	struct vt_term_cursor cursor;
	struct text_grid grid;
	struct text *src;
	vt_row top = 0;

	src = below == NULL ? NULL : copy_mode_text(below, &top, &at);
	if (src == NULL) {
		text_grid_init(&grid, vt_term_grid(p->term));
		src = &grid.text;
		top = vt_grid_screen(grid.grid);
		cursor = vt_term_cursor(p->term);
		at = (struct vt_pos){ top + cursor.y, cursor.x };
	}
	hints_text_take(&hm->text, src, top, (unsigned)p->h);
	hm->cursor.row =
	    hm->text.top + (at.row > top ? (at.row - top) : (vt_row)0);
	hm->cursor.col = at.col;
}

static void
collect(struct hints_mode *hm)
{
	const struct options *o = &hm->mode.pane->window->options;
	const struct hints_ask ask = {
		.first = hm->text.top,
		.last = MIN_OF(hm->text.top + (vt_row)hm->mode.pane->h,
		    (vt_row)hm->text.count),
		.cursor = hm->cursor,
		.kinds = hm->kinds,
		.pattern = hm->pattern,
		.patterns = hm->patterns,
		.alphabet = options_string(o, OPTION_HINTS_ALPHABET),
	};

	hints_fini(&hm->hints);
	hints_collect(&hm->hints, &hm->text.text, &ask);
	mem_free(hm->picked);
	mem_free(hm->order);
	hm->picked = mem_calloc(hm->hints.texts + 1, sizeof(*hm->picked));
	hm->order = mem_calloc(hm->hints.texts + 1, sizeof(*hm->order));
	hm->picks = 0;
	hm->typed[0] = '\0';
}

/* The mode below HM, or NULL. */
static struct mode *
mode_below(const struct hints_mode *hm)
{
	struct list_node *n;
	bool found = false;

	LIST_FOREACH(n, &hm->mode.pane->modes) {
		struct mode *m = container_of(n, struct pane_mode, node)->data;

		if (found)
			return m;
		found = m == &hm->mode;
	}
	return NULL;
}

/* The pane may have another size. */
static void
fresh(struct hints_mode *hm)
{
	if (!hm->stale)
		return;
	hm->stale = false;
	take_text(hm, hm->mode.pane, mode_below(hm));
	collect(hm);
}

/* --- labels --------------------------------------------------------------------------- */

bool
hints_matches(const struct hints_mode *hm, const struct hint *h)
{
	char label[HINT_LABEL_MAX + 1];

	if (hm->typed[0] == '\0')
		return true;
	hint_labels_get(&hm->hints.labels, h->label, label);
	return strncmp(label, hm->typed, strlen(hm->typed)) == 0;
}

const struct hint *
hints_labelled(const struct hints_mode *hm, size_t label)
{
	size_t i;

	for (i = 0; i < hm->hints.count; i++)
		if (hm->hints.all[i].label == label)
			return &hm->hints.all[i];
	return NULL;
}

/* Whether a label begins with what is typed; *WHOLE is the label that is it. */
static bool
typed_good(const struct hints_mode *hm, size_t *whole)
{
	char label[HINT_LABEL_MAX + 1];
	const size_t n = strlen(hm->typed);
	bool good = false;
	size_t i;

	*whole = SIZE_MAX;
	for (i = 0; i < hm->hints.texts; i++) {
		hint_labels_get(&hm->hints.labels, i, label);
		if (strncmp(label, hm->typed, n) != 0)
			continue;
		good = true;
		if (label[n] == '\0')
			*whole = i;
	}
	return good;
}

/* --- input ----------------------------------------------------------------------------- */

static void
toggle(struct hints_mode *hm, size_t label)
{
	size_t i, n = 0;

	hm->picked[label] = !hm->picked[label];
	if (hm->picked[label]) {
		hm->order[hm->picks++] = label;
		return;
	}
	for (i = 0; i < hm->picks; i++)
		if (hm->order[i] != label)
			hm->order[n++] = hm->order[i];
	hm->picks = n;
}

static enum mode_did
chosen(struct hints_mode *hm, size_t label, enum hints_do what)
{
	hm->typed[0] = '\0';
	if (hm->several) {
		toggle(hm, label);
		/* A capital or Alt ends the set. */
		if (what == HINTS_COPY || hm->picks == 0)
			return MODE_TAKEN;
		hints_run_picked(hm, what);
		return MODE_LEFT;
	}
	hints_run(hm, hints_labelled(hm, label), what);
	return MODE_LEFT;
}

static enum mode_did
letter(struct hints_mode *hm, key_code key)
{
	const size_t n = strlen(hm->typed);
	enum hints_do what = HINTS_COPY;
	key_code c = key & KEY_MASK;
	size_t label;

	if ((c >= 'A' && c <= 'Z') || (key & KEY_SHIFT) != 0)
		what = HINTS_PASTE;
	if ((key & KEY_META) != 0)
		what = HINTS_OPEN;
	c |= c >= 'A' && c <= 'Z' ? 32 : 0;
	if (n >= HINT_LABEL_MAX)
		return MODE_TAKEN;
	hm->typed[n] = (char)c;
	hm->typed[n + 1] = '\0';
	if (!typed_good(hm, &label)) {
		/* A slip: keep what was right. */
		hm->typed[n] = '\0';
		return MODE_TAKEN;
	}
	return label == SIZE_MAX ? MODE_TAKEN : chosen(hm, label, what);
}

static enum mode_did
finish(struct hints_mode *hm)
{
	if (hm->picks == 0)
		return MODE_LEFT;
	hints_run_picked(hm, HINTS_COPY);
	return MODE_LEFT;
}

static enum mode_did
hints_key(struct mode *m, const struct key_event *ev)
{
	const key_code key = ev->key & ~(key_code)KEY_LOCKS;
	const key_code plain = key & ~(KEY_SHIFT | KEY_META);
	struct hints_mode *hm = of(m);
	size_t n;

	fresh(hm);
	mode_dirty(m);
	switch (key) {
	case KEY_ESCAPE:
	case '[' | KEY_CTRL:
	case 'c' | KEY_CTRL:
	case 'g' | KEY_CTRL:
		return MODE_LEFT;
	case 'q':
		if (strchr(hm->hints.labels.letters, 'q') == NULL)
			return MODE_LEFT;
		break;
	case KEY_BSPACE:
	case 'h' | KEY_CTRL:
		n = strlen(hm->typed);
		hm->typed[n > 0 ? n - 1 : 0] = '\0';
		return MODE_TAKEN;
	case KEY_TAB:
	case 'i' | KEY_CTRL:
		if (hm->several)
			return finish(hm);
		hm->several = true;
		return MODE_TAKEN;
	case KEY_ENTER:
	case 'm' | KEY_CTRL:
		return hm->several ? finish(hm) : MODE_TAKEN;
	default:
		break;
	}
	return plain < 0x80 ? letter(hm, key) : MODE_TAKEN;
}

static enum mode_did
hints_mouse(struct mode *m, const struct mouse_event *ev)
{
	struct hints_mode *hm = of(m);
	const struct hint *h;
	struct vt_pos at;
	size_t i;

	fresh(hm);
	if (ev->action != MOUSE_PRESS || ev->x < 0 || ev->y < 0 ||
	    (ev->button != MOUSE_LEFT && ev->button != MOUSE_MIDDLE))
		return MODE_TAKEN;
	at = (struct vt_pos){ hm->text.top + (unsigned)ev->y, (unsigned)ev->x };
	for (i = 0; i < hm->hints.count; i++) {
		h = &hm->hints.all[i];
		if (vt_pos_compare(h->at.start, at) > 0 ||
		    vt_pos_compare(at, h->at.end) >= 0)
			continue;
		mode_dirty(m);
		return chosen(hm, h->label,
		    ev->button == MOUSE_LEFT ? HINTS_COPY : HINTS_PASTE);
	}
	return MODE_TAKEN;
}

/* --- life ------------------------------------------------------------------------------- */

static void
hints_paint(struct mode *m, struct vt_frame *f, const struct mode_paint *paint)
{
	fresh(of(m));
	hints_draw(m, f, paint);
}

static void
hints_resize(struct mode *m)
{
	/* A copy mode below is told after this one. */
	of(m)->stale = true;
}

static void
discard(struct hints_mode *hm)
{
	size_t i;

	for (i = 0; i < hm->patterns; i++)
		vt_search_free(hm->pattern[i]);
	hints_fini(&hm->hints);
	hints_text_fini(&hm->text);
	mem_free(hm->picked);
	mem_free(hm->order);
	mem_free(hm);
}

static void
hints_free(struct mode *m)
{
	discard(of(m));
}

static const struct mode_ops hints_ops = {
	.name = "hints-mode",
	.draw = hints_paint,
	.key = hints_key,
	.mouse = hints_mouse,
	.resize = hints_resize,
	.free = hints_free,
};

/* Compiles hints-patterns; keeps the message about the first bad one. */
static void
take_patterns(
    struct hints_mode *hm, const struct options *o, struct cause *cause)
{
	const struct option_entry *e = options_get(o, OPTION_HINTS_PATTERNS);
	struct cause why = { NULL };
	const char *text;
	char key[16];
	size_t i;

	for (i = 0; e != NULL && i < e->count; i++) {
		text = e->items[i].value.string;
		if (*text == '\0')
			continue;
		if (hm->patterns == HINTS_PATTERNS_MAX) {
			(void)cause_set(cause, -ERR_LIMIT,
			    "hints-patterns: only %d patterns are used",
			    HINTS_PATTERNS_MAX);
			break;
		}
		if (vt_search_new(&hm->pattern[hm->patterns], text,
			strlen(text), VT_SEARCH_REGEX, &why) == 0)
			hm->patterns++;
		else if (*cause_text(cause) == '\0')
			(void)cause_set(cause, -ERR_SYNTAX,
			    "hints-patterns[%s] is left out: %s",
			    option_key_text(e->items[i].index, e->items[i].word,
				key, sizeof(key)),
			    cause_text(&why));
		cause_fini(&why);
	}
}

int
mode_hints_open(
    struct pane *p, const struct mode_hints_start *start, struct cause *cause)
{
	struct mode *top = mode_top(p);
	struct hints_mode *hm;
	unsigned kinds = (1U << HINT_KINDS) - 1;
	struct vt_pos at;
	vt_row row;
	int r;

	if (top != NULL && top->ops == &hints_ops)
		return 0;
	if (top != NULL && copy_mode_text(top, &row, &at) == NULL)
		return cause_set(cause, -ERR_STATE,
		    "hints need a program or copy mode in the pane: leave %s "
		    "first",
		    top->ops->name);
	if (start->kinds != NULL &&
	    (r = hint_kinds_parse(start->kinds, &kinds, cause)) != 0)
		return r;
	hm = mem_zalloc(sizeof(*hm));
	hm->host = start->host;
	hm->client = start->client == NULL ? MUX_NONE : start->client->id;
	hm->kinds = kinds;
	hm->mode.pane = p;
	take_patterns(hm, &p->window->options, cause);
	take_text(hm, p, top);
	collect(hm);
	if (hm->hints.count == 0) {
		discard(hm);
		return *cause_text(cause) != '\0'
			   ? -ERR_NOTFOUND
			   : cause_set(cause, -ERR_NOTFOUND,
				 "the pane shows nothing to label");
	}
	if ((r = mode_push(p, &hm->mode, &hints_ops)) != 0) {
		discard(hm);
		return cause_set(cause, r, "too many modes in the pane");
	}
	return 0;
}
