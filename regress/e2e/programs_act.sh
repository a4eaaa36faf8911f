#!/bin/sh
# Actions on programs: mouse, resize, stop and continue, paste; titles, colours,
# and the restored screen.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
. "$e2e_src/regress/e2e/programs_lib.sh"

awk 'BEGIN { for (i = 1; i <= 300; i++) printf "line %d of the long text\n", i }' >long.txt
cat >>"$e2e_dir/inner.conf" <<'CONF'
set -g set-titles on
set -g set-titles-string '#T'
CONF

# mouse BUTTON COLUMN ROW M|m: in the encoding that the program has chosen; rmux
# always chooses SGR of its terminal.
mouse() {
	for p_side in bare mux; do
		if [ "$(outer display-message -p -t $p_side: \
			'#{mouse_sgr_flag}')" = 1 ]; then
			outer send-keys -t $p_side: -l \
				"$(printf '\033[<%d;%d;%d%s' "$@")"
			continue
		fi
		[ "$4" = M ] || set -- 3 "$2" "$3" m
		# shellcheck disable=SC2059 # octal numbers
		outer send-keys -t $p_side: -l "$(printf "\\033[M$(
			printf '\\%03o\\%03o\\%03o' $(($1 + 32)) \
				$(($2 + 32)) $(($3 + 32))
		)")"
	done
}

# click COLUMN ROW, wheel up|down COLUMN ROW, drag FROM-X FROM-Y TO-X TO-Y
click() {
	mouse 0 "$1" "$2" M
	mouse 0 "$1" "$2" m
}

wheel() {
	case $1 in
	up) mouse 64 "$2" "$3" M ;;
	*) mouse 65 "$2" "$3" M ;;
	esac
}

drag() {
	mouse 0 "$1" "$2" M
	mouse 32 "$3" "$4" M
	mouse 0 "$3" "$4" m
}

# resize COLUMNS ROWS
resize() {
	outer resize-window -t bare: -x "$1" -y "$2"
	outer resize-window -t mux: -x "$1" -y "$2"
}

# Both sides show the program, and it has enabled the mouse.
mouse_on() {
	for p_side in bare mux; do
		wait_for "[ \"\$(outer display-message -p -t $p_side: \
			'#{mouse_any_flag}')\" = 1 ]" "${P_SECONDS:-15}" || {
			p_failed=1
			echo "$p_side: no mouse" >>"$e2e_dir/p.log"
		}
	done
}

# paste TEXT: as the terminal does, bracketed where the program enabled it.
paste() {
	outer set-buffer -b paste "$1"
	outer paste-buffer -p -r -b paste -t bare:
	outer paste-buffer -p -r -b paste -t mux:
}

# titled TITLE
titled() {
	for p_side in bare mux; do
		wait_for "outer display-message -p -t $p_side: '#{pane_title}' |
			grep -q -- '$1'" "${P_SECONDS:-15}" || {
			p_failed=1
			echo "$p_side is called" "$(outer display-message -p \
				-t "$p_side:" '#{pane_title}')" >>"$e2e_dir/p.log"
		}
	done
}

V='vim -u NONE -i NONE -N --cmd "set bg=dark t_RV= t_u7= t_RF= t_RB= nobackup noswapfile laststatus=2 ruler"'

if program "vim: mouse, sizes, paste, stop" vim; then
	begin "printf 'before it\\n'; bash --norc --noprofile"
	same '^before it'
	keys "$V --cmd 'set mouse=a ttymouse=sgr' long.txt" Enter
	same 'line 20 of'
	mouse_on
	click 6 10
	same '10,6'
	wheel down 6 10
	same 'line 25 of'
	drag 3 3 9 5
	same 'VISUAL'
	keys Escape ':split' Enter
	same 'line 1[0-9] of'
	# Drags the line between the two.
	drag 10 12 10 6
	same 'long.txt'
	keys ':only' Enter 'gg'
	same 'line 20 of'
	resize 60 15
	same 'line 12 of'
	resize 100 30
	same 'line 25 of'
	resize 80 24
	same 'line 20 of'
	keys 'O'
	same 'INSERT'
	paste 'pasted	one
  two'
	same '^  two'
	keys Escape ':set title titlestring=called\ %t' Enter
	titled 'called long.txt'
	# Stopped: the previous screen, then vim's again.
	keys C-z
	same 'Stopped'
	same '^before it'
	keys 'fg' Enter
	same '^  two'
	keys ':q!' Enter
	same '^before it'
	keys 'exit 0' Enter
	same 'END 0'
	finish
fi

if program "less: wheel, sizes, the screen before" less; then
	begin "printf 'before it\\n'; LESSHISTFILE=- less --mouse -M long.txt"
	same 'lines 1-23'
	mouse_on
	wheel down 5 5
	same '^line [23] of'
	wheel down 5 5
	wheel down 5 5
	wheel up 5 5
	same 'long.txt'
	resize 50 12
	same 'long.txt'
	keys Space
	same 'long.txt'
	resize 90 30
	same 'long.txt'
	resize 80 24
	keys q
	same '^before it'
	same 'END 0'
	finish
fi

sleep 1000 & # sleep-ok: the process to look at
sleeper=$!
if program "htop: mouse and sizes" htop; then
	mkdir -p .config/htop
	printf '%s\n' htop_version=3.2.2 config_reader_min_version=3 \
		'fields=0 48 17 18 38 39 40 2 46 47 49 1' \
		header_layout=one_100 column_meters_0=Hostname enable_mouse=1 \
		column_meter_modes_0=2 >.config/htop/htoprc
	begin "HOME=\$PWD htop -d 600 -p $sleeper"
	same 'F10Quit'
	mouse_on
	# Help at the bottom, then closed again.
	click 3 24
	same 'htop 3'
	keys Escape
	same 'F10Quit'
	resize 60 16
	same 'PID'
	resize 110 30
	same 'F10Quit'
	resize 80 24
	same 'F10Quit'
	keys F10
	same 'END'
	finish
fi
kill $sleeper

if program "mc: mouse and sizes" mc; then
	begin_mc
	mouse_on
	click 5 5
	same 'file'
	click 5 1
	same 'File listing'
	keys Escape Escape
	same '10Quit'
	resize 70 18
	same '10Quit'
	resize 80 24
	same '10Quit'
	keys F10
	same 'END 0'
	finish
fi

if program "emacs: sizes and stop" emacs; then
	begin "printf 'before it\\n'; bash --norc --noprofile"
	same '^before it'
	keys 'emacs -nw -Q --eval "(progn (blink-cursor-mode 0) (xterm-mouse-mode 1))" long.txt' Enter
	same 'line 20 of'
	mouse_on
	click 6 5
	same 'L4'
	resize 60 15
	same 'line 10 of'
	resize 80 24
	same 'line 20 of'
	keys C-z
	same 'Stopped'
	keys 'fg' Enter
	same 'line 20 of'
	keys C-x C-c
	same '^before it'
	keys 'exit 0' Enter
	same 'END 0'
	finish
fi

# A paste is text, not commands, in a program that enabled bracketed paste.
for shell in bash zsh fish; do
	program "$shell: paste and titles" $shell || continue
	case $shell in
	bash) begin 'PS1="$ " bash --norc --noprofile' ;;
	zsh) begin 'PS1="$ " zsh -f' ;;
	fish)
		mkdir -p fish data/fish/generated_completions
		printf '%s\n' 'set -g fish_greeting' \
			'function fish_prompt; echo -n "\$ "; end' \
			'function fish_title; end' >fish/config.fish
		begin 'XDG_CONFIG_HOME=$PWD XDG_DATA_HOME=$PWD/data fish --private'
		;;
	esac
	same '^\$'
	paste 'echo first
echo second'
	same 'echo second'
	for p_side in bare mux; do
		outer capture-pane -p -t $p_side: | grep -q '^second' && {
			p_failed=1
			echo "$p_side ran what was pasted" >>"$e2e_dir/p.log"
		}
	done
	keys Enter
	same '^second'
	# fish colours typed text a moment later, or never if it was run by then.
	keys 'printf "\033]2;named %s\007" by-me'
	same ' by-me'
	keys Enter
	[ $shell = fish ] || titled 'named by-me'
	keys 'printf "\033[38;2;10;200;30mtrue \033[48;2;1;2;3mcolour\033[m\n"'
	same 'colour.*n"'
	keys Enter
	same '^true colour'
	keys 'exit 0'
	same 'exit 0'
	keys Enter
	same 'END 0'
	finish
done

# A program that did not enable brackets gets the text alone.
if program "a paste without brackets"; then
	begin 'stty -echo; echo begun; cat'
	same '^begun'
	paste 'plain
text'
	keys Enter
	same '^text'
	outer capture-pane -p -t mux: | grep -q '20[01]~' && p_failed=1
	keys C-d
	same 'END 0'
	finish
fi

# Back from the alternate screen, with a resize in between.
if program "the screen before, after another size"; then
	begin "seq 1 12; printf '\\033[?1049h\\033[Hother'; read x; printf '\\033[?1049l'; read x"
	same '^other'
	resize 60 20
	same '^other'
	keys Enter
	same '^12'
	keys Enter
	same 'END 0'
	finish
fi
done_testing
