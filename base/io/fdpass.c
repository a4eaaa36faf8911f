#include "base/io/fdpass.h"

#include <sys/socket.h>

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "base/compiler.h"
#include "base/io/sys.h"

#ifndef MSG_CMSG_CLOEXEC
# define MSG_CMSG_CLOEXEC 0
#endif

/* Room for more than anybody may send, so that one too many is seen. */
union fdpass_control {
	struct cmsghdr align;
	uint8_t space[CMSG_SPACE((FDPASS_MAX + 1) * sizeof(int))];
};

ssize_t
fdpass_send(
    int sock, const void *p, size_t n, const int *fds, size_t nfds, int flags)
{
	union fdpass_control ctl;
	struct iovec iov = { .iov_len = n };
	struct msghdr mh = { .msg_iov = &iov, .msg_iovlen = 1 };
	struct cmsghdr *cm;
	ssize_t sent;

	/* It is never written through. */
	memcpy(&iov.iov_base, &p, sizeof(p));
	if (nfds > FDPASS_MAX) {
		errno = EINVAL;
		return -1;
	}
	if (nfds > 0) {
		memset(&ctl, 0, sizeof(ctl));
		mh.msg_control = &ctl;
		mh.msg_controllen = CMSG_SPACE(nfds * sizeof(int));
		cm = CMSG_FIRSTHDR(&mh);
		cm->cmsg_level = SOL_SOCKET;
		cm->cmsg_type = SCM_RIGHTS;
		cm->cmsg_len = CMSG_LEN(nfds * sizeof(int));
		memcpy(CMSG_DATA(cm), fds, nfds * sizeof(int));
	}
	do
		sent = sendmsg(sock, &mh, flags | MSG_NOSIGNAL);
	while (sent < 0 && errno == EINTR);
	return sent;
}

/* Takes the descriptors of one header; those above MAX are closed. */
static size_t
take(struct cmsghdr *cm, int *fds, size_t got, size_t max)
{
	const size_t n = (cm->cmsg_len - CMSG_LEN(0)) / sizeof(int);
	size_t i;
	int fd;

	for (i = 0; i < n; i++) {
		memcpy(&fd, CMSG_DATA(cm) + i * sizeof(fd), sizeof(fd));
		if (got + i >= max) {
			(void)close(fd);
			continue;
		}
		(void)sys_set_cloexec(fd);
		fds[got + i] = fd;
	}
	return got + n;
}

ssize_t
fdpass_recv(
    int sock, void *p, size_t n, int *fds, size_t max, size_t *nfds, int flags)
{
	union fdpass_control ctl;
	struct iovec iov = { p, n };
	struct msghdr mh = { .msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = &ctl,
		.msg_controllen = sizeof(ctl) };
	struct cmsghdr *cm;
	size_t got = 0, i;
	ssize_t r;

	*nfds = 0;
	do
		r = recvmsg(sock, &mh, flags | MSG_CMSG_CLOEXEC);
	while (r < 0 && errno == EINTR);
	if (r < 0)
		return r;
	for (cm = CMSG_FIRSTHDR(&mh); cm != NULL; cm = CMSG_NXTHDR(&mh, cm))
		if (cm->cmsg_level == SOL_SOCKET && cm->cmsg_type == SCM_RIGHTS)
			got = take(cm, fds, got, max);
	if (got <= max && (mh.msg_flags & MSG_CTRUNC) == 0) {
		*nfds = got;
		return r;
	}
	for (i = 0; i < MIN_OF(got, max); i++)
		(void)close(fds[i]);
	return r;
}
