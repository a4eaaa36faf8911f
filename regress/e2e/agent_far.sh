#!/bin/sh
# The ssh agent of this machine in panes there, while the link is silent, gets another
# address, loses, and UDP is blocked: ssh-add lists the key, git signs commits.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
. "$e2e_src/regress/e2e/remote_lib.sh"
[ $e2e_have_tmux = yes ] || skip_all "no tmux to be the outer terminal"
[ -x "$e2e_build/regress/tools/udp_relay" ] || skip_all "no udp_relay"
for tool in git ssh-agent ssh-add ssh-keygen; do
	command -v $tool >/dev/null || skip_all "no $tool"
done
ssh-keygen -Y 2>&1 | grep -q 'unknown option' && skip_all "no ssh-keygen -Y"

agent_here || skip_all "no ssh-agent"

far_start && far_learn_port || { not_ok "a remote server"; done_testing; exit 1; }
relay "$far_port" -b delay=20
over() {
	outer_start 100 24 "SSH_AUTH_SOCK='$e2e_dir/agent' $(remote_cmd "-A --again=1 --udp=127.0.0.1:$relay_port")"
	expect_screen '\[far\]' 15
}
check "attach -A" over

# works NAME COUNT: in a pane there ssh-add and a signed commit, so often, or until there
# is NAME.enough; each result is a line of NAME.log, the end is NAME.done.
repo=$e2e_dir/repo
git init -q "$repo"
cat >"$e2e_dir/worker" <<END
#!/bin/sh
cd "$repo" || exit 1
i=0
while [ \$i -lt \$2 ] && [ ! -e "$e2e_dir/\$1.enough" ]; do
	i=\$((i + 1))
	ssh-add -l 2>&1 | sed 's/.*key-here.*/listed/'
	git -c user.name=a -c user.email=a@b -c gpg.format=ssh -c user.signingkey="$e2e_dir/key.pub" \\
		commit -q --allow-empty -S -m "\$1 \$i" 2>&1 && echo signed
done >"$e2e_dir/\$1.log"
touch "$e2e_dir/\$1.done"
END
chmod +x "$e2e_dir/worker"
works() { far new-window -d -t far: "'$e2e_dir/worker' $1 $2"; }
lines() { cat "$e2e_dir/$1.log" 2>/dev/null | wc -l; }
# more NAME COUNT: so many results beyond those that there are.
more() {
	had=$(lines "$1")
	wait_for "[ \$(lines $1) -ge \$(($had + $2)) ]" 30
}
# whole NAME: the work has ended, each key was listed and each commit is signed.
whole() {
	wait_for "[ -e '$e2e_dir/$1.done' ]" 60 && n=$(grep -c '^signed$' "$e2e_dir/$1.log") && [ "$n" -gt 0 ] &&
		[ "$(grep -c '^listed$' "$e2e_dir/$1.log")" = "$n" ] &&
		[ "$(lines "$1")" = $((2 * n)) ] || { sort "$e2e_dir/$1.log" | uniq -c | sed 's/^/# /'; return 1; }
	[ "$(git -C "$repo" -c gpg.ssh.allowedSignersFile="$e2e_dir/signers" log --format=%G? --grep="^$1 " | grep -c '^G$')" = "$n" ]
}
# enough NAME: lets the work end; it is whole.
enough() { touch "$e2e_dir/$1.enough" && whole "$1"; }

still() { works still 3 && whole still; }
check "on a quiet link" still

# Silence of four seconds, another address, loss: all within the work.
stalls() {
	works stalls 2000 && more stalls 4 || return 1
	relay_stalls "$(far display-message -p -t far: '#{pid}')" 0.05 || return 1
	[ ! -e "$e2e_dir/stalls.done" ] || { echo "# ended before"; return 1; }
	more stalls 10 || return 1
	relay_say rebind
	more stalls 20 && enough stalls
}
check "silence, another address and loss" stalls
relay_say "both loss=0"

# UDP is blocked until the client goes on through ssh, and comes back.
link() { wait_for "[ \"\$(far list-clients -F '#{client_link}')\" = $1 ]" 40; }
blocked() {
	works blocked 2000 && more blocked 4 || return 1
	relay_say "both off=1"
	# A key makes the client notice the silence.
	outer_keys C-u x
	link ssh || return 1
	more blocked 20 || return 1
	[ ! -e "$e2e_dir/blocked.done" ] || { echo "# ended before"; return 1; }
	relay_say "both off=0"
	link udp && more blocked 4 && enough blocked
}
check "UDP blocked: through ssh, and back" blocked

# The client goes while a program signs: an error at once, no hang; the next one finds the
# agent again.
goes() {
	works goes 40 && more goes 4 && outer_keys C-u C-b d && expect_screen 'exit=0' 15 &&
		wait_for "[ -e '$e2e_dir/goes.done' ]" 30 && [ "$(grep -c '^signed$' "$e2e_dir/goes.log")" -lt 40 ]
}
check "the client leaves meanwhile: programs end" goes
again() { over && works again 2 && whole again; }
check "attached again" again
check "and leave" leaves
relay_stop
far_stop
done_testing
