#!/bin/sh
# commands.list names a script for every command; some script runs every flag of
# every command, or the list gives a reason.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
command -v python3 >/dev/null || skip_all "no python3"

listed() {
	python3 "$e2e_src/regress/e2e/commands.py" "$e2e_src"
}
rmux_only "every command and every flag" listed ''

done_testing
