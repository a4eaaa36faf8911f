#!/bin/sh
# fzf (Debian): fzf-tmux opens a pane, and gives the choice back.
. "${top_srcdir:-.}/regress/ecosystem/lib.sh"
need_deb fzf
fzf_tmux=$(command -v fzf-tmux || ls /usr/share/doc/fzf/examples/fzf-tmux 2>/dev/null)
[ -n "$fzf_tmux" ] || skip_all "no fzf-tmux"
use() {
	tmux new-session -d -s f -x 100 -y 30 sh
	tmux send-keys -t f "seq 30 | bash '$fzf_tmux' -d 10 >out; echo ended" Enter
	wait_for '[ "$(tmux list-panes -t f | wc -l)" = 2 ]'
	wait_for 'tmux capture-pane -p -t f:.1 | grep -q "30/30"'
	tmux list-panes -t f -F '#{pane_index} #{pane_width}x#{pane_height}'
	tmux send-keys -t f:.1 '17'
	wait_for 'tmux capture-pane -p -t f:.1 | grep -q "1/30"'
	tmux send-keys -t f:.1 Enter
	wait_for '[ -s out ]'
	cat out
	wait_for '[ "$(tmux list-panes -t f | wc -l)" = 1 ]'
	tmux list-panes -t f -F '#{pane_index} #{pane_width}x#{pane_height}'
}
both "a choice in a pane below" use
done_testing
