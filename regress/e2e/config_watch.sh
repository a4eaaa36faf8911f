#!/bin/sh
# config-watch: files of the configuration that change are read again.
# shellcheck disable=SC2034,SC2088 # lib.sh reads them; messages have a tilde
. "${top_srcdir:-.}/regress/e2e/lib.sh"
M=rmux
config=$HOME/.rmux.conf

w() {
	"$e2e_rmux" -L e2e "$@"
}

option_is() {
	wait_for "[ \"\$(w show-options -gv $1)\" = '$2' ]" && return
	w show-options -gv "$1"
	w show-messages | head -n 5
	return 1
}

# says TEXT: the newest message of the watch.
says() {
	wait_for "w show-messages | grep -v command: | head -n 1 | grep -q -- '$1'" && return
	w show-messages | head -n 5
	return 1
}

# Editors write a new file and rename it.
replaces() {
	cat >"$config.new" && mv "$config.new" "$config"
}

cat >"$config" <<END
set-option -s config-watch on
set-option -g @one 1
source-file ~/part.conf
END
echo 'set-option -g @part 1' >"$HOME/part.conf"
w new-session -d -s s cat || exit 99
e2e_pid=$(w display-message -p '#{pid}')
e2e_pids="$e2e_pids $e2e_pid"

written() {
	cat >>"$config" <<-END
	set-option -g status-style bg=red
	bind-key F5 new-window
	bind-key F6 new-window
	END
	option_is status-style bg=red &&
		says 'config-watch: ~/.rmux.conf: status-style, 2 keys'
}
replaced() {
	sed 's/bg=red/bg=blue/' "$config" | replaces
	option_is status-style bg=blue &&
		says '~/.rmux.conf: status-style$' &&
		sed 's/bg=blue/bg=green/' "$config" | replaces &&
		option_is status-style bg=green
}
nested() {
	echo 'set-option -g @part 2' >"$HOME/part.conf"
	option_is @part 2 && says 'config-watch: ~/part.conf: @part$'
}
linked() {
	mkdir -p "$HOME/dots" && mv "$HOME/part.conf" "$HOME/dots" &&
		ln -s dots/part.conf "$HOME/part.conf" || return 1
	echo 'set-option -g @part 3' >"$HOME/dots/part.conf"
	option_is @part 3
}
# Nothing of a file with an error is applied; the client shows the error.
wrong() {
	outer_start 80 24 "'$e2e_rmux' -L e2e attach-session"
	expect_screen '\[s\]' || return 1
	{
		cat "$config"
		echo 'set-option -g @one 2'
		echo 'set-option -g no-such-option 1'
	} | replaces
	expect_screen 'rmux.conf:8: invalid option: no-such-option' &&
		[ "$(w show-options -gv @one)" = 1 ] && outer_keys q || return 1
	w set-option -g display-time 8000
	# Corrected: the message appears on the client's message line.
	grep -v no-such "$config" | replaces
	option_is @one 2 && expect_screen '^~/.rmux.conf: @one'
}
# A file that a neighbour may write is not read again, also behind a link.
foreign() {
	chmod o+w "$HOME/dots/part.conf"
	echo 'set-option -g @part 8' >>"$HOME/dots/part.conf"
	says 'part.conf: not read again: others may write it' &&
		chmod o-w "$HOME/dots/part.conf" && chmod o+w "$HOME/dots" || return 1
	w display-message -p x >/dev/null
	w show-messages | grep -c 'not read again' >"$HOME/count"
	echo '# x' >>"$HOME/dots/part.conf"
	wait_for '[ "$(w show-messages | grep -c "not read again")" -gt "$(cat "$HOME/count")" ]' &&
		[ "$(w show-options -gv @part)" = 3 ] && chmod o-w "$HOME/dots" || return 1
	echo 'set-option -g @part 3' >"$HOME/dots/part.conf"
	says '~/part.conf: '
}
# Nor is one whose owner has changed, also if an own file sources it.
given_away() {
	[ "$(id -u)" = 0 ] && id nobody >/dev/null 2>&1 || return 0
	chown nobody "$HOME/dots/part.conf"
	w show-messages | grep -c 'not read again' >"$HOME/count"
	echo 'set-option -g @part 7' >"$HOME/dots/part.conf"
	wait_for '[ "$(w show-messages | grep -c "not read again")" -gt "$(cat "$HOME/count")" ]' &&
		[ "$(w show-options -gv @part)" = 3 ] || return 1
	echo 'set-option -g @own 3' >>"$config"
	option_is @own 3 && [ "$(w show-options -gv @part)" = 3 ] || return 1
	echo 'set-option -g @part 3' >"$HOME/dots/part.conf"
	chown 0 "$HOME/dots/part.conf"
}
# Nor is it because an own file sources it; its errors keep nobody's file out.
foreign_below() {
	chmod o+w "$HOME/dots/part.conf"
	echo 'set-option -g @part 9
no-such-command' >"$HOME/dots/part.conf"
	says 'part.conf: not read again: others may write it' || return 1
	echo 'set-option -g @own 1' >>"$config"
	option_is @own 1 && [ "$(w show-options -gv @part)" = 3 ] || return 1
	# Its owner takes the right away: the file is read.
	echo 'set-option -g @part 3' >"$HOME/dots/part.conf"
	chmod o-w "$HOME/dots/part.conf"
	echo 'set-option -g @part 3 # own' >"$HOME/dots/part.conf"
	says '~/part.conf: '
}
# A pipe, a folder, a huge file and a loop of links in place of a file: the server
# waits for none of them, and goes on when the file is back.
no_file() {
	for odd in 'mkfifo' 'mkdir' 'truncate -s 40M' 'ln -s part.conf'; do
		rm -rf "$HOME/dots/part.conf"
		(cd "$HOME/dots" && $odd part.conf) || return 1
		echo "# $odd" >>"$config"
		timeout 20 "$e2e_rmux" -L e2e display-message -p alive || return 1
		echo "set-option -g @odd '$odd'" >>"$config"
		wait_for 'w show-messages | grep -q "part.conf: \(is a pipe\|Is a dir\|larger\|Too many\)"' &&
			timeout 20 "$e2e_rmux" -L e2e display-message -p alive || return 1
		rm -rf "$HOME/dots/part.conf"
		echo 'set-option -g @part 3' >"$HOME/dots/part.conf"
		echo "# $odd is over" >>"$config"
		option_is @odd "$odd" || return 1
		w clear-history
	done
}
# A file that one no longer sources is no longer read.
dropped() {
	grep -v source-file "$config" | replaces
	says '~/.rmux.conf: nothing' || return 1
	echo 'set-option -g @part 4' >"$HOME/dots/part.conf"
	echo 'set-option -g @one 5' >>"$config"
	option_is @one 5 && [ "$(w show-options -gv @part)" = 3 ]
}
off() {
	w set-option -s config-watch off
	echo 'set-option -g @one 6' >>"$config"
	w set-option -s config-watch on
	echo 'set-option -g @two 7' >>"$config"
	option_is @two 7 && says '~/.rmux.conf: @one, @two'
}
switched() {
	w set-option -s config-watch off
	echo 'set-option -g @one 8' >>"$config"
	w run-shell 'exit 0'
	[ "$(w show-options -gv @one)" = 6 ]
}
# The folder of a file named at start does not exist: it is found by looking.
polled() {
	w kill-server
	wait_for "! alive $e2e_pid" || return 1
	echo 'set-option -s config-watch on' >"$config"
	"$e2e_rmux" -L e2e -f "$config" -f "$HOME/late/x.conf" new-session -d cat
	echo 'set-option -g @one 9' >>"$config"
	option_is @one 9 || return 1
	mkdir "$HOME/late" && echo 'set-option -g @late 1' >"$HOME/late/x.conf"
	option_is @late 1 && says 'config-watch: ~/late/x.conf: @late'
}

check "a file that was written" written
check "a file that an editor replaced, twice" replaced
check "a file that the configuration sources" nested
check "a file behind a link" linked
if [ $e2e_have_tmux = yes ]; then
	check "errors are shown, and nothing is applied" wrong
else
	skip "errors are shown, and nothing is applied" "no tmux to be the terminal"
fi
check "a file that others may write" foreign
check "a file that another user owns" given_away
check "the same below a file of the user" foreign_below
check "pipes, folders, huge files and loops of links" no_file
check "a file that is no longer sourced" dropped
check "what changed while it was off counts later" off
check "it is switched off" switched
check "a folder that comes later" polled
w kill-server
done_testing
