#!/bin/sh
# Option bidi: text from right to left as the outer terminal shows it.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
[ $e2e_have_tmux = yes ] || skip_all "no tmux 3.3 as outer terminal"

with() {
	grep -q '^#define WITH_FRIBIDI 1' "$e2e_build/config.h"
}

without() {
	run set-option -g bidi on
	m show-options -gv bidi
}
if ! with; then
	rmux_only "bidi without fribidi" without '+ set-option -g bidi on
bidi: this rmux was built without fribidi
off'
	done_testing
	exit
fi

shown() {
	m new-window -t s: "printf '\033[?1000h\033[?1006h\$ אבג (ד)'; exec cat -v"
	m set-option -g status off
	attach_in 40 6 "$(attach_command) -t s"
	expect_screen 'אבג (ד)'
	run set-option -g bidi on
	wait_for "outer_screen | grep -q '(ד) גבא'" || outer_screen
	outer_screen | grep .
	# A click on alef, which is the last one, counts its own column.
	outer send-keys -H 1b 5b 3c 30 3b 39 3b 31 4d
	expect_pane s: '<0;3;1M'
	# Captures and copies have the text as it was written.
	m capture-pane -p -t s: | head -1 | cut -d'^' -f1
	m copy-mode -t s:
	m send-keys -t s: -X history-top
	m send-keys -t s: -X start-of-line
	m send-keys -t s: -X begin-selection
	m send-keys -t s: -N 5 -X cursor-right
	m send-keys -t s: -X copy-selection-and-cancel
	m show-buffer
	echo
	run set-option -g bidi off
	wait_for "outer_screen | grep -q 'אבג (ד)'" || outer_screen
	detach
}
rmux_only "bidi" shown '+ set-option -g bidi on
$ (ד) גבא
$ אבג (ד)
$ אבג
+ set-option -g bidi off'
done_testing
