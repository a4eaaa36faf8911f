#!/bin/sh
# What reaches the user's terminal, and what comes back from it: outer.py is the
# terminal, as each row of terminals.list answers.
#
# usage: outer.sh [PROFILE...]   only these terminals, and only the first test
. "${top_srcdir:-.}/regress/e2e/lib.sh"
here=$e2e_src/regress/terminal

# on PROFILE [SIZE]: starts a client of a new server in that terminal.
on() {
	M=rmux
	t=$e2e_dir/t
	m kill-server 2>/dev/null
	[ -z "${outer_pid-}" ] || wait_for '! alive $outer_pid'
	rm -rf "$t" && mkdir "$t"
	python3 "$here/outer.py" -p "$1" -s "${2:-60x12}" "$t" "$e2e_rmux" -L e2e \
		-f /dev/null new-session -A -s x &
	outer_pid=$!
	e2e_pids="$e2e_pids $outer_pid"
	wait_for 'grep -q "^\[x\]" "$t/screen" 2>/dev/null'
}

say() { printf '%s\n' "$1" >"$t/in"; }

# breaks: ends the pane's program by C-c; the shell reads on after it.
breaks() {
	m send-keys -H 03
	wait_for '[ "$(m display-message -p "#{pane_current_command}")" = sh ]'
}

# types TEXT: types into the terminal and presses Enter.
types() { say "type $1\\r"; }

shows() {
	wait_for "grep -q -- '$1' \"\$t/screen\"" || {
		echo "no $1 in:"
		cat "$t/screen"
		return 1
	}
}

# is NAME VALUE: waits for a line of the terminal's state.
is() {
	wait_for "grep -qx -- '$1 $2' \"\$t/state\"" || {
		echo "$1 is not $2:"
		cat "$t/state"
		return 1
	}
}

# Ends the server; the terminal must be as it was.
ends() {
	m kill-server
	wait_for '! alive $outer_pid' && is alternate 0 && is kitty 0 &&
		is depth 1 && is other 0 && is modes '\(25\)\?' && no_bad
}

no_bad() {
	[ ! -s "$t/bad" ] || {
		echo "sequences that the terminal does not have:"
		sort "$t/bad" | uniq -c | head -5
		return 1
	}
}

cat >paint.sh <<'END'
printf '\033[38;2;250;10;20mtrue\033[0m \033[48;5;200mindexed\033[0m \033[91mbright\033[0m \033[32mgreen\033[0m '
printf '\033[4:3m\033[58;5;3mcurly\033[0m \033[53mover\033[0m \033[3mslant\033[0m \033[9mstruck\033[0m\n'
printf '\033]8;;http://a.b\033\\link\033]8;;\033\\ \033[5 q\033]12;#ff0000\007'
printf '\033]2;a title\007\033[?1002h\033[?2004h\033[>1u\033[>4;2mpainted\n'
cat >/dev/null
END

# Every terminal gets sequences that it has, shows the text and is restored.
a_terminal() {
	on "$1" || {
		echo "nothing is painted"
		return 1
	}
	m set-option -g set-titles on
	types 'sh paint.sh' && shows '^link painted' &&
		shows 'true indexed bright green curly over slant struck$' || {
		cat "$t/screen"
		return 1
	}
	m capture-pane -p -t x: >want
	sed 12d "$t/screen" >got
	wait_for 'sed 12d "$t/screen" | cmp -s - want' || {
		diff want "$t/screen"
		return 1
	}
	ends || {
		cat "$t/state"
		return 1
	}
}

# The whole screen is painted once, however many answers come.
painted_once() {
	on "$1" && is modes '.*2031' && is modes '.*2004.*' &&
		m display-message -p x >/dev/null &&
		[ "$(grep -ao '\[2J' "$t/bytes" | wc -l)" = 1 ] && ends
}

# colours_say TEXT: a program asks, and prints the answers as text.
asks() { types "printf \"$1\"; cat -v" && shows "$2" && breaks; }

# Programs get the colours, the theme and the cells of the terminal.
colours() {
	on kitty 60x12x9x18 || return 1
	asks '\\\\033]4;3;?\\\\007' ']4;3;rgb:3535/1818/0909' &&
		asks '\\\\033]10;?\\\\007\\\\033]12;?\\\\007' \
			']10;rgb:d0d0/d1d1/d2d2.*]12;rgb:0000/8080/0000' &&
		asks '\\\\033[?996n' '\[?997;1n' &&
		asks '\\\\033[14t\\\\033[16t' '\[4;198;540t^\[\[6;18;9t' || return 1
	[ "$(m display-message -p '#{client_cell_width}x#{client_cell_height} #{window_cell_width}x#{window_cell_height}')" = '9x18 9x18' ]
}

# A program hears of a new theme and of new pixels without any output.
changes() {
	types 'printf "\\\\033[?2031h\\\\033[?2048h"; cat -v' &&
		shows '\[48;11;60;198;540t' && say light && shows '\[?997;2n' &&
		breaks && is modes '.*2031' &&
		asks '\\\\033]11;?\\\\007' ']11;rgb:fafa/fbfb/fcfc' &&
		[ "$(m display-message -p '#{client_theme}')" = light ] &&
		types 'printf "\\\\033[?2048h"; cat -v' && say 'size 60 12 20 40' &&
		shows '\[48;11;60;440;1200t' && breaks &&
		types 'printf "\\\\033[?2031l\\\\033[?2048l"' && ends
}

# keys PROFILE STATE KEY ANSWER...: a program asks for kitty's flags 1.
kitty_keys() {
	on "$1" && is kitty 0 && is other 0 || return 1
	types 'printf "\\\\033[>1u"; cat -v' && is "$2" "$3" &&
		say 'type \e[105;5u\e[27;5;9~\e[13;2u' || return 1
	case $1 in
	xterm) say 'type \e[27;5;105~\e[27;5;9~\e[27;2;13~' ;;
	esac
	shows '\[105;5u^\[\[9;5u^\[\[13;2u' &&
		breaks && types 'printf "\\\\033[<u"' &&
		is kitty 0 && is other 0 && ends
}

# A program asks for modifyOtherKeys, the terminal has only kitty's protocol.
other_by_kitty() {
	on alacritty && m set-option -s extended-keys on &&
		types 'printf "\\\\033[>4;2m"; cat -v' && is kitty 1 &&
		say 'type \e[97;6u\e[9;5u' && shows '\[27;6;65~^\[\[27;5;9~' &&
		breaks && types 'printf "\\\\033[>4m"' && is kitty 0 && ends
}

# Bindings that need it ask for the protocol, and no longer than they exist.
by_binding() {
	on "$1" && is "$2" 0 && m bind-key -n C-Tab rename-window ctab &&
		is "$2" "$3" && m bind-key -n D-x rename-window super &&
		say "type $4" && wait_for '[ "$(m display-message -p "#W")" = ctab ]' &&
		m unbind-key -n C-Tab || return 1
	if [ -n "${5-}" ]; then
		say "type $5" && wait_for '[ "$(m display-message -p "#W")" = super ]' ||
			return 1
	fi
	m unbind-key -n D-x && is "$2" 0 && ends
}

# Alone, a modifier key ends no prefix and reaches a program that asked for it.
modifiers() {
	on kitty && types 'printf "\\\\033[>9u"; cat -v' && is kitty 9 &&
		say 'type \e[98;5u\e[57442;5u\e[57441;2u\e[110u' || return 1
	# C-b n: the only window stays; n is not for the program.
	say 'type \e[57441;2u\e[109u' && shows '\[57441;2u^\[\[109u' &&
		! grep -q '110u' "$t/screen" && ends
}

# A program asks for pixels of the mouse, and gets its own.
pixels() {
	on "$1" 60x12x10x20 && m set-option -g mouse off &&
		m split-window -h -d 'cat >/dev/null' &&
		m swap-pane -d -s 0 -t 1 && m select-pane -t 1 || return 1
	types 'printf "\\\\033[?1002h\\\\033[?1016h"; cat -v' &&
		is modes ".*$2.*" && say "type \\e[<0;$3M\\e[<0;$3m" &&
		shows "\\[<0;$4M" && breaks && ends
}

# notices PROFILE FEATURE PATTERN...: the forms of a hidden window's notification.
notices() {
	on "$1" || return 1
	has=$2
	wait_for 'm list-clients -F ",#{client_termfeatures}," | grep -q ",$has,"' || return 1
	m new-window -d -n job 'printf "\033]777;notify;T;B\007"; exec cat' || return 1
	shift 2
	for form; do is osc "$form" || return 1; done
	ends
}

# A terminal without notifications rings and shows a message.
plain_notices() {
	on "$1" && m new-window -d -n job 'printf "\033]9;B\007"; exec cat' &&
		shows '^job: B$' && is bells 1 && ! grep '^osc 9' "$t/state" && ends
}

# progress PROFILE: OSC 9;4 goes to a terminal that knows it, and is undone.
progress() {
	on "$1" && types 'printf "\\033]9;4;1;30\\007"' &&
		is osc '9;4;1;30' && ends && is osc '9;4;0;0'
}

if [ $# -gt 0 ]; then
	for profile; do check "$profile" a_terminal "$profile"; done
	done_testing
	exit
fi
for profile in $(grep -v '^#' "$here/terminals.list" | cut -f 1); do
	check "$profile: painted, and restored" a_terminal "$profile"
done
check "kitty paints the screen once" painted_once kitty
check "ghostty paints the screen once" painted_once ghostty
check "colours, theme and cells reach programs" colours
check "changes of theme and pixels reach them at once" changes
check "keys of kitty's protocol: kitty" kitty_keys kitty kitty 1
check "keys of kitty's protocol: foot" kitty_keys foot kitty 1
check "keys of kitty's protocol, on xterm" kitty_keys xterm other 2
check "modifyOtherKeys, on alacritty" other_by_kitty
check "bindings of extended keys: kitty" by_binding kitty kitty 1 '\e[9;5u' '\e[120;9u'
check "bindings of extended keys: xterm" by_binding xterm other 2 '\e[27;5;9~'
check "modifier keys alone" modifiers
check "the mouse in pixels: kitty" pixels kitty 1016 '415;65' '105;65'
check "notifications: kitty" notices kitty notify-kitty \
	'99;i=rmux-[0-9a-f]*-1:d=0:e=1:p=title:u=1:a=report,focus;am9iOiBU' \
	'99;i=rmux-[0-9a-f]*-1:e=1:p=body;Qg=='
check "notifications: foot" notices foot notify-kitty '99;i=rmux-[^:]*:e=1:p=body;Qg=='
check "notifications: ghostty" notices ghostty notify-title '777;notify;job: T;B'
check "notifications: wezterm" notices wezterm notify-title '777;notify;job: T;B'
check "notifications: iTerm2" notices iterm2 notify '9;job: T: B'
for profile in xterm urxvt gnome windows linux; do
	check "notifications: $profile" plain_notices $profile
done
check "progress: ghostty" progress ghostty
check "progress: Windows Terminal" progress windows
done_testing
