/*
 * regress/bench/payload.h - generated terminal output, the same every time.
 *
 * Purpose:   the input of the terminal's benchmarks.
 * Ownership: payload_new gives the bytes to the caller (mem_free).
 * Units:     bytes; screens of PAYLOAD_COLS by PAYLOAD_ROWS.
 * Source:    our own; seeds are fixed.
 */
#ifndef REGRESS_BENCH_PAYLOAD_H
#define REGRESS_BENCH_PAYLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PAYLOAD_COLS 80
#define PAYLOAD_ROWS 24

/* Number of payloads, and the name of each. */
size_t payload_count(void);
const char *payload_name(size_t i);

/* At least SIZE bytes of payload I. */
uint8_t *payload_new(size_t i, size_t size, size_t *len);

/* Monotonic seconds, for measuring. */
double bench_now(void);

/* Seconds of processor time of this process: right on a busy machine too. */
double bench_cpu(void);

#define BENCH_ROUNDS_MAX 99

/* Arguments of the benchmarks: -m MB -r rounds -H history, payloads. */
struct bench_args {
	size_t size;    /* bytes of a payload */
	size_t rounds;  /* 1..BENCH_ROUNDS_MAX */
	size_t history; /* rows */
	bool raw;       /* no output processing by the pty */
	size_t piece;   /* bytes to collect before parsing */
	double busy; /* ns to spin for each byte instead of parsing; 0: parse */
	char **names; /* NULL-terminated; none: all payloads */
};

/* Parses the arguments over the defaults in ARGS; false if they are wrong. */
bool bench_args(struct bench_args *args, int argc, char **argv);

/* Runs FN with the bytes P[N] of each payload that the arguments name. */
typedef void (*bench_fn)(const struct bench_args *args, const char *name,
    const uint8_t *p, size_t n);
void bench_each(const struct bench_args *args, bench_fn fn);

/* Returns the median of N values (sorts them). */
double bench_median(double *v, size_t n);

#endif
