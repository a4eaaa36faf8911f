/*
 * regress/bench/payload.h - generated terminal output, the same every time.
 *
 * Purpose:   what the benchmarks of the terminal are fed with.
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

/* What the benchmarks are asked for: -m MB -r rounds -H history, payloads. */
struct bench_args {
	size_t size;    /* bytes of a payload */
	size_t rounds;  /* 1..BENCH_ROUNDS_MAX */
	size_t history; /* rows */
	bool raw;       /* no output processing by the pty */
	size_t piece;   /* bytes gathered before they are handed on */
	double busy;    /* ns a byte to wait in place of a terminal; 0: none */
	char **names;   /* NULL-terminated; none: all payloads */
};

/* Takes the arguments over what ARGS holds; false if they are wrong. */
bool bench_args(struct bench_args *args, int argc, char **argv);

/* Runs FN for each payload asked for, whose bytes are P[N]. */
typedef void (*bench_fn)(const struct bench_args *args, const char *name,
    const uint8_t *p, size_t n);
void bench_each(const struct bench_args *args, bench_fn fn);

/* The middle one of N values (sorts them). */
double bench_median(double *v, size_t n);

#endif
