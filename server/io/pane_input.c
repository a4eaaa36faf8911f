#include "server/io/pane_input.h"

#include "base/mem.h"
#include "mux/mux.h"
#include "mux/vt/input_encode.h"
#include "mux/window.h"
#include "server/io/pane_io.h"
#include "server/run/run.h"

/* CELL is the size of a cell in pixels. */
static void
modes_of(const struct pane_io *io, const struct pane_input_cell *cell,
    struct vt_input_modes *m)
{
	int64_t extended;

	vt_input_modes_of(m, io->term);
	m->format_csi_u =
	    options_number(&io->all->run->mux->server_options,
		OPTION_EXTENDED_KEYS_FORMAT) == EXTENDED_KEYS_FORMAT_CSI_U;
	extended = options_number(
	    &io->all->run->mux->server_options, OPTION_EXTENDED_KEYS);
	/* As in tmux, programs that have not asked get level 1. */
	if (extended == EXTENDED_KEYS_OFF)
		m->modify_other = 0;
	else if (extended == EXTENDED_KEYS_ALWAYS && m->modify_other == 0)
		m->modify_other = 1;
	m->home_tilde = true; /* as in the terminals "screen" and "tmux" */
	m->cell_w = cell->w;
	m->cell_h = cell->h;
}

/*
 * Replaces Backspace by the key of the option backspace; if a command NAMED it,
 * with any modifiers, as tmux does. With kitty's protocol the program gets the
 * key itself.
 */
static bool
backspace(struct pane_ios *ps, const struct vt_input_modes *m,
    const struct key_event *key, bool named, struct key_event *instead)
{
	const key_code mods = named ? KEY_MODS : 0;
	key_code k =
	    options_key(&ps->run->mux->server_options, OPTION_BACKSPACE);

	if ((key->key & ~(KEY_LOCKS | mods)) != KEY_BSPACE || m->kitty != 0 ||
	    k == KEY_BSPACE || k == KEY_NONE || k == 0x7f)
		return false;
	/* DEL is what Backspace alone sends anyway. */
	if (k == ('?' | KEY_CTRL) && (key->key & mods) == 0)
		return false;
	*instead = *key;
	instead->key = k | (key->key & mods);
	instead->text[0] = '\0';
	return true;
}

/* NAME is the text by which a command names the key, or NULL. */
static int
give_key(struct pane_io *io, const struct pane_input_cell *cell,
    const struct key_event *key, const char *name)
{
	struct key_event instead;
	struct vt_input_modes m;
	struct buf b;
	int r;

	buf_init(&b, 256);
	modes_of(io, cell, &m);
	if (backspace(io->all, &m, key, name != NULL, &instead)) {
		/* Backspace alone has its byte in every encoding. */
		if ((key->key & KEY_MODS) == 0)
			m.modify_other = 0;
		key = &instead;
	}
	r = name == NULL ? vt_input_key(&b, &m, key)
			 : vt_input_named(&b, &m, key->key, name);
	if (r == 0 && b.len > 0)
		r = pane_io_write(io, b.data, b.len);
	if (b.len > 0)
		mem_wipe(b.data, b.len);
	buf_fini(&b);
	return r;
}

int
pane_input_io_key(struct pane_io *io, const struct pane_input_cell *cell,
    const struct key_event *key)
{
	return give_key(io, cell, key, NULL);
}

int
pane_input_io_paste(struct pane_io *io, const struct pane_input_cell *cell,
    const void *bytes, size_t n, bool bracketed)
{
	struct vt_input_modes m;
	struct buf b;
	int r;

	buf_init(&b, PANE_INPUT_MAX);
	modes_of(io, cell, &m);
	m.bracketed_paste = m.bracketed_paste && bracketed;
	r = vt_input_paste(&b, &m, bytes, n, 0);
	if (r == 0)
		r = pane_io_write(io, b.data, b.len);
	buf_fini(&b);
	return r;
}

/* A click into the line that a shell edits moves its cursor. */
static void
give_click(struct buf *b, const struct vt_term *t,
    const struct vt_input_modes *m, const struct mouse_event *ev)
{
	struct vt_click_keys keys;
	unsigned i;

	if (m->mouse != VT_MOUSE_OFF || ev->action != MOUSE_RELEASE ||
	    ev->button != MOUSE_LEFT || ev->mods != 0 ||
	    !vt_term_click(t, ev->x, ev->y, &keys))
		return;
	if (keys.report)
		(void)buf_addf(b, "\033[<0;%d;%dM", ev->x + 1, ev->y + 1);
	for (i = 0; i < keys.steps; i++)
		(void)buf_addf(b, "\033%c%c", m->app_cursor ? 'O' : '[',
		    keys.back ? 'D' : 'C');
}

void
pane_input_io_mouse(struct pane_io *io, const struct pane_input_cell *cell,
    const struct mouse_event *ev)
{
	struct vt_input_modes m;
	struct buf b;

	buf_init(&b, 256 + 3 * VT_CLICK_STEPS_MAX);
	modes_of(io, cell, &m);
	give_click(&b, io->term, &m, ev);
	if (vt_input_mouse(&b, &m, ev) == 0 && b.len > 0)
		(void)pane_io_write(io, b.data, b.len);
	buf_fini(&b);
}

/* --- panes ---------------------------------------------------------------------- */

struct pane_io *
pane_input_open(struct pane_ios *ps, const struct pane *p)
{
	return p->flags & PANE_INPUT_OFF ? NULL : pane_io_find(ps, p->id);
}

static struct pane_input_cell
cell_of(const struct pane *p)
{
	return (struct pane_input_cell){ (uint16_t)p->window->outer.cell_w,
		(uint16_t)p->window->outer.cell_h };
}

void
pane_input_modes(
    struct pane_ios *ps, const struct pane *p, struct vt_input_modes *m)
{
	const struct pane_input_cell cell = cell_of(p);

	modes_of(pane_io_find(ps, p->id), &cell, m);
}

int
pane_input_bytes(
    struct pane_ios *ps, struct pane *p, const void *bytes, size_t n)
{
	struct pane_io *io = pane_input_open(ps, p);

	return io == NULL ? -ERR_CLOSED : pane_io_write(io, bytes, n);
}

int
pane_input_whole(
    struct pane_ios *ps, struct pane *p, const void *bytes, size_t n)
{
	struct pane_io *io = pane_input_open(ps, p);

	return io == NULL ? -ERR_CLOSED : pane_io_write_whole(io, bytes, n);
}

static void
key_to_pane(struct pane_ios *ps, struct pane *p, const struct key_event *key,
    const char *name)
{
	const struct pane_input_cell cell = cell_of(p);
	struct pane_io *io = pane_input_open(ps, p);

	if (io != NULL)
		(void)give_key(io, &cell, key, name);
}

int
pane_input_paste(struct pane_ios *ps, struct pane *p, const void *bytes,
    size_t n, bool bracketed)
{
	const struct pane_input_cell cell = cell_of(p);
	struct pane_io *io = pane_input_open(ps, p);

	return io == NULL ? -ERR_CLOSED
			  : pane_input_io_paste(io, &cell, bytes, n, bracketed);
}

void
pane_input_mouse(
    struct pane_ios *ps, struct pane *p, const struct mouse_event *ev)
{
	const struct pane_input_cell cell = cell_of(p);
	struct pane_io *io = pane_input_open(ps, p);

	if (io != NULL)
		pane_input_io_mouse(io, &cell, ev);
}

void
pane_input_named(struct pane_ios *ps, struct pane *p,
    const struct key_event *key, const char *name)
{
	struct list_node *n;
	struct pane *q;

	key_to_pane(ps, p, key, name);
	if (!pane_synchronized(p))
		return;
	WINDOW_FOREACH_PANE(q, n, p->window)
	if (q != p && pane_synchronized(q))
		key_to_pane(ps, q, key, name);
}

void
pane_input_keys(
    struct pane_ios *ps, struct pane *p, const struct key_event *key)
{
	pane_input_named(ps, p, key, NULL);
}
