#include "regress/predict/tape.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "mux/vt/frame.h"
#include "mux/vt/term.h"
#include "regress/predict/strange.h"

#define TAPE_COLS 80
#define TAPE_ROWS 24

void
tape_load(struct tape *t, const char *path)
{
	uint32_t tty = VT_FRAME_ECHO | VT_FRAME_CANONICAL;
	const struct script_line *l;
	const char *word;
	size_t i;

	memset(t, 0, sizeof(*t));
	word = strrchr(path, '/');
	t->name = word == NULL ? path : word + 1;
	script_load(&t->s, path);
	for (i = 0; i < t->s.count; i++) {
		l = &t->s.lines[i];
		word = l->argv[0].p;
		if (strcmp(word, "size") == 0 && l->argc == 2)
			(void)sscanf(l->argv[1].p, "%ux%u", &t->cols, &t->rows);
		else if (strcmp(word, "tty") == 0)
			tty = (script_has(l, "echo") ? VT_FRAME_ECHO : 0u) |
			      (script_has(l, "canonical") ? VT_FRAME_CANONICAL
							  : 0u);
		if ((strcmp(word, "tty") == 0 || strcmp(word, "out") == 0) &&
		    t->nouts < TAPE_OUTS) {
			t->out[t->nouts].key = t->nkeys;
			t->out[t->nouts].tty = tty;
			if (word[0] == 'o' && l->argc == 3) {
				t->out[t->nouts].wait =
				    (mono_ms)script_num(&t->s, l, 1);
				t->out[t->nouts].bytes = l->argv[2].p;
				t->out[t->nouts].n = l->argv[2].n;
			}
			t->nouts++;
		} else if ((strcmp(word, "key") == 0 ||
			       strcmp(word, "secret") == 0) &&
			   t->nkeys < TAPE_KEYS) {
			t->secret[t->nkeys] = word[0] == 's';
			if (l->argc == 3)
				t->gap[t->nkeys] =
				    (mono_ms)script_num(&t->s, l, 2);
			t->key[t->nkeys++] = strtoull(l->argv[1].p, NULL, 16);
		}
	}
	if (t->cols == 0 || t->nkeys == 0)
		script_die(&t->s, &t->s.lines[0], "no tape");
}

void
tape_truth(struct tape *t, const struct grapheme_table *gt)
{
	struct vt_term_options opt = { .cols = t->cols,
		.rows = t->rows,
		.graphemes = (struct grapheme_table *)(uintptr_t)gt };
	struct vt_term *term;
	struct picture a, b;
	struct vt_effect e;
	size_t k, j, i = 0;
	const char *p;

	opt.pool = vt_pool_new();
	term = vt_term_new(&opt);
	picture_init(&a, t->cols, t->rows);
	picture_init(&b, t->cols, t->rows);
	truth_init(&t->truth, t->cols, t->rows, (unsigned)t->nkeys);
	picture_take(&a, term);
	for (k = 0; k <= t->nkeys; k++) {
		for (; i < t->nouts && t->out[i].key == k; i++) {
			if (t->out[i].bytes == NULL)
				continue;
			for (j = 0; j < t->out[i].n; j++) {
				p = t->out[i].bytes + j;
				vt_term_write(term, p, 1);
				if (*p != '\n' && *p != '\r' &&
				    j + 1 < t->out[i].n)
					continue;
				picture_take(&b, term);
				truth_see(&t->truth, (unsigned)k, &a, &b);
				picture_copy(&a, &b);
			}
			while (vt_term_next_effect(term, &e))
				vt_effect_fini(&e);
		}
		truth_set(&t->truth, (unsigned)k, &a);
	}
	picture_fini(&a);
	picture_fini(&b);
	vt_term_free(term);
	vt_pool_free(opt.pool);
}

/* --- generated programs ------------------------------------------------------ */

/* Appends the answer to the last key. */
static void
tape_answer(struct tape *t, const struct strange *s)
{
	const struct strange_piece *p;
	struct tape_out *o;
	size_t n = strange_pieces(s, &p), i;

	for (i = 0; i < n && t->nouts < TAPE_OUTS; i++, p++) {
		o = &t->out[t->nouts++];
		*o = (struct tape_out){ p->wait, t->nkeys, p->tty, NULL, 0 };
		if (p->to == p->from)
			continue;
		/* An offset, until the buffer has its last place. */
		o->bytes = (const char *)(uintptr_t)(t->bytes.len + 1);
		o->n = p->to - p->from;
		buf_add(&t->bytes, strange_output(s) + p->from, o->n);
	}
}

void
tape_strange(struct tape *t, uint64_t seed, unsigned keys)
{
	struct strange *s = strange_new(seed, TAPE_COLS, TAPE_ROWS);
	struct strange_press p;
	size_t i;

	memset(t, 0, sizeof(*t));
	buf_init(&t->bytes, SIZE_MAX / 16);
	snprintf(t->title, sizeof(t->title), "%s-%llu", strange_name(s),
	    (unsigned long long)seed);
	t->name = t->title;
	t->group = strange_group(s);
	t->cols = TAPE_COLS;
	t->rows = TAPE_ROWS;
	tape_answer(t, s);
	while (t->nkeys < MIN_OF(keys, TAPE_KEYS) && t->nouts < TAPE_OUTS) {
		strange_press(s, &p);
		strange_key(s, p.key);
		t->key[t->nkeys] = p.key;
		t->gap[t->nkeys] = p.waits ? 0 : p.gap;
		t->secret[t->nkeys] = p.secret;
		t->cause[t->nkeys++] = strange_causes(s);
		tape_answer(t, s);
	}
	for (i = 0; i < t->nouts; i++)
		if (t->out[i].bytes != NULL)
			t->out[i].bytes = (const char *)t->bytes.data +
					  (uintptr_t)t->out[i].bytes - 1;
	strange_free(s);
}

void
tape_free(struct tape *t)
{
	truth_fini(&t->truth);
	buf_fini(&t->bytes);
	if (t->title[0] == '\0')
		script_free(&t->s);
}
