#!/bin/sh
# Floating and modal panes: new-pane, break-pane -W, join-pane, move-pane,
# resize-pane, split-window, zoom, layouts, the mouse and what is on the screen.
. "${top_srcdir:-.}/regress/e2e/lib.sh"

panes() {
	run list-panes -t s: -F '#D #{pane_width}x#{pane_height}+#{pane_left}+#{pane_top} #{?pane_floating_flag,z#{pane_z},} #{pane_flags} #{pane_at_top}#{pane_at_bottom}#{pane_at_left}#{pane_at_right} #{pane_right},#{pane_bottom} #{pane_x},#{pane_y}'
	run display-message -p -t s: '#{window_layout} #{window_visible_layout} #{window_flags} #{window_modal_pane}'
}

made() {
	m set-option -g remain-on-exit on
	run new-pane cat
	run new-pane -d -x 20 -y 6 cat
	run new-pane -P -F '#D #{pane_floating_flag}' -x 50% -y 50% -X 25% -Y -2 -T title cat
	run new-pane -B none -x 10 -y 3 -X 0 -Y 0 -E
	run new-pane -B double -S fg=red -R fg=blue -s bg=black -k -m bye -e A=1 -c / 'pwd; echo $A; exec cat'
	run show-options -p -t s:.5 pane-border-lines
	run capture-pane -p -t s:.5 -E 1
	printf 'given\n' | m new-pane -I -d -x 12 -y 4 >/dev/null
	expect_pane s:.6 given
	run new-pane -L -b -h -l 5 cat
	run new-pane -L -t s:.0 -v -p 20 -d cat
	run new-pane -x 2 cat
	run new-pane -y 1 cat
	run new-pane -x -1 cat
	run new-pane -x 99999 cat
	run new-pane -X 81 cat
	run new-pane -Y words cat
	run new-pane -B nonsense cat
	panes
}

moved() {
	m new-pane -x 20 -y 6 -X 30 -Y 8 cat
	for p in top-left top-centre top-right centre-left centre center \
		centre-right bottom-left bottom-centre bottom-right \
		top-left-centre top-right-centre bottom-left-centre \
		bottom-right-centre nowhere; do
		run move-pane -P $p
		run display-message -p '#{pane_left} #{pane_top}'
	done
	run move-pane -L
	run move-pane -R 7
	run move-pane -U 2
	run move-pane -D -3
	run move-pane -D words
	run display-message -p '#{pane_left} #{pane_top}'
	run move-pane -X 3 -Y 50%
	run move-pane -X 81
	run display-message -p '#{pane_left} #{pane_top}'
	run move-pane -t s:.0 -L
	m new-pane -x 20 -y 6 cat
	m new-pane -x 20 -y 6 cat
	for p in back forward forward backward front backward-loop \
		forward-loop forward-loop; do
		run move-pane -P $p
		run list-panes -F '#D z#{pane_z}'
	done
	run move-pane -z 1
	run list-panes -F '#D z#{pane_z}'
	run move-pane -z -1
}

resized() {
	m new-pane -x 20 -y 8 -X 30 -Y 8 cat
	for how in '-L 3' '-R 3' '-U 2' '-D 2' '-L -3' '-U -2' '-L' \
		'-x 10 -y 5' '-x 50% -y 50%' '-x 3 -y 3' '-x 0' '-R -10' \
		'-D words' '-L 100'; do
		run resize-pane $how
		run display-message -p '#{pane_width}x#{pane_height}+#{pane_left}+#{pane_top}'
	done
	run resize-pane -x 30 -y 6
	run move-pane -P bottom-right
	run resize-window -x 60 -y 15
	panes
	run resize-window -x 20 -y 5
	panes
	run resize-window -x 80 -y 24
	panes
}

lifted() {
	m split-window -h cat
	m split-window -v cat
	run break-pane -W
	run break-pane -W
	run break-pane -W -d -s s:.1 -x 20 -y 5 -X 50 -Y 3
	panes
	run join-pane -s s:.2 -t s:.2
	run join-pane -d -s s:.1 -t s:.1
	panes
	run break-pane -W -s s:.1
	run join-pane -s s:.0 -t s:.1
	run join-pane -h -s s:.1 -t s:.0
	panes
	run swap-pane -s s:.0 -t s:.1
	run break-pane -W
	run swap-pane -s s:.0 -t s:.2
	run swap-pane -d -s s:.2 -t s:.1
	panes
	run rotate-window
	panes
	run kill-pane
	run select-layout even-vertical
	panes
	run respawn-pane -k -t s:.1 cat
	run break-pane -d -t s:7
	panes
}

split() {
	m new-pane -x 22 -y 8 -X 30 -Y 8 cat
	run split-window cat
	run split-window -h cat
	run split-window -b cat
	run split-window -h -b -t s:.1 cat
	run split-window -f -t s:.1 cat
	panes
	m kill-pane -a -t s:.1
	run resize-pane -x 6 -y 4
	run move-pane -P bottom-right
	run split-window cat
	run split-window -h cat
	run split-window cat
	panes
}

zoomed() {
	m split-window -h cat
	m new-pane -x 20 -y 6 cat
	run resize-pane -Z
	panes
	run resize-pane -Z
	run resize-pane -Z -t s:.0
	run move-pane -t s:.2 -L 3
	run break-pane -W -s s:.1
	run new-pane -A -x 20 -y 6 cat
	panes
	run select-pane -t s:.0
	run select-pane -t s:.3
	panes
	run select-pane -t s:.2
	panes
	run resize-pane -Z -t s:.0
	run kill-pane -t s:.3
	panes
}

# While a float above the zoom is active, new panes end no zoom.
zoomed_new() {
	m split-window -d -h cat
	m resize-pane -Z
	m new-pane -A -x 20 -y 6 cat
	run new-pane -d -x 22 -y 10 -X 30 -Y 3 cat
	panes
	run new-pane -x 22 -y 10 -X 30 -Y 3 cat
	panes
	run resize-pane -Z
	run select-pane -t s:.2
	run resize-pane -Z -t s:.0
	run split-window -t s:.0 cat
	panes
}

modal() {
	m split-window -h cat
	run new-pane -O -L cat
	run new-pane -O -K -C -D -x 20 -y 6 cat
	panes
	run select-pane -t s:.0
	run select-pane -L
	run last-pane
	run new-pane -O cat
	run swap-pane -s s:.2 -t s:.1
	run join-pane -s s:.2 -t s:.0
	run break-pane
	run new-pane -x 10 -y 5 cat
	panes
	run resize-pane -Z -t s:.0
	panes
	run resize-pane -Z
	run kill-pane -t s:.2
	panes
}

texts() {
	m split-window -h cat
	m new-pane -x 20 -y 6 cat
	m new-pane -x 20 -y 6 cat
	m select-pane -t s:.1
	old=$(m display-message -p '#{window_layout}')
	run select-layout even-vertical
	run kill-pane -t s:.3
	run select-layout "$old"
	panes
	m new-pane -x 9 -y 4 cat
	run select-layout -o
	run select-layout "$old"
	panes
	leaf='"w":30,"h":24,"x":0,"y":0'
	for text in '{}' '{"V":2}' '{"V":3,"L":{}}' '{"V":2,"L":{}}' \
		'{"V":2,"L":[]}' '{"V":2,"L":{"t":"z",'$leaf',"i":0}}' \
		'{"V":2,"L":{"t":"p",'$leaf'}}' \
		'{"V":2,"L":{"t":"p",'$leaf',"i":0}}' \
		'{"V":2,"L":{"t":"p",'$leaf',"i":-1}}' \
		'{"V":2,"L":{"t":"p","w":0,"h":1,"x":0,"y":0,"i":1}}' \
		'{"V":2,"L":{"t":"p","w":1.5}}' '{"V":2,"V":2}' \
		'{"V":2 "L":3}' '{"V"}' '{"V":2,"L":{"t":"v",'$leaf',"c":3}}' \
		'{"V":2,"L":{"t":"v",'$leaf',"c":[]}}' \
		'{"V":2}x'; do
		run select-layout "$text"
	done
	run select-layout tiled
	run select-layout -E
	panes
}

# Floats among tiled panes, and panes of one row beside their titles.
presets() {
	m new-pane -x 20 -y 6 cat
	m split-window -f -t s:.0 cat
	m new-pane -x 20 -y 6 -X 3 -Y 2 cat
	m split-window -f -t s:.0 cat
	for preset in even-horizontal main-vertical main-horizontal \
		main-vertical-mirrored main-horizontal-mirrored tiled; do
		run select-layout $preset
		panes
	done
	run select-layout even-vertical
	run resize-pane -t s:.2 -y 1
	run resize-pane -t s:.0 -y 1
	run resize-pane -t s:.4 -y 1
	m move-pane -t s:.1 -Y 0
	m move-pane -t s:.3 -P bottom-right
	for where in top bottom; do
		run set-option -w pane-border-status $where
		panes
	done
}

sides() {
	m split-window -h cat
	for at in '10 5' '50 5' '12 15' '31 14' '12 11'; do
		set -- $at
		m new-pane -x 20 -y 6 -X $1 -Y $2 cat
	done
	for i in 0 1 2 3 4 5 6; do
		for d in L R U D; do
			m select-pane -t s:.$i
			m select-pane -$d
			m display-message -p "$i $d #{pane_index}"
		done
	done
}

# drag BUTTON X Y X2 Y2: with the mouse, counted from 0; 8 is Meta, 16 Ctrl.
drag() {
	outer_keys -l "$(printf '\033[<%d;%d;%dM' "$1" $(($2 + 1)) $(($3 + 1)))"
	outer_keys -l "$(printf '\033[<%d;%d;%dM' $(($1 + 32)) $((($2 + $4) / 2 + 1)) $((($3 + $5) / 2 + 1)))"
	outer_keys -l "$(printf '\033[<%d;%d;%dM\033[<%d;%d;%dm' $(($1 + 32)) $(($4 + 1)) $(($5 + 1)) "$1" $(($4 + 1)) $(($5 + 1)))"
}

# is NUMBER PLACE: waits until a pane is there.
is() {
	wait_for "[ \"\$(m display-message -p -t s:0.$1 '#{pane_width}x#{pane_height}+#{pane_left}+#{pane_top}')\" = $2 ]" ||
		panes
}

# What these drags do is as in tmux 3.8.
dragged() {
	m set-option -g mouse on
	m set-option -g status off
	m set-option -g focus-follows-mouse off
	m split-window -h cat
	attach_in 60 20 "$e2e_rmux -L e2e -f /dev/null attach"
	m new-pane -x 20 -y 6 -X 5 -Y 3 cat
	expect_screen '┌──────────────────┐'
	drag 0 24 5 28 5 # right border
	is 2 22x4+6+4
	drag 0 5 5 3 5 # left border
	is 2 24x4+4+4
	drag 0 10 8 10 10 # lower border
	is 2 24x6+4+4
	drag 0 3 3 5 5 # corner
	is 2 22x4+6+6
	drag 0 10 5 12 1 # upper border: moves
	is 2 22x4+8+2
	drag 8 10 4 20 8 # Meta inside: moves
	is 2 22x4+18+6
	drag 16 45 2 55 8 # Ctrl: spans a new one
	is 3 9x5+46+3
	drag 16 20 16 12 12 # the other way
	is 4 7x3+13+13
	run list-panes -F '#D #{pane_width}x#{pane_height}+#{pane_left}+#{pane_top} #{pane_flags}'
	# Keys of the table move.
	outer_keys C-b g 4
	is 4 7x3+52+16
	outer_keys C-b g M-2
	is 4 28x8+31+1
	outer_keys C-b @
	wait_for '[ "$(m display-message -p "#{pane_floating_flag}")" = 0 ]'
	outer_keys C-b @
	is 4 28x8+31+1
	detach
}

# A modal pane gets the keys; C-c or a click outside closes it.
guarded() {
	m set-option -g mouse on
	m set-option -g status off
	attach_in 60 20 "$e2e_rmux -L e2e -f /dev/null attach"
	m new-pane -O -K -D -x 20 -y 6 -X 20 -Y 5 'stty raw -echo; exec cat -v'
	expect_screen '┌──────────────────┐'
	outer_keys C-b x
	expect_pane s:.1 '^^Bx'
	outer_keys C-c
	wait_for '[ "$(m display-message -p -t s: "#{window_panes}")" = 1 ]'
	m new-pane -O -C -x 20 -y 6 -X 20 -Y 5 cat
	drag 0 21 7 21 7
	run list-panes -F '#D #{pane_flags}'
	drag 0 1 1 1 1
	wait_for '[ "$(m display-message -p -t s: "#{window_panes}")" = 1 ]'
	detach
}

# tmux 3.8 shows such a pane large but does not say that it is zoomed, and has
# no room beside a float.
others() {
	run new-pane -Z cat
	run list-panes -F '#D #{pane_width}x#{pane_height} #{pane_flags}'
	run new-pane -L -f -t s:.0 -E
	run split-window -E -t s:.0 -d
	run list-panes -F '#D #{pane_width}x#{pane_height} #{pane_flags}'
	run new-pane -M cat
	run list-panes -F '#D #{pane_width}x#{pane_height} #{pane_flags}'
}

recorded "new-pane" made floats_made.rec
recorded "move-pane" moved floats_moved.rec
recorded "resize-pane, resize-window" resized floats_resized.rec
recorded "break-pane -W, join-pane, swap-pane" lifted floats_lifted.rec
recorded "split-window of a float" split floats_split.rec
recorded "zoom, new-pane -A" zoomed floats_zoomed.rec
recorded "new panes above a zoom" zoomed_new floats_zoomed_new.rec
recorded "modal panes" modal floats_modal.rec
recorded "layouts as text" texts floats_texts.rec
recorded "presets, panes of one row" presets floats_presets.rec
recorded "select-pane -LRUD" sides floats_sides.rec
rmux_only "the mouse and keys" dragged "+ list-panes -F #D #{pane_width}x#{pane_height}+#{pane_left}+#{pane_top} #{pane_flags}
%0 30x20+0+0 
%1 29x20+31+0 
%2 22x4+18+6 F
%3 9x5+46+3 -F
%4 7x3+13+13 *F"
rmux_only "keys and mouse of a modal pane" guarded "+ list-panes -F #D #{pane_flags}
%0 -
%2 *FAO"
rmux_only "new-pane -Z, -L -f, split-window -E" others "+ new-pane -Z cat
+ list-panes -F #D #{pane_width}x#{pane_height} #{pane_flags}
%0 80x24 -
%1 80x24 *Z
+ new-pane -L -f -t s:.0 -E
+ split-window -E -t s:.0 -d
+ list-panes -F #D #{pane_width}x#{pane_height} #{pane_flags}
%0 80x6 
%3 80x5 
%1 40x6 -F
%2 80x11 *
+ new-pane -M cat
+ list-panes -F #D #{pane_width}x#{pane_height} #{pane_flags}
%0 80x6 
%3 80x5 
%1 40x6 -F
%2 80x11 *"
# As tmux 3.8: -b puts a pane before another in their order, a tiled one takes
# negative amounts.
ordered() {
	m split-window -d -t s: cat
	for f in -d '-d -b' '-d -f' '-d -b -f'; do
		m new-pane $f -t s:.0 -x 10 -y 4 cat
	done
	m list-panes -t s: -F '#D'
	run resize-pane -t %0 -D -2
	run resize-pane -t %0 -U -1
	m display-message -p -t %0 '#{pane_height}'
}
rmux_only "the order of panes, negative amounts" ordered "%5
%3
%0
%1
%2
%4
+ resize-pane -t %0 -D -2
+ resize-pane -t %0 -U -1
11"

done_testing
