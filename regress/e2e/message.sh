#!/bin/sh
# display-message, show-messages, histories of prompts.
. "${top_srcdir:-.}/regress/e2e/lib.sh"

display() {
	run display-message -p '#{session_name}:#{window_index} 100%%'
	run display-message -p -F '#{session_name}'
	run display-message -p -F a b
	run display-message nobody reads
	run display-message -p ''
	run display-message -I
}
compare "display-message" display

# -N: keys are ignored until the message expires.
unheard() {
	attach_in 80 24 "$(attach_command) -t s"
	m display-message -N -d 60000 stays
	expect_screen stays
	activity=$(m display-message -p -c "$client" '#{client_activity}')
	wait_for "[ \$(date +%s) -gt $((activity + 1)) ]"
	outer_keys L
	wait_for "[ \$(m display-message -p -c '$client' '#{client_activity}') -gt $activity ]"
	m display-message -N -d 0 second
	expect_screen second
	outer_keys q
	expect_pane s: q
	m capture-pane -p -t s: | grep -c L
	outer_screen | grep -c second
}
if [ $e2e_have_tmux = yes ]; then
	rmux_only "display-message -N" unheard "0
0"
else
	skip "display-message -N" "no tmux 3.3 as outer terminal"
fi

log() {
	m display-message -p hello >/dev/null
	m show-messages | grep -c 'command: display-message -p hello'
	m set -s message-limit 3
	m set -g @a 1
	m show-messages | wc -l
	m run-shell -b 'exec tail -f /dev/null'
	m show-messages -J | sed 's/fd=.*//'
	m display-message -p -l '#{session_name}'
}
rmux_only "show-messages" log "1
3
Job 0: exec tail -f /dev/null [
#{session_name}"

# Jobs end with their server.
jobs_end() {
	m run-shell -b "echo \$\$ >'$e2e_dir/pid'; exec tail -f /dev/null"
	wait_for "[ -s '$e2e_dir/pid' ]"
}
e2e_run_in rmux jobs_end
check "a job ends with its server" wait_for "! alive \$(cat '$e2e_dir/pid')" 3

prompts() {
	run show-prompt-history
	run show-prompt-history -T search
	run show-prompt-history -T nope
	run clear-prompt-history
	run clear-prompt-history -T nope
}
compare "histories of prompts" prompts

json() {
	run display-message -p -j '{ "b": [ {"z": true, "a": -5} ], "a": "x\"" }'
	m display-message -p -j -F '#{window_layout}' | sed 's/"[whxy]":[0-9]*/N/g'
	run display-message -p -j '{"a":1,}'
	run display-message -p -j
	m display-message -p -j -l '{"a":"#{pane_id}"}'
}
rmux_only "display-message -j" json '+ display-message -p -j { "b": [ {"z": true, "a": -5} ], "a": "x\"" }
{"a":"x\"","b":[{"a":-5,"z":true}]}
{"L":{"I":"%0","a":true,N,"i":0,"t":"p",N,N,N},"V":2}
+ display-message -p -j {"a":1,}
err: invalid object: ,}
exit: 1
+ display-message -p -j
err: empty input
exit: 1
{"a":"#{pane_id}"}'

# The error of a command run by a key does not name the line of the binding.
bound() {
	echo 'bind-key -n F5 select-window -t nothing' >f
	run source-file f
	attach_in 60 8 "$(attach_command) -t s; cat"
	outer_keys F5
	expect_screen "^Can.t find window: nothing"
	detach
}
compare "errors of bindings" bound

# A paste ends a message, as a key does, and reaches the program.
pasted() {
	attach_in 60 8 "$(attach_command) -t s; cat"
	m display-message -d 0 -c "$client" 'a message'
	expect_screen 'a message'
	outer_keys -H 1b 5b 32 30 30 7e 69 6e 1b 5b 32 30 31 7e
	wait_for '! outer_screen | grep -q "a message"' || echo "it stays"
	expect_pane s in
	detach
}
compare "a paste ends a message" pasted

done_testing
