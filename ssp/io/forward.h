/*
 * ssp/io/forward.h - forwarded connections of one SSP connection, either end.
 *
 * Purpose:   listens for the user's forwards, connects for those of the peer,
 *            and joins sockets to streams.
 * Ownership: struct forwards borrows loop, streams and helper; forwards_free
 *            closes all its sockets and resets its streams.
 * Units:     bytes.
 * Errors:    a forward that fails is reported by ops.say, as "forward -L 80:...:
 *            listen 127.0.0.1:80: Permission denied".
 * Source:    ssh(1) -L, -R, -D; RFC 4254 section 7.
 * Tests:     regress/e2e/forward.sh
 */
#ifndef SSP_IO_FORWARD_H
#define SSP_IO_FORWARD_H

#include "ssp/forward_spec.h"
#include "ssp/io/reach.h"
#include "ssp/streams.h"

struct forwards;

struct forwards_ops {
	/* Streams have changed: send what is due.  May be called at any time. */
	void (*changed)(void *arg);
	/* Something to tell the user. */
	void (*say)(void *arg, const char *text);
	/* Returns the helper, started if need be; NULL: there is none. */
	struct reach *(*reach)(void *arg);
	/* The peer offers an agent; may be NULL. */
	void (*agent)(void *arg);
	/* The same for the socket NAME; false: it is not wanted. */
	bool (*socket)(void *arg, const char *name);
	/*
	 * The peer has opened STREAM for something that is no forward, or there
	 * is news of one that is none; false: nobody knows it.  May be NULL.
	 */
	bool (*opened)(void *arg, uint64_t stream, const struct ssp_purpose *p);
	bool (*news)(void *arg, uint64_t stream);
};

/* SERVE: connects and listens for the peer as it asks; false: denies that. */
struct forwards *forwards_new(struct loop *loop, struct ssp_streams *ss,
    bool serve, const struct forwards_ops *ops, void *arg);
void forwards_free(struct forwards *f); /* NULL is fine */

/*
 * Listens here, for LOCAL and DYNAMIC, or names the target of the others; before
 * reach_seal.  What connects waits for forwards_up.
 */
int forwards_add(struct forwards *f, const struct forward_spec *spec,
    struct cause *c) WARN_UNUSED;

/*
 * Takes over what the user has asked for at the door: entry ENTRY of the helper,
 * SPEC, with the N listening sockets FDS. Request NUMBER is answered once it
 * listens.
 */
void forwards_added(struct forwards *f, uint32_t number, unsigned entry,
    const struct forward_spec *spec, const int *fds, unsigned n);

/* Offers the desk of the helper to the peer, which may not want it. */
void forwards_desk(struct forwards *f);

/* Ends a forward; connections that are open remain. */
void forwards_cancelled(struct forwards *f, unsigned entry);

/* What one forward, or one place that the peer connects to, has carried. */
struct forward_info {
	const struct forward_spec *spec;
	/*
	 * The peer's: for REMOTE, AGENT and SOCKET, it asked for SPEC; LOCAL and
	 * DYNAMIC it has announced. LOCAL with no SPEC.listen.host is a place to
	 * which it has connections that belong to none of these.
	 */
	bool theirs;
	unsigned entry; /* of the helper, if it is not theirs */
	struct reach_counts counts;
};

/*
 * Calls FN for each forward but the desk, the peer's too. F may be NULL. FN must change
 * nothing.
 */
void forwards_each(struct forwards *f,
    void (*fn)(void *arg, const struct forward_info *i), void *arg);

/*
 * Ends what the peer has asked for: what listens here at PLACE, and all
 * connections that came there, go to PLACE, or came to the peer's -D at PLACE.
 * Returns how many of both.
 */
unsigned forwards_kill(struct forwards *f, const char *place);

/* Writes the place of I as forwards_kill reads it; an agent has none. */
char *forward_info_place(
    const struct forward_info *i, char out[SSP_PLACE_TEXT]);

/* The connection stands, and its peer knows streams: asks it to listen. */
void forwards_up(struct forwards *f);

/*
 * The connection is another one, with streams SS; NULL: there is none for now.
 * Closes all connections and keeps what listens here.  Call it before the old
 * streams go.
 */
void forwards_move(struct forwards *f, struct ssp_streams *ss);

/*
 * Joins FD, which wants an agent, or the socket NAME (NULL: an agent), to the one
 * that the peer offers; false: it offers none, and FD stays the caller's.
 */
bool forwards_agent(struct forwards *f, const char *name, int fd);

/* F may be NULL. */
bool forwards_has_agent(struct forwards *f, const char *name);

/* Handles what has come; call it after each received datagram. */
void forwards_turn(struct forwards *f);

#endif
