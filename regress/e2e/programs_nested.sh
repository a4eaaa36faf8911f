#!/bin/sh
# tmux in rmux, rmux in tmux in rmux: the inner one looks as in a bare terminal.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
. "$e2e_src/regress/e2e/programs_lib.sh"

# In a pane of rmux, tmux alone would be rmux.
real=$(command -v tmux)

cat >nested.conf <<'CONF'
set -g status-right ''
set -g status-left 'in '
set -g automatic-rename off
set -g default-command 'PS1="$ " exec sh -i'
set -g default-terminal tmux-256color
set -g display-time 0
set -as terminal-features ',tmux*:RGB:usstyle'
CONF

# Draws tmux's panes, a second window, copy mode, a chooser and a zoom.
if program "tmux inside" tmux; then
	begin 'TMUX= TMUX_TMPDIR=$PWD '"$real"' -f nested.conf new-session -n one'
	same '^in 0:one'
	keys C-b %
	same '│'
	keys C-b '"'
	same '─'
	keys 'seq 50; printf "\033[44;1mbold 你好\033[m\n"' Enter
	same 'bold 你好$'
	keys C-b c
	same '1:PS1'
	keys C-b ,
	same 'rename'
	keys C-u second Enter
	same '1:second'
	keys C-b w
	same '(0)'
	keys q
	same '^in 0:one'
	keys C-b p
	same '0:one\*'
	keys C-b '['
	same '\[0/'
	keys PageUp
	same '\[[1-9]'
	keys q
	same 'bold 你好$'
	keys C-b z
	same '0:one\*Z'
	keys C-b :
	same '^:'
	keys 'kill-server' Enter
	same 'END'
	finish
fi

# An rmux in a tmux in the compared terminal.
if program "rmux inside tmux inside"; then
	sed 's/set -g prefix.*//' nested.conf >inner.conf
	printf '%s\n' 'set -g prefix C-a' 'bind C-a send-prefix' 'set -s theme terminal' >>inner.conf
	begin 'TMUX= TMUX_TMPDIR=$PWD '"$real"' -f nested.conf new-session -n one "'"'$e2e_rmux'"' -S $PWD/sock -f inner.conf new-session -n two"'
	same '^in 0:two'
	keys 'seq 50; printf "\033[38;2;1;2;3mrgb\033[m \033[3;4:3mcurly\033[m 👍 é\n"' Enter
	same '^rgb curly'
	keys C-a %
	same '│'
	keys 'seq 30' Enter
	same '│30'
	keys C-b '"'
	same '^──'
	keys C-b z
	same '0:one\*Z'
	keys 'exit' Enter
	same '0:one\*'
	keys 'exit' Enter
	same '^rgb curly'
	keys 'exit' Enter
	same 'END'
	finish
fi
done_testing
