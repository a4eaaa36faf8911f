#!/bin/sh
# The user's terminal over a bad link, 250 ms and 10 % loss: what it tells reaches
# programs, what they say reaches it.  The terminal is outer.py, as kitty.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
. "$e2e_src/regress/e2e/remote_lib.sh"
[ $e2e_have_tmux = yes ] || skip_all "no tmux to be the outer terminal"
[ -x "$e2e_build/regress/tools/udp_relay" ] || skip_all "no udp_relay"
have python3 || skip_all "no python3"
t=$e2e_dir/t

far_start
check "the server's port" far_learn_port
relay "$far_port" -s 11 -b delay=125,loss=0.1
mkdir "$t"
python3 "$e2e_src/regress/terminal/outer.py" -p kitty -s 60x12x9x18 "$t" \
	env RMUX= "$e2e_rmux" attach --ssh="$e2e_dir/ssh" --server="$e2e_rmux" \
	--udp=127.0.0.1:"$relay_port" 127.0.0.1 &
t_pid=$!
e2e_pids="$e2e_pids $t_pid"

say() { printf '%s\n' "$1" >"$t/in"; }
types() { say "type $1\\r"; }
shows() {
	wait_for "grep -q -- '$1' '$t/screen' 2>/dev/null" 30 || {
		echo "no $1 in:"
		cat "$t/screen"
		return 1
	}
}
gets() {
	wait_for "grep -q -- '^$1' '$t/state'" 30 || {
		echo "no $1 in:"
		cat "$t/state"
		return 1
	}
}
runs() {
	wait_for "[ \"\$(far display-message -p -t far: '#{pane_current_command}')\" = $1 ]" 30
}
breaks() {
	far send-keys -t far: -H 03
	runs sh
}
asks() { types "printf \"$1\"; cat -v" && shows "$2" && breaks; }
knows() { wait_for "[ \"\$(far list-clients -F '$1')\" = '$2' ]" 30; }

begins() {
	shows '^\[far\]' && knows '#{client_colours} #{client_theme}' '16777216 dark' &&
		knows '#{client_cell_width}x#{client_cell_height}' 9x18
}
check "a client comes in" begins

colours() {
	asks '\\\\033]4;3;?\\\\007' ']4;3;rgb:3535/1818/0909' &&
		asks '\\\\033]10;?\\\\007' ']10;rgb:d0d0/d1d1/d2d2' &&
		asks '\\\\033[14t\\\\033[16t' '\[4;198;540t^\[\[6;18;9t'
}
check "colours and cells reach programs" colours

theme() {
	types 'printf "\\\\033[?2031h"; cat -v' && runs cat && say light && shows '\[?997;2n' &&
		knows '#{client_theme}' light && breaks
}
check "a change of the theme does" theme

keys() {
	types 'printf "\\\\033[>1u"; cat -v' && gets 'kitty 1$' &&
		say 'type \e[105;5u\e[27;5;9~\e[13;2u' &&
		shows '\[105;5u^\[\[9;5u^\[\[13;2u' && breaks &&
		types 'printf "\\\\033[<u"' && gets 'kitty 0$'
}
check "keys of kitty's protocol do" keys

notice() {
	far new-window -d -t far: -n job \
		'printf "\033]9;done\007"; exec cat' && shows ' 1 new ' &&
		gets "osc 99;.*p=body;$(printf done | base64)"
}
check "a notification reaches the terminal" notice

copies() {
	far set-buffer -w 'far away' &&
		gets "osc 52;.*;$(printf 'far away' | base64)"
}
check "a copy reaches its clipboard" copies

pastes() {
	types 'stty raw -echo; cat -v' &&
		say 'type \e[200~pasted 漢字 text\e[201~' && shows 'pasted'
}
check "a paste arrives" pastes

leaves_it() {
	far detach-client -s far
	wait_for '! alive $t_pid' 30 && gets 'alternate 0$' && gets 'kitty 0$' &&
		[ ! -s "$t/bad" ]
}
check "and all is as before" leaves_it
relay_stop
far kill-server
done_testing
