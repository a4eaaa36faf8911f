#!/bin/sh
# scripts/check-lists.sh names each list that lacks a new command, option, fuzz target or
# file: in a copy of the tree, each is added, and each list's row removed.
. "${top_srcdir:-.}/regress/e2e/lib.sh"

copy=$e2e_dir/tree
# shellcheck disable=SC2046 # names without blanks
mkdir "$copy" && (cd "$e2e_src" && tar cf - --exclude='./build*' --exclude=./.git \
	--exclude=./autom4te.cache --exclude='__pycache__' \
	$(find . -name 'build*' -prune -o -name Makefile.inc -print) Makefile.am \
	base/client_long.def conf regress scripts) | (cd "$copy" && tar xf -) || exit 99
find "$copy" -name '*.o' -exec rm {} +
looks() { sh "$e2e_src/scripts/check-lists.sh" "$copy" 2>&1; }

# broken FILE SED LINE...: with FILE changed by SED the check fails and prints just LINEs.
broken() {
	file=$copy/$1 expected=$e2e_dir/expected
	cp "$file" "$e2e_dir/kept"
	sed "$2" "$e2e_dir/kept" >"$file"
	cmp -s "$file" "$e2e_dir/kept" && echo "$1 is as before"
	shift 2
	printf '%s\n' "$@" | sort >"$expected"
	looks >"$e2e_dir/said" && echo "passed"
	cp "$e2e_dir/kept" "$file"
	sort "$e2e_dir/said" | diff "$expected" -
}

whole() { looks; }
rmux_only "the tree as it is has all" whole ''

gone() {
	broken regress/e2e/options.list '/^paths	/d' 'regress/e2e/options.list lacks paths (options)'
	broken regress/conf/defaults.opt '/^user-keys/d' 'regress/conf/defaults.opt lacks user-keys (options and hooks)'
	broken regress/conf/defaults.opt '/^pane-focus-in/d' \
		'regress/conf/defaults.opt lacks pane-focus-in (options and hooks)'
	broken regress/unit/check_client.c 's/ "paths",//' \
		'regress/unit/check_client.c lacks paths (options_of_a_person_are_a_sessions: OPT_PERSON)'
	broken regress/diff/options.names '/^prefix2$/d' \
		'conf/option.def lacks prefix2 (OPT_OWN: not in regress/diff/*.names)'
	broken regress/e2e/commands.list '/^kill-forward	/d' 'regress/e2e/commands.list lacks kill-forward (commands)'
	broken regress/unit/roles.golden '/^list-forwards /d' \
		'regress/unit/roles.golden lacks list-forwards (commands; check_role_table.c writes it)'
	broken conf/command_flag.def "/^F(list_forwards, 'f'/d" \
		'conf/command_flag.def lacks list-forwards -f (flags that a usage names)'
	broken base/client_long.def 's/duplicate|aggregate/duplicate/' \
		'base/client_long.def lacks paths aggregate (values of conf/option.def)'
}
rmux_only "a row that is gone is named with its list" gone ''

new() {
	broken conf/option.def 's/^X(AUDIT_LOG, .*/X(AN_OPTION, "an-option", FLAG, OPT_SESSION, 0, 0, "on", NULL, NULL, OPT_OWN | OPT_PERSON, 0, "", "")\n&/' \
		'regress/e2e/options.list lacks an-option (options)' \
		'regress/conf/defaults.opt lacks an-option (options and hooks)' \
		'regress/unit/check_client.c lacks an-option (options_of_a_person_are_a_sessions: OPT_PERSON)'
	broken conf/command.def 's/^X(bind_key, .*/X(a_command, "a-command", NULL, "bt:", 0, 0, "s",\n  TGT_NONE, TGT_NONE, 0, NOW,\n  "[-b] [-t target]",\n  "Help")\n&/' \
		'regress/e2e/commands.list lacks a-command (commands)' \
		'regress/unit/roles.golden lacks a-command (commands; check_role_table.c writes it)' \
		'conf/command_flag.def lacks a-command -b (flags that a usage names)' \
		'conf/command_flag.def lacks a-command -t (flags that a usage names)'
	broken server/Makefile.inc 's,^FUZZERS += .*_history,& regress/fuzz/fuzz_new,' \
		"FUZZERS of the Makefile.inc's has new, which is none (fuzz targets)" \
		'regress/fuzz/corpus lacks new (fuzz targets)'
	broken conf/Makefile.inc 's,^regress_fuzz_fuzz_words_SOURCES.*,regress_fuzz_fuzz_new_SOURCES = x.c\n&,' \
		"FUZZERS of the Makefile.inc's lacks new (fuzz targets)"
}
rmux_only "a new row is named with each list that lacks it" new ''

files() {
	for f in regress/e2e/new.sh regress/bench/new.py regress/fuzz/fuzz_new.c scripts/new.sh; do
		: >"$copy/$f"
	done
	looks
	for f in regress/e2e/new.sh regress/bench/new.py regress/fuzz/fuzz_new.c scripts/new.sh; do
		rm "$copy/$f"
	done
	looks
}
rmux_only "a new file is named" files 'no Makefile.inc names regress/bench/new.py
no Makefile.inc names regress/e2e/new.sh
no Makefile.inc names regress/fuzz/fuzz_new.c
no Makefile.inc names scripts/new.sh'

foreign() { sh "$e2e_src/scripts/check-lists.sh" /; }
rmux_only "another folder is refused" foreign '/ is no tree of rmux'
done_testing
