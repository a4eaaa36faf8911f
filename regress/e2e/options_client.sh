#!/bin/sh
# Options about the features of the client's terminal and the reading of its
# keys, and terminals with few features.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
[ $e2e_have_tmux = yes ] || skip_all "no tmux 3.3 as outer terminal"

# attach [VARIABLES for the client]
attach() {
	m set-option -g status-right ''
	attach_in 60 12 "export ${*:-A=b}; $(attach_command) -t s"
	expect_screen '\[s\]'
}

shows() {
	wait_for "m show-options -gqv $1 | grep -q '$2'" || echo "no $2 in $1"
}

# The program of the pane: prints its argument (for printf), then sleeps.
prints() {
	m respawn-pane -k -t s: "printf '$1'; printf 'end'; exec cat"
	expect_pane s: end
}

# The colour in which the outer terminal shows "red".
colour_of() {
	wait_for 'outer_screen | grep -q "^redend"' || echo "no red"
	wait_for "outer_screen -e | grep -q '$1.*red'" || outer_screen -e | head -n 1
}

colours() {
	prints '\033[38;2;255;0;0mred\033[m'
	m set-option -s terminal-overrides '*:Tc'
	attach TERM=screen-256color
	colour_of '38;2;255;0;0m'
	detach
	m set-option -s terminal-overrides ''
	m set-option -s terminal-features '*:RGB'
	attach TERM=screen-256color
	colour_of '38;2;255;0;0m'
	detach
}
compare "terminal-overrides, terminal-features: colours" colours

# While the client is attached: tmux applies these at the next attach.
at_once() {
	prints '\033[38;2;255;0;0mred\033[m'
	attach
	colour_of '38;2;255;0;0m'
	m set-option -s terminal-overrides '*:Tc@'
	colour_of '38;5;196m'
	m set-option -s terminal-overrides '*:colors=8'
	colour_of '[39]1m'
	m set-option -s terminal-overrides 'nothing*:Tc@'
	colour_of '38;2;255;0;0m'
	detach
}
rmux_only "terminal-overrides at once" at_once ''

# The text before the attach stays in the history of the terminal.
scrolled() {
	m set-option -g status-right ''
	m set-option -s clear-on-attach off
	attach_in 60 12 "echo before; $(attach_command) -t s; exec cat"
	expect_screen '\[s\]'
	wait_for 'outer_screen -S - | grep -q before' || outer_screen -S -
	outer_screen | grep before
	outer display-message -p '#{alternate_on}'
	detach
}
rmux_only "clear-on-attach off" scrolled '0'

underlines() {
	prints '\033[4:3mred\033[m'
	m set-option -s terminal-overrides '*:Smulx=\E[4\:%p1%dm'
	attach
	colour_of '4:3m'
	detach
	m set-option -s terminal-overrides '*:Smulx@:Setulc@'
	attach
	colour_of '\[4m'
	detach
}
rmux_only "terminal-overrides: underlines" underlines ''

# Without smcup the previous screen remains.
main_screen() {
	m set-option -s terminal-overrides '*:smcup@:rmcup@'
	attach
	wait_for '[ "$(outer display-message -p "#{alternate_on}")" = 0 ]' ||
		echo "alternate screen"
	detach
	m set-option -s terminal-overrides ''
	attach
	wait_for '[ "$(outer display-message -p "#{alternate_on}")" = 1 ]' ||
		echo "main screen"
	detach
}
compare "terminal-overrides: smcup, rmcup" main_screen

own_keys() {
	m set-option -s 'user-keys[0]' "$(printf '\033[9;9~')"
	m set-option -s 'user-keys[7]' "$(printf '\033]own')"
	m bind-key -n User0 set-option -g @u zero
	m bind-key -n User7 set-option -g @u seven
	attach
	outer_keys -H 1b 5b 39 3b 39 7e
	shows @u zero
	outer_keys -H 1b 5d 6f 77 6e
	shows @u seven
	outer_keys text Enter
	expect_pane s: '^text'
	detach
}
compare "user-keys" own_keys

# A lone escape waits for the escape-time, which is longer than the gaps between
# the keys typed here.
escape() {
	m bind-key -n M-y set-option -g @m meta
	m set-option -s escape-time 60000
	attach
	outer_keys Escape
	outer_keys y
	shows @m meta
	detach
	m set-option -s escape-time 0
	m set-option -g @m none
	attach
	outer_keys Escape
	expect_pane s: '\^\['
	outer_keys y Enter
	expect_pane s: '\^\[y'
	shows @m none
	detach
}
compare "escape-time" escape

# Keys at the speed of a program, from a terminal without bracketed paste.
pasted() {
	m bind-key -n y set-option -g @y typed
	m set-option -g assume-paste-time 60000
	attach TERM=vt100
	outer_keys xxy Enter
	expect_pane s: '^xxy'
	m set-option -g assume-paste-time 0
	outer_keys zzyzz Enter
	shows @y typed
	expect_pane s: '^zzzz'
	detach
}
compare_old "assume-paste-time" pasted

# Without UTF-8: lines by DEC special graphics, and one question mark a column
# for a character that cannot be shown.  (tmux shows an underscore.)
# (The erase method decides whether the last line drawing is closed.)
first_row() {
	outer_screen -e | sed -n 1p | tr '\016\017\033' '<>@' | sed 's/@\[[0-9;]*m//g; s/>$//'
}

# first_row_is TEXT
first_row_is() {
	row=$1
	wait_for '[ "$(first_row)" = "$row" ]' || first_row
}

no_utf8() {
	prints 'caf\303\251 \342\202\254 \346\227\245| \033(0lqk\033(B \342\224\214\342\224\201 \342\200\234q\342\200\235'
	m split-window -h -t s: cat
	attach LC_ALL=C TERM=screen
	first_row_is 'caf? ? ??| <lqk> <lq> "q"end      <x'
	detach
	attach LC_ALL=C TERM=dumb
	first_row_is 'caf? ? ??| +-+ +- "q"end      |'
	detach
}
rmux_only "a terminal without UTF-8" no_utf8 ''

done_testing
