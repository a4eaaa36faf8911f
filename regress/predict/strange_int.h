/*
 * regress/predict/strange_int.h - what the generated programs share.
 *
 * Purpose:   state and output of one generated program; its kinds are in
 *            strange_line.c, strange_text.c, strange_chat.c, strange_screen.c
 *            and strange_secret.c.
 * Ownership: a program owns all of it.
 * Units:     cells, milliseconds.
 * Tests:     regress/unit/check_predict_strange.c
 */
#ifndef REGRESS_PREDICT_STRANGE_INT_H
#define REGRESS_PREDICT_STRANGE_INT_H

#include "base/mem.h"
#include "mux/vt/frame.h"
#include "regress/chance.h"
#include "regress/predict/strange.h"

#define STRANGE_COLS 256 /* of a line of text, at most */
#define STRANGE_ROWS 160 /* lines of text, at most */
#define STRANGE_CELLS 2048
#define STRANGE_PLAN 1024
/* Longer silences would end a key for keyplay -T (150 ms). */
#define STRANGE_WAIT 90

/* A character with the number of its pen. */
struct strange_cell {
	uint32_t ch;
	uint8_t pen;
};

enum strange_pen {
	STRANGE_PLAIN,
	STRANGE_BOLD,
	STRANGE_DIM,
	STRANGE_GREY,
	STRANGE_FAINT,
	STRANGE_RED,
	STRANGE_GREEN,
	STRANGE_BLUE,
	STRANGE_CYAN,
	STRANGE_REVERSE,
	STRANGE_BAR,
	STRANGE_PENS,
};

/* Text in a row, built piece by piece. */
struct strange_row {
	struct strange_cell cell[STRANGE_CELLS];
	unsigned n;
};

struct strange_kind {
	const char *name;
	enum strange_group group;
	unsigned weight;
	void (*begin)(struct strange *s);
	void (*key)(struct strange *s, key_code key);
	void (*plan)(struct strange *s); /* the typist's next keys */
};

struct strange {
	const struct strange_kind *kind;
	uint64_t trait;  /* random states: of the traits, */
	uint64_t chance; /* of the program, of the typist */
	uint64_t mind;
	unsigned cols, rows;
	bool kernel; /* the kernel has echoed this line */
	/* output */
	uint32_t tty;
	struct buf out;
	struct strange_piece piece[256];
	size_t npieces;
	unsigned causes;
	/* the screen of a full-screen program, as wanted and as drawn */
	struct strange_cell want[STRANGE_CELLS * 4], have[STRANGE_CELLS * 4];
	unsigned x, y;
	bool whole_rows; /* it repaints rows, not cells */
	bool hides;      /* it hides the cursor while it paints */
	bool sync;       /* it brackets updates (2026) */
	/* the typist */
	struct strange_press plan[STRANGE_PLAN];
	unsigned plan_at, plan_n;
	unsigned speed; /* ms a key */
	unsigned typos; /* per mille */
	unsigned burst; /* keys left of a burst */
	bool pasting;
	void *own; /* the kind's state */
};

/* --- random ---------------------------------------------------------------- */

/* Return a trait: one of N, or true in PERCENT of the seeds. */
unsigned strange_pick(struct strange *s, unsigned n);
bool strange_often(struct strange *s, unsigned percent);

/* --- output ---------------------------------------------------------------- */

void strange_put(struct strange *s, const char *text);
void strange_putf(struct strange *s, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void strange_wait(struct strange *s, unsigned ms);
void strange_set_tty(struct strange *s, uint32_t tty);
void strange_cause(struct strange *s, unsigned cause);

void strange_add(struct strange_row *r, enum strange_pen pen, const char *text);
void strange_add_cp(struct strange_row *r, enum strange_pen pen, uint32_t cp);
void strange_write(struct strange *s, const struct strange_cell *c, unsigned n);

/* Draw on the wanted screen; strange_flush paints the difference. */
void strange_clear(
    struct strange *s, unsigned x, unsigned y, unsigned w, unsigned h);
void strange_draw(struct strange *s, unsigned x, unsigned y, unsigned w,
    enum strange_pen pen, const char *text);
void strange_cell_at(struct strange *s, unsigned x, unsigned y,
    enum strange_pen pen, uint32_t cp);
void strange_flush(struct strange *s);

/* Begins a full-screen program. */
void strange_screen(struct strange *s);

/* --- the typist ------------------------------------------------------------ */

/* Add keys to the plan. */
void strange_type(struct strange *s, key_code key);
/* One of the letters KEYS. */
void strange_type_one(struct strange *s, const char *keys);
void strange_type_text(struct strange *s, const char *text);
void strange_type_secret(struct strange *s);

/* Returns a word, or writes a sentence of at most WORDS words. */
const char *strange_word(uint64_t *random);
void strange_sentence(
    struct strange *s, char *out, size_t size, unsigned words);

extern const struct strange_kind strange_shell, strange_repl, strange_cooked;
extern const struct strange_kind strange_prose, strange_chat;
extern const struct strange_kind strange_menu, strange_pager, strange_form;
extern const struct strange_kind strange_finder, strange_asker, strange_dialog;

#endif
