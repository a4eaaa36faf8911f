#!/bin/sh
# wait-for: signals and locks.
. "${top_srcdir:-.}/regress/e2e/lib.sh"

# waiting WORDS N: N clients run with these words and have reached the server.
waiting() {
	wait_for "[ \$(ps -A -o args= | grep -c -- '[-]L e2e .*$1\$') = $2 ]"
	wait_for "m display-message -p '' >/dev/null"
}

signals() {
	run wait-for
	run wait-for -S early
	run wait-for early
	m wait-for late$$ &
	waiter=$!
	(m wait-for late$$ && echo second woke) &
	second=$!
	waiting "wait-for late$$" 2
	wait_for "m wait-for -S late$$; ! alive $waiter && ! alive $second"
	wait $waiter
	echo "woken: $?"
	wait $second
}
compare "signals" signals

locks() {
	run wait-for -U lock
	run wait-for -L lock
	m wait-for -L lock$$
	(m wait-for -L lock$$ && echo got it >>log && m wait-for -U lock$$) &
	locker=$!
	waiting "wait-for -L lock$$" 1
	echo giving >>log
	m wait-for -U lock$$
	wait $locker
	echo "locker: $?"
	cat log
	m wait-for -U lock$$
	run wait-for -U lock
}
compare "locks" locks

shell() {
	case $M in
	tmux) m run-shell -b "tmux -L e2e wait-for -S done" ;;
	*) m run-shell -b "'$e2e_rmux' -L e2e wait-for -S done" ;;
	esac
	run wait-for done
}
compare "a shell command signals" shell

# The server does not give a lock to a caller that has gone.
gone() {
	m wait-for -L lock
	"$e2e_rmux" -L e2e wait-for -L lock >/dev/null 2>&1 &
	dead=$!
	wait_for "ps -o args= -p $dead | grep -q wait-for"
	kill $dead
	wait $dead 2>/dev/null
	wait_for "[ \"\$(m wait-for -U lock; m wait-for -L lock; echo free)\" = free ]" &&
		echo free
}
rmux_only "a caller that has gone gets no lock" gone free

done_testing
