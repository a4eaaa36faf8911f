#!/bin/sh
# check-static.sh [BUILDDIR] - makes the static rmux twice and compares the bytes,
# then runs it: without any other file of the system (root only), and in the tests of
# remote clients, where it is brought to a machine without rmux.
#
# The second time folder, umask, locale and time zone are others.  Minutes.  BUILDDIR
# has the tests' tools.  Exit status 77: configure finds no static archives here.
set -u
top=$(cd "$(dirname "$0")/.." && pwd) || exit 1
bld=$(cd "${1:-$top/build}" && pwd) || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP
# A shared cache would compare the first program with itself.
unset CCACHE_DIR CCACHE_BASEDIR
bad=0
fail() {
	echo "check-static: $*"
	bad=1
}

# --- twice ------------------------------------------------------------------------

if ! "$top/scripts/static.sh" -o "$work/1" >"$work/log" 2>&1; then
	cat "$work/log"
	! grep -q 'the compiler finds no' "$work/log" || exit 77
	exit 1
fi
mkdir "$work/another-folder" "$work/tmp"
(cd "$top" && find . -name .git -prune -o -path './build*' ! -path './build-aux*' -prune -o \
	-type f -print | tar -cf - -T -) | tar -xf - -C "$work/another-folder" || exit 1
(
	umask 077
	LC_ALL=de_DE.UTF-8 TZ=Pacific/Chatham TMPDIR=$work/tmp CFLAGS=-O0 \
		CCACHE_DISABLE=1 "$work/another-folder/scripts/static.sh" -o "$work/2"
) >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
for f in "$work"/1/*; do
	cmp "$f" "$work/2/${f##*/}" || fail "${f##*/} is not the same"
done
(cd "$work/1" && sha256sum --quiet -c ./*.sha256) || fail "checksum"
tar -xf "$work"/1/*.tar.xz -C "$work" || exit 1
rmux=$(echo "$work"/rmux-*-static-*/rmux)
case $(ldd "$rmux" 2>&1) in
*"statically linked"* | *"not a dynamic executable"*) ;;
*) fail "the program loads shared libraries" ;;
esac
[ "$(find "$work"/rmux-*/licences -type f | wc -l)" -ge 8 ] || fail "licences are missing"

# --- alone ------------------------------------------------------------------------

# Users come from the file, although nsswitch.conf names a module.
if [ "$(id -u)" = 0 ]; then
	root=$work/root
	mkdir -p "$root/etc" "$root/tmp"
	cp "$rmux" "$root/rmux"
	echo 'ghost:x:4242:4242::/home/ghost:/bin/sh' >"$root/etc/passwd"
	printf 'passwd: sss systemd\nhosts: mdns4_minimal\n' >"$root/etc/nsswitch.conf"
	printf 'source-file ~ghost/file\nsource-file ~nobody/file\n' >"$root/etc/conf"
	chroot "$root" /rmux -n -f /etc/conf >"$work/log" 2>&1
	grep -q '/home/ghost/file: No such file' "$work/log" &&
		grep -q 'no such user: nobody' "$work/log" ||
		{ cat "$work/log"; fail "names of users"; }
	# A locale that this machine lacks is known by its name.
	LC_ALL=xx_YY.UTF-8 chroot "$root" /rmux doctor >"$work/log" 2>&1
	grep -q 'rmux.*, a static build' "$work/log" && grep -q 'UTF-8 (LC_ALL' "$work/log" &&
		grep -q 'a static build has no ML-KEM' "$work/log" ||
		{ cat "$work/log"; fail "doctor"; }
fi

# --- in use -----------------------------------------------------------------------

for t in deploy remote remote_sshd; do
	(cd "$work" && top_srcdir=$top top_builddir=$bld E2E_RMUX=$rmux DEPLOY_PAYLOAD=$rmux \
		sh "$top/regress/e2e/$t.sh") >"$work/log" 2>&1 </dev/null
	if grep -q '^not ok' "$work/log" || ! grep -q '^1\.\.' "$work/log"; then
		cat "$work/log"
		fail "regress/e2e/$t.sh with the static program"
	fi
done
exit $bad
