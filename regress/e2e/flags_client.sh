#!/bin/sh
# Flags of commands about clients, buffers, prompts and messages that no other
# script uses: beside tmux where it has them.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
[ $e2e_have_tmux = yes ] || skip_all "no tmux 3.3 as outer terminal"

attach() {
	m rename-window -t s:0 zero
	m set-option -g status-right ''
	m set-option -sg escape-time 0 \; set-option -g assume-paste-time 0
	attach_in 60 12 "$(attach_command) $*"
	expect_screen '\[s\]'
}

shows() {
	wait_for "m show-options -gqv $1 | grep -q -- '$2'" || echo "no $2 in $1"
	m set-option -gu "$1"
}

sent() {
	want=$1
	wait_for 'tr "\033\007" "@!" <sent | grep -qF -- "$want"' ||
		echo "not sent: $want"
}

record() {
	rm -f sent
	outer pipe-pane -O "cat >'$PWD/sent'"
	wait_for '[ -e sent ]'
}

# As run, with the client's name in the arguments.
runc() {
	run "$@" | sed "s|$client|CLIENT|g"
}

# The keys that a read-only client (-r) may use, and how it detaches.
read_only() {
	attach -r -t s
	run list-clients -F '#{client_readonly} #{client_flags}'
	outer_keys lost Enter
	outer_keys C-b
	outer_keys d
	wait_for '[ -z "$(m list-clients)" ]' || echo "client stays"
	run capture-pane -p -t s: -E 0
	attach -r -t s
	m switch-client -r -c "$client"
	outer_keys typed Enter
	expect_pane s: typed
	run capture-pane -p -t s: -E 0
	run list-clients -F '#{client_readonly}'
	runc switch-client -r -c "$client"
	run list-clients -F '#{client_readonly}'
	detach
	attach -f read-only,ignore-size -t s
	run list-clients -F '#{client_flags}'
	runc refresh-client -t "$client" -f '!read-only,!ignore-size'
	run list-clients -F '#{client_flags}'
	detach
}
compare "attach-session -r -f, switch-client -r, refresh-client -f" read_only

# Attaches a second client in the other half of the outer terminal.
second() {
	outer split-window "$(attach_command) $*"
	[ "$1" = -t ] || return
	wait_for '[ "$(m list-clients | wc -l)" = 2 ]' || echo "no second client"
}

one_left() {
	wait_for '[ "$(m list-clients | wc -l)" = 1 ]' || echo "not one client"
}

# other_left: one client remains, and it is not the first one.
other_left() {
	wait_for '[ "$(m list-clients -F "#{client_name}" |
		grep -v "^$client$" | wc -l)" = 1 ]' || echo "no other client"
	one_left
	client=$(m list-clients -F '#{client_name}')
}

others() {
	attach -t s
	second -d -t s
	other_left
	second -t s
	runc detach-client -a -t "$client"
	one_left
	m new-session -d -s z cat
	second -t z
	run detach-client -s z
	one_left
	run list-clients -F '#S'
	# -x: the shell that started the client ends as well.
	second -x -t s
	other_left
	second -t z
	m switch-client -c "$client" -t z
	run list-clients -F '#S'
	runc switch-client -c "$client" -n
	run list-clients -t s -F '#S'
	runc switch-client -c "$client" -p
	run list-clients -t s -F '#S'
	runc switch-client -c "$client" -l
	run list-clients -t s -F '#S'
	m kill-session -t z
	m detach-client -s s
	wait_for '[ -z "$(m list-clients)" ]' || echo "client stays"
}
compare "attach-session -d -x, detach-client -a -s, switch-client -n -p -l" others

# -E: the client executes another program; -P: its parent gets SIGHUP.
replaced() {
	attach -t s
	m detach-client -t "$client" -E 'echo instead; exec cat'
	expect_screen instead
	wait_for '[ -z "$(m list-clients)" ]' || echo "client stays"
	attach_in 60 12 "sh -c '$(attach_command) -t s; echo survived; cat'"
	expect_screen '\[s\]'
	m detach-client -P -t "$client"
	wait_for '! alive $e2e_outer' || {
		echo "the parent lives"
		outer_screen
	}
	e2e_outer=
}
compare "detach-client -E -P" replaced

taken() {
	m new-session -d -s e cat
	m set-environment -t s DISPLAY mine
	m set-environment -t e DISPLAY mine
	outer_start 60 12 "DISPLAY=other $(attach_command) -E -c / -t s"
	wait_for '[ -n "$(m list-clients)" ]' || echo "no client"
	client=$(m list-clients -F '#{client_name}')
	run show-environment -t s DISPLAY
	run display-message -p -t s: '#{session_path}'
	m switch-client -c "$client" -E -t e
	run show-environment -t e DISPLAY
	m switch-client -c "$client" -t s
	run show-environment -t s DISPLAY
	m split-window -t s: cat
	m resize-pane -Z -t s:
	runc switch-client -Z -c "$client" -t s:0.0
	run display-message -p -t s: '#P #{window_zoomed_flag}'
	m detach-client -t "$client" -E true
	wait_for '[ -z "$(m list-clients)" ]' || echo "client stays"
}
compare "attach-session -E -c, switch-client -E -Z" taken

panned() {
	m set-option -g window-size manual
	m resize-window -t s: -x 100 -y 30
	attach -t s
	at() {
		runc display-message -p -t "$client" \
			'#{window_offset_x} #{window_offset_y}'
	}
	m respawn-pane -k -t s: 'printf "\033[30;100H"; cat'
	wait_for '[ "$(m display-message -p -t "$client" "#{window_offset_x}")" = 40 ]'
	runc refresh-client -t "$client" -L 10
	at
	runc refresh-client -t "$client" -U 5
	at
	runc refresh-client -t "$client" -R 3
	at
	runc refresh-client -t "$client" -D 2
	at
	runc refresh-client -t "$client" -c
	at
	runc refresh-client -t "$client" -S
	detach
}
compare "refresh-client -LRUDcS" panned

# The clipboard of the terminal: queries and settings.
clipboard() {
	m set-option -as terminal-overrides \
		',*:Ms=\E]52;%p1%s;%p2%s\007'
	attach -t s
	record
	m refresh-client -t "$client" -l
	wait_for 'tr "\033" @ <sent | grep -q "@]52;c*;?"' || echo "not asked"
	m set-buffer -w -t "$client" 'to the clipboard'
	sent ';dG8gdGhlIGNsaXBib2FyZA=='
	echo fromfile >file
	m load-buffer -w -t "$client" file
	sent ';ZnJvbWZpbGUK'
	detach
}
# (Not beside tmux 3.3, whose server does not always survive the answer.)
rmux_only "refresh-client -l, set-buffer -w -t, load-buffer -w -t" clipboard ''

pasted() {
	m respawn-pane -k -t s: 'stty raw -echo; printf "\033[?2004hready\r\n"; dd bs=1 count=45 2>/dev/null | od -An -c; exec cat'
	expect_pane s: ready
	m set-buffer -b a 'one
two'
	run paste-buffer -b a -t s:
	run paste-buffer -r -b a -t s:
	run paste-buffer -s '+' -b a -t s:
	run paste-buffer -p -d -b a -t s:
	run list-buffers
	m send-keys -l -t s: ..................
	expect_pane s: '\[   2   0   1   ~'
	run capture-pane -p -t s:
}
compare "paste-buffer -p -d -r -s" pasted

# paste-buffer makes control characters visible; -S (tmux 3.4) leaves them.
as_it_is() {
	m respawn-pane -k -t s: 'stty raw -echo; printf "ready\r\n"; dd bs=1 count=9 2>/dev/null | od -An -tx1; exec cat'
	expect_pane s: ready
	m set-buffer -b a "$(printf 'a\033b')"
	m paste-buffer -b a -t s:
	m paste-buffer -S -b a -t s:
	m send-keys -l -t s: .........
	expect_pane s: '2e$'
	m capture-pane -p -t s: | sed -n 2p
}
rmux_only "paste-buffer -S" as_it_is ' 61 5e 5b 62 61 1b 62 2e 2e'

prefixes() {
	m set-option -g prefix2 C-x
	m respawn-pane -k -t s: 'stty raw -echo; printf "ready\r\n"; dd bs=1 count=2 2>/dev/null | od -An -tx1; exec cat'
	expect_pane s: ready
	run send-prefix -t s:
	run send-prefix -2 -t s:
	expect_pane s: '02 18'
	attach -t s
	m bind-key -T root F5 set-option -g @k bound
	run send-keys -R -t s:
	run send-keys -N 3 -t s: z
	run send-keys -H -t s: 61 62 0a
	expect_pane s: zzzab
	run send-keys -t s: -M
	detach
}
compare "send-prefix -2, send-keys -R -N -H -M" prefixes

# send-keys -K: as if it were typed at that client.
typed() {
	attach -t s
	m bind-key -T root F5 set-option -g @k bound
	m send-keys -K -c "$client" F5
	shows @k bound
	detach
}
rmux_only "send-keys -K -c" typed ''

prompted() {
	attach -t s
	m command-prompt -b -1 -p one -t "$client" 'set-option -g @a "%%"'
	expect_screen one
	outer_keys x
	shows @a x
	m command-prompt -b -k -p key -t "$client" 'set-option -g @a "%%"'
	expect_screen key
	outer_keys C-Up
	shows @a C-Up
	m command-prompt -b -N -p number -t "$client" 'set-option -g @a "%%"'
	expect_screen number
	outer_keys 4 2 Enter
	shows @a 42
	m command-prompt -b -F -I 'first,#S' -p 'a,b' -t "$client" \
		'set-option -g @a "%1-%2"'
	expect_screen first
	outer_keys Enter
	expect_screen '(b)\|b '
	outer_keys Enter
	shows @a 'first-s'
	m command-prompt -b -T search -p find -t "$client" 'set-option -g @a "%%"'
	expect_screen find
	outer_keys w Enter
	shows @a w
	run show-prompt-history -T search
	run clear-prompt-history -T search
	run show-prompt-history -T search
	m command-prompt -b -i -p inc -t "$client" 'set-option -g @a "%%"'
	expect_screen inc
	outer_keys q
	shows @a '=q'
	outer_keys C-c
	run show-messages -T -t "$client" >/dev/null
	detach
}
compare "command-prompt -1kNFITi" prompted

locked() {
	# The lock program must not read the terminal's replies to the client.
	m set-option -g lock-command 'echo locked; read -r x; echo "<$x>" >>said'
	# The lock must hide the previous contents of the terminal.
	attach_in 60 12 "sh -c 'echo private; $(attach_command) -t s; cat'"
	for how in "lock-client -t $client" 'lock-session -t s' lock-server; do
		run $how | grep -v '^+'
		expect_screen '^locked'
		outer_screen | grep private
		outer_keys Enter
		expect_screen '\[s\]'
	done
	cat said
	detach
}
compare "lock-client -t, lock-session -t, lock-server" locked

stopped() {
	outer_start 60 12 'sh -i'
	outer_keys "$(attach_command) -t s" Enter
	wait_for '[ -n "$(m list-clients)" ]' || echo "no client"
	client=$(m list-clients -F '#{client_name}')
	pid=$(m list-clients -F '#{client_pid}')
	expect_screen '\[s\]'
	m suspend-client -t "$client"
	wait_for 'ps -o stat= -p $pid | grep -q ^T' || echo "not stopped"
	expect_screen '^. '
	outer_keys fg Enter
	expect_screen '\[s\]'
	outer_keys word Enter
	expect_pane s: '^word'
	detach
}
compare "suspend-client -t" stopped

# In tmux since 3.6 -O orders the sessions; names are the order without it.
ordered() {
	m new-session -d -s z cat
	m new-session -d -s a cat
	attach -t s
	for order in creation name creation; do
		m switch-client -c "$client" -t s
		m switch-client -c "$client" -n -O $order
		m list-clients -F '#S'
	done
	m switch-client -c "$client" -p -O name
	m list-clients -F '#S'
	m switch-client -c "$client" -n -O nonsense
	detach
}
rmux_only "switch-client -O" ordered 'z
z
z
s
invalid sort order'

# -X: as -x of attach-session; -f: the flags of the client.
again() {
	attach -t s
	outer split-window "$(attach_command | sed 's/attach$/new-session/') -A -X -f read-only -s s"
	other_left
	run list-clients -F '#{client_flags}'
	m detach-client -t "$client"
	wait_for '[ -z "$(m list-clients)" ]' || echo "client stays"
}
compare "new-session -A -X -f" again

numbers() {
	m split-window -h -t s: cat
	m resize-pane -Z -t s:
	attach -t s
	m display-panes -d 0 'set-option -g @a "%%"'
	wait_for 'outer_screen -eN | grep -q "\[4[14]m"' || echo "no numbers"
	outer_keys 0
	shows @a '%0'
	detach
}
compare "display-panes -d" numbers

# Commands of callers without a client show variables of the client used last.
shown_client() {
	m new-session -d -s other cat
	f='#{client_width}/#{session_name}/#{client_session}'
	attach -t s
	run set-option -gF @a "$f"
	run show-options -gv @a
	run if-shell -F -t other: '#{client_session}' 'display-message -p yes' \
		'display-message -p no'
	run rename-session -t other "o-$f"
	run new-window -d -P -F "$f" -t s:
	run show-options -gF "$f" status
	run list-windows -a -F "$f"
	run list-buffers -F "$f"
	run list-commands -F "$f" lsk
	m set-hook -g window-renamed "set-option -gF @b '$f'"
	run rename-window -t s:0 named
	run show-options -gv @b
	run pipe-pane -t s:0 "echo '$f' >$e2e_dir/piped"
	wait_for '[ -s "$e2e_dir/piped" ]' || echo "no pipe"
	cat "$e2e_dir/piped"
	run list-keys -1 -T prefix c
	expect_screen new-window
	detach
	run set-option -gF @a "$f"
	run show-options -gv @a
}
compare "formats of commands without a client" shown_client

done_testing
