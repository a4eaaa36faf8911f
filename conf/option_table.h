/*
 * conf/option_table.h - the table of options, and names of options.
 *
 * Purpose:   has one row for each option and hook. Finds the row of a name, of
 *            a unique beginning of a name, or of "name[3]".
 * Ownership: rows are constants; struct option_name is a plain value.
 * Errors:    option_match returns -ERR_NOTFOUND or -ERR_AMBIGUOUS with tmux's
 *            message.
 * Source:    tmux(1) 3.7, OPTIONS and HOOKS.
 * Tests:     regress/unit/check_option.c, regress/ref/conf-options.sh
 */
#ifndef CONF_OPTION_TABLE_H
#define CONF_OPTION_TABLE_H

#include <stdbool.h>

#include "base/err.h"

enum option_id {
#define X(id, ...) OPTION_##id,
#include "conf/option.def"
#undef X
	OPTION_COUNT
};

/* The values of each CHOICE: REMAIN_ON_EXIT_OFF, REMAIN_ON_EXIT_ON, ... */
#define C(constant, text) constant,
#define OPTION_ENUM_CHOICE(...) \
 enum {                         \
  __VA_ARGS__                   \
 };
#define OPTION_ENUM_STRING(...)
#define OPTION_ENUM_STYLE(...)
#define OPTION_ENUM_NUMBER(...)
#define OPTION_ENUM_FLAG(...)
#define OPTION_ENUM_KEY(...)
#define OPTION_ENUM_COLOUR(...)
#define OPTION_ENUM_COMMAND(...)
#define X(i, n, t, sc, mn, mx, txt, ch, ...) OPTION_ENUM_##t(ch)
#include "conf/option.def"
#undef X
#undef C
#undef OPTION_ENUM_CHOICE
#undef OPTION_ENUM_STRING
#undef OPTION_ENUM_STYLE
#undef OPTION_ENUM_NUMBER
#undef OPTION_ENUM_FLAG
#undef OPTION_ENUM_KEY
#undef OPTION_ENUM_COLOUR
#undef OPTION_ENUM_COMMAND

enum option_type {
	OPTION_STRING,
	OPTION_STYLE, /* a string that must be a style or contain #{ */
	OPTION_NUMBER,
	OPTION_FLAG,
	OPTION_CHOICE,
	OPTION_KEY,
	OPTION_COLOUR,
	OPTION_COMMAND,
	OPTION_TYPE_COUNT
};

enum option_scope {
	OPT_SERVER = 1 << 0,
	OPT_SESSION = 1 << 1,
	OPT_WINDOW = 1 << 2,
	OPT_PANE = 1 << 3, /* only together with OPT_WINDOW */
};

enum option_flag {
	OPT_ARRAY = 1 << 0,
	OPT_HOOK = 1 << 1,
	OPT_SHELL = 1 << 2,  /* must be a valid login shell */
	OPT_COLOUR = 1 << 3, /* a colour that may not be empty */
	OPT_PERSON = 1 << 4, /* a client may have its own (set-option -C) */
	OPT_OWN = 1 << 5,    /* not one of tmux's */
};

/*
 * What the server must do after a change of an option. An option without an
 * effect is read when its value is needed.
 */
enum option_effect {
	OPT_ON_NOTHING = 0,
	OPT_ON_FORMATS = 1 << 0, /* a format may show the value */
	OPT_ON_STATUS = 1 << 1,  /* draw the status lines */
	OPT_ON_BORDERS = 1 << 2, /* draw the borders of panes and their text */
	OPT_ON_PANES = 1 << 3,   /* draw panes: styles, palettes, cursors */
	OPT_ON_VIEW = 1 << 4,    /* build views; nothing drawn is out of date */
	OPT_ON_LAYOUT = 1 << 5,  /* fit windows and panes to their sizes */
	OPT_ON_TERMINAL = 1 << 6, /* set up the terminal of each pane */
	OPT_ON_TTY = 1 << 7,      /* set up the terminal of each client */
	OPT_ON_WIDTHS = 1 << 8,   /* compute the table of widths */
	OPT_ON_USER = 1 << 9,     /* an @option: only formats may show it */
	OPT_ON_AUDIT = 1 << 10,   /* open the audit log */
	OPT_ON_SOCKETS = 1 << 12, /* the sockets that follow clients */
	OPT_ON_WATCH = 1 << 11,   /* watch the files of the configuration */
	OPT_ON_REDRAW =
	    OPT_ON_STATUS | OPT_ON_BORDERS | OPT_ON_PANES | OPT_ON_VIEW,
};

struct option_row {
	enum option_id id;
	const char *name;
	enum option_type type;
	unsigned scope; /* enum option_scope */
	int64_t min;
	int64_t max;
	const char *text;      /* default, as text */
	const char *choices;   /* "off,on", or a glob for strings, or NULL */
	const char *separator; /* or NULL */
	unsigned flags;        /* enum option_flag */
	unsigned effects;      /* enum option_effect, without OPT_ON_FORMATS */
	const char *unit;      /* "" for none */
	const char *help;      /* one line */
};

#define OPTION_NAME_MAX 256 /* bytes of a name, with its index */
#define OPTION_NO_INDEX UINT32_MAX
#define OPTION_WORD (UINT32_MAX - 1) /* the index of all items with a word */

/* The result of a lookup by name. */
struct option_name {
	const struct option_row *row; /* NULL for an @option */
	char text[OPTION_NAME_MAX];   /* full name without index */
	char word[OPTION_NAME_MAX];   /* of an item with OPTION_WORD */
	uint32_t index;               /* or OPTION_NO_INDEX, OPTION_WORD */
};

/* Returns the row of an option; never NULL. */
const struct option_row *option_row(enum option_id id);

/*
 * Writes the ids of all options, in the order in which lists show them, to OUT,
 * which has OPTION_COUNT places.
 */
void option_order(enum option_id *out);

/*
 * Returns the effects of a change (enum option_effect). ROW is NULL for an
 * @option.
 */
unsigned option_effects(const struct option_row *row);

/* Returns the row with exactly that name, or NULL. */
const struct option_row *option_row_find(const char *name);

/* Returns the name of a type for users: "number". */
const char *option_type_name(enum option_type type);

/*
 * Looks up a name as users write it: "status-left", "status-le",
 * "status-format[1]", "command-alias[word]", "@mine".
 * Returns: 0, -ERR_NOTFOUND ("invalid option: X") or -ERR_AMBIGUOUS ("ambiguous
 *          option: X").
 */
int option_match(
    const char *name, struct option_name *out, struct cause *cause);

/*
 * Returns the key of an item as text: WORD, or INDEX in BUF if WORD is NULL or
 * empty.
 */
const char *option_key_text(
    uint32_t index, const char *word, char *buf, size_t size);

/* Looks up a full name, as formats do; has no messages. */
bool option_exact(const char *name, struct option_name *out);

/* Returns the number of the choice TEXT of the row, or -1. */
int option_choice_find(const struct option_row *row, const char *text);

/* Copies the text of choice N to BUF; "" if there is no such choice. */
const char *option_choice_text(
    const struct option_row *row, int64_t n, char *buf, size_t size);

#endif
