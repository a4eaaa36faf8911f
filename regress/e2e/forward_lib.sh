#!/bin/sh
# shellcheck disable=SC2154,SC2034
# Sourced by the scripts about forwards, after remote_lib.sh: a program that sends back
# what it gets (forward.py), ports, and a client through the relay.
[ $e2e_have_tmux = yes ] || skip_all "no tmux to be the outer terminal"
[ -x "$e2e_build/regress/tools/udp_relay" ] || skip_all "no udp_relay"
command -v python3 >/dev/null || skip_all "no python3"

py() { python3 -B "$e2e_src/regress/e2e/forward.py" "$@"; }

# serve NAME PLACE: starts the program that answers; $served is its place.
serve() {
	python3 -B "$e2e_src/regress/e2e/forward.py" serve "$2" "$e2e_dir/$1.place" >"$e2e_dir/$1.out" 2>&1 &
	e2e_pids="$e2e_pids $!"
	wait_for "[ -s '$e2e_dir/$1.place' ]" 10 && read -r served <"$e2e_dir/$1.place"
}

# free_port: a port that nobody listens at, in $port.
free_port() {
	port=$(python3 -c 'import socket
s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
}

# over OPTIONS: attaches through the relay.
over() {
	outer_start 100 24 "$(remote_cmd "$*" --udp=127.0.0.1:"$relay_port")"
	expect_screen '\[far\]' 15
}

# whole PLACE BYTES [SOCKS PLACE]: what is sent comes back.
whole() { [ "$(py send "$@" 2>&1 | tee "$e2e_dir/said")" = whole ]; }

# forward_begin: a remote session, the relay, programs at $tcp and $sock, free ports
# $l1, $l2, $r1 and $d1, and $busy, at which somebody listens.
forward_begin() {
	far_start && far_learn_port && relay "$far_port" -b delay=20 &&
		serve tcp 0 && tcp=$served &&
		serve unix "$e2e_dir/answers.sock" && sock=$served &&
		free_port && l1=$port && free_port && l2=$port && free_port && r1=$port &&
		free_port && d1=$port && free_port && busy=$port || return 1
	python3 -c 'import socket, sys, time
s = socket.socket(); s.bind(("127.0.0.1", int(sys.argv[1]))); s.listen(); time.sleep(600)' "$busy" >/dev/null 2>&1 &
	e2e_pids="$e2e_pids $!"
}
