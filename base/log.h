/*
 * base/log.h - log messages of the core, written to an installed sink.
 *
 * Purpose:   the core formats messages; the program decides where they go.
 * Ownership: the sink and its argument are the caller's.
 * Units:     levels 0 (errors) to 3 (everything).
 * Errors:    a message of LOG_LINE_MAX bytes or more (escaped) is cut and ends
 *            in "...".
 * Tests:     regress/unit/check_log.c
 *
 * security: keys, clipboard and typed text are never logged above LOG_DEBUG.
 */
#ifndef BASE_LOG_H
#define BASE_LOG_H

#include <stdbool.h>

#include "base/compiler.h"

enum log_level {
	LOG_ERROR,
	LOG_WARN,
	LOG_INFO,
	LOG_DEBUG
};
enum log_area {
	LOG_BASE,
	LOG_SSP,
	LOG_CONF,
	LOG_VT,
	LOG_MUX,
	LOG_SYNC,
	LOG_PREDICT,
	LOG_SERVER,
	LOG_CLIENT,
	LOG_AREA_COUNT
};

#define LOG_LINE_MAX 1024

/* TEXT is one line without newline; control bytes are escaped. */
typedef void (*log_sink_fn)(
    void *arg, enum log_level level, enum log_area area, const char *text);

/* A log is a value that its owner passes down; NULL logs nothing. */
struct log {
	log_sink_fn sink;
	void *arg;
	enum log_level level; /* higher levels are not formatted */
};

/* "error" ... "debug"; the name of a folder; "?" for unknown values. */
const char *log_level_name(enum log_level level);
const char *log_area_name(enum log_area area);

/* Formats and escapes one line and passes it to the sink; L may be NULL. */
void log_write(const struct log *l, enum log_level level, enum log_area area,
    const char *fmt, ...) PRINTF_LIKE(4, 5);

#endif
