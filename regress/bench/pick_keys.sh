#!/bin/sh
# pick_keys.sh [KEYS] - choosers and menus over a bad link: rmux, and tmux inside
# mosh.
#
# Moves through choose-tree, customize-mode and a menu.  Prints how long the
# selected row takes to show, with 500 ms of round trip and 10 % loss each way,
# once the rows are held.  Run it in the build directory.  TMUX_REF: the tmux to
# compare with.
top_srcdir=$(cd "$(dirname "$0")/../.." && pwd)
. "$top_srcdir/regress/bench/keys_lib.sh"
keys=${1:-30}

# The row that is selected: the first one in the colour of selections.
selected() {
	outer_screen -e | grep -n '43m' | head -n 1 | cut -d: -f1
}

# changed ROW: waits without a pause until another row is selected, 30 s at most.
changed() {
	until [ "$(selected)" != "$1" ]; do
		[ $(($(ms) - t0)) -lt 30000 ] || return 1
	done
}

# moves NAME: Down and Up in turn; the first key, which may come too early, does
# not count.
moves() {
	i=0
	: >"$e2e_dir/times"
	while [ $i -le "$keys" ]; do
		row=$(selected)
		t0=$(ms)
		if [ $((i % 2)) = 0 ]; then
			outer_keys Down
		else
			outer_keys Up
		fi
		changed "$row" || return 1
		[ $i = 0 ] || echo $(($(ms) - t0)) >>"$e2e_dir/times"
		[ $i != 0 ] || wait_for "[ \$((\$(date +%s) * 1000)) -gt $((t0 + 4000)) ]" 10
		i=$((i + 1))
	done
	took "$1"
}

# opened KEYS...: opens something, until a row is selected.
opened() {
	outer_keys "$@"
	wait_for '[ -n "$(selected)" ]' 30
}

closed() {
	outer_keys q
	wait_for '[ -z "$(selected)" ]' 30
}

measure() {
	opened C-b w && moves "$1, choose-tree" && closed &&
		opened C-b C && moves "$1, customize-mode" && closed &&
		opened C-b '<' && moves "$1, a menu" && closed
}

with_rmux() {
	for i in 1 2 3 4; do
		far new-window -d -t far: || return 1
	done
	outer_start 220 24 "$(remote_cmd --udp=127.0.0.1:"$relay_port")"
	expect_screen '\[far\]' 60 && measure "rmux"
}

with_mosh() {
	m_sock=$e2e_dir/ref
	line=$(mosh-server new -p 61500:61600 -- "$tmux_ref" -S "$m_sock" \
		-f /dev/null new-session -x 80 -y 24 sh 2>/dev/null </dev/null |
		sed -n 's/^MOSH CONNECT //p')
	[ -n "$line" ] || return 1
	relay "${line% *}" -b $link || return 1
	outer_start 80 24 "MOSH_KEY=${line#* } mosh-client 127.0.0.1 $relay_port"
	expect_screen '\[0\] 0:' 60 || return 1
	for i in 1 2 3 4; do
		"$tmux_ref" -S "$m_sock" new-window -d sh
	done
	measure "tmux inside mosh"
	r=$?
	"$tmux_ref" -S "$m_sock" kill-server
	return $r
}

far_start
check "the far server's port" far_learn_port
relay "$far_port" -b $link
check "rmux" with_rmux
cat "$e2e_dir/table"
: >"$e2e_dir/table"
relay_stop
far_stop
check "tmux inside mosh" with_mosh
relay_stop
cat "$e2e_dir/table"
done_testing
