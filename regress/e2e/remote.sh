#!/bin/sh
# Attaching to another machine: a stand-in for ssh, UDP over loopback.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
. "$e2e_src/regress/e2e/remote_lib.sh"
[ $e2e_have_tmux = yes ] || skip_all "no tmux to be the outer terminal"

ssh_gone() {
	wait_for "! alive $(cat "$e2e_dir/ssh.pid")" 5
}

attach() {
	printf 'Welcome to a machine\nthat talks without end' >"$e2e_dir/motd"
	outer_start 80 24 "$(remote_cmd)"
	expect_screen '\[far\]'
}

types() {
	outer_keys 'echo hello $((6*7))' Enter
	expect_screen 'hello 42'
}

# On one machine the round trip rounds to 0 ms, and is still reported.
measured() {
	wait_for "far list-clients | grep -q 'udp [0-9.:]* [0-9]* ms, '"
}

splits() {
	outer_keys C-b '"'
	wait_for '[ "$(far list-panes | wc -l)" = 2 ]' &&
		expect_screen '────' &&
		outer_keys 'echo below $((5*5))' Enter &&
		expect_screen 'below 25'
}

resizes() {
	outer resize-window -x 72 -y 20
	wait_for '[ "$(far display-message -p -t far "#{window_width}x#{window_height}")" = 72x19 ]'
}

detaches() {
	outer_keys C-b d
	expect_screen 'detached (from session far)' &&
		expect_screen 'exit=0' && expect_screen '^sane'
}

far_start
check "attach, with noise before the answer" attach
check "ssh ends once UDP carries the session" ssh_gone
check "keys and their echo" types
check "the round trip is listed" measured
check "a split" splits
check "another size" resizes
check "detach, and the terminal is the user's again" detaches

# --- two at once, the far side ends -----------------------------------------------

new_there() {
	outer_start 80 24 "RMUX= '$e2e_rmux' --ssh='$e2e_dir/ssh' --server='$e2e_rmux' -H 127.0.0.1 new-session -s fresh; echo exit=\$?; stty -a | grep -q ' echo ' && echo sane; cat"
	expect_screen '\[fresh\]' && far has-session -t fresh
}

other_commands() {
	"$e2e_rmux" --ssh="$e2e_dir/ssh" --server="$e2e_rmux" \
		-H 127.0.0.1 display-message -p "a  b's #{session_name}" |
		grep -q "a  b's "
}

# -H after the command; a command's own -H, or one in an argument, stays.
behind() {
	set -- "$e2e_rmux" --ssh="$e2e_dir/ssh" --server="$e2e_rmux"
	"$@" list-sessions -F 'there #S' -H 127.0.0.1 | grep 'there fresh$' &&
		"$@" display -p -H127.0.0.1 'a  b' | grep 'a  b$' &&
		! "$@" list-sessions -H &&
		"$@" -L here -f /dev/null new-session -d -s here cat &&
		"$@" -L here send-keys -H 41 &&
		"$@" -L here ls -F 'here #S' | grep '^here here$'
	e2e_code=$?
	"$@" -L here kill-server
	return "$e2e_code"
}

killed() {
	far kill-server
	expect_screen 'server exited\|exited' && expect_screen '^sane'
}
check "-H host new-session" new_there
check "-H host with another command, words kept whole" other_commands
check "-H host behind the command" behind
check "the server says that it ends" killed

starts_there() {
	rm -f "$e2e_dir/motd"
	wait_for "! alive $far_pid"
	outer_start 80 24 "$(remote_cmd)"
	expect_screen '^[#$]' && outer_keys Enter && expect_screen '\[0\]' && outer_keys exit Enter &&
		expect_screen '\[exited\]' && expect_screen '^sane'
}
check "a server is started there; its last shell ends" starts_there

# As mosh host -- command. The flags behind -- are the command's.
command_there() {
	outer_start 80 24 "RMUX= '$e2e_rmux' attach --ssh='$e2e_dir/ssh' --server='$e2e_rmux' -t made 127.0.0.1 -- sh -c 'echo first \$0; cat' -d; echo exit=\$?; stty -a | grep -q ' echo ' && echo sane; cat"
	expect_screen '^first -d' && expect_screen '\[made\]' &&
		[ "$(far list-sessions -F '#{session_name}' | grep -c made)" = 1 ] &&
		leaves
}
command_flags() {
	for e2e_words in '-r host -- cat' '-d host -- cat' '-tmade host -- cat'; do
		# shellcheck disable=SC2086 # words
		"$e2e_rmux" attach --ssh=/bin/false $e2e_words 2>err && return 1
		grep -q '^rmux: .*\(does not go with a command\|put a space\)' err || return 1
	done
}
check "attach host -- command starts a session there" command_there
check "flags that do not go with a command" command_flags

# Whatever shell the far account has, each word arrives as it was given.
words_of() {
	cat <<-'END'
	a  b's "q" $(touch ran) `touch ran` $HOME ${HOME} ; touch ran & touch ran
	\'; touch ran #
	a\\'; touch ran; '
	\
	=ls
	%1
	~
	{a,b} * ? [a] ^a^b !touch
	-p
	END
	printf '%s\n' 'a\n(touch ran)' 'x;|<>()#'
}
words_by() {
	command -v "$1" >/dev/null || return 0
	echo "$1" >"$e2e_dir/shell"
	words_of >"$e2e_dir/words"
	while IFS= read -r word; do
		"$e2e_rmux" --ssh="$e2e_dir/ssh" --server="$e2e_rmux" \
			-H 127.0.0.1 set-buffer -b word -- "$word" </dev/null
		[ "$(far show-buffer -b word)" = "$word" ] || {
			echo "$1: $word: $(far show-buffer -b word)"
			return 1
		}
	done <"$e2e_dir/words"
	word='a
$(touch ran)
'"b'"
	"$e2e_rmux" --ssh="$e2e_dir/ssh" --server="$e2e_rmux" \
		-H 127.0.0.1 set-buffer -b word -- "$word"
	[ "$(far show-buffer -b word)" = "$word" ] && [ ! -e ran ]
}
# Behind -- they go to the program without a shell.
words_of_command() {
	word=$(words_of | tr '\n' ' ')
	printf '%s' "$word" >"$e2e_dir/word"
	outer_start 80 24 "RMUX= '$e2e_rmux' attach --ssh='$e2e_dir/ssh' --server='$e2e_rmux' -t words 127.0.0.1 -- sh -c 'printf %s \"\$1\" >\"\$2\"; cat' -x \"\$(cat '$e2e_dir/word')\" '$e2e_dir/got'; echo exit=\$?; stty -a | grep -q ' echo ' && echo sane; cat"
	expect_screen '\[words\]' || return 1
	leaves
	cmp "$e2e_dir/word" "$e2e_dir/got" && [ ! -e ran ]
}
for far_shell in sh dash bash zsh fish; do
	check "words reach a far $far_shell as they are" words_by $far_shell
done
check "words behind -- reach the program as they are" words_of_command
rm -f "$e2e_dir/shell"

# --- errors of ssh --------------------------------------------------------------------

says() {
	outer_start 100 24 "$1; echo exit=\$?; stty -a | grep -q ' echo ' && echo sane; cat"
	expect_screen "$2" && expect_screen 'exit=1' && expect_screen '^sane'
}
R="RMUX= '$e2e_rmux' attach"
check "no rmux there: how to install" says \
	"$R --ssh='$e2e_dir/ssh' --server=/nowhere/rmux 127.0.0.1" \
	'Install it there'
check "ssh fails" says "$R --ssh='sh -c \"echo Permission denied >&2; exit 255\"' host" \
	'ssh could not reach host'
check "ssh fails without a word" says "$R --ssh=/bin/false host" \
	'ssh failed: ./bin/false. ended with exit code 1'
no_ssh() {
	says "$R --ssh=/nowhere/ssh host" 'cannot run /nowhere/ssh' &&
		expect_screen 'needed on this machine' &&
		! outer_screen | grep -q 'Install it there'
}
check "ssh is not there" no_ssh
for wrong in --ssh= --udp=here --udp=:1 -p70000:1 '-p 5:1' '-p x' --foo; do
	check "attach $wrong host" says "$R $wrong host" \
		'^rmux: .*\(wants a program\|wants host\|wants a port\|unknown option\)'
done
check "a forced command" says "$R --ssh='sh -c \"echo This is not a shell\"' host" \
	'something other than rmux'
check "an rmux that is too old" says \
	"$R --ssh='sh -c \"echo unknown command: __connect >&2; exit 1\"' host" \
	'too old'
for way in 0:older 2:newer; do
	check "an rmux with ${way#*:} answers" says \
		"$R --ssh='sh -c \"echo RMUX CONNECT ${way%:*} 1 2 3\"' host" \
		"uses an* ${way#*:} protocol"
done
check "noise without end" says "$R --ssh='sh -c yes' host" 'too much other output'
check "a host that would be an option" says "RMUX= '$e2e_rmux' -H -oProxyCommand=x list-sessions" 'not a host'
far_start
check "an unknown session there" says \
	"$R --ssh='$e2e_dir/ssh' --server='$e2e_rmux' -t nosuch 127.0.0.1" \
	"can.t find session"

far_stop

# --- which port -----------------------------------------------------------------------

ports() {
	far new-session -d -s ports &&
		outer_start 80 24 "$(remote_cmd -p "$1" -t ports)" &&
		expect_screen "$2" || return 1
	far kill-server
	expect_screen '^sane'
}
check "a range that is none is refused" ports 70000:1 'wants a port or a range'
far_start
check "a port of a range" ports 60950:60960 '\[ports\]'

done_testing
