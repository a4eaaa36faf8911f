#!/bin/sh
# Local echo of a remote client: typed text shows before the server's echo.
# The link is cut during each check, so no result depends on speed.
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

# One line with its echo, so that the predictor knows this prompt.
line() {
	outer_keys "echo $1\$((6*7))" Enter
	expect_screen "^${1}42" 20
}

far_start
# The current window is underlined, as guesses are.
far set-option -gw window-status-current-style default
check "the server's port" far_learn_port
relay "$far_port" -b delay=250

# --- a line -------------------------------------------------------------------------

shown_at_once() {
	cut
	outer_keys 'echo guess$((3+4))'
	# The link is cut: this is not the server's echo.
	expect_screen '^. echo guess\$((3+4))' || return 1
	far capture-pane -p -t far | grep -q guess && return 1
	return 0
}

underlined() {
	outer_screen -e | grep -q '\[4mecho' ||
		outer_screen -e | grep -q '\[4me'
}

banner_over_it() {
	expect_screen 'last contact' 20 || return 1
	outer_keys '; echo on'
	expect_screen '^. echo guess\$((3+4)); echo on' || return 1
	outer_screen | grep -q 'last contact'
}

truth_replaces() {
	mend
	outer_keys Enter
	expect_screen '^guess7' 20 && expect_screen '^on' 20 || return 1
	wait_for "! outer_screen -e | grep -q '\[4m'" 10
}

leaves() {
	outer_keys C-b d
	expect_screen 'exit=0' 20 && expect_screen '^sane'
}
check "attach, 500 ms away" over --predict=always
check "a first line" line one
check "a second line" line two
check "what is typed is shown though the link is cut" shown_at_once
check "and underlined" underlined
check "under the banner, and goes on" banner_over_it
check "the truth takes its place" truth_replaces

# --- a password ---------------------------------------------------------------------

# The client has handled all typed keys before it reports.
seen() {
	outer_keys C-^ '?'
	expect_screen 'RTT'
}

asks() {
	outer_keys "sh '$e2e_dir/ask'" Enter
	expect_screen '^Secret word:' 20
}

silent() {
	cut
	outer_keys 'hunter2'
	seen || return 1
	outer_screen | grep 'hunt\|word: [^ ]' && return 1
	mend
	outer_keys Enter
	expect_screen '^got hunter2' 20
}
cat >"$e2e_dir/ask" <<EOF
printf 'Secret word: '
stty -echo
read word
stty echo
echo
echo "got \$word"
EOF
check "a program turns echo off after it has asked" asks
check "what is typed then is never shown" silent

# --- keys bound by the server ---------------------------------------------------------

muted() {
	cut
	outer_keys C-b z mute
	seen || return 1
	outer_screen | grep -q mut && return 1
	mend
	expect_screen '^. mute' 20 && outer_keys C-u && line three
}
check "the prefix and what follows it are not guessed" muted

# --- the server's own prompt -------------------------------------------------------------

prompt() {
	outer_keys C-b :
	expect_screen '^:' 20 || return 1
	cut
	outer_keys display-x BSpace panes
	expect_screen '^:display-panes' || return 1
	outer_keys C-a X C-e C-w
	expect_screen '^:Xdisplay- *$' || return 1
	outer_keys C-a C-d C-f C-t y C-k
	expect_screen '^:idy *$' || return 1
	outer_keys C-u new
	expect_screen '^:new *$' || return 1
	mend
	outer_keys C-u Escape
	expect_screen '^.far.' 20
}
check "the command prompt is edited at once" prompt

# --- two panes side by side -------------------------------------------------------------

split() {
	far split-window -h -t far 'yes RIGHT | head -30; exec cat' &&
		expect_screen '│RIGHT' 20 && outer_keys C-b Left &&
		wait_for '[ "$(far display-message -p -t far "#{pane_index}")" = 0 ]' &&
		line four
}

# Every row below the first (the banner's) still shows RIGHT in its place.
right_stays() {
	[ "$(outer_screen | sed -n '2,22p' | grep -c '^.\{40\}│RIGHT$')" = 21 ]
}

stays_in_pane() {
	wait_for right_stays || return 1
	# Wait for the server's state, not only for the shown prediction.
	outer_keys e
	expect_screen '^. e  *│' 10 || return 1
	wait_for "! outer_screen -e | grep -q '\[4m'" 10 || return 1
	cut
	outer_keys 'cho a line that is longer than the pane is wide'
	# Text wraps at the last column of the left pane.
	expect_screen '^. echo a line that is longer than the pa│' 10 &&
		expect_screen '^ne is wide  *│' && right_stays || return 1
	mend
	outer_keys C-u
	line five && right_stays
}
check "two panes side by side" split
check "guesses wrap inside their pane, the other keeps its text" stays_in_pane
check "detach, and the terminal is the user's again" leaves

# --- a wrong guess ------------------------------------------------------------------------

stars() {
	over --predict=experimental && outer_keys "sh '$e2e_dir/stars'" Enter &&
		expect_screen '^Stars:' 20
}

# A raw tty that is not known to hide input: this mode predicts all the same.
wrong_goes() {
	cut
	outer_keys abc
	expect_screen '^Stars: abc' || return 1
	mend
	expect_screen '^Stars: \*\*\*' 20 || return 1
	wait_for '! outer_screen | grep -q abc' 10 || return 1
	outer_keys q
	expect_screen '^done' 20
}
cat >"$e2e_dir/stars" <<EOF
stty -icanon -echo
printf 'Stars: '
while c=\$(dd bs=1 count=1 2>/dev/null) && [ "\$c" != q ]; do
	printf '*'
done
stty icanon echo
printf '\ndone\n'
EOF
check "a program that shows stars" stars
check "a wrong guess goes when the truth comes" wrong_goes
check "detach once more" leaves

relay_stop
far_stop
done_testing
