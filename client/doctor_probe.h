/*
 * client/doctor_probe.h - datagrams that ask "do you hear me?" (pure).
 *
 * Purpose:   probes and answers of `rmux doctor`: authentic, never longer
 *            back than forth, so that nobody can use the answering end against
 *            a third party; and what round trips and losses say.
 * Ownership: plain values.
 * Units:     bytes of UDP payload; milliseconds.
 * Errors:    -ERR_PEER for what is not ours or not authentic.
 * Source:    our own.
 * Tests:     regress/unit/check_doctor.c
 *
 *     0   4  "rmxq" a probe, "rmxa" an answer
 *     4   8  which connection
 *     12  4  number of the probe
 *     16  8  in an answer: wall clock of the far end, ms since 1970
 *     24     zeros
 *     -16 16 keyed BLAKE2b-128 of all before
 */
#ifndef CLIENT_DOCTOR_PROBE_H
#define CLIENT_DOCTOR_PROBE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/types.h"
#include "ssp/crypto.h"

#define DOCTOR_PROBE_MIN (24 + SSP_MAC_LEN)
#define DOCTOR_PROBE_MAX 1472
#define DOCTOR_PROBES 20

struct doctor_key {
	uint64_t id;
	uint8_t key[SSP_KEY_LEN];
};

/* Writes a probe of SIZE bytes (MIN..MAX) at OUT. */
void doctor_probe_make(
    const struct doctor_key *k, uint32_t number, uint8_t *out, size_t size);

/* Turns the probe at P into its answer, of the same size. */
int doctor_probe_answer(
    const struct doctor_key *k, uint64_t wall, uint8_t *p, size_t size);

/* Reads an answer. */
int doctor_probe_read(const struct doctor_key *k, const uint8_t *p, size_t size,
    uint32_t *number, uint64_t *wall);

/* The measured round trips. */
struct doctor_trips {
	unsigned sent;
	unsigned got;
	uint32_t us[DOCTOR_PROBES]; /* microseconds */
};

/* The median, in microseconds; 0 for none. */
uint32_t doctor_trips_median(const struct doctor_trips *t);

/* Returns the far clock minus the local one, in ms. */
int64_t doctor_skew(uint64_t sent_wall, uint32_t trip_us, uint64_t far_wall);

#endif
