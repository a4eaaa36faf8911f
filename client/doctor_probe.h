/*
 * client/doctor_probe.h - probe datagrams of `rmux doctor` (pure).
 *
 * Purpose:   makes and checks authentic probes and answers, and computes round
 *            trips and losses. An answer is never longer than its probe, so
 *            that an attacker cannot use it to flood a third party.
 * Ownership: plain values.
 * Units:     bytes of UDP payload; milliseconds.
 * Errors:    -ERR_PEER for datagrams that are malformed or not authentic.
 * Tests:     regress/unit/check_doctor.c
 *
 *     0   4  "rmxq" a probe, "rmxa" an answer
 *     4   8  id of the run
 *     12  4  number of the probe
 *     16  8  in an answer: wall clock of the far end, ms since 1970
 *     24     zeros
 *     -16 16 keyed BLAKE2b-128 of the bytes before
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
