#!/bin/sh
# display-menu: rows, places, keys, mouse, and menus that cannot be shown.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
[ $e2e_have_tmux = yes ] || skip_all "no tmux 3.3 as outer terminal"

attach() {
	m set-option -g status-right '' \; set-option -g status-left '[#S] ' \
		\; set-option -sg escape-time 20 \; set-option -g mouse on \
		\; rename-window -t s name
	attach_in "${1:-60}" "${2:-20}" "$(attach_command) -t s"
	expect_screen '\[s\]'
}

# menu ARGS: a menu with ARGS on the client, from a process that does not wait.
menu() {
	m display-menu -c "$client" "$@" >"$e2e_dir/menu.out" 2>&1 &
	menu_pid=$!
}

# shown PATTERN: prints the screen once it shows PATTERN.
shown() {
	expect_screen "$1" && outer_screen
}

# closed: no box is on the screen, and nobody waits any more.
closed() {
	wait_for '! outer_screen | grep -q "[┘╯╝┛]\|+--*+ *$"' || outer_screen
	wait_for '! alive $menu_pid' || echo "it waits"
	cat "$e2e_dir/menu.out"
}

option() {
	wait_for "[ \"\$(m show-options -gqv $1)\" = '$2' ]" || m show-options -gv "$1"
}

# SGR mouse events at column X and row Y, from 1.
press() { outer_keys -l "$(printf '\033[<%s;%s;%sM' "$1" "$2" "$3")"; }
release() { outer_keys -l "$(printf '\033[<%s;%s;%sm' "$1" "$2" "$3")"; }

rows() {
	attach
	menu -T '#[align=centre]#{session_name} top' -x 3 -y 9 \
		'One #{window_index}' 1 'set -g @did one' '' \
		'#[bold]Two' t 'set -g @did two' '' '-Off' o 'set -g @did off' \
		'Last 漢字' M-l "set -g @did '#{pane_index}'"
	shown Last
	outer_keys o
	outer_keys t
	closed
	option @did two
	menu -T q 'One' 1 'set -g @did one' Two 2 'set -g @did "#{window_index}"'
	shown One
	outer_keys Down Enter
	closed
	option @did 0
	detach
}
compare "rows, lines, keys and commands" rows

places() {
	attach
	m split-window -t s -h cat
	for place in 'C C' 'R P' 'P P' 'W W' 'C S' '5 7' '0 0' \
		'#{popup_pane_right} #{popup_pane_top}' \
		'#{popup_centre_x} #{popup_height}'; do
		menu -T "at" -t s:0.1 -x "${place% *}" -y "${place#* }" \
			'A row' a '' 'Another row' b ''
		shown Another
		outer_keys q
		closed
	done
	detach
}
compare "places of menus" places

keys() {
	attach
	set -- -x 0 -y 0
	for i in a b c d e f; do
		set -- "$@" "row $i" $i "set -g @did $i"
	done
	for keys in 'Enter a' 'Down Enter b' 'Up Enter f' 'G Enter f' \
		'j j k Enter b' 'End Home Enter a' 'G Up Enter e' 'd d'; do
		m set-option -g @did none
		menu "$@"
		expect_screen 'row f'
		# shellcheck disable=SC2086 # words
		outer_keys ${keys% *}
		closed
		option @did "${keys##* }"
	done
	for key in q Escape C-c C-g; do
		m set-option -g @did none
		menu "$@"
		expect_screen 'row f'
		outer_keys z $key
		closed
		option @did none
	done
	m capture-pane -p -t s | grep -c '[zqd]'
	detach
}
compare "keys of menus, which no pane gets" keys

mouse() {
	attach
	m bind-key -n MouseDown3Pane display-menu -t = -x M -y M \
		'pane #{pane_index}' p 'set -g @did p' \
		'at #{mouse_x}' a 'set -g @did a'
	menu_pid=0
	: >"$e2e_dir/menu.out"
	# Pressed, moved to the second row, let go.
	press 2 10 5
	shown 'at 9'
	press 34 10 7
	release 2 10 7
	closed
	option @did a
	detach
}
compare "a menu under the mouse" mouse

# A menu of the status line, at the window's name.
status() {
	attach
	menu_pid=0
	: >"$e2e_dir/menu.out"
	m bind-key -n MouseDown3Status display-menu -t = -x W -y W \
		'window #{window_name}' w 'set -g @did w'
	press 2 6 20
	shown 'window name'
	outer_keys w
	closed
	option @did w
	detach
}
compare "a menu over the status line" status

outside() {
	attach
	m bind-key -n MouseDown3Pane display-menu -x M -y M one 1 ''
	menu_pid=0
	: >"$e2e_dir/menu.out"
	press 2 10 5
	expect_screen one
	release 2 40 18
	closed
	detach
}
compare "a button let go outside" outside

# With -O a click counts, not a release.
stays() {
	attach
	m bind-key -n MouseDown3Pane display-menu -O -x M -y M \
		'first' p 'set -g @did p' 'second' a 'set -g @did a'
	menu_pid=0
	: >"$e2e_dir/menu.out"
	press 2 10 5
	expect_screen second
	release 2 10 5
	press 35 10 6
	press 0 10 6
	closed
	option @did p
	detach
}
compare "a menu that stays" stays

too_large() {
	attach 20 8
	menu abcdefghijklmnopqrstuvwxyz a '' two 2 ''
	shown two
	outer_keys q
	closed
	run display-menu ''
	run display-menu one 1
	detach
}
compare "menus without room or rows" too_large

# Keys and the mouse reach rows that have no room.
scrolls() {
	attach 20 8
	menu one 1 '' two 2 '' three 3 '' four 4 '' five 5 '' six 6 '' \
		seven 7 'set -g @did 7'
	expect_screen '1 more'
	outer_screen
	outer_keys End
	expect_screen 'seven'
	outer_screen | head -2
	outer_keys Home
	expect_screen 'one'
	outer_keys End Enter
	closed
	option @did 7
	m bind-key -n MouseDown3Pane display-menu -x 0 -y 8 one 1 '' two 2 '' \
		three 3 '' four 4 '' five 5 '' six 6 '' seven 7 'set -g @did m'
	menu_pid=0
	press 2 3 2
	expect_screen '1 more'
	press 34 3 8
	expect_screen seven
	press 34 3 7
	release 2 3 7
	closed
	option @did m
	detach
}
rmux_only "a menu scrolls" scrolls '   ┌───────────┐
   │ one   (1) │
   │ two   (2) │
   │ three (3) │
   │ four  (4) │
   │ five  (5) │
   │ six   (6) │
[s]└─── 1 more ┘
   ┌─── 1 more ┐
   │ two   (2) │'

# 1x1 and 10x3: no menu has room, or a very small one.
small() {
	attach_in 10 3 "$(attach_command) -t s"
	menu a b 'set -g @did b'
	expect_screen 'a (b)'
	outer_keys b
	closed
	option @did b
	outer resize-window -x 1 -y 1
	wait_for '[ "$(m list-clients -F "#{client_width}x#{client_height}")" = 1x1 ]'
	menu a b 'set -g @did c'
	closed
	outer resize-window -x 30 -y 8
	wait_for '[ "$(m list-clients -F "#{client_width}")" = 30 ]'
	menu a b 'set -g @did c'
	expect_screen 'a (b)'
	outer resize-window -x 5 -y 2
	closed
	detach
}
rmux_only "clients of 10x3 and 1x1" small \
	"no room for a menu: the terminal has 1x1 cells, a menu needs 5x3"

flag_is() {
	wait_for "[ \"\$(m display-message -p -t s:.$1 '#{$2}')\" = $3 ]" ||
		echo "pane $1: $2 is not $3"
}

# click X Y: a press and its release.
click() {
	press 0 "$1" "$2"
	release 0 "$1" "$2"
}

# The buttons in the border of a pane: float, zoom, kill.
buttons() {
	attach
	m set-option -g pane-border-status top
	m split-window -d -h -t s: cat
	expect_screen '\[f\]\[z\]\[x\].*\[f\]\[z\]\[x\]$'
	click 26 1
	flag_is 0 window_zoomed_flag 1
	expect_screen '\[f\]\[u\]\[x\]$'
	# Not a double click.
	click 10 10
	click 56 1
	flag_is 0 window_zoomed_flag 0
	expect_screen '\[f\]\[z\]\[x\].*\[f\]\[z\]\[x\]$'
	click 59 1
	expect_screen 'Kill pane 1?'
	outer_keys y
	flag_is 0 window_panes 1
	m split-window -d -h -t s: cat
	expect_screen '\[f\]\[z\]\[x\].*\[f\]\[z\]\[x\]$'
	click 23 1
	flag_is 0 pane_floating_flag 1
	expect_screen '\[t\]'
	# A range of the status line is a key, too.
	m set-option -g status-right '#[range=control|3]push' \; \
		bind-key -n MouseDown1Control3 set-option -g @did pushed
	expect_screen 'push$'
	click 58 20
	option @did pushed
	detach
}
rmux_only "buttons in borders and in the status line" buttons ''

looks() {
	attach
	for lines in single double heavy simple rounded padded none; do
		menu -b $lines -T top one 1 '' '' two 2 ''
		shown two | grep -A2 top | sed 's/^ *//'
		outer_keys q
		wait_for '! outer_screen | grep -q "(2)"'
	done
	m set-option -g menu-border-lines rounded
	m set-option -g menu-style bg=blue \; set-option -g menu-border-style fg=red
	m set-option -g menu-selected-style bg=green
	menu -x 0 -y 0 -C 1 one 1 '' two 2 ''
	expect_screen two
	outer_screen -e | sed -n '1,4p' | sed 's/\x1b/E/g;s/ *$//'
	outer_keys q
	closed
	menu -x 0 -y 0 -C - -b simple -s bg=red -S fg=blue -H bg=cyan one 1 '' two 2 ''
	expect_screen two
	outer_screen -e | sed -n '1,3p' | sed 's/\x1b/E/g;s/ *$//'
	outer_keys q
	wait_for '! outer_screen | grep -q "(2)"'
	# -M: the mouse chooses although a command opened the menu.
	m set-option -g @did none
	menu -M -x 0 -y 0 one 1 'set -g @did one' two 2 'set -g @did two'
	expect_screen two
	press 35 4 3
	release 0 4 3
	closed
	option @did two
	run display-menu -b what a b c
	run display-menu -C x a b c
	detach
}
rmux_only "borders, styles, starting choice and -M" looks \
'┌─top─────┐
│ one (1) │
├─────────┤
╔═top═════╗
║ one (1) ║
╠═════════╣
┏━top━━━━━┓
┃ one (1) ┃
┣━━━━━━━━━┫
+-top-----+
| one (1) |
+---------+
╭─top─────╮
│ one (1) │
├─────────┤
top
one (1)

top
one (1)

E[31m╭─────────╮
│E[39mE[44m one (1) E[31mE[49m│
│E[39mE[42m two (2) E[31mE[49m│
╰─────────╯
E[34m+---------+
|E[39mE[41m one (1) E[34mE[49m|
|E[39mE[41m two (2) E[34mE[49m|
+ display-menu -b what a b c
err: menu-border-lines unknown value: what
exit: 1
+ display-menu -C x a b c
err: starting choice invalid
exit: 1'

# The client leaves, and the target goes, while a menu is up.
ends() {
	attach
	menu one 1 'set -g @did one'
	expect_screen one
	detach
	wait_for '! alive $menu_pid' || echo "it waits"
	m list-sessions -F '#{session_name}'
	attach
	m split-window -t s cat
	menu -t s:0.1 one 1 'set -g @did "#{pane_id}"' kill k 'kill-pane'
	expect_screen one
	m kill-pane -t s:0.1
	outer_keys k
	expect_screen '[Tt]he menu.s pane is gone'
	closed
	m list-panes -t s -F '#{pane_index}'
	detach
}
rmux_only "a client that leaves, a target that goes" ends 's
0'

# both PATTERN: both clients show it; neither PATTERN: none of them does.
second_screen() { outer capture-pane -p -t second: 2>/dev/null; }
both() {
	expect_screen "$1"
	wait_for "second_screen | grep -q -- '$1'" || second_screen
}
neither() {
	wait_for "! outer_screen | grep -q -- '$1'" || outer_screen
	wait_for "! second_screen | grep -q -- '$1'" || second_screen
}

# A menu is on all clients of its window; each of them may choose or close.
clients() {
	attach
	outer new-session -d -s second -x 60 -y 20 "$(attach_command) -t s"
	wait_for '[ "$(m list-clients | wc -l)" = 2 ]' || echo "no second client"
	wait_for "second_screen | grep -q '\[s\]'" || second_screen
	menu one 1 'set -g @did one' two 2 'set -g @did two'
	both 'two (2)'
	outer send-keys -t second: 2
	neither 'two (2)'
	option @did two
	menu one 1 'set -g @did one' two 2 'set -g @did two'
	both 'one (1)'
	outer_keys 1
	neither 'one (1)'
	option @did one
	menu one 1 'set -g @did again'
	both 'one (1)'
	outer send-keys -t second: q
	neither 'one (1)'
	option @did one
	closed
	m detach-client -a -t "$client"
	wait_for '[ "$(m list-clients | wc -l)" = 1 ]' || echo "second client stays"
	detach
}
compare "a menu of two clients" clients

done_testing
