#!/bin/sh
# release.sh - makes a release that anybody can make again, byte for byte.
#
# usage: scripts/release.sh [-bst] [-k KEY] [-o FOLDER] [-r COMMIT]
#
# Writes the release of a commit into FOLDER:
#
#   rmux-VERSION.tar.xz      the source archive, as `make dist` makes it
#   rmux-VERSION-SYSTEM      with -b: the program, built from that archive
#   rmux-VERSION-static-SYSTEM.tar.xz   with -s: the static build (scripts/static.sh)
#   rmux-VERSION.spdx.json   bill of materials (SPDX 2.3): rmux, the libraries that
#                            it loads and the tools that made it, with versions,
#                            licences and checksums
#   SHA256SUMS               checksums of these files
#   SHA256SUMS.sig           with -k: its signature, and that of the archive;
#   rmux-VERSION.tar.xz.sig  minisign's end in .minisig
#
#   -b         build the program, too
#   -k KEY     sign with this secret key of ssh-keygen, minisign or signify; with
#              ssh-keygen the namespace is "rmux-release", and KEY may be a public
#              key whose secret ssh-agent holds
#   -o FOLDER  where to write: empty or absent (default: release)
#   -r COMMIT  the commit or tag (default: HEAD, and the tree must be clean)
#   -s         make the static build, too; the bill of materials does not list it:
#              it holds the same libraries, and their licences are in it
#   -t         a trial: sign although the maintainers' address is a placeholder
#   -h         print this text
#
# The archive holds what `make dist` lists, from the commit: files that merely lie
# in the folder do not get in.  It depends on the commit and on the versions of
# autoconf, automake, autoconf-archive, tar and xz; the program also on those of
# the compiler, the linker and the libraries' headers.  The bill of materials names
# these versions; that of autoconf-archive is in the archive's aclocal.m4.  Neither
# depends on time, folder, user, umask, locale, time zone or environment; the times
# in both are the commit's.
#
# Environment: CC and CCACHE_* choose the compiler, TMPDIR the folder for the work
# (100 MB, with -b 300 MB).
#
# Exit status: 0: made; 1: failed, and stderr says why; 2: wrong usage.
#
# Examples:
#
#   scripts/release.sh -b -k ~/.ssh/id_ed25519     # release HEAD, signed
#   scripts/release.sh -r v0.1.0 -o again          # make an old archive again
#   cmp release/rmux-0.1.0.tar.xz again/rmux-0.1.0.tar.xz
#
# doc/SECURITY.md, "Releases", tells users how to check a release.
set -u
LC_ALL=C
export LC_ALL
top=$(cd "$(dirname "$0")/.." && pwd) || exit 1
work=
die() {
	echo "release: $*" >&2
	exit 1
}
usage() {
	echo "usage: release.sh [-bst] [-k KEY] [-o FOLDER] [-r COMMIT] (-h explains)" >&2
	exit 2
}
cleanup() {
	[ -z "$work" ] || rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 1' INT TERM HUP

# quiet LOG COMMAND...: shows the end of the log of a command that fails.
quiet() {
	log=$work/$1.log
	shift
	"$@" >"$log" 2>&1 </dev/null && return 0
	tail -n 20 "$log" >&2
	die "failed: $*"
}

# clean_env COMMAND...: runs it with nothing of the user's environment but the
# compiler, and with the commit's time.
clean_env() {
	env -i PATH="$PATH" HOME="$work" TMPDIR="$work" LC_ALL=C TZ=UTC \
		SOURCE_DATE_EPOCH="$epoch" XZ_OPT='-6 -T1' \
		${CC:+"CC=$CC"} ${CCACHE_DIR:+"CCACHE_DIR=$CCACHE_DIR"} \
		${CCACHE_BASEDIR:+"CCACHE_BASEDIR=$CCACHE_BASEDIR"} "$@"
}

build_program=no build_static=no key='' out=release rev='' trial=no
while getopts bhk:o:r:st opt; do
	case $opt in
	b) build_program=yes ;;
	h) sed -n '2,/^set -u/{/^set -u/d;s/^# \{0,1\}//;p;}' "$0"; exit 0 ;;
	k) key=$OPTARG ;;
	o) out=$OPTARG ;;
	r) rev=$OPTARG ;;
	s) build_static=yes ;;
	t) trial=yes ;;
	*) usage ;;
	esac
done
shift $((OPTIND - 1))
[ $# = 0 ] || usage

# --- what is to be released -------------------------------------------------------

for tool in git tar xz sha256sum python3 pkg-config autoreconf make; do
	command -v $tool >/dev/null || die "$tool is not installed"
done
tar --version 2>/dev/null | grep -q 'GNU tar' || die "tar is not GNU tar, which can sort and set owners"
[ -e "$top/.git" ] || die "$top is no clone of rmux's repository"
commit=$(git -C "$top" rev-parse --verify -q "${rev:-HEAD}^{commit}") ||
	die "${rev:-HEAD} is no commit of the repository $top"
if [ -z "$rev" ] && [ -n "$(git -C "$top" status --porcelain)" ]; then
	die "the tree has changes (git status); commit them, or name a commit with -r"
fi
epoch=$(git -C "$top" show -s --format=%ct "$commit") || die "git show failed"
[ -z "$key" ] || [ -r "$key" ] || die "cannot read the key $key"
# A name under .example is nobody's (RFC 2606): holes could not be reported.
lacks=$(git -C "$top" grep -lE '@[a-z.-]*\.example>' "$commit" -- debian dist |
	sed 's/^[^:]*://' | tr '\n' ' ')
if [ -n "$lacks" ]; then
	lacks="the maintainers' address is a placeholder in: ${lacks% }
  Set it there, and address and key in doc/SECURITY.md (\"Report a hole\", \"Releases\")"
	[ -z "$key" ] || [ $trial = yes ] || die "$lacks; -t signs a trial"
	echo "release: warning: $lacks" >&2
fi
mkdir -p "$out" && out=$(cd "$out" && pwd) || die "cannot make the folder $out"
[ -z "$(ls -A "$out")" ] || die "$out is not empty; name another folder with -o"
work=$(mktemp -d) || die "cannot make a folder in ${TMPDIR:-/tmp}"
umask 022

# --- the archive ------------------------------------------------------------------

# The modes that make dist copies are those of the user's umask.
pack='tar --format=ustar --sort=name --mtime=@$(SOURCE_DATE_EPOCH)'
pack="$pack --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX"
pack="$pack -cf - \"\$\$tardir\""
src=$work/src
mkdir -p "$src/build"
git -C "$top" -c core.autocrlf=false archive --format=tar "$commit" | tar -xf - -C "$src" ||
	die "git archive failed"
cd "$src/build" || exit 1
quiet autogen clean_env ../autogen.sh
quiet configure clean_env ../configure -q
quiet dist clean_env make -s dist am__tar="$pack"
archive=$(ls rmux-*.tar.xz) || die "make dist made no archive"
name=${archive%.tar.xz}
cp "$archive" "$out/" || die "cannot write to $out"

# --- the program ------------------------------------------------------------------

program=
if [ $build_program = yes ]; then
	mkdir "$work/bin"
	cd "$work/bin" || exit 1
	tar -xf "$out/$archive" || die "cannot unpack the archive"
	cd "$name" && mkdir build && cd build || exit 1
	# Debug information names the folder, and the linker makes the build id from it.
	quiet configure clean_env ../configure -q CFLAGS="-O2 -g -ffile-prefix-map=$PWD=."
	quiet make clean_env make -s -j"$(getconf _NPROCESSORS_ONLN)" rmux
	program=$name-$(uname -s | tr '[:upper:]' '[:lower:]')-$(uname -m)
	strip -o "$out/$program" rmux || die "strip failed"
fi

static=
if [ $build_static = yes ]; then
	mkdir "$work/static"
	cd "$work/static" || exit 1
	tar -xf "$out/$archive" || die "cannot unpack the archive"
	quiet static clean_env "$name/scripts/static.sh" -o "$work/static/out"
	static=$(cd out && ls ./*.tar.xz) && static=${static#./} &&
		cp "out/$static" "$out/" || die "cannot write to $out"
fi

# --- bill of materials, checksums, signatures -------------------------------------

cd "$out" || exit 1
clean_env python3 "$src/scripts/sbom.py" "$name" "$commit" "$epoch" "$src" "$archive" $program \
	>"$name.spdx.json" || die "no bill of materials"
# shellcheck disable=SC2086 # no program: no word
sha256sum "$archive" "$name.spdx.json" $program $static >SHA256SUMS || die "sha256sum failed"

sign() {
	case $(head -n 1 "$key") in
	*minisign*) minisign -S -s "$key" -m "$1" -x "$1.minisig" -t "$1" ;;
	"untrusted comment:"*)
		if command -v signify-openbsd >/dev/null; then
			signify-openbsd -S -s "$key" -m "$1" -x "$1.sig"
		else
			signify -S -s "$key" -m "$1" -x "$1.sig"
		fi
		;;
	*) ssh-keygen -q -Y sign -f "$key" -n rmux-release "$1" ;;
	esac
}
if [ -n "$key" ]; then
	for f in SHA256SUMS "$archive"; do
		sign "$f" || die "signing $f with $key failed"
	done
fi
for f in *; do
	echo "$out/$f"
done
