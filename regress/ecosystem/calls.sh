#!/bin/sh
# The calls that plugins make: pane navigators, savers of layouts, setters of
# sensible options, and an agent that types and reads.
. "${top_srcdir:-.}/regress/ecosystem/lib.sh"

navigate() {
	tmux new-session -d -s n -x 80 -y 24 cat
	tmux split-window -h -t n cat
	tmux split-window -v -t n cat
	for d in L D R U L R; do
		tmux if-shell -F -t n '#{pane_at_left}' "select-pane -t n -$d" \
			"select-pane -t n -$d"
		tmux display-message -p -t n '#{pane_index} #{pane_at_top}#{pane_at_bottom}#{pane_at_left}#{pane_at_right}'
	done
	tmux resize-pane -t n -Z
	tmux display-message -p -t n '#{window_zoomed_flag} #{window_panes} #F'
	tmux list-panes -t n -F '#{pane_index}:#{pane_current_command}:#{pane_active}'
}
both "a navigator of panes" navigate

save() {
	tmux new-session -d -s one -x 100 -y 40 -n ed -c /tmp cat
	tmux split-window -h -t one -c / cat
	tmux split-window -v -t one cat
	tmux new-window -d -t one: -n logs cat
	tmux new-session -d -s two -x 100 -y 40 -n x cat
	tmux list-panes -a -F "pane	#{session_name}	#{window_index}	#{window_active}	:#{window_flags}	#{pane_index}	#{pane_title}	:#{pane_current_path}	#{pane_active}	#{pane_current_command}	#{history_size}"
	tmux list-windows -a -F "window	#{session_name}	#{window_index}	:#{window_name}	#{window_active}	:#{window_flags}	#{window_layout}	#{automatic-rename}"
	tmux display-message -p -t one 'state	#{client_session}	#{client_last_session}'
	layout=$(tmux display-message -p -t one:ed '#{window_layout}')
	tmux new-session -d -s again -x 100 -y 40 cat
	tmux split-window -t again cat
	tmux split-window -t again cat
	tmux select-layout -t again "$layout" && tmux list-panes -t again \
		-F '#{pane_left},#{pane_top} #{pane_width}x#{pane_height}'
	tmux set-buffer -b saved 'a
b'
	tmux save-buffer -b saved - | cat
	tmux list-buffers -F '#{buffer_name} #{buffer_size}'
}
both "a saver of sessions, and what it restores" save

sensible() {
	tmux new-session -d -s s cat
	tmux set-option -s escape-time 0
	tmux set-option -g history-limit 50000
	tmux set-option -g display-time 4000
	tmux set-option -g status-interval 5
	tmux set-option -g default-terminal screen-256color
	tmux set-option -g status-keys emacs
	tmux set-option -g focus-events on
	tmux setw -g aggressive-resize on
	tmux bind-key C-p previous-window
	tmux bind-key R run-shell 'tmux source-file ~/.tmux.conf'
	for o in escape-time history-limit display-time status-interval default-terminal \
		status-keys focus-events aggressive-resize; do
		tmux show-options -gqv $o
		tmux show-options -gqv -s $o
	done
	tmux list-keys | grep -E 'prefix +(C-p|R) '
	tmux -V
	tmux display-message -p '#{version}'
	tmux list-keys -T prefix b 2>&1
	tmux show-options -gqv @nothing
	tmux has-session -t nope 2>&1
	echo $?
}
both "a setter of sensible options" sensible

agent() {
	tmux new-session -d -s a -x 80 -y 24 "env PS1='> ' sh"
	for i in 1 2 3 4 5 6 7 8 9 10; do
		tmux send-keys -t a -l "echo turn-\$(($i * 7)); tmux wait-for -S done$i"
		tmux send-keys -t a Enter
		tmux wait-for done$i
		tmux capture-pane -p -t a -S - | grep "^turn-" | tail -n 1
	done
	printf 'display-message -p "#{session_name} #{window_panes}"\nsplit-window -d cat\nlist-panes -F "#{pane_index}"\n' |
		tmux -C attach -t a | sed -n 's/^[^%]/&/p'
}
both "an agent that types, waits, reads, and control mode" agent
done_testing
