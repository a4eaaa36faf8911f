#!/bin/sh
# target.sh - compare the objects that tmux and the model find for a -t.
. "${top_srcdir:-.}/regress/ref/lib.sh"
ref=${top_builddir:-.}/regress/ref/target_ref
tm -f /dev/null new-session -d -s alpha -n one -x 80 -y 24 cat || exit 99
tm split-window -d -h -t %0 cat
tm split-window -d -v -t %1 cat
tm split-window -d -v -t %0 cat
tm new-window -d -t alpha:1 -n two cat
tm new-window -d -t alpha:5 -n three cat
tm new-window -d -t alpha:6 -n twofold cat
tm new-session -d -s beta -n one -x 80 -y 24 cat
tm new-window -d -t beta:1 -n x cat
tm new-session -d -s beta2 -n zed -x 80 -y 24 cat
tm link-window -d -s alpha:1 -t beta:9
tm select-window -t alpha:5
tm select-window -t alpha:0
tm select-pane -t %1
tm select-pane -t %2
tm select-pane -m -t %5

# Every text is tried as a pane, a window and a session, from three panes.
# Not from %8: steps from a pane of one window through those of another, which
# tmux 3.3a counts from the wrong end and we count from the active pane.
cat >"$dir/texts" <<'LIST'
alpha
=alpha
alp
al*
beta
be
be*
=be
beta:
nosuch
=nosuch
$0
$2
$9
alpha:
alpha:0
alpha:1
alpha:5.0
alpha:one
alpha:two
alpha:=two
alpha:=tw
alpha:tw
alpha:thr
alpha:t*e
alpha:t*
alpha:^
alpha:$
alpha:!
alpha:+
alpha:-
alpha:+2
alpha:-2
alpha:+7
alpha:{start}
alpha:{end}
alpha:{last}
alpha:{next}
alpha:{previous}
alpha:9
alpha:nosuch
alpha:0.0
alpha:0.1
alpha:0.3
alpha:0.4
alpha:0.+
alpha:0.-
alpha:0.+2
alpha:0.-2
alpha:0.!
alpha:0.{last}
alpha:0.{next}
alpha:0.{top}
alpha:0.{bottom}
alpha:0.{left}
alpha:0.{right}
alpha:0.{top-left}
alpha:0.{top-right}
alpha:0.{bottom-left}
alpha:0.{bottom-right}
alpha:0.{up-of}
alpha:0.{down-of}
alpha:0.{left-of}
alpha:0.{right-of}
alpha:0.nosuch
alpha:.1
alpha:.{top-left}
:0
:1
:one
:x
:9
:.0
:.1
.0
.1
.+
.-
.!
0
1
5
9
!
+
-
^
$
one
two
x
zed
{last}
{next}
{previous}
{start}
{end}
{top}
{bottom}
{left}
{right}
{top-left}
{top-right}
{bottom-left}
{bottom-right}
{up-of}
{down-of}
{left-of}
{right-of}
one.0
one.1
0.1
two.0
@0
@1
@2
@5
@9
@0.0
@0.1
@1.0
beta:@1
beta:@0
%0
%1
%3
%4
%5
%9
%99
alpha:%0
beta:%4
alpha:0.%1
alpha:0.%4
{marked}
~
{mouse}
=
LIST
awk '{ for (p = 0; p < 3; p++) for (k = 1; k <= 3; k++)
    print (p == 0 ? "%2" : p == 1 ? "%8" : "%0") " " substr("pws", k, 1) " " $0 }' "$dir/texts" |
    grep -v '^%8 . alpha:0\.\([-+]\|{next}\|{[a-z]*-of}\)' >"$dir/list"
"$ref" "$dir/list" >"$dir/ours" || exit 99
while read -r pane kind text; do
	case $kind in
	p) # fails where display-message would say nothing
		if out=$(TMUX_PANE=$pane tm send-keys -t "$text" 2>&1); then
			out=$(TMUX_PANE=$pane tm display-message -p -t "$text" '#{session_name}:#{window_index}.#{pane_id}')
		fi ;;
	w) out=$(TMUX_PANE=$pane tm list-panes -t "$text" -F '#{session_name}:#{window_index} #{window_id}' 2>&1 | sed 1q) ;;
	s) out=$(TMUX_PANE=$pane tm list-windows -t "$text" -F '#{session_name}' 2>&1 | sed 1q) ;;
	esac
	printf '%s %s %s => %s\n' "$pane" "$kind" "$text" "$out"
done <"$dir/list" >"$dir/theirs"
verdict "targets are understood as tmux does" "targets are not understood as by tmux"
