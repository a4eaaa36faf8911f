/*
 * mux/mode/request.h - what modes ask of the server.
 *
 * Purpose:   a mode never calls the server: it queues commands to run, and
 *            prompts, menus and editors to open.  The server takes them after
 *            the input that it gave to the mode.
 * Ownership: the queue owns its requests; the taker frees them.
 * Units:     at most MODE_REQUESTS_MAX wait; more are dropped.
 * Tests:     regress/unit/check_mode_list.c
 */
#ifndef MUX_MODE_REQUEST_H
#define MUX_MODE_REQUEST_H

#include <stdbool.h>

#include "base/key.h"
#include "base/list.h"

struct mode;

#define MODE_REQUESTS_MAX 10000

enum mode_request_kind {
	MODE_REQUEST_RUN,     /* text: commands */
	MODE_REQUEST_PROMPT,  /* text: the message; the answer: mode_answer */
	MODE_REQUEST_FIND,    /* the same; its history is that of searches */
	MODE_REQUEST_CONFIRM, /* the same; the answer is one key */
	MODE_REQUEST_NARROW,  /* as a prompt; each change is an answer */
	MODE_REQUEST_MENU,    /* text: the title; the answer: a row's number */
	MODE_REQUEST_EDIT     /* input: a text; the answer: the edited one */
};

/* A row of a menu; an empty name: a line. */
struct mode_menu_row {
	const char *name;
	key_code key;
};

struct mode_request {
	struct list_node node;
	enum mode_request_kind kind;
	char *text;
	char *input; /* a prompt's or editor's text, or NULL */
	/* Of a menu; the rows are static. */
	const struct mode_menu_row *rows;
	size_t count;
	int x; /* cell of the pane */
	int y;
	/* The paste buffer that an editor changes; NULL: the text is an answer. */
	char *buffer;
	/* The mode that asks, for mode_answer. */
	uint32_t pane;
	uint64_t serial;
	unsigned what;
};

struct mode_requests {
	struct list list; /* struct mode_request, oldest first */
};

void mode_requests_init(struct mode_requests *q);
void mode_requests_fini(struct mode_requests *q);

/* Runs TEXT as commands. */
void mode_request_run(struct mode_requests *q, const char *text);

/* Opens a prompt; mode_answer tells M the answer.  INPUT may be NULL. */
void mode_request_prompt(struct mode_requests *q, const struct mode *m,
    unsigned what, const char *text, const char *input);

/* As mode_request_prompt, with the history of searches and filters. */
void mode_request_find(struct mode_requests *q, const struct mode *m,
    unsigned what, const char *text, const char *input);

/* Asks for one key, which is the answer. */
void mode_request_confirm(struct mode_requests *q, const struct mode *m,
    unsigned what, const char *text);

/*
 * Opens a prompt whose text M gets at each change as WHAT: at the end the text
 * that stays, or "" if the prompt was cancelled.
 */
void mode_request_narrow(struct mode_requests *q, const struct mode *m,
    unsigned what, const char *text, const char *input);

/*
 * Opens a menu at cell (X, Y) of the pane; M gets the number of the chosen one
 * of the COUNT static ROWS as WHAT.  TITLE is a format that was expanded.
 */
void mode_request_menu(struct mode_requests *q, const struct mode *m,
    unsigned what, const char *title, const struct mode_menu_row *rows,
    size_t count, int x, int y);

/*
 * Opens an editor with TEXT; M gets what it becomes as WHAT, without an end of
 * line that TEXT does not have.
 */
void mode_request_edit(struct mode_requests *q, const struct mode *m,
    unsigned what, const char *text);

/* Opens an editor with the paste buffer NAME, which it changes. */
void mode_request_edit_buffer(
    struct mode_requests *q, const struct mode *m, const char *name);

/* The oldest one (mode_request_free), or NULL. */
struct mode_request *mode_requests_take(struct mode_requests *q);
void mode_request_free(struct mode_request *r);

#endif
