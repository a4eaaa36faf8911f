#!/bin/sh
# rmux help, completion of bash, zsh and fish, errors that name the fix.
. "${top_srcdir:-.}/regress/e2e/lib.sh"

helps() {
	"$e2e_rmux" help | grep '^  wait-for'
	"$e2e_rmux" --help | head -n 1 | cut -c 1-11
	"$e2e_rmux" -L e2e -f /dev/null --help | head -n 1 | cut -c 1-11
	"$e2e_rmux" -L e2e help killw | head -n 1
	"$e2e_rmux" -Le2e --help killw | head -n 1
	for words in --version '-L e2e --version' '-V -L e2e'; do
		# shellcheck disable=SC2086 # words they are
		"$e2e_rmux" $words | sed 's/ [0-9].*/ VERSION/'
	done
	"$e2e_rmux" help killp
	"$e2e_rmux" help bind-key | tail -n 2
	"$e2e_rmux" help kill-server
	"$e2e_rmux" help status-left
	"$e2e_rmux" help remain-on-exit | tail -n 1
	"$e2e_rmux" help no-such-thing
	echo "exit: $?"
	for word in doctor join help completion exec cp forward forward-add forward-cancel \
		forward-list get put open paste-file; do
		"$e2e_rmux" help $word | sed -n '1p;3p'
	done
	"$e2e_rmux" help put | tail -n 3
	"$e2e_rmux" cp --help | grep -e '^  -P' -e '^  --family'
	"$e2e_rmux" help attach | grep -e '^  -R' -e '^  --desk='
	"$e2e_rmux" help | sed -n '/^Commands of the client:/,$p' | grep '^  paste'
	"$e2e_rmux" killp --help | head -n 1
	"$e2e_rmux" doctor --help | head -n 1
	"$e2e_rmux" help attach | grep -c '\[user@\]host'
	run slipt-window
	run nwe-window
	run no-such-command
}
rmux_only "rmux help" helps "  wait-for (wait)                      Wait for a channel, wake it, or lock it
usage: rmux
usage: rmux
kill-window (alias killw): Destroy a window
kill-window (alias killw): Destroy a window
rmux VERSION
rmux VERSION
rmux VERSION
kill-pane (alias killp): Destroy a pane

  rmux kill-pane [-a] [-f filter] [-t target-pane]

  -a               all panes of the window except this one
  -f filter        only those for which this format is true
  -t target-pane   the pane; default: the current one
  key                name of a key, such as C-a or F5, or a character
  command            one command as words, or several as one word or in { }; without it only -r and -N of the binding change
kill-server: Stop the server and all sessions

  rmux kill-server
status-left: Format of the left part of the status line

  option session, string, default \"[#{session_name}] \"
  option window pane, choice of off,on,failed,key,failed-key, default \"off\"
unknown command: no-such-thing
rmux help lists all commands
exit: 1
doctor: Say what works and what does not, and what to do
  rmux doctor [options] [[user@]host[:port]]
join: Come into a session by an invitation
  rmux join [--allow=list] [--name=name] [--verify] [--family=inet|inet6] ticket | address word ... | -
help: Describe a command or an option
  rmux help [command | option]
completion: Print what a shell needs to complete commands
  rmux completion bash | zsh | fish
exec: Run a command on another machine, as ssh does
  rmux exec [options] [user@]host [command ...]
cp: Copy files from or to another machine
  rmux cp [options] source ... target
forward: Hold forwards to another machine, without a session
  rmux forward [options] [user@]host
forward-add: Add forwards to a client that is attached elsewhere
  rmux forward-add [-t host | pid] forward ...
forward-cancel: End forwards of a client that is attached elsewhere
  rmux forward-cancel [-t host | pid] -a | forward ...
forward-list: List forwards of a client that is attached elsewhere
  rmux forward-list [-F format] [-t host | pid]
get: Send files to the machine at which you sit
  rmux get [-qr] file ...
put: Fetch files from the machine at which you sit
  rmux put [-qr] [-d dir] name ...
open: Open a URL or a file on the machine at which you sit
  rmux open [-q] URL | file
paste-file: Paste paths of copies of what your clipboard has
  rmux paste-file [-q] [-t pane]
  -d dir   fetch to this folder; default: the current one
  -q       nothing but errors
  -r       folders with all below them
  -P port          the port of ssh there
  --family=inet|inet6                IPv4 only, or IPv6 only
  -R [address:]port:host:hostport   listen there, connect here
  --desk=ask|on|off                  whether programs there may get, put, open and paste
  paste-file                           Paste paths of copies of what your clipboard has
kill-pane (alias killp): Destroy a pane
doctor: Say what works and what does not, and what to do
1
+ slipt-window
err: unknown command: slipt-window, did you mean: split-window?
exit: 1
+ nwe-window
err: unknown command: nwe-window, did you mean: new-window?
exit: 1
+ no-such-command
err: unknown command: no-such-command
exit: 1"

# The client takes each flag and option of the tables from which help and completions
# are made: each is used wrongly, and none is unknown.
taken() {
	sed -n "s/^X(\([A-Z_]*\), \"\([a-z-]*\)\".*/\1 \2/p" "$e2e_src/base/client_word.def" >words
	sed -n "s/^F(\([A-Z_]*\), '\(.\)'.*/\1 \2/p" "$e2e_src/base/client_flag.def" >flags
	while read -r id flag; do
		name=$(sed -n "s/^$id //p" words)
		# No host, no files: the client says so after its options.
		wrong=
		[ "$id" != ATTACH ] || wrong=--paths=wrong
		"$e2e_rmux" "$name" "-$flag" $wrong >said 2>&1 </dev/null && echo "$name -$flag: fine"
		grep -q -e 'unknown' -e 'alone' said && echo "$name -$flag: $(cat said)"
	done <flags
	sed -n 's/^X([A-Z_]*, "\([a-z-]*\)", \(.\).*/\1 \2/p' "$e2e_src/base/client_long.def" >longs
	while read -r option argument; do
		value='=nonsense':
		[ "$argument" != N ] || value=
		for name in '' 'attach -x' 'doctor -x' exec cp forward; do
			# shellcheck disable=SC2086 # words they are
			[ -z "$name" ] && set -- "--$option$value" no-such-command ||
				set -- ${name% *} "--$option$value" ${name##* }
			timeout 10 "$e2e_rmux" -L e2e-none "$@" >said 2>&1 </dev/null
			grep -q 'unknown option' said && echo "$*: $(cat said)"
			[ -z "$name" ] && grep -q '^usage' said && echo "$*: not known"
		done
	done <longs
	[ -s flags ] && [ -s longs ] || echo "no rows"
}
rmux_only "the client takes each flag that help names" taken ''

# The short help fits into 24 rows, and no line is longer than the terminal.
on_a_terminal() {
	outer_start "$1" "$2" "'$e2e_rmux' $3; echo end of it; cat"
	expect_screen 'end of it'
	expect_screen "$4"
}
on_terminals() {
	on_a_terminal 80 24 --help '^usage: rmux' &&
		on_a_terminal 80 24 "help list-keys" \
			'^ *\[-P prefix-string\]\[-T key-table\] \[key\]$' &&
		on_a_terminal 80 24 "help list-keys" \
			'^  -O order           by [a-z]' &&
		on_a_terminal 80 24 "help list-keys" '^ \{21\}[a-z]' &&
		on_a_terminal 80 24 doctor \
			'^  ok    TERM               tmux-256color' &&
		on_a_terminal 80 24 doctor \
			'^                           [a-z,]*\(bce\|scroll\)'
}
if [ $e2e_have_tmux = yes ]; then
	check "help and doctor fit the terminal" on_terminals
else
	skip "help and doctor fit the terminal" "no tmux to be the terminal"
fi

# complete WORDS: the completions that bash offers for the last word.
bash_offers() {
	bash --norc -c '
		. "$1"
		shift
		COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
		_rmux
		printf "%s\n" "${COMPREPLY[@]}" | sort' bash \
		"$e2e_build/completions/bash/rmux" "$@"
}

bash_completes() {
	PATH=$e2e_dir/bin:$PATH
	m new-session -d -s other cat
	bash_offers rmux kill-s
	bash_offers rmux -L e2e kill-s
	bash_offers rmux -L e2e splitw -h
	bash_offers rmux -L e2e attach -t o
	bash_offers rmux -L e2e set-option -g status-le
	bash_offers rmux completion ''
	bash_offers rmux -L e2e has-session -t other:
}

# Hosts of ssh without patterns and hashes, values, layouts, panes.
ssh_hosts() {
	mkdir -p "$HOME/.ssh"
	cat >"$HOME/.ssh/config" <<-END
	Host zzwork zzhome
	  HostName zzname.example
	host=zzequal
	Host zz*.example !zznot
	END
	cat >"$HOME/.ssh/known_hosts" <<-END
	zzknown.example,192.0.2.77 ssh-ed25519 AAAA
	[zzport.example]:2222 ssh-ed25519 AAAA
	|1|zzhashed= ssh-ed25519 AAAA
	@cert-authority zzca.example ssh-ed25519 AAAA
	END
}
zz='zzequal
zzhome
zzknown.example
zzport.example:2222
zzwork'
bash_knows() {
	PATH=$e2e_dir/bin:$PATH
	ssh_hosts
	bash_offers rmux attach zz
	bash_offers rmux doctor zzw
	bash_offers rmux -H zzh
	bash_offers rmux set-option -g mode-keys ''
	bash_offers rmux set -g mouse o
	bash_offers rmux select-layout main-v
	bash_offers rmux -L e2e send-keys -t s:0.
}

# Commands of the client's own, their flags, options and arguments.
bash_knows_the_client() {
	PATH=$e2e_dir/bin:$PATH
	ssh_hosts
	: >zzfile
	bash_offers rmux forward-
	for e2e_words in ex g pu op paste-f cp; do
		bash_offers rmux $e2e_words | head -n 1
	done
	bash_offers rmux exec -W
	bash_offers rmux exec --desk-
	bash_offers rmux attach --fam
	bash_offers rmux attach -L
	bash_offers rmux exec --family = i
	bash_offers rmux cp --family =
	bash_offers rmux exec zzh
	bash_offers rmux forward -D 1080 zzh
	bash_offers rmux cp -i zz
	bash_offers rmux cp zzw
	bash_offers rmux get zzf
	bash_offers rmux put -
	bash_offers rmux put -d zzf
	bash_offers rmux -L e2e paste-file -t s:0.
	bash_offers rmux forward-list -F zz
	bash_offers rmux help forward-l
}

# Others choose names of sessions, guests and hosts: none runs, and each is quoted.
bash_runs_no_name() {
	PATH=$e2e_dir/bin:$PATH
	m new-session -d -s 'zz$(touch${IFS}$HOME/ran)' cat
	echo 'zz`touch${IFS}$HOME/ran` ssh-ed25519 AAAA' >"$HOME/.ssh/known_hosts"
	bash_offers rmux -L e2e has-session -t zz | head -n 1
	bash_offers rmux doctor 'zz`'
	m kill-session -t 'zz$(touch${IFS}$HOME/ran)'
	[ ! -e "$HOME/ran" ] || echo "a name ran"
}

mkdir "$e2e_dir/bin"
ln -s "$e2e_rmux" "$e2e_dir/bin/rmux"
if command -v bash >/dev/null; then
	rmux_only "bash completes" bash_completes "kill-server
kill-session
kill-server
kill-session
-h
other
other:0
status-left
status-left-length
status-left-style
bash
fish
zsh
other:0"
	rmux_only "bash knows hosts, values, layouts and panes" bash_knows "$zz
zzwork
zzhome
emacs
vi
off
on
main-vertical
main-vertical-mirrored
s:0.0"
	rmux_only "bash knows the client's commands" bash_knows_the_client 'forward-add
forward-cancel
forward-list
exec
get
put
open
paste-file
cp
-W
--desk-folder=
--desk-open=
--family=
-L
inet
inet6
inet
inet6
zzhome
zzhome
zzfile
zzwork:
zzfile
-d
-q
-r
zzfile
s:0.0

forward-list'
	rmux_only "bash runs no name that it completes" bash_runs_no_name \
		'zz\$\(touch\$\{IFS\}\$HOME/ran\)
zz\`touch\$\{IFS\}\$HOME/ran\`'
else
	skip "bash completes" "no bash"
fi

for shell in bash zsh fish; do
	if command -v $shell >/dev/null; then
		"$e2e_rmux" completion $shell >"$e2e_dir/$shell.completion"
		check "$shell reads its completions" \
			$shell -n "$e2e_dir/$shell.completion"
	else
		skip "$shell reads its completions" "no $shell"
	fi
done

fish_completes() {
	PATH=$e2e_dir/bin:$PATH
	fish --no-config -c "source $e2e_dir/fish.completion
		complete -C 'rmux kill-s'" | cut -f 1
	fish --no-config -c "source $e2e_dir/fish.completion
		complete -C 'rmux set-option status-left-s'" | cut -f 1
}
fish_knows() {
	PATH=$e2e_dir/bin:$PATH
	ssh_hosts
	for e2e_words in 'attach zz' 'set-option mode-keys v' 'select-layout til'; do
		fish --no-config -c "source $e2e_dir/fish.completion
			complete -C 'rmux $e2e_words'" | cut -f 1 | sort
	done
}
fish_knows_the_client() {
	PATH=$e2e_dir/bin:$PATH
	ssh_hosts
	: >zzfile
	for e2e_words in forward- 'exec --family=i' 'attach --desk-f' 'exec zzh' \
		'cp zzw' 'get zzf' 'put zzf' 'forward -L 1:h:2 zzh' 'completion ba'; do
		fish --no-config -c "source $e2e_dir/fish.completion
			complete -C 'rmux $e2e_words'" | cut -f 1 | sort
	done
}
# What _rmux gives _arguments, which ends the options of each command.
zsh_knows_the_client() {
	zsh -f -c "compdef() { :; }
		_arguments() { [[ \$1 == -C ]] || print -l -- \$words[1] \$@; }
		_describe() { :; }
		source $e2e_dir/zsh.completion 2>/dev/null
		for e2e_word in exec cp forward-list get put paste-file attach-session; do
			words=(\$e2e_word '') CURRENT=2
			_rmux | grep -e '^[a-z]' -e '^[*]-[WPtd]' -e '--family' -e '--desk-f' -e '^[*]:'
		done
		print -l \$_rmux_commands | grep -c -e '^forward-' -e '^exec:' -e '^cp:' -e '^put:'"
}
# What _rmux_hosts and _rmux_set add, with compadd replaced.
zsh_knows() {
	ssh_hosts
	zsh -f -c "compdef() { :; }
		_arguments() { :; }
		compadd() { [[ \$1 == -a ]] && print -l \${(P)2} || { shift; print -l \$@; }; }
		source $e2e_dir/zsh.completion 2>/dev/null
		_rmux_hosts | grep '^zz' | sort
		words=(set-option mode-keys '') CURRENT=3
		_rmux_set
		_rmux_layouts | head -n 1" | sed '/^$/d'
}
if command -v zsh >/dev/null; then
	rmux_only "zsh knows hosts, values and layouts" zsh_knows "$zz
emacs
vi
even-horizontal"
	rmux_only "zsh knows the client's commands" zsh_knows_the_client 'exec
*-W+[connect standard input and output to this address there]:value: 
--family=[IPv4 only, or IPv6 only]:value:(inet inet6)
--desk-folder=[the folder here for get and put]:value:_files
*:argument:_rmux_hosts
cp
*-P+[the port of ssh there]:value: 
--family=[IPv4 only, or IPv6 only]:value:(inet inet6)
--desk-folder=[the folder here for get and put]:value:_files
*:argument:_rmux_files_or_hosts
forward-list
*-t+[the client; default: the only one]:hosts:_rmux_hosts
*:argument: 
get
*:argument:_rmux_files
put
*-d+[fetch to this folder; default: the current one]:files:_rmux_files
*:argument: 
paste-file
*-t+[pastes into this pane; default: the current one]:panes:_rmux_panes
*:argument: 
attach-session
--family=[IPv4 only, or IPv6 only]:value:(inet inet6)
--desk-folder=[the folder here for get and put]:value:_files
*:argument:_rmux_hosts
6'
else
	skip "zsh knows hosts, values and layouts" "no zsh"
fi
if command -v fish >/dev/null; then
	rmux_only "fish completes" fish_completes "kill-server
kill-session
status-left-style"
	rmux_only "fish knows hosts, values and layouts" fish_knows "$zz
vi
tiled"
	rmux_only "fish knows the client's commands" fish_knows_the_client 'forward-add
forward-cancel
forward-list
--family=inet
--family=inet6
--desk-folder
zzhome
zzwork:
zzfile
zzhome
bash'
else
	skip "fish completes" "no fish"
fi

done_testing
