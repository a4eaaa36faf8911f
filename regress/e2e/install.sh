#!/bin/sh
# What make install brings beside the program, and that make uninstall takes it
# away; the example configuration, the unit and the desktop file are valid.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
# shellcheck disable=SC2034 # lib.sh reads it
M=rmux

# The tools do not print whose make runs them.
in_place() {
	make_here "$e2e_build/Makefile" "$1"
}

# make_here MAKEFILE GOAL
make_here() {
	(unset MAKEFLAGS MFLAGS MAKELEVEL
	make -C "$e2e_build" -f "$1" -s "$2" DESTDIR="$e2e_dir/dest" >"$e2e_dir/make.out" 2>&1) ||
		{ cat "$e2e_dir/make.out"; return 1; }
}

find_one() {
	found=$(find "$e2e_dir/dest" -path "*/$1" -type f)
	[ -s "$found" ] || { echo "not installed: $1"; return 1; }
}

brings() {
	in_place install-data && in_place install-exec || return 1
	for e2e_file in doc/rmux/TUTORIAL.md doc/rmux/examples/me.conf doc/rmux/examples/rmux.conf \
		applications/rmux.desktop systemd/user/rmux.service \
		ufw/applications.d/rmux firewalld/services/rmux.xml \
		bin/rmux man1/rmux.1 fish/vendor_completions.d/rmux.fish; do
		find_one $e2e_file || return 1
	done
	# If it is built: libssp.sh uses it.
	[ ! -e "$e2e_build/ssp/lib/libssp.a" ] ||
		for e2e_file in include/ssp.h lib*/libssp.a pkgconfig/ssp.pc man3/ssp.3; do
			find_one "$e2e_file" || return 1
		done
	# rmux exec under the name that callers of ssh want.
	find_one bin/rmux && [ "$("${found}-ssh" -V 2>&1)" = "$("$found" -V)" ]
}

example() {
	find_one examples/rmux.conf && cp "$found" "$HOME/example.conf" || return 1
	"$e2e_rmux" -n -f "$HOME/example.conf" || return 1
	# What is a comment, too.
	sed 's/^#\([a-z]\)/\1/' "$found" >"$HOME/all.conf"
	"$e2e_rmux" -n -f "$HOME/all.conf" || return 1
	"$e2e_rmux" -L e2e -f "$HOME/example.conf" new-session -d cat || return 1
	# shellcheck disable=SC2034 # stop waits for it
	e2e_pid=$(m display-message -p '#{pid}')
	[ "$(m show-options -gv mouse)" = on ] &&
		! m show-messages | grep -v 'command:'
}

unit() {
	find_one systemd/user/rmux.service || return 1
	grep -q '^ExecStart=/.*/bin/rmux -D$' "$found" &&
		! grep -q '@' "$found"
}

# The unit's command: in the foreground, at once, without a session.
foreground() {
	"$e2e_rmux" -L unit -f /dev/null -D >"$e2e_dir/unit.out" 2>&1 &
	e2e_unit=$!
	e2e_pids="$e2e_pids $e2e_unit"
	wait_for '[ "$("$e2e_rmux" -L unit display-message -p "#{pid}" 2>/dev/null)" = $e2e_unit ]' &&
		"$e2e_rmux" -L unit new-session -d cat &&
		"$e2e_rmux" -L unit kill-server && wait_for "! alive $e2e_unit"
}

verified() {
	find_one systemd/user/rmux.service && mkdir -p "$e2e_dir/unit" &&
		sed "s|^Exec\(.*\)=[^ ]*|Exec\1=$e2e_rmux|" "$found" >"$e2e_dir/unit/rmux.service" &&
		systemd-analyze --user verify "$e2e_dir/unit/rmux.service" \
			>"$e2e_dir/verify.out" 2>&1
	cat "$e2e_dir/verify.out"
	! grep -q 'rmux.service' "$e2e_dir/verify.out"
}

ports() {
	range=$("$e2e_rmux" -L e2e show-options -sv remote-ports)
	find_one ufw/applications.d/rmux && grep -q "^ports=$range/udp" "$found" &&
		find_one firewalld/services/rmux.xml &&
		grep -q "port=\"$(echo "$range" | tr : -)\"" "$found"
}

desktop() {
	find_one applications/rmux.desktop && desktop-file-validate "$found"
}

# A Makefile as configure --with-tmux-link makes it; the hooks alone run.
linked() {
	sed '/^S\["TMUX_LINK_TRUE"\]/s/=.*/=""/; /^S\["TMUX_LINK_FALSE"\]/s/=.*/="#"/' \
		"$e2e_build/config.status" >"$e2e_dir/config.status" || return 1
	(cd "$e2e_build" && sh "$e2e_dir/config.status" \
		--file="$e2e_dir/Makefile:$e2e_src/Makefile.in" >/dev/null) || return 1
	make_here "$e2e_dir/Makefile" install-exec-hook || return 1
	link=$(find "$e2e_dir/dest" -path '*/bin/tmux')
	[ "$(readlink "$link")" = rmux ] || {
		ls -l "$link"
		return 1
	}
	[ "$("$link" -V)" = "tmux 3.8" ] &&
		make_here "$e2e_dir/Makefile" uninstall-hook && [ ! -h "$link" ] &&
		# As it was without.
		in_place install-exec-hook && [ ! -h "$link" ]
}

gone() {
	in_place uninstall && [ -z "$(find "$e2e_dir/dest" ! -type d)" ] ||
		{ find "$e2e_dir/dest" ! -type d; return 1; }
}

check "make install brings documents, unit, profiles and desktop file" brings
check "the example configuration is valid and loads" example
check "the firewall profiles name the ports of remote-ports" ports
stop
check "the unit names the installed program" unit
check "rmux -D is the process that a unit starts" foreground
if have systemd-analyze; then
	check "systemd accepts the unit" verified
else
	skip "systemd accepts the unit" "no systemd-analyze"
fi
if have desktop-file-validate; then
	check "the desktop file is valid" desktop
else
	skip "the desktop file is valid" "no desktop-file-validate"
fi
check "configure --with-tmux-link makes tmux beside rmux" linked
check "make uninstall leaves no file" gone
done_testing
