/*
 * server/face/requests.h - does what modes ask for.
 *
 * Purpose:   runs the commands and opens the prompts, menus and editors that a
 *            mode queued while it was given input (mux/mode/request.h).
 * Tests:     regress/e2e/choose.sh
 */
#ifndef SERVER_FACE_REQUESTS_H
#define SERVER_FACE_REQUESTS_H

struct pane;
struct viewer;
struct viewers;

/* Fills in what the choosers ask of VS. */
void requests_init(struct viewers *vs);
void requests_fini(struct viewers *vs);

/*
 * Queues the commands of a mode that has ended by its time; its other
 * requests are dropped.
 */
void requests_queue(struct viewers *vs);

/*
 * Called after the mode over P has got input: redraws it and carries out its
 * requests for the client VW, which typed; NULL: for the client used last.
 */
void requests_run(struct viewers *vs, struct viewer *vw, const struct pane *p);

#endif
