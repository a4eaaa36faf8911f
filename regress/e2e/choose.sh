#!/bin/sh
# The choosers.  The screens are those of tmux 3.8 for the same keys.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
[ $e2e_have_tmux = yes ] || skip_all "no tmux 3.3 as outer terminal"

attach() {
	m set-option -g status off \; set-option -sg escape-time 20 \
		\; set-option -g allow-rename off \
		\; set-option -g tree-mode-preview-format '#{?pane_format,p,w}'
	m new-session -d -s zwei -n eins 'printf bee; cat'
	attach_in "$1" "$2" "$(attach_command) -t s"
}

# see TEXT: waits for it and shows the rows of the list and the box's title.
see() {
	wait_for "outer_screen | grep -qF -- '$1'" || echo "no $1"
	outer_screen | sed -e 's/ *$//' -e '/^$/d' -e '/┌ .* ─/q'
}

tree() {
	m rename-window -t s:0 erst
	attach 70 24
	outer_keys C-b w
	see 'view: preview'
	outer_keys Left
	see '+ s: 1'
	outer_keys Right Down t
	see '0*: erst'
	outer_keys : 'set-option -g @x "%%"' Enter
	wait_for 'm show-options -gqv @x | grep -q .' || echo "no target"
	m show-options -gv @x
	outer_keys T f '#{==:#{session_name},zwei}' Enter
	see 'filter: active'
	outer_keys c x
	see 'Kill session zwei?'
	outer_keys y
	wait_for '! m has-session -t zwei 2>/dev/null' || echo "not killed"
	outer_keys q
	wait_for '[ "$(m display-message -p -t s "#{pane_in_mode}")" = 0 ]' ||
		echo "still there"
	detach
}
rmux_only "choose-tree" tree "(0) - s: 1 windows (attached)
(1) └─→ + 0: erst*
(2) - zwei: 1 windows
(3) └─→ + 0: eins*
┌ 0 (sort: index) (view: preview) ───────────────────────────────────┐
(0) + s: 1 windows (attached)
(1) - zwei: 1 windows
(2) └─→ + 0: eins*
┌ s (sort: index) (view: preview) ───────────────────────────────────┐
(0) - s: 1 windows (attached)
(1) └─→ + 0*: erst*
(2) - zwei: 1 windows
(3) └─→ + 0: eins*
┌ zwei (sort: index) (view: preview) ────────────────────────────────┐
=s:0.
(0) - zwei: 1 windows
(1) └─→ + 0: eins*
┌ zwei (sort: index) (view: preview) (filter: active) ───────────────┐
(0) - s: 1 windows (attached)
(1) └─→ + 0: erst*
(2) - zwei: 1 windows
(3) └─→ + 0: eins*
┌ zwei (sort: index) (view: preview) ────────────────────────────────┐"

# left: leaves the mode.
left() {
	outer_keys q
	wait_for '[ "$(m display-message -p -t s: "#{pane_in_mode}")" = 0 ]' ||
		echo "still there"
}

# mode ARGS: opens a chooser, shows it and leaves it.
mode() {
	run "$@"
	see "${want:-┌}"
	left
}

flags() {
	m rename-window -t s:0 erst
	attach 70 24
	m new-session -d -s zwie -t zwei
	m split-window -d -l 2 -t s: cat
	mode choose-tree -t s: -s -O name -r
	mode choose-tree -t s: -w -G -y -F '#{window_id}'
	mode choose-tree -t s: -h -Z -i -f '#{==:#{window_name},erst}'
	mode choose-tree -t s: -w -K '#{?#{==:#{line},1},a,}'
	want='eins*' mode choose-tree -t s: -w -N
	mode choose-tree -t s: -N -N
	run choose-tree -t s: -O none
	run choose-tree -t s: -k -y
	m display-message -p -t s: '#{pane_mode}'
	outer_keys q
	wait_for '[ "$(m display-message -p -t s: "#{window_panes}")" = 1 ]' ||
		echo "not killed"
	mode find-window -t s: -N eins
	mode find-window -t s: -C -T -i -Z BEE
	mode find-window -t s: -r 'be*'
	detach
}
rmux_only "flags of choose-tree and find-window" flags "+ choose-tree -t s: -s -O name -r
(0) + zwei: 1 windows (group zwei: zwei,zwie)
(1) + s: 1 windows (attached)
┌ s (sort: name, reversed) (view: preview) ──────────────────────────┐
+ choose-tree -t s: -w -G -y -F #{window_id}
(0) - s: @0
(1) └─→ + 0: @0
(2) - zwei: @1
(3) └─→ + 0: @1
(4) - zwie: @1
(5) └─→ + 0: @1
┌ 0 (sort: index) (view: preview) ───────────────────────────────────┐
+ choose-tree -t s: -h -Z -i -f #{==:#{window_name},erst}
(0) - s: 1 windows (attached)
(1) └─→ - 0: erst*Z
(2)     └─→ 1: sh
┌ s (sort: index) (view: info) (filter: active) ─────────────────────┐
+ choose-tree -t s: -w -K #{?#{==:#{line},1},a,}
    - s: 1 windows (attached)
(a) └─→ + 0: erst*
    - zwei: 1 windows (group zwei: zwei,zwie)
    └─→ + 0: eins*
┌ 0 (sort: index) (view: preview) ───────────────────────────────────┐
+ choose-tree -t s: -w -N
(0) - s: 1 windows (attached)
(1) └─→ + 0: erst*
(2) - zwei: 1 windows (group zwei: zwei,zwie)
(3) └─→ + 0: eins*
──────────────────────────────────────────────────────────────────────
+ choose-tree -t s: -N -N
(0) - s: 1 windows (attached)
(1) └─→ - 0: erst*
(2)     ├─→ 0: sh*
(3)     └─→ 1: sh
(4) - zwei: 1 windows (group zwei: zwei,zwie)
┌ 0 (sort: index) (view: preview) ───────────────────────────────────┐
+ choose-tree -t s: -O none
err: invalid sort order
exit: 1
+ choose-tree -t s: -k -y
tree-mode
+ find-window -t s: -N eins
(0) - zwei: 1 windows (group zwei: zwei,zwie)
(1) └─→ - 0: eins*
(2)     └─→ 0: sh*
┌ zwei (sort: index) (view: preview) (filter: active) ───────────────┐
+ find-window -t s: -C -T -i -Z BEE
(0) - zwei: 1 windows (group zwei: zwei,zwie)
(1) └─→ - 0: eins*
(2)     └─→ 0: sh*
┌ zwei (sort: index) (view: preview) (filter: active) ───────────────┐
+ find-window -t s: -r be*
(0) - zwei: 1 windows (group zwei: zwei,zwie)
(1) └─→ - 0: eins*
(2)     └─→ 0: sh*
┌ zwei (sort: index) (view: preview) (filter: active) ───────────────┐"

# The colours of the first row and of the border.
styles() {
	m rename-window -t s:0 erst
	attach 70 24
	m set-option -g tree-mode-border-style fg=red \; \
		set-option -g tree-mode-preview-style fg=blue \; \
		set-option -g tree-mode-selection-style bg=green
	run choose-tree -t s: -s
	see 'view: preview' >/dev/null
	wait_for 'outer_screen -e | sed -n 1p | grep -q "\[42m"' ||
		echo "no selection style"
	outer_screen -e | sed -n -e 's/.*\(\[[0-9;]*m┌ s\).*/\1/p' \
		-e 's/.*\(\[[0-9;]*mw\).*/\1/p'
	m set-option -gu tree-mode-selection-style \; set-option -g mode-style bg=cyan
	outer_keys Down
	wait_for 'outer_screen -e | grep -q "\[46m"' || echo "no mode-style"
	detach
}
rmux_only "styles of choose-tree" styles "+ choose-tree -t s: -s
[31m┌ s
[34mw"

buffers() {
	m set-buffer -b one 'first text' \; set-buffer -b two 'zweiter' \
		\; set-buffer -b three drei
	attach 70 24
	m set-option -g @time '#{t/p:buffer_created}'
	F='#{buffer_size} #{buffer_sample}'
	run choose-buffer -t s: -F "$F"
	see '┌ three'
	outer_keys t C-s text Enter
	see '┌ one'
	outer_keys D
	wait_for '! m show-buffer -b three >/dev/null 2>&1' || echo "not deleted"
	outer_keys Enter
	expect_pane s 'first text'
	mode choose-buffer -t s: -F "$F" -O size -r -y -f '#{m:t*,#{buffer_name}}'
	want='(b)' mode choose-buffer -t s: -N -y -Z -F x -K '#{?line,b,a}' \
		"set-option -g @b '%%'"
	m split-window -d -t s: cat
	run choose-buffer -t s: -k
	outer_keys q
	wait_for '[ "$(m display-message -p -t s: "#{window_panes}")" = 1 ]' ||
		echo "not killed"
	detach
}
rmux_only "choose-buffer" buffers "+ choose-buffer -t s: -F #{buffer_size} #{buffer_sample}
(0) three: 4 drei
(1) two: 7 zweiter
(2) one: 10 first text
┌ three (sort: creation) ────────────────────────────────────────────┐
(0) three*: 4 drei
(1) two: 7 zweiter
(2) one: 10 first text
┌ one (sort: creation) ──────────────────────────────────────────────┐
+ choose-buffer -t s: -F #{buffer_size} #{buffer_sample} -O size -r -y -f #{m:t*,#{buffer_name}}
(0) two: 7 zweiter
┌ two (sort: size, reversed) (filter: active) ───────────────────────┐
+ choose-buffer -t s: -N -y -Z -F x -K #{?line,b,a} set-option -g @b '%%'
(a) two: x
(b) one: x
+ choose-buffer -t s: -k"

clients() {
	attach 70 24
	F='#{client_width} #{session_name}'
	mode choose-client -t s: -F "$F" -O activity | sed "s|$client|CLIENT|;s/─*┐/┐/"
	want='(x)' mode choose-client -t s: -F "$F" -N -h -i -r -y -Z -K x \
		-f '#{==:#{session_name},s}' "set-option -g @c '%%'" |
		sed "s|$client|CLIENT|"
	run choose-client -t s: -k
	outer_keys Enter
	wait_for '[ -z "$(m list-clients)" ]' || echo "not detached"
}
rmux_only "choose-client" clients "+ choose-client -t s: -F #{client_width} #{session_name} -O activity
(0) CLIENT: 70 s
┌ CLIENT (sort: activity) (view: preview) ┐
+ choose-client -t s: -F #{client_width} #{session_name} -N -h -i -r -y -Z -K x -f #{==:#{session_name},s} set-option -g @c '%%'
(x) CLIENT: 70 s
+ choose-client -t s: -k"

# Changes one option, one key and one variable.
customize() {
	m set-environment -g CHOSEN old
	attach 70 24
	run customize-mode -t s: -Z -f '#{m:word-sep*,#{option_name}}'
	see '┌ '
	outer_keys Down Right Down s C-u 'a"b$c' Enter
	wait_for 'm show-options -v -t s: word-separators | grep -q b' ||
		echo "not set"
	m show-options -t s: word-separators
	outer_keys d y
	wait_for '! m show-options -t s: | grep -q word' || echo "not reset"
	left
	want='(M-a)' mode customize-mode -t s: -y -N -f '#{==:#{key},F9}'
	m bind-key F9 set-option -g @x 1 \\\; set-option -g @y 2
	run customize-mode -t s: -y -F '#{option_value}' \
		-f '#{||:#{==:#{key},F9},#{==:#{environment_name},CHOSEN}}'
	outer_keys Down Down Down Down Down Right Down s C-u new Enter
	wait_for 'm show-environment -g CHOSEN | grep -q new' || echo "not new"
	outer_keys u
	wait_for '! m show-environment -g CHOSEN >/dev/null 2>&1' || echo "not unset"
	outer_keys Down Down Down Down Right Down Right Down Down s 'a note' \
		Enter
	wait_for 'm list-keys -N F9 | grep -q note' || echo "no note"
	m list-keys -T prefix F9
	outer_keys u
	wait_for '! m list-keys -T prefix F9 >/dev/null 2>&1' || echo "not unbound"
	left
	m split-window -d -t s: cat
	run customize-mode -t s: -k
	outer_keys q
	wait_for '[ "$(m display-message -p -t s: "#{window_panes}")" = 1 ]' ||
		echo "not killed"
	detach
}
rmux_only "customize-mode" customize "+ customize-mode -t s: -Z -f #{m:word-sep*,#{option_name}}
(0)     Server Options
(1)   + Session Options
(2)     Window & Pane Options
(3)     Session Hooks
(4)     Window & Pane Hooks
(5)     Global Environment
(6)     Session Environment
(7)     Key Table - copy-mode
(8)     Key Table - copy-mode-vi
(9)     Key Table - move
(M-a)   Key Table - prefix
(M-b)   Key Table - root
┌ Server Options (filter: active) ───────────────────────────────────┐
word-separators \"a\\\"b\\\$c\"
+ customize-mode -t s: -y -N -f #{==:#{key},F9}
(0)   Server Options
(1)   Session Options
(2)   Window & Pane Options
(3)   Session Hooks
(4)   Window & Pane Hooks
(5)   Global Environment
(6)   Session Environment
(7)   Key Table - copy-mode
(8)   Key Table - copy-mode-vi
(9)   Key Table - move
(M-a) Key Table - prefix
(M-b) Key Table - root
+ customize-mode -t s: -y -F #{option_value} -f #{||:#{==:#{key},F9},#{==:#{environment_name},CHOSEN}}
bind-key  -T prefix F9 set-option -g @x 1 \\; set-option -g @y 2
+ customize-mode -t s: -k"

# Options set for all windows stand before those of a window, and of a pane.
user_options() {
	m set-option -p -t s: @a 1 \; set-option -w -t s: @z 1 \; \
		set-option -w -t s: @b 1 \; set-option -p -t s: @z 2 \; \
		set-option -gw @m 1
	attach 70 24
	m customize-mode -t s: -f '#{m:@?,#{option_name}}'
	wait_for "outer_screen | grep -q Key"
	outer_keys M-+
	wait_for "outer_screen | grep -q @a"
	outer_screen | grep @
	left
	detach
}
rmux_only "the order of user options" user_options "(3)   ├─→ @m: 1
(4)   ├─→ @b: (window 0) 1
(5)   ├─→ @z: (pane 0) 2
(6)   └─→ @a: (pane 0) 1"

done_testing
