#!/bin/sh
# libssp as another program finds it: make install into a folder, pkg-config, the
# header alone, the names that the libraries export, the example of ssp(3), and the
# programs of doc/examples over a link that loses a fifth of all datagrams.
. "${top_srcdir:-.}/regress/e2e/lib.sh"

[ -e "$e2e_build/ssp/lib/libssp.a" ] || skip_all "configure has left libssp out"
[ -e "$e2e_build/ssp/lib/libssp.so.1.0.0" ] || skip_all "the names of files are those of ELF"
cc=$(sed -n 's/^CC = //p' "$e2e_build/Makefile")
dest=$e2e_dir/dest
relay=$e2e_build/regress/tools/udp_relay
examples=$e2e_src/doc/examples

install_it() {
	(unset MAKEFLAGS MFLAGS MAKELEVEL
	make -C "$e2e_build" -s install DESTDIR="$dest" >"$e2e_dir/make.out" 2>&1) ||
		{ cat "$e2e_dir/make.out"; return 1; }
	pc=$(find "$dest" -name ssp.pc)
	[ -s "$pc" ] || return 1
	PKG_CONFIG_PATH=${pc%/*}
	export PKG_CONFIG_PATH
	prefix=$dest$(sed -n 's/^prefix=//p' "$pc")
	libdir=$(config --variable=libdir)
	LD_LIBRARY_PATH=$libdir
	export LD_LIBRARY_PATH
	[ -s "$libdir/libssp.a" ] && [ -s "$libdir/libssp.so" ] &&
		[ "$(readlink "$libdir/libssp.so.1")" = libssp.so.1.0.0 ] &&
		[ -s "$(config --variable=includedir)/ssp.h" ] &&
		[ -n "$(find "$dest" -path '*/man3/ssp.3')" ]
}

# The file says where it will be; here it is below DESTDIR.
config() {
	pkg-config --define-variable=prefix="$prefix" "$@" ssp
}

pc_is_right() {
	[ "$(config --modversion)" = "$(sed -n 's/^# *define SSP_VERSION "\(.*\)"/\1/p' \
		"$e2e_src/ssp/lib/ssp.h")" ] &&
		config --libs | grep -q -- '-lssp' &&
		! config --libs | grep -q sodium &&
		config --static --libs | grep -q -- '-lsodium' &&
		config --static --libs | grep -q -- '-lzstd'
}

# compile OUT FILE [FLAG...]
compile() {
	out=$1 file=$2
	shift 2
	# shellcheck disable=SC2086,SC2046
	$cc -std=c11 -D_DEFAULT_SOURCE -Wall -Wextra -Werror -g "$@" \
		$(config --cflags) -o "$out" "$file" $(config --libs)
}

# The same with the archive: nothing but what pkg-config says.
compile_static() {
	# shellcheck disable=SC2086,SC2046
	$cc -std=c11 -D_DEFAULT_SOURCE -Wall -Wextra -Werror -g $(config --cflags) \
		-o "$1" "$2" "$libdir/libssp.a" \
		$(config --static --libs | sed 's/-lssp//')
}

header_c() {
	echo '#include <ssp.h>' >alone.c
	# shellcheck disable=SC2046
	$cc -std=c99 -pedantic -Wall -Wextra -Werror $(config --cflags) -c -o alone.o alone.c
}

header_cxx() {
	{
		echo '#include <ssp.h>'
		echo 'int main() { return ssp_version() == 0; }'
	} >alone.cc
	# shellcheck disable=SC2046
	$cxx -std=c++11 -pedantic -Wall -Wextra -Werror $(config --cflags) -o alone \
		alone.cc $(config --libs) && ./alone
}

declared() {
	grep -v '^#' "$e2e_src/ssp/lib/ssp.h" | tr '\n' ' ' | grep -oE 'SSP_API [^;(]*\(' |
		sed 's/($//; s/.*[ *]//' | sort
}

exports() {
	nm -D --defined-only "$libdir/libssp.so.1" | awk '{ print $NF }' |
		sed 's/@.*//' | sort >shared.names
	nm -g --defined-only "$libdir/libssp.a" | awk 'NF == 3 { print $3 }' | sort >static.names
	declared >header.names
	[ "$(wc -l <header.names)" -gt 40 ] &&
		diff header.names shared.names && diff header.names static.names
}

needs() {
	readelf -d "$libdir/libssp.so.1" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' >needs
	! grep -vE '^(libsodium|libzstd|libm|libc|ld-.*)\.so' needs &&
		readelf -d "$libdir/libssp.so.1" | grep -q 'SONAME.*libssp\.so\.1\]'
}

# Names of rmux's own that a user's program may have, too.
no_clash() {
	cat >clash.c <<END
#include <ssp.h>
#include <stdlib.h>
int mem_alloc, buf_add, ssp_conn_output, ssp_transport_send, map_get, udp_send;
int main(void) { return ssp_version()[0] != '1' || mem_alloc; }
END
	compile_static clash clash.c && ./clash
}

# Every function is in ssp(3), and the page names no other.
manual_names() {
	sed -n 's/^\.Fn \(ssp_[a-z_]*\) .*/\1/p' "$e2e_src/doc/ssp.3" | sort -u >manual.names
	declared | diff - manual.names
}

manual_example() {
	awk '/^\.Bd -literal/ { on = 1; next } /^\.Ed/ { on = 0 } on' \
		"$e2e_src/doc/ssp.3" >manual.c
	grep -q '^main' manual.c && compile manual manual.c
}

# --- over a bad link ------------------------------------------------------------

# served FILE: the port that a server has printed there.
served() {
	wait_for "grep -q '^port ' '$1'" || return 1
	port=$(sed -n 's/^port //p' "$1")
}

relay_pid=
relay_start() {
	"$relay" -b delay=20,jitter=15,loss=0.2 0 "$1" >relay.out 2>&1 &
	relay_pid=$!
	e2e_pids="$e2e_pids $relay_pid"
	wait_for "grep -q '[0-9]' relay.out" || return 1
	relay_port=$(grep -o '[0-9][0-9]*' relay.out | head -n 1)
}

# Ends the relay; what it lost shows that it was in the way.
relay_stop() {
	kill "$relay_pid"
	wait_for "! alive $relay_pid" && cat relay.out &&
		grep -q 'lost=[1-9]' relay.out
}

# Random datagrams at PORT, some with the head of a first one, until a file is there.
junk() {
	python3 - "$1" "$PWD/enough" <<'END' &
import os, random, socket, sys
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
while not os.path.exists(sys.argv[2]):
    b = random.randbytes(random.randrange(1400))
    s.sendto(random.choice((b, b'\x10' + b, b'\x18' + b, b'\x20' + b)),
             ('127.0.0.1', int(sys.argv[1])))
    s.settimeout(0.001)
    try:
        s.recv(2000)
        print('an answer to junk')
        break
    except OSError:
        pass
END
	junk_pid=$!
	e2e_pids="$e2e_pids $junk_pid"
}

# sensors HOW: three gateways, one stranger with another secret, and junk.
sensors() {
	rm -f enough
	SSP_SECRET=$("./sensors_$1" secret) || return 1
	export SSP_SECRET
	"./sensors_$1" collect 127.0.0.1 0 3 >collected 2>collected.err &
	collector=$!
	e2e_pids="$e2e_pids $collector"
	served collected && relay_start "$port" || return 1
	if have python3; then junk "$port" >junk.out 2>&1; fi
	SSP_SECRET=$("./sensors_$1" secret) \
		"./sensors_$1" send 127.0.0.1 "$relay_port" stranger 100 2>/dev/null &
	stranger=$!
	e2e_pids="$e2e_pids $stranger"
	gateways=
	for g in attic barn cellar; do
		"./sensors_$1" send 127.0.0.1 "$relay_port" $g 1500 &
		gateways="$gateways $!"
	done
	e2e_pids="$e2e_pids $gateways"
	# shellcheck disable=SC2086
	wait $gateways || return 1
	wait_for "! alive $collector" 30 || return 1
	alive "$stranger" || { echo "the stranger has ended"; return 1; }
	: >enough
	kill "$stranger"
	relay_stop || return 1
	for g in attic barn cellar; do
		printf %s $g
		k=0
		while [ $k -lt 64 ]; do
			printf ' %d' $((1499 - k))
			k=$((k + 1))
		done
		echo
	done >expected
	sed 1d collected | sort | diff expected - || return 1
	[ ! -s junk.out ] || { cat junk.out; return 1; }
	# Far fewer states than updates: old ones are skipped.
	states=$(sed -n 's/.*after \([0-9]*\) states.*/\1/p' collected.err | tail -n 1)
	[ "$states" -gt 3 ] && [ "$states" -lt 4000 ]
}

# edits NAME SEED: 120 edits, most of them where others edit, too.
edits() {
	awk -v who="$1" -v seed="$2" 'BEGIN {
		srand(seed)
		for (i = 1; i <= 120; i++) {
			r = rand()
			n = int(rand() * (i < 20 ? i / 4 : 6))
			if (r < .55) print "+" n " " who i
			else if (r < .85) print "=" n + 1 " " who " again " i
			else print "-" n + 1
		}
	}'
}

# text HOW: three people edit at once, and all print what the server prints.
text() {
	SSP_SECRET=$("./shared_text_$1" secret) || return 1
	export SSP_SECRET
	"./shared_text_$1" serve 127.0.0.1 0 3 >served &
	server=$!
	e2e_pids="$e2e_pids $server"
	served served && relay_start "$port" || return 1
	people=
	for p in ann ben cat; do
		edits $p "${#people}" >$p.in
		"./shared_text_$1" edit 127.0.0.1 "$relay_port" <$p.in >$p.text 2>$p.err &
		people="$people $!"
	done
	e2e_pids="$e2e_pids $people"
	# shellcheck disable=SC2086
	wait $people || return 1
	wait_for "! alive $server" 30 && relay_stop || return 1
	sed 1d served >server.text
	for p in ann ben cat; do
		diff server.text $p.text && grep -q $p server.text || return 1
		# Few edits named a line that was gone.
		[ "$(wc -l <$p.err)" -lt 40 ] || return 1
	done
	[ "$(wc -l <server.text)" -gt 60 ]
}

# --- Python ---------------------------------------------------------------------

# A Python that has cffi.
python=
for p in python3 /usr/bin/python3; do
	if "$p" -c 'import cffi' 2>/dev/null; then
		python=$p
		break
	fi
done

# py ARGS: table.py with the installed library.  Where pkg-config was told of another
# prefix, Python's call of it is told, too.
py() {
	PKG_CONFIG_SYSROOT_DIR='' SSP_LIBRARY="$libdir/libssp.so.1" PYTHONPATH=$examples \
		PKG_CONFIG_PATH=$PWD/pc "$python" -B "$examples/table.py" "$@"
}

python_table() {
	mkdir -p pc && sed "s|^prefix=.*|prefix=$prefix|" "$pc" >pc/ssp.pc
	SSP_SECRET=$(py secret) || return 1
	export SSP_SECRET
	py collect 127.0.0.1 0 >table.out &
	collector=$!
	e2e_pids="$e2e_pids $collector"
	served table.out && relay_start "$port" || return 1
	py send 127.0.0.1 "$relay_port" 400 || return 1
	wait_for "! alive $collector" 30 && relay_stop || return 1
	"$python" -c 'import json
print("port")
print(json.dumps({"sensor %d" % n: 380 + n for n in range(20)}, sort_keys=True))' >table.want
	sed 's/^port .*/port/' table.out | diff table.want -
}

check "make install brings header, both libraries, ssp.pc and ssp(3)" install_it
check "pkg-config knows the version and what to link" pc_is_right
check "the header compiles alone as C99" header_c
cxx=
for c in c++ g++ clang++; do
	if have $c; then
		cxx=$c
		break
	fi
done
if [ -n "$cxx" ]; then
	check "the header compiles as C++11, and its functions link" header_cxx
else
	skip "the header compiles as C++11, and its functions link" "no compiler of C++"
fi
check "both libraries export the functions of the header and nothing else" exports
if have readelf; then
	check "the library needs libsodium and zstd alone, and has soname 1" needs
else
	skip "the library needs libsodium and zstd alone, and has soname 1" "no readelf"
fi
check "names of a program's own do not clash with the static library" no_clash
check "ssp(3) has every function" manual_names
check "the example of ssp(3) compiles" manual_example
for e in sensors shared_text; do
	check "$e.c compiles against the shared library" \
		compile "${e}_shared" "$examples/$e.c"
	check "$e.c compiles against the static library" \
		compile_static "${e}_static" "$examples/$e.c"
done
if [ -x "$relay" ]; then
	for how in shared static; do
		check "sensors ($how): the newest readings arrive, no stranger's and no junk" \
			sensors $how
		check "shared_text ($how): three people end with the same text" text $how
	done
	if [ -n "$python" ]; then
		check "table.py: a table arrives by Python" python_table
	elif dpkg-query -W -f '${Status}' python3-cffi 2>/dev/null | grep -q 'ok installed'; then
		not_ok "table.py: python3-cffi is installed, and no python3 can import it"
	else
		skip "table.py: a table arrives by Python" "no cffi (python3-cffi)"
	fi
else
	skip "the examples over a lossy link" "no udp_relay"
fi
done_testing
