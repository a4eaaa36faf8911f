#!/bin/sh
# Guests with a valid ticket that do harm: the server lives, serves its owner,
# keeps its memory, and believes nothing that they say.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
evil=$e2e_build/regress/hostile/evil_guest
export PWNED="$e2e_dir/pwned"
grow_max=98304 # KiB that an attack may add to the largest size
case $(nm "$e2e_rmux" 2>/dev/null | grep -c __asan_init) in
0) ;;
*) grow_max=1048576 ;; # ASan keeps freed memory
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

check "a server" begin
for what in keys mouse paste resize focus replies names objects frames side rekey; do
	check "$what by a guest who types" came_in $what 1
done
check "keys by a viewer" came_in keys 1 view
check "names by a viewer" came_in names 1 view
check "guests who shake hands and fall silent" came_in silent 40
check "guests who never read the answer" attack half 100
check "guests who leave without a word" came_in idle 16
check "sixteen who flood with keys" came_in keys 16
done_testing
