#!/bin/sh
# Options about the terminal of a pane and the drawing around panes, compared
# with tmux where it has them.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
[ $e2e_have_tmux = yes ] || skip_all "no tmux 3.3 as outer terminal"

attach() {
	m set-option -g status-right ''
	attach_in "$1" "$2" "$(attach_command) -t s"
	expect_screen '\[s\]'
}

# The program of the pane: prints its argument (for printf), then sleeps.
prints() {
	m respawn-pane -k -t s: "printf '$1'; printf 'end'; exec cat"
	expect_pane s: end
}

# As prints, then shows the next N bytes of input in hex.
reads() {
	m respawn-pane -k -t s: "stty raw -echo; printf '$1'; printf 'ready\r\n'; dd bs=1 count=$2 2>/dev/null | od -An -tx1; exec cat"
	expect_pane s: ready
}

renamed() {
	m set-option -w -t s: automatic-rename off
	m rename-window -t s: old
	prints '\033kone\033\\'
	run display-message -p -t s: '#W'
	m set-option -w -t s: allow-rename on
	m set-option -w -t s: automatic-rename on
	prints '\033ktwo\033\\'
	wait_for '[ "$(m display-message -p -t s: "#W")" = two ]' ||
		echo "not renamed"
	run show-options -wv -t s: automatic-rename
	# A prompt that holds the name would expand it.
	prints '\033kthree#(exit)##(exit)\033\\'
	wait_for 'm display-message -p -t s: "#W" | grep -q three' ||
		echo "not renamed"
	run display-message -p -t s: '#W'
	run capture-pane -p -t s: -E 0
}
compare "allow-rename" renamed

# So would a prompt that holds the name of a program.
named() {
	cp "$(command -v cat)" "$PWD/#(exit)"
	m set-option -w -t s: automatic-rename on
	m respawn-window -k -t s: sh
	m send-keys -t s: "'./#(exit)'" Enter
	# Its output makes the server look.
	wait_for 'm send-keys -t s: x Enter
		m display-message -p -t s: "#W" | grep -q exit' ||
		echo "not renamed"
	run display-message -p -t s: '#W'
}
compare "a program whose name is a command" named

# A window that enters or leaves a mode gets another name, without output.
automatic() {
	attach 40 8
	m copy-mode -t s:
	wait_for '[ "$(m display-message -p -t s: "#W")" = "[tmux]" ]' ||
		echo "not named"
	m copy-mode -q -t s:
	wait_for '[ "$(m display-message -p -t s: "#W")" != "[tmux]" ]' ||
		echo "still in a mode"
	detach
}
compare "automatic-rename" automatic

alternate() {
	prints 'main\033[?1049halt\033[5;5H\033[?1049l'
	run display-message -p -t s: '#{alternate_on} #{cursor_x} #{cursor_y}'
	prints 'main\033[?1049halt\033[5;5Hx'
	run display-message -p -t s: '#{alternate_on} #{cursor_x} #{cursor_y}'
	m set-option -w -t s: alternate-screen off
	prints 'main\033[?1049halt\033[5;5Hx'
	run display-message -p -t s: '#{alternate_on} #{cursor_x} #{cursor_y}'
	run capture-pane -p -t s: -E 4
	prints 'main\033[?1049halt\033[5;5H\033[?1049lx\033[?47hy\033[?47lz'
	run display-message -p -t s: '#{alternate_on} #{cursor_x} #{cursor_y}'
}
compare "alternate-screen" alternate

cleared() {
	prints '1\\n2\\n3\033[2J\033[H'
	run display-message -p -t s: '#{history_size}'
	m clear-history -t s:
	m set-option -p -t s: scroll-on-clear off
	prints '1\\n2\\n3\033[2J\033[H'
	run display-message -p -t s: '#{history_size}'
}
compare "scroll-on-clear" cleared

# tmux before 3.5 has neither of the next options.
backspace() {
	for key in C-? C-h DC x; do
		m set-option -s backspace "$key"
		reads '' 1
		m send-keys -t s: BSpace a a a
		expect_pane s: ' [0-9a-f][0-9a-f]$'
		m capture-pane -p -t s: | sed -n 2p
	done
}
rmux_only "backspace" backspace ' 7f
 08
 1b
 78'

extended() {
	m set-option -s extended-keys on
	for format in xterm csi-u; do
		m set-option -s extended-keys-format $format
		reads '\033[>4;2m' 6
		m send-keys -t s: C-Tab a a a a a a
		expect_pane s: ' 1b 5b'
		m capture-pane -p -t s: | sed -n 2p
	done
}
rmux_only "extended-keys-format" extended ' 1b 5b 32 37 3b 35
 1b 5b 39 3b 35 75'

# With always, a program need not ask.
always() {
	m set-option -s extended-keys always
	for format in xterm csi-u; do
		m set-option -s extended-keys-format $format
		reads '' 6
		m send-keys -t s: C-Tab a a a a a a
		expect_pane s: ' 1b 5b'
		m capture-pane -p -t s: | sed -n 2p
	done
	m set-option -s extended-keys on
}
rmux_only "extended-keys always" always ' 1b 5b 32 37 3b 35
 1b 5b 39 3b 35 75'

widths() {
	circled='\342\221\240'
	heart='\342\235\244\357\270\217'
	at="m display-message -p -t s: #{cursor_x}"
	prints "$circled$heart"
	$at
	m set-option -s codepoint-widths[0] U+2460-U+2470=2
	m set-option -s codepoint-widths[1] nonsense
	prints "$circled$heart"
	$at
	m set-option -s codepoint-widths[2] ①=1
	prints "$circled$heart"
	$at
	m set-option -s variation-selector-always-wide off
	prints "$circled$heart"
	$at
	m set-option -su codepoint-widths
	m set-option -su variation-selector-always-wide
	prints "$circled$heart"
	$at
	m set-option -s ambiguous-width wide
	prints "$circled$heart"
	$at
	m set-option -su ambiguous-width
	prints "$circled$heart"
	$at
}
rmux_only "codepoint-widths, variation-selector-always-wide, ambiguous-width" widths '6
7
6
5
6
7
6'

# 900000 and 1200000 bytes in base64.
long_string() {
	m set-option -s set-clipboard on
	for k in 300000 400000; do
		m respawn-pane -k -t s: "printf '\\033]52;c;'; head -c ${k}0 /dev/zero | tr '\\0' A | head -c $((k * 3)); printf '\\007end'; exec cat"
		expect_pane s: end
		m list-buffers -F '#{buffer_size}'
		m delete-buffer 2>/dev/null
	done
	m set-option -s input-buffer-size 2000000
	m respawn-pane -k -t s: "printf '\\033]52;c;'; head -c 1200000 /dev/zero | tr '\\0' A; printf '\\007end'; exec cat"
	expect_pane s: end
	m list-buffers -F '#{buffer_size}'
}
rmux_only "input-buffer-size" long_string '675000
900000'

# drawn PATTERN: the rows above the status line, when all of them are drawn.
drawn() {
	wait_for "outer_screen | head -n 9 | grep -q -- '$1'" ||
		echo "nothing like $1"
	settle here
	outer_screen | head -n 9
}

outside() {
	m set-option -g window-size manual
	m resize-window -t s: -x 20 -y 5
	# tmux 3.3 has no buttons there.
	m set-option -g pane-border-format '#P'
	attach 40 10
	drawn '│·'
	m set-option -w -t s: fill-character x
	drawn '│x'
	m split-window -t s: cat
	m split-window -h -t s: cat
	drawn '┬─*┤x'
	m resize-pane -Z -t s:
	drawn '^  *│x'
	m resize-pane -Z -t s:
	m resize-window -t s: -x 40 -y 5
	drawn '^─*┴─*$'
	m resize-window -t s: -x 39 -y 9
	drawn '^  *│$'
	m set-option -g pane-border-lines double
	m resize-window -t s: -x 38 -y 6
	drawn '╝x'
	m set-option -g pane-border-status top
	drawn '^══0'
	m set-option -g pane-border-status off
	m set-option -w -t s: fill-character ''
	drawn '╝·'
	m set-option -w -t s: fill-character 日
	drawn '╝·'
	m resize-window -t s: -x 60 -y 20
	wait_for '! outer_screen | grep -q ·' || echo "dots stay"
	detach
}
compare_old "fill-character, a window smaller than its client" outside

numbers() {
	m split-window -h -t s: cat
	run show-options -gw display-panes-colour
	run show-options -gw display-panes-active-colour
	m set-option -w -t s: display-panes-time 60000
	m set-option -w -t s: display-panes-format '#[align=centre]pane #{pane_index}'
	attach 60 12
	m display-panes -t s:
	expect_screen '^  *pane 0  *│  *pane 1'
	m set-option -w -t s: display-panes-border-style fg=red
	wait_for 'outer_screen -e | grep -q "31m│"' || echo "no red"
	outer_keys 0
	wait_for '! outer_screen -e | grep -q "31m│"' || echo "still red"
	detach
}
rmux_only "display-panes-format, display-panes-border-style" numbers '+ show-options -gw display-panes-colour
display-panes-colour themeblue
+ show-options -gw display-panes-active-colour
display-panes-active-colour themered'

# Keys of arrays may be words, which come behind the numbers.
words() {
	run set-option -s 'command-alias[zoom]' zz=resize-pane
	run set-option -s 'command-alias[a.b]' zy=list-keys
	run set-option -sa 'command-alias[zoom]' ' -Z'
	m show-options -s command-alias | tail -n 2
	m zz -t s:
	m display-message -p -t s: '#{window_zoomed_flag}'
	run set-option -su 'command-alias[zoom]'
	m show-options -s command-alias | tail -n 1
	m split-window -d -t s: cat
	m split-window -d -b -t s: cat
	m display-message -p -t s: '#{P:#{pane_id}} #{P/i:#{pane_id}}'
}
rmux_only "array keys by words, the order of loops" words '+ set-option -s command-alias[zoom] zz=resize-pane
+ set-option -s command-alias[a.b] zy=list-keys
+ set-option -sa command-alias[zoom]  -Z
command-alias[a.b] zy=list-keys
command-alias[zoom] "zz=resize-pane -Z"
0
+ set-option -su command-alias[zoom]
command-alias[a.b] zy=list-keys
%0%1%2 %2%0%1'

no_words() {
	m set-option -s default-client-command 'list-sessions -F "#S here"'
	run
	m kill-server
	wait_for "! alive $e2e_pid"
	echo 'set -s default-client-command "new-session -d -s conf ; display-message -p -t conf made"' >conf
	"$e2e_rmux" -L e2e -f conf
	e2e_pid=$(m display-message -p '#{pid}')
	e2e_pids="$e2e_pids $e2e_pid"
}
rmux_only "default-client-command" no_words '+ 
s here
made'

done_testing
