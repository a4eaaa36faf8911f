#!/bin/sh
# Choosers, menus and the palette over a remote link: the client shows what keys
# do before the server answers.  The link is cut during each check, so no result
# depends on speed.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
. "$e2e_src/regress/e2e/remote_lib.sh"
[ $e2e_have_tmux = yes ] || skip_all "no tmux to be the outer terminal"
[ -x "$e2e_build/regress/tools/udp_relay" ] || skip_all "no udp_relay"

over() {
	outer_start 300 30 "$(remote_cmd --udp=127.0.0.1:"$relay_port" "$@")"
	expect_screen '\[far\]' 20
}

# The client's banner, on one line of 300 columns, covers the status line alone.
filled() {
	far set-option -g status-position top
	far set-option -g mouse on
	far set-option -g automatic-rename off
	for i in 1 2 3 4 5 6; do
		far new-window -d -t far: -n "window$i" || return 1
	done
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

# pressed KEYS...: while the link is cut.
pressed() {
	cut
	outer_keys "$@"
}

# shows PATTERN: the client shows it without an answer.
shows() {
	expect_screen "$1"
}

# The picture is not $e2e_dir/before any more.
moved() {
	wait_for 'pane_now >"$e2e_dir/replayed"; ! diff "$e2e_dir/before" "$e2e_dir/replayed" >/dev/null'
}

pane_now() {
	outer_screen -e | sed 1d
}

# The picture stays as it was, but for the preview.
confirmed() {
	outer_keys C-^ '?'
	expect_screen 'RTT' || return 1
	pane_now >"$e2e_dir/replayed"
	mend
	wait_for '! outer_screen | grep -q "last contact"' 30
	all_answered || return 1
	pane_now >"$e2e_dir/confirmed"
	head -n "$1" "$e2e_dir/replayed" >"$e2e_dir/replayed.head"
	head -n "$1" "$e2e_dir/confirmed" | diff "$e2e_dir/replayed.head" -
}

tree_opened() {
	outer_keys C-b w
	expect_screen '(0) - far'
}

tree_moved() {
	pressed g Down Down t j && shows '1\*: window1'
}

tree_collapsed() {
	pressed g Left && shows '+ far' && ! pane_now | grep -q window3
}

# A question opens, and "no" ends it; then a search is typed.
tree_asked() {
	pressed g x && shows '^Kill session far? *$' || return 1
	outer_keys n
	wait_for '! outer_screen | grep -q "Kill session"' || return 1
	outer_keys /
	outer_keys -l windo4
	shows '^(search) windo4 *$' && outer_keys BSpace &&
		shows '^(search) windo *$'
}

# As the server has it: the next key is for its prompt.
tree_found() {
	expect_screen '^(search) windo *$' && outer_keys w3 Enter
	wait_for '! outer_screen | grep -q "(search)"' &&
		wait_for 'far display-message -p -t far: "#{pane_in_mode}" | grep -q 1'
}

# "Yes" waits for the server, and so does all after it.
tree_killed() {
	far new-session -d -s gone
	expect_screen 'gone: 1 windows' || return 1
	pressed G x && shows '^Kill window 0? *$' && outer_keys y && shows ' sent' &&
		expect_screen 'gone: 1 windows'
}

tree_gone() {
	mend
	wait_for '! far has-session -t gone 2>/dev/null' 15 &&
		wait_for '! outer_screen | grep -q "gone: 1"'
}

# An action is marked; the list stays until the server has answered.
tree_sent() {
	pressed Right Down Enter && shows ' sent'
}

tree_done() {
	mend
	wait_for '! outer_screen | grep -q " sent "' 30 &&
		wait_for '[ "$(far display-message -p -t far "#{pane_in_mode}")" = 0 ]' 15
}

menu_opened() {
	far set-option -g status-position top
	outer_keys C-b '<'
	expect_screen 'Swap Left'
}

menu_moved() {
	pressed Down Down Up && moved
}

menu_left() {
	outer_keys q
	wait_for '! outer_screen | grep -q "Swap Left"' 15
}

palette_opened() {
	outer_keys C-b e
	expect_screen 'everything'
}

palette_moved() {
	pressed Down Down Down && shows ' 4/'
}

# The query shows at once; its rows come from the server.
palette_typed() {
	pressed -l kill && shows '> kill'
}

palette_found() {
	mend
	expect_screen ' 1/' 20 && expect_screen '> kill'
}

# The matches of a search in all panes, when it has ended.
hits_opened() {
	outer_keys Escape
	wait_for '! outer_screen | grep -q "> kill"' 15
	far send-keys -t far: "seq -f 'line %g' 1 60" Enter
	expect_screen 'line 60' 15
	far search-panes -t far: 'line ' || return 1
	expect_screen '[1-9][0-9]* matches in' 15
	pane_now >"$e2e_dir/before"
}

hits_moved() {
	pressed Down Down PPage NPage Up && moved
}

# The letters of switch-mode narrow its rows.
switch_opened() {
	outer_keys q
	wait_for '[ "$(far display-message -p -t far: "#{pane_in_mode}")" = 0 ]' 15
	far switch-mode -w -t far:
	expect_screen '^(search) *$' && expect_screen 'window4'
}

switch_typed() {
	pressed -l w4 && shows '^(search) w4 *$' &&
		outer_screen | grep -q '^window4' &&
		! outer_screen | grep -q '^window2'
}

# customize-mode has some hundred items: the client gets them after the first
# picture.
options_opened() {
	outer_keys Escape
	wait_for '[ "$(far display-message -p -t far: "#{pane_in_mode}")" = 0 ]' 15
	far customize-mode -t far:
	expect_screen 'Server Options' 15
}

branch_opens() {
	pressed g Right Down
	wait_for 'outer_screen | grep -q backspace' 3 && return
	mend
	wait_for '! outer_screen | grep -q "last contact"' 30
	outer_keys Left
	return 1
}

# The items may come late: between two tries the link carries them.
options_branch() {
	for try in 1 2 3 4 5 6 7 8 9 10; do
		branch_opens && return
	done
	outer_screen
	return 1
}

far_start
check "the far server's port" far_learn_port
relay "$far_port" -b delay=5
check "through a relay" over
check "windows" filled
check "choose-tree" tree_opened
check "moves and tags while the link is cut" tree_moved
check "are what the server shows then" confirmed 12
check "a branch collapses while the link is cut" tree_collapsed
check "as the server shows then" confirmed 12
check "a question and a search while the link is cut" tree_asked
check "are what the server shows then" confirmed 12
check "and it finds what was typed" tree_found
check "a yes while the link is cut is marked" tree_killed
check "and done then" tree_gone
check "an action while the link is cut is marked" tree_sent
check "and done then" tree_done
check "a menu" menu_opened
pane_now >"$e2e_dir/before"
check "moves while the link is cut" menu_moved
check "are what the server shows then" confirmed 29
check "the menu closes" menu_left
check "the palette" palette_opened
check "moves while the link is cut" palette_moved
check "are what the server shows then" confirmed 29
check "a query while the link is cut" palette_typed
check "finds its rows then" palette_found
check "a search in all panes" hits_opened
check "moves while the link is cut" hits_moved
check "are what the server shows then" confirmed 12
check "switch-mode" switch_opened
check "letters narrow it while the link is cut" switch_typed
check "are what the server shows then" confirmed 12
check "customize-mode" options_opened
check "a branch of it opens while the link is cut" options_branch
check "as the server shows then" confirmed 8
relay_stop
far_stop

done_testing
