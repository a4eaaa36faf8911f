#!/bin/sh
# hints: by keys and by commands, with a shell that opens the text of a hint, and
# with text that a shell must not run.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
[ $e2e_have_tmux = yes ] || skip_all "no tmux 3.3 as outer terminal"

# shows COLS ROWS TEXT: a client, and a program that has printed TEXT (printf).
shows() {
	printf '%s' "$3" >"$e2e_dir/text"
	m set-option -g status-right '' \; set-option -g status-left '[#S] ' \
		\; set-option -g mouse on
	attach_in "$1" "$2" "$(attach_command) -t s"
	m respawn-pane -k -t s "printf \"\$(cat '$e2e_dir/text')\"; echo end; cat"
	expect_pane s end
}

mode() {
	m display-message -p -t s: '#{pane_mode}'
}

in_mode() {
	wait_for "[ \"\$(mode)\" = '$1' ]" || echo "mode: $(mode), not $1"
}

buffer() {
	wait_for "[ \"\$(m show-buffer 2>/dev/null)\" = '$1' ]" ||
		echo "buffer: $(m show-buffer)"
}

screen() {
	wait_for "outer_screen | grep -qF '$1'" || outer_screen
}

labels() {
	shows 60 12 'see http://a.b/c and /usr/bin\nid 12345\n'
	outer_keys C-b h
	in_mode hints-mode
	screen 'see sttp://a.b/c and dusr/bin'
	outer_keys s
	buffer http://a.b/c
	in_mode ''
	screen 'copied: http://a.b/c'
	# A capital pastes.
	outer_keys C-b h
	in_mode hints-mode
	outer_keys A
	buffer 12345
	wait_for 'm capture-pane -p -t s | grep -q ^12345' || echo "not pasted"
	# Only some kinds; a label that copies without a client's keys.
	run hints -t s -k path
	in_mode hints-mode
	m send-keys -t s a
	buffer /usr/bin
	run hints -t s -k uuid
	run hints -t s -k nonsense
	run clock-mode -t s
	run hints -t s
	detach
}
rmux_only "labels copy and paste" labels "+ hints -t s -k path
+ hints -t s -k uuid
err: the pane shows nothing to label
exit: 1
+ hints -t s -k nonsense
err: unknown kind of hint: nonsense
exit: 1
+ clock-mode -t s
+ hints -t s
err: hints need a program or copy mode in the pane: leave clock-mode first
exit: 1"

looks() {
	shows 60 12 'at http://a.b/c ABC-1 x\n'
	m set-option -g hints-alphabet xy \; set-option -g hints-style fg=red \
		\; set-option -g hints-match-style fg=blue \
		\; set-option -g hints-label-style fg=green \
		\; set-option -g 'hints-patterns[0]' '[A-Z]+-[0-9]'
	outer_keys C-b h
	in_mode hints-mode
	screen 'yBC-1'
	outer capture-pane -pe | sed -n 1p | tr '\033' '^' |
		sed 's/\^\[39m//g'
	outer_keys Escape
	in_mode ''
	m set-option -g 'hints-patterns[1]' '(a'
	run hints -t s
	detach
}
rmux_only "styles, alphabet, patterns" looks "^[31mat ^[32mx^[34mttp://a.b/c^[31m ^[32my^[34mBC-1^[31m x
+ hints -t s
err: hints-patterns[1] is left out: bad regular expression: Unmatched ( or \\(
exit: 1"

# The shell gets the text of a hyperlink as one word, whatever is in it.
opens() {
	uri='https://x/$(id)`id`"'"'"';id|#{pid}#(id)%H\\a&b'
	printf '\033]8;;%s\033\\link\033]8;;\033\\ /usr/bin\n' "$uri" \
		>"$e2e_dir/screen"
	cat >"$e2e_dir/open" <<-END
		#!/bin/sh
		printf '%s %s %s' "\$#" "\$RMUX_HINT_KIND" "\$1" >"$e2e_dir/new"
		mv "$e2e_dir/new" "$e2e_dir/opened"
	END
	chmod +x "$e2e_dir/open"
	m set-option -g status-right ''
	attach_in 60 12 "$(attach_command) -t s"
	m respawn-pane -k -t s "cat '$e2e_dir/screen' -"
	expect_pane s /usr/bin
	run hints -t s
	m send-keys -t s M-a
	screen 'nothing opens hints: set hints-open-command'
	m set-option -g hints-open-command "$e2e_dir/open"
	m hints -t s
	m send-keys -t s M-a
	wait_for "test -f '$e2e_dir/opened'" || echo "nothing opened"
	[ "$(cat "$e2e_dir/opened")" = "1 url $uri" ] ||
		cat "$e2e_dir/opened"
	rm -f "$e2e_dir/opened"
	m hints -t s
	m send-keys -t s a
	buffer_is_uri
	detach
}
buffer_is_uri() {
	wait_for '[ "$(m show-buffer 2>/dev/null)" = "$uri" ]' || m show-buffer
}
rmux_only "the shell opens one word" opens "+ hints -t s"

done_testing
