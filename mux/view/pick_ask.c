#include "mux/view/pick_ask.h"

#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "mux/sync/frame.h"
#include "mux/sync/prompt_edit.h"
#include "mux/view/ask_key.h"

struct pick_ask {
	struct list_replay *list;
	const struct list_wire *wire; /* of LIST */
	const struct grapheme_table *graphemes;
	struct vt_frame *frame; /* the line without message and text */
	unsigned open;          /* number of the question, from 1; 0: none */
	char *message;
	struct prompt_edit edit;
	bool narrows;
};

/* --- drawing ------------------------------------------------------------------ */

struct vt_frame *
pick_ask_draw(const struct vt_frame *frame, const struct grapheme_table *gt,
    const char *message, const struct prompt_edit *edit, const struct pen *pen)
{
	const size_t n = strlen(message);
	struct vt_frame *f;
	unsigned x;

	/* The server draws it as text, too, but where it ends is its affair. */
	if (grapheme_text_width(gt, message, n) + 1 >= frame->cols)
		return NULL;
	f = vt_frame_clone(frame);
	x = vt_frame_text(f, gt, 0, 0, f->cols, message, n, pen);
	prompt_edit_draw(edit, gt, f, x, pen);
	return f;
}

struct vt_frame *
pick_ask_line(const struct pick_ask *a, int *x, int *y)
{
	if (a->open == 0)
		return NULL;
	*x = a->wire->line.x;
	*y = a->wire->line.y;
	return pick_ask_draw(
	    a->frame, a->graphemes, a->message, &a->edit, &a->wire->line.pen);
}

/* --- life ----------------------------------------------------------------------- */

void
pick_ask_free(struct pick_ask *a)
{
	if (a == NULL)
		return;
	vt_frame_unref(a->frame);
	prompt_edit_fini(&a->edit);
	mem_free(a->message);
	mem_free(a);
}

static int
load(struct pick_ask *a)
{
	const struct list_line *line = &a->wire->line;
	struct vt_frame *f;
	struct rd r;
	int x, y;

	rd_init(&r, line->frame, line->frame_len);
	peer_check(sync_frame_apply(NULL, &r, &a->frame) == 0);
	peer_check(a->frame->rows == 1);
	if (!line->open)
		return 0;
	a->open = a->wire->open;
	a->message = mem_strdup(line->message);
	prompt_edit_set(&a->edit, line->text);
	a->edit.at = line->at;
	f = pick_ask_line(a, &x, &y);
	peer_check(f != NULL);
	vt_frame_unref(f);
	return 0;
}

int
pick_ask_new(struct pick_ask **out, struct list_replay *list,
    const struct grapheme_table *gt)
{
	const struct list_wire *w = list_replay_wire(list);
	struct pick_ask *a;
	int e;

	*out = NULL;
	if (w->separators == NULL)
		return 0;
	a = mem_zalloc(sizeof(*a));
	a->list = list;
	a->wire = w;
	a->graphemes = gt;
	prompt_edit_init(&a->edit, w->separators);
	if ((e = load(a)) != 0) {
		pick_ask_free(a);
		return e;
	}
	*out = a;
	return 0;
}

/* --- keys ------------------------------------------------------------------------- */

static const struct list_wire_ask *
question(const struct pick_ask *a)
{
	return &a->wire->asks[a->open - 1];
}

static enum pick_did
shut(struct pick_ask *a, enum pick_did did)
{
	a->open = 0;
	mem_free(a->message);
	a->message = NULL;
	return did;
}

/* Opens the question of KEY; false: it has none that is known. */
static bool
open_ask(struct pick_ask *a, key_code key)
{
	const struct list_wire_ask *q;
	unsigned number = 0;
	char *text = list_replay_ask(a->list, key, &number);
	struct vt_frame *f;
	int x, y;

	/* A question that is not asked: the key does nothing. */
	if (text == NULL)
		return number > 0;
	q = &a->wire->asks[number - 1];
	a->open = number;
	a->message = text;
	mem_free(a->edit.cut);
	a->edit.cut = NULL;
	/* A list that narrows is asked for all of its text. */
	prompt_edit_set(&a->edit,
	    (q->ask.flags & (MODE_LIST_ASK_NARROWS | MODE_LIST_ASK_KEY)) != 0
		? ""
		: q->input);
	a->narrows =
	    (q->ask.flags & MODE_LIST_ASK_NARROWS) != 0 && *q->input != '\0';
	if ((f = pick_ask_line(a, &x, &y)) == NULL) {
		(void)shut(a, PICK_DONE);
		return false;
	}
	vt_frame_unref(f);
	return true;
}

/* The answer is the text: what it does is not known, unless it is nothing. */
static enum pick_did
answer(struct pick_ask *a)
{
	const struct list_wire_ask *q = question(a);
	const char *text = prompt_edit_text(&a->edit);
	bool same;

	if ((q->ask.flags & MODE_LIST_ASK_KEY) != 0)
		same = !mode_list_yes(text);
	else
		same = (q->ask.flags & MODE_LIST_ASK_NARROWS) == 0 &&
		       strcmp(text, q->input) == 0;
	return shut(a, same ? PICK_DONE : PICK_SENT);
}

/* A key while a line is typed. */
static enum pick_did
line_key(struct pick_ask *a, key_code k)
{
	const bool narrows =
	    (question(a)->ask.flags & MODE_LIST_ASK_NARROWS) != 0;

	switch (ask_key_line(&a->edit, a->wire->line.vi, false, k)) {
	case ASK_DID_STAYS:
		return PICK_DONE;
	case ASK_DID_CHANGED:
		a->narrows = a->narrows || narrows;
		return PICK_DONE;
	case ASK_DID_ACCEPTED:
		return answer(a);
	case ASK_DID_LEFT:
		/* The list is as wide as before. */
		return shut(a, narrows ? PICK_SENT : PICK_DONE);
	case ASK_DID_BACK:
	case ASK_DID_ON:
		return narrows ? PICK_UNKNOWN : PICK_DONE;
	case ASK_DID_UNKNOWN:
		break;
	}
	return PICK_UNKNOWN;
}

bool
pick_ask_key(struct pick_ask *a, key_code key, enum pick_did *did)
{
	const key_code k = key & ~(key_code)KEY_LOCKS;

	*did = PICK_DONE;
	if (a->open == 0)
		return open_ask(a, k);
	if (key_is_mouse(k)) {
		*did = PICK_UNKNOWN;
	} else if ((question(a)->ask.flags & MODE_LIST_ASK_KEY) == 0) {
		*did = line_key(a, k);
	} else {
		switch (ask_key_single(&a->edit, k)) {
		case ASK_DID_ACCEPTED:
			*did = answer(a);
			break;
		case ASK_DID_LEFT:
			*did = shut(a, PICK_DONE);
			break;
		default:
			break;
		}
	}
	return true;
}

/* --- state -------------------------------------------------------------------------- */

bool
pick_ask_open(const struct pick_ask *a)
{
	return a->open > 0;
}

bool
pick_ask_narrows(const struct pick_ask *a)
{
	return a->narrows;
}

void
pick_ask_state(struct pick_ask *a, struct list_open *out)
{
	*out = (struct list_open){ .ask = a->open };
	if (a->open == 0)
		return;
	out->at = a->edit.at;
	out->text = prompt_edit_text(&a->edit);
	out->message = a->message;
}
