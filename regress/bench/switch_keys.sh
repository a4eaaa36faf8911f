#!/bin/sh
# switch_keys.sh [KEYS] - switching windows over a bad link: rmux, and tmux inside
# mosh.
#
# Each C-b l shows the other one of two windows.  Prints how long its content
# takes to show, with 500 ms of round trip and 10 % loss each way, and the ratio
# of the medians.  Run it in the build directory.  TMUX_REF: the tmux to compare
# with.
top_srcdir=$(cd "$(dirname "$0")/../.." && pwd)
. "$top_srcdir/regress/bench/keys_lib.sh"
keys=${1:-40}

# measure NAME: presses the key and waits for the other window.
measure() {
	i=1
	: >"$e2e_dir/times"
	while [ $i -le "$keys" ]; do
		word=word-$((i % 2))
		t0=$(ms)
		outer_keys C-b l
		shown "$word" || return 1
		echo $(($(ms) - t0)) >>"$e2e_dir/times"
		sleep 2 # sleep-ok: the next switch begins on an idle link
		i=$((i + 1))
	done
	took "$1"
}

# Two windows with 20 lines each; the last one is current.
fill() {
	for n in 0 1; do
		echo "seq -f 'window $n, line %g' 1 20; echo word-$n; cat" \
			>"$e2e_dir/fill$n"
	done
}

with_rmux() {
	far respawn-pane -k -t far:0 "sh '$e2e_dir/fill0'"
	far new-window -t far "sh '$e2e_dir/fill1'"
	outer_start 80 24 "$(remote_cmd --udp=127.0.0.1:"$relay_port")"
	expect_screen 'word-1' 60 || return 1
	outer_keys C-b l
	expect_screen 'word-0' 60 || return 1
	outer_keys C-b l
	expect_screen 'word-1' 60 || return 1
	# Both windows are held:
	sleep 10 # sleep-ok: the link is idle for long enough
	outer_keys C-b l
	expect_screen 'word-0' 60 && sleep 10 && outer_keys C-b l &&
		expect_screen 'word-1' 60 && sleep 2 || return 1
	# The first measured switch leads to window 1.
	outer_keys C-b l && expect_screen 'word-0' 60 && sleep 3 && measure "rmux"
}

with_mosh() {
	m_sock=$e2e_dir/ref
	line=$(mosh-server new -p 61500:61600 -- "$tmux_ref" -S "$m_sock" \
		-f /dev/null new-session -x 80 -y 24 "sh '$e2e_dir/fill0'" 2>/dev/null </dev/null |
		sed -n 's/^MOSH CONNECT //p')
	[ -n "$line" ] || return 1
	relay "${line% *}" -b $link || return 1
	outer_start 80 24 "MOSH_KEY=${line#* } mosh-client 127.0.0.1 $relay_port"
	expect_screen 'word-0' 60 || return 1
	"$tmux_ref" -S "$m_sock" new-window "sh '$e2e_dir/fill1'"
	expect_screen 'word-1' 60 || return 1
	outer_keys C-b l
	expect_screen 'word-0' 60 && sleep 3 && measure "tmux inside mosh"
	"$tmux_ref" -S "$m_sock" kill-server
}

fill
far_start
check "the far server's port" far_learn_port
relay "$far_port" -b $link
check "rmux" with_rmux
relay_stop
far_stop
check "tmux inside mosh" with_mosh
relay_stop
cat "$e2e_dir/table"
awk '{ sub(/.*median /, ""); t[NR] = $1 } END {
	if (NR == 2 && t[1] > 0) printf "# ratio of the medians: %.1f\n", t[2] / t[1] }' \
	"$e2e_dir/table"
done_testing
