/*
 * ssp/ticket.h - an invitation in one word: server addresses and a secret.
 *
 * Purpose:   the text that a user without an account pastes to attach, and the
 *            keys derived from it.
 * Ownership: struct ssp_ticket contains a secret; call ssp_ticket_wipe after
 *            use.
 * Units:     bytes; the word is base64url without padding.
 * Errors:    -ERR_SYNTAX for text that is not an intact ticket of this version;
 *            -ERR_LIMIT if it does not fit.
 * Source:    doc/PROTOCOL.md, A.11.
 * Tests:     regress/unit/check_ssp_ticket.c, regress/fuzz/fuzz_ssp_ticket.c
 */
#ifndef SSP_TICKET_H
#define SSP_TICKET_H

#include "base/buf.h"
#include "ssp/crypto.h"

#define SSP_TICKET_VERSION 1
#define SSP_TICKET_ADDRS_MAX 8
#define SSP_TICKET_ADDR_MAX 253 /* maximum DNS name */

/* Size of the longest word with its NUL. */
#define SSP_TICKET_TEXT_MAX 2816

struct ssp_ticket {
	uint32_t tag; /* upper half of its connection ids */
	uint8_t key[SSP_KEY_LEN];
	size_t naddrs;
	struct ssp_ticket_addr {
		uint16_t port;
		/* A DNS name or a numeric address. */
		char host[SSP_TICKET_ADDR_MAX + 1];
	} addrs[SSP_TICKET_ADDRS_MAX];
};

/*
 * Returns whether TEXT is a valid host: letters, digits, - . : _ %, not empty.
 */
bool ssp_ticket_host(const char *text);

/* Appends the word to OUT. */
int ssp_ticket_format(const struct ssp_ticket *t, struct buf *out) WARN_UNUSED;

/* Parses LEN characters; wipes *t if they are invalid. */
int ssp_ticket_parse(
    const char *text, size_t len, struct ssp_ticket *t) WARN_UNUSED;

/* Makes a connection id of the ticket from 4 random bytes. */
uint64_t ssp_ticket_cid(uint32_t tag, uint32_t random);
uint32_t ssp_ticket_tag(uint64_t cid);

/* Derives the pre-shared key of connection CID; each connection has its own. */
void ssp_ticket_psk(uint8_t out[static SSP_KEY_LEN],
    const uint8_t key[static SSP_KEY_LEN], uint64_t cid);

/*
 * Returns whether the LEN bytes at P are an INIT of epoch 0 from a client with
 * the key of connection CID.  Takes one keyed hash; stores nothing.
 */
bool ssp_ticket_opens(const uint8_t psk[static SSP_KEY_LEN], uint64_t cid,
    const uint8_t *p, size_t len);

void ssp_ticket_wipe(struct ssp_ticket *t);

#endif
