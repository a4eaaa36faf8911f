/*
 * predict/params.h - the constants of local echo.
 *
 * Purpose:   keeps every constant of predict/ in one place.
 * Units:     as named; chances are 0..1.
 * Source:    mosh's engine for triggers and limits; the rest is chosen with
 *            regress/predict/simulate (doc/PREDICTION.md).
 * Tests:     regress/unit/check_predict_policy.c
 */
#ifndef PREDICT_PARAMS_H
#define PREDICT_PARAMS_H

/* SRTT in milliseconds from which predictions are shown. */
#define PREDICT_SHOW_ON_RTT 40
#define PREDICT_SHOW_OFF_RTT 25
#define PREDICT_FLAG_ON_RTT 160
#define PREDICT_FLAG_OFF_RTT 100

/* An echo this late shows predictions whatever the SRTT. */
#define PREDICT_GLITCH_MS 250
#define PREDICT_GLITCH_LONG_MS 5000
#define PREDICT_GLITCH_COUNT 10
#define PREDICT_GLITCH_LONG_COUNT 20
#define PREDICT_GLITCH_REPAIR_MS 150

/* Bounds. */
#define PREDICT_PENDING_MAX 512 /* keys pending on one surface */
#define PREDICT_SURFACES_MAX 64
#define PREDICT_CONTEXTS_MAX 64
#define PREDICT_ENTERS_MAX 256
#define PREDICT_PASTE_MAX 100 /* bytes; longer pastes are not predicted */

/* Keys typed within this time may arrive together if some were lost. */
#define PREDICT_LUMP_MS 250

/* Text keys that tell which keys an unexplained frame contains. */
#define PREDICT_TAIL_KEYS 3

/* How long an unexplained frame hides predictions whose keys may be in it. */
#define PREDICT_HOLD_MS 150
#define PREDICT_HOLD_LONG_MS 600 /* Enters, which all look alike */

/* The chance that a prediction needs: for a short and for a long delay. */
#define PREDICT_CHANCE_SHORT 0.94
#define PREDICT_CHANCE_LONG 0.88
#define PREDICT_CHANCE_SHORT_RTT 500 /* up to here */
#define PREDICT_CHANCE_LONG_RTT 2000 /* from here on */
/* Less for a prediction that is already shown. */
#define PREDICT_CHANCE_SLACK 0.08
#define PREDICT_CHANCE_FLOOR 0.85 /* but no less than this */
#define PREDICT_CHANCE_MOVES 0.98 /* a prediction that moves rows */
#define PREDICT_CHANCE_CERTAIN 0.995
#define PREDICT_VI_LATE_MS 300 /* delay with which vi shows its mode */
#define PREDICT_VI_RIGHT 8     /* right outcomes before any command to vi */
#define PREDICT_VI_WRONG 0.4
#define PREDICT_CHANCE_OPENS 0.95 /* Enter opens a row in vi */
/* A prompt on the last row after Enter there, besides outcomes. */
#define PREDICT_BOTTOM_RIGHT 5
#define PREDICT_BOTTOM_WRONG 0.45
#define PREDICT_BOTTOM_SEEN 8    /* right outcomes, before they tell so much */
#define PREDICT_SILENT_WRONG 0.5 /* of commands that printed nothing */
#define PREDICT_CHANCE_SAFE 0.96 /* ls and the like return to the prompt */
#define PREDICT_CHANCE_SILENT 0.92 /* cd and the like print nothing */

#define PREDICT_ENTER_WEIGHT 2 /* of an outcome of the same line */
/* Wrong outcomes of Enter in a full-screen program, before any. */
#define PREDICT_ENTER_SAME 0.1
#define PREDICT_ENTER_OPEN 0.25
#define PREDICT_ENTER_INDENT 2

/* Weight of an old outcome at each new one. */
#define PREDICT_DECAY 0.95

/* Blank columns that end the edited text. */
#define PREDICT_GAP 3

/* Where lines break (predict/margin.h). */
#define PREDICT_MARGINS_MAX 4   /* windows of a surface */
#define PREDICT_MARGIN_STARTS 4 /* indents remembered */
/* The chance of a break at each column, from the least on, before any. */
#define PREDICT_MARGIN_LEAST 24u
#define PREDICT_MARGIN_HAZARD 0.003
#define PREDICT_MARGIN_LONGER 0.055 /* ... longer than other rows */
#define PREDICT_MARGIN_ROWS 8u      /* columns between long rows of text */
#define PREDICT_MARGIN_LONG 16u     /* columns of text without a blank */
#define PREDICT_MARGIN_OTHER 0.5    /* a blank where text breaks */
#define PREDICT_MARGIN_BEFORE 0.88  /* text, a column before its break */
#define PREDICT_MARGIN_KNOWN 0.99   /* before a break of both classes */
#define PREDICT_MARGIN_EDGE 0.4     /* a break at the last column */
#define PREDICT_MARGIN_RIGHT 4      /* a predicted break, before any outcome */
#define PREDICT_MARGIN_WRONG 0.18
#define PREDICT_MARGIN_WRAPS 0.86  /* a line editor's first full row */
#define PREDICT_REFLOW 0.25        /* backspace moves a word back, or not */
#define PREDICT_BREAK_KEYS 6u      /* not acknowledged, behind a new break */
#define PREDICT_MARGIN_SCROLLS 2u  /* equal ones, before one is predicted */
#define PREDICT_MARGIN_NEAR 6u     /* rows from the end of the screen */
#define PREDICT_MARGIN_DEEPER 0.95 /* a row where no cursor was */

/* Signs and letters beyond ASCII (predict/habit.h). */
#define PREDICT_SIGN_FOREIGN 0.93  /* before one was shown */
#define PREDICT_CHANCE_INSERT 0.92 /* a full-screen program's text moves */
#define PREDICT_ARROW_WRONG 0.2    /* an arrow key, before any outcome */
#define PREDICT_CHANCE_CURSOR 0.8  /* keys that move the cursor alone */
#define PREDICT_PARAGRAPH 4u       /* rows above, and below, of a paragraph */
#define PREDICT_PAIR_UNSURE 0.5    /* a closing sign before the same one */

/* Wrong outcomes of what keys do to lists and fields, before any. */
#define PREDICT_EFFECT_STAYS 0.1
#define PREDICT_EFFECT_PICKS 0.3
#define PREDICT_EFFECT_CLEARS 0.1
#define PREDICT_EFFECT_DRAWN 0.8 /* a selection, or a number, is drawn */
#define PREDICT_EFFECT_NUMBER 0.9
#define PREDICT_EFFECT_AHEAD 6u     /* pending keys that select */
#define PREDICT_EFFECT_LETTER 1.5   /* times that a letter selected */
#define PREDICT_EFFECT_IDLE 2u      /* times that a key changed nothing */
#define PREDICT_EFFECT_DEAF 6u      /* letters that changed nothing */
#define PREDICT_EFFECT_NOTHING 0.95 /* ... and the next does not, too */
#define PREDICT_EFFECT_TIMES 4u     /* presses at once that tell */

/* A screen that comes again: weight of other screens, and of doubt. */
#define PREDICT_RECALL_OTHERS 0.5
#define PREDICT_RECALL_WRONG 0.1
#define PREDICT_RECALL_SEEN 1.5 /* times before more rows are drawn */
#define PREDICT_RECALL_ROWS 4u  /* of which few characters may be wrong */

/* A sign for a letter of a secret, where the program has shown two. */
#define PREDICT_CHANCE_MASK 0.98

/* Rows that change besides the cursor's where typed text narrows a list. */
#define PREDICT_LIST_ROWS 3

/* Bars one below the other that count as a border between windows. */
#define PREDICT_BORDER_ROWS 4

#endif
