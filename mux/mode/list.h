/*
 * mux/mode/list.h - the list behind choose-tree and the other choosers.
 *
 * Purpose:   a mode that shows items as rows of a tree, with a preview of the
 *            current one below: movement, tags, filter, search, order, keys by
 *            position, mouse, help.  A chooser gives it the items and what its
 *            own keys do.
 * Ownership: a chooser makes an object on the heap that begins with a struct
 *            mode_list and gives it to mode_list_open.  Items hold ids, never pointers into
 *            the model; each drawing and each key builds them again if the model
 *            has changed.
 * Units:     cells; lines are items that no collapsed parent hides.
 *
 * A user may press x for an item that is still on the screen but has gone.  A
 * list whose current item vanishes notes that; the next key that ends items
 * only says so.  Moves and clicks of the user clear the note.
 *
 * Errors:    at most MODE_LIST_MAX items; more are left out.
 * Source:    tmux(1), choose-tree.
 * Tests:     regress/unit/check_mode_list.c, regress/e2e/choose.sh
 */
#ifndef MUX_MODE_LIST_H
#define MUX_MODE_LIST_H

#include "conf/format.h"
#include "mux/mode/mode.h"
#include "mux/mode/request.h"

struct client;
struct keytables;
struct mode_list;
struct paste_buffer;
struct session;
struct winlink;

#define MODE_LIST_MAX 200000u
#define MODE_LIST_NONE UINT32_MAX

/* Where a format is expanded; each may be NULL. */
struct mode_where {
	struct client *client;
	struct session *session;
	struct winlink *link;
	struct pane *pane;
};

/* Calls of choosers to the server, which outlives them. */
struct mode_host {
	/* Expands FORMAT at WHERE with VARS: a new string (mem_free). */
	char *(*expand)(void *arg, const struct mode_where *where,
	    const struct format_var *vars, size_t count, const char *format);
	void *arg;
	struct mode_requests *requests;
	/* For customize-mode; keys may be NULL. */
	const struct keytables *keys;
};

struct mode_item {
	uint64_t id;      /* the same after the list was built again */
	uint32_t part[3]; /* the chooser's: ids, kinds */
	char *name;
	uint32_t parent; /* or MODE_LIST_NONE */
	uint32_t end;    /* the first item behind its children */
	uint16_t depth;
	uint8_t kind; /* which text of a question is its (MODE_LIST_ASK_KIND) */
	bool expanded;
	bool tagged;
	bool last;      /* of its siblings */
	bool flat;      /* no sibling has children */
	bool no_tag;    /* a heading */
	bool right;     /* the name is aligned to the right of its siblings' */
	bool ended;     /* the user has ended it: it will go */
	unsigned width; /* of the names of its siblings, if right */
};

/* The text of an item as a copy elsewhere was last told (list_wire.c). */
struct mode_list_told {
	uint64_t id; /* of the item */
	char *text;  /* NULL: none yet */
};

enum mode_list_view {
	MODE_LIST_NORMAL,
	MODE_LIST_OFF,
	MODE_LIST_BIG
};

/* A key of a chooser, for its help. */
struct mode_list_help {
	const char *keys;
	const char *text;
};

/* Part of the protocol. */
enum mode_list_ask_flag {
	MODE_LIST_ASK_KEY = 1,     /* one key answers: y, Y or Enter is yes */
	MODE_LIST_ASK_NARROWS = 2, /* each change is an answer */
	MODE_LIST_ASK_TAGS =
	    4, /* the second text is that of a list with tags */
	MODE_LIST_ASK_KIND = 8, /* each kind of item has its text */
	MODE_LIST_ASK_ALL = 15
};

#define MODE_LIST_ASK_KEYS 3
#define MODE_LIST_ASK_TEXTS 4

/*
 * A question that keys open.  In a text `%` stands for the item's name, with
 * MODE_LIST_ASK_TAGS for the number of tags.
 */
struct mode_list_ask {
	unsigned what;                          /* of its answer */
	unsigned flags;                         /* enum mode_list_ask_flag */
	key_code keys[MODE_LIST_ASK_KEYS];      /* 0: none */
	const char *texts[MODE_LIST_ASK_TEXTS]; /* NULL: it does not ask */
};

struct mode_list_ops {
	struct mode_ops mode;      /* from MODE_LIST_MODE, with a name */
	const char *noun;          /* "item" */
	const char *const *orders; /* NULL at the end; NULL: one order */
	unsigned box; /* rows of the preview, or 0: by the list's length */
	bool info;    /* i shows text instead of a picture */
	const struct mode_list_help *help; /* keys NULL at the end */
	/* Calls mode_list_add for each item, parents first. */
	void (*build)(struct mode_list *l);
	/* The text behind the name, a new string with styles. */
	char *(*text)(struct mode_list *l, const struct mode_item *it);
	/* Text that a search looks into besides the name, or NULL. */
	char *(*search)(struct mode_list *l, const struct mode_item *it);
	void (*preview)(struct mode_list *l, const struct mode_item *it,
	    struct vt_frame *f, const struct vt_rect *r,
	    const struct mode_paint *paint);
	/*
	 * A click on column X of the preview: selects what is there, or does
	 * something else and returns false.
	 */
	bool (*click)(struct mode_list *l, const struct mode_item *it, int x);
	/* Value of %% in templates, a new string, or NULL. */
	char *(*target)(struct mode_list *l, const struct mode_item *it);
	/* The menu of an item: what each row's key does. */
	const struct mode_menu_row *menu; /* [menu_rows] */
	size_t menu_rows;
	const struct mode_list_ask *asks; /* [ask_count], besides the list's */
	size_t ask_count;
	const char *ends; /* keys that end or delete items; \r: Enter */
	/* Keys that the list itself does not use. */
	enum mode_did (*key)(struct mode_list *l, key_code key);
	/* Answers to prompts from MODE_LIST_ASKS on. */
	enum mode_did (*answer)(
	    struct mode_list *l, unsigned what, const char *text);
};

/* A key that runs a command for the current item, and one for tagged ones. */
struct mode_list_run {
	key_code one;
	key_code tagged;
	const char *command; /* a template */
};

/* The first number of a chooser's own prompts. */
#define MODE_LIST_ASKS 16

struct mode_list_line {
	uint32_t item;
	key_code key;
};

struct mode_list {
	struct mode mode;
	const struct mode_list_ops *ops;
	const struct mode_host *host;
	uint32_t client; /* that opened it */
	unsigned rows;   /* of the picture, without a pane: a copy elsewhere */

	struct mode_item *items; /* [count], in the order of the rows */
	uint32_t count;
	uint32_t room;
	struct mode_item *aside; /* [aside_count], left out by l->fuzzy */
	uint32_t aside_count;
	struct mode_list_line *lines; /* [line_count] */
	uint32_t line_count;
	struct mode_item *old; /* [old_count], by id, while it is built */
	uint32_t old_count;
	struct mode_list_told *told; /* [told_count], by number of the item */
	uint32_t told_count;
	uint32_t told_next; /* the next one to be told again */
	uint32_t current;   /* line */
	uint32_t offset;    /* first line in sight */
	unsigned key_width;
	bool stale;
	bool filtering; /* while it is built: mode_list_pass filters */
	bool nothing;   /* the filter lets nothing pass: it is ignored */

	char *template;
	char *format;     /* -F, or NULL */
	char *filter;     /* or NULL */
	char *key_format; /* -K, or NULL */
	char *search;     /* or NULL */
	char *fuzzy;      /* letters that narrow the list, or NULL */
	bool best;        /* the best match becomes the current item */
	unsigned order;   /* of ops->orders */
	bool reversed;
	enum mode_list_view view;
	bool show_info;
	bool help;
	unsigned help_top;  /* rows of the help above those in sight */
	unsigned help_rows; /* rows of it in sight; 0: all are */
	bool yes;           /* -y: no questions */
	bool zoom;          /* to be unzoomed */
	bool kills;         /* -k: the pane is killed at the end */
	bool hides;         /* -h: its pane is not listed */
	char *gone;   /* name of the current item, which has gone; or NULL */
	bool refused; /* a question was not opened: no answer counts */
	unsigned confirm; /* the question of y or n that was asked; 0: none */
	int shift;        /* of the previews, by < and > */
	/* The previews side by side that were drawn last. */
	struct mode_list_parts {
		unsigned start; /* number of the first one */
		unsigned end;
		unsigned each; /* columns; 0: none */
		int left;      /* columns of the arrow, or -1 */
		int right;     /* column where that arrow begins, or -1 */
	} parts;
	mono_ms drawn;
	/* The menu that is open: its rows, and the item they are for. */
	const struct mode_menu_row *menu; /* [menu_rows] */
	size_t menu_rows;
	uint64_t menu_item;
	mono_ms click_at;
	uint32_t click_line;
};

/* How a chooser begins; strings may be NULL. */
struct mode_list_start {
	const struct mode_host *host;
	struct client *client; /* or NULL */
	const char *template;
	const char *format;
	const char *filter;
	const char *key_format;
	const char *order;
	bool reversed;
	unsigned no_preview; /* how often -N was given */
	bool info;
	bool yes;
	bool zoom;
	bool kills;
	bool hides;
};

/*
 * Puts L over P.  -ERR_NOTFOUND: no such order; -ERR_EXISTS, -ERR_LIMIT as
 * mode_push; L is then freed.
 */
int mode_list_open(struct pane *p, struct mode_list *l,
    const struct mode_list_ops *ops,
    const struct mode_list_start *start) WARN_UNUSED;

/* --- for choosers ------------------------------------------------------------ */

/* Adds an item; EXPANDED counts if it was not there before. */
struct mode_item *mode_list_add(struct mode_list *l, unsigned depth,
    uint64_t id, const char *name, bool expanded);

/* Removes the items from N on, which are being built. */
void mode_list_drop(struct mode_list *l, uint32_t n);

/* Whether the filter accepts the session, window or pane at WHERE. */
bool mode_list_pass(struct mode_list *l, const struct mode_where *where,
    const struct format_var *vars, size_t count);

/* Builds the items again at the next need. */
void mode_list_stale(struct mode_list *l);

/* Builds them now if they are stale. */
void mode_list_fresh(struct mode_list *l);

/* The same after a change that the user has made to the list. */
void mode_list_fresh_own(struct mode_list *l);

/* Forgets that the current item has gone: the user has moved. */
void mode_list_seen(struct mode_list *l);

/* The current item, or NULL if the list is empty. */
const struct mode_item *mode_list_current(const struct mode_list *l);

/* Makes the item ID the current one and expands its parents. */
bool mode_list_select(struct mode_list *l, uint64_t id);

void mode_list_up(struct mode_list *l, bool wrap);
void mode_list_down(struct mode_list *l, bool wrap);

/* The number of tagged items. */
uint32_t mode_list_tagged(const struct mode_list *l);

/*
 * Runs the template TEXT with the target of the current item or, if TAGGED and
 * there are any, of each tagged one.
 */
void mode_list_run(struct mode_list *l, const char *text, bool tagged);

/* Looks KEY up in the COUNT rows at KEYS and runs its command. */
enum mode_did mode_list_run_key(struct mode_list *l, key_code key,
    const struct mode_list_run *keys, size_t count);

/* Asks A, if it has a text. */
enum mode_did mode_list_ask(struct mode_list *l, const struct mode_list_ask *a);

/* Whether TEXT answers yes. */
bool mode_list_yes(const char *text);

/* Asks for y or n; the list gets the answer as WHAT, at once with -y. */
enum mode_did mode_list_confirm(
    struct mode_list *l, unsigned what, const char *text);

/* Whether WHAT was asked so and TEXT answers yes; it is then no longer asked. */
bool mode_list_confirmed(struct mode_list *l, unsigned what, const char *text);

/* The user ends item ITEM: its loss, and that of all below it, is no surprise. */
void mode_list_ended(struct mode_list *l, uint32_t item);

/* Unzooms or kills the pane, as the list was told; returns MODE_LEFT. */
enum mode_did mode_list_leave(struct mode_list *l);

/* Expands FORMAT (mem_free). */
char *mode_list_expand(struct mode_list *l, const struct mode_where *where,
    const struct format_var *vars, size_t count, const char *format);

/* Rows of the picture. */
unsigned mode_list_rows(const struct mode_list *l);

/* --- drawing (list_draw.c) ------------------------------------------------------ */

/* Draws TEXT with styles; PLAIN: all in the colours of BASE. */
void mode_list_text(struct mode_list *l, struct vt_frame *f, unsigned x,
    unsigned y, unsigned w, const char *text, const struct pen *base,
    bool plain, const struct mode_paint *paint);

/* One row "LABEL | VALUE" of an info view. */
void mode_list_info(struct mode_list *l, struct vt_frame *f,
    const struct vt_rect *r, unsigned *row, const char *label,
    const char *value, const struct mode_paint *paint);

/* Rows that list and preview get in a pane of ROWS. */
unsigned mode_list_height(const struct mode_list *l, unsigned rows);

/* The pen of tree-mode-border-style. */
struct pen mode_list_border(const struct mode_paint *paint);

/* Draws a box with single lines around R. */
void mode_list_box(
    struct vt_frame *f, const struct vt_rect *r, const struct pen *pen);

void mode_list_draw(
    struct mode *m, struct vt_frame *f, const struct mode_paint *paint);

/* --- what every chooser has in its ops->mode ------------------------------------- */

enum mode_did mode_list_key(struct mode *m, const struct key_event *key);
enum mode_did mode_list_mouse(struct mode *m, const struct mouse_event *ev);
enum mode_did mode_list_answer(struct mode *m, unsigned what, const char *text);
enum mode_did mode_list_command(
    struct mode *m, const struct mode_command *cmd, struct cause *why);
void mode_list_event(struct mode *m, enum mode_event event);
void mode_list_free(struct mode *m);

#define MODE_LIST_MODE                                                   \
 .draw = mode_list_draw, .key = mode_list_key, .mouse = mode_list_mouse, \
 .answer = mode_list_answer, .command = mode_list_command,               \
 .event = mode_list_event, .free = mode_list_free

#endif
