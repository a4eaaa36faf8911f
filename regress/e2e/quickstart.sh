#!/bin/sh
# ./quickstart check runs a failed test again, twice at most, and names the
# repeated tests in its closing lines.  Tests its functions with a fake make.
. "${top_srcdir:-.}/regress/e2e/lib.sh"

if [ ! -r "$e2e_src/quickstart" ]; then
	skip "quickstart" "not in this archive"
	done_testing
fi
for f in count_log failing run_tests judge_tests closing as_root have_build \
	install_with arch_libtickit install_packages make_shown; do
	eval "$(sed -n "/^$f() {\$/,/^}/p; /^$f() {.*}\$/p" "$e2e_src/quickstart")"
done
say() { echo "== $*"; }
die() { echo "quickstart: $*" >&2; exit 1; }
# shellcheck disable=SC2034 # its functions read them
jobs=1 again_log=again.log top=$PWD began=$(date +%s)
mkdir b

# play FIRST SECOND THIRD: the output of each fake run, which exits 1 if the
# output names a failure.
play() {
	n=0
	: >$again_log
	rm -f b/*
	for text; do
		n=$((n + 1))
		printf "$text" >"b/say.$n"
	done
	cat >b/Makefile <<'END'
check recheck:
	@n=$$(cat run 2>/dev/null || echo 0); n=$$((n + 1)); echo $$n >run; \
	cat say.$$n; ! grep -qE '^(FAIL|ERROR|broken)' say.$$n
END
	passed=0 failed=0 skipped=0
	run_tests unit b
	judge_tests unit b
	closing
}

one_by_one() {
	play 'PASS: a\nFAIL: b.sh 3 - name, with a %%\nERROR: c.sh - exited\n# PASS:  7\n# SKIP:  2\n# FAIL:  1\n# ERROR: 1\n' \
		'PASS: c.sh\nFAIL: b.sh 3 - name, with a %%\n' 'PASS: b.sh\n' >out
	tail -n 5 out >last
	diff last - <<'END'
== passed, but not on the first try (a bug in the test or in rmux):
   unit: c.sh - exited (second try)
   unit: b.sh 3 - name, with a % (third try)

9 passed, 0 failed, 2 skipped
END
}
check "who needed a second or a third try is named" one_by_one

still() {
	play 'FAIL: a.sh 1\nFAIL: b.sh 1\n# PASS:  5\n# FAIL:  2\n' \
		'FAIL: b.sh 1\n' 'FAIL: b.sh 1\n' >out
	grep -qx 'FAIL: b.sh 1' out && grep -q 'unit: a.sh 1 (second try)' out &&
		! grep -q 'unit: b.sh' out && tail -n 1 out | grep -qx '6 passed, 1 failed, 0 skipped'
}
check "what fails three times has failed, the rest has not" still

# The check began long ago.
late() {
	(began=0 && play 'FAIL: a.sh 1\n# PASS:  5\n# FAIL:  1\n' 'PASS: a.sh\n') >out
	[ "$(cat b/run)" = 1 ] && tail -n 1 out | grep -qx '5 passed, 1 failed, 0 skipped'
}
check "no test runs again late in a check" late

clean() {
	play 'PASS: a\n# PASS:  5\n' >out
	! grep -q 'first try' out && [ "$(cat b/run)" = 1 ] &&
		tail -n 1 out | grep -qx '5 passed, 0 failed, 0 skipped'
}
check "nothing is said of a clean run, and nothing runs again" clean

silent() {
	play 'broken\n' 'broken\n' 'broken\n' >out
	tail -n 1 out | grep -qx '0 passed, 1 failed, 0 skipped'
}
check "a make that breaks without a name has failed" silent

lost() {
	play 'FAIL: a.sh 1\n# PASS:  1\n# FAIL:  1\n' 'broken\n' 'broken\n' >out
	tail -n 1 out | grep -qx '1 passed, 1 failed, 0 skipped'
}
check "a repetition that breaks clears nobody" lost

none() {
	play '\n' >out
	tail -n 1 out | grep -qx '0 passed, 1 failed, 0 skipped'
}
check "no test at all has failed" none
# system MANAGER KIND: the packages that quickstart installs on a system with
# that manager alone, whose pkg-config finds nothing.
system() {
	rm -rf bin
	mkdir bin
	printf '#!/bin/sh\necho "%s $*"\n' "$1" >"bin/$1"
	printf '#!/bin/sh\nexit 1\n' >bin/pkg-config
	printf '#!/bin/sh\necho 0\n' >bin/id
	chmod +x bin/*
	# shellcheck disable=SC2034 # install_with reads them by name
	(
		build_fedora=fed check_fedora=fed-check build_arch=arc check_arch=arc-check
		build_alpine=alp bench_alpine=alp-bench build_brew=bre check_brew=bre-check
		PATH=$PWD/bin
		install_packages "$2" 2>&1
	)
}

managers() {
	{
		system dnf check
		system apk bench
		system brew build
		system pacman build
		RMUX_NO_INSTALL=1
		system dnf build
		unset RMUX_NO_INSTALL
	} >out
	diff out - <<'END'
== installing: fed fed-check
dnf install -y -q fed fed-check
== installing: alp alp-bench
apk add --quiet alp alp-bench
== installing: bre
brew install -q bre
== installing: arc
pacman -S --needed --noconfirm arc
quickstart: libtickit is in the AUR. Install it, then run ./quickstart again:
  git clone https://aur.archlinux.org/libtickit.git && cd libtickit && makepkg -si
== RMUX_NO_INSTALL is set; these packages are needed: fed
END
}
check "each system's packages by its own manager" managers

# Without a terminal nothing can be shown: the build alone is a success.
unseen() {
	{
		echo 'say() { echo "== $*"; }; build() { :; }; case run in'
		sed -n '/^run)$/,/;;/p' "$e2e_src/quickstart"
		echo esac
	} >run
	sh ./run </dev/null >out && grep -qx '== built; in a terminal, run build/rmux' out
}
check "without a terminal it builds only" unseen

shown() {
	printf 'all:\n\t@echo "  CC       one.o"; echo "  CC       two.o"; exit %s\n' "$1" >b/Makefile
	{
		sed -n '/^make_shown() {$/,/^}/p' "$e2e_src/quickstart"
		echo 'cd "$1" && jobs=1 && make_shown b 2>/dev/null; echo "code $?"; cat'
	} >shown
	outer_start 70 10 "sh '$PWD/shown' '$PWD'"
	expect_screen "^ *2 steps" && expect_screen "code $2"
}
progress() {
	shown 0 0 && shown 1 1
}
if [ $e2e_have_tmux = yes ]; then
	check "a terminal sees that the build goes on" progress
else
	skip "a terminal sees that the build goes on" "no tmux to be the terminal"
fi
done_testing
