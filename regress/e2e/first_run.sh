#!/bin/sh
# A server's own configuration: none, ours, tmux's; in the right places.
. "${top_srcdir:-.}/regress/e2e/lib.sh"

# Starts rmux as a user does: no -f, with its own home directory.
r() {
	"$e2e_rmux" -L first "$@"
}
fresh() {
	r kill-server >/dev/null 2>&1
	[ -z "${first_pid:-}" ] || wait_for "! alive $first_pid"
	rm -rf "$HOME"
	mkdir -p "$HOME/.config/rmux"
}
begin() {
	r new-session -d -s first cat && begin_pid
}
begin_pid() {
	first_pid=$(r display-message -p '#{pid}')
	e2e_pids="$e2e_pids $first_pid"
}
log() {
	r show-messages
}

nothing() {
	begin && ! log | grep 'error\|No such\|No rmux.conf'
}
two_files() {
	echo 'set -g @a one; set -g @b one' >"$HOME/.rmux.conf"
	echo 'set -g @b two' >"$HOME/.config/rmux/rmux.conf"
	begin && [ "$(r show -gv @a)$(r show -gv @b)" = onetwo ] &&
		! log | grep 'error\|No such\|No rmux.conf'
}
of_tmux() {
	echo 'set -g @a tmux' >"$HOME/.tmux.conf"
	begin && [ -z "$(r show -gqv @a)" ] && ! log | grep 'error\|No such' || return 1
	[ $e2e_have_tmux = yes ] || return 0
	outer_start 80 10 "'$e2e_rmux' -L first attach; cat"
	# Messages disappear after a time; show-messages keeps them.
	wait_for "log | grep -q 'put \"source-file ~/.tmux.conf\" into ~/.rmux.conf'" &&
		[ "$(log | sed -n 's/.*\(Your tmux .*\)/\1/p' | wc -c)" -le 80 ]
}
ours_wins() {
	echo 'set -g @a tmux' >"$HOME/.tmux.conf"
	echo 'set -g @b ours' >"$HOME/.rmux.conf"
	begin && [ "$(r show -gqv @a)$(r show -gqv @b)" = ours ]
}
wrong() {
	printf 'set -g @a 1\nset -g no-such-thing 1\n' >"$HOME/.rmux.conf"
	begin
	log | grep -q '.rmux.conf:2: invalid option: no-such-thing'
}
# As plugins do: a program started by the configuration runs commands on the
# server that reads the configuration.
asks_itself() {
	cat >"$HOME/.rmux.conf" <<EOF
run-shell "echo #{pid} >'$HOME/pid'"
run-shell "'$e2e_rmux' -S '#{socket_path}' set -g @a from-within"
run-shell "'$e2e_rmux' set -g @b \"\$('$e2e_rmux' show -gv @a)\""
set -gF @c "#{@b}-read"
EOF
	timeout 60 "$e2e_rmux" -L first new-session -d -s first cat || {
		echo "the server waits for what waits for it"
		e2e_pids="$e2e_pids $(cat "$HOME/pid")"
		return 1
	}
	begin_pid && [ "$(r show -gv @c)" = from-within-read ]
}
# $SHELL and $EDITOR apply where no configuration file sets the options.
environment() {
	shell=$HOME/my-shell
	ln -s /bin/sh "$shell"
	echo 'setw -g mode-keys emacs' >"$HOME/.rmux.conf"
	SHELL=$shell EDITOR=/usr/bin/nvim r new-session -d -s first &&
		begin_pid || return 1
	[ "$(r show -gv default-shell)" = "$shell" ] &&
		[ "$(r show -gv status-keys)" = vi ] &&
		[ "$(r show -gwv mode-keys)" = emacs ] &&
		[ "$(r show -sv editor)" = /usr/bin/nvim ] || return 1
	r send-keys 'echo "<$0 $SHELL>"' Enter
	wait_for 'r capture-pane -p | grep -q "^<-my-shell $shell>"'
}
no_such_shell() {
	SHELL=/no/such begin && [ -x "$(r show -gv default-shell)" ]
}
for t in nothing two_files of_tmux ours_wins wrong asks_itself environment \
	no_such_shell; do
	fresh
	check "configuration at the start: $t" $t
done
fresh
done_testing
