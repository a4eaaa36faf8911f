#!/bin/sh
# tmuxp (PyPI): a session from a file, and back.
. "${top_srcdir:-.}/regress/ecosystem/lib.sh"
need_pip tmuxp
use() {
	cat >t.yaml <<'Y'
session_name: proj
start_directory: /tmp
environment: {A: b}
options: {default-size: 100x30}
global_options: {status-position: top}
windows:
  - window_name: ed
    layout: main-vertical
    options: {main-pane-width: 50}
    panes:
      - shell_command: [echo one]
        focus: true
      - echo two
      - blank
  - window_name: run
    window_shell: sh
    focus: true
    panes:
      - shell_command: [cmd: echo three]
Y
	"${python%/*}/tmuxp" load -d t.yaml >/dev/null 2>&1 || echo "load failed"
	wait_for 'tmux capture-pane -p -t proj:ed.0 | grep -q "^one"'
	wait_for 'tmux capture-pane -p -t proj:run | grep -q "^three"'
	tmux list-windows -t proj -F '#{window_index} #{window_name} #{window_panes} #{window_active} #{window_layout}'
	tmux list-panes -s -t proj -F '#{pane_id} #{pane_current_path} #{pane_active}'
	tmux show-environment -t proj A
	tmux show-options -gv status-position
	"${python%/*}/tmuxp" freeze -q -y -f yaml -o f.yaml proj >/dev/null 2>&1
	sed 's/shell:.*//' f.yaml
}
both "a session is loaded and frozen" use
done_testing
