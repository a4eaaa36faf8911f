#!/bin/sh
# rmux cp: files and folders to and from another machine, over a network that cuts and
# loses, and again after the end of either side.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
. "$e2e_src/regress/e2e/remote_lib.sh"
[ $e2e_have_tmux = yes ] || skip_all "no tmux to be the outer terminal"
[ -x "$e2e_build/regress/tools/udp_relay" ] || skip_all "no udp_relay"

sed -i 's/-p) shift 2/-p | -o | -F | -i) shift 2/; 2i echo "$*" >>'"'$e2e_dir/ssh.args'" "$e2e_dir/ssh"
via=
cpy() { timeout 90 "$e2e_rmux" cp --ssh="$e2e_dir/ssh" --server="$e2e_rmux" $via "$@" 2>"$err" </dev/null; }
err=$e2e_dir/err
here=$e2e_dir/here
there=$e2e_dir/there
mkdir "$here" "$there"
cd "$here" || exit 1
head -c 3000000 /dev/urandom >big
echo small >small
: >empty
mkdir -p tree/sub/deep "tree/a b"
cp -r "$e2e_src/client" tree/sub/
echo x >"tree/a b/c 'd\""
ln -s ../small tree/link
mkdir tree/none
chmod 700 tree/sub/deep
chmod 755 tree/sub/client/roam.c
touch -d '2020-01-02 03:04:05.678' small tree/sub/client/main.c tree/sub

# same A B: the same files, times, links.
same() { diff -r "$1" "$2" && [ "$(stat -c %Y.%y "$1")" = "$(stat -c %Y.%y "$2")" ]; }

far_start && far_learn_port || { not_ok "a remote server"; done_testing; exit 1; }
relay "$far_port" -b delay=20
via=--udp=127.0.0.1:$relay_port
up() { cpy big small empty "h:$there" && cmp big "$there/big" && same small "$there/small" && [ ! -s "$there/empty" ] && [ -e "$there/empty" ]; }
check "files to a folder there" up
renamed() { cpy small "h:$there/other" && same small "$there/other" && [ ! -e "$there/.rmux-part" ]; }
check "a file under another name" renamed
mixed() { ! cpy "h:$there/big" "g:$there/small" got && grep -q 'two machines' "$err"; }
down() { mkdir got && cpy "h:$there/big" "h:$there/small" got && cmp big got/big && same small got/small; }
check "files from there" down
check "of one machine" mixed
tree() {
	cpy -r tree "h:$there/copy" && diff -r --no-dereference tree "$there/copy" &&
		same tree/sub/client/main.c "$there/copy/sub/client/main.c" &&
		[ "$(stat -c %y tree/sub)" = "$(stat -c %y "$there/copy/sub")" ] &&
		[ "$(readlink "$there/copy/link")" = ../small ] &&
		[ "$(stat -c %a "$there/copy/sub/client/roam.c")" = 755 ] && [ -d "$there/copy/none" ]
}
check "a folder with all below it: links, modes, times, odd names" tree
back() { cpy -rp "h:$there/copy" back && diff -r --no-dereference tree back && [ "$(stat -c %a back/sub/deep)" = 700 ]; }
check "and back, with -p" back
into() { cpy -r "h:$there/copy" got && diff -r --no-dereference tree got/copy; }
check "into a folder that there is" into
matches() { mkdir some && cpy "h:$there/copy/sub/client/roam*.h" some && [ "$(ls some)" = "$(cd tree/sub/client && ls roam*.h)" ]; }
check "a pattern there" matches
home() { (cd "$HOME" && [ -d "$HOME" ]) && cpy small "h:rmux-e2e-$$" && same small "$HOME/rmux-e2e-$$" && cpy "h:~/rmux-e2e-$$" home && rm "$HOME/rmux-e2e-$$" && same small home; }
check "in the home directory" home
again() {
	touch -d '2021-01-01' "$there/copy/sub/client/args.c"
	before=$(stat -c %i "$there/copy/sub/client/main.c")
	changed=$(stat -c %i "$there/copy/sub/client/args.c")
	cpy -r tree/sub "h:$there/copy" && [ "$(stat -c %i "$there/copy/sub/client/main.c")" = "$before" ] &&
		[ "$(stat -c %i "$there/copy/sub/client/args.c")" != "$changed" ] &&
		same tree/sub/client/args.c "$there/copy/sub/client/args.c"
}
check "what is there is not copied again, what differs is" again

# What cannot be.
fails() { pattern=$1; shift; ! cpy "$@" && grep -q -- "$pattern" "$err"; }
check "no such file there" fails 'nothing.*No such file' "h:$there/nothing" got
check "no such file here" fails 'nothing.*No such file' nothing "h:$there"
check "no such folder there" fails 'No such file' small "h:$there/no/where"
check "a folder without -r" fails 'a folder' tree "h:$there"
check "many to what is no folder" fails 'Not a directory' big small "h:$there/big"
mkdir -p "$there/d/small"
check "a file over a folder" fails 'there is a folder' small "h:$there/d"
check "both here" fails 'neither' small big
check "both there" fails 'must be here' h:a h:b
check "a folder without a name" fails 'name the folder' h:.. got
check "an unknown option" fails 'unknown option' -Z a h:b
rest() { ! cpy nothing small "h:$there/" && [ -e "$there/small" ]; }
rm -f "$there/small"
check "the rest is copied" rest
if [ "$(id -u)" != 0 ]; then
	denied() { mkdir -p "$there/ro" && chmod 500 "$there/ro" && fails 'Permission denied' small "h:$there/ro"; }
	check "no permission there" denied
else
	skip "no permission there" "root may all"
fi
full() { [ -e /dev/full ] && ln -sf /dev/full "$there/full" && cpy small "h:$there/full" && [ ! -h "$there/full" ] && same small "$there/full"; }
check "a link in the way is replaced, not followed" full

# A copy that ends early goes on.
interrupted() {
	relay_say "both rate=500000"
	"$e2e_rmux" cp --ssh="$e2e_dir/ssh" --server="$e2e_rmux" $via big "h:$there/late" 2>"$err" </dev/null &
	pid=$!
	wait_for 'ls -l "$there"/.late.*.rmux-part 2>/dev/null | awk "{ exit !(\$5 > 1200000) }"' 20 || return 1
	kill -INT $pid
	kill -TERM $pid 2>/dev/null
	wait $pid
	[ ! -e "$there/late" ]
}
check "a copy is interrupted" interrupted
goes_on() {
	wait_for '! pgrep -f "__cp take.*$there/late" >/dev/null' 10 || return 1
	relay_say "both rate=0"
	cpy big "h:$there/late" && cmp big "$there/late" && ! ls "$there"/.late.*.rmux-part >/dev/null 2>&1
}
check "the same command goes on" goes_on
damaged() {
	interrupted || return 1
	part=$(ls "$there"/.late.*.rmux-part)
	printf 'damage' | dd of="$part" bs=1 seek=70000 conv=notrunc 2>/dev/null
	rm -f "$there/late"
	goes_on
}
rm -f "$there/late"
check "bytes that are not the file's are copied again" damaged

survives() {
	relay_say "both rate=400000"
	"$e2e_rmux" cp --ssh="$e2e_dir/ssh" --server="$e2e_rmux" $via big "h:$there/moved" 2>"$err" </dev/null &
	long=$!
	relay_stalls "$long" 0.05 || return 1
	relay_say "both rate=2000000"
	wait "$long" || return 1
	relay_say "both loss=0"
	relay_say "both rate=0"
	cmp big "$there/moved"
}
check "a copy survives silence, a new address and loss" survives
many() {
	mkdir few && i=0
	while [ $i -lt 3000 ]; do
		echo $i >few/$i
		i=$((i + 1))
	done
	cpy -r few "h:$there" && diff -r few "$there/few"
}
check "three thousand files" many
shown() {
	outer_start 70 10 "'$e2e_rmux' cp --ssh='$e2e_dir/ssh' --server='$e2e_rmux' $via big 'h:$there/shown'; cat"
	expect_screen '1 file, 3.0 MB (3.0 MB copied in .*B/s)' 15
}
check "the sum is told on a terminal" shown
still() {
	relay_say "both rate=400000"
	outer_start 70 10 "'$e2e_rmux' cp --ssh='$e2e_dir/ssh' --server='$e2e_rmux' $via big 'h:$there/still'; cat"
	expect_screen '[0-9]%.*left' 15 && relay_say "both off=1" &&
		expect_screen '[0-9]%  no progress for 0:0[3-9]' 15 &&
		relay_say "both off=0" && relay_say "both rate=0" &&
		expect_screen '1 file, 3.0 MB' 30
}
check "a link that is silent is told of" still
options() { : >"$e2e_dir/ssh.args"; cpy -q -P 22 -o X=y -4 small "h:$there/options" && grep -q -- '-o X=y' "$e2e_dir/ssh.args" && grep -q -- '-p 22' "$e2e_dir/ssh.args"; }
check "options of scp" options
relay_stop
far_stop
done_testing
