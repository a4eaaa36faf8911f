/*
 * mux/mode/copy_replay_int.h - what the files of replays share.
 *
 * Purpose:   the replay of copy_replay.c, and a mode without a server by
 *            copy_local.c.
 * Tests:     regress/unit/check_copy_replay.c
 */
#ifndef MUX_MODE_COPY_REPLAY_INT_H
#define MUX_MODE_COPY_REPLAY_INT_H

#include "mux/mode/copy_replay.h"
#include "mux/mode/copy_wire.h"

#define REPLAY_REPEAT_MAX 32 /* bounds the time that one key takes */
#define REPLAY_LINES 256     /* rows of history that are kept decoded */

struct copy_replay {
	struct copy copy;
	struct copy_setup setup;
	struct copy_wire wire;
	struct copy_history history;
	const struct grapheme_table *graphemes;
	struct vt_line **lines; /* [copy.rows]: the last screen, or NULL */
	struct vt_line *blank;  /* stands for a missing row */
	bool local;             /* there is no server */
	struct {
		vt_row row;
		struct vt_line *line; /* or NULL */
	} kept[REPLAY_LINES];
};

extern const struct text_ops copy_replay_text;

/*
 * Whether a replay can know what a command does.  Some need the pane as it is,
 * or marks of prompts, which history does not carry.
 */
bool copy_replay_knows(const char *word);

/* Draws the mode; sets copy.missed if a part of the picture is missing. */
struct vt_frame *copy_replay_paint(struct copy_replay *r);

#endif
