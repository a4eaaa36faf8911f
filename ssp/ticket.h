/*
 * ssp/ticket.h - an invitation in one word: server addresses and a secret.
 *
 * Purpose:   the text that a user without an account pastes to attach, or hears
 *            and types, and the keys derived from it.
 * Ownership: struct ssp_ticket contains a secret; call ssp_ticket_wipe after
 *            use.
 * Units:     bytes; the word is base64url without padding, a spoken ticket is an
 *            address and nine words of five letters.
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
#define SSP_TICKET_PORT 60000   /* of a spoken ticket that names none */
#define SSP_TICKET_SAID 16      /* bytes of a spoken secret */
#define SSP_TICKET_WORDS 9      /* the last one checks the others */

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

/*
 * Adds "host", "host:port", "[2001:db8::1]:port" or "2001:db8::1"; PORT is for
 * those without one.
 */
int ssp_ticket_add(struct ssp_ticket *t, const char *text, uint16_t port);

/* Appends the word to OUT. */
int ssp_ticket_format(const struct ssp_ticket *t, struct buf *out) WARN_UNUSED;

/* Parses LEN characters; wipes *t if they are invalid. */
int ssp_ticket_parse(
    const char *text, size_t len, struct ssp_ticket *t) WARN_UNUSED;

/*
 * Makes the key of a spoken ticket, and its tag, from the first SSP_TICKET_SAID
 * bytes of KEY.
 */
void ssp_ticket_spoken(uint8_t key[static SSP_KEY_LEN], uint32_t *tag);

/* Appends address number ADDR and the words of a spoken ticket to OUT. */
int ssp_ticket_say(
    const struct ssp_ticket *t, size_t addr, struct buf *out) WARN_UNUSED;

/*
 * Parses an address and nine words, which spaces or dashes separate. After an
 * error *t is wiped, and *wrong is the number of the first bad or missing word;
 * 0: the address; SSP_TICKET_WORDS + 1: the words do not belong together.
 */
int ssp_ticket_hear(
    const char *text, struct ssp_ticket *t, unsigned *wrong) WARN_UNUSED;

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
