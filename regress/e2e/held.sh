#!/bin/sh
# Other windows over a remote link: the client shows a window that it holds before
# the server answers.  The link is cut during each check, so no result depends on
# speed.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
. "$e2e_src/regress/e2e/remote_lib.sh"
[ $e2e_have_tmux = yes ] || skip_all "no tmux to be the outer terminal"
[ -x "$e2e_build/regress/tools/udp_relay" ] || skip_all "no udp_relay"

over() {
	outer_start 250 24 "$(remote_cmd --udp=127.0.0.1:"$relay_port" "$@")"
	expect_screen '\[far\]' 20
}

# Five windows with a word each; the client's banner covers the top row.
windows() {
	far set-option -g status-right "#(echo #{window_index} >>'$e2e_dir/ran')" || return 1
	far set-option -g automatic-rename off
	far rename-window -t far:0 zero
	far send-keys -t far:0 'echo word-$((1+1))-zero' Enter
	for w in one two three four; do
		far new-window -d -t far -n "$w" "printf '\n\n\nword-$w\n'; cat"
	done
	far split-window -d -h -t far:3 "printf '\n\n\npart-three\n'; cat"
	far new-session -d -s other -x 250 -y 23 "printf '\n\n\nword-other\n'; cat"
	expect_screen 'word-2-zero' 15 && expect_screen '4:four' 15
}

# The command of a format runs for the window that is shown, not for pictures.
commands() {
	grep -q 0 "$e2e_dir/ran" && ! grep -qv 0 "$e2e_dir/ran" &&
		far set-option -g status-right ''
}

# held N: the client has pictures of N windows.
held() {
	wait_for "outer_keys C-^ '?'; outer_screen | grep -q ', $1 windows*'" "${2:-60}"
}

# The relay has cut the link when it answers the next command.
cut() {
	: >"$e2e_dir/relay.out"
	relay_say "both off=1"
	relay_say stats
	wait_for "grep -aq 'down ' '$e2e_dir/relay.out'"
}

mend() {
	relay_say "both off=0"
}

current() {
	far display-message -p -t far '#{session_name}:#{window_index}'
}

picture() {
	outer_screen | sed '1,2d; $d'
	outer display-message -p '#{cursor_x},#{cursor_y}'
}

# guessed WORD INDEX: the client has come to show the window with WORD, marked as
# INDEX in the status line.
guessed() {
	expect_screen "$1" 5 && expect_screen "$2:[a-z]*\\*" 5 || return 1
	picture >"$e2e_dir/guess"
	# The server has not received the keys.
	[ "$(far display-message -p -t far '#{window_index}')" != "$2" ]
}

# shows WORD INDEX KEYS...: so it does after these keys while the link is cut.
shows() {
	word=$1 index=$2
	shift 2
	cut
	outer_keys "$@"
	guessed "$word" "$index"
}

# decides INDEX: so the server does.
decides() {
	mend
	wait_for "[ \"\$(far display-message -p -t far '#{window_index}')\" = $1 ]" 15 || {
		echo "the server is at $(current)"
		return 1
	}
	wait_for '! outer_screen | grep -q "last contact"' 30
	all_answered
}

# is INDEX: the server has that window; the picture stays as it was.
is() {
	decides "$1" || return 1
	wait_for "picture >'$e2e_dir/now'; diff '$e2e_dir/guess' '$e2e_dir/now' >/dev/null" 10 ||
		diff "$e2e_dir/guess" "$e2e_dir/now"
}

far_start
check "the far server's port" far_learn_port
relay "$far_port" -b delay=5
check "through a relay" over
check "five windows and a session" windows
check "the client gets pictures of the others" held 5
check "without running the commands of formats" commands
check "next-window after a zoom while the link is cut" shows word-one 1 C-b z C-b n
check "is what the server shows then" is 1
check "select-window while the link is cut" shows part-three 3 C-b 3
check "is what the server shows then" is 3
check "the last window while the link is cut" shows word-one 1 C-b l
check "is what the server shows then" is 1
# A key that may do anything ends the guesses, and so does one that fails.
unknown() {
	cut
	outer_keys C-b 7 C-b 2
	expect_screen '4:four\*' 5
}

back() {
	outer_keys C-b 1
	decides 1
}

# Ctrl-^ h opens the history of the pane that is shown, not of the server's.
history() {
	far send-keys -t far:0 "seq -f 'number %g' 1 100" Enter
	outer_keys C-b 0
	decides 0 && expect_screen 'number 100' 15 || return 1
	wait_for '[ "$(far list-clients -F "#{client_history_held}")" -ge 70 ]' 20 || return 1
	outer_keys C-b 1
	decides 1 || return 1
	shows 'number 100' 0 C-b 0 || return 1
	outer_keys C-^ h
	expect_screen 'rmux: local history' 5 && outer_keys g || return 1
	expect_screen '^number 1$' 5 && outer_keys q && decides 0
}

# prompt KEY LINE KEYS EDITED: the prompt opens while the link is cut, and takes
# keys.
prompt() {
	cut
	outer_keys C-b "$1"
	expect_screen "^$2 *\$" 5 || return 1
	outer_keys $3
	expect_screen "^$4 *\$" 5 && picture >"$e2e_dir/guess"
}

# So it is at the server, and does what it says.
renamed() {
	mend
	wait_for '! outer_screen | grep -q "last contact"' 30
	expect_screen '^(rename-window) new *$' 15 && outer_keys Enter || return 1
	wait_for '[ "$(far display-message -p -t far "#{window_name}")" = new ]' 15
	far rename-window -t far one
}

# A question is answered before the server has asked.
confirmed() {
	cut
	outer_keys C-b x
	expect_screen '^kill-pane 0. (y/n) *$' 5 && outer_keys n || return 1
	mend
	wait_for '! outer_screen | grep -q "last contact"' 30
	wait_for '! outer_screen | grep -q "(y/n)"' 15 && expect_screen 'word-one' 5
}

# Typing after the switch is for the new window.
typed() {
	shows word-two 2 C-b 2 && outer_keys 'hello' && decides 2 &&
		expect_screen '^hello' 15
}

# Prefix, then a look at the panel of keys, then a dead link.
after_panel() {
	far set-option -g prefix-panel-time 1
	outer_keys C-b
	expect_screen 'Select the next window' 15 || return 1
	shows part-three 3 n
}

clicked() {
	far set-option -g mouse on
	wait_for 'outer display-message -p "#{mouse_any_flag}" | grep -q 1' || return 1
	x=$(outer_screen | tail -1 | awk '{ print index($0, "4:four") + 2 }')
	cut
	outer_keys -l "$(printf '\033[<0;%d;24M\033[<0;%d;24m' "$x" "$x")"
	guessed word-four 4
}

session() {
	cut
	outer_keys C-b ')'
	expect_screen 'word-other' 5 && expect_screen '^\[other\]' 5
}

session_is() {
	mend
	wait_for 'far list-clients -F "#{client_session}" | grep -q other' 15
	all_answered
}

# A hook may do anything: the keys wait for the server.
hooked() {
	outer_keys C-b '('
	expect_screen '^\[far\]' 15 || return 1
	far set-hook -g session-window-changed 'display-message changed'
	outer_keys C-b 4
	expect_screen changed 15 && wait_for '! outer_screen | grep -q changed' 15
	cut
	outer_keys C-b 1
	expect_screen '4:four\*' 5 && ! outer_screen | grep -q word-one
}

unhooked() {
	mend
	expect_screen word-one 15
	far set-hook -gu session-window-changed
}

# The option says how many; without pictures the keys still work.
fewer() {
	far set-option -s mirror-windows 0
	outer_keys C-b 2
	expect_screen word-two 15 && far set-option -su mirror-windows
}

# The keys of a prompt that a key of copy mode opens, or of a chooser, switch
# nothing.
moded() {
	far set-option -gw mode-keys vi
	outer_keys C-b '['
	wait_for '[ "$(far display-message -p -t far "#{pane_in_mode}")" = 1 ]' 15 || return 1
	expect_screen '\[0/' 15 || return 1
	cut
	outer_keys / C-b n
	expect_screen 'search down) n' 5 && expect_screen 'word-one' 5 || return 1
	mend
	wait_for '! outer_screen | grep -q "last contact"' 30
	outer_keys C-c q C-b w
	expect_screen 'sort: index' 15 || return 1
	cut
	outer_keys Enter C-b n
	outer_keys C-^ '?'
	expect_screen 'RTT' 5 && expect_screen 'sort: index' 5 || return 1
	decides 2 && back
}

check "keys for a mode show no other window" moded
check "a click while the link is cut" clicked
check "is what the server shows then" is 4
check "after a key that fails nothing is guessed" unknown
check "the server decides" decides 2
check "back" back
check "a prompt while the link is cut" prompt , '(rename-window) one' 'C-u new' '(rename-window) new'
check "is the server's then" renamed
check "a question while the link is cut" confirmed
check "history of a picture" history
check "text after a switch" typed
check "from the panel of keys" after_panel
check "is what the server shows then" is 3
check "another session" session
check "is what the server shows then" session_is
check "nothing is guessed where hooks run" hooked
check "but the server shows it" unhooked
check "mirror-windows 0" fewer
relay_stop
far_stop

done_testing
