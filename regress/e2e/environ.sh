#!/bin/sh
# set-environment and show-environment, and the environment of programs.
. "${top_srcdir:-.}/regress/e2e/lib.sh"

set_show() {
	run set-environment -g A b
	run show-environment -g A
	run set-environment A c
	run show-environment A
	run show-environment -g A
	run set-environment -r A
	run show-environment A
	run show-environment -s A
	run set-environment -u A
	run show-environment A
	run set-environment B 'x "y" $z `w`'
	run show-environment B
	run show-environment -s B
	run show-environment | grep -v '^-'
	run set-environment -h H hidden
	run show-environment H
	run show-environment -h H
	run show-environment -h
	run set-environment -F F '#{session_name}'
	run show-environment F
}
compare "set and show" set_show

errors() {
	run set-environment
	run set-environment a=b c
	run set-environment "" c
	run set-environment X
	run set-environment -r X y
	run set-environment -u X y
	run show-environment nope
	run show-environment -t nope X
	run set-environment -t nope X y
}
compare "errors" errors

programs() {
	m set-environment -g GLOBAL one
	m set-environment LOCAL two
	m set-environment -r HOME
	m set-environment -h HIDDEN three
	m new-window 'env | grep -E "^(GLOBAL|LOCAL|HOME|HIDDEN)=" | sort >out; echo end; cat'
	expect_pane s: end
	cat out
	run run-shell "echo \"\$GLOBAL \$LOCAL [\$HIDDEN]\" >'$PWD/job'"
	cat job
	run display-message -p '#{GLOBAL} #{LOCAL} #{HIDDEN}'
}
compare "programs get them" programs

done_testing
