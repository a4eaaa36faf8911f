#!/bin/sh
# The keys of a prompt: status-keys emacs and vi.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
. "$e2e_src/regress/e2e/prompt_lib.sh"

emacs_keys() {
	attach
	keys 'one two' Enter
	keys 'one two' C-w three Enter
	keys 'one' C-a X Enter
	keys 'one' Left Y Enter
	keys 'one' Home Right Z Enter
	keys 'one' Left Left C-d Enter
	keys 'one' Left DC Enter
	keys 'one' BSpace C-h s Enter
	keys 'one two' Left Left C-k Enter
	keys 'gone' C-u here Enter
	keys 'one two-three' M-b x Enter
	keys 'one two-three' M-b M-b x Enter
	keys 'one two-three' C-a M-f x Enter
	keys 'one two-three' C-a M-f M-f x Enter
	keys 'one two' C-a C-Right x C-Left y Enter
	keys 'ab' C-t Enter
	keys 'one two' C-w C-a C-y Enter
	keys 'one' C-a C-e C-b C-f x Enter
	keys 'käse' Left Left o Enter
	detach
}
compare "status-keys emacs" emacs_keys

# vi TEXT KEYS...: in command mode the line has another colour.
vi() {
	ask -p text 'set-option -g @a "<%%>"'
	outer_keys "$1" Escape
	wait_for 'outer_screen -e | grep -q "34mtext"' || echo "no command mode"
	shift
	outer_keys "$@"
	got
}

vi_keys() {
	m set-option -g status-keys vi
	m set-option -g message-style fg=red
	m set-option -g message-command-style fg=blue
	attach
	vi 'one two' 0 x i y Enter
	vi 'one two' b i x Enter
	vi 'one two-three' 0 w i x Enter
	vi 'one two-three' 0 W i x Enter
	vi 'one two-three' 0 e i x Enter
	vi 'one two-three' B e i x Enter
	vi 'one two-three' B E i x Enter
	vi 'one two' 0 l D i new Enter
	vi 'one two' 0 A end Enter
	vi 'one two' I start Enter
	vi 'one two' S other Enter
	vi 'one two' '$' h h X Enter
	vi 'one two' '$' h h a x Enter
	vi 'one two' 0 l l C x Enter
	vi 'one two' B s x Enter
	vi 'one two' k Enter
	keys 'one two' C-w C-y C-y Enter
	detach
}
compare "status-keys vi" vi_keys

# Typed text stays one argument of a block.
typed_text() {
	attach
	m set-option -g automatic-rename off
	outer_keys C-b ,
	expect_screen '(rename-window)'
	outer_keys C-u 'a" ; set -g @hit 1 ; rename-window "b' Enter
	wait_for "m display-message -p -t s: '#W' | grep -q rename" ||
		echo "the name is $(m display-message -p -t s: '#W')"
	m show-options -gqv @hit
	detach
}
rmux_only "text typed at a prompt of a key" typed_text ''

done_testing
