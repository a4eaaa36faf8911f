#!/bin/sh
# capture-pane and clear-history.
. "${top_srcdir:-.}/regress/e2e/lib.sh"

# A pane that shows the contents of FILE, then "end".
show() {
	m new-window "cat '$1'; printf end; cat"
	expect_pane s: end
}

lines() {
	seq 1 60 >text
	show text
	run capture-pane -p
	run capture-pane -p -S -3
	run capture-pane -p -S 2 -E 4
	run capture-pane -p -S 4 -E 2
	run capture-pane -p -S - -E 0
	run capture-pane -p -S -1000 -E -30
	run capture-pane -p -E -
	run capture-pane -p -S x -E 1
	run capture-pane -p -S 1000
	m capture-pane
	run list-buffers
	m capture-pane -b named -S -5 -E -3
	run show-buffer -b named
	run clear-history
	run capture-pane -p -S -
}
compare "lines of screen and history" lines

wrapped() {
	printf '%0200d\nshort   \n' 7 >text
	show text
	run capture-pane -p
	run capture-pane -p -J
	run capture-pane -p -J -S 2 -E 3
}
compare "wrapped lines" wrapped

colours() {
	printf '\033[1;31mred\033[0m plain \033[4;38;5;100mx\033[48;2;1;2;3my\033[m\n\033[7mrev\033[27m \303\251\\\n' >text
	show text
	run capture-pane -p -E 3
	run capture-pane -p -E 3 -C
	m capture-pane -p -e -E 3 >ansi
	# Terminals order and group SGR parameters differently.
	sed 's/\x1b\[[0-9;:]*m//g' ansi
	m capture-pane -p -e -C -E 0 | grep -c '\\033\['
}
compare "colours and escapes" colours

alternate() {
	run capture-pane -a -p
	run capture-pane -a -q -p
	seq 1 30 >text
	printf '\033[?1049h\033[Halternate' >>text
	m new-window "cat text; cat"
	expect_pane s: alternate
	run capture-pane -p
	run capture-pane -a -p
}
compare "alternate screen" alternate

# A program has begun a sequence and not ended it; prints the number of pending
# bytes first.
pending() {
	while read -r count bytes; do
		printf "$bytes" >"text$count"
		m new-window "printf end; cat text$count -"
		expect_pane s: end
		printf '%s:\n' "$bytes"
		wait_for "[ \$(m capture-pane -P -p | wc -c) -eq $((count + 1)) ]"
		run capture-pane -P -p
		run capture-pane -P -C -p
		m capture-pane -P -b unfinished
		run show-buffer -b unfinished
	done <<-'END'
		1 \033
		5 x\033[1;3
		12 y\033]2;hello \303\251
		6 z\033Pq12\033
		7 \033[1\033[02
		8 \033[1\0017;;3
		11 \033_abc\\\\\\\\;;
		3 \033]2;one\007 two\033[4
	END
	m new-window "printf 'end\033[1m\033]2;all\007'; exec cat"
	expect_pane s: end
	run capture-pane -P -p
	run capture-pane -P -C -p -e -S 3
	m capture-pane -P -b none
	run show-buffer -b none
}
compare "an unfinished sequence" pending

# New in tmux 3.6: numbers, flags, links, the last written line.
newer() {
	{
		seq 1 30
		printf '\033]133;A\007$ \033]133;C\007run\n'
		printf '\033]8;;http://a/1\007one\033]8;;\007 '
		printf '\033]8;id=z;http://b\007two\033]8;;\007\n'
		printf '\033]8;id=z;http://b\007two again\033]8;;\007\n'
		printf '%0100d\033[44m\033[K\033[m\n' 7
	} >text
	show text
	run capture-pane -p -L -S -2 -E 1
	run capture-pane -p -F -L -S 16 -E 21
	run capture-pane -p -L -J -S 20 -E 22
	run capture-pane -p -H -S -
	run capture-pane -p -H -L -F -P -S -
	m capture-pane -p -e -N -S 22 -E 22 | sed 's/\x1b\[[0-9;:]*m//g' | wc -c
	m capture-pane -p -e -N -T -S 22 -E 22 |
		sed 's/\x1b\[[0-9;:]*m//g' | wc -c
	m capture-pane -p -R | sed -n '1,2p;$p'
	m capture-pane -p -R | grep -c ' link=z;http://b'
	m capture-pane -R -b raw
	m show-buffer -b raw | wc -l
	m new-window "printf '\033[?1049h\033[Halternate'; cat"
	expect_pane s: alternate
	run capture-pane -p -L -E 0
	m capture-pane -p -R | sed -n '1,2p'
}
rmux_only "numbers, flags, links and everything" newer '+ capture-pane -p -L -S -2 -E 1
-2 11
-1 12
0 13
1 14
+ capture-pane -p -F -L -S 16 -E 21
16 - 29
17 - 30
18 OP $ run
19 HX one two
20 HX two again
21 W 00000000000000000000000000000000000000000000000000000000000000000000000000000000
+ capture-pane -p -L -J -S 20 -E 22
20 two again
21 0000000000000000000000000000000000000000000000000000000000000000000000000000000022 00000000000000000007
+ capture-pane -p -H -S -
http://a/1 http://b
+ capture-pane -p -H -L -F -P -S -
19 HX http://a/1 http://b
81
21
80x24 history 12
-12 |1|
23 |end|
2
37
+ capture-pane -p -L -E 0
0 alternate
80x24 history 0 alternate
0 |alternate|'

# -I and -M as in tmux 3.8.
timed() {
	show /dev/null
	m respawn-pane -k 'seq 30; echo end; cat'
	expect_pane s: end
	run capture-pane -p -I -L -S -2 -E 1 | sed 's/ 1[0-9]\{9\} / TIME /'
	run capture-pane -p -H -I
	m copy-mode
	m send-keys -X -N 5 scroll-up
	# The text of the mode, not the part that it shows.
	run capture-pane -p -M -L -S -1 -E 0
	m clear-history
	m copy-mode
	run capture-pane -p -M -S - -E 0
	m run-shell -t s: 'seq 40'
	run capture-pane -p -M -S -1 -E 0
	run capture-pane -p -M -a
	m send-keys -X cancel
	m clock-mode
	run capture-pane -p -M -E 0
}
rmux_only "times, and the text of modes" timed '+ capture-pane -p -I -L -S -2 -E 1
-2 TIME 7
-1 TIME 8
0 0 9
1 0 10
+ capture-pane -p -H -I

+ capture-pane -p -M -L -S -1 -E 0
-1 8
0 9
+ capture-pane -p -M -S - -E 0
9
+ capture-pane -p -M -S -1 -E 0
16
17
+ capture-pane -p -M -a
err: no alternate screen
exit: 1
+ capture-pane -p -M -E 0
9'

done_testing
