#!/bin/sh
# server-access: users and groups as in tmux; another user reads, tries, writes
# and is cut off.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
[ "$(id -u)" = 0 ] || skip_all "only root can run clients as another user"
command -v setpriv >/dev/null || skip_all "no setpriv"
id nobody >/dev/null 2>&1 || skip_all "no user nobody"
group=$(id -gn nobody)
chmod 711 "$e2e_dir"
pub=$e2e_dir/pub
mkdir -m 711 "$pub"
cp "$e2e_rmux" "$pub/rmux" && chmod 755 "$pub/rmux"

names() {
	run server-access
	run server-access -l
	run server-access nobody
	run server-access -l
	run server-access -a nobody
	run server-access -aw nobody
	run server-access -ar nobody
	run server-access -l
	run server-access -r nobody
	run server-access -l
	run server-access -ad nobody
	run server-access -rw nobody
	run server-access -a -r -w nobody
	run server-access -d nobody
	run server-access -d nobody
	run server-access -r nobody
	run server-access -aw daemon
	run server-access -a bin
	run server-access -l
	run server-access -dr bin
	run server-access -a root
	run server-access -ad root
	run server-access -rw no-such-user
	run server-access -g
	run server-access -g no-such-group
	run server-access -ag "$group"
	run server-access -arg daemon
	run server-access -ag daemon
	run server-access -gl
	run server-access -dg daemon
	run server-access -dg daemon
	run server-access -la daemon
}
compare "server-access: users, groups, lists and errors" names

# --- a second user ----------------------------------------------------------------

o() {
	"$e2e_rmux" -f /dev/null -S "$pub/s" "$@" </dev/null
}

as_nobody="setpriv --reuid nobody --regid $group --clear-groups env -i \
PATH=$PATH TERM=xterm LANG=C.UTF-8 HOME=/nonexistent SHELL=/bin/sh"

# n COMMAND...: as nobody; output and errors.
n() {
	# shellcheck disable=SC2086
	$as_nobody "$pub/rmux" -S "$pub/s" "$@" </dev/null 2>&1
}

# says WORDS COMMAND...: nobody is told WORDS, and fails.
says() {
	words=$1
	shift
	n "$@" >"$e2e_dir/said" && {
		echo "it succeeds: $*"
		cat "$e2e_dir/said"
		return 1
	}
	grep -q -- "$words" "$e2e_dir/said" && return 0
	echo "$*:"
	cat "$e2e_dir/said"
	return 1
}

begin() {
	o new-session -d -s own -x 60 -y 10 cat || return 1
	o set -g audit-log "$e2e_dir/audit"
	own_pid=$(o display-message -p '#{pid}')
	e2e_pids="$e2e_pids $own_pid"
}
begin

closed() {
	says "Permission denied" ls && says "server-access" ls || return 1
	chmod 666 "$pub/s"
	says '^access not allowed$' ls && says '^access not allowed$' attach &&
		says '^access not allowed$' -C attach
}
check "without access: what the owner has to do, and a refusal" closed

reads() {
	o server-access -ar nobody || return 1
	n list-clients || return 1
	for command in ls 'display-message -p #{pid}' 'new-window -d' \
		'send-keys -t own x' 'kill-server' 'server-access -l' \
		'server-access -w nobody' 'show-environment' 'capture-pane -p' \
		'show-buffer' 'new-session -d' 'list-clients -F x' \
		'list-clients -f x' 'attach -c /' 'attach -d' 'attach -x' \
		'detach-client -a' 'switch-client -r' 'start-server' \
		'if-shell true ls' 'load-buffer /etc/passwd' \
		'save-buffer /tmp/x' 'source-file /dev/null' \
		'set-role admin' 'invite' 'run-shell id'; do
		# shellcheck disable=SC2086
		says "client is read-only" $command || return 1
	done
	says "client is read-only" list-clients ';' kill-server
}
check "with read access it runs nothing but list-clients and attach" reads

# Variables, assignments and formats of a line are not the owner's to it.
control() {
	o set-environment -g SECRET sesame
	# shellcheck disable=SC2086
	printf '%s\n' 'new-window' 'send-keys x' "A=1 list-clients" \
		'attach -t "$SECRET"' "%if #(touch $e2e_dir/pwned)" \
		'refresh-client -f !read-only' \
		"refresh-client -B a::#(touch\\ $e2e_dir/pwned)" \
		'switch-client -r' 'list-clients -F #{pid}' 'kill-server' |
		timeout 20 $as_nobody "$pub/rmux" -S "$pub/s" -C attach \
			>"$e2e_dir/said" 2>&1
	cat "$e2e_dir/said"
	[ "$(grep -c '^%error' "$e2e_dir/said")" -ge 8 ] &&
		! grep -q sesame "$e2e_dir/said" &&
		[ ! -e "$e2e_dir/pwned" ] &&
		! o show-environment -g A 2>/dev/null &&
		[ "$(o display-message -p '#{session_windows}')" = 1 ]
}
check "a reader in control mode looks, and does nothing" control

attached() {
	outer_start 100 30 "$as_nobody '$pub/rmux' -S '$pub/s' attach"
	wait_for '[ -n "$(o list-clients)" ]' || return 1
	o send-keys -t own hello Enter
	expect_screen hello || return 1
	[ "$(o list-clients -F '#{client_user} #{client_role}')" = \
		"nobody view" ] || return 1
	o list-clients -F '#{client_name}' | grep -q '^nobody-[0-9]*$' &&
		[ "$(o display-message -p '#{window_width}')" = 60 ] || return 1
	# Keys, and commands behind the prefix, do nothing.
	outer_keys typed Enter C-b c C-b : kill-server Enter C-b '"'
	o send-keys -t own after Enter
	expect_screen after || return 1
	[ "$(o display-message -p '#{session_windows} #{window_panes}')" = \
		"1 1" ] && ! o capture-pane -p -t own | grep -q typed
}
check "a reader sees the session; its keys and size do nothing" attached

cut() {
	o server-access -d nobody || return 1
	wait_for '[ -z "$(o list-clients)" ]' &&
		says '^access not allowed$' attach
}
check "a removed user is cut off, attached or not" cut

# A command of the client waits.
waits() {
	expect_screen 'own' && outer_keys C-b : &&
		outer_keys 'set -g @waits 1 ; wait-for go ; set -g @late 1' Enter &&
		wait_for '[ "$(o show-options -gv @waits 2>/dev/null)" = 1 ]' &&
		[ "$(o list-clients -F '#{client_link}')" = ssh ]
}
# The same by datagrams, to look and to write; then through ssh alone, and with
# commands that wait.  The client hears why at once: it need not sign in again.
cut_remote() {
	cat >"$pub/ssh" <<-'END'
	#!/bin/sh
	case $* in *-G*) exit 1 ;; esac
	for last; do :; done
	exec sh -c "$last"
	END
	chmod 755 "$pub/ssh"
	for role in r w wt; do
		o server-access "-a${role%t}" nobody || return 1
		[ $role != wt ] || o set -s remote-bind 127.0.0.2 || return 1
		outer_start 90 20 "$as_nobody '$pub/rmux' -S '$pub/s' attach --ssh='$pub/ssh' --server='$pub/rmux' 127.0.0.1; echo exit=\$?; cat"
		wait_for "[ -n \"\$(o list-clients)\" ]" || {
			outer_screen
			return 1
		}
		[ "$(o list-clients -F '#{client_user} #{client_role}')" = \
			"nobody $([ $role = r ] && echo view || echo admin)" ] ||
			return 1
		# The key of the second client has not been used yet, perhaps.
		[ $role != wt ] || waits || return 1
		o server-access -d nobody || return 1
		wait_for '[ -z "$(o list-clients)" ]' || return 1
		[ $role != wt ] || o wait-for -S go
		outer_keys late Enter
		o send-keys -t own "behind $role" Enter
		expect_screen '^\[access not allowed\]' 40 &&
			expect_screen '^exit=' &&
			! o show-options -gv @late 2>/dev/null || return 1
		[ $role != wt ] || o set -su remote-bind
		! outer_screen | grep -q "behind $role" &&
			! o capture-pane -p -t own | grep -q late || return 1
	done
}
check "a removed user is cut off from datagrams, too" cut_remote

writes() {
	o server-access -ag "$group" || return 1
	n rename-window -t own by-nobody || return 1
	[ "$(o display-message -p -t own '#{window_name}')" = by-nobody ] ||
		return 1
	outer_start 70 20 "$as_nobody '$pub/rmux' -S '$pub/s' attach"
	wait_for '[ -n "$(o list-clients)" ]' || return 1
	outer_keys wrote Enter
	expect_screen wrote || return 1
	[ "$(o list-clients -F '#{client_user} #{client_role}')" = \
		"nobody admin" ] || return 1
	# The entry of the user counts before its group's.
	n server-access -r nobody >"$e2e_dir/said" 2>&1
	wait_for '[ -z "$(o list-clients)" ]' &&
		says "client is read-only" rename-window x &&
		[ "$(o server-access -l)" = "nobody (U,R)
$group (G,W)" ]
}
check "with write access, by a group: everything, until it is changed" writes

audited() {
	o set -g audit-log ''
	cat "$e2e_dir/audit"
	for line in 'refuse user=nobody command=kill-server' \
		'command via=shell command=rename-window user=nobody' \
		'access user=nobody now=read by=nobody' \
		'join .*user=nobody kind=guest role=view' \
		'join .*user=nobody kind=user role=admin'; do
		grep -q -- "$line" "$e2e_dir/audit" || {
			echo "not there: $line"
			return 1
		}
	done
}
check "the audit log names the Unix user" audited

# A server of an ordinary user lists its owner, and lets root's user in by name.
theirs() {
	mkdir "$pub/t" && chmod 1777 "$pub/t" || return 1
	n -f /dev/null -S "$pub/t/s" new-session -d cat || return 1
	e2e_pids="$e2e_pids $(n -S "$pub/t/s" display-message -p '#{pid}')"
	n -S "$pub/t/s" server-access -a daemon
	[ "$(n -S "$pub/t/s" server-access -l)" = "daemon (U,W)
nobody (U,W)" ] || return 1
	n -S "$pub/t/s" server-access -a nobody |
		grep -q "nobody owns the server, can't change access" || return 1
	chmod 666 "$pub/t/s"
	setpriv --reuid daemon --regid daemon --clear-groups "$pub/rmux" \
		-S "$pub/t/s" ls 2>&1 | grep -q -- '--trust=nobody' || return 1
	setpriv --reuid daemon --regid daemon --clear-groups "$pub/rmux" \
		--trust=nobody -S "$pub/t/s" ls </dev/null || return 1
	n -S "$pub/t/s" kill-server
}
check "a guest of an ordinary user is told to type --trust=NAME" theirs

o kill-server
wait_for "! alive $own_pid"
done_testing
