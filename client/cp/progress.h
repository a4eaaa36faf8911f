/*
 * client/cp/progress.h - how far a copy of files is.
 *
 * Purpose:   makes the line about a copy: the file, the share, the rate, the time
 *            left; at the end the sum.
 * Units:     bytes, milliseconds.
 * Tests:     regress/unit/check_cp.c
 */
#ifndef CLIENT_CP_PROGRESS_H
#define CLIENT_CP_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/grapheme.h"
#include "base/types.h"

struct cp_progress {
	uint64_t files; /* files and bytes of all; 0: not known yet */
	uint64_t bytes;
	uint64_t files_done;
	uint64_t done;  /* bytes: copied, or there already */
	uint64_t moved; /* bytes copied now */
	mono_ms began;
	mono_ms last; /* a line was due */
	uint64_t last_moved;
	double rate; /* bytes a second, smoothed; 0: not known yet */
};

void cp_progress_init(struct cp_progress *p, mono_ms now);

/*
 * Counts N bytes; MOVED: they were copied now.  Returns whether a new line is
 * due.
 */
bool cp_progress_add(
    struct cp_progress *p, mono_ms now, uint64_t n, bool moved);

/*
 * Writes the line about the file NAME for WIDTH columns.  It gives the rate and
 * the time left, or the time without progress if that is CP_STILL_MS or longer.
 */
#define CP_LINE_MAX 1024
#define CP_STILL_MS 3000
void cp_progress_line(const struct cp_progress *p,
    const struct grapheme_table *gt, mono_ms now, const char *name,
    unsigned width, char out[CP_LINE_MAX]);

/* Writes the line about all. */
void cp_progress_sum(
    const struct cp_progress *p, mono_ms now, char out[CP_LINE_MAX]);

#endif
