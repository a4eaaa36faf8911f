#!/bin/sh
# record.sh [NAME...]: makes the tapes of this folder again from
# regress/bench/recordings, with their gaps; all of them, or the named ones:
#	top_builddir=build sh regress/predict/people/record.sh
set -eu
build=$(cd "${top_builddir:-build}" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
bench=$(cd "$here/../../bench" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
[ $# -gt 0 ] || set -- bash zsh fish password vim-write vim-move nano emacs \
	less chat talk python bash-long vim-long chat-long talk-long
for name; do
	"$build/regress/predict/tape_record" -k "$here/$name.tape" \
		"$bench/recordings/$name.keys" \
		sh "$bench/rec_env.sh" "$name" "$dir/$name" &
done
wait
sed -i "s|$dir|/tmp/d|g" "$here"/*.tape
wc -c "$here"/*.tape
