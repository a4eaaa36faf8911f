#!/bin/sh
# check-musl.sh [BUILDDIR] - every source of the program and its tests against
# musl's headers: what only glibc declares fails here, not on Alpine.  The
# libraries' and the kernel's headers are this machine's.  The libraries are
# glibc's, so only the sandbox is linked with musl, and runs: its filter must know
# the system calls of that C library, too.  Exit code 77 where there is no
# musl-gcc (Debian: musl-tools).
cd "$(dirname "$0")/.." || exit 1
bld=$(cd "${1:-build}" && pwd) || exit 1
command -v musl-gcc >/dev/null || exit 77
inc=$(mktemp -d "${TMPDIR:-/tmp}/rmux-musl.XXXXXX") || exit 1
trap 'rm -rf "$inc"' EXIT
# Headers by name: all of /usr/include would bring glibc's along.
for h in event2 event.h evutil.h sodium sodium.h tickit.h tickit-termdrv.h \
    tickit-evhooks.h termkey.h utf8proc.h zstd.h zstd_errors.h msgpack \
    msgpack.h check.h check_stdint.h vterm.h vterm_keycodes.h fribidi linux \
    asm-generic asm; do
	for d in /usr/include "/usr/include/$(gcc -print-multiarch)"; do
		if [ -e "$d/$h" ]; then ln -sfn "$d/$h" "$inc/$h"; fi
	done
done
# OpenSSL has headers in both.
mkdir "$inc/openssl"
for d in /usr/include "/usr/include/$(gcc -print-multiarch)"; do
	[ ! -d "$d/openssl" ] || ln -sf "$d"/openssl/*.h "$inc/openssl/"
done
# What configure found in glibc and musl lacks.
{
	cat "$bld/config.h"
	echo '#undef HAVE_CLOSE_RANGE'
} >"$inc/config.h"
git ls-files '*.c' 2>/dev/null | grep . >"$inc/list" ||
    find base conf mux ssp predict server client regress rmux.c -name '*.c' >"$inc/list"
xargs -P "$(getconf _NPROCESSORS_ONLN)" -n 8 musl-gcc -std=c11 -D_GNU_SOURCE -DRMUX_LIBEXECDIR='"/libexec"' \
    -DHAVE_CONFIG_H -I"$inc" -I"$inc/fribidi" -I. -Issp/lib -fsyntax-only -Wall -Wextra -Werror \
    -Wno-unused-function <"$inc/list" 2>"$inc/said" || {
	grep -E '(error|warning):' "$inc/said" | sort -u
	exit 1
}

# --- the sandbox ------------------------------------------------------------------

musl-gcc -std=c11 -O1 -D_GNU_SOURCE -DHAVE_CONFIG_H -I"$inc" -I. -static \
    -ffunction-sections -fdata-sections -Wl,--gc-sections -o "$inc/calls" \
    regress/hostile/musl_calls.c base/io/confine.c base/io/confine_calls.c \
    base/io/confine_landlock.c base/io/udp.c base/err.c base/mem.c base/str.c ||
    exit 1
"$inc/calls"
code=$?
[ $code = 0 ] || [ $code = 77 ]
