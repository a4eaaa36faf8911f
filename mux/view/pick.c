#include "mux/view/pick.h"

#include "base/err.h"
#include "base/mem.h"
#include "mux/mode/list_replay.h"
#include "mux/mode/switch_replay.h"
#include "mux/view/menu_replay.h"
#include "mux/view/palette_replay.h"
#include "mux/view/pick_ask.h"

/* One of the replays, by KIND. */
struct pick {
	enum pick_kind kind;
	uint64_t surface;
	int x; /* of the surface on the client */
	int y;
	bool covered; /* a surface above it may take the mouse */
	struct list_replay *list;
	struct pick_ask *ask; /* the questions of LIST; NULL: none are known */
	struct menu_replay *menu;
	struct palette_replay *palette;
	struct switch_replay *switcher;
};

static int
load_list(struct pick *p, const struct pick_cfg *cfg)
{
	int e = list_replay_new(&p->list, cfg);

	if (e == 0 && (e = pick_ask_new(&p->ask, p->list, cfg->graphemes)) != 0)
		list_replay_free(p->list);
	return e;
}

static int
load(struct pick *p, const struct pick_cfg *cfg)
{
	switch (p->kind) {
	case PICK_LIST:
		return load_list(p, cfg);
	case PICK_MENU:
		return menu_replay_new(&p->menu, cfg);
	case PICK_PALETTE:
		return palette_replay_new(&p->palette, cfg);
	case PICK_SWITCH:
		return switch_replay_new(&p->switcher, cfg);
	default:
		return -ERR_PEER;
	}
}

static bool
is_covered(const struct sync_view *v, const struct sync_surface *of, bool asked)
{
	const struct sync_surface *s;

	/* Its own prompt goes when it ends. */
	for (s = of + 1; s < v->surfaces + v->nsurfaces; s++)
		if (!(asked && s->id == VIEW_SURFACE_LINE) &&
		    s->x < of->x + of->frame->cols &&
		    s->x + s->frame->cols > of->x &&
		    s->y < of->y + of->frame->rows &&
		    s->y + s->frame->rows > of->y)
			return true;
	return false;
}

int
pick_new(struct pick **out, const struct sync_view *v,
    const struct grapheme_table *gt)
{
	const struct sync_pick *from = v->pick;
	const struct sync_surface *s = sync_view_find(v, from->surface);
	struct pick_cfg cfg = {
		.state = vt_str_text(from->state),
		.state_len = from->state == NULL ? 0 : from->state->len,
		.rows = vt_str_text(from->rows),
		.rows_len = from->rows == NULL ? 0 : from->rows->len,
		.graphemes = gt,
	};
	struct pick *p;
	int e;

	*out = NULL;
	peer_check(s != NULL);
	cfg.picture = s->frame;
	p = mem_zalloc(sizeof(*p));
	p->kind = (enum pick_kind)from->kind;
	p->surface = from->surface;
	p->x = s->x;
	p->y = s->y;
	if ((e = load(p, &cfg)) != 0) {
		mem_free(p);
		return e;
	}
	p->covered = is_covered(v, s, p->ask != NULL && pick_ask_open(p->ask));
	*out = p;
	return 0;
}

void
pick_free(struct pick *p)
{
	if (p == NULL)
		return;
	pick_ask_free(p->ask);
	list_replay_free(p->list);
	menu_replay_free(p->menu);
	palette_replay_free(p->palette);
	switch_replay_free(p->switcher);
	mem_free(p);
}

enum pick_did
pick_key(struct pick *p, key_code key)
{
	enum pick_did did;

	switch (p->kind) {
	case PICK_LIST:
		if (p->ask != NULL && pick_ask_key(p->ask, key, &did))
			return did;
		return list_replay_key(p->list, key);
	case PICK_MENU:
		return menu_replay_key(p->menu, key);
	case PICK_SWITCH:
		return switch_replay_key(p->switcher, key);
	case PICK_PALETTE:
		break;
	}
	return palette_replay_key(p->palette, key);
}

enum pick_did
pick_mouse(struct pick *p, const struct mouse_event *ev)
{
	struct mouse_event at = *ev;

	/* The server does nothing with positions in pixels. */
	if (ev->px >= 0)
		return PICK_UNKNOWN;
	switch (p->kind) {
	case PICK_LIST:
		if (p->covered || (p->ask != NULL && pick_ask_open(p->ask)))
			return PICK_UNKNOWN;
		at.x -= p->x;
		at.y -= p->y;
		return list_replay_mouse(p->list, &at);
	case PICK_SWITCH:
		if (p->covered)
			return PICK_UNKNOWN;
		at.x -= p->x;
		at.y -= p->y;
		return switch_replay_mouse(p->switcher, &at);
	case PICK_MENU:
		return menu_replay_mouse(p->menu, ev);
	case PICK_PALETTE:
		break;
	}
	return palette_replay_mouse(p->palette, ev);
}

bool
pick_shows(const struct pick *p, uint64_t surface)
{
	return surface == p->surface ||
	       (p->kind == PICK_PALETTE &&
		   surface == VIEW_SURFACE_PALETTE_LINE);
}

struct vt_frame *
pick_draw(struct pick *p, uint64_t surface)
{
	switch (p->kind) {
	case PICK_LIST:
		return list_replay_draw(p->list);
	case PICK_MENU:
		return menu_replay_draw(p->menu);
	case PICK_SWITCH:
		return switch_replay_draw(p->switcher);
	case PICK_PALETTE:
		break;
	}
	return surface == VIEW_SURFACE_PALETTE_LINE
		   ? palette_replay_query(p->palette)
		   : palette_replay_draw(p->palette);
}

struct vt_frame *
pick_line(const struct pick *p, int *x, int *y)
{
	return p->ask == NULL ? NULL : pick_ask_line(p->ask, x, y);
}

bool
pick_unknown(const struct pick *p, uint64_t surface, struct vt_rect *out)
{
	*out = (struct vt_rect){ 0, 0, VT_COLS_MAX, VT_ROWS_MAX };
	if (p->kind == PICK_LIST)
		return (p->ask != NULL && pick_ask_narrows(p->ask)) ||
		       list_replay_unknown(p->list, out);
	return p->kind == PICK_PALETTE && surface == VIEW_SURFACE_PALETTE &&
	       palette_replay_edited(p->palette);
}

void
pick_state(struct pick *p, struct buf *out)
{
	struct list_open open = { 0 };

	switch (p->kind) {
	case PICK_LIST:
		if (p->ask != NULL)
			pick_ask_state(p->ask, &open);
		list_replay_state(p->list, &open, out);
		break;
	case PICK_MENU:
		menu_replay_state(p->menu, out);
		break;
	case PICK_PALETTE:
		palette_replay_state(p->palette, out);
		break;
	case PICK_SWITCH:
		switch_replay_state(p->switcher, out);
		break;
	}
}
