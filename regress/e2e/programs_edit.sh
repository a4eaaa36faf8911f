#!/bin/sh
# Editors look in rmux as they do in a bare terminal.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
. "$e2e_src/regress/e2e/programs_lib.sh"

# A text with tabs, long lines, wide and combining characters.
cat >text.c <<'C'
/* A file to edit. */
#include <stdio.h>

int
main(int argc, char **argv)
{
	const char *s = "quoted \"text\" %d";	/* TODO: 你好 */
	int i, é = 0x2a;

	for (i = 0; i < argc; i++)
		printf(s, é);	// a line that is longer than eighty columns, to be wrapped or cut
	return 0;
}
C
awk 'BEGIN { for (i = 1; i <= 200; i++) printf "line %d of the long text\n", i }' >long.txt

if program vim vim; then
	cp text.c v.c
	begin 'vim -u NONE -i NONE -N --cmd "set bg=dark t_RV= t_u7= t_RF= t_RB= ruler showcmd laststatus=2 hlsearch incsearch nobackup noswapfile" --cmd "syntax on" v.c'
	same 'All'
	keys ':set number list cursorline' Enter
	same '^ 12 .*return'
	keys '/int' Enter
	same 'int argc'
	keys 'Onew line' Escape
	same 'new line'
	keys ':split long.txt' Enter
	same 'line 3 of'
	keys C-f C-f
	same 'line 1[0-9] of'
	keys C-d C-e C-e C-y 'zz'
	same 'long.txt'
	keys C-w w 'Vjj'
	same 'VISUAL'
	keys Escape ':set termguicolors | colorscheme desert' Enter
	same 'v.c'
	keys ':vsplit | set wrap nolist' Enter 'ggyyPix' Tab '你好é' Escape
	same '你好é'
	keys ':!echo from $((6*7))' Enter
	same 'from 42'
	keys Enter ':qa!' Enter
	same 'END 0'
	finish
fi

if program "vim as it comes" vim; then
	begin 'vim long.txt'
	same 'line 20 of'
	keys G
	same 'line 200 of'
	keys '50%' ':terminal ++curwin echo in a terminal' Enter
	same '^in a terminal'
	keys ':qa!' Enter
	same 'END 0'
	finish
fi

if program nvim nvim; then
	begin 'nvim -u NONE -i NONE -n text.c -c "syntax on" -c "set number cursorline"'
	same 'text.c'
	keys '/printf' Enter
	same '/printf'
	keys ':set termguicolors | split long.txt' Enter
	same 'line 3 of'
	keys C-f C-d
	same 'line 2[0-9] of'
	keys ':q' Enter
	same '^  4 int'
	keys ':qa!' Enter
	same 'END 0'
	finish
fi

if program "emacs -nw" emacs; then
	cp text.c e.c
	begin 'emacs -nw -Q --eval "(setq make-backup-files nil auto-save-default nil create-lockfiles nil frame-background-mode (quote dark))" --eval "(blink-cursor-mode 0)" e.c'
	same 'e.c .*All'
	keys C-s 'printf'
	same 'I-search: printf'
	keys C-g
	same 'Quit'
	keys C-n C-n M-x
	same 'M-x'
	keys 'linum' C-g
	same 'Quit'
	keys C-x 2 C-x o C-x C-f
	same 'Find file'
	keys 'long.txt' Enter
	same 'line 5 of'
	keys C-v C-v M-v
	same 'long.txt'
	keys C-x 3 C-SPACE C-n C-n
	same 'long.txt'
	keys F10
	same 'long.txt'
	keys Escape Escape Escape
	same 'long.txt'
	keys C-x C-c
	same 'END 0'
	finish
fi

if program nano nano; then
	cp text.c n.c
	begin 'nano -I -l -Y c n.c'
	same 'n.c'
	keys C-v Up Up 'typed 你好' Enter
	same 'typed'
	keys C-w 'int' Enter
	same 'int'
	keys C-g
	same 'help'
	keys C-x C-x n
	same 'END 0'
	finish
fi

if program micro micro; then
	mkdir micro
	begin 'micro -config-dir "$PWD/micro" text.c'
	same 'text.c'
	keys Down Down C-f 'printf'
	same 'printf'
	keys Enter C-q
	same 'END 0'
	finish
fi
done_testing
