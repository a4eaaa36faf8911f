#!/bin/sh
# Paste buffers, the same under tmux and under rmux.
. "${top_srcdir:-.}/regress/e2e/lib.sh"

set_show() {
	run show-buffer
	run delete-buffer
	run set-buffer
	run set-buffer ""
	run set-buffer -b a hello
	run set-buffer -a -b a " world"
	run show-buffer -b a
	run show-buffer -b nope
	run set-buffer one
	run set-buffer -a two
	run list-buffers
	run show-buffer
	run set-buffer -b "" text
}
compare "set and show" set_show

rename() {
	run set-buffer -n x
	run set-buffer one
	run set-buffer -n kept
	run set-buffer -b nope -n x
	run set-buffer -b a text
	run set-buffer -b a -n b
	run list-buffers -F '#{buffer_name} #{buffer_size} #{buffer_sample}'
	run list-buffers -f '#{==:#{buffer_name},b}'
	run delete-buffer -b b
	run delete-buffer -b b
	run list-buffers
}
compare "rename, delete and list" rename

samples() {
	run set-buffer "$(printf 'a\tb\nc\033[mé')"
	run set-buffer "$(printf '%0100d' 0)"
	run list-buffers
}
compare "samples are printable" samples

limit() {
	m set -s buffer-limit 3
	for i in 1 2 3 4 5; do m set-buffer $i; done
	m set-buffer -b named x
	run list-buffers
}
compare "buffer-limit drops the oldest automatic ones" limit

files() {
	printf 'first\nsecond\n' >in
	run load-buffer in
	run load-buffer -b named "$PWD/in"
	run list-buffers
	run save-buffer out
	cat out
	run save-buffer -a -b named out
	cat out
	run save-buffer -
	run load-buffer ./nope
	run save-buffer nope/out
	run save-buffer -b nope out
	printf 'from stdin' | run load-buffer -b stdin -
	run show-buffer -b stdin
	: | run load-buffer -b empty -
	run show-buffer -b empty
	run set-buffer -b f formatted
	run save-buffer -b f "#{session_name}.out"
	cat s.out
	run load-buffer
}
compare "load and save" files

binary() {
	i=0
	while [ $i -lt 3000 ]; do
		printf 'line %d of a buffer that takes many messages to send\n' $i
		i=$((i + 1))
	done >in
	m load-buffer -b big in
	m save-buffer -b big out
	cmp in out && echo same
	m show-buffer -b big | cmp in - && echo same
	printf '\001\002\003\200\377' >in
	m load-buffer -b bytes in
	m save-buffer -b bytes - | od -c
}
compare "bytes come back as they were" binary

# The bytes that reach a program: its terminal is raw and od shows them.
pasted() {
	printf '%s' "$1" | m load-buffer -b p -
	shift
	m respawn-pane -k "stty raw -echo; printf ready; ${MODE:-:}; dd bs=1 count=$1 >bytes 2>/dev/null; stty sane; echo; od -c bytes; cat"
	shift
	expect_pane s: ready
	m paste-buffer -b p "$@"
	expect_pane s: '^0000[0-9]*[1-9a-f]'
	m capture-pane -p | grep '^00'
}

paste() {
	pasted "a
b
c" 5
	pasted "a
b" 3 -r
	pasted "a
b" 4 -s XY
	m list-buffers -F '#{buffer_name}'
	pasted "ab" 2 -d
	run list-buffers
	run paste-buffer -b nope
	run paste-buffer -t nope:
	MODE="printf '\\033[?2004h'"
	pasted "a
b" 15 -p
	MODE=
	pasted "ab" 2 -p
}
compare "paste" paste

safe() {
	m new-window "stty raw -echo; printf ready; dd bs=1 count=12 >bytes 2>/dev/null; stty sane; echo; od -c bytes; cat"
	expect_pane s: ready
	printf 'a\033[Ab\001\177\tc' | m load-buffer -
	m paste-buffer
	expect_pane s: '^0000014'
	m capture-pane -p | grep '^00'
}
rmux_only "control bytes are pasted as text" safe \
	'0000000   a   ^   [   [   A   b   ^   A   ^   ?  \t   c
0000014'

orders() {
	m set-buffer -b b 22
	m set-buffer -b a 1
	m set-buffer -b c 333
	for o in name size creation; do
		m list-buffers -O $o -F '#{buffer_name}' | tr '\n' ' '
		m list-buffers -r -O $o -F '#{buffer_name}' | tr '\n' ' '
		echo
	done
	run list-buffers -O nope
}
rmux_only "sort orders" orders "a b c c b a 
a b c c b a 
c a b b a c 
+ list-buffers -O nope
err: invalid sort order
exit: 1"

# More than the buffers of the control socket hold, by file and by pipe.
large() {
	head -c 70000000 /dev/zero | tr '\000' 'x' >large
	m load-buffer -b file large
	m load-buffer -b pipe - <large
	m save-buffer -b file saved
	cmp large saved
	cat saved | m load-buffer -b pipe -
	m save-buffer -b pipe - | cmp - large
	m list-buffers -F '#{buffer_name} #{buffer_size}'
	rm -f large saved
	run load-buffer .
}
rmux_only "70 MB come and go" large 'pipe 70000000
file 70000000
+ load-buffer .
err: Input/output error: DIR/.
exit: 1'

done_testing
