/*
 * base/io/udp.h - UDP sockets.
 *
 * Purpose:   wraps sendmsg and recvmsg: source addresses both ways, ECN bits,
 *            "don't fragment", bounded batches.
 * Ownership: udp_bind and udp_open return a handle that udp_free closes; the
 *            bytes of a struct udp_msg belong to the handle until its next
 *            receive, those that udp_recv_batch passes until FN returns.
 * Units:     bytes of UDP payload.
 * Errors:    -ERR_AGAIN (no datagram, or the send queue is full), -ERR_LIMIT
 *            (too long for the interface), -ERR_SYS with errno set; opening
 *            also sets a cause.
 * Source:    RFC 3542, ip(7), ipv6(7); RFC 8899 section 5 for setting DF and
 *            ignoring the kernel's path MTU.
 * Tests:     regress/unit/check_udp.c
 */
#ifndef BASE_IO_UDP_H
#define BASE_IO_UDP_H

#include <sys/socket.h>

#include "base/err.h"
#include "base/types.h"

#define UDP_ADDR_MAX 28
#define UDP_DATA_MAX 16384  /* longer datagrams are dropped */
#define UDP_BATCH 32        /* datagrams received in a turn of the loop */
#define UDP_BATCH_PARTS 256 /* the same where the system joins them, about */

/*
 * An address as comparable bytes: the host's address (with scope), then the
 * port.  LEN 0 means no address.
 */
struct udp_addr {
	uint8_t len;
	uint8_t host; /* the first HOST bytes name the host */
	uint8_t bytes[UDP_ADDR_MAX];
};

struct udp_msg {
	struct udp_addr from;
	struct udp_addr local; /* its destination; see udp_open */
	unsigned ecn;          /* the two ECN bits */
	uint8_t *data;
	size_t len;
};

struct udp;

/*
 * Opens a server's socket of FAMILY on the first free port of LO..HI (0..0:
 * any).  Its messages carry their destination address, and replies leave from
 * it.
 */
int udp_bind(int family, uint16_t lo, uint16_t hi, struct udp **out,
    struct cause *c) WARN_UNUSED;

/* The same on one address of this machine; the port in AT does not count. */
int udp_bind_at(const struct udp_addr *at, uint16_t lo, uint16_t hi,
    struct udp **out, struct cause *c) WARN_UNUSED;

/*
 * Opens a client's socket of FAMILY on any port.  Its messages carry NAME as
 * their local address; the kernel chooses the real one.
 */
int udp_open(
    int family, uint32_t name, struct udp **out, struct cause *c) WARN_UNUSED;

/*
 * Sends and receives by the interface NAME alone.  Returns 0, -ERR_UNSUPPORTED,
 * or -ERR_SYS with errno set.
 */
int udp_use_interface(struct udp *u, const char *name) WARN_UNUSED;

void udp_free(struct udp *u);

/* Returns the descriptor, for the event loop. */
int udp_fd(const struct udp *u);
/* Returns the bound port. */
uint16_t udp_port(const struct udp *u);

/* Returns the local address in all messages of a client's socket. */
struct udp_addr udp_name(const struct udp *u);

/* Receives one datagram; -ERR_AGAIN if there is none. */
int udp_recv(struct udp *u, struct udp_msg *m) WARN_UNUSED;

/*
 * Receives at most MAX datagrams (UDP_BATCH at most) and passes each to FN, which
 * must not free U.  Datagrams that the system has joined (Linux: UDP_GRO) count as
 * one of MAX; where many come joined the next call takes fewer, so that its caller
 * answers about every UDP_BATCH_PARTS.  Returns their number, or the error of the
 * first receive (other than -ERR_AGAIN, which returns 0).  From the first call on,
 * use no udp_recv.
 */
typedef void (*udp_fn)(void *arg, struct udp_msg *m);
int udp_recv_batch(struct udp *u, int max, udp_fn fn, void *arg);

/* Sends LEN bytes to TO, from LOCAL if it is an address of this machine. */
int udp_send(struct udp *u, const struct udp_addr *local,
    const struct udp_addr *to, const void *p, size_t len) WARN_UNUSED;

/*
 * The same for several datagrams of PART bytes each, but for the last, which may
 * be shorter: one system call where the system can (Linux: UDP_SEGMENT).
 */
#define UDP_PARTS_MAX 60000 /* bytes in all */
int udp_send_parts(struct udp *u, const struct udp_addr *local,
    const struct udp_addr *to, const void *p, size_t len,
    size_t part) WARN_UNUSED;

/* Rebuilds an address from its LEN bytes, of which HOST name the host. */
struct udp_addr udp_addr_make(const void *bytes, uint8_t len, uint8_t host);

/* Parses a numeric address ("192.0.2.1", "2001:db8::1") and adds PORT. */
int udp_addr_parse(const char *host, uint16_t port, struct udp_addr *out);

/* Writes "192.0.2.1:60000" or "[2001:db8::1]:60000". */
void udp_addr_format(const struct udp_addr *a, char *buf, size_t size);

/* The port of an address. */
uint16_t udp_addr_port(const struct udp_addr *a);
void udp_addr_set_port(struct udp_addr *a, uint16_t port);

/* Returns AF_INET, AF_INET6, or 0 for no address. */
int udp_addr_family(const struct udp_addr *a);

#endif
