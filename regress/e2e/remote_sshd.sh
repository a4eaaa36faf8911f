#!/bin/sh
# Attaching through a real sshd on loopback, with keys of its own.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
. "$e2e_src/regress/e2e/remote_lib.sh"
[ $e2e_have_tmux = yes ] || skip_all "no tmux to be the outer terminal"
command -v python3 >/dev/null || skip_all "no python3"
SETENV="RMUX_TMPDIR=$far_dir"
. "$e2e_src/regress/e2e/sshd_lib.sh"
there=$(id -un)@127.0.0.1:$ssh_port

end() {
	sshd_end
	done_testing
}

attach_ssh() {
	outer_start 80 24 "RMUX= '$e2e_rmux' attach --ssh='$1' --server='$e2e_rmux' $there; echo exit=\$?; stty -a | grep -q ' echo ' && echo sane; cat"
}

unknown() {
	attach_ssh "$S -o StrictHostKeyChecking=yes"
	expect_screen 'Host key verification failed' &&
		expect_screen 'ssh could not reach' && expect_screen '^sane'
}
check "an unknown host" unknown

sshd_lets_in || {
	skip "attach" "this account cannot log in"
	end
}

session() {
	far_start
	attach_ssh "$S"
	expect_screen '\[far\]' && outer_keys 'echo by $((6*7))' Enter &&
		expect_screen 'by 42'
}
check "attach through sshd" session

closed() {
	wait_for "! ps -A -o args= | grep -q '[u]ser.*__connect'" 5
}
check "ssh is closed, the session lives" closed

lives() {
	outer_keys 'echo still $((6*7))' Enter
	expect_screen 'still 42' && outer_keys C-b d &&
		expect_screen 'exit=0' && expect_screen '^sane'
}
check "without ssh, and detach" lives

# Only ssh's configuration knows the host's name and the way to it.
cat >"$e2e_dir/config" <<EOF
Host gate inner
	HostName 127.0.0.1
	Port $ssh_port
	User $(id -un)
	IdentityFile $e2e_dir/user
	UserKnownHostsFile $e2e_dir/known
	BatchMode yes
Host inner
	ProxyJump gate
EOF
jump() {
	outer_start 80 24 "RMUX= '$e2e_rmux' attach --family=inet --ssh='ssh -F $e2e_dir/config' --server='$e2e_rmux' inner; echo exit=\$?; cat"
	expect_screen '\[far\]' && outer_keys 'echo over $((6*7))' Enter &&
		expect_screen 'over 42' &&
		wait_for "[ \"\$(far list-clients -F '#{client_link}')\" = udp ]" 20 &&
		wait_for "! ps -A -o args= | grep -q '[u]ser.*__connect'" 5 &&
		outer_keys C-b d && expect_screen 'exit=0'
}
check "a jump host of ssh's configuration, then UDP" jump

# Without an IPv6 route the datagrams go through ssh.
v6() {
	outer_start 80 24 "RMUX= '$e2e_rmux' attach --family=inet6 --ssh='$S' --server='$e2e_rmux' $there; echo exit=\$?; cat"
	expect_screen '\[far\]' &&
		wait_for "[ -n \"\$(far list-clients -F '#{client_link}')\" ]" ||
		return 1
	v6_link=$(far list-clients -F '#{client_link} #{client_address}')
	case $v6_link in
	udp*:*:*) ;;
	udp*) return 1 ;;
	esac
	outer_keys C-b d && expect_screen 'exit=0'
}
check "--family=inet6 never uses IPv4" v6

# Control mode has no terminal; its ends are an empty line, and the end of its input.
control() {
	mkfifo "$e2e_dir/in"
	RMUX='' "$e2e_rmux" -C attach --ssh="$S" --server="$e2e_rmux" "$there" \
		<"$e2e_dir/in" >"$e2e_dir/out" 2>&1 &
	control_pid=$!
	e2e_pids="$e2e_pids $control_pid"
	exec 9>"$e2e_dir/in"
	echo 'display-message -p "flags #{client_flags}"' >&9
	wait_for "grep -q '^flags .*control-mode' '$e2e_dir/out'" 20 &&
		wait_for "[ \"\$(far list-clients -F '#{client_link}')\" = udp ]" 20 &&
		echo 'send-keys "echo control $((6*7))" Enter' >&9 &&
		wait_for "grep -q '^%output .*control 42' '$e2e_dir/out'" 20 &&
		wait_for "! ps -A -o args= | grep -q '[u]ser.*__connect'" 5 &&
		far detach-client -s far &&
		wait_for "grep -q '^%exit' '$e2e_dir/out'" 10 || control_pid=
	exec 9>&-
	[ -n "$control_pid" ] && wait "$control_pid"
}
check "control mode through sshd, then UDP" control

# --- each way in which ssh can fail ---------------------------------------------

# fails SSH HOST SAYS...: the attach shows SAYS, exits 1, restores the terminal.
fails() {
	f_ssh=$1 there_now=$2
	shift 2
	outer_start 110 24 "RMUX= '$e2e_rmux' attach --ssh='$f_ssh' --server='$e2e_rmux' $there_now; echo exit=\$?; stty -a | grep -q ' echo ' && echo sane; cat"
	expect_screen 'exit=1' 20 && expect_screen '^sane' || return 1
	for says; do
		expect_screen "$says" || return 1
	done
}
check "a name that is no host's" fails "$S" no..such \
	'Could not resolve hostname' 'ssh could not reach no..such'
# A port that is bound without a listener.
python3 -c 'import socket, signal
s = socket.socket(); s.bind(("127.0.0.1", 0))
print(s.getsockname()[1], flush=True); signal.pause()' >"$e2e_dir/deaf" &
e2e_pids="$e2e_pids $!"
deaf=$!
wait_for "[ -s '$e2e_dir/deaf' ]"
check "a port where nobody listens" fails "$S" "127.0.0.1:$(cat "$e2e_dir/deaf")" \
	'Connection refused' 'ssh could not reach'
kill $deaf

no_rmux() {
	outer_start 110 24 "RMUX= '$e2e_rmux' attach --ssh='$S' --server=/nowhere/rmux $there; echo exit=\$?; stty -a | grep -q ' echo ' && echo sane; cat"
	expect_screen 'Install it there' && expect_screen 'exit=1' &&
		expect_screen '^sane'
}
check "no rmux there" no_rmux

# forced COMMAND: restricts the key to COMMAND in authorized_keys.
forced() {
	printf 'command="%s" %s\n' "$1" "$(cat "$e2e_dir/user.pub")" \
		>"$e2e_dir/authorized"
}
forced 'echo this key is for backups'
check "a key with a forced command" fails "$S" "$there" \
	'something other than rmux'
forced 'echo unknown command: __connect >&2; exit 1'
check "an rmux that is too old" fails "$S" "$there" 'too old'

noise() {
	printf '%s\n' 'echo Welcome' 'printf "no end of line"' \
		'eval "$SSH_ORIGINAL_COMMAND"' >"$e2e_dir/login"
	forced "sh $e2e_dir/login"
	attach_ssh "$S"
	expect_screen '\[far\]' && outer_keys 'echo past $((6*7))' Enter &&
		expect_screen 'past 42' && outer_keys C-b d &&
		expect_screen 'exit=0' && expect_screen '^sane'
}
check "a login that talks on standard output" noise

: >"$e2e_dir/authorized"
denied() {
	attach_ssh "$S"
	expect_screen 'Permission denied' && expect_screen 'exit=1' &&
		expect_screen '^sane'
}
check "a key that is not allowed" denied

far_stop
end
