#!/bin/sh
# libtmux (PyPI): sessions, windows, panes, options from Python.
. "${top_srcdir:-.}/regress/ecosystem/lib.sh"
need_pip libtmux
use() {
	"$python" "$top/regress/ecosystem/libtmux.py"
}
both "a script with libtmux" use
done_testing
