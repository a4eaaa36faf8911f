#include "server/face/numbers.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "mux/client.h"
#include "mux/session.h"
#include "mux/window.h"
#include "server/face/redraw.h"
#include "server/face/role.h"
#include "server/face/viewer.h"

#define DIGIT_W 5
#define DIGIT_H 5
#define DIGIT_STEP (DIGIT_W + 1)

struct numbers {
	mono_ms until;
	bool keys;
	numbers_done_fn done;
	void *arg;
};

/* One row a digit: five rows of five bits, the leftmost the highest. */
static const uint8_t digits[10][DIGIT_H] = {
	{ 0x1f, 0x11, 0x11, 0x11, 0x1f },
	{ 0x01, 0x01, 0x01, 0x01, 0x01 },
	{ 0x1f, 0x01, 0x1f, 0x10, 0x1f },
	{ 0x1f, 0x01, 0x1f, 0x01, 0x1f },
	{ 0x11, 0x11, 0x1f, 0x01, 0x01 },
	{ 0x1f, 0x10, 0x1f, 0x01, 0x1f },
	{ 0x1f, 0x10, 0x1f, 0x11, 0x1f },
	{ 0x1f, 0x01, 0x01, 0x01, 0x01 },
	{ 0x1f, 0x11, 0x1f, 0x11, 0x1f },
	{ 0x1f, 0x11, 0x1f, 0x01, 0x1f },
};

static void
numbers_end(struct viewer *vw, uint32_t pane)
{
	struct numbers *n = vw->numbers;

	vw->numbers = NULL;
	vw->chrome_dirty = true;
	viewer_dirty(vw);
	n->done(n->arg, pane);
	mem_free(n);
}

void
numbers_open(
    struct viewer *vw, mono_ms ms, bool keys, numbers_done_fn done, void *arg)
{
	numbers_close(vw);
	vw->numbers = mem_zalloc(sizeof(*vw->numbers));
	vw->numbers->until =
	    ms == 0 ? MONO_NEVER : mono_add(loop_now(vw->run->loop), ms);
	vw->numbers->keys = keys && role_prompts(vw->client);
	vw->numbers->done = done;
	vw->numbers->arg = arg;
	vw->chrome_dirty = true;
	viewer_dirty(vw);
}

void
numbers_close(struct viewer *vw)
{
	if (vw->numbers != NULL)
		numbers_end(vw, MUX_NONE);
}

bool
numbers_key(struct viewer *vw, const struct key_event *key)
{
	const struct session *s = vw->client->session;
	key_code k = key->key & ~(key_code)KEY_LOCKS;
	struct pane *p = NULL;
	int index = -1;

	if (vw->numbers == NULL || !vw->numbers->keys)
		return false;
	if (k >= '0' && k <= '9')
		index = (int)(k - '0');
	else if (k >= 'a' && k <= 'z')
		index = 10 + (int)(k - 'a');
	if (index >= 0 && s != NULL && s->current != NULL)
		p = window_pane_at_index(s->current->window, index);
	numbers_end(vw, p == NULL ? MUX_NONE : p->id);
	/* Another key also does what it always does. */
	return index >= 0;
}

mono_ms
numbers_due(const struct viewer *vw)
{
	return vw->numbers == NULL ? MONO_NEVER : vw->numbers->until;
}

/* Fills the blocks of the digits of TEXT into F from (x, y). */
static void
draw_digits(struct vt_frame *f, unsigned x, unsigned y, const char *text,
    const struct pen *pen)
{
	unsigned i, j;

	for (; *text != '\0'; text++, x += DIGIT_STEP)
		for (j = 0; j < DIGIT_H; j++)
			for (i = 0; i < DIGIT_W; i++)
				if (digits[*text - '0'][j] & (0x10u >> i))
					vt_frame_fill(f,
					    &(struct vt_rect){ x + i, y + j,
						x + i + 1, y + j + 1 },
					    pen);
}

/* The frame of P with its number and size drawn over it. */
static struct vt_frame *
draw_pane(struct viewer *vw, struct pane *p, colour shade)
{
	struct vt_frame *shown = vt_term_frame(p->term, 0), *f;
	struct pen block = { .bg = shade }, plain = { .fg = shade };
	unsigned cols = shown->cols, rows = shown->rows, x;
	char text[16], letter[2] = "";
	int index = pane_index(p);
	size_t n;

	f = vt_frame_new(cols, rows);
	f->state.modes &= ~(uint32_t)VT_FRAME_CURSOR_VISIBLE;
	vt_frame_blit(f, 0, 0, shown, &(struct vt_rect){ 0, 0, cols, rows });
	vt_frame_unref(shown);
	n = (size_t)snprintf(text, sizeof(text), "%d", index);
	if (index > 9 && index < 36)
		letter[0] = (char)('a' + index - 10);
	if (cols >= n * DIGIT_STEP && rows >= DIGIT_H) {
		x = cols / 2 - (unsigned)n * DIGIT_STEP / 2;
		draw_digits(f, x, rows / 2 - DIGIT_H / 2, text, &block);
		if (rows > DIGIT_H + 1)
			redraw_pane_text(
			    vw, f, p, OPTION_DISPLAY_PANES_FORMAT, &plain);
		if (rows > DIGIT_H + 1 && *letter != '\0')
			(void)vt_frame_text(f, vw->run->graphemes,
			    x + (unsigned)n * DIGIT_STEP - 2,
			    rows / 2 + DIGIT_H - DIGIT_H / 2, cols, letter, 1,
			    &plain);
	} else if (n <= cols)
		(void)vt_frame_text(f, vw->run->graphemes,
		    (cols - (unsigned)n) / 2, rows / 2, cols, text, n, &plain);
	return f;
}

void
numbers_draw(struct viewer *vw, struct sync_view *v, const struct window *w,
    uint64_t base)
{
	const struct options *o = &vw->client->session->options;
	struct list_node *n;
	struct vt_frame *f;
	struct pane *p;

	if (vw->numbers == NULL)
		return;
	WINDOW_FOREACH_PANE(p, n, w)
	{
		if (!pane_visible(p))
			continue;
		f = draw_pane(vw, p,
		    options_colour(o, p == w->active
					  ? OPTION_DISPLAY_PANES_ACTIVE_COLOUR
					  : OPTION_DISPLAY_PANES_COLOUR));
		sync_view_add(v, base + p->id, SYNC_SURFACE_OVERLAY,
		    vw->window_x + p->x, vw->window_y + p->y, f);
		vt_frame_unref(f);
	}
}
