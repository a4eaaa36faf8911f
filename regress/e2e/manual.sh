#!/bin/sh
# The examples of the manual pages work, and the names in the documents exist.
# Commands: ".Dl $ COMMAND" is run, in the order of the page, by a
# shell beside a server with one session; other ".Dl" lines are in the table
# below, with how or why not.  ".Bd -literal" is configuration: it must load.
# (ssp(3) is of the library: libssp.sh.)
# Names: paths and make targets between ` and ` in the documents (their blocks
# of code: docs.sh); the tests and benches of PROOF and BENCHMARKS: proof.py.
. "${top_srcdir:-.}/regress/e2e/lib.sh"

mkdir -p "$e2e_dir/bin"
# A check of a file (-n) needs no socket.
cat >"$e2e_dir/bin/rmux" <<END
#!/bin/sh
[ "\$1" = -n ] || set -- -L e2e "\$@"
exec "$e2e_rmux" "\$@"
END
chmod +x "$e2e_dir/bin/rmux"
PATH=$e2e_dir/bin:$PATH
echo 'set -g prefix C-a' >rmux.conf
start

# The rendered text of an mdoc page.
plain() {
	sed -e 's/\\(aq/'"'"'/g; s/\\(dq/"/g; s/\\e/\\/g' -e 's/ Ar / /g'
}

# shown PAGE: its example lines, one each.
shown() {
	sed -n 's/^\.Dl //p' "$1" | plain
}


for page in rmux.1 rmux.conf.5 rmux-ctlseqs.7 rmux-protocol.7; do
	shown "$e2e_src/doc/$page" >shown
	while IFS= read -r line <&3; do
		what="$page: $(printf %s "$line" | tr '#' ' ')"
		case $line in
		*" -CC attach host") skip "$what" "it needs another machine: control_far.sh" ;;
		'$ '*) check "$what" timeout 20 sh -c "${line#??}" ;;
		"set-hook "*) check "$what" timeout 20 sh -c "rmux $line" ;;
		"RMUX CONNECT "*) skip "$what" "a line of the protocol: remote.sh reads it" ;;
		*"'rmux exec"*) skip "$what" "it needs another machine: exec.sh" ;;
		"rmux join "*) skip "$what" "it needs a second person: people.sh" ;;
		*) not_ok "$what: neither run nor said why not" ;;
		esac
	done 3<shown
	awk -v out=conf. '
	/^\.Bd -literal/ { file = out (++n); next }
	/^\.Ed/ { file = "" }
	file != "" { print >file }' "$e2e_src/doc/$page"
	for c in conf.*; do
		[ -e "$c" ] || continue
		plain <"$c" >"$page.$c"
		rm "$c"
		check "$page: its configuration loads ($c)" \
			"$e2e_rmux" -n -f "$page.$c"
	done
done

# A release archive may lack files that a checkout has.
[ -e "$e2e_src/.git" ] || done_testing

# A placeholder that the reader replaces is in capitals.
names() {
	cat "$e2e_src"/*.md "$e2e_src"/doc/*.md | grep -v '(\*planned\*)' |
		grep -oE '`[^`]+`' | tr -d '`' |
		grep -oE '(^|[ /])(regress|scripts|doc|base|mux|ssp|predict|server|client|conf|dist|debian)/[A-Za-z0-9_./*-]+' |
		sed 's/^[ /]*//; s/[.,]$//' | grep -vE '[A-Z]{3}($|[/.])' | sort -u
}

all_there() {
	names | while IFS= read -r n; do
		# shellcheck disable=SC2086
		for f in $e2e_src/$n; do
			[ -e "$f" ] || [ -e "$f.c" ] || [ -e "$f.sh" ] ||
				[ -e "$f.py" ] || [ -e "$e2e_build/$n" ] ||
				echo "no $n"
		done
	done | { ! grep .; }
}
check "every path that a document names is there" all_there

targets() {
	grep -ohE '`make [^`]*`' "$e2e_src"/*.md "$e2e_src"/doc/*.md | tr -d '`' |
		sed -E 's/^make( -C [a-z]+)? *//; s/ .*//' | grep -E '^[a-z]' | sort -u
}
all_made() {
	targets | while IFS= read -r t; do
		grep -qE "^\.?(PHONY:.* )?$t(\\\$\(EXEEXT\))?( .*)?:|^$t:" "$e2e_build/Makefile" ||
			echo "no target $t"
	done | { ! grep .; }
}
check "every target of make that a document names is there" all_made

steps() {
	grep -ohE '\./quickstart( [a-z]+)?' "$e2e_src"/*.md "$e2e_src"/doc/*.md |
		sed 's/.*quickstart *//' | grep . | sort -u
}
all_steps() {
	steps | while IFS= read -r s; do
		grep -qE "^$s\)" "$e2e_src/quickstart" || echo "no quickstart $s"
	done | { ! grep .; }
}
check "every step of quickstart that a document names is there" all_steps
if command -v python3 >/dev/null; then
	check "every test, case and option of a bench that PROOF and BENCHMARKS name" \
		python3 -B "$e2e_src/regress/e2e/proof.py" "$e2e_src"
fi
done_testing
