#!/bin/sh
# Full-screen programs look in rmux as they do in a bare terminal.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
. "$e2e_src/regress/e2e/programs_lib.sh"

if program mc mc; then
	begin_mc -d
	keys Down Down F3
	same 'file 1'
	keys F3 F9
	same 'Left'
	keys Right Enter
	same 'View'
	keys Escape Escape
	same '10Quit'
	keys Insert Insert F5
	same 'Copy'
	keys Escape Escape
	same '10Quit'
	keys F10
	same 'END 0'
	finish
fi

if program fzf fzf; then
	seq 1000 1300 >numbers
	begin 'fzf --multi --preview "echo preview of {}; seq {}" <numbers'
	same '301/301'
	keys 12
	same '138/301'
	keys Up Up Tab
	same '(1)'
	keys '0$'
	same '0\$'
	keys Enter
	same 'END 0'
	finish
fi

if program "fzf below the prompt" fzf; then
	begin 'seq 50 | fzf --height 40% --reverse --color=16'
	same '50/50'
	keys Down Down 3
	same '14/50'
	keys Escape
	same 'END 130'
	finish
fi

if program ncdu ncdu; then
	mkdir -p du/one/two
	seq 1000 >du/one/f
	seq 5000 >du/one/two/g
	begin 'ncdu du'
	same '/one'
	keys Enter
	same '/two'
	keys '?'
	same 'Keys'
	keys q q
	same 'END 0'
	finish
fi

# Monitors show one idle process, without their meters.
sleep 1000 & # sleep-ok: the process to look at
sleeper=$!
if program top top; then
	# Not to the last column: rmux and xterm erase a character with a pending
	# wrap there, tmux does not.
	begin "HOME=\$PWD top -w 79 -d 600 -p $sleeper"
	shown "^ *$sleeper "
	keys h
	same 'Help for Interactive'
	keys Escape
	shown "^ *$sleeper "
	keys f
	same 'Fields Management'
	keys Escape
	shown "^ *$sleeper "
	keys q
	shown 'END 0'
	finish
fi

if program htop htop; then
	mkdir -p .config/htop
	printf '%s\n' htop_version=3.2.2 config_reader_min_version=3 \
		'fields=0 48 17 18 38 39 40 2 46 47 49 1' \
		header_layout=one_100 column_meters_0=Hostname \
		column_meter_modes_0=2 >.config/htop/htoprc
	begin "HOME=\$PWD htop -d 600 -p $sleeper"
	same 'F10Quit'
	keys F1
	same 'htop'
	keys Escape
	same 'F10Quit'
	keys F2
	same 'Categories'
	keys Down Down
	same 'Colors'
	keys F10
	same 'F10Quit'
	keys F6
	same 'Sort by'
	keys Escape
	same 'F10Quit'
	keys F10
	same 'END'
	finish
fi
kill $sleeper
done_testing
