#!/bin/sh
# shellcheck disable=SC2120,SC2034
# Sourced by the scripts about remote clients, after lib.sh: a stand-in for ssh
# that runs the command here, with a server of its own, and a bad network.
# The file $e2e_dir/shell may name another shell than sh, as an account does.
#
# remote_cmd ARGS     prints the command of an attach through the fake ssh
# echoes WORD [SECS]  types WORD and waits for the remote shell's echo
# all_answered        waits until the report on the link says that the server has answered
#                     all keys, and that no prediction was wrong
# leaves              detaches and checks that the terminal is restored
# far ARGS            a command to the server at the far end
# relay OPTIONS       starts udp_relay; $relay_port leads to $far_port
# relay_say LINE      sends a command to udp_relay
# web FOLDER          serves a folder by HTTP; $http is the port
# free_ports          prints three ports that nobody listens at
# agent_here          starts an ssh agent, $e2e_dir/agent, that alone has the private
#                     half of $e2e_dir/key.pub

far_dir=$e2e_dir/far
mkdir -p "$far_dir"
chmod 700 "$far_dir"
cat >"$e2e_dir/ssh" <<EOF
#!/bin/sh
# ssh [-T] [-p N] [-G] host command
while [ \$# -gt 0 ]; do
	case \$1 in
	-G) exit 1 ;;
	-p) shift 2 ;;
	-*) shift ;;
	*) break ;;
	esac
done
shift
echo "\$\$" >"$e2e_dir/ssh.pid"
[ ! -f "$e2e_dir/motd" ] || cat "$e2e_dir/motd"
unset RMUX TMUX
export RMUX_TMPDIR="$far_dir"
[ ! -f "$e2e_dir/tee" ] || {
	sh -c "\$*" | tee "$e2e_dir/connect"
	exit
}
shell=sh
[ ! -f "$e2e_dir/shell" ] || read -r shell <"$e2e_dir/shell"
exec "\$shell" -c "\$*"
EOF
chmod +x "$e2e_dir/ssh"

far() {
	RMUX_TMPDIR="$far_dir" "$e2e_rmux" -f /dev/null "$@"
}

remote_cmd() {
	echo "RMUX= '$e2e_rmux' attach --ssh='$e2e_dir/ssh' --server='$e2e_rmux' $* 127.0.0.1; echo exit=\$?; stty -a | grep -q ' echo ' && echo sane; cat"
}

echoes() {
	outer_keys C-u "echo $1\$((6*7))" Enter
	expect_screen "${1}42" "${2:-15}"
}

all_answered() {
	wait_for "outer_keys C-^ '?'; outer_screen | grep -q ', 0 wrong, 0 unanswered'" 30
}

leaves() {
	outer_keys C-b d
	expect_screen 'exit=0' 15 && expect_screen '^sane'
}

# far_start: makes the remote session and learns its port before any attach.
far_start() {
	far new-session -d -s far -x 80 -y 24 "${1:-sh}" || return 1
	far_pid=$(far display-message -p '#{pid}')
	e2e_pids="$e2e_pids $far_pid"
}

far_stop() {
	far kill-server >/dev/null 2>&1
	wait_for "! alive ${far_pid:-0}" 5
}

# far_learn_port: attaches once to see which UDP port the server has.  The port stays
# open for an invitation; else the server might get another one the next time.
far_learn_port() {
	touch "$e2e_dir/tee"
	outer_start 80 24 "$(remote_cmd)"
	wait_for "grep -q 'RMUX CONNECT.* ' '$e2e_dir/connect' 2>/dev/null"
	expect_screen '\[far\]'
	far invite --view --for 1d >/dev/null
	rm "$e2e_dir/tee"
	far_port=$(sed -n 's/.*RMUX CONNECT 1 \([0-9]*\) .*/\1/p' \
		"$e2e_dir/connect")
	outer_keys C-b d
	expect_screen 'exit=0'
	[ -n "$far_port" ]
}

relay_fifo=$e2e_dir/relay.in
relay_pid=

# relay PORT OPTIONS...: sets relay_port.
relay() {
	relay_to=$1
	shift
	[ -x "$e2e_build/regress/tools/udp_relay" ] || return 1
	rm -f "$relay_fifo"
	mkfifo "$relay_fifo"
	"$e2e_build/regress/tools/udp_relay" -c "$@" 0 "$relay_to" \
		<"$relay_fifo" >"$e2e_dir/relay.out" 2>&1 &
	relay_pid=$!
	e2e_pids="$e2e_pids $relay_pid"
	exec 8>"$relay_fifo"
	wait_for "grep -q '[0-9]' '$e2e_dir/relay.out'" || return 1
	relay_port=$(grep -o '[0-9][0-9]*' "$e2e_dir/relay.out" | head -1)
}

relay_say() {
	echo "$1" >&8
}

# relay_stalls PID SHARE: after a second four of silence; then another address, and a
# network that loses SHARE.  False: the process PID has ended meanwhile.
relay_stalls() {
	until=$(($(date +%s) + 1))
	wait_for '[ "$(date +%s)" -gt $until ]' 5
	relay_say "both off=1"
	until=$((until + 4))
	wait_for '[ "$(date +%s)" -gt $until ]' 9
	alive "$1" || return 1
	relay_say "both off=0"
	relay_say rebind
	relay_say "both loss=$2"
}

relay_stop() {
	[ -n "$relay_pid" ] || return 0
	echo quit >&8
	exec 8>&-
	wait_for "! alive $relay_pid" 5
	relay_pid=
}

# One web server serves both ends, because this machine is both.
web() {
	(cd "$1" && exec python3 -u -m http.server --bind 127.0.0.1 0) >"$e2e_dir/http" 2>&1 &
	web_pid=$!
	e2e_pids="$e2e_pids $web_pid"
	wait_for "grep -q 'port [0-9]' '$e2e_dir/http'" 20
	http=$(sed -n 's/.* port \([0-9]*\).*/\1/p' "$e2e_dir/http" | head -1)
}

free_ports() {
	python3 -c 'import socket
all = [socket.socket() for i in range(3)]
for s in all: s.bind(("127.0.0.1", 0))
print(*[s.getsockname()[1] for s in all])'
}

agent_here() {
	eval "$(ssh-agent -s -a "$e2e_dir/agent")" >/dev/null || return 1
	e2e_pids="$e2e_pids $SSH_AGENT_PID"
	unset SSH_AGENT_PID
	ssh-keygen -q -t ed25519 -N '' -C key-here -f "$e2e_dir/key" &&
		SSH_AUTH_SOCK="$e2e_dir/agent" ssh-add -q "$e2e_dir/key" || return 1
	unset SSH_AUTH_SOCK
	rm "$e2e_dir/key"
	# For git, which verifies by it.
	echo "a@b $(cat "$e2e_dir/key.pub")" >"$e2e_dir/signers"
}
