/*
 * server/invite.h - people without an account: invitations and guests.
 *
 * Purpose:   makes the secret of an invitation, lets in who proves to have it
 *            in a first datagram, and cuts its guests off when it ends.
 * Ownership: the server owns its invitations; their keys live in locked memory
 *            and die with them.  Guests are viewers like any other.
 * Units:     milliseconds.
 * Errors:    said to who invites; to a stranger nothing is said.
 * Source:    doc/PROTOCOL.md, A.11; doc/SECURITY.md, "Guests".
 * Tests:     regress/e2e/people.sh, regress/unit/check_ssp_ticket.c
 */
#ifndef SERVER_INVITE_H
#define SERVER_INVITE_H

#include "base/buf.h"
#include "base/err.h"
#include "base/types.h"
#include "mux/client.h"
#include "mux/sync/input.h"
#include "ssp/datagram.h"
#include "ssp/ticket.h"

#define INVITES_MAX 64
#define INVITE_GUESTS_MAX 64 /* at a time, of one invitation */
#define INVITE_JOINS_MAX 4096
#define INVITE_TIME_MAX (UINT64_C(30) * 86400 * 1000)

struct invites;
struct remote;
struct server;
struct viewer;

struct invite_spec {
	enum client_role role; /* VIEW or TYPE */
	uint32_t session;
	bool once;
	mono_ms length;           /* of its life */
	const char *name;         /* of the guest, or NULL: as the guest says */
	const char *const *addrs; /* "host", "host:port"; NULL-terminated */
};

/* Makes one; the caller prints TICKET and wipes it. */
int invite_new(struct server *sv, const struct invite_spec *spec,
    struct ssp_ticket *ticket, struct cause *c) WARN_UNUSED;

/* One line each. */
void invite_list(struct server *sv, struct buf *out);

/* Ends invitation ID (0: all): its key and its guests; false: none. */
bool invite_revoke(struct server *sv, unsigned id);

/*
 * A first datagram for a connection id that nobody has: the new guest's
 * remote, or NULL.
 */
struct remote *invite_admit(
    struct server *sv, const struct ssp_dgram *d, const uint8_t *p, size_t n);

/* VW is a guest whose ticket would not let it in again. */
bool invite_spent(const struct viewer *vw);

/* What a guest's program says of itself, once. */
void invite_hello(struct viewer *vw, const struct sync_event *ev);

/* Text of a client's terminal; a guest's without what could be harmful. */
char *invite_word_new(const struct client *c, const char *p, size_t n);

/* NULL is fine. */
void invites_free(struct invites *is);

#endif
