#!/bin/sh
# Guests wait until the host lets them in; words; the key that puts all out.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
. "$e2e_src/regress/e2e/people_lib.sh"
[ $e2e_have_tmux = yes ] || skip_all "no tmux to be the outer terminal"

begin() {
	start 80 24 sh && m set-option -g status-left '[#S] ' &&
		person host 80 24 "$(attached -t s)" && sees host '^\[s\]' &&
		keys host 'echo my $((5*5))' Enter && sees host 'my 25'
}
check "a host" begin

asks() {
	ticket --ask --view --for 10m && m invite -l | grep '^1: view after asking,' &&
		! m guest -a && person ana 70 16 "$(join Ana --verify)" &&
		sees ana 'waiting for approval' &&
		sees host 'Ana asks to join s, to view' &&
		sees host 'from 127.0.0.1:[0-9]*, words' &&
		sees host 'C-b Y lets in, C-b N refuses' &&
		m guest | grep '^Ana: view, invitation 1, from 127.0.0.1:[0-9]*, words [a-z-]*$'
}

# Both ends derive the words; the guest's come from its own client.
same_words() {
	words=$(m guest | sed 's/.*words //')
	[ ${#words} = 23 ] && sees ana "same words: $words" && sees host "words $words"
}

# Nothing of the session reaches the guest, nothing of the guest the session.
sees_nothing() {
	keys host 'echo secret $((6*6))' Enter && sees host 'secret 36' &&
		keys ana 'echo intruder' Enter C-b c C-b d &&
		raw ana '\033[200~intruder\033[201~\033[<0;5;5M' &&
		outer resize-window -t ana -x 66 -y 14 &&
		sees ana '^  *waiting for approval' && sees ana '^  *Ctrl-^ ? shows' &&
		! screen_of ana | grep -e 'my 25' -e 'secret' -e '\[s\]' &&
		! screen_of host | grep intruder &&
		[ "$(m list-windows -a | wc -l)" = 1 ] && sees ana 'waiting for approval'
}

# The box takes no key: the host's work goes on, y and n are text.
works_on() {
	keys host 'echo yYnN' Enter && sees host '^yYnN' &&
		screen_of host | grep 'Ana asks'
}

let_in() {
	keys host C-b Y && sees ana 'secret 36' && sees ana '^\[s\]' &&
		wait_for '! screen_of host | grep -q "Ana asks"' &&
		[ "$(m list-clients -F '#{client_words}' | grep .)" = "$words" ] &&
		[ -z "$(m guest)" ] && m show-messages | grep 'let Ana in'
}
check "a guest asks; the host sees who, whence and words" asks
check "and the guest sees the same words" same_words
check "meanwhile it sees nothing and does nothing" sees_nothing
check "and the host works on" works_on
check "one key lets it in" let_in

# A ticket that was read aloud, as one types it; the guest does not hear well.
spoken() {
	ticket --ask --view -w &&
		echo "$ticket" | grep -x '127.0.0.1[0-9:]* [a-z-]*' &&
		said=$(echo "$ticket" | tr 'a-z-' 'A-Z ') &&
		"$e2e_rmux" join ${said% *} 2>&1 | grep 'word 9 behind the address' &&
		"$e2e_rmux" join $said $said 2>&1 | grep 'do not belong together' &&
		"$e2e_rmux" join x:y $said 2>&1 | grep 'not an address' || return 1
	ticket="nohost.invalid ${said#* }"
	person deb 70 9 "$(join Deb)" && sees deb 'names is unknown here' &&
		outer kill-session -t =deb || return 1
	ticket=$said
	person cat 70 16 "$(join Cat)" && sees host 'Cat asks' &&
		keys host C-b Y && sees cat 'secret 36'
}
check "an invitation that one can say" spoken

refused() {
	person ben 70 16 "$(join Ben)" && sees host 'Ben asks' &&
		person eve 70 16 "$(join Eve)" && sees host '1 more waits' &&
		m guest -r -t Eve && sees eve 'the host does not let you in' &&
		! m guest -a -t Eve && keys host C-b N &&
		sees ben 'the host does not let you in' && sees ben '^sane' &&
		wait_for '! screen_of host | grep -q "asks"'
}
check "another key refuses; scripts name the guest" refused

by_option() {
	m set-option -s guest-approval on && ticket --type &&
		person dan 70 16 "$(join Dan)" && sees dan 'waiting for approval' &&
		m set-option -s guest-approval off && ticket --type &&
		person eva 70 16 "$(join Eva)" && sees eva 'secret 36'
}
check "the option asks for all new invitations" by_option

# Twenty guests at once: one box, at most 16 wait.
flood() {
	ticket --ask || return 1
	for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17; do
		person "f$i" 60 10 "$(join "F$i")" || return 1
	done
	wait_for '[ "$(m guest | wc -l)" = 16 ]' 20 && sees host '15 more wait' &&
		[ "$(screen_of host | grep -c asks)" = 1 ] && [ "$(m guest | wc -l)" = 16 ]
}

all_out() {
	keys host C-b X && sees ana 'invitation was revoked' &&
		sees dan 'invitation was revoked' && sees eva 'invitation was revoked' &&
		sees f1 'invitation was revoked' && [ -z "$(m invite -l)" ] &&
		[ -z "$(m guest)" ] &&
		wait_for '[ "$(m list-clients | wc -l)" = 1 ]' &&
		wait_for '! screen_of host | grep -q "asks"'
}
check "a crowd at the door is one box, and bounded" flood
check "one key puts all out" all_out
done_testing
