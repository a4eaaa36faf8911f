#!/bin/sh
# Five typical user configurations bind and set the same as in tmux.
. "${top_srcdir:-.}/regress/e2e/lib.sh"

# Normalises spacing of bindings and the two spellings of C-\; drops y, whose
# binding is set at an unknown time.
bindings() {
	# Since tmux 3.8 a flag whose value is left out is printed with --.
	m list-keys | sed -e 's/  */ /g' -e 's/ -\([DLRU]\) --$/ -\1/' -e "s/'C-.'/C-\\\\\\\\/" -e '/prefix y/d' |
		LC_ALL=C sort
}
dotfile() {
	bindings >before
	# rmux gives the place of an error for every file, tmux for some.
	run source-file "$e2e_src/regress/e2e/dotfiles/$1.conf" |
		sed 's/^err: .*: \(.*: \)/err: \1/'
	bindings >after
	LC_ALL=C comm -13 before after
}
plugins() {
	dotfile plugins
	run show-options -gv prefix
	wait_for '[ -d "$HOME/.tmux/plugins/tpm" ]' && rmdir "$HOME/.tmux/plugins/tpm"
	run show-options -gqv @plugin
	run show-options -gv history-limit
	run show-options -g update-environment | grep KRB
	run show-options -gwv mode-keys
	run show-options -sv escape-time
	run show-environment -g TMUX_PLUGIN_MANAGER_PATH
	run show-environment -g RMUX_PLUGIN_MANAGER_PATH
}
navigator() {
	dotfile navigator
	# if-shell -b sets these at an unknown time.
	run list-keys -T off
}
large() {
	dotfile large
	for o in prefix2 status-left status-right set-titles-string \
		status-left-length display-panes-time; do
		run show-options -gv $o
	done
	run show-options -gwv window-status-current-format
	run show-options -gwv pane-border-status
	run display-message -p '#{T:status-left}'
}
old() {
	dotfile old
	for o in status-right status-justify lock-command prefix; do
		run show-options -gv $o
	done
	run list-windows -t main -F '#I #W #{window_panes} #{window_active}'
}
nested() {
	dotfile nested
	for o in status-style message-style status @expanded @theme_vars \
		'status-format[1]' detach-on-destroy; do
		run show-options -gv "$o"
	done
	run show-options -s exit-empty
	run show-options -s command-alias
	run show-options -s user-keys
	run show-hooks -g after-new-window
	run show-hooks -g after-split-window
	run new-window -n x cat
	run display-message -p '#W'
	run zoom
	run ss cat
	run display-message -p '#{window_panes}'
	wait_for 'm show-options -gqv @os | grep -q .'
	run show-options -gqv @os
	run show-options -g prefix
	run new-session -d -s made cat
	run show-options -t made -v @made | wc -l
}
for t in plugins navigator large old nested; do
	compare "a configuration: $t" $t
done

# A branch that is not taken may hold commands of another version.
versions() {
	run if-shell false 'bind -t vi-copy a b' 'display-message -p no'
	run if-shell true 'display-message -p yes' 'bind -t vi-copy a b'
	run if-shell -F 0 'no-such-command' 'display-message -p no'
	run if-shell -F 0 'no-such-command'
	run if-shell true 'no-such-command'
	echo "if-shell false 'no-such' 'set -g @a 1'
if-shell -F 1 'set -g @b 1' 'no-such'" >f
	run source-file f
	run show-options -gv @a
	run show-options -gv @b
}
compare "commands that are not run need not exist" versions

values() {
	run set-option -g default-shell /nonexistent
	run set-option -g default-shell sh
	run set-option -g default-shell /etc/passwd
	run set-option -g default-shell ''
	run show-options -g default-shell
	run set-option -gu default-shell
	ln -s /bin/sh other-shell
	run set-option -g default-shell "$PWD/other-shell"
	run new-window -e X=y 'echo "<$SHELL $X>"; cat'
	wait_for 'm capture-pane -pJ | grep -q ">"'
	run capture-pane -pJ -E 0
	run new-window -e SHELL=mine 'echo "<$SHELL>"; cat'
	wait_for 'm capture-pane -pJ | grep -q ">"'
	run capture-pane -pJ -E 0
	run set-option -p @z 1
	run set-option -w @z 2
	run set-option -U @z
	run show-options -wv @z
	run show-options -pv @z
	run set-option -wU @z
	run show-options -wqv @z
	run show-options -pqv @z
}
compare "a shell that is none; -U without -w" values

itself() {
	echo "source-file $PWD/self.conf" >self.conf
	run source-file self.conf
	printf 'source-file %s\nsource-file %s\n' "$PWD/twice.conf" \
		"$PWD/twice.conf" >twice.conf
	run source-file twice.conf | sort -u
	run list-sessions -F '#{session_name}'
}
rmux_only "a file that sources itself" itself "+ source-file self.conf
DIR/self.conf: too many nested files
+ source-file twice.conf
DIR/twice.conf: too many nested files
+ list-sessions -F #{session_name}
s"
# A session that a server without a client makes has no path.
pathless() {
	echo 'new-session -d -s n "seq 100; cat"' >made.conf
	"$e2e_rmux" -L pathless -f made.conf start-server
	for words in 'copy-mode -u' 'send-keys -X page-up' \
		'display-message -p #{pane_mode}'; do
		# shellcheck disable=SC2086 # words
		timeout 10 "$e2e_rmux" -L pathless $words
	done
	timeout 10 "$e2e_rmux" -L pathless kill-server
}
rmux_only "copy mode in a session without a path" pathless "copy-mode"

# Jobs of the first configuration see the TERM of the caller; commands know
# the file that they are from.  tmux 3.8 answers the same.
caller() {
	cat >caller.conf <<-END
	new-session -d -s n cat
	if-shell '[ "\$TERM" = xterm-16color ]' 'set -g @if yes' 'set -g @if no'
	run-shell 'echo \$TERM >$PWD/caller.term'
	set -gF @file '#{b:current_file}'
	END
	echo "display-message -p '#{b:current_file}'" >later.conf
	TERM=xterm-16color "$e2e_rmux" -L caller -f caller.conf start-server
	timeout 10 "$e2e_rmux" -L caller show-options -gv @if
	cat caller.term
	timeout 10 "$e2e_rmux" -L caller show-options -gv @file
	timeout 10 "$e2e_rmux" -L caller source-file later.conf
	timeout 10 "$e2e_rmux" -L caller display-message -p '[#{current_file}]'
	timeout 10 "$e2e_rmux" -L caller run-shell '[ "$TERM" = xterm-16color ] || echo other'
	timeout 10 "$e2e_rmux" -L caller kill-server
}
rmux_only "a configuration knows its caller and its file" caller "yes
xterm-16color
caller.conf
later.conf
[]
other"

# rmux -n tells what would do nothing; that is no error.
warnings() {
	cat >warn.conf <<-END
	command-prompt -C
	bind-key F9 { clear-history -H }
	bind-key -n MouseDown4Pane new-window
	bind-key None new-window
	set-option -g xterm-keys on
	bind-key -n WheelUpPane new-window
	set-hook -g after-new-window 'display-message x'
	END
	"$e2e_rmux" -n -f warn.conf 2>&1 && echo valid
}
rmux_only "rmux -n warns of what does nothing" warnings \
	"warn.conf:1: warning: command-prompt -C is accepted without effect: panes are always updated
warn.conf:2: warning: clear-history -H is accepted without effect: hyperlinks are deleted with their rows
warn.conf:3: warning: MouseDown4Pane does not occur: buttons 4 and 5 are WheelUp and WheelDown
warn.conf:4: warning: no key has the name None
warn.conf:5: warning: xterm-keys has no effect
valid"
# Conditions and commands of a file know its target; what is only parsed, or is
# behind an error, sets no variable.
placed() {
	m new-session -d -s there cat
	m new-session -d -s other cat
	cat >placed.conf <<-'END'
	%if "#{session_name}"
	display-message -p "#{session_name} #{window_index}"
	%endif
	new-session -d -s third cat
	new-window
	display-message -p "#{session_name} #{window_index}"
	END
	m source-file -t there: placed.conf
	m kill-session -t third
	m source-file placed.conf
	echo 'CHECKED=1' >checked.conf
	printf '}\nBEHIND=1\n' >behind.conf
	m source-file -n checked.conf
	m source-file behind.conf
	m show-environment -g CHECKED
	m show-environment -g BEHIND
	m kill-session -t there
	m kill-session -t other
}
rmux_only "source-file: its target, and variables that stay unset" placed \
	"there 0
there 1
other 0
other 1
DIR/behind.conf:1: unexpected }
unknown variable: CHECKED
unknown variable: BEHIND"

# The caller reads a pipe: the server waits for nobody's writer.
piped() {
	mkfifo pipe
	echo 'set -g @piped 1' >pipe &
	run source-file pipe
	run show -gv @piped
}
compare "a pipe is read by the caller" piped
waits_for_nobody() {
	mkfifo pipe
	m bind-key -n F5 source-file "$PWD/pipe"
	attach_in 80 24 "$(attach_command)"
	outer_keys F5
	timeout 10 "$e2e_rmux" -L e2e display-message -p alive
	expect_screen 'is a pipe, not a file'
	detach
}
if [ $e2e_have_tmux = yes ]; then
	rmux_only "a pipe in a binding does not stop the server" waits_for_nobody alive
fi
done_testing
