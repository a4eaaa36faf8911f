#!/bin/sh
# byobu (Debian): its profile loads, and its keys are there.
. "${top_srcdir:-.}/regress/ecosystem/lib.sh"
need_deb byobu
use() {
	BYOBU_BACKEND=tmux BYOBU_CONFIG_DIR=$HOME/.byobu byobu-tmux new-session -d \
		-s b sh 2>&1
	wait_for 'tmux list-keys -T root F2 2>/dev/null | grep -q new-window'
	tmux list-sessions -F '#{session_name} #{session_windows}'
	tmux list-keys -T root | sort
	tmux show-options -gv status-left
	tmux show-options -gv status-right
}
both "a session with its profile" use
done_testing
