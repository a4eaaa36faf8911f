#!/bin/sh
# tmux-themepack-jimeh (Debian): each theme sets the same options.
. "${top_srcdir:-.}/regress/ecosystem/lib.sh"
need_deb tmux-themepack-jimeh
themes=$(dpkg -L tmux-themepack-jimeh 2>/dev/null | grep '\.tmuxtheme$')
[ -n "$themes" ] || skip_all "no themes"
use() {
	for t in $themes; do
		echo "source-file $t" >.tmux.conf
		tmux -f "$PWD/.tmux.conf" new-session -d -s s -x 100 -y 10 sh
		echo "${t##*/themepack/}"
		tmux show-options -g | grep -E '^(status-(left|right|style|justify|interval)|message|display)' | sort
		tmux show-options -gw | grep -E '^(window-status|mode-style|pane-(active-)?border-style|clock)' | sort
		tmux kill-server
		wait_for '! tmux has-session 2>/dev/null'
	done
}
both "all themes" use
done_testing
