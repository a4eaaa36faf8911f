#!/bin/sh
# Shells, pagers and their output look in rmux as in a bare terminal.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
. "$e2e_src/regress/e2e/programs_lib.sh"

awk 'BEGIN { for (i = 1; i <= 300; i++) printf "line %d of the long text\n", i }' >long.txt

if program bash bash; then
	cat >rc <<-'RC'
		PS1='\[\e[1;32m\]bash\[\e[0m\]:\[\e[38;5;39m\]\w\[\e[m\]\n$ '
		HISTFILE=
	RC
	begin 'HOME=$PWD bash --rcfile rc -i'
	same '^\$'
	keys 'echo one two three four five six seven eight nine ten eleven twelve thirteen fourteen'
	same 'urteen'
	keys C-a C-Right Right C-k
	same 'echo'
	keys C-e C-u 'printf "\033[7mreverse\033[m \033[4:3mcurly\033[m \033[58:5:9;4mcolour\033[m\n"' Enter
	same 'reverse curly'
	keys 'x=é你好; for i in 1 2 3; do echo "$i $x"; done' Enter
	same '^3 é你好'
	keys C-r 'for'
	same 'reverse-i-search'
	keys C-g 'ls --color=always -d /etc /bin/sh long.t' Tab Enter
	same 'long.txt'
	keys 'seq 100' Enter
	same '^100'
	keys clear Enter
	same '^\$'
	keys 'exit 3' Enter
	same 'END 3'
	finish
fi

if program zsh zsh; then
	cat >.zshrc <<-'RC'
		PROMPT='%F{green}zsh%f:%F{39}%1~%f %# '
		RPROMPT='%K{blue}%F{white} %? %f%k'
		autoload -Uz compinit && compinit -u -d zcompdump
		zstyle ':completion:*' menu select
		zstyle ':completion:*:default' list-colors 'di=1;34'
		unsetopt beep
	RC
	mkdir dir_one dir_two
	begin 'ZDOTDIR=$PWD zsh -i'
	same '^zsh:'
	keys 'echo $((6*7)); false' Enter
	same '^42'
	keys 'cd dir_' Tab Tab
	same 'dir_two'
	keys Tab Enter
	same 'dir_'
	keys Enter
	same 'zsh:dir_'
	keys 'print -P "%B%Ubold%u%b" 你好' Enter
	same 'bold 你好'
	keys 'for i in 1 2; do' Enter
	same 'for'
	keys 'echo $i' Enter 'done' Enter
	same '^2'
	keys 'exit' Enter
	same 'END'
	finish
fi

if program fish fish; then
	mkdir -p fish data/fish/generated_completions
	cat >fish/config.fish <<-'RC'
		set -g fish_greeting
		function fish_prompt
			set_color green; echo -n fish; set_color normal; echo -n ':'; set_color -o blue; echo -n (basename $PWD); set_color normal; echo -n '> '
		end
		function fish_right_prompt
			set_color brblack; echo -n right; set_color normal
		end
	RC
	mkdir abc_one abc_two
	begin 'XDG_CONFIG_HOME=$PWD XDG_DATA_HOME=$PWD/data fish -i'
	same '^fish:.*right'
	keys 'echo (math 6 x 7) "quoted" # comment'
	coloured '> .\[[0-9;]*mecho.*m# comment'
	keys Enter
	same '^42 quoted'
	keys 'ec'
	same 'ho (math'
	keys C-e Enter
	same '^42 quoted'
	keys C-u 'cd abc_' Tab
	same 'abc_two'
	keys Tab
	same 'abc_two'
	keys Escape
	keys C-u
	same '> *right *$'
	keys 'nosuchcommand'
	coloured '> .\[[0-9;]*mnosuchcommand'
	keys Enter
	same '^fish: Unknown command'
	keys 'exit'
	same '> exit'
	keys Enter
	same 'END'
	finish
fi

if program less less; then
	begin 'LESSHISTFILE=- less -M long.txt'
	same 'long.txt lines 1-23'
	keys Space
	same '24-46'
	keys '/7.*of' Enter
	same '^line 47'
	keys '&9' Enter
	same '^line 9'
	keys G
	same 'line 299'
	keys h
	same 'SUMMARY'
	keys q q
	same 'END 0'
	finish
fi

if program man man less; then
	begin 'LESS= MANPAGER="less -sR" MANWIDTH=78 man -E UTF-8 ls 2>/dev/null || echo no page'
	if wait_for "outer capture-pane -p -t bare: | grep -qE 'no page|SYNOPSIS|END'" 20 &&
		! outer capture-pane -p -t bare: | grep -q 'SYNOPSIS'; then
		p_name="$p_name # SKIP no manual pages"
	else
		same 'SYNOPSIS'
		keys Space
		same 'ls'
		keys '/sort' Enter
		same 'sort'
		keys q
		same 'END 0'
	fi
	finish
fi

if program git git less; then
	(
		git init -q -b main repo && cd repo &&
			git config user.name 'Someone Ü' &&
			git config user.email some@one &&
			for i in 1 2 3 4 5 6; do
				seq "$i" >f && git add f &&
					GIT_AUTHOR_DATE="2026-01-0${i}T00:00:00Z" \
						GIT_COMMITTER_DATE="2026-01-0${i}T00:00:00Z" \
						git commit -q -m "change $i: füße"
			done
		git branch side HEAD~3 && git switch -q side && echo x >g &&
			git add g &&
			GIT_AUTHOR_DATE=2026-01-09T00:00:00Z \
				GIT_COMMITTER_DATE=2026-01-09T00:00:00Z \
				git commit -q -m side &&
			git switch -q main && seq 3 9 >f
	) >/dev/null 2>&1
	begin 'cd repo; export GIT_PAGER="less -SRFX+g" HOME=$PWD; git -c color.ui=always log --graph --oneline --all; git -c color.ui=always diff --stat; git -c color.ui=always diff; git -c color.ui=always log -p'
	same 'change 6'
	keys G
	same 'Jan'
	keys '?change' Enter
	same 'change'
	keys q
	same 'END 0'
	if command -v tig >/dev/null; then
		keys C-c
		finish
		p_name=tig
		begin 'cd repo; export HOME=$PWD; tig'
		same 'change 6'
		keys j j Enter
		same '100%'
		keys Tab j j Q
		same 'END 0'
	fi
	finish
fi
done_testing
