#!/bin/sh
# trial-debian.sh [-k DIR] [SUITE] - what depends on the system's libraries, with
# those of another Debian (default: trixie): the post-quantum key exchange, which
# needs OpenSSL 3.5, the sandboxes, whose filter must know the system calls of
# that C library, and the search of memory for keys, those of ML-KEM too.
#
# Makes that Debian in a folder of its own, from the mirror that apt uses here,
# copies the source, builds it there and runs the tests; then removes the folder.
# Needs root and debootstrap, 2 GB of disk, some minutes.
#
#   -k DIR  use the folder DIR, and keep it for the next time
#
# Environment: TRIAL_TESTS replaces the list of tests.
#
# Exit status: 0: all passed; 1: a test or step failed; 2: wrong usage; 77: no
# root, or no debootstrap.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
tests="regress/unit/check_ssp regress/ssp/vectors regress/unit/check_base_io"
tests="$tests regress/unit/check_client regress/e2e/sandbox.sh regress/hostile/memory.sh"
tests=${TRIAL_TESTS-$tests}
packages=gcc,libc6-dev,make,autoconf,autoconf-archive,automake,libtool,pkg-config,libevent-dev
packages=$packages,libsodium-dev,libtickit-dev,libutf8proc-dev,libzstd-dev
packages=$packages,check,libssl-dev,procps,python3-minimal,tmux,ncurses-term,git
skip() {
	echo "trial-debian: $*" >&2
	exit 77
}
usage() {
	echo "usage: trial-debian.sh [-k DIR] [SUITE]" >&2
	exit 2
}

if [ -z "${TRIAL_INSIDE-}" ]; then
	keep=
	while getopts k: opt; do
		case $opt in
		k) keep=$OPTARG ;;
		*) usage ;;
		esac
	done
	shift $((OPTIND - 1))
	[ $# -le 1 ] || usage
	[ "$(id -u)" = 0 ] || skip "needs root, for debootstrap and chroot"
	command -v debootstrap >/dev/null || skip "needs debootstrap"
	dir=${keep:-$(mktemp -d "${TMPDIR:-/tmp}/rmux-trial.XXXXXX")}
	mkdir -p "$dir"
	chmod 755 "$dir"
	rc=0
	# What is mounted or started ends with these namespaces.
	TRIAL_INSIDE=$dir unshare --mount --pid --fork --kill-child --mount-proc \
		"$0" "${1:-trixie}" || rc=$?
	[ -n "$keep" ] || rm -rf --one-file-system "$dir"
	exit $rc
fi

dir=$TRIAL_INSIDE
suite=$1
say() { printf '== %s\n' "$*"; }
# quiet NAME COMMAND...: shows the end of the output of a command that fails.
quiet() {
	name=$1
	shift
	"$@" >"$dir/$name.log" 2>&1 </dev/null && return 0
	tail -n 30 "$dir/$name.log" >&2
	echo "trial-debian: $name failed" >&2
	exit 1
}
inside() {
	env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
		HOME=/root USER=root SHELL=/bin/sh TERM=xterm-256color LC_ALL=C.UTF-8 \
		chroot "$dir" /bin/sh -c "cd /rmux && $*"
}

if [ ! -e "$dir/made" ]; then
	# The mirror of this machine's own packages.
	mirror=$(apt-get indextargets --format "\$(REPO_URI)" 2>/dev/null |
		grep -v security | head -n 1)
	[ -n "$mirror" ] || skip "no mirror among apt's sources"
	# An older debootstrap does not know newer suites: sid's rules hold for all.
	rules=/usr/share/debootstrap/scripts
	if [ -e "$rules/$suite" ]; then rules=$rules/$suite; else rules=$rules/sid; fi
	say "debootstrap $suite"
	# Newer releases have another name for this package.
	for msgpack in libmsgpack-dev libmsgpack-c-dev; do
		debootstrap --variant=minbase --include="$packages,$msgpack" "$suite" \
			"$dir" "$mirror" "$rules" >"$dir/debootstrap.log" 2>&1 &&
			touch "$dir/made" && break
		grep -q "these debs: $msgpack" "$dir/debootstrap.log" || break
	done
	if [ ! -e "$dir/made" ]; then
		tail -n 30 "$dir/debootstrap.log" >&2
		exit 1
	fi
fi
mount -t proc proc "$dir/proc"
mkdir -p "$dir/dev/shm" "$dir/dev/pts"
mount -t tmpfs -o mode=1777 shm "$dir/dev/shm"
mount -t devpts -o newinstance,ptmxmode=0666,mode=0620,gid=5 devpts "$dir/dev/pts"
ln -sf pts/ptmx "$dir/dev/ptmx"
mkdir -p "$dir/rmux"
(cd "$top" && git ls-files -z --cached --others --exclude-standard |
	tar --null -T - -cf -) | tar -C "$dir/rmux" -xf -

# shellcheck disable=SC2016 # dpkg-query expands them
say "$suite: $(inside 'dpkg-query -W -f "\${Package} \${Version}; " libc6 "libssl3t*" "libsodium2*" gcc')"
quiet autogen inside '[ -x configure ] || ./autogen.sh'
quiet configure inside 'mkdir -p build && cd build && { [ -e Makefile ] ||
	../configure -q --with-mlkem=openssl; }'
programs=$(for t in $tests; do
	case $t in
	*.sh) ;;
	*) echo "$t" ;;
	esac
done | tr '\n' ' ')
say "build"
quiet build inside "cd build && make -s -j2 all && make -s $programs regress/hostile/try.so"
inside "cd build && timeout 20 ./rmux doctor </dev/null" 2>&1 |
	grep -iE 'sandbox|key exchange|post-quantum|ml-kem' || :
rc=0
for t in $tests; do
	case $t in
	*.sh) run="sh ../$t" ;;
	*) run=./$t ;;
	esac
	if inside "cd build && srcdir=.. top_srcdir=.. top_builddir=. \
		CK_TIMEOUT_MULTIPLIER=5 timeout 280 $run" >"$dir/test.log" 2>&1 </dev/null; then
		verdict=passed
	else
		verdict=FAILED rc=1
		tail -n 40 "$dir/test.log"
	fi
	say "$t $verdict: $(grep -cE '^ok ' "$dir/test.log" || :) ok," \
		"$(grep -cE '# SKIP|^1\.\.0' "$dir/test.log" || :) skipped;" \
		"$(grep -E '^[0-9]+%: Checks' "$dir/test.log" | tail -n 1)"
done
exit $rc
