#!/bin/sh
# rec_env.sh NAME DIR - the program of a recording, always the same.
#
# Runs in DIR (made if missing) the program that recordings/NAME.keys was made
# for: own HOME, rc files, prompt and files, no history, nothing that asks the
# terminal or looks at the clock, so that the same keys lead to the same screens.
set -u
name=$1 dir=$2
src=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$dir/home/work/src" || exit 1
dir=$(cd "$dir" && pwd)
cd "$dir/home" || exit 1
export HOME="$dir/home" LC_ALL=C.UTF-8 TERM=xterm-256color SHELL=/bin/sh
export PATH=/usr/bin:/bin:/usr/local/bin LESS="" LESSHISTFILE=- PAGER=less
export XDG_CONFIG_HOME="$HOME" XDG_DATA_HOME="$HOME" XDG_CACHE_HOME="$HOME"
unset TMUX RMUX STY SSH_CONNECTION SSH_CLIENT SSH_TTY LS_COLORS EDITOR VISUAL \
	ENV BASH_ENV PYTHONSTARTUP TERM_PROGRAM COLORTERM INPUTRC MOSH_KEY
cd work || exit 1
[ -f notes.txt ] || {
	i=1
	while [ $i -le 200 ]; do
		echo "line $i of the notes: the quick brown fox number $((i * 7 % 31)) jumps"
		i=$((i + 1))
	done >notes.txt
	printf '#include <stdio.h>\n\nint\nmain(void)\n{\n\tprintf("hello\\n");\n\treturn 0;\n}\n' >src/hello.c
	printf 'milk\nbread\napples\n' >todo.txt
	printf 'set nocompatible nomodeline noswapfile nobackup viminfo= ruler\nset t_RV= t_u7= t_RF= t_RB= t_TI= t_TE= t_fs= t_ts= t_ti=\e[?1049h t_te=\e[?1049l\nset t_ut= mouse= shortmess+=I notitle ttimeout ttimeoutlen=50 backspace=2\nset nocursorline belloff=all\n' >../.vimrc
	printf 'PS1="%%%% "\nRPROMPT="[work]"\nunsetopt prompt_sp prompt_cr\nbindkey -e\n' >../.zshrc
	mkdir -p ../fish
	printf 'set fish_greeting\nfunction fish_prompt; echo -n "> "; end\nfunction fish_title; end\nset -g fish_handle_reflow 0\n' >../fish/config.fish
	printf 'set nonewlines\n' >../.nanorc
	printf '(setq inhibit-startup-screen t inhibit-startup-echo-area-message "%s" initial-scratch-message nil blink-matching-paren nil echo-keystrokes 0 make-backup-files nil auto-save-default nil create-lockfiles nil)\n(fset (quote display-startup-echo-area-message) (lambda () (message "")))\n(menu-bar-mode -1)\n(global-eldoc-mode -1)\n(global-font-lock-mode -1)\n(blink-cursor-mode -1)\n' "$(id -un)" >../init.el
}
# Clears the screen (mosh's server prints a line of its own).
printf '\033[H\033[2J'
case $name in
bash | bash-long | password) exec env PS1='$ ' bash --noprofile --norc -i ;;
zsh) exec env ZDOTDIR="$HOME" zsh -d -i ;;
fish) exec fish -i ;;
vim-write | vim-move | vim-long) exec vim -i NONE -u ../.vimrc notes.txt ;;
nano) exec nano notes.txt ;;
# A terminal that emacs does not question.
emacs) exec env TERM=vt220 emacs -nw -q -l ../init.el todo.txt ;;
less) exec less -M notes.txt ;;
chat | chat-long | outage) exec python3 -I "$src/rec_chat.py" ;;
talk | talk-long) exec python3 -I "$src/rec_chat.py" lines ;;
python) exec python3 -q -I ;;
*)
	echo "rec_env.sh: no program named $name" >&2
	exit 1
	;;
esac
