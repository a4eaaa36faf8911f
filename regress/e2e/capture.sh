#!/bin/sh
# capture-pane and clear-history.
. "${top_srcdir:-.}/regress/e2e/lib.sh"

# A pane that shows what FILE holds; "end" follows.
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
	# Order and grouping of SGR parameters are each terminal's own.
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

# A program has begun a sequence and not ended it; first how many bytes wait.
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

done_testing
