#!/bin/sh
# tmux-sessionizer (crates.io): repositories are found, opened as sessions, renamed
# and killed, in a pane of a client that is attached.  A debug build: cargo needs
# a quarter of an hour for it.
. "${top_srcdir:-.}/regress/ecosystem/lib.sh"

session() {
	tmux list-clients -F '#{client_session}'
}

# shows TEXT: whether the active pane of the client's session shows it.
shows() {
	tmux capture-pane -p -t "$(session):" | grep -q "$1"
}

# types SESSION WORDS: in the shell of the session.
types() {
	tmux send-keys -t "$1:" "$2" Enter
}

repository() {
	mkdir -p "code/$1"
	git init -q -b trunk "code/$1"
	git -C "code/$1" -c user.name=a -c user.email=a@b commit -q --allow-empty -m x
}

begin() {
	for name in alpha beta delta; do
		repository $name
	done
	tms config --paths "$HOME/code" --max-depths 3
	tmux new-session -d -s home -x 80 -y 24 'exec sh'
	# A login shell would set PATH again.
	tmux set-option -g default-command 'exec sh'
	tmux -L outer -f /dev/null new-session -d -x 80 -y 24 \
		'env -u TMUX -u TMUX_PANE tmux attach-session -t home'
	wait_for '[ "$(session)" = home ]'
}

end() {
	tmux list-windows -a -F '#{session_name}:#{window_index} #{window_name} #{pane_current_path}'
	tmux -L outer kill-server
}

# The picker: in a pane, and in a popup, as its README has it.
use_picker() {
	begin
	types home tms
	wait_for 'shows delta' && tmux send-keys -t home: bet Enter
	wait_for '[ "$(session)" = beta ]' && session
	types beta 'tms sessions'
	wait_for 'shows home' && tmux capture-pane -p -t beta: | grep '^[a-z* ]*home'
	tmux display-popup -E -c "$(tmux list-clients -F '#{client_name}')" 'tms switch' &
	wait_for 'tmux -L outer capture-pane -p | grep -q "│[0-9]/[0-9]"'
	tmux -L outer send-keys hom Enter
	wait_for '[ "$(session)" = home ]' && session
	wait
	end
}

use_names() {
	begin
	types home 'tms open-session alpha'
	wait_for '[ "$(session)" = alpha ]' && session
	types alpha 'tms rename gamma'
	wait_for '[ "$(session)" = gamma ]' && session
	wait_for '[ -d code/gamma ]' && ls code
	wait_for 'tmux display-message -p -t gamma: "#{pane_current_path}" | grep -q gamma$'
	types gamma 'tms kill'
	wait_for '[ "$(session)" != gamma ]' && session
	tmux list-sessions -F '#{session_name}'
	end
}

# Worktrees are windows.
use_worktrees() {
	repository omega
	git clone -q --bare code/omega code/bare
	git -C code/bare worktree add -q one -b one
	git -C code/bare worktree add -q two -b two
	begin
	types home 'tms open-session bare'
	wait_for '[ "$(session)" = bare ]' && session
	wait_for '[ "$(tmux list-windows -t bare | wc -l)" -ge 2 ]'
	git -C code/bare worktree add -q three -b three
	types bare 'tms refresh'
	wait_for 'tmux list-windows -t bare | grep -q three'
	end
}

command -v git >/dev/null || skip_all "no git"
if have_built cargo tms "$cache/eco-cargo/bin" env CARGO_PROFILE_DEV_DEBUG=0 \
	cargo install -q --debug --locked --root "$cache/eco-cargo" tmux-sessionizer; then
	both "the picker, in a pane and in a popup" use_picker
	both "sessions by name" use_names
	both "worktrees are windows" use_worktrees
else
	skip tms "$reason"
fi
done_testing
