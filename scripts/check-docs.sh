#!/bin/sh
# check-docs.sh BUILDDIR FILE.md... - runs what a document tells its readers to
# type, in TAP.  Every block of code (between ```) must have a mark, an HTML
# comment on a line of its own before it:
#
#   <!-- run -->            its lines are a shell script; it must succeed
#   <!-- run: tree -->      the same, in the source tree
#   <!-- type: A | B -->    its lines are typed, one by one, into a shell in a
#                           terminal of 80x24; after the first the screen must
#                           show A (a basic regular expression), and so on
#   <!-- keys: A | B -->    the same, but the lines are names of keys
#   <!-- not run: why -->   it is not run, for this reason
#
# An indented block is none: write ``` instead.  All of a document runs in one
# home directory, which is new and empty, with rmux and tools of BUILDDIR in PATH and
# a stand-in for ssh that stays on this machine (CHECK_DOCS_SSH=real: the one
# in PATH, with the user's own configuration).
set -u
bld=$(cd "${1:?check-docs.sh BUILDDIR FILE.md...}" && pwd) || exit 99
top=$(cd "$(dirname "$0")/.." && pwd) || exit 99
shift
dir=$(mktemp -d "${TMPDIR:-/tmp}/rmux-docs.XXXXXX") || exit 99
real_home=${HOME:-/}
count=0
failed=0

outer() {
	env -u RMUX RMUX_TMPDIR="$dir/outer" LC_ALL=C.UTF-8 \
	    "$bld/rmux" -L docs -f /dev/null "$@"
}
inner() {
	env -u RMUX RMUX_TMPDIR="$dir/run" HOME="$home" "$bld/rmux" "$@"
}
clean() {
	trap - EXIT HUP INT TERM
	outer kill-server >/dev/null 2>&1
	inner kill-server >/dev/null 2>&1
	env -u RMUX RMUX_TMPDIR="$dir/far" "$bld/rmux" kill-server >/dev/null 2>&1
	cd / && rm -rf "$dir"
}
home=$dir/home
trap clean EXIT
trap 'clean; exit 1' HUP INT TERM
mkdir -p "$dir/bin" "$dir/outer" "$dir/run" "$dir/far"
chmod 700 "$dir/outer" "$dir/run" "$dir/far"
ln -s "$bld/rmux" "$dir/bin/rmux"
for tool in keyrec keyplay; do
	[ ! -x "$bld/regress/tools/$tool" ] || ln -s "$bld/regress/tools/$tool" "$dir/bin/$tool"
done
if [ "${CHECK_DOCS_SSH-}" != real ]; then
	cat >"$dir/bin/ssh" <<EOF
#!/bin/sh
# Stands for ssh: whatever the host, the command runs here, as if elsewhere.
while [ \$# -gt 0 ]; do
	case \$1 in
	-G) echo hostname 127.0.0.1; exit 0 ;;
	-p) shift 2 ;;
	-*) shift ;;
	*) break ;;
	esac
done
shift
unset RMUX
RMUX_TMPDIR="$dir/far" exec sh -c "\$*"
EOF
	chmod +x "$dir/bin/ssh"
fi

ok() {
	count=$((count + 1))
	echo "ok $count - $1"
}
not_ok() {
	count=$((count + 1))
	failed=$((failed + 1))
	echo "not ok $count - $1"
	sed 's/^/# /' "$dir/out"
}

# Blocks of $1 as files N.mode, N.arg, N.line, N.body in $dir/blocks.
extract() {
	rm -rf "$dir/blocks"
	mkdir "$dir/blocks"
	awk -v out="$dir/blocks/" '
	function flush_mark() { mode = ""; arg = "" }
	/^```text/ && !inside { inside = 1; file = "/dev/null"; next }
	/^```/ && !inside {
		inside = 1
		file = sprintf("%s%03d", out, ++n)
		print (mode == "" ? "unmarked" : mode) >(file ".mode")
		print arg >(file ".arg")
		print NR >(file ".line")
		printf "" >(file ".body")
		next
	}
	/^```/ { inside = 0; if (file != "/dev/null") close(file ".body"); flush_mark(); next }
	inside { if (file != "/dev/null") print >(file ".body"); next }
	/^<!-- (run|type|keys|not run)(:.*)? -->$/ {
		mode = arg = $0
		sub(/^<!-- /, "", mode); sub(/(:.*)? -->$/, "", mode)
		if (!sub(/^[^:]*: */, "", arg)) arg = ""
		sub(/ -->$/, "", arg)
		next
	}
	/^    [^ ]/ && blank && !list {
		file = sprintf("%s%03d", out, ++n)
		print "indented" >(file ".mode")
		print "" >(file ".arg")
		print NR >(file ".line")
		print >(file ".body")
	}
	{ blank = ($0 == "") }
	/^[-0-9]/ { list = 1 }
	/^[^ ]/ && !/^[-0-9]/ { list = 0 }
	' "$1"
}

screen_shows() {
	n=0
	until outer capture-pane -p 2>/dev/null | grep -q -- "$1"; do
		n=$((n + 1))
		[ $n -lt "${CHECK_DOCS_POLLS:-600}" ] || {
			echo "the screen does not show: $1"
			outer capture-pane -p
			return 1
		}
		sleep 0.05 # sleep-ok: polls
	done
}

terminal() {
	outer has-session -t docs 2>/dev/null && return 0
	outer new-session -d -s docs -x 80 -y 24 "cd '$home' && exec env -i \
	    HOME='$home' PATH='$dir/bin:$PATH' LC_ALL=C.UTF-8 SHELL=/bin/sh \
	    TERM=xterm-256color RMUX_TMPDIR='$dir/run' PS1='\$ ' sh" || return 1
	outer set -g status off
	screen_shows '^\$'
}

# The keys that the words of $1 name.
typed_keys() {
	set -f
	# shellcheck disable=SC2086
	set -- $1
	set +f
	outer send-keys "$@"
}

# Lines of file $1, each awaited by its part of the patterns $2; $3 keys|type.
typed() {
	terminal || return 1
	rest=$2
	while IFS= read -r line <&3; do
		[ -n "${line%%#*}" ] || continue
		want=${rest%% | *}
		case $rest in
		*" | "*) rest=${rest#* | } ;;
		*) rest= ;;
		esac
		[ -n "$want" ] || { echo "no pattern for: $line"; return 1; }
		if [ "$3" = keys ]; then
			typed_keys "${line%%  #*}" || return 1
		else
			outer send-keys -l "$line" && outer send-keys Enter || return 1
		fi
		screen_shows "$want" || { echo "after: $line"; return 1; }
	done 3<"$1"
}

run_block() {
	b=$1 what=$2
	mode=$(cat "$b.mode") arg=$(cat "$b.arg")
	case $mode in
	unmarked | indented)
		cat "$b.body" >"$dir/out"
		not_ok "$what: a block that says neither how to run it nor why not ($mode)"
		;;
	"not run") echo "ok $((count = count + 1)) - $what # SKIP $arg" ;;
	run)
		where=$home
		[ "$arg" != tree ] || where=$top
		if (cd "$where" && exec env -i HOME="$home" PATH="$dir/bin:$PATH" \
		    LC_ALL=C.UTF-8 SHELL=/bin/sh TERM=xterm-256color USER="$(id -un)" \
		    RMUX_TMPDIR="$dir/run" BUILD="$bld" sh -eu "$b.body") \
		    >"$dir/out" 2>&1 </dev/null; then
			ok "$what"
		else
			not_ok "$what"
		fi
		;;
	*)
		if typed "$b.body" "$arg" "$mode" >"$dir/out" 2>&1; then
			ok "$what"
		else
			not_ok "$what"
		fi
		;;
	esac
}

for doc; do
	rm -rf "$home"
	mkdir "$home"
	# Panes run login shells, and /etc/profile sets PATH anew.
	echo "PATH='$dir/bin':\$PATH; PS1='\$ '" >"$home/.profile"
	if [ "${CHECK_DOCS_SSH-}" = real ]; then ln -s "$real_home/.ssh" "$home/.ssh"; fi
	extract "$doc"
	for m in "$dir"/blocks/*.mode; do
		[ -e "$m" ] || continue
		b=${m%.mode}
		run_block "$b" "${doc##*/}:$(cat "$b.line"): $(head -n 1 "$b.body" | cut -c1-60 | tr '#' ' ')"
	done
	outer kill-server >/dev/null 2>&1
	inner kill-server >/dev/null 2>&1
	env -u RMUX RMUX_TMPDIR="$dir/far" "$bld/rmux" kill-server >/dev/null 2>&1
done
echo "1..$count"
[ "$failed" = 0 ]
