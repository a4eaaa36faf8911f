#!/bin/sh
# Options whose effect no other script shows; and options.list names every
# option.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
[ $e2e_have_tmux = yes ] || skip_all "no tmux 3.3 as outer terminal"

attach() {
	m set-option -g status-right ''
	attach_in 60 12 "$(attach_command) -t ${1:-s}"
}

shows() {
	wait_for "m show-options -gqv $1 | grep -q '$2'" || echo "no $2 in $1"
	run show-options -gqv "$1"
}

keys() {
	m set-option -g prefix2 C-a
	m bind-key y set-option -g @y prefix2
	m bind-key -T mine k set-option -g @k mine
	m bind-key -T mine Any set-option -g @any other
	m split-window -d -t s: cat
	attach
	m set-option -w -t s: synchronize-panes on
	outer_keys both Enter
	expect_pane s:.0 both
	expect_pane s:.1 both
	m set-option -w -t s: synchronize-panes off
	outer_keys C-a
	wait_for 'm list-clients -F "#{client_prefix}" | grep -q 1'
	outer_keys y
	shows @y prefix2
	m set-option -g key-table mine
	outer_keys k
	shows @k mine
	detach
}
compare "synchronize-panes, prefix2, key-table" keys

destroyed() {
	m new-session -d -s other cat
	attach other
	m set-option -g detach-on-destroy off
	m kill-session -t other
	wait_for 'm list-clients -F "#S" | grep -q "^s$"' || echo "not moved"
	run list-clients -F '#S'
	m new-session -d -s gone cat
	m switch-client -c "$client" -t gone
	m set-option -t gone destroy-unattached on
	m switch-client -c "$client" -t s
	wait_for '! m has-session -t gone 2>/dev/null' || echo "gone stays"
	m new-session -d -s never cat
	m set-option -t never destroy-unattached on
	wait_for '! m has-session -t never 2>/dev/null' || echo "never stays"
	m set-option -g detach-on-destroy on
	m new-session -d -s last cat
	m switch-client -c "$client" -t last
	m kill-session -t last
	wait_for '[ -z "$(m list-clients)" ]' || echo "client stays"
	run list-sessions -F '#S'
}
compare "detach-on-destroy, destroy-unattached" destroyed

emptied() {
	m set-option -s exit-empty off
	m kill-session -t s
	run list-sessions
	alive $e2e_pid || echo "ended"
	# In this order, because tmux exits at once without a session.
	m new-session -d -s t cat
	m set-option -s exit-empty on
	m kill-session -t t
	wait_for '! alive $e2e_pid' || echo "did not end"
}
compare "exit-empty" emptied

clipboard() {
	m set-option -s set-clipboard external
	m respawn-pane -k -t s: 'printf "\033]52;c;bm8=\007done"; cat'
	expect_pane s: 'done'
	run list-buffers -F '#{buffer_sample}'
	m set-option -s set-clipboard on
	m respawn-pane -k -t s: 'printf "\033]52;c;eWVz\007done"; cat'
	expect_pane s: 'done'
	wait_for '[ -n "$(m list-buffers)" ]' || echo "no buffer"
	run list-buffers -F '#{buffer_sample}'
}
compare "set-clipboard" clipboard

border_styles() {
	m split-window -h -t s: cat
	attach
	m set-option -g pane-border-style fg=red
	m set-option -g pane-active-border-style fg=blue
	wait_for 'outer_screen -e | grep -q "34m│"' || echo "no blue"
	m set-option -g pane-border-indicators off
	m set-option -g pane-active-border-style fg=green
	wait_for 'outer_screen -e | grep -q "32m│"' || echo "no green"
	m split-window -d -h -t s:.0 cat
	wait_for 'outer_screen -e | grep -q "31m│"' || echo "no red"
	detach
}
compare "pane-border-style, pane-active-border-style" border_styles

numbers() {
	m split-window -h -t s: cat
	m set-option -g display-panes-colour green
	m set-option -g display-panes-active-colour magenta
	m set-option -g display-panes-time 60000
	attach
	m display-panes
	wait_for 'outer_screen -eN | grep -q "\[42m"' || echo "no green"
	wait_for 'outer_screen -eN | grep -q "\[45m"' || echo "no magenta"
	outer_keys 0
	wait_for '! outer_screen -eN | grep -q "\[45m"' || echo "numbers stay"
	run display-message -p -t s: '#P'
	detach
}
compare "display-panes-colour, -active-colour, -time" numbers

# A program that queries the clipboard gets the newest buffer.
asked() {
	m set-buffer secret
	m set-option -s get-clipboard off
	m respawn-pane -k -t s: 'stty raw -echo; printf "\033]52;c;?\007ready"; dd bs=1 count=1 2>/dev/null | od -c | head -n 1; stty sane; cat'
	expect_pane s: ready
	m send-keys -t s: z
	expect_pane s: '0000000   z'
	m set-option -s get-clipboard buffer
	m respawn-pane -k -t s: 'stty raw -echo; printf "\033]52;c;?\007"; dd bs=1 count=15 2>/dev/null | od -c | head -n 1; stty sane; cat'
	expect_pane s: '0000000 033   \]   5   2'
}
rmux_only "get-clipboard" asked ''

# asks WANT: a program sends the query; the reply must begin with WANT.
asks() {
	m respawn-pane -k -t s: 'stty raw -echo; printf "\033]52;c;?\007"; dd bs=1 count=14 2>/dev/null | tr "\033" @; stty sane; echo; cat'
	expect_pane s: "^@]52;c*;$1" || echo "not $1"
}

# ... or the clipboard of the terminal, here one of tmux.
fetched() {
	m set-buffer inside
	m set-option -s get-clipboard both
	asks aW5za
	attach
	outer set-option -s set-clipboard on
	wait_for 'm list-clients -F "#{client_termfeatures}" | grep -q clipboard' ||
		echo "no clipboard"
	outer set-buffer outside
	asks b3V0c
	m set-option -s get-clipboard request
	asks b3V0c
	m refresh-client -t "$client" -l
	wait_for '[ "$(m show-buffer)" = outside ]' || echo "not fetched"
	detach
	run list-buffers -F '#{buffer_size} #{buffer_sample}'
}
rmux_only "get-clipboard request and both, refresh-client -l" fetched \
	"+ list-buffers -F #{buffer_size} #{buffer_sample}
7 outside
6 inside"

listed() {
	sed -n 's/^X([A-Z_0-9]*, "\([a-z0-9-]*\)".*/\1/p' "$e2e_src/conf/option.def" |
		sed '/^after-/,$d' | sort >all
	sed -e '/^#/d' -e 's/	.*//' "$e2e_src/regress/e2e/options.list" | sort >named
	diff all named
	grep -v '^#' "$e2e_src/regress/e2e/options.list" |
		while IFS='	' read -r name where; do
			case $where in
			"- "?*) ;;
			*.sh) grep -q -e "$name" "$e2e_src/regress/e2e/$where" ||
				echo "$where does not show $name" ;;
			*) echo "$name: neither script nor reason" ;;
			esac
		done
}
rmux_only "options.list names every option" listed ''

done_testing
