#!/bin/sh
# rmux exec and rmux forward: a command there with its streams, exit code and signals,
# called as ssh is, over a network that moves, stalls and loses.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
. "$e2e_src/regress/e2e/remote_lib.sh"
[ $e2e_have_tmux = yes ] || skip_all "no tmux to be the outer terminal"
[ -x "$e2e_build/regress/tools/udp_relay" ] || skip_all "no udp_relay"
command -v python3 >/dev/null || skip_all "no python3"

# The stand-in for ssh takes some of its options with a value.
sed -i -e 's/-p) shift 2/-p | -o | -F | -i) shift 2/; 2i echo "$*" >>'"'$e2e_dir/ssh.args'" \
	-e "2i [ ! -e '$e2e_dir/cut' ] || { echo >>'$e2e_dir/ssh.cut'; exit 255; }" "$e2e_dir/ssh"
via=
ex() { timeout 60 "$e2e_rmux" exec --ssh="$e2e_dir/ssh" --server="$e2e_rmux" $via "$@"; }
# begins WORDS: the same, in the background; $pid.
begins() {
	"$e2e_rmux" exec --ssh="$e2e_dir/ssh" --server="$e2e_rmux" $via "$@" >"$out" 2>"$err" </dev/null &
	pid=$!
	e2e_pids="$e2e_pids $pid"
	wait_for "grep -q ready '$out'" 10
}
out=$e2e_dir/out
err=$e2e_dir/err

# says WORDS: the command's output is WORDS.
says() {
	want=$1
	shift
	got=$(ex "$@" 2>"$err" </dev/null)
	[ "$got" = "$want" ] || { echo "# got: $got"; sed 's/^/# /' "$err"; false; }
}
# ends CODE: the exit code is CODE.
ends() {
	want=$1
	shift
	ex "$@" >"$out" 2>"$err" </dev/null
	got=$?
	[ $got = "$want" ] || { echo "# exit code $got"; sed 's/^/# /' "$err"; false; }
}

check "a command's output, with no server before" says hello h echo hello
gone() { wait_for '[ -z "$(ls "$far_dir"/*/default "$far_dir"/default 2>/dev/null)" ]' 10; }
check "the server ends after it" gone
far_start && far_learn_port || { not_ok "a remote server"; done_testing; exit 1; }
relay "$far_port" -b delay=20
via=--udp=127.0.0.1:$relay_port
check "its exit code" ends 7 h 'exit 7'
check "128 and the signal that ended it" ends 137 h 'kill -9 $$'
check "127: there is no such command" ends 127 h /nothing/there
apart() {
	ex h 'echo one; echo two >&2' >"$out" 2>"$err" </dev/null
	[ "$(cat "$out")" = one ] && [ "$(cat "$err")" = two ]
}
check "standard error is apart" apart
check "words are joined as ssh does" says 'a b' h echo a '  ' b
check "in the user's directory" says "$HOME" h pwd
whole() {
	head -c 3000000 /dev/urandom >"$e2e_dir/bytes"
	ex h cat <"$e2e_dir/bytes" >"$out" 2>"$err" && cmp "$e2e_dir/bytes" "$out" || return 1
	# From a pipe to a pipe.
	cat "$e2e_dir/bytes" | ex h cat | cmp - "$e2e_dir/bytes"
}
check "bytes both ways, files and pipes" whole
check "no input: -n" says '' -n h cat
reader_goes() {
	ex h yes | head -2 >"$out"
	wait_for '! pgrep -f "^yes$" >/dev/null' 10 && [ "$(cat "$out")" = 'y
y' ]
}
check "a reader that goes ends the command" reader_goes
input_ends() { says 1000000 h 'head -c 10 >/dev/null; sleep 0.1; echo 1000000' && [ "$(head -c 5000000 /dev/zero | ex h 'head -c 10 | wc -c')" -eq 10 ]; }
check "a command that stops reading" input_ends
# The command ends, a program behind it holds its output: as ssh, the client waits.
lingers() { says 'a
b' h 'echo a; (sleep 0.5; echo b) &'; }
check "output of what it leaves behind" lingers

# A background job of sh ignores SIGINT, and python gives it back.
python_interrupts() {
	python3 -c 'import signal, subprocess, sys, time
p = subprocess.Popen(sys.argv[2:], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL,
    preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler))
assert p.stdout.readline() == b"ready\n"
p.send_signal(signal.SIGINT)
sys.exit(p.wait() != 5)' - "$e2e_rmux" exec --ssh="$e2e_dir/ssh" --server="$e2e_rmux" $via h \
		"trap 'exit 5' INT; echo ready; while :; do sleep 0.1; done"
}
check "SIGINT goes to the command" python_interrupts
hangs_up() {
	begins h "echo ready; exec sleep 987" && pgrep -f '^sleep 987$' >/dev/null || return 1
	kill -TERM $pid
	wait $pid
	wait_for '! pgrep -f "^sleep 987$" >/dev/null' 10
}
check "a client that ends hangs up on the command" hangs_up
# A client that is killed says nothing: its launcher tells the server through ssh.
killed() {
	begins h "echo ready; exec sleep 986" && pgrep -f '^sleep 986$' >/dev/null || return 1
	kill -9 $pid
	wait_for '! pgrep -f "^sleep 986$" >/dev/null' 15
}
check "so does one that is killed" killed
# timeout kills its process group.
killed_all() {
	timeout -s KILL 3 "$e2e_rmux" exec --ssh="$e2e_dir/ssh" --server="$e2e_rmux" $via h \
		"echo ready; exec sleep 985" >"$out" 2>"$err" </dev/null
	grep -q ready "$out" && wait_for '! pgrep -f "^sleep 985$" >/dev/null' 15
}
check "and one that is killed with its process group" killed_all
# Nothing can be told: the time of silence ends it.
killed_unheard() {
	begins h "echo ready; exec sleep 984" && pgrep -f '^sleep 984$' >/dev/null || return 1
	touch "$e2e_dir/cut"
	kill -9 $pid
	wait_for '[ "$(wc -l <"$e2e_dir/ssh.cut")" -gt 0 ]' 15 && pgrep -f '^sleep 984$' >/dev/null || return 1
	rm "$e2e_dir/cut"
	far set-option -s exec-silence-timeout 2
	begins h "echo ready" && wait_for '! pgrep -f "^sleep 984$" >/dev/null' 15 || return 1
	far set-option -su exec-silence-timeout
}
check "without a network exec-silence-timeout ends the command" killed_unheard

# ssh's command line.
check "-l, -p, -o, -F and options behind the host" says yes -l me -p 22 -oForwardX11=no -F /dev/null h -x echo yes
passed() { grep -q -- '-F /dev/null' "$e2e_dir/ssh.args" && grep -q 'me@h' "$e2e_dir/ssh.args" && grep -q -- '-p 22' "$e2e_dir/ssh.args"; }
check "ssh gets them" passed
sent() { A_VARIABLE=kept says kept -o 'SendEnv=A_VARI*' h 'echo $A_VARIABLE'; }
check "SendEnv" sent
check "SetEnv" says 'some thing' -o 'SetEnv=X=some thing' h 'echo "$X"'
check "an unknown option is refused" ends 255 -Z h true
check "so is no host" ends 255 -p 22
check "a host that is an option is none" ends 255 -- -oProxyCommand=x true
long() { [ "$(ex h "$(printf 'echo %0100000d' 7)" 2>"$err" | wc -c)" -eq 100001 ]; }
check "a command of 100,000 bytes" long
many() {
	i=0 pids=
	while [ $i -lt 20 ]; do
		ex h "echo $i; exit $i" >"$e2e_dir/many.$i" 2>&1 </dev/null &
		pids="$pids $!"
		i=$((i + 1))
	done
	i=0
	for p in $pids; do
		wait "$p"
		[ $? = $i ] && [ "$(cat "$e2e_dir/many.$i")" = $i ] || return 1
		i=$((i + 1))
	done
}
check "twenty at a time" many

# Programs that call ssh.
cat >"$e2e_dir/rsh" <<END
#!/bin/sh
exec '$e2e_rmux' exec --ssh='$e2e_dir/ssh' --server='$e2e_rmux' $via "\$@"
END
chmod +x "$e2e_dir/rsh"
mkdir "$e2e_dir/tree" && cp -r "$e2e_src/client" "$e2e_src/ssp" "$e2e_dir/tree/"
rsyncs() {
	rsync -a -e "$e2e_dir/rsh" "$e2e_dir/tree/" "h:$e2e_dir/there/" && diff -r "$e2e_dir/tree" "$e2e_dir/there" &&
		rsync -a -e "$e2e_dir/rsh" "me@h:$e2e_dir/there/" "$e2e_dir/back/" && diff -r "$e2e_dir/tree" "$e2e_dir/back"
}
if command -v rsync >/dev/null; then check "rsync, both ways" rsyncs; else skip "rsync" "no rsync"; fi
gits() {
	git init -q --bare "$e2e_dir/repo.git" || return 1
	(cd "$e2e_dir/tree" && git init -q . && git add . &&
		git -c user.name=a -c user.email=a@b commit -qm all &&
		GIT_SSH_COMMAND="$e2e_dir/rsh" git push -q "h:$e2e_dir/repo.git" HEAD:refs/heads/main) || return 1
	GIT_SSH_COMMAND="$e2e_dir/rsh" git clone -q -b main "ssh://me@h$e2e_dir/repo.git" "$e2e_dir/clone" &&
		diff -r -x .git "$e2e_dir/tree" "$e2e_dir/clone"
}
if command -v git >/dev/null; then check "git clone and git push" gits; else skip "git" "no git"; fi
hgs() {
	hg init "$e2e_dir/hg" && printf '[ui]\nusername = a\nssh = %s\n' "$e2e_dir/rsh" >"$e2e_dir/hgrc" || return 1
	export HGRCPATH="$e2e_dir/hgrc"
	hg -q clone "ssh://h/$e2e_dir/hg" "$e2e_dir/hg1" && cp -r "$e2e_src/client" "$e2e_src/ssp" "$e2e_dir/hg1/" &&
		hg -q --cwd "$e2e_dir/hg1" commit -A -m all && hg -q --cwd "$e2e_dir/hg1" push &&
		hg -q clone "ssh://me@h/$e2e_dir/hg" "$e2e_dir/hg2" && diff -r -x .hg "$e2e_dir/hg1" "$e2e_dir/hg2"
}
if command -v hg >/dev/null; then check "Mercurial's clone and push" hgs; else skip "Mercurial" "no hg"; fi
# As Ansible calls ssh: a command, one on a terminal, a file by a pipe.
ansible_ssh() {
	"$e2e_dir/rsh" -C -o ControlMaster=auto -o ControlPersist=60s -o 'IdentityFile="/nothing"' \
		-o KbdInteractiveAuthentication=no -o PreferredAuthentications=gssapi-with-mic,publickey \
		-o PasswordAuthentication=no -o 'User="me"' -o ConnectTimeout=10 \
		-o "ControlPath=\"$e2e_dir/control/%C\"" "$@"
}
like_ansible() {
	[ "$(ansible_ssh h "/bin/sh -c 'echo ~ && sleep 0'" </dev/null)" = "$HOME" ] &&
		[ "$(ansible_ssh -tt h "/bin/sh -c 'echo it is && sleep 0'" </dev/null | tr -d '\r')" = 'it is' ] &&
		ansible_ssh h "/bin/sh -c 'dd of=$e2e_dir/piped bs=65536'" <"$e2e_dir/bytes" 2>"$err" &&
		cmp "$e2e_dir/piped" "$e2e_dir/bytes"
}
check "as Ansible calls ssh" like_ansible
sftps() {
	echo "get $e2e_dir/bytes $e2e_dir/got" | sftp -q -b - -S "$e2e_dir/rsh" h >"$out" 2>&1 &&
		cmp "$e2e_dir/got" "$e2e_dir/bytes" &&
		scp -q -S "$e2e_dir/rsh" "$e2e_dir/bytes" "h:$e2e_dir/got2" && cmp "$e2e_dir/got2" "$e2e_dir/bytes" &&
		scp -q -O -S "$e2e_dir/rsh" "h:$e2e_dir/bytes" "$e2e_dir/got3" && cmp "$e2e_dir/got3" "$e2e_dir/bytes"
}
if command -v sftp >/dev/null && [ -n "$(ls /usr/lib*/*/sftp-server /usr/libexec/sftp-server 2>/dev/null)" ]; then
	check "sftp and scp" sftps
else
	skip "sftp and scp" "no sftp"
fi
named() {
	ln -s "$e2e_rmux" "$e2e_dir/rmux-ssh"
	[ "$("$e2e_dir/rmux-ssh" --ssh="$e2e_dir/ssh" --server="$e2e_rmux" $via h 'echo $((6*7))' </dev/null)" = 42 ]
}
check "under the name rmux-ssh" named
asked() { "$e2e_rmux" exec -G h 2>"$err" | grep -q '^hostname h'; }
which_ssh() { "$e2e_rmux" exec -V 2>&1 | grep -q '^OpenSSH'; }
if command -v ssh >/dev/null; then
	check "-G: as ssh answers" asked
	check "-V as well" which_ssh
else
	skip "-G and -V" "no ssh"
fi

# On a terminal.
term() {
	outer_start 90 24 "'$e2e_rmux' exec --ssh='$e2e_dir/ssh' --server='$e2e_rmux' $via $*; echo exit=\$?; stty -a | grep -q ' echo ' && echo sane; cat"
}
on_terminal() {
	term -t h "'stty size; tty; echo \$TERM; exec sh'" && expect_screen '24 90' 15 && expect_screen '/dev/' || return 1
	outer_keys 'echo $((6*7)).' Enter
	expect_screen '^42\.'
}
check "-t: a terminal of this size" on_terminal
resized() {
	outer resize-window -x 70 -y 20
	outer_keys 'clear; stty size' Enter
	wait_for 'outer_keys "stty size" Enter; outer capture-pane -p | grep -q "20 70"' 10
}
check "which is resized" resized
ends_there() {
	outer_keys 'exit 9' Enter
	expect_screen 'exit=9' && expect_screen '^sane'
}
check "its exit code, and the terminal restored" ends_there
shell_alone() {
	term h && outer_keys 'echo $((6*7)).' Enter && expect_screen '42\.' 15 || return 1
	outer_keys Enter '~.'
	expect_screen 'exit=255' && expect_screen '^sane'
}
check "without a command a login shell; ~. ends it" shell_alone

# Four seconds of silence, another address, a lossy link, in the middle of bytes.
survives() {
	relay_say "both rate=400000"
	head -c 1500000 "$e2e_dir/bytes" >"$e2e_dir/half"
	ex h cat <"$e2e_dir/half" >"$e2e_dir/long" 2>"$err" &
	long=$!
	relay_stalls "$long" 0.1 || return 1
	wait "$long" || return 1
	relay_say "both loss=0"
	relay_say "both rate=0"
	cmp "$e2e_dir/half" "$e2e_dir/long"
}
check "bytes survive silence, a new address and loss" survives
confined() { says 42 --sandbox=require h 'echo $((6*7))'; }
if "$e2e_rmux" exec --sandbox=require --ssh="$e2e_dir/ssh" --server="$e2e_rmux" h true </dev/null 2>"$err"; then
	check "confined as the system can" confined
	sealed() {
		ex --sandbox=require h cat <"$e2e_dir/half" | cmp - "$e2e_dir/half" &&
			ex --sandbox=require h cat <"$e2e_dir/half" >"$out" && cmp "$out" "$e2e_dir/half"
	}
	check "and its streams" sealed
else
	skip "confined" "$(cat "$err")"
fi

# Forwards without a terminal.
free_port() {
	port=$(python3 -c 'import socket
s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
}
python3 -B "$e2e_src/regress/e2e/forward.py" serve 0 "$e2e_dir/place" >/dev/null 2>&1 &
e2e_pids="$e2e_pids $!"
wait_for "[ -s '$e2e_dir/place' ]" 10 && read -r tcp <"$e2e_dir/place"
forwards() {
	free_port
	"$e2e_rmux" forward --ssh="$e2e_dir/ssh" --server="$e2e_rmux" $via -L "$port:127.0.0.1:$tcp" h >"$out" 2>"$err" </dev/null &
	pid=$!
	wait_for '[ "$(python3 -B "$e2e_src/regress/e2e/forward.py" send "$port" 100000 2>/dev/null)" = whole ]' 10 || return 1
	kill -TERM $pid
	wait $pid
	! python3 -B "$e2e_src/regress/e2e/forward.py" send "$port" 10 >/dev/null 2>&1
}
check "rmux forward -L" forwards
beside() {
	free_port
	[ "$(ex -L "$port:127.0.0.1:$tcp" h 'read x; echo ended' 2>"$err" <<END
$(wait_for '[ "$(python3 -B "$e2e_src/regress/e2e/forward.py" send "$port" 100 2>/dev/null)" = whole ]' 1; echo x)
END
)" = ended ]
}
check "exec with -L" beside
# Accepts one connection, reads it to its end, and answers with the hash of its bytes.
cat >"$e2e_dir/one.py" <<'END'
import hashlib
import socket
import sys
server = socket.socket(socket.AF_UNIX if sys.argv[1][0] == '/' else socket.AF_INET)
server.bind(sys.argv[1] if sys.argv[1][0] == '/' else ('127.0.0.1', 0))
server.listen(1)
if sys.argv[1] == 'port':
    print(server.getsockname()[1], flush=True)
else:
    print('ready', flush=True)
got = hashlib.sha256()
one = server.accept()[0]
if len(sys.argv) > 2:
    # Its own direction ends first.
    one.shutdown(socket.SHUT_WR)
while data := one.recv(65536):
    got.update(data)
if len(sys.argv) > 2:
    print(got.hexdigest(), flush=True)
else:
    one.sendall(got.hexdigest().encode())
END
one() { # ARGUMENTS: starts it; $place, $first is its first line.
	: >"$e2e_dir/one.out"
	python3 "$e2e_dir/one.py" "$@" >"$e2e_dir/one.out" &
	e2e_pids="$e2e_pids $!"
	wait_for '[ -s "$e2e_dir/one.out" ]' 10
	first=$(head -1 "$e2e_dir/one.out")
}
sum=$(sha256sum <"$e2e_dir/bytes" | cut -d" " -f1)
joined() {
	one port && got=$(ex -W "127.0.0.1:$first" h <"$e2e_dir/bytes" 2>"$err") && [ "$got" = "$sum" ] && [ ! -s "$err" ]
}
check "-W joins the standard streams to a port there" joined
joined_unix() {
	one "$e2e_dir/one.socket" && [ "$(cat "$e2e_dir/bytes" | ex -W "$e2e_dir/one.socket" h)" = "$sum" ]
}
check "and to a Unix socket" joined_unix
joined_half() {
	one port half && (sleep 0.3; cat "$e2e_dir/bytes") | ex -W "127.0.0.1:$first" h &&
		wait_for '[ "$(tail -1 "$e2e_dir/one.out")" = "$sum" ]' 5
}
check "an end that has said all still gets all" joined_half
refused() { ends 255 -W 127.0.0.1:1 h && grep -qx 'rmux: connect 127.0.0.1:1: Connection refused' "$err"; }
check "a port that refuses: 255 and why" refused
check "-W with a command is refused" ends 255 -W 127.0.0.1:1 h true
nonsense() { ends 255 -W nonsense h && grep -q 'rmux: -W nonsense: expected host:port, or the path of a socket' "$err"; }
check "no place" nonsense
check "rmux forward without a forward is refused" sh -c "'$e2e_rmux' forward --ssh='$e2e_dir/ssh' --server='$e2e_rmux' h 2>&1 </dev/null | grep -q 'wants -L'"

server_ends() {
	begins h 'echo ready; sleep 654' || return 1
	far kill-server
	wait $pid
	[ $? = 255 ] && grep -q 'the server has ended' "$err" && wait_for '! pgrep -f "^sleep 654$" >/dev/null' 10
}
check "an unknown subsystem is refused" ends 127 -s h nothing
check "the server's end: 255 and a reason" server_ends
relay_stop
done_testing
