#!/bin/sh
# Options that change the bytes sent to a client's terminal, compared with tmux
# where it has them: cursor, colours, focus, passthrough, theme.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
[ $e2e_have_tmux = yes ] || skip_all "no tmux 3.3 as outer terminal"

# attach [COLS ROWS]; the file "sent" collects the bytes to its terminal.
attach() {
	m set-option -g status-right ''
	m set-option -sg escape-time 0
	attach_in "${1:-60}" "${2:-12}" "$(attach_command) -t s"
	expect_screen '\[s\]'
	rm -f sent
	outer pipe-pane -O "cat >'$PWD/sent'"
	wait_for '[ -e sent ]'
}

# The program of the pane: prints its argument (for printf), then sleeps.
prints() {
	m respawn-pane -k -t s: "printf '$1'; printf 'end'; exec cat"
	expect_pane s: end
}

# sent TEXT: waits until the terminal has got TEXT, escapes written as @.
sent() {
	want=$1
	wait_for 'tr "\033\007" "@!" <sent | grep -qF -- "$want"' ||
		echo "not sent: $want"
}

not_sent() {
	! tr '\033\007' '@!' <sent | grep -qF -- "$1" || echo "sent: $1"
}

shows() {
	wait_for "m show-options -gqv $1 | grep -q '$2'" || echo "no $2 in $1"
	m set-option -gu "$1"
}

cursor() {
	attach
	m set-option -g cursor-style underline
	sent '@[4 q'
	m set-option -g cursor-style blinking-bar
	sent '@[5 q'
	# A program's own setting has precedence.
	prints '\033[2 q'
	sent '@[2 q'
	detach
}
compare "cursor-style" cursor

# tmux writes #ff8700 as "rgb:ff/87/00".
cursor_colour() {
	m set-option -as terminal-overrides \
		',*:Cs=\E]12;%p1%s\007:Cr=\E]112\007'
	attach
	m set-option -g cursor-colour '#ff8700'
	wait_for 'tr "\033" @ <sent | tr -d /: | grep -q "@]12;[#rgb]*ff8700"' ||
		echo "no colour"
	prints '\033]12;#00ff5f\033\\\\'
	wait_for 'tr "\033" @ <sent | tr -d /: | grep -q "@]12;[#rgb]*00ff5f"' ||
		echo "no colour of the program"
	detach
}
compare "cursor-colour" cursor_colour

palette() {
	m set-option -g pane-colours[1] '#010203'
	m set-option -as terminal-overrides ',*:Tc'
	prints '\033[31mred'
	attach
	wait_for 'outer_screen -e | grep -q "38;2;1;2;3mred"' || echo "not so red"
	m set-option -gu pane-colours[1]
	wait_for 'outer_screen -e | grep -q "31mred"' || echo "not red"
	detach
}
rmux_only "pane-colours" palette ''

prompts() {
	m set-option -as terminal-features ',*:ccolour'
	attach
	m set-option -g prompt-cursor-style blinking-underline
	m set-option -g prompt-command-cursor-style bar
	m set-option -g prompt-cursor-colour '#ff0102'
	m set-option -g prompt-command-cursor-colour '#ff0304'
	m command-prompt -b -t "$client" -p ask 'set-option -g @a "%%"'
	sent '@[3 q'
	sent '#ff0102'
	not_sent '@[6 q'
	outer_keys i
	expect_screen 'ask.* i'
	m set-option -g status-keys vi
	outer_keys Enter
	shows @a i
	m command-prompt -b -t "$client" -p ask 'set-option -g @a "%%"'
	expect_screen 'ask'
	outer_keys y Escape
	sent '@[6 q'
	sent '#ff0304'
	outer_keys Enter
	shows @a y
	# After the prompt the terminal has its own cursor again.
	sent '@[0 q'
	sent '@]112'
	detach
}
rmux_only "prompt-cursor-style, -colour, prompt-command-cursor-style, -colour" \
	prompts ''

# ESC is doubled inside, as in screen and tmux.
passed() {
	secret='\033Ptmux;\033\033]777;precmd;through\007\033\\\\'
	attach
	m set-option -g allow-passthrough off
	prints "$secret"
	not_sent '@]777;precmd;through!'
	m set-option -g allow-passthrough on
	prints "$secret"
	sent '@]777;precmd;through!'
	detach
}
compare "allow-passthrough" passed

# A program that enabled focus reports gets the terminal's focus.
focus() {
	m set-option -s focus-events on
	attach
	outer_keys -H 1b 5b 49
	m respawn-pane -k -t s: "stty raw -echo; printf '\\033[?1004hready\\r\\n'; dd bs=1 count=9 2>/dev/null | tr '\\033' @; exec cat"
	expect_pane s: ready
	outer_keys -H 1b 5b 4f
	outer_keys -H 1b 5b 49
	outer_keys ...
	expect_pane s: '@\[O@\[I'
	detach
}
compare "focus-events" focus

# Without the option rmux does not enable focus reports of the terminal and the
# program gets none (tmux passes them on if the terminal sends them unasked).
no_focus() {
	attach
	m respawn-pane -k -t s: "stty raw -echo; printf '\\033[?1004hready\\r\\n'; dd bs=1 count=3 2>/dev/null | tr '\\033' @; exec cat"
	expect_pane s: ready
	outer_keys -H 1b 5b 4f
	outer_keys -H 1b 5b 49
	outer_keys abc
	expect_pane s: '^abc'
	not_sent '@[?1004h'
	m set-option -s focus-events on
	sent '@[?1004h'
	m set-option -s focus-events off
	sent '@[?1004l'
	detach
}
rmux_only "focus-events off and on" no_focus ''

# SGR reports of a mouse that moves with no button pressed: column;row.
moved() {
	printf '\033[<35;%s;%sM' "$1" "$2" | od -An -v -tx1 | tr -d '\n'
}

follow() {
	m split-window -h -t s: cat
	m set-option -g mouse on
	m set-option -g focus-follows-mouse on
	attach
	# shellcheck disable=SC2046 # one argument a byte
	outer_keys -H $(moved 5 5)
	wait_for '[ "$(m display-message -p -t s: "#P")" = 0 ]' || echo "not left"
	# shellcheck disable=SC2046
	outer_keys -H $(moved 50 5)
	wait_for '[ "$(m display-message -p -t s: "#P")" = 1 ]' || echo "not right"
	m set-option -g focus-follows-mouse off
	m bind-key -n y set-option -g @y typed
	# shellcheck disable=SC2046
	outer_keys -H $(moved 5 5)
	outer_keys y
	shows @y typed
	run display-message -p -t s: '#P'
	detach
}
rmux_only "focus-follows-mouse" follow '+ display-message -p -t s: #P
1'

# Each named colour of both themes: light-theme-black, light-theme-white,
# light-theme-light-grey, light-theme-dark-grey, light-theme-green,
# light-theme-yellow, light-theme-red, light-theme-blue, light-theme-cyan,
# light-theme-magenta, dark-theme-black, dark-theme-white,
# dark-theme-light-grey, dark-theme-dark-grey, dark-theme-green,
# dark-theme-yellow, dark-theme-red, dark-theme-blue, dark-theme-cyan,
# dark-theme-magenta.
theme() {
	m set-option -as terminal-features ',*:RGB'
	attach
	n=0
	for t in light dark; do
		m set-option -s theme $t
		for c in black white light-grey dark-grey green yellow red blue \
			cyan magenta; do
			n=$((n + 1))
			m set-option -s $t-theme-$c "#0102$(printf %02x $n)"
			m set-option -g status-style \
				"bg=theme$(echo $c | tr -d -)"
			wait_for "outer_screen -eN | grep -q '48;2;1;2;${n}m'" ||
				echo "no $t $c"
		done
	done
	m set-option -s theme light
	wait_for "outer_screen -eN | grep -q '48;2;1;2;10m'" || echo "not light"
	detach
}
rmux_only "theme, light-theme-..., dark-theme-..." theme ''

# The red of each named theme, where dark-theme-red is not set.
theme_name() {
	m set-option -su dark-theme-red
	m set-option -su light-theme-red
	m set-option -s theme dark
	m set-option -g status-style bg=themered
	attach
	while read -r name dark light; do
		m set-option -s theme-name "$name"
		m set-option -s theme dark
		wait_for "outer_screen -eN | grep -q '48;2;$dark''m'" ||
			echo "no dark $name"
		m set-option -s theme light
		wait_for "outer_screen -eN | grep -q '48;2;$light''m'" ||
			echo "no light $name"
	done <<-'EOF'
	catppuccin 243;139;168 197;0;47
	gruvbox 255;79;57 157;0;6
	default 205;92;92 139;58;58
	EOF
	m set-option -s theme-name none
	m set-option -s theme detect
	detach
}
rmux_only "theme-name" theme_name 'unknown value: none'

# Programs learn the theme and the colour of the terminal's background.
background() {
	outer_start 60 12 cat
	outer set-option -g window-style 'bg=#fdf6e3,fg=black'
	outer respawn-pane -k "$(attach_command) -t s"
	wait_for 'm list-clients -F "#{client_theme}" | grep -q light' ||
		echo "the theme is unknown"
	m new-window -t s: "stty raw -echo; printf '\033]11;?\033\\\\'
		dd bs=1 count=25 of=answer 2>/dev/null; cat"
	wait_for 'grep -q "rgb:fdfd/f6f6/e3e3" answer 2>/dev/null' || cat -v answer
	m list-clients -F '#{client_theme} #{client_colours}'
	m detach-client -s s
}
rmux_only "a light background" background 'light 16777216'

done_testing
