#!/bin/sh
# neovim (Debian): its clipboard provider is tmux in a session.
. "${top_srcdir:-.}/regress/ecosystem/lib.sh"
need_deb neovim nvim
use() {
	tmux new-session -d -s n -x 80 -y 24 sh
	tmux send-keys -t n 'nvim --clean' Enter
	wait_for 'tmux capture-pane -p -t n | grep -q "^~"'
	tmux send-keys -t n 'ihello clip' Escape '0"+yy'
	wait_for 'tmux show-buffer 2>/dev/null | grep -q "hello clip"'
	tmux show-buffer
	printf 'from-buf' | tmux load-buffer -w -
	tmux send-keys -t n '"+P'
	wait_for 'tmux capture-pane -p -t n | grep -q "from-bufhello"'
	tmux capture-pane -p -t n | head -n 2
}
both "yank and put by the buffers" use
done_testing
