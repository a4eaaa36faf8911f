# Sourced by scripts that want a real sshd on loopback, with keys of its own,
# after lib.sh; SETENV is the environment of logins.
#
# $S            the ssh that may log in there, at $ssh_port
# sshd_end      ends it
#
# shellcheck shell=sh disable=SC2154 # variables of lib.sh
sshd=$(command -v sshd || ls /usr/sbin/sshd 2>/dev/null)
[ -n "$sshd" ] && command -v ssh >/dev/null || skip_all "no sshd"
# root's sshd needs this folder.  Scripts that run at once share it: each leaves a
# file there, and the last one removes what a script made.
run=/run/sshd
if [ "$(id -u)" = 0 ]; then
	if mkdir $run 2>/dev/null; then
		: >$run/rmux-made
	fi
	: 2>/dev/null >$run/rmux.$$ || skip_all "sshd cannot start here"
fi

# Logins get an empty home: the user's start-up files can take minutes.
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
SetEnv HOME=$e2e_dir ${SETENV-}
EOF
"$sshd" -f "$e2e_dir/sshd_config" -E "$e2e_dir/sshd.log" 2>/dev/null ||
	skip_all "sshd does not start"
wait_for "[ -s '$e2e_dir/sshd.pid' ]" 5 || skip_all "sshd does not start"
e2e_pids="$e2e_pids $(cat "$e2e_dir/sshd.pid")"
S="ssh -F none -i $e2e_dir/user -o UserKnownHostsFile=$e2e_dir/known -o BatchMode=yes"

sshd_end() {
	kill "$(cat "$e2e_dir/sshd.pid")" 2>/dev/null
	rm -f $run/rmux.$$
	if [ -e $run/rmux-made ] && ! ls $run/rmux.* >/dev/null 2>&1; then
		rm -f $run/rmux-made
		rmdir $run
	fi
}

# False where this account cannot log in, whatever its key.
sshd_lets_in() {
	$S -o StrictHostKeyChecking=no -p "$ssh_port" \
		"$(id -un)@127.0.0.1" true 2>/dev/null </dev/null
}
