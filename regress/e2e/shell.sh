#!/bin/sh
# run-shell, if-shell, source-file.
. "${top_srcdir:-.}/regress/e2e/lib.sh"

codes() {
	# tmux 3.8 also says "'exit 3' returned 3": output.sh
	m run-shell 'exit 3' >/dev/null
	echo $?
	run run-shell true
	run run-shell -d x true
	run run-shell -C 'display-message -p x'
	run run-shell -C nope
	run run-shell "echo '#{session_name}' >'$PWD/out'"
	cat out
	run run-shell -d 0.1 "echo later >'$PWD/out'"
	cat out
	run run-shell -d 0.1 -C 'set -g @x 1'
	run show -g @x
	run run-shell -b -d 0.1 "echo behind >'$PWD/out'"
	wait_for "grep -q behind out" && echo came
	run if-shell true 'display-message -p yes' 'display-message -p no'
	run if-shell false 'display-message -p yes' 'display-message -p no'
	run if-shell -F '#{session_name}' 'display -p yes' 'display -p no'
	run if-shell -F 0 'display -p yes' 'display -p no'
	run if-shell true 'nope'
	run if-shell -b true "set -g @y 2"
	wait_for "m show -g @y 2>/dev/null | grep -q 2" && echo came
	m display-message -p a \; run-shell 'exit 4' \; display-message -p b |
		grep -v returned
	run display-message -p a \; has-session -t nope: \; display-message -p b
}
compare "exit codes and order" codes

sources() {
	echo 'display-message -p one' >1.conf
	echo 'display-message -p two ; display-message -p three' >2.conf
	printf 'set -g @ok 1\nfoo\n' >bad.conf
	run source-file 1.conf
	run source-file "$PWD/1.conf" 2.conf
	run source-file '[12].conf'
	run source-file nope.conf
	run source-file '*.nope'
	run source-file -q nope.conf '*.nope'
	run source-file -v 2.conf
	run source-file -n 1.conf
	# tmux prints errors of files on standard output, rmux on standard error.
	run source-file bad.conf | sed 's/^err: //'
	run show -gqv @ok
	run source-file -F '#{?session_name,1,2}.conf'
	echo 'display-message -p stdin' | run source-file -
	run source-file 1.conf \; display-message -p after
}
compare "source-file" sources

done_testing
