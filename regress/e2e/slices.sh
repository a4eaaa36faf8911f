#!/bin/sh
# Copy mode over a long history: commands wait for a search, others do not.
# shellcheck source=regress/e2e/lib.sh
. "${top_srcdir:-.}/regress/e2e/lib.sh"

lines=200000

fill() {
	m set-option -g history-limit 300000
	m new-window -d -t s:7 "seq -f 'line %07g of a long history' $lines; echo all; cat"
	expect_pane s:7 all
	m copy-mode -t s:7
}

# The commands behind a search see its result.
waiting() {
	fill
	m send-keys -t s:7 -X search-backward 'line 000000[7]' \; \
		display-message -p -t s:7 '#{copy_cursor_line} #{search_present}'
	m send-keys -t s:7 -X search-forward-text 0199998 \; \
		display-message -p -t s:7 '#{copy_cursor_line}'
	m send-keys -t s:7 -X search-backward 'abs[e]nt' \; \
		display-message -p -t s:7 '#{copy_cursor_line} #{search_present} #{search_timed_out}'
	# Matches are counted behind the command.
	m send-keys -t s:7 -X search-backward-text 99
	wait_for '[ "$(m display-message -p -t s:7 "#{search_count_partial}")" = 0 ]' ||
		echo "not counted"
	m display-message -p -t s:7 '#{search_count}'
}
rmux_only "commands wait for a search" waiting "line 0000007 of a long history 1
line 0199998 of a long history
line 0199998 of a long history 0 0
7438"

# The text of the mode outlives the history.
lasting() {
	mkfifo "$e2e_dir/bytes"
	m set-option -g history-limit 10000
	m new-window -d -t s:7 "seq -f 'line %07g of a long history' 5000; echo all; cat '$e2e_dir/bytes' -"
	expect_pane s:7 all
	m copy-mode -t s:7
	m send-keys -t s:7 -X search-backward-text 0000007
	printf '\033[H\033[J\033[3J' >"$e2e_dir/bytes"
	wait_for '[ "$(m display-message -p -t s:7 "#{history_size}")" = 0 ]' ||
		echo "not cleared"
	m send-keys -t s:7 -X cursor-down
	m display-message -p -t s:7 '#{copy_cursor_line} #{history_size}'
	m resize-window -t s:7 -x 20 -y 4
	m display-message -p -t s:7 '#{copy_cursor_line}'
	m send-keys -t s:7 -X history-top
	m display-message -p -t s:7 '#{copy_cursor_line}'
}
rmux_only "text stays as long as the mode" lasting "line 0000008 of a long history 0
line 0000008 of a lo
line 0000001 of a lo"

rss() {
	awk '/^VmRSS/ { print $2 }' "/proc/$(m display-message -p '#{pid}')/status"
}

# A large buffer is wiped and given back piece by piece, between other events.
giving_back() {
	head -c 60000000 /dev/zero | tr '\0' x >"$e2e_dir/large"
	m load-buffer -b large "$e2e_dir/large"
	full=$(rss)
	m delete-buffer -b large
	wait_for '[ "$(rss)" -lt "$((full - 50000))" ]' || echo "$full $(rss)"
}
[ -n "${RMUX_ASAN:-}" ] ||
	rmux_only "a large buffer is given back" giving_back ""

bad() {
	m copy-mode -t s:
	run send-keys -t s: -X search-backward '(a'
	run send-keys -t s: -X search-backward '(a)\1'
	run send-keys -t s: -X search-backward '(x+x+)+[yz]'
}
rmux_only "bad expressions are named" bad "+ send-keys -t s: -X search-backward (a
err: bad regular expression: Unmatched ( or \\(
exit: 1
+ send-keys -t s: -X search-backward (a)\\1
err: back-references are not supported
exit: 1
+ send-keys -t s: -X search-backward (x+x+)+[yz]"

done_testing
