#!/bin/sh
# check-mlkem.sh [DIR] - the post-quantum key exchange with a real library.
#
# Debian 12's OpenSSL has no ML-KEM.  This makes a newer Debian in DIR (default
# ${TMPDIR:-/tmp}/rmux-mlkem), by the mirror that apt uses here, builds rmux there
# and runs the tests of the protocol and of its wrapper.  Needs root and
# debootstrap; takes some minutes the first time.  RMUX_SUITE names the release
# (trixie), RMUX_TESTS the tests.
set -eu
src=$(cd "$(dirname "$0")/.." && pwd)
dir=${1:-${TMPDIR:-/tmp}/rmux-mlkem}
suite=${RMUX_SUITE:-trixie}
tests=${RMUX_TESTS:-regress/unit/check_ssp regress/ssp/vectors regress/bench/ssp_seal}
die() {
	echo "check-mlkem: $*" >&2
	exit 1
}
[ "$(id -u)" = 0 ] || die "needs root, for chroot"
command -v debootstrap >/dev/null || die "needs debootstrap"
packages=gcc,libc6-dev,make,autoconf,autoconf-archive,automake,libtool,pkg-config,libevent-dev
packages=$packages,libsodium-dev,libtickit-dev,libmsgpack-dev,libutf8proc-dev
packages=$packages,libzstd-dev,check,libssl-dev,procps,python3-minimal
if [ ! -x "$dir/usr/bin/gcc" ]; then
	# The first Debian archive among apt's own sources.
	uri=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/*.sources \
		/etc/apt/sources.list.d/*.list 2>/dev/null |
		sed -nE 's,^URIs: *([^ ]*/debian/?)( .*)?$,\1,p; s,^deb (\[[^]]*\] )?([^ ]*/debian/?) .*,\2,p' |
		head -1)
	[ -n "$uri" ] || die "no Debian archive among apt's sources"
	debootstrap --variant=minbase --include="$packages" "$suite" "$dir" \
		"$uri" >"$dir.log" 2>&1 || die "debootstrap failed: see $dir.log"
fi
mkdir -p "$dir/rmux"
(cd "$src" && git ls-files -z --cached --others --exclude-standard |
	tar --null -T - -cf -) | tar -C "$dir/rmux" -xf -
cat >"$dir/rmux/check-mlkem" <<W
set -e
cd /rmux
[ -x configure ] || ./autogen.sh >/dev/null 2>&1
mkdir -p build && cd build
[ -f Makefile ] || ../configure -q --with-mlkem=openssl
make -s -j2 rmux $tests
for t in $tests; do
	echo "== \$t"
	top_srcdir=.. top_builddir=. ./\$t
done
W
chroot "$dir" /usr/bin/env LC_ALL=C.UTF-8 HOME=/root sh /rmux/check-mlkem
