#!/bin/sh
# tmux-plugin-manager (Debian): sources a plugin that is here.
. "${top_srcdir:-.}/regress/ecosystem/lib.sh"
need_deb tmux-plugin-manager
tpm=$(dpkg -L tmux-plugin-manager 2>/dev/null | grep '/tpm$' | head -n 1)
[ -n "$tpm" ] || skip_all "no tpm"
use() {
	mkdir -p .tmux/plugins/mine
	cat >.tmux/plugins/mine/mine.tmux <<'Y'
#!/usr/bin/env bash
tmux set-option -gq @mine on
tmux bind-key -T prefix M-z display-message hi
tmux set-option -g status-right "#(echo plug) $(tmux show-option -gqv @mine-opt)"
Y
	chmod +x .tmux/plugins/mine/mine.tmux
	cat >.tmux.conf <<Y
set -g @plugin 'x/mine'
set -g @mine-opt 'val'
set-environment -g TMUX_PLUGIN_MANAGER_PATH '$HOME/.tmux/plugins/'
run '$tpm'
Y
	tmux new-session -d -s s sh
	wait_for 'tmux list-keys -T prefix U 2>/dev/null | grep -q update_plugins'
	wait_for '[ "$(tmux show-options -gv @mine)" = on ]'
	tmux show-options -gv status-right
	tmux list-keys -T prefix M-z
	tmux show-environment -g TMUX_PLUGIN_MANAGER_PATH
	tmux list-keys -T prefix I
	tmux list-keys -T prefix U
}
both "a plugin is found and run" use
done_testing
