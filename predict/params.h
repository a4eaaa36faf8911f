/*
 * predict/params.h - the numbers of local echo.
 *
 * Purpose:   every constant of predict/ in one place.
 * Ownership: none.
 * Units:     as named; chances are 0..1.
 * Errors:    none.
 * Source:    mosh's engine for triggers and limits; the rest are ours, chosen
 *            with regress/predict/simulate (doc/PREDICTION.md).
 * Tests:     regress/unit/check_predict_policy.c
 */
#ifndef PREDICT_PARAMS_H
#define PREDICT_PARAMS_H

/* When to show at all (milliseconds of round trip). */
#define PREDICT_SHOW_ON_RTT 40
#define PREDICT_SHOW_OFF_RTT 25
#define PREDICT_FLAG_ON_RTT 160
#define PREDICT_FLAG_OFF_RTT 100

/* Echo that takes long turns it on whatever the round trip is said to be. */
#define PREDICT_GLITCH_MS 250
#define PREDICT_GLITCH_LONG_MS 5000
#define PREDICT_GLITCH_COUNT 10
#define PREDICT_GLITCH_LONG_COUNT 20
#define PREDICT_GLITCH_REPAIR_MS 150

/* Bounds. */
#define PREDICT_PENDING_MAX 512 /* keys held for one surface */
#define PREDICT_SURFACES_MAX 64
#define PREDICT_CONTEXTS_MAX 64
#define PREDICT_ENTERS_MAX 256
#define PREDICT_PASTE_MAX 100 /* bytes; more make no prediction */

/* Keys typed within this much may come together though some were lost. */
#define PREDICT_LUMP_MS 250

/* A frame that nothing explains while keys may be in it hides the guesses. */
#define PREDICT_HOLD_MS 60

/* The chance that is asked for: from a short to a long delay. */
#define PREDICT_CHANCE_SHORT 0.94
#define PREDICT_CHANCE_LONG 0.88
#define PREDICT_CHANCE_LONG_RTT 500
#define PREDICT_CHANCE_SLACK 0.08 /* less for what is shown already */
#define PREDICT_CHANCE_FLOOR 0.85 /* and not less than that */
#define PREDICT_CHANCE_CERTAIN 0.995
#define PREDICT_VI_LATE_MS 300 /* what mode it is in is said this late */
#define PREDICT_VI_RIGHT 8     /* before any command to vi was seen */
#define PREDICT_VI_WRONG 0.4
#define PREDICT_CHANCE_OPENS 0.93  /* Enter opens a row in vi */
#define PREDICT_CHANCE_SILENT 0.92 /* cd and the like print nothing */

/* Weight that an old outcome keeps at each new one. */
#define PREDICT_DECAY 0.95

/* Blank columns that end the text being edited. */
#define PREDICT_GAP 3

/* Bars under each other that are a border between a program's windows. */
#define PREDICT_BORDER_ROWS 4

#endif
