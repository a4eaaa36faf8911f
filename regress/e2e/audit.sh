#!/bin/sh
# The audit trail: who came, what they did, never what they typed.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
. "$e2e_src/regress/e2e/people_lib.sh"
[ $e2e_have_tmux = yes ] || skip_all "no tmux to be the outer terminal"
umask 022
log=$e2e_dir/audit

# A record that matches the pattern comes.
recorded_line() {
	wait_for "grep -qs -- '$1' '$log'" "${2:-15}" && return 0
	echo "no record: $1"
	cat "$log"
	return 1
}

begin() {
	start 80 24 sh && m set-option -s audit-log "$log" &&
		[ "$(stat -c %a "$log")" = 600 ] &&
		recorded_line '^20[0-9-]*T[0-9:.]*Z open socket=' &&
		person host 80 24 "$(attached -t s)" && sees host '^\[s\]' &&
		recorded_line ' join client=/dev/[^ ]* id=[0-9]* kind=user role=admin session=s$'
}

unsafe() {
	mkdir -p "$e2e_dir/open" && chmod 777 "$e2e_dir/open" &&
		m set-option -s audit-log "$e2e_dir/open/log"
	[ $? = 1 ] && ! m set-option -s audit-log relative &&
		m set-option -s audit-log "$log" && [ ! -e "$e2e_dir/open/log" ]
}

comes() {
	ticket --type --once --for 10m -n 'Ana' &&
		recorded_line ' invite ticket=1 what=made role=type session=s seconds=600 guests=1 name=Ana$' &&
		person ana 60 16 "$(join X)" && sees ana '[$] *$' &&
		recorded_line ' join client=Ana id=[0-9]* kind=guest role=type session=s address=127.0.0.1:[0-9]* ticket=1 key=[0-9a-f]\{16\}$' &&
		recorded_line ' invite ticket=1 what=used$'
}

types() {
	p0=$(m display-message -p -t s '#{pane_id}')
	keys ana 'echo secret$((2*3))' Enter && sees host 'secret6' &&
		m set-role -t Ana view &&
		recorded_line " type client=Ana id=[0-9]* pane=$p0 keys=20 pasted=0 mouse=0 from=20[^ ]*Z to=20[^ ]*Z\$" &&
		recorded_line ' role client=Ana id=[0-9]* role=view by=shell$' &&
		! grep -e secret "$log"
}

refuses() {
	keys ana C-b c && sees ana 'read-only' &&
		raw ana '\033[200~pasted words\033[201~' &&
		keys ana C-b : && sees ana 'read-only' && m set-role -t Ana type &&
		recorded_line ' refuse client=Ana id=[0-9]* role=[1-9][0-9]* budget=0 commands=[12] command=' &&
		recorded_line ' size client=Ana id=[0-9]* cols=60 rows=16 changes=[0-9]*$' &&
		! grep -e pasted.words "$log"
}

# The guest's shell runs rmux: the owner's command, because of the guest.
by_shell() {
	keys ana "'$e2e_rmux' -L e2e set-buffer -b mine x" Enter &&
		wait_for 'm show-buffer -b mine' &&
		m show-messages | grep "command: set-buffer .*(from $p0, where Ana typed)" &&
		recorded_line ' command client=Ana id=[0-9]* via=shell command=set-buffer$'
}

by_hook() {
	m set-hook -g client-resized 'set-buffer -b hooked x' &&
		outer resize-window -t ana -x 62 -y 16 &&
		wait_for 'm show-buffer -b hooked' &&
		m show-messages | grep 'command: set-buffer -b hooked x (because of Ana)' &&
		recorded_line ' command client=Ana id=[0-9]* via=hook command=set-buffer$'
}

reopens() {
	mv "$log" "$log.moved" && kill -USR1 "$e2e_pid" &&
		wait_for '[ -e "$log" ]' &&
		m set-role -t Ana 'type' && recorded_line ' role client=Ana' &&
		m set-option -s audit-log-size 1 || return 1
	for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
		m set-role -t Ana view && m set-role -t Ana type || return 1
	done
	wait_for '[ -s "$log.1" ] && [ "$(wc -c <"$log.1")" -le 1024 ]'
}

leaves() {
	m set-option -s audit-log-size 0 && m invite -k 1 &&
		recorded_line ' invite ticket=1 what=end why="the invitation was revoked"$' &&
		recorded_line ' leave client=Ana id=[0-9]* why="the invitation was revoked"$' &&
		m set-option -s audit-log "" && recorded_line ' close$' &&
		! m show-messages | grep 'cannot write'
}

every_line() {
	cat "$log" "$log".* | grep -v '^20[0-9][0-9]-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-9][0-9]\.[0-9]\{3\}Z [a-z]*\( [a-z]*=\("\([^"\\]\|\\.\)*"\|[^" =]*\)\)*$'
	[ $? = 1 ]
}

# One message, however many records are lost; then a record of the loss.
full_disk() {
	mkdir "$e2e_dir/full" &&
		mount -t tmpfs -o size=4k,mode=700 none "$e2e_dir/full" 2>/dev/null || return 77
	m set-option -s audit-log "$e2e_dir/full/log" || return 1
	for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30; do
		m set-role -t "$client_tty" admin && m set-role -t "$client_tty" admin
	done
	wait_for 'm show-messages | grep -q "cannot write the audit log: No space left"' &&
		[ "$(m show-messages | grep -c 'cannot write the audit log')" = 1 ] &&
		: >"$e2e_dir/full/log" && m set-role -t "$client_tty" admin &&
		wait_for 'grep -q " lost writes=" "$e2e_dir/full/log"'
	full_result=$?
	m set-option -s audit-log ""
	umount -l "$e2e_dir/full"
	return $full_result
}

check "the log begins, with the host" begin
check "files and directories of others are refused" unsafe
check "a guest's coming" comes
check "typing is counted, not kept" types
check "refusals and sizes" refuses
check "a command of the guest's shell names the guest" by_shell
check "a command of a hook names the guest" by_hook
check "it is reopened and rotated" reopens
check "the end has a reason" leaves
check "every line has the documented form" every_line
client_tty=$(m list-clients -F '#{client_name}' | head -1)
full_disk >"$e2e_dir/check.out" 2>&1
case $? in
0) ok "a full disk is told once" ;;
77) skip "a full disk is told once" "no tmpfs can be mounted" ;;
*) not_ok "a full disk is told once" "$e2e_dir/check.out" ;;
esac
done_testing
