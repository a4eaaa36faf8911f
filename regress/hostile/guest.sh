#!/bin/sh
# Guests with a valid ticket that do harm, and outsiders who flood the port: the
# server lives, serves its owner, keeps its memory, and believes nothing that
# they say.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
evil=$e2e_build/regress/hostile/evil_guest
junk=$e2e_build/regress/hostile/junk
relay=$e2e_build/regress/tools/udp_relay
export PWNED="$e2e_dir/pwned"
grow_max=98304 # KiB that an attack may add to the largest size
junk_max=8192  # the same of those without a session
case $(nm "$e2e_rmux" 2>/dev/null | grep -c __asan_init) in
0) ;;
*) grow_max=1048576 junk_max=131072 ;; # ASan keeps freed memory
esac

rss() {
	sed -n 's/^VmHWM:[^0-9]*\([0-9]*\).*/\1/p' "/proc/$e2e_pid/status"
}

begin() {
	start 80 24 'stty raw -echo; exec cat >/dev/null' &&
		m new-session -d -s own cat &&
		[ -r "/proc/$e2e_pid/status" ] || return 1
	# Formats run in a shell; names of guests are in them.
	m set-option -g status-left '#(echo #{client_name}) '
	# So are words of commands in hooks.
	m set-hook -g after-refresh-client \
		'run-shell "echo #{hook_arguments} >/dev/null"'
	# A port that is known.
	port=$((20000 + $$ % 20000))
	until m set-option -s remote-ports "$port" && m invite -t s --for 10m; do
		port=$((port + 1))
		[ "$port" -lt 60000 ] || return 1
	done
	m invite -k 1
}

# served: the owner's keys and commands are answered.
served() {
	served_n=$((${served_n:-0} + 1))
	[ "$(m display-message -p -t own '#{session_name}' \; \
		send-keys -t own "owner$served_n" Enter)" = own ] &&
		wait_for "m capture-pane -p -t own: | grep -q owner$served_n" 30
}

# unharmed: what no guest can change.
unharmed() {
	[ "$(m display-message -p -t s: '#{pid} #{window_width}x#{window_height}' \; \
		list-buffers)" = "$e2e_pid 80x24" ] && [ ! -e "$PWNED" ] &&
		! m list-clients -F "#{client_name} #{client_termname} #{client_termfeatures}" |
			LC_ALL=C grep '[^ -~]\|[#$;`(]'
}

# attack NAME GUESTS [ROLE]: one invitation, some guests, one attack.
attack() {
	ticket=$(m invite -a 127.0.0.1 "--${3:-type}" --for 10m -t s) || return 1
	before=$(rss)
	: >"$e2e_dir/evil.out"
	timeout 100 "$evil" "${ticket#rmux join }" "$1" 250 "$2" \
		>"$e2e_dir/evil.out" 2>&1 &
	attack_pid=$!
	wait_for "grep -q '^in' '$e2e_dir/evil.out'" 30 && served && unharmed
	attack_code=$?
	wait $attack_pid || attack_code=1
	served && unharmed || attack_code=1
	m invite -k "$(m invite -l | sed -n "1s/:.*//p")" >/dev/null
	wait_for '[ -z "$(m list-clients)" ]' 30 || attack_code=1
	after=$(rss)
	cat "$e2e_dir/evil.out"
	echo "memory $before, then $after KiB"
	[ "$attack_code" = 0 ] && [ "$after" -le $((before + grow_max)) ]
}

# came_in NAME GUESTS [ROLE]: the same, and the guests were in, as many as an
# invitation admits at once.
came_in() {
	came_least=$(($2 < 16 ? $2 : 16))
	attack "$@" &&
		[ "$(sed -n 's/^out //p' "$e2e_dir/evil.out")" -ge $came_least ]
}

# outsiders KIND COUNT [FILE]: so many datagrams, as fast as they go.
outsiders() {
	[ -x "$junk" ] || return 77
	ticket=$(m invite -a 127.0.0.1 --type --for 10m -t s) || return 1
	[ "$1" != half ] || set -- half "$2" "${ticket#rmux join }"
	before=$(rss)
	: >"$e2e_dir/junk.out"
	timeout 100 "$junk" "$1" "$port" 0 "=$2" ${3:+"$3"} >"$e2e_dir/junk.out" 2>&1 &
	junk_pid=$!
	wait_for "grep -q '^ready' '$e2e_dir/junk.out'" 30 && served && unharmed
	junk_code=$?
	wait $junk_pid || junk_code=1
	served && unharmed || junk_code=1
	m list-clients -F '#{client_name}' | wc -l >"$e2e_dir/came"
	m invite -k "$(m invite -l | sed -n "1s/:.*//p")" >/dev/null
	wait_for '[ -z "$(m list-clients)" ]' 30 || junk_code=1
	after=$(rss)
	cat "$e2e_dir/junk.out"
	echo "$(cat "$e2e_dir/came") came in; memory $before, then $after KiB"
	[ "$junk_code" = 0 ] && [ "$(cat "$e2e_dir/came")" -le 16 ] &&
		[ "$after" -le $((before + junk_max)) ]
}

# What junk sends again and changes: the datagrams of a guest.
keep_datagrams() {
	"$relay" -w "$e2e_dir/kept" 0 "$port" >"$e2e_dir/relay.out" &
	relay_pid=$!
	e2e_pids="$e2e_pids $relay_pid"
	wait_for "grep -q listening '$e2e_dir/relay.out'" || return 1
	ticket=$(m invite -a "127.0.0.1:$(sed -n 's/listening //p' \
		"$e2e_dir/relay.out")" --type --for 10m -t s) || return 1
	timeout 60 "$evil" "${ticket#rmux join }" keys 250 1
	kill "$relay_pid" && m invite -k "$(m invite -l | sed -n "1s/:.*//p")" &&
		wait_for '[ -z "$(m list-clients)" ]' 30 && [ -s "$e2e_dir/kept" ]
}

check "a server" begin
for what in keys mouse paste resize focus replies names objects frames side rekey; do
	check "$what by a guest who types" came_in $what 1
done
check "keys by a viewer" came_in keys 1 view
check "names by a viewer" came_in names 1 view
check "files of a guest who types" came_in me 8
check "files of a viewer" came_in me 8 view
check "guests who shake hands and fall silent" came_in silent 40
check "guests who never read the answer" attack half 100
check "guests who leave without a word" came_in idle 16
check "sixteen who flood with keys" came_in keys 16
if [ -x "$junk" ] && [ -x "$relay" ]; then
	check "a guest's datagrams are kept" keep_datagrams
	check "20,000 random datagrams" outsiders random 20000
	check "20,000 right headers with wrong tags" outsiders tags 20000 "$e2e_dir/kept"
	check "20,000 replayed datagrams" outsiders replay 20000 "$e2e_dir/kept"
	check "1,000 half handshakes with a ticket" outsiders half 1000
fi
done_testing
