#!/bin/sh
# tmuxinator (Debian): a project starts and stops.
. "${top_srcdir:-.}/regress/ecosystem/lib.sh"
need_deb tmuxinator
use() {
	mkdir -p .config/tmuxinator
	cat >.config/tmuxinator/p.yml <<'Y'
name: p
root: /tmp
startup_window: two
windows:
  - one:
      layout: main-vertical
      panes:
        - echo a
        - echo b
  - two: echo c
Y
	EDITOR=true tmuxinator start p --attach=false </dev/null >/dev/null 2>&1
	wait_for 'tmux capture-pane -p -t p:two | grep -q "^c"'
	wait_for 'tmux capture-pane -p -t p:one.1 | grep -q "^b"'
	tmux list-windows -t p -F '#{window_index} #{window_name} #{window_panes} #{window_active} #{window_layout}'
	tmux list-panes -s -t p -F '#{pane_current_path}'
	EDITOR=true tmuxinator list </dev/null 2>/dev/null | tail -n 1
	EDITOR=true tmuxinator stop p </dev/null >/dev/null 2>&1
	tmux list-sessions 2>&1 | sed 's,on .*,on,'
}
both "a project" use
done_testing
