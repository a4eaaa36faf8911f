#!/bin/sh
# copy_keys.sh [KEYS] - copy mode over a bad link: rmux, and tmux inside mosh.
#
# Scrolls by a line, opens the prompt of a search, and types at it.  Prints how
# long each takes to show, with 500 ms of round trip and 10 % loss each way, once
# the history is held.  Run it in the build directory.  TMUX_REF: the tmux to
# compare with.
top_srcdir=$(cd "$(dirname "$0")/../.." && pwd)
. "$top_srcdir/regress/bench/keys_lib.sh"
keys=${1:-40}

# Presses C-y and waits for the position that it leads to.
scrolls() {
	i=1
	: >"$e2e_dir/times"
	while [ $i -le "$keys" ]; do
		t0=$(ms)
		outer_keys C-y
		shown "\\[$i/" || return 1
		echo $(($(ms) - t0)) >>"$e2e_dir/times"
		i=$((i + 1))
	done
	took "$1, a line"
}

# Opens the prompt of a search, and closes it.
prompts() {
	i=1
	: >"$e2e_dir/times"
	while [ $i -le "$keys" ]; do
		t0=$(ms)
		outer_keys /
		shown 'search down)' || return 1
		echo $(($(ms) - t0)) >>"$e2e_dir/times"
		outer_keys C-c
		wait_for '! outer_screen | grep -q "search down)"' 30
		i=$((i + 1))
	done
	took "$1, a prompt"
}

# Types at the prompt.
types() {
	i=1
	: >"$e2e_dir/times"
	outer_keys /
	t0=$(ms)
	shown 'search down)' || return 1
	while [ $i -le "$keys" ]; do
		t0=$(ms)
		outer_keys x
		shown "search down) x\\{$i\\}" || return 1
		echo $(($(ms) - t0)) >>"$e2e_dir/times"
		i=$((i + 1))
	done
	outer_keys C-c
	took "$1, a letter at the prompt"
}

measure() {
	scrolls "$1" && prompts "$1" && types "$1"
}

fill="seq -f 'number %g' 1 1500"

with_rmux() {
	far set-option -s mirror-history 2000
	far set-option -gw mode-keys vi
	far send-keys -t far "$fill" Enter
	t0=$(ms)
	outer_start 220 24 "$(remote_cmd --udp=127.0.0.1:"$relay_port")"
	expect_screen '\[far\]' 60 || return 1
	wait_for "outer_keys C-^ '?'; outer_screen | grep -q ' 1[45][0-9]* lines of hist'" 200 ||
		return 1
	echo "# rmux: history held $(($(ms) - t0)) ms after the attach" >>"$e2e_dir/table"
	outer_keys C-b '['
	expect_screen '\[0/' 20 && measure "rmux"
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
	"$tmux_ref" -S "$m_sock" set-option -gw mode-keys vi
	"$tmux_ref" -S "$m_sock" send-keys "$fill" Enter
	expect_screen 'number 1500' 60 || return 1
	outer_keys C-b '['
	expect_screen '\[0/' 20 && measure "tmux inside mosh"
	"$tmux_ref" -S "$m_sock" kill-server
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
