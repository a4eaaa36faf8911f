/*
 * server/face/replay.h - gives a remote client what it needs to replay copy mode.
 *
 * Purpose:   adds to a view the state of the focused pane's copy mode, the lines
 *            of its last screen, its options and the commands of its keys.
 * Source:    doc/PROTOCOL.md, C.5.
 * Tests:     regress/e2e/replay.sh
 *
 * A view without a state tells the client to wait: a prompt is open, a command
 * is under way, or the next key belongs to another table.
 */
#ifndef SERVER_FACE_REPLAY_H
#define SERVER_FACE_REPLAY_H

#include <stdbool.h>

struct mode;
struct sync_view;
struct viewer;
struct vt_str;

/*
 * Makes the setup of copy mode M for VW, which has the keys of TABLE, and its
 * prompts: new strings, or NULL.  False: the setup is too large.
 */
bool replay_setup(const struct viewer *vw, struct mode *m, const char *table,
    struct vt_str **setup, struct vt_str **prompts);

/* Updates the copy mode of V, the new view of VW, which has the last one's. */
void replay_add(struct viewer *vw, struct sync_view *v);

#endif
