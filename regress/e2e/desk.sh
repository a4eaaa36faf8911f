#!/bin/sh
# rmux get, put and open in a pane: files to and from the machine at which the user
# sits, who is asked there by the client.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
. "$e2e_src/regress/e2e/remote_lib.sh"
[ $e2e_have_tmux = yes ] || skip_all "no tmux to be the outer terminal"
[ -x "$e2e_build/regress/tools/udp_relay" ] || skip_all "no udp_relay"

there=$e2e_dir/there
folder=$e2e_dir/desk/Downloads
mkdir "$there" "$e2e_dir/desk"
echo small >"$there/small.txt"
echo second >"$there/second"
head -c 2000000 /dev/urandom >"$there/big"
mkdir -p "$there/tree/sub"
echo deep >"$there/tree/sub/deep"

# A program in place of xdg-open: writes each of its words.
cat >"$e2e_dir/opener" <<END
#!/bin/sh
for w; do printf '<%s>\n' "\$w"; done >"$e2e_dir/opened.new"
mv "$e2e_dir/opened.new" "$e2e_dir/opened"
END
chmod +x "$e2e_dir/opener"

# A clipboard: the files list and image.
cat >"$e2e_dir/bin/xclip" <<END
#!/bin/sh
case \$* in
"-selection clipboard -t text/uri-list -o") exec cat "$e2e_dir/clip.list" ;;
"-selection clipboard -t image/png -o") exec cat "$e2e_dir/clip.png" ;;
esac
exit 1
END
chmod +x "$e2e_dir/bin/xclip"

# over OPTIONS: attaches through the relay, from a home directory of its own.
over() {
	outer_start 110 24 "export HOME='$e2e_dir/desk' DISPLAY=:9 WAYLAND_DISPLAY=; $(remote_cmd "$*" --udp=127.0.0.1:"$relay_port")"
	expect_screen '\[far\]' 15
}
leave() { outer_keys C-b d && expect_screen 'exit=0' 15; }

# pane WORDS: runs rmux there in a pane, in the background; its words go to $said.
said=$e2e_dir/said
pane() {
	rm -f "$said" "$said.code"
	far kill-window -a -t far:0 2>/dev/null
	far new-window -d -t far:5 "cd '$there'; '$e2e_rmux' $* >'$said' 2>&1 </dev/null; echo \$? >'$said.new'; mv '$said.new' '$said.code'; sleep 100"
}
# ends CODE [TEXT]: the command has ended so, and said that.
ends() {
	wait_for "[ -f '$said.code' ]" "${3:-20}" || { echo "# still runs"; cat "$said"; return 1; }
	[ "$(cat "$said.code")" = "$1" ] && { [ -z "${2-}" ] || grep -q "$2" "$said"; } || {
		sed 's/^/# /' "$said" "$said.code"
		false
	}
}
# answers KEY: the client shows the question, the user answers.
answers() { expect_screen "Ctrl-^ y yes, a always, n no: 127.0.0.1 ${2-}" 10 && outer_keys C-^ "$1"; }
quiet() { wait_for "! outer_screen | grep -q 'a always'" 5; }
clean() { wait_for '[ -z "$(find "$folder" -name ".rmux*" 2>/dev/null)" ]' 5; }

far_start && far_learn_port || { not_ok "a remote server"; done_testing; exit 1; }
relay "$far_port" -b delay=20
before() { pane get small.txt && ends 1 'no desk: nobody is attached from another machine'; }
check "nobody is attached from another machine" before
off_before() {
	far set-option -s desk off && pane get small.txt && ends 1 'refused: the option desk of this server is off' &&
		far set-option -s desk on && pane get small.txt && ends 1 '^rmux: '
}
check "the option desk off, nobody attached: named" off_before

check "attach" over --desk-open="'$e2e_dir/opener -a'"
one() {
	pane get small.txt && answers y 'wants to save 1 file (6 B) in ~/Downloads: small.txt' &&
		ends 0 '^small.txt -> ~/Downloads/small.txt$' && cmp "$there/small.txt" "$folder/small.txt"
}
check "get: a file, asked for" one
check "the question goes" quiet
server() { ! far capture-pane -p -t far:0 | grep -q '[yan]$'; }
check "its keys do not reach the server" server
exists() {
	pane get small.txt && answers y 'wants to save' && ends 0 '^small.txt -> ~/Downloads/small (2).txt$' &&
		cmp "$there/small.txt" "$folder/small (2).txt"
}
check "get: a name that exists is not overwritten" exists
denied() { pane get second && answers n 'wants to save' && ends 1 'refused: the user there has said no' && [ ! -e "$folder/second" ]; }
check "get: denied" denied
folderless() { pane get tree && ends 1 'tree: a folder (-r copies folders)'; }
check "get: a folder wants -r" folderless
passes() { pane get second && expect_screen 'a always' 10 && outer_keys "echo x\$((6*7))" Enter && wait_for "far capture-pane -p -t far:0 | grep -q ^x42" 10 && answers n wants && ends 1; }
check "other keys go to the server while the client asks" passes
always() {
	pane get -r tree second && answers a 'wants to save 2 files (12 B)' && ends 0 '^tree -> ~/Downloads/tree$' &&
		cmp "$folder/tree/sub/deep" "$there/tree/sub/deep" && pane get second && ends 0 'Downloads/second (2)$'
}
check "get: several, a folder, always" always
folder_again() { pane get -r tree && ends 0 'Downloads/tree (2)$' && cmp "$folder/tree (2)/sub/deep" "$there/tree/sub/deep"; }
check "get: a folder that exists" folder_again
link() { ln -sf /etc/passwd "$there/tree/link" && pane get -r tree && ends 1 'tree/link: a link' && [ ! -L "$folder/tree (3)/link" ] &&
	[ -e "$folder/tree (3)/sub/deep" ]; }
check "get: no link is made" link
cut() { pane get big && relay_stalls "$far_pid" 0.1 && ends 0 '^big -> ' 60 && cmp "$there/big" "$folder/big"; }
check "get: over a network that falls silent, moves and loses" cut
check "nothing is left beside the files" clean
relay_say "both loss=0"

echo mine >"$folder/mine"
echo secret >"$e2e_dir/desk/secret"
ln -s ../secret "$folder/out"
put() { pane put mine && answers y 'wants to read 1 file (5 B) of ~/Downloads: mine' && ends 0 && cmp "$folder/mine" "$there/mine"; }
check "put: asked for on its own" put
outside() { pane put ../secret && ends 1 'no path from /' && pane put /etc/passwd && ends 1 'no path from /'; }
check "put: no path out of the folder" outside
link_out() { pane put out && ends 1 'refused: out: ' && [ ! -e "$there/out" ]; }
check "put: follows no link" link_out
missing() { pane put absent && ends 1 'refused: absent: No such file'; }
check "put: a file that is not there" missing

url='https://example.org/?a=1&b=$(touch${IFS}x);|'
open_url() {
	pane open "'$url'" && answers y 'wants to open https://example.org' && ends 0 &&
		wait_for "[ -f '$e2e_dir/opened' ]" 5 && printf '<-a>\n<%s>\n' "$url" | cmp - "$e2e_dir/opened"
}
check "open: a URL, word for word, without a shell" open_url
open_file() {
	rm "$e2e_dir/opened"
	pane open second && answers y 'wants to save and open 1 file' && ends 0 'second (3)$' &&
		wait_for "[ -f '$e2e_dir/opened' ]" 5 && printf '<-a>\n<%s>\n' "$folder/second (3)" | cmp - "$e2e_dir/opened"
}
check "open: a file, from a copy in the folder" open_file
scheme() { pane open file:///etc/passwd && ends 1 'http, https and mailto alone'; }
check "open: no other scheme" scheme

# What no rmux sends: hostile requests, byte by byte.
command -v python3 >/dev/null && {
	cat >"$e2e_dir/evil.py" <<'END'
import socket, struct, sys
kind, name = int(sys.argv[1]), sys.argv[2].encode().decode('unicode_escape').encode()
q = bytes([1, kind, 0, 1, 1, 1, len(name)]) + name
s = socket.socket(socket.AF_UNIX)
s.settimeout(10)
s.connect(sys.argv[3])
s.sendall(struct.pack('>I' if len(sys.argv) < 5 else '<I', len(q)) + q)
b = b''
while (more := s.recv(1000)):
    b += more
print(b[7:])
END
	sock=$(far display-message -p '#{socket_path}').RMUX_DESK
	evil() { python3 "$e2e_dir/evil.py" "$@" | grep -q 'the desk there refuses that'; }
	check "hostile: ../x" evil 1 ../x "$sock"
	check "hostile: an absolute path" evil 1 /tmp/x "$sock"
	check "hostile: .." evil 1 .. "$sock"
	check "hostile: control characters" evil 1 'a\x1b[2Jb' "$sock"
	check "hostile: to read ../secret" evil 2 ../secret "$sock"
	check "hostile: to open -x" evil 3 -x "$sock"
	check "hostile: to open javascript:" evil 3 javascript:x "$sock"
	check "hostile: to open with a blank" evil 3 'http://a b' "$sock"
	check "hostile: no such request" evil 9 x "$sock"
	check "hostile: a wrong length" evil 1 x "$sock" y
}
private() { [ "$(stat -c %a "$sock")" = 600 ]; }
[ -z "${sock-}" ] || check "the socket is the user's alone" private
unlisted() { [ -z "$(far list-forwards)" ]; }
check "it is no forward" unlisted

# The clipboard: the path of a copy is pasted into the pane.
export XDG_RUNTIME_DIR=''
nothing_there() { pane paste-file -t far:0 && answers y 'wants to read the files or the image in the clipboard' && ends 1 'neither files nor an image'; }
check "paste-file: nothing to paste" nothing_there
# pasted PATTERN: waits until the pane's prompt has it; sets $line to all that was pasted.
pasted() {
	wait_for "far capture-pane -J -p -t far:0 | grep -q -- '$1'" 10 || return 1
	line=$(far capture-pane -J -p -t far:0 | grep -- "$1" | tail -1)
	line=${line#*\$ }
	far send-keys -t far:0 C-u
}
image() {
	head -c 5000 /dev/urandom >"$e2e_dir/clip.png"
	pane paste-file -t far:0 && answers y 'wants to read the files or the image' && ends 0 && pasted 'rmux-paste-.*/clipboard.png' || return 1
	cmp "$line" "$e2e_dir/clip.png" && [ "$(stat -c %a "$(dirname "$line")")" = 700 ] && rm -r "$(dirname "$line")"
}
check "paste-file: an image" image
files() {
	echo one >"$e2e_dir/a b.txt"
	printf '# a comment\r\nfile://%s/a%%20b.txt\r\nfile:///nonexistent\r\nhttp://x/y\r\nfile://%s/clip.png\r\n' "$e2e_dir" "$e2e_dir" >"$e2e_dir/clip.list"
	pane paste-file -t far:0 && answers y 'wants to read' && ends 0 && pasted 'rmux-paste-.*/a b.txt' || return 1
	eval "set -- $line"
	[ $# = 2 ] && cat "$@" | wc -c | grep -q '^5004$' && rm -r "$(dirname "$1")"
}
check "paste-file: files, names with blanks in quotes" files
check "paste-file: nothing is left here" clean
interrupted() {
	pane open https://example.org/2 && expect_screen 'org/2' 10 && far kill-window -t far:5 && quiet
}
check "the question goes with its program" interrupted
check "leaves" leave
after() { pane get small.txt && ends 1 'no desk'; }
check "after that there is no desk" after

check "attach --desk=off" over --desk=off
check "off: no desk" after
check "leaves" leave
check "attach --desk=on" over --desk=on --desk-folder="'$e2e_dir/my files'"
on() { pane get small.txt && ends 0 'my files/small.txt$' && cmp "$there/small.txt" "$e2e_dir/my files/small.txt"; }
check "on: not asked, in a folder that is made" on
# The server's option: the client, which allows all, hears of no request.
files_there() { find "$e2e_dir/my files" | wc -l; }
server_off() {
	before=$(files_there)
	far set-option -s desk off
	for e2e_words in 'get small.txt' 'put small.txt' "open '$url'" 'open small.txt' 'paste-file -t far:0'; do
		pane "$e2e_words" && ends 1 '^rmux: refused: the option desk of this server is off$' || return 1
	done
	[ "$(files_there)" = "$before" ] && [ ! -e "$e2e_dir/opened" ] &&
		far show-messages | grep -q 'desk: rmux (process [0-9]*): the option desk is off'
}
rm -f "$e2e_dir/opened"
check "the server's option desk off: refused, and the client does nothing" server_off
server_on() { far set-option -su desk && pane get small.txt && ends 0 'my files/small (2).txt$'; }
check "the server's option desk on" server_on
nothing() { rm -r "$e2e_dir/my files" && : >"$e2e_dir/my files" && pane get small.txt && ends 1 'my files: no folder'; }
check "a folder that is none" nothing
check "leaves" leave

wrong() { "$e2e_rmux" attach "$1" 127.0.0.1 2>"$e2e_dir/wrong"; [ $? = 1 ] && grep -q "$2" "$e2e_dir/wrong"; }
check "wrong: --desk=yes" wrong --desk=yes 'wants ask, on or off'
check "wrong: --desk-folder=" wrong --desk-folder= 'wants a folder'
check "wrong: no file" [ "$("$e2e_rmux" get 2>&1 | head -c 9)" = "usage: rm" ]

# Without a terminal nobody can be asked.
control() {
	mkfifo "$e2e_dir/control.in" 2>/dev/null
	(cd "$e2e_dir" && HOME=$e2e_dir/desk RMUX='' exec "$e2e_rmux" -C --ssh="$e2e_dir/ssh" --server="$e2e_rmux" "$@" \
		-H 127.0.0.1 attach -t far <"$e2e_dir/control.in" >"$e2e_dir/control.out" 2>&1) &
	control_pid=$!
	e2e_pids="$e2e_pids $control_pid"
	exec 7>"$e2e_dir/control.in"
	wait_for "grep -q session-changed '$e2e_dir/control.out'" 10
}
unasked() { control && pane get small.txt && ends 1 'refused: the client there has no terminal to ask at'; }
check "a client in control mode: nobody can be asked" unasked
control_ends() { exec 7>&-; wait_for "! alive $control_pid" 10; }
check "it leaves" control_ends
allowed() { control --desk=on && pane get small.txt && ends 0 'Downloads/small'; }
check "a client in control mode, with --desk=on" allowed
check "it leaves" control_ends

guest() {
	ticket=$(far invite -a 127.0.0.1 --for 1d) && ticket=${ticket#rmux join } &&
		outer_start 90 24 "RMUX= RMUX_TMPDIR=/nonexistent '$e2e_rmux' join --name Ana '$ticket'; cat" && expect_screen '\[far\]' 15
}
check "a guest joins" guest
check "a guest has no desk for the host's panes" after

check "attach" over
expired() { pane get small.txt && expect_screen 'a always' 10 && ends 1 'refused: nobody there has answered in time' 80 && quiet; }
check "a question without an answer expires" expired
# The client leaves while it asks.
left() { pane get small.txt && expect_screen 'a always' 10 && leave && ends 1; }
check "the client leaves while it asks" left

# A client on the server's own machine.
here() { outer_start 90 24 "RMUX= RMUX_TMPDIR='$far_dir' '$e2e_rmux' -f /dev/null attach -t far; cat"; expect_screen '\[far\]' 10; }
check "a client on this machine" here
check "it has no desk" after
done_testing
