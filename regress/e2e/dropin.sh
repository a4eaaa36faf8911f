#!/bin/sh
# Programs that call tmux inside rmux: the variables, the folder on PATH, the
# program under the name tmux and the files that it reads.
. "${top_srcdir:-.}/regress/e2e/lib.sh"

as=$e2e_build/libexec
t() {
	"$as/tmux" -L e2e "$@"
}
# told FILE: the file that a pane writes last, when it is whole.
told() {
	wait_for "grep -q '^end$' '$1' 2>/dev/null" || echo "no end in $1"
	sed '/^end$/d' "$1"
}
stop_all() {
	for label in e2e other default; do
		"$e2e_rmux" -L $label kill-server >/dev/null 2>&1
	done
}
trap 'stop_all; e2e_cleanup' EXIT

variables() {
	m new-window 'printf "%s\n" "$TMUX" "$RMUX" "$TMUX_PANE" "$RMUX_PANE" end >a'
	told a >b
	sed -n '1p;2p' b | sort -u | sed "s/,$e2e_pid,0$/,PID,0/"
	sed -n '3p;4p' b | sort -u
	m run-shell 'printf "%s\n" "${TMUX%%,*}" "${TMUX_PANE-none}" end >c'
	told c
	[ "$(m display-message -p '#{tmux_compat_dir}')" = "$as" ] && echo named
}
rmux_only "panes and jobs have TMUX and TMUX_PANE beside ours" variables \
	"TOP/s/rmux-$(id -u)/e2e,PID,0
%1
TOP/s/rmux-$(id -u)/e2e
none
named"

caller() {
	m new-window -n mine '{
		tmux -V; tmux display-message -p "#{window_name} #{pane_id}"
		tmux split-window cat; tmux list-panes -t "$TMUX_PANE" -F "#{pane_id}"
		tmux set-buffer -b b text; tmux show-buffer -b b; echo
		tmux no-such-command 2>&1; echo $?
		(unset TMUX; tmux -L other new-session -d -s far cat; tmux -L other ls -F "#S")
		echo end; } >b'
	told b
}
rmux_only "a program that calls tmux reaches the server of its pane" caller \
	"rmux 3.8
mine %1
%1
%2
text
unknown command: no-such-command
1
far"
stop_all

M=rmux
outside() {
	(
		export TMUX=/nowhere/tmux-0/default,1,0 TMUX_PANE=%7
		start 80 24 'printf "%s\n" "$TMUX" "$TMUX_PANE" end >o; exec cat'
	)
	told o | sed 's/,.*//'
	m set-option -s tmux-compat off
	m new-window 'printf "%s\n" "${TMUX-none}" "${TMUX_PANE-none}" "$PATH" end >p; exec cat'
	told p | sed "s|$PATH|PATH|"
	m kill-server
}
outside >got 2>&1
cat >want <<EOF
$RMUX_TMPDIR/rmux-$(id -u)/e2e
%0
none
none
PATH
EOF
check "an outer tmux does not come through, nor ours with tmux-compat off" \
	diff -u want got

refused() {
	TMUX=/nowhere/tmux-0/default,1,0 t list-sessions 2>&1
	echo $?
}
refused >got
cat >want <<EOF
this program is rmux, and TMUX names a server of tmux (/nowhere/tmux-0/default): call tmux by its full path, or unset TMUX
1
EOF
check "under the name tmux, a server of tmux is refused by name" diff -u want got

files() {
	echo 'set -g @from tmux-conf' >"$HOME/.tmux.conf"
	t new-session -d -s s cat
	t show-options -gv @from
	t kill-server
	"$e2e_rmux" -L e2e new-session -d -s s cat
	"$e2e_rmux" -L e2e show-options -gv @from
	"$e2e_rmux" -L e2e kill-server
	echo 'set -g @ours rmux-conf' >"$HOME/.rmux.conf"
	t new-session -d -s s cat
	t show-options -gv @from
	t show-options -gv @ours
	t kill-server
	rm "$HOME/.rmux.conf"
}
files >got 2>&1
cat >want <<'EOF'
tmux-conf
invalid option: @from
invalid option: @from
rmux-conf
EOF
check "tmux's files are read under its name where there are none of ours" \
	diff -u want got

hint() {
	outer_start 80 10 "TMUX= exec '$as/tmux' -L e2e new-session -s s cat"
	expect_screen 'rmux has read .*/.tmux.conf'
	t kill-server
}
check "the first client is told so" hint
rm "$HOME/.tmux.conf"

places() {
	mkdir -m 700 "$e2e_dir/t"
	(
		export TMUX_TMPDIR="$e2e_dir/t"
		t new-session -d -s s cat
		t display-message -p '#{socket_path}'
		t kill-server
	)
}
places >got 2>&1
echo "$e2e_dir/t/rmux-$(id -u)/e2e" >want
check "TMUX_TMPDIR is the folder of the socket" diff -u want got

# Variables that somebody else has set: no control character is shown, no file
# is lost, and a wrong pane is none.
esc=$(printf '\033]0;x\007')
hostile() {
	for v in "/nowhere/$esc/tmux-0/default,1,0" "/nowhere/$esc,1,0" ',,,' \
		"/$(printf %05000d 1),1,0" "$esc"; do
		TMUX=$v "$as/tmux" list-sessions 2>&1 | tr '\033\007' EB
	done | cut -c1-100
	echo kept >"$e2e_dir/kept"
	TMUX=$e2e_dir/kept,1,0 "$as/tmux" new-session -d cat 2>&1 |
		sed "s|$e2e_dir|TOP|"
	cat "$e2e_dir/kept"
	ls "$e2e_dir/kept"* | sed 's|.*/||'
	for v in "$esc" relative "/$(printf %0300d 1)" /dev/null; do
		TMUX_TMPDIR=$v t list-sessions 2>&1 | sed "s|$e2e_dir|TOP|"
	done
	m new-session -d -s s cat
	for v in '%99999999999' '%-1' "%0$esc" '#(touch ran)' ''; do
		TMUX=$RMUX_TMPDIR/rmux-$(id -u)/e2e,1,0 TMUX_PANE=$v \
			"$as/tmux" display-message -p '#{session_name}' 2>&1
	done | sort -u
	ls ran 2>/dev/null
	m kill-server
}
hostile >got 2>&1
cat >want <<EOF
this program is rmux, and TMUX names a server of tmux (/nowhere/]0;x/tmux-0/default): call tmux by i
error connecting to /nowhere/]0;x (No such file or directory)
no server running on 
socket path /$(printf %087d 0)
error connecting to ]0;x (No such file or directory)
error creating TOP/kept: it is no socket (choose another path with -S)
kept
kept
no server running on TOP/s/rmux-$(id -u)/e2e
no server running on TOP/s/rmux-$(id -u)/e2e
no server running on TOP/s/rmux-$(id -u)/e2e
couldn't create directory /dev/null/rmux-$(id -u) (Not a directory): set RMUX_TMPDIR to one that you can write
s
EOF
check "hostile values of tmux's variables" diff -u want got

# Folders that another user may change, and one's own behind a link.
folders() {
	[ "$(id -u)" = 0 ] || return 0
	mkdir -m 1777 "$e2e_dir/pub" && mkdir -m 700 "$e2e_dir/pub/rmux-0" || return 1
	chown nobody "$e2e_dir/pub/rmux-0"
	TMUX_TMPDIR=$e2e_dir/pub t new-session -d cat 2>&1 |
		grep -q 'belongs to uid' || return 1
	rmdir "$e2e_dir/pub/rmux-0" && mkdir -m 700 "$e2e_dir/own" || return 1
	ln -s "$e2e_dir/own" "$e2e_dir/pub/rmux-0"
	TMUX_TMPDIR=$e2e_dir/pub t new-session -d cat 2>&1 |
		grep -q 'is not a directory' || return 1
	rm "$e2e_dir/pub/rmux-0" && mkdir "$e2e_dir/pub/rmux-0" &&
		chmod 770 "$e2e_dir/pub/rmux-0" || return 1
	TMUX_TMPDIR=$e2e_dir/pub t new-session -d cat 2>&1 |
		grep -q 'unsafe permissions: others may enter it'
}
check "a folder of another user, a link, and one that others may enter" folders

foreign() {
	m new-session -d -s s cat
	TMUX="$RMUX_TMPDIR/rmux-$(id -u)/e2e,1,0" command tmux list-sessions
	code=$?
	m list-sessions -F '#S' || code=0
	m kill-server
	[ $code = 1 ]
}
# A script that calls tmux -V, show-window-options and popup -B -E -w60% -h50%.
chosen() {
	start 80 24 'exec sh'
	attach_in 80 24 "TMUX= exec '$e2e_rmux' -L e2e attach"
	m send-keys "seq 20 | fzf-tmux $* >'$e2e_dir/f'; echo end >>'$e2e_dir/f'" Enter
	expect_screen '20/20' && outer_keys -l 17
	expect_screen '> 17' && expect_screen ' 1/20' && outer_keys Enter
	told "$e2e_dir/f"
	m kill-server
}
popped() { [ "$(chosen -p 60%,50%)" = 17 ]; }
split() { [ "$(chosen -d 50%)" = 17 ]; }
if ! have fzf fzf-tmux bash; then
	skip "fzf-tmux chooses in a popup" "no fzf-tmux"
	skip "fzf-tmux chooses in a split" "no fzf-tmux"
elif [ $e2e_have_tmux = no ]; then
	skip "fzf-tmux chooses in a popup" "no tmux 3.3 as outer terminal"
	skip "fzf-tmux chooses in a split" "no tmux 3.3 as outer terminal"
else
	check "fzf-tmux chooses in a popup" popped
	check "fzf-tmux chooses in a split" split
fi

if [ $e2e_have_tmux = yes ]; then
	check "tmux itself ends at once on our socket, and does no harm" foreign
else
	skip "tmux itself ends at once on our socket, and does no harm" "no tmux"
fi
done_testing
