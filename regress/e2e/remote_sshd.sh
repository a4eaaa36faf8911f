#!/bin/sh
# Attaching through a real sshd on loopback, with keys of its own.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
. "$e2e_src/regress/e2e/remote_lib.sh"
[ $e2e_have_tmux = yes ] || skip_all "no tmux to be the outer terminal"
sshd=$(command -v sshd || ls /usr/sbin/sshd 2>/dev/null)
[ -n "$sshd" ] && command -v ssh >/dev/null || skip_all "no sshd"
made=
if [ "$(id -u)" = 0 ] && [ ! -d /run/sshd ]; then
	mkdir /run/sshd 2>/dev/null || skip_all "sshd cannot start here"
	made=/run/sshd
fi

# A login without a home of ours: what it reads is in the user's own.
ssh_port=$((20000 + $$ % 20000))
ssh-keygen -q -t ed25519 -N '' -f "$e2e_dir/host" </dev/null &&
	ssh-keygen -q -t ed25519 -N '' -f "$e2e_dir/user" </dev/null ||
	skip_all "no keys"
cp "$e2e_dir/user.pub" "$e2e_dir/authorized"
cat >"$e2e_dir/sshd_config" <<EOF
Port $ssh_port
ListenAddress 127.0.0.1
HostKey $e2e_dir/host
AuthorizedKeysFile $e2e_dir/authorized
PidFile $e2e_dir/sshd.pid
StrictModes no
UsePAM no
PasswordAuthentication no
PermitRootLogin yes
SetEnv RMUX_TMPDIR=$far_dir
EOF
"$sshd" -f "$e2e_dir/sshd_config" -E "$e2e_dir/sshd.log" 2>/dev/null ||
	skip_all "sshd does not start"
wait_for "[ -s '$e2e_dir/sshd.pid' ]" 5 || skip_all "sshd does not start"
e2e_pids="$e2e_pids $(cat "$e2e_dir/sshd.pid")"
S="ssh -F none -i $e2e_dir/user -o UserKnownHostsFile=$e2e_dir/known -o BatchMode=yes"
there=$(id -un)@127.0.0.1:$ssh_port

end() {
	kill "$(cat "$e2e_dir/sshd.pid")" 2>/dev/null
	[ -z "$made" ] || rmdir "$made"
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

$S -o StrictHostKeyChecking=no -p "$ssh_port" "$(id -un)@127.0.0.1" true \
	2>/dev/null </dev/null || {
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

: >"$e2e_dir/authorized"
denied() {
	attach_ssh "$S"
	expect_screen 'Permission denied' && expect_screen 'exit=1' &&
		expect_screen '^sane'
}
check "a key that is not allowed" denied

far_stop
end
