#!/bin/sh
# display-popup: a program in a box, its keys, mouse, size, end and looks.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
[ $e2e_have_tmux = yes ] || skip_all "no tmux 3.3 as outer terminal"

attach() {
	m set-option -g status-right '' \; set-option -g status-left '[#S] ' \
		\; set-option -sg escape-time 20 \; set-option -g mouse on \
		\; rename-window -t s name
	attach_in "${1:-60}" "${2:-20}" "$(attach_command) -t s"
	expect_screen '\[s\]'
}

# popup ARGS: a popup with ARGS on the client, from a process that waits.
popup() {
	m display-popup -c "$client" "$@" >"$e2e_dir/popup.out" 2>&1 &
	popup_pid=$!
}

shown() {
	expect_screen "$1" && outer_screen
}

# The popup is gone and its caller too; prints the exit code.
closed() {
	wait_for '! alive $popup_pid' || echo "it waits"
	wait "$popup_pid"
	echo "exit $?"
	cat "$e2e_dir/popup.out"
	wait_for '! outer_screen | grep -q "[┘+┛╝╯]"' || outer_screen
}

press() { outer_keys -l "$(printf '\033[<%s;%s;%sM' "$1" "$2" "$3")"; }
release() { outer_keys -l "$(printf '\033[<%s;%s;%sm' "$1" "$2" "$3")"; }

ends() {
	attach
	popup -T '#{session_name} top' -w 30 -h 6 'echo hi; cat'
	expect_screen hi
	outer_keys -l typed
	outer_keys Enter
	wait_for '[ "$(outer_screen | grep -c typed)" = 2 ]'
	outer_screen
	outer_keys C-c
	wait_for '! outer_screen | grep -q hi'
	closed >/dev/null
	popup -E -w 30 -h 6 'echo hi; read a; exit 3'
	expect_screen hi
	outer_keys Escape Enter
	closed
	popup -EE 'echo first; exit 4'
	expect_screen first
	outer_keys q
	outer_keys C-c
	closed
	popup -EE 'exit 0'
	closed
	popup -w 50% -h 50% 'echo it ended'
	shown ended
	outer_keys Escape
	closed
	m capture-pane -p -t s | grep -c .
	detach
}
compare "keys, end and exit code" ends

places() {
	attach
	m split-window -t s -h cat
	for place in 'C C' 'R P' 'P P' 'C S' '5 9' 'W W' '0 0' \
		'#{popup_pane_right} #{popup_pane_top}'; do
		popup -t s:0.1 -x "${place% *}" -y "${place#* }" -w 16 -h 5 \
			'printf here; cat'
		shown here
		outer_keys C-c
		wait_for '! outer_screen | grep -q here'
		wait "$popup_pid"
	done
	detach
}
compare "places of popups" places

looks() {
	attach
	for lines in single double heavy simple rounded padded none; do
		popup -b $lines -T top -w 12 -h 4 'printf here; cat'
		shown here
		outer_keys C-c
		wait_for '! outer_screen | grep -q here'
		wait "$popup_pid"
	done
	popup -B -w 12 -h 4 'printf here; cat'
	shown here
	m display-popup -c "$client" -C
	closed
	m set-option -g popup-border-lines rounded
	m set-option -g popup-style bg=blue \; set-option -g popup-border-style fg=red
	popup -x 0 -y 0 -w 12 -h 4 'printf here; cat'
	expect_screen here
	outer_screen | head -4
	outer_screen -e | grep -c '44m'
	m display-popup -C
	closed
	detach
}
compare "borders and styles" looks

program() {
	attach
	mkdir sub
	popup -d "$e2e_dir/work/sub" -e A=value -w 40 -h 8 \
		'basename "$PWD"; echo $A; stty size; cat'
	shown '6 38'
	outer resize-window -x 30 -y 6
	wait_for '[ "$(m list-clients -F "#{client_width}")" = 30 ]'
	wait_for 'outer_screen | head -1 | grep -q "┐"'
	outer_screen
	outer resize-window -x 60 -y 20
	expect_screen '│6 38'
	outer_keys C-c
	closed >/dev/null
	popup -w 20 -h 5 echo two words
	shown 'two words' | grep -o 'two words'
	outer_keys Escape
	closed
	run display-popup -E 'exit 7'
	run display-popup -w 0 true
	run display-popup -b what true
	detach
}
compare "directory, variables, sizes, words" program

mouse() {
	attach
	popup -x 10 -y 12 -w 20 -h 6 'printf here; cat'
	expect_screen here
	# By the border, then beyond the edge of the client.
	press 0 12 7
	press 32 14 9
	press 32 14 10
	release 0 14 10
	wait_for 'outer_screen | sed -n 10p | grep -q "┌"'
	outer_screen
	press 0 14 10
	press 32 14 9
	press 32 4 3
	press 32 1 1
	release 0 1 1
	wait_for 'outer_screen | head -1 | grep -q "┌"'
	outer_screen
	outer_keys C-c
	closed >/dev/null
	detach
}
rmux_only "a popup follows the mouse" mouse "$(cat <<'EOF'









            ┌──────────────────┐
            │here              │
            │                  │
            │                  │
            │                  │
            └──────────────────┘




[s] 0:name*
┌──────────────────┐
│here              │
│                  │
│                  │
│                  │
└──────────────────┘













[s] 0:name*
EOF
)"

menu() {
	attach
	popup -x 10 -y 12 -w 20 -h 6 'printf here; cat'
	expect_screen here
	press 2 11 9
	expect_screen 'Fill Space'
	outer_keys q
	closed >/dev/null
	popup -x 10 -y 12 -w 20 -h 6 'printf here; cat'
	expect_screen here
	press 2 2 2
	expect_screen 'Centre'
	outer_keys C
	wait_for '! outer_screen | grep -q Centre'
	outer_screen
	press 2 2 2
	expect_screen 'Fill Space'
	outer_keys F
	wait_for 'outer_screen | head -1 | grep -q "┐"'
	outer_screen
	outer_keys C-c
	closed >/dev/null
	detach
}
rmux_only "the menu of a popup" menu "$(cat <<'EOF'







                    ┌──────────────────┐
                    │here              │
                    │                  │
                    │                  │
                    │                  │
                    └──────────────────┘






[s] 0:name*
┌──────────────────────────────────────────────────────────┐
│here                                                      │
│                                                          │
│                                                          │
│                                                          │
│                                                          │
│                                                          │
│                                                          │
│                                                          │
│                                                          │
│                                                          │
│                                                          │
│                                                          │
│                                                          │
│                                                          │
│                                                          │
│                                                          │
│                                                          │
│                                                          │
└──────────────────────────────────────────────────────────┘
EOF
)"

asks() {
	attach
	m set-option -sg set-clipboard on
	popup -x 10 -y 12 -w 20 -h 6 \
		'printf "\033[?1000h\033[?1006h\033[?2004hasks"; stty raw -echo; dd bs=1 count=9 2>/dev/null | od -An -c | head -1; printf "\033]52;c;aGVsbG8=\007"; sleep 9'
	expect_screen asks
	press 0 15 10
	shown 033
	wait_for '[ "$(m show-buffer 2>/dev/null)" = hello ]' || echo "no buffer"
	m display-popup -C
	closed
	detach
}
rmux_only "mouse and clipboard of a popup's program" asks \
	"$(cat <<'EOF'






          ┌──────────────────┐
          │asks 033   [   <  │
          │ 0   ;   4   ;   3│
          │   M              │
          │                  │
          └──────────────────┘







[s] 0:name*
exit 129
EOF
)"

newer() {
	attach
	# -k: any key closes a popup whose program has ended.
	popup -k -w 20 -h 4 'printf over; exit 2'
	expect_screen over
	# The corner resizes.
	outer_keys x
	closed
	popup -x 0 -y 6 -w 20 -h 6 'printf size; cat'
	expect_screen size
	press 0 20 6
	press 32 21 7
	press 32 31 10
	release 0 31 10
	wait_for 'outer_screen | sed -n 9p | grep -q "┘"'
	outer_screen | head -9
	# Another display-popup changes the one that is there.
	m display-popup -c "$client" -b double -T new -s bg=red -S fg=blue -N
	expect_screen ═new
	outer_screen | head -1
	m display-popup -c "$client" -E
	outer_keys C-d C-d
	closed
	# A menu does not open over a popup, and a popup not over a menu.
	popup 'printf here; cat'
	expect_screen here
	m display-menu one 1 ''
	m display-popup -C
	closed
	popup -w 30 -h 5 /nonexistent/program word
	expect_screen 'No such'
	outer_keys Escape
	closed >"$e2e_dir/last"
	head -1 "$e2e_dir/last"
	detach
}
rmux_only "-k, the corner, changes of a popup" newer \
	"$(cat <<'EOF'
exit 2
┌────────────────────────────┐
│size                        │
│                            │
│                            │
│                            │
│                            │
│                            │
│                            │
└────────────────────────────┘
╔═new════════════════════════╗
exit 0
exit 129
exit 127
EOF
)"

# The popup's program goes on in a pane.
panes() {
	attach
	popup -w 20 -h 6 'printf here; cat'
	expect_screen here
	outer_keys -l typed
	expect_screen heretyped
	press 2 2 2
	expect_screen 'To Vertical'
	outer_keys v
	closed
	outer_keys Enter
	wait_for '[ "$(m capture-pane -p -t s:0.1 | grep -c typed)" = 2 ]'
	m list-panes -t s -F '#{pane_index} #{pane_height} #{pane_active} #{pane_dead}'
	m capture-pane -p -t s:0.1 | head -2
	outer_keys C-d
	wait_for '[ "$(m list-panes -t s | grep -c .)" = 1 ]'
	detach
}
rmux_only "a popup becomes a pane" panes 'exit 0
0 9 0 0
1 9 1 0
heretyped
typed'

# A flood, tiny clients, a client that leaves.
hostile() {
	attach
	popup -E 'yes flood'
	expect_screen flood
	m display-message -p '#{session_name}'
	m display-popup -C
	closed
	popup 'printf here; cat'
	expect_screen here
	detach
	wait_for '! alive $popup_pid' || echo "it waits"
	attach_in 10 3 "$(attach_command) -t s"
	popup 'printf here; cat'
	wait "$popup_pid"
	popup -w 100% -h 100% 'printf here; cat'
	expect_screen here
	outer resize-window -x 1 -y 1
	wait_for '[ "$(m list-clients -F "#{client_width}x#{client_height}")" = 1x1 ]'
	outer resize-window -x 60 -y 20
	expect_screen '┌────────┐'
	m kill-session -t s
	wait_for '! alive $popup_pid' || echo "it waits"
}
rmux_only "floods, 1x1 and clients that leave" hostile 's
exit 129'

done_testing
