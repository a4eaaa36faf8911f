#!/bin/sh
# Copy mode over a remote link: the client shows what keys do before the server
# answers.  The link is cut during each check, so no result depends on speed.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
. "$e2e_src/regress/e2e/remote_lib.sh"
[ $e2e_have_tmux = yes ] || skip_all "no tmux to be the outer terminal"
[ -x "$e2e_build/regress/tools/udp_relay" ] || skip_all "no udp_relay"

over() {
	outer_start 300 24 "$(remote_cmd --udp=127.0.0.1:"$relay_port" "$@")"
	expect_screen '\[far\]' 20
}

held() {
	far list-clients -F '#{client_history_held}'
}

above() {
	far display-message -p -t far '#{history_size}'
}

# The client's banner covers the status line, not the pane.
history() {
	far set-option -g status-position top
	far set-option -gw mode-keys vi
	outer_keys "seq -f 'number %g' 1 400" Enter
	expect_screen 'number 400' 15 &&
		wait_for '[ "$(held)" = "$(above)" ] && [ "$(held)" -gt 370 ]' 15
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

entered() {
	outer_keys C-b '['
	expect_screen '\[0/3[0-9]*\]'
}

# The server has nothing more to tell: thirty looks in a row find no byte written.
quiet() {
	now=$(far list-clients -F '#{client_written}')
	[ "$now" = "$was" ] && same=$((same + 1)) || same=0
	was=$now
	[ $same -ge 30 ]
}

# alone KEY BACK PATTERN: the client comes to show KEY's effect while the link is
# cut: until then the lines are on their way, which takes a moment without keys.
# BACK leads back to PATTERN.
alone() {
	n=0
	while [ $n -lt 10 ]; do
		pressed "$1" || return 1
		mend
		grep -q fetching "$e2e_dir/replayed" || break
		wait_for '! outer_screen | grep -q fetching' 20
		outer_keys "$2"
		expect_screen "$3" 20 || return 1
		was='' same=0
		wait_for quiet 20
		n=$((n + 1))
	done
	[ $n -lt 10 ]
}

ready() {
	alone PPage NPage '\[0/3[0-9]*\]' || return 1
	outer_keys NPage
	expect_screen '\[0/3[0-9]*\]' 20
}

# pressed KEYS...: while the link is cut; the client has handled them all.
pressed() {
	cut
	outer_keys "$@"
	outer_keys C-^ '?'
	expect_screen 'RTT' || return 1
	pane_now >"$e2e_dir/replayed"
}

pane_now() {
	outer_screen -e | sed 1d
	outer display-message -p '#{cursor_x},#{cursor_y}'
}

# The server has the place that it must have; the picture stays as it was.
confirmed() {
	mend
	wait_for "[ \"\$(place)\" = '$1' ]" 15 || {
		echo "the server is at $(place)"
		return 1
	}
	wait_for '! outer_screen | grep -q "last contact"' 30
	all_answered || return 1
	pane_now >"$e2e_dir/confirmed"
	# Not more keys than were typed.
	outer_screen | sed -n 's/.* \([0-9]*\) of \([0-9]*\) keys predicted.*/\1 \2/p' |
		awk '{ exit $1 > $2 }' || return 1
	diff "$e2e_dir/replayed" "$e2e_dir/confirmed"
}

place() {
	far display-message -p -t far '#{scroll_position} #{copy_cursor_y}'
}

scrolled() {
	pressed PPage PPage k k && expect_screen '\[42/3[0-9]*\]'
}

selected() {
	pressed V k k && grep -q '43m' "$e2e_dir/replayed"
}

# The text of a search comes from the server; its repetitions do not.
first_search() {
	outer_keys q
	entered || return 1
	outer_keys '?' 'number .*7' Enter
	expect_screen '(76 results)'
}

searched() {
	pressed n n N n && grep -q '(76 results)' "$e2e_dir/replayed"
}

# Of two status lines the banner covers one, the prompt the other.
asking() {
	outer_keys q
	far set-option -g status 2
	far set-option -g message-line 1
	wait_for '[ "$(held)" = "$(above)" ] && [ "$(held)" -gt 379 ]' 15 || return 1
	entered && pressed '?' 'number 39x' BSpace &&
		grep -q '(search up) number 39[^x]' "$e2e_dir/replayed"
}

answered() {
	pressed 5 Enter n && grep -q '(1 results)' "$e2e_dir/replayed"
}

# A line, a count with the key that ends it, a character.
others() {
	pressed : 1 0 0 Enter 3 k f e && grep -q '\[10[0-9]/3[0-9]*\]' "$e2e_dir/replayed"
}

incremental() {
	far set-option -gw mode-keys emacs
	outer_keys q
	# The client may show the mode before it knows of the new table.
	entered && wait_for quiet 30 && pressed C-r n u m b e r ' ' 3 9 C-r &&
		grep -q '(search up) number 39[^ ]' "$e2e_dir/replayed" &&
		grep -q '4[56]mnumber 39' "$e2e_dir/replayed"
}

found() {
	pressed Enter C-s C-s C-r && grep -q '(search down) number 39[^ ]' "$e2e_dir/replayed"
}

wheeled() {
	far set-option -gw mode-keys vi
	outer_keys C-c q
	entered && wait_for quiet 30 || return 1
	wait_for 'outer display-message -p "#{mouse_any_flag}" | grep -q 1' || return 1
	pressed -l "$(printf '\033[<64;10;10M\033[<64;10;10M\033[<65;10;10M')" &&
		grep -q '\[5/3[0-9]*\]' "$e2e_dir/replayed"
}

# The server trims nothing here, but it may hold more than the client.
marked() {
	outer_keys q
	far set-option -s mirror-history 100
	wait_for '[ "$(held)" = 100 ]' 15 || return 1
	entered && pressed g && grep -q fetching "$e2e_dir/replayed"
}

fetched() {
	mend
	expect_screen '^number 1$' 30 && wait_for '! outer_screen | grep -q fetching' 30
}

# The lines around the place are fetched: the next keys need no round trip.
around() {
	alone NPage PPage '^number 1$' && grep -q '^number 30$' "$e2e_dir/replayed"
}

# opened PATTERN KEYS...: copy mode opens while the link is cut, once the client knows
# what it begins with, which the server tells it last; then more keys.
opened() {
	pattern=$1
	shift
	n=0
	while [ $n -lt 10 ]; do
		outer_keys q
		wait_for '! outer_screen | grep -q "/3[0-9]*\]"' 15 || return 1
		was='' same=0
		wait_for quiet 20 || return 1
		pressed "$@" || return 1
		grep -q "$pattern" "$e2e_dir/replayed" && return
		mend
		expect_screen "$pattern" 20 || return 1
		n=$((n + 1))
	done
	return 1
}
up=$(printf '\033[<64;10;10M')

far_start
check "the far server's port" far_learn_port
relay "$far_port" -b delay=5
check "through a relay" over
check "the client holds the history" history
check "copy mode" entered
check "the client can scroll alone" ready
check "scrolling while the link is cut" scrolled
check "is what the server shows then" confirmed "42 20"
check "a selection while the link is cut" selected
check "is what the server shows then" confirmed "42 18"
check "copy mode opens while the link is cut" opened '\[0/3[0-9]*\]' C-b '[' k
check "as at the server" confirmed "0 21"
check "and with a page up" opened '\[2[0-9]/3[0-9]*\]' C-b PPage k
check "as at the server" confirmed "21 21"
check "the wheel opens copy mode while the link is cut" opened '\[10/3[0-9]*\]' -l "$up$up$up"
check "as at the server" confirmed "10 22"
check "a search" first_search
check "its repetition while the link is cut" searched
check "is what the server shows then" confirmed "0 0"
check "a prompt while the link is cut" asking
check "is what the server shows then" confirmed "0 21"
check "its answer while the link is cut" answered
check "is what the server shows then" confirmed "0 15"
check "prompts for a line, a count and a character" others
check "are what the server shows then" confirmed "100 12"
check "an incremental search while the link is cut" incremental
check "is what the server shows then" confirmed "0 18"
check "its end, and another one with the same text" found
check "is what the server shows then" confirmed "358 17"
check "the wheel while the link is cut" wheeled
check "is what the server shows then" confirmed "5 16"
check "lines that the client lacks are marked as such" marked
check "and come" fetched
check "with those around them" around
relay_stop
far_stop

done_testing
