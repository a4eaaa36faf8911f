#!/bin/sh
# static.sh - makes rmux as one file that needs no shared libraries.
#
# usage: scripts/static.sh [-o FOLDER]
#
# Builds this tree and writes into FOLDER:
#
#   rmux-VERSION-static-SYSTEM-MACHINE.tar.xz         the program, its licence and
#                                                     those of the libraries in it
#   rmux-VERSION-static-SYSTEM-MACHINE.tar.xz.sha256  its checksum
#
#   -o FOLDER  where to write (default: static); files of these names are replaced
#   -h         print this text
#
# The same tree, compiler and libraries give the same bytes, whatever the folder,
# time, user, umask, locale and environment.  The program is for `rmux attach`,
# which can copy it to a machine without rmux: put it there as
# LIBEXECDIR/rmux/static/rmux-MACHINE, or name it with RMUX_DEPLOY.
#
# It needs the static archives (.a) of libevent, libsodium, libtickit, unibilium,
# libtermkey, utf8proc, zstd and the C library.  On Debian and Ubuntu they are in the
# packages that ./quickstart installs; Fedora has glibc-static and libzstd-static, and
# no archives of the others.  configure --enable-static names those that are missing.
# ML-KEM is left out: a static program cannot load OpenSSL.
#
# Environment: CC and CCACHE_* choose the compiler, TMPDIR the folder for the work
# (100 MB).
#
# Exit status: 0: made; 1: failed, and stderr says why; 2: wrong usage.
set -u
LC_ALL=C
export LC_ALL
top=$(cd "$(dirname "$0")/.." && pwd) || exit 1
work=
die() {
	echo "static: $*" >&2
	exit 1
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
	grep -v 'statically linked applications' "$log" | tail -n 20 >&2
	die "failed: $*"
}

# clean_env COMMAND...: runs it with nothing of the user's environment but the
# compiler.
clean_env() {
	env -i PATH="$PATH" HOME="$work" TMPDIR="$work" LC_ALL=C TZ=UTC \
		${CC:+"CC=$CC"} ${CCACHE_DIR:+"CCACHE_DIR=$CCACHE_DIR"} \
		${CCACHE_BASEDIR:+"CCACHE_BASEDIR=$CCACHE_BASEDIR"} "$@"
}

out=static
while getopts ho: opt; do
	case $opt in
	h) sed -n '2,/^set -u/{/^set -u/d;s/^# \{0,1\}//;p;}' "$0"; exit 0 ;;
	o) out=$OPTARG ;;
	*) echo "usage: static.sh [-o FOLDER] (-h explains)" >&2; exit 2 ;;
	esac
done
shift $((OPTIND - 1))
[ $# = 0 ] || { echo "usage: static.sh [-o FOLDER] (-h explains)" >&2; exit 2; }
for tool in tar xz sha256sum pkg-config make readelf strip; do
	command -v $tool >/dev/null || die "$tool is not installed"
done
tar --version 2>/dev/null | grep -q 'GNU tar' || die "tar is not GNU tar, which can sort and set owners"
[ ! -e "$top/config.status" ] || die "the tree is configured in place: run make distclean there"
[ -x "$top/configure" ] || die "there is no configure: run ./autogen.sh or ./quickstart build"
mkdir -p "$out" && out=$(cd "$out" && pwd) || die "cannot make the folder $out"
work=$(mktemp -d) || die "cannot make a folder in ${TMPDIR:-/tmp}"
umask 022

# --- the program ------------------------------------------------------------------

mkdir "$work/build"
cd "$work/build" || exit 1
# Messages of failed assertions name source files.
quiet configure clean_env "$top/configure" -q --enable-static \
	CFLAGS="-O2 -ffile-prefix-map=$top/=" LDFLAGS=-Wl,--gc-sections
quiet make clean_env make -s -j"$(getconf _NPROCESSORS_ONLN)" rmux
version=$(./rmux -V | sed -n 's/^rmux //p')
[ -n "$version" ] || die "the program does not run"
if readelf -dW rmux | grep NEEDED || readelf -lW rmux | grep INTERP; then
	die "the program needs shared libraries"
fi
name=rmux-$version-static-$(uname -s | tr '[:upper:]' '[:lower:]')-$(uname -m)
mkdir -p "$work/$name/licences"
strip -o "$work/$name/rmux" rmux || die "strip failed"
cp "$top/LICENCE" "$work/$name/"

# --- licences ---------------------------------------------------------------------

# Where the linker takes a library from, and which package brings its licence.
libs=$(sed -n 's/^\(EVENT\|SODIUM\|TICKIT\|UTF8PROC\|ZSTD\)_LIBS = //p' Makefile)
for lib in $libs -lc; do
	case $lib in -l*) ;; *) continue ;; esac
	file=$(readlink -f "$(${CC:-gcc} -print-file-name="lib${lib#-l}.a")")
	package=$(dpkg -S "$file" 2>/dev/null | sed 's/:.*//')
	if [ -r "/usr/share/doc/${package:-?}/copyright" ]; then
		cp -L "/usr/share/doc/$package/copyright" "$work/$name/licences/$package"
	else
		echo "static: warning: no licence of $file: add it to the archive" >&2
	fi
done
cat >"$work/$name/README" <<EOF
rmux $version for $(uname -s) on $(uname -m), in one file that needs no libraries.

"rmux" runs from anywhere.  rmux attach copies it to a machine without rmux, if it
lies there as LIBEXECDIR/rmux/static/rmux-$(uname -m) (usually below
/usr/local/libexec), or if RMUX_DEPLOY names it.

It finds users and groups in /etc/passwd and /etc/group only, hosts in /etc/hosts and
DNS, and has no post-quantum key exchange.  LICENCE is rmux's; the folder licences has
those of the libraries in the program.  scripts/static.sh of rmux's source makes it
again, with other versions of these libraries if you like.
EOF
find "$work/$name" -exec touch -h -d @0 {} +
cd "$work" || exit 1
tar --format=ustar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner \
	--mode=u=rwX,go=rX -cf "$name.tar" "$name" || die "tar failed"
clean_env xz -6 -T1 "$name.tar" || die "xz failed"
sha256sum "$name.tar.xz" >"$name.tar.xz.sha256" &&
	mv "$name.tar.xz" "$name.tar.xz.sha256" "$out/" || die "cannot write to $out"
echo "$out/$name.tar.xz"
echo "$out/$name.tar.xz.sha256"
