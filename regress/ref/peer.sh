#!/bin/sh
# peer.sh - prints the path of a runnable tmux 3.8, the reference of all
# comparisons; ends with 1 if there is none.
#
#	peer.sh [-n] [PACKAGE [PROGRAM]]	-n: fetches nothing; PROGRAM -: the
#						package has none, print its folder
#
# $TMUX_REF, if set, is the answer.  Otherwise apt-get fetches Debian's PACKAGE
# (tmux) of the suite sid with all that it depends on, from the mirror that this
# machine uses, into ~/.cache/rmux-peers (or $RMUX_PEERS).  Nothing is installed;
# the program runs with the C library of that suite.
set -u
fetch=yes
[ "${1:-}" != -n ] || { fetch=no && shift; }
package=${1:-tmux}
program=${2:-$package}
if [ "$package" = tmux ] && [ -n "${TMUX_REF:-}" ]; then
	echo "$TMUX_REF"
	exit
fi
place=${RMUX_PEERS:-${HOME:-/nowhere}/.cache/rmux-peers}/sid-$package
run=$place/run-$program
[ "$program" != - ] || run=$place/root/usr/share

# The versions that the comparisons are written for.
right() {
	[ "$program" != - ] || {
		[ -d "$run" ]
		return
	}
	[ -x "$run" ] || return 1
	[ "$package" != tmux ] || case $("$run" -V 2>/dev/null) in
	"tmux 3.8"*) ;;
	*) return 1 ;;
	esac
}

say() {
	echo "peer.sh: $*" >&2
	exit 1
}

if right; then
	echo "$run"
	exit
fi
[ $fetch = yes ] || exit 1
for need in apt-get dpkg-deb; do
	command -v $need >/dev/null || say "$need is missing: set TMUX_REF"
done
mkdir -p "$place/lists/partial" "$place/archives/partial" || exit 1
# shellcheck disable=SC2016 # for apt-get
mirror=$(apt-get indextargets --format '$(REPO_URI) $(ORIGIN)' \
	'Created-By: Packages' 2>/dev/null |
	awk '$2 == "Debian" && $1 !~ /security/ { print $1; exit }')
[ -n "$mirror" ] || say "no mirror of Debian in apt's sources: set TMUX_REF"
keys=/usr/share/keyrings/debian-archive-keyring.gpg
echo "deb [signed-by=$keys] $mirror sid main" >"$place/sources.list"
: >"$place/status"

# apt-get with lists, archives and installed packages of its own.
get() {
	apt-get -qq -o Dir::Etc::sourcelist="$place/sources.list" \
		-o Dir::Etc::sourceparts=/dev/null \
		-o Dir::State="$place" -o Dir::State::lists="$place/lists" \
		-o Dir::State::status="$place/status" \
		-o Dir::Cache="$place" -o Dir::Cache::archives="$place/archives" \
		-o APT::Install-Recommends=false -o APT::Sandbox::User= \
		-o Debug::NoLocking=true "$@" >>"$place/log" 2>&1
}

{ get update && get -y --download-only install "$package"; } ||
	say "apt-get failed: see $place/log"
for deb in "$place"/archives/*.deb; do
	dpkg-deb -x "$deb" "$place/root" || exit 1
done
rm -rf "$place/archives" "$place/lists" "$place"/*.bin
[ "$program" != - ] || {
	echo "$run"
	exit
}
loader=$(find "$place/root" -name 'ld-linux*.so.*' | head -n 1)
binary=$place/root/usr/bin/$program
[ -x "$binary" ] || say "$package has no $program"
[ -n "$loader" ] || say "no loader in $place/root"
{
	echo '#!/bin/sh'
	# shellcheck disable=SC2016 # for the script
	printf 'TERMINFO_DIRS=${TERMINFO_DIRS:-%s} ' \
		/usr/share/terminfo:/lib/terminfo:/etc/terminfo
	printf 'exec "%s" --argv0 "%s" --library-path "%s" "%s" "$@"\n' \
		"$loader" "$program" "${loader%/*}" "$binary"
} >"$run.new"
chmod 755 "$run.new"
mv "$run.new" "$run"
right || say "$run is not the version wanted: set TMUX_REF"
echo "$run"
