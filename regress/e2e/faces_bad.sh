#!/bin/sh
# Choosers, menus, popups and prompts whose subject is gone, whose command
# fails, and in terminals with room for next to nothing.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
[ $e2e_have_tmux = yes ] || skip_all "no tmux 3.3 as outer terminal"

attach() {
	m set-option -g status-right '' \; set-option -g status-left '[#S] ' \
		\; set-option -sg escape-time 20 \; rename-window -t s name
	attach_in "${1:-60}" "${2:-20}" "$(attach_command) -t s"
}

# background COMMAND...: of a client that waits.
background() {
	m "$@" >"$e2e_dir/late.out" 2>&1 &
	late_pid=$!
}

ended() {
	wait_for '! alive $late_pid' || echo "it waits"
	wait "$late_pid"
	echo "exit $?"
	cat "$e2e_dir/late.out"
}

mode_is() {
	wait_for "[ \"\$(m display-message -p -t s: '#{pane_mode}')\" = '$1' ]" ||
		m display-message -p -t s: 'mode #{pane_mode}'
}

# Buffers go while their chooser is open.
buffers() {
	attach
	for b in one two three; do m set-buffer -b $b "text $b"; done
	m choose-buffer -t s: -N
	expect_screen 'three: '
	m delete-buffer -b three
	wait_for '! outer_screen | grep -q three' || echo "three stays"
	outer_keys Enter
	mode_is ''
	m choose-buffer -t s:
	expect_screen 'one: '
	m delete-buffer -b one \; delete-buffer -b two
	wait_for '! outer_screen | grep -q "two: "' || echo "two stays"
	outer_keys Down d D Enter
	outer_keys q
	mode_is ''
	detach
}
rmux_only "buffers deleted under their chooser" buffers ''

# Windows and sessions go under choose-tree, with what it shows and asks about.
tree() {
	attach
	m new-session -d -s a -n aw cat \; new-window -d -t a: -n aw2 cat \
		\; new-session -d -s b -n bw cat
	m choose-tree -w -t s:
	expect_screen 'aw2'
	outer_keys Down
	m kill-window -t a:aw
	wait_for '! outer_screen | grep -q "aw:"' || echo "aw stays"
	outer_keys t Down t x
	expect_screen 'Kill'
	m kill-session -t a
	outer_keys y
	m kill-session -t b 2>/dev/null
	wait_for '! outer_screen | grep -q "bw"' || echo "bw stays"
	outer_keys Up Enter
	mode_is ''
	# The chooser's own pane goes.
	m split-window -t s: cat \; choose-tree -t s:
	expect_screen '(0)'
	m kill-pane -t s:
	wait_for '! outer_screen | grep -q "(0)"' || echo "the chooser stays"
	m list-panes -t s: -F '#P'
	detach
}
rmux_only "windows and sessions killed under choose-tree" tree 0

# The pane of a menu, of a popup and of pane numbers goes.
panes() {
	attach
	m split-window -d -t s: cat
	background display-menu -c "$client" -t s:.1 one 1 'kill-server'
	expect_screen 'one'
	m kill-pane -t s:.1
	outer_keys 1
	expect_screen '[Tt]he menu.s pane is gone'
	ended
	m split-window -d -t s: cat
	background display-popup -c "$client" -t s:.1 'printf here; cat'
	expect_screen here
	m kill-pane -t s:.1
	outer_keys C-c
	ended
	m split-window -t s: cat
	m display-panes -d 0 -t s:.1 'kill-server'
	mode_is panes-mode
	m kill-pane -t s:.1
	mode_is ''
	m split-window -t s: cat \; new-window -d -t s: -n gone cat
	m display-panes -d 0 -t s:.1
	mode_is panes-mode
	m kill-pane -t s:.0
	outer_keys 1
	mode_is ''
	m display-panes -d 0 -s s:gone -t s:
	mode_is panes-mode
	m kill-window -t s:gone
	outer_keys 0
	mode_is ''
	detach
}
rmux_only "panes killed under menus, popups, numbers" panes \
	"exit 0
exit 129"

popups() {
	attach
	background display-popup -c "$client" -E /nonexistent/program
	ended
	background display-popup -c "$client" /nonexistent/program
	expect_screen 'not found'
	outer_keys Escape
	ended
	background display-popup -c "$client" -E /nonexistent/program word
	ended
	background display-popup -c "$client" -E -d /nonexistent 'exit 5'
	ended
	background display-popup -c "$client" -E 'kill -9 $$'
	ended
	background display-popup -c "$client" -E 'exec sleep 1000'
	wait_for 'outer_screen | grep -q ┘'
	outer kill-server
	e2e_outer=
	ended
}
rmux_only "popups whose command fails" popups "exit 127
exit 127
exit 127
exit 5
exit 137
exit 129"

# sized COMMAND...: opens it, types and resizes.
sized() {
	"$@" >/dev/null 2>&1 &
	e2e_pids="$e2e_pids $!"
	for size in '1 1' '5 2' '10 3'; do
		outer resize-window -x "${size% *}" -y "${size#* }" \; \
			send-keys Down v Up G
		wait_for "[ '$size' = \"\$(m list-clients -F \
			'#{client_width} #{client_height}')\" ]" || echo "no $size"
		outer_keys Down v Up G
	done
	outer_keys Escape q C-c q
	m display-popup -C \; send-keys -t s: q
}

sizes() {
	attach 10 3
	m set-option -g display-time 1 \; set-buffer text \; \
		respawn-pane -k -t s: "trap '' INT; exec cat"
	for face in choose-tree choose-buffer choose-client customize-mode \
		'switch-mode -w' 'display-panes -d 0' 'display-menu a b c d e f' \
		'display-popup cat' 'command-prompt -b' 'confirm-before -b list-keys' \
		'command-palette'; do
		# shellcheck disable=SC2086 # words of a command
		sized m $face
	done
	run display-message -p alive
	detach
}
rmux_only "terminals of 1x1 to 10x3" sizes '+ display-message -p alive
alive'

done_testing
