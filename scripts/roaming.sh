#!/bin/sh
# roaming.sh BUILDDIR OUT.svg - draws README's picture from a real run: a client
# attaches over UDP, loses its network, gets another address and goes on.
#
# Client and server run in two network namespaces joined by a veth pair.  Their
# terminal is a pane of a second rmux; its screens are captured as they change
# (OUT.svg.frames) and drawn by ansi2svg.py.  The stand-in for ssh enters the
# server's namespace.  Wants Linux, ip, nsenter and unshare; root is not needed
# where the kernel allows user namespaces.  ROAMING_FRAMES=FILE draws the frames
# of an earlier run again.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
if [ -n "${ROAMING_FRAMES-}" ]; then
	exec python3 -B "$top/scripts/ansi2svg.py" <"$ROAMING_FRAMES" >"$2"
fi
[ "$(id -u)" = 0 ] || exec unshare -rn "$0" "$@"
bld=$(cd "$1" && pwd)
out=$2
server=203.0.113.7
home=192.0.2.23
train=198.51.100.84
dir=$(mktemp -d "${TMPDIR:-/tmp}/rmux-roaming.XXXXXX")
mkdir -m 700 "$dir/far" "$dir/near" "$dir/outer"
unset RMUX RMUX_PANE TMUX XDG_RUNTIME_DIR XDG_CONFIG_HOME
export HOME="$dir" LC_ALL=C.UTF-8 SHELL=/bin/sh

outer() { RMUX_TMPDIR=$dir/outer "$bld/rmux" -f /dev/null "$@"; }
far() { RMUX_TMPDIR=$dir/far nsenter -t "$there" -n "$bld/rmux" -f "$dir/conf" "$@"; }
clean() {
	trap - EXIT
	far kill-server 2>/dev/null || true
	outer kill-server 2>/dev/null || true
	# shellcheck disable=SC2086 # process ids
	kill $pids 2>/dev/null || true
	rm -rf "$dir"
}
pids=
trap clean EXIT
trap 'exit 1' HUP INT TERM

# wait_for PATTERN: until the screen shows it; wait_for ! PATTERN: until not.
wait_for() {
	want=0
	[ "$1" != ! ] || { want=1 && shift; }
	n=0
	while :; do
		got=0
		outer capture-pane -p | grep -q -- "$1" || got=1
		[ $got != $want ] || return 0
		n=$((n + 1))
		[ $n -lt 400 ] || { echo "waited in vain for '$1'" >&2; outer capture-pane -p >&2; exit 1; }
		sleep 0.05
	done
}

# Types as a person does.
typed() {
	text=$1
	while [ -n "$text" ]; do
		rest=${text#?}
		outer send-keys -l "${text%"$rest"}"
		text=$rest
		sleep 0.07
	done
	sleep 0.3
	outer send-keys Enter
}

caption() {
	echo "$1" >"$dir/caption.new"
	mv "$dir/caption.new" "$dir/caption"
}

# Writes each screen that differs from the one before, with its time.
record() {
	: >"$dir/last"
	while [ -e "$dir/recording" ]; do
		outer capture-pane -ep >"$dir/now" &&
			outer display-message -p '#{?cursor_flag,#{cursor_x} #{cursor_y},- -}' >"$dir/cursor" || return
		cat "$dir/cursor" "$dir/caption" "$dir/now" >"$dir/all"
		cmp -s "$dir/all" "$dir/last" || {
			printf '\f%s %s %s\n' "$(date +%s%3N)" "$(cat "$dir/cursor")" "$(cat "$dir/caption")"
			cat "$dir/now"
			mv "$dir/all" "$dir/last"
		}
		sleep 0.02
	done
}

# Two machines and the network between them.
unshare -n sleep 600 &
there=$!
unshare -n sleep 600 &
here=$!
pids="$there $here"
for p in $there $here; do
	until [ "$(readlink "/proc/$p/ns/net")" != "$(readlink /proc/self/ns/net)" ]; do
		sleep 0.05
	done
done
at_there() { nsenter -t "$there" -n "$@"; }
at_here() { nsenter -t "$here" -n "$@"; }
at_there ip link add va type veth peer name vb
at_there ip link set vb netns "$here"
at_there ip link set lo up
at_there ip link set va up
at_there ip addr add $server/32 dev va
at_there ip route add default dev va
network() { # ADDRESS
	at_here ip link set vb up
	at_here ip addr add "$1/32" dev vb
	at_here ip route add default dev vb
}
at_here ip link set lo up
network $home

cat >"$dir/ssh" <<END
#!/bin/sh
# Whatever the host, the command runs in the server's namespace.
[ ! -e "$dir/tunnel" ] || exit 255
while [ \$# -gt 0 ]; do
	case \$1 in
	-G) echo hostname $server; exit 0 ;;
	-*) shift ;;
	*) break ;;
	esac
done
shift
RMUX_TMPDIR=$dir/far exec nsenter -t $there -n sh -c "\$*"
END
chmod +x "$dir/ssh"
ln -s "$bld/rmux" "$dir/rmux"
cat >"$dir/conf" <<'END'
set -g default-command sh
set -g status-interval 1
set -g status-right-length 50
set -g status-right "client at #{s|.[0-9]*$||:client_address}"
set -g predict always
END
PATH=$dir:$PATH
far new-session -d -s work -n main -x 92 -y 13 "PS1='server$ ' sh"
far split-window -d -h -l 20 -t work 'while sleep 1; do date +"job %T"; done'
outer new-session -d -x 92 -y 13 \
	"exec env -u RMUX -u RMUX_PANE RMUX_TMPDIR=$dir/near TERM=xterm-256color 'PS1=laptop$ ' nsenter -t $here -n sh"
outer set -g status off
wait_for 'laptop'

: >"$dir/recording"
caption "At home: ssh logs in once, then the session runs over UDP"
record >"$dir/frames" &
pids="$pids $!"
sleep 1
typed 'rmux attach host -t work'
wait_for "client at $home"
sleep 2
typed 'echo "hello from home"'
wait_for '^hello'
sleep 2
caption "On the train, in a tunnel: no network"
: >"$dir/tunnel"
at_here ip link set vb down
at_here ip addr flush dev vb
sleep 1
typed 'echo "typed in the tunnel"'
wait_for 'last contact'
sleep 1
caption "The client shows what you type, underlined until the server confirms it"
sleep 4
caption "Out of the tunnel: another network, another address"
rm "$dir/tunnel"
network $train
wait_for '^typed in'
wait_for "client at $train"
sleep 1.5
caption "The same session goes on; nothing was lost"
wait_for ! 'last contact'
typed 'echo "hello from the train"'
wait_for '^hello from the train'
sleep 1
rm "$dir/recording"
sleep 0.5
cp "$dir/frames" "$out.frames"
python3 -B "$top/scripts/ansi2svg.py" <"$dir/frames" >"$out"
