#!/bin/sh
# Go programs that use tmux: overmind and smug run commands in it, sesh lists and
# opens sessions, gitmux writes a piece of the status line.  Each is skipped, with
# the reason, where it is not installed and the module proxy does not serve it.
. "${top_srcdir:-.}/regress/ecosystem/lib.sh"

use_smug() {
	mkdir -p .config/smug
	cat >.config/smug/p.yml <<'Y'
session: p
root: /tmp
windows:
  - name: one
    layout: main-vertical
    commands:
      - echo a
    panes:
      - type: horizontal
        commands:
          - echo b
  - name: two
    commands:
      - echo c
Y
	smug start p --detach >/dev/null 2>&1
	wait_for 'tmux capture-pane -p -t p:two | grep -q "^c"'
	tmux list-windows -t p -F '#{window_index} #{window_name} #{window_panes} #{window_layout}'
	tmux list-panes -s -t p -F '#{pane_current_path}'
	smug stop p
	tmux list-sessions 2>&1 | sed 's,on .*,on,'
}

use_overmind() {
	printf '%s\n' 'one: echo one-is-here; exec cat' \
		'two: echo two-is-here; exec cat' >Procfile
	overmind start -D -s over.sock
	wait_for 'overmind ps -s over.sock 2>/dev/null | grep -c running | grep -qx 2'
	overmind ps -s over.sock | sed 's/[0-9][0-9]*/N/'
	overmind restart -s over.sock two
	wait_for 'overmind ps -s over.sock 2>/dev/null | grep -c running | grep -qx 2'
	overmind quit -s over.sock
	wait_for '[ ! -S over.sock ]'
}

use_sesh() {
	tmux new-session -d -s one cat
	tmux new-session -d -s two cat
	sesh list -t | sort
}

use_gitmux() {
	git init -q -b trunk repo && cd repo || return
	git -c user.name=a -c user.email=a@b commit -q --allow-empty -m x
	: >new
	tmux new-session -d -s g -x 80 -y 24 cat
	tmux set-option -g status-left '#(gitmux "#{pane_current_path}")'
	tmux display-message -p '#{T:status-left}' >/dev/null
	wait_for 'tmux display-message -p "#{T:status-left}" | grep -q trunk'
	tmux display-message -p '#{T:status-left}'
}

while read -r module program; do
	if have_go "$module" "$program"; then
		both "$program" "use_$program"
	else
		skip "$program" "$reason"
	fi
done <<'END'
github.com/DarthSim/overmind/v2 overmind
github.com/ivaaaan/smug smug
github.com/joshmedeski/sesh/v2 sesh
github.com/arl/gitmux gitmux
END
done_testing
