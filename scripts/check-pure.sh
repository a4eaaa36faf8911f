#!/bin/sh
# check-pure.sh BUILDDIR - the core archives may not reach the outside world.
cd "${1:-build}" || exit 1
bad='open|open64|openat|read|write|close|socket|bind|connect|send|sendto|sendmsg|recv|recvfrom|recvmsg|poll|ppoll|select|pselect|epoll_.*|f?open(64)?|freopen|popen|printf|puts|putchar|fork|vfork|exec[vl]p?e?|system|ioctl|tc[gs]etattr|getenv|secure_getenv|setenv|putenv|time|clock|clock_gettime|gettimeofday|sleep|usleep|nanosleep|rand|srand|random|arc4random.*|randombytes_.*|getrandom|event_.*|evbuffer_.*|bufferevent_.*|tickit_.*|localtime|localtime_r|setlocale|signal|sigaction|kill|getpid'
for a in libbase.a libssp.a libssp_lib.a libconf.a libmux.a libmux_vt.a libmux_fmt.a libmux_mode.a libmux_sync.a libmux_view.a libmux_control.a libpredict.a; do
	[ -f "$a" ] || continue
	nm -A -u "$a" 2>/dev/null | sed -E 's/@.*//' | grep -E " U (__)?($bad)(_chk|_2)?\$"
	# No data that changes: nothing in .data or .bss of the core.
	nm -A -f sysv "$a" 2>/dev/null | awk -F'|' '$7 ~ /^ *\.(data|bss|tbss|tdata)/ &&
	    $7 !~ /rel\.ro/ && $1 !~ /__?(gcov|llvm|asan|odr_asan|ubsan|sancov)/ { print $1 $7 }'
done | { ! grep .; }
