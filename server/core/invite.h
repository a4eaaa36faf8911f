/*
 * server/core/invite.h - people without an account: invitations and guests.
 *
 * Purpose:   makes the secret of an invitation, admits clients whose first
 *            datagram proves that they have it, and detaches its guests when it
 *            ends.
 * Ownership: the server owns its invitations; their keys are in locked memory
 *            and are wiped with them.  Guests are viewers like any other.
 * Units:     milliseconds.
 * Errors:    reported to the inviting user; a stranger gets no answer.
 * Source:    doc/PROTOCOL.md, A.11; doc/SECURITY.md, "Guests".
 * Tests:     regress/unit/check_invite.c, regress/e2e/people.sh
 */
#ifndef SERVER_CORE_INVITE_H
#define SERVER_CORE_INVITE_H

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
struct udp_msg;
struct viewers;

struct invite_spec {
	enum client_role role; /* VIEW or TYPE */
	uint32_t session;
	bool once;
	bool words;       /* the ticket can be spoken */
	bool ask;         /* each guest waits until an admin lets it in */
	mono_ms length;   /* of its life */
	const char *name; /* of the guest, or NULL: chosen by the guest */
	const char *const *addrs; /* "host", "host:port"; NULL-terminated */
};

struct invites *invites_new(struct viewers *vs);

/* Ends all invitations; NULL is fine. */
void invites_free(struct invites *is);

/* Makes one; the caller prints TICKET and wipes it. */
int invite_new(struct invites *is, const struct invite_spec *spec,
    struct ssp_ticket *ticket, struct cause *c) WARN_UNUSED;

/* One line each. */
void invite_list(const struct invites *is, struct buf *out);

/* Ends invitation ID (0: all) and detaches its guests; false: none. */
bool invite_revoke(struct invites *is, unsigned id);

/*
 * Takes a first datagram for an unknown connection id.  One that proves the
 * ticket waits for the guests' time (server/run/lane), as admitting a guest
 * costs as much as many keys of the owner.  Returns whether it waits.
 */
bool invite_knock(
    struct invites *is, const struct ssp_dgram *d, const struct udp_msg *m);

#endif
