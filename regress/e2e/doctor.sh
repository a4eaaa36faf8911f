#!/bin/sh
# rmux doctor on a machine without problems, and on several with one.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
. "$e2e_src/regress/e2e/remote_lib.sh"

doctor() {
	"$e2e_rmux" -L e2e doctor "$@" >"$e2e_dir/doctor.out" 2>&1 </dev/null
	doctor_code=$?
	cat "$e2e_dir/doctor.out"
}

# found CODE VERDICT NAME TEXT: a line of the last report, and its exit code.
found() {
	[ "$doctor_code" = "$1" ] || { echo "exit code $doctor_code"; return 1; }
	grep -q "^  $2 *$3  *.*$4" "$e2e_dir/doctor.out" ||
		{ echo "no: $2 $3 $4"; return 1; }
}

# advised TEXT: the last report has this advice below the failed line.
advised() {
	grep -q "^        -> .*$1" "$e2e_dir/doctor.out" ||
		{ echo "not advised: $1"; return 1; }
}

well() {
	doctor && found 0 ok locale UTF-8 && found 0 ok configuration loads &&
		found 0 ok server 'not running' && grep -q '^all is well' "$e2e_dir/doctor.out"
}
check "all is well" well

bad_locale() {
	( export LC_ALL=C; doctor; found 1 FAIL locale 'not UTF-8' && advised C.UTF-8 )
}
no_locale() {
	( export LC_ALL=xx_NOWHERE.UTF-8; doctor
	found 1 FAIL locale 'no locale xx_NOWHERE.UTF-8' && advised 'locale -a' )
}
check "a locale without UTF-8" bad_locale
check "a locale that is not there" no_locale

bad_term() {
	( export TERM=dumb; doctor; found 1 FAIL TERM 'TERM is dumb' && advised 'export TERM' ) &&
		( unset TERM; doctor; found 1 FAIL TERM 'not set' && advised 'export TERM' )
}
check "no terminal to speak of" bad_term

bad_directory() {
	(
		export RMUX_TMPDIR="$e2e_dir/open"
		mkdir -p "$RMUX_TMPDIR/rmux-$(id -u)"
		chmod 777 "$RMUX_TMPDIR/rmux-$(id -u)"
		doctor
		found 1 FAIL 'runtime directory' "$RMUX_TMPDIR" && advised 'chmod 700'
	)
}
check "a directory that others may enter" bad_directory

bad_config() {
	echo 'set -g no-such-option 1' >"$HOME/.rmux.conf"
	doctor
	rm "$HOME/.rmux.conf"
	found 1 FAIL configuration '.rmux.conf:1: invalid option: no-such-option' &&
		advised 'rmux -n'
}
check "a configuration with an error" bad_config

bad_shell() {
	( export SHELL=/nowhere/sh; doctor; found 1 FAIL shell '/nowhere/sh' && advised 'SHELL=' )
}
check "a shell that is not there" bad_shell

server_runs() {
	M=rmux
	start && doctor && found 0 ok server runs
}
check "the server, when it runs" server_runs
server_stuck() {
	kill -STOP "$e2e_pid"
	doctor
	kill -CONT "$e2e_pid"
	found 1 FAIL server 'does not answer' && advised kill-server
}
check "a server that does not answer" server_stuck
stop

asked() {
	outer_start 110 50 "'$e2e_rmux' -L e2e doctor; echo code=\$?; cat"
	expect_screen 'ok *terminal *tmux [0-9]' && expect_screen 'code=0'
}
if [ $e2e_have_tmux = yes ]; then
	check "the terminal is asked who it is" asked
else
	skip "the terminal is asked who it is" "no tmux to be the terminal"
fi

# --- another machine -------------------------------------------------------------

there() {
	doctor --ssh="$e2e_dir/ssh" --server="$e2e_rmux" "$@" 127.0.0.1
}

reached() {
	echo 'welcome to this machine' >"$e2e_dir/motd"
	there
	rm "$e2e_dir/motd"
	found 0 ok ssh '127.0.0.1 answers' && found 0 ok UDP 'round trip' &&
		found 0 ok 'datagram size' bytes && found 0 ok clock 'ms there' &&
		[ "$(grep -c '^  ok *version' "$e2e_dir/doctor.out")" = 2 ]
}
check "another machine, past what its login prints" reached

# On a terminal both machines fit 24 rows.
fits() {
	outer_start 80 24 "'$e2e_rmux' -L e2e doctor --ssh='$e2e_dir/ssh' --server='$e2e_rmux' 127.0.0.1; echo code=\$?; cat"
	expect_screen 'code=0' 30 && expect_screen '^this machine' &&
		expect_screen '^  ok *version, locale' && expect_screen '^127.0.0.1' &&
		expect_screen '^  ok *UDP  *.*round trip' && expect_screen '| cat tells more'
}
if [ $e2e_have_tmux = yes ]; then
	check "both machines on a terminal of 24 rows" fits
else
	skip "both machines on a terminal of 24 rows" "no tmux to be the terminal"
fi

blocked() {
	there --udp=127.0.0.1:9
	found 1 FAIL UDP 'no answer from 127.0.0.1:9' && advised '60000 to 61000'
}
check "UDP that does not get through" blocked

# A stand-in for ssh that leads the probes through a bad network.
cat >"$e2e_dir/ssh-bad" <<EOF
#!/bin/sh
[ "\$1" != -G ] || exit 1
relay=
"$e2e_dir/ssh" "\$@" | {
	while IFS= read -r line; do
		case \$line in
		"RMUX DOCTOR "*)
			set -- \$line
			"$e2e_build/regress/tools/udp_relay" -s 1 -b loss=0.1,delay=20,hole=1300 \
				0 "\$4" >"$e2e_dir/relay.out" 2>&1 </dev/null &
			relay=\$!
			until grep -q '[0-9]' "$e2e_dir/relay.out"; do :; done
			line="RMUX DOCTOR 1 \$(grep -o '[0-9][0-9]*' "$e2e_dir/relay.out" | head -n 1) \$5 \$6"
			;;
		esac
		printf '%s\n' "\$line"
	done
	[ -z "\$relay" ] || kill \$relay
}
EOF
chmod +x "$e2e_dir/ssh-bad"
bad_network() {
	doctor --ssh="$e2e_dir/ssh-bad" --server="$e2e_rmux" 127.0.0.1
	grep -q '^  [a-z]* *UDP  *.*answers, round trip [4-9][0-9]' "$e2e_dir/doctor.out" &&
		grep -q '^  ok *datagram size *1280\|^  [a-z]* *datagram size .*\(1200\|1000\|512\)' "$e2e_dir/doctor.out"
}
if [ -x "$e2e_build/regress/tools/udp_relay" ]; then
	check "loss, delay and a tunnel on the way" bad_network
else
	skip "loss, delay and a tunnel on the way" "no udp_relay here"
fi

absent() {
	doctor --ssh="$e2e_dir/ssh" --server=/nowhere/rmux 127.0.0.1
	found 1 FAIL ssh 'no /nowhere/rmux on 127.0.0.1' && advised 'install rmux there'
}
check "no rmux there" absent

unreachable() {
	doctor --ssh='sh -c "echo no route to host >&2; exit 255"' 127.0.0.1
	found 1 FAIL ssh 'could not reach' && grep -q 'no route to host' "$e2e_dir/doctor.out"
}
check "a machine that ssh does not reach" unreachable

no_ssh() {
	doctor --ssh=no-such-ssh 127.0.0.1
	found 1 FAIL ssh 'no no-such-ssh in PATH' && advised 'install openssh-client' &&
		grep -q '^  not checked' "$e2e_dir/doctor.out" &&
		! grep -q 'no rmux on' "$e2e_dir/doctor.out"
}
check "no ssh here: the other machine is not blamed" no_ssh

old() {
	doctor --ssh='sh -c "echo unknown command: __doctor >&2; exit 1"' 127.0.0.1
	found 1 FAIL ssh 'an rmux with doctor' && advised update
}
check "an rmux that is too old" old

other_locale() {
	cat >"$e2e_dir/ssh-c" <<-EOF
	#!/bin/sh
	[ "\$1" != -G ] || exit 1
	LC_ALL=C exec "$e2e_dir/ssh" "\$@"
	EOF
	chmod +x "$e2e_dir/ssh-c"
	doctor --ssh="$e2e_dir/ssh-c" --server="$e2e_rmux" 127.0.0.1
	found 1 FAIL locale 'not UTF-8' && found 1 ok locale UTF-8 && found 1 ok UDP answers
}
check "something wrong over there" other_locale

wrong_words() {
	doctor --no-such-option 127.0.0.1
	[ "$doctor_code" = 1 ] && grep -q '^usage' "$e2e_dir/doctor.out" &&
		doctor -- -oProxyCommand=x
	[ "$doctor_code" = 1 ]
}
check "words it does not take" wrong_words
done_testing
