# Sourced by programs_*.sh: the same program, driven by the same keys, in a bare
# terminal and in an rmux client in a terminal of the same kind, side by side.
# Text, attributes, colours and cursor must be equal.
#
# program NAME [NEEDS...]  begins; skips and is false if a program is missing
# begin COMMAND            starts it on both sides and waits for its exit later
# keys KEYS...             the same keys to both sides
# same PATTERN             waits until both sides show the same, with PATTERN
# shown PATTERN            waits until both sides show PATTERN
# coloured PATTERN         the same, of text with its colours as sequences
# finish                   ends both sides
#
# shellcheck shell=sh disable=SC2154 # variables of lib.sh
[ $e2e_have_tmux = yes ] || skip_all "no tmux 3.3 to be the terminal"
command -v python3 >/dev/null || skip_all "no python3"

p_count=0
P_COLS=${P_COLS:-80} P_ROWS=${P_ROWS:-24}
# The client's $TERM.
P_TERM=${P_TERM:-tmux-256color}

cat >"$e2e_dir/inner.conf" <<-'CONF'
	set -g status off
	set -g prefix None
	set -g default-terminal tmux-256color
	set -sg escape-time 10
	set -g default-shell /bin/sh
CONF

e2e_reset=$(printf '\033[m')
e2e_escape=$(printf '\033')

# The environment of both sides, without variables that name the multiplexer.
p_env() {
	printf '%s' "env -u TMUX -u TMUX_PANE -u RMUX -u RMUX_PANE" \
		" -u TERM_PROGRAM -u TERM_PROGRAM_VERSION -u COLUMNS -u LINES" \
		" TERM=tmux-256color COLORTERM=truecolor"
}

outer new-session -d -s keep -x "$P_COLS" -y "$P_ROWS" cat || skip_all "no tmux"
e2e_outer=$(outer display-message -p '#{pid}')
e2e_pids="$e2e_pids $e2e_outer"
outer set -g status off
outer set -g default-terminal tmux-256color
outer set -sg escape-time 0
outer set -g extended-keys on

program() {
	p_name=$1
	shift
	for need; do
		command -v "$need" >/dev/null || {
			skip "$p_name" "no $need here"
			return 1
		}
	done
	p_failed=
	: >"$e2e_dir/p.log"
}

# The interpreter itself, since its launcher may be a script.
p_python=$(python3 -c 'import sys; print(sys.executable)')

# Prints the screen of a side: its cells, then the cursor.
p_look() {
	outer capture-pane -e -N -p -t "$1:" \; display-message -p -t "$1:" \
		"$e2e_reset"'cursor #{cursor_x},#{cursor_y} #{cursor_flag}' \
		>"$e2e_dir/$1.raw" 2>/dev/null
}

# Both screens in the normal form of cells.py.
p_cells() {
	"$p_python" -I -S "$e2e_src/regress/e2e/cells.py" \
		"$e2e_dir/bare.raw" "$e2e_dir/bare.cells" \
		"$e2e_dir/mux.raw" "$e2e_dir/mux.cells"
}

p_equal() {
	p_look bare
	tr -d '\016\017' <"$e2e_dir/bare.raw" |
		sed -e "s/$e2e_escape\[[0-9;:]*m//g" -e 's/ *$//' |
		grep -q -- "$1" || return 1
	p_look mux
	cmp -s "$e2e_dir/bare.raw" "$e2e_dir/mux.raw" || p_cells
}

begin() {
	printf '%s; printf "END %%s\\n" $?; exec cat\n' "$1" \
		>"$e2e_dir/begin.sh"
	p_count=$((p_count + 1))
	p_one=$e2e_dir/$p_count/one p_two=$e2e_dir/$p_count/two
	mkdir -p "$p_one" "$p_two"
	cp -R "$e2e_dir/work" "$p_one/w"
	cp -R "$e2e_dir/work" "$p_two/w"
	outer new-session -d -s bare -x "$P_COLS" -y "$P_ROWS" \
		-c "$p_one/w" "exec $(p_env) sh '$e2e_dir/begin.sh'"
	outer new-session -d -s mux -x "$P_COLS" -y "$P_ROWS" \
		-c "$p_two/w" "TERM=$P_TERM RMUX= '$e2e_rmux' -L e2e -f '$e2e_dir/inner.conf' new-session -s p \"exec $(p_env) sh '$e2e_dir/begin.sh'\""
}

# begin_mc [OPTIONS]: mc in a folder with four names.
begin_mc() {
	mkdir -p tree/dir
	for i in 1 2 3; do
		echo "file $i, wörds 你好" >tree/file$i
	done
	touch -d 2026-01-01 tree tree/*
	begin "cd tree; mkdir -p ../mc; export HOME=\$PWD/../mc MC_HOME=\$PWD/../mc; mc --nosubshell $*"
	same '10Quit'
}

keys() {
	outer send-keys -t bare: "$@"
	outer send-keys -t mux: "$@"
}

same() {
	[ -z "$p_failed" ] || return 1
	wait_for "p_equal '$1'" "${P_SECONDS:-15}" && return 0
	p_failed=1
	p_look bare
	p_look mux
	p_cells
	{
		echo "at: $1"
		diff -U2 "$e2e_dir/bare.cells" "$e2e_dir/mux.cells" ||
			true
		outer capture-pane -p -t bare: | grep -q -- "$1" || {
			echo "the bare terminal does not show it:"
			outer capture-pane -p -t bare:
		}
	} >>"$e2e_dir/p.log"
	return 1
}

# Both sides show PATTERN; the rest of the screens may differ.
shown() {
	for p_side in bare mux; do
		wait_for "outer capture-pane -p -t $p_side: 2>/dev/null |
			grep -q -- '$1'" "${P_SECONDS:-15}" || {
			p_failed=1
			echo "$p_side does not show: $1" >>"$e2e_dir/p.log"
		}
	done
}

# Both sides show PATTERN in their output with colours as sequences: waits for
# text that a program colours later.
coloured() {
	for p_side in bare mux; do
		wait_for "outer capture-pane -e -p -t $p_side: 2>/dev/null |
			grep -q -- '$1'" "${P_SECONDS:-15}" || {
			p_failed=1
			echo "$p_side does not show in colour: $1" >>"$e2e_dir/p.log"
		}
	done
}

# Prints the processes in the terminals of both sides.
p_processes() {
	for p_tty in $(outer list-panes -s -t bare -F '#{pane_tty}' 2>/dev/null) \
		$(outer list-panes -s -t mux -F '#{pane_tty}' 2>/dev/null) \
		$(m list-panes -a -F '#{pane_tty}' 2>/dev/null); do
		ps -o pid= -t "${p_tty#/dev/}" 2>/dev/null
	done
}

finish() {
	M=rmux
	p_left=$(p_processes)
	m kill-server >/dev/null 2>&1
	outer kill-session -t mux 2>/dev/null
	outer kill-session -t bare 2>/dev/null
	wait_for '! m has-session 2>/dev/null' 5
	# Some programs end late after a hangup, or never.
	for p_pid in $p_left; do
		wait_for "! alive $p_pid" 10 || kill -9 "$p_pid" 2>/dev/null
	done
	if [ -n "$p_failed" ]; then
		not_ok "$p_name" "$e2e_dir/p.log"
	else
		ok "$p_name"
	fi
}
