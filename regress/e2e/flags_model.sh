#!/bin/sh
# Flags of commands about panes, windows and sessions that no other script
# uses: beside tmux where it has them.
. "${top_srcdir:-.}/regress/e2e/lib.sh"

# The first window has a fixed name, independent of the time of the look.
named() {
	m rename-window -t s:0 zero
}

where() {
	run list-panes -s -t "${1:-s}" -F '#I.#P #D #{pane_active}#{window_zoomed_flag}'
}

directions() {
	m split-window -h -t s: cat
	m split-window -v -t s: cat
	for way in -L -R -U -D -l; do
		run select-pane -t s: $way
		run display-message -p -t s: '#P'
	done
	run select-pane -m -t s:0.1
	run select-pane -M
	run display-message -p '#{pane_marked_set}'
	run last-pane -d -t s:
	run display-message -p -t s: '#P #{pane_input_off}'
	run last-pane -e -t s:
	run list-panes -t s: -F '#P #{pane_input_off}'
	run resize-pane -Z -t s:
	run select-pane -Z -D -t s:
	where
	run last-pane -Z -t s:
	where
	run select-pane -U -t s:
	where
}
compare "select-pane -LRUDlmMZ, last-pane -deZ" directions

joined() {
	named
	m split-window -h -t s: cat
	m new-window -d -t s:1 cat
	run join-pane -v -b -s s:1 -t s:0.0
	where
	m new-window -d -t s:1 cat
	run move-pane -v -d -l 3 -s s:1 -t s:0.2
	where
	m new-window -d -t s:1 cat
	run move-pane -h -f -b -s s:1 -t s:0
	run list-panes -t s:0 -F '#P #D #{pane_left} #{pane_top} #{pane_width}x#{pane_height}'
	run resize-pane -Z -t s:0
	run swap-pane -Z -d -s s:0.0 -t s:0.1
	where
	run swap-pane -D -t s:0.1
	run swap-pane -U -t s:0.1
	run rotate-window -Z -t s:0
	where
	run split-window -Z -t s:0 cat
	where
	run split-window -d -f -b -h -l 20% -t s:0 cat
	run list-panes -t s:0 -F '#P #D #{pane_width}'
	run split-window -d -p 50 -t s:0 cat
	run list-panes -t s:0 -F '#P #D #{pane_height}'
	run break-pane -b -d -n broken -s s:0.1 -t s:0
	run list-windows -t s -F '#I #W'
	m kill-window -t s:broken
	m move-window -r -t s
	run new-session -d -s z -n a cat
	run link-window -b -s z:a -t s:0
	run list-windows -t s -F '#I #W'
}
compare "join-pane -v, move-pane -bdfhlv, swap-pane -ZDU, split-window -Zfb" joined

filtered() {
	m split-window -t s: cat
	m new-window -d -t s: -n other cat
	m new-session -d -s t -n third cat
	run list-panes -t s:0 -f '#{==:#P,1}' -F '#I.#P'
	run list-panes -s -t s -f '#{==:#W,other}' -F '#I.#P'
	run list-windows -t s -f '#{==:#W,other}' -F '#W'
	run list-windows -a -f '#{m:th*,#W}' -F '#S #W'
	run list-sessions -f '#{==:#S,t}' -F '#S'
	run list-buffers -f '#{==:1,2}'
	run if-shell -F -t t:third '#{==:#W,third}' 'display-message -p yes' 'display-message -p no'
	run set-environment -t t A b
	run show-environment -t t A
	run display-message -p -t t: '#S'
	run next-layout -t s:0
	run previous-layout -t s:0
	run list-panes -t s:0 -F '#D #{pane_width}x#{pane_height}+#{pane_left}+#{pane_top}'
	run new-window -d -t s: -n env -e FLAG=on 'echo "<$FLAG>"; cat'
	expect_pane s:env '<on>'
	run respawn-window -k -t s:env -e FLAG=off -c / 'pwd; echo "<$FLAG>"; cat'
	expect_pane s:env '<off>'
	run capture-pane -p -t s:env -E 1
}
compare "-f of lists, -t of if-shell, respawn-window -ec, previous-layout" filtered

# tmux 3.3 has none of these.
newer() {
	m new-session -d -s t cat
	echo 'display-message -p "#{session_name}"' >name
	m source-file -t t: name
	m run-shell -t t: 'echo #S'
	m run-shell -c / pwd
	m run-shell -E 'echo out; echo err >&2'
	m list-clients -f '#{==:1,1}'
	m split-window -d -T titled -t t: cat
	m list-panes -t t: -F '#T' | tail -n 1
	m server-access -g no-such-group
	m list-sessions -O name -r -F '#S'
	m list-sessions -f '#{==:#S,t}' -F '#{m:client-*,#{client_name}}#{client_width}x#{client_height}'
	m split-window -d -t t: cat
	m list-panes -O z -r -t t: -F '#{line}' | head -n 1
	m list-keys -T prefix -F '#{key_string}' -O key -r | head -n 1 | grep -c .
	m list-keys None
	m list-commands -F '#{command_list_name}' | head -n 1
	m respawn-pane -k -E -t s: 'echo "<$TERM>"; cat'
	m display-message -p -t s: '#{pane_dead}#{pane_pid} #{pane_start_command}'
	echo shown | m display-message -I -t s:
	m capture-pane -p -t s: -E 0
	m respawn-pane -t s:
	expect_pane s: '<'
	m respawn-window -k -E -t s: cat
	m display-message -p -t s: '#{pane_dead}#{pane_pid} #{pane_start_command}'
	m new-window -d -E -t s:
}
rmux_only "flags that tmux 3.3 has not" newer 't
/
out
err
titled
unknown group: no-such-group
t
s
180x
3
1
unknown key: None
attach-session
0 "echo \"<\$TERM>\"; cat"
shown
0 cat'

# tmux 3.3 has no filter for the kill commands.
killed() {
	for name in a b c; do
		m new-window -d -t s: -n $name cat
		m new-session -d -s $name cat
		m split-window -d -t s:0 cat
		m select-layout -t s:0 tiled
	done
	m kill-window -a -f '#{m:[ab],#W}' -t s:0
	m list-windows -t s -F '#W' | tail -n 1
	m kill-session -a -f '#{m:[ab],#S}' -t s
	m list-sessions -F '#S'
	m kill-pane -a -f '#{e|>:#P,2}' -t s:0.0
	m list-panes -t s:0 -F '#D'
	m new-session -d -t s -s s2
	m new-session -d -s lone cat
	m kill-session -g -t s2
	m list-sessions -F '#S'
}
rmux_only "kill-window -f, kill-session -f -g, kill-pane -f" killed 'c
c
s
%0
%9
%6
c
lone'

cleared_alerts() {
	named
	m set-option -g monitor-bell on
	m new-window -d -t s: -n noisy 'read x; printf "\a"; echo rung; cat'
	m send-keys -t s:noisy Enter
	wait_for 'm list-windows -t s -F "#{window_bell_flag}" | grep -q 1' ||
		echo "no bell"
	run kill-session -C -t s
	run list-windows -t s -F '#W #{window_bell_flag}'
}
compare "kill-session -C" cleared_alerts

# -E: the new window or session does not take the caller's environment; tmux has
# -E for new-session only.
bare() {
	m set-environment -t s MINE yes
	m set-environment -g OURS yes
	run new-session -d -E -s e cat
	run show-environment -t e
	run new-session -d -s f -x 70 -y 20 -n w -c / 'pwd; cat'
	expect_pane f: '^/'
	run new-session -A -D -E -s e
	run list-sessions -F '#S #{session_attached}'
	run new-session -d -P -F '#S:#W' -s g -n h cat
	run has-session -t g
	run attach-session -E -t g
	run attach-session -c / -t g
}
compare "new-session -E -D" bare

options() {
	run show-options -s exit-empty
	run set-option -g @a one
	run set-option -go @a two
	run set-option -goq @a two
	run set-option -gu @a
	run set-option -q nothing x
	run set-window-option -t s: main-pane-width 30
	run set-window-option -a -t s: window-status-format X
	run show-window-options -t s: main-pane-width
	run show-window-options -v -t s: main-pane-width
	run show-window-options -g -v main-pane-height
	run set-window-option -o -t s: main-pane-width 40
	run set-window-option -q -o -t s: main-pane-width 40
	run set-window-option -F -t s: @w '#S'
	run show-window-options -v -t s: @w
	run set-window-option -u -t s: main-pane-width
	run show-window-options -t s: main-pane-width
	run set-window-option -g mode-keys vi
	run show-window-options -g mode-keys
	m split-window -t s: cat
	run set-option -p -t s:.0 remain-on-exit on
	run set-option -w -t s: remain-on-exit on
	run set-option -U -w -t s: remain-on-exit
	run show-options -p -t s:.0 remain-on-exit
	run show-options -w -t s: remain-on-exit
	run show-options -A -p -t s:.0 remain-on-exit
	run show-options -A -w -t s: mode-keys
	run show-options -pv -t s:.0 @none
	run set-hook -p -t s:.0 pane-died 'set-option -g @p died'
	run show-hooks -p -t s:.0
	run set-hook -w -t s: window-renamed 'set-option -g @w renamed'
	run show-hooks -w -t s:
	run set-hook -t s session-renamed 'set-option -g @s renamed'
	run show-hooks -t s
	run show-options -H -t s session-renamed
	run set-hook -u -t s session-renamed
	run show-hooks -t s
}
compare "set-option -ouUq, set-window-option, show-options -AHp, set-hook -pwt" options

keys() {
	run bind-key -n -N note x list-sessions
	run unbind-key -n x
	run unbind-key -n x
	run unbind-key -q -n x
	run unbind-key nothing-like-it
	run unbind-key -q nothing-like-it
	run unbind-key -q -T none x
	run bind-key -T mine -r -N 'a note' y list-windows
	run list-keys -T mine
	run list-keys -N -T mine
	run list-keys -1 -N -T mine y
	run list-keys -a -N -T mine y
	run list-keys -N -P 'pre ' -T mine
	run unbind-key -a -T mine
	run list-keys -T mine
}
compare "unbind-key -nqTa, list-keys -1aNPT" keys

done_testing
