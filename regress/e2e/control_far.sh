#!/bin/sh
# Control mode over the roaming link: the conversations of control.sh, a bad
# network, ssh in place of UDP, guests, sleep, ends.  CONTROL_FAR_SECONDS=600 runs
# the bad network, and the sleep, for so long.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
. "$e2e_src/regress/e2e/remote_lib.sh"
python=$(command -v python3) || skip_all "no python3"
[ -x "$e2e_build/regress/tools/udp_relay" ] || skip_all "no udp_relay"
driver=$e2e_src/regress/e2e/control.py

# A program with the arguments of rmux whose control clients reach the server as
# one of another machine; the server starts there.
cat >"$e2e_dir/rmux.there" <<END
#!/bin/sh
exec '$e2e_rmux' -f /dev/null "\$@"
END
cat >"$e2e_dir/rmux.far" <<END
#!/bin/sh
control=
while :; do
	case \$1 in
	-f) shift 2 ;;
	-S) sock=\$2; shift 2 ;;
	-C | -CC) control=\$1; shift ;;
	*) break ;;
	esac
done
[ -n "\$control" ] || exec '$e2e_rmux' -f /dev/null -S "\$sock" "\$@"
exec '$e2e_rmux' "\$control" -S "\$sock" --ssh='$e2e_dir/ssh' \
	--server='$e2e_dir/rmux.there' -H 127.0.0.1 "\$@"
END
chmod +x "$e2e_dir/rmux.there" "$e2e_dir/rmux.far"

# drive NAME COMMAND PROGRAM ARGS: runs the driver in a folder of its own.
drive() {
	name=$1 what=$2 program=$3
	shift 3
	mkdir -p "$e2e_dir/$name"
	"$python" "$driver" "$what" "$program" "$e2e_dir/$name" "$@" \
		>"$e2e_dir/$name.out" 2>&1
	echo $? >"$e2e_dir/$name.code"
}

# Most of the time they wait: side by side.
export CONTROL_FAR=1
all=
for what in say far; do
	drive $what $what "$e2e_dir/rmux.far" &
	all="$all $!"
done
for what in link over slow ends sleep; do
	drive $what $what "$e2e_rmux" "$e2e_dir/ssh" \
		"$e2e_build/regress/tools/udp_relay" &
	all="$all $!"
done
# shellcheck disable=SC2086
wait $all
cat "$e2e_dir/far.out" "$e2e_dir/link.out" \
	"$e2e_dir/over.out" "$e2e_dir/slow.out" "$e2e_dir/ends.out" \
	"$e2e_dir/sleep.out"

# Without a server, ssh starts one; rmux alone does not.
sed "/^== attach-session b''$/,/^code/d" "$e2e_src/regress/e2e/control_say.rec" \
	>"$e2e_dir/say.rec"
check "the conversation is that of a client on one machine" \
	diff -u "$e2e_dir/say.rec" "$e2e_dir/say.out"
check "bad input, hooks, a terminal" grep -qx 0 "$e2e_dir/far.code"
check "no line is lost or comes twice on a bad link" \
	grep -qx 0 "$e2e_dir/link.code"
check "no line is lost when ssh takes over" grep -qx 0 "$e2e_dir/over.code"
check "who does not read, pauses panes" grep -qx 0 "$e2e_dir/slow.code"
check "machines that sleep, with pause-after and without" \
	grep -qx 0 "$e2e_dir/sleep.code"
check "ends of the server" grep -qx 0 "$e2e_dir/ends.code"

guest() {
	far_start cat || return 1
	ticket=$(far invite --view -t far) || return 1
	"$e2e_rmux" -C join "${ticket#rmux join }" </dev/null >"$e2e_dir/guest" 2>&1
	[ $? = 1 ] && grep -qx 'rmux: control mode (-C) is not for guests' \
		"$e2e_dir/guest" && far_stop
}
check "a guest is refused" guest
done_testing
