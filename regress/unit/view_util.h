/*
 * regress/unit/view_util.h - a model with one client and its builder.
 *
 * Purpose:   builds views of a small model and returns the client's screen as
 *            text.  mux/fmt expands formats.
 * Ownership: view_util_fini frees everything.
 * Errors:    asserts.
 */
#ifndef REGRESS_VIEW_UTIL_H
#define REGRESS_VIEW_UTIL_H

#include "mux/view/build.h"
#include "regress/unit/mux_util.h"

#define VIEW_UTIL_NOW 1000

struct view_util {
	struct mux *m;
	struct session *s;
	struct client *c;
	struct pane *p; /* the first one, %0 */
	struct view_builder b;
	struct vt_frame *slots[8][2]; /* shared frames of panes by id */
	unsigned expanded;            /* number of expanded formats */
	bool tty_known;               /* result of the host's tty call */
	uint32_t tty_bits;
	/* An overlay, or NULL. */
	void (*overlay)(struct view_util *u, struct sync_view *v);
	enum view_layer layer; /* of the overlay */
};

/* A session "s" with one window, shown by a client of COLS by ROWS. */
void view_util_init(struct view_util *u, int cols, int rows);
void view_util_fini(struct view_util *u);

/* A builder for another client of the same model. */
void view_util_builder(
    struct view_util *u, struct view_builder *b, struct client *c);

/* Sets a global option and applies its effects. */
void view_util_set(struct view_util *u, const char *name, const char *text);

/* Writes output of a pane's program. */
void view_util_write(struct pane *p, const char *text);

/* Builds the next view. */
struct sync_view *view_util_build(struct view_util *u);

/* The frame of a surface of the last view; NULL if there is none. */
struct vt_frame *view_util_frame(const struct view_util *u, uint64_t id);

/* Row Y of a frame without trailing blanks; valid until the next call. */
const char *view_util_row(const struct vt_frame *f, unsigned y);

/* Builds a view and compares the client's screen with ROWS. */
void view_util_expect(
    struct view_util *u, const char *const *rows, size_t count);

#define VIEW_UTIL_EXPECT(u, ...)                           \
 view_util_expect(u, (const char *const[]){ __VA_ARGS__ }, \
     sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(const char *))

/* Compares the rows of a frame. */
void view_util_same(
    const struct vt_frame *f, const char *const *rows, size_t count);

#define VIEW_UTIL_SAME(f, ...)                           \
 view_util_same(f, (const char *const[]){ __VA_ARGS__ }, \
     sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(const char *))

#endif
