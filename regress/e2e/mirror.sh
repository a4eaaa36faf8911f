#!/bin/sh
# History mirrored at a remote client.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
. "$e2e_src/regress/e2e/remote_lib.sh"
[ $e2e_have_tmux = yes ] || skip_all "no tmux to be the outer terminal"
[ -x "$e2e_build/regress/tools/udp_relay" ] || skip_all "no udp_relay"

# Prints the number of history lines that the remote client has.
held() {
	far list-clients -F '#{client_history_held}'
}

# Prints the history of the pane.
above() {
	far display-message -p -t far '#{history_size}'
}

over() {
	outer_start 140 24 "$(remote_cmd "$@" --udp=127.0.0.1:"$relay_port")"
	expect_screen '\[far\]' 15
}

counts() {
	outer_keys "seq -f 'number %g' 1 $1" Enter
	expect_screen "number $1" 15
}

filled() {
	counts 400 && wait_for '[ "$(held)" -ge 370 ]' 15 &&
		wait_for '[ "$(held)" = "$(above)" ]' 15
}

follows() {
	counts 90 && wait_for '[ "$(held)" -ge 440 ]' 15 &&
		wait_for '[ "$(held)" = "$(above)" ]' 15
}

reported() {
	outer_keys C-^ '?'
	expect_screen 'kept here: [1-9][0-9]* lines of history'
}

bounded() {
	far set-option -s mirror-history 100 || return 1
	wait_for '[ "$(held)" = 100 ]' 15 || return 1
	far set-option -s mirror-history 0
	wait_for '[ "$(held)" = 0 ]' 15 && far set-option -su mirror-history &&
		wait_for '[ "$(held)" = "$(above)" ]' 15
}

cleared() {
	far clear-history -t far
	wait_for '[ "$(above)" = 0 ] && [ "$(held)" = 0 ]' 15
}

second_pane() {
	counts 200 || return 1
	far split-window -t far "seq -f 'other %g' 1 150; cat"
	wait_for '[ "$(held)" -ge 300 ]' 15 || return 1
	far kill-pane -t far:0.1
	wait_for '[ "$(held)" = "$(above)" ]' 15
}

narrower() {
	outer resize-window -x 60 -y 20
	wait_for '[ "$(far display-message -p -t far "#{window_width}")" = 60 ]' &&
		wait_for '[ "$(held)" = "$(above)" ]' 15
}

# Reads the mirrored history while the link is cut.
looked_at() {
	counts 300 && wait_for '[ "$(held)" = "$(above)" ]' 15 || return 1
	relay_say "both off=1"
	outer_keys C-^ h
	expect_screen 'rmux: local history' && expect_screen 'number 300' || return 1
	outer_keys g
	expect_screen 'local history, 1-' || return 1
	outer_keys G PPage
	expect_screen 'number 270' || return 1
	# The whole line of a match, into the clipboard.
	outer set -s set-clipboard on
	outer_keys '?' 'number 12.$' Enter
	expect_screen 'number 129' && outer_keys V y || return 1
	expect_screen 'copied 1[01] bytes' || return 1
	wait_for 'outer show-buffer | grep -q "^number 129"' || return 1
	wait_for '! outer_screen | grep -q "local history"' || return 1
	relay_say "both off=0"
	outer_keys 'echo back$((1+1))' Enter
	expect_screen back2 30
}

# After a cut, the link brings the lines written meanwhile.
outage() {
	relay_say "both off=1"
	far send-keys -t far "seq -f 'meanwhile %g' 1 120" Enter
	wait_for 'far capture-pane -p -t far | grep -q "meanwhile 120"' || return 1
	relay_say "both off=0"
	expect_screen 'meanwhile 120' 30 &&
		wait_for '[ "$(held)" = "$(above)" ]' 30
}

leaves() {
	outer_keys C-b d
	expect_screen '^sane'
}

refused() {
	over --mirror=0 && counts 300 || return 1
	outer_keys C-^ '?'
	expect_screen 'kept here: 0 lines of history' && [ "$(held)" = 0 ]
}

far_start
check "the far server's port" far_learn_port
relay "$far_port" -b delay=5
check "through a relay" over
check "the client comes to hold what is above the pane" filled
check "and what comes later" follows
check "the report on the link says so" reported
check "mirror-history bounds it, and switches it off" bounded
check "clear-history clears it" cleared
check "two panes, then one" second_pane
check "another width" narrower
check "Ctrl-^ h shows it while the link is dead" looked_at
check "after an outage" outage
check "leave" leaves
check "--mirror=0: nothing is sent" refused
relay_stop
far_stop

done_testing
