/*
 * ssp/ticket.h - an invitation as one word: where a server is, and a secret.
 *
 * Purpose:   the text that somebody without an account pastes to come in, and
 *            the keys that follow from it.
 * Ownership: struct ssp_ticket holds a secret; ssp_ticket_wipe after use.
 * Units:     bytes; the word is base64url without padding.
 * Errors:    -ERR_SYNTAX for text that is no ticket of this version, whole and
 *            unchanged; -ERR_LIMIT for what does not fit.
 * Source:    doc/PROTOCOL.md, A.11.
 * Tests:     regress/unit/check_ssp_ticket.c, regress/fuzz/fuzz_ssp_ticket.c
 */
#ifndef SSP_TICKET_H
#define SSP_TICKET_H

#include "base/buf.h"
#include "ssp/crypto.h"

#define SSP_TICKET_VERSION 1
#define SSP_TICKET_ADDRS_MAX 8
#define SSP_TICKET_ADDR_MAX 253 /* a name of DNS */

/* Characters of the longest word. */
#define SSP_TICKET_TEXT_MAX 2816

struct ssp_ticket {
	uint32_t tag; /* upper half of the connection ids that it opens */
	uint8_t key[SSP_KEY_LEN];
	size_t naddrs;
	struct ssp_ticket_addr {
		uint16_t port;
		/* A name, or a number as text. */
		char host[SSP_TICKET_ADDR_MAX + 1];
	} addrs[SSP_TICKET_ADDRS_MAX];
};

/* Whether TEXT may stand as host: letters, digits, - . : _ %, not empty. */
bool ssp_ticket_host(const char *text);

/* Appends the word. */
int ssp_ticket_format(const struct ssp_ticket *t, struct buf *out) WARN_UNUSED;

/* Reads LEN characters; *t is wiped if they are wrong. */
int ssp_ticket_parse(
    const char *text, size_t len, struct ssp_ticket *t) WARN_UNUSED;

/* A connection id of the ticket, from 4 random bytes. */
uint64_t ssp_ticket_cid(uint32_t tag, uint32_t random);
uint32_t ssp_ticket_tag(uint64_t cid);

/* The shared key of the connection CID: no two have the same. */
void ssp_ticket_psk(uint8_t out[static SSP_KEY_LEN],
    const uint8_t key[static SSP_KEY_LEN], uint64_t cid);

/*
 * Whether LEN bytes at P are an INIT of epoch 0 by somebody who has the key of
 * connection CID: one keyed hash, nothing is kept.
 */
bool ssp_ticket_opens(const uint8_t psk[static SSP_KEY_LEN], uint64_t cid,
    const uint8_t *p, size_t len);

void ssp_ticket_wipe(struct ssp_ticket *t);

#endif
