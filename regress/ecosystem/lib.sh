# Sourced by the scripts here.  Each runs a program that was written for tmux,
# unchanged, first under tmux 3.8 and then under rmux, and compares what it says
# and leaves.
#
#	. "${top_srcdir:-.}/regress/ecosystem/lib.sh"
#	use() { tmuxp load -d x.yaml; tmux list-windows; }
#	both "a session is loaded" use
#	done_testing
#
# use runs in a home of its own, where "tmux" is the program in turn.  What it
# prints is compared; paths of the home and of sockets are replaced.
#
# need_deb PACKAGE [PROGRAM], need_pip PACKAGE: install what is missing (root, pip
# in a folder of its own), or skip the script with the reason.
# have_go MODULE PROGRAM: true if it is there, or could be built in a folder of its
# own; else $reason says why not.
# skip NAME REASON: a test that cannot be made.
#
# shellcheck shell=sh
set -u
unset TMUX TMUX_PANE RMUX RMUX_PANE XDG_RUNTIME_DIR XDG_CONFIG_HOME DISPLAY EDITOR
top=$(cd "${top_srcdir:-.}" && pwd) || exit 99
rmux=$(cd "${top_builddir:-.}" && pwd)/rmux || exit 99
cache=${RMUX_PEERS:-${HOME:-/nowhere}/.cache/rmux-peers}
skip_all() {
	echo "1..0 # SKIP $*"
	exit 0
}
tmux=$(sh "$top/regress/ref/peer.sh" -n) || skip_all "no tmux 3.8 (regress/ref/peer.sh)"
dir=$(mktemp -d "${TMPDIR:-/tmp}/rmux-eco.XXXXXX") || exit 99
count=0 failed=0
for side in tmux rmux; do
	mkdir -p "$dir/$side/home" "$dir/$side/bin" "$dir/$side/s"
	chmod 700 "$dir/$side/s"
done
ln -s "$tmux" "$dir/tmux/bin/tmux"
ln -s "$rmux" "$dir/rmux/bin/tmux"

# in_side SIDE COMMAND...: runs it with that side's tmux and home.
in_side() (
	side=$1
	shift
	cd "$dir/$side/home" || exit 99
	export HOME="$PWD" PATH="$dir/$side/bin:$PATH" TMUX_TMPDIR="$dir/$side/s" \
		RMUX_TMPDIR="$dir/$side/s" SHELL=/bin/sh TERM=xterm-256color \
		LC_ALL=C.UTF-8 PS1='$ '
	"$@"
)
cleanup() {
	trap - EXIT HUP INT TERM
	for side in tmux rmux; do
		in_side $side tmux kill-server >/dev/null 2>&1
	done
	cd / && rm -rf "$dir"
}
trap cleanup EXIT
trap 'cleanup; exit 1' HUP INT TERM

need_deb() {
	command -v "${2:-$1}" >/dev/null 2>&1 && return
	[ "$(dpkg-query -W -f '${Status}' "$1" 2>/dev/null)" = \
		"install ok installed" ] && return
	[ "$(id -u)" = 0 ] && command -v apt-get >/dev/null ||
		skip_all "no $1, and only root can install it with apt-get"
	DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
		--no-install-recommends "$1" >"$dir/apt.log" 2>&1 ||
		skip_all "apt-get cannot install $1"
}

# need_pip PACKAGE...: sets $python to one that has them.
need_pip() {
	venv=$cache/eco-python
	python=$venv/bin/python
	command -v python3 >/dev/null || skip_all "no python3"
	[ -x "$python" ] || python3 -m venv "$venv" >"$dir/pip.log" 2>&1 ||
		skip_all "python3 cannot make a virtual environment"
	"$python" -m pip show -q "$@" >/dev/null 2>&1 ||
		"$python" -m pip install -q "$@" >"$dir/pip.log" 2>&1 ||
		skip_all "pip cannot install $*"
}

# have_built TOOL PROGRAM FOLDER COMMAND...: COMMAND builds PROGRAM with TOOL.
have_built() {
	tool=$1 program=$2
	PATH=$PATH:$3
	shift 3
	command -v "$program" >/dev/null && return
	command -v "$tool" >/dev/null || {
		reason="neither $program nor $tool is installed"
		return 1
	}
	timeout "${ECO_BUILD_SECONDS:-1800}" "$@" >"$dir/build.log" 2>&1 &&
		command -v "$program" >/dev/null && return
	reason="$tool cannot build $program: $(grep -v '^ *$' "$dir/build.log" |
		sed 's,[a-z]*://[^ ]*,URL,g' | tail -n 1)"
	return 1
}

have_go() {
	have_built go "$2" "$cache/eco-go/bin" \
		env GOBIN="$cache/eco-go/bin" go install "$1@latest"
}

skip() {
	count=$((count + 1))
	echo "ok $count - $1 # SKIP $2"
}

# wait_for CONDITION: polls for ten seconds.
wait_for() {
	end=$(($(date +%s) + 10))
	until eval "$1"; do
		[ "$(date +%s)" -le $end ] || {
			echo "waited in vain: $1"
			return 1
		}
		sleep 0.05 # sleep-ok: the poll
	done
}

# both NAME FUNCTION
both() {
	count=$((count + 1))
	for side in tmux rmux; do
		in_side $side "$2" 2>&1 | sed "s,$dir/$side,DIR,g
		s,DIR/s/[rt]mux-[0-9]*,SOCKETS,g" >"$dir/$side.out"
		in_side $side tmux kill-server >/dev/null 2>&1
	done
	if [ -s "$dir/tmux.out" ] &&
		diff "$dir/tmux.out" "$dir/rmux.out" >"$dir/diff"; then
		echo "ok $count - $1"
	else
		failed=$((failed + 1))
		sed 's/^/# /' "$dir/diff"
		echo "not ok $count - $1"
	fi
}

done_testing() {
	echo "1..$count"
	[ $failed = 0 ]
}
