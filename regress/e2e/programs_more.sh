#!/bin/sh
# Line-oriented programs, ssh to this machine, and newer programs look in rmux
# as in a bare terminal.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
. "$e2e_src/regress/e2e/programs_lib.sh"

awk 'BEGIN { for (i = 1; i <= 300; i++) printf "line %d of the long text\n", i }' >long.txt
python=$p_python

# resize COLUMNS ROWS
resize() {
	outer resize-window -t bare: -x "$1" -y "$2"
	outer resize-window -t mux: -x "$1" -y "$2"
}

# --- ssh to this machine --------------------------------------------------------------

if [ -n "$(command -v sshd || ls /usr/sbin/sshd 2>/dev/null)" ] &&
	have ssh vim less; then
	. "$e2e_src/regress/e2e/sshd_lib.sh"
	if ! sshd_lets_in; then
		skip "ssh to this machine" "this account cannot log in"
	elif program "ssh to this machine"; then
		begin "$S -t -p $ssh_port $(id -un)@127.0.0.1 'cd $PWD; export LC_ALL=C.UTF-8; PS1=\"there: \" HISTFILE= exec bash --norc --noprofile'"
		same '^there:'
		keys 'echo $TERM; tty >/dev/null && printf "\033[38;2;1;200;3mgreen\033[m 你好\n"' Enter
		same '^green 你好'
		keys 'LESSHISTFILE=- less -M long.txt' Enter
		same 'lines 1-23'
		# A resize reaches the remote program.
		resize 70 16
		same '^line 15'
		keys q
		same '^there:'
		keys 'stty size' Enter
		same '^16 70'
		resize 80 24
		# Start the program only when both sides have the new size.
		keys 'until stty size | grep -q "24 80"; do :; done; clear; echo sized' Enter
		same '^sized'
		keys 'vim -u NONE -i NONE -N -n --cmd "set t_RV= t_u7= t_RF= t_RB= ruler" long.txt' Enter
		same 'line 22'
		keys 'dGihere' Escape
		same '^here'
		keys ':q!' Enter
		same '^there: *$'
		keys 'sleep 1000' Enter # sleep-ok: to be interrupted
		same '^there: sleep'
		keys C-c
		same '^there: *$'
		keys 'exit 7' Enter
		same 'END 7'
		finish
	fi
	sshd_end
else
	skip "ssh to this machine" "no sshd, ssh, vim or less"
fi

# --- line by line ---------------------------------------------------------------------

if program "python"; then
	begin "PYTHONSTARTUP= PYTHON_HISTORY= PYTHON_BASIC_REPL=1 HOME=\$PWD $python -q -E -s"
	same '^>>>'
	keys 'for i in range(3):' Enter '    print(i, "é你好" * i)' Enter Enter
	same '^2 é你好é你好'
	keys '[n for n in range(60)]' Enter
	same '59'
	keys Up C-a C-k '1/0' Enter
	same 'ZeroDivision'
	keys 'print("\x1b[48;5;20mon blue\x1b[m", "\N{THUMBS UP SIGN}")' Enter
	same '^on blue'
	keys 'exit(4)' Enter
	same 'END 4'
	finish
fi

if program "gdb" gdb; then
	begin 'HOME=$PWD gdb -q -nx -iex "set style enabled on" -iex "set pagination off"'
	same '^(gdb)'
	keys 'print 6*7' Enter
	same '= 42'
	keys 'help info li' Tab
	same 'help info line'
	keys C-u 'echo \\n' Enter 'quit' Enter
	same 'END 0'
	finish
fi

if program "sqlite3" sqlite3; then
	begin 'SQLITE_HISTORY=/dev/null HOME=$PWD sqlite3 -interactive :memory:'
	same '^sqlite>'
	# The tty echoes between two lines: wait for the prompt first.
	keys '.mode box' Enter
	same '^sqlite>$'
	keys 'select 42 as answer, "你好" as greeting\;' Enter
	same '│ 42 '
	keys 'select' Enter
	same '[.]>$'
	keys '7\;' Enter
	same '│ 7 '
	keys '.quit' Enter
	same 'END 0'
	finish
fi

# --- the whole screen ------------------------------------------------------------------

if program "lynx" lynx; then
	cat >page.html <<-'HTML'
		<html><head><title>A page</title></head><body><h1>Head</h1>
		<p>Text with <b>bold</b>, <em>emphasis</em> and <a href="other.html">a link</a>.</p>
		<ul><li>one</li><li>two 你好</li></ul>
		<form>Name <input name="n" size="10"> <input type="submit"></form></body></html>
	HTML
	echo '<p>the other page</p>' >other.html
	begin 'HOME=$PWD LYNX_SAVE_SPACE=$PWD lynx -nopause -noprint -assume_charset=utf-8 -display_charset=utf-8 page.html'
	same 'a link'
	keys Down Up Enter
	same 'the other page'
	keys Left
	same 'Head'
	keys q
	same 'quit'
	keys y
	same 'END 0'
	finish
fi

if program "screen inside" screen; then
	mkdir -m 700 sd
	begin 'SCREENDIR=$PWD/sd HOME=$PWD screen -c /dev/null sh -c "PS1=\"$ \" exec sh -i"'
	same '^\$'
	keys 'seq 40; printf "\033[1;45mbold\033[m 你好\n"' Enter
	same '^bold 你好'
	keys C-a S C-a Tab C-a c
	same 'sh'
	keys C-a '['
	shown 'Copy mode'
	keys Escape
	keys C-a Q
	keys C-a ':'
	same '^:'
	keys 'quit' Enter
	shown 'END'
	finish
fi

# --- programs of package registries, where installed --------------------------------------

if program "ptpython" ptpython; then
	mkdir -p conf
	begin 'HOME=$PWD XDG_CONFIG_HOME=$PWD/conf PROMPT_TOOLKIT_NO_CPR=1 ptpython --history-file=$PWD/history'
	same '>>>'
	keys 'import os; print(6 * 7)' Enter
	same '^42'
	same '^>>> *$'
	keys 'os.path.j'
	same 'join'
	keys C-c
	same '>>> *$'
	keys 'exit()' Enter
	shown 'END'
	finish
fi

if program "litecli" litecli; then
	mkdir -p conf
	begin 'HOME=$PWD XDG_CONFIG_HOME=$PWD/conf PROMPT_TOOLKIT_NO_CPR=1 litecli --no-warn :memory: 2>&1'
	shown '>'
	keys 'select 42 as answer\;' Enter
	shown '42'
	shown '1 row in set'
	keys 'sel'
	shown 'select *$\|savepoint\|SELECT'
	keys C-u
	shown ':memory:> *$'
	keys C-d
	shown 'END'
	finish
fi

tui_python=${RMUX_TUI_PYTHON:-$python}
if ! "$tui_python" -c 'import textual' 2>/dev/null; then
	skip "a program made with textual" "no textual for $tui_python"
elif program "a program made with textual"; then
	cat >tui.py <<-'PY'
		from textual.app import App
		from textual.widgets import (Button, DataTable, Footer, Header, Input,
		                             Static)

		class Tui(App):
		    ENABLE_COMMAND_PALETTE = False
		    BINDINGS = [('ctrl+q', 'quit', 'Quit'), ('f2', 'mark', 'Mark')]
		    CSS = 'Input.-focus { border: round green; } Static { background: #203040; }'
		    def compose(self):
		        yield Header()
		        yield Static('[b]bold[/b] [i #ff8800]orange[/] 你好 👍', id='s')
		        # A blinking cursor always differs between two sides.
		        i = Input(placeholder='type here')
		        i.cursor_blink = False
		        yield i
		        yield Button('Press me', id='b')
		        yield DataTable()
		        yield Footer()
		    def on_mount(self):
		        self.animation_level = 'none'
		        t = self.query_one(DataTable)
		        t.add_columns('number', 'square')
		        for n in range(5):
		            t.add_row(str(n), str(n * n))
		    def on_button_pressed(self, event):
		        self.query_one('#s').update('it was pressed')
		    def action_mark(self):
		        self.query_one('#s').update('[reverse]marked[/]')
		Tui().run()
	PY
	begin "TEXTUAL_ANIMATIONS=none $tui_python tui.py"
	same 'Press me'
	same 'type here'
	keys 'hello é'
	same 'hello é'
	keys F2
	same 'marked'
	# Presses the button with the mouse.
	for p_side in bare mux; do
		wait_for "[ \"\$(outer display-message -p -t $p_side: \
			'#{mouse_sgr_flag}')\" = 1 ]" 15
		outer send-keys -t $p_side: -l "$(printf '\033[<0;5;7M')"
		outer send-keys -t $p_side: -l "$(printf '\033[<0;5;7m')"
	done
	same 'it was pressed'
	resize 60 20
	same 'it was pressed'
	keys C-q
	same 'END 0'
	finish
fi
done_testing
