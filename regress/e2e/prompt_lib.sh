# shellcheck shell=sh
# Sourced behind lib.sh by the scripts about prompts.
[ $e2e_have_tmux = yes ] || skip_all "no tmux 3.3 as outer terminal"

# An attached client of 80x24, and its name.
attach() {
	m set-option -sg escape-time 20
	attach_in 80 24 "$(attach_command) -t s"
}

# ask FLAGS TEMPLATE: opens a prompt and waits until it is shown.
ask() {
	m command-prompt -b -t "$client" "$@"
}

# Prints the value that the answer has set.
got() {
	wait_for '[ -n "$(m show-options -gqv @a)" ]' || echo "no answer"
	run show-options -gqv @a
	m set-option -gu @a
}

# keys KEYS...: typed at a prompt that sets @a.
keys() {
	ask -p text 'set-option -g @a "<%%>"'
	outer_keys "$@"
	got
}
