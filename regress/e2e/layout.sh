#!/bin/sh
# select-, next- and previous-layout, resize-pane.
. "${top_srcdir:-.}/regress/e2e/lib.sh"

layout() {
	run display-message -p "$@" '#{window_layout} #{window_visible_layout} #P'
}

five() {
	for i in 1 2 3 4; do
		m split-window cat
		m select-layout tiled
	done
}

trimmed() {
	m respawn-pane -k 'seq 1 60; printf "\033[5;1Hhere\033[K"; cat'
	expect_pane '' here
	run display-message -p '#{history_size} #{cursor_y}'
	run resize-pane -T
	run display-message -p '#{history_size} #{cursor_y}'
	run capture-pane -p
	run capture-pane -p -S -
	# The history has fewer rows than there are below the cursor.
	m clear-history
	m respawn-pane -k 'seq 1 30; printf "\033[5;1Hnow\033[K"; cat'
	expect_pane '' now
	run display-message -p '#{history_size} #{cursor_y}'
	run resize-pane -T
	run display-message -p '#{history_size} #{cursor_y}'
	run capture-pane -p -S -
	run resize-pane -T
	run display-message -p '#{history_size} #{cursor_y}'
}
compare "resize-pane -T" trimmed

test_presets() {
	five
	for l in even-horizontal even-vertical main-horizontal main-vertical \
		tiled even-h; do
		run select-layout $l
		layout
	done
	run set-option -w main-pane-height 30%
	run set-option -w main-pane-width 20
	run set-option -w other-pane-height 12
	run select-layout main-horizontal
	layout
	run select-layout main-vertical
	layout
	run kill-pane
	run select-layout
	layout
}

test_text() {
	five
	old=$(m display-message -p '#{window_layout}')
	run select-layout even-horizontal
	run select-layout "$old"
	layout
	run select-layout -o
	layout
	run select-layout -o
	layout
}

test_errors() {
	m split-window -h cat
	m select-layout even-vertical
	m select-layout nothing
	m select-layout '0000,80x24,0,0,0'
	m select-layout 'b25d,80x24,0,0,0'
	m display-message -p '#{window_layout}'
	m select-layout -o
	m display-message -p '#{window_layout}'
}

test_spread() {
	m split-window -h -l 10 cat
	m split-window -h -l 3 cat
	layout
	run select-layout -E
	layout
	m split-window -l 3 cat
	run select-layout -E
	layout
	run select-layout -o
	layout
}

test_zoomed() {
	five
	run resize-pane -Z
	layout
	run select-layout even-vertical
	layout
	run resize-pane -Z
	run resize-pane -Z
	layout
}

test_resize() {
	m split-window -h cat
	m split-window -v cat
	m split-window -v cat
	layout
	run resize-pane -L 5
	layout
	run resize-pane -R
	run resize-pane -U 3
	layout
	run resize-pane -D
	layout
	run resize-pane -x 30
	run resize-pane -y 4
	layout
	run resize-pane -x 50%
	run resize-pane -y 25%
	layout
	run resize-pane -x 1000
	layout
	run resize-pane -x words
	run resize-pane -y words
	run resize-pane -L words
	run resize-pane -t s:0.0 -R 1000
	layout
	run resize-pane -t s:0.0 -L 1000
	layout
	run resize-pane -t s:0.9 -L 1
}

# The row of pane-border-status does not count as a row of the pane.
test_resize_titled() {
	m split-window -v cat
	for where in top bottom; do
		m set-option -w pane-border-status $where
		for at in 0 1; do
			run resize-pane -t s:0.$at -y 7
			run list-panes -F '#{pane_index} #{pane_height}'
			layout
		done
	done
}

test_cycle() {
	five
	# The mirrored ones are not in tmux 3.3a.
	for i in 1 2 3; do
		run next-layout
		layout
	done
	run select-layout -p
	layout
	run select-layout -n
	layout
	run previous-layout
	layout
	run select-layout tiled
	run next-layout
	layout
	run previous-layout
	layout
	run next-layout -t s:4
}

recorded "preset layouts" test_presets layout_presets.rec
recorded "layouts as text, -o" test_text layout_text.rec
rmux_only "what select-layout refuses" test_errors \
	'malformed layout header: nothing
invalid layout checksum: 0000,80x24,0,0,0
have 2 panes but need 1: b25d,80x24,0,0,0
{"V":2,"L":{"t":"v","w":80,"h":24,"x":0,"y":0,"c":[{"t":"p","w":80,"h":12,"x":0,"y":0,"l":0,"i":0,"I":"%0"},{"t":"p","w":80,"h":11,"x":0,"y":13,"a":true,"i":1,"I":"%1"}]}}
{"V":2,"L":{"t":"h","w":80,"h":24,"x":0,"y":0,"c":[{"t":"p","w":40,"h":24,"x":0,"y":0,"l":0,"i":0,"I":"%0"},{"t":"p","w":39,"h":24,"x":41,"y":0,"a":true,"i":1,"I":"%1"}]}}'
recorded "select-layout -E" test_spread layout_spread.rec
recorded "layouts of a zoomed window" test_zoomed layout_zoomed.rec
recorded "resize-pane" test_resize layout_resize.rec
recorded "resize-pane -y with pane-border-status" test_resize_titled layout_resize_titled.rec
recorded "next-layout, previous-layout" test_cycle layout_cycle.rec
done_testing
