/*
 * base/io/udp.h - UDP sockets.
 *
 * Purpose:   thin shell over sendmsg and recvmsg: source addresses both ways,
 *            ECN bits, "don't fragment", bounded batches.
 * Ownership: udp_bind and udp_open give a handle that udp_free closes; the
 *            bytes of a struct udp_msg belong to the handle until its next
 *            receive.
 * Units:     bytes of UDP payload.
 * Errors:    -ERR_AGAIN (nothing there, or the send queue is full), -ERR_LIMIT
 *            (too long for the interface), -ERR_SYS with errno kept; opening
 *            also gives a cause.
 * Source:    RFC 3542, ip(7), ipv6(7); RFC 8899 section 5 for setting DF and
 *            not believing the kernel's own idea of the path's size.
 * Tests:     regress/unit/check_udp.c
 */
#ifndef BASE_IO_UDP_H
#define BASE_IO_UDP_H

#include <sys/socket.h>

#include "base/err.h"
#include "base/types.h"

#define UDP_ADDR_MAX 28
#define UDP_DATA_MAX 2048 /* longer datagrams are none of ours */
#define UDP_BATCH 32      /* datagrams taken in one turn of the loop */

/*
 * An address as bytes to compare, keep and hand back: the host's address (and
 * scope), then the port.  LEN 0 is "none".
 */
struct udp_addr {
	uint8_t len;
	uint8_t host; /* the first HOST bytes are the host */
	uint8_t bytes[UDP_ADDR_MAX];
};

struct udp_msg {
	struct udp_addr from;
	struct udp_addr local; /* where it came to; see udp_open */
	unsigned ecn;          /* the two ECN bits */
	uint8_t *data;
	size_t len;
};

struct udp;

/*
 * A server's socket of FAMILY on the first free port of LO..HI (0..0: any).
 * Its messages tell which of the machine's addresses they came to, and a reply
 * leaves from there.
 */
int udp_bind(int family, uint16_t lo, uint16_t hi, struct udp **out,
    struct cause *c) WARN_UNUSED;

/*
 * A client's socket of FAMILY, on any port.  NAME is what its messages have as
 * their local address: the kernel chooses the true one.
 */
int udp_open(
    int family, uint32_t name, struct udp **out, struct cause *c) WARN_UNUSED;

void udp_free(struct udp *u);

/* For the event loop. */
int udp_fd(const struct udp *u);
/* The port that it is bound to. */
uint16_t udp_port(const struct udp *u);

/* The local address that all messages of a client's socket have. */
struct udp_addr udp_name(const struct udp *u);

/* Takes one datagram; -ERR_AGAIN when none is there. */
int udp_recv(struct udp *u, struct udp_msg *m) WARN_UNUSED;

/*
 * Takes at most MAX datagrams and hands each to FN; returns their number, or
 * an error if the first could not be taken for another reason than that there
 * is none (then 0).
 */
typedef void (*udp_fn)(void *arg, struct udp_msg *m);
int udp_recv_batch(struct udp *u, int max, udp_fn fn, void *arg);

/* Sends LEN bytes to TO, from LOCAL if that is an address of ours. */
int udp_send(struct udp *u, const struct udp_addr *local,
    const struct udp_addr *to, const void *p, size_t len) WARN_UNUSED;

/* The address that was kept as LEN bytes, of which HOST name the host. */
struct udp_addr udp_addr_make(const void *bytes, uint8_t len, uint8_t host);

/* Address and port of numbers as text ("192.0.2.1", "2001:db8::1"). */
int udp_addr_parse(const char *host, uint16_t port, struct udp_addr *out);

/* "192.0.2.1:60000", "[2001:db8::1]:60000". */
void udp_addr_format(const struct udp_addr *a, char *buf, size_t size);

/* AF_INET or AF_INET6; 0 for none. */
int udp_addr_family(const struct udp_addr *a);

#endif
