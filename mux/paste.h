/*
 * mux/paste.h - paste buffers.
 *
 * Purpose:   holds named and automatic buffers, newest first; buffer-limit
 *            limits the automatic ones.
 * Ownership: the store owns names and bytes; pointers are valid until the next
 *            change of the store.
 *            Bytes of large buffers that are gone stay until paste_wipe has
 *            wiped them: at most PASTE_SIZE_MAX.
 * Units:     bytes; wall clock in milliseconds.
 * Errors:    -ERR_NOTFOUND, -ERR_EXISTS, -ERR_LIMIT (PASTE_SIZE_MAX,
 *            PASTE_NAMED_MAX), -ERR_SYNTAX for an empty name; the causes have
 *            tmux's messages.
 * Source:    tmux(1), BUFFERS.
 * Tests:     regress/unit/check_paste.c
 */
#ifndef MUX_PASTE_H
#define MUX_PASTE_H

#include "mux/mux.h"

#define PASTE_SIZE_MAX ((size_t)256 << 20) /* bytes of one buffer */
#define PASTE_NAMED_MAX 10000              /* buffers with a given name */
#define PASTE_NAME_MAX 1024                /* bytes of a name */
#define PASTE_PIECE ((size_t)2 << 20)      /* bytes of one paste_wipe */

struct paste_buffer {
	struct list_node node; /* newest first */
	char *name;
	uint8_t *data; /* NUL-terminated */
	size_t size;
	bool automatic;
	uint64_t order;
	int64_t created;
};

struct paste *paste_new(struct mux *m);
void paste_free(struct paste *ps);

/* Returns the number of buffers. */
size_t paste_count(const struct paste *ps);

/*
 * Returns the newest automatic buffer (the one of paste-buffer without -b), or
 * NULL.
 */
struct paste_buffer *paste_top(const struct paste *ps);

struct paste_buffer *paste_find(const struct paste *ps, const char *name);

enum paste_order {
	PASTE_NEWEST, /* first */
	PASTE_NAME,
	PASTE_SIZE
};

/* Returns all buffers in that order, in an array of *COUNT (mem_free). */
struct paste_buffer **paste_sorted_new(const struct paste *ps,
    enum paste_order order, bool reversed, size_t *count);

/* Adds an automatic buffer with a copy of the bytes; none for N = 0. */
int paste_add(struct paste *ps, const char *prefix, const void *p, size_t n);
/* The same; takes the NUL-terminated TEXT of 1..PASTE_SIZE_MAX bytes over. */
void paste_give(struct paste *ps, const char *prefix, char *text, size_t n);

/* Sets the buffer NAME (NULL: an automatic one); N = 0 does nothing. */
int paste_set(struct paste *ps, const char *name, const void *p, size_t n,
    struct cause *cause);

/* Replaces the bytes of a buffer, which keeps its place; N = 0 does nothing. */
int paste_replace(
    struct paste *ps, struct paste_buffer *b, const void *p, size_t n);

/* Appends to the buffer NAME; makes it if needed. */
int paste_append(struct paste *ps, const char *name, const void *p, size_t n,
    struct cause *cause);

/* Names a buffer for good; replaces a buffer with that name. */
int paste_rename(
    struct paste *ps, const char *name, const char *to, struct cause *cause);

void paste_remove(struct paste *ps, struct paste_buffer *b);

/*
 * Wipes or gives back one piece of the large buffers that are gone, which takes
 * a fraction of a millisecond.  Returns whether pieces are left.
 */
bool paste_wipe(struct paste *ps);

/* Returns about WIDTH first bytes, made printable, with "..." (mem_free). */
char *paste_sample(const struct paste_buffer *b, size_t width);

#endif
