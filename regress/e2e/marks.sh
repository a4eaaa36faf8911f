#!/bin/sh
# The lines that the tutorial gives for shells make copy-output work.
. "${top_srcdir:-.}/regress/e2e/lib.sh"

# snippet SHELL: the block of the tutorial that this test runs in it.
snippet() {
	awk -v shell="marks.sh runs it in $1 " '
		index($0, shell) { found = 1; next }
		found && /^```/ { if (inside) exit; inside = 1; next }
		found && inside { print }
	' "$e2e_src/doc/TUTORIAL.md"
}

prepare() {
	rm -rf "$HOME/.config" "$HOME/.zshrc" "$HOME/.bashrc"
	mkdir -p "$HOME/.config/fish"
	case $1 in
	bash) { echo "PS1='\$ '"; snippet bash; } >"$HOME/.bashrc" ;;
	zsh) { echo "PS1='\$ ' PROMPT_EOL_MARK="; snippet zsh; } >"$HOME/.zshrc" ;;
	fish)
		{
			echo 'function fish_prompt; printf "\$ "; end'
			echo 'set -g fish_greeting'
			snippet fish
		} >"$HOME/.config/fish/config.fish"
		;;
	esac
}

command_of() {
	case $1 in
	bash) echo "exec bash --rcfile '$HOME/.bashrc' -i" ;;
	zsh) echo "exec zsh -i" ;;
	fish) echo "exec fish -i" ;;
	esac
}

# The prompt of the shell stands in the row of the cursor.
ready() {
	wait_for '[ -n "$(m display-message -p -t s: "#{pane_current_command}" | grep $shell)" ]'
	wait_for 'm capture-pane -p -t s: | sed "/^$/d" | tail -n 1 | grep -q "\\$"'
}

copies() {
	m send-keys -t s: "$1" Enter
	wait_for "m copy-output -p -t s: 2>&1 | grep -q '$2'" ||
		m capture-pane -p -t s:
	m copy-output -p -t s: 2>/dev/null
}

outputs() {
	prepare $shell
	m set-option -g status off
	m respawn-pane -k -t s: "$(command_of $shell)"
	ready || m capture-pane -p -t s:
	copies 'echo one; echo two' '^two$'
	copies 'seq 5 7' '^7$'
	copies 'cd /' 'printed nothing' >/dev/null
	copies 'printf abc' '^abc'
	m copy-output -p -n 2 -t s: | head -n 1
}

for shell in bash zsh fish; do
	if have $shell; then
		rmux_only "marks of $shell" outputs "one
two
5
6
7
abc
abc"
	else
		skip "marks of $shell" "no $shell"
	fi
done
done_testing
