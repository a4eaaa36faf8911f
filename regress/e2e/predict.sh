#!/bin/sh
# Local echo of a remote client: what is typed shows before the answer is here.
# The link is cut while something is looked at, so that nothing hangs on speed.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
. "$e2e_src/regress/e2e/remote_lib.sh"
[ $e2e_have_tmux = yes ] || skip_all "no tmux to be the outer terminal"
[ -x "$e2e_build/regress/tools/udp_relay" ] || skip_all "no udp_relay"

over() {
	outer_start 80 24 "$(remote_cmd --udp=127.0.0.1:"$relay_port" "$@")"
	expect_screen '\[far\]' 20
}

cut() {
	relay_say "both off=1"
}

mend() {
	relay_say "both off=0"
}

# What is on the far pane's screen for certain.
far_shows() {
	wait_for "far capture-pane -p -t '$1' | grep -q -- '$2'" 20 ||
		{ echo "far pane $1 does not show: $2"; far capture-pane -p -t "$1"; return 1; }
}

# A line there and back, so that the predictor has seen this prompt.
line() {
	outer_keys "echo $1\$((6*7))" Enter
	expect_screen "^${1}42" 20
}

far_start
check "the server's port" far_learn_port
relay "$far_port" -b delay=250

# --- a line -------------------------------------------------------------------------

shown_at_once() {
	cut
	outer_keys 'echo guess$((3+4))'
	# The server cannot have answered.
	expect_screen '^. echo guess\$((3+4))' || return 1
	far capture-pane -p -t far | grep -q guess && return 1
	return 0
}

underlined() {
	outer_screen -e | grep -q '\[4mecho' ||
		outer_screen -e | grep -q '\[4me'
}

truth_replaces() {
	mend
	outer_keys Enter
	expect_screen '^guess7' 20 || return 1
	wait_for "! outer_screen -e | grep -q '\[4m'" 10
}
check "attach, 500 ms away" over --predict=always
check "a first line" line one
check "a second" line two
check "what is typed is shown though the link is cut" shown_at_once
check "and underlined" underlined
check "the truth takes its place" truth_replaces

relay_stop
far_stop
done_testing
