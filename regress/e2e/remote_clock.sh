#!/bin/sh
# Clocks that jump, a machine that sleeps, and datagrams replayed a day later.
#
# A preloaded library replaces libc's clocks: it adds the offsets in a file to
# the time of day and to the clock that counts during sleep, which timers use,
# too.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
. "$e2e_src/regress/e2e/remote_lib.sh"
[ $e2e_have_tmux = yes ] || skip_all "no tmux to be the outer terminal"
command -v python3 >/dev/null || skip_all "no python3"

cat >"$e2e_dir/clock.c" <<'C'
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

/* Seconds to add: to the time of day, to the time since the start. */
static volatile const int64_t *
add(void)
{
	static const int64_t none[2];
	static volatile const int64_t *at;
	const char *name = getenv("CLOCK_FILE");
	int fd;

	if (at != NULL)
		return at;
	at = none;
	if (name != NULL && (fd = open(name, O_RDONLY | O_CLOEXEC)) >= 0) {
		void *p = mmap(NULL, 16, PROT_READ, MAP_SHARED, fd, 0);

		if (p != MAP_FAILED)
			at = p;
		close(fd);
	}
	return at;
}

int
clock_gettime(clockid_t id, struct timespec *ts)
{
	int r = (int)syscall(SYS_clock_gettime, id, ts);

	if (r == 0 && (id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE))
		ts->tv_sec += add()[0];
	if (r == 0 && id == CLOCK_BOOTTIME)
		ts->tv_sec += add()[1];
	return r;
}

/* The kernel's timers go by the kernel's clock. */
int
timerfd_settime(int fd, int flags, const struct itimerspec *new,
    struct itimerspec *old)
{
	struct itimerspec is = *new;

	if ((flags & TFD_TIMER_ABSTIME) != 0 && is.it_value.tv_sec > 0) {
		is.it_value.tv_sec -= add()[1];
		if (is.it_value.tv_sec < 0)
			is.it_value = (struct timespec){ 0, 1 };
	}
	return (int)syscall(SYS_timerfd_settime, fd, flags, &is, old);
}

int
gettimeofday(struct timeval *restrict tv, void *restrict zone)
{
	struct timespec ts;

	(void)zone;
	clock_gettime(CLOCK_REALTIME, &ts);
	tv->tv_sec = ts.tv_sec;
	tv->tv_usec = ts.tv_nsec / 1000;
	return 0;
}

time_t
time(time_t *out)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	if (out != NULL)
		*out = ts.tv_sec;
	return ts.tv_sec;
}
C
${CC:-cc} -shared -fPIC -o "$e2e_dir/clock.so" "$e2e_dir/clock.c" \
	2>/dev/null || skip_all "no compiler"

# clock WHO REAL SLEPT: sets the offsets, in seconds.  Writes in place, because
# the file is mapped.
clock() {
	python3 -c 'import struct, sys
with open(sys.argv[1], "r+b") as f:
    f.write(struct.pack("=qq", int(sys.argv[2]), int(sys.argv[3])))' \
		"$e2e_dir/clock.$1" "$2" "$3"
}
for who in here there; do
	head -c 16 /dev/zero >"$e2e_dir/clock.$who"
done

# Allows the sanitizers' library to follow the preloaded one.
preload="LD_PRELOAD='$e2e_dir/clock.so' ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0"
far() {
	env LD_PRELOAD="$e2e_dir/clock.so" CLOCK_FILE="$e2e_dir/clock.there" \
		ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0 \
		RMUX_TMPDIR="$far_dir" "$e2e_rmux" -f /dev/null "$@"
}

over() {
	outer_start 80 24 "export CLOCK_FILE='$e2e_dir/clock.here' $preload; $(remote_cmd "$@")"
	expect_screen '\[far\]' 15
}

# The time of day that rmux sees.
now() {
	far set-buffer x
	far list-buffers -F '#{buffer_created}' | head -1
}

shifted() {
	before=$(now)
	clock there 86400 0
	after=$(now)
	[ $((after - before)) -ge 86300 ]
}

day_on() {
	clock here 86400 0 && echoes ahead
}

year_back() {
	clock here -31536000 0 && clock there -31536000 0 && echoes behind
}

# The client's machine has slept: the silence is eight hours.
slept() {
	clock here 0 28800 && echoes "$1" 15 &&
		wait_for '! outer_screen | grep -q "last contact"'
}

there_slept() {
	clock there 0 28800 && echoes night 15
}

both_slept() {
	clock there 0 200000 && clock here 0 200000 && echoes days
}

listed() {
	[ "$(far list-clients | wc -l)" = 1 ]
}

far_start
check "clocks can be moved here" shifted
check "attach" over
check "the day of the client changes" day_on
check "a year back, on both" year_back
check "the client's machine slept for eight hours" slept morning
check "the server's machine slept" there_slept
check "both slept for two days" both_slept
check "the same client all the time" listed
check "detach" leaves

# --- a recording ----------------------------------------------------------------------

# A relay that records datagrams and replays them on request, from the address
# of their flow and from a new one.
cat >"$e2e_dir/recorder.py" <<'PY'
import select, socket, sys, time
target = ('127.0.0.1', int(sys.argv[1]))
front = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
front.bind(('127.0.0.1', 0))
back = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
back.bind(('127.0.0.1', 0))
stranger = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
stranger.bind(('127.0.0.1', 0))
print(front.getsockname()[1], flush=True)
client, kept, answers = None, [], 0
while True:
    ready = select.select([front, back, stranger, sys.stdin], [], [])[0]
    if front in ready:
        data, client = front.recvfrom(65536)
        kept.append(data)
        back.sendto(data, target)
    if back in ready:
        data = back.recv(65536)
        if client:
            front.sendto(data, client)
    if stranger in ready:
        stranger.recv(65536)
        answers += 1
    if sys.stdin in ready:
        word = sys.stdin.readline().strip()
        if word == 'replay':
            old = list(kept)
            for data in old:
                back.sendto(data, target)
                stranger.sendto(data, target)
                time.sleep(0.0005)
            print('replayed', len(old), flush=True)
        elif word == 'answers':
            print('answers', answers, flush=True)
        else:
            break
PY
recorder() {
	rm -f "$e2e_dir/recorder.in"
	mkfifo "$e2e_dir/recorder.in"
	python3 "$e2e_dir/recorder.py" "$far_port" <"$e2e_dir/recorder.in" \
		>"$e2e_dir/recorder.out" 2>&1 &
	e2e_pids="$e2e_pids $!"
	exec 7>"$e2e_dir/recorder.in"
	wait_for "[ -s '$e2e_dir/recorder.out' ]" || return 1
	relay_port=$(head -1 "$e2e_dir/recorder.out")
}

recorded() {
	over --udp=127.0.0.1:"$relay_port" && outer_keys C-u 'cat -n' Enter &&
		outer_keys 'typed once' Enter && expect_screen '1 *typed once' &&
		outer_keys 'typed twice' Enter && expect_screen '2 *typed twice'
}

replayed() {
	clock there 86400 86400 && clock here 86400 86400
	address=$(far list-clients -F '#{client_address}')
	echo replay >&7
	wait_for "grep -q replayed '$e2e_dir/recorder.out'" 20 || return 1
	# No key is typed twice, no other address gets the screen, the session
	# continues.
	outer_keys 'typed later' Enter
	expect_screen '3 *typed later' &&
		[ "$(far list-clients -F '#{client_address}')" = "$address" ] &&
		[ "$(far list-clients | wc -l)" = 1 ] &&
		! far capture-pane -p -t far | grep -q '^ *4'
}

unanswered() {
	echo answers >&7
	wait_for "grep -q '^answers' '$e2e_dir/recorder.out'" &&
		grep -q '^answers 0$' "$e2e_dir/recorder.out"
}

ends() {
	outer_keys C-d
	leaves
}

# Replays everything after the client has gone: no session key fits any more.
afterwards() {
	clients=$(far list-clients | wc -l)
	echo replay >&7
	wait_for "[ \$(grep -c replayed '$e2e_dir/recorder.out') = 2 ]" 20 &&
		far display-message -p alive | grep -q alive &&
		[ "$clients" = 0 ] && [ "$(far list-clients | wc -l)" = 0 ]
}
far_stop
clock here 0 0
clock there 0 0
far_start
check "the server's port" far_learn_port
check "a relay that records" recorder
check "a session through it" recorded
check "a day later all of it comes again: nothing happens" replayed
check "and nobody is answered" unanswered
check "detach" ends
check "once more, after the end of the session" afterwards
exec 7>&-
far_stop
done_testing
