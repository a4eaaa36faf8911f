#!/bin/sh
# tmux-sessionizer (crates.io): finds repositories, opens them as sessions, shows
# sessions and windows with a preview, switches and kills.
. "${top_srcdir:-.}/regress/ecosystem/lib.sh"
have_cargo tmux-sessionizer tms || skip_all "$reason"
command -v git >/dev/null || skip_all "no git"

# pane_shows TARGET PATTERN: waits until the pane does.
pane_shows() {
	wait_for "tmux capture-pane -p -t '$1' | grep -q -- '$2'"
}
use() {
	for repo in alpha beta; do
		git init -q -b trunk code/$repo
		git -C code/$repo -c user.name=a -c user.email=a@b commit -q \
			--allow-empty -m x
	done
	tms config --paths "$PWD/code" --max-depths 3 2>&1
	tmux new-session -d -s home -x 100 -y 30 "env PS1='> ' sh"
	mkfifo in
	tmux -C attach -t home <in >client.out 2>&1 &
	exec 9>in
	wait_for '[ "$(tmux list-clients | wc -l)" = 1 ]'
	pane_shows home: '^>'
	tmux send-keys -t home: tms Enter
	pane_shows home: beta
	tmux capture-pane -p -t home: | grep -o 'alpha\|beta' | sort
	tmux send-keys -t home: bet
	wait_for '! tmux capture-pane -p -t home: | grep -q alpha'
	tmux send-keys -t home: Enter
	wait_for 'tmux has-session -t beta 2>/dev/null'
	wait_for '[ "$(tmux list-clients -F "#{session_name}")" = beta ]'
	tmux list-sessions -F '#{session_name} #{session_path} #{session_windows}'
	tmux list-clients -F '#{session_name}'
	tmux send-keys -t home: "tms sessions" Enter
	pane_shows home: 'beta'
	tmux send-keys -t home: "clear; tms switch" Enter
	wait_for 'tmux capture-pane -p -t home: | grep -q "home"'
	tmux send-keys -t home: hom
	wait_for 'tmux capture-pane -p -t home: | grep -q "hom"'
	tmux send-keys -t home: Enter
	wait_for '[ "$(tmux list-clients -F "#{session_name}")" = home ]'
	tmux list-clients -F '#{session_name}'
	tmux send-keys -t home: "clear; tms open-session alpha" Enter
	wait_for 'tmux has-session -t alpha 2>/dev/null'
	wait_for '[ "$(tmux list-clients -F "#{session_name}")" = alpha ]'
	tmux list-windows -a -F '#{session_name} #{window_index} #{window_name}' |
		sed 's/ sh$/ shell/; s/ env$/ shell/'
	tmux send-keys -t alpha: "tms kill" Enter
	wait_for '! tmux has-session -t alpha 2>/dev/null'
	tmux list-sessions -F '#{session_name} #{session_attached}'
	exec 9>&-
}
both "sessions from repositories" use
done_testing
